//! Programs of examples: against enumerations written from the definition of the protocol, and with reductions on and off.
#![allow(clippy::disallowed_methods)] // Reads examples.

use crate::{brute, check, never, ratio};
use num_rational::BigRational;
use num_traits::{One, Zero};
use swarmcheck_chance::{
    Answer, Bits, BuildError, BuildOptions, Built, Control, Expected, Optimum, Path, Settings, Watched,
    build, expected_steps, expected_time, probability,
};
use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::{Expr, Program};
use swarmcheck_labs::lower::{self, Options};
use swarmcheck_labs::{check as checks, syntax};
use swarmcheck_simulate::{Rate, Rates, Scheduler};
use swarmcheck_source::Span;

fn read(text: &str, parameters: &str, options: Options) -> Program {
    let parameters: Vec<(String, String)> = parameters
        .split_whitespace()
        .map(|p| p.split_once('=').expect("name=value"))
        .map(|(name, value)| (name.to_string(), value.to_string()))
        .collect();
    let (tree, errors) = syntax::parse(text);
    assert!(!errors.has_errors(), "{:?}", errors.iter().collect::<Vec<_>>());
    let (model, errors) = checks::check(&tree, Span::new(text.len(), text.len()), &parameters);
    let model = model.unwrap_or_else(|| panic!("{:?}", errors.iter().collect::<Vec<_>>()));
    let Ok(lowered) = lower::lower(&model, text, options) else { panic!("too large") };
    lowered.program
}

fn example(file: &str, parameters: &str, options: Options) -> Program {
    let path = format!("{}/../../examples/{file}", env!("CARGO_MANIFEST_DIR"));
    read(&std::fs::read_to_string(path).expect("the example exists"), parameters, options)
}

/// The predicate of a property.
fn predicate(program: &Program, name: &str) -> Expr {
    program.properties.iter().find(|p| p.name == name).expect("a property").predicate.clone()
}

/// Both reductions, one, none.
fn options() -> [BuildOptions; 4] {
    [(true, true), (true, false), (false, true), (false, false)].map(|(symmetry, lumping)| BuildOptions {
        symmetry,
        lumping,
        ..BuildOptions::default()
    })
}

fn built(flat: &Flat, scheduler: &Scheduler, conditions: &[Expr], options: &BuildOptions) -> Built {
    let watched = Watched { conditions: conditions.to_vec(), values: vec![] };
    build(flat, scheduler, &watched, options, Control::NONE).expect("built")
}

fn eventually(built: &Built, goal: Bits, optimum: Optimum) -> Answer {
    let path = Path::eventually(goal, None);
    probability(&built.process, &path, optimum, &Settings::default(), &never).expect("solved")
}

/// Approximate majority, from its definition (examples/approx/README.md), by numbers of agents: `yes` say 1, `no` say 0, the others are undecided. The agent that
/// spoke last has the opinion that it said, and keeps it. An agent that is not undecided can speak; an agent other than the one that spoke last can answer
/// in one way. All these steps are equally likely, or all agents with a step are and then the steps of the agent.
/// Gives the probability that all say 1 in the end.
fn approximate_majority(yes: usize, no: usize, agents: bool) -> BigRational {
    let all = yes + no;
    // How many say 1, how many say 0, what was said last.
    type State = (usize, usize, Option<usize>);
    let mut states: Vec<State> = vec![(yes, no, None)];
    let mut chain: Vec<Vec<(usize, BigRational)>> = vec![];
    let mut next = 0;
    while next < states.len() {
        let (ones, zeros, said) = states[next];
        let undecided = all - ones - zeros;
        // Weights of the steps of one agent, as how many agents make them and where they lead.
        let mut steps: Vec<(usize, usize, State)> = vec![];
        for (opinion, count) in [(1, ones), (0, zeros)] {
            // One that spoke last can only speak; all others can speak and answer, unless nothing was said.
            let last = usize::from(said == Some(opinion));
            let own = if said.is_some() { 2 } else { 1 };
            let spoken = (ones, zeros, Some(opinion));
            steps.push((last, 1, spoken));
            steps.push((count - last, own, spoken));
            if let Some(message) = said {
                let answered = match (message, opinion) {
                    (1, 0) => (ones, zeros - usize::from(count > 0), said),
                    (0, 1) => (ones - usize::from(count > 0), zeros, said),
                    _ => (ones, zeros, said),
                };
                steps.push((count - last, own, answered));
            }
        }
        if let Some(message) = said {
            let answered = if message == 1 { (ones + 1, zeros, said) } else { (ones, zeros + 1, said) };
            steps.push((undecided, 1, answered));
        }
        let mut row: Vec<(usize, BigRational)> = vec![];
        for (count, own, state) in steps.into_iter().filter(|(count, _, _)| *count > 0) {
            let weight = if agents { ratio(count as i64, own as i64) } else { ratio(count as i64, 1) };
            let at = states.iter().position(|other| *other == state).unwrap_or_else(|| {
                states.push(state);
                states.len() - 1
            });
            row.push((at, weight));
        }
        chain.push(row);
        next += 1;
    }
    let n = states.len();
    let mut matrix = vec![vec![BigRational::zero(); n]; n];
    for (from, row) in chain.into_iter().enumerate() {
        let total: BigRational = row.iter().map(|(_, weight)| weight).sum();
        row.into_iter().for_each(|(to, weight)| matrix[from][to] += weight / &total);
    }
    let goal = Bits::from_fn(n, |s| states[s].0 == all);
    brute::until(&matrix, &Bits::full(n), &goal)[0].clone()
}

