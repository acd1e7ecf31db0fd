//! From questions to searches and from searches to answers.

use crate::codec::Codec;
use crate::concrete::{Concrete, Ending};
use crate::dispatch::Dispatch;
use crate::graph::STUCK;
use crate::reduce::{self, Smaller};
use crate::search::{Ended, Explored, Setup, explore};
use crate::store::Id;
use swarmcheck_engine::trace::{End, Trace};
use swarmcheck_engine::{Control, Effort, Evidence, Finding, Reason, Subject, Task, Verdict, Why};
use swarmcheck_ir::flat::{Enumerate, Outcome};
use swarmcheck_ir::ground::{Ground, Runner};
use swarmcheck_ir::{Expr, Modality, Program, Value};
use swarmcheck_passes::symmetry::Canon;
use swarmcheck_passes::{Needs, monitor};

/// One search and the questions it answers.
pub struct Job {
    /// What is asked, with the place of its condition among the conditions of the search.
    questions: Vec<Question>,
    /// The program, perhaps with a monitor.
    program: Program,
    /// The slot of the monitor, which no trace shows.
    hidden: Option<u32>,
    needs: Needs,
    shape: Shape,
}

struct Question {
    subject: Subject,
    kind: Kind,
}

/// What is asked about a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// It is true in all states.
    Always,
    /// Every execution reaches it.
    Reached,
    /// It can be reached from every state seen.
    Reachable,
    /// A scope, as a condition on its monitor; whether executions may wait for ever is the next condition.
    Scope { waits: bool },
    /// There is always a step.
    Alive,
}

/// Which states a search visits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// All.
    Whole,
    /// Those before the goal.
    Before,
    /// Those within so many steps.
    Within(u32),
    /// Those after exactly so many steps; of executions that have not met the goal, if it matters.
    After { steps: u32, avoiding: bool },
}

/// Divides the questions of a task among searches.
pub fn jobs(task: &Task<'_>) -> Vec<Result<Job, Box<Finding>>> {
    let program = &task.flat.program;
    let mut out: Vec<Result<Job, Box<Finding>>> = vec![];
    let mut whole: Vec<(std::collections::BTreeSet<swarmcheck_ir::VarId>, Job)> = vec![];
    let folded = reduce::prepare(program, &task.reductions);
    let subjects = task.properties.iter().map(|&p| Subject::Property(p));
    for subject in subjects.chain(task.deadlock.then_some(Subject::DeadlockFreedom)) {
        match job(task, subject) {
            Ok(job) if job.shape == Shape::Whole && job.hidden.is_none() => {
                // Questions about the same variables share a search, seven at most.
                let needs = job.needs;
                let properties: Vec<usize> = job.properties();
                let relevant = reduce::relevant(&folded, &properties, needs, &task.reductions);
                let fits = |(vars, other): &&mut (_, Job)| {
                    *vars == relevant && other.needs == needs && other.questions.len() < 7
                };
                match whole.iter_mut().find(fits) {
                    Some((_, other)) => other.questions.extend(job.questions),
                    None => whole.push((relevant, job)),
                }
            }
            other => out.push(other.map_err(|reason| Box::new(unknown(subject, reason)))),
        }
    }
    // Small searches first: what can be answered soon is answered soon.
    whole.sort_by_key(|(vars, _)| vars.len());
    out.extend(whole.into_iter().map(|(_, job)| Ok(job)));
    out
}

fn unknown(subject: Subject, reason: Reason) -> Finding {
    let verdict = Verdict::Unknown(reason);
    Finding { subject, verdict, vacuous: None, notes: vec![], effort: Effort::default() }
}

