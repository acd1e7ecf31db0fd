//! What happens, as numbered steps, JSON, ITF, or text in the style of SLiVER.

use crate::listing::{Listing, Style};
use crate::open::Prepared;
use crate::reasons;
use crate::simulate::TraceFormat;
use crate::specification::MadeStep;
use crate::walk::{Plan, Planned};
use serde_json::Value as Json;
use std::io::{self, Write};
use swarmcheck_engine::Fairness;
use swarmcheck_engine::trace::change::Values;
use swarmcheck_engine::trace::data::{self, FORMAT, PropertyData, StepData, TraceData, VERSION};
use swarmcheck_engine::trace::explain::{FaultData, TriedData};
use swarmcheck_engine::trace::itf::Itf;
use swarmcheck_engine::trace::legend::Legend;
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
    /// What an error of the model at the end met.
    pub(crate) detail: Option<FaultData>,
    format: Option<TraceFormat>,
    /// For numbered steps; the last one waits for what is still said about it.
    listing: Listing,
    waiting: Option<StepData>,
    /// Initial values that were printed before.
    known: Option<Vec<data::WriteData>>,
    /// The values after the last step, and its state.
    values: Values,
    state: Vec<Value>,
    /// The run has ended: what is said from now on is about the whole of it.
    ended: bool,
    refuted: Vec<String>,
    tried: Option<TriedData>,
    clock: Clock<'p>,
    text: String,
    steps: Vec<StepData>,
    initial: Vec<data::WriteData>,
    first_properties: Vec<PropertyData>,
    itf: Itf<'p>,
    /// For pictures.
    plan: Plan,
}

