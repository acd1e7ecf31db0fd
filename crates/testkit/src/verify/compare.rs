//! Whether an engine's answers about a system are right.

use super::ask::Ask;
use super::expect::{Expected, Mode, Word, expected};
use super::view::{Counts, Facts};
use super::{open, steps};
use crate::search::Space;
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{
    Budget, Control, Engine, Evidence, Finding, Note, Reason, Reductions, Subject, Verdict, Why,
};
use swarmcheck_explicit::Explicit;
use swarmcheck_ir::{FaultKind, Inside, Modality};
use swarmcheck_labs::lower;
use swarmcheck_session::Prepared;
use swarmcheck_session::verify::{Answered, verify};

/// What is wrong: a word for the sort of it, so that shrinking does not slip from one error to another, and the rest.
#[derive(Clone, Debug)]
pub struct Failure {
    pub sort: &'static str,
    /// How it was asked, if it was.
    pub ask: Option<Ask>,
    pub words: String,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.ask {
            Some(ask) => write!(f, "{}, with {ask}: {}", self.sort, self.words),
            None => write!(f, "{}: {}", self.sort, self.words),
        }
    }
}

/// How often each modality had each verdict, and other counts.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// By modality and verdict, each property of each system once.
    pub verdicts: BTreeMap<(&'static str, Word), usize>,
    /// Findings compared.
    pub findings: usize,
    /// Findings whose counts were compared.
    pub counted: usize,
    /// Counterexamples whose length was compared.
    pub shortest: usize,
    /// Counterexamples replayed.
    pub replayed: usize,
    /// Findings where several answers are right.
    pub loose: usize,
    /// Findings about systems for which nothing is promised.
    pub tolerated: usize,
    /// Questions for which an engine took too long.
    pub late: usize,
    /// Questions that an engine left open, by its reason.
    pub open: BTreeMap<String, usize>,
    /// The findings of systems that an engine made of several processes.
    pub composed: usize,
}

impl Seen {
    pub fn add(&mut self, other: &Seen) {
        for (key, count) in &other.verdicts {
            *self.verdicts.entry(*key).or_default() += count;
        }
        self.findings += other.findings;
        self.counted += other.counted;
        self.shortest += other.shortest;
        self.replayed += other.replayed;
        self.loose += other.loose;
        self.tolerated += other.tolerated;
        self.late += other.late;
        for (reason, count) in &other.open {
            *self.open.entry(reason.clone()).or_default() += count;
        }
        self.composed += other.composed;
    }
}

/// The name of a modality in statistics.
pub fn name(modality: Option<&Modality>) -> &'static str {
    match modality {
        None => "deadlock",
        Some(Modality::Always) => "always",
        Some(Modality::Eventually) => "eventually",
        Some(Modality::Finally) => "finally",
        Some(Modality::Fairly) => "fairly",
        Some(Modality::FairlyInf) => "fairly_inf",
        Some(Modality::After(_)) => "after",
        Some(Modality::Linear(_)) => "linear",
        Some(Modality::Scoped { open, inside, .. }) => match (open, inside) {
            (false, Inside::Always) => "between always",
            (false, Inside::ThereIs) => "between thereIs",
            (false, Inside::Precedes(_)) => "between precedes",
            (true, Inside::Always) => "from until always",
            (true, Inside::ThereIs) => "from until thereIs",
            (true, Inside::Precedes(_)) => "from until precedes",
        },
    }
}

/// A question together with what its search shares.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct ExpectedKey {
    subject: Subject,
    mode: Mode,
    /// Other questions answered by the same search.
    others: Vec<Subject>,
    /// No reduction was used.
    precise: bool,
}

/// A system with all its states.
pub struct System {
    /// The system.
    pub prepared: Prepared,
    /// Its states.
    pub space: Space,
    facts: Facts,
    /// What was replayed already.
    replayed: HashSet<String>,
    /// What is right, as far as it was worked out.
    right: BTreeMap<ExpectedKey, Rc<Expected>>,
}

