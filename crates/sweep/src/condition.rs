//! The conditions of `--where`: which points of a parameter space are meant.
//!
//! ```text
//! condition  = all {"or" all}            also ||
//! all        = one {"and" one}           also &&
//! one        = "not" one | sum compare sum | "(" condition ")" | "true" | "false"      also !
//! compare    = "<" | "<=" | ">" | ">=" | "=" | "==" | "!="
//! sum        = product {("+" | "-") product}
//! product    = sign {("*" | "/" | "%") sign}
//! sign       = "-" sign | number | parameter | "(" sum ")"
//! ```
//!
//! Arithmetic is that of the models (`docs/labs.md`): `/` rounds towards zero and the remainder `%` is never negative. Division by
//! zero, or a number that does not fit, makes no point but an error, because a condition that is wrong should not silently leave
//! points out.

use std::fmt;

/// A condition over named parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct Condition {
    root: Term,
}

/// What is wrong with a condition, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConditionFault {
    /// The byte of the text where it shows.
    pub at: usize,
    /// What it is.
    pub kind: ConditionFaultKind,
}

/// What is wrong with a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConditionFaultKind {
    /// A sign that means nothing here.
    Sign(char),
    /// A number that does not fit 64 bits.
    Number,
    /// There is no such parameter; one with a similar name may be there.
    Parameter(String, Vec<String>),
    /// This was expected instead of what stands there.
    Expected(&'static str),
    /// A number stands where something true or false is needed.
    NotACondition,
    /// Something true or false stands where a number is needed.
    NotANumber,
    /// It is nested too deeply.
    Deep,
    /// Division by zero, for these parameters.
    Division,
    /// A number does not fit, for these parameters.
    Overflow,
}

impl fmt::Display for ConditionFaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConditionFaultKind::Sign(sign) => write!(f, "{sign:?} means nothing here"),
            ConditionFaultKind::Number => write!(f, "the number does not fit 64 bits"),
            ConditionFaultKind::Parameter(name, all) if all.is_empty() => {
                write!(f, "there is no parameter {name}")
            }
            ConditionFaultKind::Parameter(name, all) => {
                write!(f, "there is no parameter {name}; there are {}", all.join(", "))
            }
            ConditionFaultKind::Expected(what) => write!(f, "{what} is missing here"),
            ConditionFaultKind::NotACondition => {
                write!(f, "this is a number, but a comparison is needed, as in n < 5")
            }
            ConditionFaultKind::NotANumber => write!(f, "this is true or false, but a number is needed"),
            ConditionFaultKind::Deep => write!(f, "this is nested too deeply"),
            ConditionFaultKind::Division => write!(f, "division by zero"),
            ConditionFaultKind::Overflow => write!(f, "a number does not fit 64 bits"),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Operator {
    Or,
    And,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    Different,
    Plus,
    Minus,
    Times,
    Over,
    Remainder,
}

impl Operator {
    /// Takes conditions, and not numbers.
    fn is_logical(self) -> bool {
        matches!(self, Operator::Or | Operator::And)
    }

    fn is_comparison(self) -> bool {
        use Operator::{Different, Equal, Greater, GreaterOrEqual, Less, LessOrEqual};
        matches!(self, Less | LessOrEqual | Greater | GreaterOrEqual | Equal | Different)
    }
}

#[derive(Clone, PartialEq, Debug)]
enum Term {
    Number(i64),
    Truth(bool),
    Parameter(usize),
    Not(Box<Term>),
    Negative(usize, Box<Term>),
    Two { at: usize, operator: Operator, left: Box<Term>, right: Box<Term> },
}

impl Term {
    fn is_condition(&self) -> bool {
        match self {
            Term::Truth(_) | Term::Not(_) => true,
            Term::Number(_) | Term::Parameter(_) | Term::Negative(..) => false,
            Term::Two { operator, .. } => operator.is_logical() || operator.is_comparison(),
        }
    }
}

impl Condition {
    /// Reads a condition over these parameters.
    pub fn read(text: &str, parameters: &[String]) -> Result<Condition, ConditionFault> {
        let mut reader = Reader { tokens: tokens(text)?, at: 0, end: text.len(), depth: 0, parameters };
        let start = reader.place();
        let root = reader.any()?;
        if reader.at < reader.tokens.len() {
            return Err(reader.fault(ConditionFaultKind::Expected("'and', 'or' or the end")));
        }
        match root.is_condition() {
            true => Ok(Condition { root }),
            false => Err(ConditionFault { at: start, kind: ConditionFaultKind::NotACondition }),
        }
    }

