//! Target `mcl`: each property as a query in MCL, the temporal logic of CADP's model checker, for the labels of the LNT
//! programs.
//!
//! The queries follow listings 2 and 3 of the ATLAS paper: parameters of a fixed point follow the cells that the
//! predicate speaks of, from one `ASSIGN` label to the next. They differ from the listings in two things. The predicate
//! is looked at only when a step is complete, after `START` and `STEP`: an action that assigns two variables, or a message
//! that reaches two agents, is several labels but one step. And parameters start with 0 instead of being captured by a
//! prefix of the query: before `START` there is a label for every cell, so when the predicate is first looked at they have
//! their values.

mod predicate;

use crate::{Export, File, Refusal};
use predicate::Predicate;
use swarmcheck_ir::{Modality, Program, Property, print};

/// Writes one file for the property that is asked for, or one for each.
pub fn write(export: &Export<'_>) -> Result<Vec<File>, Refusal> {
    if export.bound.is_some() {
        return Err(Refusal {
            why: "MCL queries look at executions without a bound; leave out --steps".to_string(),
        });
    }
    let all = &export.program.properties;
    let chosen: Vec<&Property> = match export.property {
        Some(number) => all.get(number).into_iter().collect(),
        None => all.iter().collect(),
    };
    if chosen.is_empty() {
        return Err(Refusal { why: "there is no property to write".to_string() });
    }
    let several = chosen.len() > 1;
    let other = if several { "; name another one with --property" } else { "" };
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

/// What a query is made of.
struct Query {
    predicate: Predicate,
}

impl Query {
    /// The parameters with values that are not changed.
    fn arguments(&self) -> String {
        let names: Vec<&str> = self.predicate.cells.iter().map(|c| c.name.as_str()).collect();
        if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) }
    }

    /// The parameters of a fixed point, with the values they start with.
    fn parameters(&self, start: impl Fn(&str) -> String) -> String {
        let one = |c: &predicate::Cell| format!("{}:Int := {}", c.name, start(&c.name));
        let all: Vec<String> = self.predicate.cells.iter().map(one).collect();
        if all.is_empty() { String::new() } else { format!(" ({})", all.join(", ")) }
    }

    /// What happens after a label, for a fixed point called `name`: `complete` when a step is complete, the same with one
    /// parameter changed after an assignment to it, and the same after everything else.
    fn follow(&self, name: &str, open: &str, close: &str, complete: &str) -> Vec<String> {
        let cells = &self.predicate.cells;
        let arguments = self.arguments();
        let mut out = vec![format!("{open}{{START}} or {{STEP ...}}{close} {complete}")];
        for (i, cell) in cells.iter().enumerate() {
            let names = cells.iter().enumerate().map(|(j, c)| if i == j { "v" } else { c.name.as_str() });
            let names = names.collect::<Vec<_>>().join(", ");
            out.push(format!("{open}{{{} ?v:Int}}{close} {name} ({names})", cell.label));
        }
        let mut seen = vec!["{START}".to_string(), "{STEP ...}".to_string()];
        seen.extend(cells.iter().map(|c| format!("{{{} ?any}}", c.label)));
        out.push(format!("{open}not ({}){close} {name}{arguments}", seen.join(" or ")));
        out
    }
}

fn query(program: &Program, property: &Property) -> Result<String, Refusal> {
    let query = Query { predicate: Predicate::new(program, &property.predicate)? };
    let arguments = query.arguments();
    let predicate = format!("Predicate{arguments}");
    let from_zero = query.parameters(|_| "0".to_string());
    let all_paths =
        |name: &str, complete: &str| query.follow(name, "[ ", " ]", complete).join("\n   and\n   ");
    let mut out = vec![
        format!("(* {} *)", print::property_to_string(program, property).replace("*)", "* )")),
        String::new(),
        format!("macro Predicate{arguments} ="),
        format!("   {}", query.predicate.text),
        "end_macro".to_string(),
        String::new(),
    ];
    let reach = || {
        let start = query.parameters(|name| format!("from_{name}"));
        let formal = query.predicate.cells.iter().map(|c| format!("from_{}", c.name)).collect::<Vec<_>>();
        let formal = if formal.is_empty() { String::new() } else { format!(" ({})", formal.join(", ")) };
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
            return predicate::refuse("a query cannot count steps and stop; `swarmcheck verify` can");
        }
        Modality::Scoped { .. } => {
            return predicate::refuse("scopes are not written as queries; `swarmcheck verify` decides them");
        }
        Modality::Linear(_) => {
            return predicate::refuse(
                "formulas of linear time are not written as queries; `swarmcheck verify` decides them",
            );
        }
    };
    out.push(format!("{fixed_point} {name}{from_zero} . ("));
    out.push(format!("   {first}{}", all_paths(name, &complete)));
    out.push(")".to_string());
    Ok(out.join("\n") + "\n")
}
