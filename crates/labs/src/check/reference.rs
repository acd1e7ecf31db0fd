//! References: a variable, its indices, and whose copy is meant.
//!
//! The same three letters `x` mean the acting agent's copy in a process, need `of 1` or `of 2` in a link predicate
//! (thesis, table 3.15c), and need a bound agent in a property (table 3.16b).

use super::expr::Typed;
use super::facts::Need;
use super::possession::not_of_kind;
use super::scope::{Context, LocalShape, Place, unknown};
use super::words;
use crate::codes;
use crate::model::{Class, Expr, ExprNode, KindId, LocalId, Owner, Side, VarId};
use crate::syntax::ast::{self, Name};
use swarmcheck_source::{Diagnostic, Fix, Span};

impl Context<'_, '_> {
    /// A name, with indices and `of`.
    pub fn variable(
        &mut self,
        name: &Name,
        index: &[ast::Expr],
        of: Option<&ast::Expr>,
        span: Span,
    ) -> Typed {
        if let Some(error) = self.not_constant(&name.text, span) {
            self.error(error);
            return Typed::Unknown;
        }
        if let Some(binder) = self.binder(&name.text) {
            if !self.is_plain(name, index, of, span, "an agent bound by a quantifier") {
                return Typed::Unknown;
            }
            return Typed::number(ExprNode::Agent(binder), span);
        }
        if let Some(local) = self.local(&name.text) {
            return self.local_reference(local, name, index, of, span);
        }
        let Some(var) = self.names.variable(&name.text) else {
            self.unknown_variable(name, Wanted::Read { owned: of.is_some(), cells: index.len() });
            self.rest(index, of);
            return Typed::Unknown;
        };
        self.facts.read.insert(var);
        let cells = self.indices(var, index, name.span.end, span);
        // The place may hold parentheses around the reference.
        let end = match span.start == name.span.start {
            true => Some(span.end),
            false => index.is_empty().then_some(name.span.end),
        };
        match self.owner(var, of, End { of_reference: end, cells: index.len() }, span) {
            Some(owner) => Typed::number(ExprNode::Var(var, Box::new(owner), cells), span),
            // Whose copy it is was wrong, but it is a number all the same.
            None => Typed::number(unknown(span).node, span),
        }
    }

    /// Nothing but parameters and literals is constant.
    fn not_constant(&self, name: &str, span: Span) -> Option<Diagnostic> {
        let message = match self.place {
            Place::Constant(what) => format!("{what} must be constant, so it cannot use `{name}`"),
            Place::Init { .. } => format!("an initial value cannot use `{name}`"),
            _ => return None,
        };
        let help = match self.names.parameter(name) {
            Some(_) => format!("the parameter is written `_{name}`"),
            None => match self.place {
                Place::Init { shared: false } => {
                    "only numbers, parameters and `id` are known here".to_string()
                }
                _ => "only numbers and parameters are known here".to_string(),
            },
        };
        let fix = self.names.parameter(name).map(|_| parameter(span, name));
        Some(Diagnostic::error(codes::NOT_CONSTANT, span, message).help(help).fix_if(fix))
    }

    /// Whether a name that has no cells and no owner is used without.
    fn is_plain(
        &mut self,
        name: &Name,
        index: &[ast::Expr],
        of: Option<&ast::Expr>,
        span: Span,
        what: &str,
    ) -> bool {
        let fix = Fix::replace(span, name.text.clone(), format!("write `{}`", name.text));
        if !index.is_empty() {
            let message = format!("`{}` is {what}, not an array", name.text);
            self.error(
                Diagnostic::error(codes::INDEX, name.span, message).help("remove the index").fix(fix.clone()),
            );
        }
        if of.is_some() {
            let message = format!("`{}` is {what}: it has no owner", name.text);
            self.error(Diagnostic::error(codes::OWNER, name.span, message).help("remove `of`").fix(fix));
        }
        self.rest(index, of);
        index.is_empty() && of.is_none()
    }

    /// Looks for mistakes in the parts of a reference that is itself a mistake.
    fn rest(&mut self, index: &[ast::Expr], of: Option<&ast::Expr>) {
        for cell in index {
            self.number(cell);
        }
        if let Some(of) = of
            && !(matches!(self.place, Place::Link | Place::Pick) && side(of).is_some())
        {
            self.agent(of);
        }
    }

