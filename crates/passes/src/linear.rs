//! The product of a program with the Büchi automaton of a negated LTL formula (Vardi and Wolper, "An automata-theoretic
//! approach to automatic program verification", LICS 1986).
//!
//! One more variable holds the state of the automaton. The initial block and every function, as their last act, let the
//! automaton read the state that was reached; where it has no transition, the step is left out, because no accepted run
//! goes on there. What the automaton does is a choice, made after all others, so the choices of a step of the product
//! begin with those of the step of the program. The executions of the product that visit accepting states infinitely
//! often are, without the variable, exactly the executions of the program that violate the formula.
//!
//! An execution that stops is extended by repeating its last state: the product has one more function, the last one,
//! which is enabled exactly where nothing else in the program is, and does what resting does.

use swarmcheck_ir::program::Role;
use swarmcheck_ir::{BinaryOp, Expr, Function, KindId, Modality, Place, Program, Rule, Stmt, Var, VarId};
use swarmcheck_logic::linear::automaton::{Automaton, Transition, automaton};
use swarmcheck_logic::linear::positive;
use swarmcheck_source::Span;

/// Automata with more states are refused.
const LARGEST: usize = 2000;

/// The result of [`product`].
#[derive(Clone, Debug)]
pub struct Product {
    /// The program with the new variable, which is the last one, global, and updated by every step. Its property is the
    /// condition that the automaton accepts.
    pub program: Program,
    /// The variable that holds the state of the automaton.
    pub state: VarId,
    /// The condition that the execution so far is a bad prefix: every continuation violates the formula.
    pub bad: Option<Expr>,
    /// Every violation has a bad prefix: the formula is a safety property.
    pub safety: bool,
}

/// The product; `rests` tells whether executions that stop count. `None` if the property is not an LTL formula, or
/// its automaton is too large.
pub fn product(program: &Program, property: usize, rests: bool) -> Option<Product> {
    let Modality::Linear(linear) = &program.properties[property].modality else { return None };
    let mut atoms: Vec<Expr> = vec![];
    let formula = linear.formula.map(&mut |e| {
        let known = atoms.iter().position(|a| a == e);
        known.unwrap_or_else(|| {
            atoms.push(e.clone());
            atoms.len() - 1
        })
    });
    let automaton = automaton(&positive(&formula, true), LARGEST)?;
    let state = VarId(program.vars.len() as u32);
    let reader = Reader { state, atoms: &atoms };
    let mut out = program.clone();
    out.vars.push(Var {
        name: format!("formula.{}", program.properties[property].name),
        owners: None,
        dimensions: vec![],
        domain: Some((0, automaton.states.len().max(1) as i64 - 1)),
        may_be_undef: false,
        role: Role::Location,
    });
    if rests && !program.kinds.is_empty() {
        out.functions.push(Function {
            name: "rest.".to_string(),
            rule: Rule::System { verb: "rest", object: String::new(), site: 0 },
            owners: vec![KindId(0)],
            entry: vec![],
            guard: linear.rests.clone(),
            locals: vec![],
            body: linear.rest.clone(),
            span: Span::default(),
        });
    }
    let update = reader.update(&automaton);
    for function in &mut out.functions {
        function.body.push(update.clone());
    }
    out.init.push(reader.choose(automaton.initial.iter().map(|t| (None, t))));
    let accepting = (0..).zip(&automaton.states).filter(|(_, s)| s.accepting);
    out.properties[property].predicate = Expr::or(accepting.map(|(at, _)| reader.is(at)));
    out.properties[property].modality = Modality::Always;
    let sink = automaton.sink();
    let bad = sink.map(|sink| reader.is(sink as i64));
    Some(Product { program: out, state, bad, safety: automaton.accepts_in_sink_only() })
}

struct Reader<'a> {
    state: VarId,
    atoms: &'a [Expr],
}

impl Reader<'_> {
    fn is(&self, state: i64) -> Expr {
        let read = Expr::Read(Place::global(self.state));
        Expr::binary(BinaryOp::Eq, read, Expr::Const(state), Span::default())
    }

    /// One of the transitions that fit the state reached, from the states that are given with them.
    fn choose<'t>(&self, transitions: impl Iterator<Item = (Option<usize>, &'t Transition)>) -> Stmt {
        let one = |(from, transition): (Option<usize>, &Transition)| {
            let when = transition.when.iter().map(|(atom, positive)| match positive {
                true => self.atoms[*atom].clone(),
                false => Expr::not(self.atoms[*atom].clone()),
            });
            let here = from.map(|state| self.is(state as i64));
            let go = Stmt::Assign(Place::global(self.state), Expr::Const(transition.to as i64));
            (Expr::and(here.into_iter().chain(when)), vec![go])
        };
        Stmt::Choose(transitions.map(one).collect())
    }

    /// A step of the automaton, from whatever state it is in.
    fn update(&self, automaton: &Automaton) -> Stmt {
        let states = automaton.states.iter().enumerate();
        self.choose(states.flat_map(|(from, state)| state.next.iter().map(move |t| (Some(from), t))))
    }
}
