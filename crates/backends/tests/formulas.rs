//! Formulas of linear time, decided by Spin itself, and by NuSMV where it is installed: two counters of the model that
//! are increased up to 2 and then stop, or are set back to any lower value.
//!
//! `cargo test -p swarmcheck-backends --test formulas -- --ignored --nocapture` compares random formulas with the explicit
//! engine; `SWARMCHECK_SYSTEMS` sets their number.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::disallowed_macros,
    reason = "runs other programs in a directory"
)]

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use swarmcheck_backends::{Backend, Ended, Job, Origin, OtherVerifier, Ran, Tools};
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control, Engine, Task, Verdict};
use swarmcheck_export::{Export, TARGETS};
use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::program::{AgentKind, Role};
use swarmcheck_ir::*;
use swarmcheck_source::{SourceFile, Span};

/// A directory in which programs run.
struct Directory {
    path: PathBuf,
}

impl Directory {
    fn new(name: &str) -> Directory {
        let path = std::env::temp_dir().join(format!("swarmcheck-formulas-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a directory");
        Directory { path }
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.path).ok();
    }
}

fn there(program: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).any(|folder| folder.join(program).is_file())
}

impl Tools for Directory {
    fn find(&self, program: &str) -> bool {
        there(program)
    }
    fn put(&mut self, name: &str, text: &str) -> Result<(), String> {
        std::fs::write(self.path.join(name), text).map_err(|e| e.to_string())
    }
    fn get(&self, name: &str) -> Result<String, String> {
        std::fs::read_to_string(self.path.join(name)).map_err(|e| e.to_string())
    }
    fn run(&mut self, job: &Job) -> Result<Ran, String> {
        let program = match job.program.strip_prefix("./") {
            Some(name) => self.path.join(name),
            None => PathBuf::from(&job.program),
        };
        let output = Command::new(program).args(&job.arguments).current_dir(&self.path).output();
        let output = output.map_err(|e| e.to_string())?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let ended = output.status.code().map_or(Ended::Killed, Ended::Code);
        Ok(Ran { ended, output: text(&output.stdout), errors: text(&output.stderr) })
    }
}

fn is(agent: i64, value: i64) -> Expr {
    let n = Expr::Read(Place::of(VarId(0), Expr::Const(agent)));
    Expr::binary(BinaryOp::Eq, n, Expr::Const(value), Span::default())
}

/// The counters with a formula about them. `again` tells whether a counter at 2 may be set back to 0 or 1.
fn counters(again: bool, formula: Linear<Expr>) -> Flat {
    let n = |agent| Place::of(VarId(0), agent);
    let mine = |op, value| Expr::binary(op, Expr::Read(n(Expr::Me)), Expr::Const(value), Span::default());
    let function = |name: &str, guard, locals, body| Function {
        name: name.to_string(),
        rule: Rule::Action { words: name.to_string(), site: 0 },
        owners: vec![KindId(0)],
        entry: vec![],
        guard,
        locals,
        body,
        span: Span::default(),
    };
    let add = Stmt::Assign(n(Expr::Me), mine(BinaryOp::Add, 1));
    let low = Local { name: "low".to_string(), length: None };
    let draw = Stmt::Havoc(LocalId(0), Set::Range(Expr::Const(0), Expr::Const(2)));
    let set = Stmt::Assign(n(Expr::Me), Expr::Local(LocalId(0)));
    let mut functions = vec![function("add", mine(BinaryOp::Lt, 2), vec![], vec![add])];
    if again {
        functions.push(function("reset", mine(BinaryOp::Eq, 2), vec![low], vec![draw, set]));
    }
    let rests = if again { Expr::FALSE } else { Expr::and([is(0, 2), is(1, 2)]) };
    let linear = LinearTime { formula, rests, rest: vec![] };
    Flat::new(Program {
        kinds: vec![AgentKind { name: "Counter".to_string(), first: 0, count: 2 }],
        vars: vec![Var {
            name: "n".to_string(),
            owners: Some(vec![KindId(0)]),
            dimensions: vec![],
            domain: Some((0, 2)),
            may_be_undef: false,
            role: Role::Data { arrow: "<-", order: None },
        }],
        init_locals: vec![],
        init: vec![],
        functions,
        properties: vec![Property {
            name: "Formula".to_string(),
            modality: Modality::Linear(Box::new(linear)),
            predicate: Expr::TRUE,
            span: Span::default(),
            vacuous: false,
        }],
    })
}

/// What Spin is given about a formula.
fn promela(flat: &Flat) -> String {
    let target = TARGETS.iter().find(|target| target.name == "promela").expect("a target");
    let file = SourceFile::new("counters", "");
    let export =
        Export { program: &flat.program, flat, property: Some(0), formulas: &[], bound: None, file: &file };
    (target.write)(&export).expect("a file").remove(0).text
}

