//! Looking for an execution of the bits that answers a question, or for a proof that there is none.

use crate::engine::{Method, holds};
use swarmcheck_aig::{Lit, System, Witness};
use swarmcheck_engine::certificate::Proof;
use swarmcheck_engine::{Evidence, Executions, Note, Phase, Reason, Snapshot, Subject, Vacuity};
use swarmcheck_proof::ask::{Asked, Shown};
use swarmcheck_proof::certificate;
use swarmcheck_prove::liveness::{self, LivenessQuestion};
use swarmcheck_prove::sat::Cadical;
use swarmcheck_prove::{Bmc, Failure, Lasso, Limits, ProofVerdict, check, ic3, k_induction};
use swarmcheck_question::{QuestionKind, SearchShape};

/// How deep to look.
pub(crate) struct Depths {
    /// For states that answer the question.
    answers: usize,
    /// For errors of the model.
    errors: usize,
    /// Whether the question asks for no more.
    pub(crate) bounded: bool,
}

impl Depths {
    pub(crate) fn new(shape: SearchShape, bound: Option<u32>, most: u32) -> Depths {
        let (answers, errors, bounded) = match shape {
            // Whether a state is a deadlock takes one more step to know, and that step may be an error.
            SearchShape::Within(steps) => (bound.unwrap_or(steps), steps, true),
            SearchShape::After { steps, .. } => (steps, steps, true),
            SearchShape::Whole | SearchShape::Before => (most, most, false),
        };
        Depths { answers: answers as usize, errors: errors as usize, bounded }
    }
}

/// A search for an answer by SAT solving: for counterexamples of growing length, or for a proof.
pub(crate) struct Search<'a> {
    pub(crate) asked: &'a Asked,
    pub(crate) executions: &'a Executions<'a>,
    pub(crate) method: Method,
    /// See [`swarmcheck_proof::Posed`].
    pub(crate) broken: Lit,
    /// See [`swarmcheck_proof::Posed`].
    pub(crate) wrong: Lit,
    pub(crate) depths: Depths,
    /// How many steps were looked at.
    pub(crate) reached: u32,
    /// When solvers stop or wait.
    pub(crate) limits: Limits<'a>,
    /// What was proved so far.
    pub(crate) proofs: Vec<Proof>,
}

/// How many rounds through accepting states are counted, one after the other, before states are saved.
const ROUNDS: [usize; 3] = [1, 2, 4];

fn failed(failure: Failure) -> Reason {
    match failure {
        Failure::Interrupted => Reason::Interrupted,
        Failure::Internal(what) => Reason::Internal(what.to_string()),
    }
}

