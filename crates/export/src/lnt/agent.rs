//! The processes that the parallel program is composed of: agents, timestamps of tuples, the scheduler.

use super::expr::refuse;
use super::helpers::Helper;
use super::module::{Actor, Gate, Parameter, gate, gates_text, process};
use super::network::Tuple;
use super::own;
use super::parallel::{Writer, scheduler_gates};
use super::shape::Storage;
use super::text::{Lines, branches, declare, line, nest, sequence};
use crate::Refusal;
use std::collections::BTreeMap;
use swarmcheck_ir::{Expr, KindId, Stmt, VarId};

impl Writer<'_> {
    fn tuples_of(&self, kind: KindId) -> impl Iterator<Item = (usize, &Tuple)> {
        self.network.tuples.iter().enumerate().filter(move |(_, t)| t.kinds.contains(&kind))
    }

    /// The gates of agents of a kind. Those in the second list are for all agents that have them to meet at once.
    pub(super) fn agent_gates(&self, kind: KindId) -> (Vec<Gate>, Vec<String>) {
        let mut gates = vec![
            gate("ASSIGN", "ASSIGNMENT"),
            gate("START", "none"),
            gate("STEP", "STEPS"),
            gate("ACT", "AGENTS"),
            gate("TELL", "AGENTS"),
        ];
        let mut meet = vec!["START".to_string()];
        for (i, tuple) in self.tuples_of(kind) {
            for message in self.network.messages.iter().flatten().filter(|m| m.tuple == i) {
                gates.push(Self::message_gate(message));
                meet.push(message.gate.clone());
            }
            meet.push(tuple.done.clone());
            gates.extend([
                gate(&tuple.done, "none"),
                gate(&tuple.refresh, "AGENTS"),
                gate(&tuple.compare, "COMPARISONS"),
                gate(&tuple.adopt, "PAIRS"),
            ]);
        }
        (gates, meet)
    }

    /// The process of an agent.
    pub(super) fn agent(&self, kind: KindId) -> Result<Lines, Refusal> {
        let owned = |v: &VarId| {
            let owners = self.program().var(*v).owners.as_ref();
            owners.is_some_and(|o| o.contains(&kind))
                && matches!(self.module.shape(*v).kind, Storage::Scalar | Storage::Table { .. })
        };
        let vars: Vec<VarId> = (0..self.program().vars.len() as u32).map(VarId).filter(owned).collect();
        let mut start = vec![];
        for var in &vars {
            let shape = self.module.shape(*var);
            start.push(line(match &shape.kind {
                Storage::Scalar => format!("{} := 0", shape.name),
                other => format!("{} := {} (0)", shape.name, other.type_name()),
            }));
        }
        for s in &self.program().init {
            match s {
                Stmt::ForEach(kinds, bound, body) if kinds.contains(&kind) => {
                    let cells = self.own(Expr::Bound(*bound), None);
                    let actor = Actor { me: None, bound: BTreeMap::from([(*bound, "me".to_string())]) };
                    let locals = &self.program().init_locals;
                    start.push(self.module.body(&cells, actor, locals, body, |_, all| Ok(sequence(all)))?);
                }
                Stmt::ForEach(..) | Stmt::Rank(_) => {}
                _ => return refuse("initial values of several agents depend on each other"),
            }
        }
        for var in vars.iter().filter(|v| self.module.shape(**v).shown) {
            start.push(own::labels(self.module.shape(*var), &self.program().var(*var).name, None));
        }
        start.push(line("START"));
        let ways = self.ways(kind)?;
        start.push(match ways.len() {
            0 => line("stop"),
            _ => nest("loop", branches("select", ways, "[]", "end select"), "end loop"),
        });
        let declared: Vec<(String, String)> = vars
            .iter()
            .map(|v| (self.module.shape(*v).name.clone(), self.module.shape(*v).kind.type_name()))
            .collect();
        let name = &self.kinds[kind.0 as usize];
        let head = format!("process {name} [{}]", gates_text(&self.agent_gates(kind).0));
        let remark = format!("-- An agent of kind {}.", self.program().kind(kind).name);
        Ok(process(remark, head, &["me: nat".to_string()], declare(&declared, sequence(start))))
    }

    /// What an agent of a kind may do next.
    fn ways(&self, kind: KindId) -> Result<Vec<Lines>, Refusal> {
        let call = |name: &str, gates: &[Gate], parameters: &[Parameter]| {
            self.module.call(name, gates, "me", parameters)
        };
        let mut ways = vec![];
        for (i, f) in self.program().functions.iter().enumerate() {
            let f = &self.network.without_turn(f)?;
            let message = self.network.messages[i].as_ref();
            if f.owners.contains(&kind) {
                let gates = message.map_or_else(|| self.action_gates(f), |m| self.sender_gates(m));
                ways.push(call(
                    &self.module.functions[i],
                    &gates,
                    &self.parameters(&self.touched(f, message)),
                ));
            }
            if let Some(message) = message
                && self.network.tuples[message.tuple].kinds.contains(&kind)
            {
                let parameters = self.parameters(&Self::received(message, &self.network));
                ways.push(call(&message.receiver, &self.receiver_gates(message), &parameters));
            }
        }
        Ok(ways)
    }

    /// The process that keeps the timestamps of a tuple.
    pub(super) fn timestamps(&self, tuple: &Tuple) -> Result<Lines, Refusal> {
        let n = tuple.agents;
        self.module.helpers.borrow_mut().extend([Helper::Newest(n), Helper::Adopt(n)]);
        let initial = self.module.first_times(tuple.order, n)?;
        let two = format!("where (p < {n}) and (q < {n})");
        let declared = |names: &[(&str, &str)], body: Vec<Lines>| {
            let names: Vec<(String, String)> =
                names.iter().map(|(n, k)| (n.to_string(), k.to_string())).collect();
            declare(&names, sequence(body))
        };
        let ways = vec![
            declared(
                &[("p", "nat")],
                vec![
                    line(format!("{} (?p) where p < {n}", tuple.refresh)),
                    line(format!("eval Newest_{n} (!?time, p)")),
                ],
            ),
            declared(
                &[("p", "nat"), ("q", "nat"), ("r", "RELATION")],
                vec![line(format!("{} (?p, ?q, ?r) {two} and (r == time[(p * {n}) + q])", tuple.compare))],
            ),
            declared(
                &[("p", "nat"), ("q", "nat")],
                vec![
                    line(format!("{} (?p, ?q) {two}", tuple.adopt)),
                    line(format!("eval Adopt_{n} (!?time, p, q)")),
                ],
            ),
        ];
        let body = sequence(vec![
            line(format!("time := {initial}")),
            nest("loop", branches("select", ways, "[]", "end select"), "end loop"),
        ]);
        let gates = [
            gate(&tuple.refresh, "AGENTS"),
            gate(&tuple.compare, "COMPARISONS"),
            gate(&tuple.adopt, "PAIRS"),
        ];
        let head = format!("process {} [{}] is", tuple.process, gates_text(&gates));
        let mut out = line("-- Who has the newer value.");
        let time = [("time".to_string(), format!("TIMES_{n}"))];
        out.extend(nest(head, declare(&time, body), "end process"));
        Ok(out)
    }

    /// The process that lets one agent after the other act or send.
    pub(super) fn scheduler(&self) -> Lines {
        let n = self.program().agents();
        let done = |message: bool| {
            let mut steps = vec![];
            for (i, f) in self.program().functions.iter().enumerate() {
                if self.network.messages[i].is_some() == message {
                    steps.push(line(format!("STEP (p, \"{}\")", f.name)));
                }
            }
            steps
        };
        let (acted, told) = (done(false), done(true));
        let mut ways = vec![];
        if !acted.is_empty() {
            let whose =
                if self.network.turn.is_some() { "p == turn".to_string() } else { format!("p < {n}") };
            let mut way = vec![line(format!("ACT (?p) where {whose}")), choice(acted)];
            if self.network.turn.is_some() {
                let mut next =
                    vec![format!("if turn == {} then", n.saturating_sub(1)), "   turn := 0".to_string()];
                next.extend(["else".to_string(), "   turn := turn + 1".to_string(), "end if".to_string()]);
                way.push(next);
            }
            ways.push(sequence(way));
        }
        if !told.is_empty() {
            ways.push(sequence(vec![line(format!("TELL (?p) where p < {n}")), choice(told)]));
        }
        let mut body = vec![];
        let mut declared = vec![];
        if self.network.turn.is_some() {
            declared.push(("turn".to_string(), "nat".to_string()));
            body.push(line("turn := 0"));
        }
        body.push(line("START"));
        body.push(match ways.len() {
            0 => line("stop"),
            _ => {
                let agent = [("p".to_string(), "nat".to_string())];
                nest("loop", declare(&agent, choice(ways)), "end loop")
            }
        });
        let head = format!("process SCHEDULER [{}] is", gates_text(&scheduler_gates()));
        let order = if self.network.turn.is_some() { "in turn" } else { "in any order" };
        let mut out = line(format!("-- Lets agents act {order}, and send messages in any order."));
        out.extend(nest(head, declare(&declared, sequence(body)), "end process"));
        out
    }
}

fn choice(mut ways: Vec<Lines>) -> Lines {
    if ways.len() == 1 { ways.remove(0) } else { branches("select", ways, "[]", "end select") }
}