impl System {
    /// Explores a system; `None` if it is refused or too large.
    pub fn new(text: &str, reading: lower::Options, most: usize) -> Option<System> {
        let prepared = open(text, reading).ok()?;
        let space = Space::explore(&prepared.flat, most);
        let facts = Facts::new(&prepared.flat, &space);
        space.complete.then(|| System {
            prepared,
            space,
            facts,
            replayed: HashSet::new(),
            right: BTreeMap::new(),
        })
    }

    /// Compares what searches are built from.
    pub fn compare_steps(&self) -> Result<(), Failure> {
        steps::compare(&self.prepared.flat, &self.space).map_err(|words| Failure {
            sort: "steps",
            ask: None,
            words,
        })
    }

    /// What the engine says.
    pub fn findings(&self, ask: Ask) -> Vec<Finding> {
        Explicit.run(&ask.task(&self.prepared.flat), &control(&AtomicBool::new(false)))
    }

    /// Some number does not fit 64 bits, somewhere. Slicing does not promise to notice.
    pub fn overflows(&self) -> bool {
        let steps = self.facts.faults.iter().flatten();
        let conditions = self.facts.conditions.iter().flatten().flatten().filter_map(|c| c.as_ref().err());
        let mut all = steps.chain(conditions).chain(&self.facts.initial);
        all.any(|fault| fault.kind == FaultKind::Overflow)
    }

    /// Asks the engine and compares.
    pub fn compare(&mut self, ask: Ask) -> Result<Seen, Failure> {
        let findings = self.findings(ask);
        let seen = if ask.reductions.slice && self.overflows() {
            let lost = findings.iter().any(|f| matches!(f.verdict, Verdict::Unknown(Reason::Internal(_))));
            if lost {
                let words = "where a number does not fit".to_string();
                return Err(Failure { sort: "internal error", ask: Some(ask), words });
            }
            Seen { tolerated: findings.len(), ..Seen::default() }
        } else {
            self.judge(ask, &findings)?
        };
        self.replay(ask, &findings, seen)
    }

    /// Whether findings are right, as far as that can be seen without replaying traces.
    pub fn judge(&mut self, ask: Ask, findings: &[Finding]) -> Result<Seen, Failure> {
        let mut seen = Seen::default();
        let failure = |sort, words| Failure { sort, ask: Some(ask), words };
        let task = ask.task(&self.prepared.flat);
        let subjects = task.subjects();
        if !subjects.eq(findings.iter().map(|f| f.subject)) {
            return Err(failure("subjects", "other findings than questions".to_string()));
        }
        let mode = Mode { bound: ask.bound, ignore_deadlock: ask.ignore_deadlock };
        for finding in findings {
            // Questions that were not taken on belong to no search.
            let together = |f: &&Finding| {
                f.subject == finding.subject
                    || f.effort.search == finding.effort.search && word(&f.verdict) != Word::Unknown
            };
            let group: Vec<&Finding> = findings.iter().filter(together).collect();
            let others: Vec<Subject> =
                group.iter().map(|f| f.subject).filter(|s| *s != finding.subject).collect();
            let (found, precise) = (word(&finding.verdict), ask.precise());
            let expected = self.right(finding.subject, mode, &others, precise);
            let what = self.describe(finding.subject);
            if let Verdict::Unknown(reason) = &finding.verdict
                && !matches!(reason, Reason::Unsupported(_))
            {
                return Err(failure("internal error", format!("{what}: {reason}")));
            }
            if !expected.words.contains(&found) {
                let words = format!("{what} is {found:?}, expected {:?}", expected.words);
                return Err(failure(if expected.faulty { "verdict with errors" } else { "verdict" }, words));
            }
            // The engine may try again without reductions; here that would hide what is looked for.
            if finding.notes.contains(&Note::SearchedAgain) {
                return Err(failure("fallback", format!("{what}: a reduced search failed")));
            }
            if found == Word::Holds && finding.vacuous != expected.vacuous {
                let words = format!("{what}: {:?}, expected {:?}", finding.vacuous, expected.vacuous);
                return Err(failure("vacuous", words));
            }
            self.evidence(finding, ask.bound)
                .map_err(|words| failure("evidence", format!("{what}: {words}")))?;
            seen.findings += 1;
            seen.loose += usize::from(expected.words.len() > 1);
            if ask == Ask::new(Reductions::NONE) {
                *seen.verdicts.entry((self.name(finding.subject), found)).or_default() += 1;
            }
            if precise && found != Word::Unknown {
                let complete = self.is_complete(&group, ask);
                self.counts(finding, &expected, complete, &mut seen)
                    .map_err(|words| failure("counts", format!("{what}: {words}")))?;
                shortest(finding, &expected, &mut seen)
                    .map_err(|words| failure("shortest", format!("{what}: {words}")))?;
            }
        }
        Ok(seen)
    }

