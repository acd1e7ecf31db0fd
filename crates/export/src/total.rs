//! Expressions of the emulation program as terms that languages without ⊥ and without errors can say.
//!
//! An expression becomes three terms: when it is ⊥, when evaluating it goes wrong (a cell that does not exist, a number
//! too large for the target), and its value where neither is the case. Most expressions are never ⊥ and cannot go wrong:
//! bounds are worked out along the way, and then the two conditions are the constant false and vanish from the text.

mod bounds;

pub(crate) use bounds::spans;

use crate::term::Term;
use crate::{Refusal, refuse};
use bounds::{member, outside, range, too_large};
use swarmcheck_ir::{
    BinaryOp, Expr, Interval, KindId, LocalId, Place, Program, Quantifier, UNDEF, UnaryOp, VarId,
};

/// An expression, made total.
#[derive(Clone, Debug)]
pub(crate) struct Total {
    pub(crate) value: Term,
    /// When it is ⊥.
    pub(crate) undefined: Term,
    /// When evaluating it is an error of the model, or beyond the target.
    pub(crate) wrong: Term,
    /// Bounds of the value.
    pub(crate) bounds: (i64, i64),
    /// If it is the number of an agent: of which ones, as ranges with both ends.
    pub(crate) agents: Option<Vec<(u32, u32)>>,
}

impl Total {
    /// A value that always is one.
    pub(crate) fn sure(value: Term, bounds: (i64, i64)) -> Total {
        Total { value, undefined: Term::FALSE, wrong: Term::FALSE, bounds, agents: None }
    }

    /// A condition that always is one.
    fn condition(value: Term) -> Total {
        Total::sure(value, (0, 1))
    }

    /// The number of an agent of these kinds.
    pub(crate) fn agent(program: &Program, value: Term, kinds: &[KindId]) -> Total {
        let agents = spans(program, kinds);
        let lo = agents.first().map_or(0, |s| i64::from(s.0));
        let hi = agents.last().map_or(0, |s| i64::from(s.1));
        Total { agents: Some(agents), ..Total::sure(value, (lo, hi)) }
    }

    /// Whether a condition holds: ⊥ is not 0, as in the execution of the program.
    pub(crate) fn truth(self) -> Term {
        Term::any([self.undefined, self.value.truth()])
    }

    /// The value to store: ⊥ as what stands for it.
    pub(crate) fn stored(self, undefined: Term) -> Term {
        Term::choice(self.undefined, undefined, self.value)
    }
}

/// What is known of a variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    /// Bounds of its integers.
    pub(crate) bounds: (i64, i64),
    /// Whether it can be ⊥.
    pub(crate) undef: bool,
}

/// How a target names cells, and which numbers it has.
pub(crate) trait Cells {
    /// The content of a cell: whose copy, and which cell of an array, row-major. Both exist.
    fn read(&self, var: VarId, agent: Option<&Term>, cell: &Term) -> Result<Term, Refusal>;
    /// The values that the variable can have.
    fn known(&self, var: VarId) -> Known;
    /// The encoding of ⊥ in cells and locals.
    fn undefined(&self) -> Term;
    /// The smallest and the largest number; what stands for ⊥ lies outside.
    fn limits(&self) -> (i64, i64);
}

/// A local of a function.
#[derive(Clone, Debug)]
pub(crate) struct LocalValue {
    /// What reading a scalar gives.
    pub(crate) scalar: Total,
    /// For an array: its name and length.
    pub(crate) array: Option<(String, u32)>,
    /// For an array without a name: what its cells are.
    pub(crate) cells: Vec<Total>,
}

/// Where an expression stands.
pub(crate) struct Scope<'a> {
    pub(crate) program: &'a Program,
    /// The names of cells.
    pub(crate) cells: &'a dyn Cells,
    /// The agent that runs the function, if one does.
    pub(crate) me: Option<Total>,
    /// Bound agents; the last binding of an index counts.
    pub(crate) bound: Vec<(u32, Total)>,
    /// The locals of the function.
    pub(crate) locals: Vec<LocalValue>,
}

