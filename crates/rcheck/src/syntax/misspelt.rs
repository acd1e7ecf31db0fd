//! Words that begin a part of a script or an agent, misspelt. Such a part is read as what was meant, so that the mistake is told
//! once, and what follows is still checked.

use super::{AGENT_PARTS, PARTS, Parser, SPECS, begins_anything};
use swarmcheck_calculi::cursor::{Cursor, TokenKind};
use swarmcheck_source::{Fix, Severity, suggest};

/// What begins a part of a script is meant here: the word is nearly right, and what follows it fits.
pub(super) fn part(cursor: &Cursor<'_>) -> Option<&'static str> {
    let word = cursor.text(cursor.peek());
    if cursor.peek().kind != TokenKind::Word || PARTS.contains(&word) || SPECS.contains(&word) {
        return None;
    }
    let near = suggest::nearest(word, PARTS.iter().chain(SPECS).copied())?;
    let next = cursor.ahead(1).kind;
    let fits = match near {
        "channel" | "channels" => next == TokenKind::Sign(':'),
        "message" | "property" | "communication" => next == TokenKind::Sign('-'),
        "system" => next == TokenKind::Sign('='),
        "enum" | "guard" | "agent" => next == TokenKind::Word,
        // A name, or a formula.
        _ => matches!(next, TokenKind::Word | TokenKind::Sign('(' | '!' | '<' | '[')),
    };
    fits.then_some(near)
}

/// The same for a part of an agent.
fn agent_part(cursor: &Cursor<'_>) -> Option<&'static str> {
    let word = cursor.text(cursor.peek());
    if cursor.peek().kind != TokenKind::Word || begins_anything(cursor) || AGENT_PARTS.contains(&word) {
        return None;
    }
    let near = suggest::nearest(word, AGENT_PARTS.iter().copied())?;
    let sign = if near == "receive" { '-' } else { ':' };
    (cursor.ahead(1).kind == TokenKind::Sign(sign)).then_some(near)
}

impl Parser<'_> {
    /// How many errors there are so far.
    pub(super) fn errors(&self) -> usize {
        self.cursor.diagnostics.iter().filter(|d| d.severity == Severity::Error).count()
    }

    /// Says what was expected and what to do.
    pub(super) fn wrong_but<T>(&mut self, expected: &str, help: String, fix: Option<Fix>) -> Option<T> {
        self.cursor.wrong_but(expected, Some(help), fix)
    }

    /// Writes another word for the current one.
    fn instead(&self, near: &str) -> Option<Fix> {
        Some(Fix::replace(self.cursor.peek().span, near, format!("replace it by `{near}`")))
    }

    /// The word that is meant to begin a part of the script here.
    pub(super) fn meant_part(&mut self) -> &'static str {
        let word = self.cursor.text(self.cursor.peek());
        if let Some(known) = PARTS.iter().chain(SPECS).find(|known| **known == word) {
            return known;
        }
        let near = part(&self.cursor);
        if let Some(near) = near {
            let fix = self.instead(near);
            self.wrong_but::<()>("a part of the script", format!("did you mean `{near}`?"), fix);
        }
        near.unwrap_or("")
    }

    /// The word that is meant to begin a part of an agent here.
    pub(super) fn meant_agent_part(&mut self) -> &'static str {
        let word = self.cursor.text(self.cursor.peek());
        if let Some(known) = AGENT_PARTS.iter().find(|known| **known == word) {
            return known;
        }
        let near = agent_part(&self.cursor);
        if let Some(near) = near {
            let fix = self.instead(near);
            self.wrong_but::<()>("a part of the agent", format!("did you mean `{near}`?"), fix);
        }
        near.unwrap_or("")
    }

    /// Whether a word with a colon after a variable is a slip of a part, and no other variable. A variable is followed by a type
    /// and then by something that can follow a variable.
    pub(super) fn is_slip_of_part(&self) -> bool {
        let slip = agent_part(&self.cursor).is_some() || part(&self.cursor).is_some();
        if !slip {
            return false;
        }
        let (ty, next) = (self.cursor.ahead(2), self.cursor.ahead(3));
        let number = self.cursor.text(ty).parse::<i64>().is_ok() || ty.kind == TokenKind::Sign('-');
        let follows = match next.kind {
            TokenKind::Sign(sign) => sign == ',' || sign == ')',
            TokenKind::End => true,
            TokenKind::Word => {
                let after = self.cursor.ahead(4).kind;
                matches!(after, TokenKind::Sign(':' | '-' | '=') | TokenKind::Word)
            }
        };
        !(number || ty.kind == TokenKind::Word && follows)
    }
}
