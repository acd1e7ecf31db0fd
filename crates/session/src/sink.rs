//! What happens, as text, JSON or ITF.

use crate::open::Prepared;
use crate::simulate::TraceFormat;
use crate::specification::MadeStep;
use serde_json::Value as Json;
use std::io::{self, Write};
use swarmcheck_engine::trace::data::{self, FORMAT, PropertyData, StepData, TraceData, VERSION};
use swarmcheck_engine::trace::itf::Itf;
use swarmcheck_engine::trace::text;
use swarmcheck_engine::trace::view::Clock;
use swarmcheck_ir::flat::Instance;
use swarmcheck_ir::{Fault, Modality, Rule, Value};
use swarmcheck_labs::lower::{Choice, Semantics};
use swarmcheck_logic::watch::Event;

/// How a run ended.
#[derive(Clone, Copy)]
pub(crate) enum End {
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
pub(crate) struct Sink<'p> {
    /// The seed of a random run and the number of the run, from 1.
    pub(crate) random: Option<(u64, u64)>,
    /// Its initial state was found by search.
    pub(crate) searched_start: bool,
    /// The state, by number of steps, that the last state goes back to.
    pub(crate) loop_start: Option<usize>,
    format: Option<TraceFormat>,
    clock: Clock<'p>,
    text: String,
    steps: Vec<StepData>,
    initial: Vec<data::WriteData>,
    first_properties: Vec<PropertyData>,
    itf: Itf<'p>,
}

impl<'p> Sink<'p> {
    pub(crate) fn new(prepared: &'p Prepared, format: Option<TraceFormat>, initial: &[Value]) -> Sink<'p> {
        Sink {
            random: None,
            searched_start: false,
            loop_start: None,
            format,
            clock: Clock::new(&prepared.flat, initial),
            text: String::new(),
            steps: vec![],
            initial: vec![],
            first_properties: vec![],
            itf: Itf::new(&prepared.flat),
        }
    }

    pub(crate) fn title(&mut self, title: &str) {
        if self.format == Some(TraceFormat::Text) {
            self.text += title;
            self.text.push('\n');
        }
    }

    pub(crate) fn initial(&mut self, state: &[Value]) {
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

    /// Whether steps are written at all: then what is said of them must be known.
    pub(crate) fn is_open(&self) -> bool {
        self.format.is_some()
    }

    pub(crate) fn step(
        &mut self,
        prepared: &Prepared,
        made: &MadeStep<'_>,
        writes: &[(u32, Value)],
        after: &[Value],
    ) {
        let Some(format) = self.format else { return };
        let instance = made.instance;
        let assigned = self.clock.step(writes, after);
        match format {
            TraceFormat::Text => {
                let message = prepared.message(made);
                self.text += &text::step(&prepared.flat, instance, message.as_ref(), &assigned);
            }
            TraceFormat::Json => {
                let at = |span| prepared.file.position(span);
                let mut step = data::step(&self.clock, instance, &assigned, after, at);
                step.message = prepared.message(made).map(Box::new);
                self.steps.push(step);
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

    pub(crate) fn property(&mut self, prepared: &Prepared, property: usize, holds: bool, event: Event) {
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

    pub(crate) fn culprit(&mut self, prepared: &Prepared, instance: Instance) {
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

    pub(crate) fn finish(&mut self, prepared: &'p Prepared, end: &End) {
        let words = ending(prepared, end);
        match self.format {
            Some(TraceFormat::Text) if !matches!(end, End::Steps) => self.text += &format!("<{words}>\n"),
            Some(TraceFormat::Text) => {}
            Some(TraceFormat::Json) => {
                let trace = self.data(prepared, end);
                self.document(serde_json::to_value(trace).unwrap_or(Json::Null));
            }
            Some(TraceFormat::Itf) => {
                let itf = std::mem::replace(&mut self.itf, Itf::new(&prepared.flat));
                let seed = self.random.map_or(String::new(), |(seed, _)| format!(" (seed {seed})"));
                let title = format!("{}{seed}: {words}", prepared.file.name());
                self.document(itf.finish(&title, self.loop_start));
            }
            None => {}
        }
    }

    /// What was told so far, as data; only for the JSON format.
    pub(crate) fn data(&mut self, prepared: &Prepared, end: &End) -> TraceData {
        TraceData {
            format: FORMAT.to_string(),
            version: VERSION,
            model: prepared.file.name().to_string(),
            parameters: data::parameters(prepared.model.parameters()),
            fair: prepared.options.fair,
            semantics: semantics_word(prepared.options.semantics).to_string(),
            choice: choice_word(prepared.options.choice).to_string(),
            sync: prepared.options.sync,
            precedence: prepared.options.precedence.map(|p| p.word().to_string()),
            seed: self.random.map(|(seed, _)| seed),
            run: self.random.map(|(_, run)| run),
            searched_start: self.searched_start,
            initial: std::mem::take(&mut self.initial),
            properties: std::mem::take(&mut self.first_properties),
            steps: std::mem::take(&mut self.steps),
            end: ending(prepared, end),
            loop_start: self.loop_start,
            reach: prepared.options.reach.clone(),
        }
    }

    /// What was told so far, as text, taken out.
    pub(crate) fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    fn document(&mut self, document: Json) {
        self.text += &document.to_string();
        self.text.push('\n');
    }

    pub(crate) fn is_full(&self) -> bool {
        self.text.len() > 1 << 14
    }

    pub(crate) fn flush(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(self.text.as_bytes())?;
        self.text.clear();
        out.flush()
    }
}

fn ending(prepared: &Prepared, end: &End) -> String {
    match end {
        End::Steps => "open".to_string(),
        End::Deadlock => "deadlock".to_string(),
        End::Fault(fault) => format!("model error: {}", blame(prepared, *fault)),
    }
}

/// The word for it in files.
pub(crate) fn semantics_word(semantics: Semantics) -> &'static str {
    match semantics {
        Semantics::Sliver => "sliver",
        Semantics::Paper => "paper",
    }
}

/// The word for it in files.
pub(crate) fn choice_word(choice: Choice) -> &'static str {
    match choice {
        Choice::Late => "late",
        Choice::Early => "early",
    }
}
