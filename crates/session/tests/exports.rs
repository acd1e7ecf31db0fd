//! Exports ask what was named: every property of every example is exported to every target, and either the target refuses
//! it by name or the file is about that property. A target that silently asked something else would pass every other
//! test, because its file is a correct question.

#![allow(clippy::disallowed_methods, reason = "reads the examples")]

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use swarmcheck_aig::{System, aiger, btor2};
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Subject, Task};
use swarmcheck_ir::Modality;
use swarmcheck_session::export::{ExportOptions, File, export, targets};
use swarmcheck_session::verify::{Budget, Control, Reason};
use swarmcheck_session::{ModelOptions, Prepared, Refusal, prepare};
use swarmcheck_symbolic::elsewhere;

/// Targets whose files do not depend on the property.
const NO_QUESTION: &[&str] = &["emulation", "lnt", "aut", "dot"];

/// Targets that write processes: what they write along is compared with Storm's answers (`crates/testkit/tests/storm`).
const PROCESSES: &[&str] = &["drn", "jani", "prism"];

/// The example models with the parameters of the first model of their project file.
fn examples() -> Vec<(String, Prepared)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut folders: Vec<PathBuf> = std::fs::read_dir(root).unwrap().map(|e| e.unwrap().path()).collect();
    folders.sort();
    let mut out: Vec<(String, Prepared)> = vec![];
    for folder in folders {
        let Ok(text) = std::fs::read_to_string(folder.join(swarmcheck_project::FILE)) else { continue };
        for row in swarmcheck_project::rows(&text).expect("a correct file") {
            let path = folder.join(&row.file);
            let name = path.display().to_string();
            if !out.iter().any(|(known, _)| *known == name) {
                out.push((name.clone(), open(&name, &std::fs::read(&path).unwrap(), &row.parameters)));
            }
        }
    }
    assert!(out.len() >= 25, "only {} examples", out.len());
    out
}

fn open(name: &str, bytes: &[u8], parameters: &str) -> Prepared {
    let pairs = parameters.split_whitespace().filter_map(|p| p.split_once('='));
    let parameters = pairs.map(|(n, v)| (n.to_string(), v.to_string())).collect();
    let options = ModelOptions { parameters, ..ModelOptions::default() };
    prepare(name, bytes, options).unwrap_or_else(|_| panic!("{name} is refused"))
}

/// The budget lets small systems be drawn; for the larger ones there is not enough memory.
fn exported(prepared: &Prepared, target: &str, property: Option<&str>) -> Result<Vec<File>, Refusal> {
    let stop = AtomicBool::new(false);
    let budget = Budget { memory: Some(3_000_000), ..Budget::default() };
    let control = Control { stop: &stop, budget, progress: &Silent };
    let options = ExportOptions {
        target: target.to_string(),
        property: property.map(str::to_string),
        ..ExportOptions::default()
    };
    export(prepared, &options, &control)
}

fn text(files: &[File]) -> String {
    files.iter().map(|f| String::from_utf8_lossy(&f.bytes)).collect()
}

/// A property, by its place in the program, and what it is compared with, which is worked out once.
struct Case<'a> {
    prepared: &'a Prepared,
    name: &'a str,
    number: usize,
    /// What targets write if no property is named.
    without: &'a RefCell<BTreeMap<String, String>>,
    circuit: OnceCell<System>,
}

impl Case<'_> {
    fn without(&self, target: &str) -> String {
        let mut known = self.without.borrow_mut();
        let files = || {
            exported(self.prepared, target, None).map_or_else(|refusal| format!("{refusal:?}"), |f| text(&f))
        };
        known.entry(target.to_string()).or_insert_with(files).clone()
    }

    fn circuit(&self, number: usize) -> &System {
        self.circuit.get_or_init(|| {
            let stop = AtomicBool::new(false);
            let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
            let subject = Subject::Property(number);
            elsewhere::circuit(&Task::new(&self.prepared.flat), subject, &control).expect("a circuit")
        })
    }
}

