//! A trace as a sequence chart, for papers: a lifeline for each agent, a row for each step, an arrow for each message (ITU-T Z.120,
//! basic message sequence charts). A message that changes nothing at its receiver is dashed. Runs of steps may be folded.
//!
//! Everything is drawn with attributes, not with a style sheet, so that the file looks the same in a page that forbids styles.

mod fold;

use crate::data::{Arrow, Picture, Row};
use crate::svg::Svg;
use fold::{Item, items};

/// What is drawn of a trace.
#[derive(Clone, Debug, Default)]
pub struct ChartOptions {
    /// The title, which is also read to people who do not see the chart.
    pub title: String,
    /// The execution repeats for ever from the state after this many steps.
    pub loop_start: Option<usize>,
    /// Only these steps, the first and the last, from 1.
    pub steps: Option<(usize, usize)>,
    /// Runs of steps that do not matter, or that are made by the same agents, become one row.
    pub fold: bool,
}

const ROW: f64 = 38.0;
const TOP: f64 = 58.0;
const LEFT: f64 = 74.0;
const HEADER: f64 = 24.0;
/// The width of a character in the fonts that are asked for, at 11 pixels; a little too much rather than too little.
const CHARACTER: f64 = 6.7;
/// Longer texts are cut; the whole text is in the title of its element.
const LONGEST: usize = 56;
const FONT: &str = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
const INK: &str = "#1a1a1a";
const FAINT: &str = "#767676";
const BLUE: &str = "#0b5394";

/// The chart as an SVG document.
pub fn chart(picture: &Picture, options: &ChartOptions) -> String {
    let items = items(picture, options);
    let columns = Columns::new(picture);
    let height = TOP + HEADER + ROW * items.len() as f64 + 24.0;
    let width = items.iter().map(|item| columns.extent(item)).fold(columns.right(), f64::max) + 16.0;
    let mut svg = Svg::default();
    let (shown_width, shown_height) = (number(width), number(height));
    let view_box = format!("0 0 {shown_width} {shown_height}");
    svg.open(
        "svg",
        &[
            ("xmlns", "http://www.w3.org/2000/svg"),
            ("width", &shown_width),
            ("height", &shown_height),
            ("viewBox", &view_box),
            ("role", "img"),
            ("data-view", "chart"),
            ("font-family", FONT),
            ("font-size", "11"),
            ("fill", INK),
        ],
    );
    svg.text("title", &[], &options.title);
    svg.text("desc", &[], &described(picture));
    svg.element("rect", &[("width", &shown_width), ("height", &shown_height), ("fill", "#ffffff")]);
    svg.text(
        "text",
        &[("x", "12"), ("y", "22"), ("font-size", "13"), ("font-weight", "bold")],
        &options.title,
    );
    let bottom = TOP + HEADER + ROW * items.len() as f64 + 8.0;
    columns.draw(picture, bottom, &mut svg);
    for (place, item) in items.iter().enumerate() {
        let y = TOP + HEADER + ROW * (place as f64 + 0.5) + 6.0;
        match item {
            Item::Row(step, row) => draw_row(&columns, *step, row, y, &mut svg),
            Item::Folded { words, first, last } => {
                let (first, last) = (first.to_string(), last.to_string());
                let attributes =
                    [("class", "sc-fold"), ("data-from", first.as_str()), ("data-to", last.as_str())];
                svg.open("g", &attributes);
                let at = [("x", "78"), ("y", &*number(y + 4.0)), ("fill", FAINT), ("font-style", "italic")];
                svg.text("text", &at, words);
                svg.close();
            }
        }
    }
    draw_loop(&items, options, &mut svg);
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}", svg.finish())
}

fn described(picture: &Picture) -> String {
    let messages: usize = picture.chart.iter().map(|row| row.arrows.len()).sum();
    let (agents, steps) = (picture.agents.len(), picture.chart.len());
    format!("A sequence chart: {agents} lifelines, {steps} steps, {messages} arrows.")
}

/// Where lifelines are.
struct Columns {
    /// The number of each agent and the place of its lifeline.
    places: Vec<(u32, f64)>,
}

