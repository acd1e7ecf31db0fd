//! Symmetry reduction: states that differ only by a permutation of interchangeable agents are identified.
//!
//! The technique is from Ip and Dill, "Better verification through symmetry" (1993), and Emerson and Sistla,
//! "Symmetry and model checking" (1993). The rules below are those of Ip and Dill's scalarsets, but inferred instead
//! of declared; rotations are a second kind of group. The argument differs from theirs in that initial states need
//! not be symmetric.
//!
//! A permutation of agents acts on states: the copies of variables go along with their owners, and so do the numbers of
//! agents that variables hold and the cells of arrays that are indexed by such numbers. If it commutes with all steps
//! and leaves the properties alone, a search may replace every state by any permuted one, so that it sees one of the up
//! to `n!` states that differ in names only.
//!
//! # Which permutations
//!
//! *All* permutations of the agents of one kind (or of several kinds that have the same variables and code) if numbers
//! of these agents are only used
//!
//! * to say whose copy of a variable is meant,
//! * in `=` and `≠` with each other, or with what no permutation changes: ⊥, and numbers of no such agent,
//! * to be stored in variables that hold nothing else and are used in no other way,
//! * as an index of a dimension that is indexed by nothing else and has room for all of them or for none,
//!
//! and never in arithmetic or in `<`. Only *rotations*, if besides there is `(a + c) mod n` with a constant `c`,
//! where the agents are those from 0 to `n - 1`: neighbours on a ring, or whose turn is next.
//!
//! A variable holds numbers of agents, or other numbers; which of the two is found out by unification: `x = me` makes `x`
//! a holder of numbers of agents, `x + 1` does not allow it. A conflict means that there is no such symmetry.
//!
//! # Soundness
//!
//! *Steps commute with permutations.* Let `π` be one of them. By induction over expressions, the value of an expression
//! in `πs`, with `π` applied to `me` and to bound agents, is that in `s`, with `π` applied to it if its type is that of
//! agents. Comparison with `=` is injective; a constant that `π` would move is never compared with an agent; `and`, `or`
//! and `if` look at conditions only, which are the same. `+ c mod n` commutes with rotations. Quantifiers range over all
//! agents that are moved or over none, but meet them in another order: that only matters where the fault of one agent is
//! hidden behind the value of another, so `forall` and `exists` must not contain anything that can fault. Loops over
//! agents that are moved must have rounds that do not influence each other (`loops`). `Pick` draws and then tests, so
//! it meets the same agents under other names. Ranks depend on values only. So `s → s'` is a step of agent `a` exactly if
//! `πs → πs'` is one of agent `πa`, by the same function, or by the one of its new kind that says the same; it faults or
//! is disabled exactly if the other one does or is.
//!
//! *The initial states need not be symmetric.* Let `R` be what is reachable from any set `I` of initial states, and let
//! a search start from representatives of `I` and go on to representatives of successors, a representative of `s` being
//! some `πs`. Then
//!
//! * every `s` in `R` has its orbit visited: if `πs` is visited and `s → s'`, then `πs → πs'`, and a representative of
//!   `πs'` is visited, which is one of `s'`;
//! * every visited state is in the orbit of one in `R`: if `πs` is visited, with `s` in `R`, and `πs → t`, then
//!   `s → π⁻¹t`, which is in `R`, and the representative of `t` is in its orbit.
//!
//! So "in the same orbit" is a bisimulation between what is reachable and what is visited, step by step. Nowhere is it
//! used that `πs` itself is reachable for a reachable `s`: first timestamps by number, or a variable of which agent 0
//! alone has another initial value, do no harm. They only make orbits smaller.
//!
//! *Properties* are subject to the same rules, so they have the same truth in `s` and in `πs`. A bisimulation that
//! preserves their truth preserves all modalities, the number of steps, faults and deadlocks.
//!
//! *Domains* are known of reachable states, and the visited ones need not be reachable: a variable may hold the number of
//! an agent that it never holds otherwise. Code that packs states into few bits must use [`Symmetry::widen`] first.
//! For other variables a domain is the same for all copies, so permuting does no harm.

