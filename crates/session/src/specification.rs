//! What a language can do once a file has been read: the one interface between the session and the front ends. Everything
//! else in the session works on emulation programs and traces.

use crate::languages::{Language, LanguageWord, language};
use crate::open::ModelOptions;
use crate::process::Process;
use crate::show::Shape;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use swarmcheck_certify::{Claim, Confirmed, Refused, Replayed};
use swarmcheck_engine::Note;
use swarmcheck_engine::trace::data::TraceData;
use swarmcheck_engine::trace::explain::WaitData;
use swarmcheck_engine::trace::message::{AutomatonData, MessageData};
use swarmcheck_ir::coverage::Points;
use swarmcheck_ir::flat::{Flat, Instance};
use swarmcheck_ir::written::Written;
use swarmcheck_ir::{Expr, Program, Value, VarId};
use swarmcheck_labs::lower::{Choice, Semantics};
use swarmcheck_labs::model::Model;
use swarmcheck_labs::ring::RingProperty;
use swarmcheck_simulate::Rates;
use swarmcheck_source::{Diagnostic, Diagnostics, SourceFile, Span};

/// A checked specification in one of the languages.
pub type Specification = Box<dyn LanguageFrontEnd>;

/// What the session asks of a specification, whatever its language.
pub trait LanguageFrontEnd: Send + Sync {
    /// How much of what there is, in one line.
    fn summary(&self) -> String;

    /// The emulation program; without `claims`, one that only behaves and does not follow properties over actions.
    /// `text` is the file that the specification was read from.
    fn lower(&self, text: &str, options: &ModelOptions, claims: bool) -> Result<Lowered, Box<Diagnostic>>;

    /// Whether programs have variables that follow properties, which are no part of the behaviour.
    fn follows_claims(&self) -> bool {
        true
    }

    /// The triple structures, as text or as a drawing.
    fn triples(&self, file: &SourceFile, choice: Choice, shape: Shape) -> String;

    /// Replays a trace on the rules of the language.
    fn replay(&self, file: &SourceFile, trace: &TraceData) -> Result<Replayed, Refused>;

    /// Checks on the rules of the language that a trace violates what it is said to violate.
    fn violated(&self, file: &SourceFile, trace: &TraceData, claim: &Claim<'_>)
    -> Result<Confirmed, Refused>;

    /// Checks on the rules of the language that the last state of a trace satisfies the predicate that was asked for.
    fn reached(&self, file: &SourceFile, trace: &TraceData, claim: &Claim<'_>) -> Result<Confirmed, Refused> {
        self.violated(file, trace, claim)
    }

    /// If a property of the program is one of two readings of a property of the file, which one.
    fn reading(&self, _property: usize) -> Option<PropertyReading<'_>> {
        None
    }

    /// What should be known about every answer to the question of a property.
    fn remarks(&self, _property: usize) -> Vec<Note> {
        vec![]
    }

    /// The message of a step and who took part in it, in languages whose steps are messages.
    fn message(&self, _file: &SourceFile, _flat: &Flat, _step: &MadeStep<'_>) -> Option<MessageData> {
        None
    }

    /// What an agent waits for in a state, in languages whose steps are messages.
    fn waits(
        &self,
        _file: &SourceFile,
        _flat: &Flat,
        _state: &[Value],
        _agent: u32,
    ) -> Option<Vec<WaitData>> {
        None
    }

    /// Where agents are in their automata, in languages that have automata.
    fn automata(&self, _flat: &Flat, _state: &[Value]) -> Vec<AutomatonData> {
        vec![]
    }

    /// The values of the parameters.
    fn parameters(&self) -> &[(String, i64)] {
        &[]
    }

    /// Whether a property asks for one execution. The program has its negation, which says that there is none.
    fn is_possibility(&self, _property: usize) -> bool {
        false
    }

    /// Whether a step with this label is that of a system at its end, which rests: it is no action.
    fn rests(&self, _label: &str) -> bool {
        false
    }

    /// What each peer of a choreography does, one a line; `None` for other languages.
    fn peers(&self) -> Option<String> {
        None
    }

    /// What every initial state must satisfy, by name and place, where the language has a section for it.
    fn assumptions(&self) -> Vec<(String, Span)> {
        vec![]
    }

    /// The parts of the predicate or formula of a property, where the language knows their places.
    fn parts(&self, _property: usize, _options: &ModelOptions) -> PropertyParts {
        PropertyParts::default()
    }

    /// A formula of linear time as it is written, with the place of every part, over conditions of the program.
    fn written(&self, _property: usize, _options: &ModelOptions) -> Option<Written<Expr>> {
        None
    }

    /// What coverage counts in the program with or without claims, where the language knows more than its functions.
    fn coverage(&self, _options: &ModelOptions, _claims: bool) -> Result<Option<Points>, Box<Diagnostic>> {
        Ok(None)
    }

    /// The rate of every function of a program that [`LanguageFrontEnd::lower`] made, by kind of agent; none if the model gives no rate.
    fn rates(&self, _program: &Program) -> Option<Rates> {
        None
    }

    /// The kinds of agents whose number is a parameter, if the parameter means nothing else to the system and to a property;
    /// otherwise a place where it does.
    fn spawned(&self, _text: &str, _parameter: &str, _property: &str) -> Result<Vec<String>, Span> {
        Err(Span::default())
    }

