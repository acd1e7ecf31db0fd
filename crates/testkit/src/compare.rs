//! Bisimulation check: are the emulation program and the reference interpreter the same transition system?
//!
//! Both are unfolded from their initial states, and states are sorted into classes by partition refinement on the
//! union of the two (Kanellakis and Smolka, 1990): at level 0 the states that look alike, at level `n + 1` those of
//! the same level-0 class whose steps have the same labels and lead to the same level-`n` classes or to the same model
//! errors. Level `n` is strong bisimilarity up to `n` steps. The two sides agree if their initial states fall into the
//! same classes. If both pieces are complete the refinement goes on until nothing changes, which is strong bisimilarity
//! without a bound; otherwise it goes as deep as both were unfolded.
//!
//! What can be seen of a state is its data, its pending messages, the order of its timestamps, the turn, and the truth
//! of every property's predicate. Locations and process terms are not compared: they are what the two sides differ in.

use crate::lts::{Lts, Node, Views};
use crate::report;
use crate::sides::{Emulation, Reference};
use std::collections::{BTreeSet, HashMap};
use swarmcheck_ir::flat::Flat;
use swarmcheck_labs::model::{ActionId, Model, TupleId};
use swarmcheck_labs::{codes, lower};
use swarmcheck_reference::{self as reference, Interpreter, Label, ModelError};

/// How much to unfold.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// No layer is begun after this many states.
    pub states: usize,
    /// At most this many layers.
    pub depth: usize,
}

#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Initial states.
    pub initial: usize,
    /// States of the reference.
    pub states: usize,
    pub steps: usize,
    /// Layers unfolded.
    pub depth: usize,
    /// Whether that was everything.
    pub complete: bool,
    /// States without any step.
    pub deadlocks: usize,
    /// Model errors met.
    pub errors: usize,
    /// Occurrences of actions in the text that were performed.
    pub performed: usize,
    /// Nothing was compared: the program would be too large.
    pub refused: bool,
    /// An action told another agent something in its own step (`--sync`).
    pub heard: bool,
    /// An agent has to confirm a tuple and cannot, because it is undefined.
    pub waiting: bool,
}

/// How the two sides differ, for people.
#[derive(Clone, Debug)]
pub struct Mismatch(pub String);

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Compares the two sides on a system, read with the same options.
pub fn compare(
    text: &str,
    model: &Model,
    options: lower::Options,
    limits: Limits,
) -> Result<Summary, Mismatch> {
    let program = match lower::lower(model, text, options) {
        Ok(lowered) => lowered.program,
        Err(d) if d.code == codes::TOO_LARGE => return Ok(Summary { refused: true, ..Summary::default() }),
        Err(d) => return Err(Mismatch(format!("{}\n{text}", d.message))),
    };
    if let Err(problems) = swarmcheck_ir::validate::validate(&program) {
        return Err(Mismatch(format!("the program is invalid: {problems:#?}\n{text}")));
    }
    Literal::new(text, model, options, limits).compare(&Flat::new(program))
}

/// The side of the reference, unfolded once and for all.
pub struct Literal<'m> {
    text: &'m str,
    model: &'m Model,
    options: lower::Options,
    limits: Limits,
    views: Views,
    lts: Result<Lts<Reference<'m>>, ModelError>,
}

impl<'m> Literal<'m> {
    /// Unfolds the reference as far as the limits allow.
    pub fn new(text: &'m str, model: &'m Model, options: lower::Options, limits: Limits) -> Literal<'m> {
        let semantics = match options.semantics {
            lower::Semantics::Sliver => reference::Semantics::Sliver,
            lower::Semantics::Paper => reference::Semantics::Paper,
        };
        let choice = match options.choice {
            lower::Choice::Late => reference::Choice::Late,
            lower::Choice::Early => reference::Choice::Early,
        };
        let literal = reference::Options { fair: options.fair, semantics, choice, sync: options.sync };
        let mut views = Views::default();
        let mut lts = Lts::new(Reference { interpreter: Interpreter::new(model, literal) }, &mut views);
        if let Ok(lts) = &mut lts {
            while !lts.complete() && lts.layers < limits.depth && lts.nodes.len() < limits.states {
                lts.unfold(&mut views);
            }
        }
        Literal { text, model, options, limits, views, lts }
    }

    /// Compares the reference with this program, whatever it was made from.
    pub fn compare(&mut self, flat: &Flat) -> Result<Summary, Mismatch> {
        let right = Lts::new(Emulation::new(self.model, flat), &mut self.views);
        let (left, mut right) = match (&self.lts, right) {
            (Ok(left), Ok(right)) => (left, right),
            (Err(a), Err(b)) if *a == b => {
                return Ok(Summary { errors: 1, complete: true, ..Summary::default() });
            }
            (left, right) => {
                let (a, b) = (left.as_ref().err(), right.err());
                let words = format!("initial states: reference {a:?}, emulation {b:?}\n{}", self.text);
                return Err(Mismatch(words));
            }
        };
        // The program may need a few more locations than the reference has terms, but not many times more.
        while !right.complete()
            && (right.layers < left.layers || left.complete())
            && right.nodes.len() < 4 * self.limits.states
        {
            right.unfold(&mut self.views);
        }
        let complete = left.complete() && right.complete();
        let sides = [&left.nodes[..], &right.nodes[..]];
        let depth = if complete { usize::MAX } else { left.layers.min(right.layers) };
        let classes = Classes::refine(sides, [left.initial, right.initial], depth);
        if classes.agree() {
            let mut out = summary(&left.nodes, left.initial, left.layers, complete);
            let messages = Messages { entries: entries(self.model), views: &self.views, nodes: &left.nodes };
            let unfolded = || left.nodes.iter().filter(|n| complete || n.depth < left.layers);
            out.heard = self.options.sync && unfolded().any(|n| messages.tell(n));
            out.waiting = unfolded().any(|n| messages.wait(n));
            return Ok(out);
        }
        let words = report::difference(self.text, self.model, &self.views, sides, &classes);
        Err(Mismatch(format!("{:?}\n{words}\n{}", self.options, self.text)))
    }
}

