//! Target `mcl`: each property as a query in MCL, the temporal logic of CADP's model checker, for the labels of the LNT
//! programs.
//!
//! The queries follow listings 2 and 3 of the ATLAS paper: parameters of a fixed point follow the cells that the
//! predicate refers to, from one `ASSIGN` label to the next. They differ from the listings in two things. The predicate
//! is looked at only when a step is complete, after `START` and `STEP`: an action that assigns two variables, or a
//! message that reaches two agents, is several labels but one step. And parameters start with 0 instead of being
//! captured by a prefix of the query: before `START` there is a label for every cell, so when the predicate is first
//! looked at they have their values.

mod predicate;
mod scope;

use crate::{Export, File, Refusal, refuse};
use predicate::{Cell, Conditions};
use swarmcheck_ir::{Modality, Program, Property, cancel, print};

/// Writes one file for the property that is asked for, or one for each.
pub fn write(export: &Export<'_>) -> Result<Vec<File>, Refusal> {
    if export.bound.is_some() {
        return refuse("MCL queries look at executions without a bound on their steps");
    }
    let all = &export.program.properties;
    let chosen: Vec<&Property> = match export.property {
        Some(number) => all.get(number).into_iter().collect(),
        None => all.iter().collect(),
    };
    if let (None, [formula, ..]) = (export.property, export.formulas) {
        return Err(Refusal {
            why: format!("property {formula} is a formula over actions; name another one"),
        });
    }
    if chosen.is_empty() {
        return refuse("there is no property to write");
    }
    let several = chosen.len() > 1;
    let other = if several { "; name another one" } else { "" };
    let or_another = |r: Refusal| Refusal { why: format!("{}{other}", r.why) };
    chosen.into_iter().map(|p| file(export.program, p).map_err(or_another)).collect()
}

fn file(program: &Program, property: &Property) -> Result<File, Refusal> {
    let text = query(program, property)
        .map_err(|refusal| Refusal { why: format!("property {}: {}", property.name, refusal.why) })?;
    Ok(File { name: format!("{}.mcl", plain(&property.name)), text })
}

/// A name that files and scripts can have.
pub(crate) fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// The parameters of a query.
struct Query {
    /// The cells that parameters follow.
    cells: Vec<Cell>,
    /// What it remembers besides them, in a parameter called `memory`, and what that is at first.
    memory: Option<i64>,
}

/// A list in brackets, unless it is empty.
fn listed(parts: Vec<String>) -> String {
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
}

impl Query {
    fn names(&self) -> Vec<String> {
        self.cells.iter().map(|c| c.name.clone()).collect()
    }

    /// The cells, as arguments of a macro.
    fn cells(&self) -> String {
        listed(self.names())
    }

    /// All parameters with values that are not changed.
    fn arguments(&self) -> String {
        self.remember("memory")
    }

    /// All parameters, of which only the memory has another value.
    fn remember(&self, memory: &str) -> String {
        let more = self.memory.map(|_| memory.to_string());
        listed(self.names().into_iter().chain(more).collect())
    }

    /// The parameters of a fixed point, with the values they start with.
    fn parameters(&self, start: impl Fn(&str) -> String) -> String {
        let one = |c: &Cell| format!("{}:Int := {}", c.name, start(&c.name));
        let more = self.memory.map(|start| format!("memory:Int := {start}"));
        listed(self.cells.iter().map(one).chain(more).collect())
    }

    /// What happens after a label, for a fixed point called `name`: `complete` when a step is complete, the same with one
    /// parameter changed after an assignment to it, and the same after everything else.
    fn follow(&self, name: &str, open: &str, close: &str, complete: &str) -> Vec<String> {
        let mut out = vec![format!("{open}{{START}} or {{STEP ...}}{close} {complete}")];
        for (i, cell) in self.cells.iter().enumerate() {
            cancel::check_now();
            let mut names = self.names();
            names[i] = "v".to_string();
            names.extend(self.memory.map(|_| "memory".to_string()));
            out.push(format!("{open}{{{} ?v:Int}}{close} {name}{}", cell.label, listed(names)));
        }
        let mut seen = vec!["{START}".to_string(), "{STEP ...}".to_string()];
        seen.extend(self.cells.iter().map(|c| format!("{{{} ?any}}", c.label)));
        out.push(format!("{open}not ({}){close} {name}{}", seen.join(" or "), self.arguments()));
        out
    }

    /// A condition as a macro.
    fn condition(&self, name: &str, text: &str) -> Vec<String> {
        let head = format!("macro {name}{} =", self.cells());
        vec![head, format!("   {text}"), "end_macro".to_string(), String::new()]
    }
}

fn query(program: &Program, property: &Property) -> Result<String, Refusal> {
    let mut out = vec![
        format!("(* {} *)", print::property_to_string(program, property).replace("*)", "* )")),
        String::new(),
    ];
    if let Modality::Scoped { .. } = property.modality {
        return scope::query(program, property, out);
    }
    let conditions = Conditions::new(program, &[&property.predicate])?;
    let memory = match property.modality {
        // The steps that are left, and the beginning, which counts like one.
        Modality::After(steps) => Some(i64::from(steps) + 1),
        _ => None,
    };
    let query = Query { cells: conditions.cells, memory };
    out.extend(query.condition("Predicate", &conditions.texts[0]));
    let arguments = query.arguments();
    let predicate = format!("Predicate{}", query.cells());
    let reach = || {
        let start = query.parameters(|name| format!("from_{name}"));
        let formal = listed(query.cells.iter().map(|c| format!("from_{}", c.name)).collect());
        let complete = format!("({predicate} or R{arguments})");
        vec![
            "(* Some execution goes on to a state that satisfies the predicate. *)".to_string(),
            format!("macro Reach{formal} ="),
            format!("   mu R{start} . ("),
            format!("      {}", query.follow("R", "< ", " >", &complete).join("\n      or\n      ")),
            "   )".to_string(),
            "end_macro".to_string(),
            String::new(),
        ]
    };
    let (fixed_point, name, first, complete) = match &property.modality {
        Modality::Always => ("nu", "Inv", "", format!("({predicate} and Inv{arguments})")),
        Modality::FairlyInf => {
            out.extend(reach());
            ("nu", "Inv", "", format!("(({predicate} or Reach{arguments}) and Inv{arguments})"))
        }
        Modality::Fairly => {
            out.extend(reach());
            ("nu", "Inv", "", format!("({predicate} or (Reach{arguments} and Inv{arguments}))"))
        }
        // An execution that stops without the predicate has missed it: there must be a way on.
        Modality::Eventually | Modality::Finally => {
            ("mu", "Ev", "< true > true\n   and\n   ", format!("({predicate} or Ev{arguments})"))
        }
        Modality::After(_) => {
            let next = query.remember("(memory - 1)");
            ("nu", "Inv", "", format!("(((memory = 1) and {predicate}) or ((memory > 1) and Inv{next}))"))
        }
        Modality::Scoped { .. } | Modality::Linear(_) => {
            return predicate::refuse(
                "LTL formulas are not supported as queries; `swarmcheck verify` decides them",
            );
        }
    };
    fixed(&query, &mut out, fixed_point, name, first, &complete);
    Ok(out.join("\n") + "\n")
}

/// The formula itself: along all executions.
fn fixed(query: &Query, out: &mut Vec<String>, fixed_point: &str, name: &str, first: &str, complete: &str) {
    out.push(format!("{fixed_point} {name}{} . (", query.parameters(|_| "0".to_string())));
    out.push(format!("   {first}{}", query.follow(name, "[ ", " ]", complete).join("\n   and\n   ")));
    out.push(")".to_string());
}
