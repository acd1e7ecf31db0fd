//! Random systems: what is proved must hold in every member that search can decide, and stand up to a second opinion.

use crate::harness::{Found, all_sizes, decide, decide_with, family, invariant, program, proved};
use crate::random::{Random, random};
use crate::recheck::{Checked, MOST, recheck};
use crate::second::second_opinion;
use std::collections::BTreeMap;
use std::time::Duration;
use swarmcheck_engine::Reductions;
use swarmcheck_ir::KindId;
use swarmcheck_labs::lower;
use swarmcheck_parametric::{Family, NotProved, Proof};

/// What happened.
#[derive(Default, Debug)]
struct Tally {
    systems: u64,
    refused: u64,
    /// With a property that holds in all members that were looked at.
    true_ones: u64,
    false_ones: u64,
    /// Of these, those of which a property was proved.
    some_proved: u64,
    asked: u64,
    proved: u64,
    /// Of these, those whose invariant has clauses, existential properties, and global identities.
    with_clauses: u64,
    with_witnesses: u64,
    with_identities: u64,
    with_messages: u64,
    /// Refuted by a small member.
    refuted: u64,
    /// Members that search has decided after a proof.
    members: u64,
    /// Sizes at which all states of the invariant were enumerated, and how many states.
    rechecked: u64,
    too_many: u64,
    states: u64,
    /// Bounds of ours that are larger.
    larger: u64,
    smaller: u64,
    why_not: BTreeMap<String, u64>,
}

struct Patience {
    prove: Duration,
    search: Duration,
    most: u32,
    /// More states of an invariant are not enumerated.
    states: u64,
}

fn options(seed: u64) -> lower::Options {
    let semantics = if seed % 7 == 3 { lower::Semantics::Paper } else { lower::Semantics::Sliver };
    let choice = if seed % 11 == 5 { lower::Choice::Early } else { lower::Choice::Late };
    lower::Options { sync: seed % 5 == 2, semantics, choice, ..lower::Options::default() }
}

fn attempt(seed: u64, patience: &Patience, tally: &mut Tally) -> Result<(), String> {
    let system = random(seed);
    let Random { open, candidates, .. } = &system;
    tally.systems += 1;
    let readable =
        |claim: &String| program(&system.text(std::slice::from_ref(claim)), "", options(seed)).is_ok();
    let claims: Vec<String> = candidates.iter().filter(|claim| readable(claim)).cloned().collect();
    let Ok(base) = program(&system.text(&claims), "", options(seed)) else {
        tally.refused += 1;
        return Ok(());
    };
    let family = family(base, open);
    // A property that holds in small members, if there is one; otherwise the first.
    let small = all_sizes(&family, 3.max(family.smallest().iter().sum::<u32>() + 1));
    let holds = |property: usize| {
        small.iter().all(|s| decide(family.at(s), property, patience.search) == Found::Holds)
    };
    let truths: Vec<usize> = (0..claims.len()).filter(|property| holds(*property)).take(1).collect();
    *(if truths.is_empty() { &mut tally.false_ones } else { &mut tally.true_ones }) += 1;
    let proved = tally.proved;
    let chosen = if truths.is_empty() { vec![0] } else { truths.clone() };
    for property in chosen.into_iter().take(claims.len()) {
        let context = || {
            format!(
                "seed {seed}, {open:?}, {:?}\n{}",
                options(seed),
                system.text(&claims[property..=property])
            )
        };
        attempt_property(&family, property, !truths.is_empty(), patience, tally)
            .map_err(|why| format!("{why}\n{}", context()))?;
    }
    tally.some_proved += u64::from(tally.proved > proved && !truths.is_empty());
    Ok(())
}

fn attempt_property(
    family: &Family,
    property: usize,
    true_one: bool,
    patience: &Patience,
    tally: &mut Tally,
) -> Result<(), String> {
    tally.asked += 1;
    match proved(family, property, patience.prove) {
        Ok(proof) => check_proof(family, property, &proof, patience, tally),
        Err(why) => {
            if why == NotProved::Violated {
                refuted(family, property, patience, tally)?;
            }
            if true_one {
                let name = match &why {
                    NotProved::Premise(premise) => {
                        format!(
                            "Premise {}",
                            format!("{:?}", premise.broken).split([' ', '{', '(']).next().unwrap_or("")
                        )
                    }
                    NotProved::Engine(why) => format!("Engine: {why}"),
                    other => format!("{other:?}").split([' ', '{', '(']).next().unwrap_or("").to_string(),
                };
                *tally.why_not.entry(name).or_default() += 1;
            }
            Ok(())
        }
    }
}

