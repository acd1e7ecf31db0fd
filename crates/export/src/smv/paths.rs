//! Symbolic execution of a block of statements on terms: what every cell is afterwards, as terms over what cells were
//! before.
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
use swarmcheck_ir::{BinaryOp, Expr, KindId, LocalId, Place, Program, Stmt, VarId};

/// More alternatives of one step are refused.
pub(super) const MOST_PATHS: usize = 2000;
/// Smaller terms need no name.
const SMALL: usize = 4;

/// One way through a block.
#[derive(Clone)]
pub(super) struct Path {
    /// The content of all cells.
    pub(super) cells: Vec<Term>,
    /// The locals: scalars have one value, arrays several.
    pub(super) locals: Vec<Vec<Total>>,
    /// When it can be taken.
    pub(super) possible: Term,
    /// When it meets an error of the model, if it can be taken so far.
    pub(super) wrong: Term,
}

impl Path {
    /// Whether it can be taken, or meets an error before it turns out that it cannot.
    fn matters(&self) -> bool {
        self.possible != Term::FALSE || self.wrong != Term::FALSE
    }

    /// Before a path divides: what is left of it if no part can be taken, which is its errors so far.
    pub(super) fn only_errors(&self) -> Vec<Path> {
        let rest = Path { possible: Term::FALSE, ..self.clone() };
        if rest.matters() { vec![rest] } else { vec![] }
    }
}

/// A named term of the module.
pub(super) struct Define {
    pub name: String,
    pub term: Term,
    pub is_condition: bool,
}

/// An input variable of the module, with its bounds included.
pub(super) struct Input {
    pub name: String,
    pub lo: i64,
    pub hi: i64,
}

/// What all blocks of a file share.
pub(super) struct Runner<'a> {
    pub(super) program: &'a Program,
    /// The slots of its cells.
    pub(super) layout: &'a Layout,
    /// The values that variables can have.
    pub(super) known: Vec<Known>,
    /// The encoding of ⊥.
    pub(super) undefined: i64,
    /// Named terms so far.
    pub(super) defines: RefCell<Vec<Define>>,
    /// Inputs that the initial block draws from. Elsewhere draws are paths.
    pub(super) inputs: RefCell<Vec<Input>>,
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
        // Both are compared with every number that they may be.
        let (agent, cell) =
            (agent.map(|agent| self.runner.named(agent.clone())), self.runner.named(cell.clone()));
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
    pub(super) fn named(&self, t: Term) -> Term {
        self.defined(self.plain(t))
    }

    /// A term in words that SMV has.
    pub(super) fn plain(&self, t: Term) -> Term {
        plain(t, &|t| self.defined(t))
    }

    /// A name for a term in words that SMV has.
    pub(super) fn defined(&self, t: Term) -> Term {
        if t.size() <= SMALL {
            return t;
        }
        let mut defines = self.defines.borrow_mut();
        let is_condition = t.is_condition();
        if let Some(Define { name, .. }) = defines.iter().find(|known| known.term == t) {
            let name = name.clone();
            return if is_condition { Term::Flag(name) } else { Term::Name(name) };
        }
        let name = format!("{}__t{}", self.prefix, defines.len());
        defines.push(Define { name: name.clone(), term: t, is_condition });
        if is_condition { Term::Flag(name) } else { Term::Name(name) }
    }

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
        // A scalar is an array of one cell, which is never read as an array.
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
                    return refuse("a step has too many alternatives: draw from smaller sets");
                }
            }
            paths = after.into_iter().filter(Path::matters).collect();
        }
        Ok(paths)
    }

    /// The path meets an error of the model if the condition holds.
    pub(super) fn fails(&self, path: &mut Path, wrong: Term) {
        let here = Term::all([path.possible.clone(), Term::not(path.wrong.clone()), wrong]);
        path.wrong = self.named(Term::any([path.wrong.clone(), here]));
    }

    /// The path is possible only if the condition holds.
    pub(super) fn needs(&self, path: &mut Path, condition: Term) {
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
                return self.pick(path, *local, kinds, *bound, condition, who);
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
                let mut out = path.only_errors();
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

    /// Sets a cell of a local.
    pub(super) fn set(
        &self,
        path: &mut Path,
        local: LocalId,
        cell: usize,
        value: Total,
    ) -> Result<(), Refusal> {
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

    /// Writes to the slot whose condition holds.
    pub(super) fn store(&self, path: &mut Path, slots: Vec<(Term, u32)>, value: Term) {
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
            here.slots(place.var, agent.as_ref(), &cell)
        };
        let value = value.stored(Term::Number(self.undefined));
        self.store(path, slots, value);
        Ok(())
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
}

/// The agents of some kinds, in order.
pub(super) fn agents(program: &Program, kinds: &[KindId]) -> Vec<u32> {
    spans(program, kinds).into_iter().flat_map(|(first, last)| first..=last).collect()
}
