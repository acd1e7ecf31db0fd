//! What specifications say about the whole system: variables, labels and states of agents, and what is possible.

use super::expr::{IDENTITY, Scope, joined};
use super::{Checker, Global};
use crate::codes;
use crate::model::{At, Expr, Type};
use crate::syntax::ast::{self, Name, Op};
use swarmcheck_source::{Diagnostic, Span};

impl Checker<'_> {
    /// Some send or get can be made now: a definition of the authors' translation to nuXmv.
    pub(super) fn progress(&self) -> Expr {
        let instances = 0..self.spec.instances.len();
        let commands = instances.flat_map(|i| (0..self.spec.agent_of(i).commands.len()).map(move |c| (i, c)));
        let possible =
            commands.filter(|(i, c)| !self.spec.receives(*i, *c)).map(|(i, c)| Expr::Enabled(i, c));
        joined(Op::Or, &possible.collect::<Vec<Expr>>(), At(Span::default()))
    }

    /// `k-x`: a variable, a label or the state of an agent.
    pub(super) fn of(&mut self, agent: &Name, variable: &Name, scope: &Scope<'_>) -> Option<(Expr, Type)> {
        let bound =
            scope.bound.iter().rev().find(|(known, _)| *known == agent.text).map(|(_, number)| *number);
        let named = match self.names.get(&agent.text) {
            Some((Global::Instance(number), _)) => Some(*number),
            _ => None,
        };
        let instance = bound.or(named);
        if let (Some(instance), true) = (instance, scope.observation && variable.text == IDENTITY) {
            return Some((Expr::Value(instance as i64), Type::Location));
        }
        let local = |name: &str| {
            scope.locals.iter().any(|v| v.name == name) || scope.parameters.iter().any(|p| p.name == name)
        };
        if let (Some(instance), false) = (instance, scope.system || local(&agent.text)) {
            let owner = self.script.system.get(instance).map_or("", |i| i.name.text.as_str());
            let (message, help) = match scope.observation {
                true => (
                    "an observation is about a message, not about the variables of agents".to_string(),
                    format!(
                        "write `{owner}-{0}` outside the brackets, as a condition on the state",
                        variable.text
                    ),
                ),
                false => (
                    format!("an agent cannot read `{}`, a variable of `{owner}`", variable.text),
                    format!("let `{owner}` send its value in a message, and store it in a local variable"),
                ),
            };
            let span = agent.span.to(variable.span);
            self.found.push(Diagnostic::error(codes::PLACE, span, message).help(help));
            return None;
        }
        if !scope.system {
            // Without spaces this may be meant as a difference.
            let (a, b) = (
                self.named(&agent.text, agent.span, scope)?,
                self.named(&variable.text, variable.span, scope)?,
            );
            self.fits(a.1, Type::Int, agent.span)?;
            self.fits(b.1, Type::Int, variable.span)?;
            let at = At(agent.span.to(variable.span));
            return Some((Expr::Binary(Op::Sub, Box::new(a.0), Box::new(b.0), at), Type::Int));
        }
        let Some(instance) = instance else {
            let known = self.script.system.iter().map(|i| i.name.text.as_str());
            let near = self.found.nearest(&agent.text, known);
            let message = format!("there is no agent `{}`", agent.text);
            self.missing(Diagnostic::error(codes::UNKNOWN, agent.span, message).did_you_mean(near));
            return None;
        };
        if variable.text == "automaton-state" {
            return Some((Expr::State(instance), Type::Int));
        }
        let kind = self.spec.agent_of(instance);
        if let Some(at) = kind.locals.iter().position(|v| v.name == variable.text) {
            return Some((Expr::Of(instance, at), kind.locals[at].ty));
        }
        let label = |c: &crate::model::Command| c.label.as_deref() == Some(variable.text.as_str());
        if let Some(first) = kind.commands.iter().position(label) {
            return Some((Expr::Label(instance, first), Type::Bool));
        }
        if variable.text == IDENTITY {
            return Some((Expr::Value(instance as i64), Type::Location));
        }
        // The authors' older tool calls it so.
        if variable.text == "state" {
            return Some((Expr::State(instance), Type::Int));
        }
        let known = kind.locals.iter().map(|v| v.name.as_str());
        let known = known.chain(kind.commands.iter().filter_map(|c| c.label.as_deref()));
        let near = self.found.nearest(&variable.text, known);
        let message = format!("`{}` has neither a variable nor a label `{}`", agent.text, variable.text);
        self.missing(Diagnostic::error(codes::UNKNOWN, variable.span, message).did_you_mean(near));
        None
    }

    /// `enabled(k-label)`: a send or get can be made now.
    pub(super) fn enabled(
        &mut self,
        name: &Name,
        arguments: &[ast::Expr],
        scope: &Scope<'_>,
    ) -> Option<(Expr, Type)> {
        let form = "write `enabled(k-label)` for the command `label` of the agent `k`";
        if !scope.system {
            let message = "`enabled` belongs in a specification, outside observations";
            self.found.push(Diagnostic::error(codes::PLACE, name.span, message));
            return None;
        }
        let [argument] = arguments else {
            let message = format!("`enabled` needs one label, not {}", arguments.len());
            self.found.push(Diagnostic::error(codes::ARGUMENTS, name.span, message).help(form));
            return None;
        };
        let checked = self.expr(argument, scope)?.0;
        match checked {
            Expr::Label(instance, command) if !self.spec.receives(instance, command) => {
                Some((Expr::Enabled(instance, command), Type::Bool))
            }
            Expr::Label(..) => {
                let message =
                    "`enabled` is about sends and gets: whether a receive is enabled depends on the message";
                let error = Diagnostic::error(codes::PLACE, argument.span, message);
                self.found.push(error.help(
                    "name the sends that it may answer; a receive's label alone says that it was just taken",
                ));
                None
            }
            _ => {
                let message = "`enabled` needs the label of a send or get";
                self.found.push(Diagnostic::error(codes::PLACE, argument.span, message).help(form));
                None
            }
        }
    }
}
