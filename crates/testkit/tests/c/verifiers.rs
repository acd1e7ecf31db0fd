//! Programs for verifiers: along random executions of the emulation program they assert what the property says, and they
//! give up exactly where the emulation program has no such step.

use crate::build::{flat, written};
use crate::replay::{ENDLESS, IMPOSSIBLE, MORE, VIOLATED, build, replay};
use std::path::Path;
use swarmcheck_engine::system::{self, Step};
use swarmcheck_ir::flat::{Enumerate, Flat, Machine, Outcome};
use swarmcheck_ir::{Expr, Modality, Value};
use swarmcheck_labs::lower::{self, Options};
use swarmcheck_passes::monitor;
use swarmcheck_simulate::rng::Rng;
use swarmcheck_testkit::read::read_with;
use swarmcheck_testkit::{generate, read};

/// One execution: what was chosen, and whether the property's condition holds in each state.
struct Walk {
    choices: Vec<u64>,
    holds: Vec<bool>,
    states: Vec<Vec<Value>>,
    /// There is no step from the last state.
    stuck: bool,
    /// The last choices lead to an error of the model.
    fault: bool,
}

/// What choices lead to at first: states or errors, so many at most.
fn initial(flat: &Flat, machine: &mut Machine) -> Vec<(Vec<u64>, Option<Vec<Value>>)> {
    let (mut out, mut choices) = (vec![], Enumerate::default());
    let mut state = vec![0; flat.width()];
    loop {
        match machine.initialise(flat, &mut state, &mut choices) {
            Outcome::Done => out.push((choices.choices().collect(), Some(state.clone()))),
            Outcome::Fault(_) => out.push((choices.choices().collect(), None)),
            Outcome::Disabled => {}
        }
        if !choices.advance() || out.len() >= 1000 {
            return out;
        }
    }
}

/// A random execution of at most this many steps; none if there is no initial state.
fn walk(flat: &Flat, property: usize, steps: usize, rng: &mut Rng) -> Option<Walk> {
    let mut machine = Machine::new(flat);
    let mut first = initial(flat, &mut machine);
    if first.is_empty() {
        return None;
    }
    let (choices, state) = first.swap_remove(rng.below(first.len() as u64) as usize);
    let mut walk = Walk { choices, holds: vec![], states: vec![], stuck: false, fault: false };
    let mut next = state;
    while let Some(state) = next {
        walk.states.push(state.clone());
        let Ok(holds) = flat.holds(&mut machine, property, &state) else {
            walk.fault = true;
            return Some(walk);
        };
        walk.holds.push(holds);
        let mut all: Vec<Step> = system::successors(flat, &mut machine, &state);
        walk.stuck = all.is_empty();
        if walk.stuck || walk.holds.len() > steps {
            return Some(walk);
        }
        let step = all.swap_remove(rng.below(all.len() as u64) as usize);
        walk.choices.extend([u64::from(step.instance.function), u64::from(step.instance.agent)]);
        walk.choices.extend(&step.choices);
        next = step.result.ok();
    }
    walk.fault = true;
    Some(walk)
}

/// A function and an agent without any step in the last state.
fn impossible(flat: &Flat, walk: &Walk, rng: &mut Rng) -> Option<[u64; 2]> {
    let mut machine = Machine::new(flat);
    let possible = system::successors(flat, &mut machine, walk.states.last()?);
    let is = |f: u32, a: u32| possible.iter().any(|s| s.instance.function == f && s.instance.agent == a);
    // Also those that the agent may never run.
    let functions = flat.program.functions.len() as u32;
    let all = (0..functions).flat_map(|f| (0..flat.program.agents()).map(move |a| (f, a)));
    let mut none: Vec<(u32, u32)> = all.filter(|(f, a)| !is(*f, *a)).collect();
    none.extend([(functions, 0), (0, flat.program.agents())]);
    let (f, a) = none[rng.below(none.len() as u64) as usize];
    Some([f.into(), a.into()])
}

/// How a program must end that looks at the property as `docs/verify.md` says.
fn expected(modality: &Modality, bound: Option<usize>, walk: &Walk) -> i32 {
    let met = walk.holds.iter().any(|h| *h);
    let whole = bound.is_some_and(|b| walk.holds.len() == b + 1);
    match (modality, bound) {
        (Modality::Always | Modality::Scoped { .. }, _) if walk.fault || walk.holds.contains(&false) => {
            VIOLATED
        }
        (Modality::Always | Modality::Scoped { .. }, _) if whole => 0,
        (Modality::Eventually | Modality::Finally, None) if met => 0,
        (Modality::Eventually | Modality::Finally, None) if walk.stuck => ENDLESS,
        (Modality::Eventually, Some(_)) if met => 0,
        (Modality::Eventually, Some(_)) if whole => VIOLATED,
        (Modality::Finally, Some(_)) if whole => {
            if walk.holds.last() == Some(&true) {
                0
            } else {
                VIOLATED
            }
        }
        _ => MORE,
    }
}

