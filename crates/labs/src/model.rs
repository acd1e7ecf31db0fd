//! The checked model: names resolved, parameters replaced by their values, every construct known to make sense.
//!
//! This is the contract between the front end and everything behind it: lowering to an emulation program and the
//! reference interpreter both start here. Ids are indices into the vectors of [`Model`].

use crate::syntax::ast::{AssignOp, BinaryOp};
use std::collections::BTreeMap;
use swarmcheck_ir::Linear;
use swarmcheck_ir::written::Written;
use swarmcheck_source::Span;

/// Index into [`Model::variables`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(pub u32);
/// Index into [`Model::tuples`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TupleId(pub u32);
/// Index into [`Model::stigmergies`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StigmergyId(pub u32);
/// Index into [`Model::kinds`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct KindId(pub u32);
/// Index into [`Model::processes`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ProcessId(pub u32);
/// Index into [`Model::actions`]: one occurrence of an action in the text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ActionId(pub u32);
/// A variable local to one action (block). Numbered from 0 within the action.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LocalId(pub u32);
/// An agent bound by a quantifier. Distinct for nested quantifiers, starting from 0 at the outermost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BinderId(pub u32);

/// A whole system.
#[derive(Clone, Debug)]
pub struct Model {
    /// Values given to the external parameters, in the order of declaration.
    pub parameters: Vec<(String, i64)>,
    /// Environment variables with their initialisers.
    pub environment: Vec<(VarId, Init)>,
    /// Kinds that have agents or could have, in the order of `spawn`. Agent ids follow this order.
    pub kinds: Vec<AgentKind>,
    /// All state variables: environment, attributes, stigmergic. Names are unique here: two kinds that declare the
    /// attribute `x` share one entry.
    pub variables: Vec<Variable>,
    pub stigmergies: Vec<Stigmergy>,
    /// Stigmergic tuples of all stigmergies.
    pub tuples: Vec<Tuple>,
    /// Process definitions, global and of all kinds.
    pub processes: Vec<ProcessDef>,
    /// Occurrences of actions.
    pub actions: Vec<Action>,
    /// What every initial state satisfies.
    pub assumptions: Vec<Assumption>,
    pub properties: Vec<Property>,
    /// How the system is drawn, if the model says so. It has no meaning for behaviour.
    pub view: Option<View>,
    /// How fast things happen, where the model says so. It has no meaning for what can happen.
    pub rates: Rates,
}

/// The rates that a model gives.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rates {
    /// Of the actions of each kind.
    pub kinds: Vec<Option<Rate>>,
    /// Of the messages of each stigmergy.
    pub stigmergies: Vec<Option<Rate>>,
    /// Of single actions, whatever kind runs them.
    pub actions: BTreeMap<ActionId, Rate>,
}

/// A positive rational number in lowest terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rate {
    pub numerator: u32,
    pub denominator: u32,
}

/// A space, and who is where in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// Places are below it.
    pub width: u32,
    /// 1 for a line.
    pub height: u32,
    /// Who leaves at one side comes in at the other.
    pub torus: bool,
    pub shows: Vec<Show>,
    /// Arrays of the environment with a cell for each place.
    pub floors: Vec<VarId>,
}

/// How agents of a kind are shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Show {
    pub kind: KindId,
    pub x: VarId,
    /// None on a line.
    pub y: Option<VarId>,
    pub dx: Option<VarId>,
    pub dy: Option<VarId>,
    pub colour: Option<VarId>,
    pub label: Option<Label>,
    pub size: Option<VarId>,
}

/// What is written beside an agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Label {
    /// Its number.
    Id,
    Variable(VarId),
}

/// One kind of agent.
#[derive(Clone, Debug)]
pub struct AgentKind {
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// The id of its first agent.
    pub first: u32,
    /// How many there are; may be 0.
    pub count: u32,
    /// Attributes with the initialisers of this kind.
    pub attributes: Vec<(VarId, Init)>,
    /// The stigmergies it takes part in, sorted.
    pub stigmergies: Vec<StigmergyId>,
    /// Its `Behavior`.
    pub behavior: ProcessId,
}

