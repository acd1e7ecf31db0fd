//! What makes a condition true or false: the parts that decide, with the values that they depend on. Of a conjunction that is
//! false these are the parts that are false; of a quantifier that is refuted, the first agent that refutes it.

use super::evaluate::Scope;
use super::phrase::{cell, is_users, named, phrase};
use swarmcheck_engine::trace::explain::{CauseData, SeenData, TruthData};
use swarmcheck_ir::flat::{Cell, Flat};
use swarmcheck_ir::{Expr, Modality, Quantifier, UNDEF, UnaryOp, Value};

/// More parts than these are no explanation.
const MOST_CAUSES: usize = 4;
const MOST_VALUES: usize = 8;
const MOST_PARTS: usize = 8;
/// A longer part would hide the rest.
const LONGEST_PART: usize = 160;

/// One of the parts that decide, still with its cells.
pub(super) struct Cause {
    pub(super) data: CauseData,
    pub(super) cells: Vec<Cell>,
}

/// Why a property's predicate is true or false in a state; nothing if that cannot be said in the user's words.
pub(crate) fn because(flat: &Flat, property: usize, state: &[Value]) -> Vec<CauseData> {
    let Some(property) = flat.program.properties.get(property) else { return vec![] };
    let scope = Scope::new(flat, state, None);
    let closed = matches!(property.modality, Modality::Linear(_)) || !is_users(&scope, &property.predicate);
    match scope.holds(&property.predicate) {
        Some(holds) if !closed => {
            causes(&scope, &property.predicate, holds).into_iter().map(|cause| cause.data).collect()
        }
        _ => vec![],
    }
}

/// The parts of a condition that decide that it is true (or false).
pub(super) fn causes(scope: &Scope<'_>, e: &Expr, holds: bool) -> Vec<Cause> {
    let mut out = vec![];
    collect(scope, e, holds, &mut out);
    out.truncate(MOST_CAUSES);
    out
}

fn collect(scope: &Scope<'_>, e: &Expr, holds: bool, out: &mut Vec<Cause>) {
    if out.len() >= MOST_CAUSES {
        return;
    }
    match e {
        Expr::Const(_) => {}
        Expr::And(parts) | Expr::Or(parts) => {
            let each = matches!(e, Expr::And(_)) == holds;
            for part in parts {
                // All parts matter, or those that have the truth of the whole do.
                if each || scope.holds(part) == Some(holds) {
                    collect(scope, part, holds, out);
                }
                if !each && holds && !out.is_empty() {
                    return;
                }
            }
        }
        Expr::Unary(UnaryOp::Not, inner) => collect(scope, inner, !holds, out),
        Expr::Quantified(Quantifier::Forall, kinds, bound, body) if !holds => {
            let refutes = |agent: &u32| scope.with(*bound, *agent).holds(body) == Some(false);
            if let Some(agent) = scope.agents(kinds).into_iter().find(refutes) {
                collect(&scope.with(*bound, agent), body, false, out);
            }
        }
        Expr::Quantified(Quantifier::Exists, kinds, bound, body) if holds => {
            let shows = |agent: &u32| scope.with(*bound, *agent).holds(body) == Some(true);
            if let Some(agent) = scope.agents(kinds).into_iter().find(shows) {
                collect(&scope.with(*bound, agent), body, true, out);
            }
        }
        leaf => {
            let mut seen = Seen::default();
            seen.collect(scope, leaf);
            // Who is who does not change, and needs no mention.
            if seen.cells.is_empty() && seen.values.is_empty() {
                return;
            }
            let data = CauseData { condition: phrase(scope, leaf), holds, values: seen.values };
            if out.iter().all(|known| known.data != data) {
                out.push(Cause { data, cells: seen.cells });
            }
        }
    }
}

/// What a condition depends on in a state.
#[derive(Default)]
struct Seen {
    values: Vec<SeenData>,
    cells: Vec<Cell>,
}

