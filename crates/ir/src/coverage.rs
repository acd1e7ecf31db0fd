//! What coverage counts: places of a specification, and *probes*, which are functions that change nothing.
//!
//! An action is covered if some step takes it, and steps are functions of the program. What a step decides on its way (the
//! outcome of a guard, of a link predicate, who receives) is not a function. A probe makes it one: it can run in a state
//! exactly if the decision is made there with this outcome, once for each way to make it. So whoever can run a program
//! can count everything, and no engine has to look inside a step.

use crate::program::Function;
use swarmcheck_source::Span;

/// Everything that is counted of a program.
#[derive(Clone, Debug, Default)]
pub struct Points {
    /// The places, in the order of the file.
    pub points: Vec<Point>,
    /// For each function of the program, the number of the point that its steps take, if they take one.
    pub taken: Vec<Option<usize>>,
    pub probes: Vec<Probe>,
}

/// A place of the specification.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Point {
    pub span: Span,
    pub kind: PointKind,
}

/// What stands there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum PointKind {
    /// An action of an agent.
    Action,
    /// The guard of a process: true or false.
    Guard,
    /// A link predicate: true or false.
    Link,
    /// A command that sends.
    Send,
    /// A command that asks one agent.
    Get,
    /// A command that receives a message.
    Receive,
    /// A command that answers one agent.
    Supply,
    /// Whom a message is for: true or false.
    SendGuard,
    /// Which channels an agent listens to: true or false.
    ReceiveGuard,
}

impl PointKind {
    /// It has two outcomes; the others are taken or not.
    pub fn has_outcomes(self) -> bool {
        matches!(self, PointKind::Guard | PointKind::Link | PointKind::SendGuard | PointKind::ReceiveGuard)
    }
}

/// A function that can run exactly where something is decided. It writes nothing.
#[derive(Clone, Debug)]
pub struct Probe {
    /// The point that it counts for.
    pub point: usize,
    /// Which outcome; `true` for points without outcomes.
    pub outcome: bool,
    /// The function in whose steps it is decided; none if it is decided in every state that is visited.
    pub of: Option<usize>,
    pub function: Function,
}

impl Points {
    /// Every function is a step of its own: what can be said of any program.
    pub fn of_functions(functions: &[Function]) -> Points {
        let mut all: Vec<Point> = functions.iter().filter_map(step).collect();
        all.sort_unstable();
        all.dedup();
        let number = |function| step(function).and_then(|point| all.binary_search(&point).ok());
        let taken = functions.iter().map(number).collect();
        Points { points: all, taken, probes: vec![] }
    }
}

fn step(function: &Function) -> Option<Point> {
    // Functions without a place were not written by the user.
    (function.span != Span::default()).then_some(Point { span: function.span, kind: PointKind::Action })
}
