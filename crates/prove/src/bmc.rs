//! Executions of bounded length that reach something, or that avoid it for ever, or that meet something again and again.
//!
//! All questions share one solver and one unrolling. The solver is told about steps by literals that say "there are at
//! least this many steps", so that a question about few steps is not disturbed by an earlier one about many: a state
//! without steps ends its execution, and bad states may have none.

use std::collections::HashMap;

use swarmcheck_aig::{Lit, Simulation, System, Witness};

use crate::cnf::Cnf;
use crate::liveness::{self, LivenessQuestion};
use crate::sat::{Cadical, Failure, Limits, Sat, TRUE};
use crate::unroll::{First, Unrolling};

/// What a search for an execution that counts and never sees a good state found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Lasso {
    /// A lasso, or, without `back_to`, an execution that ends in a stuck state.
    Found(Witness),
    /// None that is this short.
    NotWithin,
    /// None at all: every execution that makes this many steps has seen a good state by then.
    Never(usize),
}

/// How many depths, from 0, are known to have no execution of a kind.
#[derive(Clone, Copy, Default)]
struct Excluded {
    ends: usize,
    loops: usize,
}

/// Bounded model checking: one solver for executions of growing length.
pub struct Bmc<'a, 's> {
    unrolling: Unrolling<'a>,
    sat: Cadical<'s>,
    cnf: Cnf,
    limits: Limits<'s>,
    /// `steps[k]` implies that there are `k` steps.
    steps: Vec<i32>,
    /// No execution makes this many steps.
    exhausted: Option<usize>,
    /// For each function how many depths, from 0, are known not to reach it.
    clean: HashMap<Lit, usize>,
    /// For each good function: the k-th literal implies that moments 0..=k are not good.
    avoiding: HashMap<Lit, Vec<i32>>,
    /// How far each question about lassos has come.
    lassos: HashMap<LivenessQuestion, Excluded>,
    /// Implies that states are different at those pairs of moments at which they once were not.
    differ: Option<i32>,
}

impl<'a, 's> Bmc<'a, 's> {
    /// A search that nothing stops.
    pub fn new(system: &'a System) -> Bmc<'a, 's> {
        Bmc::with_limits(system, Limits::default())
    }

    /// A search within limits.
    pub fn with_limits(system: &'a System, limits: Limits<'s>) -> Bmc<'a, 's> {
        let mut sat = Cadical::with_limits(limits);
        let cnf = Cnf::new(&mut sat);
        let mut bmc = Bmc {
            unrolling: Unrolling::new(system, First::Start),
            sat,
            cnf,
            limits,
            steps: vec![TRUE],
            exhausted: None,
            clean: HashMap::new(),
            avoiding: HashMap::new(),
            lassos: HashMap::new(),
            differ: None,
        };
        let start = bmc.literal(0, system.start_valid);
        bmc.sat.add(&[start]);
        bmc
    }

    /// A number of steps that no execution makes, if one was come across: then nothing lies that deep or deeper.
    pub fn exhausted(&self) -> Option<usize> {
        self.exhausted
    }

    /// A shortest execution of at most `depth` steps to a state of `bad`. Depths that were searched before are not
    /// searched again, so asking with growing depths costs no more than asking once.
    pub fn reach(&mut self, bad: Lit, depth: usize) -> Result<Option<Witness>, Failure> {
        let from = self.clean.get(&bad).copied().unwrap_or(0);
        for k in from..=depth {
            if self.exhausted.is_some_and(|none| none <= k) {
                break;
            }
            if let Some(found) = self.reach_exactly(bad, k)? {
                return Ok(Some(found));
            }
            self.clean.insert(bad, k + 1);
        }
        Ok(None)
    }

    /// An execution of exactly `depth` steps to a state of `bad`.
    pub fn reach_exactly(&mut self, bad: Lit, depth: usize) -> Result<Option<Witness>, Failure> {
        let steps = self.steps(depth);
        let goal = self.literal(depth, bad);
        if !self.sat.solve(&[steps, goal])? {
            if !self.sat.failed(goal) {
                self.exhausted = Some(self.exhausted.map_or(depth, |known| known.min(depth)));
            }
            self.sat.add(&[-steps, -goal]);
            return Ok(None);
        }
        let witness = self.witness(depth)?;
        if !Simulation::new(self.unrolling.system()).holds(witness.last(), bad) {
            return Err(Failure::Internal("a bounded search found a state that is not bad"));
        }
        Ok(Some(witness))
    }

