//! Formulas of linear time: what is a predicate in them, and who is meant.
//!
//! A part without temporal operators, `->` and steps is one predicate, with quantifiers of its own; it is satisfied in a state or
//! not (`docs/labs.md` 23). A quantifier around anything else is written out for all agents of the kind: the same formula, with the
//! number of the agent in place of its name.

use super::scope::{Binder, Context};
use crate::codes;
use crate::model::{Atom, BinderId, Cond, CondNode, Expr, ExprNode, KindId, Owner};
use crate::syntax::ast::{self, FormulaNode, Name, Quantifier, StepWord};
use swarmcheck_ir::Linear;
use swarmcheck_ir::linear::words::{BinaryOperator, UnaryOperator};
use swarmcheck_ir::written::{Written, WrittenNode};
use swarmcheck_source::{Diagnostic, Span};

/// How many parts a formula may have once its quantifiers are written out. Automata are much larger than their formula, so
/// nothing larger can be decided.
const MOST_PARTS: usize = 5_000;

/// A formula that makes sense; its quantifiers are still there.
struct Checked {
    node: Node,
    span: Span,
}

enum Node {
    /// A predicate.
    Predicate(Cond),
    Step(Agent, StepWord),
    Delivered,
    Not(Box<Checked>),
    And(Vec<Checked>),
    Or(Vec<Checked>),
    Implies(Box<Checked>, Box<Checked>),
    Unary(UnaryOperator, Box<Checked>),
    Binary(BinaryOperator, Box<Checked>, Box<Checked>),
    Agents {
        all: bool,
        kind: KindId,
        binder: BinderId,
        name: String,
        body: Box<Checked>,
    },
}

/// An agent of which something is said.
#[derive(Clone, Copy)]
enum Agent {
    Bound(BinderId),
    Number(u32),
}

impl Context<'_, '_> {
    /// Reads a formula and writes its quantifiers out.
    pub(super) fn formula(&mut self, formula: &ast::Formula) -> Written<Atom> {
        let checked = self.checked(formula);
        let counts: Vec<(u32, u32)> =
            self.names.kinds.iter().map(|k| (k.first, k.count.unwrap_or(0))).collect();
        let names: Vec<&str> = self.names.kinds.iter().map(|k| k.agent.name.text.as_str()).collect();
        let mut expansion = Expansion { counts: &counts, names: &names, agents: vec![], parts: 0 };
        let out = expansion.formula(&checked);
        if expansion.parts > MOST_PARTS || size(&out) > MOST_PARTS {
            let message = format!("this formula has more than {MOST_PARTS} parts");
            let error = Diagnostic::error(codes::FORMULA_SIZE, formula.span, message)
                .label("its quantifiers are written out for all agents")
                .help("quantify over fewer agents, or move quantifiers inside of temporal operators");
            self.error(error);
            return Written { span: formula.span, node: WrittenNode::Condition(Linear::truth()) };
        }
        out
    }

    fn checked(&mut self, formula: &ast::Formula) -> Checked {
        let span = formula.span;
        let node = match &formula.node {
            FormulaNode::Predicate(expr) => Node::Predicate(self.cond(expr)),
            FormulaNode::Step(agent, word) => self.step(agent, *word),
            FormulaNode::Delivered(name) => self.delivered(name),
            FormulaNode::Not(inner) => match self.checked(inner) {
                Checked { node: Node::Predicate(cond), .. } => {
                    Node::Predicate(Cond { node: CondNode::Not(Box::new(cond)), span })
                }
                other => Node::Not(Box::new(other)),
            },
            FormulaNode::And(parts) => self.list(parts, true, span),
            FormulaNode::Or(parts) => self.list(parts, false, span),
            FormulaNode::Implies(a, b) => Node::Implies(Box::new(self.checked(a)), Box::new(self.checked(b))),
            FormulaNode::Unary(operator, inner) => Node::Unary(*operator, Box::new(self.checked(inner))),
            FormulaNode::Binary(operator, a, b) => {
                Node::Binary(*operator, Box::new(self.checked(a)), Box::new(self.checked(b)))
            }
            FormulaNode::Quantified(quantifier, kind, name, body) => {
                self.agents(*quantifier == Quantifier::Forall, kind, name, body, span)
            }
            FormulaNode::Error => {
                self.facts.incomplete = true;
                Node::Predicate(Cond { node: CondNode::Bool(true), span })
            }
        };
        Checked { node, span }
    }

