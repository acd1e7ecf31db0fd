//! Sets of states as proofs.
//!
//! A proof lists states of the emulation program as it was lowered: without reductions, and not as bits. It contains the initial
//! states, and no step leaves it, so it contains every reachable state. Whoever checks it runs every step of every listed state
//! ([`check`]); no solver and no search is needed. Each state has a *rank*, a number that says why an execution makes progress:
//!
//! | question | what is checked of a state with a rank |
//! |---|---|
//! | always, kept, scopes | the condition holds |
//! | there is always a step | a step is possible |
//! | every execution reaches the goal | the goal holds; or a step is possible, and the rank of every next state without the goal is smaller |
//! | a scope does not wait forever | if it waits, a step is possible, and the rank of every next state that waits is smaller |
//! | the goal can be reached | the goal holds; or some step leads to a state with a smaller rank |
//! | a formula of linear time | the rank of no next state is larger; after an accepting state of the automaton it is smaller |
//! | within a number of steps | the rank is a number of steps that is enough to reach the state, and the last states need not be expanded |
//!
//! Ranks are natural numbers, so no execution makes them smaller for ever. An execution that stays without the goal, waits for ever, or
//! is accepted by the automaton would. The lasso is excluded in the same way as in the progress measures of N. Klarlund, *Progress measures
//! for complementation of omega-automata*, FOCS 1991. For an exact number of steps the proof lists pairs of a number of steps and a state.
//!
//! Where only fair executions count, the proof is about all executions, which is more than was asked. A property that needs fairness has no such
//! proof.
//!
//! An error of the model in a listed state refutes the proof. States behind the goal, and those behind a bound, are not listed, so an error there is not
//! seen; whoever searches does not see it either.
//!
//! Trusted are: reading and lowering the model, monitors of scopes and products with automata (`crates/passes`), the flat program and its
//! execution (`crates/ir/src/flat`), the enumeration of steps (`crates/engine/src/system.rs`), [`check`] and [`diagram`].

mod build;
mod check;
pub mod diagram;
mod index;

pub use build::{NoStates, build};
pub use check::check;

use swarmcheck_engine::{Fairness, Reductions, Subject, Task};
use swarmcheck_ir::Value;
use swarmcheck_ir::flat::{Code, Flat, Machine};
use swarmcheck_question::{QuestionKind, SearchShape, Watch, questions};

/// A question about the states of a program.
struct Asked {
    flat: Flat,
    kind: QuestionKind,
    shape: SearchShape,
    predicate: Option<Code>,
    waiting: Option<Code>,
    kept: Option<Code>,
    ignore_deadlock: bool,
}

/// What is true in a state.
#[derive(Clone, Copy)]
struct Seen {
    holds: bool,
    waiting: bool,
    kept: bool,
}

impl Asked {
    fn new(task: &Task, subject: Subject) -> Result<Asked, String> {
        // Fair executions are executions: what is proved of all holds of them, too.
        let fairness = Fairness::None;
        let task = &Task { reductions: Reductions::NONE, folded: None, fairness, ..task.clone() };
        let questions = questions(&task.setting(), subject).map_err(|refusal| refusal.to_string())?;
        questions.is_small_enough().map_err(|refusal| refusal.to_string())?;
        let flat = Flat::new(questions.program.clone());
        let code = |what| questions.condition(&questions.program, what).map(|e| flat.compile(e));
        let (predicate, waiting, kept) =
            (code(Watch::Predicate(subject)), code(Watch::Waiting), code(Watch::NotBad));
        let (kind, shape) = (questions.only().kind, questions.shape);
        let is_safety = matches!(
            kind,
            QuestionKind::Always
                | QuestionKind::Kept
                | QuestionKind::Alive
                | QuestionKind::Scope { waits: false }
        );
        if !is_safety && matches!(shape, SearchShape::Within(_) | SearchShape::After { .. }) {
            return Err("such a question is not asked within a number of steps".to_string());
        }
        if kind != QuestionKind::Always && matches!(shape, SearchShape::After { .. }) {
            return Err("such a question is not asked after a number of steps".to_string());
        }
        Ok(Asked { kind, shape, predicate, waiting, kept, ignore_deadlock: task.ignore_deadlock, flat })
    }

    /// What is true in a state; nothing if that is an error of the model.
    fn seen(&self, machine: &mut Machine, state: &[Value]) -> Option<Seen> {
        let mut test = |code: &Option<Code>, otherwise| match code {
            Some(code) => machine.test(&self.flat, code, state).ok(),
            None => Some(otherwise),
        };
        let holds = test(&self.predicate, true)?;
        Some(Seen { holds, waiting: test(&self.waiting, false)?, kept: test(&self.kept, true)? })
    }

    /// Whether the steps of a state matter that can be reached in so many.
    fn is_expanded(&self, seen: Seen, steps: u64) -> bool {
        match self.shape {
            SearchShape::Whole => true,
            SearchShape::Before => !seen.holds,
            SearchShape::Within(bound) => steps < u64::from(bound),
            SearchShape::After { steps: bound, avoiding } => {
                steps < u64::from(bound) && !(avoiding && seen.holds)
            }
        }
    }

    /// What must be true in a state, whatever its steps are.
    fn condition(&self, seen: Seen, steps: i64) -> bool {
        let matters = match self.shape {
            SearchShape::After { steps: bound, .. } => steps == i64::from(bound),
            // States that only a longer execution reaches need not be listed, but do no harm.
            SearchShape::Within(bound) => steps <= i64::from(bound),
            _ => true,
        };
        match self.kind {
            QuestionKind::Always | QuestionKind::Kept | QuestionKind::Scope { .. } => seen.holds || !matters,
            QuestionKind::Recurs => seen.kept,
            QuestionKind::Reached | QuestionKind::Reachable | QuestionKind::Alive => true,
        }
    }

    /// Whether a state that is expanded must have a step.
    fn owes(&self, seen: Seen) -> bool {
        match self.kind {
            QuestionKind::Alive => true,
            QuestionKind::Reached => !self.ignore_deadlock,
            QuestionKind::Scope { waits: true } => seen.waiting && !self.ignore_deadlock,
            _ => false,
        }
    }

    /// Whether what executions do for ever matters, and so whether they are fair.
    fn is_about_infinity(&self) -> bool {
        use QuestionKind::{Reached, Recurs, Scope};
        matches!(self.kind, Reached | Recurs | Scope { waits: true })
    }

    /// Whether states are listed for each number of steps.
    fn is_layered(&self) -> bool {
        matches!(self.shape, SearchShape::After { .. })
    }
}
