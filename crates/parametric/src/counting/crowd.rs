//! Counters up to a cap: finitely many abstract states that cover all reachable states of all members.
//!
//! An abstract state has a control state and, for each place, a number below the cap `c`, which means exactly so many agents, or `c`,
//! which means `c` or more (the *counter abstraction* of A. Pnueli, J. Xu, L. Zuck, *Liveness with (0, 1, ∞)-Counter Abstraction*, CAV
//! 2002, with any cap). A transition leads from an abstract state to all abstract states that contain the result of firing it in some
//! state with these counters.

use super::formula::{Atom, Formula, Known};
use super::system::{ControlId, PlaceId, Transition, count};

/// An abstract state.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Crowd {
    /// The control state.
    pub control: ControlId,
    /// By place, up to the cap.
    pub counts: Vec<u8>,
}

impl Crowd {
    /// What is known of counters.
    pub fn known(&self, cap: u8) -> Known {
        let mut known = Known::default();
        for (place, count) in self.counts.iter().enumerate() {
            let high = (*count < cap).then_some(i64::from(*count));
            known.bound(place, i64::from(*count), high);
        }
        known
    }

    /// The same as a condition on the counters of some places; all others are 0.
    pub fn formula(&self, cap: u8, places: &[PlaceId]) -> Formula {
        let mut parts = vec![];
        for place in places {
            let here = i64::from(self.counts[*place]);
            let least = Atom::at_least(*place, here);
            if here > 0 {
                parts.push(Formula::Atom(least.clone()));
            }
            if here < i64::from(cap) {
                parts.push(Formula::Atom(Atom::at_least(*place, here + 1).negated()));
            }
        }
        Formula::and(parts)
    }

    /// Whether a transition can be fired in all states with these counters.
    pub fn enables(&self, t: &Transition) -> bool {
        t.from == self.control
            && t.pre.iter().all(|place| i64::from(self.counts[*place]) >= count(&t.pre, *place))
    }

    /// Where a transition leads from the states with these counters in which it can be fired.
    pub fn after(&self, t: &Transition, cap: u8) -> Vec<Crowd> {
        if t.from != self.control {
            return vec![];
        }
        let cap_count = i64::from(cap);
        let mut out = vec![Crowd { control: t.to, counts: self.counts.clone() }];
        for place in t.places() {
            let here = i64::from(self.counts[place]);
            let taken = count(&t.pre, place);
            let left = match here < cap_count {
                true if here < taken => return vec![],
                true => {
                    let exactly = (here + t.change(place)).min(cap_count);
                    exactly..=exactly
                }
                // At least the cap, and at least what is taken; any number more.
                false => (here.max(taken) + t.change(place)).min(cap_count)..=cap_count,
            };
            let mut next = vec![];
            for number in left {
                let Ok(number) = u8::try_from(number) else { return vec![] };
                next.extend(out.iter().map(|crowd| {
                    let mut crowd = crowd.clone();
                    crowd.counts[place] = number;
                    crowd
                }));
            }
            out = next;
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn firing_covers_all_results() {
        // Two agents of place 0 meet; one goes to place 1.
        let t = Transition { from: 0, to: 1, pre: vec![0, 0], post: vec![0, 1], monotone: true };
        for cap in 1..=3u8 {
            for a in 0..6i64 {
                for b in 0..6i64 {
                    let capped = |n: i64| n.min(i64::from(cap)) as u8;
                    let crowd = Crowd { control: 0, counts: vec![capped(a), capped(b)] };
                    if a < 2 {
                        assert!(!crowd.enables(&t), "{a} {b}");
                        continue;
                    }
                    let result = Crowd { control: 1, counts: vec![capped(a - 1), capped(b + 1)] };
                    assert!(crowd.after(&t, cap).contains(&result), "{a} {b} {cap}");
                }
            }
        }
    }
}
