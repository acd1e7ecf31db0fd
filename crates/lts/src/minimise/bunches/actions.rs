//! Bunches of steps, each cut into the sets of steps that have the same label and the same target block.
//!
//! Bunches with more than one such set are queued, and one set after another is taken out of them. The steps of a bunch
//! lie together in one array, those of each set too.

use super::NONE;
use std::ops::Range;

struct Set {
    from: u32,
    to: u32,
    /// The first so many steps are marked.
    marked: u32,
    /// The bunch, or `NONE` if this set is all of its bunch.
    bunch: u32,
}

/// A bunch of more than one set.
#[derive(Clone, Copy)]
struct Bunch {
    from: u32,
    to: u32,
}

pub struct Actions {
    steps: Vec<u32>,
    /// Where each step is in `steps`, if it is.
    place: Vec<u32>,
    /// The set of each step, or `NONE`.
    set: Vec<u32>,
    sets: Vec<Set>,
    bunches: Vec<Bunch>,
    /// The numbers of bunches in use, and those of others.
    queue: Vec<u32>,
    free: Vec<u32>,
    /// The sets with marked steps.
    touched: Vec<u32>,
}

impl Actions {
    /// One bunch of all the steps given, which come set by set; `border` says whether a set ends between two steps.
    pub fn new(total: usize, mut steps: Vec<u32>, border: impl Fn(u32, u32) -> bool) -> Actions {
        let mut place = vec![NONE; total];
        let mut set = vec![NONE; total];
        let mut sets: Vec<Set> = vec![];
        for (at, &step) in (0..).zip(&steps) {
            if at == 0 || border(steps[at as usize - 1], step) {
                push(&mut sets, Set { from: at, to: at, marked: 0, bunch: NONE });
            }
            let number = sets.len() - 1;
            sets[number].to += 1;
            place[step as usize] = at;
            set[step as usize] = number as u32;
        }
        let bunch = Bunch { from: 0, to: steps.len() as u32 };
        // In the end, the others may be in bunches, too.
        steps.reserve_exact(total - steps.len());
        let (bunches, queue, free, touched) = (vec![], vec![], vec![], vec![]);
        let mut actions = Actions { steps, place, set, sets, bunches, queue, free, touched };
        if actions.sets.len() > 1 {
            let number = actions.queue(bunch);
            actions.sets.iter_mut().for_each(|set| set.bunch = number);
        }
        actions
    }

    /// The steps in bunches.
    pub fn steps(&self) -> &[u32] {
        &self.steps
    }

    /// Queues a bunch and returns its number.
    fn queue(&mut self, bunch: Bunch) -> u32 {
        let number = match self.free.pop() {
            Some(number) => {
                self.bunches[number as usize] = bunch;
                number
            }
            None => {
                self.bunches.push(bunch);
                self.bunches.len() as u32 - 1
            }
        };
        self.queue.push(number);
        number
    }

    /// Takes a set with at most half of the steps out of a bunch with several, and makes it a bunch of its own. Returns
    /// where its steps are. They stay there, in any order, until it is taken apart itself.
    pub fn separate(&mut self) -> Option<Range<u32>> {
        let &number = self.queue.last()?;
        let Bunch { from, to } = self.bunches[number as usize];
        let set_at = |at: u32| self.set[self.steps[at as usize] as usize];
        let (first, last) = (set_at(from), set_at(to - 1));
        let size = |set: u32| self.sets[set as usize].to - self.sets[set as usize].from;
        let small = if size(first) <= size(last) { first } else { last };
        let set = &mut self.sets[small as usize];
        set.bunch = NONE;
        let range = set.from..set.to;
        let rest = if small == first { range.end..to } else { from..range.start };
        self.bunches[number as usize] = Bunch { from: rest.start, to: rest.end };
        let next = self.set[self.steps[rest.start as usize] as usize];
        let next = &mut self.sets[next as usize];
        if next.to == rest.end {
            next.bunch = NONE;
            self.queue.pop();
            self.free.push(number);
        }
        Some(range)
    }

