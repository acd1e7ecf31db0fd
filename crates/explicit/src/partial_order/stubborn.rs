//! Stubborn sets with a weak dependence relation, and the conditions under which only one member is enabled.
//!
//! Of the instances that touch the same slots, many do not depend on each other ([`StubbornSets::dependent`]). Those that
//! depend on the instance that is to go first must not be taken before it. They cannot while one of their needs is false,
//! and it stays false as long as no instance is taken that could make it true: these are a *necessary enabling set* of
//! the blocked instance, in Valmari's and Godefroid's terms. So they must be blocked in turn, and so on. What is looked
//! for is a set of instances with a need for each of them, such that every instance that can fulfil one of these needs is
//! in the set, or is the instance that goes first. Needs that are false whenever that one can be taken cost nothing; the
//! others are conditions on the state.
//!
//! Which need is taken of each instance depends on nothing but how many could fulfil it, whether it is one on locations,
//! and its place in the guard: so for agents that can change places it is the same one. Some preferences are tried, and
//! the one that gives the fewest conditions is kept.

use super::conflict::Conflict;
use super::footprint::{Footprint, Need, Scratch, Values};
use swarmcheck_ir::Value;
use swarmcheck_ir::ground::{Ground, Term};

/// More conditions than this are rarely true together.
const MOST_CONDITIONS: usize = 16;
/// With more instances to be blocked, an instance is not worth the time.
const MOST_BLOCKED: usize = 256;
/// Where more pairs of instances share slots, nothing is looked for.
const MOST_PAIRS: usize = 4_000_000;

/// All instances by what they need and write.
pub(super) struct StubbornSets {
    prints: Vec<Footprint>,
    /// For each slot, the instances that read it; then, those that write it.
    readers: Vec<Vec<u32>>,
    writers: Vec<Vec<u32>>,
    /// For each instance and each of its needs, who may make it true where it was false.
    fulfilling: Vec<Vec<Vec<u32>>>,
    is_location: Vec<bool>,
    scratch: Scratch,
}

/// Whether instances are blocked by needs on locations rather than by other needs.
#[derive(Clone, Copy)]
struct Preference {
    /// Those that depend on the instance that goes first.
    dependent_by_location: bool,
    /// Those that could enable a blocked instance, and so must be blocked in turn.
    enabling_by_location: bool,
}

/// A way to block an instance.
struct Way<'a> {
    /// The need, unless it is false anyway.
    condition: Option<&'a Term>,
    /// Who could fulfil it.
    others: &'a [u32],
}

impl StubbornSets {
    /// Looks at all instances; `None` if there are too many.
    pub fn new(ground: &Ground, is_location: Vec<bool>) -> Option<StubbornSets> {
        let width = ground.width();
        let prints: Vec<Footprint> = ground.instances().iter().map(|r| Footprint::new(r, width)).collect();
        let (mut readers, mut writers) = (vec![vec![]; width], vec![vec![]; width]);
        for (number, print) in prints.iter().enumerate() {
            print.reads().into_iter().for_each(|slot| readers[slot as usize].push(number as u32));
            print.writes.keys().for_each(|slot| writers[*slot as usize].push(number as u32));
        }
        let pairs = |slot: usize| (readers[slot].len() + writers[slot].len()) * writers[slot].len();
        if (0..width).map(pairs).sum::<usize>() > MOST_PAIRS {
            return None;
        }
        let mut scratch = Scratch::new(width);
        let mut fulfilling = vec![];
        for print in &prints {
            swarmcheck_ir::cancel::check_now();
            let lists = print.needs.iter().map(|need| fulfil(need, &prints, &writers, &mut scratch));
            fulfilling.push(lists.collect());
        }
        Some(StubbornSets { prints, readers, writers, fulfilling, is_location, scratch })
    }