#[test]
fn approximate_majority_goes_wrong_as_often_as_it_should() {
    for (yes, no) in [(1, 1), (1, 2), (2, 2), (1, 3)] {
        let program = example("approx/approx.labs", &format!("yes={yes} no={no}"), Options::default());
        let mixed = predicate(&program, "NoYConsensus");
        let flat = Flat::new(program);
        for (scheduler, agents) in [(Scheduler::Steps, false), (Scheduler::Agents, true)] {
            let wanted = approximate_majority(yes, no, agents);
            if yes == no {
                assert_eq!(wanted, ratio(1, 2));
            }
            for options in options() {
                let built = built(&flat, &scheduler, std::slice::from_ref(&mixed), &options);
                let answer = eventually(&built, built.labels[0].complement(), Optimum::Chain);
                check(&answer, &wanted);
                assert!(answer.fraction.is_some());
            }
        }
        // A scheduler that knows what it wants gets it.
        for options in options() {
            let built = built(&flat, &Scheduler::Any, std::slice::from_ref(&mixed), &options);
            let goal = || built.labels[0].complement();
            check(&eventually(&built, goal(), Optimum::Max), &BigRational::one());
            check(&eventually(&built, goal(), Optimum::Min), &BigRational::zero());
        }
    }
}

/// Numbers of states of the examples' project file: 55 and 811 without reductions.
#[test]
fn as_many_states_as_the_searches_find() {
    for (parameters, states) in [("yes=1 no=2", 55), ("yes=2 no=3", 811)] {
        let flat = Flat::new(example("approx/approx.labs", parameters, Options::default()));
        let [both, symmetry, _, none] = options();
        for scheduler in [Scheduler::Steps, Scheduler::Any] {
            assert_eq!(built(&flat, &scheduler, &[], &none).process.states(), states);
            let fewer = built(&flat, &scheduler, &[], &symmetry);
            assert!(fewer.symmetric && fewer.process.states() < states);
            // Nothing is watched, so all states without deadlocks are alike.
            assert_eq!(built(&flat, &scheduler, &[], &both).process.states(), 1);
        }
    }
}

/// With and without reductions the answers are the same, to within the bounds.
fn same(flat: &Flat, scheduler: &Scheduler, condition: &Expr) {
    let mut before: Option<Vec<Answer>> = None;
    for options in options() {
        let built = built(flat, scheduler, std::slice::from_ref(condition), &options);
        let optima: &[Optimum] = match scheduler {
            Scheduler::Any => &[Optimum::Min, Optimum::Max],
            _ => &[Optimum::Chain],
        };
        let mut answers = vec![];
        for optimum in optima {
            for goal in [built.labels[0].clone(), built.labels[0].complement()] {
                answers.push(eventually(&built, goal.clone(), *optimum));
                let within = Path::eventually(goal.clone(), Some(5));
                let settings = Settings::default();
                answers
                    .push(probability(&built.process, &within, *optimum, &settings, &never).expect("solved"));
                let steps =
                    expected_steps(&built.process, &goal, *optimum, &settings, &never).expect("solved");
                answers.push(infinite(steps));
                if built.process.exits().is_some() {
                    answers.push(infinite(
                        expected_time(&built.process, &goal, &settings, &never).expect("solved"),
                    ));
                }
            }
        }
        if let Some(before) = &before {
            for (one, other) in before.iter().zip(&answers) {
                let close = one.bounds.low <= other.bounds.high && other.bounds.low <= one.bounds.high;
                assert!(close, "{one:?} {other:?}");
                if let (Some(one), Some(other)) = (&one.fraction, &other.fraction) {
                    assert_eq!(one, other);
                }
            }
        }
        before = Some(answers);
    }
}

