//! The value of a term of the ground program, for all states and choices at once.
//!
//! A term that meets an error has no value; where that happens is noted with the error, and whoever asked decides what
//! follows. As in the interpreter, what is not evaluated meets no error: the conditions around what is being evaluated
//! are kept on a stack.

use crate::circuit::{self, Bits};
use crate::operate;
use crate::run::{Machine, State};
use crate::word::{Word, any};
use swarmcheck_aig::Lit;
use swarmcheck_ir::ground::Term;
use swarmcheck_ir::{BinaryOp, Fault, FaultKind, UNDEF};
use swarmcheck_source::Span;

/// Up to this many conditions are counted one value at a time.
const COUNTED: usize = 40;

impl Machine<'_> {
    /// Notes an error where the condition is true, if the evaluation gets here.
    pub(crate) fn fail(&mut self, lit: Lit, kind: FaultKind, span: Span) {
        if lit != Lit::FALSE {
            let mut all = self.path.clone();
            all.push(lit);
            let lit = self.g.all(&all);
            self.met.push((lit, Fault { kind, span }));
        }
    }

    /// Evaluates something that is reached only if the condition holds.
    pub(crate) fn under<T>(&mut self, condition: Lit, evaluate: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(condition);
        let result = evaluate(self);
        self.path.pop();
        result
    }

    /// Whether a condition holds.
    pub(crate) fn test(&mut self, term: &Term, state: &State) -> Lit {
        let word = self.eval(term, state);
        word.holds(self.g)
    }

    pub(crate) fn eval(&mut self, term: &Term, state: &State) -> Word {
        match term {
            Term::Const(v) => Word::constant(*v),
            Term::Slot(slot) => self.cell(state, *slot),
            Term::Is(slot, value) => {
                let word = self.cell(state, *slot);
                Word::condition(word.is(self.g, *value))
            }
            Term::IsNot(slot, value) => {
                let word = self.cell(state, *slot);
                Word::condition(operate::compare(self.g, BinaryOp::Ne, &word, &Word::constant(*value)))
            }
            Term::Compare(op, a, b) => {
                let (a, b) = (self.cell(state, *a), self.cell(state, *b));
                Word::condition(operate::compare(self.g, *op, &a, &b))
            }
            Term::Table(table) => self.eval(table.term(), state),
            Term::Local(local) => state.local(*local),
            Term::LocalCell { first, length, index, span } => {
                let index = self.eval(index, state);
                let (cases, outside) = self.cases(&index, *length);
                self.fail(outside, FaultKind::Index, *span);
                let mut alternatives: Vec<(Lit, Word)> =
                    cases.into_iter().map(|(lit, i)| (lit, state.local(first + i))).collect();
                self.otherwise(&mut alternatives, &[index.undef, outside]);
                Word::select(self.g, &alternatives)
            }
            Term::Cell(place) => {
                let located = self.locate(place, state);
                let mut alternatives: Vec<(Lit, Word)> =
                    located.slots.iter().map(|(lit, slot)| (*lit, self.cell(state, *slot))).collect();
                self.otherwise(&mut alternatives, &[located.undefined, located.missing]);
                Word::select(self.g, &alternatives)
            }
            Term::Unary(op, e) => {
                let word = self.eval(e, state);
                operate::unary(self.g, *op, &word)
            }
            Term::Binary(op, sides, span) => self.binary(*op, &sides.0, &sides.1, *span, state),
            Term::And(parts) => {
                let all = self.junction(parts, state, |me, word| word.holds(me.g));
                Word::condition(all)
            }
            Term::Or(parts) => {
                let none = self.junction(parts, state, |me, word| !word.is(me.g, 1));
                Word::condition(!none)
            }
            Term::If(parts) => {
                let condition = self.test(&parts.0, state);
                match condition.known() {
                    Some(value) => self.eval(if value { &parts.1 } else { &parts.2 }, state),
                    None => {
                        let yes = self.under(condition, |me| me.eval(&parts.1, state));
                        let no = self.under(!condition, |me| me.eval(&parts.2, state));
                        Word::choose(self.g, condition, &yes, &no)
                    }
                }
            }
            Term::Defined(e) => {
                // What is met inside counts as defined, and will be met again when the value is needed.
                let before = (std::mem::take(&mut self.path), std::mem::take(&mut self.met));
                let word = self.eval(e, state);
                let mut parts: Vec<Lit> = self.met.iter().map(|(lit, _)| *lit).collect();
                (self.path, self.met) = before;
                parts.push(!word.undef);
                Word::condition(any(self.g, parts))
            }
            Term::Count(parts) => {
                let conditions: Vec<Lit> = parts
                    .iter()
                    .map(|part| {
                        let word = self.eval(part, state);
                        word.is(self.g, 1)
                    })
                    .collect();
                self.count(&conditions)
            }
        }
    }

    /// Evaluates parts from the left as long as each passes; whether all do.
    fn junction(&mut self, parts: &[Term], state: &State, passes: impl Fn(&mut Self, &Word) -> Lit) -> Lit {
        let depth = self.path.len();
        let mut all = vec![];
        for part in parts {
            let word = self.eval(part, state);
            let passed = passes(self, &word);
            all.push(passed);
            if passed == Lit::FALSE {
                break;
            }
            if passed != Lit::TRUE {
                self.path.push(passed);
            }
        }
        self.path.truncate(depth);
        self.g.all(&all)
    }

    fn binary(&mut self, op: BinaryOp, left: &Term, right: &Term, span: Span, state: &State) -> Word {
        let (inner, value, op_from_left) = match (left, right) {
            (Term::Binary(inner, sides, inner_span), Term::Const(c)) => {
                (Some((inner, sides, inner_span)), *c, op)
            }
            (Term::Const(c), Term::Binary(inner, sides, inner_span)) => {
                (Some((inner, sides, inner_span)), *c, op.mirrored())
            }
            _ => (None, 0, op),
        };
        // Whether a sum is less than a constant needs no adder.
        if let Some((inner, sides, inner_span)) = inner
            && op.is_comparison()
            && value != UNDEF
            && !inner.is_comparison()
        {
            let (a, b) = (self.eval(&sides.0, state), self.eval(&sides.1, state));
            if let Some(lit) = operate::compare_result(self.g, op_from_left, *inner, &a, &b, value) {
                return Word::condition(lit);
            }
            let (result, overflow) = operate::binary(self.g, *inner, &a, &b);
            self.fail(overflow, FaultKind::Overflow, *inner_span);
            return Word::condition(operate::compare(self.g, op_from_left, &result, &Word::constant(value)));
        }
        let (a, b) = (self.eval(left, state), self.eval(right, state));
        let (result, overflow) = operate::binary(self.g, op, &a, &b);
        self.fail(overflow, FaultKind::Overflow, span);
        result
    }

    /// How many of these are true.
    fn count(&mut self, conditions: &[Lit]) -> Word {
        if conditions.len() > COUNTED {
            let bits: Vec<Bits> = conditions.iter().map(|c| Bits::unsigned(vec![*c], 1)).collect();
            return Word::many(self.total(&bits));
        }
        // For each number, whether so many of those seen are true.
        let mut counts = vec![Lit::TRUE];
        for &condition in conditions {
            counts.push(Lit::FALSE);
            for k in (0..counts.len()).rev() {
                let below = if k == 0 { Lit::FALSE } else { counts[k - 1] };
                counts[k] = self.g.choose(condition, below, counts[k]);
            }
        }
        Word::few(self.g, counts.into_iter().enumerate().map(|(k, lit)| (k as i64, lit)))
    }

    fn total(&mut self, parts: &[Bits]) -> Bits {
        match parts {
            [] => Bits::constant(0),
            [one] => one.clone(),
            many => {
                let (left, right) = many.split_at(many.len() / 2);
                let (left, right) = (self.total(left), self.total(right));
                circuit::add(self.g, &left, &right)
            }
        }
    }

    /// Adds ⊥ for the cases in which one of these is true.
    fn otherwise(&mut self, alternatives: &mut Vec<(Lit, Word)>, parts: &[Lit]) {
        let other = any(self.g, parts.to_vec());
        if other != Lit::FALSE {
            alternatives.push((other, Word::constant(UNDEF)));
        }
    }
}
