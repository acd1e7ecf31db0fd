//! Replays traces of R-CHECK on definition 2.
//!
//! A trace says who sends, with which command, and what is assigned. Older ones do not say who receives with which command,
//! so all runs that look like it are followed; what it is said to show must be true of one of them.

mod fair;
mod message;

pub use message::message;

use crate::formula::numbered;
use crate::{Claim, Confirmed, Refused, Replayed};
use swarmcheck_engine::Why;
use swarmcheck_engine::trace::data::{FORMAT, PropertyData, StepData, TraceData, VERSION, WriteData};
use swarmcheck_ir::Linear;
use swarmcheck_logic::linear::{lasso, prefix};
use swarmcheck_rcheck::Specification;
use swarmcheck_rcheck::model::{Atom, Expr, Spec};
use swarmcheck_rcheck::reference::{Interpreter, Local, Moment, State};
use swarmcheck_rcheck::syntax::ast::Op;

/// So many states of runs that look alike are kept, but at least [`FEW_RUNS`] runs are followed. Of more runs, some are.
const MOST_STATES: usize = 1 << 14;
const FEW_RUNS: usize = 256;

/// A state, and the step to it.
#[derive(Clone, PartialEq)]
struct Point {
    state: State,
    /// Who has sent or asked, and with which command; nobody before the first step, or if the system rests.
    by: Option<(usize, usize)>,
    received: Vec<(usize, usize)>,
    observed: Vec<bool>,
}

type Run = Vec<Point>;

pub fn replay(spec: &Specification, trace: &TraceData) -> Result<Replayed, Refused> {
    let oracle = Interpreter::new(spec);
    let mut left_out = false;
    let runs = follow(&oracle, trace, &mut left_out).and_then(|(replayed, mut runs)| {
        fair::retain(&oracle, trace, trace.fairness, &mut runs)?;
        Ok(replayed)
    });
    runs.map_err(|refused| of_some(refused, left_out))
}

/// Why a trace is refused, if some runs were left out that look like it.
fn of_some(refused: Refused, left_out: bool) -> Refused {
    match left_out {
        false => refused,
        true => Refused::undecided(
            refused.step,
            format!("too many runs look like this trace; of those that were followed: {}", refused.why),
        ),
    }
}

/// Checks that a trace shows what it is said to show.
pub fn violated(spec: &Specification, trace: &TraceData, claim: &Claim<'_>) -> Result<Confirmed, Refused> {
    let oracle = Interpreter::new(spec);
    let mut left_out = false;
    let shown = shown(&oracle, trace, claim, &mut left_out);
    shown.map_err(|refused| of_some(refused, left_out))
}

fn shown(
    oracle: &Interpreter<'_>,
    trace: &TraceData,
    claim: &Claim<'_>,
    left_out: &mut bool,
) -> Result<Confirmed, Refused> {
    let (replayed, mut runs) = follow(oracle, trace, left_out)?;
    fair::retain(oracle, trace, claim.fairness, &mut runs)?;
    let wrong = |why: &str| Refused::new(Some(trace.steps.len()), why.to_string());
    let confirmed = Confirmed { replayed, entirely: true };
    let Some(name) = claim.property else {
        let stuck = trace.end == "deadlock";
        return if stuck { Ok(confirmed) } else { Err(wrong("the trace does not end in a deadlock")) };
    };
    let property = oracle.spec().specs.iter().find(|s| s.name == name);
    let property = property.ok_or_else(|| wrong(&format!("there is no property {name:?}")))?;
    let shows = |run: &Run| shows(oracle, property, trace, run, claim);
    if runs.iter().any(shows) { Ok(confirmed) } else { Err(wrong("the trace does not violate the formula")) }
}

