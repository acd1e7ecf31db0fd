//! How steps are drawn: exactly by the law of [`crate::law`].
//!
//! The enabled instances are not listed to achieve that: an instance is drawn among all and another one if it is disabled, which needs a few
//! tries instead of one look at every agent. An instance that gets stuck with the choices drawn for it is not given up: its
//! choices are drawn again (`resolve.rs`), so that it is as likely as the others. When many tries in a row fail, a
//! scan of the guards finds out what is enabled, and whether anything is.

use crate::plan::{ByAgent, Order, Plan};
use crate::race::{Race, wait};
use crate::resolve::Tried;
use crate::rng::Rng;
use crate::run::Taken;
use std::cell::OnceCell;
use swarmcheck_ir::Value;
use swarmcheck_ir::flat::{Chooser, Instance, Machine, Outcome};
use swarmcheck_ir::ground::Runner;

/// What a run keeps for itself.
#[derive(Clone)]
pub(crate) struct Walk {
    pub(crate) machine: Machine,
    /// For the ground program, if there is one.
    runner: Runner,
    pub(crate) rng: Rng,
    pub(crate) state: Vec<Value>,
    pub(crate) choices: Vec<u64>,
    pub(crate) time: f64,
    /// Instances that turned out to be disabled in the present state although their guards hold.
    hopeless: Vec<u32>,
    /// Memory for lists of instances.
    list: Vec<u32>,
    /// The state with ranks for timestamps, if somebody has asked for it since the last step.
    view: OnceCell<Vec<Value>>,
}

impl Walk {
    pub(crate) fn new(plan: &Plan<'_>, rng: Rng, state: Vec<Value>) -> Walk {
        let (mut machine, runner) = (Machine::new(plan.flat), Runner::default());
        if plan.fast && plan.ground.is_none() {
            machine.follow(plan.flat, &state);
        }
        let view = OnceCell::new();
        Walk { machine, runner, rng, state, choices: vec![], time: 0.0, hopeless: vec![], list: vec![], view }
    }

    pub(crate) fn step(&mut self, plan: &Plan<'_>, stopped: &dyn Fn() -> bool) -> Taken {
        if plan.flat.instances() == 0 {
            return Taken::Deadlock;
        }
        self.hopeless.clear();
        self.view.take();
        match &plan.order {
            Order::Steps => self.any_step(plan, stopped),
            Order::Agents(by_agent) => self.agents_step(plan, by_agent, stopped),
            Order::Rates(race) => self.first_step(plan, race, stopped),
        }
    }

    /// The state, with ranks for timestamps.
    pub(crate) fn ranked(&self, plan: &Plan<'_>) -> &[Value] {
        if !self.machine.is_sparse() {
            return &self.state;
        }
        self.view.get_or_init(|| {
            let mut state = self.state.clone();
            self.machine.dense(plan.flat, &mut state);
            state
        })
    }

    /// Every enabled instance equally likely.
    fn any_step(&mut self, plan: &Plan<'_>, stopped: &dyn Fn() -> bool) -> Taken {
        let n = plan.flat.instances();
        for _ in 0..tries(n as usize) {
            let number = self.rng.below(u64::from(n)) as u32;
            if let Some(taken) = self.take(plan, number, stopped) {
                return taken;
            }
        }
        self.open(plan);
        self.one_of(plan, stopped).unwrap_or(Taken::Deadlock)
    }

    /// Every agent with an enabled instance equally likely, then every one of its enabled instances.
    fn agents_step(&mut self, plan: &Plan<'_>, by_agent: &ByAgent, stopped: &dyn Fn() -> bool) -> Taken {
        let n = by_agent.agents();
        for _ in 0..tries(n) {
            let agent = self.rng.below(n as u64) as usize;
            if let Some(taken) = self.step_of(plan, by_agent.of(agent), stopped) {
                return taken;
            }
        }
        // In a random order the first one that is enabled is any of them.
        let mut agents: Vec<usize> = (0..n).collect();
        while !agents.is_empty() {
            let at = self.rng.below(agents.len() as u64) as usize;
            if let Some(taken) = self.step_of(plan, by_agent.of(agents.swap_remove(at)), stopped) {
                return taken;
            }
        }
        Taken::Deadlock
    }

    /// Every enabled one of an agent's instances equally likely; nothing if none is.
    fn step_of(&mut self, plan: &Plan<'_>, own: &[u32], stopped: &dyn Fn() -> bool) -> Option<Taken> {
        self.list.clear();
        self.list.extend_from_slice(own);
        self.one_of(plan, stopped)
    }

    /// The instance that rings first, among those that are enabled.
    fn first_step(&mut self, plan: &Plan<'_>, race: &Race, stopped: &dyn Fn() -> bool) -> Taken {
        for _ in 0..tries(plan.flat.instances() as usize) {
            self.time += wait(&mut self.rng, race.total());
            let number = race.draw(&mut self.rng);
            if let Some(taken) = self.take(plan, number, stopped) {
                return taken;
            }
        }
        // Nothing has rung up to now, and what has waited in vain has no memory of it: the race begins anew, among fewer.
        self.open(plan);
        while !self.list.is_empty() {
            let total = self.list.iter().map(|number| race.rate(*number)).sum();
            self.time += wait(&mut self.rng, total);
            let at = race.among(&self.list, &mut self.rng);
            let number = self.list.swap_remove(at);
            if let Some(taken) = self.take(plan, number, stopped) {
                return taken;
            }
        }
        Taken::Deadlock
    }

