//! From a way through the reduced whole to a way through the states of single processes.
//!
//! A step of a reduced part is, in the part before the reduction, some invisible steps inside the block and then a step with
//! the same label into the next block (the transfer property of branching bisimulation). A step of a composition is a step of one of
//! its two parts, or of both at the same time. So a step is followed down the tree: the invisible steps that prepare it are
//! made one after the other, part by part, and then all processes that take part make the step at once. Searches are inside
//! blocks of single compositions, which are small, whatever the size of the whole.

use crate::assemble::{Made, Part};
use crate::label::{LabelId, Labels, Members, TAU};
use crate::process::INITIAL;
use crate::product::{Joint, Own};
use std::collections::{HashSet, VecDeque};

/// The states of all processes.
pub type States = Vec<u32>;

/// More states between two states of the way are not looked at.
const MOST: usize = 200_000;

/// Where an execution of all processes is.
pub struct Expansion<'a> {
    parts: &'a [Part],
    labels: &'a mut Labels,
    leaves: States,
    /// The states that were passed, without the one before the initial block.
    pub way: Vec<States>,
}

/// What processes do in one step: where each of them goes.
type Moves = Vec<(usize, u32)>;

/// What the two parts of a composition do in a step of it; nothing for a single process.
type How = (Option<Own>, Option<Own>);

/// Steps of parts at a gate that fit together so far: their label, if there is one, and who does what.
type Front = (Option<LabelId>, Vec<(usize, Own)>);

/// A state of a part, found while a way is looked for.
struct Found {
    state: u32,
    /// The place of the state before it; none for the first.
    before: Option<usize>,
    how: How,
}

/// A step of a part before its reduction.
struct Unreduced {
    label: LabelId,
    target: u32,
    how: How,
}

