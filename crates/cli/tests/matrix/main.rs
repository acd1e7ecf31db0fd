//! Every example written for every target, and decided by the programs that decide such files: CBMC, Spin, ABC, Z3, and NuSMV where it is
//! installed. Their verdicts are those of `examples/*/swarmcheck.toml`; one that differs fails the test.
//!
//! `cargo test` takes the first rows of some examples. The whole matrix is
//!
//!     SWARMCHECK_MATRIX_MINUTES=0 cargo test --release -p swarmcheck-cli --test matrix -- --ignored --nocapture
//!
//! which may take hours and prints the table of `docs/backends.md`. With a number of minutes, rows are taken in a fixed order until they are over, and those
//! that are left are counted. A program that is missing is skipped with a line that says so, unless `SWARMCHECK_REQUIRE` names it, as in CI.

#[path = "../common/mod.rs"]
mod common;
mod compiled;
mod deciders;
mod horn;
mod rows;

use deciders::{DECIDERS, Decider, SECONDS, Said, export};
use rows::{Row, rows};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Rows that are decided at the same time.
const THREADS: usize = 2;

/// How often something happened to the rows of a target.
#[derive(Clone, Default, Debug)]
struct Counts {
    rows: usize,
    agreed: usize,
    timed_out: usize,
    /// How often each reason was given.
    refused: BTreeMap<String, usize>,
    not_reached: usize,
    wrong: Vec<String>,
}

impl Counts {
    fn note(&mut self, row: &Row, said: Said) {
        self.rows += 1;
        match said {
            Said::Verdict { theirs, ours } if theirs == ours => self.agreed += 1,
            Said::Verdict { theirs, ours } => self.wrong.push(format!("{row:?}: {theirs}, not {ours}")),
            Said::TimedOut => self.timed_out += 1,
            Said::Refused(why) => *self.refused.entry(shortened(&why)).or_default() += 1,
            Said::Failed(why) => self.wrong.push(why),
        }
    }

    fn refusals(&self) -> usize {
        self.refused.values().sum()
    }
}

/// A reason without the names in it, so that it can be counted.
fn shortened(why: &str) -> String {
    let why = why.split("; ").next().unwrap_or(why);
    let quoted = |text: &str, sign: char| -> String {
        text.split(sign).enumerate().map(|(at, part)| if at % 2 == 1 { "…" } else { part }).collect()
    };
    quoted(&quoted(why, '`'), '\'')
}

/// Does something to all jobs, on all threads, until the time is over; how many were left.
fn each<T: Sync>(jobs: &[T], until: Option<Instant>, work: impl Fn(&T, &PathBuf) + Sync) -> usize {
    let (next, left) = (AtomicUsize::new(0), AtomicUsize::new(0));
    // Several tests of this program run at once, and each removes its folders.
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let call = CALLS.fetch_add(1, Ordering::Relaxed);
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let (next, left, work) = (&next, &left, &work);
            let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
                .join(format!("matrix-{}-{call}-{thread}", std::process::id()));
            std::fs::create_dir_all(&folder).unwrap();
            scope.spawn(move || {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match until.is_some_and(|end| Instant::now() >= end) {
                        true => drop(left.fetch_add(1, Ordering::Relaxed)),
                        false => work(job, &folder),
                    }
                }
                let _ = std::fs::remove_dir_all(&folder);
            });
        }
    });
    left.into_inner()
}

/// Asks deciders about rows.
fn decide(deciders: &[&Decider], rows: &[Row], until: Option<Instant>) -> Vec<Counts> {
    let jobs: Vec<(usize, &Row)> =
        rows.iter().flat_map(|row| (0..deciders.len()).map(move |at| (at, row))).collect();
    let counts = Mutex::new(vec![Counts::default(); deciders.len()]);
    let done = Mutex::new(vec![0; deciders.len()]);
    each(&jobs, until, |(at, row), folder| {
        let said = (deciders[*at].ask)(row, folder);
        counts.lock().unwrap()[*at].note(row, said);
        done.lock().unwrap()[*at] += 1;
    });
    let mut counts = counts.into_inner().unwrap();
    for (counts, done) in counts.iter_mut().zip(done.into_inner().unwrap()) {
        counts.not_reached = rows.len() - done;
    }
    counts
}