/// Why a file is not about the property, if it is not.
fn mistaken(case: &Case<'_>, target: &str, files: &[File]) -> Option<String> {
    let Case { prepared, name, number, .. } = *case;
    let all = text(files);
    let says = |words: String| (!all.contains(&words)).then(|| format!("it does not say {words:?}"));
    if NO_QUESTION.contains(&target) {
        let same = case.without(target) == all;
        return (!same).then(|| "it differs from the file without a property".to_string());
    }
    let others: Vec<&str> = {
        let all = prepared.flat.program.properties.iter().map(|p| p.name.as_str());
        all.filter(|n| *n != name).collect()
    };
    let another = |words: &dyn Fn(&str) -> String| {
        let found = others.iter().find(|other| all.contains(&words(other)));
        found.map(|other| format!("it is also about {other}"))
    };
    match target {
        "promela" | "smt2" | "chc" => says(format!("Property: {name}\n")),
        "smv" => says(format!(" NAME {name}")).or_else(|| another(&|n| format!(" NAME {n} :="))),
        "mcl" => match files {
            [only] if only.name == format!("{name}.mcl") => says(format!("(* property {name}: ")),
            _ => Some("there are other files".to_string()),
        },
        "lnt-parallel" => {
            let checked = says(format!("\nproperty {name}\n"));
            let remark = says(format!("\n-- Not checked: property {name}: "));
            checked.and(remark).or_else(|| another(&|n| format!("\nproperty {n}\n")))
        }
        "c" | "c-run" => says(format!("\"{name}\"")),
        c if c.starts_with("c-") => {
            says(format!("/* property {name}: ")).or_else(|| another(&|n| format!("/* property {n}: ")))
        }
        "aiger" | "btor2" => {
            let bytes = match target {
                "aiger" => aiger::binary(case.circuit(number)),
                _ => btor2::text(case.circuit(number)).into_bytes(),
            };
            (files[0].bytes != bytes).then(|| "it is another circuit".to_string())
        }
        other => Some(format!("no check is known for target {other}")),
    }
}

#[test]
fn what_is_written_is_about_what_was_named() {
    let mut written: BTreeMap<&str, u32> = BTreeMap::new();
    let mut refused: BTreeMap<&str, u32> = BTreeMap::new();
    for (model, prepared) in examples() {
        let claims = prepared.flat.program.properties.iter().enumerate();
        let without = RefCell::default();
        for (number, name) in claims.map(|(number, p)| (number, p.name.as_str())) {
            let case =
                Case { prepared: &prepared, name, number, without: &without, circuit: OnceCell::new() };
            for (target, _) in targets().into_iter().filter(|(target, _)| !PROCESSES.contains(target)) {
                match exported(&prepared, target, Some(name)) {
                    Ok(files) => {
                        let wrong = mistaken(&case, target, &files);
                        assert!(
                            wrong.is_none(),
                            "{model}: {name} to {target}: {}",
                            wrong.unwrap_or_default()
                        );
                        *written.entry(target).or_default() += 1;
                    }
                    Err(Refusal::Unfinished { reason: Reason::Memory })
                        if ["aut", "dot"].contains(&target) => {}
                    Err(Refusal::Target { target: who, why }) => {
                        assert_eq!(who, target, "{model}: {name}: {why}");
                        *refused.entry(target).or_default() += 1;
                    }
                    Err(other) => panic!("{model}: {name} to {target}: {other:?}"),
                }
            }
        }
    }
    // Of 141 pairs per target. Fewer would mean that a target refuses, or loses, what it could once write.
    let least_written: &[(&str, u32)] = &[
        ("emulation", 141),
        ("lnt", 141),
        ("smv", 120),
        ("aut", 120),
        ("promela", 110),
        ("aiger", 110),
        ("btor2", 110),
        ("mcl", 110),
        ("dot", 110),
        ("c", 100),
        ("c-run", 100),
        ("c-flat", 70),
        ("c-svcomp", 70),
        ("c-cbmc", 55),
        ("c-esbmc", 55),
        ("smt2", 80),
        ("chc", 50),
        ("lnt-parallel", 15),
    ];
    assert_eq!(least_written.len() + PROCESSES.len(), targets().len());
    for (target, least) in least_written {
        assert!(written[target] >= *least, "{target}: {} of {least}", written[target]);
    }
    // Every target that asks something refuses some: what can be read in two ways, for instance.
    let asking = |target: &str| !NO_QUESTION.contains(&target) && !PROCESSES.contains(&target);
    for (target, _) in targets().iter().filter(|(target, _)| asking(target)) {
        assert!(refused[target] >= 16, "{target}: {}", refused[target]);
    }
}

const FORMULAS: &str = "proc P = go.P\nsystem = P\ncheck { Live = ltl [] <> go\n Once = possibly go }";
const MIXED: &str =
    "proc P = go.stop.P\nsystem = P\ncheck { Live = ltl [] <> go\n Never = never stop\n Once = possibly go }";

