//! Clauses of quantified invariants: combinations of facts about globals and up to two agents that never occur.

use swarmcheck_ir::flat::Layout;
use swarmcheck_ir::{BinaryOp, Expr, KindId, Place, Program, Quantifier, UNDEF, Value, VarId};
use swarmcheck_source::Span;

/// A cell of a global variable, or of the first or second agent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Cell {
    /// The variable.
    pub var: VarId,
    /// Which cell of an array.
    pub index: u32,
    /// The agent: 0 or 1; none for a global variable.
    pub agent: Option<u8>,
}

/// Something that is true or false of a state and up to two agents.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Fact {
    /// A cell has this value, perhaps ⊥.
    Is(Cell, Value),
    /// Two cells have the same value, which is not ⊥.
    Same(Cell, Cell),
    /// The value of the first is smaller: timestamps are older.
    Less(Cell, Cell),
    /// A global identity is this agent.
    Names(Cell, u8),
    /// The first agent has the smaller number.
    Earlier,
    /// Some agent of this kind has this value in a cell.
    Some(KindId, Cell, Value),
}

/// A fact or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Literal {
    /// What it is about.
    pub fact: Fact,
    /// Not negated.
    pub holds: bool,
}

/// For all (different) agents of these kinds, not all literals hold.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Clause {
    /// The kinds of up to two agents.
    pub kinds: Vec<KindId>,
    /// What never occurs together.
    pub never: Vec<Literal>,
}

/// The number of the agent that an existential fact binds; 0 and 1 are those of the clause.
const SOMEBODY: u8 = 2;

impl Cell {
    /// The same cell of another agent.
    fn of(self, agent: u8) -> Cell {
        Cell { agent: Some(agent), ..self }
    }
}

impl Fact {
    /// The agents that it is about, as a set of bits.
    pub fn agents(self) -> u8 {
        let of = |cell: Cell| cell.agent.map_or(0, |agent| 1 << agent);
        match self {
            Fact::Is(cell, _) => of(cell),
            Fact::Same(a, b) | Fact::Less(a, b) => of(a) | of(b),
            Fact::Names(_, agent) => 1 << agent,
            Fact::Earlier => 3,
            Fact::Some(..) => 0,
        }
    }

    /// Whether it holds in a state, of these agents.
    pub fn test(self, program: &Program, layout: &Layout, state: &[Value], agents: &[u32]) -> bool {
        let read = |cell: Cell| {
            let agent = cell.agent.map(|agent| agents[agent as usize]);
            layout.first(cell.var, agent).map_or(UNDEF, |slot| state[(slot + cell.index) as usize])
        };
        match self {
            Fact::Is(cell, value) => read(cell) == value,
            Fact::Same(a, b) => read(a) == read(b) && read(a) != UNDEF,
            Fact::Less(a, b) => read(a) < read(b),
            Fact::Names(cell, agent) => read(cell) == Value::from(agents[agent as usize]),
            Fact::Earlier => agents[0] < agents[1],
            Fact::Some(kind, cell, value) => {
                let kind = program.kind(kind);
                let has = |agent| Fact::Is(cell.of(0), value).test(program, layout, state, &[agent]);
                (kind.first..kind.first + kind.count).any(has)
            }
        }
    }

    /// As a condition, in which the agents are bound.
    fn expr(self, program: &Program) -> Expr {
        let read = |cell: Cell| read(program, cell, |agent| Expr::Bound(agent.into()));
        let compare = |op, a, b| Expr::Binary(op, Box::new(a), Box::new(b), Span::default());
        match self {
            Fact::Is(cell, UNDEF) => Expr::not(Expr::Defined(Box::new(read(cell)))),
            Fact::Is(cell, value) => compare(BinaryOp::Eq, read(cell), Expr::Const(value)),
            Fact::Same(a, b) => compare(BinaryOp::Eq, read(a), read(b)),
            Fact::Less(a, b) => compare(BinaryOp::Lt, read(a), read(b)),
            Fact::Names(cell, agent) => compare(BinaryOp::Eq, read(cell), Expr::Bound(agent.into())),
            Fact::Earlier => compare(BinaryOp::Lt, Expr::Bound(0), Expr::Bound(1)),
            Fact::Some(kind, cell, value) => {
                let body = Fact::Is(cell.of(SOMEBODY), value).expr(program);
                Expr::Quantified(Quantifier::Exists, vec![kind], SOMEBODY.into(), Box::new(body))
            }
        }
    }
}

/// Reads a cell; `agent` gives the agent with a number.
pub fn read(program: &Program, cell: Cell, agent: impl Fn(u8) -> Expr) -> Expr {
    let sizes = &program.var(cell.var).dimensions;
    let index = swarmcheck_ir::cells::indices(sizes, cell.index);
    Expr::Read(Place {
        var: cell.var,
        agent: cell.agent.map(|a| Box::new(agent(a))),
        index: index.into_iter().map(|i| Expr::Const(i.into())).collect(),
        span: Span::default(),
    })
}

impl Clause {
    /// Whether it holds in a state.
    pub fn test(&self, program: &Program, layout: &Layout, state: &[Value]) -> bool {
        let occurs = |agents: &[u32]| {
            self.never.iter().all(|l| l.fact.test(program, layout, state, agents) == l.holds)
        };
        let agents = |kind: &KindId| {
            let kind = program.kind(*kind);
            kind.first..kind.first + kind.count
        };
        match &self.kinds[..] {
            [] => !occurs(&[]),
            [one] => agents(one).all(|a| !occurs(&[a])),
            [one, other, ..] => agents(one).all(|a| agents(other).all(|b| a == b || !occurs(&[a, b]))),
        }
    }

    /// As a condition.
    pub fn expr(&self, program: &Program) -> Expr {
        quantified(&self.kinds, self.body(program))
    }

    /// That it is not violated by these two agents, or one, or none.
    fn body(&self, program: &Program) -> Expr {
        let violated = self.never.iter().map(|l| {
            let fact = l.fact.expr(program);
            if l.holds { Expr::not(fact) } else { fact }
        });
        Expr::or(violated)
    }
}

/// The conjunction of clauses, with one quantifier for all clauses about the same kinds.
pub fn conjunction(program: &Program, clauses: &[Clause]) -> Expr {
    let mut groups: Vec<(&[KindId], Vec<Expr>)> = vec![];
    for clause in clauses {
        let body = clause.body(program);
        match groups.iter_mut().find(|(kinds, _)| *kinds == clause.kinds) {
            Some((_, bodies)) => bodies.push(body),
            None => groups.push((&clause.kinds, vec![body])),
        }
    }
    Expr::and(groups.into_iter().map(|(kinds, bodies)| quantified(kinds, Expr::and(bodies))))
}

fn quantified(kinds: &[KindId], body: Expr) -> Expr {
    let all =
        |kind: KindId, bound, body| Expr::Quantified(Quantifier::Forall, vec![kind], bound, Box::new(body));
    match kinds {
        [] => body,
        [one] => all(*one, 0, body),
        [one, other, ..] => {
            let same = || {
                let (a, b) = (Box::new(Expr::Bound(0)), Box::new(Expr::Bound(1)));
                Expr::Binary(BinaryOp::Eq, a, b, Span::default())
            };
            let body = if one == other { Expr::or([same(), body]) } else { body };
            all(*one, 0, all(*other, 1, body))
        }
    }
}
