//! Finds the set of states of a proof: all that can be reached, with their ranks. What is found here is not trusted.

use super::index::{Index, hash};
use super::{Asked, Seen, diagram};
use swarmcheck_engine::certificate::{StatesProof, Uncertified};
use swarmcheck_engine::{Control, Phase, Snapshot, Subject, Task, system};
use swarmcheck_graphs::{Digraph, numbered};
use swarmcheck_ir::Value;
use swarmcheck_ir::flat::Machine;
use swarmcheck_question::{QuestionKind, SearchShape};

/// More states than this are not listed.
const STATES: usize = 2_000_000;
/// Nor are states that have more cells than this in sum, which take eight bytes each.
const CELLS: usize = 100_000_000;
/// Nor are more steps than this remembered.
const STEPS: usize = 50_000_000;
/// After so many states and steps progress is told, and limits are looked at.
const OFTEN: usize = 1 << 10;

/// Why there is no set of states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoStates {
    /// The search went no further. The property may hold.
    Unfinished(Uncertified),
    /// The search found that the property does not hold, or that the model has an error.
    Contradicted(&'static str),
}

impl From<Uncertified> for NoStates {
    fn from(why: Uncertified) -> NoStates {
        NoStates::Unfinished(why)
    }
}

const FALSE: NoStates = NoStates::Contradicted("a state that violates the property can be reached");
const FOR_EVER: NoStates = NoStates::Contradicted("an execution makes no progress");
const ERROR: NoStates = NoStates::Contradicted("an error of the model can be reached");

/// All states that matter for a question, as a proof.
pub fn build(task: &Task, subject: Subject, control: &Control<'_>) -> Result<StatesProof, NoStates> {
    let asked = Asked::new(task, subject).map_err(|because| Uncertified::NotAsked { because })?;
    let mut found = Found::explore(&asked, control)?;
    let ranks = match found.ranks(&asked) {
        // Not every execution makes progress, but those that are fair may.
        Err(_) if !task.fairness.is_none() && asked.is_about_infinity() => {
            return Err(Uncertified::OnlyFair.into());
        }
        ranks => ranks?,
    };
    for (number, rank) in ranks.into_iter().enumerate() {
        found.rows[(number + 1) * found.width - 1] = rank;
    }
    let mut order: Vec<u32> = (0..found.len() as u32).collect();
    order.sort_unstable_by(|a, b| found.row(*a).cmp(found.row(*b)));
    let states = order.len() as u64;
    let too_large = Uncertified::ManyStates { states };
    let nodes = diagram::build(order.iter().map(|&number| found.row(number))).ok_or(too_large)?;
    Ok(StatesProof { steps: task.bound, states, nodes })
}

/// States in the order in which they were found.
struct Found {
    /// Of each state the number of steps, its cells and room for its rank.
    rows: Vec<i64>,
    width: usize,
    index: Index,
    seen: Vec<Seen>,
    /// How many steps are enough.
    depths: Vec<u32>,
    /// The steps of all states, one state after the other.
    edges: Vec<u32>,
    /// Where those of a state begin.
    begins: Vec<usize>,
    /// When it has taken a quarter of the time that is left: the check takes as long again, and other questions may be open.
    until: Option<f64>,
}

