//! A strict parser for the part of MCL that the exporter writes, and the meaning of queries on a transition system.
//!
//! Made from the manual page of MCL version 4 and the ATLAS paper. Fixed points are computed literally: all parameters
//! and states that a query can get to, and values that are corrected until nothing changes.

use crate::lexer::{Cursor, Token, tokens};
use std::collections::{BTreeMap, BTreeSet};

/// A formula, or a number inside one.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    Number(i64),
    /// A parameter, a macro or a fixed point, with arguments.
    Name(String, Vec<Formula>),
    Not(Box<Formula>),
    Infix(String, Box<Formula>, Box<Formula>),
    /// For all transitions (`true`) or some transition with a label that fits.
    Modal(bool, Action, Box<Formula>),
    Fixed {
        greatest: bool,
        name: String,
        parameters: Vec<(String, Formula)>,
        body: Box<Formula>,
    },
}

/// A pattern for labels.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    Any,
    Not(Box<Action>),
    Or(Box<Action>, Box<Action>),
    /// A gate, offers, and whether more offers may follow.
    Pattern(String, Vec<Offer>, bool),
}

/// A part of a label.
#[derive(Clone, Debug, PartialEq)]
pub enum Offer {
    Number(i64),
    Text(String),
    Bind(String),
    Anything,
}

/// A query: its macros and its formula.
#[derive(Debug)]
pub struct Query {
    pub macros: BTreeMap<String, (Vec<String>, Formula)>,
    pub formula: Formula,
}

type Parsed<T> = Result<T, String>;

pub fn parse(text: &str) -> Parsed<Query> {
    let mut parser = Parser { cursor: Cursor::new(tokens(text, false)?) };
    let mut macros = BTreeMap::new();
    while parser.cursor.word("macro") {
        let name = parser.cursor.name()?;
        let mut formal = vec![];
        if parser.cursor.sign("(") {
            formal.push(parser.cursor.name()?);
            while parser.cursor.sign(",") {
                formal.push(parser.cursor.name()?);
            }
            parser.cursor.expect_sign(")")?;
        }
        parser.cursor.expect_sign("=")?;
        let body = parser.formula()?;
        parser.cursor.expect_word("end_macro")?;
        if macros.insert(name.clone(), (formal, body)).is_some() {
            return Err(format!("macro {name} twice"));
        }
    }
    let formula = parser.formula()?;
    if !parser.cursor.done() {
        return Err(parser.cursor.complain("the end"));
    }
    Ok(Query { macros, formula })
}

struct Parser {
    cursor: Cursor,
}

impl Parser {
    fn formula(&mut self) -> Parsed<Formula> {
        let mut left = self.prefixed()?;
        let mut before: Option<String> = None;
        loop {
            let operator = match self.cursor.peek() {
                Some(Token::Word(w)) if w == "and" || w == "or" => w.clone(),
                Some(Token::Sign(s)) if ["=", "<>", "<", "<=", ">", ">=", "+", "-", "*"].contains(s) => {
                    // `>` also ends a pattern, but no pattern is open inside a formula.
                    s.to_string()
                }
                _ => return Ok(left),
            };
            let chain = operator == "and" || operator == "or";
            if before.as_ref().is_some_and(|b| *b != operator || !chain) {
                return Err(self.cursor.complain("parentheses between operators"));
            }
            self.cursor.take();
            let right = self.prefixed()?;
            left = Formula::Infix(operator.clone(), Box::new(left), Box::new(right));
            before = Some(operator);
        }
    }

    fn prefixed(&mut self) -> Parsed<Formula> {
        if self.cursor.word("not") {
            return Ok(Formula::Not(Box::new(self.prefixed()?)));
        }
        if self.cursor.sign("-") {
            return Ok(Formula::Number(-self.cursor.number()?));
        }
        if self.cursor.sign("[") {
            let action = self.action()?;
            self.cursor.expect_sign("]")?;
            return Ok(Formula::Modal(true, action, Box::new(self.prefixed()?)));
        }
        if self.cursor.sign("<") {
            let action = self.action()?;
            self.cursor.expect_sign(">")?;
            return Ok(Formula::Modal(false, action, Box::new(self.prefixed()?)));
        }
        if self.cursor.sign("(") {
            let inner = self.formula()?;
            self.cursor.expect_sign(")")?;
            return Ok(inner);
        }
        if matches!(self.cursor.peek(), Some(Token::Number(_))) {
            return Ok(Formula::Number(self.cursor.number()?));
        }
        let name = self.cursor.name()?;
        if name == "nu" || name == "mu" {
            return self.fixed(name == "nu");
        }
        let mut arguments = vec![];
        if self.cursor.sign("(") {
            arguments.push(self.formula()?);
            while self.cursor.sign(",") {
                arguments.push(self.formula()?);
            }
            self.cursor.expect_sign(")")?;
        }
        Ok(Formula::Name(name, arguments))
    }

