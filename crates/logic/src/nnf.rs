//! Negation normal form of conditions, with ⊥ in mind.
//!
//! In the result `not` stands only in front of `defined(…)`. Elsewhere it has been pushed inwards by De Morgan's
//! laws and the duality of the quantifiers. At a comparison it needs care: a comparison with ⊥ is false, so
//!
//! ```text
//!     not (a < b)   =   a >= b  or  not defined(a)  or  not defined(b)
//! ```
//!
//! and the last two parts are left out where the operand cannot be ⊥ ([`crate::defined`]). A condition
//! `if c then a else b` becomes a disjunction, in which `c` occurs twice. Conditions inside numbers (`count`,
//! `if` as an operand) are no business of the negations around them and stay as they are.
//!
//! The contract is about states in which evaluation meets no fault: there both forms have the same truth value. An
//! engine that needs faults looks for them in the original. (The parts keep their order, so today's evaluation also
//! meets the same faults; the tests hold it to that, but engines are free to reorder a normal form.)

use crate::defined::may_be_undefined;
use swarmcheck_ir::{BinaryOp, Expr, Program, Quantifier, UnaryOp};

/// The condition in negation normal form.
pub fn nnf(program: &Program, condition: &Expr) -> Expr {
    Normaliser { program }.form(condition, true)
}

/// The negation of the condition in negation normal form.
pub fn negated(program: &Program, condition: &Expr) -> Expr {
    Normaliser { program }.form(condition, false)
}

struct Normaliser<'a> {
    program: &'a Program,
}

