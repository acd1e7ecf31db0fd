//! AIGER and BTOR2 files of random systems: read by second readers, and by another model checker if there is one.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "asks another solver, if there is one"
)]

mod oracle;

use std::collections::BTreeMap;
use std::process::Command;

use oracle::{Dice, Whole, random};
use swarmcheck_aig::aiger::{self, CheckerAnswer, Unusable};
use swarmcheck_aig::{Simulation, System, btor2};
use swarmcheck_prove::{Bmc, Limits, ProofVerdict, ic3};

/// A file as the format's description has it: everything by literal number.
#[derive(PartialEq, Eq, Debug, Default)]
struct File {
    inputs: Vec<u32>,
    latches: Vec<(u32, u32)>,
    bad: Vec<u32>,
    gates: Vec<(u32, u32, u32)>,
}

fn numbers(line: &str) -> Vec<u32> {
    line.split(' ').filter_map(|word| word.parse().ok()).collect()
}

/// The header's numbers: M I L O A B.
fn header(line: &str, format: &str) -> [usize; 6] {
    assert!(line.starts_with(format), "{line}");
    let all: Vec<usize> = numbers(line).into_iter().map(|n| n as usize).collect();
    let all: [usize; 6] = all.try_into().unwrap();
    assert_eq!((all[0], all[3]), (all[1] + all[2] + all[4], 0));
    all
}

fn read_ascii(text: &str) -> File {
    let mut lines = text.lines();
    let [_, inputs, latches, _, gates, bad] = header(lines.next().unwrap(), "aag ");
    let mut line = || numbers(lines.next().unwrap());
    let file = File {
        inputs: (0..inputs).map(|_| line()[0]).collect(),
        latches: (0..latches).map(|_| line()).map(|l| (l[0], l[1])).collect(),
        bad: (0..bad).map(|_| line()[0]).collect(),
        gates: (0..gates).map(|_| line()).map(|l| (l[0], l[1], l[2])).collect(),
    };
    assert_eq!(lines.next(), None);
    file
}

fn read_binary(bytes: &[u8]) -> File {
    let mut at = 0;
    let mut line = || {
        let end = at + bytes[at..].iter().position(|&b| b == b'\n').unwrap();
        let text = std::str::from_utf8(&bytes[at..end]).unwrap().to_owned();
        at = end + 1;
        text
    };
    let [_, inputs, latches, _, gates, bad] = header(&line(), "aig ");
    let first = inputs as u32 + 1;
    let mut file = File { inputs: (1..first).map(|i| 2 * i).collect(), ..File::default() };
    for i in 0..latches as u32 {
        file.latches.push((2 * (first + i), numbers(&line())[0]));
    }
    file.bad = (0..bad).map(|_| numbers(&line())[0]).collect();
    let mut number = || {
        let (mut value, mut shift) = (0u32, 0);
        loop {
            let byte = bytes[at];
            at += 1;
            value |= u32::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                return value;
            }
        }
    };
    for i in 0..gates as u32 {
        let gate = 2 * (first + latches as u32 + i);
        let larger = gate - number();
        file.gates.push((gate, larger, larger - number()));
    }
    assert_eq!(at, bytes.len());
    file
}

impl File {
    /// The values of the bad functions, and of the latches at the next moment.
    fn moment(&self, latches: &[bool], inputs: &[bool]) -> (Vec<bool>, Vec<bool>) {
        let mut values = BTreeMap::from([(0, false)]);
        values.extend(self.inputs.iter().copied().zip(inputs.iter().copied()));
        values.extend(self.latches.iter().map(|latch| latch.0).zip(latches.iter().copied()));
        let value = |values: &BTreeMap<u32, bool>, lit: u32| values[&(lit & !1)] != (lit & 1 == 1);
        for &(gate, a, b) in &self.gates {
            assert!(gate > a && a >= b, "gates come after their parts");
            values.insert(gate, value(&values, a) && value(&values, b));
        }
        let bad = self.bad.iter().map(|&lit| value(&values, lit)).collect();
        (bad, self.latches.iter().map(|latch| value(&values, latch.1)).collect())
    }
}