impl Columns {
    fn new(picture: &Picture) -> Columns {
        let widest =
            picture.agents.iter().map(|agent| agent.name.chars().count().min(LONGEST)).max().unwrap_or(0);
        let column = (widest as f64 * CHARACTER + 30.0).max(110.0);
        let place = |at: usize| LEFT + column * (at as f64 + 0.5);
        Columns {
            places: picture.agents.iter().enumerate().map(|(at, one)| (one.agent, place(at))).collect(),
        }
    }

    fn of(&self, agent: u32) -> Option<f64> {
        // Agents are numbered from 0, so most are found where they should be.
        let direct = self.places.get(agent as usize).filter(|(number, _)| *number == agent);
        direct.or_else(|| self.places.iter().find(|(number, _)| *number == agent)).map(|(_, x)| *x)
    }

    fn right(&self) -> f64 {
        let half = match self.places[..] {
            [(_, one), (_, other), ..] => (other - one) / 2.0,
            _ => 60.0,
        };
        self.places.last().map_or(LEFT, |(_, x)| x + half)
    }

    /// How far to the right an item goes.
    fn extent(&self, item: &Item<'_>) -> f64 {
        match item {
            Item::Folded { words, .. } => 78.0 + words.chars().count() as f64 * CHARACTER,
            Item::Row(_, row) => {
                row.agent.and_then(|agent| self.of(agent)).unwrap_or(LEFT) + 14.0 + width(&row.label)
            }
        }
    }

    fn draw(&self, picture: &Picture, bottom: f64, svg: &mut Svg) {
        for (agent, (number, x)) in picture.agents.iter().zip(&self.places) {
            let id = number.to_string();
            svg.open("g", &[("class", "sc-lifeline"), ("data-agent", &id)]);
            let text = cut(&agent.name);
            let half = text.chars().count() as f64 * CHARACTER / 2.0 + 8.0;
            line(svg, (*x, TOP + HEADER), (*x, bottom), &[("stroke", "#b0b0b0"), ("stroke-width", "1")]);
            svg.element(
                "rect",
                &[
                    ("x", &*self::number(x - half)),
                    ("y", &*self::number(TOP)),
                    ("width", &*self::number(half * 2.0)),
                    ("height", &*self::number(HEADER)),
                    ("rx", "3"),
                    ("fill", "#f2f2f2"),
                    ("stroke", INK),
                ],
            );
            let place =
                [("x", &*self::number(*x)), ("y", &*self::number(TOP + 16.0)), ("text-anchor", "middle")];
            svg.text("text", &place, &text);
            svg.close();
        }
    }
}

fn draw_row(columns: &Columns, step: usize, row: &Row, y: f64, svg: &mut Svg) {
    let name = step.to_string();
    svg.open("g", &[("class", "sc-row"), ("data-step", &name), ("data-kind", &row.kind)]);
    svg.text("title", &[], &row.label);
    let place = [("x", "44"), ("y", &*number(y + 4.0)), ("text-anchor", "end"), ("fill", FAINT)];
    svg.text("text", &place, &name);
    for arrow in &row.arrows {
        draw_arrow(columns, &name, row, arrow, y, svg);
    }
    if let Some((agent, x)) = row.agent.and_then(|agent| Some((agent, columns.of(agent)?))) {
        let id = agent.to_string();
        svg.open(
            "g",
            &[("class", "sc-action"), ("data-step", &name), ("data-agent", &id), ("data-label", &row.label)],
        );
        svg.element(
            "rect",
            &[
                ("x", &*number(x - 4.0)),
                ("y", &*number(y - 4.0)),
                ("width", "8"),
                ("height", "8"),
                ("fill", if row.arrows.is_empty() { INK } else { BLUE }),
            ],
        );
        halo(svg, (x + 9.0, y - 7.0), &[("fill", INK)], &cut(&row.label));
        svg.close();
    }
    svg.close();
}

