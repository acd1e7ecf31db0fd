//! The languages: which one a file is written in, and what each of them can do. Everything else in the session works on
//! emulation programs and traces.

use crate::open::ModelOptions;
use crate::show::{self, Shape};
use std::collections::BTreeMap;
use swarmcheck_calculi::linear::{Formula, Linear};
use swarmcheck_calculi::lower::Described;
use swarmcheck_calculi::rules::Rules;
use swarmcheck_ccs as ccs;
use swarmcheck_certify::{Claim, Confirmed, Refused, Replayed, labels, recipe};
use swarmcheck_chor as chor;
use swarmcheck_engine::trace::data::TraceData;
use swarmcheck_ir::{Program, VarId};
use swarmcheck_labs::lower::{self, Choice, Semantics};
use swarmcheck_labs::model::Model;
use swarmcheck_rcheck as rcheck;
use swarmcheck_source::{Diagnostic, Diagnostics, SourceFile, Span};

/// A checked specification in one of the languages.
pub enum Specification {
    /// LAbS.
    Labs(Box<Model>),
    /// CCS.
    Ccs(Box<ccs::Specification>),
    /// Chor.
    Chor(Box<chor::Specification>),
    /// R-CHECK.
    Rcheck(Box<rcheck::Specification>),
}

/// An emulation program, and what an observer sees of its functions where the language says so.
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// A label for each function.
    pub labels: Option<Vec<String>>,
    /// What the values of variables are called, from 0 on.
    pub value_names: BTreeMap<VarId, Vec<String>>,
}

impl Lowered {
    fn labelled(program: Program, labels: Vec<String>) -> Lowered {
        Lowered { program, labels: Some(labels), value_names: BTreeMap::new() }
    }
}

/// The path of a model, and the part of it that is meant: `abp.ccs:Spec` is the process `Spec`, and
/// `stock.chor:choreography` the choreography itself.
pub fn split_name(name: &str) -> (&str, Option<&str>) {
    match name.rsplit_once(':') {
        Some((path, part)) if path.ends_with(".ccs") || path.ends_with(".chor") => (path, Some(part)),
        _ => (name, None),
    }
}

/// The language that an extension stands for; everything without a known extension is LAbS.
enum Language {
    Labs,
    Ccs,
    Chor,
    Rcheck,
}

fn language(path: &str) -> Language {
    match path.rsplit_once('.') {
        Some((_, "ccs")) => Language::Ccs,
        Some((_, "chor")) => Language::Chor,
        Some((_, "rcp")) => Language::Rcheck,
        _ => Language::Labs,
    }
}

impl Specification {
    /// Reads and checks a file.
    pub fn read(file: &SourceFile, parameters: &[(String, String)]) -> (Option<Specification>, Diagnostics) {
        let (path, part) = split_name(file.name());
        let (spec, mut found) = match language(path) {
            Language::Labs => {
                let (model, found) = crate::open::check_labs(file, parameters);
                return (model.map(|m| Specification::Labs(Box::new(m))), found);
            }
            Language::Ccs => {
                let (spec, found) = ccs::check(file.text(), part);
                (spec.map(|s| Specification::Ccs(Box::new(s))), found)
            }
            Language::Chor => {
                let (spec, found) = chor::check(file.text(), part);
                (spec.map(|s| Specification::Chor(Box::new(s))), found)
            }
            Language::Rcheck => {
                let (spec, found) = rcheck::check(file.text());
                (spec.map(|s| Specification::Rcheck(Box::new(s))), found)
            }
        };
        if let Some((name, _)) = parameters.first() {
            found.push(Diagnostic::error(
                swarmcheck_calculi::codes::PARAMETER,
                Span::default(),
                format!("there is no parameter `{name}`: models in this language have none"),
            ));
        }
        // That the triples are too many is found only when they are made.
        let lowered = spec.as_ref().map(|s| s.lower(file.text(), &ModelOptions::default(), true));
        if let Some(Err(diagnostic)) = lowered {
            found.push(*diagnostic);
        }
        let fine = !found.has_errors();
        (spec.filter(|_| fine), found)
    }

