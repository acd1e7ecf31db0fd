//! Symbolic execution of ground programs: what a step writes, and when it is possible, as terms over the state before it.
//!
//! Branches are run one after the other and put together (`if c then a else b`), so the size of the result is that of the
//! code, not of its paths. Assumptions become conditions `path → assumption`. Nondeterminism becomes *choices*, variables
//! with a finite domain that belong to the step. A step that may be an error of the model is refused: bounds of all
//! operands prove that it is none (`ir::interval`). Over mathematical integers no number is too large, and only places that do
//! not exist are errors.

use crate::refused::Refused;
use crate::terms::{Node, TermId, Terms};
use std::collections::BTreeMap;
use swarmcheck_ir::flat::Layout;
use swarmcheck_ir::ground::{Act, Draw, Dynamic, Ground, Routine, Term};
use swarmcheck_ir::interval::Bounds;
use swarmcheck_ir::{BinaryOp, Program, UNDEF, Value};

/// Sets with more elements are not drawn from.
const MOST_DRAWN: i128 = 4096;
/// Arrays with more cells are not written at a computed index.
const MOST_CELLS: usize = 1024;

/// A step, or the initial block.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// All must hold for the step to be possible.
    pub conditions: Vec<TermId>,
    /// The cells that it writes, in ascending order, with their values.
    pub updates: Vec<(u32, TermId)>,
}

impl Step {
    /// Its terms: conditions, and what is written.
    pub fn terms(&self) -> impl Iterator<Item = &TermId> {
        self.conditions.iter().chain(self.updates.iter().map(|(_, term)| term))
    }
}

/// Which numbers terms are about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numbers {
    /// Those that fit a cell; a result that does not is an error of the model.
    Machine,
    /// All.
    Integers,
}

/// All steps of a program as terms.
pub struct Executed {
    /// The table of the terms.
    pub terms: Terms,
    /// The values that each choice can have.
    pub choices: Vec<Vec<Value>>,
    /// The initial block, from a state in which every cell is 0.
    pub initial: Step,
    /// The instances, in the order of the ground program; none where it is never possible.
    pub steps: Vec<Option<Step>>,
    /// The values that each cell can hold.
    pub bounds: Vec<Bounds>,
    numbers: Numbers,
}

/// Executes all instances.
pub fn execute(program: &Program, ground: &Ground, numbers: Numbers) -> Result<Executed, Refused> {
    let mut bounds = vec![];
    for (_, cell) in ground.layout.cells() {
        let var = program.var(cell.var);
        let numbers = var.domain.map_or(Bounds::ANY, |(lo, hi)| Bounds::of(lo.into(), hi.into()));
        bounds.push(Bounds { undef: var.may_be_undef, ..numbers });
    }
    let (terms, function) = (Terms::default(), String::new());
    let mut machine = Machine { terms, choices: vec![], bounds, function, numbers };
    machine.function = "the initial block".to_string();
    let zero = machine.terms.constant(0);
    let mut run = Run::new(&mut machine, ground.initial().locals());
    run.state.slots = (0..ground.width() as u32).map(|slot| (slot, zero)).collect();
    let path = run.machine.terms.truth();
    run.block(ground.initial().acts(), path)?;
    let initial = run.finish(true).unwrap_or_else(|| Step { conditions: vec![zero], updates: vec![] });
    let mut steps = vec![];
    for routine in ground.instances() {
        swarmcheck_ir::cancel::check();
        machine.function = program.functions[routine.instance.function as usize].name.clone();
        steps.push(machine.step(routine)?);
    }
    let Machine { terms, choices, bounds, .. } = machine;
    Ok(Executed { terms, choices, initial, steps, bounds, numbers })
}

/// Conditions that nobody runs, as terms.
pub fn conditions(executed: &mut Executed, terms: &[Term]) -> Result<Vec<TermId>, Refused> {
    let mut machine = Machine {
        terms: std::mem::take(&mut executed.terms),
        choices: vec![],
        bounds: executed.bounds.clone(),
        function: "the property".to_string(),
        numbers: executed.numbers,
    };
    let found = terms.iter().map(|term| Run::new(&mut machine, 0).term(term)).collect();
    executed.terms = machine.terms;
    found
}

