//! The program on paper: a pseudo-language in the spirit of figure 4.6 of the thesis.
//!
//! It is for people and for tests that compare text; nothing reads it back. `lo..hi` includes both ends, `lo..<hi`
//! only the first. `x[me]` is an agent's copy of `x`, `x[me][i, j]` a cell of an array. Bound agents are called `a`,
//! `b`, `c`, … by their index. The schedule is not shown because it is always the same: one function, run by one
//! agent for which it is enabled, after the other.

mod expr;
mod names;
#[cfg(test)]
mod round_trip;
mod stmt;
#[cfg(test)]
mod tests;

use crate::arith::Value;
use crate::expr::Expr;
use crate::linear::Linear;
use crate::program::{Function, KindId, Local, Program, Role, Rule, Var};
use crate::property::{Inside, Modality, Property};
use expr::Exprs;
use names::{Names, Scope};
use stmt::{Stmts, line};

pub fn print(program: &Program) -> String {
    let names = Names::new(program);
    let mut out = String::new();
    for kind in &program.kinds {
        let agents = match kind.count {
            0 => "none".to_string(),
            1 => kind.first.to_string(),
            n => format!("{}..{}", kind.first, u64::from(kind.first) + u64::from(n) - 1),
        };
        line(&mut out, 0, &format!("agents {} {agents}", kind.name));
    }
    variables(&mut out, program, &names);
    out.push_str("\ninit {\n");
    block(&mut out, 1, &names.scope(&program.init_locals), &program.init_locals, &program.init);
    out.push_str("}\n");
    for f in &program.functions {
        out.push('\n');
        function(&mut out, program, &names, f);
    }
    if !program.properties.is_empty() {
        out.push('\n');
    }
    for property in &program.properties {
        line(&mut out, 0, &claim(&names, property));
    }
    out
}

/// A number-valued expression. `locals` are those of the function it stands in; none for properties.
pub fn expr_to_string(program: &Program, locals: &[Local], e: &Expr) -> String {
    Exprs { names: &Names::new(program).scope(locals) }.number(e)
}

/// A condition: as [`expr_to_string`], with `true` and `false` for the constants.
pub fn condition_to_string(program: &Program, locals: &[Local], e: &Expr) -> String {
    Exprs { names: &Names::new(program).scope(locals) }.condition(e)
}

/// What the locals are called: their names, with a number where a name is taken.
pub fn local_names(program: &Program, locals: &[Local]) -> Vec<String> {
    Names::new(program).scope(locals).into_locals()
}

/// A value, with ⊥ as `undef`.
pub fn value_to_string(value: Value) -> String {
    expr::value(value)
}

/// `property LeaderIs0: finally forall a in Node: leader[a] = 0`.
pub fn property_to_string(program: &Program, property: &Property) -> String {
    claim(&Names::new(program), property)
}

fn claim(names: &Names<'_>, property: &Property) -> String {
    let exprs = Exprs { names: &names.scope(&[]) };
    let predicate = exprs.condition(&property.predicate);
    let claim = match &property.modality {
        Modality::Always => format!("always {predicate}"),
        Modality::Eventually => format!("eventually {predicate}"),
        Modality::Finally => format!("finally {predicate}"),
        Modality::Fairly => format!("fairly {predicate}"),
        Modality::FairlyInf => format!("fairly_inf {predicate}"),
        Modality::After(1) => format!("after 1 step, {predicate}"),
        Modality::After(steps) => format!("after {steps} steps, {predicate}"),
        Modality::Scoped { open, start, end, inside } => {
            let (opens, closes) = if *open { ("from", "until") } else { ("between", "and") };
            let inside = match inside {
                Inside::Always => format!("always {predicate}"),
                Inside::ThereIs => format!("thereIs {predicate}"),
                Inside::Precedes(first) => {
                    let predicate = exprs.condition_in_words(&property.predicate);
                    format!("{} precedes {predicate}", exprs.condition_in_words(first))
                }
            };
            format!("{opens} ({}) {closes} ({}), {inside}", exprs.condition(start), exprs.condition(end))
        }
        Modality::Linear(linear) => linear_to_string(&linear.formula, &|e| exprs.condition(e)),
    };
    let vacuous = if property.vacuous { "  # some quantifier ranges over nobody" } else { "" };
    format!("property {}: {claim}{vacuous}", property.name)
}

