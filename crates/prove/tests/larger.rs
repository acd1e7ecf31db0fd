//! Systems too large to enumerate, whose answers follow from an argument.

#![allow(clippy::disallowed_methods, reason = "stops a solver while it works")]

use std::sync::atomic::{AtomicBool, Ordering};

use swarmcheck_aig::{Latch, Lit, System};
use swarmcheck_prove::liveness::{self, LivenessQuestion};
use swarmcheck_prove::{Failure, Limits, ProofVerdict, ic3};

/// Agents in a ring, one of which has a token at first. A step is a choice of an agent that has one: it passes it on to
/// the next. If `copies`, the last agent keeps its token when it passes it on. Bad: two neighbours have a token.
fn ring(agents: usize, copies: bool) -> System {
    let mut system = System::default();
    let tokens: Vec<Lit> = (0..agents).map(|_| system.graph.variable()).collect();
    let bits = agents.ilog2() as usize + 1;
    system.inputs = (0..bits).map(|_| system.graph.variable()).collect();
    let moves: Vec<Lit> = (0..agents)
        .map(|agent| {
            let digits: Vec<Lit> =
                system.inputs.iter().enumerate().map(|(i, x)| x.negate_if(agent >> i & 1 == 0)).collect();
            let chosen = system.graph.all(&digits);
            system.graph.and(chosen, tokens[agent])
        })
        .collect();
    system.valid = system.graph.any(&moves);
    for agent in 0..agents {
        let before = moves[(agent + agents - 1) % agents];
        let keeps = if copies && agent == agents - 1 { Lit::TRUE } else { !moves[agent] };
        let kept = system.graph.and(tokens[agent], keeps);
        let next = system.graph.or(kept, before);
        system.latches.push(Latch { variable: tokens[agent], start: Lit::constant(agent == 0), next });
    }
    let pairs: Vec<Lit> =
        (0..agents).map(|i| system.graph.and(tokens[i], tokens[(i + 1) % agents])).collect();
    system.bad = vec![system.graph.any(&pairs)];
    system
}

#[test]
fn one_token_stays_one() {
    let system = ring(40, false);
    let verdict = ic3::prove(&system, system.bad[0], Limits::default()).unwrap();
    assert!(matches!(verdict, ProofVerdict::Proved(_)), "{verdict:?}");
}

/// The token needs n - 1 steps to the last agent; with the next, agents n - 1 and 0 have one: n steps, and no fewer.
#[test]
fn a_copied_token_is_found() {
    let system = ring(12, true);
    match ic3::prove(&system, system.bad[0], Limits::default()).unwrap() {
        ProofVerdict::Refuted(witness) => assert!(witness.steps.len() >= 12),
        other => panic!("{other:?}"),
    }
}

/// Somebody always has the token, so every step is the only one possible: the token comes to every agent.
#[test]
fn the_token_comes_round() {
    let system = ring(10, false);
    let question =
        LivenessQuestion { good: system.latches[9].variable, stuck: None, fair: vec![], pairs: vec![] };
    let verdict = liveness::prove(&system, &question, Limits::default()).unwrap();
    assert!(matches!(verdict, ProofVerdict::Proved(_)), "{verdict:?}");
    let verdict = liveness::prove_by_counting(&system, &question, 16, Limits::default()).unwrap();
    assert!(matches!(verdict, ProofVerdict::Proved(_)), "{verdict:?}");
    // There are as many tokens as at first, so two agents never have one at the same time.
    let mut both = system.clone();
    let good = both.graph.and(both.latches[3].variable, both.latches[7].variable);
    let question = LivenessQuestion { good, stuck: None, fair: vec![], pairs: vec![] };
    match liveness::prove(&both, &question, Limits::default()).unwrap() {
        // The token is back where it was after as many steps as there are agents.
        ProofVerdict::Refuted(witness) => {
            assert_eq!(witness.back_to.map(|back| witness.steps.len() - back), Some(10))
        }
        other => panic!("{other:?}"),
    }
}

/// A multiplier's middle bit: `a * b` and `b * a` differ nowhere, which solvers find very hard to see.
#[test]
fn a_proof_can_be_interrupted() {
    let mut system = System::default();
    let width = 24;
    let g = &mut system.graph;
    let a: Vec<Lit> = (0..width).map(|_| g.variable()).collect();
    let b: Vec<Lit> = (0..width).map(|_| g.variable()).collect();
    let mut multiply = |a: &[Lit], b: &[Lit]| {
        let mut sum = vec![Lit::FALSE; width];
        for (shift, &digit) in b.iter().enumerate() {
            let mut carry = Lit::FALSE;
            for i in shift..width {
                let part = g.and(a[i - shift], digit);
                let half = g.xor(sum[i], part);
                let (x, y) = (g.and(sum[i], part), g.and(half, carry));
                sum[i] = g.xor(half, carry);
                carry = g.or(x, y);
            }
        }
        sum[width - 1]
    };
    let (one, other) = (multiply(&a, &b), multiply(&b, &a));
    let differ = system.graph.xor(one, other);
    for &variable in a.iter().chain(&b) {
        let next = system.graph.variable();
        system.inputs.push(next);
        system.latches.push(Latch { variable, start: Lit::FALSE, next });
    }
    system.bad = vec![differ];
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(100));
            stop.store(true, Ordering::Relaxed);
        });
        let limits = Limits { stop: Some(&stop), ..Limits::default() };
        assert_eq!(ic3::prove(&system, differ, limits), Err(Failure::Interrupted));
    });
    let limits = Limits { conflicts: Some(100), ..Limits::default() };
    assert_eq!(ic3::prove(&system, differ, limits), Err(Failure::Interrupted));
}
