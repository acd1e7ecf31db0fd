//! The syntax tree of a LAbS file: what was written, before anything is known about it.
//!
//! Parsing never fails: where the text makes no sense the tree holds an `Error` node and a diagnostic says why.
//! Later phases skip such nodes silently.

use swarmcheck_ir::linear::words::{BinaryOperator, UnaryOperator};
use swarmcheck_source::Span;

/// A word with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The word. Parameters are stored without their underscore.
    pub text: String,
    pub span: Span,
}

/// A whole file: sections in the order they were written.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// `system { … }`, at most one in a correct file.
    pub systems: Vec<System>,
    /// `stigmergy S { … }`.
    pub stigmergies: Vec<Stigmergy>,
    /// `agent A { … }`.
    pub agents: Vec<Agent>,
    /// The contents of all `assume { … }` sections.
    pub assumptions: Vec<Assumption>,
    /// The contents of all `check { … }` sections.
    pub properties: Vec<Property>,
    /// `view { … }`, at most one in a correct file.
    pub views: Vec<View>,
}

/// How the system is drawn.
#[derive(Clone, Debug)]
pub struct View {
    /// The keyword `view`.
    pub span: Span,
    /// `space = …`, at most one in a correct file.
    pub spaces: Vec<Space>,
    /// `show Kind at …`.
    pub shows: Vec<Show>,
    /// The variables after `floor =`.
    pub floors: Vec<Name>,
}

/// `space = width, height torus`.
#[derive(Clone, Debug)]
pub struct Space {
    /// Constant expressions: two, or one for a line.
    pub sizes: Vec<Expr>,
    /// Who leaves at one side comes in at the other.
    pub torus: bool,
    pub span: Span,
}

/// `show Kind at x, y heading dx, dy colour c label l size s`.
#[derive(Clone, Debug)]
pub struct Show {
    pub kind: Name,
    /// The variables that are the place.
    pub at: Vec<Name>,
    /// The variables that are the heading, if there is one.
    pub heading: Vec<Name>,
    /// At most one in a correct file; so are those below.
    pub colour: Vec<Name>,
    /// A variable or `id`.
    pub label: Vec<Name>,
    pub size: Vec<Name>,
    pub span: Span,
}

/// An external parameter.
#[derive(Clone, Debug)]
pub struct Extern {
    /// Its name, without the underscore.
    pub name: Name,
    /// Its value if the command line gives none; ours, not SLiVER's.
    pub default: Option<i64>,
}

/// The global section (thesis, table 3.15b).
#[derive(Clone, Debug)]
pub struct System {
    /// The keyword `system`.
    pub span: Span,
    /// External parameters.
    pub externs: Vec<Extern>,
    /// Environment variables.
    pub environment: Vec<Declaration>,
    /// How many agents of each kind; `None` when the section is missing.
    pub spawn: Option<Vec<Spawn>>,
    /// Global process definitions.
    pub processes: Vec<ProcessDef>,
}

/// `Kind: count`.
#[derive(Clone, Debug)]
pub struct Spawn {
    pub kind: Name,
    /// A constant expression.
    pub count: Expr,
}

/// `name[dims]: init`.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The variable.
    pub name: Name,
    /// Array sizes, one constant expression per dimension; empty for a scalar.
    pub dimensions: Vec<Expr>,
    pub init: Init,
}

/// An initialiser (thesis, table 3.14b).
#[derive(Clone, Debug)]
pub enum Init {
    /// `undef`.
    Undef(Span),
    Value(Expr),
    /// `{a, b}` or `[a, b]`: any of these.
    Set(Vec<Expr>, Span),
    /// `a..b` or `[a..b]`: any of these, the upper bound excluded.
    Range(Expr, Expr),
}

/// `stigmergy S { link = …; tuples }` (thesis, table 3.15c).
#[derive(Clone, Debug)]
pub struct Stigmergy {
    pub name: Name,
    /// The link predicate; `None` when missing.
    pub link: Option<Expr>,
    pub tuples: Vec<TupleDecl>,
    /// `rate = …`: of each of its messages.
    pub rate: Option<Rate>,
    /// The whole section, from its keyword to the closing brace.
    pub extent: Span,
}

/// How often something happens on average in a unit of time. It is ours, not SLiVER's.
#[derive(Clone, Debug)]
pub struct Rate {
    pub value: RateValue,
    pub span: Span,
}

/// What a rate is written as.
#[derive(Clone, Debug)]
pub enum RateValue {
    /// `2.5`, as text: digits, a point, digits.
    Decimal(String),
    /// A constant expression, in which `/` divides exactly.
    Expr(Expr),
}