fn infinite(expected: Expected) -> Answer {
    match expected {
        Expected::Finite(answer) => answer,
        Expected::Infinite => Answer {
            bounds: swarmcheck_chance::Bounds { low: f64::INFINITY, high: f64::INFINITY },
            fraction: None,
        },
    }
}

/// Symmetry and lumping on and off, on examples with messages, picks, turns and symmetric assumptions.
#[test]
fn reductions_keep_answers() {
    let fair = Options { fair: true, ..Options::default() };
    let cases = [
        ("voter/voter.labs", "voters=3 options=2", "Agreement", Options::default()),
        ("leader/leader.labs", "n=2", "LeaderIs0", Options::default()),
        ("leader/leader.labs", "n=2", "LeaderIs0", fair),
        ("approx/approx.labs", "yes=1 no=2", "NoYConsensus", Options::default()),
    ];
    for (file, parameters, property, options) in cases {
        let program = example(file, parameters, options);
        let condition = predicate(&program, property);
        let kinds = program.kinds.len();
        let functions = program.functions.len();
        let rate = |f: usize, k: usize| Rate { numerator: 1 + (f % 3) as u32, denominator: 1 + k as u32 };
        let of = (0..functions).map(|f| (0..kinds).map(|k| rate(f, k)).collect()).collect();
        let flat = Flat::new(program);
        for scheduler in [Scheduler::Steps, Scheduler::Agents, Scheduler::Any, Scheduler::Rates(Rates { of })]
        {
            same(&flat, &scheduler, &condition);
        }
    }
}

/// By symmetry of opinions, both win equally often, whoever begins with what.
#[test]
fn voters_have_no_preference() {
    let text = "system { extern = _voters\n environment = heard: undef\n spawn = Voter: _voters }
        agent Voter { interface = opinion: 0..2\n Behavior = Talk || Listen
          Talk = heard <-- opinion; Talk\n Listen = opinion != heard -> opinion <- heard; Listen }
        check { Ones = always forall Voter a, opinion of a = 1 }";
    let program = read(text, "voters=3", Options::default());
    let ones = predicate(&program, "Ones");
    let flat = Flat::new(program);
    let built = built(&flat, &Scheduler::Steps, &[ones], &BuildOptions::default());
    // What was heard last is held by nobody at times, so agreement need not last; in the end it does.
    let label = built.labels[0].clone();
    let settings = Settings::default();
    let share = swarmcheck_chance::long_run(
        &built.process,
        &label,
        swarmcheck_chance::Share::Steps,
        &settings,
        &never,
    );
    check(&share.expect("solved"), &ratio(1, 2));
}

/// Inside a step: a draw among three numbers, of which the assumption refuses those that are too large, is made again. So each of the others has the same
/// probability, and a step that is often refused is as likely as one that never is.
#[test]
fn refused_draws_are_made_again() {
    let text = "system { spawn = A: 1 }
        agent A { interface = x: 0..5\n Behavior = x <- 7 }
        assume { Small = forall A a, x of a < 3 }
        check { One = always forall A a, x of a = 1 }";
    let program = read(text, "", Options::default());
    let one = predicate(&program, "One");
    let flat = Flat::new(program);
    for options in options() {
        let built = built(&flat, &Scheduler::Steps, std::slice::from_ref(&one), &options);
        check(&eventually(&built, built.labels[0].clone(), Optimum::Chain), &ratio(1, 3));
    }
}

