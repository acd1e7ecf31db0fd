//! Cells: the variables of a program one number at a time. How they are called, and which cell of an array is which.
//!
//! Arrays are row-major: the last index changes fastest. Where a cell lies in a state is said by [`crate::flat::Layout`].

use crate::arith::Value;
use crate::program::{Program, VarId};

/// A cell of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    pub var: VarId,
    /// The owner of the copy, for an agent's variable.
    pub agent: Option<u32>,
    /// Which cell of an array, row-major; 0 for a scalar.
    pub index: u32,
}

impl Cell {
    /// `x`, `fork[2]`, `ph[1][3]`: a cell as the user would write it.
    pub fn name(self, program: &Program) -> String {
        let var = program.var(self.var);
        indexed(&var.name, &var.dimensions, self.index)
    }
}

/// The place of a cell in an array of these sizes; `None` if there is no such cell.
pub fn position(sizes: &[u32], indices: impl IntoIterator<Item = Value>) -> Option<u32> {
    sizes.iter().zip(indices).try_fold(0, |place: u32, (&size, index)| {
        let index = u32::try_from(index).ok().filter(|index| *index < size)?;
        place.checked_mul(size)?.checked_add(index)
    })
}

/// The indices of the cell at a place of an array of these sizes.
pub fn indices(sizes: &[u32], place: u32) -> Vec<u32> {
    let mut rest = place;
    let index = |at: usize| {
        // Sizes may come from a file, and be anything.
        let inner = sizes[at + 1..].iter().fold(1u32, |all, size| all.saturating_mul(*size)).max(1);
        let index = rest / inner;
        rest %= inner;
        index
    };
    (0..sizes.len()).map(index).collect()
}

/// A name with the indices of a cell.
pub fn indexed(name: &str, sizes: &[u32], place: u32) -> String {
    indices(sizes, place).iter().fold(name.to_string(), |name, index| format!("{name}[{index}]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_index_changes_fastest() {
        let sizes = [2, 1, 3];
        let all: Vec<Vec<u32>> = (0..6).map(|place| indices(&sizes, place)).collect();
        assert_eq!(all, [[0, 0, 0], [0, 0, 1], [0, 0, 2], [1, 0, 0], [1, 0, 1], [1, 0, 2]]);
        for (place, at) in (0..).zip(&all) {
            assert_eq!(position(&sizes, at.iter().map(|i| i64::from(*i))), Some(place));
        }
        assert_eq!(indexed("ph", &sizes, 4), "ph[1][0][1]");
        assert_eq!((indexed("x", &[], 0), position(&[], [])), ("x".to_string(), Some(0)));
    }

    #[test]
    fn cells_that_are_not_there() {
        assert_eq!(position(&[2, 3], [0, 3]), None);
        assert_eq!(position(&[2, 3], [-1, 0]), None);
        assert_eq!(position(&[2], [crate::UNDEF]), None);
        assert_eq!(position(&[u32::MAX, u32::MAX], [5, 5]), None);
        assert_eq!(indices(&[0, 0], 7), [7, 0]);
        assert_eq!(indices(&[4, u32::MAX, u32::MAX], 7), [0, 0, 7]);
    }
}
