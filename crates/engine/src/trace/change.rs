//! What a step changes: every cell that has another value afterwards, with both values. A step may assign to a cell twice,
//! or assign the value that the cell had; neither is a change.

use super::data::WriteData;
use serde::{Deserialize, Serialize};
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
type CellKey = (Option<u32>, String, Option<u32>);

fn key(write: &WriteData) -> CellKey {
    (write.agent, write.variable.clone(), write.index)
}

/// The values of all cells at some point of a trace.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// In the order of the initial state.
    cells: Vec<WriteData>,
    places: HashMap<CellKey, usize>,
}

impl Values {
    /// The values of an initial state.
    pub fn new(initial: &[WriteData]) -> Values {
        let places = initial.iter().enumerate().map(|(at, write)| (key(write), at)).collect();
        Values { cells: initial.to_vec(), places }
    }

    /// All cells, in the order of the initial state.
    pub fn cells(&self) -> &[WriteData] {
        &self.cells
    }

    /// Makes the assignments of a step, and tells what is different afterwards, in the order of the assignments.
    pub fn assign(&mut self, writes: &[WriteData]) -> Vec<ChangeData> {
        let mut touched: Vec<(usize, WriteData)> = vec![];
        for write in writes {
            match self.places.get(&key(write)) {
                Some(&at) => {
                    let old = std::mem::replace(&mut self.cells[at], write.clone());
                    if touched.iter().all(|(known, _)| *known != at) {
                        touched.push((at, old));
                    }
                }
                // A cell that the initial state does not have. Traces may be written by anybody.
                None => {
                    self.places.insert(key(write), self.cells.len());
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
}
