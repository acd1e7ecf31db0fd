//! Whether every execution satisfies a formula, by the method of Lichtenstein and Pnueli (*Checking that finite state
//! concurrent programs satisfy their linear specification*, 1985): every moment is paired with every guess of which temporal
//! parts of the formula hold in it, and a violation is a way to a loop that keeps all promises of its guesses.

use super::fair::{Edges, Fairness, Unit, loops};
use super::{Formula, Graph};

/// Whether a temporal part holds: its number, the formula, and which parts before it hold.
type Ahead<'a, A> = &'a dyn Fn(usize, &Formula<A>, &[bool]) -> bool;

/// Formulas with more temporal operators are not decided: there would be too many guesses.
pub const MOST_TEMPORAL: usize = 7;

/// Parts of a formula, inner ones first, with the numbers of their own parts.
struct Parts<'f, A> {
    all: Vec<(&'f Formula<A>, Vec<usize>)>,
    /// Those that are guessed.
    temporal: Vec<usize>,
}

impl<'f, A: PartialEq> Parts<'f, A> {
    fn new(formula: &'f Formula<A>) -> Parts<'f, A> {
        let mut parts = Parts { all: vec![], temporal: vec![] };
        parts.add(formula);
        parts
    }

    fn add(&mut self, formula: &'f Formula<A>) -> usize {
        let inner: Vec<usize> = formula.parts().into_iter().map(|part| self.add(part)).collect();
        if let Some(known) = self.all.iter().position(|(known, _)| *known == formula) {
            return known;
        }
        self.all.push((formula, inner));
        let number = self.all.len() - 1;
        if formula.looks_ahead() {
            self.temporal.push(number);
        }
        number
    }

    /// Which parts are atoms that hold at a moment.
    fn atoms(&self, holds: &dyn Fn(&A) -> bool) -> Vec<bool> {
        self.all.iter().map(|(formula, _)| matches!(formula, Formula::Atom(a) if holds(a))).collect()
    }

    /// Which parts hold at a moment where these atoms do, if temporal ones hold as `ahead` says.
    fn hold(&self, atoms: &[bool], ahead: Ahead<'_, A>) -> Vec<bool> {
        let mut holds: Vec<bool> = vec![];
        for (number, (formula, inner)) in self.all.iter().enumerate() {
            let truth = match formula {
                Formula::Atom(_) => atoms[number],
                Formula::Not(_) => !holds[inner[0]],
                Formula::And(_) => inner.iter().all(|part| holds[*part]),
                Formula::Or(_) => inner.iter().any(|part| holds[*part]),
                Formula::Implies(..) => !holds[inner[0]] || holds[inner[1]],
                temporal => ahead(number, temporal, &holds),
            };
            holds.push(truth);
        }
        holds
    }

    /// Which parts hold at a moment, if these hold at the next one: the expansion laws.
    fn before(&self, atoms: &[bool], next: &[bool]) -> Vec<bool> {
        self.hold(atoms, &|number, formula, holds| {
            let inner = &self.all[number].1;
            let now = |part: usize| holds[inner[part]];
            match formula {
                Formula::Next(_) => next[inner[0]],
                Formula::Finally(_) => now(0) || next[number],
                Formula::Globally(_) => now(0) && next[number],
                Formula::Until(..) | Formula::Unless(..) => now(1) || (now(0) && next[number]),
                Formula::Release(..) => now(1) && (now(0) || next[number]),
                _ => unreachable!("not temporal"),
            }
        })
    }

    /// Whether moments that come again and again do not put off forever what was guessed.
    fn keeps(&self, moments: &[&Vec<bool>]) -> bool {
        self.temporal.iter().all(|&number| {
            let (formula, inner) = &self.all[number];
            moments.iter().any(|holds| match formula {
                // What was said to come has come, or is not said.
                Formula::Finally(_) => !holds[number] || holds[inner[0]],
                Formula::Until(..) => !holds[number] || holds[inner[1]],
                // What was said to fail has failed, or is not said.
                Formula::Globally(_) => holds[number] || !holds[inner[0]],
                Formula::Release(..) => holds[number] || !holds[inner[1]],
                Formula::Unless(..) => holds[number] || !holds[inner[0]],
                _ => true,
            })
        })
    }
}

impl<S, T> Graph<S, T> {
    /// Whether every fair execution satisfies the formula; `None` if it has too many temporal parts. `atom` is what holds at a
    /// moment.
    pub fn satisfies<A: PartialEq>(
        &self,
        formula: &Formula<A>,
        atom: impl Fn(usize, &A) -> bool,
        fairness: Fairness,
        units: &[Unit],
    ) -> Option<bool> {
        let parts = Parts::new(formula);
        if parts.temporal.len() > MOST_TEMPORAL {
            return None;
        }
        let atoms: Vec<Vec<bool>> =
            (0..self.moments.len()).map(|moment| parts.atoms(&|a| atom(moment, a))).collect();
        let kept = self.distinct(&atoms, units);
        let guesses = 1usize << parts.temporal.len();
        // What holds at each moment with each guess.
        let mut nodes: Vec<Vec<bool>> = vec![];
        for &moment in kept.iter().flatten() {
            for guess in 0..guesses {
                let guessed = |number: usize, _: &Formula<A>, _: &[bool]| {
                    let bit = parts.temporal.iter().position(|t| *t == number);
                    bit.is_some_and(|bit| guess >> bit & 1 == 1)
                };
                nodes.push(parts.hold(&atoms[moment], &guessed));
            }
        }
        let guess = |holds: &[bool]| {
            parts.temporal.iter().enumerate().map(|(bit, t)| usize::from(holds[*t]) << bit).sum::<usize>()
        };
        // Where the nodes of each state begin.
        let mut first = vec![0];
        kept.iter().for_each(|moments| first.push(first[first.len() - 1] + moments.len() * guesses));
        // A guess about the next moment leaves one guess about this one.
        let mut edges: Edges = vec![vec![]; nodes.len()];
        for (number, &moment) in kept.iter().flatten().enumerate() {
            let next = self.moments[moment].target;
            for (target, node) in (first[next]..).zip(&nodes[first[next]..first[next + 1]]) {
                let holds = parts.before(&atoms[moment], node);
                edges[number * guesses + guess(&holds)].push(target);
            }
        }
        let whole = parts.all.len() - 1;
        let mut reached: Vec<usize> = (0..first[self.initial]).filter(|&node| !nodes[node][whole]).collect();
        let mut seen = vec![false; nodes.len()];
        reached.iter().for_each(|&node| seen[node] = true);
        let mut at = 0;
        while at < reached.len() {
            for &target in &edges[reached[at]] {
                if !std::mem::replace(&mut seen[target], true) {
                    reached.push(target);
                }
            }
            at += 1;
        }
        let keeps = |component: &[usize]| {
            let moments: Vec<&Vec<bool>> = component.iter().map(|&node| &nodes[node]).collect();
            parts.keeps(&moments)
        };
        let moments: Vec<usize> = kept.into_iter().flatten().collect();
        Some(!loops(&edges, reached, fairness, units, &|node| moments[node / guesses], &keeps))
    }

    /// The moments of each state, without those that neither the formula nor fairness can tell from another one.
    fn distinct(&self, atoms: &[Vec<bool>], units: &[Unit]) -> Vec<Vec<usize>> {
        let alike = |one: usize, other: usize| {
            self.moments[one].target == self.moments[other].target
                && atoms[one] == atoms[other]
                && units.iter().all(|unit| unit.moves[one] == unit.moves[other])
        };
        let of = |state: usize| {
            let mut kept: Vec<usize> = vec![];
            for moment in self.moments_of(state) {
                if !kept.iter().any(|&other| alike(moment, other)) {
                    kept.push(moment);
                }
            }
            kept
        };
        (0..self.states.len()).map(of).collect()
    }
}
