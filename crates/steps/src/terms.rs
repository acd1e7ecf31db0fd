//! Terms over the state before a step, each stored once.
//!
//! The values that a step writes and the conditions under which it is possible are terms over cells of the state
//! ([`Node::Slot`]) and over what the step chooses ([`Node::Choice`]). Where a term is looked at from one process, what the
//! others contribute is a field of the gate ([`Node::Field`]). Equal terms have equal numbers, so that what is left of two
//! conditions can be compared.
//!
//! No term is an error of the model: whoever makes them refuses those that may be ([`Terms::bounds`]).

use std::collections::{HashMap, HashSet};
use swarmcheck_ir::arith;
use swarmcheck_ir::interval::Bounds;
use swarmcheck_ir::{BinaryOp, UNDEF, UnaryOp, Value};

/// The number of a term.
pub type TermId = u32;

/// A term, over others.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A number, or ⊥.
    Const(Value),
    /// The value of a cell before the step.
    Slot(u32),
    /// What the step chooses, by number.
    Choice(u32),
    /// A field of the gate, by number.
    Field(u32),
    /// `op a`.
    Unary(UnaryOp, TermId),
    /// `a op b`.
    Binary(BinaryOp, TermId, TermId),
    /// All of these conditions hold. They are sorted, and at least two.
    And(Box<[TermId]>),
    /// One of these conditions holds. They are sorted, and at least two.
    Or(Box<[TermId]>),
    /// The second if the first is not 0, otherwise the third.
    If(TermId, TermId, TermId),
    /// It is not ⊥.
    Defined(TermId),
    /// How many of these conditions hold.
    Count(Box<[TermId]>),
    /// The dense rank of the value with this number among these values.
    Rank(u32, Box<[TermId]>),
}

/// A table of terms.
#[derive(Default)]
pub struct Terms {
    nodes: Vec<Node>,
    known: HashMap<Node, TermId>,
    bounds: Vec<Option<Bounds>>,
    /// How many nodes each term has if nothing is shared.
    sizes: Vec<f64>,
}

/// What a term needs to have a value, and does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Missing {
    /// The choice with this number.
    Choice(u32),
    /// The field with this number.
    Field(u32),
    /// A cell of another process.
    Slot(u32),
}

/// Gives values to the leaves of a term.
pub trait Leaves {
    /// The value of a cell, if it is known.
    fn slot(&self, slot: u32) -> Option<Value>;
    /// The value of a choice, if it is known.
    fn choice(&self, choice: u32) -> Option<Value>;
    /// The value of a field, if it is known.
    fn field(&self, field: u32) -> Option<Value>;
}

impl Terms {
    /// How many terms there are.
    pub fn number_of_terms(&self) -> usize {
        self.nodes.len()
    }

    /// What a term is made of.
    pub fn node(&self, term: TermId) -> &Node {
        &self.nodes[term as usize]
    }

    /// The term with this node, which is as simple as it can be.
    fn intern(&mut self, node: Node) -> TermId {
        if let Some(&known) = self.known.get(&node) {
            return known;
        }
        let id = self.nodes.len() as TermId;
        self.nodes.push(node.clone());
        self.bounds.push(None);
        let below: f64 = self.below(id).into_iter().map(|part| self.sizes[part as usize]).sum();
        self.sizes.push(below + 1.0);
        self.known.insert(node, id);
        id
    }

    /// How much there is to evaluate: terms share parts, and evaluation does not.
    pub fn size(&self, term: TermId) -> f64 {
        self.sizes[term as usize]
    }

    /// A number, or ⊥.
    pub fn constant(&mut self, value: Value) -> TermId {
        self.intern(Node::Const(value))
    }

    /// The condition that always holds.
    pub fn truth(&mut self) -> TermId {
        self.constant(1)
    }

    /// The value of a cell.
    pub fn slot(&mut self, slot: u32) -> TermId {
        self.intern(Node::Slot(slot))
    }

    /// What is chosen.
    pub fn choice(&mut self, choice: u32) -> TermId {
        self.intern(Node::Choice(choice))
    }