struct Machine {
    terms: Terms,
    choices: Vec<Vec<Value>>,
    /// Of the cells.
    bounds: Vec<Bounds>,
    /// What is run.
    function: String,
    numbers: Numbers,
}

impl Machine {
    fn step(&mut self, routine: &Routine) -> Result<Option<Step>, Refused> {
        let mut run = Run::new(self, routine.locals());
        for &(slot, value) in routine.tests() {
            let cell = run.machine.terms.slot(slot);
            let test = run.machine.terms.is(cell, value);
            run.conditions.push(test);
        }
        let guard = run.term(routine.guard())?;
        run.conditions.push(guard);
        let path = run.machine.terms.truth();
        run.block(routine.body(), path)?;
        Ok(run.finish(false))
    }

    /// The bounds of an index. Over integers, what is left by a division is within its bounds however large the number is that
    /// was divided.
    fn index(&mut self, term: TermId) -> Bounds {
        let rest = match self.terms.node(term) {
            Node::Binary(BinaryOp::Mod, a, b) if self.numbers == Numbers::Integers => {
                let by = self.terms.value(*b).filter(|by| !matches!(*by, 0 | UNDEF));
                by.map(|by| (*a, i128::from(by).abs() - 1))
            }
            _ => None,
        };
        match rest {
            Some((divided, most)) => Bounds { undef: self.bounds(divided).undef, ..Bounds::of(0, most) },
            None => self.bounds(term),
        }
    }

    fn bounds(&mut self, term: TermId) -> Bounds {
        let (bounds, choices) = (&self.bounds, &self.choices);
        self.terms.bounds(term, &|leaf| match leaf {
            Node::Slot(slot) => bounds[*slot as usize],
            Node::Choice(choice) => {
                let values = choices[*choice as usize].iter();
                values.fold(Bounds::NONE, |all, value| all.hull(Bounds::exactly(*value)))
            }
            _ => Bounds::ANY,
        })
    }
}

/// Where an execution is.
#[derive(Clone)]
struct State {
    /// The cells that were written.
    slots: BTreeMap<u32, TermId>,
    locals: Vec<TermId>,
}

/// What a place may be.
struct Located {
    /// When it is which cell.
    cells: Vec<(TermId, u32)>,
    /// It is one of them.
    defined: TermId,
}

struct Run<'m> {
    machine: &'m mut Machine,
    state: State,
    conditions: Vec<TermId>,
}

