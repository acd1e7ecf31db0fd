//! SMV text, read by a grammar of our own and run: its states and steps must be those of the emulation program, and its
//! specifications must have the verdicts of the examples. NuSMV itself is not needed.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "reads the examples and stored programs"
)]

mod check;
mod golden;
mod grammar;
mod meaning;
mod nusmv;
mod states;

use meaning::Machine;
use states::{MOST, compare, open, read, text};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control};
use swarmcheck_ir::Modality;
use swarmcheck_session::backends::{Ended, Job, Ran, Tools};
use swarmcheck_session::outcome::FaultWord;
use swarmcheck_session::verify::{
    Answer, Answered, Backend, Length, Outcome, VerifyOptions, Violation, verify_with,
};
use swarmcheck_session::{Prepared, Refusal};

fn example(file: &str, parameters: &str, fair: bool) -> Prepared {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
    open(file, &std::fs::read(path).unwrap(), parameters, fair)
}

/// One instance of every example whose variables are bounded. States are counted by the enumerator: the numbers are in
/// the files of verdicts.
#[test]
fn states_and_steps_of_the_examples() {
    let counted: &[(&str, &str, bool, Option<usize>)] = &[
        ("leader/leader.labs", "n=3", false, None),
        ("approx/approx.labs", "yes=1 no=2", false, Some(55)),
        ("scopes/crossing.labs", "trains=1", false, Some(21)),
        ("scopes/crossing.labs", "trains=2", false, Some(145)),
        ("waiting/waiting.labs", "hasty=2 careful=0", false, Some(39)),
        ("philosophers/philosophers.labs", "n=3", false, None),
        ("flock/flock.labs", "birds=2 grid=2 delta=2", true, None),
        ("formation/formation.labs", "n=2 size=3 range=1", false, None),
        ("majority/majority.labs", "yes=1 no=1", false, None),
        ("predator/predator.labs", "birds=2 grid=3 sight=1", false, None),
        ("twophase/twophase.labs", "workers=1", false, None),
        ("unanimity/unanimity.labs", "voters=2 options=2", false, None),
        ("voter/voter.labs", "voters=2 options=2", false, None),
        ("foraging/foraging.labs", "robots=1 grid=2", false, None),
        ("mutual-exclusion/peterson.ccs", "", false, None),
        ("alternating-bit/abp.ccs", "", false, None),
        ("stock/stock.chor", "", false, None),
        ("travel/travel.chor", "", false, None),
        ("rcheck-buffer/buffer.rcp", "", false, None),
        ("rcheck-store/store.rcp", "", false, None),
        ("rcheck-rating/rating.rcp", "", false, None),
    ];
    let mut states = 0;
    for (file, parameters, fair, count) in counted {
        let prepared = example(file, parameters, *fair);
        let (seen, whole) = compare(&prepared, None);
        states += seen;
        println!("{file} {parameters}: {seen} states{}", if whole { "" } else { ", and more" });
        if let Some(count) = count {
            assert_eq!((seen, whole), (*count, true), "{file} {parameters}");
        }
    }
    assert!(states > 2000, "only {states} states");
}

/// The condition of a property means the same in both, state by state.
#[test]
fn conditions_of_properties() {
    for (file, parameters, property) in [
        ("leader/leader.labs", "n=2", "LeaderIs0"),
        ("approx/approx.labs", "yes=1 no=2", "NoYConsensus"),
        ("predator/predator.labs", "birds=2 grid=3 sight=1", "FlockForms"),
        ("formation/formation.labs", "n=2 size=3 range=1", "Distancing"),
        ("rcheck-store/store.rcp", "", "Consistent"),
    ] {
        let (seen, _) = compare(&example(file, parameters, false), Some(property));
        assert!(seen > 3, "{file}: only {seen} states");
    }
}

