//! What an exit comes to: the last assignment to each component, choices, and joins under the conditions that are still
//! open. Every lowering needs exactly this, whatever its components have become.

use crate::{Exit, Join, Location, Pc};
use std::collections::{BTreeMap, BTreeSet};

/// A part of what an exit does; parts are done in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A component gets a value.
    Set(Pc, Location),
    /// One of these is done.
    Pick(Vec<Vec<Effect>>),
    /// If all these components have ended, the join with this number is taken, which does the rest.
    Join(usize, Vec<Pc>, Vec<Effect>),
}

/// The effects of an exit: later assignments to a component override earlier ones; then what is picked; then the joins, if
/// all their branches have ended by now.
pub fn effects(joins: &[Join], exit: &Exit) -> Vec<Effect> {
    let last: BTreeMap<Pc, Location> = exit.set.iter().copied().collect();
    let mut out: Vec<Effect> = last.iter().map(|(pc, at)| Effect::Set(*pc, *at)).collect();
    for pick in &exit.picks {
        out.push(Effect::Pick(pick.iter().map(|way| effects(joins, way)).collect()));
    }
    let picked: BTreeSet<Pc> = exit.picks.iter().flatten().flat_map(Exit::begins).map(|(pc, _)| pc).collect();
    for &number in &exit.joins {
        let join = &joins[number];
        // A first move under a guard or in a choice also starts the other branches: then nothing has ended.
        let begun = |pc: &Pc| picked.contains(pc) || last.get(pc).is_some_and(|at| *at != Location::ENDED);
        if !join.branches.iter().any(begun) {
            let others = join.branches.iter().copied().filter(|pc| !last.contains_key(pc));
            out.push(Effect::Join(number, others.collect(), effects(joins, &join.exit)));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn join(branches: &[u32], exit: Exit) -> Join {
        let branches = branches.iter().map(|b| Pc(*b)).collect();
        Join { parent: (Pc(0), Location(1)), branches, exit, composition: None }
    }

    #[test]
    fn the_last_assignment_counts_and_open_branches_are_conditions() {
        let joins = [join(&[1, 2], Exit::to(vec![(Pc(0), Location(2))]))];
        let set = vec![(Pc(1), Location(3)), (Pc(1), Location::ENDED)];
        let exit = Exit { joins: vec![0], ..Exit::to(set) };
        let then = vec![Effect::Set(Pc(0), Location(2))];
        let expected = [Effect::Set(Pc(1), Location::ENDED), Effect::Join(0, vec![Pc(2)], then)];
        assert_eq!(effects(&joins, &exit), expected);
    }

    #[test]
    fn a_branch_that_begins_prevents_the_join() {
        let joins = [join(&[1, 2], Exit::default())];
        let begins = vec![(Pc(2), Location(1)), (Pc(1), Location::ENDED)];
        let exit = Exit { joins: vec![0], ..Exit::to(begins) };
        assert!(!effects(&joins, &exit).iter().any(|e| matches!(e, Effect::Join(..))));
        let picks = vec![vec![Exit::to(vec![(Pc(2), Location(1))]), Exit::to(vec![(Pc(2), Location(2))])]];
        let exit = Exit { set: vec![(Pc(1), Location::ENDED)], picks, joins: vec![0] };
        let found = effects(&joins, &exit);
        assert!(matches!(&found[..], [Effect::Set(..), Effect::Pick(ways)] if ways.len() == 2), "{found:?}");
    }
}
