//! `swarmcheck-fuzz`: runs fuzz targets. `docs/fuzzing.md` describes it.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;
use swarmcheck_fuzz::child::{self, Work};
use swarmcheck_fuzz::mutate::Mutator;
use swarmcheck_fuzz::parent;
use swarmcheck_fuzz::targets::{TARGETS, named};
use swarmcheck_fuzz::{STOP, Target, shrink};

const USAGE: &str = "usage: swarmcheck-fuzz list
       swarmcheck-fuzz run TARGET... [--seconds S] [--executions N] [--seed N] [--from N] [--out DIR]   (TARGET may be `all`)
       swarmcheck-fuzz input TARGET SEED NUMBER
       swarmcheck-fuzz one TARGET FILE
       swarmcheck-fuzz shrink TARGET FILE";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match command(&words) {
        Ok(code) => code,
        Err(why) => {
            eprintln!("error: {why}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn command(words: &[&str]) -> Result<ExitCode, String> {
    match words {
        // Servers that are attacked start their workers from the program that they are in.
        #[cfg(feature = "whole")]
        ["worker"] => return Ok(swarmcheck_worker::serve()),
        ["list"] => {
            for target in TARGETS {
                println!("{:14} {}", target.name, target.about);
            }
        }
        ["child", name, seed, from, to, seconds, careful] => child::work(
            target(name)?,
            Work {
                seed: number(seed)?,
                from: number(from)?,
                to: number(to)?,
                seconds: seconds.parse().map_err(|e| format!("{seconds}: {e}"))?,
                careful: *careful == "1",
            },
        ),
        ["run", rest @ ..] => return run(rest),
        ["input", name, seed, at] => {
            let input = Mutator::new(target(name)?).input(number(seed)?, number(at)?);
            std::io::Write::write_all(&mut std::io::stdout(), &input).map_err(|e| e.to_string())?;
        }
        ["one", name, file] => {
            let (target, input) = (target(name)?, read(file)?);
            child::hear_panics();
            return Ok(match on_stack(target, move || child::execute(target, &input))? {
                Some(panic) => {
                    eprintln!("panic: {panic}");
                    ExitCode::FAILURE
                }
                None => ExitCode::SUCCESS,
            });
        }
        ["shrink", name, file] => {
            let (target, input) = (target(name)?, read(file)?);
            child::hear_panics();
            let found = on_stack(target, move || shrink::shrink(target, &input))?;
            let (smaller, panic) = found.ok_or("the input does not panic")?;
            eprintln!("{panic}");
            std::io::Write::write_all(&mut std::io::stdout(), &smaller).map_err(|e| e.to_string())?;
        }
        _ => return Err("that is no command".to_string()),
    }
    Ok(ExitCode::SUCCESS)
}

fn run(words: &[&str]) -> Result<ExitCode, String> {
    let mut work = Work { seed: 1, from: 0, to: u64::MAX, seconds: f64::MAX, careful: false };
    let mut out = PathBuf::from("target/fuzz");
    let mut chosen: Vec<&Target> = vec![];
    let mut executions = None;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().copied().ok_or(format!("{word} needs a value"));
        match *word {
            "--seconds" => work.seconds = value()?.parse().map_err(|e| format!("--seconds: {e}"))?,
            "--executions" => executions = Some(number(value()?)?),
            "--seed" => work.seed = number(value()?)?,
            "--from" => work.from = number(value()?)?,
            "--out" => out = PathBuf::from(value()?),
            "all" => chosen.extend(TARGETS),
            name => chosen.push(target(name)?),
        }
    }
    if chosen.is_empty() || (executions.is_none() && work.seconds == f64::MAX) {
        return Err("say which targets, and how long".to_string());
    }
    work.to = executions.map_or(u64::MAX, |executions| work.from.saturating_add(executions));
    let mut findings = 0;
    for target in chosen {
        let report = parent::run(target, work, &out).map_err(|e| e.to_string())?;
        findings += report.found.values().sum::<u64>();
        tell(target, &report, work, &out)?;
    }
    Ok(if findings == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn tell(target: &Target, report: &parent::Report, work: Work, out: &Path) -> Result<(), String> {
    let found: Vec<String> = report.found.iter().map(|(what, times)| format!("{times}× {what}")).collect();
    println!(
        "{:14} {:>10} executions in {:.0} s, the longest {:.0} ms (number {}), at most {} MB: {}",
        target.name,
        report.executions,
        report.seconds,
        report.longest,
        report.slowest,
        report.peak >> 20,
        if found.is_empty() { "nothing found".to_string() } else { found.join(", ") }
    );
    let line = serde_json::json!({
        "target": target.name, "seed": work.seed, "from": work.from, "next": report.next, "executions": report.executions,
        "seconds": report.seconds, "longest_ms": report.longest, "peak": report.peak, "found": report.found,
    });
    std::fs::create_dir_all(out).map_err(|e| e.to_string())?;
    parent::append(&out.join("runs.jsonl"), &line.to_string()).map_err(|e| e.to_string())
}

/// Runs something with the stack that the target has in the product.
fn on_stack<T: Send + 'static>(
    target: &Target,
    run: impl FnOnce() -> T + Send + 'static,
) -> Result<T, String> {
    let thread =
        std::thread::Builder::new().stack_size(target.stack).spawn(run).map_err(|e| e.to_string())?;
    let (before, mut peak) = (child::seconds(), 0);
    while !thread.is_finished() {
        let late = child::seconds() - before > child::STOP_AFTER;
        STOP.store(late, Ordering::Relaxed);
        peak = peak.max(child::used());
        std::thread::sleep(Duration::from_millis(1));
    }
    eprintln!("{:.2} s of processor time, at most {} MB", child::seconds() - before, peak >> 20);
    thread.join().map_err(|_| "the program that runs the target has panicked itself".to_string())
}

fn target(name: &str) -> Result<&'static Target, String> {
    named(name).ok_or(format!("there is no target {name:?}"))
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|e| format!("{text}: {e}"))
}

fn read(file: &str) -> Result<Vec<u8>, String> {
    std::fs::read(file).map_err(|e| format!("{file}: {e}"))
}
