//! Running a block of statements on terms: what every cell is afterwards, as terms over what cells were before.
//!
//! Whatever is chosen gives one path for each alternative; a path knows when it is possible and when it goes wrong. So a
//! path leaves nothing open, and whether a step is possible at all is known in the state before it. Values that would
//! make terms grow get a name (`DEFINE`).

use super::text::plain;
use crate::term::Term;
use crate::total::{Cells, Known, LocalValue, Scope, Total, spans};
use crate::{Refusal, refuse};
use std::cell::RefCell;
use swarmcheck_ir::flat::Layout;
use swarmcheck_ir::{BinaryOp, Expr, KindId, LocalId, Place, Program, Set, Stmt, VarId};

/// More alternatives of one step are refused.
const MOST_PATHS: usize = 2000;
/// Smaller terms need no name.
const SMALL: usize = 4;

/// One way through a block.
#[derive(Clone)]
pub(super) struct Path {
    /// The content of all cells.
    pub(super) cells: Vec<Term>,
    /// The locals: scalars have one value, arrays several.
    locals: Vec<Vec<Total>>,
    /// When it can be taken.
    pub(super) possible: Term,
    /// When it meets an error of the model, if it can be taken so far.
    pub(super) wrong: Term,
}

/// What all blocks of a file share.
pub(super) struct Runner<'a> {
    /// The program.
    pub(super) program: &'a Program,
    /// Where its cells are.
    pub(super) layout: &'a Layout,
    /// What variables can be.
    pub(super) known: Vec<Known>,
    /// What stands for ⊥.
    pub(super) undefined: i64,
    /// Named terms so far: name, term, and whether it is a condition.
    pub(super) defines: RefCell<Vec<(String, Term, bool)>>,
    /// Inputs that the initial block draws from: name and bounds. Elsewhere draws are paths.
    pub(super) inputs: RefCell<Vec<(String, i64, i64)>>,
    /// Whether draws are inputs.
    pub(super) draws_inputs: bool,
    /// What names begin with.
    pub(super) prefix: String,
}

/// The cells of one path, for expressions.
struct Here<'a> {
    runner: &'a Runner<'a>,
    cells: &'a [Term],
}

impl Here<'_> {
    /// The slots that a place may mean, each with the condition that it does.
    fn slots(&self, var: VarId, agent: Option<&Term>, cell: &Term) -> Vec<(Term, u32)> {
        let layout = self.runner.layout;
        let count = self.runner.program.var(var).cells() as u32;
        let copies: Vec<(Term, u32)> = match agent {
            None => vec![(Term::TRUE, layout.global(var))],
            Some(agent) => (0..)
                .zip(layout.copies(var))
                .filter(|(_, slot)| **slot != Layout::ABSENT)
                .map(|(number, slot)| {
                    (Term::compare(BinaryOp::Eq, agent.clone(), Term::Number(number)), *slot)
                })
                .collect(),
        };
        let mut out = vec![];
        for (is, first) in copies {
            for index in 0..count {
                let here = Term::compare(BinaryOp::Eq, cell.clone(), Term::Number(i64::from(index)));
                let both = Term::all([is.clone(), here]);
                if both != Term::FALSE {
                    out.push((both, first + index));
                }
            }
        }
        out
    }
}

impl Cells for Here<'_> {
    fn read(&self, var: VarId, agent: Option<&Term>, cell: &Term) -> Result<Term, Refusal> {
        let mut slots = self.slots(var, agent, cell).into_iter().rev();
        let content = |slot: u32| self.cells[slot as usize].clone();
        let Some((_, last)) = slots.next() else { return Ok(Term::Number(0)) };
        Ok(slots.fold(content(last), |rest, (is, slot)| Term::choice(is, content(slot), rest)))
    }

    fn known(&self, var: VarId) -> Known {
        self.runner.known[var.0 as usize]
    }

    fn undefined(&self) -> Term {
        Term::Number(self.runner.undefined)
    }

    fn limits(&self) -> (i64, i64) {
        (-2_147_483_646, 2_147_483_646)
    }
}

/// Who runs a block, and which agents are bound.
#[derive(Clone, Default)]
pub(super) struct Who {
    /// The agent.
    pub(super) me: Option<u32>,
    /// Bound agents.
    pub(super) bound: Vec<(u32, u32)>,
}

