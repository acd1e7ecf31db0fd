//! Bodies in pieces that commute with a symmetry.
//!
//! A body is cut into pieces, each as short as possible, and each is proved on its own: `x := x + dx` alone does not
//! commute with an exchange of `x` and `y`, but together with `y := y + dy` it does. Where a way to cut leads
//! nowhere, longer pieces are tried.

use super::axes::{Known, Map};
use super::commute::Prover;
use std::collections::BTreeSet;
use swarmcheck_ir::ground::{Act, Routine, Term, Touched};

/// Longer bodies are not looked into: they stem from loops over very many agents.
const LONGEST_BODY: usize = 400;
/// Longer pieces are not tried.
const LONGEST_PIECE: usize = 10;

impl Prover<'_> {
    /// Whether the guard of an instance is the same in every state and in its image.
    pub fn guard(&mut self, map: &Map, routine: &Routine) -> bool {
        let tests = routine.tests().iter().map(|&(slot, value)| Term::Is(slot, value));
        let all: Vec<Term> = match routine.guard() {
            Term::And(parts) => tests.chain(parts.iter().cloned()).collect(),
            guard => tests.chain([guard.clone()]).collect(),
        };
        self.invariant(map, &Term::And(all.into()), &Known::new())
    }

    /// Whether the body of an instance commutes with a map.
    pub fn body(&mut self, map: &Map, routine: &Routine) -> bool {
        self.block(map, routine.body(), &Known::new(), &BTreeSet::new()).is_some()
    }

    /// If a block commutes: what is known afterwards of locals.
    fn block(&mut self, map: &Map, acts: &[Act], known: &Known, later: &BTreeSet<u32>) -> Option<Known> {
        if acts.len() > LONGEST_BODY {
            return None;
        }
        let width = self.ground.width();
        // What is read after each place.
        let mut read: Vec<BTreeSet<u32>> = vec![later.clone()];
        for act in acts.iter().rev() {
            let mut locals = read.last().cloned().unwrap_or_default();
            locals.extend(Touched::by_code(&[], std::slice::from_ref(act), width).local_reads);
            read.push(locals);
        }
        read.reverse();
        // Ends of pieces so far, each with what is known there. A place from which no way was found is not tried again.
        let mut way: Vec<(usize, Known)> = vec![(0, known.clone())];
        let mut hopeless = vec![false; acts.len() + 1];
        let mut length = 1;
        while let Some((at, known)) = way.last().cloned() {
            if at == acts.len() {
                return Some(known);
            }
            let end = at + length;
            if end > acts.len() || length > LONGEST_PIECE || self.exhausted() {
                hopeless[at] = true;
                way.pop();
                // On from the place before, with a longer piece.
                length = way.last().map_or(0, |(before, _)| at - before) + 1;
                continue;
            }
            let piece = &acts[at..end];
            match (!hopeless[end]).then(|| self.piece(map, piece, &known, &read[end])).flatten() {
                Some(known) => {
                    way.push((end, known));
                    length = 1;
                }
                None => length += 1,
            }
        }
        None
    }

    /// If a piece commutes: what is known afterwards of locals.
    fn piece(&mut self, map: &Map, acts: &[Act], known: &Known, later: &BTreeSet<u32>) -> Option<Known> {
        let touched = Touched::by_code(&[], acts, self.ground.width());
        let mut after = known.clone();
        if !touched.reads.iter().chain(&touched.writes).any(|&slot| map.moves(slot)) {
            touched.local_writes.iter().for_each(|local| _ = after.insert(*local, None));
            return Some(after);
        }
        let branches: Option<Vec<(Vec<&Term>, &[Act])>> = match acts {
            [Act::If(condition, yes, no)] => Some(vec![(vec![condition], yes), (vec![], no)]),
            [Act::Choose(branches)] => Some(branches.iter().map(|(c, body)| (vec![c], &body[..])).collect()),
            _ => None,
        };
        if let Some(branches) = branches {
            let mut same = branches.iter().flat_map(|(conditions, _)| conditions);
            if same.all(|condition| self.invariant(map, condition, known)) {
                let all = branches.iter().map(|(_, body)| self.block(map, body, known, later));
                if let Some(all) = all.collect::<Option<Vec<Known>>>() {
                    return Some(all.into_iter().reduce(join).unwrap_or_default());
                }
            }
        }
        self.same_results(map, acts, &touched, &mut after, later).then_some(after)
    }
}

/// What is known of locals after one of two branches.
fn join(a: Known, b: Known) -> Known {
    let all: BTreeSet<u32> = a.keys().chain(b.keys()).copied().collect();
    let both = |local: &u32| match (a.get(local), b.get(local)) {
        (Some(Some(x)), Some(Some(y))) => Some(x.union(y).copied().collect()),
        _ => None,
    };
    all.into_iter().map(|local| (local, both(&local))).collect()
}
