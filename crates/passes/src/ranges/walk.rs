//! What statements do to what is known.
//!
//! Variables are not followed along the way: everything ever assigned to one, by anybody, is collected in
//! [`Effects::writes`], and the range of the variable is the union. Locals and facts are followed.

use super::context::{Context, Fact, Found, Source};
use super::same::Part;
use super::value::Value;
use std::collections::BTreeSet;
use swarmcheck_ir::{Expr, KindId, Place, Set, Stmt, VarId, stmt};

/// What a block can do.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effects {
    /// Values assigned to variables.
    pub writes: Vec<(VarId, Value)>,
    /// It may meet an agent, variable or cell that does not exist.
    pub fault: bool,
    /// A result may not fit 64 bits.
    pub overflow: bool,
}

impl Effects {
    pub(crate) fn blame(&mut self, found: &Found) {
        self.fault |= found.fault;
        self.overflow |= found.overflow;
    }
}

impl Context<'_> {
    /// Goes through a block.
    pub(crate) fn block(&mut self, body: &[Stmt], effects: &mut Effects) {
        for stmt in body {
            if self.dead {
                return;
            }
            self.stmt(stmt, effects);
        }
    }

    /// Goes past a statement.
    pub(crate) fn stmt(&mut self, stmt: &Stmt, effects: &mut Effects) {
        swarmcheck_ir::cancel::check();
        match stmt {
            Stmt::Assign(place, e) => {
                let found = self.found(e);
                effects.blame(&found);
                self.write(place, found.value, effects);
            }
            Stmt::Fill(place, set) => self.fill(place, set, effects),
            Stmt::Let(local, e) => {
                let found = self.found(e);
                effects.blame(&found);
                self.dead |= found.value.is_none();
                self.set_local(*local, found.value);
            }
            Stmt::Havoc(local, set) => {
                let value = self.drawn(set, effects).0;
                self.dead |= value.is_none();
                self.set_local(*local, value);
            }
            Stmt::Pick { local, kinds, bound, condition } => {
                let mut inside = self.clone();
                inside.bind(*bound, kinds);
                effects.blame(&inside.found(condition));
                inside.assume(condition, true);
                let some = self.length(*local) > 0;
                self.dead |= some && (inside.dead || self.count(kinds) == 0);
                self.set_local(*local, inside.found(&Expr::Bound(*bound)).value);
            }
            Stmt::Assume(condition) => {
                effects.blame(&self.found(condition));
                self.assume(condition, true);
            }
            Stmt::Check(place) => effects.blame(&self.place(place)),
            Stmt::If(condition, yes, no) => {
                let (mut then, mut otherwise) = self.split(condition, effects);
                then.block(yes, effects);
                otherwise.block(no, effects);
                *self = then.join(otherwise);
            }
            Stmt::Choose(branches) => {
                let mut ends = vec![];
                for (condition, body) in branches {
                    let (mut then, _) = self.split(condition, effects);
                    then.block(body, effects);
                    ends.push(then);
                }
                self.meet_again(ends);
            }
            Stmt::ForEach(kinds, bound, body) => {
                if self.count(kinds) > 0 {
                    let mut inside = self.enter(kinds, *bound, body);
                    inside.block(body, effects);
                    self.leave(inside, kinds, *bound, body);
                }
            }
            Stmt::Copy(var, ..) => {
                if self.unset.is_some() {
                    effects.writes.push((*var, self.var(*var)));
                }
                self.forget(*var);
            }
            Stmt::Rank(var) => self.rank(*var, effects),
        }
    }

    /// What is known in the two branches of a condition.
    pub(crate) fn split(&self, condition: &Expr, effects: &mut Effects) -> (Self, Self) {
        effects.blame(&self.found(condition));
        (self.where_(condition, true), self.where_(condition, false))
    }

    /// Goes on where branches end.
    pub(crate) fn meet_again(&mut self, ends: Vec<Self>) {
        self.dead = true;
        *self = ends.into_iter().fold(self.clone(), Context::join);
    }

    /// What is known at the start of every round of a loop that is run at least once; here, what is known after it.
    pub(crate) fn enter(&mut self, kinds: &[KindId], bound: u32, body: &[Stmt]) -> Self {
        stmt::walk(body, &mut |s| match s {
            Stmt::Assign(place, _) | Stmt::Fill(place, _) => self.forget(place.var),
            Stmt::Copy(var, ..) | Stmt::Rank(var) => self.forget(*var),
            Stmt::Let(local, _) | Stmt::Havoc(local, _) | Stmt::Pick { local, .. } => {
                self.set_local(*local, Value::ANYTHING);
            }
            _ => {}
        });
        let mut inside = self.clone();
        inside.bind(bound, kinds);
        inside
    }

    /// After a loop: it was run, so its end was reached, and what it assigns without condition is assigned.
    pub(crate) fn leave(&mut self, inside: Self, kinds: &[KindId], bound: u32, body: &[Stmt]) {
        self.dead |= inside.dead;
        // What both share is not copied for one of them.
        drop(inside);
        for var in assigned(body, bound) {
            self.covered(var, kinds);
        }
    }

    /// A value is written to a cell.
    fn write(&mut self, place: &Place, value: Value, effects: &mut Effects) {
        let found = self.place(place);
        effects.blame(&found);
        // ⊥ as an agent or an index takes the step back.
        self.dead |= found.value.has_no_integer() || value.is_none();
        if self.dead {
            return;
        }
        self.written(place, &value);
        if place.agent.is_none() && place.index.is_empty() {
            self.filled(place.var);
        }
        effects.writes.push((place.var, value));
    }

    fn written(&mut self, place: &Place, value: &Value) {
        self.forget(place.var);
        let depends =
            place.agent.iter().map(|a| &**a).chain(&place.index).any(|e| Part::Variable(place.var).is_in(e));
        if !depends {
            // The place now names the cell just written.
            self.keep(Fact::new(Expr::Read(place.clone()), value.clone(), Source::Write));
        }
    }

    fn fill(&mut self, place: &Place, set: &Set, effects: &mut Effects) {
        if let Some(agent) = &place.agent {
            effects.blame(&self.found(agent));
        }
        let value = self.drawn(set, effects).0;
        self.dead |= value.is_none();
        if self.dead {
            return;
        }
        if self.program.var(place.var).dimensions.is_empty() {
            self.written(place, &value);
        } else {
            self.forget(place.var);
        }
        if place.agent.is_none() {
            self.filled(place.var);
        }
        effects.writes.push((place.var, value));
    }

    /// The values that can be drawn from a set, and whether it can be empty.
    pub(crate) fn drawn(&self, set: &Set, effects: &mut Effects) -> (Value, bool) {
        match set {
            Set::Values(values) => {
                let mut all = Value::NONE;
                for e in values {
                    let found = self.found(e);
                    effects.blame(&found);
                    all = all.join(&found.value);
                }
                (all, values.is_empty())
            }
            Set::Range(lo, hi) => {
                let (lo, hi) = (self.found(lo), self.found(hi));
                effects.blame(&lo);
                effects.blame(&hi);
                let (Some(first), Some(end)) = (lo.value.reach(), hi.value.reach()) else {
                    return (Value::NONE, true);
                };
                let empty = lo.value.undef || hi.value.undef || first.hi >= end.lo;
                (Value::between(first.lo, end.hi - 1), empty)
            }
        }
    }

    /// Dense ranks: less than the number of copies, and never more than the value before.
    fn rank(&mut self, var: VarId, effects: &mut Effects) {
        let copies = self.count(self.program.var(var).owners.as_deref().unwrap_or(&[]));
        self.forget(var);
        if let Some((_, hi)) = self.var(var).bounds() {
            let top = i128::from(hi).min(i128::from(copies) - 1);
            effects.writes.push((var, Value::between(0, top)));
        }
    }
}

/// The variables of the bound agent whose cells a block writes, all of them and whatever happens.
fn assigned(body: &[Stmt], bound: u32) -> BTreeSet<VarId> {
    let mut out = BTreeSet::new();
    for stmt in body {
        match stmt {
            Stmt::Assign(place, _) | Stmt::Fill(place, _) => {
                let whole = matches!(stmt, Stmt::Fill(..)) || place.index.is_empty();
                if whole && matches!(place.agent.as_deref(), Some(Expr::Bound(b)) if *b == bound) {
                    out.insert(place.var);
                }
            }
            Stmt::If(_, yes, no) => {
                let no = assigned(no, bound);
                out.extend(assigned(yes, bound).into_iter().filter(|v| no.contains(v)));
            }
            Stmt::Choose(branches) => {
                let all = branches.iter().map(|(_, body)| assigned(body, bound));
                out.extend(
                    all.reduce(|a, b| a.into_iter().filter(|v| b.contains(v)).collect())
                        .into_iter()
                        .flatten(),
                );
            }
            _ => {}
        }
    }
    out
}
