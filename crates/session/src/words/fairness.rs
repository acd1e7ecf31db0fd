//! Fairness in words: what is asked when only fair executions count, and why that cannot be asked.

use crate::languages::LanguageWord;
use crate::refusal::NoFairness;
use swarmcheck_engine::Fairness;
use swarmcheck_ir::{Inside, Modality};
use swarmcheck_logic::describe::describe;

/// `weakly fair` or `strongly fair`.
pub(crate) fn adjective(fairness: Fairness) -> Option<&'static str> {
    match fairness {
        Fairness::None => None,
        Fairness::Weak => Some("weakly fair"),
        Fairness::Strong => Some("strongly fair"),
    }
}

/// `every execution`, or every one that is fair.
pub(super) fn every(fairness: Fairness) -> String {
    match adjective(fairness) {
        None => "every execution".to_string(),
        Some(fair) => format!("every {fair} execution"),
    }
}

/// The assumption, if it can make a difference for such a property; none of executions of a bounded length.
pub(crate) fn of_question(modality: &Modality, bound: Option<u32>, fairness: Fairness) -> Fairness {
    let infinite = match modality {
        Modality::Eventually | Modality::Finally | Modality::Linear(_) => true,
        Modality::Scoped { open, inside, .. } => *open && matches!(inside, Inside::ThereIs),
        Modality::Always | Modality::After(_) | Modality::Fairly | Modality::FairlyInf => false,
    };
    if infinite && bound.is_none() { fairness } else { Fairness::None }
}

/// When a property must hold. Where fairness makes no difference, it is not mentioned.
pub(crate) fn question(modality: &Modality, bound: Option<u32>, fairness: Fairness) -> String {
    let all = describe(modality, bound);
    let Some(fair) = adjective(of_question(modality, bound, fairness)) else { return all };
    match modality {
        Modality::Eventually | Modality::Finally => format!("at some point of every {fair} execution"),
        Modality::Linear(_) => format!("the formula, of every {fair} execution"),
        _ => format!("{all}, in every {fair} execution"),
    }
}

/// In which sense a loop is fair, if it has to be.
pub(crate) fn of_loop(fairness: Fairness) -> Option<&'static str> {
    match fairness {
        Fairness::None => None,
        Fairness::Weak => Some("the loop is weakly fair: whoever can move in all of its states moves in it"),
        Fairness::Strong => {
            Some("the loop is strongly fair: whoever can move in one of its states moves in it")
        }
    }
}

/// Why fairness cannot be asked for.
pub(super) fn refused(why: &NoFairness) -> String {
    match why {
        NoFairness::NoUnits { language } => {
            let (name, steps) = match language {
                LanguageWord::Ccs => ("CCS", "synchronisations"),
                LanguageWord::Chor => ("Chor", "interactions"),
                LanguageWord::Labs => ("LAbS", "steps"),
                LanguageWord::Rcheck => ("R-CHECK", "steps"),
            };
            format!(
                "fairness is about units, which are agents with their actions or messages: {steps} of {name} have no such \
                 units"
            )
        }
        NoFairness::RoundRobin => {
            "weak and strong fairness restrict the free schedule, not the round-robin one".to_string()
        }
        NoFairness::Backend { name } => {
            format!("{name} decides about all executions, not about fair ones only")
        }
        NoFairness::Witness => "a witness is about all executions, not about fair ones only".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use swarmcheck_ir::Expr;

    #[test]
    fn fairness_is_told_where_it_can_make_a_difference() {
        let says = |modality: &Modality, bound, fairness, expected: &str| {
            assert_eq!(question(modality, bound, fairness), expected);
        };
        says(&Modality::Eventually, None, Fairness::None, "at some point of every maximal execution");
        says(&Modality::Eventually, None, Fairness::Weak, "at some point of every weakly fair execution");
        says(&Modality::Finally, None, Fairness::Strong, "at some point of every strongly fair execution");
        let scoped = |open, inside| Modality::Scoped { open, start: Expr::TRUE, end: Expr::FALSE, inside };
        says(
            &scoped(true, Inside::ThereIs),
            None,
            Fairness::Weak,
            "at some point of each scope, and no scope may stay open forever without it, in every weakly fair execution",
        );
    }

    #[test]
    fn what_every_finite_execution_decides_does_not_mention_fairness() {
        let scoped = |open, inside| Modality::Scoped { open, start: Expr::TRUE, end: Expr::FALSE, inside };
        let same = [
            Modality::Always,
            Modality::After(3),
            Modality::Fairly,
            Modality::FairlyInf,
            scoped(false, Inside::ThereIs),
            scoped(true, Inside::Always),
        ];
        for modality in &same {
            assert_eq!(question(modality, None, Fairness::Strong), describe(modality, None));
        }
        assert_eq!(
            question(&Modality::Eventually, Some(3), Fairness::Weak),
            describe(&Modality::Eventually, Some(3))
        );
    }
}
