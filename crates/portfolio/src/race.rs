//! The race: the first answer that is accepted wins, and the others stop.
//!
//! Questions are grouped into searches as the explicit engine groups them. It makes one search after the other. When a
//! search has gone on for a while, or has ended without an answer, other engines join for its questions: one thread for
//! every two of the explicit engine, at least one. Engines that have no thread wait for their turn. Small systems are
//! therefore always answered by the explicit engine, and the same question gets the same evidence every time.
//!
//! Whoever asks judges the answers, in one thread and in the order in which they come. One that is not accepted (because
//! its trace is refused, or because it is none) is kept, and the race goes on.

use crate::entrant::Entrant;
use crate::explicit::Watch;
use crate::steward::Steward;
use crate::table::ENGINES;
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::{Control, Finding, Subject, Task};
use swarmcheck_explicit::decide::{Job, jobs};

/// So many states the explicit engine visits before others join, unless it is told otherwise.
pub const HEAD_START: u64 = 100_000;

/// What is to be raced for.
pub struct Race<'a> {
    /// The questions.
    pub task: &'a Task<'a>,
    /// Engines that look at executions of growing length give up after so many steps.
    pub depth: Option<u32>,
    /// So many states the explicit engine visits before others join.
    pub head_start: u64,
    /// When to stop.
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

/// Somebody in the race.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Who {
    /// The explicit engine, in the search with this number.
    Explicit(usize),
    /// One of the others.
    Entrant(usize),
}

/// What those in the race say.
pub(crate) enum Message {
    /// An answer.
    Found(Who, Box<Finding>),
    /// Nothing more comes.
    Gone(Who),
}

/// A question in the race.
pub(crate) struct Question<A> {
    pub(crate) subject: Subject,
    /// The search it belongs to.
    pub(crate) search: usize,
    pub(crate) fate: Fate<A>,
    /// Others have joined.
    pub(crate) joined: bool,
}

impl<A> Question<A> {
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.fate, Fate::Open(_))
    }
}

/// What all threads can see.
pub(crate) struct Field<'a> {
    pub(crate) race: &'a Race<'a>,
    pub(crate) jobs: Vec<Result<Job, Box<Finding>>>,
    /// One for each search.
    pub(crate) stops: Vec<AtomicBool>,
    pub(crate) watch: Watch<'a>,
    pub(crate) entrants: Vec<Entrant>,
    /// What is asked, question by question.
    pub(crate) tasks: Vec<Task<'a>>,
}

impl Race<'_> {
    /// Runs it. One result per question, in the order of the task.
    pub fn run<A>(&self, judge: &mut Judge<'_, A>) -> Vec<(Subject, Fate<A>)> {
        let jobs = jobs(self.task);
        let mut questions = vec![];
        for (search, job) in jobs.iter().enumerate() {
            let subjects = match job {
                Ok(job) => job.questions.iter().map(|q| q.subject).collect(),
                Err(finding) => vec![finding.subject],
            };
            questions.extend(subjects.into_iter().map(|subject| Question {
                subject,
                search,
                fate: Fate::Open(vec![]),
                joined: false,
            }));
        }
        let all = 0..questions.len();
        let entrants = all.flat_map(|question| ENGINES.iter().map(move |e| Entrant::new(question, e)));
        let field = Field {
            race: self,
            stops: jobs.iter().map(|_| AtomicBool::new(false)).collect(),
            watch: Watch::new(self.control.progress),
            entrants: entrants.collect(),
            tasks: questions.iter().map(|q| self.task.only(q.subject)).collect(),
            jobs,
        };
        let mut steward = Steward::new(&field, questions);
        std::thread::scope(|scope| steward.run(scope, judge));
        let mut out: Vec<_> = steward.questions.into_iter().map(|q| (q.subject, q.fate)).collect();
        out.sort_by_key(|(subject, _)| *subject);
        out
    }
}
