//! The philosophers of `examples/philosophers`: the same eight actions.

use stateright::{Model, Property};

/// The model. Asks for a deadlock, or for something that is true, to see every state.
pub struct Philosophers<const N: usize> {
    /// Whether to look for a deadlock.
    pub deadlock: bool,
}

/// Forks that are taken, what everybody has written down, and who is at which of the eight actions.
#[derive(Clone, Debug, Hash, PartialEq)]
pub struct Table<const N: usize> {
    fork: [bool; N],
    hands: [u8; N],
    at: [u8; N],
}

impl<const N: usize> Model for Philosophers<N> {
    type State = Table<N>;
    type Action = usize;

    fn init_states(&self) -> Vec<Table<N>> {
        vec![Table { fork: [false; N], hands: [0; N], at: [0; N] }]
    }

    fn actions(&self, table: &Table<N>, actions: &mut Vec<usize>) {
        actions.extend((0..N).filter(|&i| match table.at[i] {
            0 => !table.fork[i],
            2 => !table.fork[(i + 1) % N],
            _ => true,
        }));
    }

    fn next_state(&self, table: &Table<N>, i: usize) -> Option<Table<N>> {
        let mut after = table.clone();
        match table.at[i] {
            0 => after.fork[i] = true,
            1 => after.hands[i] = 1,
            2 => after.fork[(i + 1) % N] = true,
            3 => after.hands[i] = 2,
            4 => after.fork[(i + 1) % N] = false,
            5 => after.hands[i] = 3,
            6 => after.fork[i] = false,
            _ => after.hands[i] = 0,
        }
        after.at[i] = (table.at[i] + 1) % 8;
        Some(after)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![match self.deadlock {
            true => Property::always("NoDeadlock", |_, t: &Table<N>| t.hands.iter().any(|h| *h != 1)),
            false => Property::always("HandsInRange", |_, t: &Table<N>| t.hands.iter().all(|h| *h <= 3)),
        }]
    }
}
