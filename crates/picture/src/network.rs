//! Pictures of networks of processes: a column for each process, with a box that names it and its variables, and a row for all
//! steps that the same processes make together. A dot says who takes part, as in a score.

use crate::graph::svg::{begin, number};
use crate::graph::text;
use crate::svg::Svg;

/// A network.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Network {
    /// The columns.
    pub processes: Vec<NetworkProcess>,
    /// The rows.
    pub meetings: Vec<Meeting>,
    /// What is said below the picture, a line each.
    pub remarks: Vec<String>,
}

/// A process of a network.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NetworkProcess {
    /// What it is called.
    pub name: String,
    /// The names of its variables.
    pub variables: Vec<String>,
}

/// Steps that the same processes make together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Meeting {
    /// Who takes part, by process, and whether it changes its variables.
    pub participants: Vec<(usize, bool)>,
    /// How many steps these are.
    pub steps: usize,
    /// What they do, each once.
    pub names: Vec<String>,
}

const MARGIN: f64 = 14.0;
const HEADING: f64 = 30.0;
const BESIDE: f64 = 14.0;
const INSIDE: f64 = 8.0;
const DOT: f64 = 4.5;
const ROW: f64 = 8.0;
/// So many variables are named in a box, and so many characters of a name are shown.
const MOST_VARIABLES: usize = 8;
const MOST_NAME: usize = 22;
/// So many names stand at a row, and so many characters of each, in lines of so many.
const MOST_NAMES: usize = 6;
const MOST_WORDS: usize = 60;
const COLUMNS: usize = 76;

struct Column {
    middle: f64,
    width: f64,
    name: Vec<String>,
    variables: Vec<String>,
}

/// A document with a network.
pub fn document(title: &str, network: &Network) -> String {
    let (columns, right) = columns(network);
    let labels: Vec<Vec<String>> = network.meetings.iter().map(label).collect();
    let named = columns.iter().map(|column| column.name.len()).max().unwrap_or(0);
    let listed = columns.iter().map(|column| column.variables.len()).max().unwrap_or(0);
    let lines = |count: usize| count as f64 * text::LINE;
    let (head, box_height) = (lines(named) + INSIDE, lines(named + listed) + 2.0 * INSIDE);
    let bottom = HEADING + box_height;
    let heights: Vec<f64> = labels.iter().map(|label| lines(label.len()) + ROW).collect();
    let end = bottom + 14.0 + heights.iter().sum::<f64>();
    let remarks: Vec<String> = legend().into_iter().chain(network.remarks.iter().cloned()).collect();
    let text_x = right + 10.0;
    let width = labels.iter().map(|label| text_x + text::width_of(label)).fold(right, f64::max);
    let width = width.max(MARGIN + text::width_of(&remarks)).max(MARGIN + text::width(title) * 1.3) + MARGIN;
    let height = end + 14.0 + lines(remarks.len()) + MARGIN;
    let mut svg = begin(title, width, height);
    let bold = [("x", "14"), ("y", "20"), ("font-size", "14"), ("font-weight", "bold")];
    svg.text("text", &bold, title);
    // Every other row is shaded, so that the eye finds the text that belongs to the dots.
    let mut top = bottom + 14.0;
    for (at, height) in heights.iter().enumerate() {
        if at % 2 == 0 {
            let size = [MARGIN, top, width - 2.0 * MARGIN, *height].map(number);
            let [x, y, w, h] = &size;
            svg.element("rect", &[("x", x), ("y", y), ("width", w), ("height", h), ("fill", "#f2f2f2")]);
        }
        top += height;
    }
    for column in &columns {
        process(&mut svg, column, (head, box_height), end);
    }
    let mut top = bottom + 14.0;
    for ((meeting, label), height) in network.meetings.iter().zip(&labels).zip(&heights) {
        row(&mut svg, meeting, &columns, top + height / 2.0);
        texts(&mut svg, label, text_x, top + ROW / 2.0, "start", "normal");
        top += height;
    }
    texts(&mut svg, &remarks, MARGIN, end + 14.0, "start", "normal");
    svg.finish()
}

fn legend() -> Vec<String> {
    vec![
        "A column is a process with the variables that only it writes. A row stands for steps that the same processes make together:"
            .to_string(),
        "● takes part and changes its variables, ○ takes part with what it knows and changes nothing.".to_string(),
    ]
}

