//! Questions answered with decision diagrams: the set of all reachable states, and what can be asked of it.
//!
//! What a question means is said by the explicit engine, which stores the same states one by one. Whether a step is possible
//! is worked out on the sets, whatever it depends on.

use crate::engine::{holds, size, too_hard};
use swarmcheck_aig::{Lit, Steps};
use swarmcheck_bdd::cycle::Fairness;
use swarmcheck_bdd::{Failure, Limits, Model, Set, cycle, reach, witness};
use swarmcheck_bits::actions::actions;
use swarmcheck_bits::encode::Encoded;
use swarmcheck_bits::hard;
use swarmcheck_engine::{
    Effort, Evidence, Executions, Finding, Note, Phase, Reason, Snapshot, Subject, Vacuity, Verdict, Why,
};
use swarmcheck_proof::ask::{Asked, Conditions, Shown};
use swarmcheck_question::concrete::Ending;
use swarmcheck_question::{QuestionKind, SearchShape};

/// An answer; none if the widths assumed turned out to be too small.
pub(crate) fn decide(
    executions: &Executions<'_>,
    mut encoded: Encoded,
    conditions: Conditions,
    kind: QuestionKind,
    subject: Subject,
) -> Result<Option<Finding>, Reason> {
    let actions = actions(&mut encoded);
    // Where there is no step is not asked of the formula.
    let asking = if kind == QuestionKind::Alive { QuestionKind::Always } else { kind };
    let mut asked = Asked::new(encoded, asking, executions.questions.shape, conditions, true)?;
    asked.kind = kind;
    hard::check(hard::DIAGRAMS).map_err(too_hard)?;
    let broken = asked.broken();
    let control = executions.control;
    let (turn, seconds) = (|| control.progress.turn(), || control.progress.seconds());
    let progress = |rounds: usize, memory: u64| {
        let (phase, depth) = (Phase::Searching, rounds as u64);
        control.progress.report(Snapshot { phase, depth, memory, ..Snapshot::default() });
    };
    let limits = Limits {
        stop: Some(control.stop),
        turn: Some(&turn),
        seconds: Some(&seconds),
        memory: control.budget.memory,
        progress: Some(&progress),
    };
    let steps = Steps { open: asked.open, actions };
    let model = Model::new(&asked.encoded.system, &steps, limits).map_err(failed)?;
    let seen = model.initial.clone();
    let mut search = Search { asked: &asked, executions, model: &model, seen, depth: 0, complete: false };
    let verdict = match search.run(broken).map_err(failed)? {
        Shown::TooNarrow => return Ok(None),
        Shown::Verdict(verdict) => verdict,
    };
    let vacuous = match verdict {
        Verdict::Holds(_) => search.vacuous(subject).map_err(failed)?,
        _ => None,
    };
    let effort = Effort {
        initial: model.count(&model.initial),
        states: model.count(&search.seen),
        depth: search.depth,
        memory: model.space.memory(),
        ..Effort::default()
    };
    let diagrams = format!(
        "as diagrams: {} kinds of steps in {} nodes, what was reached in {}",
        model.parts(),
        model.relation_nodes(),
        search.seen.nodes()
    );
    Ok(Some(Finding {
        subject,
        verdict,
        vacuous,
        notes: vec![Note::detail(size(&asked)), Note::detail(diagrams)],
        effort,
        certificate: None,
        composition: None,
    }))
}

fn failed(failure: Failure) -> Reason {
    match failure {
        Failure::Interrupted => Reason::Interrupted,
        Failure::Memory => Reason::Memory,
        Failure::TooLarge => {
            Reason::Unsupported("the state has too many bits for decision diagrams".to_string())
        }
        Failure::Internal(what) => Reason::Internal(what.to_string()),
    }
}

struct Search<'a> {
    asked: &'a Asked,
    executions: &'a Executions<'a>,
    model: &'a Model<'a>,
    /// The states that were reached.
    seen: Set,
    /// How many steps were looked at, where they were counted.
    depth: u32,
    /// Whether executions make as many steps as were asked for.
    complete: bool,
}

