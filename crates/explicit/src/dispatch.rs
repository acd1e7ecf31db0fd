//! Which instances can possibly run in a state: most are ruled out by the value of one slot, usually a location.

use crate::codec::Codec;
use crate::packed::Spot;
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
    /// Where the instances for each value begin, and the end.
    starts: Vec<u32>,
    instances: Vec<u32>,
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
    pub fn each(&self, state: &[Value], run: impl FnMut(usize)) {
        self.every(|slot| state[slot as usize], run);
    }
}

impl Dispatch<Spot> {
    /// Sorts the instances of a program for packed states.
    pub(crate) fn packed(ground: &Ground, codec: &Codec) -> Dispatch<Spot> {
        Dispatch::by(ground, |slot, value| {
            let (spot, _) = codec.spot(slot)?;
            Some((spot, codec.encode(slot, value)? as Value)).filter(|(_, code)| *code < WIDEST)
        })
    }

    /// Calls `run` with every instance whose first test the packed state passes.
    #[inline]
    pub(crate) fn each_packed(&self, words: &[u64], run: impl FnMut(usize)) {
        self.every(|spot| spot.get(words) as Value, run);
    }
}

impl<C: Copy + PartialEq> Dispatch<C> {
    fn by(ground: &Ground, place: impl Fn(u32, Value) -> Option<(C, Value)>) -> Dispatch<C> {
        let mut always = vec![];
        let mut groups: Vec<(C, Vec<(Value, u32)>)> = vec![];
        for (number, routine) in ground.instances().iter().enumerate() {
            let number = number as u32;
            match routine.tests().first().and_then(|&(slot, value)| place(slot, value)) {
                None => always.push(number),
                Some((cell, value)) => match groups.iter_mut().find(|(c, _)| *c == cell) {
                    Some((_, list)) => list.push((value, number)),
                    None => groups.push((cell, vec![(value, number)])),
                },
            }
        }
        Dispatch {
            switches: groups.into_iter().map(|(cell, list)| Switch::new(cell, list)).collect(),
            always,
        }
    }

    #[inline]
    fn every(&self, value: impl Fn(C) -> Value, mut run: impl FnMut(usize)) {
        for switch in &self.switches {
            let offset = value(switch.cell).wrapping_sub(switch.low) as usize;
            if let Some(&[from, to]) = switch.starts.get(offset..).and_then(|s| s.first_chunk::<2>()) {
                for &number in &switch.instances[from as usize..to as usize] {
                    run(number as usize);
                }
            }
        }
        for &number in &self.always {
            run(number as usize);
        }
    }
}

impl<C> Switch<C> {
    fn new(cell: C, mut list: Vec<(Value, u32)>) -> Switch<C> {
        list.sort_unstable();
        let low = list[0].0;
        let high = list[list.len() - 1].0;
        let starts = (low..=high + 1).map(|v| list.partition_point(|(value, _)| *value < v) as u32).collect();
        Switch { cell, low, starts, instances: list.into_iter().map(|(_, number)| number).collect() }
    }
}
