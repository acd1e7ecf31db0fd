//! What an SMV module means: sorts of expressions, values, and all successors of a state.

use crate::grammar::{Domain, Expr, Module};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    Boolean,
    Integer,
    Symbol,
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    Bool(bool),
    Int(i64),
    Symbol(String),
}

/// The values of all variables, in the order of their declaration.
pub type State = Vec<Value>;

/// A module that was found to be well formed.
pub struct Machine<'a> {
    pub module: &'a Module,
    place: HashMap<&'a str, usize>,
    inputs: HashMap<&'a str, usize>,
    symbols: Vec<&'a str>,
}

impl<'a> Machine<'a> {
    /// Checks names and sorts: every name is declared once, every variable is assigned once, every expression has a sort.
    pub fn new(module: &'a Module) -> Result<Machine<'a>, String> {
        let index = |list: &'a [(String, Domain)]| {
            list.iter().enumerate().map(|(i, (n, _))| (n.as_str(), i)).collect()
        };
        let (place, inputs): (HashMap<&str, usize>, HashMap<&str, usize>) =
            (index(&module.variables), index(&module.inputs));
        let mut all: Vec<&str> =
            module.variables.iter().chain(&module.inputs).map(|(n, _)| n.as_str()).collect();
        all.extend(module.defines.keys().map(String::as_str));
        let mut symbols = vec![];
        for (_, domain) in module.inputs.iter().chain(&module.variables) {
            if let Domain::Symbols(names) = domain {
                symbols.extend(names.iter().map(String::as_str));
            }
        }
        all.extend(&symbols);
        all.sort_unstable();
        if let Some(twice) = all.windows(2).find(|w| w[0] == w[1]) {
            return Err(format!("{} is declared twice", twice[0]));
        }
        let machine = Machine { module, place, inputs, symbols };
        let mut sorts = BTreeMap::new();
        for name in module.defines.keys() {
            machine.define(name, &mut sorts, 0)?;
        }
        for (name, domain) in &module.variables {
            for list in [&module.init, &module.next] {
                let e = list.get(name).ok_or_else(|| format!("{name} is not assigned"))?;
                machine.expect(e, sort_of(domain), &mut sorts)?;
            }
        }
        if module.init.len() != module.variables.len() || module.next.len() != module.variables.len() {
            return Err("something is assigned that is no variable".to_string());
        }
        for e in module.trans.iter().chain(module.specifications.iter().map(|(.., e)| e)) {
            machine.expect(e, Sort::Boolean, &mut sorts)?;
        }
        crate::nusmv::accepted(module)?;
        Ok(machine)
    }

    fn define(&self, name: &str, sorts: &mut BTreeMap<String, Sort>, depth: usize) -> Result<Sort, String> {
        if let Some(sort) = sorts.get(name) {
            return Ok(*sort);
        }
        if depth > self.module.defines.len() {
            return Err(format!("{name} is defined by itself"));
        }
        let sort = self.sort(&self.module.defines[name], sorts, depth + 1)?;
        sorts.insert(name.to_string(), sort);
        Ok(sort)
    }

    fn expect(&self, e: &Expr, sort: Sort, sorts: &mut BTreeMap<String, Sort>) -> Result<(), String> {
        let found = self.sort(e, sorts, 0)?;
        if found == sort { Ok(()) } else { Err(format!("{sort:?} was expected, not {found:?}: {e:?}")) }
    }

