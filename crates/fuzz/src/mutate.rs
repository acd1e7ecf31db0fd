//! How an input is made: a seed, or a piece of one, cut into tokens and damaged the way people, editors and attackers do:
//! left out, said twice, put elsewhere, put together from two texts, nested deeply, with other words, with numbers at their
//! limits, with characters of other scripts, cut off.
//!
//! There is no feedback: the input with a number is a function of the seeds, the seed of the run and the number. So any of
//! 10⁸ executions is named by two numbers, and runs can be continued and divided without being kept.

use crate::Target;
use fastrand::Rng;
use std::borrow::Cow;

/// Numbers at which something ends.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "255",
    "256",
    "32767",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "00",
    "1e308",
    "1e999",
    "0.1",
    "-0",
    "1000000",
    "16777216",
    "99999999999999999999999999999999999999999999999999",
];

/// Characters that are more than one byte, steer something, or look like others.
const CHARACTERS: &[&str] = &[
    "\u{feff}",
    "\u{202e}",
    "\0",
    "\u{1b}[31m",
    "é",
    "∀",
    "¬",
    "→",
    "𝒳",
    "\u{300}",
    "\r",
    "\r\n",
    "\t",
    "\u{a0}",
    "\u{2028}",
    "٣",
    "ß",
    "İ",
    "\\u0000",
    "\u{10ffff}",
    "\u{7f}",
    "\"",
    "'",
    "`",
    "\\",
];

const BRACKETS: &[(&str, &str)] =
    &[("(", ")"), ("[", "]"), ("{", "}"), ("!(", ")"), ("\"", "\""), ("/*", "*/"), ("not (", ")")];

/// Signs of most languages.
const SIGNS: &[&str] = &[
    "(", ")", "[", "]", "{", "}", ",", ";", ":", ".", "..", "=", "==", "!=", "<", "<=", ">", ">=", "+", "-",
    "*", "/", "%", "!", "&", "&&", "|", "||", "->", "<-", "<~", "<--", "=>", "#", "//", "/*", "*/", "?", "@",
    "_", "$", "\n", " ", "  ", "\n\n",
];

/// Inputs are never longer.
const LONGEST: usize = 64 << 10;

type Token<'a> = Cow<'a, [u8]>;

/// Makes the inputs of a target.
pub struct Mutator {
    /// Cut into tokens, the shortest first.
    seeds: Vec<Vec<Vec<u8>>>,
    words: &'static [&'static str],
    usual: usize,
}

impl Mutator {
    pub fn new(target: &Target) -> Mutator {
        let mut seeds = crate::seeds::seeds(target.name, &target.from);
        seeds.sort_by_key(Vec::len);
        let cut = |seed: &Vec<u8>| tokens(seed).into_iter().map(<[u8]>::to_vec).collect();
        Mutator { seeds: seeds.iter().map(cut).collect(), words: target.words, usual: target.usual }
    }

    /// How many seeds there are.
    pub fn seeds(&self) -> usize {
        self.seeds.len()
    }

    /// The input with this number. The first ones are the seeds themselves.
    pub fn input(&self, seed: u64, number: u64) -> Vec<u8> {
        if let Some(whole) = usize::try_from(number).ok().and_then(|number| self.seeds.get(number)) {
            return whole.concat();
        }
        let mut rng = Rng::with_seed(
            seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number.wrapping_mul(0xd6e8_feb8_6659_fd93),
        );
        let mut made = self.piece(&mut rng);
        let times = 1 + [0, 0, 1, 1, 2, 3, 5, 8][rng.usize(..8)];
        for _ in 0..times {
            self.damage(&mut made, &mut rng);
        }
        let mut out = made.concat();
        if rng.usize(..12) == 0 {
            damage_bytes(&mut out, &mut rng);
        }
        out.truncate(LONGEST);
        out
    }

