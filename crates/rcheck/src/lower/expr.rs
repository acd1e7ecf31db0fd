//! Expressions of a specification as expressions of the program.
//!
//! A message variable that is not set, or a role that no agent has, has no value: a comparison with it does not hold.
//! Where a receive would read such a variable, the receive is not enabled; that is decided before anything is made of
//! it.

use super::{Lowerer, STATE};
use crate::model::{BROADCAST, Expr, Party};
use crate::syntax::ast::Op;
use swarmcheck_ir as ir;
use swarmcheck_source::Span;

/// What an expression can see.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    /// The agent at hand.
    pub(super) me: usize,
    /// The agent whose properties are meant.
    pub(super) receiver: Option<usize>,
    /// What is communicated.
    pub(super) message: Option<&'a Message<'a>>,
    /// Values for property variables, where a quantifier runs through them.
    pub(super) properties: Option<&'a [i64]>,
}

impl Context<'_> {
    pub(super) fn of(me: usize) -> Context<'static> {
        Context { me, receiver: None, message: None, properties: None }
    }
}

/// What is communicated in a step.
pub(super) struct Message<'a> {
    /// The channel, unless the step is point-to-point.
    pub(super) channel: Option<ir::Expr>,
    /// The values of the message variables that are set.
    pub(super) data: Vec<Option<ir::Expr>>,
    /// Who sends or asks, and whom: π.
    pub(super) from: usize,
    pub(super) target: &'a Expr,
    pub(super) supplier: Option<usize>,
}

/// Programs tell conditions from numbers; R-CHECK stores conditions in variables, as 0 or 1.
fn is_condition(e: &ir::Expr) -> bool {
    match e {
        ir::Expr::And(_) | ir::Expr::Or(_) | ir::Expr::Unary(ir::UnaryOp::Not, _) => true,
        ir::Expr::Binary(op, ..) => op.is_comparison(),
        _ => false,
    }
}

fn as_condition(e: ir::Expr) -> ir::Expr {
    match e {
        ir::Expr::Const(value) => ir::Expr::Const(i64::from(value != 0)),
        e if is_condition(&e) => e,
        e => ir::Expr::binary(ir::BinaryOp::Ne, e, ir::Expr::Const(0), Span::default()),
    }
}

/// A condition as a number.
pub(super) fn as_number(e: ir::Expr) -> ir::Expr {
    if is_condition(&e) { ir::Expr::ite(e, ir::Expr::Const(1), ir::Expr::Const(0)) } else { e }
}

pub(super) fn compare(op: ir::BinaryOp, a: ir::Expr, b: ir::Expr) -> ir::Expr {
    ir::Expr::binary(op, as_number(a), as_number(b), Span::default())
}

pub(super) fn equal(a: ir::Expr, b: ir::Expr) -> ir::Expr {
    compare(ir::BinaryOp::Eq, a, b)
}

fn number(value: usize) -> ir::Expr {
    ir::Expr::Const(value as i64)
}

