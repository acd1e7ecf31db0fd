//! Storm's explicit format.
//!
//! Probabilities and rates are fractions, so that `storm --exact` computes with what the model says. The reward model `steps` pays 1 for
//! each step. In continuous time a chain has rates; with several initial states it is a Markov automaton, whose first state takes no time.

use super::{Kind, ProcessExport, fraction};
use crate::naming::line_comment;
use std::fmt::Write;

/// The text of the file: states in the order of the process.
pub fn drn(export: &ProcessExport<'_>) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut out, export);
    out
}

fn write(out: &mut String, export: &ProcessExport<'_>) -> std::fmt::Result {
    let kind = export.kind();
    for remark in export.remarks {
        writeln!(out, "// {}", line_comment(remark))?;
    }
    for question in export.questions() {
        writeln!(out, "// {question}")?;
    }
    let name = match kind {
        Kind::Chain => "DTMC",
        Kind::Decisions => "MDP",
        Kind::Rates => "CTMC",
        Kind::RatesAndStart => "Markov Automaton",
    };
    writeln!(out, "@type: {name}\n@parameters\n\n@reward_models\nsteps")?;
    writeln!(out, "@nr_states\n{}\n@nr_choices\n{}\n@model", export.states(), export.rows())?;
    for state in 0..export.process.states() {
        let exit = export.process.exits().map(|exits| exits[state]);
        // A state that is never left has a loop with some rate.
        let rate = exit.map(|exit| match exit.numerator {
            0 => (1, 1),
            numerator => (u128::from(numerator), u128::from(exit.denominator)),
        });
        write!(out, "state {state}")?;
        if let Some((numerator, denominator)) = rate {
            write!(out, " !{}", fraction(numerator, denominator))?;
        }
        write!(out, " [0]")?;
        for label in export.labels_of(state) {
            write!(out, " {label}")?;
        }
        writeln!(out)?;
        for (number, row) in export.process.rows_of(state).enumerate() {
            writeln!(out, "\taction {number} [{}]", u8::from(export.is_step(state)))?;
            let row = export.process.row(row);
            for (target, weight) in row.entries() {
                let (weight, total) = (u128::from(weight), u128::from(row.total));
                // Chains in continuous time have rates, automata have probabilities beside the rate of the state.
                let value = match (kind, rate) {
                    (Kind::Rates, Some((n, d))) => fraction(weight * n, total * d),
                    _ => fraction(weight, total),
                };
                writeln!(out, "\t\t{target} : {value}")?;
            }
        }
    }
    if export.has_start() {
        let rate = if kind == Kind::RatesAndStart { " !0" } else { "" };
        writeln!(out, "state {}{rate} [0] init start\n\taction 0 [0]", export.process.states())?;
        let (initial, total) = export.start();
        for (state, weight) in initial {
            writeln!(out, "\t\t{state} : {}", fraction(u128::from(*weight), u128::from(total)))?;
        }
    }
    Ok(())
}
