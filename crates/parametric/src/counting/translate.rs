//! State predicates as conditions on counters.
//!
//! For a fixed control state, a quantifier ranges over the agents that the control state names, the agents that outer quantifiers have bound, and
//! one more agent in each place. All other agents of a place are like that one: agents are anonymous, so what a predicate says of an agent that is
//! neither named nor bound depends on its place only. One more agent is there if the counter is greater than the number of
//! agents of the place that are bound already. So
//!
//! `∃x φ(x) = ⋁ φ(named) ∨ ⋁ φ(bound) ∨ ⋁ over places p (counter of p ≥ 1 + bound agents in p) ∧ φ(fresh agent in p)`
//!
//! and `∀` is its dual. A number of agents `#φ` is a sum of counters, plus what named agents add, plus the difference that bound agents
//! make. Places in which no agent can be while the control state is this one ([`System::together`]) are left out. Quantifier-free parts
//! are evaluated. Errors of evaluation (an index out of bounds) are refused, even where short-circuit evaluation would not meet them.

use super::formula::{Atom, Formula};
use super::system::{ControlId, PlaceId, System};
use crate::keep::{has_quantifier, place as place_of};
use crate::premise::{Broken, Premise};
use crate::sorts::Identities;
use swarmcheck_ir::{BinaryOp, Expr, KindId, Place, Quantifier, UNDEF, UnaryOp, Value, VarId, arith};

/// Translates predicates of one counter system.
pub struct Translator<'a> {
    system: &'a System,
    identities: Identities,
}

/// An agent that a predicate can speak of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Agent {
    /// One that global identities name.
    Named(usize),
    /// Another one: its place, and its number among those that are bound there.
    Counted(PlaceId, usize),
}

/// What an expression evaluates to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Evaluated {
    Number(Value),
    Agent(Agent),
}

/// A sum of counters and a number.
struct Sum {
    terms: Vec<(PlaceId, i64)>,
    number: i64,
}

type Bound = Vec<(u32, Agent)>;

