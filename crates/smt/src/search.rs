//! The searches for an answer, side by side: executions and inductions of growing length, cycles, and Horn clauses.
//!
//! * Bounded model checking and k-induction share one unrolling. States before the last one are not bad: for executions that has
//!   been asked before, for an induction it is what is assumed. Whether the first state is initial is an assumption of a query.
//! * Cycles (Biere, Cimatti, Clarke, Zhu, *Symbolic model checking without BDDs*, TACAS 1999): the last state of an execution is
//!   equal to an earlier one. A system with infinitely many states may violate a property without a cycle; then nothing is found.
//! * Horn clauses (Komuravelli, Gurfinkel, Chaki, *SMT-based model checking for recursive programs*, FMSD 2016): Z3's Spacer
//!   gives an inductive invariant.
//!
//! That there are no cycles is proved with a bound on rounds (`problem.rs`), which is doubled when it does not hold.

use crate::check::{Checked, IntegerProof, check, checker};
use crate::facts::facts;
use crate::formula::Formula;
use crate::horn::{self, REACHED};
use crate::problem::{Cycles, Problem};
use crate::sexp::Sexp;
use crate::solver::{Satisfiable, Solver, Talk};
use crate::text::{all, any, quoted};
use crate::unroll::{START, Unrolling};
use std::collections::HashMap;
use swarmcheck_engine::{Phase, Reason, Snapshot, SolverName, Why};
use swarmcheck_ir::Value;
use swarmcheck_question::concrete::Ending;

/// What a search has found.
pub enum Found {
    /// An execution that refutes the property.
    Execution {
        /// Its states.
        way: Vec<Vec<Value>>,
        /// How it ends.
        ending: Ending,
        /// What it shows.
        why: Why,
    },
    /// A proof, which another solver has checked.
    Proof(IntegerProof),
    /// Nothing, and why it has stopped.
    Nothing(String),
}

/// A search for one problem.
#[derive(Clone, Copy)]
pub struct Search<'a> {
    /// What is asked.
    pub problem: &'a Problem,
    /// When to stop, and who starts solvers.
    pub talk: Talk<'a>,
    /// The solver that is used where both could be.
    pub solver: SolverName,
    /// Longer executions are not looked at.
    pub depth: u32,
}

/// How a bounded search for a bound on rounds ends.
enum Induction {
    Proved(IntegerProof),
    /// A bad state is reachable.
    Reached,
    /// Not within so many states.
    Open,
}

/// From so many states on, an induction is helped by facts.
const FACTS_FROM: usize = 2;

const CANNOT_TELL: &str = "the solver cannot tell";

