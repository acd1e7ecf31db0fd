//! Quick runs: a machine that follows one state from step to step.
//!
//! A machine that is told of the state once ([`Machine::follow`]) and makes all steps on it may remember things about it. Results
//! are those of a plain machine, with two exceptions that only concern who looks at each step: [`Machine::writes`] leaves out what
//! ranking wrote, and may leave out values that did not change; and timestamps in the state are to be read by [`Machine::dense`].
//!
//! * A program that is small with its loops unrolled runs as a ground program.
//! * In others, deliveries go through the agents that are near (`near.rs`, `neighbours.rs`), and timestamps grow instead of being
//!   ranked (`clocks.rs`).

use super::choose::Chooser;
use super::clocks::{self, Clock};
use super::code::{Code, FlatFunction, Near, Op};
use super::exec::{Machine, Outcome};
use super::near;
use super::neighbours::{Grid, Neighbours};
use super::{Flat, Instance};
use crate::arith::{Fault, Value};
use crate::ground::{Ground, Runner};
use crate::program::Program;
use std::ops::Range;

/// Programs with more nodes than that, loops unrolled, are not instantiated.
const LARGEST: u64 = 30_000;

/// What is known about a program for quick runs.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The program instantiated, if it is small.
    ground: Option<Ground>,
    /// The instance of each function and agent, if the program is small.
    numbers: Vec<u32>,
    agents: u32,
    /// Otherwise its functions, changed to use what follows.
    pub(super) functions: Vec<FlatFunction>,
    /// Order variables that are not ranked.
    pub(super) clocks: Vec<u32>,
    pub(super) grids: Vec<Grid>,
    /// For each slot, 1 + the agent whose coordinate it is; 0 if it is none.
    coordinates: Vec<u32>,
}

/// What a machine remembers of the state it follows.
#[derive(Clone, Debug, Default)]
pub(super) struct Quick {
    pub(super) runner: Option<Runner>,
    pub(super) clocks: Vec<Clock>,
    near: Vec<Neighbours>,
    /// How much of the undo log the grids know.
    known: usize,
    /// What the grids know and was taken back.
    stale: Vec<(u32, Value)>,
    list: Vec<u32>,
}

impl Plan {
    pub(super) fn new(flat: &Flat) -> Plan {
        let program = &*flat.program;
        let size = |f: &FlatFunction| {
            (weight(&f.guard).saturating_add(block_weight(&f.body))).saturating_mul(f.agents.len() as u64)
        };
        let size = flat.functions.iter().map(size).fold(0, u64::saturating_add);
        let agents = program.agents();
        let mut plan = Plan {
            ground: None,
            numbers: vec![],
            agents,
            functions: vec![],
            clocks: vec![],
            grids: vec![],
            coordinates: vec![],
        };
        if size <= LARGEST {
            // The initial state is known: its block would only be taken apart for nothing.
            let running = Program { init: vec![], init_locals: vec![], ..program.clone() };
            plan.ground = Some(Ground::new(&running));
            plan.numbers = vec![u32::MAX; program.functions.len() * agents as usize];
            for (number, at) in (0..).zip(&flat.instances) {
                plan.numbers[(at.function * agents + at.agent) as usize] = number;
            }
            return plan;
        }
        plan.clocks = clocks::compared(program);
        plan.functions = flat.functions.clone();
        let mut functions = std::mem::take(&mut plan.functions);
        functions.iter_mut().for_each(|f| plan.block(&mut f.body));
        plan.functions = functions;
        plan.coordinates = vec![0; flat.width()];
        for grid in &plan.grids {
            for agent in grid.agents.iter().cloned().flatten() {
                for var in &grid.vars {
                    if let Some(slot) = flat.layout.copy(crate::VarId(*var), agent) {
                        plan.coordinates[slot as usize] = agent + 1;
                    }
                }
            }
        }
        plan
    }

    fn block(&mut self, body: &mut [Op]) {
        for op in body {
            match op {
                Op::AssignMine(var, value) | Op::AssignBound { var, value, .. } => self.newest(*var, value),
                Op::Assign(target, value) => self.newest(target.var, value),
                Op::Rank(var) => {
                    if let Some(clock) = self.clock(*var) {
                        *op = Op::Tick(clock);
                    }
                }
                Op::If(_, yes, no) => {
                    self.block(yes);
                    self.block(no);
                }
                Op::Choose(branches) => branches.iter_mut().for_each(|(_, body)| self.block(body)),
                Op::ForEach(agents, bound, body) => {
                    let near = near::bounds(body, *bound);
                    self.block(body);
                    if let Some(bounds) = near {
                        let (agents, body) = (std::mem::take(agents), std::mem::take(body));
                        *op = self.near(agents, *bound, body, &bounds);
                    }
                }
                _ => {}
            }
        }
    }