/// What is written as a bit-vector is wide enough for every value that was met.
fn check_widths(text: &str, flat: &Flat, walk: &Walk) {
    for line in text.lines().filter(|line| line.starts_with("bits_")) {
        let bits: u32 =
            line["bits_".len()..].split(' ').next().and_then(|n| n.parse().ok()).expect("a width");
        let name =
            line.split("/* ").nth(1).and_then(|rest| rest.strip_suffix(" */")).expect("the model's name");
        for slot in 0..flat.width() {
            if flat.program.var(flat.layout.cell(slot as u32).var).name == name {
                let fits = |s: &Vec<Value>| s[slot] < 1 << (bits - 1) && s[slot] >= -(1 << (bits - 1));
                assert!(walk.states.iter().all(fits), "{line}");
            }
        }
    }
}

/// Replays random executions on the program of a target; how many ended how.
fn compare(name: &str, flat: &Flat, target: &str, property: usize, bound: Option<usize>) -> Vec<i32> {
    let text = written(flat, target, Some(property), bound.map(|b| b as u32)).expect("a program");
    replayed(name, &text, flat, target, property, bound)
}

/// The same for a program that is there already.
fn replayed(
    name: &str,
    text: &str,
    flat: &Flat,
    target: &str,
    property: usize,
    bound: Option<usize>,
) -> Vec<i32> {
    let program = build(name, text);
    let modality = &flat.program.properties[property].modality;
    let monitored = match modality {
        Modality::Scoped { .. } => Flat::new(monitor::monitor(&flat.program, property).program),
        _ => flat.clone(),
    };
    let mut rng = Rng::new(11);
    let mut ends = vec![];
    for round in 0..24 {
        let Some(walk) = walk(&monitored, property, bound.unwrap_or(round % 9), &mut rng) else { continue };
        check_widths(text, &monitored, &walk);
        let end = expected(modality, bound, &walk);
        // Waiting for the alarm takes its time.
        if end == ENDLESS && ends.contains(&ENDLESS) {
            continue;
        }
        assert_eq!(replay(&program, &walk.choices), end, "{name} {target}: {:?}", walk.choices);
        ends.push(end);
        if end == MORE
            && let Some(step) = impossible(&monitored, &walk, &mut rng)
        {
            let choices = [&walk.choices[..], &step].concat();
            assert_eq!(replay(&program, &choices), IMPOSSIBLE, "{name} {target}: {choices:?}");
            ends.push(IMPOSSIBLE);
        }
    }
    ends
}

fn example(path: &str, parameters: &str, fair: bool) -> Flat {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(path);
    let text = std::fs::read_to_string(path).expect("a readable example");
    let model = read_with(&text, parameters).expect("a model");
    flat(&text, &model, Options { fair, ..Options::default() })
}

const EXAMPLES: [(&str, &str, bool); 6] = [
    ("flock/flock.labs", "birds=2 grid=2 delta=2", true),
    ("ants/ants.labs", "ants=1 size=2 scent=1", false),
    ("leader/leader.labs", "n=3", false),
    ("philosophers/philosophers.labs", "n=2", false),
    ("scopes/crossing.labs", "trains=1", false),
    ("majority/majority.labs", "yes=1 no=1", false),
];

#[test]
fn verifiers_are_asked_what_the_property_says() {
    let mut ends = vec![];
    let mut asked = 0;
    for (at, (path, parameters, fair)) in EXAMPLES.into_iter().enumerate() {
        let flat = example(path, parameters, fair);
        for (number, property) in flat.program.properties.iter().enumerate() {
            let (bounds, all): (Vec<Option<usize>>, bool) = match property.modality {
                Modality::Always | Modality::Scoped { .. } => (vec![None], true),
                Modality::Eventually | Modality::Finally => (vec![Some(5)], false),
                _ => continue,
            };
            let targets = ["c-svcomp", "c-flat", "c-cbmc", "c-esbmc"];
            for (which, target) in targets.into_iter().enumerate() {
                // All targets for some properties, one for each of the others.
                if (all && number == 0) || which == (number + at) % 4 {
                    for bound in &bounds {
                        if written(&flat, target, Some(number), bound.map(|b| b as u32)).is_err() {
                            continue;
                        }
                        asked += 1;
                        ends.extend(compare(
                            &format!("ask-{at}-{number}-{which}"),
                            &flat,
                            target,
                            number,
                            *bound,
                        ));
                    }
                }
            }
        }
    }
    let count = |end: i32| ends.iter().filter(|e| **e == end).count();
    println!(
        "{asked} programs, {} executions: {} more, {} impossible, {} violated, {} over",
        ends.len(),
        count(MORE),
        count(IMPOSSIBLE),
        count(VIOLATED),
        count(0)
    );
    assert!(
        asked >= 20 && count(MORE) > 50 && count(IMPOSSIBLE) > 50 && count(VIOLATED) > 10 && count(0) > 10
    );
}

