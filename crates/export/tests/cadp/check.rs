//! Static checks of an LNT module: everything declared once, every type right, every call with the right gates and
//! parameters, every action with a profile of its channel. Literals have the type that their context needs; where there
//! is no context they are ambiguous, which is an error.

use crate::syntax::{Actual, Expr, Mode, Module, Offer, Routine, Statement, Type};
use std::collections::{BTreeMap, BTreeSet};

type Checked<T> = Result<T, String>;
type Variables = BTreeMap<String, String>;

pub fn check(module: &Module) -> Checked<()> {
    let mut checker =
        Checker { module, arrays: BTreeMap::new(), values: BTreeMap::new(), types: BTreeSet::new() };
    for name in ["int", "nat", "bool", "string"] {
        checker.types.insert(name.to_string());
    }
    for definition in &module.types {
        let (Type::Array(name, ..) | Type::Enumeration(name, _)) = definition;
        if !checker.types.insert(name.clone()) {
            return Err(format!("type {name} twice"));
        }
        match definition {
            Type::Array(name, low, high, element) => {
                if *low != 0 || high < low || !checker.types.contains(element) {
                    return Err(format!("array {name}"));
                }
                checker.arrays.insert(name.clone(), element.clone());
            }
            Type::Enumeration(name, values) => {
                for value in values {
                    if checker.values.insert(value.clone(), name.clone()).is_some() {
                        return Err(format!("value {value} twice"));
                    }
                }
            }
        }
    }
    for (name, profiles) in &module.channels {
        for kind in profiles.iter().flatten() {
            checker.known(kind).map_err(|e| format!("channel {name}: {e}"))?;
        }
    }
    let mut routines = BTreeSet::new();
    for routine in module.functions.iter().chain(&module.processes) {
        if !routines.insert(&routine.name) {
            return Err(format!("{} twice", routine.name));
        }
        checker.routine(routine).map_err(|e| format!("{}: {e}", routine.name))?;
    }
    match module.processes.iter().find(|p| p.name == "main") {
        Some(main) if main.parameters.is_empty() => Ok(()),
        _ => Err("no process MAIN without parameters".to_string()),
    }
}

struct Checker<'a> {
    module: &'a Module,
    arrays: BTreeMap<String, String>,
    values: BTreeMap<String, String>,
    types: BTreeSet<String>,
}

/// What is visible in a routine.
#[derive(Clone)]
struct Scope<'a> {
    gates: BTreeMap<String, String>,
    variables: Variables,
    loops: Vec<String>,
    routine: &'a Routine,
    is_process: bool,
}

impl<'a> Checker<'a> {
    fn known(&self, kind: &str) -> Checked<()> {
        if self.types.contains(kind) { Ok(()) } else { Err(format!("unknown type {kind}")) }
    }

    fn routine(&self, routine: &'a Routine) -> Checked<()> {
        let is_process = self.module.processes.iter().any(|p| std::ptr::eq(p, routine));
        let mut scope =
            Scope { gates: BTreeMap::new(), variables: BTreeMap::new(), loops: vec![], routine, is_process };
        for (gate, channel) in &routine.gates {
            self.gate(&mut scope, gate, channel)?;
        }
        for parameter in &routine.parameters {
            self.known(&parameter.kind)?;
            if scope.variables.insert(parameter.name.clone(), parameter.kind.clone()).is_some() {
                return Err(format!("parameter {} twice", parameter.name));
            }
        }
        if let Some(result) = &routine.result {
            self.known(result)?;
            if !returns(&routine.body) {
                return Err("a way without `return`".to_string());
            }
        }
        self.block(&scope, &routine.body)
    }

    fn gate(&self, scope: &mut Scope<'a>, gate: &str, channel: &str) -> Checked<()> {
        if channel != "none" && !self.module.channels.iter().any(|(name, _)| name == channel) {
            return Err(format!("unknown channel {channel}"));
        }
        match scope.gates.insert(gate.to_string(), channel.to_string()) {
            None => Ok(()),
            Some(_) => Err(format!("gate {gate} twice")),
        }
    }

    fn block(&self, scope: &Scope<'a>, block: &[Statement]) -> Checked<()> {
        block.iter().try_for_each(|s| self.statement(scope, s))
    }

    fn variable<'b>(&self, scope: &'b Scope<'_>, name: &str) -> Checked<&'b str> {
        scope.variables.get(name).map(String::as_str).ok_or_else(|| format!("`{name}` is not declared"))
    }

