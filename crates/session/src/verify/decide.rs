//! Who decides: one engine, the first of several that answers, or all of them.

use super::{VerifyOptions, answer, question_of};
use crate::open::Prepared;
use crate::outcome::{Answer, Answered, DEADLOCK, FaultWord, Outcome, Reason, Side, Stopped};
use crate::words;
use swarmcheck_engine::{
    self as engine, Control, Engine, Finding, Note, Reductions, SolverName, Subject, Task,
};
use swarmcheck_portfolio::memory::{self, Patience};
use swarmcheck_portfolio::{Decider, ENGINES, Entry, Fate, Race};
use swarmcheck_symbolic::Elsewhere;

/// In a cross-check, engines that look at executions of growing length and may do so for ever look this far.
const FAR: u32 = 20;

/// And all engines but the explicit one are waited for so long, each.
const PATIENCE: Patience = Patience { seconds: 10 };

/// The answers to all questions of a task.
pub(super) fn answers(
    prepared: &Prepared,
    options: &VerifyOptions,
    task: &Task,
    control: &Control<'_>,
    tell: &mut dyn FnMut(&Answer),
) -> Vec<Answer> {
    let about = |subject: &Subject, name: &str| match subject.property() {
        Some(number) => question_of(prepared, number) == name,
        None => name == DEADLOCK,
    };
    let without = options.without.iter().flat_map(|(name, engine)| {
        let subjects = task.subjects().filter(move |subject| about(subject, name));
        subjects.map(move |subject| (subject, engine.as_str()))
    });
    let asker = Asker { prepared, options, control, without: without.collect() };
    if let Some(witness) = &options.witness {
        let elsewhere = Elsewhere { witness: witness.clone() };
        let found = elsewhere.run(task, control).into_iter();
        return found.map(|f| told(asker.answer(elsewhere.name(), f), tell)).collect();
    }
    match options.engine.entry() {
        _ if options.cross_check => asker.all(task, tell),
        Some(entry) => asker.alone(task, entry, tell),
        None => asker.first(task, tell),
    }
}

fn told(answer: Answer, tell: &mut dyn FnMut(&Answer)) -> Answer {
    tell(&answer);
    answer
}

struct Asker<'a> {
    prepared: &'a Prepared,
    options: &'a VerifyOptions,
    control: &'a Control<'a>,
    /// Engines that must not be asked again about a question.
    without: Vec<(Subject, &'a str)>,
}

