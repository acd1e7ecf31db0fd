//! Who is in conflict with whom, and what keeps those in conflict from being taken.

use swarmcheck_ir::Value;
use swarmcheck_ir::ground::{Ground, Routine, Term, Touched, is_safe, reads};

/// With more instances to keep an eye on, an instance is not worth the time.
const MOST: usize = 32;

/// All instances by what they touch.
pub(super) struct Conflicts<'a> {
    instances: &'a [Routine],
    /// The slots that each instance reads and writes.
    pub touched: Vec<Touched>,
    readers: Vec<Vec<u32>>,
    writers: Vec<Vec<u32>>,
}

/// What has to be known about the state before an instance may go first.
pub(super) struct Conflict {
    /// For each instance that has to be blocked, and that the tests of this one do not rule out: one of these conditions
    /// is false.
    pub blocks: Vec<Box<[Term]>>,
    /// Those in conflict, and the instance itself.
    pub members: Vec<bool>,
}

impl<'a> Conflicts<'a> {
    /// Notes what all instances touch.
    pub fn new(ground: &'a Ground) -> Conflicts<'a> {
        let instances = ground.instances();
        let touched: Vec<Touched> = instances.iter().map(|r| Touched::by(r, ground.width())).collect();
        let mut readers = vec![vec![]; ground.width()];
        let mut writers = vec![vec![]; ground.width()];
        for (number, touched) in touched.iter().enumerate() {
            touched.reads.iter().for_each(|&slot| readers[slot as usize].push(number as u32));
            touched.writes.iter().for_each(|&slot| writers[slot as usize].push(number as u32));
        }
        Conflicts { instances, touched, readers, writers }
    }

    /// Those in conflict with an instance; `None` if it cannot go first, or need not.
    pub fn of(&self, number: usize) -> Option<Conflict> {
        let mut members = vec![false; self.instances.len()];
        members[number] = true;
        let mut open = vec![];
        let touched = &self.touched[number];
        let by_read = touched.reads.iter().map(|&slot| &self.writers[slot as usize]);
        let by_write = touched
            .writes
            .iter()
            .flat_map(|&slot| [&self.writers[slot as usize], &self.readers[slot as usize]]);
        for &other in by_read.chain(by_write).flatten() {
            if std::mem::replace(&mut members[other as usize], true) {
                continue;
            }
            if !exclude(self.instances[number].tests(), self.instances[other as usize].tests()) {
                open.push(other as usize);
                if open.len() > MOST {
                    return None;
                }
            }
        }
        // Where all others must be blocked there is nothing to choose from, and nothing to gain.
        if members.iter().all(|&member| member) {
            return None;
        }
        let mut conflict = Conflict { blocks: vec![], members };
        for other in open {
            let tests = self.tests(number, other, &conflict);
            if tests.is_empty() {
                return None;
            }
            conflict.blocks.push(tests);
        }
        Some(conflict)
    }

    /// The number of slots.
    pub fn width(&self) -> usize {
        self.readers.len()
    }

    /// Whether nobody but those in conflict, and the instance itself, may write a slot.
    pub fn is_calm(&self, slot: u32, conflict: &Conflict) -> bool {
        self.writers[slot as usize].iter().all(|&writer| conflict.members[writer as usize])
    }

    /// Conditions of which one must be false for an instance in conflict to be blocked, now and later.
    fn tests(&self, number: usize, other: usize, conflict: &Conflict) -> Box<[Term]> {
        let (routine, other) = (&self.instances[number], &self.instances[other]);
        let mut out = vec![];
        for test @ (slot, value) in other.tests() {
            // What both ask for does not rule out one of them.
            if !routine.tests().contains(test) && self.is_calm(*slot, conflict) {
                out.push(Term::Is(*slot, *value));
            }
        }
        let parts = match other.guard() {
            Term::And(parts) => parts,
            Term::Const(_) => &[][..],
            guard => std::slice::from_ref(guard),
        };
        for part in parts {
            if reads(part, self.width()).iter().all(|&slot| self.is_calm(slot, conflict)) {
                out.push(part.clone());
            }
            if !is_safe(part) {
                break;
            }
        }
        out.into()
    }
}

/// Whether no state passes both.
fn exclude(some: &[(u32, Value)], others: &[(u32, Value)]) -> bool {
    some.iter().any(|(slot, value)| others.iter().any(|(s, v)| s == slot && v != value))
}
