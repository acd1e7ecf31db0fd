//! Token rings in the text: the parameter is the number of agents and of places in the ring, and a property is about each agent, or each two.
//!
//! Whether the system is a token ring is decided on the program (`swarmcheck_parametric::ring`). Two things show in the text only, because a
//! program has one number of agents: that the number means nothing else at any size, and that a property is a conjunction over all agents, or
//! over all pairs of them, of the same formula about those agents alone. This file accepts the following, and refuses all else.
//!
//! * The number occurs as the number of agents in `spawn`, and in `(id + 1) % _n`. Tokens are looked at for this, not the tree.
//! * A property is `always` or a formula of linear time, and is built by `and`, `forall`, `G` and `not exists` from formulas about the one or two agents
//!   that are bound; or it says that at most one agent satisfies a condition, which is a formula about each two. `G` of a conjunction is the conjunction of `G`.
//! * Formulas about agents read variables of these agents, whether two of them are the same, and whether one has the token. They do not compare agents by
//!   their order, and name no agent by its number: both depend on where in the ring the numbers begin. They have no `X` and no steps, which can tell
//!   how many steps others have made in between.

use crate::syntax::ast::{
    BinaryOp, Expr, ExprNode, Formula, FormulaNode, Modality, Property, Quantifier, UnaryOp,
};
use crate::syntax::parse_with_tokens;
use crate::syntax::token::{Bracket, Token, TokenKind};
use swarmcheck_ir::linear::words::UnaryOperator;
use swarmcheck_source::Span;

/// Why a property is not one about each agent, or each two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotIndexed {
    /// There is not exactly one environment variable.
    Environment,
    /// It is neither `always` nor a formula of linear time.
    Modality,
    /// It has `X`, or speaks of steps.
    Steps,
    /// It binds more than two agents at once.
    ManyAgents,
    /// A quantifier stands where the property is no conjunction over agents.
    Quantifier,
    /// It compares agents by their order, uses them as numbers, or names one by its number.
    Number,
    /// The token is used otherwise than by a comparison with an agent.
    Token,
    /// Anything else.
    Other,
}

impl std::fmt::Display for NotIndexed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NotIndexed::Environment => "the token must be the only environment variable",
            NotIndexed::Modality => "the property is neither 'always' nor 'ltl'",
            NotIndexed::Steps => "the property has 'X' or speaks of steps",
            NotIndexed::ManyAgents => "the property binds more than two agents at once",
            NotIndexed::Quantifier => {
                "the property is not one about each agent, or each two: a quantifier stands elsewhere"
            }
            NotIndexed::Number => "the property uses the number of an agent",
            NotIndexed::Token => "the property uses the token otherwise than by comparing it with an agent",
            NotIndexed::Other => "the property has an expression that is not covered",
        })
    }
}

/// A premise that fails, with its place.
type Refused = (NotIndexed, Span);

/// A property of a ring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RingProperty {
    /// It is about so many agents at once: one or two.
    pub agents: u32,
    /// It is a formula of linear time, and not `always`.
    pub linear: bool,
}

/// What a property says, if a parameter is the size of a ring; or which premise fails. None if the parameter is not the size of a ring in the first place.
pub fn ring(text: &str, parameter: &str, property: &str) -> Option<Result<RingProperty, Refused>> {
    let (file, tokens) = parse_with_tokens(text);
    let mut allowed = vec![];
    let mut kinds = 0;
    for system in &file.systems {
        allowed.extend(system.externs.iter().map(|parameter| parameter.name.span));
        for spawn in system.spawn.iter().flatten() {
            if matches!(&spawn.count.node, ExprNode::Parameter(name) if name == parameter) {
                kinds += 1;
                allowed.push(spawn.count.span);
            }
        }
    }
    allowed.extend(file.properties.iter().filter(|p| p.name.text != property).map(|p| p.span));
    let written = |token: &Token| text.get(token.span.start as usize..token.span.end as usize);
    let mut successors = 0;
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == TokenKind::Parameter) {
        if written(token).unwrap_or_default().trim_start_matches('_') != parameter {
            continue;
        }
        let inside = |span: &Span| span.start <= token.span.start && token.span.end <= span.end;
        if allowed.iter().any(inside) {
            continue;
        }
        let before = at.checked_sub(6).and_then(|from| tokens.get(from..at));
        if !before.is_some_and(|before| is_next(before, &written)) {
            return None;
        }
        successors += 1;
    }
    if successors == 0 || kinds != 1 {
        return None;
    }
    let mut environment = file.systems.iter().flat_map(|system| &system.environment);
    let (token, second) = (environment.next(), environment.next());
    let (Some(token), None) = (token, second) else {
        let place = second.map_or(Span::default(), |second| second.name.span);
        return Some(Err((NotIndexed::Environment, place)));
    };
    let property = file.properties.iter().find(|p| p.name.text == property)?;
    let mut indexed = Indexed { token: &token.name.text, bound: vec![], most: 1 };
    let linear = !matches!(property.modality, Modality::Always);
    Some(indexed.property(property).map(|()| RingProperty { agents: indexed.most, linear }))
}

