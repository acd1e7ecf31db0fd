//! From an LTL formula to a Büchi automaton, by the tableau of Gerth, Peled, Vardi and Wolper ("Simple on-the-fly
//! automatic verification of linear temporal logic", 1995), with acceptance on transitions as in Couvreur
//! ("On-the-fly verification of linear temporal logic", 1999).
//!
//! A state is a set of formulas that must hold from here on. Its *covers* are the ways to keep that promise: what must be
//! true now, and what must hold after the next step. `φ U ψ` is kept by `ψ` now, or by `φ` now and the same promise
//! again, which is then *postponed*; a run is accepted if no until is postponed forever. A cover that asks for more
//! than another in every respect is left out: whatever keeps it keeps the other. In the end the automaton is
//! degeneralised: a counter over the untils turns several acceptance conditions into one set of accepting states.

use super::Literal;
use super::bits::Bits;
use std::collections::HashMap;
use swarmcheck_ir::{Linear, cancel};

/// An automaton that reads one valuation of the atoms per state of an execution.
#[derive(Clone, Debug, Default)]
pub struct Automaton {
    /// What may happen on the first valuation.
    pub initial: Vec<Transition>,
    /// The states. A run is accepted if it visits accepting states infinitely often.
    pub states: Vec<State>,
}

impl Automaton {
    /// The state from which everything is accepted, if there is one: what has been read is enough.
    pub fn sink(&self) -> Option<usize> {
        let stays = |at: usize| self.states[at].next.iter().any(|t| t.when.is_empty() && t.to == at);
        (0..self.states.len()).find(|at| self.states[*at].accepting && stays(*at))
    }

    /// Whether it is plain that a run is accepted only if it comes to the sink: no accepting state is among those
    /// from which a run can go on forever without it. These are what is left when states without a next one are taken
    /// away again and again.
    pub fn accepts_in_sink_only(&self) -> bool {
        let sink = self.sink();
        let mut left: Vec<bool> = (0..self.states.len()).map(|at| Some(at) != sink).collect();
        loop {
            let ends = |at: &usize| left[*at] && !self.states[*at].next.iter().any(|t| left[t.to]);
            let ended: Vec<usize> = (0..left.len()).filter(ends).collect();
            if ended.is_empty() {
                break;
            }
            ended.into_iter().for_each(|at| left[at] = false);
        }
        !self.states.iter().zip(left).any(|(state, left)| state.accepting && left)
    }
}

#[derive(Clone, Debug, Default)]
pub struct State {
    /// Whether it accepts.
    pub accepting: bool,
    /// What may happen on the next valuation.
    pub next: Vec<Transition>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// These atoms are so.
    pub when: Vec<Literal>,
    /// The state after it.
    pub to: usize,
}

/// So many comparisons of covers are made. Some short formulas have automata of a few states, and millions of ways to find that out.
const MOST_COMPARISONS: u64 = 1 << 28;

/// A way to keep a promise.
#[derive(Clone, Default)]
struct Cover {
    /// Twice the number of an atom if it is false, and one more if it is true.
    literals: Bits,
    /// Numbers of formulas.
    next: Bits,
    postponed: Bits,
}

impl Cover {
    /// Whether it asks for nothing that the other does not ask for.
    fn is_weaker(&self, other: &Cover) -> bool {
        self.literals.is_subset(&other.literals)
            && self.next.is_subset(&other.next)
            && self.postponed.is_subset(&other.postponed)
    }
}

struct Tableau {
    formulas: Vec<Linear<Literal>>,
    numbers: HashMap<Linear<Literal>, usize>,
    limit: usize,
    /// How many more covers may be compared.
    left: u64,
}

/// The automaton of a formula without negations. `None` if it has more than `limit` states, or if it takes too long to find it.
pub fn automaton(formula: &Linear<Literal>, limit: usize) -> Option<Automaton> {
    let mut tableau = Tableau { formulas: vec![], numbers: HashMap::new(), limit, left: MOST_COMPARISONS };
    let whole = tableau.number(formula);
    let mut untils = vec![];
    collect(formula, &mut |f| {
        let number = tableau.number(f);
        if !untils.contains(&number) {
            untils.push(number);
        }
    });
    let mut out = Automaton::default();
    let mut covers: HashMap<Bits, Vec<Cover>> = HashMap::new();
    let mut known: HashMap<(Bits, usize, bool), usize> = HashMap::new();
    let mut todo: Vec<(Option<usize>, Bits, usize)> = vec![(None, Bits::of([whole]), 0)];
    while let Some((from, promises, count)) = todo.pop() {
        if !covers.contains_key(&promises) {
            let found = tableau.covers(&promises)?;
            covers.insert(promises.clone(), found);
        }
        let mut transitions = vec![];
        for cover in &covers[&promises] {
            let mut reached = count;
            while reached < untils.len() && !cover.postponed.contains(untils[reached]) {
                reached += 1;
            }
            let accepting = reached == untils.len();
            let key = (cover.next.clone(), if accepting { 0 } else { reached }, accepting);
            let to = *known.entry(key).or_insert_with(|| {
                out.states.push(State { accepting, next: vec![] });
                todo.push((
                    Some(out.states.len() - 1),
                    cover.next.clone(),
                    if accepting { 0 } else { reached },
                ));
                out.states.len() - 1
            });
            let transition = Transition { when: cover.literals.iter().map(literal).collect(), to };
            if !transitions.contains(&transition) {
                transitions.push(transition);
            }
        }
        if out.states.len() > limit {
            return None;
        }
        match from {
            None => out.initial = transitions,
            Some(state) => out.states[state].next = transitions,
        }
    }
    Some(out)
}