    fn fixed(&mut self, greatest: bool) -> Parsed<Formula> {
        let name = self.cursor.name()?;
        let mut parameters = vec![];
        if self.cursor.sign("(") {
            loop {
                let parameter = self.cursor.name()?;
                self.cursor.expect_sign(":")?;
                self.cursor.expect_word("Int")?;
                self.cursor.expect_sign(":=")?;
                parameters.push((parameter, self.formula()?));
                if !self.cursor.sign(",") {
                    break;
                }
            }
            self.cursor.expect_sign(")")?;
        }
        self.cursor.expect_sign(".")?;
        Ok(Formula::Fixed { greatest, name, parameters, body: Box::new(self.prefixed()?) })
    }

    fn action(&mut self) -> Parsed<Action> {
        let mut left = self.one_action()?;
        while self.cursor.word("or") {
            left = Action::Or(Box::new(left), Box::new(self.one_action()?));
        }
        Ok(left)
    }

    fn one_action(&mut self) -> Parsed<Action> {
        if self.cursor.word("true") {
            return Ok(Action::Any);
        }
        if self.cursor.word("not") {
            return Ok(Action::Not(Box::new(self.one_action()?)));
        }
        if self.cursor.sign("(") {
            let inner = self.action()?;
            self.cursor.expect_sign(")")?;
            return Ok(inner);
        }
        self.cursor.expect_sign("{")?;
        let gate = self.cursor.name()?;
        let mut offers = vec![];
        let mut more = false;
        while !self.cursor.sign("}") {
            if more {
                return Err(self.cursor.complain("`}` after `...`"));
            }
            if self.cursor.sign("...") {
                more = true;
            } else if self.cursor.sign("!") {
                offers.push(match self.cursor.take() {
                    Some(Token::Number(n)) => Offer::Number(n),
                    Some(Token::Text(t)) => Offer::Text(t),
                    other => return Err(format!("an offer expected, not {other:?}")),
                });
            } else {
                self.cursor.expect_sign("?")?;
                let name = self.cursor.name()?;
                if name == "any" {
                    offers.push(Offer::Anything);
                } else {
                    self.cursor.expect_sign(":")?;
                    self.cursor.expect_word("Int")?;
                    offers.push(Offer::Bind(name));
                }
            }
        }
        Ok(Action::Pattern(gate, offers, more))
    }
}

/// A label: its gate and its values.
pub type Label = (String, Vec<Offer>);

/// Reads a label as CADP prints it.
pub fn label(text: &str) -> Label {
    let mut parts = text.split(" !");
    let gate = parts.next().unwrap_or_default().to_string();
    let value = |part: &str| match part.parse() {
        Ok(number) => Offer::Number(number),
        Err(_) => Offer::Text(part.trim_matches('"').to_string()),
    };
    (gate, parts.map(value).collect())
}

/// A transition system: the transitions of each state. The first state is the initial one.
pub type System = Vec<Vec<(Label, usize)>>;

type Values = BTreeMap<String, i64>;
type Place = (usize, Vec<i64>);

/// Whether the initial state of a system satisfies a query.
pub fn holds(query: &Query, system: &System) -> bool {
    let formula = inline(query, &query.formula, &BTreeMap::new());
    Evaluator { system, known: BTreeMap::new() }
        .holds(&formula, 0, &Values::new(), &mut |name, _| panic!("{name} is not declared"))
}

/// Replaces macros by their bodies.
fn inline(query: &Query, formula: &Formula, arguments: &BTreeMap<String, Formula>) -> Formula {
    let again = |f: &Formula| inline(query, f, arguments);
    match formula {
        Formula::Number(n) => Formula::Number(*n),
        Formula::Name(name, actual) => {
            if actual.is_empty()
                && let Some(value) = arguments.get(name)
            {
                return value.clone();
            }
            let actual: Vec<Formula> = actual.iter().map(again).collect();
            match query.macros.get(name) {
                Some((formal, body)) => {
                    assert_eq!(formal.len(), actual.len(), "{name} has {} parameters", formal.len());
                    inline(query, body, &formal.iter().cloned().zip(actual).collect())
                }
                None => Formula::Name(name.clone(), actual),
            }
        }
        Formula::Not(f) => Formula::Not(Box::new(again(f))),
        Formula::Infix(operator, a, b) => {
            Formula::Infix(operator.clone(), Box::new(again(a)), Box::new(again(b)))
        }
        Formula::Modal(all, action, f) => Formula::Modal(*all, action.clone(), Box::new(again(f))),
        Formula::Fixed { greatest, name, parameters, body } => {
            // What a fixed point declares hides what is outside.
            let mut inner = arguments.clone();
            parameters.iter().for_each(|(name, _)| drop(inner.remove(name)));
            Formula::Fixed {
                greatest: *greatest,
                name: name.clone(),
                parameters: parameters.iter().map(|(name, f)| (name.clone(), again(f))).collect(),
                body: Box::new(inline(query, body, &inner)),
            }
        }
    }
}

struct Evaluator<'a> {
    system: &'a System,
    /// Fixed points that have been computed: by their text, with all places they got to.
    known: BTreeMap<String, BTreeMap<Place, bool>>,
}

