//! A run in which somebody else chooses every step: a person at a terminal, a page in a browser, a test.
//!
//! Everything that goes in or out is plain data. Nothing is printed here, and nothing is asked: a client sends requests,
//! in this process or through a pipe.

mod predicate;
mod protocol;
mod record;
mod starts;
#[cfg(test)]
mod tests;

use crate::reasons::unlinked;
pub use crate::start::AssumptionPlace;
pub use crate::walk::Misfit;
pub use protocol::{
    ChoiceData, InterpreterRefusal, InterpreterReply, InterpreterRequest, LISTED, PropertyTruth, StartsData,
    StateData, TracePlace, Truth, WalkEnd,
};
pub use swarmcheck_engine::trace::data::{PendingData, StepData, TraceData, WriteData};
pub use swarmcheck_engine::trace::legend::Legend;
pub use swarmcheck_engine::trace::message::{
    AutomatonData, DatumData, MessageData, PartData, RefusedData, WhyRefused,
};
pub use swarmcheck_engine::trace::text;

use crate::open::Prepared;
use crate::outcome::ModelFault;
use crate::start::{Begin, assumptions, begin};
use crate::walk::{Plan, plan};
use predicate::{Predicate, listed};
use starts::{each_start, nth_start};
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::trace::data;
use swarmcheck_engine::trace::view::Clock;
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{Modality, Value, VarId};
use swarmcheck_simulate::{Menu, Offer, Rng, Starts};

/// A run that waits for somebody to choose.
pub struct Interpreter<'p> {
    prepared: &'p Prepared,
    /// Where it is; an error if the model has no state to begin in.
    at: Result<Where<'p>, InterpreterRefusal>,
    plan: Option<Plan>,
    /// The initial states that were listed last, if they had to satisfy something.
    listed: Option<Vec<Vec<Value>>>,
}

/// A step on offer, and its message if it is one.
type Offered = (Offer, Option<MessageData>);

/// A state, and the way to it.
struct Where<'p> {
    menu: Menu<'p>,
    /// The clock of each state on the way, so that going back also takes timestamps back. There is always one.
    clocks: Vec<Clock<'p>>,
    /// Where it began, and the steps that were taken.
    initial: Vec<Value>,
    taken: Vec<Offer>,
    /// The steps that are possible, with their messages, once somebody has asked.
    offers: Option<Vec<Offered>>,
}

impl<'p> Where<'p> {
    fn begin(prepared: &'p Prepared, state: Vec<Value>) -> Where<'p> {
        let clocks = vec![Clock::new(&prepared.flat, &state)];
        let initial = state.clone();
        Where { menu: Menu::new(&prepared.flat, state), clocks, initial, taken: vec![], offers: None }
    }

    fn clock(&self) -> &Clock<'p> {
        &self.clocks[self.clocks.len() - 1]
    }

    /// Steps are different if their messages are, whatever properties follow: not if they lead to different states of the
    /// program only.
    fn offers(&mut self, prepared: &Prepared) -> &[Offered] {
        self.offers.get_or_insert_with(|| {
            self.menu.offers(|before, step| crate::walk::message(prepared, before, step))
        })
    }

    fn back(&mut self) -> bool {
        if !self.menu.back() {
            return false;
        }
        self.clocks.pop();
        self.taken.pop();
        self.offers = None;
        true
    }

    /// Whether this state is the one the plan has after so many steps.
    fn follows(&self, plan: &Plan) -> bool {
        let planned = match self.menu.depth() {
            0 => Some(&plan.initial),
            n => plan.steps.get(n - 1).map(|planned| &planned.state),
        };
        planned.is_some_and(|state| state == self.menu.state())
    }
}