    pub(super) fn right(
        &mut self,
        subject: Subject,
        mode: Mode,
        others: &[Subject],
        precise: bool,
    ) -> Rc<Expected> {
        let (flat, space, facts) = (&self.prepared.flat, &self.space, &self.facts);
        let work = || Rc::new(expected(flat, space, facts, subject, mode, others, precise));
        let key = ExpectedKey { subject, mode, others: others.to_vec(), precise };
        self.right.entry(key).or_insert_with(work).clone()
    }

    /// Whether a search that answered these questions went to the end.
    fn is_complete(&self, group: &[&Finding], ask: Ask) -> bool {
        let exhaustive = |f: &Finding| match (&f.verdict, self.name(f.subject)) {
            (Verdict::Holds(_), _) => true,
            (Verdict::Violated(_, why), "eventually" | "finally") => ask.bound.is_none() && *why == Why::Loop,
            (Verdict::Violated(..), "fairly" | "fairly_inf") => ask.ignore_deadlock,
            _ => false,
        };
        group.iter().all(|f| !matches!(f.verdict, Verdict::Invalid(_))) && group.iter().any(|f| exhaustive(f))
    }

    /// Whether an answer says truly how much was looked at.
    fn evidence(&self, finding: &Finding, bound: Option<u32>) -> Result<(), String> {
        let Verdict::Holds(found) = &finding.verdict else { return Ok(()) };
        let expected = match (self.modality(finding.subject), bound) {
            (Some(Modality::After(steps)), _) => Evidence::Bounded(*steps),
            (_, Some(bound)) => Evidence::Bounded(bound),
            (_, None) => Evidence::Explored,
        };
        if *found == expected { Ok(()) } else { Err(format!("{found:?}, expected {expected:?}")) }
    }

    fn counts(
        &self,
        finding: &Finding,
        expected: &Expected,
        complete: bool,
        seen: &mut Seen,
    ) -> Result<(), String> {
        let Some(counts) = expected.counts.filter(|_| complete) else { return Ok(()) };
        let effort = &finding.effort;
        let found = Counts {
            initial: effort.initial,
            states: effort.states,
            transitions: effort.transitions,
            deadlocks: effort.deadlocks,
            depth: effort.depth,
        };
        seen.counted += 1;
        if found == counts { Ok(()) } else { Err(format!("{found:?}, expected {counts:?}")) }
    }

