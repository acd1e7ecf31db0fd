//! Why an execution violates a formula of linear time: which part of it decides, and at which point.
//!
//! Every part of the formula is evaluated at every point of the execution, straight from the definition: backwards, and around
//! the loop until nothing changes. Then the formula is descended from the whole at the first point. Of a conjunction that is
//! false, a part that is false is followed; of `G φ`, the first point without φ; of an implication, the conclusion, and the
//! premise is told. What is told is true of the execution, and is enough to see that the formula is false in it.
//!
//! Of a beginning of an execution the future is not known, so there are three truth values (Kleene). Where they do not decide
//! that the formula is false, nothing is told, although the beginning may be bad for a deeper reason.

use super::kleene::{Truth, and, not, or};
use swarmcheck_ir::Linear;
use swarmcheck_ir::written::{Written, WrittenNode};
use swarmcheck_source::Span;

/// More findings than these are no explanation.
const MOST: usize = 8;

/// The points of an execution, from 0.
#[derive(Clone, Copy)]
pub struct Points {
    pub length: usize,
    /// After the last point comes this one. None: it is not known what comes.
    pub back: Option<usize>,
}

/// Something that is true of the execution.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding<'w, A> {
    /// A premise is true, so that something is required.
    Opened {
        span: Span,
        at: usize,
        /// It was false at the point before.
        became: bool,
    },
    /// A condition is true or false.
    Condition { span: Span, at: usize, holds: bool, condition: &'w Linear<A> },
    /// The step to a point is, or is not, what is to be observed.
    Observed { span: Span, at: usize, holds: bool },
    /// From a point on, something is never true (or always, if it holds).
    Forever { span: Span, from: usize, holds: bool },
    /// Something is true from one point to another, both included.
    Kept { span: Span, from: usize, to: usize },
    /// Something is false at a point, and something else has not been true from a point on until then: that point is
    /// included, or not.
    Before { span: Span, at: usize, until: Span, from: usize, inclusive: bool },
}

/// An agent that a quantifier ranges over, and what the quantifier calls it.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    /// The name in the quantifier.
    pub name: String,
    pub agent: String,
}

/// A finding, and the agents that it is about. The places in the body of a quantifier are the same for all agents, so without
/// these a finding does not say which of them is meant.
#[derive(Clone, Debug, PartialEq)]
pub struct Told<'w, A> {
    /// One for each quantifier around the part, the outermost first.
    pub bindings: Vec<Binding>,
    pub finding: Finding<'w, A>,
}

/// A part with its truth at every point.
struct Part<'w, A> {
    written: &'w Written<A>,
    at: Vec<Truth>,
    below: Vec<Part<'w, A>>,
}

/// Why a formula is false of an execution; nothing if that cannot be told.
pub fn explain<'w, A: PartialEq>(
    formula: &'w Written<A>,
    points: Points,
    truth: &dyn Fn(&A, usize) -> Truth,
) -> Vec<Told<'w, A>> {
    if points.length == 0 || points.back.is_some_and(|back| back >= points.length) {
        return vec![];
    }
    let whole = evaluate(formula, points, truth);
    let mut descent = Descent { points, bindings: vec![], out: vec![] };
    if whole.at.first() == Some(&Some(false)) {
        descent.follow(&whole, 0, false);
    }
    descent.out
}

/// The truth of a formula at the first point.
pub fn holds<A>(formula: &Written<A>, points: Points, truth: &dyn Fn(&A, usize) -> Truth) -> Truth {
    evaluate(formula, points, truth).at.first().copied().flatten()
}

fn each(a: &[Truth], b: &[Truth], join: impl Fn(Truth, Truth) -> Truth) -> Vec<Truth> {
    a.iter().zip(b).map(|(a, b)| join(*a, *b)).collect()
}

impl Points {
    fn after(self, at: usize) -> Option<usize> {
        if at + 1 < self.length { Some(at + 1) } else { self.back }
    }

