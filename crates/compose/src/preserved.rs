//! Which reductions of processes preserve the answer to a question.
//!
//! What counts steps is refused: no equivalence with invisible steps preserves their number. A formula of linear time, whatever
//! operators it has, becomes an automaton that is a process of the network like any other, so nothing but its acceptance has to be
//! preserved; sharp bisimulation (Lang, Mateescu and Mazzanti, *Sharp congruences adequate with temporal logics combining weak
//! and strong modalities*, TACAS 2020), which keeps the steps that a formula counts, is not needed for that reason.

use crate::refused::Refused;
use swarmcheck_engine::Composition;
use swarmcheck_lts::Equivalence;
use swarmcheck_question::{QuestionKind, Questions, SearchShape};

/// Whether reductions of processes preserve the answer.
pub fn suits(questions: &Questions) -> Result<(), Refused> {
    match questions.shape {
        SearchShape::Within(_) | SearchShape::After { .. } => Err(Refused::CountsSteps),
        SearchShape::Whole | SearchShape::Before => Ok(()),
    }
}

/// Up to which equivalence processes may be reduced for a question, and why.
///
/// States carry the truth of the watched conditions, so the equivalences are those on doubly labelled transition systems of
/// De Nicola and Vaandrager, *Three logics for branching bisimulation*, JACM 1995. Hiding steps that no condition sees, before
/// anything is reduced, is the maximal hiding of Mateescu and Wijs, *Property-dependent reductions adequate with
/// divergence-sensitive branching bisimilarity*, Science of Computer Programming 2014.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Preserved {
    /// The equivalence.
    pub equivalence: Equivalence,
    /// The theorem, as a sentence.
    pub because: &'static str,
}

impl Preserved {
    /// For a question.
    pub fn by(kind: QuestionKind, ignore_deadlock: bool) -> Preserved {
        let branching = match kind {
            QuestionKind::Always | QuestionKind::Kept | QuestionKind::Scope { waits: false } => true,
            // Executions that stop are excused, and divergences are not.
            QuestionKind::Reachable => !ignore_deadlock,
            QuestionKind::Reached
            | QuestionKind::Recurs
            | QuestionKind::Alive
            | QuestionKind::Scope { waits: true } => false,
        };
        match branching {
            true => Preserved { equivalence: Equivalence::Branching, because: REACHABILITY },
            false => Preserved { equivalence: Equivalence::DivergenceBranching, because: ALL_WITHOUT_NEXT },
        }
    }

    /// A report without processes that says so.
    pub fn report(self) -> Composition {
        let (equivalence, preserves) = (self.name().to_string(), self.because.to_string());
        Composition { equivalence, preserves, ..Composition::default() }
    }

    /// What people call the equivalence.
    pub fn name(self) -> &'static str {
        match self.equivalence {
            Equivalence::Strong => "strong bisimulation",
            Equivalence::Branching => "branching bisimulation",
            Equivalence::DivergenceBranching => "divergence-preserving branching bisimulation",
        }
    }
}

const REACHABILITY: &str = "branching bisimulation preserves what can be reached from every state (De Nicola and Vaandrager, JACM 1995: CTL without next, where no operator is about all executions)";
const ALL_WITHOUT_NEXT: &str = "divergence-preserving branching bisimulation preserves CTL* without next, and deadlocks (De Nicola and Vaandrager, JACM 1995; van Glabbeek, Luttik and Trčka, Fundamenta Informaticae 2009)";