    /// Whether it holds for these values, in the order of the parameters that it was read with.
    pub fn holds(&self, values: &[i64]) -> Result<bool, ConditionFault> {
        Ok(value(&self.root, values)? != 0)
    }
}

fn value(term: &Term, values: &[i64]) -> Result<i64, ConditionFault> {
    let overflow = |at: usize| ConditionFault { at, kind: ConditionFaultKind::Overflow };
    Ok(match term {
        Term::Number(number) => *number,
        Term::Truth(truth) => i64::from(*truth),
        Term::Parameter(number) => values.get(*number).copied().unwrap_or_default(),
        Term::Not(inner) => i64::from(value(inner, values)? == 0),
        Term::Negative(at, inner) => value(inner, values)?.checked_neg().ok_or_else(|| overflow(*at))?,
        Term::Two { operator: Operator::Or, left, right, .. } => {
            i64::from(value(left, values)? != 0 || value(right, values)? != 0)
        }
        Term::Two { operator: Operator::And, left, right, .. } => {
            i64::from(value(left, values)? != 0 && value(right, values)? != 0)
        }
        Term::Two { at, operator, left, right } => {
            let (a, b) = (value(left, values)?, value(right, values)?);
            if b == 0 && matches!(operator, Operator::Over | Operator::Remainder) {
                return Err(ConditionFault { at: *at, kind: ConditionFaultKind::Division });
            }
            let result = match operator {
                Operator::Less => Some(i64::from(a < b)),
                Operator::LessOrEqual => Some(i64::from(a <= b)),
                Operator::Greater => Some(i64::from(a > b)),
                Operator::GreaterOrEqual => Some(i64::from(a >= b)),
                Operator::Equal => Some(i64::from(a == b)),
                Operator::Different => Some(i64::from(a != b)),
                Operator::Plus => a.checked_add(b),
                Operator::Minus => a.checked_sub(b),
                Operator::Times => a.checked_mul(b),
                Operator::Over => a.checked_div(b),
                Operator::Remainder | Operator::Or | Operator::And => a.checked_rem_euclid(b),
            };
            result.ok_or_else(|| overflow(*at))?
        }
    })
}

#[derive(Clone, PartialEq, Debug)]
enum Token {
    Number(i64),
    Word(String),
    Sign(&'static str),
}

/// The longer ones first.
const SIGNS: [&str; 18] =
    ["<=", ">=", "==", "!=", "&&", "||", "<", ">", "=", "!", "+", "-", "*", "/", "%", "(", ")", "≤"];

fn tokens(text: &str) -> Result<Vec<(usize, Token)>, ConditionFault> {
    let mut tokens = vec![];
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let token = if first.is_ascii_digit() {
            let length = rest.bytes().take_while(u8::is_ascii_digit).count();
            let number = rest[..length].parse();
            let number = number.map_err(|_| ConditionFault { at, kind: ConditionFaultKind::Number })?;
            (length, Token::Number(number))
        } else if first.is_alphabetic() || first == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            (end, Token::Word(rest[..end].to_string()))
        } else {
            let sign = SIGNS.into_iter().find(|sign| rest.starts_with(sign));
            let sign = sign.ok_or(ConditionFault { at, kind: ConditionFaultKind::Sign(first) })?;
            (sign.len(), Token::Sign(if sign == "≤" { "<=" } else { sign }))
        };
        tokens.push((at, token.1));
        at += token.0;
    }
    Ok(tokens)
}

/// Deeper conditions are no conditions that people write.
const DEEPEST: usize = 200;

struct Reader<'p> {
    tokens: Vec<(usize, Token)>,
    at: usize,
    end: usize,
    depth: usize,
    parameters: &'p [String],
}