/// Arithmetic on negative numbers, ⊥, errors, draws of every kind: everything that SMV must be told in other words.
#[test]
fn corners() {
    let model = b"system {
  environment = a[2]: 0; u: undef; s: -3..4; i: 0
  spawn = Worker: 2, Other: 1
}
agent Worker {
  interface = q: undef; n: 0
  Behavior = n < 3 -> { n <- n + 1; q <- s / 2; u <-- s : 2 }; Behavior
    ++ { q <- s % 3; u <-- 6 / s }; Behavior
    ++ s <-- [0..2]; Behavior
    ++ { k := abs(s); a[k] <-- 1 - a[k] }; Behavior
    ++ { p[] := pick 1 Worker; q <- min(n of p[0], s) }; Behavior
    ++ u > 0 -> i <-- (if u > n then 1 else 0); Behavior
}
agent Other {
  interface = z: [1, 2]
  Behavior = z <- max(z, i); Nil
}
check { Fine = always forall Worker w, n of w <= 3 }
";
    let (seen, _) = compare(&open("corners.labs", model, "", false), Some("Fine"));
    assert!(seen >= MOST, "only {seen} states");
}

/// What the project file of an example claims.
fn claims(folder: &Path) -> Vec<swarmcheck_project::Row> {
    let text = std::fs::read_to_string(folder.join(swarmcheck_project::FILE)).expect("a project file");
    swarmcheck_project::rows(&text).expect("a correct file")
}

/// The verdicts of the examples, by a naive checker of specifications on the states of the module.
#[test]
fn verdicts_of_the_examples() {
    let mut decided: BTreeMap<&'static str, usize> = BTreeMap::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for name in
        ["approx", "scopes", "leader", "mutual-exclusion", "stock", "alternating-bit", "rcheck-buffer"]
    {
        for row in claims(&folder.join(name)) {
            let (line, file) = (row.name(), row.file.as_str());
            let [parameters, options, property, verdict] =
                [&row.parameters, &row.options, &row.property, &row.verdict].map(String::as_str);
            let large = row.states.map_or(file.ends_with(".labs"), |n| n > 150);
            if large || !["", "--fair"].contains(&options) {
                continue;
            }
            let prepared = example(&format!("{name}/{file}"), parameters, options == "--fair");
            let Some(found) = prepared.flat.program.properties.iter().find(|p| p.name == property) else {
                continue;
            };
            let text = text(&prepared, Some(property)).unwrap();
            let module = read(&text);
            let machine = Machine::new(&module).unwrap_or_else(|why| panic!("{why}\n{text}"));
            let Some(holds) = check::decide(&machine) else { continue };
            assert_eq!(if holds { "holds" } else { "violated" }, verdict, "{line}\n{text}");
            let kind = match found.modality {
                Modality::Always => "always",
                Modality::Eventually | Modality::Finally => "eventually",
                Modality::Fairly | Modality::FairlyInf => "reachable",
                Modality::Linear(_) => "formula",
                Modality::After(_) => "after",
                Modality::Scoped { .. } => "scope",
            };
            *decided.entry(kind).or_default() += 1;
        }
    }
    println!("{decided:?}");
    for kind in ["always", "eventually", "reachable", "after", "scope", "formula"] {
        assert!(decided.contains_key(kind), "nothing decided about {kind}: {decided:?}");
    }
}

/// Every question of every example that can be written is a module that NuSMV accepts, and where it is small the verdict is that of the
/// example. The counts are in the log.
#[test]
fn nusmv_would_accept_every_example() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let (mut written, mut refused, mut decided, mut large) = (0, 0, 0, 0);
    let mut names: Vec<_> = std::fs::read_dir(&folder).unwrap().flatten().map(|entry| entry.path()).collect();
    names.sort();
    for path in names.into_iter().filter(|path| path.is_dir()) {
        let name = path.file_name().unwrap().to_string_lossy().to_string();
        for row in claims(&path) {
            let (line, file, states) = (row.name(), row.file.as_str(), row.states);
            let [parameters, options, property, verdict] =
                [&row.parameters, &row.options, &row.property, &row.verdict].map(String::as_str);
            // The texts of larger instances are long, and no different.
            let huge = states.is_some_and(|n| n > 3000);
            if huge || !["", "--fair"].contains(&options) {
                continue;
            }
            let prepared = example(&format!("{name}/{file}"), parameters, options == "--fair");
            let Ok(text) = text(&prepared, Some(property)) else {
                refused += 1;
                continue;
            };
            written += 1;
            let module = grammar::module(&text).unwrap_or_else(|why| panic!("{line}: {why}"));
            let machine = Machine::new(&module).unwrap_or_else(|why| panic!("{line}: {why}"));
            let small = states.is_some_and(|n| n <= 120);
            match small.then(|| check::decide(&machine)).flatten() {
                Some(holds) => {
                    assert_eq!(if holds { "holds" } else { "violated" }, verdict, "{line}");
                    decided += 1;
                }
                None => large += 1,
            }
        }
    }
    println!(
        "{written} modules accepted, {refused} refused by the exporter, {decided} decided with the same verdict, {large} too large"
    );
    assert!(written >= 150 && decided >= 30, "{written} {decided}");
}

