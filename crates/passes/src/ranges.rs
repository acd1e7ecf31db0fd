//! Interval analysis: which values each variable can have, over all agents, cells and reachable states.
//!
//! An abstract interpretation (Cousot and Cousot, POPL 1977) with intervals, and small sets of values exactly. It is
//! insensitive to the flow between functions: every variable has one set of values (see `value`), for all copies,
//! whenever it is read. The sets contain what the initial block leaves behind and are closed under everything that
//! functions assign when the variables they read have values in the sets; so, by induction over an execution, every
//! value that a cell has after the initial block — also in the middle of a function — is in the set of its variable.
//! Guards and branches that cannot be passed with such values are never passed, so nothing beyond them counts. Runs
//! that end with a fault assign nothing; but those that leave 64 bits count as if they went on, with integers of any
//! size: so what is concluded from the ranges is right even if the number that is too large is left out by slicing.
//!
//! What a program declares (`domain`, `may_be_undef`) is taken to be true after the initial block. During the initial
//! block it is not used: there a cell may still hold the 0 it starts with, or a value that is set back later.

mod arith;
mod context;
mod fixpoint;
mod place;
mod refine;
pub mod same;
mod start;
#[cfg(test)]
mod tests;
pub(crate) mod value;
pub(crate) mod walk;

use crate::Reduced;
pub use context::Context;
use std::collections::BTreeSet;
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{Expr, Function, Place, Program, Stmt, VarId, stmt};
use value::{MOST, Value};
use walk::Effects;

/// The ranges of all variables of a program.
#[derive(Clone, Debug)]
pub struct Ranges {
    /// After the initial block.
    values: Vec<Value>,
    /// Everything assigned by the initial block.
    initial: Vec<Value>,
}

/// Which values a variable or an expression can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// The smallest integer; `None` if there is no bound, or no integer.
    pub lo: Option<i64>,
    /// The largest integer; `None` if there is no bound, or no integer.
    pub hi: Option<i64>,
    /// Whether it can be ⊥.
    pub undef: bool,
    /// The integers one by one, in ascending order, if they are few. Empty: never an integer.
    pub values: Option<Vec<i64>>,
}

/// What evaluating an expression can lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluated {
    /// The values it can have.
    pub range: Range,
    /// It may meet an agent, variable or cell that does not exist.
    pub fault: bool,
    /// It may not fit 64 bits.
    pub overflow: bool,
}

impl Range {
    /// Whether a cell that holds this, ⊥ included, is in the range.
    pub fn contains(&self, value: swarmcheck_ir::Value) -> bool {
        if value == swarmcheck_ir::UNDEF {
            return self.undef;
        }
        match &self.values {
            Some(values) => values.binary_search(&value).is_ok(),
            None => self.lo.is_none_or(|lo| lo <= value) && self.hi.is_none_or(|hi| value <= hi),
        }
    }
}

impl From<&Value> for Range {
    fn from(value: &Value) -> Range {
        let bounds = value.bounds();
        Range {
            lo: bounds.map(|(lo, _)| lo).filter(|lo| *lo != -MOST),
            hi: bounds.map(|(_, hi)| hi).filter(|hi| *hi != MOST),
            undef: value.undef,
            values: value.few().map(|few| few.to_vec()),
        }
    }
}

/// Finds the ranges of all variables.
pub fn ranges(program: &Program) -> Ranges {
    found(program, None)
}

/// Finds the ranges of all variables, beginning with those of a similar program: one of whose variables it has the
/// first, or all, with the same meaning. They are found sooner, and may be wider than they would be otherwise.
pub fn ranges_near(program: &Program, known: &Ranges) -> Ranges {
    found(program, Some(known))
}

