//! Proofs within a number of steps: a formula that says that some execution violates the property, and a refutation of it in LRAT.
//!
//! | question | what the formula says of some execution |
//! |---|---|
//! | within a number of steps | it meets a state that violates the property, or an error of the model |
//! | after a number of steps | it meets an error of the model by then, or violates the property then |
//! | all executions end | the same as within a number of steps, or it makes that many steps |
//! | every execution reaches the goal, and does so early | it meets an error; or it stops without the goal; or it makes that many steps without it |
//!
//! The check makes the formula again, from the model, and needs no solver. It does not depend on how the proof was found.
//!
//! Trusted are: reading and lowering the model, monitors of scopes and products with automata, the reductions that the certificate names
//! (none if a proof without them was found), the encoding as bits (`crates/bits`), [`crate::ask`], and of `crates/prove` the files
//! `within.rs`, `unroll.rs`, `cnf.rs`, `formula.rs` and `lrat.rs`.

use crate::certificate::{meaningful, names};
use crate::obligation::{Posed, ProgramQuestion, pose};
use swarmcheck_aig::Lit;
use swarmcheck_bits::code::WIDTHS;
use swarmcheck_engine::certificate::{BoundedProof, Certificate, Proof};
use swarmcheck_engine::{Control, Reductions, Subject, Task};
use swarmcheck_ir::ground::Ground;
use swarmcheck_prove::formula::Formula;
use swarmcheck_prove::refute::{Refutation, refute};
use swarmcheck_prove::within::{Avoiding, Forbidden, formula};
use swarmcheck_prove::{Limits, lrat};
use swarmcheck_question::{QuestionKind, SearchShape, questions};

/// After so many conflicts the solver gives up.
const CONFLICTS: u32 = 2_000_000;
/// After so many it gives up on the program without reductions: the smaller one is tried then.
const CONFLICTS_WITHOUT_REDUCTIONS: u32 = 20_000;
/// No question about more steps is written as a formula, whatever a certificate says.
const MOST_STEPS: u32 = 1_000_000;

/// A formula, and what the bits of a state hold.
pub struct Stated {
    pub formula: Formula,
    pub bits: Vec<String>,
}

/// A proof of a property that holds within the bound of the task or of the property, or because every execution ends within so
/// many steps. First without reductions, then with those of the task. `None` if there is none, or if it takes too long.
pub fn build(task: &Task, subject: Subject, ends: Option<u32>, control: &Control<'_>) -> Option<Certificate> {
    let reduced = meaningful(&task.reductions);
    if reduced == Reductions::NONE {
        return attempt(task, subject, ends, &reduced, CONFLICTS, control);
    }
    let without = attempt(task, subject, ends, &Reductions::NONE, CONFLICTS_WITHOUT_REDUCTIONS, control);
    without.or_else(|| attempt(task, subject, ends, &reduced, CONFLICTS, control))
}

/// The same with these reductions, and with so many conflicts of the solver.
pub fn attempt(
    task: &Task,
    subject: Subject,
    ends: Option<u32>,
    reductions: &Reductions,
    conflicts: u32,
    control: &Control<'_>,
) -> Option<Certificate> {
    let turn = || control.progress.turn();
    let limits = Limits { stop: Some(control.stop), turn: Some(&turn), conflicts: Some(conflicts) };
    for widths in 0..WIDTHS.len() {
        let Stated { formula, bits } = stated(task, subject, ends, reductions, widths, control).ok()?;
        let lrat = match refute(&formula, limits).ok()? {
            Refutation::Proof(lrat) => lrat,
            // The numbers may be too small; or it does not hold.
            Refutation::Satisfiable => continue,
            Refutation::TooLong => return None,
        };
        let proof = BoundedProof {
            steps: task.bound,
            ends,
            variables: formula.variables.unsigned_abs(),
            clauses: formula.clauses.len() as u64,
            lrat,
        };
        return Some(Certificate {
            reductions: *reductions,
            widths,
            bits,
            proofs: vec![Proof::Bounded(proof)],
        });
    }
    None
}

/// Checks a proof. How many bits a state has; or why it is refused.
pub fn check(
    task: &Task,
    subject: Subject,
    certificate: &Certificate,
    proof: &BoundedProof,
    control: &Control<'_>,
) -> Result<usize, String> {
    let formula = written(task, subject, certificate, proof, control)?;
    lrat::check(&formula, &proof.lrat).map_err(|refused| refused.to_string())?;
    Ok(certificate.bits.len())
}

