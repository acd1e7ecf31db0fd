//! Proofs as files: written by `verify`, and checked again on the model by `certify`.
//!
//! The check reads the model, lowers it, makes it smaller, writes it as bits or as formulas over integers and asks another solver than the one that has
//! found the proof. A set of states is checked state by state, without any of that. Nothing of the search is trusted.

use crate::every;
use crate::languages::LanguageWord;
use crate::open::{Prepared, Trouble, prepare};
use crate::sink::{choice_word, semantics_word};
use crate::stored::StoredReading;
use crate::trusted::{Trusted, trusted};
use crate::verify::VerifyOptions;
use crate::verify::fairness::acceptable;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use swarmcheck_engine::certificate::{BoundedProof, Certificate, Proof};
use swarmcheck_engine::trace::data::parameters;
use swarmcheck_engine::{Control, Fairness, Subject, Task};
use swarmcheck_ir::Modality;
use swarmcheck_proof::{bounded, check_certificate, states};
use swarmcheck_smt::check_integers;

/// The name of the format.
pub const FORMAT: &str = "swarmcheck-certificate";
/// Its version.
pub const VERSION: u32 = 1;

/// A whole certificate: which property of which model, and why it holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CertificateData {
    /// Always [`FORMAT`].
    pub format: String,
    /// The version it was written with.
    pub version: u32,
    /// The model's file, as it was given.
    pub model: String,
    /// Values of the parameters.
    pub parameters: Map<String, Json>,
    /// Round-robin schedule.
    pub fair: bool,
    /// `sliver` or `paper`.
    pub semantics: String,
    /// `late` or `early`.
    pub choice: String,
    /// Messages are delivered in the step that causes them; absent if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sync: bool,
    /// `conventional` or `rcheck`, if that was chosen.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub precedence: Option<String>,
    /// The property; `null` for the absence of deadlocks.
    #[serde(deserialize_with = "Option::deserialize")]
    pub property: Option<String>,
    /// Executions that stop are excused.
    pub ignore_deadlock: bool,
    /// Only executions that are fair in this sense count; absent if all do.
    #[serde(default, skip_serializing_if = "Fairness::is_none")]
    pub fairness: Fairness,
    /// Why it holds.
    #[serde(flatten)]
    pub certificate: Certificate,
}

/// What checking a certificate says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum CertificateAnswer {
    /// The property holds.
    Accepted {
        /// The property; none for the absence of deadlocks.
        property: Option<String>,
        /// Why, one proof after the other.
        proofs: Vec<ProofSize>,
        /// The bits of a state.
        bits: usize,
        /// For executions of at most so many steps.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        steps: Option<u32>,
        /// Only executions that make all of these steps count: others were not asked about, and there may be none that does.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        exactly: bool,
        /// Executions that stop are excused.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        ignore_deadlock: bool,
        /// For executions that are fair in this sense.
        #[serde(default, skip_serializing_if = "Fairness::is_none")]
        fairness: Fairness,
        /// What has to be right besides the reading of the model and the check.
        #[serde(default)]
        trusted: Vec<Trusted>,
        /// A proof within a bound for other checkers, if that was asked for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        formula: Option<Refuted>,
    },
    /// The certificate does not show it.
    Refused {
        /// Why not, as a sentence.
        why: String,
    },
}

/// A formula and its refutation in formats that other checkers read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Refuted {
    /// The formula, in the format of DIMACS.
    pub dimacs: String,
    /// The refutation, in the format LRAT.
    pub lrat: String,
}