/// Whether a run violates a formula.
fn shows(oracle: &Interpreter<'_>, spec: &Spec, trace: &TraceData, run: &Run, claim: &Claim<'_>) -> bool {
    let length = trace.steps.len();
    match (claim.why, claim.bound) {
        // A safety property is violated by the last state, whatever follows.
        (Why::False, bound) => match state_condition(&spec.formula) {
            Some((true, parts)) => {
                bound.is_none_or(|b| length <= b as usize) && !all(oracle, &run[run.len() - 1], &parts)
            }
            Some((false, parts)) => {
                bound == u32::try_from(length).ok() && run.iter().all(|point| !any(oracle, point, &parts))
            }
            None => false,
        },
        // An execution goes on from every state, be it by resting; but not if those that stop do not count.
        (Why::Prefix, None) => {
            !claim.ignore_deadlock && {
                // The step that leaves the last state is not known.
                let formula = facts(oracle.spec(), &spec.formula);
                let (formula, facts) = numbered(&formula);
                prefix::is_bad(&formula, run.len(), &|fact, at| known(oracle, &run[at], facts[fact]))
            }
        }
        (Why::Loop | Why::Stuck | Why::Formula, None) => {
            let mut points = run.clone();
            let back = match (trace.loop_start, trace.end.as_str()) {
                // The last state is the one at the start of the loop, reached by another step.
                (Some(start), _) => start + 1,
                (None, "deadlock") if !claim.ignore_deadlock => {
                    points.extend(run.last().map(|last| Point {
                        state: last.state.clone(),
                        by: None,
                        received: vec![],
                        observed: vec![false; last.observed.len()],
                    }));
                    points.len() - 1
                }
                _ => return false,
            };
            let (formula, atoms) = numbered(&spec.formula);
            let next = |at: usize| points.get(at + 1).unwrap_or(&points[back]).by;
            let truth = |atom: usize, at: usize| holds(oracle, &points[at], next(at), atoms[atom]);
            back < points.len() && !lasso::satisfies(&formula, points.len(), back, &truth)
        }
        _ => false,
    }
}

/// An atom at a point, if this is who acts next.
fn holds(oracle: &Interpreter<'_>, point: &Point, next: Option<(usize, usize)>, atom: &Atom) -> bool {
    match atom {
        Atom::State(e) => oracle.holds(&Moment { state: &point.state, received: &point.received, next }, e),
        Atom::Observed(number) => point.observed[*number],
    }
}

/// What is known of a point when nothing is known of what follows it.
#[derive(Clone)]
enum Fact<'f> {
    /// An atom that does not depend on the next step.
    Atom(&'f Atom),
    /// A part of one.
    Part(&'f Expr),
    /// The step just made was this send or get.
    By(usize, usize),
}

fn known(oracle: &Interpreter<'_>, point: &Point, fact: &Fact<'_>) -> bool {
    match fact {
        Fact::Atom(atom) => holds(oracle, point, None, atom),
        Fact::Part(e) => {
            oracle.holds(&Moment { state: &point.state, received: &point.received, next: None }, e)
        }
        Fact::By(agent, command) => point.by == Some((*agent, *command)),
    }
}

/// A formula in which commands that are taken next are those that were taken after the next step.
fn facts<'f>(spec: &Specification, formula: &'f Linear<Atom>) -> Linear<Fact<'f>> {
    let inner = |f: &'f Linear<Atom>| facts(spec, f);
    match formula {
        Linear::Atom(Atom::State(e)) if spec.names_next_step(e) => parts(spec, e),
        Linear::Atom(atom) => Linear::Atom(Fact::Atom(atom)),
        Linear::Not(a) => Linear::not(inner(a)),
        Linear::And(all) => Linear::And(all.iter().map(inner).collect()),
        Linear::Or(all) => Linear::Or(all.iter().map(inner).collect()),
        Linear::Next(a) => Linear::next(inner(a)),
        Linear::Until(a, b) => Linear::until(inner(a), inner(b)),
        Linear::Release(a, b) => Linear::release(inner(a), inner(b)),
    }
}

