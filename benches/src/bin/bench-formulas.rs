//! Decides all specifications of R-CHECK files in one run, and each in a run of its own, and writes what both cost: what
//! formulas share (reading the file, ranges, folding) should be paid for once.
//!
//! `cargo run --release -p swarmcheck-benches --bin bench-formulas`; see `benches/README.md`.

use clap::{ArgMatches, Command};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use swarmcheck_benches::checker::{beside, root};
use swarmcheck_benches::command::option;
use swarmcheck_benches::figures::short;
use swarmcheck_benches::measured;

/// The files, below `examples`: a few hundred to a few thousand states, and one of a few hundred thousand.
const FILES: &[&str] =
    &["rcheck-commit/commit.rcp", "rcheck-resources/resources.rcp", "rcheck-resources/resources-large.rcp"];

fn main() -> ExitCode {
    swarmcheck_benches::command::main(command(), run)
}

fn command() -> Command {
    Command::new("bench-formulas")
        .about("Decides all specifications of R-CHECK files at once and one by one")
        .arg(option("only", "PATTERN", "Only files whose name contains this"))
        .arg(option("limit", "SECONDS", "Time limit of one run").default_value("120"))
        .arg(option("rounds", "N", "Rounds; the least user time counts").default_value("3"))
        .arg(option("swarmcheck", "PATH", "The program [default: the one beside this one]"))
        .arg(option("against", "PATH", "Another build of the program, measured in turn"))
}

/// What one run has cost, and its answers: pairs of a name and a verdict.
struct Measured {
    user: f64,
    wall: f64,
    answers: Vec<(String, String)>,
}

/// Measures one run.
fn measure(program: &Path, root: &Path, file: &str, property: Option<&str>, limit: f64) -> Option<Measured> {
    let mut arguments: Vec<String> =
        ["verify", &format!("examples/{file}"), "--json", "--quiet", "--timeout", &limit.to_string()]
            .map(String::from)
            .to_vec();
    arguments.extend(property.into_iter().flat_map(|name| ["--property".to_string(), name.to_string()]));
    let run = measured::run(program.as_os_str(), &arguments, root, limit + 20.0).ok()?;
    let document: serde_json::Value = serde_json::from_str(&run.output).ok()?;
    let word = |result: &serde_json::Value, name: &str| Some(result.get(name)?.as_str()?.to_string());
    let results = document.get("results")?.as_array()?;
    let answers = results.iter().map(|r| Some((word(r, "property")?, word(r, "verdict")?)));
    Some(Measured { user: run.cost.user, wall: run.cost.wall, answers: answers.collect::<Option<_>>()? })
}

/// Whether all verdicts are the same at once, one by one and by the other build.
fn run(matches: &ArgMatches) -> Result<bool, String> {
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    let number = |name: &str| text(name).and_then(|t| t.parse::<f64>().ok()).filter(|n| *n >= 1.0);
    let root = root()?;
    let program = text("swarmcheck").map(PathBuf::from).or_else(|| beside("swarmcheck"));
    let program = program.ok_or("there is no swarmcheck here: cargo build --release -p swarmcheck-cli")?;
    let limit = number("limit").ok_or("--limit takes a number of seconds, at least 1")?;
    let rounds = number("rounds").ok_or("--rounds takes a number, at least 1")? as usize;
    let against = text("against").map(PathBuf::from);
    let only = text("only");
    let mut same = true;
    println!(
        "| file | specifications | s at once | user s at once | user s one by one | ratio | user s of the other | ratio |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for file in FILES.iter().filter(|file| only.as_ref().is_none_or(|p| file.contains(p.as_str()))) {
        let failed = || format!("{file} was not decided");
        let (mut wall, mut at_once, mut alone, mut other) = (f64::MAX, f64::MAX, f64::MAX, f64::MAX);
        let mut answers = vec![];
        for _ in 0..rounds {
            let all = measure(&program, &root, file, None, limit).ok_or_else(failed)?;
            (wall, at_once) = (wall.min(all.wall), at_once.min(all.user));
            let mut sum = 0.0;
            for (name, verdict) in &all.answers {
                let one = measure(&program, &root, file, Some(name), limit).ok_or_else(failed)?;
                sum += one.user;
                same &= one.answers == [(name.clone(), verdict.clone())];
            }
            alone = alone.min(sum);
            if let Some(against) = &against {
                let theirs = measure(against, &root, file, None, limit).ok_or_else(failed)?;
                other = other.min(theirs.user);
                same &= theirs.answers == all.answers;
            }
            answers = all.answers;
        }
        let theirs = against
            .as_ref()
            .map_or(("-".to_string(), "-".to_string()), |_| (short(other), short(other / at_once)));
        println!(
            "| {file} | {} | {} | {} | {} | {} | {} | {} |",
            answers.len(),
            short(wall),
            short(at_once),
            short(alone),
            short(alone / at_once),
            theirs.0,
            theirs.1
        );
    }
    if !same {
        eprintln!("WRONG: verdicts differ");
    }
    Ok(same)
}
