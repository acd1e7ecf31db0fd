//! What the names in expressions, processes and formulas mean: a bound agent before a block-local variable before a variable of the
//! state, as in `check/reference.rs`. A name in a constant means nothing.

use super::table::{Table, Whose};
use crate::syntax::ast::{
    AssignOp, Assignment, Declaration, Expr, ExprNode, Formula, FormulaNode, Init, Inside, Modality, Name,
    Process, ProcessNode, Rate, RateValue, Target,
};
use crate::syntax::token::TokenKind;
use std::collections::{HashMap, HashSet};
use swarmcheck_source::Span;
use swarmcheck_source::index::{Role, SymbolKind};

/// Where an expression stands.
#[derive(Clone, Copy)]
pub(super) enum Place<'p> {
    /// Sizes, counts, initial values and rates: only parameters are known.
    Constant,
    /// The link of a stigmergy, in which these agent sections take part.
    Link(&'p HashSet<usize>),
    /// The condition of a `pick` from the agents of a section, or from all.
    Pick(Option<usize>),
    Process,
    Property,
}

/// An agent bound by a quantifier.
struct Binder<'a> {
    name: &'a str,
    symbol: usize,
    /// Its agent section, if the kind is known.
    agent: Option<usize>,
}

/// A variable of the block.
#[derive(Clone, Copy)]
struct Local {
    symbol: usize,
    /// The section of the agents that it holds, if all of them are of one kind.
    agent: Option<usize>,
}

/// A walk over the parts of one declaration.
pub(super) struct Walk<'w, 'a> {
    pub table: &'w mut Table<'a>,
    pub place: Place<'w>,
    /// The agent section around a process; none for processes that all kinds may run.
    agent: Option<usize>,
    /// The symbol that bound agents and locals belong to.
    pub holder: Option<usize>,
    binders: Vec<Binder<'a>>,
    locals: HashMap<&'a str, Local>,
    /// What the names of the link mean that occurred in it.
    linked: HashMap<&'a str, Option<usize>>,
}

impl<'w, 'a> Walk<'w, 'a> {
    pub fn new(table: &'w mut Table<'a>, place: Place<'w>) -> Walk<'w, 'a> {
        Walk {
            table,
            place,
            agent: None,
            holder: None,
            binders: vec![],
            locals: HashMap::new(),
            linked: HashMap::new(),
        }
    }

    pub fn process_of(table: &'w mut Table<'a>, agent: Option<usize>, holder: Option<usize>) -> Walk<'w, 'a> {
        Walk { agent, holder, ..Walk::new(table, Place::Process) }
    }

    /// A place that names a kind. Returns its agent section.
    pub fn kind(&mut self, name: &Name) -> Option<usize> {
        let agent = self.table.kinds.get(name.text.as_str()).copied()?;
        let symbol = self.table.agents.get(agent).copied()?;
        self.table.place(name.span, symbol, Role::Read);
        Some(agent)
    }

    pub fn declaration(&mut self, declaration: &'a Declaration) {
        self.exprs(&declaration.dimensions);
        self.init(&declaration.init);
    }

    pub fn init(&mut self, init: &'a Init) {
        match init {
            Init::Undef(_) => {}
            Init::Value(value) => self.expr(value),
            Init::Set(values, _) => self.exprs(values),
            Init::Range(low, high) => {
                self.expr(low);
                self.expr(high);
            }
        }
    }

    pub fn rate(&mut self, rate: Option<&'a Rate>) {
        if let Some(Rate { value: RateValue::Expr(expr), .. }) = rate {
            self.constant(expr);
        }
    }

    /// An expression in which only parameters are known.
    fn constant(&mut self, expr: &'a Expr) {
        let place = std::mem::replace(&mut self.place, Place::Constant);
        self.expr(expr);
        self.place = place;
    }

    /// A variable that a view shows.
    pub fn shown(&mut self, name: &Name, agent: Option<usize>) {
        let whose = agent.map_or(Whose::Unsaid, Whose::Kind);
        if name.text != "id"
            && let Some(symbol) = self.table.variable(&name.text, whose)
        {
            self.table.place(name.span, symbol, Role::Read);
        }
    }

    pub fn modality(&mut self, modality: &'a Modality) {
        match modality {
            Modality::After(steps) => self.constant(steps),
            Modality::Scoped(scope) => {
                self.expr(&scope.start);
                self.expr(&scope.end);
                if let Inside::Precedes(first) = &scope.inside {
                    self.expr(first);
                }
            }
            Modality::Linear(formula) => self.formula(formula),
            Modality::Always | Modality::Eventually { .. } | Modality::Fairly | Modality::FairlyInf => {}
        }
    }

