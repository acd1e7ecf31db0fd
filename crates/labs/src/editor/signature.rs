//! The form around a place and the part of it that the place is in: arguments of functions, quantifiers, `pick`, scopes, indices.

use super::context::{Context, Part, Section};
use super::index::index;
use crate::syntax::ast::AssignOp;
use crate::syntax::token::{Bracket, TokenKind};
use swarmcheck_source::index::{Signature, SymbolKind};

/// Something open around the place.
struct Frame<'t> {
    form: Form<'t>,
    /// The part of the form that the place is in.
    active: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form<'t> {
    /// `abs`, `min`, `max`.
    Function(&'t str),
    /// The cell of an array.
    Cell(&'t str),
    /// `forall`, `exists`, `count`.
    Quantifier(&'t str),
    Pick,
    /// `between` or `from`.
    Scope(&'t str),
    /// Brackets that belong to no form.
    Brackets,
    /// The braces of a block: forms outside of it do not matter inside.
    Block,
}

/// The form around a place.
pub fn signature(text: &str, offset: u32) -> Option<Signature> {
    let context = Context::at(text, offset)?;
    context.section?;
    let check = context.section == Some(Section::Check) && context.part == Part::Definition;
    let formula = check && context.slice(context.start) == "ltl";
    let mut walk = Walk { context: &context, check, formula, frames: vec![], cell: None };
    (context.start..context.before).for_each(|at| walk.step(at));
    let shown = walk.frames.iter().rev().find(|frame| frame.form != Form::Brackets)?;
    describe(shown, text)
}

/// A walk over the tokens of a part or definition.
struct Walk<'c, 't> {
    context: &'c Context<'t>,
    check: bool,
    formula: bool,
    /// What is open, innermost last.
    frames: Vec<Frame<'t>>,
    /// Where the last cell closed, of which array, and how many indices it had: `m[i][j]` goes on.
    cell: Option<(usize, &'t str, usize)>,
}

impl<'t> Walk<'_, 't> {
    fn step(&mut self, at: usize) {
        match self.context.kind(at) {
            TokenKind::Open(bracket) => self.open(at, bracket),
            TokenKind::Close(_) => self.close(at),
            TokenKind::Comma => self.comma(),
            TokenKind::Guard if self.formula => {}
            TokenKind::Semicolon
            | TokenKind::Choice
            | TokenKind::Parallel
            | TokenKind::Guard
            | TokenKind::Conditional => self.end_expression(),
            TokenKind::Ident => match self.frames.last_mut() {
                Some(Frame { form: Form::Quantifier(_), active: active @ 0 }) => *active = 1,
                Some(Frame { form: Form::Pick, active: active @ 1 }) => *active = 2,
                _ => {}
            },
            TokenKind::Number | TokenKind::Parameter => self.quantity(),
            _ => self.word(at),
        }
    }

    fn push(&mut self, form: Form<'t>, active: usize) {
        self.frames.push(Frame { form, active });
    }

    fn open(&mut self, at: usize, bracket: Bracket) {
        let before = at.checked_sub(1).filter(|before| *before >= self.context.start);
        let word = before.map_or("", |before| self.context.slice(before));
        let kind = before.map_or(TokenKind::End, |before| self.context.kind(before));
        match bracket {
            Bracket::Round if matches!(word, "min" | "max" | "abs") => self.push(Form::Function(word), 0),
            Bracket::Square if kind == TokenKind::Name => self.push(Form::Cell(word), 0),
            Bracket::Square => match self.cell {
                Some((end, name, indices)) if end + 1 == at => self.push(Form::Cell(name), indices),
                _ => self.push(Form::Brackets, 0),
            },
            Bracket::Curly => self.push(Form::Block, 0),
            Bracket::Round => self.push(Form::Brackets, 0),
        }
    }

    fn close(&mut self, at: usize) {
        self.end_expression();
        if let Some(Frame { form: Form::Cell(name), active }) = self.frames.pop() {
            self.cell = Some((at, name, active + 1));
        }
        self.quantity();
    }

    /// The number of a `pick` has been read.
    fn quantity(&mut self) {
        if let Some(Frame { form: Form::Pick, active: active @ 0 }) = self.frames.last_mut() {
            *active = 1;
        }
    }

    /// Quantifiers and `pick` end where the expression around them does.
    fn end_expression(&mut self) {
        while self.frames.last().is_some_and(|frame| matches!(frame.form, Form::Quantifier(_) | Form::Pick)) {
            self.frames.pop();
        }
    }

    fn comma(&mut self) {
        if let Some(Frame { form: Form::Quantifier(_), active: active @ (0 | 1) }) = self.frames.last_mut() {
            *active = 2;
            return;
        }
        self.end_expression();
        match self.frames.last_mut() {
            Some(Frame { form: Form::Function(_) | Form::Cell(_), active }) => *active += 1,
            Some(Frame { form: Form::Scope(_), active: active @ 1 }) => *active = 2,
            _ => {}
        }
    }

    fn word(&mut self, at: usize) {
        let local = TokenKind::Assign(AssignOp::Local);
        let assigned = at.checked_sub(1).is_some_and(|before| self.context.kind(before) == local);
        let ident = self.context.kind(at + 1) == TokenKind::Ident;
        match (self.context.slice(at), self.frames.last_mut()) {
            (word @ ("forall" | "exists"), _) => self.push(Form::Quantifier(word), 0),
            // Without a kind behind it, it may be a variable, and at the end of what is written it may become either.
            (word @ "count", _) if ident || at + 1 == self.context.before => {
                self.push(Form::Quantifier(word), 0)
            }
            ("pick", _) if assigned => self.push(Form::Pick, 0),
            ("where", Some(Frame { form: Form::Pick, active })) => *active = 2,
            (word @ ("between" | "from"), _) if self.check && at == self.context.start => {
                self.push(Form::Scope(word), 0);
            }
            ("and", Some(Frame { form: Form::Scope("between"), active: active @ 0 }))
            | ("until", Some(Frame { form: Form::Scope("from"), active: active @ 0 })) => *active = 1,
            (":", Some(Frame { form: Form::Scope(_), active: active @ 1 })) => *active = 2,
            _ => {}
        }
    }
}

fn describe(frame: &Frame, text: &str) -> Option<Signature> {
    let predicate = "predicate";
    Some(match frame.form {
        Form::Function("abs") => {
            build(&["abs(", "number", ")"], frame.active, "The absolute value of a number.")
        }
        Form::Function(word) => {
            let says =
                if word == "min" { "The smaller of two numbers." } else { "The greater of two numbers." };
            build(&[&format!("{word}("), "number", ", ", "number", ")"], frame.active, says)
        }
        Form::Quantifier(word) => {
            let says = match word {
                "forall" => "All agents of the kind satisfy the condition.",
                "exists" => "Some agent of the kind satisfies the condition.",
                _ => "The number of agents of the kind that satisfy the condition.",
            };
            build(&[&format!("{word} "), "Kind", " ", "name", ", ", "condition"], frame.active, says)
        }
        Form::Pick => build(
            &["pick ", "number", " ", "Kind", " where ", "condition"],
            frame.active,
            "That many different agents, other than the acting one. Kind and condition may be left out; in the condition, 1 is \
             the acting agent and 2 the candidate.",
        ),
        Form::Scope("between") => build(
            &["between (", "event", ") and (", "event", "), always ", predicate],
            frame.active,
            "Scopes that open with the first event and close with the second. Instead of `always p`: `thereIs p`, or \
             `q precedes p`.",
        ),
        Form::Scope(_) => build(
            &["from (", "event", ") until (", "event", "), always ", predicate],
            frame.active,
            "Scopes that open with the first event, closed by the second or not. Instead of `always p`: `thereIs p`, or \
             `q precedes p`.",
        ),
        Form::Cell(name) => return cell(name, frame.active, text),
        Form::Brackets | Form::Block => return None,
    })
}

/// The sizes of an array as they are declared.
fn cell(name: &str, active: usize, text: &str) -> Option<Signature> {
    let index = index(text);
    let array = index.symbols.iter().find(|symbol| {
        let variable = matches!(
            symbol.kind,
            SymbolKind::Attribute | SymbolKind::StigmergicVariable | SymbolKind::EnvironmentVariable
        );
        variable && symbol.name == name
    })?;
    let sizes = sizes(text.get(array.span.end as usize..)?);
    let mut pieces = vec![format!("{name}[")];
    for (at, size) in sizes.iter().enumerate() {
        pieces.push(format!("0..{size}"));
        pieces.push(if at + 1 < sizes.len() { ", ".to_string() } else { "]".to_string() });
    }
    let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
    let says = "One index per dimension, counted from 0; the size itself is no index.";
    (!sizes.is_empty()).then(|| build(&pieces, active, says))
}

/// The expressions in the brackets at the front of a text.
fn sizes(mut text: &str) -> Vec<&str> {
    let mut found = vec![];
    while let Some(rest) = text.trim_start().strip_prefix('[') {
        let (mut depth, mut from) = (0usize, 0);
        let mut end = None;
        for (at, c) in rest.char_indices() {
            match c {
                '(' | '[' => depth += 1,
                ']' if depth == 0 => {
                    end = Some(at);
                    break;
                }
                ')' | ']' => depth = depth.saturating_sub(1),
                ',' if depth == 0 => {
                    found.extend(rest.get(from..at).map(str::trim));
                    from = at + 1;
                }
                _ => {}
            }
        }
        let Some(end) = end else { return found };
        found.extend(rest.get(from..end).map(str::trim));
        text = rest.get(end + 1..).unwrap_or_default();
    }
    found
}

/// A signature of pieces: text, part, text, part and so on. A part beyond the last one is the last one.
fn build(pieces: &[&str], active: usize, says: &str) -> Signature {
    let (mut label, mut parts) = (String::new(), vec![]);
    for (at, piece) in pieces.iter().enumerate() {
        let start = label.len() as u32;
        label += piece;
        if at % 2 == 1 {
            parts.push((start, label.len() as u32));
        }
    }
    let active = active.min(parts.len().saturating_sub(1)) as u32;
    Signature { label, parts, active, says: says.to_string() }
}