/// `x, y: init, init`.
#[derive(Clone, Debug)]
pub struct TupleDecl {
    /// The variables with their array sizes.
    pub variables: Vec<(Name, Vec<Expr>)>,
    /// One initialiser per variable in a correct file.
    pub inits: Vec<Init>,
    /// The whole declaration.
    pub span: Span,
}

/// `agent A { … }` (thesis, table 3.16a).
#[derive(Clone, Debug)]
pub struct Agent {
    /// The kind's name.
    pub name: Name,
    /// Attributes.
    pub interface: Vec<Declaration>,
    /// The stigmergies it takes part in.
    pub stigmergies: Vec<Name>,
    /// Its processes, `Behavior` among them.
    pub processes: Vec<ProcessDef>,
    /// `rate = …`: of each of its actions.
    pub rate: Option<Rate>,
    /// The whole section, from its keyword to the closing brace.
    pub extent: Span,
}

/// `Name = process`.
#[derive(Clone, Debug)]
pub struct ProcessDef {
    /// The constant. `Behaviour` is stored as `Behavior`.
    pub name: Name,
    /// What it stands for.
    pub body: Process,
}

/// A process term with its place.
#[derive(Clone, Debug)]
pub struct Process {
    pub node: ProcessNode,
    pub span: Span,
}

/// Process terms (thesis, table 3.14b, with SLiVER's blocks and conditional processes).
#[derive(Clone, Debug)]
pub enum ProcessNode {
    /// `Skip`.
    Skip,
    /// `Nil`: the process that never does anything, not even end.
    Nil,
    /// A process constant.
    Call(String),
    /// One (perhaps compound) assignment.
    Assign(Assignment),
    /// `{ a; b }`.
    Block(Vec<Assignment>),
    /// `P; Q; …`, at least two.
    Seq(Vec<Process>),
    /// `P ++ Q ++ …`, at least two.
    Choice(Vec<Process>),
    /// `P || Q || …`, at least two.
    Par(Vec<Process>),
    /// `g -> P`.
    Guard(Box<Expr>, Box<Process>),
    /// `g => P`: when `g` is false, go on after it.
    Conditional(Box<Expr>, Box<Process>),
    /// `P @ rate`, where `P` is an action in a correct file.
    Rated(Box<Process>, Box<Rate>),
    /// Text that could not be read.
    Error,
}

/// `targets op values`.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// Left-hand sides.
    pub targets: Vec<Target>,
    /// Which store it writes.
    pub op: AssignOp,
    /// The operator's place.
    pub op_span: Span,
    /// Right-hand sides; the same number in a correct file.
    pub values: Vec<Expr>,
    /// The whole assignment.
    pub span: Span,
}

/// A left-hand side.
#[derive(Clone, Debug)]
pub struct Target {
    /// The variable.
    pub name: Name,
    /// Indices, one per dimension; empty for a scalar.
    pub index: Vec<Expr>,
    /// Written `x[]`: a whole array, only for `:= pick`.
    pub whole: bool,
}

/// The four arrows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum AssignOp {
    /// `<-`: an attribute.
    Attribute,
    /// `<~`: a stigmergic variable.
    Stigmergy,
    /// `<--`: an environment variable.
    Environment,
    /// `:=`: a variable that lives until the end of its block.
    Local,
}

impl AssignOp {
    /// How it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            AssignOp::Attribute => "<-",
            AssignOp::Stigmergy => "<~",
            AssignOp::Environment => "<--",
            AssignOp::Local => ":=",
        }
    }
}

/// An expression, arithmetic or Boolean: the difference is found by the checker.
#[derive(Clone, Debug)]
pub struct Expr {
    pub node: ExprNode,
    pub span: Span,
}

