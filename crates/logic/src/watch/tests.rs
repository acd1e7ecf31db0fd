//! The automaton against the definitions: every run of up to five states, for every modality.
//!
//! The definitions below are the formulas of the module, read literally on a finite run: `U` promises its right
//! side, `W` does not. They look at the whole run each time and share nothing with the automaton.

use super::*;
use swarmcheck_ir::Expr;

const LONGEST: usize = 5;

/// Some position from `i` on satisfies the second, and all before it the first.
fn until(run: &[Truth], i: usize, left: impl Fn(&Truth) -> bool, right: impl Fn(&Truth) -> bool) -> bool {
    (i..run.len()).any(|j| right(&run[j]) && (i..j).all(|k| left(&run[k])))
}

fn weak_until(
    run: &[Truth],
    i: usize,
    left: impl Fn(&Truth) -> bool,
    right: impl Fn(&Truth) -> bool,
) -> bool {
    run[i..].iter().all(&left) || until(run, i, left, right)
}

/// `¬r S (q ∧ ¬r)`.
fn in_scope(run: &[Truth], i: usize) -> bool {
    (0..=i).any(|j| run[j].start && !run[j].end && (j + 1..=i).all(|k| !run[k].end))
}

/// `q ∧ ¬r ∧ ¬Y(¬r S (q ∧ ¬r))`.
fn opens(run: &[Truth], i: usize) -> bool {
    run[i].start && !run[i].end && !(i > 0 && in_scope(run, i - 1))
}

/// Dwyer's `q ∧ ¬r`.
fn opens_again(run: &[Truth], i: usize) -> bool {
    run[i].start && !run[i].end
}

/// The formulas of the scopes. `from … thereIs` has two readings of a run that ends too early: with the promise, it
/// lacks something; without, nothing is lost yet.
fn scoped(run: &[Truth], modality: &Modality, opens: fn(&[Truth], usize) -> bool, promise: bool) -> bool {
    let Modality::Scoped { open, inside, .. } = modality else {
        panic!("no scope");
    };
    (0..run.len()).filter(|i| opens(run, *i)).all(|i| {
        let closes = until(run, i, |_| true, |t| t.end);
        match (inside, open) {
            (Inside::Always, false) => !closes || until(run, i, |t| t.predicate, |t| t.end),
            (Inside::Always, true) => weak_until(run, i, |t| t.predicate, |t| t.end),
            (Inside::ThereIs, true) if promise => until(run, i, |t| !t.end, |t| t.predicate && !t.end),
            (Inside::ThereIs, _) => weak_until(run, i, |t| !t.end, |t| t.predicate && !t.end),
            (Inside::Precedes(_), false) => !closes || until(run, i, |t| !t.predicate, |t| t.first || t.end),
            (Inside::Precedes(_), true) => weak_until(run, i, |t| !t.predicate, |t| t.first || t.end),
        }
    })
}

fn status(run: &[Truth], modality: &Modality) -> Status {
    match modality {
        Modality::Always if run.iter().all(|t| t.predicate) => Status::HoldsSoFar,
        Modality::Always => Status::Violated,
        Modality::Eventually | Modality::Finally if run.iter().any(|t| t.predicate) => Status::Satisfied,
        Modality::After(n) if run.len() > *n as usize => match run[*n as usize].predicate {
            true => Status::Satisfied,
            false => Status::Violated,
        },
        Modality::Scoped { .. } => {
            match (scoped(run, modality, opens, false), scoped(run, modality, opens, true)) {
                (false, _) => Status::Violated,
                (true, false) => Status::Undecided,
                (true, true) => Status::HoldsSoFar,
            }
        }
        _ => Status::Undecided,
    }
}

/// What to tell about the last state of a run.
fn event(run: &[Truth], modality: &Modality) -> Option<Event> {
    let (last, before) = run.split_last().expect("a state");
    let decided = |s| matches!(s, Status::Violated | Status::Satisfied);
    let (now, then) = (status(run, modality), status(before, modality));
    match now {
        Status::Violated if !decided(then) => Some(Event::Violated),
        Status::Satisfied if !decided(then) => Some(Event::Satisfied),
        _ if before.last().is_some_and(|t| t.predicate == last.predicate) => None,
        _ => Some(Event::Became(last.predicate)),
    }
}

/// All ways to continue a run, with the watch that has followed it.
fn explore(run: &mut Vec<Truth>, watch: &Watch, modality: &Modality, letters: &[Truth]) -> usize {
    if run.len() == LONGEST {
        return 1;
    }
    let mut runs = 1;
    for truth in letters {
        let mut watch = watch.clone();
        let told = watch.observe(run.len() as u32, *truth);
        run.push(*truth);
        assert_eq!(told, event(run, modality), "{modality:?} {run:?}");
        assert_eq!(watch.status(), status(run, modality), "{modality:?} {run:?}");
        runs += explore(run, &watch, modality, letters);
        run.pop();
    }
    runs
}

/// The truth of the first `n` conditions in all combinations.
fn letters(n: u32) -> Vec<Truth> {
    (0..1 << n).map(|bits| Truth::from_exprs((0..n).map(|i| bits >> i & 1 == 1))).collect()
}

fn scope(open: bool, inside: Inside) -> Modality {
    Modality::Scoped { open, start: Expr::TRUE, end: Expr::TRUE, inside }
}

