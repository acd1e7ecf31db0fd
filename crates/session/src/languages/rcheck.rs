//! R-CHECK.

use crate::open::ModelOptions;
use crate::show::{Shape, calculus};
use crate::specification::{LanguageFrontEnd, Lowered, PropertyReading, Specification};
use std::sync::atomic::AtomicBool;
use swarmcheck_calculi::lower::Described;
use swarmcheck_certify::{Claim, Confirmed, Refused, Replayed, recipe};
use swarmcheck_engine::Note;
use swarmcheck_engine::trace::data::TraceData;
use swarmcheck_labs::lower::Choice;
use swarmcheck_rcheck as rcheck;
use swarmcheck_source::{Diagnostic, Diagnostics, SourceFile};

struct Rcheck {
    spec: rcheck::Specification,
}

/// Reads and checks a script.
pub(super) fn read(
    file: &SourceFile,
    _: Option<&str>,
    options: &ModelOptions,
    _: &AtomicBool,
) -> (Option<Specification>, Diagnostics) {
    let (spec, found) = rcheck::check_with(file.text(), options.precedence);
    (spec.map(|spec| Box::new(Rcheck { spec }) as Specification), found)
}

impl LanguageFrontEnd for Rcheck {
    fn summary(&self) -> String {
        let spec = &self.spec;
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

    fn lower(&self, _: &str, _: &ModelOptions, claims: bool) -> Result<Lowered, Box<Diagnostic>> {
        let rcheck::lower::Lowered { program, labels, value_names } =
            rcheck::lower::lower(&self.spec, claims);
        Ok(Lowered { program, labels: Some(labels), value_names })
    }

    fn reading(&self, property: usize) -> Option<PropertyReading<'_>> {
        let reading = self.spec.specs.get(property)?.reading.as_ref()?;
        Some(PropertyReading { of: &reading.of, precedence: reading.precedence.word(), text: &reading.text })
    }

    fn remarks(&self, property: usize) -> Vec<Note> {
        let named = self.spec.specs.get(property).is_some_and(|spec| spec.names_steps);
        if named { vec![Note::StepLabels] } else { vec![] }
    }

    fn triples(&self, _: &SourceFile, _: Choice, shape: Shape) -> String {
        self.spec.agents.iter().map(|agent| automaton(agent, shape)).collect()
    }

    fn replay(&self, _: &SourceFile, trace: &TraceData) -> Result<Replayed, Refused> {
        recipe::replay(&self.spec, trace)
    }

    fn violated(&self, _: &SourceFile, trace: &TraceData, claim: &Claim<'_>) -> Result<Confirmed, Refused> {
        recipe::violated(&self.spec, trace, claim)
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
    let text = calculus(&structure, &agent.name, shape, describe);
    match shape {
        Shape::Dot => text,
        _ => text.lines().fold(format!("agent {}\n", agent.name), |out, line| out + "  " + line + "\n"),
    }
}
