//! Queries: what is asked, cut into parts that are read in the language of the model.
//!
//! ```text
//! query: P(path) [>= 0.9]   Pmin(path)   Pmax(path)   E(what)   Emin(what)   Emax(what)   S(p)
//! path:  NAME [within B] | eventually p [within B] | always p [within B] | p until q [within B]
//!        | p after N [steps] | after N [steps] p | ltl φ [within B]
//! what:  steps until p | time until p | EXPR after N [steps] | EXPR at the end
//! B:     N [steps] | T time
//! ```
//!
//! Words of queries count outside of brackets only, and the last `within` and `after` are those of the query; so a part may use
//! them inside of parentheses. Every part keeps its place in the query, for carets.

mod scan;

use scan::{Word, closing, number, words};
use std::ops::Range;
use swarmcheck_source::suggest::nearest;

/// What an expression, predicate or formula is, and where it stands in its query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    pub text: String,
    /// In bytes from the beginning of the query.
    pub at: usize,
}

/// A query that was read.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Query {
    /// As the user wrote it.
    pub text: String,
    pub ask: Ask,
    pub optimum: Option<Optimum>,
    pub comparison: Option<Comparison>,
}

/// Over all schedulers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Optimum {
    Minimum,
    Maximum,
}

/// What a query asks for.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Ask {
    Probability(Path),
    Expectation(What),
    LongRun(Part),
}

/// What a run should do.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Path {
    /// Satisfy a property of the model.
    Named {
        name: String,
        within: Option<Bound>,
    },
    /// `p until q`; without `hold` it is `eventually q`.
    Until {
        hold: Option<Part>,
        goal: Part,
        within: Option<Bound>,
    },
    Always {
        condition: Part,
        within: Option<Bound>,
    },
    After {
        condition: Part,
        steps: u64,
    },
    Linear {
        formula: Part,
        within: Option<Bound>,
    },
}

/// What an expected value is of.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum What {
    StepsUntil(Part),
    TimeUntil(Part),
    After { value: Part, steps: u64 },
    AtTheEnd(Part),
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Bound {
    Steps(u64),
    Time(f64),
}

/// A comparison with a threshold.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Comparison {
    /// At least or more than, not at most or less than.
    pub upwards: bool,
    /// The threshold itself satisfies it.
    pub equal: bool,
    pub threshold: f64,
}

impl Comparison {
    /// Whether a value satisfies it.
    pub(crate) fn holds(self, value: f64) -> bool {
        match (self.upwards, self.equal) {
            (true, true) => value >= self.threshold,
            (true, false) => value > self.threshold,
            (false, true) => value <= self.threshold,
            (false, false) => value < self.threshold,
        }
    }
}

/// What is wrong with a query, where, and what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct QueryError {
    pub span: Range<usize>,
    pub message: String,
    pub help: Vec<String>,
}

fn error<T>(span: Range<usize>, message: impl Into<String>, help: &[&str]) -> Result<T, QueryError> {
    let help = help.iter().map(ToString::to_string).collect();
    Err(QueryError { span, message: message.into(), help })
}

/// Whether a query compares what it asks for with a threshold. Nothing is said about queries that cannot be read.
pub fn has_threshold(query: &str) -> bool {
    read(query, &[]).is_ok_and(|query| query.comparison.is_some())
        || closing(query, query.find('(').unwrap_or(0))
            .is_some_and(|end| query[end + 1..].trim_start().starts_with(['<', '>']))
}

const HEADS: [&str; 7] = ["P", "Pmin", "Pmax", "E", "Emin", "Emax", "S"];
const FORMS: &str = "a query is P(…) for a probability, E(…) for an expected value, or S(…) for the share of steps in the long run: \
                     P(eventually p within 100 steps), E(steps until p)";

