//! Where a verdict changes along one parameter.
//!
//! A *line* has the points that differ in one parameter only, in increasing order of it. Of a property that is monotone in the
//! parameter bisection finds the one change with few decisions. Whether it is monotone is not assumed: when bisection is done, more
//! values are decided, all of them unless a number is given, and as soon as one contradicts, all are. So an answer is one of
//!
//! - all values were decided: every change is known ([`Shape::Monotone`], [`Shape::Constant`] or [`Shape::Several`] with
//!   `complete`);
//! - not all were, and none of those contradicts a single change: the report says how many were decided.
//!
//! Verdicts that are not known (a time limit) end bisection: then all values of the line are decided, and the change is between
//! the known ones.

use serde::Serialize;

/// What is known of a property along a line: none if the point was not decided, otherwise the verdict; the inner one is none if
/// there was no answer.
pub type Known<'k> = Option<Option<&'k str>>;

/// Which values of a line are to be decided next, by their place; empty if it is done.
///
/// `checks` says how many are decided on top of those that bisection needs; none: all.
pub fn wanted(line: &[Known<'_>], checks: Option<usize>) -> Vec<usize> {
    let count = line.len();
    let open: Vec<usize> = (0..count).filter(|at| line[*at].is_none()).collect();
    if open.is_empty() {
        return vec![];
    }
    let ends: Vec<usize> = open.iter().copied().filter(|at| *at == 0 || *at + 1 == count).collect();
    if !ends.is_empty() {
        return ends;
    }
    let unclear = line.iter().flatten().any(Option::is_none);
    let changes = changes(line);
    if unclear || changes.len() > 1 {
        return open;
    }
    if let [(before, after)] = changes[..]
        && after - before > 1
    {
        return vec![before + (after - before) / 2];
    }
    // Bisection is done, or there is nothing to bisect: the ends agree. Now it is checked.
    let Some(checks) = checks else { return open };
    // Evenly spread over the line, so that the places do not depend on what was decided before.
    let spread = (1..=checks).map(|number| number * count / (checks + 1)).filter(|at| *at < count);
    spread.filter(|at| line[*at].is_none()).collect()
}

/// Neighbours among the decided values with different verdicts, by their places.
fn changes(line: &[Known<'_>]) -> Vec<(usize, usize)> {
    let known: Vec<(usize, &str)> =
        line.iter().enumerate().filter_map(|(at, known)| Some((at, (*known)??))).collect();
    known.windows(2).filter(|pair| pair[0].1 != pair[1].1).map(|pair| (pair[0].0, pair[1].0)).collect()
}

/// How a verdict depends on the parameter, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// It does not.
    Constant,
    /// There is one change.
    Monotone,
    /// There are several changes.
    Several,
    /// There is no verdict at all.
    Unknown,
}

/// What was found along a line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Boundary {
    /// How the verdict depends on the parameter.
    pub shape: Shape,
    /// The verdict at the first value that has one.
    pub first: Option<String>,
    /// The changes: the last value before, the first value after, the verdict from there on.
    pub changes: Vec<Change>,
    /// How many values were decided, with or without an answer.
    pub decided: usize,
    /// How many there are.
    pub of: usize,
    /// Values without an answer.
    pub unanswered: Vec<i64>,
    /// Every value was decided: nothing is assumed.
    pub complete: bool,
}

/// A change of a verdict.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Change {
    /// The last decided value before it.
    pub after: i64,
    /// The smallest decided value with the new verdict.
    pub at: i64,
    /// The new verdict.
    pub verdict: String,
}

/// Says what is known of a line with these values.
pub fn report(values: &[i64], line: &[Known<'_>]) -> Boundary {
    let verdict = |at: usize| line[at].flatten().unwrap_or_default().to_string();
    let changes: Vec<Change> = changes(line)
        .into_iter()
        .map(|(before, at)| Change { after: values[before], at: values[at], verdict: verdict(at) })
        .collect();
    let first = line.iter().flatten().flatten().next().map(ToString::to_string);
    let decided = line.iter().flatten().count();
    let shape = match (&first, changes.len()) {
        (None, _) => Shape::Unknown,
        (_, 0) => Shape::Constant,
        (_, 1) => Shape::Monotone,
        _ => Shape::Several,
    };
    let unanswered = values.iter().zip(line).filter(|(_, known)| **known == Some(None)).map(|(v, _)| *v);
    Boundary {
        shape,
        first,
        changes,
        decided,
        of: values.len(),
        unanswered: unanswered.collect(),
        complete: decided == values.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decides until nothing is wanted any more; how many decisions, and what is reported.
    fn search(truth: &[Option<&'static str>], checks: Option<usize>) -> (usize, Boundary) {
        let mut line: Vec<Known<'_>> = vec![None; truth.len()];
        let mut decided = 0;
        loop {
            let next = wanted(&line, checks);
            if next.is_empty() {
                break;
            }
            for at in next {
                assert!(line[at].is_none(), "decided twice");
                line[at] = Some(truth[at]);
                decided += 1;
            }
        }
        let values: Vec<i64> = (10..).take(truth.len()).collect();
        (decided, report(&values, &line))
    }

    fn verdicts(text: &str) -> Vec<Option<&'static str>> {
        let word = |c| match c {
            'h' => Some("holds"),
            'v' => Some("violated"),
            _ => None,
        };
        text.chars().map(word).collect()
    }

    #[test]
    fn every_pattern_is_reported_exactly_when_all_values_are_decided() {
        for length in 1..9 {
            for pattern in 0..1_u32 << length {
                let truth: Vec<Option<&str>> = (0..length)
                    .map(|at| Some(if pattern >> at & 1 == 1 { "holds" } else { "violated" }))
                    .collect();
                let (decided, found) = search(&truth, None);
                assert_eq!((decided, found.complete), (length, true));
                let flips: Vec<i64> =
                    (1..length).filter(|at| truth[*at] != truth[*at - 1]).map(|at| 10 + at as i64).collect();
                assert_eq!(found.changes.iter().map(|change| change.at).collect::<Vec<_>>(), flips);
            }
        }
    }

    #[test]
    fn one_change_among_many_values_needs_few_decisions() {
        for change in 1..1000 {
            let truth: Vec<Option<&str>> =
                (0..1000).map(|at| Some(if at < change { "violated" } else { "holds" })).collect();
            let (decided, found) = search(&truth, Some(4));
            // Two ends, ten halvings of 999, four checks.
            assert!(decided <= 16, "{decided}");
            assert_eq!(
                (found.shape, found.changes[0].at, found.complete),
                (Shape::Monotone, 10 + change as i64, false)
            );
        }
    }

    #[test]
    fn a_contradiction_makes_it_decide_everything() {
        // The ends agree, and the check in the middle does not.
        let (decided, found) = search(&verdicts("hhhhvhhhh"), Some(1));
        assert_eq!((decided, found.shape, found.complete), (9, Shape::Several, true));
        // No check meets the exception: the report says that not all was decided.
        let (decided, found) = search(&verdicts("hhvhhhhhh"), Some(1));
        assert_eq!((decided, found.shape, found.complete), (3, Shape::Constant, false));
        // What has no answer is no verdict, and everything else is decided.
        let (_, found) = search(&verdicts("hh?vv"), Some(0));
        assert_eq!((found.complete, found.unanswered.clone()), (true, vec![12]));
        assert_eq!(found.changes, [Change { after: 11, at: 13, verdict: "violated".to_string() }]);
        assert_eq!(search(&verdicts("??"), None).1.shape, Shape::Unknown);
        assert_eq!(search(&verdicts("h"), None).1.shape, Shape::Constant);
    }
}
