//! Explanations of formulas of linear time. The truth of a formula is that of `lasso`, which is written from the definition; and
//! what is told is enough: on all executions of the same shape of which it is true, the formula is false.

use swarmcheck_ir::Linear;
use swarmcheck_ir::written::{Written, WrittenNode};
use swarmcheck_logic::linear::explain::{Binding, Finding, Points, Told, explain, holds};
use swarmcheck_logic::linear::lasso;
use swarmcheck_source::Span;

/// Conditions are the numbers 0 and 1.
const ATOMS: usize = 2;

/// Makes random formulas. Every part has a place of its own, except in the body of a quantifier: there the parts are at the same
/// places for all agents, as in a formula that was written once.
struct Maker {
    random: fastrand::Rng,
    places: usize,
}

impl Maker {
    fn formula(&mut self, depth: usize) -> Written<usize> {
        self.places += 1;
        let span = Span::new(self.places, self.places + 1);
        let one = |maker: &mut Maker| Box::new(maker.formula(depth.saturating_sub(1)));
        let node = match if depth == 0 { 0 } else { self.random.usize(0..15) } {
            0 | 1 => WrittenNode::Condition(Linear::Atom(self.random.usize(0..ATOMS))),
            2 => WrittenNode::Not(one(self)),
            3 => WrittenNode::And(one(self), one(self)),
            4 => WrittenNode::Or(one(self), one(self)),
            5 | 6 => WrittenNode::Implies(one(self), one(self)),
            7 => WrittenNode::Iff(one(self), one(self)),
            8 => WrittenNode::Next(one(self)),
            9 => WrittenNode::Finally(one(self)),
            10 => WrittenNode::Globally(one(self)),
            11 => WrittenNode::Until(one(self), one(self)),
            12 => match self.random.bool() {
                true => WrittenNode::Release(one(self), one(self)),
                false => WrittenNode::WeakUntil(one(self), one(self)),
            },
            13 => {
                self.places += 1;
                let node = WrittenNode::Seen(Linear::Atom(self.random.usize(0..ATOMS)));
                let seen = Box::new(Written { span: Span::new(self.places, self.places + 1), node });
                WrittenNode::Observe { necessary: self.random.bool(), seen, then: one(self) }
            }
            _ => {
                let first = *one(self);
                let mut second = first.clone();
                self.other_atoms(&mut second);
                let agents = [("a", first), ("b", second)].map(|(name, part)| (name.to_string(), part));
                WrittenNode::Agents { all: self.random.bool(), name: "k".to_string(), agents: agents.into() }
            }
        };
        Written { span, node }
    }

    /// Makes the same formula be about something else.
    fn other_atoms(&mut self, f: &mut Written<usize>) {
        match &mut f.node {
            WrittenNode::Condition(atom) | WrittenNode::Seen(atom) => {
                *atom = Linear::Atom(self.random.usize(0..ATOMS));
            }
            WrittenNode::Not(a)
            | WrittenNode::Next(a)
            | WrittenNode::Finally(a)
            | WrittenNode::Globally(a) => self.other_atoms(a),
            WrittenNode::And(a, b)
            | WrittenNode::Or(a, b)
            | WrittenNode::Implies(a, b)
            | WrittenNode::Iff(a, b)
            | WrittenNode::Until(a, b)
            | WrittenNode::Release(a, b)
            | WrittenNode::WeakUntil(a, b)
            | WrittenNode::Observe { seen: a, then: b, .. } => {
                self.other_atoms(a);
                self.other_atoms(b);
            }
            WrittenNode::Agents { agents, .. } => {
                agents.iter_mut().for_each(|(_, part)| self.other_atoms(part));
            }
        }
    }
}