/// A refutation is one, too: some member with one to three agents of each open kind violates the property, or meets an error.
fn refuted(family: &Family, property: usize, patience: &Patience, tally: &mut Tally) -> Result<(), String> {
    tally.refuted += 1;
    let sizes = (1..=3).map(|count| family.open.iter().map(|(_, low)| count.max(*low)).collect::<Vec<u32>>());
    let all: Vec<Found> = sizes
        .map(|sizes| decide_with(family.at(&sizes), property, patience.search, Reductions::NONE))
        .collect();
    match all.iter().all(|found| *found == Found::Holds) {
        true => Err("FALSE REFUTATION: small members satisfy the property".to_string()),
        false => Ok(()),
    }
}

pub(crate) fn opinion_sizes(
    family: &Family,
    proof: &Proof,
    tally_larger: &mut u64,
    tally_smaller: &mut u64,
) -> Result<u32, String> {
    let open: Vec<KindId> = family.open.iter().map(|(kind, _)| *kind).collect();
    let opinion = second_opinion(family.base(), &open, &proof.property, &proof.clauses)
        .map_err(|why| format!("SECOND OPINION REFUSES: {why}"))?;
    if opinion.holds.is_none() {
        return Err("SECOND OPINION: the property cannot be a hypothesis".to_string());
    }
    let (ours, theirs) = (opinion.induction() as u32, proof.bound.induction());
    *tally_larger += u64::from(ours > theirs);
    *tally_smaller += u64::from(ours < theirs);
    if ours > theirs || opinion.initiation() as u32 > proof.bound.initiation() {
        return Err(format!("BOUND: {opinion:?} is larger than {:?}", proof.bound));
    }
    for sizes in family.sizes(ours) {
        if !proof.sizes.contains(&sizes) {
            return Err(format!("SIZE {sizes:?} was not checked"));
        }
    }
    Ok(theirs.max(ours))
}

fn check_proof(
    family: &Family,
    property: usize,
    proof: &Proof,
    patience: &Patience,
    tally: &mut Tally,
) -> Result<(), String> {
    tally.proved += 1;
    tally.with_clauses += u64::from(!proof.clauses.is_empty());
    tally.with_witnesses += u64::from(proof.bound.invariant > 0);
    tally.with_identities += u64::from(proof.bound.identities > 0);
    tally.with_messages += u64::from(family.base().vars.iter().any(|v| v.name.starts_with("order")));
    for sizes in all_sizes(family, patience.most) {
        match decide(family.at(&sizes), property, patience.search) {
            Found::Holds => tally.members += 1,
            Found::Unknown => break,
            found => return Err(format!("FALSE PROOF: {found:?} at {sizes:?}; {:?}", proof.bound)),
        }
    }
    let most = opinion_sizes(family, proof, &mut tally.larger, &mut tally.smaller)?;
    for sizes in all_sizes(family, most + 1) {
        match recheck(&invariant(family, proof), &sizes, patience.states)
            .map_err(|why| format!("RECHECK at {sizes:?}: {why}"))?
        {
            Checked::States(states) => {
                tally.rechecked += 1;
                tally.states += states;
            }
            Checked::TooMany => tally.too_many += 1,
        }
    }
    Ok(())
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn run(seeds: std::ops::Range<u64>, patience: &Patience) -> (Tally, Vec<String>) {
    let (mut tally, mut failures) = (Tally::default(), vec![]);
    for seed in seeds {
        if let Err(why) = attempt(seed, patience, &mut tally) {
            println!("{why}\n");
            failures.push(why);
        }
        if seed % 100 == 99 {
            println!("{seed}: {tally:?}");
        }
    }
    (tally, failures)
}

#[test]
fn slice() {
    let patience = Patience {
        prove: Duration::from_secs(2),
        search: Duration::from_millis(300),
        most: 5,
        states: 10_000,
    };
    let (tally, failures) = run(0..30, &patience);
    println!("{tally:?}");
    assert!(failures.is_empty(), "{failures:#?}");
    assert_eq!(tally.systems, 30);
    assert!(tally.false_ones > 0 && tally.with_clauses > 0);
    assert!(tally.some_proved * 5 >= tally.true_ones, "{tally:?}");
}

/// `SWARMCHECK_SYSTEMS=5000 cargo test --release -p swarmcheck-parametric --test hunt -- --ignored long_run --nocapture`
#[test]
#[ignore = "the long run"]
fn long_run() {
    let first = number("SWARMCHECK_SEED", 0);
    let patience = Patience {
        prove: Duration::from_secs(2),
        search: Duration::from_secs(1),
        most: 6,
        states: number("SWARMCHECK_STATES", MOST),
    };
    let (tally, failures) = run(first..first + number("SWARMCHECK_SYSTEMS", 1000), &patience);
    println!("{tally:#?}");
    assert!(failures.is_empty(), "{failures:#?}");
}