/// The ranges of the product of a program with an automaton, which restricts what the program does: those of the program,
/// what resting assigns, and what is declared of the automaton. `None` if it is not plain what resting assigns.
pub fn ranges_of_product(product: &Program, known: &Ranges, rest: &[Stmt]) -> Option<Ranges> {
    let mut out = known.clone();
    for number in known.values.len()..product.vars.len() {
        let value = declared(product, VarId(number as u32), Value::INTEGER);
        out.values.push(value.clone());
        out.initial.push(value);
    }
    for stmt in rest {
        let Stmt::Assign(place, Expr::Const(value)) = stmt else { return None };
        let all = &mut out.values[place.var.0 as usize];
        *all = all.join(&Value::only(*value));
    }
    Some(out)
}

/// What to begin with: a variable that is assigned has the values that are known, or declared if it is new; one that
/// is not assigned has none but its first.
fn near(program: &Program, known: &Ranges) -> Vec<Value> {
    let mut written = BTreeSet::new();
    for body in program.functions.iter().map(|f| &f.body) {
        stmt::walk(body, &mut |s| match s {
            Stmt::Assign(place, _) | Stmt::Fill(place, _) => {
                written.insert(place.var);
            }
            Stmt::Copy(var, ..) | Stmt::Rank(var) => {
                written.insert(*var);
            }
            _ => {}
        });
    }
    let one = |number: usize| {
        let var = VarId(number as u32);
        match known.values.get(number) {
            _ if !written.contains(&var) => Value::NONE,
            Some(value) => value.clone(),
            None if program.var(var).domain.is_some() => declared(program, var, Value::INTEGER),
            None => Value::NONE,
        }
    };
    (0..program.vars.len()).map(one).collect()
}

fn found(program: &Program, known: Option<&Ranges>) -> Ranges {
    let thresholds = thresholds(program);
    let initial = start::assigned(program, &thresholds);
    let start = start::values(program, &initial);
    let near = known.map(|known| near(program, known));
    let reads = program.functions.iter().map(dependencies).collect();
    let run = |f: usize, values: &[Value]| {
        let function = &program.functions[f];
        let mut context = at_entry(program, values, function);
        context.assume(&function.guard, true);
        let mut effects = Effects::default();
        context.block(&function.body, &mut effects);
        effects
    };
    let declared = |var: VarId, value: Value| declared(program, var, value);
    let values =
        fixpoint::Equations { start, near, reads, run: &run, declared: &declared, thresholds }.solve();
    Ranges { values, initial }
}

impl Ranges {
    /// The values of a variable in all reachable states, over all its copies and cells.
    pub fn value(&self, var: VarId) -> Range {
        Range::from(&self.values[var.0 as usize])
    }

    /// The values of a variable while the initial block runs: the 0 it starts with, and all that is assigned to it.
    pub fn during_start(&self, var: VarId) -> Range {
        Range::from(&self.initial[var.0 as usize].join(&Value::only(0)))
    }

    pub(crate) fn of(&self, var: VarId) -> &Value {
        &self.values[var.0 as usize]
    }

    /// What is known where no agent runs: in properties. The program must be the one the ranges were found for.
    pub fn anywhere<'a>(&'a self, program: &'a Program) -> Context<'a> {
        Context::new(program, &self.values, &[], &[])
    }

    /// What is known when an agent is about to test the guard of a function: its entry condition holds.
    pub fn at_entry<'a>(&'a self, program: &'a Program, function: &'a Function) -> Context<'a> {
        at_entry(program, &self.values, function)
    }

    /// What is known before the initial block.
    pub fn at_start<'a>(&'a self, program: &'a Program) -> Context<'a> {
        start::context(program, &self.initial)
    }
}

impl Context<'_> {
    /// What evaluating an expression here can lead to.
    pub fn eval(&self, e: &Expr) -> Evaluated {
        let found = self.found(e);
        Evaluated { range: Range::from(&found.value), fault: found.fault, overflow: found.overflow }
    }
}

/// Stores the ranges in the program: `domain` where both bounds are known, and `may_be_undef`.
pub fn narrow(program: &Program) -> Reduced {
    narrow_to(program, &ranges(program))
}