/// Reads a query about a model with these properties.
pub(crate) fn read(text: &str, names: &[&str]) -> Result<Query, QueryError> {
    let start = text.len() - text.trim_start().len();
    let all = start..text.trim_end().len().max(start);
    let Some(open) = text.find('(') else {
        let name = text.trim();
        if names.contains(&name) {
            return error(
                all,
                format!("`{name}` is a property, and a query asks for a number"),
                &[&format!("write P({name})")],
            );
        }
        return error(all, "this is no query", &[FORMS]);
    };
    let head = text[..open].trim();
    if !HEADS.contains(&head) {
        let near = HEADS.iter().find(|known| known.eq_ignore_ascii_case(head)).copied();
        let help = near.map_or(FORMS.to_string(), |near| format!("did you mean `{near}`?"));
        let end = start + head.len();
        return error(
            start..end.max(start + 1).min(text.len()),
            format!("no query begins with `{head}`"),
            &[&help],
        );
    }
    let Some(close) = closing(text, open) else {
        return error(
            open..open + 1,
            "this parenthesis is not closed",
            &["close it at the end of the query"],
        );
    };
    let optimum = match &head[1..] {
        "min" => Some(Optimum::Minimum),
        "max" => Some(Optimum::Maximum),
        _ => None,
    };
    let inside = Inside { query: text, at: open + 1..close, names };
    let ask = match &head[..1] {
        "P" => Ask::Probability(inside.path()?),
        "E" => Ask::Expectation(inside.what()?),
        _ => Ask::LongRun(inside.part(open + 1..close, "a condition")?),
    };
    let comparison = comparison(text, close + 1, !matches!(ask, Ask::Expectation(_)))?;
    Ok(Query { text: text.trim().to_string(), ask, optimum, comparison })
}

fn comparison(text: &str, from: usize, probability: bool) -> Result<Option<Comparison>, QueryError> {
    let rest = &text[from..];
    let trimmed = rest.trim();
    if trimmed.is_empty() {
        return Ok(None);
    }
    let start = from + rest.len() - rest.trim_start().len();
    let end = start + trimmed.len();
    let operators = [(">=", true, true), (">", true, false), ("<=", false, true), ("<", false, false)];
    let Some((operator, upwards, equal)) = operators.into_iter().find(|(o, _, _)| trimmed.starts_with(o))
    else {
        let help = match trimmed.starts_with(['=', '!']) {
            true => "a number from a sample equals no threshold: compare with >=, >, <= or <",
            false => "after the closing parenthesis a comparison may follow, as in P(…) >= 0.9",
        };
        return error(start..end, "this does not belong to a query", &[help]);
    };
    let digits = trimmed[operator.len()..].trim();
    let at = end - digits.len()..end;
    let Some(threshold) = digits.parse::<f64>().ok().filter(|n| n.is_finite()) else {
        return error(
            if digits.is_empty() { start..end } else { at },
            "a comparison is with a number",
            &["for instance 0.9"],
        );
    };
    if probability && !(0.0..=1.0).contains(&threshold) {
        return error(at, "a probability lies between 0 and 1", &["for instance 0.9 for 90 %"]);
    }
    Ok(Some(Comparison { upwards, equal, threshold }))
}

/// What stands in the parentheses of a query.
struct Inside<'q> {
    query: &'q str,
    at: Range<usize>,
    names: &'q [&'q str],
}

const PATHS: &str = "what a run should do is written 'eventually p', 'always p', 'p until q', 'p after N', 'ltl φ', or the name of a \
                     property; the first three and the last two may end in 'within N steps'";
const BOUNDS: &str =
    "a bound is a number of steps, as in 'within 100 steps', or with rates a time, as in 'within 2.5 time'";

