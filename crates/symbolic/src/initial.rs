//! An initial state found by a SAT solver, or the proof that there is none.
//!
//! Backtracking (`ir::initial`) is faster where assumptions are about few cells each. A solver learns from what it has tried,
//! and reasons about the bits of sums: it is asked where backtracking has come to no end.

use std::sync::atomic::AtomicBool;
use swarmcheck_aig::Lit;
use swarmcheck_bits::code::WIDTHS;
use swarmcheck_bits::encode::encode_until;
use swarmcheck_ir::flat::{Enumerate, Outcome};
use swarmcheck_ir::ground::{Ground, Runner};
use swarmcheck_ir::initial::only_initial;
use swarmcheck_ir::{Program, Value};
use swarmcheck_prove::Limits;
use swarmcheck_prove::bmc::Bmc;

/// What the solver says about initial states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InitialState {
    Found(Vec<Value>),
    /// There is none, and no error of the model either.
    None,
    /// It has not answered within the limits, or the program cannot be written as a formula.
    Unknown,
}

/// Looks for an initial state, with at most so many conflicts.
pub fn initial_state(program: &Program, conflicts: u32, stop: &AtomicBool) -> InitialState {
    let program = only_initial(program);
    let ground = Ground::new(&program);
    let stopped = || stop.load(std::sync::atomic::Ordering::Relaxed);
    for guess in 0..WIDTHS.len() {
        let Ok(Some(mut encoded)) = encode_until(&program, &ground, guess, &stopped) else { break };
        let sound = encoded.sound();
        let limits = Limits { stop: Some(stop), conflicts: Some(conflicts), ..Limits::default() };
        let mut bmc = Bmc::with_limits(&encoded.system, limits);
        match bmc.reach_exactly(sound, 0) {
            Ok(Some(witness)) => {
                let state = encoded.decode(witness.last());
                return confirmed(&ground, state).map_or(InitialState::Unknown, InitialState::Found);
            }
            Ok(None) => {}
            Err(_) => break,
        }
        match bmc.reach_exactly(Lit::TRUE, 0) {
            // Values that are too large for the widths assumed, or an error of the model.
            Ok(Some(_)) => {}
            Ok(None) => return InitialState::None,
            Err(_) => break,
        }
    }
    InitialState::Unknown
}

/// The state, if running the initial block gives it: nothing that a solver says is taken for granted.
fn confirmed(ground: &Ground, wanted: Vec<Value>) -> Option<Vec<Value>> {
    let values: Vec<Option<Value>> = wanted.iter().map(|v| Some(*v)).collect();
    let block = ground.initial_like(&values);
    let (mut runner, mut choices) = (Runner::default(), Enumerate::default());
    let mut state = vec![0; ground.width()];
    // One value fits each cell, so few choices are tried; a list may have a value twice.
    for _ in 0..1_000_000 {
        if runner.begin(&block, &mut state, &mut choices) == Outcome::Done && state == wanted {
            return Some(state);
        }
        if !choices.advance() {
            break;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use swarmcheck_ir::{BinaryOp, Expr, Place, Set, Stmt, Var, VarId, program::Role};
    use swarmcheck_source::Span;

    /// Five numbers below `n`, and that twice their sum is `sum`.
    fn doubled(n: i64, sum: i64) -> Program {
        let var = |number: usize| Var {
            name: format!("v{number}"),
            owners: None,
            dimensions: vec![],
            domain: Some((0, n - 1)),
            may_be_undef: false,
            role: Role::Data { arrow: "<--", order: None },
        };
        let read = |v: u32| Expr::Read(Place::global(VarId(v)));
        let op = |op, a, b| Expr::Binary(op, Box::new(a), Box::new(b), Span::default());
        let total = (1..5).fold(read(0), |all, v| op(BinaryOp::Add, all, read(v)));
        let twice = op(BinaryOp::Mul, Expr::Const(2), total);
        let set = || Set::Range(Expr::Const(0), Expr::Const(n));
        let mut init: Vec<Stmt> = (0..5).map(|v| Stmt::Fill(Place::global(VarId(v)), set())).collect();
        init.push(Stmt::Assume(op(BinaryOp::Eq, twice, Expr::Const(sum))));
        Program {
            kinds: vec![],
            vars: (0..5).map(var).collect(),
            init_locals: vec![],
            init,
            functions: vec![],
            properties: vec![],
        }
    }

    #[test]
    fn parity_is_seen_by_the_solver() {
        let stop = AtomicBool::new(false);
        assert_eq!(initial_state(&doubled(1000, 4001), 100_000, &stop), InitialState::None);
        let InitialState::Found(state) = initial_state(&doubled(1000, 4002), 100_000, &stop) else {
            panic!("there are many")
        };
        assert_eq!(state.iter().sum::<i64>(), 2001);
    }

    #[test]
    fn a_flag_ends_it() {
        assert_eq!(initial_state(&doubled(1000, 4002), 100, &AtomicBool::new(true)), InitialState::Unknown);
    }
}
