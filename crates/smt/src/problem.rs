//! A question about a program as conditions over integers: which states refute it, which cycles do, and what is counted to
//! prove that there is no such cycle.
//!
//! *k-liveness* (Claessen and Sörensson, *A liveness checking algorithm that counts*, FMCAD 2012): if no execution meets a
//! condition more than k times, none meets it for ever. The state gets one more cell, which counts. Where several conditions must
//! recur (fairness), a *round* is complete when each was met since the last one, and rounds are counted; each condition has a
//! cell that says whether it was met. A cycle makes rounds for ever, so a bound on rounds excludes it. Strong fairness only
//! excuses cycles; a proof may do without it. For something that must not be owed for ever, what was counted is forgotten where
//! nothing is owed.

use crate::system::{Refusal, System, refuse, some_step};
use crate::text::Scope;
use swarmcheck_engine::Why;
use swarmcheck_ir::ground::Ground;
use swarmcheck_ir::interval::Bounds;
use swarmcheck_ir::{BinaryOp, Expr, Program};
use swarmcheck_question::concrete::Ending;
use swarmcheck_question::{QuestionKind, Questions, SearchShape, Watch};
use swarmcheck_steps::execute::{self, Executed, Numbers};
use swarmcheck_steps::terms::TermId;

/// States that refute the property.
#[derive(Clone, Copy, Debug)]
pub struct Wrong {
    /// The condition on them.
    pub when: TermId,
    /// How an execution ends there.
    pub ending: Ending,
    /// What it shows.
    pub why: Why,
}

/// Cycles that refute the property.
#[derive(Clone, Debug)]
pub struct Cycles {
    /// Each is true somewhere in the cycle.
    pub somewhere: Vec<TermId>,
    /// It is true everywhere in the cycle.
    pub everywhere: Option<TermId>,
    /// If the first is true somewhere in the cycle, so is the second.
    pub pairs: Vec<(TermId, TermId)>,
    /// What such a cycle shows.
    pub why: Why,
}

/// A question as formulas.
pub struct Problem {
    /// The program.
    pub system: System,
    /// States that refute the property.
    pub wrong: Vec<Wrong>,
    /// Cycles that do; none where the question is about states.
    pub cycles: Option<Cycles>,
    /// How many cells the program has; those behind them count.
    pub width: u32,
    /// The cell that counts rounds.
    rounds: Option<TermId>,
}

/// The name of the cell that counts rounds.
const ROUNDS: &str = "rounds";

/// The ways that are counted.
struct Counted<'a> {
    /// Each is met in every round.
    conditions: &'a [TermId],
    /// What was counted is forgotten where this does not hold.
    only_while: Option<TermId>,
}