/// Stores ranges that are known in the program.
pub fn narrow_to(program: &Program, found: &Ranges) -> Reduced {
    let mut out = program.clone();
    let mut notes = vec![];
    for (i, var) in out.vars.iter_mut().enumerate() {
        let value = found.of(VarId(i as u32));
        let mut domain = match value.bounds() {
            // Nothing that is not ⊥: any domain will do.
            None => Some((0, 0)),
            Some((lo, hi)) if lo == -MOST || hi == MOST => None,
            bounds => bounds,
        };
        match var.role {
            // Locations that are never reached still stand in the entries of functions.
            Role::Location => {
                let entries = program.functions.iter().flat_map(|f| &f.entry);
                for (_, at) in entries.filter(|(v, _)| v.0 as usize == i) {
                    domain = domain.map(|(lo, hi)| (lo.min(*at), hi.max(*at)));
                }
            }
            // Ranking needs 0.
            Role::Order => domain = domain.map(|(lo, hi)| (lo.min(0), hi.max(0))),
            _ => {}
        }
        if (domain, value.undef) != (var.domain, var.may_be_undef) {
            let text = domain.map_or("unbounded".to_string(), |(lo, hi)| format!("{lo}..{hi}"));
            let undef = if value.undef { " or undefined" } else { "" };
            notes.push(format!("{} is {text}{undef}", var.name));
        }
        (var.domain, var.may_be_undef) = (domain, value.undef);
    }
    Reduced { program: out, normalise: vec![], notes }
}

/// What a variable can have of these values, by declaration.
fn declared(program: &Program, var: VarId, value: Value) -> Value {
    let var = program.var(var);
    let domain = var.domain.map_or(Value::INTEGER, |(lo, hi)| Value::between(lo.into(), hi.into()));
    value.meet(&domain.with_undef(var.may_be_undef))
}

fn at_entry<'a>(program: &'a Program, values: &'a [Value], function: &'a Function) -> Context<'a> {
    let mut context = Context::new(program, values, &function.owners, &function.locals);
    context.dead = context.count(&function.owners) == 0;
    for (var, at) in &function.entry {
        context.learn(&Expr::Read(Place::of(*var, Expr::Me)), Value::only(*at));
    }
    context
}

/// The variables that what a function assigns depends on.
fn dependencies(function: &Function) -> Vec<VarId> {
    let mut out: BTreeSet<VarId> = function.entry.iter().map(|(var, _)| *var).collect();
    note_reads(&function.guard, &mut out);
    stmt::walk(&function.body, &mut |s| {
        s.exprs().into_iter().for_each(|e| note_reads(e, &mut out));
        if let Stmt::Copy(var, ..) | Stmt::Rank(var) = s {
            out.insert(*var);
        }
    });
    out.into_iter().collect()
}

/// Adds the variables an expression reads.
pub(crate) fn note_reads(e: &Expr, into: &mut BTreeSet<VarId>) {
    e.walk(&mut |e| {
        if let Expr::Read(place) = e {
            into.insert(place.var);
        }
    });
}

/// Where growing variables may stop: numbers that occur in the program, and their neighbours.
fn thresholds(program: &Program) -> Vec<i64> {
    let mut out = BTreeSet::from([0, i64::from(program.agents())]);
    let mut note = |e: &Expr| {
        e.walk(&mut |e| {
            if let Expr::Const(v) = e {
                out.insert(*v);
            }
        });
    };
    program.properties.iter().flat_map(|p| p.exprs()).for_each(&mut note);
    program.functions.iter().for_each(|f| note(&f.guard));
    for body in program.functions.iter().map(|f| &f.body).chain([&program.init]) {
        stmt::walk(body, &mut |s| s.exprs().into_iter().for_each(&mut note));
    }
    out.extend(program.vars.iter().flat_map(|v| v.dimensions.iter().map(|d| i64::from(*d))));
    let near = out.into_iter().filter(|v| v.unsigned_abs() < MOST as u64);
    let all: BTreeSet<i64> = near.flat_map(|v| [v - 1, v, v + 1]).collect();
    all.into_iter().filter(|v| v.unsigned_abs() <= MOST as u64).collect()
}
