//! Partial-order reduction: where one step of one agent is independent of all that the others can do before it, and no
//! question notices it, it alone is explored from a state. Such a step is called a *first step* here.
//!
//! In the terms of the literature `C ∪ {i}` below is a *stubborn set* whose only enabled member is `i` (Valmari,
//! "Stubborn sets for reduced state space generation", 1989). In the first of the two ways below, `{i}` is also a
//! *persistent set* (Godefroid, "Partial-order methods for the verification of concurrent systems", 1996). Condition 3 is
//! the *invisibility* that Peled asks of *ample sets* ("All from one, one for all: on model checking using
//! representatives", 1993). That the set has one enabled member is what properties of branching time need (Gerth, Kuiper,
//! Peled and Penczek, "A partial order approach to branching time logic model checking", 1995). What differs: the set is either one step or all of them; conflicts
//! are worked out once, before the search, and a state is only tested; and there is no proviso on cycles of the search,
//! because first steps lower a weight (condition 4) and so cannot form a cycle. Therefore the order of the search does
//! not matter.
//!
//! **Which steps.** For an instance `i`, let `R` be all slots that its guard and body may read, `W` those it may write.
//! Another instance is *in conflict* with `i` if it may write a slot of `R ∪ W` or read one of `W`; `C` is the set of
//! these. A slot is *calm* if no instance outside `C ∪ {i}` may write it; the slots of `R ∪ W` are. In a state `s`,
//! [`PartialOrder::first`] gives `i` only if
//!
//! 1. every instance of `C` is blocked: a test of its guard that reads calm slots only, and before which nothing can
//!    fault, is false. Usually the agent's own location does it, which is known without looking at the state;
//! 2. `i` can be taken, makes no choice and does not fault;
//! 3. no condition that is looked at changes. The largest parts of conditions that touch `W` and read calm slots only are
//!    true after the step if and only if they were before; what touches `W` and reads other slots too does so through
//!    slots that the step leaves as they were;
//! 4. the step goes down: `Φ`, the weights of the locations of all agents, gets smaller (see `weight`).
//!
//! **Weaker dependence.** For many that touch the same slots the order makes no difference all the same: two who put
//! down the same fork, or one who puts it down and one who could take it then, but not now. So there is a second way to
//! fulfil 1 (`stubborn`), in which fewer instances are in conflict: `C` is a set with a need for each of its members, a
//! part of the guard without which it neither runs nor faults, such that
//!
//! * every instance that *depends on* `i` is in `C`: one that reads what `i` writes, or writes what `i` reads, unless
//!   these writes leave the slot as the reader tests it to be, or the slot is only looked at by needs that hold for all
//!   values written; and one that writes a slot that `i` writes, unless both write the same constant;
//! * every instance that can make one of the needs true is in `C`, or is `i`.
//!
//! If all these needs are false in `s`, no instance of `C` is taken before `i`: by induction none of the needs becomes
//! true. A slot is calm, again, if no instance outside `C ∪ {i}` may write it. What follows is said for the first way.
//! With the second, what `i` reads may change before it is taken, but only so that its needs stay true and its body does
//! not see it; and what others read may change by `i`, but only so that they can do in `i(sₖ)` all that they could do in
//! `sₖ`.
//!
//! **Projection.** Let `first(s) = i`, and let `s = s₀ → s₁ → …` be an execution from `s`, finite or not, in which `i` is
//! not taken. Nothing of `C` is taken either: by induction no calm slot has changed, so all of `C` is still blocked.
//! Therefore `i` reads in every `sₖ` what it read in `s`: it can be taken there, still without choice or fault, and
//! writes the same values; its conditions are as they were in 3. Call the result `i(sₖ)`. The instances that are taken
//! read nothing of `W` and write nothing of `R ∪ W`, so `i(s₀) → i(s₁) → …` is an execution too, by the same instances
//! with the same choices, and what faults in `sₖ` faults in `i(sₖ)` alike. Conditions are true, false or faulty in
//! `i(sₖ)` exactly as in `sₖ`. If the execution does take `i`, from `sₘ`, then `sₘ₊₁ = i(sₘ)`, and the execution from
//! `i(s₀)` arrives there too, one step earlier. In short: an execution from `s` has a *projection* from `i(s)`, along
//! which the conditions change in the same way, up to repetition, and which is the same from where `i` is taken on.
//! A step that `i` enables belongs to `C`, and is not lost: it comes after `i`.
//!
//! **What is kept.** The smaller graph has all steps of a state, or only the first. It has no execution that the program
//! does not have. Conversely, given an execution of the program, go along it in the smaller graph: in a state with a
//! first step take that and go on with the projection, otherwise take the execution's next step. First steps lower `Φ`,
//! to which there is an end, so after finitely many of them comes a step of the execution, or the execution has been used
//! up. A finite execution to `u` thus leads to a state `u'` that comes from `u` by first steps only, and conditions say
//! the same of both all the way. An infinite one stays infinite: a projection loses one step for each first step taken.
//! Hence
//!
//! * `always`, and faults of conditions: if a condition is false (faulty) in `u`, so it is in `u'`;
//! * faults of steps: what faults in `u` faults in `u'`;
//! * deadlocks: a state without steps has no first step, so `u' = u`. They are all found, and no others;
//! * reachability (`fairly_inf`): what can be reached from a state of the smaller graph can be reached in it, by going
//!   along. If `u` cannot reach a condition then `u'`, which `u` can reach, cannot either;
//! * `eventually`, `fairly`, where states that satisfy the condition are not expanded: executions that avoid it are
//!   projected to executions that avoid it; infinite ones to infinite ones, those that stop to those that stop.
//!
//! In other words, the states of both graphs are related by a branching bisimulation that respects divergence. What is
//! not kept is the number of steps, so bounded searches must not use this.
//!
//! **States at rest.** In place of a state `u` with a first step, the state after it may be stored, and so on until
//! there is none ([`PartialOrder::settle`]): then states with a first step are not stored at all. That is the smaller
//! graph with chains of first steps made into one edge. By 3 the conditions say the same in all states of a chain, and
//! by 4 it ends; a step that leads back to where it began, with a chain, is a cycle of the program.
//!
//! *The end of a chain does not depend on which first steps are taken.* Let `i` and `j` both be allowed by 1 to 4 in
//! `s`. Neither is in conflict with the other, since what is in conflict is blocked. After `i` all calm slots of `j`
//! have the values they had, so 1, 2 and 3 hold for `j` as before; `j` writes the same values to the same locations, and
//! `i` none of them (here it matters that two instances that write the same location depend on each other), so 4 holds
//! too. And `i` then `j` leads where `j` then `i` does. So, as there is an end to it, all chains from `s` end in one
//! state. That is what lets an execution of the program be followed through the smaller graph (`concrete`): whatever
//! first steps it takes or leaves for later, its states have the same end.
//!
//! **With symmetry.** Where a state stands for all that differ by a permutation of agents, a first step of the
//! representative is as good as any: the argument needs, of each state, that either all its steps or one first step is
//! explored, up to permutation, and that `Φ` cannot fall for ever. Weights belong to variables, not to agents, so
//! renaming agents does not change `Φ`.

