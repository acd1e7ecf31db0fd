//! Specifications: temporal formulas over the states of the system and the messages between them.
//!
//! ⟨O⟩φ and [O]φ refer to the message that leaves the current state, and to φ after it. Following section 6.2 they become
//! X(o ∧ φ) and X(o → φ), where o says that the step just made had such a message.

use super::expr::Scope;
use super::{Checker, Global};
use crate::codes;
use crate::model::{Atom, Expr, Reading, Spec};
use crate::syntax::Precedence;
use crate::syntax::ast::{self, Node, Op, Temporal};
use swarmcheck_ir::Linear;
use swarmcheck_source::{Diagnostic, Fix};

/// Formulas larger than this, written out, are refused.
const LARGEST: usize = 20_000;

impl Checker<'_> {
    pub(super) fn specs(&mut self) {
        let script = self.script;
        let mut names: Vec<String> = vec![];
        for (number, spec) in script.specs.iter().enumerate() {
            let name = spec.name.as_ref().map_or_else(|| format!("spec{}", number + 1), |n| n.text.clone());
            if names.contains(&name) {
                let span = spec.name.as_ref().map_or(spec.formula.span, |n| n.span);
                let error = Diagnostic::error(
                    codes::DUPLICATE,
                    span,
                    format!("two specifications are called `{name}`"),
                );
                self.found.push(error);
            }
            names.push(name.clone());
            let Some(read) = self.specification(spec, &spec.formula, name.clone()) else { continue };
            let (Some(other), Some(texts)) = (&spec.other, &spec.readings) else {
                self.spec.specs.push(read);
                continue;
            };
            let message = "this formula can be read in two ways, and both are decided";
            let warning = Diagnostic::warning(codes::PRECEDENCE, spec.formula.span, message);
            let mut warning = warning.label(format!("conventionally, `{}`", texts[0])).help(format!(
                "add parentheses, or choose with --precedence: the authors' editor reads `{}`",
                texts[1]
            ));
            for (text, edits) in texts.iter().zip(spec.fixes.iter().flatten()) {
                let title = format!("put parentheses: `{text}`");
                warning = warning.fix(Fix { title, edits: edits.clone() });
            }
            self.found.push(warning);
            // Where the other reading has no meaning, there is nothing to choose. One that is too large has a meaning.
            let found = std::mem::take(&mut self.found);
            let other = self.specification(spec, other, name.clone());
            let errors = std::mem::replace(&mut self.found, found);
            if errors.iter().any(|error| error.code == codes::TOO_LARGE) {
                let message = "as the authors' editor reads it, this formula is too large to be decided";
                let error = Diagnostic::error(codes::TOO_LARGE, spec.formula.span, message);
                self.found.push(error.help("add parentheses, or choose with --precedence conventional"));
            }
            let Some(other) = other.filter(|other| other.formula != read.formula) else {
                self.spec.specs.push(read);
                continue;
            };
            for (mut one, (precedence, text)) in
                [read, other].into_iter().zip(Precedence::ALL.into_iter().zip(texts))
            {
                one.name = format!("{name} ({})", precedence.word());
                one.reading = Some(Reading { of: name.clone(), precedence, text: text.clone() });
                self.spec.specs.push(one);
            }
        }
    }

    /// One reading of a specification.
    pub(super) fn specification(
        &mut self,
        spec: &ast::Spec,
        formula: &ast::Expr,
        name: String,
    ) -> Option<Spec> {
        let mut vacuous = false;
        let scope = Scope { system: true, ..Scope::default() };
        let formula = self.formula(formula, &scope, &mut vacuous)?;
        if formula.size() > LARGEST || written_out(&formula) > LARGEST {
            self.error(
                codes::TOO_LARGE,
                spec.formula.span,
                "the formula is too large once quantifiers are written out",
            );
            return None;
        }
        let mut atoms = vec![];
        formula.atoms(&mut atoms);
        let names_steps = atoms.iter().any(|atom| match atom {
            Atom::State(e) => self.spec.names_next_step(e),
            Atom::Observed(_) => false,
        });
        Some(Spec { name, formula, span: spec.formula.span, vacuous, names_steps, reading: None })
    }

    fn formula(&mut self, e: &ast::Expr, scope: &Scope<'_>, vacuous: &mut bool) -> Option<Linear<Atom>> {
        if !self.temporal(e, scope) {
            return Some(Linear::Atom(Atom::State(self.condition(e, scope)?)));
        }
        match &e.node {
            // `keep-all`: what leaves this state changes nothing, like the rest of a system that cannot go on.
            Node::Of(..) => Some(Linear::not(Linear::next(self.seen(Expr::Changed)))),
            Node::Not(inner) => Some(Linear::not(self.formula(inner, scope, vacuous)?)),
            Node::Temporal(operator, inner) => {
                let inner = self.formula(inner, scope, vacuous)?;
                Some(match operator {
                    Temporal::Next => Linear::next(inner),
                    Temporal::Finally => Linear::finally(inner),
                    Temporal::Globally => Linear::globally(inner),
                })
            }
            Node::Observe { necessary, seen, then } => {
                let observing =
                    Scope { message: true, channel: true, observation: true, system: false, ..scope.clone() };
                let seen = self.condition(seen, &observing);
                let then = self.formula(then, scope, vacuous);
                let (seen, then) = (seen?, then?);
                let seen = self.seen(seen);
                Some(Linear::next(match necessary {
                    true => Linear::Or(vec![Linear::not(seen), then]),
                    false => Linear::And(vec![seen, then]),
                }))
            }
            Node::Agents { all, name, types, body } => {
                let mut parts = vec![];
                let instances = self.ranged(types)?;
                *vacuous |= instances.is_empty();
                for instance in instances {
                    self.write_out(e.span)?;
                    let mut inner = scope.clone();
                    inner.bound.push((name.text.clone(), instance));
                    parts.push(self.formula(body, &inner, vacuous)?);
                    if parts.iter().map(Linear::size).sum::<usize>() > LARGEST {
                        self.error(
                            codes::TOO_LARGE,
                            e.span,
                            "the formula is too large once quantifiers are written out",
                        );
                        return None;
                    }
                }
                Some(if *all { Linear::And(parts) } else { Linear::Or(parts) })
            }
            Node::Binary(Op::Mul | Op::Div | Op::Add | Op::Sub, ..)
            | Node::Binary(Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge, ..) => {
                self.error(
                    codes::MISMATCH,
                    e.span,
                    "a temporal formula is not a value and cannot be compared",
                );
                None
            }
            Node::Binary(op, a, b) => {
                let left = self.formula(a, scope, vacuous);
                let right = self.formula(b, scope, vacuous);
                let (a, b) = (left?, right?);
                // Some operators write an operand twice.
                if a.size() + b.size() > LARGEST {
                    self.error(codes::TOO_LARGE, e.span, "the formula is too large once it is written out");
                    return None;
                }
                Some(match op {
                    Op::And => Linear::And(vec![a, b]),
                    Op::Or => Linear::Or(vec![a, b]),
                    Op::Implies => Linear::Or(vec![Linear::not(a), b]),
                    Op::Iff => Linear::And(vec![
                        Linear::Or(vec![Linear::not(a.clone()), b.clone()]),
                        Linear::Or(vec![a, Linear::not(b)]),
                    ]),
                    Op::Until => Linear::until(a, b),
                    Op::Release => Linear::release(a, b),
                    // Weak until is all that is left: φ W ψ is ψ R (ψ ∨ φ), section 5.1.
                    _ => Linear::release(b.clone(), Linear::Or(vec![b, a])),
                })
            }
            _ => {
                self.error(codes::TEMPORAL, e.span, "a temporal formula cannot stand here");
                None
            }
        }
    }
}

