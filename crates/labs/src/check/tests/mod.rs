//! Tests of the checker. Expected findings are written into the text: `«E0101»` stands right before the place where
//! the checker must report that code, and nothing else may be reported.

mod actions;
mod declarations;
mod examples;
mod expressions;
mod formulas;
mod properties;
mod rates;
mod recovery;
mod recursion;
mod translation;
mod unused;
mod views;

use crate::model::Model;
use crate::syntax::parse;
use swarmcheck_source::{Diagnostic, Severity, SourceFile, Span};

/// Checks a text that parses. Findings come in the order of the text.
fn run(text: &str, parameters: &[(&str, &str)]) -> (Option<Model>, Vec<Diagnostic>) {
    let (file, parsed) = parse(text);
    let parsed: Vec<_> = parsed.iter().filter(|d| d.severity == Severity::Error).collect();
    assert!(parsed.is_empty(), "the text does not parse: {parsed:#?}\n{text}");
    let parameters: Vec<_> = parameters.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
    let (model, found) = super::check(&file, Span::new(text.len(), text.len()), &parameters);
    let found = found.into_sorted();
    let errors = found.iter().any(|d| d.severity == Severity::Error);
    assert_eq!(model.is_some(), !errors, "a model if and only if there is no error");
    (model, found)
}

/// Takes the marks out of a text: the text, and the codes with their lines and columns.
fn unmark(marked: &str) -> (String, Vec<String>) {
    let (mut text, mut marks) = (String::new(), vec![]);
    let mut rest = marked;
    while let Some((before, after)) = rest.split_once('«') {
        let (code, after) = after.split_once('»').expect("a closed mark");
        text.push_str(before);
        marks.push((text.len() as u32, code.to_string()));
        rest = after;
    }
    text.push_str(rest);
    let file = SourceFile::new("test", text.clone());
    let place = |(offset, code): &(u32, String)| {
        let (line, column) = file.line_column(*offset);
        format!("{code} {line}:{column}")
    };
    (text, marks.iter().map(place).collect())
}

/// Checks a marked text with parameters.
fn check_with(marked: &str, parameters: &[(&str, &str)]) {
    let (text, mut expected) = unmark(marked);
    let (_, found) = run(&text, parameters);
    let file = SourceFile::new("test", text.clone());
    let show = |d: &Diagnostic| format!("{} {}", d.code, file.position(d.primary.span));
    let mut got: Vec<String> = found.iter().map(show).collect();
    expected.sort();
    got.sort();
    let words: Vec<&String> = found.iter().map(|d| &d.message).collect();
    assert_eq!(got, expected, "in\n{text}\nwith the messages {words:#?}");
}

/// Checks a marked text.
fn check(marked: &str) {
    check_with(marked, &[]);
}

/// The model of a text without mistakes.
fn model(text: &str) -> Model {
    let (model, found) = run(text, &[]);
    model.unwrap_or_else(|| panic!("no model: {found:#?}"))
}

/// Everything said about a text: messages, labels and helps.
fn words(marked: &str) -> String {
    let (_, found) = run(&unmark(marked).0, &[]);
    let all = found.iter().map(|d| {
        let labels: Vec<&str> = d.secondary.iter().map(|l| l.message.as_str()).collect();
        format!(
            "{}: {} | {} | {} | {}",
            d.code,
            d.message,
            d.primary.message,
            labels.join(", "),
            d.help.join(", ")
        )
    });
    all.collect::<Vec<_>>().join("\n")
}

/// Asserts that some message about a text contains some words.
fn says(marked: &str, expected: &str) {
    let said = words(marked);
    assert!(said.contains(expected), "{expected:?} is not said, but\n{said}");
}

/// A system with variables of all classes, around some definitions of kind `A`. Everything in it is used.
///
/// Environment: `env`, `grid[3, 4]`. Attributes of `A`: `x`, `y`, `row[3]`; of `B`: `x`, `own`. Stigmergy `S` of
/// `A` alone: the tuple `s, t` and the array `arr[2]`.
fn with(definitions: &str) -> String {
    format!(
        "system {{ environment = env: 0; grid[3, 4]: 0
                   spawn = A: 2, B: 1 }}
         stigmergy S {{ link = true
                        s, t: 0, 0
                        arr[2]: 0 }}
         agent A {{ interface = x: 0; y: 0; row[3]: 0
                    stigmergies = S
                    {definitions} }}
         agent B {{ interface = x: 0; own: 0
                    Behavior = Skip; Behavior }}
         check {{
           Used = always grid[0, env] = 0 and forall A i, forall B j,
             x of i + y of i + row[0] of i + s of i + t of i + arr[0] of i + own of j = 0
         }}"
    )
}

/// The same around one action.
fn action(text: &str) -> String {
    with(&format!("Behavior = {text}; Behavior"))
}

/// The same with one more property.
fn property(text: &str) -> String {
    let file = action("Skip");
    let (before, after) = file.split_once("Used").expect("a property");
    format!("{before}Tested = {text}\n           Used{after}")
}
