//! Looking for a proof that covers every instance.
//!
//! `swarmcheck_parametric` proves things about a family: one emulation program whose kinds have any number of agents. That the program of each
//! instance is a member of the family is checked here ([`OpenQuestion::is_uniform`]), at every size that the proof looks at and at larger ones.

use super::certificate;
use super::instances::Asked;
use super::model::OpenQuestion;
use super::{Every, text};
use crate::open::Prepared;
use crate::outcome::{Answer, EveryMethod, Reason};
use crate::words;
use swarmcheck_engine::{Control, Fairness};
use swarmcheck_ir::{Modality, Property};
use swarmcheck_parametric::counting::{Claim, ClaimModality, CountingProof};
use swarmcheck_parametric::{Family, Proof, prove as prove_invariant};

/// The name in the column of engines.
pub(super) const ENGINE: &str = "parametric";

/// Counting looks at members with fewer agents than this.
const COUNTED: u32 = 8;

/// Larger members are compared with what the model is lowered to, beyond those that a proof looks at.
pub(super) const BEYOND: u32 = 3;

/// An answer that a property holds in every instance, or why there is no proof, as a sentence.
pub(super) fn prove(
    every: &Every<'_>,
    prepared: &Prepared,
    asked: &Asked,
    control: &Control<'_>,
) -> Result<Box<Answer>, String> {
    let name = &asked.name;
    if every.options.steps.is_some() {
        return Err("executions of a number of steps are decided for single instances only".to_string());
    }
    let question = OpenQuestion::new(&every.model, prepared, name)?;
    let (family, property) = question.family()?;
    let (method, lines, certificate) = match invariant(&question, &family, &property, control) {
        Ok(proof) => {
            let certificate = certificate::data(every, prepared, &family, name, &proof);
            let lines = text::invariant(family.base(), &proof.clauses);
            (EveryMethod::Invariant { agents: proof.bound.induction() }, lines, Some(Box::new(certificate)))
        }
        Err(why) => {
            let proof = counting(every, &question, &family, &property, control).map_err(|other| {
                // Of a property about what can be reached, only counting has anything to say.
                if property.modality == Modality::Always && why != other {
                    format!("{why}; counting: {other}")
                } else {
                    other
                }
            })?;
            let (places, transitions) = (proof.places() as u32, proof.transitions() as u32);
            (EveryMethod::Counting { places, transitions }, proof.lines, None)
        }
    };
    let all = &prepared.flat.program.properties;
    let modality = all.iter().find(|p| p.name == property.name).map(|p| &p.modality);
    let question = modality.map(|modality| words::fairness::question(modality, None, Fairness::None));
    Ok(Box::new(Answer {
        engine: Some(ENGINE.to_string()),
        outcome: every.proved(method, lines, asked),
        certificate,
        ..Answer::open(name, question.unwrap_or_default(), Reason::NoAnswer)
    }))
}

/// A proof by counting agents. `counting::prove` has checked it without the search that has found it.
fn counting(
    every: &Every<'_>,
    question: &OpenQuestion<'_>,
    family: &Family,
    property: &Property,
    control: &Control<'_>,
) -> Result<CountingProof, String> {
    let Some(claim) = Claim::of(property) else {
        return Err(format!("{} is decided for single instances only", modality(&property.modality)));
    };
    if every.options.ignore_deadlock && claim.modality != ClaimModality::Always {
        return Err("with --ignore-deadlock, 'fairly' is decided for single instances only".to_string());
    }
    let sizes = question.size_constraints(&every.constraint);
    let proof = swarmcheck_parametric::counting::prove(family, claim, &sizes, control)
        .map_err(|why| question.words(&why))?;
    question.is_uniform(family, COUNTED)?;
    Ok(proof)
}

/// A quantified invariant.
pub(super) fn invariant(
    question: &OpenQuestion<'_>,
    family: &Family,
    property: &Property,
    control: &Control<'_>,
) -> Result<Proof, String> {
    if property.modality != Modality::Always {
        return Err(format!("{} is decided for single instances only", modality(&property.modality)));
    }
    let proof = prove_invariant(family, &property.predicate, control).map_err(|why| question.words(&why))?;
    question.is_uniform(family, proof.bound.induction() + BEYOND)?;
    Ok(proof)
}

fn modality(modality: &Modality) -> &'static str {
    match modality {
        Modality::Always => "'always'",
        Modality::Eventually => "'eventually'",
        Modality::Finally => "'finally'",
        Modality::Fairly => "'fairly'",
        Modality::FairlyInf => "'fairly_inf'",
        Modality::After(_) => "'after'",
        Modality::Scoped { .. } => "a scope",
        Modality::Linear(_) => "a formula of linear time",
    }
}