impl<'a> Translator<'a> {
    /// A translator.
    pub fn new(system: &'a System) -> Translator<'a> {
        Translator { system, identities: Identities::new(&system.program) }
    }

    /// The condition on counters under which a predicate has a truth value in a control state.
    pub fn condition(&self, control: ControlId, e: &Expr, truth: bool) -> Result<Formula, Premise> {
        self.formula(control, &vec![], e, truth)
    }

    fn formula(&self, control: ControlId, bound: &Bound, e: &Expr, truth: bool) -> Result<Formula, Premise> {
        if !has_quantifier(e) {
            let value = match self.value(control, bound, e)? {
                Evaluated::Number(value) => value != 0,
                Evaluated::Agent(_) => return outside(e),
            };
            return Ok(if value == truth { Formula::True } else { Formula::False });
        }
        let parts = |parts: &mut dyn Iterator<Item = &Expr>, all: bool| {
            let parts = parts.map(|part| self.formula(control, bound, part, truth));
            let parts: Vec<Formula> = parts.collect::<Result<_, _>>()?;
            Ok(if all == truth { Formula::and(parts) } else { Formula::or(parts) })
        };
        match e {
            Expr::Unary(UnaryOp::Not, inner) => self.formula(control, bound, inner, !truth),
            Expr::And(all) => parts(&mut all.iter(), true),
            Expr::Or(all) => parts(&mut all.iter(), false),
            Expr::If(c, a, b) => {
                let yes = [self.formula(control, bound, c, true)?, self.formula(control, bound, a, truth)?];
                let no = [self.formula(control, bound, c, false)?, self.formula(control, bound, b, truth)?];
                Ok(Formula::or([Formula::and(yes), Formula::and(no)]))
            }
            Expr::Quantified(quantifier @ (Quantifier::Forall | Quantifier::Exists), kinds, x, body) => {
                self.quantified(control, bound, (kinds, *x, body), truth, *quantifier == Quantifier::Exists)
            }
            Expr::Binary(op, a, b, _) if op.is_comparison() => {
                let op = match truth {
                    true => *op,
                    false => op.negated().ok_or_else(|| premise(e))?,
                };
                let (a, b) = (self.sum(control, bound, a)?, self.sum(control, bound, b)?);
                compared(op, &a, &b).ok_or_else(|| premise(e))
            }
            _ => outside(e),
        }
    }

    fn quantified(
        &self,
        control: ControlId,
        bound: &Bound,
        (kinds, x, body): (&[KindId], u32, &Expr),
        truth: bool,
        existential: bool,
    ) -> Result<Formula, Premise> {
        let mut parts = vec![];
        for (agent, exists) in self.agents(control, bound, kinds) {
            let inner = self.formula(control, &with(bound, x, agent), body, truth)?;
            parts.push(match (exists, existential == truth) {
                (None, _) => inner,
                (Some(exists), true) => Formula::and([Formula::atom(exists), inner]),
                (Some(exists), false) => Formula::or([Formula::atom(exists.negated()), inner]),
            });
        }
        Ok(if existential == truth { Formula::or(parts) } else { Formula::and(parts) })
    }

    /// All agents of some kinds, up to exchange; those that need not exist with the condition under which they do.
    fn agents(&self, control: ControlId, bound: &Bound, kinds: &[KindId]) -> Vec<(Agent, Option<Atom>)> {
        let fits = |place: PlaceId| kinds.contains(&self.system.places[place].kind);
        let named = self.system.controls[control].named.iter().enumerate();
        let named = named.filter(|(_, place)| fits(**place)).map(|(at, _)| (Agent::Named(at), None));
        let mut out: Vec<(Agent, Option<Atom>)> = named.collect();
        for (_, agent) in bound {
            if let Agent::Counted(place, _) = agent
                && fits(*place)
                && !out.iter().any(|(known, _)| known == agent)
            {
                out.push((*agent, None));
            }
        }
        for place in self.system.together[control].iter().copied().filter(|place| fits(*place)) {
            let before = bound_in(bound, place).len();
            let exists = Atom::at_least(place, before as i64 + 1);
            out.push((Agent::Counted(place, before), Some(exists)));
        }
        out
    }

    /// An expression that may count agents.
    fn sum(&self, control: ControlId, bound: &Bound, e: &Expr) -> Result<Sum, Premise> {
        if !has_quantifier(e) {
            return match self.value(control, bound, e)? {
                Evaluated::Number(UNDEF) | Evaluated::Agent(_) => outside(e),
                Evaluated::Number(number) => Ok(Sum { terms: vec![], number }),
            };
        }
        let fail = || premise(e);
        match e {
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b, _) => {
                let (a, b) = (self.sum(control, bound, a)?, self.sum(control, bound, b)?);
                let sign = if *op == BinaryOp::Add { 1 } else { -1 };
                plus(&a, &b, sign).ok_or_else(fail)
            }
            Expr::Binary(BinaryOp::Mul, a, b, _) => {
                let (a, b) = (self.sum(control, bound, a)?, self.sum(control, bound, b)?);
                let (sum, factor) = if a.terms.is_empty() { (b, a) } else { (a, b) };
                match factor.terms.is_empty() {
                    true => plus(&Sum { terms: vec![], number: 0 }, &sum, factor.number).ok_or_else(fail),
                    false => outside(e),
                }
            }
            Expr::Unary(UnaryOp::Neg, inner) => {
                let inner = self.sum(control, bound, inner)?;
                plus(&Sum { terms: vec![], number: 0 }, &inner, -1).ok_or_else(fail)
            }
            Expr::Quantified(Quantifier::Count, kinds, x, body) if !has_quantifier(body) => {
                let holds = |agent: Agent| match self.value(control, &with(bound, *x, agent), body)? {
                    Evaluated::Number(value) => Ok(i64::from(value != 0)),
                    Evaluated::Agent(_) => outside(body),
                };
                let mut sum = Sum { terms: vec![], number: 0 };
                for (agent, exists) in self.agents(control, bound, kinds) {
                    match (agent, exists) {
                        (Agent::Named(_), _) => sum.number += holds(agent)?,
                        (Agent::Counted(..), None) => {}
                        (Agent::Counted(place, _), Some(_)) => {
                            let fresh = holds(agent)?;
                            sum.terms.push((place, fresh));
                            for other in bound_in(bound, place) {
                                sum.number += holds(other)? - fresh;
                            }
                        }
                    }
                }
                Ok(sum)
            }
            _ => outside(e),
        }
    }