/// Operators that SMV lacks are said with several others; nested, their text must not double at every level. The depth is that of a model
/// for which 237 megabytes were written once.
#[test]
fn nested_remainders_stay_small() {
    let nested = |depth: usize| (0..depth).fold("(s - 3)".to_string(), |e, at| format!("({e} % (i - {at}))"));
    let model = |depth: usize| {
        format!(
            "system {{\n  environment = s: 0..5; i: 0..3; a[3]: 0..3\n  spawn = W: 1\n}}\nagent W {{\n  interface = q: 0\n  \
             Behavior = q <- {}; Nil\n}}\ncheck {{ Low = always forall W w, abs(min(q of w, {})) < 9 }}\n",
            nested(depth),
            nested(depth)
        )
    };
    let size = |depth: usize| {
        text(&open("nested.labs", model(depth).as_bytes(), "", false), Some("Low")).unwrap().len()
    };
    assert!(size(16) < 3 * size(8), "{} {}", size(8), size(16));
    assert!(size(16) < 60_000, "{}", size(16));
    compare(&open("nested.labs", model(8).as_bytes(), "", false), Some("Low"));
}

/// Names that are words of NuSMV's scanner are changed.
#[test]
fn words_are_no_names() {
    let model = b"system {
  environment = typeof: 0; toint: 0
  spawn = T: 1
}
agent T {
  interface = word: 0; init: 0
  Behavior = word < 1 -> { word <- 1; typeof <-- 1; toint <-- 1; init <- 1 }; Behavior
}
check { ITYPE = always forall T t, word of t + typeof + toint + init of t < 5 }
";
    let (seen, whole) = compare(&open("words.labs", model, "", false), Some("ITYPE"));
    assert_eq!((seen, whole), (2, true));
}

/// In place of NuSMV: decides the specifications of the module it is given, and shows what violates an invariant in the
/// form of the manual.
struct Pretend {
    module: String,
    /// What to damage in the answer.
    damage: Option<(&'static str, &'static str)>,
}

impl Tools for Pretend {
    fn find(&self, program: &str) -> bool {
        program == "NuSMV"
    }

    fn put(&mut self, _: &str, text: &str) -> Result<(), String> {
        self.module = text.to_string();
        Ok(())
    }

    fn get(&self, name: &str) -> Result<String, String> {
        Err(format!("there is no {name}"))
    }

    fn run(&mut self, _: &Job) -> Result<Ran, String> {
        let module = read(&self.module);
        let machine = Machine::new(&module)?;
        let mut output = check::answer(&machine).ok_or("too large")?;
        if let Some((from, to)) = self.damage {
            output = output.replacen(from, to, 1);
        }
        Ok(Ran { ended: Ended::Code(0), output, errors: String::new() })
    }
}

fn by_pretending(
    prepared: &Prepared,
    property: &str,
    damage: Option<(&'static str, &'static str)>,
) -> Answer {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let properties = vec![property.to_string()];
    let options = VerifyOptions { properties, ..VerifyOptions::default() };
    let mut tools = Pretend { module: String::new(), damage };
    let report = verify_with(prepared, &options, Backend::Nuxmv, &mut tools, &control);
    let Ok(mut report) = report else { panic!("no such property") };
    report.answers.remove(0)
}

