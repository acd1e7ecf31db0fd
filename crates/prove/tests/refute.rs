//! Proofs that formulas are unsatisfiable: found exactly for those that are, by brute force; checked by our checker and by one of
//! other people, which shares no code with it and searches for the reasons itself; and refused when they were changed, unless what is
//! left is right by brute force.

use dratify::{Checker, Lit};
use std::collections::BTreeSet;
use swarmcheck_prove::Limits;
use swarmcheck_prove::formula::Formula;
use swarmcheck_prove::lrat::{self, Refused, Why};
use swarmcheck_prove::refute::{Refutation, refute};
use swarmcheck_prove::sat::Sat;

fn formula(variables: i32, clauses: &[Vec<i32>]) -> Formula {
    let mut out = Formula { variables, ..Formula::default() };
    clauses.iter().for_each(|clause| out.add(clause));
    out
}

/// Random clauses of up to three literals, sometimes with one twice or with one and its negation.
fn random(random: &mut fastrand::Rng, variables: i32, clauses: usize, units: bool) -> Formula {
    let mut out = Formula { variables, ..Formula::default() };
    for _ in 0..clauses {
        let length = if units { random.usize(1..=3) } else { 3 };
        let literal = |_| random.i32(1..=variables) * if random.bool() { 1 } else { -1 };
        let clause: Vec<i32> = (0..length).map(literal).collect();
        out.add(&clause);
    }
    out
}

/// "More pigeons than holes."
fn pigeons(holes: i32) -> Formula {
    let hole = |pigeon: i32, hole: i32| 1 + pigeon * holes + hole;
    let mut out = Formula { variables: holes * (holes + 1), ..Formula::default() };
    for pigeon in 0..=holes {
        out.add(&(0..holes).map(|h| hole(pigeon, h)).collect::<Vec<_>>());
        for other in 0..pigeon {
            (0..holes).for_each(|h| out.add(&[-hole(pigeon, h), -hole(other, h)]));
        }
    }
    out
}

/// Whether all assignments that satisfy the formula satisfy a clause.
fn implies(formula: &Formula, clause: &[i32]) -> bool {
    (0..1u32 << formula.variables).all(|bits| {
        let holds = |l: &i32| (bits >> (l.unsigned_abs() - 1) & 1 == 1) == (*l > 0);
        clause.iter().any(holds) || !formula.clauses.iter().all(|c| c.iter().any(holds))
    })
}

fn proved(formula: &Formula) -> Option<String> {
    match refute(formula, Limits::default()).expect("nothing stops it") {
        Refutation::Proof(text) => Some(text),
        Refutation::Satisfiable => None,
        Refutation::TooLong => panic!("such a proof is not long"),
    }
}

/// The clauses of a proof.
fn clauses(proof: &str) -> Vec<Vec<i32>> {
    let number = |word: &str| word.parse::<i32>().expect("it was just written");
    let clause = |line: &str| line.split(' ').skip(1).map(number).take_while(|&n| n != 0).collect();
    proof.lines().map(clause).collect()
}

/// What the checker of other people says of the clauses alone.
fn agreed_elsewhere(formula: &Formula, proof: &str) -> bool {
    let literal = |l: &i32| -> Lit { 2 * (l.unsigned_abs() - 1) + u32::from(*l < 0) };
    let literals = |clause: &[i32]| clause.iter().map(literal).collect::<Vec<Lit>>();
    // It means clauses to be sets without a literal and its negation.
    let set = |clause: &[i32]| clause.iter().copied().collect::<BTreeSet<i32>>();
    let sets = formula.clauses.iter().map(set).filter(|set| !set.iter().any(|l| set.contains(&-l)));
    let given: Vec<Vec<Lit>> = sets.map(|set| set.iter().map(literal).collect()).collect();
    let steps: Vec<(bool, Vec<Lit>)> =
        clauses(proof).iter().map(|clause| (false, literals(clause))).collect();
    let mut checker = Checker::new(formula.variables.unsigned_abs(), &given, false, false);
    let result = checker.check(&steps);
    result.ok && result.reached_empty
}

#[test]
fn proofs_are_found_exactly_for_what_is_unsatisfiable() {
    let mut rng = fastrand::Rng::with_seed(24);
    let mut found = [0, 0];
    for round in 0..3000 {
        let variables = rng.i32(1..=9);
        let most = variables as usize * if round % 2 == 0 { 8 } else { 3 };
        let count = rng.usize(1..=most);
        let formula = random(&mut rng, variables, count, round % 2 == 1);
        let proof = proved(&formula);
        assert_eq!(proof.is_some(), implies(&formula, &[]), "{}", formula.dimacs());
        found[usize::from(proof.is_some())] += 1;
        if let Some(proof) = proof {
            let lines = lrat::check(&formula, &proof);
            assert_eq!(lines, Ok(proof.lines().count()), "{}{proof}", formula.dimacs());
            assert!(agreed_elsewhere(&formula, &proof), "{}{proof}", formula.dimacs());
        }
    }
    assert!(found.iter().all(|&count| count > 500), "{found:?}");
}

#[test]
fn proofs_of_harder_formulas_are_accepted_by_both_checkers() {
    let mut rng = fastrand::Rng::with_seed(7);
    let mut hard: Vec<Formula> = (0..6).map(|_| random(&mut rng, 100, 520, false)).collect();
    hard.push(pigeons(7));
    let mut refuted = 0;
    for formula in hard {
        let Some(proof) = proved(&formula) else { continue };
        assert_eq!(lrat::check(&formula, &proof), Ok(proof.lines().count()));
        assert!(agreed_elsewhere(&formula, &proof));
        refuted += usize::from(proof.lines().count() > 100);
    }
    assert!(refuted >= 4, "{refuted}");
}

