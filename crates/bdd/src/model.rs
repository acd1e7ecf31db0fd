//! A system as sets and relations.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use swarmcheck_aig::{Action, Lit, Node, Steps, System};

use crate::function::Functions;
use crate::relation::{Conjunct, Part, Written, conjoin};
use crate::space::{Failure, Limits, Renaming, Set, Space};
use crate::variable_order::variable_order;

/// A system, ready to be asked.
pub struct Model<'s> {
    pub space: Space<'s>,
    pub(crate) system: &'s System,
    pub(crate) places: Places,
    /// The initial states.
    pub initial: Set,
    /// They become simpler when it is known which states matter.
    parts: RefCell<Vec<Part>>,
    open: Set,
    /// Facts that were relied on.
    lemmas: Vec<Set>,
    /// From the bits after a step to those before it.
    unprime: Renaming,
}

/// The variables of the diagrams.
pub(crate) struct Places {
    /// The variables of latches before a step.
    pub(crate) current: Vec<u32>,
    /// The variables of latches after a step.
    pub(crate) next: Vec<u32>,
    /// The variables of inputs.
    pub(crate) inputs: Vec<u32>,
    /// The variables of start inputs.
    pub(crate) starts: Vec<u32>,
    /// The number of variables.
    count: usize,
}

/// Variables of the graph in the order in which they are decided: what chooses a step comes first, since a choice
/// divides a relation into simpler ones; then the latches, each before and after a step. What chooses a start stands before
/// the first latch that depends on it.
fn places(system: &System, steps: &Steps) -> Places {
    let n = system.latches.len();
    let number: HashMap<u32, usize> =
        system.latches.iter().enumerate().map(|(i, latch)| (latch.variable.node(), i)).collect();
    let mut groups: Vec<Vec<usize>> = vec![];
    for action in &steps.actions {
        let mut all = BTreeSet::new();
        for &(latch, value) in &action.writes {
            let support = system.graph.support(&[value]);
            let mut group: BTreeSet<usize> = support.iter().filter_map(|v| number.get(v).copied()).collect();
            group.insert(latch);
            all.extend(&group);
            groups.push(group.into_iter().collect());
        }
        all.extend(system.graph.support(&[action.guard]).iter().filter_map(|v| number.get(v)));
        groups.push(all.into_iter().collect());
    }
    groups.sort_unstable();
    groups.dedup();
    let mut count = 0..;
    let mut fresh = || count.next().unwrap_or(0);
    let mut places =
        Places { current: vec![0; n], next: vec![0; n], inputs: vec![], starts: vec![], count: 0 };
    places.inputs = system.inputs.iter().map(|_| fresh()).collect();
    let mut starts: HashMap<u32, u32> = HashMap::new();
    for latch in variable_order(n, &groups) {
        for variable in system.graph.support(&[system.latches[latch].start]) {
            starts.entry(variable).or_insert_with(&mut fresh);
        }
        places.current[latch] = fresh();
        places.next[latch] = fresh();
    }
    places.starts =
        system.start_inputs.iter().map(|s| *starts.entry(s.node()).or_insert_with(&mut fresh)).collect();
    places.count = fresh() as usize;
    places
}

/// The parts of a conjunction.
fn conjuncts(system: &System, root: Lit) -> Vec<Lit> {
    let (mut stack, mut out) = (vec![root], vec![]);
    while let Some(lit) = stack.pop() {
        match system.graph.node(lit.node()) {
            Node::And(a, b) if !lit.negated() => stack.extend([b, a]),
            _ => out.push(lit),
        }
    }
    out.dedup();
    out
}

