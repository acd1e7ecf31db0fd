//! Initial states: all combinations of initialisers that satisfy the assumptions.
//!
//! Every cell of every variable is chosen independently: the environment's first, then agent by agent the attributes and
//! the tuples in the order of their declarations. Initial values are written in agent order (`docs/labs.md` 14): agent i
//! holds timestamp i for everything, and the clock goes on from there. By the paper what is ⊥ was never written, and has
//! no timestamp. With early choice an agent's process may start in several ways, which multiply the states.

use crate::early::combined;
use crate::error::ModelError;
use crate::expr::Scope;
use crate::state::{AgentState, Agents, Entry, State, Store};
use crate::term::Term;
use crate::value::Value;
use crate::{Interpreter, Semantics};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::rc::Rc;
use swarmcheck_labs::model::{Expr, Init, VarId};

/// The choices for one cell. Cells are listed in the order in which they are chosen.
struct Cell {
    place: Place,
    options: Rc<Options>,
}

/// Different values, one of which is chosen.
enum Options {
    Values(Vec<Value>),
    /// The numbers from the first up to the second, which is excluded; there may be very many.
    Numbers(i64, i64),
}

impl Options {
    fn count(&self) -> u64 {
        match self {
            Options::Values(values) => values.len() as u64,
            Options::Numbers(lo, hi) if lo < hi => hi.abs_diff(*lo),
            Options::Numbers(..) => 0,
        }
    }

    fn nth(&self, number: u64) -> Value {
        match self {
            Options::Values(values) => values[number as usize],
            Options::Numbers(lo, _) => lo.checked_add_unsigned(number),
        }
    }

    fn contains(&self, value: Value) -> bool {
        match self {
            Options::Values(values) => values.contains(&value),
            Options::Numbers(lo, hi) => value.is_some_and(|number| (*lo..*hi).contains(&number)),
        }
    }
}

/// A cell of a variable of an agent, or of the environment.
struct Place {
    agent: Option<u32>,
    var: VarId,
    at: usize,
}

