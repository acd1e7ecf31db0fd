//! A question about a program as one about its bits.

use swarmcheck_aig::{Latch, Lit, Simulation, System, Witness};
use swarmcheck_bits::encode::Encoded;
use swarmcheck_engine::trace::{End, Trace};
use swarmcheck_engine::{Executions, Reason, Verdict, Why};
use swarmcheck_ir::ground::{Runner, Term};
use swarmcheck_ir::{Fault, Value};
use swarmcheck_prove::liveness::{self, LivenessQuestion};
use swarmcheck_question::concrete::Ending;
use swarmcheck_question::{QuestionKind, SearchShape};

/// A question put to a system of bits.
pub struct Asked {
    pub encoded: Encoded,
    pub kind: QuestionKind,
    /// The predicate; `None` for the question about deadlocks.
    term: Option<Term>,
    /// The predicate is true, in a state without errors.
    pub holds: Lit,
    /// Evaluating the predicate is an error of the model.
    pub undecided: Lit,
    /// A state that answers the question: one without the predicate, or one without steps.
    pub bad: Lit,
    /// An error of the model, met by the step before or by the predicate.
    pub error: Lit,
    /// No step is possible, if that can be told, and if executions that stop count.
    pub stuck: Option<Lit>,
    /// For a scope that may stay open: something is still owed.
    pub waiting: Option<Lit>,
    /// For a formula: it asks for something here.
    pub trigger: Option<Lit>,
    /// The states whose steps the question looks at.
    pub open: Lit,
    /// Which infinite executions count.
    pub fair: Fair<Lit>,
}

/// Which infinite executions count: all, if it is empty.
#[derive(Clone, Debug)]
pub struct Fair<T> {
    /// Each is true again and again.
    pub again: Vec<T>,
    /// If the first is true again and again, so is the second.
    pub pairs: Vec<(T, T)>,
}

impl<T> Fair<T> {
    pub fn map<U>(&self, mut to: impl FnMut(&T) -> U) -> Fair<U> {
        let again = self.again.iter().map(&mut to).collect();
        Fair { again, pairs: self.pairs.iter().map(|(first, second)| (to(first), to(second))).collect() }
    }
}

/// The conditions of a question.
pub struct Conditions {
    /// The predicate; `None` for the question about deadlocks.
    pub predicate: Option<Term>,
    /// For a scope that may stay open: where something is still owed.
    pub waiting: Option<Term>,
    /// For a formula: what has happened does not violate it whatever follows.
    pub kept: Option<Term>,
    /// For a formula: it asks for something here.
    pub trigger: Option<Term>,
    /// Which infinite executions count.
    pub fair: Fair<Term>,
}

/// What an execution of the bits shows.
pub enum Shown {
    Verdict(Verdict),
    /// A number is too large for the width assumed: everything has to be done again with more bits.
    TooNarrow,
}

impl Asked {
    /// Puts a question. The steps of the system are those that the question looks at: where executions count only up to
    /// the goal, none leads out of it.
    pub fn new(
        mut encoded: Encoded,
        kind: QuestionKind,
        shape: SearchShape,
        conditions: Conditions,
        ignore_deadlock: bool,
    ) -> Result<Asked, Reason> {
        let term = conditions.predicate;
        let mut extra = |term: Option<Term>| term.map(|term| encoded.condition(&term).0);
        let (waiting, kept, trigger) =
            (extra(conditions.waiting), extra(conditions.kept), extra(conditions.trigger));
        let fair = conditions.fair.map(|term| encoded.condition(term).0);
        let (holds, undecided) =
            term.as_ref().map_or((Lit::TRUE, Lit::FALSE), |term| encoded.condition(term));
        let lasting =
            matches!(kind, QuestionKind::Reached | QuestionKind::Scope { waits: true }) && !ignore_deadlock;
        let stuck = if lasting || kind == QuestionKind::Alive {
            let tangled = || Reason::Unsupported(TANGLED.to_string());
            Some(encoded.stuck().ok_or_else(tangled)?)
        } else {
            None
        };
        let (sound, faulty) = (encoded.sound(), encoded.faulty);
        let g = &mut encoded.system.graph;
        let error = g.or(undecided, faulty);
        let bad = match (kind, stuck) {
            (QuestionKind::Alive, Some(stuck)) => stuck,
            // That an accepting state is met says nothing; that the automaton needs to read no more does.
            (QuestionKind::Recurs, _) => g.and(sound, !kept.unwrap_or(Lit::TRUE)),
            _ => {
                let judged = g.and(sound, !undecided);
                g.and(judged, !holds)
            }
        };
        let mut open = sound;
        if shape == SearchShape::Before || matches!(shape, SearchShape::After { avoiding: true, .. }) {
            encoded.system.valid = g.and(encoded.system.valid, !holds);
            open = g.and(open, !holds);
        }
        Ok(Asked { encoded, kind, term, holds, undecided, bad, error, stuck, waiting, trigger, open, fair })
    }

    /// Something went wrong: an error of the model, or a number that does not fit.
    pub fn broken(&mut self) -> Lit {
        let misfit = self.encoded.misfit;
        self.encoded.system.graph.or(self.error, misfit)
    }

    /// A question about executions that go on for ever: all should reach the goal; or, in the product with an automaton,
    /// none should come through its accepting states again and again. There, executions that stop go on resting.
    pub fn lasting(&self) -> LivenessQuestion {
        let Fair { again, pairs } = self.fair.clone();
        match self.kind {
            QuestionKind::Recurs => {
                let fair = [self.holds].into_iter().chain(again).collect();
                LivenessQuestion { good: Lit::FALSE, stuck: None, fair, pairs }
            }
            _ => LivenessQuestion { good: self.holds, stuck: self.stuck, fair: again, pairs },
        }
    }

