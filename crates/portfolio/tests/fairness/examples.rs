//! Examples whose verdicts are argued for.

use crate::definition::{Ask, Condition, Graph};
use crate::program::{check, function, is, own, program, set_own, set_shared, shared};
use crate::{SORTS, ask, task};
use std::sync::Arc;
use swarmcheck_engine::{Reductions, Verdict};
use swarmcheck_ir::program::Function;
use swarmcheck_ir::{Expr, Stmt};

/// The engines that decide all of these.
const DECIDERS: [&str; 3] = ["explicit", "bdd", "ic3"];

/// Verdicts without fairness, with weak and with strong fairness.
fn decides(functions: Vec<Function>, asked: Ask, expected: [bool; 3]) {
    let program = program(2, functions);
    assert_eq!(SORTS.map(|fairness| Graph::of(&program).unwrap().holds(&asked, fairness, false)), expected);
    let program = Arc::new(check(&program, &asked));
    for (fairness, expected) in SORTS.into_iter().zip(expected) {
        for engine in DECIDERS {
            let found = ask(engine, &program, false, task(&program, fairness, Reductions::ALL));
            let holds = match found.verdict {
                Verdict::Holds(_) => true,
                Verdict::Violated(..) => false,
                other => panic!("{engine}, {fairness:?}: {other:?}"),
            };
            assert_eq!(holds, expected, "{engine}, {fairness:?}");
        }
    }
}

fn act(name: &str, owner: u32, guard: Expr, body: Vec<Stmt>) -> Function {
    function(name.to_string(), true, &[owner], guard, body)
}

fn toggle() -> Stmt {
    set_own(Expr::ite(is(own(Expr::Me), 0), Expr::Const(1), Expr::Const(0)))
}

/// One agent may loop for ever while the other could act all the time: weak fairness is enough.
#[test]
fn one_agent_loops() {
    let loops = act("loop", 0, Expr::TRUE, vec![toggle()]);
    let goal = act("goal", 1, is(shared(), 0), vec![set_shared(Expr::Const(1))]);
    decides(vec![loops, goal], Ask::Eventually(Condition::Shared(1)), [false, true, true]);
}

/// One agent takes and gives back what the other needs, so the other can move again and again, but not all the time: weak
/// fairness is not enough, strong fairness is.
#[test]
fn a_fork_is_taken_again_and_again() {
    let free = || is(own(Expr::Const(0)), 0);
    let take = act("take", 0, is(own(Expr::Me), 0), vec![set_own(Expr::Const(1))]);
    let give = act("give", 0, is(own(Expr::Me), 1), vec![set_own(Expr::Const(0))]);
    let eat = act("eat", 1, Expr::and([free(), is(shared(), 0)]), vec![set_shared(Expr::Const(1))]);
    decides(vec![take, give, eat], Ask::Eventually(Condition::Shared(1)), [false, false, true]);
}

/// What an agent chooses is up to it: no fairness among the actions of one agent.
#[test]
fn one_agent_chooses() {
    let loops = act("loop", 0, Expr::TRUE, vec![toggle()]);
    let goal = act("goal", 0, is(shared(), 0), vec![set_shared(Expr::Const(1))]);
    decides(vec![loops, goal], Ask::Eventually(Condition::Shared(1)), [false, false, false]);
}

/// Actions and messages of one agent are two units.
#[test]
fn messages_are_a_unit_of_their_own() {
    let loops = act("loop", 0, Expr::TRUE, vec![toggle()]);
    let goal = function("goal".to_string(), false, &[0], is(shared(), 0), vec![set_shared(Expr::Const(1))]);
    decides(vec![loops, goal], Ask::Eventually(Condition::Shared(1)), [false, true, true]);
}

/// Messages of one agent are one unit. If those that change nothing were left out, the goal would seem to be reached.
#[test]
fn a_stale_message_may_be_sent_instead() {
    let send = |name: &str, guard, body| function(name.to_string(), false, &[0], guard, body);
    let stale = send("stale", Expr::TRUE, vec![]);
    let goal = send("goal", is(shared(), 0), vec![set_shared(Expr::Const(1))]);
    decides(vec![stale, goal], Ask::Eventually(Condition::Shared(1)), [false, false, false]);
}

/// An execution that stops is fair.
#[test]
fn executions_that_stop_are_fair() {
    let stop = act("stop", 0, is(own(Expr::Me), 0), vec![set_own(Expr::Const(1))]);
    decides(vec![stop], Ask::Eventually(Condition::Shared(1)), [false, false, false]);
    let again = Ask::Again(Condition::Own(0, 1));
    let stop = act("stop", 0, is(own(Expr::Me), 0), vec![set_own(Expr::Const(1))]);
    decides(vec![stop], again, [true, true, true]);
}
