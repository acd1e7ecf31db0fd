//! `examples/formation/formation_id.labs` with three robots, by hand.
//!
//! From low to high: the tuples `idLeft` and `idRight` (16 bits each), the positions (4 bits each), who is to decide
//! where to go (1 bit for each robot), whose turn it is (2 bits).

use super::search::ByHand;
use super::trio::{self, AGENTS, Message, Trio};

/// Bits of a position.
const POSITION: u32 = 4;
/// Where the positions are.
const POSITIONS: u32 = 2 * trio::BITS;
/// Where the locations are.
const LOCATIONS: u32 = POSITIONS + POSITION * AGENTS as u32;
/// Where the turn is.
const TURN: u32 = LOCATIONS + AGENTS as u32;

/// The model.
pub struct Formation {
    size: u64,
    fair: bool,
    trio: Trio,
    /// For all positions together, what follows from them.
    lines: Vec<Line>,
}

/// What follows from the positions.
#[derive(Clone, Copy, Default)]
struct Line {
    /// For each robot, those that it is linked to on its left (or on the same spot).
    left: [u8; AGENTS],
    /// For each robot, those that it is linked to on its right.
    right: [u8; AGENTS],
    /// Whether all are far enough from each other.
    apart: bool,
}

impl Line {
    fn new(positions: [i64; AGENTS], range: i64) -> Line {
        let mut line = Line { apart: true, ..Line::default() };
        for (sender, other) in (0..AGENTS).flat_map(|s| (0..AGENTS).map(move |o| (s, o))) {
            let distance = positions[sender] - positions[other];
            if sender != other {
                line.left[sender] |= u8::from((0..=range).contains(&distance)) << other;
                line.right[sender] |= u8::from((1..=range).contains(&-distance)) << other;
                line.apart &= distance.abs() >= range;
            }
        }
        line
    }
}

impl Formation {
    /// A line of at most 16 positions, how far robots want to be from each other, and whether they take turns.
    pub fn new(size: usize, range: usize, fair: bool) -> Option<Formation> {
        if !(2..=16).contains(&size) || range > 16 {
            return None;
        }
        let line = |all: i64| Line::new([all & 15, all >> 4 & 15, all >> 8], range as i64);
        let lines = (0..1 << (POSITION * AGENTS as u32)).map(line).collect();
        Some(Formation { size: size as u64, fair, trio: Trio::new(), lines })
    }

    #[inline(always)]
    fn line(&self, state: u64) -> &Line {
        &self.lines[(state >> POSITIONS) as usize & 0xfff]
    }

    /// All actions of a robot that has nothing to send.
    #[inline(always)]
    fn act(&self, state: u64, robot: usize, found: &mut impl FnMut(u64)) {
        let (left, right) = (state as u16, (state >> trio::BITS) as u16);
        let id = robot as u16;
        let mut rest = (state >> POSITIONS << POSITIONS) ^ 1 << (LOCATIONS as usize + robot);
        if self.fair {
            let next = if robot + 1 == AGENTS { 0 } else { robot as u64 + 1 };
            rest = rest & !(3 << TURN) | next << TURN;
        }
        let with = |left: u16, right: u16| rest | u64::from(left) | u64::from(right) << trio::BITS;
        if state >> (LOCATIONS as usize + robot) & 1 == 0 {
            found(with(self.trio.write(left, robot, id), self.trio.write(right, robot, id)));
            return;
        }
        let place = POSITIONS + POSITION * robot as u32;
        let position = state >> place & 15;
        let at = |state: u64, position: u64| state & !(15 << place) | position << place;
        let (alone_left, alone_right) = (trio::data(left, robot) == id, trio::data(right, robot) == id);
        if !alone_left {
            let after = if position > 0 { position - 1 } else { position + 1 };
            found(at(with(self.trio.read(left, robot), right), after));
        }
        if !alone_right {
            let after = if position < self.size - 1 { position + 1 } else { position - 1 };
            found(at(with(left, self.trio.read(right, robot)), after));
        }
        if alone_left && alone_right {
            found(with(self.trio.read(left, robot), self.trio.read(right, robot)));
        }
    }
}

impl ByHand for Formation {
    type State = u64;
    type Key = u64;

    fn key(&self, state: u64) -> u64 {
        state
    }

    fn initial(&self, found: &mut impl FnMut(u64)) {
        let tuple = u64::from(self.trio.initial([0, 1, 2]));
        for all in 0..1 << (POSITION * AGENTS as u32) {
            let positions: [u64; AGENTS] = [all & 15, all >> 4 & 15, all >> 8];
            if positions.iter().all(|p| (1..self.size).contains(p)) {
                found(tuple | tuple << trio::BITS | all << POSITIONS);
            }
        }
    }

    #[inline(always)]
    fn successors(&self, state: u64, found: &mut impl FnMut(u64)) {
        let (left, right) = (state as u16, (state >> trio::BITS) as u16);
        let (lefts, rights) = (trio::propagating(left), trio::propagating(right));
        let (left_asks, right_asks) = (trio::confirming(left), trio::confirming(right));
        let with_left = |left: u16| state & !0xffff | u64::from(left);
        let with_right = |right: u16| state & !0xffff_0000 | u64::from(right) << trio::BITS;
        let line = self.line(state);
        let turn = (state >> TURN) as usize;
        for robot in 0..AGENTS {
            let one = 1 << robot;
            if (lefts | rights | left_asks | right_asks) & one == 0 {
                if !self.fair || turn == robot {
                    self.act(state, robot, found);
                }
                continue;
            }
            let (to_left, to_right) = (u16::from(line.left[robot]), u16::from(line.right[robot]));
            if lefts & one != 0 {
                found(with_left(self.trio.send(left, Message::Propagate, robot, to_left)));
            }
            if left_asks & one != 0 {
                found(with_left(self.trio.send(left, Message::Confirm, robot, to_left)));
            }
            if rights & one != 0 {
                found(with_right(self.trio.send(right, Message::Propagate, robot, to_right)));
            }
            if right_asks & one != 0 {
                found(with_right(self.trio.send(right, Message::Confirm, robot, to_right)));
            }
        }
    }

    /// Everybody is far enough from everybody.
    #[inline(always)]
    fn goal(&self, state: u64) -> bool {
        self.line(state).apart
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Expected, check};
    use super::super::{Model, Schedule};
    use super::*;

    #[test]
    fn counts_are_those_of_the_tables() {
        let expected = Expected::of(Model::Formation(Schedule::RoundRobin));
        check(&Formation::new(10, 2, true).unwrap(), expected);
    }

    #[test]
    fn short_lines_are_searched_as_the_rules_say() {
        for (size, range, fair) in [(2, 1, false), (2, 1, true), (3, 1, true), (3, 2, true)] {
            let parameters = format!("n=3 size={size} range={range}");
            let expected =
                Expected::search("formation/formation_id.labs", &parameters, fair, "DistancingAgain");
            check(&Formation::new(size, range, fair).unwrap(), expected);
        }
    }
}
