//! From questions to searches: which questions share one, what it looks at, and which reductions it may use.

use crate::answer::Answers;
use crate::codec::{Codec, Overflow};
use crate::data_symmetry::{DataCanon, FEW};
use crate::dispatch::Dispatch;
use crate::execution::Executions;
use crate::packed::Packed;
use crate::partial_order::PartialOrder;
use crate::reduce::{self, FoldedProgram, Smaller};
use crate::search::{Ended, Explored, Setup, explore};
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{
    Control, Effort, Finding, Note, Phase, Reason, Reductions, Shared, Subject, Task, Verdict,
};
use swarmcheck_ir::cancel;
use swarmcheck_ir::flat::Layout;
use swarmcheck_ir::ground::{Ground, Term};
use swarmcheck_ir::property::LinearTime;
use swarmcheck_ir::{Expr, Modality, Program, VarId};
use swarmcheck_logic::linear::trivial;
use swarmcheck_passes::symmetry::Canon;
use swarmcheck_passes::{Needs, linear, monitor};

/// One search and the questions it answers.
pub struct SearchJob {
    /// What is asked, with the place of its condition among the conditions of the search.
    pub questions: Vec<SearchQuestion>,
    /// The program, perhaps with a monitor.
    pub program: Program,
    /// The slot of the monitor, which no trace shows.
    pub hidden: Option<u32>,
    /// The same program, without a monitor, with constants folded, if other searches share it.
    folded: Option<Arc<FoldedProgram>>,
    /// What reductions must keep.
    pub needs: Needs,
    /// Which states it visits.
    pub shape: SearchShape,
    /// Conditions on the product with an automaton, besides those of the questions.
    pub beside: Vec<Beside>,
}

/// A question that a search answers.
pub struct SearchQuestion {
    pub subject: Subject,
    pub kind: QuestionKind,
}

/// What is asked about a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QuestionKind {
    /// It is true in all states.
    Always,
    /// Every execution reaches it.
    Reached,
    /// It can be reached from every state seen.
    Reachable,
    /// A scope, as a condition on its monitor; whether executions may wait for ever is the next condition.
    Scope {
        /// An execution that waits for ever violates the property.
        waits: bool,
    },
    /// No execution meets it again and again for ever. Whether what has happened is bad whatever follows may be a further
    /// condition, see [`Beside::NotBad`].
    Recurs,
    /// It is true in all states: nothing has happened that violates a formula whatever follows.
    Kept,
    /// There is always a step.
    Alive,
}

/// What else is watched in the product with the automaton of a formula, as one more property of the program each, after all
/// others, in this order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beside {
    /// What has happened does not violate the formula whatever follows.
    NotBad,
    /// No step is possible; executions that stop are excused.
    Excused,
    /// The formula asks for something here.
    Asked,
}

/// Which states a search visits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchShape {
    /// All reachable states.
    Whole,
    /// Those reached without meeting the goal before; states that meet it are not expanded.
    Before,
    /// Those within so many steps.
    Within(u32),
    /// Those after exactly so many steps; of executions that have not met the goal, if it matters.
    After {
        steps: u32,
        /// Only executions that have not met the goal.
        avoiding: bool,
    },
}

/// A search to be made. Monitors and products with automata may take long to work out, so that is left to whoever makes
/// the search.
pub struct Plan {
    /// The questions that it answers.
    pub subjects: Vec<Subject>,
    folded: Arc<FoldedProgram>,
    job: OnceLock<Result<SearchJob, Box<Finding>>>,
}

impl Plan {
    fn later(subject: Subject, folded: &Arc<FoldedProgram>) -> Plan {
        Plan { subjects: vec![subject], folded: Arc::clone(folded), job: OnceLock::new() }
    }

    fn ready(job: Result<SearchJob, Box<Finding>>, folded: &Arc<FoldedProgram>) -> Plan {
        let subjects = match &job {
            Ok(job) => job.questions.iter().map(|q| q.subject).collect(),
            Err(finding) => vec![finding.subject],
        };
        Plan { subjects, folded: Arc::clone(folded), job: job.into() }
    }

