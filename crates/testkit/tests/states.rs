//! Sets of states as proofs, on random systems: a proof is found and accepted exactly where the naive search says that a property holds,
//! and what is made of it by a small change is refused, or still lists every state.

use std::sync::atomic::AtomicBool;
use swarmcheck_engine::certificate::StatesProof;
use swarmcheck_engine::certificate::Uncertified;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control, Fairness, Subject, Task};
use swarmcheck_ir::Modality;
use swarmcheck_ir::flat::Flat;
use swarmcheck_proof::states::{self, NoStates};
use swarmcheck_testkit::long;
use swarmcheck_testkit::oracle::{self, OracleAnswer, OracleQuestion};
use swarmcheck_testkit::search::{Space, Verdict, decide};
use swarmcheck_testkit::verify::{open, reading, system};

/// Systems with more states are left out.
const STATES: usize = 3000;

/// What a run over many systems saw, by kind of property: held, violated, and mutants that were refused or accepted.
#[derive(Default, Debug)]
struct Statistics {
    systems: usize,
    proved: [usize; KINDS],
    refuted: [usize; KINDS],
    refused: usize,
    valid: usize,
    /// With a bound or excused executions: held, violated.
    bounded: [usize; 2],
    /// Under fairness: proved, and not.
    fair: [usize; 2],
}

const KINDS: usize = 6;

fn kind(modality: Option<&Modality>) -> usize {
    match modality {
        None => 0,
        Some(Modality::Always) => 1,
        Some(Modality::Eventually | Modality::Finally) => 2,
        Some(Modality::Fairly) => 3,
        Some(Modality::FairlyInf) => 4,
        Some(_) => 5,
    }
}

/// Whether executions are not followed to their end.
fn ends_early(modality: Option<&Modality>) -> bool {
    use Modality::{After, Eventually, Fairly, Finally};
    matches!(modality, Some(After(_) | Eventually | Finally | Fairly))
}

