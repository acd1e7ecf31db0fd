//! Facts that strengthen an induction: those of a list of candidates that hold initially and that every step keeps together.
//!
//! Flanagan and Leino, *Houdini, an annotation assistant for ESC/Java*, FME 2001: begin with all candidates; whatever a step from
//! a state that satisfies all of them can falsify is dropped, until nothing is. What is left is the largest inductive subset.
//! Candidates are the ranges of variables, and that variables without a range only grow or only shrink, and that the difference of
//! two such variables, or what is left when they are divided by a small number, never changes.

use crate::formula::Formula;
use crate::problem::Problem;
use crate::sexp::Sexp;
use crate::solver::{Satisfiable, Talk};
use crate::text::{Variable, quoted};
use crate::unroll::{START, Unrolling};
use swarmcheck_engine::{Reason, SolverName};

/// More variables without a range are not compared with each other.
const MOST_COMPARED: usize = 12;

/// A variable with the values it can have, and the one it begins with, as far as they are known.
struct Known {
    name: String,
    bounds: Option<(i128, i128)>,
    first: Option<i128>,
}

/// The facts, which are an inductive invariant; none where the solver does not know.
pub fn facts(problem: &Problem, name: SolverName, talk: Talk<'_>) -> Result<Vec<Formula>, Reason> {
    let mut left = candidates(problem);
    let mut unrolling = Unrolling::new(problem, name, talk)?;
    for (at, fact) in left.iter().enumerate() {
        unrolling.name(&format!("initially{at}"), &fact.text("@0"));
        unrolling.solver.say(&format!("(declare-const assumed{at} Bool)\n"));
        unrolling.assume(&format!("assumed{at}"), fact, 0);
    }
    let mut numbers: Vec<usize> = (0..left.len()).collect();
    sieve(&mut unrolling, &mut numbers, "initially", &|_| vec![START.to_string()])?;
    unrolling.deepen()?;
    for (at, fact) in left.iter().enumerate() {
        unrolling.name(&format!("then{at}"), &fact.text("@1"));
    }
    let assumed = |numbers: &[usize]| numbers.iter().map(|at| format!("assumed{at}")).collect();
    sieve(&mut unrolling, &mut numbers, "then", &assumed)?;
    let mut at = 0;
    left.retain(|_| {
        at += 1;
        numbers.contains(&(at - 1))
    });
    Ok(left)
}

/// Drops what can be false, until nothing can.
fn sieve(
    unrolling: &mut Unrolling<'_, '_>,
    numbers: &mut Vec<usize>,
    word: &str,
    assumed: &dyn Fn(&[usize]) -> Vec<String>,
) -> Result<(), Reason> {
    while !numbers.is_empty() {
        let names: Vec<String> = numbers.iter().map(|at| format!("{word}{at}")).collect();
        unrolling.solver.say(&format!("(push 1)\n(assert (not (and {} true)))\n", names.join(" ")));
        let assumed = assumed(numbers);
        let assumed: Vec<&str> = assumed.iter().map(String::as_str).collect();
        match unrolling.check(&assumed)? {
            Satisfiable::No => {
                unrolling.solver.say("(pop 1)\n");
                return Ok(());
            }
            Satisfiable::Unknown => numbers.clear(),
            Satisfiable::Yes => {
                let truths = unrolling.truths(&names)?;
                let mut truths = truths.into_iter();
                numbers.retain(|_| truths.next().unwrap_or(false));
            }
        }
        unrolling.solver.say("(pop 1)\n");
    }
    Ok(())
}

fn candidates(problem: &Problem) -> Vec<Formula> {
    let text = &problem.system.text;
    let variables = text.variables();
    let known: Vec<Known> = variables
        .iter()
        .filter(|variable| variable.sort == "Int" && variable.slot < problem.width)
        .map(|Variable { slot, name, .. }| Known {
            name: quoted(name),
            bounds: text.bounds(*slot),
            first: problem.system.begins(*slot),
        })
        .collect();
    let atom = |known: &Known| Sexp::atom(known.name.clone());
    let compared = |word: &str, a: Sexp, b: i128| Sexp::call(word, [a, Sexp::number(b)]);
    let mut out = vec![];
    for one in &known {
        match (one.bounds, one.first) {
            (Some((low, high)), _) => {
                out.push(compared(">=", atom(one), low));
                out.push(compared("<=", atom(one), high));
            }
            (None, Some(first)) => {
                out.push(compared(">=", atom(one), first));
                out.push(compared("<=", atom(one), first));
                for by in 2..=3i128 {
                    let rest = Sexp::call("mod", [atom(one), Sexp::number(by)]);
                    out.push(compared("=", rest, first.rem_euclid(by)));
                }
            }
            (None, None) => {}
        }
    }
    let wide: Vec<&Known> = known.iter().filter(|one| one.bounds.is_none() && one.first.is_some()).collect();
    for (at, one) in wide.iter().enumerate().take(MOST_COMPARED) {
        for other in wide.iter().take(MOST_COMPARED).skip(at + 1) {
            let (Some(a), Some(b)) = (one.first, other.first) else { continue };
            let difference = || Sexp::call("-", [atom(one), atom(other)]);
            out.push(compared(">=", difference(), a - b));
            out.push(compared("<=", difference(), a - b));
        }
    }
    out.iter().filter_map(|candidate| Formula::new(candidate, &variables).ok()).collect()
}
