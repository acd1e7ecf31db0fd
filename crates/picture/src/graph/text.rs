//! How much room text needs. There is no font here, so it is estimated: labels are set in a monospaced font, whose characters have
//! the same width in all common fonts (0.6 of the size), and characters of East Asian scripts and symbols take the double.

/// The size of the font in pixels.
pub const SIZE: f64 = 11.0;
/// The distance of two lines in pixels.
pub const LINE: f64 = 14.0;
const CHARACTER: f64 = 6.7;

/// The width of a line of text in pixels.
pub fn width(text: &str) -> f64 {
    text.chars().map(|c| if is_wide(c) { 2.0 } else { 1.0 }).sum::<f64>() * CHARACTER
}

/// The width of several lines.
pub fn width_of(lines: &[String]) -> f64 {
    lines.iter().map(|line| width(line)).fold(0.0, f64::max)
}

fn is_wide(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe4f}' | '\u{ff00}'..='\u{ff60}' | '\u{1f300}'..)
}

/// Text in lines of at most so many characters, if possible: broken at spaces, and where a word is longer inside it. What does not
/// fit into so many lines is left out, and `…` says so.
pub fn wrapped(text: &str, columns: usize, lines: usize) -> Vec<String> {
    let columns = columns.max(2);
    let mut out: Vec<String> = vec![];
    let mut line = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        let mut rest: Vec<char> = word.chars().collect();
        if length > 0 && length + 1 + rest.len() > columns {
            out.push(std::mem::take(&mut line));
            length = 0;
        }
        if length > 0 {
            line.push(' ');
            length += 1;
        }
        while rest.len() > columns {
            let later = rest.split_off(columns);
            out.push(rest.into_iter().collect());
            rest = later;
        }
        length += rest.len();
        line.extend(rest);
    }
    if !line.is_empty() {
        out.push(line);
    }
    if out.len() > lines {
        out.truncate(lines);
        if let Some(last) = out.last_mut() {
            last.push_str(" …");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces_or_inside_long_words() {
        let check = |text: &str, expected: &[&str]| assert_eq!(wrapped(text, 5, 3), expected, "{text}");
        check("", &[]);
        check("ab cd", &["ab cd"]);
        check("ab cde", &["ab", "cde"]);
        check("abcdefg h", &["abcde", "fg h"]);
        check("a abcdefgh", &["a", "abcde", "fgh"]);
        check("aaaa bbbb cccc dddd", &["aaaa", "bbbb", "cccc …"]);
    }

    #[test]
    fn wide_characters_count_twice() {
        assert!((width("漢字") - width("abcd")).abs() < 1e-9);
        assert_eq!(width(""), 0.0);
    }
}
