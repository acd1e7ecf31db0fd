//! Questions about executions of bounded length as one formula, for those who want to see a proof that the answer is no.
//!
//! The formula is a function of the system and the question alone: whoever builds it again gets the same clauses in the same order.
//! It is a conjunction with one goal, unlike the series of questions that [`crate::bmc`] asks, which share what was learnt.

use swarmcheck_aig::{Lit, System};

use crate::cnf::Cnf;
use crate::formula::Formula;
use crate::sat::Limits;
use crate::unroll::{First, Unrolling};

/// What an execution must not do. The formula says that some execution does.
#[derive(Clone, Debug, Default)]
pub struct Forbidden {
    /// By number of steps: a state that must not be reached in so many. If the last one is true, no execution may make so many.
    pub states: Vec<Lit>,
    /// An execution must not stay without a good state.
    pub avoiding: Option<Avoiding>,
}

/// Executions without a good state that end, or that make the last number of steps.
#[derive(Clone, Copy, Debug)]
pub struct Avoiding {
    pub good: Lit,
    /// Where executions end, if those count.
    pub stuck: Option<Lit>,
}

/// Formulas of more gates are not written: they would take more than a gigabyte.
const MOST_GATES: usize = 10_000_000;

/// The formula, which is unsatisfiable if no execution does what it must not. `None` if it is too large, or if it is time to stop.
pub fn formula(system: &System, forbidden: &Forbidden, limits: Limits<'_>) -> Option<Formula> {
    let mut copies = Unrolling::new(system, First::Start);
    let start = copies.at(0, system.start_valid);
    let last = forbidden.states.len().checked_sub(1)?;
    // For each moment: what must not be, whether there is a step, and what keeps an execution without a good state from going on.
    let mut moments = vec![];
    for (moment, &state) in forbidden.states.iter().enumerate() {
        if copies.graph.nodes().len() > MOST_GATES || limits.stopped() {
            return None;
        }
        let wrong = copies.at(moment, state);
        let step = if moment < last { copies.at(moment, system.valid) } else { Lit::FALSE };
        let (mut stuck, mut bad) = (Lit::FALSE, Lit::FALSE);
        if let Some(avoiding) = forbidden.avoiding {
            stuck = copies.at(moment, avoiding.stuck.unwrap_or(Lit::FALSE));
            bad = !copies.at(moment, avoiding.good);
        }
        moments.push((wrong, step, stuck, bad));
    }
    let g = &mut copies.graph;
    let (mut some, mut stays) = (Lit::FALSE, Lit::TRUE);
    for (wrong, step, stuck, bad) in moments.into_iter().rev() {
        let later = g.and(step, some);
        some = g.or(wrong, later);
        // After the last moment it does not matter whether there is a step.
        let on = if stays == Lit::TRUE { Lit::TRUE } else { g.and(step, stays) };
        let on = g.or(stuck, on);
        stays = g.and(bad, on);
    }
    if forbidden.avoiding.is_some() {
        some = g.or(some, stays);
    }
    let mut out = Formula::default();
    let mut cnf = Cnf::new(&mut out);
    for function in [start, some] {
        let literal = cnf.require(&mut out, &copies.graph, function);
        out.clauses.push(&[literal]);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refute::{Refutation, refute};
    use swarmcheck_aig::Latch;

    /// A counter of three bits that starts at 0 and cannot go on from `end`.
    fn counter(end: u32) -> (System, impl Fn(&mut System, u32) -> Lit) {
        let mut system = System::default();
        let bits: Vec<Lit> = (0..3).map(|_| system.graph.variable()).collect();
        let is = move |system: &mut System, number: u32| {
            let parts: Vec<Lit> =
                bits.iter().enumerate().map(|(i, bit)| bit.negate_if(number >> i & 1 == 0)).collect();
            system.graph.all(&parts)
        };
        let (bits, mut carry) = (system.graph.nodes().len(), Lit::TRUE);
        let variables: Vec<Lit> = (1..bits as u32).map(|node| Lit::new(node, false)).collect();
        for variable in variables {
            let next = !system.graph.iff(variable, carry);
            carry = system.graph.and(variable, carry);
            system.latches.push(Latch { variable, start: Lit::FALSE, next });
        }
        system.start_valid = Lit::TRUE;
        system.valid = !is(&mut system, end);
        (system, is)
    }

    fn possible(system: &System, forbidden: &Forbidden) -> bool {
        let formula = formula(system, forbidden, Limits::default()).expect("it is small");
        refute(&formula, Limits::default()) == Ok(Refutation::Satisfiable)
    }

    #[test]
    fn states_are_forbidden_within_steps_only() {
        let (mut system, is) = counter(7);
        let five = is(&mut system, 5);
        for steps in 0..9 {
            let forbidden = Forbidden { states: vec![five; steps + 1], avoiding: None };
            assert_eq!(possible(&system, &forbidden), steps >= 5, "{steps}");
            let mut exactly = vec![Lit::FALSE; steps];
            exactly.push(five);
            assert_eq!(possible(&system, &Forbidden { states: exactly, avoiding: None }), steps == 5);
        }
        // After 7 steps there is no other.
        for steps in 0..9 {
            let mut states = vec![Lit::FALSE; steps];
            states.push(Lit::TRUE);
            assert_eq!(possible(&system, &Forbidden { states, avoiding: None }), steps <= 7);
        }
    }

    #[test]
    fn executions_that_avoid_a_state_are_found() {
        for (end, good, with_stuck) in [(7, 5, true), (4, 5, true), (4, 5, false)] {
            let (mut system, is) = counter(end);
            let (good, stuck) = (is(&mut system, good), is(&mut system, end));
            for steps in 0..9 {
                let stuck = with_stuck.then_some(stuck);
                let states = vec![Lit::FALSE; steps + 1];
                let forbidden = Forbidden { states, avoiding: Some(Avoiding { good, stuck }) };
                // It makes so many steps without the good state; or it stops before.
                let stops = end == 4 && with_stuck && steps >= 4;
                assert_eq!(possible(&system, &forbidden), steps < 5 || stops, "{end} {steps}");
            }
        }
    }
}