    /// The search, worked out now if it was not before; or why there is none.
    pub fn job(&self, task: &Task<'_>) -> &Result<SearchJob, Box<Finding>> {
        self.job.get_or_init(|| self.work_out(task))
    }

    /// The same, if it has been worked out.
    pub fn known(&self) -> Option<&Result<SearchJob, Box<Finding>>> {
        self.job.get()
    }

    fn work_out(&self, task: &Task<'_>) -> Result<SearchJob, Box<Finding>> {
        // What is not worked out from the beginning has one question.
        let subject = self.subjects[0];
        let mut job = job(task, subject).map_err(|reason| Box::new(unknown(subject, reason)))?;
        job.folded = Some(Arc::clone(&self.folded));
        Ok(job)
    }
}

/// Works out what all questions of a task need, for [`Task::shared`].
pub fn share(task: &Task<'_>) -> Shared {
    Arc::new(reduce::fold_constants(&task.flat.program, &task.reductions))
}

/// The task with what all its questions need. What engines and those who check them work out must be the same program, and it
/// differs with what was known before.
pub fn sharing<'a>(task: &Task<'a>) -> Task<'a> {
    let shared = shared(task).map_or_else(|| share(task), |known| known as Shared);
    Task { shared: Some(shared), ..task.clone() }
}

/// The program with constants folded, if that was worked out before.
pub(crate) fn shared(task: &Task<'_>) -> Option<Arc<FoldedProgram>> {
    let folded = Arc::clone(task.shared.as_ref()?).downcast::<FoldedProgram>().ok()?;
    // A task borrows its program, so nothing else can be at the same place.
    (folded.is_of(&task.flat.program) && folded.suits(&task.reductions)).then_some(folded)
}

/// Divides the questions of a task among searches, and works them out.
pub fn jobs(task: &Task<'_>) -> Vec<Result<SearchJob, Box<Finding>>> {
    let worked_out = |mut plan: Plan| plan.job.take().unwrap_or_else(|| plan.work_out(task));
    plan(task).into_iter().map(worked_out).collect()
}

/// Divides the questions of a task among searches.
pub fn plan(task: &Task<'_>) -> Vec<Plan> {
    let program = &task.flat.program;
    let mut out: Vec<Plan> = vec![];
    let mut whole: Vec<(BTreeSet<VarId>, SearchJob)> = vec![];
    let folded = shared(task).unwrap_or_else(|| Arc::new(reduce::fold_constants(program, &task.reductions)));
    let task = &Task { shared: Some(Arc::clone(&folded) as Shared), ..task.clone() };
    for subject in task.subjects() {
        let modality = subject.property().map(|number| &program.properties[number].modality);
        if let Some(Modality::Linear(_) | Modality::Scoped { .. }) = modality {
            out.push(Plan::later(subject, &folded));
            continue;
        }
        match job(task, subject) {
            Ok(job) if job.shape == SearchShape::Whole && job.hidden.is_none() => {
                // Questions about the same variables share a search, seven at most.
                let needs = job.needs;
                let properties: Vec<usize> = job.properties();
                let relevant = reduce::relevant(&folded, &properties, needs);
                let fits = |(vars, other): &&mut (_, SearchJob)| {
                    *vars == relevant && other.needs == needs && other.questions.len() < 7
                };
                match whole.iter_mut().find(fits) {
                    Some((_, other)) => other.questions.extend(job.questions),
                    None => whole.push((relevant, job)),
                }
            }
            other => {
                let other = other.map_err(|reason| Box::new(unknown(subject, reason)));
                out.push(Plan::ready(other, &folded));
            }
        }
    }
    // Small searches first: what can be answered soon is answered soon.
    whole.sort_by_key(|(vars, _)| vars.len());
    out.extend(whole.into_iter().map(|(_, job)| Plan::ready(Ok(job), &folded)));
    out
}