/// One state variable.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    /// Where it is first declared.
    pub span: Span,
    /// Which store it lives in.
    pub class: Class,
    /// Array sizes; empty for a scalar. Row-major.
    pub dimensions: Vec<u32>,
}

impl Variable {
    /// The number of cells.
    pub fn cells(&self) -> usize {
        self.dimensions.iter().map(|&d| d as usize).product()
    }
}

/// Which store a variable lives in: K_E, K_I or K_L of the thesis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// One copy, shared by all agents.
    Environment,
    /// One copy per agent of the kinds that declare it.
    Attribute,
    /// One timestamped copy per agent that takes part in the tuple's stigmergy.
    Stigmergic(TupleId),
}

/// A virtual stigmergy.
#[derive(Clone, Debug)]
pub struct Stigmergy {
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// The link predicate; owners are `Sender` and `Receiver`.
    pub link: Cond,
    pub tuples: Vec<TupleId>,
}

/// Variables that are always sent together (thesis 3.2.4). The cells of an array belong together too.
#[derive(Clone, Debug)]
pub struct Tuple {
    pub stigmergy: StigmergyId,
    /// Its variables with their initialisers.
    pub variables: Vec<(VarId, Init)>,
}

/// The possible initial values of a variable, of each cell independently for an array. Expressions read no variables,
/// only numbers and `Id`.
#[derive(Clone, Debug)]
pub enum Init {
    /// ⊥.
    Undef,
    /// Any of these; one means deterministic.
    OneOf(Vec<Expr>),
    /// Any of `lo..hi`, `hi` excluded.
    Range(Expr, Expr),
}

/// A named process.
#[derive(Clone, Debug)]
pub struct ProcessDef {
    pub name: String,
    /// Where it is defined.
    pub span: Span,
    /// The kind it belongs to; `None` if global.
    pub kind: Option<KindId>,
    /// What it stands for.
    pub body: Process,
}

/// A process term.
#[derive(Clone, Debug)]
pub struct Process {
    pub node: ProcessNode,
    pub span: Span,
}

/// Process terms. The checker guarantees: no unguarded recursion, no recursion through parallel composition, and
/// a call on a cycle is in tail position or its callee never ends.
#[derive(Clone, Debug)]
pub enum ProcessNode {
    /// Never does anything.
    Nil,
    /// One step.
    Action(ActionId),
    /// One after the other; at least two.
    Seq(Vec<Process>),
    /// One of them; at least two.
    Choice(Vec<Process>),
    /// All of them, interleaved; at least two.
    Par(Vec<Process>),
    /// `g -> P`.
    Guard(Cond, Box<Process>),
    /// `g => P`, and the step that passes it when `g` is not satisfied.
    Conditional(Cond, ActionId, Box<Process>),
    /// A process constant.
    Call(ProcessId),
}

/// An action: what one agent does in one step.
#[derive(Clone, Debug)]
pub struct Action {
    /// Its text; of a step that passes `g => P`, the text of `g`.
    pub span: Span,
    /// It passes a conditional process.
    pub pass: bool,
    /// Its assignments in order; empty for `Skip` and for a pass, one unless it is a block.
    pub assignments: Vec<Assignment>,
    /// Its local variables.
    pub locals: Vec<Local>,
}

impl Action {
    /// How it is shown: its text in one line, or which condition it passes.
    pub fn words(&self, source: &str) -> String {
        let text = source.get(self.span.range()).unwrap_or("");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if self.pass { format!("pass {text} =>") } else { text }
    }
}

/// A variable that lives until the end of its block.
#[derive(Clone, Debug)]
pub struct Local {
    pub name: String,
    /// `Some(k)` for the array filled by `pick k`; `None` for a scalar.
    pub length: Option<u32>,
}

