//! Lines with confidence bands, one for each value of a third parameter. Lines differ in colour, sign and dashes.

use super::colour::LINES;
use super::data::{Axis, CurvePlot, Point, Series};
use super::frame::{Entry, Frame, Room, line};
use super::scale::{Scale, place, shown};
use crate::svg::Svg;

const HEIGHT: f64 = 300.0;
/// Lines with more points than this have no signs at them.
const MANY: usize = 60;
const DASHES: [&str; 4] = ["", "7 3", "2 3", "9 3 2 3"];

pub(super) fn draw(plot: &CurvePlot) -> String {
    let mut series: Vec<Series> = plot.series.clone();
    for one in &mut series {
        one.points.retain(|point| point.x.is_finite());
        one.points.sort_by(|a, b| a.x.total_cmp(&b.x));
    }
    let ends = |point: &Point| [point.y, point.low, point.high].into_iter().flatten();
    let all = || series.iter().flat_map(|one| &one.points);
    // The axis to the left is wide enough for its numbers, whatever the area is.
    let y_scale = |bottom, top| Scale::new(&plot.y, all().flat_map(ends), (bottom, top)).rounded(&plot.y, 6);
    let ticks = y_scale(0.0, 1.0).ticks(6).iter().map(|(_, words)| words.chars().count()).max().unwrap_or(1);
    let caption = super::Caption { notes: notes(plot, &series), ..plot.caption.clone() };
    let is_named = series.len() > 1 || series.iter().any(|one| !one.name.is_empty());
    let legend = series.iter().enumerate().filter(|_| is_named).map(|(at, one)| Entry {
        draw: Box::new(move |svg: &mut Svg, x, y| {
            let style = [("stroke", colour(at)), ("stroke-width", "2"), ("stroke-dasharray", dashes(at))];
            line(svg, (x - 9.0, y), (x + 9.0, y), &style);
            sign(svg, at, x, y, 4.0);
        }),
        words: if one.name.is_empty() { "(no name)".to_string() } else { one.name.clone() },
    });
    let described = described(plot, &series);
    let room = Room {
        caption: &caption,
        described: &described,
        kind: "curve",
        height: HEIGHT,
        ticks,
        y_label: !plot.y.label.is_empty(),
        right: 0.0,
        below: 0.0,
        legend: legend.collect(),
    };
    let mut frame = Frame::open(&room);
    let y = y_scale(frame.bottom, frame.top);
    let x = Scale::new(&plot.x, all().map(|point| point.x), (frame.left, frame.right)).padded(0.03);
    frame.ticks_y(&y, 6);
    for (value, words) in ticks_x(&x, all().map(|point| point.x).filter(|value| x.has(*value))) {
        frame.marked_tick_x(x.at(value), &words);
    }
    frame.name_x(&plot.x.label, 38.0);
    frame.name_y(&plot.y.label);
    // All bands are below all lines.
    for (at, one) in series.iter().enumerate() {
        band(&mut frame.svg, at, one, &x, &y);
    }
    frame.axes();
    for (at, one) in series.iter().enumerate() {
        draw_line(&mut frame.svg, (at, one), (&x, &y), plot);
    }
    frame.finish()
}

fn colour(at: usize) -> &'static str {
    LINES[at % LINES.len()]
}

fn dashes(at: usize) -> &'static str {
    DASHES[(at / LINES.len()) % DASHES.len()]
}

/// If there are few places, each has a tick; otherwise round numbers have.
fn ticks_x(scale: &Scale, values: impl Iterator<Item = f64>) -> Vec<(f64, String)> {
    let mut places: Vec<f64> = values.collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let texts: Vec<(f64, String)> = places.iter().map(|value| (*value, shown(*value))).collect();
    let is_free = |pair: &[(f64, String)]| {
        let half = |text: &str| super::frame::text_width(text.chars().count(), 12.0) / 2.0 + 4.0;
        scale.at(pair[1].0) - scale.at(pair[0].0) >= half(&pair[0].1) + half(&pair[1].1)
    };
    if !texts.is_empty() && texts.len() <= 12 && texts.windows(2).all(is_free) {
        texts
    } else {
        scale.ticks(8)
    }
}

