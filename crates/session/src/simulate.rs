//! Random runs, printed as they happen.

use crate::exit::Exit;
use crate::open::Prepared;
use crate::sink::{End, Sink, blame};
use crate::watch::{Conditions, Watches};
use std::io::{self, Write};
pub use swarmcheck_engine::control::{Control, Progress, Snapshot};
use swarmcheck_ir::{Fault, Modality, Value};
use swarmcheck_logic::watch::{Event, Status};
use swarmcheck_simulate::{Rng, Run, Start, Taken};

/// How a trace is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TraceFormat {
    /// In the style of the papers.
    #[default]
    Text,
    /// One JSON document per run, each on one line.
    Json,
    /// The Informal Trace Format, one document per run, each on one line.
    Itf,
}

impl TraceFormat {
    /// The formats with the words that `--trace-format` takes.
    pub const TABLE: &[(TraceFormat, &str)] =
        &[(TraceFormat::Text, "text"), (TraceFormat::Json, "json"), (TraceFormat::Itf, "itf")];
}

/// What to simulate.
#[derive(Clone, Copy, Debug)]
pub struct SimulateOptions {
    /// The longest a run may be.
    pub steps: u64,
    /// How many runs.
    pub runs: u64,
    /// The seed.
    pub seed: u64,
    /// How to write traces.
    pub format: TraceFormat,
    /// Whether to write traces at all, or only the summary.
    pub traces: bool,
}

/// What is known after all runs.
pub struct Report {
    /// How it ended.
    pub exit: Exit,
    /// Steps made in all runs together.
    pub steps: u64,
    /// Plain lines for people: one per property, and how the runs ended.
    pub summary: Vec<String>,
}

/// Runs and writes traces to `out`. The report says the rest.
pub fn simulate(
    prepared: &Prepared,
    options: SimulateOptions,
    control: &Control<'_>,
    out: &mut dyn Write,
) -> io::Result<Report> {
    let mut tally = Tally::new(prepared);
    let conditions = Conditions::new(prepared);
    for number in 0..options.runs {
        if control.stopped() {
            break;
        }
        let rng = Rng::for_run(options.seed, number);
        let run = match Run::start(&prepared.flat, rng, &|| control.stopped()) {
            Ok(Start::Ready(run)) => run,
            Ok(Start::Impossible) => return Ok(tally.without_initial_state()),
            Ok(Start::Stopped) => break,
            Err(fault) => return Ok(tally.fault_at_start(fault)),
        };
        let mut sink = Sink::new(prepared, options.traces.then_some(options.format), run.state());
        if options.runs > 1 {
            sink.title(&format!("== run {} of {}", number + 1, options.runs));
        }
        sink.random = Some((options.seed, number + 1));
        one_run(prepared, options, control, (run, conditions.watches(), sink), &mut tally, out)?;
    }
    Ok(tally.report(control.stopped()))
}

fn one_run<'p>(
    prepared: &'p Prepared,
    options: SimulateOptions,
    control: &Control<'_>,
    (mut run, mut watches, mut sink): (Run<'p>, Watches<'_>, Sink<'p>),
    tally: &mut Tally<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    sink.initial(run.state());
    let mut writes: Vec<(u32, Value)> = vec![];
    let mut end = End::Steps;
    let mut step = 0;
    loop {
        let looked = watches.look(
            &mut run,
            u32::try_from(step).unwrap_or(u32::MAX),
            &writes,
            &mut |property, holds, event| {
                // In the initial state nothing has become anything yet; only verdicts are news.
                let decided = matches!(
                    prepared.flat.program.properties[property].modality,
                    Modality::Eventually | Modality::Finally
                );
                if !matches!(event, Event::Became(_)) || (step > 0 && !decided) {
                    sink.property(prepared, property, holds, event);
                }
            },
        );
        if let Err(fault) = looked {
            end = End::Fault(fault);
            break;
        }
        if sink.is_full() {
            sink.flush(out)?;
        }
        if step == options.steps || control.stopped() {
            break;
        }
        if step % 4096 == 0 {
            control.progress.report(Snapshot {
                done: tally.steps + step,
                depth: step,
                ..Snapshot::default()
            });
        }
        match run.step(&|| control.stopped()) {
            Taken::Step(instance) => {
                step += 1;
                writes.clear();
                writes.extend_from_slice(run.writes());
                sink.step(prepared, instance, &writes, run.state());
                // A system that has come to its end rests there for ever.
                let seen = prepared.labels.as_ref().map(|labels| labels[instance.function as usize].as_str());
                if seen.is_some_and(|label| prepared.model.rests(label)) {
                    break;
                }
            }
            Taken::Stopped => break,
            Taken::Deadlock => {
                end = End::Deadlock;
                break;
            }
            Taken::Fault(instance, fault) => {
                sink.culprit(prepared, instance);
                end = End::Fault(fault);
                break;
            }
        }
    }
    if matches!(end, End::Deadlock) {
        watches.deadlock(&mut |property, holds, event| sink.property(prepared, property, holds, event));
    }
    sink.finish(prepared, &end);
    sink.flush(out)?;
    tally.add(step, end, &watches);
    Ok(())
}

