//! CCS.

use crate::open::ModelOptions;
use crate::process::{Act, Process, of_calculus, with_acts};
use crate::show::{Shape, calculus};
use crate::specification::{LanguageFrontEnd, Lowered, Specification};
use std::convert::Infallible;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use swarmcheck_calculi::linear::{Formula, Linear};
use swarmcheck_calculi::lower::Described;
use swarmcheck_calculi::rules::Rules;
use swarmcheck_ccs as ccs;
use swarmcheck_ccs::triples::Triples;
use swarmcheck_certify::{Claim, Confirmed, Refused, Replayed, labels};
use swarmcheck_engine::trace::data::TraceData;
use swarmcheck_labs::lower::Choice;
use swarmcheck_source::{Diagnostic, Diagnostics, SourceFile};

/// A specification, and its triples once they were needed: both programs are made from them.
struct Ccs {
    spec: ccs::Specification,
    triples: OnceLock<Result<Triples, Box<Diagnostic>>>,
}

/// Reads and checks a file; the part is the process that is to be the system.
pub(super) fn read(
    file: &SourceFile,
    part: Option<&str>,
    _: &ModelOptions,
    _: &AtomicBool,
) -> (Option<Specification>, Diagnostics) {
    let (spec, found) = ccs::check(file.text(), part);
    (spec.map(|spec| Box::new(Ccs { spec, triples: OnceLock::new() }) as Specification), found)
}

impl Ccs {
    fn structure(&self) -> &Result<Triples, Box<Diagnostic>> {
        self.triples.get_or_init(|| ccs::triples::triples(&self.spec))
    }
}

impl LanguageFrontEnd for Ccs {
    fn summary(&self) -> String {
        let properties = &self.spec.properties;
        format!(
            "processes: {}; names of actions: {}; properties: {}",
            self.spec.definitions.len(),
            self.spec.names.len(),
            properties.claims.len() + properties.linear.len()
        )
    }

    fn lower(&self, _: &str, _: &ModelOptions, claims: bool) -> Result<Lowered, Box<Diagnostic>> {
        let structure = self.structure().as_ref().map_err(Clone::clone)?;
        Ok(ccs::lower::program(&self.spec, structure, claims).into())
    }

    fn triples(&self, _: &SourceFile, _: Choice, shape: Shape) -> String {
        let Ok(structure) = self.structure() else { return String::new() };
        calculus(structure, "system", shape, |action| ccs::lower::describe(&self.spec, action))
    }

    fn replay(&self, _: &SourceFile, trace: &TraceData) -> Result<Replayed, Refused> {
        labels::replay(&&self.spec, &self.spec.properties.claims, trace)
    }

    fn violated(&self, _: &SourceFile, trace: &TraceData, claim: &Claim<'_>) -> Result<Confirmed, Refused> {
        labels::violated(&&self.spec, &self.spec.properties.claims, trace, claim)
    }

    fn linear(&self) -> &[Linear] {
        &self.spec.properties.linear
    }

    fn rests(&self, label: &str) -> bool {
        (&self.spec).rests(label)
    }

    fn violates(&self, trace: &TraceData, formula: &Formula) -> Result<Replayed, Refused> {
        labels::violates(&&self.spec, &self.spec.properties.claims, trace, formula)
    }

    fn processes(&self, file: &SourceFile, _: Choice) -> Vec<Process> {
        let (Ok(alone), Ok(together)) = (ccs::triples::interleaved(&self.spec), self.structure()) else {
            return vec![];
        };
        let act = |_: &[Infallible], action: &ccs::triples::Move| {
            let Described { label, remark, span } = ccs::lower::describe(&self.spec, action);
            Act::new(&format!("{label} {remark}"), file, span)
        };
        of_calculus(Some(&with_acts(&alone, act)), &with_acts(together, act))
    }
}
