//! What the word or sign at a place means. Most words of LAbS are words of their place only, so what stands around them decides.

use super::context::{Context, Part, Section, parts};
use super::index::index;
use super::meanings::{Where, lookup};
use super::scope::Scope;
use crate::syntax::MODALITIES;
use crate::syntax::token::{Bracket, COLON, EQUALS, SECTIONS, TokenKind};
use swarmcheck_source::Span;
use swarmcheck_source::index::Meaning;

/// The word or sign at a place, and what it means. Names have declarations instead, and no meaning.
pub fn meaning(text: &str, offset: u32) -> Option<(Span, Meaning)> {
    let context = Context::of_token(text, offset)?;
    let (span, word) = sign(&context);
    let found = places(&context, word).into_iter().find_map(|place| lookup(word, place))?;
    // The word may be a name here. Signs are none, so they need no index.
    let named = word.starts_with(|c: char| c.is_ascii_alphabetic())
        && index(text).occurrences.iter().any(|place| place.span == span);
    (!named).then_some((span, found))
}

/// The token of the context; both of them for `[]` in a formula.
fn sign<'t>(context: &Context<'t>) -> (Span, &'t str) {
    let at = context.before;
    let open = TokenKind::Open(Bracket::Square);
    let both = |first: usize| {
        context.kind(first) == open && context.kind(first + 1) == TokenKind::Close(Bracket::Square)
    };
    let first = match at.checked_sub(1).filter(|before| both(*before)) {
        Some(before) => before,
        None => at,
    };
    // In a process, `m[]` is a whole array.
    let formula = context.section == Some(Section::Check) && context.slice(context.start) == "ltl";
    match (context.tokens.get(first), context.tokens.get(first + 1)) {
        (Some(one), Some(two)) if both(first) && formula => (one.span.to(two.span), "[]"),
        _ => (context.word, context.slice(at)),
    }
}

/// The places that the token of a context stands in, the narrowest first.
fn places(context: &Context, word: &str) -> Vec<Where> {
    let next = context.kind(context.before + 1);
    let brace = |at: usize| context.kind(at) == TokenKind::Open(Bracket::Curly);
    let named = matches!(next, TokenKind::Ident | TokenKind::Name) && brace(context.before + 2);
    if SECTIONS.contains(&word) && (brace(context.before + 1) || named) {
        return vec![Where::Section];
    }
    // The sign after the word of a part or the name of a definition only introduces it.
    let Some(section) = context.section.filter(|_| context.before >= context.start) else { return vec![] };
    let separated = section == Section::View && word == "show" || next == EQUALS || next == COLON;
    if parts(section).contains(&word) && separated && context.is_outside() && begins_item(context) {
        return vec![Where::Part];
    }
    let constant = |first: Where| vec![first, Where::Expression];
    match (section, context.part) {
        (Section::View, _) => vec![Where::View],
        (_, Part::Named("extern")) => vec![Where::Parameters],
        (_, Part::Named("spawn")) if context.is_outside() => constant(Where::Spawn),
        (_, Part::Named("environment" | "interface") | Part::Tuple) => constant(Where::Declaration),
        (_, Part::Named("link")) => vec![Where::Link, Where::Expression],
        (Section::Stigmergy, Part::None) => vec![],
        (Section::System | Section::Agent, Part::Definition) => in_process(context, word),
        (Section::Check | Section::Assume, Part::Definition) => in_property(section, context, word),
        _ => vec![Where::Expression],
    }
}

/// Whether what stands before the token ends an item of the section.
fn begins_item(context: &Context) -> bool {
    let end =
        matches!(context.back(1), TokenKind::Open(Bracket::Curly) | TokenKind::Semicolon | TokenKind::Comma);
    end || context.before.checked_sub(1).is_some_and(|at| context.ends_operand(at))
}

fn in_process(context: &Context, word: &str) -> Vec<Where> {
    let scope = Scope::of(context);
    let next = context.kind(context.before + 1);
    match word {
        "of" if scope.condition.is_some() => vec![Where::Link],
        ";" if scope.block => vec![Where::Block],
        "pick" => match (scope.arrow, context.back(1)) {
            (Some(_), TokenKind::Assign(_) | TokenKind::Comma) if next != TokenKind::Semicolon => {
                vec![Where::Process]
            }
            _ => vec![],
        },
        "where" if scope.arrow.is_none() => vec![],
        "count" if next != TokenKind::Ident => vec![],
        _ => vec![Where::Process, Where::Expression],
    }
}

fn in_property(section: Section, context: &Context, word: &str) -> Vec<Where> {
    let next = context.kind(context.before + 1);
    if word == "count" && next != TokenKind::Ident {
        return vec![];
    }
    if section == Section::Check {
        if context.is_first() && MODALITIES.contains(&word) {
            return vec![Where::Modality];
        }
        let opened = context.slice(context.start);
        if opened == "ltl" {
            let property = vec![Where::Formula, Where::Property, Where::Expression];
            return if is_operator_of_formula(context, word) { property } else { property[1..].to_vec() };
        }
        if matches!(opened, "between" | "from")
            && context.is_outside()
            && is_word_of_scope(context, opened, word)
        {
            return vec![Where::Scope];
        }
    }
    vec![Where::Property, Where::Expression]
}

/// Whether a word of formulas can be meant here: not where a kind or a new name must follow.
fn is_operator_of_formula(context: &Context, word: &str) -> bool {
    let before = context.back_text(1);
    let after_quantifier = matches!(before, "forall" | "exists" | "count");
    match word {
        "act" | "send" => before == "can",
        "agent" => matches!(
            context.kind(context.before + 1),
            TokenKind::Number | TokenKind::Parameter | TokenKind::Open(Bracket::Round)
        ),
        _ => !after_quantifier && before != "of",
    }
}

/// Whether a word belongs to the scope itself: one of its events, or what is required inside, begins or ends with it.
fn is_word_of_scope(context: &Context, opened: &str, word: &str) -> bool {
    let mut depth = 0usize;
    let (mut joined, mut comma) = (false, false);
    for at in context.start..context.before {
        match context.kind(at) {
            TokenKind::Open(_) => depth += 1,
            TokenKind::Close(_) => depth = depth.saturating_sub(1),
            TokenKind::Comma | COLON if depth == 0 => comma |= joined,
            _ if depth == 0 => {
                joined |= matches!((opened, context.slice(at)), ("between", "and") | ("from", "until"))
            }
            _ => {}
        }
    }
    match word {
        "and" => opened == "between" && !joined,
        "until" => opened == "from" && !joined,
        "always" | "thereIs" => comma && matches!(context.back(1), TokenKind::Comma | COLON),
        "precedes" => comma,
        _ => false,
    }
}