impl<'s> Model<'s> {
    /// Turns a system into diagrams. Its steps are given as a list of actions, which must be those of the system: executions
    /// that are found are replayed on it.
    pub fn new(system: &'s System, steps: &Steps, limits: Limits<'s>) -> Result<Model<'s>, Failure> {
        let places = places(system, steps);
        let space = Space::new(places.count, limits)?;
        let mut variables = HashMap::new();
        let latches = system.latches.iter().map(|latch| latch.variable).zip(&places.current);
        let inputs = system.inputs.iter().copied().zip(&places.inputs);
        let starts = system.start_inputs.iter().copied().zip(&places.starts);
        for (variable, &place) in latches.chain(inputs).chain(starts) {
            variables.insert(variable.node(), (place, space.variable(place)?));
        }
        let meanings = variables.iter().map(|(node, (_, set))| (*node, set.clone())).collect();
        let mut builder = Builder {
            system,
            space: &space,
            places: &places,
            variables: &variables,
            functions: Functions::new(&system.graph, &space, meanings),
        };
        let initial = builder.initial()?;
        let open = builder.functions.set(steps.open)?;
        let mut lemmas = vec![];
        for &lemma in &system.lemmas {
            lemmas.push(builder.conjunct(lemma)?);
        }
        let mut parts = vec![];
        for action in &steps.actions {
            let part = builder.part(action, &lemmas)?;
            if !part.is_empty() {
                parts.push(part);
            }
        }
        let pairs: Vec<(u32, u32)> = places.next.iter().zip(&places.current).map(|(n, c)| (*n, *c)).collect();
        let unprime = space.renaming(&pairs)?;
        let lemmas = lemmas.into_iter().map(|lemma| lemma.set).collect();
        Ok(Model { system, initial, parts: RefCell::new(parts), open, lemmas, unprime, places, space })
    }

    /// The states in which a function of the latches is true.
    pub fn states(&self, function: Lit) -> Result<Set, Failure> {
        let mut meanings = HashMap::new();
        for (latch, &place) in self.system.latches.iter().zip(&self.places.current) {
            meanings.insert(latch.variable.node(), self.space.variable(place)?);
        }
        Functions::new(&self.system.graph, &self.space, meanings).set(function)
    }

    /// How many kinds of steps there are.
    pub fn parts(&self) -> usize {
        self.parts.borrow().len()
    }

    /// The nodes of all relations.
    pub fn relation_nodes(&self) -> usize {
        self.parts.borrow().iter().map(Part::nodes).sum()
    }

    /// The states after a step of one kind.
    pub fn after(&self, part: usize, from: &Set) -> Result<Set, Failure> {
        let from = self.space.and(from, &self.open)?;
        let set = self.parts.borrow()[part].forwards(&self.space, &from)?;
        self.space.rename(&set, &self.unprime)
    }

    /// The states before a step of one kind.
    pub fn before(&self, part: usize, to: &Set) -> Result<Set, Failure> {
        let set = self.parts.borrow()[part].backwards(&self.space, to)?;
        self.space.and(&set, &self.open)
    }

    /// The states after a step.
    pub fn image(&self, from: &Set) -> Result<Set, Failure> {
        self.each(|part| self.after(part, from))
    }

    /// The states before a step.
    pub fn preimage(&self, to: &Set) -> Result<Set, Failure> {
        self.each(|part| self.before(part, to))
    }

    fn each(&self, states: impl Fn(usize) -> Result<Set, Failure>) -> Result<Set, Failure> {
        let mut all = self.space.constant(false);
        for part in 0..self.parts() {
            all = self.space.or(&all, &states(part)?)?;
        }
        Ok(all)
    }

    /// That facts which were relied on are true of all reachable states, if these are all. Relations leave out steps from
    /// states that contradict them; where no such state is reached, nothing was left out.
    pub(crate) fn confirm(&self, reachable: &Set) -> Result<(), Failure> {
        for lemma in &self.lemmas {
            if !self.space.minus(reachable, lemma)?.is_empty() {
                return Err(Failure::Internal("a fact about all states is not true"));
            }
        }
        Ok(())
    }

    /// From now on only steps from these states matter: relations that become simpler without the others lose them. Going
    /// backwards from a few states, most of what is found would otherwise be out of reach.
    pub fn focus(&self, states: &Set) -> Result<(), Failure> {
        self.parts.borrow_mut().iter_mut().try_for_each(|part| part.focus(&self.space, states))
    }

    /// The states without a step; states that contradict the lemmas of the system are among them.
    pub fn stuck(&self) -> Result<Set, Failure> {
        let possible = self.preimage(&self.space.constant(true))?;
        self.space.not(&possible)
    }

    /// How many states a set has; the greatest number if there are more.
    pub fn count(&self, states: &Set) -> u64 {
        let mut places = self.places.current.clone();
        places.sort_unstable();
        u64::try_from(self.space.count(states, &places)).unwrap_or(u64::MAX)
    }

    /// Some state of a set.
    pub fn pick(&self, states: &Set) -> Option<Vec<bool>> {
        self.space.pick(states, &self.places.current)
    }

    /// The set of this one state.
    pub fn single(&self, state: &[bool]) -> Result<Set, Failure> {
        let mut values: Vec<(u32, bool)> =
            self.places.current.iter().copied().zip(state.iter().copied()).collect();
        values.sort_unstable();
        self.space.assignment(&values)
    }
}

