//! The two sides of the comparison in the same words: initial states, steps, and what can be seen of a state.

use crate::lts::{Side, View};
use std::ops::ControlFlow;
use swarmcheck_engine::system;
use swarmcheck_ir::flat::{Flat, Machine};
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{Fault, FaultKind, Rule, UNDEF, VarId};
use swarmcheck_labs::model::{ActionId, Model, TupleId};
use swarmcheck_reference::{ErrorKind, Interpreter, Label, ModelError, Observation, State, Step};

/// The reference interpreter.
pub struct Reference<'m> {
    pub interpreter: Interpreter<'m>,
}

impl Side for Reference<'_> {
    type State = State;

    fn initial(&mut self) -> Result<Vec<State>, ModelError> {
        let mut all = vec![];
        self.interpreter.for_each_initial(&mut |state| {
            all.push(state);
            ControlFlow::Continue(())
        })?;
        Ok(all)
    }

    fn steps(&mut self, state: &State) -> Vec<Step> {
        self.interpreter.successors(state)
    }

    fn view(&mut self, state: &State) -> View {
        let claims = self.interpreter.model().properties.iter();
        View {
            seen: self.interpreter.observe(state),
            claims: claims.map(|p| self.interpreter.satisfies(state, &p.predicate)).collect(),
        }
    }
}

/// The emulation program.
pub struct Emulation<'m> {
    model: &'m Model,
    flat: &'m Flat,
    machine: Machine,
}

impl<'m> Emulation<'m> {
    /// A program made from this model.
    pub fn new(model: &'m Model, flat: &'m Flat) -> Emulation<'m> {
        Emulation { model, flat, machine: Machine::new(flat) }
    }
}

/// What the reference calls a step of this function.
pub fn label(flat: &Flat, function: u32, agent: u32) -> Label {
    match &flat.program.functions[function as usize].rule {
        Rule::Action { site, .. } => Label::Action { agent, action: ActionId(*site) },
        Rule::System { verb: "propagate", site, .. } => Label::Propagate { agent, tuple: TupleId(*site) },
        Rule::System { site, .. } => Label::Confirm { agent, tuple: TupleId(*site) },
    }
}

impl Side for Emulation<'_> {
    type State = Vec<i64>;

    fn initial(&mut self) -> Result<Vec<Vec<i64>>, ModelError> {
        let mut all = vec![];
        system::initial_states(self.flat, &mut self.machine, &mut |state| {
            all.push(state.to_vec());
            true
        })
        .map_err(error)?;
        Ok(all)
    }

    fn steps(&mut self, state: &Vec<i64>) -> Vec<(Label, Result<Vec<i64>, ModelError>)> {
        let steps = system::successors(self.flat, &mut self.machine, state);
        let label = |s: &system::Step| label(self.flat, s.instance.function, s.instance.agent);
        steps.into_iter().map(|s| (label(&s), s.result.map_err(error))).collect()
    }

    fn view(&mut self, state: &Vec<i64>) -> View {
        let claims = 0..self.model.properties.len();
        View {
            seen: observe_flat(self.model, self.flat, state),
            claims: claims.map(|p| self.flat.holds(&mut self.machine, p, state).map_err(error)).collect(),
        }
    }
}

/// A fault of the program as a model error of the reference.
pub fn error(fault: Fault) -> ModelError {
    let kind = match fault.kind {
        FaultKind::Index => ErrorKind::Index,
        FaultKind::NoAgent => ErrorKind::NoAgent,
        FaultKind::NoVariable => ErrorKind::NoVariable,
        FaultKind::Overflow => ErrorKind::Overflow,
    };
    ModelError { kind, span: fault.span }
}

/// What the reference would observe of a state of the emulation program. Variables of the program keep the model's
/// numbers; after them come order, confirm and propagate of each tuple.
pub fn observe_flat(model: &Model, flat: &Flat, state: &[i64]) -> Observation {
    let value = |slot: u32| Some(state[slot as usize]).filter(|v| *v != UNDEF);
    let first = model.variables.len() as u32;
    let (mut values, mut ranks, mut confirm, mut propagate) = (vec![], vec![], vec![], vec![]);
    let cells = |var: swarmcheck_labs::model::VarId, slot: u32| {
        (slot..slot + model.variable(var).cells() as u32).map(value).collect::<Vec<_>>()
    };
    let slot = |var: u32, agent: u32| flat.layout.copy(VarId(var), agent).expect("a variable of the agent");
    for (var, _) in &model.environment {
        values.extend(cells(*var, flat.layout.global(VarId(var.0))));
    }
    for agent in 0..model.agents() {
        let kind = model.kind(model.kind_of(agent));
        for (var, _) in &kind.attributes {
            values.extend(cells(*var, slot(var.0, agent)));
        }
        for &tuple in kind.stigmergies.iter().flat_map(|s| &model.stigmergy(*s).tuples) {
            for (var, _) in &model.tuple(tuple).variables {
                values.extend(cells(*var, slot(var.0, agent)));
            }
            let book = |which: u32| state[slot(first + 3 * tuple.0 + which, agent) as usize];
            ranks.push(book(0) as u32);
            confirm.push(book(1) != 0);
            propagate.push(book(2) != 0);
        }
    }
    let turn = flat.program.vars.iter().position(|v| v.role == Role::Turn);
    let turn = turn.map_or(0, |at| state[flat.layout.global(VarId(at as u32)) as usize] as u32);
    Observation { values, ranks, confirm, propagate, turn }
}