/// Counts over all runs.
struct Tally<'p> {
    prepared: &'p Prepared,
    runs: u64,
    steps: u64,
    deadlocks: u64,
    fault: Option<String>,
    satisfied: Vec<u64>,
    violated: Vec<u64>,
    /// In how many runs nothing spoke against it.
    held: Vec<u64>,
    /// In how many runs the predicate held at the end.
    true_at_end: Vec<u64>,
}

impl<'p> Tally<'p> {
    fn new(prepared: &'p Prepared) -> Tally<'p> {
        let none = vec![0; prepared.flat.program.properties.len()];
        Tally {
            prepared,
            runs: 0,
            steps: 0,
            deadlocks: 0,
            fault: None,
            satisfied: none.clone(),
            violated: none.clone(),
            held: none.clone(),
            true_at_end: none,
        }
    }

    fn add(&mut self, steps: u64, end: End, watches: &Watches<'_>) {
        self.runs += 1;
        self.steps += steps;
        match end {
            End::Steps => {}
            End::Deadlock => self.deadlocks += 1,
            End::Fault(fault) => self.fault = Some(blame(self.prepared, fault)),
        }
        for (property, (status, holds)) in watches.statuses().enumerate() {
            self.true_at_end[property] += u64::from(holds);
            match status {
                Status::Violated => self.violated[property] += 1,
                Status::Satisfied => self.satisfied[property] += 1,
                Status::HoldsSoFar => self.held[property] += 1,
                Status::Undecided => {}
            }
        }
    }

    fn without_initial_state(&self) -> Report {
        let why = "no initial state satisfies the assumptions".to_string();
        Report { exit: Exit::Model, steps: self.steps, summary: vec![why] }
    }

    fn fault_at_start(&self, fault: Fault) -> Report {
        let why = format!("model error in the initial state: {}", blame(self.prepared, fault));
        Report { exit: Exit::Model, steps: self.steps, summary: vec![why] }
    }

    fn report(&self, stopped: bool) -> Report {
        let mut summary = vec![format!(
            "{}, {} in all, {}",
            count(self.runs, "run"),
            count(self.steps, "step"),
            count(self.deadlocks, "deadlock")
        )];
        for (number, property) in self.prepared.flat.program.properties.iter().enumerate() {
            let when = swarmcheck_logic::describe::describe(&property.modality, None);
            let of = count(self.runs, "run");
            let result = match (self.violated[number], self.satisfied[number], self.held[number]) {
                (0, 0, 0) if matches!(property.modality, Modality::Linear(_)) => {
                    "not followed along runs; verify decides it".to_string()
                }
                (0, 0, 0) => {
                    format!(
                        "no single run decides it; true at the end of {} of {of}",
                        self.true_at_end[number]
                    )
                }
                (0, 0, n) => format!("not violated in {n} of {of}"),
                (0, n, _) => format!("satisfied in {n} of {of}"),
                (n, _, _) => format!("violated in {n} of {of}"),
            };
            summary.push(format!("{} ({when}): {result}", property.name));
        }
        summary.extend(self.fault.iter().map(|f| format!("model error: {f}")));
        let exit = match (&self.fault, stopped) {
            (Some(_), _) => Exit::Model,
            (_, true) => Exit::Interrupted,
            _ if self.violated.iter().any(|&n| n > 0) => Exit::Violated,
            _ => Exit::Fine,
        };
        Report { exit, steps: self.steps, summary }
    }
}

/// `1 run`, `2 runs`.
fn count(n: u64, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