impl<'p> Interpreter<'p> {
    /// Begins in an initial state that the seed determines.
    pub fn new(prepared: &'p Prepared, seed: u64) -> Interpreter<'p> {
        Interpreter::new_unless(prepared, seed, &AtomicBool::new(false))
    }

    /// The same, unless somebody sets a flag while an initial state is looked for: then none is found.
    pub fn new_unless(prepared: &'p Prepared, seed: u64, stop: &AtomicBool) -> Interpreter<'p> {
        let starts = Starts::new(&prepared.flat);
        let at = match begin(prepared, &starts, Rng::for_run(seed, 0), stop) {
            Ok(Begin::Ready(run)) => Ok(Where::begin(prepared, run.state().to_vec())),
            Ok(Begin::Never) => {
                Err(InterpreterRefusal::NoInitialState { assumptions: assumptions(prepared) })
            }
            Ok(Begin::Undecided | Begin::Stopped) => {
                Err(InterpreterRefusal::InitialStateNotFound { assumptions: assumptions(prepared) })
            }
            Err(fault) => Err(InterpreterRefusal::ModelError { error: ModelFault::new(prepared, fault) }),
        };
        Interpreter { prepared, at, plan: None, listed: None }
    }

    /// Answers a request.
    pub fn handle(&mut self, request: InterpreterRequest) -> InterpreterReply {
        let state = |state| InterpreterReply::State { state };
        let taken = |(step, state)| InterpreterReply::Taken { step, state };
        let answer = match request {
            InterpreterRequest::Legend => Ok(InterpreterReply::Legend { legend: self.legend() }),
            InterpreterRequest::State => self.state().map(state),
            InterpreterRequest::Choices => {
                self.choices().map(|choices| InterpreterReply::Choices { choices })
            }
            InterpreterRequest::Take { choice } => self.take(choice).map(taken),
            InterpreterRequest::Back => self.back().map(state),
            InterpreterRequest::GoTo { step } => self.go_to(step).map(state),
            InterpreterRequest::LoadTrace { trace } => self.load_trace(&trace).map(state),
            InterpreterRequest::Next => self.next().map(taken),
            InterpreterRequest::Starts { limit, such_that } => {
                self.starts(limit, such_that.as_deref()).map(InterpreterReply::Starts)
            }
            InterpreterRequest::StartAt { start } => self.start_at(start).map(state),
            InterpreterRequest::Random { steps, seed, until } => self
                .random(steps, seed, until.as_deref())
                .map(|(steps, state, why)| InterpreterReply::Walked { steps, state, why }),
            InterpreterRequest::Trace => {
                self.trace().map(|trace| InterpreterReply::Trace { trace: Box::new(trace) })
            }
        };
        answer.unwrap_or_else(|refusal| InterpreterReply::Refused { refusal })
    }

    /// What names in answers stand for.
    pub fn legend(&self) -> Legend {
        Legend::new(&self.prepared.flat.program)
    }

    fn at(&mut self) -> Result<&mut Where<'p>, InterpreterRefusal> {
        self.at.as_mut().map_err(|refusal| refusal.clone())
    }

    /// The state it is in.
    pub fn state(&mut self) -> Result<StateData, InterpreterRefusal> {
        let Interpreter { prepared, at, plan, .. } = self;
        let at = at.as_mut().map_err(|refusal| refusal.clone())?;
        let properties = prepared.flat.program.properties.iter().enumerate();
        // A formula of linear time is not true or false of a state.
        let about_states = properties.filter(|(_, p)| !matches!(p.modality, Modality::Linear(_)));
        let truths = about_states.map(|(number, property)| PropertyTruth {
            name: property.name.clone(),
            truth: match at.menu.holds(number) {
                Ok(true) => Truth::True,
                Ok(false) => Truth::False,
                Err(fault) => Truth::Error(ModelFault::new(prepared, fault)),
            },
        });
        let properties = truths.collect();
        let (clock, state) = (at.clock(), at.menu.state());
        Ok(StateData {
            step: at.menu.depth(),
            values: values(clock, state),
            pending: data::pending(clock, state),
            automata: prepared.model.automata(&prepared.flat, state),
            properties,
            trace: plan.as_ref().map(|plan| TracePlace {
                steps: plan.steps.len(),
                followed: at.follows(plan),
                loop_start: plan.back_to,
            }),
        })
    }

    /// The steps that are possible. Ways to make the same step that lead to the same state are one choice.
    pub fn choices(&mut self) -> Result<Vec<ChoiceData>, InterpreterRefusal> {
        let prepared = self.prepared;
        let at = self.at()?;
        let clock = at.clock().clone();
        let before = at.menu.state().to_vec();
        let choice = |(offer, message): &Offered| match &offer.step.result {
            Ok(after) => ChoiceData::Step {
                step: told(prepared, &mut clock.clone(), (offer, message), &before, after),
                locations: locations(prepared, offer.step.instance.agent, after),
            },
            Err(fault) => ChoiceData::ModelError {
                agent: offer.step.instance.agent,
                error: ModelFault::new(prepared, *fault),
            },
        };
        Ok(at.offers(prepared).iter().map(choice).collect())
    }

    /// Takes the choice with this number, from 0.
    pub fn take(&mut self, choice: usize) -> Result<(StepData, StateData), InterpreterRefusal> {
        let step = self.advance(choice)?;
        Ok((step, self.state()?))
    }

    /// Takes it, without looking at the new state.
    fn advance(&mut self, choice: usize) -> Result<StepData, InterpreterRefusal> {
        let prepared = self.prepared;
        let at = self.at()?;
        let offers = at.offers(prepared);
        let refused = InterpreterRefusal::NoSuchChoice { choices: offers.len() };
        let (offer, message) = offers.get(choice).cloned().ok_or(refused)?;
        let after =
            offer.step.result.as_ref().map_err(|fault| InterpreterRefusal::ModelError {
                error: ModelFault::new(prepared, *fault),
            })?;
        let mut clock = at.clock().clone();
        let step = told(prepared, &mut clock, (&offer, &message), at.menu.state(), after);
        at.menu.take(&offer);
        at.clocks.push(clock);
        at.taken.push(offer);
        at.offers = None;
        Ok(step)
    }

    /// Goes back one step.
    pub fn back(&mut self) -> Result<StateData, InterpreterRefusal> {
        if !self.at()?.back() {
            return Err(InterpreterRefusal::AtStart);
        }
        self.state()
    }

    /// Goes back to the state after so many steps, or on to it along the trace.
    pub fn go_to(&mut self, step: usize) -> Result<StateData, InterpreterRefusal> {
        let now = self.at()?.menu.depth();
        let ahead = match (&self.plan, &self.at) {
            (Some(plan), Ok(at)) if at.follows(plan) => plan.steps.len(),
            _ => now,
        };
        if step > now.max(ahead) {
            return Err(InterpreterRefusal::NoSuchStep { last: now.max(ahead) });
        }
        for _ in now..step {
            self.next()?;
        }
        for _ in step..now {
            self.at()?.back();
        }
        self.state()
    }

    /// Goes to the start of a trace, which [`next`](Interpreter::next) then follows.
    pub fn load_trace(&mut self, trace: &TraceData) -> Result<StateData, InterpreterRefusal> {
        let plan = plan(self.prepared, trace).map_err(|misfit| InterpreterRefusal::TraceMisfit { misfit })?;
        self.at = Ok(Where::begin(self.prepared, plan.initial.clone()));
        self.plan = Some(plan);
        self.state()
    }

    /// Takes the next step of the trace.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<(StepData, StateData), InterpreterRefusal> {
        let at = self.at.as_mut().map_err(|refusal| refusal.clone())?;
        let plan = self.plan.as_ref().ok_or(InterpreterRefusal::NoTrace)?;
        if !at.follows(plan) {
            return Err(InterpreterRefusal::LeftTrace);
        }
        let planned = plan.steps.get(at.menu.depth()).ok_or(InterpreterRefusal::EndOfTrace)?;
        let is_next = |(offer, message): &Offered| {
            offer.step.instance == planned.instance
                && offer.step.result.as_ref() == Ok(&planned.state)
                && *message == planned.message
        };
        let choice =
            at.offers(self.prepared).iter().position(is_next).ok_or(InterpreterRefusal::LeftTrace)?;
        self.take(choice)
    }