    /// The step at a place.
    pub fn at(&self, place: u32) -> u32 {
        self.steps[place as usize]
    }

    /// Makes a bunch of steps that are in none yet and have the same label and target block.
    pub fn add(&mut self, steps: &[u32]) {
        let from = self.steps.len() as u32;
        for (place, &step) in (from..).zip(steps) {
            self.place[step as usize] = place;
            self.set[step as usize] = self.sets.len() as u32;
        }
        self.steps.extend_from_slice(steps);
        let to = self.steps.len() as u32;
        push(&mut self.sets, Set { from, to, marked: 0, bunch: NONE });
    }

    /// Marks a step that is not marked, because its target has got another block. Steps in no bunch are passed over.
    pub fn mark(&mut self, step: u32) {
        let number = self.set[step as usize];
        if number == NONE {
            return;
        }
        let set = &mut self.sets[number as usize];
        if set.marked == 0 {
            self.touched.push(number);
        }
        let (place, border) = (self.place[step as usize], set.from + set.marked);
        set.marked += 1;
        let other = self.steps[border as usize];
        self.steps.swap(place as usize, border as usize);
        self.place[step as usize] = border;
        self.place[other as usize] = place;
    }

    /// Cuts the sets with marked steps in two, and removes the marks.
    pub fn cut(&mut self) {
        while let Some(number) = self.touched.pop() {
            let set = &mut self.sets[number as usize];
            let (from, to, border) = (set.from, set.to, set.from + set.marked);
            set.marked = 0;
            if border == to {
                continue;
            }
            let small = if border - from <= to - border { from..border } else { border..to };
            (set.from, set.to) = if small.start == from { (border, to) } else { (from, border) };
            let bunch = match set.bunch {
                NONE => self.queue(Bunch { from, to }),
                bunch => bunch,
            };
            self.sets[number as usize].bunch = bunch;
            for at in small.clone() {
                self.set[self.steps[at as usize] as usize] = self.sets.len() as u32;
            }
            push(&mut self.sets, Set { from: small.start, to: small.end, marked: 0, bunch });
        }
    }
}

/// There may be as many sets as steps, so the room for them grows by a quarter and not to twice the size.
fn push(sets: &mut Vec<Set>, set: Set) {
    if sets.len() == sets.capacity() {
        sets.reserve_exact(sets.len() / 4 + 16);
    }
    sets.push(set);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(actions: &Actions, range: Range<u32>) -> Vec<u32> {
        let mut steps: Vec<u32> = range.map(|at| actions.at(at)).collect();
        steps.sort_unstable();
        steps
    }

    #[test]
    fn small_sets_are_taken_out() {
        // Sets of three steps, of two and of one.
        let mut actions = Actions::new(8, vec![5, 6, 7, 0, 1, 2], |a, b| (a, b) == (7, 0) || b == 2);
        let range = actions.separate().unwrap();
        assert_eq!(sorted(&actions, range), [2]);
        let range = actions.separate().unwrap();
        assert_eq!(sorted(&actions, range), [0, 1]);
        assert_eq!(actions.separate(), None);

        actions.add(&[3, 4]);
        assert_eq!(actions.separate(), None);
        [6, 5, 3, 4].into_iter().for_each(|step| actions.mark(step));
        actions.cut();
        let range = actions.separate().unwrap();
        assert_eq!(sorted(&actions, range), [7]);
        assert_eq!(actions.separate(), None);
        // The bunch of 5 and 6 is trivial again, and can be cut further.
        actions.mark(6);
        actions.cut();
        assert!(actions.separate().is_some());
        assert_eq!(actions.separate(), None);
    }

    #[test]
    fn steps_in_no_bunch() {
        let mut actions = Actions::new(2, vec![], |_, _| true);
        actions.mark(1);
        actions.cut();
        assert_eq!(actions.separate(), None);
    }
}
