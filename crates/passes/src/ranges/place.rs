//! Cells: whether they exist, and what they can hold.

use super::context::{Context, Found};
use super::value::Value;
use swarmcheck_ir::{Expr, KindId, LocalId, Place, VarId};

impl Context<'_> {
    pub(super) fn local_cell(&self, local: LocalId, index: &Expr) -> Found {
        let mut found = self.found(index);
        let length = i64::from(self.length(local));
        let inside = found.value.meet(&Value::between(0, i128::from(length) - 1));
        found.fault |= found.value.bounds().is_some_and(|(lo, hi)| lo < 0 || hi >= length);
        let cells = &self.locals[local.0 as usize];
        found.value = if inside.has_no_integer() {
            Value::NONE.with_undef(found.value.undef)
        } else {
            cells.clone().with_undef(found.value.undef || cells.undef)
        };
        found
    }

    /// Finding a cell. The value says whether there are runs in which the cell exists (any integer stands for that) and
    /// whether there are some in which its agent or an index is ⊥.
    pub(super) fn place(&self, place: &Place) -> Found {
        let mut out = Found::sure(Value::only(0));
        let (mut undef, mut exists) = (false, true);
        if let Some(agent) = &place.agent {
            let found = self.found(agent);
            out.blame(&found);
            undef |= found.value.undef;
            exists &= !found.value.has_no_integer();
            out.fault |= !self.all_have(place.var, agent, &found.value);
        }
        for (index, dimension) in place.index.iter().zip(&self.program.var(place.var).dimensions) {
            let found = self.found(index);
            out.blame(&found);
            undef |= found.value.undef;
            exists &= !found.value.has_no_integer();
            out.fault |= found.value.bounds().is_some_and(|(lo, hi)| lo < 0 || hi >= i64::from(*dimension));
        }
        out.value = if exists { Value::only(0) } else { Value::NONE }.with_undef(undef);
        out
    }

    /// Whether the agent or an index of a place may be ⊥.
    pub(crate) fn place_may_be_undef(&self, place: &Place) -> bool {
        self.place(place).value.undef
    }

    /// Whether there is such a variable, whosever it is, as long as nothing faults.
    pub(crate) fn surely_exists(&self, place: &Place) -> bool {
        place.agent.as_ref().is_none_or(|agent| {
            let value = self.found(agent).value;
            !value.undef && self.all_have(place.var, agent, &value)
        })
    }

    /// Whether every agent that the expression can stand for has a copy of the variable.
    fn all_have(&self, var: VarId, agent: &Expr, value: &Value) -> bool {
        let Some(owners) = &self.program.var(var).owners else { return false };
        let own = |k: &KindId| owners.contains(k) || self.program.kind(*k).count == 0;
        let known = match agent {
            Expr::Me => Some(self.runners),
            Expr::Bound(b) => self.kinds_of_bound(*b).map(|kinds| &**kinds),
            _ => None,
        };
        if known.is_some_and(|kinds| kinds.iter().all(own)) {
            return true;
        }
        let Some((lo, hi)) = value.bounds() else { return true };
        let has = |agent: i64| {
            let agent = u32::try_from(agent).ok().filter(|a| *a < self.program.agents());
            agent.is_some_and(|a| owners.contains(&self.program.kind_of(a)))
        };
        match value.few() {
            Some(few) => few.iter().all(|a| has(*a)),
            None => {
                // Kinds follow each other, so an interval of agents has all kinds between those of its ends.
                has(lo) && has(hi) && {
                    let between = self.program.kind_of(lo as u32).0..=self.program.kind_of(hi as u32).0;
                    between.map(KindId).all(|k| own(&k))
                }
            }
        }
    }
}
