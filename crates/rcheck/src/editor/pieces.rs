//! The pieces of commands: `label: {guard} channel! (send guard)(message)[update]`.

use super::Tokens;
use super::outline::Section;

/// What a token of a process belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Piece {
    /// Between commands.
    Between,
    Label,
    /// Brackets included.
    Guard,
    /// The channel with its sign.
    Channel,
    /// Who is meant.
    Target,
    /// `GET@(…)` or `SUPPLY@(…)`.
    Place,
    /// The message, parentheses included.
    Data,
    /// Where only an update can follow.
    After,
    /// Brackets included.
    Update,
}

/// Whether a label and a guard stand there.
pub(super) fn is_labelled(tokens: &Tokens<'_>, at: usize) -> bool {
    tokens.is_word(at) && tokens.is_sign(at + 1, ':') && matches!(tokens.sign(at + 2), Some('{' | '<' | '⟨'))
}

/// Whether the parenthesis there holds the data of a message, not the arguments of a guard.
fn is_data(tokens: &Tokens<'_>, at: usize) -> bool {
    let assigns = tokens.is_word(at + 1) && tokens.sees(at + 2, ":=");
    assigns || tokens.is_sign(at + 1, ')') && tokens.is_sign(at + 2, '[')
}

/// The piece of every token from the first one of a process to `end`.
pub(super) fn pieces(tokens: &Tokens<'_>, section: Section, end: usize) -> Vec<Piece> {
    let mut state = State { tokens, piece: Piece::Between, open: None, depth: 0, end };
    (section.body..end).map(|at| state.next(at)).collect()
}

/// What the next token after `end` would belong to.
pub(super) fn piece_at(tokens: &Tokens<'_>, section: Section, end: usize) -> Piece {
    let mut state = State { tokens, piece: Piece::Between, open: None, depth: 0, end };
    (section.body..end).for_each(|at| {
        state.next(at);
    });
    state.piece
}

struct State<'t, 'a> {
    tokens: &'a Tokens<'t>,
    piece: Piece,
    /// The bracket around the guard.
    open: Option<char>,
    /// How many brackets are open inside the piece.
    depth: usize,
    end: usize,
}

impl State<'_, '_> {
    /// The piece of a token, which may begin or end one.
    fn next(&mut self, at: usize) -> Piece {
        let sign = self.tokens.sign(at);
        // Whatever is not closed, a label and a guard begin a command.
        if is_labelled(self.tokens, at) {
            (self.piece, self.depth) = (Piece::Between, 0);
        }
        match self.piece {
            Piece::Between | Piece::Label => self.between(at, sign),
            Piece::Guard => self.guard(at, sign),
            Piece::Channel => self.channel(at, sign),
            Piece::Target | Piece::Place => self.target(at, sign),
            Piece::Data => self.closes(sign, ')', Piece::Data, Piece::After),
            Piece::After => match sign {
                Some('(') => self.enter(Piece::Data),
                Some('[') => self.enter(Piece::Update),
                Some(_) => {
                    self.piece = Piece::Between;
                    Piece::Between
                }
                None => self.between(at, sign),
            },
            Piece::Update => self.closes(sign, ']', Piece::Update, Piece::Between),
        }
    }

    fn enter(&mut self, piece: Piece) -> Piece {
        (self.piece, self.depth) = (piece, 0);
        piece
    }

    fn between(&mut self, at: usize, sign: Option<char>) -> Piece {
        match sign {
            Some('{' | '<' | '⟨') => {
                self.open = sign;
                self.enter(Piece::Guard)
            }
            Some(':') if self.piece == Piece::Label => {
                self.piece = Piece::Between;
                Piece::Label
            }
            None if self.tokens.is_sign(at + 1, ':') => {
                self.piece = Piece::Label;
                Piece::Label
            }
            _ => {
                self.piece = Piece::Between;
                Piece::Between
            }
        }
    }

    fn guard(&mut self, at: usize, sign: Option<char>) -> Piece {
        let closed = match (self.open, sign) {
            (Some('{'), Some('}')) | (Some('⟨'), Some('⟩')) => self.depth == 0,
            (Some('<'), Some('>')) => self.depth == 0 && self.is_closing(at),
            _ => false,
        };
        match sign {
            _ if closed => self.piece = Piece::Channel,
            Some('(' | '{') => self.depth += 1,
            Some(')' | '}') => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        Piece::Guard
    }

    /// Whether `>` closes a guard: what a command communicates follows it; or it is no comparison, and no other one comes.
    fn is_closing(&self, at: usize) -> bool {
        let tokens = self.tokens;
        let (word, next) = (tokens.word(at + 1), tokens.sign(at + 2));
        let begins = tokens.is_word(at + 1) || matches!(tokens.sign(at + 1), Some('*' | '⋆'));
        if begins && (matches!(next, Some('!' | '?')) || matches!(word, "GET" | "SUPPLY")) {
            return true;
        }
        let arrow = at.checked_sub(1).is_some_and(|before| tokens.sees(before, "->"));
        if arrow || tokens.sees(at, ">=") {
            return false;
        }
        // `!` behind a name sends; elsewhere it is a negation.
        let sends = |at: usize| {
            let named = at.checked_sub(1).is_some_and(|at| tokens.is_word(at) || tokens.is_sign(at, '*'));
            tokens.is_sign(at, '!') && named && !tokens.sees(at, "!=")
        };
        let over = |at: &usize| {
            let sign = matches!(tokens.sign(*at), Some('>' | '[' | '?'));
            *at >= self.end || sign || sends(*at) || is_labelled(tokens, *at)
        };
        let stop = (at + 1..).find(over).unwrap_or(at);
        !(stop < self.end && tokens.is_sign(stop, '>'))
    }

    fn channel(&mut self, at: usize, sign: Option<char>) -> Piece {
        match sign {
            Some('!') => {
                self.enter(Piece::Target);
                Piece::Channel
            }
            Some('?') => {
                self.enter(Piece::After);
                Piece::Channel
            }
            Some('[') => self.enter(Piece::Update),
            Some('+' | ';' | ')') => {
                self.piece = Piece::Between;
                Piece::Between
            }
            None if matches!(self.tokens.word(at), "GET" | "SUPPLY") => self.enter(Piece::Place),
            _ => Piece::Channel,
        }
    }

    fn target(&mut self, at: usize, sign: Option<char>) -> Piece {
        let here = self.piece;
        // Behind a whole expression, a parenthesis begins the message; behind a word, it may hold arguments.
        let before = at.saturating_sub(1);
        let ended =
            self.tokens.is_sign(before, ')') || self.tokens.is_word(before) && is_data(self.tokens, at);
        match sign {
            Some('(') if self.depth == 0 && (ended || is_data(self.tokens, at)) => self.enter(Piece::Data),
            Some('[') if self.depth == 0 => self.enter(Piece::Update),
            Some('+' | ';') if self.depth == 0 && self.tokens.is_sign(before, ')') => {
                self.piece = Piece::Between;
                Piece::Between
            }
            Some('(') => {
                self.depth += 1;
                here
            }
            Some(')') => {
                self.depth = self.depth.saturating_sub(1);
                here
            }
            _ => here,
        }
    }

    fn closes(&mut self, sign: Option<char>, close: char, here: Piece, then: Piece) -> Piece {
        match sign {
            Some(sign) if sign == close && self.depth == 0 => (self.piece, self.depth) = (then, 0),
            Some('(' | '[' | '{') => self.depth += 1,
            Some(')' | ']' | '}') => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        here
    }
}