fn columns(network: &Network) -> (Vec<Column>, f64) {
    let mut x = MARGIN;
    let mut out = vec![];
    for process in &network.processes {
        let name = text::wrapped(&process.name, MOST_NAME, 2);
        let short = |name: &String| text::wrapped(name, MOST_NAME, 1).concat();
        let mut variables: Vec<String> = process.variables.iter().take(MOST_VARIABLES).map(short).collect();
        if process.variables.len() > MOST_VARIABLES {
            variables.push(format!("… {} more", process.variables.len() - MOST_VARIABLES));
        }
        let width = (text::width_of(&name) * 1.06).max(text::width_of(&variables)) + 2.0 * INSIDE;
        let width = width.max(48.0);
        out.push(Column { middle: x + width / 2.0, width, name, variables });
        x += width + BESIDE;
    }
    (out, x - BESIDE)
}

fn label(meeting: &Meeting) -> Vec<String> {
    let steps = if meeting.steps == 1 { "1 step".to_string() } else { format!("{} steps", meeting.steps) };
    let short = |name: &String| text::wrapped(name, MOST_WORDS, 1).concat();
    let mut names: Vec<String> = meeting.names.iter().take(MOST_NAMES).map(short).collect();
    if meeting.names.len() > MOST_NAMES {
        names.push(format!("… {} more", meeting.names.len() - MOST_NAMES));
    }
    text::wrapped(&format!("{steps}: {}", names.join("; ")), COLUMNS, 3)
}

/// The box of a process, and its line through all rows.
fn process(svg: &mut Svg, column: &Column, (head, height): (f64, f64), end: f64) {
    let (x, middle) = (number(column.middle - column.width / 2.0), number(column.middle));
    let (width, tall) = (number(column.width), number(height));
    let thin = [("fill", "none"), ("stroke", "#999")];
    svg.element(
        "path",
        &[
            ("d", format!("M{middle} {} V{}", number(HEADING + height), number(end)).as_str()),
            thin[0],
            thin[1],
        ],
    );
    let top = number(HEADING);
    let frame = [("x", x.as_str()), ("y", &top), ("width", &width), ("height", &tall), ("rx", "4")];
    svg.element("rect", &[&frame[..], &[("fill", "white"), ("stroke", "black")]].concat());
    let line = format!("M{x} {} h{width}", number(HEADING + head));
    svg.element("path", &[("d", &line), ("fill", "none"), ("stroke", "black")]);
    texts(svg, &column.name, column.middle, HEADING + INSIDE / 2.0, "middle", "bold");
    texts(svg, &column.variables, column.middle, HEADING + head + INSIDE / 2.0, "middle", "normal");
}

fn row(svg: &mut Svg, meeting: &Meeting, columns: &[Column], y: f64) {
    let places: Vec<(f64, bool)> = meeting
        .participants
        .iter()
        .filter_map(|(p, writes)| Some((columns.get(*p)?.middle, *writes)))
        .collect();
    let first = places.iter().map(|place| place.0).fold(f64::INFINITY, f64::min);
    let last = places.iter().map(|place| place.0).fold(f64::NEG_INFINITY, f64::max);
    let height = number(y);
    if first < last {
        let line = format!("M{} {height} H{}", number(first), number(last));
        svg.element("path", &[("d", &line), ("fill", "none"), ("stroke", "black"), ("stroke-width", "1.5")]);
    }
    for (x, writes) in places {
        let fill = if writes { "black" } else { "white" };
        let (x, r) = (number(x), number(DOT));
        svg.element("circle", &[("cx", &x), ("cy", &height), ("r", &r), ("fill", fill), ("stroke", "black")]);
    }
}

fn texts(svg: &mut Svg, lines: &[String], x: f64, top: f64, anchor: &str, weight: &str) {
    for (at, line) in lines.iter().enumerate() {
        let (x, y) = (number(x), number(top + at as f64 * text::LINE + text::SIZE));
        svg.text("text", &[("x", &x), ("y", &y), ("text-anchor", anchor), ("font-weight", weight)], line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dot_for_each_participant_and_no_markup() {
        let process =
            |name: &str| NetworkProcess { name: name.to_string(), variables: vec!["x".to_string()] };
        let meeting = |participants: &[(usize, bool)]| Meeting {
            participants: participants.to_vec(),
            steps: 2,
            names: vec!["send <a>".to_string()],
        };
        let network = Network {
            processes: vec![process("A"), process("B & C"), process("D")],
            meetings: vec![meeting(&[(0, true)]), meeting(&[(0, true), (2, false)])],
            remarks: vec![],
        };
        let text = document("t", &network);
        assert_eq!(text.matches("<circle").count(), 3);
        assert_eq!(text.matches("fill=\"white\" stroke=\"black\"/>").count(), 4, "boxes and one empty dot");
        assert!(text.contains("2 steps: send &lt;a&gt;") && text.contains("B &amp; C"));
        assert!(document("t", &Network::default()).ends_with("</svg>\n"));
    }
}
