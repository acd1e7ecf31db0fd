//! The pieces of a text as editors and the formatter see them: comments included, signs that belong together in one piece.

use crate::cursor::{Scanned, scan};
use swarmcheck_source::Span;
use swarmcheck_source::token::{Token, TokenClass};

/// How a language is cut into pieces.
#[derive(Clone, Copy, Debug)]
pub struct Spelling<'s> {
    /// The signs that the language uses.
    pub signs: &'s str,
    /// Signs that are one piece if nothing stands between them. A longer one comes before its beginnings.
    pub joined: &'s [&'s str],
    /// Words that are never names.
    pub reserved: &'s [&'s str],
}

/// Everything in a text but white space, in its order.
pub fn pieces(text: &str, spelling: Spelling<'_>) -> Vec<Token> {
    let mut out: Vec<Token> = vec![];
    // Where the signs end that were taken together with the one before them.
    let mut taken = 0;
    // For each square bracket that is open, whether it is written `|[`.
    let mut hoare: Vec<bool> = vec![];
    scan(text, spelling.signs, |what, span| {
        let start = span.start as usize;
        let (class, end) = match what {
            Scanned::Sign(_) if start < taken => return,
            Scanned::Sign(sign) => {
                let rest = text.get(start..).unwrap_or("");
                // In `a \/* b */` the second sign begins a comment.
                let is_cut = |joined: &str| {
                    let rests = (1..joined.len()).filter_map(|at| rest.get(at..));
                    let mut rests = rests.filter(|_| spelling.signs.contains('/'));
                    rests.any(|rest| rest.starts_with("/*") || rest.starts_with("//"))
                };
                let fitting = spelling.joined.iter().copied().filter(|joined| !is_cut(joined));
                let joined = fitting.into_iter().find(|&joined| match joined {
                    // In `P[b/a]|Q` the bar is the operator.
                    "]|" => rest.starts_with(joined) && hoare.last() == Some(&true),
                    _ => rest.starts_with(joined),
                });
                match (joined, sign) {
                    (Some("|["), _) => hoare.push(true),
                    (_, '[') => hoare.push(false),
                    (_, ']') => drop(hoare.pop()),
                    _ => {}
                }
                taken = joined.map_or(span.end as usize, |joined| start + joined.len());
                (sign_class(joined, sign), taken)
            }
            Scanned::Comment => (TokenClass::Comment, span.end as usize),
            Scanned::Foreign(_) => (TokenClass::Unknown, span.end as usize),
            Scanned::Word => (word_class(text.get(span.range()).unwrap_or(""), spelling), span.end as usize),
        };
        out.push(Token { class, span: Span::new(start, end) });
    });
    out
}

fn word_class(word: &str, spelling: Spelling<'_>) -> TokenClass {
    if spelling.reserved.contains(&word) {
        TokenClass::Keyword
    } else if word.bytes().all(|byte| byte.is_ascii_digit()) {
        TokenClass::Number
    } else {
        TokenClass::Name
    }
}

fn sign_class(joined: Option<&str>, sign: char) -> TokenClass {
    match (joined, sign) {
        (Some("|["), _) => TokenClass::Open,
        (Some("]|"), _) => TokenClass::Close,
        (Some(_), _) => TokenClass::Operator,
        (None, '(' | '[' | '{' | '⟨') => TokenClass::Open,
        (None, ')' | ']' | '}' | '⟩') => TokenClass::Close,
        (None, ',' | ';') => TokenClass::Separator,
        _ => TokenClass::Operator,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPELLING: Spelling<'_> = Spelling {
        signs: "'.+|\\{}[](),;=/<>-!",
        joined: &["|[", "]|", "->", "\\/"],
        reserved: &["proc", "set"],
    };

    #[test]
    fn signs_that_belong_together_are_one_piece() {
        let text = "proc P = (a.0 |[a]| Q[b/a]|R) -> x # end";
        let shown: Vec<&str> = pieces(text, SPELLING).iter().map(|piece| &text[piece.span.range()]).collect();
        let expected = [
            "proc", "P", "=", "(", "a", ".", "0", "|[", "a", "]|", "Q", "[", "b", "/", "a", "]", "|", "R",
            ")", "->", "x", "# end",
        ];
        assert_eq!(shown, expected);
    }

    /// Nothing but white space lies between pieces, whatever the text: so pieces and gaps give the text again.
    #[test]
    fn pieces_leave_out_white_space_only() {
        let mut random = fastrand::Rng::with_seed(21);
        let letters: Vec<char> = "ab_09 \t\r\n#/*\\|[]{}()<>-=.:;,'\"é…\u{feff}∧".chars().collect();
        let mut found = 0;
        for _ in 0..3000 {
            let text: String =
                (0..random.usize(0..40)).map(|_| letters[random.usize(0..letters.len())]).collect();
            let mut at = 0;
            for piece in pieces(&text, SPELLING) {
                let range = piece.span.range();
                assert!(at <= range.start && range.start < range.end, "{text:?}");
                assert!(text[at..range.start].chars().all(char::is_whitespace), "{text:?}");
                at = range.end;
                found += 1;
            }
            assert!(text[at..].chars().all(char::is_whitespace), "{text:?}");
        }
        assert!(found > 20_000, "{found}");
    }
}