/// Makes the diagrams of a model.
struct Builder<'b, 's> {
    system: &'s System,
    space: &'b Space<'s>,
    places: &'b Places,
    /// What stands for the variables of the graph.
    variables: &'b HashMap<u32, (u32, Set)>,
    functions: Functions<'b, 's>,
}

impl Builder<'_, '_> {
    fn conjunct(&mut self, function: Lit) -> Result<Conjunct, Failure> {
        Ok(Conjunct { set: self.functions.set(function)?, support: self.places_of(&[function]) })
    }

    /// The variables of the diagrams that functions depend on.
    fn places_of(&self, functions: &[Lit]) -> BTreeSet<u32> {
        let support = self.system.graph.support(functions);
        support.iter().filter_map(|v| self.variables.get(v)).map(|(place, _)| *place).collect()
    }

    /// That a variable has the value of a function.
    fn equation(&mut self, place: u32, function: Lit) -> Result<Conjunct, Failure> {
        let mut conjunct = self.conjunct(function)?;
        conjunct.set = self.space.iff(&self.space.variable(place)?, &conjunct.set)?;
        conjunct.support.insert(place);
        Ok(conjunct)
    }

    /// Bits that are decided late come first: a condition is quickly put on top of one about what follows.
    fn latest_first(&self, latches: &mut [(usize, Lit)]) {
        latches.sort_by_key(|(latch, _)| std::cmp::Reverse(self.places.current[*latch]));
    }

    fn initial(&mut self) -> Result<Set, Failure> {
        let mut all = vec![];
        for lit in conjuncts(self.system, self.system.start_valid) {
            all.push(self.conjunct(lit)?);
        }
        let mut starts: Vec<(usize, Lit)> = self.system.latches.iter().map(|l| l.start).enumerate().collect();
        self.latest_first(&mut starts);
        for (latch, start) in starts {
            all.push(self.equation(self.places.current[latch], start)?);
        }
        let hidden = self.places.starts.iter().copied().collect();
        let mut clusters = conjoin(self.space, all, &hidden, usize::MAX)?;
        clusters.pop().map(|c| c.set).ok_or(Failure::Internal("no condition for initial states"))
    }

    /// An action as a relation between states. What an action does in states that cannot be reached would make its
    /// relation large, so it is left out as far as facts about the bits that it reads tell.
    fn part(&mut self, action: &Action, lemmas: &[Conjunct]) -> Result<Part, Failure> {
        let mut all = vec![];
        let roots: Vec<Lit> = action.writes.iter().map(|(_, value)| *value).chain([action.guard]).collect();
        let read: BTreeSet<u32> = self.places_of(&roots);
        for lemma in lemmas.iter().filter(|lemma| lemma.support.is_subset(&read)) {
            all.push(Conjunct { set: lemma.set.clone(), support: lemma.support.clone() });
        }
        for lit in conjuncts(self.system, action.guard) {
            all.push(self.conjunct(lit)?);
        }
        let mut writes = action.writes.clone();
        self.latest_first(&mut writes);
        let mut written = vec![];
        for (latch, value) in writes {
            let (current, next) = (self.places.current[latch], self.places.next[latch]);
            written.push(Written { current, next });
            all.push(self.equation(next, value)?);
        }
        let hidden = self.places.inputs.iter().copied().collect();
        Part::new(self.space, all, &written, &hidden)
    }
}
