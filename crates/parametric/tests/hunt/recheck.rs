//! The obligations of a proof once more, by brute force: every state of the invariant, one after the other, and every step from it.

use crate::sorts::{Sort, Sorts};
use swarmcheck_ir::flat::{Enumerate, Flat, Layout, Machine, Outcome};
use swarmcheck_ir::{Program, Value};
use swarmcheck_parametric::Invariant;

/// More states are not enumerated, unless somebody wants fewer.
pub const MOST: u64 = 200_000;

/// What came of it.
#[derive(Debug, PartialEq, Eq)]
pub enum Checked {
    /// So many states of the invariant, and every step from them stays inside.
    States(u64),
    TooMany,
}

/// Checks initiation and induction at one size. Not that the invariant implies the property, which is a part of it.
pub fn recheck(proof: &Invariant<'_>, sizes: &[u32], most: u64) -> Result<Checked, String> {
    let member = proof.family.at(sizes);
    let sorts = Sorts::infer(&member)?;
    let flat = Flat::new(member.clone());
    let mut machine = Machine::new(&flat);
    let Some(choices) = choices(&member, &sorts, &flat.layout, proof, most) else {
        return Ok(Checked::TooMany);
    };
    let property = flat.compile(proof.property);
    let dense = |state: &[Value]| {
        member.vars.iter().zip(0..).all(|(_, number)| {
            let var = swarmcheck_ir::VarId(number);
            if !matches!(sorts.of_variable(var), Sort::Rank(_)) {
                return true;
            }
            let slots = flat.layout.copies(var).iter().filter(|slot| **slot != Layout::ABSENT);
            let mut ranks: Vec<Value> = slots.map(|slot| state[*slot as usize]).collect();
            ranks.sort_unstable();
            ranks.dedup();
            ranks.iter().zip(0..).all(|(rank, at)| *rank == at)
        })
    };
    let inside = |machine: &mut Machine, state: &[Value]| -> Result<bool, String> {
        let typed = state.iter().zip(&choices).all(|(value, values)| values.contains(value)) && dense(state);
        if !typed || !proof.clauses.iter().all(|clause| clause.test(&member, &flat.layout, state)) {
            return Ok(false);
        }
        machine.test(&flat, &property, state).map_err(|fault| format!("{fault} in the property at {state:?}"))
    };

    let mut runs = Enumerate::default();
    let mut begin = vec![0; flat.width()];
    for number in 0.. {
        match machine.initialise(&flat, &mut begin, &mut runs) {
            Outcome::Done if !inside(&mut machine, &begin)? => return Err(format!("initial {begin:?}")),
            Outcome::Fault(fault) => return Err(format!("{fault} at first")),
            _ => {}
        }
        if number as u64 > most {
            return Ok(Checked::TooMany);
        }
        if !runs.advance() {
            break;
        }
    }

    let mut at = vec![0; choices.len()];
    let mut states = 0;
    loop {
        let state: Vec<Value> =
            at.iter().zip(&choices).map(|(at, values): (&usize, _)| values[*at]).collect();
        if inside(&mut machine, &state)? {
            states += 1;
            for instance in 0..flat.instances() {
                let mut runs = Enumerate::default();
                loop {
                    let mut next = state.clone();
                    match machine.step(&flat, flat.instance(instance), &mut next, &mut runs) {
                        Outcome::Done if !inside(&mut machine, &next)? => {
                            return Err(format!("{state:?} to {next:?} by {:?}", flat.instance(instance)));
                        }
                        Outcome::Fault(fault) => return Err(format!("{fault} at {state:?}")),
                        _ => {}
                    }
                    if !runs.advance() {
                        break;
                    }
                }
            }
        }
        let Some(place) = (0..at.len()).find(|place| at[*place] + 1 < choices[*place].len()) else { break };
        at[..place].fill(0);
        at[place] += 1;
    }
    Ok(Checked::States(states))
}

/// The values of each slot; `None` if there are too many states.
fn choices(
    member: &Program,
    sorts: &Sorts,
    layout: &Layout,
    proof: &Invariant<'_>,
    most: u64,
) -> Option<Vec<Vec<Value>>> {
    let agents = Value::from(member.agents());
    let seen = |var| proof.values.get(&(var, None)).into_iter().flatten().copied();
    let seen_numbers = |var| seen(var).any(|value| value >= 0);
    let identities = |var| seen(var).filter(|value| *value < 0).chain(0..agents).collect();
    let of = |cell: swarmcheck_ir::flat::Cell| match sorts.of_variable(cell.var) {
        Sort::Rank(var) => {
            let owners = layout.copies(var).iter().filter(|slot| **slot != Layout::ABSENT).count();
            (0..owners as Value).collect()
        }
        // Only ever ⊥, but the first author may take it for a number of an agent, because it is compared with one.
        Sort::Undefined if seen_numbers(cell.var) => identities(cell.var),
        Sort::Identity => identities(cell.var),
        _ => {
            let kind = cell.agent.map(|agent| member.kind_of(agent));
            let values = proof.values.get(&(cell.var, kind));
            values.map(|values| values.iter().copied().collect()).unwrap_or_default()
        }
    };
    let all: Vec<Vec<Value>> = layout.cells().map(|(_, cell)| of(cell)).collect();
    let product = all.iter().try_fold(1u64, |product, values| product.checked_mul(values.len() as u64))?;
    (product <= most).then_some(all)
}
