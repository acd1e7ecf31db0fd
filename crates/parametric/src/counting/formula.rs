//! Conditions on counters: Boolean combinations of linear inequalities over the numbers of agents in places.

use super::system::PlaceId;
use std::collections::BTreeMap;

/// `Σ coefficient · counter ≥ least`, over whole numbers.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Atom {
    /// Places with coefficients that are not 0, by place.
    pub terms: Vec<(PlaceId, i64)>,
    /// The bound.
    pub least: i64,
}

/// A condition in negation normal form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Formula {
    /// Always.
    True,
    /// Never.
    False,
    /// An inequality.
    Atom(Atom),
    /// All of them.
    And(Vec<Formula>),
    /// One of them.
    Or(Vec<Formula>),
}

impl Atom {
    /// From terms that may repeat or cancel.
    pub fn new(terms: impl IntoIterator<Item = (PlaceId, i64)>, least: i64) -> Atom {
        let mut sum: BTreeMap<PlaceId, i64> = BTreeMap::new();
        for (place, factor) in terms {
            *sum.entry(place).or_default() += factor;
        }
        Atom { terms: sum.into_iter().filter(|(_, factor)| *factor != 0).collect(), least }
    }

    /// At least so many agents in a place.
    pub fn at_least(place: PlaceId, least: i64) -> Atom {
        Atom { terms: vec![(place, 1)], least }
    }

    /// Its negation: sums are whole numbers.
    pub fn negated(&self) -> Atom {
        let terms = self.terms.iter().map(|(place, factor)| (*place, -factor)).collect();
        Atom { terms, least: 1 - self.least }
    }
}

impl Formula {
    /// A conjunction, simplified.
    pub fn and(parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut out: Vec<Formula> = vec![];
        for part in parts {
            match part {
                Formula::True => {}
                Formula::False => return Formula::False,
                Formula::And(inner) => out.extend(inner),
                other => out.push(other),
            }
        }
        only(out, Formula::True, Formula::And)
    }

    /// A disjunction, simplified.
    pub fn or(parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut out: Vec<Formula> = vec![];
        for part in parts {
            match part {
                Formula::False => {}
                Formula::True => return Formula::True,
                Formula::Or(inner) => out.extend(inner),
                other => out.push(other),
            }
        }
        only(out, Formula::False, Formula::Or)
    }

    /// An inequality, decided if it is about nothing.
    pub fn atom(atom: Atom) -> Formula {
        match atom.terms.is_empty() {
            true if atom.least <= 0 => Formula::True,
            true => Formula::False,
            false => Formula::Atom(atom),
        }
    }

    /// What is left of it where counters are within bounds and some atoms are known.
    pub fn under(&self, known: &Known) -> Formula {
        match self {
            Formula::True => Formula::True,
            Formula::False => Formula::False,
            Formula::Atom(atom) => match known.truth(atom) {
                Some(true) => Formula::True,
                Some(false) => Formula::False,
                None => self.clone(),
            },
            Formula::And(parts) => Formula::and(parts.iter().map(|part| part.under(known))),
            Formula::Or(parts) => Formula::or(parts.iter().map(|part| part.under(known))),
        }
    }

    /// Some inequality in it.
    pub fn first(&self) -> Option<&Atom> {
        match self {
            Formula::True | Formula::False => None,
            Formula::Atom(atom) => Some(atom),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().find_map(Formula::first),
        }
    }

    /// Calls `visit` with all inequalities.
    pub fn atoms<'a>(&'a self, visit: &mut dyn FnMut(&'a Atom)) {
        match self {
            Formula::True | Formula::False => {}
            Formula::Atom(atom) => visit(atom),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| part.atoms(visit)),
        }
    }
}

fn only(mut parts: Vec<Formula>, neutral: Formula, many: impl Fn(Vec<Formula>) -> Formula) -> Formula {
    let mut seen: Vec<Formula> = vec![];
    // Long lists keep their repetitions: comparing them costs more.
    if parts.len() <= 64 {
        for part in parts {
            if !seen.contains(&part) {
                seen.push(part);
            }
        }
        parts = seen;
    }
    match parts.len() {
        0 => neutral,
        1 => parts.remove(0),
        _ => many(parts),
    }
}

/// What is known of counters: an interval for each, and inequalities.
#[derive(Clone, Debug, Default)]
pub struct Known {
    bounds: BTreeMap<PlaceId, (i64, Option<i64>)>,
    atoms: Vec<Atom>,
}

impl Known {
    /// A counter is in an interval; without an upper end if there is none.
    pub fn bound(&mut self, place: PlaceId, low: i64, high: Option<i64>) {
        let (old_low, old_high) = self.bounds(place);
        let high = match (old_high, high) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        self.bounds.insert(place, (old_low.max(low), high));
    }

    fn bounds(&self, place: PlaceId) -> (i64, Option<i64>) {
        self.bounds.get(&place).copied().unwrap_or((0, None))
    }

    /// An inequality holds.
    pub fn assume(&mut self, atom: &Atom) {
        match atom.terms.as_slice() {
            [(place, 1)] => self.bound(*place, atom.least, None),
            [(place, -1)] => self.bound(*place, 0, Some(-atom.least)),
            _ => self.atoms.push(atom.clone()),
        }
    }

    /// Whether an inequality follows, or its negation does. Bounds are summed up, so nothing else is found.
    pub fn truth(&self, atom: &Atom) -> Option<bool> {
        let (mut least, mut most) = (Some(0i64), Some(0i64));
        for (place, factor) in &atom.terms {
            let (low, high) = self.bounds(*place);
            let (a, b) = match *factor > 0 {
                true => (low.checked_mul(*factor), high.and_then(|high| high.checked_mul(*factor))),
                false => (high.and_then(|high| high.checked_mul(*factor)), low.checked_mul(*factor)),
            };
            least = least.zip(a).and_then(|(sum, a)| sum.checked_add(a));
            most = most.zip(b).and_then(|(sum, b)| sum.checked_add(b));
        }
        if least.is_some_and(|least| least >= atom.least) || self.atoms.contains(atom) {
            return Some(true);
        }
        if most.is_some_and(|most| most < atom.least) || self.atoms.contains(&atom.negated()) {
            return Some(false);
        }
        None
    }
}
