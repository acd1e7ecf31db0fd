//! What was found out about properties, shown where they stand: lenses, hints and diagnostics.

use crate::documents::{Document, Question};
use crate::settings::Settings;
use crate::text::{Encoding, Range};
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::sync::Arc;
use swarmcheck_session::editor::protocol::{Fact, Known, SymbolData};
use swarmcheck_session::outcome::{Answered, ShownTrace};
use swarmcheck_session::{Answer, words};
use swarmcheck_source::index::SymbolKind;

/// What was found out about a property.
pub(crate) struct Verdict {
    pub answered: Answered,
    pub word: String,
    /// The evidence as a sentence.
    pub evidence: String,
    /// What else should be known.
    pub notes: Vec<String>,
    pub seconds: f64,
    /// The execution that shows it.
    pub trace: Option<Box<ShownTrace>>,
    /// What it is about. If that is not what would be asked now, it is stale.
    pub question: Arc<Question>,
    /// The number of the job that has found it. Jobs that began earlier say nothing more about the property.
    pub job: u64,
}

impl Verdict {
    pub fn new(answer: &Answer, question: &Arc<Question>, job: u64) -> Verdict {
        let notes = answer.notes.iter().filter(|note| words::is_important(note));
        Verdict {
            answered: answer.verdict(),
            word: answer.verdict().word().to_string(),
            evidence: answer.evidence(),
            notes: notes.map(words::note).collect(),
            seconds: answer.effort.seconds,
            trace: answer.trace.clone(),
            question: question.clone(),
            job,
        }
    }

    pub fn is_stale(&self, now: &Question) -> bool {
        *self.question != *now
    }

    /// The values of parameters that it is about, as they are typed.
    fn parameters(&self) -> String {
        let list = self.question.model.parameters.iter().map(|(name, value)| format!("{name}={value}"));
        list.collect::<Vec<_>>().join(" ")
    }

    /// `holds (0.12 s)`, and whether it is stale.
    fn title(&self, now: &Question) -> String {
        let stale = if self.is_stale(now) { ", stale" } else { "" };
        format!("{} ({:.2} s){stale}", self.word, self.seconds)
    }
}

fn lens(range: Range, title: &str, command: &str, arguments: Json) -> Json {
    json!({ "range": range, "command": { "title": title, "command": command, "arguments": arguments } })
}

/// The lenses of a document, over properties, agents and parameters.
pub(crate) fn lenses(
    document: &Document,
    symbols: &[SymbolData],
    settings: &Settings,
    encoding: Encoding,
) -> Vec<Json> {
    let (uri, now) = (&document.uri, document.question(settings));
    let mut out = vec![];
    for (name, place) in properties(document, symbols) {
        let range = document.text.range(place, encoding);
        out.push(lens(range, "verify", "swarmcheck.verify", json!([uri, name])));
        out.push(lens(range, "simulate to violation", "swarmcheck.simulateToViolation", json!([uri, name])));
        let Some(verdict) = document.verdicts.get(&name) else { continue };
        let title = verdict.title(&now);
        match verdict.trace {
            Some(_) => {
                out.push(lens(range, &format!("{title}: show"), "swarmcheck.showPlayer", json!([uri, name])));
                out.push(lens(range, "trace", "swarmcheck.showTrace", json!([uri, name])));
            }
            None => out.push(lens(range, &title, "swarmcheck.verify", json!([uri, name]))),
        }
    }
    let kinds = symbols.iter().filter(|symbol| symbol.kind == SymbolKind::AgentKind);
    let mut drawn: Vec<&SymbolData> = kinds.collect();
    // Calculi have no agents: the automaton is that of the whole system.
    if drawn.is_empty() {
        drawn.extend(symbols.iter().find(|symbol| symbol.kind == SymbolKind::Process));
    }
    for symbol in drawn {
        let range = document.text.range(symbol.place, encoding);
        out.push(lens(range, "show automaton", "swarmcheck.showAutomaton", json!([uri, symbol.name])));
    }
    if settings.ask_parameters
        && let Some(first) = symbols.iter().find(|symbol| symbol.kind == SymbolKind::Parameter)
    {
        let range = document.text.range(first.place, encoding);
        out.push(lens(
            range,
            "set parameters",
            "swarmcheck.askParameters",
            json!([uri, parameters(document, settings)]),
        ));
    }
    out
}

