//! Invariants that were changed at one place: what is accepted must stand brute force, and what is refused at a size must fail there.

use crate::harness::{Found, all_sizes, checked, decide, family, invariant, program, proved};
use crate::mutants::{EXAMPLES, text};
use crate::random::{Random, random};
use crate::recheck::{Checked, recheck};
use std::time::Duration;
use swarmcheck_ir::{UNDEF, Value};
use swarmcheck_labs::lower::Options;
use swarmcheck_parametric::clause::{Clause, Fact, Literal};
use swarmcheck_parametric::observe::Values;
use swarmcheck_parametric::{Family, Invariant, NotProved, Proof};

/// More states of an invariant are not enumerated.
const STATES: u64 = 20_000;

#[derive(Default, Debug)]
struct Tally {
    proofs: usize,
    mutants: usize,
    /// Accepted, and every state of the invariant was looked at, at some size and at all sizes that the bound asks for.
    accepted: usize,
    /// Refused at a size, and a state of the invariant there shows why.
    refused: usize,
    /// Outside the class, or not decided in time.
    open: usize,
    /// Too many states at the size in question.
    too_many: usize,
}

/// A changed proof, and what was changed.
struct Mutant {
    what: String,
    clauses: Vec<Clause>,
    values: Values,
}

/// All changes at one place.
fn mutants(family: &Family, proof: &Proof) -> Vec<Mutant> {
    let mut out = vec![];
    let mut add = |what: String, change: &dyn Fn(&mut Vec<Clause>, &mut Values)| {
        let (mut clauses, mut values) = (proof.clauses.clone(), proof.values.clone());
        change(&mut clauses, &mut values);
        if clauses != proof.clauses || values != proof.values {
            out.push(Mutant { what, clauses, values });
        }
    };
    for (at, clause) in proof.clauses.iter().enumerate() {
        add(format!("clause {at} gone"), &|clauses, _| drop(clauses.remove(at)));
        for (number, literal) in clause.never.iter().enumerate() {
            let place = format!("clause {at}, literal {number}");
            let with = |literal: Literal| {
                move |clauses: &mut Vec<Clause>, _: &mut Values| clauses[at].never[number] = literal
            };
            add(format!("{place} gone"), &|clauses, _| clauses[at].never.retain(|other| other != literal));
            add(format!("{place} negated"), &with(Literal { holds: !literal.holds, ..*literal }));
            for fact in other_facts(proof, literal.fact) {
                add(format!("{place}: {fact:?}"), &with(Literal { fact, ..*literal }));
            }
        }
    }
    for (key, set) in &proof.values {
        for value in set {
            add(format!("{key:?} is never {value}"), &|_, values| {
                values.entry(*key).or_default().remove(value);
            });
        }
        let var = family.base().var(key.0);
        let near = set.iter().filter(|value| **value != UNDEF).flat_map(|value| [value - 1, value + 1]);
        for value in near.filter(|value| var.domain.is_some_and(|(low, high)| (low..=high).contains(value))) {
            add(format!("{key:?} may be {value}"), &|_, values| {
                values.entry(*key).or_default().insert(value);
            });
        }
        // A fact about a cell that is claimed of all agents, or of the globals.
        for value in set {
            let cell = swarmcheck_parametric::clause::Cell { var: key.0, index: 0, agent: key.1.map(|_| 0) };
            let never = vec![Literal { fact: Fact::Is(cell, *value), holds: true }];
            let clause = Clause { kinds: key.1.into_iter().collect(), never };
            add(format!("new: never {key:?} = {value}"), &|clauses, _| clauses.push(clause.clone()));
        }
    }
    out
}

/// The same fact with other values or the other way round.
fn other_facts(proof: &Proof, fact: Fact) -> Vec<Fact> {
    let values = |var| {
        let of_var = proof.values.iter().filter(move |((other, _), _)| *other == var);
        of_var.flat_map(|(_, set)| set.iter().copied()).collect::<std::collections::BTreeSet<Value>>()
    };
    match fact {
        Fact::Is(cell, own) => {
            let others = values(cell.var).into_iter().filter(|value| *value != own);
            others.map(|value| Fact::Is(cell, value)).collect()
        }
        Fact::Some(kind, cell, own) => {
            let others = values(cell.var).into_iter().filter(|value| *value != own);
            others.map(|value| Fact::Some(kind, cell, value)).collect()
        }
        Fact::Less(a, b) => vec![Fact::Less(b, a), Fact::Same(a, b)],
        Fact::Same(..) | Fact::Names(..) | Fact::Earlier => vec![],
    }
}