    /// The points from one on, each once.
    fn from(self, at: usize) -> Vec<usize> {
        let again = self.back.map_or(0..0, |back| back..at.max(back));
        (at..self.length).chain(again).collect()
    }

    fn next(self, a: &[Truth]) -> Vec<Truth> {
        (0..self.length).map(|at| self.after(at).and_then(|next| a[next])).collect()
    }

    /// φ U ψ, as the least solution of ψ ∨ (φ ∧ X …).
    fn until(self, a: &[Truth], b: &[Truth]) -> Vec<Truth> {
        let mut now = vec![Some(false); self.length];
        // In a loop, twice around is enough: the second time, what follows is known.
        for _ in 0..2 {
            for at in (0..self.length).rev() {
                let next = self.after(at).and_then(|next| now[next]);
                now[at] = or(b[at], and(a[at], next));
            }
        }
        now
    }

    /// φ R ψ is ¬(¬φ U ¬ψ).
    fn release(self, a: &[Truth], b: &[Truth]) -> Vec<Truth> {
        let turned = |values: &[Truth]| values.iter().map(|value| not(*value)).collect::<Vec<_>>();
        turned(&self.until(&turned(a), &turned(b)))
    }

    fn constant(self, value: bool) -> Vec<Truth> {
        vec![Some(value); self.length]
    }
}

/// The truth of a formula without places at every point.
fn linear<A>(formula: &Linear<A>, points: Points, truth: &dyn Fn(&A, usize) -> Truth) -> Vec<Truth> {
    let of = |f: &Linear<A>| linear(f, points, truth);
    match formula {
        Linear::Atom(a) => (0..points.length).map(|at| truth(a, at)).collect(),
        Linear::Not(a) => of(a).into_iter().map(not).collect(),
        Linear::And(parts) => parts.iter().fold(points.constant(true), |all, p| each(&all, &of(p), and)),
        Linear::Or(parts) => parts.iter().fold(points.constant(false), |all, p| each(&all, &of(p), or)),
        Linear::Next(a) => points.next(&of(a)),
        Linear::Until(a, b) => points.until(&of(a), &of(b)),
        Linear::Release(a, b) => points.release(&of(a), &of(b)),
    }
}

fn evaluate<'w, A>(
    written: &'w Written<A>,
    points: Points,
    truth: &dyn Fn(&A, usize) -> Truth,
) -> Part<'w, A> {
    let of = |part: &'w Written<A>| evaluate(part, points, truth);
    let below: Vec<Part<'w, A>> = match &written.node {
        WrittenNode::Condition(_) | WrittenNode::Seen(_) => vec![],
        WrittenNode::Not(a) | WrittenNode::Next(a) => vec![of(a)],
        WrittenNode::Finally(a) | WrittenNode::Globally(a) => vec![of(a)],
        WrittenNode::And(a, b) | WrittenNode::Or(a, b) => vec![of(a), of(b)],
        WrittenNode::Implies(a, b) | WrittenNode::Iff(a, b) => vec![of(a), of(b)],
        WrittenNode::Until(a, b) | WrittenNode::Release(a, b) => vec![of(a), of(b)],
        WrittenNode::WeakUntil(a, b) => vec![of(a), of(b)],
        WrittenNode::Observe { seen, then, .. } => vec![of(seen), of(then)],
        WrittenNode::Agents { agents, .. } => agents.iter().map(|(_, part)| of(part)).collect(),
    };
    let value = |number: usize| below[number].at.as_slice();
    let implies = |a: Truth, b: Truth| or(not(a), b);
    let at = match &written.node {
        WrittenNode::Condition(f) | WrittenNode::Seen(f) => linear(f, points, truth),
        WrittenNode::Not(_) => value(0).iter().map(|a| not(*a)).collect(),
        WrittenNode::And(..) => each(value(0), value(1), and),
        WrittenNode::Or(..) => each(value(0), value(1), or),
        WrittenNode::Implies(..) => each(value(0), value(1), implies),
        WrittenNode::Iff(..) => each(value(0), value(1), |a, b| and(implies(a, b), implies(b, a))),
        WrittenNode::Next(_) => points.next(value(0)),
        WrittenNode::Finally(_) => points.until(&points.constant(true), value(0)),
        WrittenNode::Globally(_) => points.release(&points.constant(false), value(0)),
        WrittenNode::Until(..) => points.until(value(0), value(1)),
        WrittenNode::Release(..) => points.release(value(0), value(1)),
        // φ W ψ is ψ R (ψ ∨ φ).
        WrittenNode::WeakUntil(..) => points.release(value(1), &each(value(0), value(1), or)),
        WrittenNode::Observe { necessary: true, .. } => points.next(&each(value(0), value(1), implies)),
        WrittenNode::Observe { necessary: false, .. } => points.next(&each(value(0), value(1), and)),
        WrittenNode::Agents { all: true, .. } => {
            below.iter().fold(points.constant(true), |all, part| each(&all, &part.at, and))
        }
        WrittenNode::Agents { all: false, .. } => {
            below.iter().fold(points.constant(false), |all, part| each(&all, &part.at, or))
        }
    };
    Part { written, at, below }
}

