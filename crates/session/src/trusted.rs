//! What has to be trusted so that an accepted proof shows what it says, as data.
//!
//! Always trusted, and not listed: reading the model, lowering it to a program, the meaning of a step of that program, and the check of
//! the proof. What stands here comes on top of that.

use serde::{Deserialize, Serialize};
use swarmcheck_engine::Fairness;
use swarmcheck_engine::certificate::{Certificate, Proof};
use swarmcheck_ir::{Inside, Modality};

/// One thing that has to be right.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Trusted {
    /// A scope became a monitor of the program.
    Monitor,
    /// A formula of linear time became an automaton.
    Automaton,
    /// Who acts, and who can, became variables of the program, because only fair executions count.
    Units,
    /// What executions do for ever became a question about reachable states.
    Safety,
    /// A reduction made the program smaller.
    Reduction {
        /// As `--no-reductions` and certificates name it.
        name: String,
    },
    /// The program was encoded as bits.
    Bits,
    /// The program was written as formulas over integers.
    Integers,
    /// A theorem says that what holds for few agents holds for every number of them.
    SmallModels,
    /// A solver found that an obligation cannot fail.
    Solver {
        /// Its name.
        name: String,
    },
}

/// Reductions that change the program before it is encoded. The others change how states are stored and visited.
const PASSES: [&str; 5] = ["ranges", "fold", "slice", "stale", "dead"];

/// What a proof of a property asks to trust.
pub(crate) fn trusted(
    certificate: &Certificate,
    modality: Option<&Modality>,
    fairness: Fairness,
) -> Vec<Trusted> {
    let solver = |name: &str| Trusted::Solver { name: name.to_string() };
    let mut out = vec![];
    match modality {
        Some(Modality::Scoped { .. }) => out.push(Trusted::Monitor),
        Some(Modality::Linear(_)) => out.push(Trusted::Automaton),
        _ => {}
    }
    if certificate.proofs.iter().all(|proof| matches!(proof, Proof::States(_))) {
        return out;
    }
    let reduction = |name: &str| Trusted::Reduction { name: name.to_string() };
    if certificate.proofs.iter().any(|proof| matches!(proof, Proof::Every(_))) {
        // Obligations are decided with all of them.
        out.extend(PASSES.into_iter().map(reduction));
        out.extend([Trusted::SmallModels, Trusted::Bits, solver("cadical")]);
        return out;
    }
    let is_infinite = match modality {
        Some(Modality::Eventually | Modality::Finally | Modality::Linear(_)) => true,
        Some(Modality::Scoped { inside, .. }) => matches!(inside, Inside::ThereIs),
        _ => false,
    };
    let is_bounded = certificate.proofs.iter().any(|proof| matches!(proof, Proof::Bounded(_)));
    if is_infinite && !fairness.is_none() {
        out.push(Trusted::Units);
    }
    if is_infinite && !is_bounded {
        out.push(Trusted::Safety);
    }
    let is_integers = certificate.proofs.iter().any(|proof| matches!(proof, Proof::Integers { .. }));
    let used = serde_json::to_value(certificate.reductions).unwrap_or_default();
    // Formulas over integers are written with ranges in any case: without them nothing is known about indices.
    let is_used =
        |name: &&str| used[name] == serde_json::Value::Bool(true) || (is_integers && *name == "ranges");
    out.extend(PASSES.into_iter().filter(is_used).map(reduction));
    if is_integers {
        out.extend([Trusted::Integers, solver("z3 or cvc5")]);
        return out;
    }
    out.push(Trusted::Bits);
    for proof in &certificate.proofs {
        let name = match proof {
            Proof::Invariant { .. } => "cadical",
            Proof::Induction { .. } => "batsat",
            _ => continue,
        };
        if !out.contains(&solver(name)) {
            out.push(solver(name));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use swarmcheck_engine::{Reductions, SolverName};

    /// Formulas over integers are written with ranges also where a file says that no reduction was used.
    #[test]
    fn ranges_are_trusted_by_proofs_over_integers() {
        let proof = Proof::Integers {
            invariant: "true".to_string(),
            words: vec![],
            states: 1,
            distinct: false,
            rounds: None,
            solver: SolverName::Z3,
        };
        let certificate =
            Certificate { reductions: Reductions::NONE, widths: 0, bits: vec![], proofs: vec![proof] };
        let list = trusted(&certificate, Some(&Modality::Always), Fairness::default());
        assert_eq!(list[0], Trusted::Reduction { name: "ranges".to_string() });
        assert!(!list.contains(&Trusted::Reduction { name: "slice".to_string() }));
    }
}
