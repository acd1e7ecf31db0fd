//! Explanations of formulas of linear time. The truth of a formula is that of `lasso`, which is written from the definition; and
//! what is told is enough: on all executions of the same shape of which it is true, the formula is false.

use swarmcheck_ir::Linear;
use swarmcheck_ir::written::{Written, WrittenNode};
use swarmcheck_logic::linear::explain::{Finding, Points, explain, holds};
use swarmcheck_logic::linear::lasso;
use swarmcheck_source::Span;

/// Conditions are the numbers 0 and 1.
const ATOMS: usize = 2;

/// Makes random formulas in which every part has a place of its own.
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
                let agents =
                    [("a", one(self)), ("b", one(self))].map(|(name, part)| (name.to_string(), *part));
                WrittenNode::Agents { all: self.random.bool(), name: "k".to_string(), agents: agents.into() }
            }
        };
        Written { span, node }
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

fn at_place(f: &Written<usize>, span: Span) -> Option<&Written<usize>> {
    if f.span == span { Some(f) } else { below(f).into_iter().find_map(|part| at_place(part, span)) }
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

    fn has(&self, whole: &Written<usize>, finding: &Finding<'_, usize>) -> bool {
        let value = |span: Span, at: usize| self.satisfies(at_place(whole, span).expect("a part"), at);
        match finding {
            Finding::Agent { .. } => true,
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
