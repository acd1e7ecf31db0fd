//! Random systems as executable programs: undefined values, errors of the model, every construct of the language.

use crate::build::{compile, flat, lines, written};
use crate::follow::{Followed, Follower};
use swarmcheck_labs::codes;
use swarmcheck_labs::lower::{self, Options};
use swarmcheck_reference as reference;
use swarmcheck_testkit::{generate, long, read};

/// Follows several runs of a system; `None` if its program would be too large.
fn one(name: &str, text: &str, fair: bool) -> Option<Result<Followed, String>> {
    let model = read(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let options = Options { fair, ..Options::default() };
    if matches!(lower::lower(&model, text, options), Err(d) if d.code == codes::TOO_LARGE) {
        return None;
    }
    let flat = flat(text, &model, options);
    let program = compile(name, &written(&flat, "c-run", None, None).expect("executable C"), None);
    let options = reference::Options { fair, ..reference::Options::default() };
    let mut follower = Follower::new(&model, &flat, options, None);
    let mut wrong = None;
    for seed in ["1", "2", "3", "4", "5", "6"] {
        // An error of the model ends the program, so there are several seeds.
        let arguments = ["--states", "--runs", "20", "--steps", "12", "--seed", seed];
        lines(&program, &arguments, |line| {
            if wrong.is_none() {
                wrong = follower.line(line).err();
            }
        });
    }
    Some(match wrong {
        None => Ok(follower.done),
        Some(words) => Err(format!("{words}\n{text}")),
    })
}

#[test]
fn random_systems_are_followed() {
    let (mut steps, mut errors, mut deadlocks) = (0, 0, 0);
    for seed in 0..60 {
        match one(&format!("random-{seed}"), &generate::system(seed), seed % 2 == 1) {
            None => {}
            Some(Ok(done)) => {
                steps += done.steps;
                errors += done.errors;
                deadlocks += done.deadlocks;
            }
            Some(Err(words)) => panic!("seed {seed}: {words}"),
        }
    }
    println!("{steps} steps, {errors} errors, {deadlocks} deadlocks");
    assert!(steps > 5_000 && errors > 0 && deadlocks > 0);
}

#[test]
#[ignore = "long: SWARMCHECK_SYSTEMS and SWARMCHECK_SEED say how many systems, and from where"]
fn many_random_systems_are_followed() {
    let failures =
        long::run(300, 50, |seed| match one("random-long", &generate::system(seed), seed % 2 == 1) {
            Some(Err(words)) => Err(format!("seed {seed}: {words}")),
            _ => Ok(()),
        });
    assert_eq!(failures, 0);
}

/// Each error of the model stops the program, with the same place as in the reference.
#[test]
fn errors_of_the_model_stop_the_program() {
    let model = |action: &str| {
        format!(
            "system {{ spawn = A: 2, B: 1\n environment = e[2]: 0 }}\nagent A {{ interface = x: 1; y: 4611686018427387904\n\
             Behavior = {action}; Behavior }}\nagent B {{ interface = z: 0\n Behavior = Skip }}\ncheck {{ }}\n"
        )
    };
    for action in [
        "x <- e[x + 1]",
        "e[x + 1] <-- 3",
        "y <- y + y",
        "y <- y * (x + 2)",
        "y <- 0 - y - y - y",
        "x <- x of (x + 8)",
        "x <- x of 2",
    ] {
        let name = format!("error-{}", action.len());
        let done = one(&name, &model(action), false).expect("small enough").unwrap_or_else(|e| panic!("{e}"));
        assert!(done.errors > 0, "{action}");
    }
    // Division by zero is no error: the result is undefined.
    let done = one("error-none", &model("x <- x / (x - x)"), false)
        .expect("small")
        .unwrap_or_else(|e| panic!("{e}"));
    assert!(done.errors == 0 && done.steps > 0);
}
