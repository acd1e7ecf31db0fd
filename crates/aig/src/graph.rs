//! The and-inverter graph: constants, variables and conjunctions, each node once (structural hashing).

use std::collections::{BTreeSet, HashMap, HashSet};

/// A node, perhaps negated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Lit(u32);

impl Lit {
    /// The constant 0.
    pub const FALSE: Lit = Lit(0);
    /// The constant 1.
    pub const TRUE: Lit = Lit(1);

    /// A node as it is, or negated.
    #[inline]
    pub fn new(node: u32, negated: bool) -> Lit {
        Lit(node << 1 | u32::from(negated))
    }

    /// From a truth value.
    #[inline]
    pub fn constant(value: bool) -> Lit {
        Lit(u32::from(value))
    }

    #[inline]
    pub fn node(self) -> u32 {
        self.0 >> 1
    }

    /// Whether it is negated.
    #[inline]
    pub fn negated(self) -> bool {
        self.0 & 1 != 0
    }

    /// Twice the node, plus one if negated: as AIGER counts.
    #[inline]
    pub fn code(self) -> u32 {
        self.0
    }

    /// Negated if the condition says so.
    #[inline]
    pub fn negate_if(self, condition: bool) -> Lit {
        Lit(self.0 ^ u32::from(condition))
    }

    /// Its value, if it is a constant.
    #[inline]
    pub fn known(self) -> Option<bool> {
        (self.node() == 0).then_some(self.negated())
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node {
    /// The constant 0: node 0, and no other.
    False,
    /// A variable: what it stands for, a latch or an input, is up to the owner of the graph.
    Variable,
    /// Both are true. The parts come before the node itself; the first has the smaller code.
    And(Lit, Lit),
}

/// A graph. Nodes only refer to earlier nodes, so going through them in order evaluates them.
#[derive(Clone, Debug)]
pub struct Graph {
    nodes: Vec<Node>,
    known: HashMap<(Lit, Lit), u32>,
}

impl Default for Graph {
    fn default() -> Graph {
        Graph { nodes: vec![Node::False], known: HashMap::new() }
    }
}

impl Graph {
    /// A graph with nothing but the constant.
    pub fn new() -> Graph {
        Graph::default()
    }

    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    #[inline]
    pub fn node(&self, number: u32) -> Node {
        self.nodes[number as usize]
    }

    /// A new variable.
    pub fn variable(&mut self) -> Lit {
        self.nodes.push(Node::Variable);
        Lit::new(self.nodes.len() as u32 - 1, false)
    }

    /// Both. Constants, equal and opposite parts are simplified, and so is one level below.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Lit::FALSE || a == !b {
            return Lit::FALSE;
        }
        if a == Lit::TRUE || a == b {
            return b;
        }
        if let Some(simple) = self.absorbed(a, b).or_else(|| self.absorbed(b, a)) {
            return simple;
        }
        let next = self.nodes.len() as u32;
        let node = *self.known.entry((a, b)).or_insert(next);
        if node == next {
            self.nodes.push(Node::And(a, b));
        }
        Lit::new(node, false)
    }

    /// `a ∧ b` where `b` is a conjunction, or the negation of one, that says something about `a`.
    fn absorbed(&mut self, a: Lit, b: Lit) -> Option<Lit> {
        let Node::And(x, y) = self.node(b.node()) else { return None };
        if b.negated() {
            // a ∧ ¬(a ∧ y) = a ∧ ¬y; a ∧ ¬(¬a ∧ y) = a.
            if a == !x || a == !y {
                return Some(a);
            }
            if a == x {
                return Some(self.and(a, !y));
            }
            if a == y {
                return Some(self.and(a, !x));
            }
            return None;
        }
        if a == !x || a == !y {
            return Some(Lit::FALSE);
        }
        (a == x || a == y).then_some(b)
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let (one, other) = (self.and(a, !b), self.and(!a, b));
        self.or(one, other)
    }

