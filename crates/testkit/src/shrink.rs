//! Makes a failing text smaller as long as it fails: greedy deletion of ranges of tokens, from long to short, a
//! variant of delta debugging (Zeller and Hildebrandt, 2002).
//!
//! Nothing here knows the grammar. Most deletions give texts that are not accepted; reading one costs microseconds, so
//! trying them all is cheaper than being clever. Besides deletion, a bracketed group may be replaced by a short token
//! or by its content, which gets rid of subterms in the middle of an expression.

/// Tokens that stand for whole subterms.
const STAND_INS: [&str; 4] = ["Skip", "0", "1", "true"];

/// The smallest text found for which `fails` still holds. The text itself must fail.
pub fn shrink(text: &str, mut fails: impl FnMut(&str) -> bool) -> String {
    let mut best: Vec<String> = tokens(text);
    loop {
        let before = best.len();
        delete(&mut best, &mut fails);
        replace_groups(&mut best, &mut fails);
        replace_operands(&mut best, &mut fails);
        if best.len() == before {
            return tidy(&best);
        }
    }
}

/// Deletes ranges, the longest first.
fn delete(best: &mut Vec<String>, fails: &mut impl FnMut(&str) -> bool) {
    let mut length = best.len() / 2;
    while length > 0 {
        let mut at = 0;
        while at + length <= best.len() {
            if !try_with(best, at..at + length, &[], fails) {
                at += 1;
            }
        }
        // Every length matters when it is short: `a, b <- 1, 2` loses nothing by halves.
        length = if length > 24 { length * 2 / 3 } else { length - 1 };
    }
}

/// Replaces groups in brackets by their content or by a stand-in.
fn replace_groups(best: &mut Vec<String>, fails: &mut impl FnMut(&str) -> bool) {
    let mut at = 0;
    while at < best.len() {
        if let Some(end) = closing(best, at) {
            let content: Vec<String> = best[at + 1..end].to_vec();
            let opened = try_with(best, at..end + 1, &content, fails);
            if opened || stand_in(best, at..end + 1, fails) {
                continue;
            }
        }
        at += 1;
    }
}

/// Replaces short ranges by a stand-in.
fn replace_operands(best: &mut Vec<String>, fails: &mut impl FnMut(&str) -> bool) {
    for length in (2..=12).rev() {
        let mut at = 0;
        while at + length <= best.len() {
            if !stand_in(best, at..at + length, fails) {
                at += 1;
            }
        }
    }
}

fn stand_in(
    best: &mut Vec<String>,
    range: std::ops::Range<usize>,
    fails: &mut impl FnMut(&str) -> bool,
) -> bool {
    range.len() > 1
        && STAND_INS.iter().any(|word| try_with(best, range.clone(), &[format!(" {word}")], fails))
}

/// Replaces a range if the result still fails.
fn try_with(
    best: &mut Vec<String>,
    range: std::ops::Range<usize>,
    with: &[String],
    fails: &mut impl FnMut(&str) -> bool,
) -> bool {
    let next: Vec<String> = [&best[..range.start], with, &best[range.end..]].concat();
    let smaller = next.len() < best.len() && fails(&next.concat());
    if smaller {
        *best = next;
    }
    smaller
}

/// The bracket that closes the one at this position.
fn closing(tokens: &[String], at: usize) -> Option<usize> {
    let mut depth = 0;
    for (end, token) in tokens.iter().enumerate().skip(at) {
        match token.trim() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (end > at).then_some(end);
        }
    }
    None
}

/// Words, numbers and symbols, each with the white space before it, so that joining them gives the text back. A first
/// line with parameter values is one token.
fn tokens(text: &str) -> Vec<String> {
    let mut out: Vec<String> = vec![];
    let mut rest = text;
    if rest.starts_with("#!") {
        let end = rest.find('\n').map_or(rest.len(), |at| at + 1);
        out.push(rest[..end].to_string());
        rest = &rest[end..];
    }
    while !rest.is_empty() {
        let space = rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len());
        let body = &rest[space..];
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let symbol = |c: char| "<-~>=:|+.!".contains(c);
        let length = match body.chars().next() {
            Some(c) if word(c) => body.find(|c| !word(c)).unwrap_or(body.len()),
            Some(c) if symbol(c) => body.find(|c| !symbol(c)).unwrap_or(body.len()),
            Some(c) => c.len_utf8(),
            None => 0,
        };
        out.push(rest[..space + length].to_string());
        rest = &rest[space + length..];
    }
    out
}

/// Without empty lines.
fn tidy(tokens: &[String]) -> String {
    let text = tokens.concat();
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|l| !l.trim().is_empty()).collect();
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_give_the_text_back() {
        let text = "#! n=2\nsystem {\n  spawn = A: _n - -1 }  # x[0]<--y..z\n";
        assert_eq!(tokens(text).concat(), text);
    }

    #[test]
    fn what_does_not_matter_goes_away() {
        let balanced = |t: &str| t.matches('(').count() == t.matches(')').count();
        let fails = |t: &str| balanced(t) && t.contains("bad") && t.contains("f (");
        assert_eq!(shrink("a b (c d) f ((x) + (bad)) g\nh", fails), " f (bad)\n");
    }
}
