//! What values a term can have, and whether it can fault, when only bounds of the slots are known.
//!
//! Interval arithmetic over 128 bits, so that nothing overflows on the way. The result is an over-approximation: every
//! value that the term has in some state within the bounds lies within the result.

use crate::arith::{UNDEF, Value};
use crate::expr::{BinaryOp, UnaryOp};
use crate::flat::Layout;
use crate::ground::{Dynamic, Term};

/// The largest number of cells that are looked at for a place that is computed.
const CELLS: u32 = 64;

/// A number from `lo` to `hi` (none if `lo > hi`), or ⊥, or a fault, as far as the flags allow them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bounds {
    pub(crate) lo: i128,
    pub(crate) hi: i128,
    pub(crate) undef: bool,
    pub(crate) fault: bool,
}

const LEAST: i128 = i64::MIN as i128 + 1;
const MOST: i128 = i64::MAX as i128;

impl Bounds {
    /// Nothing: the neutral element of [`Bounds::hull`].
    pub(crate) const NONE: Bounds = Bounds { lo: MOST, hi: LEAST, undef: false, fault: false };
    /// Any number or ⊥.
    const ANY: Bounds = Bounds { lo: LEAST, hi: MOST, undef: true, fault: false };

    pub(crate) fn exactly(value: Value) -> Bounds {
        match value {
            UNDEF => Bounds { undef: true, ..Bounds::NONE },
            value => Bounds { lo: value.into(), hi: value.into(), ..Bounds::NONE },
        }
    }

    /// The numbers from `lo` to `hi`; those that do not fit 64 bits are a fault.
    fn numbers(lo: i128, hi: i128) -> Bounds {
        let fault = lo < LEAST || hi > MOST;
        Bounds { lo: lo.clamp(LEAST, MOST), hi: hi.clamp(LEAST, MOST), undef: false, fault }
    }

    fn truth(can_be_false: bool, can_be_true: bool) -> Bounds {
        Bounds { lo: i128::from(!can_be_false), hi: i128::from(can_be_true), ..Bounds::NONE }
    }

    pub(crate) fn hull(self, other: Bounds) -> Bounds {
        Bounds {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
            undef: self.undef || other.undef,
            fault: self.fault || other.fault,
        }
    }

    fn is_empty(&self) -> bool {
        self.lo > self.hi
    }

    fn contains(&self, value: i128) -> bool {
        (self.lo..=self.hi).contains(&value)
    }

    /// It is this number, whatever the state.
    pub(crate) fn is(&self, value: i128) -> bool {
        self.lo == value && self.hi == value && !self.undef && !self.fault
    }

    fn size(&self) -> i128 {
        self.lo.abs().max(self.hi.abs())
    }
}

/// The bounds of a term where those of the slots are given.
pub(crate) fn bounds(term: &Term, slot: &dyn Fn(u32) -> Bounds) -> Bounds {
    match term {
        Term::Const(value) => Bounds::exactly(*value),
        Term::Slot(at) => slot(*at),
        Term::Local(_) | Term::LocalCell { .. } => Bounds { fault: true, ..Bounds::ANY },
        Term::Is(at, value) => {
            let (cell, value) = (slot(*at), i128::from(*value));
            Bounds::truth(!cell.is(value), cell.contains(value))
        }
        Term::IsNot(at, value) => {
            let (cell, value) = (slot(*at), i128::from(*value));
            let other = !cell.is_empty() && (cell.lo != value || cell.hi != value);
            Bounds::truth(cell.undef || cell.contains(value), other)
        }
        Term::Compare(op, a, b) => Bounds { fault: false, ..binary(*op, slot(*a), slot(*b)) },
        Term::Table(table) => bounds(table.term(), slot),
        Term::Cell(place) => cell(place, slot),
        Term::Unary(op, e) => unary(*op, bounds(e, slot)),
        Term::Binary(op, sides, _) => binary(*op, bounds(&sides.0, slot), bounds(&sides.1, slot)),
        Term::And(parts) => junction(parts, slot, 0),
        Term::Or(parts) => junction(parts, slot, 1),
        Term::If(parts) => {
            let condition = bounds(&parts.0, slot);
            let mut out = Bounds { fault: condition.fault, ..Bounds::NONE };
            if !condition.is(0) {
                out = out.hull(bounds(&parts.1, slot));
            }
            if condition.contains(0) {
                out = out.hull(bounds(&parts.2, slot));
            }
            out
        }
        Term::Defined(e) => {
            let inner = bounds(e, slot);
            Bounds::truth(inner.undef, !inner.is_empty() || inner.fault)
        }
        Term::Count(parts) => {
            let mut out = Bounds::numbers(0, 0);
            for part in parts {
                let part = bounds(part, slot);
                out.lo += i128::from(part.is(1));
                out.hi += i128::from(part.contains(1));
                out.fault |= part.fault;
            }
            out
        }
    }
}

