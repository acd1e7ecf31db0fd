//! `--boundary`: the lines of points along one parameter, and where verdicts change on them.

use super::pool::Pool;
use crate::exit::Exit;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use swarmcheck_session::words;
use swarmcheck_sweep::boundary::{Boundary, Known, Shape, report, wanted};
use swarmcheck_sweep::journal::{BoundaryMark, Collected};
use swarmcheck_sweep::points::{Points, shown};

/// Points that differ in one parameter only.
struct Line {
    /// The values of the other parameters.
    others: Vec<i64>,
    /// The values of the parameter, in increasing order, with the points that have them.
    points: Vec<(i64, usize)>,
}

/// A boundary with where it is.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// The other parameters, as in `birds=3 grid=5`.
    pub at: String,
    /// The property.
    pub property: String,
    /// What was found.
    pub boundary: Boundary,
    /// The same as a sentence.
    pub words: String,
}

impl Found {
    /// For programs.
    pub fn json(&self) -> Json {
        let mut out = json!({ "at": self.at, "property": self.property, "words": self.words });
        if let (Some(out), Json::Object(more)) = (out.as_object_mut(), json!(self.boundary)) {
            out.extend(more);
        }
        out
    }
}

fn lines(points: &Points, parameter: &str) -> Vec<Line> {
    let at = points.parameters.iter().position(|name| name == parameter).unwrap_or_default();
    let mut places: BTreeMap<Vec<i64>, usize> = BTreeMap::new();
    let mut lines: Vec<Line> = vec![];
    for (number, values) in points.combinations.iter().enumerate() {
        let mut others = values.clone();
        let value = others.remove(at);
        let place = *places.entry(others.clone()).or_insert_with(|| {
            lines.push(Line { others, points: vec![] });
            lines.len() - 1
        });
        lines[place].points.push((value, number * points.per_combination()));
    }
    lines.iter_mut().for_each(|line| line.points.sort_unstable());
    lines
}

/// What is known of a property along a line.
fn known<'k>(all: &'k Collected, line: &Line, property: &str) -> Vec<Known<'k>> {
    let verdict = |point: &usize| {
        let entry = all.entries.get(point)?;
        let value = entry.result.iter().find(|(name, _)| name == property).map(|(_, value)| value);
        let word = value.and_then(|value| value.as_str());
        Some(word.filter(|word| !["unknown", "model error"].contains(word)))
    };
    line.points.iter().map(|(_, point)| verdict(point)).collect()
}

/// The properties, in the order in which they first occur.
fn properties(all: &Collected) -> Vec<String> {
    let mut names: Vec<String> = vec![];
    for (name, _) in all.entries.values().flat_map(|entry| &entry.result) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// Decides what is needed, in rounds: what is decided next depends on what was found.
pub fn search(pool: &mut Pool<'_>, points: &Points, mark: &BoundaryMark) -> Result<(), Exit> {
    let lines = lines(points, &mark.parameter);
    loop {
        let names = properties(pool.known());
        // Nothing is known of any property yet: the ends of all lines come first.
        let names = if names.is_empty() { vec![String::new()] } else { names };
        let mut next: Vec<usize> = vec![];
        for line in &lines {
            for name in &names {
                let places = wanted(&known(pool.known(), line, name), mark.checks);
                next.extend(places.into_iter().map(|place| line.points[place].1));
            }
        }
        next.sort_unstable();
        next.dedup();
        if next.is_empty() {
            return Ok(());
        }
        pool.batch(&next)?;
    }
}

/// What was found.
pub fn found(all: &Collected, points: &Points, mark: &BoundaryMark) -> Vec<Found> {
    let mut names = points.parameters.clone();
    names.retain(|name| *name != mark.parameter);
    let mut out = vec![];
    for line in lines(points, &mark.parameter) {
        for property in properties(all) {
            let values: Vec<i64> = line.points.iter().map(|(value, _)| *value).collect();
            let boundary = report(&values, &known(all, &line, &property));
            let words = sentence(&mark.parameter, &boundary);
            out.push(Found { at: shown(&names, &line.others), property, boundary, words });
        }
    }
    out
}

fn sentence(parameter: &str, boundary: &Boundary) -> String {
    let Boundary { shape, first, changes, decided, of, unanswered, complete } = boundary;
    let first = first.as_deref().unwrap_or_default();
    let what = match (shape, &changes[..]) {
        (Shape::Unknown, _) => "no verdict".to_string(),
        (Shape::Constant, _) => format!("{first} everywhere"),
        (Shape::Monotone, [change]) => {
            format!("{first} up to {}, {} from {} on", change.after, change.verdict, change.at)
        }
        _ => {
            let all = changes.iter().map(|change| format!("{} from {} on", change.verdict, change.at));
            format!("{first} at first, {}", all.collect::<Vec<_>>().join(", "))
        }
    };
    let open: Vec<String> = unanswered.iter().map(i64::to_string).collect();
    let open = match open.is_empty() {
        true => String::new(),
        false => format!("; no answer for {parameter} = {}", open.join(", ")),
    };
    let how = match complete {
        true => format!("all {} decided", words::count(*of, "value")),
        false => format!("{decided} of {of} values decided, none of them contradicts"),
    };
    format!("{what}{open} ({how})")
}

/// For people: one line for each combination and property.
pub fn listing(parameter: &str, all: &[Found]) -> String {
    let width =
        |part: fn(&Found) -> &str| all.iter().map(|found| part(found).chars().count()).max().unwrap_or(0);
    let (at, property) = (width(|found| &found.at), width(|found| &found.property));
    let mut out = format!("where verdicts change with {parameter}\n");
    for found in all {
        let gap = if at == 0 { "" } else { "  " };
        out += &format!("  {:at$}{gap}{:property$}  {}\n", found.at, found.property, found.words);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use swarmcheck_sweep::boundary::Change;

    #[test]
    fn sentences_say_what_is_known_and_what_is_not() {
        let change = |after, at, verdict: &str| Change { after, at, verdict: verdict.to_string() };
        let boundary = Boundary {
            shape: Shape::Monotone,
            first: Some("violated".to_string()),
            changes: vec![change(2, 3, "holds")],
            decided: 5,
            of: 5,
            unanswered: vec![],
            complete: true,
        };
        assert_eq!(sentence("d", &boundary), "violated up to 2, holds from 3 on (all 5 values decided)");
        let changes = vec![change(2, 3, "holds"), change(6, 7, "violated")];
        let several = Boundary { shape: Shape::Several, changes, ..boundary.clone() };
        let expected = "violated at first, holds from 3 on, violated from 7 on (all 5 values decided)";
        assert_eq!(sentence("d", &several), expected);
        let part = Boundary { decided: 7, of: 100, complete: false, unanswered: vec![4], ..boundary };
        let expected = "violated up to 2, holds from 3 on; no answer for d = 4 (7 of 100 values decided, none of them contradicts)";
        assert_eq!(sentence("d", &part), expected);
    }
}
