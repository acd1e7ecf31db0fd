//! The oracle: the structural operational semantics of LAbS executed literally.
//!
//! Every rule of tables 3.1 to 3.11 of the thesis [thesis-sequential-emulation-2020] is one Rust function that bears
//! the rule's name and cites its table. Where `docs/labs.md` decides differently from the papers, the function says so.
//! Nothing here is fast, and nothing is shared with the emulation programs: the two are compared on random systems,
//! so whatever they agree on was derived twice.
//!
//! | tables | file |
//! |---|---|
//! | 3.1 virtual stigmergy | `state` |
//! | 3.3 processes | `term`, `process`, `early` |
//! | 3.4 expressions, K\[·\] | `value`, `expr`, `keys` |
//! | 3.5, 3.6 guards | `cond` |
//! | 3.7, 3.10, 3.11 agents | `agent`, `assign` |
//! | 3.8 systems | `message`, `synchronous` |
//!
//! Architecture invariant: this crate reads the checked [`Model`] and nothing else. It does not know triples, emulation
//! programs, engines or reductions.

mod agent;
mod assign;
mod choices;
mod cond;
mod early;
mod error;
mod explore;
mod expr;
mod initial;
mod keys;
mod looked;
mod message;
mod observe;
mod process;
mod state;
mod synchronous;
mod term;
#[cfg(test)]
mod testing;
mod value;

pub use choices::{Show, Wanted};
pub use error::{ErrorKind, ModelError};
pub use explore::{Explored, explore};
pub use observe::Observation;
pub use process::{Test, Transition};
pub use state::{AgentState, Agents, Cells, Entry, State, Store};
pub use term::{GuardId, Term};
pub use value::Value;

use choices::{Budget, Ended};
use std::cell::Cell;
use std::collections::HashSet;
use std::ops::ControlFlow;
use swarmcheck_labs::model::{ActionId, Cond, Model, TupleId};
use term::Program;

/// Which reading of the rules to follow.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Options {
    /// Round-robin: agents act in circular order, messages at any time (`docs/labs.md` 16).
    pub fair: bool,
    /// What a confirmation does to an agent with an equal timestamp, and whether ⊥ is sent.
    pub semantics: Semantics,
    /// When a choice is made.
    pub choice: Choice,
    /// Messages are delivered in the step that causes them (`docs/labs.md` 8).
    pub sync: bool,
}

/// When a choice is made (`docs/labs.md` 10).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Choice {
    /// By the action that is taken, as rules CHOICE of table 3.3 say.
    #[default]
    Late,
    /// When the action before it ends.
    Early,
}

/// What a confirmation does to an agent with an equal timestamp, and whether ⊥ is sent (`docs/labs.md` 15).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Semantics {
    /// Nothing; and ⊥ is sent like other values.
    #[default]
    Sliver,
    /// It makes the agent propagate, as rule QRY2 of table 3.8 says; and what is ⊥ is not sent, as rules PROPAGATE and
    /// CONFIRM say.
    Paper,
}

/// The name of one step.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Label {
    /// An agent performs an action.
    Action { agent: u32, action: ActionId },
    /// An agent sends its copy of a tuple to its neighbours.
    Propagate { agent: u32, tuple: TupleId },
    /// An agent asks its neighbours about a tuple it has read.
    Confirm { agent: u32, tuple: TupleId },
}

/// One possible step: its label, and the state it leads to or the model error it runs into.
pub type Step = (Label, Result<State, ModelError>);

/// A model together with a reading of the rules.
pub struct Interpreter<'m> {
    model: &'m Model,
    options: Options,
    program: Program<'m>,
    budget: Budget,
    /// Whether steps were not shown for want of it.
    gave_up: Cell<bool>,
}

/// Of the steps of an agent, those that somebody looks for.
#[derive(Clone, Copy)]
pub struct Sought<'a> {
    /// Those with such labels.
    pub label: &'a dyn Fn(&Label) -> bool,
    /// Those that leave these values behind; others may be shown, too.
    pub values: Wanted<'a>,
}

/// An action can be performed in more ways than the interpreter may try: not all steps were shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooMany;

