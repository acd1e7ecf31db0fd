//! Gates: the steps of the system as synchronisations of processes.
//!
//! A step that reads and writes cells of several processes is one transition of each of them, made at the same time. What they
//! have to tell each other are the *fields* of the gate, as the offers of a LOTOS gate:
//!
//! * a field *provided* by a process is a term over its own cells; the largest such terms are taken, so that a process tells
//!   `rank of a < rank of b` and not both ranks;
//! * a *derived* field is a condition over fields of several processes, such as a link predicate, which a receiver needs to know
//!   but could not evaluate. The receiver guesses 0 or 1; a condition of the gate says when the guess is right.
//!
//! A choice that several processes depend on is made by the first of them, which provides it.
//!
//! A process makes its transition for every value of the fields that matter to it; a label says which. Processes together
//! can make a step if they agree on the fields that they share and the conditions of the gate hold. So a network with
//! synchronisation vectors (Arnold, Nivat; Lang, *EXP.OPEN 2.0*, IFM 2005) is described without writing a vector for each
//! combination of values.

use crate::split::Part;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use swarmcheck_ir::Value;
use swarmcheck_steps::execute::{Executed, Step};
use swarmcheck_steps::terms::{Node, TermId, Terms};

/// Where the value of a field comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A process knows it.
    Provided {
        /// The process.
        process: usize,
    },
    /// A condition of the gate says whether it is 0 or 1.
    Derived,
}

/// One process at a gate. Terms are over its own cells, its own choices and fields.
#[derive(Clone, Default, Debug)]
pub struct Participant {
    /// The process.
    pub process: usize,
    /// Conditions on its own cells.
    pub guards: Vec<TermId>,
    /// The cells that it writes.
    pub updates: Vec<(u32, TermId)>,
    /// The fields that it provides.
    pub provides: Vec<(u32, TermId)>,
    /// All fields that it may have a say about, in ascending order.
    pub mentions: Vec<u32>,
}

/// A step of the system.
#[derive(Clone, Debug)]
pub struct Gate {
    /// The instance of the program; `None` for the initial block.
    pub instance: Option<usize>,
    /// Who takes part, by process.
    pub participants: Vec<Participant>,
    /// The fields, by number.
    pub fields: Vec<Source>,
    /// Conditions over fields. All must hold.
    pub conditions: Vec<Joint>,
}

/// A condition over fields.
#[derive(Clone, Debug)]
pub struct Joint {
    /// The condition.
    pub term: TermId,
    /// The fields that it depends on, in ascending order.
    pub fields: Vec<u32>,
    /// The derived field that it is about. Where nobody looks at the field, the condition asks nothing.
    pub derived: Option<u32>,
}

/// What states are told apart by: conditions over fields that processes provide in every state.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// The conditions, in the order of the question.
    pub conditions: Vec<Joint>,
    /// What each process provides.
    pub provides: Vec<Vec<(u32, TermId)>>,
}

/// Makes gates of steps.
pub struct Gates<'e> {
    executed: &'e mut Executed,
    /// The process of each cell, or `None` where it is a constant.
    process: Vec<Option<usize>>,
    /// The values of cells that are constants.
    constants: Vec<Option<Value>>,
    replaced: HashMap<TermId, TermId>,
}

