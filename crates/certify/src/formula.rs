//! Whether a trace of a LAbS model violates a formula of linear time.
//!
//! The atoms are evaluated on the states and steps of the reference semantics: `a acts` by the step that the trace makes,
//! `a can act` by the steps that the rules offer. A trace does not say where agents are in their processes, and what an agent can
//! do depends on that; so all executions that look like the trace are followed, and one that violates the formula is enough.

use crate::claim::{Claim, Confirmed};
use crate::fair::{Does, Loop, is_fair};
use crate::follow::{Follow, unit};
use crate::{Refused, is_named, replay_seeing};
use swarmcheck_engine::Why;
use swarmcheck_engine::trace::data::{ACTION, TraceData};
use swarmcheck_ir::linear::simple::simple;
use swarmcheck_ir::{Expr, Linear, Modality};
use swarmcheck_labs::model::{Atom, Cond, Model};
use swarmcheck_logic::linear::{lasso, prefix};
use swarmcheck_reference::{Interpreter, Show, Sought, State, TooMany};
use swarmcheck_source::SourceFile;

/// So many processes of agents are kept, in all states of all executions that look alike, but at least [`FEW_RUNS`]. Of more executions, some are
/// followed, which proves as much if one of them violates the formula.
const MOST_PROCESSES: usize = 1 << 16;

/// So many executions are followed in any case. Where what can be seen is enough, it is looked at instead of more.
const FEW_RUNS: usize = 256;

/// Checks that a trace violates a formula.
pub(crate) fn violated(
    oracle: &Interpreter<'_>,
    file: &SourceFile,
    trace: &TraceData,
    formula: &Linear<Atom>,
    claim: &Claim<'_>,
) -> Result<Confirmed, Refused> {
    let model = oracle.model();
    // What can be seen is enough where neither the formula nor fairness asks what agents can do.
    let plain = claim.fairness.is_none() && !needs_processes(formula);
    let most = match plain {
        true => FEW_RUNS,
        false => (MOST_PROCESSES / (trace.steps.len() + 1) / model.agents().max(1) as usize).max(FEW_RUNS),
    };
    let runs = |processes| Runs { model, file, trace, processes, most, at: 0, all: vec![], left_out: false };
    let (mut runs, mut seen) = (runs(true), runs(false));
    let mut judged = Ok(None);
    let mut fair = Loop::new(trace, claim.fairness);
    let replayed = replay_seeing(oracle, file, trace, &mut |now| {
        fair.see(oracle, now);
        runs.see(oracle, now);
        seen.see(oracle, now);
        if runs.at > trace.steps.len() {
            judged = match runs.judge(oracle, formula, claim) {
                Ok(None) if plain => seen.judge(oracle, formula, claim),
                judged => judged,
            };
        }
    })?;
    let refuse = |why: String| Refused::new(Some(trace.steps.len()), why);
    match judged.map_err(refuse)? {
        Some(true) => Ok(Confirmed { replayed, entirely: true }),
        Some(false) => {
            // Who is passed over, if that is why.
            fair.check()?;
            Err(refuse("the trace does not violate the formula".to_string()))
        }
        None => Err(Refused::undecided(
            Some(trace.steps.len()),
            "too many executions look like the trace, and none that was followed violates the formula"
                .to_string(),
        )),
    }
}

/// The predicates of a formula.
pub(crate) fn predicates(formula: &Linear<Atom>) -> Vec<&Cond> {
    let mut atoms = vec![];
    formula.atoms(&mut atoms);
    let mut out = vec![];
    for atom in atoms {
        if let Atom::State(cond) = atom {
            out.push(cond);
        }
    }
    out
}

