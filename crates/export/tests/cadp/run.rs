//! Runs LNT programs: all ways through a sequential main process, one step after the other.
//!
//! A way is followed with a list of decisions, as the emulation programs themselves are: wherever there is a choice the
//! next decision says which branch is taken, and all lists are gone through.

use crate::syntax::{Actual, Expr, Mode, Module, Offer, Routine, Statement, Type};
use std::collections::{BTreeMap, BTreeSet};
use swarmcheck_ir::flat::{Chooser, Enumerate};

/// A value. Numbers, truth values and enumerated values are numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    Number(i64),
    Text(String),
    Cells(Vec<i64>),
}

/// The variables of a process.
pub type Store = BTreeMap<String, Value>;

/// A label: the gate and what was offered, printed as CADP does.
pub type Label = String;

/// How a statement ended.
enum Flow {
    Next,
    Break(String),
    Return(Value),
}

/// Why it did not.
#[derive(Debug)]
pub enum Halt {
    /// No step this way.
    Blocked,
    /// A run-time error.
    Error(String),
    /// A component of a parallel program must decide between this many branches.
    Decide(usize),
    /// A component of a parallel program wants to meet others at a gate.
    Meet(Meeting),
}

/// What a component offers at a gate.
#[derive(Clone, Debug)]
pub struct Meeting {
    /// The gate, as the component's own process calls it.
    pub gate: String,
    /// Values, or the names of variables that receive one.
    pub offers: Vec<Result<Value, String>>,
    /// What must hold of what is received.
    pub condition: Option<Expr>,
    /// The variables at this point.
    pub frame: Store,
}

/// What a component has done since the state it started from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Done {
    /// It took a branch.
    Took(usize),
    /// It met others; these values were exchanged.
    Met(Vec<Value>),
}

/// A program that can be run.
pub struct Machine<'a> {
    module: &'a Module,
    constants: BTreeMap<String, i64>,
    sizes: BTreeMap<String, usize>,
}

/// One way through a block.
struct Way<'c> {
    chooser: &'c mut Enumerate,
    labels: Vec<Label>,
    /// For components of parallel programs: what they have done already, and how much of it has been repeated.
    history: Option<(&'c [Done], usize)>,
    /// What the gates of the current process are called outside.
    gates: BTreeMap<String, String>,
}

type Ran<T> = Result<T, Halt>;

impl<'a> Machine<'a> {
    /// Prepares a module.
    pub fn new(module: &'a Module) -> Machine<'a> {
        let mut constants = BTreeMap::from([("true".to_string(), 1), ("false".to_string(), 0)]);
        let mut sizes = BTreeMap::new();
        for definition in &module.types {
            match definition {
                Type::Enumeration(_, values) => {
                    constants.extend(values.iter().enumerate().map(|(i, v)| (v.clone(), i as i64)));
                }
                Type::Array(name, _, high, _) => {
                    sizes.insert(name.clone(), *high as usize + 1);
                }
            }
        }
        Machine { module, constants, sizes }
    }

    /// The variables of the main process: what its states are made of.
    fn variables(&self) -> BTreeSet<&'a str> {
        let main = self.module.processes.iter().find(|p| p.name == "main").expect("MAIN");
        match main.body.as_slice() {
            [Statement::Var(declared, _)] => declared.iter().map(|(name, _)| name.as_str()).collect(),
            _ => BTreeSet::new(),
        }
    }

    /// The body of the main process: what comes before its loop, and the loop.
    fn main(&self) -> (&'a [Statement], &'a [Statement]) {
        let main = self.module.processes.iter().find(|p| p.name == "main").expect("MAIN");
        let body = match main.body.as_slice() {
            [Statement::Var(_, body)] => body,
            body => body,
        };
        let (last, before) = body.split_last().expect("a body");
        match last {
            Statement::Loop(None, steps) => (before, steps),
            Statement::Stop => (before, std::slice::from_ref(last)),
            other => panic!("MAIN ends with {other:?}"),
        }
    }

    /// All initial states, each with the labels on the way.
    pub fn initial(&self) -> Vec<(Vec<Label>, Store)> {
        self.all(&Store::new(), self.main().0)
    }

