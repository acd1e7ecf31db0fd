//! Scopes as monitors, against the automaton that follows single runs.

use crate::models::{example, read, valid};
use swarmcheck_ir::flat::{Chooser, Flat, Machine, Outcome};
use swarmcheck_ir::{Modality, Program, Value};
use swarmcheck_labs::lower::Options;
use swarmcheck_logic::watch::{Status, Truth, Watch};
use swarmcheck_passes::monitor::monitor;

struct Dice(fastrand::Rng);

impl Dice {
    fn new(seed: u64) -> Dice {
        Dice(fastrand::Rng::with_seed(seed))
    }

    fn below(&mut self, n: u64) -> u64 {
        self.0.u64(..n)
    }
}

impl Chooser for Dice {
    fn choose(&mut self, n: u64) -> u64 {
        self.below(n)
    }
}

/// Follows random runs of the monitored program; how often each status was seen.
fn follow(program: &Program, property: usize, runs: u32, steps: u32, dice: &mut Dice) -> [u32; 3] {
    let monitored = monitor(program, property);
    let slot = |flat: &Flat| flat.layout.global(monitored.state) as usize;
    let flat = Flat::new(valid(monitored.program.clone()));
    let slot = slot(&flat);
    assert_eq!(monitored.state.0 as usize, program.vars.len(), "the new variable is the last one");
    let conditions: Vec<_> = program.properties[property].exprs().iter().map(|e| flat.compile(e)).collect();
    let waiting = monitored.waiting.as_ref().map(|e| flat.compile(e));
    let mut machine = Machine::new(&flat);
    let mut seen = [0; 3];
    for _ in 0..runs {
        let mut watch = Watch::new(&program.properties[property].modality);
        let mut state = vec![0; flat.width()];
        while machine.initialise(&flat, &mut state, dice) != Outcome::Done {}
        for step in 0..steps {
            let truth: Vec<bool> =
                conditions.iter().map(|c| machine.test(&flat, c, &state).expect("no fault")).collect();
            watch.observe(step, Truth::from_exprs(truth));
            let status = watch.status();
            let bad = state[slot] == monitored.bad;
            let waits = waiting.as_ref().is_some_and(|w| machine.test(&flat, w, &state).expect("no fault"));
            assert_eq!(bad, status == Status::Violated, "{:?} at step {step}", state);
            assert_eq!(waits, status == Status::Undecided, "{:?} at step {step}", state);
            assert_eq!(!bad, flat.holds(&mut machine, property, &state).expect("no fault"));
            seen[if bad { 2 } else { usize::from(waits) }] += 1;
            if !random_step(&flat, &mut machine, &mut state, dice) {
                break;
            }
        }
    }
    seen
}

/// Takes a random step; `false` if none was found.
fn random_step(flat: &Flat, machine: &mut Machine, state: &mut [Value], dice: &mut Dice) -> bool {
    (0..200).any(|_| {
        let at = flat.instance(dice.below(u64::from(flat.instances())) as u32);
        machine.step(flat, at, state, dice) == Outcome::Done
    })
}

#[test]
fn the_crossing() {
    let mut dice = Dice::new(7);
    let mut seen = [0; 3];
    for trains in 1..=3 {
        let program = example("scopes/crossing.labs", &format!("trains={trains}"), Options::default());
        for (number, property) in program.properties.iter().enumerate() {
            if matches!(property.modality, Modality::Scoped { .. }) {
                let more = follow(&program, number, 50, 200, &mut dice);
                seen.iter_mut().zip(more).for_each(|(all, more)| *all += more);
            }
        }
    }
    assert!(seen[0] > 10_000 && seen[2] > 0, "{seen:?}");
}

/// Four bits that flip at random, and every kind of scope over them.
fn bits() -> String {
    let mut checks = String::new();
    for (scope, between) in [("between", "and"), ("from", "until")] {
        for (name, inside) in
            [("Always", "always p = 1"), ("Some", "thereIs p = 1"), ("First", "s = 1 precedes p = 1")]
        {
            checks += &format!("{name}{scope} = {scope} (q = 1) {between} (r = 1), {inside}\n");
            checks += &format!("{name}{scope}Ever = {scope} (q = 1) {between} (false), {inside}\n");
        }
    }
    format!(
        "system {{ environment = p: 0..2; q: 0..2; r: 0..2; s: 0..2 spawn = A: 1 }}
        agent A {{ Behavior = (p <-- 1 - p ++ q <-- 1 - q ++ r <-- 1 - r ++ s <-- 1 - s); Behavior }}
        check {{ {checks} }}"
    )
}

#[test]
fn random_bits() {
    let mut dice = Dice::new(11);
    let program = read(&bits(), "", Options::default());
    assert_eq!(program.properties.len(), 12);
    for number in 0..program.properties.len() {
        let seen = follow(&program, number, 300, 30, &mut dice);
        let ever = program.properties[number].name.ends_with("Ever");
        let closed = program.properties[number].name.contains("between");
        assert_eq!(
            seen[2] > 0,
            !(ever && (closed || program.properties[number].name.starts_with("Some"))),
            "{seen:?}"
        );
        assert_eq!(seen[1] > 0, !closed && program.properties[number].name.starts_with("Some"));
    }
}

#[test]
fn a_condition_that_may_fault_is_always_evaluated() {
    let text = "system { environment = i: 0; a[2]: 0 spawn = A: 1 }
        agent A { Behavior = i <-- 1; i <-- 2 }
        check { P = between (false) and (false), always a[i] = 0 }";
    let program = read(text, "", Options::default());
    let graph = crate::explore::explore(valid(monitor(&program, 0).program));
    assert_eq!((graph.states.len(), graph.faults.len()), (2, 1));
}
