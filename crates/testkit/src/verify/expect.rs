//! What an engine may answer to a question, worked out on the full space.

use super::view::{Counts, Facts, View, ViewShape, shape};
use crate::oracle::{self, OracleAnswer};
use crate::search::Space;
use swarmcheck_engine::{Subject, Vacuity};
use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::ground::{Ground, Term};
use swarmcheck_ir::{Inside, Modality};

/// An answer in one word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Word {
    Holds,
    Violated,
    Invalid,
    Unknown,
}

/// What may be answered.
#[derive(Clone, Debug)]
pub struct Expected {
    pub words: Vec<Word>,
    /// What a search without reductions counts, if it is not cut short; for questions about scopes it has more states
    /// than the space.
    pub counts: Option<Counts>,
    /// The least number of steps that show a violation, where that is known.
    pub shortest: Option<u32>,
    /// Why it says nothing if it holds.
    pub vacuous: Option<Vacuity>,
    /// Why it says nothing because of its scope; engines do not ask this, the façade does.
    pub scope: Option<Vacuity>,
    /// There are errors of the model that the question can see.
    pub faulty: bool,
    /// The verdict if those are left aside.
    pub aside: Word,
}

/// How questions are asked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Mode {
    /// Only executions of this many steps.
    pub bound: Option<u32>,
    /// Executions that stop are excused.
    pub ignore_deadlock: bool,
}

/// What may be answered to a question that shares its search with these others. `precise`: nothing was reduced.
pub fn expected(
    flat: &Flat,
    space: &Space,
    facts: &Facts,
    subject: Subject,
    mode: Mode,
    others: &[Subject],
    precise: bool,
) -> Expected {
    let property = match subject {
        Subject::Property(number) => Some(number),
        Subject::DeadlockFreedom => None,
    };
    let modality = property.map(|p| &flat.program.properties[p].modality);
    let only = |word| Expected {
        words: vec![word],
        counts: None,
        shortest: None,
        vacuous: None,
        scope: None,
        faulty: word == Word::Invalid,
        aside: word,
    };
    let Some(shape) = shape(modality, mode.bound) else { return only(Word::Unknown) };
    if facts.initial.is_some() {
        return only(Word::Invalid);
    }
    let view = View::new(space, facts, property, shape);
    // What the engine must have seen to find a violation of `fairly` early: a dead end.
    let dead_end = |number: usize| {
        let dead = |at: usize| view.expanded[at] && facts.stuck[at];
        (0..view.visited.len()).any(|at| dead(at) && facts.conditions[number][at][0] == Ok(false))
    };
    let mut evaluated: Vec<usize> = property.into_iter().collect();
    evaluated.extend(others.iter().filter_map(|subject| match subject {
        Subject::Property(number) => Some(*number),
        Subject::DeadlockFreedom => None,
    }));
    let faults = view.faults(facts, &evaluated);
    let (word, shortest) = match property {
        Some(number) => {
            (decided(flat, space, facts, number, mode, &view), first(facts, &view, modality, number))
        }
        None => {
            let stuck = (0..view.visited.len()).filter(|&at| view.expanded[at] && facts.stuck[at]);
            let first = stuck.map(|at| facts.depth[at]).min();
            (if first.is_some() { Word::Violated } else { Word::Holds }, first)
        }
    };
    let words = match faults.iter().min() {
        None => vec![word],
        Some(error) => {
            let alone = precise && others.is_empty();
            let order = shortest.filter(|_| alone).map(|violation| violation.cmp(error));
            match (word, order) {
                (Word::Violated, _) if exhaustive(modality, mode, || property.is_some_and(dead_end)) => {
                    vec![Word::Invalid]
                }
                (Word::Violated, Some(std::cmp::Ordering::Less)) => vec![Word::Violated],
                (Word::Violated, Some(std::cmp::Ordering::Greater)) => vec![Word::Invalid],
                (Word::Violated, _) => vec![Word::Violated, Word::Invalid],
                _ => vec![Word::Invalid],
            }
        }
    };
    let scoped = matches!(modality, Some(Modality::Scoped { .. }));
    Expected {
        words,
        counts: (!scoped).then_some(view.counts),
        shortest,
        vacuous: vacuous(flat, space, facts, property, shape, &view),
        scope: property.and_then(|number| {
            let question =
                oracle::OracleQuestion { bound: mode.bound, ignore_deadlock: mode.ignore_deadlock };
            oracle::scope_vacuity(flat, &view.space(space, facts, number), number, &question)
        }),
        faulty: !faults.is_empty(),
        aside: word,
    }
}

/// Whether a search for this always sees everything it looks at.
fn exhaustive(modality: Option<&Modality>, mode: Mode, dead_end: impl Fn() -> bool) -> bool {
    match modality {
        Some(Modality::Fairly | Modality::FairlyInf) => mode.ignore_deadlock || !dead_end(),
        Some(Modality::Scoped { open, inside, .. }) => {
            *open && *inside == Inside::ThereIs && mode.bound.is_none()
        }
        _ => false,
    }
}

/// By the definitions, errors left aside.
fn decided(flat: &Flat, space: &Space, facts: &Facts, number: usize, mode: Mode, view: &View) -> Word {
    let question = oracle::OracleQuestion { bound: mode.bound, ignore_deadlock: mode.ignore_deadlock };
    match oracle::answer(flat, &view.space(space, facts, number), number, &question) {
        OracleAnswer::Holds => Word::Holds,
        OracleAnswer::Violated => Word::Violated,
        OracleAnswer::Invalid(_) => Word::Invalid,
        OracleAnswer::Unknown => Word::Unknown,
    }
}

/// Why an answer is vacuous.
fn vacuous(
    flat: &Flat,
    space: &Space,
    facts: &Facts,
    property: Option<usize>,
    shape: ViewShape,
    view: &View,
) -> Option<Vacuity> {
    // Only where nothing of the predicate is left to say something.
    let nobody = |p: usize| {
        let (program, property) = (&flat.program, &flat.program.properties[p]);
        let written_out = Ground::new(program).condition(program, &property.predicate);
        property.vacuous && matches!(written_out, Term::Const(value) if value != 0)
    };
    if property.is_some_and(nobody) {
        return Some(Vacuity::NoAgent);
    }
    if space.initial == 0 {
        return Some(Vacuity::NoInitialState);
    }
    if let ViewShape::After(steps, avoiding) = shape {
        let met =
            |at: usize| view.visited[at] && property.is_some_and(|p| facts.conditions[p][at][0] == Ok(true));
        let goal = avoiding && (0..view.visited.len()).any(met);
        if !goal && view.counts.depth < steps {
            return Some(Vacuity::TooShort { steps });
        }
    }
    let still = (0..space.initial).all(|at| facts.stuck[at]);
    (still && property.is_some()).then_some(Vacuity::NoStep)
}

/// How far away the first violation is, where one state is enough to show it.
fn first(facts: &Facts, view: &View, modality: Option<&Modality>, number: usize) -> Option<u32> {
    let violating = |at: usize| match modality {
        Some(Modality::Always) => view.visited[at] && facts.conditions[number][at][0] == Ok(false),
        _ => false,
    };
    (0..view.visited.len()).filter(|&at| violating(at)).map(|at| facts.depth[at]).min()
}