    /// All steps from a state.
    pub fn steps(&self, store: &Store) -> Vec<(Vec<Label>, Store)> {
        self.all(store, self.main().1)
    }

    fn all(&self, store: &Store, block: &[Statement]) -> Vec<(Vec<Label>, Store)> {
        let mut chooser = Enumerate::default();
        let mut out = BTreeSet::new();
        let variables = self.variables();
        loop {
            let mut way =
                Way { chooser: &mut chooser, labels: vec![], history: None, gates: BTreeMap::new() };
            let mut frame = store.clone();
            match self.block(&mut frame, block, &mut way) {
                Ok(Flow::Next) => {
                    // What a step used for itself is no part of the state.
                    frame.retain(|name, _| variables.contains(name.as_str()));
                    out.insert((way.labels, frame));
                }
                Ok(_) => panic!("a loop or a function is left that was never entered"),
                Err(Halt::Blocked) => assert!(way.labels.is_empty(), "a step stops half-way"),
                Err(other) => panic!("{other:?}"),
            }
            if !chooser.advance() {
                return out.into_iter().collect();
            }
        }
    }

    fn block(&self, frame: &mut Store, block: &[Statement], way: &mut Way<'_>) -> Ran<Flow> {
        for statement in block {
            match self.statement(frame, statement, way)? {
                Flow::Next => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&self, frame: &mut Store, statement: &Statement, way: &mut Way<'_>) -> Ran<Flow> {
        match statement {
            Statement::Null => {}
            Statement::Stop => return Err(Halt::Blocked),
            Statement::Return(e) => return Ok(Flow::Return(self.value(frame, e)?)),
            Statement::Assert(e) => {
                if self.number(frame, e)? == 0 {
                    return Err(Halt::Error(format!("assertion {e:?}")));
                }
            }
            Statement::Var(_, body) => return self.block(frame, body, way),
            Statement::If(ways, otherwise) => {
                for (condition, body) in ways {
                    if self.number(frame, condition)? != 0 {
                        return self.block(frame, body, way);
                    }
                }
                if let Some(body) = otherwise {
                    return self.block(frame, body, way);
                }
            }
            Statement::OnlyIf(condition, body) => {
                if self.number(frame, condition)? == 0 {
                    return Err(Halt::Blocked);
                }
                return self.block(frame, body, way);
            }
            Statement::Select(ways) => {
                let chosen = match (ways.len(), &mut way.history) {
                    (1, _) => 0,
                    (n, None) => way.chooser.choose(n as u64) as usize,
                    (n, Some((history, at))) => match history.get(*at) {
                        Some(Done::Took(branch)) => {
                            *at += 1;
                            *branch
                        }
                        None => return Err(Halt::Decide(n)),
                        Some(other) => return Err(Halt::Error(format!("{other:?} instead of a decision"))),
                    },
                };
                return self.block(frame, &ways[chosen], way);
            }
            Statement::Loop(label, body) => loop {
                match self.block(frame, body, way)? {
                    Flow::Next => {}
                    Flow::Break(out) if Some(&out) == label.as_ref() => break,
                    other => return Ok(other),
                }
            },
            Statement::For(start, condition, next, body) => {
                self.statement(frame, start, way)?;
                while self.number(frame, condition)? != 0 {
                    match self.block(frame, body, way)? {
                        Flow::Next => {}
                        other => return Ok(other),
                    }
                    self.statement(frame, next, way)?;
                }
            }
            Statement::Break(label) => return Ok(Flow::Break(label.clone())),
            Statement::Assign(name, e) => {
                let value = self.value(frame, e)?;
                frame.insert(name.clone(), value);
            }
            Statement::AssignCell(name, index, e) => {
                let (index, value) = (self.number(frame, index)?, self.number(frame, e)?);
                let Some(Value::Cells(cells)) = frame.get_mut(name) else {
                    return Err(Halt::Error(format!("{name} has no value yet")));
                };
                let cell = usize::try_from(index).ok().and_then(|i| cells.get_mut(i));
                *cell.ok_or_else(|| Halt::Error(format!("{name}[{index}]")))? = value;
            }
            Statement::Eval(name, actuals) => {
                let f = self.module.functions.iter().find(|f| f.name == *name).expect("checked");
                self.routine(frame, f, actuals, way)?;
            }
            Statement::Call(name, gates, actuals) => {
                let p = self.module.processes.iter().find(|p| p.name == *name).expect("checked");
                let outside = |gate: &String| way.gates.get(gate).unwrap_or(gate).clone();
                let inner =
                    p.gates.iter().zip(gates).map(|((formal, _), g)| (formal.clone(), outside(g))).collect();
                let before = std::mem::replace(&mut way.gates, inner);
                self.routine(frame, p, actuals, way)?;
                way.gates = before;
            }
            Statement::Action(gate, offers, condition) if way.history.is_some() => {
                self.meet(frame, way, gate, offers, condition.as_ref())?;
            }
            Statement::Action(gate, offers, _) => {
                let mut label = gate.to_uppercase();
                for offer in offers {
                    let Offer::Send(e) = offer else {
                        return Err(Halt::Error("a sequential program receives".to_string()));
                    };
                    label += " !";
                    label += &match self.value(frame, e)? {
                        Value::Number(n) => n.to_string(),
                        Value::Text(t) => format!("\"{t}\""),
                        Value::Cells(cells) => format!("{cells:?}"),
                    };
                }
                way.labels.push(label);
            }
            Statement::Par(..) | Statement::Hide(..) => {
                return Err(Halt::Error("a sequential program has parallel parts".to_string()));
            }
        }
        Ok(Flow::Next)
    }

    /// An action of a component: repeated if it has happened already, otherwise offered.
    fn meet(
        &self,
        frame: &mut Store,
        way: &mut Way<'_>,
        gate: &str,
        offers: &[Offer],
        condition: Option<&Expr>,
    ) -> Ran<()> {
        let gate = way.gates.get(gate).map_or(gate, String::as_str).to_string();
        let Some((history, at)) = &mut way.history else {
            return Err(Halt::Error("nobody to meet".to_string()));
        };
        match history.get(*at) {
            Some(Done::Met(values)) => {
                *at += 1;
                for (offer, value) in offers.iter().zip(values) {
                    if let Offer::Receive(name) = offer {
                        frame.insert(name.clone(), value.clone());
                    }
                }
                Ok(())
            }
            Some(other) => Err(Halt::Error(format!("{other:?} instead of a meeting"))),
            None => {
                let offers = offers.iter().map(|offer| match offer {
                    Offer::Send(e) => Ok(Ok(self.value(frame, e)?)),
                    Offer::Receive(name) => Ok(Err(name.clone())),
                });
                let offers = offers.collect::<Ran<Vec<_>>>()?;
                Err(Halt::Meet(Meeting { gate, offers, condition: condition.cloned(), frame: frame.clone() }))
            }
        }
    }

    /// Runs a block of a component from a state, repeating what it has done. `Ok`: it came to the end of the block.
    pub fn component(
        &self,
        store: &Store,
        gates: &BTreeMap<String, String>,
        block: &[Statement],
        history: &[Done],
    ) -> Ran<Store> {
        let mut chooser = Enumerate::default();
        let mut way =
            Way { chooser: &mut chooser, labels: vec![], history: Some((history, 0)), gates: gates.clone() };
        let mut frame = store.clone();
        match self.block(&mut frame, block, &mut way)? {
            Flow::Next => Ok(frame),
            _ => Err(Halt::Error("a component leaves a loop".to_string())),
        }
    }

    fn routine(
        &self,
        frame: &mut Store,
        routine: &Routine,
        actuals: &[Actual],
        way: &mut Way<'_>,
    ) -> Ran<()> {
        let mut inner = Store::new();
        for (formal, actual) in routine.parameters.iter().zip(actuals) {
            let value = match actual {
                Actual::In(e) => self.value(frame, e)?,
                Actual::InOut(name) => self.value(frame, &Expr::Name(name.clone()))?,
                Actual::Out(_) => continue,
            };
            inner.insert(formal.name.clone(), value);
        }
        self.block(&mut inner, &routine.body, way)?;
        for (formal, actual) in routine.parameters.iter().zip(actuals) {
            if let (Mode::Out | Mode::InOut, Actual::Out(name) | Actual::InOut(name)) = (formal.mode, actual)
            {
                let value = inner.remove(&formal.name);
                frame.insert(name.clone(), value.ok_or_else(|| Halt::Error("an empty result".to_string()))?);
            }
        }
        Ok(())
    }

    /// The value of an expression that must be a number.
    pub fn number(&self, frame: &Store, e: &Expr) -> Ran<i64> {
        match self.value(frame, e)? {
            Value::Number(n) => Ok(n),
            other => Err(Halt::Error(format!("{other:?} is no number"))),
        }
    }

    fn value(&self, frame: &Store, e: &Expr) -> Ran<Value> {
        let number = |e: &Expr| self.number(frame, e);
        let result = match e {
            Expr::Number(n) => *n,
            Expr::Text(text) => return Ok(Value::Text(text.clone())),
            Expr::Name(name) => {
                if let Some(value) = frame.get(name) {
                    return Ok(value.clone());
                }
                match self.constants.get(name) {
                    Some(value) => *value,
                    None => return self.function(frame, name, &[]),
                }
            }
            Expr::Cell(name, index) => {
                let index = number(index)?;
                let Some(Value::Cells(cells)) = frame.get(name) else {
                    return Err(Halt::Error(format!("{name} has no value yet")));
                };
                let cell = usize::try_from(index).ok().and_then(|i| cells.get(i));
                *cell.ok_or_else(|| Halt::Error(format!("{name}[{index}]")))?
            }
            Expr::Minus(e) => -number(e)?,
            Expr::Not(e) => i64::from(number(e)? == 0),
            Expr::Infix(operator, a, b) => self.infix(frame, operator, a, b)?,
            Expr::Call(name, arguments) => match (name.as_str(), arguments.as_slice()) {
                ("nattoint", [e]) => number(e)?,
                ("inttonat", [e]) => match number(e)? {
                    n if n >= 0 => n,
                    n => return Err(Halt::Error(format!("{n} is not natural"))),
                },
                ("abs", [e]) => number(e)?.abs(),
                ("min", [a, b]) => number(a)?.min(number(b)?),
                ("max", [a, b]) => number(a)?.max(number(b)?),
                (name, [value]) if self.sizes.contains_key(name) => {
                    return Ok(Value::Cells(vec![number(value)?; self.sizes[name]]));
                }
                (name, arguments) => return self.function(frame, name, arguments),
            },
        };
        Ok(Value::Number(result))
    }

    fn function(&self, frame: &Store, name: &str, arguments: &[Expr]) -> Ran<Value> {
        let Some(f) = self.module.functions.iter().find(|f| f.name == name) else {
            return Err(Halt::Error(format!("{name} has no value yet")));
        };
        let mut inner = Store::new();
        for (formal, actual) in f.parameters.iter().zip(arguments) {
            inner.insert(formal.name.clone(), self.value(frame, actual)?);
        }
        let mut chooser = Enumerate::default();
        let mut way = Way { chooser: &mut chooser, labels: vec![], history: None, gates: BTreeMap::new() };
        match self.block(&mut inner, &f.body, &mut way)? {
            Flow::Return(value) => Ok(value),
            _ => Err(Halt::Error(format!("{name} returns nothing"))),
        }
    }

    fn infix(&self, frame: &Store, operator: &str, a: &Expr, b: &Expr) -> Ran<i64> {
        let left = self.number(frame, a)?;
        match operator {
            "and_then" if left == 0 => return Ok(0),
            "or_else" if left != 0 => return Ok(1),
            _ => {}
        }
        let right = self.number(frame, b)?;
        Ok(match operator {
            "and" | "and_then" => i64::from(left != 0 && right != 0),
            "or" | "or_else" => i64::from(left != 0 || right != 0),
            "==" => i64::from(left == right),
            "<>" => i64::from(left != right),
            "<" => i64::from(left < right),
            "<=" => i64::from(left <= right),
            ">" => i64::from(left > right),
            ">=" => i64::from(left >= right),
            "+" => left + right,
            "-" => left - right,
            "*" => left * right,
            "div" if right > 0 && left >= 0 => left / right,
            "div" => return Err(Halt::Error("a division that is not of natural numbers".to_string())),
            other => return Err(Halt::Error(format!("operator {other}"))),
        })
    }
}