    /// The value of a field.
    pub fn field(&mut self, field: u32) -> TermId {
        self.intern(Node::Field(field))
    }

    /// The number, if a term is one.
    pub fn value(&self, term: TermId) -> Option<Value> {
        match self.node(term) {
            Node::Const(value) => Some(*value),
            _ => None,
        }
    }

    /// `op a`.
    pub fn unary(&mut self, op: UnaryOp, a: TermId) -> TermId {
        match (op, self.node(a)) {
            (_, Node::Const(value)) => {
                let value = arith::unary(op, *value);
                self.constant(value)
            }
            // A double negation is a condition below: only conditions are negated.
            (UnaryOp::Not, Node::Unary(UnaryOp::Not, inner)) if self.is_condition(*inner) => *inner,
            _ => self.intern(Node::Unary(op, a)),
        }
    }

    /// The condition does not hold.
    pub fn not(&mut self, a: TermId) -> TermId {
        self.unary(UnaryOp::Not, a)
    }

    /// It is 0 or 1, whatever the state.
    pub fn is_condition(&self, term: TermId) -> bool {
        match self.node(term) {
            Node::And(_) | Node::Or(_) | Node::Defined(_) | Node::Unary(UnaryOp::Not, _) => true,
            Node::Binary(op, ..) => op.is_comparison() || matches!(op, BinaryOp::And | BinaryOp::Or),
            Node::Const(value) => matches!(value, 0 | 1),
            _ => false,
        }
    }

    /// `a op b`.
    pub fn binary(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        if let (Some(x), Some(y)) = (self.value(a), self.value(b))
            && let Some(value) = arith::binary(op, x, y)
        {
            return self.constant(value);
        }
        let commutes = matches!(op, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Add | BinaryOp::Mul);
        let (a, b) = if commutes && a > b { (b, a) } else { (a, b) };
        self.intern(Node::Binary(op, a, b))
    }

