//! Formulas of linear time as properties of the program (`docs/labs.md` 23).
//!
//! `a acts` says that the step which leaves the state is an action of `a`. It becomes X m, where m says that the step just
//! made was one: the program keeps that in a variable, which it has only if some formula needs it. `a can act` is a condition
//! on the state, made of the guards and bodies of the agent's functions. An execution that stops rests in its last state: the
//! variable then says that nobody moved.

use super::{Lowerer, expr, keys};
use crate::codes;
use crate::model::{Atom, Modality, Model, Property};
use swarmcheck_ir as ir;
use swarmcheck_ir::linear::merge::merged;
use swarmcheck_ir::linear::simple::simple;
use swarmcheck_ir::units::{self, Unit, UnitKind};
use swarmcheck_ir::written::{Written, WrittenNode};
use swarmcheck_ir::{Linear, LinearTime, possible};
use swarmcheck_source::Diagnostic;

/// Whether a formula speaks of the step that leaves a state.
fn names_steps(formula: &Linear<Atom>) -> bool {
    let mut atoms = vec![];
    formula.atoms(&mut atoms);
    atoms.into_iter().any(|atom| matches!(atom, Atom::Acts(_) | Atom::Sends(_) | Atom::Delivered))
}

/// Whether some property of the model speaks of steps.
pub(super) fn needs_steps(model: &Model) -> bool {
    model.properties.iter().any(|p| matches!(&p.modality, Modality::Linear(f) if names_steps(f)))
}

impl Lowerer<'_> {
    /// A formula as a property. The program has all its functions, and the variable for steps if one is needed.
    pub(super) fn formula_property(
        &self,
        property: &Property,
        formula: &Linear<Atom>,
    ) -> Result<ir::Property, Box<Diagnostic>> {
        let lowered = merged(&self.formula(property, formula)?);
        let of_state = |f: &Linear<ir::Expr>| match f {
            Linear::Atom(e) => Some(e.clone()),
            _ => None,
        };
        let (modality, predicate) = match simple(&lowered, &of_state) {
            Some(simple) => simple,
            None => {
                let rests = possible::stuck(&self.program).ok_or_else(|| self.unknown(property, None))?;
                let rest = units::tracked(&self.program).map(units::nobody).into_iter().collect();
                let linear = LinearTime { formula: lowered, rests, rest };
                (ir::Modality::Linear(Box::new(linear)), ir::Expr::TRUE)
            }
        };
        let vacuous = property.written.as_ref().is_some_and(|written| self.over_nobody(written));
        let (name, span) = (property.name.clone(), property.span);
        Ok(ir::Property { name, modality, predicate, span, vacuous })
    }

    /// The formula over conditions of the program.
    fn formula(
        &self,
        property: &Property,
        formula: &Linear<Atom>,
    ) -> Result<Linear<ir::Expr>, Box<Diagnostic>> {
        let one = |f: &Linear<Atom>| self.formula(property, f);
        let all = |parts: &[Linear<Atom>]| parts.iter().map(one).collect::<Result<Vec<_>, _>>();
        Ok(match formula {
            Linear::Atom(atom) => self.atom(property, atom)?,
            Linear::Not(a) => Linear::not(one(a)?),
            Linear::And(parts) => Linear::And(all(parts)?),
            Linear::Or(parts) => Linear::Or(all(parts)?),
            Linear::Next(a) => Linear::next(one(a)?),
            Linear::Until(a, b) => Linear::until(one(a)?, one(b)?),
            Linear::Release(a, b) => Linear::release(one(a)?, one(b)?),
        })
    }

    fn atom(&self, property: &Property, atom: &Atom) -> Result<Linear<ir::Expr>, Box<Diagnostic>> {
        let moved = |agent: u32, kind: UnitKind| match units::tracked(&self.program) {
            Some(var) => units::moved(var, Unit { agent, kind }),
            None => ir::Expr::FALSE,
        };
        let can = |agent: u32, kind: UnitKind| {
            let found = units::can_move(&self.program, Unit { agent, kind });
            found.ok_or_else(|| self.unknown(property, Some(Unit { agent, kind })))
        };
        let next = |e: ir::Expr| Linear::next(Linear::Atom(e));
        Ok(match atom {
            Atom::State(cond) => Linear::Atom(self.exprs(&expr::Names::closed()).satisfied(cond)),
            Atom::Acts(agent) => next(moved(*agent, UnitKind::Acts)),
            Atom::Sends(agent) => next(moved(*agent, UnitKind::Sends)),
            Atom::CanAct(agent) => Linear::Atom(can(*agent, UnitKind::Acts)?),
            Atom::CanSend(agent) => Linear::Atom(can(*agent, UnitKind::Sends)?),
            Atom::Delivered => next(match units::tracked(&self.program) {
                Some(var) => units::moved_somebody(&self.program, var, UnitKind::Sends),
                None => ir::Expr::FALSE,
            }),
        })
    }

    /// The formula as it is written, over conditions of the program.
    pub(super) fn written_formula(&self, property: &Property, written: &Written<Atom>) -> Written<ir::Expr> {
        written.map(&|f| self.formula(property, f).unwrap_or_else(|_| Linear::truth()))
    }

    /// It cannot be said where an action is possible, of the given unit or at all.
    fn unknown(&self, property: &Property, unit: Option<Unit>) -> Box<Diagnostic> {
        let is_unknown = |f: &&ir::Function| {
            possible::possible(&self.program, f, &ir::Expr::Bound(self.program.binders())).is_none()
        };
        let function = match unit {
            Some(unit) => units::functions(&self.program, unit).find(is_unknown),
            None => self.program.functions.iter().find(is_unknown),
        };
        let message = match unit {
            Some(_) => "it is not known when this agent can act",
            None => "it is not known when executions stop, and a formula is also about those that do",
        };
        let mut error = Diagnostic::error(codes::POSSIBLE, property.span, message);
        if let Some(function) = function {
            error =
                error.also(function.span, "whether this action is possible depends on its own assignments");
        }
        let help = "split the action: one stores what is chosen in an attribute, and the next one uses it";
        Box::new(error.help(help))
    }

    /// Whether a quantifier ranges over no agent.
    fn over_nobody(&self, written: &Written<Atom>) -> bool {
        let two = |a: &Written<Atom>, b: &Written<Atom>| self.over_nobody(a) || self.over_nobody(b);
        match &written.node {
            WrittenNode::Condition(f) | WrittenNode::Seen(f) => {
                let mut atoms = vec![];
                f.atoms(&mut atoms);
                atoms.into_iter().any(|atom| match atom {
                    Atom::State(cond) => keys::ranges_over_nobody(self.model, cond),
                    _ => false,
                })
            }
            WrittenNode::Not(a)
            | WrittenNode::Next(a)
            | WrittenNode::Finally(a)
            | WrittenNode::Globally(a) => self.over_nobody(a),
            WrittenNode::And(a, b)
            | WrittenNode::Or(a, b)
            | WrittenNode::Implies(a, b)
            | WrittenNode::Iff(a, b)
            | WrittenNode::Until(a, b)
            | WrittenNode::Release(a, b)
            | WrittenNode::WeakUntil(a, b) => two(a, b),
            WrittenNode::Observe { seen, then, .. } => two(seen, then),
            WrittenNode::Agents { agents, .. } => {
                agents.is_empty() || agents.iter().any(|(_, part)| self.over_nobody(part))
            }
        }
    }
}