    /// The instances that do not commute with one, or change whether it can be taken or what it does, or the other way
    /// round. Two are independent if neither writes what the other reads and they write different slots, but for
    /// this: a slot that is no location may be written by both if both write the same constant; and writes that a reader
    /// is indifferent to do no harm. So one may enable the other.
    fn dependent(&mut self, number: usize) -> Vec<u32> {
        let StubbornSets { prints, readers, writers, scratch, .. } = self;
        let me = &prints[number];
        let mut out = vec![];
        for (&slot, values) in &me.writes {
            let minds = |other: &&u32, scratch: &mut Scratch| {
                !prints[**other as usize].is_indifferent(slot, values, scratch)
            };
            out.extend(readers[slot as usize].iter().filter(|other| minds(other, scratch)));
            let same = |other: &&u32| {
                let theirs = prints[**other as usize].writes.get(&slot);
                !self.is_location[slot as usize] && values.only().is_some() && theirs == Some(values)
            };
            out.extend(writers[slot as usize].iter().filter(|other| !same(other)));
        }
        for slot in me.reads() {
            let is_fine = |other: &u32, scratch: &mut Scratch| {
                let values = prints[*other as usize].writes.get(&slot);
                values.is_none_or(|values| me.is_indifferent(slot, values, scratch))
            };
            out.extend(writers[slot as usize].iter().filter(|other| !is_fine(other, scratch)));
        }
        out.retain(|other| *other as usize != number);
        out.sort_unstable();
        out.dedup();
        out
    }

    /// What has to be so for an instance to go first; `None` if that cannot be said, or is too much.
    pub fn of(&mut self, number: usize) -> Option<Conflict> {
        let dependent = self.dependent(number);
        // An instance that depends on this one is best blocked by what it depends on, say a fork that is taken; one that
        // could put the fork back is best blocked by its location.
        let preferences = [
            Preference { dependent_by_location: false, enabling_by_location: false },
            Preference { dependent_by_location: false, enabling_by_location: true },
            Preference { dependent_by_location: true, enabling_by_location: true },
        ];
        let some = preferences.map(|preference| self.blocked(number, &dependent, preference));
        // Of two that are as good as each other the first.
        some.into_iter().flatten().min_by_key(|conflict| conflict.blocks.len())
    }

    /// Blocks what depends on an instance, and in turn what could enable that.
    fn blocked(&mut self, number: usize, dependent: &[u32], preference: Preference) -> Option<Conflict> {
        let mut members = vec![false; self.prints.len()];
        members[number] = true;
        let mut conditions: Vec<Term> = vec![];
        let (mut todo, mut next, mut blocked) = (dependent.to_vec(), 0, 0);
        while let Some(&other) = todo.get(next) {
            let by_location = match next < dependent.len() {
                true => preference.dependent_by_location,
                false => preference.enabling_by_location,
            };
            next += 1;
            if std::mem::replace(&mut members[other as usize], true) {
                continue;
            }
            blocked += 1;
            let way = self.way(number, other as usize, by_location)?;
            todo.extend(way.others);
            if let Some(condition) = way.condition.filter(|c| !conditions.contains(c)) {
                conditions.push(condition.clone());
            }
            if conditions.len() > MOST_CONDITIONS || blocked > MOST_BLOCKED {
                return None;
            }
        }
        let blocks = conditions.into_iter().map(|condition| [condition].into()).collect();
        Some(Conflict { blocks, members })
    }

    /// How to block an instance while another can be taken.
    fn way(&mut self, number: usize, other: usize, by_location: bool) -> Option<Way<'_>> {
        let StubbornSets { prints, fulfilling, is_location, scratch, .. } = self;
        let fixed = &prints[number].fixed;
        let mut ways = vec![];
        for (at, need) in prints[other].needs.iter().enumerate() {
            let value = |slot: &u32| Some((*slot, *fixed.get(slot)?));
            let values: Option<Vec<(u32, Value)>> = need.slots.iter().map(value).collect();
            if values.as_ref().is_some_and(|values| need.holds(values, scratch)) {
                continue;
            }
            let others = &fulfilling[other][at][..];
            let condition = values.is_none().then_some(&need.term);
            let is_wanted = need.slots.iter().all(|slot| is_location[*slot as usize]) == by_location;
            ways.push(((condition.is_some(), !is_wanted, others.len(), at), Way { condition, others }));
        }
        ways.into_iter().min_by_key(|(price, _)| *price).map(|(_, way)| way)
    }
}

/// Who may make a need true that was false.
fn fulfil(need: &Need, prints: &[Footprint], writers: &[Vec<u32>], scratch: &mut Scratch) -> Vec<u32> {
    let mut out = vec![];
    for &slot in &need.slots {
        for &writer in &writers[slot as usize] {
            let may = match prints[writer as usize].writes.get(&slot) {
                Some(Values::Known(values)) if need.slots.len() == 1 => {
                    values.iter().any(|v| need.holds(&[(slot, *v)], scratch))
                }
                _ => true,
            };
            if may {
                out.push(writer);
            }
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}