/// From the module to the verifier, back to an execution, and through the rules. Verdicts are those of the examples; the
/// counterexample to `Lit` needs five steps, as its README tells.
#[test]
fn the_back_end_reads_answers_back() {
    let crossing = example("scopes/crossing.labs", "trains=1", false);
    for (property, verdict) in
        [("Safe", "holds"), ("Lit", "violated"), ("ThirdStep", "holds"), ("FourthStep", "violated")]
    {
        let answer = by_pretending(&crossing, property, None);
        assert_eq!(answer.verdict().word(), verdict, "{property}: {}", answer.evidence());
    }
    let safe = by_pretending(&crossing, "Safe", None).evidence();
    assert!(safe.contains("NuSMV") && !safe.contains("nuXmv"), "the program that ran is named: {safe}");
    let lit = by_pretending(&crossing, "Lit", None);
    let Outcome::Violated { evidence: Violation::Trace { length, .. } } = lit.outcome else {
        panic!("{}", lit.evidence())
    };
    assert_eq!(length, Length { steps: 5, loop_start: None }, "{}", lit.evidence());
    let answer = by_pretending(&crossing, "Lit", Some(("  -> State: 1.4 <-", "")));
    assert_eq!(answer.verdict(), Answered::Unknown, "{}", answer.evidence());
    let outside = b"system {
  environment = a[2]: 0
  spawn = Worker: 1
}
agent Worker {
  interface = i: 0
  Behavior = i < 3 -> { a[i] <-- 1; i <- i + 1 }; Behavior
}
check { Fine = always forall Worker w, i of w < 3 }
";
    let answer = by_pretending(&open("outside.labs", outside, "", false), "Fine", None);
    let Outcome::ModelError { error, .. } = &answer.outcome else { panic!("{}", answer.evidence()) };
    assert_eq!(error.kind, FaultWord::IndexOutOfBounds, "{}", answer.evidence());
}

/// Text that is wrong is not accepted: the tests above mean something.
#[test]
fn the_grammar_is_strict() {
    let good = "MODULE main\nIVAR\n  step : {a, rest};\nVAR\n  x : 0..1;\nASSIGN\n  init(x) := 0;\n  next(x) := x = 0 ? 1 : 0;\n\
                TRANS\n  step = a -> x = 0;\nINVARSPEC NAME p := x < 2;\n";
    assert!(Machine::new(&read(good)).is_ok());
    // The same where NuSMV is satisfied.
    for (from, to) in [
        ("x = 0 ? 1 : 0", "case TRUE : x + 1 >= 0 & x + 1 <= 1 ? x + 1 : 0; esac"),
        ("x = 0 ? 1 : 0", "1 / (x = 0 ? 1 : x)"),
        ("x = 0 ? 1 : 0", "1 mod (x + 1)"),
    ] {
        assert_ne!(good.replacen(from, to, 1), good);
        let module = read(&good.replacen(from, to, 1));
        Machine::new(&module).map(|_| ()).unwrap_or_else(|why| panic!("{to}: {why}"));
    }
    for (from, to) in [
        ("x < 2;", "x < 2"),
        ("x < 2", "x < 2 < 3"),
        ("x < 2", "y < 2"),
        ("x < 2", "x"),
        ("x < 2", "x & 1"),
        ("x = 0 ?", "x ?"),
        ("0..1", "1..0"),
        ("x : 0..1;", "x : 0..1;\n  x : 0..1;"),
        ("init(x)", "init(y)"),
        ("TRANS", "TRANSFER"),
        ("step = a", "step == a"),
        ("p :=", "X :="),
        // What only NuSMV refuses.
        ("p :=", "typeof :="),
        ("p :=", "CONSTARRAY :="),
        ("init(x) := 0", "init(x) := 2"),
        ("x = 0 ? 1 : 0", "x + 1"),
        ("x = 0 ? 1 : 0", "case FALSE : 2; TRUE : x; esac"),
        ("x = 0 ? 1 : 0", "case x < 1 : x + 1; TRUE : x; esac"),
        ("x = 0 ? 1 : 0", "x > 0 ? 1 / x : 0"),
        ("x < 2", "y < 2;\nDEFINE\n  y := x = 0 ? 0 : 1 mod x"),
        ("x : 0..1;", "x : 0..1;\n  y : 3..3;"),
    ] {
        let bad = good.replacen(from, to, 1);
        assert_ne!(bad, good);
        let accepted = grammar::module(&bad).is_ok_and(|module| Machine::new(&module).is_ok());
        assert!(!accepted, "accepted: {bad}");
    }
}

/// What SMV cannot say is refused with a reason.
#[test]
fn unbounded_variables_are_refused() {
    let model = b"system { spawn = Worker: 1 }
agent Worker { interface = x: 0  Behavior = x <- x + 1; Behavior }
check { Positive = always forall Worker w, x of w >= 0 }
";
    let why = text(&open("count.labs", model, "", false), Some("Positive")).unwrap_err();
    let Refusal::Target { target, why } = why else { panic!("{why:?}") };
    assert_eq!(target, "smv");
    assert!(why.contains("no known bounds"), "{why}");
}
