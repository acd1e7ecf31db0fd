//! What is drawn is read back with another XML parser and compared with the data.

use super::*;
use crate::data::{AgentPicture, FORMAT, VERSION};
use roxmltree::{Document, Node};

fn picture(agents: u32, chart: Vec<Row>) -> Picture {
    let agent = |agent: u32| AgentPicture { agent, kind: "Bird".into(), name: format!("Bird {agent}") };
    Picture {
        format: FORMAT.into(),
        version: VERSION,
        agents: (0..agents).map(agent).collect(),
        view: None,
        links: vec![],
        chart,
        automata: vec![],
        places: vec![],
        causes: vec![],
        breaks: None,
        story: vec![],
    }
}

fn row(agent: u32, label: &str, arrows: &[(u32, u32, bool)]) -> Row {
    let arrow = |(from, to, idle): &(u32, u32, bool)| Arrow {
        from: *from,
        to: *to,
        effect: "x = 1".into(),
        idle: *idle,
    };
    let kind = if arrows.is_empty() { "action" } else { "propagate" };
    Row {
        agent: Some(agent),
        label: label.into(),
        kind: kind.into(),
        arrows: arrows.iter().map(arrow).collect(),
    }
}

fn of_class<'d>(document: &'d Document<'d>, class: &'d str) -> impl Iterator<Item = Node<'d, 'd>> {
    let has = move |node: &Node<'_, '_>| {
        node.attribute("class").is_some_and(|all| all.split(' ').any(|c| c == class))
    };
    document.descendants().filter(has)
}

fn get<T: std::str::FromStr>(node: Node<'_, '_>, name: &str) -> T {
    let text = node.attribute(name).unwrap_or_else(|| panic!("{name} of {node:?}"));
    text.parse().unwrap_or_else(|_| panic!("{name} is {text}"))
}

fn child<'d>(node: Node<'d, 'd>, tag: &str) -> Node<'d, 'd> {
    node.children().find(|node| node.has_tag_name(("http://www.w3.org/2000/svg", tag))).expect("a child")
}

#[test]
fn arrows_go_between_lifelines() {
    let mut random = fastrand::Rng::with_seed(3);
    let arrows = |random: &mut fastrand::Rng, agent: u32| -> Vec<(u32, u32, bool)> {
        let mut out = vec![];
        for other in (0..6).filter(|other| *other != agent) {
            if random.u8(..3) == 0 {
                out.push((agent, other, random.bool()));
            }
        }
        out
    };
    let rows: Vec<Row> = (0..50)
        .map(|step| {
            let agent = random.u32(..6);
            row(agent, &format!("step <{step}>"), &arrows(&mut random, agent))
        })
        .collect();
    let picture = picture(6, rows);
    let options = ChartOptions { title: "A & B".into(), loop_start: Some(40), ..ChartOptions::default() };
    let text = chart(&picture, &options);
    let document = Document::parse(&text).expect("XML");
    assert_eq!(child(document.root_element(), "title").text(), Some("A & B"));
    let lifelines: Vec<(u32, f64)> = of_class(&document, "sc-lifeline")
        .map(|node| (get(node, "data-agent"), get(child(node, "line"), "x1")))
        .collect();
    assert_eq!(lifelines.iter().map(|(agent, _)| *agent).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    assert!(lifelines.windows(2).all(|pair| pair[0].1 + 50.0 < pair[1].1));
    let place = |agent: u32| lifelines[agent as usize].1;
    let mut drawn = vec![];
    let mut heights = vec![0.0; 51];
    for node in of_class(&document, "sc-arrow") {
        let (step, from, to): (usize, u32, u32) =
            (get(node, "data-step"), get(node, "data-from"), get(node, "data-to"));
        let line = child(node, "line");
        assert_eq!((get::<f64>(line, "x1"), get::<f64>(line, "x2")), (place(from), place(to)));
        assert_eq!(get::<f64>(line, "y1"), get::<f64>(line, "y2"));
        heights[step] = get(line, "y1");
        let idle = line.attribute("stroke-dasharray").is_some();
        assert_eq!(node.attribute("data-label"), Some(picture.chart[step - 1].label.as_str()));
        drawn.push((step, from, to, idle));
    }
    let told = |(at, row): (usize, &Row)| {
        row.arrows.iter().map(|a| (at + 1, a.from, a.to, a.idle)).collect::<Vec<_>>()
    };
    let expected: Vec<_> = picture.chart.iter().enumerate().flat_map(told).collect();
    assert!(expected.len() > 50);
    assert_eq!(drawn, expected);
    // Time goes down.
    let heights: Vec<f64> = heights.into_iter().filter(|y| *y > 0.0).collect();
    assert!(heights.windows(2).all(|pair| pair[0] < pair[1]));
    let actions: Vec<(usize, u32)> = of_class(&document, "sc-action")
        .map(|node| (get(node, "data-step"), get(node, "data-agent")))
        .collect();
    assert_eq!(actions.len(), 50);
    let bracket = of_class(&document, "sc-loop").next().expect("a loop");
    assert_eq!(get::<usize>(bracket, "data-from"), 41);
}

#[test]
fn folded_steps_are_counted() {
    let mut rows: Vec<Row> = (0..12).map(|_| row(0, "walk", &[])).collect();
    rows.push(row(1, "tell", &[(1, 0, false)]));
    rows.extend((0..3).map(|_| row(1, "rest", &[])));
    let mut picture = picture(2, rows);
    let read = |picture: &Picture, fold: bool, loop_start| {
        let text = chart(picture, &ChartOptions { fold, loop_start, ..ChartOptions::default() });
        let document = Document::parse(&text).expect("XML");
        let folds: Vec<(usize, usize)> = of_class(&document, "sc-fold")
            .map(|node| (get(node, "data-from"), get(node, "data-to")))
            .collect();
        let rows: Vec<usize> = of_class(&document, "sc-row").map(|node| get(node, "data-step")).collect();
        (folds, rows)
    };
    assert_eq!(read(&picture, false, None), (vec![], (1..=16).collect()));
    // Three of the same are few; the first twelve are folded, but not across the beginning of a loop.
    assert_eq!(read(&picture, true, None), (vec![(1, 12)], vec![13, 14, 15, 16]));
    assert_eq!(read(&picture, true, Some(5)), (vec![(1, 5), (6, 12)], vec![13, 14, 15, 16]));
    // Steps that matter are shown, and all others may be folded.
    picture.causes = vec![6, 13];
    assert_eq!(read(&picture, true, None), (vec![(1, 5), (7, 12)], vec![6, 13, 14, 15, 16]));
}

#[test]
fn nothing_from_a_trace_becomes_markup() {
    let nasty = "</text><script>alert(1)</script>\u{0}\u{b}]]>&\"'";
    let mut picture =
        picture(1, vec![row(0, nasty, &[(0, 0, false), (0, u32::MAX, true)]), row(u32::MAX, nasty, &[])]);
    picture.agents[0].name = nasty.into();
    let text = chart(
        &picture,
        &ChartOptions { title: nasty.into(), steps: Some((0, usize::MAX)), ..ChartOptions::default() },
    );
    let document = Document::parse(&text).expect("XML");
    assert!(!document.descendants().any(|node| node.tag_name().name() == "script"));
    let title = child(document.root_element(), "title").text().expect("a title");
    assert!(title.starts_with("</text><script>"));
}