impl Found {
    fn explore(asked: &Asked, control: &Control<'_>) -> Result<Found, NoStates> {
        let now = control.progress.seconds();
        let mut found = Found {
            rows: vec![],
            width: asked.flat.width() + 2,
            index: Index::default(),
            seen: vec![],
            depths: vec![],
            edges: vec![],
            begins: vec![],
            until: control.budget.seconds.map(|end| now + (end - now) / 4.0),
        };
        let (mut machine, mut tester) = (Machine::new(&asked.flat), Machine::new(&asked.flat));
        let (mut wrong, mut visits) = (None, 0usize);
        let initial = system::each_initial_state(&asked.flat, &mut machine, &mut |state| {
            visits += 1;
            let room = if visits.is_multiple_of(OFTEN) { found.room(0, control) } else { Ok(()) };
            let number = |state| found.number(asked, &mut tester, 0, state, 0).map(drop);
            wrong = room.and_then(|()| state.map_or(Ok(()), number)).err();
            wrong.is_none()
        });
        initial.map_err(|_| ERROR)?;
        let mut at = 0;
        while wrong.is_none() && at < found.len() {
            found.begins.push(found.edges.len());
            if at.is_multiple_of(OFTEN) {
                found.room(at, control)?;
            }
            let depth = found.depths[at];
            if asked.is_expanded(found.seen[at], u64::from(depth)) {
                let state = found.row(at as u32)[1..found.width - 1].to_vec();
                let layer = if asked.is_layered() { i64::from(depth) + 1 } else { 0 };
                let begin = found.edges.len();
                let steps = system::each_successor(&asked.flat, &mut machine, &state, &mut |next| {
                    visits += 1;
                    let room = if visits.is_multiple_of(OFTEN) { found.room(at, control) } else { Ok(()) };
                    let Some(next) = next else {
                        wrong = room.err();
                        return wrong.is_none();
                    };
                    match room.and_then(|()| found.number(asked, &mut tester, layer, next, depth + 1)) {
                        Ok(next) if found.edges.last() == Some(&next) && found.edges.len() > begin => {}
                        Ok(next) => found.edges.push(next),
                        Err(why) => wrong = Some(why),
                    }
                    wrong.is_none()
                });
                steps.map_err(|_| ERROR)?;
                found.edges[begin..].sort_unstable();
                found.unique(begin);
            }
            at += 1;
        }
        found.begins.push(found.edges.len());
        wrong.map_or(Ok(found), Err)
    }

    fn len(&self) -> usize {
        self.seen.len()
    }

    fn row(&self, number: u32) -> &[i64] {
        let begin = number as usize * self.width;
        &self.rows[begin..begin + self.width]
    }

    fn after(&self, number: u32) -> &[u32] {
        &self.edges[self.begins[number as usize]..self.begins[number as usize + 1]]
    }

    /// Leaves every step once.
    fn unique(&mut self, begin: usize) {
        let mut end = begin;
        for at in begin..self.edges.len() {
            if end == begin || self.edges[end - 1] != self.edges[at] {
                self.edges[end] = self.edges[at];
                end += 1;
            }
        }
        self.edges.truncate(end);
    }

    /// Whether there is time and room for more; tells how far it is.
    fn room(&self, done: usize, control: &Control<'_>) -> Result<(), NoStates> {
        let states = self.len() as u64;
        let memory = control.progress.memory().unwrap_or(8 * self.rows.len() as u64);
        let waiting = states - done as u64;
        let phase = Phase::Confirming;
        control.progress.report(Snapshot { phase, done: states, waiting, memory, ..Snapshot::default() });
        if control.stopped() || self.until.is_some_and(|until| control.progress.seconds() > until) {
            return Err(Uncertified::NoTime.into());
        }
        // Vectors grow by half of what they have or more, and the diagram needs room beside them.
        if control.budget.memory.is_some_and(|most| memory > most / 2) {
            return Err(Uncertified::NoMemory.into());
        }
        let is_large = self.len() > STATES || self.rows.len() > CELLS || self.edges.len() > STEPS;
        if is_large { Err(Uncertified::ManyStates { states }.into()) } else { Ok(()) }
    }

    fn number(
        &mut self,
        asked: &Asked,
        machine: &mut Machine,
        layer: i64,
        state: &[Value],
        depth: u32,
    ) -> Result<u32, NoStates> {
        let hash = hash(&(layer, state));
        let same = |number: u32| {
            let row = self.row(number);
            row[0] == layer && row[1..self.width - 1] == *state
        };
        if let Some(number) = self.index.find(hash, same) {
            return Ok(number);
        }
        let states = self.len() as u64;
        let number = u32::try_from(states).map_err(|_| Uncertified::ManyStates { states })?;
        let seen = asked.seen(machine, state).ok_or(ERROR)?;
        let steps = if asked.is_layered() { layer } else { i64::from(depth) };
        asked.condition(seen, steps).then_some(()).ok_or(FALSE)?;
        self.seen.push(seen);
        self.index.add(hash, number);
        self.rows.push(layer);
        self.rows.extend_from_slice(state);
        self.rows.push(0);
        self.depths.push(depth);
        Ok(number)
    }