    /// A counterexample to a question about all executions: one without a good state that goes on for ever and counts, or
    /// that ends in a stuck state, if that is asked for; within `depth` steps, the fewest first.
    pub fn lasso(&mut self, question: &LivenessQuestion, depth: usize) -> Result<Lasso, Failure> {
        self.avoiding(question, depth, |_| true)
    }

    /// The same, faster: executions that go round are looked for at some depths only. None is missed for good, since one
    /// that goes round can be followed to the next such depth; the one that is returned is still one with the fewest
    /// steps of its kind. But [`Lasso::NotWithin`] is then a promise about executions that end, and no more than a hint
    /// about the others.
    pub fn lasso_now_and_then(
        &mut self,
        question: &LivenessQuestion,
        depth: usize,
    ) -> Result<Lasso, Failure> {
        self.avoiding(question, depth, |excluded| {
            excluded.ends < 4 || excluded.ends >= excluded.loops + excluded.loops / 3
        })
    }

    fn avoiding(
        &mut self,
        question: &LivenessQuestion,
        depth: usize,
        look_for_loops: impl Fn(Excluded) -> bool,
    ) -> Result<Lasso, Failure> {
        let mut excluded = self.lassos.get(question).copied().unwrap_or_default();
        while excluded.ends <= depth {
            let k = excluded.ends;
            let (steps, avoid) = (self.steps(k), self.avoid(question.good, k));
            if !self.sat.solve(&[steps, avoid])? {
                return Ok(Lasso::Never(k));
            }
            if let Some(stuck) = question.stuck {
                let end = self.literal(k, stuck);
                if self.sat.solve(&[steps, avoid, end])? {
                    let witness = self.witness(k)?;
                    return self.confirmed(witness, question).map(Lasso::Found);
                }
            }
            excluded.ends = k + 1;
            self.lassos.insert(question.clone(), excluded);
            if look_for_loops(excluded) {
                if let Some(found) = self.round(question, k)? {
                    // Depths that were left out may have a shorter one.
                    for shorter in excluded.loops..k {
                        if let Some(found) = self.round(question, shorter)? {
                            return Ok(Lasso::Found(found));
                        }
                    }
                    return Ok(Lasso::Found(found));
                }
                excluded.loops = k + 1;
                self.lassos.insert(question.clone(), excluded);
            }
        }
        // Depths that an earlier, faster question left out.
        let last = depth.min(excluded.ends.saturating_sub(1));
        if excluded.loops <= last && look_for_loops(excluded) {
            for k in excluded.loops..=last {
                if let Some(found) = self.round(question, k)? {
                    return Ok(Lasso::Found(found));
                }
                excluded.loops = k + 1;
                self.lassos.insert(question.clone(), excluded);
            }
        }
        Ok(Lasso::NotWithin)
    }

    /// Whether some execution without a good state passes through `k + 1` different states at first. If none does, and no
    /// lasso was found within `k` steps, there is none at all, provided that there is one fair condition at most and no pair
    /// of conditions ([`Bmc::may_conclude`]): take a
    /// shortest way to a state from which a fair step leads round, and go round until the way is met again, for the first
    /// time. From there the way leads to the fair step; so that is a lasso, whose states, but the last, are different.
    pub fn goes_on(&mut self, question: &LivenessQuestion, k: usize) -> Result<bool, Failure> {
        let (steps, avoid) = (self.steps(k), self.avoid(question.good, k));
        let differ = match self.differ {
            Some(literal) => literal,
            None => *self.differ.insert(self.sat.variable()),
        };
        // Comparing all pairs costs much, so only those are compared that were found to be equal.
        while self.sat.solve(&[steps, avoid, differ])? {
            let states = self.witness(k)?.states;
            let mut last: HashMap<&[bool], usize> = HashMap::new();
            let mut equal = vec![];
            for (moment, state) in states.iter().enumerate() {
                equal.extend(last.insert(state, moment).map(|earlier| (earlier, moment)));
            }
            if equal.is_empty() {
                return Ok(true);
            }
            for (earlier, later) in equal {
                let other = !self.unrolling.same(earlier, later);
                let other = self.cnf.require(&mut self.sat, &self.unrolling.graph, other);
                self.sat.add(&[-differ, other]);
            }
        }
        Ok(false)
    }

