//! Whether two models behave alike.

use crate::exit::Exit;
use crate::lts::{given_up, limit, system};
use crate::open::{ModelOptions, Prepared, Trouble, decode, prepare};
use serde_json::{Value as Json, json};
use swarmcheck_engine::Control;
use swarmcheck_lts::aut::{self, Invisible};
use swarmcheck_lts::{Difference, Lts, Relation, Stopped, compare as compare_systems};

/// The relations with the words that `--by` takes.
pub const RELATIONS: &[(Relation, &str)] = &[
    (Relation::Strong, "strong"),
    (Relation::Branching, "branching"),
    (Relation::Weak, "weak"),
    (Relation::Trace, "trace"),
];

/// What is compared.
pub enum Side {
    /// A model in one of the languages.
    Model(Box<Prepared>),
    /// A transition system from an Aldebaran file.
    System(Lts),
}

/// Opens one side: a `.aut` file as a transition system, everything else as a model.
pub fn open(name: &str, bytes: &[u8]) -> Result<Side, Trouble> {
    if !name.ends_with(".aut") {
        return prepare(name, bytes, ModelOptions::default()).map(|p| Side::Model(Box::new(p)));
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
pub struct Compared {
    /// How the program should end.
    pub exit: Exit,
    /// States and transitions of both sides.
    pub sizes: [(u32, usize); 2],
    /// Why they do not behave alike.
    pub difference: Option<Difference>,
}

/// Compares. Messages of agents are invisible, except to strong bisimilarity.
pub fn compare(
    sides: &[Side; 2],
    relation: Relation,
    control: &Control<'_>,
) -> Result<Compared, (Exit, String)> {
    let explored = |side: &Side| match side {
        Side::Model(prepared) => system(prepared, relation != Relation::Strong, control),
        Side::System(lts) => Ok(lts.clone()),
    };
    let (a, b) = (explored(&sides[0])?, explored(&sides[1])?);
    let difference =
        compare_systems(&a, &b, relation, &limit(control)).map_err(|Stopped| given_up(control))?;
    let exit = if difference.is_none() { Exit::Fine } else { Exit::Violated };
    Ok(Compared { exit, sizes: [&a, &b].map(|l| (l.states(), l.transitions())), difference })
}

impl Compared {
    /// For people.
    pub fn text(&self, names: [&str; 2], relation: &str) -> String {
        let verdict = if self.difference.is_none() { "alike" } else { "different" };
        let mut out = format!("{} and {}: {verdict} ({relation})\n", names[0], names[1]);
        let Some(difference) = &self.difference else { return out };
        if let Some((labels, first)) = &difference.trace {
            let who = names[usize::from(!first)];
            out += &format!("only {who} has the trace: {}\n", labels.join(", "));
        }
        match &difference.formula {
            Some(formula) => out += &format!("only {} satisfies: {formula}\n", names[0]),
            None if difference.given_up => {
                out += "the search for what tells them apart did not end within the limits\n"
            }
            None if relation != "trace" => {
                out += "a formula that tells them apart would be too large to read\n"
            }
            None => {}
        }
        out
    }

    /// For programs.
    pub fn data(&self, names: [&str; 2], relation: &str) -> Json {
        let side = |at: usize| json!({ "model": names[at], "states": self.sizes[at].0, "transitions": self.sizes[at].1 });
        let difference = self.difference.as_ref().map(|d| {
            json!({
                "formula_of_first": d.formula.as_ref().map(ToString::to_string),
                "given_up": d.given_up,
                "trace": d.trace.as_ref().map(|(labels, _)| labels),
                "trace_of": d.trace.as_ref().map(|(_, first)| names[usize::from(!first)]),
            })
        });
        json!({
            "first": side(0),
            "second": side(1),
            "relation": relation,
            "alike": difference.is_none(),
            "difference": difference,
        })
    }
}
