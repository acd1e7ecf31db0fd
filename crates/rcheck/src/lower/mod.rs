//! From a specification to an emulation program: ReCiPe agents (definition 4) and their system (definition 2).
//!
//! Every agent of the system is a kind of its own, because its initial state is its own. Each send of each agent is
//! one function: its guard says that no agent blocks it, and its body lets every other agent react. Everything is
//! evaluated in the state before the step: receivers read their own variables and the sender's only, and the sender
//! is updated last.

pub mod coverage;
mod expr;
mod guards;
pub mod parts;
mod property;
mod step;
pub mod value;
pub mod written;

use crate::automaton::{Automaton, automaton};
use crate::model::{Expr, Specification, Type};
use crate::syntax::ast::Op;
use std::collections::{BTreeMap, BTreeSet};
use swarmcheck_ir as ir;
use swarmcheck_ir::program::Role;

/// An emulation program, and what an observer sees of each function.
pub struct Lowered {
    pub program: ir::Program,
    /// A label for each function: `client1:sReserve`.
    pub labels: Vec<String>,
    /// What the values of variables are called, from 0 on.
    pub value_names: BTreeMap<ir::VarId, Vec<String>>,
}

/// Makes the program; with `claims`, also what follows the specifications.
pub fn lower(spec: &Specification, claims: bool) -> Lowered {
    let low = lowerer(spec, claims);
    let mut functions = vec![];
    let mut labels = vec![];
    for instance in 0..spec.instances.len() {
        for edge in 0..low.automaton(instance).edges.len() {
            if let Some(function) = low.function(instance, edge, functions.len()) {
                let words = &low.command(instance, edge).words;
                labels.push(format!("{}:{words}", spec.instances[instance].name));
                functions.push(function);
            }
        }
    }
    let properties = if claims { low.properties() } else { vec![] };
    let kinds = (0..).zip(&spec.instances);
    let kinds = kinds.map(|(first, i)| ir::AgentKind { name: i.name.clone(), first, count: 1 }).collect();
    let (init_locals, init) = low.init();
    let value_names = low.value_names();
    let program = ir::Program { kinds, vars: low.vars, init_locals, init, functions, properties };
    Lowered { program, labels, value_names }
}

/// The variables of the program.
fn lowerer(spec: &Specification, claims: bool) -> Lowerer<'_> {
    let mut low = Lowerer {
        spec,
        automata: spec.agents.iter().map(automaton).collect(),
        vars: vec![],
        locals: BTreeMap::new(),
        observed: vec![],
        made: vec![],
    };
    low.variables();
    if claims {
        low.monitors();
    }
    low
}

/// Who has a variable, and the values it takes.
type Shared = (Vec<ir::KindId>, Option<(i64, i64)>);

/// The name of the variable that says where an agent is in its structure automaton.
pub const AUTOMATON_STATE: &str = "automaton-state";

/// Where an agent is in its structure automaton.
const STATE: ir::VarId = ir::VarId(0);

pub(super) struct Lowerer<'s> {
    spec: &'s Specification,
    /// By agent type.
    automata: Vec<Automaton>,
    vars: Vec<ir::Var>,
    /// Variables that several agent types have in common share one variable of the program.
    locals: BTreeMap<&'s str, ir::VarId>,
    /// For each observation, whether the step just made satisfied it.
    observed: Vec<ir::VarId>,
    /// For each command that a specification names, whether it was part of the step just made.
    made: Vec<((usize, usize), ir::VarId)>,
}

impl<'s> Lowerer<'s> {
    fn automaton(&self, instance: usize) -> &Automaton {
        &self.automata[self.spec.instances[instance].agent]
    }

    fn variable(
        &mut self,
        name: String,
        owners: Option<Vec<ir::KindId>>,
        domain: Option<(i64, i64)>,
        role: Role,
    ) -> ir::VarId {
        self.vars.push(ir::Var { name, owners, dimensions: vec![], domain, may_be_undef: false, role });
        ir::VarId(self.vars.len() as u32 - 1)
    }

