//! What is known at one point of the program, and what expressions can be worth there.
//!
//! Besides the range of each variable, a context knows the ranges of the locals and *facts*: ranges of expressions that
//! follow from conditions passed on the way and from values just assigned. A fact about an expression holds until
//! something the expression reads is written.

use super::arith;
use super::same::{Part, likeness, parts, same};
use super::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use swarmcheck_ir::{BinaryOp, Expr, KindId, Local, LocalId, Program, Quantifier, UnaryOp, VarId};

/// The values of an expression in the runs that get them, and what may go wrong in the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub value: Value,
    /// There may be no such agent, variable or cell.
    pub fault: bool,
    /// A result may not fit 64 bits.
    pub overflow: bool,
}

impl Found {
    pub(super) fn sure(value: Value) -> Found {
        Found { value, fault: false, overflow: false }
    }

    /// Takes over what may go wrong in a part.
    pub(super) fn blame(&mut self, part: &Found) {
        self.fault |= part.fault;
        self.overflow |= part.overflow;
    }

    /// Whether evaluating it can never be a model error.
    pub fn is_safe(&self) -> bool {
        !self.fault && !self.overflow
    }
}

/// That an expression has one of some values.
#[derive(Clone, Debug)]
pub(super) struct Fact {
    pub(super) e: Rc<Expr>,
    likeness: u64,
    /// What it depends on, see [`Part::bit`].
    parts: u64,
    source: Source,
    pub(super) value: Value,
}

/// Where a fact comes from, in the order in which facts are given up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Source {
    /// A value was just assigned.
    Write,
    /// A condition was passed.
    Condition,
}

/// More facts are not kept at once: thousands of assignments in a row would take time in proportion to their square. Half of them are given
/// up then, the oldest first, but what guards say after what was assigned, because the assignments behind a guard rely on it.
const MOST_FACTS: usize = 1000;

impl Fact {
    pub(super) fn new(e: Expr, value: Value, source: Source) -> Fact {
        Fact { likeness: likeness(&e), parts: parts(&e), e: Rc::new(e), source, value }
    }

    /// Whether it is about this expression, which has this likeness.
    pub(super) fn is_about(&self, e: &Expr, likeness: u64) -> bool {
        self.likeness == likeness && same(&self.e, e)
    }
}

/// In the initial block: which cells may still hold the 0 that everything starts with.
#[derive(Clone, Debug, Default)]
pub(super) struct Unset {
    /// For variables of agents of which something was written: the kinds with agents that may not have got a value.
    missing: BTreeMap<VarId, BTreeSet<KindId>>,
    /// Variables all of whose cells have been written.
    done: BTreeSet<VarId>,
}

/// What is known at one point of the program.
#[derive(Clone, Debug)]
pub struct Context<'a> {
    pub(super) program: &'a Program,
    /// Of each variable, over all its copies and cells.
    pub(super) values: &'a [Value],
    /// Only in the initial block.
    pub(super) unset: Option<Rc<Unset>>,
    /// The kinds that run this code.
    pub(super) runners: &'a [KindId],
    /// Bound agents, innermost last, and the kinds they range over.
    bound: Vec<(u32, Rc<[KindId]>)>,
    declared: &'a [Local],
    /// Of each local; of an array, over all its cells. Copied when they change, as all that follows a pointer here:
    /// conditions are looked at in many contexts that learn nothing.
    pub(super) locals: Rc<Vec<Value>>,
    pub(super) facts: Rc<Vec<Fact>>,
    /// No run gets here.
    pub(super) dead: bool,
    /// How many distinctions of cases are being made at once.
    pub(super) depth: u32,
}

