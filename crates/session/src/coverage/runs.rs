//! Counting along random runs.
//!
//! Guards are looked at in every state that a run visits. What is decided in a step counts when the step is made. Which
//! of several receives an agent has made is told by the message of the step.

use super::{Coverage, CoverageOver, Tally, points};
use crate::open::Prepared;
use crate::outcome::ModelFault;
use crate::specification::MadeStep;
use swarmcheck_ir::coverage::{PointKind, Points};
use swarmcheck_ir::flat::{Enumerate, Flat, Machine, Outcome};
use swarmcheck_ir::{Program, Value};

/// What random runs have covered so far.
pub(crate) struct RunCounter {
    points: Points,
    counts: Vec<(u64, u64)>,
    /// The program with the probes as its last functions.
    flat: Flat,
    machine: Machine,
    /// The number of functions that are no probes.
    own: usize,
}

impl RunCounter {
    /// Nothing has been counted yet. A model that could be opened has its points.
    pub(crate) fn new(prepared: &Prepared) -> RunCounter {
        let mut program = Program::clone(&prepared.flat.program);
        let points = points(prepared, true).ok().flatten();
        let points = points.unwrap_or_else(|| Points::of_functions(&program.functions));
        let own = program.functions.len();
        program.properties.clear();
        program.functions.extend(points.probes.iter().map(|probe| probe.function.clone()));
        let flat = Flat::new(program);
        let (counts, machine) = (vec![(0, 0); points.points.len()], Machine::new(&flat));
        RunCounter { points, counts, flat, machine, own }
    }

    /// A run is in this state.
    pub(crate) fn visit(&mut self, state: &[Value]) {
        self.probe(state, None);
    }

    /// A run makes a step.
    pub(crate) fn step(&mut self, prepared: &Prepared, made: &MadeStep<'_>) {
        let function = made.instance.function as usize;
        if let Some(point) = self.points.taken.get(function).copied().flatten() {
            self.counts[point].0 += 1;
        }
        let Some(message) = prepared.message(made) else {
            return self.probe(made.before, Some((function, made.instance.agent)));
        };
        for part in message.received {
            let taken = |kind| matches!(kind, PointKind::Receive | PointKind::Supply);
            let here = |span| prepared.file.position(span) == part.at;
            let all = self.points.points.iter();
            if let Some(point) = all.clone().position(|point| taken(point.kind) && here(point.span)) {
                self.counts[point].0 += 1;
            }
        }
    }

    /// Runs the probes of a state, or of a step in it.
    fn probe(&mut self, state: &[Value], step: Option<(usize, u32)>) {
        let mut work = state.to_vec();
        let mut choices = Enumerate::default();
        for number in 0..self.flat.instances() {
            let instance = self.flat.instance(number);
            let at = (instance.function as usize).checked_sub(self.own);
            let Some(probe) = at.and_then(|at| self.points.probes.get(at)) else { continue };
            let meant = match step {
                None => probe.of.is_none(),
                Some((function, agent)) => probe.of == Some(function) && agent == instance.agent,
            };
            if !meant {
                continue;
            }
            choices.reset();
            loop {
                if self.machine.step(&self.flat, instance, &mut work, &mut choices) == Outcome::Done {
                    let (yes, no) = &mut self.counts[probe.point];
                    *(if probe.outcome { yes } else { no }) += 1;
                    self.machine.undo(&mut work);
                }
                if !choices.advance() {
                    break;
                }
            }
        }
    }

    /// What was counted in so many runs and steps.
    pub(crate) fn finish(
        self,
        prepared: &Prepared,
        runs: u64,
        steps: u64,
        error: Option<ModelFault>,
    ) -> Coverage {
        let tally = Tally { points: &self.points, counts: self.counts };
        tally.finish(prepared, CoverageOver::Runs { runs, steps }, error)
    }
}
