//! Terms in the syntax of SMT-LIB.
//!
//! A term becomes a value and, where it may be ⊥, a condition that says when it is a number. Every term that is not a leaf gets a
//! name, so that what terms share is written once. All names of a scope end alike, so that the same terms can be written for every
//! state of an execution.

use crate::names::Names;
use crate::system::{Refusal, refuse};
use std::collections::{BTreeSet, HashMap};
use swarmcheck_ir::interval::Bounds;
use swarmcheck_ir::{BinaryOp, UNDEF, UnaryOp, Value, cancel};
use swarmcheck_steps::execute::Step;
use swarmcheck_steps::terms::{Node, TermId, Terms};

/// A cell of the state.
#[derive(Clone, Debug)]
pub enum Cell {
    /// It never changes.
    Constant(Value),
    /// It does, and may be ⊥.
    Variable { name: String, undefined: bool },
}

/// A variable of the system: its name without bars, and its sort.
#[derive(Clone, Debug)]
pub struct Variable {
    pub slot: u32,
    pub name: String,
    pub sort: &'static str,
}

/// Everything that formulas are made of.
pub struct Text {
    terms: Terms,
    choices: Vec<Vec<Value>>,
    cells: Vec<Cell>,
    /// The values that each cell can hold.
    bounds: Vec<Bounds>,
}

impl Text {
    pub fn new(
        terms: Terms,
        choices: Vec<Vec<Value>>,
        initial: &Step,
        steps: &[(String, Step)],
        names: Vec<String>,
        bounds: &[Bounds],
    ) -> Text {
        let written: BTreeSet<u32> =
            steps.iter().flat_map(|(_, step)| step.updates.iter().map(|(slot, _)| *slot)).collect();
        let begins: HashMap<u32, Option<Value>> =
            initial.updates.iter().map(|(slot, term)| (*slot, terms.value(*term))).collect();
        let mut fresh = Names::new();
        let cell = |(slot, name): (u32, String)| match begins.get(&slot).copied().flatten() {
            Some(value) if !written.contains(&slot) => Cell::Constant(value),
            _ => Cell::Variable { name: fresh.fresh(&name), undefined: bounds[slot as usize].undef },
        };
        let cells = (0..).zip(names).map(cell).collect();
        Text { terms, choices, cells, bounds: bounds.to_vec() }
    }

    /// The variables of a state; a cell that may be ⊥ has two.
    pub fn variables(&self) -> Vec<Variable> {
        let mut out = vec![];
        for (slot, cell) in (0..).zip(&self.cells) {
            let Cell::Variable { name, undefined } = cell else { continue };
            out.push(Variable { slot, name: name.clone(), sort: "Int" });
            if *undefined {
                out.push(Variable { slot, name: defined(name), sort: "Bool" });
            }
        }
        out
    }

    /// The choices that terms depend on.
    pub fn choices<'a>(&self, terms: impl IntoIterator<Item = &'a TermId>) -> BTreeSet<u32> {
        terms.into_iter().flat_map(|term| self.terms.choices(*term)).collect()
    }

    /// The smallest and the largest number that a cell can hold, if it has a range.
    pub fn bounds(&self, slot: u32) -> Option<(i128, i128)> {
        let bounds = self.bounds.get(slot as usize)?;
        let ranged = !bounds.is_empty() && bounds.lo > Bounds::ANY.lo && bounds.hi < Bounds::ANY.hi;
        ranged.then_some((bounds.lo, bounds.hi))
    }

    /// The value of a term that is a constant.
    pub fn value(&self, term: TermId) -> Option<Value> {
        self.terms.value(term)
    }

    /// The constant value of a cell that is no variable.
    pub fn constant(&self, slot: u32) -> Option<Value> {
        match self.cells.get(slot as usize) {
            Some(Cell::Constant(value)) => Some(*value),
            _ => None,
        }
    }

    /// That a choice, whose name has this ending, has one of its values.
    pub fn domain(&self, choice: u32, ending: &str) -> String {
        let (values, name) = (&self.choices[choice as usize], chosen(choice) + ending);
        let (first, last) = (values.first().copied().unwrap_or(0), values.last().copied().unwrap_or(0));
        match last.wrapping_sub(first) == values.len() as Value - 1 && values.is_sorted() {
            true => format!("(<= {} {name} {})", number(first), number(last)),
            false => any(values.iter().map(|value| format!("(= {name} {})", number(*value))).collect()),
        }
    }

    /// The definitions of terms, in which all names end like this.
    pub fn scope(&self, ending: &str) -> Scope<'_> {
        Scope { text: self, ending: ending.to_string(), known: HashMap::new(), lines: vec![] }
    }
}

/// The name of a choice.
pub fn chosen(choice: u32) -> String {
    format!("choice{choice}")
}

fn defined(name: &str) -> String {
    format!("{name} is defined")
}

/// A name that may have spaces.
pub fn quoted(name: &str) -> String {
    format!("|{name}|")
}

/// A number.
pub fn number(value: Value) -> String {
    if value < 0 { format!("(- {})", i128::from(value).abs()) } else { value.to_string() }
}

