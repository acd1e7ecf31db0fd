//! Canonical representatives: one state for each orbit under permutations of agents.
//!
//! For groups in which everything is allowed the agents are sorted by a *colour*: a hash of all that can be said about an
//! agent without numbers. A slot of the state says something about its owner, about the agents that index it, and about
//! the agent whose number it holds; what it says to one of them depends on the colours of the others. That is iterated a
//! few times. Agents of the same colour stay in the order in which they are found, so states whose agents are
//! distinguished by more than their surroundings, or whose hashes collide, may have several representatives: that
//! costs states, never answers, because the result is always a permutation of what was given.
//!
//! Searches give states that differ from a sorted one by a step or two, so sorting is by insertion, and only what belongs
//! to agents that change places is moved.
//!
//! For rotations the least of all rotated states is taken, which is exact.

use super::{Moves, Symmetry};
use swarmcheck_ir::flat::Layout;
use swarmcheck_ir::{Program, Value, VarId};

const NOBODY: u32 = u32::MAX;

/// How often colours are refined if some slot relates two agents.
const ROUNDS: u32 = 3;

/// Finds representatives. Allocates only when it is made.
#[derive(Clone, Debug)]
pub struct Canon {
    slots: Vec<Slot>,
    /// All agents that index slots, with the distance between neighbours; [`Slot::indices`] is a part of it.
    indices: Vec<Index>,
    /// For each variable of agents, the first slot of each agent's copy.
    copies: Vec<Vec<u32>>,
    /// For each agent the group that moves it.
    group_of: Vec<u32>,
    /// For each variable and group, whether its values are renamed.
    renamed: Vec<Vec<bool>>,
    full: Vec<Vec<u32>>,
    rotations: Vec<Rotation>,
    /// Slots that say something about one agent, whatever they hold, and those that may relate several.
    single: Vec<Single>,
    several: Vec<u32>,
    /// For each agent, those among the former that are about it. For agents of one group they correspond in this order.
    about: Vec<Vec<u32>>,
    /// How often colours are refined.
    rounds: u32,
    work: Work,
}

/// What a slot has to do with agents.
#[derive(Clone, Debug)]
struct Slot {
    var: u32,
    /// Whose copy; [`NOBODY`] for a global variable.
    owner: u32,
    /// The place among the cells of the copy.
    cell: u32,
    indices: std::ops::Range<u32>,
    /// The variable is renamed by some group.
    holds_agents: bool,
    /// The same for slots that change places.
    class: u64,
}

/// A slot that says something about one agent only.
#[derive(Clone, Copy, Debug)]
struct Single {
    slot: u32,
    agent: u32,
    class: u64,
}

#[derive(Clone, Copy, Debug)]
struct Index {
    agent: u32,
    stride: u32,
}

#[derive(Clone, Debug)]
struct Rotation {
    group: u32,
    agents: u32,
    /// Slots that a rotation changes.
    slots: Vec<u32>,
}

/// Buffers that are reused between calls.
#[derive(Clone, Debug, Default)]
struct Work {
    state: Vec<Value>,
    permutation: Vec<u32>,
    /// Agents with their colours.
    sorted: Vec<(u64, u32)>,
    /// What slots about a single agent say, and with them all others.
    base: Vec<u64>,
    sum: Vec<u64>,
    colour: Vec<u64>,
    related: Vec<u32>,
}