impl Seen {
    fn collect(&mut self, scope: &Scope<'_>, e: &Expr) {
        match e {
            Expr::Quantified(Quantifier::Count, ..) => {
                self.value(format!("({})", phrase(scope, e)), scope.value(e), None);
                let mut inside = Seen::default();
                inside.below(scope, e);
                self.cells.extend(inside.cells);
            }
            Expr::Read(place) => match scope.cell(place) {
                Some(found) => self.cell(scope, found),
                None => self.below(scope, e),
            },
            _ => self.below(scope, e),
        }
    }

    fn below(&mut self, scope: &Scope<'_>, e: &Expr) {
        match e {
            Expr::Quantified(_, kinds, bound, body) => {
                for agent in scope.agents(kinds) {
                    if self.values.len() >= MOST_VALUES {
                        return;
                    }
                    self.collect(&scope.with(*bound, agent), body);
                }
            }
            Expr::Read(place) => {
                place.agent.iter().for_each(|e| self.collect(scope, e));
                place.index.iter().for_each(|e| self.collect(scope, e));
            }
            Expr::LocalCell(_, e, _) | Expr::Unary(_, e) | Expr::Defined(e) => self.collect(scope, e),
            Expr::Binary(_, a, b, _) => {
                self.collect(scope, a);
                self.collect(scope, b);
            }
            Expr::And(parts) | Expr::Or(parts) => parts.iter().for_each(|e| self.collect(scope, e)),
            Expr::If(c, a, b) => [c, a, b].into_iter().for_each(|e| self.collect(scope, e)),
            Expr::Const(_) | Expr::Me | Expr::Bound(_) | Expr::Local(_) => {}
        }
    }

    fn cell(&mut self, scope: &Scope<'_>, found: Cell) {
        if self.cells.contains(&found) {
            return;
        }
        self.cells.push(found);
        let value = scope.read(found);
        let name = value.and_then(|value| named(scope, found.var, value));
        self.value(cell(scope, found), value, name);
    }

    fn value(&mut self, what: String, value: Option<Value>, name: Option<String>) {
        if self.values.len() < MOST_VALUES && self.values.iter().all(|known| known.what != what) {
            self.values.push(SeenData { what, value: value.filter(|v| *v != UNDEF), name });
        }
    }
}

/// The parts of a property, and their truth at the last state that was looked at.
pub(crate) struct Parts<'p> {
    parts: Vec<(String, &'p Expr)>,
    known: Vec<Option<bool>>,
}

impl<'p> Parts<'p> {
    /// The parts that a property is put together of by "and", "or" and "not", if there are several.
    pub(crate) fn new(flat: &'p Flat, property: Option<usize>) -> Parts<'p> {
        let scope = Scope { flat, state: None, me: None, bound: vec![], locals: vec![] };
        let mut found: Vec<(String, &Expr)> = vec![];
        let exprs = property.and_then(|number| flat.program.properties.get(number)).map(|p| p.exprs());
        for e in exprs.unwrap_or_default() {
            leaves(e, &mut |leaf| {
                if !matches!(leaf, Expr::Const(_)) && is_users(&scope, leaf) {
                    found.push((phrase(&scope, leaf), leaf));
                }
            });
        }
        found.dedup_by(|a, b| a.0 == b.0);
        if found.len() < 2 || found.len() > MOST_PARTS || found.iter().any(|(p, _)| p.len() > LONGEST_PART) {
            found.clear();
        }
        let known = vec![None; found.len()];
        Parts { parts: found, known }
    }

    /// The parts whose truth is not what it was before.
    pub(crate) fn look(&mut self, flat: &Flat, state: &[Value]) -> Vec<TruthData> {
        let scope = Scope::new(flat, state, None);
        let mut out = vec![];
        for ((part, e), known) in self.parts.iter().zip(&mut self.known) {
            let now = scope.holds(e);
            if let Some(holds) = now
                && *known != now
            {
                out.push(TruthData { part: part.clone(), holds });
                *known = now;
            }
        }
        out
    }
}

fn leaves<'e>(e: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    match e {
        Expr::And(parts) | Expr::Or(parts) => parts.iter().for_each(|part| leaves(part, visit)),
        Expr::Unary(UnaryOp::Not, inner) => leaves(inner, visit),
        leaf => visit(leaf),
    }
}