impl Search<'_> {
    fn run(&mut self, broken: Lit) -> Result<Shown, Failure> {
        let space = &self.model.space;
        // An error in what may be chosen at first makes the model invalid whatever is chosen.
        if !self.asked.encoded.initial_faults.is_empty() {
            let faulty = self.model.states(self.asked.encoded.faulty)?;
            if let Some(shown) = self.nearest(&faulty, 0)? {
                return Ok(shown);
            }
        }
        let broken = self.model.states(broken)?;
        let bad = match self.asked.kind {
            QuestionKind::Always | QuestionKind::Kept | QuestionKind::Recurs | QuestionKind::Scope { .. } => {
                self.model.states(self.asked.bad)?
            }
            QuestionKind::Alive => space.and(&self.model.stuck()?, &self.model.states(self.asked.open)?)?,
            // These are asked of all that is reachable.
            QuestionKind::Reached | QuestionKind::Reachable => space.constant(false),
        };
        let wrong = space.or(&bad, &broken)?;
        match self.executions.questions.shape {
            SearchShape::After { steps, .. } => return self.exactly(steps as usize, &bad, &broken),
            SearchShape::Within(steps) => {
                // Whether a state is a deadlock takes one more step to know, and that step may be an error.
                let answers = self.executions.task.bound.unwrap_or(steps);
                for (target, most) in [(&wrong, answers), (&broken, steps)] {
                    if let Some(shown) = self.nearest(target, most as usize)? {
                        return Ok(shown);
                    }
                }
                return Ok(self.holds());
            }
            SearchShape::Whole | SearchShape::Before => {}
        }
        self.seen = reach::reachable(self.model, &wrong)?;
        if !space.disjoint(&self.seen, &wrong)? {
            let lost = Failure::Internal("what is reachable is not found step by step");
            return self.nearest(&wrong, usize::MAX)?.ok_or(lost);
        }
        let goal = self.model.states(self.asked.holds)?;
        match self.asked.kind {
            QuestionKind::Always
            | QuestionKind::Kept
            | QuestionKind::Alive
            | QuestionKind::Scope { waits: false } => Ok(self.holds()),
            QuestionKind::Scope { waits: true } => {
                let waiting = self.model.states(self.asked.waiting.unwrap_or(Lit::FALSE))?;
                let waiting = space.and(&self.seen, &waiting)?;
                self.never(&waiting)
            }
            QuestionKind::Reached => {
                let before = space.minus(&self.seen, &goal)?;
                self.never(&before)
            }
            QuestionKind::Reachable => self.out_of_reach(&goal),
            QuestionKind::Recurs => self.recurs(&goal),
        }
    }

    fn holds(&self) -> Shown {
        let Executions { questions, task, .. } = self.executions;
        Shown::Verdict(holds(questions.shape, task.bound, Evidence::Explored))
    }

    /// A shortest execution to a state that answers the question, or to an error, within so many steps.
    fn nearest(&mut self, target: &Set, most: usize) -> Result<Option<Shown>, Failure> {
        let states = self.shortest(target, most)?;
        let Some(states) = states else { return Ok(None) };
        let found = witness::witness(self.model, &states)?;
        Ok(Some(self.asked.shown(self.executions, &found)))
    }

    /// The states of a shortest execution.
    fn shortest(&mut self, target: &Set, most: usize) -> Result<Option<Vec<Vec<bool>>>, Failure> {
        let found = reach::rings(self.model, target, most)?;
        self.depth = self.depth.max(found.rings.len().saturating_sub(1) as u32);
        self.seen = self.model.space.or(&self.seen, &found.known)?;
        found.found.then(|| reach::way(self.model, &found.rings, target)).transpose()
    }

    /// Executions of exactly so many steps; errors of the model on the way.
    fn exactly(&mut self, steps: usize, bad: &Set, broken: &Set) -> Result<Shown, Failure> {
        let layers = reach::layers(self.model, steps)?;
        for layer in &layers {
            self.seen = self.model.space.or(&self.seen, layer)?;
        }
        self.depth = layers.len() as u32 - 1;
        self.complete = layers.get(steps).is_some_and(|layer| !layer.is_empty());
        let mut targets: Vec<(usize, &Set)> = (0..layers.len()).map(|number| (number, broken)).collect();
        // An execution that must not meet the goal on its way must not come by a state in which that is an error.
        let first = if self.asked.undecided == Lit::FALSE { 0 } else { targets.len() };
        if steps < layers.len() {
            targets.insert(first, (steps, bad));
        }
        for (number, target) in targets {
            if !self.model.space.disjoint(&layers[number], target)? {
                let states = reach::way(self.model, &layers[..=number], target)?;
                let found = witness::witness(self.model, &states)?;
                return Ok(self.asked.shown(self.executions, &found));
            }
        }
        Ok(self.holds())
    }

    /// No execution stays in these states: none stops there, and they contain no cycle.
    fn never(&mut self, within: &Set) -> Result<Shown, Failure> {
        self.model.focus(&self.seen)?;
        let space = &self.model.space;
        if !self.executions.task.ignore_deadlock {
            let stuck = space.and(&self.model.stuck()?, within)?;
            if let Some(states) = self.shortest(&stuck, usize::MAX)? {
                let found = witness::witness(self.model, &states)?;
                return Ok(self.asked.shown_never(self.executions, &found));
            }
        }
        let lasso = match self.fairness()? {
            Some(fairness) => self.fair(within, &fairness)?,
            None => {
                let lasting = cycle::lasting(self.model, within)?;
                let anything = space.constant(true);
                (!lasting.is_empty()).then(|| cycle::lasso(self.model, &lasting, &anything)).transpose()?
            }
        };
        let Some(lasso) = lasso else { return Ok(self.holds()) };
        let found = witness::round(self.model, &lasso)?;
        Ok(self.asked.shown_never(self.executions, &found))
    }

    /// The goal can be reached from every state; if executions that stop are excused, the end will do.
    fn out_of_reach(&mut self, goal: &Set) -> Result<Shown, Failure> {
        self.model.focus(&self.seen)?;
        let space = &self.model.space;
        let target = match self.executions.task.ignore_deadlock {
            true => space.or(goal, &self.model.stuck()?)?,
            false => goal.clone(),
        };
        let reach = cycle::can_reach(self.model, &self.seen, &target)?;
        let out = space.minus(&self.seen, &reach)?;
        let Some(states) = self.shortest(&out, usize::MAX)? else { return Ok(self.holds()) };
        let found = witness::witness(self.model, &states)?;
        let way = self.asked.way(&found.states);
        Ok(Shown::Verdict(self.executions.violated(&way, Ending::Open, Why::OutOfReach)))
    }

    /// No execution of the product with the automaton of the negated formula is accepted.
    fn recurs(&mut self, accepting: &Set) -> Result<Shown, Failure> {
        self.model.focus(&self.seen)?;
        let lasso = match self.fairness()? {
            Some(mut fairness) => {
                fairness.again.push(accepting.clone());
                self.fair(&self.seen, &fairness)?
            }
            None => {
                let left = cycle::recurring(self.model, &self.seen, accepting)?;
                (!left.is_empty()).then(|| cycle::lasso(self.model, &left, accepting)).transpose()?
            }
        };
        let Some(lasso) = lasso else { return Ok(self.holds()) };
        let found = witness::round(self.model, &lasso)?;
        let way = self.asked.way(&found.states);
        Ok(Shown::Verdict(self.executions.violated(&way, Ending::Loop(lasso.back_to), Why::Formula)))
    }

    /// Which infinite executions count, unless all do.
    fn fairness(&self) -> Result<Option<Fairness>, Failure> {
        let fair = &self.asked.fair;
        if fair.again.is_empty() && fair.pairs.is_empty() {
            return Ok(None);
        }
        let states = |lit: &Lit| self.model.states(*lit);
        let again = fair.again.iter().map(states).collect::<Result<_, _>>()?;
        let pairs = fair.pairs.iter().map(|(first, second)| Ok((states(first)?, states(second)?)));
        Ok(Some(Fairness { again, pairs: pairs.collect::<Result<_, Failure>>()? }))
    }

    /// A fair execution that stays in these states from some point on.
    fn fair(&self, within: &Set, fairness: &Fairness) -> Result<Option<cycle::Lasso>, Failure> {
        let left = cycle::fair(self.model, within, fairness)?;
        (!left.is_empty()).then(|| cycle::fair_lasso(self.model, &left, fairness)).transpose()
    }

    /// Why a property holds without saying anything.
    fn vacuous(&mut self, subject: Subject) -> Result<Option<Vacuity>, Failure> {
        if let Some(nobody) = self.executions.over_nobody(subject) {
            return Ok(Some(nobody));
        }
        // In the product with an automaton, states and steps are missing where the automaton has none.
        if self.executions.questions.is_product() {
            let never = match self.asked.trigger {
                Some(trigger) => self.model.space.disjoint(&self.seen, &self.model.states(trigger)?)?,
                None => false,
            };
            return Ok(self.executions.nothing_happens().or(never.then_some(Vacuity::Premise)));
        }
        if self.model.initial.is_empty() {
            return Ok(Some(Vacuity::NoInitialState));
        }
        if let SearchShape::After { steps, avoiding } = self.executions.questions.shape {
            // An execution that meets the goal is not followed to its end.
            let goal = self.model.states(self.asked.holds)?;
            let met = avoiding && !self.model.space.disjoint(&self.seen, &goal)?;
            if !self.complete && !met {
                return Ok(Some(Vacuity::TooShort { steps }));
            }
        }
        let still = subject != Subject::DeadlockFreedom
            && self.model.image(&self.model.initial)?.is_empty()
            && self.executions.is_still();
        Ok(still.then_some(Vacuity::NoStep))
    }
}
