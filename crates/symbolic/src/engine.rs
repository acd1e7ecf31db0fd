//! The symbolic engines: bounded search, induction, IC3 and decision diagrams on the bits of a program.
//!
//! Each question is answered on its own, about a program made smaller for it. Passes that change the number of steps are
//! left out where steps count, as in the explicit engine; symmetry and order, which change how states are stored and
//! visited, have no meaning here.

use crate::diagrams;
use crate::search::{Depths, Search};
use swarmcheck_bits::code::guesses;
use swarmcheck_bits::hard;
use swarmcheck_engine::certificate::Certificate;
use swarmcheck_engine::{
    Control, Effort, Engine, Evidence, Executions, Finding, Note, Phase, Reason, Subject, Task, Verdict,
};
use swarmcheck_ir::ground::Ground;
use swarmcheck_proof::ask::{Asked, Shown};
use swarmcheck_proof::certificate::{meaningful, names};
use swarmcheck_proof::obligation::{Posed, ProgramQuestion, bits, pose};
use swarmcheck_prove::Limits;
use swarmcheck_question::concrete::AsTheyAre;
use swarmcheck_question::{QuestionKind, Questions, SearchShape, questions};

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

    fn can_handle(&self, task: &Task) -> Result<(), String> {
        for &property in &task.properties {
            let found = questions(&task.setting(), Subject::Property(property));
            let found = found.map_err(|refusal| refusal.to_string())?;
            if let Some(reason) = found.questions.iter().find_map(|q| self.unsupported(q.kind)) {
                return Err(reason);
            }
        }
        Ok(())
    }

    fn run(&self, task: &Task, control: &Control<'_>) -> Vec<Finding> {
        let task = &task.folding();
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

    fn decide(&self, task: &Task, control: &Control<'_>, subject: Subject) -> Finding {
        let began = control.progress.seconds();
        let found = questions(&task.setting(), subject).map_err(Reason::from).and_then(|questions| {
            questions.is_small_enough()?;
            let why = self.unsupported(questions.only().kind);
            why.map_or(Ok(questions), |why| Err(Reason::Unsupported(why)))
        });
        let questions = match found {
            Ok(found) => found,
            Err(reason) => return Finding::unknown(subject, reason),
        };
        let mut findings = task.twice(control, |task| vec![self.attempt(&questions, task, control)]);
        let mut finding = findings.swap_remove(0);
        finding.effort.seconds = control.progress.seconds() - began;
        finding
    }

    fn attempt(&self, questions: &Questions, task: &Task, control: &Control<'_>) -> Finding {
        let subject = questions.only().subject;
        control.enter(Phase::Preparing);
        let reductions = meaningful(&task.reductions);
        let smaller = questions.smaller(&reductions);
        let ground = Ground::new(&smaller.program);
        let (smaller, ground, stored) = (&smaller, &ground, &AsTheyAre);
        let executions = Executions { questions, task, control, smaller, ground, stored };
        let mut finding = Finding::unknown(subject, Reason::Internal("a value left its range".to_string()));
        for guess in guesses(&smaller.program, ground) {
            match self.with_widths(&executions, guess) {
                Ok(None) => continue,
                Ok(Some(found)) => finding = found,
                Err(reason) => finding = Finding::unknown(subject, reason),
            }
            break;
        }
        finding.notes.splice(0..0, smaller.notes.iter().map(Note::detail));
        finding
    }

    /// An answer; none if the widths assumed turned out to be too small.
    fn with_widths(&self, executions: &Executions<'_>, guess: usize) -> Result<Option<Finding>, Reason> {
        let (program, ground) = (&executions.smaller.program, executions.ground);
        let (questions, task) = (executions.questions, executions.task);
        let swarmcheck_question::Question { subject, kind } = questions.only();
        let control = executions.control;
        let question = ProgramQuestion { questions, subject, kind, program, ground };
        if self.method == Method::Diagrams {
            let (encoded, conditions) = bits(question, guess, control)?;
            return diagrams::decide(executions, encoded, conditions, kind, subject);
        }
        let posed = pose(question, task.ignore_deadlock, guess, control)?;
        let Posed { asked, broken, wrong } = posed;
        let depths = Depths::new(questions.shape, task.bound, self.depth);
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
        Ok(Some(Finding { subject, verdict, vacuous, notes, effort, certificate, composition: None }))
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
