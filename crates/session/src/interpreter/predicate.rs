//! Predicates that a client asks about while a model is interpreted: which initial states satisfy one, and when a run comes to one.
//!
//! A predicate is read as that of `--reach` is: behind the text of the model, in the language of its properties. What comes of it is
//! an expression over the variables of the program, which is evaluated in the program of the interpreter.

use super::protocol::{InterpreterRefusal, StartsData};
use super::starts::each_start_within;
use crate::open::{ModelOptions, Prepared, Trouble, prepare};
use crate::start::{Begin, begin};
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::trace::view::Clock;
use swarmcheck_ir::flat::{Flat, Machine};
use swarmcheck_ir::{Expr, Fault, Modality, Program, Property, Stmt, Value};
use swarmcheck_simulate::{Rng, Starts};
use swarmcheck_source::{Span, data};

/// So many ways to choose are tried before the list of initial states ends.
const TRIES: u64 = 200_000;

/// A predicate, and the model that it was read with.
pub(super) struct Predicate {
    asked: Prepared,
    satisfied: Expr,
}

impl Predicate {
    /// Reads a predicate.
    pub(super) fn read(prepared: &Prepared, text: &str) -> Result<Predicate, InterpreterRefusal> {
        let options = ModelOptions { reach: Some(text.to_string()), ..prepared.options.clone() };
        let file = &prepared.file;
        let asked = prepare(file.name(), file.text().as_bytes(), options).map_err(|trouble| {
            let diagnostics = match trouble {
                Trouble::File(file, list) => list.iter().map(|d| data::diagnostic(&file, d)).collect(),
                _ => vec![],
            };
            InterpreterRefusal::Predicate { diagnostics }
        })?;
        let known =
            |(a, b): (&swarmcheck_ir::Var, &swarmcheck_ir::Var)| a.name == b.name && a.owners == b.owners;
        let (own, others) = (&prepared.flat.program.vars, &asked.flat.program.vars);
        let mut ways = vec![];
        for property in asked.reach().into_iter().map(|number| &asked.flat.program.properties[number]) {
            // What the program has is that the predicate never holds.
            if property.modality == Modality::Always && own.iter().zip(others).all(known) {
                ways.push(Expr::not(property.predicate.clone()));
            }
        }
        if ways.is_empty() {
            return Err(InterpreterRefusal::Predicate { diagnostics: vec![] });
        }
        // Where a predicate can be read in two ways, one of them is enough.
        let satisfied = Expr::or(ways);
        Ok(Predicate { asked, satisfied })
    }

    /// The initial states that satisfy it, at most so many, and whether there may be more.
    pub(super) fn starts(mut self, prepared: &Prepared, limit: usize) -> (Vec<Vec<Value>>, bool) {
        let mut program = Program::clone(&prepared.flat.program);
        program.init.push(Stmt::Assume(self.satisfied));
        self.asked.flat = Flat::new(program);
        // One of them, or the proof that there is none, is found without listing them.
        let starts = Starts::new(&self.asked.flat);
        let one = match begin(&self.asked, &starts, Rng::new(0), &AtomicBool::new(false)) {
            Ok(Begin::Ready(run)) => Some(run.state().to_vec()),
            Ok(Begin::Never) => return (vec![], false),
            _ => None,
        };
        let mut found: Vec<Vec<Value>> = vec![];
        let all = each_start_within(&self.asked, TRIES, &mut |state| {
            let room = found.len() < limit;
            if room {
                found.push(state.to_vec());
            }
            room
        });
        if found.is_empty() && limit > 0 {
            found.extend(one);
        }
        (found, !all)
    }

    /// What decides it in states of the interpreter's program.
    pub(super) fn test(self, prepared: &Prepared) -> PredicateTest {
        let mut program = Program::clone(&prepared.flat.program);
        program.properties = vec![Property {
            name: String::new(),
            modality: Modality::Always,
            predicate: self.satisfied,
            span: Span::default(),
            vacuous: false,
        }];
        let flat = Flat::new(program);
        let machine = Machine::new(&flat);
        PredicateTest { flat, machine }
    }
}

/// Decides a predicate in states.
pub(super) struct PredicateTest {
    flat: Flat,
    machine: Machine,
}

impl PredicateTest {
    pub(super) fn holds(&mut self, state: &[Value]) -> Result<bool, Fault> {
        self.flat.holds(&mut self.machine, 0, state)
    }
}

/// Initial states as data.
pub(super) fn listed(prepared: &Prepared, states: &[Vec<Value>], more: bool) -> StartsData {
    let one = |state: &Vec<Value>| super::values(&Clock::new(&prepared.flat, state), state);
    StartsData { starts: states.iter().map(one).collect(), more }
}
