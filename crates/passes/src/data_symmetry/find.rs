//! The search for symmetries: candidates are built variable by variable, and dropped as soon as a piece of code that
//! reads or writes only variables decided so far does not commute.
//!
//! Symmetries that exchange no variables are closed under composition, and each is its own inverse: one with each
//! first variable, if there is one, generates all of them. For each pair of variables one symmetry that exchanges
//! them is looked for; others that do are this one after some that exchange less.

use super::axes::{Known, Map};
use super::commute::Prover;
use super::families::Families;
use super::{DataSymmetries, DataSymmetry, VarImage, group};
use std::collections::{BTreeSet, HashMap};
use swarmcheck_ir::ground::{Ground, Routine, Term, Touched, few_states, reads};
use swarmcheck_ir::{Program, VarId};

/// Larger programs are not looked into.
const MOST_INSTANCES: u64 = 512;
/// More candidates than this, begun or finished, are not tried.
const MOST_CANDIDATES: u32 = 1 << 12;
/// For all proofs together, code is run at most so often.
const MOST_RUNS: u64 = 1 << 22;

/// Systems with at most so many states are searched faster than large budgets are spent.
const FEW_STATES: usize = 4096;
/// To know whether there are so few, instances are run at most so often.
const FEW_RUNS: usize = 100_000;
/// What a small system gets: something to begin with, and so many runs for each state.
const SMALL_BUDGET: (u64, u64) = (20_000, 40);

/// How often code may be run to find symmetries.
fn budget(ground: &Ground) -> u64 {
    let (least, each) = SMALL_BUDGET;
    few_states(ground, FEW_STATES, FEW_RUNS).map_or(MOST_RUNS, |states| least + each * states.len() as u64)
}

/// Something that must commute, with the movable variables it refers to.
struct Item<'a> {
    what: What<'a>,
    families: Vec<usize>,
}

enum What<'a> {
    Condition(Term),
    Guard(&'a Routine),
    Body(&'a Routine),
}

/// Where a movable variable goes, and whether its values are reflected; `None`: not decided yet.
type Decided = Option<(usize, bool)>;

struct Search<'a> {
    program: &'a Program,
    families: &'a Families,
    prover: Prover<'a>,
    items: Vec<Item<'a>>,
    /// What is known about items, by what is decided about their variables and those these are exchanged with.
    memory: HashMap<(usize, Vec<(Decided, Decided)>), bool>,
    candidates: u32,
}

pub(super) fn find(program: &Program, properties: &[usize], fixed: &[VarId]) -> Option<DataSymmetries> {
    let agents = |kinds: &[swarmcheck_ir::KindId]| -> u64 {
        kinds.iter().map(|kind| u64::from(program.kind(*kind).count)).sum()
    };
    if program.functions.iter().map(|f| agents(&f.owners)).sum::<u64>() > MOST_INSTANCES {
        return None;
    }
    let families = Families::new(program, fixed);
    if families.movable.is_empty() {
        return None;
    }
    // What is tabulated for speed cannot be looked into; without domains nothing is.
    let mut open = program.clone();
    open.vars.iter_mut().for_each(|var| var.domain = None);
    let ground = Ground::new(&open);
    let items = items(&open, &ground, properties, &families);
    let mut search = Search {
        program,
        families: &families,
        prover: Prover::new(&families, &ground, budget(&ground)),
        items,
        memory: HashMap::new(),
        candidates: 0,
    };
    let generators = search.generators();
    let identity = search.symmetry(&vec![None; families.movable.len()]);
    let mut all = group::generate(identity.clone(), &generators);
    all.remove(&identity);
    let moved = |v: usize| all.iter().any(|symmetry| symmetry.moves(VarId(v as u32)));
    let bounds = (0..program.vars.len()).map(|v| families.bounds(VarId(v as u32)).filter(|_| moved(v)));
    let bounds = bounds.collect();
    (!all.is_empty()).then(|| DataSymmetries { symmetries: all.into_iter().collect(), bounds })
}

/// All that must commute: what is quickly proved or refused comes first.
fn items<'a>(
    program: &Program,
    ground: &'a Ground,
    properties: &[usize],
    families: &Families,
) -> Vec<Item<'a>> {
    let width = ground.width();
    let named = |slots: &[u32]| -> Vec<usize> {
        let vars: BTreeSet<VarId> = slots.iter().map(|&slot| ground.layout.cell(slot).var).collect();
        (0..families.movable.len()).filter(|at| vars.contains(&families.movable[*at])).collect()
    };
    let mut items = vec![];
    for e in properties.iter().flat_map(|p| program.properties[*p].exprs()) {
        let condition = ground.condition(program, e);
        items.push(Item { families: named(&reads(&condition, width)), what: What::Condition(condition) });
    }
    for routine in ground.instances() {
        let mut read = reads(routine.guard(), width);
        read.extend(routine.tests().iter().map(|(slot, _)| *slot));
        items.push(Item { families: named(&read), what: What::Guard(routine) });
        let body = Touched::by_code(&[], routine.body(), width);
        let families = named(&[body.reads, body.writes].concat());
        items.push(Item { families, what: What::Body(routine) });
    }
    items.retain(|item| !item.families.is_empty());
    items.sort_by_key(|item| item.families.len());
    items
}