/// Whether the condition p of a formula G p or F p, or of several, holds in a state: `None` if the formula is another, or
/// speaks of more than the state shows.
pub(crate) fn holds_now(oracle: &Interpreter<'_>, state: &State, formula: &Linear<Atom>) -> Option<bool> {
    let (modality, _) = shape(formula)?;
    if needs_processes(formula) {
        return None;
    }
    let point = Point { state: state.clone(), by: None };
    // What is below the operators, of the one state alone, which then lasts.
    let (numbers, atoms) = numbered(formula);
    let truths: Option<Vec<bool>> = atoms.iter().map(|atom| truth(oracle, &point, atom).ok()).collect();
    let truths = truths?;
    let holds = lasso::satisfies(&numbers, 1, 0, &|atom, _| truths[atom]);
    matches!(modality, Modality::Always | Modality::Eventually).then_some(holds)
}

/// Whether what is said of the agents' processes matters.
fn needs_processes(formula: &Linear<Atom>) -> bool {
    let mut atoms = vec![];
    formula.atoms(&mut atoms);
    atoms.into_iter().any(|atom| matches!(atom, Atom::CanAct(_)))
}

/// `always` or `eventually`, if the formula is one of these.
fn shape(formula: &Linear<Atom>) -> Option<(Modality, Expr)> {
    simple(formula, &|f| of_state(f).then_some(Expr::TRUE))
}

/// Whether a formula says something of the current state alone.
fn of_state(formula: &Linear<Atom>) -> bool {
    match formula {
        Linear::Atom(atom) => matches!(atom, Atom::State(_) | Atom::CanAct(_) | Atom::CanSend(_)),
        Linear::Not(a) => of_state(a),
        Linear::And(parts) | Linear::Or(parts) => parts.iter().all(of_state),
        Linear::Next(_) | Linear::Until(..) | Linear::Release(..) => false,
    }
}

/// What can be said of a point of an execution without looking ahead.
enum Fact<'f> {
    Atom(&'f Atom),
    /// The step just made was an action of this agent.
    Acted(u32),
    /// The step just made delivered a message of this agent, or of somebody.
    Sent(Option<u32>),
}

/// One state of an execution, and the step that led to it: who moved, and whether that was an action.
struct Point {
    state: State,
    by: Option<(u32, bool)>,
}

/// The executions that look like a trace.
struct Runs<'a> {
    model: &'a Model,
    file: &'a SourceFile,
    trace: &'a TraceData,
    /// Whether it matters where agents are in their processes. Otherwise the states that can be seen are one execution.
    processes: bool,
    /// No more executions are followed.
    most: usize,
    /// How many states were seen.
    at: usize,
    all: Vec<Vec<State>>,
    /// There are more.
    left_out: bool,
}

