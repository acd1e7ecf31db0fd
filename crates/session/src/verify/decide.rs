//! Who decides: one engine, whoever is first, or all of them.

use super::{Answer, Answered, VerifyOptions, answer, severity};
use crate::exit::Exit;
use crate::open::Prepared;
use swarmcheck_engine::{Control, Engine, Finding, Reason, Reductions, Subject, Task};
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
    task: &Task<'_>,
    control: &Control<'_>,
) -> Vec<Answer> {
    let asker = Asker { prepared, options, control };
    if let Some(witness) = &options.witness {
        let elsewhere = Elsewhere { witness: witness.clone() };
        return elsewhere.run(task, control).into_iter().map(|f| asker.answer(elsewhere.name(), f)).collect();
    }
    match options.engine.entry() {
        _ if options.cross_check => asker.all(task),
        Some(entry) => asker.alone(task, entry),
        None => asker.first(task),
    }
}

struct Asker<'a> {
    prepared: &'a Prepared,
    options: &'a VerifyOptions,
    control: &'a Control<'a>,
}

impl Asker<'_> {
    fn answer(&self, engine: &'static str, finding: Finding) -> Answer {
        answer(self.prepared, self.options, engine, finding, self.control)
    }

    /// What one engine finds.
    fn run(&self, task: &Task<'_>, entry: &Entry) -> Vec<Finding> {
        let all = self.options.cross_check;
        let engine = entry.engine(self.options.depth.or(all.then_some(FAR)));
        match entry.decider {
            // It counts what it uses, and always ends.
            Decider::Explicit => engine.run(task, self.control),
            _ => memory::guarded(&*engine, task, self.control, all.then_some(PATIENCE)),
        }
    }

    /// One engine.
    fn alone(&self, task: &Task<'_>, entry: &'static Entry) -> Vec<Answer> {
        let findings = self.run(task, entry);
        let each = |finding: Finding| {
            let subject = finding.subject;
            self.or_again(task, entry, subject, self.answer(entry.name, finding))
        };
        findings.into_iter().map(each).collect()
    }

    /// Whoever is first.
    fn first(&self, task: &Task<'_>) -> Vec<Answer> {
        let race = Race {
            task,
            depth: self.options.depth,
            head_start: self.options.head_start,
            control: self.control,
        };
        let mut judge = |engine: &'static str, finding: Finding| {
            let answer = self.answer(engine, finding);
            let settled = answer.verdict != Answered::Unknown;
            (answer, settled)
        };
        let each = |(subject, fate): (Subject, Fate<Answer>)| match fate {
            Fate::Settled(mut answer, before) => {
                // Somebody else was right; that somebody was wrong is still worth a report.
                let failed = before.iter().filter(|other| other.exit == Exit::Failure);
                let told =
                    failed.map(|other| format!("an engine has failed: {}: {}", other.engine, other.evidence));
                answer.notes.extend(told);
                answer
            }
            Fate::Open(given) => {
                let blank = || self.answer("-", unknown(subject, "no engine has answered"));
                self.or_again(task, &ENGINES[0], subject, combined(given).unwrap_or_else(blank))
            }
        };
        race.run(&mut judge).into_iter().map(each).collect()
    }

    /// Asks once more, without reductions: a trace that the rules refuse must not be the last word if the reductions are
    /// to blame. They overlook a number that is too large in what they take to be irrelevant.
    fn or_again(&self, task: &Task<'_>, entry: &'static Entry, subject: Subject, first: Answer) -> Answer {
        if first.exit != Exit::Failure || task.reductions == Reductions::NONE {
            return first;
        }
        let whole = Task { reductions: Reductions::NONE, ..task.only(subject) };
        let Some(finding) = self.run(&whole, entry).into_iter().next() else {
            return first;
        };
        let mut second = self.answer(entry.name, finding);
        second.notes.push("searched again without reductions, after a search with them failed".to_string());
        second
    }

    /// All engines that can, one after the other, question by question.
    fn all(&self, task: &Task<'_>) -> Vec<Answer> {
        let mut out = vec![];
        for subject in task.subjects() {
            let asked = task.only(subject);
            let able = ENGINES.iter().filter(|e| e.engine(None).can_handle(&asked).is_ok());
            let mut answers: Vec<Answer> = vec![];
            for entry in able {
                let found = self.run(&asked, entry).into_iter();
                answers
                    .extend(found.map(|f| self.or_again(&asked, entry, subject, self.answer(entry.name, f))));
            }
            disagreement(&mut answers);
            out.append(&mut answers);
        }
        out
    }
}