    /// The value of an expression without quantifiers.
    fn value(&self, control: ControlId, bound: &Bound, e: &Expr) -> Result<Evaluated, Premise> {
        let number = |e: &Expr| match self.value(control, bound, e)? {
            Evaluated::Number(value) => Ok(value),
            Evaluated::Agent(_) => outside(e),
        };
        let value = match e {
            Expr::Const(value) => *value,
            Expr::Bound(x) => {
                let found = bound.iter().rev().find(|(y, _)| x == y);
                return found.map_or_else(|| outside(e), |(_, agent)| Ok(Evaluated::Agent(*agent)));
            }
            Expr::Read(place) => return self.read(control, bound, place),
            Expr::Unary(op, inner) => arith::unary(*op, number(inner)?),
            Expr::Binary(op, a, b, _) => {
                let sides = (self.value(control, bound, a)?, self.value(control, bound, b)?);
                match sides {
                    (Evaluated::Number(a), Evaluated::Number(b)) => {
                        arith::binary(*op, a, b).ok_or_else(|| premise(e))?
                    }
                    (Evaluated::Agent(a), Evaluated::Agent(b)) => {
                        same(*op, a == b).ok_or_else(|| premise(e))?
                    }
                    // The other side names no agent: it is ⊥ or negative.
                    (Evaluated::Agent(_), Evaluated::Number(n))
                    | (Evaluated::Number(n), Evaluated::Agent(_)) => match n {
                        UNDEF if op.is_comparison() => 0,
                        n if n < 0 => same(*op, false).ok_or_else(|| premise(e))?,
                        _ => return outside(e),
                    },
                }
            }
            Expr::And(parts) => {
                let values: Vec<Value> = parts.iter().map(number).collect::<Result<_, _>>()?;
                i64::from(values.iter().all(|value| *value != 0))
            }
            Expr::Or(parts) => {
                let values: Vec<Value> = parts.iter().map(number).collect::<Result<_, _>>()?;
                i64::from(values.iter().any(|value| *value != 0))
            }
            Expr::If(c, a, b) => {
                let chosen = if number(c)? != 0 { a } else { b };
                return self.value(control, bound, chosen);
            }
            Expr::Defined(inner) => i64::from(self.value(control, bound, inner)? != Evaluated::Number(UNDEF)),
            Expr::Me | Expr::Local(_) | Expr::LocalCell(..) | Expr::Quantified(..) => return outside(e),
        };
        Ok(Evaluated::Number(value))
    }

    fn read(&self, control: ControlId, bound: &Bound, place: &Place) -> Result<Evaluated, Premise> {
        let program = &self.system.program;
        let fail = || Premise { broken: Broken::NotCounted, span: place.span };
        let agent = match &place.agent {
            None => None,
            Some(agent) => match self.value(control, bound, agent)? {
                Evaluated::Agent(agent) => Some(agent),
                Evaluated::Number(UNDEF) => return Ok(Evaluated::Number(UNDEF)),
                Evaluated::Number(_) => return Err(fail()),
            },
        };
        let mut offset = 0;
        for (index, size) in place.index.iter().zip(&program.var(place.var).dimensions) {
            let index = match self.value(control, bound, index)? {
                Evaluated::Number(UNDEF) => return Ok(Evaluated::Number(UNDEF)),
                Evaluated::Number(index) if (0..i64::from(*size)).contains(&index) => index as usize,
                _ => return Err(fail()),
            };
            offset = offset * *size as usize + index;
        }
        let named = &self.system.controls[control].named;
        let cells = match agent {
            None => &self.system.controls[control].globals,
            Some(Agent::Named(at)) => &self.system.places[named[at]].cells,
            Some(Agent::Counted(at, _)) => &self.system.places[at].cells,
        };
        let kind = agent.map(|agent| match agent {
            Agent::Named(at) => self.system.places[named[at]].kind,
            Agent::Counted(at, _) => self.system.places[at].kind,
        });
        let first = first_cell(program, place.var, kind).ok_or_else(fail)?;
        let value = *cells.get(first + offset).ok_or_else(fail)?;
        if self.identities.holds(place.var)
            && let Some(at) = usize::try_from(value).ok().filter(|at| *at < named.len())
        {
            return Ok(Evaluated::Agent(Agent::Named(at)));
        }
        Ok(Evaluated::Number(value))
    }
}

