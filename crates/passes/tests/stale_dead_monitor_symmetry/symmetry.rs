//! Symmetries, against all permutations of all states.

use crate::explore::{explore, explore_by, step_all};
use crate::models::{example, read};
use std::collections::{BTreeSet, HashSet};
use swarmcheck_ir::flat::{Flat, Machine};
use swarmcheck_ir::{Program, Value, VarId};
use swarmcheck_labs::lower::Options;
use swarmcheck_passes::monitor::monitor;
use swarmcheck_passes::stale::stale;
use swarmcheck_passes::symmetry::{Canon, Moves, Symmetry, symmetry};

fn all(program: &Program) -> Vec<usize> {
    (0..program.properties.len()).collect()
}

fn free(file: &str, parameters: &str) -> Program {
    example(file, parameters, Options::default())
}

fn fair(file: &str, parameters: &str) -> Program {
    example(file, parameters, Options { fair: true, ..Options::default() })
}

/// Every permutation of 0..agents that the symmetry allows.
fn permutations(symmetry: &Symmetry, agents: u32) -> Vec<Vec<u32>> {
    let mut out: Vec<Vec<u32>> = vec![(0..agents).collect()];
    for group in &symmetry.groups {
        let images: Vec<Vec<u32>> = match group.moves {
            Moves::Full => arrangements(&group.agents),
            Moves::Rotation => (0..group.agents.len())
                .map(|by| {
                    let mut image = group.agents.clone();
                    image.rotate_left(by);
                    image
                })
                .collect(),
        };
        let before = std::mem::take(&mut out);
        for permutation in &before {
            for image in &images {
                let mut next = permutation.clone();
                group.agents.iter().zip(image).for_each(|(from, to)| next[*from as usize] = *to);
                out.push(next);
            }
        }
    }
    out
}

fn arrangements(agents: &[u32]) -> Vec<Vec<u32>> {
    if agents.is_empty() {
        return vec![vec![]];
    }
    let mut out = vec![];
    for (i, first) in agents.iter().enumerate() {
        let mut rest = agents.to_vec();
        rest.remove(i);
        for mut tail in arrangements(&rest) {
            tail.insert(0, *first);
            out.push(tail);
        }
    }
    out
}

/// What brute force says about a program: its states, how many differ in more than names, and how many the search with
/// representatives visits. Checks that permutations commute with steps, and that the answers are the same.
fn orbits(program: &Program) -> (usize, usize, usize) {
    let properties = all(program);
    let symmetry = symmetry(program, &properties).expect("there is a symmetry");
    let graph = explore(program.clone());
    let mut canon = Canon::new(program, &graph.flat.layout, &symmetry);
    let permutations = permutations(&symmetry, program.agents());
    let mut seen: HashSet<Vec<Value>> = HashSet::new();
    let mut classes = 0;
    let mut machine = Machine::new(&graph.flat);
    let mut out = vec![0; graph.flat.width()];
    for (number, state) in graph.states.iter().enumerate() {
        check_twins(&canon, &symmetry, state);
        classes += usize::from(!seen.contains(state));
        let next: Vec<&Vec<Value>> = graph.next[number].iter().map(|n| &graph.states[*n]).collect();
        let truth = truths(&graph.flat, &mut machine, state);
        for permutation in &permutations {
            canon.permute(permutation, state, &mut out);
            seen.insert(out.clone());
            let (found, _) = step_all(&graph.flat, &mut machine, &out);
            let expected: BTreeSet<Vec<Value>> = next
                .iter()
                .map(|n| {
                    let mut image = vec![0; n.len()];
                    canon.permute(permutation, n, &mut image);
                    image
                })
                .collect();
            assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected, "{state:?} {permutation:?}");
            assert_eq!(truths(&graph.flat, &mut machine, &out), truth, "{state:?} {permutation:?}");
            canon.canonical(&mut out);
            assert!(seen.contains(&out) || permutations_of(&canon, &permutations, state).contains(&out));
        }
    }
    let quotient = explore_by(program.clone(), &mut |s| canon.canonical(s));
    assert_eq!(quotient.answers().0, graph.answers().0);
    assert_eq!(quotient.deadlock(), graph.deadlock());
    assert_eq!(quotient.faults.is_empty(), graph.faults.is_empty());
    (graph.states.len(), classes, quotient.states.len())
}