/// What sort of proof, and how large.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ProofSize {
    /// An inductive invariant.
    Invariant {
        /// Its clauses.
        clauses: usize,
    },
    /// Induction over paths.
    Induction {
        /// Their length in states.
        states: usize,
    },
    /// An invariant for every number of agents.
    Every {
        /// Its clauses, besides the property.
        clauses: usize,
        /// The parameters that are open, with their smallest values.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        open: Vec<(String, u32)>,
        /// The values of all others: what was proved is about them only.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        closed: Vec<(String, String)>,
    },
    /// A set of states that no step leaves.
    States {
        /// How many there are.
        states: u64,
        /// Only executions of so many steps are considered.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        steps: Option<u32>,
    },
    /// A refutation of the formula that some execution of a number of steps violates the property.
    Bounded {
        /// No execution makes so many steps.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ends: Option<u32>,
        /// The clauses of the formula.
        clauses: u64,
        /// The clauses of the refutation.
        lines: usize,
    },
    /// An inductive invariant over integers, or an induction within it.
    Integers {
        /// So many states in a row; none if the invariant is enough.
        states: u32,
        /// The parts of the invariant.
        parts: usize,
    },
}

/// A certificate for a property, or for the absence of deadlocks.
pub(crate) fn data(
    prepared: &Prepared,
    options: &VerifyOptions,
    property: Option<usize>,
    certificate: &Certificate,
) -> CertificateData {
    let name = |number: usize| prepared.flat.program.properties[number].name.clone();
    CertificateData {
        format: FORMAT.to_string(),
        version: VERSION,
        model: prepared.file.name().to_string(),
        parameters: parameters(prepared.model.parameters()),
        fair: prepared.options.fair,
        semantics: semantics_word(prepared.options.semantics).to_string(),
        choice: choice_word(prepared.options.choice).to_string(),
        sync: prepared.options.sync,
        precedence: prepared.options.precedence.map(|p| p.word().to_string()),
        property: property.map(name),
        ignore_deadlock: options.ignore_deadlock,
        fairness: options.fairness,
        certificate: certificate.clone(),
    }
}

/// Reads a certificate from JSON.
pub fn read(text: &str) -> Result<CertificateData, String> {
    crate::version::read(text, "a certificate", FORMAT, VERSION)
}

/// Checks a certificate on the model it names, whose bytes the caller has read.
pub fn check(
    data: &CertificateData,
    name: &str,
    bytes: &[u8],
    control: &Control<'_>,
) -> Result<CertificateAnswer, Trouble> {
    check_as(data, name, bytes, None, control)
}

/// The same with a model in a language that somebody has named.
pub fn check_as(
    data: &CertificateData,
    name: &str,
    bytes: &[u8],
    language: Option<LanguageWord>,
    control: &Control<'_>,
) -> Result<CertificateAnswer, Trouble> {
    if every::certificate::is_about_every(data) {
        return every::certificate::check(data, name, bytes, language, control);
    }
    let Ok(options) = StoredReading::from(data).options(language) else {
        let why = "it is about a reading of the model that does not exist".to_string();
        return Ok(CertificateAnswer::Refused { why });
    };
    let prepared = prepare(name, bytes, options)?;
    Ok(match check_prepared(data, &prepared, control) {
        Ok(bits) => accepted(data, data.certificate.proofs.iter().map(size).collect(), bits, Some(&prepared)),
        Err(why) => CertificateAnswer::Refused { why },
    })
}

/// A proof within a bound for other checkers; `None` for proofs of other kinds.
pub fn formula(
    data: &CertificateData,
    name: &str,
    bytes: &[u8],
    language: Option<LanguageWord>,
    control: &Control<'_>,
) -> Result<Option<Refuted>, Trouble> {
    let ([Proof::Bounded(proof)], Ok(options)) =
        (&data.certificate.proofs[..], StoredReading::from(data).options(language))
    else {
        return Ok(None);
    };
    let prepared = prepare(name, bytes, options)?;
    let Some((subject, task)) = task(data, &prepared) else { return Ok(None) };
    let formula = bounded::written(&task, subject, &data.certificate, proof, control);
    Ok(formula.ok().map(|formula| Refuted { dimacs: formula.dimacs(), lrat: proof.lrat.clone() }))
}

