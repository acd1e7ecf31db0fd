//! The race: the first answer that is accepted wins, and the others stop.
//!
//! Questions are grouped into searches as the explicit engine groups them. Its searches take turns, one at a time and with
//! all threads: short turns at first, so that what is easy is answered soon, whatever else is asked. When a search has
//! gone on for a while, or has ended without an answer, other engines join for its questions: one thread for every two of
//! the explicit engine, at least one. Engines that have no thread wait for their turn. Questions about small systems are
//! therefore answered by the explicit engine, and get the same evidence every time, unless there are many of them.
//!
//! Whoever asks judges the answers, in one thread and in the order in which they come. One that is not accepted (because
//! its trace is refused, or because it is none) is kept, and the race goes on.

use crate::entrant::{Entrant, Work};
use crate::memory::cancellable;
use crate::steward::Steward;
use crate::table::{ENGINES, Entry};
use std::sync::Arc;
use swarmcheck_engine::{Control, Finding, Reason, Subject, Task};
use swarmcheck_question::{FoldedProgram, Plan, plan};

/// How many states the explicit engine visits before others join, unless the caller says otherwise.
pub const HEAD_START: u64 = 100_000;

/// What is to be raced for.
pub struct Race<'a> {
    pub task: &'a Task,
    /// Engines that look at executions of growing length give up after so many steps.
    pub depth: Option<u32>,
    /// How many states the explicit engine visits before others join.
    pub head_start: u64,
    /// Only this engine: its questions take turns, and there is nobody to race with.
    pub only: Option<&'static Entry>,
    /// Engines that must not be asked these questions: they have ended the process before.
    pub without: &'a [(Subject, &'a str)],
    pub control: &'a Control<'a>,
}

/// What became of a question.
pub enum Fate<A> {
    /// This answer was accepted; those before it were not.
    Settled(A, Vec<A>),
    /// None was: these were given.
    Open(Vec<A>),
}

/// Judges what the engine with this name has found: the answer, and whether it settles the question.
pub type Judge<'a, A> = dyn FnMut(&'static str, Finding) -> (A, bool) + 'a;

/// What those in the race say, with their numbers.
pub(crate) enum Message {
    Found(usize, Box<Finding>),
    /// The engine has ended, with or without an answer.
    Gone(usize),
}

/// A question in the race.
pub(crate) struct RaceQuestion<A> {
    pub(crate) subject: Subject,
    /// The search it belongs to, if the explicit engine is asked.
    pub(crate) search: Option<usize>,
    pub(crate) fate: Fate<A>,
    /// Engines other than the explicit one have been entered for it.
    pub(crate) joined: bool,
}

impl<A> RaceQuestion<A> {
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.fate, Fate::Open(_))
    }
}

/// What all threads can see.
pub(crate) struct Field<'a> {
    pub(crate) race: &'a Race<'a>,
    /// The searches of the explicit engine.
    pub(crate) plans: Vec<Plan>,
    /// First the explicit engine, search by search; then the others.
    pub(crate) entrants: Vec<Entrant>,
    /// What is asked, question by question.
    pub(crate) tasks: Vec<Task>,
}

impl Race<'_> {
    /// Whether an engine may be asked a question.
    fn may_ask(&self, subject: Subject, entry: &Entry) -> bool {
        self.only.is_none_or(|only| only.name == entry.name)
            && !self.without.iter().any(|(s, name)| *s == subject && *name == entry.name)
    }

    /// It was time to stop before anybody began.
    fn interrupted<A>(&self, subject: Subject, judge: &mut Judge<'_, A>) -> Fate<A> {
        let name = self.only.map_or(ENGINES[0].name, |entry| entry.name);
        let (answer, settled) = judge(name, Finding::unknown(subject, Reason::Interrupted));
        if settled { Fate::Settled(answer, vec![]) } else { Fate::Open(vec![answer]) }
    }

    /// What the explicit engine does.
    fn plans(&self, folded: &Arc<FoldedProgram>) -> Vec<Plan> {
        let asked: Vec<Subject> =
            self.task.subjects().filter(|subject| self.may_ask(*subject, &ENGINES[0])).collect();
        if asked.is_empty() {
            return vec![];
        }
        plan(&with(self.task.clone(), folded).setting(), asked)
    }

    /// Runs it. One result per question, in the order of the task.
    pub fn run<A>(&self, judge: &mut Judge<'_, A>) -> Vec<(Subject, Fate<A>)> {
        let prepared = cancellable(self.control, || {
            let folded = self.task.setting().folded();
            (self.plans(&folded), folded)
        });
        let Some((plans, folded)) = prepared else {
            return self.task.subjects().map(|subject| (subject, self.interrupted(subject, judge))).collect();
        };
        let search_of = |subject: Subject| plans.iter().position(|plan| plan.subjects.contains(&subject));
        let subjects: Vec<Subject> = self.task.subjects().collect();
        let questions = subjects.iter().map(|&subject| {
            let (search, fate) = (search_of(subject), Fate::Open(vec![]));
            RaceQuestion { subject, search, fate, joined: false }
        });
        let questions = questions.collect();
        let searches = (0..plans.len()).map(|search| Entrant::new(Work::Search(search), &ENGINES[0]));
        let others = subjects.iter().enumerate().flat_map(|(number, &subject)| {
            let able = ENGINES[1..].iter().filter(move |entry| self.may_ask(subject, entry));
            able.map(move |entry| Entrant::new(Work::Question(number), entry))
        });
        let field = Field {
            race: self,
            entrants: searches.chain(others).collect(),
            tasks: subjects.iter().map(|&subject| with(self.task.only(subject), &folded)).collect(),
            plans,
        };
        let mut steward = Steward::new(&field, questions);
        std::thread::scope(|scope| steward.run(scope, judge));
        let mut out: Vec<_> = steward.questions.into_iter().map(|q| (q.subject, q.fate)).collect();
        out.sort_by_key(|(subject, _)| *subject);
        out
    }
}

/// A task with what was worked out before.
fn with(task: Task, folded: &Arc<FoldedProgram>) -> Task {
    Task { folded: Some(Arc::clone(folded)), ..task }
}
