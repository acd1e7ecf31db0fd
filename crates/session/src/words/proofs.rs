//! Sentences about proofs that can be checked again: what they ask to trust, and why there is none.

use super::count;
use crate::trusted::Trusted;
use swarmcheck_engine::certificate::Uncertified;

/// What has to be right besides the reading of the model and the check; nothing if that is all.
pub(super) fn trusted(list: &[Trusted]) -> String {
    let one = |trusted: &Trusted| match trusted {
        Trusted::Monitor => "the monitor of the scope".to_string(),
        Trusted::Automaton => "the automaton of the formula".to_string(),
        Trusted::Units => "the variables for fairness".to_string(),
        Trusted::Safety => "the change from infinite executions to reachable states".to_string(),
        Trusted::Reduction { name } => format!("reduction '{name}'"),
        Trusted::Bits => "the encoding as bits".to_string(),
        Trusted::Integers => "the formulas over integers".to_string(),
        Trusted::SmallModels => "the bound for small models".to_string(),
        Trusted::Solver { name } => name.clone(),
    };
    let reduction = |trusted: &Trusted| match trusted {
        Trusted::Reduction { name } => Some(name.clone()),
        _ => None,
    };
    let reductions: Vec<String> = list.iter().filter_map(reduction).collect();
    let mut words: Vec<String> = vec![];
    for trusted in list {
        match trusted {
            // Several are told together, where the first of them stands.
            Trusted::Reduction { name } if reductions.len() > 1 => {
                if *name == reductions[0] {
                    words.push(format!("reductions '{}'", reductions.join("', '")));
                }
            }
            trusted => words.push(one(trusted)),
        }
    }
    if words.is_empty() { String::new() } else { format!("; trusted: {}", words.join(", ")) }
}

/// Why a property that holds has no proof.
pub fn uncertified(why: &Uncertified) -> String {
    match why {
        Uncertified::OnlyFair => {
            "it holds for fair executions only, and sets of states are proofs about all executions"
                .to_string()
        }
        Uncertified::ManyStates { states } => {
            let states = count(usize::try_from(*states).unwrap_or(usize::MAX), "state");
            format!("the program without reductions has at least {states}, which is too many to list")
        }
        Uncertified::NoMemory => "to list the states takes more memory than is allowed".to_string(),
        Uncertified::NoTime => "there was no time to list the states".to_string(),
        Uncertified::NotAsked { because } => because.clone(),
        Uncertified::NotAsWritten => "what was decided is not the property as it is written".to_string(),
    }
}