    fn local_reference(
        &mut self,
        local: LocalId,
        name: &Name,
        index: &[ast::Expr],
        of: Option<&ast::Expr>,
        span: Span,
    ) -> Typed {
        let nothing = Typed::number(unknown(span).node, span);
        match self.locals[local.0 as usize].shape {
            LocalShape::Broken => {
                self.rest(index, of);
                nothing
            }
            LocalShape::Scalar => {
                if !self.is_plain(name, index, of, span, "a block-local variable") {
                    return nothing;
                }
                Typed::number(ExprNode::Local(local), span)
            }
            LocalShape::Array(_) if index.len() == 1 && of.is_none() => {
                let cell = Box::new(self.number(&index[0]));
                Typed::number(ExprNode::LocalCell(local, cell), span)
            }
            LocalShape::Array(_) if of.is_some() => {
                let message = format!("`{}` is a block-local array: it has no owner", name.text);
                self.error(Diagnostic::error(codes::OWNER, name.span, message).help("remove `of`"));
                self.rest(&[], of);
                self.rest(index, None);
                nothing
            }
            LocalShape::Array(_) => {
                let used = words::count(index.len(), "index", "indices");
                let message =
                    format!("`{}` is an array filled by `pick` and needs 1 index, not {used}", name.text);
                let help = format!("its first cell is `{}[0]`", name.text);
                let fix = index.is_empty().then(|| Fix::insert(span.end, "[0]", "take its first cell"));
                self.error(Diagnostic::error(codes::INDEX, span, message).help(help).fix_if(fix));
                self.rest(index, None);
                nothing
            }
        }
    }

    /// The indices of a variable, as many as it has dimensions.
    pub fn indices(&mut self, var: VarId, index: &[ast::Expr], after_name: u32, span: Span) -> Vec<Expr> {
        let variable = self.names.var(var);
        if index.len() != variable.dimensions.len() {
            let (name, declared) = (&variable.name, variable.span);
            let message = match variable.dimensions.len() {
                0 => format!("`{name}` is not an array and takes no index"),
                n => {
                    let needed = words::count(n, "index", "indices");
                    let given = match index.len() {
                        0 => "none is given".to_string(),
                        1 => "1 is given".to_string(),
                        n => format!("{n} are given"),
                    };
                    format!("array `{name}` needs {needed}, but {given}")
                }
            };
            let fix = match variable.dimensions.len() {
                n if index.is_empty() => {
                    let cell = format!("[{}]", vec!["0"; n].join(", "));
                    let title = format!("take its first cell: `{name}{cell}`");
                    Some(Fix::insert(after_name, cell, title))
                }
                _ => None,
            };
            let error = Diagnostic::error(codes::INDEX, span, message).also(declared, "declared here");
            self.error(error.fix_if(fix));
        }
        index.iter().map(|cell| self.number(cell)).collect()
    }

    /// Whose copy of a variable is meant; `None` if that makes no sense.
    fn owner(&mut self, var: VarId, of: Option<&ast::Expr>, end: End, span: Span) -> Option<Owner> {
        if self.names.ambiguous.contains(&var) {
            self.rest(&[], of);
            return None;
        }
        if self.names.var(var).class == Class::Environment {
            let Some(of) = of else { return Some(Owner::Environment) };
            let name = &self.names.var(var).name;
            let message =
                format!("`{name}` is an environment variable: there is one copy, which no agent owns");
            let error = Diagnostic::error(codes::OWNER, of.span, message)
                .also(self.names.var(var).span, "declared here");
            let fix = (end.cells == 0).then(|| Fix::replace(span, name.clone(), format!("write `{name}`")));
            self.error(error.help(format!("remove `of` and write `{name}`")).fix_if(fix));
            return None;
        }
        match (self.place, of) {
            (Place::Link | Place::Pick, of) => {
                self.end_of_link(var, of, end.of_reference, span).map(Owner::Side)
            }
            (Place::Process, None) => {
                self.need(var, span);
                Some(Owner::Me)
            }
            (_, Some(of)) => {
                let agent = self.agent(of);
                if let ExprNode::Agent(binder) = agent.node
                    && let Some(kind) = self.binders[binder.0 as usize].kind
                {
                    self.check_possession(var, span, &[kind]);
                }
                Some(Owner::Agent(agent))
            }
            (_, None) => {
                let (name, what) = (&self.names.var(var).name, words::class(self.names.var(var).class));
                let message = format!("`{name}` is {what}: say whose");
                let owner = self.binders.last().map_or("a", |b| b.name.as_str());
                let help = match self.binders.is_empty() {
                    true => format!(
                        "write `{name} of a` for a quantified agent `a`, as in `forall Kind a, {name} of a`"
                    ),
                    false => format!("write `{name} of {owner}` for the quantified agent `{owner}`"),
                };
                let fix = self.binders.last().and(end.of_reference).map(|end| owned_by(end, owner));
                self.error(Diagnostic::error(codes::OWNER, span, message).help(help).fix_if(fix));
                None
            }
        }
    }