impl Interpreter<'_> {
    /// Visits every initial state once, until the visitor breaks. An error is one of an initialiser, found before the
    /// first visit, or one of an assumption.
    pub fn for_each_initial(
        &self,
        visit: &mut dyn FnMut(State) -> ControlFlow<()>,
    ) -> Result<(), ModelError> {
        let cells = self.cells()?;
        if cells.iter().any(|cell| cell.options.count() == 0) {
            return Ok(());
        }
        let mut chosen = vec![0_u64; cells.len()];
        let mut state = self.blank();
        let agents = 0..self.model.agents();
        let starts = agents.fold(vec![vec![]], |all, agent| combined(&all, &self.starts(agent)));
        loop {
            for (cell, &option) in cells.iter().zip(&chosen) {
                self.set(&mut state, &cell.place, cell.options.nth(option));
            }
            self.stamp(&mut state);
            let show = |start: &Vec<Rc<Term>>| visit(started(state.clone(), start)).is_break();
            if self.assumed(&state)? && starts.iter().any(show) {
                return Ok(());
            }
            // The next combination, the last cell changing fastest.
            let Some(last) = (0..cells.len()).rev().find(|&at| chosen[at] + 1 < cells[at].options.count())
            else {
                return Ok(());
            };
            chosen[last] += 1;
            chosen[last + 1..].fill(0);
        }
    }

    pub fn initial_states(&self) -> Result<Vec<State>, ModelError> {
        let mut states = vec![];
        self.for_each_initial(&mut |state| {
            states.push(state);
            ControlFlow::Continue(())
        })?;
        Ok(states)
    }

    /// The initial state with these values, in the order of [`crate::Observation::values`], if there is one. Where an
    /// agent has several [`starts`](Self::starts) it has the first of them.
    pub fn initial_from(&self, values: &[Value]) -> Result<Option<State>, ModelError> {
        let mut state = self.blank();
        let (mut left, mut allowed) = (values.iter(), true);
        self.for_each_cell(&mut |place, options| {
            let value = left.next().filter(|value| options.contains(**value));
            allowed &= value.is_some();
            self.set(&mut state, &place, value.copied().flatten());
        })?;
        if !allowed || left.next().is_some() {
            return Ok(None);
        }
        self.stamp(&mut state);
        let processes: Vec<_> = (0..self.model.agents()).map(|agent| self.starts(agent)[0].clone()).collect();
        Ok(self.assumed(&state)?.then(|| started(state, &processes)))
    }

    /// The processes that an agent may start with, whatever the others start with; with late choice there is one.
    pub fn starts(&self, agent: u32) -> Vec<Rc<Term>> {
        let behavior = self.model.kind(self.model.kind_of(agent)).behavior;
        self.settled(&Rc::new(Term::Call(behavior)))
    }

    /// Whether all assumptions hold; they are tried in order up to the first that does not.
    fn assumed(&self, state: &State) -> Result<bool, ModelError> {
        for assumption in &self.model.assumptions {
            if !self.satisfies(state, &assumption.predicate)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The initial state with ⊥ for every value, before the processes start.
    fn blank(&self) -> State {
        let undefined = |vars: &[(VarId, Init)]| -> Store {
            vars.iter().map(|(var, _)| (*var, vec![None; self.model.variable(*var).cells()])).collect()
        };
        let agent = |id: u32| {
            let kind = self.model.kind(self.model.kind_of(id));
            let tuples = kind.stigmergies.iter().flat_map(|s| &self.model.stigmergy(*s).tuples);
            let entry = |values| Entry { values, time: Some(id.into()) };
            AgentState {
                interface: undefined(&kind.attributes),
                stigmergy: tuples.map(|&t| (t, entry(undefined(&self.model.tuple(t).variables)))).collect(),
                process: Rc::new(Term::Call(kind.behavior)),
                zc: BTreeSet::new(),
                zp: BTreeSet::new(),
            }
        };
        let agents: Agents = (0..self.model.agents()).map(agent).collect();
        let clock = agents.len() as u64;
        State { env: undefined(&self.model.environment), agents, turn: 0, clock }
    }

    /// Gives all values their first timestamps.
    fn stamp(&self, state: &mut State) {
        for (id, agent) in state.agents.iter_mut().enumerate() {
            for entry in agent.stigmergy.values_mut() {
                let written = self.options.semantics == Semantics::Sliver || entry.has_value();
                entry.time = written.then_some(id as u64);
            }
        }
    }

    fn set(&self, state: &mut State, place: &Place, value: Value) {
        let cells = match place.agent {
            None => state.env.get_mut(&place.var),
            Some(agent) => {
                let agent = &mut state.agents[agent as usize];
                let entries = agent.stigmergy.values_mut();
                let mut stores = entries.map(|entry| &mut entry.values).chain([&mut agent.interface]);
                stores.find_map(|store| store.get_mut(&place.var))
            }
        };
        cells.expect("a variable of this agent")[place.at] = value;
    }

    /// All cells with their choices.
    fn cells(&self) -> Result<Vec<Cell>, ModelError> {
        let mut cells = vec![];
        self.for_each_cell(&mut |place, options| cells.push(Cell { place, options: options.clone() }))?;
        Ok(cells)
    }

    /// Visits all cells with their choices.
    fn for_each_cell(&self, visit: &mut dyn FnMut(Place, &Rc<Options>)) -> Result<(), ModelError> {
        for (var, init) in &self.model.environment {
            self.visit_cells(None, *var, init, visit)?;
        }
        for id in 0..self.model.agents() {
            let kind = self.model.kind(self.model.kind_of(id));
            for (var, init) in &kind.attributes {
                self.visit_cells(Some(id), *var, init, visit)?;
            }
            for tuple in kind.stigmergies.iter().flat_map(|s| &self.model.stigmergy(*s).tuples) {
                for (var, init) in &self.model.tuple(*tuple).variables {
                    self.visit_cells(Some(id), *var, init, visit)?;
                }
            }
        }
        Ok(())
    }

    fn visit_cells(
        &self,
        agent: Option<u32>,
        var: VarId,
        init: &Init,
        visit: &mut dyn FnMut(Place, &Rc<Options>),
    ) -> Result<(), ModelError> {
        let options = Rc::new(self.options_of(agent, init)?);
        for at in 0..self.model.variable(var).cells() {
            visit(Place { agent, var, at }, &options);
        }
        Ok(())
    }

    /// The possible initial values, each once. A range without numbers, or with a ⊥ bound, has none.
    fn options_of(&self, agent: Option<u32>, init: &Init) -> Result<Options, ModelError> {
        // Initialisers read no state.
        let empty = State { env: BTreeMap::new(), agents: Agents::from_iter([]), turn: 0, clock: 0 };
        let scope = Scope { me: agent, ..Scope::of_state(self.model, &empty) };
        let one = |e: &Expr| scope.eval_one(e);
        match init {
            Init::Undef => Ok(Options::Values(vec![None])),
            Init::OneOf(exprs) => {
                let mut values = vec![];
                for e in exprs {
                    let value = one(e)?;
                    if !values.contains(&value) {
                        values.push(value);
                    }
                }
                Ok(Options::Values(values))
            }
            Init::Range(lo, hi) => match (one(lo)?, one(hi)?) {
                (Some(lo), Some(hi)) => Ok(Options::Numbers(lo, hi)),
                _ => Ok(Options::Values(vec![])),
            },
        }
    }
}

fn started(mut state: State, processes: &[Rc<Term>]) -> State {
    for (agent, process) in state.agents.iter_mut().zip(processes) {
        agent.process = process.clone();
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::testing::*;
    use swarmcheck_labs::model::{Assumption, TupleId};
    use swarmcheck_labs::syntax::ast::BinaryOp::*;

    fn all(b: &Build) -> Vec<Vec<Value>> {
        let i = interpreter(&b.0);
        i.initial_states().unwrap().iter().map(|s| i.observe(s).values).collect()
    }

    #[test]
    fn every_cell_is_chosen_by_itself() {
        let mut b = Build::new();
        b.env(&[2], Init::OneOf(vec![num(4), num(5), num(4)]));
        let x = b.attribute(&[]);
        b.kind(2, vec![(x, Init::Range(num(0), op(Add, id(), num(1))))], &[], nil());
        // Agent 0 has 0 only, agent 1 has 0 and 1; the last cell changes fastest.
        let expected: Vec<Vec<Value>> = [[4, 4], [4, 5], [5, 4], [5, 5]]
            .iter()
            .flat_map(|[p, q]| [0, 1].map(|r| vec![Some(*p), Some(*q), Some(0), Some(r)]))
            .collect();
        assert_eq!(all(&b), expected);
    }

    #[test]
    fn empty_ranges_leave_no_state_and_undef_is_a_value() {
        let mut b = Build::new();
        b.env(&[], Init::Undef);
        b.kind(1, vec![], &[], nil());
        assert_eq!(all(&b), [vec![None]]);
        b.env(&[], Init::Range(num(3), num(3)));
        assert_eq!(all(&b).len(), 0);
    }

    #[test]
    fn assumptions_filter() {
        let mut b = Build::new();
        let v = b.env(&[], Init::Range(num(0), num(5)));
        b.kind(1, vec![], &[], nil());
        b.0.assumptions.push(Assumption { name: String::new(), predicate: cmp(Ge, env(v), num(2)) });
        b.0.assumptions.push(Assumption { name: String::new(), predicate: cmp(Ne, env(v), num(3)) });
        assert_eq!(all(&b), [[Some(2)], [Some(4)]]);
        let wrong = cmp(Eq, bad(8), num(0));
        b.0.assumptions.push(Assumption { name: String::new(), predicate: wrong });
        let error = interpreter(&b.0).initial_states().unwrap_err();
        assert_eq!((error.kind, error.span), (ErrorKind::Overflow, span(8)));
    }

    #[test]
    fn initialisers_may_overflow() {
        let mut b = Build::new();
        b.env(&[], Init::OneOf(vec![num(1), bad(3)]));
        b.kind(1, vec![], &[], nil());
        let error = interpreter(&b.0).initial_states().unwrap_err();
        assert_eq!((error.kind, error.span), (ErrorKind::Overflow, span(3)));
    }

    #[test]
    fn visits_can_be_stopped() {
        let mut b = Build::new();
        b.env(&[3], Init::Range(num(0), num(1000)));
        b.kind(1, vec![], &[], nil());
        let mut seen = 0;
        let result = interpreter(&b.0).for_each_initial(&mut |_| {
            seen += 1;
            if seen == 7 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((result, seen), (Ok(()), 7));
    }

    #[test]
    fn agent_0_is_the_oldest_and_nothing_is_pending() {
        let mut b = Build::new();
        let (s, unused) = (b.stigmergy(bool_(true)), b.stigmergy(bool_(true)));
        b.tuple(s, vec![Init::Undef]);
        b.tuple(unused, vec![Init::Undef]);
        b.tuple(s, vec![Init::OneOf(vec![id()])]);
        b.kind(1, vec![], &[s], nil());
        b.kind(1, vec![], &[unused], nil());
        b.kind(1, vec![], &[s], nil());
        let i = interpreter(&b.0);
        let state = initial(&i);
        let seen = i.observe(&state);
        assert_eq!(seen.values, [None, Some(0), None, None, Some(2)]);
        assert_eq!(seen.ranks, [0, 0, 0, 1, 1]);
        assert_eq!((seen.confirm, seen.propagate), (vec![false; 5], vec![false; 5]));
        assert_eq!((state.agents[2].time(TupleId(2)), state.clock), (Some(2), 3));
    }
}