    fn list(&mut self, parts: &[ast::Formula], and: bool, span: Span) -> Node {
        let parts: Vec<Checked> = parts.iter().map(|p| self.checked(p)).collect();
        let conds: Option<Vec<Cond>> = parts.iter().map(|p| p.predicate().cloned()).collect();
        match (conds, and) {
            (Some(conds), true) => Node::Predicate(Cond { node: CondNode::And(conds), span }),
            (Some(conds), false) => Node::Predicate(Cond { node: CondNode::Or(conds), span }),
            (None, true) => Node::And(parts),
            (None, false) => Node::Or(parts),
        }
    }

    fn agents(&mut self, all: bool, kind: &Name, name: &Name, body: &ast::Formula, span: Span) -> Node {
        let found = self.kind_named(kind);
        self.check_binder_name(name);
        let binder = BinderId(self.binders.len() as u32);
        self.binders.push(Binder { name: name.text.clone(), span: name.span, kind: found });
        let body = Box::new(self.checked(body));
        self.binders.pop();
        let Some(kind) = found else {
            // Reported, or there are no kinds at all, which is.
            self.facts.incomplete = true;
            return Node::Predicate(Cond { node: CondNode::Bool(true), span });
        };
        match body.node {
            Node::Predicate(cond) => {
                let cond = Box::new(cond);
                let node = match all {
                    true => CondNode::Forall(kind, binder, cond),
                    false => CondNode::Exists(kind, binder, cond),
                };
                Node::Predicate(Cond { node, span })
            }
            _ => Node::Agents { all, kind, binder, name: name.text.clone(), body },
        }
    }

    fn delivered(&mut self, name: &Name) -> Node {
        if self.names.variable(&name.text).is_some() || self.binder(&name.text).is_some() {
            let node = ast::ExprNode::Var { name: name.clone(), index: vec![], of: None };
            return Node::Predicate(self.cond(&ast::Expr { node, span: name.span }));
        }
        Node::Delivered
    }

    fn step(&mut self, agent: &ast::Expr, word: StepWord) -> Node {
        let span = agent.span;
        let nothing = Node::Predicate(Cond { node: CondNode::Bool(true), span });
        if let ast::ExprNode::Var { name, .. } = &agent.node {
            if let Some(binder) = self.binder(&name.text) {
                return Node::Step(Agent::Bound(binder), word);
            }
            let message = format!("no quantifier binds `{}`", name.text);
            let error = Diagnostic::error(codes::UNKNOWN_VARIABLE, name.span, message);
            let near = self.names.nearest(&name.text, self.binders.iter().map(|b| b.name.as_str()));
            let said = said(word);
            let error = match near {
                Some(near) => error.did_you_mean(Some(near)),
                None => error.help(format!(
                    "only agents act: write `forall Kind a, … a {said} …`, or `agent 0 {said}`"
                )),
            };
            self.error(error);
            self.facts.incomplete = true;
            return nothing;
        }
        // Where a count is not known, its parameter has no value, which is reported.
        let agents: Option<i64> = self.names.kinds.iter().map(|k| k.count.map(i64::from)).sum();
        let top = agents.map_or(i64::from(u32::MAX), |agents| (agents - 1).max(0));
        match self.constant_within("the number of an agent", agent, 0, top) {
            Some(number) => Node::Step(Agent::Number(number), word),
            None => {
                self.facts.incomplete = true;
                nothing
            }
        }
    }
}

/// How it is written.
fn said(word: StepWord) -> &'static str {
    match word {
        StepWord::Acts => "acts",
        StepWord::CanAct => "can act",
        StepWord::Sends => "sends",
        StepWord::CanSend => "can send",
    }
}

