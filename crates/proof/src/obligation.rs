//! What has to be proved about the bits so that a property holds: that some states cannot be reached. The search for a proof
//! and the check of one start from the same questions.

use crate::ask::{Asked, Conditions, Fair};
use swarmcheck_aig::{Lit, System};
use swarmcheck_bits::encode::{Encoded, encode_until};
use swarmcheck_bits::hard;
use swarmcheck_engine::{Control, Reason, Subject};
use swarmcheck_ir::Program;
use swarmcheck_ir::ground::Ground;
use swarmcheck_prove::liveness::{self, LivenessQuestion};
use swarmcheck_question::{QuestionKind, Questions, Watch};

/// A question with the states that matter.
pub struct Posed {
    pub asked: Asked,
    /// States with an error of the model, or with a value that does not fit its cell.
    pub broken: Lit,
    /// The same, and the states that refute the property.
    pub wrong: Lit,
}

/// A question about a program that was made smaller.
#[derive(Clone, Copy)]
pub struct ProgramQuestion<'a> {
    pub questions: &'a Questions,
    pub subject: Subject,
    pub kind: QuestionKind,
    /// The smaller program.
    pub program: &'a Program,
    /// The same, with a function for each instance.
    pub ground: &'a Ground,
}

/// The bits of a program, and the conditions that a question is about. Cells without a known range get the width with the
/// index `guess`.
pub fn bits(
    question: ProgramQuestion<'_>,
    guess: usize,
    control: &Control<'_>,
) -> Result<(Encoded, Conditions), Reason> {
    let ProgramQuestion { questions, subject, program, ground, .. } = question;
    hard::begin();
    let encoded = encode_until(program, ground, guess, &|| control.stopped()).map_err(|_| {
        Reason::Unsupported("the program is too large to be written as a formula".to_string())
    })?;
    let encoded = encoded.ok_or(Reason::Interrupted)?;
    let watched = |what| questions.condition(program, what).map(|e| ground.condition(program, e));
    let term = |number: &usize| ground.condition(program, &program.properties[*number].predicate);
    let fair = Fair { again: questions.fair.again.clone(), pairs: questions.fair.pairs.clone() };
    let conditions = Conditions {
        predicate: watched(Watch::Predicate(subject)),
        waiting: watched(Watch::Waiting),
        kept: watched(Watch::NotBad),
        trigger: watched(Watch::Asked),
        fair: fair.map(term),
    };
    Ok((encoded, conditions))
}

/// Puts a question to the bits of its program.
pub fn pose(
    question: ProgramQuestion<'_>,
    ignore_deadlock: bool,
    guess: usize,
    control: &Control<'_>,
) -> Result<Posed, Reason> {
    let (encoded, conditions) = bits(question, guess, control)?;
    let mut asked =
        Asked::new(encoded, question.kind, question.questions.shape, conditions, ignore_deadlock)?;
    let broken = asked.broken();
    let wrong = asked.encoded.system.graph.or(asked.bad, broken);
    Ok(Posed { asked, broken, wrong })
}

/// A system and its bad states.
pub type Obligation = (System, Lit);

/// All that has to be proved, in order; `None` where it is not about states that cannot be reached.
pub fn obligations(posed: &Posed) -> Option<Vec<Obligation>> {
    let system = &posed.asked.encoded.system;
    let safe = || (system.clone(), posed.wrong);
    match posed.asked.kind {
        QuestionKind::Always
        | QuestionKind::Kept
        | QuestionKind::Alive
        | QuestionKind::Scope { waits: false } => Some(vec![safe()]),
        QuestionKind::Reached => Some(vec![lasting(system, &posed.asked.lasting(), posed.broken)]),
        QuestionKind::Scope { waits: true } => {
            let (promising, question) = posed.asked.owed();
            Some(vec![safe(), lasting(&promising, &question, posed.broken)])
        }
        _ => None,
    }
}

/// That every execution that counts reaches a good state, and none meets an error of the model before.
pub fn lasting(system: &System, question: &LivenessQuestion, broken: Lit) -> Obligation {
    let mut saving = liveness::reduce(system, question, liveness::Method::Saving);
    let bad = saving.bad.first().copied().unwrap_or(Lit::FALSE);
    let bad = saving.graph.or(bad, broken);
    (saving, bad)
}