    pub fn process(&mut self, process: &'a Process) {
        match &process.node {
            ProcessNode::Skip | ProcessNode::Nil | ProcessNode::Error => {}
            ProcessNode::Call(name) => self.call(name, process.span),
            ProcessNode::Assign(assignment) => self.block(std::slice::from_ref(assignment)),
            ProcessNode::Block(assignments) => self.block(assignments),
            ProcessNode::Seq(parts) | ProcessNode::Choice(parts) | ProcessNode::Par(parts) => {
                parts.iter().for_each(|part| self.process(part));
            }
            ProcessNode::Guard(condition, body) | ProcessNode::Conditional(condition, body) => {
                self.expr(condition);
                self.process(body);
            }
            ProcessNode::Rated(action, rate) => {
                self.process(action);
                self.rate(Some(rate));
            }
        }
    }

    fn call(&mut self, name: &str, span: Span) {
        let processes = &self.table.processes;
        let found = processes.get(&(self.agent, name)).or_else(|| processes.get(&(None, name))).copied();
        if let (Some(symbol), Some(span)) = (found, self.table.word_in(span, TokenKind::Ident)) {
            self.table.place(span, symbol, Role::Call);
        }
    }

    /// Assignments that share their `:=` variables. All values of an assignment see the state before it.
    fn block(&mut self, assignments: &'a [Assignment]) {
        for assignment in assignments {
            assignment.values.iter().for_each(|value| self.expr(value));
            for (at, target) in assignment.targets.iter().enumerate() {
                self.target(assignment, target, assignment.values.get(at));
            }
        }
        self.locals.clear();
    }

    fn target(&mut self, assignment: &'a Assignment, target: &'a Target, value: Option<&'a Expr>) {
        self.exprs(&target.index);
        let name = &target.name;
        let known = self.locals.get(name.text.as_str()).copied();
        if let Some(symbol) = self.table.variable(&name.text, self.own()) {
            self.table.place(name.span, symbol, Role::Write);
            return;
        }
        let agent = value.and_then(|value| match &value.node {
            ExprNode::Pick { kind: Some(kind), .. } => self.table.kinds.get(kind.text.as_str()).copied(),
            _ => None,
        });
        match known {
            Some(local) => {
                self.table.place(name.span, local.symbol, Role::Write);
                let agent = local.agent.filter(|before| Some(*before) == agent);
                self.locals.insert(&name.text, Local { agent, ..local });
            }
            None if assignment.op == AssignOp::Local => {
                let symbol =
                    self.table.declare(SymbolKind::LocalVariable, name, assignment.span, self.holder);
                self.locals.insert(&name.text, Local { symbol, agent });
            }
            None => {}
        }
    }

    /// The copy of the acting agent.
    fn own<'x>(&self) -> Whose<'x> {
        self.agent.map_or(Whose::Any, Whose::Kind)
    }

    pub fn exprs(&mut self, exprs: &'a [Expr]) {
        exprs.iter().for_each(|expr| self.expr(expr));
    }