/// Where no property is named, the program asserts every invariant: it does what it would do for their conjunction.
/// In turn the one and the other invariant is the one that fails, where one of the two agents has counted to 4.
#[test]
fn all_invariants_are_asserted_where_none_is_named() {
    for (at, (low, high)) in [(4, 9), (9, 4)].into_iter().enumerate() {
        let text = format!(
            "system {{ spawn = A: 2 }} agent A {{ interface = n: 0 Behavior = n < 4 -> n <- n + 1; Behavior }}
             check {{ Low = always forall A a, n of a < {low}
                      Some = eventually forall A a, n of a = 4
                      High = always forall A a, n of a < {high} }}"
        );
        let model = read(&text).expect("a model");
        let flat = flat(&text, &model, Options::default());
        let mut program = (*flat.program).clone();
        let both = [0, 2].map(|p| program.properties[p].predicate.clone());
        program.properties[0].predicate = Expr::And(both.to_vec());
        let whole = Flat::new(program);
        for (which, target) in ["c-svcomp", "c-flat", "c-cbmc", "c-esbmc"].into_iter().enumerate() {
            let bound = ((at + which) % 2 == 0).then_some(5);
            let text = written(&flat, target, None, bound.map(|b| b as u32)).expect("a program");
            let ends = replayed(&format!("ask-all-{at}-{which}"), &text, &whole, target, 0, bound);
            assert!(ends.contains(&VIOLATED) && ends.iter().any(|end| *end != VIOLATED), "{ends:?}");
            let remark = "Asserted are all that say what always holds: Low, High.";
            assert!(text.contains(remark) && text.contains("happens some time: Some."), "{text}");
            let named = ["\"Low\"", "\"High\""].iter().filter(|name| text.contains(**name)).count();
            assert!(target == "c-svcomp" || target == "c-flat" || named == 2, "{text}");
        }
    }
}

/// Random systems: undefined values, errors of the model, every construct.
#[test]
fn random_systems_for_verifiers() {
    let (mut ends, mut faults) = (vec![], 0);
    for seed in 0..32 {
        let text = generate::system(seed);
        let model = read(&text).expect("a model");
        let Ok(lowered) = lower::lower(&model, &text, Options::default()) else { continue };
        let mut program = lowered.program;
        let Some(first) = program.properties.first_mut() else { continue };
        first.modality = Modality::Always;
        let flat = Flat::new(program);
        let target = ["c-flat", "c-cbmc", "c-svcomp", "c-esbmc"][seed as usize % 4];
        ends.extend(compare(&format!("ask-random-{seed}"), &flat, target, 0, None));
        let mut rng = Rng::new(3);
        faults += (0..20).filter(|_| walk(&flat, 0, 9, &mut rng).is_some_and(|w| w.fault)).count();
    }
    let count = |end: i32| ends.iter().filter(|e| **e == end).count();
    println!("{} executions, {} violated, {faults} of others with errors", ends.len(), count(VIOLATED));
    assert!(count(MORE) > 50 && count(IMPOSSIBLE) > 50 && count(VIOLATED) > 50 && faults > 0);
}

/// `finally` without a bound is a question about termination. In the leader election nobody is stuck before the leader is
/// agreed upon; two philosophers who each hold a fork wait forever.
#[test]
fn termination_tasks_end_when_the_condition_holds() {
    let leader = example("leader/leader.labs", "n=3", false);
    let finally = |flat: &Flat| {
        let is = |m: &Modality| matches!(m, Modality::Eventually | Modality::Finally);
        flat.program.properties.iter().position(|p| is(&p.modality)).expect("such a property")
    };
    for target in ["c-svcomp", "c-flat"] {
        let ends = compare(&format!("end-leader-{target}"), &leader, target, finally(&leader), None);
        assert!(ends.contains(&MORE) && ends.contains(&IMPOSSIBLE) && !ends.contains(&ENDLESS), "{ends:?}");
    }
    let mut philosophers = example("philosophers/philosophers.labs", "n=2", false);
    let mut program = (*philosophers.program).clone();
    // Somebody eats: hands = 2 in the model's words; see property MealsGoOn.
    let meals = program.properties.iter_mut().find(|p| p.name == "MealsGoOn").expect("the property");
    meals.modality = Modality::Finally;
    philosophers = Flat::new(program);
    let ends = compare("end-philosophers", &philosophers, "c-svcomp", finally(&philosophers), None);
    assert!(ends.contains(&0) && ends.contains(&ENDLESS), "{ends:?}");
}
