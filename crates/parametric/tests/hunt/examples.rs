//! The proofs of our examples, once more: the second opinion, and every state of the invariant by brute force.

use crate::harness::{all_sizes, family, invariant, program, proved};
use crate::mutants::{EXAMPLES, text};
use crate::recheck::{Checked, MOST, recheck};
use crate::second::second_opinion;
use crate::systems::opinion_sizes;
use std::time::Duration;
use swarmcheck_ir::{BinaryOp, Expr, KindId, Local, LocalId, Stmt};
use swarmcheck_labs::lower;
use swarmcheck_parametric::premise::Broken;
use swarmcheck_parametric::{NotProved, Premise};
use swarmcheck_source::Span;

#[test]
fn proofs_of_examples() {
    let (mut states, mut sizes_checked) = (0, 0);
    for (path, parameters, open, property) in EXAMPLES {
        let base = program(&text(path), parameters, lower::Options::default()).expect("an example");
        let number = base.properties.iter().position(|p| p.name == property).expect("the property");
        let family = family(base, open);
        let proof =
            proved(&family, number, Duration::from_secs(60)).unwrap_or_else(|why| panic!("{path}: {why:?}"));
        let most =
            opinion_sizes(&family, &proof, &mut 0, &mut 0).unwrap_or_else(|why| panic!("{path}: {why}"));
        for sizes in all_sizes(&family, most + 1) {
            match recheck(&invariant(&family, &proof), &sizes, MOST)
                .unwrap_or_else(|why| panic!("{path} at {sizes:?}: {why}"))
            {
                Checked::States(found) => {
                    states += found;
                    sizes_checked += 1;
                }
                Checked::TooMany => println!("{path} {property} at {sizes:?}: too many states"),
            }
        }
    }
    println!("{states} states of invariants at {sizes_checked} sizes");
    assert!(sizes_checked >= 15 && states > 1000, "{states} states at {sizes_checked} sizes");
}

/// A loop that tells later agents what it saw at earlier ones. No model of LAbS gives one, so it is put into a program.
#[test]
fn a_local_that_goes_from_agent_to_agent() {
    let text = "system { spawn = A: 2 }
        stigmergy S { link = true x: 0 }
        agent A { stigmergies = S Behavior = x <~ 1 }
        check { P = always forall A a, x of a <= 1 }";
    let mut base = program(text, "", lower::Options::default()).expect("a model");
    let function = base.functions.iter_mut().find(|f| f.name.starts_with("propagate")).expect("a message");
    function.locals.push(Local { name: "seen".to_string(), length: None });
    let local = LocalId(function.locals.len() as u32 - 1);
    let loops = function.body.iter_mut().find_map(|stmt| match stmt {
        Stmt::ForEach(_, _, body) => Some(body),
        _ => None,
    });
    let body = loops.expect("a loop over agents");
    let seen = Expr::binary(BinaryOp::Eq, Expr::Bound(0), Expr::Me, Span::default());
    body.insert(0, Stmt::If(seen, vec![Stmt::Let(local, Expr::Const(1))], vec![]));
    let predicate = base.properties[0].predicate.clone();
    assert!(second_opinion(&base, &[KindId(0)], &predicate, &[]).is_err());
    let answer = proved(&family(base, &[("A", 1)]), 0, Duration::from_secs(10));
    assert!(
        matches!(answer, Err(NotProved::Premise(Premise { broken: Broken::Accumulator, .. }))),
        "{:?}",
        answer.err()
    );
}