    fn statement(&self, scope: &Scope<'a>, statement: &Statement) -> Checked<()> {
        match statement {
            Statement::Null => Ok(()),
            Statement::Stop if scope.is_process => Ok(()),
            Statement::Stop => Err("`stop` in a function".to_string()),
            Statement::Return(e) => match &scope.routine.result {
                Some(kind) => self.expect(scope, e, kind),
                None => Err("`return` without a result".to_string()),
            },
            Statement::Assert(e) => self.expect(scope, e, "bool"),
            Statement::Var(declared, body) => {
                let mut inner = scope.clone();
                for (name, kind) in declared {
                    self.known(kind)?;
                    if inner.variables.insert(name.clone(), kind.clone()).is_some() {
                        return Err(format!("variable {name} hides another one"));
                    }
                }
                self.block(&inner, body)
            }
            Statement::If(ways, otherwise) => {
                for (condition, body) in ways {
                    self.expect(scope, condition, "bool")?;
                    self.block(scope, body)?;
                }
                otherwise.iter().try_for_each(|b| self.block(scope, b))
            }
            Statement::OnlyIf(condition, body) if scope.is_process => {
                self.expect(scope, condition, "bool")?;
                self.block(scope, body)
            }
            Statement::Select(ways) if scope.is_process => ways.iter().try_for_each(|w| self.block(scope, w)),
            Statement::OnlyIf(..) | Statement::Select(_) => Err("a choice in a function".to_string()),
            Statement::Loop(label, body) => {
                let mut inner = scope.clone();
                inner.loops.extend(label.clone());
                self.block(&inner, body)
            }
            Statement::For(start, condition, next, body) => {
                self.statement(scope, start)?;
                self.expect(scope, condition, "bool")?;
                self.statement(scope, next)?;
                self.block(scope, body)
            }
            Statement::Break(label) if scope.loops.contains(label) => Ok(()),
            Statement::Break(label) => Err(format!("no loop {label}")),
            Statement::Assign(name, e) => {
                let kind = self.variable(scope, name)?;
                self.expect(scope, e, kind)
            }
            Statement::AssignCell(name, index, e) => {
                let element = self.element(scope, name)?;
                self.expect(scope, index, "nat")?;
                self.expect(scope, e, &element)
            }
            Statement::Eval(name, actuals) => match self.module.functions.iter().find(|f| f.name == *name) {
                Some(f) => self.actuals(scope, f, actuals),
                None => Err(format!("no function {name}")),
            },
            Statement::Call(name, gates, actuals) => {
                if !scope.is_process {
                    return Err("a process in a function".to_string());
                }
                let Some(p) = self.module.processes.iter().find(|p| p.name == *name) else {
                    return Err(format!("no process {name}"));
                };
                if gates.len() != p.gates.len() {
                    return Err(format!("{name} has {} gates, not {}", p.gates.len(), gates.len()));
                }
                for (gate, (formal, channel)) in gates.iter().zip(&p.gates) {
                    if scope.gates.get(gate) != Some(channel) {
                        return Err(format!("gate {gate} does not fit {formal} of {name}"));
                    }
                }
                self.actuals(scope, p, actuals)
            }
            Statement::Action(gate, offers, condition) => {
                self.action(scope, gate, offers, condition.as_ref())
            }
            Statement::Par(all, ways) => ways.iter().try_for_each(|(gates, body)| {
                for gate in all.iter().chain(gates) {
                    if !scope.gates.contains_key(gate) {
                        return Err(format!("unknown gate {gate}"));
                    }
                }
                self.block(scope, body)
            }),
            Statement::Hide(declared, body) => {
                let mut inner = scope.clone();
                for (gate, channel) in declared {
                    self.gate(&mut inner, gate, channel)?;
                }
                self.block(&inner, body)
            }
        }
    }

    fn action(
        &self,
        scope: &Scope<'a>,
        gate: &str,
        offers: &[Offer],
        condition: Option<&Expr>,
    ) -> Checked<()> {
        let channel = scope.gates.get(gate).ok_or_else(|| format!("`{gate}` is no gate here"))?;
        let none = vec![vec![]];
        let profiles = match self.module.channels.iter().find(|(name, _)| name == channel) {
            Some((_, profiles)) => profiles,
            None => &none,
        };
        let fits = |profile: &&Vec<String>| {
            profile.len() == offers.len()
                && profile.iter().zip(offers).all(|(kind, offer)| match offer {
                    Offer::Send(e) => self.expect(scope, e, kind).is_ok(),
                    Offer::Receive(name) => scope.variables.get(name) == Some(kind),
                })
        };
        if profiles.iter().filter(fits).count() != 1 {
            return Err(format!("the offers of {gate} fit no profile of {channel}, or several: {offers:?}"));
        }
        condition.map_or(Ok(()), |e| self.expect(scope, e, "bool"))
    }

    fn actuals(&self, scope: &Scope<'a>, routine: &Routine, actuals: &[Actual]) -> Checked<()> {
        if routine.parameters.len() != actuals.len() {
            return Err(format!("{} has {} parameters", routine.name, routine.parameters.len()));
        }
        let mut written = BTreeSet::new();
        for (formal, actual) in routine.parameters.iter().zip(actuals) {
            let fits = match (formal.mode, actual) {
                (Mode::In, Actual::In(e)) => self.expect(scope, e, &formal.kind).is_ok(),
                (Mode::Out, Actual::Out(name)) | (Mode::InOut, Actual::InOut(name)) => {
                    written.insert(name) && scope.variables.get(name) == Some(&formal.kind)
                }
                _ => false,
            };
            if !fits {
                return Err(format!("{actual:?} does not fit {} of {}", formal.name, routine.name));
            }
        }
        Ok(())
    }

