//! From a specification to an emulation program.

use crate::syntax::{Action, Process, Specification};
use crate::triples::{Move, Triples, triples};
use swarmcheck_calculi::lower::{Described, Lowered, System, lower as lower_system};
use swarmcheck_source::Diagnostic;

/// The emulation program; with `claims`, also what follows the properties.
pub fn lower(spec: &Specification, claims: bool) -> Result<Lowered, Box<Diagnostic>> {
    Ok(program(spec, &triples(spec)?, claims))
}

/// The same for somebody who has the triples already.
pub fn program(spec: &Specification, structure: &Triples, claims: bool) -> Lowered {
    let mut agents = vec![];
    name_agents(spec, &spec.definitions[spec.system].body, &spec.definitions[spec.system].name, &mut agents);
    let properties = if claims { &spec.properties[..] } else { &[] };
    let describe = |action: &Move| describe(spec, action);
    lower_system(&System { structure, agents, describe: &describe, properties, ends: false })
}

/// An action for people.
pub fn describe(spec: &Specification, action: &Move) -> Described {
    let met = action.met.map(|name| format!("({})", spec.label(Action::Name(name))));
    Described { label: spec.label(action.action), remark: met.unwrap_or_default(), span: action.span }
}

/// The names of the processes that run from the start, from left to right: constants where there are any.
fn name_agents(spec: &Specification, process: &Process, name: &str, out: &mut Vec<String>) {
    match process {
        Process::Par(parts) | Process::Hoare(_, parts) => {
            parts.iter().for_each(|part| name_agents(spec, part, "Process", out));
        }
        Process::Seen(body, _) => name_agents(spec, body, name, out),
        Process::Constant(number, constant, _) => {
            name_agents(spec, &spec.definitions[*number].body, constant, out);
        }
        _ => out.push(name.to_string()),
    }
}
