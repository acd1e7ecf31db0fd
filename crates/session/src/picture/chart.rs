//! A trace as a sequence chart: who says what to whom in each step.
//!
//! A propagation or confirmation of LAbS reaches everybody who is linked with the sender (rules PROPAGATE and CONFIRM of table 3.8 in
//! the thesis), also those who do not take anything over: these arrows are idle. A message of R-CHECK comes with the step. In
//! CCS and Chor a step of several agents is a function of one of them, whose guard reads the places of the others.

use super::links::Predicate;
use crate::languages::LanguageWord;
use crate::open::Prepared;
use crate::walk::Plan;
use std::collections::BTreeSet;
use swarmcheck_engine::trace::data::{ACTION, StepData, WriteData};
use swarmcheck_engine::trace::message::{self, DatumData, MessageData, PartData};
use swarmcheck_ir::flat::{Flat, Instance};
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{Expr, Rule, Value, VarId};
use swarmcheck_picture::data::{Arrow, Row};

/// One row for each step.
pub(super) fn rows(prepared: &Prepared, links: &[Predicate], steps: &[StepData], plan: &Plan) -> Vec<Row> {
    let mut before = &plan.initial;
    let mut out = vec![];
    for (told, made) in steps.iter().zip(&plan.steps) {
        let step = Step { prepared, links, told, instance: made.instance, before, after: &made.state };
        out.push(match told.message.as_deref().or(made.message.as_ref()) {
            Some(message) => step.message(message),
            None => step.row(),
        });
        before = &made.state;
    }
    out
}

struct Step<'a> {
    prepared: &'a Prepared,
    links: &'a [Predicate],
    told: &'a StepData,
    instance: Instance,
    before: &'a [Value],
    after: &'a [Value],
}

