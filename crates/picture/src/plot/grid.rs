//! Heat maps and phase diagrams: a cell for each pair of two parameters.

use super::colour;
use super::curve::interval;
use super::data::{Caption, Grid, HeatCell, HeatPlot, PhasePlot, PhaseVerdict};
use super::frame::{Entry, FAINT, Frame, Room, cut, line, rectangle, text_width};
use super::scale::{Scale, place, shown};
use crate::svg::Svg;

/// The usual height of a cell, and the heights that an area has.
const CELL: f64 = 44.0;
const LEAST: f64 = 44.0;
const MOST: f64 = 420.0;

/// Where cells are.
struct Cells<'g> {
    grid: &'g Grid,
    left: f64,
    bottom: f64,
    size: (f64, f64),
}

impl<'g> Cells<'g> {
    fn new(grid: &'g Grid, frame: &Frame) -> Cells<'g> {
        let size = (
            (frame.right - frame.left) / grid.columns.len().max(1) as f64,
            (frame.bottom - frame.top) / grid.rows.len().max(1) as f64,
        );
        Cells { grid, left: frame.left, bottom: frame.bottom, size }
    }

    fn height(grid: &Grid) -> f64 {
        (grid.rows.len() as f64 * CELL).clamp(LEAST, MOST)
    }

    /// The upper left corner.
    fn corner(&self, column: usize, row: usize) -> (f64, f64) {
        (self.left + self.size.0 * column as f64, self.bottom - self.size.1 * (row + 1) as f64)
    }

    fn middle(&self, column: usize, row: usize) -> (f64, f64) {
        let (x, y) = self.corner(column, row);
        (x + self.size.0 / 2.0, y + self.size.1 / 2.0)
    }

    fn has(&self, column: usize, row: usize) -> bool {
        column < self.grid.columns.len() && row < self.grid.rows.len()
    }

    /// The values of the parameters, as many as there is room for.
    fn labels(&self, frame: &mut Frame) {
        let longest = self.grid.columns.iter().map(|text| text.chars().count()).max().unwrap_or(0).min(16);
        let every = (((text_width(longest, 12.0) + 6.0) / self.size.0).ceil() as usize).max(1);
        for (at, words) in self.grid.columns.iter().enumerate().step_by(every) {
            frame.tick_x(self.middle(at, 0).0, &cut(words, 16));
        }
        let every = ((15.0 / self.size.1).ceil() as usize).max(1);
        for (at, words) in self.grid.rows.iter().enumerate().step_by(every) {
            frame.tick_y(self.middle(0, at).1, words);
        }
        frame.name_x(&self.grid.x, 38.0);
        frame.name_y(&self.grid.y);
    }

    /// The place in words.
    fn at(&self, column: usize, row: usize) -> String {
        at(self.grid, column, row)
    }
}

/// A place of a grid in words.
pub(super) fn at(grid: &Grid, column: usize, row: usize) -> String {
    let value = |values: &[String], at: usize| values.get(at).cloned().unwrap_or_default();
    let (x, y) = (value(&grid.columns, column), value(&grid.rows, row));
    let of = |name: &str, value: &str| {
        if name.is_empty() { value.to_string() } else { format!("{name} = {value}") }
    };
    if y.is_empty() { of(&grid.x, &x) } else { format!("{}, {}", of(&grid.x, &x), of(&grid.y, &y)) }
}

fn room<'r>(
    caption: &'r Caption,
    grid: &Grid,
    kind: &'r str,
    described: &'r str,
    legend: Vec<Entry<'r>>,
) -> Room<'r> {
    Room {
        caption,
        described,
        kind,
        height: Cells::height(grid),
        ticks: grid.rows.iter().map(|text| text.chars().count()).max().unwrap_or(0),
        y_label: !grid.y.is_empty(),
        right: 0.0,
        below: 0.0,
        legend,
    }
}

