//! What is read, and what is said about mistakes: `«code»` stands before the place of each.

use super::*;
use swarmcheck_source::SourceFile;

/// A file with `«P0002»` before each place at which something is wrong.
#[track_caller]
fn check(marked: &str) -> Vec<String> {
    let (mut text, mut expected) = (String::new(), vec![]);
    let mut rest = marked;
    while let Some((before, after)) = rest.split_once('«') {
        let (code, after) = after.split_once('»').unwrap();
        text += before;
        expected.push((text.len() as u32, code.to_string()));
        rest = after;
    }
    text += rest;
    let found = read(&text).1.into_sorted();
    let places: Vec<(u32, String)> =
        found.iter().map(|d| (d.primary.span.start, d.code.to_string())).collect();
    assert_eq!(places, expected, "{found:#?}");
    found.into_iter().flat_map(|d| std::iter::once(d.message).chain(d.help)).collect()
}

#[test]
fn everything_that_can_be_said() {
    let text = r#"version = 1
limits = { time = 2.5, memory = "1G" }
[[model]]
file = "a.labs"
parameters = { zebras = 3, ants = -2 }
fair = true
choice = "early"
steps = 6
ignore-deadlock = true
states = 1_000
limits.time = 60
properties = [
  { name = "P", expect = "holds", source = "the paper" },
  { name = "(deadlock)", expect = "violated" },
]
[[model]]
file = "b.rcp"
[[model.properties]]
name = "Q"
expect = "unknown"
"#;
    let (project, found) = read(text);
    assert!(found.is_empty(), "{found:?}");
    let [first, second] = &project.models[..] else { panic!("{project:?}") };
    // The order is that of the file, not of the alphabet.
    assert_eq!(first.parameters_text(), "zebras=3 ants=-2");
    assert_eq!(first.options_text(), "--fair --choice early --steps 6 --ignore-deadlock");
    let limits = first.limits(&project);
    assert_eq!((limits.time, limits.memory, first.states), (Some(60.0), Some(1 << 30), Some(1000)));
    assert_eq!(second.limits(&project).time, Some(2.5));
    let rows = project.rows();
    let names: Vec<String> = rows.iter().map(|row| format!("{}: {}", row.name(), row.verdict)).collect();
    let model = "a.labs zebras=3 ants=-2 --fair --choice early --steps 6 --ignore-deadlock";
    assert_eq!(
        names,
        [
            format!("{model} P: holds"),
            format!("{model} --deadlock (deadlock): violated"),
            "b.rcp Q: unknown".to_string()
        ]
    );
    assert_eq!(SourceFile::new("f", text).position(rows[0].span), "13:12");
}

#[test]
fn mistakes_have_places_and_suggestions() {
    let said = check("version = 1\n«P0002»modle = 3\n");
    assert_eq!(said, ["a project file has no key `modle`", "did you mean `model`?"]);
    let said =
        check("version = 1\n[[model]]\nfile = \"a\"\n«P0002»ignore_deadlock = true\nproperties = []\n");
    assert_eq!(said[1], "did you mean `ignore-deadlock`?");
    let said = check(
        "version = 1\nmodel = [{ file = \"a\", properties = [{ name = \"P\", expect = «P0005»\"hold\" }] }]",
    );
    assert_eq!(said, ["`hold` is no value of `expect`", "did you mean `holds`?"]);
    check(
        "version = 1\nmodel = [{ file = «P0004»3, parameters = { n = «P0004»\"3\" }, properties = [«P0004»\"P\"] }]",
    );
    check(
        "version = 1\nmodel = [«P0003»{ file = \"a\" }, «P0003»{ properties = [«P0003»{ name = \"P\" }] }]",
    );
    let twice = "{ name = \"P\", expect = \"holds\" }, { name = «P0007»\"P\", expect = \"holds\" }";
    check(&format!("version = 1\nmodel = [{{ file = \"a\", properties = [{twice}] }}]"));
    check("version = 1\nlimits = { time = «P0005»0, memory = «P0005»\"8\" }");
    check("version = 1\nmodel = [{ file = \"a\", steps = «P0004»-1, properties = [] }]");
    check("version = 1\nmodel = [{ file = \"a\", steps = «P0005»4294967296, properties = [] }]");
    check(
        "version = 1\nmodel = [{ file = \"a\", parameters.n = «P0004»9223372036854775808, properties = [] }]",
    );
}

