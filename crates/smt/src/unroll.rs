//! Executions of growing length as formulas: a copy of every variable for every state.

use crate::formula::Formula;
use crate::problem::Problem;
use crate::sexp::Sexp;
use crate::solver::{Satisfiable, Solver, Talk};
use crate::system::{Made, Refusal};
use crate::text::{Scope, Variable, all, any, chosen, quoted};
use swarmcheck_engine::{Reason, SolverName};
use swarmcheck_ir::{UNDEF, Value};
use swarmcheck_steps::execute::Step;
use swarmcheck_steps::terms::TermId;

/// The condition that an execution begins with an initial state.
pub const START: &str = "start";

/// States one after the other, in a dialogue with a solver.
pub struct Unrolling<'p, 's> {
    problem: &'p Problem,
    variables: Vec<Variable>,
    pub(crate) solver: Solver<'s>,
    /// The definitions of each state, and how many of them the solver knows.
    scopes: Vec<(Scope<'p>, usize)>,
}

fn told(refusal: Refusal) -> Reason {
    Reason::Unsupported(refusal.why)
}

fn ending(state: usize) -> String {
    format!("@{state}")
}

impl<'p, 's> Unrolling<'p, 's> {
    /// One state, which is an initial one if [`START`] holds.
    pub fn new(problem: &'p Problem, name: SolverName, talk: Talk<'s>) -> Result<Unrolling<'p, 's>, Reason> {
        let solver = Solver::linear(name, talk)?;
        let variables = problem.system.text.variables();
        let mut unrolling = Unrolling { problem, variables, solver, scopes: vec![] };
        unrolling.state();
        unrolling.solver.say(&format!("(declare-const {START} Bool)\n"));
        unrolling.choices(0, &[&problem.system.initial]);
        let way = unrolling.way(0, &problem.system.initial, 0)?;
        unrolling.solver.say(&format!("(assert (=> {START} {way}))\n"));
        Ok(unrolling)
    }

    /// The number of the last state.
    pub fn last(&self) -> usize {
        self.scopes.len() - 1
    }

    /// Declares one more state.
    fn state(&mut self) {
        let ending = ending(self.scopes.len());
        for Variable { name, sort, .. } in &self.variables {
            self.solver.say(&format!("(declare-const {} {sort})\n", quoted(&format!("{name}{ending}"))));
        }
        self.scopes.push((self.problem.system.text.scope(&ending), 0));
    }

    fn choices(&mut self, state: usize, steps: &[&Step]) {
        let terms = steps.iter().flat_map(|step| step.terms());
        for choice in self.problem.system.text.choices(terms) {
            self.solver.say(&format!("(declare-const {}{} Int)\n", chosen(choice), ending(state)));
        }
    }

    /// Tells the solver the definitions of a state that it does not know.
    fn define(&mut self, state: usize) {
        let (scope, known) = &mut self.scopes[state];
        for (name, sort, text) in &scope.lines[*known..] {
            self.solver.say(&format!("(define-fun {name} () {sort} {text})\n"));
        }
        *known = scope.lines.len();
    }

    /// A step from one state that leads to another, as one formula.
    fn way(&mut self, from: usize, step: &Step, to: usize) -> Result<String, Reason> {
        let made = self.problem.system.made(step, &self.variables, &mut self.scopes[from].0).map_err(told)?;
        self.define(from);
        let Made { requires, after, .. } = made;
        let name = |variable: &Variable| quoted(&format!("{}{}", variable.name, ending(to)));
        let written = self.variables.iter().zip(after);
        let written = written.map(|(variable, after)| format!("(= {} {after})", name(variable)));
        Ok(all(requires.into_iter().chain(written).collect()))
    }

    /// One more step and the state after it.
    pub fn deepen(&mut self) -> Result<(), Reason> {
        let from = self.last();
        self.state();
        let problem = self.problem;
        let steps: Vec<&Step> = problem.system.steps.iter().map(|(_, step)| step).collect();
        self.choices(from, &steps);
        let mut ways = vec![];
        for step in steps {
            ways.push(self.way(from, step, from + 1)?);
        }
        self.solver.say(&format!("(assert {})\n", any(ways)));
        Ok(())
    }

    /// A condition in a state, as text.
    pub fn condition(&mut self, term: TermId, state: usize) -> Result<String, Reason> {
        let truth = self.scopes[state].0.term(term).map_err(told)?.truth();
        self.define(state);
        Ok(truth)
    }