impl Search<'_> {
    pub(crate) fn run(&mut self) -> Result<Shown, Reason> {
        if let Some(error) = self.at_first()? {
            return Ok(error);
        }
        match (self.executions.questions.shape, self.asked.kind) {
            (SearchShape::After { steps, .. }, _) => self.exactly(steps as usize),
            (_, QuestionKind::Reached | QuestionKind::Recurs) => {
                let question = self.asked.lasting();
                match self.method {
                    Method::Bounded => self.avoiding(&question),
                    _ => self.lasting(&self.asked.encoded.system, &question),
                }
            }
            _ if self.depths.bounded || self.method == Method::Bounded => self.deeper(),
            (_, QuestionKind::Scope { waits: true }) => {
                match self.proof(&self.asked.encoded.system, self.wrong)? {
                    Ok(_) => {
                        let (system, question) = self.asked.owed();
                        self.lasting(&system, &question)
                    }
                    Err(witness) => Ok(self.shown(&witness)),
                }
            }
            _ => match self.proof(&self.asked.encoded.system, self.wrong)? {
                Ok(evidence) => Ok(self.holds(evidence)),
                Err(witness) => Ok(self.shown(&witness)),
            },
        }
    }

    /// What ends a search for executions that go on for ever: something went wrong, or what has happened is bad whatever
    /// follows.
    fn on_the_way(&self) -> Lit {
        if self.asked.kind == QuestionKind::Recurs { self.wrong } else { self.broken }
    }

    /// An error in what may be chosen at first makes the model invalid whatever is chosen: it is looked for before
    /// anything else.
    fn at_first(&self) -> Result<Option<Shown>, Reason> {
        let encoded = &self.asked.encoded;
        if encoded.initial_faults.is_empty() {
            return Ok(None);
        }
        let mut bmc = Bmc::with_limits(&encoded.system, self.limits);
        let found = bmc.reach_exactly(encoded.faulty, 0).map_err(failed)?;
        Ok(found.map(|witness| self.shown(&witness)))
    }

    fn shown(&self, witness: &Witness) -> Shown {
        self.asked.shown(self.executions, witness)
    }

    fn holds(&self, evidence: Evidence) -> Shown {
        Shown::Verdict(holds(self.executions.questions.shape, self.executions.task.bound, evidence))
    }

    fn note(&mut self, depth: usize) -> Result<(), Reason> {
        let control = self.executions.control;
        self.reached = self.reached.max(depth as u32);
        let depth = depth as u64;
        control.progress.report(Snapshot { phase: Phase::Searching, depth, ..Snapshot::default() });
        if control.stopped() { Err(Reason::Interrupted) } else { Ok(()) }
    }

    /// Executions of exactly so many steps.
    fn exactly(&mut self, steps: usize) -> Result<Shown, Reason> {
        let asked = self.asked;
        let mut bmc = Bmc::with_limits(&asked.encoded.system, self.limits);
        self.note(steps)?;
        // An execution that must not meet the goal on its way must not come by a state in which that is an error.
        let errors_first = asked.undecided != Lit::FALSE;
        if errors_first && let Some(error) = self.error(&mut bmc)? {
            return Ok(error);
        }
        if let Some(witness) = bmc.reach_exactly(asked.bad, steps).map_err(failed)? {
            return Ok(self.shown(&witness));
        }
        if errors_first { Ok(self.ended()) } else { self.errors(&mut bmc) }
    }

    /// Errors of the model among what was looked at; if there are none, the property holds.
    fn errors(&self, bmc: &mut Bmc<'_, '_>) -> Result<Shown, Reason> {
        Ok(self.error(bmc)?.unwrap_or_else(|| self.ended()))
    }

    /// An error of the model among what was looked at.
    fn error(&self, bmc: &mut Bmc<'_, '_>) -> Result<Option<Shown>, Reason> {
        if self.broken == Lit::FALSE {
            return Ok(None);
        }
        let found = bmc.reach(self.broken, self.depths.errors).map_err(failed)?;
        Ok(found.map(|witness| self.shown(&witness)))
    }

    /// That it holds as far as was looked.
    fn ended(&self) -> Shown {
        self.holds(Evidence::Ended(self.reached))
    }

    /// States that answer the question, or errors, step by step.
    fn deeper(&mut self) -> Result<Shown, Reason> {
        let asked = self.asked;
        let mut bmc = Bmc::with_limits(&asked.encoded.system, self.limits);
        for depth in 0..=self.depths.answers {
            if bmc.exhausted().is_some_and(|end| end <= depth) {
                return Ok(self.ended());
            }
            self.note(depth)?;
            if let Some(witness) = bmc.reach(self.wrong, depth).map_err(failed)? {
                return Ok(self.shown(&witness));
            }
        }
        if self.depths.bounded { self.errors(&mut bmc) } else { Err(self.given_up()) }
    }

    /// What an interrupted search of growing executions has done: the last length was not looked at to its end.
    pub(crate) fn looked_at(&self) -> Option<Note> {
        let finished =
            self.reached.checked_sub(1).filter(|_| self.method == Method::Bounded && !self.depths.bounded)?;
        Some(Note::NoCounterexampleWithin { steps: finished })
    }

    fn given_up(&self) -> Reason {
        Reason::Unsupported(format!(
            "no counterexample within {} steps, and no proof that there is none",
            self.depths.answers
        ))
    }

    /// Executions that count and never reach the goal.
    fn avoiding(&mut self, question: &LivenessQuestion) -> Result<Shown, Reason> {
        let asked = self.asked;
        let stop = self.on_the_way();
        let mut bmc = Bmc::with_limits(&asked.encoded.system, self.limits);
        for depth in 0..=self.depths.answers {
            self.note(depth)?;
            if stop != Lit::FALSE
                && let Some(witness) = bmc.reach(stop, depth).map_err(failed)?
            {
                return Ok(self.shown(&witness));
            }
            // Executions that go round can be followed, so they need not be looked for at every depth but the last.
            let found = match asked.kind {
                QuestionKind::Recurs if depth < self.depths.answers => {
                    bmc.lasso_now_and_then(question, depth)
                }
                _ => bmc.lasso(question, depth),
            };
            match found.map_err(failed)? {
                Lasso::Found(witness) => return Ok(self.asked.shown_never(self.executions, &witness)),
                // That executions come to an end is noticed late; to ask at every depth costs more.
                Lasso::NotWithin
                    if asked.kind == QuestionKind::Recurs
                        && depth % 4 == 3
                        && Bmc::may_conclude(question) =>
                {
                    if !bmc.goes_on(question, depth).map_err(failed)? {
                        return Ok(match bmc.lasso(question, depth).map_err(failed)? {
                            Lasso::Found(found) => self.asked.shown_never(self.executions, &found),
                            _ => self.holds(Evidence::Ended(self.reached)),
                        });
                    }
                }
                Lasso::NotWithin => {}
                Lasso::Never(steps) => {
                    self.reached = steps as u32;
                    return Ok(self.ended());
                }
            }
        }
        Err(self.given_up())
    }

    /// That no state of `bad` can be reached, with the evidence, or an execution to one.
    fn proof(&mut self, system: &System, bad: Lit) -> Result<Result<Evidence, Witness>, Reason> {
        let limits = self.limits;
        let found = match self.method {
            Method::Ic3 => match ic3::prove(system, bad, limits).map_err(failed)? {
                ProofVerdict::Proved(proof) => {
                    self.proofs.push(certificate::written(system, &proof));
                    Some(Ok(Evidence::Invariant(proof.clauses.len() as u32)))
                }
                ProofVerdict::Refuted(witness) => Some(Err(witness)),
                ProofVerdict::Unknown => None,
            },
            _ => match k_induction::prove(system, bad, self.depths.answers, limits).map_err(failed)? {
                ProofVerdict::Proved(proof) => {
                    // Invariants have been checked where they were found, by the other solver.
                    check::induction::<Cadical<'_>>(system, bad, &proof, limits)
                        .map_err(certificate::distrust)?;
                    let evidence = Evidence::Induction(proof.k as u32);
                    let (states, distinct, lemmas) = (proof.k, proof.distinct, proof.lemmas);
                    self.proofs.push(Proof::Induction { states, distinct, lemmas });
                    Some(Ok(evidence))
                }
                ProofVerdict::Refuted(witness) => Some(Err(witness)),
                ProofVerdict::Unknown => None,
            },
        };
        self.reached = match &found {
            Some(Err(witness)) => witness.steps.len() as u32,
            Some(Ok(Evidence::Induction(steps))) => *steps,
            _ => self.reached,
        };
        found.ok_or_else(|| self.given_up())
    }

    /// That every execution that counts reaches a good state, or meets an error of the model before.
    fn lasting(&mut self, system: &System, question: &LivenessQuestion) -> Result<Shown, Reason> {
        // Counting proves much with few bits more, and refutes where an execution rests; saving decides the rest.
        if self.asked.kind == QuestionKind::Recurs && self.method == Method::Ic3 {
            for rounds in ROUNDS {
                if let Some(shown) = self.reduced(system, question, liveness::Method::Counting(rounds))? {
                    return Ok(shown);
                }
            }
        }
        let undecided = || Reason::Internal("a saved state came back without a counterexample".to_string());
        self.reduced(system, question, liveness::Method::Saving)?.ok_or_else(undecided)
    }

    /// The answer to a question made one about reachable states; nothing if a counter was filled, which shows nothing.
    fn reduced(
        &mut self,
        system: &System,
        question: &LivenessQuestion,
        method: liveness::Method,
    ) -> Result<Option<Shown>, Reason> {
        let mut reduced = liveness::reduce(system, question, method);
        let bad = reduced.bad.first().copied().unwrap_or(Lit::FALSE);
        let bad = reduced.graph.or(bad, self.on_the_way());
        let found = match self.proof(&reduced, bad)? {
            Ok(evidence) => return Ok(Some(self.holds(evidence))),
            Err(found) => found,
        };
        Ok(self.asked.shown_reduced(self.executions, system, question, found, self.on_the_way()))
    }

    /// Why a property holds without saying anything.
    pub(crate) fn vacuous(&mut self, subject: Subject) -> Result<Option<Vacuity>, Reason> {
        if let Some(nobody) = self.executions.over_nobody(subject) {
            return Ok(Some(nobody));
        }
        // In the product with an automaton, states and steps are missing where the automaton has none.
        if self.executions.questions.is_product() {
            return Ok(self.executions.nothing_happens());
        }
        let mut bmc = Bmc::with_limits(&self.asked.encoded.system, self.limits);
        if bmc.reach_exactly(Lit::TRUE, 0).map_err(failed)?.is_none() {
            return Ok(Some(Vacuity::NoInitialState));
        }
        if let SearchShape::After { steps, avoiding } = self.executions.questions.shape {
            let possible = bmc.reach_exactly(Lit::TRUE, steps as usize).map_err(failed)?.is_some();
            // An execution that meets the goal is not followed to its end.
            let met = avoiding && bmc.reach(self.asked.holds, steps as usize).map_err(failed)?.is_some();
            if !possible && !met {
                return Ok(Some(Vacuity::TooShort { steps }));
            }
        }
        let still = subject != Subject::DeadlockFreedom
            && bmc.reach_exactly(Lit::TRUE, 1).map_err(failed)?.is_none()
            && self.executions.is_still();
        Ok(still.then_some(Vacuity::NoStep))
    }
}
