//! Deleting an agent that a step does not depend on: the class of systems, and the argument.
//!
//! Let `P(n)` be a program with `n` agents of the open kinds. For a state `s` and an agent `d` of an open kind, `s − d` is the state of `P(n − 1)`
//! without the copy of `d`, with the numbers of later agents one smaller, and with the ranks of timestamps dense again.
//!
//! **Deletion lemma.** Let `s → s'` be a step of `P(n)` in which agent `m` runs function `f`. There is a set `W` of at most
//! [`Witnesses::of`]`(f)` agents of open kinds, `m` among them, such that for every agent `d` of an open kind that is not in `W` and that no
//! global identity of `s` refers to, `s − d → s' − d` is a step of `P(n − 1)` in which `m` runs `f`, and no global identity of `s'` refers to `d`.
//!
//! *Proof*, along the checks of this file. Values of expressions do not change, because:
//!
//! * An expression reads global variables, locals, and variables of agents that are named by an identity: `m`, a drawn agent (in `W`), the target of a
//!   global identity, or a bound agent. Agents store no identities ([`Broken::StoredIdentity`]), so there are no other ways to name one, and none of
//!   these is `d`, except that a bound agent of a quantifier or of a loop may be.
//! * Identities are compared with identities only, and with constants that are the number of no agent ([`Broken::IdentityConstant`]). Deletion
//!   renumbers agents in the same order, so comparisons keep their results, also `<`. Nothing is computed with identities
//!   ([`Broken::IdentityArithmetic`]). Ranks are compared with ranks of the same variable only ([`Broken::Timestamp`]); their
//!   order stays, and the one constant that is written, the number of owners, is greater than all ranks before and after.
//! * Quantifiers in conditions that decide whether and how the step goes on, and in values and places, keep their values by [`crate::keep`], whose
//!   witnesses are counted here.
//!
//! Effects of statements are the same up to the copy of `d`: outside of loops a place that is written belongs to nobody, to `m`, to a drawn agent or to the target of a
//! global identity, so not to `d`. A loop over agents of an open kind ([`Stmt::ForEach`]) writes variables of the agent that it binds only
//! ([`Broken::SharedWrite`]), so the round of `d` writes to the copy of `d` only, and no other round reads that copy. Rounds pass
//! no locals on ([`Broken::Accumulator`]). So the loop without the round of `d` does the same to all others. What a loop asks has
//! no quantifiers ([`Broken::NestedLoop`]), and cannot be an error for one agent only ([`Broken::ComputedIndex`]). `rank` makes ranks dense,
//! which is what deletion does as well. A global identity of `s'` was there before or was written in this step, and then refers to `m`, a drawn agent or the target of another. ∎
//!
//! A step that is an error of the model stays one in the same way: what is evaluated before the error is evaluated after the deletion, too, and
//! has the same value by [`crate::errors`], whose witnesses are counted here as well.
//!
//! The same holds of the initial block, with no agent `m`: initial states without one agent are initial states
//! ([`Witnesses::initial`] for the assumptions).

use crate::keep::{Open, has_quantifier, place as place_of};
use crate::premise::{Broken, Premise};
use crate::sorts::{Identities, Sort, names_nobody};
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{BinaryOp, Expr, LocalId, Place, Program, Set, Stmt, VarId};
use swarmcheck_source::Span;

/// How many agents steps depend on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witnesses {
    /// By function: those of open kinds that must stay, the one that makes the step among them.
    functions: Vec<u32>,
    /// What the assumptions about initial states need.
    pub initial: u32,
    /// Global cells that hold identities.
    pub globals: u32,
}