/// `( id + 1 ) %`.
fn is_next<'t>(tokens: &[Token], written: &impl Fn(&Token) -> Option<&'t str>) -> bool {
    let [open, id, plus, one, close, modulo] = tokens else { return false };
    open.kind == TokenKind::Open(Bracket::Round)
        && written(id) == Some("id")
        && plus.kind == TokenKind::Operator(BinaryOp::Add)
        && one.kind == TokenKind::Number
        && written(one) == Some("1")
        && close.kind == TokenKind::Close(Bracket::Round)
        && !close.is_added()
        && modulo.kind == TokenKind::Operator(BinaryOp::Mod)
}

/// A property, from the outside in.
struct Indexed<'a> {
    /// The environment variable.
    token: &'a str,
    /// Names of bound agents.
    bound: Vec<&'a str>,
    /// How many are bound at once, at most.
    most: u32,
}

impl<'a> Indexed<'a> {
    fn property(&mut self, property: &'a Property) -> Result<(), Refused> {
        match &property.modality {
            Modality::Always => self.conjunction(&property.predicate),
            Modality::Linear(formula) => self.formula(formula),
            _ => Err((NotIndexed::Modality, property.span)),
        }
    }

    fn bind(
        &mut self,
        name: &'a str,
        span: Span,
        inside: impl FnOnce(&mut Self) -> Result<(), Refused>,
    ) -> Result<(), Refused> {
        // With a name that is used twice it would not be clear what is meant.
        if name == self.token || self.bound.contains(&name) {
            return Err((NotIndexed::Other, span));
        }
        self.bound.push(name);
        self.most = self.most.max(self.bound.len() as u32);
        let inside = match self.bound.len() > 2 {
            true => Err((NotIndexed::ManyAgents, span)),
            false => inside(self),
        };
        self.bound.pop();
        inside
    }

    /// A formula that is a conjunction over agents.
    fn formula(&mut self, formula: &'a Formula) -> Result<(), Refused> {
        match &formula.node {
            FormulaNode::And(parts) => parts.iter().try_for_each(|part| self.formula(part)),
            FormulaNode::Quantified(Quantifier::Forall, _, name, body) => {
                self.bind(&name.text, formula.span, |inner| inner.formula(body))
            }
            FormulaNode::Unary(UnaryOperator::Globally, body) => self.formula(body),
            FormulaNode::Predicate(e) => self.conjunction(e),
            _ => self.temporal(formula),
        }
    }

    /// A formula about the agents that are bound.
    fn temporal(&self, formula: &Formula) -> Result<(), Refused> {
        match &formula.node {
            FormulaNode::Predicate(e) => self.local(e),
            FormulaNode::Not(a) => self.temporal(a),
            FormulaNode::And(parts) | FormulaNode::Or(parts) => {
                parts.iter().try_for_each(|part| self.temporal(part))
            }
            FormulaNode::Implies(a, b) | FormulaNode::Binary(_, a, b) => {
                self.temporal(a)?;
                self.temporal(b)
            }
            FormulaNode::Unary(UnaryOperator::Next, _)
            | FormulaNode::Step(..)
            | FormulaNode::Delivered(_) => Err((NotIndexed::Steps, formula.span)),
            FormulaNode::Unary(_, a) => self.temporal(a),
            FormulaNode::Quantified(..) => Err((NotIndexed::Quantifier, formula.span)),
            FormulaNode::Error => Err((NotIndexed::Other, formula.span)),
        }
    }