    /// That no execution owes something for ever. One that does can say from when on: by a bit that it sets at some moment,
    /// after which it never stops waiting. So states with the bit that do not wait are the good ones, and executions that
    /// never set the bit do not count.
    pub fn owed(&self) -> (System, LivenessQuestion) {
        let mut system = self.encoded.system.clone();
        let waiting = self.waiting.unwrap_or(Lit::FALSE);
        let g = &mut system.graph;
        let (said, say) = (g.variable(), g.variable());
        let next = g.or(said, say);
        let good = g.and(said, !waiting);
        let stuck = self.stuck.map(|stuck| g.and(stuck, waiting));
        system.latches.push(Latch { variable: said, start: Lit::FALSE, next });
        system.inputs.push(say);
        let fair = [said].into_iter().chain(self.fair.again.iter().copied()).collect();
        (system, LivenessQuestion { good, stuck, fair, pairs: self.fair.pairs.clone() })
    }

    /// What an execution shows of a system that was reduced to reachable states: a counterexample to a question about
    /// executions that go on for ever, or a state that is `wrong`. A counter that is filled shows nothing.
    pub fn shown_reduced(
        &self,
        executions: &Executions<'_>,
        system: &System,
        question: &LivenessQuestion,
        mut found: Witness,
        wrong: Lit,
    ) -> Option<Shown> {
        // Something wrong on the way comes first: the predicate means nothing after an error. The bits of the program come
        // first, too.
        let own = &self.encoded.system;
        let mut simulation = Simulation::new(own);
        let at = found.states.iter().position(|state| simulation.holds(&state[..own.latches.len()], wrong));
        if let Some(at) = at {
            found.states.truncate(at + 1);
            found.steps.truncate(at);
            found.states.iter_mut().for_each(|state| state.truncate(own.latches.len()));
            return Some(self.shown(executions, &found));
        }
        let witness = liveness::counterexample(system, question, &found)?;
        Some(self.shown_never(executions, &witness))
    }

    /// What an execution into a state of `bad`, or one that is broken, shows.
    pub fn shown(&self, executions: &Executions<'_>, witness: &Witness) -> Shown {
        let mut simulation = Simulation::new(&self.encoded.system);
        let mut is = |lit: Lit| simulation.holds(witness.last(), lit);
        if is(self.encoded.misfit) {
            return Shown::TooNarrow;
        }
        Shown::Verdict(if is(self.error) {
            self.invalid(executions, witness)
        } else {
            let (ending, why) = match self.kind {
                QuestionKind::Alive => (Ending::Stuck, Why::Deadlock),
                QuestionKind::Scope { .. } => (Ending::Open, Why::Scope),
                QuestionKind::Kept | QuestionKind::Recurs => (Ending::Open, Why::Prefix),
                _ => (Ending::Open, Why::False),
            };
            executions.violated(&self.way(&witness.states), ending, why)
        })
    }

    /// What a lasso, or an execution that stops, shows if it does not reach the goal.
    pub fn shown_never(&self, executions: &Executions<'_>, witness: &Witness) -> Shown {
        let (ending, why) = match witness.back_to {
            Some(start) if self.kind == QuestionKind::Recurs => (Ending::Loop(start), Why::Formula),
            Some(start) => (Ending::Loop(start), Why::Loop),
            None => (Ending::Stuck, Why::Stuck),
        };
        Shown::Verdict(executions.violated(&self.way(&witness.states), ending, why))
    }

    /// The states of the program that these states of the bits stand for.
    pub fn way(&self, states: &[Vec<bool>]) -> Vec<Vec<Value>> {
        states.iter().map(|state| self.encoded.decode(state)).collect()
    }

    /// An execution into an error of the model.
    fn invalid(&self, executions: &Executions<'_>, witness: &Witness) -> Verdict {
        let mut simulation = Simulation::new(&self.encoded.system);
        let trace = if simulation.holds(witness.last(), self.encoded.faulty) {
            match witness.states.split_last() {
                Some((_, [])) | None => {
                    self.initial_fault(witness).map(|fault| executions.initial_fault(fault))
                }
                Some((_, before)) => executions.trace(&self.way(before), Ending::Fault),
            }
        } else {
            self.blamed(executions, witness)
        };
        trace.map_or_else(|| executions.lost(), Verdict::Invalid)
    }

    /// The error that the initial block meets with these choices: the first one.
    fn initial_fault(&self, witness: &Witness) -> Option<Fault> {
        let system = &self.encoded.system;
        let mut values = vec![false; system.graph.nodes().len()];
        for (input, value) in system.start_inputs.iter().zip(&witness.start) {
            values[input.node() as usize] = *value;
        }
        system.graph.evaluate(&mut values);
        let met = |(lit, _): &&(Lit, Fault)| swarmcheck_aig::graph::value(&values, *lit);
        self.encoded.initial_faults.iter().find(met).map(|(_, fault)| *fault)
    }

    /// An execution to a state in which evaluating the predicate is an error.
    fn blamed(&self, executions: &Executions<'_>, witness: &Witness) -> Option<Trace> {
        let way = self.way(&witness.states);
        let fault = Runner::default().test(self.term.as_ref()?, way.last()?).err()?;
        let mut trace = executions.trace(&way, Ending::Open)?;
        trace.end = End::Fault(None, fault);
        Some(trace)
    }
}

/// Why a question about executions that stop is not taken on.
const TANGLED: &str = "whether a step is possible depends on too many choices to be told by a formula: the explicit engine decides it";