    /// The LAbS model, if it is one.
    pub fn labs(&self) -> Option<&Model> {
        match self {
            Specification::Labs(model) => Some(model),
            _ => None,
        }
    }

    /// The values of the parameters.
    pub fn parameters(&self) -> &[(String, i64)] {
        self.labs().map_or(&[], |model| &model.parameters)
    }

    /// How much of what there is, in one line.
    pub fn summary(&self) -> String {
        match self {
            Specification::Labs(model) => {
                let kinds: Vec<String> =
                    model.kinds.iter().map(|k| format!("{} {}", k.count, k.name)).collect();
                format!(
                    "agents: {}; variables: {}; tuples: {}; actions: {}; properties: {}",
                    kinds.join(", "),
                    model.variables.len(),
                    model.tuples.len(),
                    model.actions.len(),
                    model.properties.len()
                )
            }
            Specification::Ccs(spec) => format!(
                "processes: {}; names of actions: {}; properties: {}",
                spec.definitions.len(),
                spec.names.len(),
                spec.properties.claims.len() + spec.properties.linear.len()
            ),
            Specification::Chor(spec) => {
                let names: Vec<&str> = spec.peers.iter().map(|(name, _)| name.as_str()).collect();
                format!(
                    "peers: {}; properties: {}",
                    names.join(", "),
                    spec.properties.claims.len() + spec.properties.linear.len()
                )
            }
            Specification::Rcheck(spec) => {
                let name = |i: &rcheck::model::Instance| format!("{} {}", spec.agents[i.agent].name, i.name);
                let agents: Vec<String> = spec.instances.iter().map(name).collect();
                format!(
                    "agents: {}; channels: {}; message variables: {}; specifications: {}",
                    agents.join(", "),
                    spec.channels.len(),
                    spec.messages.len(),
                    spec.specs.len()
                )
            }
        }
    }

    /// The emulation program; without `claims`, one that only behaves and does not follow properties over actions.
    pub fn lower(
        &self,
        text: &str,
        options: &ModelOptions,
        claims: bool,
    ) -> Result<Lowered, Box<Diagnostic>> {
        let special =
            options.fair || options.choice != Choice::Late || options.semantics != Semantics::Sliver;
        if self.labs().is_none() && special {
            let message = "--fair, --choice and --semantics are for LAbS models only";
            let code = swarmcheck_calculi::codes::PARAMETER;
            return Err(Box::new(Diagnostic::error(code, Span::default(), message)));
        }
        match self {
            Specification::Labs(model) => {
                let low = lower::Options {
                    fair: options.fair,
                    semantics: options.semantics,
                    choice: options.choice,
                };
                let program = lower::lower(model, text, low)?.program;
                Ok(Lowered { program, labels: None, value_names: BTreeMap::new() })
            }
            Specification::Ccs(spec) => {
                let lowered = ccs::lower::lower(spec, claims)?;
                Ok(Lowered::labelled(lowered.program, lowered.labels))
            }
            Specification::Chor(spec) => {
                let lowered = chor::lower::lower(spec, claims)?;
                Ok(Lowered::labelled(lowered.program, lowered.labels))
            }
            Specification::Rcheck(spec) => {
                let rcheck::lower::Lowered { program, labels, value_names } =
                    rcheck::lower::lower(spec, claims);
                Ok(Lowered { program, labels: Some(labels), value_names })
            }
        }
    }