impl<'p> Sink<'p> {
    pub(crate) fn new(prepared: &'p Prepared, format: Option<TraceFormat>, initial: &[Value]) -> Sink<'p> {
        Sink {
            random: None,
            searched_start: false,
            loop_start: None,
            detail: None,
            format,
            listing: Listing::new(Legend::new(&prepared.flat.program), Style::default()),
            waiting: None,
            known: None,
            values: Values::default(),
            state: vec![],
            ended: false,
            refuted: vec![],
            tried: None,
            clock: Clock::new(&prepared.flat, initial),
            text: String::new(),
            steps: vec![],
            initial: vec![],
            first_properties: vec![],
            itf: Itf::new(&prepared.flat),
            plan: Plan { initial: vec![], steps: vec![], back_to: None },
        }
    }

    /// How numbered steps look, and which initial values need not be printed again.
    pub(crate) fn listed(&mut self, style: Style, known: Option<Vec<data::WriteData>>) {
        self.listing = Listing::new(self.listing.legend().clone(), style);
        self.known = known;
    }

    /// The initial values that were printed, for the next run.
    pub(crate) fn known(&mut self) -> Option<Vec<data::WriteData>> {
        self.known.take()
    }

    pub(crate) fn title(&mut self, title: &str) {
        match self.format {
            Some(TraceFormat::Text | TraceFormat::Sliver) => self.text += &format!("{title}\n"),
            Some(TraceFormat::Markdown) => {
                self.text += &format!("\n### {}\n", title.trim_start_matches("== "));
            }
            _ => {}
        }
    }

    pub(crate) fn initial(&mut self, state: &[Value]) {
        match self.format {
            Some(TraceFormat::Sliver) => self.text += &text::initial(&self.clock, state),
            Some(
                TraceFormat::Json
                | TraceFormat::Text
                | TraceFormat::Markdown
                | TraceFormat::Html
                | TraceFormat::Svg,
            ) => {
                self.plan.initial = state.to_vec();
                let flat = self.clock.flat();
                self.initial = self.clock.snapshot(state).iter().map(|a| data::write(flat, a)).collect();
                self.values = Values::new(&self.initial);
                self.state = state.to_vec();
                if self.is_listed() {
                    self.text += &self.listing.initial(&self.initial, self.known.as_deref());
                    self.known.get_or_insert_with(|| std::mem::take(&mut self.initial));
                }
            }
            Some(TraceFormat::Itf) => self.itf.state(state, "init"),
            None => {}
        }
    }

    fn is_listed(&self) -> bool {
        matches!(self.format, Some(TraceFormat::Text | TraceFormat::Markdown))
    }

    /// Writes the step that waits, because nothing more is said about it.
    fn list(&mut self) {
        if let Some(step) = self.waiting.take() {
            self.text += &self.listing.step(&step);
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
            TraceFormat::Sliver => {
                let message = prepared.message(made);
                self.text += &text::step(&prepared.flat, instance, message.as_ref(), &assigned);
            }
            TraceFormat::Json
            | TraceFormat::Text
            | TraceFormat::Markdown
            | TraceFormat::Html
            | TraceFormat::Svg => {
                if format.is_single() {
                    self.plan.steps.push(Planned { instance, message: None, state: after.to_vec() });
                }
                let at = |span| prepared.file.position(span);
                let mut step = data::step(&self.clock, instance, &assigned, after, at);
                step.message = prepared.message(made).map(Box::new);
                step.unlinked = reasons::unlinked(&prepared.flat, made.before, instance);
                step.changes = self.values.assign(&step.writes);
                self.state.clear();
                self.state.extend_from_slice(after);
                match self.is_listed() {
                    true => {
                        self.list();
                        self.waiting = Some(step);
                    }
                    false => self.steps.push(step),
                }
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

    /// From now on, properties are told that the end of the run refutes.
    pub(crate) fn at_the_end(&mut self) {
        self.ended = true;
    }

    pub(crate) fn property(&mut self, prepared: &Prepared, property: usize, holds: bool, event: Event) {
        let number = property;
        let property = &prepared.flat.program.properties[property];
        match self.format {
            Some(TraceFormat::Sliver) => {
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
            Some(TraceFormat::Text | TraceFormat::Markdown) if self.ended => {
                self.refuted.push(property.name.clone());
            }
            Some(
                TraceFormat::Json
                | TraceFormat::Text
                | TraceFormat::Markdown
                | TraceFormat::Html
                | TraceFormat::Svg,
            ) => {
                let because = match self.ended {
                    true => vec![],
                    false => reasons::because(&prepared.flat, number, &self.state),
                };
                let note = PropertyData { name: property.name.clone(), holds, because };
                let listed = self.is_listed();
                match (self.steps.last_mut().or(self.waiting.as_mut()), listed) {
                    (Some(step), _) => step.properties.push(note),
                    (None, true) => self.text += &self.listing.told(&[note], &[]),
                    (None, false) => self.first_properties.push(note),
                }
            }
            _ => {}
        }
    }

    pub(crate) fn culprit(&mut self, prepared: &Prepared, instance: Instance) {
        let function = &prepared.flat.program.functions[instance.function as usize];
        let at = prepared.file.position(function.span);
        let (rule, what) = match &function.rule {
            Rule::Action { words, .. } => (data::ACTION, words),
            Rule::System { verb, object, .. } => (*verb, object),
        };
        let (rule, what) = (rule.to_string(), what.clone());
        self.tried = Some(TriedData { agent: instance.agent, rule, what, at: at.clone() });
        if self.format == Some(TraceFormat::Sliver) {
            let who = prepared.flat.program.agent_name(instance.agent);
            self.text += &match &function.rule {
                Rule::Action { words, .. } => format!("{who}: tries {words} (at {at})\n"),
                Rule::System { verb, object, .. } => format!("{who}: tries to {verb} '{object}'\n"),
            };
        }
    }

    pub(crate) fn finish(&mut self, prepared: &'p Prepared, end: &End) {
        let words = ending(prepared, end);
        match self.format {
            Some(TraceFormat::Sliver) if !matches!(end, End::Steps) => self.text += &format!("<{words}>\n"),
            Some(TraceFormat::Sliver) => {}
            Some(TraceFormat::Text | TraceFormat::Markdown) => {
                self.list();
                let data = self.data(prepared, end);
                self.text += &self.listing.end(&data);
                for name in std::mem::take(&mut self.refuted) {
                    self.text += &format!("the end of the run refutes {name}\n");
                }
            }
            Some(TraceFormat::Json) => {
                let trace = self.data(prepared, end);
                self.text += &serde_json::to_string(&trace).unwrap_or_default();
                self.text.push('\n');
            }
            Some(format @ (TraceFormat::Html | TraceFormat::Svg)) => {
                let trace = self.data(prepared, end);
                self.text += &crate::picture::document(prepared, &trace, &self.plan, format);
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

    /// What was told so far, as data; only for the JSON format, and for the end of numbered steps.
    pub(crate) fn data(&mut self, prepared: &Prepared, end: &End) -> TraceData {
        let stopped = match end {
            End::Deadlock => reasons::stop(prepared, &self.state),
            _ => None,
        };
        TraceData {
            property: None,
            claim: None,
            truths: vec![],
            because: vec![],
            stopped: stopped.map(Box::new),
            repeats: None,
            fault: self.detail.clone().map(Box::new),
            tried: self.tried.take().map(Box::new),
            formula: vec![],
            fairness: Fairness::None,
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