fn below(f: &Written<usize>) -> Vec<&Written<usize>> {
    match &f.node {
        WrittenNode::Condition(_) | WrittenNode::Seen(_) => vec![],
        WrittenNode::Not(a) | WrittenNode::Next(a) | WrittenNode::Finally(a) | WrittenNode::Globally(a) => {
            vec![a]
        }
        WrittenNode::And(a, b)
        | WrittenNode::Or(a, b)
        | WrittenNode::Implies(a, b)
        | WrittenNode::Iff(a, b)
        | WrittenNode::Until(a, b)
        | WrittenNode::Release(a, b)
        | WrittenNode::WeakUntil(a, b) => vec![a, b],
        WrittenNode::Observe { seen, then, .. } => vec![seen, then],
        WrittenNode::Agents { agents, .. } => agents.iter().map(|(_, part)| part).collect(),
    }
}

/// The part at a place, for these agents.
fn at_place<'f>(f: &'f Written<usize>, span: Span, bindings: &[Binding]) -> Option<&'f Written<usize>> {
    if f.span == span && bindings.is_empty() {
        return Some(f);
    }
    let WrittenNode::Agents { name, agents, .. } = &f.node else {
        return below(f).into_iter().find_map(|part| at_place(part, span, bindings));
    };
    let (first, rest) = bindings.split_first()?;
    let (_, part) = agents.iter().find(|(agent, _)| *name == first.name && *agent == first.agent)?;
    at_place(part, span, rest)
}

/// An execution: bit `ATOMS * point + atom` says whether the atom is true there.
#[derive(Clone, Copy)]
struct Execution {
    length: usize,
    back: usize,
    bits: u32,
}

impl Execution {
    fn is(&self, atom: usize, at: usize) -> bool {
        self.bits >> (ATOMS * at + atom) & 1 == 1
    }

    /// The truth of a formula at a point, by the definition.
    fn satisfies(&self, f: &Written<usize>, at: usize) -> bool {
        let later = (0..at).fold(f.linear(), |f, _| Linear::next(f));
        lasso::satisfies(&later, self.length, self.back, &|atom, at| self.is(atom, at))
    }

    /// The points from one on, each once.
    fn from(&self, at: usize) -> Vec<usize> {
        (at..self.length).chain(self.back..at.max(self.back)).collect()
    }

    /// The points from one to another, both included.
    fn between(&self, from: usize, to: usize) -> Vec<usize> {
        let points = self.from(from);
        let end = points.iter().position(|point| *point == to).expect("it comes");
        points[..=end].to_vec()
    }

    fn has(&self, whole: &Written<usize>, told: &Told<'_, usize>) -> bool {
        let part = |span: Span| at_place(whole, span, &told.bindings).expect("a part");
        let value = |span: Span, at: usize| self.satisfies(part(span), at);
        match &told.finding {
            Finding::Opened { span, at, .. } => value(*span, *at),
            Finding::Condition { span, at, holds, .. } => value(*span, *at) == *holds,
            Finding::Observed { span, at, holds } => value(*span, *at) == *holds,
            Finding::Forever { span, from, holds } => {
                self.from(*from).into_iter().all(|at| value(*span, at) == *holds)
            }
            Finding::Kept { span, from, to } => {
                self.between(*from, *to).into_iter().all(|at| value(*span, at))
            }
            Finding::Before { span, at, until, from, inclusive } => {
                let mut points = self.between(*from, *at);
                if !inclusive {
                    points.pop();
                }
                !value(*span, *at) && points.into_iter().all(|point| !value(*until, point))
            }
        }
    }
}