fn job(task: &Task<'_>, subject: Subject) -> Result<Job, Reason> {
    let program = task.flat.program.clone();
    let endings = task.ignore_deadlock;
    let simple = |kind, shape, needs| {
        Ok(Job {
            questions: vec![Question { subject, kind }],
            program: program.clone(),
            hidden: None,
            needs,
            shape,
        })
    };
    let Subject::Property(number) = subject else {
        return match task.bound {
            None => simple(Kind::Alive, Shape::Whole, Needs { steps: false, endings: true }),
            Some(b) => simple(Kind::Alive, Shape::Within(b), Needs { steps: true, endings: true }),
        };
    };
    let counted = Needs { steps: true, endings: true };
    match (&program.properties[number].modality, task.bound) {
        (Modality::Always, None) => simple(Kind::Always, Shape::Whole, Needs::default()),
        (Modality::Always, Some(b)) => simple(Kind::Always, Shape::Within(b), counted),
        (Modality::Eventually | Modality::Finally, None) => {
            simple(Kind::Reached, Shape::Before, Needs { steps: false, endings: true })
        }
        (Modality::Eventually, Some(steps)) => {
            simple(Kind::Always, Shape::After { steps, avoiding: true }, counted)
        }
        (Modality::Finally, Some(steps)) => {
            simple(Kind::Always, Shape::After { steps, avoiding: false }, counted)
        }
        (Modality::After(steps), bound) if bound.is_none_or(|b| b >= *steps) => {
            simple(Kind::Always, Shape::After { steps: *steps, avoiding: false }, counted)
        }
        (Modality::After(steps), _) => {
            Err(Reason::Unsupported(format!("{steps} steps are more than the bound")))
        }
        (Modality::Fairly, None) => simple(Kind::Reachable, Shape::Before, Needs { steps: false, endings }),
        (Modality::FairlyInf, None) => simple(Kind::Reachable, Shape::Whole, Needs { steps: false, endings }),
        (Modality::Fairly | Modality::FairlyInf, Some(_)) => Err(Reason::Unsupported(
            "what can be reached is not a question about a number of steps: leave out --steps".to_string(),
        )),
        (Modality::Scoped { .. }, bound) => {
            let monitored = monitor::monitor(&program, number);
            let waits = monitored.waiting.is_some() && bound.is_none();
            let needs = Needs { steps: bound.is_some(), endings: waits };
            let mut program = monitored.program;
            let hidden = Some(Ground::new(&program).layout.global(monitored.state));
            // The promise of an open scope is a condition of its own: kept as one more property of the program.
            if let (true, Some(waiting)) = (waits, monitored.waiting) {
                let promise = swarmcheck_ir::Property {
                    predicate: waiting,
                    modality: Modality::Always,
                    ..program.properties[number].clone()
                };
                program.properties.push(promise);
            }
            let questions = vec![Question { subject, kind: Kind::Scope { waits } }];
            let shape = bound.map_or(Shape::Whole, Shape::Within);
            Ok(Job { questions, program, hidden, needs, shape })
        }
    }
}

impl Job {
    /// The properties whose conditions the search evaluates, in the order of its conditions.
    fn properties(&self) -> Vec<usize> {
        let mut out = vec![];
        for question in &self.questions {
            if let Subject::Property(number) = question.subject {
                out.push(number);
            }
            if question.kind == (Kind::Scope { waits: true }) {
                out.push(self.program.properties.len() - 1);
            }
        }
        out
    }

    /// Searches and answers.
    pub fn run(&self, task: &Task<'_>, control: &Control<'_>, search: u32) -> Vec<Finding> {
        let began = control.progress.seconds();
        let properties = self.properties();
        let smaller = reduce::reduce(&self.program, &properties, self.needs, &task.reductions);
        let ground = Ground::new(&smaller.program);
        let canon = smaller.symmetry.as_ref().map(|s| Canon::new(&smaller.program, &ground.layout, s));
        let mut codec = Codec::new(&smaller.program, &ground.layout);
        loop {
            let setup = self.setup(task, &smaller.program, &ground, &codec, canon.clone());
            let explored = explore(&setup, control);
            if explored.ended == Ended::Overflow
                && let Some(wider) = codec.wider(&smaller.program, &ground.layout)
            {
                codec = wider;
                continue;
            }
            let answers = Answers {
                job: self,
                task,
                control,
                smaller: &smaller,
                ground: &ground,
                codec: &codec,
                canon,
                explored,
            };
            return answers.findings(search, began);
        }
    }

    fn setup<'a>(
        &self,
        task: &Task<'_>,
        program: &Program,
        ground: &'a Ground,
        codec: &'a Codec,
        canon: Option<Canon>,
    ) -> Setup<'a> {
        let mut conditions = vec![];
        let mut alarms = 0;
        let mut edges = false;
        let mut stuck_alarm = false;
        let condition = |e: &Expr| ground.condition(program, e);
        for question in &self.questions {
            let bit = 1 << conditions.len();
            if let Subject::Property(number) = question.subject {
                conditions.push(condition(&program.properties[number].predicate));
            }
            match question.kind {
                Kind::Always | Kind::Scope { waits: false } => alarms |= bit,
                Kind::Reached => {
                    edges = true;
                    stuck_alarm = !task.ignore_deadlock;
                }
                Kind::Reachable => edges = true,
                Kind::Scope { waits: true } => {
                    alarms |= bit;
                    edges = true;
                    conditions.push(condition(&program.properties[program.properties.len() - 1].predicate));
                }
                Kind::Alive => stuck_alarm = true,
            }
        }
        let reached = self.questions.iter().any(|q| q.kind == Kind::Reached);
        let before = self.shape == Shape::Before || matches!(self.shape, Shape::After { avoiding: true, .. });
        Setup {
            ground,
            dispatch: Dispatch::new(ground),
            codec,
            conditions,
            alarms,
            goal: before.then_some(0),
            edges,
            stuck_alarm,
            cycle_alarm: reached,
            exhaustive: edges && !reached,
            depth: match self.shape {
                Shape::Within(steps) | Shape::After { steps, .. } => Some(steps),
                Shape::Whole | Shape::Before => None,
            },
            exact: matches!(self.shape, Shape::After { .. }),
            canon,
            threads: task.threads,
            hash_bits: task.hash_bits,
        }
    }
}

