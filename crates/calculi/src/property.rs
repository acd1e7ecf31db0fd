//! Claims about the actions of a system: `always not nok`, `eventually ok`, `agree precedes ok`.
//!
//! A claim is a small automaton that reads the label of every step ([`Claim::after`]). The emulation program runs it in
//! a variable of its own, so existing modalities over states decide it; the replay of a trace runs it on labels.

use crate::codes;
use crate::cursor::{Cursor, TokenKind};
use crate::linear::{self, Executions, Formula};
use std::collections::BTreeSet;
use swarmcheck_ir::Modality;
use swarmcheck_source::{Diagnostic, Diagnostics, Span, suggest};

/// A named property.
#[derive(Clone, Debug)]
pub struct Property {
    pub name: String,
    pub span: Span,
    pub requirement: Requirement,
}

/// What a property requires.
#[derive(Clone, Debug)]
pub enum Requirement {
    Claim(Claim),
    /// A formula of linear temporal logic.
    Formula(Formula),
}

impl Property {
    /// The claim, if it is one.
    pub fn claim(&self) -> Option<&Claim> {
        match &self.requirement {
            Requirement::Claim(claim) => Some(claim),
            Requirement::Formula(_) => None,
        }
    }

    /// The formula, if it is one.
    pub fn formula(&self) -> Option<&Formula> {
        match &self.requirement {
            Requirement::Claim(_) => None,
            Requirement::Formula(formula) => Some(formula),
        }
    }

    /// Whether one execution is enough for it to hold.
    pub fn is_possibility(&self) -> bool {
        self.formula().is_some_and(|formula| formula.of == Executions::Some)
    }
}

/// What is said about the actions of a system.
#[derive(Clone, Debug)]
pub enum Claim {
    /// Every action is of this kind.
    Always(Actions),
    /// Every maximal execution performs such an action.
    Eventually(Actions),
    /// As long as there was none, such an action stays possible.
    Fairly(Actions),
    /// Such an action always stays possible.
    FairlyInf(Actions),
    /// The second kind of action occurs only after the first kind has.
    Precedes(Actions, Actions),
}

/// A set of actions.
#[derive(Clone, Debug)]
pub enum Actions {
    Any,
    Label(String, Span),
    Not(Box<Actions>),
    /// Those that are in all of these.
    And(Vec<Actions>),
    /// Those that are in one of these.
    Or(Vec<Actions>),
}

impl Actions {
    /// Whether the action with this label is one of them.
    pub fn contains(&self, label: &str) -> bool {
        match self {
            Actions::Any => true,
            Actions::Label(own, _) => own == label,
            Actions::Not(a) => !a.contains(label),
            Actions::And(parts) => parts.iter().all(|a| a.contains(label)),
            Actions::Or(parts) => parts.iter().any(|a| a.contains(label)),
        }
    }

    fn labels(&self, out: &mut Vec<(String, Span)>) {
        match self {
            Actions::Any => {}
            Actions::Label(label, span) => out.push((label.clone(), *span)),
            Actions::Not(a) => a.labels(out),
            Actions::And(parts) | Actions::Or(parts) => parts.iter().for_each(|a| a.labels(out)),
        }
    }
}

impl Claim {
    /// How many states the automaton has; it starts in state 0.
    pub const STATES: u8 = 3;

    /// The state after an action, when it was in `state` before.
    pub fn after(&self, state: u8, label: &str) -> u8 {
        match self {
            Claim::Always(actions) => state.max(u8::from(!actions.contains(label))),
            Claim::Eventually(actions) | Claim::Fairly(actions) => {
                state.max(u8::from(actions.contains(label)))
            }
            Claim::FairlyInf(actions) => u8::from(actions.contains(label)),
            Claim::Precedes(first, then) => match state {
                // An action that is of both kinds is not preceded by itself.
                0 if then.contains(label) => 2,
                0 => u8::from(first.contains(label)),
                decided => decided,
            },
        }
    }

    /// Whether the predicate of the modality holds in a state of the automaton. `acts` says whether the system can still
    /// perform an action: one that has stopped after such an action will not perform another one, though nothing but
    /// the action just performed can be read off the labels.
    pub fn holds(&self, state: u8, acts: bool) -> bool {
        match self {
            Claim::FairlyInf(_) => state == 1 && acts,
            Claim::Always(_) => state == 0,
            Claim::Precedes(..) => state != 2,
            _ => state == 1,
        }
    }

    /// Whether the predicate depends on what can still be performed.
    pub fn looks_ahead(&self) -> bool {
        matches!(self, Claim::FairlyInf(_))
    }

    /// When the predicate must hold.
    pub fn modality(&self) -> Modality {
        match self {
            Claim::Always(_) | Claim::Precedes(..) => Modality::Always,
            Claim::Eventually(_) => Modality::Eventually,
            Claim::Fairly(_) => Modality::Fairly,
            Claim::FairlyInf(_) => Modality::FairlyInf,
        }
    }

    fn actions(&self) -> Vec<&Actions> {
        match self {
            Claim::Always(a) | Claim::Eventually(a) | Claim::Fairly(a) | Claim::FairlyInf(a) => vec![a],
            Claim::Precedes(a, b) => vec![a, b],
        }
    }
}

