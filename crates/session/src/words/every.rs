//! Sentences about verdicts for every number of agents.

use super::count;
use crate::outcome::{EveryMethod, Evidence, Outcome, Reason};

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
        EveryMethod::Instances { instances } => match instances {
            1 => "the only instance was decided".to_string(),
            _ => format!("all {instances} instances were decided"),
        },
        EveryMethod::TokenRing { cutoff, .. } => {
            format!("by the cutoff theorem for token rings, instances up to {cutoff} decided")
        }
    };
    format!("for every {}{limited}: {how}", open_numbers(open))
}

/// What a certificate shows.
pub(super) fn proof(clauses: usize, open: &[(String, u32)], closed: &[(String, String)]) -> String {
    let what = match clauses {
        0 => "induction on the property itself".to_string(),
        clauses => format!("an invariant of {}", count(clauses, "clause")),
    };
    let closed: Vec<String> = closed.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let with = if closed.is_empty() { String::new() } else { format!(" with {}", closed.join(", ")) };
    match open {
        [] => format!("{what}, for every number of agents"),
        open => format!("{what}, for every {}{with}", open_numbers(open)),
    }
}

pub(super) fn reason(parameters: &[String], largest: Option<u32>, why: &str) -> String {
    let known = match largest {
        Some(number) => format!("holds up to {} = {number}", parameters.join(" + ")),
        None => "no instance was decided".to_string(),
    };
    match is_long(why) {
        true => format!("{known}, and no proof"),
        false => format!("{known}; {why}"),
    }
}

/// Longer reasons stand below the table.
const LONGEST: usize = 72;

fn is_long(why: &str) -> bool {
    why.chars().count() > LONGEST
}

/// What was found on the way to a proof, a line each.
pub fn lines(outcome: &Outcome) -> Vec<String> {
    match outcome {
        Outcome::Holds { evidence: Evidence::EveryNumber { lines, method, .. }, .. } if !lines.is_empty() => {
            let head = match method {
                EveryMethod::Invariant { .. } => "in every reachable state, besides the property itself:",
                EveryMethod::Counting { .. } => "counting agents:",
                EveryMethod::Instances { .. } => "decided:",
                EveryMethod::TokenRing { .. } => "the cutoff theorem of Emerson and Namjoshi (POPL 1995):",
            };
            std::iter::once(head.to_string()).chain(lines.iter().map(|line| format!("  {line}"))).collect()
        }
        Outcome::Unknown { reason: Reason::OpenNumber { why, .. } } if is_long(why) => {
            vec![format!("no proof: {why}")]
        }
        _ => vec![],
    }
}
