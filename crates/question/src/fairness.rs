//! Questions about fair executions only.
//!
//! **Units.** An agent with its actions is a unit, and so is an agent with its pending messages ([`swarmcheck_ir::units`]). An
//! infinite execution is *weakly* fair if each unit, infinitely often, cannot move or has just moved. It is *strongly* fair if
//! each unit that can move infinitely often does so infinitely often. Executions that stop are fair.
//!
//! **Which questions change.** Every finite execution can be extended to a strongly fair one, or to one that stops: let the
//! units stand in a row, take a step of the first that can move, and put it at the end of the row; repeat. A unit that can move
//! and is passed over sees one before it go behind it, so it is passed over finitely often before it moves. (The definition of
//! a unit that can move is exact: there is such a step.) Hence what is reachable is reachable by fair executions, and what
//! violates a property by a finite execution, whatever follows, violates it under fairness. That settles
//! `always`, `after`, everything with a bound, deadlocks, `fairly`, `fairly_inf`, scopes that are closed by force, and formulas
//! whose violations all have a bad prefix: these questions are asked as without fairness. Bad prefixes
//! of other formulas, and executions that stop, are counterexamples as before. Cycles are not: they have to be fair.
//!
//! **Encoding.** A variable keeps which unit made the last step. Then "has just moved" and "can move" are conditions on
//! states, and fair executions are those whose infinitely many states satisfy [`FairConditions`]. The program of the question
//! has these conditions as further properties, so that passes keep them like every other watched condition.
//!
//! # What the reductions do with it
//!
//! What all executions satisfy fair ones do, and what a finite execution violates fair ones violate. So an engine may ask
//! about all executions first, with all reductions, and need not go on unless what it finds is a loop (the explicit engine does).
//! What follows is about the question that is asked then.
//!
//! Both conditions speak about the set of states that is visited infinitely often. So whatever relates executions of the
//! original and the smaller program step by step, such that related states agree on all watched conditions, relates fair ones to
//! fair ones. The questions need all steps and all endings ([`swarmcheck_passes::Needs`]).
//!
//! * *Interval analysis and constant folding* replace conditions by others that agree in all reachable states. Sound.
//! * *Slicing*, where all steps count, is a bisimulation between a state and the same state with irrelevant variables set to
//!   0, step by step; watched conditions read relevant variables only. No unit is lost, because
//!   the conditions name each. Sound.
//! * *Dead variables*: a bisimulation step by step that agrees on watched conditions. Sound.
//! * *Data symmetry*: each symmetry maps steps to steps and leaves each watched condition alone. A cycle of orbits is
//!   followed in the original until a state comes back, which takes at most as many rounds as the symmetry has elements;
//!   each round meets the same conditions. Sound.
//! * *Stale messages*: off. The unit is all pending messages of an agent. An agent that has two messages, one of
//!   which informs nobody, may be fair by sending messages of the second sort again and again, while the
//!   first is never sent. If stale messages are dropped, the only fair thing to do is to send the first. So
//!   *eventually it has arrived* would be proved, although it does not hold.
//! * *Partial-order reduction*: off. It takes some invisible steps first and leaves out executions in which they
//!   wait. Such an execution may be fair, for instance when another action of the same agent is taken instead.
//! * *Agent symmetry*: off. It would find no group anyway, because the number of an agent is part of what the tracking
//!   variable holds. States that differ by a permutation of agents are one state of the quotient, in which a cycle "somebody moves" is
//!   the same whether one agent moves for ever or all do. Fairness is not a property of cycles of orbits (Emerson and
//!   Sistla, "Utilizing symmetry when model checking under fairness assumptions", 1997, use another graph for it).

use crate::questions::{QuestionKind, Questions, questions};
use crate::reduce::{self, FoldedProgram};
use crate::refusal::Refusal;
use crate::setting::{Fairness, Setting, Subject};
use std::sync::Arc;
use swarmcheck_ir::flat::Layout;
use swarmcheck_ir::{Expr, Modality, Program, Property, VarId, possible, units};
use swarmcheck_passes::Needs;

/// Which infinite executions count, by the numbers of properties of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FairConditions {
    /// Each holds infinitely often.
    pub again: Vec<usize>,
    /// If the first holds infinitely often, so does the second.
    pub pairs: Vec<(usize, usize)>,
}

impl FairConditions {
    /// Whether all infinite executions count.
    pub fn is_empty(&self) -> bool {
        self.again.is_empty() && self.pairs.is_empty()
    }

    /// All properties: first those that hold again and again, then the pairs.
    pub fn properties(&self) -> impl Iterator<Item = usize> {
        self.again.iter().copied().chain(self.pairs.iter().flat_map(|&(first, second)| [first, second]))
    }
}

/// A program that keeps track of who moves.
pub(crate) struct Tracked {
    fairness: Fairness,
    program: Arc<Program>,
    folded: Arc<FoldedProgram>,
    /// The tracking variable, if the original program does not have it.
    new: Option<VarId>,
    conditions: FairConditions,
}

impl Tracked {
    /// Whether it was made for this sort of fairness.
    pub(crate) fn is_for(&self, fairness: Fairness) -> bool {
        self.fairness == fairness
    }
}

/// Whether fairness may change the answer to such a question.
pub(crate) fn matters(kind: QuestionKind) -> bool {
    matches!(kind, QuestionKind::Reached | QuestionKind::Recurs | QuestionKind::Scope { waits: true })
}

/// The question about a property, where fairness may change the answer.
pub(crate) fn fair_questions(setting: &Setting, subject: Subject) -> Result<Questions, Refusal> {
    let tracked = match setting.known() {
        Some(folded) => folded.tracked(setting.fairness, || track(setting))?,
        None => Arc::new(track(setting)?),
    };
    let inner = Setting {
        program: Arc::clone(&tracked.program),
        fairness: Fairness::None,
        folded: Some(Arc::clone(&tracked.folded)),
        ..setting.clone()
    };
    let mut found = questions(&inner, subject)?;
    found.needs = Needs { steps: true, endings: true };
    if let Some(var) = tracked.new {
        found.hidden.push(Layout::new(&found.program).global(var));
        found.hidden.sort_unstable();
    }
    found.fair = tracked.conditions.clone();
    Ok(found)
}

/// Adds the tracking variable and the conditions.
fn track(setting: &Setting) -> Result<Tracked, Refusal> {
    let original = &setting.program;
    let mut program = Program::clone(original);
    let var = units::track(&mut program);
    let mut conditions = FairConditions::default();
    for unit in units::units(original) {
        let can_move = units::can_move(original, unit).ok_or_else(|| refusal(original))?;
        let moved = units::moved(var, unit);
        if setting.fairness == Fairness::Strong {
            let first = watch(&mut program, can_move);
            conditions.pairs.push((first, watch(&mut program, moved)));
        } else {
            conditions.again.push(watch(&mut program, Expr::or([Expr::not(can_move), moved])));
        }
    }
    let program = Arc::new(program);
    let folded = Arc::new(reduce::fold_constants(&program, &setting.reductions));
    let new = (program.vars.len() > original.vars.len()).then_some(var);
    Ok(Tracked { fairness: setting.fairness, program, folded, new, conditions })
}

fn refusal(program: &Program) -> Refusal {
    let function = possible::unknown(program).map_or(String::new(), |f| f.name.clone());
    Refusal::Unit { function }
}

/// Adds a condition as a property.
fn watch(program: &mut Program, predicate: Expr) -> usize {
    program.properties.push(Property {
        name: String::new(),
        predicate,
        modality: Modality::Always,
        vacuous: false,
        span: Default::default(),
    });
    program.properties.len() - 1
}
