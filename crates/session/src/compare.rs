//! Whether two models behave alike.

use crate::languages::LanguageWord;
use crate::lts::{Size, given_up, limit, system};
use crate::open::{ModelOptions, Prepared, Trouble, decode, prepare};
use crate::refusal::Refusal;
use serde::{Deserialize, Serialize};
use swarmcheck_engine::Control;
use swarmcheck_lts::aut::{self, Invisible};
use swarmcheck_lts::{Lts, Relation, Stopped, compare as compare_systems};

/// What it is to behave alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Alike {
    /// Strong bisimilarity.
    Strong,
    /// Branching bisimilarity.
    #[default]
    Branching,
    /// Weak bisimilarity.
    Weak,
    /// The same traces.
    Trace,
}

impl Alike {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Alike::Strong => "strong",
            Alike::Branching => "branching",
            Alike::Weak => "weak",
            Alike::Trace => "trace",
        }
    }

    fn relation(self) -> Relation {
        match self {
            Alike::Strong => Relation::Strong,
            Alike::Branching => Relation::Branching,
            Alike::Weak => Relation::Weak,
            Alike::Trace => Relation::Trace,
        }
    }
}

/// What is compared.
pub enum Side {
    /// A model in one of the languages.
    Model(Box<Prepared>),
    /// A transition system from an Aldebaran file.
    System(Lts),
}

/// Opens one side: a `.aut` file as a transition system, everything else as a model.
pub fn open(name: &str, bytes: &[u8]) -> Result<Side, Trouble> {
    open_as(name, bytes, None)
}

/// The same, models in a language that somebody has named.
pub fn open_as(name: &str, bytes: &[u8], language: Option<LanguageWord>) -> Result<Side, Trouble> {
    if !name.ends_with(".aut") {
        let options = ModelOptions { language, ..ModelOptions::default() };
        return prepare(name, bytes, options).map(|p| Side::Model(Box::new(p)));
    }
    let (file, broken) = decode(name, bytes);
    if let Some(diagnostic) = broken {
        return Err(Trouble::File(file, vec![diagnostic]));
    }
    aut::read(file.text(), Invisible::IAndTau)
        .map(Side::System)
        .map_err(|error| Trouble::Unreadable(format!("{name}: {error}")))
}

/// The result of a comparison.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Compared {
    /// The relation.
    pub relation: Alike,
    /// Both sides, in their order.
    pub sizes: [Size; 2],
    /// Why they do not behave alike; none if they do.
    pub difference: Option<Difference>,
}

/// What tells two systems apart.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Difference {
    /// A formula that only the first system satisfies.
    pub formula_of_first: Option<String>,
    /// Visible labels that only one of them can begin with.
    pub trace: Option<Vec<String>>,
    /// Which one: 0 or 1.
    pub trace_of: Option<usize>,
    /// The search for evidence was given up.
    pub given_up: bool,
}

/// Compares. Messages of agents are invisible, except to strong bisimilarity.
pub fn compare(sides: &[Side; 2], relation: Alike, control: &Control<'_>) -> Result<Compared, Refusal> {
    let explored = |side: &Side| match side {
        Side::Model(prepared) => system(prepared, relation != Alike::Strong, control),
        Side::System(lts) => Ok(lts.clone()),
    };
    let (a, b) = (explored(&sides[0])?, explored(&sides[1])?);
    let difference = compare_systems(&a, &b, relation.relation(), &limit(control))
        .map_err(|Stopped| given_up(control))?
        .map(|found| {
            let (trace, trace_of) =
                found.trace.map_or((None, None), |(labels, first)| (Some(labels), Some(usize::from(!first))));
            Difference {
                formula_of_first: found.formula.as_ref().map(ToString::to_string),
                trace,
                trace_of,
                given_up: found.given_up,
            }
        });
    Ok(Compared { relation, sizes: [&a, &b].map(Size::of), difference })
}
