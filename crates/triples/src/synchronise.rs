//! Synchronisation triples: what processes of a parallel composition do together (TOSEM, section 3.1).
//!
//! [`crate::build`] gives the interleaving structure. Here every composition that interacts gets, from the innermost to
//! the outermost, the triples that its synchronisation algebra (definition 2.3) allows: for two-party algebras those of
//! table 5, one for each pair of triples in different branches; for multi-party algebras those of algorithm 1, which
//! grows one set of joint triples branch by branch. What comes out of a composition is what the composition around it
//! can use, so compositions, restrictions and relabellings nest as they please.
//!
//! A composition that stands in a choice is begun by its first move, at the location of the choice
//! ([`Triple::began`]). Two such moves of different branches synchronise as well: the joint triple then begins all other
//! branches, too. Each of the two moves begins the branch of the other, so of the second only what concerns its own
//! branch is taken. A move that begins a composition never meets one inside the same running composition.
//!
//! Structures with late choice only: an early exit picks for all branches at once, and cannot be taken apart.

use crate::build::TooLarge;
use crate::{Exit, Join, Location, Pc, Structure, Triple};
use std::collections::HashMap;
use std::hash::Hash;

/// How many branches take part in a synchronisation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parties {
    /// Two of them, as in table 5.
    Two,
    /// All of them, as in algorithm 1.
    All,
}

/// A synchronisation algebra for each composition, by its number: a symmetric partial function σ (definition 2.3).
pub trait Algebra<A> {
    /// How many branches synchronise.
    fn parties(&self, composition: usize) -> Parties;
    /// σ(a, ∗): what one branch does while the others are idle.
    fn alone(&self, composition: usize, action: &A) -> Option<A>;
    /// σ(a, b): what two branches do together.
    fn together(&self, composition: usize, one: &A, other: &A) -> Option<A>;
    /// What two actions have in common that can be done together.
    type Key: Hash + Eq;
    /// σ(a, b) is defined only where a and b have the same key; an action without one has no partner. So partners are
    /// looked up, and need not be searched for among all actions.
    fn key(&self, composition: usize, action: &A) -> Option<Self::Key>;
    /// What the outside sees of an action of the composition: operators around it may rename or forbid it.
    fn outward(&self, composition: usize, action: A) -> Option<A>;
}

/// Replaces the triples by those that the algebra allows. `limit` bounds their number.
pub fn synchronise<A: Clone, G: Clone>(
    structure: Structure<A, G>,
    algebra: &impl Algebra<A>,
    limit: usize,
) -> Result<Structure<A, G>, TooLarge> {
    let Structure { locations, start, triples, joins } = structure;
    let tree = Tree::new(&joins, locations.len());
    let mut inside: Vec<Vec<Vec<Triple<A, G>>>> =
        joins.iter().map(|j| j.branches.iter().map(|_| vec![]).collect()).collect();
    let mut out = vec![];
    for triple in triples {
        let around = triple.began.last().copied().or_else(|| tree.owner(triple.entry.first()?.0));
        match around {
            Some((join, branch)) => inside[join][branch].push(triple),
            None => out.push(triple),
        }
    }
    for join in tree.innermost_first() {
        let branches = std::mem::take(&mut inside[join]);
        let results = match joins[join].composition {
            None => branches.into_iter().flatten().collect(),
            Some(number) => Composition { tree: &tree, join, number, algebra, limit }.compose(branches)?,
        };
        match tree.owner(joins[join].parent.0) {
            Some((outer, branch)) => inside[outer][branch].extend(results),
            None => out.extend(results),
        }
        if out.len() > limit {
            return Err(TooLarge);
        }
    }
    Ok(Structure { locations, start, triples: out, joins })
}

/// Which branch of which composition each component belongs to.
struct Tree<'a> {
    joins: &'a [Join],
    owner: Vec<Option<(usize, usize)>>,
}

impl<'a> Tree<'a> {
    fn new(joins: &'a [Join], components: usize) -> Tree<'a> {
        let mut owner = vec![None; components];
        for (number, join) in joins.iter().enumerate() {
            for (branch, pc) in join.branches.iter().enumerate() {
                owner[pc.0 as usize] = Some((number, branch));
            }
        }
        Tree { joins, owner }
    }

    fn owner(&self, pc: Pc) -> Option<(usize, usize)> {
        self.owner[pc.0 as usize]
    }

    /// The branches around a component, from the inside to the outside.
    fn around(&self, pc: Pc) -> impl Iterator<Item = (usize, usize)> {
        std::iter::successors(self.owner(pc), |(join, _)| self.owner(self.joins[*join].parent.0))
    }

    fn innermost_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.joins.len()).collect();
        order.sort_by_cached_key(|&join| std::cmp::Reverse(self.around(self.joins[join].parent.0).count()));
        order
    }
}

struct Composition<'a, B> {
    tree: &'a Tree<'a>,
    join: usize,
    number: usize,
    algebra: &'a B,
    limit: usize,
}

