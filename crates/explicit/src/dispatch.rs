//! Which instances can possibly run in a state: most are ruled out by the value of one slot, usually a location.

use crate::codec::Codec;
use crate::packed::Spot;
use std::collections::HashMap;
use std::hash::Hash;
use swarmcheck_ir::Value;
use swarmcheck_ir::ground::Ground;

/// Instances by what their first test asks for. `C` says where to look: a slot, or a place in packed words.
#[derive(Clone, Debug)]
pub struct Dispatch<C = u32> {
    switches: Vec<Switch<C>>,
    /// Instances without such a test.
    always: Vec<u32>,
}

/// The instances that test one cell, by the value they want.
#[derive(Clone, Debug)]
struct Switch<C> {
    cell: C,
    low: Value,
    /// The instances for each value, from the lowest on.
    lists: Vec<Box<[u32]>>,
}

/// Values farther apart are not worth a table.
const WIDEST: Value = 4096;

impl Dispatch<u32> {
    /// Sorts the instances of a program.
    pub fn new(ground: &Ground) -> Dispatch {
        Dispatch::by(ground, |slot, value| (value.abs() < WIDEST).then_some((slot, value)))
    }

    /// Calls `run` with every instance whose first test the state passes.
    #[inline]
    pub fn each(&self, state: &[Value], mut run: impl FnMut(usize)) {
        for switch in &self.switches {
            switch.numbers(state[switch.cell as usize]).iter().for_each(|&number| run(number as usize));
        }
        self.always.iter().for_each(|&number| run(number as usize));
    }
}

impl Dispatch<Spot> {
    /// Sorts the instances of a program for packed states.
    pub(crate) fn packed(ground: &Ground, codec: &Codec) -> Dispatch<Spot> {
        let mut dispatch = Dispatch::by(ground, |slot, value| {
            let (spot, _) = codec.spot(slot)?;
            Some((spot, codec.encode(slot, value)? as Value)).filter(|(_, code)| *code < WIDEST)
        });
        // A cell without bits is always 0: what runs always is one switch more.
        if !dispatch.always.is_empty() {
            let lists = vec![std::mem::take(&mut dispatch.always).into()];
            let cell = Spot { mask: 0, word: 0, shift: 0 };
            dispatch.switches.push(Switch { cell, low: 0, lists });
        }
        dispatch
    }

    /// Calls `run` with every instance whose first test the packed state passes.
    #[inline]
    pub(crate) fn each_packed(&self, words: &[u64], mut run: impl FnMut(usize)) {
        // One place that calls `run`, so that it is compiled into the loop.
        for switch in &self.switches {
            for &number in switch.numbers(switch.cell.get(words) as Value) {
                run(number as usize);
            }
        }
    }
}

impl<C: Copy + Eq + Hash> Dispatch<C> {
    fn by(ground: &Ground, place: impl Fn(u32, Value) -> Option<(C, Value)>) -> Dispatch<C> {
        let mut always = vec![];
        let mut groups: Vec<(C, Vec<(Value, u32)>)> = vec![];
        let mut group_of: HashMap<C, usize> = HashMap::new();
        for (number, routine) in ground.instances().iter().enumerate() {
            let number = number as u32;
            match routine.tests().first().and_then(|&(slot, value)| place(slot, value)) {
                None => always.push(number),
                Some((cell, value)) => {
                    let group = *group_of.entry(cell).or_insert_with(|| {
                        groups.push((cell, vec![]));
                        groups.len() - 1
                    });
                    groups[group].1.push((value, number));
                }
            }
        }
        Dispatch {
            switches: groups.into_iter().map(|(cell, list)| Switch::new(cell, list)).collect(),
            always,
        }
    }
}

impl<C> Switch<C> {
    /// The instances that want this value.
    #[inline]
    fn numbers(&self, value: Value) -> &[u32] {
        let offset = value.wrapping_sub(self.low) as usize;
        self.lists.get(offset).map_or(&[], |list| list)
    }

    fn new(cell: C, mut list: Vec<(Value, u32)>) -> Switch<C> {
        list.sort_unstable();
        let low = list[0].0;
        let high = list[list.len() - 1].0;
        let below = |value| list.partition_point(|(v, _)| *v < value);
        let numbers =
            |value| list[below(value)..below(value + 1)].iter().map(|(_, number)| *number).collect();
        let lists = (low..=high).map(numbers).collect();
        Switch { cell, low, lists }
    }
}
