//! Proofs as files: written by `verify`, and checked again on the model by `certify`.
//!
//! The check reads the model, lowers it, makes it smaller, writes it as bits and asks another solver than the one that has
//! found the proof. Nothing of the search is trusted.

use crate::open::{ModelOptions, Prepared, Trouble, prepare};
use crate::sink::{choice_word, semantics_word};
use crate::verify::VerifyOptions;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use swarmcheck_engine::certificate::{Certificate, Proof};
use swarmcheck_engine::trace::data::parameters;
use swarmcheck_engine::{Control, Subject, Task};
use swarmcheck_labs::lower::{Choice, Semantics};
use swarmcheck_symbolic::certificate::check_certificate;

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
    /// The property; `null` for the absence of deadlocks.
    pub property: Option<String>,
    /// Executions that stop are excused.
    pub ignore_deadlock: bool,
    /// Why it holds.
    #[serde(flatten)]
    pub certificate: Certificate,
}

/// What checking said.
pub enum Answer {
    /// The property holds, for this reason.
    Accepted(String),
    /// The certificate does not show it.
    Refused(String),
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
        property: property.map(name),
        ignore_deadlock: options.ignore_deadlock,
        certificate: certificate.clone(),
    }
}

/// Reads a certificate from JSON.
pub fn read(text: &str) -> Result<CertificateData, String> {
    let read: CertificateData = serde_json::from_str(text).map_err(|e| format!("not a certificate: {e}"))?;
    if read.format != FORMAT || read.version != VERSION {
        return Err(format!("not a certificate of version {VERSION}"));
    }
    Ok(read)
}

/// Checks a certificate on the model it names, whose bytes the caller has read.
pub fn check(
    data: &CertificateData,
    name: &str,
    bytes: &[u8],
    control: &Control<'_>,
) -> Result<Answer, Trouble> {
    let semantics =
        [Semantics::Sliver, Semantics::Paper].into_iter().find(|s| semantics_word(*s) == data.semantics);
    let choice = [Choice::Late, Choice::Early].into_iter().find(|c| choice_word(*c) == data.choice);
    let (Some(semantics), Some(choice)) = (semantics, choice) else {
        return Ok(Answer::Refused("it is about a reading of the model that does not exist".to_string()));
    };
    let parameters = data.parameters.iter().map(|(n, v)| (n.clone(), v.to_string())).collect();
    let options = ModelOptions { parameters, fair: data.fair, semantics, choice };
    Ok(check_prepared(data, &prepare(name, bytes, options)?, control))
}

/// Checks a certificate on a model that was read as it says.
pub(crate) fn check_prepared(data: &CertificateData, prepared: &Prepared, control: &Control<'_>) -> Answer {
    let all = &prepared.flat.program.properties;
    let subject = match &data.property {
        None => Some(Subject::DeadlockFreedom),
        Some(name) => all.iter().position(|p| p.name == *name).map(Subject::Property),
    };
    let Some(subject) = subject else {
        return Answer::Refused("the model has no such property".to_string());
    };
    let mut task = Task::new(&prepared.flat).only(subject);
    task.ignore_deadlock = data.ignore_deadlock;
    match check_certificate(&task, subject, &data.certificate, control) {
        Ok(bits) => Answer::Accepted(words(data, bits)),
        Err(why) => Answer::Refused(why),
    }
}

/// What a certificate shows, and how.
fn words(data: &CertificateData, bits: usize) -> String {
    let one = |proof: &Proof| match proof {
        Proof::Invariant { clauses, .. } => {
            format!("an invariant of {} over {bits} bits", clauses_of(clauses.len()))
        }
        Proof::Induction { states, .. } => format!("induction over {states} states of {bits} bits"),
    };
    let how: Vec<String> = data.certificate.proofs.iter().map(one).collect();
    format!("{} holds, by {}", data.property.as_deref().unwrap_or("(deadlock)"), how.join(" and "))
}

fn clauses_of(count: usize) -> String {
    format!("{count} clause{}", if count == 1 { "" } else { "s" })
}