    pub fn expr(&mut self, expr: &'a Expr) {
        match &expr.node {
            ExprNode::Number(_) | ExprNode::Bool(_) | ExprNode::Undef | ExprNode::Error => {}
            ExprNode::Parameter(name) => self.parameter(name, expr.span),
            ExprNode::Id(of) => {
                if let Some(of) = of {
                    self.owner(of);
                }
            }
            ExprNode::Var { name, index, of } => self.reference(name, index, of.as_deref()),
            ExprNode::Unary(_, a) => self.expr(a),
            ExprNode::Binary(_, a, b) | ExprNode::Range(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprNode::If(c, a, b) => [c, a, b].into_iter().for_each(|part| self.expr(part)),
            ExprNode::Quantified(_, kind, name, body) => {
                self.bind(kind, name);
                self.expr(body);
                self.binders.pop();
            }
            ExprNode::Pick { count, kind, condition } => {
                self.constant(count);
                let agent = kind.as_ref().and_then(|kind| self.kind(kind));
                if let Some(condition) = condition {
                    let place = std::mem::replace(&mut self.place, Place::Pick(agent));
                    self.expr(condition);
                    self.place = place;
                }
            }
        }
    }

    fn parameter(&mut self, name: &str, span: Span) {
        if let Some(symbol) = self.table.parameters.get(name).copied()
            && let Some(span) = self.table.word_in(span, TokenKind::Parameter)
        {
            self.table.place(span, symbol, Role::Read);
        }
    }

    /// Enters the agent of a quantifier. Its declaration reaches from the quantifier's word to its name.
    fn bind(&mut self, kind: &Name, name: &'a Name) {
        let agent = self.kind(kind);
        let before = self.table.token_from(kind.span.start).checked_sub(1);
        let word = before.and_then(|at| self.table.tokens.get(at)).map_or(kind.span, |token| token.span);
        let symbol = self.table.declare(SymbolKind::BoundAgent, name, word.to(name.span), self.holder);
        self.binders.push(Binder { name: &name.text, symbol, agent });
    }

    fn reference(&mut self, name: &'a Name, index: &'a [Expr], of: Option<&'a Expr>) {
        if let Place::Constant = self.place {
            return;
        }
        self.exprs(index);
        let whose = match (of, self.place) {
            (Some(of), _) => self.owner(of),
            (None, Place::Process) => self.own(),
            (None, _) => Whose::Unsaid,
        };
        let meant = match (self.inner(&name.text), whose) {
            (Some((symbol, _)), _) => Some(symbol),
            (None, Whose::Partners(_)) => match self.linked.get(name.text.as_str()) {
                Some(known) => *known,
                None => {
                    let found = self.table.variable(&name.text, whose);
                    self.linked.insert(&name.text, found);
                    found
                }
            },
            (None, _) => self.table.variable(&name.text, whose),
        };
        if let Some(symbol) = meant {
            self.table.place(name.span, symbol, Role::Read);
        }
    }

    /// What a quantifier or the block around gives a name, and the section of that agent.
    fn inner(&self, name: &str) -> Option<(usize, Option<usize>)> {
        let binder = self.binders.iter().rev().find(|binder| binder.name == name);
        let local = || self.locals.get(name).map(|local| (local.symbol, local.agent));
        binder.map(|binder| (binder.symbol, binder.agent)).or_else(local)
    }

    /// Reads what stands after `of`, and says whose copy that means.
    fn owner(&mut self, of: &'a Expr) -> Whose<'w> {
        if let (Place::Link(_) | Place::Pick(_), Some(first)) = (self.place, side(of)) {
            return match self.place {
                Place::Link(partners) => Whose::Partners(partners),
                Place::Pick(_) if first => self.own(),
                Place::Pick(Some(agent)) => Whose::Kind(agent),
                _ => Whose::Any,
            };
        }
        match &of.node {
            ExprNode::Id(None) => self.own(),
            ExprNode::Id(Some(of)) => self.owner(of),
            ExprNode::Var { name, of: None, .. } => {
                self.expr(of);
                match self.inner(&name.text) {
                    Some((_, Some(agent))) => Whose::Kind(agent),
                    // A number that was stored, or the agents of a `pick` from all kinds.
                    Some(_) => Whose::Any,
                    None if self.table.variables.contains_key(name.text.as_str()) => Whose::Any,
                    None => Whose::Unsaid,
                }
            }
            _ => {
                self.expr(of);
                Whose::Any
            }
        }
    }

    /// The agent of which it is said that it acts or sends: a bound one, or a constant.
    fn step(&mut self, agent: &'a Expr) {
        match &agent.node {
            ExprNode::Var { name, .. } => {
                if let Some((symbol, _)) = self.inner(&name.text) {
                    self.table.place(name.span, symbol, Role::Read);
                }
            }
            _ => self.constant(agent),
        }
    }

    fn formula(&mut self, formula: &'a Formula) {
        match &formula.node {
            FormulaNode::Predicate(expr) => self.expr(expr),
            FormulaNode::Step(agent, _) => self.step(agent),
            FormulaNode::Delivered(name) => self.reference(name, &[], None),
            FormulaNode::Not(inner) | FormulaNode::Unary(_, inner) => self.formula(inner),
            FormulaNode::And(parts) | FormulaNode::Or(parts) => {
                parts.iter().for_each(|part| self.formula(part));
            }
            FormulaNode::Implies(a, b) | FormulaNode::Binary(_, a, b) => {
                self.formula(a);
                self.formula(b);
            }
            FormulaNode::Quantified(_, kind, name, body) => {
                self.bind(kind, name);
                self.formula(body);
                self.binders.pop();
            }
            FormulaNode::Error => {}
        }
    }
}

/// Which end of a link stands after `of`: whether it is the first, `1` or `c1`.
fn side(of: &Expr) -> Option<bool> {
    match &of.node {
        ExprNode::Number(1) => Some(true),
        ExprNode::Number(2) => Some(false),
        ExprNode::Var { name, index, of: None } if index.is_empty() => match name.text.as_str() {
            "c1" => Some(true),
            "c2" => Some(false),
            _ => None,
        },
        _ => None,
    }
}
