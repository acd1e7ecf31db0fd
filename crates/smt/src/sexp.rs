//! S-expressions: what solvers say.

use std::collections::HashMap;
use std::fmt;

/// An atom, or a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sexp {
    /// A symbol, a number or a keyword. A symbol with spaces keeps its bars.
    Atom(String),
    /// A list.
    List(Vec<Sexp>),
}

/// Larger expressions are not read: nobody would understand them, and a let may stand for very much.
const LARGEST: usize = 200_000;

/// Lists that are nested deeper are not read.
const DEEPEST: usize = 2_000;

impl Sexp {
    /// An atom.
    pub fn atom(text: impl Into<String>) -> Sexp {
        Sexp::Atom(text.into())
    }

    /// A list that begins with a word.
    pub fn call(word: &str, arguments: impl IntoIterator<Item = Sexp>) -> Sexp {
        Sexp::List([Sexp::atom(word)].into_iter().chain(arguments).collect())
    }

    /// A number.
    pub fn number(value: i128) -> Sexp {
        match value < 0 {
            true => Sexp::call("-", [Sexp::atom(value.unsigned_abs().to_string())]),
            false => Sexp::atom(value.to_string()),
        }
    }

    /// The number that it is.
    pub fn value(&self) -> Option<i128> {
        match self {
            Sexp::Atom(text) if text.starts_with(|c: char| c.is_ascii_digit()) => text.parse().ok(),
            Sexp::Atom(_) => None,
            Sexp::List(parts) => match &parts[..] {
                [Sexp::Atom(sign), number @ Sexp::Atom(_)] if sign == "-" => Some(-number.value()?),
                _ => None,
            },
        }
    }

    /// The word that a list begins with, and what follows.
    pub fn called(&self) -> Option<(&str, &[Sexp])> {
        match self {
            Sexp::List(parts) => match parts.split_first()? {
                (Sexp::Atom(word), rest) => Some((word, rest)),
                _ => None,
            },
            Sexp::Atom(_) => None,
        }
    }

    /// All expressions in a text.
    pub fn read_all(text: &str) -> Result<Vec<Sexp>, String> {
        let mut open: Vec<Vec<Sexp>> = vec![vec![]];
        let mut rest = text;
        loop {
            rest = rest.trim_start();
            let Some(first) = rest.chars().next() else { break };
            let length = match first {
                '(' => {
                    if open.len() > DEEPEST {
                        return Err("it is nested too deeply".to_string());
                    }
                    open.push(vec![]);
                    1
                }
                ')' => {
                    let list = open.pop().unwrap_or_default();
                    let outer = open.last_mut().ok_or("a parenthesis is closed that was not opened")?;
                    outer.push(Sexp::List(list));
                    1
                }
                ';' => rest.find('\n').unwrap_or(rest.len()),
                '|' | '"' => {
                    let end = rest[1..].find(first).ok_or("a quotation does not end")? + 2;
                    atom(&mut open, &rest[..end]);
                    end
                }
                _ => {
                    let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';' | '|' | '"');
                    let end = rest.find(ends).unwrap_or(rest.len());
                    atom(&mut open, &rest[..end]);
                    end
                }
            };
            rest = &rest[length..];
        }
        match (open.pop(), open.is_empty()) {
            (Some(all), true) => Ok(all),
            _ => Err("a parenthesis is not closed".to_string()),
        }
    }

    /// The expression that a text is.
    pub fn read(text: &str) -> Result<Sexp, String> {
        let mut all = Sexp::read_all(text)?;
        match all.len() {
            1 => Ok(all.swap_remove(0)),
            count => Err(format!("{count} expressions stand where one is expected")),
        }
    }

    /// The same with symbols replaced and lets written out.
    pub fn replaced(&self, names: &HashMap<String, Sexp>) -> Result<Sexp, String> {
        self.replaced_within(names, &mut 0)
    }

    fn replaced_within(&self, names: &HashMap<String, Sexp>, size: &mut usize) -> Result<Sexp, String> {
        *size += 1;
        if *size > LARGEST {
            return Err("it is too large".to_string());
        }
        match self {
            Sexp::Atom(name) => match names.get(name) {
                Some(known) => {
                    *size += known.size();
                    Ok(known.clone())
                }
                None => Ok(self.clone()),
            },
            Sexp::List(_) => match self.called() {
                Some(("let", [Sexp::List(bindings), body])) => {
                    let mut inner = names.clone();
                    for binding in bindings {
                        let Sexp::List(pair) = binding else { return Err("a let is malformed".to_string()) };
                        let [Sexp::Atom(name), value] = &pair[..] else {
                            return Err("a let is malformed".to_string());
                        };
                        inner.insert(name.clone(), value.replaced_within(names, size)?);
                    }
                    body.replaced_within(&inner, size)
                }
                _ => {
                    let Sexp::List(parts) = self else { return Ok(self.clone()) };
                    // The word that a list begins with is an operator, never a variable.
                    let mut out = vec![];
                    for (at, part) in parts.iter().enumerate() {
                        out.push(match (at, part) {
                            (0, Sexp::Atom(_)) => part.clone(),
                            _ => part.replaced_within(names, size)?,
                        });
                    }
                    Ok(Sexp::List(out))
                }
            },
        }
    }

    /// How many atoms and lists it has.
    pub fn size(&self) -> usize {
        match self {
            Sexp::Atom(_) => 1,
            Sexp::List(parts) => 1 + parts.iter().map(Sexp::size).sum::<usize>(),
        }
    }
}

fn atom(open: &mut [Vec<Sexp>], text: &str) {
    if let Some(list) = open.last_mut() {
        list.push(Sexp::atom(text));
    }
}

impl fmt::Display for Sexp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sexp::Atom(text) => f.write_str(text),
            Sexp::List(parts) => {
                f.write_str("(")?;
                for (at, part) in parts.iter().enumerate() {
                    if at > 0 {
                        f.write_str(" ")?;
                    }
                    part.fmt(f)?;
                }
                f.write_str(")")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_written_again() {
        for text in ["(and (<= |n of A 0| 3) (not b))", "x", "(- 5)", "()"] {
            assert_eq!(Sexp::read(text).map(|read| read.to_string()), Ok(text.to_string()));
        }
        assert_eq!(Sexp::read("(- 5)").map(|read| read.value()), Ok(Some(-5)));
        for wrong in ["(", ")", "(a", "|a", "a b", ""] {
            assert!(Sexp::read(wrong).is_err(), "{wrong}");
        }
        assert!(Sexp::read(&"(".repeat(100_000)).is_err());
    }

    #[test]
    fn lets_are_written_out_and_do_not_explode() {
        let names = HashMap::from([("x!0".to_string(), Sexp::atom("|n|"))]);
        let read = Sexp::read("(let ((a (+ x!0 1)) (b x!0)) (let ((x!0 2)) (= a b x!0)))");
        let written = read.and_then(|read| read.replaced(&names)).map(|read| read.to_string());
        assert_eq!(written, Ok("(= (+ |n| 1) |n| 2)".to_string()));
        let mut bomb = "a".to_string();
        for _ in 0..60 {
            bomb = format!("(let ((a (+ a a))) {bomb})");
        }
        assert!(Sexp::read(&bomb).and_then(|read| read.replaced(&names)).is_err());
    }
}
