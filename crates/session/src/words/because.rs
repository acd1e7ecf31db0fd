//! Sentences about why a property holds.

use super::count;
use crate::because::{
    Because, CellCondition, CellWord, InvariantPart, PlaceMeaning, ValueSet, VariableRange,
};

/// `x is 0 to 4 in every reachable state`.
pub(super) fn ranges(variables: &[VariableRange]) -> String {
    let one = |range: &VariableRange| {
        let numbers = match (range.low, range.high) {
            (Some(low), Some(high)) if low == high => Some(low.to_string()),
            (Some(low), Some(high)) => Some(format!("{low} to {high}")),
            (Some(low), None) => Some(format!("at least {low}")),
            (None, Some(high)) => Some(format!("at most {high}")),
            // Either any number, or none at all.
            (None, None) if range.undefined => None,
            (None, None) => Some("any number".to_string()),
        };
        let values = match (numbers, range.undefined) {
            (Some(numbers), false) => numbers,
            (Some(numbers), true) => format!("{numbers} or undefined"),
            (None, _) => "any number or undefined".to_string(),
        };
        format!("{} is {values}", range.variable)
    };
    match variables {
        [] => "follows from the predicate alone: it reads no variable".to_string(),
        some => {
            let each: Vec<String> = some.iter().map(one).collect();
            format!("follows from the ranges: {} in every reachable state", each.join(", "))
        }
    }
}

/// Everything that is known besides the evidence, a line each.
pub fn because(because: &Because) -> Vec<String> {
    let mut out = vec![];
    let whole = if because.of_formula { "formula" } else { "predicate" };
    for part in &because.idle {
        out.push(format!(
            "vacuous in `{}` at {}:{}: it would also hold with `{}` in its place",
            part.text, part.line, part.column, part.constant
        ));
    }
    if because.idle.is_empty() && because.parts > 0 && because.undecided == 0 {
        out.push(format!("not vacuous: it depends on every part of the {whole} ({})", because.parts));
    }
    if because.undecided > 0 {
        out.push(format!("{} too large to decide whether it is vacuous in them", {
            let is = if because.undecided == 1 { "is" } else { "are" };
            format!("{} of the {whole} {is}", count(because.undecided as usize, "part"))
        }));
    }
    if !(because.invariant.is_empty() && because.integers.is_empty()) {
        out.push("in every reachable state:".to_string());
        out.extend(because.integers.iter().map(|part| format!("  {part}")));
        out.extend(because.invariant.iter().map(|part| format!("  {}", invariant(part))));
    }
    for place in &because.places {
        let each: Vec<String> = place.next.iter().map(|action| format!("`{action}`")).collect();
        let PlaceMeaning { owner, place, value, .. } = place;
        out.push(format!("  place {place} of a {owner} is {value} before {}", each.join(" or ")));
    }
    if because.unreadable > 0 {
        let clauses = count(because.unreadable as usize, "clause");
        out.push(format!("{clauses} of the invariant cannot be said shortly: the certificate has all"));
    }
    out
}

fn invariant(part: &InvariantPart) -> String {
    let alternatives: Vec<String> = part.any_of.iter().map(condition).collect();
    let body = alternatives.join(" or ");
    match &part.agents[..] {
        [] => body,
        [(letter, kind)] => format!("for every {kind} {letter}: {body}"),
        several => {
            let each: Vec<String> = several.iter().map(|(letter, kind)| format!("{kind} {letter}")).collect();
            format!("for all different {}: {body}", each.join(", "))
        }
    }
}

fn condition(condition: &CellCondition) -> String {
    let value = |value: &Option<i64>| value.map_or("undef".to_string(), |v| v.to_string());
    let owner = condition.agent.as_deref().unwrap_or_default();
    let of = if owner.is_empty() { String::new() } else { format!(" of {owner}") };
    let name = match &condition.cell {
        CellWord::Variable(name) => format!("{name}{of}"),
        CellWord::Place(name) => format!("place {name}{of}"),
        CellWord::Pending(name) => format!("pending {name}{of}"),
        CellWord::Rank(name) => format!("rank of {name}{of}"),
        CellWord::Turn => "the turn".to_string(),
    };
    match &condition.values {
        ValueSet::Is(one) => format!("{name} = {}", value(one)),
        ValueSet::IsNot(one) => format!("{name} != {}", value(one)),
        ValueSet::AtMost(high) => format!("{name} <= {high}"),
        ValueSet::AtLeast(low) => format!("{name} >= {low}"),
        ValueSet::Between(low, high) => format!("{low} <= {name} <= {high}"),
        ValueSet::OneOf(values) => {
            let each: Vec<String> = values.iter().map(value).collect();
            format!("{name} is one of {}", each.join(", "))
        }
    }
}
