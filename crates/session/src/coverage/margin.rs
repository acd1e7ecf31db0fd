//! Coverage for people: the lines of the model with their counts in the margin, as `gcov` and `llvm-cov` print them.

use super::{Counts, Coverage, CoverageOver, CoveragePoint, PointWord, SearchEnd};
use crate::words::{count, fault, reason};

/// The whole listing: one line that sums up, then the model. `text` is the model's text.
pub fn listing(coverage: &Coverage, text: &str) -> String {
    let mut out = summary(coverage) + "\n";
    if let Some(error) = &coverage.error {
        out += &format!("a step meets an error of the model and was not followed: {}\n", fault(error));
    }
    let never = never(coverage);
    let of_line = |line: usize| coverage.points.iter().filter(move |point| point.line == line);
    let lines = coverage.lines();
    let width = lines.values().map(|count| count.to_string().len()).max().unwrap_or(1).max(5);
    let numbers = text.lines().count().to_string().len();
    for (number, line) in (1..).zip(text.lines()) {
        let shown = lines.get(&number).map_or(String::new(), u64::to_string);
        out += format!("{shown:>width$} | {number:>numbers$} | {line}").trim_end();
        out.push('\n');
        let several = of_line(number).count() > 1;
        for point in of_line(number) {
            if let Some(remark) = remark(point, never, several) {
                out += &format!("{:>width$} | {:>numbers$} |   ^ {remark}\n", "", "");
            }
        }
    }
    out
}

/// What the counts are about, and how much was seen.
pub fn summary(coverage: &Coverage) -> String {
    let (seen, all) = coverage.covered();
    let many = |n: u64, what: &str| count(n as usize, what);
    let over = match &coverage.over {
        CoverageOver::Search { states, transitions, end } => {
            let size = format!("{}, {}", many(*states, "state"), many(*transitions, "transition"));
            match end {
                SearchEnd::Complete => format!("in every reachable state ({size})"),
                SearchEnd::Within { steps } => {
                    format!("within {} ({size})", many(u64::from(*steps), "step"))
                }
                SearchEnd::Unfinished { reason: why } => {
                    format!("in {size}; the search did not end: {}", reason(why))
                }
            }
        }
        CoverageOver::Runs { runs, steps } => {
            format!("in {}, {}", many(*runs, "run"), many(*steps, "step"))
        }
    };
    format!("coverage: {seen} of {all} taken, {over}")
}

/// The phrase for what was not seen.
fn never(coverage: &Coverage) -> &'static str {
    match &coverage.over {
        CoverageOver::Search { end: SearchEnd::Complete, .. } => "unreachable",
        CoverageOver::Search { end: SearchEnd::Within { .. }, .. } => "not seen within the bound",
        CoverageOver::Search { end: SearchEnd::Unfinished { .. }, .. } => "not seen in these states",
        CoverageOver::Runs { .. } => "never taken in these runs",
    }
}

/// What the margin does not say: both counts of a condition, and what was not seen.
fn remark(point: &CoveragePoint, never: &str, several: bool) -> Option<String> {
    let what = |kind: PointWord| match kind {
        PointWord::Action => "action",
        PointWord::Guard => "guard",
        PointWord::Link => "link",
        PointWord::Send => "send",
        PointWord::Get => "get",
        PointWord::Receive => "receive",
        PointWord::Supply => "supply",
        PointWord::SendGuard => "send guard",
        PointWord::ReceiveGuard => "receive guard",
    };
    let named = format!("{} `{}`", what(point.kind), point.text);
    match point.counts {
        Counts::Taken { taken: 0 } => Some(format!("{named}: {never}")),
        Counts::Taken { taken } => several.then(|| format!("{named}: {taken}")),
        Counts::Outcomes { yes: 0, no: 0 } => Some(format!("{named}: {never}")),
        Counts::Outcomes { yes, no } => {
            let one = |word: &str, n: u64| match n {
                0 => format!("{word}: {never}"),
                n => format!("{word}: {n}"),
            };
            Some(format!("{named}: {}, {}", one("true", yes), one("false", no)))
        }
    }
}
