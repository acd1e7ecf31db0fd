//! Conditions in the words of a model: what is subtracted on one side of a comparison is added on the other.

use crate::sexp::Sexp;
use std::collections::BTreeMap;

/// A linear term: what is written in it with its factor, and a number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Linear {
    parts: BTreeMap<String, i128>,
    number: i128,
}

/// Comparisons after all terms are on one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Compare {
    AtMost,
    AtLeast,
    Equal,
    Different,
}

/// `linear (compare) 0`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Comparison(Linear, Compare);

/// The condition as people write it.
pub(crate) fn words(e: &Sexp) -> String {
    said(e, true, 0)
}

/// Conditions that all hold, as people write them: those that say the same together are one.
pub(crate) fn list(parts: Vec<Sexp>) -> Vec<String> {
    let mut parts: Vec<(Sexp, bool)> = parts.into_iter().map(|part| (part, true)).collect();
    let mut out = equalities(&mut parts);
    out.extend(parts.iter().map(|(part, _)| said(part, true, 0)));
    out
}

/// A condition, or its negation; `level` is 0 at the outside, 1 among alternatives and 2 below a conjunction.
fn said(e: &Sexp, positive: bool, level: u32) -> String {
    if let Some(comparison) = comparison(e, positive) {
        return comparison.words();
    }
    let junction = |parts: Vec<Sexp>, and: bool, positive: bool| {
        let and = and == positive;
        let mut parts: Vec<(Sexp, bool)> = parts.into_iter().map(|part| (part, positive)).collect();
        let inner = if parts.len() > 1 { if and { 2 } else { 1 } } else { level };
        let mut words: Vec<String> = vec![];
        if and {
            words.extend(equalities(&mut parts));
        }
        words.extend(parts.iter().map(|(part, positive)| said(part, *positive, inner)));
        let text = words.join(if and { " and " } else { " or " });
        // `and` binds tighter than `or`.
        if words.len() > 1 && !and && level == 2 { format!("({text})") } else { text }
    };
    match e.called() {
        Some(("not", [inner])) => said(inner, !positive, level),
        Some(("and", parts)) => junction(parts.to_vec(), true, positive),
        Some(("or", parts)) => junction(parts.to_vec(), false, positive),
        Some(("=>", [before, after])) => {
            let not = Sexp::call("not", [before.clone()]);
            junction(vec![not, after.clone()], false, positive)
        }
        _ => match (e, positive) {
            (Sexp::Atom(name), true) => plain(name),
            (Sexp::Atom(name), false) if name == "true" => "false".to_string(),
            (Sexp::Atom(name), false) if name == "false" => "true".to_string(),
            (_, true) => opaque(e),
            (_, false) => format!("not ({})", opaque(e)),
        },
    }
}

/// Two comparisons that say the same of `<=` and `>=` are one of `=`; they are taken out.
fn equalities(parts: &mut Vec<(Sexp, bool)>) -> Vec<String> {
    let known: Vec<Option<Comparison>> = parts.iter().map(|(e, positive)| comparison(e, *positive)).collect();
    let mut gone = vec![false; parts.len()];
    let mut out = vec![];
    for at in 0..known.len() {
        let Some(Comparison(linear, compare @ (Compare::AtMost | Compare::AtLeast))) = &known[at] else {
            continue;
        };
        let other = if *compare == Compare::AtMost { Compare::AtLeast } else { Compare::AtMost };
        let (same, turned) = (Comparison(linear.clone(), other), Comparison(linear.negated(), *compare));
        let found = (at + 1..known.len()).find(|other| {
            !gone[*other] && known[*other].as_ref().is_some_and(|c| *c == same || *c == turned)
        });
        if let (false, Some(found)) = (gone[at], found) {
            (gone[at], gone[found]) = (true, true);
            out.push(Comparison(linear.clone(), Compare::Equal).words());
        }
    }
    let mut gone = gone.into_iter();
    parts.retain(|_| !gone.next().unwrap_or(false));
    out
}

/// A comparison of numbers; integers are not between two neighbours, so `<` is one more on the other side.
fn comparison(e: &Sexp, positive: bool) -> Option<Comparison> {
    let (word, parts) = e.called()?;
    let [a, b] = parts else { return None };
    if !matches!(word, "<" | "<=" | ">" | ">=" | "=" | "distinct") {
        return None;
    }
    let mut difference = linear(a)?;
    difference.add(&linear(b)?, -1)?;
    let (compare, shift) = match (word, positive) {
        ("<=", true) | (">", false) => (Compare::AtMost, 0),
        ("<", true) | (">=", false) => (Compare::AtMost, 1),
        (">=", true) | ("<", false) => (Compare::AtLeast, 0),
        (">", true) | ("<=", false) => (Compare::AtLeast, -1),
        ("=", true) | ("distinct", false) => (Compare::Equal, 0),
        _ => (Compare::Different, 0),
    };
    difference.number = difference.number.checked_add(shift)?;
    Some(Comparison(difference, compare))
}

