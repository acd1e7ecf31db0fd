//! What is drawn is read back with another XML parser and compared with the data.

use super::scale::{Scale, shown};
use super::*;
use roxmltree::{Document, Node};
use sha2::{Digest, Sha256};

fn of_class<'d>(document: &'d Document<'d>, class: &'d str) -> impl Iterator<Item = Node<'d, 'd>> {
    let has = move |node: &Node<'_, '_>| {
        node.attribute("class").is_some_and(|all| all.split(' ').any(|c| c == class))
    };
    document.descendants().filter(has)
}

fn title<'d>(node: Node<'d, 'd>) -> &'d str {
    node.children().find(|child| child.tag_name().name() == "title").and_then(|t| t.text()).unwrap_or("")
}

fn point(x: f64, y: f64, low: f64, high: f64) -> Point {
    Point { x, y: Some(y), low: Some(low), high: Some(high), infinite: false }
}

fn caption(title: &str) -> Caption {
    Caption { title: title.into(), notes: vec![] }
}

fn curve(series: Vec<Series>, log: bool) -> Plot {
    let axis = |label: &str| Axis { label: label.into(), log, ..Axis::default() };
    Plot::Curve(CurvePlot { caption: caption("T <1> & 2"), x: axis("n"), y: axis("P(\"a\")"), series })
}

/// The places of the points of a drawing, by the text that they say.
fn places(text: &str) -> Vec<(f64, f64, String)> {
    let document = Document::parse(text).expect("XML");
    of_class(&document, "sc-mark")
        .filter_map(|node| {
            let (x, y) = node.attribute("data-at")?.split_once(' ')?;
            Some((x.parse().ok()?, y.parse().ok()?, title(node).to_string()))
        })
        .collect()
}

#[test]
fn points_are_where_their_numbers_are() {
    // On a linear axis distances are proportional: 0, 1, 2 and 4 to the right, 0, 0.5 and 1 upwards.
    let points = vec![point(4.0, 1.0, 0.9, 1.0), point(0.0, 0.0, 0.0, 0.1), point(2.0, 0.5, 0.4, 0.6)];
    let at = places(&svg(&curve(vec![Series { name: "a".into(), points }], false)));
    assert_eq!(at.len(), 3);
    assert!(((at[1].0 - at[0].0) - (at[2].0 - at[1].0)).abs() < 0.2, "{at:?}");
    assert!(((at[0].1 - at[1].1) - (at[1].1 - at[2].1)).abs() < 0.2, "{at:?}");
    assert!(at[0].1 > at[2].1, "upwards is less");
    assert_eq!(at[1].2, "a, n = 2: P(\"a\") = 0.5 [0.4, 0.6]");
    // On a logarithmic axis factors are: 1, 10, 100.
    let points = [(1.0, 0.001), (10.0, 0.01), (100.0, 0.1)].map(|(x, y)| point(x, y, y, y));
    let at = places(&svg(&curve(vec![Series { name: String::new(), points: points.to_vec() }], true)));
    assert!(((at[1].0 - at[0].0) - (at[2].0 - at[1].0)).abs() < 0.2, "{at:?}");
    assert!(((at[0].1 - at[1].1) - (at[1].1 - at[2].1)).abs() < 0.2, "{at:?}");
}

#[test]
fn a_band_goes_around_its_line() {
    let points = vec![point(1.0, 0.5, 0.25, 0.75), point(2.0, 0.5, 0.25, 0.75)];
    let text = svg(&curve(vec![Series { name: String::new(), points }], false));
    let document = Document::parse(&text).unwrap();
    let band = of_class(&document, "sc-band").next().unwrap().attribute("d").unwrap();
    let ys: Vec<f64> = band
        .split(['M', 'L', 'Z'])
        .filter_map(|pair| pair.split_once(' ').map(|(_, y)| y.parse().unwrap()))
        .collect();
    let line = places(&text)[0].1;
    assert_eq!(ys.len(), 4);
    // The line is halfway between the ends of the interval.
    assert!((ys[0] + ys[3] - 2.0 * line).abs() < 0.3 && ys[0] < line && ys[3] > line, "{ys:?} {line}");
}

