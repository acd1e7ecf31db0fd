//! Listing 5 of the TOSEM paper and its safe variant, and random choreographies against the literal rules.

#![allow(clippy::disallowed_macros, reason = "says how much was compared")]

#[path = "common/terms.rs"]
mod terms;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use swarmcheck_calculi::rules::Rules;
use swarmcheck_chor::{Specification, check, lower};
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control};
use swarmcheck_explicit::labelled::explore;
use swarmcheck_lts::{Builder, Equivalence, Lts, Relation, compare, equivalent};
use terms::Random;

const STOCK: &str =
    "choreography Stock = (iron@bk + steel@bk); *(look@bk); bid[bk,mk]; (save@mk || check@mk);
    result[bd,mk]; change@bd; (notify[bd,bk] + skip)";
const STOCK_SAFE: &str = "choreography StockSafe = (iron@bk + steel@bk); *(look@bk); bid[bk,mk];
    (save@mk || check@mk); result[bd,mk]; (change@bd + skip); notify[bd,bk]";

fn read(text: &str, system: &str) -> Specification {
    let (spec, found) = check(text, Some(system));
    spec.unwrap_or_else(|| panic!("{text}\n{found:?}"))
}

fn spelt(label: &str) -> &str {
    if label == "tau" { "i" } else { label }
}

fn by_rules(spec: &Specification, most: usize) -> Option<Lts> {
    let mut numbers = BTreeMap::from([(spec.start(), 0)]);
    let mut todo = vec![spec.start()];
    let mut builder = Builder::new();
    builder.at_least(1);
    while let Some(term) = todo.pop() {
        for (label, next) in spec.steps(&term) {
            let fresh = numbers.len() as u32;
            let number = *numbers.entry(next.clone()).or_insert(fresh);
            if number == fresh {
                todo.push(next);
            }
            builder.step(numbers[&term], spelt(&label), number);
        }
        if numbers.len() > most {
            return None;
        }
    }
    Some(builder.finish(0))
}

fn by_triples(spec: &Specification) -> Lts {
    let lowered = lower::lower(spec, false).expect("triples");
    swarmcheck_ir::validate::validate(&lowered.program).expect("a valid program");
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let found = explore(&lowered.program, &control).expect("a system");
    let mut builder = Builder::new();
    builder.at_least(found.states);
    for (from, instance, to) in &found.steps {
        builder.step(*from, spelt(&lowered.labels[instance.function as usize]), *to);
    }
    builder.finish(0)
}

fn deadlocks(lts: &Lts) -> usize {
    (0..lts.states()).filter(|&state| lts.steps(state).is_empty()).count()
}

/// The projections of listing 5, word for word but for the notation.
#[test]
fn projections_of_listing_5() {
    let spec = read(STOCK, "peers");
    let peers: Vec<String> = spec.peers.iter().map(|(peer, part)| format!("{peer} = {part}")).collect();
    assert_eq!(
        peers,
        [
            "bk = (iron@bk + steel@bk); *(look@bk); bid[bk,mk]; (notify[bd,bk] + skip)",
            "mk = bid[bk,mk]; (save@mk || check@mk); result[bd,mk]",
            "bd = result[bd,mk]; change@bd; (notify[bd,bk] + skip)",
        ]
    );
}

/// Section 5.2: board and broker may take different branches; in the safe variant there is nothing to disagree about.
#[test]
fn stock_deadlocks_and_its_safe_variant_does_not() {
    for (text, stuck) in [(STOCK, true), (STOCK_SAFE, false)] {
        let spec = read(text, "peers");
        let (rules, program) = (by_rules(&spec, 10_000).unwrap(), by_triples(&spec));
        assert!(equivalent(&rules, &program, Equivalence::Strong));
        assert_eq!(deadlocks(&rules) > 0, stuck);
        assert_eq!(deadlocks(&program) > 0, stuck);
    }
}

fn realizes(text: &str) -> Option<Vec<String>> {
    let (whole, peers) = (by_triples(&read(text, "choreography")), by_triples(&read(text, "peers")));
    let difference = compare(&whole, &peers, Relation::Trace, &|_| false).unwrap();
    difference.map(|d| d.trace.unwrap().0)
}

/// Both have the traces of their choreographies: bid, result and notify order everything across the peers. With nothing
/// to order them, b may come first; and if two peers choose by themselves, either may be chosen by one of them.
#[test]
fn trace_equivalence() {
    assert_eq!(realizes(STOCK_SAFE), None);
    assert_eq!(realizes("choreography C = a@p; b@q"), Some(vec!["b@q".into()]));
    assert_eq!(realizes("choreography C = a@p; m[p,q]; b@q"), None);
    assert_eq!(realizes("choreography C = (a@p; b@q + c@p; d@q)").map(|trace| trace.len()), Some(1));
}

#[test]
fn random_choreographies() {
    let (mut compared, mut stuck, mut different) = (0, 0, 0);
    for seed in 0..400 {
        let text = format!("choreography C = {}; a@p", Random::new(seed).chor(7));
        let mut systems = vec![];
        for system in ["choreography", "peers"] {
            let spec = read(&text, system);
            let Some(rules) = by_rules(&spec, 2_000) else { continue };
            let program = by_triples(&spec);
            assert!(equivalent(&rules, &program, Equivalence::Strong), "seed {seed}: {text} as {system}");
            assert_eq!(deadlocks(&rules) > 0, deadlocks(&program) > 0);
            // A choreography itself can always go on or has ended.
            assert!(system == "peers" || deadlocks(&rules) == 0, "{text}");
            stuck += u32::from(deadlocks(&rules) > 0);
            compared += 1;
            systems.push(program);
        }
        if let [whole, peers] = &systems[..] {
            let apart = compare(whole, peers, Relation::Trace, &|_| false).unwrap();
            different += u32::from(apart.is_some());
            // Natural projection loses no behaviour: whatever the choreography can do, its peers can.
            assert!(apart.is_none_or(|d| !d.trace.unwrap().1), "{text}");
        }
    }
    println!("{compared} compared, {stuck} can get stuck, {different} do more than they should");
    assert!(compared > 700 && stuck > 20 && different > 100);
}