impl Runs<'_> {
    fn see(&mut self, oracle: &Interpreter<'_>, now: &Follow) {
        let at = self.at;
        self.at += 1;
        if !self.processes {
            match &mut self.all[..] {
                [] => self.all.push(vec![now.state().clone()]),
                runs => runs.iter_mut().for_each(|run| run.push(now.state().clone())),
            }
            return;
        }
        let most = self.most;
        if at == 0 {
            self.left_out = now.combinations() > most;
            self.all = now.some_states(most).into_iter().map(|state| vec![state]).collect();
            return;
        }
        let mut longer: Vec<Vec<State>> = vec![];
        let mut left_out = false;
        for run in &self.all {
            if longer.len() > most {
                break;
            }
            let (next, all) = self.next(oracle, now, run, at);
            left_out |= !all;
            longer.extend(next.into_iter().map(|state| run.iter().cloned().chain([state]).collect()));
        }
        self.left_out |= left_out || longer.len() > most;
        longer.truncate(most);
        self.all = longer;
    }

    /// The states to which the step with this number leads from the end of an execution, and whether these are all.
    fn next(
        &self,
        oracle: &Interpreter<'_>,
        now: &Follow,
        run: &[State],
        number: usize,
    ) -> (Vec<State>, bool) {
        let (Some(last), Some(step)) = (run.last(), self.trace.steps.get(number - 1)) else {
            return (vec![], true);
        };
        let mut out: Vec<State> = vec![];
        let cells = |var| now.state().cells(self.model, Some(step.agent), var);
        let sought = Sought {
            label: &|label| is_named(self.model, self.file, label, step),
            values: &|var| cells(var).cloned().unwrap_or_default(),
        };
        let shown = oracle.for_each_step(last, step.agent, Some(sought), &mut |(_, result)| match result {
            Ok(state) if now.admits(&state) => {
                if !out.contains(&state) {
                    out.push(state);
                }
                Show::Others
            }
            _ => Show::More,
        });
        (out, shown.is_ok())
    }

    /// Whether some execution violates the formula; `None` if none does that was followed, and there are more.
    fn judge(
        &self,
        oracle: &Interpreter<'_>,
        formula: &Linear<Atom>,
        claim: &Claim<'_>,
    ) -> Result<Option<bool>, String> {
        for run in &self.all {
            if self.violates(oracle, formula, run, claim)? {
                return Ok(Some(true));
            }
        }
        Ok((!self.left_out).then_some(false))
    }

    fn violates(
        &self,
        oracle: &Interpreter<'_>,
        formula: &Linear<Atom>,
        run: &[State],
        claim: &Claim<'_>,
    ) -> Result<bool, String> {
        let length = self.trace.steps.len();
        let by = self.trace.steps.iter().map(|step| Some((step.agent, step.rule == ACTION)));
        let steps = [None].into_iter().chain(by);
        let mut points: Vec<Point> =
            run.iter().cloned().zip(steps).map(|(state, by)| Point { state, by }).collect();
        let last = points.len().checked_sub(1).ok_or("the trace has no states")?;
        match (claim.why, claim.bound) {
            // An execution goes on from every state, be it by resting; but not if those that stop do not count. What every state
            // has to satisfy is violated by the last one, whatever follows.
            (Why::Prefix, None) if !claim.ignore_deadlock => is_bad(oracle, formula, &points),
            (Why::False, bound) => match shape(formula) {
                // Within a bound, the goal has not come so far. Without one, it cannot come.
                Some((Modality::Eventually, _)) if bound.is_some() => {
                    Ok(bound == u32::try_from(length).ok() && fails(oracle, formula, &points, last)?)
                }
                _ => Ok(bound.is_none_or(|b| length <= b as usize) && is_bad(oracle, formula, &points)?),
            },
            (Why::Loop | Why::Stuck | Why::Formula, None) => {
                let back = match (self.trace.loop_start, self.trace.end.as_str()) {
                    // The last state is the one at the start of the loop, reached by another step.
                    (Some(start), _) if start < last && points[start].state == points[last].state => {
                        start + 1
                    }
                    (None, "deadlock") if !claim.ignore_deadlock => {
                        let state = points[last].state.clone();
                        if !is_stuck(oracle, &state) {
                            return Ok(false);
                        }
                        points.push(Point { state, by: None });
                        points.len() - 1
                    }
                    _ => return Ok(false),
                };
                let steps = self.trace.loop_start.and_then(|start| self.trace.steps.get(start..));
                let counts = match (self.trace.loop_start, steps) {
                    (Some(start), Some(steps)) => is_fair(oracle, claim.fairness, &run[start..last], steps),
                    _ => true,
                };
                Ok(counts && fails(oracle, formula, &points, back)?)
            }
            _ => Ok(false),
        }
    }
}

/// Whether no execution that begins so satisfies the formula.
fn is_bad(oracle: &Interpreter<'_>, formula: &Linear<Atom>, points: &[Point]) -> Result<bool, String> {
    let (numbers, truths) = evaluated(oracle, formula, points)?;
    Ok(prefix::is_bad(&numbers, points.len(), &|fact, at| truths[fact][at]))
}

