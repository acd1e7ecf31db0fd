//! The flat program: every variable at a fixed place in one vector of values, every name resolved.
//!
//! Functions stay parametric in the agent that runs them and keep their loops: instantiating them for ten thousand
//! agents would need a hundred million statements. An *instance* is a function together with an agent; instances
//! are numbered, so engines can draw one or go through all of them.

mod choose;
mod clocks;
mod code;
mod compile;
mod eval;
mod exec;
mod layout;
mod near;
mod neighbours;
mod plan;
mod watched;

pub use crate::cells::Cell;
pub use choose::{Chooser, Enumerate, Expect};
pub use code::{Code, FlatFunction, Near, Op};
pub use exec::{Machine, Outcome};
pub use layout::Layout;
pub use watched::{Seen, Watched};

use crate::arith::{Fault, Value};
use crate::program::{Program, VarId};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// A program ready to run.
#[derive(Clone, Debug)]
pub struct Flat {
    /// The program it was made from, for names.
    pub program: Arc<Program>,
    pub layout: Layout,
    init: FlatFunction,
    functions: Vec<FlatFunction>,
    predicates: Vec<Code>,
    /// All functions with all agents that may run them.
    instances: Vec<Instance>,
    /// How many agents can be bound at once.
    binders: u32,
    /// What the values of a variable are called, from 0 on, where its language has names for them. Only users are shown
    /// names; nothing is computed with them.
    pub value_names: BTreeMap<VarId, Vec<String>>,
    /// How quick runs execute it, once there is one.
    plan: OnceLock<Box<plan::Plan>>,
}

/// A function together with the agent that runs it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Instance {
    /// Index into the functions of the program.
    pub function: u32,
    pub agent: u32,
}

impl Flat {
    /// Resolves a valid program.
    pub fn new(program: impl Into<Arc<Program>>) -> Flat {
        let program: Arc<Program> = program.into();
        let layout = Layout::new(&program);
        let init = compile::block(&program, &layout, &program.init_locals, &program.init);
        let functions: Vec<FlatFunction> =
            program.functions.iter().map(|f| compile::function(&program, &layout, f)).collect();
        let predicates =
            program.properties.iter().map(|p| compile::expression(&program, &layout, &p.predicate)).collect();
        let instances = functions
            .iter()
            .enumerate()
            .flat_map(|(f, code)| {
                code.agents.iter().map(move |&agent| Instance { function: f as u32, agent })
            })
            .collect();
        let binders = program.binders();
        let value_names = BTreeMap::new();
        let plan = OnceLock::new();
        Flat { program, layout, init, functions, predicates, instances, binders, value_names, plan }
    }

    /// What a value of a variable is called, where its language has a name for it.
    pub fn value_name(&self, var: VarId, value: Value) -> Option<&str> {
        let names = self.value_names.get(&var)?;
        Some(names.get(usize::try_from(value).ok()?)?.as_str())
    }

    /// The length of a state.
    pub fn width(&self) -> usize {
        self.layout.width()
    }

    /// The number of instances.
    pub fn instances(&self) -> u32 {
        self.instances.len() as u32
    }

    /// The instance with a number below [`Flat::instances`].
    #[inline]
    pub fn instance(&self, number: u32) -> Instance {
        self.instances[number as usize]
    }

    fn plan(&self) -> &plan::Plan {
        self.plan.get_or_init(|| Box::new(plan::Plan::new(self)))
    }

    /// Compiles a condition that no agent runs, for instance a part of a property.
    pub fn compile(&self, condition: &crate::Expr) -> Code {
        compile::expression(&self.program, &self.layout, condition)
    }

    /// Whether a property's predicate holds in a state.
    pub fn holds(&self, machine: &mut Machine, property: usize, state: &[Value]) -> Result<bool, Fault> {
        machine.test(self, &self.predicates[property], state)
    }
}
