//! Predicate abstraction: comparisons that read data with many initial values become Boolean variables.
//!
//! The positions of birds decide who sees whom, and that decides who receives a message. Three birds on a grid of ten
//! have 64 million initial states. For a property that does not read positions it is enough to store, for each pair,
//! whether the two see each other. When one of them moves, that may change or not: the Boolean is havocked. Then
//! nothing reads positions any more, the cone-of-influence reduction (`slice`) drops them, and a few thousand states
//! are left. What holds in the abstract program holds in the original. The converse is not true: an abstract
//! counterexample proves nothing.
//!
//! The technique is from Graf and Saïdi, "Construction of abstract state graphs with PVS" (CAV 1997). Ours is coarser and
//! needs no prover. Predicates are taken from the program text only. Variables that are not abstracted stay concrete.
//! A write havocs every predicate that reads the variable, instead of computing which values are possible. There is
//! no refinement.
//!
//! **What is abstracted.** A variable is *multi-valued* if its initial value is a choice, or if something that depends on
//! such a variable is assigned to it (`dependence`). Every comparison in a guard or a branch that reads a multi-valued
//! variable which no property reads becomes a *predicate*: a new Boolean variable for the agent, or for each pair of
//! different agents, that it reads (`predicate`). Initially its value is arbitrary. A block that writes something a
//! predicate reads assigns an arbitrary value to it at its end (`havoc`).
//!
//! **Soundness.** The abstraction is a simulation. A state of the original program is related to the abstract state with
//! the same values in which every predicate has the value of its comparison. Initial states are related to initial
//! states, because there all values of predicates are possible. Take a step of the original. Its guard has the same
//! value in the related state. So have its branches: a body that writes what a predicate reads does not test that
//! predicate (or the comparison is not replaced at all). At its end the predicates that may have changed are
//! arbitrary, so they can be the right ones. Hence every execution of the original is related to one of the abstract
//! program. The one stops exactly where the other stops, because guards and everything that can disable a step have
//! the same values in related states.
//!
//! * *No model error is lost*: a comparison is replaced only if evaluating it can neither fault nor be ⊥, whatever
//!   reachable values it reads. Everything else is still evaluated where it was.
//! * *No overflow is hidden*: `slice` may drop a number that is too large for 64 bits if it is not needed. The
//!   abstraction makes variables unneeded that were needed before. So code that may overflow must only write what is
//!   still needed (`overflow_is_kept`).
//! * *Properties must be universal*: see [`is_universal`].
//!
//! Constant folding may run first: it keeps reachable states and their steps. Domains must not be narrowed first, because
//! the abstract program can reach more states.

mod dependence;
mod havoc;
mod predicate;

use crate::ranges::walk::Effects;
use crate::ranges::{self, Ranges};
use crate::slice;
use crate::{Needs, Reduced};
use predicate::{Occurrence, Predicate};
use std::collections::BTreeSet;
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{BinaryOp, Expr, Function, KindId, Modality, Place, Program, Stmt, UnaryOp, Var, VarId};
use swarmcheck_source::Span;

/// Whether a property is preserved by simulation: it quantifies over all executions, and reads nothing but values.
pub fn is_universal(modality: &Modality) -> bool {
    !matches!(modality, Modality::Fairly | Modality::FairlyInf | Modality::Linear(_))
}

/// The abstract program; `None` if no variable becomes unneeded by it. It over-approximates: only properties that hold in
/// it say something about the original.
pub fn abstract_program(program: &Program, properties: &[usize], needs: Needs) -> Option<Reduced> {
    let abstractable = dependence::abstractable(program, properties);
    if abstractable.is_empty() {
        return None;
    }
    let ranges = ranges::ranges(program);
    let mut abstraction = Abstraction { program, ranges: &ranges, abstractable: &abstractable, all: vec![] };
    let mut out = program.clone();
    for function in &mut out.functions {
        abstraction.function(function);
    }
    let predicates = abstraction.all;
    if predicates.is_empty() {
        return None;
    }
    havoc::insert(&mut out, &predicates)?;
    let first = program.vars.len() as u32;
    let agents = program.agents();
    out.vars.extend(predicates.iter().enumerate().map(|(number, predicate)| Var {
        name: format!("predicate.{}", first + number as u32),
        owners: None,
        dimensions: vec![agents; predicate.agents],
        domain: Some((0, 1)),
        may_be_undef: false,
        role: Role::Data { arrow: "<-", order: None },
    }));
    let before = slice::kept_within(program, &ranges, properties, needs);
    let after = slice::kept(&out, properties, needs);
    if !overflow_is_kept(program, &ranges, &before, &after) {
        return None;
    }
    let gone = abstractable.iter().filter(|v| before.contains(v) && !after.contains(v));
    let gone: Vec<&str> = gone.map(|v| &*program.var(*v).name).collect();
    (!gone.is_empty()).then(|| Reduced {
        normalise: vec![],
        notes: vec![format!("proved for all values of {}", gone.join(", "))],
        program: out,
    })
}