/// Where the cells of a variable begin among those of a kind, or among the globals.
fn first_cell(program: &swarmcheck_ir::Program, var: VarId, kind: Option<KindId>) -> Option<usize> {
    let belongs = |var: &swarmcheck_ir::Var| match (&var.owners, kind) {
        (None, None) => true,
        (Some(owners), Some(kind)) => owners.contains(&kind),
        _ => false,
    };
    belongs(program.var(var)).then_some(())?;
    let before = &program.vars[..var.0 as usize];
    Some(before.iter().filter(|var| belongs(var)).map(swarmcheck_ir::Var::cells).sum())
}

fn with(bound: &Bound, x: u32, agent: Agent) -> Bound {
    let mut bound = bound.clone();
    bound.push((x, agent));
    bound
}

/// The different agents of a place that are bound.
fn bound_in(bound: &Bound, place: PlaceId) -> Vec<Agent> {
    let mut out: Vec<Agent> = vec![];
    for (_, agent) in bound {
        if matches!(agent, Agent::Counted(at, _) if *at == place) && !out.contains(agent) {
            out.push(*agent);
        }
    }
    out
}

fn same(op: BinaryOp, equal: bool) -> Option<Value> {
    match op {
        BinaryOp::Eq => Some(i64::from(equal)),
        BinaryOp::Ne => Some(i64::from(!equal)),
        _ => None,
    }
}

fn plus(a: &Sum, b: &Sum, factor: i64) -> Option<Sum> {
    let mut terms = a.terms.clone();
    for (place, one) in &b.terms {
        terms.push((*place, one.checked_mul(factor)?));
    }
    Some(Sum { terms, number: a.number.checked_add(b.number.checked_mul(factor)?)? })
}

/// `a op b` as inequalities over whole numbers.
fn compared(op: BinaryOp, a: &Sum, b: &Sum) -> Option<Formula> {
    let at_least = |a: &Sum, b: &Sum, more: i64| {
        let difference = plus(a, b, -1)?;
        // Small enough for sums and negations to fit.
        let numbers = difference.terms.iter().map(|(_, factor)| *factor).chain([difference.number]);
        numbers.into_iter().all(|number| number.abs() < 1 << 40).then_some(())?;
        Some(Formula::atom(Atom::new(difference.terms, more.checked_sub(difference.number)?)))
    };
    Some(match op {
        BinaryOp::Ge => at_least(a, b, 0)?,
        BinaryOp::Gt => at_least(a, b, 1)?,
        BinaryOp::Le => at_least(b, a, 0)?,
        BinaryOp::Lt => at_least(b, a, 1)?,
        BinaryOp::Eq => Formula::and([at_least(a, b, 0)?, at_least(b, a, 0)?]),
        BinaryOp::Ne => Formula::or([at_least(a, b, 1)?, at_least(b, a, 1)?]),
        _ => return None,
    })
}

fn premise(e: &Expr) -> Premise {
    Premise { broken: Broken::NotCounted, span: place_of(e) }
}

fn outside<T>(e: &Expr) -> Result<T, Premise> {
    Err(premise(e))
}
