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
use swarmcheck_ir::property::LinearTime;
use swarmcheck_ir::{
    BinaryOp, Expr, Function, KindId, Local, LocalId, Modality, Place, Program, Rule, Stmt, Var, VarId,
};
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

/// The product; `rests` tells whether executions that stop count. `None` if the property is not an LTL formula,
/// its automaton is too large, or there is no agent.
pub fn product(program: &Program, property: usize, rests: bool) -> Option<Product> {
    product_with(program, property, rests, usize::MAX, &mut |e| Condition { expr: e.clone(), safe: false })
}

/// A condition made simpler.
#[derive(Clone, Debug)]
pub struct Condition {
    /// It has the same value in all states of the program, and is a model error where it was one.
    pub expr: Expr,
    /// It never is one, so that it may be evaluated where nobody needs it.
    pub safe: bool,
}

/// The same for a program that was simplified, which has the same property: `simplify` does so with the conditions of the
/// property, which stand in every function. The automaton is that of the property as it was written. Large conditions are
/// evaluated once in a step, and not by each transition of the automaton that reads them. `None` also if the automaton has more
/// than so many transitions.
pub fn product_with(
    program: &Program,
    property: usize,
    rests: bool,
    transitions: usize,
    simplify: &mut dyn FnMut(&Expr) -> Condition,
) -> Option<Product> {
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
    let later: usize = automaton.states.iter().map(|state| state.next.len()).sum();
    if automaton.initial.len() + later > transitions {
        return None;
    }
    let state = VarId(program.vars.len() as u32);
    let atoms: Vec<Condition> = atoms.iter().map(&mut *simplify).collect();
    let mut out = program.clone();
    out.vars.push(Var {
        name: format!("formula.{}", program.properties[property].name),
        owners: None,
        dimensions: vec![],
        domain: Some((0, automaton.states.len().max(1) as i64 - 1)),
        may_be_undef: false,
        role: Role::Location,
    });
    if rests {
        out.functions.push(rest(program, simplify(&linear.rests).expr, linear.rest.clone())?);
    }
    let mut updates: Vec<(usize, Stmt)> = vec![];
    // What is known never to run does not run with an automaton either.
    for function in out.functions.iter_mut().filter(|f| f.guard != Expr::FALSE) {
        let reader = Reader::new(state, &atoms, &mut function.locals, &mut function.body);
        let locals = reader.first;
        let known = updates.iter().position(|(first, _)| *first == locals);
        let known = known.unwrap_or_else(|| {
            updates.push((locals, reader.update(&automaton)));
            updates.len() - 1
        });
        function.body.push(updates[known].1.clone());
    }
    let reader = Reader::new(state, &atoms, &mut out.init_locals, &mut out.init);
    out.init.push(reader.choose(automaton.initial.iter().map(|t| (None, t))));
    let accepting = (0..).zip(&automaton.states).filter(|(_, s)| s.accepting);
    out.properties[property].predicate = Expr::or(accepting.map(|(at, _)| reader.is(at)));
    out.properties[property].modality = Modality::Always;
    let sink = automaton.sink();
    let bad = sink.map(|sink| reader.is(sink as i64));
    Some(Product { program: out, state, bad, safety: automaton.accepts_in_sink_only() })
}

/// The step at the end of an execution. `None` if there is no agent.
fn rest(program: &Program, guard: Expr, body: Vec<Stmt>) -> Option<Function> {
    // Functions are run by agents, and the first kinds may have none.
    let somebody = program.kinds.iter().position(|kind| kind.count > 0)?;
    Some(Function {
        name: "rest.".to_string(),
        rule: Rule::System { verb: "rest", object: String::new(), site: 0 },
        owners: vec![KindId(somebody as u32)],
        entry: vec![],
        guard,
        locals: vec![],
        body,
        span: Span::default(),
    })
}

/// The program in which executions that stop go on: it has one more function, the last one, which is enabled exactly where nothing else
/// is, and does what resting does for this formula. `None` if there is no agent.
pub fn resting(program: &Program, linear: &LinearTime) -> Option<Program> {
    let mut out = program.clone();
    out.functions.push(rest(program, linear.rests.clone(), linear.rest.clone())?);
    Some(out)
}

struct Reader {
    state: VarId,
    /// The atoms, or the locals that hold them.
    atoms: Vec<Expr>,
    /// The first of these locals.
    first: usize,
}

/// Conditions with at most so many operators are as good as a local.
const SMALL: usize = 3;

impl Reader {
    /// What reads the atoms at the end of a block, where it has them evaluated.
    fn new(state: VarId, atoms: &[Condition], locals: &mut Vec<Local>, block: &mut Vec<Stmt>) -> Reader {
        let first = locals.len();
        let mut read = vec![];
        for Condition { expr, safe } in atoms {
            let mut size = 0;
            expr.walk(&mut |_| size += 1);
            if !safe || size <= SMALL {
                read.push(expr.clone());
                continue;
            }
            let local = LocalId(locals.len() as u32);
            locals.push(Local { name: format!("atom.{}", locals.len()), length: None });
            block.push(Stmt::Let(local, Expr::ite(expr.clone(), Expr::TRUE, Expr::FALSE)));
            read.push(Expr::binary(BinaryOp::Ne, Expr::Local(local), Expr::FALSE, Span::default()));
        }
        Reader { state, atoms: read, first }
    }

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
