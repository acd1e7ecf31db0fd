//! Random runs, printed as they happen.

use crate::exit::Exit;
use crate::open::Prepared;
use crate::watch::{Conditions, Watches};
use serde_json::Value as Json;
use std::io::{self, Write};
pub use swarmcheck_engine::control::{Control, Progress, Snapshot};
use swarmcheck_engine::trace::data::{self, FORMAT, PropertyData, StepData, TraceData, VERSION};
use swarmcheck_engine::trace::itf::Itf;
use swarmcheck_engine::trace::text;
use swarmcheck_engine::trace::view::Clock;
use swarmcheck_ir::flat::Instance;
use swarmcheck_ir::{Fault, Modality, Rule, Value};
use swarmcheck_labs::lower::Semantics;
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
        let mut sink = Sink::new(prepared, options, run.state());
        if options.runs > 1 {
            sink.title(&format!("== run {} of {}", number + 1, options.runs));
        }
        sink.run = number + 1;
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
    sink.finish(prepared, options.seed, &end);
    sink.flush(out)?;
    tally.add(step, end, &watches);
    Ok(())
}

/// How a run ended.
#[derive(Clone, Copy)]
enum End {
    /// It made all the steps asked for, or was interrupted.
    Steps,
    /// No step was possible.
    Deadlock,
    /// The model is invalid.
    Fault(Fault),
}

/// `file:line:column: what` for a model error.
pub(crate) fn blame(prepared: &Prepared, fault: Fault) -> String {
    format!("{} at {}:{}", fault, prepared.file.name(), prepared.file.position(fault.span))
}

/// Turns what happens into output. Text goes out bit by bit; JSON and ITF documents at the end of a run.
struct Sink<'p> {
    /// The number of the run, from 1.
    run: u64,
    format: Option<TraceFormat>,
    clock: Clock<'p>,
    text: String,
    steps: Vec<StepData>,
    initial: Vec<data::WriteData>,
    first_properties: Vec<PropertyData>,
    itf: Itf<'p>,
}

impl<'p> Sink<'p> {
    fn new(prepared: &'p Prepared, options: SimulateOptions, initial: &[Value]) -> Sink<'p> {
        Sink {
            run: 1,
            format: options.traces.then_some(options.format),
            clock: Clock::new(&prepared.flat, initial),
            text: String::new(),
            steps: vec![],
            initial: vec![],
            first_properties: vec![],
            itf: Itf::new(&prepared.flat),
        }
    }

    fn title(&mut self, title: &str) {
        if self.format == Some(TraceFormat::Text) {
            self.text += title;
            self.text.push('\n');
        }
    }

    fn initial(&mut self, state: &[Value]) {
        match self.format {
            Some(TraceFormat::Text) => self.text += &text::initial(&self.clock, state),
            Some(TraceFormat::Json) => {
                let flat = self.clock.flat();
                self.initial = self.clock.snapshot(state).iter().map(|a| data::write(flat, a)).collect();
            }
            Some(TraceFormat::Itf) => self.itf.state(state, "init"),
            None => {}
        }
    }

    fn step(&mut self, prepared: &Prepared, instance: Instance, writes: &[(u32, Value)], after: &[Value]) {
        let Some(format) = self.format else { return };
        let assigned = self.clock.step(instance, writes, after);
        match format {
            TraceFormat::Text => self.text += &text::step(&prepared.flat, instance, &assigned),
            TraceFormat::Json => {
                let at = |span| prepared.file.position(span);
                self.steps.push(data::step(&self.clock, instance, &assigned, after, at));
            }
            TraceFormat::Itf => {
                let who = prepared.flat.program.agent_name(instance.agent);
                let what = match &prepared.flat.program.functions[instance.function as usize].rule {
                    Rule::Action { words, .. } => words.clone(),
                    Rule::System { verb, object, .. } => format!("{verb} '{object}'"),
                };
                self.itf.state(after, &format!("{who}: {what}"));
            }
        }
    }

    fn property(&mut self, prepared: &Prepared, property: usize, holds: bool, event: Event) {
        let property = &prepared.flat.program.properties[property];
        match self.format {
            Some(TraceFormat::Text) => {
                let always = property.modality == Modality::Always;
                let words = match event {
                    Event::Violated => "property violated",
                    Event::Became(true) if always => "property true again",
                    Event::Satisfied | Event::Became(true) => "property satisfied",
                    Event::Became(false) if always => "property violated",
                    Event::Became(false) => "property not satisfied",
                };
                self.text += &format!("<{words}: {}>\n", property.name);
            }
            Some(TraceFormat::Json) => {
                let note = PropertyData { name: property.name.clone(), holds };
                match self.steps.last_mut() {
                    Some(step) => step.properties.push(note),
                    None => self.first_properties.push(note),
                }
            }
            _ => {}
        }
    }

    fn culprit(&mut self, prepared: &Prepared, instance: Instance) {
        if self.format == Some(TraceFormat::Text) {
            let who = prepared.flat.program.agent_name(instance.agent);
            let function = &prepared.flat.program.functions[instance.function as usize];
            let at = prepared.file.position(function.span);
            self.text += &match &function.rule {
                Rule::Action { words, .. } => format!("{who}: tries {words} (at {at})\n"),
                Rule::System { verb, object, .. } => format!("{who}: tries to {verb} '{object}'\n"),
            };
        }
    }

    fn finish(&mut self, prepared: &'p Prepared, seed: u64, end: &End) {
        let words = match end {
            End::Steps => "open".to_string(),
            End::Deadlock => "deadlock".to_string(),
            End::Fault(fault) => format!("model error: {}", blame(prepared, *fault)),
        };
        match self.format {
            Some(TraceFormat::Text) if !matches!(end, End::Steps) => self.text += &format!("<{words}>\n"),
            Some(TraceFormat::Text) => {}
            Some(TraceFormat::Json) => {
                let trace = TraceData {
                    format: FORMAT.to_string(),
                    version: VERSION,
                    model: prepared.file.name().to_string(),
                    parameters: data::parameters(&prepared.model.parameters),
                    fair: prepared.options.fair,
                    semantics: match prepared.options.semantics {
                        Semantics::Sliver => "sliver",
                        Semantics::Paper => "paper",
                    }
                    .to_string(),
                    seed: Some(seed),
                    run: Some(self.run),
                    initial: std::mem::take(&mut self.initial),
                    properties: std::mem::take(&mut self.first_properties),
                    steps: std::mem::take(&mut self.steps),
                    end: words,
                    loop_start: None,
                };
                self.document(serde_json::to_value(trace).unwrap_or(Json::Null));
            }
            Some(TraceFormat::Itf) => {
                let itf = std::mem::replace(&mut self.itf, Itf::new(&prepared.flat));
                let document = itf.finish(&format!("{} (seed {seed}): {words}", prepared.file.name()), None);
                self.document(document);
            }
            None => {}
        }
    }

    fn document(&mut self, document: Json) {
        self.text += &document.to_string();
        self.text.push('\n');
    }

    fn is_full(&self) -> bool {
        self.text.len() > 1 << 14
    }

    fn flush(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(self.text.as_bytes())?;
        self.text.clear();
        out.flush()
    }
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
