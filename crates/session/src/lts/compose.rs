//! The transition system of a model, put together from processes that are reduced one by one. It has the labels of the one that
//! is explored, and is equivalent to it.
//!
//! Every process begins in a state before the initial block, and so does the whole. That state is in a class of its own, so it
//! is never merged with another, and a step to an initial state is never left out as invisible. If the model has one initial
//! state, the system begins there; if it has several, the steps to them are called `initial`, as in the system that is explored.

use super::{INITIAL_LABEL, given_up, label, limit};
use crate::composed::Basis;
use crate::open::Prepared;
use crate::outcome::Reason;
use crate::refusal::Refusal;
use crate::start::assumptions;
use crate::words;
use std::cell::RefCell;
use std::collections::HashMap;
use swarmcheck_compose::assemble::{Assembled, Assembly};
use swarmcheck_compose::label::{Label, Labels};
use swarmcheck_compose::process::{INITIAL, Process};
use swarmcheck_compose::{Limits, NoWhole, Plan};
use swarmcheck_engine::{Composition, Control};
use swarmcheck_ir::Value;
use swarmcheck_ir::flat::{Enumerate, Instance, Outcome};
use swarmcheck_ir::ground::{Ground, Runner};
use swarmcheck_lts::{Builder, Equivalence, Lts, Stopped, TAU, minimise_unless};
use swarmcheck_question::initial::is_impossible;

/// The smallest equivalent system, and how it was made.
pub(super) fn composed(
    prepared: &Prepared,
    equivalence: Equivalence,
    hide: bool,
    plan: Plan,
    control: &Control<'_>,
) -> Result<(Lts, Composition), Refusal> {
    let basis = Basis::new(prepared)?;
    let texts = RefCell::new(Texts::default());
    let visible = |instance: Instance| texts.borrow_mut().number(label(prepared, instance, hide));
    let refuse = |why| Refusal::NotComposed { why };
    let mut network = basis.network(&visible).map_err(refuse)?;
    let undone = |why: NoWhole| match why {
        NoWhole::Stopped => given_up(control),
        NoWhole::Memory => Refusal::unfinished(Reason::Memory),
        NoWhole::Refused(why) => refuse(why),
    };
    let leaves = network.leaves(plan, Limits(control)).map_err(undone)?;
    let names: Vec<String> = network.parts.iter().map(|part| part.name.clone()).collect();
    let so_far = Composition::default();
    let mut assembly =
        Assembly { labels: &mut network.labels, equivalence, plan, control, memory: 0, so_far };
    let whole = assembly.whole(leaves, &names).map_err(undone)?;
    // All are together.
    let Assembled { parts, mut report } = whole;
    let process = &parts.first().ok_or_else(|| given_up(control))?.process;
    report.equivalence = words::composition::equivalence(equivalence).to_string();
    let several = match process.steps(INITIAL) {
        [] => return Err(Refusal::NoInitialState { assumptions: assumptions(prepared) }),
        // Several initial states may behave alike.
        [_] => is_several(&basis.ground, control)?,
        _ => true,
    };
    let texts = texts.into_inner();
    let lts = written(process, &network.labels, &texts.list, several);
    if several && texts.list.iter().any(|text| text == INITIAL_LABEL) {
        // Some state may behave like the one from which the initial states are chosen.
        let lts = minimise_unless(&lts, equivalence, &limit(control)).map_err(|Stopped| given_up(control))?;
        return Ok((lts, report));
    }
    Ok((lts, report))
}

/// What is seen of steps.
#[derive(Default)]
struct Texts {
    list: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Texts {
    /// The number of a label; none for the invisible one.
    fn number(&mut self, text: String) -> Option<u32> {
        if text == TAU {
            return None;
        }
        let next = self.list.len() as u32;
        let number = *self.numbers.entry(text.clone()).or_insert(next);
        if number == next {
            self.list.push(text);
        }
        Some(number)
    }
}

/// Whether there are at least two initial states.
fn is_several(ground: &Ground, control: &Control<'_>) -> Result<bool, Refusal> {
    if is_impossible(ground, &|| control.stopped()) {
        return Ok(false);
    }
    let (mut runner, mut choices) = (Runner::default(), Enumerate::default());
    let mut state: Vec<Value> = vec![0; ground.width()];
    let mut first: Option<Vec<Value>> = None;
    let mut tries: u32 = 0;
    loop {
        if runner.initialise(ground, &mut state, &mut choices) == Outcome::Done {
            match &first {
                Some(first) if *first != state => return Ok(true),
                Some(_) => {}
                None => first = Some(state.clone()),
            }
        }
        if !choices.advance() {
            return Ok(false);
        }
        tries = tries.wrapping_add(1);
        if tries.is_multiple_of(4096) && control.stopped() {
            return Err(given_up(control));
        }
    }
}

/// The whole with texts at its steps. All of them are complete.
fn written(process: &Process, labels: &Labels, texts: &[String], several: bool) -> Lts {
    let mut builder = Builder::new();
    // The state before the initial block is left out, or comes last.
    let shifted = |state: u32| state - 1;
    builder.at_least(process.states() - 1);
    for state in (0..process.states()).filter(|state| *state != INITIAL) {
        for &(label, target) in process.steps(state) {
            let text = match labels.label(label) {
                Label::Visible(number) => texts[*number as usize].as_str(),
                Label::Invisible | Label::Open { .. } => TAU,
            };
            builder.step(shifted(state), text, shifted(target));
        }
    }
    let targets = process.steps(INITIAL).iter().map(|(_, target)| shifted(*target));
    let initial = match several {
        false => targets.min().unwrap_or(0),
        true => {
            let label = builder.label(INITIAL_LABEL);
            builder.entry(targets.map(|target| (label, target)))
        }
    };
    builder.finish(initial)
}
