//! The evaluation itself against the definitions: on words that loop, position by position; and fairness against all sets of
//! moments that a loop can visit.

use super::fair::{Edges, loops};
use super::{Draw, Fairness, Formula, Graph, Unit};

/// Whether the formula holds at each position of a word whose last position is followed by `back`: the definition of each
/// operator, with positions up to twice the length of the word standing for all that follow.
fn on_word(
    formula: &Formula<usize>,
    word: &[usize],
    back: usize,
    atom: &dyn Fn(usize, usize) -> bool,
) -> Vec<bool> {
    let of = |f: &Formula<usize>| on_word(f, word, back, atom);
    let after = |at: usize| if at + 1 < word.len() { at + 1 } else { back };
    let rest = |at: usize| {
        let mut all = vec![at];
        (0..2 * word.len()).for_each(|_| all.push(after(all[all.len() - 1])));
        all
    };
    let every = |test: &dyn Fn(usize) -> bool| (0..word.len()).map(test).collect::<Vec<bool>>();
    let until = |a: &[bool], b: &[bool], at: usize| {
        let rest = rest(at);
        (0..rest.len()).any(|k| b[rest[k]] && rest[..k].iter().all(|j| a[*j]))
    };
    match formula {
        Formula::Atom(a) => every(&|at| atom(word[at], *a)),
        Formula::Not(a) => of(a).into_iter().map(|truth| !truth).collect(),
        Formula::And(parts) => {
            let parts: Vec<Vec<bool>> = parts.iter().map(of).collect();
            every(&|at| parts.iter().all(|part| part[at]))
        }
        Formula::Or(parts) => {
            let parts: Vec<Vec<bool>> = parts.iter().map(of).collect();
            every(&|at| parts.iter().any(|part| part[at]))
        }
        Formula::Implies(a, b) => {
            let (a, b) = (of(a), of(b));
            every(&|at| !a[at] || b[at])
        }
        Formula::Next(a) => {
            let a = of(a);
            every(&|at| a[after(at)])
        }
        Formula::Finally(a) => {
            let a = of(a);
            every(&|at| rest(at).iter().any(|k| a[*k]))
        }
        Formula::Globally(a) => {
            let a = of(a);
            every(&|at| rest(at).iter().all(|k| a[*k]))
        }
        Formula::Until(a, b) => {
            let (a, b) = (of(a), of(b));
            every(&|at| until(&a, &b, at))
        }
        Formula::Release(a, b) => {
            let (a, b) = (of(a), of(b));
            every(&|at| {
                let rest = rest(at);
                (0..rest.len()).all(|k| b[rest[k]] || rest[..k].iter().any(|j| a[*j]))
            })
        }
        Formula::Unless(a, b) => {
            let (a, b) = (of(a), of(b));
            every(&|at| until(&a, &b, at) || rest(at).iter().all(|k| a[*k]))
        }
    }
}

/// A random system of up to three states with up to two steps each, some of them by units 0 and 1.
fn system(draw: &mut Draw) -> Graph<usize, usize> {
    let states = 1 + draw.below(3);
    let steps: Vec<Vec<(usize, usize)>> = (0..states)
        .map(|_| (0..draw.below(3)).map(|_| (draw.below(3), draw.below(states))).collect())
        .collect();
    Graph::explore([0], 9, |state| Some(steps[*state].clone())).expect("few states")
}

/// All words with loops of at most this length.
fn words(graph: &Graph<usize, usize>, most: usize) -> Vec<(Vec<usize>, usize)> {
    let mut out = vec![];
    let mut todo: Vec<Vec<usize>> = graph.beginnings().map(|moment| vec![moment]).collect();
    while let Some(word) = todo.pop() {
        let next = graph.after(word[word.len() - 1]);
        out.extend((0..word.len()).filter(|at| next.contains(&word[*at])).map(|at| (word.clone(), at)));
        if word.len() < most {
            todo.extend(next.map(|moment| [word.as_slice(), &[moment]].concat()));
        }
    }
    out
}