mod candidate;
mod conflict;
mod footprint;
mod stubborn;
mod tree;
mod visibility;
mod weight;

use candidate::Candidate;
use swarmcheck_ir::flat::{Chooser, Outcome};
use swarmcheck_ir::ground::{Ground, Runner, Term};
use swarmcheck_ir::{Expr, Program, Value};
use tree::Tree;
use weight::Weights;

/// The steps that may be explored alone, and what to test in a state for that.
#[derive(Clone, Debug)]
pub struct PartialOrder {
    candidates: Vec<Candidate>,
    /// The candidates, by the tests of their instances.
    tree: Tree,
    weights: Weights,
}

impl PartialOrder {
    /// Finds the steps that may be explored alone, given the conditions whose truth the search looks at. `None`: there are
    /// none.
    pub fn new(program: &Program, ground: &Ground, conditions: &[&Expr]) -> Option<PartialOrder> {
        // What is tabulated for speed cannot be looked into; without domains nothing is.
        let mut open = program.clone();
        open.vars.iter_mut().for_each(|var| var.domain = None);
        let plain = Ground::new(&open);
        let conditions: Vec<Term> = conditions.iter().map(|c| ground.condition(&open, c)).collect();
        let (weights, found) = candidate::find(program, &plain, &conditions);
        let routine = |c: &Candidate| &ground.instances()[c.instance];
        let items = found.iter().enumerate().map(|(i, c)| (tree::tests(routine(c)), i as u32)).collect();
        (!found.is_empty()).then(|| PartialOrder { tree: Tree::new(items), candidates: found, weights })
    }

