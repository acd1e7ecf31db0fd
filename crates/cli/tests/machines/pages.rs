//! Pages and charts: their data is valid for its schemas, what is drawn is what happened, and each trace has a file of its own.

use crate::common::{run, scratch};
use crate::schema::check;
use roxmltree::Document;
use serde_json::Value as Json;

fn stdout(arguments: &str) -> String {
    let output = run(arguments);
    // A run may violate a property.
    let fine = matches!(output.status.code(), Some(0 | 10));
    assert!(fine, "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The data of a page.
fn data(page: &str) -> Json {
    let (_, rest) = page.split_once("id=\"swarmcheck-data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

/// Who acts in each step, and the arrows: step, sender, receiver.
type Happened = (Vec<u64>, Vec<(u64, u64, u64)>);

/// What a chart shows, read back from the drawing.
fn drawn(svg: &str) -> Happened {
    let document = Document::parse(svg).unwrap();
    let of = |class: &'static str| {
        let has = move |node: &roxmltree::Node<'_, '_>| {
            node.attribute("class").is_some_and(|all| all.split(' ').any(|one| one == class))
        };
        document.descendants().filter(has)
    };
    let number =
        |node: &roxmltree::Node<'_, '_>, name: &str| node.attribute(name).unwrap().parse::<u64>().unwrap();
    let place = |agent: u64| {
        let line = of("sc-lifeline").find(|node| number(node, "data-agent") == agent).unwrap();
        let line = line.children().find(|child| child.tag_name().name() == "line").unwrap();
        line.attribute("x1").unwrap().to_string()
    };
    let arrow = |node: roxmltree::Node<'_, '_>| {
        let (from, to) = (number(&node, "data-from"), number(&node, "data-to"));
        let line = node.children().find(|child| child.tag_name().name() == "line").unwrap();
        assert_eq!((line.attribute("x1"), line.attribute("x2")), (Some(&*place(from)), Some(&*place(to))));
        (number(&node, "data-step"), from, to)
    };
    (of("sc-action").map(|node| number(&node, "data-agent")).collect(), of("sc-arrow").map(arrow).collect())
}

#[test]
fn pages_hold_valid_data_and_charts_show_the_same() {
    let mut arrows = 0;
    for model in [
        "examples/flock/flock.labs birds=4 grid=5 delta=3",
        "examples/ants/ants.labs ants=2 size=4 scent=2",
        "examples/leader/leader.labs n=4 --sync",
        "examples/rcheck-resources/resources.rcp",
        "examples/rcheck-rating/rating.rcp",
        "examples/commit/hoare.ccs",
        "examples/stock/stock.chor",
    ] {
        let simulate = format!("simulate {model} --seed 3 --steps 30 --trace-format");
        let data = data(&stdout(&format!("{simulate} html")));
        check("trace", &data["trace"]);
        check("picture", &data["picture"]);
        // The trace of the page is the trace.
        let trace: Json = serde_json::from_str(&stdout(&format!("{simulate} json"))).unwrap();
        assert_eq!(data["trace"], trace, "{model}");
        let steps = trace["steps"].as_array().unwrap();
        let rows = data["picture"]["chart"].as_array().unwrap();
        assert_eq!(rows.len(), steps.len(), "{model}");
        let (actors, shown) = drawn(&stdout(&format!("{simulate} svg")));
        let acting: Vec<u64> = steps.iter().map(|step| step["agent"].as_u64().unwrap()).collect();
        assert_eq!(actors, acting, "{model}");
        let told = (1..).zip(rows).flat_map(|(step, row)| {
            let all = row["arrows"].as_array().cloned().unwrap_or_default();
            let ends = |arrow: &Json| (step, arrow["from"].as_u64().unwrap(), arrow["to"].as_u64().unwrap());
            all.iter().map(ends).collect::<Vec<_>>()
        });
        assert_eq!(shown, told.collect::<Vec<_>>(), "{model}");
        arrows += shown.len();
    }
    assert!(arrows > 100, "{arrows} arrows");
}

#[test]
fn a_long_flight_of_a_large_flock_is_a_small_page() {
    let page = stdout(
        "simulate examples/flock/flock.labs birds=30 grid=16 delta=16 --seed 1 --steps 1000 --trace-format html",
    );
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
    let data = data(&page);
    assert_eq!(data["trace"]["steps"].as_array().unwrap().len(), 1000);
    check("picture", &data["picture"]);
    assert_eq!(data["picture"]["view"]["width"], 16);
}

#[test]
fn each_trace_has_its_file() {
    let file = scratch("pages.html", b"");
    let model = "system { spawn = A: 1 }\nagent A {\n  interface = x: 0\n  Behavior = x < 3 -> x <- x + 1; Behavior\n}\n\
                 check {\n  One = always forall A a, x of a < 1\n  Two = always forall A a, x of a < 2\n}\n";
    let model = scratch("pages.labs", model.as_bytes());
    let verify = format!("verify {}", model.display());
    let output = run(&format!("{verify} --trace-format html --trace-file {}", file.display()));
    let violated = String::from_utf8(output.stdout).unwrap().matches("violated").count();
    assert_eq!(violated, 2);
    for number in 1..=violated {
        let name = if number == 1 { "pages.html".to_string() } else { format!("pages-{number}.html") };
        let page = std::fs::read_to_string(file.with_file_name(name)).unwrap();
        assert_eq!(page.matches("<!DOCTYPE html>").count(), 1);
        check("picture", &data(&page)["picture"]);
    }
    // Nothing else can be mixed with it.
    for wrong in [
        format!("{verify} --trace-format html"),
        format!("{verify} --trace-format svg"),
        "simulate examples/leader/leader.labs n=3 --runs 2 --trace-format svg".to_string(),
    ] {
        assert_eq!(run(&wrong).status.code(), Some(2), "{wrong}");
    }
}
