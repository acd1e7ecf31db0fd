//! Sentences about verdicts for every number of agents.

use super::count;
use crate::outcome::{EveryMethod, Evidence, Outcome};

/// `voters ≥ 1, options ≥ 2`.
pub fn open_numbers(open: &[(String, u32)]) -> String {
    let each: Vec<String> = open.iter().map(|(name, low)| format!("{name} ≥ {low}")).collect();
    each.join(", ")
}

/// `voters = 7`.
pub fn instance(sizes: &[(String, u32)]) -> String {
    let each: Vec<String> = sizes.iter().map(|(name, number)| format!("{name} = {number}")).collect();
    each.join(", ")
}

pub(super) fn evidence(open: &[(String, u32)], numbers: Option<&str>, method: &EveryMethod) -> String {
    let limited = numbers.map_or(String::new(), |numbers| format!(" with {numbers}"));
    let how = match method {
        EveryMethod::Invariant { agents } => {
            format!("an invariant, inductive with up to {}", count(*agents as usize, "agent"))
        }
        EveryMethod::Counting { places, .. } => {
            format!("by counting agents in {}", count(*places as usize, "place"))
        }
    };
    format!("for every {}{limited}: {how}", open_numbers(open))
}

pub(super) fn reason(parameters: &[String], largest: Option<u32>, why: &str) -> String {
    match largest {
        Some(number) => format!("holds up to {} = {number}; {why}", parameters.join(" + ")),
        None => format!("no instance was decided; {why}"),
    }
}

/// What was found on the way to a proof, a line each.
pub fn lines(outcome: &Outcome) -> Vec<String> {
    match outcome {
        Outcome::Holds { evidence: Evidence::EveryNumber { lines, method, .. }, .. } if !lines.is_empty() => {
            let head = match method {
                EveryMethod::Invariant { .. } => "in every reachable state:",
                EveryMethod::Counting { .. } => "counting agents:",
            };
            std::iter::once(head.to_string()).chain(lines.iter().map(|line| format!("  {line}"))).collect()
        }
        _ => vec![],
    }
}
