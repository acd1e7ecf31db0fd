//! Decision diagrams within limits of time and memory.
//!
//! A set is a function of numbered variables, which are decided in the order of their numbers. The nodes of all sets are in
//! one table of a size that is fixed at the beginning. Nodes that nobody needs are collected when there are many of them,
//! and once more before the table is said to be full.

mod divided;

use std::cell::Cell;
use std::collections::HashMap;
use std::panic::catch_unwind;
use std::sync::atomic::{AtomicBool, Ordering};

use oxidd::bcdd::{BCDDFunction, BCDDManagerRef, new_manager};
use oxidd::util::{AllocResult, OptBool};
use oxidd::{BooleanFunction, Function, HasLevel, Manager, ManagerRef, Node, Subst};

use divided::Pair;

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// It was told to stop.
    Interrupted,
    /// There is no room for more nodes.
    Memory,
    /// There are more variables than diagrams are good for.
    TooLarge,
    /// Something that cannot happen has happened; in words.
    Internal(&'static str),
}

/// How much may be used.
#[derive(Clone, Copy, Default)]
pub struct Limits<'s> {
    /// Set from outside: stop soon. It is looked at before each piece of an operation on sets.
    pub stop: Option<&'s AtomicBool>,
    /// Called where it is looked whether to stop: may wait, where several searches take turns.
    pub turn: Option<&'s dyn Fn()>,
    /// A clock, to find out how long pieces of operations take.
    pub seconds: Option<&'s dyn Fn() -> f64>,
    /// The most bytes that diagrams may take.
    pub memory: Option<u64>,
    /// Told now and then: how many rounds a search has made, and how many bytes are in use.
    pub progress: Option<&'s dyn Fn(usize, u64)>,
}

/// A set of valuations of the variables.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Set(BCDDFunction);

/// Which variables are replaced by which.
pub struct Renaming {
    substitution: Subst<BCDDFunction>,
    becomes: HashMap<u32, u32>,
}

/// The manager of decision diagrams: its unique table and its limits.
pub struct Space<'s> {
    manager: BCDDManagerRef,
    limits: Limits<'s>,
    /// At this number of nodes garbage is collected.
    collect_at: Cell<usize>,
    most: Cell<usize>,
    cache: usize,
    /// How many variables are decided before an operation is left to the library.
    depth: Cell<usize>,
    /// Of the pieces of the last operation: the longest time, and the most nodes.
    longest: Cell<(f64, usize)>,
}

/// What a node takes: its place, and its share of the table that finds it.
const NODE: u64 = 40;
/// What an entry of the table of results takes.
const ENTRY: u64 = 32;
/// Bytes, where the caller sets no limit.
const MEMORY: u64 = 2 << 30;
/// More nodes than this are more than a search gets through.
const NODES: u64 = 1 << 27;
/// Operations on sets recur once per variable, and the stack of a thread has an end.
const VARIABLES: usize = 6000;
/// With fewer nodes than this nothing is collected.
const FEW: usize = 1 << 20;

/// The library looks for the size of its threads' stacks in this environment variable. A process that limits its address space
/// should be started with this value, which is enough for as many variables as are allowed.
pub const STACK: (&str, &str) = ("OXIDD_STACK_SIZE", "134217728");