    /// What a property says, if the parameter is the size of a ring and nothing else; otherwise what it is that is not covered,
    /// as a sentence with its place. None if the parameter is not the size of a ring.
    fn ring(
        &self,
        _text: &str,
        _parameter: &str,
        _property: &str,
    ) -> Option<Result<RingProperty, (String, Span)>> {
        None
    }

    /// The LAbS model, if it is one.
    fn labs(&self) -> Option<&Model> {
        None
    }

    /// The number that a property says is zero, for values that are asked about ([`crate::asked`]).
    fn asked_value(&self, _property: usize, _options: &ModelOptions) -> Option<Expr> {
        None
    }

    /// What agents run, for pictures.
    fn processes(&self, _file: &SourceFile, _choice: Choice) -> Vec<Process> {
        vec![]
    }
}

pub use swarmcheck_ir::parts::Part as PredicatePart;

/// The parts of a property.
#[derive(Default)]
pub struct PropertyParts {
    /// The program that the properties with a part replaced are about, if it is not that of the model.
    pub program: Option<Program>,
    /// The largest parts, with those below them.
    pub parts: Vec<PredicatePart>,
    /// There are so many more, which are too many or too large to look at.
    pub left_off: u32,
}

/// One of two readings of a property.
pub struct PropertyReading<'a> {
    /// The property's name in the file.
    pub of: &'a str,
    /// What the reading is called.
    pub precedence: &'static str,
    /// The formula with all its parentheses.
    pub text: &'a str,
}

/// A step of a program that was made.
#[derive(Clone, Copy)]
pub struct MadeStep<'a> {
    /// The state before it.
    pub before: &'a [Value],
    /// The function and the agent that ran it.
    pub instance: Instance,
    /// How its nondeterminism was resolved.
    pub choices: &'a [u64],
}

/// An emulation program, and what an observer sees of its functions where the language says so.
#[derive(Clone)]
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// A label for each function.
    pub labels: Option<Vec<String>>,
    /// What the values of variables are called, from 0 on.
    pub value_names: BTreeMap<VarId, Vec<String>>,
}

impl From<swarmcheck_calculi::lower::Lowered> for Lowered {
    fn from(lowered: swarmcheck_calculi::lower::Lowered) -> Lowered {
        Lowered { program: lowered.program, labels: Some(lowered.labels), value_names: BTreeMap::new() }
    }
}

/// The path of a model, and the part of it that is meant: `abp.ccs:Spec` is the process `Spec`, and
/// `stock.chor:choreography` the choreography itself.
/// In a file whose language somebody has named, the name of the file does not matter.
pub fn split_name(name: &str, named: Option<LanguageWord>) -> (&str, Option<&str>) {
    match name.rsplit_once(':') {
        Some((path, part)) if language(path, named).has_parts => (path, Some(part)),
        _ => (name, None),
    }
}

/// What reading a file has found.
pub(crate) struct Found {
    /// The specification and its program, if there is no error and nobody has stopped the reading.
    pub(crate) specification: Option<(Specification, Lowered)>,
    /// What there is to say.
    pub(crate) diagnostics: Diagnostics,
}

/// Reads, checks and lowers a file in the language that its name tells.
pub(crate) fn read(file: &SourceFile, options: &ModelOptions, stop: &AtomicBool) -> Found {
    let (path, part) = split_name(file.name(), options.language);
    read_as(language(path, options.language), file, part, options, stop)
}

/// The same in a given language. Lowering is a part of checking, because that the triples are too many is found only when
/// they are made; its result is kept, because making them may take long.
pub(crate) fn read_as(
    language: &Language,
    file: &SourceFile,
    part: Option<&str>,
    options: &ModelOptions,
    stop: &AtomicBool,
) -> Found {
    let stopped = || stop.load(Ordering::Relaxed);
    let (mut specification, mut diagnostics) = (language.read)(file, part, options, stop);
    if let Err(diagnostic) = acceptable(language, options) {
        diagnostics.push(*diagnostic);
        specification = None;
    }
    let lowered = specification.filter(|_| !stopped()).and_then(|specification| {
        match specification.lower(file.text(), options, true) {
            Ok(lowered) => Some((specification, lowered)),
            Err(diagnostic) => {
                diagnostics.push(*diagnostic);
                None
            }
        }
    });
    let fine = !diagnostics.has_errors() && !stopped();
    Found { specification: lowered.filter(|_| fine), diagnostics }
}

/// Options that only some languages know are refused elsewhere.
fn acceptable(language: &Language, options: &ModelOptions) -> Result<(), Box<Diagnostic>> {
    let refuse = |message: String| {
        Err(Box::new(Diagnostic::error(swarmcheck_calculi::codes::PARAMETER, Span::default(), message)))
    };
    match options.parameters.first() {
        Some((name, _)) if !language.has_parameters => {
            return refuse(format!("there is no parameter `{name}`: models in this language have none"));
        }
        _ => {}
    }
    let variant = options.fair
        || options.sync
        || options.choice != Choice::Late
        || options.semantics != Semantics::Sliver;
    if variant && !language.has_variants {
        return refuse(
            "the round-robin schedule, synchronous messages, early choice and the paper's semantics exist for LAbS \
             models only"
                .to_string(),
        );
    }
    if let Some(message) = options.reach.as_ref().and_then(|_| crate::reach::refused(language)) {
        return refuse(message);
    }
    if let Some(message) = crate::asked::refused(language, options) {
        return refuse(message);
    }
    if options.precedence.is_some() && !language.has_readings {
        return refuse("how operators bind can be chosen for R-CHECK models only".to_string());
    }
    Ok(())
}

#[cfg(test)]
mod tests;
