//! Expressions: what names mean at a place, and whether types fit.

use super::{Checker, Global};
use crate::codes;
use crate::model::{At, BROADCAST, Expr, Party, Type, Variable};
use crate::syntax::ast::{self, Name, Node, Op};
use crate::syntax::expr::PREFIX_WORDS;
use swarmcheck_source::{Diagnostic, Fix, Span};

/// How many values of all property variables together an observation may look at.
const MOST_ASSIGNMENTS: f64 = 4096.0;

/// How many guards and bodies of quantifiers may be written out, all in all.
const MOST_WRITTEN: usize = 20_000;

/// The type of all agents, where no type is called so.
const EVERYBODY: &str = "Agent";

/// `k-name` is the agent itself.
pub(super) const IDENTITY: &str = "name";

/// The predicate of specifications that a send or get can be made; a guard may have this name, too.
const ENABLED: &str = "enabled";

/// How deeply guards may call each other.
const MOST_CALLS: usize = 20;

/// A parameter of a guard, and the argument that stands for it.
#[derive(Clone)]
pub(super) struct Argument {
    pub name: String,
    pub value: Expr,
    pub ty: Type,
}

/// What may be used at a place.
#[derive(Clone, Default)]
pub(super) struct Scope<'a> {
    /// Variables of the agent at hand.
    pub(super) locals: &'a [Variable],
    /// Parameters of a guard: what they stand for.
    pub(super) parameters: Vec<Argument>,
    /// Agents bound by quantifiers.
    pub(super) bound: Vec<(String, usize)>,
    /// There is an agent at hand.
    pub(super) agent: bool,
    /// There is a message to read.
    pub(super) message: bool,
    /// There is a channel.
    pub(super) channel: bool,
    /// There is a receiver with property variables.
    pub(super) properties: bool,
    /// How many quantifiers over properties are around this place.
    pub(super) admitted: i32,
    pub(super) observation: bool,
    /// The state of the whole system can be seen.
    pub(super) system: bool,
    /// How many guards were called on the way.
    pub(super) calls: usize,
}