    fn element(&self, scope: &Scope<'_>, name: &str) -> Checked<String> {
        let kind = self.variable(scope, name)?;
        self.arrays.get(kind).cloned().ok_or_else(|| format!("`{name}` is no array"))
    }

    fn expect(&self, scope: &Scope<'_>, e: &Expr, kind: &str) -> Checked<()> {
        match self.kind(scope, e)? {
            None if kind == "int" => Ok(()),
            None if kind == "nat" && !matches!(e, Expr::Minus(_)) => Ok(()),
            Some(found) if found == kind => Ok(()),
            found => Err(format!("{kind} expected, not {found:?}: {e:?}")),
        }
    }

    /// The type of an expression; `None` for a literal.
    fn kind(&self, scope: &Scope<'_>, e: &Expr) -> Checked<Option<String>> {
        let some = |kind: &str| Ok(Some(kind.to_string()));
        match e {
            Expr::Number(_) => Ok(None),
            Expr::Text(_) => some("string"),
            Expr::Name(name) => {
                if let Some(kind) = scope.variables.get(name).or_else(|| self.values.get(name)) {
                    return some(kind);
                }
                match name.as_str() {
                    "true" | "false" => some("bool"),
                    _ => match self
                        .module
                        .functions
                        .iter()
                        .find(|f| f.name == *name && f.parameters.is_empty())
                    {
                        Some(f) => Ok(f.result.clone()),
                        None => Err(format!("`{name}` is not declared")),
                    },
                }
            }
            Expr::Cell(name, index) => {
                self.expect(scope, index, "nat")?;
                Ok(Some(self.element(scope, name)?))
            }
            Expr::Minus(inner) => match self.kind(scope, inner)? {
                None => Ok(None),
                Some(kind) if kind == "int" => some("int"),
                other => Err(format!("minus of {other:?}")),
            },
            Expr::Not(inner) => {
                self.expect(scope, inner, "bool")?;
                some("bool")
            }
            Expr::Infix(operator, a, b) => self.infix(scope, operator, a, b),
            Expr::Call(name, arguments) => self.call(scope, name, arguments),
        }
    }

    fn infix(&self, scope: &Scope<'_>, operator: &str, a: &Expr, b: &Expr) -> Checked<Option<String>> {
        let (x, y) = (self.kind(scope, a)?, self.kind(scope, b)?);
        let kind = match (&x, &y) {
            (Some(x), Some(y)) if x == y => x.clone(),
            (Some(x), None) => x.clone(),
            (None, Some(y)) => y.clone(),
            _ => return Err(format!("{operator} between {x:?} and {y:?}: {a:?}, {b:?}")),
        };
        let is_number = kind == "int" || kind == "nat";
        let literal = x.is_none() || y.is_none();
        match operator {
            "and" | "or" | "and_then" | "or_else" if kind == "bool" => Ok(Some(kind)),
            "+" | "-" | "*" | "div" if is_number => Ok(Some(kind)),
            "<" | "<=" | ">" | ">=" if is_number => Ok(Some("bool".to_string())),
            "==" | "<>" if !self.arrays.contains_key(&kind) && (is_number || !literal) => {
                Ok(Some("bool".to_string()))
            }
            _ => Err(format!("{operator} on {kind}")),
        }
    }

    fn call(&self, scope: &Scope<'_>, name: &str, arguments: &[Expr]) -> Checked<Option<String>> {
        let result = |kind: &str| Ok(Some(kind.to_string()));
        if let Some(element) = self.arrays.get(name) {
            let [value] = arguments else {
                return Err(format!("{name} is filled with one value"));
            };
            self.expect(scope, value, element)?;
            return result(name);
        }
        match (name, arguments) {
            ("nattoint", [e]) => self.expect(scope, e, "nat").and_then(|()| result("int")),
            ("inttonat", [e]) => self.expect(scope, e, "int").and_then(|()| result("nat")),
            ("abs", [e]) => self.expect(scope, e, "int").and_then(|()| result("int")),
            ("min" | "max", [a, b]) => {
                self.expect(scope, a, "int")?;
                self.expect(scope, b, "int")?;
                result("int")
            }
            _ => {
                let Some(f) = self.module.functions.iter().find(|f| f.name == name) else {
                    return Err(format!("no function {name}"));
                };
                if f.parameters.len() != arguments.len() {
                    return Err(format!("{name} has {} parameters", f.parameters.len()));
                }
                for (formal, actual) in f.parameters.iter().zip(arguments) {
                    if formal.mode != Mode::In {
                        return Err(format!("{name} changes its parameters"));
                    }
                    self.expect(scope, actual, &formal.kind)?;
                }
                Ok(f.result.clone())
            }
        }
    }
}

/// Whether every way through a block ends with `return`.
fn returns(block: &[Statement]) -> bool {
    block.last().is_some_and(|last| match last {
        Statement::Return(_) => true,
        Statement::Var(_, body) => returns(body),
        Statement::If(ways, Some(otherwise)) => ways.iter().all(|(_, b)| returns(b)) && returns(otherwise),
        _ => false,
    })
}
