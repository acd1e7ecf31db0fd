//! The engine `smt`: questions put to a solver for integers, with searches side by side; the first answer counts.

use crate::check::{Checked, IntegerProof, check, checker};
use crate::formula::Formula;
use crate::problem::Problem;
use crate::search::{Found, Search};
use crate::solver::Talk;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread::Builder;
use swarmcheck_engine::certificate::{Certificate, Proof};
use swarmcheck_engine::{
    Control, Effort, Engine, Evidence, Executions, Finding, Note, Phase, Reason, Reductions, SolverName,
    Subject, Task, Vacuity, Verdict,
};
use swarmcheck_ir::VarId;
use swarmcheck_ir::ground::Ground;
use swarmcheck_question::concrete::{AsTheyAre, Ending};
use swarmcheck_question::{QuestionKind, Questions, SearchShape, Smaller, questions};

/// Expressions are followed by recursion. Only what is used takes memory.
const STACK: usize = 64 << 20;

/// The engine that asks solvers for integers.
#[derive(Clone, Copy, Debug)]
pub struct Smt {
    /// Longer executions are not looked at.
    pub depth: u32,
}

const NO_SOLVER: &str = "no solver for integers is installed";

impl Engine for Smt {
    fn name(&self) -> &'static str {
        "smt"
    }

    /// Numbers that have a range are for other engines.
    fn can_handle(&self, task: &Task) -> Result<(), String> {
        for subject in task.subjects() {
            let found = questions(&task.setting(), subject).map_err(|refusal| refusal.to_string())?;
            if found.only().kind == QuestionKind::Reachable {
                return Err("what can be reached from every state is for the explicit engine".to_string());
            }
            if !matches!(found.shape, SearchShape::Whole | SearchShape::Before) {
                return Err("executions of a number of steps are for 'bmc'".to_string());
            }
        }
        match has_wide_numbers(task) {
            true => Ok(()),
            false => Err("every number has a range: other engines decide it".to_string()),
        }
    }

    fn run(&self, task: &Task, control: &Control<'_>) -> Vec<Finding> {
        let task = &task.folding();
        let answer = |(number, subject): (usize, Subject)| {
            let began = control.progress.seconds();
            let mut finding = self.decide(task, control, subject);
            finding.effort.search = number as u32;
            finding.effort.seconds = control.progress.seconds() - began;
            finding
        };
        task.subjects().enumerate().map(answer).collect()
    }
}

const NO_LASSO: &str =
    "what matters recurs for ever, but other numbers never do: no execution that repeats itself shows it";

/// Whether some variable has no finite range.
fn has_wide_numbers(task: &Task) -> bool {
    let folded = task.setting().folded();
    let wide = |number: u32| match folded.range(VarId(number)) {
        None => task.program.var(VarId(number)).domain.is_none(),
        Some(range) => range.values.is_none() && (range.lo.is_none() || range.hi.is_none()),
    };
    (0..task.program.vars.len() as u32).any(wide)
}

/// Reductions that have a meaning for formulas: symmetry and order change how states are stored and visited. Without ranges
/// nothing is known about indices.
fn meaningful(reductions: &Reductions) -> Reductions {
    Reductions {
        symmetry: false,
        data_symmetry: false,
        partial_order: false,
        packed: false,
        interfaces: false,
        smart_order: false,
        ..*reductions
    }
}

/// A question, the program that was made smaller for it, and the formulas of both.
struct Posed {
    questions: Questions,
    smaller: Smaller,
    ground: Ground,
    problem: Problem,
}

fn pose(task: &Task, subject: Subject, reductions: &Reductions) -> Result<Posed, Reason> {
    let questions = questions(&task.setting(), subject)?;
    questions.is_small_enough()?;
    let mut smaller = questions.smaller(reductions);
    if !reductions.ranges {
        smaller.program = swarmcheck_passes::ranges::narrow(&smaller.program).program;
    }
    let ground = Ground::new(&smaller.program);
    let problem = Problem::new(&questions, &smaller.program, &ground, task.ignore_deadlock);
    let problem = problem.map_err(|refusal| Reason::Unsupported(refusal.why))?;
    Ok(Posed { questions, smaller, ground, problem })
}

impl Smt {
    fn decide(&self, task: &Task, control: &Control<'_>, subject: Subject) -> Finding {
        control.enter(Phase::Preparing);
        let done = AtomicBool::new(false);
        let talk = Talk { control, done: &done };
        let Some(&solver) = talk.there().first() else {
            let mut finding = Finding::unknown(subject, Reason::Unsupported(NO_SOLVER.to_string()));
            finding.notes.push(Note::NoSolver);
            return finding;
        };
        let reductions = meaningful(&task.reductions);
        let posed = match pose(task, subject, &reductions) {
            Ok(posed) => posed,
            Err(reason) => return Finding::unknown(subject, reason),
        };
        let Posed { questions, smaller, ground, problem } = &posed;
        let executions = Executions { questions, task, control, smaller, ground, stored: &AsTheyAre };
        let mut finding = Finding::unknown(subject, Reason::Interrupted);
        finding.notes = smaller.notes.iter().map(Note::detail).collect();
        control.enter(Phase::Searching);
        match self.found(problem, talk, solver) {
            Err(reason) => finding.verdict = Verdict::Unknown(reason),
            Ok(Found::Nothing(why)) => finding.verdict = Verdict::Unknown(Reason::Unsupported(why)),
            Ok(Found::Execution { way, ending, why }) => {
                finding.effort = Effort { depth: way.len() as u32 - 1, ..Effort::default() };
                finding.verdict = match executions.violated(&way, ending, why) {
                    // A number that the question does not read may grow for ever.
                    Verdict::Unknown(Reason::Internal(_)) if matches!(ending, Ending::Loop(_)) => {
                        Verdict::Unknown(Reason::Unsupported(NO_LASSO.to_string()))
                    }
                    verdict => verdict,
                };
            }
            Ok(Found::Proof(proof)) => {
                finding.vacuous = vacuous(&executions, subject);
                finding.verdict = Verdict::Holds(evidence(&proof));
                finding.certificate = Some(Box::new(written(problem, reductions, &proof)));
            }
        }
        finding
    }