type Lookup<'l> = dyn FnMut(&str, Place) -> bool + 'l;

impl Evaluator<'_> {
    fn holds(&mut self, f: &Formula, state: usize, values: &Values, lookup: &mut Lookup<'_>) -> bool {
        match f {
            Formula::Name(name, arguments) => match name.as_str() {
                "true" => true,
                "false" => false,
                _ => {
                    let arguments = arguments.iter().map(|a| number(a, values)).collect();
                    lookup(name, (state, arguments))
                }
            },
            Formula::Number(_) => panic!("a number is no formula"),
            Formula::Not(f) => !self.holds(f, state, values, lookup),
            Formula::Infix(operator, a, b) => match operator.as_str() {
                "and" => self.holds(a, state, values, lookup) && self.holds(b, state, values, lookup),
                "or" => self.holds(a, state, values, lookup) || self.holds(b, state, values, lookup),
                _ => {
                    let (a, b) = (number(a, values), number(b, values));
                    match operator.as_str() {
                        "=" => a == b,
                        "<>" => a != b,
                        "<" => a < b,
                        "<=" => a <= b,
                        ">" => a > b,
                        ">=" => a >= b,
                        other => panic!("{other} gives no truth value"),
                    }
                }
            },
            Formula::Modal(all, action, f) => {
                let system = self.system;
                for (label, target) in &system[state] {
                    let mut inner = values.clone();
                    if fits(action, label, &mut inner) && self.holds(f, *target, &inner, lookup) != *all {
                        return !all;
                    }
                }
                *all
            }
            Formula::Fixed { greatest, name, parameters, body } => {
                let start: Vec<i64> = parameters.iter().map(|(_, e)| number(e, values)).collect();
                let names: Vec<&str> = parameters.iter().map(|(name, _)| name.as_str()).collect();
                self.fixed(*greatest, name, &names, body, (state, start))
            }
        }
    }

    /// A fixed point without free variables: MCL queries here are free of alternation.
    fn fixed(&mut self, greatest: bool, name: &str, names: &[&str], body: &Formula, start: Place) -> bool {
        let text = format!("{greatest} {name} {names:?} {body:?}");
        let mut found = self.known.remove(&text).unwrap_or_default();
        if let Some(&value) = found.get(&start) {
            self.known.insert(text, found);
            return value;
        }
        let mut fresh: BTreeSet<Place> = BTreeSet::from([start.clone()]);
        let mut places: Vec<Place> = vec![start.clone()];
        let mut values: BTreeMap<Place, bool> = BTreeMap::from([(start.clone(), greatest)]);
        loop {
            let mut changed = false;
            let mut at = 0;
            while at < places.len() {
                let place = places[at].clone();
                let parameters: Values =
                    names.iter().map(|n| n.to_string()).zip(place.1.iter().copied()).collect();
                let mut more = vec![];
                let value = self.holds(body, place.0, &parameters, &mut |called, place| {
                    assert_eq!(called, name, "only the fixed point itself is in sight");
                    assert_eq!(place.1.len(), names.len(), "arguments of {name}");
                    match found.get(&place).or_else(|| values.get(&place)) {
                        Some(value) => *value,
                        None => {
                            more.push(place);
                            greatest
                        }
                    }
                });
                for place in more {
                    if fresh.insert(place.clone()) {
                        values.insert(place.clone(), greatest);
                        places.push(place);
                    }
                }
                changed |= values.insert(place, value) != Some(value);
                at += 1;
            }
            if !changed {
                break;
            }
        }
        found.extend(values);
        let value = found[&start];
        self.known.insert(text, found);
        value
    }
}

fn number(f: &Formula, values: &Values) -> i64 {
    match f {
        Formula::Number(n) => *n,
        Formula::Name(name, arguments) if arguments.is_empty() => {
            *values.get(name).unwrap_or_else(|| panic!("{name} is not declared"))
        }
        Formula::Infix(operator, a, b) => {
            let (a, b) = (number(a, values), number(b, values));
            match operator.as_str() {
                "+" => a + b,
                "-" => a - b,
                "*" => a * b,
                other => panic!("{other} gives no number"),
            }
        }
        other => panic!("{other:?} is no number"),
    }
}

fn fits(action: &Action, label: &Label, values: &mut Values) -> bool {
    match action {
        Action::Any => true,
        Action::Not(a) => !fits(a, label, &mut values.clone()),
        Action::Or(a, b) => fits(a, label, values) || fits(b, label, values),
        Action::Pattern(gate, offers, more) => {
            let (name, parts) = label;
            if name != gate || parts.len() < offers.len() || (!more && parts.len() > offers.len()) {
                return false;
            }
            for (offer, part) in offers.iter().zip(parts) {
                match (offer, part) {
                    (Offer::Anything, _) => {}
                    (Offer::Bind(name), Offer::Number(n)) => drop(values.insert(name.clone(), *n)),
                    (Offer::Bind(_), _) => return false,
                    (a, b) if a == b => {}
                    _ => return false,
                }
            }
            true
        }
    }
}
