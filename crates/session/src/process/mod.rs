//! What agents run, as triple structures for pictures: of all languages in one form. Actions are words and a place in the model, and
//! components of the program counter are those of one agent.

mod draw;
#[cfg(test)]
mod tests;

pub(crate) use draw::{Drawn, automata, drawn, places};

use std::convert::Infallible;
use swarmcheck_picture::graph::text::wrapped;
use swarmcheck_source::{SourceFile, Span};
use swarmcheck_triples::{Exit, Join, Location, Pc, Structure, Triple};

/// The process of some agents, and its triples.
pub struct Process {
    /// What the model calls it; without a name it is called like its agent.
    pub name: Option<String>,
    /// The agents that run it.
    pub agents: Vec<u32>,
    /// Its triples. The components are, in order, the agents' variables with the role of a location.
    pub structure: Structure<Act, Infallible>,
    /// Locations of the program are counted from 0, and there is no end. In the structure they are counted from 1.
    pub from_zero: bool,
}

/// An action for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Act {
    /// Its text, in lines.
    pub words: Vec<String>,
    /// `line:column` of the action in the model.
    pub place: Option<String>,
}

/// Longer actions are broken into lines, and very long ones are cut.
const COLUMNS: usize = 36;
const LINES: usize = 6;

impl Act {
    pub(crate) fn new(words: &str, file: &SourceFile, span: Span) -> Act {
        Act { words: wrapped(words, COLUMNS, LINES), place: Some(file.position(span)) }
    }

    /// The same under guards, outermost first.
    pub(crate) fn guarded(mut self, guards: impl Iterator<Item = String>) -> Act {
        let mut words: Vec<String> =
            guards.flat_map(|guard| wrapped(&format!("[{guard}]"), COLUMNS, LINES)).collect();
        words.append(&mut self.words);
        self.words = words;
        self
    }
}

/// The same triples with other actions and without guards; what becomes of the guards is left to `act`.
pub(crate) fn with_acts<A, G>(
    structure: &Structure<A, G>,
    mut act: impl FnMut(&[G], &A) -> Act,
) -> Structure<Act, Infallible> {
    let triple = |t: &Triple<A, G>| Triple {
        entry: t.entry.clone(),
        guards: vec![],
        action: act(&t.guards, &t.action),
        exit: t.exit.clone(),
        began: t.began.clone(),
    };
    Structure {
        locations: structure.locations.clone(),
        start: structure.start.clone(),
        triples: structure.triples.iter().map(triple).collect(),
        joins: structure.joins.clone(),
    }
}

/// What one agent does in a structure of several: the triples that leave a location of its components, as far as they concern them.
pub(crate) fn restricted(
    structure: &Structure<Act, Infallible>,
    components: &[Pc],
) -> Structure<Act, Infallible> {
    let own = |pc: Pc| components.iter().position(|other| *other == pc).map(|at| Pc(at as u32));
    let moved = |list: &[(Pc, Location)]| -> Vec<(Pc, Location)> {
        list.iter().filter_map(|(pc, at)| Some((own(*pc)?, *at))).collect()
    };
    let numbers: Vec<usize> =
        (0..structure.joins.len()).filter(|&join| own(structure.joins[join].parent.0).is_some()).collect();
    // Choices are late in these languages, so there is nothing to pick.
    let exit = |exit: &Exit| Exit {
        set: moved(&exit.set),
        picks: vec![],
        joins: exit.joins.iter().filter_map(|join| numbers.iter().position(|n| n == join)).collect(),
    };
    let join = |&number: &usize| {
        let Join { parent, branches, exit: after, composition } = &structure.joins[number];
        let parent = (own(parent.0)?, parent.1);
        let branches = branches.iter().filter_map(|pc| own(*pc)).collect();
        Some(Join { parent, branches, exit: exit(after), composition: *composition })
    };
    let mut triples: Vec<Triple<Act, Infallible>> = vec![];
    for triple in &structure.triples {
        let entry = moved(&triple.entry);
        let (action, exit) = (triple.action.clone(), exit(&triple.exit));
        // With different partners an action is the same for this agent.
        let known = triples.iter().any(|t| t.entry == entry && t.exit == exit && t.action == action);
        if !entry.is_empty() && !known {
            triples.push(Triple { entry, guards: vec![], action, exit, began: vec![] });
        }
    }
    Structure {
        locations: components.iter().map(|pc| structure.locations[pc.0 as usize]).collect(),
        start: exit(&structure.start),
        triples,
        joins: numbers.iter().filter_map(join).collect(),
    }
}

/// The processes of a calculus, one for each agent. `alone` has the agents' own actions; of the triples in which they
/// take part together, those that are no step of one component are added.
pub(crate) fn of_calculus(
    alone: Option<&Structure<Act, Infallible>>,
    together: &Structure<Act, Infallible>,
) -> Vec<Process> {
    let agents = (0..).zip(swarmcheck_calculi::lower::components(together));
    let process = |(agent, components): (u32, Vec<Pc>)| {
        let mut structure = restricted(together, &components);
        if let Some(alone) = alone {
            let own = restricted(alone, &components);
            let joint = structure.triples.into_iter().filter(|triple| {
                !own.triples.iter().any(|other| other.entry == triple.entry && other.exit == triple.exit)
            });
            let joint: Vec<_> = joint.collect();
            structure = own;
            structure.triples.extend(joint);
        }
        Process { name: None, agents: vec![agent], structure, from_zero: false }
    };
    agents.map(process).collect()
}
