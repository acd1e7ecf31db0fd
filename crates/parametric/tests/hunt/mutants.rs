//! Mutants of examples with proofs: whatever is still proved must hold as far as search can tell.

use crate::harness::{Found, all_sizes, decide, family, program, proved};
use crate::systems::opinion_sizes;
use std::time::{Duration, Instant};
use swarmcheck_labs::lower;
use swarmcheck_parametric::Family;

/// An example: file, parameters, open kinds with their smallest numbers, property.
pub type Example = (&'static str, &'static str, &'static [(&'static str, u32)], &'static str);

pub const EXAMPLES: [Example; 7] = [
    ("voter/voter.labs", "voters=2 options=2", &[("Voter", 1)], "KnownOpinion"),
    ("unanimity/unanimity.labs", "voters=2 options=2", &[("Voter", 1)], "KnownOpinion"),
    ("opinions/opinions.labs", "yes=2 no=2", &[("Yes", 1), ("No", 1)], "SomeOpinion"),
    ("approx/approx.labs", "yes=2 no=2", &[("Yes", 1), ("No", 1)], "KnownOpinion"),
    ("waiting/waiting.labs", "hasty=0 careful=2", &[("Careful", 1)], "Exclusion"),
    ("waiting/waiting.labs", "hasty=0 careful=2", &[("Careful", 1)], "Free"),
    ("scopes/crossing.labs", "trains=2", &[("Train", 1)], "LampStillWorks"),
];

/// What is replaced by what.
const CHANGES: [(&str, &str); 48] = [
    ("= 0 ->", "= 1 ->"),
    ("= 1", "= 0"),
    ("= 0", "!= 0"),
    ("= 2", "= 1"),
    ("!= ", "= "),
    ("!= 2", "!= 1"),
    ("<- 1", "<- 2"),
    ("<- 0", "<- 1"),
    ("<- 2", "<- 3"),
    ("<-- 1", "<-- 0"),
    ("<-- 0", "<-- 1"),
    (" and ", " or "),
    (" or ", " and "),
    ("% 3", "% 2"),
    (": 0", ": 1"),
    (": 1", ": 2"),
    (": undef", ": 0"),
    (" -> ", " => "),
    ("else 2", "else state"),
    ("pick 1", "pick 2"),
    ("opinion <- heard", "opinion <- heard + 1"),
    ("opinion <- note[0]", "opinion <- note[0] - note[1] + 2"),
    ("<-- opinion", "<-- 1 - opinion"),
    ("; agent <- 1", "; agent <- agent + 1"),
    ("then state of other[0]", "then 2"),
    ("{ agent <- 0; busy <-- 0 }", "busy <-- 0; agent <- 0"),
    ("busy = 0 ->", "busy <= 1 ->"),
    ("busy, system <-- 1, check; ", ""),
    ("agent <- 1 }", "agent <- 1; busy <-- 0 }"),
    ("(system + 1)", "(system + 2)"),
    ("; Leave; Behavior", "; (Leave ++ Skip); Behavior"),
    ("; Leave; Behavior", "; Behavior"),
    ("agent <- 0; busy", "busy"),
    ("; busy <-- 0", ""),
    ("busy = 0 -> {", "(busy = 0 -> Skip); {"),
    ("initiator != id", "initiator = id"),
    ("Talk || Listen", "Talk ++ Listen"),
    ("0.._options", "0..3"),
    ("<- heard", "<- 1 - heard"),
    ("<-- opinion", "<-- opinion + 1"),
    ("opinion != heard -> ", ""),
    ("heard: undef", "heard: 2"),
    ("Listen\n", "Talk\n"),
    ("= state then state", "= state then 2"),
    ("if state = 2", "if state = 0"),
    ("if state = 2", "if (exists Yes y, state of y = 1)"),
    ("state <-\n", "state <- if (count Yes y, state of y = 2) >= 6 then 2 else\n"),
    ("initiator: undef", "initiator: 0"),
];