impl Runner<'_> {
    /// A path that has not begun.
    pub(super) fn start(&self, cells: Vec<Term>, locals: &[swarmcheck_ir::Local]) -> Path {
        let zero = || Total::sure(Term::Number(0), (0, 0));
        let local = |l: &swarmcheck_ir::Local| vec![zero(); l.length.unwrap_or(1) as usize];
        Path { cells, locals: locals.iter().map(local).collect(), possible: Term::TRUE, wrong: Term::FALSE }
    }

    /// A name for a term, unless it is small.
    fn named(&self, t: Term) -> Term {
        let t = plain(t);
        if t.size() <= SMALL {
            return t;
        }
        let mut defines = self.defines.borrow_mut();
        let is_condition = t.is_condition();
        if let Some((name, ..)) = defines.iter().find(|(_, known, _)| *known == t) {
            let name = name.clone();
            return if is_condition { Term::Flag(name) } else { Term::Name(name) };
        }
        let name = format!("{}__t{}", self.prefix, defines.len());
        defines.push((name.clone(), t, is_condition));
        if is_condition { Term::Flag(name) } else { Term::Name(name) }
    }

    /// An expression where a path is.
    pub(super) fn total(&self, e: &Expr, path: &Path, who: &Who) -> Result<Total, Refusal> {
        self.with(path, who, |scope| scope.total(e))
    }

    fn with<T>(
        &self,
        path: &Path,
        who: &Who,
        ask: impl FnOnce(&mut Scope<'_>) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let here = Here { runner: self, cells: &path.cells };
        let agent = |a: u32| {
            let total = Total::agent(self.program, Term::Number(i64::from(a)), &[self.program.kind_of(a)]);
            Total { bounds: (i64::from(a), i64::from(a)), ..total }
        };
        // A scalar is an array of one cell, which nobody reads as an array.
        let local = |values: &Vec<Total>| LocalValue {
            scalar: values.first().cloned().unwrap_or_else(|| Total::sure(Term::Number(0), (0, 0))),
            array: None,
            cells: values.clone(),
        };
        let mut scope = Scope {
            program: self.program,
            cells: &here,
            me: who.me.map(agent),
            bound: who.bound.iter().map(|(bound, a)| (*bound, agent(*a))).collect(),
            locals: path.locals.iter().map(local).collect(),
        };
        ask(&mut scope)
    }

    /// All ways through a block.
    pub(super) fn block(&self, block: &[Stmt], paths: Vec<Path>, who: &Who) -> Result<Vec<Path>, Refusal> {
        let mut paths = paths;
        for stmt in block {
            let mut after = vec![];
            for path in paths {
                after.extend(self.stmt(stmt, path, who)?);
                if after.len() > MOST_PATHS {
                    return refuse(
                        "a step has too many alternatives: what is drawn must be from smaller sets",
                    );
                }
            }
            paths = after.into_iter().filter(|p| p.possible != Term::FALSE).collect();
        }
        Ok(paths)
    }

    fn fails(&self, path: &mut Path, wrong: Term) {
        let here = Term::all([path.possible.clone(), Term::not(path.wrong.clone()), wrong]);
        path.wrong = self.named(Term::any([path.wrong.clone(), here]));
    }

    fn needs(&self, path: &mut Path, condition: Term) {
        path.possible = self.named(Term::all([path.possible.clone(), condition]));
    }

    fn stmt(&self, stmt: &Stmt, mut path: Path, who: &Who) -> Result<Vec<Path>, Refusal> {
        match stmt {
            Stmt::Assign(place, e) => {
                let value = self.total(e, &path, who)?;
                self.assign(&mut path, place, value, who)?;
            }
            Stmt::Fill(place, set) => return self.fill(path, place, set, who),
            Stmt::Let(local, e) => {
                let value = self.total(e, &path, who)?;
                self.fails(&mut path, value.wrong.clone());
                self.set(&mut path, *local, 0, value)?;
            }
            Stmt::Havoc(local, set) => {
                let mut out = vec![];
                for (mut path, value) in self.draw(path, set, who)? {
                    self.set(&mut path, *local, 0, value)?;
                    out.push(path);
                }
                return Ok(out);
            }
            Stmt::Pick { local, kinds, bound, condition } => {
                return self.pick(path, *local, kinds, (*bound, condition), who);
            }
            Stmt::Assume(e) => {
                let e = self.total(e, &path, who)?;
                self.fails(&mut path, e.wrong.clone());
                self.needs(&mut path, e.truth());
            }
            Stmt::Check(place) => {
                let place = self.with(&path, who, |scope| scope.place(place))?;
                self.fails(&mut path, place.wrong);
            }
            Stmt::If(c, yes, no) => return self.conditional(path, c, yes, no, who),
            Stmt::Choose(branches) => {
                let mut conditions = vec![];
                for (condition, _) in branches {
                    conditions.push(self.total(condition, &path, who)?);
                }
                let wrong = Term::any(conditions.iter().map(|c| c.wrong.clone()));
                self.fails(&mut path, wrong);
                let mut out = vec![];
                for (condition, (_, body)) in conditions.into_iter().zip(branches) {
                    let mut branch = path.clone();
                    self.needs(&mut branch, condition.truth());
                    if branch.possible != Term::FALSE {
                        out.extend(self.block(body, vec![branch], who)?);
                    }
                }
                return Ok(out);
            }
            Stmt::ForEach(kinds, bound, body) => {
                let mut paths = vec![path];
                for agent in agents(self.program, kinds) {
                    let mut inside = who.clone();
                    inside.bound.push((*bound, agent));
                    paths = self.block(body, paths, &inside)?;
                }
                return Ok(paths);
            }
            Stmt::Copy(var, to, from) => {
                let (to, from) = (self.total(to, &path, who)?, self.total(from, &path, who)?);
                for index in 0..self.program.var(*var).cells() as i64 {
                    let here = Here { runner: self, cells: &path.cells };
                    let value = here.read(*var, Some(&from.value), &Term::Number(index))?;
                    let slots = here.slots(*var, Some(&to.value), &Term::Number(index));
                    self.store(&mut path, slots, value);
                }
            }
            Stmt::Rank(var) => self.rank(&mut path, *var),
        }
        Ok(vec![path])
    }

    fn set(&self, path: &mut Path, local: LocalId, cell: usize, value: Total) -> Result<(), Refusal> {
        let value = Total {
            value: self.named(value.value),
            undefined: self.named(value.undefined),
            wrong: Term::FALSE,
            ..value
        };
        match path.locals.get_mut(local.0 as usize).and_then(|l| l.get_mut(cell)) {
            Some(place) => *place = value,
            None => return refuse("a local is used that the function does not have"),
        }
        Ok(())
    }

    fn store(&self, path: &mut Path, slots: Vec<(Term, u32)>, value: Term) {
        let value = self.named(value);
        for (is, slot) in slots {
            let before = path.cells[slot as usize].clone();
            path.cells[slot as usize] = self.named(Term::choice(is, value.clone(), before));
        }
    }

    fn assign(&self, path: &mut Path, place: &Place, value: Total, who: &Who) -> Result<(), Refusal> {
        let (target, agent, cell) = self.with(path, who, |scope| {
            let target = scope.place(place)?;
            let agent = match &place.agent {
                None => None,
                Some(e) => Some(scope.total(e)?.value),
            };
            let mut cell = Term::Number(0);
            for (e, dimension) in place.index.iter().zip(self.program.var(place.var).dimensions.clone()) {
                let row = Term::binary(BinaryOp::Mul, cell, Term::Number(i64::from(dimension)));
                cell = Term::binary(BinaryOp::Add, row, scope.total(e)?.value);
            }
            Ok((target, agent, cell))
        })?;
        self.fails(path, Term::any([value.wrong.clone(), target.wrong]));
        self.needs(path, Term::not(target.undefined));
        let slots = {
            let here = Here { runner: self, cells: &path.cells };
            here.slots(place.var, agent.as_ref(), &plain(cell))
        };
        let value = value.stored(Term::Number(self.undefined));
        self.store(path, slots, value);
        Ok(())
    }

    fn fill(&self, path: Path, place: &Place, set: &Set, who: &Who) -> Result<Vec<Path>, Refusal> {
        let mut path = path;
        let first = match &place.agent {
            None => Some(self.layout.global(place.var)),
            Some(e) => {
                let agent = self.total(e, &path, who)?;
                let Term::Number(number) = agent.value else {
                    return refuse("a whole array of an agent that is not known is filled");
                };
                self.fails(&mut path, agent.wrong);
                u32::try_from(number).ok().and_then(|a| self.layout.copy(place.var, a))
            }
        };
        // An agent without the variable disables the step.
        let Some(first) = first else { return Ok(vec![]) };
        let mut paths = vec![path];
        for cell in 0..self.program.var(place.var).cells() as u32 {
            let mut after = vec![];
            for path in paths {
                for (mut path, value) in self.draw(path, set, who)? {
                    let value = value.stored(Term::Number(self.undefined));
                    self.store(&mut path, vec![(Term::TRUE, first + cell)], value);
                    after.push(path);
                }
                if after.len() > MOST_PATHS {
                    return refuse(
                        "a step has too many alternatives: what is drawn must be from smaller sets",
                    );
                }
            }
            paths = after;
        }
        Ok(paths)
    }

    /// All elements of a set, each with the path that draws it.
    fn draw(&self, mut path: Path, set: &Set, who: &Who) -> Result<Vec<(Path, Total)>, Refusal> {
        match set {
            Set::Values(values) => {
                let mut out = vec![];
                for e in values {
                    let mut path = path.clone();
                    let value = self.total(e, &path, who)?;
                    self.fails(&mut path, value.wrong.clone());
                    out.push((path, value));
                }
                if self.draws_inputs && out.len() > 1 {
                    return self.one_of(path, out);
                }
                Ok(out)
            }
            Set::Range(lo, hi) => {
                let (lo, hi) = (self.total(lo, &path, who)?, self.total(hi, &path, who)?);
                self.fails(&mut path, Term::any([lo.wrong, hi.wrong]));
                self.needs(&mut path, Term::not(Term::any([lo.undefined, hi.undefined])));
                let (first, end) = (lo.bounds.0, hi.bounds.1);
                let fits = |value: &Term| {
                    Term::all([
                        Term::compare(BinaryOp::Ge, value.clone(), lo.value.clone()),
                        Term::compare(BinaryOp::Lt, value.clone(), hi.value.clone()),
                    ])
                };
                if self.draws_inputs && end > first {
                    let input = self.input(first, end - 1);
                    if lo.bounds.0 != lo.bounds.1 || hi.bounds.0 != hi.bounds.1 {
                        self.needs(&mut path, fits(&input));
                    }
                    return Ok(vec![(path, Total::sure(input, (first, end - 1)))]);
                }
                if end.saturating_sub(first) > MOST_PATHS as i64 {
                    return refuse(
                        "a step has too many alternatives: what is drawn must be from smaller sets",
                    );
                }
                let mut out = vec![];
                for value in first..end {
                    let mut path = path.clone();
                    self.needs(&mut path, fits(&Term::Number(value)));
                    if path.possible != Term::FALSE {
                        out.push((path, Total::sure(Term::Number(value), (value, value))));
                    }
                }
                Ok(out)
            }
        }
    }

    /// A new input between two numbers.
    fn input(&self, lo: i64, hi: i64) -> Term {
        let mut inputs = self.inputs.borrow_mut();
        let name = format!("draw__{}", inputs.len());
        inputs.push((name.clone(), lo, hi));
        Term::Name(name)
    }

    /// One path whose value depends on an input, in place of several.
    fn one_of(&self, path: Path, all: Vec<(Path, Total)>) -> Result<Vec<(Path, Total)>, Refusal> {
        let input = self.input(0, all.len() as i64 - 1);
        let mut merged: Option<(Path, Total)> = None;
        for (number, (branch, value)) in all.into_iter().enumerate().rev() {
            merged = Some(match merged {
                None => (branch, value),
                Some((rest, other)) => {
                    let is = Term::compare(BinaryOp::Eq, input.clone(), Term::Number(number as i64));
                    let choose = |a: Term, b: Term| Term::choice(is.clone(), a, b);
                    let total = Total {
                        value: choose(value.value, other.value),
                        undefined: choose(value.undefined, other.undefined),
                        bounds: (value.bounds.0.min(other.bounds.0), value.bounds.1.max(other.bounds.1)),
                        ..Total::sure(Term::Number(0), (0, 0))
                    };
                    let wrong = self.named(choose(branch.wrong, rest.wrong));
                    (Path { wrong, ..path.clone() }, total)
                }
            });
        }
        Ok(merged.into_iter().collect())
    }

    fn pick(
        &self,
        path: Path,
        local: LocalId,
        kinds: &[KindId],
        (bound, condition): (u32, &Expr),
        who: &Who,
    ) -> Result<Vec<Path>, Refusal> {
        let length = path.locals.get(local.0 as usize).map_or(0, Vec::len);
        let mut paths: Vec<(Path, Vec<u32>)> = vec![(path, vec![])];
        for place in 0..length {
            let mut after = vec![];
            for (path, taken) in paths {
                for agent in agents(self.program, kinds) {
                    if who.me == Some(agent) || taken.contains(&agent) {
                        continue;
                    }
                    let mut path = path.clone();
                    let mut inside = who.clone();
                    inside.bound.push((bound, agent));
                    let fits = self.total(condition, &path, &inside)?;
                    self.fails(&mut path, fits.wrong.clone());
                    self.needs(&mut path, fits.truth());
                    let number = i64::from(agent);
                    self.set(&mut path, local, place, Total::sure(Term::Number(number), (number, number)))?;
                    let taken = taken.iter().copied().chain([agent]).collect();
                    after.push((path, taken));
                }
            }
            paths = after;
        }
        Ok(paths.into_iter().map(|(path, _)| path).collect())
    }

    fn conditional(
        &self,
        mut path: Path,
        c: &Expr,
        yes: &[Stmt],
        no: &[Stmt],
        who: &Who,
    ) -> Result<Vec<Path>, Refusal> {
        let c = self.total(c, &path, who)?;
        self.fails(&mut path, c.wrong.clone());
        let holds = self.named(c.truth());
        match holds {
            Term::Number(0) => return self.block(no, vec![path], who),
            Term::Number(_) => return self.block(yes, vec![path], who),
            _ => {}
        }
        let before = path.possible.clone();
        let ways = (self.block(yes, vec![path.clone()], who)?, self.block(no, vec![path], who)?);
        let both = |a: Term, b: Term| self.named(Term::choice(holds.clone(), a, b));
        if let ([a], [b]) = (ways.0.as_slice(), ways.1.as_slice()) {
            let cells = a.cells.iter().zip(&b.cells).map(|(x, y)| both(x.clone(), y.clone())).collect();
            let total = |x: &Total, y: &Total| Total {
                value: both(x.value.clone(), y.value.clone()),
                undefined: both(x.undefined.clone(), y.undefined.clone()),
                bounds: (x.bounds.0.min(y.bounds.0), x.bounds.1.max(y.bounds.1)),
                ..Total::sure(Term::Number(0), (0, 0))
            };
            let locals = a.locals.iter().zip(&b.locals);
            let locals = locals.map(|(x, y)| x.iter().zip(y).map(|(x, y)| total(x, y)).collect()).collect();
            let possible = match a.possible == before && b.possible == before {
                true => before,
                false => both(a.possible.clone(), b.possible.clone()),
            };
            let wrong = both(a.wrong.clone(), b.wrong.clone());
            return Ok(vec![Path { cells, locals, possible, wrong }]);
        }
        let mut out = vec![];
        for (list, needed) in [(ways.0, holds.clone()), (ways.1, Term::not(holds.clone()))] {
            for mut path in list {
                path.wrong = self.named(Term::all([needed.clone(), path.wrong.clone()]));
                self.needs(&mut path, needed.clone());
                out.push(path);
            }
        }
        Ok(out)
    }

    /// Dense ranks: the rank of a value is the number of smaller values that somebody has.
    fn rank(&self, path: &mut Path, var: VarId) {
        let slots: Vec<u32> =
            self.layout.copies(var).iter().copied().filter(|s| *s != Layout::ABSENT).collect();
        let top = self.known[var.0 as usize].bounds.1.max(slots.len() as i64);
        let content: Vec<Term> = slots.iter().map(|s| path.cells[*s as usize].clone()).collect();
        let is = |t: &Term, v: i64| Term::compare(BinaryOp::Eq, t.clone(), Term::Number(v));
        // For each value, how many smaller ones occur.
        let mut below = vec![Term::Number(0)];
        for value in 0..top {
            let there = self.named(Term::any(content.iter().map(|t| is(t, value))));
            let more = Term::choice(there, Term::Number(1), Term::Number(0));
            let last = below.last().cloned().unwrap_or(Term::Number(0));
            below.push(self.named(Term::binary(BinaryOp::Add, last, more)));
        }
        for (slot, old) in slots.into_iter().zip(&content) {
            let mut new = Term::Number(0);
            for (value, rank) in below.iter().enumerate().rev() {
                new = Term::choice(is(old, value as i64), rank.clone(), new);
            }
            path.cells[slot as usize] = self.named(new);
        }
    }
}

/// The agents of some kinds, in order.
pub(super) fn agents(program: &Program, kinds: &[KindId]) -> Vec<u32> {
    spans(program, kinds).into_iter().flat_map(|(first, last)| first..=last).collect()
}
