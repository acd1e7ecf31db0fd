//! The reachable state space of a small system as a drawing. If there are many states, bisimilar ones are merged first: what is left
//! behaves alike.

use crate::lts::{given_up, limit as give_up, system};
use crate::open::Prepared;
use crate::refusal::Refusal;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use swarmcheck_engine::{Control, Progress, Snapshot, Subject};
use swarmcheck_lts::{Equivalence, Lts, Stopped, minimise_unless};
use swarmcheck_picture::data::Drawing;
use swarmcheck_picture::graph::text::wrapped;
use swarmcheck_picture::graph::{Graph, GraphEdge, GraphNode, draw, svg};

/// Systems with more states are minimised if nobody says another number.
pub const DRAWN: u32 = 200;
/// Nobody can make it more than this.
const MOST_DRAWN: u32 = 500;
/// More states are not explored for a drawing.
const MOST_EXPLORED: u64 = 200_000;
/// So many labels are written at an edge.
const MOST_LABELS: usize = 6;
const COLUMNS: usize = 40;

/// The drawing of a state space.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StateSpace {
    /// The states and transitions that are drawn.
    pub drawing: Drawing,
    /// How many states can be reached.
    pub states: u64,
    /// Bisimilar states were merged.
    pub minimised: bool,
}

/// Draws the reachable states. If there are more than `limit`, strongly bisimilar ones are merged; if there are still more, the
/// drawing is refused.
pub fn state_space(
    prepared: &Prepared,
    limit: Option<u32>,
    control: &Control<'_>,
) -> Result<StateSpace, Refusal> {
    let most = limit.unwrap_or(DRAWN).min(MOST_DRAWN);
    let guard = Guard {
        progress: control.progress,
        stop: control.stop,
        over: AtomicBool::new(false),
        done: AtomicU64::new(0),
    };
    let guarded = Control { stop: &guard.over, budget: control.budget, progress: &guard };
    let whole = system(prepared, false, &guarded).map_err(|refusal| {
        let done = guard.done.load(Ordering::Relaxed);
        match refusal {
            _ if done > MOST_EXPLORED && !control.stopped() => {
                let states = u32::try_from(done).unwrap_or(u32::MAX);
                Refusal::StateSpaceTooLarge { states, most, explored: false }
            }
            other => other,
        }
    })?;
    let states = u64::from(whole.states());
    let minimised = whole.states() > most;
    let shown = match minimised {
        false => whole,
        true => minimise_unless(&whole, Equivalence::Strong, &give_up(control))
            .map_err(|Stopped| given_up(control))?,
    };
    if shown.states() > most {
        return Err(Refusal::StateSpaceTooLarge { states: shown.states(), most, explored: true });
    }
    Ok(StateSpace { drawing: draw(&graph(&shown)), states, minimised })
}

/// The same as an SVG document.
pub fn state_space_svg(prepared: &Prepared, control: &Control<'_>) -> Result<String, Refusal> {
    let StateSpace { drawing, states, minimised } = state_space(prepared, None, control)?;
    let merged =
        if minimised { format!(", {} after minimisation", drawing.nodes.len()) } else { String::new() };
    let title = format!("{}: {states} states{merged}", prepared.file.name());
    Ok(svg::sheet(&title, &[(title.clone(), drawing)]))
}

/// States are nodes. Transitions between the same states are one edge with several labels.
fn graph(lts: &Lts) -> Graph {
    let mut edges: BTreeMap<(u32, u32), Vec<&str>> = BTreeMap::new();
    for (from, label, to) in lts.all_steps() {
        edges.entry((from, to)).or_default().push(lts.label(label));
    }
    let node = |state: u32| GraphNode {
        label: state.to_string(),
        initial: state == lts.initial(),
        last: lts.steps(state).is_empty(),
        location: None,
    };
    let edge = |((from, to), labels): ((u32, u32), Vec<&str>)| {
        let mut label: Vec<String> =
            labels.iter().take(MOST_LABELS).flat_map(|label| wrapped(label, COLUMNS, 2)).collect();
        if labels.len() > MOST_LABELS {
            label.push(format!("… {} more", labels.len() - MOST_LABELS));
        }
        GraphEdge { from, to, label, place: None }
    };
    Graph { nodes: (0..lts.states()).map(node).collect(), edges: edges.into_iter().map(edge).collect() }
}

/// Ends the exploration when there are too many states, or when whoever has asked does not want it any more.
struct Guard<'c> {
    progress: &'c dyn Progress,
    stop: &'c AtomicBool,
    over: AtomicBool,
    done: AtomicU64,
}

impl Progress for Guard<'_> {
    fn report(&self, snapshot: Snapshot) {
        self.done.store(snapshot.done, Ordering::Relaxed);
        if snapshot.done > MOST_EXPLORED || self.stop.load(Ordering::Relaxed) {
            self.over.store(true, Ordering::Relaxed);
        }
        self.progress.report(snapshot);
    }

    fn seconds(&self) -> f64 {
        self.progress.seconds()
    }

    fn memory(&self) -> Option<u64> {
        self.progress.memory()
    }

    fn started(&self, subject: Subject, engine: &'static str) {
        self.progress.started(subject, engine);
    }

    fn ended(&self, subject: Subject, engine: &'static str) {
        self.progress.ended(subject, engine);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::open::{ModelOptions, prepare};

    fn check(text: &str, limit: Option<u32>) -> Result<StateSpace, Refusal> {
        let prepared =
            prepare("a.labs", text.as_bytes(), ModelOptions::default()).unwrap_or_else(|_| panic!());
        let stop = AtomicBool::new(false);
        let control = Control {
            stop: &stop,
            budget: Default::default(),
            progress: &swarmcheck_engine::control::Silent,
        };
        state_space(&prepared, limit, &control)
    }

    const COUNTER: &str =
        "system { spawn = A: 1 } agent A { interface = n: 0..N Behavior = n < 9 -> n <- n + 1; Behavior }";

    /// A counter from 0 to 9 has ten states in a row, and stops in the last one.
    #[test]
    fn a_counter_is_a_row_of_states() {
        let space = check(&COUNTER.replace("0..N", "0"), None).unwrap();
        assert_eq!((space.states, space.minimised), (10, false));
        assert_eq!((space.drawing.nodes.len(), space.drawing.edges.len()), (10, 9));
        let last: Vec<u32> = space.drawing.nodes.iter().filter(|n| n.last).map(|n| n.id).collect();
        assert_eq!(last.len(), 1);
        assert_eq!(space.drawing.nodes.iter().filter(|n| n.initial).count(), 1);
    }

    /// Two values that nothing depends on give bisimilar states: the counter is left, and the step that chooses the first state.
    #[test]
    fn bisimilar_states_are_merged_above_the_limit() {
        let two = COUNTER.replace("n: 0..N", "n: 0; unused: [1, 2]");
        let all = check(&two, Some(21)).unwrap();
        assert_eq!((all.states, all.minimised, all.drawing.nodes.len()), (21, false, 21));
        let merged = check(&two, Some(20)).unwrap();
        assert_eq!((merged.states, merged.minimised, merged.drawing.nodes.len()), (21, true, 11));
        match check(&two, Some(5)) {
            Err(Refusal::StateSpaceTooLarge { states: 11, most: 5, explored: true }) => {}
            other => panic!("{other:?}"),
        }
    }
}
