//! Exit codes, the same as SLiVER's, and which of several applies. This is the one place that defines them;
//! `docs/exit-codes.md` lists them.

use swarmcheck_session::outcome::{Answer, Outcome, Reason};
use swarmcheck_session::refusal::Refusal;

/// How the program ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Everything is fine; every property holds.
    Fine,
    /// An internal or back-end failure.
    Failure,
    /// The command line makes no sense.
    Usage,
    /// No answer.
    Inconclusive,
    /// The file is wrong.
    Model,
    /// A property is violated.
    Violated,
    /// The time limit was reached.
    TimeLimit,
    /// The user interrupted it.
    Interrupted,
}

impl Exit {
    /// All of them with their meaning.
    pub const TABLE: &[(Exit, &str)] = &[
        (Exit::Fine, "fine: the file is correct, the run went well, every property asked for holds"),
        (Exit::Failure, "internal or back-end failure"),
        (Exit::Usage, "the command line makes no sense"),
        (Exit::Inconclusive, "inconclusive: no answer within the limits"),
        (Exit::Model, "the file is wrong, or the model meets an error while it runs"),
        (Exit::Violated, "a property is violated, a trace or a proof is refused, or a file is not formatted"),
        (Exit::TimeLimit, "the time limit was reached"),
        (Exit::Interrupted, "interrupted (Ctrl-C)"),
    ];

    /// Of several that apply, the first one here counts: what was found comes before why the rest was not.
    const PRECEDENCE: [Exit; 8] = [
        Exit::Failure,
        Exit::Usage,
        Exit::Model,
        Exit::Violated,
        Exit::Interrupted,
        Exit::TimeLimit,
        Exit::Inconclusive,
        Exit::Fine,
    ];

    /// The number the operating system gets.
    pub fn code(self) -> u8 {
        match self {
            Exit::Fine => 0,
            Exit::Failure => 1,
            Exit::Usage => 2,
            Exit::Inconclusive => 5,
            Exit::Model => 6,
            Exit::Violated => 10,
            Exit::TimeLimit => 124,
            Exit::Interrupted => 130,
        }
    }

    /// The one of two that counts.
    pub fn and(self, other: Exit) -> Exit {
        let first = Exit::PRECEDENCE.into_iter().find(|exit| [self, other].contains(exit));
        first.unwrap_or(Exit::Failure)
    }

    /// What an answer means for the end of the program.
    pub fn of_answer(answer: &Answer) -> Exit {
        match &answer.outcome {
            Outcome::Holds { .. } => Exit::Fine,
            Outcome::Violated { .. } => Exit::Violated,
            Outcome::ModelError { .. } => Exit::Model,
            Outcome::Unknown { reason } => Exit::of_reason(reason),
        }
    }

    /// What it means that there is no answer.
    pub fn of_reason(reason: &Reason) -> Exit {
        match reason {
            reason if reason.is_bug() => Exit::Failure,
            reason if reason.includes(&Reason::Interrupted) => Exit::Interrupted,
            reason if reason.includes(&Reason::TimeLimit) => Exit::TimeLimit,
            _ => Exit::Inconclusive,
        }
    }

    /// What it means that a request was refused.
    pub fn of_refusal(refusal: &Refusal) -> Exit {
        match refusal {
            Refusal::Unfinished { reason } => Exit::of_reason(reason),
            Refusal::Model { .. }
            | Refusal::Unreadable { .. }
            | Refusal::NoChoreography { .. }
            | Refusal::Misfit { .. }
            | Refusal::ModelError { .. }
            | Refusal::NoInitialState { .. } => Exit::Model,
            Refusal::NoSuchProperty { .. }
            | Refusal::NothingToVerify { .. }
            | Refusal::UnreadableCounterexample { .. }
            | Refusal::CounterexampleOfOneProperty
            | Refusal::NoSuchTarget { .. }
            | Refusal::Target { .. }
            | Refusal::NameOneProperty { .. }
            | Refusal::NoBound { .. }
            | Refusal::NoFairness { .. }
            | Refusal::OpenNumbers { .. }
            | Refusal::NoEstimate { .. }
            | Refusal::NotComposed { .. }
            | Refusal::NoNetwork { .. }
            | Refusal::TooManyToDraw { .. }
            | Refusal::StateSpaceTooLarge { .. } => Exit::Usage,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_place_in_the_order_and_a_meaning() {
        let codes = |list: &[Exit]| {
            let mut codes: Vec<u8> = list.iter().map(|exit| exit.code()).collect();
            codes.sort();
            codes
        };
        let table: Vec<Exit> = Exit::TABLE.iter().map(|(exit, _)| *exit).collect();
        assert_eq!(codes(&Exit::PRECEDENCE), codes(&table));
        assert_eq!(Exit::PRECEDENCE.map(Exit::code), [1, 2, 6, 10, 130, 124, 5, 0]);
    }

    #[test]
    fn a_violation_counts_even_if_the_time_ran_out() {
        assert_eq!(Exit::TimeLimit.and(Exit::Violated), Exit::Violated);
        assert_eq!(Exit::Fine.and(Exit::Inconclusive), Exit::Inconclusive);
        assert_eq!(Exit::Violated.and(Exit::Failure), Exit::Failure);
        assert_eq!(Exit::TimeLimit.and(Exit::Interrupted), Exit::Interrupted);
    }
}
