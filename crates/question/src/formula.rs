//! Questions about formulas of linear time: in the product with the automaton of the negation.

use crate::fairness::FairConditions;
use crate::questions::{Question, QuestionKind, Questions, SearchShape, Watch, Watched, watch};
use crate::reduce::{self, FoldedProgram};
use crate::refusal::Refusal;
use crate::setting::{Setting, Subject};
use std::sync::Arc;
use swarmcheck_ir::flat::Layout;
use swarmcheck_ir::property::LinearTime;
use swarmcheck_ir::{Expr, Modality, Program};
use swarmcheck_logic::linear::trivial;
use swarmcheck_passes::{Needs, linear};

/// The question about a formula.
pub(crate) fn questions(setting: &Setting, number: usize, linear: &LinearTime) -> Result<Questions, Refusal> {
    let product = linear::product(&setting.program, number, !setting.ignore_deadlock);
    let linear::Product { mut program, state, bad, safety } = product.ok_or(Refusal::AutomatonTooLarge)?;
    let (kind, watched) = conditions(&mut program, number, linear, (bad, safety), setting.ignore_deadlock);
    Ok(Questions {
        questions: vec![Question { subject: Subject::Property(number), kind }],
        hidden: vec![Layout::new(&program).global(state)],
        program: Arc::new(program),
        folded: setting.known().cloned(),
        // Formulas may count steps, so every step matters.
        needs: Needs { steps: true, endings: true },
        shape: SearchShape::Whole,
        watched,
        fair: FairConditions::default(),
    })
}

/// What is watched in a product, besides that the automaton accepts.
fn conditions(
    program: &mut Program,
    number: usize,
    linear: &LinearTime,
    (bad, safety): (Option<Expr>, bool),
    ignore_deadlock: bool,
) -> (QuestionKind, Vec<Watched>) {
    let mut watched = vec![Watched { what: Watch::Predicate(Subject::Property(number)), property: number }];
    let mut kind = QuestionKind::Recurs;
    // Where executions that stop are excused, a bad beginning violates nothing until it is known to go on for ever.
    match bad {
        Some(bad) if !ignore_deadlock && safety => {
            program.properties[number].predicate = Expr::not(bad);
            kind = QuestionKind::Kept;
        }
        Some(bad) if !ignore_deadlock => watched.push(watch(program, number, Watch::NotBad, Expr::not(bad))),
        _ => {}
    }
    if ignore_deadlock {
        watched.push(watch(program, number, Watch::Excused, linear.rests.clone()));
    }
    if let Some(trigger) = trivial::trigger(&linear.formula) {
        watched.push(watch(program, number, Watch::Asked, trigger));
    }
    (kind, watched)
}

/// The program of a formula's question, folded, made of the folded program without the automaton. It behaves like the
/// product with the original program, and automata of both are the same.
pub(crate) fn product(questions: &Questions, folded: &FoldedProgram) -> Option<FoldedProgram> {
    let number = questions.only().subject.property()?;
    let ignore_deadlock = questions.place(Watch::Excused).is_some();
    let (mut out, bad) = reduce::product(folded, number, !ignore_deadlock)?;
    let Modality::Linear(linear) = &folded.program.properties[number].modality else { return None };
    conditions(&mut out.program, number, linear, bad, ignore_deadlock);
    Some(out)
}