fn joined(operator: &str, neutral: &str, parts: Vec<String>) -> String {
    match &parts[..] {
        [] => neutral.to_string(),
        [one] => one.clone(),
        _ => format!("({operator} {})", parts.join(" ")),
    }
}

/// All of these.
pub fn all(parts: Vec<String>) -> String {
    joined("and", "true", parts)
}

/// One of these.
pub fn any(parts: Vec<String>) -> String {
    joined("or", "false", parts)
}

/// A term in SMT-LIB.
#[derive(Clone, Debug)]
pub struct Coded {
    text: String,
    /// It is a condition, not a number.
    condition: bool,
    /// When it is not ⊥, unless that is always.
    defined: Option<String>,
}

impl Coded {
    fn condition(text: String) -> Coded {
        Coded { text, condition: true, defined: None }
    }

    fn number(text: String) -> Coded {
        Coded { text, condition: false, defined: None }
    }

    /// Whether it is not 0; ⊥ is not.
    pub fn truth(&self) -> String {
        if self.condition {
            return self.text.clone();
        }
        let not_zero = match self.text.as_str() {
            "0" => "false".to_string(),
            "1" => "true".to_string(),
            text => format!("(not (= {text} 0))"),
        };
        match &self.defined {
            None => not_zero,
            Some(defined) => format!("(or (not {defined}) {not_zero})"),
        }
    }

    /// Its value as a number.
    pub fn value(&self) -> String {
        if self.condition { format!("(ite {} 1 0)", self.text) } else { self.text.clone() }
    }

    /// When it is not ⊥.
    pub fn is_defined(&self) -> String {
        self.defined.clone().unwrap_or_else(|| "true".to_string())
    }
}

/// Terms with their names, each after what it is made of.
pub struct Scope<'t> {
    text: &'t Text,
    ending: String,
    known: HashMap<TermId, Coded>,
    /// Name, sort and definition.
    pub lines: Vec<(String, &'static str, String)>,
}