impl Checked {
    fn predicate(&self) -> Option<&Cond> {
        match &self.node {
            Node::Predicate(cond) => Some(cond),
            _ => None,
        }
    }
}

/// Joins two formulas.
type Joined = fn(Box<Written<Atom>>, Box<Written<Atom>>) -> WrittenNode<Atom>;

/// Writes quantifiers out.
struct Expansion<'a> {
    /// The first agent of each kind, and how many there are.
    counts: &'a [(u32, u32)],
    names: &'a [&'a str],
    /// The agents that stand for the binders around, outermost first.
    agents: Vec<(BinderId, u32)>,
    parts: usize,
}

impl Expansion<'_> {
    fn formula(&mut self, formula: &Checked) -> Written<Atom> {
        self.parts += 1;
        let span = formula.span;
        if self.parts > MOST_PARTS {
            return Written { span, node: WrittenNode::Condition(Linear::truth()) };
        }
        let node = match &formula.node {
            Node::Predicate(cond) => condition(Atom::State(self.instance(cond))),
            Node::Step(agent, word) => {
                let agent = match *agent {
                    Agent::Number(number) => number,
                    Agent::Bound(binder) => self.agent(binder).unwrap_or(0),
                };
                condition(match word {
                    StepWord::Acts => Atom::Acts(agent),
                    StepWord::CanAct => Atom::CanAct(agent),
                    StepWord::Sends => Atom::Sends(agent),
                    StepWord::CanSend => Atom::CanSend(agent),
                })
            }
            Node::Delivered => condition(Atom::Delivered),
            Node::Not(a) => WrittenNode::Not(self.boxed(a)),
            Node::And(parts) => return self.chain(parts, WrittenNode::And),
            Node::Or(parts) => return self.chain(parts, WrittenNode::Or),
            Node::Implies(a, b) => WrittenNode::Implies(self.boxed(a), self.boxed(b)),
            Node::Unary(UnaryOperator::Globally, a) => WrittenNode::Globally(self.boxed(a)),
            Node::Unary(UnaryOperator::Finally, a) => WrittenNode::Finally(self.boxed(a)),
            Node::Unary(UnaryOperator::Next, a) => WrittenNode::Next(self.boxed(a)),
            Node::Binary(BinaryOperator::Until, a, b) => WrittenNode::Until(self.boxed(a), self.boxed(b)),
            Node::Binary(BinaryOperator::Release, a, b) => WrittenNode::Release(self.boxed(a), self.boxed(b)),
            Node::Binary(BinaryOperator::Unless, a, b) => {
                WrittenNode::WeakUntil(self.boxed(a), self.boxed(b))
            }
            Node::Agents { all, kind, binder, name, body } => {
                let at = kind.0 as usize;
                let (first, count) = self.counts[at];
                let mut agents = vec![];
                for agent in first..first.saturating_add(count) {
                    self.agents.push((*binder, agent));
                    agents.push((format!("{} {agent}", self.names[at]), self.formula(body)));
                    self.agents.pop();
                    if self.parts > MOST_PARTS {
                        break;
                    }
                }
                WrittenNode::Agents { all: *all, name: name.clone(), agents }
            }
        };
        Written { span, node }
    }

    fn boxed(&mut self, formula: &Checked) -> Box<Written<Atom>> {
        Box::new(self.formula(formula))
    }

    /// `a and b and c` as pairs, halved again and again so that they nest a little only.
    fn chain(&mut self, parts: &[Checked], build: Joined) -> Written<Atom> {
        let (left, right) = parts.split_at(parts.len() / 2);
        match (left, right) {
            ([], [one]) => self.formula(one),
            _ => {
                let (left, right) = (self.chain(left, build), self.chain(right, build));
                Written { span: left.span.to(right.span), node: build(Box::new(left), Box::new(right)) }
            }
        }
    }

    fn agent(&self, binder: BinderId) -> Option<u32> {
        self.agents.iter().find(|(bound, _)| *bound == binder).map(|(_, agent)| *agent)
    }

    /// The predicate with numbers for the agents that are bound around it.
    fn instance(&self, cond: &Cond) -> Cond {
        if self.agents.is_empty() { cond.clone() } else { self.cond(cond) }
    }

    fn cond(&self, cond: &Cond) -> Cond {
        let one = |c: &Cond| Box::new(self.cond(c));
        let all = |parts: &[Cond]| parts.iter().map(|c| self.cond(c)).collect();
        let node = match &cond.node {
            CondNode::Bool(b) => CondNode::Bool(*b),
            CondNode::NonZero(e) => CondNode::NonZero(self.expr(e)),
            CondNode::Compare(op, a, b) => CondNode::Compare(*op, self.expr(a), self.expr(b)),
            CondNode::Not(c) => CondNode::Not(one(c)),
            CondNode::And(parts) => CondNode::And(all(parts)),
            CondNode::Or(parts) => CondNode::Or(all(parts)),
            CondNode::Forall(kind, binder, body) => CondNode::Forall(*kind, *binder, one(body)),
            CondNode::Exists(kind, binder, body) => CondNode::Exists(*kind, *binder, one(body)),
        };
        Cond { node, span: cond.span }
    }

    fn expr(&self, e: &Expr) -> Expr {
        let one = |e: &Expr| Box::new(self.expr(e));
        let cond = |c: &Cond| Box::new(self.cond(c));
        let node = match &e.node {
            ExprNode::Agent(binder) => match self.agent(*binder) {
                Some(agent) => ExprNode::Number(agent.into()),
                None => ExprNode::Agent(*binder),
            },
            ExprNode::Number(_) | ExprNode::Id | ExprNode::IdOf(_) | ExprNode::Local(_) => e.node.clone(),
            ExprNode::Var(var, owner, index) => {
                let owner = match &**owner {
                    Owner::Agent(e) => Owner::Agent(self.expr(e)),
                    other => other.clone(),
                };
                ExprNode::Var(*var, Box::new(owner), index.iter().map(|e| self.expr(e)).collect())
            }
            ExprNode::LocalCell(local, index) => ExprNode::LocalCell(*local, one(index)),
            ExprNode::Neg(e) => ExprNode::Neg(one(e)),
            ExprNode::Abs(e) => ExprNode::Abs(one(e)),
            ExprNode::Binary(op, a, b) => ExprNode::Binary(*op, one(a), one(b)),
            ExprNode::If(c, a, b) => ExprNode::If(cond(c), one(a), one(b)),
            ExprNode::Count(kind, binder, c) => ExprNode::Count(*kind, *binder, cond(c)),
            ExprNode::Truth(c) => ExprNode::Truth(cond(c)),
            ExprNode::Range(a, b) => ExprNode::Range(one(a), one(b)),
        };
        Expr { node, span: e.span }
    }
}

/// How many parts the formula has in fewer operators: `W` writes its right side twice.
fn size(formula: &Written<Atom>) -> usize {
    let two = |a: &Written<Atom>, b: &Written<Atom>| size(a).saturating_add(size(b)).saturating_add(1);
    match &formula.node {
        WrittenNode::Condition(_) | WrittenNode::Seen(_) => 1,
        WrittenNode::Not(a) | WrittenNode::Next(a) | WrittenNode::Finally(a) | WrittenNode::Globally(a) => {
            size(a).saturating_add(1)
        }
        WrittenNode::And(a, b)
        | WrittenNode::Or(a, b)
        | WrittenNode::Implies(a, b)
        | WrittenNode::Until(a, b)
        | WrittenNode::Release(a, b) => two(a, b),
        WrittenNode::WeakUntil(a, b) | WrittenNode::Iff(a, b) => two(a, b).saturating_mul(2),
        WrittenNode::Observe { seen, then, .. } => two(seen, then),
        WrittenNode::Agents { agents, .. } => {
            agents.iter().fold(1, |sum, (_, part)| sum.saturating_add(size(part)))
        }
    }
}

fn condition(atom: Atom) -> WrittenNode<Atom> {
    WrittenNode::Condition(Linear::Atom(atom))
}