/// Larger terms are refused: quantifiers are written out, and no tool reads megabytes in one line.
const LARGEST: usize = 50_000;

impl Scope<'_> {
    /// The condition or number.
    pub(crate) fn total(&mut self, e: &Expr) -> Result<Total, Refusal> {
        let found = self.open(e)?;
        if found.value.size() + found.undefined.size() + found.wrong.size() > LARGEST {
            return refuse("an expression over all agents is too large to be written out: use fewer agents");
        }
        Ok(found)
    }

    fn open(&mut self, e: &Expr) -> Result<Total, Refusal> {
        Ok(match e {
            Expr::Const(UNDEF) => Total { undefined: Term::TRUE, ..Total::sure(Term::Number(0), (0, 0)) },
            Expr::Const(v) => {
                let (least, most) = self.cells.limits();
                if *v < least || *v > most {
                    return refuse(&format!("the number {v} is too large for the target"));
                }
                Total::sure(Term::Number(*v), (*v, *v))
            }
            Expr::Me => match &self.me {
                Some(me) => me.clone(),
                None => return refuse("an expression outside of any agent refers to the acting agent"),
            },
            Expr::Bound(b) => match self.bound.iter().rev().find(|(bound, _)| bound == b) {
                Some((_, agent)) => agent.clone(),
                None => return refuse("an expression refers to an agent that is not bound"),
            },
            Expr::Local(l) => self.local(*l)?.scalar.clone(),
            Expr::LocalCell(l, index, _) => self.local_cell(*l, index)?,
            Expr::Read(place) => self.read(place)?,
            Expr::Unary(op, e) => self.unary(*op, e)?,
            Expr::Binary(op, a, b, _) => {
                let (a, b) = (self.open(a)?, self.open(b)?);
                self.binary(*op, a, b)
            }
            Expr::And(parts) => {
                let parts = parts.iter().map(|p| self.total(p)).collect::<Result<Vec<_>, _>>()?;
                junction(parts, true)
            }
            Expr::Or(parts) => {
                let parts = parts.iter().map(|p| self.total(p)).collect::<Result<Vec<_>, _>>()?;
                junction(parts, false)
            }
            Expr::If(c, a, b) => {
                let (c, a, b) = (self.total(c)?, self.total(a)?, self.total(b)?);
                let (wrong, holds) = (c.wrong.clone(), c.truth());
                let wrong = Term::any([wrong, Term::choice(holds.clone(), a.wrong, b.wrong)]);
                Total {
                    value: Term::choice(holds.clone(), a.value, b.value),
                    undefined: Term::choice(holds, a.undefined, b.undefined),
                    wrong,
                    bounds: (a.bounds.0.min(b.bounds.0), a.bounds.1.max(b.bounds.1)),
                    agents: None,
                }
            }
            // What goes wrong inside counts as defined.
            Expr::Defined(e) => {
                let e = self.total(e)?;
                Total::condition(Term::any([e.wrong, Term::not(e.undefined)]))
            }
            Expr::Quantified(quantifier, kinds, bound, body) => {
                self.quantified(*quantifier, kinds, *bound, body)?
            }
        })
    }

    fn local(&self, local: LocalId) -> Result<&LocalValue, Refusal> {
        match self.locals.get(local.0 as usize) {
            Some(local) => Ok(local),
            None => refuse("an expression reads a local that its function does not have"),
        }
    }

    fn local_cell(&mut self, local: LocalId, index: &Expr) -> Result<Total, Refusal> {
        let index = self.total(index)?;
        let (name, length, scalar) = match self.local(local)?.clone() {
            LocalValue { scalar, array: Some((name, length)), .. } => (name, length, scalar),
            LocalValue { cells, .. } if !cells.is_empty() => return Ok(looked_up(&index, cells)),
            _ => return refuse("a scalar local is read as an array"),
        };
        let outside = outside(&index, i64::from(length));
        Ok(Total {
            value: Term::Cell(name, Box::new(index.value)),
            undefined: index.undefined.clone(),
            wrong: Term::any([index.wrong, Term::all([Term::not(index.undefined), outside])]),
            ..scalar
        })
    }

    /// A place: the term for it, when an index is ⊥, and when it does not exist. Things are looked at in this order: the
    /// agent, the indices, whether one of them is ⊥, whether the agent has the variable, whether the cell exists.
    pub(crate) fn place(&mut self, place: &Place) -> Result<Total, Refusal> {
        let var = self.program.var(place.var);
        let owners = spans(self.program, var.owners.as_deref().unwrap_or(&[]));
        let dimensions = var.dimensions.clone();
        let mut undefined = vec![];
        let mut wrong = vec![];
        let mut missing = vec![];
        let agent = match &place.agent {
            None => None,
            Some(e) => {
                let agent = self.total(e)?;
                missing.push(Term::not(member(&agent, &owners)));
                undefined.push(agent.undefined);
                wrong.push(agent.wrong);
                Some(agent.value)
            }
        };
        let mut cell = Term::Number(0);
        for (e, dimension) in place.index.iter().zip(dimensions) {
            let index = self.total(e)?;
            missing.push(outside(&index, i64::from(dimension)));
            undefined.push(index.undefined);
            wrong.push(index.wrong);
            let row = Term::binary(BinaryOp::Mul, cell, Term::Number(i64::from(dimension)));
            cell = Term::binary(BinaryOp::Add, row, index.value);
        }
        let undefined = Term::any(undefined);
        let missing = Term::all([Term::not(undefined.clone()), Term::any(missing)]);
        let value = self.cells.read(place.var, agent.as_ref(), &cell)?;
        wrong.push(missing);
        let known = self.cells.known(place.var);
        Ok(Total { value, undefined, wrong: Term::any(wrong), bounds: known.bounds, agents: None })
    }

    fn read(&mut self, place: &Place) -> Result<Total, Refusal> {
        let mut found = self.place(place)?;
        if self.cells.known(place.var).undef {
            let empty = Term::compare(BinaryOp::Eq, found.value.clone(), self.cells.undefined());
            found.undefined = Term::any([found.undefined, empty]);
        }
        Ok(found)
    }

    fn unary(&mut self, op: UnaryOp, e: &Expr) -> Result<Total, Refusal> {
        let e = self.open(e)?;
        let (lo, hi) = e.bounds;
        Ok(match op {
            UnaryOp::Not => {
                let value = Term::all([Term::not(e.undefined), Term::not(e.value.truth())]);
                Total { wrong: e.wrong, ..Total::condition(value) }
            }
            // The limits are symmetric, so neither can become too large.
            UnaryOp::Neg => Total { value: Term::minus(e.value), bounds: (-hi, -lo), agents: None, ..e },
            UnaryOp::Abs if lo >= 0 => e,
            UnaryOp::Abs => {
                let least = if hi < 0 { -hi } else { 0 };
                let bounds = (least, hi.max(-lo));
                Total { value: Term::absolute(e.value), bounds, agents: None, ..e }
            }
        })
    }

    fn binary(&self, op: BinaryOp, a: Total, b: Total) -> Total {
        let wrong = Term::any([a.wrong.clone(), b.wrong.clone()]);
        let mut undefined = Term::any([a.undefined.clone(), b.undefined.clone()]);
        if op.is_comparison() {
            let value = Term::compare(op, a.value, b.value);
            return Total { wrong, ..Total::condition(Term::all([Term::not(undefined), value])) };
        }
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            let sides = [a.value.truth(), b.value.truth()];
            let value = if op == BinaryOp::And { Term::all(sides) } else { Term::any(sides) };
            return Total { undefined, wrong, ..Total::condition(value) };
        }
        if matches!(op, BinaryOp::Div | BinaryOp::Mod | BinaryOp::Round)
            && (b.bounds.0..=b.bounds.1).contains(&0)
        {
            let zero = Term::compare(BinaryOp::Eq, b.value.clone(), Term::Number(0));
            undefined = Term::any([undefined, zero]);
        }
        let (least, most) = self.cells.limits();
        let Interval { lo, hi } = range(op, a.bounds, b.bounds);
        let mut wrongs = vec![wrong];
        if lo < i128::from(least) || hi > i128::from(most) {
            let large = too_large(op, &a.value, &b.value, least, most);
            wrongs.push(Term::all([Term::not(undefined.clone()), large]));
        }
        let clamp = |n: i128| n.clamp(i128::from(least), i128::from(most)) as i64;
        let plain = op == BinaryOp::Mod && a.bounds.0 >= 0 && b.bounds.0 > 0;
        let value = match Term::binary(op, a.value, b.value) {
            Term::Binary(_, a, b) if plain => Term::Rest(a, b),
            value => value,
        };
        Total { value, undefined, wrong: Term::any(wrongs), bounds: (clamp(lo), clamp(hi)), agents: None }
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        kinds: &[KindId],
        bound: u32,
        body: &Expr,
    ) -> Result<Total, Refusal> {
        let mut parts = vec![];
        let mut size = 0;
        for agent in spans(self.program, kinds).into_iter().flat_map(|(first, last)| first..=last) {
            let kind = self.program.kind_of(agent);
            let mut it = Total::agent(self.program, Term::Number(i64::from(agent)), &[kind]);
            it.bounds = (i64::from(agent), i64::from(agent));
            self.bound.push((bound, it));
            let part = self.total(body);
            self.bound.pop();
            let part = part?;
            size += part.value.size() + part.wrong.size();
            if size > LARGEST {
                return refuse(
                    "an expression over all agents is too large to be written out: use fewer agents",
                );
            }
            parts.push(part);
        }
        Ok(match quantifier {
            Quantifier::Forall => junction(parts, true),
            Quantifier::Exists => {
                // Unlike a disjunction, a quantifier takes ⊥ for true.
                let whole = |p: Total| Total { wrong: p.wrong.clone(), ..Total::condition(p.truth()) };
                junction(parts.into_iter().map(whole).collect(), false)
            }
            Quantifier::Count => {
                let most = parts.len() as i64;
                let wrong = Term::any(parts.iter().map(|p| p.wrong.clone()));
                let one = |p: Total| p.truth();
                let sum = parts.into_iter().map(one);
                let value = sum.fold(Term::Number(0), |sum, t| Term::binary(BinaryOp::Add, sum, t));
                Total { wrong, ..Total::sure(value, (0, most)) }
            }
        })
    }
}