    /// The values are equal and neither is ⊥.
    pub fn equal(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinaryOp::Eq, a, b)
    }

    /// The term has this value.
    pub fn is(&mut self, a: TermId, value: Value) -> TermId {
        let value = self.constant(value);
        self.equal(a, value)
    }

    /// All of these conditions hold.
    pub fn and(&mut self, parts: impl IntoIterator<Item = TermId>) -> TermId {
        self.junction(parts, true)
    }

    /// One of these conditions holds.
    pub fn or(&mut self, parts: impl IntoIterator<Item = TermId>) -> TermId {
        self.junction(parts, false)
    }

    fn junction(&mut self, parts: impl IntoIterator<Item = TermId>, all: bool) -> TermId {
        let mut out: Vec<TermId> = vec![];
        for part in parts {
            match self.node(part) {
                Node::Const(value) if (*value != 0) == all => {}
                Node::Const(_) => return self.constant(i64::from(!all)),
                Node::And(inner) if all => out.extend_from_slice(inner),
                Node::Or(inner) if !all => out.extend_from_slice(inner),
                _ => out.push(part),
            }
        }
        out.sort_unstable();
        out.dedup();
        let contradicts = |term: &TermId| match self.node(*term) {
            Node::Unary(UnaryOp::Not, inner) => out.binary_search(inner).is_ok(),
            _ => false,
        };
        if out.iter().any(contradicts) {
            return self.constant(i64::from(!all));
        }
        match (out.len(), all) {
            (0, _) => self.constant(i64::from(all)),
            // A junction is 0 or 1, whatever its parts are.
            (1, _) if self.is_condition(out[0]) => out[0],
            (_, true) => self.intern(Node::And(out.into())),
            (_, false) => self.intern(Node::Or(out.into())),
        }
    }

    /// The second if the first holds, otherwise the third.
    pub fn ite(&mut self, condition: TermId, yes: TermId, no: TermId) -> TermId {
        if yes == no {
            return yes;
        }
        match self.node(condition) {
            Node::Const(value) => return if *value != 0 { yes } else { no },
            Node::Unary(UnaryOp::Not, inner) => {
                let inner = *inner;
                return self.ite(inner, no, yes);
            }
            _ => {}
        }
        match (self.value(yes), self.value(no)) {
            (Some(1), Some(0)) if self.is_condition(condition) => condition,
            (Some(0), Some(1)) => self.not(condition),
            _ => self.intern(Node::If(condition, yes, no)),
        }
    }

    /// It is not ⊥.
    pub fn defined(&mut self, a: TermId) -> TermId {
        let defined = match self.node(a) {
            Node::Const(value) => Some(*value != UNDEF),
            _ => None,
        };
        match defined {
            Some(defined) => self.constant(i64::from(defined)),
            None => self.intern(Node::Defined(a)),
        }
    }

    /// How many of these conditions hold.
    pub fn count(&mut self, parts: Vec<TermId>) -> TermId {
        let values: Option<Vec<Value>> = parts.iter().map(|part| self.value(*part)).collect();
        match values {
            Some(values) => self.constant(values.iter().filter(|value| **value == 1).count() as i64),
            None => self.intern(Node::Count(parts.into())),
        }
    }

    /// The dense rank of one value among all.
    pub fn rank(&mut self, at: u32, parts: Vec<TermId>) -> TermId {
        let values: Option<Vec<Value>> = parts.iter().map(|part| self.value(*part)).collect();
        match values {
            Some(values) => self.constant(dense_rank(at, &values)),
            None => self.intern(Node::Rank(at, parts.into())),
        }
    }

    /// The terms directly below one.
    pub fn below(&self, term: TermId) -> Vec<TermId> {
        match self.node(term) {
            Node::Const(_) | Node::Slot(_) | Node::Choice(_) | Node::Field(_) => vec![],
            Node::Unary(_, a) | Node::Defined(a) => vec![*a],
            Node::Binary(_, a, b) => vec![*a, *b],
            Node::If(c, a, b) => vec![*c, *a, *b],
            Node::And(parts) | Node::Or(parts) | Node::Count(parts) | Node::Rank(_, parts) => parts.to_vec(),
        }
    }

    /// Calls `visit` with the node of each term in a term, each once.
    pub fn walk(&self, term: TermId, mut visit: impl FnMut(&Node)) {
        let mut seen = HashSet::new();
        let mut open = vec![term];
        while let Some(at) = open.pop() {
            if seen.insert(at) {
                visit(self.node(at));
                open.extend(self.below(at));
            }
        }
    }

    fn leaves(&self, term: TermId, number: impl Fn(&Node) -> Option<u32>) -> Vec<u32> {
        let mut found = vec![];
        self.walk(term, |node| found.extend(number(node)));
        found.sort_unstable();
        found
    }

    /// The cells that a term reads, in ascending order.
    pub fn slots(&self, term: TermId) -> Vec<u32> {
        self.leaves(term, |node| if let Node::Slot(slot) = node { Some(*slot) } else { None })
    }

    /// The choices that a term depends on, in ascending order.
    pub fn choices(&self, term: TermId) -> Vec<u32> {
        self.leaves(term, |node| if let Node::Choice(choice) = node { Some(*choice) } else { None })
    }

    /// The fields that a term depends on, in ascending order.
    pub fn fields(&self, term: TermId) -> Vec<u32> {
        self.leaves(term, |node| if let Node::Field(field) = node { Some(*field) } else { None })
    }

    /// The same term over other terms below.
    pub fn rebuilt(&mut self, term: TermId, below: Vec<TermId>) -> TermId {
        match (self.node(term).clone(), &below[..]) {
            (Node::Unary(op, _), &[a]) => self.unary(op, a),
            (Node::Defined(_), &[a]) => self.defined(a),
            (Node::Binary(op, ..), &[a, b]) => self.binary(op, a, b),
            (Node::If(..), &[c, a, b]) => self.ite(c, a, b),
            (Node::And(_), _) => self.and(below),
            (Node::Or(_), _) => self.or(below),
            (Node::Count(_), _) => self.count(below),
            (Node::Rank(at, _), _) => self.rank(at, below),
            _ => term,
        }
    }

    /// A term with some leaves replaced by numbers. `seen` is for one replacement and kept between terms.
    pub fn replace(
        &mut self,
        term: TermId,
        known: &dyn Fn(&Node) -> Option<Value>,
        seen: &mut HashMap<TermId, TermId>,
    ) -> TermId {
        if let Some(&found) = seen.get(&term) {
            return found;
        }
        let out = match known(self.node(term)) {
            Some(value) => self.constant(value),
            None => {
                let below = self.below(term);
                let new: Vec<TermId> = below.iter().map(|part| self.replace(*part, known, seen)).collect();
                if new == below { term } else { self.rebuilt(term, new) }
            }
        };
        seen.insert(term, out);
        out
    }

    /// What is left of a term when some fields are known.
    pub fn residual(&mut self, term: TermId, known: &[(u32, Value)]) -> TermId {
        let value = |node: &Node| match node {
            Node::Field(field) => known.iter().find(|(f, _)| f == field).map(|(_, value)| *value),
            _ => None,
        };
        self.replace(term, &value, &mut HashMap::new())
    }

    /// The value of a term, or what is missing. Only what matters is asked for.
    pub fn evaluate(&self, term: TermId, leaves: &impl Leaves) -> Result<Value, Missing> {
        Ok(match self.node(term) {
            Node::Const(value) => *value,
            Node::Slot(slot) => leaves.slot(*slot).ok_or(Missing::Slot(*slot))?,
            Node::Choice(choice) => leaves.choice(*choice).ok_or(Missing::Choice(*choice))?,
            Node::Field(field) => leaves.field(*field).ok_or(Missing::Field(*field))?,
            Node::Unary(op, a) => arith::unary(*op, self.evaluate(*a, leaves)?),
            Node::Binary(op, a, b) => {
                let (a, b) = (self.evaluate(*a, leaves)?, self.evaluate(*b, leaves)?);
                arith::binary(*op, a, b).unwrap_or(UNDEF)
            }
            Node::And(parts) => self.first_that(parts, leaves, false)?,
            Node::Or(parts) => self.first_that(parts, leaves, true)?,
            Node::If(c, a, b) => {
                let branch = if self.evaluate(*c, leaves)? != 0 { a } else { b };
                self.evaluate(*branch, leaves)?
            }
            Node::Defined(a) => i64::from(self.evaluate(*a, leaves)? != UNDEF),
            Node::Count(parts) => {
                let mut count = 0;
                for part in parts {
                    count += i64::from(self.evaluate(*part, leaves)? == 1);
                }
                count
            }
            Node::Rank(at, parts) => {
                let values: Result<Vec<Value>, Missing> =
                    parts.iter().map(|part| self.evaluate(*part, leaves)).collect();
                dense_rank(*at, &values?)
            }
        })
    }

    /// A junction is decided by a part that decides it, even if another part is not known yet.
    fn first_that(&self, parts: &[TermId], leaves: &impl Leaves, decides: bool) -> Result<Value, Missing> {
        let mut missing = None;
        for part in parts {
            match self.evaluate(*part, leaves) {
                Ok(value) if (value != 0) == decides => return Ok(i64::from(decides)),
                Ok(_) => {}
                Err(what) => missing = missing.or(Some(what)),
            }
        }
        missing.map_or(Ok(i64::from(!decides)), Err)
    }

    /// The values that a term can have. `leaf` gives those of cells and choices; fields are not looked into.
    pub fn bounds(&mut self, term: TermId, leaf: &dyn Fn(&Node) -> Bounds) -> Bounds {
        if let Some(known) = self.bounds[term as usize] {
            return known;
        }
        let below: Vec<Bounds> = self.below(term).into_iter().map(|part| self.bounds(part, leaf)).collect();
        let found = match (self.node(term), &below[..]) {
            (Node::Const(value), _) => Bounds::exactly(*value),
            (Node::Unary(op, _), &[a]) => Bounds::unary(*op, a),
            (Node::Binary(op, ..), &[a, b]) => Bounds::binary(*op, a, b),
            (Node::If(..), &[c, a, b]) => a.hull(b).blame(&[c]),
            (Node::Count(parts), _) => Bounds::of(0, parts.len() as i128).blame(&below),
            (Node::Rank(_, parts), _) => Bounds::of(0, parts.len() as i128 - 1).blame(&below),
            (Node::And(_) | Node::Or(_) | Node::Defined(_), _) => Bounds::CONDITION.blame(&below),
            (node, _) => leaf(node),
        };
        self.bounds[term as usize] = Some(found);
        found
    }
}