impl Search<'_> {
    fn note(&self, depth: usize) {
        let depth = depth as u64;
        let snapshot = Snapshot { phase: Phase::Searching, depth, ..Snapshot::default() };
        self.talk.control.progress.report(snapshot);
    }

    fn given_up(&self) -> String {
        format!("no counterexample within {} steps", self.depth)
    }

    /// Whether another solver, or the same once more, accepts a proof.
    fn confirmed(&self, proof: IntegerProof) -> Result<Found, Reason> {
        let name = checker(proof.solver, self.talk).unwrap_or(proof.solver);
        Ok(match check(self.problem, &proof, name, self.talk)? {
            Checked::Accepted => Found::Proof(proof),
            Checked::Refused(why) => Found::Nothing(format!(
                "{} did not confirm a proof of {}: {why}",
                name.program(),
                proof.solver.program()
            )),
        })
    }

    /// Executions and inductions of growing length.
    pub fn by_length(&self) -> Result<Found, Reason> {
        let mut unrolling = Unrolling::new(self.problem, self.solver, self.talk)?;
        match self.induction(&mut unrolling, &mut None, None, self.depth)? {
            Induction::Proved(proof) => self.confirmed(proof),
            Induction::Reached => self.shown(&mut unrolling),
            Induction::Open => Ok(Found::Nothing(self.given_up())),
        }
    }

    /// The same, until a bad state is found or excluded, or for so many states.
    fn induction(
        &self,
        unrolling: &mut Unrolling<'_, '_>,
        known: &mut Option<Vec<Formula>>,
        rounds: Option<u32>,
        depth: u32,
    ) -> Result<Induction, Reason> {
        unrolling.solver.say("(declare-const facts Bool)\n(declare-const apart Bool)\n");
        let mut invariant = Formula::truth();
        for state in 0..=depth as usize {
            self.note(state);
            let named = format!("bad@{state}");
            let bad = unrolling.bad(rounds, state)?;
            unrolling.name(&named, &bad);
            match unrolling.check(&[START, &named])? {
                Satisfiable::Yes => return Ok(Induction::Reached),
                Satisfiable::Unknown => return Err(Reason::Unsupported(CANNOT_TELL.to_string())),
                Satisfiable::No => {}
            }
            for earlier in 0..state {
                let same = unrolling.same(earlier, state);
                unrolling.assert(&format!("(=> apart (not {same}))"));
            }
            // What is simplest to understand is tried first, and facts take time.
            if state == FACTS_FROM {
                let facts = match known.take() {
                    Some(facts) => facts,
                    None => facts(self.problem, self.solver, self.talk)?,
                };
                invariant = Formula::all(&facts);
                *known = Some(facts);
                (0..state).for_each(|earlier| unrolling.assume("facts", &invariant, earlier));
            }
            if state >= FACTS_FROM {
                unrolling.assume("facts", &invariant, state);
            }
            let with_facts = !invariant.is_truth();
            let tries: [(&[&str], bool, bool); 3] =
                [(&[], false, false), (&["facts"], true, false), (&["facts", "apart"], with_facts, true)];
            for (assumed, uses_facts, distinct) in tries {
                if (uses_facts && !with_facts) || (distinct && state < 2) {
                    continue;
                }
                let assumed: Vec<&str> = assumed.iter().copied().chain([named.as_str()]).collect();
                if unrolling.check(&assumed)? == Satisfiable::No {
                    return Ok(Induction::Proved(IntegerProof {
                        invariant: if uses_facts { invariant.clone() } else { Formula::truth() },
                        states: state as u32,
                        distinct,
                        rounds,
                        solver: self.solver,
                    }));
                }
            }
            unrolling.assert(&format!("(not {named})"));
            unrolling.deepen()?;
        }
        Ok(Induction::Open)
    }

    /// What the execution that was just found shows.
    fn shown(&self, unrolling: &mut Unrolling<'_, '_>) -> Result<Found, Reason> {
        let way = unrolling.states()?;
        let mut names = vec![];
        for wrong in &self.problem.wrong {
            names.push(unrolling.condition(wrong.when, way.len() - 1)?);
        }
        // Values of definitions that came after the question are not to be had; all of these came before.
        let truths = unrolling.truths(&names)?;
        let wrong = self.problem.wrong.iter().zip(truths).find(|(_, holds)| *holds);
        let Some((wrong, _)) = wrong else {
            return Err(Reason::Internal("a solver has found a bad state that is not".to_string()));
        };
        Ok(Found::Execution { way, ending: wrong.ending, why: wrong.why })
    }

    /// Executions of growing length that end in a state that refutes the property, or that come back to a state.
    pub fn cycles(&self) -> Result<Found, Reason> {
        let Some(cycles) = &self.problem.cycles else { return Ok(Found::Nothing(String::new())) };
        let mut unrolling = Unrolling::new(self.problem, self.solver, self.talk)?;
        for state in 0..=self.depth as usize {
            self.note(state);
            let named = format!("bad@{state}");
            let bad = unrolling.bad(None, state)?;
            unrolling.name(&named, &bad);
            match unrolling.check(&[START, &named])? {
                Satisfiable::Yes => return self.shown(&mut unrolling),
                Satisfiable::Unknown => return Err(Reason::Unsupported(CANNOT_TELL.to_string())),
                Satisfiable::No => {}
            }
            unrolling.assert(&format!("(=> {START} (not {named}))"));
            let mut loops = vec![];
            for first in 0..state {
                let name = format!("loop{first}@{state}");
                let closes = closes(&mut unrolling, cycles, first, state)?;
                unrolling.name(&name, &closes);
                loops.push(name);
            }
            if !loops.is_empty() {
                unrolling.name(&format!("loop@{state}"), &any(loops.clone()));
                if unrolling.check(&[START, &format!("loop@{state}")])? == Satisfiable::Yes {
                    let truths = unrolling.truths(&loops)?;
                    let first = truths.iter().position(|holds| *holds).unwrap_or(0);
                    let (ending, why) = (Ending::Loop(first), cycles.why);
                    return Ok(Found::Execution { way: unrolling.states()?, ending, why });
                }
            }
            unrolling.deepen()?;
        }
        Ok(Found::Nothing(self.given_up()))
    }

    /// An induction with a bound on rounds, which grows.
    pub fn rounds_by_length(&self) -> Result<Found, Reason> {
        let mut facts = None;
        let mut rounds = 1u32;
        loop {
            let mut unrolling = Unrolling::new(self.problem, self.solver, self.talk)?;
            let depth = rounds.saturating_mul(2).saturating_add(6).min(self.depth);
            match self.induction(&mut unrolling, &mut facts, Some(rounds), depth)? {
                Induction::Proved(proof) => return self.confirmed(proof),
                Induction::Reached | Induction::Open => {}
            }
            match rounds.checked_mul(2) {
                Some(more) if depth < self.depth => rounds = more,
                _ => return Ok(Found::Nothing(self.given_up())),
            }
        }
    }

    /// Horn clauses, with a bound on rounds that grows if there is one.
    pub fn by_clauses(&self) -> Result<Found, Reason> {
        let mut rounds = self.problem.cycles.as_ref().map(|_| 1u32);
        loop {
            let clauses = horn::clauses(&self.problem.system, &|scope| self.problem.bad(rounds, scope));
            let clauses = clauses.map_err(|refusal| Reason::Unsupported(refusal.why))?;
            let mut solver = Solver::start(SolverName::Z3, self.talk)?;
            match solver.ask(&clauses)?.trim() {
                "sat" => {
                    let said = solver.ask("(get-model)")?;
                    let invariant = match self.read(&said) {
                        Ok(invariant) => invariant,
                        Err(why) => {
                            return Ok(Found::Nothing(format!(
                                "the invariant that Z3 found was not understood: {why}"
                            )));
                        }
                    };
                    let (states, distinct, solver) = (0, false, SolverName::Z3);
                    return self.confirmed(IntegerProof { invariant, states, distinct, rounds, solver });
                }
                "unsat" => match rounds.and_then(|rounds| rounds.checked_mul(2)) {
                    Some(more) => rounds = Some(more),
                    // The other search will find the execution.
                    None => return Ok(Found::Nothing(String::new())),
                },
                _ => return Ok(Found::Nothing("Spacer found no invariant".to_string())),
            }
        }
    }

    /// The set of states in a model of the clauses.
    fn read(&self, said: &str) -> Result<Formula, String> {
        let variables = self.problem.system.text.variables();
        let is_it = |part: &&Sexp| matches!(part.called(), Some(("define-fun", [Sexp::Atom(name), ..])) if name == REACHED);
        let said = Sexp::read(said)?;
        let Sexp::List(parts) = &said else { return Err("it is no model".to_string()) };
        let found = parts.iter().find(is_it).and_then(Sexp::called);
        let Some((_, [_, Sexp::List(parameters), _, body])) = found else {
            return Err("it does not say which states are reached".to_string());
        };
        let mut names = HashMap::new();
        for (parameter, variable) in parameters.iter().zip(&variables) {
            let Sexp::List(pair) = parameter else { return Err("a parameter has no sort".to_string()) };
            let [Sexp::Atom(name), _] = &pair[..] else { return Err("a parameter has no sort".to_string()) };
            names.insert(name.clone(), Sexp::Atom(quoted(&variable.name)));
        }
        if names.len() != variables.len() {
            return Err("it is about other variables".to_string());
        }
        Formula::new(&body.replaced(&names)?, &variables)
    }
}

/// That the last state is equal to an earlier one, and that the cycle between them refutes the property.
fn closes(
    unrolling: &mut Unrolling<'_, '_>,
    cycles: &Cycles,
    first: usize,
    last: usize,
) -> Result<String, Reason> {
    let mut parts = vec![unrolling.same_program(first, last)];
    let through = |unrolling: &mut Unrolling<'_, '_>, term| {
        let each = (first..last).map(|state| unrolling.condition(term, state));
        each.collect::<Result<Vec<String>, Reason>>()
    };
    for term in &cycles.somewhere {
        parts.push(any(through(unrolling, *term)?));
    }
    if let Some(term) = cycles.everywhere {
        parts.extend(through(unrolling, term)?);
    }
    for (one, other) in &cycles.pairs {
        let (one, other) = (any(through(unrolling, *one)?), any(through(unrolling, *other)?));
        parts.push(format!("(=> {one} {other})"));
    }
    Ok(all(parts))
}