fn judge(
    family: &Family,
    property: usize,
    proof: &Proof,
    mutant: &Mutant,
    tally: &mut Tally,
) -> Result<(), String> {
    let forged = Invariant { clauses: &mutant.clauses, values: &mutant.values, ..invariant(family, proof) };
    tally.mutants += 1;
    match checked(&forged, Duration::from_secs(5)) {
        Ok(extent) => {
            for sizes in all_sizes(family, extent.bound.induction().max(extent.bound.initiation()) + 1) {
                match recheck(&forged, &sizes, STATES) {
                    Ok(Checked::States(_)) => {}
                    Ok(Checked::TooMany) => tally.too_many += 1,
                    Err(why) => return Err(format!("ACCEPTED, but at {sizes:?}: {why}")),
                }
            }
            for sizes in all_sizes(family, 4) {
                if let found @ (Found::Violated | Found::Invalid) =
                    decide(family.at(&sizes), property, Duration::from_secs(1))
                {
                    return Err(format!("ACCEPTED, but {found:?} at {sizes:?}"));
                }
            }
            tally.accepted += 1;
        }
        Err(NotProved::Refuted { sizes, .. }) => match recheck(&forged, &sizes, STATES) {
            Err(_) => tally.refused += 1,
            Ok(Checked::TooMany) => tally.too_many += 1,
            Ok(Checked::States(_)) => return Err(format!("REFUSED at {sizes:?}, where nothing is wrong")),
        },
        Err(_) => tally.open += 1,
    }
    Ok(())
}

/// At most so many mutants of each proof.
fn all(family: &Family, property: usize, each: usize, about: &str, tally: &mut Tally) {
    let Ok(proof) = proved(family, property, Duration::from_secs(10)) else { return };
    tally.proofs += 1;
    let mutants = mutants(family, &proof);
    let step = mutants.len().div_ceil(each).max(1);
    for mutant in mutants.iter().step_by(step) {
        if let Err(why) = judge(family, property, &proof, mutant, tally) {
            panic!("{about}, {}: {why}", mutant.what);
        }
    }
}

fn of_examples(each: usize, tally: &mut Tally) {
    for (path, parameters, open, property) in EXAMPLES {
        let base = program(&text(path), parameters, Options::default()).expect("an example");
        let number = base.properties.iter().position(|p| p.name == property).expect("the property");
        all(&family(base, open), number, each, path, tally);
    }
}

fn of_random_systems(seeds: std::ops::Range<u64>, each: usize, tally: &mut Tally) {
    for seed in seeds {
        let system = random(seed);
        let Random { open, candidates, .. } = &system;
        let readable = |claim: &String| {
            program(&system.text(std::slice::from_ref(claim)), "", Options::default()).is_ok()
        };
        let claims: Vec<String> = candidates.iter().filter(|claim| readable(claim)).cloned().collect();
        let Ok(base) = program(&system.text(&claims), "", Options::default()) else { continue };
        let family = family(base, open);
        for property in 0..claims.len().min(2) {
            let about = || format!("seed {seed}, {open:?}\n{}", system.text(&claims));
            all(&family, property, each, &about(), tally);
        }
    }
}

#[test]
fn changed_invariants_are_refused_or_stand_brute_force() {
    let mut tally = Tally::default();
    of_examples(20, &mut tally);
    of_random_systems(0..100, 8, &mut tally);
    println!("{tally:?}");
    assert!(tally.accepted > 20 && tally.refused > 300, "{tally:?}");
}

/// `cargo test --release -p swarmcheck-parametric --test hunt -- --ignored many_changed_invariants --nocapture`
#[test]
#[ignore = "takes minutes"]
fn many_changed_invariants_are_refused_or_stand_brute_force() {
    let mut tally = Tally::default();
    of_examples(60, &mut tally);
    println!("{tally:?}");
    of_random_systems(0..400, 20, &mut tally);
    println!("{tally:?}");
    assert!(tally.mutants > 1000, "{tally:?}");
}