#[test]
fn every_short_run_of_the_simple_modalities() {
    let all = [Modality::Always, Modality::Eventually, Modality::Finally, Modality::Fairly];
    for modality in all.into_iter().chain([Modality::FairlyInf]).chain((0..7).map(Modality::After)) {
        let runs = explore(&mut vec![], &Watch::new(&modality), &modality, &letters(1));
        assert_eq!(runs, 63, "1 + 2 + 4 + … + 32");
    }
}

#[test]
fn every_short_run_of_the_scopes() {
    for open in [false, true] {
        for inside in [Inside::Always, Inside::ThereIs, Inside::Precedes(Expr::TRUE)] {
            let conditions = if matches!(inside, Inside::Precedes(_)) { 4 } else { 3 };
            let modality = scope(open, inside);
            explore(&mut vec![], &Watch::new(&modality), &modality, &letters(conditions));
        }
    }
}

/// A run written as words: `q` start, `r` end, `p` predicate, `s` first.
fn run(words: &str) -> Vec<Truth> {
    let state = |w: &str| Truth {
        predicate: w.contains('p'),
        start: w.contains('q'),
        end: w.contains('r'),
        first: w.contains('s'),
    };
    words.split(' ').map(state).collect()
}

/// The step at which a run violates the property, and the status at its end.
fn watch(modality: &Modality, words: &str) -> (Option<usize>, Status) {
    let mut watch = Watch::new(modality);
    let events: Vec<_> = run(words).iter().enumerate().map(|(i, t)| watch.observe(i as u32, *t)).collect();
    (events.iter().position(|e| *e == Some(Event::Violated)), watch.status())
}

#[test]
fn scopes_by_hand() {
    use Status::*;
    let (between, from) = (|inside| scope(false, inside), |inside| scope(true, inside));
    let precedes = || Inside::Precedes(Expr::TRUE);
    // The predicate fails at step 2, inside the scope that opens at 1.
    assert_eq!(watch(&between(Inside::Always), "- qp - r"), (Some(3), Violated), "known when it closes");
    assert_eq!(watch(&between(Inside::Always), "- qp - p"), (None, HoldsSoFar), "it has not closed");
    assert_eq!(watch(&from(Inside::Always), "- qp - r"), (Some(2), Violated), "known at once");
    // The closing state is outside: p need not hold there, and does not help there.
    assert_eq!(watch(&from(Inside::Always), "qp p r - -"), (None, HoldsSoFar));
    assert_eq!(watch(&between(Inside::ThereIs), "q - rp"), (Some(2), Violated));
    assert_eq!(watch(&from(Inside::ThereIs), "q - -"), (None, Undecided));
    assert_eq!(watch(&from(Inside::ThereIs), "q p r q"), (None, Undecided), "the second scope waits");
    assert_eq!(watch(&between(Inside::ThereIs), "q p r q"), (None, HoldsSoFar));
    // A state with start and end opens nothing.
    assert_eq!(watch(&from(Inside::Always), "qr - -"), (None, HoldsSoFar));
    // What comes first may come in the same state, but not in an earlier scope or before it.
    assert_eq!(watch(&from(precedes()), "q - sp p"), (None, HoldsSoFar));
    assert_eq!(watch(&from(precedes()), "s q p"), (Some(2), Violated));
    assert_eq!(watch(&between(precedes()), "qs r q p s r"), (Some(5), Violated));
    assert_eq!(watch(&between(precedes()), "q p s -"), (None, HoldsSoFar), "it has not closed");
}

/// Where a scope starts once, and for `always` in any case, the meaning is Dwyer's; otherwise his is stricter.
#[test]
fn repeated_starts_are_one_scope() {
    fn walk(run: &mut Vec<Truth>, letters: &[Truth], check: &mut dyn FnMut(&[Truth])) {
        check(run);
        if run.len() < 4 {
            for truth in letters {
                run.push(*truth);
                walk(run, letters, check);
                run.pop();
            }
        }
    }
    for open in [false, true] {
        let always = scope(open, Inside::Always);
        let others = [scope(open, Inside::ThereIs), scope(open, Inside::Precedes(Expr::TRUE))];
        walk(&mut vec![], &letters(4), &mut |run| {
            let both = |m: &Modality| (scoped(run, m, opens, true), scoped(run, m, opens_again, true));
            let (ours, his) = both(&always);
            assert_eq!(ours, his, "{run:?}");
            let repeated = (1..run.len()).any(|i| run[i].start && !run[i].end && in_scope(run, i - 1));
            for modality in &others {
                let (ours, his) = both(modality);
                assert!(ours == his || (repeated && ours), "{modality:?} {run:?}");
            }
        });
    }
    assert!(scoped(&run("q p q r"), &scope(false, Inside::ThereIs), opens, true));
    assert!(!scoped(&run("q p q r"), &scope(false, Inside::ThereIs), opens_again, true));
}

#[test]
fn verdicts_are_told_once_and_changes_go_on() {
    let mut watch = Watch::new(&Modality::Always);
    let told: Vec<_> =
        run("p p - p -").iter().enumerate().map(|(i, t)| watch.observe(i as u32, *t)).collect();
    use Event::*;
    assert_eq!(told, [Some(Became(true)), None, Some(Violated), Some(Became(true)), Some(Became(false))]);
    assert_eq!(watch.status(), Status::Violated);
}

#[test]
fn a_run_seen_too_late_decides_nothing() {
    let mut watch = Watch::new(&Modality::After(2));
    assert_eq!(watch.observe(3, Truth::of(true)), Some(Event::Became(true)));
    assert_eq!(watch.status(), Status::Undecided);
}
