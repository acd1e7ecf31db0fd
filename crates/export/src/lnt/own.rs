//! Cells of one agent, as its own process keeps them, and of the agent that has sent it a message.

use super::expr::{Exprs, Places, refuse};
use super::network::Tuple;
use super::place::{relation, within};
use super::shape::{Storage, VarLayout};
use super::stmt::Writes;
use super::text::{Lines, line, sequence};
use crate::Refusal;
use std::cell::RefCell;
use std::collections::BTreeMap;
use swarmcheck_ir::{BinaryOp, Expr, Place, VarId};

/// What a block of an agent's process can see.
pub(crate) struct Own<'a> {
    /// The shapes of the agent's variables.
    pub shapes: &'a [VarLayout],
    /// The tuples, with the gates of their timestamps.
    pub tuples: &'a [Tuple],
    /// How expressions call the agent whose process this is.
    pub me: Expr,
    /// How they call the sender of a message, and the variables that its values were received into.
    pub sender: Option<(Expr, BTreeMap<VarId, String>)>,
    /// Timestamps that the block has written; the gates that say so come later.
    pub refreshed: RefCell<Vec<VarId>>,
}

impl Own<'_> {
    fn is(&self, agent: Option<&Expr>) -> bool {
        agent == Some(&self.me)
    }

    fn is_sender(&self, agent: Option<&Expr>) -> bool {
        self.sender.as_ref().is_some_and(|(sender, _)| agent == Some(sender))
    }

    fn name(&self, var: VarId) -> &str {
        &self.shapes[var.0 as usize].name
    }

    fn tuple(&self, var: VarId) -> Result<&Tuple, Refusal> {
        match self.tuples.iter().find(|t| t.order == var) {
            Some(tuple) => Ok(tuple),
            None => refuse("a timestamp of no tuple"),
        }
    }

    /// A cell of the agent itself.
    fn cell_of(&self, exprs: &Exprs<'_>, place: &Place) -> Result<String, Refusal> {
        if !self.is(place.agent.as_deref()) {
            return refuse(format!(
                "`{}` belongs to another agent or to none, but LNT processes of agents share no variables",
                exprs.program.var(place.var).name
            ));
        }
        match self.shapes[place.var.0 as usize].kind {
            Storage::Table { .. } => Ok(format!("{}[{}]", self.name(place.var), within(exprs, place)?)),
            _ => Ok(self.name(place.var).to_string()),
        }
    }
}

impl Places for Own<'_> {
    fn read(&self, exprs: &Exprs<'_>, place: &Place) -> Result<String, Refusal> {
        if let Some((_, sent)) = &self.sender
            && self.is_sender(place.agent.as_deref())
            && let Some(name) = sent.get(&place.var)
        {
            return Ok(name.clone());
        }
        self.cell_of(exprs, place)
    }

    fn compare(&self, _: &Exprs<'_>, op: BinaryOp, a: &Place, b: &Place) -> Result<String, Refusal> {
        let (a, b) = (a.agent.as_deref(), b.agent.as_deref());
        if self.is(a) && self.is_sender(b) {
            return Ok(format!("comparison {}", relation(op)));
        }
        if self.is_sender(a) && self.is(b) {
            return Ok(format!("comparison {}", relation(op.mirrored())));
        }
        refuse("a comparison of timestamps is not between a sender and a receiver")
    }

    fn is_time(&self, place: &Place) -> bool {
        matches!(self.shapes.get(place.var.0 as usize), Some(VarLayout { kind: Storage::Times { .. }, .. }))
    }
}

impl Writes for Own<'_> {
    fn assign(&self, exprs: &Exprs<'_>, place: &Place, value: String) -> Result<Lines, Refusal> {
        Ok(line(format!("{} := {value}", self.cell_of(exprs, place)?)))
    }

    fn stamp(&self, exprs: &Exprs<'_>, place: &Place, value: &Expr) -> Result<Lines, Refusal> {
        if !self.is(place.agent.as_deref()) {
            return refuse("an agent writes the timestamp of another one");
        }
        if *value == Expr::Const(i64::from(exprs.program.agents())) {
            self.refreshed.borrow_mut().push(place.var);
        } else if *value != self.me {
            return refuse("a timestamp that is neither the newest nor a copy");
        }
        Ok(vec![])
    }

    fn copy(&self, exprs: &Exprs<'_>, var: VarId, to: &Expr, from: &Expr) -> Result<Lines, Refusal> {
        if !self.is(Some(to)) || !self.is_sender(Some(from)) {
            return refuse("a value is copied, but not from a sender to a receiver");
        }
        if matches!(self.shapes[var.0 as usize].kind, Storage::Times { .. }) {
            let tuple = self.tuple(var)?;
            return Ok(line(format!(
                "{} ({}, {})",
                tuple.adopt,
                tuple.position("me"),
                tuple.position("from")
            )));
        }
        match self.sender.as_ref().and_then(|(_, sent)| sent.get(&var)) {
            Some(sent) => Ok(line(format!("{} := {sent}", self.name(var)))),
            None => refuse(format!("`{}` is not in the message", exprs.program.var(var).name)),
        }
    }

    fn cell(&self, exprs: &Exprs<'_>, place: &Place, cell: u32) -> Result<String, Refusal> {
        let whole = self.cell_of(exprs, &Place { index: vec![], ..place.clone() });
        match self.shapes[place.var.0 as usize].kind {
            Storage::Table { .. } if self.is(place.agent.as_deref()) => {
                Ok(format!("{}[{cell}]", self.name(place.var)))
            }
            _ => whole,
        }
    }
}

/// Labels for what has changed in an agent's own variable, and for what it is at the start.
pub(crate) fn labels(shape: &VarLayout, label: &str, old: Option<&str>) -> Lines {
    let name = &shape.name;
    let one = |cell: Option<u32>| {
        let index = cell.map_or(String::new(), |c| format!("[{c}]"));
        let which = cell.map_or(String::new(), |c| format!("{c}, "));
        let action = line(format!("ASSIGN (me, \"{label}\", {which}{name}{index})"));
        match old {
            None => action,
            Some(old) => {
                super::text::nest(format!("if {name}{index} <> {old}{index} then"), action, "end if")
            }
        }
    };
    match shape.kind {
        Storage::Scalar => one(None),
        Storage::Table { cells } => sequence((0..cells).map(|c| one(Some(c))).collect()),
        _ => vec![],
    }
}
