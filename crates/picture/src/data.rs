//! What a player has to know beside a trace: where agents are drawn, who is linked with whom, who hears what, and the automata
//! with the places of everybody in them. `docs/pictures.md` describes it as JSON.

use serde::{Deserialize, Serialize};

/// The name of the format.
pub const FORMAT: &str = "swarmcheck-picture";
/// The version of the format. It changes when something is removed or changes its meaning.
pub const VERSION: u32 = 1;

/// Everything about one trace. Steps are numbered from 1; 0 is the initial state.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Picture {
    /// Always [`FORMAT`].
    pub format: String,
    /// Always [`VERSION`].
    pub version: u32,
    /// All agents, in the order of their numbers.
    pub agents: Vec<AgentPicture>,
    /// Where agents are drawn; none if nothing says where they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<View>,
    /// Who is linked with whom, one for each link predicate.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<Links>,
    /// Who says what to whom, one row for each step, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chart: Vec<Row>,
    /// The automata of the system, laid out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub automata: Vec<Automaton>,
    /// Where agents are in their automata: first the places in the initial state, then every change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Place>,
    /// The steps that matter for the violation, if that is known; the others may be dimmed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<u32>,
    /// The state that breaks the property, by the number of the step that leads to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub breaks: Option<u32>,
    /// The story of the trace, as short paragraphs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub story: Vec<String>,
}

/// An agent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AgentPicture {
    /// Its number in traces.
    pub agent: u32,
    /// The kind in the model.
    pub kind: String,
    /// What it is called in listings, for instance `Bird 0`.
    pub name: String,
}

/// A space and who is where in it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct View {
    /// The number of columns: positions are `0..width`.
    pub width: u32,
    /// The number of rows; 1 for a line.
    pub height: u32,
    /// The space has no border: who leaves at one side comes in at the other.
    #[serde(default)]
    pub torus: bool,
    /// One for each kind of agents that has a place.
    pub shows: Vec<Shows>,
    /// Variables of the environment with a value for every place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub floors: Vec<Floor>,
    /// The model says so; otherwise it was inferred.
    #[serde(default)]
    pub said: bool,
}

/// How agents of one kind are shown. Names are those of variables in traces.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Shows {
    /// The kind.
    pub kind: String,
    /// The variable that is the column.
    pub x: String,
    /// The variable that is the row; none on a line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<String>,
    /// The horizontal part of the heading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dx: Option<String>,
    /// The vertical part of the heading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dy: Option<String>,
    /// The variable that decides the colour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<String>,
    /// The variable that is written beside the agent; `id` is its number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The variable that decides the size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<String>,
}

/// A variable of the environment that covers the space.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Floor {
    /// An array; its cell `row * width + column`, or `column * height + row` if `by_column`.
    pub variable: String,
    /// The first index of the array is the column.
    #[serde(default)]
    pub by_column: bool,
}

/// Who is linked with whom by one link predicate, as changes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Links {
    /// The stigmergy.
    pub name: String,
    /// The predicate as it is written in the model, in one line.
    pub predicate: String,
    /// Pairs of agents, sender first, in the initial state.
    pub initial: Vec<(u32, u32)>,
    /// What changes, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<LinkChange>,
}

/// Links that a step makes and breaks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LinkChange {
    /// The number of the step, from 1.
    pub step: u32,
    /// Pairs that are linked from now on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub made: Vec<(u32, u32)>,
    /// Pairs that are not linked any more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<(u32, u32)>,
}

/// A step in a sequence chart.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Who acts; none if nobody does alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<u32>,
    /// What is written at the lifeline, or on the arrows if there are any.
    pub label: String,
    /// What kind of step it is: `action`, `propagate`, `confirm`, `send`, `get`, `sync` or `communicate`.
    pub kind: String,
    /// Messages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arrows: Vec<Arrow>,
}

/// A message from one agent to another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Arrow {
    /// Who sends.
    pub from: u32,
    /// Who receives.
    pub to: u32,
    /// What it changed at the receiver, or how the receiver took part.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub effect: String,
    /// The receiver could not take it, or it changed nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub idle: bool,
}

/// An automaton: a triple structure, a structure automaton, or a peer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Automaton {
    /// The kind of agents, or what the language calls it.
    pub name: String,
    /// The agents that run it.
    pub agents: Vec<u32>,
    /// The drawing. Nodes that stand for places carry `location`.
    pub drawing: Drawing,
}

/// Where an agent is in its automaton, from a step on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    /// From the state after this step; 0 for the initial state.
    pub step: u32,
    /// Whose.
    pub agent: u32,
    /// The locations that are current: several in a parallel composition.
    pub at: Vec<i64>,
}

/// A graph with places for everything.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Drawing {
    /// Of the whole drawing, in pixels.
    pub width: f64,
    /// Of the whole drawing, in pixels.
    pub height: f64,
    /// States, locations, and joints of edges.
    pub nodes: Vec<Node>,
    /// Actions and transitions.
    pub edges: Vec<Edge>,
}

/// A node of a drawing.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Node {
    /// Its name in the graph.
    pub id: u32,
    /// What is written in it.
    pub label: String,
    /// The horizontal place of the centre.
    pub x: f64,
    /// The vertical place of the centre.
    pub y: f64,
    /// The whole width.
    pub width: f64,
    /// The whole height.
    pub height: f64,
    /// Where executions begin.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub initial: bool,
    /// Where they may end.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub last: bool,
    /// The location that it stands for, as in [`Place::at`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<i64>,
}

/// An edge of a drawing.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Edge {
    /// The node it leaves.
    pub from: u32,
    /// The node it enters.
    pub to: u32,
    /// What is written at it, a line each.
    pub label: Vec<String>,
    /// The points of a line that is to be rounded; the first and the last are at the borders of the nodes.
    pub points: Vec<(f64, f64)>,
    /// The centre of the label.
    pub at: (f64, f64),
    /// `line:column` in the model, if it is an action of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}
