//! The counter system of a program, by running the program on small populations.
//!
//! **Theorem.** Let `S` be the result. Then for every number of agents, mapping a state to its globals, the places of named agents and the
//! number of others in each place sends every reachable state to one whose control state is in [`System::controls`] and whose agents are
//! in places of [`System::together`] of that control state, and every step that changes something to a transition of `S`. Conversely, from
//! every state whose image enables a *monotone* transition, the program has a step with that effect.
//!
//! *Proof.* Let agent `m` run function `f` in a state `s` of the image. By the deletion lemma ([`crate::deletion`], for all kinds that are
//! not fixed), all agents can be deleted but those that global identities name and at most [`participants`] others, and what is left makes
//! the same step; what is deleted does not change, since no step has a loop over agents. By anonymity ([`super::anonymous`]) the numbers
//! of agents do not matter. So the step was seen when the machine ran the control state with these participants, which are in `together`;
//! this file runs all of them until nothing new appears. Initial states: by the same lemma, each agent with the witnesses of the
//! assumptions and the named ones is an initial state of a small member. The converse is the argument about monotone steps in
//! [`super::anonymous`]. A step that is an error of the model is an error of a small population, and any error ends the extraction. ∎
//!
//! Agents in *scarce* places, which few agents are in at a time (for instance the one that holds a lock), are split off like named ones.
//! The control state then says exactly how many there are, and steps that would need two of them disappear. Which places are scarce is a
//! guess from small members; the argument above does not depend on it, because all agents in scarce places are kept in every population.
//! If a population has more of them than the limits, the guess is revised and the extraction starts anew. Initial places are never scarce.
//! All agents of *fixed* kinds, those of few agents whose number is not open, are split off in the same way; they are in every population,
//! so the deletion lemma is needed for the other kinds only.
//!
//! A transition that another one describes with one spectator fewer is left out.

use super::anonymous::{identity_cells, is_monotone, participants};
use super::scarce::{MOST_ALIKE, MOST_SCARCE, any_size, places_of, scarce_places, small_sizes};
use super::system::{ControlId, ControlState, Initial, Place, PlaceId, System, Transition};
use crate::deletion::Witnesses;
use crate::family::Family;
use crate::keep::Open;
use crate::premise::{Broken, Premise};
use crate::prove::NotProved;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use swarmcheck_engine::Control;
use swarmcheck_engine::system::initial_states;
use swarmcheck_ir::flat::{Enumerate, Flat, Instance, Machine, Outcome};
use swarmcheck_ir::{KindId, Program, Value, VarId};
use swarmcheck_source::Span;

/// More places or control states are not finite data, for us.
const MOST_PLACES: usize = 300;
const MOST_CONTROLS: usize = 1_500;
/// All global cells together have at most so many values, and one more each.
const MOST_VALUES: usize = 128;
/// More populations are not run.
const MOST_RUNS: usize = 3_000_000;
/// Members with more agents are not listed.
const MOST_AGENTS: u32 = 64;

/// Runs a program until its counter system is complete.
///
/// `fixed` are kinds of few agents, whose number is not open.
pub fn extract(program: &Program, fixed: &[KindId], control: &Control<'_>) -> Result<System, NotProved> {
    let mut scarce = scarce_places(program, fixed, control);
    loop {
        match attempt(program, &scarce, fixed, control) {
            Ok(system) => return Ok(system),
            Err(Failure::Crowded(places)) => places.iter().for_each(|place| {
                scarce.remove(place);
            }),
            Err(Failure::NotProved(why)) => return Err(why),
        }
    }
}

/// Why an extraction ends early.
enum Failure {
    NotProved(NotProved),
    /// Too many agents are in these places.
    Crowded(Vec<Place>),
}

impl<T: Into<NotProved>> From<T> for Failure {
    fn from(why: T) -> Failure {
        Failure::NotProved(why.into())
    }
}

