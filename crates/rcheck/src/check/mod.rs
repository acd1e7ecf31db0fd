//! From a syntax tree to a checked specification. One run reports all independent errors.

mod agent;
mod expr;
pub mod parts;
mod spec;
mod system;
mod unread;
pub mod written;

use crate::codes;
use crate::model::{Specification, Type, Variable};
use crate::syntax::ast::{self, Name, Script, TypeName};
use crate::syntax::{Precedence, RESERVED, parse};
use std::collections::{HashMap, HashSet};
use swarmcheck_source::{Diagnostic, Diagnostics, Fix, Severity, Span};

/// Reads and checks a script. There is a specification only if there is no error. Formulas that can be read in two ways are
/// there in both.
pub fn check(text: &str) -> (Option<Specification>, Diagnostics) {
    check_with(text, None)
}

/// The same; somebody may have chosen how operators bind.
pub fn check_with(text: &str, precedence: Option<Precedence>) -> (Option<Specification>, Diagnostics) {
    let (script, found) = parse(text, precedence);
    let checker = checked(text, &script, found);
    let fine = !checker.found.has_errors();
    (fine.then_some(checker.spec), checker.found)
}

/// Checks a script that was read.
fn checked<'t>(text: &'t str, script: &'t Script, found: Diagnostics) -> Checker<'t> {
    let broken = found.has_errors();
    let errors = |found: &Diagnostics| found.iter().filter(|d| d.severity == Severity::Error).count();
    let unread = errors(&found);
    let mut checker = Checker {
        text,
        script,
        names: HashMap::new(),
        written: 0,
        used: HashSet::new(),
        loose: vec![],
        found,
        spec: Specification {
            channels: vec!["*".to_string()],
            enums: vec![],
            messages: vec![],
            properties: vec![],
            agents: vec![],
            instances: vec![],
            specs: vec![],
            observations: vec![],
        },
    };
    checker.declare();
    checker.agents();
    // Where text could not be read, a part may only seem to be missing.
    if !broken {
        checker.complete();
    }
    // Specifications that can be read are checked, if nothing is wrong with what they are about.
    if !script.broken && errors(&checker.found) == unread {
        checker.specs();
    }
    if !checker.found.has_errors() {
        checker.unread();
    }
    if !checker.found.has_errors() {
        checker.unused();
    }
    checker
}

/// The largest bound of a range, in absolute value.
const LARGEST: u64 = 1_000_000_000;

/// What a name of the whole script stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Global {
    Channel(usize),
    Case(usize, usize),
    Enum(usize),
    Message(usize),
    Property(usize),
    Guard(usize),
    Agent(usize),
    Instance(usize),
}

pub(crate) struct Checker<'t> {
    text: &'t str,
    script: &'t Script,
    names: HashMap<String, (Global, Span)>,
    found: Diagnostics,
    spec: Specification,
    /// How often a guard or the body of a quantifier was written out.
    written: usize,
    /// Message and property variables that something sets or reads.
    used: HashSet<String>,
    /// Agents and their integers whose initial value nothing limits, and that they do not read before they write them.
    loose: Vec<(usize, usize)>,
}