impl<'a> Context<'a> {
    pub(super) fn new(
        program: &'a Program,
        values: &'a [Value],
        runners: &'a [KindId],
        declared: &'a [Local],
    ) -> Context<'a> {
        Context {
            program,
            values,
            unset: None,
            runners,
            bound: vec![],
            declared,
            locals: Rc::new(vec![Value::ANYTHING; declared.len()]),
            facts: Rc::default(),
            dead: false,
            depth: 0,
        }
    }

    /// The length of a local array.
    pub(crate) fn length(&self, local: LocalId) -> u32 {
        self.declared[local.0 as usize].length.unwrap_or(1)
    }

    /// Whether no run gets here.
    pub fn is_dead(&self) -> bool {
        self.dead
    }

    /// Binds an agent.
    pub(crate) fn bind(&mut self, bound: u32, kinds: &[KindId]) {
        self.forget_part(Part::Bound(bound));
        self.bound.push((bound, kinds.into()));
    }

    /// How many agents these kinds have.
    pub(crate) fn count(&self, kinds: &[KindId]) -> i64 {
        kinds.iter().map(|k| i64::from(self.program.kind(*k).count)).sum()
    }

    /// The numbers of the agents of these kinds.
    pub(super) fn agents(&self, kinds: &[KindId]) -> Value {
        let range = |k: &KindId| {
            let kind = self.program.kind(*k);
            Value::between(kind.first.into(), i128::from(kind.first) + i128::from(kind.count) - 1)
        };
        kinds.iter().fold(Value::NONE, |all, k| all.join(&range(k)))
    }

    pub(super) fn kinds_of_bound(&self, bound: u32) -> Option<&Rc<[KindId]>> {
        self.bound.iter().rev().find(|(b, _)| *b == bound).map(|(_, kinds)| kinds)
    }

    /// What a variable can hold here, whosever copy it is.
    pub(super) fn var(&self, var: VarId) -> Value {
        let value = &self.values[var.0 as usize];
        match &self.unset {
            Some(unset) if !unset.done.contains(&var) => value.join(&Value::only(0)),
            _ => value.clone(),
        }
    }

    /// The values an expression can have, and what may go wrong.
    pub(crate) fn found(&self, e: &Expr) -> Found {
        let mut found = self.computed(e);
        if !matches!(e, Expr::Const(_)) && !self.facts.is_empty() {
            let likeness = likeness(e);
            for fact in self.facts.iter().filter(|fact| fact.is_about(e, likeness)) {
                found.value = found.value.meet(&fact.value);
            }
        }
        found
    }

    fn computed(&self, e: &Expr) -> Found {
        match e {
            Expr::Const(v) => Found::sure(Value::of_cell(*v)),
            Expr::Me => Found::sure(self.agents(self.runners)),
            Expr::Bound(b) => {
                Found::sure(self.kinds_of_bound(*b).map_or(Value::INTEGER, |kinds| self.agents(kinds)))
            }
            Expr::Local(l) => Found::sure(self.locals[l.0 as usize].clone()),
            Expr::LocalCell(l, index, _) => self.local_cell(*l, index),
            Expr::Read(place) => {
                let mut found = self.place(place);
                let undef = found.value.undef;
                found.value = if found.value.has_no_integer() {
                    found.value
                } else {
                    let value = self.var(place.var);
                    let undef = undef || value.undef;
                    value.with_undef(undef)
                };
                found
            }
            Expr::Unary(op, e) => {
                let mut found = self.found(e);
                found.value = arith::unary(*op, &found.value);
                found
            }
            Expr::Binary(op, a, b, _) => self.binary(*op, a, b),
            Expr::And(parts) => self.junction(parts, true),
            Expr::Or(parts) => self.junction(parts, false),
            Expr::If(c, a, b) => {
                let mut out = self.found(c);
                let condition = std::mem::replace(&mut out.value, Value::NONE);
                for (branch, truth) in [(a, true), (b, false)] {
                    let possible = if truth { condition.may_hold() } else { condition.may_fail() };
                    let case = possible.then(|| self.where_(c, truth)).filter(|case| !case.dead);
                    if let Some(found) = case.map(|case| case.found(branch)) {
                        out.blame(&found);
                        out.value = out.value.join(&found.value);
                    }
                }
                out
            }
            Expr::Defined(e) => {
                let found = self.found(e);
                let yes = !found.value.has_no_integer() || !found.is_safe();
                // A fault inside is not met here: it counts as defined.
                Found::sure(Value::condition(found.value.undef, yes))
            }
            Expr::Quantified(quantifier, kinds, bound, body) => {
                self.quantified(*quantifier, kinds, *bound, body)
            }
        }
    }

    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Found {
        let (mut left, right) = (self.found(a), self.found(b));
        let sign = op == BinaryOp::Div
            && match (a, b) {
                (Expr::Unary(UnaryOp::Abs, x), y) | (y, Expr::Unary(UnaryOp::Abs, x)) => same(x, y),
                _ => false,
            };
        let (value, overflow) = if sign {
            let e = if matches!(a, Expr::Unary(UnaryOp::Abs, _)) { &right } else { &left };
            (arith::sign(&e.value), false)
        } else {
            let equal = if same(a, b) { arith::with_itself(op, &left.value) } else { None };
            equal.unwrap_or_else(|| arith::binary(op, &left.value, &right.value))
        };
        left.blame(&right);
        Found { value, fault: left.fault, overflow: left.overflow || overflow }
    }

    /// A conjunction (or, the other way round, a disjunction): each part is evaluated where those before it hold.
    fn junction(&self, parts: &[Expr], all: bool) -> Found {
        let mut here = None;
        let mut out = Found::sure(Value::NONE);
        let mut may_stop = false;
        let mut goes_on = true;
        for (i, part) in parts.iter().enumerate() {
            let found = here.as_ref().unwrap_or(self).found(part);
            out.blame(&found);
            let (stop, go_on) = (found.value.may_fail(), found.value.may_hold());
            may_stop |= if all { stop } else { go_on };
            goes_on = if all { go_on } else { stop };
            if goes_on && i + 1 < parts.len() {
                let here = here.get_or_insert_with(|| self.clone());
                here.assume(part, all);
                goes_on = !here.dead;
            }
            if !goes_on {
                break;
            }
        }
        out.value =
            if all { Value::condition(may_stop, goes_on) } else { Value::condition(goes_on, may_stop) };
        out
    }

    fn quantified(&self, quantifier: Quantifier, kinds: &[KindId], bound: u32, body: &Expr) -> Found {
        let n = self.count(kinds);
        if n == 0 {
            return Found::sure(Value::only(i64::from(quantifier == Quantifier::Forall)));
        }
        let mut inside = self.clone();
        inside.bind(bound, kinds);
        let mut found = inside.found(body);
        let (no, yes) = (found.value.may_fail(), found.value.may_hold());
        found.value = match (no, yes) {
            (false, false) => Value::NONE,
            (true, true) if quantifier == Quantifier::Count => Value::between(0, n.into()),
            (false, true) if quantifier == Quantifier::Count => Value::only(n),
            (no, yes) => Value::condition(no, yes),
        };
        found
    }

    /// No run gets here, if this holds.
    pub(crate) fn die_if(&mut self, dead: bool) {
        self.dead |= dead;
    }

    /// The context of the runs in which a condition has this truth value.
    pub(crate) fn where_(&self, condition: &Expr, truth: bool) -> Context<'a> {
        let mut out = self.clone();
        out.assume(condition, truth);
        out
    }

    /// What is known where two ways meet.
    pub(crate) fn join(self, other: Context<'a>) -> Context<'a> {
        if self.dead {
            return other;
        }
        if other.dead {
            return self;
        }
        let mut out = self;
        if !Rc::ptr_eq(&out.locals, &other.locals) {
            for (mine, theirs) in Rc::make_mut(&mut out.locals).iter_mut().zip(&*other.locals) {
                *mine = mine.join(theirs);
            }
        }
        // What both have from before they parted stays.
        if !Rc::ptr_eq(&out.facts, &other.facts) {
            Rc::make_mut(&mut out.facts).retain_mut(|fact| {
                match other.facts.iter().find(|theirs| theirs.is_about(&fact.e, fact.likeness)) {
                    None => false,
                    Some(theirs) => {
                        fact.value = fact.value.join(&theirs.value);
                        true
                    }
                }
            });
        }
        if let (Some(mine), Some(theirs)) = (&mut out.unset, other.unset)
            && !Rc::ptr_eq(mine, &theirs)
        {
            let mine = Rc::make_mut(mine);
            mine.done.retain(|v| theirs.done.contains(v));
            mine.missing.retain(|v, kinds| {
                theirs.missing.get(v).is_some_and(|other| {
                    kinds.extend(other);
                    true
                })
            });
        }
        out
    }

    fn forget_part(&mut self, part: Part) {
        let bit = part.bit();
        let depends = |fact: &Fact| fact.parts & bit != 0 && part.is_in(&fact.e);
        if self.facts.iter().any(depends) {
            Rc::make_mut(&mut self.facts).retain(|fact| !depends(fact));
        }
    }

    /// Keeps what is known of an expression that no fact is about.
    pub(super) fn keep(&mut self, fact: Fact) {
        let facts = Rc::make_mut(&mut self.facts);
        if facts.len() >= MOST_FACTS {
            facts.sort_by_key(|fact| fact.source);
            facts.drain(..MOST_FACTS / 2);
        }
        facts.push(fact);
    }

    /// A variable was written.
    pub(super) fn forget(&mut self, var: VarId) {
        self.forget_part(Part::Variable(var));
    }

    /// A local got a value.
    pub(super) fn set_local(&mut self, local: LocalId, value: Value) {
        self.forget_part(Part::Local(local));
        self.give(local, value);
    }

    /// From here on a local has one of these values.
    pub(super) fn give(&mut self, local: LocalId, value: Value) {
        if self.locals[local.0 as usize] != value {
            Rc::make_mut(&mut self.locals)[local.0 as usize] = value;
        }
    }

    /// All cells of a global variable were written.
    pub(super) fn filled(&mut self, var: VarId) {
        if let Some(unset) = self.unset.as_mut().filter(|unset| !unset.done.contains(&var)) {
            Rc::make_mut(unset).done.insert(var);
        }
    }

    /// All agents of these kinds got a value.
    pub(super) fn covered(&mut self, var: VarId, kinds: &[KindId]) {
        let Some(unset) = self.unset.as_mut().map(Rc::make_mut) else { return };
        let missing = unset.missing.entry(var).or_insert_with(|| {
            let owners = self.program.var(var).owners.iter().flatten();
            owners.filter(|kind| self.program.kind(**kind).count > 0).copied().collect()
        });
        kinds.iter().for_each(|kind| {
            missing.remove(kind);
        });
        if missing.is_empty() {
            unset.done.insert(var);
        }
    }

    /// Whether some cell of the variable may not have been written yet.
    pub(super) fn is_unset(&self, var: VarId) -> bool {
        self.unset.as_ref().is_some_and(|unset| !unset.done.contains(&var))
    }
}
