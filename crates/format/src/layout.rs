//! Where lines begin. The brackets that are open, and the lines that others hang on, are a stack; each knows the column of what
//! is inside. What is opened in one line counts for one level together, however many brackets that are.

use crate::piece::{Frame, Head, Piece, Role, Tail};

/// One level.
const LEVEL: usize = 2;
/// No line begins further to the right: it would not be read there, and the text would be much longer than it was.
const MOST: usize = 80;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// A bracket, by its first character that is one, with the number of each kind that was open outside of braces.
    Bracket {
        open: char,
        frame: Frame,
        outside: [u32; 4],
    },
    Definition,
    Statement,
    Guard,
    Value,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    kind: Kind,
    /// The column of lines inside.
    inside: usize,
    /// The column of the line that opened it.
    line: usize,
    /// Whether a line has begun inside that does not go on with another one.
    used: bool,
}

/// An `if` whose `else` has not come yet.
#[derive(Clone, Copy, Debug)]
struct Conditional {
    column: usize,
    /// How many brackets are open around it.
    depth: usize,
}

/// The state after a part of the text.
#[derive(Default)]
pub(crate) struct Layout<'p, 't> {
    stack: Vec<Entry>,
    /// How many brackets are open: round, square, angled since the last brace, and braces since the last section.
    open: [u32; 4],
    brackets: usize,
    conditionals: Vec<Conditional>,
    /// The piece before the current one, comments left out.
    before: Option<&'p Piece<'t>>,
    /// Where the current line begins.
    line: usize,
    /// The column of the `if` of the `else` before.
    chained: Option<usize>,
}

fn slot(bracket: char) -> usize {
    match bracket {
        '(' | ')' => 0,
        '[' | ']' => 1,
        '{' | '}' => 3,
        _ => 2,
    }
}

/// The character of a bracket that tells which one it is: `[` of `|[`.
fn bracket(text: &str) -> char {
    text.chars().find(|c| *c != '|').unwrap_or('(')
}

impl<'p, 't> Layout<'p, 't> {
    /// The column of a comment that no code follows in its bracket.
    pub fn content(&self) -> usize {
        let bracket = self.stack.iter().rev().find(|entry| matches!(entry.kind, Kind::Bracket { .. }));
        bracket.map_or(0, |entry| entry.inside)
    }

    /// Begins a line with this piece, and says in which column.
    pub fn begin(&mut self, first: &'p Piece<'t>) -> usize {
        let goes_on = self.before.is_some_and(|before| before.tail == Tail::Deeper);
        self.line = match (first.role, first.head) {
            (Role::Close { .. }, _) => match self.matching(first) {
                Some(at) => self.stack.get(at).map_or(0, |entry| entry.line),
                None => self.inside(goes_on),
            },
            (_, Head::Section { level, hanging }) => {
                self.stack.clear();
                self.conditionals.clear();
                (self.open, self.brackets) = ([0; 4], 0);
                let line = level * LEVEL;
                self.push(Kind::Definition, line + hanging, line);
                line
            }
            (_, Head::Definition) => {
                self.end_to_section();
                let line = self.inside(false);
                self.push(Kind::Definition, line + LEVEL, line);
                line
            }
            (_, Head::Statement) => self.statement(),
            (_, Head::Choice) => {
                self.end(|kind| matches!(kind, Kind::Statement | Kind::Guard | Kind::Value));
                self.inside(false)
            }
            (_, Head::Then) => match self.conditional() {
                Some(found) => found.column + LEVEL,
                None => self.inside(true),
            },
            (_, Head::Else) => self.conditional().map_or_else(|| self.inside(true), |found| found.column),
            (_, Head::Deeper) => self.inside(true),
            (_, Head::Plain) if self.begins_statement() => self.statement(),
            (_, Head::Plain) => self.inside(goes_on),
        }
        .min(MOST);
        self.line
    }

