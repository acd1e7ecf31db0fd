//! What a `.chor` file says, and reading it: `choreography Name = a@p; (m[p,q] + skip); *(b@q) || c@p`.
//!
//! `;` binds tighter than `+`, which binds tighter than `||`; `*` belongs to what directly follows it.

use crate::project::project;
use std::collections::BTreeSet;
use std::fmt;
use swarmcheck_calculi::codes;
use swarmcheck_calculi::cursor::{Cursor, TokenKind};
use swarmcheck_calculi::pieces::{self, Spelling};
use swarmcheck_calculi::property::{self, Section};
use swarmcheck_source::{Diagnostic, Diagnostics, Fix, Span, token};

/// A choreography, or the part of it that concerns one peer.
#[derive(Clone, Debug)]
pub enum Chor {
    /// Nothing that can be seen.
    Skip(Span),
    /// A local action or a communication.
    Act(Act),
    /// One after the other.
    Seq(Vec<Chor>),
    /// One of them, decided silently.
    Choice(Vec<Chor>),
    /// All of them, interleaved.
    Par(Vec<Chor>),
    /// Zero or more times.
    Loop(Box<Chor>, Span),
}

/// A local action `a@p` or a communication `m[p,q]`.
#[derive(Clone, Debug)]
pub struct Act {
    /// As it is written, without spaces.
    pub label: String,
    /// The peer, or the two peers.
    pub peers: Vec<String>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Specification {
    /// The name of the choreography.
    pub name: String,
    /// Where it is defined.
    pub span: Span,
    /// The choreography.
    pub whole: Chor,
    /// The peers, in the order in which they appear, with what each of them does.
    pub peers: Vec<(String, Chor)>,
    /// Claims about the implementation.
    pub properties: Section,
    /// The system is the choreography itself, not its implementation by peers.
    pub global: bool,
}

impl Chor {
    /// Calls `visit` on every action.
    pub fn acts<'c>(&'c self, visit: &mut dyn FnMut(&'c Act)) {
        match self {
            Chor::Skip(_) => {}
            Chor::Act(act) => visit(act),
            Chor::Seq(parts) | Chor::Choice(parts) | Chor::Par(parts) => {
                parts.iter().for_each(|part| part.acts(visit));
            }
            Chor::Loop(body, _) => body.acts(visit),
        }
    }
}

impl fmt::Display for Chor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |parts: &[Chor], sign: &str| -> String {
            let one = |part: &Chor| match part {
                Chor::Choice(_) | Chor::Par(_) => format!("({part})"),
                _ => part.to_string(),
            };
            parts.iter().map(one).collect::<Vec<_>>().join(sign)
        };
        match self {
            Chor::Skip(_) => f.write_str("skip"),
            Chor::Act(act) => f.write_str(&act.label),
            Chor::Seq(parts) => f.write_str(&list(parts, "; ")),
            Chor::Choice(parts) => f.write_str(&list(parts, " + ")),
            Chor::Par(parts) => f.write_str(&list(parts, " || ")),
            Chor::Loop(body, _) => write!(f, "*({body})"),
        }
    }
}

/// The characters that are no words.
pub(crate) const SIGNS: &str = "@[],;+|*(){}='<>-!";

/// The pieces of a text, comments included.
pub fn pieces(text: &str) -> Vec<token::Token> {
    let reserved = &["choreography", "check", "skip"];
    pieces::pieces(text, Spelling { signs: SIGNS, joined: &["||", "->", "<>"], reserved })
}

/// Reads and checks a file. `system` is `choreography` to mean the choreography itself, and `peers`, or nothing, for its
/// implementation.
pub fn check(text: &str, system: Option<&str>) -> (Option<Specification>, Diagnostics) {
    let mut cursor = Cursor::new(text, SIGNS);
    let spec = file(&mut cursor, system == Some("choreography"));
    let mut found = std::mem::take(&mut cursor.diagnostics);
    if let Some(other) = system.filter(|s| !["choreography", "peers"].contains(s)) {
        let message = format!("a .chor file has the systems `choreography` and `peers`, not `{other}`");
        found.push(Diagnostic::error(codes::UNKNOWN, Span::default(), message));
    }
    if let Some(spec) = &spec {
        let mut known = BTreeSet::from(["tau".to_string()]);
        spec.whole.acts(&mut |act| {
            known.insert(act.label.clone());
            if act.peers.len() == 2 && act.peers[0] == act.peers[1] {
                let message = format!("`{}` communicates with itself", act.peers[0]);
                let error = Diagnostic::error(codes::PEERS, act.span, message);
                let action = act.label.split('[').next().unwrap_or_default();
                let own = format!("{action}@{}", act.peers[0]);
                let fix = Fix::replace(act.span, own.clone(), format!("write `{own}`"));
                found.push(error.help("a local action is written action@peer").fix(fix));
            }
        });
        property::check_labels(&spec.properties, &known, &mut found);
        if spec.peers.is_empty() && !found.has_errors() {
            let message = "the choreography has no peers";
            found.push(
                Diagnostic::error(codes::EMPTY, spec.span, message).help("write for instance: ping[a,b]"),
            );
        }
    }
    let fine = !found.has_errors();
    (spec.filter(|_| fine), found)
}