impl<'s> Space<'s> {
    pub fn new(variables: usize, limits: Limits<'s>) -> Result<Space<'s>, Failure> {
        if variables > VARIABLES {
            return Err(Failure::TooLarge);
        }
        let memory = limits.memory.unwrap_or(MEMORY);
        // Few variables need few entries, and making many takes time.
        let entries = (memory / 8 / ENTRY).clamp(1 << 8, 1 << (8 + variables / 8).min(21));
        let nodes = (memory.saturating_sub(entries * ENTRY) / NODE).clamp(1 << 10, NODES);
        // The library panics if the system refuses it a thread, as it does where address space is limited and threads of sets that
        // were given up have not ended yet.
        let made = catch_unwind(|| new_manager(nodes as usize, entries as usize, 1));
        let manager = made.map_err(|_| Failure::Memory)?;
        manager.with_manager_exclusive(|manager| manager.add_vars(variables as u32));
        let (collect_at, most) = (Cell::new(FEW.min(nodes as usize / 2)), Cell::new(0));
        let cache = entries.next_power_of_two() as usize;
        let (depth, longest) = (Cell::new(0), Cell::new((0.0, 0)));
        Ok(Space { manager, limits, collect_at, most, cache, depth, longest })
    }

    fn nodes(&self) -> usize {
        self.manager.with_manager_shared(|manager| manager.approx_num_inner_nodes())
    }

    fn collect(&self) {
        self.manager.with_manager_shared(|manager| manager.gc());
    }

    /// The most bytes that were in use, more or less.
    pub fn memory(&self) -> u64 {
        self.most.get().max(self.nodes()) as u64 * NODE + self.cache as u64 * ENTRY
    }

    /// Tells how far a search has come.
    pub fn report(&self, rounds: usize) {
        if let Some(progress) = self.limits.progress {
            progress(rounds, self.nodes() as u64 * NODE + self.cache as u64 * ENTRY);
        }
    }

    /// Waits for the turn of the engine; an error if it was told to stop.
    pub fn check(&self) -> Result<(), Failure> {
        if let Some(turn) = self.limits.turn {
            turn();
        }
        match self.limits.stop {
            Some(stop) if stop.load(Ordering::Relaxed) => Err(Failure::Interrupted),
            _ => Ok(()),
        }
    }

    fn make(&self, operation: impl Fn() -> AllocResult<BCDDFunction>) -> Result<Set, Failure> {
        self.check()?;
        let nodes = self.nodes();
        self.most.set(self.most.get().max(nodes));
        if nodes > self.collect_at.get() {
            self.collect();
            self.collect_at.set((2 * self.nodes()).max(self.collect_at.get()));
        }
        if let Ok(made) = operation() {
            return Ok(Set(made));
        }
        self.collect();
        operation().map(Set).map_err(|_| Failure::Memory)
    }

    /// The set of all states, or the empty set.
    pub fn constant(&self, value: bool) -> Set {
        let make = |value| {
            self.manager.with_manager_shared(|manager| match value {
                true => BCDDFunction::t(manager),
                false => BCDDFunction::f(manager),
            })
        };
        Set(make(value))
    }

    /// Where a variable is true.
    pub fn variable(&self, number: u32) -> Result<Set, Failure> {
        self.make(|| self.manager.with_manager_shared(|manager| BCDDFunction::var(manager, number)))
    }

    /// Where these variables have these values. They must be in the order of their numbers.
    pub fn assignment(&self, values: &[(u32, bool)]) -> Result<Set, Failure> {
        let mut all = self.constant(true);
        for &(number, value) in values.iter().rev() {
            let one = self.variable(number)?;
            let one = if value { one } else { self.not(&one)? };
            all = self.and(&one, &all)?;
        }
        Ok(all)
    }

    /// These variables, for [`Space::exists`] and [`Space::and_exists`].
    pub fn variables(&self, numbers: &[u32]) -> Result<Set, Failure> {
        let mut numbers = numbers.to_vec();
        numbers.sort_unstable();
        self.assignment(&numbers.into_iter().map(|number| (number, true)).collect::<Vec<_>>())
    }

    /// What is not in the set.
    pub fn not(&self, a: &Set) -> Result<Set, Failure> {
        self.make(|| a.0.not())
    }

    /// Intersection.
    pub fn and(&self, a: &Set, b: &Set) -> Result<Set, Failure> {
        self.pair(Pair::And, a, b)
    }

    /// What is in one of them.
    pub fn or(&self, a: &Set, b: &Set) -> Result<Set, Failure> {
        self.pair(Pair::Or, a, b)
    }

    /// What is in the first only.
    pub fn minus(&self, a: &Set, b: &Set) -> Result<Set, Failure> {
        self.pair(Pair::Minus, a, b)
    }

    /// What is in both or in none.
    pub fn iff(&self, a: &Set, b: &Set) -> Result<Set, Failure> {
        self.pair(Pair::Iff, a, b)
    }

    /// What is in the set for some values of these variables.
    pub fn exists(&self, a: &Set, variables: &Set) -> Result<Set, Failure> {
        self.in_both_for_some(a, &self.constant(true), variables)
    }

    /// What is in both for some values of these variables.
    pub fn and_exists(&self, a: &Set, b: &Set, variables: &Set) -> Result<Set, Failure> {
        self.in_both_for_some(a, b, variables)
    }

    /// That variables are replaced by others: the first of each pair by the second.
    pub fn renaming(&self, pairs: &[(u32, u32)]) -> Result<Renaming, Failure> {
        let mut replacements = vec![];
        for &(_, to) in pairs {
            replacements.push(self.variable(to)?.0);
        }
        let substitution = Subst::new(pairs.iter().map(|(from, _)| *from).collect(), replacements);
        Ok(Renaming { substitution, becomes: pairs.iter().copied().collect() })
    }

    /// The set with other variables.
    pub fn rename(&self, a: &Set, renaming: &Renaming) -> Result<Set, Failure> {
        self.renamed(a, renaming)
    }

    /// Whether there is nothing in both.
    pub fn disjoint(&self, a: &Set, b: &Set) -> Result<bool, Failure> {
        Ok(self.and(a, b)?.is_empty())
    }

    /// The values of these variables in some member of the set; those that do not matter are false.
    pub fn pick(&self, a: &Set, variables: &[u32]) -> Option<Vec<bool>> {
        let values = a.0.pick_cube(|_, _, _| false)?;
        Some(variables.iter().map(|&v| values.get(v as usize) == Some(&OptBool::True)).collect())
    }

    /// How many members a set of valuations of these variables has; the greatest number if there are more. The set must not
    /// depend on others. The variables must be in the order of their numbers.
    #[expect(
        clippy::mutable_key_type,
        reason = "sets are hashed by the numbers of their nodes, which do not change"
    )]
    pub fn count(&self, a: &Set, variables: &[u32]) -> u128 {
        let place = |number: Option<u32>| match number {
            Some(number) => variables.partition_point(|&v| v < number),
            None => variables.len(),
        };
        let mut known = HashMap::new();
        let below = count(a, &place, &mut known);
        doubled(below, place(a.top()))
    }
}

