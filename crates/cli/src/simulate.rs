//! `swarmcheck simulate`.

use crate::running::{Limits, ProgressLine};
use crate::terminal::{Terminal, say};
use crate::{arguments, files};
use clap::ArgMatches;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::time::{Duration, Instant, SystemTime};
use swarmcheck_session::interactive::interactive;
use swarmcheck_session::simulate::{Control, Report, simulate};
use swarmcheck_session::walk::{self, Plan};
use swarmcheck_session::{Choice, Exit, Prepared, SimulateOptions, TraceFormat, replay};

/// Runs a model.
pub fn run(matches: &ArgMatches, terminal: &Terminal) -> Exit {
    let options = match read_options(matches, terminal) {
        Ok(options) => options,
        Err(message) => return terminal.usage(&message),
    };
    let timeout = match arguments::timeout(matches) {
        Ok(timeout) => timeout,
        Err(message) => return terminal.usage(&message),
    };
    let prepared = match files::prepared(matches, terminal) {
        Ok(prepared) => prepared,
        Err(exit) => return exit,
    };
    if matches.get_flag("interactive") || matches.contains_id("walk") {
        let plan = match plan(matches, &prepared, terminal) {
            Ok(plan) => plan,
            Err(exit) => return exit,
        };
        if plan.is_none() {
            terminal.note(&format!("seed {}", options.seed));
        }
        let (mut input, mut output) = (io::stdin().lock(), io::stdout());
        return match interactive(&prepared, options.seed, plan, &mut input, &mut output) {
            Ok(exit) => exit,
            Err(e) if e.kind() == io::ErrorKind::InvalidData => terminal.usage("the input is not UTF-8 text"),
            Err(e) => written(&e, Exit::Fine, terminal),
        };
    }
    announce(&prepared, options, terminal);
    match matches.get_one::<String>("trace-file") {
        None => {
            let mut out = BufWriter::new(io::stdout().lock());
            drive(&prepared, options, timeout, &mut out, terminal)
        }
        Some(path) => match File::create(path) {
            Ok(file) => drive(&prepared, options, timeout, &mut BufWriter::new(file), terminal),
            Err(e) => terminal.failure(&format!("cannot write {path}: {e}")),
        },
    }
}

/// The trace to walk along, if there is one.
fn plan(matches: &ArgMatches, prepared: &Prepared, terminal: &Terminal) -> Result<Option<Plan>, Exit> {
    let Some(path) = matches.get_one::<String>("walk") else { return Ok(None) };
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|e| terminal.failure(&format!("cannot read {path}: {e}")))?;
    let trace = replay::read(&text).map_err(|e| terminal.failure(&format!("{path}: {e}")))?;
    walk::plan(prepared, &trace).map(Some).map_err(|why| {
        terminal.failure(&format!("{path}: {why}"));
        Exit::Model
    })
}

fn read_options(matches: &ArgMatches, terminal: &Terminal) -> Result<SimulateOptions, String> {
    let word = matches.get_one::<String>("trace-format").map_or("text", String::as_str);
    let format = TraceFormat::TABLE.iter().find(|(_, name)| *name == word).map(|(format, _)| *format);
    let fresh = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |d| d.as_nanos() as u64);
    Ok(SimulateOptions {
        steps: arguments::number(matches, "steps", 100)?,
        runs: arguments::number(matches, "runs", 1)?,
        // Short enough to type again.
        seed: arguments::number(matches, "seed", fresh % 1_000_000)?,
        format: format.unwrap_or_default(),
        traces: !terminal.quiet || matches.contains_id("trace-file"),
    })
}

fn announce(prepared: &Prepared, options: SimulateOptions, terminal: &Terminal) {
    let parameters: Vec<String> =
        prepared.model.parameters().iter().map(|(name, value)| format!(" {name}={value}")).collect();
    let fair = if prepared.options.fair { ", round-robin" } else { "" };
    let choice = if prepared.options.choice == Choice::Early { ", early choice" } else { "" };
    let runs = if options.runs == 1 { "1 run".to_string() } else { format!("{} runs", options.runs) };
    terminal.note(&format!(
        "simulating {}{}: {runs} of at most {} steps{fair}{choice}, seed {}",
        prepared.file.name(),
        parameters.concat(),
        options.steps,
        options.seed
    ));
}

/// Runs under a clock and Ctrl-C, with a progress line.
fn drive(
    prepared: &Prepared,
    options: SimulateOptions,
    timeout: Option<Duration>,
    out: &mut dyn Write,
    terminal: &Terminal,
) -> Exit {
    let limits = Limits::start(timeout);
    let line = ProgressLine::new(
        !terminal.quiet && io::stderr().is_terminal() && !io::stdout().is_terminal(),
        "steps",
    );
    let began = Instant::now();
    let control = Control { stop: &limits.stop, budget: Default::default(), progress: &line };
    let result = simulate(prepared, options, &control, out);
    line.clear();
    match result.and_then(|report| out.flush().map(|()| report)) {
        Ok(report) => finish(report, began.elapsed(), limits.expired(), options, terminal),
        Err(e) => written(&e, Exit::Fine, terminal),
    }
}

fn finish(
    report: Report,
    took: Duration,
    expired: bool,
    options: SimulateOptions,
    terminal: &Terminal,
) -> Exit {
    // The summary is the result when there is no trace; below a trace it is a remark.
    for line in &report.summary {
        if terminal.quiet && report.exit != Exit::Model {
            terminal.print(&format!("{line}\n"));
        } else {
            say!("{line}");
        }
    }
    if terminal.quiet {
        terminal.print(&format!("seed {}\n", options.seed));
    }
    if terminal.verbose || (terminal.quiet && took > Duration::from_secs(1)) {
        let rate = report.steps as f64 / took.as_secs_f64().max(1e-9);
        say!("{:.3} s, {rate:.0} steps per second", took.as_secs_f64());
    }
    if expired && report.exit == Exit::Interrupted { Exit::TimeLimit } else { report.exit }
}

/// Output that nobody reads any more (`| head`) is not a failure.
fn written(e: &io::Error, fine: Exit, terminal: &Terminal) -> Exit {
    if e.kind() == io::ErrorKind::BrokenPipe { fine } else { terminal.failure(&format!("cannot write: {e}")) }
}
