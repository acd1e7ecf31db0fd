//! From a question to a verdict: the network of the smaller program, put together, and what is asked of the whole.
//!
//! What is asked decides up to which equivalence processes are reduced (`crate::preserved`); the whole is asked in
//! `crate::answer`.

use crate::answer::{Answer, Blocks, Places, Whole};
use crate::assemble::{Assembled, Assembly, Part};
use crate::check::Checked;
use crate::network::Network;
use crate::plan::{Limits, NoWhole, Plan};
use crate::preserved::{Preserved, suits};
use crate::process::Process;
use crate::refused::Refused;
use crate::root::{NoRoot, Root};
use std::cell::{Cell, RefCell};
use swarmcheck_engine::{
    Composition, CompositionNode, Control, Effort, Executions, Fairness, Finding, Phase, Reason, Reductions,
    Task, Verdict,
};
use swarmcheck_ir::cancel;
use swarmcheck_ir::ground::{Ground, Term};
use swarmcheck_question::{Questions, SearchShape, Smaller, Watch};

/// Decides a question.
pub fn decide(questions: &Questions, task: &Task, control: &Control<'_>, search: u32) -> Finding {
    let subject = questions.only().subject;
    if let Err(refused) = suits(questions) {
        return Finding::unknown(subject, Reason::Unsupported(refused.to_string()));
    }
    if questions.fair.is_empty() {
        let attempt = |task: &Task| vec![Attempt { questions, task, control }.finding(search)];
        return task.twice(control, attempt).swap_remove(0);
    }
    // What all executions satisfy fair ones do, and a finite violation can be continued fairly.
    let all = &Task { fairness: Fairness::None, ..task.clone() };
    let finding = match swarmcheck_question::questions(&all.setting(), subject) {
        Ok(questions) => {
            let attempt =
                |task: &Task| vec![Attempt { questions: &questions, task, control }.finding(search)];
            all.twice(control, attempt).swap_remove(0)
        }
        Err(refusal) => return Finding::unknown(subject, refusal),
    };
    match &finding.verdict {
        Verdict::Violated(trace, _) if trace.loop_start.is_some() => {
            Finding::unknown(subject, Reason::Unsupported(Refused::Fairness.to_string()))
        }
        _ => finding,
    }
}

/// The program made smaller for a question.
fn smaller(questions: &Questions, task: &Task) -> (Smaller, Ground) {
    // Symmetries rename agents and values, and so processes.
    let reductions = Reductions { symmetry: false, data_symmetry: false, ..task.reductions };
    let mut smaller = questions.smaller(&reductions);
    // Without bounds of variables nothing is known about errors.
    smaller.program = swarmcheck_passes::ranges::narrow(&smaller.program).program;
    let ground = Ground::new(&smaller.program);
    (smaller, ground)
}

/// The network of that program.
fn network(questions: &Questions, smaller: &Smaller, ground: &Ground) -> Result<Network, Refused> {
    let program = &smaller.program;
    let conditions = questions.conditions(program).into_iter().map(|e| ground.condition(program, e));
    let conditions: Vec<Term> = conditions.collect();
    Network::new(program, ground, &conditions, &|_| None)
}

/// Whether composition is likely to pay for a question: there is a network of several processes, and few of them take part
/// in most steps.
pub fn pays(questions: &Questions, task: &Task) -> Result<(), Refused> {
    suits(questions)?;
    if questions.is_small_enough().is_err() {
        return Err(Refused::TooLarge);
    }
    let (smaller, ground) = smaller(questions, task);
    match network(questions, &smaller, &ground)?.is_loosely_coupled() {
        true => Ok(()),
        false => Err(Refused::TightlyCoupled),
    }
}

/// A question that is about to be decided.
struct Attempt<'a> {
    questions: &'a Questions,
    task: &'a Task,
    control: &'a Control<'a>,
}