    fn variables(&mut self) {
        let spec = self.spec;
        let everybody = (0..spec.instances.len() as u32).map(ir::KindId).collect();
        let states = self.automata.iter().map(|a| i64::from(a.states)).max().unwrap_or(1);
        self.variable(AUTOMATON_STATE.to_string(), Some(everybody), Some((0, states - 1)), Role::Location);
        let mut shared: BTreeMap<&'s str, Shared> = BTreeMap::new();
        for (number, instance) in spec.instances.iter().enumerate() {
            for local in &spec.agents[instance.agent].locals {
                let domain = spec.domain(local.ty);
                let hull = |(low, high): (i64, i64), (a, b): (i64, i64)| (low.min(a), high.max(b));
                let entry = shared.entry(&local.name).or_insert((vec![], domain));
                entry.0.push(ir::KindId(number as u32));
                entry.1 = entry.1.zip(domain).map(|(all, one)| hull(all, one));
            }
        }
        for (name, (owners, domain)) in shared {
            let role = Role::Data { arrow: ":=", order: None };
            let id = self.variable(name.to_string(), Some(owners), domain, role);
            self.locals.insert(name, id);
        }
    }

    /// The names of values, where all agents that have a variable agree about its type.
    fn value_names(&self) -> BTreeMap<ir::VarId, Vec<String>> {
        let mut types: BTreeMap<ir::VarId, Vec<Type>> = BTreeMap::new();
        for local in self.spec.instances.iter().flat_map(|i| &self.spec.agents[i.agent].locals) {
            types.entry(self.locals[local.name.as_str()]).or_default().push(local.ty);
        }
        let names = |ty: &Type| match ty {
            Type::Bool => Some(vec!["false".to_string(), "true".to_string()]),
            Type::Enum(number) => Some(self.spec.enums[*number].1.clone()),
            Type::Channel => Some(self.spec.channels.clone()),
            Type::Location => Some(self.spec.instances.iter().map(|i| i.name.clone()).collect()),
            Type::Int | Type::Range(..) => None,
        };
        let agreed = types.into_iter().filter(|(_, all)| all.windows(2).all(|pair| pair[0] == pair[1]));
        agreed.filter_map(|(var, all)| Some((var, names(all.first()?)?))).collect()
    }

    /// Variables that remember what the step just made was.
    fn monitors(&mut self) {
        let spec = self.spec;
        for number in 0..spec.observations.len() {
            let id = self.variable(format!("observed.{}", number + 1), None, Some((0, 1)), Role::Location);
            self.observed.push(id);
        }
        let mut named = vec![];
        for one in &spec.specs {
            one.formula.map(&mut |atom| {
                if let crate::model::Atom::State(e) = atom {
                    e.walk(&mut |e| {
                        if let Expr::Label(instance, command) = e
                            && !named.contains(&(*instance, *command))
                        {
                            named.push((*instance, *command));
                        }
                    });
                }
            });
        }
        for (instance, command) in named {
            let words = &spec.agent_of(instance).commands[command].words;
            let name = format!("made.{}.{words}.{command}", spec.instances[instance].name);
            let id = self.variable(name, None, Some((0, 1)), Role::Location);
            self.made.push(((instance, command), id));
        }
    }