impl Witnesses {
    /// Checks that a program is in the class, and counts.
    pub fn new(open: Open<'_>) -> Result<Witnesses, Premise> {
        let program = open.program;
        let identities = Identities::new(program);
        if let Some(kind) = open.kinds.iter().find(|kind| program.kind(**kind).count == 0) {
            let kind = program.kind(*kind).name.clone();
            return Premise::at(Span::default(), Broken::NoAgent { kind });
        }
        let mut globals = 0;
        for (number, var) in (0..).zip(&program.vars) {
            let holds = identities.holds(VarId(number));
            if var.role == Role::Turn {
                return Premise::at(Span::default(), Broken::RoundRobin);
            }
            match (&var.owners, holds) {
                (Some(_), true) => {
                    let variable = var.name.clone();
                    return Premise::at(
                        written_at(program, VarId(number)),
                        Broken::StoredIdentity { variable },
                    );
                }
                (None, true) => globals += var.cells() as u32,
                _ => {}
            }
        }
        let mut functions = vec![];
        for (number, function) in program.functions.iter().enumerate() {
            let mut part = Part::new(open, &identities, Some(number));
            part.condition(&function.guard)?;
            let acting = u32::from(open.any(&function.owners));
            let inside = part.decided(&function.guard, true)?.saturating_add(part.block(&function.body)?);
            functions.push(inside.saturating_add(acting));
        }
        let initial = Part::new(open, &identities, None).block(&program.init)?;
        Ok(Witnesses { functions, initial, globals })
    }

    /// The agents that a step of this function needs.
    pub fn of(&self, function: usize) -> u32 {
        self.functions[function]
    }

    /// The most that a step needs.
    pub fn most(&self) -> u32 {
        self.functions.iter().copied().max().unwrap_or(0)
    }
}

/// Checks a condition that no step evaluates: an invariant or a property.
pub fn check_condition(open: Open<'_>, e: &Expr) -> Result<(), Premise> {
    Part::new(open, &Identities::new(open.program), None).condition(e)
}

/// A function, or the initial block.
struct Part<'a> {
    open: Open<'a>,
    identities: &'a Identities,
    function: Option<usize>,
    /// The agent bound by a loop over an open kind.
    bound: Option<u32>,
}

