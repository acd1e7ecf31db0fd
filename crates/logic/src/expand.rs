//! Quantifier elimination: with the agents known, `forall` is a conjunction, `exists` a disjunction, and `count` a
//! sum of conditional ones (thesis, section 4.2, on properties).
//!
//! The parts come in the order of the agents' numbers and the junctions stop as early as the quantifiers did, so
//! evaluation gives the same value and meets the same fault first. The price is size: quantifiers nested `k` deep
//! over `n` agents become `n^k` copies of the body. Comparisons of bound agents (`a != b`) turn into constants and
//! disappear.

use swarmcheck_ir::{BinaryOp, Expr, KindId, Place, Program, Quantifier};

/// The expression without quantifiers. Bound agents become numbers; one that is free in `e`, because a loop outside
/// binds it, stays.
pub fn expand(program: &Program, e: &Expr) -> Expr {
    Expander { program, agents: vec![] }.expr(e)
}

struct Expander<'a> {
    program: &'a Program,
    /// The agent that each bound index stands for, innermost last.
    agents: Vec<(u32, u32)>,
}

impl Expander<'_> {
    fn expr(&mut self, e: &Expr) -> Expr {
        match e {
            Expr::Const(_) | Expr::Me | Expr::Local(_) => e.clone(),
            Expr::Bound(b) => match self.agents.iter().rev().find(|(bound, _)| bound == b) {
                Some((_, agent)) => Expr::Const(i64::from(*agent)),
                None => e.clone(),
            },
            Expr::Read(place) => Expr::Read(self.place(place)),
            Expr::LocalCell(l, index, span) => Expr::LocalCell(*l, Box::new(self.expr(index)), *span),
            Expr::Unary(op, e) => Expr::unary(*op, self.expr(e)),
            Expr::Binary(op, a, b, span) => Expr::binary(*op, self.expr(a), self.expr(b), *span),
            Expr::And(parts) => Expr::and(self.all(parts)),
            Expr::Or(parts) => Expr::or(self.all(parts)),
            Expr::If(c, a, b) => Expr::ite(self.expr(c), self.expr(a), self.expr(b)),
            Expr::Defined(e) => Expr::defined(self.expr(e)),
            Expr::Quantified(quantifier, kinds, bound, body) => {
                self.quantified(*quantifier, kinds, *bound, body)
            }
        }
    }

    fn all(&mut self, parts: &[Expr]) -> Vec<Expr> {
        parts.iter().map(|p| self.expr(p)).collect()
    }

    fn place(&mut self, place: &Place) -> Place {
        let agent = place.agent.as_ref().map(|a| Box::new(self.expr(a)));
        Place { agent, index: self.all(&place.index), ..*place }
    }

    fn quantified(&mut self, quantifier: Quantifier, kinds: &[KindId], bound: u32, body: &Expr) -> Expr {
        let instances = agents(self.program, kinds).into_iter().map(|agent| {
            self.agents.push((bound, agent));
            let instance = self.expr(body);
            self.agents.pop();
            instance
        });
        match quantifier {
            Quantifier::Forall => Expr::and(instances),
            Quantifier::Exists => Expr::or(instances),
            Quantifier::Count => {
                let ones = instances.map(|c| Expr::ite(c, Expr::Const(1), Expr::Const(0)));
                // A count stays below 2^32: there is no overflow to blame anybody for.
                let add = |a, b| Expr::binary(BinaryOp::Add, a, b, Default::default());
                ones.reduce(add).unwrap_or(Expr::Const(0))
            }
        }
    }
}

/// The agents of some kinds, in order of their numbers.
pub fn agents(program: &Program, kinds: &[KindId]) -> Vec<u32> {
    let ranges = kinds.iter().map(|k| program.kind(*k)).map(|k| k.first..k.first + k.count);
    let mut out: Vec<u32> = ranges.flatten().collect();
    out.sort_unstable();
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::small::{self, binary, quantified};
    use swarmcheck_ir::print::{condition_to_string, expr_to_string};

    #[test]
    fn the_quantifiers_on_paper() {
        let program = small::program();
        let show = |e: &Expr| condition_to_string(&program, &[], &expand(&program, e));
        let is_one = |bound| binary(BinaryOp::Eq, small::y(Expr::Bound(bound)), Expr::Const(1));
        assert_eq!(show(&quantified(Quantifier::Forall, 0, is_one(0))), "y[0] = 1 and y[1] = 1");
        assert_eq!(show(&quantified(Quantifier::Exists, 1, is_one(1))), "y[0] = 1 or y[1] = 1");
        let count = quantified(Quantifier::Count, 0, is_one(0));
        assert_eq!(
            expr_to_string(&program, &[], &expand(&program, &count)),
            "(if y[0] = 1 then 1 else 0) + (if y[1] = 1 then 1 else 0)"
        );
        // Two different agents that agree: the diagonal disappears.
        let differ = binary(BinaryOp::Ne, Expr::Bound(0), Expr::Bound(1));
        let agree = binary(BinaryOp::Eq, small::y(Expr::Bound(0)), small::y(Expr::Bound(1)));
        let pair = quantified(
            Quantifier::Exists,
            0,
            quantified(Quantifier::Exists, 1, Expr::And(vec![differ, agree])),
        );
        assert_eq!(show(&pair), "y[0] = y[1] or y[1] = y[0]");
    }

    #[test]
    fn nobody_and_free_agents() {
        let mut program = small::program();
        program.kinds[0].count = 0;
        let over = |q| expand(&program, &quantified(q, 0, small::test(small::y(Expr::Bound(0)))));
        assert_eq!(over(Quantifier::Forall), Expr::TRUE);
        assert_eq!(over(Quantifier::Exists), Expr::FALSE);
        assert_eq!(over(Quantifier::Count), Expr::Const(0));
        let free = small::test(small::y(Expr::Bound(3)));
        assert_eq!(expand(&program, &free), free);
        // Outside the quantifier its agent is free again.
        let program = small::program();
        let here = small::test(small::y(Expr::Bound(0)));
        let both = Expr::And(vec![quantified(Quantifier::Exists, 0, here.clone()), here.clone()]);
        let Expr::And(parts) = expand(&program, &both) else {
            panic!("still a conjunction");
        };
        assert_eq!(parts[1], here);
    }

    #[test]
    fn agents_come_in_order() {
        let mut program = small::program();
        program.kinds.push(swarmcheck_ir::AgentKind { name: "L".to_string(), first: 2, count: 2 });
        assert_eq!(agents(&program, &[KindId(1), KindId(0)]), [0, 1, 2, 3]);
    }

    #[test]
    fn the_same_value_and_the_same_fault_in_every_state() {
        let mut world = small::World::new();
        let mut constant = 0;
        for e in small::conditions() {
            let expanded = expand(world.program(), &e);
            expanded.walk(&mut |e| assert!(!matches!(e, Expr::Quantified(..) | Expr::Bound(_))));
            assert_eq!(world.truths(&expanded), world.truths(&e), "{}", world.show(&e));
            constant += usize::from(matches!(expanded, Expr::Const(_)));
        }
        assert!(constant > 0, "some conditions are decided without looking at the state");
    }
}
