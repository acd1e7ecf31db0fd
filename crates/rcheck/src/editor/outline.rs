//! The parts of a script and of its agents, from the words that begin them.

use super::Tokens;
use crate::syntax::SPECS;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Channels,
    Enumeration,
    Messages,
    Properties,
    Guard,
    /// The name of an agent type.
    Agent,
    Local,
    Init,
    Relabel,
    ReceiveGuard,
    Repeat,
    System,
    Specification,
}

impl Part {
    /// Whether it belongs to an agent.
    pub fn is_of_agent(self) -> bool {
        use Part::{Init, Local, ReceiveGuard, Relabel, Repeat};
        matches!(self, Local | Init | Relabel | ReceiveGuard | Repeat)
    }
}

/// A part, by its tokens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section {
    pub part: Part,
    /// The word that begins it.
    pub first: usize,
    /// The first token of what it says.
    pub body: usize,
    /// The token after it.
    pub end: usize,
    /// The agent type that it belongs to, counted from 0.
    pub agent: Option<usize>,
}

/// All parts, in order. Words before the first one belong to none.
pub(super) fn outline(tokens: &Tokens<'_>) -> Vec<Section> {
    let mut out: Vec<Section> = vec![];
    let (mut at, mut agents, mut agent) = (0, 0, None);
    while at < tokens.count() {
        let inside = out.last().map(|section| section.part);
        let Some((part, length)) = begins(tokens, at, inside) else {
            at += 1;
            continue;
        };
        if let Some(last) = out.last_mut() {
            last.end = at;
        }
        if part == Part::Agent {
            agent = Some(agents);
            agents += 1;
        } else if !part.is_of_agent() {
            agent = None;
        }
        out.push(Section { part, first: at, body: at + length, end: tokens.count(), agent });
        at += length;
    }
    out
}

/// The part that begins at a token, and how many tokens belong to the words that begin it.
fn begins(tokens: &Tokens<'_>, at: usize, inside: Option<Part>) -> Option<(Part, usize)> {
    let next = |sign: char| tokens.is_sign(at + 1, sign);
    let hyphenated =
        |second: &[&str]| next('-') && second.contains(&tokens.word(at + 2)) && tokens.is_sign(at + 3, ':');
    let joined =
        at.checked_sub(1).is_some_and(|before| tokens.is_sign(before, '-') && tokens.is_joined(before));
    let part = match tokens.word(at) {
        "channel" | "channels" if next(':') => (Part::Channels, 2),
        "message" if hyphenated(&["structure"]) => (Part::Messages, 4),
        "property" | "communication" if hyphenated(&["variables"]) => (Part::Properties, 4),
        "enum" if tokens.is_word(at + 1) => (Part::Enumeration, 1),
        "guard" if tokens.is_word(at + 1) && !joined => (Part::Guard, 1),
        "agent" if tokens.is_word(at + 1) => (Part::Agent, 1),
        "system" if next('=') => (Part::System, 2),
        word if SPECS.contains(&word) => (Part::Specification, 1),
        "local" if next(':') => (Part::Local, 2),
        "init" if next(':') => (Part::Init, 2),
        "relabel" if next(':') => (Part::Relabel, 2),
        "repeat" if next(':') => (Part::Repeat, 2),
        "receive" if hyphenated(&["guard"]) => (Part::ReceiveGuard, 4),
        _ => return None,
    };
    // Variables and labels may have the name of a part of an agent.
    let before = at.checked_sub(1).and_then(|before| tokens.sign(before));
    let variable = inside == Some(Part::Local) && before == Some(',') && !tokens.begins_line(at);
    let command = matches!(tokens.sign(at + 2), Some('{' | '<' | '⟨'));
    let label = inside == Some(Part::Repeat) && matches!(before, Some('+' | ';' | '(')) && command;
    (!(part.0.is_of_agent() && (variable || label))).then_some(part)
}

/// The part that a place is in: the last one whose first word is complete before it.
pub(super) fn around(sections: &[Section], at: usize) -> Option<Section> {
    let number = sections.partition_point(|section| section.first < at);
    number.checked_sub(1).and_then(|number| sections.get(number)).copied()
}

/// A variable with its type, by tokens.
pub(super) struct Declared {
    pub name: usize,
    /// The first token of the type.
    pub ty: usize,
    /// The token after the type.
    pub end: usize,
}

/// The variables that are declared between two tokens: `x : t, y : t`.
pub(super) fn variables(tokens: &Tokens<'_>, first: usize, end: usize) -> Vec<Declared> {
    let is_name = |at: usize| tokens.is_word(at) && tokens.is_sign(at + 1, ':') && !tokens.sees(at + 1, ":=");
    let names = (first..end).filter(|at| is_name(*at));
    let ty_end = |name: usize| {
        let next =
            (name + 2..end).find(|at| tokens.is_sign(*at, ',') || tokens.is_sign(*at, ')') || is_name(*at));
        next.unwrap_or(end).max(name + 1)
    };
    names.map(|name| Declared { name, ty: name + 2, end: ty_end(name) }).collect()
}

/// An agent of the system, by tokens: `Kind(name, init)`.
pub(super) struct Written {
    pub kind: usize,
    /// There is a word behind the parenthesis.
    pub name: Option<usize>,
    /// The token after it; the closing parenthesis is part of it.
    pub end: usize,
}

/// The agents of a system.
pub(super) fn instances(tokens: &Tokens<'_>, section: Section) -> Vec<Written> {
    let mut out: Vec<Written> = vec![];
    let (mut at, mut depth) = (section.body, 0_usize);
    while at < section.end {
        match tokens.sign(at) {
            Some('(') => depth += 1,
            Some(')') => {
                depth = depth.saturating_sub(1);
                if let Some(last) = out.last_mut().filter(|_| depth == 0) {
                    last.end = at + 1;
                }
            }
            // Two bars with an instance behind them: the parenthesis before them was not closed.
            Some('|') if tokens.sees(at, "||") && is_instance(tokens, at + 2) => depth = 0,
            None if depth == 0 => {
                let name = (tokens.is_sign(at + 1, '(') && tokens.is_word(at + 2)).then_some(at + 2);
                out.push(Written { kind: at, name, end: at + 1 });
            }
            _ => {}
        }
        at += 1;
    }
    // What is not closed reaches to the next one.
    let starts: Vec<usize> = out.iter().skip(1).map(|next| next.kind).chain([section.end]).collect();
    for (one, next) in out.iter_mut().zip(starts) {
        if one.end == one.kind + 1 && tokens.is_sign(one.end, '(') {
            one.end = next;
        }
    }
    out
}

/// `Kind(name,`, with which only an agent of the system begins.
fn is_instance(tokens: &Tokens<'_>, at: usize) -> bool {
    tokens.is_word(at) && tokens.is_sign(at + 1, '(') && tokens.is_word(at + 2) && tokens.is_sign(at + 3, ',')
}