impl Canon {
    /// For states of a program with this layout.
    pub fn new(program: &Program, layout: &Layout, symmetry: &Symmetry) -> Canon {
        let agents = program.agents() as usize;
        let mut group_of = vec![NOBODY; agents];
        for (g, group) in symmetry.groups.iter().enumerate() {
            group.agents.iter().for_each(|a| group_of[*a as usize] = g as u32);
        }
        let renamed = (0..program.vars.len())
            .map(|v| symmetry.groups.iter().map(|g| g.ids.contains(&VarId(v as u32))).collect())
            .collect();
        let copies = (0..program.vars.len()).map(|v| layout.copies(VarId(v as u32)).to_vec()).collect();
        let mut canon = Canon {
            slots: vec![],
            indices: vec![],
            copies,
            group_of,
            renamed,
            full: symmetry
                .groups
                .iter()
                .filter(|g| g.moves == Moves::Full)
                .map(|g| g.agents.clone())
                .collect(),
            rotations: vec![],
            single: vec![],
            several: vec![],
            about: vec![vec![]; agents],
            rounds: 0,
            work: Work {
                state: vec![0; layout.width()],
                permutation: vec![0; agents],
                base: vec![0; agents],
                sum: vec![0; agents],
                colour: vec![0; agents],
                ..Work::default()
            },
        };
        for slot in 0..layout.width() as u32 {
            canon.add_slot(program, layout, symmetry, slot);
        }
        for single in &canon.single {
            canon.about[single.agent as usize].push(single.slot);
        }
        let mut about = std::mem::take(&mut canon.about);
        about.iter_mut().for_each(|slots| slots.sort_by_key(|at| canon.role(*at)));
        canon.about = about;
        debug_assert!(canon.correspond());
        for (g, group) in symmetry.groups.iter().enumerate().filter(|(_, g)| g.moves == Moves::Rotation) {
            let touched = |s: &u32| canon.touches(&canon.slots[*s as usize], g as u32);
            let slots = (0..layout.width() as u32).filter(touched).collect();
            canon.rotations.push(Rotation { group: g as u32, agents: group.agents.len() as u32, slots });
        }
        canon
    }

    fn add_slot(&mut self, program: &Program, layout: &Layout, symmetry: &Symmetry, slot: u32) {
        let at = layout.cell(slot);
        let var = program.var(at.var);
        let first = self.indices.len() as u32;
        let (mut stride, mut rest, mut fixed) = (1, at.index, at.index);
        for (dimension, size) in var.dimensions.iter().enumerate().rev() {
            let agent = rest % size;
            rest /= size;
            let group = self.group_of.get(agent as usize).copied().unwrap_or(NOBODY);
            if group != NOBODY && symmetry.groups[group as usize].indexed.contains(&(at.var, dimension)) {
                self.indices.push(Index { agent, stride });
                fixed -= agent * stride;
            }
            stride *= size;
        }
        let owner = at.agent.unwrap_or(NOBODY);
        let owner_moves = at.agent.is_some_and(|a| self.group_of[a as usize] != NOBODY);
        let fixed_owner = if owner_moves { NOBODY } else { owner };
        let class = mix(mix(mix(1, u64::from(at.var.0)), u64::from(fixed)), u64::from(fixed_owner));
        let indices = first..self.indices.len() as u32;
        let holds_agents = self.renamed[at.var.0 as usize].contains(&true);
        let index = self.indices[first as usize..].first().map(|i| i.agent);
        let subject = at.agent.filter(|_| owner_moves).or(index);
        match (u32::from(owner_moves) + (indices.end - indices.start) + u32::from(holds_agents), subject) {
            (0, _) => {}
            (1, Some(agent)) if !holds_agents => self.single.push(Single { slot, agent, class }),
            (about, _) => {
                self.several.push(slot);
                self.rounds = self.rounds.max(if about == 1 { 1 } else { ROUNDS });
            }
        }
        self.slots.push(Slot { var: at.var.0, owner, cell: at.index, indices, holds_agents, class });
    }

    /// The part that a slot about one agent plays: the same for the slots that it changes places with, and no others.
    fn role(&self, at: u32) -> (u32, u32, u32) {
        let slot = &self.slots[at as usize];
        let owner = self.group_of.get(slot.owner as usize).map_or(NOBODY, |group| match *group {
            NOBODY => slot.owner,
            _ => NOBODY,
        });
        let indices: u32 = self.indices_of(slot).iter().map(|i| i.agent * i.stride).sum();
        (slot.var, owner, slot.cell - indices)
    }

    /// Whether slots about one agent go where those about another are, in order.
    fn correspond(&self) -> bool {
        let pair = |a: u32, b: u32| {
            let swap = |agent| if agent == a { b } else { agent };
            let image = self.about[a as usize].iter().map(|at| self.target(*at, swap));
            image.eq(self.about[b as usize].iter().copied())
        };
        self.full.iter().all(|agents| agents.windows(2).all(|ab| pair(ab[0], ab[1])))
    }

    /// Whether a group changes what is in a slot.
    fn touches(&self, slot: &Slot, group: u32) -> bool {
        let moves = |agent: u32| self.group_of.get(agent as usize) == Some(&group);
        moves(slot.owner)
            || self.renamed[slot.var as usize][group as usize]
            || self.indices_of(slot).iter().any(|i| moves(i.agent))
    }

