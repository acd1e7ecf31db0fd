//! Random runs of the flock side by side: swarmcheck, a loop written by hand, and Mesa, in turn, in one run.
//!
//! `cargo run --release -p swarmcheck-benches --bin bench-runs > benches/results/runs.md`; see `benches/README.md`.

use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use swarmcheck_benches::byhand::runs::Flock;
use swarmcheck_benches::checker::root;
use swarmcheck_benches::figures::short;
use swarmcheck_benches::measured;
use swarmcheck_engine::control::{Budget, Control, Silent};
use swarmcheck_session::simulate::simulate;
use swarmcheck_session::{ModelOptions, Prepared, SimulateOptions, prepare, words};
use swarmcheck_simulate::{Rng, Start, Starts, Taken};

/// Birds, grid, sight; steps of swarmcheck and of the loop, steps of the loop that asks everybody, steps of Mesa.
const ROWS: &[(usize, i32, i32, [u64; 3])] =
    &[(3, 5, 5, [6_000_000, 6_000_000, 60_000]), (10_000, 1000, 10, [600_000, 20_000, 10_000])];
const FILE: &str = "examples/flock/flock.labs";
const ROUNDS: u64 = 3;
const SEED: u64 = 1;

fn main() -> ExitCode {
    println!(
        "Agent steps per second of processor time on one core, the best of {ROUNDS} rounds in turn; see \
         [../README.md](../README.md).\n"
    );
    println!("| flock | program | steps | steps per second | swarmcheck with properties is |");
    println!("|---|---|---|---|---|");
    for row in ROWS {
        if let Err(why) = measure(*row) {
            eprintln!("{why}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// The steps and the seconds of one program.
type Cost = Result<(u64, f64), String>;

fn measure((birds, grid, delta, steps): (usize, i32, i32, [u64; 3])) -> Result<(), String> {
    let name = format!("{birds} birds on {grid} × {grid}, sight {delta}");
    let prepared = model(birds, grid, delta)?;
    same_states(&prepared, (birds, grid, delta), steps[0].min(100_000))?;
    let programs: [(&str, &dyn Fn() -> Cost); 5] = [
        ("swarmcheck, properties watched", &|| watched(&prepared, steps[0])),
        ("swarmcheck, no properties", &|| alone(&prepared, steps[0])),
        ("by hand, a table of places", &|| by_hand((birds, grid, delta), steps[0], false)),
        ("by hand, everybody asked", &|| by_hand((birds, grid, delta), steps[1], true)),
        ("Mesa", &|| mesa((birds, grid, delta), steps[2])),
    ];
    let mut best: Vec<Cost> = programs.iter().map(|_| Err("not run".to_string())).collect();
    for _ in 0..ROUNDS {
        for ((_, program), best) in programs.iter().zip(&mut best) {
            let cost = program();
            let faster = match (&cost, &best) {
                (Ok((_, now)), Ok((_, before))) => now < before,
                _ => true,
            };
            if faster {
                *best = cost;
            }
        }
    }
    let rate = |cost: &Cost| cost.as_ref().ok().map(|(steps, seconds)| *steps as f64 / seconds.max(1e-9));
    let ours = rate(&best[0]).unwrap_or(0.0);
    for ((program, _), cost) in programs.iter().zip(&best) {
        match (cost, rate(cost)) {
            (Ok((steps, _)), Some(rate)) => {
                let ratio = match ours / rate {
                    ratio if ratio >= 1.0 => format!("{} times faster", short(ratio)),
                    ratio => format!("{} times slower", short(1.0 / ratio)),
                };
                println!("| {name} | {program} | {steps} | {rate:.0} | {ratio} |");
            }
            (Err(why), _) if *program == "Mesa" => println!("| {name} | {program} | skipped: {why} | | |"),
            (cost, _) => return Err(format!("{program}: {cost:?}")),
        }
    }
    Ok(())
}

fn model(birds: usize, grid: i32, delta: i32) -> Result<Prepared, String> {
    let bytes = std::fs::read(root()?.join(FILE)).map_err(|e| e.to_string())?;
    let values = [("birds", birds.to_string()), ("grid", grid.to_string()), ("delta", delta.to_string())];
    let parameters = values.into_iter().map(|(n, v)| (n.to_string(), v)).collect();
    let options = ModelOptions { parameters, ..ModelOptions::default() };
    prepare(FILE, &bytes, options).map_err(|trouble| words::refusal(&trouble.into()))
}

/// `swarmcheck simulate --quiet`, without reading the file.
fn watched(prepared: &Prepared, steps: u64) -> Cost {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let options = SimulateOptions { steps, runs: 1, seed: SEED, traces: false, ..SimulateOptions::default() };
    let began = seconds();
    let report = simulate(prepared, options, &control, &mut std::io::sink()).map_err(|e| e.to_string())?;
    Ok((report.steps, seconds() - began))
}

/// A run and what it costs.
fn alone(prepared: &Prepared, steps: u64) -> Cost {
    let began = seconds();
    run(prepared, steps, |_| ())?;
    Ok((steps, seconds() - began))
}

fn run<T>(prepared: &Prepared, steps: u64, look: impl FnOnce(&[i64]) -> T) -> Result<T, String> {
    let start = Starts::new(&prepared.flat).fast().draw(Rng::for_run(SEED, 0), &|| false);
    let Ok(Start::Ready(mut run)) = start else { return Err("no initial state".to_string()) };
    for _ in 0..steps {
        if !matches!(run.step(&|| false), Taken::Step(_)) {
            return Err("a flock never stops".to_string());
        }
    }
    Ok(look(run.state()))
}

fn by_hand((birds, grid, delta): (usize, i32, i32), steps: u64, everybody: bool) -> Cost {
    let began = seconds();
    let mut flock = Flock::new(birds, grid, delta, generator(), everybody);
    for _ in 0..steps {
        flock.step();
    }
    // What nobody looks at need not be computed.
    std::hint::black_box(flock.birds());
    Ok((steps, seconds() - began))
}

/// The state of the generator with which run 0 begins.
fn generator() -> u64 {
    Rng::new(SEED).next()
}

/// All programs make the same run: the same draws give the same last state.
fn same_states(
    prepared: &Prepared,
    (birds, grid, delta): (usize, i32, i32),
    steps: u64,
) -> Result<(), String> {
    let cells = |name: &str| -> Vec<u32> {
        let vars = &prepared.flat.program.vars;
        let var = (0..).zip(vars).find(|(_, var)| var.name == name).map(|(at, _)| at);
        let copies = var.map(|at| prepared.flat.layout.copies(swarmcheck_ir::VarId(at)).to_vec());
        copies.unwrap_or_default()
    };
    let names = ["x", "y", "dirX", "dirY", "confirm.dirX", "propagate.dirX"];
    let theirs = run(prepared, steps, |state| {
        names.map(|name| cells(name).iter().map(|slot| state[*slot as usize]).collect::<Vec<i64>>())
    })?;
    for everybody in [false, true] {
        let steps = if everybody { steps.min(2_000) } else { steps };
        let mut flock = Flock::new(birds, grid, delta, generator(), everybody);
        (0..steps).for_each(|_| flock.step());
        let each = |f: &dyn Fn(&swarmcheck_benches::byhand::runs::Bird) -> i64| -> Vec<i64> {
            flock.birds().iter().map(f).collect()
        };
        let ours = [
            each(&|b| b.x.into()),
            each(&|b| b.y.into()),
            each(&|b| b.heading.0.into()),
            each(&|b| b.heading.1.into()),
            each(&|b| b.confirms.into()),
            each(&|b| b.propagates.into()),
        ];
        let theirs = if everybody {
            run(prepared, steps, |state| {
                names.map(|name| cells(name).iter().map(|slot| state[*slot as usize]).collect::<Vec<i64>>())
            })?
        } else {
            theirs.clone()
        };
        if ours != theirs {
            return Err(format!("WRONG: {birds} birds are elsewhere after {steps} steps by hand"));
        }
    }
    Ok(())
}

/// The same model in Python, if Mesa is installed for the Python that `SWARMCHECK_PYTHON` names.
fn mesa((birds, grid, delta): (usize, i32, i32), steps: u64) -> Cost {
    let python = std::env::var_os("SWARMCHECK_PYTHON").unwrap_or_else(|| "python3".into());
    let root = root()?;
    let script = root.join("benches/mesa/flock.py").display().to_string();
    let numbers = [birds as u64, grid as u64, delta as u64, steps, SEED].map(|n| n.to_string());
    let arguments: Vec<String> = [script].into_iter().chain(numbers).collect();
    let ended = measured::run(&python, &arguments, &root, 600.0).map_err(|e| e.to_string())?;
    let mut words = ended.output.split_whitespace().skip(1);
    let mut number = || words.next()?.parse::<f64>().ok();
    match (number(), number()) {
        (Some(steps), Some(seconds)) => Ok((steps as u64, seconds)),
        _ => Err(ended.errors.lines().last().unwrap_or("no output").to_string()),
    }
}

/// Processor time of this process so far.
fn seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = stat.split_whitespace().next().and_then(|n| n.parse::<f64>().ok());
    nanoseconds
        .map_or_else(|| START.get_or_init(std::time::Instant::now).elapsed().as_secs_f64(), |n| n / 1e9)
}

static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
