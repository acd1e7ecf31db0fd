//! First try.
use swarmcheck_testkit::{Limits, compare, generate, read, shrink::shrink};
use swarmcheck_labs::lower::{Options, Semantics};

fn options(seed: u64) -> Options {
    Options { fair: seed % 2 == 1, semantics: if seed % 4 < 2 { Semantics::Sliver } else { Semantics::Paper } }
}

#[test]
fn first() {
    let n: u64 = std::env::var("N").ok().and_then(|n| n.parse().ok()).unwrap_or(200);
    let first: u64 = std::env::var("S").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let most: u64 = std::env::var("M").ok().and_then(|n| n.parse().ok()).unwrap_or(3);
    let mut bad = 0;
    let mut states = vec![];
    let (mut errors, mut dead, mut complete) = (0,0,0);
    let start = std::time::Instant::now();
    let limits = Limits { states: 200, depth: 60 };
    for seed in first..first+n {
        let text = generate::system(seed);
        if std::env::var("V").is_ok() { eprintln!("seed {seed}\n{text}"); }
        let model = read(&text).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        match compare(&text, &model, options(seed), limits) {
            Ok(s) => { states.push(s.states); errors += usize::from(s.errors > 0); dead += usize::from(s.deadlocks > 0); complete += usize::from(s.complete) }
            Err(m) => { bad += 1; if bad <= most {
                let small = shrink(&text, |t| read(t).is_ok_and(|m| compare(t, &m, options(seed), limits).is_err()));
                println!("seed {seed}: {}", compare(&small, &read(&small).unwrap(), options(seed), limits).unwrap_err()); }
            }
        }
    }
    states.sort();
    println!("{} small; {:?} bad {bad} errors {errors} dead {dead} complete {complete} of {n}; deciles {:?}", states.iter().filter(|s| **s<5).count(), start.elapsed(), (0..10).map(|d| states[d*states.len()/10]).collect::<Vec<_>>());
}
