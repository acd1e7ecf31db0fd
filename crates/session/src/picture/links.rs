//! Who is linked with whom in every state of a trace: the link predicates of the stigmergies (thesis, section 3.2.2), evaluated for
//! every ordered pair of agents that take part.
//!
//! A step changes few agents. If a predicate reads variables of its two agents only, the pairs of those agents are evaluated again;
//! if it reads a variable of the environment that has changed, or variables of third agents, all pairs are.

use crate::open::Prepared;
use crate::reasons::Scope;
use std::collections::BTreeSet;
use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::{Expr, Value, VarId};
use swarmcheck_labs::lower::Options;
use swarmcheck_labs::lower::links::{Link, links};
use swarmcheck_picture::data::{LinkChange, Links};

/// More pairs than this are not drawn: nobody could tell the lines apart, and a page would be too large.
const MOST_PAIRS: usize = 40_000;

/// The link predicates of a model; none in other languages.
pub(super) fn predicates(prepared: &Prepared) -> Vec<Predicate> {
    let Some(model) = prepared.model.labs() else { return vec![] };
    let options = Options {
        fair: prepared.options.fair,
        semantics: prepared.options.semantics,
        choice: prepared.options.choice,
        sync: prepared.options.sync,
    };
    links(model, options).into_iter().map(|link| Predicate::new(&prepared.flat, link)).collect()
}

/// A link predicate, and what it depends on.
pub(super) struct Predicate {
    pub(super) link: Link,
    /// The agents that take part.
    pub(super) agents: Vec<u32>,
    /// Variables of the two agents that it reads.
    own: BTreeSet<VarId>,
    /// Variables of the environment that it reads.
    global: BTreeSet<VarId>,
    /// It reads variables of other agents than its two.
    wide: bool,
}

impl Predicate {
    fn new(flat: &Flat, link: Link) -> Predicate {
        let kinds = link.members.iter().map(|kind| flat.program.kind(*kind));
        let mut agents: Vec<u32> = kinds.flat_map(|kind| kind.first..kind.first + kind.count).collect();
        agents.sort_unstable();
        let (mut own, mut global, mut wide) = (BTreeSet::new(), BTreeSet::new(), false);
        link.condition.walk(&mut |e| match e {
            Expr::Read(place) => match place.agent.as_deref() {
                None => {
                    global.insert(place.var);
                }
                Some(Expr::Me | Expr::Bound(0)) => {
                    own.insert(place.var);
                }
                Some(_) => wide = true,
            },
            Expr::Quantified(..) => wide = true,
            _ => {}
        });
        Predicate { link, agents, own, global, wide }
    }

    /// Whether one agent is linked with another one in a state. Where the predicate meets an error of the model, it is not.
    pub(super) fn holds(&self, flat: &Flat, state: &[Value], sender: u32, receiver: u32) -> bool {
        let scope = Scope::new(flat, state, Some(sender)).with(0, receiver);
        sender != receiver && scope.holds(&self.link.condition) == Some(true)
    }

    /// The agents that one agent is linked with.
    pub(super) fn receivers(&self, flat: &Flat, state: &[Value], sender: u32) -> Vec<u32> {
        self.agents.iter().copied().filter(|other| self.holds(flat, state, sender, *other)).collect()
    }

    /// The pairs whose link may be different after a step.
    fn touched(&self, flat: &Flat, before: &[Value], after: &[Value]) -> Touched {
        let mut agents = BTreeSet::new();
        for (slot, _) in (0u32..).zip(before.iter().zip(after)).filter(|(_, (old, new))| old != new) {
            let cell = flat.layout.cell(slot);
            match cell.agent {
                _ if self.wide => return Touched::All,
                None if self.global.contains(&cell.var) => return Touched::All,
                // The variable may be one of agents that do not take part.
                Some(agent) if self.own.contains(&cell.var) && self.agents.binary_search(&agent).is_ok() => {
                    agents.insert(agent);
                }
                _ => {}
            }
        }
        Touched::Agents(agents)
    }

    /// All links of a trace; none if there are too many pairs.
    pub(super) fn links(&self, prepared: &Prepared, states: &[Vec<Value>]) -> Option<Links> {
        let flat = &prepared.flat;
        if self.agents.len() * self.agents.len() > MOST_PAIRS {
            return None;
        }
        let words: Vec<&str> = prepared.file.slice(self.link.span).split_whitespace().collect();
        let mut links = Links {
            name: self.link.name.clone(),
            predicate: words.join(" "),
            initial: vec![],
            changes: vec![],
        };
        let Some(first) = states.first() else { return Some(links) };
        let mut linked: BTreeSet<(u32, u32)> = BTreeSet::new();
        for &sender in &self.agents {
            linked.extend(self.receivers(flat, first, sender).into_iter().map(|other| (sender, other)));
        }
        links.initial = linked.iter().copied().collect();
        for (number, pair) in (1u32..).zip(states.windows(2)) {
            let [before, after] = pair else { continue };
            let mut change = LinkChange { step: number, made: vec![], broken: vec![] };
            let mut look = |one: u32, other: u32| {
                let is = self.holds(flat, after, one, other);
                match is {
                    true if linked.insert((one, other)) => change.made.push((one, other)),
                    false if linked.remove(&(one, other)) => change.broken.push((one, other)),
                    _ => {}
                }
            };
            match self.touched(flat, before, after) {
                Touched::All => {
                    for &one in &self.agents {
                        self.agents.iter().for_each(|other| look(one, *other));
                    }
                }
                Touched::Agents(agents) => {
                    for one in agents {
                        for &other in &self.agents {
                            look(one, other);
                            look(other, one);
                        }
                    }
                }
            }
            if !change.made.is_empty() || !change.broken.is_empty() {
                links.changes.push(change);
            }
        }
        Some(links)
    }
}

/// The pairs whose link may have changed: all, or those of these agents.
enum Touched {
    All,
    Agents(BTreeSet<u32>),
}
