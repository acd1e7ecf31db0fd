//! A model as a labelled transition system.

mod compose;
#[cfg(test)]
mod tests;

use crate::open::Prepared;
use crate::outcome::{ModelFault, Reason};
use crate::refusal::Refusal;
use crate::start::assumptions;
use serde::{Deserialize, Serialize};
use swarmcheck_compose::Plan;
use swarmcheck_engine::{Composition, Control, Reason as Cause, Reductions};
use swarmcheck_explicit::labelled::{self, Unfinished};
use swarmcheck_ir::Rule;
use swarmcheck_ir::flat::Instance;
use swarmcheck_lts::{Builder, Equivalence, Lts, Stopped, TAU, aut, dot, minimise_unless};
use swarmcheck_portfolio::memory::limited;
use swarmcheck_source::{Diagnostic, data};

/// The file format of a transition system.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LtsFormat {
    /// Aldebaran (`.aut`), as CADP and mCRL2 read it.
    #[default]
    Aut,
    /// A drawing for Graphviz.
    Dot,
}

/// How a transition system is written.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct LtsOptions {
    /// The file format.
    pub format: LtsFormat,
    /// The equivalence up to which states are merged.
    pub minimise: Option<Minimise>,
    /// The system is put together from processes that are reduced one by one. It is minimal, up to
    /// [`Minimise::Divbranching`] if nothing else is said.
    #[serde(default)]
    pub compose: bool,
}

/// Up to what states are merged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Minimise {
    /// Strong bisimilarity.
    Strong,
    /// Branching bisimilarity.
    Branching,
    /// Branching bisimilarity that keeps endless invisible behaviour apart.
    Divbranching,
}

impl From<Minimise> for Equivalence {
    fn from(minimise: Minimise) -> Equivalence {
        match minimise {
            Minimise::Strong => Equivalence::Strong,
            Minimise::Branching => Equivalence::Branching,
            Minimise::Divbranching => Equivalence::DivergenceBranching,
        }
    }
}

/// A transition system as text.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Written {
    /// In the format asked for.
    pub text: String,
    /// The size before states were merged; none if the system was put together from processes, because nobody has seen it.
    pub whole: Option<Size>,
    /// What was left of it, if states were merged.
    pub minimised: Option<Size>,
    /// How it was put together, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub composition: Option<Box<Composition>>,
}

/// How large a transition system is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Size {
    /// The number of states.
    pub states: u32,
    /// The number of transitions.
    pub transitions: usize,
}

/// Larger drawings help nobody.
const MOST_DRAWN: u32 = 2000;

/// What the choice among several initial states is called.
const INITIAL_LABEL: &str = "initial";

/// The whole system as text.
pub fn lts(prepared: &Prepared, options: LtsOptions, control: &Control<'_>) -> Result<Written, Refusal> {
    let minimise = options.minimise.or(options.compose.then_some(Minimise::Divbranching));
    let hide = minimise.is_some_and(|up_to| up_to != Minimise::Strong);
    let mut out = Written { text: String::new(), whole: None, minimised: None, composition: None };
    let result = match minimise {
        Some(up_to) if options.compose => {
            let plan = Plan::new(&Reductions::ALL, 1);
            let (small, composition) = compose::composed(prepared, up_to.into(), hide, plan, control)?;
            out.composition = Some(Box::new(composition));
            out.minimised = Some(Size::of(&small));
            small
        }
        None => {
            let whole = system(prepared, hide, control)?;
            out.whole = Some(Size::of(&whole));
            whole
        }
        Some(up_to) => {
            let whole = system(prepared, hide, control)?;
            let small = minimise_unless(&whole, up_to.into(), &limit(control))
                .map_err(|Stopped| given_up(control))?;
            out.whole = Some(Size::of(&whole));
            out.minimised = Some(Size::of(&small));
            small
        }
    };
    // Writing to a string cannot fail.
    let _ = match options.format {
        LtsFormat::Aut => aut::write(&mut out.text, &result),
        LtsFormat::Dot if result.states() > MOST_DRAWN => {
            return Err(Refusal::TooManyToDraw { states: result.states(), most: MOST_DRAWN });
        }
        LtsFormat::Dot => dot::write(&mut out.text, &result),
    };
    Ok(out)
}

/// The whole system; with `hide`, messages are invisible.
pub(crate) fn system(prepared: &Prepared, hide: bool, control: &Control<'_>) -> Result<Lts, Refusal> {
    // What follows properties over actions is no part of the behaviour.
    let program = prepared.behaviour().map_err(|diagnostic| refused(prepared, diagnostic))?;
    let explored = limited(control, |control| labelled::explore(program, control));
    let explored =
        explored.unwrap_or_else(|reason| Err(Unfinished::Reason(reason))).map_err(|why| match why {
            Unfinished::Fault(fault) => Refusal::ModelError { error: ModelFault::new(prepared, fault) },
            Unfinished::Reason(Cause::Interrupted) => given_up(control),
            Unfinished::Reason(reason) => Refusal::unfinished(reason),
        })?;
    if explored.initial == 0 {
        return Err(Refusal::NoInitialState { assumptions: assumptions(prepared) });
    }
    let mut builder = Builder::new();
    builder.at_least(explored.states);
    for (from, instance, to) in &explored.steps {
        builder.step(*from, &label(prepared, *instance, hide), *to);
    }
    let initial = match explored.initial {
        1 => 0,
        many => {
            let label = builder.label(INITIAL_LABEL);
            builder.entry((0..many).map(|state| (label, state)))
        }
    };
    Ok(builder.finish(initial))
}

/// When computations on transition systems are to be given up.
pub(crate) fn limit(control: &Control<'_>) -> impl Fn(u64) -> bool {
    |bytes| control.stopped() || control.budget.memory.is_some_and(|most| bytes > most)
}

/// Why one was.
pub(crate) fn given_up(control: &Control<'_>) -> Refusal {
    Refusal::unfinished(if control.stopped() { Reason::Interrupted } else { Reason::Memory })
}

/// The model cannot be lowered, for a reason that its diagnostics tell.
pub(crate) fn refused(prepared: &Prepared, diagnostic: &Diagnostic) -> Refusal {
    Refusal::Model { diagnostics: vec![data::diagnostic(&prepared.file, diagnostic)] }
}

impl Size {
    pub(crate) fn of(lts: &Lts) -> Size {
        Size { states: lts.states(), transitions: lts.transitions() }
    }
}

fn label(prepared: &Prepared, instance: Instance, hide: bool) -> String {
    if let Some(labels) = &prepared.labels {
        return match labels[instance.function as usize].as_str() {
            "tau" => TAU.to_string(),
            // An action that happens to be called as the invisible one.
            TAU => format!("({TAU})"),
            label => label.to_string(),
        };
    }
    let program = &prepared.flat.program;
    let who = program.agent_name(instance.agent);
    match &program.functions[instance.function as usize].rule {
        Rule::Action { words, .. } => format!("{who}: {words}"),
        Rule::System { .. } if hide => TAU.to_string(),
        Rule::System { verb, object, .. } => format!("{who}: {verb} {object}"),
    }
}