    /// The triple structures, as text or as a drawing.
    pub fn triples(&self, file: &SourceFile, choice: Choice, shape: Shape) -> String {
        match self {
            Specification::Labs(model) => show::labs(model, file, choice, shape),
            Specification::Ccs(spec) => match ccs::triples::triples(spec) {
                Ok(structure) => {
                    show::calculus(&structure, "system", shape, |a| ccs::lower::describe(spec, a))
                }
                Err(_) => String::new(),
            },
            Specification::Chor(spec) => match chor::lower::triples(spec) {
                Ok(structure) => show::calculus(&structure, &spec.name, shape, chor::lower::describe),
                Err(_) => String::new(),
            },
            Specification::Rcheck(spec) => spec.agents.iter().map(|agent| automaton(agent, shape)).collect(),
        }
    }

    /// What each peer of a choreography does, one a line; `None` for other languages.
    pub fn peers(&self) -> Option<String> {
        match self {
            Specification::Chor(spec) => {
                Some(spec.peers.iter().map(|(name, part)| format!("{name} = {part}\n")).collect())
            }
            _ => None,
        }
    }

    /// The formulas of linear temporal logic over labels; languages with data have none.
    pub fn linear(&self) -> &[Linear] {
        match self {
            Specification::Labs(_) | Specification::Rcheck(_) => &[],
            Specification::Ccs(spec) => &spec.properties.linear,
            Specification::Chor(spec) => &spec.properties.linear,
        }
    }

    /// Whether a step with this label is that of a system at its end, which rests: it is no action.
    pub fn rests(&self, label: &str) -> bool {
        match self {
            Specification::Labs(_) | Specification::Rcheck(_) => false,
            Specification::Ccs(spec) => (&**spec).rests(label),
            Specification::Chor(spec) => (&**spec).rests(label),
        }
    }

    /// Checks on the rules of the language that a trace violates a formula of linear temporal logic.
    pub fn violates(&self, trace: &TraceData, formula: &Formula) -> Result<Replayed, Refused> {
        match self {
            Specification::Labs(_) | Specification::Rcheck(_) => {
                Err(Refused { step: None, why: "the language has no such formulas".to_string() })
            }
            Specification::Ccs(spec) => labels::violates(&&**spec, &spec.properties.claims, trace, formula),
            Specification::Chor(spec) => labels::violates(&&**spec, &spec.properties.claims, trace, formula),
        }
    }

    /// Replays a trace on the rules of the language.
    pub fn replay(&self, file: &SourceFile, trace: &TraceData) -> Result<Replayed, Refused> {
        match self {
            Specification::Labs(model) => swarmcheck_certify::replay(model, file, trace),
            Specification::Ccs(spec) => labels::replay(&&**spec, &spec.properties.claims, trace),
            Specification::Chor(spec) => labels::replay(&&**spec, &spec.properties.claims, trace),
            Specification::Rcheck(spec) => recipe::replay(spec, trace),
        }
    }

    /// Checks on the rules of the language that a trace violates what it is said to violate.
    pub fn violated(
        &self,
        file: &SourceFile,
        trace: &TraceData,
        claim: &Claim<'_>,
    ) -> Result<Confirmed, Refused> {
        match self {
            Specification::Labs(model) => swarmcheck_certify::violated(model, file, trace, claim),
            Specification::Ccs(spec) => labels::violated(&&**spec, &spec.properties.claims, trace, claim),
            Specification::Chor(spec) => labels::violated(&&**spec, &spec.properties.claims, trace, claim),
            Specification::Rcheck(spec) => recipe::violated(spec, trace, claim),
        }
    }
}

/// The structure automaton of an agent type.
fn automaton(agent: &rcheck::model::Agent, shape: Shape) -> String {
    let structure = rcheck::automaton::automaton(agent).structure();
    let describe = |command: &usize| Described {
        label: agent.commands[*command].words.clone(),
        remark: String::new(),
        span: agent.commands[*command].span,
    };
    let text = show::calculus(&structure, &agent.name, shape, describe);
    match shape {
        Shape::Dot => text,
        _ => text.lines().fold(format!("agent {}\n", agent.name), |out, line| out + "  " + line + "\n"),
    }
}
