//! Proofs of what holds: which one is kept with an answer, and its check.
//!
//! A set of states asks to trust no reduction, so it is preferred to a proof about a smaller program, unless the engine was chosen by name. That no
//! proof is found changes no verdict.

use super::VerifyOptions;
use crate::certificate;
use crate::open::Prepared;
use crate::outcome::{Answer, Claimed, Outcome, Reason};
use crate::trusted::{Trusted, trusted};
use swarmcheck_engine::certificate::{Certificate, Proof, Uncertified};
use swarmcheck_engine::{Control, Evidence, Fairness, Reductions, Subject, Task};
use swarmcheck_portfolio::Decider;
use swarmcheck_proof::bounded;
use swarmcheck_proof::states::{self, NoStates};

/// A question that was answered.
pub(super) struct Asked<'a> {
    pub(super) prepared: &'a Prepared,
    pub(super) options: &'a VerifyOptions,
    pub(super) property: Option<usize>,
    /// Why the engine says that it holds.
    pub(super) evidence: Evidence,
    pub(super) control: &'a Control<'a>,
}

/// Keeps a proof with the answer that a property holds. If proofs are wanted, it is one that was checked on the model; a proof that is refused then
/// is no evidence.
pub(super) fn keep(asked: &Asked<'_>, own: Option<Box<Certificate>>, answer: &mut Answer) {
    if !asked.options.certify {
        answer.certificate = own.map(|own| Box::new(asked.data(&own)));
        return;
    }
    // Whoever asks `bmc` wants executions of the bits refuted; others list states first.
    let is_bmc = asked.options.engine != Decider::Auto && answer.engine.as_deref() == Some("bmc");
    let own = own.or_else(|| if is_bmc { asked.refuted() } else { None });
    let is_own_enough =
        own.as_deref().is_some_and(|own| asked.options.engine != Decider::Auto || !uses_reductions(own));
    if !is_own_enough {
        match asked.enumerated() {
            Ok(certificate) => match asked.checked(certificate, answer) {
                Some(why) if asked.control.stopped() || why == INTERRUPTED => {
                    answer.uncertified = Some(Uncertified::NoTime);
                }
                None => return,
                Some(why) => return asked.refuse(why, answer),
            },
            Err(NoStates::Contradicted(why)) => return asked.refuse(why.to_string(), answer),
            Err(NoStates::Unfinished(why)) => answer.uncertified = Some(why),
        }
    }
    let own = own.or_else(|| if is_bmc { None } else { asked.refuted() });
    let Some(own) = own else { return };
    answer.uncertified = None;
    if let Some(why) = asked.checked(own, answer) {
        // Whoever is told to stop has checked nothing, and says so.
        match asked.control.stopped() {
            true => answer.outcome = Outcome::unknown(Reason::Interrupted),
            false => asked.refuse(why, answer),
        }
    }
}

/// As the check of sets of states says it.
const INTERRUPTED: &str = "interrupted";

/// Whether a proof in bits is about a smaller program.
fn uses_reductions(certificate: &Certificate) -> bool {
    let in_bits =
        |proof: &Proof| !matches!(proof, Proof::Integers { .. } | Proof::Every(_) | Proof::States(_));
    let reductions = trusted(certificate, None, Fairness::None);
    certificate.proofs.iter().any(in_bits)
        && reductions.iter().any(|t| matches!(t, Trusted::Reduction { .. }))
}

impl Asked<'_> {
    fn data(&self, certificate: &Certificate) -> certificate::CertificateData {
        certificate::data(self.prepared, self.options, self.property, certificate)
    }

    /// Keeps a proof if it is accepted; otherwise says why it is not.
    fn checked(&self, certificate: Box<Certificate>, answer: &mut Answer) -> Option<String> {
        let data = self.data(&certificate);
        if let Err(why) = certificate::check_prepared(&data, self.prepared, self.control) {
            return Some(why);
        }
        answer.trusted =
            Some(trusted(&certificate, certificate::modality(&data, self.prepared), data.fairness));
        answer.certificate = Some(Box::new(data));
        answer.uncertified = None;
        None
    }

    fn refuse(&self, why: String, answer: &mut Answer) {
        answer.outcome = Outcome::unknown(Reason::NotConfirmed { what: Claimed::Proof, why });
    }

    /// A refutation of the formula that some execution violates the property, where a number of steps was enough to decide it.
    fn refuted(&self) -> Option<Box<Certificate>> {
        let ends = match self.evidence {
            // Executions are known to stop, or to have reached the goal, before the next step.
            Evidence::Ended(steps) => Some(steps.saturating_add(1)),
            Evidence::Bounded(_) => None,
            _ => return None,
        };
        let (subject, task) = self.task();
        let task = Task { reductions: self.options.reductions, ..task };
        bounded::build(&task, subject, ends, self.control).map(Box::new)
    }

    fn task(&self) -> (Subject, Task) {
        let subject = self.property.map_or(Subject::DeadlockFreedom, Subject::Property);
        let mut task = Task::new(&self.prepared.flat).only(subject);
        task.ignore_deadlock = self.options.ignore_deadlock;
        task.fairness = self.options.fairness;
        task.bound = self.options.steps;
        (subject, task)
    }

    /// All states as a proof.
    fn enumerated(&self) -> Result<Box<Certificate>, NoStates> {
        let (subject, task) = self.task();
        let proof = states::build(&task, subject, self.control)?;
        let (reductions, proofs) = (Reductions::NONE, vec![Proof::States(proof)]);
        Ok(Box::new(Certificate { reductions, widths: 0, bits: vec![], proofs }))
    }
}
