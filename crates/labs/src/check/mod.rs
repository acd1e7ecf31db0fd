//! From a syntax tree to a model: names resolved, parameters replaced by their values, mistakes reported.
//!
//! The phases, each in its files:
//! 1. `parameters`, `declare`, `variable`: everything the file declares goes into the tables of `names`;
//! 2. `property`, `process`, `action` walk over links, definitions and properties, with `expr` and `reference` for
//!    the expressions in them and `scope` for what surrounds those;
//! 3. `possession`, `recursion`, `usage` look at the whole: do kinds have the variables they use, does recursion
//!    stay finite, what is never used.
//!
//! A mistake never stops a phase. Its place in the result is filled with a stand-in that later checks accept
//! silently, and the result is thrown away at the end.

mod action;
mod constant;
mod declare;
mod expr;
mod facts;
mod formula;
mod graph;
mod names;
mod parameters;
mod possession;
mod process;
mod property;
mod rate;
mod recursion;
mod reference;
mod scope;
#[cfg(test)]
mod tests;
mod usage;
mod variable;
mod view;
mod words;

use crate::codes;
use crate::model::{AgentKind, Model, ProcessId};
use crate::syntax::ast;
use facts::Facts;
use names::Names;
use scope::{Context, Place};
use swarmcheck_source::{Diagnostics, Severity, Span};

/// The largest number of agents.
const AGENTS_MAX: i64 = 1_000_000;
/// The largest number of cells of one array.
const CELLS_MAX: i64 = 16_777_216;

/// Tables, notes and findings so far.
struct Checker<'a> {
    names: Names<'a>,
    facts: Facts,
    out: Diagnostics,
}

impl<'a> Checker<'a> {
    fn context(&mut self, place: Place) -> Context<'_, 'a> {
        Context::new(&self.names, &mut self.facts, &mut self.out, place)
    }

    /// Where only constants are read.
    fn constants(&mut self) -> Context<'_, 'a> {
        self.context(Place::Constant("a constant"))
    }
}

/// Checks a file. The model is there if and only if no error was found and the tree has no `Error` nodes; whether the
/// parser had other complaints is for the caller to know.
///
/// `end` is the place to point at when a whole section is missing. `parameters` are the values given on the command
/// line: a name, with or without its underscore, and the text of the value. A parameter without a value is an error,
/// but everything that does not depend on its value is checked all the same.
pub fn check(file: &ast::File, end: Span, parameters: &[(String, String)]) -> (Option<Model>, Diagnostics) {
    let mut checker =
        Checker { names: Names::default(), facts: Facts::default(), out: Diagnostics::default() };
    parameters::declare(&mut checker.names, file, end, parameters, &mut checker.out);
    checker.declare(file, end);

    let stigmergies = checker.links();
    let (processes, actions) = checker.process_definitions();
    let behaviors = checker.behaviors();
    let assumptions = checker.assumptions(file);
    let properties = checker.properties(file);
    let view = checker.view(file);
    let rates = checker.rates();

    let reached = possession::reached(&checker.names, &processes);
    possession::check(&mut checker.context(Place::Process), &reached);
    recursion::check(&processes, &mut checker.out);
    variable::check_ranges(&mut checker);
    if only_values_are_missing(&checker.out) && !checker.facts.incomplete {
        checker.unused(&reached);
    }

    let Checker { names, facts, out } = checker;
    if out.has_errors() || facts.incomplete {
        return (None, out);
    }
    let model = Model {
        parameters: names.parameters.iter().map(|p| (p.name.to_string(), p.value.unwrap_or(0))).collect(),
        kinds: kinds(&names, &behaviors),
        environment: names.environment,
        variables: names.variables,
        stigmergies,
        tuples: names.tuples,
        processes,
        actions,
        assumptions,
        properties,
        view,
        rates,
    };
    (Some(model), out)
}

fn kinds(names: &Names, behaviors: &[ProcessId]) -> Vec<AgentKind> {
    let model = |(kind, behavior): (&names::KindEntry, &ProcessId)| AgentKind {
        name: kind.agent.name.text.clone(),
        span: kind.agent.name.span,
        first: kind.first,
        count: kind.count.unwrap_or(0),
        attributes: kind.attributes.clone(),
        stigmergies: kind.stigmergies.clone(),
        behavior: *behavior,
    };
    names.kinds.iter().zip(behaviors).map(model).collect()
}

/// Whether the file itself has no mistakes: at most the values of its parameters are wrong.
fn only_values_are_missing(out: &Diagnostics) -> bool {
    let values = [codes::MISSING_PARAMETER, codes::UNKNOWN_PARAMETER, codes::PARAMETER_VALUE];
    out.iter().all(|d| d.severity == Severity::Warning || values.contains(&d.code))
}