/// A finding without an answer, for this reason.
pub fn unknown(subject: Subject, reason: Reason) -> Finding {
    let verdict = Verdict::Unknown(reason);
    Finding { subject, verdict, vacuous: None, notes: vec![], effort: Effort::default(), certificate: None }
}

/// The search for one question.
pub fn job(task: &Task<'_>, subject: Subject) -> Result<SearchJob, Reason> {
    let program = task.flat.program.clone();
    let endings = task.ignore_deadlock;
    let folded = shared(task);
    let simple = |kind, shape, needs| {
        Ok(SearchJob {
            questions: vec![SearchQuestion { subject, kind }],
            program: program.clone(),
            hidden: None,
            folded: folded.clone(),
            needs,
            shape,
            beside: vec![],
        })
    };
    let Subject::Property(number) = subject else {
        return match task.bound {
            None => simple(QuestionKind::Alive, SearchShape::Whole, Needs { steps: false, endings: true }),
            // The states after the last step must be expanded to know whether they have one.
            Some(b) => simple(
                QuestionKind::Alive,
                SearchShape::Within(b.saturating_add(1)),
                Needs { steps: true, endings: true },
            ),
        };
    };
    let counted = Needs { steps: true, endings: true };
    match (&program.properties[number].modality, task.bound) {
        (Modality::Always, None) => simple(QuestionKind::Always, SearchShape::Whole, Needs::default()),
        (Modality::Always, Some(b)) => simple(QuestionKind::Always, SearchShape::Within(b), counted),
        (Modality::Eventually | Modality::Finally, None) => {
            simple(QuestionKind::Reached, SearchShape::Before, Needs { steps: false, endings: true })
        }
        (Modality::Eventually, Some(steps)) => {
            simple(QuestionKind::Always, SearchShape::After { steps, avoiding: true }, counted)
        }
        (Modality::Finally, Some(steps)) => {
            simple(QuestionKind::Always, SearchShape::After { steps, avoiding: false }, counted)
        }
        (Modality::After(steps), bound) if bound.is_none_or(|b| b >= *steps) => {
            simple(QuestionKind::Always, SearchShape::After { steps: *steps, avoiding: false }, counted)
        }
        (Modality::After(steps), _) => {
            Err(Reason::Unsupported(format!("{steps} steps are more than the bound")))
        }
        (Modality::Fairly, None) => {
            simple(QuestionKind::Reachable, SearchShape::Before, Needs { steps: false, endings })
        }
        (Modality::FairlyInf, None) => {
            simple(QuestionKind::Reachable, SearchShape::Whole, Needs { steps: false, endings })
        }
        (Modality::Fairly | Modality::FairlyInf, Some(_)) => {
            Err(Reason::Unsupported("reachability has no bound on steps".to_string()))
        }
        (Modality::Linear(_), Some(_)) => Err(Reason::Unsupported(
            "an LTL formula is about infinite executions, which have no bound on steps".to_string(),
        )),
        (Modality::Linear(linear), None) => formula(task, number, linear),
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
            let questions = vec![SearchQuestion { subject, kind: QuestionKind::Scope { waits } }];
            let shape = bound.map_or(SearchShape::Whole, SearchShape::Within);
            Ok(SearchJob { questions, program, hidden, folded, needs, shape, beside: vec![] })
        }
    }
}

/// The search for a formula of linear time: in the product with the automaton of its negation.
fn formula(task: &Task<'_>, number: usize, linear: &LinearTime) -> Result<SearchJob, Reason> {
    let program = &task.flat.program;
    let Some(product) = linear::product(program, number, !task.ignore_deadlock) else {
        return Err(Reason::Unsupported("the automaton of the formula is too large".to_string()));
    };
    let linear::Product { mut program, state, bad, safety } = product;
    let (kind, beside) = watch(&mut program, number, linear, (bad, safety), task.ignore_deadlock);
    Ok(SearchJob {
        questions: vec![SearchQuestion { subject: Subject::Property(number), kind }],
        hidden: Some(Layout::new(&program).global(state)),
        program,
        folded: shared(task),
        // Formulas may count steps, so every step matters.
        needs: Needs { steps: true, endings: true },
        shape: SearchShape::Whole,
        beside,
    })
}

