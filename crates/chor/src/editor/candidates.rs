//! What may be written at a place.

use super::outline::{Part, around, check_pieces, outline};
use super::{Tokens, tokens};
use swarmcheck_calculi::editor::{Choices, claims};
use swarmcheck_source::Span;
use swarmcheck_source::index::{Candidate, Index, Symbol, SymbolKind};

/// What begins a declaration.
const DECLARATIONS: &[(&str, &str, &str)] = &[
    ("choreography", "what the peers do together", "choreography ${1:Name} =\n  ${0:message[a,b]}"),
    ("check", "properties of the peers", "check {\n  ${1:Name} = ${0:always any}\n}"),
];

/// Completion at an offset; the index is that of the same text.
pub fn candidates(text: &str, offset: u32, index: &Index) -> Vec<Candidate> {
    let tokens = tokens(text);
    if tokens.is_comment(offset) {
        return vec![];
    }
    // A word that is being written may be the first place of an action or a peer. It is not offered to itself.
    let typed = tokens.typed(offset).map(|word| tokens.span(word));
    let known: Vec<&Symbol> = index.symbols.iter().filter(|symbol| Some(symbol.span) != typed).collect();
    let mut choices = Choices::default();
    let sections = outline(&tokens);
    let at = tokens.before(offset);
    let section = around(&sections, at);
    let before = at.checked_sub(1).and_then(|before| tokens.sign(before));
    let open = section.is_some_and(|section| section.part == Part::Check && at <= section.closed);
    match section {
        Some(section) if at >= section.body && is_peer(&tokens, at) => {
            symbols(&known, SymbolKind::Peer, "a peer", &mut choices);
        }
        Some(section) if open => {
            let state = check_pieces(&tokens, section, at, &mut |_, _, _| {});
            if matches!(state.expects, claims::Expects::Claim | claims::Expects::Operand) {
                labels(text, index, typed, &mut choices);
                choices.words(&[("tau", "a step that nobody sees")]);
            }
            claims::candidates(state, &mut choices);
        }
        Some(section) if section.part == Part::Choreography && at >= section.body => {
            if matches!(before, Some('=' | ';' | '+' | '|' | '(' | '*')) {
                labels(text, index, typed, &mut choices);
                choices.words(&[("skip", "nothing that can be seen")]);
                choices.snippets(&[
                    ("message", "two peers communicate", "${1:message}[${2:from},${3:to}]"),
                    ("action", "a peer acts by itself", "${1:action}@${2:peer}"),
                    ("loop", "zero or more times", "*(${0:skip})"),
                ]);
            }
        }
        _ => {}
    }
    if tokens.is_line_start(offset) && !open {
        choices.snippets(DECLARATIONS);
    }
    choices.finish()
}

/// Whether a peer belongs here: behind `@`, or inside brackets that begin behind a word.
fn is_peer(tokens: &Tokens<'_>, at: usize) -> bool {
    let before = |places: usize| at.checked_sub(places);
    let sign = |places: usize, sign: char| before(places).is_some_and(|at| tokens.is_sign(at, sign));
    let word = |places: usize| before(places).is_some_and(|at| tokens.is_word(at));
    sign(1, '@') || sign(1, '[') && word(2) || sign(1, ',') && word(2) && sign(3, '[') && word(4)
}

/// Actions with their peers, as they are written elsewhere in the file: a label is an action and its peers together.
fn labels(text: &str, index: &Index, typed: Option<Span>, choices: &mut Choices) {
    for place in index.occurrences.iter().filter(|place| Some(place.span) != typed) {
        let action = index.symbols.get(place.symbol).filter(|symbol| symbol.kind == SymbolKind::Action);
        let Some(symbol) = action else { continue };
        let rest = text.get(place.span.end as usize..).unwrap_or("");
        let written = match rest.chars().next() {
            Some('[') => rest.find([']', '\n']).and_then(|end| rest.get(..=end)),
            Some('@') => {
                let end = rest.char_indices().skip(1).find(|(_, c)| !c.is_alphanumeric() && *c != '_');
                rest.get(..end.map_or(rest.len(), |(at, _)| at))
            }
            _ => None,
        };
        // One line, so that a bracket that is not closed does not take in the rest of the file.
        if let Some(peers) = written.filter(|peers| peers.len() > 1 && !peers.contains('\n')) {
            choices.name(&format!("{}{peers}", symbol.name), SymbolKind::Action, "an action");
        }
    }
}

fn symbols(known: &[&Symbol], kind: SymbolKind, detail: &str, choices: &mut Choices) {
    let wanted = known.iter().filter(|symbol| symbol.kind == kind);
    wanted.for_each(|symbol| choices.name(&symbol.name, kind, detail));
}