impl<'a> Expansion<'a> {
    /// Before the initial block.
    pub fn new(parts: &'a [Part], labels: &'a mut Labels, processes: usize) -> Expansion<'a> {
        Expansion { parts, labels, leaves: vec![INITIAL; processes], way: vec![] }
    }

    /// Goes on to states of the parts; none if no way is found.
    pub fn go(&mut self, to: &[u32]) -> Option<()> {
        let from: Option<Vec<u32>> = self.parts.iter().map(|part| part.state(&self.leaves)).collect();
        let parts = self.parts;
        let mut moves = vec![];
        for (part, own) in self.step(&from?, to)? {
            moves.extend(self.plan(&parts[part], own)?);
        }
        self.make(moves);
        Some(())
    }

    /// What each part does in a step between states of all parts.
    fn step(&mut self, from: &[u32], to: &[u32]) -> Option<Vec<(usize, Own)>> {
        let parts = self.parts;
        let fits = |part: usize, own: &Own| own.1 == to[part];
        let others_rest =
            |part: usize| (0..parts.len()).all(|other| other == part || from[other] == to[other]);
        for (number, part) in parts.iter().enumerate() {
            let alone = |own: &&Own| fits(number, own) && self.labels.gate_of(own.0).is_none();
            if others_rest(number)
                && let Some(own) = part.process.steps(from[number]).iter().find(alone)
            {
                return Some(vec![(number, *own)]);
            }
        }
        for gate in 0..self.labels.gates.len() as u32 {
            let takes_part = |part: &Part| {
                let mut participants = self.labels.gates[gate as usize].participants.iter();
                participants.any(|participant| part.process.members.contains(participant.process))
            };
            let who: Vec<usize> = (0..parts.len()).filter(|part| takes_part(&parts[*part])).collect();
            let rest = (0..parts.len()).all(|part| who.contains(&part) || from[part] == to[part]);
            if rest && let Some(found) = self.together(gate, &who, from, &fits) {
                return Some(found);
            }
        }
        None
    }

    /// Steps of some parts at a gate that fit together.
    fn together(
        &mut self,
        gate: u32,
        who: &[usize],
        from: &[u32],
        fits: &dyn Fn(usize, &Own) -> bool,
    ) -> Option<Vec<(usize, Own)>> {
        let parts = self.parts;
        let mut front: Vec<Front> = vec![(None, vec![])];
        let mut members: Option<Members> = None;
        for &part in who {
            let own = &parts[part].process;
            let together = members.map_or_else(|| own.members.clone(), |before| before.with(&own.members));
            let mut next = vec![];
            for (label, before) in &front {
                for step in own.steps(from[part]).iter().filter(|step| fits(part, step)) {
                    if self.labels.gate_of(step.0) != Some(gate) {
                        continue;
                    }
                    let joint = match label {
                        None => Some(step.0),
                        Some(label) => self.labels.join(*label, step.0, &together),
                    };
                    let with = before.iter().copied().chain([(part, *step)]);
                    next.extend(joint.map(|label| (Some(label), with.collect())));
                }
            }
            (front, members) = (next, Some(together));
        }
        front.into_iter().map(|(_, steps)| steps).next().filter(|steps| !steps.is_empty())
    }

    fn make(&mut self, moves: Moves) {
        moves.into_iter().for_each(|(process, state)| self.leaves[process] = state);
        self.way.push(self.leaves.clone());
    }

    /// Makes the invisible steps that a step of a part needs before it, and tells what processes then do at once.
    fn plan(&mut self, part: &Part, step: Own) -> Option<Moves> {
        let start = part.before(&self.leaves)?;
        let block = part.blocks[start as usize];
        let mut found = vec![Found { state: start, before: None, how: (None, None) }];
        let mut seen = HashSet::from([start]);
        let mut open = VecDeque::from([0]);
        let mut last = None;
        'search: while let Some(at) = open.pop_front() {
            for Unreduced { label, target, how } in self.steps(part, found[at].state) {
                let goal = label == step.0 && part.blocks[target as usize] == step.1;
                let inside = label == TAU && part.blocks[target as usize] == block;
                if goal || (inside && seen.insert(target)) {
                    found.push(Found { state: target, before: Some(at), how });
                    open.push_back(found.len() - 1);
                }
                if goal {
                    last = Some(found.len() - 1);
                    break 'search;
                }
            }
            if found.len() > MOST {
                return None;
            }
        }
        let mut path = vec![];
        let mut at = &found[last?];
        while let Some(before) = at.before {
            path.push(at);
            at = &found[before];
        }
        let (last, before) = path.split_first()?;
        for at in before.iter().rev() {
            let moves = self.below(part, at.state, at.how)?;
            self.make(moves);
        }
        self.below(part, last.state, last.how)
    }

    /// What a step of a part before its reduction means for the processes in it.
    fn below(&mut self, part: &Part, target: u32, how: How) -> Option<Moves> {
        match &part.made {
            Made::Leaf(process, _) => Some(vec![(*process, target)]),
            Made::Pair(a, b, _) => {
                let mut moves = vec![];
                for (part, own) in [(a, how.0), (b, how.1)] {
                    if let Some(own) = own {
                        moves.extend(self.plan(part, own)?);
                    }
                }
                Some(moves)
            }
        }
    }

    /// The steps of a part before its reduction.
    fn steps(&mut self, part: &Part, state: u32) -> Vec<Unreduced> {
        match &part.made {
            Made::Leaf(_, process) => {
                let alone = |&(label, target): &Own| Unreduced { label, target, how: (None, None) };
                process.steps(state).iter().map(alone).collect()
            }
            Made::Pair(a, b, pairs) => {
                let (x, y) = pairs.pair(state);
                let mut out = vec![];
                Joint::new(self.labels, &a.process, &b.process).each(x, y, |label, own, theirs| {
                    let pair = (own.map_or(x, |o| o.1), theirs.map_or(y, |o| o.1));
                    let step = |target| Unreduced { label, target, how: (own, theirs) };
                    out.extend(pairs.number(pair).map(step));
                });
                out
            }
        }
    }
}