#[test]
fn what_has_no_place_is_a_gap_and_a_note() {
    let mut points = vec![point(1.0, 1.0, 1.0, 1.0), point(2.0, 0.0, 0.0, 1.0), point(3.0, 1.0, 1.0, 1.0)];
    points.push(Point { x: 4.0, y: None, low: Some(7.0), high: None, infinite: true });
    points.push(Point { x: 5.0, ..Point::default() });
    points.push(Point { x: f64::NAN, y: Some(f64::INFINITY), low: None, high: None, infinite: false });
    let Plot::Curve(mut plot) = curve(vec![Series { name: String::new(), points }], false) else { panic!() };
    plot.y.log = true;
    let text = svg(&Plot::Curve(plot));
    for words in
        ["1 point is not shown", "1 point has no value", "∞ marks values", ">∞<", "infinite (at least 7)"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    let document = Document::parse(&text).unwrap();
    // The line is interrupted at 2, where its value is 0.
    assert_eq!(of_class(&document, "sc-line").count(), 2);
    assert!(!text.contains("NaN") && !text.contains("inf "), "{text}");
}

#[test]
fn a_colour_is_a_value() {
    let grid = Grid {
        x: "a".into(),
        y: "b".into(),
        columns: vec!["1".into(), "2".into()],
        rows: vec!["3".into(), "4".into()],
    };
    let cell = |column, row, value| HeatCell { column, row, value, ..HeatCell::default() };
    // The last one is nowhere.
    let cells = vec![cell(0, 0, Some(0.0)), cell(1, 0, Some(1.0)), cell(0, 1, None), cell(7, 7, Some(0.5))];
    let value = Axis { label: "P".into(), ..Axis::default() };
    let text = svg(&Plot::Heat(HeatPlot { caption: caption("h"), grid, value, cells }));
    let document = Document::parse(&text).unwrap();
    let cells: Vec<Node<'_, '_>> = of_class(&document, "sc-cell").collect();
    assert_eq!(cells.len(), 3);
    let fill = |node: Node<'_, '_>| {
        let rect = node.children().find(|child| child.tag_name().name() == "rect").unwrap();
        rect.attribute("fill").unwrap().to_string()
    };
    // The ends of viridis.
    assert_eq!([fill(cells[0]), fill(cells[1]), fill(cells[2])], ["#440154", "#fde725", "none"]);
    assert_eq!(title(cells[1]), "a = 2, b = 3: P = 1");
    assert_eq!(title(cells[2]), "a = 1, b = 4: P = no value");
    let y = |node: Node<'_, '_>| -> f64 {
        node.children()
            .find(|child| child.tag_name().name() == "rect")
            .unwrap()
            .attribute("y")
            .unwrap()
            .parse()
            .unwrap()
    };
    assert!(y(cells[2]) < y(cells[0]), "the first row is at the bottom");
}

#[test]
fn verdicts_differ_in_colour_and_sign() {
    let columns = (0..5).map(|n| n.to_string()).collect();
    let grid = Grid { x: "n".into(), y: String::new(), columns, rows: vec![String::new()] };
    let cell = |(column, verdict): (usize, PhaseVerdict)| PhaseCell {
        column,
        row: 0,
        verdict,
        note: "why <>".into(),
    };
    let cells = PhaseVerdict::ALL.into_iter().enumerate().map(cell).collect();
    let text = svg(&Plot::Phase(PhasePlot { caption: caption("p"), grid, cells }));
    let document = Document::parse(&text).unwrap();
    let mut colours = std::collections::BTreeSet::new();
    let mut signs = std::collections::BTreeSet::new();
    for (cell, verdict) in of_class(&document, "sc-cell").zip(PhaseVerdict::ALL) {
        assert_eq!(cell.attribute("data-verdict"), Some(verdict.word()));
        let parts: Vec<Node<'_, '_>> = cell.children().filter(Node::is_element).collect();
        colours.insert(parts[1].attribute("fill").unwrap().to_string());
        // The shape of a sign without its place: how many parts, and letters of its path or its text.
        let shape: Vec<String> = parts[2..]
            .iter()
            .map(|part| {
                let path = part.attribute("d").unwrap_or_default();
                let letters: String = path.chars().filter(char::is_ascii_alphabetic).collect();
                format!("{letters}{}", part.text().unwrap_or_default())
            })
            .collect();
        signs.insert(shape);
        assert_eq!(
            title(cell),
            format!("n = {}: {} (why <>)", cell.attribute("data-column").unwrap(), verdict.word())
        );
    }
    assert_eq!((colours.len(), signs.len()), (5, 5));
}

#[test]
fn bars_are_shares() {
    let bin = |from: f64, count| Bin { from, to: from + 2.0, count };
    let marks = vec![Mark { label: "mean".into(), value: 3.0 }];
    let x = Axis { label: "steps".into(), ..Axis::default() };
    let plot = HistogramPlot { caption: caption("h"), x, bins: vec![bin(0.0, 1), bin(2.0, 3)], marks };
    let text = svg(&Plot::Histogram(plot));
    let document = Document::parse(&text).unwrap();
    let heights: Vec<f64> =
        of_class(&document, "sc-bar").map(|bar| bar.attribute("height").unwrap().parse().unwrap()).collect();
    assert!((heights[1] - 3.0 * heights[0]).abs() < 0.4, "{heights:?}");
    let titles: Vec<&str> = of_class(&document, "sc-bin").map(title).collect();
    assert_eq!(titles, ["[0, 2): 1 of 4 values (25 %)", "[2, 4]: 3 of 4 values (75 %)"]);
    assert!(text.contains(">mean 3<"));
}

#[test]
fn ticks_are_round_and_cover_the_range() {
    let mut random = fastrand::Rng::with_seed(11);
    for log in [false, true] {
        let axis = Axis { log, ..Axis::default() };
        for _ in 0..500 {
            let low = 10_f64.powf(random.f64() * 12.0 - 6.0);
            let high = low * 10_f64.powf(random.f64() * 6.0);
            let scale = Scale::new(&axis, [low, high].into_iter(), (0.0, 100.0)).rounded(&axis, 6);
            let ticks = scale.ticks(6);
            assert!(scale.low <= low && high <= scale.high, "{low} {high}");
            assert!(ticks.len() >= 2 || high / low < 1.0001, "{low} {high}: {ticks:?}");
            assert!(ticks.len() <= 13, "{low} {high}: {ticks:?}");
            // Linear ticks are 1, 2 or 5 times a power of ten apart; logarithmic ones are such numbers themselves.
            let gaps: Vec<f64> = match log {
                // Within two decades they may also be at equal distances.
                true if high / low <= 100.0 => vec![],
                true => ticks.iter().map(|(value, _)| *value).collect(),
                false => ticks.windows(2).map(|pair| pair[1].0 - pair[0].0).collect(),
            };
            for gap in gaps {
                let part = gap / 10_f64.powf((gap.log10() + 1e-6).floor());
                assert!([1.0, 2.0, 5.0].iter().any(|round| (part - round).abs() < 1e-4), "{gap}");
            }
            let mut words: Vec<&String> = ticks.iter().map(|(_, words)| words).collect();
            words.dedup();
            assert_eq!(words.len(), ticks.len(), "no two ticks say the same: {ticks:?}");
        }
    }
    assert_eq!(
        [0.0, 1.0, -0.5, 1234567.0, 1e-7, 0.333_333_3].map(shown),
        ["0", "1", "−0.5", "1234567", "1e−7", "0.33333"]
    );
}

/// Whatever the data, the drawing is XML without numbers that are none, and the page has nothing from the data as markup.
#[test]
fn no_data_breaks_a_drawing() {
    let mut random = fastrand::Rng::with_seed(5);
    let odd =
        [0.0, -0.0, 1.0, -1.0, 1e-320, 1e308, -1e308, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.1, 1e9];
    let texts = [
        "",
        "<script>alert(1)</script>",
        "a\u{0}b",
        "]]>",
        "\"' onload=x",
        "very long ".repeat(40).leak(),
        "π",
    ];
    let mut drawn = 0;
    for round in 0..2000 {
        let mut number = || odd[random.usize(..odd.len())];
        let mut numbers: Vec<f64> = (0..40).map(|_| number()).collect();
        let mut number = || numbers.pop().unwrap_or(0.5);
        let mut other = fastrand::Rng::with_seed(round);
        let mut text = || texts[other.usize(..texts.len())].to_string();
        let caption = Caption { title: text(), notes: vec![text(), text()] };
        let mut axis = |log| Axis { label: text(), log, low: None, high: None };
        let (x, y) = (axis(round % 2 == 0), axis(round % 3 == 0));
        let maybe = |value: f64| (value != 1.0).then_some(value);
        let plot = match round % 4 {
            0 => {
                let points = |number: &mut dyn FnMut() -> f64| {
                    let mut one = || Point {
                        x: number(),
                        y: maybe(number()),
                        low: maybe(number()),
                        high: maybe(number()),
                        infinite: number() == 0.1,
                    };
                    (0..round % 5).map(|_| one()).collect()
                };
                let series =
                    (0..round % 3).map(|_| Series { name: text(), points: points(&mut number) }).collect();
                Plot::Curve(CurvePlot { caption, x, y, series })
            }
            kind @ (1 | 2) => {
                let (wide, high) = (random.usize(..4), random.usize(..4));
                let grid = Grid {
                    x: text(),
                    y: text(),
                    columns: (0..wide).map(|_| text()).collect(),
                    rows: (0..high).map(|_| text()).collect(),
                };
                let places: Vec<(usize, usize)> =
                    (0..wide + 1).flat_map(|c| (0..high).map(move |r| (c, r))).collect();
                if kind == 1 {
                    let cells = places.iter().map(|(column, row)| HeatCell {
                        column: *column,
                        row: *row,
                        value: maybe(number()),
                        low: maybe(number()),
                        ..HeatCell::default()
                    });
                    Plot::Heat(HeatPlot { caption, grid, value: y, cells: cells.collect() })
                } else {
                    let cells = places.iter().map(|(column, row)| PhaseCell {
                        column: *column,
                        row: *row,
                        verdict: PhaseVerdict::ALL[row % 5],
                        note: String::new(),
                    });
                    Plot::Phase(PhasePlot { caption, grid, cells: cells.collect() })
                }
            }
            _ => {
                let bins = (0..round % 6)
                    .map(|count| Bin {
                        from: number(),
                        to: number(),
                        count: if count == 3 { u64::MAX } else { count },
                    })
                    .collect();
                let marks = vec![Mark { label: text(), value: number() }];
                Plot::Histogram(HistogramPlot { caption, x, bins, marks })
            }
        };
        let text = svg(&plot);
        let document = Document::parse(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
        for node in document.descendants().filter(Node::is_element) {
            assert_ne!(node.tag_name().name(), "script");
            for attribute in node.attributes().filter(|a| !["aria-label", "data-series"].contains(&a.name()))
            {
                assert!(
                    !attribute.value().contains("NaN") && !attribute.value().contains("inf"),
                    "{attribute:?} {plot:?}"
                );
                assert!(!attribute.name().starts_with("on"), "{attribute:?}");
            }
        }
        assert!(!page(&plot).contains("<script>alert"));
        drawn += 1;
    }
    assert_eq!(drawn, 2000);
}

#[test]
fn plots_are_data() {
    let plot = curve(vec![Series { name: "a".into(), points: vec![point(1.0, 0.5, 0.4, 0.6)] }], false);
    let text = serde_json::to_string(&plot).unwrap();
    assert!(text.starts_with("{\"plot\":\"curve\""), "{text}");
    assert_eq!(serde_json::from_str::<Plot>(&text).unwrap(), plot);
    let least =
        r#"{"plot":"phase","columns":["1"],"rows":["2"],"cells":[{"column":0,"row":0,"verdict":"holds"}]}"#;
    assert!(svg(&serde_json::from_str(least).unwrap()).contains("1 holds"));
}

/// The browser runs the script of the page only if its checksum is the one of the policy.
#[test]
fn a_page_allows_its_own_script_only() {
    let text =
        page(&curve(vec![Series { name: "a".into(), points: vec![point(1.0, 0.5, 0.4, 0.6)] }], false));
    let between = |from: &str, to: &str| text.split_once(from).unwrap().1.split_once(to).unwrap().0;
    for (from, to, policy) in [
        ("<script>", "</script>", "script-src &#39;sha256-"),
        ("<style>", "</style>", "style-src &#39;sha256-"),
    ] {
        let sum = Sha256::digest(between(from, to).as_bytes());
        assert_eq!(between(policy, "&#39;"), crate::html::tests::base64(&sum));
    }
    assert!(
        text.contains("<th scope=\"col\">P(&quot;a&quot;)</th>") && text.contains("<td>0.6</td>"),
        "{text}"
    );
    assert!(
        !text.contains("http://")
            || text.matches("http://").count() == text.matches("http://www.w3.org/2000/svg").count()
    );
}
