//! Functions of a graph as clauses, as far as they are needed.
//!
//! A gate gets a solver's variable when a question first depends on it, and clauses only for the direction in which it is
//! used (Plaisted and Greenbaum): where a literal is only ever assumed or asserted true, "literal implies function" is
//! enough. A model then gives values of the graph's *variables* under which every function asked for is true; values of
//! gates in between mean nothing.

use swarmcheck_aig::{Graph, Lit, Node};

use crate::sat::{Sat, TRUE};

/// Which literals of a solver stand for which nodes of a graph.
#[derive(Clone, Debug, Default)]
pub struct Cnf {
    /// The literal of each node; 0 if it has none yet.
    literals: Vec<i32>,
    /// For each node whether it is done in the positive (1) and the negative (2) direction.
    done: Vec<u8>,
    /// How often each node is a part of another: once, twice or more often.
    uses: Vec<u8>,
    /// Used again by every call.
    stack: Vec<(Lit, bool)>,
    parts: Vec<Lit>,
    clause: Vec<i32>,
}

/// Conjunctions with more parts than this are written as several.
const MOST_PARTS: usize = 32;

/// How a conjunction is best written.
enum Gate {
    And(Lit, Lit),
    /// The negation of "the second if the first, else the third".
    NotChoose(Lit, Lit, Lit),
}

impl Gate {
    fn of(graph: &Graph, a: Lit, b: Lit) -> Gate {
        if !a.negated() || !b.negated() {
            return Gate::And(a, b);
        }
        let (Node::And(p, q), Node::And(r, s)) = (graph.node(a.node()), graph.node(b.node())) else {
            return Gate::And(a, b);
        };
        // ¬(p ∧ q) ∧ ¬(¬p ∧ s) and its three permutations.
        for (condition, yes) in [(p, q), (q, p)] {
            for (other, no) in [(r, s), (s, r)] {
                if other == !condition {
                    return Gate::NotChoose(condition, yes, no);
                }
            }
        }
        Gate::And(a, b)
    }
}