/// Parameters that are open, and what is said about them.
#[test]
fn open_numbers() {
    let text = "version = 1\n[[model]]\nfile = \"a.labs\"\nparameters = { yes = \"1..\", no = \"2..\", m = 3 }\nwhere = \"yes < no\"\nup-to = 6\nproperties = []\n";
    let (project, found) = read(text);
    assert!(found.is_empty(), "{found:?}");
    assert_eq!(project.models[0].parameters_text(), "yes=1.. no=2.. m=3");
    assert_eq!(project.models[0].options_text(), "--where 'yes < no' --up-to 6");
    for wrong in ["..", "-1..", "1", "1...", "x.."] {
        check(&format!(
            "version = 1\nmodel = [{{ file = \"a\", parameters.n = «P0004»\"{wrong}\", properties = [] }}]"
        ));
    }
    check("version = 1\nmodel = [{ file = \"a\", where = «P0005»\"n < 3\", properties = [] }]");
    check("version = 1\nmodel = [«P0005»{ file = \"a\", up-to = 3, properties = [] }]");
}

/// `fair = true` is short for `schedule = "round-robin"`, so the two may not say different things.
#[test]
fn schedules_and_fairness() {
    let model = |keys: &str| format!("version = 1\nmodel = [{{ file = \"a\", {keys}, properties = [] }}]");
    let options = |keys: &str| {
        let (project, found) = read(&model(keys));
        assert!(!found.has_errors(), "{keys}");
        project.models[0].options_text()
    };
    assert_eq!(options("schedule = \"free\""), "");
    assert_eq!(options("schedule = \"round-robin\""), "--fair");
    assert_eq!(options("fair = true, schedule = \"round-robin\""), "--fair");
    assert_eq!(options("fairness = \"weak\""), "--fairness weak");
    assert_eq!(options("schedule = \"free\", fairness = \"strong\""), "--fairness strong");
    let said = check(&model("fair = true, schedule = «P0005»\"free\""));
    assert!(said[0].contains("round-robin"), "{said:?}");
    let said = check(&model("fairness = «P0005»\"week\""));
    assert_eq!(said, ["`week` is no value of `fairness`", "did you mean `weak`?"]);
    check(&model("schedule = «P0005»\"chaotic\""));
}

#[test]
fn versions() {
    check("«P0003»limits = {}\n");
    let said = check("version = «P0006»2\nwhatever = 3\n[[model]]\n");
    assert!(said[0].contains("version 2"), "{said:?}");
    check("version = «P0004»\"1\"\n");
}

#[test]
fn what_is_not_toml_is_reported_alone() {
    for text in ["version = \n", "[[model", "version = 1 version = 2", "\u{0}", "=", "[a]\n[a]\n"] {
        let (project, found) = read(text);
        assert!(found.has_errors(), "{text:?}");
        assert!(found.iter().all(|d| d.code == codes::SYNTAX), "{text:?}: {found:?}");
        assert!(found.iter().all(|d| d.primary.span.end as usize <= text.len()), "{text:?}: {found:?}");
        assert_eq!(project, Project::default());
    }
    // An empty file lacks its version.
    assert_eq!(read("").1.iter().map(|d| d.code).collect::<Vec<_>>(), [codes::MISSING]);
}

#[test]
fn sizes() {
    assert_eq!((size("800M"), size("1.5g")), (Some(800 << 20), Some(3 << 29)));
    for wrong in ["", "8", "M", "-1G", "1X", "nan", "é", "1é"] {
        assert_eq!(size(wrong), None, "{wrong}");
    }
}