    fn clock(&self, var: u32) -> Option<u32> {
        self.clocks.iter().position(|v| *v == var).map(|at| at as u32)
    }

    fn newest(&self, var: u32, value: &mut Code) {
        if let (Some(clock), Code::Const(c)) = (self.clock(var), &value) {
            *value = Code::Newest { clock, above: c - Value::from(self.agents) };
        }
    }

    fn near(
        &mut self,
        agents: Box<[Range<u32>]>,
        bound: u32,
        body: Box<[Op]>,
        bounds: &[(u32, Value)],
    ) -> Op {
        let (vars, radius): (Vec<u32>, Vec<Value>) = bounds.iter().copied().unzip();
        let width = radius.iter().copied().max().unwrap_or(0).max(1);
        let same = |grid: &Grid| grid.agents == agents && grid.vars == vars;
        let grid = match self.grids.iter().position(same) {
            Some(at) => at,
            None => {
                self.grids.push(Grid { agents: agents.clone(), vars, width });
                self.grids.len() - 1
            }
        };
        let found = &mut self.grids[grid];
        found.width = found.width.max(width);
        Op::Near(Box::new(Near { grid: grid as u32, radius: radius.into(), agents, bound, body }))
    }
}

/// The nodes of an expression with its quantifiers unrolled.
fn weight(e: &Code) -> u64 {
    let all = |parts: &[Code]| parts.iter().map(weight).fold(1, u64::saturating_add);
    match e {
        Code::Quantified(_, agents, _, body) => weight(body).saturating_mul(count(agents)),
        Code::And(parts) | Code::Or(parts) => all(parts),
        Code::Unary(_, e) | Code::Defined(e) => 1 + weight(e),
        Code::LocalCell { index, .. } => 1 + weight(index),
        Code::Binary(_, sides, _) => 1_u64.saturating_add(weight(&sides.0)).saturating_add(weight(&sides.1)),
        Code::If(parts) => weight(&parts.0).saturating_add(weight(&parts.1)).saturating_add(weight(&parts.2)),
        // The table of its copies is part of a place.
        Code::Cell(target) => all(&target.index).saturating_add(64),
        _ => 1,
    }
}

fn count(agents: &[Range<u32>]) -> u64 {
    agents.iter().map(|range| range.len() as u64).sum::<u64>().max(1)
}

fn block_weight(body: &[Op]) -> u64 {
    let each = body.iter().map(|op| match op {
        Op::ForEach(agents, _, body) => block_weight(body).saturating_mul(count(agents)),
        Op::If(c, yes, no) => weight(c).saturating_add(block_weight(yes)).saturating_add(block_weight(no)),
        Op::Choose(branches) => {
            let one = |(c, body): &(Code, Box<[Op]>)| weight(c).saturating_add(block_weight(body));
            branches.iter().map(one).fold(1, u64::saturating_add)
        }
        Op::Pick(pick) => weight(&pick.condition).saturating_mul(pick.agents.len() as u64),
        Op::AssignGlobal(_, value) | Op::AssignMine(_, value) | Op::Let(_, value) | Op::Assume(value) => {
            1 + weight(value)
        }
        Op::AssignBound { value, .. } => 1 + weight(value),
        Op::Assign(_, value) => 64 + weight(value),
        Op::Fill { cells, .. } | Op::Copy { cells, .. } => 16 + u64::from(*cells),
        _ => 16,
    });
    each.fold(1, u64::saturating_add)
}

impl Machine {
    /// Makes this machine follow a state: from now on all steps are made on it, and nobody else changes it.
    pub fn follow(&mut self, flat: &Flat, state: &[Value]) {
        let plan = flat.plan();
        let mut quick = Quick::default();
        if plan.ground.is_some() {
            quick.runner = Some(Runner::default());
        } else {
            let largest = |var: &u32| {
                let slots = flat.layout.copies(crate::VarId(*var)).iter();
                slots.filter_map(|slot| state.get(*slot as usize)).copied().max().unwrap_or(0)
            };
            let clock = |top| Clock { base: top, top };
            quick.clocks = plan.clocks.iter().map(|var| clock(largest(var))).collect();
            let near = |grid| Neighbours::new(grid, &flat.layout, state);
            quick.near = plan.grids.iter().map(near).collect();
        }
        self.undo.clear();
        self.quick = Some(Box::new(quick));
    }

    /// Whether the timestamps of the state that is followed may be other numbers than ranks.
    pub fn is_sparse(&self) -> bool {
        self.quick.as_ref().is_some_and(|quick| !quick.clocks.is_empty())
    }

