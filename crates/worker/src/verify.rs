//! Verification that survives its workers: when one dies, the questions that were under way lose the engines that were at
//! work on them, and everything that is still open is asked again in another worker.
//!
//! That ends, because each restart takes at least one pair of a question and an engine out of the race; and there are at most
//! [`RESTARTS`].

use crate::supervise::{Limits, Next, Stop, Worker, WorkerFailure};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use swarmcheck_session::event::ProgressData;
use swarmcheck_session::outcome::{Answer, Outcome, Reason, Stopped, WorkerEnd};
use swarmcheck_session::{Event, Note, Refusal, Request, words};

/// More workers are not started for one request.
const RESTARTS: usize = 12;

/// The engine that keeps to its limit on memory by itself, so that it is the last to be blamed.
const EXPLICIT: &str = "explicit";

/// What came of a supervised verification.
#[derive(Debug, Default)]
pub struct Supervised {
    /// One answer per question, or per question and engine, in the order of the questions.
    pub answers: Vec<Answer>,
    /// Why there are none.
    pub refusal: Option<Refusal>,
    /// Why the work was stopped, if it was.
    pub stopped: Option<Stop>,
}

/// Decides. Events are passed on as they come, answers included.
pub fn verify(
    request: &Request,
    limits: Limits,
    directory: Option<&Path>,
    interrupted: &dyn Fn() -> bool,
    hear: &mut dyn FnMut(&Event),
) -> Result<Supervised, String> {
    let mut known = Known::default();
    let mut request = request.clone();
    for attempt in 0..=RESTARTS {
        let mut worker = Worker::start(request.clone(), limits, directory)?;
        let failure = loop {
            match worker.next(interrupted) {
                Next::Event(event) => known.take(*event, attempt == 0, hear),
                Next::Done => break None,
                Next::Failed(failure) => break Some(failure),
            }
        };
        // A worker that went over its memory is followed by another; what ends that one is why the work ends.
        known.stopped = worker.stopped();
        // A worker that is stopped while it prepares refuses; what others have decided before stands.
        let failure = match (failure, &known.refusal) {
            (None, Some(Refusal::Unfinished { .. })) if !known.questions.is_empty() => {
                known.refusal = None;
                WorkerFailure::Stopped(worker.stopped().unwrap_or(Stop::Unneeded))
            }
            (None, _) => break,
            (Some(failure), _) => failure,
        };
        let again = known.lose(&failure);
        let stopped =
            matches!(failure, WorkerFailure::Stopped(Stop::Interrupted | Stop::TimeLimit | Stop::Unneeded));
        if stopped || !again || attempt == RESTARTS || limits.expired() || known.open().is_empty() {
            known.give_up(&failure, hear);
            break;
        }
        if let Request::Verify { options, .. } = &mut request {
            options.without = known.without.iter().cloned().collect();
            options.only = Some(known.open());
        }
    }
    Ok(known.finish())
}

/// What is known of the questions so far.
#[derive(Default)]
struct Known {
    questions: Vec<String>,
    answers: Vec<Answer>,
    refusal: Option<Refusal>,
    stopped: Option<Stop>,
    /// Engines at work, by question.
    under_way: BTreeSet<(String, String)>,
    /// What was last told of an engine at work on a question.
    progress: BTreeMap<String, ProgressData>,
    /// Pairs that a worker has died of.
    without: BTreeSet<(String, String)>,
    /// And how, in order.
    losses: Vec<(String, Stopped)>,
}

impl Known {
    fn take(&mut self, event: Event, first: bool, hear: &mut dyn FnMut(&Event)) {
        match event {
            Event::Answer(mut answer) => {
                self.amend(&mut answer);
                self.answers.push((*answer).clone());
                return hear(&Event::Answer(answer));
            }
            Event::Refused { ref refusal } => self.refusal = Some(refusal.clone()),
            Event::Questions { ref names, .. } if first => self.questions = names.clone(),
            Event::Started { ref question, ref engine } => {
                self.under_way.insert((question.clone(), engine.clone()));
            }
            Event::Stopped { ref question, ref engine } => {
                self.under_way.remove(&(question.clone(), engine.clone()));
            }
            Event::Progress(ref progress) => {
                if let Some(question) = &progress.question {
                    self.progress.insert(question.clone(), progress.clone());
                }
            }
            // A second worker has nothing new to say about the model.
            Event::Warnings { .. } | Event::Opened { .. } if !first => return,
            _ => {}
        }
        hear(&event);
    }

