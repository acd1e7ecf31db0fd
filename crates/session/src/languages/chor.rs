//! Choreographies, and the peers that they are projected to.

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
use swarmcheck_certify::{Claim, Confirmed, Refused, Replayed, labels};
use swarmcheck_chor as chor;
use swarmcheck_chor::editor;
use swarmcheck_chor::lower::Triples;
use swarmcheck_engine::trace::data::TraceData;
use swarmcheck_ir::Expr;
use swarmcheck_ir::written::Written;
use swarmcheck_labs::lower::Choice;
use swarmcheck_source::{Diagnostic, Diagnostics, SourceFile};

/// What editors ask about its files.
pub(super) const EDITOR: EditorSupport = EditorSupport {
    pieces: swarmcheck_chor::syntax::pieces,
    index: editor::index,
    candidates: editor::candidates,
    meaning: editor::meaning,
    signature: editor::signature,
    words: editor::WORDS,
    name_problem: editor::name_problem,
    fixed_name: |_| None,
};

/// A choreography, and its triples once they were needed: both programs are made from them.
struct Choreography {
    spec: chor::Specification,
    triples: OnceLock<Result<Triples, Box<Diagnostic>>>,
}

/// Reads and checks a file; the part tells the choreography from its peers.
pub(super) fn read(
    file: &SourceFile,
    part: Option<&str>,
    _: &ModelOptions,
    _: &AtomicBool,
) -> (Option<Specification>, Diagnostics) {
    let (spec, found) = chor::check(file.text(), part);
    (spec.map(|spec| Box::new(Choreography { spec, triples: OnceLock::new() }) as Specification), found)
}

impl Choreography {
    fn structure(&self) -> &Result<Triples, Box<Diagnostic>> {
        self.triples.get_or_init(|| chor::lower::triples(&self.spec))
    }
}

impl LanguageFrontEnd for Choreography {
    fn summary(&self) -> String {
        let names: Vec<&str> = self.spec.peers.iter().map(|(name, _)| name.as_str()).collect();
        format!("peers: {}; properties: {}", names.join(", "), self.spec.properties.len())
    }

    fn lower(&self, _: &str, _: &ModelOptions, claims: bool) -> Result<Lowered, Box<Diagnostic>> {
        let structure = self.structure().as_ref().map_err(Clone::clone)?;
        Ok(chor::lower::program(&self.spec, structure, claims).into())
    }

    fn triples(&self, _: &SourceFile, _: Choice, shape: Shape) -> String {
        let Ok(structure) = self.structure() else { return String::new() };
        calculus(structure, &self.spec.name, shape, chor::lower::describe)
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
        let program = chor::lower::program(&self.spec, structure, true).program;
        let lowered = program.properties.get(property);
        let found = lowered.and_then(|lowered| parts(structure, &self.spec.properties, property, lowered));
        let (parts, left_off) = found.unwrap_or_default();
        PropertyParts { program: None, parts, left_off }
    }

    fn written(&self, property: usize, _: &ModelOptions) -> Option<Written<Expr>> {
        written(self.structure().as_ref().ok()?, &self.spec.properties, property)
    }

    fn processes(&self, file: &SourceFile, _: Choice) -> Vec<Process> {
        let Ok(together) = self.structure() else { return vec![] };
        let act = |_: &[Infallible], action: &chor::lower::Move| {
            let Described { label, remark, span } = chor::lower::describe(action);
            Act::new(&format!("{label} {remark}"), file, span)
        };
        of_calculus(None, &with_acts(together, act))
    }

    fn peers(&self) -> Option<String> {
        Some(self.spec.peers.iter().map(|(name, part)| format!("{name} = {part}\n")).collect())
    }
}
