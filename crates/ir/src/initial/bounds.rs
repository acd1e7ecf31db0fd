//! What values a term can have, and whether it can fault, when only bounds of the slots are known.
//!
//! Interval arithmetic over 128 bits, so that nothing overflows on the way. The result is an over-approximation: every
//! value that the term has in some state within the bounds lies within the result.

use crate::arith::Value;
use crate::flat::Layout;
use crate::ground::{Dynamic, Term};
use crate::interval::Bounds;

/// The largest number of cells that are looked at for a place that is computed.
const CELLS: u32 = 64;

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
        Term::Compare(op, a, b) => Bounds { fault: false, ..Bounds::binary(*op, slot(*a), slot(*b)) },
        Term::Table(table) => bounds(table.term(), slot),
        Term::Cell(place) => cell(place, slot),
        Term::Unary(op, e) => Bounds::unary(*op, bounds(e, slot)),
        Term::Binary(op, sides, _) => Bounds::binary(*op, bounds(&sides.0, slot), bounds(&sides.1, slot)),
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
            let mut out = Bounds::of(0, 0);
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
