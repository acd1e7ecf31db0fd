//! Looking for values that satisfy all conditions.
//!
//! Backtracking with forward checking: when one cell of a condition is open, its values that the condition refuses are
//! taken away; when more are open, bounds tell whether the condition can still hold. Next comes the cell with the fewest
//! values left, divided by how often its conditions have failed. Ranges too large to be listed are halved.
//!
//! A search that gets nowhere starts again, and each time it may take longer. The weights are kept, so it is not the same
//! search again; and because it may take longer, it is exhaustive in the end. Effort is counted in evaluations of
//! conditions, never in time, so that results depend on the problem and the seed alone.

use super::bounds::bounds;
use super::distinct;
use super::problem::{Problem, Values};
use crate::arith::Value;
use crate::flat::Chooser;
use crate::ground::Runner;
use crate::interval::Bounds;

/// Sets with more values than this are kept as ranges.
const LISTED: u64 = 4096;
/// Ranges with so many values are not halved any more.
const FEW: u64 = 16;
/// The effort of the first attempt.
const PATIENCE: u64 = 1 << 14;
/// So much is done between two looks whether to stop.
const LOOK: u64 = 1 << 10;

/// In which order values are tried.
pub enum Order<'r> {
    /// From the first to the last: what is found depends on the problem alone.
    Ascending,
    /// In random order.
    Random(&'r mut dyn Chooser),
}

/// What a search has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// Which value each variable has, as a choice among its values.
    Values(Vec<u64>),
    /// No values satisfy the conditions: every way was tried, or counting shows it.
    None,
    /// The effort allowed was not enough.
    GaveUp,
    Stopped,
}

/// The values that a variable may still have, as choices.
#[derive(Clone, Debug)]
pub(super) enum Domain {
    /// The first `left` of these.
    Listed { choices: Vec<u32>, left: usize },
    /// From the first to the second, both included.
    Range(u64, u64),
}

impl Domain {
    fn all(values: &Values) -> Domain {
        match values {
            Values::Range(_, n) if *n > LISTED => Domain::Range(0, n - 1),
            values => {
                let n = values.len() as usize;
                Domain::Listed { choices: (0..n as u32).collect(), left: n }
            }
        }
    }

    fn len(&self) -> u64 {
        match self {
            Domain::Listed { left, .. } => *left as u64,
            Domain::Range(lo, hi) => (hi - lo).saturating_add(1),
        }
    }

    /// The choices left, if they are listed.
    pub(super) fn listed(&self) -> Option<&[u32]> {
        match self {
            Domain::Listed { choices, left } => Some(&choices[..*left]),
            Domain::Range(..) => None,
        }
    }
}

/// What can be tried for a variable.
#[derive(Clone, Copy, Debug)]
enum Try {
    Choice(u64),
    Half(u64, u64),
}

struct Frame {
    variable: usize,
    tries: Vec<Try>,
    next: usize,
    /// How long the trail was before.
    mark: usize,
}

/// What was changed, to be taken back.
enum Change {
    Left(usize, usize),
    Range(usize, u64, u64),
    Assigned(usize),
}

/// Why propagation ended early.
enum Dead {
    /// This condition cannot hold.
    End(usize),
    Stopped,
}

pub(super) struct Search<'p, 's> {
    problem: &'p Problem,
    runner: Runner,
    state: Vec<Value>,
    pub(super) domains: Vec<Domain>,
    bounds: Vec<Bounds>,
    /// The variable of each slot, or `usize::MAX`.
    of_slot: Vec<usize>,
    of_variable: Vec<Vec<usize>>,
    chosen: Vec<Option<u64>>,
    open: Vec<usize>,
    weights: Vec<u64>,
    trail: Vec<Change>,
    pub(super) effort: u64,
    stopped: &'s dyn Fn() -> bool,
}

impl Problem {
    /// Looks for values, with at most this effort (in evaluations of conditions). The effort made is added to `effort`.
    pub fn solve(
        &self,
        mut order: Order<'_>,
        most: u64,
        effort: &mut u64,
        stopped: &dyn Fn() -> bool,
    ) -> Found {
        if self.empty {
            return Found::None;
        }
        let mut search = Search::new(self, stopped);
        let found = search.solve(&mut order, most);
        *effort += search.effort;
        found
    }
}

