//! From a program to a network of processes.

use crate::gates::{Gate, Gates};
use crate::interface;
use crate::label::Labels;
use crate::leaf::{self, Leaf};
use crate::plan::{Limits, NoWhole, Plan};
use crate::refused::Refused;
use crate::split::{self, Part};
use swarmcheck_ir::ground::{Ground, Term};
use swarmcheck_ir::{Program, Value};
use swarmcheck_steps::execute::{self, Executed, Numbers};

/// Steps with larger terms take too long to evaluate.
const LARGEST: f64 = 50_000.0;

/// Fewer processes are searched together as fast.
const FEW: usize = 4;

/// Processes, and the gates at which they make steps together.
pub struct Network {
    /// The processes, by their cells.
    pub parts: Vec<Part>,
    /// Gates and labels.
    pub labels: Labels,
    /// The values of cells that never change; the others belong to processes.
    pub constants: Vec<Option<Value>>,
    executed: Executed,
}

impl Network {
    /// The network of a program in whose states these conditions are looked at. `visible` tells what is seen of an instance.
    pub fn new(
        program: &Program,
        ground: &Ground,
        conditions: &[Term],
        visible: &dyn Fn(usize) -> Option<u32>,
    ) -> Result<Network, Refused> {
        let mut executed = execute::execute(program, ground, Numbers::Machine)?;
        let conditions = execute::conditions(&mut executed, conditions)?;
        let mut parts = split::split(program, &ground.layout, &executed);
        if parts.is_empty() {
            // Somebody has to make the steps of a system in which nothing changes.
            parts.push(Part { name: "system".to_string(), slots: vec![] });
        }
        let initial = std::mem::take(&mut executed.initial);
        let steps = std::mem::take(&mut executed.steps);
        let mut maker = Gates::new(&mut executed, &initial, &parts);
        let mut gates = vec![];
        let mut seen = vec![];
        // Everybody takes part in the beginning, also who has nothing to choose there.
        if let Some(gate) = maker.gate(None, &initial) {
            gates.push(gate.with_all(parts.len()));
            seen.push(None);
        }
        for (instance, step) in steps.iter().enumerate() {
            let Some(gate) = step.as_ref().and_then(|step| maker.gate(Some(instance), step)) else {
                continue;
            };
            gates.push(gate.attached_to(0));
            seen.push(visible(instance));
        }
        let observed = maker.observed(&conditions, parts.len());
        if observed.size(maker.terms()) > LARGEST {
            return Err(Refused::StepTooLarge { function: "the property".to_string() });
        }
        let large = |gate: &&Gate| gate.size(maker.terms()) > LARGEST;
        if let Some(gate) = gates.iter().find(large) {
            let instance = gate.instance.map(|at| ground.instances()[at].instance.function as usize);
            let function =
                instance.map_or("the initial block".to_string(), |at| program.functions[at].name.clone());
            return Err(Refused::StepTooLarge { function });
        }
        let constants = maker.constants();
        let terms = std::mem::take(&mut executed.terms);
        let labels = Labels::new(terms, gates, observed, seen);
        Ok(Network { parts, labels, constants, executed })
    }

    /// Whether there are several processes, and at most half of them take part in a step on the average.
    pub fn is_loosely_coupled(&self) -> bool {
        let steps = self.labels.gates.iter().filter(|gate| gate.instance.is_some());
        let (count, all) =
            steps.fold((0, 0), |(count, all), gate| (count + 1, all + gate.participants.len()));
        self.parts.len() >= FEW && 2 * all <= count * self.parts.len()
    }

    /// The transition systems of all processes.
    pub fn leaves(&mut self, plan: Plan, limits: Limits<'_>) -> Result<Vec<Leaf>, NoWhole> {
        let Executed { choices, bounds, .. } = &self.executed;
        let mut leaves = leaf::leaves(&self.parts, &mut self.labels, choices, bounds, plan, limits)?;
        if plan.interfaces {
            interface::restrict(&mut leaves, &mut self.labels, limits)?;
        }
        Ok(leaves)
    }
}
