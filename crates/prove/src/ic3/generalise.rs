//! Larger cubes in place of the one that has to be excluded.
//!
//! A cube that no step enters from outside it stays excluded when literals are dropped, as long as that remains true and
//! no start gets in. Where dropping a literal fails because of one state (a counterexample to generalisation), that state
//! is often unreachable too and can be excluded first: after Hassan, Bradley and Somenzi, "Better generalization in IC3"
//! (FMCAD 2013). Their other means, to take such a state into the cube, did not pay on the systems that programs of agents give and is
//! left out.

use super::Ic3;
use super::cube::Cube;
use super::frame::Target;
use crate::sat::{Failure, Sat};

/// How many states are excluded for the sake of dropping one literal.
const EXCLUDED_ON_THE_WAY: usize = 3;
/// How often excluding on the way may itself exclude on the way.
const NESTING: usize = 1;

impl<'s, S: Sat<'s>> Ic3<'_, 's, S> {
    /// Drops literals of a cube that no step from frame `level - 1` enters, while that stays so.
    pub(super) fn generalise(
        &mut self,
        mut cube: Cube,
        level: usize,
        nesting: usize,
    ) -> Result<Cube, Failure> {
        // Literals that other clauses did not need go first.
        let mut order = cube.literals.clone();
        order.sort_by(|&a, &b| self.activity[a as usize].total_cmp(&self.activity[b as usize]));
        for literal in order {
            if cube.literals.len() == 1 {
                break;
            }
            if cube.literals.binary_search(&literal).is_err() {
                continue;
            }
            if let Some(smaller) = self.shrink(&cube.without(literal), level, nesting)? {
                cube = smaller;
            }
        }
        Ok(cube)
    }

    /// A cube around this one that no step from frame `level - 1` enters from outside and that has no start, if one is
    /// found.
    fn shrink(&mut self, cube: &Cube, level: usize, nesting: usize) -> Result<Option<Cube>, Failure> {
        if self.starts.within(cube)?.is_some() {
            return Ok(None);
        }
        let mut excluded = 0;
        while self.enters(level - 1, cube, true)? {
            let more = nesting < NESTING && excluded < EXCLUDED_ON_THE_WAY && level > 1;
            if !more || !self.exclude_state(level - 1, cube)? {
                return Ok(None);
            }
            excluded += 1;
        }
        self.reduced(level - 1, cube).map(Some)
    }

    /// Excludes the state that the solver of frame `level` has just found a step from, if no step from the frame below
    /// enters it.
    fn exclude_state(&mut self, level: usize, target: &Cube) -> Result<bool, Failure> {
        let state = std::mem::take(&mut self.frames[level].state);
        let found = self.lifter.lift(&state, &self.frames[level].inputs, &Target::Cube(target));
        self.frames[level].state = state;
        let found = found?;
        if self.starts.within(&found)?.is_some() || self.enters(level - 1, &found, true)? {
            return Ok(false);
        }
        let cube = self.reduced(level - 1, &found)?;
        let (cube, level) = self.pushed(cube, level)?;
        let cube = self.generalise(cube, level, NESTING)?;
        self.exclude(cube, level);
        Ok(true)
    }
}
