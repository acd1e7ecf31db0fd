//! Measures the simulator: steps per second and memory, small and large. Prints a Markdown table.
//!
//! `cargo run --release -p swarmcheck-benches --bin bench-simulate > benches/results/simulate.md`

use std::sync::atomic::AtomicBool;
use std::time::Instant;
use swarmcheck_engine::control::{Budget, Control, Silent};
use swarmcheck_session::simulate::simulate;
use swarmcheck_session::{ModelOptions, SimulateOptions, TraceFormat, prepare, words};

/// A model with its parameters and how many steps to make.
const ROWS: &[(&str, &str, u64)] = &[
    ("examples/flock/flock.labs", "birds=10000 grid=1000 delta=10", 4_000),
    ("examples/flock/flock.labs", "birds=10000 grid=1000 delta=10", 40_000),
    ("examples/flock/flock.labs", "birds=100 grid=50 delta=5", 1_000_000),
    ("examples/flock/flock.labs", "birds=3 grid=5 delta=5", 5_000_000),
    ("examples/leader/leader.labs", "n=8", 2_000_000),
    ("examples/philosophers/philosophers.labs", "n=8", 2_000_000),
];

fn main() -> std::process::ExitCode {
    println!("| model | parameters | steps | steps per second of processor time | peak memory so far (MB) |");
    println!("|---|---|---|---|---|");
    for (path, parameters, steps) in ROWS {
        match row(path, parameters, *steps) {
            Ok((made, rate)) => println!("| {path} | {parameters} | {made} | {rate:.0} | {} |", memory()),
            Err(why) => {
                eprintln!("{path}: {why}");
                return 1.into();
            }
        }
    }
    0.into()
}

/// Runs until the steps are made, starting again after a deadlock. Returns the steps and the rate.
fn row(path: &str, parameters: &str, steps: u64) -> Result<(u64, f64), String> {
    let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
    let parameters = parameters
        .split_whitespace()
        .filter_map(|p| p.split_once('='))
        .map(|(n, v)| (n.to_string(), v.to_string()))
        .collect();
    let options = ModelOptions { parameters, ..ModelOptions::default() };
    let prepared = prepare(path, &bytes, options).map_err(|trouble| words::refusal(&trouble.into()))?;
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let mut made = 0;
    let began = seconds();
    let mut runs = 1;
    for seed in 0.. {
        let options = SimulateOptions {
            steps: steps - made,
            runs,
            seed,
            format: TraceFormat::Text,
            traces: false,
            ..SimulateOptions::default()
        };
        let report =
            simulate(&prepared, options, &control, &mut std::io::sink()).map_err(|e| e.to_string())?;
        made += report.steps;
        if made >= steps || report.steps == 0 {
            break;
        }
        // Runs are short: what is left takes about so many. What they share is prepared once for all.
        runs = ((steps - made) * report.runs / report.steps).max(1);
    }
    Ok((made, made as f64 / (seconds() - began).max(0.01)))
}

/// Processor time of this process so far, which other programs on the machine do not disturb; wall-clock time where
/// the system does not tell.
fn seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name in the second field may contain spaces; the numbers follow its closing parenthesis.
    let ticks = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(11)?.parse::<f64>().ok());
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    ticks.map_or_else(|| START.get_or_init(Instant::now).elapsed().as_secs_f64(), |t| t / 100.0)
}

/// Peak resident memory in MB, or `?` where the system does not tell.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kib = line.and_then(|l| l.split_whitespace().next()).and_then(|n| n.parse::<u64>().ok());
    kib.map_or("?".to_string(), |k| (k / 1024).to_string())
}