    /// Every enabled instance of the list equally likely; nothing if none is. In a random order the first one that is enabled is any of
    /// them.
    fn one_of(&mut self, plan: &Plan<'_>, stopped: &dyn Fn() -> bool) -> Option<Taken> {
        while !self.list.is_empty() {
            let at = self.rng.below(self.list.len() as u64) as usize;
            let number = self.list.swap_remove(at);
            if let Some(taken) = self.take(plan, number, stopped) {
                return Some(taken);
            }
        }
        None
    }

    /// Makes the step of an instance, or says nothing if it is disabled.
    #[inline]
    fn take(&mut self, plan: &Plan<'_>, number: u32, stopped: &dyn Fn() -> bool) -> Option<Taken> {
        let mut tried = self.attempt(plan, number);
        if matches!(tried, Tried::Stuck) {
            if self.hopeless.contains(&number) {
                return None;
            }
            tried = self.resolve(plan, number, stopped);
            if matches!(tried, Tried::Disabled) {
                self.hopeless.push(number);
            }
        }
        match tried {
            Tried::Done => Some(Taken::Step(plan.flat.instance(number))),
            Tried::Fault(fault) => Some(Taken::Fault(plan.flat.instance(number), fault)),
            Tried::Disabled | Tried::Stuck => None,
            Tried::TooMany => Some(Taken::TooManyChoices(plan.flat.instance(number))),
            Tried::Stopped => Some(Taken::Stopped),
        }
    }

    /// Lists the instances whose guards hold, or cannot be evaluated: drawing one of these ends the run.
    fn open(&mut self, plan: &Plan<'_>) {
        let Walk { machine, runner, state, list, .. } = self;
        list.clear();
        list.extend((0..plan.flat.instances()).filter(|number| {
            let holds = match &plan.ground {
                None => machine.enabled(plan.flat, plan.flat.instance(*number), state),
                Some(ground) => runner.enabled(&ground.instances()[*number as usize], state),
            };
            holds != Ok(false)
        }));
    }

    /// Runs an instance once, with random choices. One that is stuck before anything was chosen is disabled.
    #[inline]
    pub(crate) fn attempt(&mut self, plan: &Plan<'_>, number: u32) -> Tried {
        let Walk { machine, runner, state, rng, choices, .. } = self;
        choices.clear();
        let mut recorded = Recorded { rng, choices };
        let outcome = match &plan.ground {
            None => machine.step(plan.flat, plan.flat.instance(number), state, &mut recorded),
            Some(ground) => runner.step(&ground.instances()[number as usize], state, &mut recorded),
        };
        match outcome {
            Outcome::Done => Tried::Done,
            Outcome::Disabled if choices.is_empty() => Tried::Disabled,
            Outcome::Disabled => Tried::Stuck,
            Outcome::Fault(fault) => Tried::Fault(fault),
        }
    }

    /// Runs the instance with a number.
    pub(crate) fn execute<C: Chooser>(&mut self, plan: &Plan<'_>, number: u32, chooser: &mut C) -> Outcome {
        match &plan.ground {
            None => self.machine.step(plan.flat, plan.flat.instance(number), &mut self.state, chooser),
            Some(ground) => self.runner.step(&ground.instances()[number as usize], &mut self.state, chooser),
        }
    }

    /// Runs an instance that is given by its function and its agent.
    pub(crate) fn run<C: Chooser>(
        &mut self,
        plan: &Plan<'_>,
        instance: Instance,
        chooser: &mut C,
    ) -> Outcome {
        self.view.take();
        if plan.ground.is_none() {
            return self.machine.step(plan.flat, instance, &mut self.state, chooser);
        }
        match (0..plan.flat.instances()).find(|number| plan.flat.instance(*number) == instance) {
            Some(number) => self.execute(plan, number, chooser),
            None => Outcome::Disabled,
        }
    }

    pub(crate) fn writes(&self, plan: &Plan<'_>) -> &[(u32, Value)] {
        match plan.ground {
            None => self.machine.writes(),
            Some(_) => self.runner.writes(),
        }
    }

    /// Takes the last step back.
    pub(crate) fn take_back(&mut self, plan: &Plan<'_>) {
        match plan.ground {
            None => self.machine.undo(&mut self.state),
            Some(_) => self.runner.undo(&mut self.state),
        }
    }
}

/// How many instances are tried before the enabled ones among `n` are listed.
fn tries(n: usize) -> usize {
    (2 * n + 8).min(64)
}

/// Random choices, kept for whoever wants to know what was chosen.
struct Recorded<'a> {
    rng: &'a mut Rng,
    choices: &'a mut Vec<u64>,
}

impl Chooser for Recorded<'_> {
    #[inline]
    fn choose(&mut self, n: u64) -> u64 {
        let made = self.rng.choose(n);
        self.choices.push(made);
        made
    }
}