/// The counter system in which agents in scarce places are split off.
fn attempt(
    program: &Program,
    scarce: &HashSet<Place>,
    fixed: &[KindId],
    control: &Control<'_>,
) -> Result<System, Failure> {
    let kinds = (0..program.kinds.len() as u32).map(KindId);
    let kinds: Vec<KindId> = kinds.filter(|kind| !fixed.contains(kind)).collect();
    let witnesses = Witnesses::new(Open { program, kinds: &kinds })?;
    let needed = program.functions.iter().enumerate();
    let needed: Vec<u32> = needed.map(|(number, f)| participants(f, witnesses.of(number))).collect();
    let first = witnesses.initial.saturating_add(witnesses.globals).saturating_add(1);
    let most = needed.iter().copied().chain([first]).max().unwrap_or(first);
    if most > MOST_AGENTS {
        return Err(NotProved::TooManyAgents(most).into());
    }
    let mut work = Extraction {
        scarce,
        family: any_size(program),
        fixed,
        identities: identity_cells(program),
        monotone: program.functions.iter().map(|f| is_monotone(f, fixed)).collect(),
        needed,
        members: HashMap::new(),
        places: HashMap::new(),
        controls: HashMap::new(),
        system: System {
            program: program.clone(),
            places: vec![],
            controls: vec![],
            together: vec![],
            initial: vec![],
            transitions: vec![],
            scarce: vec![],
            fixed: fixed.to_vec(),
        },
        together: vec![],
        found: BTreeSet::new(),
        done: HashSet::new(),
        runs: 0,
        values: HashSet::new(),
    };
    work.initial(first)?;
    work.close(control)?;
    Ok(work.finish())
}

struct Extraction<'a> {
    scarce: &'a HashSet<Place>,
    fixed: &'a [KindId],
    family: Family,
    identities: Vec<VarId>,
    /// By function.
    monotone: Vec<bool>,
    /// By function: how many agents that are not named take part.
    needed: Vec<u32>,
    members: HashMap<Vec<u32>, Arc<Flat>>,
    places: HashMap<Place, PlaceId>,
    controls: HashMap<ControlState, ControlId>,
    system: System,
    together: Vec<BTreeSet<PlaceId>>,
    found: BTreeSet<Transition>,
    done: HashSet<(ControlId, Vec<PlaceId>)>,
    runs: usize,
    /// Values of global cells, by cell.
    values: HashSet<(usize, Value)>,
}

