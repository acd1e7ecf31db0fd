//! Predicates over one or two agents, and a normal form that identifies comparisons with the same meaning.

use std::collections::BTreeSet;
use swarmcheck_ir::{BinaryOp, Expr, UnaryOp, VarId};

/// A predicate: one Boolean for every agent, or for every pair of different agents.
pub(super) struct Predicate {
    /// The normal form. Comparisons with the same form are the same predicate.
    pub key: String,
    /// The number of agents it reads: 1 or 2.
    pub agents: usize,
    /// Symmetric: the value is the same with the two agents exchanged.
    pub symmetric: bool,
    /// The variables it reads, each with the position of the agent.
    pub reads: BTreeSet<(VarId, usize)>,
}

/// A comparison as an occurrence of a predicate.
pub(super) struct Occurrence {
    pub predicate: Predicate,
    pub agents: Vec<Expr>,
    /// The comparison holds if the predicate has this value.
    pub truth: bool,
}

/// The predicate in a comparison. It may read only constants and scalar variables of the agent that runs the function, of
/// an agent bound by a loop, or of both if they are known to differ.
pub(super) fn occurrence(e: &Expr, others: &BTreeSet<u32>) -> Option<Occurrence> {
    let Expr::Binary(op, a, b, _) = e else { return None };
    // a ≤ b is the opposite of b < a.
    let (sign, a, b, truth) = match op {
        BinaryOp::Eq => ("=", a, b, true),
        BinaryOp::Ne => ("=", a, b, false),
        BinaryOp::Lt => ("<", a, b, true),
        BinaryOp::Gt => ("<", b, a, true),
        BinaryOp::Ge => ("<", a, b, false),
        BinaryOp::Le => ("<", b, a, false),
        _ => return None,
    };
    let mut agents: Vec<Expr> = vec![];
    e.walk(&mut |e| {
        if matches!(e, Expr::Me | Expr::Bound(_)) && !agents.contains(e) {
            agents.push(e.clone());
        }
    });
    let distinct = match agents.as_slice() {
        [_] => true,
        [Expr::Me, Expr::Bound(b)] | [Expr::Bound(b), Expr::Me] => others.contains(b),
        _ => false,
    };
    if !distinct {
        return None;
    }
    let form = |agents: &[Expr]| {
        let (left, right) = (key(a, agents)?, key(b, agents)?);
        let exchanged = sign == "=" && right < left;
        Some(if exchanged { format!("{right} {sign} {left}") } else { format!("{left} {sign} {right}") })
    };
    let one = form(&agents)?;
    let symmetric = match agents.as_slice() {
        [first, second] => {
            let turned = [second.clone(), first.clone()];
            let other = form(&turned)?;
            if other < one {
                agents = turned.to_vec();
            }
            other == one
        }
        _ => false,
    };
    let mut reads = BTreeSet::new();
    e.walk(&mut |e| {
        if let Expr::Read(place) = e
            && let Some(agent) = &place.agent
            && let Some(who) = agents.iter().position(|a| *a == **agent)
        {
            reads.insert((place.var, who));
        }
    });
    let predicate = Predicate { key: form(&agents)?, agents: agents.len(), symmetric, reads };
    Some(Occurrence { predicate, agents, truth })
}

/// The bound agent of which a condition says that it is not the one that runs the function.
pub(super) fn other(condition: &Expr) -> Option<u32> {
    let Expr::Binary(BinaryOp::Ne, a, b, _) = condition else { return None };
    match (&**a, &**b) {
        (Expr::Me, Expr::Bound(bound)) | (Expr::Bound(bound), Expr::Me) => Some(*bound),
        _ => None,
    }
}

/// An expression in normal form, with agents by their places in the list. Equal forms have equal values: sums and
/// products may be turned round, and so may a difference whose sign does not matter.
fn key(e: &Expr, agents: &[Expr]) -> Option<String> {
    let who = |e: &Expr| agents.iter().position(|a| a == e);
    Some(match e {
        Expr::Const(value) => value.to_string(),
        Expr::Me | Expr::Bound(_) => format!("#{}", who(e)?),
        Expr::Read(place) if place.index.is_empty() => {
            format!("{}@{}", place.var.0, who(place.agent.as_deref()?)?)
        }
        Expr::Unary(UnaryOp::Neg, e) => format!("(- {})", key(e, agents)?),
        Expr::Unary(UnaryOp::Abs, e) => format!("|{}|", unsigned(e, agents)?),
        Expr::Binary(op, a, b, _) => {
            let (left, right) = (key(a, agents)?, key(b, agents)?);
            let turns = match op {
                BinaryOp::Mul if left == right => return Some(format!("{}^2", unsigned(a, agents)?)),
                BinaryOp::Add | BinaryOp::Mul | BinaryOp::Min | BinaryOp::Max => true,
                BinaryOp::Sub | BinaryOp::Div | BinaryOp::Mod => false,
                _ => return None,
            };
            let (left, right) = if turns && right < left { (right, left) } else { (left, right) };
            format!("({left} {op:?} {right})")
        }
        _ => return None,
    })
}

