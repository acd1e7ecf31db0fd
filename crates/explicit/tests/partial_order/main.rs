//! Partial-order reduction, checked by brute force: that first steps are independent of the others, and that all answers
//! are the same.

mod examples;
mod hand_made;
#[path = "../../../passes/tests/stale_dead_monitor_symmetry/models.rs"]
mod models;
mod naive;
mod random;

use naive::{Answers, Graph, How};
use swarmcheck_explicit::partial_order::PartialOrder;
use swarmcheck_ir::ground::Ground;
use swarmcheck_ir::{Expr, Program};

/// How many states there are, how many are left, and how many of these have no first step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sizes {
    full: usize,
    small: usize,
    resting: usize,
}

/// Compares the smaller graph to the full one, for one condition. `None` if no step may ever go first, or if there are
/// more states than wanted.
fn compare(name: &str, program: &Program, condition: &Expr, most: usize) -> Option<Sizes> {
    let ground = Ground::new(program);
    let order = PartialOrder::new(program, &ground, &[condition])?;
    let term = ground.condition(program, condition);
    let full = Graph::new(&ground, &term, How::All, most)?;
    full.diamonds(name, &ground, &order);
    let small = Graph::new(&ground, &term, How::First(&order), most)?;
    assert_eq!(Answers::new(&full), Answers::new(&small), "{name}");
    let settled = Graph::new(&ground, &term, How::Settled(&order), most)?;
    assert_eq!(Answers::new(&full), Answers::new(&settled), "{name}, settled");
    assert_eq!((settled.len(), settled.resting()), (small.resting(), settled.len()), "{name}, at rest");
    Some(Sizes { full: full.len(), small: small.len(), resting: small.resting() })
}

/// Compares for every property of a program, on its own.
fn compare_all(name: &str, program: &Program, most: usize) -> Vec<(String, Option<Sizes>)> {
    let mut out = vec![];
    for property in &program.properties {
        let name = format!("{name} {}", property.name);
        let sizes = compare(&name, program, &property.predicate, most);
        out.push((name, sizes));
    }
    out
}
