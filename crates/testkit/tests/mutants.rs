//! What neither verdicts nor coverage notice: small changes of examples, each of which is decided and counted again.
//!
//! `cargo test -p swarmcheck-testkit --test mutants -- --ignored --nocapture` prints the changes that make no difference.
//! The list in `docs/coverage.md` was made like this.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_session::coverage::{Counts, Coverage, CoverageOptions, PointWord, coverage};
use swarmcheck_session::verify::{Answered, VerifyOptions, verify};
use swarmcheck_session::{Budget, Control, ModelOptions, Prepared, prepare};

const EXAMPLES: [(&str, &str); 4] = [
    ("leader/leader.labs", "n=3"),
    ("philosophers/philosophers.labs", "n=3"),
    ("waiting/waiting.labs", "hasty=1 careful=1"),
    ("twophase/twophase.labs", "workers=1"),
];

/// The verdicts, and which outcomes of which points were seen.
type Seen = (Vec<Answered>, Vec<(u64, u64)>);

fn opened(text: &str, parameters: &str) -> Option<Prepared> {
    let pairs = parameters.split_whitespace().filter_map(|pair| pair.split_once('='));
    let parameters = pairs.map(|(name, value)| (name.to_string(), value.to_string())).collect();
    prepare("m.labs", text.as_bytes(), ModelOptions { parameters, ..ModelOptions::default() }).ok()
}

fn seen(prepared: &Prepared) -> (Seen, Coverage) {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let Ok(report) =
        verify(prepared, &VerifyOptions { deadlock: true, ..VerifyOptions::default() }, &control)
    else {
        panic!("no answers")
    };
    let Ok(coverage) = coverage(prepared, CoverageOptions::default(), &control) else { panic!("no counts") };
    let once = |point: &swarmcheck_session::coverage::CoveragePoint| match point.counts {
        Counts::Taken { taken } => (taken.min(1), 0),
        Counts::Outcomes { yes, no } => (yes.min(1), no.min(1)),
    };
    let verdicts = report.answers.iter().map(|answer| answer.verdict()).collect();
    ((verdicts, coverage.points.iter().map(once).collect()), coverage)
}

/// The text with a point replaced.
fn with(text: &str, line: usize, column: usize, old: &str, new: &str) -> Option<String> {
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let start = start + text[start..].char_indices().nth(column - 1)?.0;
    // Points are told in one line; those that are written in several are left out.
    let rest = text[start..].strip_prefix(old)?;
    Some(format!("{}{new}{rest}", &text[..start]))
}

#[test]
#[ignore = "a report, not a test of the program"]
fn mutants() {
    let (mut made, mut unnoticed) = (0, 0);
    for (file, parameters) in EXAMPLES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let Some(prepared) = opened(&text, parameters) else { panic!("{file}") };
        let (original, coverage) = seen(&prepared);
        let (mut here, mut same) = (0, vec![]);
        for point in &coverage.points {
            let (what, new) = match point.kind {
                PointWord::Action if point.text != "Skip" => ("delete", "Skip".to_string()),
                PointWord::Guard => ("negate", format!("!({})", point.text)),
                _ => continue,
            };
            let mutant = with(&text, point.line, point.column, &point.text, &new);
            let Some(mutant) = mutant.and_then(|text| opened(&text, parameters)) else { continue };
            here += 1;
            if seen(&mutant).0 == original {
                same.push(format!("{file}:{}: {what} `{}`", point.line, point.text));
            }
        }
        println!("{file} {parameters}: {here} changes, {} make no difference", same.len());
        same.iter().for_each(|line| println!("  {line}"));
        made += here;
        unnoticed += same.len();
    }
    assert!(made >= 10 && unnoticed < made, "{unnoticed} of {made}");
}
