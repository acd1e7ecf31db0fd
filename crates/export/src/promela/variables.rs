//! The variables of a program in Promela: names, types, and where the copy of each agent lies.
//!
//! Types are as narrow as the ranges of the values allow. A variable whose range is not known is an `int` whose
//! assignments are checked, so that a number that is too large is noticed.

use super::names::Names;
use super::text::text;
use crate::Refusal;
use crate::term::Term;
use crate::total::{Cells, Known, Total, spans};
use swarmcheck_ir::{BinaryOp, Expr, Place, Program, VarId};
use swarmcheck_passes::ranges::{Range, ranges};

/// The largest number in expressions; C's `int` has 32 bits, and ⊥ needs one number for itself.
const MOST: i64 = 2_147_483_646;
/// The largest number in variables whose range is not known.
const MOST_STORED: i64 = 1_000_000_000;

struct Variable {
    name: String,
    /// The first agent that has a copy.
    first: u32,
    /// Cells per copy.
    cells: u32,
    /// All cells; `None` for a scalar.
    length: Option<u32>,
    /// Bounds after the initial block.
    known: Known,
    /// Bounds in the initial block.
    early: Known,
    /// Its range is not known: what is assigned must be checked.
    checked: bool,
}

/// All variables, seen by the initial block or by what comes after it.
pub(super) struct Variables {
    all: Vec<Variable>,
    /// Whether the initial block is being written.
    pub(super) start: bool,
}

impl Variables {
    /// Names and bounds.
    pub(super) fn new(program: &Program, names: &mut Names) -> Variables {
        let found = ranges(program);
        let start = found.at_start(program);
        let mut all = vec![];
        for (number, var) in program.vars.iter().enumerate() {
            let id = VarId(number as u32);
            let owners = spans(program, var.owners.as_deref().unwrap_or(&[]));
            let first = owners.first().map_or(0, |s| s.0);
            let copies = match var.owners {
                None => 1,
                Some(_) => owners.last().map_or(0, |s| s.1 + 1 - first),
            };
            let cells = var.cells() as u32;
            let place = Place {
                var: id,
                agent: var.owners.is_some().then(|| Box::new(Expr::Const(i64::from(first)))),
                index: var.dimensions.iter().map(|_| Expr::Const(0)).collect(),
                span: Default::default(),
            };
            let (late, early) = (found.value(id), start.eval(&Expr::Read(place)).range);
            let (known, early) = (known(&late), with_zero(known(&early)));
            let outside = |k: &Known| k.bounds.0 < -MOST_STORED || k.bounds.1 > MOST_STORED;
            let checked = outside(&known) || outside(&early);
            all.push(Variable {
                name: names.fresh(&var.name),
                first,
                cells,
                length: (copies * cells != 1).then_some(copies * cells),
                known: clamped(known),
                early: clamped(early),
                checked,
            });
        }
        Variables { all, start: false }
    }

    /// The declaration of a variable; `None` if no agent has a copy.
    pub(super) fn declaration(&self, var: VarId) -> Option<String> {
        let v = self.get(var);
        let (lo, hi) = (v.known.bounds.0.min(v.early.bounds.0), v.known.bounds.1.max(v.early.bounds.1));
        let kind = match (lo, hi) {
            _ if v.known.undef || v.early.undef || v.checked => "int",
            // Spin stores arrays of bits as bytes anyway, and warns.
            (0, 0 | 1) if v.length.is_none() => "bit",
            (0..=255, 0..=255) => "byte",
            (-32768..=32767, -32768..=32767) => "short",
            _ => "int",
        };
        match v.length {
            Some(0) => None,
            None => Some(format!("{kind} {};", v.name)),
            Some(length) => Some(format!("{kind} {}[{length}];", v.name)),
        }
    }

    fn get(&self, var: VarId) -> &Variable {
        &self.all[var.0 as usize]
    }

    /// When a value cannot be stored in a variable.
    pub(super) fn does_not_fit(&self, var: VarId, value: &Total) -> Term {
        let (lo, hi) = value.bounds;
        if !self.get(var).checked || (lo >= -MOST_STORED && hi <= MOST_STORED) {
            return Term::FALSE;
        }
        let outside = Term::any([
            Term::compare(BinaryOp::Lt, value.value.clone(), Term::Number(-MOST_STORED)),
            Term::compare(BinaryOp::Gt, value.value.clone(), Term::Number(MOST_STORED)),
        ]);
        Term::all([Term::not(value.undefined.clone()), outside])
    }

    /// The number of cells.
    pub(super) fn cells(&self, var: VarId) -> u32 {
        self.get(var).cells
    }

    /// The largest value an order variable can have at any time.
    pub(super) fn top(&self, var: VarId) -> i64 {
        self.get(var).known.bounds.1.max(self.get(var).early.bounds.1)
    }

    /// The text of a cell.
    pub(super) fn cell(&self, var: VarId, agent: Option<&Term>, cell: &Term) -> String {
        text(&self.term(var, agent, cell))
    }

    fn term(&self, var: VarId, agent: Option<&Term>, cell: &Term) -> Term {
        let v = self.get(var);
        if v.length.is_none() {
            return Term::Name(v.name.clone());
        }
        let index = match agent {
            None => cell.clone(),
            Some(agent) => {
                let place = Term::binary(BinaryOp::Sub, agent.clone(), Term::Number(i64::from(v.first)));
                let row = Term::binary(BinaryOp::Mul, place, Term::Number(i64::from(v.cells)));
                Term::binary(BinaryOp::Add, row, cell.clone())
            }
        };
        Term::Cell(v.name.clone(), Box::new(index))
    }
}

impl Cells for Variables {
    fn read(&self, var: VarId, agent: Option<&Term>, cell: &Term) -> Result<Term, Refusal> {
        Ok(self.term(var, agent, cell))
    }

    fn known(&self, var: VarId) -> Known {
        let v = self.get(var);
        if self.start { v.early } else { v.known }
    }

    fn undefined(&self) -> Term {
        Term::Name("UNDEF".to_string())
    }

    fn limits(&self) -> (i64, i64) {
        (-MOST, MOST)
    }
}

/// What ranges say, or that nothing is known.
fn known(range: &Range) -> Known {
    let bounds = match &range.values {
        Some(values) => match (values.first(), values.last()) {
            (Some(lo), Some(hi)) => (*lo, *hi),
            _ => (0, 0),
        },
        None => (range.lo.unwrap_or(i64::MIN), range.hi.unwrap_or(i64::MAX)),
    };
    Known { bounds, undef: range.undef }
}

/// Cells start with 0.
fn with_zero(known: Known) -> Known {
    Known { bounds: (known.bounds.0.min(0), known.bounds.1.max(0)), ..known }
}

fn clamped(known: Known) -> Known {
    let clamp = |n: i64| n.clamp(-MOST_STORED, MOST_STORED);
    Known { bounds: (clamp(known.bounds.0), clamp(known.bounds.1)), ..known }
}
