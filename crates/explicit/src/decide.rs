//! From questions to a search: what it looks at, which reductions of states it uses, and what its result says.

use crate::answer::Answers;
use crate::codec::{Codec, Overflow};
use crate::data_symmetry::{DataCanon, FEW};
use crate::dispatch::Dispatch;
use crate::fair::FairTerms;
use crate::packed::Packed;
use crate::partial_order::PartialOrder;
use crate::search::{Ended, Explored, Setup, explore};
use crate::stored::Stored;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::trace::Trace;
use swarmcheck_engine::{Control, Executions, Fairness, Finding, Phase, Reason, Reductions, Task, Verdict};
use swarmcheck_ir::cancel;
use swarmcheck_ir::ground::{Ground, Term};
use swarmcheck_ir::{Expr, Program};
use swarmcheck_passes::symmetry::Canon;
use swarmcheck_question::questions::unrolled;
use swarmcheck_question::{QuestionKind, Questions, SearchShape, Watch};

/// Searches and answers, a finding for each question.
pub fn decide(questions: &Questions, task: &Task, control: &Control<'_>, search: u32) -> Vec<Finding> {
    if let Some(finding) = without_fairness(questions, task, control, search) {
        return vec![finding];
    }
    task.twice(control, |task| attempt(questions, task, control, search))
}

/// An answer that is the same whether executions are fair or not: what all of them satisfy fair ones do, and what a finite
/// one violates is violated by a fair one, because it can be extended to one. Reductions whose arguments do not cover fairness
/// make this search smaller than the one for fair executions.
fn without_fairness(
    questions: &Questions,
    task: &Task,
    control: &Control<'_>,
    search: u32,
) -> Option<Finding> {
    let Reductions { stale, symmetry, partial_order, .. } = task.reductions;
    if questions.fair.is_empty() || !(stale || symmetry || partial_order) {
        return None;
    }
    let task = &Task { fairness: Fairness::None, ..task.clone() };
    let all = swarmcheck_question::questions(&task.setting(), questions.only().subject).ok()?;
    let finding = attempt(&all, task, control, search).into_iter().next()?;
    let finite = |trace: &Trace| trace.loop_start.is_none();
    match &finding.verdict {
        Verdict::Holds(_) | Verdict::Invalid(_) => Some(finding),
        Verdict::Violated(trace, _) if finite(trace) => Some(finding),
        Verdict::Unknown(Reason::Interrupted) => Some(finding),
        Verdict::Violated(..) | Verdict::Unknown(_) => None,
    }
}

/// The same with these reductions and no others.
pub(crate) fn attempt(
    questions: &Questions,
    task: &Task,
    control: &Control<'_>,
    search: u32,
) -> Vec<Finding> {
    Decision { questions, task, control }.attempt(search)
}

/// Questions that are about to be decided.
struct Decision<'a> {
    questions: &'a Questions,
    task: &'a Task,
    control: &'a Control<'a>,
}