    fn indices_of(&self, slot: &Slot) -> &[Index] {
        &self.indices[slot.indices.start as usize..slot.indices.end as usize]
    }

    /// The agent that is moved and whose number the slot holds, if the variable is renamed with it.
    fn held(&self, slot: &Slot, value: Value) -> Option<u32> {
        if !slot.holds_agents {
            return None;
        }
        let agent = u32::try_from(value).ok()?;
        let group = *self.group_of.get(agent as usize)?;
        (group != NOBODY && self.renamed[slot.var as usize][group as usize]).then_some(agent)
    }

    /// Where a slot goes.
    fn target(&self, at: u32, to: impl Fn(u32) -> u32) -> u32 {
        let slot = &self.slots[at as usize];
        let mut target = at;
        if slot.owner != NOBODY {
            target = self.copies[slot.var as usize][to(slot.owner) as usize] + slot.cell;
        }
        for i in self.indices_of(slot) {
            target = target + to(i.agent) * i.stride - i.agent * i.stride;
        }
        target
    }

    /// Applies a permutation to a state: agent `a` becomes agent `permutation[a]`. It must be one that the symmetry
    /// allows; agents outside its groups stay.
    pub fn permute(&self, permutation: &[u32], state: &[Value], out: &mut [Value]) {
        self.permute_some(0..self.slots.len() as u32, permutation, state, out);
    }

    /// Moves what some slots hold.
    fn permute_some(
        &self,
        slots: impl Iterator<Item = u32>,
        permutation: &[u32],
        state: &[Value],
        out: &mut [Value],
    ) {
        for at in slots {
            let value = state[at as usize];
            let held = self.held(&self.slots[at as usize], value);
            let value = held.map_or(value, |a| i64::from(permutation[a as usize]));
            out[self.target(at, |a| permutation[a as usize]) as usize] = value;
        }
    }

    /// Marks agents whose steps need not be explored from a state: each can change places with the agent before it in its
    /// group without changing the state, so its steps lead to the same states but for names.
    pub fn twins(&self, state: &[Value], twins: &mut Vec<bool>) {
        twins.clear();
        twins.resize(self.group_of.len(), false);
        for agents in &self.full {
            for pair in agents.windows(2) {
                twins[pair[1] as usize] = self.may_swap(pair[0], pair[1], state);
            }
        }
    }

    /// Whether a state is the same after two agents of one group have changed places.
    fn may_swap(&self, a: u32, b: u32, state: &[Value]) -> bool {
        let swap = |agent: u32| match agent {
            agent if agent == a => b,
            agent if agent == b => a,
            agent => agent,
        };
        let same = |at: &u32| {
            let (slot, value) = (&self.slots[*at as usize], state[*at as usize]);
            let value = self.held(slot, value).map_or(value, |agent| i64::from(swap(agent)));
            state[self.target(*at, swap) as usize] == value
        };
        let (mine, yours) = (&self.about[a as usize], &self.about[b as usize]);
        mine.iter().zip(yours).all(|(x, y)| state[*x as usize] == state[*y as usize])
            && self.several.iter().all(same)
    }

    /// Replaces a state by one that differs in names only, and by the same one for most states that do.
    pub fn canonical(&mut self, state: &mut [Value]) {
        if !self.full.is_empty() {
            self.sort(state);
        }
        for number in 0..self.rotations.len() {
            self.rotate(number, state);
        }
    }

    fn sort(&mut self, state: &mut [Value]) {
        let mut work = std::mem::take(&mut self.work);
        self.colours(state, &mut work);
        work.permutation.iter_mut().enumerate().for_each(|(i, a)| *a = i as u32);
        let mut changes = false;
        for agents in &self.full {
            work.sorted.clear();
            work.sorted.extend(agents.iter().map(|a| (work.colour[*a as usize], *a)));
            arrange(&mut work.sorted);
            for ((_, from), to) in work.sorted.iter().zip(agents) {
                work.permutation[*from as usize] = *to;
                changes |= from != to;
            }
        }
        if changes {
            self.rearrange(state, &mut work);
        }
        self.work = work;
    }

