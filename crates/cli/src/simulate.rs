//! `swarmcheck simulate`.

use crate::terminal::{Terminal, say};
use crate::{arguments, files};
use clap::ArgMatches;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};
use swarmcheck_session::interactive::interactive;
use swarmcheck_session::simulate::{Control, Progress, Report, Snapshot, simulate};
use swarmcheck_session::{Exit, Prepared, SimulateOptions, TraceFormat};

/// Runs a model.
pub fn run(matches: &ArgMatches, terminal: &Terminal) -> Exit {
    let options = match read_options(matches, terminal) {
        Ok(options) => options,
        Err(message) => return terminal.usage(&message),
    };
    let timeout = match matches.get_one::<String>("timeout").map(|t| t.parse::<f64>()) {
        None => None,
        Some(Ok(seconds)) if seconds > 0.0 && seconds < 1e9 => Some(Duration::from_secs_f64(seconds)),
        Some(_) => return terminal.usage("--timeout takes a number of seconds"),
    };
    let prepared = match files::prepared(matches, terminal) {
        Ok(prepared) => prepared,
        Err(exit) => return exit,
    };
    if matches.get_flag("interactive") {
        terminal.note(&format!("seed {}", options.seed));
        return match interactive(&prepared, options.seed, &mut io::stdin().lock(), &mut io::stdout()) {
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
        prepared.model.parameters.iter().map(|(name, value)| format!(" {name}={value}")).collect();
    let fair = if prepared.options.fair { ", round-robin" } else { "" };
    let runs = if options.runs == 1 { "1 run".to_string() } else { format!("{} runs", options.runs) };
    terminal.note(&format!(
        "simulating {}{}: {runs} of at most {} steps{fair}, seed {}",
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
    let stop = Arc::new(AtomicBool::new(false));
    let expired = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    // Only fails if a handler is already there, and this is the only one.
    let _ = ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed));
    if let Some(limit) = timeout {
        let (stop, expired) = (stop.clone(), expired.clone());
        std::thread::spawn(move || {
            std::thread::sleep(limit);
            expired.store(true, Ordering::Relaxed);
            stop.store(true, Ordering::Relaxed);
        });
    }
    let line =
        ProgressLine::new(!terminal.quiet && io::stderr().is_terminal() && !io::stdout().is_terminal());
    let began = Instant::now();
    let control = Control { stop: &stop, budget: Default::default(), progress: &line };
    let result = simulate(prepared, options, &control, out);
    line.clear();
    match result.and_then(|report| out.flush().map(|()| report)) {
        Ok(report) => finish(report, began.elapsed(), expired.load(Ordering::Relaxed), options, terminal),
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

/// Rewrites one line on standard error, at most twice a second, after the first second.
struct ProgressLine {
    shown: bool,
    began: Instant,
    last: AtomicU64,
}

impl ProgressLine {
    fn new(shown: bool) -> ProgressLine {
        ProgressLine { shown, began: Instant::now(), last: AtomicU64::new(0) }
    }

    fn clear(&self) {
        if self.last.load(Ordering::Relaxed) > 0 {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

impl Progress for ProgressLine {
    fn report(&self, snapshot: Snapshot) {
        let now = self.began.elapsed().as_millis() as u64;
        if !self.shown || now < 1000 || now - self.last.load(Ordering::Relaxed) < 500 {
            return;
        }
        self.last.store(now, Ordering::Relaxed);
        let rate = snapshot.done * 1000 / now.max(1);
        let _ = write!(io::stderr(), "\r\x1b[K{} steps, {rate} per second", snapshot.done);
    }
}
