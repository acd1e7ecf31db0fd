//! Properties with a scope as queries: the automaton of `swarmcheck_passes::monitor`, whose state a parameter remembers.
//!
//! The monitor is a block of statements that every step ends with: conditions, and assignments to one variable. It is run
//! here for each value of that variable, and becomes a decision over the property's conditions at whose ends the fixed
//! point goes on with the next value. The value of a violation is where nothing holds any more.

use super::predicate::{Conditions, refuse};
use super::{Query, fixed};
use crate::Refusal;
use swarmcheck_ir::{BinaryOp, Expr, Modality, Program, Property, Stmt, VarId};
use swarmcheck_passes::monitor::{self, Monitored};

/// The query, after what stands before it.
pub(super) fn query(program: &Program, property: &Property, mut out: Vec<String>) -> Result<String, Refusal> {
    let Some(number) = program.properties.iter().position(|p| p == property) else {
        return refuse("it is not a property of the program");
    };
    let Monitored { program: monitored, state, bad, waiting } = monitor::monitor(program, number);
    if waiting.is_some() {
        return refuse(
            "a scope that must not wait forever cannot be written as a query; `swarmcheck verify` decides it",
        );
    }
    let Some(update) = monitored.init.get(program.init.len()..) else {
        return refuse("its monitor variable was not found");
    };
    let mut tests = Tests { property, state, bad, found: vec![] };
    let values = (0..bad).map(|value| tests.run(update.to_vec(), value)).collect::<Result<Vec<_>, _>>()?;
    let expressions: Vec<&Expr> = tests.found.iter().map(|(_, e)| e).collect();
    let conditions = Conditions::new(program, &expressions)?;
    let query = Query { cells: conditions.cells, memory: Some(0) };
    for ((name, _), text) in tests.found.iter().zip(&conditions.texts) {
        out.extend(query.condition(name, text));
    }
    let cases = values
        .iter()
        .enumerate()
        .map(|(value, tree)| format!("((memory = {value}) and {})", tree.text(&query)));
    let complete = format!("({})", cases.collect::<Vec<_>>().join("\n      or\n      "));
    fixed(&query, &mut out, "nu", "Inv", "", &complete);
    Ok(out.join("\n") + "\n")
}

/// A decision over conditions, and what to remember afterwards; `None` if the property is violated.
#[derive(Clone, PartialEq)]
enum Tree {
    Remember(Option<i64>),
    When(&'static str, Box<Tree>, Box<Tree>),
}

impl Tree {
    fn text(&self, query: &Query) -> String {
        match self {
            Tree::Remember(None) => "false".to_string(),
            Tree::Remember(Some(value)) => format!("Inv{}", query.remember(&value.to_string())),
            Tree::When(name, yes, no) => {
                let test = format!("{name}{}", query.cells());
                format!("(({test} and {}) or ((not {test}) and {}))", yes.text(query), no.text(query))
            }
        }
    }
}

/// The conditions that a monitor tests, with names for them.
struct Tests<'a> {
    property: &'a Property,
    state: VarId,
    bad: i64,
    found: Vec<(&'static str, Expr)>,
}

impl Tests<'_> {
    /// Runs statements from a value of the monitor's variable.
    fn run(&mut self, block: Vec<Stmt>, value: i64) -> Result<Tree, Refusal> {
        let mut rest = block.into_iter();
        match rest.next() {
            None => Ok(Tree::Remember((value != self.bad).then_some(value))),
            Some(Stmt::Assign(place, Expr::Const(to))) if place.var == self.state => {
                self.run(rest.collect(), to)
            }
            Some(Stmt::If(condition, yes, no)) => {
                let rest: Vec<Stmt> = rest.collect();
                let then = |branch: Vec<Stmt>| branch.into_iter().chain(rest.iter().cloned()).collect();
                if let Some(known) = self.known(&condition, value) {
                    return self.run(then(if known { yes } else { no }), value);
                }
                let (yes, no) = (self.run(then(yes), value)?, self.run(then(no), value)?);
                // Conditions are also evaluated only to see whether that is possible.
                if yes == no {
                    return Ok(yes);
                }
                Ok(Tree::When(self.name(condition)?, Box::new(yes), Box::new(no)))
            }
            Some(_) => refuse("its monitor has an unexpected form"),
        }
    }

    /// The truth of a condition about the monitor's variable.
    fn known(&self, condition: &Expr, value: i64) -> Option<bool> {
        match condition {
            Expr::Binary(BinaryOp::Eq, a, b, _) => match (a.as_ref(), b.as_ref()) {
                (Expr::Read(place), Expr::Const(n)) if place.var == self.state => Some(value == *n),
                _ => None,
            },
            _ => None,
        }
    }

    /// The name of a condition: what it is in the property. That a scope opens is the only one that is put together.
    fn name(&mut self, condition: Expr) -> Result<&'static str, Refusal> {
        if let Some((name, _)) = self.found.iter().find(|(_, e)| *e == condition) {
            return Ok(name);
        }
        let Modality::Scoped { end, inside, .. } = &self.property.modality else {
            return refuse("it has no scope");
        };
        let is_first = matches!(inside, swarmcheck_ir::Inside::Precedes(first) if *first == condition);
        let name = match condition {
            _ if condition == *end => "Closes",
            _ if is_first => "First",
            _ if condition == self.property.predicate => "Predicate",
            _ => "Opens",
        };
        if self.found.iter().any(|(known, _)| *known == name) {
            return refuse("its monitor has an unknown condition");
        }
        self.found.push((name, condition));
        Ok(name)
    }
}
