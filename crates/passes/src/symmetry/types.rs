//! Type inference by unification: which variables hold numbers of agents.

/// A type to be found out: an index into [`Types`].
pub(super) type Node = u32;

pub(super) const PLAIN: Node = 0;
/// The number of an agent, or something that no permutation changes: ⊥, or a number that no agent who is moved has.
pub(super) const ID: Node = 1;

/// The type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    /// The value is never changed by a permutation: it can be taken for either.
    Any,
    Is(Node),
}

/// Types that are to be the same are joined. Joining the two that differ is a conflict.
pub(super) struct Types {
    parent: Vec<Node>,
    /// Nothing has gone wrong so far.
    pub fits: bool,
}

impl Types {
    pub fn new() -> Types {
        Types { parent: vec![PLAIN, ID], fits: true }
    }

    pub fn fresh(&mut self) -> Node {
        self.parent.push(self.parent.len() as Node);
        self.parent.len() as Node - 1
    }

    pub fn root(&self, mut node: Node) -> Node {
        while self.parent[node as usize] != node {
            node = self.parent[node as usize];
        }
        node
    }

    pub fn is_id(&self, node: Node) -> bool {
        self.root(node) == ID
    }

    /// Both must be the same; the type they have in common.
    pub fn join(&mut self, a: Type, b: Type) -> Type {
        let (Type::Is(x), Type::Is(y)) = (a, b) else {
            return if a == Type::Any { b } else { a };
        };
        let (x, y) = (self.root(x), self.root(y));
        // The two that are known stay roots.
        let (from, to) = if x > y { (x, y) } else { (y, x) };
        self.fits &= from == to || from > ID;
        self.parent[from as usize] = to;
        Type::Is(to)
    }

    pub fn need(&mut self, t: Type, node: Node) {
        self.join(t, Type::Is(node));
    }
}