/// Expressions (thesis, table 3.14a, with SLiVER 5.1's additions).
#[derive(Clone, Debug)]
pub enum ExprNode {
    Number(i64),
    /// `true` or `false`.
    Bool(bool),
    /// `undef` as an expression; only meaningful in messages about it.
    Undef,
    /// `_n`, without the underscore.
    Parameter(String),
    /// `id`, perhaps `id of a`.
    Id(Option<Box<Expr>>),
    /// A variable, or an agent bound by a quantifier, or `c1`/`c2` after `of`.
    Var {
        name: Name,
        /// Indices.
        index: Vec<Expr>,
        /// Whose: `x of e`.
        of: Option<Box<Expr>>,
    },
    /// `-e`, `abs(e)`, `!e`.
    Unary(UnaryOp, Box<Expr>),
    /// `a op b`.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `if c then a else b`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `forall K a, p`, `exists K a, p`, `count K a, p`.
    Quantified(Quantifier, Name, Name, Box<Expr>),
    /// `[a..b]`: a value chosen when the action is taken, the upper bound excluded.
    Range(Box<Expr>, Box<Expr>),
    /// `pick k [Kind] [where link]`.
    Pick {
        /// How many agents.
        count: Box<Expr>,
        /// Of which kind; any if `None`.
        kind: Option<Name>,
        /// A link predicate between the picking agent (1) and the picked one (2).
        condition: Option<Box<Expr>>,
    },
    /// Text that could not be read.
    Error,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `-`.
    Neg,
    /// `abs`.
    Abs,
    /// `!` or `not`.
    Not,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    /// `+`.
    Add,
    /// `-`.
    Sub,
    /// `*`.
    Mul,
    /// `/`, toward zero.
    Div,
    /// `:`, to the nearest, halves away from zero.
    Round,
    /// `%`, never negative.
    Mod,
    /// `min(a, b)`.
    Min,
    /// `max(a, b)`.
    Max,
    /// `=`.
    Eq,
    /// `!=`.
    Ne,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
    /// `and`.
    And,
    /// `or`.
    Or,
}

/// The three ways to range over the agents of a kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantifier {
    Forall,
    Exists,
    /// How many of them.
    Count,
}

/// `Name = predicate` in `assume`.
#[derive(Clone, Debug)]
pub struct Assumption {
    pub name: Name,
    /// What every initial state must satisfy.
    pub predicate: Expr,
}

/// `Name = modality predicate` in `check`.
#[derive(Clone, Debug)]
pub struct Property {
    pub name: Name,
    /// When the predicate must hold.
    pub modality: Modality,
    /// The state predicate.
    pub predicate: Expr,
    /// From the modality to the end of the predicate.
    pub span: Span,
}

/// When a predicate must hold (`docs/labs.md` 4 and 17).
#[derive(Clone, Debug)]
pub enum Modality {
    /// In every reachable state.
    Always,
    /// On every maximal execution, at some point. Also written `finally`.
    Eventually {
        /// Written `finally`: with a step bound, it then refers to the last state only.
        finally: bool,
    },
    /// From every state reached without it, it can be reached.
    Fairly,
    /// From every reachable state, it can be reached.
    FairlyInf,
    /// After exactly this many steps (a constant expression).
    After(Expr),
    /// Only between two events.
    Scoped(Box<Scope>),
    /// A formula of linear time; the property's predicate is `true`.
    Linear(Box<Formula>),
}

/// A formula of linear time with its place (`docs/labs.md` 23).
#[derive(Clone, Debug)]
pub struct Formula {
    pub node: FormulaNode,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum FormulaNode {
    /// A predicate of the state. It may contain `and`, `or`, `!` and quantifiers of its own.
    Predicate(Expr),
    /// `a acts`: an agent, which is a bound name or a constant, and what is said of it.
    Step(Box<Expr>, StepWord),
    /// `delivered`, which may also be a variable.
    Delivered(Name),
    Not(Box<Formula>),
    /// At least two.
    And(Vec<Formula>),
    /// At least two.
    Or(Vec<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    /// `G F X`.
    Unary(UnaryOperator, Box<Formula>),
    /// `U R W`.
    Binary(BinaryOperator, Box<Formula>, Box<Formula>),
    /// `forall K a, φ` or `exists K a, φ`.
    Quantified(Quantifier, Name, Name, Box<Formula>),
    /// Text that could not be read.
    Error,
}

/// What is said of an agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepWord {
    /// `acts`: the next step is an action of it.
    Acts,
    /// `can act`: an action of it is possible.
    CanAct,
    /// `sends`: the next step delivers a message of it.
    Sends,
    /// `can send`: such a step is possible.
    CanSend,
}

/// `between (p) and (q), …` or `from (p) until (q), …`.
#[derive(Clone, Debug)]
pub struct Scope {
    /// `from … until`: the scope also counts when it never closes.
    pub open: bool,
    /// The event that opens it.
    pub start: Expr,
    /// The event that closes it.
    pub end: Expr,
    /// The requirement inside the scope.
    pub inside: Inside,
}

/// The requirement inside a scope.
#[derive(Clone, Debug)]
pub enum Inside {
    /// The predicate holds throughout.
    Always,
    /// The predicate holds at some point.
    ThereIs,
    /// This predicate holds before the property's predicate first does.
    Precedes(Expr),
}
