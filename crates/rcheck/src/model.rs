//! A checked specification: names are resolved to numbers, guards with parameters are written out, and every expression
//! has the type that its place needs.

use crate::syntax::Precedence;
use crate::syntax::ast::Op;
use swarmcheck_ir::Linear;
use swarmcheck_source::Span;

#[derive(Clone, Debug)]
pub struct Specification {
    /// Channels; the first one is broadcast.
    pub channels: Vec<String>,
    /// Enumerations and their values.
    pub enums: Vec<(String, Vec<String>)>,
    /// Data variables of messages.
    pub messages: Vec<Variable>,
    /// Property variables.
    pub properties: Vec<Variable>,
    /// Agent types.
    pub agents: Vec<Agent>,
    /// The agents of the system; an agent's number is its location.
    pub instances: Vec<Instance>,
    /// Specifications.
    pub specs: Vec<Spec>,
    /// The observations of all specifications.
    pub observations: Vec<Expr>,
}

/// The number of the broadcast channel.
pub const BROADCAST: i64 = 0;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    /// 0 or 1.
    Bool,
    /// Any integer.
    Int,
    /// Bounds included.
    Range(i64, i64),
    /// The number of a value of an enumeration.
    Enum(usize),
    /// The number of a channel.
    Channel,
    /// The number of an agent.
    Location,
}

impl Type {
    /// Whether it is a type of numbers.
    pub fn is_number(self) -> bool {
        matches!(self, Type::Int | Type::Range(..))
    }
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub ty: Type,
    pub span: Span,
}

/// An agent type.
#[derive(Clone, Debug)]
pub struct Agent {
    pub name: String,
    /// Its local variables V.
    pub locals: Vec<Variable>,
    /// θ of the type.
    pub init: Vec<Expr>,
    /// The relabelling f: for each property variable an expression over local variables, if there is one.
    pub relabel: Vec<Option<Expr>>,
    /// The receive guard gʳ, without the broadcast channel.
    pub receive_guard: Expr,
    /// The process under `repeat`.
    pub repeat: Process,
    pub commands: Vec<Command>,
    /// The place of the receive guard; the default if there is none.
    pub receive_guard_span: Span,
}

/// A process; commands by number.
#[derive(Clone, Debug)]
pub enum Process {
    /// One after the other.
    Sequence(Vec<Process>),
    Choice(Vec<Process>),
    Repeat(Box<Process>),
    Command(usize),
}

#[derive(Clone, Debug)]
pub struct Command {
    /// Its label, if it has one.
    pub label: Option<String>,
    /// Its label, or its text in one line.
    pub words: String,
    /// Φ.
    pub guard: Expr,
    /// What is communicated.
    pub act: Act,
    /// U: local variables and their new values.
    pub update: Vec<(usize, Expr)>,
    pub span: Span,
    /// The place of Φ.
    pub guard_span: Span,
    /// The place of π, if it is a send.
    pub target_span: Span,
}

/// Message variables and their values.
pub type Data = Vec<(usize, Expr)>;

/// What a command communicates.
#[derive(Clone, Debug)]
pub enum Act {
    /// A message to all who listen.
    Send {
        channel: Expr,
        /// π.
        target: Expr,
        /// d.
        data: Data,
    },
    /// The reaction to a message.
    Receive { channel: Expr },
    /// Asks one agent.
    Get {
        /// Which one: a location or a predicate over property variables.
        from: From,
        /// What the supplier learns.
        data: Data,
    },
    /// Answers one agent.
    Supply {
        /// The location; `None` for any getter.
        at: Option<Expr>,
        /// What the getter learns.
        data: Data,
    },
}

/// Whom a `GET@` asks.
#[derive(Clone, Debug)]
pub enum From {
    /// The agent at a location.
    Location(Expr),
    /// An agent whose properties satisfy a predicate.
    Predicate(Expr),
}

impl Command {
    /// What the other side of the communication learns.
    pub fn data(&self) -> &Data {
        static NOTHING: Data = Vec::new();
        match &self.act {
            Act::Send { data, .. } | Act::Get { data, .. } | Act::Supply { data, .. } => data,
            Act::Receive { .. } => &NOTHING,
        }
    }

    /// The message variables it reads, in its guard or its update.
    pub fn reads(&self) -> Vec<usize> {
        let mut out = vec![];
        for e in std::iter::once(&self.guard).chain(self.update.iter().map(|(_, e)| e)) {
            e.walk(&mut |e| {
                if let Expr::Message(number) = e {
                    out.push(*number);
                }
            });
        }
        out
    }
}