/// The same for an expression whose sign does not matter.
fn unsigned(e: &Expr, agents: &[Expr]) -> Option<String> {
    match e {
        Expr::Binary(op @ BinaryOp::Sub, a, b, _) => {
            let (a, b) = (key(a, agents)?, key(b, agents)?);
            let (small, large) = if b < a { (b, a) } else { (a, b) };
            Some(format!("({small} {op:?} {large})"))
        }
        other => key(other, agents),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use swarmcheck_ir::Place;
    use swarmcheck_source::Span;

    fn of(var: u32, agent: Expr) -> Expr {
        Expr::Read(Place::of(VarId(var), agent))
    }

    fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
        Expr::Binary(op, Box::new(a), Box::new(b), Span::default())
    }

    fn find(e: &Expr) -> Option<Occurrence> {
        occurrence(e, &BTreeSet::from([0]))
    }

    /// (x of a - x of b)², as a link predicate writes it.
    fn square(a: Expr, b: Expr) -> Expr {
        let distance = binary(BinaryOp::Sub, of(0, a), of(0, b));
        binary(BinaryOp::Mul, distance.clone(), distance)
    }

    #[test]
    fn who_sees_whom_is_symmetric() {
        let near = |a, b| find(&binary(BinaryOp::Le, square(a, b), Expr::Const(9))).unwrap();
        let (here, there) = (near(Expr::Me, Expr::Bound(0)), near(Expr::Bound(0), Expr::Me));
        assert!(here.predicate.symmetric && there.predicate.symmetric);
        assert_eq!(here.predicate.key, there.predicate.key);
        assert!(!here.truth, "d <= 9 is asked as 9 < d");
        let reads = BTreeSet::from([(VarId(0), 0), (VarId(0), 1)]);
        assert_eq!(here.predicate.reads, reads);
    }

    #[test]
    fn who_is_ahead_is_not_symmetric() {
        let ahead = |op, a, b| find(&binary(op, of(0, a), of(0, b))).unwrap();
        let less = ahead(BinaryOp::Lt, Expr::Me, Expr::Bound(0));
        let more = ahead(BinaryOp::Gt, Expr::Bound(0), Expr::Me);
        let turned = ahead(BinaryOp::Lt, Expr::Bound(0), Expr::Me);
        assert!(!less.predicate.symmetric);
        // The same predicate of the same pair, and of the exchanged pair.
        assert_eq!((&less.predicate.key, &less.agents), (&more.predicate.key, &more.agents));
        assert_eq!(less.predicate.key, turned.predicate.key);
        assert_ne!(less.agents, turned.agents);
        // a >= b is the opposite.
        let no = ahead(BinaryOp::Ge, Expr::Me, Expr::Bound(0));
        assert_eq!((&no.predicate.key, no.truth, less.truth), (&less.predicate.key, false, true));
    }

    #[test]
    fn other_comparisons_are_no_predicates() {
        // Perhaps the same agent.
        let e = binary(BinaryOp::Lt, of(0, Expr::Me), of(0, Expr::Bound(1)));
        assert!(find(&e).is_none());
        // Nobody.
        assert!(find(&binary(BinaryOp::Lt, Expr::Const(1), Expr::Const(2))).is_none());
        // A global variable, and somebody who is computed.
        let global = Expr::Read(Place::global(VarId(1)));
        assert!(find(&binary(BinaryOp::Lt, of(0, Expr::Me), global)).is_none());
        let computed = of(0, of(1, Expr::Me));
        assert!(find(&binary(BinaryOp::Lt, computed, Expr::Const(2))).is_none());
    }

    #[test]
    fn differences_have_a_sign() {
        let gap = |a, b| binary(BinaryOp::Sub, of(0, a), of(0, b));
        let one = find(&binary(BinaryOp::Lt, gap(Expr::Me, Expr::Bound(0)), Expr::Const(3))).unwrap();
        assert!(!one.predicate.symmetric);
        let abs = |e| Expr::Unary(UnaryOp::Abs, Box::new(e));
        let two = find(&binary(BinaryOp::Lt, abs(gap(Expr::Me, Expr::Bound(0))), Expr::Const(3))).unwrap();
        assert!(two.predicate.symmetric);
    }
}