/// A (perhaps compound) assignment. All values see the state before it.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// Which store it writes; all targets agree with it.
    pub op: AssignOp,
    /// Left-hand sides; as many as values.
    pub targets: Vec<Target>,
    /// Right-hand sides.
    pub values: Vec<Value>,
    pub span: Span,
}

/// A left-hand side.
#[derive(Clone, Debug)]
pub enum Target {
    /// A cell of a state variable; one index per dimension.
    Variable(VarId, Vec<Expr>, Span),
    /// A scalar local.
    Local(LocalId),
    /// A local array; its value is a `Pick`.
    Array(LocalId),
}

/// A right-hand side.
#[derive(Clone, Debug)]
pub enum Value {
    /// An arithmetic expression. May contain `Range`.
    Expr(Expr),
    /// `k` distinct agents other than the acting one, in any order.
    Pick {
        count: u32,
        /// Of which kind; any kind if `None`.
        kind: Option<KindId>,
        /// Condition with the acting agent as `Sender` and the picked one as `Receiver`.
        condition: Option<Cond>,
    },
}

/// An arithmetic expression.
#[derive(Clone, Debug)]
pub struct Expr {
    pub node: ExprNode,
    pub span: Span,
}

/// Arithmetic expressions.
#[derive(Clone, Debug)]
pub enum ExprNode {
    Number(i64),
    /// The id of the acting agent (in an initialiser: of the agent being initialised).
    Id,
    /// The id of the sender or the receiver, in a link predicate.
    IdOf(Side),
    /// The id of an agent bound by a quantifier.
    Agent(BinderId),
    /// A cell of a state variable; one index per dimension.
    Var(VarId, Box<Owner>, Vec<Expr>),
    /// A scalar local.
    Local(LocalId),
    /// A cell of a local array.
    LocalCell(LocalId, Box<Expr>),
    /// `-e`.
    Neg(Box<Expr>),
    /// `abs(e)`.
    Abs(Box<Expr>),
    /// An arithmetic operator: `Add` to `Max`.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `if c then a else b`; ⊥ if neither `c` nor its negation is satisfied.
    If(Box<Cond>, Box<Expr>, Box<Expr>),
    /// How many agents of a kind satisfy the condition.
    Count(KindId, BinderId, Box<Cond>),
    /// 1 if the condition is satisfied, 0 if its negation is, ⊥ otherwise.
    Truth(Box<Cond>),
    /// A number from `lo..hi`, `hi` excluded, chosen when the action is taken. Never in conditions.
    Range(Box<Expr>, Box<Expr>),
}

/// Whose copy of a variable.
#[derive(Clone, Debug)]
pub enum Owner {
    /// An environment variable, which no agent owns.
    Environment,
    /// The acting agent's.
    Me,
    /// One of the two agents of a link predicate.
    Side(Side),
    /// The agent with this id.
    Agent(Expr),
}

/// The two agents of a link predicate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// `of 1`.
    Sender,
    /// `of 2`.
    Receiver,
}

