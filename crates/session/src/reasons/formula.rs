//! Why an execution violates a formula of linear time, in the words of the user's file: which part is required from which
//! step on, and what never comes or comes too early. `logic::linear::explain` finds it; here the points of the execution are
//! made of its states, and places become text.

use super::cause::causes;
use super::evaluate::Scope;
use super::phrase::is_users;
use crate::open::Prepared;
use swarmcheck_engine::trace::explain::{CauseData, FormulaData};
use swarmcheck_engine::trace::{End, Trace};
use swarmcheck_ir::{Expr, Linear, LinearTime, Modality, Stmt, Value};
use swarmcheck_logic::linear::explain::{Binding, Finding, Points, explain};
use swarmcheck_source::Span;

/// The most pairs of a part of the formula and a state that are looked at. What is larger is not explained.
const MOST: usize = 2_000_000;

/// Why a trace violates a property that is a formula of linear time; nothing if it is none, or that cannot be told.
pub(crate) fn formula(prepared: &Prepared, trace: &Trace, property: usize) -> Vec<FormulaData> {
    let flat = &prepared.flat;
    let Some(Modality::Linear(linear)) = flat.program.properties.get(property).map(|p| &p.modality) else {
        return vec![];
    };
    let size = linear.formula.size().saturating_mul(trace.steps.len() + 2);
    if size > MOST || matches!(trace.end, End::Fault(..) | End::InitialFault(_)) {
        return vec![];
    }
    let Some(written) = prepared.model.written(property, &prepared.options) else { return vec![] };
    let mut states: Vec<Vec<Value>> = vec![trace.initial.clone()];
    states.extend(trace.steps.iter().map(|step| step.state.clone()));
    let back = match (trace.loop_start, &trace.end) {
        // The last state is the one at the start of the loop, reached by another step.
        (Some(start), _) => Some(start + 1),
        (None, End::Deadlock) => {
            let Some(rested) = rested(prepared, linear, &states[trace.steps.len()]) else { return vec![] };
            states.push(rested);
            Some(states.len() - 1)
        }
        _ => None,
    };
    let points = Points { length: states.len(), back };
    let truth = |e: &Expr, at: usize| Scope::new(flat, &states[at], None).holds(e);
    // A label of a calculus is read where its step has been made, and speaks of the moment before.
    let earlier =
        usize::from(flat.program.vars.iter().any(|var| var.name == swarmcheck_calculi::lower::LAST_LABEL));
    let told = Told { prepared, states: &states, steps: trace.steps.len(), earlier };
    let said = |finding: &Finding<'_, Expr>| match finding {
        // `true` and `false` need no explanation.
        Finding::Condition { condition: Linear::Atom(Expr::Const(_)), .. } => false,
        _ => true,
    };
    let mut out = vec![];
    let mut about: Vec<Binding> = vec![];
    for one in explain(&written, points, &truth).into_iter().filter(|one| said(&one.finding)) {
        if one.bindings != about {
            out.extend(heading(&one.bindings));
            about = one.bindings;
        }
        out.push(told.data(one.finding));
    }
    out
}

/// What follows is about these agents, and about no others.
fn heading(bindings: &[Binding]) -> Vec<FormulaData> {
    if bindings.is_empty() {
        return vec![FormulaData::Outside];
    }
    let agent = |b: &Binding| FormulaData::Agent { name: b.name.clone(), agent: b.agent.clone() };
    bindings.iter().map(agent).collect()
}

/// The state of a system that rests.
fn rested(prepared: &Prepared, linear: &LinearTime, state: &[Value]) -> Option<Vec<Value>> {
    let mut after = state.to_vec();
    for stmt in &linear.rest {
        let Stmt::Assign(place, e) = stmt else { return None };
        let scope = Scope::new(&prepared.flat, state, None);
        let (cell, value) = (scope.cell(place)?, scope.value(e)?);
        let first = match cell.agent {
            None => prepared.flat.layout.global(cell.var),
            Some(agent) => prepared.flat.layout.copy(cell.var, agent)?,
        };
        *after.get_mut((first + cell.index) as usize)? = value;
    }
    Some(after)
}

struct Told<'a> {
    prepared: &'a Prepared,
    states: &'a [Vec<Value>],
    /// So many steps were made; a point beyond them is one at which the system rests.
    steps: usize,
    /// What is found at a point is said of the moment so many steps earlier.
    earlier: usize,
}

impl Told<'_> {
    fn data(&self, finding: Finding<'_, Expr>) -> FormulaData {
        let part = |span: Span| self.text(span);
        let after = |at: usize| at.saturating_sub(self.earlier).min(self.steps);
        let resting = |at: usize| at > self.steps;
        match finding {
            Finding::Opened { span, at, became } => {
                // No step makes anything true where the system rests.
                let (after, resting) = (after(at), resting(at));
                let became = became && !resting && after > 0;
                FormulaData::Opened { part: part(span), after, became, resting }
            }
            Finding::Condition { span, at, holds, condition } => {
                let because = self.because(condition, at, holds);
                let (after, resting) = (after(at), resting(at));
                FormulaData::Condition { part: part(span), after, holds, because, resting }
            }
            Finding::Observed { span, at, holds } => {
                let step = (at <= self.steps).then_some(at);
                FormulaData::Observed { part: part(span), step, holds }
            }
            Finding::Forever { span, from, holds } => {
                let (after, resting) = (after(from), resting(from));
                FormulaData::Forever { part: part(span), after, holds, resting }
            }
            Finding::Kept { span, from, .. } if resting(from) => {
                let (part, after, because) = (part(span), after(from), vec![]);
                FormulaData::Condition { part, after, holds: true, because, resting: true }
            }
            Finding::Kept { span, from, to } => {
                let (from, to, resting) = (after(from), after(to), resting(to));
                FormulaData::Kept { part: part(span), from, to, resting }
            }
            Finding::Before { span, at, until, inclusive, .. } => {
                let (after, resting) = (after(at), resting(at));
                FormulaData::Before { part: part(span), after, until: part(until), inclusive, resting }
            }
        }
    }

    /// The text of a part in one line, without the parentheses around it.
    fn text(&self, span: Span) -> String {
        let words: Vec<&str> = self.prepared.file.slice(span).split_whitespace().collect();
        let mut text = words.join(" ");
        while let Some(inner) = inside(&text) {
            text = inner.trim().to_string();
        }
        text
    }

    /// What makes a condition true or false, if it is about one state.
    fn because(&self, condition: &Linear<Expr>, at: usize, holds: bool) -> Vec<CauseData> {
        let Linear::Atom(e) = condition else { return vec![] };
        let scope = Scope::new(&self.prepared.flat, &self.states[at], None);
        if !is_users(&scope, e) {
            return vec![];
        }
        causes(&scope, e, holds).into_iter().map(|cause| cause.data).collect()
    }
}

/// What stands between the parentheses around a text, if they belong together.
fn inside(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let mut depth = 0;
    for sign in inner.chars() {
        depth += i32::from(sign == '(') - i32::from(sign == ')');
        if depth < 0 {
            return None;
        }
    }
    Some(inner)
}
