//! Cells in arrays over agents, as the sequential program keeps them.

use super::expr::{Exprs, Places, refuse};
use super::shape::{Storage, VarLayout};
use crate::Refusal;
use swarmcheck_ir::{BinaryOp, Expr, Place, VarId};
use swarmcheck_logic::expand::agents;

pub(crate) struct Arrays<'a> {
    /// The shapes of all variables.
    pub shapes: &'a [VarLayout],
}

/// A natural number, as a literal where it is known.
#[derive(Clone)]
enum Natural {
    Known(u64),
    /// A name or a call.
    Atom(String),
    /// A sum or a product.
    Open(String),
}

impl Natural {
    fn text(&self) -> String {
        match self {
            Natural::Known(n) => n.to_string(),
            Natural::Atom(text) | Natural::Open(text) => text.clone(),
        }
    }

    fn operand(&self) -> String {
        match self {
            Natural::Open(text) => format!("({text})"),
            other => other.text(),
        }
    }

    fn times(self, by: u64) -> Natural {
        match self {
            Natural::Known(n) => Natural::Known(n * by),
            text if by == 1 => text,
            text => Natural::Open(format!("{} * {by}", text.operand())),
        }
    }

    fn plus(self, other: Natural) -> Natural {
        match (self, other) {
            (Natural::Known(a), Natural::Known(b)) => Natural::Known(a + b),
            (Natural::Known(0), text) | (text, Natural::Known(0)) => text,
            (a, b) => Natural::Open(format!("{} + {}", a.operand(), b.operand())),
        }
    }

    fn minus(self, by: u64) -> Natural {
        match self {
            Natural::Known(n) => Natural::Known(n.saturating_sub(by)),
            text if by == 0 => text,
            text => Natural::Open(format!("{} - {by}", text.operand())),
        }
    }
}

impl Arrays<'_> {
    pub(crate) fn shape(&self, var: VarId) -> Result<&VarLayout, Refusal> {
        self.shapes
            .get(var.0 as usize)
            .ok_or_else(|| Refusal { why: "a variable is not declared".to_string() })
    }

    /// A cell that can be read and assigned.
    pub(crate) fn cell(&self, exprs: &Exprs<'_>, place: &Place) -> Result<String, Refusal> {
        let shape = self.shape(place.var)?;
        let cell = cell_within(exprs, place)?;
        let index = match &shape.kind {
            Storage::Scalar => return Ok(shape.name.clone()),
            Storage::Table { .. } => cell,
            Storage::Cells { cells, .. } => {
                self.owner(exprs, place.var, place.agent.as_deref())?.times(u64::from(*cells)).plus(cell)
            }
            Storage::Absent => return refuse(format!("nobody has `{}`", shape.name)),
            Storage::Times { .. } => return refuse("a timestamp is used as a number"),
        };
        Ok(format!("{}[{}]", shape.name, index.text()))
    }

    /// The same for cell number `cell` of a variable, counted from 0 over all dimensions.
    pub(crate) fn numbered(
        &self,
        exprs: &Exprs<'_>,
        var: VarId,
        agent: Option<&Expr>,
        cell: &str,
    ) -> Result<String, Refusal> {
        let shape = self.shape(var)?;
        let cell = match cell.parse() {
            Ok(number) => Natural::Known(number),
            Err(_) => Natural::Atom(cell.to_string()),
        };
        let index = match &shape.kind {
            Storage::Cells { cells, .. } => {
                self.owner(exprs, var, agent)?.times(u64::from(*cells)).plus(cell)
            }
            Storage::Table { .. } => cell,
            Storage::Scalar => return Ok(shape.name.clone()),
            _ => return refuse(format!("nobody has `{}`", shape.name)),
        };
        Ok(format!("{}[{}]", shape.name, index.text()))
    }

    /// The position of an agent in the array of a variable.
    fn owner(&self, exprs: &Exprs<'_>, var: VarId, agent: Option<&Expr>) -> Result<Natural, Refusal> {
        let Some(agent) = agent else {
            return refuse("the owner of a variable is missing");
        };
        let (Storage::Cells { first, .. } | Storage::Times { first, .. }) = self.shape(var)?.kind else {
            return refuse("a variable without an owner");
        };
        let known = matches!(agent, Expr::Me | Expr::Bound(_) | Expr::Const(_));
        let owners = exprs.program.var(var).owners.as_ref().map(|kinds| agents(exprs.program, kinds));
        let everybody = owners.as_ref().is_some_and(|o| o.len() as u32 == exprs.program.agents());
        if !known && !everybody {
            return refuse(format!(
                "a computed agent may not have `{}`, and LNT would not report it",
                exprs.program.var(var).name
            ));
        }
        let number = match exprs.agent(agent)? {
            Ok(number) if owners.is_some_and(|o| !o.contains(&number)) => {
                return refuse(format!("agent {number} does not have `{}`", exprs.program.var(var).name));
            }
            Ok(number) => Natural::Known(u64::from(number)),
            Err(text) => Natural::Atom(text),
        };
        Ok(number.minus(u64::from(first)))
    }

    /// Two agents' positions among those that have timestamps of a tuple, and how many there are.
    pub(crate) fn pair(
        &self,
        exprs: &Exprs<'_>,
        var: VarId,
        agents: [Option<&Expr>; 2],
    ) -> Result<(String, String, u32), Refusal> {
        let Storage::Times { agents: n, .. } = self.shape(var)?.kind else {
            return refuse("a variable that holds no timestamps");
        };
        let [a, b] = agents;
        Ok((self.owner(exprs, var, a)?.operand(), self.owner(exprs, var, b)?.operand(), n))
    }
}

/// The number of a cell inside an agent's copy, as text.
pub(crate) fn within(exprs: &Exprs<'_>, place: &Place) -> Result<String, Refusal> {
    Ok(cell_within(exprs, place)?.text())
}

fn cell_within(exprs: &Exprs<'_>, place: &Place) -> Result<Natural, Refusal> {
    let dimensions = &exprs.program.var(place.var).dimensions;
    let mut at = Natural::Known(0);
    for (index, &dimension) in place.index.iter().zip(dimensions) {
        let index = exprs.index(index, dimension)?;
        let index = index.parse().map_or(Natural::Atom(index), Natural::Known);
        at = at.times(u64::from(dimension)).plus(index);
    }
    Ok(at)
}

/// The test of a relation that corresponds to a comparison.
pub(crate) fn relation(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Lt => "== LESS",
        BinaryOp::Gt => "== GREATER",
        BinaryOp::Le => "<> GREATER",
        BinaryOp::Ge => "<> LESS",
        BinaryOp::Ne => "<> SAME",
        _ => "== SAME",
    }
}

impl Places for Arrays<'_> {
    fn read(&self, exprs: &Exprs<'_>, place: &Place) -> Result<String, Refusal> {
        self.cell(exprs, place)
    }

    fn compare(&self, exprs: &Exprs<'_>, op: BinaryOp, a: &Place, b: &Place) -> Result<String, Refusal> {
        if a.var != b.var {
            return refuse("timestamps of two tuples are compared");
        }
        let (x, y, n) = self.pair(exprs, a.var, [a.agent.as_deref(), b.agent.as_deref()])?;
        Ok(format!("{}[({x} * {n}) + {y}] {}", self.shape(a.var)?.name, relation(op)))
    }

    fn is_time(&self, place: &Place) -> bool {
        matches!(self.shapes.get(place.var.0 as usize), Some(VarLayout { kind: Storage::Times { .. }, .. }))
    }
}
