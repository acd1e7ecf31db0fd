//! What an engine has proved, in the user's words: an invariant as conditions on the variables of agents.
//!
//! `swarmcheck_proof::readable` makes sets of values of clauses over bits. Here the sets become comparisons, and conditions
//! that hold for all agents of a kind alike become one, with letters for the agents. A condition is generalised only if
//! every instance of it is there: nothing is concluded from symmetry.

use super::VerifyOptions;
use crate::because::{Because, CellCondition, CellWord, InvariantPart, PlaceMeaning, ValueSet};
use crate::open::Prepared;
use crate::outcome::Evidence;
use std::collections::{BTreeMap, BTreeSet};
use swarmcheck_engine::certificate::{Certificate, Proof};
use swarmcheck_engine::{Subject, Task};
use swarmcheck_ir::flat::Cell;
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{Rule, UNDEF, Value, cancel};
use swarmcheck_proof::readable::readable;

/// Larger sets of values are not listed.
const LISTED: usize = 12;

/// Conditions about more agents are told one by one.
const LETTERS: usize = 3;

/// A condition on the cell of an agent, by number.
type Condition = (CellWord, Option<u32>, ValueSet);

/// Adds the invariant of a certificate to what is known about a property.
pub(super) fn told(
    prepared: &Prepared,
    options: &VerifyOptions,
    property: usize,
    certificate: &Certificate,
    because: &mut Because,
) {
    if let [Proof::Integers { words, .. }] = &certificate.proofs[..] {
        because.integers.clone_from(words);
        return;
    }
    let mut task = Task::new(&prepared.flat);
    task.ignore_deadlock = options.ignore_deadlock;
    task.fairness = options.fairness;
    let found = cancel::spare(|| readable(&task, Subject::Property(property), certificate));
    let Some(found) = found else { return };
    because.unreadable = found.unreadable;
    let mut all: Vec<Vec<Condition>> = vec![];
    let condition = |slot: &u32, values: &BTreeSet<Value>, domain: &BTreeSet<Value>| {
        let cell = found.cells.get(slot)?;
        Some((word(prepared, cell)?, cell.agent, set(values, domain)?))
    };
    for (slot, (values, _)) in found.domains.iter().filter(|(_, (_, news))| *news) {
        match condition(slot, values, &BTreeSet::new()) {
            Some(one) => all.push(vec![one]),
            None => because.unreadable += 1,
        }
    }
    for clause in &found.clauses {
        let each = clause.iter().map(|(slot, values)| {
            let (domain, _) = found.domains.get(slot)?;
            condition(slot, values, domain)
        });
        match each.collect::<Option<Vec<Condition>>>() {
            Some(mut conditions) => {
                conditions.sort();
                all.push(conditions);
            }
            None => because.unreadable += 1,
        }
    }
    because.places = places(prepared, &all);
    because.invariant = grouped(prepared, all);
}

/// Evidence with what its certificate says of an invariant over integers.
pub(super) fn in_words(evidence: Evidence, certificate: Option<&Certificate>) -> Evidence {
    let Some([Proof::Integers { words, .. }]) = certificate.map(|certificate| &certificate.proofs[..]) else {
        return evidence;
    };
    match evidence {
        Evidence::IntegerInvariant { .. } => Evidence::IntegerInvariant { parts: words.clone() },
        Evidence::IntegerInduction { states, .. } => {
            Evidence::IntegerInduction { states, parts: words.clone() }
        }
        other => other,
    }
}

/// The meaning of all values of the places that are mentioned.
fn places(prepared: &Prepared, all: &[Vec<Condition>]) -> Vec<PlaceMeaning> {
    let program = &prepared.flat.program;
    let mut out = BTreeSet::new();
    for (cell, agent, _) in all.iter().flatten() {
        let (CellWord::Place(place), Some(agent)) = (cell, agent) else { continue };
        let kind = program.kind_of(*agent);
        let named = |var: &swarmcheck_ir::Var| var.role == Role::Location && last(&var.name) == *place;
        let Some(number) = program.vars.iter().position(named) else { continue };
        let mut next: BTreeMap<i64, Vec<String>> = BTreeMap::new();
        for function in program.functions.iter().filter(|function| function.owners.contains(&kind)) {
            for (_, value) in function.entry.iter().filter(|(var, _)| var.0 as usize == number) {
                let words = match &function.rule {
                    Rule::Action { words, .. } => words.clone(),
                    Rule::System { verb, object, .. } => format!("{verb} {object}"),
                };
                let actions = next.entry(*value).or_default();
                if !actions.contains(&words) {
                    actions.push(words);
                }
            }
        }
        let kind = &program.kind(kind).name;
        out.extend(next.into_iter().map(|(value, next)| PlaceMeaning {
            owner: kind.clone(),
            place: place.clone(),
            value,
            next,
        }));
    }
    out.into_iter().collect()
}

/// `pc.0`, `propagate.item`, `order.item`: the last part is the number of a component or the name of a tuple.
fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// What a cell is to the user; none for what the user has not written.
fn word(prepared: &Prepared, cell: &Cell) -> Option<CellWord> {
    let var = prepared.flat.program.vars.get(cell.var.0 as usize)?;
    Some(match var.role {
        Role::Data { .. } => CellWord::Variable(cell.name(&prepared.flat.program)),
        Role::Location => CellWord::Place(last(&var.name).to_string()),
        Role::Pending => CellWord::Pending(var.name.clone()),
        Role::Order => CellWord::Rank(last(&var.name).to_string()),
        Role::Turn => CellWord::Turn,
        Role::Step => return None,
    })
}

