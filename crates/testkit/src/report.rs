//! A difference between the two sides in words: a shortest path to it, what both see there, what both can do.

use crate::compare::Classes;
use crate::lts::{Node, View, Views};
use swarmcheck_labs::model::Model;
use swarmcheck_reference::{Label, ModelError};

/// What is needed to find and tell the difference.
struct Report<'a> {
    text: &'a str,
    model: &'a Model,
    views: &'a Views,
    sides: [&'a [Node]; 2],
    classes: &'a Classes,
}

/// Explains why the initial states do not fall into the same classes.
pub(crate) fn difference(
    text: &str,
    model: &Model,
    views: &Views,
    sides: [&[Node]; 2],
    classes: &Classes,
) -> String {
    let report = Report { text, model, views, sides, classes };
    let last = classes.levels.len() - 1;
    let all = |side: usize| 0..classes.initial[side];
    for (side, here) in [0, 1].into_iter().flat_map(|side| all(side).map(move |at| (side, at))) {
        let class = |side: usize, at: usize| classes.levels[last][side][at];
        if all(1 - side).any(|other| class(1 - side, other) == class(side, here)) {
            continue;
        }
        let words = format!("{} starts in a state that the other side does not have", NAMES[side]);
        let nearest = all(1 - side).max_by_key(|&other| report.agreement(side, here, other));
        return match nearest.filter(|&other| report.agreement(side, here, other) > 0) {
            None => format!("{words}: {}", report.view(sides[side][here].view)),
            Some(other) => {
                let pair = if side == 0 { [here, other] } else { [other, here] };
                report.descend(pair, format!("initially {}\n", report.view(sides[side][here].view)))
            }
        };
    }
    "the initial states agree".to_string()
}

const NAMES: [&str; 2] = ["reference", "emulation"];

impl Report<'_> {
    /// At how many levels two states are in the same class.
    fn agreement(&self, side: usize, here: usize, other: usize) -> usize {
        let same = |level: &&[Vec<Option<usize>>; 2]| {
            level[side][here].is_some() && level[side][here] == level[1 - side][other]
        };
        self.classes.levels.iter().take_while(same).count()
    }

    /// Follows a pair of states that look alike to where they differ.
    fn descend(&self, pair: [usize; 2], path: String) -> String {
        let agreement = self.agreement(0, pair[0], pair[1]);
        let steps = |side: usize| &self.sides[side][pair[side]].steps;
        for (side, other) in [(0, 1), (1, 0)] {
            for (label, target) in steps(side) {
                let class = |side: usize, target: &Result<usize, ModelError>| {
                    target.map(|t| self.classes.levels[agreement - 1][side][t])
                };
                let matched = |s: &&(Label, Result<usize, ModelError>)| {
                    s.0 == *label && class(other, &s.1) == class(side, target)
                };
                if steps(other).iter().any(|s| matched(&s)) {
                    continue;
                }
                let path = format!("{path}then {}\n", self.label(label));
                let Ok(target) = target else {
                    return format!(
                        "{path}in an error of {} only: {target:?}\n{}",
                        NAMES[side],
                        self.steps(pair)
                    );
                };
                let same = steps(other).iter().filter(|s| s.0 == *label).filter_map(|s| s.1.ok());
                let alike = same.max_by_key(|t| self.agreement(side, *target, *t));
                return match alike.filter(|t| self.agreement(side, *target, *t) > 0) {
                    Some(t) => self.descend(if side == 0 { [*target, t] } else { [t, *target] }, path),
                    None => {
                        let view = self.view(self.sides[side][*target].view);
                        format!("{path}to a state of {} only: {view}\n{}", NAMES[side], self.steps(pair))
                    }
                };
            }
        }
        format!("{path}and then somehow")
    }

    /// The steps of both sides before the difference.
    fn steps(&self, pair: [usize; 2]) -> String {
        let mut out = format!("from {}\n", self.view(self.sides[0][pair[0]].view));
        for side in [0, 1] {
            out += &format!("{} can do:\n", NAMES[side]);
            for (label, target) in &self.sides[side][pair[side]].steps {
                let target = match target {
                    Ok(target) => self.view(self.sides[side][*target].view),
                    Err(error) => {
                        format!("{:?} at `{}`", error.kind, self.text.get(error.span.range()).unwrap_or(""))
                    }
                };
                out += &format!("  {}: {target}\n", self.label(label));
            }
        }
        out
    }

    fn label(&self, label: &Label) -> String {
        match label {
            Label::Action { agent, action } => {
                format!("{agent}: {}", self.model.action(*action).words(self.text))
            }
            Label::Propagate { agent, tuple } => {
                format!("{agent}: propagate {}", self.model.tuple_name(*tuple))
            }
            Label::Confirm { agent, tuple } => format!("{agent}: confirm {}", self.model.tuple_name(*tuple)),
        }
    }

    /// Names and values in the order of the observation.
    fn view(&self, number: usize) -> String {
        let View { seen, claims } = self.views.get(number);
        let mut values = seen.values.iter();
        let mut books = seen.ranks.iter().zip(seen.confirm.iter().zip(&seen.propagate));
        let mut words = vec![];
        let mut add = |var: swarmcheck_labs::model::VarId, words: &mut Vec<String>| {
            let variable = self.model.variable(var);
            let show = |v: &Option<i64>| v.map_or("⊥".to_string(), |v| v.to_string());
            let cells: Vec<String> = values.by_ref().take(variable.cells()).map(show).collect();
            words.push(format!("{}={}", variable.name, cells.join(",")));
        };
        self.model.environment.iter().for_each(|(var, _)| add(*var, &mut words));
        for agent in 0..self.model.agents() {
            let kind = self.model.kind(self.model.kind_of(agent));
            words.push(format!("| {agent}:"));
            kind.attributes.iter().for_each(|(var, _)| add(*var, &mut words));
            for &tuple in kind.stigmergies.iter().flat_map(|s| &self.model.stigmergy(*s).tuples) {
                self.model.tuple(tuple).variables.iter().for_each(|(var, _)| add(*var, &mut words));
                let (rank, (confirm, propagate)) = books.next().expect("one per tuple");
                let pending =
                    format!("{}{}", if *confirm { "c" } else { "" }, if *propagate { "p" } else { "" });
                words.push(format!("@{rank}{pending}"));
            }
        }
        format!("{} turn {} claims {claims:?}", words.join(" "), seen.turn)
    }
}