/// A BTOR2 file whose vectors have one bit, as the format's description has it: what each line says, by its number.
fn btor2_moment(lines: &[Vec<String>], latches: &[bool], inputs: &[bool]) -> (Vec<bool>, Vec<bool>) {
    let mut values: BTreeMap<String, bool> = BTreeMap::new();
    let (mut next_input, mut next_latch) = (inputs.iter(), latches.iter());
    let (mut bad, mut next) = (vec![], BTreeMap::new());
    let mut states = vec![];
    for line in lines {
        let line: Vec<&str> = line.iter().map(String::as_str).collect();
        let value = |name: &str| values[name];
        let defined = match line[1..] {
            ["sort", "bitvec", "1"] => continue,
            ["zero", "1"] => false,
            ["input", "1", _] => *next_input.next().unwrap(),
            ["state", "1", _] => {
                states.push(line[0].to_string());
                *next_latch.next().unwrap()
            }
            ["init", "1", state, zero] => {
                assert!(states.last().is_some_and(|last| last == state) && !value(zero));
                continue;
            }
            ["not", "1", a] => !value(a),
            ["and", "1", a, b] => value(a) && value(b),
            ["next", "1", state, a] => {
                next.insert(state.to_string(), value(a));
                continue;
            }
            ["bad", a] => {
                bad.push(value(a));
                continue;
            }
            _ => panic!("{line:?}"),
        };
        assert!(values.insert(line[0].to_string(), defined).is_none());
    }
    (bad, states.iter().map(|state| next[state]).collect())
}

/// Along random choices, valid or not, the files say "bad" exactly where the system has come that far and is bad.
#[test]
fn files_mean_what_the_system_means() {
    let mut seen = [0; 2];
    for seed in 0..2000 {
        let case = random(seed, 6);
        let system = &case.system;
        let file = read_ascii(&aiger::ascii(system));
        assert_eq!(file, read_binary(&aiger::binary(system)), "seed {seed}");
        let words = |line: &str| line.split(' ').map(str::to_string).collect();
        let other: Vec<Vec<String>> = btor2::text(system).lines().map(words).collect();
        let mut dice = Dice::new(seed);
        let mut simulation = Simulation::new(system);
        let mut latches = vec![false; file.latches.len()];
        let mut state: Option<Vec<bool>> = None;
        for moment in 0..8 {
            let inputs: Vec<bool> = file.inputs.iter().map(|_| dice.one_in(2)).collect();
            let expected = state.as_ref().is_some_and(|state| simulation.holds(state, system.bad[0]));
            let (bad, next) = file.moment(&latches, &inputs);
            assert_eq!(bad, [expected], "seed {seed}, moment {moment}");
            assert_eq!(btor2_moment(&other, &latches, &inputs), (bad, next.clone()), "seed {seed}");
            seen[usize::from(expected)] += 1;
            latches = next;
            state = match state {
                None if moment == 0 => simulation.start(&inputs),
                None => None,
                Some(state) => simulation.step(&state, &inputs),
            };
        }
    }
    assert!(seen[0] > 1000 && seen[1] > 1000, "{seen:?}");
}

/// The witness formats, written by hand: an execution goes there and back. ABC leaves out what is around the lines, and
/// the ends of lines, if it is not told otherwise.
#[test]
fn answers_are_read() {
    let mut reached = 0;
    for seed in 0..500 {
        let case = random(seed, 6);
        let system = &case.system;
        let Some(witness) = Bmc::new(system).reach(system.bad[0], 20).unwrap() else { continue };
        reached += 1;
        let width = system.inputs.len().max(system.start_inputs.len());
        let line = |bits: &[bool]| {
            let digits: String = bits.iter().map(|&b| if b { '1' } else { '0' }).collect();
            format!("{digits:x<width$}\n")
        };
        let mut text = format!("1\nb0\n{}\n{}", "0".repeat(system.latches.len() + 2), line(&witness.start));
        text.extend(witness.steps.iter().map(|step| line(step)));
        text += &line(&[]);
        text += ".\n";
        let expected = Ok(CheckerAnswer::Reached(0, witness.clone()));
        assert_eq!(aiger::answer(system, &text), expected, "seed {seed}");
        let lines: Vec<&str> = text.lines().skip(2).filter(|line| *line != ".").collect();
        for end in ["\n", ""] {
            let abc = format!("{}# DONE\n", lines.join(end));
            assert_eq!(aiger::answer(system, &abc), expected, "seed {seed}: {abc}");
        }
        let mut other = "sat\nb0\n#0\n0 0 l0#0\n".to_string();
        for (moment, bits) in [&witness.start].into_iter().chain(&witness.steps).enumerate() {
            other += &format!("@{moment}\n");
            // Inputs that are not named are false.
            let set = bits.iter().enumerate().filter(|(i, bit)| **bit || i % 2 == 0);
            set.for_each(|(i, bit)| other += &format!("{i} {} i{i}@{moment}\n", u8::from(*bit)));
        }
        assert_eq!(btor2::answer(system, &(other + ".\n")), expected, "seed {seed}");
    }
    assert!(reached > 100);
}

