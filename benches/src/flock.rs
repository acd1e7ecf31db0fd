//! The compositional verification of a flock: table 2 of the ISoLA 2021 paper, with our figures beside it.

use crate::checker::{Answer, Checker, Composed};
use crate::figures::{megabytes, short, whole};
use crate::report::{Match, judge, line};
use crate::tables::Row;

/// A row of table 2: a process of the emulation program, the states and transitions of its reduced transition system, and the
/// seconds and KiB that CADP took to generate and reduce it.
struct Process {
    name: &'static str,
    /// What we call it; empty if we have none.
    ours: &'static str,
    size: Option<(u64, u64)>,
    seconds: u64,
    kib: u64,
}

const fn process(
    (name, ours): (&'static str, &'static str),
    size: Option<(u64, u64)>,
    seconds: u64,
    kib: u64,
) -> Process {
    Process { name, ours, size, seconds, kib }
}

/// Table 2, row by row.
const PAPER: &[Process] = &[
    process(("*M* (timestamps)", "order of dirX"), Some((13, 234)), 3, 34_360),
    process(("*Scheduler*", "turn"), Some((6, 12)), 2, 34_212),
    process(("*Agent 1*", "Bird 0"), Some((25_637, 1_989_572)), 537, 3_102_904),
    process(("*Agent 2*", "Bird 1"), Some((25_637, 1_989_572)), 537, 3_102_908),
    process(("*Agent 3*", "Bird 2"), Some((25_637, 1_989_572)), 538, 3_100_408),
    process(("*Main*", WHOLE), Some((28_800, 74_906)), 73, 70_828),
    process(("*Main* satisfies `consensus`", ""), None, 2, 43_428),
    process(("total time, greatest memory", ""), None, 1_692, 3_102_908),
];

/// The question of the paper: three birds on a grid of 5 × 5, each sees 5 far, and they act in circular order.
pub fn row() -> Row {
    Row {
        file: "flock/flock.labs".to_string(),
        parameters: "birds=3 grid=5 delta=5".to_string(),
        options: "--fair --engine compose".to_string(),
        property: "ConsensusAgain".to_string(),
        verdict: "holds".to_string(),
        ..Row::default()
    }
}

/// Asks it. The second part is what is wrong, if anything.
pub fn ask(checker: &Checker) -> (Answer, Option<String>) {
    let row = row();
    let answer = checker.ask(&row.file, &row.parameters, &row.options, &row.property);
    let wrong = match judge(&row, &answer, false) {
        Match::Wrong(why) => Some(format!("{}: {}, {why}", row.task(), answer.verdict)),
        _ => None,
    };
    (answer, wrong)
}

/// What we need for the process that corresponds to one of the paper; the whole system is the last that was made.
fn ours<'a>(answer: &'a Answer, process: &Process) -> Option<&'a Composed> {
    match process.ours {
        WHOLE => answer.composed.last(),
        name => answer.composed.iter().find(|composed| composed.name == name),
    }
}

/// Stands for the whole system among the names of our processes.
const WHOLE: &str = "*";

/// Both as Markdown.
pub fn table(answer: &Answer) -> String {
    let head = [
        "process",
        "states (paper)",
        "transitions (paper)",
        "s (paper)",
        "MB (paper)",
        "states",
        "transitions",
        "CPU s",
        "MB",
    ];
    let mut out = line(head.map(String::from).to_vec()) + &line(head.map(|_| "---".to_string()).to_vec());
    for (number, process) in PAPER.iter().enumerate() {
        let (states, transitions) = process.size.map_or_else(Default::default, |(s, t)| (whole(s), whole(t)));
        let paper = megabytes(process.kib * 1024);
        let mut cells = vec![process.name.to_string(), states, transitions, whole(process.seconds), paper];
        let cost = answer.cost;
        match ours(answer, process) {
            Some(Composed { states, transitions, seconds, memory, .. }) => {
                cells.extend([whole(*states), whole(*transitions), short(*seconds), megabytes(*memory)]);
            }
            None if number + 1 == PAPER.len() => {
                cells.extend([String::new(), String::new(), short(cost.cpu), megabytes(cost.memory)]);
            }
            None => cells.extend(["", "", "", ""].map(String::from)),
        }
        out += &line(cells);
    }
    let verdict = match answer.verdict.as_str() {
        "holds" | "violated" => format!("{} ({})", answer.verdict, answer.evidence),
        other => format!("{other}: {}", answer.evidence),
    };
    format!("{out}\nOur answer: {verdict}. The paper's: holds.\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The total of the paper is the sum of its rows.
    #[test]
    fn the_paper_adds_up() {
        let (total, rows) = PAPER.split_last().unwrap();
        assert_eq!(rows.iter().map(|row| row.seconds).sum::<u64>(), total.seconds);
        assert_eq!(rows.iter().map(|row| row.kib).max(), Some(total.kib));
    }

    #[test]
    fn only_the_total_has_our_figures() {
        let mut answer = Answer { verdict: "holds".to_string(), ..Answer::default() };
        answer.cost.cpu = 12.3;
        let table = table(&answer);
        assert_eq!(table.matches("12.3").count(), 1, "{table}");
        assert!(table.contains("| 1,692 | 3,177 |  |  | 12.3 |"), "{table}");
    }
}
