//! Asks swarmcheck, Spin and stateright the same questions and writes what the answers cost.
//!
//! See `benches/README.md` for what has to be built and installed before.

use clap::{ArgMatches, Command};
use std::path::PathBuf;
use std::process::ExitCode;
use swarmcheck_benches::checker::{self, Checker};
use swarmcheck_benches::command::option;
use swarmcheck_benches::compare::{TASKS, Tools, complaint, table};
use swarmcheck_benches::figures::{megabytes, short};

fn main() -> ExitCode {
    swarmcheck_benches::command::main(command(), run)
}

fn command() -> Command {
    Command::new("bench-compare")
        .about("Asks swarmcheck, Spin and stateright the same questions")
        .arg(option("limit", "SECONDS", "Time limit of one search").default_value("300"))
        .arg(option("only", "PATTERN", "Only tasks whose name contains this, as in 'leader 7'"))
        .arg(option("swarmcheck", "PATH", "The program [default: the one beside this one]"))
        .arg(option("output", "PATH", "Where to write [default: benches/results for a complete run]"))
}

/// Whether everybody has given the right answers.
fn run(matches: &ArgMatches) -> Result<bool, String> {
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    let root = checker::root()?;
    let program = text("swarmcheck").map(PathBuf::from).or_else(|| checker::beside("swarmcheck"));
    let limit = text("limit").and_then(|t| t.parse::<f64>().ok()).filter(|n| *n >= 1.0);
    let scratch = std::env::temp_dir().join(format!("bench-compare-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).map_err(|e| e.to_string())?;
    let tools = Tools {
        checker: Checker {
            program: program.ok_or("there is no swarmcheck here: cargo build --release -p swarmcheck-cli")?,
            root: root.clone(),
            limit: limit.ok_or("--limit takes a number of seconds, at least 1")?,
            threads: 1,
            memory: "8G".to_string(),
            unreduced: false,
        },
        stateright: checker::beside("stateright-models"),
        spin: installed("spin") && installed("cc"),
        scratch,
    };
    let result = compare(&tools, text("only"));
    // Left-over files do no harm.
    let _ = std::fs::remove_dir_all(&tools.scratch);
    let (out, complaints) = result;
    let path = text("output").map(PathBuf::from);
    let stored = text("only").is_none().then(|| root.join("benches/results/compare.md"));
    match path.or(stored) {
        Some(path) => {
            std::fs::write(&path, out).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        }
        None => print!("{out}"),
    }
    for complaint in &complaints {
        eprintln!("WRONG: {complaint}");
    }
    Ok(complaints.is_empty())
}

/// The report, and what is wrong.
fn compare(tools: &Tools, only: Option<String>) -> (String, Vec<String>) {
    let mut out = heading(tools);
    let mut complaints = vec![];
    for task in TASKS {
        let name = format!("{} {} {}", task.model, task.size, task.question);
        if only.as_ref().is_some_and(|pattern| !name.contains(pattern)) {
            continue;
        }
        let entries = tools.ask(task);
        for entry in entries.iter() {
            match entry {
                Ok(e) => {
                    let (cpu, memory) = (short(e.cost.cpu), megabytes(e.cost.memory));
                    let [states, ..] = e.counts;
                    eprintln!("{name}: {}: {}, {states} states, {cpu} s, {memory} MB", e.tool, e.verdict);
                    complaints.extend(complaint(task, e).map(|why| format!("{name}: {why}")));
                }
                Err(why) => eprintln!("{name}: {why}"),
            }
        }
        out += &table(task, &entries);
    }
    out += &complaints.iter().map(|c| format!("**WRONG**: {c}\n\n")).collect::<String>();
    (out.trim_end().to_string() + "\n", complaints)
}

fn heading(tools: &Tools) -> String {
    let mut out = "# Beside other checkers\n\nOne thread each. CPU seconds are user and system time of a whole run, MB \
                   its peak resident memory; ratios are to our search of every state, so more than 1 means that the \
                   tool needs more than we do. [../README.md](../README.md) says what differs between the models and \
                   how to repeat this.\n\n"
        .to_string();
    if !tools.spin {
        out += "Spin was not installed.\n\n";
    }
    if tools.stateright.is_none() {
        out += "stateright's models were not built.\n\n";
    }
    out
}

fn installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
