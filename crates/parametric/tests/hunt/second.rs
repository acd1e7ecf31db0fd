//! A second opinion on which systems can be proved for every number of agents, and on how many agents a counterexample needs.
//!
//! Written from Pnueli, Ruah, Zuck, *Automatic Deductive Verification with Invisible Invariants* (2001), and from the semantics of emulation
//! programs, without a look at how `swarmcheck_parametric` does it. What is decided before an error was missed by both at first, and found by an attack
//! (`attacks`); that part is therefore less independent. The argument:
//!
//! A state is a structure over the agents. Let `s → s'` be a step of a large member that breaks an invariant `I = φ ∧ ∀ clauses`, or meets an error
//! of the model. Choose a set `K` of agents that contains
//!
//! * the agent that runs the function, and those that it picks;
//! * the agents whose numbers global variables hold in `s`;
//! * witnesses of every condition on the path through the function, with the truth value that it has (`formula`);
//! * witnesses of `φ` in `s`; universal clauses need none, those that say that somebody has a value need one;
//! * witnesses of `¬I` in `s'`, or the agents that are bound where the error is met;
//! * as many more as the smallest member has.
//!
//! Delete the others, number the rest in order, and make timestamps dense. If data never depends on numbers of agents or on how many there are,
//! and loops over agents are independent of each other, the function takes `s|K` along the same path to `s'|K`: a deleted agent's
//! iteration writes only what belongs to it, and nobody who is kept reads that. Errors of the model can only appear: then `K` shows an error.
//! So the sum of the sizes of these sets is a bound; the same without a step for initial states.

use crate::formula::{Translate, existentials};
use crate::sorts::{Sort, Sorts};
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{BinaryOp, Expr, KindId, Local, Place, Program, Quantifier, Set, Stmt};
use swarmcheck_parametric::clause::{Clause, Fact, Literal};

/// How many agents a counterexample needs, by what they are needed for.
#[derive(Clone, Debug, PartialEq)]
pub struct Opinion {
    /// To keep the property true; none if no number is enough.
    pub holds: Option<u64>,
    /// To keep the property or a clause false, or an error in the property.
    pub fails: u64,
    /// For an error of a step, and of the initial block, beyond what the path needs.
    pub errors: [u64; 2],
    /// To take a step of one function and to keep something false after it, or for an error of the same function.
    pub breaks: u64,
    /// To take a step.
    pub step: u64,
    /// To be initial.
    pub initial: u64,
    /// For the global variables.
    pub identities: u64,
}

impl Opinion {
    /// For a counterexample to induction with the property among the hypotheses.
    pub fn induction(&self) -> u64 {
        self.holds.unwrap_or(0) + self.breaks + self.identities
    }

    /// For an initial state that violates something.
    pub fn initiation(&self) -> u64 {
        self.initial + self.fails.max(self.errors[1])
    }
}

/// The bounds, or why there are none.
pub fn second_opinion(
    program: &Program,
    open: &[KindId],
    property: &Expr,
    clauses: &[Clause],
) -> Result<Opinion, String> {
    let sorts = Sorts::infer(program)?;
    let translate = Translate { program, open };
    let count = |e: &Expr, wanted| existentials(&translate.condition(e, wanted)?);
    sorts.expr(program, &[], property)?;
    let mut of_property = Path { translate, faults: 0 };
    of_property.note(property)?;
    let mut fails = count(property, false)?.max(of_property.faults);
    let mut kept = 0;
    for clause in clauses {
        fails = fails.max(of_clause(&sorts, open, clause)?);
        // That somebody has a value is one of several alternatives: one agent is enough to keep the clause true.
        let somebody = |l: &Literal| matches!(l.fact, Fact::Some(..)) && !l.holds;
        kept += u64::from(clause.never.iter().any(somebody));
    }
    // That every cell has one of the values seen is a clause about one agent.
    fails = fails.max(1);
    let (mut step, mut breaks, mut errors) = (0, 0, 0);
    for function in &program.functions {
        sorts.check_function(program, function)?;
        let me = u64::from(function.owners.iter().any(|kind| open.contains(kind)));
        let mut faults = Path { translate, faults: 0 };
        faults.note(&function.guard)?;
        let guard = count(&function.guard, true)?;
        let here = me + guard + faults.block(&function.locals, &function.body)?;
        step = step.max(here);
        breaks = breaks.max(here + fails.max(faults.faults));
        errors = errors.max(faults.faults);
    }
    let mut at_first = Path { translate, faults: 0 };
    let initial = at_first.block(&program.init_locals, &program.init)?;
    sorts.check_init(program)?;
    let cells = |var: &swarmcheck_ir::Var| var.cells() as u64;
    let identities =
        (0..).zip(&program.vars).filter(|(at, _)| sorts.holds_identity(*at)).map(|(_, v)| cells(v)).sum();
    let holds = count(property, true).ok().map(|holds| holds + kept);
    Ok(Opinion { holds, fails, errors: [errors, at_first.faults], breaks, step, initial, identities })
}