/// A conjunction is decided by the first part that is 0, a disjunction by the first that is 1.
fn junction(parts: &[Term], slot: &dyn Fn(u32) -> Bounds, decides: i128) -> Bounds {
    let (mut fault, mut open) = (false, false);
    for part in parts {
        let part = bounds(part, slot);
        if part.is(decides) {
            let decided = Bounds::exactly(decides as Value);
            // Parts before it that are not decided do not matter, but their faults do.
            return Bounds { fault, ..decided };
        }
        fault |= part.fault;
        open |= part.contains(decides);
    }
    let other = 1 - decides;
    let (lo, hi) = if open { (0, 1) } else { (other, other) };
    Bounds { lo, hi, undef: false, fault }
}

fn unary(op: UnaryOp, a: Bounds) -> Bounds {
    match op {
        UnaryOp::Not => {
            let nonzero = a.undef || a.fault || a.lo < 0 || a.hi > 0;
            Bounds { fault: a.fault, ..Bounds::truth(nonzero, a.contains(0)) }
        }
        _ if a.is_empty() => a,
        UnaryOp::Neg => Bounds { lo: -a.hi, hi: -a.lo, ..a },
        UnaryOp::Abs => {
            let lo = if a.contains(0) { 0 } else { a.lo.abs().min(a.hi.abs()) };
            Bounds { lo, hi: a.size(), ..a }
        }
    }
}

fn binary(op: BinaryOp, a: Bounds, b: Bounds) -> Bounds {
    let (undef, fault) = (a.undef || b.undef, a.fault || b.fault);
    let none = a.is_empty() || b.is_empty();
    if op.is_comparison() {
        let (yes, no) = if none { (false, true) } else { compare(op, &a, &b) };
        return Bounds { fault, ..Bounds::truth(no || undef, yes) };
    }
    if none {
        return Bounds { undef, fault, ..Bounds::NONE };
    }
    let corners = |f: fn(i128, i128) -> i128| {
        let all = [f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)];
        Bounds::numbers(all.into_iter().min().unwrap_or(LEAST), all.into_iter().max().unwrap_or(MOST))
    };
    let divides = matches!(op, BinaryOp::Div | BinaryOp::Mod | BinaryOp::Round);
    let out = match op {
        BinaryOp::Add => Bounds::numbers(a.lo + b.lo, a.hi + b.hi),
        BinaryOp::Sub => Bounds::numbers(a.lo - b.hi, a.hi - b.lo),
        BinaryOp::Mul => corners(|x, y| x * y),
        BinaryOp::Div if b.lo > 0 => corners(|x, y| x / y),
        BinaryOp::Mod if a.lo >= 0 && a.hi < b.lo => Bounds::numbers(a.lo, a.hi),
        BinaryOp::Mod => Bounds::numbers(0, (b.size() - 1).max(0)),
        // A divisor is at least 1 in size.
        BinaryOp::Div | BinaryOp::Round => Bounds::numbers(-a.size(), a.size()),
        BinaryOp::Min => Bounds::numbers(a.lo.min(b.lo), a.hi.min(b.hi)),
        BinaryOp::Max => Bounds::numbers(a.lo.max(b.lo), a.hi.max(b.hi)),
        _ => Bounds::numbers(0, 1),
    };
    let undef = undef || (divides && b.contains(0));
    Bounds { undef, fault: fault || out.fault, ..out }
}

