//! Statements of emulation functions in LNT.
//!
//! A step that turns out to be impossible does not happen: `only if` blocks. Labels come last in every process, so
//! nothing has been shown when a step blocks, and its choices are taken back with it.

use super::expr::{Exprs, Local, refuse, safe};
use super::helpers::Helper;
use super::names::Names;
use super::place::Arrays;
use super::text::{Lines, branches, guarded, line, nest, sequence};
use crate::Refusal;
use std::cell::RefCell;
use swarmcheck_ir::{Expr, KindId, LocalId, Place, Set, Stmt, VarId};
use swarmcheck_logic::expand::agents;

/// The longest range whose elements are written one by one.
const SHORT: i64 = 16;

/// What can be done with cells, besides reading them.
pub(crate) trait Writes {
    /// `place := value`, for a number.
    fn assign(&self, exprs: &Exprs<'_>, place: &Place, value: String) -> Result<Lines, Refusal>;
    /// Writes a timestamp.
    fn stamp(&self, exprs: &Exprs<'_>, place: &Place, value: &Expr) -> Result<Lines, Refusal>;
    /// Copies all cells of a variable to one agent from another.
    fn copy(&self, exprs: &Exprs<'_>, var: VarId, to: &Expr, from: &Expr) -> Result<Lines, Refusal>;
    /// One cell of a variable, by its number.
    fn cell(&self, exprs: &Exprs<'_>, place: &Place, cell: u32) -> Result<String, Refusal>;
}

/// Prints statements, and gathers the variables that have to be declared for them.
pub(crate) struct Body<'a> {
    /// Prints expressions.
    pub exprs: Exprs<'a>,
    /// Writes cells.
    pub writes: &'a dyn Writes,
    /// Names in use.
    pub names: RefCell<Names>,
    /// Variables to be declared, with their types.
    pub declared: RefCell<Vec<(String, String)>>,
}

impl<'a> Body<'a> {
    /// A variable with a free name.
    pub(crate) fn variable(&self, wanted: &str, kind: &str) -> String {
        let name = self.names.borrow_mut().fresh(wanted);
        self.declared.borrow_mut().push((name.clone(), kind.to_string()));
        name
    }

    /// Statements one after the other.
    pub(crate) fn block(&self, exprs: &Exprs<'a>, block: &[Stmt]) -> Result<Vec<Lines>, Refusal> {
        block.iter().map(|s| self.stmt(exprs, s)).collect()
    }

    fn stmt(&self, exprs: &Exprs<'a>, stmt: &Stmt) -> Result<Lines, Refusal> {
        match stmt {
            Stmt::Assign(place, value) if exprs.places.is_time(place) => {
                self.writes.stamp(exprs, place, value)
            }
            Stmt::Assign(place, value) => self.writes.assign(exprs, place, exprs.number(value)?),
            Stmt::Fill(place, set) => self.fill(exprs, place, set),
            Stmt::Let(local, value) => {
                Ok(line(format!("{} := {}", self.local(*local)?, exprs.number(value)?)))
            }
            Stmt::Havoc(local, set) => self.draw(exprs, self.local(*local)?, set),
            Stmt::Pick { local, kinds, bound, condition } => {
                self.pick(exprs, *local, kinds, *bound, condition)
            }
            Stmt::Assume(condition) => match exprs.conjuncts(condition)? {
                parts if parts.is_empty() => Ok(vec![]),
                parts => Ok(guarded("only if", &parts, line("null"))),
            },
            Stmt::Check(place) => {
                if safe(&Expr::Read(place.clone())) {
                    return Ok(vec![]);
                }
                let found = self.variable("found", "int");
                Ok(line(format!("{found} := {}", exprs.places.read(exprs, place)?)))
            }
            Stmt::If(condition, yes, no) => self.conditional(exprs, condition, yes, no),
            Stmt::Choose(ways) => {
                let way = |(condition, body): &(Expr, Vec<Stmt>)| {
                    let body = sequence(self.block(exprs, body)?);
                    Ok(guarded("only if", &exprs.conjuncts(condition)?, body))
                };
                let ways = ways.iter().map(way).collect::<Result<Vec<_>, Refusal>>()?;
                Ok(match ways.len() {
                    0 => line("stop"),
                    _ => branches("select", ways, "[]", "end select"),
                })
            }
            Stmt::ForEach(kinds, bound, body) => self.for_each(exprs, kinds, *bound, body),
            Stmt::Copy(var, to, from) => self.writes.copy(exprs, *var, to, from),
            // Matrices of comparisons do not depend on which numbers timestamps have.
            Stmt::Rank(_) => Ok(vec![]),
        }
    }

    fn local(&self, id: LocalId) -> Result<&str, Refusal> {
        match self.exprs.locals.get(id.0 as usize) {
            Some(Local { name, .. }) => Ok(name),
            None => refuse("a local that is not declared"),
        }
    }

    fn conditional(
        &self,
        exprs: &Exprs<'a>,
        condition: &Expr,
        yes: &[Stmt],
        no: &[Stmt],
    ) -> Result<Lines, Refusal> {
        let mut out = vec![format!("if {} then", exprs.condition(condition)?)];
        out.extend(super::text::indent(sequence(self.block(exprs, yes)?)));
        let mut no = no;
        while let [Stmt::If(condition, yes, rest)] = no {
            out.push(format!("elsif {} then", exprs.condition(condition)?));
            out.extend(super::text::indent(sequence(self.block(exprs, yes)?)));
            no = rest;
        }
        if !no.is_empty() {
            out.push("else".to_string());
            out.extend(super::text::indent(sequence(self.block(exprs, no)?)));
        }
        out.push("end if".to_string());
        Ok(out)
    }

    /// A loop over agents whose numbers follow one another; kinds that do not are gone through one run after the other.
    fn for_each(
        &self,
        exprs: &Exprs<'a>,
        kinds: &[KindId],
        bound: u32,
        body: &[Stmt],
    ) -> Result<Lines, Refusal> {
        let all = agents(exprs.program, kinds);
        if all.is_empty() {
            return Ok(vec![]);
        }
        let name = self.variable("a", "nat");
        let mut inner = exprs.clone();
        inner.bound.insert(bound, name.clone());
        let body = sequence(self.block(&inner, body)?);
        let loops = all.chunk_by(|a, b| a + 1 == *b).map(|run| {
            let (first, last) = (run[0], run[run.len() - 1]);
            let head = format!("for {name} := {first} while {name} <= {last} by {name} := {name} + 1 loop");
            nest(head, body.clone(), "end loop")
        });
        Ok(sequence(loops.collect()))
    }

    fn fill(&self, exprs: &Exprs<'a>, place: &Place, set: &Set) -> Result<Lines, Refusal> {
        let cells = exprs.program.var(place.var).cells() as u32;
        if exprs.places.is_time(place) {
            return refuse("a timestamp is drawn from a set");
        }
        let one = |cell| {
            let target = self.writes.cell(exprs, place, cell)?;
            self.draw(exprs, &target, set)
        };
        Ok(sequence((0..cells).map(one).collect::<Result<Vec<_>, Refusal>>()?))
    }

    /// Any element of a set into a variable or a cell.
    fn draw(&self, exprs: &Exprs<'a>, target: &str, set: &Set) -> Result<Lines, Refusal> {
        let (lo, hi) = match set {
            Set::Values(values) => {
                let ways = values
                    .iter()
                    .map(|v| Ok(line(format!("{target} := {}", exprs.number(v)?))))
                    .collect::<Result<Vec<_>, Refusal>>()?;
                return Ok(one_of(ways));
            }
            Set::Range(lo, hi) => (lo, hi),
        };
        if let (Expr::Const(lo), Expr::Const(hi)) = (lo, hi)
            && hi.checked_sub(*lo).is_some_and(|n| n <= SHORT)
        {
            return Ok(one_of((*lo..*hi).map(|v| line(format!("{target} := {v}"))).collect()));
        }
        if exprs.undefined(lo) || exprs.undefined(hi) {
            return refuse("a range with a bound that may be undefined");
        }
        // A long range, or one whose bounds are computed: start at the first element and go on as long as one likes.
        let (start, end) = (self.variable("drawn", "int"), self.variable("beyond", "int"));
        let go_on = guarded(
            "only if",
            &[format!("(({start} + 1) < {end})")],
            line(format!("{start} := {start} + 1")),
        );
        let walk = branches("select", vec![line("break drawing"), go_on], "[]", "end select");
        Ok(sequence(vec![
            line(format!("{start} := {}", exprs.number(lo)?)),
            line(format!("{end} := {}", exprs.number(hi)?)),
            guarded("only if", &[format!("({start} < {end})")], line("null")),
            nest("loop drawing in", walk, "end loop"),
            line(format!("{target} := {start}")),
        ]))
    }

    /// Distinct agents one after the other; one that does not fit only spoils the attempts that drew it.
    fn pick(
        &self,
        exprs: &Exprs<'a>,
        local: LocalId,
        kinds: &[KindId],
        bound: u32,
        condition: &Expr,
    ) -> Result<Lines, Refusal> {
        let Some(Local { name, length: Some(length), .. }) = exprs.locals.get(local.0 as usize) else {
            return refuse("agents are picked into a local that is not an array");
        };
        let candidate = self.variable("candidate", "nat");
        let mut inner = exprs.clone();
        inner.bound.insert(bound, candidate.clone());
        let mut rounds = vec![];
        for taken in 0..*length {
            let ways = agents(exprs.program, kinds).into_iter().map(|a| line(format!("{candidate} := {a}")));
            rounds.push(one_of(ways.collect()));
            let mut tests: Vec<String> = exprs.me.iter().map(|me| format!("({candidate} <> {me})")).collect();
            tests.extend((0..taken).map(|k| format!("({name}[{k}] <> NatToInt ({candidate}))")));
            tests.extend(inner.conjuncts(condition)?);
            rounds.push(guarded(
                "only if",
                &tests,
                line(format!("{name}[{taken}] := NatToInt ({candidate})")),
            ));
        }
        Ok(sequence(rounds))
    }
}

fn one_of(mut ways: Vec<Lines>) -> Lines {
    match ways.len() {
        0 => line("stop"),
        1 => ways.remove(0),
        _ => branches("select", ways, "[]", "end select"),
    }
}

impl Writes for Arrays<'_> {
    fn assign(&self, exprs: &Exprs<'_>, place: &Place, value: String) -> Result<Lines, Refusal> {
        Ok(line(format!("{} := {value}", Arrays::cell(self, exprs, place)?)))
    }

    /// The two ways in which LAbS programs write timestamps: the newest of all (rule LSTIG), and initial ones.
    fn stamp(&self, exprs: &Exprs<'_>, place: &Place, value: &Expr) -> Result<Lines, Refusal> {
        let newest = Expr::Const(i64::from(exprs.program.agents()));
        match (place.agent.as_deref(), value) {
            (Some(Expr::Bound(a)), Expr::Bound(b)) if a == b && exprs.me.is_none() => Ok(vec![]),
            (Some(agent), value) if *value == newest => {
                let (a, _, n) = self.pair(exprs, place.var, [Some(agent), Some(agent)])?;
                exprs.helpers.borrow_mut().insert(Helper::Newest(n));
                Ok(line(format!("eval Newest_{n} (!?{}, {a})", self.shape(place.var)?.name)))
            }
            _ if exprs.me.is_none() => {
                refuse("initial timestamps that depend on initial values are not supported")
            }
            _ => refuse("a timestamp that is neither the newest nor a copy"),
        }
    }

    fn copy(&self, exprs: &Exprs<'_>, var: VarId, to: &Expr, from: &Expr) -> Result<Lines, Refusal> {
        if exprs.places.is_time(&Place { var, agent: None, index: vec![], span: Default::default() }) {
            let (a, b, n) = self.pair(exprs, var, [Some(to), Some(from)])?;
            exprs.helpers.borrow_mut().insert(Helper::Adopt(n));
            return Ok(line(format!("eval Adopt_{n} (!?{}, {a}, {b})", self.shape(var)?.name)));
        }
        let one = |cell: u32| {
            let cell = cell.to_string();
            let (to, from) =
                (self.numbered(exprs, var, Some(to), &cell)?, self.numbered(exprs, var, Some(from), &cell)?);
            Ok(line(format!("{to} := {from}")))
        };
        let cells = exprs.program.var(var).cells() as u32;
        Ok(sequence((0..cells).map(one).collect::<Result<Vec<_>, Refusal>>()?))
    }

    fn cell(&self, exprs: &Exprs<'_>, place: &Place, cell: u32) -> Result<String, Refusal> {
        self.numbered(exprs, place.var, place.agent.as_deref(), &cell.to_string())
    }
}
