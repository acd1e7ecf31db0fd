//! The steps of the system: one send with the reaction of every other agent, or one get with one supply.

use super::expr::{Context, Message, as_number, compare, equal};
use super::{Lowerer, bounds};
use crate::automaton::Edge;
use crate::model::{Act, Command, Expr, From};
use swarmcheck_ir as ir;

/// Everything is admitted: π of a step that addresses a location.
static ANYBODY: Expr = Expr::Value(1);

/// A pair of commands that meet, and when.
pub(super) struct Meeting {
    pub(super) supplier: usize,
    pub(super) edge: Edge,
    pub(super) when: ir::Expr,
}

impl<'s> Lowerer<'s> {
    pub(super) fn command(&self, instance: usize, edge: usize) -> &'s Command {
        let at = self.automaton(instance).edges[edge].command;
        &self.spec.agent_of(instance).commands[at]
    }

    /// The function of an edge, if the agent can take it on its own initiative.
    pub(super) fn function(&self, me: usize, edge: usize, site: usize) -> Option<ir::Function> {
        let at = self.automaton(me).edges[edge];
        let command = self.command(me, edge);
        let mut locals = Locals::default();
        let (verb, guard, body) = match &command.act {
            Act::Receive { .. } | Act::Supply { .. } => return None,
            Act::Send { .. } => {
                let message = self.message(me, command)?;
                let body = self.send(me, at, command, &message, &mut locals);
                ("send", self.sendable(me, command, &message), body)
            }
            Act::Get { .. } => {
                let meetings = self.meetings(me, command);
                let guard = ir::Expr::or(meetings.iter().map(|m| m.when.clone()));
                let choose = meetings.into_iter().map(|m| {
                    let body = self.meet(me, at, command, &m, &mut locals);
                    (m.when, body)
                });
                ("get", guard, vec![ir::Stmt::Choose(choose.collect())])
            }
        };
        let name = format!("{}.{}", self.spec.instances[me].name, site + 1);
        let object = command.words.clone();
        Some(ir::Function {
            name,
            rule: ir::Rule::System { verb, object, site: site as u32 },
            owners: vec![ir::KindId(me as u32)],
            entry: vec![(super::STATE, i64::from(at.from))],
            guard,
            locals: locals.declared(),
            body,
            span: command.span,
        })
    }

    /// The message of a send.
    pub(super) fn message(&self, me: usize, command: &'s Command) -> Option<Message<'s>> {
        let Act::Send { channel, target, .. } = &command.act else { return None };
        let own = Context::of(me);
        let channel = Some(self.value(channel, &own)?);
        Some(Message { channel, data: self.data(me, command), from: me, target, supplier: None })
    }

    fn data(&self, me: usize, command: &Command) -> Vec<Option<ir::Expr>> {
        let mut data = vec![None; self.spec.messages.len()];
        for (at, e) in command.data() {
            data[*at] = self.value(e, &Context::of(me)).map(as_number);
        }
        data
    }

    /// Values that leave the bounds of their variables make a transition impossible: V' has none for them.
    pub(super) fn within(&self, me: usize, command: &Command, context: &Context<'_>) -> ir::Expr {
        let locals = &self.spec.agent_of(me).locals;
        let own = Context::of(me);
        let updates = command.update.iter().map(|(at, e)| (locals[*at].ty, self.value(e, context)));
        let data = command.data().iter().map(|(at, e)| (self.spec.messages[*at].ty, self.value(e, &own)));
        let mut parts = vec![];
        for (ty, value) in updates.chain(data) {
            let (Some((low, high)), Some(value)) = (bounds(ty), value) else { continue };
            parts.push(compare(ir::BinaryOp::Ge, value.clone(), ir::Expr::Const(low)));
            parts.push(compare(ir::BinaryOp::Le, value, ir::Expr::Const(high)));
        }
        ir::Expr::and(parts)
    }

    /// ∃PV.f (definition 2): what an agent's relabelling gives is among the values of the property variables. It stands
    /// before everything that is said about an agent other than the sender, so one whose relabelling leaves a type blocks
    /// all messages.
    pub(super) fn relabelled(&self, other: usize) -> ir::Expr {
        let agent = self.spec.agent_of(other);
        let mut parts = vec![];
        for (e, variable) in agent.relabel.iter().zip(&self.spec.properties) {
            let (Some(e), Some((low, high))) = (e, bounds(variable.ty)) else { continue };
            let inside = |value: i64| (low..=high).contains(&value);
            let known = match e {
                Expr::Value(value) => Some((*value, *value)),
                Expr::Local(at) => self.spec.domain(agent.locals[*at].ty),
                _ => None,
            };
            if known.is_some_and(|(least, most)| inside(least) && inside(most)) {
                continue;
            }
            let Some(value) = self.value(e, &Context::of(other)) else { continue };
            parts.push(compare(ir::BinaryOp::Ge, value.clone(), ir::Expr::Const(low)));
            parts.push(compare(ir::BinaryOp::Le, value, ir::Expr::Const(high)));
        }
        ir::Expr::and(parts)
    }

    /// Φ, and that no agent blocks the send (definition 2): on a channel other than broadcast, every agent that is
    /// connected must be meant and able to receive.
    fn sendable(&self, me: usize, command: &Command, message: &Message<'_>) -> ir::Expr {
        let own = Context::of(me);
        let mut parts = vec![self.condition(&command.guard, &own), self.within(me, command, &own)];
        let Some(channel) = &message.channel else { return ir::Expr::FALSE };
        let mut listeners = vec![];
        for other in (0..self.spec.instances.len()).filter(|other| *other != me) {
            let able = ir::Expr::or(self.receives(other, message).into_iter().map(|(_, when)| when));
            let fine = ir::Expr::and([self.meant(other, message), able]);
            listeners.push(ir::Expr::or([ir::Expr::not(self.listens(other, message)), fine]));
            parts.push(self.relabelled(other));
        }
        parts.push(ir::Expr::or([self.broadcast(channel), ir::Expr::and(listeners)]));
        ir::Expr::and(parts)
    }

    /// gʳ, with broadcast added.
    pub(super) fn listens(&self, other: usize, message: &Message<'_>) -> ir::Expr {
        let context = Context { message: Some(message), ..Context::of(other) };
        let guard = self.condition(&self.spec.agent_of(other).receive_guard, &context);
        let everybody = message.channel.as_ref().map_or(ir::Expr::FALSE, |channel| self.broadcast(channel));
        ir::Expr::or([everybody, guard])
    }

    /// gˢ after f: the other agent's properties satisfy π.
    pub(super) fn meant(&self, other: usize, message: &Message<'_>) -> ir::Expr {
        let context = Context { receiver: Some(other), message: Some(message), ..Context::of(message.from) };
        self.condition(message.target, &context)
    }

    /// The receives of an agent that fit a message, and when they are enabled. A receive that reads what is not set never
    /// is.
    pub(super) fn receives(&self, other: usize, message: &Message<'_>) -> Vec<(Edge, ir::Expr)> {
        let context = Context { message: Some(message), ..Context::of(other) };
        let mut out = vec![];
        for edge in &self.automaton(other).edges {
            let command = &self.spec.agent_of(other).commands[edge.command];
            let Act::Receive { channel } = &command.act else { continue };
            if command.reads().iter().any(|at| message.data[*at].is_none()) {
                continue;
            }
            let (Some(mine), Some(theirs)) = (self.value(channel, &context), message.channel.clone()) else {
                continue;
            };
            let when = ir::Expr::and([
                self.is_at(other, edge.from),
                equal(mine, theirs),
                self.condition(&command.guard, &context),
                self.within(other, command, &context),
            ]);
            if when != ir::Expr::FALSE {
                out.push((*edge, when));
            }
        }
        out
    }

    fn is_at(&self, instance: usize, state: u32) -> ir::Expr {
        equal(ir::Expr::Read(self.state(instance)), ir::Expr::Const(i64::from(state)))
    }

    fn send(
        &self,
        me: usize,
        at: Edge,
        command: &Command,
        message: &Message<'_>,
        locals: &mut Locals,
    ) -> Vec<ir::Stmt> {
        let mut body = self.observe(message);
        for other in (0..self.spec.instances.len()).filter(|other| *other != me) {
            let context = Context { message: Some(message), ..Context::of(other) };
            let ways = self.receives(other, message);
            if ways.is_empty() {
                continue;
            }
            // A broadcast that the agent cannot receive leaves it as it is; a multicast would have been blocked.
            let none = ir::Expr::not(ir::Expr::or(ways.iter().map(|(_, when)| when.clone())));
            let mut branches = vec![];
            for (edge, when) in ways {
                let reaction = &self.spec.agent_of(other).commands[edge.command];
                let mut then = self.update(&[(other, edge, reaction, &context)], locals);
                then.extend(self.note(other, edge));
                branches.push((when, then));
            }
            let react = match (branches.len(), branches.pop()) {
                (1, Some((when, then))) => ir::Stmt::If(when, then, vec![]),
                (_, last) => {
                    branches.extend(last);
                    branches.push((none, vec![]));
                    ir::Stmt::Choose(branches)
                }
            };
            match ir::Expr::and([self.listens(other, message), self.meant(other, message)]) {
                ir::Expr::TRUE => body.push(react),
                ir::Expr::FALSE => {}
                reached => body.push(ir::Stmt::If(reached, vec![react], vec![])),
            }
        }
        body.extend(self.update(&[(me, at, command, &Context::of(me))], locals));
        body.extend(self.note(me, at));
        body
    }

    /// New values for some agents at once: all are computed before any is assigned.
    fn update(&self, parts: &[(usize, Edge, &Command, &Context<'_>)], locals: &mut Locals) -> Vec<ir::Stmt> {
        let mut values = vec![];
        for (agent, edge, command, context) in parts {
            for (at, e) in &command.update {
                let value = self.value(e, context).map(as_number);
                values.extend(value.map(|value| (self.place(*agent, *at), value)));
            }
            if edge.from != edge.to {
                values.push((self.state(*agent), ir::Expr::Const(i64::from(edge.to))));
            }
        }
        let together = values.len() > 1;
        let mut before = vec![];
        let mut noted = vec![];
        let mut after = vec![];
        for (number, (place, value)) in values.into_iter().enumerate() {
            let value = match value {
                ir::Expr::Const(_) => value,
                value if together => {
                    let local = locals.number(number);
                    before.push(ir::Stmt::Let(local, value));
                    ir::Expr::Local(local)
                }
                value => value,
            };
            if let Some(changed) = self.changed() {
                let differs = compare(ir::BinaryOp::Ne, ir::Expr::Read(place.clone()), value.clone());
                let note = ir::Stmt::Assign(ir::Place::global(changed), ir::Expr::TRUE);
                noted.push(ir::Stmt::If(differs, vec![note], vec![]));
            }
            after.push(ir::Stmt::Assign(place, value));
        }
        before.extend(noted);
        before.extend(after);
        before
    }

    /// The variable that says whether the step just made has changed anything, if a specification asks for it and is a part
    /// of the program.
    fn changed(&self) -> Option<ir::VarId> {
        let number = self.spec.observations.iter().position(|o| *o == Expr::Changed)?;
        self.observed.get(number).copied()
    }

    /// What the step just made was, for specifications.
    fn observe(&self, message: &Message<'_>) -> Vec<ir::Stmt> {
        let context = Context { message: Some(message), ..Context::of(message.from) };
        let mut out = self.forget_commands();
        for (var, observation) in self.observed.iter().zip(&self.spec.observations) {
            out.push(ir::Stmt::Assign(
                ir::Place::global(*var),
                as_number(self.condition(observation, &context)),
            ));
        }
        out
    }

    fn forget_commands(&self) -> Vec<ir::Stmt> {
        let set = |(_, var): &(_, ir::VarId)| ir::Stmt::Assign(ir::Place::global(*var), ir::Expr::FALSE);
        self.made.iter().map(set).collect()
    }

    /// What is remembered of a system that rests: nothing was communicated.
    pub(super) fn rest(&self) -> Vec<ir::Stmt> {
        let mut out = self.forget_commands();
        let unseen = |var: &ir::VarId| ir::Stmt::Assign(ir::Place::global(*var), ir::Expr::FALSE);
        out.extend(self.observed.iter().map(unseen));
        out
    }

    /// Takes note of a command that a specification names.
    fn note(&self, instance: usize, edge: Edge) -> Option<ir::Stmt> {
        let (_, var) = self.made.iter().find(|(who, _)| *who == (instance, edge.command))?;
        Some(ir::Stmt::Assign(ir::Place::global(*var), ir::Expr::TRUE))
    }

    /// Who can answer a get: the supplier's location or properties fit, and both guards hold on what the other says.
    pub(super) fn meetings(&self, me: usize, command: &Command) -> Vec<Meeting> {
        let Act::Get { from, .. } = &command.act else { return vec![] };
        let mine = self.data(me, command);
        let mut out = vec![];
        for supplier in (0..self.spec.instances.len()).filter(|other| *other != me) {
            for edge in &self.automaton(supplier).edges {
                let supply = &self.spec.agent_of(supplier).commands[edge.command];
                let Act::Supply { at, .. } = &supply.act else { continue };
                let theirs = self.data(supplier, supply);
                let unset = |command: &Command, data: &[Option<ir::Expr>]| {
                    command.reads().iter().any(|at| data[*at].is_none())
                };
                if unset(command, &theirs) || unset(supply, &mine) {
                    continue;
                }
                let own = Context::of(me);
                let fits = match (from, at) {
                    (From::Location(place), at) => {
                        let wanted = self.value(place, &own);
                        let here = match at {
                            Some(at) => self.value(at, &Context::of(supplier)),
                            None => Some(ir::Expr::Const(supplier as i64)),
                        };
                        wanted.zip(here).map_or(ir::Expr::FALSE, |(a, b)| equal(a, b))
                    }
                    // Who supplies at a location is not found by properties.
                    (From::Predicate(_), Some(_)) => ir::Expr::FALSE,
                    (From::Predicate(predicate), None) => {
                        let meant = self.condition(predicate, &Context { receiver: Some(supplier), ..own });
                        ir::Expr::and([self.relabelled(supplier), meant])
                    }
                };
                let (to_me, to_them) = (self.answer(me, from, theirs), self.answer(me, from, mine.clone()));
                let asking = Context { message: Some(&to_me), ..own };
                let answering = Context { message: Some(&to_them), ..Context::of(supplier) };
                let when = ir::Expr::and([
                    self.is_at(supplier, edge.from),
                    fits,
                    self.condition(&command.guard, &asking),
                    self.condition(&supply.guard, &answering),
                    self.within(me, command, &asking),
                    self.within(supplier, supply, &answering),
                ]);
                if when != ir::Expr::FALSE {
                    out.push(Meeting { supplier, edge: *edge, when });
                }
            }
        }
        out
    }

    fn answer<'a>(&self, me: usize, from: &'a From, data: Vec<Option<ir::Expr>>) -> Message<'a> {
        let target = match from {
            From::Predicate(predicate) => predicate,
            From::Location(_) => &ANYBODY,
        };
        Message { channel: None, data, from: me, target, supplier: None }
    }

    fn meet(
        &self,
        me: usize,
        at: Edge,
        command: &Command,
        meeting: &Meeting,
        locals: &mut Locals,
    ) -> Vec<ir::Stmt> {
        let Act::Get { from, .. } = &command.act else { return vec![] };
        let Meeting { supplier, edge, .. } = meeting;
        let supply = &self.spec.agent_of(*supplier).commands[edge.command];
        let (theirs, mine) = (self.data(*supplier, supply), self.data(me, command));
        // An observer sees what both sides say; where both set a variable, what the supplier says.
        let both = theirs.iter().zip(&mine).map(|(a, b)| a.clone().or(b.clone())).collect();
        let seen = Message { supplier: Some(*supplier), ..self.answer(me, from, both) };
        let (to_me, to_them) = (self.answer(me, from, theirs), self.answer(me, from, mine));
        let asking = Context { message: Some(&to_me), ..Context::of(me) };
        let answering = Context { message: Some(&to_them), ..Context::of(*supplier) };
        let mut body = self.observe(&seen);
        body.extend(
            self.update(&[(me, at, command, &asking), (*supplier, *edge, supply, &answering)], locals),
        );
        body.extend(self.note(me, at));
        body.extend(self.note(*supplier, *edge));
        body
    }

    /// Whether an agent can take the initiative now with a command.
    pub(super) fn possible(&self, me: usize, edge: &Edge) -> ir::Expr {
        let command = &self.spec.agent_of(me).commands[edge.command];
        let can = match &command.act {
            Act::Send { .. } => match self.message(me, command) {
                Some(message) => self.sendable(me, command, &message),
                None => ir::Expr::FALSE,
            },
            Act::Get { .. } => ir::Expr::or(self.meetings(me, command).into_iter().map(|m| m.when)),
            Act::Receive { .. } | Act::Supply { .. } => ir::Expr::FALSE,
        };
        ir::Expr::and([self.is_at(me, edge.from), can])
    }
}

/// Locals of a function, as many as are needed.
#[derive(Default)]
pub(super) struct Locals(usize);

impl Locals {
    fn number(&mut self, number: usize) -> ir::LocalId {
        self.0 = self.0.max(number + 1);
        ir::LocalId(number as u32)
    }

    fn declared(&self) -> Vec<ir::Local> {
        (0..self.0).map(|n| ir::Local { name: format!("new{n}"), length: None }).collect()
    }
}