impl<'e> Gates<'e> {
    /// For cells divided like this.
    pub fn new(executed: &'e mut Executed, initial: &Step, parts: &[Part]) -> Gates<'e> {
        let width = executed.bounds.len();
        let mut process = vec![None; width];
        for (number, part) in parts.iter().enumerate() {
            part.slots.iter().for_each(|slot| process[*slot as usize] = Some(number));
        }
        let mut constants = vec![None; width];
        for (slot, term) in &initial.updates {
            if process[*slot as usize].is_none() {
                constants[*slot as usize] = executed.terms.value(*term);
            }
        }
        Gates { executed, process, constants, replaced: HashMap::new() }
    }

    /// The terms of all gates.
    pub fn terms(&self) -> &Terms {
        &self.executed.terms
    }

    /// The values of cells that are constants.
    pub fn constants(&self) -> Vec<Option<Value>> {
        self.constants.clone()
    }

    fn simplified(&mut self, term: TermId) -> TermId {
        let constants = &self.constants;
        let known = |node: &Node| match node {
            Node::Slot(slot) => constants[*slot as usize],
            _ => None,
        };
        self.executed.terms.replace(term, &known, &mut self.replaced)
    }

    /// The gate of a step; none if it is never possible.
    pub fn gate(&mut self, instance: Option<usize>, step: &Step) -> Option<Gate> {
        let conditions: Vec<TermId> = step.conditions.iter().map(|term| self.simplified(*term)).collect();
        let all = self.executed.terms.and(conditions);
        let conditions = match self.executed.terms.node(all) {
            Node::Const(0) => return None,
            Node::Const(_) => vec![],
            Node::And(parts) => parts.to_vec(),
            _ => vec![all],
        };
        let mut updates = vec![];
        for &(slot, term) in &step.updates {
            if self.process[slot as usize].is_some() {
                updates.push((slot, self.simplified(term)));
            }
        }
        let owners = self.choice_owners(&conditions, &updates);
        let mut maker = Maker::new(&mut self.executed.terms, &self.process, &owners);
        for condition in conditions {
            match maker.owner(condition) {
                Owner::One(process) => maker.participant(process).guards.push(condition),
                Owner::Nobody | Owner::Many => {
                    let term = maker.joint(condition);
                    maker.conditions.push((term, None));
                }
            }
        }
        for (slot, term) in updates {
            let Some(process) = maker.process[slot as usize] else { continue };
            let term = maker.view(process, term);
            maker.participant(process).updates.push((slot, term));
        }
        Some(maker.finish(instance))
    }

    /// What conditions on states are for the processes.
    pub fn observed(&mut self, conditions: &[TermId], processes: usize) -> Observed {
        let conditions: Vec<TermId> = conditions.iter().map(|term| self.simplified(*term)).collect();
        let owners = HashMap::new();
        let mut maker = Maker::new(&mut self.executed.terms, &self.process, &owners);
        for condition in conditions {
            let term = maker.joint(condition);
            maker.conditions.push((term, None));
        }
        let gate = maker.finish(None);
        let mut provides = vec![vec![]; processes];
        for participant in gate.participants {
            provides[participant.process] = participant.provides;
        }
        Observed { conditions: gate.conditions, provides }
    }

    /// The process that makes each choice: the first that depends on it.
    fn choice_owners(&self, conditions: &[TermId], updates: &[(u32, TermId)]) -> HashMap<u32, usize> {
        let terms = &self.executed.terms;
        let mut owners: HashMap<u32, usize> = HashMap::new();
        for (slot, term) in updates {
            let Some(process) = self.process[*slot as usize] else { continue };
            for choice in terms.choices(*term) {
                owners.entry(choice).and_modify(|owner| *owner = (*owner).min(process)).or_insert(process);
            }
        }
        // What only conditions depend on is chosen by whoever is in the condition.
        for condition in conditions {
            let (slots, choices) = (terms.slots(*condition), terms.choices(*condition));
            let who = slots.iter().find_map(|slot| self.process[*slot as usize]);
            let who =
                who.or_else(|| choices.iter().find_map(|choice| owners.get(choice).copied())).unwrap_or(0);
            for choice in choices {
                owners.entry(choice).or_insert(who);
            }
        }
        owners
    }
}

/// Whose cells and choices a term depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Owner {
    Nobody,
    One(usize),
    Many,
}

struct Maker<'a> {
    terms: &'a mut Terms,
    process: &'a [Option<usize>],
    choices: &'a HashMap<u32, usize>,
    owners: HashMap<TermId, Owner>,
    participants: BTreeMap<usize, Participant>,
    fields: Vec<Source>,
    /// The fields that stand for terms.
    known: HashMap<TermId, u32>,
    joints: HashMap<TermId, TermId>,
    views: HashMap<(usize, TermId), TermId>,
    /// With the derived field that a condition is about.
    conditions: Vec<(TermId, Option<u32>)>,
}