impl<'p, 's> Search<'p, 's> {
    fn new(problem: &'p Problem, stopped: &'s dyn Fn() -> bool) -> Search<'p, 's> {
        let n = problem.variables.len();
        let mut of_slot = vec![usize::MAX; problem.base.len()];
        let mut of_variable = vec![vec![]; n];
        for (at, variable) in problem.variables.iter().enumerate() {
            of_slot[variable.slot as usize] = at;
        }
        for (number, condition) in problem.conditions.iter().enumerate() {
            condition.variables.iter().for_each(|v| of_variable[*v].push(number));
        }
        Search {
            problem,
            runner: Runner::default(),
            state: problem.base.clone(),
            domains: problem.variables.iter().map(|v| Domain::all(&v.values)).collect(),
            bounds: problem.variables.iter().map(|v| v.values.bounds()).collect(),
            of_slot,
            of_variable,
            chosen: vec![None; n],
            open: problem.conditions.iter().map(|c| c.variables.len()).collect(),
            weights: vec![1; n],
            trail: vec![],
            effort: 0,
            stopped,
        }
    }

    fn solve(&mut self, order: &mut Order<'_>, most: u64) -> Found {
        for number in 0..self.problem.conditions.len() {
            match self.look(number) {
                Ok(()) => {}
                Err(Dead::End(_)) => return Found::None,
                Err(Dead::Stopped) => return Found::Stopped,
            }
        }
        if distinct::too_few(self.problem, self) {
            return Found::None;
        }
        // What was found out before the first choice stays.
        self.trail.clear();
        let mut patience = PATIENCE;
        loop {
            let end = self.effort.saturating_add(patience).min(most);
            match self.attempt(order, end) {
                Found::GaveUp if self.effort < most => {}
                found => return found,
            }
            patience = patience.saturating_mul(2);
            self.back_to(0);
        }
    }

    fn attempt(&mut self, order: &mut Order<'_>, end: u64) -> Found {
        let mut frames: Vec<Frame> = vec![];
        loop {
            let Some(variable) = self.next_variable() else {
                return Found::Values(self.chosen.iter().map(|c| c.unwrap_or(0)).collect());
            };
            let tries = self.tries(variable, order);
            frames.push(Frame { variable, tries, next: 0, mark: self.trail.len() });
            // The first way on that is not refused.
            loop {
                let Some(frame) = frames.last_mut() else { return Found::None };
                let (variable, mark) = (frame.variable, frame.mark);
                let next = frame.tries.get(frame.next).copied();
                frame.next += 1;
                self.back_to(mark);
                let Some(next) = next else {
                    frames.pop();
                    continue;
                };
                match self.take(variable, next) {
                    Ok(()) => break,
                    Err(Dead::Stopped) => return Found::Stopped,
                    Err(Dead::End(number)) => {
                        for v in &self.problem.conditions[number].variables {
                            self.weights[*v] += 1;
                        }
                    }
                }
                if self.effort >= end {
                    return Found::GaveUp;
                }
            }
        }
    }

    /// The variable with the fewest values left for its weight; the first of several.
    fn next_variable(&self) -> Option<usize> {
        let open = (0..self.chosen.len()).filter(|v| self.chosen[*v].is_none());
        open.min_by(|a, b| {
            let scaled = |v: usize, w: usize| u128::from(self.domains[v].len()) * u128::from(self.weights[w]);
            scaled(*a, *b).cmp(&scaled(*b, *a)).then(a.cmp(b))
        })
    }

    fn tries(&self, variable: usize, order: &mut Order<'_>) -> Vec<Try> {
        let mut out: Vec<Try> = match &self.domains[variable] {
            Domain::Listed { choices, left } => {
                let mut choices = choices[..*left].to_vec();
                choices.sort_unstable();
                choices.into_iter().map(|c| Try::Choice(c.into())).collect()
            }
            Domain::Range(lo, hi) if hi - lo < FEW => (*lo..=*hi).map(Try::Choice).collect(),
            Domain::Range(lo, hi) => {
                let middle = lo + (hi - lo) / 2;
                vec![Try::Half(*lo, middle), Try::Half(middle + 1, *hi)]
            }
        };
        if let Order::Random(chooser) = order {
            for at in (1..out.len()).rev() {
                out.swap(at, chooser.choose(at as u64 + 1) as usize);
            }
        }
        out
    }

    fn take(&mut self, variable: usize, what: Try) -> Result<(), Dead> {
        match what {
            Try::Choice(choice) => {
                self.trail.push(Change::Assigned(variable));
                self.chosen[variable] = Some(choice);
                let drawn = &self.problem.variables[variable];
                self.state[drawn.slot as usize] = drawn.values.get(choice);
                for &number in &self.of_variable[variable] {
                    self.open[number] -= 1;
                }
            }
            Try::Half(lo, hi) => {
                if let Domain::Range(old_lo, old_hi) = self.domains[variable] {
                    self.trail.push(Change::Range(variable, old_lo, old_hi));
                }
                self.domains[variable] = Domain::Range(lo, hi);
            }
        }
        for at in 0..self.of_variable[variable].len() {
            self.look(self.of_variable[variable][at])?;
        }
        Ok(())
    }

