//! What may be written at a place: completion.
//!
//! The list is in the order in which it should be shown: what is nearest to the place first, words of the language last. It is not
//! filtered by the letters that are already there; editors do that.

use super::context::{Context, Part, Section, parts};
use super::forms::{MODALITIES, SECTIONS, part_words};
use super::list::List;
use super::scope::Scope;
use crate::syntax::ast::AssignOp;
use crate::syntax::token::{Bracket, COLON, EQUALS, TokenKind};
use swarmcheck_ir::linear::words::{BinaryOperator, UnaryOperator};
use swarmcheck_source::index::{Candidate, Index, SymbolKind};

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Only parameters are known. With `id`: initial values of agents.
    Constant {
        id: bool,
    },
    Link,
    Process,
    Property,
}

/// What may be written at a place. The index may be one of an earlier text: names are looked up, not places.
pub fn candidates(text: &str, offset: u32, index: &Index) -> Vec<Candidate> {
    let Some(context) = Context::at(text, offset) else { return vec![] };
    let mut list = List::new(index);
    let word = text.get(context.word.range()).unwrap_or_default();
    if word.starts_with('_') {
        if context.part != Part::Named("extern") {
            list.parameters();
        }
    } else if !word.starts_with(|c: char| c.is_ascii_digit()) {
        match context.section {
            None => top(&context, &mut list),
            Some(section) => inside(section, &context, &mut list),
        }
    }
    list.finish()
}

fn top(context: &Context, list: &mut List) {
    // The name of a section is new, and a brace follows it.
    if matches!(context.back_text(1), "agent" | "stigmergy") || context.back(1) == TokenKind::Ident {
        return;
    }
    let has = |word: &str| {
        let word_at = |at: &usize| context.slice(*at) == word;
        let places = (0..context.tokens.len()).filter(word_at);
        places.into_iter().any(|at| context.kind(at + 1) == TokenKind::Open(Bracket::Curly))
    };
    for (word, detail, insert) in SECTIONS {
        if !matches!(word, "system" | "view") || !has(word) {
            list.form(word, detail, insert);
        }
    }
}

fn inside(section: Section, context: &Context, list: &mut List) {
    match (section, context.part) {
        (_, Part::None) => list.missing_parts(context, part_words(section)),
        (Section::System | Section::Agent, Part::Definition) => {
            expression(Place::Process, context, list);
            more_parts(section, context, list);
        }
        (Section::Check, Part::Definition) if context.is_first() => {
            MODALITIES.iter().for_each(|(word, detail, insert)| list.form(word, detail, insert));
        }
        (_, Part::Definition) => expression(Place::Property, context, list),
        (_, Part::Tuple) => {
            declaration(section, context, list);
            more_parts(section, context, list);
        }
        (_, Part::Named(part)) => {
            named_part(section, part, context, list);
            more_parts(section, context, list);
        }
    }
}

/// A part may be followed by the next one wherever an operand has ended.
fn more_parts(section: Section, context: &Context, list: &mut List) {
    let ended = context.before.checked_sub(1).is_some_and(|at| {
        context.ends_operand(at) || matches!(context.kind(at), TokenKind::Semicolon | TokenKind::Comma)
    });
    if context.is_outside() && ended && !context.is_first() {
        let words = part_words(section).iter().filter(|(word, ..)| parts(section).contains(word));
        let words: Vec<_> = words.copied().collect();
        list.missing_parts(context, &words);
    }
}

fn named_part(section: Section, part: &str, context: &Context, list: &mut List) {
    match part {
        "environment" | "interface" => declaration(section, context, list),
        "spawn" if is_item(context) => list.kinds(),
        "spawn" | "rate" => expression(Place::Constant { id: false }, context, list),
        "stigmergies" => list.symbols(SymbolKind::Stigmergy, "stigmergy"),
        "link" => expression(Place::Link, context, list),
        "space" => {
            if context.ends_operand(context.before.saturating_sub(1)) {
                list.word("torus", "who leaves at one side comes in at the other");
            } else {
                list.parameters();
            }
        }
        "show" => show(context, list),
        "floor" => list.environment(),
        _ => {}
    }
}

/// Whether an item of a list begins at the place.
fn is_item(context: &Context) -> bool {
    context.is_first() || context.back(1) == TokenKind::Comma || context.back(1) == TokenKind::Semicolon || {
        // `A: 1 B`: the separator may be missing.
        context.before.checked_sub(1).is_some_and(|at| context.ends_operand(at)) && context.is_outside()
    }
}