/// Stretches of points that have what is asked for.
fn stretches<'p>(
    points: &'p [Point],
    has: impl Fn(&Point) -> bool + 'p,
) -> impl Iterator<Item = &'p [Point]> {
    points.split(move |point| !has(point)).filter(|points| !points.is_empty())
}

fn band(svg: &mut Svg, at: usize, series: &Series, x: &Scale, y: &Scale) {
    let has_band = |point: &Point| x.has(point.x) && (point.low.is_some() || point.high.is_some());
    for points in stretches(&series.points, has_band) {
        let high = |point: &Point| y.at(point.high.unwrap_or(y.high));
        let low = |point: &Point| y.at(point.low.unwrap_or(y.low));
        if let [point] = points {
            // A band of one point has no area.
            let place = x.at(point.x);
            let style = [("stroke", colour(at)), ("stroke-width", "1.5")];
            svg.open("g", &[("class", "sc-whisker")]);
            line(svg, (place, high(point)), (place, low(point)), &style);
            for (end, y) in [(point.high, high(point)), (point.low, low(point))] {
                if end.is_some() {
                    line(svg, (place - 4.0, y), (place + 4.0, y), &style);
                }
            }
            svg.close();
            continue;
        }
        let mut path = String::new();
        for (i, point) in points.iter().enumerate() {
            path +=
                &format!("{}{} {}", if i == 0 { "M" } else { "L" }, place(x.at(point.x)), place(high(point)));
        }
        for point in points.iter().rev() {
            path += &format!("L{} {}", place(x.at(point.x)), place(low(point)));
        }
        path.push('Z');
        let style = [("class", "sc-band"), ("d", &path), ("fill", colour(at)), ("fill-opacity", "0.18")];
        svg.element("path", &style);
    }
}

fn draw_line(svg: &mut Svg, (at, series): (usize, &Series), (x, y): (&Scale, &Scale), plot: &CurvePlot) {
    let is_shown = |point: &Point| x.has(point.x) && point.y.is_some_and(|value| y.has(value));
    svg.open("g", &[("class", "sc-series"), ("data-series", &series.name)]);
    for points in stretches(&series.points, is_shown) {
        let mut path = String::new();
        for (i, point) in points.iter().enumerate() {
            let value = point.y.unwrap_or_default();
            path +=
                &format!("{}{} {}", if i == 0 { "M" } else { "L" }, place(x.at(point.x)), place(y.at(value)));
        }
        let mut style = vec![
            ("class", "sc-line"),
            ("d", &*path),
            ("fill", "none"),
            ("stroke", colour(at)),
            ("stroke-width", "2"),
            ("stroke-linejoin", "round"),
        ];
        if !dashes(at).is_empty() {
            style.push(("stroke-dasharray", dashes(at)));
        }
        svg.element("path", &style);
    }
    for point in series.points.iter().filter(|point| x.has(point.x)) {
        let Some(height) = point
            .y
            .filter(|value| y.has(*value))
            .map(|value| y.at(value))
            .or(point.infinite.then(|| y.at(y.high)))
        else {
            continue;
        };
        let place_x = x.at(point.x);
        svg.open("g", &[("class", "sc-mark"), ("data-at", &format!("{} {}", place(place_x), place(height)))]);
        svg.text("title", &[], &tip(plot, series, point));
        if point.infinite {
            let style = [
                ("x", &*place(place_x)),
                ("y", &*place(height + 14.0)),
                ("text-anchor", "middle"),
                ("font-size", "16"),
                ("fill", colour(at)),
            ];
            svg.text("text", &style, "∞");
        } else if series.points.len() <= MANY {
            sign(svg, at, place_x, height, 3.6);
        } else {
            // Something that can be pointed at.
            let style = [
                ("cx", &*place(place_x)),
                ("cy", &*place(height)),
                ("r", "3"),
                ("fill", colour(at)),
                ("fill-opacity", "0"),
            ];
            svg.element("circle", &style);
        }
        svg.close();
    }
    svg.close();
}