impl Reader<'_> {
    fn place(&self) -> usize {
        self.tokens.get(self.at).map_or(self.end, |(at, _)| *at)
    }

    fn fault(&self, kind: ConditionFaultKind) -> ConditionFault {
        ConditionFault { at: self.place(), kind }
    }

    /// Takes one of these signs or words.
    fn take(&mut self, table: &[(&str, Operator)]) -> Option<(usize, Operator)> {
        let (at, token) = self.tokens.get(self.at)?;
        let found = table.iter().find(|(text, _)| match token {
            Token::Sign(sign) => sign == text,
            Token::Word(word) => word == text,
            Token::Number(_) => false,
        });
        let found = found.map(|(_, operator)| (*at, *operator));
        self.at += usize::from(found.is_some());
        found
    }

    fn is(&mut self, texts: &[&str]) -> bool {
        let table: Vec<(&str, Operator)> = texts.iter().map(|text| (*text, Operator::Or)).collect();
        self.take(&table).is_some()
    }

    fn any(&mut self) -> Result<Term, ConditionFault> {
        self.chain(&[("or", Operator::Or), ("||", Operator::Or)], Reader::all)
    }

    fn all(&mut self) -> Result<Term, ConditionFault> {
        self.chain(&[("and", Operator::And), ("&&", Operator::And)], Reader::one)
    }

    fn one(&mut self) -> Result<Term, ConditionFault> {
        let at = self.place();
        if self.is(&["not", "!"]) {
            let inner = self.deeper(Reader::one)?;
            return match inner.is_condition() {
                true => Ok(Term::Not(Box::new(inner))),
                false => Err(ConditionFault { at, kind: ConditionFaultKind::NotACondition }),
            };
        }
        let left = self.sum()?;
        let comparisons = [
            ("<", Operator::Less),
            ("<=", Operator::LessOrEqual),
            (">", Operator::Greater),
            (">=", Operator::GreaterOrEqual),
            ("=", Operator::Equal),
            ("==", Operator::Equal),
            ("!=", Operator::Different),
        ];
        match self.take(&comparisons) {
            None => Ok(left),
            Some((sign, operator)) => {
                let place = self.place();
                let right = self.sum()?;
                self.two((at, left), (sign, operator), (place, right))
            }
        }
    }

    fn sum(&mut self) -> Result<Term, ConditionFault> {
        self.chain(&[("+", Operator::Plus), ("-", Operator::Minus)], Reader::product)
    }

    fn product(&mut self) -> Result<Term, ConditionFault> {
        let table = [("*", Operator::Times), ("/", Operator::Over), ("%", Operator::Remainder)];
        self.chain(&table, Reader::sign)
    }

    fn sign(&mut self) -> Result<Term, ConditionFault> {
        let at = self.place();
        if self.is(&["-"]) {
            let place = self.place();
            let inner = self.deeper(Reader::sign)?;
            return match inner.is_condition() {
                true => Err(ConditionFault { at: place, kind: ConditionFaultKind::NotANumber }),
                false => Ok(Term::Negative(at, Box::new(inner))),
            };
        }
        if self.is(&["("]) {
            let inner = self.deeper(Reader::any)?;
            return match self.is(&[")"]) {
                true => Ok(inner),
                false => Err(self.fault(ConditionFaultKind::Expected("')'"))),
            };
        }
        let expected = ConditionFaultKind::Expected("a number or a parameter");
        let Some((_, token)) = self.tokens.get(self.at).cloned() else { return Err(self.fault(expected)) };
        let term = match token {
            Token::Number(number) => Term::Number(number),
            Token::Sign(_) => return Err(self.fault(expected)),
            Token::Word(word) => {
                // In models and on command lines a parameter may be written with an underscore before its name.
                let bare = word.strip_prefix('_').unwrap_or(&word);
                match self.parameters.iter().position(|name| *name == word || name == bare) {
                    Some(number) => Term::Parameter(number),
                    None if word == "true" || word == "false" => Term::Truth(word == "true"),
                    None if ["and", "or", "not"].contains(&word.as_str()) => return Err(self.fault(expected)),
                    None => {
                        let all = self.parameters.to_vec();
                        return Err(self.fault(ConditionFaultKind::Parameter(word, all)));
                    }
                }
            }
        };
        self.at += 1;
        Ok(term)
    }

    fn deeper(
        &mut self,
        part: impl Fn(&mut Self) -> Result<Term, ConditionFault>,
    ) -> Result<Term, ConditionFault> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.fault(ConditionFaultKind::Deep));
        }
        let term = part(self)?;
        self.depth -= 1;
        Ok(term)
    }

    /// Operators of one level, from left to right.
    fn chain(
        &mut self,
        table: &[(&str, Operator)],
        part: impl Fn(&mut Self) -> Result<Term, ConditionFault>,
    ) -> Result<Term, ConditionFault> {
        let at = self.place();
        let mut left = part(self)?;
        let mut count = 0;
        while let Some((sign, operator)) = self.take(table) {
            count += 1;
            if count > DEEPEST {
                return Err(self.fault(ConditionFaultKind::Deep));
            }
            let place = self.place();
            let right = part(self)?;
            left = self.two((at, left), (sign, operator), (place, right))?;
        }
        Ok(left)
    }

    fn two(
        &self,
        left: (usize, Term),
        (at, operator): (usize, Operator),
        right: (usize, Term),
    ) -> Result<Term, ConditionFault> {
        for (at, side) in [&left, &right] {
            let kind = match (operator.is_logical(), side.is_condition()) {
                (true, false) => ConditionFaultKind::NotACondition,
                (false, true) => ConditionFaultKind::NotANumber,
                _ => continue,
            };
            return Err(ConditionFault { at: *at, kind });
        }
        Ok(Term::Two { at, operator, left: Box::new(left.1), right: Box::new(right.1) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Condition, ConditionFault> {
        Condition::read(text, &["yes".to_string(), "no".to_string()])
    }

    /// With yes = 3 and no = 5.
    fn check(text: &str, expected: bool) {
        assert_eq!(read(text).unwrap().holds(&[3, 5]), Ok(expected), "{text}");
    }

    #[test]
    fn conditions_mean_what_they_say() {
        check("yes < no", true);
        check("yes + 2 = no", true);
        check("yes + no * 2 == 13", true);
        check("(yes + no) * 2 = 16", true);
        check("no - yes - 1 = 1", true);
        check("not yes < no or no >= 5", true);
        check("yes > 3 and no > 3 or yes = 3", true);
        check("yes > 3 && (no > 3 || yes = 3)", false);
        check("!(yes != 3)", true);
        check("-_yes < 0", true);
        // As in the models: towards zero, and never negative.
        check("-7 / 2 = -3 and -1 % 5 = 4", true);
        check("true and not false", true);
    }

    #[test]
    fn mistakes_have_a_place() {
        let fault = |text: &str| {
            let fault = read(text).unwrap_err();
            (fault.at, fault.kind.to_string())
        };
        assert_eq!(fault("yes < maybe"), (6, "there is no parameter maybe; there are yes, no".to_string()));
        assert_eq!(fault("yes <").0, 5);
        assert_eq!(fault("yes # 1"), (4, "'#' means nothing here".to_string()));
        assert_eq!(fault("yes + 1").1, "this is a number, but a comparison is needed, as in n < 5");
        assert_eq!(fault("(yes < no) + 1").0, 0);
        assert_eq!(fault("yes < no < 3"), (9, "'and', 'or' or the end is missing here".to_string()));
        assert_eq!(fault("(yes < no").1, "')' is missing here");
        assert_eq!(fault("yes < 99999999999999999999"), (6, "the number does not fit 64 bits".to_string()));
        assert_eq!(fault("").0, 0);
        assert_eq!(fault(&"(".repeat(100_000)).1, "this is nested too deeply");
        let long = format!("yes < {}", vec!["1"; 100_000].join("+"));
        assert_eq!(fault(&long).1, "this is nested too deeply");
    }

    #[test]
    fn what_cannot_be_computed_is_no_answer() {
        let kind = |text: &str, yes: i64| read(text).unwrap().holds(&[yes, 0]).unwrap_err().kind;
        assert_eq!(kind("1 / no = 1", 0), ConditionFaultKind::Division);
        assert_eq!(kind("1 % no = 1", 0), ConditionFaultKind::Division);
        assert_eq!(kind("yes * 2 > 0", i64::MAX), ConditionFaultKind::Overflow);
        assert_eq!(kind("-yes > 0", i64::MIN), ConditionFaultKind::Overflow);
        // What is not needed is not computed.
        assert_eq!(read("no = 0 or 1 / no = 1").unwrap().holds(&[0, 0]), Ok(true));
    }

    /// Any text is read or refused, and nothing panics.
    #[test]
    fn rubbish_is_refused_in_good_order() {
        let mut random = fastrand::Rng::with_seed(7);
        let words = ["yes", "no", "1", "<", "=", "and", "or", "not", "(", ")", "-", "/", "%", "é", "0", "!"];
        let mut accepted = 0;
        for _ in 0..20_000 {
            let text: Vec<&str> =
                (0..random.usize(..9)).map(|_| words[random.usize(..words.len())]).collect();
            if let Ok(condition) = read(&text.join(" ")) {
                accepted += 1;
                let _ = condition.holds(&[random.i64(..), 0]);
            }
        }
        assert!(accepted > 10, "{accepted}");
    }
}
