//! Events as lines for the page: the data, and beside it the sentences that the command line would print.

use serde_json::{Value as Json, json};
use swarmcheck_session::estimate::{EstimateReport, QueryResult};
use swarmcheck_session::event::Outcomes;
use swarmcheck_session::{Event, Reason, explain, words};

/// An event as a line. `names` are those of the files of the request; `stopped` is why the work was cut short, if it was.
pub(crate) fn line(event: &Event, names: &[String], stopped: Option<&Reason>) -> String {
    let mut value = serde_json::to_value(event).unwrap_or(Json::Null);
    if let Json::Object(fields) = &mut value {
        fields.extend(said(event, names).map(|said| ("said".to_string(), said)));
        fields.extend(stopped.map(|reason| ("stopped".to_string(), json!(reason))));
    }
    format!("{value}\n")
}

fn said(event: &Event, names: &[String]) -> Option<Json> {
    match event {
        Event::Answer(answer) => {
            let notes = answer.notes.iter().filter(|note| words::is_important(note));
            let notes: Vec<String> = notes.map(words::note).collect();
            let because = answer.because.as_ref().map_or(vec![], |because| words::because(because));
            let evidence = answer.evidence();
            Some(json!({ "evidence": evidence, "notes": notes, "because": because }))
        }
        Event::Refused { refusal } => Some(json!({ "why": words::refusal(refusal) })),
        Event::Done { result } => match &**result {
            Outcomes::Estimate { report } => Some(estimate_said(report)),
            result => result_said(result, names).map(|text| json!({ "text": text })),
        },
        _ => None,
    }
}

/// What "random" means, and for each result what should be known about it.
fn estimate_said(report: &EstimateReport) -> Json {
    let notes = |result: &QueryResult| -> Vec<String> {
        result.notes.iter().map(|note| words::estimate::note(note, result)).collect()
    };
    let notes: Vec<Vec<String>> = report.results.iter().map(notes).collect();
    json!({ "text": words::estimate::law(&report.law, report.seed), "notes": notes })
}

/// What a result says, where there is more than its data.
fn result_said(result: &Outcomes, names: &[String]) -> Option<String> {
    let name = |at: usize| names.get(at).map_or("", String::as_str);
    match result {
        Outcomes::Simulate { report } => Some(words::simulation(report).join("\n")),
        Outcomes::Compare { compared } => Some(words::compared(compared, [name(0), name(1)])),
        Outcomes::Realize { realized } => Some(words::realized(realized, name(0))),
        Outcomes::Replay { answer } => Some(words::replay(answer)),
        Outcomes::Certify { answer } => Some(words::certificate(answer)),
        Outcomes::Explain { answer } => Some(explain::words::answer(answer)),
        Outcomes::Lts { written } => written.minimised.as_ref().or(written.whole.as_ref()).map(words::size),
        _ => None,
    }
}

/// The last line of a job whose worker was stopped or has died.
pub(crate) fn failed(reason: &Reason) -> String {
    let line = json!({ "event": "failed", "reason": reason, "said": { "why": words::reason(reason) } });
    format!("{line}\n")
}

/// The last line of a job that says more than may be sent.
pub(crate) fn too_long(most: usize) -> String {
    let why = format!("the result is larger than {} MB", most >> 20);
    format!("{}\n", json!({ "event": "failed", "reason": { "kind": "output" }, "said": { "why": why } }))
}
