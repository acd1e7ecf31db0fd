//! Reachable states of small members of a family, and what is seen of them: values of cells, and facts that occur together.

use crate::clause::{Cell, Clause, Fact, Literal};
use crate::family::Family;
use crate::sorts::Identities;
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use swarmcheck_engine::system::{initial_states, successors};
use swarmcheck_ir::flat::{Flat, Machine};
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{KindId, Program, Value, VarId};

/// More states are not looked at.
const MOST_STATES: usize = 30_000;
/// Cells with more values are compared, but get no facts about single values.
const MOST_VALUES: usize = 8;
/// More literals about one tuple of agents are not combined.
const MOST_LITERALS: usize = 128;
/// More clauses are not tried.
const MOST_CLAUSES: usize = 6_000;

/// The values that cells have: globals without a kind.
pub type Values = BTreeMap<(VarId, Option<KindId>), BTreeSet<Value>>;

/// The reachable states of one member, as far as they were looked at.
pub struct Reached {
    /// The member, ready to run.
    pub flat: Flat,
    /// Its states.
    pub states: Vec<Vec<Value>>,
}

/// Explores a member; `stop` tells when to give up.
pub fn reach(program: Program, stop: &dyn Fn() -> bool) -> Reached {
    let flat = Flat::new(program);
    let mut machine = Machine::new(&flat);
    let mut seen: HashSet<Vec<Value>> = HashSet::new();
    let mut open: VecDeque<Vec<Value>> = VecDeque::new();
    // An error of the model is found by whoever verifies the member.
    let _ = initial_states(&flat, &mut machine, &mut |state| {
        if seen.insert(state.to_vec()) {
            open.push_back(state.to_vec());
        }
        seen.len() < MOST_STATES && !stop()
    });
    while let Some(state) = open.pop_front() {
        if seen.len() >= MOST_STATES || stop() {
            break;
        }
        for step in successors(&flat, &mut machine, &state) {
            if let Ok(after) = step.result
                && seen.insert(after.clone())
            {
                open.push_back(after);
            }
        }
    }
    let mut states: Vec<Vec<Value>> = seen.into_iter().collect();
    states.sort_unstable();
    Reached { flat, states }
}

/// Adds the values that cells have in some states.
pub fn note_values(values: &mut Values, flat: &Flat, states: &[Vec<Value>]) {
    for (slot, cell) in flat.layout.cells() {
        let kind = cell.agent.map(|agent| flat.program.kind_of(agent));
        let seen = values.entry((cell.var, kind)).or_default();
        seen.extend(states.iter().map(|state| state[slot as usize]));
    }
}

/// Facts about one tuple of kinds.
struct Vocabulary<'a> {
    family: &'a Family,
    identities: &'a Identities,
    values: &'a Values,
    kinds: Vec<KindId>,
    /// Facts about some agent are combined as well.
    existential: bool,
    literals: Vec<Literal>,
}

