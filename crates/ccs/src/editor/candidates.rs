//! What may be written at a place.

use super::outline::{Part, Section, around, check_pieces, outline};
use super::{Tokens, tokens};
use swarmcheck_calculi::editor::{Choices, claims};
use swarmcheck_source::index::{Candidate, Index, Symbol, SymbolKind};

/// What begins a declaration.
const DECLARATIONS: &[(&str, &str, &str)] = &[
    ("proc", "a constant stands for a process", "proc ${1:Name} = ${0:a.0}"),
    ("system", "the process that is the system", "system = ${0:P}"),
    ("set", "a name for several actions", "set ${1:Name} = {${0:a}}"),
    ("check", "properties of the system", "check {\n  ${1:Name} = ${0:always any}\n}"),
];

/// Completion at an offset; the index is that of the same text.
pub fn candidates(text: &str, offset: u32, index: &Index) -> Vec<Candidate> {
    let tokens = tokens(text);
    if tokens.is_comment(offset) {
        return vec![];
    }
    // A word that is being written is an action already, if it stands where actions do. It is not offered to itself.
    let typed = tokens.typed(offset).map(|word| tokens.span(word));
    let known = Known { symbols: index.symbols.iter().filter(|symbol| Some(symbol.span) != typed).collect() };
    let mut choices = Choices::default();
    let sections = outline(&tokens);
    let at = tokens.before(offset);
    let section = around(&sections, at);
    let open = section
        .filter(|section| section.part == Part::Check)
        .is_some_and(|section| !(section.body..at).any(|at| tokens.is_sign(at, '}')));
    match section {
        Some(section) if open => {
            let state = check_pieces(&tokens, section, at, &mut |_, _, _| {});
            if matches!(state.expects, claims::Expects::Claim | claims::Expects::Operand) {
                known.actions(&mut choices);
                choices.words(&[("tau", "a step that nobody sees")]);
            }
            claims::candidates(state, &mut choices);
        }
        Some(section) if section.part != Part::Check && at >= section.body => {
            process(&tokens, section, at, &known, &mut choices);
        }
        _ => {}
    }
    if tokens.is_line_start(offset) && !open {
        choices.snippets(DECLARATIONS);
    }
    choices.finish()
}

fn process(tokens: &Tokens<'_>, section: Section, at: usize, known: &Known<'_>, choices: &mut Choices) {
    let before = at.checked_sub(1).and_then(|before| tokens.sign(before));
    let hoare = before == Some('|') && tokens.is_sign(at.saturating_sub(2), ']');
    if !hoare && !matches!(before, Some('=' | '.' | '+' | '|' | '(' | '\\' | '\'' | '{' | '[' | ',' | '/')) {
        // A process has just ended.
        return;
    }
    // What the place is inside of: the nearest sign before it that is neither a comma nor part of a name.
    let inner = (section.body..at)
        .rev()
        .find(|before| !tokens.is_word(*before) && !matches!(tokens.sign(*before), Some(',' | '/' | '\'')));
    if matches!(inner.and_then(|at| tokens.sign(at)), Some('{' | '[')) || before == Some('\'') {
        return known.actions(choices);
    }
    if section.part == Part::Set || before == Some('\\') {
        known.of(SymbolKind::Enumeration, "a set of actions", choices);
        return known.actions(choices);
    }
    known.of(SymbolKind::Process, "a process", choices);
    for symbol in known.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Action) {
        choices.form(&symbol.name, SymbolKind::Action, "an action", format!("{}.", symbol.name));
    }
    choices.words(&[("0", "can do nothing")]);
    choices.snippets(&[("tau", "a step that nobody sees", "tau.")]);
}

struct Known<'i> {
    symbols: Vec<&'i Symbol>,
}

impl Known<'_> {
    fn of(&self, kind: SymbolKind, detail: &str, choices: &mut Choices) {
        let wanted = self.symbols.iter().filter(|symbol| symbol.kind == kind);
        wanted.for_each(|symbol| choices.name(&symbol.name, kind, detail));
    }

    fn actions(&self, choices: &mut Choices) {
        self.of(SymbolKind::Action, "an action", choices);
    }
}