    /// An answer that comes after a worker has died also tells of that.
    fn amend(&self, answer: &mut Answer) {
        let lost: Vec<&Stopped> =
            self.losses.iter().filter(|(question, _)| *question == answer.name).map(|(_, s)| s).collect();
        if lost.is_empty() {
            return;
        }
        match &mut answer.outcome {
            Outcome::Unknown { reason } => {
                let mut engines: Vec<Stopped> = lost.into_iter().cloned().collect();
                match &mut *reason {
                    Reason::Several { engines: others } => engines.append(others),
                    Reason::NoAnswer => {}
                    other => engines.push(Stopped {
                        engine: answer.engine.clone().unwrap_or_else(|| "others".to_string()),
                        reason: Box::new(other.clone()),
                    }),
                }
                let same = engines.windows(2).all(|pair| pair[0].reason == pair[1].reason);
                *reason = match engines.first() {
                    Some(only) if same => (*only.reason).clone(),
                    _ => Reason::Several { engines },
                };
            }
            _ => answer.notes.extend(lost.into_iter().map(|stopped| Note::EngineFailed {
                engine: stopped.engine.clone(),
                why: words::reason(&stopped.reason),
            })),
        }
    }

    /// The questions without an answer.
    fn open(&self) -> Vec<String> {
        let answered: BTreeSet<&str> = self.answers.iter().map(|answer| answer.name.as_str()).collect();
        self.questions.iter().filter(|name| !answered.contains(name.as_str())).cloned().collect()
    }

    /// A worker is gone. Whether asking again is of use: who was at work is known, and can be left out.
    fn lose(&mut self, failure: &WorkerFailure) -> bool {
        let open: BTreeSet<String> = self.open().into_iter().collect();
        let mut guilty: Vec<(String, String)> =
            std::mem::take(&mut self.under_way).into_iter().filter(|(q, _)| open.contains(q)).collect();
        let memory = matches!(
            failure,
            WorkerFailure::Stopped(Stop::Memory) | WorkerFailure::Ended(WorkerEnd::OutOfMemory)
        );
        if memory && guilty.iter().any(|(_, engine)| engine != EXPLICIT) {
            guilty.retain(|(_, engine)| engine != EXPLICIT);
        }
        for (question, engine) in &guilty {
            let reason = Box::new(failure.reason(vec![engine.clone()]));
            let stopped = Stopped { engine: engine.clone(), reason };
            self.losses.push((question.clone(), stopped));
        }
        let before = self.without.len();
        self.without.extend(guilty);
        self.without.len() > before
    }

    /// No other worker is started: what is open stays open, with the numbers that were last told.
    fn give_up(&mut self, failure: &WorkerFailure, hear: &mut dyn FnMut(&Event)) {
        for name in self.open() {
            let mut answer = Answer::open(name.clone(), "", failure.reason(vec![]));
            if let Some(progress) = self.progress.get(&name) {
                answer.engine = progress.engine.clone();
                answer.effort.states = progress.done;
                answer.effort.depth = u32::try_from(progress.depth).unwrap_or(u32::MAX);
                answer.effort.memory = progress.memory;
                answer.effort.seconds = progress.elapsed;
            }
            self.amend(&mut answer);
            hear(&Event::Answer(Box::new(answer.clone())));
            self.answers.push(answer);
        }
        if self.questions.is_empty() && self.refusal.is_none() {
            let refusal = Refusal::Unfinished { reason: failure.reason(vec![]) };
            hear(&Event::Refused { refusal: refusal.clone() });
            self.refusal = Some(refusal);
        }
    }