impl Lowerer<'_> {
    /// A local variable of an agent.
    pub(super) fn place(&self, instance: usize, local: usize) -> ir::Place {
        let name = self.spec.agent_of(instance).locals[local].name.as_str();
        ir::Place::of(self.locals[name], number(instance))
    }

    /// Where an agent is in its automaton.
    pub(super) fn state(&self, instance: usize) -> ir::Place {
        ir::Place::of(STATE, number(instance))
    }

    /// A condition; without a value it does not hold.
    pub(super) fn condition(&self, e: &Expr, context: &Context<'_>) -> ir::Expr {
        self.value(e, context).map_or(ir::Expr::FALSE, as_condition)
    }

    /// A value, if there is one.
    pub(super) fn value(&self, e: &Expr, context: &Context<'_>) -> Option<ir::Expr> {
        Some(match e {
            Expr::Value(value) => ir::Expr::Const(*value),
            Expr::Local(at) => ir::Expr::Read(self.place(context.me, *at)),
            Expr::Message(at) => return context.message?.data[*at].clone(),
            Expr::Property(at) => match context.properties {
                Some(values) => ir::Expr::Const(values[*at]),
                None => {
                    let receiver = context.receiver?;
                    let relabelled = self.spec.agent_of(receiver).relabel[*at].as_ref()?;
                    self.value(relabelled, &Context::of(receiver))?
                }
            },
            Expr::Channel => context.message?.channel.clone()?,
            Expr::Myself => number(context.me),
            Expr::Of(instance, at) => ir::Expr::Read(self.place(*instance, *at)),
            Expr::State(instance) => ir::Expr::Read(self.state(*instance)),
            Expr::Label(instance, command) => self.made(*instance, *command)?,
            Expr::Enabled(instance, command) => self.enabled(*instance, *command),
            // A step changes nothing before it has come to an assignment that does: see `update`.
            Expr::Changed => ir::Expr::FALSE,
            Expr::Party(party) => {
                let message = context.message?;
                let multicast = message.channel.is_some();
                number(match party {
                    Party::Sender => Some(message.from).filter(|_| multicast),
                    Party::Getter => Some(message.from).filter(|_| !multicast),
                    Party::Supplier => message.supplier,
                    Party::Initiator => Some(message.from),
                    Party::Producer => Some(message.supplier.unwrap_or(message.from)),
                }?)
            }
            Expr::PointToPoint => ir::Expr::Const(i64::from(context.message?.channel.is_none())),
            Expr::Not(inner) => ir::Expr::not(self.condition(inner, context)),
            Expr::Negative(inner) => ir::Expr::unary(ir::UnaryOp::Neg, self.value(inner, context)?),
            Expr::Binary(op, a, b, at) => return self.binary(*op, a, b, at.0, context),
            Expr::Admitted(all, body) => self.admitted(*all, body, context)?,
        })
    }

    fn binary(&self, op: Op, a: &Expr, b: &Expr, at: Span, context: &Context<'_>) -> Option<ir::Expr> {
        let condition = |e| self.condition(e, context);
        let arithmetic = match op {
            Op::And => return Some(ir::Expr::and([condition(a), condition(b)])),
            Op::Or => return Some(ir::Expr::or([condition(a), condition(b)])),
            Op::Implies => return Some(ir::Expr::or([ir::Expr::not(condition(a)), condition(b)])),
            Op::Iff => return Some(equal(condition(a), condition(b))),
            Op::Mul => ir::BinaryOp::Mul,
            Op::Div => ir::BinaryOp::Div,
            Op::Add => ir::BinaryOp::Add,
            Op::Sub => ir::BinaryOp::Sub,
            Op::Eq => ir::BinaryOp::Eq,
            Op::Ne => ir::BinaryOp::Ne,
            Op::Lt => ir::BinaryOp::Lt,
            Op::Le => ir::BinaryOp::Le,
            Op::Gt => ir::BinaryOp::Gt,
            Op::Ge => ir::BinaryOp::Ge,
            // The checker keeps temporal operators out of expressions.
            Op::Until | Op::Release | Op::WeakUntil => return None,
        };
        match (self.value(a, context), self.value(b, context)) {
            (Some(a), Some(b)) => Some(ir::Expr::binary(arithmetic, as_number(a), as_number(b), at)),
            _ if arithmetic.is_comparison() => Some(ir::Expr::FALSE),
            _ => None,
        }
    }

    /// •∀O and •∃O (definition 6): over all values of the property variables that π admits.
    fn admitted(&self, all: bool, body: &Expr, context: &Context<'_>) -> Option<ir::Expr> {
        let message = context.message?;
        let mut parts = vec![];
        for values in assignments(self.spec) {
            let here = Context { properties: Some(&values), ..*context };
            let there = Context { me: message.from, ..here };
            let admits = self.condition(message.target, &there);
            let holds = self.condition(body, &here);
            parts.push(match all {
                true => ir::Expr::or([ir::Expr::not(admits), holds]),
                false => ir::Expr::and([admits, holds]),
            });
        }
        Some(if all { ir::Expr::and(parts) } else { ir::Expr::or(parts) })
    }

    /// Whether a channel is the broadcast channel.
    pub(super) fn broadcast(&self, channel: &ir::Expr) -> ir::Expr {
        equal(channel.clone(), ir::Expr::Const(BROADCAST))
    }
}

/// All values of the property variables together.
pub(crate) fn assignments(spec: &crate::model::Specification) -> Vec<Vec<i64>> {
    let mut out = vec![vec![]];
    for variable in &spec.properties {
        let Some((low, high)) = spec.domain(variable.ty) else { return vec![] };
        out = out.iter().flat_map(|known| (low..=high).map(|v| [known.as_slice(), &[v]].concat())).collect();
    }
    out
}
