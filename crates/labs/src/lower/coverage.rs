//! What coverage counts in a LAbS model: actions, guards of processes, and link predicates.
//!
//! A guard is *looked at* in a state if an agent is at an action behind it and may act: it has nothing to send, and it is
//! its turn. An inner guard is looked at only if the outer ones are satisfied. Each agent looks at a guard once, however
//! many actions are behind it. A guard that is undefined is not satisfied (table 3.5), so its outcome is false.
//!
//! A link predicate is looked at when a message is sent, once for each other agent that holds the tuple and whose
//! timestamp lets the link decide. With `--sync` messages are parts of actions, and links are not counted.
//!
//! A condition that is written `true` or `false` has nothing to decide and is not counted.

use super::expr::Names;
use super::message::is;
use super::{Guard, Lowerer, Options, Semantics, structures};
use crate::model::{ActionId, Cond, CondNode, KindId, Model, Process, ProcessNode, TupleId};
use std::collections::BTreeMap;
use swarmcheck_ir as ir;
use swarmcheck_ir::coverage::{Point, PointKind, Points, Probe};
use swarmcheck_source::{Diagnostic, Span};
use swarmcheck_triples::Structure;

/// The points of the program that [`super::lower`] makes with the same options.
pub fn points(model: &Model, options: Options) -> Result<Points, Box<Diagnostic>> {
    let structures = structures(model, options.choice)?;
    let low = Lowerer::new(model, options, &structures);
    let mut out = Points { points: places(model), ..Points::default() };
    for (number, structure) in structures.iter().enumerate() {
        for triple in &structure.triples {
            let action = model.action(triple.action);
            let point = (!action.pass).then(|| at(&out.points, PointKind::Action, action.span)).flatten();
            out.taken.push(point);
        }
        low.guard_probes(KindId(number as u32), structure, &mut out);
    }
    if !options.sync {
        for tuple in (0..model.tuples.len() as u32).map(TupleId) {
            low.link_probes(tuple, out.taken.len(), &mut out);
            out.taken.extend([None, None]);
        }
    }
    Ok(out)
}

/// Every place of the file, each once, in order; also what no agent can ever come to.
fn places(model: &Model) -> Vec<Point> {
    let actions = model.actions.iter().filter(|action| !action.pass).map(|action| action.span);
    let mut out: Vec<Point> = actions.map(|span| Point { span, kind: PointKind::Action }).collect();
    for process in &model.processes {
        guards(&process.body, &mut out);
    }
    for stigmergy in &model.stigmergies {
        note(PointKind::Link, &stigmergy.link, &mut out);
    }
    // What several kinds have in common is read once for each.
    out.sort_unstable();
    out.dedup();
    out
}

fn note(kind: PointKind, cond: &Cond, out: &mut Vec<Point>) {
    if !matches!(cond.node, CondNode::Bool(_)) {
        out.push(Point { span: cond.span, kind });
    }
}

fn guards(process: &Process, out: &mut Vec<Point>) {
    match &process.node {
        ProcessNode::Nil | ProcessNode::Action(_) | ProcessNode::Call(_) => {}
        ProcessNode::Seq(parts) | ProcessNode::Choice(parts) | ProcessNode::Par(parts) => {
            parts.iter().for_each(|part| guards(part, out));
        }
        ProcessNode::Guard(cond, body) | ProcessNode::Conditional(cond, _, body) => {
            note(PointKind::Guard, cond, out);
            guards(body, out);
        }
    }
}

fn at(points: &[Point], kind: PointKind, span: Span) -> Option<usize> {
    points.binary_search(&Point { span, kind }).ok()
}

impl Lowerer<'_> {
    fn guard_probes(&self, kind: KindId, structure: &Structure<ActionId, Guard<'_>>, out: &mut Points) {
        let names = Names::acting();
        let satisfied = |cond, negated| self.exprs(&names).guard(&Guard { cond, negated });
        // For each guard, where it is looked at.
        let mut looked: BTreeMap<usize, (&Cond, Vec<ir::Expr>)> = BTreeMap::new();
        for triple in &structure.triples {
            let here = triple
                .entry
                .iter()
                .map(|(pc, at)| is(self.pcs[pc.0 as usize], ir::Expr::Me, i64::from(at.0)));
            let mut before: Vec<ir::Expr> = here.collect();
            for guard in &triple.guards {
                if let Some(point) = at(&out.points, PointKind::Guard, guard.cond.span) {
                    let place = ir::Expr::and(before.iter().cloned());
                    let (_, places) = looked.entry(point).or_insert((guard.cond, vec![]));
                    if !places.contains(&place) {
                        places.push(place);
                    }
                }
                before.push(satisfied(guard.cond, guard.negated));
            }
        }
        let ready = self.ready(kind);
        for (point, (cond, places)) in looked {
            let here = ir::Expr::and([ready.clone(), ir::Expr::or(places)]);
            for outcome in [true, false] {
                let guard = ir::Expr::and([here.clone(), satisfied(cond, !outcome)]);
                let function = ir::Function {
                    name: format!("probe.{}", out.probes.len()),
                    rule: ir::Rule::System { verb: "look at", object: String::new(), site: point as u32 },
                    owners: vec![ir::KindId(kind.0)],
                    entry: vec![],
                    guard,
                    locals: vec![],
                    body: vec![],
                    span: cond.span,
                };
                out.probes.push(Probe { point, outcome, of: None, function });
            }
        }
    }

    /// Sends of a tuple: `first` is the function of its propagation, and its confirmation follows.
    fn link_probes(&self, tuple: TupleId, first: usize, out: &mut Points) {
        let link = &self.model.stigmergy(self.model.tuple(tuple).stigmergy).link;
        let Some(point) = at(&out.points, PointKind::Link, link.span) else { return };
        let names = Names::acting();
        let order = self.tuples[tuple.0 as usize].order;
        let time = |agent: ir::Expr| ir::Expr::Read(ir::Place::of(order, agent));
        let compared = |op| ir::Expr::binary(op, time(ir::Expr::Bound(0)), time(ir::Expr::Me), link.span);
        // PUT needs an older copy; QRY1 an older one and QRY2 a newer one, in the paper also an equal one.
        let asks = match self.options.semantics {
            Semantics::Sliver => compared(ir::BinaryOp::Ne),
            Semantics::Paper => ir::Expr::TRUE,
        };
        let messages = [(self.propagate(tuple), compared(ir::BinaryOp::Lt)), (self.confirm(tuple), asks)];
        for (number, (message, decides)) in messages.into_iter().enumerate() {
            for outcome in [true, false] {
                let linked = self.exprs(&names).satisfied(link);
                let linked = if outcome { linked } else { ir::Expr::not(linked) };
                let pick = ir::Stmt::Pick {
                    local: ir::LocalId(0),
                    kinds: message.owners.clone(),
                    bound: 0,
                    condition: ir::Expr::and([decides.clone(), linked]),
                };
                let function = ir::Function {
                    name: format!("probe.{}", out.probes.len()),
                    locals: vec![ir::Local { name: "receiver".to_string(), length: Some(1) }],
                    body: vec![pick],
                    ..message.clone()
                };
                out.probes.push(Probe { point, outcome, of: Some(first + number), function });
            }
        }
    }
}
