//! What all plots have around them: the document with its text alternative, title, legend, axes and notes.
//!
//! Everything is drawn with attributes on white paper, so a file looks the same wherever it is shown, on a dark page as well. Whoever puts
//! the drawing into a page may give its classes other colours: `sc-paper`, `sc-ink`, `sc-faint`, `sc-rule`.

use super::data::Caption;
use super::scale::{Scale, place};
use crate::svg::Svg;

pub(super) const WIDTH: f64 = 720.0;
pub(super) const INK: &str = "#1a1a1a";
pub(super) const FAINT: &str = "#5c6570";
const RULE: &str = "#dfe3e8";
const FONT: &str = "system-ui, 'Segoe UI', 'Helvetica Neue', 'DejaVu Sans', sans-serif";
/// Longer texts are cut; the whole text is in a title.
const LONGEST: usize = 84;
/// Characters in a line of a note.
const NOTE: usize = 112;
const RIGHT: f64 = 22.0;
const LINE: f64 = 16.0;

/// Draws a sign around a point.
type Sign<'s> = dyn Fn(&mut Svg, f64, f64) + 's;

/// An entry of a legend: its sign and its words.
pub(super) struct Entry<'e> {
    pub draw: Box<Sign<'e>>,
    pub words: String,
}

/// Room around the area of a plot.
pub(super) struct Room<'r> {
    pub caption: &'r Caption,
    /// What is read to people who do not see the picture.
    pub described: &'r str,
    /// The name of the kind of plot.
    pub kind: &'r str,
    /// The height of the area.
    pub height: f64,
    /// The longest text beside the axis to the left, in characters.
    pub ticks: usize,
    /// Whether something stands left of these.
    pub y_label: bool,
    /// Room to the right of the area beyond the usual.
    pub right: f64,
    /// Room below the area beyond the usual.
    pub below: f64,
    pub legend: Vec<Entry<'r>>,
}

/// A drawing and the area of its plot.
pub(super) struct Frame {
    pub svg: Svg,
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

impl Frame {
    /// Everything that comes before the plot itself.
    pub fn open(room: &Room<'_>) -> Frame {
        let left = 16.0 + text_width(room.ticks.min(24), 12.0) + if room.y_label { 22.0 } else { 0.0 };
        let (left, right) = (left.max(30.0), WIDTH - RIGHT - room.right);
        let title = lines(&room.caption.title, 78);
        let legend_top = 14.0 + 20.0 * title.len() as f64;
        let entries = arranged(&room.legend, left, WIDTH - RIGHT);
        let legend_rows = entries.last().map_or(0, |(_, row)| row + 1);
        let top = legend_top + 18.0 * legend_rows as f64 + 14.0;
        let bottom = top + room.height;
        let notes: Vec<String> = room.caption.notes.iter().flat_map(|note| lines(note, NOTE)).collect();
        let below = if notes.is_empty() { 50.0 } else { 62.0 } + room.below;
        let height = bottom + below + if notes.is_empty() { 0.0 } else { LINE * notes.len() as f64 + 4.0 };
        let mut svg = Svg::default();
        let (wide, high) = (place(WIDTH), place(height));
        let view_box = format!("0 0 {wide} {high}");
        let label = match room.caption.title.as_str() {
            "" => room.described.to_string(),
            title => format!("{title}. {}", room.described),
        };
        svg.open(
            "svg",
            &[
                ("xmlns", "http://www.w3.org/2000/svg"),
                ("width", &wide),
                ("height", &high),
                ("viewBox", &view_box),
                ("role", "img"),
                ("aria-label", &label),
                ("class", "sc-plot sc-ink"),
                ("data-plot", room.kind),
                ("font-family", FONT),
                ("font-size", "12"),
                ("fill", INK),
            ],
        );
        let heading = if room.caption.title.is_empty() { room.described } else { &room.caption.title };
        svg.text("title", &[], heading);
        svg.text("desc", &[], room.described);
        svg.element(
            "rect",
            &[("class", "sc-paper"), ("width", &wide), ("height", &high), ("rx", "6"), ("fill", "#ffffff")],
        );
        for (at, line) in title.iter().enumerate() {
            let y = place(26.0 + 20.0 * at as f64);
            svg.text("text", &[("x", "16"), ("y", &y), ("font-size", "15"), ("font-weight", "600")], line);
        }
        for (entry, (x, row)) in room.legend.iter().zip(entries) {
            let y = legend_top + 12.0 + 18.0 * row as f64;
            svg.open("g", &[("class", "sc-legend")]);
            (entry.draw)(&mut svg, x + 9.0, y);
            svg.text("text", &[("x", &*place(x + 24.0)), ("y", &*place(y + 4.0))], &cut(&entry.words, 40));
            svg.close();
        }
        for (at, line) in notes.iter().enumerate() {
            let y = place(bottom + below + LINE * at as f64 + 2.0);
            svg.text(
                "text",
                &[("x", "16"), ("y", &y), ("font-size", "11"), ("class", "sc-faint"), ("fill", FAINT)],
                line,
            );
        }
        Frame { svg, left, right, top, bottom }
    }

