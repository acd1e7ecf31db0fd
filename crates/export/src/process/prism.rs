//! PRISM's explicit files: transitions, labels, and what a state pays.
//!
//! `prism -importmodel process.tra,lab,srew -dtmc` (or `-mdp`, `-ctmc`) reads them. Probabilities are decimal numbers: PRISM does not read fractions here.
//! The reward of a state is 1 where a step is made and 0 where a run rests, so that it counts steps.

use super::{Kind, ProcessExport};
use std::fmt::Write;

/// Transitions, labels and rewards of states, with the extensions of the files. `None` for continuous time with several initial
/// states, which PRISM's formats do not have.
pub fn prism(export: &ProcessExport<'_>) -> Option<[(&'static str, String); 3]> {
    if export.kind() == Kind::RatesAndStart {
        return None;
    }
    let (mut transitions, mut labels, mut rewards) = (String::new(), String::new(), String::new());
    // Writing to a string cannot fail.
    let _ = write_transitions(&mut transitions, export);
    let _ = write_labels(&mut labels, export);
    let _ = write_rewards(&mut rewards, export);
    Some([("tra", transitions), ("lab", labels), ("srew", rewards)])
}

fn write_transitions(out: &mut String, export: &ProcessExport<'_>) -> std::fmt::Result {
    let (kind, process) = (export.kind(), export.process);
    let more = if export.has_start() { export.start().0.len() } else { 0 };
    let entries = process.transitions() + more;
    match kind {
        Kind::Decisions => writeln!(out, "{} {} {entries}", export.states(), export.rows())?,
        _ => writeln!(out, "{} {entries}", export.states())?,
    }
    for state in 0..process.states() {
        let rate = process.exits().map_or(1.0, |exits| match exits[state].numerator {
            0 => 1.0,
            numerator => numerator as f64 / exits[state].denominator as f64,
        });
        for (number, row) in process.rows_of(state).enumerate() {
            for (target, probability) in process.row(row).probabilities() {
                let value = probability * rate;
                match kind {
                    Kind::Decisions => writeln!(out, "{state} {number} {target} {value}")?,
                    _ => writeln!(out, "{state} {target} {value}")?,
                }
            }
        }
    }
    if export.has_start() {
        let (initial, total) = export.start();
        let state = process.states();
        for (target, weight) in initial {
            let value = *weight as f64 / total as f64;
            match kind {
                Kind::Decisions => writeln!(out, "{state} 0 {target} {value}")?,
                _ => writeln!(out, "{state} {target} {value}")?,
            }
        }
    }
    Ok(())
}

fn write_labels(out: &mut String, export: &ProcessExport<'_>) -> std::fmt::Result {
    let start = export.has_start().then_some("start");
    let names: Vec<&str> = ["init", "deadlock"]
        .into_iter()
        .chain(start)
        .chain(export.labels.iter().map(|(n, _)| n.as_str()))
        .collect();
    let declared: Vec<String> =
        names.iter().enumerate().map(|(number, name)| format!("{number}=\"{name}\"")).collect();
    writeln!(out, "{}", declared.join(" "))?;
    let number = |name: &str| names.iter().position(|known| *known == name).unwrap_or(0);
    for state in 0..export.process.states() {
        let labels: Vec<String> = export.labels_of(state).map(|name| number(name).to_string()).collect();
        if !labels.is_empty() {
            writeln!(out, "{state}: {}", labels.join(" "))?;
        }
    }
    if export.has_start() {
        writeln!(out, "{}: {} {}", export.process.states(), number("init"), number("start"))?;
    }
    Ok(())
}

fn write_rewards(out: &mut String, export: &ProcessExport<'_>) -> std::fmt::Result {
    let paying: Vec<usize> = (0..export.process.states()).filter(|state| export.is_step(*state)).collect();
    writeln!(out, "# Reward structure \"steps\"\n# State rewards\n{} {}", export.states(), paying.len())?;
    for state in paying {
        writeln!(out, "{state} 1")?;
    }
    Ok(())
}