pub(super) fn heat(plot: &HeatPlot) -> String {
    let described = format!(
        "A heat map{} over {} and {}: {} columns, {} rows.",
        if plot.value.label.is_empty() { String::new() } else { format!(" of {}", plot.value.label) },
        named(&plot.grid.x, "x"),
        named(&plot.grid.y, "y"),
        plot.grid.columns.len(),
        plot.grid.rows.len()
    );
    let mut caption = plot.caption.clone();
    let is_lost =
        |cell: &&HeatCell| !cell.infinite && cell.value.is_none_or(|value| plot.value.log && value <= 0.0);
    let lost = plot.cells.iter().filter(is_lost).count();
    if lost > 0 {
        let cells = if lost == 1 { "1 cell has".to_string() } else { format!("{lost} cells have") };
        caption.notes.push(format!("{cells} no value that can be shown: a dash."));
    }
    let is_whole = plot.cells.iter().filter_map(|cell| cell.value).all(|value| value.fract() == 0.0);
    let mut room = room(&caption, &plot.grid, "heat", &described, vec![]);
    room.right = 92.0;
    room.height = room.height.max(170.0);
    let mut frame = Frame::open(&room);
    let values = plot.cells.iter().filter_map(|cell| cell.value);
    let scale = Scale::new(&plot.value, values, (0.0, 1.0));
    let cells = Cells::new(&plot.grid, &frame);
    cells.labels(&mut frame);
    let written = cells.size.0 >= 38.0 && cells.size.1 >= 16.0;
    for cell in plot.cells.iter().filter(|cell| cells.has(cell.column, cell.row)) {
        let (corner, middle) = (cells.corner(cell.column, cell.row), cells.middle(cell.column, cell.row));
        let value = cell.value.filter(|value| scale.has(*value));
        let words = match cell.value.filter(|_| !cell.infinite) {
            Some(value) => format!("{}{}", shown(value), interval(cell.low, cell.high)),
            None if cell.infinite => "infinite".to_string(),
            None => format!("no value{}", interval(cell.low, cell.high)),
        };
        let tip = format!("{}: {}{words}", cells.at(cell.column, cell.row), equals(&plot.value.label));
        frame.svg.open(
            "g",
            &[
                ("class", "sc-cell sc-mark"),
                ("data-column", &cell.column.to_string()),
                ("data-row", &cell.row.to_string()),
            ],
        );
        frame.svg.text("title", &[], &tip);
        let fill = value.map(|value| colour::heat(scale.at(value)));
        let hex = fill.map_or("none".to_string(), colour::hex);
        let style = [
            ("fill", &*hex),
            ("stroke", "#ffffff"),
            ("stroke-width", "1"),
            ("class", if fill.is_some() { "sc-edge" } else { "sc-edge sc-none" }),
            ("pointer-events", "all"),
        ];
        rectangle(&mut frame.svg, corner, cells.size, &style);
        let (text, ink) = match (value, fill) {
            (Some(value), Some(fill)) => (short(value, is_whole), colour::ink_on(fill)),
            _ => (if cell.infinite { "∞" } else { "–" }.to_string(), FAINT),
        };
        if written || fill.is_none() {
            let (x, y) = (place(middle.0), place(middle.1 + 4.0));
            let style =
                [("x", &*x), ("y", &*y), ("text-anchor", "middle"), ("font-size", "11"), ("fill", ink)];
            frame.svg.text("text", &style, &text);
        }
        frame.svg.close();
    }
    bar(&mut frame, &scale, &plot.value.label);
    frame.finish()
}

/// `name = `, if there is a name.
fn equals(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!("{name} = ") }
}

fn named<'n>(name: &'n str, otherwise: &'n str) -> &'n str {
    if name.is_empty() { otherwise } else { name }
}

/// A value inside of a cell.
fn short(value: f64, is_whole: bool) -> String {
    match value.abs() {
        v if v != 0.0 && !(0.001..1e5).contains(&v) => format!("{value:.0e}").replace('-', "−"),
        v if v >= 100.0 || is_whole || v == 0.0 => format!("{value:.0}").replace('-', "−"),
        v if v >= 10.0 => format!("{value:.1}").replace('-', "−"),
        v if v >= 0.1 => format!("{value:.2}").replace('-', "−"),
        _ => format!("{value:.3}").replace('-', "−"),
    }
}

/// The scale of colours, from bottom to top.
fn bar(frame: &mut Frame, scale: &Scale, label: &str) {
    const STRIPES: usize = 48;
    let (left, wide) = (frame.right + 18.0, 14.0);
    let high = frame.bottom - frame.top;
    frame.svg.open("g", &[("class", "sc-scale")]);
    for stripe in 0..STRIPES {
        let share = (stripe as f64 + 0.5) / STRIPES as f64;
        let fill = colour::hex(colour::heat(share));
        let y = frame.bottom - high * (stripe + 1) as f64 / STRIPES as f64;
        // A little over the next one, so that there is no seam.
        rectangle(&mut frame.svg, (left, y), (wide, high / STRIPES as f64 + 0.6), &[("fill", &fill)]);
    }
    for (value, words) in scale.ticks(5) {
        let y = frame.bottom - high * scale.at(value);
        line(
            &mut frame.svg,
            (left + wide, y),
            (left + wide + 4.0, y),
            &[("class", "sc-axis"), ("stroke", FAINT)],
        );
        let (x, y) = (place(left + wide + 8.0), place(y + 4.0));
        frame.svg.text("text", &[("x", &*x), ("y", &*y), ("class", "sc-faint"), ("fill", FAINT)], &words);
    }
    if !label.is_empty() {
        let turn = format!(
            "translate({} {}) rotate(-90)",
            place(frame.right + 106.0),
            place((frame.top + frame.bottom) / 2.0)
        );
        let most = (high / text_width(1, 12.0)) as usize;
        frame.svg.text("text", &[("transform", &turn), ("text-anchor", "middle")], &cut(label, most.max(8)));
    }
    frame.svg.close();
}

