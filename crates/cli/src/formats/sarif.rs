//! Findings as a SARIF log: "Static Analysis Results Interchange Format", version 2.1.0, an OASIS standard that GitHub's code
//! scanning, Azure DevOps and editors read. A violated property is a result at the place of the property (3.27), and its trace
//! is a code flow (3.36) with one location per step.

use super::finding::{Finding, Level, RULES};
use super::steps::{Stop, stops};
use crate::told::Told;
use serde_json::{Map, Value as Json, json};
use swarmcheck_session::{CALCULI_CATALOGUE, CATALOGUE, RCHECK_CATALOGUE, TraceData};
use swarmcheck_source::data::PlaceData;
use swarmcheck_source::fix::{EditData, FixData};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The log, as it is written.
pub fn document(told: &Told, findings: &[Finding]) -> String {
    let mut rules: Vec<&str> = vec![];
    for finding in findings {
        if !rules.contains(&finding.rule.as_str()) {
            rules.push(&finding.rule);
        }
    }
    let results: Vec<Json> = findings.iter().map(|finding| result(finding, &rules)).collect();
    let mut run = json!({
        "tool": { "driver": {
            "name": "swarmcheck",
            "version": env!("CARGO_PKG_VERSION"),
            "rules": rules.iter().map(|id| rule(id)).collect::<Vec<_>>(),
        } },
        // Columns count characters, not UTF-16 code units.
        "columnKind": "unicodeCodePoints",
        "invocations": [{ "executionSuccessful": told.complete.get() }],
        "results": results,
    });
    if let Some(verified) = &*told.verified.borrow() {
        let parameters: Map<String, Json> =
            verified.parameters.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        run["properties"] = json!({ "parameters": parameters });
    }
    let log = json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] });
    format!("{log:#}\n")
}

fn rule(id: &str) -> Json {
    let labs = CATALOGUE.iter().map(|entry| (entry.code, entry.title));
    let others = CALCULI_CATALOGUE.iter().chain(RCHECK_CATALOGUE).chain(RULES).copied();
    match labs.chain(others).find(|(known, _)| *known == id) {
        Some((_, title)) => json!({ "id": id, "shortDescription": { "text": title } }),
        None => json!({ "id": id }),
    }
}

fn result(finding: &Finding, rules: &[&str]) -> Json {
    let mut result = json!({
        "ruleId": finding.rule,
        "ruleIndex": rules.iter().position(|id| *id == finding.rule),
        "level": match finding.level {
            Level::Error => "error",
            Level::Warning => "warning",
        },
        "message": { "text": finding.message },
        "locations": [location(&finding.file, finding.place.as_ref(), None)],
    });
    // Code scanning shows nothing without a line.
    if finding.place.is_none() {
        result["locations"][0]["physicalLocation"]["region"] = json!({ "startLine": 1 });
    }
    if !finding.related.is_empty() {
        let related = finding.related.iter().map(|place| {
            location(&finding.file, Some(place), Some(&place.message).filter(|text| !text.is_empty()))
        });
        result["relatedLocations"] = related.collect();
    }
    if !finding.fixes.is_empty() {
        result["fixes"] = finding.fixes.iter().map(|one| fix(&finding.file, one)).collect();
    }
    if let Some(property) = &finding.property {
        // What is found about a property stays the same finding when lines move.
        result["partialFingerprints"] = json!({ "property/v1": property });
    }
    if let Some(trace) = &finding.trace {
        result["codeFlows"] = json!([code_flow(finding, trace)]);
    }
    result
}

/// A fix (3.55). Its places are bytes, as in all data of ours.
fn fix(file: &str, fix: &FixData) -> Json {
    let replacement = |edit: &EditData| {
        json!({
            "deletedRegion": { "byteOffset": edit.start, "byteLength": edit.end - edit.start },
            "insertedContent": { "text": edit.text },
        })
    };
    let replacements: Vec<Json> = fix.edits.iter().map(replacement).collect();
    json!({
        "description": { "text": fix.title },
        "artifactChanges": [{ "artifactLocation": { "uri": uri(file) }, "replacements": replacements }],
    })
}

fn code_flow(finding: &Finding, trace: &TraceData) -> Json {
    let stops = stops(trace);
    let last = stops.len();
    let one = |(number, stop): (usize, &Stop)| {
        let state: Map<String, Json> =
            stop.values.iter().map(|(name, value)| (name.clone(), json!({ "text": value }))).collect();
        json!({
            "executionOrder": number,
            "importance": if number + 1 == last { "essential" } else { "important" },
            "location": location(&finding.file, stop.place.as_ref(), Some(&stop.message)),
            "state": state,
        })
    };
    let locations: Vec<Json> = stops.iter().enumerate().map(one).collect();
    json!({ "message": { "text": finding.message }, "threadFlows": [{ "locations": locations }] })
}

fn location(file: &str, place: Option<&PlaceData>, message: Option<&String>) -> Json {
    let mut physical = json!({ "artifactLocation": { "uri": uri(file) } });
    if let Some(place) = place {
        physical["region"] = json!({ "startLine": place.line, "startColumn": place.column });
        // Of some places only the beginning is known.
        if (place.end_line, place.end_column) > (place.line, place.column) {
            physical["region"]["endLine"] = json!(place.end_line);
            physical["region"]["endColumn"] = json!(place.end_column);
        }
    }
    let mut location = json!({ "physicalLocation": physical });
    if let Some(message) = message {
        location["message"] = json!({ "text": message });
    }
    location
}

/// A path as a URI (RFC 3986): relative paths stay relative, and what a URI cannot have is escaped.
fn uri(path: &str) -> String {
    let mut out = String::from(if path.starts_with('/') { "file://" } else { "" });
    let path = path.strip_prefix("./").unwrap_or(path);
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(byte as char)
            }
            _ => out += &format!("%{byte:02X}"),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_uris() {
        assert_eq!(uri("examples/flock/flock.labs"), "examples/flock/flock.labs");
        assert_eq!(uri("./my model:2.labs"), "my%20model%3A2.labs");
        assert_eq!(uri("/tmp/ü.labs"), "file:///tmp/%C3%BC.labs");
    }
}
