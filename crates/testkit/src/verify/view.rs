//! What a question looks at: which states of the full space are visited, which are expanded, and whether an error of
//! the model is among it. An engine need not see errors beyond that.

use crate::search::Space;
use swarmcheck_engine::system;
use swarmcheck_ir::flat::{Flat, Machine};
use swarmcheck_ir::{Fault, Modality};

/// What is known about a complete space besides its graph.
pub struct Facts {
    /// The error of the initial block.
    pub initial: Option<Fault>,
    /// Whether each state is a deadlock.
    pub stuck: Vec<bool>,
    /// How many steps each state is away.
    pub depth: Vec<u32>,
    /// The errors that steps of each state meet.
    pub faults: Vec<Vec<Fault>>,
    /// For each property, the values of its conditions in each state.
    pub conditions: Vec<Vec<Vec<Result<bool, Fault>>>>,
}

impl Facts {
    pub fn new(flat: &Flat, space: &Space) -> Facts {
        let mut machine = Machine::new(flat);
        let initial = system::initial_states(flat, &mut machine, &mut |_| true).err();
        let mut stuck = vec![false; space.states.len()];
        space.deadlocks.iter().for_each(|at| stuck[*at] = true);
        let mut depth = vec![0; space.states.len()];
        let mut seen = vec![false; space.states.len()];
        seen[..space.initial].fill(true);
        // States are in breadth-first order.
        for at in 0..space.states.len() {
            for (_, target) in &space.steps[at] {
                if !std::mem::replace(&mut seen[*target], true) {
                    depth[*target] = depth[at] + 1;
                }
            }
        }
        let faults = space.states.iter().map(|state| {
            system::successors(flat, &mut machine, state).into_iter().filter_map(|s| s.result.err()).collect()
        });
        let faults = faults.collect();
        let conditions = flat.program.properties.iter().map(|property| {
            let codes: Vec<_> = property.exprs().into_iter().map(|e| flat.compile(e)).collect();
            let mut test = |state: &Vec<_>| codes.iter().map(|c| machine.test(flat, c, state)).collect();
            space.states.iter().map(&mut test).collect()
        });
        let conditions = conditions.collect();
        Facts { initial, stuck, depth, faults, conditions }
    }
}

/// Which states are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ViewShape {
    Whole,
    /// Those before the predicate holds, and the first ones where it does.
    Before,
    /// Those within this many steps.
    Within(u32),
    /// Those after this many steps, on ways that avoid the predicate or not, and those on the way.
    After(u32, bool),
}

/// The shape of a question; `None` if it makes no sense. Without a modality: is there a deadlock?
pub fn shape(modality: Option<&Modality>, bound: Option<u32>) -> Option<ViewShape> {
    Some(match (modality, bound) {
        // To know that a state after the last step is no deadlock takes one more.
        (None, bound) => bound.map_or(ViewShape::Whole, |steps| ViewShape::Within(steps + 1)),
        (Some(Modality::Always | Modality::Scoped { .. }), bound) => {
            bound.map_or(ViewShape::Whole, ViewShape::Within)
        }
        (Some(Modality::Eventually | Modality::Finally | Modality::Fairly), None) => ViewShape::Before,
        (Some(Modality::FairlyInf), None) => ViewShape::Whole,
        (Some(Modality::Linear(_)), _) => return None,
        (Some(Modality::Fairly | Modality::FairlyInf), Some(_)) => return None,
        (Some(Modality::Eventually), Some(bound)) => ViewShape::After(bound, true),
        (Some(Modality::Finally), Some(bound)) => ViewShape::After(bound, false),
        (Some(Modality::After(steps)), Some(bound)) if *steps > bound => return None,
        (Some(Modality::After(steps)), _) => ViewShape::After(*steps, false),
    })
}

/// What a question looks at.
pub struct View {
    /// The states whose conditions are evaluated.
    pub visited: Vec<bool>,
    /// The states whose steps are made.
    pub expanded: Vec<bool>,
    /// What an engine that visits each of them once counts, layer by layer where layers matter.
    pub counts: Counts,
}

/// The size of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    pub initial: u64,
    pub states: u64,
    pub transitions: u64,
    pub deadlocks: u64,
    pub depth: u32,
}

impl View {
    /// Of a property, or of a question about deadlocks.
    pub fn new(space: &Space, facts: &Facts, property: Option<usize>, shape: ViewShape) -> View {
        let goal = |at: usize| property.is_some_and(|p| facts.conditions[p][at][0] == Ok(true));
        let nothing = vec![false; space.states.len()];
        let mut view = View { visited: nothing.clone(), expanded: nothing, counts: Counts::default() };
        view.counts.initial = space.initial as u64;
        let last = match shape {
            ViewShape::Within(steps) | ViewShape::After(steps, _) => steps,
            ViewShape::Whole | ViewShape::Before => u32::MAX,
        };
        let stops = matches!(shape, ViewShape::Before | ViewShape::After(_, true));
        let exact = matches!(shape, ViewShape::After(..));
        let mut layer: Vec<usize> = (0..space.initial).collect();
        let mut depth = 0;
        while !layer.is_empty() {
            view.counts.depth = depth;
            view.counts.states += layer.len() as u64;
            layer.iter().for_each(|&at| view.visited[at] = true);
            if depth == last {
                break;
            }
            let mut next = vec![];
            for at in layer.into_iter().filter(|&at| !(stops && goal(at))) {
                view.expanded[at] = true;
                view.counts.transitions += space.steps[at].len() as u64;
                view.counts.deadlocks += u64::from(facts.stuck[at]);
                next.extend(space.steps[at].iter().map(|(_, target)| *target));
            }
            next.sort_unstable();
            next.dedup();
            next.retain(|&at| exact || !view.visited[at]);
            layer = next;
            depth += 1;
        }
        view
    }

    /// How far away the errors are among what these properties look at.
    pub fn faults(&self, facts: &Facts, properties: &[usize]) -> Vec<u32> {
        let mut out = vec![];
        for at in 0..self.visited.len() {
            if self.expanded[at] {
                out.extend(facts.faults[at].iter().map(|_| facts.depth[at]));
            }
            if self.visited[at] {
                let all = properties.iter().flat_map(|&p| &facts.conditions[p][at]);
                out.extend(all.filter(|c| c.is_err()).map(|_| facts.depth[at]));
            }
        }
        out
    }

    /// The space as the question sees it, without errors: states that a condition of the property cannot judge are
    /// left out.
    pub fn space(&self, space: &Space, facts: &Facts, property: usize) -> Space {
        let judged = |at: usize| facts.conditions[property][at].iter().all(Result::is_ok);
        let kept: Vec<usize> = (0..self.visited.len()).filter(|&at| self.visited[at] && judged(at)).collect();
        let number = |at: &usize| kept.binary_search(at).ok();
        let steps = |&at: &usize| {
            let all = space.steps[at].iter().filter(|_| self.expanded[at]);
            all.filter_map(|(instance, target)| Some((*instance, number(target)?))).collect()
        };
        let stuck = space.deadlocks.iter().filter(|at| self.expanded[**at]);
        Space {
            states: kept.iter().map(|&at| space.states[at].clone()).collect(),
            initial: kept.iter().filter(|at| **at < space.initial).count(),
            steps: kept.iter().map(steps).collect(),
            expanded: vec![true; kept.len()],
            deadlocks: stuck.filter_map(number).collect(),
            fault: None,
            complete: true,
        }
    }
}
