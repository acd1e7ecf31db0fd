//! The deletion lemma, tested: from any step of a large member, agents can be deleted one by one, with the same step left, until no more are there than
//! the bound says. States are random, reachable or not, since the lemma speaks of all of them.

use crate::harness::{family, program};
use crate::random::random;
use crate::second::second_opinion;
use crate::sorts::{Sort, Sorts};
use fastrand::Rng;
use swarmcheck_ir::flat::{Enumerate, Flat, Instance, Layout, Machine, Outcome};
use swarmcheck_ir::{Expr, KindId, UNDEF, Value, VarId};
use swarmcheck_labs::lower;
use swarmcheck_parametric::deletion::Witnesses;
use swarmcheck_parametric::{Family, Sizes};

/// Where a step leads: to a state, or to an error.
type End = Option<Vec<Value>>;

#[derive(Default, Debug)]
struct Tally {
    systems: u64,
    steps: u64,
    errors: u64,
    deletions: u64,
    /// Steps that could be reduced to exactly as many agents as the bound says, and no further.
    tight: u64,
}

fn random_state(rng: &mut Rng, flat: &Flat, sorts: &Sorts) -> Vec<Value> {
    let program = &flat.program;
    let mut state: Vec<Value> = flat
        .layout
        .cells()
        .map(|(_, cell)| {
            let var = program.var(cell.var);
            match sorts.of_variable(cell.var) {
                Sort::Rank(_) => rng.i64(0..4),
                Sort::Identity if rng.u8(..4) > 0 => rng.i64(0..i64::from(program.agents())),
                Sort::Identity | Sort::Undefined => UNDEF,
                Sort::Data if var.may_be_undef && rng.u8(..4) == 0 => UNDEF,
                Sort::Data => {
                    let (lo, hi) = var.domain.unwrap_or((0, 2));
                    rng.i64(lo..=hi)
                }
            }
        })
        .collect();
    make_dense(flat, sorts, &mut state);
    state
}

fn make_dense(flat: &Flat, sorts: &Sorts, state: &mut [Value]) {
    for var in (0..flat.program.vars.len() as u32).map(VarId) {
        if matches!(sorts.of_variable(var), Sort::Rank(_)) {
            let slots: Vec<u32> =
                flat.layout.copies(var).iter().copied().filter(|s| *s != Layout::ABSENT).collect();
            let mut ranks: Vec<Value> = slots.iter().map(|slot| state[*slot as usize]).collect();
            ranks.sort_unstable();
            ranks.dedup();
            for slot in slots {
                let rank = ranks.iter().position(|rank| *rank == state[slot as usize]);
                state[slot as usize] = rank.expect("it is among them") as Value;
            }
        }
    }
}

/// The state without an agent; `None` if a global variable names it.
fn without(large: &Flat, small: &Flat, sorts: &Sorts, state: &[Value], gone: u32) -> Option<Vec<Value>> {
    let mut out = vec![];
    for (_, mut cell) in small.layout.cells() {
        cell.agent = cell.agent.map(|agent| agent + u32::from(agent >= gone));
        let value = state[large.layout.slot(cell).expect("a cell of an agent that is left") as usize];
        out.push(match sorts.of_variable(cell.var) {
            Sort::Identity if value == Value::from(gone) => return None,
            Sort::Identity if value > Value::from(gone) => value - 1,
            _ => value,
        });
    }
    make_dense(small, sorts, &mut out);
    Some(out)
}

/// All ends of an instance.
fn ends(flat: &Flat, at: Instance, state: &[Value]) -> Vec<End> {
    let (mut machine, mut runs, mut out) = (Machine::new(flat), Enumerate::default(), vec![]);
    loop {
        let mut next = state.to_vec();
        match machine.step(flat, at, &mut next, &mut runs) {
            Outcome::Done => out.push(Some(next)),
            Outcome::Fault(_) => out.push(None),
            Outcome::Disabled => {}
        }
        if !runs.advance() || out.len() > 200 {
            return out;
        }
    }
}

/// A step of a member.
struct Step {
    sizes: Sizes,
    at: Instance,
    before: Vec<Value>,
    after: End,
}