/// A condition: a guard, a link predicate or a state predicate.
#[derive(Clone, Debug)]
pub struct Cond {
    pub node: CondNode,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum CondNode {
    /// `true` or `false`.
    Bool(bool),
    /// `e`, meaning `e != 0`.
    NonZero(Expr),
    /// A comparison: `Eq` to `Ge`.
    Compare(BinaryOp, Expr, Expr),
    /// Negation.
    Not(Box<Cond>),
    /// Conjunction.
    And(Vec<Cond>),
    /// Disjunction.
    Or(Vec<Cond>),
    /// All agents of a kind.
    Forall(KindId, BinderId, Box<Cond>),
    /// Some agent of a kind.
    Exists(KindId, BinderId, Box<Cond>),
}

/// What every initial state satisfies.
#[derive(Clone, Debug)]
pub struct Assumption {
    pub name: String,
    pub predicate: Cond,
}

/// A property to check.
#[derive(Clone, Debug)]
pub struct Property {
    pub name: String,
    /// When the predicate must hold.
    pub modality: Modality,
    /// The state predicate.
    pub predicate: Cond,
    /// Its place, without the name.
    pub span: Span,
    /// A formula of linear time as it is written, with the place of every part.
    pub written: Option<Written<Atom>>,
}

/// When a predicate must hold; the same cases as in the syntax tree, resolved. There are few of these, so the size
/// of the largest case does not matter.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug)]
pub enum Modality {
    /// In every reachable state.
    Always,
    /// At some point of every maximal execution.
    Eventually,
    /// Like `Eventually`, except with a step bound: then in the last state.
    Finally,
    /// From every state reached without it, it can be reached.
    Fairly,
    /// From every reachable state, it can be reached.
    FairlyInf,
    /// After exactly this many steps.
    After(u32),
    /// Only between two events.
    Scoped {
        /// `from … until`: the scope also counts when it never closes.
        open: bool,
        start: Cond,
        end: Cond,
        /// The requirement inside the scope.
        inside: Inside,
    },
    /// Every execution satisfies the formula; the predicate is `true`. Quantifiers around temporal operators are written
    /// out for all agents.
    Linear(Linear<Atom>),
}

/// What a formula of linear time says of one state. An execution that stops rests in its last state, and no step leaves it.
#[derive(Clone, Debug)]
pub enum Atom {
    /// The predicate is satisfied. Where it is undefined, it is not.
    State(Cond),
    /// The step that leaves the state is an action of this agent.
    Acts(u32),
    /// Some action of this agent is possible.
    CanAct(u32),
    /// The step that leaves the state delivers a pending message of this agent.
    Sends(u32),
    /// Some pending message of this agent can be delivered.
    CanSend(u32),
    /// The step that leaves the state delivers a message.
    Delivered,
}

/// The requirement inside a scope.
#[derive(Clone, Debug)]
pub enum Inside {
    /// The predicate holds throughout.
    Always,
    /// The predicate holds at some point.
    ThereIs,
    /// This predicate holds before the property's predicate first does.
    Precedes(Cond),
}

impl Model {
    pub fn variable(&self, id: VarId) -> &Variable {
        &self.variables[id.0 as usize]
    }

    pub fn tuple(&self, id: TupleId) -> &Tuple {
        &self.tuples[id.0 as usize]
    }

    pub fn stigmergy(&self, id: StigmergyId) -> &Stigmergy {
        &self.stigmergies[id.0 as usize]
    }

    pub fn kind(&self, id: KindId) -> &AgentKind {
        &self.kinds[id.0 as usize]
    }

    pub fn process(&self, id: ProcessId) -> &ProcessDef {
        &self.processes[id.0 as usize]
    }

    pub fn action(&self, id: ActionId) -> &Action {
        &self.actions[id.0 as usize]
    }

    /// The number of agents.
    pub fn agents(&self) -> u32 {
        self.kinds.iter().map(|k| k.count).sum()
    }

    pub fn kind_of(&self, agent: u32) -> KindId {
        let at = self.kinds.iter().position(|k| agent >= k.first && agent - k.first < k.count);
        KindId(at.expect("an agent id below the number of agents") as u32)
    }

    /// Whether agents of a kind have a copy of a variable. No agent has a copy of an environment variable.
    pub fn has_variable(&self, kind: KindId, var: VarId) -> bool {
        let kind = self.kind(kind);
        match self.variable(var).class {
            Class::Environment => false,
            Class::Attribute => kind.attributes.iter().any(|(v, _)| *v == var),
            Class::Stigmergic(tuple) => kind.stigmergies.contains(&self.tuple(tuple).stigmergy),
        }
    }

    /// The name of a tuple: that of its first variable, as the papers' traces print it.
    pub fn tuple_name(&self, tuple: TupleId) -> &str {
        &self.variable(self.tuple(tuple).variables[0].0).name
    }
}