/// All conditions, or one of them, evaluated from the left: what goes wrong counts only if it is evaluated.
fn junction(parts: Vec<Total>, all: bool) -> Total {
    let mut wrong = Term::FALSE;
    for part in parts.iter().rev() {
        let on = match all {
            true => part.clone().truth(),
            false => Term::not(part.value.clone().truth()),
        };
        wrong = Term::any([part.wrong.clone(), Term::all([on, wrong])]);
    }
    let value = match all {
        true => Term::all(parts.into_iter().map(Total::truth)),
        false => Term::any(parts.into_iter().map(|p| Term::all([Term::not(p.undefined), p.value.truth()]))),
    };
    Total { wrong, ..Total::condition(value) }
}

/// The cell of an array whose cells are terms.
fn looked_up(index: &Total, cells: Vec<Total>) -> Total {
    let outside = outside(index, cells.len() as i64);
    let bounds = cells.iter().fold((i64::MAX, i64::MIN), |b, c| (b.0.min(c.bounds.0), b.1.max(c.bounds.1)));
    let mut value = Term::Number(0);
    let mut undefined = Term::FALSE;
    for (number, cell) in cells.into_iter().enumerate().rev() {
        let here = Term::compare(BinaryOp::Eq, index.value.clone(), Term::Number(number as i64));
        value = Term::choice(here.clone(), cell.value, value);
        undefined = Term::choice(here, cell.undefined, undefined);
    }
    Total {
        value,
        undefined: Term::any([index.undefined.clone(), undefined]),
        wrong: Term::any([index.wrong.clone(), Term::all([Term::not(index.undefined.clone()), outside])]),
        bounds,
        agents: None,
    }
}