fn with_control<T>(work: impl FnOnce(&Control<'_>) -> T) -> T {
    let stop = AtomicBool::new(false);
    work(&Control { stop: &stop, budget: Budget::default(), progress: &Silent })
}

/// Every proof of a system, and whether the naive search agrees.
fn compare(seed: u64, statistics: &mut Statistics) -> Result<(), String> {
    let reading = reading(seed);
    let Some(text) = system(seed, reading, STATES, 6) else { return Ok(()) };
    let Ok(prepared) = open(&text, reading) else { return Ok(()) };
    let flat = &prepared.flat;
    let space = Space::explore(flat, STATES);
    if !space.complete {
        return Ok(());
    }
    statistics.systems += 1;
    let properties = (0..flat.program.properties.len()).map(Subject::Property);
    for subject in properties.chain([Subject::DeadlockFreedom]) {
        let modality = subject.property().map(|number| &flat.program.properties[number].modality);
        let expected = match subject {
            Subject::Property(number) => decide(flat, number, &space, STATES),
            Subject::DeadlockFreedom => match (space.fault, space.deadlocks.is_empty()) {
                (Some(fault), _) => Verdict::Invalid(fault),
                (None, true) => Verdict::Holds,
                (None, false) => Verdict::Violated,
            },
        };
        let task = Task::new(flat).only(subject);
        let built = with_control(|control| states::build(&task, subject, control));
        let proof = built.as_ref().ok().cloned();
        let accepted = |proof: &StatesProof| with_control(|c| states::check(&task, subject, proof, c));
        let fine = proof.as_ref().map(accepted);
        let place = kind(modality);
        match expected {
            Verdict::Holds => {
                let fine = fine.ok_or(format!("seed {seed}, {subject:?}: no proof\n{text}"))?;
                fine.map_err(|why| format!("seed {seed}, {subject:?}: refused, {why}\n{text}"))?;
                statistics.proved[place] += 1;
                let proof = proof.expect("it was checked");
                let is_whole = matches!(modality, None | Some(Modality::Always | Modality::FairlyInf));
                if is_whole && proof.states != space.states.len() as u64 {
                    return Err(format!("seed {seed}: {} states, not {}", proof.states, space.states.len()));
                }
                for number in 0..10 {
                    let mutant = mutated(&proof, seed * 10 + number);
                    match accepted(&mutant) {
                        Err(_) => statistics.refused += 1,
                        // What still lists every state with the same values can differ in ranks alone.
                        Ok(()) if mutant == proof || !is_whole || mutant.states == proof.states => {
                            statistics.valid += 1;
                        }
                        Ok(()) => {
                            return Err(format!("seed {seed}, {subject:?}: a mutant is accepted\n{text}"));
                        }
                    }
                }
            }
            // The naive search looks for errors of the model everywhere, these questions only up to the goal or the last step.
            Verdict::Invalid(_) if ends_early(modality) => {}
            Verdict::Violated | Verdict::Invalid(_) => {
                if !matches!(built, Err(NoStates::Contradicted(_))) {
                    return Err(format!(
                        "seed {seed}, {subject:?}, {expected:?}: {built:?} is no contradiction\n{text}"
                    ));
                }
                if fine.is_some_and(|fine| fine.is_ok()) {
                    return Err(format!("seed {seed}, {subject:?}: a false proof is accepted\n{text}"));
                }
                statistics.refuted[place] += 1;
            }
            Verdict::Unknown => {}
        }
    }
    bounded(seed, &text, flat, &space, statistics)
}

/// The same for executions of a number of steps, where executions that stop are excused, and for fair executions, against the oracle.
fn bounded(
    seed: u64,
    text: &str,
    flat: &Flat,
    space: &Space,
    statistics: &mut Statistics,
) -> Result<(), String> {
    for number in 0..flat.program.properties.len() {
        let subject = Subject::Property(number);
        for (bound, ignore_deadlock) in
            [(Some(0), false), (Some(1), false), (Some(2), true), (Some(5), false), (None, true)]
        {
            let question = OracleQuestion { bound, ignore_deadlock };
            let mut task = Task::new(flat).only(subject);
            (task.bound, task.ignore_deadlock) = (bound, ignore_deadlock);
            let built = with_control(|control| states::build(&task, subject, control));
            // What is asked otherwise is what the proof says.
            let asked = Task { bound: Some(77), ..task.clone() };
            let said = built.as_ref().ok().map(|p| with_control(|c| states::check(&asked, subject, p, c)));
            let at = || format!("seed {seed}, property {number}, {question:?}: {said:?}\n{text}");
            match (oracle::answer(flat, space, number, &question), &built, &said) {
                (OracleAnswer::Holds, Ok(_), Some(Ok(()))) => statistics.bounded[0] += 1,
                (OracleAnswer::Violated, Err(NoStates::Contradicted(_)), None) => statistics.bounded[1] += 1,
                // A question that cannot be asked has no proof.
                (OracleAnswer::Unknown, Err(NoStates::Unfinished(Uncertified::NotAsked { .. })), None) => {}
                // The oracle looks beyond the bound for errors of the model.
                (OracleAnswer::Invalid(_), ..) => {}
                _ => return Err(at()),
            }
        }
        let mut task = Task::new(flat).only(subject);
        let all = with_control(|control| states::build(&task, subject, control));
        task.fairness = Fairness::Weak;
        let fair = with_control(|control| states::build(&task, subject, control));
        match (all, fair) {
            // What holds of all executions holds of fair ones.
            (Ok(all), Ok(fair)) if all == fair => statistics.fair[0] += 1,
            (Err(_), Err(NoStates::Unfinished(Uncertified::OnlyFair))) => statistics.fair[1] += 1,
            (Err(all), Err(fair)) if all == fair => {}
            (all, fair) => return Err(format!("seed {seed}, property {number}: {all:?}, {fair:?}\n{text}")),
        }
    }
    Ok(())
}

/// A proof with one thing changed.
fn mutated(proof: &StatesProof, seed: u64) -> StatesProof {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut mutant = proof.clone();
    if mutant.nodes.len() < 2 {
        mutant.states += 1;
        return mutant;
    }
    let at = random.usize(1..mutant.nodes.len());
    let edge = random.usize(0..mutant.nodes[at].len());
    match random.u8(0..5) {
        0 => {
            mutant.nodes[at].remove(edge);
        }
        1 => {
            let value = &mut mutant.nodes[at][edge].0;
            *value = value.wrapping_add(random.i64(-2..=2));
        }
        2 => mutant.nodes[at][edge].1 = random.u32(0..at as u32),
        3 => mutant.states = mutant.states.wrapping_add_signed(random.i64(-1..=1)),
        _ => {
            let to = mutant.nodes[at][edge];
            mutant.nodes[at].push((to.0.wrapping_add(1 + random.i64(0..3)), to.1));
        }
    }
    mutant
}

fn run(seeds: std::ops::Range<u64>) -> Statistics {
    let mut statistics = Statistics::default();
    for seed in seeds {
        compare(seed, &mut statistics).unwrap_or_else(|failure| panic!("{failure}"));
    }
    println!("{statistics:?}");
    statistics
}

#[test]
fn proofs_are_found_exactly_where_a_property_holds() {
    let seen = run(0..60);
    assert!(seen.systems >= 30, "{seen:?}");
    for place in 0..5 {
        assert!(seen.proved[place] > 0 && seen.refuted[place] > 0, "{place}: {seen:?}");
    }
    assert!(seen.refused > seen.valid, "{seen:?}");
    assert!(seen.bounded.iter().chain(&seen.fair).all(|&n| n >= 20), "{seen:?}");
}

/// One counter from 0 to 3 and round again, whose claims are known.
const COUNTER: &str = "system { spawn = A: 1 }
agent A { interface = x: 0  Behavior = x <- (x + 1) % 4; Behavior }
check {
  Small = always forall A a, x of a < 4
  Never2 = always forall A a, x of a != 2
  Reaches2 = finally forall A a, x of a = 2
  Reaches5 = finally forall A a, x of a = 5
  Again2 = fairly_inf forall A a, x of a = 2
  Again5 = fairly_inf forall A a, x of a = 5
  Formula5 = ltl G F forall A a, x of a = 5
}
";

/// What somebody may write who wants a false property to be accepted. The proofs of the true ones are taken apart for the material.
#[test]
fn what_an_attacker_writes_is_refused() {
    let prepared = open(COUNTER, reading(0)).expect("it is a model");
    let flat = &prepared.flat;
    let place = |name: &str| {
        let all = &flat.program.properties;
        Subject::Property(all.iter().position(|p| p.name == name).expect("a property"))
    };
    let check = |name: &str, proof: &StatesProof| {
        let subject = place(name);
        with_control(|c| states::check(&Task::new(flat).only(subject), subject, proof, c))
    };
    let honest = |name: &str| {
        let subject = place(name);
        with_control(|c| states::build(&Task::new(flat).only(subject), subject, c)).expect("a proof")
    };
    let (small, reaches, again) = (honest("Small"), honest("Reaches2"), honest("Again2"));
    for (name, proof) in [("Small", &small), ("Reaches2", &reaches), ("Again2", &again)] {
        assert_eq!(check(name, proof), Ok(()), "{name}");
    }
    let members = members(&small);
    assert_eq!(small.states, members.len() as u64);
    let width = flat.width() + 2;
    let of = |members: &[Vec<i64>]| {
        let mut members = members.to_vec();
        members.sort();
        let nodes = states::diagram::build(members.iter().map(Vec::as_slice)).expect("few nodes");
        StatesProof { steps: None, states: members.len() as u64, nodes }
    };
    assert_eq!(of(&members), small, "the proof is what its members make");

    let mut tried = 0;
    let mut refused = |name: &str, proof: &StatesProof| {
        tried += 1;
        assert!(check(name, proof).is_err(), "{name}: {proof:?}");
    };
    // Nothing, no root, a leaf alone, a leaf that is none, an edge to itself, forwards or to nowhere.
    let plain = |nodes: Vec<Vec<(i64, u32)>>, states| StatesProof { steps: None, states, nodes };
    for states in [0, 1, u64::MAX] {
        refused("Never2", &plain(vec![], states));
        refused("Never2", &plain(vec![vec![]], states));
        refused("Never2", &plain(vec![vec![(0, 0)]], states));
        refused("Never2", &plain(vec![vec![], vec![(0, 1)]], states));
        refused("Never2", &plain(vec![vec![], vec![(0, 2)], vec![(0, 1)]], states));
        refused("Never2", &plain(vec![vec![], vec![(0, u32::MAX)]], states));
        refused("Never2", &plain(vec![vec![], vec![]], states));
    }
    // Every claim that is false, with every proof of another, and with every set of ranks below 6 on the true states.
    let mut ranked = members.clone();
    let claims = ["Never2", "Reaches5", "Again5"];
    for name in claims {
        for proof in [&small, &reaches, &again] {
            refused(name, proof);
        }
        for ranks in 0..6i64.pow(4) {
            for (at, member) in ranked.iter_mut().enumerate().take(4) {
                member[width - 1] = ranks / 6i64.pow(at as u32) % 6;
            }
            refused(name, &of(&ranked));
        }
    }
    let formula = place("Formula5");
    let built = with_control(|c| states::build(&Task::new(flat).only(formula), formula, c));
    assert!(matches!(built, Err(NoStates::Contradicted(_))), "{built:?}");
    // Without one of the states; with more or fewer than are announced.
    for at in 0..members.len() {
        let mut fewer = members.clone();
        fewer.remove(at);
        refused("Small", &of(&fewer));
        refused("Never2", &of(&fewer));
    }
    for states in [0, small.states - 1, small.states + 1, u64::MAX] {
        refused("Small", &StatesProof { states, ..small.clone() });
    }
    // Ranks and numbers of steps that are negative, or at the ends of the numbers; two ranks for a state; another number of steps.
    for (column, values) in [(width - 1, [-1, i64::MIN, i64::MIN + 1]), (0, [-1, i64::MIN, i64::MAX])] {
        for value in values {
            let mut strange = members.clone();
            strange[0][column] = value;
            refused("Small", &of(&strange));
            let mut more = members.clone();
            more.push(strange[0].clone());
            refused("Small", &of(&more));
        }
    }
    let mut twice = members.clone();
    twice.push(members[0].iter().enumerate().map(|(at, v)| v + i64::from(at == width - 1)).collect());
    refused("Small", &of(&twice));
    refused("Reaches2", &of(&twice));
    // Largest ranks everywhere: no step makes progress, and nothing overflows.
    for steps in [None, Some(0), Some(3), Some(u32::MAX)] {
        for rank in [i64::MAX, i64::MAX - 1] {
            let mut largest = members.clone();
            largest.iter_mut().for_each(|member| member[width - 1] = rank);
            for name in claims {
                refused(name, &StatesProof { steps, ..of(&largest) });
            }
        }
    }
    // Fewer steps than it takes to violate the property are a proof of that, and of no more.
    let subject = place("Never2");
    let task = Task { bound: Some(1), ..Task::new(flat).only(subject) };
    let short = with_control(|c| states::build(&task, subject, c)).expect("2 comes after two steps");
    assert_eq!((short.steps, check("Never2", &short)), (Some(1), Ok(())));
    for steps in [None, Some(2), Some(3), Some(u32::MAX)] {
        refused("Never2", &StatesProof { steps, ..short.clone() });
    }
    // Nodes out of order, and the same value twice.
    for at in 1..small.nodes.len() {
        let mut strange = small.clone();
        let edge = strange.nodes[at][0];
        strange.nodes[at].insert(0, edge);
        refused("Small", &strange);
        let mut reversed = small.clone();
        reversed.nodes[at].reverse();
        if reversed != small {
            refused("Small", &reversed);
        }
    }
    // More states than anybody could count: two values for each cell that may have any.
    let wide = (0..width).map(|n| vec![(0, n as u32), (1, n as u32)]);
    let wide: Vec<_> = std::iter::once(vec![]).chain(wide).collect();
    refused("Small", &plain(wide.clone(), u64::MAX));
    refused("Small", &plain(wide, 1));
    // Values that no state has: nothing may panic, whatever they are.
    for column in 1..width - 1 {
        for value in [i64::MIN, i64::MIN + 1, -1, 1000, i64::MAX] {
            let mut strange = members.clone();
            strange[1][column] = value;
            refused("Small", &of(&strange));
        }
    }
    assert!(tried > 3900, "{tried}");
}

/// The members of a set, as they can be read off its nodes.
fn members(proof: &StatesProof) -> Vec<Vec<i64>> {
    fn below(proof: &StatesProof, node: usize, path: &mut Vec<i64>, out: &mut Vec<Vec<i64>>) {
        if node == 0 {
            out.push(path.clone());
        }
        for &(value, to) in &proof.nodes[node] {
            path.push(value);
            below(proof, to as usize, path, out);
            path.pop();
        }
    }
    let mut out = vec![];
    below(proof, proof.nodes.len() - 1, &mut vec![], &mut out);
    out
}

/// What is listed may have values that no state has. The check must neither panic nor hang, whatever they are.
#[test]
fn strange_values_are_survived() {
    let (mut checked, mut random) = (0, fastrand::Rng::with_seed(24));
    for seed in 0..40 {
        let reading = reading(seed);
        let Some(text) = system(seed, reading, 300, 3) else { continue };
        let Ok(prepared) = open(&text, reading) else { continue };
        let subject = Subject::DeadlockFreedom;
        for number in 0..prepared.flat.program.properties.len() {
            let subject = if number == 0 { subject } else { Subject::Property(number) };
            let task = Task { ignore_deadlock: true, ..Task::new(&prepared.flat).only(subject) };
            let Ok(proof) = with_control(|c| states::build(&task, subject, c)) else { continue };
            if proof.nodes.len() < 3 {
                continue;
            }
            for _ in 0..20 {
                let mut strange = proof.clone();
                let at = random.usize(1..strange.nodes.len());
                let edge = random.usize(0..strange.nodes[at].len());
                let values = [i64::MIN, i64::MIN + 1, -1, 7, 1 << 20, 1 << 40, i64::MAX - 1, i64::MAX];
                strange.nodes[at][edge].0 = values[random.usize(0..values.len())];
                strange.nodes[at].sort_unstable();
                let _ = with_control(|c| states::check(&task, subject, &strange, c));
                checked += 1;
            }
        }
    }
    assert!(checked >= 300, "{checked}");
}

#[test]
#[ignore = "long: SWARMCHECK_SYSTEMS says how many"]
fn long_run() {
    let systems = long::number("SWARMCHECK_SYSTEMS", 1000);
    let first = long::number("SWARMCHECK_SEED", 0);
    run(first..first + systems);
}