fn parts<'f>(spec: &Specification, e: &'f Expr) -> Linear<Fact<'f>> {
    match e {
        Expr::Label(agent, command) if !spec.receives(*agent, *command) => {
            Linear::next(Linear::Atom(Fact::By(*agent, *command)))
        }
        e if !spec.names_next_step(e) => Linear::Atom(Fact::Part(e)),
        Expr::Not(inner) => Linear::not(parts(spec, inner)),
        Expr::Binary(op, a, b, _) => {
            let (yes, also) = (parts(spec, a), parts(spec, b));
            let (no, neither) = (Linear::not(yes.clone()), Linear::not(also.clone()));
            let both = |a, b| Linear::And(vec![a, b]);
            match op {
                Op::And => both(yes, also),
                Op::Or => Linear::Or(vec![yes, also]),
                Op::Implies => Linear::Or(vec![no, also]),
                Op::Ne => Linear::Or(vec![both(yes, neither), both(no, also)]),
                _ => Linear::Or(vec![both(yes, also), both(no, neither)]),
            }
        }
        e => Linear::Atom(Fact::Part(e)),
    }
}

fn all(oracle: &Interpreter<'_>, point: &Point, atoms: &[&Atom]) -> bool {
    atoms.iter().all(|atom| holds(oracle, point, None, atom))
}

fn any(oracle: &Interpreter<'_>, point: &Point, atoms: &[&Atom]) -> bool {
    atoms.iter().any(|atom| holds(oracle, point, None, atom))
}

/// Whether an atom says nothing about the step just made or the next one: no label stands in it.
fn of_state(atom: &Atom) -> bool {
    let Atom::State(e) = atom else { return false };
    let mut named = false;
    e.walk(&mut |e| named |= matches!(e, Expr::Label(..)));
    !named
}

/// G of all these atoms (`true`), or F of any of them (`false`).
fn state_condition(formula: &Linear<Atom>) -> Option<(bool, Vec<&Atom>)> {
    match formula {
        Linear::Release(a, b) if **a == Linear::falsity() => match &**b {
            Linear::Atom(atom) if of_state(atom) => Some((true, vec![atom])),
            _ => None,
        },
        Linear::Until(a, b) if **a == Linear::truth() => match &**b {
            Linear::Atom(atom) if of_state(atom) => Some((false, vec![atom])),
            _ => None,
        },
        Linear::And(parts) | Linear::Or(parts) if !parts.is_empty() => {
            let wanted = matches!(formula, Linear::And(_));
            let mut out = vec![];
            for part in parts {
                let (always, atoms) = state_condition(part)?;
                if always != wanted {
                    return None;
                }
                out.extend(atoms);
            }
            Some((wanted, out))
        }
        _ => None,
    }
}

/// The runs that look like a trace, or some of them.
fn follow(
    oracle: &Interpreter<'_>,
    trace: &TraceData,
    left_out: &mut bool,
) -> Result<(Replayed, Vec<Run>), Refused> {
    let before = |why: String| Refused::new(None, why);
    if trace.format != FORMAT || trace.version != VERSION {
        return Err(before(format!("not a {FORMAT} of version {VERSION}")));
    }
    let spec = oracle.spec();
    let locals = |agent: usize| vec![None; spec.agent_of(agent).locals.len()];
    let mut values: Vec<Vec<Option<i64>>> = (0..spec.instances.len()).map(locals).collect();
    apply(spec, &mut values, &trace.initial).map_err(before)?;
    let first: Option<State> = values
        .iter()
        .map(|values| Some(Local { state: 0, values: values.iter().copied().collect::<Option<Vec<i64>>>()? }))
        .collect();
    let first = first.filter(|state| oracle.is_initial(state));
    let first =
        first.ok_or_else(|| before("the first values are not those of an initial state".to_string()))?;
    let nothing = vec![false; spec.observations.len()];
    let mut runs: Vec<Run> =
        vec![vec![Point { state: first, by: None, received: vec![], observed: nothing }]];
    runs.retain(|run| told(oracle, run, &trace.properties));
    for (number, step) in trace.steps.iter().enumerate() {
        let at = |why: String| Refused::new(Some(number + 1), why);
        apply(spec, &mut values, &step.writes).map_err(at)?;
        runs = runs.iter().flat_map(|run| extended(oracle, run, step, &values)).collect();
        runs.retain(|run| told(oracle, run, &step.properties));
        if runs.is_empty() {
            return Err(at(format!("{:?} with these values is not possible here", step.what)));
        }
        let most = (MOST_STATES / (number + 2)).max(FEW_RUNS);
        *left_out |= runs.len() > most;
        runs.truncate(most);
    }
    let at_end = |why: &str| Refused::new(Some(trace.steps.len()), why.to_string());
    if let Some(start) = trace.loop_start {
        runs.retain(|run| {
            run.len() > start + 1 && run.last().map(|p| &p.state) == run.get(start).map(|p| &p.state)
        });
        if runs.is_empty() {
            return Err(at_end("the trace claims to loop, but its last state is not the one it loops to"));
        }
    }
    let stuck = |run: &Run| run.last().is_some_and(|point| oracle.steps(&point.state).is_empty());
    let deadlock = match trace.end.as_str() {
        // A run that is not followed may go on.
        "open" => !*left_out && runs.iter().all(stuck),
        "deadlock" => {
            runs.retain(stuck);
            if runs.is_empty() {
                return Err(at_end("the trace claims a deadlock, but a step is possible"));
            }
            true
        }
        // What does not fit into 64 bits has no value here.
        end if end.starts_with("model error: ") => false,
        _ => return Err(at_end("a trace ends open, in a deadlock or in a model error")),
    };
    Ok((Replayed { steps: trace.steps.len(), deadlock }, runs))
}

