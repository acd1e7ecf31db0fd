//! Finds the largest member of each family of systems that an engine decides within a limit.
//!
//! `cargo run --release -p swarmcheck-benches --bin bench-compose`; see `benches/README.md`.

use clap::{Arg, ArgAction, ArgMatches, Command};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use swarmcheck_benches::checker::Checker;
use swarmcheck_benches::command::option;
use swarmcheck_benches::compose::{Climb, End, Way, climb, details, table};
use swarmcheck_benches::families::{self, Family};
use swarmcheck_benches::{flock, measured};

const EXAMPLES: &str = "\
Examples:
  bench-compose                                     everything; writes benches/results/compose.md
  bench-compose --only milner --engines compose,bdd some families and engines; printed, not stored
  bench-compose --only ring --limit 5 --fine        quickly, and to the exact size
  bench-compose --engines 'compose,compose --no-smart-order'
                                                    composition without one of its reductions
  bench-compose --only flock                        table 2 of the ISoLA 2021 paper only
  bench-compose --models folder --most 4            the model texts up to size 4, and no measurement

A verdict that is not the expected one is reported as WRONG, and the exit code is 1.";

fn main() -> ExitCode {
    swarmcheck_benches::command::main(command(), run)
}

fn command() -> Command {
    let fine = Arg::new("fine").long("fine").action(ArgAction::SetTrue);
    let variants = Arg::new("variants").long("variants").action(ArgAction::SetTrue);
    Command::new("bench-compose")
        .about("Finds the largest system of each family that an engine decides within a limit")
        .arg(option("limit", "SECONDS", "Time limit of one answer").default_value("60"))
        .arg(option("only", "PATTERN", "Only families whose name contains this, as in 'relay'; or 'flock'"))
        .arg(
            option("engines", "LIST", "The engines, with commas")
                .default_value("compose,explicit,bdd,ic3,kind,auto"),
        )
        .arg(option("most", "N", "The largest size to try").default_value("256"))
        .arg(
            fine.help(
                "Find the exact size, which takes more time, instead of one of 1, 2, 3, 4, 6, 8, 12, …",
            ),
        )
        .arg(variants.help("Measure composition without each of its reductions, too"))
        .arg(option("flock-limit", "SECONDS", "Time limit of the flock").default_value("900"))
        .arg(option("models", "FOLDER", "Write the model texts to this folder, and do nothing else"))
        .arg(option("threads", "N", "Threads to search with").default_value("2"))
        .arg(option("memory", "SIZE", "Memory for all engines").default_value("8G"))
        .arg(option("swarmcheck", "PATH", "The program [default: the one beside this one]"))
        .arg(option("output", "PATH", "Where to write [default: benches/results for a complete run]"))
        .after_help(EXAMPLES)
}