fn refusal(prepared: &Prepared, target: &str, property: Option<&str>) -> Refusal {
    match exported(prepared, target, property) {
        Ok(files) => panic!("{target} writes {}", text(&files)),
        Err(refusal) => refusal,
    }
}

/// Why a target cannot express something.
fn inexpressible(prepared: &Prepared, target: &str, property: Option<&str>) -> String {
    match refusal(prepared, target, property) {
        Refusal::Target { target: who, why } if who == target => why,
        other => panic!("{target}: {other:?}"),
    }
}

#[test]
fn refusals_say_what_the_property_is() {
    let prepared = open("formulas.ccs", FORMULAS.as_bytes(), "");
    for target in ["promela", "smv", "aiger", "btor2"] {
        assert!(exported(&prepared, target, Some("Live")).is_ok(), "{target}");
        let why = inexpressible(&prepared, target, Some("Once"));
        assert!(why.contains("`Once` asks whether an execution exists"), "{target}: {why}");
    }
    assert_eq!(
        refusal(&prepared, "smv", Some("Lime")),
        Refusal::NoSuchProperty {
            name: "Lime".to_string(),
            suggestion: Some("Live".to_string()),
            properties: prepared.flat.program.properties.iter().map(|p| p.name.clone()).collect(),
        }
    );
}

/// Nothing is named: a target that asks one question does not choose another one instead of the model's own.
#[test]
fn without_a_name_nothing_else_is_asked() {
    let once = "proc P = go.P\nsystem = P\ncheck { Once = possibly go }";
    let prepared = open("once.ccs", once.as_bytes(), "");
    for target in ["promela", "smv", "c-cbmc", "c-esbmc", "c-svcomp", "c-flat", "aiger", "btor2", "mcl"] {
        let why = inexpressible(&prepared, target, None);
        assert!(why.contains("Once"), "{target}: {why}");
    }
    for target in ["emulation", "lnt", "aut", "dot", "c-run"] {
        assert!(exported(&prepared, target, None).is_ok(), "{target}");
    }
}

/// Several properties and none is named: each target does what its documents say, and tells what is missing.
#[test]
fn formulas_that_are_left_out_are_mentioned() {
    let prepared = open("mixed.ccs", MIXED.as_bytes(), "");
    let written = |target| text(&exported(&prepared, target, None).unwrap_or_else(|why| panic!("{why:?}")));
    let c = written("c-cbmc");
    assert!(c.contains("No property was named.") && c.contains("some time: Live, Once."), "{c}");
    assert!(written("promela").contains("Property: is some step possible in every state?"));
    let smv = written("smv");
    assert!(smv.contains("NAME no_deadlock") && !smv.contains("NAME Once"), "{smv}");
    assert!(inexpressible(&prepared, "mcl", None).contains("name another one"));
    assert_eq!(refusal(&prepared, "aiger", None), Refusal::NameOneProperty { target: "aiger".to_string() });
    assert!(exported(&prepared, "aiger", Some("Never")).is_ok());
}

#[test]
fn a_simulator_refuses_what_it_cannot_watch() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/scopes/crossing.labs");
    let prepared = open("crossing.labs", &std::fs::read(path).unwrap(), "trains=1");
    let scoped =
        prepared.flat.program.properties.iter().find(|p| matches!(p.modality, Modality::Scoped { .. }));
    let name = &scoped.expect("an example of scopes").name;
    assert!(inexpressible(&prepared, "c-run", Some(name)).contains("about whole executions"));
    assert!(exported(&prepared, "c-run", None).is_ok());
}

/// Every agent hears every other one, so what a target writes may be as long as all pairs of agents, which is more than memory holds. This test ends
/// if all targets do.
#[test]
fn exports_of_many_agents_can_be_ended() {
    let text = "system { extern = _n  spawn = A: _n }
stigmergy S { link = true  x: 0 }
agent A { stigmergies = S  Behavior = x <~ 1; Behavior }
check { P = always forall A a, x of a <= 1 }";
    let prepared = open("crowd.labs", text.as_bytes(), "n=100000");
    let mut ended = vec![];
    for (target, _) in targets() {
        let stop = AtomicBool::new(false);
        let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
        let options = ExportOptions {
            target: target.to_string(),
            property: Some("P".to_string()),
            ..ExportOptions::default()
        };
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(300));
                stop.store(true, Ordering::Relaxed);
            });
            if let Err(Refusal::Unfinished { reason: Reason::Interrupted }) =
                export(&prepared, &options, &control)
            {
                ended.push(target);
            }
        });
    }
    assert!(ended.contains(&"smv") && ended.contains(&"smt2"), "{ended:?}");
}
