//! Specifications as properties of the program.
//!
//! `G p` and `F p` over states are `always` and `eventually`; everything else is a formula of linear time. A system that
//! cannot go on rests forever (section 6.1): then the state stays as it is, no message is observed, and no command is taken.
//!
//! A label of a send or get says that the step which leaves the state is that command: the predicate definition of section
//! 6.1 has primed variables. Like ⟨O⟩ it becomes X m, where m says that the step just made was that command.

use super::Lowerer;
use super::expr::{Context, compare};
use crate::model::{Atom, Expr, Spec};
use crate::syntax::ast::Op;
use swarmcheck_ir as ir;
use swarmcheck_ir::linear::simple::simple;
use swarmcheck_ir::property::LinearTime;
use swarmcheck_ir::{Linear, Modality};

impl Lowerer<'_> {
    pub(super) fn properties(&self) -> Vec<ir::Property> {
        self.spec.specs.iter().map(|spec| self.property(spec)).collect()
    }

    fn property(&self, spec: &Spec) -> ir::Property {
        let (modality, predicate) = match simple(&spec.formula, &|f| self.of_state(f)) {
            Some(simple) => simple,
            None => {
                let formula = self.formula(&spec.formula);
                let linear = LinearTime { formula, rests: self.idle(), rest: self.rest() };
                (Modality::Linear(Box::new(linear)), ir::Expr::TRUE)
            }
        };
        let (name, span, vacuous) = (spec.name.clone(), spec.span, spec.vacuous);
        ir::Property { name, modality, predicate, span, vacuous }
    }

    /// A condition that says nothing about the step just made or the next one.
    fn of_state(&self, formula: &Linear<Atom>) -> Option<ir::Expr> {
        let Linear::Atom(Atom::State(e)) = formula else { return None };
        let mut of_step = false;
        e.walk(&mut |e| of_step |= matches!(e, Expr::Label(..)));
        (!of_step).then(|| self.condition(e, &Context::of(0)))
    }

    pub(super) fn formula(&self, formula: &Linear<Atom>) -> Linear<ir::Expr> {
        let all = |parts: &[Linear<Atom>]| parts.iter().map(|p| self.formula(p)).collect();
        match formula {
            Linear::Atom(Atom::State(e)) => self.steps(e),
            Linear::Atom(Atom::Observed(number)) => {
                let read = ir::Expr::Read(ir::Place::global(self.observed[*number]));
                Linear::Atom(compare(ir::BinaryOp::Ne, read, ir::Expr::Const(0)))
            }
            Linear::Not(a) => Linear::not(self.formula(a)),
            Linear::And(parts) => Linear::And(all(parts)),
            Linear::Or(parts) => Linear::Or(all(parts)),
            Linear::Next(a) => Linear::next(self.formula(a)),
            Linear::Until(a, b) => Linear::until(self.formula(a), self.formula(b)),
            Linear::Release(a, b) => Linear::release(self.formula(a), self.formula(b)),
        }
    }

    /// A condition that may name sends and gets: what it says about the next step is said of the step just made, after it.
    /// X commutes with all connectives, so parts that are about the next step alone stay together: automata are smaller.
    fn steps(&self, e: &Expr) -> Linear<ir::Expr> {
        if !self.spec.names_next_step(e) {
            return Linear::Atom(self.condition(e, &Context::of(0)));
        }
        if self.is_about_next_step(e) {
            return Linear::next(Linear::Atom(self.condition(e, &Context::of(0))));
        }
        match e {
            Expr::Not(inner) => Linear::not(self.steps(inner)),
            Expr::Binary(op, a, b, _) => {
                let (a, b) = (self.steps(a), self.steps(b));
                let implies = |a, b| Linear::Or(vec![Linear::not(a), b]);
                let same = |a: Linear<ir::Expr>, b: Linear<ir::Expr>| {
                    Linear::And(vec![implies(a.clone(), b.clone()), implies(b, a)])
                };
                match op {
                    Op::And => Linear::And(vec![a, b]),
                    Op::Or => Linear::Or(vec![a, b]),
                    Op::Implies => implies(a, b),
                    Op::Ne => Linear::not(same(a, b)),
                    // Only conditions are compared with labels.
                    _ => same(a, b),
                }
            }
            // Nothing else has a label below it.
            _ => Linear::falsity(),
        }
    }

    /// Whether a condition speaks of sends, gets and constants only.
    fn is_about_next_step(&self, e: &Expr) -> bool {
        match e {
            Expr::Value(_) => true,
            Expr::Label(instance, command) => !self.spec.receives(*instance, *command),
            Expr::Not(inner) => self.is_about_next_step(inner),
            Expr::Binary(_, a, b, _) => self.is_about_next_step(a) && self.is_about_next_step(b),
            _ => false,
        }
    }

    /// Whether a command was part of the step just made.
    pub(super) fn made(&self, instance: usize, command: usize) -> Option<ir::Expr> {
        let (_, var) = self.made.iter().find(|(who, _)| *who == (instance, command))?;
        Some(ir::Expr::Read(ir::Place::global(*var)))
    }

    /// Whether a send or get can be made now.
    pub(super) fn enabled(&self, instance: usize, command: usize) -> ir::Expr {
        let edges = self.automaton(instance).edges.iter().filter(|edge| edge.command == command);
        ir::Expr::or(edges.map(|edge| self.possible(instance, edge)))
    }

    /// No agent can do anything.
    fn idle(&self) -> ir::Expr {
        let mut ways = vec![];
        for instance in 0..self.spec.instances.len() {
            ways.extend(self.automaton(instance).edges.iter().map(|edge| self.possible(instance, edge)));
        }
        ir::Expr::not(ir::Expr::or(ways))
    }
}
