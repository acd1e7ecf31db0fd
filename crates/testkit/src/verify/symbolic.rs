//! What the symbolic engines answer, through the session, which replays their counterexamples on the reference
//! semantics: the same verdicts as the naive search, wherever they answer.

use super::ask::Ask;
use super::compare::{Failure, Seen, System};
use super::expect::{Mode, Word};
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control, Subject};
use swarmcheck_session::verify::{Answered, Decider, VerifyOptions, verify};
use swarmcheck_symbolic::Method;

/// Searches for executions of growing length go so far. Most counterexamples of small systems are shorter.
const DEPTH: u32 = 12;

const DIAGRAMS: Decider = Decider::Symbolic(Method::Diagrams);

impl System {
    /// Asks an engine and compares.
    pub fn compare_with(&mut self, ask: Ask, engine: Decider) -> Result<Seen, Failure> {
        let mut seen = Seen::default();
        let failure =
            |sort, words: String| Failure { sort, ask: Some(ask), words: format!("{engine:?}: {words}") };
        let options = VerifyOptions { engine, depth: Some(DEPTH), ..ask.options(&self.prepared.flat) };
        let stop = AtomicBool::new(false);
        let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
        let Ok(report) = verify(&self.prepared, &options, &control) else {
            return Err(failure("subjects", "the session knows other properties".to_string()));
        };
        let task = ask.task(&self.prepared.flat);
        let subjects = task.properties.iter().map(|p| Subject::Property(*p));
        let subjects: Vec<Subject> =
            subjects.chain(task.deadlock.then_some(Subject::DeadlockFreedom)).collect();
        if subjects.len() != report.answers.len() {
            return Err(failure("subjects", "other answers than questions".to_string()));
        }
        let mode = Mode { bound: ask.bound, ignore_deadlock: ask.ignore_deadlock };
        for (answer, subject) in report.answers.iter().zip(subjects) {
            let what = self.describe(subject);
            if answer.evidence.starts_with("internal error")
                || answer.notes.iter().any(|n| n.starts_with("searched again"))
            {
                return Err(failure("internal error", format!("{what}: {}", answer.evidence)));
            }
            let found = match answer.verdict {
                Answered::Holds => Word::Holds,
                Answered::Violated => Word::Violated,
                Answered::ModelError => Word::Invalid,
                // Diagrams decide every question about a small system that can be asked.
                Answered::Unknown if engine == DIAGRAMS && ask.bound.is_none() => {
                    return Err(failure("unknown", format!("{what}: {}", answer.evidence)));
                }
                Answered::Unknown => continue,
            };
            // Slicing does not promise to notice numbers that are too large in what is not needed.
            if ask.reductions.slice && self.overflows() {
                seen.tolerated += 1;
                continue;
            }
            // With other solvers other counterexamples come first: where there is an error as well, both are right.
            let expected = self.right(subject, mode, &[], false);
            if !expected.words.contains(&found) {
                let words =
                    format!("{what} is {found:?} ({}), expected {:?}", answer.evidence, expected.words);
                return Err(failure("verdict", words));
            }
            if found == Word::Holds && answer.vacuous != expected.vacuous {
                let words = format!("{what}: {:?}, expected {:?}", answer.vacuous, expected.vacuous);
                return Err(failure("vacuous", words));
            }
            seen.findings += 1;
            seen.loose += usize::from(expected.words.len() > 1);
            seen.replayed += usize::from(answer.trace.is_some());
            *seen.verdicts.entry((self.name(subject), found)).or_default() += 1;
        }
        Ok(seen)
    }
}