    /// Replaces the timestamps of a copy of the state that is followed by ranks.
    pub fn dense(&self, flat: &Flat, state: &mut [Value]) {
        if self.is_sparse() {
            clocks::dense(&flat.plan().clocks, &flat.layout, state);
        }
    }

    /// Whether the guard of an instance holds, in the ground program if there is one.
    #[inline]
    pub(super) fn quick_enabled(
        &mut self,
        flat: &Flat,
        at: Instance,
        state: &[Value],
    ) -> Option<Result<bool, Fault>> {
        let runner = self.quick.as_mut()?.runner.as_mut()?;
        let plan = flat.plan();
        let number = plan.numbers[(at.function * plan.agents + at.agent) as usize];
        Some(runner.enabled(&plan.ground.as_ref()?.instances()[number as usize], state))
    }

    pub(super) fn quick_step(
        &mut self,
        flat: &Flat,
        at: Instance,
        state: &mut [Value],
        mut chooser: &mut dyn Chooser,
    ) -> Outcome {
        let plan = flat.plan();
        let runner = self.quick.as_mut().and_then(|quick| quick.runner.as_mut());
        if let (Some(ground), Some(runner)) = (&plan.ground, runner) {
            let number = plan.numbers[(at.function * plan.agents + at.agent) as usize];
            return runner.step(&ground.instances()[number as usize], state, &mut chooser);
        }
        self.keep_up(flat, state);
        self.undo.clear();
        if let Some(quick) = &mut self.quick {
            quick.known = 0;
        }
        match self.enabled(flat, at, state) {
            Ok(true) => self.run_body(flat, &plan.functions[at.function as usize], state, chooser),
            Ok(false) => Outcome::Disabled,
            Err(fault) => Outcome::Fault(fault),
        }
    }

    /// Tells the grids what was written since they were told last.
    fn keep_up(&mut self, flat: &Flat, state: &[Value]) {
        let Some(quick) = &mut self.quick else { return };
        if !quick.stale.is_empty() {
            moved(flat, &mut quick.near, &quick.stale, state);
            quick.stale.clear();
        }
        moved(flat, &mut quick.near, &self.undo[quick.known..], state);
        quick.known = self.undo.len();
    }

    /// Takes the last step back, in what is remembered as well.
    pub(super) fn quick_undo(&mut self, state: &mut [Value]) {
        let Some(quick) = &mut self.quick else { return };
        if let Some(runner) = &mut quick.runner {
            return runner.undo(state);
        }
        for (slot, old) in self.undo.iter().rev() {
            state[*slot as usize] = *old;
        }
        quick.stale.extend_from_slice(&self.undo[..quick.known]);
        quick.known = 0;
        self.undo.clear();
    }

    /// The agents that a loop has to go through, or nothing if these are all of them. The list has to be given back.
    pub(super) fn around(&mut self, flat: &Flat, near: &Near, state: &[Value]) -> Option<Vec<u32>> {
        self.keep_up(flat, state);
        let me = self.me;
        let quick = self.quick.as_mut()?;
        let grid = &flat.plan().grids[near.grid as usize];
        let found = &quick.near[near.grid as usize];
        let fits = found.around(grid, &flat.layout, (me, &near.radius), state, &mut quick.list);
        fits.then(|| std::mem::take(&mut quick.list))
    }

    pub(super) fn give_back(&mut self, list: Vec<u32>) {
        if let Some(quick) = &mut self.quick {
            quick.list = list;
        }
    }

    pub(super) fn tick(&mut self, clock: u32) {
        if let Some(quick) = &mut self.quick {
            let clock = &mut quick.clocks[clock as usize];
            clock.base = clock.top;
        }
    }

    /// A timestamp that is newer than all at the last tick.
    #[cold]
    pub(super) fn newest(&mut self, clock: u32, above: Value) -> Value {
        let Some(quick) = &mut self.quick else { return 0 };
        let clock = &mut quick.clocks[clock as usize];
        let value = clock.base + 1 + above;
        clock.top = clock.top.max(value);
        value
    }
}

fn moved(flat: &Flat, near: &mut [Neighbours], writes: &[(u32, Value)], state: &[Value]) {
    if near.is_empty() {
        return;
    }
    let plan = flat.plan();
    for (slot, _) in writes {
        if let Some(agent) = plan.coordinates.get(*slot as usize).and_then(|agent| agent.checked_sub(1)) {
            for (near, grid) in near.iter_mut().zip(&plan.grids) {
                near.place(grid, &flat.layout, agent, state);
            }
        }
    }
}
