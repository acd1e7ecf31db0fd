//! Proofs for every number of agents as files: written with answers, checked again on the model, and written for other solvers.

use super::model::{OpenModel, OpenQuestion};
use super::numbers;
use super::proof::{BEYOND, invariant};
use super::{Every, verify};
use crate::certificate::{
    CertificateAnswer, CertificateData, ProofSize, accepted as accepted_as, data as plain_data,
};
use crate::export::{ExportOptions, File};
use crate::languages::LanguageWord;
use crate::open::{ModelOptions, Prepared, Trouble, decode};
use crate::refusal::Refusal;
use crate::stored::StoredReading;
use serde_json::Value as Json;
use swarmcheck_engine::Control;
use swarmcheck_engine::Reductions;
use swarmcheck_engine::certificate::{Certificate, Proof as StoredProof};
use swarmcheck_export::{Export, obligation};
use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{UNDEF, Var};
use swarmcheck_parametric::{Family, Invariant, Part, Proof, stored};

/// The certificate of a proof. Values of open parameters are written as the user wrote them.
pub(super) fn data(
    every: &Every<'_>,
    prepared: &Prepared,
    family: &Family,
    name: &str,
    proof: &Proof,
) -> CertificateData {
    let stored = stored::store(family.base(), &proof.clauses, &proof.values);
    let proofs = vec![StoredProof::Every(stored)];
    let certificate = Certificate { reductions: Reductions::NONE, widths: 0, bits: vec![], proofs };
    let mut data = plain_data(prepared, every.options, None, &certificate);
    for open in &every.model.open {
        data.parameters.insert(open.name.clone(), Json::String(format!("{}..", open.low)));
    }
    CertificateData { property: Some(name.to_string()), ..data }
}

/// Whether a certificate is about every number of agents.
pub(crate) fn is_about_every(data: &CertificateData) -> bool {
    data.certificate.proofs.iter().any(|proof| matches!(proof, StoredProof::Every(_)))
}

/// Checks a certificate on the model.
pub(crate) fn check(
    data: &CertificateData,
    name: &str,
    bytes: &[u8],
    language: Option<LanguageWord>,
    control: &Control<'_>,
) -> Result<CertificateAnswer, Trouble> {
    let refused = |why: &str| Ok(CertificateAnswer::Refused { why: why.to_string() });
    let (file, broken) = decode(name, bytes);
    if let Some(diagnostic) = broken {
        return Err(Trouble::File(file, vec![diagnostic]));
    }
    let Ok(options) = StoredReading::from(data).options(language) else {
        return refused("it is about a reading of the model that does not exist");
    };
    // Open values are stored as text.
    let plain = |(name, value): (String, String)| (name, value.trim_matches('"').to_string());
    let options = ModelOptions { parameters: options.parameters.into_iter().map(plain).collect(), ..options };
    let ([StoredProof::Every(stored)], Some(property)) = (&data.certificate.proofs[..], &data.property)
    else {
        return refused("it has other proofs than a property for every number of agents needs");
    };
    let Ok(model) = OpenModel::new(name, file.text(), options, control.stop) else {
        return refused("it is about numbers of agents that cannot be read");
    };
    if model.open.is_empty() {
        return refused("no number of agents is open in it");
    }
    let prepared = match model.prepared(&model.base()) {
        Ok(prepared) => prepared,
        Err(refusal) => return refused(&crate::words::refusal(&refusal)),
    };
    let accepted = || -> Result<(), String> {
        let question = OpenQuestion::new(&model, &prepared, property)?;
        let (family, property) = question.family()?;
        if property.modality != swarmcheck_ir::Modality::Always {
            return Err("no invariant shows such a property".to_string());
        }
        let Some((clauses, values)) = stored::restore(family.base(), stored) else {
            return Err("it names what the model has not".to_string());
        };
        if !values
            .iter()
            .all(|((var, _), set)| set.iter().all(|value| can_be(family.base().var(*var), *value)))
        {
            return Err("it has values that a variable cannot have".to_string());
        }
        let invariant =
            Invariant { family: &family, property: &property.predicate, clauses: &clauses, values: &values };
        let extent = invariant.check(control).map_err(|why| question.words(&why))?;
        question.is_uniform(&family, extent.bound.induction() + BEYOND)
    };
    Ok(match accepted() {
        Err(why) => CertificateAnswer::Refused { why },
        Ok(()) => {
            let size = ProofSize::Every {
                clauses: stored.clauses.len(),
                open: model.open.iter().map(|open| (open.name.clone(), open.low)).collect(),
                closed: model.closed(&prepared).map(|(name, value)| (name, value.to_string())).collect(),
            };
            accepted_as(data, vec![size], 0, Some(&prepared))
        }
    })
}

/// Whether a variable can have a value. How large ranks are depends on the number of agents.
fn can_be(var: &Var, value: i64) -> bool {
    match (value, var.domain.filter(|_| var.role != Role::Order)) {
        (UNDEF, domain) => var.may_be_undef || domain.is_none(),
        (value, domain) => domain.is_none_or(|(low, high)| (low..=high).contains(&value)),
    }
}

/// What a proof has to show, for other solvers: one file per size, each unsatisfiable.
pub(crate) fn obligations(
    model: &OpenModel<'_>,
    options: &ExportOptions,
    control: &Control<'_>,
) -> Result<Vec<File>, Refusal> {
    let target = options.target.clone();
    let refuse = |why: String| Refusal::Target { target: target.clone(), why };
    if target != "smt2" {
        return Err(refuse("what holds for every number of agents is written by --to smt2 only".to_string()));
    }
    let prepared = model.prepared(&model.base())?;
    let names: Vec<String> = options.property.iter().cloned().collect();
    let wanted = verify::wanted(&prepared, &names)?;
    let [number] = wanted[..] else { return Err(Refusal::NameOneProperty { target }) };
    let question =
        OpenQuestion::new(model, &prepared, verify::question_of(&prepared, number)).map_err(&refuse)?;
    let (family, property) = question.family().map_err(&refuse)?;
    let proof = invariant(&question, &family, &property, control).map_err(&refuse)?;
    let invariant = Invariant {
        family: &family,
        property: &property.predicate,
        clauses: &proof.clauses,
        values: &proof.values,
    };
    let mut out = vec![];
    for one in invariant.obligations(&proof.bound) {
        let (part, flat) = (one.part, Flat::new(one.program));
        let program = &flat.program;
        let export = Export {
            program,
            flat: &flat,
            property: Some(0),
            formulas: &[],
            bound: None,
            file: &prepared.file,
        };
        let text = obligation(&export, part == Part::Step).map_err(|refusal| refuse(refusal.why))?;
        let sizes: Vec<String> = one.sizes.iter().map(ToString::to_string).collect();
        let word = if part == Part::Step { "step" } else { "initial" };
        out.push(File { name: format!("{word}-{}.smt2", sizes.join("-")), bytes: text.into_bytes() });
    }
    Ok(out)
}

/// The model of a request for files, if its parameters are open.
pub(crate) fn open_model<'a>(
    name: &'a str,
    text: &'a str,
    options: ModelOptions,
    control: &Control<'a>,
) -> Option<Result<OpenModel<'a>, Refusal>> {
    numbers::is_any_open(&options.parameters).then(|| OpenModel::new(name, text, options, control.stop))
}