/// Says what is watched in a product, besides that the automaton accepts: in the predicate of the formula, and in further
/// properties.
fn watch(
    program: &mut Program,
    number: usize,
    linear: &LinearTime,
    (bad, safety): (Option<Expr>, bool),
    ignore_deadlock: bool,
) -> (QuestionKind, Vec<Beside>) {
    let mut watched = vec![];
    let mut kind = QuestionKind::Recurs;
    // Where executions that stop are excused, a bad beginning violates nothing until it is known to go on for ever.
    match bad {
        Some(bad) if !ignore_deadlock && safety => {
            program.properties[number].predicate = Expr::not(bad);
            kind = QuestionKind::Kept;
        }
        Some(bad) if !ignore_deadlock => watched.push((Beside::NotBad, Expr::not(bad))),
        _ => {}
    }
    if ignore_deadlock {
        watched.push((Beside::Excused, linear.rests.clone()));
    }
    if let Some(trigger) = trivial::trigger(&linear.formula) {
        watched.push((Beside::Asked, trigger));
    }
    for (_, predicate) in &watched {
        let property = swarmcheck_ir::Property {
            predicate: predicate.clone(),
            modality: Modality::Always,
            ..program.properties[number].clone()
        };
        program.properties.push(property);
    }
    (kind, watched.into_iter().map(|(beside, _)| beside).collect())
}

impl SearchJob {
    /// The property that one of the conditions watched besides is kept as, and the place of that condition among those of
    /// the search.
    pub fn beside(&self, wanted: Beside) -> Option<(usize, usize)> {
        let at = self.beside.iter().position(|b| *b == wanted)?;
        Some((self.program.properties.len() - self.beside.len() + at, at + 1))
    }

    /// The program made smaller for the questions.
    pub fn smaller(&self, reductions: &Reductions) -> Smaller {
        let properties = self.properties();
        let mut smaller = match self.folded.as_ref().filter(|p| p.suits(reductions)) {
            Some(folded) if self.hidden.is_some() => {
                let product = self.product(folded);
                let folded = product.unwrap_or_else(|| reduce::fold_constants_near(&self.program, folded));
                reduce::reduce_folded(&folded, &properties, self.needs, reductions)
            }
            Some(folded) => reduce::reduce_folded(folded, &properties, self.needs, reductions),
            None => reduce::reduce(&self.program, &properties, self.needs, reductions),
        };
        // What is asked of a monitor or of an automaton is not what people have written.
        for &number in properties.iter().filter(|_| self.hidden.is_none()) {
            let (before, after) = (&self.program.properties[number], &smaller.program.properties[number]);
            if after.predicate == Expr::TRUE && before.predicate != Expr::TRUE {
                let note = format!("the predicate of {} is true whatever the values are", before.name);
                smaller.notes.insert(0, note);
            }
        }
        smaller
    }

    /// The program of a formula's search, folded, made of the folded program without the automaton. It behaves like the
    /// product with the original program, and automata of both are the same.
    fn product(&self, folded: &FoldedProgram) -> Option<FoldedProgram> {
        let number = self.questions.first()?.subject.property()?;
        let ignore_deadlock = self.beside.contains(&Beside::Excused);
        let (mut out, bad) = reduce::product(folded, number, !ignore_deadlock)?;
        let Modality::Linear(linear) = &folded.program.properties[number].modality else { return None };
        watch(&mut out.program, number, linear, bad, ignore_deadlock);
        Some(out)
    }

