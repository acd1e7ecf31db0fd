//! Expressions of the parametric program evaluated in a state, part by part. Engines evaluate compiled code; here a part of
//! an expression is asked for its value, with the agents that quantifiers have bound.

use crate::attempt::agents_of;
use swarmcheck_ir::cells::position;
use swarmcheck_ir::flat::{Cell, Flat};
use swarmcheck_ir::{BinaryOp, Expr, KindId, Place, Quantifier, UNDEF, Value, arith};

/// Where an expression is evaluated.
#[derive(Clone)]
pub(crate) struct Scope<'a> {
    pub(crate) flat: &'a Flat,
    /// None: only what does not depend on the state has a value.
    pub(crate) state: Option<&'a [Value]>,
    /// Who runs it.
    pub(crate) me: Option<u32>,
    /// What quantifiers have bound; the last binding of a number counts.
    pub(crate) bound: Vec<(u32, u32)>,
    /// Values of locals.
    pub(crate) locals: Vec<(u32, Value)>,
}

impl<'a> Scope<'a> {
    pub(crate) fn new(flat: &'a Flat, state: &'a [Value], me: Option<u32>) -> Scope<'a> {
        Scope { flat, state: Some(state), me, bound: vec![], locals: vec![] }
    }

    /// The same with an agent bound.
    pub(crate) fn with(&self, bound: u32, agent: u32) -> Scope<'a> {
        let mut inner = self.clone();
        inner.bound.push((bound, agent));
        inner
    }

    pub(crate) fn agent(&self, bound: u32) -> Option<u32> {
        self.bound.iter().rev().find(|(number, _)| *number == bound).map(|(_, agent)| *agent)
    }

    /// The agents of some kinds.
    pub(crate) fn agents(&self, kinds: &[KindId]) -> Vec<u32> {
        agents_of(self.flat, kinds)
    }

    /// The cell of a place. None if it does not exist, or is not known.
    pub(crate) fn cell(&self, place: &Place) -> Option<Cell> {
        let var = self.flat.program.vars.get(place.var.0 as usize)?;
        let agent = match &place.agent {
            None => None,
            Some(e) => Some(u32::try_from(self.value(e).filter(|v| *v != UNDEF)?).ok()?),
        };
        let indices = place.index.iter().map(|e| self.value(e)).collect::<Option<Vec<Value>>>()?;
        let index = position(&var.dimensions, indices)?;
        let cell = Cell { var: place.var, agent, index };
        self.flat.layout.slot(cell).map(|_| cell)
    }

    /// The value of a cell.
    pub(crate) fn read(&self, cell: Cell) -> Option<Value> {
        self.state?.get(self.flat.layout.slot(cell)? as usize).copied()
    }

    /// Whether a condition holds, if that is known.
    pub(crate) fn holds(&self, e: &Expr) -> Option<bool> {
        self.value(e).map(|value| value != 0)
    }

    /// The value of an expression. None for a local that is not known, and for an error of the model.
    pub(crate) fn value(&self, e: &Expr) -> Option<Value> {
        match e {
            Expr::Const(value) => Some(*value),
            Expr::Me => self.me.map(i64::from),
            Expr::Bound(bound) => self.agent(*bound).map(i64::from),
            Expr::Read(place) => {
                let parts = place.agent.iter().map(|a| &**a).chain(&place.index);
                for part in parts {
                    if self.value(part)? == UNDEF {
                        return Some(UNDEF);
                    }
                }
                self.read(self.cell(place)?)
            }
            Expr::Local(local) => {
                self.locals.iter().rev().find(|(l, _)| *l == local.0).map(|(_, value)| *value)
            }
            Expr::LocalCell(..) => None,
            Expr::Unary(op, e) => Some(arith::unary(*op, self.value(e)?)),
            Expr::Binary(op, a, b, _) => arith::binary(*op, self.value(a)?, self.value(b)?),
            Expr::And(parts) => self.junction(parts, false),
            Expr::Or(parts) => self.junction(parts, true),
            Expr::If(c, a, b) => self.value(if self.holds(c)? { a } else { b }),
            Expr::Defined(e) => Some(i64::from(self.value(e)? != UNDEF)),
            Expr::Quantified(quantifier, kinds, bound, body) => {
                let mut count = 0;
                for agent in self.agents(kinds) {
                    let holds = self.with(*bound, agent).holds(body)?;
                    match quantifier {
                        Quantifier::Forall if !holds => return Some(0),
                        Quantifier::Exists if holds => return Some(1),
                        _ => count += i64::from(holds),
                    }
                }
                Some(match quantifier {
                    Quantifier::Forall => 1,
                    Quantifier::Exists => 0,
                    Quantifier::Count => count,
                })
            }
        }
    }

    fn junction(&self, parts: &[Expr], decides: bool) -> Option<Value> {
        for part in parts {
            if self.holds(part)? == decides {
                return Some(i64::from(decides));
            }
        }
        Some(i64::from(!decides))
    }
}

/// The conjuncts of a condition.
pub(crate) fn conjuncts(e: &Expr) -> &[Expr] {
    match e {
        Expr::And(parts) => parts,
        e => std::slice::from_ref(e),
    }
}

/// `=` between a cell and a number: what guards of bookkeeping look like.
pub(crate) fn test_of_cell(e: &Expr) -> Option<(&Place, &Expr)> {
    match e {
        Expr::Binary(BinaryOp::Eq, a, b, _) => match &**a {
            Expr::Read(place) => Some((place, b)),
            _ => None,
        },
        _ => None,
    }
}