impl Search<'_> {
    fn generators(&mut self) -> Vec<DataSymmetry> {
        let count = self.families.movable.len();
        let mut out = vec![];
        for first in 0..count {
            let mut decided: Vec<Decided> = vec![None; count];
            (0..first).for_each(|at| decided[at] = Some((at, false)));
            decided[first] = Some((first, true));
            if self.reflects(first) && self.complete(&mut decided, false) {
                out.push(self.symmetry(&decided));
            }
        }
        for a in 0..count {
            for b in a + 1..count {
                out.extend(self.exchange(a, b));
            }
        }
        out
    }

    /// A symmetry that exchanges two variables.
    fn exchange(&mut self, a: usize, b: usize) -> Option<DataSymmetry> {
        let movable = &self.families.movable;
        if !self.families.alike(self.program, movable[a], movable[b]) {
            return None;
        }
        for &(there, back) in self.ways(a, true) {
            let mut decided: Vec<Decided> = vec![None; movable.len()];
            (decided[a], decided[b]) = (Some((b, there)), Some((a, back)));
            if self.complete(&mut decided, true) {
                return Some(self.symmetry(&decided));
            }
        }
        None
    }

    /// Whether the values of a variable can be reflected.
    fn reflects(&self, at: usize) -> bool {
        self.families.sum(self.families.movable[at]).is_some()
    }

    /// Whether values are reflected on the way there and back.
    fn ways(&self, at: usize, both: bool) -> &'static [(bool, bool)] {
        match (self.reflects(at), both) {
            (false, _) => &[(false, false)],
            (true, false) => &[(false, false), (true, true)],
            (true, true) => &[(false, false), (true, true), (false, true), (true, false)],
        }
    }

    /// Decides what is left, so that everything commutes; whether that is possible.
    fn complete(&mut self, decided: &mut Vec<Decided>, exchanges: bool) -> bool {
        self.candidates += 1;
        if self.candidates > MOST_CANDIDATES || !self.commutes(decided) {
            return false;
        }
        let Some(at) = decided.iter().position(Option::is_none) else { return true };
        for &(there, _) in self.ways(at, false) {
            decided[at] = Some((at, there));
            if self.complete(decided, exchanges) {
                return true;
            }
        }
        let movable = &self.families.movable;
        for other in at + 1..if exchanges { movable.len() } else { 0 } {
            if decided[other].is_some() || !self.families.alike(self.program, movable[at], movable[other]) {
                continue;
            }
            for &(there, back) in self.ways(at, true) {
                (decided[at], decided[other]) = (Some((other, there)), Some((at, back)));
                if self.complete(decided, exchanges) {
                    return true;
                }
            }
            decided[other] = None;
        }
        decided[at] = None;
        false
    }

    /// Whether all items whose variables are decided commute.
    fn commutes(&mut self, decided: &[Decided]) -> bool {
        let symmetry = self.symmetry(decided);
        let mut map = None;
        for number in 0..self.items.len() {
            let Some(key) = self.key(number, decided) else { continue };
            if let Some(known) = self.memory.get(&(number, key.clone())) {
                if !known {
                    return false;
                }
                continue;
            }
            let prover = &mut self.prover;
            let map = map.get_or_insert_with(|| Map::new(prover.ground, &symmetry));
            let commutes = !prover.exhausted()
                && match &self.items[number].what {
                    What::Condition(condition) => prover.invariant(map, condition, &Known::new()),
                    What::Guard(routine) => prover.guard(map, routine),
                    What::Body(routine) => prover.body(map, routine),
                };
            self.memory.insert((number, key), commutes);
            if !commutes {
                return false;
            }
        }
        true
    }

    /// What is decided about the variables of an item, if all is.
    fn key(&self, number: usize, decided: &[Decided]) -> Option<Vec<(Decided, Decided)>> {
        let families = self.items[number].families.iter();
        families.map(|&at| decided[at].map(|(to, _)| (decided[at], decided[to]))).collect()
    }

    /// What is decided, as a map of states; what is not decided stays as it is.
    fn symmetry(&self, decided: &[Decided]) -> DataSymmetry {
        let identity = |v: usize| VarImage { to: VarId(v as u32), sum: None };
        let mut images: Vec<VarImage> = (0..self.program.vars.len()).map(identity).collect();
        for (&var, decided) in self.families.movable.iter().zip(decided) {
            if let Some((to, reflected)) = decided {
                let sum = self.families.sum(var).filter(|_| *reflected);
                images[var.0 as usize] = VarImage { to: self.families.movable[*to], sum };
            }
        }
        DataSymmetry { images }
    }
}
