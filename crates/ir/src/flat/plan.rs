//! Quick runs: a machine that follows one state from step to step.
//!
//! A machine that is told of the state once ([`Machine::follow`]) and makes all steps on it may remember things about it. Results
//! are those of a plain machine, with two exceptions that only concern who looks at each step: [`Machine::writes`] leaves out what
//! ranking wrote; and timestamps in the state are to be read by [`Machine::dense`].
//!
//! Deliveries go through the agents that are near (`near.rs`, `neighbours.rs`), and timestamps grow instead of being ranked
//! (`clocks.rs`). For programs of few agents the ground program is faster.

use super::choose::Chooser;
use super::clocks::{self, Clock};
use super::code::{Code, FlatFunction, Near, Op};
use super::exec::{Machine, Outcome};
use super::near;
use super::neighbours::{Grid, Neighbours};
use super::{Flat, Instance};
use crate::arith::Value;
use std::ops::Range;

/// What is known about a program for quick runs.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    agents: u32,
    /// The functions of the program, changed to use what follows.
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
        let mut plan = Plan {
            agents: program.agents(),
            functions: flat.functions.clone(),
            clocks: clocks::compared(program),
            grids: vec![],
            coordinates: vec![0; flat.width()],
        };
        let mut functions = std::mem::take(&mut plan.functions);
        functions.iter_mut().for_each(|f| plan.block(&mut f.body));
        plan.functions = functions;
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

impl Machine {
    /// Makes this machine follow a state: from now on all steps are made on it, and nobody else changes it.
    pub fn follow(&mut self, flat: &Flat, state: &[Value]) {
        let plan = flat.plan();
        let largest = |var: &u32| {
            let slots = flat.layout.copies(crate::VarId(*var)).iter();
            slots.filter_map(|slot| state.get(*slot as usize)).copied().max().unwrap_or(0)
        };
        let clock = |top| Clock { base: top, top };
        let near = |grid| Neighbours::new(grid, &flat.layout, state);
        self.undo.clear();
        self.quick = Some(Box::new(Quick {
            clocks: plan.clocks.iter().map(|var| clock(largest(var))).collect(),
            near: plan.grids.iter().map(near).collect(),
            ..Quick::default()
        }));
    }

    /// Whether the timestamps of the state that is followed may be other numbers than ranks.
    pub fn is_sparse(&self) -> bool {
        self.quick.as_ref().is_some_and(|quick| !quick.clocks.is_empty())
    }

    /// In how many ways the machine keeps track of the places of agents, for loops that only reach those who are near.
    pub fn grids(&self) -> usize {
        self.quick.as_ref().map_or(0, |quick| quick.near.len())
    }

    /// Replaces the timestamps of a copy of the state that is followed by ranks.
    pub fn dense(&self, flat: &Flat, state: &mut [Value]) {
        if self.is_sparse() {
            clocks::dense(&flat.plan().clocks, &flat.layout, state);
        }
    }

    pub(super) fn quick_step(
        &mut self,
        flat: &Flat,
        at: Instance,
        state: &mut [Value],
        chooser: &mut dyn Chooser,
    ) -> Outcome {
        let plan = flat.plan();
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
