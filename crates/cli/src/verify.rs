//! `swarmcheck verify`.

use crate::running::{Limits, ProgressLine};
use crate::terminal::{Terminal, say};
use crate::tools::Workshop;
use crate::{arguments, files, running};
use clap::ArgMatches;
use std::io::{self, IsTerminal, Write};
use swarmcheck_session::verify::{
    Answer, Answered, Backend, Budget, Control, Decider, HEAD_START, Reductions, Report, VerifyOptions,
    translate, verify, verify_with,
};
use swarmcheck_session::{Exit, Prepared, TraceFormat};

/// Decides the properties of a model.
pub fn run(matches: &ArgMatches, terminal: &Terminal) -> Exit {
    let read = read_options(matches)
        .and_then(|options| Ok((options, arguments::timeout(matches)?, arguments::size(matches, "memory")?)));
    let (options, timeout, memory) = match read {
        Ok(read) => read,
        Err(message) => return terminal.usage(&message),
    };
    let limits = Limits::start(timeout);
    let prepared = match files::prepared(matches, terminal) {
        Ok(prepared) => prepared,
        Err(exit) => return exit,
    };
    let asked = prepared.flat.program.properties.len() + prepared.model.linear().len();
    if asked == 0 && !options.deadlock {
        return terminal.usage("the model has no property: add a 'check' section, or ask for --deadlock");
    }
    // A file that cannot be written is better noticed before a long search than after it.
    for path in ["trace-file", "certificate"].iter().filter_map(|name| matches.get_one::<String>(name)) {
        if let Err(e) = std::fs::File::create(path) {
            return terminal.failure(&format!("cannot write {path}: {e}"));
        }
    }
    let line = ProgressLine::new(!terminal.quiet && io::stderr().is_terminal(), "states");
    let budget = Budget { memory: memory.or_else(free_memory) };
    let control = Control { stop: &limits.stop, budget, progress: &line };
    let report = decide(&prepared, &options, &control, &limits, matches);
    line.clear();
    let report = match report {
        Ok(report) => report,
        Err((Exit::Usage, why)) => return terminal.usage(&why),
        Err((_, why)) => return terminal.failure(&why),
    };
    let printed = print(&prepared, &options, &report, matches, terminal);
    let printed =
        if printed == Exit::Fine { write_certificates(&report, matches, terminal) } else { printed };
    let exit = match report.exit {
        Exit::Interrupted if limits.expired() => Exit::TimeLimit,
        exit => exit,
    };
    if printed == Exit::Fine { exit } else { printed }
}

/// The least address space that compilers and verifiers need before they look at any state.
const LEAST_FOR_TOOLS: u64 = 1 << 30;

/// By our own engines, by another program, or from what another program has found.
fn decide(
    prepared: &Prepared,
    options: &VerifyOptions,
    control: &Control<'_>,
    limits: &Limits,
    matches: &ArgMatches,
) -> Result<Report, (Exit, String)> {
    let usage = |why: String| (Exit::Usage, why);
    let word = matches.get_one::<String>("backend");
    let backend = word.and_then(|word| Backend::TABLE.iter().find(|(_, name)| name == word));
    match (backend, matches.get_one::<String>("translate-cex")) {
        (None, None) => verify(prepared, options, control).map_err(|missing| usage(missing.to_string())),
        (None, Some(_)) => {
            Err(usage("--translate-cex needs --backend, which says who wrote the file".to_string()))
        }
        (Some((backend, _)), Some(path)) => {
            let bytes = std::fs::read(path).map_err(|e| usage(format!("cannot read {path}: {e}")))?;
            let found = String::from_utf8_lossy(&bytes);
            translate(prepared, options, *backend, &found, control)
                .map_err(|why| usage(format!("{path}: {why}")))
        }
        (Some((backend, _)), None) => {
            let memory = control.budget.memory.map(|bytes| bytes.max(LEAST_FOR_TOOLS));
            let mut workshop =
                Workshop::new(limits.stop.clone(), memory).map_err(|why| (Exit::Failure, why))?;
            verify_with(prepared, options, *backend, &mut workshop, control)
                .map_err(|missing| usage(missing.to_string()))
        }
    }
}