/// Two agents make one step each, at rates 2 and 3. The first comes first with probability 2/5. Both are done after 1/5 + 2/5 · 1/3 + 3/5 · 1/2 = 19/30
/// on average: the race, then the one that is left.
#[test]
fn a_race_of_two() {
    let text = "system { spawn = A: 1, B: 1 }
        agent A { interface = x: 0\n Behavior = x <- 1 }
        agent B { interface = y: 0\n Behavior = y <- 1 }
        check {
          First = always forall A a, forall B b, x of a = 1 and y of b = 0
          Done = always forall A a, forall B b, x of a = 1 and y of b = 1
        }";
    let program = read(text, "", Options::default());
    let conditions = [predicate(&program, "First"), predicate(&program, "Done")];
    let of_kind = vec![Rate { numerator: 2, denominator: 1 }, Rate { numerator: 9, denominator: 3 }];
    let rates = Rates { of: vec![of_kind; program.functions.len()] };
    let flat = Flat::new(program);
    for options in options() {
        let built = built(&flat, &Scheduler::Rates(rates.clone()), &conditions, &options);
        check(&eventually(&built, built.labels[0].clone(), Optimum::Chain), &ratio(2, 5));
        let time = expected_time(&built.process, &built.labels[1], &Settings::default(), &never);
        check(&infinite(time.expect("solved")), &ratio(19, 30));
    }
}

/// Symmetric agents with different rates by kind: kinds that say the same must not be exchanged. `A` is faster than `B`, so the first step is made by `A` with
/// probability 4/5.
#[test]
fn kinds_with_different_rates_are_not_exchanged() {
    let text = "system { spawn = A: 1, B: 1 }
        agent A { interface = x: 0\n Behavior = x <- 1 }
        agent B { interface = x: 0\n Behavior = x <- 1 }
        check {
          Ready = always forall A a, x of a = 1
          Done = always forall A a, forall B b, x of a = 1 and x of b = 1
        }";
    let program = read(text, "", Options::default());
    let conditions = [predicate(&program, "Ready"), predicate(&program, "Done")];
    let of_kind = vec![Rate { numerator: 4, denominator: 1 }, Rate { numerator: 1, denominator: 1 }];
    let rates = Rates { of: vec![of_kind; program.functions.len()] };
    let flat = Flat::new(program);
    for options in options() {
        // Only what is symmetric is watched: after the race, what is left is slow if the fast one has won. 1/5 + 4/5 · 1 + 1/5 · 1/4.
        let done = built(&flat, &Scheduler::Rates(rates.clone()), &conditions[1..], &options);
        let time = expected_time(&done.process, &done.labels[0], &Settings::default(), &never);
        check(&infinite(time.expect("solved")), &(ratio(1, 5) + ratio(4, 5) + ratio(1, 20)));
        let both = built(&flat, &Scheduler::Rates(rates.clone()), &conditions, &options);
        let path =
            Path::Until { hold: both.labels[0].complement(), goal: both.labels[0].clone(), within: Some(1) };
        let first = probability(&both.process, &path, Optimum::Chain, &Settings::default(), &never);
        check(&first.expect("solved"), &ratio(4, 5));
    }
}

/// Limits, the flag, and faults end the exploration.
#[test]
fn what_cannot_be_built() {
    let flat = Flat::new(example("approx/approx.labs", "yes=2 no=3", Options::default()));
    let none = BuildOptions { symmetry: false, lumping: false, ..BuildOptions::default() };
    let attempt = |options: &BuildOptions, control: Control<'_>| {
        build(&flat, &Scheduler::Steps, &Watched::default(), options, control).map(|b| b.explored)
    };
    assert_eq!(attempt(&none, Control::NONE), Ok(811));
    assert_eq!(attempt(&BuildOptions { states: 810, ..none }, Control::NONE), Err(BuildError::States(810)));
    assert_eq!(attempt(&BuildOptions { states: 811, ..none }, Control::NONE), Ok(811));
    let few = BuildOptions { transitions: 100, ..none };
    assert_eq!(attempt(&few, Control::NONE), Err(BuildError::Transitions(100)));
    let stop = Control { stopped: &|| true, ..Control::NONE };
    assert_eq!(attempt(&none, stop), Err(BuildError::Stopped));
    let text = "system { spawn = A: 1 }\n agent A { interface = x: 4000000000\n Behavior = x <- x * x * x }\n check { P = always true }";
    let flat = Flat::new(read(text, "", Options::default()));
    let failed = build(&flat, &Scheduler::Steps, &Watched::default(), &none, Control::NONE);
    assert!(matches!(failed, Err(BuildError::Fault { .. })), "{failed:?}");
}