impl Asker<'_> {
    fn answer(&self, engine: &str, finding: Finding) -> Answer {
        answer(self.prepared, self.options, engine, finding, self.control)
    }

    /// What one engine finds.
    fn run(&self, task: &Task, entry: &Entry) -> Vec<Finding> {
        let all = self.options.cross_check;
        let engine = entry.engine(self.options.depth.or(all.then_some(FAR)));
        // The explicit engine always ends.
        let patience = (all && entry.decider != Decider::Explicit).then_some(PATIENCE);
        memory::guarded(&*engine, task, self.control, patience)
    }

    /// One engine, whose questions take turns.
    fn alone(&self, task: &Task, entry: &'static Entry, tell: &mut dyn FnMut(&Answer)) -> Vec<Answer> {
        let race = self.race(task, Some(entry));
        let mut judge = |engine: &'static str, finding: Finding| {
            let answer = self.answer(engine, finding);
            if !answer.reason().is_some_and(Reason::is_bug) {
                tell(&answer);
            }
            (answer, true)
        };
        let fates = race.run(&mut judge);
        let each = |(subject, fate): (Subject, Fate<Answer>)| {
            let blank = || self.blank(subject);
            let answer = match fate {
                Fate::Settled(answer, _) if !answer.reason().is_some_and(Reason::is_bug) => return answer,
                Fate::Settled(answer, _) => answer,
                Fate::Open(given) => given.into_iter().next().unwrap_or_else(blank),
            };
            told(self.or_again(task, entry, subject, answer), tell)
        };
        fates.into_iter().map(each).collect()
    }

    /// The question is open, and no engine has said anything about it.
    fn blank(&self, subject: Subject) -> Answer {
        let outcome = Outcome::unknown(Reason::NoAnswer);
        Answer { engine: None, outcome, ..self.answer("", unknown(subject)) }
    }

    /// A race of all engines, or of one, without those that have been the end of a worker.
    fn race<'t>(&'t self, task: &'t Task, only: Option<&'static Entry>) -> Race<'t> {
        Race {
            task,
            depth: self.options.depth,
            head_start: self.options.head_start,
            only,
            without: &self.without,
            control: self.control,
        }
    }

    /// The first engine that answers.
    fn first(&self, task: &Task, tell: &mut dyn FnMut(&Answer)) -> Vec<Answer> {
        let race = self.race(task, None);
        // An engine that was wrong is worth a report even if another one was right.
        let mut failed: Vec<(Subject, Note)> = vec![];
        let mut judge = |engine: &'static str, finding: Finding| {
            let subject = finding.subject;
            let mut answer = self.wide(task, subject, self.answer(engine, finding));
            match answer.reason() {
                None => {
                    let notes = failed.iter().filter(|(about, _)| *about == subject);
                    answer.notes.extend(notes.map(|(_, note)| note.clone()));
                    tell(&answer);
                    (answer, true)
                }
                Some(reason) => {
                    if reason.is_bug() {
                        let why = words::reason(reason);
                        failed.push((subject, Note::EngineFailed { engine: engine.to_string(), why }));
                    }
                    (answer, false)
                }
            }
        };
        let fates = race.run(&mut judge);
        let each = |(subject, fate): (Subject, Fate<Answer>)| match fate {
            Fate::Settled(answer, _) => answer,
            Fate::Open(given) => {
                let blank = || self.blank(subject);
                told(self.or_again(task, &ENGINES[0], subject, combined(given).unwrap_or_else(blank)), tell)
            }
        };
        fates.into_iter().map(each).collect()
    }

    /// An answer that does not end with numbers of 64 bits, if a solver for integers has one: integers are mathematical.
    fn wide(&self, task: &Task, subject: Subject, answer: Answer) -> Answer {
        let asked = task.only(subject);
        let solvers = self.control.progress.solvers();
        let able = || SolverName::ALL.into_iter().any(|name| solvers.has(name));
        let Some(entry) = Decider::Smt.entry().filter(|_| is_overflow(&answer) && able()) else {
            return answer;
        };
        let engine = entry.engine(self.options.depth);
        if self.without.contains(&(subject, entry.name)) || engine.can_handle(&asked).is_err() {
            return answer;
        }
        let found = memory::guarded(&*engine, &asked, self.control, Some(PATIENCE)).into_iter().next();
        let found = found.map(|finding| self.answer(entry.name, finding));
        found.filter(|found| found.reason().is_none()).unwrap_or(answer)
    }

    /// Asks once more, without reductions: a trace that the rules refuse must not be the last word if the reductions are
    /// to blame. They overlook a number that is too large in what they take to be irrelevant.
    fn or_again(&self, task: &Task, entry: &'static Entry, subject: Subject, first: Answer) -> Answer {
        // That nobody has answered, because nobody is left, says nothing about the reductions.
        let bug = first.reason().is_some_and(|reason| reason.is_bug() && *reason != Reason::NoAnswer);
        if !bug
            || self.without.contains(&(subject, entry.name))
            || task.reductions == Reductions::NONE
            || self.control.stopped()
        {
            return first;
        }
        let whole = task.only(subject).unreduced();
        let Some(finding) = self.run(&whole, entry).into_iter().next() else {
            return first;
        };
        let mut second = self.answer(entry.name, finding);
        second.notes.push(Note::SearchedAgain);
        second
    }

    /// All engines that can, one after the other, question by question.
    fn all(&self, task: &Task, tell: &mut dyn FnMut(&Answer)) -> Vec<Answer> {
        let mut out = vec![];
        for subject in task.subjects() {
            let asked = task.only(subject);
            let able = ENGINES.iter().filter(|e| {
                !self.without.contains(&(subject, e.name)) && e.engine(None).can_handle(&asked).is_ok()
            });
            let mut answers: Vec<Answer> = vec![];
            for entry in able {
                let found = self.run(&asked, entry).into_iter();
                answers
                    .extend(found.map(|f| self.or_again(&asked, entry, subject, self.answer(entry.name, f))));
            }
            disagreement(&mut answers);
            answers.iter().for_each(&mut *tell);
            out.append(&mut answers);
        }
        out
    }
}

/// Whether a number was too large for an engine.
fn is_overflow(answer: &Answer) -> bool {
    matches!(&answer.outcome, Outcome::ModelError { error, .. } if error.kind == FaultWord::Overflow)
}

/// Whether a property was proved for integers of any size.
fn is_over_integers(answer: &Answer) -> bool {
    use crate::outcome::Evidence;
    let evidence = match &answer.outcome {
        Outcome::Holds { evidence, .. } => Some(evidence),
        _ => None,
    };
    matches!(evidence, Some(Evidence::IntegerInvariant { .. } | Evidence::IntegerInduction { .. }))
}

fn unknown(subject: Subject) -> Finding {
    Finding::unknown(subject, engine::Reason::Interrupted)
}

