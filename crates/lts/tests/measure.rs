//! How long the engines take for large systems, side by side, and how much memory they need. Run it with
//! `cargo test --release -p swarmcheck-lts --test measure -- --ignored --nocapture`. The environment variable
//! `SWARMCHECK_MEASURE` chooses systems by a part of their names. With `MALLOC_MMAP_THRESHOLD_=65536`, memory that was
//! given back is not counted again.

#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "prints what it measures, with a clock and with what the system tells about memory"
)]

mod common;

use common::Random;
use common::systems::{System, chain, counters, descending, fan, random, ring, stairs, tree};
use std::fs;
use std::time::{Duration, Instant};
use swarmcheck_lts::Equivalence::{self, Branching, DivergenceBranching, Strong};
use swarmcheck_lts::{Raw, Stop, Stopped, partition, partition_by_bunches, partition_by_signatures};

/// An engine that takes longer is stopped.
const PATIENCE: Duration = Duration::from_secs(60);

/// Memory in bytes by what Linux tells about this process, if it does: now (`VmRSS`) or at most (`VmHWM`).
fn memory(field: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with(field))?;
    Some(1024 * line.split_whitespace().nth(1)?.parse::<u64>().ok()?)
}

type Engine = fn(&Raw<'_>, Equivalence, Stop<'_>) -> Result<Vec<u32>, Stopped>;

struct Run {
    classes: Option<Vec<u32>>,
    seconds: f64,
    /// For each transition.
    bytes: Option<f64>,
}

fn run(engine: Engine, system: &System, kind: Equivalence) -> Run {
    // This makes the most memory that is needed from now on the most that there was.
    let reset = fs::write("/proc/self/clear_refs", "5").ok();
    let before = memory("VmRSS");
    let start = Instant::now();
    let classes = engine(&system.raw(), kind, &|_| start.elapsed() > PATIENCE).ok();
    let seconds = start.elapsed().as_secs_f64();
    let most = reset.and_then(|()| memory("VmHWM"));
    let bytes = before.zip(most).map(|(before, most)| most.saturating_sub(before) as f64);
    Run { classes, seconds, bytes: bytes.map(|bytes| bytes / system.edges.len() as f64) }
}

fn measure(name: &str, make: impl FnOnce() -> System) {
    if std::env::var("SWARMCHECK_MEASURE").is_ok_and(|part| !name.contains(&part)) {
        return;
    }
    let system = &make();
    println!("{name}: {} states, {} transitions", system.states(), system.edges.len());
    for kind in [Strong, Branching, DivergenceBranching] {
        let both = run(partition, system, kind);
        let new = run(partition_by_bunches, system, kind);
        let old = run(partition_by_signatures, system, kind);
        let count = new.classes.as_ref().map_or(0, |classes| classes.iter().max().map_or(0, |last| last + 1));
        if let (Some(new), Some(old)) = (&new.classes, &old.classes) {
            assert!(new == old && both.classes.as_ref() == Some(new), "{name}: the engines agree");
        }
        let time = |run: &Run| match run.classes {
            Some(_) => format!("{:7.2} s", run.seconds),
            None => format!(">{:6.2} s", run.seconds),
        };
        let bytes = |run: &Run| run.bytes.map_or("?".into(), |bytes| format!("{bytes:4.0} B"));
        println!(
            "  {:20} {count:8} classes  both {} {}  bunches {} {}  signatures {} {}",
            format!("{kind:?}"),
            time(&both),
            bytes(&both),
            time(&new),
            bytes(&new),
            time(&old),
            bytes(&old)
        );
    }
}

#[test]
#[ignore = "takes minutes"]
fn large_systems() {
    let r = || Random::new(1);
    measure("random, a third invisible", || random(&mut r(), 1_000_000, 3_000_000, 5, 33));
    measure("random, sparse", || random(&mut r(), 1_500_000, 2_000_000, 3, 50));
    measure("random, no cycles", || descending(&mut r(), 1_000_000, 3_000_000, 3, 60));
    measure("random, dense", || random(&mut r(), 100_000, 3_000_000, 50, 10));
    let with_classes = || descending(&mut r(), 1_000_000, 3_000_000, 3, 60).with_classes(&mut r(), 10);
    measure("random, with classes", with_classes);
    measure("invisible chain", || chain(1_000_000, &[0]));
    measure("visible chain", || chain(1_000_000, &[1]));
    measure("chain, half invisible", || chain(1_000_000, &[0, 1]));
    measure("ring, a third invisible", || ring(1_000_000, &[0, 1, 1]));
    measure("tree", || tree(19, &[1, 0, 2]));
    measure("4 counters, 2 visible", || counters(&[0, 0, 1, 2], 26, None));
    measure("6 counters that start again", || counters(&[0, 0, 0, 1, 1, 2], 8, Some(3)));
    measure("6 counters with one label", || counters(&[1, 1, 1, 1, 1, 1], 8, None));
    measure("fan", || fan(2_000, 20_000));
    measure("stairs", || stairs(20_000));
}