    fn ranks(&self, asked: &Asked) -> Result<Vec<i64>, NoStates> {
        let stuck = |node: u32| self.after(node).is_empty();
        let expanded =
            |node: u32| asked.is_expanded(self.seen[node as usize], u64::from(self.depths[node as usize]));
        let nodes = || 0..self.len() as u32;
        if nodes().any(|node| expanded(node) && stuck(node) && asked.owes(self.seen[node as usize])) {
            return Err(NoStates::Contradicted("a state without a step can be reached"));
        }
        if let SearchShape::Within(_) = asked.shape {
            return Ok(self.depths.iter().map(|&depth| i64::from(depth)).collect());
        }
        let without = |node: u32| !self.seen[node as usize].holds;
        let waits = |node: u32| self.seen[node as usize].waiting;
        match asked.kind {
            QuestionKind::Reached => self.falling(&without, &|_| true),
            QuestionKind::Scope { waits: true } => self.falling(&waits, &|_| true),
            QuestionKind::Recurs => self.falling(&|_| true, &|node| !without(node)),
            QuestionKind::Reachable => self.distances(asked),
            _ => Some(vec![0; self.len()]),
        }
        .ok_or(FOR_EVER)
    }

    /// How often an execution inside can still come to a node that is strict. `None` if it can do so for ever.
    fn falling(&self, inside: &dyn Fn(u32) -> bool, strict: &dyn Fn(u32) -> bool) -> Option<Vec<i64>> {
        let part = Part { found: self, inside };
        let roots = (0..self.len() as u32).filter(|&node| inside(node));
        let (component, count) = numbered(&part, roots);
        let mut members: Vec<u32> = (0..self.len() as u32).filter(|&node| inside(node)).collect();
        members.sort_by_key(|&node| component[node as usize]);
        let mut of_component = vec![0i64; count as usize];
        // Edges between components lead to smaller numbers, so what comes after a component is known.
        for nodes in members.chunk_by(|a, b| component[*a as usize] == component[*b as usize]) {
            let number = component[nodes[0] as usize];
            let after = || nodes.iter().flat_map(|&node| self.after(node)).filter(|&&to| inside(to));
            let own = |to: u32| component[to as usize] == number;
            let is_strict = nodes.iter().any(|&node| strict(node));
            if is_strict && after().any(|&to| own(to)) {
                return None;
            }
            let most = after().map(|&to| of_component[component[to as usize] as usize]).max().unwrap_or(0);
            of_component[number as usize] = most + i64::from(is_strict);
        }
        let rank = |node: u32| if inside(node) { of_component[component[node as usize] as usize] } else { 0 };
        Some((0..self.len() as u32).map(rank).collect())
    }

    /// How many steps it is to the goal. `None` if it is out of reach.
    fn distances(&self, asked: &Asked) -> Option<Vec<i64>> {
        let mut before: Vec<(u32, u32)> = Vec::with_capacity(self.edges.len());
        for from in 0..self.len() as u32 {
            before.extend(self.after(from).iter().map(|&to| (to, from)));
        }
        before.sort_unstable();
        let mut ranks: Vec<Option<i64>> = vec![None; self.len()];
        let is_goal =
            |at: u32| self.seen[at as usize].holds || (asked.ignore_deadlock && self.after(at).is_empty());
        let mut queue: Vec<u32> = (0..self.len() as u32).filter(|&at| is_goal(at)).collect();
        queue.iter().for_each(|&goal| ranks[goal as usize] = Some(0));
        let mut next = 0;
        while let Some(&node) = queue.get(next) {
            next += 1;
            let rank = ranks[node as usize]?;
            let first = before.partition_point(|&(to, _)| to < node);
            for &(_, earlier) in before[first..].iter().take_while(|(to, _)| *to == node) {
                if ranks[earlier as usize].is_none() {
                    ranks[earlier as usize] = Some(rank + 1);
                    queue.push(earlier);
                }
            }
        }
        ranks.into_iter().collect()
    }
}

/// The steps between some of the states.
struct Part<'a> {
    found: &'a Found,
    inside: &'a dyn Fn(u32) -> bool,
}

impl Digraph for Part<'_> {
    type Edge = u32;

    fn numbers(&self) -> usize {
        self.found.len()
    }

    fn edges(&self, node: u32) -> &[u32] {
        self.found.after(node)
    }

    fn target(edge: &u32) -> u32 {
        *edge
    }

    fn inside(&self, node: u32) -> bool {
        (self.inside)(node)
    }
}