impl Checker<'_> {
    pub(super) fn condition(&mut self, e: &ast::Expr, scope: &Scope<'_>) -> Option<Expr> {
        let (checked, ty) = self.expr(e, scope)?;
        self.fits(ty, Type::Bool, e.span)?;
        Some(checked)
    }

    /// A value for a variable of this type.
    pub(super) fn value(&mut self, e: &ast::Expr, wanted: Type, scope: &Scope<'_>) -> Option<Expr> {
        let (checked, ty) = self.expr(e, scope)?;
        self.fits(ty, wanted, e.span)?;
        if let (Expr::Value(value), Type::Range(low, high)) = (&checked, wanted)
            && !(low..=high).contains(value)
        {
            self.error(codes::RANGE, e.span, format!("{value} does not lie in {low}..{high}"));
            return None;
        }
        Some(checked)
    }

    pub(super) fn fits(&mut self, found: Type, wanted: Type, span: Span) -> Option<()> {
        if found == wanted || (found.is_number() && wanted.is_number()) {
            return Some(());
        }
        let message = format!("expected {}, found {}", self.type_name(wanted), self.type_name(found));
        self.error(codes::MISMATCH, span, message);
        None
    }

    pub(super) fn expr(&mut self, e: &ast::Expr, scope: &Scope<'_>) -> Option<(Expr, Type)> {
        match &e.node {
            Node::Number(value) => Some((Expr::Value(*value), Type::Int)),
            Node::Bool(value) => Some((Expr::Value(i64::from(*value)), Type::Bool)),
            Node::Broadcast => Some((Expr::Value(BROADCAST), Type::Channel)),
            Node::Name(name) => self.named(name, e.span, scope),
            Node::Property(name) => match self.names.get(name) {
                Some((Global::Property(number), _)) => self.property(*number, e.span, scope),
                _ => self.unknown(name, e.span, scope),
            },
            Node::Of(agent, variable) => self.of(agent, variable, scope),
            Node::Not(inner) => {
                let inner = self.condition(inner, scope)?;
                Some((Expr::Not(Box::new(inner)), Type::Bool))
            }
            Node::Negative(inner) => {
                let inner = self.value(inner, Type::Int, scope)?;
                Some((
                    match inner {
                        Expr::Value(value) => Expr::Value(value.saturating_neg()),
                        inner => Expr::Negative(Box::new(inner)),
                    },
                    Type::Int,
                ))
            }
            Node::Binary(op, a, b) => self.binary(*op, a, b, e.span, scope),
            Node::Call(name, arguments) => self.call(name, arguments, scope),
            // An inner quantifier binds all property variables again: `exists(exists(p))` is `exists(p)` (section 5.1).
            Node::Admitted { all, body } if scope.observation => {
                let admitted = scope.admitted + 1;
                self.countable(e.span, admitted)?;
                let inner = Scope { properties: true, admitted, ..scope.clone() };
                let body = self.condition(body, &inner)?;
                Some((Expr::Admitted(*all, Box::new(body)), Type::Bool))
            }
            Node::Admitted { .. } => {
                let message = "`forall(…)` and `exists(…)` over properties belong in an observation";
                self.error(codes::PLACE, e.span, message);
                None
            }
            Node::Agents { all, name, types, body } if scope.system => {
                let mut parts = vec![];
                for instance in self.ranged(types)? {
                    let mut inner = scope.clone();
                    inner.bound.push((name.text.clone(), instance));
                    self.write_out(e.span)?;
                    parts.push(self.condition(body, &inner)?);
                }
                let out = joined(if *all { Op::And } else { Op::Or }, &parts, At(e.span));
                Some((out, Type::Bool))
            }
            Node::Agents { .. } => {
                self.error(codes::TEMPORAL, e.span, "quantifiers over agents belong in a specification");
                None
            }
            Node::Temporal(..) | Node::Observe { .. } => {
                let error =
                    Diagnostic::error(codes::TEMPORAL, e.span, "a temporal formula cannot stand here");
                self.found.push(error.help("temporal operators and observations belong in a specification"));
                None
            }
        }
    }

    /// Whether all values of the property variables together can be looked at, as often as quantifiers are nested.
    fn countable(&mut self, span: Span, nested: i32) -> Option<()> {
        let values =
            |v: &Variable| self.spec.domain(v.ty).map_or(f64::MAX, |(a, b)| b as f64 - a as f64 + 1.0);
        let assignments: f64 = self.spec.properties.iter().map(values).product::<f64>().powi(nested);
        if assignments <= MOST_ASSIGNMENTS {
            return Some(());
        }
        let unbounded = self.spec.properties.iter().find(|v| self.spec.domain(v.ty).is_none());
        let (message, help) = match unbounded {
            Some(variable) => (
                format!("property variable `{}` has too many values to enumerate", variable.name),
                format!("give `{}` a range or an enumeration instead of int", variable.name),
            ),
            None => (
                format!("property variables have {assignments} values together, too many to enumerate"),
                format!("use smaller ranges, with at most {MOST_ASSIGNMENTS} values together"),
            ),
        };
        self.found.push(Diagnostic::error(codes::UNSUPPORTED, span, message).help(help));
        None
    }

    /// Counts what is written out: guards that call each other, and quantifiers in quantifiers, grow quickly.
    pub(super) fn write_out(&mut self, span: Span) -> Option<()> {
        self.written += 1;
        if self.written == MOST_WRITTEN {
            self.error(
                codes::TOO_LARGE,
                span,
                "guards and quantifiers are too large once they are written out",
            );
        }
        (self.written < MOST_WRITTEN).then_some(())
    }

    /// The agents of some types.
    pub(super) fn ranged(&mut self, types: &[Name]) -> Option<Vec<usize>> {
        let mut wanted = vec![];
        for name in types {
            match self.names.get(&name.text) {
                Some((Global::Agent(number), _)) => wanted.push(*number),
                _ if name.text == EVERYBODY => wanted.extend(0..self.spec.agents.len()),
                _ => {
                    let known = self.script.agents.iter().map(|a| a.name.text.as_str());
                    let near = self.found.nearest(&name.text, known);
                    let message = format!("there is no agent type `{}`", name.text);
                    self.missing(Diagnostic::error(codes::UNKNOWN, name.span, message).did_you_mean(near));
                    return None;
                }
            }
        }
        let instances = self.spec.instances.iter().enumerate();
        Some(instances.filter(|(_, i)| wanted.contains(&i.agent)).map(|(number, _)| number).collect())
    }

    pub(super) fn named(&mut self, name: &str, span: Span, scope: &Scope<'_>) -> Option<(Expr, Type)> {
        if let Some(known) = scope.parameters.iter().rev().find(|known| known.name == name) {
            return Some((known.value.clone(), known.ty));
        }
        if let Some((_, instance)) = scope.bound.iter().rev().find(|(known, _)| known == name) {
            return Some((Expr::Value(*instance as i64), Type::Location));
        }
        if let Some(at) = scope.locals.iter().position(|v| v.name == name) {
            return Some((Expr::Local(at), scope.locals[at].ty));
        }
        let party = match name {
            "sender" => Some(Party::Sender),
            "getter" => Some(Party::Getter),
            "supplier" => Some(Party::Supplier),
            "initiator" => Some(Party::Initiator),
            "producer" => Some(Party::Producer),
            _ => None,
        };
        match (name, self.names.get(name).map(|(meaning, _)| *meaning)) {
            (_, Some(Global::Channel(number))) => Some((Expr::Value(number as i64), Type::Channel)),
            (_, Some(Global::Case(number, place))) => Some((Expr::Value(place as i64), Type::Enum(number))),
            (_, Some(Global::Instance(number))) => Some((Expr::Value(number as i64), Type::Location)),
            (_, Some(Global::Message(number))) if scope.message => {
                self.used.insert(name.to_string());
                Some((Expr::Message(number), self.spec.messages[number].ty))
            }
            (_, Some(Global::Message(_))) => {
                let error = Diagnostic::error(
                    codes::PLACE,
                    span,
                    format!("there is no message here to read `{name}` from"),
                );
                self.found.push(
                    error.help(
                        "messages are read in the guard and the update of a receive, in send guards, and in observations",
                    ),
                );
                None
            }
            (_, Some(Global::Property(number))) => self.property(number, span, scope),
            ("chan" | "ch" | "channel", None) if scope.channel => Some((Expr::Channel, Type::Channel)),
            ("chan" | "ch" | "channel", None) => {
                self.error(
                    codes::PLACE,
                    span,
                    format!("`{name}` is the channel of a message, and there is no message here"),
                );
                None
            }
            ("myself" | "SELF", None) if scope.agent => Some((Expr::Myself, Type::Location)),
            ("progress" | "PROGRESS", None) if scope.system => Some((self.progress(), Type::Bool)),
            ("p2p", None) if scope.observation => Some((Expr::PointToPoint, Type::Bool)),
            _ => match party {
                Some(party) if scope.observation => Some((Expr::Party(party), Type::Location)),
                _ => self.unknown(name, span, scope),
            },
        }
    }

    fn property(&mut self, number: usize, span: Span, scope: &Scope<'_>) -> Option<(Expr, Type)> {
        self.used.insert(self.spec.properties[number].name.clone());
        if scope.properties {
            return Some((Expr::Property(number), self.spec.properties[number].ty));
        }
        let name = self.spec.properties[number].name.clone();
        let error =
            Diagnostic::error(codes::PLACE, span, format!("property variable `{name}` has no value here"));
        self.found.push(error.help(
            "properties of receivers are used in send guards, and in observations inside `forall( )` or `exists( )`",
        ));
        None
    }

    fn unknown(&mut self, name: &str, span: Span, scope: &Scope<'_>) -> Option<(Expr, Type)> {
        let locals = scope.locals.iter().map(|v| v.name.as_str());
        let parameters = scope.parameters.iter().map(|known| known.name.as_str());
        // What belongs to the agent itself is likelier than what is declared for all.
        let near = self
            .found
            .nearest(name, locals.chain(parameters))
            .or_else(|| self.found.nearest(name, self.names.keys().map(String::as_str)))
            .map(str::to_string);
        // Another agent's variable is a likelier mistake than a misspelling.
        let owner = self.script.agents.iter().find_map(|agent| {
            let variable = agent.locals.iter().find(|v| v.name.text == name)?;
            scope.agent.then(|| (agent.name.text.clone(), variable.name.span))
        });
        if let Some((owner, place)) = owner {
            let (message, help) = match scope.calls > 0 {
                true => (
                    format!("`{name}` is a variable of `{owner}`, and guards see their parameters only"),
                    format!("give the guard a parameter for `{name}`"),
                ),
                false => (
                    format!("`{name}` is a variable of `{owner}`, and agents see their own variables only"),
                    format!("let `{owner}` send it in a message, or declare `{name}` here under `local:`"),
                ),
            };
            let error = Diagnostic::error(codes::UNKNOWN, span, message).also(place, "declared here");
            self.missing(error.help(help));
            return None;
        }
        let error = Diagnostic::error(codes::UNKNOWN, span, format!("`{name}` is not declared"));
        self.missing(error.did_you_mean(near.as_deref()));
        None
    }

    fn binary(
        &mut self,
        op: Op,
        a: &ast::Expr,
        b: &ast::Expr,
        span: Span,
        scope: &Scope<'_>,
    ) -> Option<(Expr, Type)> {
        let both = |a, b, ty| Some((Expr::Binary(op, Box::new(a), Box::new(b), At(span)), ty));
        match op {
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Lt | Op::Le | Op::Gt | Op::Ge => {
                let left = self.value(a, Type::Int, scope);
                let right = self.value(b, Type::Int, scope);
                let (left, right) = (left?, right?);
                if op == Op::Div && !matches!(right, Expr::Value(value) if value != 0) {
                    self.error(
                        codes::UNSUPPORTED,
                        b.span,
                        "only division by a constant other than 0 is supported",
                    );
                    return None;
                }
                let arithmetic = matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Div);
                if !arithmetic && scope.parameters.is_empty() && scope.bound.is_empty() {
                    self.warn_constant_order(op, &left, &right, span, scope);
                }
                both(left, right, if arithmetic { Type::Int } else { Type::Bool })
            }
            Op::Eq | Op::Ne => {
                let left = self.expr(a, scope);
                let right = self.expr(b, scope);
                let ((left, left_type), (right, right_type)) = (left?, right?);
                if left_type != right_type && !(left_type.is_number() && right_type.is_number()) {
                    let message = format!(
                        "{} is compared with {}",
                        self.type_name(left_type),
                        self.type_name(right_type)
                    );
                    let error = Diagnostic::error(codes::MISMATCH, span, message);
                    self.found.push(
                        error
                            .also(a.span, self.type_name(left_type))
                            .also(b.span, self.type_name(right_type)),
                    );
                    return None;
                }
                // Written-out guards and quantifiers compare constants without anybody's fault.
                if scope.parameters.is_empty() && scope.bound.is_empty() {
                    self.warn_constant(op, (&left, left_type), (&right, right_type), span);
                }
                both(left, right, Type::Bool)
            }
            Op::And | Op::Or | Op::Implies | Op::Iff => {
                let left = self.condition(a, scope);
                let right = self.condition(b, scope);
                both(left?, right?, Type::Bool)
            }
            Op::Until | Op::Release | Op::WeakUntil => {
                self.error(codes::TEMPORAL, span, "a temporal formula cannot stand here");
                None
            }
        }
    }

    /// The least and the greatest value that a number can have by its type, if that is known.
    fn bounds(&self, e: &Expr, scope: &Scope<'_>) -> Option<(i64, i64)> {
        let ty = match e {
            Expr::Value(value) => return Some((*value, *value)),
            Expr::Local(at) => scope.locals.get(*at)?.ty,
            Expr::Message(at) => self.spec.messages[*at].ty,
            Expr::Property(at) => self.spec.properties[*at].ty,
            Expr::Of(instance, at) => self.spec.agent_of(*instance).locals[*at].ty,
            _ => return None,
        };
        self.spec.domain(ty)
    }

    /// An order between numbers that their types decide.
    fn warn_constant_order(&mut self, op: Op, left: &Expr, right: &Expr, span: Span, scope: &Scope<'_>) {
        let (Some((a, b)), Some((c, d))) = (self.bounds(left, scope), self.bounds(right, scope)) else {
            return;
        };
        let always = match op {
            Op::Lt if b < c => true,
            Op::Lt if a >= d => false,
            Op::Le if b <= c => true,
            Op::Le if a > d => false,
            Op::Gt if a > d => true,
            Op::Gt if b <= c => false,
            Op::Ge if a >= d => true,
            Op::Ge if b < c => false,
            _ => return,
        };
        let message = format!("this comparison is always {always}");
        let known = |e: &Expr, (least, most): (i64, i64)| match e {
            Expr::Value(_) => None,
            _ => Some(format!("values lie in {least}..{most}")),
        };
        let why = known(left, (a, b)).or(known(right, (c, d)));
        let warning = Diagnostic::warning(codes::CONSTANT, span, message);
        self.found.push(why.into_iter().fold(warning, Diagnostic::label));
    }

    fn warn_constant(&mut self, op: Op, left: (&Expr, Type), right: (&Expr, Type), span: Span) {
        let apart = |(_, ty): (&Expr, Type), (value, _): (&Expr, Type)| match (ty, value) {
            (Type::Range(low, high), Expr::Value(value)) => !(low..=high).contains(value),
            _ => false,
        };
        let equal = match (left.0, right.0) {
            (Expr::Value(a), Expr::Value(b)) => Some(a == b),
            (a, b) if a == b => Some(true),
            _ if apart(left, right) || apart(right, left) => Some(false),
            _ => None,
        };
        if let Some(equal) = equal {
            let always = if equal == (op == Op::Eq) { "true" } else { "false" };
            let message = format!("this comparison is always {always}");
            self.found.push(Diagnostic::warning(codes::CONSTANT, span, message));
        }
    }

    /// A guard with arguments is written out.
    fn call(&mut self, name: &Name, arguments: &[ast::Expr], scope: &Scope<'_>) -> Option<(Expr, Type)> {
        let declared = self.names.get(&name.text).copied();
        if name.text == ENABLED && declared.is_none() {
            return self.enabled(name, arguments, scope);
        }
        let Some((Global::Guard(number), _)) = declared else {
            let known = self.script.guards.iter().map(|g| g.name.text.as_str());
            let operator = PREFIX_WORDS.iter().find(|(word, _)| *word == name.text);
            let message = format!("there is no guard `{}`", name.text);
            let error = Diagnostic::error(codes::UNKNOWN, name.span, message);
            self.missing(match operator {
                Some((_, ours)) => {
                    let words = format!("write `{ours}`");
                    error.help(words.clone()).fix(Fix::replace(name.span, *ours, words))
                }
                None => error.did_you_mean(self.found.nearest(&name.text, known)),
            });
            return None;
        };
        let script = self.script;
        let guard = &script.guards[number];
        if guard.parameters.len() != arguments.len() {
            let message = format!(
                "guard `{}` has {} parameters, not {}",
                name.text,
                guard.parameters.len(),
                arguments.len()
            );
            let error = Diagnostic::error(codes::ARGUMENTS, name.span, message);
            self.found.push(error.also(guard.name.span, "declared here"));
            return None;
        }
        if scope.calls >= MOST_CALLS {
            self.error(
                codes::TOO_LARGE,
                name.span,
                format!("guards call each other more than {MOST_CALLS} deep"),
            );
            return None;
        }
        self.write_out(name.span)?;
        let mut parameters = vec![];
        for (parameter, argument) in guard.parameters.iter().zip(arguments) {
            let ty = self.resolve(&parameter.ty, parameter.ty_span);
            let value = self.value(argument, ty, scope)?;
            parameters.push(Argument { name: parameter.name.text.clone(), value, ty });
        }
        // A parameter may be called like a local variable: inside, only parameters are known.
        let inner = Scope { parameters, locals: &[], calls: scope.calls + 1, ..scope.clone() };
        let body = self.condition(&guard.body, &inner)?;
        Some((body, Type::Bool))
    }
}

/// Conditions joined by `&` or `|`, as a tree that is not deep.
pub(super) fn joined(op: Op, parts: &[Expr], at: At) -> Expr {
    match parts {
        [] => Expr::Value(i64::from(op == Op::And)),
        [one] => one.clone(),
        parts => {
            let (left, right) = parts.split_at(parts.len() / 2);
            Expr::Binary(op, Box::new(joined(op, left, at)), Box::new(joined(op, right, at)), at)
        }
    }
}