impl<'a> Maker<'a> {
    fn new(
        terms: &'a mut Terms,
        process: &'a [Option<usize>],
        choices: &'a HashMap<u32, usize>,
    ) -> Maker<'a> {
        Maker {
            terms,
            process,
            choices,
            owners: HashMap::new(),
            participants: BTreeMap::new(),
            fields: vec![],
            known: HashMap::new(),
            joints: HashMap::new(),
            views: HashMap::new(),
            conditions: vec![],
        }
    }

    fn owner(&mut self, term: TermId) -> Owner {
        if let Some(&known) = self.owners.get(&term) {
            return known;
        }
        let found = match self.terms.node(term) {
            Node::Slot(slot) => self.process[*slot as usize].map_or(Owner::Nobody, Owner::One),
            Node::Choice(choice) => self.choices.get(choice).copied().map_or(Owner::Nobody, Owner::One),
            _ => {
                let below = self.terms.below(term);
                below.into_iter().fold(Owner::Nobody, |owner, part| match (owner, self.owner(part)) {
                    (Owner::Nobody, other) | (other, Owner::Nobody) => other,
                    (a, b) if a == b => a,
                    _ => Owner::Many,
                })
            }
        };
        self.owners.insert(term, found);
        found
    }

    fn participant(&mut self, process: usize) -> &mut Participant {
        self.participants.entry(process).or_insert_with(|| Participant { process, ..Participant::default() })
    }

    /// The field for a term.
    fn field(&mut self, term: TermId, source: Source) -> TermId {
        let next = self.fields.len() as u32;
        let field = *self.known.entry(term).or_insert(next);
        if field == next {
            if let Source::Provided { process } = source {
                self.participant(process).provides.push((field, term));
            }
            self.fields.push(source);
        }
        self.terms.field(field)
    }

    /// A term over fields only.
    fn joint(&mut self, term: TermId) -> TermId {
        if let Some(&known) = self.joints.get(&term) {
            return known;
        }
        let out = match self.owner(term) {
            Owner::Nobody => term,
            Owner::One(process) => self.field(term, Source::Provided { process }),
            Owner::Many => {
                let below: Vec<TermId> = self.terms.below(term);
                let below = below.into_iter().map(|part| self.joint(part)).collect();
                self.terms.rebuilt(term, below)
            }
        };
        self.joints.insert(term, out);
        out
    }

    /// A field that is 1 exactly if a condition of several processes holds.
    fn derived(&mut self, condition: TermId) -> TermId {
        let before = self.fields.len();
        let field = self.field(condition, Source::Derived);
        if self.fields.len() > before {
            let joint = self.joint(condition);
            let not = self.terms.not(joint);
            let right = self.terms.ite(field, joint, not);
            self.conditions.push((right, Some(before as u32)));
        }
        field
    }

    /// A term as one process sees it: over its own cells and choices, and over fields.
    fn view(&mut self, process: usize, term: TermId) -> TermId {
        if let Some(&known) = self.views.get(&(process, term)) {
            return known;
        }
        swarmcheck_ir::cancel::check();
        let seen = self.view_anew(process, term);
        self.views.insert((process, term), seen);
        seen
    }

    fn view_anew(&mut self, process: usize, term: TermId) -> TermId {
        match self.owner(term) {
            Owner::Nobody => return term,
            Owner::One(owner) if owner == process => return term,
            Owner::One(owner) => return self.field(term, Source::Provided { process: owner }),
            Owner::Many => {}
        }
        match self.terms.node(term).clone() {
            Node::And(parts) => self.view_junction(process, &parts, true),
            Node::Or(parts) => self.view_junction(process, &parts, false),
            Node::Binary(..) | Node::Defined(_) if self.terms.is_condition(term) => self.derived(term),
            _ => {
                let below = self.terms.below(term).into_iter().map(|part| self.view(process, part)).collect();
                self.terms.rebuilt(term, below)
            }
        }
    }

    /// What the process cannot evaluate itself becomes one field.
    fn view_junction(&mut self, process: usize, parts: &[TermId], all: bool) -> TermId {
        let (mut own, mut rest) = (vec![], vec![]);
        for &part in parts {
            match self.owner(part) {
                Owner::Many => rest.push(part),
                Owner::One(owner) if owner != process => rest.push(part),
                _ => own.push(part),
            }
        }
        let junction = |terms: &mut Terms, parts: Vec<TermId>| match all {
            true => terms.and(parts),
            false => terms.or(parts),
        };
        let seen = match rest[..] {
            [one] => self.view(process, one),
            _ => {
                let together = junction(self.terms, rest);
                match self.owner(together) {
                    Owner::One(owner) => self.field(together, Source::Provided { process: owner }),
                    _ => self.derived(together),
                }
            }
        };
        own.push(seen);
        junction(self.terms, own)
    }

    fn finish(self, instance: Option<usize>) -> Gate {
        let Maker { terms, participants, fields, conditions, .. } = self;
        let joint =
            |(term, derived): (TermId, Option<u32>)| Joint { term, fields: terms.fields(term), derived };
        let mut participants: Vec<Participant> = participants.into_values().collect();
        for participant in &mut participants {
            let seen = participant.updates.iter().flat_map(|(_, term)| terms.fields(*term));
            let own = participant.provides.iter().map(|(field, _)| *field);
            let mentions: BTreeSet<u32> = seen.chain(own).collect();
            participant.mentions = mentions.into_iter().collect();
        }
        Gate { instance, participants, fields, conditions: conditions.into_iter().map(joint).collect() }
    }
}

impl Observed {
    /// How large its largest term is.
    pub fn size(&self, terms: &Terms) -> f64 {
        let provided = self.provides.iter().flatten().map(|(_, term)| *term);
        provided
            .chain(self.conditions.iter().map(|joint| joint.term))
            .fold(0.0, |most, term| most.max(terms.size(term)))
    }
}

impl Gate {
    /// How large the largest term of it is.
    pub fn size(&self, terms: &Terms) -> f64 {
        let of = |participant: &Participant| {
            let updates = participant.updates.iter().chain(&participant.provides).map(|(_, term)| *term);
            updates.chain(participant.guards.iter().copied()).collect::<Vec<TermId>>()
        };
        let own = self.participants.iter().flat_map(of);
        own.chain(self.conditions.iter().map(|joint| joint.term))
            .fold(0.0, |most, term| most.max(terms.size(term)))
    }

    /// Somebody takes part at a gate that asks nothing of anybody, so that the step is not lost.
    pub fn attached_to(mut self, process: usize) -> Gate {
        if self.participants.is_empty() {
            self.participants.push(Participant { process, ..Participant::default() });
        }
        self
    }

    /// All of so many processes take part.
    pub fn with_all(mut self, processes: usize) -> Gate {
        for process in 0..processes {
            if self.participant(process).is_none() {
                self.participants.push(Participant { process, ..Participant::default() });
            }
        }
        self.participants.sort_by_key(|participant| participant.process);
        self
    }

    /// A process at the gate, if it takes part.
    pub fn participant(&self, process: usize) -> Option<&Participant> {
        self.participants.iter().find(|participant| participant.process == process)
    }
}
