//! Proofs as data, and checking them without trusting the search that found them.
//!
//! The check makes the program smaller, writes it as bits and works out what has to be proved by itself; from the
//! certificate it takes only which reductions and which widths. Invariants were found by one solver and are checked by the
//! other; so are inductions.

use crate::obligation::{ProgramQuestion, obligations, pose};
use std::collections::HashMap;
use swarmcheck_aig::{Lit, System};
use swarmcheck_bits::encode::Encoded;
use swarmcheck_engine::certificate::{Certificate, Proof};
use swarmcheck_engine::{Control, Reason, Reductions, Subject, Task};
use swarmcheck_ir::Program;
use swarmcheck_ir::flat::Layout;
use swarmcheck_ir::ground::Ground;
use swarmcheck_prove::sat::{Batsat, Cadical};
use swarmcheck_prove::{Induction, Invariant, Limits, Refusal, check};
use swarmcheck_question::{SearchShape, questions};

/// Inductions over more states are refused: paths of that length would be written out.
const MOST_STATES: usize = 100_000;
/// The same where each two of them are compared.
const MOST_DISTINCT: usize = 2_000;

/// Reductions that have a meaning for bits: symmetry and order change how states are stored and visited.
pub fn meaningful(reductions: &Reductions) -> Reductions {
    Reductions { symmetry: false, data_symmetry: false, partial_order: false, ..*reductions }
}

/// What the bits of a state hold.
pub fn names(program: &Program, layout: &Layout, encoded: &Encoded) -> Vec<String> {
    let mut out = vec![];
    for ((_, cell), code) in layout.cells().zip(&encoded.codes) {
        let var = program.var(cell.var);
        let index = if var.dimensions.is_empty() { String::new() } else { format!("[{}]", cell.index) };
        let owner = cell.agent.map_or(String::new(), |agent| {
            format!(" of {} {agent}", program.kind(program.kind_of(agent)).name)
        });
        out.extend((0..code.width()).map(|bit| format!("{}{index}{owner}, bit {bit}", var.name)));
    }
    let flags = [(encoded.faulty, "error of the model"), (encoded.misfit, "number too large")];
    for latch in encoded.system.latches.iter().skip(out.len()) {
        let known = flags.iter().find(|(lit, _)| *lit == latch.variable);
        out.push(known.map_or("", |(_, words)| words).to_string());
    }
    out
}

/// A clause of latches as numbers.
pub fn written(system: &System, invariant: &Invariant) -> Proof {
    let numbers: HashMap<u32, i64> =
        system.latches.iter().zip(1..).map(|(latch, number)| (latch.variable.node(), number)).collect();
    let number = |lit: &Lit| {
        let number = numbers.get(&lit.node()).copied().unwrap_or(0);
        // The variable of a latch may be either sign of its node.
        let same = system.latches.get((number - 1).max(0) as usize).is_some_and(|l| l.variable == *lit);
        if same { number } else { -number }
    };
    let clauses = invariant.clauses.iter().map(|clause| clause.iter().map(number).collect()).collect();
    Proof::Invariant { clauses, lemmas: invariant.lemmas.clone() }
}

/// The reverse; `None` if it speaks of bits that there are not.
fn read(system: &System, clauses: &[Vec<i64>], lemmas: &[usize]) -> Option<Invariant> {
    let literal = |number: &i64| {
        let place = usize::try_from(number.unsigned_abs()).ok()?.checked_sub(1)?;
        let variable = system.latches.get(place)?.variable;
        Some(if *number > 0 { variable } else { !variable })
    };
    let clause = |clause: &Vec<i64>| clause.iter().map(literal).collect::<Option<Vec<Lit>>>();
    let clauses = clauses.iter().map(clause).collect::<Option<Vec<_>>>()?;
    Some(Invariant { clauses, lemmas: lemmas.to_vec() })
}

