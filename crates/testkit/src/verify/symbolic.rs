//! What the symbolic engines answer, through the session, which replays their counterexamples on the reference
//! semantics: the same verdicts as the naive search, wherever they answer.

use super::ask::Ask;
use super::compare::{Failure, Seen, System};
use super::expect::{Mode, Word};
use crate::long;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control, Note, Progress, Subject, Vacuity};
use swarmcheck_session::verify::{Answer, Answered, Decider, Reason, VerifyOptions, verify};
use swarmcheck_symbolic::Method;

/// Searches for executions of growing length go so far. Most counterexamples of small systems are shorter.
const DEPTH: u32 = 12;

/// How many seconds an engine may take, unless `SWARMCHECK_PATIENCE` says something else.
const PATIENCE: u64 = 60;

const DIAGRAMS: Decider = Decider::Symbolic(Method::Diagrams);

/// What an engine answered to all questions about a system.
pub struct EngineAnswers {
    /// In the order of the questions.
    pub answers: Vec<Answer>,
    /// It was stopped because it took too long.
    pub late: bool,
}

impl System {
    /// Asks an engine and compares.
    pub fn compare_with(&mut self, ask: Ask, engine: Decider) -> Result<Seen, Failure> {
        self.compare_within(ask, engine, None)
    }

    /// Asks an engine that may use this many bytes and compares. It is stopped after a minute: no engine decides
    /// everything, and a run over thousands of systems cannot wait for the one that takes forever.
    pub fn compare_within(
        &mut self,
        ask: Ask,
        engine: Decider,
        memory: Option<u64>,
    ) -> Result<Seen, Failure> {
        self.compare_soon(ask, engine, memory, PATIENCE)
    }

    /// The same with so many seconds, unless `SWARMCHECK_PATIENCE` says something else.
    pub fn compare_soon(
        &mut self,
        ask: Ask,
        engine: Decider,
        memory: Option<u64>,
        seconds: u64,
    ) -> Result<Seen, Failure> {
        let patience = long::patience(seconds);
        let answered = self.answers(ask, engine, memory, patience, &Silent)?;
        self.judge_answers(ask, engine, memory, &answered)
    }

    /// What an engine answers within some time. `progress` may offer solvers.
    pub fn answers(
        &self,
        ask: Ask,
        engine: Decider,
        memory: Option<u64>,
        patience: Duration,
        progress: &dyn Progress,
    ) -> Result<EngineAnswers, Failure> {
        // In a race, all engines start at once: with a head start these systems would all go to one engine.
        let (depth, head_start) = (Some(DEPTH), 0);
        let options = VerifyOptions { engine, depth, head_start, ..ask.options(&self.prepared.flat) };
        let (report, late) = long::within_time(patience, |stop| {
            let control = Control { stop, budget: Budget { memory, ..Budget::default() }, progress };
            let report = verify(&self.prepared, &options, &control);
            (report, stop.load(Ordering::Relaxed))
        });
        match report {
            Ok(report) => Ok(EngineAnswers { answers: report.answers, late }),
            Err(_) => Err(Failure {
                sort: "subjects",
                ask: Some(ask),
                words: format!("{engine:?}: the session knows other properties"),
            }),
        }
    }

