//! Conditions on states that solvers find: read, checked, shown and evaluated.
//!
//! Only linear terms over the variables of a system are accepted, so nothing that a solver or a certificate says can be a
//! command, or speak of something else than states.

use crate::sexp::Sexp;
use crate::text::{Variable, quoted};
use std::collections::HashMap;

/// A condition over the variables of a system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Formula(Sexp);

/// What a term is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sort {
    Int,
    Bool,
}

/// A value of a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Valued {
    /// A number.
    Int(i128),
    /// A truth value.
    Bool(bool),
}

impl Formula {
    /// True in every state.
    pub fn truth() -> Formula {
        Formula(Sexp::atom("true"))
    }

    /// Whether it is that.
    pub fn is_truth(&self) -> bool {
        *self == Formula::truth()
    }

    /// A condition over these variables; why it is none otherwise.
    pub fn new(condition: &Sexp, variables: &[Variable]) -> Result<Formula, String> {
        let condition = condition.replaced(&HashMap::new())?;
        let sorts: HashMap<String, Sort> = variables
            .iter()
            .map(|variable| {
                (quoted(&variable.name), if variable.sort == "Bool" { Sort::Bool } else { Sort::Int })
            })
            .collect();
        match sort(&condition, &sorts)? {
            Sort::Bool => Ok(Formula(condition)),
            Sort::Int => Err("it is a number, not a condition".to_string()),
        }
    }

    /// Reads a condition over these variables.
    pub fn read(text: &str, variables: &[Variable]) -> Result<Formula, String> {
        Formula::new(&Sexp::read(text)?, variables)
    }

    /// All of these.
    pub fn all(parts: &[Formula]) -> Formula {
        match parts {
            [] => Formula::truth(),
            [one] => one.clone(),
            _ => Formula(Sexp::call("and", parts.iter().map(|part| part.0.clone()))),
        }
    }

    /// The parts of a conjunction.
    pub fn parts(&self) -> Vec<Formula> {
        match self.0.called() {
            Some(("and", parts)) => parts.iter().flat_map(|part| Formula(part.clone()).parts()).collect(),
            _ if self.is_truth() => vec![],
            _ => vec![self.clone()],
        }
    }

    /// The text in which every variable has a name with this ending.
    pub fn text(&self, ending: &str) -> String {
        renamed(&self.0, ending).to_string()
    }

    /// Its value, where `known` gives those of variables by their names.
    pub fn holds(&self, known: &dyn Fn(&str) -> Option<Valued>) -> Option<bool> {
        match evaluate(&self.0, known)? {
            Valued::Bool(holds) => Some(holds),
            Valued::Int(_) => None,
        }
    }

    /// The condition as people write it.
    pub fn words(&self) -> String {
        crate::words::words(&self.0)
    }

    /// What it says, one thing after the other, as people write it.
    pub fn list(&self) -> Vec<String> {
        crate::words::list(self.parts().into_iter().map(|part| part.0).collect())
    }
}

fn renamed(e: &Sexp, ending: &str) -> Sexp {
    match e {
        Sexp::Atom(name) => match name.strip_prefix('|').and_then(|name| name.strip_suffix('|')) {
            Some(name) => Sexp::Atom(quoted(&format!("{name}{ending}"))),
            None => e.clone(),
        },
        Sexp::List(parts) => Sexp::List(parts.iter().map(|part| renamed(part, ending)).collect()),
    }
}

/// The sort of a term, if it is a linear one.
fn sort(e: &Sexp, variables: &HashMap<String, Sort>) -> Result<Sort, String> {
    if e.value().is_some() {
        return Ok(Sort::Int);
    }
    let Some((word, parts)) = e.called() else {
        return match e {
            Sexp::Atom(name) if matches!(name.as_str(), "true" | "false") => Ok(Sort::Bool),
            Sexp::Atom(name) => {
                variables.get(name).copied().ok_or_else(|| format!("{name} is no variable of the model"))
            }
            Sexp::List(_) => Err("a list has no operator".to_string()),
        };
    };
    let sorts: Vec<Sort> = parts.iter().map(|part| sort(part, variables)).collect::<Result<_, _>>()?;
    let all = |wanted: Sort| !sorts.is_empty() && sorts.iter().all(|sort| *sort == wanted);
    let numbers = parts.iter().filter(|part| part.value().is_some()).count();
    let found = match word {
        "and" | "or" | "=>" if all(Sort::Bool) => Some(Sort::Bool),
        "not" if all(Sort::Bool) && parts.len() == 1 => Some(Sort::Bool),
        "=" | "distinct" if (all(Sort::Bool) || all(Sort::Int)) && parts.len() == 2 => Some(Sort::Bool),
        "<" | "<=" | ">" | ">=" if all(Sort::Int) && parts.len() == 2 => Some(Sort::Bool),
        "+" | "-" if all(Sort::Int) => Some(Sort::Int),
        "*" if all(Sort::Int) && numbers + 1 >= parts.len() => Some(Sort::Int),
        "div" | "mod" if all(Sort::Int) && parts.len() == 2 => {
            parts[1].value().filter(|by| *by != 0).map(|_| Sort::Int)
        }
        "ite" if parts.len() == 3 && sorts[0] == Sort::Bool && sorts[1] == sorts[2] => Some(sorts[1]),
        _ => None,
    };
    found.ok_or_else(|| format!("{word} is not understood here"))
}

