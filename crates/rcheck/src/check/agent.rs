//! Agent types, their processes, and the agents of the system.

use super::expr::{Argument, Scope};
use super::{Checker, Global};
use crate::codes;
use crate::model::{Act, Agent, Command, Data, Expr, From, Instance, Process, Type, Variable};
use crate::syntax::ast::{self, Name};
use swarmcheck_source::{Diagnostic, Fix, Span};

impl Checker<'_> {
    pub(super) fn agents(&mut self) {
        let script = self.script;
        for agent in &script.agents {
            // Of an agent that could not be read nothing is known but its name, so nothing can be wrong with it.
            if agent.broken {
                let unread = ast::Agent { broken: true, ..ast::Agent::new(agent.name.clone()) };
                let checked = self.agent(&unread, vec![]);
                self.spec.agents.push(checked);
                continue;
            }
            let mut locals: Vec<Variable> = vec![];
            for variable in &agent.locals {
                self.not_reserved(&variable.name);
                let first = locals.iter().find(|v| v.name == variable.name.text).map(|v| v.span);
                // Inside an agent, a name that is also an agent's or an agent type's means the variable.
                let global = self.names.get(&variable.name.text);
                let global = global.filter(|(g, _)| !matches!(g, Global::Instance(_) | Global::Agent(_)));
                let global = global.map(|(_, span)| *span);
                if let Some(span) = first.or(global) {
                    let message = format!("the name `{}` is declared twice", variable.name.text);
                    let error = Diagnostic::error(codes::DUPLICATE, variable.name.span, message);
                    self.found.push(error.also(span, "first declared here"));
                }
                let variable = self.variable(variable);
                locals.push(variable);
            }
            let checked = self.agent(agent, locals);
            self.spec.agents.push(checked);
        }
        for instance in &script.system {
            self.instance(instance);
        }
        for number in 0..self.spec.instances.len() {
            self.fixed(number);
        }
        for guard in &script.guards {
            self.guard(guard);
        }
        self.relabelled();
    }

    /// A property variable that a command uses must be defined by every other agent.
    fn relabelled(&mut self) {
        let mut missing: Vec<(usize, usize, Span)> = vec![];
        for (number, instance) in self.spec.instances.iter().enumerate() {
            for command in &self.spec.agents[instance.agent].commands {
                let (Act::Send { target: asked, .. } | Act::Get { from: From::Predicate(asked), .. }) =
                    &command.act
                else {
                    continue;
                };
                asked.walk(&mut |e| {
                    let Expr::Property(property) = e else { return };
                    for (other, instance) in self.spec.instances.iter().enumerate() {
                        let known = self.spec.agents[instance.agent].relabel[*property].is_some();
                        let unread = self.script.agents[instance.agent].broken;
                        let told = missing.iter().any(|(a, p, _)| (*a, *p) == (instance.agent, *property));
                        if other != number && !known && !told && !unread {
                            missing.push((instance.agent, *property, command.span));
                        }
                    }
                });
            }
        }
        for (agent, property, span) in missing {
            let (agent, property) =
                (self.script.agents[agent].name.clone(), self.spec.properties[property].name.clone());
            let message = format!("`{}` does not define the property `{property}`", agent.text);
            let error = Diagnostic::error(codes::MISSING, agent.span, message);
            let error = error.also(span, "it is asked for here");
            self.missing(error.help(format!("add `{property} <- …` to `relabel:`")));
        }
    }

    fn agent(&mut self, agent: &ast::Agent, locals: Vec<Variable>) -> Agent {
        let mut relabel = vec![None; self.spec.properties.len()];
        let mut commands = vec![];
        let own = Scope { locals: &locals, agent: true, ..Scope::default() };
        let init = agent.init.iter().filter_map(|e| self.condition(e, &own)).collect();
        for (name, value) in &agent.relabel {
            let Some((Global::Property(number), _)) = self.names.get(&name.text).copied() else {
                self.unknown_variable(name, "property variable");
                continue;
            };
            if relabel[number].is_some() {
                let message = format!("`{}` is relabelled twice", name.text);
                self.error(codes::DUPLICATE, name.span, message);
            }
            relabel[number] = self.value(value, self.spec.properties[number].ty, &own);
        }
        let listening = Scope { channel: true, ..own.clone() };
        let receive_guard = match &agent.receive_guard {
            Some(e) => self.condition(e, &listening).unwrap_or(Expr::Value(0)),
            None => Expr::Value(0),
        };
        let repeat = match &agent.repeat {
            Some(process) => self.process(process, &own, &mut commands),
            None => Process::Choice(vec![]),
        };
        let mut labels: Vec<&Name> = vec![];
        agent.repeat.iter().for_each(|process| process.labels(&mut labels));
        self.labels(&labels, &locals);
        let name = agent.name.text.clone();
        let receive_guard_span = agent.receive_guard.as_ref().map(|e| e.span).unwrap_or_default();
        Agent { name, locals, init, relabel, receive_guard, repeat, commands, receive_guard_span }
    }

    /// A label must not mean anything else at the places where it may be used.
    fn labels(&mut self, labels: &[&Name], locals: &[Variable]) {
        for (number, label) in labels.iter().enumerate() {
            let variable = locals.iter().find(|v| v.name == label.text).map(|v| v.span);
            let earlier = labels[..number].iter().find(|l| l.text == label.text).map(|l| l.span);
            let (other, what) = match self.names.get(&label.text) {
                Some((Global::Enum(_), span)) => (Some(*span), "the name of an enumeration"),
                Some((Global::Case(..), span)) => (Some(*span), "a value of an enumeration"),
                _ => (None, ""),
            };
            let (message, first) = match (earlier, variable, other) {
                (Some(first), ..) => (format!("two commands have the label `{}`", label.text), first),
                (_, Some(first), _) => (format!("`{}` is both a variable and a label", label.text), first),
                (.., Some(first)) => (format!("`{}` is both a label and {what}", label.text), first),
                _ => continue,
            };
            let error = Diagnostic::error(codes::DUPLICATE, label.span, message);
            let error = error.also(first, "first used here");
            self.found.push(error.help("give the command another label"));
        }
    }

    fn unknown_variable(&mut self, name: &Name, what: &str) {
        let wanted = |meaning: &Global| match what {
            "property variable" => matches!(meaning, Global::Property(_)),
            _ => matches!(meaning, Global::Message(_)),
        };
        let known =
            self.names.iter().filter(|(_, (meaning, _))| wanted(meaning)).map(|(name, _)| name.as_str());
        let near = self.found.nearest(&name.text, known);
        let message = format!("there is no {what} `{}`", name.text);
        self.missing(Diagnostic::error(codes::UNKNOWN, name.span, message).did_you_mean(near));
    }

    fn process(&mut self, process: &ast::Process, own: &Scope<'_>, commands: &mut Vec<Command>) -> Process {
        match process {
            ast::Process::Sequence(parts) => {
                Process::Sequence(parts.iter().map(|p| self.process(p, own, commands)).collect())
            }
            ast::Process::Choice(parts) => {
                Process::Choice(parts.iter().map(|p| self.process(p, own, commands)).collect())
            }
            ast::Process::Repeat(body) => Process::Repeat(Box::new(self.process(body, own, commands))),
            ast::Process::Command(command) => match self.command(command, own) {
                Some(command) => {
                    commands.push(command);
                    Process::Command(commands.len() - 1)
                }
                None => Process::Choice(vec![]),
            },
        }
    }

    fn command(&mut self, command: &ast::Command, own: &Scope<'_>) -> Option<Command> {
        // What arrives can be read where something arrives.
        let channel = matches!(command.act, ast::Act::Receive { .. });
        let reading = Scope { message: true, channel, ..own.clone() };
        let sends = matches!(command.act, ast::Act::Send { .. });
        let inside = if sends { own } else { &reading };
        let guard = self.condition(&command.guard, inside);
        let act = match &command.act {
            ast::Act::Send { channel, target, data } => {
                let channel = self.value(channel, Type::Channel, own);
                // gˢ ranges over V, cH, D and PV (definition 1): the sender's own message is there to be read.
                let to = Scope { properties: true, channel: true, message: true, ..own.clone() };
                let meant = self.condition(target, &to);
                let data = self.data(data, own)?;
                let meant = meant?;
                self.only_sets(&meant, &data, target.span)?;
                Act::Send { data, channel: channel?, target: meant }
            }
            ast::Act::Receive { channel } => {
                Act::Receive { channel: self.value(channel, Type::Channel, own)? }
            }
            ast::Act::Get { place, data } => {
                let to = Scope { properties: true, ..own.clone() };
                let (place_checked, ty) = self.expr(place, &to)?;
                let from = match ty {
                    Type::Location => From::Location(place_checked),
                    Type::Bool => From::Predicate(place_checked),
                    other => {
                        let message = format!(
                            "`GET@` needs a location or a condition, found {}",
                            self.type_name(other)
                        );
                        self.error(codes::MISMATCH, place.span, message);
                        return None;
                    }
                };
                Act::Get { from, data: self.data(data, own)? }
            }
            ast::Act::Supply { place, data } => {
                let at = match place {
                    Some(place) => Some(self.value(place, Type::Location, own)?),
                    None => None,
                };
                Act::Supply { at, data: self.data(data, own)? }
            }
        };
        let mut update: Vec<(usize, Expr)> = vec![];
        for (name, value) in &command.update {
            let Some(at) = own.locals.iter().position(|v| v.name == name.text) else {
                let known = own.locals.iter().map(|v| v.name.as_str());
                let near = self.found.nearest(&name.text, known);
                let message = format!("there is no local variable `{}`", name.text);
                self.missing(Diagnostic::error(codes::UNKNOWN, name.span, message).did_you_mean(near));
                continue;
            };
            if update.iter().any(|(known, _)| *known == at) {
                self.error(codes::DUPLICATE, name.span, format!("`{}` is assigned twice", name.text));
            }
            update.push((at, self.value(value, own.locals[at].ty, inside)?));
        }
        let text = self.text.get(command.span.range()).unwrap_or("");
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let label = command.label.as_ref().map(|l| l.text.clone());
        let words = label.clone().unwrap_or(line);
        let target_span = match &command.act {
            ast::Act::Send { target, .. } => target.span,
            _ => Span::default(),
        };
        let (span, guard_span) = (command.span, command.guard.span);
        Some(Command { label, words, guard: guard?, act, update, span, guard_span, target_span })
    }

    /// A send guard may read what its message says, and nothing else: definition 2 would let a variable that is not
    /// set have any value, so the guard would mean whatever helps.
    fn only_sets(&mut self, target: &Expr, data: &Data, span: Span) -> Option<()> {
        let mut unset = None;
        target.walk(&mut |e| {
            if let Expr::Message(number) = e
                && !data.iter().any(|(set, _)| set == number)
            {
                unset = unset.or(Some(*number));
            }
        });
        let Some(number) = unset else { return Some(()) };
        let name = &self.spec.messages[number].name;
        let message = format!("the send guard reads `{name}`, which this message does not set");
        let help = format!("add `{name} := …` to the message");
        self.found.push(Diagnostic::error(codes::PLACE, span, message).help(help));
        None
    }

    fn data(&mut self, data: &[(Name, ast::Expr)], own: &Scope<'_>) -> Option<Data> {
        let mut out: Data = vec![];
        for (name, value) in data {
            let Some((Global::Message(number), _)) = self.names.get(&name.text).copied() else {
                self.unknown_variable(name, "message variable");
                continue;
            };
            self.used.insert(name.text.clone());
            if out.iter().any(|(known, _)| *known == number) {
                self.error(codes::DUPLICATE, name.span, format!("`{}` is assigned twice", name.text));
            }
            out.push((number, self.value(value, self.spec.messages[number].ty, own)?));
        }
        Some(out)
    }

    fn instance(&mut self, instance: &ast::Instance) {
        let Some((Global::Agent(agent), _)) = self.names.get(&instance.agent.text).copied() else {
            let known = self.script.agents.iter().map(|a| a.name.text.as_str());
            let near = self.found.nearest(&instance.agent.text, known);
            let message = format!("there is no agent type `{}`", instance.agent.text);
            self.missing(Diagnostic::error(codes::UNKNOWN, instance.agent.span, message).did_you_mean(near));
            return;
        };
        let locals = self.spec.agents[agent].locals.clone();
        let own = Scope { locals: &locals, agent: true, ..Scope::default() };
        let init = match self.script.agents[agent].broken {
            true => Expr::Value(1),
            false => self.condition(&instance.init, &own).unwrap_or(Expr::Value(1)),
        };
        let (name, span) = (instance.name.text.clone(), instance.name.span);
        self.spec.instances.push(Instance { name, agent, init, span });
    }

    /// An integer without bounds must have an initial value, or there would be infinitely many initial states; `unread` is
    /// about those that need none.
    fn fixed(&mut self, instance: usize) {
        let conditions = self.spec.initially(instance);
        let agent = self.spec.agent_of(instance);
        let unlimited = |at: &usize| {
            agent.locals[*at].ty == Type::Int && crate::lower::candidates(&conditions, *at).is_none()
        };
        let own = |at: usize| super::unread::is_read_first(agent, at, &self.spec.instances[instance].init);
        let (first, later): (Vec<usize>, Vec<usize>) =
            (0..agent.locals.len()).filter(unlimited).partition(|at| own(*at));
        first.into_iter().for_each(|at| self.unlimited(instance, at));
        self.loose.extend(later.into_iter().map(|at| (instance, at)));
    }

    pub(super) fn unlimited(&mut self, instance: usize, variable: usize) {
        let (name, span) = (&self.spec.instances[instance].name, self.spec.instances[instance].span);
        let variable = &self.spec.agent_of(instance).locals[variable].name;
        let message = format!("the initial values of `{variable}` of `{name}` are not limited");
        let help = format!(
            "add `{variable} = 0`, or some values as in `({variable} = 0 | {variable} = 1)`, to `init:`, or give it a range \
             instead of int"
        );
        let written = self.script.system.iter().find(|i| i.name.span == span).map(|i| &i.init);
        let zero = format!("{variable} = 0");
        let title = format!("let `{zero}` hold initially");
        let fix = written.map(|init| match init.node {
            ast::Node::Bool(true) => Fix::replace(init.span, zero, title),
            _ => {
                let end = Span { start: init.span.end, end: init.span.end };
                Fix::parentheses(init.span, title).and(end, format!(" & ({zero})"))
            }
        });
        self.found.push(Diagnostic::error(codes::UNFIXED, span, message).help(help).fix_if(fix));
    }

    /// A guard that is never called is checked, too: with anything in the place of its parameters.
    fn guard(&mut self, guard: &ast::Guard) {
        let mut parameters: Vec<Argument> = vec![];
        for (number, parameter) in guard.parameters.iter().enumerate() {
            let same = |other: &&ast::Variable| other.name.text == parameter.name.text;
            if let Some(first) = guard.parameters[..number].iter().find(same) {
                let message = format!("two parameters are called `{}`", parameter.name.text);
                let error = Diagnostic::error(codes::DUPLICATE, parameter.name.span, message);
                self.found.push(error.also(first.name.span, "first declared here"));
            }
            let ty = self.resolve(&parameter.ty, parameter.ty_span);
            parameters.push(Argument { name: parameter.name.text.clone(), value: Expr::Channel, ty });
        }
        let anywhere = Scope {
            parameters,
            agent: true,
            message: true,
            channel: true,
            properties: true,
            calls: 1,
            ..Scope::default()
        };
        self.condition(&guard.body, &anywhere);
    }
}