#[test]
fn explanations_are_true_and_enough() {
    let mut maker = Maker { random: fastrand::Rng::with_seed(7), places: 0 };
    let (mut explained, mut others) = (0, 0);
    for _ in 0..400 {
        maker.places = 0;
        let formula = maker.formula(3);
        let length = maker.random.usize(1..4);
        let back = maker.random.usize(0..length);
        let bits = maker.random.u32(0..1 << (ATOMS * length));
        let run = Execution { length, back, bits };
        let points = Points { length, back: Some(back) };
        let truth = |run: Execution| move |atom: &usize, at: usize| Some(run.is(*atom, at));
        let expected = run.satisfies(&formula, 0);
        assert_eq!(holds(&formula, points, &truth(run)), Some(expected), "{formula:?}");
        let told = explain(&formula, points, &truth(run));
        assert_eq!(told.is_empty(), expected, "{formula:?}");
        // Longer explanations are cut off.
        if expected || told.len() >= 8 {
            continue;
        }
        explained += 1;
        for finding in &told {
            assert!(run.has(&formula, finding), "{finding:?} is not true\n{formula:?}");
        }
        for bits in 0..1 << (ATOMS * length) {
            let other = Execution { length, back, bits };
            if told.iter().all(|finding| other.has(&formula, finding)) {
                others += 1;
                assert!(!other.satisfies(&formula, 0), "{told:?} is not enough\n{formula:?}");
            }
        }
    }
    assert!(explained > 100 && others > 2 * explained, "{explained} explained, {others} others like them");
}

/// What is known of a beginning is true however it goes on, and what is told of it as well.
#[test]
fn beginnings_are_explained_whatever_follows() {
    let mut maker = Maker { random: fastrand::Rng::with_seed(8), places: 0 };
    let (mut lost, mut open) = (0, 0);
    for _ in 0..400 {
        maker.places = 0;
        let formula = maker.formula(3);
        let length = maker.random.usize(1..4);
        let bits = maker.random.u32(0..1 << (ATOMS * length));
        let begun = Execution { length, back: 0, bits };
        let points = Points { length, back: None };
        let truth = |atom: &usize, at: usize| Some(begun.is(*atom, at));
        let known = holds(&formula, points, &truth);
        let told = explain(&formula, points, &truth);
        let Some(known) = known else {
            assert!(told.is_empty());
            open += 1;
            continue;
        };
        lost += usize::from(!known);
        assert_eq!(told.is_empty(), known, "{formula:?}");
        // Two more points, the last of which is repeated.
        for more in 0..1 << (2 * ATOMS) {
            let bits = bits | more << (ATOMS * length);
            let whole = Execution { length: length + 2, back: length + 1, bits };
            assert_eq!(whole.satisfies(&formula, 0), known, "{formula:?}");
            for finding in &told {
                assert!(whole.has(&formula, finding), "{finding:?}\n{formula:?}");
            }
        }
    }
    assert!(lost > 40 && open > 40, "{lost} lost, {open} open");
}

/// `(forall k. G F r of k) -> (forall k. G F x of k)`: r is always true, and x only of the second agent. So the first one is to
/// be named in the conclusion, although it was named in the premise and the second one after it.
#[test]
fn an_agent_that_was_named_before_is_named_again() {
    let at = |start: usize, node| Written { span: Span::new(start, start + 1), node };
    // Atoms: 0 is true, 1 is false.
    let always = |start: usize, atom: usize| {
        let condition = at(start + 2, WrittenNode::Condition(Linear::Atom(atom)));
        let finally = at(start + 1, WrittenNode::Finally(Box::new(condition)));
        at(start, WrittenNode::Globally(Box::new(finally)))
    };
    let agents = |start: usize, atoms: [usize; 2]| {
        let agents = ["b", "d"].into_iter().zip(atoms);
        let agents = agents.map(|(agent, atom)| (agent.to_string(), always(start + 1, atom))).collect();
        Box::new(at(start, WrittenNode::Agents { all: true, name: "k".to_string(), agents }))
    };
    let formula = at(0, WrittenNode::Implies(agents(10, [0, 0]), agents(20, [1, 0])));
    let points = Points { length: 1, back: Some(0) };
    let told = explain(&formula, points, &|atom, _| Some(*atom == 0));
    let expected = [("b", 12, true), ("d", 12, true), ("b", 23, false)].map(|(agent, start, holds)| Told {
        bindings: vec![Binding { name: "k".to_string(), agent: agent.to_string() }],
        finding: Finding::Forever { span: Span::new(start, start + 1), from: 0, holds },
    });
    assert_eq!(told, expected);
}