    /// Goes past a piece that stands in this column. The last one of a line is told.
    pub fn pass(&mut self, piece: &'p Piece<'t>, column: usize, last: bool) {
        match piece.role {
            Role::Open { .. } => {
                let open = bracket(piece.text);
                let outside = self.open;
                if open == '{' {
                    self.open = [0, 0, 0, self.open[3]];
                }
                if let Some(count) = self.open.get_mut(slot(open)) {
                    *count += 1;
                }
                self.brackets += 1;
                let inside = self.line + LEVEL;
                self.push(Kind::Bracket { open, frame: piece.frame, outside }, inside, self.line);
            }
            Role::Close { .. } => {
                if let Some(at) = self.matching(piece) {
                    self.cut(at);
                }
            }
            _ => {}
        }
        if piece.head == Head::Choice {
            self.end(|kind| matches!(kind, Kind::Statement | Kind::Guard | Kind::Value));
        }
        match piece.text {
            ";" => self.end(|kind| matches!(kind, Kind::Statement | Kind::Value)),
            // Only LAbS gives lines with `else` a place of their own.
            "if" => {
                let column = self.chained.take().unwrap_or(column).min(MOST);
                self.conditionals.push(Conditional { column, depth: self.brackets });
            }
            "else" => {
                self.chained = self.conditional().map(|found| found.column);
                if self.chained.is_some() {
                    self.conditionals.pop();
                }
            }
            _ => {}
        }
        if piece.text != "else" {
            self.chained = None;
        }
        match piece.tail {
            Tail::Guard if last => self.push(Kind::Guard, self.line + LEVEL, self.line),
            Tail::Value if last => self.push(Kind::Value, self.line + LEVEL, self.line),
            _ => {}
        }
        self.before = Some(piece);
    }

    fn push(&mut self, kind: Kind, inside: usize, line: usize) {
        self.stack.push(Entry { kind, inside, line, used: false });
    }

    /// The column of a line in what was opened last. One that goes on with another line is a level deeper, unless nothing stands
    /// at this level yet.
    fn inside(&mut self, goes_on: bool) -> usize {
        let Some(entry) = self.stack.last_mut() else { return 0 };
        if goes_on && entry.used {
            return entry.inside + LEVEL;
        }
        entry.used |= !goes_on;
        entry.inside
    }

    /// Whether a line that begins here begins a statement of a block.
    fn begins_statement(&self) -> bool {
        if !self.before.is_some_and(|before| before.text == ";" || before.frame == Frame::Block) {
            return false;
        }
        let mut around = self.stack.iter().rev();
        let block = around.find(|entry| !matches!(entry.kind, Kind::Statement | Kind::Value | Kind::Guard));
        matches!(block, Some(Entry { kind: Kind::Bracket { frame: Frame::Block, .. }, .. }))
    }

    fn statement(&mut self) -> usize {
        self.end(|kind| matches!(kind, Kind::Statement | Kind::Value));
        let line = self.inside(false);
        self.push(Kind::Statement, line + LEVEL, line);
        line
    }

    /// The `if` that an `else` here belongs to.
    fn conditional(&self) -> Option<Conditional> {
        self.conditionals.last().copied().filter(|last| last.depth == self.brackets)
    }

    /// The place of the bracket that this one closes. What closes nothing is ignored. Braces are stronger than other brackets:
    /// they close those that were forgotten, and no others go past them.
    fn matching(&self, close: &Piece<'_>) -> Option<usize> {
        let close = slot(bracket(close.text));
        if self.open.get(close).is_none_or(|count| *count == 0) {
            return None;
        }
        let is = |entry: &Entry| matches!(entry.kind, Kind::Bracket { open, .. } if slot(open) == close);
        self.stack.iter().rposition(is)
    }

    /// Removes an entry and all that were opened inside of it.
    fn cut(&mut self, at: usize) {
        while self.stack.len() > at {
            self.pop();
        }
        self.forget_conditionals();
    }

    fn forget_conditionals(&mut self) {
        while self.conditionals.last().is_some_and(|last| last.depth > self.brackets) {
            self.conditionals.pop();
        }
    }

    fn pop(&mut self) {
        if let Some(Entry { kind: Kind::Bracket { outside, .. }, .. }) = self.stack.pop() {
            self.open = outside;
            self.brackets = self.brackets.saturating_sub(1);
        }
    }

    /// Removes what was opened last as long as it is of such a kind.
    fn end(&mut self, kind: impl Fn(Kind) -> bool) {
        let mut ended = false;
        while self.stack.last().is_some_and(|entry| kind(entry.kind)) {
            self.stack.pop();
            ended = true;
        }
        // A conditional value does not outlive its statement.
        while ended && self.conditionals.last().is_some_and(|last| last.depth >= self.brackets) {
            self.conditionals.pop();
        }
    }

    /// Removes everything up to the bracket whose definitions these are.
    fn end_to_section(&mut self) {
        let section = |entry: &Entry| matches!(entry.kind, Kind::Bracket { frame: Frame::Section, .. });
        while self.stack.last().is_some_and(|entry| !section(entry)) {
            self.pop();
        }
        self.conditionals.clear();
    }
}