/// The question that a certificate is about; `None` if the model has no such property.
fn task(data: &CertificateData, prepared: &Prepared) -> Option<(Subject, Task)> {
    let all = &prepared.flat.program.properties;
    let subject = match &data.property {
        None => Subject::DeadlockFreedom,
        Some(name) => Subject::Property(all.iter().position(|p| p.name == *name)?),
    };
    let mut task = Task::new(&prepared.flat).only(subject);
    task.ignore_deadlock = data.ignore_deadlock;
    task.fairness = data.fairness;
    Some((subject, task))
}

/// What is said of a certificate that was checked.
pub(crate) fn accepted(
    data: &CertificateData,
    mut proofs: Vec<ProofSize>,
    bits: usize,
    prepared: Option<&Prepared>,
) -> CertificateAnswer {
    let bound = |proof: &Proof| match proof {
        Proof::States(proof) => proof.steps,
        Proof::Bounded(proof) => proof.steps,
        _ => None,
    };
    let modality = prepared.and_then(|prepared| modality(data, prepared));
    // Steps may leave what is listed for the last of so many steps.
    if let Some(Modality::After(bound)) = modality {
        for proof in &mut proofs {
            if let ProofSize::States { steps, .. } = proof {
                *steps = Some(*bound);
            }
        }
    }
    let steps = data.certificate.proofs.iter().find_map(bound);
    CertificateAnswer::Accepted {
        property: data.property.clone(),
        exactly: steps.is_some()
            && matches!(modality, Some(Modality::Eventually | Modality::Finally | Modality::After(_))),
        proofs,
        bits,
        steps,
        ignore_deadlock: data.ignore_deadlock,
        fairness: data.fairness,
        trusted: trusted(&data.certificate, modality, data.fairness),
        formula: None,
    }
}

/// What sort of property a certificate is about.
pub(crate) fn modality<'p>(data: &CertificateData, prepared: &'p Prepared) -> Option<&'p Modality> {
    let name = data.property.as_ref()?;
    prepared.flat.program.properties.iter().find(|p| p.name == *name).map(|p| &p.modality)
}

/// Checks a certificate on a model that was read as it says: the bits of a state, or why it is refused.
pub(crate) fn check_prepared(
    data: &CertificateData,
    prepared: &Prepared,
    control: &Control<'_>,
) -> Result<usize, String> {
    let (subject, task) = task(data, prepared).ok_or("the model has no such property")?;
    if let Subject::Property(number) = subject
        && prepared.turned(number).is_some()
    {
        // The program has the negation, which is another claim.
        return Err("what is possible is shown by an execution".to_string());
    }
    let options = VerifyOptions { fairness: data.fairness, ..VerifyOptions::default() };
    acceptable(prepared, &options, None).map_err(|refusal| crate::words::refusal(&refusal))?;
    match &data.certificate.proofs[..] {
        [Proof::Integers { .. }, ..] => check_integers(&task, subject, &data.certificate, control),
        [Proof::States(proof)] => states::check(&task, subject, proof, control).map(|()| 0),
        [Proof::Bounded(proof)] => bounded::check(&task, subject, &data.certificate, proof, control),
        _ => check_certificate(&task, subject, &data.certificate, control),
    }
}

fn size(proof: &Proof) -> ProofSize {
    match proof {
        Proof::Invariant { clauses, .. } => ProofSize::Invariant { clauses: clauses.len() },
        Proof::Induction { states, .. } => ProofSize::Induction { states: *states },
        Proof::Every(proof) => {
            ProofSize::Every { clauses: proof.clauses.len(), open: vec![], closed: vec![] }
        }
        Proof::States(proof) => ProofSize::States { states: proof.states, steps: proof.steps },
        Proof::Bounded(BoundedProof { ends, clauses, lrat, .. }) => {
            let lines = lrat.lines().count();
            ProofSize::Bounded { ends: *ends, clauses: *clauses, lines }
        }
        Proof::Integers { states, words, .. } => ProofSize::Integers { states: *states, parts: words.len() },
    }
}