mod alike;
mod bare;
mod canon;
pub(crate) mod fault;
mod infer;
mod loops;
mod moved;
mod split;
mod types;

pub use canon::Canon;

use fault::Faults;
use infer::Variables;
use moved::Moved;
use swarmcheck_ir::{KindId, Program, VarId};

/// The symmetries of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// Groups act on disjoint sets of agents, so their permutations combine freely.
    pub groups: Vec<Group>,
}

/// A set of interchangeable agents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The agents, in order of their numbers; at least two.
    pub agents: Vec<u32>,
    pub moves: Moves,
    /// The variables whose values are numbers of agents as far as these are concerned: they are renamed.
    pub ids: Vec<VarId>,
    /// The dimensions of variables that are indexed by such numbers: their cells change places.
    pub indexed: Vec<(VarId, usize)>,
}

/// How the agents of a group may be permuted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moves {
    /// Every permutation.
    Full,
    /// Rotations only; the agents are 0, 1, 2, …
    Rotation,
}

/// Finds symmetries that preserve the given properties.
pub fn symmetry(program: &Program, properties: &[usize]) -> Option<Symmetry> {
    let try_kinds = |kinds: &[KindId], moves| {
        let moved = Moved { program, kinds: kinds.to_vec(), moves };
        group(&moved, properties)
    };
    let mut groups = vec![];
    for class in alike::classes(program) {
        if let Some(all) = try_kinds(&class, Moves::Full) {
            groups.push(all);
            continue;
        }
        let singles = || class.iter().map(std::slice::from_ref);
        let full: Vec<Group> = singles().filter_map(|k| try_kinds(k, Moves::Full)).collect();
        if !full.is_empty() {
            groups.extend(full);
            continue;
        }
        groups.extend([&class[..]].into_iter().chain(singles()).find_map(|k| try_kinds(k, Moves::Rotation)));
    }
    (!groups.is_empty()).then_some(Symmetry { groups })
}

/// The group, if its permutations are symmetries.
fn group(moved: &Moved<'_>, properties: &[usize]) -> Option<Group> {
    let program = moved.program;
    let agents = moved.agents();
    if agents.len() < 2 || (moved.moves == Moves::Rotation && moved.ring().is_none()) {
        return None;
    }
    let mut vars = Variables::new(moved);
    program.functions.iter().for_each(|f| vars.function(f));
    for e in properties.iter().flat_map(|p| program.properties[*p].exprs()) {
        match Faults::new(program, &[]).possible(e) {
            true => vars.closed(e),
            false => vars.closed(&split::split(moved, e)),
        }
    }
    let mut indexed = vec![];
    for (v, var) in program.vars.iter().enumerate() {
        for (dimension, size) in var.dimensions.iter().enumerate() {
            if vars.types.is_id(vars.index[v][dimension]) {
                indexed.push((VarId(v as u32), dimension));
                vars.types.fits &= moved.whole(0, i64::from(*size));
            }
        }
    }
    let ids = (0..program.vars.len()).filter(|v| vars.types.is_id(vars.holds[*v]));
    let ids = ids.map(|v| VarId(v as u32)).collect();
    vars.types.fits.then_some(Group { agents, moves: moved.moves, ids, indexed })
}

impl Symmetry {
    /// The groups whose permutations exchange copies of variables and rename nothing.
    pub fn interchangeable(&self) -> Vec<Vec<u32>> {
        let plain = |g: &&Group| g.moves == Moves::Full && g.ids.is_empty() && g.indexed.is_empty();
        self.groups.iter().filter(plain).map(|g| g.agents.clone()).collect()
    }

    /// Widens domains so that they hold in permuted states as well.
    pub fn widen(&self, program: &mut Program) {
        for group in &self.groups {
            let (Some(first), Some(last)) = (group.agents.first(), group.agents.last()) else { continue };
            for id in &group.ids {
                if let Some((lo, hi)) = &mut program.vars[id.0 as usize].domain
                    && group.agents.iter().any(|a| (*lo..=*hi).contains(&i64::from(*a)))
                {
                    *lo = i64::from(*first).min(*lo);
                    *hi = i64::from(*last).max(*hi);
                }
            }
        }
    }
}