fn summary(nodes: &[Node], initial: usize, depth: usize, complete: bool) -> Summary {
    let unfolded = || nodes.iter().filter(|n| complete || n.depth < depth);
    let errors: BTreeSet<ModelError> = unfolded().flat_map(|n| &n.steps).filter_map(|s| s.1.err()).collect();
    let action = |label: &Label| match label {
        Label::Action { action, .. } => Some(*action),
        _ => None,
    };
    let done = unfolded().flat_map(|n| &n.steps).filter(|s| s.1.is_ok());
    let performed: BTreeSet<ActionId> = done.filter_map(|s| action(&s.0)).collect();
    Summary {
        initial,
        states: nodes.len(),
        steps: unfolded().map(|n| n.steps.len()).sum(),
        depth,
        complete,
        deadlocks: unfolded().filter(|n| n.steps.is_empty()).count(),
        errors: errors.len(),
        performed: performed.len(),
        refused: false,
        heard: false,
        waiting: false,
    }
}

/// The agents and tuples in the order of [`reference::Observation::ranks`].
fn entries(model: &Model) -> Vec<(u32, TupleId)> {
    let tuples = |agent: u32| {
        let stigmergies = &model.kind(model.kind_of(agent)).stigmergies;
        stigmergies.iter().flat_map(|s| &model.stigmergy(*s).tuples).map(move |tuple| (agent, *tuple))
    };
    (0..model.agents()).flat_map(tuples).collect()
}

/// What is seen of messages.
struct Messages<'a> {
    entries: Vec<(u32, TupleId)>,
    views: &'a Views,
    nodes: &'a [Node],
}

impl Messages<'_> {
    /// Whether an action makes two copies of a tuple the same, which only a message does.
    fn tell(&self, node: &Node) -> bool {
        let before = &self.views.get(node.view).seen.ranks;
        let of_actions = node.steps.iter().filter(|(label, _)| matches!(label, Label::Action { .. }));
        let mut after = of_actions.filter_map(|(_, target)| Some(&self.nodes[(*target).ok()?]));
        after.any(|next| {
            let after = &self.views.get(next.view).seen.ranks;
            let same = |ranks: &[u32], a: usize, b: usize| ranks[a] == ranks[b];
            (0..self.entries.len()).any(|a| {
                let others = (0..a).filter(|&b| self.entries[a].1 == self.entries[b].1);
                others.into_iter().any(|b| same(after, a, b) && !same(before, a, b))
            })
        })
    }

    /// Whether an agent has to confirm a tuple but cannot.
    fn wait(&self, node: &Node) -> bool {
        let seen = &self.views.get(node.view).seen;
        let confirmed = |&(agent, tuple): &(u32, TupleId)| {
            node.steps.iter().any(|(label, _)| *label == Label::Confirm { agent, tuple })
        };
        self.entries.iter().zip(&seen.confirm).any(|(entry, pending)| *pending && !confirmed(entry))
    }
}

/// The levels of the refinement, for the states of both sides.
pub(crate) struct Classes {
    /// By level, side and state. A state is only there if it was unfolded deep enough.
    pub levels: Vec<[Vec<Option<usize>>; 2]>,
    /// How many states of each side are initial; they come first.
    pub initial: [usize; 2],
}

/// A state's class at the level before, and the steps into such classes.
type Signature = (usize, Vec<(Label, Result<usize, ModelError>)>);

impl Classes {
    fn refine(sides: [&[Node]; 2], initial: [usize; 2], depth: usize) -> Classes {
        let zero = sides.map(|nodes| nodes.iter().map(|n| Some(n.view)).collect());
        let mut classes = Classes { levels: vec![zero], initial };
        let mut count = 0;
        for level in 1..=depth {
            if !classes.agree() {
                break;
            }
            let before = &classes.levels[level - 1];
            let mut known: HashMap<Signature, usize> = HashMap::new();
            let mut next = [vec![], vec![]];
            for (side, nodes) in sides.iter().enumerate() {
                for node in *nodes {
                    let deep = depth == usize::MAX || node.depth + level <= depth;
                    next[side].push(deep.then(|| {
                        let signature = signature(node, &before[side]);
                        let new = known.len();
                        *known.entry(signature).or_insert(new)
                    }));
                }
            }
            let stable = depth == usize::MAX && known.len() == count;
            count = known.len();
            classes.levels.push(next);
            if stable {
                break;
            }
        }
        classes
    }

    /// Whether the initial states of both sides fall into the same classes of the last level.
    pub fn agree(&self) -> bool {
        let last = &self.levels[self.levels.len() - 1];
        let set = |side: usize| last[side][..self.initial[side]].iter().collect::<BTreeSet<_>>();
        set(0) == set(1)
    }
}

fn signature(node: &Node, before: &[Option<usize>]) -> Signature {
    let class = |target: usize| before[target].expect("one step deeper was one level less deep");
    let mut steps: Vec<_> = node.steps.iter().map(|(l, t)| (l.clone(), t.map(class))).collect();
    steps.sort();
    steps.dedup();
    (node.view, steps)
}
