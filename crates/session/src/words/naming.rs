//! What a question is called where people read: the row about deadlocks has words of its own instead of a name.

use crate::outcome::{Answer, Answered, DEADLOCK};

/// The name of a question and its verdict. "no deadlock: holds" and "deadlock: reachable" need no rule about what it means that a
/// deadlock holds.
pub fn row(answer: &Answer) -> (&str, &'static str) {
    match (answer.name.as_str(), answer.verdict()) {
        (DEADLOCK, Answered::Violated) => ("deadlock", "reachable"),
        (DEADLOCK, _) => ("no deadlock", answer.outcome.word()),
        (name, _) => (name, answer.outcome.word()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Evidence, Outcome, Reason, Violation};

    #[test]
    fn deadlocks_are_reachable_or_not() {
        let answer = |name: &str, outcome| Answer { outcome, ..Answer::open(name, "", Reason::NoAnswer) };
        let holds = || Outcome::Holds { evidence: Evidence::Explored, vacuous: None };
        let violated = || Outcome::Violated { evidence: Violation::NoExecution };
        assert_eq!(row(&answer(DEADLOCK, holds())), ("no deadlock", "holds"));
        assert_eq!(row(&answer(DEADLOCK, violated())), ("deadlock", "reachable"));
        assert_eq!(row(&answer(DEADLOCK, Outcome::unknown(Reason::Memory))), ("no deadlock", "unknown"));
        assert_eq!(row(&answer("P", violated())), ("P", "violated"));
    }
}