    fn sort(&self, e: &Expr, sorts: &mut BTreeMap<String, Sort>, depth: usize) -> Result<Sort, String> {
        let mut need = |e: &Expr, sort: Sort| match self.sort(e, sorts, depth)? {
            found if found == sort => Ok(sort),
            found => Err(format!("{sort:?} was expected, not {found:?}: {e:?}")),
        };
        match e {
            Expr::Bool(_) => Ok(Sort::Boolean),
            Expr::Int(_) => Ok(Sort::Integer),
            Expr::Name(name) => {
                let list = &self.module.variables;
                if let Some(at) = self.place.get(name.as_str()) {
                    Ok(sort_of(&list[*at].1))
                } else if let Some(at) = self.inputs.get(name.as_str()) {
                    Ok(sort_of(&self.module.inputs[*at].1))
                } else if self.symbols.contains(&name.as_str()) {
                    Ok(Sort::Symbol)
                } else if self.module.defines.contains_key(name) {
                    self.define(name, sorts, depth)
                } else {
                    Err(format!("{name} is not declared"))
                }
            }
            Expr::Unary(sign, a) => need(a, if sign == "-" { Sort::Integer } else { Sort::Boolean }),
            Expr::Binary(sign, a, b) => match sign.as_str() {
                "+" | "-" | "*" | "/" | "mod" => {
                    need(a, Sort::Integer)?;
                    need(b, Sort::Integer)
                }
                "<" | ">" | "<=" | ">=" => {
                    need(a, Sort::Integer)?;
                    need(b, Sort::Integer)?;
                    Ok(Sort::Boolean)
                }
                "=" | "!=" => {
                    let left = self.sort(a, sorts, depth)?;
                    let right = self.sort(b, sorts, depth)?;
                    if left == right { Ok(Sort::Boolean) } else { Err(format!("sides differ: {e:?}")) }
                }
                _ => {
                    need(a, Sort::Boolean)?;
                    need(b, Sort::Boolean)
                }
            },
            Expr::Choice(c, a, b) => {
                need(c, Sort::Boolean)?;
                let sort = self.sort(a, sorts, depth)?;
                if self.sort(b, sorts, depth)? == sort {
                    Ok(sort)
                } else {
                    Err(format!("branches differ: {e:?}"))
                }
            }
            Expr::Case(all) => {
                let mut found = None;
                for (c, a) in all {
                    if self.sort(c, sorts, depth)? != Sort::Boolean {
                        return Err(format!("no condition: {c:?}"));
                    }
                    let sort = self.sort(a, sorts, depth)?;
                    if found.replace(sort).is_some_and(|before| before != sort) {
                        return Err("the branches of a case differ".to_string());
                    }
                }
                found.ok_or_else(|| "a case has no branch".to_string())
            }
        }
    }

    /// The initial state; ours has one.
    pub fn initial(&self) -> State {
        let nothing = Here { machine: self, state: &[], inputs: &[], known: RefCell::default() };
        self.module.variables.iter().map(|(name, _)| nothing.value(&self.module.init[name])).collect()
    }

    /// All steps: the value of the first input, and the state after it. Other inputs take all their values where the
    /// first one has the value that `draws` says.
    pub fn successors(&self, state: &State, draws: &dyn Fn(&str) -> bool) -> Vec<(String, State)> {
        let Some((_, Domain::Symbols(steps))) = self.module.inputs.first() else { return vec![] };
        let mut out = vec![];
        for step in steps {
            let mut rows: Vec<Vec<Value>> = vec![vec![Value::Symbol(step.clone())]];
            for (_, domain) in &self.module.inputs[1..] {
                let Domain::Range(lo, hi) = domain else { panic!("an input is no range") };
                let values: Vec<i64> = if draws(step) { (*lo..=*hi).collect() } else { vec![*lo] };
                let extended = |row: &Vec<Value>| {
                    let row = row.clone();
                    values
                        .iter()
                        .map(move |v| [row.clone(), vec![Value::Int(*v)]].concat())
                        .collect::<Vec<_>>()
                };
                rows = rows.iter().flat_map(extended).collect();
            }
            for inputs in rows {
                let here = Here { machine: self, state, inputs: &inputs, known: RefCell::default() };
                if !self.module.trans.iter().all(|e| here.holds(e)) {
                    continue;
                }
                let after = self.module.variables.iter().map(|(name, domain)| {
                    let value = here.value(&self.module.next[name]);
                    assert!(fits(&value, domain), "{name} becomes {value:?} by {step}");
                    value
                });
                out.push((step.clone(), after.collect()));
            }
        }
        out
    }