/// Takes over what a trace assigns.
fn apply(spec: &Specification, values: &mut [Vec<Option<i64>>], writes: &[WriteData]) -> Result<(), String> {
    for write in writes {
        let agent = write.agent.map(|a| a as usize).filter(|a| *a < values.len());
        let at = agent.and_then(|agent| {
            let locals = &spec.agent_of(agent).locals;
            Some((agent, locals.iter().position(|v| v.name == write.variable)?))
        });
        let (agent, at) = at.ok_or_else(|| format!("there is no variable {:?} to assign", write.variable))?;
        values[agent][at] = write.value;
    }
    Ok(())
}

/// A run, longer by one step that looks as the trace says.
fn extended(oracle: &Interpreter<'_>, run: &Run, step: &StepData, values: &[Vec<Option<i64>>]) -> Vec<Run> {
    let Some(last) = run.last() else { return vec![] };
    let spec = oracle.spec();
    let mut out: Vec<Run> = vec![];
    for made in oracle.steps(&last.state) {
        let words = &spec.agent_of(made.agent).commands[made.command].words;
        let alike = |(local, wanted): (&Local, &Vec<Option<i64>>)| {
            local.values.iter().zip(wanted).all(|(value, wanted)| Some(*value) == *wanted)
        };
        if made.agent != step.agent as usize
            || *words != step.what
            || !made.after.iter().zip(values).all(alike)
        {
            continue;
        }
        if let Some(told) = &step.message {
            let detailed = oracle.detailed(&last.state, &made);
            if !detailed.is_some_and(|detailed| message::tells(spec, told, &detailed)) {
                continue;
            }
        }
        let by = Some((made.agent, made.command));
        let point = Point { state: made.after, by, received: made.received, observed: made.observed };
        let longer: Run = run.iter().cloned().chain([point]).collect();
        if !out.contains(&longer) {
            out.push(longer);
        }
    }
    out
}

/// Whether the predicates in the last state of a run are as the trace says.
fn told(oracle: &Interpreter<'_>, run: &Run, claims: &[PropertyData]) -> bool {
    let Some(last) = run.last() else { return false };
    claims.iter().all(|claim| {
        let Some(spec) = oracle.spec().specs.iter().find(|s| s.name == claim.name) else { return false };
        let holds = match state_condition(&spec.formula) {
            Some((true, atoms)) => all(oracle, last, &atoms),
            Some((false, atoms)) => any(oracle, last, &atoms),
            // A formula of linear time has no predicate.
            None => return true,
        };
        holds == claim.holds
    })
}