/// Whether all variables written by code that may overflow are still needed, if they were before.
fn overflow_is_kept(
    program: &Program,
    ranges: &Ranges,
    before: &BTreeSet<VarId>,
    after: &BTreeSet<VarId>,
) -> bool {
    let stays = |body: &[Stmt]| havoc::written(body).iter().all(|v| after.contains(v) || !before.contains(v));
    let mut start = Effects::default();
    ranges.at_start(program).block(&program.init, &mut start);
    let runs = |function: &Function| {
        let mut here = ranges.at_entry(program, function);
        let guard = here.eval(&function.guard);
        here.assume(&function.guard, true);
        let mut effects = Effects::default();
        here.block(&function.body, &mut effects);
        guard.overflow || effects.overflow
    };
    (!start.overflow || stays(&program.init)) && program.functions.iter().all(|f| stays(&f.body) || !runs(f))
}

/// The predicates found so far.
struct Abstraction<'a> {
    program: &'a Program,
    ranges: &'a Ranges,
    abstractable: &'a BTreeSet<VarId>,
    all: Vec<Predicate>,
}

/// Where a condition stands.
#[derive(Clone, Default)]
struct Scope {
    /// The agents bound by loops, with their kinds.
    loops: Vec<(u32, Vec<KindId>)>,
    /// Bound agents that are known not to be the one that runs the function.
    others: BTreeSet<u32>,
}

impl Abstraction<'_> {
    /// Replaces comparisons in the guard and the branches of a function.
    fn function(&mut self, function: &mut Function) {
        let old = function.clone();
        let written = havoc::written(&old.body);
        self.condition(&old, &mut function.guard, &mut Scope::default(), &BTreeSet::new());
        self.block(&old, &mut function.body, &Scope::default(), &written);
    }

    fn block(&mut self, old: &Function, body: &mut [Stmt], scope: &Scope, written: &BTreeSet<VarId>) {
        for statement in body {
            match statement {
                Stmt::Assume(condition) => self.condition(old, condition, &mut scope.clone(), written),
                Stmt::If(condition, yes, no) => {
                    self.condition(old, condition, &mut scope.clone(), written);
                    self.block(old, yes, scope, written);
                    self.block(old, no, scope, written);
                }
                Stmt::Choose(branches) => {
                    for (condition, inner) in branches {
                        self.condition(old, condition, &mut scope.clone(), written);
                        self.block(old, inner, scope, written);
                    }
                }
                Stmt::ForEach(kinds, bound, inner) => {
                    let mut inside = scope.clone();
                    inside.others.remove(bound);
                    inside.loops.push((*bound, kinds.clone()));
                    self.block(old, inner, &inside, written);
                }
                _ => {}
            }
        }
    }

    fn condition(&mut self, old: &Function, e: &mut Expr, scope: &mut Scope, written: &BTreeSet<VarId>) {
        match e {
            Expr::And(parts) => {
                for part in parts {
                    self.condition(old, part, scope, written);
                    // What comes after it is evaluated only where it holds.
                    scope.others.extend(predicate::other(part));
                }
            }
            Expr::Or(parts) => {
                parts.iter_mut().for_each(|p| self.condition(old, p, &mut scope.clone(), written))
            }
            Expr::Unary(UnaryOp::Not, inner) => self.condition(old, inner, &mut scope.clone(), written),
            part => {
                if let Some(variable) = self.replacement(old, part, scope, written) {
                    *part = variable;
                }
            }
        }
    }

    /// The predicate variable that replaces a comparison, if it can be replaced.
    fn replacement(
        &mut self,
        old: &Function,
        e: &Expr,
        scope: &Scope,
        written: &BTreeSet<VarId>,
    ) -> Option<Expr> {
        let Occurrence { predicate, agents, truth } = predicate::occurrence(e, &scope.others)?;
        let reads: BTreeSet<VarId> = predicate.reads.iter().map(|(var, _)| *var).collect();
        let plain = |v: &VarId| {
            let var = self.program.var(*v);
            var.dimensions.is_empty() && matches!(var.role, Role::Data { .. })
        };
        if reads.is_disjoint(self.abstractable) || !reads.is_disjoint(written) || !reads.iter().all(plain) {
            return None;
        }
        let mut here = self.ranges.at_entry(self.program, old);
        scope.loops.iter().for_each(|(bound, kinds)| here.bind(*bound, kinds));
        let evaluated = here.eval(e);
        if evaluated.fault || evaluated.overflow || evaluated.range.undef {
            return None;
        }
        let known = self.all.iter().position(|q| q.key == predicate.key);
        let number = known.unwrap_or_else(|| {
            self.all.push(predicate);
            self.all.len() - 1
        });
        let var = VarId((self.program.vars.len() + number) as u32);
        let place = self.all[number].place(var, &agents);
        let wanted = Box::new(Expr::Const(i64::from(truth)));
        Some(Expr::Binary(BinaryOp::Eq, Box::new(Expr::Read(place)), wanted, Span::default()))
    }
}

impl Predicate {
    /// The cell of the predicate variable for these agents.
    fn place(&self, var: VarId, agents: &[Expr]) -> Place {
        let both = |op, a: &Expr, b: &Expr| {
            Expr::Binary(op, Box::new(a.clone()), Box::new(b.clone()), Span::default())
        };
        let index = match agents {
            [a, b] if self.symmetric => vec![both(BinaryOp::Min, a, b), both(BinaryOp::Max, a, b)],
            agents => agents.to_vec(),
        };
        Place { var, agent: None, index, span: Span::default() }
    }
}