    fn back_to(&mut self, mark: usize) {
        while self.trail.len() > mark {
            match self.trail.pop() {
                Some(Change::Left(variable, before)) => {
                    if let Domain::Listed { left, .. } = &mut self.domains[variable] {
                        *left = before;
                    }
                }
                Some(Change::Range(variable, lo, hi)) => self.domains[variable] = Domain::Range(lo, hi),
                Some(Change::Assigned(variable)) => {
                    self.chosen[variable] = None;
                    for &number in &self.of_variable[variable] {
                        self.open[number] += 1;
                    }
                }
                None => {}
            }
        }
    }

    /// What a condition says now: nothing, that some values are impossible, or that it cannot hold.
    fn look(&mut self, number: usize) -> Result<(), Dead> {
        let condition = &self.problem.conditions[number];
        if self.open[number] == 0 {
            return if self.holds(number)? { Ok(()) } else { Err(Dead::End(number)) };
        }
        let one = condition.variables.iter().copied().find(|v| self.chosen[*v].is_none());
        if let (1, Some(variable)) = (self.open[number], one)
            && let Domain::Listed { left, .. } = self.domains[variable]
        {
            return self.forward(number, variable, left);
        }
        self.spend()?;
        let found = bounds(&condition.term, &|slot| self.bounds_of(slot));
        if found.is(0) { Err(Dead::End(number)) } else { Ok(()) }
    }

    /// Takes away the values of the one open variable that a condition refuses.
    fn forward(&mut self, number: usize, variable: usize, before: usize) -> Result<(), Dead> {
        let slot = self.problem.variables[variable].slot as usize;
        let mut kept = before;
        for at in (0..before).rev() {
            let Domain::Listed { choices, .. } = &self.domains[variable] else { break };
            let value = self.problem.variables[variable].values.get(choices[at].into());
            self.state[slot] = value;
            if !self.holds(number)? {
                kept -= 1;
                if let Domain::Listed { choices, .. } = &mut self.domains[variable] {
                    choices.swap(at, kept);
                }
            }
        }
        if kept < before {
            self.trail.push(Change::Left(variable, before));
            if let Domain::Listed { left, .. } = &mut self.domains[variable] {
                *left = kept;
            }
        }
        if kept == 0 { Err(Dead::End(number)) } else { Ok(()) }
    }

    fn holds(&mut self, number: usize) -> Result<bool, Dead> {
        self.spend()?;
        // The conditions cannot fault for values that can be drawn.
        Ok(self.runner.test(&self.problem.conditions[number].term, &self.state).unwrap_or(false))
    }

    /// Whether a condition holds where its variables have these choices; for counting.
    pub(super) fn holds_for(&mut self, number: usize, choices: &[(usize, u64)]) -> bool {
        self.effort += 1;
        for &(variable, choice) in choices {
            let drawn = &self.problem.variables[variable];
            self.state[drawn.slot as usize] = drawn.values.get(choice);
        }
        self.runner.test(&self.problem.conditions[number].term, &self.state).unwrap_or(false)
    }

    pub(super) fn value(&self, variable: usize, choice: u64) -> Value {
        self.problem.variables[variable].values.get(choice)
    }

    /// The choice among those left that gives a variable this value.
    pub(super) fn choice(&self, variable: usize, value: Value) -> Option<u64> {
        let choices = self.domains[variable].listed()?;
        choices.iter().map(|c| u64::from(*c)).find(|c| self.value(variable, *c) == value)
    }

    /// The conditions that read a variable.
    pub(super) fn conditions_of(&self, variable: usize) -> Vec<usize> {
        self.of_variable[variable].clone()
    }

    pub(super) fn is_stopped(&self) -> bool {
        (self.stopped)()
    }

    fn spend(&mut self) -> Result<(), Dead> {
        self.effort += 1;
        if self.effort.is_multiple_of(LOOK) && (self.stopped)() { Err(Dead::Stopped) } else { Ok(()) }
    }

    fn bounds_of(&self, slot: u32) -> Bounds {
        let variable = self.of_slot[slot as usize];
        if variable == usize::MAX || self.chosen[variable].is_some() {
            return Bounds::exactly(self.state[slot as usize]);
        }
        let values = &self.problem.variables[variable].values;
        let exactly = |choice: u64| Bounds::exactly(values.get(choice));
        match &self.domains[variable] {
            Domain::Listed { choices, left } if *left as u64 <= FEW => {
                choices[..*left].iter().fold(Bounds::NONE, |all, c| all.hull(exactly((*c).into())))
            }
            Domain::Listed { .. } => self.bounds[variable],
            Domain::Range(lo, hi) => exactly(*lo).hull(exactly(*hi)),
        }
    }
}