impl Decision<'_> {
    fn attempt(&self, search: u32) -> Vec<Finding> {
        let Decision { questions, task, control } = *self;
        let began = control.progress.seconds();
        control.enter(Phase::Preparing);
        if let Err(refusal) = questions.is_small_enough() {
            let unknown = |q: &swarmcheck_question::Question| Finding::unknown(q.subject, refusal.clone());
            return questions.questions.iter().map(unknown).collect();
        }
        let mut smaller = questions.smaller(&task.reductions);
        let mut ground = Ground::new(&smaller.program);
        let mut codec = Codec::new(&smaller.program, &ground.layout);
        let mut canon = smaller.symmetry.as_ref().map(|s| Canon::new(&smaller.program, &ground.layout, s));
        // Of initial states that are taken for equal one is enough.
        let sorted = smaller.symmetry.as_ref().and_then(|s| ground.with_sorted_agents(&s.interchangeable()));
        let grounds = (sorted.as_ref().unwrap_or(&ground), &ground);
        if canon.is_some() && !self.symmetry_pays(&smaller.program, grounds, &codec, &canon) {
            canon = None;
            smaller.notes.push("symmetry would not make the search much smaller".to_string());
        } else if let Some(sorted) = sorted {
            ground = sorted;
        }
        let partial_order = self.partial_order(&smaller.program, &ground);
        loop {
            let symmetries =
                smaller.data_symmetries.as_ref().filter(|m| canon.is_none() || m.symmetries.len() <= FEW);
            let data_canon = match symmetries.map(|m| DataCanon::new(&ground.layout, &codec, m)).transpose() {
                Ok(data_canon) => data_canon,
                // Mirrored and exchanged values need room in the fields of their images.
                Err(Overflow) => {
                    match codec.wider(&smaller.program, &ground.layout) {
                        Some(wider) => codec = wider,
                        None => smaller.data_symmetries = None,
                    }
                    continue;
                }
            };
            let setup = self.setup(&smaller.program, &ground, &codec, canon.clone(), partial_order.clone());
            let setup = Setup { data_canon, ..setup };
            let explored = explore(&setup, control);
            if explored.ended == Ended::Overflow
                && let Some(wider) = codec.wider(&smaller.program, &ground.layout)
            {
                codec = wider;
                continue;
            }
            let stored = Stored {
                partial_order: partial_order.as_ref(),
                canon: canon.clone(),
                codec: setup.data_canon.is_some().then_some(&codec),
                data_canon: setup.data_canon.clone(),
            };
            let (smaller, ground, stored) = (&smaller, &ground, &stored);
            let executions = Executions { questions, task, control, smaller, ground, stored };
            let answers = Answers { executions, codec: &codec, explored };
            return cancel::spare(|| answers.findings(search, began));
        }
    }

    /// Whether taking states for equal makes a small part of the search noticeably smaller. Where agents are told apart
    /// from the beginning, by their first timestamps for instance, renaming costs more than it saves.
    fn symmetry_pays(
        &self,
        program: &Program,
        (sorted, all): (&Ground, &Ground),
        codec: &Codec,
        canon: &Option<Canon>,
    ) -> bool {
        let probe = |canon: Option<Canon>, ground| {
            let setup = self.setup(program, ground, codec, canon, None);
            let silent = Control { progress: &Silent, ..*self.control };
            explore(&Setup { enough: Some(PROBE), edges: false, cycle_alarm: false, ..setup }, &silent)
        };
        let with = probe(canon.clone(), sorted);
        if with.ended != Ended::Enough {
            return true;
        }
        let without = probe(None, all);
        // The states of all layers that both have finished; in the first, what the same initial states gave.
        let common = with.layers.len().min(without.layers.len());
        let count = |explored: &Explored| match common {
            0 => explored.enumerated as f64 / explored.store.len().max(1) as f64,
            n => 1.0 / explored.layers[n - 1].max(1) as f64,
        };
        count(&with) > PAYS * count(&without)
    }

    /// Partial-order reduction for this search. Finding the candidates takes time in proportion to instances and conditions:
    /// where both are large it is not worth it.
    fn partial_order(&self, program: &Program, ground: &Ground) -> Option<PartialOrder> {
        let exprs: Vec<&Expr> = self.questions.conditions(program);
        let size: f64 = exprs.iter().map(|e| unrolled(program, e)).sum();
        let worth = size * (ground.instances().len() as f64) < PARTIAL_ORDER_WORK;
        let wanted = self.task.reductions.partial_order && !self.questions.needs.steps && worth;
        wanted.then(|| PartialOrder::new(program, ground, &exprs)).flatten()
    }

    fn setup<'a>(
        &self,
        program: &Program,
        ground: &'a Ground,
        codec: &'a Codec,
        canon: Option<Canon>,
        partial_order: Option<PartialOrder>,
    ) -> Setup<'a> {
        let Decision { questions, task, .. } = *self;
        let mut alarms = 0;
        let mut last_chances = 0;
        let mut exhaustive = false;
        let mut edges = false;
        let mut stuck_alarm = false;
        for question in &questions.questions {
            let bit = questions.place(Watch::Predicate(question.subject)).map_or(0, |place| 1 << place);
            match question.kind {
                QuestionKind::Always | QuestionKind::Kept | QuestionKind::Scope { waits: false } => {
                    alarms |= bit
                }
                QuestionKind::Reached => {
                    edges = true;
                    stuck_alarm = !task.ignore_deadlock;
                }
                QuestionKind::Reachable => {
                    edges = true;
                    last_chances |= if task.ignore_deadlock { 0 } else { bit };
                    exhaustive |= task.ignore_deadlock;
                }
                QuestionKind::Scope { waits: true } => {
                    alarms |= bit;
                    edges = true;
                    exhaustive = true;
                }
                QuestionKind::Recurs => edges = true,
                QuestionKind::Alive => stuck_alarm = true,
            }
        }
        alarms |= questions.place(Watch::NotBad).map_or(0, |place| 1 << place);
        // The conditions of each state are kept with its steps.
        edges |= [Watch::NotBad, Watch::Excused, Watch::Asked].iter().any(|w| questions.place(*w).is_some());
        let reached = questions.questions.iter().any(|q| q.kind == QuestionKind::Reached);
        let before = questions.shape == SearchShape::Before
            || matches!(questions.shape, SearchShape::After { avoiding: true, .. });
        let exprs = questions.conditions(program).into_iter();
        let conditions: Vec<Term> = exprs.map(|e| ground.condition(program, e)).collect();
        Setup {
            ground,
            dispatch: Dispatch::new(ground),
            // States that are renamed, or from which first steps are taken, must be unpacked for that.
            packed: (task.reductions.packed && canon.is_none() && partial_order.is_none())
                .then(|| Packed::new(ground, &conditions, codec)),
            codec,
            partial_order,
            conditions,
            alarms,
            last_chances,
            goal: before.then_some(0),
            edges,
            stuck_alarm,
            cycle_alarm: reached,
            fair: FairTerms::new(&questions.fair, program, ground),
            exhaustive,
            depth: match questions.shape {
                SearchShape::Within(steps) | SearchShape::After { steps, .. } => Some(steps),
                SearchShape::Whole | SearchShape::Before => None,
            },
            exact: matches!(questions.shape, SearchShape::After { .. }),
            enough: None,
            canon,
            data_canon: None,
            threads: task.threads,
            hash_bits: task.hash_bits,
        }
    }
}

/// How many states a trial of symmetry looks at, and how much smaller it must make them.
const PROBE: u64 = 20_000;
const PAYS: f64 = 1.3;

/// Size of the conditions times instances: beyond this, partial-order reduction is not tried.
const PARTIAL_ORDER_WORK: f64 = 1e6;
