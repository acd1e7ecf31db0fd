//! What has to be proved about the bits so that a property holds: that some states cannot be reached. The search for a proof
//! and the check of one start from the same questions.

use crate::ask::{Asked, Conditions};
use crate::encode::{Encoded, encode_until};
use swarmcheck_aig::{Lit, System};
use swarmcheck_engine::{Control, Reason, Subject};
use swarmcheck_explicit::decide::{Beside, Job, Kind};
use swarmcheck_ir::Program;
use swarmcheck_ir::ground::Ground;
use swarmcheck_prove::liveness::{self, Question};

/// A question with the states that matter.
pub(crate) struct Posed {
    pub(crate) asked: Asked,
    /// Something went wrong.
    pub(crate) broken: Lit,
    /// Something went wrong, or the question is answered.
    pub(crate) wrong: Lit,
}

/// A program, made smaller, as bits, and what a question is about. Cells without a known range get the width with this
/// number.
pub(crate) fn bits(
    job: &Job,
    (program, ground): (&Program, &Ground),
    (subject, kind): (Subject, Kind),
    guess: usize,
    control: &Control<'_>,
) -> Result<(Encoded, Conditions), Reason> {
    let encoded = encode_until(program, ground, guess, &|| control.stopped()).map_err(|_| {
        Reason::Unsupported("the program is too large to be written as a formula".to_string())
    })?;
    let encoded = encoded.ok_or(Reason::Interrupted)?;
    let condition = |number: usize| ground.condition(program, &program.properties[number].predicate);
    let predicate = match subject {
        Subject::Property(number) => Some(condition(number)),
        Subject::DeadlockFreedom => None,
    };
    // What is owed is kept as one more property, the last one.
    let waiting = (kind == Kind::Scope { waits: true }).then(|| condition(program.properties.len() - 1));
    let beside = |beside| job.beside(beside).map(|(number, _)| condition(number));
    let (kept, trigger) = (beside(Beside::NotBad), beside(Beside::Asked));
    Ok((encoded, Conditions { predicate, waiting, kept, trigger }))
}

/// Puts the question of a job to the bits of its program.
pub(crate) fn pose(
    job: &Job,
    about: (&Program, &Ground),
    (subject, kind): (Subject, Kind),
    ignore_deadlock: bool,
    guess: usize,
    control: &Control<'_>,
) -> Result<Posed, Reason> {
    let (encoded, conditions) = bits(job, about, (subject, kind), guess, control)?;
    let mut asked = Asked::new(encoded, kind, job.shape, conditions, ignore_deadlock)?;
    let broken = asked.broken();
    let wrong = asked.encoded.system.graph.or(asked.bad, broken);
    Ok(Posed { asked, broken, wrong })
}

/// A system and its bad states.
pub(crate) type Obligation = (System, Lit);

/// All that has to be proved, in order; `None` where it is not about states that cannot be reached.
pub(crate) fn obligations(posed: &Posed) -> Option<Vec<Obligation>> {
    let system = &posed.asked.encoded.system;
    let safe = || (system.clone(), posed.wrong);
    match posed.asked.kind {
        Kind::Always | Kind::Kept | Kind::Alive | Kind::Scope { waits: false } => Some(vec![safe()]),
        Kind::Reached => Some(vec![lasting(system, &posed.asked.lasting(), posed.broken)]),
        Kind::Scope { waits: true } => {
            let (promising, question) = posed.asked.owed();
            Some(vec![safe(), lasting(&promising, &question, posed.broken)])
        }
        _ => None,
    }
}

/// That every execution that counts reaches a good state, and none meets an error of the model before.
pub(crate) fn lasting(system: &System, question: &Question, broken: Lit) -> Obligation {
    let mut saving = liveness::reduce(system, question, liveness::Method::Saving);
    let bad = saving.bad.first().copied().unwrap_or(Lit::FALSE);
    let bad = saving.graph.or(bad, broken);
    (saving, bad)
}