/// A circle, a square, triangles, a diamond or a cross.
fn sign(svg: &mut Svg, at: usize, x: f64, y: f64, r: f64) {
    let fill = [("fill", colour(at)), ("stroke", "#ffffff"), ("stroke-width", "1"), ("class", "sc-sign")];
    let corners = |points: &[(f64, f64)]| {
        let all: Vec<String> =
            points.iter().map(|(dx, dy)| format!("{},{}", place(x + dx * r), place(y + dy * r))).collect();
        all.join(" ")
    };
    let polygon = |svg: &mut Svg, points: &[(f64, f64)]| {
        let points = corners(points);
        let mut all = vec![("points", points.as_str())];
        all.extend(fill);
        svg.element("polygon", &all);
    };
    match at % 6 {
        0 => {
            let (cx, cy, r) = (place(x), place(y), place(r));
            let mut all = vec![("cx", cx.as_str()), ("cy", &cy), ("r", &r)];
            all.extend(fill);
            svg.element("circle", &all);
        }
        1 => polygon(svg, &[(-0.95, -0.95), (0.95, -0.95), (0.95, 0.95), (-0.95, 0.95)]),
        2 => polygon(svg, &[(0.0, -1.25), (1.2, 0.95), (-1.2, 0.95)]),
        3 => polygon(svg, &[(0.0, -1.35), (1.35, 0.0), (0.0, 1.35), (-1.35, 0.0)]),
        4 => polygon(svg, &[(0.0, 1.25), (1.2, -0.95), (-1.2, -0.95)]),
        _ => {
            let style = [("stroke", colour(at)), ("stroke-width", "2")];
            line(svg, (x - r, y - r), (x + r, y + r), &style);
            line(svg, (x - r, y + r), (x + r, y - r), &style);
        }
    }
}

/// What a point says when it is pointed at.
pub(super) fn tip(plot: &CurvePlot, series: &Series, point: &Point) -> String {
    let name = |axis: &Axis, otherwise: &str| match axis.label.as_str() {
        "" => otherwise.to_string(),
        label => label.to_string(),
    };
    let value = match (point.y, point.infinite) {
        (_, true) => "infinite".to_string(),
        (Some(value), _) => shown(value),
        (None, _) => "no value".to_string(),
    };
    let named = if series.name.is_empty() { String::new() } else { format!("{}, ", series.name) };
    format!(
        "{named}{} = {}: {} = {value}{}",
        name(&plot.x, "x"),
        shown(point.x),
        name(&plot.y, "y"),
        interval(point.low, point.high)
    )
}

/// An interval as a part of a sentence.
pub(super) fn interval(low: Option<f64>, high: Option<f64>) -> String {
    match (low, high) {
        (Some(low), Some(high)) => format!(" [{}, {}]", shown(low), shown(high)),
        (Some(low), None) => format!(" (at least {})", shown(low)),
        (None, Some(high)) => format!(" (at most {})", shown(high)),
        (None, None) => String::new(),
    }
}

fn described(plot: &CurvePlot, series: &[Series]) -> String {
    let points: usize = series.iter().map(|one| one.points.len()).sum();
    let lines = if series.len() == 1 { "one line".to_string() } else { format!("{} lines", series.len()) };
    let over = match (plot.y.label.as_str(), plot.x.label.as_str()) {
        ("", "") => String::new(),
        (y, x) => format!(" of {y} over {x}"),
    };
    format!("A plot{over}: {lines}, {points} points.")
}

/// The notes of the caption, and what cannot be shown.
fn notes(plot: &CurvePlot, series: &[Series]) -> Vec<String> {
    let mut notes = plot.caption.notes.clone();
    let count =
        |is: &dyn Fn(&Point) -> bool| series.iter().flat_map(|one| &one.points).filter(|p| is(p)).count();
    let lost = count(&|point| {
        (plot.x.log && point.x <= 0.0) || (plot.y.log && point.y.is_some_and(|value| value <= 0.0))
    });
    if lost > 0 {
        let points = if lost == 1 { "1 point is".to_string() } else { format!("{lost} points are") };
        notes.push(format!("{points} not shown: a logarithmic axis has no place for 0 and below."));
    }
    let empty = count(&|point| point.y.is_none() && !point.infinite);
    if empty > 0 {
        let points = if empty == 1 { "1 point has".to_string() } else { format!("{empty} points have") };
        notes.push(format!("{points} no value: the line has a gap there."));
    }
    if count(&|point| point.infinite) > 0 {
        notes.push("∞ marks values that are infinite.".to_string());
    }
    notes
}