fn collect(formula: &Linear<Literal>, until: &mut dyn FnMut(&Linear<Literal>)) {
    match formula {
        Linear::Atom(_) => {}
        Linear::Not(a) | Linear::Next(a) => collect(a, until),
        Linear::And(parts) | Linear::Or(parts) => parts.iter().for_each(|p| collect(p, until)),
        Linear::Until(a, b) | Linear::Release(a, b) => {
            if matches!(formula, Linear::Until(..)) {
                until(formula);
            }
            collect(a, until);
            collect(b, until);
        }
    }
}

impl Tableau {
    fn number(&mut self, formula: &Linear<Literal>) -> usize {
        if let Some(&number) = self.numbers.get(formula) {
            return number;
        }
        self.formulas.push(formula.clone());
        self.numbers.insert(formula.clone(), self.formulas.len() - 1);
        self.formulas.len() - 1
    }

    /// All ways to keep some promises.
    fn covers(&mut self, promises: &Bits) -> Option<Vec<Cover>> {
        let mut covers = vec![Cover::default()];
        for promise in promises.iter() {
            let ways = self.ways(&self.formulas[promise].clone())?;
            covers = self.both(&covers, &ways)?;
        }
        Some(covers)
    }

    /// The ways to keep one promise.
    fn ways(&mut self, formula: &Linear<Literal>) -> Option<Vec<Cover>> {
        Some(match formula {
            Linear::Atom(literal) => vec![Cover { literals: Bits::of([bit(*literal)]), ..Cover::default() }],
            // Negations stand at atoms only, where they are part of the literal.
            Linear::Not(_) => vec![],
            Linear::And(parts) => {
                let mut covers = vec![Cover::default()];
                for part in parts {
                    let ways = self.ways(part)?;
                    covers = self.both(&covers, &ways)?;
                }
                covers
            }
            Linear::Or(parts) => {
                let mut covers = vec![];
                for part in parts {
                    covers.extend(self.ways(part)?);
                }
                self.least(covers)?
            }
            Linear::Next(a) => {
                // A conjunction is promised part by part, so that equal promises are recognised.
                let next = match &**a {
                    Linear::And(parts) => Bits::of(parts.iter().map(|p| self.number(p))),
                    a => Bits::of([self.number(a)]),
                };
                vec![Cover { next, ..Cover::default() }]
            }
            Linear::Until(a, b) => {
                let again = self.number(formula);
                let mut covers = self.ways(b)?;
                for mut cover in self.ways(a)? {
                    cover.next.insert(again);
                    cover.postponed.insert(again);
                    covers.push(cover);
                }
                self.least(covers)?
            }
            Linear::Release(a, b) => {
                let again = self.number(formula);
                let mut released = self.ways(a)?;
                released.push(Cover { next: Bits::of([again]), ..Cover::default() });
                let kept = self.ways(b)?;
                self.both(&kept, &released)?
            }
        })
    }

    fn both(&mut self, ones: &[Cover], others: &[Cover]) -> Option<Vec<Cover>> {
        let mut out = vec![];
        for one in ones {
            for other in others {
                let literals = one.literals.union(&other.literals);
                if literals.has_pair() {
                    self.compared(1)?;
                    continue;
                }
                let next = one.next.union(&other.next);
                let postponed = one.postponed.union(&other.postponed);
                self.add(&mut out, Cover { literals, next, postponed })?;
            }
        }
        Some(out)
    }

    /// Leaves out covers that ask for more than another. `None` if there are too many all the same.
    fn least(&mut self, covers: Vec<Cover>) -> Option<Vec<Cover>> {
        let mut out = vec![];
        covers.into_iter().try_for_each(|cover| self.add(&mut out, cover))?;
        Some(out)
    }

    /// Counts work. `None` if it is too much.
    fn compared(&mut self, covers: u64) -> Option<()> {
        cancel::check();
        self.left = self.left.checked_sub(covers)?;
        Some(())
    }

    /// Adds a cover, unless another asks for less. `None` if there are too many.
    fn add(&mut self, known: &mut Vec<Cover>, cover: Cover) -> Option<()> {
        self.compared(known.len() as u64 + 1)?;
        if !known.iter().any(|known| known.is_weaker(&cover)) {
            known.retain(|known| !cover.is_weaker(known));
            known.push(cover);
        }
        (known.len() <= self.limit).then_some(())
    }
}

fn bit((atom, positive): Literal) -> usize {
    2 * atom + usize::from(positive)
}

fn literal(bit: usize) -> Literal {
    (bit / 2, bit % 2 == 1)
}
