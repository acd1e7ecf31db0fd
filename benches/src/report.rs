//! The papers' tables with our answers beside them, as Markdown.

use crate::checker::Answer;
use crate::figures::{megabytes, short, whole};
use crate::measured::Cost;
use crate::tables::{Row, Table};

/// How an answer compares with what was expected.
#[derive(Clone, Debug, PartialEq)]
pub enum Match {
    /// The verdict, and the counts if they were compared, are as they must be.
    Right,
    /// Nobody knows beforehand.
    Unjudged,
    /// No verdict within the limits.
    Open,
    /// A verdict or a count is wrong.
    Wrong(String),
}

/// Compares an answer with its row. Counts are only compared for searches without reductions.
pub fn judge(row: &Row, answer: &Answer, unreduced: bool) -> Match {
    match answer.verdict.as_str() {
        "unknown" => return Match::Open,
        "holds" | "violated" => {}
        other => return Match::Wrong(format!("{other}: {}", answer.evidence)),
    }
    if !row.verdict.is_empty() && answer.verdict != row.verdict {
        return Match::Wrong(format!("must be {}", row.verdict));
    }
    if unreduced {
        let counts = [
            ("initial states", row.initial, answer.initial),
            ("states", row.states, answer.states),
            ("transitions", row.transitions, answer.transitions),
            ("steps", row.steps, answer.depth),
        ];
        for (what, expected, found) in counts {
            if expected.is_some_and(|e| e != found) {
                let expected = expected.unwrap_or_default();
                return Match::Wrong(format!("{} {what}, must be {}", whole(found), whole(expected)));
            }
        }
    }
    if row.verdict.is_empty() { Match::Unjudged } else { Match::Right }
}

/// A table with our answers, as many as there are.
pub fn table(table: &Table, answers: &[(Row, Answer, Match)]) -> String {
    let any = |has: fn(&Row) -> bool| table.rows.iter().any(has);
    let published = any(|r| !r.published.is_empty());
    let by_hand = any(|r| r.hand_seconds.is_some());
    let paper_memory = any(|r| r.paper_memory.is_some());
    let mut head = vec!["model", "parameters and options", "property", "verdict"];
    if published {
        head.extend(["in the paper", "paper (s)"]);
    }
    if by_hand {
        head.extend(["by hand (s)"]);
    }
    head.extend(["ours (CPU s)"]);
    if published {
        head.push("times faster");
    }
    if by_hand {
        head.push("times slower than by hand");
    }
    if paper_memory {
        head.push("paper (MB)");
    }
    if by_hand {
        head.push("by hand (MB)");
    }
    head.extend(["ours (MB)", "states", "transitions", "remark"]);
    let mut out = format!("## {}\n\n{}\n\n", table.title, table.text);
    out += &line(head.iter().map(|h| h.to_string()).collect());
    out += &format!("{}|\n", "|---".repeat(head.len()));
    for (row, answer, verdict) in answers {
        let optional = |n: Option<f64>| n.map_or(String::new(), short);
        let ratio = |n: Option<f64>| n.filter(|_| answered(answer)).map_or(String::new(), short);
        let mut cells = vec![
            row.file.clone(),
            format!("{} {}", row.parameters, row.options).trim().to_string(),
            row.property.clone(),
            verdict_cell(answer, verdict),
        ];
        if published {
            cells.extend([published_cell(row), paper_cell(row)]);
        }
        if by_hand {
            cells.push(optional(row.hand_seconds));
        }
        let cpu = answer.cost.cpu.max(0.001);
        cells.push(short(answer.cost.cpu));
        if published {
            cells.push(ratio(row.paper_seconds.map(|s| s / cpu)));
        }
        if by_hand {
            cells.push(ratio(row.hand_seconds.map(|s| cpu / s)));
        }
        if paper_memory {
            cells.push(optional(row.paper_memory));
        }
        if by_hand {
            cells.push(optional(row.hand_memory));
        }
        cells.extend([megabytes(answer.cost.memory), whole(answer.states), whole(answer.transitions)]);
        cells.push(row.note.clone());
        out += &line(cells);
    }
    let total = |of: fn(&Cost) -> f64| answers.iter().map(|(_, answer, _)| of(&answer.cost)).sum::<f64>();
    out += &format!(
        "\nAll rows: {} s on the clock, {} s of CPU.\n\n",
        short(total(|c| c.wall)),
        short(total(|c| c.cpu))
    );
    out
}

fn answered(answer: &Answer) -> bool {
    ["holds", "violated"].contains(&answer.verdict.as_str())
}

fn verdict_cell(answer: &Answer, verdict: &Match) -> String {
    match verdict {
        Match::Right | Match::Unjudged if ["", "explicit"].contains(&&*answer.engine) => {
            answer.verdict.clone()
        }
        Match::Right | Match::Unjudged => format!("{} ({})", answer.verdict, answer.engine),
        Match::Open => format!("unknown ({})", answer.evidence),
        Match::Wrong(why) => format!("**{}: WRONG, {why}**", answer.verdict),
    }
}

fn published_cell(row: &Row) -> String {
    match row.published == row.verdict {
        true => row.published.clone(),
        false => format!("{} (we differ)", row.published),
    }
}

fn paper_cell(row: &Row) -> String {
    row.paper_seconds.map_or(String::new(), |s| format!("{} ({})", short(s), row.tool))
}

/// One line of a Markdown table.
pub fn line(cells: Vec<String>) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "/").replace('\n', " ")).collect();
    format!("| {} |\n", cells.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables;

    fn answer(verdict: &str, states: u64) -> Answer {
        Answer { verdict: verdict.to_string(), states, ..Answer::default() }
    }

    #[test]
    fn answers_are_judged() {
        let row = Row { verdict: "holds".into(), states: Some(7), ..Row::default() };
        let check = |a: Answer, unreduced, expected| assert_eq!(judge(&row, &a, unreduced), expected);
        check(answer("holds", 7), true, Match::Right);
        check(answer("holds", 3), false, Match::Right);
        check(answer("holds", 3), true, Match::Wrong("3 states, must be 7".into()));
        check(answer("violated", 7), false, Match::Wrong("must be holds".into()));
        check(answer("unknown", 3), true, Match::Open);
        check(answer("failed", 0), false, Match::Wrong("failed: ".into()));
        assert_eq!(judge(&Row::default(), &answer("holds", 7), false), Match::Unjudged);
    }

    #[test]
    fn a_table_has_the_columns_that_it_needs() {
        let text = "# T\n\nWhy.\n\n| file | property | verdict | published | paper (s) | tool |\n|---|---|---|---|---|---|\n\
                    | a.labs | P | holds | holds | 100 | CBMC |\n";
        let t = tables::read("t", text).unwrap();
        let mut a = answer("holds", 5);
        a.cost.cpu = 0.5;
        let out = table(&t, &[(t.rows[0].clone(), a, Match::Right)]);
        assert!(out.starts_with("## T\n\nWhy.\n\n| model |"), "{out}");
        assert!(out.contains("| a.labs |  | P | holds | holds | 100 (CBMC) | 0.500 | 200 |"), "{out}");
        assert!(!out.contains("by hand"), "{out}");
    }
}
