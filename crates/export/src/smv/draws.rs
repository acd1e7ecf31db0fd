//! Symbolic execution of draws: one path for each element, or one path with an input; and ranks.

use super::paths::{Input, MOST_PATHS, Path, Runner, Who, agents};
use crate::term::Term;
use crate::total::Total;
use crate::{Refusal, refuse};
use swarmcheck_ir::flat::Layout;
use swarmcheck_ir::{BinaryOp, Expr, KindId, LocalId, Place, Set, VarId};

impl Runner<'_> {
    /// Fills an array.
    pub(super) fn fill(&self, path: Path, place: &Place, set: &Set, who: &Who) -> Result<Vec<Path>, Refusal> {
        let mut path = path;
        let first = match &place.agent {
            None => Some(self.layout.global(place.var)),
            Some(e) => {
                let agent = self.total(e, &path, who)?;
                let Term::Number(number) = agent.value else {
                    return refuse("a step fills an array of an agent that is not known statically");
                };
                self.fails(&mut path, agent.wrong);
                u32::try_from(number).ok().and_then(|a| self.layout.copy(place.var, a))
            }
        };
        // An agent without the variable disables the step.
        let Some(first) = first else { return Ok(path.only_errors()) };
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
                    return refuse("a step has too many alternatives: draw from smaller sets");
                }
            }
            paths = after;
        }
        Ok(paths)
    }

    /// All elements of a set, each with the path that draws it.
    pub(super) fn draw(&self, mut path: Path, set: &Set, who: &Who) -> Result<Vec<(Path, Total)>, Refusal> {
        let nothing = || Total::sure(Term::Number(0), (0, 0));
        match set {
            Set::Values(values) => {
                let mut out: Vec<(Path, Total)> = vec![];
                if values.is_empty() {
                    out.extend(path.only_errors().into_iter().map(|path| (path, nothing())));
                }
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
                    return refuse("a step has too many alternatives: draw from smaller sets");
                }
                let mut out: Vec<(Path, Total)> =
                    path.only_errors().into_iter().map(|path| (path, nothing())).collect();
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
        if lo == hi {
            return Term::Number(lo);
        }
        let mut inputs = self.inputs.borrow_mut();
        let name = format!("draw__{}", inputs.len());
        inputs.push(Input { name: name.clone(), lo, hi });
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

    /// Draws agents, one after the other.
    pub(super) fn pick(
        &self,
        path: Path,
        local: LocalId,
        kinds: &[KindId],
        bound: u32,
        condition: &Expr,
        who: &Who,
    ) -> Result<Vec<Path>, Refusal> {
        let length = path.locals.get(local.0 as usize).map_or(0, Vec::len);
        let mut paths: Vec<(Path, Vec<u32>)> = vec![(path, vec![])];
        for place in 0..length {
            let mut after = vec![];
            for (path, taken) in paths {
                after.extend(path.only_errors().into_iter().map(|path| (path, taken.clone())));
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

    /// Dense ranks: the rank of a value is the number of smaller values that some agent has.
    pub(super) fn rank(&self, path: &mut Path, var: VarId) {
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
