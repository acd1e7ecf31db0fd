//! What CBMC says: its answer in JSON (`cbmc FILE --json-ui --trace`), as in the stored answers of the tests.
//!
//! The answer is a list: the program's name, messages, at most one result with all assertions, and at the end a status.
//! It is only understood if all of that is there once, in this order, and says the same; so an answer that was cut
//! off, or put together from two, is never taken for a success.

use super::{Assignment, CAnswer, CQuestion, Failure, PROGRAM, Shown, Success, Verifier, nothing_else};
use crate::reading::unreadable;
use crate::verdicts::{BMC, Said};
use crate::{Unreadable, printable};
use serde_json::Value as Json;

/// CBMC.
pub(crate) const VERIFIER: Verifier = Verifier {
    name: "CBMC",
    own_memory: false,
    arguments,
    shown: nothing_else,
    read: |kept| read(&kept.output),
    violated: &[10],
};

/// With loops of this many rounds; CBMC says itself if that is not enough.
fn arguments(question: &CQuestion<'_>, _: &str) -> Vec<String> {
    let words = ["--no-standard-checks", "--unwinding-assertions", "--json-ui", "--trace", "--unwind"];
    let mut out: Vec<String> = [PROGRAM].into_iter().chain(words).map(str::to_string).collect();
    out.push(question.rounds.unwrap_or(1).to_string());
    out
}

pub fn read(text: &str) -> Result<CAnswer, Unreadable> {
    let all: Json = match serde_json::from_str(text) {
        Ok(all) => all,
        Err(e) => return unreadable(format!("this is not a complete JSON text: {e}")),
    };
    let Some(items) = all.as_array() else { return unreadable("a list was expected") };
    let Some((first, rest)) = items.split_first() else { return unreadable("the list is empty") };
    match first["program"].as_str() {
        Some(name) if name.starts_with("CBMC ") => {}
        _ => return unreadable("the list does not begin with the name of CBMC"),
    }
    let mut parts = Parts::default();
    for item in rest {
        parts.take(item)?;
    }
    parts.answer()
}

/// What has been seen of an answer.
#[derive(Default)]
struct Parts<'a> {
    errors: Vec<String>,
    warnings: Vec<String>,
    /// The last `VERIFICATION …` message.
    said: Option<String>,
    result: Option<&'a Vec<Json>>,
    status: Option<&'a str>,
}

impl<'a> Parts<'a> {
    fn take(&mut self, item: &'a Json) -> Result<(), Unreadable> {
        let Some(fields) = item.as_object() else {
            return unreadable("an element of the list is not an object");
        };
        if self.status.is_some() {
            return unreadable("something comes after the status");
        }
        if let (Some(kind), Some(text)) = (item["messageType"].as_str(), item["messageText"].as_str()) {
            // JSON may name control characters that the text around it does not have.
            let said = printable(text);
            match kind {
                "ERROR" => self.errors.push(said),
                "WARNING" => self.warnings.push(said),
                "STATUS-MESSAGE" | "RESULT" | "STATISTICS" | "DEBUG" => {}
                other => return unreadable(format!("a message of an unknown kind: {}", printable(other))),
            }
            if let Some(verdict) = text.strip_prefix(BMC.begin)
                && self.said.replace(verdict.to_string()).is_some()
            {
                return unreadable("two verdicts");
            }
            return Ok(());
        }
        if let (1, Some(result)) = (fields.len(), item["result"].as_array()) {
            return match self.result.replace(result) {
                None => Ok(()),
                Some(_) => unreadable("two results"),
            };
        }
        if let (1, Some(status)) = (fields.len(), item["cProverStatus"].as_str()) {
            self.status = Some(status);
            return Ok(());
        }
        let names: Vec<&str> = fields.keys().map(String::as_str).collect();
        unreadable(format!("something unknown in the list, with {}", names.join(", ")))
    }

    fn answer(self) -> Result<CAnswer, Unreadable> {
        let said = self.said.as_deref();
        let meant = said.and_then(|said| BMC.say(said));
        match (self.status, self.result, meant) {
            (None, None, None) if said.is_none() && !self.errors.is_empty() => {
                Ok(CAnswer::Error(self.errors.join("; ")))
            }
            (Some("error"), _, _) => Ok(CAnswer::Error(self.errors.join("; "))),
            (Some("inconclusive"), _, _) => {
                Ok(CAnswer::Unknown("the verification was inconclusive".to_string()))
            }
            (None, ..) => unreadable("the status is missing: the answer was cut off"),
            (Some("success"), Some(result), Some(Said::Holds)) if self.errors.is_empty() => {
                success(result, &self.warnings)
            }
            (Some("failure"), Some(result), Some(Said::Violated)) if self.errors.is_empty() => {
                failure(result)
            }
            (Some(status), ..) => {
                unreadable(format!("the status is {status}, but the rest of the answer contradicts it"))
            }
        }
    }
}