/// A number times a power of two.
fn doubled(number: u128, times: usize) -> u128 {
    match u32::try_from(times) {
        Ok(times) if number.leading_zeros() >= times => number << times.min(127),
        _ if number == 0 => 0,
        _ => u128::MAX,
    }
}

/// The number of members over the variables from the topmost one of the set on.
#[expect(clippy::mutable_key_type, reason = "as above")]
fn count(a: &Set, place: &impl Fn(Option<u32>) -> usize, known: &mut HashMap<Set, u128>) -> u128 {
    let Some((high, low)) = a.0.cofactors() else { return u128::from(!a.is_empty()) };
    if let Some(&number) = known.get(a) {
        return number;
    }
    let here = place(a.top());
    let mut number = 0u128;
    for part in [Set(high), Set(low)] {
        let below = count(&part, place, known);
        number = number.saturating_add(doubled(below, place(part.top()).saturating_sub(here + 1)));
    }
    known.insert(a.clone(), number);
    number
}

impl Set {
    /// Whether it has no members.
    pub fn is_empty(&self) -> bool {
        !self.0.satisfiable()
    }

    /// Whether everything is in it.
    pub fn is_everything(&self) -> bool {
        self.0.valid()
    }

    /// The number of its nodes.
    pub fn nodes(&self) -> usize {
        self.0.node_count()
    }

    /// The set where a variable, which no other that it depends on comes before, is true, and where it is false.
    fn decided(&self, variable: u32) -> (Set, Set) {
        match self.0.cofactors() {
            Some((high, low)) if self.top() == Some(variable) => (Set(high), Set(low)),
            _ => (self.clone(), self.clone()),
        }
    }

    /// The first variable that it depends on.
    fn top(&self) -> Option<u32> {
        self.0.with_manager_shared(|manager, edge| match manager.get_node(edge) {
            Node::Inner(node) => Some(manager.level_to_var(node.level())),
            Node::Terminal(_) => None,
        })
    }
}

impl std::fmt::Debug for Set {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a set of {} nodes", self.nodes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Divided at any depth, the operation gives what both together, quantified afterwards, give.
    #[test]
    fn a_divided_operation_gives_the_same() {
        let space = Space::new(10, Limits::default()).unwrap();
        let v: Vec<Set> = (0..8).map(|i| space.variable(i).unwrap()).collect();
        let mut sets = v.clone();
        // Functions of more and more variables, by gates on gates.
        for i in 0..24 {
            let (x, y) = (&sets[i], &sets[(5 * i + 3) % sets.len()]);
            let made = match i % 3 {
                0 => space.iff(x, y),
                1 => space.minus(x, y),
                _ => space.or(x, y),
            };
            sets.push(made.unwrap());
        }
        let renaming = space.renaming(&[(0, 8), (3, 9)]).unwrap();
        for (i, a) in sets.iter().enumerate() {
            let [whole, divided] = [0, 3].map(|depth| space.divided_renaming(a, &renaming, depth));
            assert_eq!(whole, divided, "{i}");
            for (j, b) in sets.iter().enumerate() {
                let some: Vec<u32> = (0..8).filter(|k| (i + 7 * j) >> k & 1 != 0).collect();
                let variables = space.variables(&some).unwrap();
                let expected = space.exists(&space.and(a, b).unwrap(), &variables).unwrap();
                for depth in [0, 1, 3, 8] {
                    let divided = space.divided(a, b, &variables, depth);
                    assert_eq!(divided, Ok(expected.clone()), "{i} {j} {depth}");
                }
                for operation in [Pair::And, Pair::Or, Pair::Minus, Pair::Iff] {
                    let [whole, divided] = [0, 3].map(|depth| space.divided_pair(operation, a, b, depth));
                    assert_eq!(whole, divided, "{i} {j}");
                }
            }
        }
    }
}