    /// The properties whose conditions the search evaluates, in the order of its conditions.
    pub fn properties(&self) -> Vec<usize> {
        let mut out = vec![];
        for question in &self.questions {
            if let Subject::Property(number) = question.subject {
                out.push(number);
            }
            if question.kind == (QuestionKind::Scope { waits: true }) {
                out.push(self.program.properties.len() - 1);
            }
        }
        let properties = self.program.properties.len();
        out.extend(properties - self.beside.len()..properties);
        out
    }

    /// Whether its predicates can be written out.
    pub fn is_small_enough(&self) -> Result<(), Reason> {
        let predicate = |p: usize| &self.program.properties[p].predicate;
        let size: f64 = self.properties().into_iter().map(|p| unrolled(&self.program, predicate(p))).sum();
        if size <= LARGEST {
            return Ok(());
        }
        let why = "quantifiers over so many agents make the predicate too large to be written out";
        Err(Reason::Unsupported(why.to_string()))
    }

    /// Searches and answers. Where a reduced search leads nowhere (a number too large for a cell, in something that the
    /// smaller program takes to be irrelevant, can do that), the whole space is searched.
    pub fn run(&self, task: &Task<'_>, control: &Control<'_>, search: u32) -> Vec<Finding> {
        let findings = self.attempt(task, control, search);
        let failed = findings.iter().any(|f| matches!(f.verdict, Verdict::Unknown(Reason::Internal(_))));
        if !failed || task.reductions == Reductions::NONE || control.stopped() {
            return findings;
        }
        let whole = Task { reductions: Reductions::NONE, ..task.clone() };
        let mut findings = self.attempt(&whole, control, search);
        for finding in &mut findings {
            finding.notes.push(Note::SearchedAgain);
        }
        findings
    }

