//! The declarations of a file, from the words that begin them.

use super::{Tokens, label_end};
use swarmcheck_calculi::editor::claims;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// `proc Name = P`.
    Process,
    /// `set Name = {a, b}`.
    Set,
    /// `system = P`.
    System,
    /// `check { … }`.
    Check,
}

/// A declaration, by its tokens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section {
    pub part: Part,
    /// The word that begins it.
    pub first: usize,
    /// The first token of what it says: after `=` or `{`, if they are there.
    pub body: usize,
    /// The token after it.
    pub end: usize,
}

impl Section {
    /// The token of the declared name.
    pub fn name(&self) -> Option<usize> {
        matches!(self.part, Part::Process | Part::Set).then_some(self.first + 1)
    }
}

/// All declarations, in order. Words before the first one belong to none.
pub(super) fn outline(tokens: &Tokens<'_>) -> Vec<Section> {
    let mut out: Vec<Section> = vec![];
    let mut at = 0;
    // The end of the `check` section around the current place: a property may be called like a word that begins a declaration.
    let mut closed = 0;
    while at < tokens.count() {
        let Some(part) = begins(tokens, at).filter(|_| at >= closed) else {
            at += 1;
            continue;
        };
        if let Some(last) = out.last_mut() {
            last.end = at;
        }
        let named = usize::from(matches!(part, Part::Process | Part::Set));
        let sign = if part == Part::Check { '{' } else { '=' };
        let body = at + 1 + named + usize::from(tokens.is_sign(at + 1 + named, sign));
        if part == Part::Check {
            closed = (body..tokens.count())
                .find(|next| {
                    let process = tokens.word(*next) == "proc" && begins_definition(tokens, *next);
                    tokens.is_sign(*next, '}') || process
                })
                .unwrap_or(tokens.count());
        }
        out.push(Section { part, first: at, body, end: tokens.count() });
        at = body;
    }
    out
}

/// A definition that begins a line: it ends a `check` section without its closing brace.
fn begins_definition(tokens: &Tokens<'_>, at: usize) -> bool {
    tokens.begins_line(at) && tokens.is_word(at + 1) && tokens.is_sign(at + 2, '=')
}

fn begins(tokens: &Tokens<'_>, at: usize) -> Option<Part> {
    // Actions may be called like these words, and then something else follows them.
    match tokens.word(at) {
        "proc" if tokens.is_word(at + 1) => Some(Part::Process),
        "set" if tokens.is_word(at + 1) => Some(Part::Set),
        "system" if tokens.is_sign(at + 1, '=') => Some(Part::System),
        "check" if tokens.is_sign(at + 1, '{') => Some(Part::Check),
        _ => None,
    }
}

/// What a token of a process is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Piece {
    /// A name or co-name that is performed, or τ.
    Action,
    /// A constant, or `0`.
    Constant,
    /// Inside the braces of a restriction or of a set.
    Restricted,
    /// A name directly behind `\`.
    RestrictedAlone,
    /// Inside the brackets of Hoare's operator.
    Forced,
    /// Before the slash of a relabelling.
    New,
    /// Behind it.
    Old,
    /// A sign between processes.
    Sign,
}

/// Calls `found` with every token of a process, or of a set.
pub(super) fn pieces(tokens: &Tokens<'_>, section: Section, found: &mut dyn FnMut(Piece, usize)) {
    let mut inside = None;
    for at in section.body..section.end {
        let before = at.checked_sub(1).and_then(|before| tokens.sign(before));
        match tokens.sign(at) {
            Some('{') => inside = Some(Piece::Restricted),
            Some('[') if before == Some('|') => inside = Some(Piece::Forced),
            Some('[') => inside = Some(Piece::New),
            // None of these stands in a set or a relabelling: one that is not closed ends here.
            Some('.' | '+' | '(' | ')' | '\\') => inside = None,
            _ => {}
        }
        let piece = match (inside, tokens.sign(at)) {
            (Some(Piece::New), None) if before == Some('/') => Piece::Old,
            (Some(inside), _) => inside,
            (None, Some('\'')) => Piece::Action,
            (None, Some(_)) => Piece::Sign,
            (None, None) if before == Some('\\') => Piece::RestrictedAlone,
            (None, None) if section.part == Part::Set => Piece::RestrictedAlone,
            (None, None) if before == Some('\'') || tokens.is_sign(at + 1, '.') => Piece::Action,
            (None, None) => Piece::Constant,
        };
        found(piece, at);
        if matches!(tokens.sign(at), Some('}' | ']')) {
            inside = None;
        }
    }
}

/// Calls `found` with every piece of a `check` section up to a token.
pub(super) fn check_pieces(
    tokens: &Tokens<'_>,
    section: Section,
    end: usize,
    found: &mut dyn FnMut(claims::Piece, usize, usize),
) -> claims::State {
    let closed = (section.body..end.min(section.end)).find(|at| tokens.is_sign(*at, '}'));
    claims::walk(tokens, section.body, closed.unwrap_or(end.min(section.end)), &label_end, found)
}

/// The declaration that a place is in: the last one whose first word is complete before it.
pub(super) fn around(sections: &[Section], at: usize) -> Option<Section> {
    let number = sections.partition_point(|section| section.first < at);
    number.checked_sub(1).and_then(|number| sections.get(number)).copied()
}
