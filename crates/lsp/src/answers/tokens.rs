//! Semantic tokens as the protocol packs them: five numbers each, relative to the one before.

use crate::text::{Encoding, Range, Text};

/// The tokens inside a range, or all. A token that goes over several lines becomes one for each line.
pub(super) fn encoded(
    text: &Text,
    tokens: &[[u32; 4]],
    within: Option<Range>,
    encoding: Encoding,
) -> Vec<u32> {
    let (mut line, mut column) = (0, 0);
    let mut out = Vec::with_capacity(tokens.len() * 5);
    for &[start, length, class, modifiers] in tokens {
        let (mut from, end) = (start as usize, (start + length) as usize);
        while from < end {
            let rest = text.as_str().get(from..end).unwrap_or("");
            let piece = rest.find(['\n', '\r']).unwrap_or(rest.len());
            let range = text.range((from as u32, (from + piece) as u32), encoding);
            let units = range.end.character.saturating_sub(range.start.character);
            let is_within =
                within.is_none_or(|w| w.start.line <= range.start.line && range.start.line <= w.end.line);
            if units > 0 && is_within {
                let down = range.start.line - line;
                let right = if down == 0 { range.start.character - column } else { range.start.character };
                out.extend([down, right, units, class, modifiers]);
                (line, column) = (range.start.line, range.start.character);
            }
            // At least the end of the line is left behind.
            from += piece + 1;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Position;

    #[test]
    fn tokens_are_relative_and_end_with_their_line() {
        let text = Text::new("😀 a\n/* b\nc */ d\n".to_string());
        let tokens = [[5, 1, 7, 0], [7, 9, 0, 0], [17, 1, 7, 1]];
        let all = encoded(&text, &tokens, None, Encoding::Utf16);
        assert_eq!(all, [0, 3, 1, 7, 0, 1, 0, 4, 0, 0, 1, 0, 4, 0, 0, 0, 5, 1, 7, 1]);
        let at = |line| Position { line, character: 0 };
        let last = encoded(&text, &tokens, Some(Range { start: at(2), end: at(2) }), Encoding::Utf8);
        assert_eq!(last, [2, 0, 4, 0, 0, 0, 5, 1, 7, 1]);
    }
}
