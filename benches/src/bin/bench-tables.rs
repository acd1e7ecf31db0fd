//! Runs every row of the papers' tables and writes what it costs here.
//!
//! `cargo run --release -p swarmcheck-benches --bin bench-tables`; see `benches/README.md`.

use clap::{Arg, ArgAction, ArgMatches, Command};
use std::path::PathBuf;
use std::process::ExitCode;
use swarmcheck_benches::checker::Checker;
use swarmcheck_benches::command::option;
use swarmcheck_benches::figures::{megabytes, short};
use swarmcheck_benches::report::{self, Match};
use swarmcheck_benches::tables::{self, Row};

fn main() -> ExitCode {
    swarmcheck_benches::command::main(command(), run)
}

fn command() -> Command {
    Command::new("bench-tables")
        .about("Runs every row of the papers' tables and writes what it costs here")
        .arg(option("limit", "SECONDS", "Time limit of one row").default_value("120"))
        .arg(option("only", "PATTERN", "Only rows whose line contains this, as in 'leader' or 'n=5'"))
        .arg(option("table", "NAME", "Only this table: the name of a file in benches/tables"))
        .arg(option("threads", "N", "Threads to search with").default_value("2"))
        .arg(
            option("engine", "NAME", "Who answers; only the explicit engine with --unreduced")
                .default_value("auto"),
        )
        .arg(option("memory", "SIZE", "Memory for states").default_value("8G"))
        .arg(option("swarmcheck", "PATH", "The program [default: the one beside this one]"))
        .arg(option(
            "output",
            "PATH",
            "Where to write [default: benches/results for a complete run, else standard output]",
        ))
        .arg(
            Arg::new("unreduced")
                .long("unreduced")
                .action(ArgAction::SetTrue)
                .help("Visit every state, and compare the counts"),
        )
}

/// Whether nothing was wrong.
fn run(matches: &ArgMatches) -> Result<bool, String> {
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    let checker = Checker::asked(matches, matches.get_flag("unreduced"))?;
    let root = checker.root.clone();
    let (only, chosen) = (text("only"), text("table"));
    let engine = text("engine").unwrap_or_default();
    let mut out = heading(&checker);
    let (mut wrong, mut open, mut all) = (vec![], 0, 0);
    for table in tables::read_all(&root.join("benches/tables"))? {
        if chosen.as_ref().is_some_and(|name| *name != table.name) {
            continue;
        }
        let mut answers = vec![];
        for row in table.rows.iter().filter(|r| only.as_ref().is_none_or(|p| r.task().contains(p))) {
            let answer =
                checker.ask(&row.file, &row.parameters, &asked(&checker, row, &engine), &row.property);
            let verdict = report::judge(row, &answer, checker.unreduced);
            let (cpu, memory) = (short(answer.cost.cpu), megabytes(answer.cost.memory));
            eprintln!("{}: {}: {} ({cpu} s, {memory} MB)", table.name, row.task(), answer.verdict);
            match &verdict {
                Match::Wrong(why) => {
                    eprintln!("  WRONG: {why}");
                    wrong.push(format!("- {}: {why}\n", row.task()));
                }
                Match::Open => open += 1,
                Match::Right | Match::Unjudged => {}
            }
            all += 1;
            answers.push((row.clone(), answer, verdict));
        }
        if !answers.is_empty() {
            out += &report::table(&table, &answers);
        }
    }
    out += &format!("{all} rows: {} wrong, {open} without an answer within the limits.\n", wrong.len());
    out += &wrong.concat();
    let name = if checker.unreduced { "tables-unreduced.md" } else { "tables.md" };
    let complete = only.is_none() && chosen.is_none();
    let path =
        text("output").map(PathBuf::from).or(complete.then(|| root.join("benches/results").join(name)));
    match path {
        Some(path) => {
            std::fs::write(&path, out).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        }
        None => print!("{out}"),
    }
    Ok(wrong.is_empty())
}

/// The options of a row, with the engine that is wanted where the row does not name one.
fn asked(checker: &Checker, row: &Row, engine: &str) -> String {
    match checker.unreduced || row.options.contains("--engine") {
        true => row.options.clone(),
        false => format!("{} --engine {engine}", row.options),
    }
}

fn heading(checker: &Checker) -> String {
    let how = if checker.unreduced { "without reductions" } else { "with reductions" };
    let threads = match checker.threads {
        1 => "One thread".to_string(),
        n => format!("{n} threads"),
    };
    format!(
        "# The papers' tables, {how}\n\n\
         {threads}, at most {} s and {} for each row. CPU seconds are user and system time of the whole run of the \
         program, MB its peak resident memory. [../README.md](../README.md) says how to read and repeat this.\n\n",
        checker.limit, checker.memory
    )
}