impl Attempt<'_> {
    fn finding(&self, search: u32) -> Finding {
        let Attempt { questions, task, control, .. } = *self;
        let subject = questions.only().subject;
        let began = control.progress.seconds();
        control.enter(Phase::Preparing);
        if let Err(refusal) = questions.is_small_enough() {
            return Finding::unknown(subject, refusal);
        }
        let (smaller, ground) = smaller(questions, task);
        let made = network(questions, &smaller, &ground).map_err(NoWhole::from);
        let explored = made.and_then(|mut network| {
            let leaves = network.leaves(Plan::of(task), Limits(control))?;
            Ok((network, leaves))
        });
        let (mut network, mut leaves) = match explored {
            Ok(explored) => explored,
            Err(why) => return self.undecided(why, began, Composition::default(), 0),
        };
        let names: Vec<String> = network.parts.iter().map(|part| part.name.clone()).collect();
        let places = Places::new(&mut leaves, &network.constants);
        let preserved = Preserved::by(questions.only().kind, task.ignore_deadlock);
        let mut assembly = Assembly {
            labels: &mut network.labels,
            equivalence: preserved.equivalence,
            plan: Plan::of(task),
            control,
            memory: 0,
            so_far: preserved.report(),
        };
        let assembled = assembly.worthwhile(leaves, &names);
        let Assembly { memory, so_far, .. } = assembly;
        let reached = Cell::new((0, memory));
        let whole = match assembled.and_then(|assembled| self.whole(assembled, &reached, &mut network)) {
            Ok(whole) => whole,
            Err(why) => {
                let (states, memory) = reached.get();
                let mut finding = self.undecided(why, began, so_far, memory);
                finding.effort.states += states;
                return finding;
            }
        };
        control.enter(Phase::Graph);
        let goal = (questions.shape == SearchShape::Before)
            .then(|| questions.place(Watch::Predicate(subject)))
            .flatten();
        let checked = Checked::new(&whole.root, goal);
        let blocks = Blocks { whole: &whole, places: &places };
        let (smaller, ground, stored) = (&smaller, &ground, &blocks);
        let executions = Executions { questions, task, control, smaller, ground, stored };
        let labels = RefCell::new(&mut network.labels);
        let answer = Answer { executions, checked, whole: &whole, places: &places, labels };
        cancel::spare(|| answer.finding(search, began))
    }

    /// Puts what is left together.
    fn whole(
        &self,
        assembled: Assembled,
        reached: &Cell<(u64, u64)>,
        network: &mut Network,
    ) -> Result<Whole, NoWhole> {
        let (control, (_, memory)) = (self.control, reached.get());
        let began = control.progress.seconds();
        let held = assembled.parts.iter().map(Part::bytes).sum::<u64>() + network.labels.bytes();
        let limits = Limits(control);
        let stop = |count: u32, bytes: u64| {
            reached.set((count.into(), memory.max(held + bytes)));
            limits.reached_at(count, held + bytes)
        };
        let parts: Vec<&Process> = assembled.parts.iter().map(|part| &part.process).collect();
        let root = match Root::new(&parts, &mut network.labels, &stop) {
            Ok(root) => root,
            Err(NoRoot::TooLarge) => return Err(Refused::TooLarge.into()),
            Err(NoRoot::Stopped) => return Err(limits.why(reached.get().1)),
        };
        let (name, parts) = assembled.left();
        let mut report = assembled.report;
        if parts.len() > 1 {
            report.nodes.push(CompositionNode {
                name,
                parts,
                states: root.states(),
                transitions: root.transitions() as u64,
                seconds: control.progress.seconds() - began,
                memory: root.bytes(),
                ..CompositionNode::default()
            });
        }
        let memory = memory.max(held + root.bytes());
        Ok(Whole { parts: assembled.parts, root, report, memory })
    }

    /// Why there is no answer, and what was done.
    fn undecided(&self, why: NoWhole, began: f64, so_far: Composition, memory: u64) -> Finding {
        let reason = match why {
            NoWhole::Stopped => Reason::Interrupted,
            NoWhole::Memory => Reason::Memory,
            NoWhole::Refused(refused) => Reason::Unsupported(refused.to_string()),
        };
        let seconds = self.control.progress.seconds() - began;
        let states = so_far.nodes.iter().map(|node| u64::from(node.states)).sum();
        let transitions = so_far.nodes.iter().map(|node| node.transitions).sum();
        let composition =
            (!so_far.nodes.is_empty()).then(|| Box::new(Composition { unfinished: true, ..so_far }));
        let effort = Effort { states, transitions, seconds, memory, ..Effort::default() };
        Finding { effort, composition, ..Finding::unknown(self.questions.only().subject, reason) }
    }
}