/// A finished search, ready to be asked.
struct Answers<'a> {
    job: &'a Job,
    task: &'a Task<'a>,
    control: &'a Control<'a>,
    smaller: &'a Smaller,
    ground: &'a Ground,
    codec: &'a Codec,
    canon: Option<Canon>,
    explored: Explored,
}

impl Answers<'_> {
    fn findings(&self, search: u32, began: f64) -> Vec<Finding> {
        let explored = &self.explored;
        let effort = Effort {
            search,
            initial: explored.initial,
            states: explored.store.len(),
            transitions: explored.transitions,
            depth: explored.depth,
            deadlocks: explored.deadlocks,
            memory: explored.memory,
            seconds: 0.0,
        };
        let mut bit = 0;
        let mut out = vec![];
        for question in &self.job.questions {
            let verdict = self.verdict(question.kind, bit);
            let vacuous =
                matches!(verdict, Verdict::Holds(_)).then(|| self.vacuous(question.subject)).flatten();
            let mut notes = self.smaller.notes.clone();
            let excusing = matches!(question.kind, Kind::Reached | Kind::Reachable | Kind::Scope { .. });
            if self.task.ignore_deadlock && excusing && explored.deadlocks > 0 {
                notes.push(format!(
                    "executions that stop are excused: {} states without a step",
                    explored.deadlocks
                ));
            }
            let effort = Effort { seconds: self.control.progress.seconds() - began, ..effort };
            out.push(Finding { subject: question.subject, verdict, vacuous, notes, effort });
            bit += match (question.subject, question.kind) {
                (Subject::DeadlockFreedom, _) => 0,
                (_, Kind::Scope { waits: true }) => 2,
                _ => 1,
            };
        }
        out
    }

    fn verdict(&self, kind: Kind, bit: usize) -> Verdict {
        let explored = &self.explored;
        if let Some(faulty) = &explored.faulty {
            let trace = match (faulty.state, faulty.instance) {
                (None, _) => Some(Trace { end: End::InitialFault(faulty.fault), ..Trace::default() }),
                (Some(at), Some(_)) => self.trace(explored.store.path(at), Ending::Fault),
                (Some(at), None) => self.trace(explored.store.path(at), Ending::Open).map(|mut trace| {
                    trace.end = End::Fault(None, faulty.fault);
                    trace
                }),
            };
            return trace.map_or_else(lost, Verdict::Invalid);
        }
        match kind {
            Kind::Always => match explored.alarms[bit] {
                Some(at) => self.violated(explored.store.path(at), Ending::Open, Why::False),
                None => self.holds(),
            },
            Kind::Alive => match explored.stuck {
                Some(at) => self.violated(explored.store.path(at), Ending::Stuck, Why::Deadlock),
                None => self.holds(),
            },
            Kind::Reached => self.reached(),
            Kind::Reachable => self.reachable(bit),
            Kind::Scope { waits } => match explored.alarms[bit] {
                Some(at) => self.violated(explored.store.path(at), Ending::Open, Why::Scope),
                None if waits => self.promised(bit + 1),
                None => self.holds(),
            },
        }
    }

    /// Nothing speaks against it: it holds if everything was seen.
    fn holds(&self) -> Verdict {
        match (self.explored.ended, self.job.shape) {
            (Ended::Complete | Ended::Answered, Shape::Whole | Shape::Before) => {
                Verdict::Holds(Evidence::Explored)
            }
            (
                Ended::Complete | Ended::Depth | Ended::Answered,
                Shape::Within(steps) | Shape::After { steps, .. },
            ) => Verdict::Holds(Evidence::Bounded(steps)),
            (Ended::Interrupted, _) => Verdict::Unknown(Reason::Interrupted),
            (Ended::Memory, _) => Verdict::Unknown(Reason::Memory),
            (Ended::Full, _) => {
                Verdict::Unknown(Reason::Unsupported("more than four billion states".to_string()))
            }
            (Ended::Overflow, _) => Verdict::Unknown(Reason::Internal("a value left its range".to_string())),
            (Ended::Depth | Ended::Faulty, _) => {
                Verdict::Unknown(Reason::Internal("the search ended early".to_string()))
            }
        }
    }

    fn reached(&self) -> Verdict {
        let explored = &self.explored;
        if let (Some(at), false) = (explored.stuck, self.task.ignore_deadlock) {
            return self.violated(explored.store.path(at), Ending::Stuck, Why::Stuck);
        }
        match explored.graph.cycle(|flags| flags & 1 == 0, |id| explored.depth_of(id)) {
            Some(cycle) => self.lasso(&cycle),
            None => self.holds(),
        }
    }

    fn lasso(&self, cycle: &[Id]) -> Verdict {
        let mut way = self.explored.store.path(cycle[0]);
        let start = way.len() - 1;
        way.extend(&cycle[1..]);
        self.violated(way, Ending::Loop(start), Why::Loop)
    }

    fn reachable(&self, bit: usize) -> Verdict {
        let explored = &self.explored;
        if explored.ended != Ended::Complete {
            return self.holds();
        }
        let excused = if self.task.ignore_deadlock { STUCK } else { 0 };
        let reach = explored.graph.can_reach(1 << bit | excused, self.task.threads);
        match explored.graph.states().find(|(id, _)| !reach.contains(*id)) {
            Some((at, _)) => self.violated(explored.store.path(at), Ending::Open, Why::OutOfReach),
            None => self.holds(),
        }
    }

    /// No execution waits for ever: none goes round, or stops, while it does.
    fn promised(&self, bit: usize) -> Verdict {
        let explored = &self.explored;
        let waiting = |flags: u8| flags >> bit & 1 != 0;
        if !self.task.ignore_deadlock {
            let stuck = explored.graph.states().find(|(_, flags)| waiting(*flags) && flags & STUCK != 0);
            if let Some((at, _)) = stuck {
                return self.violated(explored.store.path(at), Ending::Stuck, Why::Stuck);
            }
        }
        match explored.graph.cycle(waiting, |id| explored.depth_of(id)) {
            Some(cycle) => self.lasso(&cycle),
            None => self.holds(),
        }
    }

    fn violated(&self, way: Vec<Id>, ending: Ending, why: Why) -> Verdict {
        self.trace(way, ending).map_or_else(lost, |trace| Verdict::Violated(trace, why))
    }

    /// The execution that a way of the search stands for.
    fn trace(&self, way: Vec<Id>, ending: Ending) -> Option<Trace> {
        let unpack = |id: Id| {
            let mut state = vec![0; self.codec.cells()];
            self.codec.unpack(self.explored.store.state(id), &mut state);
            state
        };
        let way: Vec<Vec<Value>> = way.into_iter().map(unpack).collect();
        let stop = || self.control.stopped();
        let mut concrete =
            Concrete::new(&self.job.program, self.ground, &self.smaller.normalise, self.canon.clone(), &stop);
        let mut trace = concrete.follow(&way, ending)?;
        if let Some(slot) = self.job.hidden {
            let states = trace.steps.iter_mut().map(|s| &mut s.state).chain([&mut trace.initial]);
            for state in states {
                state.remove(slot as usize);
            }
        }
        Some(trace)
    }

    /// Why it holds without saying anything.
    fn vacuous(&self, subject: Subject) -> Option<String> {
        let explored = &self.explored;
        if let Subject::Property(number) = subject
            && self.job.program.properties[number].vacuous
        {
            return Some("a quantifier ranges over no agent".to_string());
        }
        if explored.initial == 0 {
            return Some("no initial state satisfies the assumptions".to_string());
        }
        match self.job.shape {
            Shape::After { steps, .. } if explored.ended == Ended::Complete => {
                Some(format!("no execution makes {steps} steps"))
            }
            _ if explored.transitions == 0 && subject != Subject::DeadlockFreedom && self.is_still() => {
                Some("no step is possible in any initial state".to_string())
            }
            _ => None,
        }
    }

    /// Whether nothing at all can happen in the original program. The search saw no step, but steps may have been left out
    /// as irrelevant, and a search that stops at the goal may have begun there.
    fn is_still(&self) -> bool {
        let ground = Ground::new(&self.job.program);
        let mut runner = Runner::default();
        let mut state = vec![0; ground.width()];
        let mut choices = Enumerate::default();
        for _ in 0..STILL {
            if runner.initialise(&ground, &mut state, &mut choices) == Outcome::Done {
                let possible = ground.instances().iter().any(|routine| {
                    let mut first = Enumerate::default();
                    loop {
                        let outcome = runner.step(routine, &mut state, &mut first);
                        runner.undo(&mut state);
                        if outcome != Outcome::Disabled {
                            return true;
                        }
                        if !first.advance() {
                            return false;
                        }
                    }
                });
                if possible {
                    return false;
                }
            }
            if !choices.advance() {
                return true;
            }
        }
        false
    }
}

/// How many initial states are looked at to say that nothing can happen.
const STILL: usize = 100_000;

fn lost() -> Verdict {
    Verdict::Unknown(Reason::Internal(
        "no execution was found for a counterexample of the search".to_string(),
    ))
}