/// How many different values are smaller.
fn dense_rank(at: u32, values: &[Value]) -> Value {
    let own = values[at as usize];
    let mut smaller: Vec<Value> = values.iter().copied().filter(|value| *value < own).collect();
    smaller.sort_unstable();
    smaller.dedup();
    smaller.len() as Value
}

#[cfg(test)]
mod tests {
    use super::*;

    struct State<'a>(&'a [Value], &'a [(u32, Value)]);

    impl Leaves for State<'_> {
        fn slot(&self, slot: u32) -> Option<Value> {
            self.0.get(slot as usize).copied()
        }

        fn choice(&self, _: u32) -> Option<Value> {
            None
        }

        fn field(&self, field: u32) -> Option<Value> {
            self.1.iter().find(|(f, _)| *f == field).map(|(_, value)| *value)
        }
    }

    #[test]
    fn only_what_matters_is_asked_for() {
        let mut terms = Terms::default();
        let (own, other, field) = (terms.slot(0), terms.slot(7), terms.field(3));
        let zero = terms.is(own, 0);
        let pick = terms.ite(zero, field, other);
        let state = |value| [value];
        assert_eq!(terms.evaluate(pick, &State(&state(0), &[(3, 5)])), Ok(5));
        assert_eq!(terms.evaluate(pick, &State(&state(0), &[])), Err(Missing::Field(3)));
        assert_eq!(terms.evaluate(pick, &State(&state(1), &[])), Err(Missing::Slot(7)));
        let both = terms.and([field, zero]);
        assert_eq!(terms.evaluate(both, &State(&state(1), &[])), Ok(0));
        assert_eq!(terms.evaluate(both, &State(&state(0), &[])), Err(Missing::Field(3)));
    }

    #[test]
    fn what_is_left_of_a_condition_tells_equal_ones_apart() {
        let mut terms = Terms::default();
        let (x, y) = (terms.field(0), terms.field(1));
        let three = terms.constant(3);
        let close = {
            let difference = terms.binary(BinaryOp::Sub, x, y);
            let distance = terms.unary(UnaryOp::Abs, difference);
            terms.binary(BinaryOp::Le, distance, three)
        };
        let enough = terms.binary(BinaryOp::Ge, x, three);
        let both = terms.and([close, enough]);
        let left = |terms: &mut Terms, x: Value| terms.residual(both, &[(0, x)]);
        let no = terms.constant(0);
        assert_eq!(left(&mut terms, 1), no);
        assert_eq!(left(&mut terms, 2), no);
        assert_ne!(left(&mut terms, 3), left(&mut terms, 4));
    }

    #[test]
    fn contradictions_and_double_negations() {
        let mut terms = Terms::default();
        let x = terms.slot(0);
        let is = terms.is(x, 1);
        let not = terms.not(is);
        let (never, always) = (terms.constant(0), terms.constant(1));
        assert_eq!(terms.and([is, not]), never);
        assert_eq!(terms.or([is, not]), always);
        assert_eq!(terms.not(not), is);
        assert_eq!(terms.ite(not, never, always), is);
    }

    #[test]
    fn ranks_are_dense() {
        assert_eq!((0..4).map(|at| dense_rank(at, &[5, 2, 5, 9])).collect::<Vec<_>>(), [1, 0, 1, 2]);
    }
}
