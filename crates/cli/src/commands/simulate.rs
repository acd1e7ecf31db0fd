//! `swarmcheck simulate`.

use crate::arguments::SimulateArguments;
use crate::commands::{coverage, interpret, pages};
use crate::exit::Exit;
use crate::inputs::{self, Input};
use crate::jobs::{self, ask};
use crate::output::{Growing, Target, distinct};
use crate::shell::{Shell, say};
use crate::terminal::Said;
use crate::told;
use serde_json::{Map, Value as Json, json};
use std::io::Write;
use std::time::{Duration, Instant, SystemTime};
use swarmcheck_session::estimate::SchedulerWord;
use swarmcheck_session::event::Outcomes;
use swarmcheck_session::request::{ChoiceWord, ModelRequest};
use swarmcheck_session::simulate::{SimulationEnd, SimulationReport};
use swarmcheck_session::{Event, Request, SimulateOptions, TraceFormat, words};
use swarmcheck_source::shown;
use swarmcheck_worker::Stop;

/// Runs a model.
pub fn run(arguments: &SimulateArguments, shell: &Shell) -> Exit {
    match simulated(arguments, shell) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn simulated(arguments: &SimulateArguments, shell: &Shell) -> Result<Exit, Exit> {
    let parameters = arguments.model.parameters().map_err(|e| shell.usage(&e))?;
    let mut read: Vec<&str> = vec![&arguments.model.file];
    read.extend(arguments.walk.as_deref());
    let trace_file = arguments.output.trace_file.as_deref();
    let covered = arguments.coverage.coverage_file.as_deref().map(|path| ("--coverage-file", path));
    let traces = trace_file.map(|path| ("--trace-file", path));
    let outputs: Vec<(&str, &str)> = traces.into_iter().chain(covered).collect();
    distinct(&read, &outputs).map_err(|e| shell.usage(&e))?;
    let input = inputs::model(&arguments.model.file, arguments.model.language(), &arguments.limits, shell)?;
    let mut model = arguments.reading.model(input.source(shell)?, parameters);
    model.fair |= SchedulerWord::from(arguments.scheduler) == SchedulerWord::RoundRobin;
    if arguments.interactive || arguments.walk.is_some() {
        if shell.told.is_data() {
            return Err(
                shell.usage("--json and --events are for random runs: leave out --interactive and --walk")
            );
        }
        let seed = arguments.seed.unwrap_or_else(fresh_seed);
        return interpret::run(arguments, &input, model, seed, shell);
    }
    random(arguments, &input, model, shell)
}

fn random(
    arguments: &SimulateArguments,
    input: &Input,
    model: ModelRequest,
    shell: &Shell,
) -> Result<Exit, Exit> {
    let target = arguments.output.trace_file.as_deref().map(|path| shell.target(path)).transpose()?;
    // In a document traces are data.
    let embedded = shell.told.is_data() && target.is_none();
    let format = if embedded { TraceFormat::Json } else { arguments.output.trace_format.into() };
    pages::one_run(format, arguments.runs).map_err(|e| shell.usage(&e))?;
    let path = arguments.coverage.coverage_file.as_deref();
    let counts = path.map(|path| shell.target(path)).transpose()?;
    let options = SimulateOptions {
        steps: arguments.steps,
        runs: arguments.runs,
        seed: arguments.seed.unwrap_or_else(fresh_seed),
        format,
        traces: !shell.quiet || target.is_some(),
        full: arguments.output.full,
        colours: target.is_none() && shell.colours_out(),
        coverage: arguments.coverage.is_wanted(),
        scheduler: arguments.scheduler.into(),
    };
    let mut out = match &target {
        None if embedded => Out::Document(String::new()),
        None => {
            shell.told.streams.set(true);
            Out::Terminal { gone: false, said: said(format, options.colours) }
        }
        Some(target) if target.is_special() => Out::Special(target.clone()),
        Some(target) => Out::File(target.open().map_err(|why| shell.failure(&why))?),
    };
    let scheduling = Scheduling { fair: model.fair, sync: model.sync, choice: model.choice };
    let began = Instant::now();
    let mut known = vec![];
    let mut hear = |event: &Event| match event {
        Event::Opened { parameters } => {
            known.clone_from(parameters);
            announce(input, parameters, scheduling, options, shell);
            None
        }
        Event::Output { text } => out.write(text, shell),
        _ => None,
    };
    let limits = shell.limits(&arguments.limits);
    let request = Request::Simulate { model, options };
    let finished = ask(request, &[&input.file], limits, shell, "steps", &mut hear);
    let finished = finished?;
    let Outcomes::Simulate { report } = &finished.result else { return Err(jobs::unexpected(shell)) };
    let mut traces = String::new();
    let written = match out {
        Out::Document(text) => {
            traces = text;
            Exit::Fine
        }
        Out::Terminal { .. } | Out::Special(_) => Exit::Fine,
        // Runs that were cut short are no complete file: what was there before stays.
        Out::File(_) if matches!(report.end, SimulationEnd::Interrupted) => {
            shell.note("the runs were cut short: the trace file was not written");
            Exit::Fine
        }
        Out::File(file) => file.finish().map_or_else(|why| shell.failure(&why), |()| Exit::Fine),
    };
    let mut counted = Exit::Fine;
    if let Some(coverage) = report.coverage.as_deref() {
        counted = coverage::store(coverage, counts.as_ref(), path, shell);
    }
    let printed = match shell.told.is_data() {
        true => {
            let mut fields = document(input.file.name(), &known, scheduling, options, report, &traces);
            if let Some(coverage) = &report.coverage {
                fields["coverage"] = serde_json::json!(coverage);
            }
            shell.document("swarmcheck-simulation", told::VERSION, fields)
        }
        false => {
            let listing = report.coverage.as_deref();
            let listing = listing.map(|coverage| coverage::listing(coverage, &arguments.coverage, input));
            summary(report, began.elapsed(), options, shell).and(shell.print(&listing.unwrap_or_default()))
        }
    };
    Ok(exit(report, finished.stopped).and(written).and(printed).and(counted))
}

/// Short enough to type again.
fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.map_or(0, |d| d.as_nanos() as u64) % 1_000_000
}