impl Vocabulary<'_> {
    fn program(&self) -> &Program {
        self.family.base()
    }

    fn cells(&self, agent: Option<u8>) -> Vec<Cell> {
        let kind = agent.map(|agent| self.kinds[agent as usize]);
        let mut out = vec![];
        for (number, var) in (0..).zip(&self.program().vars) {
            let owned = match (&var.owners, kind) {
                (None, None) => true,
                (Some(owners), Some(kind)) => owners.contains(&kind),
                _ => false,
            };
            if owned {
                out.extend((0..var.cells() as u32).map(|index| Cell { var: VarId(number), index, agent }));
            }
        }
        out
    }

    fn seen(&self, cell: Cell) -> Option<&BTreeSet<Value>> {
        let kind = cell.agent.map(|agent| self.kinds[agent as usize]);
        self.values.get(&(cell.var, kind))
    }

    fn fill(&mut self) {
        let agents: Vec<Option<u8>> =
            [None].into_iter().chain((0..self.kinds.len() as u8).map(Some)).collect();
        let all: Vec<Vec<Cell>> = agents.iter().map(|agent| self.cells(*agent)).collect();
        let mut facts: Vec<(Fact, bool)> = vec![];
        for cell in all.iter().flatten().copied() {
            let role = &self.program().var(cell.var).role;
            let Some(seen) = self.seen(cell) else { continue };
            if *role == Role::Order || seen.len() < 2 {
                continue;
            }
            if self.identities.holds(cell.var) {
                facts.extend((0..self.kinds.len() as u8).map(|agent| (Fact::Names(cell, agent), true)));
                let nobody = seen.iter().filter(|value| crate::sorts::names_nobody(**value));
                facts.extend(nobody.map(|value| (Fact::Is(cell, *value), true)));
                continue;
            }
            if seen.len() <= MOST_VALUES {
                facts.extend(seen.iter().map(|value| (Fact::Is(cell, *value), false)));
            }
        }
        // The same variable of two agents, and globals that have values in common with variables of agents.
        let comparable = |a: &Cell, b: &Cell| {
            let data = |cell: &Cell| {
                let var = self.program().var(cell.var);
                matches!(var.role, Role::Data { .. }) && !self.identities.holds(cell.var)
            };
            let (Some(x), Some(y)) = (self.seen(*a), self.seen(*b)) else { return false };
            data(a) && data(b) && x.intersection(y).count() >= 2 && (x.len() > 1 && y.len() > 1)
        };
        for (number, one) in all.iter().enumerate() {
            for other in &all[number + 1..] {
                for a in one {
                    for b in other {
                        let order = self.program().var(a.var).role == Role::Order;
                        if a.var == b.var && a.index == b.index && order {
                            facts.push((Fact::Less(*a, *b), true));
                            facts.push((Fact::Less(*b, *a), true));
                        } else if (a.var == b.var && a.index == b.index || a.agent.is_none())
                            && comparable(a, b)
                        {
                            facts.push((Fact::Same(*a, *b), true));
                        }
                    }
                }
            }
        }
        for (number, a) in all[0].iter().enumerate() {
            for b in all[0][number + 1..].iter().filter(|b| comparable(a, b)) {
                facts.push((Fact::Same(*a, *b), true));
            }
        }
        if self.existential {
            facts.extend(self.somebody().into_iter().map(|fact| (fact, true)));
        }
        for (fact, both) in facts {
            self.literals.push(Literal { fact, holds: true });
            if both {
                self.literals.push(Literal { fact, holds: false });
            }
        }
        self.literals.truncate(MOST_LITERALS);
    }

    /// That some agent has a value, for each value of each cell of an agent.
    fn somebody(&self) -> Vec<Fact> {
        let mut out = vec![];
        let kinds = (0..self.program().kinds.len() as u32).map(KindId);
        for kind in kinds.filter(|kind| self.family.open().any(&[*kind])) {
            for (number, var) in (0..).zip(&self.program().vars) {
                let id = VarId(number);
                let owned = var.owners.as_ref().is_some_and(|owners| owners.contains(&kind));
                let Some(seen) = self.values.get(&(id, Some(kind))).filter(|_| owned) else { continue };
                if var.role == Role::Order || seen.len() < 2 || seen.len() > MOST_VALUES {
                    continue;
                }
                for index in 0..var.cells() as u32 {
                    let cell = Cell { var: id, index, agent: Some(0) };
                    out.extend(seen.iter().map(|value| Fact::Some(kind, cell, *value)));
                }
            }
        }
        out
    }

    /// All different combinations of literals that occur.
    fn occurring(&self, reached: &[Reached]) -> Vec<u128> {
        let mut found: HashSet<u128> = HashSet::new();
        for Reached { flat, states } in reached {
            let agents = |kind: KindId| {
                let kind = flat.program.kind(kind);
                (kind.first..kind.first + kind.count).collect::<Vec<u32>>()
            };
            let mut tuples: Vec<Vec<u32>> = vec![vec![]];
            for kind in &self.kinds {
                let longer = |tuple: &Vec<u32>| {
                    let fresh = agents(*kind).into_iter().filter(|a| !tuple.contains(a)).collect::<Vec<_>>();
                    let tuple = tuple.clone();
                    fresh.into_iter().map(move |a| [tuple.clone(), vec![a]].concat())
                };
                tuples = tuples.iter().flat_map(longer).collect();
            }
            for state in states {
                for tuple in &tuples {
                    found.insert(self.signature(flat, state, tuple));
                }
            }
        }
        found.into_iter().collect()
    }

    fn signature(&self, flat: &Flat, state: &[Value], agents: &[u32]) -> u128 {
        let bit = |(number, l): (usize, &Literal)| {
            let test = l.fact.test(&flat.program, &flat.layout, state, agents);
            u128::from(test == l.holds) << number
        };
        self.literals.iter().enumerate().map(bit).sum()
    }

    /// Minimal combinations of up to `length` literals about all agents of the tuple that do not occur.
    fn never(&self, occurring: &[u128], length: usize, out: &mut Vec<Clause>) {
        let occurs = |set: u128| occurring.iter().any(|seen| seen & set == set);
        let mut open: Vec<(u128, Vec<usize>)> = vec![(0, vec![])];
        let all = (1u8 << self.kinds.len()) - 1;
        let mut found: Vec<u128> = vec![];
        for _ in 0..length {
            let mut longer = vec![];
            for (set, chosen) in &open {
                let from = chosen.last().map_or(0, |last| last + 1);
                for number in from..self.literals.len() {
                    if chosen.iter().any(|c| exclude(self.literals[*c], self.literals[number])) {
                        continue;
                    }
                    let next = set | 1 << number;
                    if found.iter().any(|smaller| smaller & next == *smaller) {
                        continue;
                    }
                    let chosen = [chosen.clone(), vec![number]].concat();
                    if occurs(next) {
                        longer.push((next, chosen));
                        continue;
                    }
                    found.push(next);
                    let never: Vec<Literal> = chosen.iter().map(|c| self.literals[*c]).collect();
                    let about = never.iter().fold(0, |set, l| set | l.fact.agents());
                    if about == all && out.len() < MOST_CLAUSES {
                        out.push(Clause { kinds: self.kinds.clone(), never });
                    }
                }
            }
            open = longer;
        }
    }
}