/// A set of values within a domain as a comparison; within no domain, by itself.
fn set(values: &BTreeSet<Value>, domain: &BTreeSet<Value>) -> Option<ValueSet> {
    let shown = |value: Value| (value != UNDEF).then_some(value);
    let others: Vec<Value> = domain.difference(values).copied().collect();
    let numbers: Vec<Value> = values.iter().copied().filter(|v| *v != UNDEF).collect();
    let (low, high) = (numbers.first().copied(), numbers.last().copied());
    let has_undef = values.contains(&UNDEF);
    // All numbers between the smallest and the largest, of those that the domain has.
    let between = |low: Value, high: Value| match domain.is_empty() {
        true => high.abs_diff(low) + 1 == numbers.len() as u64,
        false => domain.iter().filter(|v| **v != UNDEF && (low..=high).contains(*v)).count() == numbers.len(),
    };
    if let ([one], 1) = (&numbers[..], values.len()) {
        return Some(ValueSet::Is(Some(*one)));
    }
    if numbers.is_empty() && has_undef {
        return Some(ValueSet::Is(None));
    }
    // `x != 1` is false of what is undefined.
    if let ([one], true) = (&others[..], !has_undef || others == [UNDEF]) {
        let one = *one;
        return Some(ValueSet::IsNot(shown(one)));
    }
    if let (Some(low), Some(high), false) = (low, high, has_undef)
        && between(low, high)
    {
        let numbers = || domain.iter().copied().filter(|v| *v != UNDEF);
        // A comparison is false of what is undefined, as the set is.
        return Some(match (numbers().min(), numbers().max()) {
            (Some(least), _) if least == low => ValueSet::AtMost(high),
            (_, Some(most)) if most == high => ValueSet::AtLeast(low),
            _ => ValueSet::Between(low, high),
        });
    }
    (values.len() <= LISTED).then(|| ValueSet::OneOf(values.iter().map(|v| shown(*v)).collect()))
}

/// Conditions with letters where all agents of a kind are alike.
fn grouped(prepared: &Prepared, all: Vec<Vec<Condition>>) -> Vec<InvariantPart> {
    let program = &prepared.flat.program;
    let known: BTreeSet<Vec<Condition>> = all.iter().cloned().collect();
    let mut told: BTreeSet<Vec<Condition>> = BTreeSet::new();
    let mut out = vec![];
    for clause in all {
        if told.contains(&clause) {
            continue;
        }
        let mut agents: Vec<u32> = clause.iter().filter_map(|(_, agent, _)| *agent).collect();
        agents.sort_unstable();
        agents.dedup();
        let alone = |agent: &u32| program.kind(program.kind_of(*agent)).count < 2;
        let instances = match agents.len() {
            1..=LETTERS if !agents.iter().any(alone) => instances(prepared, &clause, &agents),
            _ => vec![],
        };
        let general = !instances.is_empty() && instances.iter().all(|instance| known.contains(instance));
        let letter =
            |agent: u32| agents.iter().position(|a| *a == agent).map(|at| ["a", "b", "c"][at.min(2)]);
        let name = |agent: u32| match letter(agent).filter(|_| general) {
            Some(letter) => letter.to_string(),
            None => program.agent_name(agent),
        };
        let any_of = clause.iter().map(|(cell, agent, values)| CellCondition {
            cell: cell.clone(),
            agent: agent.map(name),
            values: values.clone(),
        });
        let kind = |agent: &u32| (name(*agent), program.kind(program.kind_of(*agent)).name.clone());
        let letters = if general { agents.iter().map(kind).collect() } else { vec![] };
        out.push(InvariantPart { agents: letters, any_of: any_of.collect() });
        told.insert(clause);
        if general {
            told.extend(instances);
        }
    }
    out
}

/// A clause with other agents of the same kinds in place of its own, all different, in every way.
fn instances(prepared: &Prepared, clause: &[Condition], agents: &[u32]) -> Vec<Vec<Condition>> {
    let program = &prepared.flat.program;
    let mut ways: Vec<BTreeMap<u32, u32>> = vec![BTreeMap::new()];
    for agent in agents {
        let kind = program.kind(program.kind_of(*agent));
        let mut longer = vec![];
        for way in &ways {
            let free =
                (kind.first..kind.first + kind.count).filter(|other| !way.values().any(|o| o == other));
            longer.extend(free.map(|other| {
                let mut way = way.clone();
                way.insert(*agent, other);
                way
            }));
        }
        ways = longer;
    }
    let renamed = |way: BTreeMap<u32, u32>| {
        let one = |(cell, agent, values): &Condition| {
            let agent = agent.map(|agent| way.get(&agent).copied().unwrap_or(agent));
            (cell.clone(), agent, values.clone())
        };
        let mut out: Vec<Condition> = clause.iter().map(one).collect();
        out.sort();
        out
    };
    ways.into_iter().map(renamed).collect()
}
