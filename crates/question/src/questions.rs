//! From a property to what an engine has to look for.
//!
//! The modality of a property and the bound on steps give the kind of the question ([`QuestionKind`]) and the states that
//! matter ([`SearchShape`]). Scopes become a monitor and formulas of linear time a product with an automaton, so that the
//! program of a question may have more variables and functions than the original, behind those of the original.

use crate::fairness::{self, FairConditions};
use crate::formula;
use crate::reduce::{self, FoldedProgram, Smaller};
use crate::refusal::Refusal;
use crate::setting::{Fairness, Reductions, Setting, Subject};
use std::sync::Arc;
use swarmcheck_ir::flat::Layout;
use swarmcheck_ir::{Expr, Modality, Program, Property};
use swarmcheck_passes::{Needs, monitor};

/// Questions that one search answers: they are about the same program and the same states.
pub struct Questions {
    /// What is asked.
    pub questions: Vec<Question>,
    /// The program, perhaps with a monitor or an automaton.
    pub program: Arc<Program>,
    /// The slots of monitors and automata, which no trace shows, in ascending order.
    pub hidden: Vec<u32>,
    /// What reductions must keep.
    pub needs: Needs,
    /// Which states matter.
    pub shape: SearchShape,
    /// The conditions that have to be evaluated, in the order in which engines number them.
    pub watched: Vec<Watched>,
    /// The original program, without a monitor, with constants folded, if other questions share it.
    pub(crate) folded: Option<Arc<FoldedProgram>>,
    /// Which infinite executions count. All of them if it is empty.
    pub fair: FairConditions,
}

/// A question about a property, or about deadlocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// The property.
    pub subject: Subject,
    /// What is asked about its condition.
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
    /// A scope, as a condition on its monitor.
    Scope {
        /// An execution that waits for ever ([`Watch::Waiting`]) violates the property.
        waits: bool,
    },
    /// No execution meets it again and again for ever. Whether what has happened is bad whatever follows may be a further
    /// condition, see [`Watch::NotBad`].
    Recurs,
    /// It is true in all states: nothing has happened that violates a formula whatever follows.
    Kept,
    /// There is always a step.
    Alive,
}

/// A condition that has to be evaluated. Passes carry it as a property of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Watched {
    /// What it is for.
    pub what: Watch,
    /// The property of the program whose predicate it is.
    pub property: usize,
}

/// What a condition is watched for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Watch {
    /// It is what the question with this subject is about.
    Predicate(Subject),
    /// A scope is open, and its predicate is still owed.
    Waiting,
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
        /// The number of steps.
        steps: u32,
        /// Only executions that have not met the goal.
        avoiding: bool,
    },
}

/// The question about a property, or about deadlocks.
pub fn questions(setting: &Setting, subject: Subject) -> Result<Questions, Refusal> {
    let found = about_all_executions(setting, subject)?;
    match setting.fairness {
        Fairness::Weak | Fairness::Strong if fairness::matters(found.only().kind) => {
            fairness::fair_questions(setting, subject)
        }
        _ => Ok(found),
    }
}