impl Step<'_> {
    fn flat(&self) -> &Flat {
        &self.prepared.flat
    }

    fn row(&self) -> Row {
        let actor = self.instance.agent;
        let row =
            |label: String, kind: &str, arrows| Row { agent: Some(actor), label, kind: kind.into(), arrows };
        let function = &self.flat().program.functions[self.instance.function as usize];
        match &function.rule {
            Rule::System { verb, object, .. } => {
                let link = self.links.iter().find(|link| link.link.tuples.contains(object));
                let arrows = link.map(|link| self.stigmergic(link)).unwrap_or_default();
                row(format!("{verb} {object}"), verb, arrows)
            }
            Rule::Action { words, .. } => match self.partners() {
                partners if partners.is_empty() => row(words.clone(), ACTION, self.delivered()),
                partners => {
                    let names = partners.iter().map(|agent| self.flat().program.agent_name(*agent));
                    let with = format!(" with {}", names.collect::<Vec<_>>().join(", "));
                    let label = words.strip_suffix(&with).unwrap_or(words).to_string();
                    let (kind, arrows) = self.joint(&partners);
                    row(label, kind, arrows)
                }
            },
        }
    }

    /// The agents whose places the step needs besides that of the agent that runs it.
    fn partners(&self) -> Vec<u32> {
        let program = &self.flat().program;
        let mut out = BTreeSet::new();
        if !matches!(self.prepared.language().word, LanguageWord::Ccs | LanguageWord::Chor) {
            return vec![];
        }
        program.functions[self.instance.function as usize].guard.walk(&mut |e| {
            if let Expr::Read(place) = e
                && let Some(Expr::Const(agent)) = place.agent.as_deref()
                && program.var(place.var).role == Role::Location
            {
                out.extend(u32::try_from(*agent).ok().filter(|agent| *agent < program.agents()));
            }
        });
        out.remove(&self.instance.agent);
        out.into_iter().collect()
    }

    /// What several agents do together.
    fn joint(&self, partners: &[u32]) -> (&'static str, Vec<Arrow>) {
        let actor = self.instance.agent;
        let arrow = |from: u32, to: u32| Arrow { from, to, effect: String::new(), idle: false };
        let forward = || partners.iter().map(|other| arrow(actor, *other)).collect();
        match (self.prepared.language().word, partners) {
            (LanguageWord::Chor, [other]) => {
                // A communication names its peers, the sender first.
                let labels = self.prepared.labels.as_deref().unwrap_or_default();
                let label = labels.get(self.instance.function as usize).map_or("", String::as_str);
                let peers = label.split_once('[').map_or("", |(_, rest)| rest.trim_end_matches(']'));
                let sender = peers.split(',').next().unwrap_or_default().trim();
                let program = &self.flat().program;
                let other_sends = program.kind(program.kind_of(*other)).name == sender;
                let arrows = if other_sends { vec![arrow(*other, actor)] } else { forward() };
                ("communicate", arrows)
            }
            (LanguageWord::Ccs, [other]) => {
                // The place of a step is that of the action of the agent that runs it: `'a` is an output, `a` an input.
                let span = self.flat().program.functions[self.instance.function as usize].span;
                let text = self.prepared.file.slice(span);
                let label = self.prepared.labels.as_deref().unwrap_or_default();
                let silent = label.get(self.instance.function as usize).is_some_and(|label| label == "tau");
                match silent && !text.starts_with('\'') {
                    true => ("sync", vec![arrow(*other, actor)]),
                    false => ("sync", forward()),
                }
            }
            _ => ("sync", forward()),
        }
    }

    /// A message to everybody who is linked with the sender.
    fn stigmergic(&self, link: &Predicate) -> Vec<Arrow> {
        let sender = self.instance.agent;
        let receivers = link.receivers(self.flat(), self.before, sender);
        let arrow = |to: u32| {
            let mut effect = written(self.told.writes.iter().filter(|write| write.agent == Some(to)));
            if effect.is_empty() && self.becomes_pending(to) {
                effect = "will answer".to_string();
            }
            Arrow { from: sender, to, idle: effect.is_empty(), effect }
        };
        receivers.into_iter().map(arrow).collect()
    }

    /// Whether an agent has something else to send after the step.
    fn becomes_pending(&self, agent: u32) -> bool {
        let mut changed =
            (0u32..).zip(self.before.iter().zip(self.after)).filter(|(_, (old, new))| old != new);
        changed.any(|(slot, _)| {
            let cell = self.flat().layout.cell(slot);
            cell.agent == Some(agent) && self.flat().program.var(cell.var).role == Role::Pending
        })
    }

    /// The messages that an action delivers itself, with `--sync`. Who took over a value has it from somebody with the same
    /// timestamp who is linked with it: first from those who had it before.
    fn delivered(&self) -> Vec<Arrow> {
        let heard: Vec<&WriteData> = self.told.writes.iter().filter(|write| write.heard).collect();
        let mut out = vec![];
        for link in self.links {
            for order in &link.link.orders {
                let of_tuple = |write: &&&WriteData| self.order_of(&write.variable) == Some(*order);
                let own: Vec<&WriteData> = heard.iter().filter(of_tuple).copied().collect();
                let mut waiting: BTreeSet<u32> = own.iter().filter_map(|write| write.agent).collect();
                let mut holders: Vec<u32> =
                    link.agents.iter().copied().filter(|agent| !waiting.contains(agent)).collect();
                let mut at = 0;
                while let Some(&from) = holders.get(at) {
                    at += 1;
                    for to in waiting.clone() {
                        let same =
                            self.rank(*order, from).is_some_and(|rank| Some(rank) == self.rank(*order, to));
                        if same && link.holds(self.flat(), self.after, from, to) {
                            waiting.remove(&to);
                            holders.push(to);
                            let effect = written(own.iter().copied().filter(|write| write.agent == Some(to)));
                            out.push(Arrow { from, to, effect, idle: false });
                        }
                    }
                }
            }
        }
        out
    }

    fn order_of(&self, variable: &str) -> Option<VarId> {
        let var = self.flat().program.vars.iter().find(|var| var.name == variable)?;
        match var.role {
            Role::Data { order, .. } => order,
            _ => None,
        }
    }

    fn rank(&self, order: VarId, agent: u32) -> Option<Value> {
        self.after.get(self.flat().layout.copy(order, agent)? as usize).copied()
    }

    /// A message of R-CHECK: on a channel, or a question with its answer.
    fn message(&self, message: &MessageData) -> Row {
        let from = message.by.agent;
        let named = |part: &PartData| part.label.clone().unwrap_or_else(|| part.command.clone());
        let said = |data: &[DatumData]| if data.is_empty() { String::new() } else { message::data(data) };
        let data = said(&message.data);
        let receives = |part: &PartData| Arrow { from, to: part.agent, effect: named(part), idle: false };
        let mut arrows: Vec<Arrow> = message.received.iter().map(receives).collect();
        let refused = |to: u32| Arrow { from, to, effect: String::new(), idle: true };
        arrows.extend(message.refused.iter().map(|one| refused(one.agent)));
        if let Some(answer) = &message.answer {
            let answer = said(answer);
            let back =
                |part: &PartData| Arrow { from: part.agent, to: from, effect: answer.clone(), idle: false };
            arrows.extend(message.received.iter().map(back));
        }
        let (label, kind) = match &message.channel {
            Some(channel) if data.is_empty() => (channel.clone(), "send"),
            Some(channel) => (format!("{channel} ({data})"), "send"),
            None if data.is_empty() => ("get".to_string(), "get"),
            None => (format!("get ({data})"), "get"),
        };
        Row { agent: Some(from), label, kind: kind.to_string(), arrows }
    }
}

/// `dirX = -1, dirY = 1`.
fn written<'w>(writes: impl Iterator<Item = &'w WriteData>) -> String {
    let one = |write: &WriteData| {
        let index = write.index.map_or(String::new(), |index| format!("[{index}]"));
        let value = match (&write.name, write.value) {
            (Some(name), _) => name.clone(),
            (None, Some(value)) => value.to_string(),
            (None, None) => "undef".to_string(),
        };
        format!("{}{index} = {value}", write.variable)
    };
    writes.map(one).collect::<Vec<_>>().join(", ")
}
