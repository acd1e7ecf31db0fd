//! The syntax tree of an R-CHECK script. Names are not resolved and nothing is typed.

use swarmcheck_source::Span;

/// A name and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

#[derive(Clone, Debug, Default)]
pub struct Script {
    /// Channel names besides broadcast.
    pub channels: Vec<Name>,
    /// Enumerations with their cases.
    pub enums: Vec<(Name, Vec<Name>)>,
    /// The data variables of messages.
    pub messages: Vec<Variable>,
    /// The property variables.
    pub properties: Vec<Variable>,
    /// Guards with parameters.
    pub guards: Vec<Guard>,
    /// Agent types.
    pub agents: Vec<Agent>,
    /// The instances of the system.
    pub system: Vec<Instance>,
    /// The specifications.
    pub specs: Vec<Spec>,
    /// Something that declares names could not be read, so names may only seem to be missing.
    pub lost: bool,
    /// There is an error in something other than a specification.
    pub broken: bool,
}

/// A declared variable.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Name,
    pub ty: TypeName,
    /// The place of the type.
    pub ty_span: Span,
}

/// A type as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeName {
    /// `bool`.
    Bool,
    /// `int`.
    Int,
    /// `channel`.
    Channel,
    /// `location`.
    Location,
    /// `0..8`, both bounds included.
    Range(i64, i64),
    /// An enumeration.
    Named(String),
}

/// `guard g(r : rolevals) := …;`.
#[derive(Clone, Debug)]
pub struct Guard {
    pub name: Name,
    pub parameters: Vec<Variable>,
    pub body: Expr,
}

/// An agent type (figure 2).
#[derive(Clone, Debug)]
pub struct Agent {
    pub name: Name,
    pub locals: Vec<Variable>,
    /// What holds at first; all of it.
    pub init: Vec<Expr>,
    /// What each property variable stands for.
    pub relabel: Vec<(Name, Expr)>,
    /// Which channels it listens to.
    pub receive_guard: Option<Expr>,
    pub repeat: Option<Process>,
    /// Some part of it could not be read.
    pub broken: bool,
}

impl Agent {
    /// An agent type of which only the name is known yet.
    pub fn new(name: Name) -> Agent {
        Agent {
            name,
            locals: vec![],
            init: vec![],
            relabel: vec![],
            receive_guard: None,
            repeat: None,
            broken: false,
        }
    }
}

#[derive(Clone, Debug)]
pub enum Process {
    /// `P; Q`.
    Sequence(Vec<Process>),
    /// `P + Q`.
    Choice(Vec<Process>),
    /// `rep P`.
    Repeat(Box<Process>),
    Command(Box<Command>),
}

impl Process {
    /// The labels of its commands, in order.
    pub fn labels<'a>(&'a self, out: &mut Vec<&'a Name>) {
        match self {
            Process::Sequence(parts) | Process::Choice(parts) => parts.iter().for_each(|p| p.labels(out)),
            Process::Repeat(body) => body.labels(out),
            Process::Command(command) => out.extend(&command.label),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Command {
    pub label: Option<Name>,
    pub guard: Expr,
    /// What is communicated.
    pub act: Act,
    /// New values of local variables.
    pub update: Vec<(Name, Expr)>,
    pub span: Span,
}

/// What a command communicates.
#[derive(Clone, Debug)]
pub enum Act {
    /// `x! π (d)`.
    Send {
        channel: Expr,
        target: Expr,
        /// The content.
        data: Vec<(Name, Expr)>,
    },
    /// `x?`.
    Receive { channel: Expr },
    /// `GET@(l) (d)`.
    Get {
        place: Expr,
        /// What the supplier learns.
        data: Vec<(Name, Expr)>,
    },
    /// `SUPPLY@(l) (d)`.
    Supply {
        /// For whom; `None` for `any`.
        place: Option<Expr>,
        /// What the getter learns.
        data: Vec<(Name, Expr)>,
    },
}

/// `A(id, θ)`.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The agent type.
    pub agent: Name,
    /// Its identity.
    pub name: Name,
    /// What else holds at first.
    pub init: Expr,
}

/// A specification.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Its name, if it was given one.
    pub name: Option<Name>,
    pub formula: Expr,
    /// What the authors' editor reads instead, if that is something else and nobody has chosen.
    pub other: Option<Expr>,
    /// Both in parentheses, if there are two.
    pub readings: Option<[String; 2]>,
    /// The parentheses that make the text mean the one or the other, if there are two.
    pub fixes: Option<[Vec<swarmcheck_source::fix::Edit>; 2]>,
}

/// An expression or formula and its place.
#[derive(Clone, Debug)]
pub struct Expr {
    pub node: Node,
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum Node {
    Number(i64),
    Bool(bool),
    /// `*` as a value.
    Broadcast,
    Name(String),
    /// `@pv`.
    Property(String),
    /// `k-x`.
    Of(Name, Name),
    Not(Box<Expr>),
    Negative(Box<Expr>),
    Binary(Op, Box<Expr>, Box<Expr>),
    /// A guard with arguments.
    Call(Name, Vec<Expr>),
    Temporal(Temporal, Box<Expr>),
    /// `⟨O⟩φ`, or `[O]φ` if the flag is set.
    Observe {
        necessary: bool,
        seen: Box<Expr>,
        then: Box<Expr>,
    },
    /// Over agents of some types; `true` means all of them.
    Agents {
        all: bool,
        name: Name,
        types: Vec<Name>,
        body: Box<Expr>,
    },
    /// Over the property variables that the message admits; `true` means all of them.
    Admitted {
        all: bool,
        body: Box<Expr>,
    },
}

/// Temporal operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Temporal {
    Next,
    Finally,
    Globally,
}

impl Temporal {
    pub fn word(self) -> &'static str {
        match self {
            Temporal::Next => "X",
            Temporal::Finally => "F",
            Temporal::Globally => "G",
        }
    }
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Op {
    Mul,
    Div,
    Add,
    Sub,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
    Implies,
    Iff,
    Until,
    Release,
    WeakUntil,
}