impl Normaliser<'_> {
    /// The condition itself (`wanted`) or its negation.
    fn form(&self, e: &Expr, wanted: bool) -> Expr {
        let all = |parts: &[Expr]| parts.iter().map(|p| self.form(p, wanted)).collect::<Vec<_>>();
        match e {
            Expr::Const(v) => Expr::Const(i64::from((*v != 0) == wanted)),
            Expr::Unary(UnaryOp::Not, e) => self.form(e, !wanted),
            Expr::And(parts) if wanted => Expr::and(all(parts)),
            Expr::And(parts) => Expr::or(all(parts)),
            Expr::Or(parts) if wanted => Expr::or(all(parts)),
            Expr::Or(parts) => Expr::and(all(parts)),
            Expr::Binary(op, a, b, _) if op.is_comparison() => match wanted {
                true => e.clone(),
                false => self.refuted(e, *op, a, b),
            },
            Expr::If(c, a, b) => self.choice(c, self.form(a, wanted), self.form(b, wanted)),
            Expr::Defined(inner) if !may_be_undefined(self.program, inner) => Expr::Const(i64::from(wanted)),
            Expr::Quantified(quantifier @ (Quantifier::Forall | Quantifier::Exists), kinds, bound, body) => {
                let dual = match (quantifier, wanted) {
                    (Quantifier::Forall, true) | (Quantifier::Exists, false) => Quantifier::Forall,
                    _ => Quantifier::Exists,
                };
                Expr::Quantified(dual, kinds.clone(), *bound, Box::new(self.form(body, wanted)))
            }
            // `defined`, and what no valid program has for a condition.
            literal if wanted => literal.clone(),
            literal => Expr::Unary(UnaryOp::Not, Box::new(literal.clone())),
        }
    }

    /// The comparison does not hold: the opposite does, or an operand is ⊥.
    fn refuted(&self, e: &Expr, op: BinaryOp, a: &Expr, b: &Expr) -> Expr {
        let Expr::Binary(_, _, _, span) = e else {
            unreachable!("called for comparisons");
        };
        let opposite = op.negated().expect("every comparison has an opposite");
        let undefined = [a, b].into_iter().filter(|e| may_be_undefined(self.program, e));
        let undefined = undefined.map(|e| Expr::not(Expr::defined(e.clone())));
        Expr::or(std::iter::once(Expr::binary(opposite, a.clone(), b.clone(), *span)).chain(undefined))
    }

    /// `if c then a else b` for branches in normal form. With a constant branch `c` need not be written twice.
    fn choice(&self, c: &Expr, a: Expr, b: Expr) -> Expr {
        let (yes, no) = (self.form(c, true), self.form(c, false));
        match (&a, &b) {
            (Expr::Const(1), _) => Expr::or([yes, b]),
            (_, Expr::Const(1)) => Expr::or([no, a]),
            (_, Expr::Const(0)) => Expr::and([yes, a]),
            (Expr::Const(0), _) => Expr::and([no, b]),
            _ => Expr::or([Expr::and([yes, a]), Expr::and([no, b])]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::small::{self, binary, quantified};
    use swarmcheck_ir::print::condition_to_string;

    #[test]
    fn negations_on_paper() {
        let program = small::program();
        let show = |e| condition_to_string(&program, &[], &negated(&program, &e));
        let (x, z) = (small::x, small::z);
        assert_eq!(show(binary(BinaryOp::Lt, z(), Expr::Const(1))), "z >= 1");
        assert_eq!(show(binary(BinaryOp::Lt, x(), z())), "x >= z or not defined(x)");
        assert_eq!(
            show(binary(BinaryOp::Eq, x(), binary(BinaryOp::Div, Expr::Const(1), z()))),
            "x != 1 / z or not defined(x) or not defined(1 / z)"
        );
        assert_eq!(show(binary(BinaryOp::Gt, binary(BinaryOp::Mod, z(), Expr::Const(2)), z())), "z % 2 <= z");
        let each = quantified(Quantifier::Forall, 0, small::test(small::y(Expr::Bound(0))));
        assert_eq!(show(each), "exists a in K: y[a] = 0 or not defined(y[a])");
        assert_eq!(show(Expr::And(vec![small::test(z()), Expr::not(small::test(z()))])), "z = 0 or z != 0");
        assert_eq!(show(Expr::Defined(Box::new(x()))), "not defined(x)");
        assert_eq!(show(Expr::Defined(Box::new(z()))), "false");
        let choice =
            |a, b| Expr::If(Box::new(small::test(x())), Box::new(small::test(a)), Box::new(small::test(b)));
        assert_eq!(
            show(choice(z(), x())),
            "x != 0 and z = 0 or (x = 0 or not defined(x)) and (x = 0 or not defined(x))"
        );
        let truth = Expr::If(Box::new(small::test(z())), Box::new(Expr::TRUE), Box::new(Expr::FALSE));
        assert_eq!(show(truth), "z = 0");
    }

    /// `not` only before `defined`.
    fn is_normal(e: &Expr) -> bool {
        match e {
            Expr::Unary(UnaryOp::Not, inner) => matches!(**inner, Expr::Defined(_)),
            Expr::And(parts) | Expr::Or(parts) => parts.iter().all(is_normal),
            Expr::Quantified(Quantifier::Forall | Quantifier::Exists, _, _, body) => is_normal(body),
            Expr::If(..) => false,
            _ => true,
        }
    }

    #[test]
    fn the_same_truth_and_the_same_fault_in_every_state() {
        let mut world = small::World::new();
        let (mut held, mut faults) = (0, 0);
        for e in small::conditions() {
            let (yes, no) = (nnf(world.program(), &e), negated(world.program(), &e));
            assert!(is_normal(&yes) && is_normal(&no), "{}", world.show(&e));
            let truths = world.truths(&e);
            let opposite: Vec<_> = truths.iter().map(|t| t.map(|t| !t)).collect();
            assert_eq!(world.truths(&yes), truths, "{}", world.show(&e));
            assert_eq!(world.truths(&no), opposite, "not {}", world.show(&e));
            held += truths.iter().filter(|t| **t == Ok(true)).count();
            faults += truths.iter().filter(|t| t.is_err()).count();
        }
        assert!(held > 10_000 && faults > 1000, "{held} held, {faults} faults");
    }
}
