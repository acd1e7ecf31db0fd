//! The answers of `swarmcheck verify` for people, in columns, and for programs, as JSON (`docs/schema/report.md`).

use serde_json::{Value as Json, json};
use swarmcheck_session::verify::Fairness;
use swarmcheck_session::{Answer, Note, words};
use swarmcheck_source::SourceFile;

/// What was asked.
pub struct Asked<'a> {
    pub file: &'a SourceFile,
    pub fair: bool,
    pub fairness: Fairness,
    pub steps: Option<u32>,
    pub parameters: Vec<(String, i64)>,
}

/// The name of the format, and its version.
pub const FORMAT: &str = "swarmcheck-report";
pub const VERSION: u32 = 2;

/// The answers as one JSON document.
pub fn document(asked: &Asked<'_>, answers: &[Answer]) -> Json {
    let parameters: serde_json::Map<String, Json> =
        asked.parameters.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    json!({
        "format": FORMAT,
        "version": VERSION,
        "model": asked.file.name(),
        "parameters": parameters,
        "fair": asked.fair,
        "fairness": asked.fairness,
        "steps": asked.steps,
        "results": answers.iter().map(row).collect::<Vec<_>>(),
    })
}

fn row(answer: &Answer) -> Json {
    let e = &answer.effort;
    json!({
        "property": answer.name,
        "question": answer.question,
        "engine": answer.engine,
        "verdict": answer.outcome.word(),
        "outcome": answer.outcome,
        "evidence": answer.evidence(),
        "vacuous": answer.vacuous().map(words::vacuity),
        "notes": answer.notes.iter().map(words::note).collect::<Vec<_>>(),
        "search": e.search,
        "initial": e.initial,
        "states": e.states,
        "transitions": e.transitions,
        "depth": e.depth,
        "deadlocks": e.deadlocks,
        "seconds": e.seconds,
        "memory": e.memory,
        "because": answer.because,
        "trusted": answer.trusted,
        "uncertified": answer.uncertified,
        "composition": answer.composition,
        "instance": answer.instance,
        "trace": answer.trace.as_ref().map(|shown| &shown.data),
        "others": answer.others.iter().map(|shown| &shown.data).collect::<Vec<_>>(),
    })
}

/// The engine that needs no mention, and the only one that counts states.
const USUAL: &str = "explicit";

/// One line per answer, in columns. The engine is told where it is not always the same.
pub fn table(answers: &[Answer]) -> String {
    // Evidence may be long: it comes last, so that a terminal that wraps lines leaves the other columns in place.
    let mut head = vec!["property", "verdict", "states", "transitions", "time", "memory", "evidence"];
    let engine = |a: &Answer| a.engine.clone().unwrap_or_else(|| "-".to_string());
    let told = answers.iter().any(|a| engine(a) != USUAL);
    if told {
        head.insert(1, "engine");
    }
    let numbers = head.len() - 5..head.len() - 1;
    let mut rows: Vec<Vec<String>> = vec![head.iter().map(|h| h.to_string()).collect()];
    for a in answers {
        let e = &a.effort;
        let evidence = match a.vacuous() {
            Some(why) => format!("vacuously: {}", words::vacuity(why)),
            None => a.evidence(),
        };
        let count = |number: u64| match number {
            0 if engine(a) != USUAL => "-".to_string(),
            number => number.to_string(),
        };
        let (name, verdict) = words::naming::row(a);
        let mut row = vec![
            name.to_string(),
            verdict.to_string(),
            count(e.states),
            count(e.transitions),
            format!("{:.2} s", e.seconds),
            megabytes(e.memory),
            evidence,
        ];
        if told {
            row.insert(1, engine(a));
        }
        rows.push(row);
    }
    let width = |column: usize| rows.iter().map(|r| r[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let mut out = String::new();
    for row in &rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(i, (cell, &width))| match i {
            i if numbers.contains(&i) => format!("{cell:>width$}"),
            _ => format!("{cell:width$}"),
        });
        out += cells.collect::<Vec<_>>().join("  ").trim_end();
        out.push('\n');
    }
    out
}

fn megabytes(bytes: u64) -> String {
    match bytes {
        0 => "-".to_string(),
        b if b < 10_000_000 => format!("{:.1} MB", b as f64 / 1e6),
        b => format!("{} MB", b / 1_000_000),
    }
}

/// What else should be known; how the answer came about only if the user wants to know more.
pub fn remarks(answers: &[Answer], verbose: bool) -> String {
    let mut out = String::new();
    for a in answers {
        let told = |note: &&Note| **note != Note::StepLabels && (verbose || words::is_important(note));
        for note in a.notes.iter().filter(told) {
            out += &format!("{}: {}\n", words::naming::row(a).0, words::note(note));
        }
    }
    for a in answers {
        for line in a.because.iter().flat_map(|because| words::because(because)) {
            out += &format!("{}: {line}\n", words::naming::row(a).0);
        }
    }
    for a in answers {
        for line in words::every::lines(&a.outcome) {
            out += &format!("{}: {line}\n", words::naming::row(a).0);
        }
    }
    // How labels are read is the same for all.
    let labelled = answers.iter().filter(|a| a.notes.contains(&Note::StepLabels));
    let mut names: Vec<&str> = labelled.map(|a| a.name.as_str()).collect();
    names.dedup();
    if !names.is_empty() {
        out += &format!("{}: {}\n", names.join(", "), words::note(&Note::StepLabels));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use swarmcheck_session::outcome::{Answered, Evidence, Outcome, Reason};

    #[test]
    fn a_question_without_an_engine_has_null_in_the_data_and_a_dash_in_the_table() {
        let open = Answer::open("P", "", Reason::Memory);
        assert_eq!(row(&open)["engine"], Json::Null);
        assert_eq!(row(&open)["outcome"]["reason"]["kind"], "memory");
        assert!(
            table(&[open])
                .contains("P         -       unknown       -            -  0.00 s       -  memory limit")
        );
    }

    #[test]
    fn the_usual_engine_is_not_mentioned() {
        let outcome = Outcome::Holds { evidence: Evidence::Explored, vacuous: None };
        let answer =
            Answer { engine: Some(USUAL.to_string()), outcome, ..Answer::open("P", "", Reason::NoAnswer) };
        assert!(!table(std::slice::from_ref(&answer)).contains(USUAL));
        assert_eq!(row(&answer)["outcome"]["evidence"]["kind"], "explored");
        assert_eq!(answer.verdict(), Answered::Holds);
    }
}