    /// A condition that is a conjunction over agents.
    fn conjunction(&mut self, e: &'a Expr) -> Result<(), Refused> {
        match &e.node {
            ExprNode::Binary(BinaryOp::And, a, b) => {
                self.conjunction(a)?;
                self.conjunction(b)
            }
            ExprNode::Quantified(Quantifier::Forall, _, name, body) => {
                self.bind(&name.text, e.span, |inner| inner.conjunction(body))
            }
            ExprNode::Unary(UnaryOp::Not, inner) => self.nobody(inner),
            ExprNode::Binary(op, count, number) if self.bound.is_empty() => match (&count.node, &number.node)
            {
                (ExprNode::Quantified(Quantifier::Count, _, name, body), ExprNode::Number(most))
                    if matches!(
                        (op, most),
                        (BinaryOp::Le, 0 | 1) | (BinaryOp::Lt, 1 | 2) | (BinaryOp::Eq, 0)
                    ) =>
                {
                    // Each two: they do not both satisfy it.
                    self.most = 2;
                    self.bind(&name.text, e.span, |inner| inner.local(body))
                }
                _ => self.local(e),
            },
            _ => self.local(e),
        }
    }

    /// A condition below `not`.
    fn nobody(&mut self, e: &'a Expr) -> Result<(), Refused> {
        match &e.node {
            ExprNode::Quantified(Quantifier::Exists, _, name, body) => {
                self.bind(&name.text, e.span, |inner| inner.nobody(body))
            }
            _ => self.local(e),
        }
    }