struct Descent<'w, A> {
    points: Points,
    /// Of the quantifiers around the current part.
    bindings: Vec<Binding>,
    out: Vec<Told<'w, A>>,
}

impl<'w, A: PartialEq> Descent<'w, A> {
    fn tell(&mut self, finding: Finding<'w, A>) {
        let told = Told { bindings: self.bindings.clone(), finding };
        if self.out.len() < MOST && !self.out.contains(&told) {
            self.out.push(told);
        }
    }

    /// The first point from one on at which a part has this truth.
    fn first(&self, part: &Part<'w, A>, from: usize, holds: bool) -> Option<usize> {
        self.points.from(from).into_iter().find(|at| part.at[*at] == Some(holds))
    }

    /// Why a part is true, or false, at a point; it is.
    fn follow(&mut self, part: &Part<'w, A>, at: usize, holds: bool) {
        let span = part.written.span;
        let below = &part.below[..];
        let forever =
            |part: &Part<'w, A>, holds| Finding::Forever { span: part.written.span, from: at, holds };
        match &part.written.node {
            WrittenNode::Condition(condition) => {
                self.tell(Finding::Condition { span, at, holds, condition });
            }
            WrittenNode::Seen(_) => self.tell(Finding::Observed { span, at, holds }),
            WrittenNode::Not(_) => self.follow(&below[0], at, !holds),
            WrittenNode::And(..) => self.junction(below, at, holds, false),
            WrittenNode::Or(..) => self.junction(below, at, holds, true),
            WrittenNode::Agents { all, name, agents } => {
                // One of them decides, or all do.
                let one = *all != holds;
                for ((agent, _), part) in agents.iter().zip(below) {
                    if part.at[at] == Some(holds) {
                        self.bindings.push(Binding { name: name.clone(), agent: agent.clone() });
                        self.follow(part, at, holds);
                        self.bindings.pop();
                        if one {
                            return;
                        }
                    }
                }
            }
            WrittenNode::Implies(..) if holds => match below[1].at[at] {
                Some(true) => self.follow(&below[1], at, true),
                _ => self.follow(&below[0], at, false),
            },
            WrittenNode::Implies(..) => {
                self.premise(&below[0], at);
                self.follow(&below[1], at, false);
            }
            WrittenNode::Iff(..) => {
                for part in below {
                    if let Some(value) = part.at[at] {
                        self.follow(part, at, value);
                    }
                }
            }
            WrittenNode::Next(_) => {
                if let Some(next) = self.points.after(at) {
                    self.follow(&below[0], next, holds);
                }
            }
            WrittenNode::Finally(_) => match holds {
                true => self.at_first(&below[0], at, true),
                false => self.tell(forever(&below[0], false)),
            },
            WrittenNode::Globally(_) => match holds {
                false => self.at_first(&below[0], at, false),
                true => self.tell(forever(&below[0], true)),
            },
            WrittenNode::Until(..) | WrittenNode::WeakUntil(..) => {
                let (kept, released) = (&below[0], &below[1]);
                match (holds, self.first(released, at, true)) {
                    (true, Some(found)) => {
                        self.kept(kept, at, found, false);
                        self.follow(released, found, true);
                    }
                    (true, None) => self.tell(forever(kept, true)),
                    (false, _) => match self.lost(kept, released, at) {
                        Some(found) => self.before(kept, released, [at, found], true),
                        None => self.tell(forever(released, false)),
                    },
                }
            }
            WrittenNode::Release(..) => {
                let (released, kept) = (&below[0], &below[1]);
                match (holds, self.first(kept, at, false), self.first(released, at, true)) {
                    (false, Some(found), _) => self.before(kept, released, [at, found], false),
                    (true, _, Some(found)) => {
                        self.kept(kept, at, found, true);
                        self.follow(released, found, true);
                    }
                    (true, _, None) => self.tell(forever(kept, true)),
                    (false, None, _) => {}
                }
            }
            WrittenNode::Observe { .. } => {
                let Some(next) = self.points.after(at) else { return };
                match (below[0].at[next], below[1].at[next]) {
                    // Both halves count, or the first half that decides.
                    (Some(true), Some(_)) => {
                        self.follow(&below[0], next, true);
                        self.follow(&below[1], next, holds);
                    }
                    (Some(false), _) => self.follow(&below[0], next, false),
                    _ => self.follow(&below[1], next, holds),
                }
            }
        }
    }

