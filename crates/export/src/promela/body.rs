//! Blocks of statements in Promela.

use super::text::{atom, text};
use super::variables::Variables;
use crate::term::Term;
use crate::total::{Cells, LocalValue, Scope, Total, spans};
use crate::{Refusal, refuse};
use std::collections::BTreeSet;
use swarmcheck_ir::{BinaryOp, Expr, KindId, LocalId, Place, Set, Stmt, VarId};

/// Writes the statements of one function, or of the initial block.
pub(super) struct Body<'a> {
    /// Where expressions stand.
    pub(super) scope: Scope<'a>,
    pub(super) variables: &'a Variables,
    /// The text so far.
    pub(super) out: String,
    /// How far lines are indented.
    pub(super) depth: usize,
    /// The step may turn out to be impossible.
    pub(super) dead_ends: bool,
    /// It draws from ranges, which needs two variables.
    pub(super) draws: bool,
    /// An assignment to a place that may not exist, for ⊥, can disable the step.
    pub(super) late: bool,
    /// What must be 0 again at the end, because it would be a part of the state.
    pub(super) used: BTreeSet<String>,
    /// Which order variables are ranked.
    pub(super) ranked: BTreeSet<VarId>,
}

/// Ranges with this many values are written out.
const FEW: i64 = 32;

/// The variable of a loop over agents.
pub(super) fn loop_name(bound: u32) -> String {
    format!("agent{bound}")
}

/// The procedure that ranks an order variable.
pub(super) fn rank_name(var: VarId) -> String {
    format!("rank_{}", var.0)
}

