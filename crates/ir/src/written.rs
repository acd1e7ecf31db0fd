//! Formulas of linear time as they are written: with their places, and with the operators of the user. What they mean is
//! said by [`Written::linear`]; explanations follow the operators that the user sees.

use crate::linear::Linear;
use swarmcheck_source::Span;

/// A formula and its place.
#[derive(Clone, Debug)]
pub struct Written<A> {
    pub span: Span,
    pub node: WrittenNode<A>,
}

/// What a formula is.
#[derive(Clone, Debug)]
pub enum WrittenNode<A> {
    /// A condition without temporal operators of the user. It may be about the next step.
    Condition(Linear<A>),
    /// What a step was.
    Seen(Linear<A>),
    Not(Box<Written<A>>),
    And(Box<Written<A>>, Box<Written<A>>),
    Or(Box<Written<A>>, Box<Written<A>>),
    Implies(Box<Written<A>>, Box<Written<A>>),
    Iff(Box<Written<A>>, Box<Written<A>>),
    Next(Box<Written<A>>),
    Finally(Box<Written<A>>),
    Globally(Box<Written<A>>),
    Until(Box<Written<A>>, Box<Written<A>>),
    Release(Box<Written<A>>, Box<Written<A>>),
    WeakUntil(Box<Written<A>>, Box<Written<A>>),
    /// `<O>φ`, or `[O]φ` if it is necessary: what the next step is, and what holds after it.
    Observe {
        necessary: bool,
        seen: Box<Written<A>>,
        then: Box<Written<A>>,
    },
    /// All agents, or some agent: a name for it, and the formula for each of them.
    Agents {
        all: bool,
        name: String,
        agents: Vec<(String, Written<A>)>,
    },
}

impl<A: Clone> Written<A> {
    /// The same formula without places, in fewer operators.
    pub fn linear(&self) -> Linear<A> {
        let or = |a, b| Linear::Or(vec![a, b]);
        let and = |a, b| Linear::And(vec![a, b]);
        match &self.node {
            WrittenNode::Condition(f) | WrittenNode::Seen(f) => f.clone(),
            WrittenNode::Not(a) => Linear::not(a.linear()),
            WrittenNode::And(a, b) => and(a.linear(), b.linear()),
            WrittenNode::Or(a, b) => or(a.linear(), b.linear()),
            WrittenNode::Implies(a, b) => or(Linear::not(a.linear()), b.linear()),
            WrittenNode::Iff(a, b) => {
                let (a, b) = (a.linear(), b.linear());
                and(or(Linear::not(a.clone()), b.clone()), or(a, Linear::not(b)))
            }
            WrittenNode::Next(a) => Linear::next(a.linear()),
            WrittenNode::Finally(a) => Linear::finally(a.linear()),
            WrittenNode::Globally(a) => Linear::globally(a.linear()),
            WrittenNode::Until(a, b) => Linear::until(a.linear(), b.linear()),
            WrittenNode::Release(a, b) => Linear::release(a.linear(), b.linear()),
            WrittenNode::WeakUntil(a, b) => {
                let (a, b) = (a.linear(), b.linear());
                Linear::release(b.clone(), or(b, a))
            }
            WrittenNode::Observe { necessary, seen, then } => {
                let (seen, then) = (seen.linear(), then.linear());
                Linear::next(if *necessary { or(Linear::not(seen), then) } else { and(seen, then) })
            }
            WrittenNode::Agents { all, agents, .. } => {
                let parts = agents.iter().map(|(_, part)| part.linear()).collect();
                if *all { Linear::And(parts) } else { Linear::Or(parts) }
            }
        }
    }

    /// The same formula with other conditions.
    pub fn map<B>(&self, condition: &dyn Fn(&Linear<A>) -> Linear<B>) -> Written<B> {
        let one = |a: &Written<A>| Box::new(a.map(condition));
        let node = match &self.node {
            WrittenNode::Condition(f) => WrittenNode::Condition(condition(f)),
            WrittenNode::Seen(f) => WrittenNode::Seen(condition(f)),
            WrittenNode::Not(a) => WrittenNode::Not(one(a)),
            WrittenNode::And(a, b) => WrittenNode::And(one(a), one(b)),
            WrittenNode::Or(a, b) => WrittenNode::Or(one(a), one(b)),
            WrittenNode::Implies(a, b) => WrittenNode::Implies(one(a), one(b)),
            WrittenNode::Iff(a, b) => WrittenNode::Iff(one(a), one(b)),
            WrittenNode::Next(a) => WrittenNode::Next(one(a)),
            WrittenNode::Finally(a) => WrittenNode::Finally(one(a)),
            WrittenNode::Globally(a) => WrittenNode::Globally(one(a)),
            WrittenNode::Until(a, b) => WrittenNode::Until(one(a), one(b)),
            WrittenNode::Release(a, b) => WrittenNode::Release(one(a), one(b)),
            WrittenNode::WeakUntil(a, b) => WrittenNode::WeakUntil(one(a), one(b)),
            WrittenNode::Observe { necessary, seen, then } => {
                WrittenNode::Observe { necessary: *necessary, seen: one(seen), then: one(then) }
            }
            WrittenNode::Agents { all, name, agents } => {
                let part = |(agent, part): &(String, Written<A>)| (agent.clone(), part.map(condition));
                let agents = agents.iter().map(part).collect();
                WrittenNode::Agents { all: *all, name: name.clone(), agents }
            }
        };
        Written { span: self.span, node }
    }
}