    /// All parts count, or the first one with this truth.
    fn junction(&mut self, parts: &[Part<'w, A>], at: usize, holds: bool, decides: bool) {
        for part in parts.iter().filter(|part| part.at[at] == Some(holds)) {
            self.follow(part, at, holds);
            if holds == decides {
                return;
            }
        }
    }

    fn at_first(&mut self, part: &Part<'w, A>, from: usize, holds: bool) {
        if let Some(found) = self.first(part, from, holds) {
            self.follow(part, found, holds);
        }
    }

    /// The first point at which neither half of an until is true.
    fn lost(&self, kept: &Part<'w, A>, released: &Part<'w, A>, from: usize) -> Option<usize> {
        let neither = |at: &usize| kept.at[*at] == Some(false) && released.at[*at] == Some(false);
        self.points.from(from).into_iter().find(neither)
    }

    fn before(
        &mut self,
        kept: &Part<'w, A>,
        released: &Part<'w, A>,
        [from, at]: [usize; 2],
        inclusive: bool,
    ) {
        let (span, until) = (kept.written.span, released.written.span);
        self.tell(Finding::Before { span, at, until, from, inclusive });
    }

    /// A part is true from a point on, up to another one.
    fn kept(&mut self, part: &Part<'w, A>, from: usize, end: usize, inclusive: bool) {
        let points = self.points.from(from);
        let length = points.iter().position(|at| *at == end).map_or(0, |at| at + usize::from(inclusive));
        if let Some(to) = points[..length].last() {
            self.tell(Finding::Kept { span: part.written.span, from, to: *to });
        }
    }

    /// A premise that is true: a condition opens something; of another formula it is told why it is true.
    fn premise(&mut self, part: &Part<'w, A>, at: usize) {
        if !matches!(part.written.node, WrittenNode::Condition(_)) {
            return self.follow(part, at, true);
        }
        let became = at > 0 && part.at[at - 1] == Some(false);
        self.tell(Finding::Opened { span: part.written.span, at, became });
    }
}