/// What traces in this format are to a terminal.
pub(super) fn said(format: TraceFormat, colours: bool) -> Said {
    match format {
        TraceFormat::Json | TraceFormat::Itf => Said::Json,
        TraceFormat::Html | TraceFormat::Svg => Said::Data,
        _ if colours => Said::Coloured,
        _ => Said::Words,
    }
}

/// Where traces go.
enum Out<'t> {
    /// Whoever reads it may have gone (`| head`): the run goes on, because its verdict is still wanted.
    Terminal {
        gone: bool,
        said: Said,
    },
    File(Growing<'t>),
    /// A pipe or a device, which may not be read at once.
    Special(Target),
    /// They become part of a document.
    Document(String),
}

impl Out<'_> {
    fn write(&mut self, text: &str, shell: &Shell) -> Option<Exit> {
        let written = match self {
            Out::Terminal { gone: true, .. } => return None,
            Out::Terminal { said, .. } => match shell.write_out(text, *said) {
                Ok(written) => written,
                Err(exit) => return Some(exit),
            },
            Out::File(file) => file.write_all(text.as_bytes()),
            Out::Document(all) => {
                *all += text;
                return None;
            }
            Out::Special(target) => {
                let exit = shell.store(target, text.as_bytes());
                return (exit != Exit::Fine).then_some(exit);
            }
        };
        match (written, self) {
            (Ok(()), _) => None,
            (Err(e), Out::Terminal { gone, .. }) if e.kind() == std::io::ErrorKind::BrokenPipe => {
                *gone = true;
                None
            }
            (Err(e), _) => Some(shell.failure(&format!("cannot write: {e}"))),
        }
    }
}

/// How steps of the model are scheduled, as far as the announcement says it.
#[derive(Clone, Copy)]
struct Scheduling {
    fair: bool,
    sync: bool,
    choice: ChoiceWord,
}

fn announce(
    input: &Input,
    parameters: &[(String, i64)],
    scheduling: Scheduling,
    options: SimulateOptions,
    shell: &Shell,
) {
    let parameters: String = parameters.iter().map(|(name, value)| format!(" {name}={value}")).collect();
    let fair = if scheduling.fair { ", round-robin" } else { "" };
    let sync = if scheduling.sync { ", synchronous messages" } else { "" };
    let choice = if scheduling.choice == ChoiceWord::Early { ", early choice" } else { "" };
    shell.note(&format!(
        "simulating {}{parameters}: {} of at most {}{fair}{sync}{choice}, seed {}",
        shown::line(input.file.name()),
        words::count(options.runs as usize, "run"),
        words::count(options.steps as usize, "step"),
        options.seed
    ));
}

/// For programs: the numbers, and the traces one per line.
fn document(
    model: &str,
    parameters: &[(String, i64)],
    scheduling: Scheduling,
    options: SimulateOptions,
    report: &SimulationReport,
    traces: &str,
) -> Json {
    let parameters: Map<String, Json> =
        parameters.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    let traces: Vec<Json> = traces.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    json!({
        "model": model,
        "parameters": parameters,
        "fair": scheduling.fair,
        "sync": scheduling.sync,
        "choice": scheduling.choice,
        "seed": options.seed,
        "most_runs": options.runs,
        "most_steps": options.steps,
        "report": report,
        "summary": words::simulation(report),
        "traces": traces,
    })
}

/// The summary is the result when there is no trace; below a trace it is a remark.
fn summary(report: &SimulationReport, took: Duration, options: SimulateOptions, shell: &Shell) -> Exit {
    let model_error = is_model_error(report);
    let mut exit = Exit::Fine;
    for line in words::simulation(report) {
        match shell.quiet && !model_error {
            true => exit = exit.and(shell.print(&format!("{line}\n"))),
            false => say!("{line}"),
        }
    }
    if shell.quiet {
        exit = exit.and(shell.print(&format!("seed {}\n", options.seed)));
    }
    if shell.verbose || (shell.quiet && took > Duration::from_secs(1)) {
        let rate = report.steps as f64 / took.as_secs_f64().max(1e-9);
        say!("{:.3} s, {rate:.0} steps per second", took.as_secs_f64());
    }
    exit
}

fn is_model_error(report: &SimulationReport) -> bool {
    use SimulationEnd::{Complete, InitialStateNotFound, Interrupted, TooManyChoices};
    !matches!(report.end, Complete | Interrupted | InitialStateNotFound { .. } | TooManyChoices { .. })
}

fn exit(report: &SimulationReport, stopped: Option<Stop>) -> Exit {
    let end = match (&report.end, stopped) {
        (SimulationEnd::Complete, _) => Exit::Fine,
        (SimulationEnd::Interrupted, Some(Stop::TimeLimit)) => Exit::TimeLimit,
        (SimulationEnd::Interrupted, _) => Exit::Interrupted,
        (SimulationEnd::InitialStateNotFound { .. } | SimulationEnd::TooManyChoices { .. }, _) => {
            Exit::Inconclusive
        }
        _ => Exit::Model,
    };
    let violated = report.properties.iter().any(|tally| tally.violated > 0);
    if violated { end.and(Exit::Violated) } else { end }
}
