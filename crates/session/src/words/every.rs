//! Sentences about verdicts for every number of agents.

use super::count;

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

pub(super) fn evidence(open: &[(String, u32)], agents: u32, parts: usize) -> String {
    let invariant = match parts {
        0 => "the property is inductive".to_string(),
        parts => format!("an invariant of {} is inductive", count(parts + 1, "part")),
    };
    format!("for every {}: {invariant} with up to {}", open_numbers(open), count(agents as usize, "agent"))
}

pub(super) fn reason(largest: Option<&[(String, u32)]>, why: &str) -> String {
    match largest {
        Some(sizes) => format!("holds up to {}; {why}", instance(sizes)),
        None => format!("no instance was decided; {why}"),
    }
}
