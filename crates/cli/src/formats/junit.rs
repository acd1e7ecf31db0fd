//! Answers as a JUnit report, in the form of Maven's Surefire that Jenkins, GitLab and others read. Of `verify`: a test suite
//! for the model, a test case for each property; `commands/test/junit.rs` makes those of `test`. A violated property is a failure; one that was not decided, and a model with errors, are
//! errors, because nothing was tested.

use super::finding::file;
use crate::told::Told;
use swarmcheck_session::outcome::Answered;
use swarmcheck_session::{Answer, words};
use swarmcheck_source::Severity;
use swarmcheck_source::data::DiagnosticData;

/// The report of `verify`, as it is written.
pub fn document(told: &Told) -> String {
    let model = told.model.borrow().clone().unwrap_or_default();
    let verified = told.verified.borrow();
    let answers = verified.as_ref().map_or(&[][..], |verified| &verified.answers);
    let mut cases: Vec<Case> = answers.iter().map(|answer| case(answer, answers, file(&model))).collect();
    if verified.is_none() {
        cases.push(refused(told, file(&model)));
    }
    let parameters = verified.as_ref().map_or(vec![], |verified| verified.parameters.clone());
    written(&[Suite { name: model, parameters, cases }])
}

/// A report of test suites.
pub fn written(suites: &[Suite]) -> String {
    let all: Vec<&Case> = suites.iter().flat_map(|suite| &suite.cases).collect();
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"swarmcheck\" {}>\n",
        counts(&all)
    );
    suites.iter().for_each(|suite| out += &suite.text());
    out + "</testsuites>\n"
}

fn counts(cases: &[&Case]) -> String {
    let count = |element: &str| cases.iter().filter(|case| case.failed == Some(element)).count();
    let seconds: f64 = cases.iter().map(|case| case.seconds).sum();
    format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{seconds:.3}\"",
        cases.len(),
        count("failure"),
        count("error")
    )
}

/// Test cases that belong together.
pub struct Suite {
    pub name: String,
    /// Values that all cases have in common.
    pub parameters: Vec<(String, i64)>,
    pub cases: Vec<Case>,
}

impl Suite {
    fn text(&self) -> String {
        let cases: Vec<&Case> = self.cases.iter().collect();
        let skipped = match cases.iter().filter(|case| case.failed == Some("skipped")).count() {
            0 => String::new(),
            n => format!(" skipped=\"{n}\""),
        };
        let mut out = format!("  <testsuite name=\"{}\" {}{skipped}>\n", escaped(&self.name), counts(&cases));
        if !self.parameters.is_empty() {
            out += "    <properties>\n";
            for (name, value) in &self.parameters {
                out += &format!("      <property name=\"{}\" value=\"{value}\"/>\n", escaped(name));
            }
            out += "    </properties>\n";
        }
        cases.iter().for_each(|case| out += &case.text());
        out + "  </testsuite>\n"
    }
}

/// A test case.
pub struct Case {
    pub name: String,
    /// What is tested: the file of the model.
    pub class: String,
    pub seconds: f64,
    /// The element that says that it was not passed: `failure`, `error` or `skipped`.
    pub failed: Option<&'static str>,
    /// What went wrong, in a word.
    pub kind: String,
    /// The evidence in a line.
    pub message: String,
    /// All that is known.
    pub text: String,
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