fn read_options(matches: &ArgMatches) -> Result<VerifyOptions, String> {
    let word = matches.get_one::<String>("trace-format").map_or("text", String::as_str);
    let format = TraceFormat::TABLE.iter().find(|(_, name)| *name == word).map(|(format, _)| *format);
    let names = matches.get_many::<String>("property").into_iter().flatten();
    let names = names.flat_map(|list| list.split(',')).map(|n| n.trim().to_string());
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let threads = arguments::number(matches, "threads", cores)?;
    if !(1..=256).contains(&threads) {
        return Err("--threads takes a number from 1 to 256".to_string());
    }
    let hash_bits = arguments::number(matches, "hash-bits", 64)?;
    if hash_bits > 64 {
        return Err("--hash-bits takes a number from 0 to 64".to_string());
    }
    let steps_of = |id: &str, name: &str| match matches.get_one::<String>(id) {
        None => Ok(None),
        Some(text) => text
            .parse::<u32>()
            .map(Some)
            .map_err(|_| format!("--{name} takes a whole number of steps, not {text:?}")),
    };
    let (steps, depth) = (steps_of("steps@verify", "steps")?, steps_of("depth", "depth")?);
    let engine = matches.get_one::<String>("engine").and_then(|word| Decider::named(word));
    let cross_check = matches.get_flag("cross-check");
    if cross_check && engine.is_some_and(|engine| engine != Decider::Auto) {
        return Err("--cross-check asks all engines: leave out --engine".to_string());
    }
    let on = |name: &str| !matches.get_flag("no-reductions") && !matches.get_flag(name);
    Ok(VerifyOptions {
        properties: names.filter(|n| !n.is_empty()).collect(),
        deadlock: matches.get_flag("deadlock"),
        steps,
        ignore_deadlock: matches.get_flag("ignore-deadlock"),
        reductions: Reductions {
            ranges: !matches.get_flag("no-ranges"),
            fold: on("no-fold"),
            slice: on("no-slice"),
            stale: on("no-stale"),
            dead: on("no-dead"),
            symmetry: on("no-symmetry"),
            data_symmetry: on("no-data-symmetry"),
            order: on("no-order"),
            packed: !matches.get_flag("no-packed"),
        },
        threads: threads as usize,
        hash_bits: hash_bits as u32,
        format: format.unwrap_or_default(),
        engine: engine.unwrap_or_default(),
        cross_check,
        depth,
        witness: match matches.get_one::<String>("witness") {
            None => None,
            Some(path) => {
                Some(std::fs::read_to_string(path).map_err(|e| format!("cannot read {path}: {e}"))?)
            }
        },
        head_start: HEAD_START,
        certify: matches.contains_id("certificate"),
    })
}

/// Three quarters of the memory that is free, where the system tells.
pub fn free_memory() -> Option<u64> {
    running::bytes("/proc/meminfo", "MemAvailable:").map(|free| free / 4 * 3)
}

fn print(
    prepared: &Prepared,
    options: &VerifyOptions,
    report: &Report,
    matches: &ArgMatches,
    terminal: &Terminal,
) -> Exit {
    let json = matches.get_flag("json");
    let mut out = if json {
        format!("{:#}\n", report.data(prepared, options))
    } else {
        table(&report.answers) + &remarks(&report.answers, terminal.verbose)
    };
    let traces: Vec<(&Answer, &str)> =
        report.answers.iter().filter_map(|a| Some((a, a.trace.as_ref()?.0.as_str()))).collect();
    match matches.get_one::<String>("trace-file") {
        Some(path) => {
            let text: String = traces.iter().map(|(_, text)| *text).collect();
            if let Err(e) = std::fs::File::create(path).and_then(|mut f| f.write_all(text.as_bytes())) {
                return terminal.failure(&format!("cannot write {path}: {e}"));
            }
            if !json && !traces.is_empty() {
                terminal.note(&format!("traces are in {path}"));
            }
        }
        None if json || terminal.quiet => {}
        None => {
            for (answer, text) in traces {
                if options.format == TraceFormat::Text {
                    out += &format!("\n{}: {}\n", answer.name, answer.evidence);
                }
                out += text;
            }
        }
    }
    let printed = terminal.print(&out);
    if report.answers.iter().any(|a| a.evidence.contains("memory limit")) {
        say!("the memory limit was reached: --memory gives more, a smaller model or --property needs less");
    }
    printed
}