fn draw_arrow(columns: &Columns, step: &str, row: &Row, arrow: &Arrow, y: f64, svg: &mut Svg) {
    let (Some(from), Some(to)) = (columns.of(arrow.from), columns.of(arrow.to)) else { return };
    // An answer is below the question.
    let answers =
        row.agent.is_some_and(|agent| agent != arrow.from && agent == arrow.to && row.arrows.len() > 1);
    let y = if answers { y + 9.0 } else { y };
    let class = if arrow.idle { "sc-arrow sc-idle" } else { "sc-arrow" };
    let (sender, receiver) = (arrow.from.to_string(), arrow.to.to_string());
    svg.open(
        "g",
        &[
            ("class", class),
            ("data-step", step),
            ("data-from", &sender),
            ("data-to", &receiver),
            ("data-label", &row.label),
            ("data-effect", &arrow.effect),
        ],
    );
    let colour = if arrow.idle { FAINT } else { BLUE };
    let towards = if to >= from { -1.0 } else { 1.0 };
    let mut attributes = vec![("stroke", colour), ("stroke-width", "1.3")];
    if arrow.idle {
        attributes.push(("stroke-dasharray", "4 3"));
    }
    line(svg, (from, y), (to, y), &attributes);
    let back = to + towards * 8.0;
    let head = format!(
        "{},{} {},{} {},{}",
        number(to),
        number(y),
        number(back),
        number(y - 3.5),
        number(back),
        number(y + 3.5)
    );
    let fill = if arrow.idle { "#ffffff" } else { colour };
    svg.element("polygon", &[("points", &head), ("fill", fill), ("stroke", colour)]);
    if !arrow.effect.is_empty() {
        let anchor = if towards < 0.0 { "end" } else { "start" };
        // Between a question and its answer there is no room.
        let is_asked =
            !answers && row.arrows.iter().any(|other| (other.from, other.to) == (arrow.to, arrow.from));
        let at = (to + towards * 11.0, if is_asked { y - 4.0 } else { y + 11.0 });
        halo(svg, at, &[("fill", BLUE), ("font-size", "9"), ("text-anchor", anchor)], &cut(&arrow.effect));
    }
    svg.close();
}

/// A bracket around the steps that repeat.
fn draw_loop(items: &[Item<'_>], options: &ChartOptions, svg: &mut Svg) {
    let Some(start) = options.loop_start else { return };
    let inside = |item: &Item<'_>| match item {
        Item::Row(step, _) => *step > start,
        Item::Folded { first, .. } => *first > start,
    };
    let Some(first) = items.iter().position(inside) else { return };
    let top = TOP + HEADER + ROW * first as f64 + 6.0;
    let bottom = TOP + HEADER + ROW * items.len() as f64 + 2.0;
    let from = (start + 1).to_string();
    svg.open("g", &[("class", "sc-loop"), ("data-from", &from)]);
    svg.text("title", &[], &format!("The steps from {from} on repeat for ever."));
    let path = format!("M 60,{} H 54 V {} H 60", number(top), number(bottom));
    svg.element("path", &[("d", &path), ("fill", "none"), ("stroke", INK), ("stroke-width", "1.5")]);
    let place = [("x", "12"), ("y", &*number(bottom + 14.0)), ("font-style", "italic")];
    svg.text("text", &place, "and so on for ever");
    svg.close();
}

fn line(svg: &mut Svg, from: (f64, f64), to: (f64, f64), more: &[(&str, &str)]) {
    let (x1, y1, x2, y2) = (number(from.0), number(from.1), number(to.0), number(to.1));
    let mut all: Vec<(&str, &str)> = vec![("x1", &x1), ("y1", &y1), ("x2", &x2), ("y2", &y2)];
    all.extend_from_slice(more);
    svg.element("line", &all);
}

/// Text that can be read on top of lines.
fn halo(svg: &mut Svg, at: (f64, f64), more: &[(&str, &str)], text: &str) {
    let (x, y) = (number(at.0), number(at.1));
    let mut all: Vec<(&str, &str)> = vec![
        ("x", &x),
        ("y", &y),
        ("stroke", "#ffffff"),
        ("stroke-width", "3"),
        ("stroke-linejoin", "round"),
        ("paint-order", "stroke"),
    ];
    all.extend_from_slice(more);
    svg.text("text", &all, text);
}

fn width(text: &str) -> f64 {
    text.chars().count().min(LONGEST) as f64 * CHARACTER
}

/// The beginning of a long text.
fn cut(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_string();
    }
    text.chars().take(LONGEST - 1).chain(['…']).collect()
}

/// At most one digit after the point.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_string)
}

#[cfg(test)]
mod tests;
