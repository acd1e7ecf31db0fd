//! What an error of the model met: the index and how many cells there are, the operands of an overflow. The faulty step is
//! made again, because engines keep only the kind and the place of an error.

use swarmcheck_engine::trace::explain::FaultData;
use swarmcheck_ir::flat::{Enumerate, Flat, Instance, Machine, Outcome};
use swarmcheck_ir::{BinaryOp, Fault, FaultDetail, FaultKind, Value};

/// More attempts than this to meet the error again are not made.
const MOST_ATTEMPTS: usize = 10_000;

/// A step that meets an error.
pub(crate) fn step_fault(
    flat: &Flat,
    state: &[Value],
    instance: Instance,
    fault: Fault,
) -> Option<FaultData> {
    again(flat, fault, |machine, choices| machine.step(flat, instance, &mut state.to_vec(), choices))
}

/// The initial block meets an error.
pub(crate) fn initial_fault(flat: &Flat, fault: Fault) -> Option<FaultData> {
    again(flat, fault, |machine, choices| machine.initialise(flat, &mut vec![0; flat.width()], choices))
}

/// The predicate of some property meets an error.
pub(crate) fn predicate_fault(flat: &Flat, state: &[Value], fault: Fault) -> Option<FaultData> {
    let mut machine = Machine::new(flat);
    for property in &flat.program.properties {
        for e in property.exprs() {
            let code = flat.compile(e);
            if machine.test(flat, &code, state) == Err(fault) {
                return data(flat, machine.fault_detail()?, fault);
            }
        }
    }
    None
}

fn again(
    flat: &Flat,
    fault: Fault,
    mut attempt: impl FnMut(&mut Machine, &mut Enumerate) -> Outcome,
) -> Option<FaultData> {
    let mut machine = Machine::new(flat);
    let mut choices = Enumerate::default();
    for _ in 0..MOST_ATTEMPTS {
        if attempt(&mut machine, &mut choices) == Outcome::Fault(fault) {
            return data(flat, machine.fault_detail()?, fault);
        }
        if !choices.advance() {
            return None;
        }
    }
    None
}

fn data(flat: &Flat, detail: FaultDetail, fault: Fault) -> Option<FaultData> {
    let name = |var: u32| flat.program.vars.get(var as usize).map(|var| var.name.clone());
    Some(match detail {
        FaultDetail::Index { var, index, cells } => {
            FaultData::Index { variable: var.and_then(name), index, cells }
        }
        FaultDetail::Agent { number, var } if fault.kind == FaultKind::NoVariable => {
            FaultData::NoVariable { agent: u32::try_from(number).ok()?, variable: name(var)? }
        }
        FaultDetail::Agent { number, .. } => FaultData::NoAgent { number, agents: flat.program.agents() },
        FaultDetail::Overflow { op, left, right } => {
            FaultData::Overflow { left, operator: sign(op).to_string(), right }
        }
    })
}

fn sign(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Mod => "%",
        BinaryOp::Round => ":",
        BinaryOp::Min => "min",
        BinaryOp::Max => "max",
        _ => "?",
    }
}