    /// A whole seed or a piece of one, not much longer than usual.
    fn piece<'a>(&'a self, rng: &mut Rng) -> Vec<Token<'a>> {
        // The smaller of two is taken, as more is executed of small ones in the same time.
        let from = &self.seeds[rng.usize(..self.seeds.len()).min(rng.usize(..self.seeds.len()))];
        let length: usize = from.iter().map(Vec::len).sum();
        let part = match length > self.usual * 4 || (length > self.usual / 8 && rng.usize(..4) == 0) {
            false => &from[..],
            true => {
                let start = rng.usize(..from.len());
                let mut room = 1 + rng.usize(..self.usual);
                let fits = from[start..].iter().take_while(|token| {
                    room = room.saturating_sub(token.len());
                    room > 0
                });
                let count = fits.count();
                &from[start..start + count]
            }
        };
        part.iter().map(|token| Cow::Borrowed(&token[..])).collect()
    }

    fn word<'a>(&'a self, rng: &mut Rng) -> Token<'a> {
        let text = |all: &'static [&'static str], rng: &mut Rng| {
            Cow::Borrowed(all[rng.usize(..all.len())].as_bytes())
        };
        match rng.usize(..16) {
            0..6 if !self.words.is_empty() => text(self.words, rng),
            0..8 => text(SIGNS, rng),
            8..10 => text(NUMBERS, rng),
            10 => text(CHARACTERS, rng),
            11 => Cow::Owned(rng.i64(..).to_string().into_bytes()),
            12 => Cow::Owned(rng.u8(..20).to_string().into_bytes()),
            _ => {
                let from = &self.seeds[rng.usize(..self.seeds.len())];
                match from.is_empty() {
                    true => Cow::Borrowed(b" "),
                    false => Cow::Borrowed(&from[rng.usize(..from.len())]),
                }
            }
        }
    }

    fn damage<'a>(&'a self, made: &mut Vec<Token<'a>>, rng: &mut Rng) {
        if made.is_empty() {
            made.push(self.word(rng));
        }
        let at = rng.usize(..made.len());
        let to = (at + 1 + [0, 0, 0, 1, 2, 4, 10, 40][rng.usize(..8)]).min(made.len());
        match rng.usize(..32) {
            0..4 => drop(made.drain(at..to)),
            4..6 => {
                let twice = made[at..to].to_vec();
                let place = rng.usize(..=made.len());
                made.splice(place..place, twice);
            }
            6..8 => {
                let other = rng.usize(..made.len());
                made.swap(at, other);
            }
            8..17 => made[at] = self.word(rng),
            17..22 => {
                let word = self.word(rng);
                made.insert(at, word);
            }
            22..25 => {
                // The beginning of this, and the end of another one.
                let other = self.piece(rng);
                made.truncate(at);
                let from = rng.usize(..=other.len());
                made.extend(other.into_iter().skip(from));
            }
            25 => {
                let other = self.piece(rng);
                made.splice(at..at, other);
            }
            26..28 => {
                let (open, close) = BRACKETS[rng.usize(..BRACKETS.len())];
                let times = [1, 1, 1, 2, 3, 20][rng.usize(..6)];
                // Deep ones are rare: each takes as long as thousands of others.
                let times = if rng.usize(..2000) == 0 { 5000 } else { times };
                made.splice(to..to, (0..times).map(|_| Cow::Borrowed(close.as_bytes())));
                made.splice(at..at, (0..times).map(|_| Cow::Borrowed(open.as_bytes())));
            }
            28 => {
                let times = if rng.usize(..1000) == 0 { 3000 } else { 1 + rng.usize(..6) };
                let piece = made[at..to].to_vec();
                let all = std::iter::repeat_n(piece, times).flatten().take(8000);
                made.splice(at..at, all);
            }
            29..31 => {
                let numbers: Vec<usize> =
                    (0..made.len()).filter(|i| made[*i].first().is_some_and(u8::is_ascii_digit)).collect();
                if let Some(at) = rng.choice(numbers) {
                    made[at] = Cow::Borrowed(NUMBERS[rng.usize(..NUMBERS.len())].as_bytes());
                }
            }
            _ => made.truncate(at),
        }
    }
}

/// Bits turned round, bytes that belong to no character, and texts cut inside of one.
fn damage_bytes(out: &mut Vec<u8>, rng: &mut Rng) {
    if out.is_empty() {
        return;
    }
    let at = rng.usize(..out.len());
    match rng.usize(..4) {
        0 => out[at] ^= 1 << rng.u8(..8),
        1 => out[at] = rng.u8(..),
        2 => drop(out.remove(at)),
        _ => out.truncate(at),
    }
}

/// Words, numbers, white space; everything else is a token of its own.
fn tokens(text: &[u8]) -> Vec<&[u8]> {
    let kind = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'0'..=b'9' => 1,
        128.. => 2,
        b' ' => 3,
        _ => 0,
    };
    let mut out = vec![];
    let mut start = 0;
    for at in 1..=text.len() {
        if at == text.len() || kind(text[at]) != kind(text[start]) || kind(text[start]) == 0 {
            out.push(&text[start..at]);
            start = at;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_the_text() {
        for text in ["", "a", "ab12 <- (x)\n", "é∀ b", "  x"] {
            assert_eq!(tokens(text.as_bytes()).concat(), text.as_bytes());
        }
        assert_eq!(tokens(b"ab <-"), [&b"ab"[..], b" ", b"<", b"-"]);
    }

    /// Two numbers name an input, and inputs differ.
    #[test]
    fn inputs_are_functions_of_their_number() {
        let target = crate::targets::named("labs-parse").unwrap();
        let (one, two) = (Mutator::new(target), Mutator::new(target));
        let mut known = std::collections::HashSet::new();
        for number in 0..3000 {
            let input = one.input(7, number);
            assert_eq!(input, two.input(7, number));
            known.insert(input);
        }
        assert!(known.len() > 2500, "only {} of 3,000 differ", known.len());
        assert!(one.seeds() > 100, "only {} seeds", one.seeds());
    }
}