impl Body<'_> {
    pub(super) fn line(&mut self, text: &str) {
        self.out += &"  ".repeat(self.depth);
        self.out += text;
        self.out.push('\n');
    }

    /// A whole block; one without statements must still be one.
    pub(super) fn block(&mut self, block: &[Stmt]) -> Result<(), Refusal> {
        if block.is_empty() {
            self.line("skip;");
        }
        block.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn inner(&mut self, block: &[Stmt]) -> Result<(), Refusal> {
        self.depth += 1;
        let result = self.block(block);
        self.depth -= 1;
        result
    }

    /// An error of the model if the condition holds.
    pub(super) fn unless(&mut self, wrong: &Term) {
        if *wrong != Term::FALSE {
            self.line(&format!("assert(!{});", atom(wrong)));
        }
    }

    /// The step is impossible if the condition holds.
    fn impossible_if(&mut self, condition: &Term) {
        if *condition != Term::FALSE {
            self.dead_ends = true;
            self.line(&format!("if :: {} -> goto impossible :: else -> skip fi;", text(condition)));
        }
    }

    /// The last alternative of a choice.
    fn otherwise_impossible(&mut self) {
        self.dead_ends = true;
        self.line(":: else -> goto impossible");
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), Refusal> {
        match stmt {
            Stmt::Assign(place, e) => {
                let value = self.scope.total(e)?;
                self.assign(place, value)?;
            }
            Stmt::Fill(place, set) => self.fill(place, set)?,
            Stmt::Let(local, e) => {
                let value = self.scope.total(e)?;
                self.set_local(*local, value)?;
            }
            Stmt::Havoc(local, set) => {
                let name = self.local(*local)?;
                self.draw(&name, set)?;
            }
            Stmt::Pick { local, kinds, bound, condition } => self.pick(*local, kinds, *bound, condition)?,
            Stmt::Assume(e) => {
                let e = self.scope.total(e)?;
                self.unless(&e.wrong);
                self.impossible_if(&Term::not(e.truth()));
            }
            Stmt::Check(place) => {
                let place = self.scope.place(place)?;
                self.unless(&place.wrong);
            }
            Stmt::If(c, yes, no) => {
                let c = self.scope.total(c)?;
                self.unless(&c.wrong);
                self.line("if");
                self.line(&format!(":: {} ->", text(&c.truth())));
                self.inner(yes)?;
                self.line(":: else ->");
                self.inner(no)?;
                self.line("fi;");
            }
            Stmt::Choose(branches) => {
                let mut conditions = vec![];
                for (condition, _) in branches {
                    conditions.push(self.scope.total(condition)?);
                }
                self.unless(&Term::any(conditions.iter().map(|c| c.wrong.clone())));
                let conditions: Vec<Term> = conditions.into_iter().map(Total::truth).collect();
                self.line("if");
                for (condition, (_, body)) in conditions.iter().zip(branches) {
                    self.line(&format!(":: {} ->", text(condition)));
                    self.inner(body)?;
                }
                if !conditions.contains(&Term::TRUE) {
                    self.otherwise_impossible();
                }
                self.line("fi;");
            }
            Stmt::ForEach(kinds, bound, body) => self.each(kinds, *bound, body)?,
            Stmt::Copy(var, to, from) => {
                let (to, from) = (self.scope.total(to)?, self.scope.total(from)?);
                for cell in 0..self.variables.cells(*var) {
                    let cell = Term::Number(i64::from(cell));
                    let (to, from) = (Some(&to.value), Some(&from.value));
                    let line = format!(
                        "{} = {};",
                        self.variables.cell(*var, to, &cell),
                        self.variables.cell(*var, from, &cell)
                    );
                    self.line(&line);
                }
            }
            Stmt::Rank(var) => {
                self.ranked.insert(*var);
                self.line(&format!("{}();", rank_name(*var)));
            }
        }
        Ok(())
    }

    fn assign(&mut self, place: &Place, value: Total) -> Result<(), Refusal> {
        let target = self.scope.place(place)?;
        let large = self.variables.does_not_fit(place.var, &value);
        self.unless(&Term::any([value.wrong.clone(), target.wrong.clone(), large]));
        if target.undefined != Term::FALSE {
            self.late = true;
        }
        self.impossible_if(&target.undefined);
        let value = match self.variables.known(place.var).undef {
            true => value.stored(self.variables.undefined()),
            // The ranges say that it is never ⊥.
            false => value.value,
        };
        let line = format!("{} = {};", text(&target.value), text(&value));
        self.line(&line);
        Ok(())
    }

    fn local(&mut self, local: LocalId) -> Result<String, Refusal> {
        match self.scope.locals.get(local.0 as usize) {
            Some(LocalValue { scalar: Total { value: Term::Name(name), .. }, array: None, .. }) => {
                let name = name.clone();
                self.used.insert(name.clone());
                Ok(name)
            }
            _ => refuse("a local array is used as a scalar"),
        }
    }

    fn set_local(&mut self, local: LocalId, value: Total) -> Result<(), Refusal> {
        let name = self.local(local)?;
        self.unless(&value.wrong);
        self.line(&format!("{name} = {};", text(&value.stored(self.variables.undefined()))));
        Ok(())
    }

    /// Any element of a set into something.
    fn draw(&mut self, name: &str, set: &Set) -> Result<(), Refusal> {
        match set {
            Set::Values(values) => {
                self.line("if");
                for e in values {
                    let value = self.scope.total(e)?;
                    self.line(":: true ->");
                    self.depth += 1;
                    self.unless(&value.wrong);
                    self.line(&format!("{name} = {};", text(&value.stored(self.variables.undefined()))));
                    self.depth -= 1;
                }
                if values.is_empty() {
                    self.otherwise_impossible();
                }
                self.line("fi;");
            }
            Set::Range(lo, hi) => {
                let (lo, hi) = (self.scope.total(lo)?, self.scope.total(hi)?);
                self.unless(&Term::any([lo.wrong, hi.wrong]));
                let empty = Term::compare(BinaryOp::Ge, lo.value.clone(), hi.value.clone());
                self.impossible_if(&Term::any([lo.undefined, hi.undefined, empty]));
                if let (Term::Number(first), Term::Number(end)) = (&lo.value, &hi.value)
                    && (1..=FEW).contains(&end.saturating_sub(*first))
                {
                    let one = |value: i64| format!(":: {name} = {value}");
                    let all: Vec<String> = (*first..*end).map(one).collect();
                    self.line(&format!("if {} fi;", all.join(" ")));
                    return Ok(());
                }
                self.draws = true;
                self.line(&format!("drawn = {}; drawn_end = {};", text(&lo.value), text(&hi.value)));
                self.line("do :: drawn + 1 < drawn_end -> drawn = drawn + 1 :: break od;");
                self.line(&format!("{name} = drawn; drawn = 0; drawn_end = 0;"));
            }
        }
        Ok(())
    }

    fn fill(&mut self, place: &Place, set: &Set) -> Result<(), Refusal> {
        let agent = match &place.agent {
            None => None,
            Some(e) => {
                let whole = self.scope.place(&Place { index: vec![], ..place.clone() })?;
                let agent = self.scope.total(e)?;
                self.unless(&agent.wrong);
                // Here an agent without the variable is no error: the step is disabled.
                let missing = Term::any([agent.undefined.clone(), whole.wrong]);
                if missing != Term::FALSE {
                    self.late = true;
                }
                self.impossible_if(&missing);
                Some(agent.value)
            }
        };
        for cell in 0..self.variables.cells(place.var) {
            let target = self.variables.cell(place.var, agent.as_ref(), &Term::Number(i64::from(cell)));
            match set {
                Set::Values(values) if values.len() == 1 => {
                    let value = self.scope.total(&values[0])?;
                    let large = self.variables.does_not_fit(place.var, &value);
                    self.unless(&Term::any([value.wrong.clone(), large]));
                    self.line(&format!("{target} = {};", text(&value.stored(self.variables.undefined()))));
                }
                set => self.draw(&target, set)?,
            }
        }
        Ok(())
    }

    fn pick(
        &mut self,
        local: LocalId,
        kinds: &[KindId],
        bound: u32,
        condition: &Expr,
    ) -> Result<(), Refusal> {
        let Some((name, length)) = self.scope.locals.get(local.0 as usize).and_then(|l| l.array.clone())
        else {
            return refuse("agents are drawn into a local that is not an array");
        };
        for cell in 0..length {
            self.used.insert(format!("{name}[{cell}]"));
        }
        let program = self.scope.program;
        for taken in 0..length {
            self.line("if");
            for agent in spans(program, kinds).into_iter().flat_map(|(first, last)| first..=last) {
                let number = Term::Number(i64::from(agent));
                let mut free = vec![];
                if let Some(me) = &self.scope.me {
                    free.push(Term::compare(BinaryOp::Ne, me.value.clone(), number.clone()));
                }
                for before in 0..taken {
                    let cell = Term::Cell(name.clone(), Box::new(Term::Number(i64::from(before))));
                    free.push(Term::compare(BinaryOp::Ne, cell, number.clone()));
                }
                let it = Total::agent(program, number, &[program.kind_of(agent)]);
                self.scope.bound.push((bound, it));
                let fits = self.scope.total(condition);
                self.scope.bound.pop();
                let fits = fits?;
                self.line(&format!(":: {} ->", text(&Term::all(free))));
                self.depth += 1;
                self.unless(&fits.wrong);
                self.impossible_if(&Term::not(fits.truth()));
                self.line(&format!("{name}[{taken}] = {agent};"));
                self.depth -= 1;
            }
            self.otherwise_impossible();
            self.line("fi;");
        }
        Ok(())
    }

    fn each(&mut self, kinds: &[KindId], bound: u32, body: &[Stmt]) -> Result<(), Refusal> {
        let name = loop_name(bound);
        let program = self.scope.program;
        for (first, last) in spans(program, kinds) {
            self.used.insert(name.clone());
            self.line(&format!("for ({name} : {first} .. {last}) {{"));
            self.scope.bound.push((bound, Total::agent(program, Term::Name(name.clone()), kinds)));
            let written = self.inner(body);
            self.scope.bound.pop();
            written?;
            self.line("}");
        }
        Ok(())
    }
}
