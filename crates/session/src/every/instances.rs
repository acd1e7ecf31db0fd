//! Deciding the instances of one size.

use super::{Every, numbers};
use crate::outcome::{Answer, Answered, DEADLOCK};
use crate::refusal::Refusal;
use crate::verify::{self, VerifyOptions};
use crate::words;
use swarmcheck_engine::{Control, Vacuity};

/// Larger instances are not begun after a search of so many states.
const MOST_STATES: u64 = 2_000_000;

/// What is known about a question.
pub(super) struct Asked {
    pub(super) name: String,
    /// It was answered.
    pub(super) done: bool,
    /// A proof was looked for.
    pub(super) tried: bool,
    /// It holds in all instances with up to so many agents.
    pub(super) largest: Option<u32>,
    /// Larger instances would take too long.
    too_large: bool,
    /// Why larger instances were not decided.
    pub(super) ended: Option<String>,
    /// Why there is no proof.
    pub(super) unproved: Option<String>,
    /// The last answer about an instance.
    pub(super) last: Option<Answer>,
    /// Some instance was decided, and all of them vacuously.
    is_vacuous: Option<bool>,
}

impl Asked {
    pub(super) fn new(name: String) -> Asked {
        Asked {
            name,
            done: false,
            tried: false,
            largest: None,
            too_large: false,
            ended: None,
            unproved: None,
            last: None,
            is_vacuous: None,
        }
    }

    /// Why all instances that were decided say little: what the last one says.
    pub(super) fn vacuous(&self) -> Option<Vacuity> {
        let last = self.last.as_ref().and_then(|answer| answer.vacuous());
        last.filter(|_| self.is_vacuous == Some(true)).cloned()
    }

    /// Larger instances are of use.
    pub(super) fn is_growing(&self) -> bool {
        self.is_open() && !self.too_large
    }

    fn is_open(&self) -> bool {
        !self.done && self.ended.is_none()
    }
}

impl Every<'_> {
    /// Decides all instances with this sum of numbers.
    pub(super) fn decide_all(&self, total: u32, asked: &mut [Asked]) -> Result<(), Refusal> {
        let growing: Vec<bool> = asked.iter().map(Asked::is_growing).collect();
        let instances = numbers::instances(&self.model.open, total, &self.constraint);
        for instance in &instances {
            let open =
                asked.iter().zip(&growing).filter(|(question, growing)| **growing && question.is_open());
            let names: Vec<String> = open.map(|(question, _)| question.name.clone()).collect();
            if names.is_empty() || self.stopped() {
                return Ok(());
            }
            let prepared = self.model.prepared(instance)?;
            let properties: Vec<String> = names.iter().filter(|name| *name != DEADLOCK).cloned().collect();
            let options = VerifyOptions {
                deadlock: names.iter().any(|name| name == DEADLOCK),
                only: Some(names),
                properties,
                certify: false,
                ..self.options.clone()
            };
            let progress = self.progress(&prepared);
            let control = Control { stop: self.host.stop(), budget: self.host.budget(), progress: &progress };
            for mut answer in verify::verify(&prepared, &options, &control)?.answers {
                let Some(question) = asked.iter_mut().find(|question| question.name == answer.name) else {
                    continue;
                };
                match answer.verdict() {
                    Answered::Violated | Answered::ModelError => {
                        let numbers = self.model.open.iter().zip(instance);
                        answer.instance =
                            numbers.map(|(open, number)| (open.name.clone(), *number)).collect();
                        question.done = true;
                        self.tell(answer);
                    }
                    Answered::Unknown => {
                        question.ended = Some(answer.reason().map(words::reason).unwrap_or_default());
                    }
                    Answered::Holds => {
                        question.too_large |= answer.effort.states > MOST_STATES;
                        let is_vacuous = answer.vacuous().is_some();
                        question.is_vacuous = Some(is_vacuous && question.is_vacuous != Some(false));
                        question.last = Some(answer);
                    }
                }
            }
        }
        for (question, _) in asked.iter_mut().zip(growing).filter(|(_, growing)| *growing) {
            let known = !instances.is_empty() || question.largest.is_some();
            if question.is_open() && known && !self.stopped() {
                question.largest = Some(total);
            }
        }
        Ok(())
    }
}
