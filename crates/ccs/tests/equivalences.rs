//! All CCS terms up to a small size: every pair is compared by every relation, and the verdict is that of the definition.

#![allow(clippy::disallowed_macros, reason = "says how much was compared")]

mod common;
#[path = "../../lts/tests/naive/mod.rs"]
#[allow(dead_code)]
mod naive;

use common::{by_triples, read};
use std::collections::BTreeSet;
use swarmcheck_lts::{Builder, Lts, Relation, compare};

/// All terms of exactly this size, for each size up to `most`; the size counts actions and operators.
fn terms(most: usize) -> Vec<Vec<String>> {
    let mut all = vec![vec!["0".to_string()]];
    for size in 1..=most {
        let mut here = vec![];
        for action in ["a", "'a", "tau"] {
            here.extend(all[size - 1].iter().map(|term| format!("{action}.({term})")));
        }
        for (left, right) in
            (0..size).map(|left| (left, size - 1 - left)).filter(|(left, right)| left <= right)
        {
            for (at, one) in all[left].iter().enumerate() {
                let others = all[right].iter().skip(if left == right { at } else { 0 });
                here.extend(others.flat_map(|other| ["+", "|"].map(|op| format!("({one}) {op} ({other})"))));
            }
        }
        all.push(here);
    }
    all
}

/// With the spelling of the invisible label that transition systems use.
fn system(term: &str) -> Lts {
    let lts = by_triples(&read(&format!("proc P = {term}")));
    let mut builder = Builder::new();
    builder.at_least(lts.states());
    for (from, label, to) in lts.all_steps() {
        builder.step(from, if lts.label(label) == "tau" { "i" } else { lts.label(label) }, to);
    }
    builder.finish(lts.initial())
}

/// The traces of a system without loops.
fn traces(lts: &Lts, state: u32) -> BTreeSet<Vec<&str>> {
    let mut out = BTreeSet::from([vec![]]);
    for &(label, to) in lts.steps(state) {
        for rest in traces(lts, to) {
            let first = lts.label(label);
            out.insert(if first == "i" { rest } else { [&[first], rest.as_slice()].concat() });
        }
    }
    out
}

#[test]
fn all_small_terms() {
    let terms: Vec<String> = terms(3).concat();
    assert_eq!(terms.len(), 186);
    let systems: Vec<Lts> = terms.iter().map(|term| system(term)).collect();
    let traces: Vec<_> = systems.iter().map(|lts| traces(lts, lts.initial())).collect();
    let mut counts = [0; 4];
    for (i, a) in systems.iter().enumerate() {
        for (j, b) in systems.iter().enumerate().skip(i + 1) {
            let relations = [Relation::Strong, Relation::Branching, Relation::Weak, Relation::Trace];
            for (at, relation) in relations.into_iter().enumerate() {
                let alike = compare(a, b, relation, &|_| false).unwrap().is_none();
                let expected = match relation {
                    Relation::Trace => traces[i] == traces[j],
                    _ => naive::alike(a, b, relation),
                };
                assert_eq!(alike, expected, "{relation:?}: {} and {}", terms[i], terms[j]);
                counts[at] += u32::from(alike);
            }
        }
    }
    // Each relation is coarser than the one before it. Terms this small cannot tell weak from branching bisimilarity: that
    // takes Milner's third law, which is among the textbook pairs of the crate `lts`.
    println!("alike: {counts:?}");
    assert!(counts[0] < counts[1] && counts[1] <= counts[2] && counts[2] < counts[3], "{counts:?}");
}