impl Problem {
    /// Puts a question about a program that was made smaller for it.
    pub fn new(
        questions: &Questions,
        program: &Program,
        ground: &Ground,
        ignore_deadlock: bool,
    ) -> Result<Problem, Refusal> {
        let kind = questions.only().kind;
        if let SearchShape::Within(_) | SearchShape::After { .. } = questions.shape {
            return refuse(
                "executions of a number of steps need no integers without bounds: 'bmc' decides them",
            );
        }
        let mut executed = execute::execute(program, ground, Numbers::Integers)?;
        let term = |executed: &mut Executed, e: &Expr| {
            let condition = ground.condition(program, e);
            Ok::<TermId, Refusal>(execute::conditions(executed, &[condition])?.swap_remove(0))
        };
        let watched = |executed: &mut Executed, what| {
            questions.condition(program, what).map(|e| term(executed, e)).transpose()
        };
        let subject = questions.only().subject;
        let predicate = watched(&mut executed, Watch::Predicate(subject))?;
        let waiting = watched(&mut executed, Watch::Waiting)?;
        let kept = watched(&mut executed, Watch::NotBad)?;
        let truth = executed.terms.truth();
        let holds = predicate.unwrap_or(truth);
        let fails = executed.terms.not(holds);
        let property = |number: &usize| &program.properties[*number].predicate;
        let mut again = vec![];
        for number in &questions.fair.again {
            again.push(term(&mut executed, property(number))?);
        }
        let mut pairs = vec![];
        for (first, second) in &questions.fair.pairs {
            pairs.push((term(&mut executed, property(first))?, term(&mut executed, property(second))?));
        }
        let lasting = matches!(kind, QuestionKind::Reached | QuestionKind::Scope { waits: true });
        let stuck = match (lasting && !ignore_deadlock) || kind == QuestionKind::Alive {
            true => {
                let some = some_step(&mut executed)?;
                Some(executed.terms.not(some))
            }
            false => None,
        };
        let mut wrong = vec![];
        let mut cycles = None;
        match kind {
            QuestionKind::Always => {
                wrong.push(Wrong { when: fails, ending: Ending::Open, why: Why::False });
            }
            QuestionKind::Kept => {
                wrong.push(Wrong { when: fails, ending: Ending::Open, why: Why::Prefix });
            }
            QuestionKind::Alive => {
                let when = stuck.unwrap_or(fails);
                wrong.push(Wrong { when, ending: Ending::Stuck, why: Why::Deadlock });
            }
            QuestionKind::Scope { waits } => {
                wrong.push(Wrong { when: fails, ending: Ending::Open, why: Why::Scope });
                if let (true, Some(owed)) = (waits, waiting) {
                    if let Some(stuck) = stuck {
                        let when = executed.terms.and([stuck, owed]);
                        wrong.push(Wrong { when, ending: Ending::Stuck, why: Why::Stuck });
                    }
                    cycles = Some(Cycles { somewhere: again, everywhere: Some(owed), pairs, why: Why::Loop });
                }
            }
            QuestionKind::Reached => {
                if let Some(stuck) = stuck {
                    let when = executed.terms.and([stuck, fails]);
                    wrong.push(Wrong { when, ending: Ending::Stuck, why: Why::Stuck });
                }
                // Executions count up to the goal: no step leads out of it.
                for step in executed.steps.iter_mut().flatten() {
                    step.conditions.push(fails);
                }
                cycles = Some(Cycles { somewhere: again, everywhere: Some(fails), pairs, why: Why::Loop });
            }
            QuestionKind::Recurs => {
                if let Some(kept) = kept {
                    let when = executed.terms.not(kept);
                    wrong.push(Wrong { when, ending: Ending::Open, why: Why::Prefix });
                }
                let somewhere = [holds].into_iter().chain(again).collect();
                cycles = Some(Cycles { somewhere, everywhere: None, pairs, why: Why::Formula });
            }
            QuestionKind::Reachable => {
                return refuse(
                    "what can be reached from every state is not a question about single executions",
                );
            }
        }
        let width = ground.width() as u32;
        let (mut names, mut rounds) = (vec![], None);
        if let Some(cycles) = &cycles {
            let counted = Counted { conditions: &cycles.somewhere, only_while: cycles.everywhere };
            names = count(&mut executed, width, &counted);
            rounds = Some(executed.terms.slot(width));
        }
        let system = System::new(program, ground, executed, &names);
        Ok(Problem { system, wrong, cycles, width, rounds })
    }

    /// That a state refutes the property, or that more rounds were made than these.
    pub fn bad(&self, rounds: Option<u32>, scope: &mut Scope<'_>) -> Result<String, Refusal> {
        let mut parts = vec![];
        for wrong in &self.wrong {
            parts.push(scope.term(wrong.when)?.truth());
        }
        if let Some(rounds) = rounds {
            let Some(counted) = self.rounds else { return refuse("nothing is counted") };
            parts.push(format!("(> {} {rounds})", scope.term(counted)?.value()));
        }
        Ok(crate::text::any(parts))
    }
}

/// Adds cells that count rounds, and gives their names. The first counts; the others say which conditions were met.
fn count(executed: &mut Executed, width: u32, counted: &Counted<'_>) -> Vec<String> {
    let Executed { terms, initial, steps, bounds, .. } = executed;
    let mut names = vec![ROUNDS.to_string()];
    let (zero, one) = (terms.constant(0), terms.constant(1));
    bounds.push(Bounds { undef: false, ..Bounds::ANY });
    initial.updates.push((width, zero));
    let several = counted.conditions.len() > 1;
    let mut met = vec![];
    for (at, condition) in (0..).zip(counted.conditions) {
        let mut now = *condition;
        if several {
            let slot = width + 1 + at;
            names.push(format!("met {at}"));
            bounds.push(Bounds::of(0, 1));
            initial.updates.push((slot, zero));
            let before = terms.slot(slot);
            let before = terms.is(before, 1);
            now = terms.or([before, *condition]);
        }
        met.push(now);
    }
    let complete = terms.and(met.iter().copied());
    let rounds = terms.slot(width);
    let more = terms.binary(BinaryOp::Add, rounds, one);
    let mut next = vec![(width, terms.ite(complete, more, rounds))];
    for (at, now) in (0..).zip(met).filter(|_| several) {
        let incomplete = terms.not(complete);
        let keep = terms.and([now, incomplete]);
        next.push((width + 1 + at, terms.ite(keep, one, zero)));
    }
    if let Some(only) = counted.only_while {
        for (_, term) in &mut next {
            *term = terms.ite(only, *term, zero);
        }
    }
    for step in steps.iter_mut().flatten() {
        step.updates.extend(next.iter().copied());
    }
    names
}
