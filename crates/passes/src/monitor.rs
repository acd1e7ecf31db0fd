//! Safety monitors: a property with a scope becomes an `always` property of a program with one more variable.
//!
//! Whether a scope is open, and what is owed in it, depends on the past. The new variable remembers it: it holds the
//! state of a small deterministic automaton that reads the property's conditions in every state, the first one
//! included. Every function, and the initial block, updates it as its last act. Nothing else reads it and the update
//! never disables a step, so the runs of the new program are those of the old one, each state with the automaton's.
//!
//! With `q` the start, `r` the end, `p` the predicate and `s` what must come first:
//!
//! ```text
//!            always                      thereIs                  s precedes p
//! outside    q ∧ ¬r: open                q ∧ ¬r: open             q ∧ ¬r: open
//! open       r: outside   ¬p: broken     r: bad   p: kept         r: outside   s: kept   p: broken
//! kept       -                           r: outside               r: outside
//! broken     r: bad                      -                        r: bad
//! bad        forever                     forever                  forever
//! ```
//!
//! Conditions are tried from the left. A state that opens a scope lies in it: after opening, the row of `open` is
//! applied in the same state, to `¬p`, `p` or `s`. In `from … until` the scope counts even if it never closes, so
//! `broken` is `bad` at once; such an automaton has no value for `broken`. No two of the remaining values can be merged:
//! `kept` differs from `outside` because `q` opens no second scope inside the first.
//!
//! The new property is `always scope ≠ bad`. For `from … until … thereIs` that is half of the truth: a run that stops, or
//! goes on forever, in an open scope without `p` violates the property too. [`Monitored::waiting`] says where.
//!
//! A condition that cannot be evaluated makes the step fault that leads to the state. Conditions are evaluated only
//! where the automaton looks at them, unless one of them might fault: then all are, so that a fault is not hidden by the
//! past.

use crate::symmetry::fault::Faults;
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{BinaryOp, Expr, Inside, Modality, Place, Program, Stmt, Var, VarId};

/// The result of [`monitor`].
#[derive(Clone, Debug)]
pub struct Monitored {
    /// The program with the new variable, which is the last one, global, and updated by every step. The layout of states
    /// differs from that of the program before.
    pub program: Program,
    /// The new variable.
    pub state: VarId,
    /// Its value once the property is violated; it never changes again.
    pub bad: i64,
    /// For `from … until … thereIs`: holds where the predicate is still owed. A run that stops here, or stays here for
    /// ever, violates the property.
    pub waiting: Option<Expr>,
}

const OUTSIDE: i64 = 0;
const OPEN: i64 = 1;

/// The values of the automaton of one property. Those that it does not need are `bad`.
struct Values {
    kept: i64,
    broken: i64,
    bad: i64,
}

/// Adds the automaton of a property with a scope.
///
/// # Panics
///
/// If the property has no scope.
pub fn monitor(program: &Program, property: usize) -> Monitored {
    let Modality::Scoped { open, start, end, inside } = &program.properties[property].modality else {
        panic!("only properties with a scope need a monitor");
    };
    let values = match (inside, open) {
        (Inside::Always, false) => Values { kept: 3, broken: 2, bad: 3 },
        (Inside::Always, true) => Values { kept: 2, broken: 2, bad: 2 },
        (Inside::ThereIs, _) => Values { kept: 2, broken: 3, bad: 3 },
        (Inside::Precedes(_), false) => Values { kept: 2, broken: 3, bad: 4 },
        (Inside::Precedes(_), true) => Values { kept: 2, broken: 3, bad: 3 },
    };
    let state = VarId(program.vars.len() as u32);
    let automaton = Automaton { state, values: &values, start, end, inside };
    let mut update = automaton.update(&program.properties[property].predicate);
    let conditions = program.properties[property].exprs();
    let mut faults = Faults::new(program, &[]);
    if conditions.iter().any(|c| faults.possible(c)) {
        // Both branches are empty: only the evaluation counts.
        update.splice(0..0, conditions.iter().map(|c| Stmt::If((*c).clone(), vec![], vec![])));
    }
    let mut out = program.clone();
    out.vars.push(Var {
        name: format!("scope.{}", program.properties[property].name),
        owners: None,
        dimensions: vec![],
        domain: Some((OUTSIDE, values.bad)),
        may_be_undef: false,
        role: Role::Location,
    });
    for block in out.functions.iter_mut().map(|f| &mut f.body).chain([&mut out.init]) {
        block.extend(update.iter().cloned());
    }
    out.properties[property].modality = Modality::Always;
    out.properties[property].predicate = automaton.compare(BinaryOp::Ne, values.bad);
    let waits = *open && matches!(inside, Inside::ThereIs);
    let waiting = waits.then(|| automaton.compare(BinaryOp::Eq, OPEN));
    Monitored { program: out, state, bad: values.bad, waiting }
}

struct Automaton<'a> {
    state: VarId,
    values: &'a Values,
    start: &'a Expr,
    end: &'a Expr,
    inside: &'a Inside,
}

impl Automaton<'_> {
    fn compare(&self, op: BinaryOp, value: i64) -> Expr {
        Expr::binary(op, Expr::Read(Place::global(self.state)), Expr::Const(value), Default::default())
    }

    fn go(&self, to: i64) -> Vec<Stmt> {
        vec![Stmt::Assign(Place::global(self.state), Expr::Const(to))]
    }

    /// Takes note of the current state.
    fn update(&self, predicate: &Expr) -> Vec<Stmt> {
        let is = |value| self.compare(BinaryOp::Eq, value);
        let when = |c: Expr, yes, no| vec![Stmt::If(c, yes, no)];
        let Values { kept, broken, bad } = *self.values;
        let (open_end, kept_end, broken_end) = match self.inside {
            Inside::ThereIs => (bad, OUTSIDE, bad),
            _ => (OUTSIDE, OUTSIDE, bad),
        };
        let p = || predicate.clone();
        // In an open scope, in a state that does not close it.
        let goes_on = match self.inside {
            Inside::Always => when(p(), vec![], self.go(broken)),
            Inside::ThereIs => when(p(), self.go(kept), vec![]),
            Inside::Precedes(first) => when(first.clone(), self.go(kept), when(p(), self.go(broken), vec![])),
        };
        let opens = Expr::and([Expr::not(self.end.clone()), self.start.clone()]);
        let mut opened = self.go(OPEN);
        opened.extend(goes_on.iter().cloned());
        let ends = |to| when(self.end.clone(), self.go(to), vec![]);
        let mut rest = vec![];
        for (value, end) in [(broken, broken_end), (kept, kept_end)] {
            if value != bad {
                rest = when(is(value), ends(end), rest);
            }
        }
        let open = when(self.end.clone(), self.go(open_end), goes_on);
        when(is(OUTSIDE), when(opens, opened, vec![]), when(is(OPEN), open, rest))
    }
}