/// One change of a proof.
fn mutated(rng: &mut fastrand::Rng, proof: &str) -> String {
    let mut lines: Vec<Vec<i64>> = proof
        .lines()
        .map(|line| line.split(' ').map(|word| word.parse().expect("numbers")).collect())
        .collect();
    let at = rng.usize(0..lines.len());
    let end = lines[at].iter().position(|&n| n == 0).expect("a clause ends");
    match rng.usize(0..5) {
        0 if end + 2 < lines[at].len() => {
            let hint = rng.usize(end + 1..lines[at].len() - 1);
            lines[at].remove(hint);
        }
        1 if end > 1 => {
            let literal = rng.usize(1..end);
            lines[at][literal] *= -1;
        }
        2 => drop(lines.remove(at)),
        3 => lines[at][0] += rng.i64(-3..=3),
        _ if end > 1 => drop(lines[at].remove(rng.usize(1..end))),
        _ => {
            let hint = rng.usize(end + 1..lines[at].len() - 1);
            lines[at][hint] += rng.i64(-3..=3);
        }
    }
    let text = |line: &Vec<i64>| line.iter().map(i64::to_string).collect::<Vec<_>>().join(" ") + "\n";
    lines.iter().map(text).collect()
}

#[test]
fn changed_proofs_are_refused_or_still_right() {
    let mut rng = fastrand::Rng::with_seed(1000);
    let (mut refused, mut accepted) = (0, 0);
    while refused + accepted < 3000 {
        let variables = rng.i32(5..=8);
        let formula = random(&mut rng, variables, variables as usize * 7, false);
        let Some(proof) = proved(&formula) else { continue };
        for _ in 0..10 {
            let changed = mutated(&mut rng, &proof);
            if changed == proof {
                continue;
            }
            match lrat::check(&formula, &changed) {
                Err(_) => refused += 1,
                Ok(lines) => {
                    accepted += 1;
                    let right = clauses(&changed).iter().take(lines).all(|clause| implies(&formula, clause));
                    assert!(right, "{}{changed}", formula.dimacs());
                }
            }
        }
    }
    assert!(refused > 1000 && accepted > 50, "{refused} refused, {accepted} accepted");
}

#[test]
fn a_proof_of_one_formula_is_refused_for_a_satisfiable_one() {
    let mut rng = fastrand::Rng::with_seed(5);
    let mut refused = 0;
    while refused < 500 {
        let variables = rng.i32(4..=8);
        let formula = random(&mut rng, variables, variables as usize * 6, false);
        let Some(proof) = proved(&formula) else { continue };
        for dropped in 0..formula.clauses.len() {
            // Another clause in its place keeps the numbers of the others.
            let mut other = Formula { variables, ..Formula::default() };
            for (number, clause) in formula.clauses.iter().enumerate() {
                other.add(if number == dropped { &[1, -1] } else { clause });
            }
            if !implies(&other, &[]) {
                refused += 1;
                assert!(lrat::check(&other, &proof).is_err(), "{}{proof}", other.dimacs());
            }
        }
    }
}

#[test]
fn every_reason_to_refuse_has_a_line() {
    let given = formula(2, &[vec![1, 2], vec![1, -2], vec![-1, 2], vec![-1, -2]]);
    let check = |proof: &str| lrat::check(&given, proof);
    let refused = |line, why| Err(Refused { line, why });
    assert_eq!(check("5 1 0 1 2 0\n6 0 5 3 4 0\n"), Ok(2));
    assert_eq!(check("5 1 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0\n"), Ok(2));
    assert_eq!(check("5 1 0 1 2 0\n5 d 5 0\n6 0 5 3 4 0\n"), refused(3, Why::Unknown));
    assert_eq!(check("5 1 0 1 2 0\n5 d 3 0\n6 0 5 3 4 0\n"), refused(3, Why::Unknown));
    assert_eq!(check("5 1 0 1 2 0\n"), refused(1, Why::NotEmpty));
    assert_eq!(check("5 1 0 1 2 0\n6 0 5 3 4 0\nthis is no proof\n"), refused(3, Why::AfterTheEnd));
    assert_eq!(check(""), refused(0, Why::NotEmpty));
    assert_eq!(check("4 1 0 1 2 0\n"), refused(1, Why::Number));
    assert_eq!(check("5 1 0 1 0\n"), refused(1, Why::NoConflict));
    assert_eq!(check("5 0 1 2 0\n"), refused(1, Why::NotUnit));
    // The second clause is true already: it says nothing.
    assert_eq!(check("5 1 0 1 1 2 0\n"), refused(1, Why::NotUnit));
    assert_eq!(check("5 1 0 -1 2 0\n"), refused(1, Why::Rat));
    for malformed in [
        "5\n",
        "5 1 0 1 2\n",
        "5 1 0 1 0 2 0\n",
        "5 3 0 1 2 0\n",
        "x 1 0 1 0\n",
        "5 1 -1 0 1 0\n",
        "5 1 0  1 0\n",
        "\n",
    ] {
        assert_eq!(check(malformed), refused(1, Why::Malformed), "{malformed:?}");
    }
    let large = "5 -9223372036854775808 0 1 0\n";
    assert_eq!(check(large), refused(1, Why::Malformed));
}