pub(super) fn phase(plot: &PhasePlot) -> String {
    let count = |verdict: PhaseVerdict| plot.cells.iter().filter(|cell| cell.verdict == verdict).count();
    let seen: Vec<PhaseVerdict> =
        PhaseVerdict::ALL.into_iter().filter(|verdict| count(*verdict) > 0).collect();
    let counts: Vec<String> =
        seen.iter().map(|verdict| format!("{} {}", count(*verdict), verdict.word())).collect();
    let over = if plot.grid.y.is_empty() { String::new() } else { format!(" and {}", plot.grid.y) };
    let described =
        format!("A phase diagram over {}{over}: {}.", named(&plot.grid.x, "x"), counts.join(", "));
    let legend = seen.iter().map(|verdict| Entry {
        draw: Box::new(move |svg: &mut Svg, x, y| {
            let fill = colour::hex(colour::verdict(*verdict));
            rectangle(svg, (x - 8.0, y - 8.0), (16.0, 16.0), &[("fill", &fill), ("rx", "2")]);
            sign(svg, *verdict, (x, y), 5.0);
        }),
        words: format!("{} ({})", verdict.word(), count(*verdict)),
    });
    let room = room(&plot.caption, &plot.grid, "phase", &described, legend.collect());
    let mut frame = Frame::open(&room);
    let cells = Cells::new(&plot.grid, &frame);
    cells.labels(&mut frame);
    let r = (cells.size.0.min(cells.size.1) * 0.28).clamp(2.0, 9.0);
    for cell in plot.cells.iter().filter(|cell| cells.has(cell.column, cell.row)) {
        let (corner, middle) = (cells.corner(cell.column, cell.row), cells.middle(cell.column, cell.row));
        let note = if cell.note.is_empty() { String::new() } else { format!(" ({})", cell.note) };
        let tip = format!("{}: {}{note}", cells.at(cell.column, cell.row), cell.verdict.word());
        frame.svg.open(
            "g",
            &[
                ("class", "sc-cell sc-mark"),
                ("data-verdict", cell.verdict.word()),
                ("data-column", &cell.column.to_string()),
                ("data-row", &cell.row.to_string()),
            ],
        );
        frame.svg.text("title", &[], &tip);
        let fill = colour::hex(colour::verdict(cell.verdict));
        let style = [("fill", &*fill), ("stroke", "#ffffff"), ("stroke-width", "1"), ("class", "sc-edge")];
        rectangle(&mut frame.svg, corner, cells.size, &style);
        sign(&mut frame.svg, cell.verdict, middle, r);
        frame.svg.close();
    }
    frame.finish()
}

/// A tick, a cross, a question mark, an exclamation mark, or two halves.
fn sign(svg: &mut Svg, verdict: PhaseVerdict, (x, y): (f64, f64), r: f64) {
    let ink = colour::ink_on(colour::verdict(verdict));
    let wide = place((r * 0.36).max(1.2));
    let stroke = [("stroke", ink), ("stroke-width", &*wide), ("fill", "none"), ("stroke-linecap", "round")];
    let drawn = |svg: &mut Svg, points: &str| {
        let mut all = vec![("d", points)];
        all.extend(stroke);
        svg.element("path", &all);
    };
    let at = |dx: f64, dy: f64| format!("{} {}", place(x + dx * r), place(y + dy * r));
    match verdict {
        PhaseVerdict::Holds => {
            drawn(svg, &format!("M{}L{}L{}", at(-0.8, 0.05), at(-0.2, 0.65), at(0.85, -0.65)));
        }
        PhaseVerdict::Violated => {
            drawn(svg, &format!("M{}L{}M{}L{}", at(-0.7, -0.7), at(0.7, 0.7), at(-0.7, 0.7), at(0.7, -0.7)));
        }
        PhaseVerdict::Mixed => {
            drawn(
                svg,
                &format!("M{}L{}M{}L{}", at(-0.8, -0.35), at(0.8, -0.35), at(-0.8, 0.35), at(0.8, 0.35)),
            );
            drawn(svg, &format!("M{}L{}", at(0.45, -0.85), at(-0.45, 0.85)));
        }
        PhaseVerdict::Unknown | PhaseVerdict::Failed => {
            let size = place(r * 2.3);
            let (x, y) = (place(x), place(y + r * 0.82));
            let style = [
                ("x", &*x),
                ("y", &*y),
                ("font-size", &*size),
                ("font-weight", "700"),
                ("text-anchor", "middle"),
                ("fill", ink),
            ];
            svg.text("text", &style, if verdict == PhaseVerdict::Unknown { "?" } else { "!" });
        }
    }
}
