//! Lines: what becomes of each line of the input. Only empty lines are left out, and none is added.

use crate::layout::Layout;
use crate::piece::{Piece, Role, spaced};

/// Trailing comments are this far from the code.
const BEFORE_COMMENT: usize = 2;
/// Comments behind longer lines are not aligned with those of their neighbours.
const LONG: usize = 100;
/// More empty lines in a row than this are kept as one, so that a file of millions takes no more memory than its text.
const EMPTY: usize = 8;

/// A line of the input, or several if a comment goes on over them or they are empty.
pub(crate) struct Line {
    /// Its bytes, with the line break.
    pub start: usize,
    pub end: usize,
    /// How many lines of the input it is.
    pub count: usize,
    /// What becomes of it, without the line break; none if it is left out.
    pub text: Option<String>,
    /// Where a comment begins that stands behind code, in `text`, and the width of the code.
    comment: Option<(usize, usize)>,
    /// The code opens a bracket last: a comment behind it is about what follows.
    opens: bool,
}

/// What is between two lines, as far as empty lines are concerned.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    /// No empty line belongs here: the file begins, or a bracket was opened.
    Tight,
    Text,
    Empty,
}

/// Formats the lines of a text that has been cut into pieces.
pub(crate) fn lines(text: &str, pieces: &[Piece<'_>]) -> Vec<Line> {
    let cut = cut(text, pieces);
    let mut out: Vec<Line> = Vec::with_capacity(cut.len());
    let mut layout = Layout::default();
    let mut edge = Edge::Tight;
    // Comments that wait for the line that they belong to.
    let mut waiting: Vec<usize> = vec![];
    // The place of an empty line that stays if no closing bracket follows.
    let mut empty = None;
    for (mut line, own) in cut {
        let code = own.iter().find(|piece| !piece.is_comment());
        if own.is_empty() {
            if edge == Edge::Text {
                (edge, empty) = (Edge::Empty, Some(out.len()));
                line.text = Some(String::new());
            }
            out.push(line);
            continue;
        }
        if let Some(first) = code {
            let closes = matches!(first.role, Role::Close { .. });
            if let Some(line) = empty.and_then(|at| out.get_mut(at)).filter(|_| closes) {
                line.text = None;
            }
            let content = if closes { layout.content() } else { 0 };
            let column = layout.begin(first);
            let beside = if closes { content } else { column };
            indent(&mut out, &mut waiting, beside);
            write(&mut line, own, column, &mut layout);
            let last = own.iter().rev().find(|piece| !piece.is_comment());
            let opens = last.is_some_and(|piece| matches!(piece.role, Role::Open { .. }));
            line.opens = opens;
            edge = if opens { Edge::Tight } else { Edge::Text };
        } else {
            waiting.push(out.len());
            write(&mut line, own, 0, &mut layout);
            edge = Edge::Text;
        }
        empty = None;
        out.push(line);
    }
    indent(&mut out, &mut waiting, layout.content());
    if let Some(line) = empty.and_then(|at| out.get_mut(at)) {
        line.text = None;
    }
    align(&mut out);
    let first = out.iter_mut().find_map(|line| line.text.as_mut());
    // At the beginning of a file the sign would be a byte order mark, which is not read.
    if let Some(text) = first.filter(|text| text.starts_with(crate::MARK)) {
        text.insert(0, ' ');
    }
    out
}

/// The lines of a text with their pieces.
fn cut<'p, 't>(text: &str, pieces: &'p [Piece<'t>]) -> Vec<(Line, &'p [Piece<'t>])> {
    let mut out: Vec<(Line, &'p [Piece<'t>])> = vec![];
    let (mut start, mut rest, mut empty) = (0, pieces, 0);
    while start < text.len() {
        let (mut end, mut count, mut taken) = (start, 0, 0);
        loop {
            let length = text.get(end..).and_then(|rest| rest.find('\n'));
            end = length.map_or(text.len(), |length| end + length + 1);
            count += 1;
            taken += rest.iter().skip(taken).take_while(|piece| piece.start < end).count();
            let inside =
                taken.checked_sub(1).and_then(|last| rest.get(last)).is_none_or(|last| last.end <= end);
            if inside || end >= text.len() {
                break;
            }
        }
        let (own, later) = rest.split_at(taken.min(rest.len()));
        empty = if own.is_empty() { empty + 1 } else { 0 };
        match out.last_mut() {
            Some((line, _)) if empty > EMPTY => (line.end, line.count) = (end, line.count + count),
            _ => out.push((Line { start, end, count, text: None, comment: None, opens: false }, own)),
        }
        (start, rest) = (end, later);
    }
    out
}

/// Writes the pieces of a line from a column on.
fn write<'p, 't>(line: &mut Line, own: &'p [Piece<'t>], column: usize, layout: &mut Layout<'p, 't>) {
    let mut out = " ".repeat(column);
    let mut at = column;
    let last = own.iter().rposition(|piece| !piece.is_comment());
    for (number, piece) in own.iter().enumerate() {
        let before = number.checked_sub(1).and_then(|before| own.get(before));
        if before.is_some_and(|before| spaced(before, piece)) {
            out.push(' ');
            at += 1;
        }
        if piece.is_comment() {
            let trails = number + 1 == own.len() && last.is_some();
            if trails {
                line.comment = Some((out.len(), at.saturating_sub(1)));
            }
            out += &piece.text.replace("\r\n", "\n");
        } else {
            layout.pass(piece, at, last == Some(number));
            out += piece.text;
        }
        at = match piece.text.rsplit_once('\n') {
            Some((_, rest)) => rest.chars().count(),
            None => at + piece.text.chars().count(),
        };
    }
    line.text = Some(out);
}

/// Moves comments that have waited for the column of their line.
fn indent(out: &mut [Line], waiting: &mut Vec<usize>, column: usize) {
    for at in waiting.drain(..) {
        if let Some(text) = out.get_mut(at).and_then(|line| line.text.as_mut()) {
            text.insert_str(0, &" ".repeat(column));
        }
    }
}

/// Puts comments behind code in one column if their lines follow one another.
fn align(out: &mut [Line]) {
    let aligned = |line: &Line| line.comment.filter(|(_, width)| *width <= LONG && !line.opens);
    let mut kept: Vec<&mut Line> = out.iter_mut().filter(|line| line.text.is_some()).collect();
    for group in kept.chunk_by_mut(|one, next| aligned(one).is_some() && aligned(next).is_some()) {
        let widest = group.iter().filter_map(|line| aligned(line)).map(|(_, width)| width).max().unwrap_or(0);
        for line in group {
            let (Some((at, width)), Some(text)) = (line.comment, line.text.as_mut()) else { continue };
            // One space is there already.
            let padding = (widest.max(width) + BEFORE_COMMENT).saturating_sub(width + 1);
            text.insert_str(at, &" ".repeat(padding));
        }
    }
}