/// The formula that a proof has to refute, made from the model.
pub fn written(
    task: &Task,
    subject: Subject,
    certificate: &Certificate,
    proof: &BoundedProof,
    control: &Control<'_>,
) -> Result<Formula, String> {
    let task = &Task { bound: proof.steps, ..task.clone() };
    let reductions = meaningful(&certificate.reductions);
    let Stated { formula, bits } =
        stated(task, subject, proof.ends, &reductions, certificate.widths, control)?;
    if bits != certificate.bits {
        return Err("it is about other bits than those of the model".to_string());
    }
    let found = (u64::from(formula.variables.unsigned_abs()), formula.clauses.len() as u64);
    if found != (u64::from(proof.variables), proof.clauses) {
        return Err(format!(
            "it is about another formula: that of the model has {} variables and {} clauses",
            found.0, found.1
        ));
    }
    Ok(formula)
}

/// The formula of a question, after these reductions and with these widths of numbers without a known range.
pub fn stated(
    task: &Task,
    subject: Subject,
    ends: Option<u32>,
    reductions: &Reductions,
    widths: usize,
    control: &Control<'_>,
) -> Result<Stated, String> {
    if widths >= WIDTHS.len() {
        return Err("there are no such widths of numbers".to_string());
    }
    let task = &Task { reductions: *reductions, folded: None, ..task.clone() }.folding();
    let questions = questions(&task.setting(), subject).map_err(|refusal| refusal.to_string())?;
    questions.is_small_enough().map_err(|refusal| refusal.to_string())?;
    let kind = questions.only().kind;
    let smaller = questions.smaller(reductions);
    let ground = Ground::new(&smaller.program);
    let (program, ground) = (&smaller.program, &ground);
    let question = ProgramQuestion { questions: &questions, subject, kind, program, ground };
    let posed = pose(question, task.ignore_deadlock, widths, control).map_err(|reason| reason.to_string())?;
    let forbidden = forbidden(&posed, questions.shape, task.bound, ends)
        .ok_or_else(|| "such a question is not answered within a number of steps".to_string())?;
    let bits = names(program, &ground.layout, &posed.asked.encoded);
    let turn = || control.progress.turn();
    let limits = Limits { stop: Some(control.stop), turn: Some(&turn), ..Limits::default() };
    let formula = formula(&posed.asked.encoded.system, &forbidden, limits);
    let formula = formula.ok_or_else(|| "its formula is too large, or it was interrupted".to_string())?;
    Ok(Stated { formula, bits })
}

/// What must not happen. The number of steps is that of the question; only if it has none, it is that of the proof.
fn forbidden(posed: &Posed, shape: SearchShape, bound: Option<u32>, ends: Option<u32>) -> Option<Forbidden> {
    if ends.is_some_and(|steps| steps > MOST_STEPS) {
        return None;
    }
    let is_safety = matches!(
        posed.asked.kind,
        QuestionKind::Always
            | QuestionKind::Kept
            | QuestionKind::Alive
            | QuestionKind::Scope { waits: false }
    );
    let within = |steps: u32, last: Lit| {
        let mut states = vec![posed.wrong; steps as usize];
        states.push(last);
        states
    };
    let states = match (shape, ends) {
        // Whether a state is a deadlock takes one more step to know, and that step may be an error.
        (SearchShape::Within(steps) | SearchShape::After { steps, .. }, _) if steps > MOST_STEPS => {
            return None;
        }
        (SearchShape::Within(steps), None) if is_safety => {
            let answers = bound.unwrap_or(steps).min(steps);
            let mut states = within(answers, posed.wrong);
            states.resize(steps as usize + 1, posed.broken);
            states
        }
        (SearchShape::After { steps, .. }, None) if posed.asked.kind == QuestionKind::Always => {
            let mut states = vec![posed.broken; steps as usize];
            states.push(posed.wrong);
            states
        }
        (SearchShape::Whole | SearchShape::Before, Some(steps)) if is_safety => within(steps, Lit::TRUE),
        // Executions count only up to the goal; or, in the product with an automaton, no state is good.
        (SearchShape::Before, Some(steps)) if posed.asked.kind == QuestionKind::Reached => {
            return Some(avoiding(posed, posed.broken, steps));
        }
        (SearchShape::Whole, Some(steps)) if posed.asked.kind == QuestionKind::Recurs => {
            return Some(avoiding(posed, posed.wrong, steps));
        }
        _ => return None,
    };
    Some(Forbidden { states, avoiding: None })
}

/// That every execution that counts reaches a good state within so many steps, and comes by none of the other states.
fn avoiding(posed: &Posed, wrong: Lit, steps: u32) -> Forbidden {
    let question = posed.asked.lasting();
    let avoiding = Avoiding { good: question.good, stuck: question.stuck };
    Forbidden { states: vec![wrong; steps as usize + 1], avoiding: Some(avoiding) }
}