/// Whether every verdict was right.
fn run(matches: &ArgMatches) -> Result<bool, String> {
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    let number = |name: &str| text(name).and_then(|t| t.parse::<usize>().ok()).filter(|n| *n >= 1);
    let only = text("only");
    let chosen = |name: &str| only.as_ref().is_none_or(|pattern| name.contains(pattern));
    let families: Vec<&'static Family> = families::all().filter(|family| chosen(family.name)).collect();
    let most = number("most").ok_or("--most takes a number, at least 1")?;
    if let Some(folder) = text("models") {
        write_models(Path::new(&folder), &families, most)?;
        return Ok(true);
    }
    let checker = Checker::asked(matches, false)?;
    let limit = number("flock-limit").ok_or("--flock-limit takes a number of seconds, at least 1")?;
    let asked: Vec<String> = text("engines").unwrap_or_default().split(',').map(String::from).collect();
    let engines = known(&checker, &asked)?;
    if families.is_empty() && !chosen("flock") {
        return Err("no family has such a name".to_string());
    }
    let folder = std::env::temp_dir().join(format!("bench-compose-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
    let way = Way { folder: &folder, most, fine: matches.get_flag("fine") };
    let mut wrong = vec![];
    let mut climb_all = |engines: &[String]| -> Result<Vec<Climb>, String> {
        let mut climbs = vec![];
        for (family, engine) in families.iter().flat_map(|family| engines.iter().map(move |e| (family, e))) {
            let climb = climb(&checker, family, engine, way)?;
            eprintln!("{}", climb.told());
            if let End::Wrong(..) = climb.end {
                wrong.push(climb.told());
            }
            climbs.push(climb);
        }
        Ok(climbs)
    };
    let mut out = report(&checker, &climb_all(&engines)?, &engines);
    if matches.get_flag("variants") {
        let variants = VARIANTS.map(String::from);
        out += &format!("{WITHOUT}{}", table(&climb_all(&variants)?, &variants));
    }
    // What is left behind does no harm.
    let _ = std::fs::remove_dir_all(&folder);
    if chosen("flock") && engines.iter().any(|engine| engine == "compose") {
        let patient = Checker { limit: limit as f64, ..checker.clone() };
        let (answer, why) = flock::ask(&patient);
        eprintln!("flock: {} {}", answer.verdict, answer.evidence);
        wrong.extend(why);
        out += &format!("{FLOCK}{}", flock::table(&answer));
    }
    if !wrong.is_empty() {
        out += &format!("\nWRONG:\n\n- {}\n", wrong.join("\n- "));
    }
    let complete = only.is_none() && engines == asked;
    let stored = complete.then(|| checker.root.join("benches/results/compose.md"));
    match text("output").map(PathBuf::from).or(stored) {
        Some(path) => {
            std::fs::write(&path, out).map_err(|e| format!("cannot write {}: {e}", path.display()))?
        }
        None => print!("{out}"),
    }
    Ok(wrong.is_empty())
}

/// The engines that the program has; the others are named in a line.
fn known(checker: &Checker, asked: &[String]) -> Result<Vec<String>, String> {
    let arguments = ["verify", "--help"].map(String::from);
    let help = measured::run(OsStr::new(&checker.program), &arguments, &checker.root, 20.0);
    let help = help.map_err(|e| format!("cannot run {}: {e}", checker.program.display()))?.output;
    let after = help.split("--engine <ENGINE>").nth(1).unwrap_or_default();
    let list =
        after.split("[possible values:").nth(1).unwrap_or_default().split(']').next().unwrap_or_default();
    let values: Vec<&str> = list.split(',').map(str::trim).collect();
    // Options may follow the name.
    let name = |engine: &String| engine.split(' ').next().unwrap_or_default().to_string();
    let (known, unknown): (Vec<String>, Vec<String>) =
        asked.iter().cloned().partition(|engine| values.contains(&name(engine).as_str()));
    if !unknown.is_empty() {
        eprintln!("left out, because the program has no such engine: {}", unknown.join(", "));
    }
    if known.is_empty() { Err("no engine is left".to_string()) } else { Ok(known) }
}

fn write_models(folder: &Path, families: &[&'static Family], most: usize) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
    for family in families {
        for size in family.sizes().take_while(|size| *size <= most) {
            let path = folder.join(family.file(size));
            let told = |e: std::io::Error| format!("cannot write {}: {e}", path.display());
            std::fs::write(&path, (family.text)(size)).map_err(told)?;
            println!("{} {} {}", family.file(size), family.property, family.verdict);
        }
    }
    Ok(())
}

fn report(checker: &Checker, climbs: &[Climb], engines: &[String]) -> String {
    if climbs.is_empty() {
        return "# Systems put together from parts\n".to_string();
    }
    format!(
        "# Systems put together from parts\n\nThe largest size that an engine decides, with the seconds on the clock of a whole run of \
         the program in parentheses; {} threads, {} s at most. `-` where not even the smallest size is decided, `≥` where no larger size was \
         tried. [../README.md](../README.md) says how to repeat this.\n\n{}\n## What the largest sizes cost\n\n{}",
        checker.threads,
        checker.limit,
        table(climbs, engines),
        details(climbs)
    )
}

/// Composition, and composition without one of the things that keep it small.
const VARIANTS: [&str; 4] =
    ["compose", "compose --no-smart-order", "compose --no-interfaces", "compose --no-symmetry"];

const WITHOUT: &str = "\n## Composition without one of its reductions\n\nThe order of the model instead of the smart one; processes \
     that are not restricted by their neighbours; every process explored and reduced, also those that are alike.\n\n";

const FLOCK: &str = "\n## The flock of the ISoLA 2021 paper\n\nTable 2 of the paper, and \
     `verify examples/flock/flock.labs birds=3 grid=5 delta=5 --fair --engine compose --property ConsensusAgain`.\n\n";