    /// Whether a condition holds in a state.
    pub fn holds(&self, e: &Expr, state: &State) -> bool {
        Here { machine: self, state, inputs: &[], known: RefCell::default() }.holds(e)
    }
}

fn sort_of(domain: &Domain) -> Sort {
    match domain {
        Domain::Boolean => Sort::Boolean,
        Domain::Range(..) => Sort::Integer,
        Domain::Symbols(_) => Sort::Symbol,
    }
}

fn fits(value: &Value, domain: &Domain) -> bool {
    match (value, domain) {
        (Value::Bool(_), Domain::Boolean) => true,
        (Value::Int(n), Domain::Range(lo, hi)) => lo <= n && n <= hi,
        (Value::Symbol(s), Domain::Symbols(all)) => all.contains(s),
        _ => false,
    }
}

/// A state with inputs; what definitions are there is worked out once.
struct Here<'a> {
    machine: &'a Machine<'a>,
    state: &'a [Value],
    inputs: &'a [Value],
    known: RefCell<HashMap<String, Value>>,
}

impl Here<'_> {
    fn holds(&self, e: &Expr) -> bool {
        match self.value(e) {
            Value::Bool(b) => b,
            other => panic!("{other:?} is no condition"),
        }
    }

    fn number(&self, e: &Expr) -> i64 {
        match self.value(e) {
            Value::Int(n) => n,
            other => panic!("{other:?} is no number"),
        }
    }

    fn value(&self, e: &Expr) -> Value {
        match e {
            Expr::Bool(b) => Value::Bool(*b),
            Expr::Int(n) => Value::Int(*n),
            Expr::Name(name) => self.name(name),
            Expr::Unary(sign, a) if sign == "!" => Value::Bool(!self.holds(a)),
            Expr::Unary(sign, a) if sign == "-" => Value::Int(-self.number(a)),
            Expr::Unary(sign, _) => panic!("{sign} has no value in a state"),
            Expr::Binary(sign, a, b) => match sign.as_str() {
                "&" => Value::Bool(self.holds(a) && self.holds(b)),
                "|" => Value::Bool(self.holds(a) || self.holds(b)),
                "->" => Value::Bool(!self.holds(a) || self.holds(b)),
                "=" => Value::Bool(self.value(a) == self.value(b)),
                "!=" => Value::Bool(self.value(a) != self.value(b)),
                _ => self.arithmetic(sign, self.number(a), self.number(b)),
            },
            Expr::Choice(c, a, b) => self.value(if self.holds(c) { a } else { b }),
            Expr::Case(all) => match all.iter().find(|(c, _)| self.holds(c)) {
                Some((_, e)) => self.value(e),
                None => panic!("no branch of a case applies"),
            },
        }
    }

    fn arithmetic(&self, sign: &str, a: i64, b: i64) -> Value {
        match sign {
            "+" => Value::Int(a + b),
            "-" => Value::Int(a - b),
            "*" => Value::Int(a * b),
            // Versions differ in what these mean for negative numbers, so our files must not depend on it.
            "/" | "mod" => {
                assert!(a >= 0 && b > 0, "{a} {sign} {b}");
                Value::Int(if sign == "/" { a / b } else { a % b })
            }
            "<" => Value::Bool(a < b),
            ">" => Value::Bool(a > b),
            "<=" => Value::Bool(a <= b),
            ">=" => Value::Bool(a >= b),
            other => panic!("{other} has no value in a state"),
        }
    }

    fn name(&self, name: &str) -> Value {
        if let Some(at) = self.machine.place.get(name) {
            return self.state[*at].clone();
        }
        if let Some(at) = self.machine.inputs.get(name) {
            return self.inputs[*at].clone();
        }
        if let Some(e) = self.machine.module.defines.get(name) {
            if let Some(known) = self.known.borrow().get(name) {
                return known.clone();
            }
            let value = self.value(e);
            self.known.borrow_mut().insert(name.to_string(), value.clone());
            return value;
        }
        Value::Symbol(name.to_string())
    }
}