/// The same without fairness.
fn about_all_executions(setting: &Setting, subject: Subject) -> Result<Questions, Refusal> {
    let endings = setting.ignore_deadlock;
    let simple = |kind, shape, needs| {
        let predicate = |property| Watched { what: Watch::Predicate(subject), property };
        Ok(Questions {
            questions: vec![Question { subject, kind }],
            program: Arc::clone(&setting.program),
            hidden: vec![],
            folded: setting.known().cloned(),
            needs,
            shape,
            watched: subject.property().map(predicate).into_iter().collect(),
            fair: FairConditions::default(),
        })
    };
    let Subject::Property(number) = subject else {
        return match setting.bound {
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
    match (&setting.program.properties[number].modality, setting.bound) {
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
        (Modality::After(steps), _) => Err(Refusal::TooFewSteps { needed: *steps }),
        (Modality::Fairly, None) => {
            simple(QuestionKind::Reachable, SearchShape::Before, Needs { steps: false, endings })
        }
        (Modality::FairlyInf, None) => {
            simple(QuestionKind::Reachable, SearchShape::Whole, Needs { steps: false, endings })
        }
        (Modality::Fairly | Modality::FairlyInf, Some(_)) => Err(Refusal::BoundedReachability),
        (Modality::Linear(_), Some(_)) => Err(Refusal::BoundedFormula),
        (Modality::Linear(linear), None) => formula::questions(setting, number, linear),
        (Modality::Scoped { .. }, bound) => Ok(scope(setting, number, bound)),
    }
}

/// The question about a property with a scope: about its monitor.
fn scope(setting: &Setting, number: usize, bound: Option<u32>) -> Questions {
    let subject = Subject::Property(number);
    let monitored = monitor::monitor(&setting.program, number);
    let mut program = monitored.program;
    let mut watched = vec![Watched { what: Watch::Predicate(subject), property: number }];
    let waiting = monitored.waiting.filter(|_| bound.is_none());
    let waits = waiting.is_some();
    watched.extend(waiting.map(|condition| watch(&mut program, number, Watch::Waiting, condition)));
    Questions {
        questions: vec![Question { subject, kind: QuestionKind::Scope { waits } }],
        hidden: vec![Layout::new(&program).global(monitored.state)],
        program: Arc::new(program),
        folded: setting.known().cloned(),
        needs: Needs { steps: bound.is_some(), endings: waits },
        shape: bound.map_or(SearchShape::Whole, SearchShape::Within),
        watched,
        fair: FairConditions::default(),
    }
}

/// Adds a condition that is to be watched for a property.
pub(crate) fn watch(program: &mut Program, number: usize, what: Watch, predicate: Expr) -> Watched {
    let like = &program.properties[number];
    let property = Property { predicate, modality: Modality::Always, ..like.clone() };
    program.properties.push(property);
    Watched { what, property: program.properties.len() - 1 }
}

impl Questions {
    /// The question, where it is the only one.
    pub fn only(&self) -> Question {
        self.questions[0]
    }

    /// The number of a condition, if it is watched.
    pub fn place(&self, what: Watch) -> Option<usize> {
        self.watched.iter().position(|watched| watched.what == what)
    }

    /// A watched condition, in the program of the questions or a smaller one.
    pub fn condition<'p>(&self, program: &'p Program, what: Watch) -> Option<&'p Expr> {
        let at = self.place(what)?;
        Some(&program.properties[self.watched[at].property].predicate)
    }

    /// All watched conditions, in the program of the questions or a smaller one.
    pub fn conditions<'p>(&self, program: &'p Program) -> Vec<&'p Expr> {
        self.watched.iter().map(|watched| &program.properties[watched.property].predicate).collect()
    }

    /// The properties of the program whose predicates are watched, those of fairness among them.
    pub fn properties(&self) -> Vec<usize> {
        self.watched.iter().map(|watched| watched.property).chain(self.fair.properties()).collect()
    }

    /// Whether the program is the product with the automaton of a formula.
    pub fn is_product(&self) -> bool {
        self.questions.iter().any(|q| matches!(q.kind, QuestionKind::Recurs | QuestionKind::Kept))
    }

    /// The program made smaller for the questions.
    pub fn smaller(&self, reductions: &Reductions) -> Smaller {
        let reductions = &Reductions { symmetry: reductions.symmetry && self.fair.is_empty(), ..*reductions };
        let properties = self.properties();
        let mut smaller = match self.folded.as_ref().filter(|p| p.suits(reductions)) {
            Some(folded) if !self.hidden.is_empty() && !folded.is_of(&self.program) => {
                let product = formula::product(self, folded);
                let folded = product.unwrap_or_else(|| reduce::fold_constants_near(&self.program, folded));
                reduce::reduce_folded(&folded, &properties, self.needs, reductions)
            }
            Some(folded) => reduce::reduce_folded(folded, &properties, self.needs, reductions),
            None => reduce::reduce(&self.program, &properties, self.needs, reductions),
        };
        // What is asked of a monitor or of an automaton is not what people have written.
        for number in self.watched.iter().map(|w| w.property).filter(|_| self.hidden.is_empty()) {
            let (before, after) = (&self.program.properties[number], &smaller.program.properties[number]);
            if after.predicate == Expr::TRUE && before.predicate != Expr::TRUE {
                let note = format!("the predicate of {} is true whatever the values are", before.name);
                smaller.notes.insert(0, note);
            }
        }
        smaller
    }

    /// Whether its predicates can be written out.
    pub fn is_small_enough(&self) -> Result<(), Refusal> {
        let predicate = |number: usize| &self.program.properties[number].predicate;
        let conditions = self.properties().into_iter().map(predicate);
        let size: f64 = conditions.map(|e| unrolled(&self.program, e)).sum();
        if size <= LARGEST { Ok(()) } else { Err(Refusal::PredicateTooLarge) }
    }
}

/// Predicates larger than this, unrolled, are refused.
const LARGEST: f64 = 2e7;

/// How large an expression is once its quantifiers are unrolled.
pub fn unrolled(program: &Program, e: &Expr) -> f64 {
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