/// A random system of a few agents with small values, a shared variable and sometimes messages.
fn random_system(rng: &mut fastrand::Rng) -> String {
    let actions = [
        "x <- 1",
        "x < 2 -> x <- x + 1",
        "x > 0 -> x <- x - 1",
        "y <- x",
        "e <-- x",
        "e <-- y",
        "x != e -> x <- e",
        "y != x -> y <- x; x <- 0",
        "e = 1 -> Skip",
        "last <-- id",
        "last != id -> y <- 1",
        "{ m[] := pick 1; x <- x of m[0] }",
        "{ m[] := pick 1 A where x of 2 > 0; y <- x of m[0] }",
        "{ m[] := pick 2 where x of 1 != x of 2; x <- x of m[1] }",
    ];
    let messages = ["z <~ x", "z <~ y", "x != z -> x <- z"];
    let with_messages = rng.u8(..3) == 0;
    let action = |rng: &mut fastrand::Rng| match with_messages && rng.bool() {
        true => messages[rng.usize(..messages.len())],
        false => actions[rng.usize(..actions.len())],
    };
    let behaviour = |rng: &mut fastrand::Rng| {
        let mut text = action(rng).to_string();
        for _ in 0..rng.usize(0..3) {
            text = match rng.u8(..3) {
                0 => format!("({text}) ++ ({})", action(rng)),
                1 => format!("({text}); {}", action(rng)),
                _ => format!("(({text}) ++ ({}))", action(rng)),
            };
        }
        if rng.u8(..4) == 0 { text } else { format!("({text}); Behavior") }
    };
    let stigmergy = if with_messages { "stigmergy S { link = true\n z: 0 }" } else { "" };
    let uses = if with_messages { "stigmergies = S\n" } else { "" };
    let (one, two) = (behaviour(rng), behaviour(rng));
    let two = if rng.bool() { one.clone() } else { two };
    let count = if with_messages { 1 } else { rng.u32(1..3) };
    format!(
        "system {{ environment = e: 0..2; last: 0\n spawn = A: 2, B: {count} }} {stigmergy}
         agent A {{ {uses} interface = x: 0..2; y: 0\n Behavior = {one} }}
         agent B {{ {uses} interface = x: 0..2; y: 0\n Behavior = {two} }}
         check {{
           P = always forall A a, forall B b, x of a = x of b
           Q = always exists A a, y of a = 1 and x of a = e
         }}"
    )
}

/// Symmetry and lumping on and off, on random systems.
#[test]
fn reductions_keep_answers_of_random_systems() {
    let mut rng = fastrand::Rng::with_seed(24);
    let (mut compared, mut smaller) = (0, 0);
    for _ in 0..100 {
        let text = random_system(&mut rng);
        let program = read(&text, "", Options::default());
        let condition = predicate(&program, if rng.bool() { "P" } else { "Q" });
        let equal = rng.bool();
        let rate = |f: usize, k: usize| match equal {
            true => Rate { numerator: 3, denominator: 2 },
            false => Rate { numerator: 1 + (f % 3) as u32, denominator: 1 + k as u32 },
        };
        let kinds = program.kinds.len();
        let of = (0..program.functions.len()).map(|f| (0..kinds).map(|k| rate(f, k)).collect()).collect();
        let flat = Flat::new(program);
        let scheduler = match rng.u8(..4) {
            0 => Scheduler::Steps,
            1 => Scheduler::Agents,
            2 => Scheduler::Any,
            _ => Scheduler::Rates(Rates { of }),
        };
        let watched = Watched { conditions: vec![condition.clone()], values: vec![] };
        let [_, symmetry, _, none] = options();
        let few = BuildOptions { states: 600, ..none };
        let Ok(whole) = build(&flat, &scheduler, &watched, &few, Control::NONE) else { continue };
        let reduced = built(&flat, &scheduler, std::slice::from_ref(&condition), &symmetry);
        compared += 1;
        smaller += usize::from(reduced.process.states() < whole.process.states());
        same(&flat, &scheduler, &condition);
    }
    assert!(compared > 40 && smaller > 15, "{compared} {smaller}");
}
