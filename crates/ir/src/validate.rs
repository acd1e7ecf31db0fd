//! What the types of a program cannot express.
//!
//! The executor and the engines rely on everything checked here and do not look again: a front end validates what
//! it made (in tests and in debug builds) and reports a failure as its own bug, never as the user's. All problems
//! are collected, because one wrong id tends to have several symptoms.
//!
//! Places are not checked against the owners of their variable: reading a variable that an agent does not have is a
//! fault of the model, met at run time. Only `Copy` and `Rank`, which have no source text to blame, must be sure.

mod expr;
mod stmt;
#[cfg(test)]
mod tests;

use crate::expr::Expr;
use crate::program::{Function, KindId, Local, Program, Role, Var, VarId};
use std::collections::BTreeSet;

/// Something wrong with a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// The part of the program, for instance `function Node_1`.
    pub place: String,
    /// The violated rule, in words.
    pub problem: String,
}

impl std::fmt::Display for Invalid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.place, self.problem)
    }
}

impl std::error::Error for Invalid {}

/// Checks a program; the problems come in the order of its parts.
pub fn validate(program: &Program) -> Result<(), Vec<Invalid>> {
    let mut problems = vec![];
    kinds(program, &mut problems);
    unique("kind", program.kinds.iter().map(|k| &k.name), &mut problems);
    unique("variable", program.vars.iter().map(|v| &v.name), &mut problems);
    unique("function", program.functions.iter().map(|f| &f.name), &mut problems);
    unique("property", program.properties.iter().map(|p| &p.name), &mut problems);
    for var in &program.vars {
        let mut part = Part::new(program, format!("variable {}", var.name), &[], None);
        part.variable(var);
        problems.append(&mut part.problems);
    }
    let mut part = Part::new(program, "init".to_string(), &program.init_locals, None);
    part.block(&program.init);
    problems.append(&mut part.problems);
    for f in &program.functions {
        let mut part = Part::new(program, format!("function {}", f.name), &f.locals, Some(&f.owners));
        part.function(f);
        problems.append(&mut part.problems);
    }
    for property in &program.properties {
        let mut part = Part::new(program, format!("property {}", property.name), &[], None);
        property.exprs().into_iter().for_each(|e| part.condition(e));
        problems.append(&mut part.problems);
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// The agents of the kinds, one kind after the other, are 0, 1, 2, …
fn kinds(program: &Program, problems: &mut Vec<Invalid>) {
    let mut next: u64 = 0;
    for kind in &program.kinds {
        if u64::from(kind.first) != next {
            let problem = format!("its first agent is {}, but the next free number is {next}", kind.first);
            problems.push(Invalid { place: format!("kind {}", kind.name), problem });
        }
        next += u64::from(kind.count);
    }
    if next > u64::from(u32::MAX) {
        problems
            .push(Invalid { place: "program".to_string(), problem: format!("{next} agents are too many") });
    }
}

fn unique<'a>(what: &str, names: impl Iterator<Item = &'a String>, problems: &mut Vec<Invalid>) {
    let mut seen = BTreeSet::new();
    for name in names {
        if !seen.insert(name) {
            let place = format!("{what} {name}");
            problems.push(Invalid { place, problem: "two of this name".to_string() });
        }
    }
}

/// One part of the program under inspection, and what is known at the current point of it.
struct Part<'a> {
    program: &'a Program,
    place: String,
    locals: &'a [Local],
    /// The kinds that run this code; `None` if no agent does.
    owners: Option<&'a [KindId]>,
    /// Agents bound here, innermost last, and the kinds they range over.
    bound: Vec<(u32, &'a [KindId])>,
    /// Which locals have a value on every path to here.
    assigned: Vec<bool>,
    problems: Vec<Invalid>,
}

impl<'a> Part<'a> {
    fn new(
        program: &'a Program,
        place: String,
        locals: &'a [Local],
        owners: Option<&'a [KindId]>,
    ) -> Part<'a> {
        let assigned = vec![false; locals.len()];
        Part { program, place, locals, owners, bound: vec![], assigned, problems: vec![] }
    }

    fn report(&mut self, problem: impl Into<String>) {
        self.problems.push(Invalid { place: self.place.clone(), problem: problem.into() });
    }

    /// The variable, if there is one with this id.
    fn var(&mut self, id: VarId) -> Option<&'a Var> {
        let var = self.program.vars.get(id.0 as usize);
        if var.is_none() {
            self.report(format!("no variable has the id {}", id.0));
        }
        var
    }

    /// A list of kinds is a set: an agent in it twice would be visited twice.
    fn kinds(&mut self, kinds: &[KindId]) {
        for (i, kind) in kinds.iter().enumerate() {
            match self.program.kinds.get(kind.0 as usize) {
                None => self.report(format!("no kind has the id {}", kind.0)),
                Some(k) if kinds[..i].contains(kind) => {
                    self.report(format!("lists the kind {} twice", k.name))
                }
                Some(_) => {}
            }
        }
    }

    fn variable(&mut self, var: &Var) {
        self.kinds(var.owners.as_deref().unwrap_or(&[]));
        if let Some((lo, hi)) = var.domain
            && lo > hi
        {
            self.report(format!("its domain {lo}..{hi} is empty"));
        }
        if let Role::Data { order: Some(order), .. } = var.role
            && let Some(order) = self.var(order)
            && order.role != Role::Order
        {
            self.report(format!("its order {} is no order variable", order.name));
        }
    }

    fn function(&mut self, f: &'a Function) {
        self.kinds(&f.owners);
        for (id, value) in &f.entry {
            if let Some(var) = self.var(*id) {
                self.entry(f, var, *value);
            }
        }
        self.condition(&f.guard);
        self.block(&f.body);
    }

    fn entry(&mut self, f: &Function, var: &Var, value: i64) {
        let name = &var.name;
        if var.role != Role::Location {
            self.report(format!("its entry reads {name}, which is no location"));
        }
        if !var.dimensions.is_empty() {
            self.report(format!("its entry reads {name}, which is an array"));
        }
        if !owned_by(var, &f.owners) {
            self.report(format!("its entry reads {name}, which not all its owners have"));
        }
        if var.domain.is_some_and(|(lo, hi)| value < lo || value > hi) {
            self.report(format!("its entry needs {name} = {value}, outside the domain"));
        }
    }

    /// The kinds that an expression is known to stand for an agent of.
    fn agent_kinds(&self, e: &Expr) -> Option<&'a [KindId]> {
        match e {
            Expr::Me => self.owners,
            Expr::Bound(b) => self.bound.iter().rev().find(|(bound, _)| bound == b).map(|(_, kinds)| *kinds),
            _ => None,
        }
    }
}

/// Whether every agent of the kinds has a copy of the variable.
fn owned_by(var: &Var, kinds: &[KindId]) -> bool {
    var.owners.as_ref().is_some_and(|owners| kinds.iter().all(|k| owners.contains(k)))
}
