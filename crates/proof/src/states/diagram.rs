//! Sets of vectors as diagrams: acyclic automata whose equal parts are stored once.
//!
//! A set that is built from its sorted members is minimal (J. Daciuk, S. Mihov, B. Watson, R. Watson, *Incremental Construction of Minimal
//! Acyclic Finite-State Automata*, Computational Linguistics 26(1), 2000). A set that is read need not be: what matters is that
//! every edge leads to an earlier node, and that all paths have the same length.

use super::index::{Index, hash};

/// The number of the leaf.
const LEAF: u32 = 0;

/// A node: values in ascending order, each with the node after it.
type Node = Vec<(i64, u32)>;

/// The nodes of a set, whose last one is the root. `None` if there are more than can be numbered. The members must be sorted, different,
/// and all of the same length, which is not 0.
pub fn build<'a>(members: impl IntoIterator<Item = &'a [i64]>) -> Option<Vec<Node>> {
    let mut builder = Builder { nodes: vec![], known: Index::default(), open: vec![], last: vec![] };
    // The leaf.
    builder.node(vec![])?;
    for member in members {
        let shared = builder.last.iter().zip(member).take_while(|(a, b)| a == b).count();
        builder.close(shared)?;
        builder.open.resize(member.len(), vec![]);
        builder.open.last_mut()?.push((*member.last()?, LEAF));
        builder.last = member.to_vec();
    }
    builder.close(0)?;
    builder.nodes.extend(builder.open.pop());
    Some(builder.nodes)
}

struct Builder {
    nodes: Vec<Node>,
    known: Index,
    /// The nodes along the last member. Each lacks the edge to the one after it.
    open: Vec<Node>,
    last: Vec<i64>,
}

impl Builder {
    /// Finishes the nodes that come after the first difference, which is behind `shared` values.
    fn close(&mut self, shared: usize) -> Option<()> {
        while self.open.len() > shared + 1 {
            let node = self.open.pop()?;
            let number = self.node(node)?;
            let value = self.last[self.open.len() - 1];
            self.open.last_mut()?.push((value, number));
        }
        Some(())
    }

    /// The number of a node that is equal, which may be this one.
    fn node(&mut self, node: Node) -> Option<u32> {
        let hash = hash(&node);
        if let Some(number) = self.known.find(hash, |number| self.nodes[number as usize] == node) {
            return Some(number);
        }
        let number = u32::try_from(self.nodes.len()).ok()?;
        self.known.add(hash, number);
        self.nodes.push(node);
        Some(number)
    }
}

/// A set that was read.
pub struct Diagram<'a> {
    nodes: &'a [Node],
    length: usize,
}

impl<'a> Diagram<'a> {
    /// Checks that the nodes are a set of vectors of this length.
    pub fn read(nodes: &'a [Node], length: usize) -> Option<Diagram<'a>> {
        // How far it is from each node to the leaf.
        let mut heights: Vec<usize> = Vec::with_capacity(nodes.len());
        for (number, node) in nodes.iter().enumerate() {
            if number == 0 {
                node.is_empty().then_some(())?;
                heights.push(0);
                continue;
            }
            let height = heights[..number].get(node.first()?.1 as usize)?;
            let fits = |(_, to): &(i64, u32)| heights.get(*to as usize) == Some(height);
            (node.iter().all(fits) && node.is_sorted_by(|a, b| a.0 < b.0)).then_some(())?;
            heights.push(height + 1);
        }
        let is_empty = nodes.len() == 1;
        (is_empty || *heights.last()? == length).then_some(Diagram { nodes, length })
    }

    /// The value at the last place of the only member that begins with these values. `None` if there is none, or more than one.
    pub fn last(&self, beginning: impl IntoIterator<Item = i64>) -> Option<i64> {
        let mut node = self.root()?;
        for value in beginning {
            let at = node.binary_search_by_key(&value, |edge| edge.0).ok()?;
            node = self.nodes.get(node[at].1 as usize)?;
        }
        match node[..] {
            [(value, LEAF)] => Some(value),
            _ => None,
        }
    }

    /// Calls `visit` with every member, until it returns `false`. Whether it never did.
    pub fn members(&self, visit: &mut dyn FnMut(&[i64]) -> bool) -> bool {
        let Some(root) = self.root() else { return true };
        let mut member = Vec::with_capacity(self.length);
        let mut stack: Vec<(&[(i64, u32)], usize)> = vec![(root, 0)];
        while let Some((node, next)) = stack.last_mut() {
            let Some(&(value, to)) = node.get(*next) else {
                stack.pop();
                member.pop();
                continue;
            };
            *next += 1;
            member.push(value);
            if to == LEAF {
                if !visit(&member) {
                    return false;
                }
                member.pop();
            } else {
                stack.push((&self.nodes[to as usize], 0));
            }
        }
        true
    }

    fn root(&self) -> Option<&'a [(i64, u32)]> {
        self.nodes.last().map(Vec::as_slice).filter(|node| !node.is_empty())
    }
}
