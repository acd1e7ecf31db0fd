//! A model as a labelled transition system.

use crate::exit::Exit;
use crate::open::Prepared;
use crate::sink::blame;
use swarmcheck_engine::{Control, Reason};
use swarmcheck_explicit::labelled::{self, Unfinished};
use swarmcheck_ir::Rule;
use swarmcheck_ir::flat::Instance;
use swarmcheck_lts::{Builder, Equivalence, Lts, Stopped, TAU, aut, dot, minimise_unless};

/// How to write it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LtsFormat {
    /// Aldebaran.
    #[default]
    Aut,
    /// For Graphviz.
    Dot,
}

/// What to write.
#[derive(Clone, Copy, Debug, Default)]
pub struct LtsOptions {
    /// How.
    pub format: LtsFormat,
    /// Up to what states are merged.
    pub minimise: Option<Equivalence>,
}

/// The words that `--minimise` takes.
pub const EQUIVALENCES: &[(Equivalence, &str)] = &[
    (Equivalence::Strong, "strong"),
    (Equivalence::Branching, "branching"),
    (Equivalence::DivergenceBranching, "divbranching"),
];

/// Larger drawings help nobody.
const MOST_DRAWN: u32 = 2000;

/// The text, and what it describes in words; or why there is none.
pub fn lts(
    prepared: &Prepared,
    options: LtsOptions,
    control: &Control<'_>,
) -> Result<(String, String), (Exit, String)> {
    let hide = matches!(options.minimise, Some(Equivalence::Branching | Equivalence::DivergenceBranching));
    let whole = system(prepared, hide, control)?;
    let mut words = size(&whole);
    let result = match options.minimise {
        None => whole,
        Some(equivalence) => {
            let small =
                minimise_unless(&whole, equivalence, &limit(control)).map_err(|Stopped| given_up(control))?;
            words = format!("{words}; minimised: {}", size(&small));
            small
        }
    };
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = match options.format {
        LtsFormat::Aut => aut::write(&mut text, &result),
        LtsFormat::Dot if result.states() > MOST_DRAWN => {
            let why = format!("{} states are too many to draw: use --as aut, or --minimise", result.states());
            return Err((Exit::Usage, why));
        }
        LtsFormat::Dot => dot::write(&mut text, &result),
    };
    Ok((text, words))
}

/// The whole system; with `hide`, messages are invisible.
pub(crate) fn system(prepared: &Prepared, hide: bool, control: &Control<'_>) -> Result<Lts, (Exit, String)> {
    // What follows properties over actions is no part of the behaviour.
    let lowered = prepared.model.lower(prepared.file.text(), &prepared.options, false);
    let program = lowered.map_err(|diagnostic| (Exit::Model, diagnostic.message))?.program;
    let explored = labelled::explore(&program, control).map_err(|why| match why {
        Unfinished::Fault(fault) => (Exit::Model, format!("model error: {}", blame(prepared, fault))),
        Unfinished::Reason(Reason::Interrupted) => (Exit::Interrupted, "interrupted".to_string()),
        Unfinished::Reason(reason @ Reason::Internal(_)) => (Exit::Failure, reason.to_string()),
        Unfinished::Reason(reason) => (Exit::Inconclusive, reason.to_string()),
    })?;
    if explored.initial == 0 {
        return Err((Exit::Model, "no initial state satisfies the assumptions".to_string()));
    }
    let mut builder = Builder::new();
    builder.at_least(explored.states);
    for (from, instance, to) in &explored.steps {
        builder.step(*from, &label(prepared, *instance, hide), *to);
    }
    let initial = match explored.initial {
        1 => 0,
        many => {
            let label = builder.label("initial");
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
pub(crate) fn given_up(control: &Control<'_>) -> (Exit, String) {
    match control.stopped() {
        true => (Exit::Interrupted, "interrupted".to_string()),
        false => (Exit::Inconclusive, Reason::Memory.to_string()),
    }
}

fn size(lts: &Lts) -> String {
    format!("{} states, {} transitions", lts.states(), lts.transitions())
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