/// A clause is ∀ agents of its kinds: as many as are open are needed to violate it, and one for each fact that somebody has a value. Its facts
/// must survive the deletion of other agents.
fn of_clause(sorts: &Sorts, open: &[KindId], clause: &Clause) -> Result<u64, String> {
    let sort = |cell: swarmcheck_parametric::clause::Cell| sorts.of_variable(cell.var);
    for literal in &clause.never {
        let fine = match literal.fact {
            Fact::Is(cell, value) if value < 0 => sort(cell) != Sort::Rank(cell.var),
            Fact::Is(cell, _) => matches!(sort(cell), Sort::Data | Sort::Undefined),
            Fact::Same(a, b) | Fact::Less(a, b) => sort(a) == sort(b),
            Fact::Names(cell, _) => sort(cell) == Sort::Identity,
            Fact::Earlier => true,
            // For each agent of the clause somebody else could be needed.
            Fact::Some(_, cell, _) => sort(cell) == Sort::Data && clause.kinds.is_empty(),
        };
        if !fine {
            return Err(format!("a clause says {:?}", literal.fact));
        }
    }
    let somebody = clause.never.iter().filter(|l| matches!(l.fact, Fact::Some(..)) && l.holds);
    Ok((clause.kinds.iter().filter(|kind| open.contains(kind)).count() + somebody.count()) as u64)
}

/// Goes along the paths of a function.
struct Path<'a> {
    translate: Translate<'a>,
    /// The most agents that are bound where an error is met.
    faults: u64,
}

