//! Which instances can possibly run in a state: most are ruled out by the value of one slot, usually a location.

use swarmcheck_ir::Value;
use swarmcheck_ir::ground::Ground;

/// Instances by what their first test asks for.
#[derive(Clone, Debug)]
pub struct Dispatch {
    switches: Vec<Switch>,
    /// Instances without such a test.
    always: Vec<u32>,
}

/// The instances that test one slot, by the value they want.
#[derive(Clone, Debug)]
struct Switch {
    slot: u32,
    low: Value,
    /// Where the instances for each value begin, and the end.
    starts: Vec<u32>,
    instances: Vec<u32>,
}

/// Values farther apart are not worth a table.
const WIDEST: Value = 4096;

impl Dispatch {
    /// Sorts the instances of a program.
    pub fn new(ground: &Ground) -> Dispatch {
        let mut always = vec![];
        let mut groups: Vec<(u32, Vec<(Value, u32)>)> = vec![];
        for (number, routine) in ground.instances().iter().enumerate() {
            let number = number as u32;
            match routine.tests().first().filter(|(_, value)| value.abs() < WIDEST) {
                None => always.push(number),
                Some(&(slot, value)) => match groups.iter_mut().find(|(s, _)| *s == slot) {
                    Some((_, list)) => list.push((value, number)),
                    None => groups.push((slot, vec![(value, number)])),
                },
            }
        }
        Dispatch {
            switches: groups.into_iter().map(|(slot, list)| Switch::new(slot, list)).collect(),
            always,
        }
    }

    /// Calls `run` with every instance whose first test the state passes.
    #[inline]
    pub fn each(&self, state: &[Value], mut run: impl FnMut(usize)) {
        for switch in &self.switches {
            let offset = state[switch.slot as usize].wrapping_sub(switch.low) as usize;
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

impl Switch {
    fn new(slot: u32, mut list: Vec<(Value, u32)>) -> Switch {
        list.sort_unstable();
        let low = list[0].0;
        let high = list[list.len() - 1].0;
        let starts = (low..=high + 1).map(|v| list.partition_point(|(value, _)| *value < v) as u32).collect();
        Switch { slot, low, starts, instances: list.into_iter().map(|(_, number)| number).collect() }
    }
}
