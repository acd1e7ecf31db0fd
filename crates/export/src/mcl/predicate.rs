//! Conditions of properties in MCL: quantifiers expanded, cells as parameters.
//!
//! MCL has no conditional expressions and no ⊥. A comparison that contains one of `if`, `abs`, `min` or `max` becomes a
//! case distinction, and one whose operands may be ⊥ also says that they are not.

use crate::Refusal;
use crate::lnt::names::Names;
use std::collections::BTreeMap;
use swarmcheck_ir::cells::position;
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{BinaryOp, Expr, Place, Program, UNDEF, UnaryOp};
use swarmcheck_logic::defined::may_be_undefined;
use swarmcheck_logic::expand;

/// The most cases that one comparison may become.
const CASES: usize = 1024;

/// A cell that a predicate refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    /// The parameter that follows it.
    pub name: String,
    /// The label of an assignment to it, without the value.
    pub label: String,
}

/// The conditions of a property.
#[derive(Clone, Debug)]
pub(super) struct Conditions {
    /// The cells they refer to, by variable, agent and index.
    pub cells: Vec<Cell>,
    pub texts: Vec<String>,
}

/// A refusal in words.
pub(super) fn refuse<T>(why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { why: why.into() })
}

/// A cell: global variables have no agent, scalars no index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct CellKey {
    var: u32,
    agent: Option<i64>,
    index: Option<u32>,
}

impl Conditions {
    /// Translates closed conditions.
    pub(super) fn new(program: &Program, conditions: &[&Expr]) -> Result<Conditions, Refusal> {
        let conditions: Vec<Expr> = conditions.iter().map(|e| expand(program, e)).collect();
        let mut keys: BTreeMap<CellKey, Cell> = BTreeMap::new();
        let mut wrong = None;
        for e in &conditions {
            e.walk(&mut |e| {
                if let Expr::Read(place) = e {
                    match key(program, place) {
                        Ok((key, cell)) => {
                            keys.insert(key, cell);
                        }
                        Err(refusal) => wrong = Some(refusal),
                    }
                }
            });
        }
        if let Some(refusal) = wrong {
            return Err(refusal);
        }
        let mut names = Names::for_mcl();
        for cell in keys.values_mut() {
            cell.name = names.fresh(&cell.name);
        }
        let writer = Writer { program, cells: &keys };
        let texts = conditions.iter().map(|e| writer.condition(e)).collect::<Result<_, _>>()?;
        Ok(Conditions { cells: keys.into_values().collect(), texts })
    }
}

fn key(program: &Program, place: &Place) -> Result<(CellKey, Cell), Refusal> {
    let var = program.var(place.var);
    if var.role == Role::Order {
        return refuse("it reads timestamps, which no label shows");
    }
    let constant = |e: &Expr| match e {
        Expr::Const(n) => Ok(*n),
        _ => refuse(format!("it reads a computed cell of `{}`", var.name)),
    };
    let agent = place.agent.as_deref().map(constant).transpose()?;
    let indices = place.index.iter().map(constant).collect::<Result<Vec<i64>, Refusal>>()?;
    let index = match position(&var.dimensions, indices) {
        None => return refuse(format!("it reads a cell that `{}` does not have", var.name)),
        Some(index) => (!var.dimensions.is_empty()).then_some(index),
    };
    let cell = index.map_or(String::new(), |i| format!(" !{i}"));
    let (label, name) = match agent {
        Some(agent) => (format!("ASSIGN !{agent} !\"{}\"{cell}", var.name), format!("{}_{agent}", var.name)),
        None => (format!("SHARED !\"{}\"{cell}", var.name), var.name.clone()),
    };
    let name = index.map_or(name.clone(), |i| format!("{name}_{i}"));
    Ok((CellKey { var: place.var.0, agent, index }, Cell { name, label }))
}

struct Writer<'a> {
    program: &'a Program,
    cells: &'a BTreeMap<CellKey, Cell>,
}

