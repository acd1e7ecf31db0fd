//! Text that is shown to people, without what would steer a terminal or hide what is really there.
//!
//! File names, fields of stored documents, comments of a model and the words of other programs may hold anything. A terminal obeys
//! control characters and escape sequences; bidirectional controls reorder a line on the screen, and characters without a width hide
//! in it ("Trojan Source", Boucher and Anderson, USENIX Security 2023). What goes to a terminal, and text for people that goes into a
//! pipe, passes through one of the functions below. There is one rule, [`sign`], and every replaced character becomes exactly one
//! character of one column, so that columns and tables stay right.
//!
//! What is *written*, in the language of another tool, has a function for each language instead.

use std::borrow::Cow;

/// What is shown instead of a character; `None` for characters that are harmless.
pub fn sign(c: char) -> Option<char> {
    match c {
        ' '..='~' => None,
        // The Unicode block of control pictures has them in the same order.
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)),
        '\u{7f}' => Some('\u{2421}'),
        // C1 controls: terminals take U+009B for the beginning of an escape sequence.
        '\u{80}'..='\u{9f}' => Some(UNKNOWN),
        // Category Cf and line separators: soft hyphen, marks and overrides of direction, joiners, zero widths, tags.
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' => {
            Some(UNKNOWN)
        }
        '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' => {
            Some(UNKNOWN)
        }
        _ => None,
    }
}

const UNKNOWN: char = '\u{fffd}';

/// Text of several lines: line feeds, with a carriage return before them or not, and tabs stay.
pub fn text(text: &str) -> Cow<'_, str> {
    replaced(text, |rest, c| match c {
        '\n' | '\t' => None,
        '\r' if rest.starts_with('\n') => None,
        c => sign(c),
    })
}

/// A name, or a text that must not begin a line of its own.
pub fn line(text: &str) -> Cow<'_, str> {
    replaced(text, |_, c| sign(c))
}

/// Text in which colours were chosen here. They stay, and no other escape sequence does. What comes from elsewhere must have passed
/// through [`text`] or [`line()`] before the colours were added, because colours can hide a text, too.
pub fn coloured(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') {
        return self::text(text);
    }
    let mut out = String::with_capacity(text.len());
    for (at, part) in text.split('\u{1b}').enumerate() {
        let length = if at == 0 { Some(0) } else { colour(part) };
        match length {
            Some(length) => {
                if at > 0 {
                    out.push('\u{1b}');
                }
                out += &part[..length];
                out += &self::text(&part[length..]);
            }
            None => {
                out.extend(sign('\u{1b}'));
                out += &self::text(part);
            }
        }
    }
    Cow::Owned(out)
}

/// How much of what follows an escape character chooses a colour: `[`, numbers with semicolons, `m`.
fn colour(text: &str) -> Option<usize> {
    let parameters = text.strip_prefix('[')?;
    let length = parameters.bytes().take_while(|b| b.is_ascii_digit() || *b == b';').count();
    parameters[length..].starts_with('m').then_some(length + 2)
}

/// JSON. It escapes control characters below a space by itself; the others get escapes that stand for the same text, so that
/// programs read what they would have read.
pub fn json(text: &str) -> Cow<'_, str> {
    let kept = |c: char| matches!(c, '\n' | '\t' | '\r') || sign(c).is_none();
    if text.chars().all(kept) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match kept(c) {
            true => out.push(c),
            false => out.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}"))),
        }
    }
    Cow::Owned(out)
}

/// The text with some characters replaced; `instead` gets what follows a character, and the character.
fn replaced(text: &str, instead: impl Fn(&str, char) -> Option<char>) -> Cow<'_, str> {
    let mut out: Option<String> = None;
    for (at, c) in text.char_indices() {
        let new = match c {
            ' '..='~' => None,
            c => instead(&text[at + c.len_utf8()..], c),
        };
        match (new, &mut out) {
            (None, None) => {}
            (None, Some(out)) => out.push(c),
            (Some(new), Some(out)) => out.push(new),
            (Some(new), none) => *none = Some(format!("{}{new}", &text[..at])),
        }
    }
    out.map_or(Cow::Borrowed(text), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything that a terminal might obey, or that a person would not see: categories Cc and Cf as far as they are not letters'
    /// business (signs of numbers in Arabic and musical beams are left alone), and Zl and Zp.
    const HOSTILE: &str = "\u{0}\u{1}\u{7}\u{8}\u{b}\u{c}\r\u{e}\u{1b}\u{1f}\u{7f}\u{80}\u{85}\u{90}\u{9b}\u{9c}\u{9d}\u{9f}\u{ad}\u{61c}\u{200b}\u{200c}\u{200d}\
        \u{200e}\u{200f}\u{2028}\u{2029}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2060}\u{2066}\u{2067}\u{2068}\u{2069}\u{feff}\u{e0001}\u{e0041}";

    #[test]
    fn nothing_steers_and_nothing_hides() {
        for c in HOSTILE.chars() {
            let shown = text(&format!("a{c}b")).into_owned();
            assert_eq!(shown.chars().count(), 3, "{c:?}");
            assert!(shown.starts_with('a') && shown.ends_with('b') && !shown.contains(c), "{c:?}");
            assert!(!coloured(&format!("\u{1b}[1m{c}\u{1b}[0m")).contains(&format!("m{c}")), "{c:?}");
        }
        assert_eq!(text("a\tb\r\nc\rd\n"), "a\tb\r\nc␍d\n");
        assert_eq!(line("a\nb: holds\t\u{1b}[2K"), "a␊b: holds␉␛[2K");
        for harmless in ["", "plain", "⊥ über 群れ → ∀ ¬ 🐦", "e\u{301}"] {
            assert!(matches!(text(harmless), Cow::Borrowed(same) if same == harmless));
            assert!(matches!(json(harmless), Cow::Borrowed(same) if same == harmless));
        }
    }

    #[test]
    fn only_colours_are_left_of_escape_sequences() {
        let ours = "\u{1b}[1m\u{1b}[38;5;12mbold\u{1b}[0m, plain\n";
        assert_eq!(coloured(ours), ours);
        assert_eq!(coloured("\u{1b}[2J\u{1b}]0;t\u{7}\u{1b}[1"), "␛[2J␛]0;t␇␛[1");
        assert_eq!(coloured("x\u{1b}\u{1b}[0m\u{9b}0m"), "x␛\u{1b}[0m\u{fffd}0m");
        assert_eq!(coloured("\u{202e}"), "\u{fffd}");
    }

    /// A reader of JSON gets the same text, and no byte of it is a control character.
    #[test]
    fn json_means_what_it_meant() {
        let data = vec![HOSTILE.to_string(), "plain \u{1f426} ⊥".to_string()];
        let written = serde_json::to_string_pretty(&data).unwrap();
        let shown = json(&written);
        assert!(shown.chars().all(|c| c == '\n' || sign(c).is_none()), "{shown}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&shown).unwrap(), data);
    }
}