/// `x: init`: names are new, values are constant.
fn declaration(section: Section, context: &Context, list: &mut List) {
    // From the last name on, a colon tells that this is its value.
    let items = context.start..context.before;
    let colon = items.rev().find(|at| matches!(context.kind(*at), COLON | TokenKind::Semicolon));
    if colon.is_some_and(|at| context.kind(at) == COLON) {
        let whole = context.back(1) == COLON || context.back(1) == TokenKind::Comma;
        expression(Place::Constant { id: section != Section::System }, context, list);
        if whole {
            list.word("undef", "no value yet");
        }
    }
}

fn show(context: &Context, list: &mut List) {
    let kind = context.slice(context.start);
    if context.is_first() {
        list.kinds();
    } else if context.before == context.start + 1 {
        list.word("at", "the variables that are the place");
    } else if matches!(context.back_text(1), "at" | "heading" | "colour" | "color" | "label" | "size" | ",") {
        list.variables(Some(kind), None);
        if context.back_text(1) == "label" {
            list.word("id", "the number of the agent");
        }
    } else {
        let ways = [
            ("heading", "the variables that are the direction"),
            ("colour", "the variable that gives the colour"),
            ("label", "the variable that is written beside it"),
            ("size", "the variable that gives the size"),
        ];
        ways.iter().for_each(|(word, detail)| list.word(word, detail));
    }
}

/// An expression, a process or a formula.
fn expression(place: Place, context: &Context, list: &mut List) {
    let scope = Scope::of(context);
    let (last, before) = (context.back_text(1), context.back_text(2));
    let word =
        |text: &str| matches!(text, "forall" | "exists") || text == "count" && !list.is_variable("count");
    if !context.is_first() {
        if word(last) {
            return list.kinds();
        }
        if word(before) && context.back(1) == TokenKind::Ident {
            // The name of the bound agent is new.
            return;
        }
        if before == "pick" && scope.arrow.is_some() {
            list.kinds();
            return list.word("where", "which agents may be picked");
        }
        if context.back_text(3) == "pick" && context.back(1) == TokenKind::Ident {
            return list.word("where", "which agents may be picked");
        }
        if last == "pick" && scope.arrow.is_some() {
            return list.parameters();
        }
        if last == "of" {
            return owners(place, &scope, list);
        }
        if follows_operand(&scope, context, list) {
            return operators(place, &scope, context, list);
        }
    }
    operands(place, &scope, context, list);
}

/// Whether an operand has ended before the place, and not a word that one follows.
fn follows_operand(scope: &Scope, context: &Context, list: &List) -> bool {
    let Some(at) = context.before.checked_sub(1) else { return false };
    let word = context.slice(at);
    if context.section == Some(Section::Check) {
        let modality = context.slice(context.start);
        let after = modality == "after" && at == context.start + 1;
        if at == context.start && crate::syntax::MODALITIES.contains(&word) || after {
            return false;
        }
        let operator = UnaryOperator::named(word).is_some() || BinaryOperator::named(word).is_some();
        let scoped = matches!(modality, "between" | "from")
            && matches!(word, "always" | "thereIs" | "precedes" | "until");
        if (scope.formula && operator || scoped) && !list.is_variable(word) {
            return false;
        }
    }
    context.ends_operand(at)
}

/// What stands after `of`.
fn owners(place: Place, scope: &Scope, list: &mut List) {
    if place == Place::Link || scope.condition.is_some() {
        let (one, two) = match place {
            Place::Link => ("the sender", "the receiver"),
            _ => ("the agent that picks", "the candidate"),
        };
        list.word("1", one);
        list.word("2", two);
        return;
    }
    bound(scope, list);
    if place == Place::Process {
        list.word("id", "the agent itself");
    }
    list.parameters();
}

/// Bound agents, innermost first, and variables of the block.
fn bound(scope: &Scope, list: &mut List) {
    for binder in scope.binders.iter().rev() {
        list.name(binder.name, SymbolKind::BoundAgent, format!("agent of kind {}", binder.kind), None);
    }
    for local in &scope.locals {
        list.name(local, SymbolKind::LocalVariable, "variable of the block".to_string(), None);
    }
}

/// What may follow an operand.
fn operators(place: Place, scope: &Scope, context: &Context, list: &mut List) {
    if scope.ifs > 0 {
        list.word("then", "the value if the condition is satisfied");
    } else if scope.thens > 0 {
        list.word("else", "the value if it is not");
    }
    let constant = matches!(place, Place::Constant { .. });
    let named = context.back(1) == TokenKind::Name || matches!(context.back_text(1), "id" | "]");
    if scope.formula {
        if scope.binder(context.back_text(1)).is_some() || before_quantity(context) == "agent" {
            list.word("acts", "the next step is an action of it");
            list.word("can act", "an action of it is possible");
            list.word("sends", "the next step delivers a message of it");
            list.word("can send", "a message of it can be delivered");
        }
        list.form("U", "until", "U $0");
        list.form("W", "unless: until, which need not come", "W $0");
        list.form("R", "release", "R $0");
    }
    if named && !constant {
        list.word("of", "whose copy is meant");
    }
    if !constant {
        list.word("and", "both conditions");
        list.word("or", "one of the conditions");
    }
    if context.section == Some(Section::Check) && !scope.formula && context.is_outside() {
        match context.slice(context.start) {
            "from" => list.word("until", "what closes the scope"),
            "between" => list.word("and", "what closes the scope"),
            _ => return,
        }
        list.word("precedes", "it holds before the other does");
    }
}