/// Literals that cannot both hold, by what they say alone.
fn exclude(a: Literal, b: Literal) -> bool {
    if a.fact == b.fact {
        return true;
    }
    match (a.fact, b.fact) {
        (Fact::Is(x, _), Fact::Is(y, _)) => x == y && a.holds && b.holds,
        (Fact::Less(x, y), Fact::Less(v, w)) => (x, y) == (w, v) && a.holds && b.holds,
        (Fact::Names(x, _), Fact::Names(y, _)) => x == y && a.holds && b.holds,
        (Fact::Is(x, _), Fact::Names(y, _)) | (Fact::Names(y, _), Fact::Is(x, _)) => {
            x == y && a.holds && b.holds
        }
        _ => false,
    }
}

/// Clauses of up to `length` literals that hold in all states that were reached; with `existential` facts about some agent among them.
pub fn candidates(
    family: &Family,
    values: &Values,
    reached: &[Reached],
    length: usize,
    existential: bool,
) -> Vec<Clause> {
    let identities = &Identities::new(family.base());
    let kinds: Vec<KindId> = (0..family.base().kinds.len() as u32).map(KindId).collect();
    let mut tuples: Vec<Vec<KindId>> = vec![vec![]];
    tuples.extend(kinds.iter().map(|kind| vec![*kind]));
    for (number, one) in kinds.iter().enumerate() {
        tuples.extend(kinds[number..].iter().map(|other| vec![*one, *other]));
    }
    let mut out = vec![];
    for kinds in tuples {
        // For each agent somebody else would be needed: such a condition has no small models.
        let existential = existential && kinds.is_empty();
        let mut vocabulary = Vocabulary { family, identities, values, kinds, existential, literals: vec![] };
        vocabulary.fill();
        let occurring = vocabulary.occurring(reached);
        // A tuple that nobody has seen says nothing.
        if !occurring.is_empty() {
            vocabulary.never(&occurring, length, &mut out);
        }
    }
    out
}