    /// Lets all searches work side by side.
    fn found(&self, problem: &Problem, talk: Talk<'_>, solver: SolverName) -> Result<Found, Reason> {
        let search = Search { problem, talk, solver, depth: self.depth };
        type Work<'w> = Box<dyn FnOnce() -> Result<Found, Reason> + Send + 'w>;
        let mut all: Vec<Work<'_>> = match problem.cycles {
            None => vec![Box::new(move || search.by_length())],
            Some(_) => vec![Box::new(move || search.cycles()), Box::new(move || search.rounds_by_length())],
        };
        if talk.there().contains(&SolverName::Z3) {
            all.push(Box::new(move || search.by_clauses()));
        }
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            for work in all {
                let (sender, failed) = (sender.clone(), sender.clone());
                let work = move || {
                    let _ = sender.send(work());
                };
                if Builder::new().stack_size(STACK).spawn_scoped(scope, work).is_err() {
                    let _ = failed.send(Err(Reason::Memory));
                }
            }
            drop(sender);
            let mut reasons: Vec<String> = vec![];
            let mut failure = None;
            // Whoever has nothing to say leaves it to the others.
            for found in &receiver {
                match found {
                    Ok(Found::Nothing(why)) if why.is_empty() || reasons.contains(&why) => {}
                    Ok(Found::Nothing(why)) => reasons.push(why),
                    Ok(found) => {
                        talk.done.store(true, Ordering::Relaxed);
                        return Ok(found);
                    }
                    Err(reason) => failure = failure.or(Some(reason)),
                }
            }
            match failure {
                Some(failure) => Err(failure),
                None => Ok(Found::Nothing(reasons.join("; "))),
            }
        })
    }
}

/// Why a property that holds says nothing.
fn vacuous(executions: &Executions<'_>, subject: Subject) -> Option<Vacuity> {
    match executions.over_nobody(subject).or_else(|| executions.nothing_happens()) {
        // That nothing can happen is what was asked.
        Some(Vacuity::NoStep) if subject == Subject::DeadlockFreedom => None,
        found => found,
    }
}

fn evidence(proof: &IntegerProof) -> Evidence {
    match proof.states {
        0 => Evidence::IntegerInvariant(proof.invariant.parts().len() as u32),
        states => Evidence::IntegerInduction(states),
    }
}

/// What the variables of the formulas are called.
fn names(problem: &Problem) -> Vec<String> {
    problem.system.text.variables().into_iter().map(|variable| variable.name).collect()
}

fn written(problem: &Problem, reductions: Reductions, proof: &IntegerProof) -> Certificate {
    let IntegerProof { invariant, states, distinct, rounds, solver } = proof;
    let (invariant, words) = (invariant.text(""), invariant.list());
    let proof = Proof::Integers {
        invariant,
        words,
        states: *states,
        distinct: *distinct,
        rounds: *rounds,
        solver: *solver,
    };
    Certificate { reductions, widths: 0, bits: names(problem), proofs: vec![proof] }
}

/// Checks a certificate over integers: how many variables a state has, or why it is refused. The question is put again, and the
/// solver is another one than the one that has found the proof, if there is one.
pub fn check_integers(
    task: &Task,
    subject: Subject,
    certificate: &Certificate,
    control: &Control<'_>,
) -> Result<usize, String> {
    let [Proof::Integers { invariant, words, states, distinct, rounds, solver }] = &certificate.proofs[..]
    else {
        return Err("it should have one proof over integers".to_string());
    };
    let task = &Task { reductions: certificate.reductions, ..task.clone() }.folding();
    let posed =
        pose(task, subject, &meaningful(&certificate.reductions)).map_err(|reason| reason.to_string())?;
    let problem = &posed.problem;
    if names(problem) != certificate.bits {
        return Err("the variables of the model are others".to_string());
    }
    if problem.cycles.is_some() != rounds.is_some() {
        return Err("it is about another kind of question".to_string());
    }
    let invariant = Formula::read(invariant, &problem.system.text.variables())
        .map_err(|why| format!("the invariant is not understood: {why}"))?;
    if *words != invariant.list() {
        return Err("the words of the invariant say something else than its formula".to_string());
    }
    if *states > if *distinct { MOST_DISTINCT } else { MOST_STATES } {
        return Err("it is an induction over too many states".to_string());
    }
    let proof =
        IntegerProof { invariant, states: *states, distinct: *distinct, rounds: *rounds, solver: *solver };
    let done = AtomicBool::new(false);
    let talk = Talk { control, done: &done };
    let name = checker(*solver, talk).ok_or(NO_CHECKER)?;
    match check(problem, &proof, name, talk).map_err(|reason| reason.to_string())? {
        Checked::Accepted => Ok(certificate.bits.len()),
        Checked::Refused(why) => Err(why.to_string()),
    }
}

/// Inductions over more states are refused: paths of that length would be written out, and distinct states be compared in pairs.
const MOST_STATES: u32 = 100_000;
const MOST_DISTINCT: u32 = 2_000;

const NO_CHECKER: &str = "no solver for integers is installed that could check it: apt-get install z3";
