//! What a system with wide numbers does, computed with 128 bits.

use super::{Num, Test, Wide};
use std::collections::{BTreeMap, BTreeSet};

/// A number outside of what the language has: docs/limits.md, from −(2⁶³ − 1) to 2⁶³ − 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooWide;

/// `e`, then the attributes of each agent.
pub type WideState = Vec<i64>;

/// All that a system can do.
#[derive(Default, Debug)]
pub struct Explored {
    /// The states, with the least number of steps to each.
    pub states: BTreeMap<WideState, u32>,
    /// How many steps lead to the first error of a step, the one that fails left out.
    pub fault: Option<u32>,
}

/// What may be answered to a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allowed {
    pub holds: bool,
    pub violated: bool,
    /// An error of the model.
    pub error: bool,
}

/// The greatest number there is.
const GREATEST: i128 = (1 << 63) - 1;

fn fits(value: i128) -> Result<i128, TooWide> {
    if value.abs() > GREATEST { Err(TooWide) } else { Ok(value) }
}

impl Num {
    fn value(&self, state: &[i64], agent: usize, attributes: usize) -> Result<i128, TooWide> {
        let of = |n: &Num| n.value(state, agent, attributes);
        fits(match self {
            Num::Const(value) => i128::from(*value),
            Num::Attribute(at) => i128::from(state[1 + agent * attributes + at]),
            Num::Environment => i128::from(state[0]),
            Num::Id => agent as i128,
            Num::Neg(a) => -of(a)?,
            Num::Abs(a) => of(a)?.abs(),
            Num::Binary(op, a, b) => {
                let (a, b) = (of(a)?, of(b)?);
                match *op {
                    "+" => a + b,
                    "-" => a - b,
                    "*" => a * b,
                    "min" => a.min(b),
                    _ => a.max(b),
                }
            }
            // Truncated, and never negative: docs/labs.md, Numbers.
            Num::Divided(op, a, by) => {
                let (a, by) = (of(a)?, i128::from(*by));
                if *op == "/" { a / by } else { a.rem_euclid(by) }
            }
        })
    }
}

impl Test {
    fn holds(&self, state: &[i64], agent: usize, attributes: usize) -> Result<bool, TooWide> {
        let (a, b) = (self.0.value(state, agent, attributes), self.2.value(state, agent, attributes));
        let (a, b) = (a?, b?);
        Ok(match self.1 {
            "=" => a == b,
            "!=" => a != b,
            "<" => a < b,
            "<=" => a <= b,
            ">" => a > b,
            _ => a >= b,
        })
    }
}

impl Wide {
    /// All states, if there are at most so many.
    pub fn explore(&self, most: usize) -> Option<Explored> {
        let mut first = vec![self.environment];
        (0..self.agents).for_each(|_| first.extend(&self.attributes));
        let mut explored = Explored::default();
        explored.states.insert(first.clone(), 0);
        let (mut layer, mut depth) = (vec![first], 0);
        while !layer.is_empty() {
            let mut next = BTreeSet::new();
            for (state, agent) in layer.iter().flat_map(|s| (0..self.agents).map(move |a| (s, a))) {
                for action in &self.actions {
                    match self.step(state, agent, action) {
                        Ok(Some(after)) if !explored.states.contains_key(&after) => {
                            next.insert(after);
                        }
                        Ok(_) => {}
                        Err(TooWide) => {
                            explored.fault.get_or_insert(depth);
                        }
                    }
                }
            }
            depth += 1;
            explored.states.extend(next.iter().map(|state| (state.clone(), depth)));
            if explored.states.len() > most {
                return None;
            }
            layer = next.into_iter().collect();
        }
        Some(explored)
    }

    fn step(
        &self,
        state: &[i64],
        agent: usize,
        action: &super::Guarded,
    ) -> Result<Option<WideState>, TooWide> {
        let attributes = self.attributes.len();
        if let Some(test) = &action.test
            && !test.holds(state, agent, attributes)?
        {
            return Ok(None);
        }
        let value = action.value.value(state, agent, attributes)?;
        let mut after = state.to_vec();
        let slot = action.target.map_or(0, |at| 1 + agent * attributes + at);
        after[slot] = i64::try_from(value).map_err(|_| TooWide)?;
        Ok(Some(after))
    }

    /// What may be answered to a claim. Where an execution violates it and another one meets an error, both are right.
    pub fn allowed(&self, explored: &Explored, claim: usize) -> Allowed {
        let (mut violated, mut error) = (false, explored.fault.is_some());
        for (state, agent) in explored.states.keys().flat_map(|s| (0..self.agents).map(move |a| (s, a))) {
            match self.claims[claim].holds(state, agent, self.attributes.len()) {
                Ok(holds) => violated |= !holds,
                Err(TooWide) => error = true,
            }
        }
        Allowed { holds: !violated && !error, violated, error }
    }
}
