//! Integers without an initial value that nobody sees before they are written.
//!
//! An integer without bounds needs an initial value, or there would be infinitely many initial states. Models of the authors
//! leave it out where an agent always writes the variable before it reads it. Then all initial values lead to executions that
//! differ in nothing else, so one of them is enough, and 0 is taken.

use super::Checker;
use crate::automaton::automaton;
use crate::model::{Act, Agent, Atom, Command, Expr, From};
use crate::syntax::ast::Op;

/// Whether an agent of this type may read a local variable before it has written it: a command, the relabelling, which may be
/// evaluated at any time, the receive guard, or a condition on the initial state (`init` is that of one agent).
pub(super) fn is_read_first(agent: &Agent, variable: usize, init: &Expr) -> bool {
    let reads = |e: &Expr| mentions(e, &Expr::Local(variable));
    let always = agent.init.iter().chain(agent.relabel.iter().flatten()).chain([&agent.receive_guard, init]);
    if always.into_iter().any(reads) {
        return true;
    }
    let automaton = automaton(agent);
    // The states that may be reached while the variable is not written.
    let mut open = vec![false; automaton.states as usize];
    let mut todo = vec![0];
    while let Some(state) = todo.pop() {
        if std::mem::replace(&mut open[state as usize], true) {
            continue;
        }
        for edge in automaton.edges.iter().filter(|edge| edge.from == state) {
            let command = &agent.commands[edge.command];
            if expressions(command).into_iter().any(reads) {
                return true;
            }
            if command.update.iter().all(|(at, _)| *at != variable) {
                todo.push(edge.to);
            }
        }
    }
    false
}

/// All that a command evaluates.
fn expressions(command: &Command) -> Vec<&Expr> {
    let mut out = vec![&command.guard];
    match &command.act {
        Act::Send { channel, target, .. } => out.extend([channel, target]),
        Act::Receive { channel } => out.push(channel),
        Act::Get { from: From::Location(e) | From::Predicate(e), .. } => out.push(e),
        Act::Supply { at, .. } => out.extend(at),
    }
    out.extend(command.data().iter().chain(&command.update).map(|(_, e)| e));
    out
}

fn mentions(e: &Expr, wanted: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |e| found |= e == wanted);
    found
}

impl Checker<'_> {
    /// Gives 0 to the integers that agents do not read first, if no specification sees them either.
    pub(super) fn unread(&mut self) {
        for (instance, variable) in std::mem::take(&mut self.loose) {
            let seen = self.spec.specs.iter().any(|spec| {
                let mut atoms = vec![];
                spec.formula.atoms(&mut atoms);
                atoms.iter().any(|atom| match atom {
                    Atom::State(e) => mentions(e, &Expr::Of(instance, variable)),
                    Atom::Observed(_) => false,
                })
            });
            if seen {
                self.unlimited(instance, variable);
                continue;
            }
            let instance = &mut self.spec.instances[instance];
            let at = crate::model::At(instance.span);
            let zero = Expr::Binary(Op::Eq, Box::new(Expr::Local(variable)), Box::new(Expr::Value(0)), at);
            let init = std::mem::replace(&mut instance.init, Expr::Value(1));
            instance.init = Expr::Binary(Op::And, Box::new(init), Box::new(zero), at);
        }
    }
}