fn word(engine: &dyn Engine, flat: &Flat) -> &'static str {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let verdict = engine.run(&Task::new(flat), &control).remove(0).verdict;
    match verdict {
        Verdict::Holds(_) => "holds",
        Verdict::Violated(..) => "violated",
        other => panic!("{}: {other:?}", engine.name()),
    }
}

fn said(backend: Backend, flat: &Flat, directory: &mut Directory) -> &'static str {
    let file = SourceFile::new("counters", "");
    word(&OtherVerifier::new(backend, Origin { file: &file }, directory), flat)
}

type Formula = Linear<Expr>;

fn atom(agent: i64, value: i64) -> Formula {
    Linear::Atom(is(agent, value))
}

/// Both counters begin at 0, and one of them changes in a step.
#[test]
fn spin_decides_formulas() {
    if !there("spin") || !there("cc") {
        let required = std::env::var("SWARMCHECK_REQUIRE").unwrap_or_default();
        assert!(!required.split_whitespace().any(|word| word == "spin"), "Spin is not installed");
        eprintln!("Spin is not installed: what it decides is not tested");
        return;
    }
    let (zero, two) = (|agent| atom(agent, 0), |agent| atom(agent, 2));
    let both = || Linear::And(vec![two(0), two(1)]);
    let cases: [(&str, bool, Formula, &str, bool); 4] = [
        // An execution that stops has both counters at 2, for ever.
        ("F G both", false, Linear::finally(Linear::globally(both())), "holds", true),
        // Counter 1 may be increased before counter 0 is at 2.
        ("(1 is 0) U (0 is 2)", false, Linear::until(zero(1), two(0)), "violated", true),
        // A counter always has one of its values. Were atoms to change one after the other, there would be a time without.
        (
            "G (0 is 0 or 0 is 1 or 0 is 2)",
            true,
            Linear::globally(Linear::Or(vec![zero(0), atom(0, 1), two(0)])),
            "holds",
            true,
        ),
        // After the first step one of the counters is at 0 still: X is a step of the model.
        ("X (0 is 0 or 1 is 0)", true, Linear::next(Linear::Or(vec![zero(0), zero(1)])), "holds", false),
    ];
    let mut directory = Directory::new("fixed");
    for (words, again, formula, verdict, ltl) in cases {
        let flat = counters(again, formula);
        let text = promela(&flat);
        assert_eq!((text.contains("\nltl "), text.contains("accept_here:")), (ltl, !ltl), "{words}");
        assert_eq!(said(Backend::Spin, &flat, &mut directory), verdict, "{words}");
    }
}

fn random(rng: &mut fastrand::Rng, depth: u32) -> Formula {
    let some = |rng: &mut fastrand::Rng| atom(rng.i64(0..2), rng.i64(0..3));
    if depth == 0 {
        return some(rng);
    }
    let mut one = || random(rng, depth - 1);
    let (a, b) = (one(), one());
    match rng.u32(0..9) {
        0 => Linear::And(vec![a, b]),
        1 => Linear::Or(vec![a, b]),
        2 => Linear::not(a),
        3 => Linear::globally(a),
        4 => Linear::finally(a),
        5 | 6 => Linear::until(a, b),
        7 => Linear::release(a, b),
        _ if rng.bool() => Linear::next(a),
        _ => Linear::globally(Linear::Or(vec![Linear::not(a), Linear::finally(b)])),
    }
}

#[test]
#[ignore = "a long run"]
fn long_run() {
    let count: u64 =
        std::env::var("SWARMCHECK_SYSTEMS").map_or(60, |text| text.parse().expect("a number of formulas"));
    let mut directory = Directory::new("random");
    let (mut ltl, mut violated, mut wrong) = (0, 0, vec![]);
    for seed in 0..count {
        let mut rng = fastrand::Rng::with_seed(seed);
        let depth = rng.u32(1..3);
        let flat = counters(rng.bool(), random(&mut rng, depth));
        ltl += u32::from(promela(&flat).contains("\nltl "));
        let expected = word(&swarmcheck_explicit::Explicit, &flat);
        violated += u32::from(expected == "violated");
        for (backend, program) in [(Backend::Spin, "spin"), (Backend::Nuxmv, "NuSMV")] {
            if there(program) && said(backend, &flat, &mut directory) != expected {
                wrong.push((seed, backend, expected));
            }
        }
    }
    println!("{count} formulas, {ltl} as ltl, {violated} violated");
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(ltl > 0 && violated > 0);
}
