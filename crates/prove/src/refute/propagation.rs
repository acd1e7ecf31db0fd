//! Unit propagation over clauses that are added at first, and taken away again in the opposite order.
//!
//! Every clause watches two of its literals. Watches stay right when literals lose their values in the opposite order in which they
//! got them, because a clause is added when everything that is known by then has been propagated, and is taken away before
//! any of that is forgotten.

use crate::formula::Clauses;

/// No clause: the value was assumed.
pub(super) const NONE: u32 = u32::MAX;

/// A clause, and one of its literals: if that is true, nothing has to be done.
#[derive(Clone, Copy)]
struct Watch {
    clause: u32,
    other: i32,
}

#[derive(Default)]
pub(super) struct Propagation {
    literals: Vec<i32>,
    /// Where the literals of each clause begin; one more at the end.
    starts: Vec<usize>,
    /// Clauses that are known to be needed.
    pub(super) core: Vec<bool>,
    /// Clauses from this one on have been taken away.
    pub(super) alive: u32,
    /// By class (needed or not) and literal: the clauses that watch it. A clause that has come to be needed is moved when it
    /// is met.
    watches: [Vec<Vec<Watch>>; 2],
    /// By variable: 1, -1 or 0 for no value.
    values: Vec<i8>,
    /// By variable: the clause that has given it its value.
    pub(super) reasons: Vec<u32>,
    /// By variable: its place in the trail.
    pub(super) places: Vec<usize>,
    /// True literals in the order in which they have become so.
    pub(super) trail: Vec<i32>,
    /// How far the trail is propagated in each class.
    heads: [usize; 2],
}

/// Classes of clauses.
const OTHERS: usize = 0;
const CORE: usize = 1;

fn code(literal: i32) -> usize {
    2 * literal.unsigned_abs() as usize + usize::from(literal < 0)
}

impl Propagation {
    pub(super) fn new(variables: i32) -> Propagation {
        let count = variables.unsigned_abs() as usize + 1;
        Propagation {
            starts: vec![0],
            alive: NONE,
            watches: [vec![vec![]; 2 * count], vec![vec![]; 2 * count]],
            values: vec![0; count],
            reasons: vec![NONE; count],
            places: vec![0; count],
            ..Propagation::default()
        }
    }

    pub(super) fn value(&self, literal: i32) -> Option<bool> {
        let value = self.values[literal.unsigned_abs() as usize];
        (value != 0).then_some((value > 0) == (literal > 0))
    }

    pub(super) fn clause(&self, clause: u32) -> &[i32] {
        &self.literals[self.starts[clause as usize]..self.starts[clause as usize + 1]]
    }

    pub(super) fn set(&mut self, literal: i32, reason: u32) {
        let variable = literal.unsigned_abs() as usize;
        self.values[variable] = if literal > 0 { 1 } else { -1 };
        self.reasons[variable] = reason;
        self.places[variable] = self.trail.len();
        self.trail.push(literal);
    }

    /// Forgets all but the first values.
    pub(super) fn undo(&mut self, length: usize) {
        for literal in self.trail.drain(length..) {
            self.values[literal.unsigned_abs() as usize] = 0;
        }
        self.heads = self.heads.map(|head| head.min(length));
    }

    /// The formula. A clause whose literals are all false, if there is one.
    pub(super) fn begin(&mut self, clauses: &Clauses) -> Option<u32> {
        let mut units = vec![];
        let mut empty = None;
        for clause in clauses.iter() {
            let number = self.store(clause);
            match self.clause(number) {
                [] => empty = empty.or(Some(number)),
                [_] => units.push(number),
                _ => self.watch(number),
            }
        }
        if empty.is_some() {
            return empty;
        }
        for number in units {
            let literal = self.clause(number)[0];
            match self.value(literal) {
                Some(false) => return Some(number),
                Some(true) => {}
                None => self.set(literal, number),
            }
        }
        self.propagate()
    }