impl<'m> Run<'m> {
    fn new(machine: &'m mut Machine, locals: u32) -> Run<'m> {
        let zero = machine.terms.constant(0);
        let state = State { slots: BTreeMap::new(), locals: vec![zero; locals as usize] };
        Run { machine, state, conditions: vec![] }
    }

    /// The step; none if it is never possible. Whether all cells are written, even if they keep their values.
    fn finish(self, whole: bool) -> Option<Step> {
        let Run { machine, state, conditions } = self;
        let all = machine.terms.and(conditions);
        let conditions = match machine.terms.node(all) {
            Node::Const(0) => return None,
            Node::Const(_) => vec![],
            Node::And(parts) => parts.to_vec(),
            _ => vec![all],
        };
        let changes = |terms: &Terms, slot: u32, term: TermId| *terms.node(term) != Node::Slot(slot);
        let updates = state.slots.into_iter();
        let updates = updates.filter(|(slot, term)| whole || changes(&machine.terms, *slot, *term)).collect();
        Some(Step { conditions, updates })
    }

    fn refuse<T>(&self, refused: fn(String) -> Refused) -> Result<T, Refused> {
        Err(refused(self.machine.function.clone()))
    }

    /// The result of an operation, which must not be an error: a number may be too large.
    fn safe(&mut self, term: TermId) -> Result<TermId, Refused> {
        match self.machine.numbers == Numbers::Machine && self.machine.bounds(term).fault {
            true => self.refuse(|function| Refused::MayFail { function }),
            false => Ok(term),
        }
    }

    /// A condition that must hold where the path is taken.
    fn require(&mut self, path: TermId, condition: TermId) {
        let elsewhere = self.machine.terms.not(path);
        let either = self.machine.terms.or([elsewhere, condition]);
        self.conditions.push(either);
    }

    fn slot(&mut self, slot: u32) -> TermId {
        match self.state.slots.get(&slot) {
            Some(&written) => written,
            None => self.machine.terms.slot(slot),
        }
    }

    fn choice(&mut self, values: Vec<Value>) -> TermId {
        if let [value] = values[..] {
            return self.machine.terms.constant(value);
        }
        self.machine.choices.push(values);
        self.machine.terms.choice(self.machine.choices.len() as u32 - 1)
    }

    fn term(&mut self, term: &Term) -> Result<TermId, Refused> {
        let found = match term {
            Term::Const(value) => self.machine.terms.constant(*value),
            Term::Slot(slot) => self.slot(*slot),
            Term::Local(local) => self.state.locals[*local as usize],
            Term::LocalCell { first, length, index, .. } => {
                let index = self.term(index)?;
                let cells = (0..*length).map(|cell| self.state.locals[(first + cell) as usize]).collect();
                return self.select(index, cells);
            }
            Term::Cell(place) => {
                let located = self.locate(place)?;
                let mut out = self.machine.terms.constant(UNDEF);
                for (when, slot) in located.cells.into_iter().rev() {
                    let value = self.slot(slot);
                    out = self.machine.terms.ite(when, value, out);
                }
                out
            }
            Term::Unary(op, e) => {
                let e = self.term(e)?;
                self.machine.terms.unary(*op, e)
            }
            Term::Binary(op, sides, _) => {
                let (a, b) = (self.term(&sides.0)?, self.term(&sides.1)?);
                let found = self.machine.terms.binary(*op, a, b);
                return self.safe(found);
            }
            Term::Is(slot, value) => {
                let cell = self.slot(*slot);
                self.machine.terms.is(cell, *value)
            }
            Term::IsNot(slot, value) => {
                let (cell, value) = (self.slot(*slot), self.machine.terms.constant(*value));
                self.machine.terms.binary(BinaryOp::Ne, cell, value)
            }
            Term::Compare(op, a, b) => {
                let (a, b) = (self.slot(*a), self.slot(*b));
                self.machine.terms.binary(*op, a, b)
            }
            Term::And(parts) => {
                let parts = self.terms(parts)?;
                self.machine.terms.and(parts)
            }
            Term::Or(parts) => {
                let parts = self.terms(parts)?;
                self.machine.terms.or(parts)
            }
            Term::If(parts) => {
                let (c, a, b) = (self.term(&parts.0)?, self.term(&parts.1)?, self.term(&parts.2)?);
                self.machine.terms.ite(c, a, b)
            }
            Term::Defined(e) => {
                let e = self.term(e)?;
                self.machine.terms.defined(e)
            }
            Term::Count(parts) => {
                let parts = self.terms(parts)?;
                self.machine.terms.count(parts)
            }
            Term::Table(table) => return self.term(table.term()),
        };
        Ok(found)
    }

    fn terms(&mut self, terms: &[Term]) -> Result<Vec<TermId>, Refused> {
        terms.iter().map(|term| self.term(term)).collect()
    }

    /// The element with an index, which must be inside; ⊥ if the index is.
    fn select(&mut self, index: TermId, cells: Vec<TermId>) -> Result<TermId, Refused> {
        self.within(index, cells.len())?;
        let undef = self.machine.terms.constant(UNDEF);
        let mut out = undef;
        for (at, cell) in cells.into_iter().enumerate().rev() {
            let here = self.machine.terms.is(index, at as Value);
            out = self.machine.terms.ite(here, cell, out);
        }
        Ok(out)
    }

    /// The index cannot leave an array of this length.
    fn within(&mut self, index: TermId, length: usize) -> Result<Bounds, Refused> {
        let bounds = self.machine.index(index);
        let inside = bounds.is_empty() || (bounds.lo >= 0 && bounds.hi < length as i128);
        match bounds.fault || !inside {
            true => self.refuse(|function| Refused::MayFail { function }),
            false => Ok(bounds),
        }
    }

    /// All cells that a place may be, each with when it is, and when its agent and indices are defined.
    fn locate(&mut self, place: &Dynamic) -> Result<Located, Refused> {
        let truth = self.machine.terms.truth();
        let mut defined = vec![];
        // When, the first cell of the copy, and the cell counted from there.
        let mut found: Vec<(TermId, u32, u32)> = vec![];
        match &place.agent {
            None => found.extend(place.copies.first().map(|first| (truth, *first, 0))),
            Some(agent) => {
                let agent = self.term(agent)?;
                let bounds = self.within(agent, place.copies.len())?;
                defined.extend(bounds.undef.then(|| self.machine.terms.defined(agent)));
                for (number, &first) in (0..).zip(&*place.copies) {
                    if !bounds.contains(number) {
                        continue;
                    }
                    if first == Layout::ABSENT {
                        return self.refuse(|function| Refused::MayFail { function });
                    }
                    found.push((self.machine.terms.is(agent, number as Value), first, 0));
                }
            }
        }
        for (index, &dimension) in place.index.iter().zip(&place.dimensions) {
            let index = self.term(index)?;
            let bounds = self.within(index, dimension as usize)?;
            defined.extend(bounds.undef.then(|| self.machine.terms.defined(index)));
            let mut finer = vec![];
            for &(when, first, offset) in &found {
                for at in (0..dimension).filter(|at| bounds.contains((*at).into())) {
                    let here = self.machine.terms.is(index, at.into());
                    finer.push((self.machine.terms.and([when, here]), first, offset * dimension + at));
                }
            }
            if finer.len() > MOST_CELLS {
                return self.refuse(|function| Refused::Place { function });
            }
            found = finer;
        }
        let cells = found.into_iter().map(|(when, first, offset)| (when, first + offset)).collect();
        Ok(Located { cells, defined: self.machine.terms.and(defined) })
    }

    fn block(&mut self, acts: &[Act], path: TermId) -> Result<(), Refused> {
        acts.iter().try_for_each(|act| self.act(act, path))
    }

    fn act(&mut self, act: &Act, path: TermId) -> Result<(), Refused> {
        match act {
            Act::Set(slot, value) => {
                let value = self.term(value)?;
                self.state.slots.insert(*slot, value);
            }
            Act::SetCell(place, value) => {
                let value = self.term(value)?;
                let located = self.locate(place)?;
                self.require(path, located.defined);
                for (when, slot) in located.cells {
                    let old = self.slot(slot);
                    let new = self.machine.terms.ite(when, value, old);
                    self.state.slots.insert(slot, new);
                }
            }
            Act::Fill { place, cells, set } => {
                let first = match &place.agent {
                    None => place.copies.first().copied(),
                    Some(Term::Const(agent)) => {
                        usize::try_from(*agent).ok().and_then(|at| place.copies.get(at).copied())
                    }
                    Some(_) => None,
                };
                let Some(first) = first.filter(|first| *first != Layout::ABSENT) else {
                    return self.refuse(|function| Refused::Place { function });
                };
                for cell in 0..*cells {
                    let value = self.draw(set, path)?;
                    self.state.slots.insert(first + cell, value);
                }
            }
            Act::Let(local, value) => self.state.locals[*local as usize] = self.term(value)?,
            Act::Havoc(local, set) => self.state.locals[*local as usize] = self.draw(set, path)?,
            Act::Pick { first, length, candidates } => {
                self.pick(*first as usize, *length as usize, candidates, path)?;
            }
            Act::Assume(condition) => {
                let condition = self.term(condition)?;
                self.require(path, condition);
            }
            Act::Check(place) => {
                self.locate(place)?;
            }
            Act::If(condition, yes, no) => {
                let condition = self.term(condition)?;
                self.branch(condition, path, yes, no)?;
            }
            Act::Choose(branches) => self.choose(branches, path)?,
            Act::Copy { to, from, cells } => {
                for cell in 0..*cells {
                    let value = self.slot(from + cell);
                    self.state.slots.insert(to + cell, value);
                }
            }
            Act::CopyBetween { copies, cells, to, from } => self.copy_between(copies, *cells, to, from)?,
            Act::Rank(slots) => {
                let values: Vec<TermId> = slots.iter().map(|slot| self.slot(*slot)).collect();
                for (at, &slot) in (0..).zip(slots) {
                    let rank = self.machine.terms.rank(at, values.clone());
                    self.state.slots.insert(slot, rank);
                }
            }
        }
        Ok(())
    }

    fn branch(&mut self, condition: TermId, path: TermId, yes: &[Act], no: &[Act]) -> Result<(), Refused> {
        match self.machine.terms.value(condition) {
            Some(0) => return self.block(no, path),
            Some(_) => return self.block(yes, path),
            None => {}
        }
        let before = self.state.clone();
        let here = self.machine.terms.and([path, condition]);
        self.block(yes, here)?;
        let after = std::mem::replace(&mut self.state, before);
        let not = self.machine.terms.not(condition);
        let there = self.machine.terms.and([path, not]);
        self.block(no, there)?;
        self.merge(condition, after);
        Ok(())
    }

    /// Puts another state and this one together: the other one where the condition holds.
    fn merge(&mut self, condition: TermId, other: State) {
        let mut slots: Vec<u32> = self.state.slots.keys().chain(other.slots.keys()).copied().collect();
        slots.sort_unstable();
        slots.dedup();
        for slot in slots {
            let no = self.slot(slot);
            let yes = other.slots.get(&slot).copied();
            let yes = yes.unwrap_or_else(|| self.machine.terms.slot(slot));
            let both = self.machine.terms.ite(condition, yes, no);
            self.state.slots.insert(slot, both);
        }
        for (at, yes) in other.locals.into_iter().enumerate() {
            let no = self.state.locals[at];
            self.state.locals[at] = self.machine.terms.ite(condition, yes, no);
        }
    }

    fn choose(&mut self, branches: &[(Term, Box<[Act]>)], path: TermId) -> Result<(), Refused> {
        let open: Vec<TermId> = branches.iter().map(|(when, _)| self.term(when)).collect::<Result<_, _>>()?;
        // Branches that are never open are not chosen.
        let possible: Vec<usize> =
            (0..branches.len()).filter(|at| self.machine.terms.value(open[*at]) != Some(0)).collect();
        if possible.is_empty() {
            let never = self.machine.terms.constant(0);
            self.require(path, never);
            return Ok(());
        }
        let chosen = self.choice(possible.iter().map(|at| *at as Value).collect());
        let mut ways = vec![];
        for &at in &possible {
            let here = self.machine.terms.is(chosen, at as Value);
            ways.push((here, self.machine.terms.and([here, open[at]])));
        }
        let some = self.machine.terms.or(ways.iter().map(|(_, way)| *way));
        self.require(path, some);
        let before = self.state.clone();
        let mut results = vec![];
        for (&at, &(here, _)) in possible.iter().zip(&ways) {
            self.state = before.clone();
            let path = self.machine.terms.and([path, here]);
            self.block(&branches[at].1, path)?;
            results.push((here, self.state.clone()));
        }
        for (here, result) in results {
            self.merge(here, result);
        }
        Ok(())
    }

    fn draw(&mut self, set: &Draw, path: TermId) -> Result<TermId, Refused> {
        match set {
            Draw::Values(values) => {
                let values = self.terms(values)?;
                if values.is_empty() {
                    let never = self.machine.terms.constant(0);
                    self.require(path, never);
                    return Ok(never);
                }
                let known: Option<Vec<Value>> = values.iter().map(|v| self.machine.terms.value(*v)).collect();
                if let Some(mut known) = known {
                    known.sort_unstable();
                    known.dedup();
                    return Ok(self.choice(known));
                }
                let chosen = self.choice((0..values.len() as Value).collect());
                let mut out = values[0];
                for (at, value) in values.into_iter().enumerate().skip(1) {
                    let here = self.machine.terms.is(chosen, at as Value);
                    out = self.machine.terms.ite(here, value, out);
                }
                Ok(out)
            }
            Draw::Range(lo, hi) => {
                let (lo, hi) = (self.term(lo)?, self.term(hi)?);
                let (low, high) = (self.machine.bounds(lo), self.machine.bounds(hi));
                if low.is_empty() || high.is_empty() || low.lo >= high.hi {
                    let never = self.machine.terms.constant(0);
                    self.require(path, never);
                    return Ok(never);
                }
                if low.fault || high.fault || high.hi - low.lo > MOST_DRAWN {
                    return self.refuse(|function| Refused::Choices { function });
                }
                let chosen = self.choice((low.lo as Value..high.hi as Value).collect());
                let above = self.machine.terms.binary(BinaryOp::Le, lo, chosen);
                let below = self.machine.terms.binary(BinaryOp::Lt, chosen, hi);
                let inside = self.machine.terms.and([above, below]);
                self.require(path, inside);
                Ok(chosen)
            }
        }
    }

    fn pick(
        &mut self,
        first: usize,
        length: usize,
        candidates: &[(u32, Term)],
        path: TermId,
    ) -> Result<(), Refused> {
        let fits: Vec<TermId> =
            candidates.iter().map(|(_, when)| self.term(when)).collect::<Result<_, _>>()?;
        for taken in 0..length {
            if candidates.len() <= taken {
                let never = self.machine.terms.constant(0);
                self.require(path, never);
                return Ok(());
            }
            let chosen = self.choice(candidates.iter().map(|(agent, _)| (*agent).into()).collect());
            let mut ways = vec![];
            for ((agent, _), fit) in candidates.iter().zip(&fits) {
                let here = self.machine.terms.is(chosen, (*agent).into());
                ways.push(self.machine.terms.and([here, *fit]));
            }
            let some = self.machine.terms.or(ways);
            self.require(path, some);
            for before in 0..taken {
                let other = self.state.locals[first + before];
                let apart = self.machine.terms.binary(BinaryOp::Ne, chosen, other);
                self.require(path, apart);
            }
            self.state.locals[first + taken] = chosen;
        }
        Ok(())
    }

    fn copy_between(&mut self, copies: &[u32], cells: u32, to: &Term, from: &Term) -> Result<(), Refused> {
        let (to, from) = (self.term(to)?, self.term(from)?);
        let (targets, sources) = (self.within(to, copies.len())?, self.within(from, copies.len())?);
        let there = |bounds: Bounds| {
            let all = (0..)
                .zip(copies)
                .filter(move |(at, first)| bounds.contains(*at) && **first != Layout::ABSENT);
            all.map(|(at, first)| (at as Value, *first)).collect::<Vec<_>>()
        };
        for cell in 0..cells {
            let mut value = self.machine.terms.constant(UNDEF);
            for (at, first) in there(sources) {
                let here = self.machine.terms.is(from, at);
                let read = self.slot(first + cell);
                value = self.machine.terms.ite(here, read, value);
            }
            for (at, first) in there(targets) {
                let here = self.machine.terms.is(to, at);
                let old = self.slot(first + cell);
                let new = self.machine.terms.ite(here, value, old);
                self.state.slots.insert(first + cell, new);
            }
        }
        Ok(())
    }
}