impl Scope<'_> {
    /// What all names end with.
    pub fn ending(&self) -> &str {
        &self.ending
    }

    /// A term, which is defined before it is used.
    pub fn term(&mut self, term: TermId) -> Result<Coded, Refusal> {
        if let Some(known) = self.known.get(&term) {
            return Ok(known.clone());
        }
        let mut coded = self.coded(term)?;
        if !self.text.terms.below(term).is_empty() {
            let sort = if coded.condition { "Bool" } else { "Int" };
            coded.text = self.named(&format!("t{term}"), sort, coded.text);
            coded.defined = coded.defined.map(|defined| self.named(&format!("d{term}"), "Bool", defined));
        }
        self.known.insert(term, coded.clone());
        Ok(coded)
    }

    fn named(&mut self, name: &str, sort: &'static str, text: String) -> String {
        let name = format!("{name}{}", self.ending);
        self.lines.push((name.clone(), sort, text));
        name
    }

    fn coded(&mut self, term: TermId) -> Result<Coded, Refusal> {
        cancel::check();
        let text = self.text;
        Ok(match text.terms.node(term) {
            Node::Const(UNDEF) => {
                Coded { defined: Some("false".to_string()), ..Coded::number("0".to_string()) }
            }
            Node::Const(value) => Coded::number(number(*value)),
            Node::Slot(slot) => match &text.cells[*slot as usize] {
                Cell::Constant(UNDEF) => {
                    Coded { defined: Some("false".to_string()), ..Coded::number("0".to_string()) }
                }
                Cell::Constant(value) => Coded::number(number(*value)),
                Cell::Variable { name, undefined } => {
                    let named = |name: &str| quoted(&format!("{name}{}", self.ending));
                    let is_defined = undefined.then(|| named(&defined(name)));
                    Coded { defined: is_defined, ..Coded::number(named(name)) }
                }
            },
            Node::Choice(choice) => {
                let name = chosen(*choice) + &self.ending;
                let undefined = text.choices[*choice as usize].contains(&UNDEF);
                let defined = undefined.then(|| format!("(not (= {name} {}))", number(UNDEF)));
                Coded { defined, ..Coded::number(name) }
            }
            Node::Field(_) => return refuse("a step of several processes cannot be expressed"),
            Node::Unary(op, a) => {
                let a = self.term(*a)?;
                match op {
                    UnaryOp::Not => Coded::condition(format!("(not {})", a.truth())),
                    UnaryOp::Neg => {
                        Coded { defined: a.defined.clone(), ..Coded::number(format!("(- {})", a.value())) }
                    }
                    UnaryOp::Abs => {
                        let value = a.value();
                        let absolute = format!("(ite (< {value} 0) (- {value}) {value})");
                        Coded { defined: a.defined, ..Coded::number(absolute) }
                    }
                }
            }
            Node::Binary(op, a, b) => return self.binary(*op, *a, *b),
            Node::And(parts) => Coded::condition(all(self.truths(parts)?)),
            Node::Or(parts) => Coded::condition(any(self.truths(parts)?)),
            Node::If(c, a, b) => {
                let (c, a, b) = (self.term(*c)?.truth(), self.term(*a)?, self.term(*b)?);
                let defined = (a.defined.is_some() || b.defined.is_some())
                    .then(|| format!("(ite {c} {} {})", a.is_defined(), b.is_defined()));
                Coded { defined, ..Coded::number(format!("(ite {c} {} {})", a.value(), b.value())) }
            }
            Node::Defined(a) => Coded::condition(self.term(*a)?.is_defined()),
            Node::Count(parts) => {
                let mut counted = vec![];
                for part in parts {
                    let part = self.term(*part)?;
                    let one = match (&part.defined, part.condition) {
                        (_, true) => part.text,
                        (None, _) => format!("(= {} 1)", part.value()),
                        (Some(defined), _) => format!("(and {defined} (= {} 1))", part.value()),
                    };
                    counted.push(format!("(ite {one} 1 0)"));
                }
                Coded::number(joined("+", "0", counted))
            }
            Node::Rank(at, parts) => return self.rank(*at as usize, parts),
        })
    }

    fn truths(&mut self, parts: &[TermId]) -> Result<Vec<String>, Refusal> {
        parts.iter().map(|part| Ok(self.term(*part)?.truth())).collect()
    }

    /// How many different values are smaller: the first of equal ones counts.
    fn rank(&mut self, at: usize, parts: &[TermId]) -> Result<Coded, Refusal> {
        let parts: Vec<Coded> = parts.iter().map(|part| self.term(*part)).collect::<Result<_, _>>()?;
        if parts.iter().any(|part| part.defined.is_some()) {
            return refuse("a rank among values that may be undefined cannot be expressed");
        }
        let own = parts[at].value();
        let mut smaller = vec![];
        for (number, part) in parts.iter().enumerate() {
            let value = part.value();
            let earlier = parts[..number].iter().map(|other| format!("(not (= {} {value}))", other.value()));
            let first = [format!("(< {value} {own})")].into_iter().chain(earlier).collect();
            smaller.push(format!("(ite {} 1 0)", all(first)));
        }
        Ok(Coded::number(joined("+", "0", smaller)))
    }

    fn binary(&mut self, op: BinaryOp, a: TermId, b: TermId) -> Result<Coded, Refusal> {
        let divisor = self.text.terms.value(b).filter(|value| *value != UNDEF);
        let constant = divisor.is_some() || self.text.terms.value(a).is_some();
        let (a, b) = (self.term(a)?, self.term(b)?);
        let (x, y) = (a.value(), b.value());
        let both: Vec<String> = [&a, &b].into_iter().filter_map(|side| side.defined.clone()).collect();
        let compared = |operator: &str| {
            let mut parts = both.clone();
            parts.push(format!("({operator} {x} {y})"));
            Ok(Coded::condition(all(parts)))
        };
        let value = match op {
            BinaryOp::Add => format!("(+ {x} {y})"),
            BinaryOp::Sub => format!("(- {x} {y})"),
            BinaryOp::Mul if constant => format!("(* {x} {y})"),
            BinaryOp::Mul => return refuse("a product of two variables is not linear"),
            BinaryOp::Min => format!("(ite (< {x} {y}) {x} {y})"),
            BinaryOp::Max => format!("(ite (> {x} {y}) {x} {y})"),
            BinaryOp::Div | BinaryOp::Mod | BinaryOp::Round => match divisor {
                Some(0) => {
                    return Ok(Coded {
                        defined: Some("false".to_string()),
                        ..Coded::number("0".to_string())
                    });
                }
                Some(divisor) => divided(op, &x, divisor),
                None => return refuse("a division by something that is not a constant is not linear"),
            },
            BinaryOp::Eq => return compared("="),
            BinaryOp::Ne => return compared("distinct"),
            BinaryOp::Lt => return compared("<"),
            BinaryOp::Le => return compared("<="),
            BinaryOp::Gt => return compared(">"),
            BinaryOp::Ge => return compared(">="),
            BinaryOp::And => return Ok(Coded::condition(all(vec![a.truth(), b.truth()]))),
            BinaryOp::Or => return Ok(Coded::condition(any(vec![a.truth(), b.truth()]))),
        };
        let defined = (!both.is_empty()).then(|| all(both));
        Ok(Coded { defined, ..Coded::number(value) })
    }
}

/// Division by a constant, which is not 0. `div` and `mod` of SMT-LIB leave a rest that is not negative; `Div` cuts off and
/// `Round` goes to the nearest number, halves away from zero.
fn divided(op: BinaryOp, x: &str, divisor: Value) -> String {
    let by = number(divisor.saturating_abs());
    let sign = |text: String| if divisor < 0 { format!("(- {text})") } else { text };
    match op {
        BinaryOp::Mod => format!("(mod {x} {by})"),
        BinaryOp::Round => {
            let twice = number(divisor.saturating_abs().saturating_mul(2));
            let near = |x: &str| format!("(div (+ (* 2 {x}) {by}) {twice})");
            sign(format!("(ite (>= {x} 0) {} (- {}))", near(x), near(&format!("(- {x})"))))
        }
        _ => sign(format!("(ite (>= {x} 0) (div {x} {by}) (- (div (- {x}) {by})))")),
    }
}