    /// The first initial states; only those that satisfy a predicate, if there is one.
    pub fn starts(
        &mut self,
        limit: usize,
        such_that: Option<&str>,
    ) -> Result<StartsData, InterpreterRefusal> {
        self.at()?;
        if let Some(text) = such_that {
            let (states, more) = Predicate::read(self.prepared, text)?.starts(self.prepared, limit);
            let data = listed(self.prepared, &states, more);
            self.listed = Some(states);
            return Ok(data);
        }
        self.listed = None;
        let mut out = StartsData { starts: vec![], more: false };
        let all = each_start(self.prepared, &mut |state| {
            let room = out.starts.len() < limit;
            if room {
                out.starts.push(values(&Clock::new(&self.prepared.flat, state), state));
            }
            room
        });
        out.more = !all;
        Ok(out)
    }

    /// Begins again in the initial state with this number, from 0, of those that were listed last. A trace stays loaded.
    pub fn start_at(&mut self, start: usize) -> Result<StateData, InterpreterRefusal> {
        self.at()?;
        let state = match &self.listed {
            Some(listed) => listed.get(start).cloned(),
            None => nth_start(self.prepared, start),
        };
        let state = state.ok_or(InterpreterRefusal::NoSuchStart)?;
        self.at = Ok(Where::begin(self.prepared, state));
        self.state()
    }
}

/// All cells of a state that traces mention.
fn values(clock: &Clock<'_>, state: &[Value]) -> Vec<WriteData> {
    clock.snapshot(state).iter().map(|assigned| data::write(clock.flat(), assigned)).collect()
}

/// What happens in a step from the state `before` to the state `after`; the clock moves on.
fn told(
    prepared: &Prepared,
    clock: &mut Clock<'_>,
    (offer, message): (&Offer, &Option<MessageData>),
    before: &[Value],
    after: &[Value],
) -> StepData {
    let assigned = clock.step(&offer.writes, after);
    let place = |span| prepared.file.position(span);
    let step = data::step(clock, offer.step.instance, &assigned, after, place);
    let unlinked = unlinked(&prepared.flat, before, offer.step.instance);
    StepData { message: message.clone().map(Box::new), unlinked, ..step }
}

/// Where an agent is in its process, in the order of `show --as triples`.
fn locations(prepared: &Prepared, agent: u32, state: &[Value]) -> Vec<Value> {
    let vars = prepared.flat.program.vars.iter().enumerate().filter(|(_, v)| v.role == Role::Location);
    let slots = vars.filter_map(|(at, _)| prepared.flat.layout.copy(VarId(at as u32), agent));
    slots.map(|slot| state[slot as usize]).collect()
}