fn file(cursor: &mut Cursor<'_>, global: bool) -> Option<Specification> {
    let mut named = None;
    let mut properties = Section::default();
    while cursor.peek().kind != TokenKind::End {
        if cursor.take_word("check") {
            property::section(cursor, &label, &mut properties)?;
        } else if named.is_none() && cursor.take_word("choreography") {
            let token = cursor.name("the name of the choreography")?;
            cursor.expect('=')?;
            named = Some((token, parallel(cursor)?));
        } else {
            return match named {
                None => cursor.wrong_word("`choreography`", &["choreography", "check"]),
                Some(_) => cursor.wrong_word("`check` or the end of the file", &["check"]),
            };
        }
    }
    let Some((token, whole)) = named else { return cursor.wrong("`choreography`") };
    let mut names: Vec<&String> = vec![];
    whole.acts(&mut |act| {
        for peer in &act.peers {
            if !names.contains(&peer) {
                names.push(peer);
            }
        }
    });
    let peers = names.into_iter().map(|peer| (peer.clone(), project(&whole, peer))).collect();
    Some(Specification {
        name: cursor.text(token).to_string(),
        span: token.span,
        whole,
        peers,
        properties,
        global,
    })
}

fn list(
    cursor: &mut Cursor<'_>,
    read: fn(&mut Cursor<'_>) -> Option<Chor>,
    more: fn(&mut Cursor<'_>) -> bool,
    make: fn(Vec<Chor>) -> Chor,
) -> Option<Chor> {
    let mut parts = vec![read(cursor)?];
    while more(cursor) {
        parts.push(read(cursor)?);
    }
    Some(if parts.len() == 1 { parts.remove(0) } else { make(parts) })
}

fn parallel(cursor: &mut Cursor<'_>) -> Option<Chor> {
    fn bars(cursor: &mut Cursor<'_>) -> bool {
        let one = cursor.take('|');
        // The second bar is a habit.
        cursor.take('|');
        one
    }
    list(cursor, choice, bars, Chor::Par)
}

fn choice(cursor: &mut Cursor<'_>) -> Option<Chor> {
    list(cursor, sequence, |c| c.take('+'), Chor::Choice)
}

fn sequence(cursor: &mut Cursor<'_>) -> Option<Chor> {
    list(cursor, atom, |c| c.take(';'), Chor::Seq)
}

fn atom(cursor: &mut Cursor<'_>) -> Option<Chor> {
    let first = cursor.peek().span;
    if cursor.take('*') {
        return Some(Chor::Loop(Box::new(cursor.nested(atom)?), first));
    }
    if cursor.take('(') {
        let inner = cursor.nested(parallel)?;
        cursor.expect(')')?;
        return Some(inner);
    }
    if cursor.take_word("skip") {
        return Some(Chor::Skip(first));
    }
    act(cursor).map(Chor::Act)
}

fn act(cursor: &mut Cursor<'_>) -> Option<Act> {
    let action = cursor.name("an action, `skip`, `*` or `(`")?;
    let mut label = cursor.text(action).to_string();
    let mut peers = vec![];
    let mut peer = |cursor: &mut Cursor<'_>, label: &mut String| {
        let token = cursor.name("a peer")?;
        peers.push(cursor.text(token).to_string());
        *label += cursor.text(token);
        Some(token.span)
    };
    let last;
    if cursor.take('@') {
        label.push('@');
        last = peer(cursor, &mut label)?;
    } else if cursor.take('[') {
        label.push('[');
        peer(cursor, &mut label)?;
        cursor.expect(',')?;
        label.push(',');
        peer(cursor, &mut label)?;
        last = cursor.peek().span;
        cursor.expect(']')?;
        label.push(']');
    } else {
        return cursor.wrong("`@` and a peer, or two peers in brackets");
    }
    Some(Act { label, peers, span: action.span.to(last) })
}

/// An action in a property.
fn label(cursor: &mut Cursor<'_>) -> Option<String> {
    if cursor.take_word("tau") || cursor.take_word("skip") {
        return Some("tau".to_string());
    }
    act(cursor).map(|act| act.label)
}
