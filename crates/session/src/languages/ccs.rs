//! CCS.

use crate::languages::EditorSupport;
use crate::open::ModelOptions;
use crate::process::{Act, Process, of_calculus, with_acts};
use crate::show::{Shape, calculus};
use crate::specification::{LanguageFrontEnd, Lowered, PropertyParts, Specification};
use std::convert::Infallible;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use swarmcheck_calculi::lower::{Described, parts, written};
use swarmcheck_calculi::property::Property;
use swarmcheck_calculi::rules::Rules;
use swarmcheck_ccs as ccs;
use swarmcheck_ccs::editor;
use swarmcheck_ccs::triples::Triples;
use swarmcheck_certify::{Claim, Confirmed, Refused, Replayed, labels};
use swarmcheck_engine::trace::data::TraceData;
use swarmcheck_ir::Expr;
use swarmcheck_ir::written::Written;
use swarmcheck_labs::lower::Choice;
use swarmcheck_source::{Diagnostic, Diagnostics, SourceFile};

/// What editors ask about its files.
pub(super) const EDITOR: EditorSupport = EditorSupport {
    pieces: swarmcheck_ccs::syntax::pieces,
    index: editor::index,
    candidates: editor::candidates,
    meaning: editor::meaning,
    signature: editor::signature,
    words: editor::WORDS,
    name_problem: editor::name_problem,
    fixed_name: |_| None,
};

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
        format!(
            "processes: {}; names of actions: {}; properties: {}",
            self.spec.definitions.len(),
            self.spec.names.len(),
            self.spec.properties.len()
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
        labels::replay(&&self.spec, &self.spec.properties, trace)
    }

    fn violated(&self, _: &SourceFile, trace: &TraceData, claim: &Claim<'_>) -> Result<Confirmed, Refused> {
        labels::violated(&&self.spec, &self.spec.properties, trace, claim)
    }

    fn is_possibility(&self, property: usize) -> bool {
        self.spec.properties.get(property).is_some_and(Property::is_possibility)
    }

    fn rests(&self, label: &str) -> bool {
        (&self.spec).rests(label)
    }

    fn parts(&self, property: usize, _: &ModelOptions) -> PropertyParts {
        let Ok(structure) = self.structure() else { return PropertyParts::default() };
        let program = ccs::lower::program(&self.spec, structure, true).program;
        let lowered = program.properties.get(property);
        let found = lowered.and_then(|lowered| parts(structure, &self.spec.properties, property, lowered));
        let (parts, left_off) = found.unwrap_or_default();
        PropertyParts { program: None, parts, left_off }
    }

    fn written(&self, property: usize, _: &ModelOptions) -> Option<Written<Expr>> {
        written(self.structure().as_ref().ok()?, &self.spec.properties, property)
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