    /// Whether [`Bmc::goes_on`] says anything. A lasso that has to satisfy several conditions may have to pass through a state
    /// more than once.
    pub fn may_conclude(question: &LivenessQuestion) -> bool {
        question.fair.len() <= 1 && question.pairs.is_empty()
    }

    /// An execution without a good state whose state after `k` steps is an earlier one, with every fair condition true in
    /// some step between, and no pair whose first is and whose second is not.
    fn round(&mut self, question: &LivenessQuestion, k: usize) -> Result<Option<Witness>, Failure> {
        let (steps, avoid) = (self.steps(k), self.avoid(question.good, k));
        let pairs = question.pairs.iter().flat_map(|&(first, second)| [first, second]);
        let watched: Vec<Lit> = question.fair.iter().copied().chain(pairs).collect();
        let mut seen = vec![Lit::FALSE; watched.len()];
        let mut rounds = vec![];
        for from in (0..k).rev() {
            for (seen, &condition) in seen.iter_mut().zip(&watched) {
                let now = self.unrolling.at(from, condition);
                *seen = self.unrolling.graph.or(*seen, now);
            }
            let (fair, pairs) = seen.split_at(question.fair.len());
            let mut parts = fair.to_vec();
            parts.extend(pairs.chunks(2).map(|pair| self.unrolling.graph.or(!pair[0], pair[1])));
            parts.push(self.unrolling.same(from, k));
            rounds.push(self.unrolling.graph.all(&parts));
        }
        let repeats = self.unrolling.graph.any(&rounds);
        let repeats = self.cnf.require(&mut self.sat, &self.unrolling.graph, repeats);
        if !self.sat.solve(&[steps, avoid, repeats])? {
            return Ok(None);
        }
        let witness = self.witness(k)?;
        self.confirmed(witness, question).map(Some)
    }

    /// Checks a counterexample once more, state by state, and finds where its loop begins.
    fn confirmed(&self, witness: Witness, question: &LivenessQuestion) -> Result<Witness, Failure> {
        let confirmed = liveness::counterexample(self.unrolling.system(), question, &witness);
        confirmed.ok_or(Failure::Internal("a bounded search found an execution that is no counterexample"))
    }

    fn literal(&mut self, moment: usize, function: Lit) -> i32 {
        let copy = self.unrolling.at(moment, function);
        self.cnf.require(&mut self.sat, &self.unrolling.graph, copy)
    }

    /// A literal that implies that there are `k` steps.
    fn steps(&mut self, k: usize) -> i32 {
        let valid = self.unrolling.system().valid;
        while self.steps.len() <= k {
            let last = self.steps.len() - 1;
            let step = self.literal(last, valid);
            let more = self.implies_both(self.steps[last], step);
            self.steps.push(more);
        }
        self.steps[k]
    }

    /// A literal that implies that moments 0..=k are not good.
    fn avoid(&mut self, good: Lit, k: usize) -> i32 {
        let mut chain = self.avoiding.remove(&good).unwrap_or_default();
        while chain.len() <= k {
            let not = self.literal(chain.len(), !good);
            let longer = self.implies_both(chain.last().copied().unwrap_or(TRUE), not);
            chain.push(longer);
        }
        let literal = chain[k];
        self.avoiding.insert(good, chain);
        literal
    }

    fn implies_both(&mut self, a: i32, b: i32) -> i32 {
        if a == TRUE {
            return b;
        }
        if b == TRUE {
            return a;
        }
        let both = self.sat.variable();
        self.sat.add(&[-both, a]);
        self.sat.add(&[-both, b]);
        both
    }

    /// The execution that the solver's model describes.
    fn witness(&self, depth: usize) -> Result<Witness, Failure> {
        self.limits.check()?;
        let system = self.unrolling.system();
        let read = |moment: usize, variables: &[Lit]| -> Vec<bool> {
            let literal = |&v: &Lit| self.cnf.known(self.unrolling.copied(moment, v)?);
            variables.iter().map(|v| literal(v).is_some_and(|l| self.sat.value(l))).collect()
        };
        let start = read(0, &system.start_inputs);
        let steps = (0..depth).map(|moment| read(moment, &system.inputs)).collect();
        Witness::replay(system, start, steps)
            .ok_or(Failure::Internal("a bounded search took an impossible step"))
    }
}