/// Whether an execution that goes on at the point `back` after the last one does not satisfy the formula.
fn fails(
    oracle: &Interpreter<'_>,
    formula: &Linear<Atom>,
    points: &[Point],
    back: usize,
) -> Result<bool, String> {
    let (numbers, truths) = evaluated(oracle, formula, points)?;
    Ok(!lasso::satisfies(&numbers, points.len(), back, &|fact, at| truths[fact][at]))
}

/// The formula over numbers of facts, and the truth of each fact at each point.
fn evaluated(
    oracle: &Interpreter<'_>,
    formula: &Linear<Atom>,
    points: &[Point],
) -> Result<(Linear<usize>, Vec<Vec<bool>>), String> {
    let formula = facts(formula);
    let (numbers, facts) = numbered(&formula);
    let one = |fact: &&Fact<'_>| {
        let at = |point: &Point| match fact {
            Fact::Atom(atom) => truth(oracle, point, atom),
            Fact::Acted(agent) => Ok(point.by == Some((*agent, true))),
            Fact::Sent(Some(agent)) => Ok(point.by == Some((*agent, false))),
            Fact::Sent(None) => Ok(matches!(point.by, Some((_, false)))),
        };
        points.iter().map(at).collect::<Result<Vec<bool>, String>>()
    };
    let truths = facts.iter().map(one).collect::<Result<Vec<_>, _>>()?;
    Ok((numbers, truths))
}

/// What is said of the next step is said of the step just made, after it.
fn facts(formula: &Linear<Atom>) -> Linear<Fact<'_>> {
    let next = |fact| Linear::next(Linear::Atom(fact));
    match formula {
        Linear::Atom(Atom::Acts(agent)) => next(Fact::Acted(*agent)),
        Linear::Atom(Atom::Sends(agent)) => next(Fact::Sent(Some(*agent))),
        Linear::Atom(Atom::Delivered) => next(Fact::Sent(None)),
        Linear::Atom(atom) => Linear::Atom(Fact::Atom(atom)),
        Linear::Not(a) => Linear::not(facts(a)),
        Linear::And(parts) => Linear::And(parts.iter().map(facts).collect()),
        Linear::Or(parts) => Linear::Or(parts.iter().map(facts).collect()),
        Linear::Next(a) => Linear::next(facts(a)),
        Linear::Until(a, b) => Linear::until(facts(a), facts(b)),
        Linear::Release(a, b) => Linear::release(facts(a), facts(b)),
    }
}

/// What an atom says of a state; of the step that leaves it, nothing is known here.
fn truth(oracle: &Interpreter<'_>, point: &Point, atom: &Atom) -> Result<bool, String> {
    match atom {
        Atom::State(cond) => oracle.satisfies(&point.state, cond).map_err(|e| e.to_string()),
        Atom::CanAct(who) => can(oracle, &point.state, *who, Does::Acts),
        Atom::CanSend(who) => can(oracle, &point.state, *who, Does::Sends),
        Atom::Acts(_) | Atom::Sends(_) | Atom::Delivered => Ok(false),
    }
}

/// Whether the rules offer such a step.
fn can(oracle: &Interpreter<'_>, state: &State, who: u32, does: Does) -> Result<bool, String> {
    let can = unit(oracle, state, who).map(|can| can == Some(does));
    can.map_err(|TooMany| format!("it is not known whether agent {who} can act"))
}

fn is_stuck(oracle: &Interpreter<'_>, state: &State) -> bool {
    (0..oracle.model().agents()).all(|agent| unit(oracle, state, agent) == Ok(None))
}

/// A formula over the numbers of its atoms, and the atoms.
pub(crate) fn numbered<A>(formula: &Linear<A>) -> (Linear<usize>, Vec<&A>) {
    let mut atoms: Vec<&A> = vec![];
    formula.atoms(&mut atoms);
    let mut next = 0;
    let numbers = formula.map(&mut |_| {
        next += 1;
        next - 1
    });
    (numbers, atoms)
}