/// Writes the proofs, if they are wanted, one per line.
fn write_certificates(report: &Report, matches: &ArgMatches, terminal: &Terminal) -> Exit {
    let Some(path) = matches.get_one::<String>("certificate") else { return Exit::Fine };
    let mut text = String::new();
    for answer in report.answers.iter().filter(|a| a.verdict == Answered::Holds) {
        match answer.certificate.as_ref().map(serde_json::to_string) {
            Some(Ok(line)) => text += &format!("{line}\n"),
            _ => terminal
                .note(&format!("{}: {} gives no proof; --engine ic3 does", answer.name, answer.engine)),
        }
    }
    match std::fs::File::create(path).and_then(|mut f| f.write_all(text.as_bytes())) {
        Ok(()) => Exit::Fine,
        Err(e) => terminal.failure(&format!("cannot write {path}: {e}")),
    }
}

/// The engine that needs no mention, and the only one that counts states.
const USUAL: &str = "explicit";

/// One line per answer, in columns. Who has answered is told where it is not always the same.
fn table(answers: &[Answer]) -> String {
    let mut head = vec!["property", "verdict", "evidence", "states", "transitions", "time", "memory"];
    let told = answers.iter().any(|a| a.engine != USUAL);
    if told {
        head.insert(1, "engine");
    }
    let words = head.len() - 4;
    let mut rows: Vec<Vec<String>> = vec![head.iter().map(|h| h.to_string()).collect()];
    for a in answers {
        let e = &a.effort;
        let evidence = match (a.verdict, &a.vacuous) {
            (Answered::Holds, Some(why)) => format!("vacuously: {why}"),
            _ => a.evidence.clone(),
        };
        let count = |number: u64| match number {
            0 if a.engine != USUAL => "-".to_string(),
            number => number.to_string(),
        };
        let mut row = vec![
            a.name.clone(),
            a.verdict.word().to_string(),
            evidence,
            count(e.states),
            count(e.transitions),
            format!("{:.2} s", e.seconds),
            megabytes(e.memory),
        ];
        if told {
            row.insert(1, a.engine.to_string());
        }
        rows.push(row);
    }
    let width = |column: usize| rows.iter().map(|r| r[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let mut out = String::new();
    for row in &rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(i, (cell, &width))| match i {
            i if i < words => format!("{cell:width$}"),
            _ => format!("{cell:>width$}"),
        });
        out += cells.collect::<Vec<_>>().join("  ").trim_end();
        out.push('\n');
    }
    out
}

fn megabytes(bytes: u64) -> String {
    match bytes {
        0 => "-".to_string(),
        b if b < 10_000_000 => format!("{:.1} MB", b as f64 / 1e6),
        b => format!("{} MB", b / 1_000_000),
    }
}

/// What else should be known; what was reduced only if the user wants to know more.
fn remarks(answers: &[Answer], verbose: bool) -> String {
    let mut out = String::new();
    for a in answers {
        for note in &a.notes {
            let important =
                ["executions that stop", "the trace was", "searched again", "an engine has failed"]
                    .iter()
                    .any(|w| note.starts_with(w));
            if verbose || important {
                out += &format!("{}: {note}\n", a.name);
            }
        }
    }
    out
}