    fn finish(mut self) -> Supervised {
        let questions = self.questions.iter().enumerate();
        let places: BTreeMap<&str, usize> = questions.map(|(at, name)| (name.as_str(), at)).collect();
        // Sorting is stable: several answers about one question keep their order.
        let mut answers = std::mem::take(&mut self.answers);
        answers.sort_by_key(|answer| places.get(answer.name.as_str()).copied());
        // The parent knows why it has stopped the worker; the worker does not.
        if self.stopped == Some(Stop::TimeLimit) {
            answers.iter_mut().for_each(|answer| answer.outcome.by_the_clock());
            self.refusal.iter_mut().for_each(Refusal::by_the_clock);
        }
        Supervised { answers, refusal: self.refusal, stopped: self.stopped }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started(question: &str, engine: &str) -> Event {
        Event::Started { question: question.to_string(), engine: engine.to_string() }
    }

    /// Two questions; `explicit` and `bdd` are at work on the first.
    fn under_way() -> Known {
        let mut known = Known::default();
        let names = vec!["P".to_string(), "Q".to_string()];
        for event in
            [Event::Questions { names, places: vec![] }, started("P", "explicit"), started("P", "bdd")]
        {
            known.take(event, true, &mut |_| {});
        }
        known
    }

    fn answered(known: &mut Known, name: &str, reason: Reason) -> Answer {
        let mut told = None;
        let answer = Answer { engine: Some("ic3".to_string()), ..Answer::open(name, "", reason) };
        known.take(Event::Answer(Box::new(answer)), false, &mut |event| {
            if let Event::Answer(answer) = event {
                told = Some((**answer).clone());
            }
        });
        told.expect("answers are passed on")
    }

    #[test]
    fn memory_is_first_blamed_on_engines_that_do_not_count_it() {
        let mut known = under_way();
        assert!(known.lose(&WorkerFailure::Stopped(Stop::Memory)));
        let without: Vec<(String, String)> = known.without.iter().cloned().collect();
        assert_eq!(without, [("P".to_string(), "bdd".to_string())]);
        // Alone, the explicit engine is to blame.
        known.take(started("P", "explicit"), false, &mut |_| {});
        assert!(known.lose(&WorkerFailure::Ended(WorkerEnd::OutOfMemory)));
        assert_eq!(known.without.len(), 2);
        // Nobody was at work: asking again would end in the same way.
        assert!(!known.lose(&WorkerFailure::Stopped(Stop::Memory)));
    }

    #[test]
    fn an_answer_tells_of_the_workers_that_died_before_it() {
        let mut known = under_way();
        let failure = WorkerFailure::Ended(WorkerEnd::Signal { number: 9 });
        assert!(known.lose(&failure));
        assert_eq!(known.without.len(), 2);
        let answer = answered(&mut known, "P", Reason::Interrupted);
        let Some(Reason::Several { engines }) = answer.reason() else { panic!("{answer:?}") };
        let who: Vec<&str> = engines.iter().map(|stopped| stopped.engine.as_str()).collect();
        assert_eq!(who, ["bdd", "explicit", "ic3"]);
        assert!(answer.reason().is_some_and(|reason| reason.includes(&Reason::Interrupted)));
        // The other question has lost nothing.
        assert_eq!(answered(&mut known, "Q", Reason::Memory).reason(), Some(&Reason::Memory));
        assert!(known.open().is_empty());
    }

    #[test]
    fn what_is_open_in_the_end_has_the_numbers_that_were_told_last() {
        let mut known = under_way();
        let progress = ProgressData {
            question: Some("P".to_string()),
            engine: Some("explicit".to_string()),
            done: 1234,
            elapsed: 2.5,
            ..ProgressData::default()
        };
        known.take(Event::Progress(progress), true, &mut |_| {});
        known.stopped = Some(Stop::TimeLimit);
        known.give_up(&WorkerFailure::Stopped(Stop::TimeLimit), &mut |_| {});
        let answers = known.finish().answers;
        assert_eq!(answers.len(), 2);
        assert_eq!((answers[0].effort.states, answers[0].effort.seconds), (1234, 2.5));
        assert!(answers.iter().all(|answer| answer.reason() == Some(&Reason::TimeLimit)));
    }
}
