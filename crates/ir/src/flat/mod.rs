//! The flat program: every variable at a fixed place in one vector of values, every name resolved.
//!
//! Functions stay parametric in the agent that runs them and keep their loops: instantiating them for ten thousand
//! agents would need a hundred million statements. An *instance* is a function together with an agent; instances
//! are numbered, so engines can draw one or go through all of them.

mod code;
mod compile;
mod exec;
mod layout;

pub use code::{Code, FlatFunction, Op};
pub use exec::{Chooser, Enumerate, Machine, Outcome};
pub use layout::{Cell, Layout};

use crate::arith::{Fault, Value};
use crate::program::Program;

/// A program ready to run.
#[derive(Clone, Debug)]
pub struct Flat {
    /// The program it was made from, for names.
    pub program: Program,
    /// Where everything is.
    pub layout: Layout,
    init: FlatFunction,
    functions: Vec<FlatFunction>,
    predicates: Vec<Code>,
    /// `first_instance[f]` is the number of the first instance of function `f`; one more entry than functions.
    first_instance: Vec<u32>,
    /// How many agents can be bound at once.
    binders: u32,
}

/// A function together with the agent that runs it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Instance {
    /// Index into the functions of the program.
    pub function: u32,
    /// The agent.
    pub agent: u32,
}

impl Flat {
    /// Resolves a valid program.
    pub fn new(program: Program) -> Flat {
        let layout = Layout::new(&program);
        let init = compile::block(&program, &layout, &program.init_locals, &program.init);
        let functions: Vec<FlatFunction> =
            program.functions.iter().map(|f| compile::function(&program, &layout, f)).collect();
        let predicates =
            program.properties.iter().map(|p| compile::expression(&program, &layout, &p.predicate)).collect();
        let mut first_instance = vec![0];
        for f in &functions {
            first_instance.push(first_instance[first_instance.len() - 1] + f.agents.len() as u32);
        }
        let binders = program.binders();
        Flat { program, layout, init, functions, predicates, first_instance, binders }
    }

    /// The length of a state.
    pub fn width(&self) -> usize {
        self.layout.width()
    }

    /// How many instances there are.
    pub fn instances(&self) -> u32 {
        self.first_instance[self.functions.len()]
    }

    /// The instance with a number below [`Flat::instances`].
    #[inline]
    pub fn instance(&self, number: u32) -> Instance {
        let function = self.first_instance.partition_point(|&first| first <= number) as u32 - 1;
        let at = number - self.first_instance[function as usize];
        Instance { function, agent: self.functions[function as usize].agents[at as usize] }
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