#[test]
fn unusable_answers_are_refused() {
    let case = random(5, 4);
    let system = &case.system;
    assert_eq!(aiger::answer(system, "2\n"), Ok(CheckerAnswer::Unknown));
    assert_eq!(aiger::answer(system, "c a comment\n0\nb0\n.\n"), Ok(CheckerAnswer::Unreachable(0)));
    for text in ["", "1\n", "7\nb0\n", "1\nb1\n", "1\nx\n", "1\nb0\n11\n", "1\nb99999999999999999999\n"] {
        assert!(matches!(aiger::answer(system, text), Err(Unusable::Format(_))), "{text:?}");
    }
    assert_eq!(btor2::answer(system, "unknown\n"), Ok(CheckerAnswer::Unknown));
    assert_eq!(btor2::answer(system, "; a remark\nunsat\n"), Ok(CheckerAnswer::Unreachable(0)));
    for text in ["", "sat\n", "sat\nb9\n", "sat\nb0\n@1\n", "sat\nb0\n@0\n99 1\n", "sat\nb0\n@0\n0 2\n"] {
        assert!(matches!(btor2::answer(system, text), Err(Unusable::Format(_))), "{text:?}");
    }
    assert_eq!(btor2::answer(system, "sat\nb0\n.\n"), Err(Unusable::Wrong));
    let nothing = format!("1\nb0\n{}\n.\n", "0".repeat(system.latches.len() + 2));
    assert_eq!(aiger::answer(system, &nothing), Err(Unusable::Wrong));
}

/// What ABC's property-directed reachability says about a file: whether the bad state is reached.
fn asked(system: &System, path: &std::path::Path) -> Option<bool> {
    std::fs::write(path, aiger::binary(system)).ok()?;
    let commands = format!("read {}; fold; pdr", path.display());
    let output = Command::new("berkeley-abc").args(["-c", &commands]).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    match (text.contains("Property proved"), text.contains("was asserted in frame")) {
        (true, false) => Some(false),
        (false, true) => Some(true),
        _ => panic!("{text}"),
    }
}

/// Needs Debian's package `berkeley-abc`: `cargo test -p swarmcheck-prove --test aiger -- --ignored`. A file of this crate
/// is decided by ABC, and by IC3 here, and both are compared with enumeration.
#[test]
#[ignore = "needs the program berkeley-abc"]
fn another_model_checker_agrees() {
    let path = std::env::temp_dir().join(format!("swarmcheck-{}.aig", std::process::id()));
    let mut counts = [0; 2];
    for seed in 0..300 {
        let case = random(seed, 8);
        let system = &case.system;
        let whole = Whole::of(system);
        let expected = whole.shortest(&whole.states(system, system.bad[0])).is_some();
        let here =
            !matches!(ic3::prove(system, system.bad[0], Limits::default()), Ok(ProofVerdict::Proved(_)));
        let there = asked(system, &path).expect("berkeley-abc runs");
        assert_eq!((here, there), (expected, expected), "seed {seed}");
        counts[usize::from(expected)] += 1;
    }
    let _ = std::fs::remove_file(&path);
    assert!(counts[0] > 50 && counts[1] > 50, "{counts:?}");
}