    /// A condition or a value that only the agents that are bound decide.
    fn local(&self, e: &Expr) -> Result<(), Refused> {
        match &e.node {
            ExprNode::Number(_) | ExprNode::Bool(_) | ExprNode::Parameter(_) => Ok(()),
            ExprNode::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b)
                if (self.is_agent(a) && (self.is_agent(b) || self.is_token(b)))
                    || (self.is_token(a) && self.is_agent(b)) =>
            {
                Ok(())
            }
            _ if self.is_agent(e) => Err((NotIndexed::Number, e.span)),
            _ if self.is_token(e) => Err((NotIndexed::Token, e.span)),
            ExprNode::Var { index, of: Some(of), .. } => {
                if !self.is_agent(of) {
                    return Err((NotIndexed::Number, of.span));
                }
                index.iter().try_for_each(|index| self.local(index))
            }
            ExprNode::Unary(_, inner) => self.local(inner),
            ExprNode::Binary(_, a, b) => {
                self.local(a)?;
                self.local(b)
            }
            ExprNode::If(c, a, b) => [c, a, b].into_iter().try_for_each(|part| self.local(part)),
            ExprNode::Quantified(..) => Err((NotIndexed::Quantifier, e.span)),
            ExprNode::Id(_) => Err((NotIndexed::Number, e.span)),
            ExprNode::Undef
            | ExprNode::Var { of: None, .. }
            | ExprNode::Range(..)
            | ExprNode::Pick { .. }
            | ExprNode::Error => Err((NotIndexed::Other, e.span)),
        }
    }

    /// A bound agent: `a`, or `id of a`.
    fn is_agent(&self, e: &Expr) -> bool {
        match &e.node {
            ExprNode::Var { name, index, of: None } => {
                index.is_empty() && self.bound.contains(&name.text.as_str())
            }
            ExprNode::Id(Some(of)) => !matches!(of.node, ExprNode::Id(_)) && self.is_agent(of),
            _ => false,
        }
    }

    fn is_token(&self, e: &Expr) -> bool {
        matches!(&e.node, ExprNode::Var { name, index, of: None } if index.is_empty() && name.text == self.token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(behaviour: &str, property: &str, expected: Option<Result<u32, NotIndexed>>) {
        let text = format!(
            "system {{ extern = _n, _m\n environment = token: 0\n spawn = A: _n }}\nagent A {{ interface = x: 0\n Behavior = {behaviour} }}\ncheck {{ P = {property}\n Q = always forall A a, x of a < _n }}"
        );
        let found = ring(&text, "n", "P");
        let linear = property.starts_with("ltl");
        assert!(found.is_none_or(|found| found.is_ok_and(|found| found.linear == linear) || found.is_err()));
        let found = found.map(|found| found.map(|found| found.agents).map_err(|(why, _)| why));
        assert_eq!(found, expected, "{behaviour}: {property}");
    }

    const PASS: &str = "token = id -> token <-- (id + 1) % _n; Behavior";

    #[test]
    fn the_number_is_that_of_agents_and_of_places() {
        let one = Some(Ok(1));
        check(PASS, "always forall A a, x of a = 0", one);
        check("token = id -> token <-- (id + 2) % _n; Behavior", "always forall A a, x of a = 0", None);
        check("token = id -> token <-- id + 1 % _n; Behavior", "always forall A a, x of a = 0", None);
        check("token = id -> token <-- (x + 1) % _n; Behavior", "always forall A a, x of a = 0", None);
        check("token < _n -> token <-- (id + 1) % _n; Behavior", "always forall A a, x of a = 0", None);
        check("token = id -> x <- x; Behavior", "always forall A a, x of a = 0", None);
        check(PASS, "always forall A a, x of a < _n", None);
    }

    #[test]
    fn a_property_is_about_each_agent_or_each_two() {
        for (property, agents) in [
            ("always forall A a, x of a = 0 or token = id of a", 1),
            ("always forall A a, (x of a < _m and token != a)", 1),
            ("always (count A a, x of a = 1) <= 1", 2),
            ("always (count A a, x of a = 1) < 2 and forall A a, x of a = 0", 2),
            ("always !(exists A a, x of a = 1)", 1),
            ("always forall A a, forall A b, a = b or x of a + x of b < 2", 2),
            ("ltl forall A a, G F x of a = 1", 1),
            ("ltl G (forall A a, x of a = 1 -> F x of a = 0)", 1),
            ("ltl forall A a, forall A b, a = b or G (x of a = 1 -> x of b = 0 U x of a = 0)", 2),
        ] {
            check(PASS, property, Some(Ok(agents)));
        }
        use NotIndexed::{ManyAgents, Modality, Number, Other, Quantifier, Steps, Token};
        for (property, why) in [
            ("always exists A a, x of a = 0", Quantifier),
            ("always forall A a, exists A b, x of a = x of b", Quantifier),
            ("always (count A a, x of a = 1) <= 2", Quantifier),
            ("always (count A a, x of a = 1) >= 1", Quantifier),
            ("always (forall A a, x of a = 1) or forall A a, x of a = 0", Quantifier),
            ("always forall A a, x of a < id of a", Number),
            ("always forall A a, forall A b, id of a < id of b", Number),
            ("always x of 6 = 0", Number),
            ("always forall A a, token < id of a", Token),
            ("always token < 6", Token),
            ("always forall A a, forall A b, forall A c, x of a + x of b + x of c < 3", ManyAgents),
            ("always forall A a, x of a = 0 and forall A a, x of a = 1", Other),
            ("eventually forall A a, x of a = 1", Modality),
            ("fairly_inf forall A a, x of a = 1", Modality),
            ("after 3 forall A a, x of a = 1", Modality),
            ("ltl F (forall A a, x of a = 1)", Quantifier),
            ("ltl G F (exists A a, x of a = 1)", Quantifier),
            ("ltl exists A a, G F x of a = 1", Quantifier),
            ("ltl forall A a, X x of a = 1", Steps),
            ("ltl forall A a, G F a acts", Steps),
            ("ltl forall A a, G (a can act -> F x of a = 1)", Steps),
            ("ltl G F x of 6 = 1", Number),
        ] {
            check(PASS, property, Some(Err(why)));
        }
    }
}
