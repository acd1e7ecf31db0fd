//! Agents by their place: a grid of square cells, as wide as the largest box that is asked for, so that a box meets few cells.
//!
//! The grid is a hash table of linked lists: coordinates may be anything, and moving an agent takes constant time. An agent with a
//! coordinate that is ⊥ or beyond [`FARTHEST`] is in no cell; while there is one, nobody may rely on the grid.

use super::Layout;
use super::near::{FARTHEST, MOST};
use crate::arith::Value;
use std::ops::Range;

/// Whom a grid is for.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Grid {
    pub(super) agents: Box<[Range<u32>]>,
    /// The coordinates.
    pub(super) vars: Vec<u32>,
    /// The width of a cell, at least 1.
    pub(super) width: Value,
}

type Cell = [i32; MOST];
const NONE: u32 = u32::MAX;
/// The cell of agents that are not in the grid.
const OUTSIDE: Cell = [i32::MIN; MOST];

/// Where the agents of a grid are.
#[derive(Clone, Debug)]
pub(super) struct Neighbours {
    heads: Vec<u32>,
    /// By agent.
    links: Vec<Link>,
    outside: usize,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    cell: Cell,
    next: u32,
    previous: u32,
}

impl Neighbours {
    /// All agents of the grid, where a state has them.
    pub(super) fn new(grid: &Grid, layout: &Layout, state: &[Value]) -> Neighbours {
        let last = grid.agents.iter().map(|range| range.end).max().unwrap_or(0);
        let count: usize = grid.agents.iter().map(ExactSizeIterator::len).sum();
        let absent = Link { cell: OUTSIDE, next: NONE, previous: NONE };
        let mut out = Neighbours {
            heads: vec![NONE; (2 * count).next_power_of_two()],
            links: vec![absent; last as usize],
            outside: count,
        };
        for agent in grid.agents.iter().cloned().flatten() {
            out.place(grid, layout, agent, state);
        }
        out
    }

    fn bucket(&self, cell: &Cell) -> usize {
        let mix =
            |h: u64, c: &i32| (h ^ u64::from(*c as u32)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        cell.iter().fold(0, mix) as usize & (self.heads.len() - 1)
    }

    /// Puts an agent where the state has it. Agents that the grid is not for are ignored.
    pub(super) fn place(&mut self, grid: &Grid, layout: &Layout, agent: u32, state: &[Value]) {
        if !grid.agents.iter().any(|range| range.contains(&agent)) {
            return;
        }
        let cell = cell(grid, layout, agent, state).unwrap_or(OUTSIDE);
        let link = self.links[agent as usize];
        if link.cell == cell {
            return;
        }
        if link.cell == OUTSIDE {
            self.outside -= 1;
        } else {
            match link.previous {
                NONE => {
                    let bucket = self.bucket(&link.cell);
                    self.heads[bucket] = link.next;
                }
                previous => self.links[previous as usize].next = link.next,
            }
            if link.next != NONE {
                self.links[link.next as usize].previous = link.previous;
            }
        }
        let mut next = NONE;
        if cell == OUTSIDE {
            self.outside += 1;
        } else {
            let bucket = self.bucket(&cell);
            next = std::mem::replace(&mut self.heads[bucket], agent);
            if next != NONE {
                self.links[next as usize].previous = agent;
            }
        }
        self.links[agent as usize] = Link { cell, next, previous: NONE };
    }

    /// Lists the agents in a box around somebody, in order of their numbers, and perhaps some more; `false` if everybody has to be
    /// asked, because somebody is not in the grid or most are in the box.
    pub(super) fn around(
        &self,
        grid: &Grid,
        layout: &Layout,
        (me, radius): (u32, &[Value]),
        state: &[Value],
        out: &mut Vec<u32>,
    ) -> bool {
        out.clear();
        if self.outside > 0 {
            return false;
        }
        let (mut first, mut last) = ([0; MOST], [0; MOST]);
        for (at, (var, radius)) in grid.vars.iter().zip(radius).enumerate() {
            let here = state[layout.copies(crate::VarId(*var))[me as usize] as usize];
            if !(-FARTHEST..=FARTHEST).contains(&here) {
                return false;
            }
            first[at] = (here - radius).div_euclid(grid.width) as i32;
            last[at] = (here + radius).div_euclid(grid.width) as i32;
        }
        let most = self.links.len() / 4;
        for x in first[0]..=last[0] {
            for y in first[1]..=last[1] {
                for z in first[2]..=last[2] {
                    let cell = [x, y, z];
                    let mut at = self.heads[self.bucket(&cell)];
                    while at != NONE {
                        let link = &self.links[at as usize];
                        if link.cell == cell {
                            out.push(at);
                        }
                        at = link.next;
                    }
                    if out.len() > most {
                        return false;
                    }
                }
            }
        }
        out.sort_unstable();
        true
    }
}

fn cell(grid: &Grid, layout: &Layout, agent: u32, state: &[Value]) -> Option<Cell> {
    let mut cell = [0; MOST];
    for (at, var) in grid.vars.iter().enumerate() {
        let here = state[layout.copies(crate::VarId(*var))[agent as usize] as usize];
        if !(-FARTHEST..=FARTHEST).contains(&here) {
            return None;
        }
        cell[at] = here.div_euclid(grid.width) as i32;
    }
    Some(cell)
}