    /// One more clause. A clause whose literals are all false, if there is one now.
    pub(super) fn add(&mut self, clause: &[i32]) -> Option<u32> {
        let number = self.store(clause);
        let mut literals = self.clause(number).to_vec();
        // First what is not false, then what has become false last.
        literals.sort_by_key(|&literal| match self.value(literal) {
            Some(true) => (0, 0),
            None => (1, 0),
            Some(false) => (2, usize::MAX - self.places[literal.unsigned_abs() as usize]),
        });
        let start = self.starts[number as usize];
        self.literals[start..start + literals.len()].copy_from_slice(&literals);
        if literals.len() > 1 {
            self.watch(number);
        }
        let first = literals.first().copied();
        let is_unit = literals.get(1).is_none_or(|&second| self.value(second) == Some(false));
        match first.map(|literal| (literal, self.value(literal))) {
            None | Some((_, Some(false))) => return Some(number),
            Some((literal, None)) if is_unit => self.set(literal, number),
            _ => {}
        }
        self.propagate()
    }

    /// A clause without repetitions. One with a literal and its negation says nothing, and is watched like any other.
    fn store(&mut self, clause: &[i32]) -> u32 {
        let mut literals = clause.to_vec();
        literals.sort_unstable();
        literals.dedup();
        self.literals.extend(literals);
        self.starts.push(self.literals.len());
        self.core.push(false);
        (self.core.len() - 1) as u32
    }

    fn watch(&mut self, clause: u32) {
        let [first, second] = [0, 1].map(|place| self.clause(clause)[place]);
        self.watches[OTHERS][code(first)].push(Watch { clause, other: second });
        self.watches[OTHERS][code(second)].push(Watch { clause, other: first });
    }

    /// Makes true what has to be. A clause whose literals are all false, if there is one.
    pub(super) fn propagate(&mut self) -> Option<u32> {
        loop {
            let class = if self.heads[CORE] < self.trail.len() { CORE } else { OTHERS };
            let literal = *self.trail.get(self.heads[class])?;
            self.heads[class] += 1;
            let mut list = std::mem::take(&mut self.watches[class][code(-literal)]);
            let conflict = self.visit(class, -literal, &mut list);
            // Clauses that came to be needed were put there meanwhile.
            let kept = &mut self.watches[class][code(-literal)];
            list.append(kept);
            *kept = list;
            if conflict.is_some() {
                return conflict;
            }
        }
    }

    /// The clauses that watch a literal that has become false.
    fn visit(&mut self, class: usize, literal: i32, list: &mut Vec<Watch>) -> Option<u32> {
        let (mut kept, mut at) = (0, 0);
        let mut conflict = None;
        while at < list.len() {
            let watch = list[at];
            at += 1;
            let Watch { clause, other } = watch;
            if clause >= self.alive {
                continue;
            }
            if self.value(other) == Some(true) {
                list[kept] = watch;
                kept += 1;
                continue;
            }
            let (start, end) = (self.starts[clause as usize], self.starts[clause as usize + 1]);
            let literals = &mut self.literals[start..end];
            if literals[0] == literal {
                literals.swap(0, 1);
            }
            let first = literals[0];
            let to = if self.core[clause as usize] { CORE } else { OTHERS };
            let watch = Watch { clause, other: first };
            let values = &self.values;
            let is_false = |l: i32| values[l.unsigned_abs() as usize] == if l > 0 { -1 } else { 1 };
            let another = if values[first.unsigned_abs() as usize] == if first > 0 { 1 } else { -1 } {
                None
            } else {
                literals.iter().skip(2).position(|&l| !is_false(l))
            };
            if let Some(place) = another {
                literals.swap(1, place + 2);
                let now = literals[1];
                self.watches[to][code(now)].push(watch);
                continue;
            }
            if to == class {
                list[kept] = watch;
                kept += 1;
            } else {
                self.watches[to][code(literal)].push(watch);
            }
            match self.value(first) {
                Some(true) => {}
                None => self.set(first, clause),
                Some(false) => {
                    conflict = Some(clause);
                    break;
                }
            }
        }
        list.copy_within(at.., kept);
        list.truncate(kept + list.len() - at);
        conflict
    }
}
