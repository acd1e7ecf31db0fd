//! What a step changes: every cell that has another value afterwards, with both values. A step may assign to a cell twice,
//! or assign the value that the cell had; neither is a change.

use super::data::WriteData;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::HashMap;
use swarmcheck_ir::Value;

/// A cell that has another value after a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChangeData {
    /// Whose cell; absent for the environment.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub agent: Option<u32>,
    /// The name of the variable.
    pub variable: String,
    /// Which cell of an array, row-major.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub index: Option<u32>,
    /// The value before the step; `null` is undefined.
    pub old: Option<Value>,
    /// The value after the step; `null` is undefined.
    pub new: Option<Value>,
    /// What the old value is called, if it has a name. It is for display only.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub old_name: Option<String>,
    /// What the new value is called, if it has a name. It is for display only.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub new_name: Option<String>,
}

/// A cell, as data names it.
type CellKey<'a> = (Option<u32>, &'a str, Option<u32>);

fn key(write: &WriteData) -> CellKey<'_> {
    (write.agent, &write.variable, write.index)
}

/// The values of all cells at some point of a trace.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// In the order of the initial state.
    cells: Vec<WriteData>,
    /// The places of the cells in the order of their names: there may be millions, and names would take more memory.
    sorted: Vec<usize>,
    /// Where the cells are that the initial state does not have. Traces may be written by anybody.
    others: HashMap<(Option<u32>, String, Option<u32>), usize>,
}

impl Values {
    /// The values of an initial state.
    pub fn new(initial: &[WriteData]) -> Values {
        let mut sorted: Vec<usize> = (0..initial.len()).collect();
        // Of a cell that is given twice, the last value counts.
        sorted.sort_by_key(|at| (key(&initial[*at]), Reverse(*at)));
        sorted.dedup_by_key(|at| key(&initial[*at]));
        Values { cells: initial.to_vec(), sorted, others: HashMap::new() }
    }

    /// Where a cell is.
    fn find(&self, write: &WriteData) -> Option<usize> {
        match self.sorted.binary_search_by_key(&key(write), |at| key(&self.cells[*at])) {
            Ok(place) => Some(self.sorted[place]),
            Err(_) if self.others.is_empty() => None,
            Err(_) => self.others.get(&(write.agent, write.variable.clone(), write.index)).copied(),
        }
    }

    /// All cells, in the order of the initial state.
    pub fn cells(&self) -> &[WriteData] {
        &self.cells
    }

    /// Makes the assignments of a step, and tells what is different afterwards, in the order of the assignments.
    pub fn assign(&mut self, writes: &[WriteData]) -> Vec<ChangeData> {
        let mut touched: Vec<(usize, WriteData)> = vec![];
        for write in writes {
            match self.find(write) {
                Some(at) => {
                    let old = std::mem::replace(&mut self.cells[at], write.clone());
                    if touched.iter().all(|(known, _)| *known != at) {
                        touched.push((at, old));
                    }
                }
                None => {
                    let other = (write.agent, write.variable.clone(), write.index);
                    self.others.insert(other, self.cells.len());
                    self.cells.push(write.clone());
                    let none = WriteData { value: None, name: None, ..write.clone() };
                    touched.push((self.cells.len() - 1, none));
                }
            }
        }
        touched.into_iter().filter_map(|(at, old)| change(&old, &self.cells[at])).collect()
    }
}

fn change(old: &WriteData, new: &WriteData) -> Option<ChangeData> {
    (old.value != new.value).then(|| ChangeData {
        agent: new.agent,
        variable: new.variable.clone(),
        index: new.index,
        old: old.value,
        new: new.value,
        old_name: old.name.clone(),
        new_name: new.name.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(agent: Option<u32>, variable: &str, value: i64) -> WriteData {
        WriteData {
            agent,
            variable: variable.to_string(),
            index: None,
            value: Some(value),
            name: None,
            timestamp: None,
            heard: false,
        }
    }

    #[test]
    fn only_the_net_effect_is_a_change() {
        let mut values = Values::new(&[write(None, "x", 0), write(Some(1), "y", 5)]);
        let step = [write(None, "x", 3), write(Some(1), "y", 5), write(None, "x", 4)];
        let changes = values.assign(&step);
        let shown: Vec<_> = changes.iter().map(|c| (c.variable.as_str(), c.old, c.new)).collect();
        assert_eq!(shown, [("x", Some(0), Some(4))]);
        // There and back again is no change.
        assert_eq!(values.assign(&[write(None, "x", 9), write(None, "x", 4)]), []);
    }

    #[test]
    fn a_cell_may_be_new_or_given_twice() {
        let mut values = Values::new(&[write(None, "x", 0), write(Some(2), "y", 5), write(None, "x", 1)]);
        let mut changed = |writes: &[WriteData]| {
            values.assign(writes).iter().map(|c| (c.agent, c.old, c.new)).collect::<Vec<_>>()
        };
        assert_eq!(changed(&[write(None, "x", 2)]), [(None, Some(1), Some(2))], "the last one counts");
        assert_eq!(changed(&[write(Some(1), "y", 7)]), [(Some(1), None, Some(7))], "it is new");
        assert_eq!(changed(&[write(Some(1), "y", 8)]), [(Some(1), Some(7), Some(8))]);
        assert_eq!(changed(&[write(Some(2), "y", 6)]), [(Some(2), Some(5), Some(6))]);
        assert_eq!(values.cells().len(), 4);
    }
}
