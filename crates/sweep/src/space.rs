//! Parameter spaces: `n=2..10`, `delta=1,3,5`, and the values that they stand for.

use std::fmt;

/// More values of one parameter, or more points, are a mistake.
pub const MOST: usize = 10_000_000;

/// A parameter and the values that it takes, in the order given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Axis {
    /// The name, without the underscore that models may write before it.
    pub name: String,
    /// No two are equal, and there is at least one.
    pub values: Vec<i64>,
}

/// Why a word gives no values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AxisFault {
    /// Something that is neither a number nor a range.
    Value {
        /// As it stands on the command line, with the name.
        word: String,
        /// The part of it.
        part: String,
    },
    /// Another parameter stands in the list of values.
    Another {
        /// As it stands on the command line, with the name.
        word: String,
        /// The part of it that names a parameter.
        part: String,
    },
    /// The range has no values, because it begins behind its end.
    Empty {
        /// As it stands on the command line.
        part: String,
        /// The one that was probably meant.
        instead: String,
    },
    /// The step of a range is 0, or leads away from its end.
    Step {
        /// As it stands on the command line.
        part: String,
    },
    /// There is nothing behind the equals sign.
    Nothing {
        /// The name of the parameter.
        name: String,
    },
    /// Too many values.
    TooMany {
        /// As it stands on the command line.
        part: String,
    },
    /// A value occurs twice.
    Twice {
        /// The name of the parameter.
        name: String,
        /// The value.
        value: i64,
    },
}

impl fmt::Display for AxisFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AxisFault::Value { word, part } => write!(
                f,
                "{word:?}: {part:?} is no whole number and no range; values are written as in n=2..10, n=2..10..2 or n=1,3,5"
            ),
            AxisFault::Another { word, part } => write!(
                f,
                "{word:?}: commas list the values of one parameter here; write {part} as a word of its own"
            ),
            AxisFault::Empty { part, instead } => {
                write!(f, "the range {part} is empty: it begins behind its end; {instead} has values")
            }
            AxisFault::Step { part } => {
                write!(f, "the range {part} needs a step above 0, as in 2..10..2")
            }
            AxisFault::Nothing { name } => write!(f, "{name}= has no value; write one, a range or a list"),
            AxisFault::TooMany { part } => write!(f, "{part} has more than {MOST} values"),
            AxisFault::Twice { name, value } => write!(f, "{name} has the value {value} twice"),
        }
    }
}

impl Axis {
    /// Reads `n=2..10`, `n=2..10..2` or `n=1,3,5`; none if this is no parameter at all.
    pub fn read(word: &str) -> Option<Result<Axis, AxisFault>> {
        let (name, values) = word.split_once('=')?;
        let name = name.trim();
        let name = name.strip_prefix('_').unwrap_or(name);
        let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        is_name.then(|| axis(word, name, values))
    }
}

fn axis(word: &str, name: &str, text: &str) -> Result<Axis, AxisFault> {
    let mut values: Vec<i64> = vec![];
    if text.trim().is_empty() {
        return Err(AxisFault::Nothing { name: name.to_string() });
    }
    for part in text.split(',').map(str::trim) {
        if part.contains('=') {
            return Err(AxisFault::Another { word: word.to_string(), part: part.to_string() });
        }
        let wrong = || AxisFault::Value { word: word.to_string(), part: part.to_string() };
        let number = |text: &str| text.trim().parse::<i64>().map_err(|_| wrong());
        let numbers: Vec<&str> = part.split("..").collect();
        let (first, last, step) = match numbers[..] {
            [only] => {
                values.push(number(only)?);
                continue;
            }
            [first, last] => (number(first)?, number(last)?, 1),
            [first, last, step] => (number(first)?, number(last)?, number(step)?),
            _ => return Err(wrong()),
        };
        if step <= 0 {
            return Err(AxisFault::Step { part: part.to_string() });
        }
        if first > last {
            let instead = format!("{last}..{first}");
            return Err(AxisFault::Empty { part: part.to_string(), instead });
        }
        let count = (i128::from(last) - i128::from(first)) / i128::from(step) + 1;
        if count + values.len() as i128 > MOST as i128 {
            return Err(AxisFault::TooMany { part: part.to_string() });
        }
        // No value is behind the last one, but the way to it may be longer than the largest number.
        let value = |at: i128| (i128::from(first) + at * i128::from(step)) as i64;
        values.extend((0..count).map(value));
    }
    let mut sorted = values.clone();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(AxisFault::Twice { name: name.to_string(), value: pair[0] }),
        None => Ok(Axis { name: name.to_string(), values }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(word: &str) -> Vec<i64> {
        Axis::read(word).unwrap().unwrap().values
    }

    fn fault(word: &str) -> String {
        Axis::read(word).unwrap().unwrap_err().to_string()
    }

    #[test]
    fn ranges_include_their_end() {
        assert_eq!(values("n=2..5"), [2, 3, 4, 5]);
        assert_eq!(values("n=7"), [7]);
        assert_eq!(values("_n = 1,3,5"), [1, 3, 5]);
        assert_eq!(values("n=0..10..5,20,-2..-1"), [0, 5, 10, 20, -2, -1]);
        assert_eq!(values("n=0..9..5"), [0, 5]);
        assert_eq!(values("n=9223372036854775806..9223372036854775807").len(), 2);
        let (low, high) = (i64::MIN, i64::MAX);
        assert_eq!(values(&format!("n={low}..{high}..{high}")), [low, -1, high - 1]);
    }

    #[test]
    fn words_without_values_are_refused() {
        assert_eq!(fault("n=5..2"), "the range 5..2 is empty: it begins behind its end; 2..5 has values");
        assert_eq!(fault("n="), "n= has no value; write one, a range or a list");
        assert!(fault("n=2..").contains("\"2..\" is no whole number"));
        assert!(fault("n=1,,2").contains("\"\" is no whole number"));
        assert!(fault("n=1.5").contains("\"1.5\" is no whole number"));
        assert!(fault("n=5,size=10").contains("write size=10 as a word of its own"));
        assert!(fault("n=1..5..0").contains("step above 0"));
        assert_eq!(fault("n=1..3,2"), "n has the value 2 twice");
        assert!(fault("n=-9223372036854775808..9223372036854775807").contains("more than"));
    }

    #[test]
    fn queries_are_no_parameters() {
        assert_eq!(Axis::read("P(eventually x = 1 within 5 steps)"), None);
        assert_eq!(Axis::read("P(Safe) >= 0.9"), None);
        assert_eq!(Axis::read("n"), None);
    }
}