/// What holds at moments: some conditions on states, and whose step is made.
fn atom(graph: &Graph<usize, usize>, moment: usize, atom: usize) -> bool {
    let moment = &graph.moments[moment];
    match atom {
        0 => moment.state == 0,
        1 => moment.state == 1,
        unit => moment.step == Some(unit - 2),
    }
}

#[test]
fn violations_are_those_of_words_that_loop() {
    let (mut violated, mut holds, mut fair, mut unseen) = (0, 0, [0; 2], 0);
    for seed in 0..800 {
        let mut draw = Draw::new(seed);
        let graph = system(&mut draw);
        let formula = draw.formula(3, 3, &mut |draw| Formula::Atom(draw.below(4)));
        let units = [0, 1].map(|number| Unit::new(&graph, |step| *step == number));
        let atom = |moment, a| atom(&graph, moment, a);
        let words = words(&graph, 7);
        for (number, fairness) in [Fairness::All, Fairness::Weak, Fairness::Strong].into_iter().enumerate() {
            let all = graph.satisfies(&formula, |m, a| atom(m, *a), fairness, &units).expect("few operators");
            let counterexample = words.iter().find(|(word, back)| {
                let wronged = fairness.wronged(&units, &word[*back..]);
                wronged.is_empty() && !on_word(&formula, word, *back, &atom)[0]
            });
            assert!(!(all && counterexample.is_some()), "seed {seed}: {formula:?} {counterexample:?}");
            // A loop may have to be longer than the words that were tried.
            unseen += usize::from(!all && counterexample.is_none());
            if number == 0 {
                violated += usize::from(!all);
                holds += usize::from(all);
            } else {
                let before = graph.satisfies(&formula, |m, a| atom(m, *a), Fairness::All, &units);
                fair[number - 1] += usize::from(before != Some(all));
            }
        }
    }
    println!("{violated} violated, {holds} hold, {fair:?} by fairness only; {unseen} need longer words");
    assert!(violated >= 200 && holds >= 200 && fair[0] >= 10 && fair[1] > fair[0] && unseen <= 5);
}

/// A loop is fair if the set of moments that it visits is: all strongly connected sets of nodes are tried.
#[test]
fn fair_loops_are_those_of_all_strongly_connected_sets() {
    let mut found = [[0; 2]; 3];
    for seed in 0..600 {
        let mut draw = Draw::new(seed + 10_000);
        let nodes = 2 + draw.below(5);
        let edges: Edges = (0..nodes).map(|_| (0..nodes).filter(|_| draw.below(5) < 2).collect()).collect();
        let units: Vec<Unit> = (0..1 + draw.below(3))
            .map(|_| {
                let can: Vec<bool> = (0..nodes).map(|_| draw.below(2) == 0).collect();
                let moves = can.iter().map(|can| *can && draw.below(4) == 0).collect();
                Unit { can, moves }
            })
            .collect();
        let promise = draw.below(nodes);
        let keeps = |set: &[usize]| set.contains(&promise);
        for (number, fairness) in [Fairness::All, Fairness::Weak, Fairness::Strong].into_iter().enumerate() {
            let fast = loops(&edges, (0..nodes).collect(), fairness, &units, &|node| node, &keeps);
            let slow = (1..1usize << nodes).any(|bits| {
                let set: Vec<usize> = (0..nodes).filter(|node| bits >> node & 1 == 1).collect();
                connected(&edges, &set) && keeps(&set) && fairness.wronged(&units, &set).is_empty()
            });
            assert_eq!(fast, slow, "seed {seed}, {fairness:?}: {edges:?}");
            found[number][usize::from(fast)] += 1;
        }
    }
    println!("{found:?}");
    assert!(found.iter().flatten().all(|count| *count >= 60), "{found:?}");
}

/// From each node of the set a step within the set leads on, and all can be reached from each.
fn connected(edges: &Edges, set: &[usize]) -> bool {
    set.iter().all(|&from| {
        let mut reached: Vec<usize> = edges[from].iter().copied().filter(|to| set.contains(to)).collect();
        let mut at = 0;
        while at < reached.len() {
            for &to in &edges[reached[at]] {
                if set.contains(&to) && !reached.contains(&to) {
                    reached.push(to);
                }
            }
            at += 1;
        }
        set.iter().all(|node| reached.contains(node))
    })
}
