//! Choosing which instance runs.

use crate::encode::Effect;
use crate::word::{bits_for, cases};
use swarmcheck_aig::{Graph, Lit};
use swarmcheck_ir::Value;
use swarmcheck_ir::ground::Term;

/// Collects the values that slots must have for a guard to hold. A part of a conjunction that comes after one that may be
/// an error does not count: where it is false the error is met all the same.
pub(crate) fn note_needs(guard: &Term, needs: &mut Vec<(u32, Value)>) {
    match guard {
        Term::Is(slot, value) => needs.push((*slot, *value)),
        Term::And(parts) => {
            for part in parts {
                match part {
                    Term::Is(slot, value) => needs.push((*slot, *value)),
                    Term::IsNot(..) | Term::Compare(..) | Term::Const(_) => {}
                    Term::Table(table) if matches!(table.term(), Term::And(_)) => {
                        note_needs(table.term(), needs)
                    }
                    _ => return,
                }
            }
        }
        Term::Table(table) => note_needs(table.term(), needs),
        _ => {}
    }
}

/// The variables that choose an instance, and for each instance the condition under which it is chosen. Instances of
/// which no state enables two share a choice: the state tells which one is meant.
pub(crate) fn select(g: &mut Graph, effects: &[Effect]) -> (Vec<Lit>, Vec<Lit>) {
    let exclusive = |a: &Effect, b: &Effect| {
        a.needs.iter().any(|(slot, value)| b.needs.iter().any(|(s, v)| s == slot && v != value))
    };
    let mut classes: Vec<Vec<usize>> = vec![];
    for (number, effect) in effects.iter().enumerate() {
        swarmcheck_ir::cancel::check();
        let fits = |class: &&mut Vec<usize>| class.iter().all(|other| exclusive(effect, &effects[*other]));
        match classes.iter_mut().find(fits) {
            Some(class) => class.push(number),
            None => classes.push(vec![number]),
        }
    }
    let selection: Vec<Lit> = (0..bits_for(classes.len() as u64)).map(|_| g.variable()).collect();
    let chosen = if classes.is_empty() { vec![] } else { cases(g, &selection, classes.len() as u64) };
    let mut selected = vec![Lit::FALSE; effects.len()];
    for (class, chosen) in classes.iter().zip(chosen) {
        for &number in class {
            let tests = if class.len() == 1 { Lit::TRUE } else { effects[number].tests };
            selected[number] = g.and(chosen, tests);
        }
    }
    (selection, selected)
}
