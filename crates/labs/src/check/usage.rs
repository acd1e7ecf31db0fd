//! Warnings about what is declared and not used.
//!
//! They are only given for files without mistakes: a misspelt use would make its declaration look unused.

use super::Checker;
use super::words::bare_class;
use crate::codes;
use crate::model::{StigmergyId, VarId};
use swarmcheck_source::{Diagnostic, Span};

impl Checker<'_> {
    /// All warnings about unused declarations. `reached` says which processes each kind can reach.
    pub(super) fn unused(&mut self, reached: &[Vec<bool>]) {
        self.unused_parameters();
        self.unused_variables();
        self.unused_stigmergies();
        self.unused_processes(reached);
        self.kinds_without_agents();
    }

    fn warn(&mut self, code: &'static str, span: Span, message: String) {
        self.out.push(Diagnostic::warning(code, span, message));
    }

    fn unused_parameters(&mut self) {
        for at in 0..self.names.parameters.len() {
            if !self.facts.parameters.contains(&at) {
                let parameter = &self.names.parameters[at];
                let message = format!("parameter `_{}` is never used", parameter.name);
                self.warn(codes::UNUSED_PARAMETER, parameter.span, message);
            }
        }
    }

    fn unused_variables(&mut self) {
        for at in 0..self.names.variables.len() {
            let id = VarId(at as u32);
            let idle = self.names.stigmergy_of(id).is_some_and(|s| self.names.participants(s).is_empty());
            if self.facts.read.contains(&id) || idle {
                continue;
            }
            let variable = self.names.var(id);
            let complaint = match self.facts.written.contains(&id) {
                true => "is assigned but never read",
                false => "is never used",
            };
            let message = format!("{} `{}` {complaint}", bare_class(variable.class), variable.name);
            self.warn(codes::UNUSED_VARIABLE, variable.span, message);
        }
    }

    fn unused_stigmergies(&mut self) {
        for at in 0..self.names.stigmergies.len() {
            if self.names.participants(StigmergyId(at as u32)).is_empty() {
                let name = &self.names.stigmergies[at].source.name;
                let message = format!("no agent takes part in stigmergy `{}`", name.text);
                let help = format!("list it in an agent: `stigmergies = {}`", name.text);
                self.out.push(Diagnostic::warning(codes::UNUSED_STIGMERGY, name.span, message).help(help));
            }
        }
    }

    fn unused_processes(&mut self, reached: &[Vec<bool>]) {
        for at in 0..self.names.processes.len() {
            if !reached.iter().any(|by_kind| by_kind[at]) {
                let name = &self.names.processes[at].source.name;
                let message = format!("no agent ever runs process `{}`", name.text);
                self.warn(codes::UNUSED_PROCESS, name.span, message);
            }
        }
    }

    fn kinds_without_agents(&mut self) {
        for at in 0..self.names.kinds.len() {
            let kind = &self.names.kinds[at];
            if kind.count == Some(0) {
                let message = format!("there are no agents of kind `{}`", kind.agent.name.text);
                self.warn(codes::NOT_SPAWNED, kind.agent.name.span, message);
            }
        }
    }
}