/// Checks that a certificate proves a property of a program, or that it is free of deadlocks. How many bits a state has;
/// or why it is refused.
pub fn check_certificate(
    task: &Task,
    subject: Subject,
    certificate: &Certificate,
    control: &Control<'_>,
) -> Result<usize, String> {
    let obligations = needed(task, subject, certificate, control)?;
    if obligations.len() != certificate.proofs.len() {
        return Err(format!("{} proofs are needed, not {}", obligations.len(), certificate.proofs.len()));
    }
    let turn = || control.progress.turn();
    let limits = Limits { stop: Some(control.stop), turn: Some(&turn), ..Limits::default() };
    for ((system, bad), proof) in obligations.iter().zip(&certificate.proofs) {
        accepted(system, *bad, proof, limits).map_err(|refusal| words(refusal).to_string())?;
    }
    Ok(certificate.bits.len())
}

/// What a certificate has to prove, worked out from the program: in each of these systems, that these states cannot be
/// reached.
pub fn needed(
    task: &Task,
    subject: Subject,
    certificate: &Certificate,
    control: &Control<'_>,
) -> Result<Vec<(System, Lit)>, String> {
    let reductions = meaningful(&certificate.reductions);
    let task = &Task { reductions, folded: None, ..task.clone() }.folding();
    let questions = questions(&task.setting(), subject).map_err(|refusal| refusal.to_string())?;
    questions.is_small_enough().map_err(|refusal| refusal.to_string())?;
    let kind = questions.only().kind;
    if !matches!(questions.shape, SearchShape::Whole | SearchShape::Before) {
        return Err("executions of a number of steps have no certificate".to_string());
    }
    let smaller = questions.smaller(&reductions);
    let ground = Ground::new(&smaller.program);
    let (program, ground) = (&smaller.program, &ground);
    let question = ProgramQuestion { questions: &questions, subject, kind, program, ground };
    let posed = pose(question, task.ignore_deadlock, certificate.widths, control);
    let posed = posed.map_err(|reason| reason.to_string())?;
    if names(&smaller.program, &ground.layout, &posed.asked.encoded) != certificate.bits {
        return Err("it is about other bits than those of the model".to_string());
    }
    obligations(&posed).ok_or_else(|| "there are no certificates for such a property".to_string())
}

fn accepted(system: &System, bad: Lit, proof: &Proof, limits: Limits<'_>) -> Result<(), Refusal> {
    let exist = |lemmas: &[usize]| lemmas.iter().all(|&lemma| lemma < system.lemmas.len());
    match proof {
        Proof::Invariant { clauses, lemmas } => {
            let invariant = read(system, clauses, lemmas).ok_or(Refusal::Malformed)?;
            check::invariant::<Cadical<'_>>(system, bad, &invariant, limits)
        }
        Proof::Induction { states, distinct, lemmas }
            if exist(lemmas) && *states <= if *distinct { MOST_DISTINCT } else { MOST_STATES } =>
        {
            let induction = Induction { k: *states, distinct: *distinct, lemmas: lemmas.clone() };
            check::induction::<Batsat<'_>>(system, bad, &induction, limits)
        }
        // Other proofs are not about bits.
        Proof::Induction { .. }
        | Proof::Integers { .. }
        | Proof::Every(_)
        | Proof::States(_)
        | Proof::Bounded(_) => Err(Refusal::Malformed),
    }
}

fn words(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::Malformed => "it speaks of bits or facts that there are not, or of paths that are too long",
        Refusal::Start => "it does not hold at first",
        Refusal::Step => "a step leads out of it",
        Refusal::Bad => "it allows a state that violates the property",
        Refusal::Unanswered(swarmcheck_prove::Failure::Interrupted) => "interrupted",
        Refusal::Unanswered(swarmcheck_prove::Failure::Internal(what)) => what,
    }
}

/// Why a search that has found a proof does not believe it.
pub fn distrust(refusal: Refusal) -> Reason {
    match refusal {
        Refusal::Unanswered(swarmcheck_prove::Failure::Interrupted) => Reason::Interrupted,
        refusal => Reason::Internal(format!("a proof was found but not confirmed: {}", words(refusal))),
    }
}