    /// Searches and answers once, a finding for each question.
    pub(crate) fn attempt(&self, task: &Task<'_>, control: &Control<'_>, search: u32) -> Vec<Finding> {
        let began = control.progress.seconds();
        control.enter(Phase::Preparing);
        if let Err(reason) = self.is_small_enough() {
            return self.questions.iter().map(|q| unknown(q.subject, reason.clone())).collect();
        }
        let mut smaller = self.smaller(&task.reductions);
        let mut ground = Ground::new(&smaller.program);
        let mut codec = Codec::new(&smaller.program, &ground.layout);
        let mut canon = smaller.symmetry.as_ref().map(|s| Canon::new(&smaller.program, &ground.layout, s));
        // Of initial states that are taken for equal one is enough.
        let sorted = smaller.symmetry.as_ref().and_then(|s| ground.with_sorted_agents(&s.interchangeable()));
        let grounds = (sorted.as_ref().unwrap_or(&ground), &ground);
        if canon.is_some() && !self.symmetry_pays(task, control, &smaller.program, grounds, &codec, &canon) {
            canon = None;
            smaller.notes.push("symmetry would not make the search much smaller".to_string());
        } else if let Some(sorted) = sorted {
            ground = sorted;
        }
        let partial_order = self.partial_order(task, &smaller.program, &ground);
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
            let setup =
                self.setup(task, &smaller.program, &ground, &codec, canon.clone(), partial_order.clone());
            let setup = Setup { data_canon, ..setup };
            let explored = explore(&setup, control);
            if explored.ended == Ended::Overflow
                && let Some(wider) = codec.wider(&smaller.program, &ground.layout)
            {
                codec = wider;
                continue;
            }
            let executions = Executions {
                job: self,
                task,
                control,
                smaller: &smaller,
                ground: &ground,
                partial_order: partial_order.as_ref(),
                canon,
                data_canon: setup.data_canon.clone().map(|data_canon| (data_canon, &codec)),
            };
            let answers = Answers { executions, codec: &codec, explored };
            return cancel::spare(|| answers.findings(search, began));
        }
    }

    /// Whether taking states for equal makes a small part of the search noticeably smaller. Where agents are told apart
    /// from the beginning, by their first timestamps for instance, renaming costs more than it saves.
    fn symmetry_pays(
        &self,
        task: &Task<'_>,
        control: &Control<'_>,
        program: &Program,
        (sorted, all): (&Ground, &Ground),
        codec: &Codec,
        canon: &Option<Canon>,
    ) -> bool {
        let probe = |canon: Option<Canon>, ground| {
            let setup = self.setup(task, program, ground, codec, canon, None);
            let silent = Control { progress: &Silent, ..*control };
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
    fn partial_order(&self, task: &Task<'_>, program: &Program, ground: &Ground) -> Option<PartialOrder> {
        let exprs: Vec<&Expr> =
            self.properties().into_iter().map(|number| &program.properties[number].predicate).collect();
        let size: f64 = exprs.iter().map(|e| unrolled(program, e)).sum();
        let worth = size * (ground.instances().len() as f64) < PARTIAL_ORDER_WORK;
        let wanted = task.reductions.partial_order && !self.needs.steps && worth;
        wanted.then(|| PartialOrder::new(program, ground, &exprs)).flatten()
    }

    fn setup<'a>(
        &self,
        task: &Task<'_>,
        program: &Program,
        ground: &'a Ground,
        codec: &'a Codec,
        canon: Option<Canon>,
        partial_order: Option<PartialOrder>,
    ) -> Setup<'a> {
        let mut alarms = 0;
        let mut last_chances = 0;
        let mut exhaustive = false;
        let mut edges = false;
        let mut stuck_alarm = false;
        let mut exprs: Vec<&Expr> = vec![];
        for question in &self.questions {
            let bit = 1 << exprs.len();
            if let Subject::Property(number) = question.subject {
                exprs.push(&program.properties[number].predicate);
            }
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
                    exprs.push(&program.properties[program.properties.len() - 1].predicate);
                }
                QuestionKind::Recurs => edges = true,
                QuestionKind::Alive => stuck_alarm = true,
            }
        }
        for beside in &self.beside {
            let (property, place) = self.beside(*beside).unwrap_or_default();
            alarms |= if *beside == Beside::NotBad { 1 << place } else { 0 };
            exprs.push(&program.properties[property].predicate);
            // The conditions of each state are kept with its steps.
            edges = true;
        }
        let reached = self.questions.iter().any(|q| q.kind == QuestionKind::Reached);
        let before = self.shape == SearchShape::Before
            || matches!(self.shape, SearchShape::After { avoiding: true, .. });
        let conditions: Vec<Term> = exprs.iter().map(|e| ground.condition(program, e)).collect();
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
            exhaustive,
            depth: match self.shape {
                SearchShape::Within(steps) | SearchShape::After { steps, .. } => Some(steps),
                SearchShape::Whole | SearchShape::Before => None,
            },
            exact: matches!(self.shape, SearchShape::After { .. }),
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

/// Predicates larger than this, unrolled, are refused.
const LARGEST: f64 = 2e7;

/// Size of the conditions times instances: beyond this, partial-order reduction is not tried.
const PARTIAL_ORDER_WORK: f64 = 1e6;

/// How large an expression is once its quantifiers are unrolled.
fn unrolled(program: &Program, e: &Expr) -> f64 {
    let all = |parts: &[Expr]| parts.iter().map(|p| unrolled(program, p)).sum::<f64>() + 1.0;
    match e {
        Expr::Quantified(_, kinds, _, body) => {
            let agents: u32 = kinds.iter().map(|k| program.kind(*k).count).sum();
            f64::from(agents) * unrolled(program, body) + 1.0
        }
        Expr::Binary(_, a, b, _) => unrolled(program, a) + unrolled(program, b) + 1.0,
        Expr::Unary(_, e) | Expr::Defined(e) | Expr::LocalCell(_, e, _) => unrolled(program, e) + 1.0,
        Expr::And(parts) | Expr::Or(parts) => all(parts),
        Expr::If(c, a, b) => unrolled(program, c) + unrolled(program, a) + unrolled(program, b) + 1.0,
        Expr::Read(place) => all(&place.index),
        Expr::Const(_) | Expr::Me | Expr::Bound(_) | Expr::Local(_) => 1.0,
    }
}