/// Who is said to be a twin can change places with the one before; and whoever can is said to be one.
fn check_twins(canon: &Canon, symmetry: &Symmetry, state: &[Value]) {
    let mut twins = vec![];
    canon.twins(state, &mut twins);
    let mut expected = vec![false; twins.len()];
    for group in symmetry.groups.iter().filter(|group| group.moves == Moves::Full) {
        for pair in group.agents.windows(2) {
            let mut swap: Vec<u32> = (0..twins.len() as u32).collect();
            swap.swap(pair[0] as usize, pair[1] as usize);
            let mut swapped = vec![0; state.len()];
            canon.permute(&swap, state, &mut swapped);
            expected[pair[1] as usize] = swapped == state;
        }
    }
    assert_eq!(twins, expected, "{state:?}");
}

fn permutations_of(canon: &Canon, permutations: &[Vec<u32>], state: &[Value]) -> HashSet<Vec<Value>> {
    let image = |p: &Vec<u32>| {
        let mut out = vec![0; state.len()];
        canon.permute(p, state, &mut out);
        out
    };
    permutations.iter().map(image).collect()
}

fn truths(flat: &Flat, machine: &mut Machine, state: &[Value]) -> Vec<bool> {
    let exprs = flat.program.properties.iter().flat_map(|p| p.exprs());
    exprs.map(|e| machine.test(flat, &flat.compile(e), state).expect("no fault")).collect()
}

/// `Full 0..3 ids x` for each group.
fn found(program: &Program) -> Vec<String> {
    let name = |v: &VarId| program.var(*v).name.clone();
    let groups = symmetry(program, &all(program)).map_or(vec![], |s| s.groups);
    groups
        .iter()
        .map(|g| {
            let (first, end) = (g.agents[0], g.agents[g.agents.len() - 1] + 1);
            assert_eq!(g.agents.len() as u32, end - first);
            let holders: Vec<String> = g.ids.iter().map(name).collect();
            let arrays: Vec<String> = g.indexed.iter().map(|(v, _)| name(v)).collect();
            let text = format!("{:?} {first}..{end} {} | {}", g.moves, holders.join(" "), arrays.join(" "));
            text.trim_end_matches([' ', '|']).to_string()
        })
        .collect()
}

#[test]
fn what_is_found() {
    let expected = [
        ("approx/approx.labs", "yes=1 no=2", "Full 0..3 initiator", "Rotation 0..3 initiator schedule.turn"),
        (
            "majority/majority.labs",
            "yes=1 no=2",
            "Full 0..3 initiator",
            "Rotation 0..3 initiator schedule.turn",
        ),
        (
            "philosophers/philosophers.labs",
            "n=3",
            "Rotation 0..3  | fork",
            "Rotation 0..3 schedule.turn | fork",
        ),
        ("leader/leader.labs", "n=3", "", ""),
        ("twophase/twophase.labs", "workers=3", "", ""),
        ("voter/voter.labs", "voters=3 options=2", "Full 0..3", "Rotation 0..3 schedule.turn"),
        ("unanimity/unanimity.labs", "voters=3 options=2", "Full 0..3", "Rotation 0..3 schedule.turn"),
        ("flock/flock.labs", "birds=3 grid=3 delta=1", "Full 0..3", "Rotation 0..3 schedule.turn"),
        ("boids/ac.labs", "birds=3 grid=3 delta=1", "Full 0..3 leader", "Rotation 0..3 leader schedule.turn"),
        ("predator/predator.labs", "birds=3 grid=3 sight=1", "Full 0..3  | caught", ""),
        ("scopes/crossing.labs", "trains=3", "Full 0..3", ""),
    ];
    for (file, parameters, freely, in_turn) in expected {
        assert_eq!(found(&free(file, parameters)).join("; "), freely, "{file}");
        assert_eq!(found(&fair(file, parameters)).join("; "), in_turn, "{file} in turn");
    }
}