impl<'a> Part<'a> {
    fn new(open: Open<'a>, identities: &'a Identities, function: Option<usize>) -> Part<'a> {
        Part { open, identities, function, bound: None }
    }

    fn program(&self) -> &'a Program {
        self.open.program
    }

    fn sort(&self, e: &Expr) -> Sort {
        self.identities.sort(self.program(), self.function, e)
    }

    /// How many agents a block needs.
    fn block(&mut self, block: &[Stmt]) -> Result<u32, Premise> {
        let mut needed: u32 = 0;
        for stmt in block {
            needed = self.stmt(stmt)?.saturating_add(needed);
        }
        Ok(needed)
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<u32, Premise> {
        match stmt {
            Stmt::Assign(place, e) => {
                self.written(place)?;
                self.value(place, e)?;
                Ok(self.evaluated(e)?.saturating_add(self.located(place)?))
            }
            Stmt::Fill(place, set) => {
                self.written(place)?;
                match set {
                    Set::Values(values) => values.iter().try_for_each(|e| self.value(place, e))?,
                    Set::Range(lo, hi) => {
                        self.number(lo)?;
                        self.number(hi)?;
                        self.data_place(place)?;
                    }
                }
                Ok(self.set(set)?.saturating_add(self.located(place)?))
            }
            Stmt::Let(local, e) => {
                self.local_value(*local, e)?;
                self.evaluated(e)
            }
            Stmt::Havoc(local, set) => {
                match set {
                    Set::Values(values) => {
                        values.iter().try_for_each(|e| self.local_value(*local, e))?;
                    }
                    Set::Range(lo, hi) => {
                        self.number(lo)?;
                        self.number(hi)?;
                        if self.sort(&Expr::Local(*local)) == Sort::Identity {
                            return Premise::at(place_of(lo), Broken::IdentityAsData);
                        }
                    }
                }
                self.set(set)
            }
            Stmt::Pick { local, condition, .. } => {
                if self.bound.is_some() {
                    return Premise::at(place_of(condition), Broken::NestedLoop);
                }
                self.condition(condition)?;
                let function = self.function.map(|number| &self.program().functions[number]);
                let drawn = function.and_then(|f| f.locals[local.0 as usize].length).unwrap_or(1);
                Ok(drawn.saturating_mul(self.decided(condition, true)?.saturating_add(1)))
            }
            Stmt::Assume(e) => {
                self.condition(e)?;
                self.decided(e, true)
            }
            Stmt::Check(place) => {
                self.place(place)?;
                self.located(place)
            }
            Stmt::If(c, yes, no) => {
                self.condition(c)?;
                let yes = self.decided(c, true)?.saturating_add(self.block(yes)?);
                Ok(yes.max(self.decided(c, false)?.saturating_add(self.block(no)?)))
            }
            Stmt::Choose(branches) => {
                let mut most = 0;
                for (c, body) in branches {
                    self.condition(c)?;
                    most = most.max(self.decided(c, true)?.saturating_add(self.block(body)?));
                }
                Ok(most)
            }
            Stmt::ForEach(kinds, bound, body) => self.for_each(kinds, *bound, body),
            Stmt::Copy(var, to, from) => {
                let span = Span::default();
                self.written(&Place { var: *var, agent: Some(Box::new(to.clone())), index: vec![], span })?;
                self.agent(from)?;
                Ok(self.evaluated(to)?.saturating_add(self.evaluated(from)?))
            }
            Stmt::Rank(var) => match self.program().var(*var).role == Role::Order && self.bound.is_none() {
                true => Ok(0),
                false => self.timestamp(*var, Span::default()),
            },
        }
    }

    fn for_each(
        &mut self,
        kinds: &[swarmcheck_ir::KindId],
        bound: u32,
        body: &[Stmt],
    ) -> Result<u32, Premise> {
        if !self.open.any(kinds) {
            let rounds: u32 = kinds.iter().map(|kind| self.program().kind(*kind).count).sum();
            return Ok(rounds.saturating_mul(self.block(body)?));
        }
        if self.bound.is_some() {
            return Premise::at(block_place(body), Broken::NestedLoop);
        }
        // A local that is written in one round could be read in the next one, or after the loop.
        if writes_locals(body) {
            return Premise::at(block_place(body), Broken::Accumulator);
        }
        self.bound = Some(bound);
        let needed = self.block(body);
        self.bound = None;
        match needed? {
            0 => Ok(0),
            _ => Premise::at(block_place(body), Broken::NestedLoop),
        }
    }

    fn set(&self, set: &Set) -> Result<u32, Premise> {
        match set {
            Set::Values(values) => self.all(values.iter()),
            Set::Range(lo, hi) => self.all([lo, hi].into_iter()),
        }
    }

    /// How many agents must stay for a condition to be decided in the same way, or to end in the same error.
    fn decided(&self, e: &Expr, truth: bool) -> Result<u32, Premise> {
        Ok(self.open.keep(e, truth)?.max(self.open.error(e)?.unwrap_or(0)))
    }

    /// The same for a value.
    fn evaluated(&self, e: &Expr) -> Result<u32, Premise> {
        Ok(self.open.stable(e)?.max(self.open.error(e)?.unwrap_or(0)))
    }

    /// The same for the agent and the indices of a place.
    fn located(&self, place: &Place) -> Result<u32, Premise> {
        self.all(place.agent.iter().map(|agent| &**agent).chain(&place.index))
    }

    fn all<'e>(&self, mut parts: impl Iterator<Item = &'e Expr>) -> Result<u32, Premise> {
        parts.try_fold(0u32, |sum, part| Ok(sum.saturating_add(self.evaluated(part)?)))
    }

    /// A place that is written. In a loop it belongs to the agent that the loop binds.
    fn written(&self, place: &Place) -> Result<(), Premise> {
        self.place(place)?;
        match (&self.bound, place.agent.as_deref()) {
            (None, _) => Ok(()),
            (Some(bound), Some(Expr::Bound(agent))) if agent == bound => Ok(()),
            _ => Premise::at(place.span, Broken::SharedWrite),
        }
    }

    fn data_place(&self, place: &Place) -> Result<(), Premise> {
        if self.identities.holds(place.var) {
            return Premise::at(place.span, Broken::IdentityAsData);
        }
        if self.program().var(place.var).role == Role::Order {
            return self.timestamp(place.var, place.span);
        }
        Ok(())
    }

    /// What is written to a place has the sort of the place.
    fn value(&self, place: &Place, e: &Expr) -> Result<(), Premise> {
        self.expr(e)?;
        let var = self.program().var(place.var);
        let span = if place.span == Span::default() { place_of(e) } else { place.span };
        if var.role == Role::Order {
            return match self.sort(e) {
                // The newest of all: no rank is as large as the number of owners.
                Sort::Constant(value) if value == i64::from(owners(self.program(), place.var)) => Ok(()),
                // Initial values are written in the order of numbers.
                Sort::Identity if self.function.is_none() => Ok(()),
                Sort::Timestamp(other) if other == place.var => Ok(()),
                _ => self.timestamp(place.var, span),
            };
        }
        match (self.sort(e), self.identities.holds(place.var)) {
            (Sort::Identity, true) | (Sort::Data | Sort::Constant(_), false) => Ok(()),
            (Sort::Constant(value), true) if names_nobody(value) => Ok(()),
            (Sort::Constant(value), true) => Premise::at(span, Broken::IdentityConstant(value)),
            (Sort::Timestamp(var), _) => self.timestamp(var, span),
            (Sort::Identity, false) | (Sort::Data, true) => Premise::at(span, Broken::IdentityAsData),
        }
    }

    fn local_value(&self, local: LocalId, e: &Expr) -> Result<(), Premise> {
        self.expr(e)?;
        match (self.sort(e), self.sort(&Expr::Local(local))) {
            (Sort::Identity, Sort::Identity) | (Sort::Data | Sort::Constant(_), Sort::Data) => Ok(()),
            (Sort::Constant(value), Sort::Identity) if names_nobody(value) => Ok(()),
            (Sort::Constant(value), _) => Premise::at(place_of(e), Broken::IdentityConstant(value)),
            (Sort::Timestamp(var), _) => self.timestamp(var, place_of(e)),
            _ => Premise::at(place_of(e), Broken::IdentityAsData),
        }
    }

    /// A condition, or a number that is data.
    fn number(&self, e: &Expr) -> Result<(), Premise> {
        self.expr(e)?;
        match self.sort(e) {
            Sort::Data | Sort::Constant(_) => Ok(()),
            Sort::Identity => Premise::at(place_of(e), Broken::IdentityAsData),
            Sort::Timestamp(var) => self.timestamp(var, place_of(e)),
        }
    }

    fn condition(&self, e: &Expr) -> Result<(), Premise> {
        if self.bound.is_some() && has_quantifier(e) {
            return Premise::at(place_of(e), Broken::NestedLoop);
        }
        self.number(e)
    }

    fn agent(&self, e: &Expr) -> Result<(), Premise> {
        self.expr(e)?;
        match self.sort(e) {
            Sort::Identity => Ok(()),
            Sort::Constant(value) => Premise::at(place_of(e), Broken::IdentityConstant(value)),
            _ => Premise::at(place_of(e), Broken::IdentityAsData),
        }
    }

    fn place(&self, place: &Place) -> Result<(), Premise> {
        if let Some(agent) = &place.agent {
            self.agent(agent)?;
            // Whether the target of a variable exists must not depend on the round of a loop.
            let named = matches!(**agent, Expr::Me | Expr::Bound(_) | Expr::LocalCell(..));
            if self.bound.is_some() && !named {
                return Premise::at(place.span, Broken::ComputedIndex);
            }
        }
        for index in &place.index {
            self.expr(index)?;
            match self.sort(index) {
                Sort::Constant(_) => {}
                Sort::Data if self.bound.is_none() => {}
                Sort::Data => return Premise::at(place.span, Broken::ComputedIndex),
                _ => return Premise::at(place.span, Broken::IdentityIndex),
            }
        }
        Ok(())
    }

    /// Every operator gets operands of its sort.
    fn expr(&self, e: &Expr) -> Result<(), Premise> {
        match e {
            Expr::Const(_) | Expr::Me | Expr::Bound(_) | Expr::Local(_) => Ok(()),
            Expr::Read(place) => self.place(place),
            Expr::LocalCell(_, index, _) => self.number(index),
            Expr::Unary(_, inner) => self.arithmetic(inner, place_of(e)),
            Expr::Binary(op, a, b, span) if op.is_comparison() => self.compared(*op, a, b, *span),
            Expr::Binary(_, a, b, span) => {
                self.arithmetic(a, *span)?;
                self.arithmetic(b, *span)
            }
            Expr::And(parts) | Expr::Or(parts) => parts.iter().try_for_each(|part| self.number(part)),
            Expr::If(c, a, b) => {
                self.number(c)?;
                self.expr(a)?;
                self.expr(b)?;
                self.alike(a, b, place_of(e))
            }
            Expr::Defined(inner) => self.expr(inner),
            Expr::Quantified(_, kinds, _, body) => {
                if self.bound.is_some() && self.open.any(kinds) {
                    return Premise::at(place_of(e), Broken::NestedLoop);
                }
                // Computed indices in a quantifier may be out of bounds for one agent only.
                let inner = Part { bound: self.bound, ..*self };
                inner.number(body)?;
                no_computed_index(body)
            }
        }
    }

    fn arithmetic(&self, e: &Expr, span: Span) -> Result<(), Premise> {
        self.expr(e)?;
        match self.sort(e) {
            Sort::Identity => Premise::at(span, Broken::IdentityArithmetic),
            Sort::Timestamp(var) => self.timestamp(var, span),
            Sort::Data | Sort::Constant(_) => Ok(()),
        }
    }

    fn compared(&self, op: BinaryOp, a: &Expr, b: &Expr, span: Span) -> Result<(), Premise> {
        self.expr(a)?;
        self.expr(b)?;
        let _ = op;
        self.alike(a, b, span)
    }

    /// Both sides are data, identities, or timestamps of one variable.
    fn alike(&self, a: &Expr, b: &Expr, span: Span) -> Result<(), Premise> {
        match (self.sort(a), self.sort(b)) {
            (Sort::Data | Sort::Constant(_), Sort::Data | Sort::Constant(_))
            | (Sort::Identity, Sort::Identity) => Ok(()),
            (Sort::Timestamp(x), Sort::Timestamp(y)) if x == y => Ok(()),
            (Sort::Timestamp(var), _) | (_, Sort::Timestamp(var)) => self.timestamp(var, span),
            (Sort::Identity, Sort::Constant(value)) | (Sort::Constant(value), Sort::Identity) => {
                if names_nobody(value) {
                    Ok(())
                } else {
                    Premise::at(span, Broken::IdentityConstant(value))
                }
            }
            (Sort::Identity, Sort::Data) | (Sort::Data, Sort::Identity) => {
                Premise::at(span, Broken::IdentityAsData)
            }
        }
    }

    fn timestamp<T>(&self, var: VarId, span: Span) -> Result<T, Premise> {
        Premise::at(span, Broken::Timestamp { variable: self.program().var(var).name.clone() })
    }
}