pub fn text(path: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    std::fs::read_to_string(folder.join(path)).expect("an example")
}

/// All mutants of the part before the properties that can be read.
fn mutants(text: &str, parameters: &str) -> Vec<(String, String)> {
    let end = text.find("check {").expect("properties");
    let mut out = vec![];
    for (from, to) in CHANGES {
        for (at, _) in text[..end].match_indices(from) {
            let line = text[..at].lines().count();
            let comment = text[..at].lines().last().is_some_and(|line| line.contains('#'));
            // There are no hasty agents.
            let absent = text[..at].contains("agent Hasty") && !text[..at].contains("agent Careful");
            if comment || absent {
                continue;
            }
            let mutant = format!("{}{to}{}", &text[..at], &text[at + from.len()..]);
            if program(&mutant, parameters, lower::Options::default()).is_ok() {
                out.push((mutant, format!("line {line}: {from:?} to {to:?}")));
            }
        }
    }
    out
}

#[derive(Default, Debug)]
struct Tally {
    mutants: usize,
    proved: usize,
    violated: usize,
    members: usize,
}

/// The smallest size with a violation or an error, and how far the search went.
fn search(
    family: &Family,
    property: usize,
    most: u32,
    limit: Duration,
    tally: &mut Tally,
) -> (Option<Vec<u32>>, u32) {
    let began = Instant::now();
    let mut far = 0;
    for sizes in all_sizes(family, most) {
        let Some(left) = limit.checked_sub(began.elapsed()) else { break };
        match decide(family.at(&sizes), property, left) {
            Found::Holds => far = sizes.iter().sum(),
            Found::Unknown => break,
            Found::Violated | Found::Invalid => return (Some(sizes), far),
        }
        tally.members += 1;
    }
    (None, far)
}

fn run(each: usize, most: u32, limit: Duration) -> Tally {
    let mut tally = Tally::default();
    for (path, parameters, open, property) in EXAMPLES {
        let all = mutants(&text(path), parameters);
        let chosen = (0..each.min(all.len())).map(|n| &all[n * all.len() / each.min(all.len())]);
        for (mutant, change) in chosen {
            let base = program(mutant, parameters, lower::Options::default()).expect("it was read before");
            let number = base.properties.iter().position(|p| p.name == property).expect("the property");
            let family = family(base, open);
            tally.mutants += 1;
            let answer = proved(&family, number, limit);
            let (bad, far) = search(&family, number, most, limit, &mut tally);
            let said = match &answer {
                Ok(proof) => {
                    opinion_sizes(&family, proof, &mut 0, &mut 0)
                        .unwrap_or_else(|why| panic!("{path}, {change}: {why}"));
                    format!("proved with {} clauses, {} agents", proof.clauses.len(), proof.bound.induction())
                }
                Err(why) => format!("{why:?}"),
            };
            println!("{path} {property}, {change}: {said}; violated at {bad:?}, else holds up to {far}");
            tally.proved += usize::from(answer.is_ok());
            tally.violated += usize::from(bad.is_some());
            assert!(answer.is_err() || bad.is_none(), "{path}, {change}: proved, and violated at {bad:?}");
        }
    }
    tally
}

#[test]
fn some_mutants() {
    let tally = run(3, 4, Duration::from_secs(1));
    println!("{tally:?}");
    assert_eq!(tally.mutants, 3 * EXAMPLES.len());
    assert!(tally.proved > 0 && tally.violated > 0, "{tally:?}");
}

/// `cargo test --release -p swarmcheck-parametric --test hunt -- --ignored all_mutants --nocapture`
#[test]
#[ignore = "takes minutes"]
fn all_mutants() {
    let tally = run(12, 12, Duration::from_secs(10));
    println!("{tally:?}");
    assert!(tally.mutants >= 10 * EXAMPLES.len() && tally.proved > 0 && tally.violated > 0, "{tally:?}");
}