/// The step without some agent, if there is one without which it is left.
fn smaller(family: &Family, sorts: &Sorts, step: &Step) -> Option<Step> {
    let large = Flat::new(family.at(&step.sizes));
    for gone in (0..large.program.agents()).filter(|agent| *agent != step.at.agent) {
        let kind = large.program.kind_of(gone);
        let Some(open) = family.open.iter().position(|(k, _)| *k == kind) else { continue };
        let mut sizes = step.sizes.clone();
        sizes[open] -= 1;
        let small = Flat::new(family.at(&sizes));
        let Some(before) = without(&large, &small, sorts, &step.before, gone) else { continue };
        let after = match &step.after {
            None => None,
            Some(after) => match without(&large, &small, sorts, after, gone) {
                None => continue,
                after => after,
            },
        };
        let at = Instance { agent: step.at.agent - u32::from(step.at.agent > gone), ..step.at };
        if ends(&small, at, &before).contains(&after) {
            return Some(Step { sizes, at, before, after });
        }
    }
    None
}

fn attempt(seed: u64, states: u32, tally: &mut Tally) -> Result<(), String> {
    let system = random(seed);
    let text = system.text(&["true".to_string()]);
    let Ok(base) = program(&text, "", lower::Options::default()) else { return Ok(()) };
    let family = family(base, &system.open.iter().map(|(kind, _)| (*kind, 0)).collect::<Vec<_>>());
    let open: Vec<KindId> = family.open.iter().map(|(kind, _)| *kind).collect();
    let Ok(theirs) = Witnesses::new(family.open()) else { return Ok(()) };
    let ours = second_opinion(family.base(), &open, &Expr::TRUE, &[])
        .map_err(|why| format!("seed {seed}: the second opinion refuses: {why}\n{text}"))?;
    let sorts = Sorts::infer(family.base())?;
    tally.systems += 1;
    let mut rng = Rng::with_seed(seed);
    for _ in 0..states {
        let sizes: Sizes = family.open.iter().map(|_| rng.u32(3..6)).collect();
        let flat = Flat::new(family.at(&sizes));
        let before = random_state(&mut rng, &flat, &sorts);
        let at = flat.instance(rng.u32(..flat.instances()));
        let all = ends(&flat, at, &before);
        let Some(after) = all.get(rng.usize(..all.len().max(1))).cloned() else { continue };
        let error = after.is_none();
        *(if error { &mut tally.errors } else { &mut tally.steps }) += 1;
        let mut step = Step { sizes, at, before, after };
        while let Some(next) = smaller(&family, &sorts, &step) {
            tally.deletions += 1;
            step = next;
        }
        let left: u32 = step.sizes.iter().sum();
        // Where an error occurs, a quantifier or a loop may bind one more agent; deeper ones are not generated, but for one of depth two.
        let theirs = theirs.of(at.function as usize) + theirs.globals + if error { 2 } else { 0 };
        let ours = (ours.step + ours.identities + if error { ours.errors[0] } else { 0 }) as u32;
        tally.tight += u64::from(left == theirs);
        if left > theirs || left > ours {
            return Err(format!(
                "seed {seed}: {left} agents are needed, not {theirs} or {ours}, for {at:?} from {:?} to {:?}\n{text}",
                step.before, step.after
            ));
        }
    }
    Ok(())
}

fn run(seeds: std::ops::Range<u64>, states: u32) -> Tally {
    let mut tally = Tally::default();
    seeds.for_each(|seed| attempt(seed, states, &mut tally).unwrap_or_else(|why| panic!("{why}")));
    println!("{tally:?}");
    tally
}

#[test]
fn steps_can_be_made_smaller() {
    let tally = run(0..150, 40);
    assert!(tally.systems >= 90 && tally.steps > 500 && tally.tight > 50 && tally.errors > 0, "{tally:?}");
}

/// `SWARMCHECK_SYSTEMS=5000 cargo test --release -p swarmcheck-parametric --test hunt -- --ignored long_lemma --nocapture`
#[test]
#[ignore = "the long run"]
fn long_lemma() {
    let systems = std::env::var("SWARMCHECK_SYSTEMS").ok().and_then(|text| text.parse().ok());
    run(0..systems.unwrap_or(2000), 100);
}
