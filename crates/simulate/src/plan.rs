//! What all runs of a program share: the law of their steps, prepared once, and the ground program where runs are to be fast.

use crate::law::Scheduler;
use crate::race::Race;
use crate::size;
use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::ground::Ground;

/// The largest program that is instantiated for every agent to be run faster, in expressions: some megabytes, some milliseconds.
const LARGEST: u64 = 150_000;

/// A program, and how its steps are chosen.
pub(crate) struct Plan<'f> {
    pub(crate) flat: &'f Flat,
    /// The same instances with the same choices, faster.
    pub(crate) ground: Option<Ground>,
    pub(crate) order: Order,
    pub(crate) scheduler: Scheduler,
    /// Whether runs follow their states, to be fast where the program is too large to be instantiated.
    pub(crate) fast: bool,
}

/// How an instance is drawn.
pub(crate) enum Order {
    Steps,
    Agents(ByAgent),
    Rates(Race),
}

impl<'f> Plan<'f> {
    pub(crate) fn new(flat: &'f Flat, scheduler: &Scheduler, fast: bool) -> Plan<'f> {
        let order = match scheduler {
            Scheduler::Steps | Scheduler::Any => Order::Steps,
            Scheduler::Agents => Order::Agents(ByAgent::new(flat)),
            Scheduler::Rates(rates) => Order::Rates(Race::new(flat, rates)),
        };
        let small = || size::of_steps(&flat.program, LARGEST) < LARGEST;
        let ground = (fast && small()).then(|| Ground::new(&flat.program));
        Plan { flat, ground, order, scheduler: scheduler.clone(), fast }
    }
}

/// The instances of every agent that has any.
pub(crate) struct ByAgent {
    /// Where the instances of each agent begin, and where the last ones end.
    first: Vec<u32>,
    numbers: Vec<u32>,
}

impl ByAgent {
    fn new(flat: &Flat) -> ByAgent {
        let mut numbers: Vec<u32> = (0..flat.instances()).collect();
        // The sort is stable: the instances of an agent stay in order.
        numbers.sort_by_key(|number| flat.instance(*number).agent);
        let mut first = vec![];
        let mut last = None;
        for (at, number) in numbers.iter().enumerate() {
            let agent = flat.instance(*number).agent;
            if last != Some(agent) {
                first.push(at as u32);
                last = Some(agent);
            }
        }
        first.push(numbers.len() as u32);
        ByAgent { first, numbers }
    }

    /// How many agents have an instance.
    pub(crate) fn agents(&self) -> usize {
        self.first.len() - 1
    }

    /// The instances of an agent, which is given by its place among those that have any.
    pub(crate) fn of(&self, place: usize) -> &[u32] {
        &self.numbers[self.first[place] as usize..self.first[place + 1] as usize]
    }
}
