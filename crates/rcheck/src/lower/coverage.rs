//! What coverage counts in an R-CHECK script: the commands of every agent type, and the outcomes of its guards
//! (`guards`).
//!
//! Sends and gets are functions of the program. A receive is counted once for each step of a sender that lets an agent
//! make it, and a supply once for each get that it can answer.

use super::{Lowerer, lowerer};
use crate::model::{Act, Specification};
use swarmcheck_ir as ir;
use swarmcheck_ir::coverage::{Point, PointKind, Points, Probe};
use swarmcheck_source::Span;

/// The points of the program that [`super::lower`] makes of the same specification.
pub fn points(spec: &Specification, claims: bool) -> Points {
    let low = lowerer(spec, claims);
    let mut out = Points { points: places(spec), ..Points::default() };
    for me in 0..spec.instances.len() {
        for edge in 0..low.automaton(me).edges.len() {
            let Some(function) = low.function(me, edge, out.taken.len()) else { continue };
            let command = low.command(me, edge);
            let of = out.taken.len();
            out.taken.push(at(&out.points, kind(&command.act), command.span));
            for (span, kind, guard) in low.reactions(me, edge) {
                let Some(point) = at(&out.points, kind, span) else { continue };
                let function = ir::Function {
                    name: format!("probe.{}", out.probes.len()),
                    guard: ir::Expr::and([function.guard.clone(), guard]),
                    locals: vec![],
                    body: vec![],
                    ..function.clone()
                };
                out.probes.push(Probe { point, outcome: true, of: Some(of), function });
            }
        }
    }
    low.guard_probes(&mut out);
    out
}

fn places(spec: &Specification) -> Vec<Point> {
    let commands = spec.agents.iter().flat_map(|agent| &agent.commands);
    let mut out: Vec<Point> = commands.map(|c| Point { span: c.span, kind: kind(&c.act) }).collect();
    out.extend(super::guards::places(spec));
    out.sort_unstable();
    out.dedup();
    out
}

fn kind(act: &Act) -> PointKind {
    match act {
        Act::Send { .. } => PointKind::Send,
        Act::Receive { .. } => PointKind::Receive,
        Act::Get { .. } => PointKind::Get,
        Act::Supply { .. } => PointKind::Supply,
    }
}

pub(super) fn at(points: &[Point], kind: PointKind, span: Span) -> Option<usize> {
    points.binary_search(&Point { span, kind }).ok()
}

impl Lowerer<'_> {
    /// The commands of other agents that may be part of a step, and when they are.
    fn reactions(&self, me: usize, edge: usize) -> Vec<(Span, PointKind, ir::Expr)> {
        let command = self.command(me, edge);
        let place = |agent: usize, command: usize| self.spec.agent_of(agent).commands[command].span;
        match &command.act {
            Act::Receive { .. } | Act::Supply { .. } => vec![],
            Act::Send { .. } => {
                let Some(message) = self.message(me, command) else { return vec![] };
                let mut out = vec![];
                for other in (0..self.spec.instances.len()).filter(|other| *other != me) {
                    for (edge, when) in self.receives(other, &message) {
                        let reached = [self.listens(other, &message), self.meant(other, &message), when];
                        out.push((place(other, edge.command), PointKind::Receive, ir::Expr::and(reached)));
                    }
                }
                out
            }
            Act::Get { .. } => {
                let meetings = self.meetings(me, command).into_iter();
                meetings.map(|m| (place(m.supplier, m.edge.command), PointKind::Supply, m.when)).collect()
            }
        }
    }
}
