//! The parametric emulation program.

use crate::expr::Expr;
use crate::property::Property;
use crate::stmt::{self, Stmt};
use swarmcheck_source::Span;

/// Index into [`Program::kinds`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct KindId(pub u32);
/// Index into [`Program::vars`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(pub u32);
/// Index into the locals of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LocalId(pub u32);

/// An emulation program.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// Kinds of agents; the agents of one kind have consecutive numbers.
    pub kinds: Vec<AgentKind>,
    pub vars: Vec<Var>,
    /// Locals of the initial block.
    pub init_locals: Vec<Local>,
    /// Run once, from a state in which every cell is 0. Its choices give the initial states.
    pub init: Vec<Stmt>,
    /// The steps: each function, run by each agent of its owners, is one kind of step.
    pub functions: Vec<Function>,
    pub properties: Vec<Property>,
}

/// A kind of agents.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentKind {
    pub name: String,
    /// The number of its first agent.
    pub first: u32,
    /// The number of agents.
    pub count: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Var {
    /// Its name; unique in the program.
    pub name: String,
    /// `None`: global. Otherwise one copy for each agent of these kinds.
    pub owners: Option<Vec<KindId>>,
    /// Array sizes; empty for a scalar.
    pub dimensions: Vec<u32>,
    /// The values it can take, bounds included, if known.
    pub domain: Option<(i64, i64)>,
    /// Whether it can be ⊥.
    pub may_be_undef: bool,
    pub role: Role,
}

impl Var {
    /// Cells per copy.
    pub fn cells(&self) -> usize {
        self.dimensions.iter().map(|&d| d as usize).product()
    }
}

/// What a variable is for: engines treat all alike, traces show some and not others.
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    /// Data of the user's model. `arrow` is how the language writes an assignment to it.
    Data {
        /// For instance `<-`.
        arrow: &'static str,
        /// The order variable that says how recent the value is, if it is timestamped.
        order: Option<VarId>,
    },
    /// The location of an agent in its process.
    Location,
    /// An order among the agents that have it, as dense ranks.
    Order,
    /// A message that waits to be sent: 0 or 1.
    Pending,
    Turn,
    /// What the step just made was, for formulas that speak of steps. No guard reads it, and no trace shows it.
    Step,
}

/// A local of a function: not part of the state.
#[derive(Clone, Debug, PartialEq)]
pub struct Local {
    /// The name that is shown to users.
    pub name: String,
    /// Array length, or `None` for a scalar.
    pub length: Option<u32>,
}

/// One emulation function: one triple of a process, or one rule of the system.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its name, unique among the functions.
    pub name: String,
    /// Where it comes from.
    pub rule: Rule,
    /// The kinds of agents that may run it.
    pub owners: Vec<KindId>,
    /// The entry condition of the triple: these location variables have these values.
    pub entry: Vec<(VarId, i64)>,
    /// The rest of the guard.
    pub guard: Expr,
    /// Locals of the body.
    pub locals: Vec<Local>,
    pub body: Vec<Stmt>,
    /// The place in the user's file.
    pub span: Span,
}

/// The rule that a function emulates.
#[derive(Clone, Debug, PartialEq)]
pub enum Rule {
    /// An action of an agent. `words` is its text in one line; the number tells occurrences of the same text apart.
    Action {
        /// The action's text.
        words: String,
        /// The occurrence in the specification.
        site: u32,
    },
    /// A rule of the system, for instance `propagate 'leader'`.
    System {
        /// What the rule does.
        verb: &'static str,
        object: String,
        /// The number of the object in the specification.
        site: u32,
    },
}

impl Program {
    /// The number of agents.
    pub fn agents(&self) -> u32 {
        self.kinds.iter().map(|k| k.count).sum()
    }

    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id.0 as usize]
    }

    pub fn kind(&self, id: KindId) -> &AgentKind {
        &self.kinds[id.0 as usize]
    }

    pub fn kind_of(&self, agent: u32) -> KindId {
        let at = self.kinds.iter().position(|k| agent >= k.first && agent - k.first < k.count);
        KindId(at.expect("an agent of the program") as u32)
    }

    /// `Node 3`, as traces call an agent.
    pub fn agent_name(&self, agent: u32) -> String {
        format!("{} {agent}", self.kind(self.kind_of(agent)).name)
    }

    /// One more than the largest index of a bound agent anywhere in the program.
    pub fn binders(&self) -> u32 {
        let mut top = 0;
        let mut note = |e: &Expr| {
            e.walk(&mut |e| {
                if let Expr::Quantified(_, _, bound, _) = e {
                    top = top.max(bound + 1);
                }
            });
        };
        for property in &self.properties {
            property.exprs().into_iter().for_each(&mut note);
        }
        for function in &self.functions {
            note(&function.guard);
        }
        let mut loops = 0;
        for block in self.functions.iter().map(|f| &f.body).chain([&self.init]) {
            stmt::walk(block, &mut |s| {
                s.exprs().into_iter().for_each(&mut note);
                if let Stmt::ForEach(_, bound, _) | Stmt::Pick { bound, .. } = s {
                    loops = loops.max(bound + 1);
                }
            });
        }
        top.max(loops)
    }
}
