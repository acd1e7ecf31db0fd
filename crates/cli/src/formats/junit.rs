//! Answers as a JUnit report, in the form of Maven's Surefire that Jenkins, GitLab and others read: a test suite for the model,
//! a test case for each property. A violated property is a failure; one that was not decided, and a model with errors, are
//! errors, because nothing was tested.

use super::finding::file;
use crate::told::Told;
use swarmcheck_session::outcome::Answered;
use swarmcheck_session::{Answer, words};
use swarmcheck_source::Severity;
use swarmcheck_source::data::DiagnosticData;

/// The report, as it is written.
pub fn document(told: &Told) -> String {
    let model = told.model.borrow().clone().unwrap_or_default();
    let verified = told.verified.borrow();
    let answers = verified.as_ref().map_or(&[][..], |verified| &verified.answers);
    let mut cases: Vec<Case> = answers.iter().map(|answer| case(answer, answers, file(&model))).collect();
    if verified.is_none() {
        cases.push(refused(told, file(&model)));
    }
    let failures = cases.iter().filter(|case| case.failed == Some("failure")).count();
    let errors = cases.iter().filter(|case| case.failed == Some("error")).count();
    let seconds: f64 = cases.iter().map(|case| case.seconds).sum();
    let counts = format!(
        "tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{seconds:.3}\"",
        cases.len()
    );
    let name = escaped(&model);
    let mut out =
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"swarmcheck\" {counts}>\n");
    out += &format!("  <testsuite name=\"{name}\" {counts}>\n");
    if let Some(verified) = verified.as_ref().filter(|verified| !verified.parameters.is_empty()) {
        out += "    <properties>\n";
        for (name, value) in &verified.parameters {
            out += &format!("      <property name=\"{}\" value=\"{value}\"/>\n", escaped(name));
        }
        out += "    </properties>\n";
    }
    cases.iter().for_each(|case| out += &case.text());
    out + "  </testsuite>\n</testsuites>\n"
}

struct Case {
    name: String,
    class: String,
    seconds: f64,
    /// The element that says that it was not passed.
    failed: Option<&'static str>,
    /// The verdict.
    kind: String,
    /// The evidence in a line.
    message: String,
    /// All that is known.
    text: String,
}

fn case(answer: &Answer, all: &[Answer], class: &str) -> Case {
    // With --cross-check there is one answer per engine, and test cases need different names.
    let several = all.iter().filter(|other| other.name == answer.name).count() > 1;
    let name = match (&answer.engine, several) {
        (Some(engine), true) => format!("{} [{engine}]", answer.name),
        _ => answer.name.clone(),
    };
    let failed = match answer.verdict() {
        Answered::Holds => None,
        Answered::Violated => Some("failure"),
        Answered::ModelError | Answered::Unknown => Some("error"),
    };
    let mut text = format!("{}: {}\n", answer.name, answer.evidence());
    text += &answer
        .notes
        .iter()
        .filter(|note| words::is_important(note))
        .map(|note| format!("{}\n", words::note(note)))
        .collect::<String>();
    text += answer.trace.as_ref().map_or("", |shown| &shown.text);
    Case {
        name,
        class: class.to_string(),
        seconds: answer.effort.seconds,
        failed,
        kind: answer.verdict().word().to_string(),
        message: answer.evidence(),
        text,
    }
}

/// There are no answers: the model is to blame.
fn refused(told: &Told, class: &str) -> Case {
    let message = told.problem.borrow().as_ref().map_or(String::new(), |problem| problem.message.clone());
    let place = |d: &DiagnosticData| {
        let severity = if d.severity == Severity::Error { "error" } else { "warning" };
        let (line, column) = (d.place.line, d.place.column);
        format!("{severity}[{}]: {}\n --> {}:{line}:{column}\n", d.code, d.message, d.file)
    };
    let text = told.diagnostics.borrow().iter().map(place).collect::<String>();
    let (name, class) = ("(model)".to_string(), class.to_string());
    Case { name, class, seconds: 0.0, failed: Some("error"), kind: "model".to_string(), message, text }
}

impl Case {
    fn text(&self) -> String {
        let Case { name, class, seconds, kind, message, text, .. } = self;
        let head =
            format!("name=\"{}\" classname=\"{}\" time=\"{seconds:.3}\"", escaped(name), escaped(class));
        match self.failed {
            None => format!("    <testcase {head}/>\n"),
            Some(element) => format!(
                "    <testcase {head}>\n      <{element} type=\"{kind}\" message=\"{}\">{}</{element}>\n    </testcase>\n",
                escaped(message),
                escaped(text)
            ),
        }
    }
}

/// Text for an attribute or an element. XML 1.0 has no way to write most control characters (2.2, Characters).
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\n' | '\t' => out.push(c),
            '\0'..' ' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_can_be_text() {
        assert_eq!(
            escaped("a < b && \"c\"\n\u{1b}[1m]]>"),
            "a &lt; b &amp;&amp; &quot;c&quot;\n\u{fffd}[1m]]&gt;"
        );
    }
}
