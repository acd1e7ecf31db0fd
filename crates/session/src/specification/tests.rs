//! How often a file is read and lowered, shown by a language that counts; and that reading can be stopped.

use super::{Found, LanguageFrontEnd, Lowered, Specification, read_as};
use crate::languages::{LANGUAGES, Language};
use crate::open::{Checked, ModelOptions, Prepared, Trouble, check, prepare, prepare_unless};
use crate::show::{Shape, show};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use swarmcheck_certify::{Claim, Confirmed, Refused, Replayed};
use swarmcheck_engine::trace::data::TraceData;
use swarmcheck_labs::lower::Choice;
use swarmcheck_source::{Diagnostic, Diagnostics, SourceFile};

/// CCS, with a count of the programs that are made: with claims, and without.
struct Counting {
    inner: Specification,
    programs: Arc<[AtomicUsize; 2]>,
}

impl LanguageFrontEnd for Counting {
    fn summary(&self) -> String {
        self.inner.summary()
    }

    fn lower(&self, text: &str, options: &ModelOptions, claims: bool) -> Result<Lowered, Box<Diagnostic>> {
        self.programs[usize::from(!claims)].fetch_add(1, Ordering::Relaxed);
        self.inner.lower(text, options, claims)
    }

    fn triples(&self, file: &SourceFile, choice: Choice, shape: Shape) -> String {
        self.inner.triples(file, choice, shape)
    }

    fn replay(&self, file: &SourceFile, trace: &TraceData) -> Result<Replayed, Refused> {
        self.inner.replay(file, trace)
    }

    fn violated(
        &self,
        file: &SourceFile,
        trace: &TraceData,
        claim: &Claim<'_>,
    ) -> Result<Confirmed, Refused> {
        self.inner.violated(file, trace, claim)
    }
}

const CLOCK: &str = "proc Clock = tick.Clock\nsystem = Clock\ncheck { Ticks = eventually tick }";

thread_local! {
    static PROGRAMS: Arc<[AtomicUsize; 2]> = Arc::default();
}

fn read_counting(
    file: &SourceFile,
    part: Option<&str>,
    options: &ModelOptions,
    stop: &AtomicBool,
) -> (Option<Specification>, Diagnostics) {
    let (inner, found) = (ccs().read)(file, part, options, stop);
    let programs = PROGRAMS.with(Arc::clone);
    (inner.map(|inner| Box::new(Counting { inner, programs }) as Specification), found)
}

fn ccs() -> &'static Language {
    LANGUAGES.iter().find(|l| l.name == "CCS").expect("CCS")
}

fn counts() -> [usize; 2] {
    PROGRAMS.with(|p| [p[0].load(Ordering::Relaxed), p[1].load(Ordering::Relaxed)])
}

#[test]
fn each_program_is_made_once() {
    let language = Language { read: read_counting, ..*ccs() };
    let file = SourceFile::new("clock", CLOCK);
    let stop = AtomicBool::new(false);
    let found: Found = read_as(&language, &file, None, &ModelOptions::default(), &stop);
    let checked = Checked::new(file, ModelOptions::default(), found);
    assert_eq!(counts(), [1, 0], "checking makes the program");
    let Ok(prepared) = checked.prepare_unless(&stop) else { panic!("refused") };
    assert_eq!(counts(), [1, 0], "preparing does not make it again");
    assert!(show(&prepared, Shape::Emulation).is_some() && show(&prepared, Shape::Triples).is_some());
    for _ in 0..3 {
        let Ok(behaviour) = prepared.behaviour() else { panic!("refused") };
        assert!(behaviour.properties.is_empty() && !prepared.flat.program.properties.is_empty());
    }
    assert_eq!(counts(), [1, 1], "the behaviour is made when it is needed, and kept");
}

#[test]
fn a_language_without_claims_has_one_program() {
    let text =
        b"system { spawn = A: 1 } agent A { interface = x: 0 Behavior = x <- 1 } check { P = always true }";
    let Ok(prepared) = prepare("a.labs", text, ModelOptions::default()) else { panic!("refused") };
    let behaviour = prepared.behaviour().expect("a program");
    assert!(std::ptr::eq(behaviour, &*prepared.flat.program));
}

/// The flag is set before the reading, or after it.
#[test]
fn a_flag_stops_what_prepares() {
    let interrupted = |result: Result<Prepared, Trouble>| matches!(result, Err(Trouble::Interrupted));
    let set = AtomicBool::new(true);
    for name in ["clock.ccs", "clock.labs", "clock.chor", "clock.rcp"] {
        assert!(interrupted(prepare_unless(name, CLOCK.as_bytes(), ModelOptions::default(), &set)), "{name}");
    }
    let checked = check("clock.ccs", CLOCK.as_bytes(), &[]);
    assert!(checked.model.is_some());
    assert!(interrupted(checked.prepare_unless(&set)));
    let unset = AtomicBool::new(false);
    assert!(prepare_unless("clock.ccs", CLOCK.as_bytes(), ModelOptions::default(), &unset).is_ok());
}

#[test]
fn variants_of_another_language_are_refused() {
    let refused = |options: ModelOptions| match prepare("clock.ccs", CLOCK.as_bytes(), options) {
        Err(Trouble::File(_, list)) => list[0].message.clone(),
        _ => panic!("not refused"),
    };
    for options in [
        ModelOptions { fair: true, ..ModelOptions::default() },
        ModelOptions { choice: Choice::Early, ..ModelOptions::default() },
    ] {
        let why = refused(options);
        assert_eq!(
            why,
            "the round-robin schedule, synchronous messages, early choice and the paper's semantics exist for \
             LAbS models only"
        );
    }
    let parameters = vec![("n".to_string(), "3".to_string())];
    let why = refused(ModelOptions { parameters, ..ModelOptions::default() });
    assert_eq!(why, "there is no parameter `n`: models in this language have none");
}