    /// That a state is bad, see [`Problem::bad`].
    pub fn bad(&mut self, rounds: Option<u32>, state: usize) -> Result<String, Reason> {
        let bad = self.problem.bad(rounds, &mut self.scopes[state].0).map_err(told)?;
        self.define(state);
        Ok(bad)
    }

    /// That the program is in the same state, as in a cycle: what counts rounds does not matter.
    pub fn same_program(&self, one: usize, other: usize) -> String {
        self.same_below(self.problem.width, one, other)
    }

    /// That two states are the same, counted rounds included. A bad state may be one with many rounds, and the way to it may come
    /// to the same state of the program twice; only states that agree in this sense can be skipped on it.
    pub fn same(&self, one: usize, other: usize) -> String {
        self.same_below(u32::MAX, one, other)
    }

    /// The number of what is undefined does not matter.
    fn same_below(&self, width: u32, one: usize, other: usize) -> String {
        let named = |name: &str, state: usize| quoted(&format!("{name}{}", ending(state)));
        let mut parts = vec![];
        for variable in self.variables.iter().filter(|variable| variable.slot < width) {
            let (a, b) = (named(&variable.name, one), named(&variable.name, other));
            let flag = self
                .variables
                .iter()
                .find(|v| v.slot == variable.slot && v.sort == "Bool" && variable.sort == "Int");
            parts.push(match flag {
                Some(flag) => format!("(or (not {}) (= {a} {b}))", named(&flag.name, one)),
                None => format!("(= {a} {b})"),
            });
        }
        all(parts)
    }

    /// Gives a name to a condition.
    pub fn name(&mut self, name: &str, condition: &str) {
        self.solver
            .say(&format!("(define-fun {name}.is () Bool {condition})\n(declare-const {name} Bool)\n"));
        self.solver.say(&format!("(assert (= {name} {name}.is))\n"));
    }

    /// From now on, this condition holds.
    pub fn assert(&mut self, condition: &str) {
        self.solver.say(&format!("(assert {condition})\n"));
    }

    /// From now on, a formula holds in a state, if a condition does.
    pub fn assume(&mut self, when: &str, formula: &Formula, state: usize) {
        let text = formula.text(&ending(state));
        self.solver.say(&format!("(assert (=> {when} {text}))\n"));
    }

    /// Whether there is an execution with these conditions, which have names.
    pub fn check(&mut self, assumed: &[&str]) -> Result<Satisfiable, Reason> {
        self.solver.check(assumed)
    }

    /// Whether names are true in the execution that was found.
    pub fn truths(&mut self, names: &[String]) -> Result<Vec<bool>, Reason> {
        let values = self.solver.values(names)?;
        Ok(values.into_iter().map(|value| value == Sexp::atom("true")).collect())
    }

    /// The states of the execution that was found.
    pub fn states(&mut self) -> Result<Vec<Vec<Value>>, Reason> {
        let count = self.scopes.len();
        let names: Vec<String> = (0..count)
            .flat_map(|state| {
                self.variables.iter().map(move |v| quoted(&format!("{}{}", v.name, ending(state))))
            })
            .collect();
        let values = self.solver.values(&names)?;
        let text = &self.problem.system.text;
        let mut out = vec![];
        for state in 0..count {
            let mut cells: Vec<Value> =
                (0..self.problem.width).map(|slot| text.constant(slot).unwrap_or(0)).collect();
            let own = &values[state * self.variables.len()..][..self.variables.len()];
            for (variable, value) in self.variables.iter().zip(own) {
                let Some(cell) = cells.get_mut(variable.slot as usize) else { continue };
                if variable.sort == "Bool" {
                    // The flag comes after the number.
                    match *value == Sexp::atom("true") {
                        true if *cell == UNDEF => return Err(Reason::Unsupported(TOO_LARGE.to_string())),
                        true => {}
                        false => *cell = UNDEF,
                    }
                    continue;
                }
                let number = value.value().and_then(|number| Value::try_from(number).ok());
                let flagged = self.variables.iter().any(|v| v.slot == variable.slot && v.sort == "Bool");
                *cell = match number.filter(|number| *number != UNDEF) {
                    Some(number) => number,
                    // It may be the number of something that is undefined.
                    None if flagged => UNDEF,
                    None => return Err(Reason::Unsupported(TOO_LARGE.to_string())),
                };
            }
            out.push(cells);
        }
        Ok(out)
    }
}

const TOO_LARGE: &str =
    "there is a counterexample, but it has numbers of more than 64 bits, which cannot be replayed";