    /// All states that satisfy θ: what θ fixes is set, the rest takes any value of its type, then θ must hold.
    fn init(&self) -> (Vec<ir::Local>, Vec<ir::Stmt>) {
        let local = ir::Local { name: "value".to_string(), length: None };
        let mut block = vec![];
        for number in 0..self.spec.instances.len() {
            let conditions = self.spec.initially(number);
            let pins = pins(&conditions);
            let mut free = false;
            for (at, variable) in self.spec.agent_of(number).locals.iter().enumerate() {
                let place = self.place(number, at);
                if let Some((_, value)) = pins.iter().find(|(pinned, _)| *pinned == at) {
                    block.push(ir::Stmt::Assign(place, ir::Expr::Const(*value)));
                } else if variable.ty == Type::Int {
                    free = true;
                    let values = candidates(&conditions, at).unwrap_or_default();
                    if values.is_empty() {
                        // The conditions contradict each other, and the assumption below refuses any value.
                        block.push(ir::Stmt::Assign(place, ir::Expr::Const(0)));
                        continue;
                    }
                    let set = ir::Set::Values(values.into_iter().map(ir::Expr::Const).collect());
                    block.push(ir::Stmt::Havoc(ir::LocalId(0), set));
                    block.push(ir::Stmt::Assign(place, ir::Expr::Local(ir::LocalId(0))));
                } else if let Some((low, high)) = self.spec.domain(variable.ty) {
                    free = true;
                    let set = ir::Set::Range(ir::Expr::Const(low), ir::Expr::Const(high + 1));
                    block.push(ir::Stmt::Havoc(ir::LocalId(0), set));
                    block.push(ir::Stmt::Assign(place, ir::Expr::Local(ir::LocalId(0))));
                }
            }
            let agent = expr::Context::of(number);
            let whole = ir::Expr::and(conditions.iter().map(|e| self.condition(e, &agent)));
            if is_outside(&pins, self, number) {
                // No value of the type is meant, so no state is an initial one, whatever was assigned above.
                block.push(ir::Stmt::Assume(ir::Expr::Const(0)));
            } else if free || !conditions.iter().all(|e| only_pins(e)) || is_twice(&pins) {
                block.push(ir::Stmt::Assume(whole));
            }
        }
        (vec![local], block)
    }
}

/// Whether one of the values lies outside its type.
fn is_outside(pins: &[(usize, i64)], low: &Lowerer<'_>, instance: usize) -> bool {
    pins.iter().any(|(at, value)| {
        let domain = low.spec.domain(low.spec.agent_of(instance).locals[*at].ty);
        domain.is_some_and(|(low, high)| !(low..=high).contains(value))
    })
}

/// Whether a variable is fixed twice.
fn is_twice(pins: &[(usize, i64)]) -> bool {
    pins.iter().enumerate().any(|(number, (at, _))| pins[..number].iter().any(|(other, _)| other == at))
}

/// Whether a condition does nothing but fix variables.
fn only_pins(e: &Expr) -> bool {
    match e {
        Expr::Binary(Op::And, a, b, _) => only_pins(a) && only_pins(b),
        Expr::Value(value) => *value != 0,
        e => pin(e).is_some(),
    }
}

/// The variables that conditions fix: `x = 3`, `b`, `!b`, in a conjunction.
pub fn pins(conditions: &[&Expr]) -> Vec<(usize, i64)> {
    let mut out = vec![];
    for e in conditions {
        match e {
            Expr::Binary(Op::And, a, b, _) => out.extend(pins(&[a, b])),
            e => out.extend(pin(e)),
        }
    }
    out
}

/// The values that conditions leave to a variable, if they are listed: `x = 1 | x = 2`. Not all of them need satisfy the
/// conditions.
pub fn candidates(conditions: &[&Expr], at: usize) -> Option<BTreeSet<i64>> {
    let all = conditions.iter().filter_map(|e| listed(e, at));
    all.reduce(|a, b| a.intersection(&b).copied().collect())
}

fn listed(e: &Expr, at: usize) -> Option<BTreeSet<i64>> {
    match e {
        Expr::Binary(Op::And, a, b, _) => candidates(&[a, b], at),
        Expr::Binary(Op::Or, a, b, _) => {
            let (mut a, mut b) = (listed(a, at)?, listed(b, at)?);
            a.append(&mut b);
            Some(a)
        }
        e => pin(e).filter(|(pinned, _)| *pinned == at).map(|(_, value)| BTreeSet::from([value])),
    }
}

fn pin(e: &Expr) -> Option<(usize, i64)> {
    match e {
        Expr::Local(at) => Some((*at, 1)),
        Expr::Not(inner) => match **inner {
            Expr::Local(at) => Some((at, 0)),
            _ => None,
        },
        Expr::Binary(Op::Eq, a, b, _) => match (&**a, &**b) {
            (Expr::Local(at), Expr::Value(value)) | (Expr::Value(value), Expr::Local(at)) => {
                Some((*at, *value))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Whether values of a type have bounds that arithmetic can leave.
pub(super) fn bounds(ty: Type) -> Option<(i64, i64)> {
    match ty {
        Type::Range(low, high) => Some((low, high)),
        _ => None,
    }
}