    /// An expression after `of`: the number of an agent.
    fn agent(&mut self, of: &ast::Expr) -> Expr {
        if let ast::ExprNode::Var { name, index, of: None } = &of.node
            && index.is_empty()
            && !self.is_known(&name.text)
        {
            self.unknown_variable(name, Wanted::Agent);
            return unknown(of.span);
        }
        self.number(of)
    }

    fn is_known(&self, name: &str) -> bool {
        self.binder(name).is_some() || self.local(name).is_some() || self.names.variable(name).is_some()
    }

    /// Which of its two agents a link predicate means; reports if neither.
    fn end_of_link(
        &mut self,
        var: VarId,
        of: Option<&ast::Expr>,
        end: Option<u32>,
        span: Span,
    ) -> Option<Side> {
        let name = &self.names.var(var).name;
        let (one, two) = ends(self.place);
        let help = format!("write `{name} of 1` for {one}, `{name} of 2` for {two}");
        let found = self.side(of, end, span, &format!("`{name}`"), help)?;
        match (self.place, found) {
            (Place::Pick, Side::Sender) => self.need(var, span),
            _ => self.check_possession(var, span, &self.partners.clone()),
        }
        Some(found)
    }

    fn side(
        &mut self,
        of: Option<&ast::Expr>,
        end: Option<u32>,
        span: Span,
        what: &str,
        help: String,
    ) -> Option<Side> {
        let (message, place) = match of {
            None => (format!("a link predicate must say whose {what} it means"), span),
            Some(of) => match side(of) {
                Some(side) => return Some(side),
                None => ("in a link predicate `of` is followed by 1 or 2".to_string(), of.span),
            },
        };
        let (one, two) = ends(self.place);
        let fix = |side: &str, who: &str| match of {
            None => Some(Fix::insert(end?, format!(" of {side}"), format!("insert `of {side}`, {who}"))),
            Some(of) => Some(Fix::replace(of.span, side, format!("write `of {side}`, {who}"))),
        };
        let error = Diagnostic::error(codes::OWNER, place, message).help(help);
        self.error(error.fix_if(fix("1", one)).fix_if(fix("2", two)));
        None
    }

    /// `id` or `id of a`.
    pub fn id(&mut self, of: Option<&ast::Expr>, span: Span) -> Typed {
        let misplaced = match (self.place, of) {
            (Place::Process | Place::Property, Some(of)) => {
                let node = self.agent(of).node;
                return Typed::number(node, span);
            }
            (Place::Process | Place::Init { shared: false }, None) => {
                return Typed::number(ExprNode::Id, span);
            }
            (Place::Link | Place::Pick, of) => {
                let (one, two) = ends(self.place);
                let help = format!("write `id of 1` for {one}, `id of 2` for {two}");
                let node = self
                    .side(of, end_of_id(span), span, "`id`", help)
                    .map_or(unknown(span).node, ExprNode::IdOf);
                return Typed::number(node, span);
            }
            (Place::Property, None) => {
                Diagnostic::error(codes::OWNER, span, "a property must say whose `id` it means")
                    .help("write `id of a` for a quantified agent `a`")
                    .fix_if(self.binders.last().and_then(|b| Some(owned_by(end_of_id(span)?, &b.name))))
            }
            (Place::Constant(what), _) => {
                let message = format!("{what} must be constant, so it cannot use `id`");
                Diagnostic::error(codes::NOT_CONSTANT, span, message)
            }
            (Place::Init { shared: true }, _) => {
                let message = "environment variables belong to no agent, so `id` means nothing here";
                Diagnostic::error(codes::NOT_CONSTANT, span, message)
            }
            (Place::Init { shared: false }, Some(_)) => {
                let message = "an initial value can only use the `id` of its own agent";
                Diagnostic::error(codes::NOT_CONSTANT, span, message)
                    .help("write `id` without `of`")
                    .fix(Fix::replace(span, "id", "write `id`"))
            }
        };
        self.error(misplaced);
        Typed::number(unknown(span).node, span)
    }

    /// Notes that agents that run this process must have a variable.
    pub fn need(&mut self, variable: VarId, span: Span) {
        if let Some(process) = self.process {
            self.facts.needs.push(Need { process, variable, span });
        }
    }

    fn check_possession(&mut self, var: VarId, span: Span, kinds: &[KindId]) {
        let lacking: Vec<KindId> = kinds.iter().copied().filter(|k| !self.names.has(*k, var)).collect();
        if !lacking.is_empty() {
            self.error(not_of_kind(self.names, var, span, &lacking));
        }
    }