/// Where a step writes a variable of an agent, first; otherwise where it begins.
fn written_at(program: &Program, var: VarId) -> Span {
    let blocks = program.functions.iter().map(|function| &function.body).chain([&program.init]);
    let mut found = Span::default();
    for block in blocks {
        swarmcheck_ir::stmt::walk(block, &mut |stmt| {
            if let Stmt::Assign(place, value) = stmt
                && place.var == var
                && found == Span::default()
            {
                found = if place.span == Span::default() { place_of(value) } else { place.span };
            }
        });
    }
    found
}

/// How many agents own a variable.
pub fn owners(program: &Program, var: VarId) -> u32 {
    let kinds = program.var(var).owners.iter().flatten();
    kinds.map(|kind| program.kind(*kind).count).sum()
}

fn no_computed_index(e: &Expr) -> Result<(), Premise> {
    let mut found = None;
    e.walk(&mut |e| {
        if let Expr::Read(place) = e {
            let named = match place.agent.as_deref() {
                None | Some(Expr::Me | Expr::Bound(_) | Expr::LocalCell(..)) => true,
                Some(_) => false,
            };
            if !named || place.index.iter().any(|index| !matches!(index, Expr::Const(_))) {
                found = found.or(Some(place.span));
            }
        }
    });
    found.map_or(Ok(()), |span| Premise::at(span, Broken::ComputedIndex))
}

fn writes_locals(block: &[Stmt]) -> bool {
    let mut found = false;
    swarmcheck_ir::stmt::walk(block, &mut |stmt| {
        found |= matches!(stmt, Stmt::Let(..) | Stmt::Havoc(..) | Stmt::Pick { .. });
    });
    found
}

fn block_place(block: &[Stmt]) -> Span {
    let mut found = Span::default();
    swarmcheck_ir::stmt::walk(block, &mut |stmt| {
        for e in stmt.exprs() {
            let here = place_of(e);
            if found == Span::default() {
                found = here;
            }
        }
    });
    found
}