impl<'t> Checker<'t> {
    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.found.push(Diagnostic::error(code, span, message));
    }

    /// There is nothing with this name. Where a declaration could not be read, that is not to be blamed on who uses it.
    fn missing(&mut self, error: Diagnostic) {
        if !self.script.lost {
            self.found.push(error);
        }
    }

    /// Gives a name to something, unless it has another meaning already.
    fn name(&mut self, name: &Name, meaning: Global) {
        self.not_reserved(name);
        if let Some((_, span)) = self.names.get(&name.text) {
            let error = Diagnostic::error(
                codes::DUPLICATE,
                name.span,
                format!("the name `{}` is declared twice", name.text),
            );
            self.found.push(error.also(*span, "first declared here"));
            return;
        }
        self.names.insert(name.text.clone(), (meaning, name.span));
    }

    fn not_reserved(&mut self, name: &Name) {
        let number = name.text.starts_with(|c: char| c.is_ascii_digit());
        if number || RESERVED.contains(&name.text.as_str()) {
            self.error(codes::RESERVED, name.span, format!("`{}` cannot be used as a name", name.text));
        }
    }

    fn declare(&mut self) {
        let script = self.script;
        for name in &script.channels {
            self.name(name, Global::Channel(self.spec.channels.len()));
            self.spec.channels.push(name.text.clone());
        }
        for (number, (name, cases)) in script.enums.iter().enumerate() {
            self.name(name, Global::Enum(number));
            for (place, case) in cases.iter().enumerate() {
                self.name(case, Global::Case(number, place));
            }
            let values = cases.iter().map(|case| case.text.clone()).collect();
            self.spec.enums.push((name.text.clone(), values));
        }
        for (number, variable) in script.messages.iter().enumerate() {
            self.name(&variable.name, Global::Message(number));
            let variable = self.variable(variable);
            self.spec.messages.push(variable);
        }
        for (number, variable) in script.properties.iter().enumerate() {
            self.name(&variable.name, Global::Property(number));
            let variable = self.variable(variable);
            self.spec.properties.push(variable);
        }
        for (number, guard) in script.guards.iter().enumerate() {
            self.name(&guard.name, Global::Guard(number));
        }
        for (number, agent) in script.agents.iter().enumerate() {
            self.name(&agent.name, Global::Agent(number));
        }
        for (number, instance) in script.system.iter().enumerate() {
            self.name(&instance.name, Global::Instance(number));
        }
    }

    fn variable(&mut self, variable: &crate::syntax::ast::Variable) -> Variable {
        let ty = self.resolve(&variable.ty, variable.ty_span);
        Variable { name: variable.name.text.clone(), ty, span: variable.name.span }
    }

    fn resolve(&mut self, ty: &TypeName, span: Span) -> Type {
        match ty {
            TypeName::Bool => Type::Bool,
            TypeName::Int => Type::Int,
            TypeName::Channel => Type::Channel,
            TypeName::Location => Type::Location,
            TypeName::Range(low, high) => {
                if low > high {
                    self.error(codes::RANGE, span, format!("no value lies in {low}..{high}"));
                }
                if [low, high].iter().any(|bound| bound.unsigned_abs() > LARGEST) {
                    self.error(codes::RANGE, span, format!("bounds beyond {LARGEST} are not supported"));
                }
                Type::Range(*low, *high)
            }
            TypeName::Named(name) => match self.names.get(name) {
                Some((Global::Enum(number), _)) => Type::Enum(*number),
                _ => {
                    let known = self.script.enums.iter().map(|(name, _)| name.text.as_str());
                    let known = known.chain(["bool", "int", "channel", "location"]);
                    let near = self.found.nearest(name, known);
                    let error = Diagnostic::error(codes::UNKNOWN, span, format!("there is no type `{name}`"));
                    self.missing(error.did_you_mean(near));
                    // Whatever it was meant to be, this gives the fewest errors that are none.
                    Type::Range(-(LARGEST as i64), LARGEST as i64)
                }
            },
        }
    }

    /// What a script must have.
    fn complete(&mut self) {
        let end = self.text.trim_end().len();
        let end = Span::new(end, end);
        if self.script.system.is_empty() {
            self.error(codes::MISSING, end, "there is no `system = …`");
        }
        for agent in &self.script.agents {
            if agent.repeat.is_none() {
                let message = format!("agent type `{}` has no `repeat:`", agent.name.text);
                self.error(codes::MISSING, agent.name.span, message);
            }
            if !self.script.system.iter().any(|i| i.agent.text == agent.name.text) {
                let message = format!("no agent of the system is a `{}`", agent.name.text);
                self.found.push(Diagnostic::warning(codes::UNUSED, agent.name.span, message));
            }
        }
    }

    /// Variables that nothing sets or reads are allowed, but hardly meant.
    fn unused(&mut self) {
        let kinds = [("message", &self.script.messages), ("property", &self.script.properties)];
        for (kind, variables) in kinds {
            for variable in variables {
                let name = &variable.name;
                if self.used.contains(&name.text) {
                    continue;
                }
                let (message, help) = match kind {
                    "message" => (
                        format!("no message sets or reads `{}`", name.text),
                        format!("set it in a send, `({} := …)`, or remove it", name.text),
                    ),
                    _ => (
                        format!("no sender asks for the property `{}`", name.text),
                        format!("use it in a send guard, `(@{} = …)`, or remove it", name.text),
                    ),
                };
                let warning = Diagnostic::warning(codes::UNUSED_VARIABLE, name.span, message);
                let relabels = |agent: &ast::Agent| agent.relabel.iter().any(|(n, _)| n.text == name.text);
                let safe = kind == "message" || !self.script.agents.iter().any(relabels);
                let whole = swarmcheck_source::fix::item(self.text, name.span.to(variable.ty_span));
                let fix = safe.then(|| Fix::replace(whole, "", format!("remove `{}`", name.text)));
                self.found.push(warning.help(help).fix_if(fix));
            }
        }
    }

    /// A type for people.
    pub(crate) fn type_name(&self, ty: Type) -> String {
        match ty {
            Type::Bool => "bool".to_string(),
            Type::Int => "int".to_string(),
            Type::Range(low, high) => format!("{low}..{high}"),
            Type::Enum(number) => self.spec.enums[number].0.clone(),
            Type::Channel => "channel".to_string(),
            Type::Location => "location".to_string(),
        }
    }
}
