//! Examples in the other languages: their programs compile in every variant, and the executable ones make steps of the
//! emulation program, which is compared with the rules of these languages elsewhere.

use crate::build::{compile, lines, written};
use crate::replay::build;
use std::collections::HashSet;
use std::path::Path;
use swarmcheck_ir::flat::{Chooser, Flat, Instance, Machine, Outcome};
use swarmcheck_session::{ModelOptions, prepare};

struct Given(Vec<u64>);

impl Chooser for Given {
    fn choose(&mut self, n: u64) -> u64 {
        let chosen = self.0.remove(0);
        assert!(chosen < n);
        chosen
    }
}

/// Follows the lines of a program on the flat program; how many distinct transitions there were.
fn follow(flat: &Flat, program: &Path) -> usize {
    let mut machine = Machine::new(flat);
    let (mut state, mut step, mut known) = (vec![0; flat.width()], String::new(), HashSet::new());
    lines(program, &["--states", "--runs", "100", "--steps", "15", "--seed", "5"], |line| {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "init" | "step" => step = line.to_string(),
            "state" => {
                let next: Vec<i64> = rest.split(' ').map(|w| w.parse().unwrap_or(i64::MIN)).collect();
                if known.insert((state.clone(), step.clone(), next.clone())) || step.starts_with("init") {
                    let numbers: Vec<u64> =
                        step.split(' ').skip(1).map(|w| w.parse().expect("a number")).collect();
                    let outcome = if step.starts_with("init") {
                        machine.initialise(flat, &mut state, &mut Given(numbers))
                    } else {
                        let at = Instance { function: numbers[0] as u32, agent: numbers[1] as u32 };
                        machine.step(flat, at, &mut state, &mut Given(numbers[2..].to_vec()))
                    };
                    assert_eq!(outcome, Outcome::Done, "{line}");
                    assert_eq!(state, next, "{step}");
                }
                state = next;
            }
            "run" | "deadlock" => {}
            other => panic!("an unknown line: {other}"),
        }
    });
    known.len()
}

#[test]
fn examples_in_other_languages_compile_and_run() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let (mut models, mut variants) = (0, 0);
    for folder in std::fs::read_dir(examples).expect("the examples").flatten() {
        for entry in std::fs::read_dir(folder.path()).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().to_string();
            if ![".ccs", ".chor", ".rcp"].iter().any(|ending| name.ends_with(ending)) {
                continue;
            }
            let bytes = std::fs::read(entry.path()).expect("a readable example");
            let Ok(prepared) = prepare(&name, &bytes, ModelOptions::default()) else { continue };
            let flat = &prepared.flat;
            let file = name.replace('.', "-");
            let program = compile(&file, &written(flat, "c-run", None, None).expect("C"), None);
            assert!(follow(flat, &program) > 1, "{name}");
            models += 1;
            for target in ["c-cbmc", "c-esbmc", "c-svcomp", "c-flat"] {
                build(&format!("{file}-{target}"), &written(flat, target, None, Some(3)).expect("C"));
                variants += 1;
            }
        }
    }
    println!("{models} models, {variants} variants");
    assert!(models >= 12);
}
