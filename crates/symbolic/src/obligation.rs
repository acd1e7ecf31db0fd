//! What has to be proved about the bits so that a property holds: that some states cannot be reached. The search for a proof
//! and the check of one start from the same questions.

use crate::ask::{Asked, Conditions};
use crate::encode::encode_until;
use swarmcheck_aig::{Latch, Lit, System};
use swarmcheck_engine::{Control, Reason, Subject};
use swarmcheck_explicit::decide::{Job, Kind};
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

/// Puts the question of a job to the bits of its program, made smaller. Cells without a known range get the width with
/// this number.
pub(crate) fn pose(
    job: &Job,
    (program, ground): (&Program, &Ground),
    (subject, kind): (Subject, Kind),
    ignore_deadlock: bool,
    guess: usize,
    control: &Control<'_>,
) -> Result<Posed, Reason> {
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
    let conditions = Conditions { predicate, waiting };
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
        Kind::Always | Kind::Alive | Kind::Scope { waits: false } => Some(vec![safe()]),
        Kind::Reached => Some(vec![lasting(system, &reached(&posed.asked), posed.broken)]),
        Kind::Scope { waits: true } => {
            let (promising, question) = promise(&posed.asked);
            Some(vec![safe(), lasting(&promising, &question, posed.broken)])
        }
        _ => None,
    }
}

/// That the goal is reached.
pub(crate) fn reached(asked: &Asked) -> Question {
    Question { good: asked.holds, stuck: asked.stuck, fair: vec![] }
}

/// That no execution owes something for ever. One that does can say from when on: by a bit that it sets at some moment,
/// after which it never stops waiting. So states with the bit that do not wait are the good ones, and executions that
/// never set the bit do not count.
pub(crate) fn promise(asked: &Asked) -> (System, Question) {
    let mut system = asked.encoded.system.clone();
    let waiting = asked.waiting.unwrap_or(Lit::FALSE);
    let g = &mut system.graph;
    let (said, say) = (g.variable(), g.variable());
    let next = g.or(said, say);
    let good = g.and(said, !waiting);
    let stuck = asked.stuck.map(|stuck| g.and(stuck, waiting));
    system.latches.push(Latch { variable: said, start: Lit::FALSE, next });
    system.inputs.push(say);
    (system, Question { good, stuck, fair: vec![said] })
}

/// That every execution that counts reaches a good state, and none meets an error of the model before.
pub(crate) fn lasting(system: &System, question: &Question, broken: Lit) -> Obligation {
    let mut saving = liveness::reduce(system, question, liveness::Method::Saving);
    let bad = saving.bad.first().copied().unwrap_or(Lit::FALSE);
    let bad = saving.graph.or(bad, broken);
    (saving, bad)
}