    /// Whether answers are right. What is left open is no failure, but counted.
    pub fn judge_answers(
        &mut self,
        ask: Ask,
        engine: Decider,
        memory: Option<u64>,
        answered: &EngineAnswers,
    ) -> Result<Seen, Failure> {
        let EngineAnswers { answers, late } = answered;
        let late = *late;
        let mut seen = Seen::default();
        let failure =
            |sort, words: String| Failure { sort, ask: Some(ask), words: format!("{engine:?}: {words}") };
        seen.late += usize::from(late);
        let task = ask.task(&self.prepared.flat);
        let subjects: Vec<Subject> = task.subjects().collect();
        if subjects.len() != answers.len() {
            return Err(failure("subjects", "other answers than questions".to_string()));
        }
        let mode = Mode { bound: ask.bound, ignore_deadlock: ask.ignore_deadlock };
        for (answer, subject) in answers.iter().zip(subjects) {
            let what = self.describe(subject);
            // Slicing may overlook a number that is too large, and then another search is needed.
            let again = answer.notes.contains(&Note::SearchedAgain);
            let sliced = ask.reductions.slice && self.overflows();
            let bug = answer.reason().is_some_and(Reason::is_bug);
            // Who was stopped before the other search leaves the question open.
            if bug && late && sliced {
                *seen.open.entry(answer.evidence()).or_default() += 1;
                continue;
            }
            if bug || (again && !sliced) {
                return Err(failure("internal error", format!("{what}: {}", answer.evidence())));
            }
            let found = match answer.verdict() {
                Answered::Holds => Word::Holds,
                Answered::Violated => Word::Violated,
                Answered::ModelError => Word::Invalid,
                // Diagrams decide every question about a small system that can be asked.
                Answered::Unknown if engine == DIAGRAMS && ask.bound.is_none() && !late => {
                    return Err(failure("unknown", format!("{what}: {}", answer.evidence())));
                }
                Answered::Unknown => {
                    *seen.open.entry(answer.evidence()).or_default() += 1;
                    continue;
                }
            };
            // Slicing does not promise to notice numbers that are too large in what is not needed. For solvers integers have no
            // end, and they may win a race.
            let endless = matches!(engine, Decider::Smt | Decider::Auto);
            if (ask.reductions.slice || endless) && self.overflows() {
                seen.tolerated += 1;
                continue;
            }
            // Counterexamples come in another order here: where there is an error as well, both are right, even if a
            // search of states would always see the error.
            let expected = self.right(subject, mode, &[], false);
            let violated = found == Word::Violated && expected.aside == found;
            if !violated && !expected.words.contains(&found) {
                let words =
                    format!("{what} is {found:?} ({}), expected {:?}", answer.evidence(), expected.words);
                return Err(failure("verdict", words));
            }
            // Where some values are not known, more steps are possible: that there is none may go unnoticed. Scopes are
            // looked at by the explicit engine, which may have no memory left for that.
            let unseen = memory.is_some() && expected.vacuous.is_none();
            // So may who was stopped.
            let coarse = engine == Decider::Abstract || answer.engine.as_deref() == Some("abstract");
            let silent = answer.vacuous().is_none() && (coarse || unseen || late);
            let vacuous = expected.vacuous.as_ref().or(expected.scope.as_ref());
            // A scope that never opens never closes, which is decided last, and neither does one where no step is possible.
            let stronger = [Vacuity::NeverOpens, Vacuity::NoStep, Vacuity::NoInitialState];
            let unclosed = vacuous.is_some_and(|vacuous| stronger.contains(vacuous))
                && answer.vacuous() == Some(&Vacuity::NeverCloses);
            let weaker = late && (unclosed || answer.vacuous() == expected.scope.as_ref());
            if found == Word::Holds && !silent && !weaker && answer.vacuous() != vacuous {
                let words = format!("{what}: {:?}, expected {vacuous:?}", answer.vacuous());
                return Err(failure("vacuous", words));
            }
            seen.findings += 1;
            seen.loose += usize::from(expected.words.len() > 1);
            seen.replayed += usize::from(answer.trace.is_some());
            seen.composed += usize::from(answer.composition.as_ref().is_some_and(|c| c.nodes.len() > 1));
            *seen.verdicts.entry((self.name(subject), found)).or_default() += 1;
        }
        Ok(seen)
    }

    /// Asks all engines at once to check one another: how many answers there were.
    pub fn cross_check(&mut self, ask: Ask) -> Result<usize, Failure> {
        let failure = |words: String| Failure { sort: "cross-check", ask: Some(ask), words };
        let options = VerifyOptions {
            engine: Decider::Auto,
            cross_check: true,
            depth: Some(DEPTH),
            ..ask.options(&self.prepared.flat)
        };
        let stop = AtomicBool::new(false);
        let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
        let Ok(report) = verify(&self.prepared, &options, &control) else {
            return Err(failure("the session knows other properties".to_string()));
        };
        // Which numbers are noticed to be too large depends on what is taken to be needed.
        if ask.reductions.slice && self.overflows() {
            return Ok(0);
        }
        match report.answers.iter().find(|a| a.reason().is_some_and(Reason::is_bug)) {
            Some(wrong) => Err(failure(format!(
                "{} of {}: {}",
                wrong.name,
                wrong.engine.as_deref().unwrap_or("-"),
                wrong.evidence()
            ))),
            None => Ok(report.answers.iter().filter(|a| a.verdict() != Answered::Unknown).count()),
        }
    }
}