#[test]
fn all_states_of_examples() {
    let counts = |file, parameters| orbits(&free(file, parameters));
    assert_eq!(counts("approx/approx.labs", "yes=1 no=2"), (55, 13, 13));
    assert_eq!(counts("approx/approx.labs", "yes=2 no=3"), (811, 31, 31));
    assert_eq!(counts("majority/majority.labs", "yes=1 no=2"), (60, 23, 23));
    assert_eq!(counts("majority/majority.labs", "yes=2 no=2"), (1_677, 254, 254));
    assert_eq!(counts("philosophers/philosophers.labs", "n=4"), (1_888, 484, 484));
    assert_eq!(counts("voter/voter.labs", "voters=3 options=2"), (22, 10, 10));
    assert_eq!(counts("scopes/crossing.labs", "trains=2"), (145, 83, 83));
    assert_eq!(orbits(&fair("approx/approx.labs", "yes=1 no=2")), (115, 39, 39));
    assert_eq!(orbits(&fair("philosophers/philosophers.labs", "n=3")), (7, 7, 7));
}

/// The number of representatives.
fn represented(program: &Program) -> usize {
    let symmetry = symmetry(program, &all(program)).expect("there is a symmetry");
    let layout = Flat::new(program.clone()).layout;
    let mut canon = Canon::new(program, &layout, &symmetry);
    explore_by(program.clone(), &mut |s| canon.canonical(s)).states.len()
}

/// How many states differ in more than names, by looking at all of them.
fn classes(program: &Program) -> usize {
    let symmetry = symmetry(program, &all(program)).expect("there is a symmetry");
    let graph = explore(program.clone());
    let canon = Canon::new(program, &graph.flat.layout, &symmetry);
    let permutations = permutations(&symmetry, program.agents());
    let mut seen: HashSet<Vec<Value>> = HashSet::new();
    let mut classes = 0;
    for state in &graph.states {
        if !seen.contains(state) {
            classes += 1;
            seen.extend(permutations_of(&canon, &permutations, state));
        }
    }
    classes
}

#[test]
fn two_kinds_that_run_the_same_process() {
    let program = free("majority/majority.labs", "yes=2 no=3");
    assert_eq!(found(&program), ["Full 0..5 initiator"]);
    assert_eq!(represented(&program), classes(&program));
}

/// Agents 0 and 1 are of one kind, agent 2 of the other; the process is the same.
#[test]
fn kinds_stay_apart_where_properties_tell_them_apart() {
    let model = |predicate: &str| {
        let text = format!(
            "system {{ environment = last: -1; e: 0 spawn = A: 2, B: 1
                P = (last != id -> last, e <-- id, x); x <- e; P }}
            agent A {{ interface = x: 1 Behavior = P }}
            agent B {{ interface = x: 0 Behavior = P }}
            check {{ Q = always {predicate} }}"
        );
        found(&read(&text, "", Options::default())).join("; ")
    };
    let together = "Full 0..3 last";
    assert_eq!(model("exists A a, exists B b, x of a = 0 or x of b = 0"), together);
    assert_eq!(model("forall B b, forall A a, x of a = 0 and x of b = 0"), together);
    assert_eq!(model("!((exists A a, x of a = 0) or (exists B b, x of b = 0))"), together);
    assert_eq!(model("!(exists A a, x of a = 0) and !(exists B b, x of b = 0)"), together);
    assert_eq!(
        model("(exists A a, x of a = 0) or (exists B b, x of b = 0) or (exists A c, x of c = 0)"),
        together
    );
    assert_eq!(model("(exists A a, last = a) or (exists B b, last = b)"), together);
    let apart = "Full 0..2 last";
    assert_eq!(model("exists A a, x of a = 0"), apart);
    assert_eq!(model("exists A a, exists B b, x of a = 0 or x of b = 1"), apart);
    assert_eq!(model("exists A a, exists B b, x of a = 0 and x of b = 0"), apart);
    assert_eq!(model("forall A a, forall B b, x of a = x of b"), apart);
    assert_eq!(model("exists B b, last = b"), apart);
    assert_eq!(model("last != 2"), apart);
}

#[test]
fn larger_examples() {
    assert_eq!(represented(&free("majority/majority.labs", "yes=2 no=3")), 815);
    assert_eq!(represented(&free("philosophers/philosophers.labs", "n=5")), 2_512);
    assert_eq!(represented(&free("approx/approx.labs", "yes=4 no=6")), 111);
}