impl Inside<'_> {
    fn words(&self, within: Range<usize>) -> Vec<Word> {
        words(self.query, within)
    }

    fn is(&self, word: &Word, text: &str) -> bool {
        &self.query[word.clone()] == text
    }

    /// A part that is not empty.
    fn part(&self, at: Range<usize>, what: &str) -> Result<Part, QueryError> {
        let text = &self.query[at.clone()];
        let trimmed = text.trim();
        if trimmed.is_empty() {
            let near = at.start.saturating_sub(1)..at.start.max(1).min(self.query.len());
            return error(near, format!("{what} is missing here"), &[]);
        }
        let start = at.start + text.len() - text.trim_start().len();
        Ok(Part { text: trimmed.to_string(), at: start })
    }

    /// What comes before `within B`, and B.
    fn bounded(&self, at: Range<usize>) -> Result<(Range<usize>, Option<Bound>), QueryError> {
        let words = self.words(at.clone());
        let Some(within) = words.iter().rfind(|w| self.is(w, "within")) else {
            return self.misspelt(&words, &at).map_or(Ok((at, None)), Err);
        };
        let rest = within.end..at.end;
        Ok((at.start..within.start, Some(self.bound(within, rest)?)))
    }

    /// A word before a number that is nearly `within`.
    fn misspelt(&self, words: &[Word], at: &Range<usize>) -> Option<QueryError> {
        let counts =
            |w: &Word| self.query[w.end..at.end].trim_start().starts_with(|c: char| c.is_ascii_digit());
        let near = |w: &&Word| counts(w) && nearest(&self.query[(*w).clone()], ["within"]).is_some();
        let word = words.iter().find(near)?;
        let message = format!("`{}` is no word of a query", &self.query[word.clone()]);
        Some(QueryError { span: word.clone(), message, help: vec!["did you mean `within`?".to_string()] })
    }

    fn bound(&self, within: &Word, rest: Range<usize>) -> Result<Bound, QueryError> {
        let text = self.query[rest.clone()].trim();
        let place = match text.is_empty() {
            true => within.clone(),
            false => {
                let start = rest.start + self.query[rest.clone()].find(text).unwrap_or(0);
                start..start + text.len()
            }
        };
        let (digits, unit) = number(text);
        match (unit, digits.parse::<u64>(), digits.parse::<f64>()) {
            ("" | "step" | "steps", Ok(steps), _) => Ok(Bound::Steps(steps)),
            ("time", _, Ok(time)) if time.is_finite() => Ok(Bound::Time(time)),
            ("" | "step" | "steps", _, Ok(_)) if digits.contains('.') => {
                error(place, "a number of steps is whole", &[BOUNDS])
            }
            _ => error(place, "this is no bound", &[BOUNDS]),
        }
    }

    /// `N [steps]` at the end, after the last `after`.
    fn after(&self, at: &Range<usize>) -> Result<Option<(Range<usize>, u64)>, QueryError> {
        let words = self.words(at.clone());
        let Some(after) = words.iter().rfind(|w| self.is(w, "after")) else { return Ok(None) };
        let text = self.query[after.end..at.end].trim();
        let (digits, unit) = number(text);
        match (unit, digits.parse()) {
            ("" | "step" | "steps", Ok(steps)) => Ok(Some((at.start..after.start, steps))),
            ("time", Ok(_)) => error(
                after.start..at.end,
                "a state after a time cannot be asked for",
                &["ask for the state after a number of steps, as in 'p after 100 steps'"],
            ),
            _ => error(after.start..at.end, "this is no number of steps", &["as in 'p after 100 steps'"]),
        }
    }

    fn path(&self) -> Result<Path, QueryError> {
        let at = self.at.clone();
        let whole = self.query[at.clone()].trim();
        if self.names.contains(&whole) {
            return Ok(Path::Named { name: whole.to_string(), within: None });
        }
        let words = self.words(at.clone());
        let first = words.first().filter(|w| self.query[at.start..w.start].trim().is_empty());
        let word = first.map_or("", |w| &self.query[w.clone()]);
        let rest = first.map_or(at.start, |w| w.end)..at.end;
        match word {
            "eventually" | "finally" => {
                let (goal, within) = self.bounded(rest)?;
                return Ok(Path::Until { hold: None, goal: self.part(goal, "a condition")?, within });
            }
            "always" => {
                let (condition, within) = self.bounded(rest)?;
                return Ok(Path::Always { condition: self.part(condition, "a condition")?, within });
            }
            "ltl" => {
                let (formula, within) = self.bounded(rest)?;
                return Ok(Path::Linear { formula: self.part(formula, "a formula")?, within });
            }
            "after" => return self.leading_after(first.cloned().unwrap_or(at), rest),
            "fairly" | "fairly_inf" => {
                let place = first.cloned().unwrap_or(at);
                return error(
                    place,
                    format!(
                        "`{word}` speaks of all executions together, and a probability is one of single runs"
                    ),
                    &[PATHS],
                );
            }
            "between" | "from" => {
                let place = first.cloned().unwrap_or(at);
                return error(
                    place,
                    "a scope is asked for by the name of a property",
                    &[&format!(
                        "write 'Name = {word} …' in the section 'check' of the model, and ask for P(Name)"
                    )],
                );
            }
            _ => {}
        }
        if let Some(until) = words.iter().find(|w| self.is(w, "until")) {
            let (goal, within) = self.bounded(until.end..at.end)?;
            let hold = Some(self.part(at.start..until.start, "a condition")?);
            return Ok(Path::Until { hold, goal: self.part(goal, "a condition")?, within });
        }
        let (bare, within) = self.bounded(at.clone())?;
        let name = self.query[bare.clone()].trim();
        if self.names.contains(&name) {
            return Ok(Path::Named { name: name.to_string(), within });
        }
        if within.is_none()
            && let Some((condition, steps)) = self.after(&at)?
        {
            return Ok(Path::After { condition: self.part(condition, "a condition")?, steps });
        }
        self.no_path(bare)
    }

    /// `after N [steps] p`.
    fn leading_after(&self, after: Word, rest: Range<usize>) -> Result<Path, QueryError> {
        let text = &self.query[rest.clone()];
        let skipped = text.len() - text.trim_start().len();
        let trimmed = text.trim_start();
        let digits = trimmed.len() - trimmed.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let Ok(steps) = trimmed[..digits].parse() else {
            return error(after, "a number of steps must follow", &["as in 'after 100 p'"]);
        };
        let mut from = rest.start + skipped + digits;
        let next = self.query[from..rest.end].trim_start();
        for unit in ["steps", "step"] {
            let tail = next.strip_prefix(unit);
            if let Some(tail) = tail.filter(|t| t.starts_with([' ', '(', ',', '\n', '\t'])) {
                from = rest.end - tail.trim_start_matches(',').len();
                break;
            }
        }
        Ok(Path::After { condition: self.part(from..rest.end, "a condition")?, steps })
    }

    /// A name that nothing has, or a condition that nobody says when it should hold.
    fn no_path(&self, bare: Range<usize>) -> Result<Path, QueryError> {
        let part = self.part(bare, "what a run should do")?;
        let place = part.at..part.at + part.text.len();
        let is_name =
            part.text.chars().all(|c| c.is_alphanumeric() || "_- '".contains(c)) && !part.text.contains(' ');
        if is_name {
            let near = nearest(&part.text, self.names.iter().copied());
            let help = near.map_or(PATHS.to_string(), |near| format!("did you mean `{near}`?"));
            return error(place, format!("the model has no property `{}`", part.text), &[&help]);
        }
        let first = part.text.split_whitespace().next().unwrap_or_default();
        if let Some(near) =
            nearest(first, ["eventually", "always", "after", "ltl"]).filter(|near| *near != first)
        {
            let here = place.start..place.start + first.len();
            return error(
                here,
                format!("`{first}` is no word of a query"),
                &[&format!("did you mean `{near}`?")],
            );
        }
        error(
            place,
            "when this should hold is not said",
            &[&format!("write 'eventually {}', for instance", part.text), PATHS],
        )
    }

    fn what(&self) -> Result<What, QueryError> {
        let at = self.at.clone();
        let words = self.words(at.clone());
        if let [first, until, ..] = words.as_slice()
            && self.is(until, "until")
            && self.query[at.start..first.start].trim().is_empty()
            && self.query[first.end..until.start].trim().is_empty()
        {
            let goal = until.end..at.end;
            if let (_, Some(_)) = self.bounded(goal.clone())? {
                return error(
                    goal,
                    "an expected time has no bound",
                    &[
                        "leave out 'within': how long a run may be is an option, and the answer says if that was too short",
                    ],
                );
            }
            match &self.query[first.clone()] {
                "steps" | "step" => return Ok(What::StepsUntil(self.part(goal, "a condition")?)),
                "time" => return Ok(What::TimeUntil(self.part(goal, "a condition")?)),
                _ => {}
            }
        }
        if let [.., at_word, the, end] = words.as_slice()
            && self.is(at_word, "at")
            && self.is(the, "the")
            && self.is(end, "end")
            && self.query[end.end..at.end].trim().is_empty()
        {
            return Ok(What::AtTheEnd(self.part(at.start..at_word.start, "an expression")?));
        }
        if let Some((value, steps)) = self.after(&at)? {
            return Ok(What::After { value: self.part(value, "an expression")?, steps });
        }
        let part = self.part(at, "what is expected")?;
        error(
            part.at..part.at + part.text.len(),
            "when this is looked at is not said",
            &[
                "an expected value is written 'steps until p', 'time until p', 'EXPR after N' or 'EXPR at the end'",
            ],
        )
    }
}

#[cfg(test)]
mod tests;
