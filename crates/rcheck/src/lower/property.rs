//! Specifications as properties of the program.
//!
//! `G p` and `F p` over states are `always` and `eventually`; everything else is a formula of linear time. A system that
//! cannot go on rests forever (section 6.1): then the state stays as it is, and no message is observed.

use super::expr::{Context, compare};
use super::{Lowerer, receives};
use crate::model::{Atom, Expr, Spec};
use swarmcheck_ir as ir;
use swarmcheck_ir::property::LinearTime;
use swarmcheck_ir::{Linear, Modality};

impl Lowerer<'_> {
    pub(super) fn properties(&self) -> Vec<ir::Property> {
        self.spec.specs.iter().map(|spec| self.property(spec)).collect()
    }

    fn property(&self, spec: &Spec) -> ir::Property {
        let (modality, predicate) = match self.simple(&spec.formula) {
            Some(simple) => simple,
            None => {
                let formula = spec.formula.map(&mut |atom| self.atom(atom));
                let linear = LinearTime { formula, rests: self.idle(), rest: self.rest() };
                (Modality::Linear(Box::new(linear)), ir::Expr::TRUE)
            }
        };
        let (name, span, vacuous) = (spec.name.clone(), spec.span, spec.vacuous);
        ir::Property { name, modality, predicate, span, vacuous }
    }

    /// G p or F p, where p is a condition on states alone; also a conjunction of the former, a disjunction of the latter.
    fn simple(&self, formula: &Linear<Atom>) -> Option<(Modality, ir::Expr)> {
        let parts = |parts: &[Linear<Atom>]| parts.iter().map(|p| self.simple(p)).collect::<Option<Vec<_>>>();
        let all = |parts: &[(Modality, ir::Expr)], wanted: Modality| {
            !parts.is_empty() && parts.iter().all(|(modality, _)| *modality == wanted)
        };
        match formula {
            Linear::Release(a, b) if **a == Linear::falsity() => Some((Modality::Always, self.of_state(b)?)),
            Linear::Until(a, b) if **a == Linear::truth() => Some((Modality::Eventually, self.of_state(b)?)),
            Linear::And(inner) => {
                let parts = parts(inner).filter(|parts| all(parts, Modality::Always))?;
                Some((Modality::Always, ir::Expr::and(parts.into_iter().map(|(_, e)| e))))
            }
            Linear::Or(inner) => {
                let parts = parts(inner).filter(|parts| all(parts, Modality::Eventually))?;
                Some((Modality::Eventually, ir::Expr::or(parts.into_iter().map(|(_, e)| e))))
            }
            _ => None,
        }
    }

    /// A condition that says nothing about the step just made.
    fn of_state(&self, formula: &Linear<Atom>) -> Option<ir::Expr> {
        let Linear::Atom(Atom::State(e)) = formula else { return None };
        let mut of_step = false;
        e.walk(&mut |e| {
            if let Expr::Label(instance, command) = e {
                of_step |= receives(self.spec, *instance, *command);
            }
        });
        (!of_step).then(|| self.condition(e, &Context::of(0)))
    }

    fn atom(&self, atom: &Atom) -> ir::Expr {
        match atom {
            Atom::State(e) => self.condition(e, &Context::of(0)),
            Atom::Observed(number) => {
                let read = ir::Expr::Read(ir::Place::global(self.observed[*number]));
                compare(ir::BinaryOp::Ne, read, ir::Expr::Const(0))
            }
        }
    }

    /// A label: of a send, that it can be made now; of a receive, that it was part of the step just made.
    pub(super) fn label(&self, instance: usize, command: usize) -> ir::Expr {
        if let Some((_, var)) = self.received.iter().find(|(who, _)| *who == (instance, command)) {
            return ir::Expr::Read(ir::Place::global(*var));
        }
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