/// Whether a comparison of numbers can be true, and whether it can be false.
fn compare(op: BinaryOp, a: &Bounds, b: &Bounds) -> (bool, bool) {
    let same = a.lo == a.hi && b.lo == b.hi && a.lo == b.lo;
    let meet = a.lo <= b.hi && b.lo <= a.hi;
    match op {
        BinaryOp::Eq => (meet, !same),
        BinaryOp::Ne => (!same, meet),
        BinaryOp::Lt => (a.lo < b.hi, a.hi >= b.lo),
        BinaryOp::Le => (a.lo <= b.hi, a.hi > b.lo),
        BinaryOp::Gt => (a.hi > b.lo, a.lo <= b.hi),
        BinaryOp::Ge => (a.hi >= b.lo, a.lo < b.hi),
        _ => (true, true),
    }
}

/// A cell that is known only when it is read.
fn cell(place: &Dynamic, slot: &dyn Fn(u32) -> Bounds) -> Bounds {
    let mut out = Bounds::NONE;
    let cells: u32 = place.dimensions.iter().product();
    let mut inside = true;
    for (index, &dimension) in place.index.iter().zip(&place.dimensions) {
        let index = bounds(index, slot);
        out.undef |= index.undef;
        out.fault |= index.fault;
        inside &= index.is_empty() || (index.lo >= 0 && index.hi < i128::from(dimension));
    }
    let last = place.copies.len() as i128 - 1;
    let (first_copy, last_copy) = match &place.agent {
        None => (0, 0),
        Some(agent) => {
            let agent = bounds(agent, slot);
            out.undef |= agent.undef;
            out.fault |= agent.fault;
            inside &= agent.is_empty() || (agent.lo >= 0 && agent.hi <= last);
            (agent.lo.max(0), agent.hi.min(last))
        }
    };
    out.fault |= !inside;
    let mut looked = 0;
    for copy in first_copy..=last_copy {
        let first = place.copies[copy as usize];
        if first == Layout::ABSENT {
            out.fault = true;
            continue;
        }
        looked += cells;
        if looked > CELLS {
            return Bounds { fault: out.fault, ..Bounds::ANY };
        }
        out = (first..first + cells).fold(out, |out, at| out.hull(slot(at)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith;
    use swarmcheck_source::Span;

    /// All operators on all small intervals, with and without ⊥, against their meaning on every value.
    #[test]
    fn every_result_lies_within_the_bounds() {
        use BinaryOp::*;
        let ops = [Add, Sub, Mul, Div, Mod, Round, Min, Max, Eq, Ne, Lt, Le, Gt, Ge, And, Or];
        let intervals: Vec<(i64, i64, bool)> = (-3..=3)
            .flat_map(|lo| (lo - 1..=3).flat_map(move |hi| [(lo, hi, false), (lo, hi, true)]))
            .collect();
        let values = |(lo, hi, undef): (i64, i64, bool)| (lo..=hi).chain(undef.then_some(UNDEF));
        for op in ops {
            let term = Term::Binary(op, Box::new((Term::Slot(0), Term::Slot(1))), Span::default());
            for &a in &intervals {
                for &b in &intervals {
                    let of = |(lo, hi, undef): (i64, i64, bool)| {
                        let numbers = Bounds { lo: lo.into(), hi: hi.into(), ..Bounds::NONE };
                        Bounds { undef, ..if lo > hi { Bounds::NONE } else { numbers } }
                    };
                    let found = bounds(&term, &|slot| of(if slot == 0 { a } else { b }));
                    for x in values(a) {
                        for y in values(b) {
                            let value = arith::binary(op, x, y).expect("small numbers");
                            let fits =
                                if value == UNDEF { found.undef } else { found.contains(value.into()) };
                            assert!(fits, "{x} {op:?} {y} = {value}, not in {found:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn overflow_is_a_fault_and_small_sums_are_none() {
        let sum = |top: i128| {
            let term = Term::Binary(BinaryOp::Add, Box::new((Term::Slot(0), Term::Slot(0))), Span::default());
            bounds(&term, &|_| Bounds { lo: 0, hi: top, undef: false, fault: false })
        };
        assert!(!sum(1000).fault);
        assert!(sum(MOST).fault);
    }
}
