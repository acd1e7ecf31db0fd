//! Determinisation with history trees: S. Schewe, "Tighter bounds for the determinisation of Büchi automata", FoSSaCS 2009, section
//! 3; a variant of S. Safra, "On the complexity of ω-automata", FOCS 1988.
//!
//! A tree tells which states the Büchi automaton may be in, and since when these runs have all seen accepting states. The label of
//! the root is the set of all states that can be reached. A child is a part of its parent whose runs have seen an accepting state
//! since the parent was last *met*; older children come first, and a state is in the oldest child that may have it. So the
//! union of the children is a proper part of the label of the parent. Where it becomes all of it, every run in the
//! parent has seen an accepting state: the parent is met, and starts again without children.
//!
//! A node is known by its place in the tree. A pair of the Rabin automaton is a place; it holds at a transition where the node
//! at this place was there before, is there afterwards, and is the same one. Nodes move when older siblings vanish.

use super::buchi::Buchi;
use std::collections::HashMap;

/// A tree, or a node with what is below it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Tree {
    /// States of the Büchi automaton, in order.
    pub label: Vec<u32>,
    children: Vec<Tree>,
}

impl Tree {
    pub fn leaf(label: Vec<u32>) -> Tree {
        Tree { label, children: vec![] }
    }
}

/// A node during a step.
struct Node {
    label: Vec<u32>,
    /// The place where it was, if it is not new.
    place: Option<u32>,
    met: bool,
    children: Vec<Node>,
}

/// The places in trees, and what is needed for a step.
pub(super) struct Trees {
    /// Root and then, by parent and number of the child, the places that have occurred.
    places: HashMap<(u32, usize), u32>,
    root: u32,
    next: u32,
}

impl Trees {
    /// Places have numbers from this one on.
    pub fn new(first: u32) -> Trees {
        Trees { places: HashMap::new(), root: first, next: first + 1 }
    }

    /// One more than the largest number of a place.
    pub fn pairs(&self) -> u32 {
        self.next
    }

    /// The tree after a letter, with the places that hold and those that are met. No tree if no run is left.
    pub fn step(&mut self, buchi: &Buchi, tree: &Tree, letter: u64) -> (Option<Tree>, Vec<u32>, Vec<u32>) {
        let mut root = self.moved(buchi, tree, letter, self.root);
        steal(&mut root, &[]);
        let (mut holds, mut met) = (vec![], vec![]);
        let after = (!root.label.is_empty()).then(|| self.settled(root, self.root, &mut holds, &mut met));
        holds.sort_unstable();
        met.sort_unstable();
        (after, holds, met)
    }

    fn place(&mut self, parent: u32, child: usize) -> u32 {
        let next = &mut self.next;
        *self.places.entry((parent, child)).or_insert_with(|| {
            *next += 1;
            *next - 1
        })
    }

    /// All labels after the letter, and a new youngest child for every node: the accepting states of its label.
    fn moved(&mut self, buchi: &Buchi, tree: &Tree, letter: u64, place: u32) -> Node {
        let label = buchi.after(&tree.label, letter);
        let mut children = vec![];
        for (number, child) in tree.children.iter().enumerate() {
            let place = self.place(place, number);
            children.push(self.moved(buchi, child, letter, place));
        }
        let accepting = |state: &u32| buchi.states[*state as usize].accepting;
        let new = label.iter().copied().filter(accepting).collect();
        children.push(Node { label: new, place: None, met: false, children: vec![] });
        Node { label, place: Some(place), met: false, children }
    }

    /// The tree that is left, with its places.
    fn settled(&mut self, node: Node, place: u32, holds: &mut Vec<u32>, met: &mut Vec<u32>) -> Tree {
        if node.place == Some(place) {
            holds.push(place);
            if node.met {
                met.push(place);
            }
        }
        let mut children = vec![];
        for (number, child) in node.children.into_iter().enumerate() {
            let place = self.place(place, number);
            children.push(self.settled(child, place, holds, met));
        }
        Tree { label: node.label, children }
    }
}

/// Takes states away that an older node has, then nodes without states, and the children of nodes that they exhaust.
fn steal(node: &mut Node, older: &[u32]) {
    node.label.retain(|state| older.binary_search(state).is_err());
    let mut older = older.to_vec();
    for child in &mut node.children {
        steal(child, &older);
        older.extend(&child.label);
        older.sort_unstable();
    }
    node.children.retain(|child| !child.label.is_empty());
    let below: usize = node.children.iter().map(|child| child.label.len()).sum();
    // Children are disjoint parts of the label.
    if below == node.label.len() && below > 0 {
        node.children.clear();
        node.met = true;
    }
}