/// A formula of linear time, every operand in parentheses.
fn linear_to_string<A>(formula: &Linear<A>, atom: &dyn Fn(&A) -> String) -> String {
    let inner = |f: &Linear<A>| format!("({})", linear_to_string(f, atom));
    let all = |parts: &[Linear<A>], word: &str, none: &str| match parts {
        [] => none.to_string(),
        parts => parts.iter().map(inner).collect::<Vec<_>>().join(word),
    };
    match formula {
        Linear::Atom(a) => atom(a),
        Linear::Not(a) => format!("not {}", inner(a)),
        Linear::And(parts) => all(parts, " and ", "true"),
        Linear::Or(parts) => all(parts, " or ", "false"),
        Linear::Next(a) => format!("X {}", inner(a)),
        Linear::Until(a, b) if matches!(&**a, Linear::And(parts) if parts.is_empty()) => {
            format!("F {}", inner(b))
        }
        Linear::Release(a, b) if matches!(&**a, Linear::Or(parts) if parts.is_empty()) => {
            format!("G {}", inner(b))
        }
        Linear::Until(a, b) => format!("{} U {}", inner(a), inner(b)),
        Linear::Release(a, b) => format!("{} R {}", inner(a), inner(b)),
    }
}

fn variables(out: &mut String, program: &Program, names: &Names<'_>) {
    let lines: Vec<String> = program.vars.iter().map(|v| variable(names, v)).collect();
    let width = lines.iter().map(|l| l.chars().count()).max().unwrap_or(0);
    if !lines.is_empty() {
        out.push('\n');
    }
    for (text, var) in lines.iter().zip(&program.vars) {
        line(out, 0, &format!("{text:width$}  # {}", role(names, var)));
    }
}

fn variable(names: &Names<'_>, var: &Var) -> String {
    let owners = var.owners.iter().map(|kinds| format!("[{}]", names.kinds(kinds)));
    let sizes = var.dimensions.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    let sizes = (!sizes.is_empty()).then(|| format!("[{sizes}]"));
    let domain = var.domain.map_or("integer".to_string(), |(lo, hi)| format!("{lo}..{hi}"));
    let undef = if var.may_be_undef { " or undef" } else { "" };
    let name: String = std::iter::once(var.name.clone()).chain(owners).chain(sizes).collect();
    format!("var {name}: {domain}{undef}")
}

fn role(names: &Names<'_>, var: &Var) -> String {
    match &var.role {
        Role::Data { arrow, order: None } => format!("data {arrow}"),
        Role::Data { arrow, order: Some(order) } => format!("data {arrow}, as new as {}", names.var(*order)),
        Role::Location => "location".to_string(),
        Role::Order => "order".to_string(),
        Role::Pending => "pending".to_string(),
        Role::Turn => "turn".to_string(),
        Role::Step => "step just made".to_string(),
    }
}

fn function(out: &mut String, program: &Program, names: &Names<'_>, f: &Function) {
    let (word, comment) = match &f.rule {
        Rule::Action { words, .. } => ("action", words.clone()),
        Rule::System { verb, object, .. } => ("message", format!("{verb} '{object}'")),
    };
    let head = format!("{word} {}(me)", f.name);
    line(out, 0, &format!("{head:28} # {comment}"));
    let scope = names.scope(&f.locals);
    if !everybody(program, &f.owners) {
        line(out, 1, &format!("by {}", names.kinds(&f.owners)));
    }
    if !f.entry.is_empty() {
        let parts = f.entry.iter().map(|(pc, at)| format!("{}[me] = {}", names.var(*pc), expr::value(*at)));
        line(out, 1, &format!("at {}", parts.collect::<Vec<_>>().join(" and ")));
    }
    if f.guard != Expr::TRUE {
        line(out, 1, &format!("when {}", Exprs { names: &scope }.condition(&f.guard)));
    }
    line(out, 1, "do");
    block(out, 2, &scope, &f.locals, &f.body);
}

/// Whether every agent is of one of the kinds: then it is not worth saying.
fn everybody(program: &Program, owners: &[KindId]) -> bool {
    (0..program.kinds.len() as u32).all(|k| owners.contains(&KindId(k)))
}

fn block(out: &mut String, depth: usize, scope: &Scope<'_>, locals: &[Local], body: &[crate::Stmt]) {
    let lengths = locals.iter().map(|l| l.length).collect();
    Stmts { exprs: Exprs { names: scope }, lengths }.block(out, depth, body);
}