impl Cnf {
    /// For an empty solver: takes its first variable for the constant.
    pub fn new<'s>(sat: &mut impl Sat<'s>) -> Cnf {
        let constant = sat.variable();
        debug_assert_eq!(constant, TRUE);
        sat.add(&[TRUE]);
        Cnf { literals: vec![-TRUE], done: vec![3], ..Cnf::default() }
    }

    /// Says that a variable of the graph is a given literal. Must come before the variable is used otherwise.
    pub fn set(&mut self, variable: Lit, literal: i32) {
        self.grow(variable.node() as usize + 1);
        self.literals[variable.node() as usize] = if variable.negated() { -literal } else { literal };
        self.done[variable.node() as usize] = 3;
    }

    /// The literal of a node that has one. For variables of the graph: whose values a model gives.
    #[inline]
    pub fn known(&self, lit: Lit) -> Option<i32> {
        let literal = *self.literals.get(lit.node() as usize)?;
        (literal != 0).then_some(if lit.negated() { -literal } else { literal })
    }

    /// A literal that can only be true where the function is.
    pub fn require<'s>(&mut self, sat: &mut impl Sat<'s>, graph: &Graph, lit: Lit) -> i32 {
        self.grow(graph.nodes().len());
        for node in &graph.nodes()[self.uses.len()..] {
            self.uses.push(0);
            if let Node::And(a, b) = node {
                for part in [a, b] {
                    let uses = &mut self.uses[part.node() as usize];
                    *uses = uses.saturating_add(1);
                }
            }
        }
        self.stack.push((lit, false));
        while let Some((lit, ready)) = self.stack.pop() {
            let node = lit.node() as usize;
            let direction = if lit.negated() { 2 } else { 1 };
            if self.done[node] & direction != 0 {
                continue;
            }
            let gate = match graph.node(lit.node()) {
                Node::And(a, b) => Gate::of(graph, a, b),
                _ => {
                    if self.literals[node] == 0 {
                        self.literals[node] = sat.variable();
                    }
                    self.done[node] = 3;
                    continue;
                }
            };
            if let Gate::And(a, b) = gate {
                self.collect(graph, a, b);
            }
            if ready {
                match gate {
                    Gate::And(..) => self.write_and(sat, node, !lit.negated()),
                    Gate::NotChoose(condition, yes, no) => {
                        self.write_choose(sat, node, [condition, yes, no], !lit.negated());
                    }
                }
                self.done[node] |= direction;
                continue;
            }
            self.stack.push((lit, true));
            let flip = lit.negated();
            match gate {
                Gate::And(..) => {
                    self.stack.extend(self.parts.iter().map(|part| (part.negate_if(flip), false)))
                }
                Gate::NotChoose(condition, yes, no) => {
                    let parts = [condition, !condition, (!yes).negate_if(flip), (!no).negate_if(flip)];
                    self.stack.extend(parts.map(|part| (part, false)));
                }
            }
        }
        self.literal(lit)
    }

    /// A literal that is true exactly where the function is.
    pub fn define<'s>(&mut self, sat: &mut impl Sat<'s>, graph: &Graph, lit: Lit) -> i32 {
        self.require(sat, graph, !lit);
        self.require(sat, graph, lit)
    }

    fn grow(&mut self, nodes: usize) {
        if self.literals.len() < nodes {
            self.literals.resize(nodes, 0);
            self.done.resize(nodes, 0);
        }
    }

    #[inline]
    fn literal(&self, lit: Lit) -> i32 {
        let literal = self.literals[lit.node() as usize];
        if lit.negated() { -literal } else { literal }
    }

    /// Puts the parts of a conjunction into `parts`. Parts that are conjunctions themselves and serve nothing else are
    /// opened, so that they need no variable.
    fn collect(&mut self, graph: &Graph, a: Lit, b: Lit) {
        self.parts.clear();
        self.parts.extend([a, b]);
        let mut i = 0;
        while i < self.parts.len() {
            let part = self.parts[i];
            if let Node::And(x, y) = graph.node(part.node())
                && !part.negated()
                && self.uses[part.node() as usize] == 1
                && self.parts.len() < MOST_PARTS
                && matches!(Gate::of(graph, x, y), Gate::And(..))
            {
                self.parts[i] = x;
                self.parts.push(y);
            } else {
                i += 1;
            }
        }
    }

    /// Clauses of the conjunction of `parts`, which have literals: in the direction "gate implies" or "gate is implied".
    fn write_and<'s>(&mut self, sat: &mut impl Sat<'s>, node: usize, positive: bool) {
        self.clause.clear();
        for i in 0..self.parts.len() {
            let literal = self.literal(self.parts[i]);
            self.clause.push(-literal);
        }
        // Variables that were set to constants make gates simple that are not simple in the graph.
        if self.literals[node] == 0 {
            self.clause.sort_unstable_by_key(|literal| (literal.abs(), *literal));
            self.clause.dedup();
            self.clause.retain(|&literal| literal != -TRUE);
            let contradiction = self.clause.windows(2).any(|pair| pair[0] == -pair[1]);
            self.literals[node] = match self.clause[..] {
                _ if contradiction || self.clause.contains(&TRUE) => -TRUE,
                [] => TRUE,
                [one] => -one,
                _ => sat.gate(),
            };
        }
        let gate = self.literals[node];
        if gate == TRUE || gate == -TRUE || self.clause == [-gate] {
            return;
        }
        if positive {
            for &not_part in &self.clause {
                sat.add(&[-gate, -not_part]);
            }
        } else {
            self.clause.push(gate);
            sat.add(&self.clause);
        }
    }

    /// Clauses of the negation of a choice whose parts have literals.
    fn write_choose<'s>(&mut self, sat: &mut impl Sat<'s>, node: usize, parts: [Lit; 3], positive: bool) {
        let [condition, yes, no] = parts.map(|part| self.literal(part));
        let simple = match condition {
            TRUE => Some(-yes),
            c if c == -TRUE => Some(-no),
            _ => (yes == no).then_some(-yes),
        };
        if let Some(simple) = simple {
            self.literals[node] = simple;
            return;
        }
        if self.literals[node] == 0 {
            self.literals[node] = sat.gate();
        }
        let gate = self.literals[node];
        if positive {
            sat.add(&[-gate, -condition, -yes]);
            sat.add(&[-gate, condition, -no]);
            // Follows from the two, but is found by propagation even before the condition is known.
            sat.add(&[-gate, -yes, -no]);
        } else {
            sat.add(&[gate, -condition, yes]);
            sat.add(&[gate, condition, no]);
            sat.add(&[gate, yes, no]);
        }
    }
}