#[test]
fn domains_show_that_nothing_overflows() {
    let mut program = free("formation/formation_id.labs", "n=2 size=3 range=1");
    assert_eq!(found(&program), [""; 0]);
    let pos = program.vars.iter().position(|v| v.name == "pos").expect("robots have a place");
    program.vars[pos].domain = Some((0, 2));
    assert_eq!(found(&program), ["Full 0..2 idLeft idRight"]);
    assert_eq!(orbits(&program), (1_660, 832, 832));
    // Messages that are dropped are dropped alike.
    let after = stale(&program).program;
    assert_eq!(found(&after), ["Full 0..2 idLeft idRight"]);
    assert_eq!(orbits(&after), (864, 434, 434));
}

#[test]
fn scopes_do_not_get_in_the_way() {
    let program = free("scopes/crossing.labs", "trains=2");
    for property in 0..4 {
        let monitored = monitor(&program, property).program;
        assert_eq!(found(&monitored), ["Full 0..2"]);
        orbits(&monitored);
    }
}

#[test]
fn numbers_as_values_and_indices() {
    let text = "system { extern = _n environment = met[_n, _n]: 0; last: 0 spawn = A: _n, B: 2 }
        agent A {
          interface = friend: -1; seen[_n]: 0
          Behavior = {
            p[] := pick 1 A where met[id of 1, id of 2] = 0;
            met[id, p[0]] <-- 1;
            last <-- p[0];
            friend, seen[p[0]] <- p[0], 1
          }; (friend of last = id -> Skip ++ Behavior)
        }
        agent B { interface = mine: id Behavior = mine = id -> mine <- last }
        check { Known = always forall A a, forall A b, friend of a != b or met[a, b] = 1
                Ever = finally exists A a, friend of a = last }";
    let program = read(text, "n=3", Options::default());
    let expected = ["Full 0..3 last friend mine | met met seen", "Full 3..5 last friend mine | met seen"];
    assert_eq!(found(&program), expected);
    assert_eq!(orbits(&program), (2_382, 288, 288));
}

#[test]
fn numbers_as_numbers() {
    let model = |what: &str, check: &str| {
        let text = format!(
            "system {{ environment = e: 0; t[3]: 0 spawn = A: 3, B: 1 }}
            agent A {{ interface = x: 0; y: 0 Behavior = {what} }}
            agent B {{ Behavior = e <-- 1 }}
            check {{ P = always forall A a, {check} }}"
        );
        found(&read(&text, "", Options::default())).join("; ")
    };
    assert_eq!(model("x <- 1", "x of a = 0"), "Full 0..3");
    assert_eq!(model("x <- id", "x of a = 0"), "", "0 is somebody");
    assert_eq!(model("x <- id", "x of a = 3"), "Full 0..3 x", "agent 3 stays");
    assert_eq!(model("x <- id", "x of a = x of 3"), "", "agent 3 has no x, and the others change places");
    assert_eq!(model("x <- id", "x of a < 4"), "");
    assert_eq!(model("x <- id + 1", "x of a = 4"), "");
    assert_eq!(model("x <- id; y <- x", "y of a = 4"), "Full 0..3 x y");
    assert_eq!(model("x <- id; y <- x; y <- 1", "y of a = 4"), "");
    assert_eq!(model("t[id] <-- 1", "t[a] = 0"), "Full 0..3  | t");
    assert_eq!(model("t[id] <-- 1; t[0] <-- 1", "x of a = 0"), "");
    assert_eq!(model("x <- (id + 1) % 3", "x of a != a"), "Rotation 0..3 x");
    assert_eq!(model("x <- (id + 1) % 4", "x of a != a"), "");
    assert_eq!(model("x <- (y + 1) % 3; y <- id", "x of a != a"), "", "y may be anything");
    assert_eq!(model("x <- [0..3]; y <- x", "x of a = a"), "Full 0..3 x y");
    assert_eq!(model("x <- [0..2]", "x of a = a"), "");
    assert_eq!(model("x <- 1", "a = 0 or x of a = 0"), "");
}