    pub fn iff(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    /// The second if the first is true.
    pub fn implies(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(a, !b)
    }

    /// `yes` where the condition is true, `no` elsewhere.
    pub fn choose(&mut self, condition: Lit, yes: Lit, no: Lit) -> Lit {
        if yes == no {
            return yes;
        }
        let (a, b) = (self.and(condition, yes), self.and(!condition, no));
        self.or(a, b)
    }

    /// All of them, as a balanced tree.
    pub fn all(&mut self, parts: &[Lit]) -> Lit {
        match parts {
            [] => Lit::TRUE,
            [one] => *one,
            many => {
                let (left, right) = many.split_at(many.len() / 2);
                let (left, right) = (self.all(left), self.all(right));
                self.and(left, right)
            }
        }
    }

    pub fn any(&mut self, parts: &[Lit]) -> Lit {
        let negated: Vec<Lit> = parts.iter().map(|&p| !p).collect();
        !self.all(&negated)
    }

    /// The variables that these functions depend on, as far as their structure shows; by number.
    pub fn support(&self, roots: &[Lit]) -> BTreeSet<u32> {
        let mut seen = HashSet::new();
        let mut variables = BTreeSet::new();
        let mut stack: Vec<u32> = roots.iter().map(|root| root.node()).collect();
        while let Some(node) = stack.pop() {
            if seen.insert(node) {
                match self.node(node) {
                    Node::And(a, b) => stack.extend([a.node(), b.node()]),
                    Node::Variable => _ = variables.insert(node),
                    Node::False => {}
                }
            }
        }
        variables
    }

    /// The value of every node, given those of the variables: `values` has a place per node.
    pub fn evaluate(&self, values: &mut [bool]) {
        for (i, node) in self.nodes.iter().enumerate() {
            match node {
                Node::False => values[i] = false,
                Node::Variable => {}
                Node::And(a, b) => values[i] = value(values, *a) && value(values, *b),
            }
        }
    }
}

/// The value of a literal, given those of the nodes.
#[inline]
pub fn value(values: &[bool], lit: Lit) -> bool {
    values[lit.node() as usize] != lit.negated()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every function over three variables that the builders make agrees with its truth table.
    #[test]
    fn builders_mean_what_they_say() {
        type Builder = fn(&mut Graph, Lit, Lit, Lit) -> Lit;
        type Table = fn(bool, bool, bool) -> bool;
        let cases: [(Builder, Table); 7] = [
            (|g, a, b, _| g.and(a, b), |a, b, _| a && b),
            (|g, a, b, _| g.or(a, b), |a, b, _| a || b),
            (|g, a, b, _| g.xor(a, b), |a, b, _| a != b),
            (|g, a, b, _| g.implies(a, b), |a, b, _| !a || b),
            (|g, a, b, c| g.choose(a, b, c), |a, b, c| if a { b } else { c }),
            (
                |g, a, b, c| {
                    let x = g.and(a, b);
                    let y = g.and(!x, a);
                    g.and(y, c)
                },
                |a, b, c| a && !b && c,
            ),
            (|g, a, b, c| g.any(&[a, b, c]), |a, b, c| a || b || c),
        ];
        for (number, (build, table)) in cases.into_iter().enumerate() {
            for bits in 0..8u32 {
                let mut graph = Graph::new();
                let inputs = [graph.variable(), graph.variable(), graph.variable()];
                let [a, b, c] = [0, 1, 2].map(|i| bits >> i & 1 != 0);
                let result = build(&mut graph, inputs[0], inputs[1], inputs[2]);
                let mut values = vec![false; graph.nodes().len()];
                for (lit, v) in inputs.iter().zip([a, b, c]) {
                    values[lit.node() as usize] = v;
                }
                graph.evaluate(&mut values);
                assert_eq!(value(&values, result), table(a, b, c), "case {number} at {bits:03b}");
            }
        }
    }
}
