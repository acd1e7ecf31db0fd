//! The symbolic engines: bounded search, induction, IC3 and decision diagrams on the bits of a program.
//!
//! Each question is answered on its own, about a program made smaller for it. Passes that change the number of steps are
//! left out where steps count, as in the explicit engine; symmetry and order, which change how states are stored and
//! visited, have no meaning here.

use crate::ask::{Asked, Shown};
use crate::certificate::{meaningful, names};
use crate::diagrams;
use crate::obligation::{Posed, ProgramQuestion, bits, pose};
use crate::search::{Depths, Search};
use swarmcheck_bits::code::WIDTHS;
use swarmcheck_bits::hard;
use swarmcheck_engine::certificate::Certificate;
use swarmcheck_engine::{
    Control, Effort, Engine, Evidence, Finding, Note, Phase, Reason, Reductions, Subject, Task, Verdict,
};
use swarmcheck_explicit::decide::{QuestionKind, SearchJob, SearchShape, job, sharing, unknown};
use swarmcheck_explicit::execution::Executions;
use swarmcheck_ir::ground::Ground;
use swarmcheck_prove::Limits;

/// How properties are proved. Counterexamples are found by all, the shortest first by the first two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Executions of growing length: proves only what is decided within a number of steps.
    Bounded,
    /// Induction over paths of growing length.
    Induction,
    /// Invariants found clause by clause.
    Ic3,
    /// Sets of states as decision diagrams: all that is reachable.
    Diagrams,
}

/// An engine that decides a question on the program as a system of bits.
#[derive(Clone, Copy, Debug)]
pub struct Symbolic {
    pub method: Method,
    /// Executions longer than this are not looked at; questions about longer ones are left open.
    pub depth: u32,
}

impl Symbolic {
    /// The engine for a method, which stops only when told to.
    pub fn new(method: Method) -> Symbolic {
        Symbolic { method, depth: u32::MAX }
    }
}

impl Engine for Symbolic {
    fn name(&self) -> &'static str {
        match self.method {
            Method::Bounded => "bmc",
            Method::Induction => "kind",
            Method::Ic3 => "ic3",
            Method::Diagrams => "bdd",
        }
    }

    fn can_handle(&self, task: &Task<'_>) -> Result<(), String> {
        for &property in &task.properties {
            let found = job(task, Subject::Property(property)).map_err(|reason| reason.to_string())?;
            if let Some(reason) = found.questions.iter().find_map(|q| self.unsupported(q.kind)) {
                return Err(reason);
            }
        }
        Ok(())
    }

    fn run(&self, task: &Task<'_>, control: &Control<'_>) -> Vec<Finding> {
        let task = &sharing(task);
        let subjects = task.subjects();
        let answer = |(number, subject): (usize, Subject)| {
            let mut finding = self.decide(task, control, subject);
            finding.effort.search = number as u32;
            finding
        };
        subjects.enumerate().map(answer).collect()
    }
}

impl Symbolic {
    /// Why this is not for a symbolic engine.
    pub(crate) fn unsupported(&self, kind: QuestionKind) -> Option<String> {
        let words = match kind {
            _ if self.method == Method::Diagrams => return None,
            QuestionKind::Reachable => {
                "what can be reached from every state is not a question about single executions"
            }
            QuestionKind::Scope { waits: true } if self.method == Method::Bounded => {
                "executions of growing length do not decide whether a scope stays open"
            }
            QuestionKind::Always
            | QuestionKind::Alive
            | QuestionKind::Kept
            | QuestionKind::Reached
            | QuestionKind::Recurs
            | QuestionKind::Scope { .. } => {
                return None;
            }
        };
        Some(format!("{words}: the explicit engine decides it"))
    }

    fn decide(&self, task: &Task<'_>, control: &Control<'_>, subject: Subject) -> Finding {
        let began = control.progress.seconds();
        let found = job(task, subject).and_then(|job| {
            job.is_small_enough()?;
            let kind = job.questions.first().map_or(QuestionKind::Always, |q| q.kind);
            self.unsupported(kind).map_or(Ok(()), |why| Err(Reason::Unsupported(why)))?;
            Ok((job, kind))
        });
        let (job, kind) = match found {
            Ok(found) => found,
            Err(reason) => return unknown(subject, reason),
        };
        let mut finding = self.attempt(&job, kind, task, control, subject);
        let failed = matches!(finding.verdict, Verdict::Unknown(Reason::Internal(_)));
        if failed && task.reductions != Reductions::NONE && !control.stopped() {
            let whole = Task { reductions: Reductions::NONE, shared: None, ..task.clone() };
            finding = self.attempt(&job, kind, &whole, control, subject);
            finding.notes.push(Note::SearchedAgain);
        }
        finding.effort.seconds = control.progress.seconds() - began;
        finding
    }