/// How a language writes the label of an action in a property.
pub type ReadLabel<'f> = &'f dyn Fn(&mut Cursor<'_>) -> Option<String>;

/// What the `check` sections of a file say, in its order.
pub type Section = Vec<Property>;

/// Reads `{ Name = claim … }` and adds it to what is known. What follows a mistake in the section is skipped.
pub fn section(cursor: &mut Cursor<'_>, label: ReadLabel<'_>, out: &mut Section) -> Option<()> {
    cursor.expect('{')?;
    while !cursor.take('}') {
        let token = cursor.name("the name of a property or `}`")?;
        let name = cursor.text(token).to_string();
        if let Some(before) = out.iter().find(|known| known.name == name).map(|known| known.span) {
            let message = format!("there are two properties named `{name}`");
            let error = Diagnostic::error(codes::DUPLICATE, token.span, message);
            cursor.diagnostics.push(error.also(before, "the first one"));
        }
        cursor.expect('=')?;
        let requirement = if cursor.take_word("ltl") {
            Requirement::Formula(linear::read(cursor, label, Executions::All)?)
        } else if cursor.take_word("possibly") {
            Requirement::Formula(linear::read(cursor, label, Executions::Some)?)
        } else {
            Requirement::Claim(claim(cursor, label)?)
        };
        out.push(Property { name, span: token.span, requirement });
        let _ = cursor.take(';') || cursor.take(',');
    }
    Some(())
}

fn claim(cursor: &mut Cursor<'_>, label: ReadLabel<'_>) -> Option<Claim> {
    type Make = fn(Actions) -> Claim;
    let words: [(&str, Make); 6] = [
        ("always", Claim::Always),
        ("never", |actions| Claim::Always(Actions::Not(Box::new(actions)))),
        ("eventually", Claim::Eventually),
        ("finally", Claim::Eventually),
        ("fairly", Claim::Fairly),
        ("fairly_inf", Claim::FairlyInf),
    ];
    for (word, make) in words {
        if cursor.take_word(word) {
            return Some(make(either(cursor, label)?));
        }
    }
    // Two words side by side are no label, so the first is meant to say what is claimed.
    let (word, next) = (cursor.text(cursor.peek()), cursor.ahead(1));
    let joins = matches!(cursor.text(next), "precedes" | "and" | "or");
    let claims = ["always", "never", "eventually", "finally", "fairly", "fairly_inf", "ltl", "possibly"];
    if next.kind == TokenKind::Word
        && !joins
        && !matches!(word, "not" | "any")
        && suggest::nearest(word, claims).is_some()
    {
        return cursor.wrong_word("a claim", &claims);
    }
    let first = either(cursor, label)?;
    if !cursor.take_word("precedes") {
        return cursor.wrong(
            "`precedes`, or a claim that begins with `always`, `eventually`, `fairly`, `fairly_inf` or `possibly`",
        );
    }
    Some(Claim::Precedes(first, either(cursor, label)?))
}

fn either(cursor: &mut Cursor<'_>, label: ReadLabel<'_>) -> Option<Actions> {
    let mut parts = vec![both(cursor, label)?];
    while cursor.take_word("or") {
        parts.push(both(cursor, label)?);
    }
    Some(if parts.len() == 1 { parts.remove(0) } else { Actions::Or(parts) })
}

fn both(cursor: &mut Cursor<'_>, label: ReadLabel<'_>) -> Option<Actions> {
    let mut parts = vec![one(cursor, label)?];
    while cursor.take_word("and") {
        parts.push(one(cursor, label)?);
    }
    Some(if parts.len() == 1 { parts.remove(0) } else { Actions::And(parts) })
}

fn one(cursor: &mut Cursor<'_>, label: ReadLabel<'_>) -> Option<Actions> {
    if cursor.take_word("not") {
        return Some(Actions::Not(Box::new(cursor.nested(|c| one(c, label))?)));
    }
    if cursor.take_word("any") {
        return Some(Actions::Any);
    }
    if cursor.take('(') {
        let inner = cursor.nested(|c| either(c, label))?;
        cursor.expect(')')?;
        return Some(inner);
    }
    let first = cursor.peek().span;
    let text = label(cursor)?;
    Some(Actions::Label(text, Span { start: first.start, end: cursor.before() }))
}

/// Complains about labels that no action of the system has.
pub fn check_labels(section: &[Property], known: &BTreeSet<String>, found: &mut Diagnostics) {
    let mut used = vec![];
    for property in section {
        match &property.requirement {
            Requirement::Claim(claim) => claim.actions().iter().for_each(|a| a.labels(&mut used)),
            Requirement::Formula(formula) => used.extend(formula.labels.iter().cloned()),
        }
    }
    for (label, span) in used.into_iter().filter(|(label, _)| !known.contains(label)) {
        let near = found.nearest(&label, known.iter().map(String::as_str));
        let error =
            Diagnostic::error(codes::UNKNOWN_ACTION, span, format!("no action is labelled `{label}`"));
        found.push(error.did_you_mean(near));
    }
}