    /// Applies the permutation of agents in full groups that has been found.
    fn rearrange(&self, state: &mut [Value], work: &mut Work) {
        work.state.copy_from_slice(state);
        for from in self.full.iter().flatten() {
            let to = work.permutation[*from as usize];
            if to != *from {
                for (source, target) in self.about[*from as usize].iter().zip(&self.about[to as usize]) {
                    state[*target as usize] = work.state[*source as usize];
                }
            }
        }
        self.permute_some(self.several.iter().copied(), &work.permutation, &work.state, state);
    }

    fn colours(&self, state: &[Value], work: &mut Work) {
        work.base.iter_mut().zip(&self.group_of).for_each(|(base, group)| *base = u64::from(*group));
        for single in &self.single {
            let base = &mut work.base[single.agent as usize];
            *base = base.wrapping_add(mix(single.class, state[single.slot as usize] as u64));
        }
        work.colour.copy_from_slice(&work.base);
        for _ in 0..self.rounds {
            work.sum.copy_from_slice(&work.base);
            for at in &self.several {
                self.relate(*at, state[*at as usize], work);
            }
            // Hashed once more, lest sums of different rounds are confused.
            work.colour.iter_mut().zip(&work.sum).for_each(|(colour, sum)| *colour = mix(2, *sum));
        }
    }

    /// Tells each agent that a slot is about what it says, in view of the colours of the others.
    fn relate(&self, at: u32, value: Value, work: &mut Work) {
        let slot = &self.slots[at as usize];
        work.related.clear();
        if slot.owner != NOBODY && self.group_of[slot.owner as usize] != NOBODY {
            work.related.push(slot.owner);
        }
        work.related.extend(self.indices_of(slot).iter().map(|i| i.agent));
        let says = match self.held(slot, value) {
            Some(agent) => {
                work.related.push(agent);
                slot.class
            }
            None => mix(slot.class, value as u64),
        };
        for (i, me) in work.related.iter().enumerate() {
            let mut hash = mix(says, i as u64);
            for other in &work.related {
                hash = mix(hash, work.colour[*other as usize].wrapping_mul(2) + u64::from(other == me));
            }
            let sum = &mut work.sum[*me as usize];
            *sum = sum.wrapping_add(hash);
        }
    }

    /// Takes the least of all rotated states.
    fn rotate(&mut self, number: usize, state: &mut [Value]) {
        let rotation = &self.rotations[number];
        let n = rotation.agents;
        let mut best = 0;
        for by in 1..n {
            let differ = rotation
                .slots
                .iter()
                .map(|s| self.rotated(rotation, *s, by, state).cmp(&self.rotated(rotation, *s, best, state)));
            if differ.into_iter().find(|o| o.is_ne()) == Some(std::cmp::Ordering::Less) {
                best = by;
            }
        }
        if best == 0 {
            return;
        }
        let mut work = std::mem::take(&mut self.work);
        work.permutation.iter_mut().enumerate().for_each(|(i, a)| *a = i as u32);
        work.permutation[..n as usize].iter_mut().for_each(|a| *a = (*a + best) % n);
        self.permute(&work.permutation, state, &mut work.state);
        state.copy_from_slice(&work.state);
        self.work = work;
    }

    /// What a slot holds after a rotation.
    fn rotated(&self, rotation: &Rotation, at: u32, by: u32, state: &[Value]) -> Value {
        let n = rotation.agents;
        let from = self.target(at, |a| if a < n { (a + n - by) % n } else { a });
        let value = state[from as usize];
        match self.held(&self.slots[from as usize], value) {
            Some(agent) if self.group_of[agent as usize] == rotation.group => i64::from((agent + by) % n),
            _ => value,
        }
    }
}

/// Sorts what is nearly sorted, by insertion; if too much has to be moved, it is not nearly sorted.
fn arrange(list: &mut [(u64, u32)]) {
    let mut patience = 8 * list.len();
    for next in 1..list.len() {
        let item = list[next];
        let mut at = next;
        while at > 0 && list[at - 1] > item {
            list[at] = list[at - 1];
            at -= 1;
        }
        list[at] = item;
        match patience.checked_sub(next - at) {
            Some(left) => patience = left,
            None => return list.sort_unstable(),
        }
    }
}

/// Mixes a number into a hash (the finaliser of splitmix64).
fn mix(hash: u64, value: u64) -> u64 {
    let mut z = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ value.wrapping_add(0x6a09_e667_f3bc_c909);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
