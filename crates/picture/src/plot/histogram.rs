//! How values are distributed: a bar for each bin, and lines at marked values. The area of a bar is what is compared, so bins of
//! different width are drawn by density.

use super::colour::LINES;
use super::data::{Axis, Bin, HistogramPlot};
use super::frame::{Entry, Frame, Room, line, rectangle};
use super::scale::{Scale, place, shown};
use crate::svg::Svg;

const HEIGHT: f64 = 280.0;
/// Colours of marks; the first one is that of the bars.
const MARKS: [&str; 4] = ["#d55e00", "#009e73", "#cc79a7", "#7a7a7a"];
const DASHES: [&str; 4] = ["none", "6 3", "2 3", "9 3 2 3"];

pub(super) fn draw(plot: &HistogramPlot) -> String {
    let is_good = |bin: &&Bin| bin.from.is_finite() && bin.to.is_finite() && bin.from <= bin.to;
    let bins: Vec<&Bin> = plot.bins.iter().filter(is_good).collect();
    let total: u64 = bins.iter().fold(0, |sum, bin| sum.saturating_add(bin.count));
    // Widths that differ only by rounding are the same.
    let widest = bins.iter().map(|bin| bin.to - bin.from).fold(0.0, f64::max);
    let is_even = bins.iter().all(|bin| widest - (bin.to - bin.from) <= widest * 1e-6);
    let height = |bin: &Bin| match (bin.count as f64 / (total.max(1)) as f64, bin.to - bin.from) {
        (share, _) if is_even => share,
        (_, wide) if wide <= 0.0 => 0.0,
        (share, wide) => share / wide,
    };
    let axis = Axis { low: Some(0.0), ..Axis::default() };
    let heights = || bins.iter().map(|bin| height(bin));
    let y_scale = |bottom, top| Scale::new(&axis, heights(), (bottom, top)).rounded(&axis, 5);
    let ticks = y_scale(0.0, 1.0).ticks(5).iter().map(|(_, words)| words.chars().count()).max().unwrap_or(1);
    let mut caption = plot.caption.clone();
    if plot.x.log && bins.iter().any(|bin| bin.from <= 0.0) {
        caption.notes.push(
            "The first bin begins at or below 0, which a logarithmic axis has no place for.".to_string(),
        );
    }
    let y_label = if is_even { "share of the values" } else { "share per unit" };
    let described = format!("A histogram of {total} values in {} bins.", bins.len());
    let legend =
        plot.marks.iter().enumerate().filter(|(_, mark)| mark.value.is_finite()).map(|(at, mark)| Entry {
            draw: Box::new(move |svg: &mut Svg, x, y| mark_line(svg, at, (x, y - 8.0), (x, y + 8.0))),
            words: format!("{} {}", mark.label, shown(mark.value)),
        });
    let room = Room {
        caption: &caption,
        described: &described,
        kind: "histogram",
        height: HEIGHT,
        ticks,
        y_label: true,
        right: 0.0,
        below: 0.0,
        legend: legend.collect(),
    };
    let mut frame = Frame::open(&room);
    let y = y_scale(frame.bottom, frame.top);
    let marks = plot.marks.iter().map(|mark| mark.value).filter(|value| value.is_finite());
    let ends = bins.iter().flat_map(|bin| [bin.from, bin.to]).chain(marks);
    let x = Scale::new(&plot.x, ends, (frame.left, frame.right)).padded(0.02);
    frame.ticks_y(&y, 5);
    for (value, words) in x.ticks(8) {
        frame.marked_tick_x(x.at(value), &words);
    }
    frame.name_x(&plot.x.label, 38.0);
    frame.name_y(y_label);
    for (at, bin) in bins.iter().enumerate() {
        let (left, right, top) = (x.at(bin.from), x.at(bin.to), y.at(height(bin)));
        frame.svg.open("g", &[("class", "sc-bin sc-mark"), ("data-count", &bin.count.to_string())]);
        frame.svg.text("title", &[], &tip(bin, at + 1 == bins.len(), total));
        // What can be pointed at is as high as the area.
        rectangle(
            &mut frame.svg,
            (left, frame.top),
            (right - left, frame.bottom - frame.top),
            &[("fill", "none"), ("pointer-events", "all")],
        );
        let gap = if right - left > 4.0 { 1.0 } else { 0.0 };
        rectangle(
            &mut frame.svg,
            (left, top),
            ((right - left - gap).max(0.5), frame.bottom - top),
            &[("class", "sc-bar"), ("fill", LINES[0])],
        );
        frame.svg.close();
    }
    frame.axes();
    for (at, mark) in plot.marks.iter().enumerate().filter(|(_, mark)| x.has(mark.value)) {
        let place = x.at(mark.value);
        mark_line(&mut frame.svg, at, (place, frame.top), (place, frame.bottom));
    }
    frame.finish()
}

fn mark_line(svg: &mut Svg, at: usize, from: (f64, f64), to: (f64, f64)) {
    // A line that is seen on the bars, too.
    line(
        svg,
        from,
        to,
        &[("stroke", "#ffffff"), ("stroke-width", "4"), ("stroke-opacity", "0.7"), ("class", "sc-halo")],
    );
    let dashes = DASHES[at % DASHES.len()];
    line(
        svg,
        from,
        to,
        &[("stroke", MARKS[at % MARKS.len()]), ("stroke-width", "2"), ("stroke-dasharray", dashes)],
    );
}

/// What a bar says when it is pointed at.
pub(super) fn tip(bin: &Bin, is_last: bool, total: u64) -> String {
    let end = if is_last { "]" } else { ")" };
    let share = bin.count as f64 / total.max(1) as f64 * 100.0;
    format!(
        "[{}, {}{end}: {} of {total} values ({} %)",
        shown(bin.from),
        shown(bin.to),
        bin.count,
        place(share)
    )
}
