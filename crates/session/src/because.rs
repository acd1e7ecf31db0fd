//! More about why a property holds, as data: parts of its predicate that nothing depends on, and what an engine has proved on
//! the way. [`words`](crate::words) makes sentences of it.

use serde::{Deserialize, Serialize};

/// The values of a variable in every reachable state, over all its copies and cells.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct VariableRange {
    /// The name of the variable.
    pub variable: String,
    /// The smallest number, if there is one.
    pub low: Option<i64>,
    /// The largest number, if there is one.
    pub high: Option<i64>,
    /// Whether it may be undefined.
    pub undefined: bool,
}

/// More about why a property holds.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Because {
    /// Parts of the predicate that could be replaced by a constant: the property would still hold.
    pub idle: Vec<IdlePart>,
    /// So many parts were looked at.
    pub parts: u32,
    /// Of so many parts it is not known, because the search would have been too large.
    pub undecided: u32,
    /// The inductive invariant that was found, as conditions that all hold in every reachable state.
    pub invariant: Vec<InvariantPart>,
    /// The parts of an invariant over integers, which all hold in every reachable state.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub integers: Vec<String>,
    /// Clauses of the invariant that have no short form: the certificate has them.
    pub unreadable: u32,
    /// What the places mean that the invariant mentions.
    pub places: Vec<PlaceMeaning>,
    /// The parts are those of a formula of linear time.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub of_formula: bool,
}

/// A place in the process of an agent.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct PlaceMeaning {
    /// The kind of the agents that have it.
    pub owner: String,
    /// Which of its places that proceed side by side.
    pub place: String,
    /// The value.
    pub value: i64,
    /// The actions that may come next; none at the end of the process.
    pub next: Vec<String>,
}

/// A part of a predicate that nothing depends on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct IdlePart {
    /// Its text in one line.
    pub text: String,
    /// The line in the model's file, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The constant that could stand in its place.
    pub constant: bool,
}

/// A condition that holds in every reachable state: one of several alternatives, for all agents that are named.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InvariantPart {
    /// Letters for different agents, with their kinds. It holds for every choice of them.
    pub agents: Vec<(String, String)>,
    /// One of these is true.
    pub any_of: Vec<CellCondition>,
}

/// A condition on one cell.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct CellCondition {
    /// What the cell is.
    pub cell: CellWord,
    /// Who has it: a letter or the name of an agent; none for the environment.
    pub agent: Option<String>,
    /// Its value is this.
    #[serde(flatten)]
    pub values: ValueSet,
}

/// What a cell of the program is to the user.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CellWord {
    /// A variable of the model, with its index if it is an array.
    Variable(String),
    /// What an agent may do next, as a number for each place in its process.
    Place(String),
    /// A message that waits to be sent.
    Pending(String),
    /// How recent the copy of a tuple is, from 0.
    Rank(String),
    /// Whose turn it is.
    Turn,
}

/// A set of values.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ValueSet {
    /// This value; none is the undefined one.
    Is(Option<i64>),
    /// Any other value.
    IsNot(Option<i64>),
    /// At most this.
    AtMost(i64),
    /// At least this.
    AtLeast(i64),
    /// Between these, bounds included.
    Between(i64, i64),
    /// One of these.
    OneOf(Vec<Option<i64>>),
}
