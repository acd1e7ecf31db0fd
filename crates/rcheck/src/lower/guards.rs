//! Outcomes of guards, for coverage. What is looked at where:
//!
//! * The guard Φ of a send: in every state, by every agent that has come to the send.
//! * A receive guard: for every message that is *ready* on a channel other than broadcast, by every other agent. A message is
//!   ready if its sender is at the send, Φ is true, and the values of the message and the update lie in their types. Others may
//!   still block it: so what blocks a message is among the outcomes.
//! * A send guard π: for every ready message and every other agent that listens to its channel.
//! * The guard of a receive: for every ready message that reaches an agent (it listens and satisfies π) which is at the receive,
//!   on the channel of the receive, if the message sets everything that the command reads.
//!
//! A guard that is written `true` or `false` has nothing to decide. Guards of gets and supplies are about both partners at
//! once, and are not counted.

use super::Lowerer;
use super::coverage::at;
use super::expr::{Context, Message, compare, equal};
use crate::model::{Act, BROADCAST, Command, Expr, Specification};
use std::collections::BTreeSet;
use swarmcheck_ir as ir;
use swarmcheck_ir::coverage::{Point, PointKind, Points, Probe};
use swarmcheck_source::Span;

/// The places of all guards that decide something.
pub(super) fn places(spec: &Specification) -> Vec<Point> {
    let mut out = vec![];
    let mut note = |kind, span: Span, guard: &Expr| {
        if !matches!(guard, Expr::Value(_)) && span != Span::default() {
            out.push(Point { span, kind });
        }
    };
    for agent in &spec.agents {
        note(PointKind::ReceiveGuard, agent.receive_guard_span, &agent.receive_guard);
        for command in &agent.commands {
            match &command.act {
                Act::Send { target, .. } => {
                    note(PointKind::Guard, command.guard_span, &command.guard);
                    note(PointKind::SendGuard, command.target_span, target);
                }
                Act::Receive { .. } => note(PointKind::Guard, command.guard_span, &command.guard),
                Act::Get { .. } | Act::Supply { .. } => {}
            }
        }
    }
    out
}

/// A guard that is looked at by an agent at a place of its process.
struct Looked {
    kind: PointKind,
    span: Span,
    /// When it is.
    when: ir::Expr,
    holds: ir::Expr,
}

impl Lowerer<'_> {
    /// Adds a probe for each outcome of each guard. The agent that is about to send runs it.
    pub(super) fn guard_probes(&self, out: &mut Points) {
        for me in 0..self.spec.instances.len() {
            // A command may leave a state in several ways, and is looked at once.
            let mut known = BTreeSet::new();
            for (number, edge) in self.automaton(me).edges.iter().enumerate() {
                if !known.insert((edge.command, edge.from)) {
                    continue;
                }
                for looked in self.looked(me, self.command(me, number)) {
                    let Some(point) = at(&out.points, looked.kind, looked.span) else { continue };
                    for outcome in [true, false] {
                        let holds = looked.holds.clone();
                        let holds = if outcome { holds } else { ir::Expr::not(holds) };
                        let function = ir::Function {
                            name: format!("probe.{}", out.probes.len()),
                            rule: ir::Rule::System {
                                verb: "look at",
                                object: String::new(),
                                site: point as u32,
                            },
                            owners: vec![ir::KindId(me as u32)],
                            entry: vec![(super::STATE, i64::from(edge.from))],
                            guard: ir::Expr::and([looked.when.clone(), holds]),
                            locals: vec![],
                            body: vec![],
                            span: looked.span,
                        };
                        out.probes.push(Probe { point, outcome, of: None, function });
                    }
                }
            }
        }
    }

    /// What is looked at where an agent has come to a send.
    fn looked(&self, me: usize, command: &Command) -> Vec<Looked> {
        let Some(message) = self.message(me, command) else { return vec![] };
        let Some(channel) = message.channel.clone() else { return vec![] };
        let own = Context::of(me);
        let holds = self.condition(&command.guard, &own);
        let ready = ir::Expr::and([holds.clone(), self.within(me, command, &own)]);
        let (kind, span) = (PointKind::Guard, command.guard_span);
        let mut out = vec![Looked { kind, span, when: ir::Expr::TRUE, holds }];
        for other in (0..self.spec.instances.len()).filter(|other| *other != me) {
            let agent = self.spec.agent_of(other);
            let context = Context { message: Some(&message), ..Context::of(other) };
            let before = ir::Expr::and([ready.clone(), self.relabelled(other)]);
            let multicast = compare(ir::BinaryOp::Ne, channel.clone(), ir::Expr::Const(BROADCAST));
            out.push(Looked {
                kind: PointKind::ReceiveGuard,
                span: agent.receive_guard_span,
                when: ir::Expr::and([before.clone(), multicast]),
                holds: self.condition(&agent.receive_guard, &context),
            });
            let heard = ir::Expr::and([before, self.listens(other, &message)]);
            let meant = self.meant(other, &message);
            out.push(Looked {
                kind: PointKind::SendGuard,
                span: command.target_span,
                when: heard.clone(),
                holds: meant.clone(),
            });
            let reached = ir::Expr::and([heard, meant]);
            out.extend(self.received_by(other, &message, &reached));
        }
        out
    }

    /// The receives of an agent that look at a message that has reached it.
    fn received_by(&self, other: usize, message: &Message<'_>, reached: &ir::Expr) -> Vec<Looked> {
        let context = Context { message: Some(message), ..Context::of(other) };
        let mut known = BTreeSet::new();
        let mut out = vec![];
        for edge in &self.automaton(other).edges {
            let command = &self.spec.agent_of(other).commands[edge.command];
            let Act::Receive { channel } = &command.act else { continue };
            let unset = command.reads().iter().any(|at| message.data[*at].is_none());
            if unset || !known.insert((edge.command, edge.from)) {
                continue;
            }
            let (Some(mine), Some(theirs)) = (self.value(channel, &context), message.channel.clone()) else {
                continue;
            };
            let place = ir::Expr::Read(self.state(other));
            let here = equal(place, ir::Expr::Const(i64::from(edge.from)));
            out.push(Looked {
                kind: PointKind::Guard,
                span: command.guard_span,
                when: ir::Expr::and([reached.clone(), here, equal(mine, theirs)]),
                holds: self.condition(&command.guard, &context),
            });
        }
        out
    }
}