/// The parameters of a document with the values that count now.
pub(crate) fn parameters(document: &Document, settings: &Settings) -> Json {
    let outline = document.checked.as_ref().and_then(|checked| checked.outline.as_ref());
    let values = document.model_to_run(settings).parameters;
    let value = |name: &str| values.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
    let list = outline.iter().flat_map(|outline| &outline.parameters).map(|parameter| {
        let default = parameter.default.map(|default| default.to_string());
        json!({ "name": parameter.name, "value": value(&parameter.name).or(default) })
    });
    list.collect()
}

/// Names and places of properties: those of the checked model, or those that the text declares.
fn properties(document: &Document, symbols: &[SymbolData]) -> Vec<(String, (u32, u32))> {
    let declared = || symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Property);
    let places: HashMap<&str, (u32, u32)> =
        declared().map(|symbol| (symbol.name.as_str(), symbol.place)).collect();
    let line = |name: &str, place: (u32, u32)| places.get(name).copied().unwrap_or(place);
    match document.current().and_then(|checked| checked.outline.as_ref()) {
        Some(outline) if !outline.properties.is_empty() => {
            let listed = outline.properties.iter();
            listed.map(|p| (p.name.clone(), line(&p.name, (p.place.start, p.place.end)))).collect()
        }
        _ => declared().map(|symbol| (symbol.name.clone(), symbol.place)).collect(),
    }
}

/// Hints inside the text: what is known about declarations, and verdicts.
pub(crate) fn hints(
    document: &Document,
    facts: &[Fact],
    settings: &Settings,
    encoding: Encoding,
    within: Range,
) -> Vec<Json> {
    let now = document.question(settings);
    let mut out = vec![];
    let outline = document.current().and_then(|checked| checked.outline.as_ref());
    let default = |name: &str| {
        let parameters = &outline?.parameters;
        parameters.iter().find(|parameter| parameter.name == name)?.default
    };
    for fact in facts {
        let (end, label) = match &fact.known {
            // A default that stands there need not be repeated.
            Known::Value { value, assumed: false } if default(&fact.name) == Some(*value) => continue,
            Known::Value { value, assumed: false } => (fact.place.1, format!("= {value}")),
            Known::Value { value, assumed: true } => (fact.place.1, format!("= {value}?")),
            Known::Agents { count: 1 } => (fact.place.1, "1 agent".to_string()),
            Known::Agents { count } => (fact.place.1, format!("{count} agents")),
            // Behind the declaration, where it does not come between a name and its first value.
            Known::Range { .. } => match fact.known.range() {
                Some(range) => (fact.end, format!("{} ∈ {range}", fact.name)),
                None => continue,
            },
        };
        let position = document.text.position(end, encoding);
        let tooltip = match &fact.known {
            Known::Value { assumed: true, .. } => "nobody has given a value: this one is tried",
            Known::Value { .. } => "the value of the parameter",
            Known::Agents { .. } => "with the present values of the parameters",
            Known::Range { .. } => "all values that it can have, by interval analysis; it may have fewer",
        };
        out.push(json!({ "position": position, "label": label, "paddingLeft": true, "tooltip": tooltip }));
    }
    for (name, verdict) in &document.verdicts {
        if let Some(range) = document.property(name, encoding) {
            let title = verdict.title(&now);
            out.push(json!({
                "position": range.end, "label": title, "paddingLeft": true, "tooltip": verdict.evidence,
            }));
        }
    }
    let is_within = |hint: &Json| {
        let line = hint["position"]["line"].as_u64().unwrap_or(0);
        u64::from(within.start.line) <= line && line <= u64::from(within.end.line)
    };
    out.retain(is_within);
    out
}

/// What a verdict says, as a diagnostic at its property. A stale one says nothing.
pub(crate) fn diagnostics(document: &Document, settings: &Settings, encoding: Encoding) -> Vec<Json> {
    if document.verdicts.is_empty() {
        return vec![];
    }
    let now = document.question(settings);
    let shown = document.verdicts.iter().filter(|(_, verdict)| !verdict.is_stale(&now));
    let diagnostic = |(name, verdict): (&String, &Verdict)| {
        let range = document.property(name, encoding)?;
        let severity = match verdict.answered {
            Answered::Violated | Answered::ModelError => 1,
            Answered::Unknown => 3,
            Answered::Holds => 4,
        };
        let parameters = verdict.parameters();
        let given = if parameters.is_empty() { String::new() } else { format!(" ({parameters})") };
        let notes: String = verdict.notes.iter().map(|note| format!("\nnote: {note}")).collect();
        let message = format!("{name}: {}{given}: {}{notes}", verdict.word, verdict.evidence);
        let code = verdict.word.replace(' ', "-");
        Some(
            json!({ "range": range, "severity": severity, "code": code, "source": "swarmcheck", "message": message }),
        )
    };
    shown.filter_map(diagnostic).collect()
}
