//! Where ⊥ can come from, as far as the text of an expression shows.

use swarmcheck_ir::{BinaryOp, Expr, Program, UNDEF, UnaryOp};

/// Whether the expression may evaluate to ⊥. "May" is generous: only variables that are never ⊥ and divisors that
/// are constants other than 0 are trusted, and no condition is taken into account. Locals may be anything, since
/// the expression does not show what they were given.
pub fn may_be_undefined(program: &Program, e: &Expr) -> bool {
    let may = |e: &Expr| may_be_undefined(program, e);
    match e {
        Expr::Const(v) => *v == UNDEF,
        Expr::Local(_) | Expr::LocalCell(..) => true,
        Expr::Read(place) => {
            program.var(place.var).may_be_undef
                || place.agent.as_deref().is_some_and(may)
                || place.index.iter().any(may)
        }
        Expr::Unary(UnaryOp::Neg | UnaryOp::Abs, e) => may(e),
        Expr::Binary(op, a, b, _) => match op {
            op if op.is_comparison() => false,
            BinaryOp::And | BinaryOp::Or => false,
            BinaryOp::Div | BinaryOp::Mod | BinaryOp::Round => {
                may(a) || !matches!(**b, Expr::Const(n) if n != 0 && n != UNDEF)
            }
            _ => may(a) || may(b),
        },
        Expr::If(_, a, b) => may(a) || may(b),
        // Agents' numbers, truth values and counts.
        Expr::Me
        | Expr::Bound(_)
        | Expr::Unary(UnaryOp::Not, _)
        | Expr::And(_)
        | Expr::Or(_)
        | Expr::Defined(_)
        | Expr::Quantified(..) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::small;

    #[test]
    fn never_undefined_means_never_undefined() {
        let mut world = small::World::new();
        let (mut defined, mut undefined) = (0, 0);
        for e in small::numbers() {
            let may = may_be_undefined(world.program(), &e);
            let is = world.truths(&Expr::Defined(Box::new(e.clone()))).contains(&Ok(false));
            assert!(may || !is, "{}", world.show(&e));
            (defined, undefined) = (defined + usize::from(!may), undefined + usize::from(is));
        }
        assert!(defined > 10 && undefined > 100, "both cases occur: {defined}, {undefined}");
    }

    #[test]
    fn where_it_comes_from() {
        let program = small::program();
        let may = |e: &Expr| may_be_undefined(&program, e);
        let divide = |op, by| may(&Expr::Binary(op, Box::new(small::z()), Box::new(by), Default::default()));
        assert!(may(&small::x()) && !may(&small::z()));
        for op in [BinaryOp::Div, BinaryOp::Mod, BinaryOp::Round] {
            assert!(!divide(op, Expr::Const(-2)));
            assert!(divide(op, Expr::Const(0)) && divide(op, small::z()) && divide(op, Expr::Const(UNDEF)));
        }
        assert!(!divide(BinaryOp::Mul, small::z()) && divide(BinaryOp::Max, small::x()));
        assert!(may(&small::cell(small::x())) && !may(&small::cell(small::z())));
        assert!(!may(&Expr::Defined(Box::new(small::x()))));
    }
}