    /// An instance (index into those of the program) that alone needs to be explored from this state, if there is one.
    /// The state is the same afterwards.
    pub fn first(&self, ground: &Ground, runner: &mut Runner, state: &mut [Value]) -> Option<usize> {
        let candidate = |number: u32| &self.candidates[number as usize];
        let found = self
            .tree
            .find(state, &mut |number, state| self.may_go_first(candidate(number), ground, runner, state));
        found.map(|number| candidate(number).instance)
    }

    /// Whether an instance may go first in this state. The state is the same afterwards.
    pub fn goes_first(
        &self,
        instance: usize,
        ground: &Ground,
        runner: &mut Runner,
        state: &mut [Value],
    ) -> bool {
        let mut all = self.candidates.iter().filter(|c| c.instance == instance);
        all.any(|c| self.may_go_first(c, ground, runner, state))
    }

    /// Takes first steps until there is none; whether there was any. The state that comes out stands for the one that
    /// went in.
    pub fn settle(&self, ground: &Ground, runner: &mut Runner, state: &mut [Value]) -> bool {
        let mut any = false;
        while let Some(number) = self.first(ground, runner, state) {
            // It can be taken, so this changes the state.
            runner.step(&ground.instances()[number], state, &mut Choices { asked: false });
            any = true;
        }
        any
    }

    fn may_go_first(
        &self,
        candidate: &Candidate,
        ground: &Ground,
        runner: &mut Runner,
        state: &mut [Value],
    ) -> bool {
        let routine = &ground.instances()[candidate.instance];
        if routine.tests().iter().any(|&(slot, value)| state[slot as usize] != value) {
            return false;
        }
        let mut blocked = |tests: &[Term]| tests.iter().any(|t| runner.test(t, state) == Ok(false));
        if !candidate.blocks.iter().all(|tests| blocked(tests)) {
            return false;
        }
        let before = self.weights.heights(&candidate.locations, state);
        let Some(seen) = truths(&candidate.watched, runner, state) else { return false };
        let mut choices = Choices { asked: false };
        if runner.step_tested(routine, state, &mut choices) != Outcome::Done {
            return false;
        }
        let accepted = !choices.asked
            && self.weights.heights(&candidate.locations, state) < before
            && candidate.still.iter().all(|&slot| is_unchanged(slot, runner, state))
            && truths(&candidate.watched, runner, state) == Some(seen);
        runner.undo(state);
        accepted
    }
}

/// The truth of conditions, at most 64, as bits; `None` if one of them faults.
fn truths(conditions: &[Term], runner: &mut Runner, state: &[Value]) -> Option<u64> {
    let mut bits = 0;
    for (i, condition) in conditions.iter().enumerate() {
        bits |= u64::from(runner.test(condition, state).ok()?) << i;
    }
    Some(bits)
}

/// Whether a slot has the value that it had before the last step.
fn is_unchanged(slot: u32, runner: &Runner, state: &[Value]) -> bool {
    let first = runner.writes().iter().find(|(written, _)| *written == slot);
    first.is_none_or(|(_, old)| *old == state[slot as usize])
}

/// Notices that there is something to choose.
struct Choices {
    asked: bool,
}

impl Chooser for Choices {
    fn choose(&mut self, _: u64) -> u64 {
        self.asked = true;
        0
    }
}
