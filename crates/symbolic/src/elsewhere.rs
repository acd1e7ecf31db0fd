//! Questions for other model checkers, and what their answers mean for the program.
//!
//! A question goes out as a system of bits with one set of bad states. It is made from the program in the same way each
//! time, so that an answer can be read without keeping anything: an execution of the bits becomes a trace exactly as one
//! that was found here does, and whoever gets the trace replays it. An answer that is no execution of the question is
//! refused; that something is unreachable is not believed without a proof.

use crate::engine::{Method, Symbolic};
use swarmcheck_aig::{CheckerAnswer, Lit, System, Unusable, aiger, btor2};
use swarmcheck_bits::code::WIDTHS;
use swarmcheck_engine::{Control, Engine, Executions, Finding, Reason, Reductions, Subject, Task, Verdict};
use swarmcheck_ir::ground::Ground;
use swarmcheck_proof::ask::{Asked, Shown};
use swarmcheck_proof::certificate::meaningful;
use swarmcheck_proof::obligation::{Posed, ProgramQuestion, pose};
use swarmcheck_prove::liveness::{self, LivenessQuestion};
use swarmcheck_question::concrete::AsTheyAre;
use swarmcheck_question::{QuestionKind, SearchShape, questions};

/// A question, ready to be asked elsewhere.
struct CheckerQuestion {
    asked: Asked,
    /// What is asked, with one bad set.
    system: System,
    /// If it was made from a question about executions that go on for ever: that one.
    lasting: Option<(System, LivenessQuestion)>,
    /// Something went wrong, or the question is answered without going on for ever.
    wrong: Lit,
}

/// The question about a property, or about deadlocks, as a system of bits whose first bad set is reachable if and only if
/// the property is violated or the model has an error. Executions that go on for ever are made finite by saving a state
/// and waiting for it to come back.
pub fn circuit(task: &Task, subject: Subject, control: &Control<'_>) -> Result<System, Reason> {
    with(task, subject, control, |prepared, _| Ok(prepared.system))
}

/// Prepares a question, and does something with it.
fn with<T>(
    task: &Task,
    subject: Subject,
    control: &Control<'_>,
    then: impl FnOnce(CheckerQuestion, &Executions<'_>) -> Result<T, Reason>,
) -> Result<T, Reason> {
    // Whatever was asked for besides: what goes out and what comes back must be about the same bits.
    let task = Task { bound: None, ignore_deadlock: false, reductions: Reductions::ALL, ..task.clone() };
    let task = task.folding();
    let questions = &questions(&task.setting(), subject)?;
    questions.is_small_enough()?;
    let kind = questions.only().kind;
    if let Some(why) = Symbolic::new(Method::Ic3).unsupported(kind) {
        return Err(Reason::Unsupported(why));
    }
    if !matches!(questions.shape, SearchShape::Whole | SearchShape::Before) {
        let why = "a property about a number of steps is not a question about all reachable states";
        return Err(Reason::Unsupported(why.to_string()));
    }
    let smaller = questions.smaller(&meaningful(&task.reductions));
    let ground = Ground::new(&smaller.program);
    let (task, smaller, ground, stored) = (&task, &smaller, &ground, &AsTheyAre);
    let executions = Executions { questions, task, control, smaller, ground, stored };
    // With all bits there are, no number is too large for the question; it may be an error of the model.
    let question = ProgramQuestion { questions, subject, kind, program: &smaller.program, ground };
    let posed = pose(question, task.ignore_deadlock, WIDTHS.len() - 1, control)?;
    let Posed { asked, broken, wrong } = posed;
    let (lasting, wrong) = match kind {
        QuestionKind::Reached => (Some((asked.encoded.system.clone(), asked.lasting())), broken),
        QuestionKind::Recurs => (Some((asked.encoded.system.clone(), asked.lasting())), wrong),
        QuestionKind::Scope { waits: true } => (Some(asked.owed()), wrong),
        _ => (None, wrong),
    };
    let mut system = match &lasting {
        Some((system, question)) => liveness::reduce(system, question, liveness::Method::Saving),
        None => System { bad: vec![], ..asked.encoded.system.clone() },
    };
    let bad = system.bad.first().copied().unwrap_or(Lit::FALSE);
    system.bad = vec![system.graph.or(bad, wrong)];
    then(CheckerQuestion { asked, system, lasting, wrong }, &executions)
}

/// What another model checker said, as an engine.
#[derive(Clone, Debug)]
pub struct Elsewhere {
    /// An AIGER or BTOR2 witness, or a counterexample as ABC writes it.
    pub witness: String,
}

impl Engine for Elsewhere {
    fn name(&self) -> &'static str {
        "witness"
    }

    fn can_handle(&self, task: &Task) -> Result<(), String> {
        match task.properties.len() + usize::from(task.deadlock) {
            1 => Ok(()),
            _ => Err(ONE.to_string()),
        }
    }

    fn run(&self, task: &Task, control: &Control<'_>) -> Vec<Finding> {
        let subjects = task.subjects();
        let answer = |subject| match self.can_handle(task) {
            Ok(()) => self.finding(task, subject, control),
            Err(why) => Finding::unknown(subject, Reason::Unsupported(why)),
        };
        subjects.map(answer).collect()
    }
}

impl Elsewhere {
    fn finding(&self, task: &Task, subject: Subject, control: &Control<'_>) -> Finding {
        let began = control.progress.seconds();
        let verdict = with(task, subject, control, |prepared, executions| {
            let words = |why: Unusable| Reason::Unsupported(format!("{why}: {FIT}"));
            let found = match self.read(&prepared.system).map_err(words)? {
                CheckerAnswer::Reached(_, witness) => witness,
                CheckerAnswer::Unreachable(_) => return Err(Reason::Unsupported(UNPROVED.to_string())),
                CheckerAnswer::Unknown => {
                    return Err(Reason::Unsupported("the answer is 'unknown'".to_string()));
                }
            };
            let shown = match &prepared.lasting {
                Some((system, question)) => {
                    prepared.asked.shown_reduced(executions, system, question, found, prepared.wrong)
                }
                None => Some(prepared.asked.shown(executions, &found)),
            };
            match shown {
                Some(Shown::Verdict(verdict)) => Ok(verdict),
                Some(Shown::TooNarrow) => Err(Reason::Internal("a value left its range".to_string())),
                None => Err(words(Unusable::Wrong)),
            }
        });
        let mut finding = Finding::unknown(subject, Reason::Interrupted);
        finding.verdict = verdict.unwrap_or_else(Verdict::Unknown);
        finding.effort.seconds = control.progress.seconds() - began;
        finding
    }

    fn read(&self, system: &System) -> Result<CheckerAnswer, Unusable> {
        let first = self
            .witness
            .lines()
            .map(str::trim)
            .find(|line| !line.is_empty() && !line.starts_with([';', 'c']));
        match first {
            Some("sat" | "unsat" | "unknown") => btor2::answer(system, &self.witness),
            _ => aiger::answer(system, &self.witness),
        }
    }
}

/// Why more than one question cannot be answered by one witness.
const ONE: &str = "a witness is about one property: name it";

/// What to do about a witness that does not fit.
const FIT: &str = "is it about this property of this model, with these parameters and options?";

/// Why an answer without evidence is not taken.
const UNPROVED: &str = "the answer is that nothing bad can be reached; that is not believed without a proof, which the engine ic3 looks for";