    /// Replays counterexamples that were not seen before: the session refuses what does not show what it should.
    fn replay(&mut self, ask: Ask, findings: &[Finding], mut seen: Seen) -> Result<Seen, Failure> {
        let key = |f: &Finding| match &f.verdict {
            Verdict::Violated(trace, why) => {
                let mode = (ask.bound, ask.ignore_deadlock);
                Some(format!("{:?} {mode:?} {why:?} {trace:?}", f.subject))
            }
            Verdict::Invalid(trace) => Some(format!("{:?} {trace:?}", f.subject)),
            Verdict::Holds(_) | Verdict::Unknown(_) => None,
        };
        let new: Vec<String> =
            findings.iter().filter_map(key).filter(|k| !self.replayed.contains(k)).collect();
        // Without names the session takes all properties.
        let options = ask.options(&self.prepared.flat);
        if new.is_empty()
            || (options.properties.is_empty() && !self.prepared.flat.program.properties.is_empty())
        {
            return Ok(seen);
        }
        seen.replayed += new.len();
        self.replayed.extend(new);
        let stop = AtomicBool::new(false);
        let report = verify(&self.prepared, &options, &control(&stop));
        let answers = report.map(|r| r.answers).unwrap_or_default();
        let failure = |words| Failure { sort: "replay", ask: Some(ask), words };
        if answers.len() != findings.len() {
            return Err(failure("other answers than findings".to_string()));
        }
        let tolerant = ask.reductions.slice && self.overflows();
        for (answer, finding) in answers.iter().zip(findings) {
            let expected = match finding.verdict {
                Verdict::Holds(_) => Answered::Holds,
                Verdict::Violated(..) => Answered::Violated,
                Verdict::Invalid(_) => Answered::ModelError,
                Verdict::Unknown(_) => Answered::Unknown,
            };
            // The session may ask again without reductions when a trace is refused; see `judge`.
            let again = answer.notes.contains(&Note::SearchedAgain);
            // A model may have an error and violate a property. Who asks about all properties at once meets the error of
            // another one; the session asks about each, and must be right about that one alone.
            let troubles = [Answered::ModelError, Answered::Violated];
            let alone = expected == Answered::ModelError && answer.verdict() == Answered::Holds && {
                let mode = Mode { bound: ask.bound, ignore_deadlock: ask.ignore_deadlock };
                self.right(finding.subject, mode, &[], ask.precise()).words.contains(&Word::Holds)
            };
            let either = alone || troubles.contains(&expected) && troubles.contains(&answer.verdict());
            let right = match tolerant {
                true => !answer.reason().is_some_and(swarmcheck_session::Reason::is_bug),
                false => (answer.verdict() == expected || either) && !again,
            };
            if !right {
                let what = self.describe(finding.subject);
                return Err(failure(format!("{what}: found {expected:?}, but {}", answer.evidence())));
            }
        }
        Ok(seen)
    }

    fn modality(&self, subject: Subject) -> Option<&Modality> {
        match subject {
            Subject::Property(number) => Some(&self.prepared.flat.program.properties[number].modality),
            Subject::DeadlockFreedom => None,
        }
    }

    pub(super) fn name(&self, subject: Subject) -> &'static str {
        name(self.modality(subject))
    }

    pub(super) fn describe(&self, subject: Subject) -> String {
        match subject {
            Subject::Property(number) => {
                format!("{} ({})", self.prepared.flat.program.properties[number].name, self.name(subject))
            }
            Subject::DeadlockFreedom => "deadlock freedom".to_string(),
        }
    }
}

fn shortest(finding: &Finding, expected: &Expected, seen: &mut Seen) -> Result<(), String> {
    let (Verdict::Violated(trace, _), Some(least)) = (&finding.verdict, expected.shortest) else {
        return Ok(());
    };
    seen.shortest += 1;
    let steps = trace.steps.len();
    if steps == least as usize { Ok(()) } else { Err(format!("{steps} steps, but {least} are enough")) }
}

pub fn word(verdict: &Verdict) -> Word {
    match verdict {
        Verdict::Holds(_) => Word::Holds,
        Verdict::Violated(..) => Word::Violated,
        Verdict::Invalid(_) => Word::Invalid,
        Verdict::Unknown(_) => Word::Unknown,
    }
}

/// Everything two runs must have in common that differ only in the number of threads: not memory and time.
pub fn fingerprint(findings: &[Finding]) -> Vec<String> {
    let one = |f: &Finding| {
        let mut effort = f.effort;
        (effort.memory, effort.seconds) = (0, 0.0);
        format!("{:?} {:?} {:?} {:?} {effort:?}", f.subject, f.verdict, f.vacuous, f.notes)
    };
    findings.iter().map(one).collect()
}

fn control(stop: &AtomicBool) -> Control<'_> {
    Control { stop, budget: Budget::default(), progress: &Silent }
}