    /// The document.
    pub fn finish(self) -> String {
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}", self.svg.finish())
    }

    /// The name of the axis below.
    pub fn name_x(&mut self, label: &str, below: f64) {
        let (x, y) = (place((self.left + self.right) / 2.0), place(self.bottom + below));
        self.svg.text("text", &[("x", &x), ("y", &y), ("text-anchor", "middle")], &cut(label, LONGEST));
    }

    /// The name of the axis to the left, from bottom to top.
    pub fn name_y(&mut self, label: &str) {
        let middle = (self.top + self.bottom) / 2.0;
        // As many characters as there is room for.
        let most = ((self.bottom - self.top) / text_width(1, 12.0)) as usize;
        let turn = format!("translate(20 {}) rotate(-90)", place(middle));
        self.svg.text("text", &[("transform", &turn), ("text-anchor", "middle")], &cut(label, most.max(8)));
    }

    /// Ticks and lines across, from the scale upwards.
    pub fn ticks_y(&mut self, scale: &Scale, wanted: usize) {
        for (value, words) in scale.ticks(wanted) {
            let y = scale.at(value);
            line(&mut self.svg, (self.left, y), (self.right, y), &[("class", "sc-rule"), ("stroke", RULE)]);
            self.tick_y(y, &words);
        }
    }

    /// Text beside the axis to the left.
    pub fn tick_y(&mut self, y: f64, words: &str) {
        let (x, y) = (place(self.left - 7.0), place(y + 4.0));
        let at = [("x", &*x), ("y", &*y), ("text-anchor", "end"), ("class", "sc-faint"), ("fill", FAINT)];
        self.svg.text("text", &at, &cut(words, 24));
    }

    /// Text below the axis.
    pub fn tick_x(&mut self, x: f64, words: &str) {
        let (x, y) = (place(x), place(self.bottom + 18.0));
        let at = [("x", &*x), ("y", &*y), ("text-anchor", "middle"), ("class", "sc-faint"), ("fill", FAINT)];
        self.svg.text("text", &at, words);
    }

    /// The same with a mark on the axis, where the axis is a scale and not a list.
    pub fn marked_tick_x(&mut self, x: f64, words: &str) {
        let style = [("class", "sc-axis"), ("stroke", FAINT)];
        line(&mut self.svg, (x, self.bottom), (x, self.bottom + 4.0), &style);
        self.tick_x(x, words);
    }

    /// The two lines that the numbers stand at.
    pub fn axes(&mut self) {
        let style = [("class", "sc-axis"), ("stroke", FAINT)];
        line(&mut self.svg, (self.left, self.bottom), (self.right, self.bottom), &style);
        line(&mut self.svg, (self.left, self.top), (self.left, self.bottom), &style);
    }
}

/// Where the entries of a legend are: the place to the right, and the row.
fn arranged(legend: &[Entry<'_>], left: f64, right: f64) -> Vec<(f64, usize)> {
    let (mut x, mut row) = (left, 0);
    let mut places = vec![];
    for entry in legend {
        let wide = 24.0 + text_width(entry.words.chars().count().min(40), 12.0) + 16.0;
        if x > left && x + wide > right {
            (x, row) = (left, row + 1);
        }
        places.push((x, row));
        x += wide;
    }
    places
}

/// A line between two points.
pub(super) fn line(svg: &mut Svg, from: (f64, f64), to: (f64, f64), more: &[(&str, &str)]) {
    let (x1, y1, x2, y2) = (place(from.0), place(from.1), place(to.0), place(to.1));
    let mut all: Vec<(&str, &str)> = vec![("x1", &x1), ("y1", &y1), ("x2", &x2), ("y2", &y2)];
    all.extend_from_slice(more);
    svg.element("line", &all);
}

/// A rectangle with this corner and these sides.
pub(super) fn rectangle(svg: &mut Svg, at: (f64, f64), size: (f64, f64), more: &[(&str, &str)]) {
    let (x, y, wide, high) = (place(at.0), place(at.1), place(size.0), place(size.1));
    let mut all: Vec<(&str, &str)> = vec![("x", &x), ("y", &y), ("width", &wide), ("height", &high)];
    all.extend_from_slice(more);
    svg.element("rect", &all);
}

/// The width of so many characters of a size, a little too much rather than too little.
pub(super) fn text_width(characters: usize, size: f64) -> f64 {
    characters as f64 * size * 0.56
}

/// The beginning of a long text.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_string();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// A text in lines of at most so many characters.
fn lines(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(cut(word, most)),
        }
    }
    lines
}
