//! Runs programs written by hand and swarmcheck in turn, and writes how far the one is from the other.
//!
//! See `benches/README.md`, or `bench-limits --help`.

use clap::{ArgMatches, Command};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use swarmcheck_benches::beside::{memory, report};
use swarmcheck_benches::checker::{self, Checker};
use swarmcheck_benches::command::option;
use swarmcheck_benches::figures::short;
use swarmcheck_benches::limits::{self, Best, Measured, Task, Tools};
use swarmcheck_benches::tables::{self, Table};

const EXAMPLES: &str = "\
A task is a model, its size or schedule, and a question:
  leader N        N nodes elect a leader                 (programs for 1 to 10)
  twophase N      N workers commit                       (programs for 1 to 7)
  flock fair      three birds, round robin; or `free`
  formation fair  three robots, round robin; or `free`
  philosophers N  N philosophers dine                    (programs for 2 to 10)
  explore         visit every state
  settle          and show that from each of them the goal can be reached

Examples:
  bench-limits                             every task, three rounds; writes benches/results/limits.md
  bench-limits --only 'leader 8'           both questions for 8 nodes; printed, not stored
  bench-limits --only settle --rounds 1    a quick look
  bench-limits --by-hand 'leader 8 settle' only the program written by hand, to measure or profile it
  bench-limits --by-hand 'leader 9 explore' --states 10000000
                                           a size that benches/tables/limits.md does not have

A count or a verdict that differs from benches/tables/limits.md is reported as WRONG, and the exit code is 1.";

fn main() -> ExitCode {
    swarmcheck_benches::command::main(command(), run)
}

fn command() -> Command {
    Command::new("bench-limits")
        .about("Measures swarmcheck beside programs that were written by hand for one model each")
        .arg(option("only", "PATTERN", "Only tasks whose name contains this, as in 'leader 8' or 'settle'"))
        .arg(option("rounds", "N", "How often everything is run; the best run counts").default_value("3"))
        .arg(option("limit", "SECONDS", "Time limit of one run").default_value("300"))
        .arg(option("memory", "SIZE", "Memory for swarmcheck's states").default_value("8G"))
        .arg(option("swarmcheck", "PATH", "The program to measure [default: the one beside this one]"))
        .arg(option(
            "output",
            "FILE",
            "Where to write [default: benches/results/limits.md for a complete run, else standard output]",
        ))
        .arg(option("by-hand", "TASK", "Run one program written by hand here and now, and nothing else"))
        .arg(option("states", "N", "With --by-hand: make its table for so many states").requires("by-hand"))
        .after_help(EXAMPLES)
}

/// Whether everything was as it must be.
fn run(matches: &ArgMatches) -> Result<bool, String> {
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    let number = |name: &str| text(name).and_then(|t| t.parse::<u64>().ok()).filter(|n| *n >= 1);
    if let Some(task) = text("by-hand") {
        let task: Task = task.parse()?;
        let states = match text("states") {
            Some(_) => number("states").ok_or("--states takes a number, at least 1")?,
            None => limits::expected(&table()?, &task)
                .map(|e| e.states)
                .ok_or("benches/tables/limits.md does not say how many states this has: give --states")?,
        };
        println!("{}", limits::run_by_hand(&task, states as usize)?);
        return Ok(true);
    }
    let root = checker::root()?;
    let program = text("swarmcheck").map(PathBuf::from).or_else(|| checker::beside("swarmcheck"));
    let program = program.ok_or("there is no swarmcheck here: cargo build --release -p swarmcheck-cli")?;
    let tools = Tools {
        itself: std::env::current_exe().map_err(|e| e.to_string())?,
        checker: Checker {
            // The program is started from the folder of the project.
            program: program.canonicalize().map_err(|e| format!("{}: {e}", program.display()))?,
            root: root.clone(),
            limit: number("limit").ok_or("--limit takes a number of seconds, at least 1")? as f64,
            threads: 1,
            memory: text("memory").unwrap_or_default(),
            unreduced: true,
        },
    };
    let rounds = number("rounds").ok_or("--rounds takes a number, at least 1")?;
    let only = text("only");
    let stored = only.is_none().then(|| root.join("benches/results/limits.md"));
    let path = text("output").map(PathBuf::from).or(stored);
    let all = measure(&tools, &table()?, only.as_deref(), rounds, path.as_deref())?;
    if path.is_none() {
        print!("{}", report(&all, rounds));
    }
    let complaints: Vec<&String> = all.iter().flat_map(|m| &m.complaints).collect();
    complaints.iter().for_each(|c| eprintln!("WRONG: {c}"));
    Ok(complaints.is_empty())
}

/// What is known about every task.
fn table() -> Result<Table, String> {
    let path = checker::root()?.join("benches/tables/limits.md");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    tables::read("limits", &text).map_err(|why| format!("{}: {why}", path.display()))
}

/// Runs all tasks whose name contains the pattern. The file has what is known after each of them, because a complete run
/// takes long.
fn measure(
    tools: &Tools,
    table: &Table,
    only: Option<&str>,
    rounds: u64,
    file: Option<&Path>,
) -> Result<Vec<Measured>, String> {
    let mut all = vec![];
    for task in limits::tasks().into_iter().filter(|t| only.is_none_or(|p| t.name().contains(p))) {
        let expected = limits::expected(table, &task)
            .ok_or_else(|| format!("benches/tables/limits.md has no counts for {}", task.name()))?;
        let mut measured = Measured::new(task, expected);
        for _ in 0..rounds {
            measured.round(tools);
        }
        let side = |best: &Best| format!("{} s, {} MB", short(best.user), memory(best));
        eprintln!(
            "{}: by hand {}; swarmcheck {}; with reductions {}",
            task.name(),
            side(&measured.hand),
            side(&measured.ours),
            side(&measured.reduced)
        );
        measured.complaints.iter().for_each(|c| eprintln!("  WRONG: {c}"));
        all.push(measured);
        if let Some(path) = file {
            std::fs::write(path, report(&all, rounds))
                .map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        }
    }
    match all.is_empty() {
        true => Err("no task has such a name; --help lists them".to_string()),
        false => Ok(all),
    }
}