impl Checker<'_> {
    /// The step just made satisfies an observation.
    pub(super) fn seen(&mut self, observation: Expr) -> Linear<Atom> {
        let known = self.spec.observations.iter().position(|o| *o == observation);
        let number = known.unwrap_or(self.spec.observations.len());
        if known.is_none() {
            self.spec.observations.push(observation);
        }
        Linear::Atom(Atom::Observed(number))
    }

    /// Whether a formula has temporal operators, or speaks of the step that leaves the state.
    pub(super) fn temporal(&self, e: &ast::Expr, scope: &Scope<'_>) -> bool {
        match &e.node {
            Node::Temporal(..) | Node::Observe { .. } => true,
            // The authors' translation to nuXmv has a definition of this name; an agent called `keep` goes before it.
            Node::Of(keep, all) => {
                let agent = matches!(self.names.get(&keep.text), Some((Global::Instance(_), _)))
                    || scope.bound.iter().any(|(name, _)| *name == keep.text);
                keep.text == "keep" && all.text == "all" && !agent
            }
            Node::Not(inner) | Node::Negative(inner) => self.temporal(inner, scope),
            Node::Agents { body, .. } => self.temporal(body, scope),
            Node::Binary(op, a, b) => {
                matches!(op, Op::Until | Op::Release | Op::WeakUntil)
                    || self.temporal(a, scope)
                    || self.temporal(b, scope)
            }
            _ => false,
        }
    }
}

/// How large a formula is once what it says about the next step is taken out of its conditions: comparisons of labels with
/// other conditions write both sides twice.
fn written_out(formula: &Linear<Atom>) -> usize {
    /// And whether there is a label in it.
    fn size(e: &Expr) -> (usize, bool) {
        match e {
            Expr::Label(..) => (1, true),
            Expr::Not(inner) => match size(inner) {
                (inner, true) => (inner.saturating_add(1), true),
                (_, false) => (1, false),
            },
            Expr::Binary(op, a, b, _) => {
                let ((a, in_a), (b, in_b)) = (size(a), size(b));
                let once = matches!(op, Op::And | Op::Or | Op::Implies);
                let both = a.saturating_add(b).saturating_add(1);
                match in_a || in_b {
                    true => (both.saturating_mul(if once { 1 } else { 2 }), true),
                    false => (1, false),
                }
            }
            _ => (1, false),
        }
    }
    let mut atoms = vec![];
    formula.atoms(&mut atoms);
    let one = |atom: &Atom| match atom {
        Atom::State(e) => size(e).0,
        Atom::Observed(_) => 1,
    };
    atoms.into_iter().map(one).fold(0, usize::saturating_add)
}