fn evaluate(e: &Sexp, known: &dyn Fn(&str) -> Option<Valued>) -> Option<Valued> {
    if let Some(value) = e.value() {
        return Some(Valued::Int(value));
    }
    let Some((word, parts)) = e.called() else {
        return match e {
            Sexp::Atom(name) if name == "true" => Some(Valued::Bool(true)),
            Sexp::Atom(name) if name == "false" => Some(Valued::Bool(false)),
            Sexp::Atom(name) => known(name.trim_matches('|')),
            Sexp::List(_) => None,
        };
    };
    let values: Vec<Valued> = parts.iter().map(|part| evaluate(part, known)).collect::<Option<_>>()?;
    let truths = || values.iter().map(|value| if let Valued::Bool(b) = value { Some(*b) } else { None });
    let truths = || truths().collect::<Option<Vec<bool>>>();
    let numbers = || values.iter().map(|value| if let Valued::Int(n) = value { Some(*n) } else { None });
    let numbers = || numbers().collect::<Option<Vec<i128>>>();
    let compared = |f: fn(&i128, &i128) -> bool| {
        let numbers = numbers()?;
        Some(Valued::Bool(f(numbers.first()?, numbers.get(1)?)))
    };
    match word {
        "and" => Some(Valued::Bool(truths()?.into_iter().all(|b| b))),
        "or" => Some(Valued::Bool(truths()?.into_iter().any(|b| b))),
        "not" => Some(Valued::Bool(!*truths()?.first()?)),
        "=>" => {
            let truths = truths()?;
            let (last, before) = truths.split_last()?;
            Some(Valued::Bool(*last || !before.iter().all(|b| *b)))
        }
        "=" => Some(Valued::Bool(values.first()? == values.get(1)?)),
        "distinct" => Some(Valued::Bool(values.first()? != values.get(1)?)),
        "<" => compared(i128::lt),
        "<=" => compared(i128::le),
        ">" => compared(i128::gt),
        ">=" => compared(i128::ge),
        "ite" => match values.first()? {
            Valued::Bool(true) => values.get(1).copied(),
            Valued::Bool(false) => values.get(2).copied(),
            Valued::Int(_) => None,
        },
        "+" => numbers()?.into_iter().try_fold(0i128, i128::checked_add).map(Valued::Int),
        "*" => numbers()?.into_iter().try_fold(1i128, i128::checked_mul).map(Valued::Int),
        "-" => match &numbers()?[..] {
            [one] => one.checked_neg().map(Valued::Int),
            [first, rest @ ..] => rest.iter().try_fold(*first, |sum, n| sum.checked_sub(*n)).map(Valued::Int),
            [] => None,
        },
        "div" | "mod" => match numbers()?[..] {
            [a, b] if word == "div" => a.checked_div_euclid(b).map(Valued::Int),
            [a, b] => a.checked_rem_euclid(b).map(Valued::Int),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables() -> Vec<Variable> {
        let variable = |name: &str, sort| Variable { slot: 0, name: name.to_string(), sort };
        vec![variable("n of A", "Int"), variable("m", "Int"), variable("m is defined", "Bool")]
    }

    #[test]
    fn only_linear_conditions_over_states_are_accepted() {
        for good in ["true", "(<= (+ |m| (* (- 2) |n of A|)) 0)", "(=> |m is defined| (= (mod |m| 2) 0))"] {
            assert!(Formula::read(good, &variables()).is_ok(), "{good}");
        }
        for bad in [
            "|m|",
            "(< |m| |x|)",
            "(* |m| |m|)",
            "(= |m| true)",
            "true) (exit) (and true",
            "(assert true)",
            "(= (mod |m| |n of A|) 0)",
            "(= (div |m| 0) 0)",
            "(and)",
            "(exists ((x Int)) (= x |m|))",
        ] {
            assert!(Formula::read(bad, &variables()).is_err(), "{bad}");
        }
    }

    #[test]
    fn conditions_have_values_and_words() {
        let read = |text: &str| Formula::read(text, &variables()).expect("it is one");
        let twice = read("(and (<= (+ |m| (* (- 2) |n of A|)) 0) (>= (+ |m| (* (- 2) |n of A|)) 0))");
        assert_eq!(twice.text("@3").matches("|n of A@3|").count(), 2);
        let at = |n: i128, m: i128| {
            move |name: &str| match name {
                "m" => Some(Valued::Int(m)),
                "n of A" => Some(Valued::Int(n)),
                _ => None,
            }
        };
        assert_eq!(twice.holds(&at(4, 8)), Some(true));
        assert_eq!(twice.holds(&at(4, 9)), Some(false));
        assert_eq!(read("(= (mod |m| 3) 2)").holds(&at(0, -1)), Some(true));
        assert_eq!(twice.words(), "m = 2 * n of A");
    }
}