    fn attempt(
        &self,
        job: &SearchJob,
        kind: QuestionKind,
        task: &Task<'_>,
        control: &Control<'_>,
        subject: Subject,
    ) -> Finding {
        control.enter(Phase::Preparing);
        let reductions = meaningful(&task.reductions);
        let smaller = job.smaller(&reductions);
        let ground = Ground::new(&smaller.program);
        let executions = Executions::as_they_are(job, task, control, &smaller, &ground);
        let mut finding = unknown(subject, Reason::Internal("a value left its range".to_string()));
        for guess in 0..WIDTHS.len() {
            match self.with_widths(&executions, kind, subject, guess) {
                Ok(None) => continue,
                Ok(Some(found)) => finding = found,
                Err(reason) => finding = unknown(subject, reason),
            }
            break;
        }
        finding.notes.splice(0..0, smaller.notes.iter().map(Note::detail));
        finding
    }

    /// An answer; none if the widths assumed turned out to be too small.
    fn with_widths(
        &self,
        executions: &Executions<'_>,
        kind: QuestionKind,
        subject: Subject,
        guess: usize,
    ) -> Result<Option<Finding>, Reason> {
        let (program, ground) = (&executions.smaller.program, executions.ground);
        let (job, task) = (executions.job, executions.task);
        let control = executions.control;
        let question = ProgramQuestion { job, subject, kind, program, ground };
        if self.method == Method::Diagrams {
            let (encoded, conditions) = bits(question, guess, control)?;
            return diagrams::decide(executions, encoded, conditions, kind, subject);
        }
        let posed = pose(question, task.ignore_deadlock, guess, control)?;
        let Posed { asked, broken, wrong } = posed;
        let depths = Depths::new(job.shape, task.bound, self.depth);
        // Executions begin with known numbers, and are followed from there; proofs are about any numbers.
        if self.method != Method::Bounded && !depths.bounded {
            hard::check(hard::SOLVERS).map_err(too_hard)?;
        }
        let turn = || control.progress.turn();
        let limits = Limits { stop: Some(control.stop), turn: Some(&turn), ..Limits::default() };
        control.enter(Phase::Searching);
        let mut search = Search {
            asked: &asked,
            executions,
            method: self.method,
            broken,
            wrong,
            depths,
            reached: 0,
            limits,
            proofs: vec![],
        };
        let mut notes = vec![Note::detail(size(&asked))];
        let verdict = match search.run() {
            Ok(Shown::TooNarrow) => return Ok(None),
            Ok(Shown::Verdict(verdict)) => verdict,
            Err(Reason::Interrupted) => {
                notes.extend(search.looked_at());
                Verdict::Unknown(Reason::Interrupted)
            }
            Err(reason) => return Err(reason),
        };
        let vacuous = match verdict {
            Verdict::Holds(_) => search.vacuous(subject)?,
            _ => None,
        };
        let effort = Effort { depth: search.reached, ..Effort::default() };
        // A proof by counting is about another system than the one that a check would work out.
        let proved = matches!(verdict, Verdict::Holds(_))
            && kind != QuestionKind::Recurs
            && !search.proofs.is_empty()
            && !search.depths.bounded;
        let certificate = proved.then(|| {
            Box::new(Certificate {
                reductions: meaningful(&task.reductions),
                widths: guess,
                bits: names(program, &ground.layout, &asked.encoded),
                proofs: search.proofs,
            })
        });
        Ok(Some(Finding { subject, verdict, vacuous, notes, effort, certificate }))
    }
}

pub(crate) fn size(asked: &Asked) -> String {
    let system = &asked.encoded.system;
    format!(
        "as a formula: {} bits of state, {} of choice, {} gates",
        system.latches.len(),
        system.inputs.len(),
        system.graph.nodes().len()
    )
}

/// That nothing speaks against a property: it holds, as far as was looked.
pub(crate) fn holds(shape: SearchShape, bound: Option<u32>, evidence: Evidence) -> Verdict {
    let steps = match shape {
        SearchShape::After { steps, .. } => Some(steps),
        _ => bound,
    };
    Verdict::Holds(steps.map_or(evidence, Evidence::Bounded))
}

/// Why a program is not taken on of which a formula would be too hard.
pub(crate) fn too_hard(hard::TooHard { bits }: hard::TooHard) -> Reason {
    Reason::Unsupported(format!(
        "products or quotients of numbers of {bits} bits are too hard as a formula: the explicit engine computes \
         with them, and bounds on the variables make them shorter"
    ))
}