impl<B> Composition<'_, B> {
    fn compose<A: Clone, G: Clone>(
        &self,
        branches: Vec<Vec<Triple<A, G>>>,
    ) -> Result<Vec<Triple<A, G>>, TooLarge>
    where
        B: Algebra<A>,
    {
        let mut joint = match self.algebra.parties(self.number) {
            Parties::Two => self.two(&branches)?,
            // Algorithm 1, lines 2 to 15. What finds no partner in a branch is dropped with it.
            Parties::All => {
                let mut so_far = branches.first().cloned().unwrap_or_default();
                for (branch, others) in branches.iter().enumerate().skip(1) {
                    let mut next = vec![];
                    self.pairs(&so_far, others, branch, &mut next)?;
                    so_far = next;
                }
                so_far
            }
        };
        let mut out = vec![];
        for triple in branches.into_iter().flatten() {
            if let Some(action) = self.algebra.alone(self.number, &triple.action) {
                out.push(Triple { action, ..triple });
            }
        }
        out.append(&mut joint);
        let seen = |triple: Triple<A, G>| {
            let action = self.algebra.outward(self.number, triple.action)?;
            Some(Triple { action, ..triple })
        };
        Ok(out.into_iter().filter_map(seen).collect())
    }

    /// The joint triples of two branches each.
    fn two<A: Clone, G: Clone>(&self, branches: &[Vec<Triple<A, G>>]) -> Result<Vec<Triple<A, G>>, TooLarge>
    where
        B: Algebra<A>,
    {
        // Where the triples with a key are: branch and number.
        let mut partners: HashMap<B::Key, Vec<(usize, usize)>> = HashMap::new();
        for (branch, triples) in branches.iter().enumerate() {
            for (number, triple) in triples.iter().enumerate() {
                if let Some(key) = self.algebra.key(self.number, &triple.action) {
                    partners.entry(key).or_default().push((branch, number));
                }
            }
        }
        let mut out = vec![];
        for (first, ones) in branches.iter().enumerate() {
            let mut pairs = vec![];
            for (number, one) in ones.iter().enumerate() {
                let key = self.algebra.key(self.number, &one.action);
                let known = key.and_then(|key| partners.get(&key)).map_or(&[][..], Vec::as_slice);
                let later = known.partition_point(|(branch, _)| *branch <= first);
                pairs.extend(known[later..].iter().map(|(second, other)| (*second, number, *other)));
                if pairs.len() > 8 * self.limit {
                    return Err(TooLarge);
                }
            }
            // The order of the branches, which is the order in which triples get their numbers.
            pairs.sort_unstable();
            for (second, number, other) in pairs {
                let (one, other) = (&ones[number], &branches[second][other]);
                if let Some(action) = self.algebra.together(self.number, &one.action, &other.action) {
                    out.extend(self.joined(one, other, second, action));
                }
            }
            if out.len() > self.limit {
                return Err(TooLarge);
            }
        }
        Ok(out)
    }

    /// The joint triples of `ones`, which may come from several branches, with those of one branch.
    fn pairs<A: Clone, G: Clone>(
        &self,
        ones: &[Triple<A, G>],
        others: &[Triple<A, G>],
        branch: usize,
        out: &mut Vec<Triple<A, G>>,
    ) -> Result<(), TooLarge>
    where
        B: Algebra<A>,
    {
        for one in ones {
            for other in others {
                let Some(action) = self.algebra.together(self.number, &one.action, &other.action) else {
                    continue;
                };
                out.extend(self.joined(one, other, branch, action));
            }
            if out.len() > self.limit {
                return Err(TooLarge);
            }
        }
        Ok(())
    }

    /// ⟦t, t'⟧σ, unless the two can never be enabled together.
    fn joined<A, G: Clone>(
        &self,
        one: &Triple<A, G>,
        other: &Triple<A, G>,
        branch: usize,
        action: A,
    ) -> Option<Triple<A, G>> {
        let begins = |triple: &Triple<A, G>| triple.began.iter().position(|(join, _)| *join == self.join);
        let (first, second) = (begins(one), begins(other));
        if first.is_some() != second.is_some() {
            return None;
        }
        let mut entry: Vec<(Pc, Location)> = one.entry.clone();
        for (pc, at) in &other.entry {
            match entry.iter().find(|(known, _)| known == pc) {
                Some((_, there)) if there != at => return None,
                Some(_) => {}
                None => entry.push((*pc, *at)),
            }
        }
        let own = |pc: Pc| self.tree.around(pc).any(|place| place == (self.join, branch));
        let set =
            one.exit.set.iter().copied().chain(other.exit.set.iter().copied().filter(|(pc, _)| own(*pc)));
        let mut joins = one.exit.joins.clone();
        joins.extend(other.exit.joins.iter().filter(|join| !one.exit.joins.contains(join)));
        let exit = Exit {
            set: set.collect(),
            picks: one.exit.picks.iter().chain(&other.exit.picks).cloned().collect(),
            joins,
        };
        let guards = one.guards.iter().chain(&other.guards).cloned().collect();
        // For the next branch and for the compositions around, it still begins what the first one begins.
        let began = one.began[..first.map_or(0, |at| at + 1)].to_vec();
        Some(Triple { entry, guards, action, exit, began })
    }
}