/// One answer of several that are none: why each engine has stopped.
fn combined(mut given: Vec<Answer>) -> Option<Answer> {
    // Who could not begin says what would help, and nothing else.
    let helpless = |answer: &Answer| answer.notes.contains(&Note::NoSolver);
    let missing = given.len() > 1 && given.iter().any(helpless);
    if missing {
        given.retain(|answer| !helpless(answer));
    }
    let mut engines: Vec<Stopped> = vec![];
    for answer in &given {
        if let (Some(engine), Some(reason)) = (&answer.engine, answer.reason()) {
            engines.push(Stopped { engine: engine.clone(), reason: Box::new(reason.clone()) });
        }
    }
    let several = given.len() > 1;
    // What was counted is told of the engine that came furthest.
    let mut chosen = given.into_iter().max_by_key(|answer| answer.effort.states)?;
    if several {
        let same = engines.windows(2).all(|pair| pair[0].reason == pair[1].reason);
        chosen.engine = None;
        if !same {
            chosen.outcome = Outcome::unknown(Reason::Several { engines });
        }
    }
    chosen.notes.extend(missing.then_some(Note::NoSolver));
    Some(chosen)
}

/// If two engines contradict each other, the verdict is unknown, with both sides. An error of the model and a violation do
/// not contradict each other: a model may have both, and an engine tells what it finds first.
fn disagreement(answers: &mut [Answer]) {
    // Integers are mathematical: that a number needs more bits than an engine has contradicts no proof over integers.
    let holds =
        |over: bool| answers.iter().any(|a| a.verdict() == Answered::Holds && is_over_integers(a) == over);
    let (some, narrow) = (holds(true) || holds(false), holds(false));
    let contradicts = |a: &Answer| match a.verdict() {
        Answered::Violated => some,
        Answered::ModelError => {
            if is_overflow(a) {
                narrow
            } else {
                some
            }
        }
        Answered::Holds | Answered::Unknown => false,
    };
    if !answers.iter().any(contradicts) {
        return;
    }
    let decided = answers.iter().filter(|a| a.verdict() != Answered::Unknown);
    let sides: Vec<Side> = decided
        .map(|a| Side { engine: a.engine.clone().unwrap_or_default(), outcome: Box::new(a.outcome.clone()) })
        .collect();
    for answer in answers.iter_mut().filter(|a| a.verdict() != Answered::Unknown) {
        answer.outcome = Outcome::unknown(Reason::Disagreement { sides: sides.clone() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Evidence, ModelFault, Violation};

    fn given(engine: &str, outcome: Outcome) -> Answer {
        Answer { engine: Some(engine.to_string()), outcome, ..Answer::open("P", "", Reason::NoAnswer) }
    }

    fn outcome(verdict: Answered) -> Outcome {
        match verdict {
            Answered::Holds => Outcome::Holds { evidence: Evidence::Explored, vacuous: None },
            Answered::Violated => Outcome::Violated { evidence: Violation::NoExecution },
            Answered::ModelError => {
                let kind = crate::outcome::FaultWord::Overflow;
                let error = ModelFault { kind, file: "m".to_string(), line: 1, column: 1, detail: None };
                Outcome::ModelError { error, steps: None }
            }
            Answered::Unknown => Outcome::unknown(Reason::Memory),
        }
    }

    /// The sides that are told if these verdicts contradict each other.
    fn contradict(verdicts: &[Answered]) -> Option<Vec<Answered>> {
        let mut answers: Vec<Answer> = verdicts.iter().map(|v| given("e", outcome(*v))).collect();
        disagreement(&mut answers);
        let mut sides = None;
        for (answer, before) in answers.iter().zip(verdicts) {
            match answer.reason() {
                Some(Reason::Disagreement { sides: told }) => {
                    sides = Some(told.iter().map(|side| side.outcome.verdict()).collect());
                }
                _ => assert_eq!(answer.verdict(), *before),
            }
        }
        sides
    }

    #[test]
    fn engines_that_disagree_make_the_verdict_unknown_with_both_sides() {
        use Answered::{Holds, ModelError, Unknown, Violated};
        assert_eq!(contradict(&[Holds, Violated]), Some(vec![Holds, Violated]));
        assert_eq!(contradict(&[Unknown, ModelError, Holds]), Some(vec![ModelError, Holds]));
        assert_eq!(contradict(&[Holds, Unknown, Holds]), None);
        // A model may have an error and violate a property.
        assert_eq!(contradict(&[Violated, ModelError]), None);
        assert_eq!(contradict(&[Unknown]), None);
    }

    #[test]
    fn no_answer_says_why_each_engine_has_stopped() {
        let unknown = |engine, reason| given(engine, Outcome::unknown(reason));
        let both =
            combined(vec![unknown("explicit", Reason::Memory), unknown("ic3", Reason::Interrupted)]).unwrap();
        assert_eq!(both.evidence(), "explicit: memory limit; ic3: interrupted");
        assert_eq!(both.engine, None);
        assert!(both.reason().unwrap().includes(&Reason::Interrupted));
        let one = combined(vec![unknown("explicit", Reason::Memory)]).unwrap();
        assert_eq!((one.engine.as_deref(), one.evidence().as_str()), (Some("explicit"), "memory limit"));
        assert!(combined(vec![]).is_none());
    }
}
