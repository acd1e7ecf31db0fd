//! Quantified invariants in the words of the model.

use swarmcheck_ir::program::Role;
use swarmcheck_ir::{Program, UNDEF};
use swarmcheck_parametric::clause::{Cell, Clause, Fact, Literal};

/// The parts of an invariant besides the property, a line each.
pub(super) fn invariant(program: &Program, clauses: &[Clause]) -> Vec<String> {
    clauses.iter().map(|clause| line(program, clause)).collect()
}

/// `for every Careful a: not (busy = 0 and agent of a = 1)`.
fn line(program: &Program, clause: &Clause) -> String {
    let kind = |at: usize| program.kind(clause.kinds[at]).name.as_str();
    let about = match clause.kinds.len() {
        0 => String::new(),
        1 => format!("for every {} a: ", kind(0)),
        _ if clause.kinds[0] == clause.kinds[1] => format!("for all different {} a, b: ", kind(0)),
        _ => format!("for every {} a, {} b: ", kind(0), kind(1)),
    };
    if let [one] = &clause.never[..] {
        return format!("{about}{}", words(program, Literal { holds: !one.holds, ..*one }));
    }
    let never: Vec<String> = clause.never.iter().map(|literal| words(program, *literal)).collect();
    format!("{about}not ({})", never.join(" and "))
}

fn words(program: &Program, literal: Literal) -> String {
    let Literal { fact, holds } = literal;
    let signs = |yes: &'static str, no: &'static str| if holds { yes } else { no };
    match fact {
        Fact::Is(of, UNDEF) => format!("{} {} undef", cell(program, of), signs("=", "!=")),
        Fact::Is(of, value) => format!("{} {} {value}", cell(program, of), signs("=", "!=")),
        Fact::Same(a, b) => format!("{} {} {}", cell(program, a), signs("=", "!="), cell(program, b)),
        Fact::Less(a, b) => {
            format!("{} is {} than {}", cell(program, a), signs("older", "not older"), cell(program, b))
        }
        Fact::Names(of, agent) => {
            format!("{} {} {}", cell(program, of), signs("is", "is not"), letter(agent))
        }
        Fact::Some(kind, of, value) => {
            let value = if value == UNDEF { "undef".to_string() } else { value.to_string() };
            let who = &program.kind(kind).name;
            let cell = cell(program, Cell { agent: None, ..of });
            format!("{} {who} has {cell} = {value}", signs("some", "no"))
        }
        Fact::Earlier => signs("id of a < id of b", "id of a > id of b").to_string(),
    }
}

fn letter(agent: u8) -> &'static str {
    if agent == 0 { "a" } else { "b" }
}

fn cell(program: &Program, cell: Cell) -> String {
    let var = program.var(cell.var);
    let index = match var.dimensions.is_empty() {
        true => String::new(),
        false => {
            let index = swarmcheck_ir::cells::indices(&var.dimensions, cell.index);
            format!("[{}]", index.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
        }
    };
    let last = var.name.rsplit('.').next().unwrap_or(&var.name);
    let name = match var.role {
        Role::Location if var.owners.is_some() => format!("place {last}"),
        Role::Location => format!("the scope of {last}"),
        Role::Pending => format!("pending {}", var.name),
        Role::Order => last.to_string(),
        _ => var.name.clone(),
    };
    let of = cell.agent.map_or(String::new(), |agent| format!(" of {}", letter(agent)));
    format!("{name}{index}{of}")
}
