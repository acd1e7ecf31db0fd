//! Ways to ask an engine: which reductions, which bound, how many threads. A seed gives a plan.

use swarmcheck_engine::{Reductions, Subject, Task};
use swarmcheck_ir::flat::Flat;
use swarmcheck_session::verify::{Decider, VerifyOptions};
use swarmcheck_simulate::Rng;

/// One way to ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ask {
    /// What may be used to make the search smaller.
    pub reductions: Reductions,
    /// Only executions of this many steps.
    pub bound: Option<u32>,
    /// Executions that stop are excused.
    pub ignore_deadlock: bool,
    /// How many threads.
    pub threads: usize,
    /// How many bits of hashes are used.
    pub hash_bits: u32,
    /// One question only, or all of them.
    pub only: Option<Subject>,
}

impl Ask {
    /// All questions, without a bound, on one thread.
    pub fn new(reductions: Reductions) -> Ask {
        Ask { reductions, bound: None, ignore_deadlock: false, threads: 1, hash_bits: 64, only: None }
    }

    /// Nothing changes the states that are visited.
    pub fn precise(&self) -> bool {
        Reductions { ranges: false, packed: false, ..self.reductions } == Reductions::NONE
    }

    /// As an engine wants it.
    pub fn task(&self, flat: &Flat) -> Task {
        let all = (0..flat.program.properties.len()).map(Subject::Property).chain([Subject::DeadlockFreedom]);
        let asked: Vec<Subject> = all.filter(|s| self.only.is_none_or(|only| only == *s)).collect();
        let number = |s: &Subject| match s {
            Subject::Property(number) => Some(*number),
            Subject::DeadlockFreedom => None,
        };
        Task {
            properties: asked.iter().filter_map(number).collect(),
            deadlock: asked.contains(&Subject::DeadlockFreedom),
            bound: self.bound,
            ignore_deadlock: self.ignore_deadlock,
            reductions: self.reductions,
            threads: self.threads,
            hash_bits: self.hash_bits,
            ..Task::new(flat)
        }
    }

    /// As the session wants it. It cannot be asked about deadlocks only.
    pub fn options(&self, flat: &Flat) -> VerifyOptions {
        let task = self.task(flat);
        let name = |p: &usize| flat.program.properties[*p].name.clone();
        VerifyOptions {
            properties: task.properties.iter().map(name).collect(),
            deadlock: task.deadlock,
            steps: self.bound,
            ignore_deadlock: self.ignore_deadlock,
            reductions: self.reductions,
            threads: self.threads,
            hash_bits: self.hash_bits,
            engine: Decider::Explicit,
            ..VerifyOptions::default()
        }
    }
}

impl std::fmt::Display for Ask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let on: Vec<&str> = NAMES.iter().copied().filter(|name| get(self.reductions, name)).collect();
        write!(f, "reductions [{}]", on.join(" "))?;
        if let Some(bound) = self.bound {
            write!(f, ", {bound} steps")?;
        }
        if self.ignore_deadlock {
            f.write_str(", ignoring deadlocks")?;
        }
        if let Some(only) = self.only {
            write!(f, ", {only:?} only")?;
        }
        write!(f, ", {} threads, {} hash bits", self.threads, self.hash_bits)
    }
}

const NAMES: [&str; 9] =
    ["ranges", "fold", "slice", "stale", "dead", "symmetry", "data symmetry", "partial order", "packed"];

fn switch<'a>(reductions: &'a mut Reductions, name: &str) -> &'a mut bool {
    match name {
        "ranges" => &mut reductions.ranges,
        "fold" => &mut reductions.fold,
        "slice" => &mut reductions.slice,
        "stale" => &mut reductions.stale,
        "dead" => &mut reductions.dead,
        "symmetry" => &mut reductions.symmetry,
        "data symmetry" => &mut reductions.data_symmetry,
        "partial order" => &mut reductions.partial_order,
        _ => &mut reductions.packed,
    }
}

fn get(mut reductions: Reductions, name: &str) -> bool {
    *switch(&mut reductions, name)
}

fn with(mut reductions: Reductions, name: &str, value: bool) -> Reductions {
    *switch(&mut reductions, name) = value;
    reductions
}

/// Each reduction on its own, and all but each.
pub fn combinations() -> Vec<Reductions> {
    let single = NAMES.iter().map(|name| with(Reductions::NONE, name, true));
    let others = NAMES.iter().map(|name| with(Reductions::ALL, name, false));
    single.chain(others).collect()
}

fn random(rng: &mut Rng) -> Reductions {
    NAMES.iter().fold(Reductions::NONE, |all, name| with(all, name, rng.below(2) == 0))
}

/// What to ask about the system with this number: always without reductions and with all of them, and with so many of
/// the combinations, or all there are.
pub fn plan(seed: u64, properties: usize, most: usize) -> Vec<Ask> {
    let mut rng = Rng::for_run(0xA5C, seed);
    let bound = Some(rng.below(8) as u32);
    let one = Subject::Property(rng.below(properties.max(1) as u64) as usize);
    let mut reductions = combinations();
    reductions.extend((0..3).map(|_| random(&mut rng)));
    while reductions.len() > most {
        reductions.remove(rng.below(reductions.len() as u64) as usize);
    }
    let [none, all] = [Ask::new(Reductions::NONE), Ask::new(Reductions::ALL)];
    let mut out = vec![none, all];
    out.extend(reductions.into_iter().map(Ask::new));
    for ask in [none, all] {
        out.push(Ask { bound, ..ask });
        out.push(Ask { ignore_deadlock: true, ..ask });
    }
    out.push(Ask { only: Some(one), ..none });
    out.push(Ask { hash_bits: 16, ..none });
    out.push(Ask { hash_bits: 3, threads: 2, ..all });
    let (some, other) = (random(&mut rng), random(&mut rng));
    out.push(Ask { bound, ignore_deadlock: true, ..Ask::new(some) });
    out.push(Ask { bound, ..Ask::new(other) });
    out.push(Ask { ignore_deadlock: true, ..Ask::new(other) });
    out.push(Ask { only: Some(Subject::DeadlockFreedom), ..Ask::new(some) });
    out
}
