//! Process definitions: calls resolved, guards checked, actions numbered in the order of the text. The step that passes
//! `g => P` is numbered where `g` stands.

use super::Checker;
use super::scope::{Context, Place};
use super::words;
use crate::codes;
use crate::model::{Action, ActionId, KindId, Process, ProcessDef, ProcessId, ProcessNode};
use crate::syntax::ast;
use swarmcheck_source::{Diagnostic, Span};

/// Stands for a process that could not be read or does not exist: some step, after which things go on.
const UNKNOWN_STEP: ActionId = ActionId(u32::MAX);

/// The walk over one definition.
pub(super) struct Body<'x, 'a> {
    pub context: Context<'x, 'a>,
    pub actions: &'x mut Vec<Action>,
    /// The kind it belongs to; `None` if global.
    pub kind: Option<KindId>,
}

impl Checker<'_> {
    /// All definitions, in the order of the text, with their actions.
    pub(super) fn process_definitions(&mut self) -> (Vec<ProcessDef>, Vec<Action>) {
        let mut actions = vec![];
        let mut definitions = vec![];
        for (at, entry) in self.names.processes.iter().enumerate() {
            let mut context = Context::new(&self.names, &mut self.facts, &mut self.out, Place::Process);
            context.process = Some(ProcessId(at as u32));
            let mut walk = Body { context, actions: &mut actions, kind: entry.kind };
            let body = walk.process(&entry.source.body);
            let name = &entry.source.name;
            definitions.push(ProcessDef { name: name.text.clone(), span: name.span, kind: entry.kind, body });
        }
        (definitions, actions)
    }

    /// The `Behavior` of every kind, its own or the global one.
    pub(super) fn behaviors(&mut self) -> Vec<ProcessId> {
        let mut found = vec![];
        for kind in self.names.kind_ids() {
            found.push(self.names.process(Some(kind), "Behavior").unwrap_or(ProcessId(u32::MAX)));
            if found.last() == Some(&ProcessId(u32::MAX)) {
                let name = &self.names.kind_entry(kind).agent.name;
                let message = format!("agent `{}` has no `Behavior`", name.text);
                let own = &self.names.kind_entry(kind).agent.processes;
                let near = self.names.nearest("Behavior", own.iter().map(|p| p.name.text.as_str()));
                let help = near.map_or("say what it does: `Behavior = …`".to_string(), |_| {
                    "the process that an agent runs is called `Behavior` or `Behaviour`".to_string()
                });
                self.out.push(Diagnostic::error(codes::MISSING_BEHAVIOR, name.span, message).help(help));
            }
        }
        found
    }
}

impl Body<'_, '_> {
    pub(super) fn process(&mut self, process: &ast::Process) -> Process {
        let span = process.span;
        let node = match &process.node {
            ast::ProcessNode::Skip => self.action(&[], false, span),
            ast::ProcessNode::Nil => ProcessNode::Nil,
            ast::ProcessNode::Call(name) => self.call(name, span),
            ast::ProcessNode::Assign(assignment) => {
                self.action(std::slice::from_ref(assignment), false, span)
            }
            ast::ProcessNode::Block(assignments) => self.action(assignments, true, span),
            ast::ProcessNode::Seq(parts) => ProcessNode::Seq(self.parts(parts)),
            ast::ProcessNode::Choice(parts) => ProcessNode::Choice(self.parts(parts)),
            ast::ProcessNode::Par(parts) => ProcessNode::Par(self.parts(parts)),
            ast::ProcessNode::Guard(guard, body) => {
                ProcessNode::Guard(self.context.cond(guard), Box::new(self.process(body)))
            }
            ast::ProcessNode::Conditional(guard, body) => {
                let guard = self.context.cond(guard);
                self.actions.push(Action {
                    span: guard.span,
                    pass: true,
                    assignments: vec![],
                    locals: vec![],
                });
                let pass = ActionId(self.actions.len() as u32 - 1);
                ProcessNode::Conditional(guard, pass, Box::new(self.process(body)))
            }
            ast::ProcessNode::Rated(process, rate) => self.rated(process, rate),
            ast::ProcessNode::Error => {
                self.context.facts.incomplete = true;
                ProcessNode::Action(UNKNOWN_STEP)
            }
        };
        Process { node, span }
    }

    fn parts(&mut self, parts: &[ast::Process]) -> Vec<Process> {
        parts.iter().map(|part| self.process(part)).collect()
    }

    fn action(&mut self, assignments: &[ast::Assignment], block: bool, span: Span) -> ProcessNode {
        let action = self.context.action(assignments, block, span);
        self.actions.push(action);
        ProcessNode::Action(ActionId(self.actions.len() as u32 - 1))
    }

    fn call(&mut self, name: &str, span: Span) -> ProcessNode {
        let names = self.context.names;
        if let Some(id) = names.process(self.kind, name) {
            return ProcessNode::Call(id);
        }
        let message = format!("there is no process named `{name}`");
        let mut error = Diagnostic::error(codes::UNKNOWN_PROCESS, span, message);
        let elsewhere: Vec<_> = names.processes.iter().filter(|p| p.source.name.text == name).collect();
        if elsewhere.is_empty() {
            error = error.did_you_mean(names.nearest(name, names.process_names(self.kind)));
        } else {
            let owners = words::list(elsewhere.iter().filter_map(|p| p.kind).map(|k| names.kind_name(k)));
            error = error.help(match self.kind {
                None => format!("{owners} defines it, but global processes can only call global ones"),
                Some(_) => format!("{owners} defines it: move it to the `system` section to share it"),
            });
            for entry in elsewhere {
                error = error.also(entry.source.name.span, "defined only for this kind");
            }
        }
        self.context.error(error);
        ProcessNode::Action(UNKNOWN_STEP)
    }
}