impl<'m> Interpreter<'m> {
    /// Prepares a model.
    pub fn new(model: &'m Model, options: Options) -> Interpreter<'m> {
        Interpreter {
            model,
            options,
            program: Program::new(model),
            budget: Budget { left: Cell::new(u64::MAX), price: 0 },
            gave_up: Cell::new(false),
        }
    }

    /// The same, but all actions together are performed in at most so many ways beyond the first way of each; in fewer if states
    /// are large.
    pub fn trying_at_most(self, ways: u64) -> Interpreter<'m> {
        let cells = self.model.environment.iter().map(|(var, _)| self.model.variable(*var).cells() as u64);
        let size = cells.sum::<u64>() + u64::from(self.model.agents());
        Interpreter { budget: Budget { left: Cell::new(ways), price: 1 + size / 256 }, ..self }
    }

    /// Whether no steps were left out because there were too many.
    pub fn has_tried_all(&self) -> bool {
        !self.gave_up.get()
    }

    pub fn model(&self) -> &'m Model {
        self.model
    }

    pub fn options(&self) -> Options {
        self.options
    }

    /// All steps from a state, each once: agent by agent, its actions first, then its propagations, then its
    /// confirmations. This is rule PAR_E of table 3.11 and rules PAR, COMM, ASSOC of table 3.8: whichever agent
    /// moves, the others stay where they are, except for the receivers of a message.
    pub fn successors(&self, state: &State) -> Vec<Step> {
        (0..self.model.agents()).flat_map(|agent| self.steps_of(state, agent)).collect()
    }

    /// The steps of one agent, each once.
    fn steps_of(&self, state: &State, agent: u32) -> Vec<Step> {
        let mut steps = vec![];
        self.for_each_step(state, agent, None, &mut |step| {
            steps.push(step);
            Show::More
        })
        .expect("without a limit");
        let mut seen = HashSet::new();
        // A step that is alone needs no copy to be compared with.
        if steps.len() > 1 {
            steps.retain(|step| seen.insert(step.clone()));
        }
        steps
    }

    /// Visits the steps of one agent in the same order, as long as the visitor wants to see more. One that several choices
    /// lead to comes several times.
    pub fn for_each_step(
        &self,
        state: &State,
        agent: u32,
        sought: Option<Sought<'_>>,
        visit: &mut dyn FnMut(Step) -> Show,
    ) -> Result<(), TooMany> {
        let mut show = |step| match visit(step) {
            Show::More => ControlFlow::Continue(()),
            Show::Others => ControlFlow::Break(Ended::Enough),
            Show::Nothing => ControlFlow::Break(Ended::Seen),
        };
        match self.shown(state, agent, sought, &mut show) {
            ControlFlow::Break(Ended::TooMany) => {
                self.gave_up.set(true);
                Err(TooMany)
            }
            _ => Ok(()),
        }
    }

    fn shown(
        &self,
        state: &State,
        agent: u32,
        sought: Option<Sought<'_>>,
        show: &mut dyn FnMut(Step) -> ControlFlow<Ended>,
    ) -> ControlFlow<Ended> {
        self.agent(state, agent, sought, show)?;
        let sent = |tuple: &&TupleId| self.can_be_sent(state, agent, **tuple);
        let is_sought = |label: &Label| sought.is_none_or(|sought| (sought.label)(label));
        for &tuple in state.agents[agent as usize].zp.iter().filter(sent) {
            let label = Label::Propagate { agent, tuple };
            if is_sought(&label) {
                all_ways(show((label, self.propagate(state, agent, tuple))))?;
            }
        }
        for &tuple in state.agents[agent as usize].zc.iter().filter(sent) {
            let label = Label::Confirm { agent, tuple };
            if is_sought(&label) {
                all_ways(show((label, self.confirm(state, agent, tuple))))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The next moves of an agent's process with the guards they depend on, whether or not these hold now.
    pub fn moves(&self, state: &State, agent: u32) -> Vec<Transition> {
        self.program.transitions(&state.agents[agent as usize].process)
    }

    /// Whether a state satisfies a state predicate.
    pub fn satisfies(&self, state: &State, predicate: &Cond) -> Result<bool, ModelError> {
        expr::Scope::of_state(self.model, state).sat(predicate)
    }

    /// Whether a state satisfies a link predicate for a sender and a receiver.
    pub fn satisfies_link(
        &self,
        state: &State,
        link: &Cond,
        sender: u32,
        receiver: u32,
    ) -> Result<bool, ModelError> {
        expr::Scope::of_link(self.model, state, sender, receiver).sat(link)
    }
}

/// Goes on after the ways of one action, if only these are of no interest any more.
fn all_ways(shown: ControlFlow<Ended>) -> ControlFlow<Ended> {
    match shown {
        ControlFlow::Break(Ended::Enough) => ControlFlow::Continue(()),
        other => other,
    }
}
