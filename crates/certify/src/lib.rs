//! Replays traces on the reference semantics. No engine is used here: whatever an engine claims is checked against
//! the rules themselves.
//!
//! A trace is accepted if its initial values are allowed by the initialisers and assumptions, and each step is a step
//! of the rules: the same agent, the same action or message, and exactly the same new values and order of
//! timestamps. Where a trace does not say which of several identical-looking process states it means, all of them
//! are followed. A step that draws one of very many numbers is made with the numbers of the trace, where it can be seen
//! which these are; otherwise no more than [`WAYS`] are tried. [`labels`] does the same for calculi, whose steps are their labels, and [`recipe`] for R-CHECK.

mod claim;
mod expected;
mod fair;
mod follow;
mod formula;
pub mod labels;
pub mod recipe;
mod refused;

pub use claim::{Claim, Confirmed, violated};
pub use refused::Refused;

use expected::Expected;
use follow::Follow;
use swarmcheck_engine::trace::data::{FORMAT, PropertyData, StepData, TraceData, VERSION};
use swarmcheck_labs::model::{Modality, Model};
use swarmcheck_reference::{Choice, Interpreter, Label, ModelError, Options, Semantics, Show, Sought, State};
use swarmcheck_source::SourceFile;

/// A trace that was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// The number of steps.
    pub steps: usize,
    /// Whether the last state is a deadlock.
    pub deadlock: bool,
}

/// In so many ways the actions on and beside a trace are performed at most, beyond the first way of each.
pub const WAYS: u64 = 1 << 22;
/// And in so many more for each of its steps.
const WAYS_OF_A_STEP: u64 = 1 << 12;

/// Replays a trace of a model. `file` is the model's text, for the places of actions.
pub fn replay(model: &Model, file: &SourceFile, trace: &TraceData) -> Result<Replayed, Refused> {
    let oracle = oracle(model, trace)?;
    let mut fair = fair::Loop::new(trace, trace.fairness);
    let replayed = replay_seeing(&oracle, file, trace, &mut |now| fair.see(&oracle, now));
    replayed.and_then(|replayed| fair.check().map(|()| replayed)).map_err(|why| why.by(&oracle))
}

/// The rules as a trace reads them.
fn oracle<'m>(model: &'m Model, trace: &TraceData) -> Result<Interpreter<'m>, Refused> {
    let before = |why: String| Refused::new(None, why);
    if trace.format != FORMAT || trace.version != VERSION {
        return Err(before(format!("not a {FORMAT} of version {VERSION}")));
    }
    let semantics = match trace.semantics.as_str() {
        "sliver" => Semantics::Sliver,
        "paper" => Semantics::Paper,
        other => return Err(before(format!("unknown semantics {other:?}"))),
    };
    let choice = match trace.choice.as_str() {
        "late" => Choice::Late,
        "early" => Choice::Early,
        other => return Err(before(format!("unknown choice {other:?}"))),
    };
    let options = Options { fair: trace.fair, semantics, choice, sync: trace.sync };
    let ways = WAYS + WAYS_OF_A_STEP * trace.steps.len() as u64;
    Ok(Interpreter::new(model, options).trying_at_most(ways))
}