/// A number as a linear term; none for a condition.
fn linear(e: &Sexp) -> Option<Linear> {
    if let Some(number) = e.value() {
        return Some(Linear { number, ..Linear::default() });
    }
    let Some((word, parts)) = e.called() else {
        let Sexp::Atom(name) = e else { return None };
        let condition = name.trim_matches('|').ends_with(" is defined");
        let one = || Linear { parts: BTreeMap::from([(plain(name), 1)]), number: 0 };
        return (!condition && !matches!(name.as_str(), "true" | "false")).then(one);
    };
    let mut out = Linear::default();
    match (word, parts) {
        ("+", parts) => parts.iter().try_for_each(|part| out.add(&linear(part)?, 1))?,
        ("-", [one]) => out.add(&linear(one)?, -1)?,
        ("-", [first, rest @ ..]) => {
            out.add(&linear(first)?, 1)?;
            rest.iter().try_for_each(|part| out.add(&linear(part)?, -1))?;
        }
        ("*", [factor, part]) if factor.value().is_some() => out.add(&linear(part)?, factor.value()?)?,
        ("*", [part, factor]) if factor.value().is_some() => out.add(&linear(part)?, factor.value()?)?,
        ("div" | "mod" | "ite", _) => {
            out.parts.insert(opaque(e), 1);
        }
        _ => return None,
    }
    Some(out)
}

impl Linear {
    fn add(&mut self, other: &Linear, factor: i128) -> Option<()> {
        for (part, times) in &other.parts {
            let sum = self.parts.entry(part.clone()).or_default();
            *sum = sum.checked_add(times.checked_mul(factor)?)?;
        }
        self.parts.retain(|_, times| *times != 0);
        self.number = self.number.checked_add(other.number.checked_mul(factor)?)?;
        Some(())
    }

    fn negated(&self) -> Linear {
        let parts = self.parts.iter().map(|(part, times)| (part.clone(), -times)).collect();
        Linear { parts, number: -self.number }
    }

    /// What is added, each with its factor.
    fn side(&self) -> String {
        let mut words: Vec<String> = vec![];
        for (part, times) in self.parts.iter().filter(|(_, times)| **times > 0) {
            words.push(if *times == 1 { part.clone() } else { format!("{times} * {part}") });
        }
        if self.number > 0 || words.is_empty() {
            words.push(self.number.max(0).to_string());
        }
        words.join(" + ")
    }
}

impl Comparison {
    fn words(&self) -> String {
        let Comparison(linear, compare) = self;
        let other = linear.negated();
        let (mut left, mut right) = (linear.clone(), other.clone());
        let (mut this, mut that) = (linear, *compare);
        let positive = |linear: &Linear| linear.parts.values().any(|times| *times > 0);
        if !positive(linear) && positive(&other) {
            (left, right) = (right, left);
            this = &other;
            that = match compare {
                Compare::AtMost => Compare::AtLeast,
                Compare::AtLeast => Compare::AtMost,
                same => *same,
            };
        }
        let sign = match that {
            Compare::AtMost => "<=",
            Compare::AtLeast => ">=",
            Compare::Equal => "=",
            Compare::Different => "!=",
        };
        // Numbers stand on the right where nothing else does.
        match this.parts.values().all(|times| *times > 0) && !this.parts.is_empty() {
            true => {
                left.number = 0;
                format!("{} {sign} {}", left.side(), -this.number)
            }
            false => {
                left.number = left.number.max(0);
                right.number = right.number.max(0);
                format!("{} {sign} {}", left.side(), right.side())
            }
        }
    }
}

/// A name without its bars.
fn plain(name: &str) -> String {
    name.trim_matches('|').to_string()
}

/// Something that is not taken apart.
fn opaque(e: &Sexp) -> String {
    let inner = |e: &Sexp| match linear(e) {
        Some(linear) if linear.parts.values().all(|times| *times > 0) && linear.number >= 0 => {
            let (text, count) = (linear.side(), linear.parts.len() + usize::from(linear.number > 0));
            if count > 1 { format!("({text})") } else { text }
        }
        _ => format!("({e})").replace('|', ""),
    };
    match e.called() {
        Some(("mod", [a, b])) => format!("{} % {b}", inner(a)),
        Some(("div", [a, b])) => format!("{} / {b}", inner(a)),
        Some(("=", [a, b])) => format!("({}) = ({})", said(a, true, 0), said(b, true, 0)),
        _ => e.to_string().replace('|', ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_are_written_without_minus() {
        for (text, expected) in [
            ("(<= (+ |a| (* (- 1) |b|)) 3)", "a <= b + 3"),
            ("(>= (+ |a| (* (- 2) |b|)) (- 1))", "a + 1 >= 2 * b"),
            ("(not (<= |a| 3))", "a >= 4"),
            ("(not (>= |a| (- 3)))", "a <= -4"),
            ("(<= (* (- 1) |a|) 0)", "a >= 0"),
            ("(= |a| |b|)", "a = b"),
            ("(or (not |c is defined|) (= (mod |a| 2) 1))", "not (c is defined) or a % 2 = 1"),
            ("(and (or (= |a| 1) (= |a| 2)) (< |b| |a|))", "(a = 1 or a = 2) and b + 1 <= a"),
            ("(=> (= |a| 1) (>= |b| 0))", "a != 1 or b >= 0"),
            ("(not (and (= |a| 1) (= |b| 1)))", "a != 1 or b != 1"),
        ] {
            assert_eq!(Sexp::read(text).map(|e| words(&e)), Ok(expected.to_string()), "{text}");
        }
    }
}