/// The word before a number that stands before the place.
fn before_quantity<'t>(context: &Context<'t>) -> &'t str {
    match context.back(1) {
        TokenKind::Number | TokenKind::Parameter => context.back_text(2),
        _ => "",
    }
}

/// What may begin an expression, an action or a formula.
fn operands(place: Place, scope: &Scope, context: &Context, list: &mut List) {
    let agent = (context.section == Some(Section::Agent)).then_some(context.name);
    match place {
        Place::Constant { id } => {
            list.parameters();
            if id {
                list.word("id", "the number of the agent");
            }
            return functions(list);
        }
        Place::Link => {
            for kind in list.participants(context.name) {
                list.variables(Some(kind), Some("1"));
            }
            list.environment();
        }
        Place::Process => {
            bound(scope, list);
            match scope.condition {
                Some(condition) => {
                    list.variables(condition.kind, Some("2"));
                    list.variables(agent, Some("1"));
                }
                None => list.variables(agent, None),
            }
            for binder in scope.binders.iter().rev() {
                list.variables(Some(binder.kind), Some(binder.name));
            }
            list.environment();
            if begins_process(context, scope) {
                list.processes(agent);
                list.word("Skip", "a step that changes nothing");
                list.word("Nil", "the process that does nothing");
            }
            if scope.arrow == Some(AssignOp::Local) && matches!(context.back(1), TokenKind::Assign(_)) {
                list.form("pick", "different agents", "pick ${1:1} ${2:Kind} where $0");
            }
        }
        Place::Property => {
            if scope_has_inside(context) {
                list.form("always", "in every state of the scope", "always $0");
                list.form("thereIs", "in some state of the scope", "thereIs $0");
            }
            bound(scope, list);
            for binder in scope.binders.iter().rev() {
                list.variables(Some(binder.kind), Some(binder.name));
            }
            list.environment();
            if scope.binders.is_empty() {
                list.variables(None, None);
            }
        }
    }
    if scope.formula {
        formula_words(list);
    }
    list.parameters();
    if place == Place::Process {
        list.word("id", "the number of the agent");
    }
    if place != Place::Link && scope.condition.is_none() {
        list.form("forall", "all agents of a kind", "forall ${1:Kind} ${2:a}, $0");
        list.form("exists", "some agent of a kind", "exists ${1:Kind} ${2:a}, $0");
        list.form("count", "how many agents of a kind", "count ${1:Kind} ${2:a}, $0");
    }
    functions(list);
    list.word("true", "condition");
    list.word("false", "condition");
    list.word("not", "the condition is not satisfied");
}

fn functions(list: &mut List) {
    list.form("if", "a conditional value", "if ${1} then ${2} else ${3}");
    list.form("min", "the smaller of two numbers", "min(${1}, ${2})");
    list.form("max", "the greater of two numbers", "max(${1}, ${2})");
    list.form("abs", "the absolute value", "abs(${1})");
}

fn formula_words(list: &mut List) {
    list.form("G", "at all times", "G $0");
    list.form("F", "at some time", "F $0");
    list.form("X", "at the next point", "X $0");
    list.word("delivered", "the next step delivers a message");
    list.form("agent", "an agent by its number", "agent ${1:0} acts");
}

/// Whether a process may begin at the place: outside of blocks, and where no value is expected.
fn begins_process(context: &Context, scope: &Scope) -> bool {
    let after = matches!(
        context.back(1),
        EQUALS
            | TokenKind::Semicolon
            | TokenKind::Choice
            | TokenKind::Parallel
            | TokenKind::Guard
            | TokenKind::Conditional
            | TokenKind::Open(Bracket::Round)
    );
    let value = scope.arrow.is_some() || context.back(1) == EQUALS && !context.is_first();
    after && !scope.block && !value
}

/// Whether the requirement of a scope begins at the place: after the comma that follows its second event.
fn scope_has_inside(context: &Context) -> bool {
    let scoped = matches!(context.slice(context.start), "between" | "from");
    let comma = matches!(context.back(1), TokenKind::Comma | COLON);
    let closed = matches!(context.back(2), TokenKind::Close(_) | TokenKind::Number);
    scoped && comma && closed && context.is_outside() && context.section == Some(Section::Check)
}