    /// Reports a name that means nothing here.
    pub fn unknown_variable(&mut self, name: &Name, wanted: Wanted<'_>) {
        let text = name.text.as_str();
        if let Some((_, later)) = self.block.iter().find(|(n, _)| n == text) {
            let message = format!("block-local variable `{text}` is read before it is assigned");
            let error =
                Diagnostic::error(codes::LOCAL, name.span, message).also(*later, "first assigned here");
            self.error(error.help("all values of an assignment see the state before it"));
            return;
        }
        let agent = matches!(wanted, Wanted::Agent);
        let message = match agent && self.place == Place::Property {
            true => format!("no quantifier binds `{text}`"),
            false => format!("there is no variable named `{text}`"),
        };
        let mut error = Diagnostic::error(codes::UNKNOWN_VARIABLE, name.span, message);
        let bound = self.binders.iter().map(|b| b.name.as_str());
        let locals = self.locals.iter().map(|l| l.name.as_str());
        let near = match agent {
            true => self.names.nearest(text, bound.chain(locals)),
            false => self.names.nearest(text, bound.chain(locals).chain(self.names.variable_names())),
        };
        let fits = near.is_some_and(|near| self.fits(near, wanted));
        if self.names.parameter(text).is_some() {
            error = error.help(format!("the parameter is written `_{text}`")).fix(parameter(name.span, text));
        } else if matches!(self.place, Place::Link | Place::Pick) && (text == "c1" || text == "c2") {
            let own = format!("id of {text}");
            let fix = Fix::replace(name.span, own.clone(), format!("write `{own}`"));
            error = error.help(format!("the number of that agent is `id of {text}`")).fix(fix);
        } else if let Some(elsewhere) = self.facts.locals.get(text) {
            error =
                error.also(*elsewhere, "a block-local variable lives only in its block").did_you_mean(near);
        } else {
            error = error.did_you_mean(near);
        }
        if !fits && near.is_some() {
            error.fixes.clear();
        }
        self.error(error);
    }

    /// Whether a name could stand where an unknown one does without another mistake.
    fn fits(&self, name: &str, wanted: Wanted<'_>) -> bool {
        let variable = self.names.variable(name).map(|var| self.names.var(var));
        match (wanted, variable) {
            (Wanted::Agent, _) => true,
            (Wanted::Assigned(target, source), Some(variable)) => {
                words::arrow(variable.class) == source.op
                    && variable.dimensions.len() == target.index.len()
                    && source.targets.iter().all(|other| other.name.text != name)
            }
            (Wanted::Assigned(..), None) => false,
            // Agents that are bound, and locals, have no owner.
            (Wanted::Read { owned, .. }, None) => !owned,
            (Wanted::Read { owned, cells }, Some(variable)) => {
                let owner = match variable.class {
                    Class::Environment => !owned,
                    _ => owned || self.place == Place::Process,
                };
                owner && variable.dimensions.len() == cells
            }
        }
    }
}

/// What a name that means nothing is used for.
#[derive(Clone, Copy)]
pub(super) enum Wanted<'s> {
    /// It stands after `of`.
    Agent,
    /// It is a target of an assignment.
    Assigned(&'s ast::Target, &'s ast::Assignment),
    /// Its value is used; `owned` if an `of` follows.
    Read { owned: bool, cells: usize },
}

/// Where a reference ends, if its place tells, and how many indices it has.
#[derive(Clone, Copy)]
struct End {
    of_reference: Option<u32>,
    cells: usize,
}

/// Where `id` ends, unless it stands in parentheses.
fn end_of_id(span: Span) -> Option<u32> {
    (span.end - span.start == 2).then_some(span.end)
}

/// Writes the underscore of a parameter.
fn parameter(span: Span, name: &str) -> Fix {
    Fix::replace(span, format!("_{name}"), format!("write `_{name}`"))
}

/// Says whose variable it is.
fn owned_by(end: u32, agent: &str) -> Fix {
    Fix::insert(end, format!(" of {agent}"), format!("insert `of {agent}`"))
}

/// `1` or `c1`, `2` or `c2`.
fn side(of: &ast::Expr) -> Option<Side> {
    let name = match &of.node {
        ast::ExprNode::Number(1) => "c1",
        ast::ExprNode::Number(2) => "c2",
        ast::ExprNode::Var { name, index, of: None } if index.is_empty() => &name.text,
        _ => return None,
    };
    match name {
        "c1" => Some(Side::Sender),
        "c2" => Some(Side::Receiver),
        _ => None,
    }
}

/// What the two ends of a link are called.
fn ends(place: Place) -> (&'static str, &'static str) {
    match place {
        Place::Pick => ("the agent that picks", "the one picked"),
        _ => ("the sender", "the receiver"),
    }
}