impl Path<'_> {
    fn count(&mut self, e: &Expr, wanted: bool) -> Result<u64, String> {
        self.note(e)?;
        existentials(&self.translate.condition(e, wanted)?)
    }

    fn value(&mut self, e: &Expr) -> Result<u64, String> {
        self.note(e)?;
        existentials(&self.translate.value(e)?)
    }

    fn place(&mut self, place: &Place) -> Result<u64, String> {
        place.agent.iter().map(|a| &**a).chain(&place.index).map(|e| self.value(e)).sum()
    }

    fn set(&mut self, set: &Set) -> Result<u64, String> {
        match set {
            Set::Values(values) => values.iter().map(|e| self.value(e)).sum(),
            Set::Range(lo, hi) => Ok(self.value(lo)? + self.value(hi)?),
        }
    }

    /// The most agents that a path through the block needs.
    fn block(&mut self, locals: &[Local], block: &[Stmt]) -> Result<u64, String> {
        block.iter().map(|stmt| self.statement(locals, stmt)).sum()
    }

    fn statement(&mut self, locals: &[Local], stmt: &Stmt) -> Result<u64, String> {
        Ok(match stmt {
            Stmt::Assign(place, e) => self.value(e)? + self.place(place)?,
            Stmt::Fill(place, set) => self.place(place)? + self.set(set)? * self.cells(place),
            Stmt::Let(_, e) => self.value(e)?,
            Stmt::Havoc(_, set) => self.set(set)?,
            Stmt::Pick { local, kinds, condition, .. } => {
                let times = u64::from(locals[local.0 as usize].length.unwrap_or(1));
                let one = u64::from(self.translate.range(kinds).is_ok());
                let condition = self.count(condition, true)?;
                times * (one + condition)
            }
            Stmt::Assume(e) => self.count(e, true)?,
            Stmt::Check(place) => self.place(place)?,
            Stmt::If(c, yes, no) => {
                let yes = self.count(c, true)? + self.block(locals, yes)?;
                let no = self.count(c, false)? + self.block(locals, no)?;
                yes.max(no)
            }
            Stmt::Choose(branches) => {
                let mut most = 0;
                for (c, body) in branches {
                    most = most.max(self.count(c, true)? + self.block(locals, body)?);
                }
                most
            }
            Stmt::ForEach(kinds, _, body) => match self.translate.range(kinds) {
                Err(agents) => agents * self.block(locals, body)?,
                Ok(()) => {
                    // An agent that is kept would need witnesses in its iteration, and they in theirs.
                    let mut inner = Path { translate: self.translate, faults: 0 };
                    if inner.block(locals, body)? > 0 {
                        return Err("an iteration of a loop depends on other agents".to_string());
                    }
                    self.faults = self.faults.max(1 + inner.faults);
                    0
                }
            },
            Stmt::Copy(_, to, from) => self.value(to)? + self.value(from)?,
            Stmt::Rank(_) => 0,
        })
    }

    fn cells(&self, place: &Place) -> u64 {
        self.translate.program.var(place.var).cells() as u64
    }

    /// The most agents that an error in the expression needs: those that are bound there, and witnesses of what was decided before.
    fn note(&mut self, e: &Expr) -> Result<(), String> {
        let mut before = vec![];
        self.errors(e, 0, &mut before)
    }

    /// `before` has the conditions that were decided on the way, with their truth values; `depth` agents are bound.
    fn errors<'e>(
        &mut self,
        e: &'e Expr,
        depth: u64,
        before: &mut Vec<(&'e Expr, bool)>,
    ) -> Result<(), String> {
        let mut own = false;
        match e {
            Expr::Const(_) | Expr::Me | Expr::Bound(_) | Expr::Local(_) | Expr::Defined(_) => {}
            Expr::Read(place) => {
                let known = matches!(place.agent.as_deref(), None | Some(Expr::Me | Expr::Bound(_)));
                own = !known || place.index.iter().any(|i| !matches!(i, Expr::Const(_)));
                for part in place.agent.iter().map(|a| &**a).chain(&place.index) {
                    self.errors(part, depth, before)?;
                }
            }
            Expr::LocalCell(_, index, _) => {
                own = !matches!(**index, Expr::Const(_));
                self.errors(index, depth, before)?;
            }
            Expr::Unary(_, e) => self.errors(e, depth, before)?,
            Expr::Binary(op, a, b, _) => {
                own = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul);
                self.errors(a, depth, before)?;
                self.errors(b, depth, before)?;
            }
            Expr::And(parts) | Expr::Or(parts) => {
                let length = before.len();
                for part in parts {
                    self.errors(part, depth, before)?;
                    before.push((part, matches!(e, Expr::And(_))));
                }
                before.truncate(length);
            }
            Expr::If(c, a, b) => {
                self.errors(c, depth, before)?;
                for (branch, truth) in [(a, true), (b, false)] {
                    before.push((c, truth));
                    self.errors(branch, depth, before)?;
                    before.pop();
                }
            }
            Expr::Quantified(quantifier, kinds, _, body) => {
                let open = u64::from(self.translate.range(kinds).is_ok());
                let most = self.faults;
                self.faults = 0;
                self.errors(body, depth + open, before)?;
                // Agents that are asked before go on, which must not depend on others.
                if self.faults > 0 && *quantifier != Quantifier::Count {
                    let goes_on = self.translate.condition(body, *quantifier == Quantifier::Forall)?;
                    if existentials(&goes_on)? > 0 {
                        return Err("an error may depend on other agents".to_string());
                    }
                }
                self.faults = self.faults.max(most);
            }
        }
        if own {
            let decided = |(e, truth): &(&Expr, bool)| existentials(&self.translate.condition(e, *truth)?);
            let witnesses: u64 = before.iter().map(decided).sum::<Result<u64, String>>()?;
            self.faults = self.faults.max(depth + witnesses);
        }
        Ok(())
    }
}

/// Whether a variable is an order.
pub fn is_order(program: &Program, var: swarmcheck_ir::VarId) -> bool {
    program.var(var).role == Role::Order
}