impl Extraction<'_> {
    fn member(&mut self, sizes: &[u32]) -> Arc<Flat> {
        let family = &self.family;
        let make = || Arc::new(Flat::new(family.at(sizes)));
        Arc::clone(self.members.entry(sizes.to_vec()).or_insert_with(make))
    }

    fn place(&mut self, place: Place) -> PlaceId {
        let next = self.system.places.len();
        let id = *self.places.entry(place.clone()).or_insert(next);
        if id == next {
            self.system.places.push(place);
        }
        id
    }

    fn control(&mut self, control: ControlState) -> ControlId {
        let next = self.system.controls.len();
        let id = *self.controls.entry(control.clone()).or_insert(next);
        if id == next {
            self.system.controls.push(control);
            self.together.push(BTreeSet::new());
        }
        id
    }

    /// The image of a state: its control state, and the places of all other agents in the order of their numbers.
    fn image(&mut self, flat: &Flat, state: &[Value]) -> Result<(ControlId, Vec<PlaceId>), Failure> {
        let mut globals = vec![];
        let agents = flat.program.agents() as usize;
        let mut named: Vec<usize> = vec![];
        for (slot, cell) in flat.layout.cells() {
            let value = state[slot as usize];
            match cell.agent {
                Some(_) => {}
                None if self.identities.contains(&cell.var) => {
                    // A number that no agent has stands for nobody and is kept as it is.
                    let agent = usize::try_from(value).ok().filter(|agent| *agent < agents);
                    globals.push(agent.map_or(value, |agent| {
                        let at = named.iter().position(|a| *a == agent);
                        at.unwrap_or_else(|| {
                            named.push(agent);
                            named.len() - 1
                        }) as Value
                    }));
                }
                None => globals.push(value),
            }
        }
        let places = places_of(flat, state);
        let is_scarce = |place: &Place| self.scarce.contains(place) && !self.fixed.contains(&place.kind);
        let scarce: Vec<usize> =
            (0..agents).filter(|a| !named.contains(a) && is_scarce(&places[*a])).collect();
        let alike = |agent: &usize| scarce.iter().filter(|other| places[**other] == places[*agent]).count();
        if scarce.len() > MOST_SCARCE || scarce.iter().any(|agent| alike(agent) > MOST_ALIKE) {
            let crowded = |agent: &&usize| alike(agent) > MOST_ALIKE || scarce.len() > MOST_SCARCE;
            let crowded = scarce.iter().filter(crowded).map(|agent| places[*agent].clone());
            return Err(Failure::Crowded(crowded.collect()));
        }
        let all: Vec<PlaceId> = places.into_iter().map(|place| self.place(place)).collect();
        let fixed = |agent: &usize| self.fixed.contains(&flat.program.kind_of(*agent as u32));
        let mut split: Vec<usize> = (0..agents).filter(|a| !named.contains(a) && fixed(a)).collect();
        split.extend(scarce);
        split.sort_by_key(|agent| all[*agent]);
        named.extend(split);
        let control = ControlState { globals, named: named.iter().map(|agent| all[*agent]).collect() };
        let others = (0..agents).filter(|agent| !named.contains(agent)).map(|agent| all[agent]).collect();
        Ok((self.control(control), others))
    }

    /// Initial states of all members with up to so many agents.
    fn initial(&mut self, most: u32) -> Result<(), Failure> {
        let mut found: Vec<(ControlId, BTreeSet<PlaceId>)> = vec![];
        for sizes in small_sizes(&self.family, self.fixed, most) {
            let flat = self.member(&sizes);
            let mut states: HashSet<Vec<Value>> = HashSet::new();
            let mut all = true;
            let mut machine = Machine::new(&flat);
            initial_states(&flat, &mut machine, &mut |state| {
                states.insert(state.to_vec());
                all = states.len() < 20_000;
                all
            })
            .map_err(|_| NotProved::Errors)?;
            if !all {
                return Err(self.not_finite().into());
            }
            let mut states: Vec<_> = states.into_iter().collect();
            states.sort_unstable();
            for state in states {
                let (control, others) = self.image(&flat, &state)?;
                // A certain agent would be named, and agents would not be alike.
                let named = self.system.controls[control].named.iter();
                let named = named.map(|place| self.system.places[*place].clone());
                let named: Vec<Place> = named.filter(|place| !self.fixed.contains(&place.kind)).collect();
                let scarce: Vec<Place> = named.iter().filter(|p| self.scarce.contains(p)).cloned().collect();
                if !scarce.is_empty() {
                    return Err(Failure::Crowded(scarce));
                }
                if !named.is_empty() || self.names_somebody(control) {
                    return Err(Premise { broken: Broken::IdentityConstant(0), span: Span::default() }.into());
                }
                match found.iter_mut().find(|(known, _)| *known == control) {
                    Some((_, places)) => places.extend(others),
                    None => found.push((control, others.into_iter().collect())),
                }
                if self.system.places.len() > MOST_PLACES || found.len() > MOST_CONTROLS {
                    return Err(self.not_finite().into());
                }
            }
        }
        for (control, places) in found {
            self.together[control].extend(&places);
            let places = places.into_iter().collect();
            self.system.initial.push(Initial { control, places });
        }
        Ok(())
    }

    /// Whether a global identity is the number of an agent.
    fn names_somebody(&self, control: ControlId) -> bool {
        let program = &self.system.program;
        let globals = (0..).map(VarId).zip(&program.vars).filter(|(_, var)| var.owners.is_none());
        let cells = globals.flat_map(|(id, var)| std::iter::repeat_n(id, var.cells()));
        let mut cells = cells.zip(&self.system.controls[control].globals);
        cells.any(|(id, value)| self.identities.contains(&id) && *value >= 0)
    }

    fn close(&mut self, control: &Control<'_>) -> Result<(), Failure> {
        let most = self.needed.iter().copied().max().unwrap_or(0) as usize;
        loop {
            let before = (self.found.len(), self.together.iter().map(BTreeSet::len).sum::<usize>());
            let mut at = 0;
            while at < self.system.controls.len() {
                let places: Vec<PlaceId> = self.together[at].iter().copied().collect();
                for size in 0..=most {
                    self.populations(at, &places, size, &mut vec![], control)?;
                }
                at += 1;
            }
            // Whoever takes no part may be where it was.
            loop {
                let mut changed = false;
                for t in &self.found {
                    if t.from != t.to && !self.together[t.from].is_subset(&self.together[t.to]) {
                        let more = self.together[t.from].clone();
                        self.together[t.to].extend(more);
                        changed = true;
                    }
                }
                if !changed {
                    break;
                }
            }
            if before == (self.found.len(), self.together.iter().map(BTreeSet::len).sum::<usize>()) {
                return Ok(());
            }
        }
    }

    /// All multisets of places of this size, from the last one chosen on.
    fn populations(
        &mut self,
        at: ControlId,
        places: &[PlaceId],
        size: usize,
        chosen: &mut Vec<PlaceId>,
        control: &Control<'_>,
    ) -> Result<(), Failure> {
        if chosen.len() == size {
            if !self.done.insert((at, chosen.clone())) {
                return Ok(());
            }
            self.runs += 1;
            if control.stopped() {
                return Err(NotProved::Interrupted.into());
            }
            if self.runs > MOST_RUNS {
                return Err(NotProved::TooManyAgents(size as u32).into());
            }
            return self.run(at, chosen);
        }
        for (number, place) in places.iter().enumerate() {
            chosen.push(*place);
            self.populations(at, &places[number..], size, chosen, control)?;
            chosen.pop();
        }
        Ok(())
    }

    /// All steps of one population: the named agents and the chosen ones.
    fn run(&mut self, at: ControlId, chosen: &[PlaceId]) -> Result<(), Failure> {
        let named = self.system.controls[at].named.clone();
        let agents: Vec<PlaceId> = named.iter().chain(chosen).copied().collect();
        let kinds = self.family.base().kinds.len();
        let mut sizes = vec![0; kinds];
        for place in &agents {
            sizes[self.system.places[*place].kind.0 as usize] += 1;
        }
        let flat = self.member(&sizes);
        let (mut next, mut numbers) = (vec![0; kinds], vec![]);
        for place in &agents {
            let kind = self.system.places[*place].kind.0 as usize;
            numbers.push(flat.program.kinds[kind].first + next[kind]);
            next[kind] += 1;
        }
        let mut state = vec![0; flat.width()];
        let mut globals = self.system.controls[at].globals.iter();
        let mut copies: Vec<_> = agents.iter().map(|place| self.system.places[*place].cells.iter()).collect();
        for (slot, cell) in flat.layout.cells() {
            let value = match cell.agent {
                None => globals.next().map(|value| match usize::try_from(*value) {
                    Ok(index) if self.identities.contains(&cell.var) && index < named.len() => {
                        Value::from(numbers[index])
                    }
                    _ => *value,
                }),
                Some(agent) => {
                    numbers.iter().position(|a| *a == agent).and_then(|at| copies[at].next().copied())
                }
            };
            state[slot as usize] = value.unwrap_or(0);
        }
        let mut machine = Machine::new(&flat);
        let mut choices = Enumerate::default();
        for number in 0..flat.instances() {
            let instance: Instance = flat.instance(number);
            let function = instance.function as usize;
            if (self.needed[function] as usize) < chosen.len() {
                continue;
            }
            choices.reset();
            loop {
                match machine.step(&flat, instance, &mut state, &mut choices) {
                    Outcome::Disabled => {}
                    Outcome::Done => {
                        let after = state.clone();
                        machine.undo(&mut state);
                        self.note(at, chosen, &flat, &after, self.monotone[function])?;
                    }
                    Outcome::Fault(_) => return Err(NotProved::Errors.into()),
                }
                if !choices.advance() {
                    break;
                }
            }
        }
        Ok(())
    }

    fn note(
        &mut self,
        from: ControlId,
        chosen: &[PlaceId],
        flat: &Flat,
        after: &[Value],
        monotone: bool,
    ) -> Result<(), Failure> {
        let (to, mut post) = self.image(flat, after)?;
        post.sort_unstable();
        let mut pre = chosen.to_vec();
        pre.sort_unstable();
        let globals = self.system.controls[to].globals.iter().enumerate();
        self.values.extend(globals.map(|(cell, value)| (cell, *value)));
        if self.system.places.len() > MOST_PLACES
            || self.system.controls.len() > MOST_CONTROLS
            || self.values.len() > MOST_VALUES + self.system.controls[to].globals.len()
        {
            return Err(self.not_finite().into());
        }
        self.together[to].extend(&post);
        if from == to && pre == post {
            return Ok(());
        }
        self.found.insert(Transition { from, to, pre, post, monotone });
        Ok(())
    }

    /// The variable with the most values is why there is no end.
    fn not_finite(&self) -> NotProved {
        let mut seen: HashMap<VarId, HashSet<Value>> = HashMap::new();
        let vars = || (0..).map(VarId).zip(&self.system.program.vars);
        for control in &self.system.controls {
            let cells = vars().filter(|(_, var)| var.owners.is_none());
            let cells = cells.flat_map(|(id, var)| std::iter::repeat_n(id, var.cells()));
            cells.zip(&control.globals).for_each(|(id, value)| {
                seen.entry(id).or_default().insert(*value);
            });
        }
        for place in &self.system.places {
            let owned =
                |var: &swarmcheck_ir::Var| var.owners.as_ref().is_some_and(|o| o.contains(&place.kind));
            let cells = vars().filter(|(_, var)| owned(var));
            let cells = cells.flat_map(|(id, var)| std::iter::repeat_n(id, var.cells()));
            cells.zip(&place.cells).for_each(|(id, value)| {
                seen.entry(id).or_default().insert(*value);
            });
        }
        let most = seen.into_iter().max_by_key(|(id, values)| (values.len(), std::cmp::Reverse(id.0)));
        let variable = most.map_or(String::new(), |(id, _)| self.system.program.var(id).name.clone());
        NotProved::NotFinite { variable }
    }

    fn finish(mut self) -> System {
        let all = &self.found;
        let redundant = |t: &Transition| {
            let weaker = Transition { monotone: true, ..t.clone() };
            if !t.monotone && all.contains(&weaker) {
                return true;
            }
            t.pre.iter().any(|place| {
                let without = |places: &[PlaceId]| {
                    let mut places = places.to_vec();
                    places.iter().position(|p| p == place).map(|at| {
                        places.remove(at);
                        places
                    })
                };
                let (Some(pre), Some(post)) = (without(&t.pre), without(&t.post)) else { return false };
                [true, t.monotone].into_iter().any(|monotone| {
                    all.contains(&Transition { pre: pre.clone(), post: post.clone(), monotone, ..t.clone() })
                })
            })
        };
        self.system.transitions = all.iter().filter(|t| !redundant(t)).cloned().collect();
        let places = self.system.places.iter().enumerate();
        let split = |place: &Place| self.scarce.contains(place) || self.fixed.contains(&place.kind);
        let scarce = places.filter(|(_, place)| split(place)).map(|(number, _)| number);
        self.system.scarce = scarce.collect();
        self.system.together = self.together.into_iter().map(|set| set.into_iter().collect()).collect();
        self.system
    }
}