/// Prints a table for `docs/backends.md`, and why questions were refused.
fn report(decided: &[(&Decider, Counts)]) {
    println!(
        "| target | program | rows | decided | agree | not decided in {SECONDS} s | refused | not reached |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (decider, counts) in decided {
        println!(
            "| `{}` | {} | {} | {} | {} | {} | {} | {} |",
            decider.target,
            decider.name,
            counts.rows,
            counts.agreed + counts.wrong.len(),
            counts.agreed,
            counts.timed_out,
            counts.refusals(),
            counts.not_reached
        );
    }
    for (decider, counts) in decided {
        for (why, times) in &counts.refused {
            println!("{} refused {times} times: {why}", decider.name);
        }
    }
}

fn check(decided: &[(&Decider, Counts)]) {
    let wrong: Vec<String> = decided.iter().flat_map(|(_, counts)| counts.wrong.clone()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// All deciders whose programs are there.
fn present() -> Vec<&'static Decider> {
    DECIDERS.iter().filter(|decider| decider.present()).collect()
}

/// A few rows for every program: the first about a model of each language, and one that is violated.
#[test]
fn a_slice() {
    let deciders = present();
    let files = ["approx.labs", "leader.labs", "peterson.ccs", "stock.chor", "buffer.rcp", "store.rcp"];
    let rows: Vec<Row> = rows()
        .into_iter()
        .filter(|row| row.rank == 0 && files.iter().any(|file| row.file.ends_with(file)))
        .collect();
    assert_eq!(rows.len(), files.len());
    let counts = decide(&deciders, &rows, None);
    let decided: Vec<(&Decider, Counts)> = deciders.into_iter().zip(counts).collect();
    report(&decided);
    check(&decided);
    for (decider, counts) in &decided {
        assert!(counts.agreed >= 1, "{}: {counts:?}", decider.name);
    }
}

/// Everything, as long as the minutes in `SWARMCHECK_MATRIX_MINUTES` allow; 0 is no limit.
#[test]
#[ignore = "takes minutes or hours; CI runs it by itself"]
fn the_matrix() {
    let minutes = std::env::var("SWARMCHECK_MATRIX_MINUTES").ok().and_then(|text| text.parse::<u64>().ok());
    let minutes = minutes.unwrap_or(0);
    let rows = rows();
    assert!(rows.len() > 300, "only {} rows", rows.len());
    // Every example for every target, whatever time that takes: the first question about each file.
    let help = String::from_utf8(swarmcheck_targets()).unwrap();
    let mut targets: Vec<&str> = help.split(", ").map(str::trim).collect();
    assert!(targets.len() >= 16, "{targets:?}");
    // They write the same process as `drn`.
    targets.retain(|target| !["jani", "prism"].contains(target));
    let first: Vec<&Row> = rows.iter().filter(|row| row.rank == 0).collect();
    assert!(first.len() >= 30, "only {} files", first.len());
    let jobs: Vec<(&str, &Row)> =
        targets.iter().flat_map(|target| first.iter().map(move |row| (*target, *row))).collect();
    let counts = Mutex::new(BTreeMap::<&str, Counts>::new());
    each(&jobs, None, |(target, row), folder| {
        let said = export(row, target, &folder.join("exported"));
        counts.lock().unwrap().entry(target).or_default().note(row, said);
    });
    println!("| target | models | written | refused | not written in {SECONDS} s |\n|---|---|---|---|---|");
    let mut wrong = vec![];
    for (target, counts) in counts.into_inner().unwrap() {
        println!(
            "| `{target}` | {} | {} | {} | {} |",
            counts.rows,
            counts.agreed,
            counts.refusals(),
            counts.timed_out
        );
        counts.refused.iter().for_each(|(why, times)| println!("{target} refused {times} times: {why}"));
        assert!(counts.agreed >= 1, "{target}: {counts:?}");
        wrong.extend(counts.wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let deciders = present();
    let until = (minutes > 0).then(|| Instant::now() + Duration::from_secs(60 * minutes));
    let counts = decide(&deciders, &rows, until);
    let decided: Vec<(&Decider, Counts)> = deciders.into_iter().zip(counts).collect();
    report(&decided);
    check(&decided);
    for (decider, counts) in &decided {
        assert!(counts.agreed >= 5, "{}: {counts:?}", decider.name);
    }
}

/// The names of all targets, as the help gives them.
fn swarmcheck_targets() -> Vec<u8> {
    let output = common::run("export --help");
    let text = String::from_utf8_lossy(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    let begin = "[default: emulation] [possible values: ";
    let list = text.split_once(begin).and_then(|(_, rest)| rest.split_once(']'));
    list.map(|(list, _)| list.as_bytes().to_vec()).unwrap_or_default()
}