/// The status of an assertion, and its name.
fn assertion(entry: &Json) -> Result<(&str, &str), Unreadable> {
    match (entry["status"].as_str(), entry["property"].as_str()) {
        (Some(status), Some(name)) => Ok((status, name)),
        _ => unreadable("an assertion without a status or a name"),
    }
}

fn success(result: &[Json], warnings: &[String]) -> Result<CAnswer, Unreadable> {
    if result.is_empty() {
        return Ok(CAnswer::Unknown("no assertion was checked".to_string()));
    }
    let mut checked = vec![];
    for entry in result {
        match assertion(entry)? {
            ("SUCCESS", _) => checked.push(description(entry)),
            (other, name) => return unreadable(format!("a success, but {name} is {other}")),
        }
    }
    Ok(CAnswer::Successful(match warnings.iter().any(|w| w.contains("unwinding")) {
        true => Success::Bounded,
        false => Success::Complete { checked: Some(checked) },
    }))
}

fn description(entry: &Json) -> String {
    entry["description"].as_str().unwrap_or_default().to_string()
}

/// The failures, each up to where it is seen first: an assertion that is reached again and again, or stands in several places, may have failed
/// before.
fn failure(result: &[Json]) -> Result<CAnswer, Unreadable> {
    let mut failures = vec![];
    for entry in result {
        match assertion(entry)? {
            ("SUCCESS" | "UNKNOWN" | "NOT CHECKED" | "NOT REACHABLE", _) => {}
            ("FAILURE", name) => failures.push(first_failure(result, entry, name)?),
            (other, name) => return unreadable(format!("{name} is {other}, which is not known")),
        }
    }
    if failures.is_empty() {
        return unreadable("a failure, but no assertion fails");
    }
    Ok(CAnswer::Failed(failures))
}

/// The assignments of a trace that ends with a failure of the assertion, up to the first failure of the same description, or the first error of
/// the model. CBMC goes on after other failures.
fn first_failure(result: &[Json], entry: &Json, name: &str) -> Result<Failure, Unreadable> {
    let Some(trace) = entry["trace"].as_array() else {
        return unreadable(format!("{name} fails without a trace: run CBMC with --trace"));
    };
    match trace.last() {
        Some(last) if last["stepType"] == "failure" && last["property"] == name => {}
        _ => return unreadable(format!("the trace of {name} does not end with its failure")),
    }
    let own = description(entry);
    let mut assignments = vec![];
    for step in trace {
        match step["stepType"].as_str() {
            Some("assignment") => assignments.extend(assignment(step)?),
            Some("failure") => {
                let failed =
                    |other: &&Json| other["property"] == step["property"] && other["status"] == "FAILURE";
                let Some(failed) = result.iter().find(failed) else {
                    return unreadable(format!("{} fails in the trace of {name} only", step["property"]));
                };
                let what = description(failed);
                if what == own || what.starts_with("model error: ") {
                    return Ok(Failure { description: Some(what), shown: Shown::Assignments(assignments) });
                }
            }
            Some(_) => {}
            None => return unreadable("a step of a trace without a type"),
        }
    }
    unreadable(format!("the trace of {name} does not show its failure"))
}

/// An assignment, unless it is hidden: declarations and CBMC's own variables are.
fn assignment(step: &Json) -> Result<Option<Assignment>, Unreadable> {
    let (Some(to), Some(hidden)) = (step["lhs"].as_str(), step["hidden"].as_bool()) else {
        return unreadable("an assignment to nothing");
    };
    let value = &step["value"];
    // Arrays as a whole have no data; their cells follow one by one.
    let Some(text) = value["data"].as_str().filter(|_| !hidden) else { return Ok(None) };
    let bits = value["binary"].as_str().unwrap_or_default();
    let as_wide = value["width"].as_u64().is_none_or(|width| width == bits.len() as u64 || bits.is_empty());
    if !as_wide || !bits.chars().all(|c| c == '0' || c == '1') {
        return unreadable(format!("the value of {to} is damaged"));
    }
    Ok(Some(Assignment { to: to.to_string(), bits: bits.to_string(), text: text.to_string() }))
}
