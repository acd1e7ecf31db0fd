//! The picture of a model as a network: which processes there are, and which of them make steps together.

use crate::composed::Basis;
use crate::open::Prepared;
use crate::refusal::Refusal;
use crate::words::composition::{processes as processes_in_words, together};
use crate::words::count;
use std::collections::BTreeMap;
use swarmcheck_compose::gates::Gate;
use swarmcheck_compose::split::Part;
use swarmcheck_ir::Rule;
use swarmcheck_ir::flat::Instance;
use swarmcheck_ir::program::Role;
use swarmcheck_picture::network::{Meeting, Network, NetworkProcess, document};

/// More rows help nobody.
const MOST_ROWS: usize = 120;

/// The network as an SVG document.
pub fn network_svg(prepared: &Prepared) -> Result<String, Refusal> {
    let basis = Basis::new(prepared)?;
    let network = basis.network(&|_| None).map_err(|why| Refusal::NoNetwork { why })?;
    // Agents stand beside each other, and what they share follows.
    let mut order: Vec<usize> = (0..network.parts.len()).collect();
    order.sort_by_key(|number| !is_agent(&basis, &network.parts[*number]));
    let mut column = vec![0; order.len()];
    order.iter().enumerate().for_each(|(at, number)| column[*number] = at);
    let processes: Vec<NetworkProcess> =
        order.iter().map(|number| process(&basis, &network.parts[*number])).collect();
    let gates = || network.labels.gates.iter().filter(|gate| gate.instance.is_some());
    let mut meetings = meetings(prepared, &basis, &column, gates());
    let title = format!(
        "{}: {}, {}",
        prepared.file.name(),
        processes_in_words(processes.len()),
        count(gates().count(), "possible step")
    );
    let mut remarks = vec!["A location is a place in the behaviour of an agent.".to_string()];
    if meetings.len() > MOST_ROWS {
        remarks.push(format!("{} rows are left out.", meetings.len() - MOST_ROWS));
        meetings.truncate(MOST_ROWS);
    }
    Ok(document(&title, &Network { processes, meetings, remarks }))
}

fn is_agent(basis: &Basis, part: &Part) -> bool {
    let own = |slot: &u32| {
        let cell = basis.ground.layout.cell(*slot);
        cell.agent.is_some() && basis.program.var(cell.var).role != Role::Order
    };
    part.slots.iter().any(own)
}

fn process(basis: &Basis, part: &Part) -> NetworkProcess {
    let mut variables: Vec<String> = vec![];
    for slot in &part.slots {
        let cell = basis.ground.layout.cell(*slot);
        let var = basis.program.var(cell.var);
        let name = match var.role {
            Role::Location => "location".to_string(),
            Role::Turn => "who is next".to_string(),
            Role::Step => "last step".to_string(),
            Role::Order => "ranks of timestamps".to_string(),
            Role::Data { .. } | Role::Pending => var.name.clone(),
        };
        // The cells of an array are one line.
        if !variables.contains(&name) {
            variables.push(name);
        }
    }
    NetworkProcess { name: part.name.clone(), variables }
}

/// Steps of the same processes.
#[derive(Default)]
struct Group {
    steps: usize,
    /// Who takes part, by column, and whether it changes its variables.
    participants: BTreeMap<usize, bool>,
    /// What is done, and who does it.
    names: Vec<(String, Vec<String>)>,
}

/// Steps by who takes part: what few do comes first.
fn meetings<'g>(
    prepared: &Prepared,
    basis: &Basis,
    column: &[usize],
    gates: impl Iterator<Item = &'g Gate>,
) -> Vec<Meeting> {
    let mut groups: BTreeMap<(usize, Vec<usize>), Group> = BTreeMap::new();
    for gate in gates {
        let Some(instance) = gate.instance else { continue };
        let mut who: Vec<usize> = gate.participants.iter().map(|own| column[own.process]).collect();
        who.sort_unstable();
        let group = groups.entry((who.len(), who)).or_default();
        group.steps += 1;
        for own in &gate.participants {
            *group.participants.entry(column[own.process]).or_default() |= !own.updates.is_empty();
        }
        let (name, agent) = name(prepared, basis, basis.instance(instance));
        match group.names.iter_mut().find(|(known, _)| *known == name) {
            Some((_, agents)) => agents.extend(agent),
            None => group.names.push((name, agent.into_iter().collect())),
        }
    }
    let meeting = |group: Group| {
        // Where one process is alone, everybody sees who it is.
        let several = group.participants.len() > 1;
        let named = |(name, agents): (String, Vec<String>)| match several && !agents.is_empty() {
            true => format!("{name} (by {})", together(&agents)),
            false => name,
        };
        Meeting {
            participants: group.participants.into_iter().collect(),
            steps: group.steps,
            names: group.names.into_iter().map(named).collect(),
        }
    };
    groups.into_values().map(meeting).collect()
}

/// What a step does, in short, and who does it, if the name does not say that.
fn name(prepared: &Prepared, basis: &Basis, instance: Instance) -> (String, Option<String>) {
    let labels = prepared.labels.as_ref();
    let label = labels.map(|labels| labels[instance.function as usize].as_str());
    let agent = || labels.is_none().then(|| basis.program.agent_name(instance.agent));
    match (&basis.program.functions[instance.function as usize].rule, label) {
        (_, Some(label)) if label != "tau" => (label.to_string(), None),
        // The picture shows with whom.
        (Rule::Action { words, .. }, Some(_)) => {
            (words.split_once(" with ").map_or(words.as_str(), |(words, _)| words).to_string(), None)
        }
        (Rule::Action { words, .. }, None) => (words.clone(), agent()),
        (Rule::System { verb, object, .. }, _) => (format!("{verb} {object}"), agent()),
    }
}