/// Replays a trace and shows every state on the way.
fn replay_seeing(
    oracle: &Interpreter<'_>,
    file: &SourceFile,
    trace: &TraceData,
    see: &mut dyn FnMut(&Follow),
) -> Result<Replayed, Refused> {
    let model = oracle.model();
    let before = |why: String| Refused::new(None, why);
    let mut expected = Expected::new(model);
    expected.apply(&trace.initial).map_err(before)?;
    let initial = oracle
        .initial_from(&expected.values)
        .map_err(|e| before(e.to_string()))?
        .ok_or_else(|| before("the first values are not those of an initial state".to_string()))?;
    expected.matches(&oracle.observe(&initial)).map_err(before)?;
    properties(oracle, &initial, &trace.properties).map_err(before)?;
    let mut now = Follow::start(oracle, initial);
    see(&now);
    let mut looped = trace.loop_start.filter(|&at| at == 0 && !trace.steps.is_empty()).map(|_| now.clone());
    for (i, step) in trace.steps.iter().enumerate() {
        let at = |why: String| Refused::new(Some(i + 1), why);
        expected.apply(&step.writes).map_err(at)?;
        now = advance(file, oracle, &now, step, &expected).map_err(at)?;
        properties(oracle, now.state(), &step.properties).map_err(at)?;
        see(&now);
        if trace.loop_start == Some(i + 1) && i + 1 < trace.steps.len() {
            looped = Some(now.clone());
        }
    }
    let at_end = |why: &str| Refused::new(Some(trace.steps.len()), why.to_string());
    if trace.loop_start.is_some() && !looped.is_some_and(|back| back.may_be(&now)) {
        return Err(at_end("the trace claims to loop, but its last state is not the one it loops to"));
    }
    let deadlock = match trace.end.as_str() {
        // A process that was not found may move.
        "open" => now.is_stuck(oracle) && oracle.has_tried_all(),
        "deadlock" if now.may_be_stuck(oracle) => true,
        "deadlock" => return Err(at_end("the trace claims a deadlock, but a step is possible")),
        end if end.starts_with("model error: ") => {
            // The rules must run into an error at the place that the trace names.
            let meets = |error: &ModelError| end.ends_with(&format!(":{}", file.position(error.span)));
            let in_step = now.any_step(oracle, &mut |(_, result)| result.is_err_and(|error| meets(&error)));
            let in_property =
                model.properties.iter().flat_map(claim::conditions).any(|condition| {
                    oracle.satisfies(now.state(), condition).is_err_and(|error| meets(&error))
                });
            if !in_step && !in_property {
                return Err(at_end("the trace claims a model error that the rules do not meet"));
            }
            false
        }
        _ => return Err(at_end("a trace ends open, in a deadlock or in a model error")),
    };
    Ok(Replayed { steps: trace.steps.len(), deadlock })
}

/// Whether the predicates are as the trace says.
fn properties(oracle: &Interpreter<'_>, state: &State, claims: &[PropertyData]) -> Result<(), String> {
    for claim in claims {
        let property = oracle.model().properties.iter().find(|p| p.name == claim.name);
        let property = property.ok_or_else(|| format!("there is no property {:?}", claim.name))?;
        let holds = match &property.modality {
            // Of a formula it is told at most whether p of G p holds; where that cannot be seen, it does not matter.
            Modality::Linear(formula) => formula::holds_now(oracle, state, formula).unwrap_or(claim.holds),
            _ => oracle.satisfies(state, &property.predicate).unwrap_or(!claim.holds),
        };
        if holds != claim.holds {
            return Err(format!("property {:?} is not {} here", claim.name, claim.holds));
        }
    }
    Ok(())
}

/// What a step of the rules can lead to and looks as the trace says.
fn advance(
    file: &SourceFile,
    oracle: &Interpreter<'_>,
    now: &Follow,
    step: &StepData,
    expected: &Expected<'_>,
) -> Result<Follow, String> {
    let model = oracle.model();
    let known = (step.agent < model.agents()).then(|| &model.kind(model.kind_of(step.agent)).name);
    if known != Some(&step.kind) {
        return Err(format!("agent {} is not a {}", step.agent, step.kind));
    }
    let mut next: Vec<State> = vec![];
    let mut named = false;
    let mut difference = None;
    let sought = Sought {
        label: &|label| is_named(model, file, label, step),
        values: &|var| expected.cells(step.agent, var).to_vec(),
    };
    now.for_each_step(oracle, step.agent, sought, &mut |(_, result)| {
        named = true;
        let Ok(candidate) = result else { return Show::More };
        match expected.fits(oracle, now.state(), &candidate, step) {
            Ok(()) => {
                next.push(candidate);
                // The action can only come out the same once more.
                Show::Others
            }
            Err(why) => {
                difference = Some(why);
                Show::More
            }
        }
    });
    if let Some(next) = now.after(step.agent, step.rule == "action", next) {
        return Ok(next);
    }
    let who = format!("{} {}", step.kind, step.agent);
    Err(match (named, difference) {
        (true, Some(why)) => format!("{who}: {} {}: {why}", step.rule, step.what),
        _ => format!("{who} cannot do {} {:?} here", step.rule, step.what),
    })
}

/// Whether a step of the rules is the one the trace names.
fn is_named(model: &Model, file: &SourceFile, label: &Label, step: &StepData) -> bool {
    match label {
        Label::Action { agent, action } => {
            let action = model.action(*action);
            step.rule == "action"
                && *agent == step.agent
                && step.at.as_deref() == Some(&file.position(action.span))
                && step.what == action.words(file.text())
        }
        Label::Propagate { agent, tuple } => {
            step.rule == "propagate" && *agent == step.agent && model.tuple_name(*tuple) == step.what
        }
        Label::Confirm { agent, tuple } => {
            step.rule == "confirm" && *agent == step.agent && model.tuple_name(*tuple) == step.what
        }
    }
}
