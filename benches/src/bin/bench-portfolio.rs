//! Lets engines race and asks each alone, in one run, and writes how long both take.
//!
//! `cargo run --release -p swarmcheck-benches --bin bench-portfolio`; see `benches/README.md`.

use clap::{ArgMatches, Command};
use std::path::PathBuf;
use std::process::ExitCode;
use swarmcheck_benches::checker::Checker;
use swarmcheck_benches::command::option;
use swarmcheck_benches::figures::short;
use swarmcheck_benches::portfolio::{EXTRA, FACTOR, ask, table};
use swarmcheck_benches::tables;
use swarmcheck_session::verify::ENGINES;

fn main() -> ExitCode {
    swarmcheck_benches::command::main(command(), run)
}

fn command() -> Command {
    Command::new("bench-portfolio")
        .about("Lets engines race and asks each alone")
        .arg(option("limit", "SECONDS", "Time limit of one answer").default_value("60"))
        .arg(option("only", "PATTERN", "Only rows whose line contains this, as in 'leader' or 'n=5'"))
        .arg(option("threads", "N", "Threads to search with").default_value("2"))
        .arg(option("memory", "SIZE", "Memory for all engines").default_value("8G"))
        .arg(option("swarmcheck", "PATH", "The program [default: the one beside this one]"))
        .arg(option("output", "PATH", "Where to write [default: benches/results for a complete run]"))
}

/// Whether the race was right and fast enough everywhere.
fn run(matches: &ArgMatches) -> Result<bool, String> {
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    let checker = Checker::asked(matches, false)?;
    let root = checker.root.clone();
    let path = root.join("benches/tables/portfolio.md");
    let rows = std::fs::read_to_string(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    let rows = tables::read("portfolio", &rows)?.rows;
    let engines: Vec<&str> = ENGINES.iter().map(|entry| entry.name).collect();
    let only = text("only");
    let mut entries = vec![];
    let mut wrong = vec![];
    for row in rows.iter().filter(|r| only.as_ref().is_none_or(|p| r.task().contains(p))) {
        let entry = ask(&checker, row, &engines);
        let (race, best) = (short(entry.race.cost.wall), entry.best().map_or("-".to_string(), short));
        eprintln!("{}: {} by {}, {race} s; best {best} s", row.task(), entry.race.verdict, entry.race.engine);
        if let Some(why) = entry.complaint() {
            eprintln!("  WRONG: {why}");
            wrong.push(format!("- {}: {why}\n", row.task()));
        }
        entries.push(entry);
    }
    let mut out = heading(&checker) + &table(&entries, &engines);
    if !wrong.is_empty() {
        out += &format!("\nOutside the limit:\n\n{}", wrong.concat());
    }
    let stored = only.is_none().then(|| root.join("benches/results/portfolio.md"));
    match text("output").map(PathBuf::from).or(stored) {
        Some(path) => {
            std::fs::write(&path, out).map_err(|e| format!("cannot write {}: {e}", path.display()))?
        }
        None => print!("{out}"),
    }
    Ok(wrong.is_empty())
}

fn heading(checker: &Checker) -> String {
    format!(
        "# Engines beside their race\n\nSeconds on the clock of a whole run of the program, with {} threads, {} s at most; \
         `-` where there was no answer. The race is within the limit if it takes at most {FACTOR} times as long as the \
         fastest engine and {EXTRA} s more, and decides whatever an engine decides. [../README.md](../README.md) says how to \
         repeat this.\n\n",
        checker.threads, checker.limit,
    )
}
