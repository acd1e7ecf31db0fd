//! Which values variables can have, and which variables may be reflected or exchanged at all.

use crate::ranges::{Range, ranges};
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{Program, UNDEF, Value, VarId};

/// Variables with more values than this are not looked into.
const MOST_VALUES: i64 = 1 << 12;
/// At most this many variables are moved.
const MOST_FAMILIES: usize = 12;

/// The values of all variables, and the variables that may be moved.
pub(super) struct Families {
    /// For each variable its values, ⊥ included, or more; `None` if they are too many.
    pub values: Vec<Option<Vec<Value>>>,
    /// Variables that may be moved.
    pub movable: Vec<VarId>,
}

impl Families {
    pub fn new(program: &Program, fixed: &[VarId]) -> Families {
        let found = ranges(program);
        let range = |v: usize| found.value(VarId(v as u32));
        let values: Vec<Option<Vec<Value>>> = (0..program.vars.len()).map(|v| values(&range(v))).collect();
        let is_movable = |v: &usize| {
            let var = &program.vars[*v];
            let several = values[*v].as_ref().is_some_and(|all| all.len() > 1 && !all.contains(&UNDEF));
            matches!(var.role, Role::Data { .. }) && several && !fixed.contains(&VarId(*v as u32))
        };
        let movable = (0..program.vars.len()).filter(is_movable).map(|v| VarId(v as u32));
        Families { movable: movable.take(MOST_FAMILIES).collect(), values }
    }

    /// The least and the greatest value.
    pub fn bounds(&self, var: VarId) -> Option<(Value, Value)> {
        let values = self.values[var.0 as usize].as_ref()?;
        Some((*values.first()?, *values.last()?))
    }

    /// What a value and its reflection add up to.
    pub fn sum(&self, var: VarId) -> Option<Value> {
        self.bounds(var).and_then(|(lo, hi)| lo.checked_add(hi))
    }

    /// Whether two variables may be exchanged: the same agents have them, and they have the same values.
    pub fn alike(&self, program: &Program, a: VarId, b: VarId) -> bool {
        let (x, y) = (program.var(a), program.var(b));
        x.owners == y.owners
            && x.dimensions == y.dimensions
            && self.values[a.0 as usize] == self.values[b.0 as usize]
    }
}

/// The values of a range, in ascending order: a set that is its own reflection, if it is one without ⊥.
fn values(range: &Range) -> Option<Vec<Value>> {
    let undef = range.undef.then_some(UNDEF);
    if let Some(few) = &range.values {
        let reflected = |i: usize| few[0].checked_add(*few.last()?)?.checked_sub(few[i]);
        if few.iter().rev().enumerate().all(|(i, v)| reflected(i) == Some(*v)) {
            return Some(undef.into_iter().chain(few.iter().copied()).collect());
        }
    }
    let (lo, hi) = (range.lo?, range.hi?);
    let size = hi.checked_sub(lo)?;
    (size < MOST_VALUES).then(|| undef.into_iter().chain(lo..=hi).collect())
}