fn unknown(subject: Subject, words: &str) -> Finding {
    swarmcheck_explicit::decide::unknown(subject, Reason::Internal(words.to_string()))
}

/// One answer of several that are none: why each engine has stopped.
fn combined(given: Vec<Answer>) -> Option<Answer> {
    let reasons: Vec<String> = given.iter().map(|a| format!("{}: {}", a.engine, a.evidence)).collect();
    let same = given.windows(2).all(|pair| pair[0].evidence == pair[1].evidence);
    let exit = given.iter().map(|a| a.exit).max_by_key(|exit| severity(*exit));
    let several = given.len() > 1;
    let mut first = given.into_iter().next()?;
    first.exit = exit.unwrap_or(first.exit);
    if several {
        first.engine = "-";
        first.evidence = if same { first.evidence } else { reasons.join("; ") };
    }
    Some(first)
}

/// If two engines contradict each other, neither answer counts. An error of the model and a violation do not: a model may
/// have both, and an engine tells what it finds first.
fn disagreement(answers: &mut [Answer]) {
    let says = |answers: &[Answer], word: Answered| answers.iter().any(|a| a.verdict == word);
    let against = says(answers, Answered::Violated) || says(answers, Answered::ModelError);
    if !(says(answers, Answered::Holds) && against) {
        return;
    }
    for answer in answers.iter_mut().filter(|a| a.verdict != Answered::Unknown) {
        answer.evidence = format!("internal error: the engines disagree; this one: {}", answer.evidence);
        answer.exit = Exit::Failure;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use swarmcheck_engine::Effort;

    fn given(engine: &'static str, verdict: Answered, exit: Exit) -> Answer {
        Answer {
            name: "P".to_string(),
            question: String::new(),
            engine,
            verdict,
            evidence: format!("what {engine} says"),
            vacuous: None,
            notes: vec![],
            effort: Effort::default(),
            trace: None,
            certificate: None,
            exit,
        }
    }

    /// Whether these verdicts together are an internal error.
    fn contradict(verdicts: &[Answered]) -> bool {
        let mut answers: Vec<Answer> = verdicts.iter().map(|v| given("e", *v, Exit::Fine)).collect();
        disagreement(&mut answers);
        for (answer, verdict) in answers.iter().zip(verdicts) {
            assert_eq!(answer.verdict, *verdict, "both sides are still told");
            assert!(answer.evidence.ends_with("what e says"), "{}", answer.evidence);
        }
        answers.iter().any(|a| a.exit == Exit::Failure)
    }

    #[test]
    fn engines_that_disagree_are_an_internal_error() {
        use Answered::{Holds, ModelError, Unknown, Violated};
        assert!(contradict(&[Holds, Violated]));
        assert!(contradict(&[Unknown, ModelError, Holds]));
        assert!(!contradict(&[Holds, Unknown, Holds]));
        // A model may have an error and violate a property.
        assert!(!contradict(&[Violated, ModelError]));
        assert!(!contradict(&[Unknown]));
    }

    #[test]
    fn no_answer_says_why_each_engine_has_stopped() {
        let unknown = |engine, exit| given(engine, Answered::Unknown, exit);
        let both = combined(vec![unknown("explicit", Exit::Inconclusive), unknown("ic3", Exit::Interrupted)])
            .unwrap();
        assert_eq!(both.evidence, "explicit: what explicit says; ic3: what ic3 says");
        assert_eq!((both.engine, both.exit), ("-", Exit::Interrupted));
        let one = combined(vec![unknown("explicit", Exit::Inconclusive)]).unwrap();
        assert_eq!((one.engine, one.evidence.as_str()), ("explicit", "what explicit says"));
        assert!(combined(vec![]).is_none());
    }
}