/// An agent of the system.
#[derive(Clone, Debug)]
pub struct Instance {
    pub name: String,
    /// Its type.
    pub agent: usize,
    /// What else holds at first.
    pub init: Expr,
    pub span: Span,
}

/// A specification to check.
#[derive(Clone, Debug)]
pub struct Spec {
    pub name: String,
    /// The formula, with quantifiers written out.
    pub formula: Linear<Atom>,
    pub span: Span,
    /// Some quantifier ranges over no agent.
    pub vacuous: bool,
    /// It names sends or gets as the steps that leave states, which the prose of section 6.1 reads in another way.
    pub names_steps: bool,
    /// If the text can be read in two ways, which one this is.
    pub reading: Option<Reading>,
}

/// One of two readings of a specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The name of the specification; that of the reading is longer.
    pub of: String,
    /// Who reads so.
    pub precedence: Precedence,
    /// The formula with all its parentheses.
    pub text: String,
}

/// What a formula is made of.
#[derive(Clone, Debug, PartialEq)]
pub enum Atom {
    /// A condition on the state.
    State(Expr),
    /// The message of the step just made satisfies an observation.
    Observed(usize),
}

/// An expression. Conditions are 0 or 1.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A value of any type.
    Value(i64),
    /// A local variable of the agent at hand.
    Local(usize),
    /// A data variable of the message.
    Message(usize),
    /// A property variable of the receiver.
    Property(usize),
    /// The channel of the message.
    Channel,
    /// The location of the agent at hand.
    Myself,
    /// A local variable of an agent.
    Of(usize, usize),
    /// Where an agent is in its structure automaton.
    State(usize),
    /// A command of an agent: a send or get that the step which leaves this state is, or a receive or supply that was
    /// part of the step just made.
    Label(usize, usize),
    /// A send or get of an agent can be made now.
    Enabled(usize, usize),
    /// The step changes a variable or the automaton state of an agent. It stands alone, as an observation.
    Changed,
    /// Who takes part in a step.
    Party(Party),
    /// The step is between a getter and a supplier.
    PointToPoint,
    /// Negation of a condition.
    Not(Box<Expr>),
    /// Negation of a number.
    Negative(Box<Expr>),
    /// An operator with two operands; never a temporal one.
    Binary(Op, Box<Expr>, Box<Expr>, At),
    /// For all (or some) values of property variables that the message admits.
    Admitted(bool, Box<Expr>),
}

/// Where something stands in the file. Expressions that mean the same are equal wherever they stand, and look the same.
#[derive(Clone, Copy)]
pub struct At(pub Span);

impl PartialEq for At {
    fn eq(&self, _: &At) -> bool {
        true
    }
}

impl std::fmt::Debug for At {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("_")
    }
}

/// A role in a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Party {
    Sender,
    Getter,
    Supplier,
    /// Sender or getter.
    Initiator,
    /// Sender or supplier.
    Producer,
}

impl Expr {
    /// Calls `visit` on this expression and everything below it.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        visit(self);
        match self {
            Expr::Not(e) | Expr::Negative(e) | Expr::Admitted(_, e) => e.walk(visit),
            Expr::Binary(_, a, b, _) => {
                a.walk(visit);
                b.walk(visit);
            }
            _ => {}
        }
    }
}

impl Specification {
    /// Whether a command is the reaction to something.
    pub fn receives(&self, instance: usize, command: usize) -> bool {
        let act = &self.agent_of(instance).commands[command].act;
        matches!(act, Act::Receive { .. } | Act::Supply { .. })
    }

    /// Whether a condition names a send or get as the step that leaves a state.
    pub fn names_next_step(&self, e: &Expr) -> bool {
        let mut named = false;
        e.walk(&mut |e| {
            if let Expr::Label(instance, command) = e {
                named |= !self.receives(*instance, *command);
            }
        });
        named
    }

    /// The type of an agent.
    pub fn agent_of(&self, instance: usize) -> &Agent {
        &self.agents[self.instances[instance].agent]
    }

    /// The values of a type, bounds included; `None` if they are unbounded.
    pub fn domain(&self, ty: Type) -> Option<(i64, i64)> {
        Some(match ty {
            Type::Bool => (0, 1),
            Type::Int => return None,
            Type::Range(low, high) => (low, high),
            Type::Enum(number) => (0, self.enums[number].1.len() as i64 - 1),
            Type::Channel => (0, self.channels.len() as i64 - 1),
            Type::Location => (0, self.instances.len() as i64 - 1),
        })
    }

    /// What holds of an agent at first.
    pub fn initially(&self, instance: usize) -> Vec<&Expr> {
        self.agent_of(instance).init.iter().chain([&self.instances[instance].init]).collect()
    }
}
