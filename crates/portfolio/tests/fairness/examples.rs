//! Examples whose verdicts are argued for.

use crate::definition::{Ask, Condition, Graph};
use crate::program::{check, function, is, own, program, set_own, set_shared, shared};
use crate::{SORTS, ask, task};
use std::sync::Arc;
use swarmcheck_engine::{Fairness, Reductions, Subject, Task, Verdict};
use swarmcheck_ir::program::Function;
use swarmcheck_ir::property::LinearTime;
use swarmcheck_ir::{BinaryOp, Expr, Inside, Linear, Modality, Stmt, possible};
use swarmcheck_question::questions;

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

/// What a finite execution decides is asked as without fairness: every finite execution can be extended to a fair one.
#[test]
fn some_questions_do_not_depend_on_fairness() {
    let functions = || vec![act("loop", 0, Expr::TRUE, vec![toggle()])];
    let formula = |formula| {
        let rests = possible::stuck(&program(1, functions())).expect("a condition");
        Modality::Linear(Box::new(LinearTime { formula, rests, rest: vec![] }))
    };
    let atom = || Linear::Atom(is(shared(), 0));
    let scope = |inside| Modality::Scoped { open: true, start: Expr::TRUE, end: Expr::FALSE, inside };
    let cases = [
        (Modality::Always, None, false),
        (Modality::After(3), None, false),
        (Modality::Fairly, None, false),
        (Modality::FairlyInf, None, false),
        (Modality::Eventually, Some(5), false),
        (Modality::Finally, Some(5), false),
        (scope(Inside::Always), None, false),
        (formula(Linear::globally(atom())), None, false),
        (Modality::Eventually, None, true),
        (Modality::Finally, None, true),
        (scope(Inside::ThereIs), None, true),
        (formula(Linear::finally(atom())), None, true),
        (formula(Linear::globally(Linear::finally(atom()))), None, true),
    ];
    for (modality, bound, depends) in cases {
        let mut program = check(&program(1, functions()), &Ask::Eventually(Condition::Shared(1)));
        program.properties[0].modality = modality.clone();
        let program = Arc::new(program);
        for fairness in SORTS {
            let task = Task { bound, ..task(&program, fairness, Reductions::ALL) };
            let found = questions(&task.setting(), Subject::Property(0)).expect("a question");
            assert_eq!(found.fair.is_empty(), !depends || fairness == Fairness::None, "{modality:?}");
            // Agents are told apart, and no step is left out.
            let smaller = found.smaller(&Reductions::ALL);
            assert!(
                found.fair.is_empty() || (smaller.symmetry.is_none() && found.needs.steps),
                "{modality:?}"
            );
        }
    }
}

/// One agent may count without end, or give up; the other goes round. Once the first has given up, that is fair, and it is found
/// although there is no end of states.
#[test]
fn fair_loops_are_found_in_spaces_without_end() {
    let more = Expr::binary(BinaryOp::Add, shared(), Expr::Const(1), Default::default());
    let count = act("count", 1, is(own(Expr::Me), 0), vec![set_shared(more)]);
    let give_up = act("give up", 1, is(own(Expr::Me), 0), vec![set_own(Expr::Const(1))]);
    let round = act("round", 0, Expr::TRUE, vec![toggle()]);
    let mut program = program(1, vec![count, give_up, round]);
    program.vars[0].domain = None;
    let program = Arc::new(check(&program, &Ask::Eventually(Condition::Never)));
    for reductions in [Reductions { slice: false, ..Reductions::ALL }, Reductions::NONE] {
        for fairness in SORTS {
            let found = ask("explicit", &program, false, task(&program, fairness, reductions));
            let Verdict::Violated(trace, _) = found.verdict else { panic!("{:?}", found.verdict) };
            let start = trace.loop_start.expect("a loop");
            let given_up = trace.steps[..start].iter().any(|step| step.instance.function == 1);
            assert!(given_up || fairness == Fairness::None, "{fairness:?}: {trace:?}");
        }
    }
}