impl Writer<'_> {
    fn condition(&self, e: &Expr) -> Result<String, Refusal> {
        Ok(match e {
            Expr::Const(n) => if *n != 0 { "true" } else { "false" }.to_string(),
            Expr::And(parts) => self.junction(parts, "and", "true")?,
            Expr::Or(parts) => self.junction(parts, "or", "false")?,
            Expr::Unary(UnaryOp::Not, e) => format!("(not {})", self.condition(e)?),
            Expr::Binary(BinaryOp::And, a, b, _) => {
                format!("({} and {})", self.condition(a)?, self.condition(b)?)
            }
            Expr::Binary(BinaryOp::Or, a, b, _) => {
                format!("({} or {})", self.condition(a)?, self.condition(b)?)
            }
            Expr::Binary(op, a, b, _) if op.is_comparison() => {
                let test = self.cases(*op, a, b)?;
                let defined = [a, b].into_iter().filter(|e| may_be_undefined(self.program, e));
                let mut parts = defined.map(|e| self.defined(e)).collect::<Result<Vec<_>, _>>()?;
                if parts.is_empty() {
                    return Ok(test);
                }
                parts.push(test);
                format!("({})", parts.join(" and "))
            }
            Expr::Defined(e) => self.defined(e)?,
            Expr::If(c, a, b) => {
                let (c, a, b) = (self.condition(c)?, self.condition(a)?, self.condition(b)?);
                format!("(({c} and {a}) or ((not {c}) and {b}))")
            }
            // A number as a condition: anything but 0.
            other => self.cases(BinaryOp::Ne, other, &Expr::Const(0))?,
        })
    }

    fn junction(&self, parts: &[Expr], word: &str, nothing: &str) -> Result<String, Refusal> {
        let parts = parts.iter().map(|p| self.condition(p)).collect::<Result<Vec<_>, _>>()?;
        Ok(match parts.len() {
            0 => nothing.to_string(),
            1 => parts[0].clone(),
            _ => format!("({})", parts.join(&format!(" {word} "))),
        })
    }

    /// Says that a number is not ⊥: none of the cells it is made of is.
    fn defined(&self, e: &Expr) -> Result<String, Refusal> {
        let mut cells = vec![];
        let mut divides = false;
        e.walk(&mut |e| match e {
            Expr::Read(place) if self.program.var(place.var).may_be_undef => cells.push(place),
            Expr::Const(UNDEF) | Expr::If(..) => divides = true,
            _ => {}
        });
        if divides {
            return refuse("it requires an expression to be defined, which MCL cannot express");
        }
        let parts = cells.into_iter().map(|p| Ok(format!("({} <> -2147483647)", self.cell(p)?)));
        let parts = parts.collect::<Result<Vec<_>, Refusal>>()?;
        Ok(match parts.len() {
            0 => "true".to_string(),
            1 => parts[0].clone(),
            _ => format!("({})", parts.join(" and ")),
        })
    }

    fn cell(&self, place: &Place) -> Result<&str, Refusal> {
        let (key, _) = key(self.program, place)?;
        match self.cells.get(&key) {
            Some(cell) => Ok(&cell.name),
            None => refuse("it reads a cell without a label"),
        }
    }

    /// A comparison, one case per way in which the conditional parts of its operands can go.
    fn cases(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Result<String, Refusal> {
        let (a, b) = (self.number(a)?, self.number(b)?);
        if a.len().saturating_mul(b.len()) > CASES {
            return refuse("a comparison has too many cases");
        }
        let sign = match op {
            BinaryOp::Eq => "=",
            BinaryOp::Ne => "<>",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            _ => ">=",
        };
        let mut out = vec![];
        for (when, x) in &a {
            for (and, y) in &b {
                let mut parts: Vec<String> = when.iter().chain(and).cloned().collect();
                parts.push(format!("({x} {sign} {y})"));
                out.push(match parts.len() {
                    1 => parts.remove(0),
                    _ => format!("({})", parts.join(" and ")),
                });
            }
        }
        Ok(match out.len() {
            1 => out.remove(0),
            _ => format!("({})", out.join(" or ")),
        })
    }

    /// A number as a list of cases: conditions, and what it is when they hold. Exactly one case holds.
    fn number(&self, e: &Expr) -> Result<Vec<(Vec<String>, String)>, Refusal> {
        let one = |text: String| Ok(vec![(vec![], text)]);
        match e {
            Expr::Const(UNDEF) => refuse("it contains the undefined value"),
            Expr::Const(n) if *n < 0 => one(format!("(-{})", n.unsigned_abs())),
            Expr::Const(n) => one(n.to_string()),
            Expr::Read(place) => one(self.cell(place)?.to_string()),
            Expr::Unary(UnaryOp::Neg, e) => {
                self.combine(self.number(e)?, vec![(vec![], String::new())], |x, _| format!("(0 - {x})"))
            }
            Expr::Unary(UnaryOp::Abs, e) => {
                let negative = Expr::Unary(UnaryOp::Neg, e.clone());
                self.either(BinaryOp::Ge, e, &Expr::Const(0), e, &negative)
            }
            Expr::Binary(BinaryOp::Min, a, b, _) => self.either(BinaryOp::Le, a, b, a, b),
            Expr::Binary(BinaryOp::Max, a, b, _) => self.either(BinaryOp::Ge, a, b, a, b),
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), a, b, _) => {
                let sign = match op {
                    BinaryOp::Add => "+",
                    BinaryOp::Sub => "-",
                    _ => "*",
                };
                self.combine(self.number(a)?, self.number(b)?, |x, y| format!("({x} {sign} {y})"))
            }
            Expr::If(c, a, b) => self.split(self.condition(c)?, a, b),
            Expr::Binary(BinaryOp::Div | BinaryOp::Mod | BinaryOp::Round, ..) => {
                refuse("it divides, and MCL does not define division of negative numbers")
            }
            other => self.split(self.condition(other)?, &Expr::Const(1), &Expr::Const(0)),
        }
    }

    fn combine(
        &self,
        a: Vec<(Vec<String>, String)>,
        b: Vec<(Vec<String>, String)>,
        join: impl Fn(&str, &str) -> String,
    ) -> Result<Vec<(Vec<String>, String)>, Refusal> {
        if a.len().saturating_mul(b.len()) > CASES {
            return refuse("a number has too many cases");
        }
        let pairs = a.iter().flat_map(|x| b.iter().map(move |y| (x, y)));
        Ok(pairs
            .map(|((when, x), (and, y))| (when.iter().chain(and).cloned().collect(), join(x, y)))
            .collect())
    }

    fn either(
        &self,
        op: BinaryOp,
        a: &Expr,
        b: &Expr,
        yes: &Expr,
        no: &Expr,
    ) -> Result<Vec<(Vec<String>, String)>, Refusal> {
        self.split(self.cases(op, a, b)?, yes, no)
    }

    fn split(&self, condition: String, yes: &Expr, no: &Expr) -> Result<Vec<(Vec<String>, String)>, Refusal> {
        let mut out = vec![];
        for (test, e) in [(condition.clone(), yes), (format!("(not {condition})"), no)] {
            for (mut when, x) in self.number(e)? {
                when.insert(0, test.clone());
                out.push((when, x));
            }
        }
        if out.len() > CASES {
            return refuse("a number has too many cases");
        }
        Ok(out)
    }
}
