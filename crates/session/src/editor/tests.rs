//! Tests of what editors ask, without a server.

use super::Editor;
use super::protocol::{EditorAnswer, EditorQuestion, EditorRequest, Known};
use crate::request::{ModelRequest, Source};
use swarmcheck_source::Severity;
use swarmcheck_source::data::DiagnosticData;

fn editor(name: &str, text: &str) -> Editor {
    let mut editor = Editor::default();
    open(&mut editor, name, text, &[]);
    editor
}

fn open(editor: &mut Editor, name: &str, text: &str, parameters: &[(&str, &str)]) {
    let source = Source { name: name.to_string(), text: text.to_string(), language: None };
    let parameters = parameters.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let model = Box::new(ModelRequest::new(source, parameters));
    assert!(editor.handle(EditorRequest::Open { document: "d".to_string(), model }).is_none());
}

fn ask(editor: &mut Editor, question: EditorQuestion) -> EditorAnswer {
    let document = "d".to_string();
    let reply = editor.handle(EditorRequest::Ask { number: 7, document, question }).unwrap();
    assert_eq!(reply.number, 7);
    reply.answer
}

const MODEL: &str =
    "system { extern = _n spawn = A: _n }\nagent A { interface = x: 0.._n Behavior = x <- 0 }\ncheck { }\n";

fn has_errors(list: &[DiagnosticData]) -> bool {
    list.iter().any(|d| d.severity == Severity::Error)
}

#[test]
fn missing_values_are_tried_and_told() {
    let mut it = editor("m.labs", MODEL);
    let EditorAnswer::Diagnostics { diagnostics, assumed, outline } =
        ask(&mut it, EditorQuestion::Diagnostics)
    else {
        panic!()
    };
    assert!(!has_errors(&diagnostics), "{diagnostics:?}");
    assert_eq!(assumed, [("n".to_string(), 3)]);
    assert_eq!(outline.unwrap().agents[0].count, Some(3));
    // A model that needs more room: there is nothing from 7 to 3.
    let large = MODEL.replace("x: 0.._n", "x: 7.._n");
    open(&mut it, "m.labs", &large, &[]);
    let EditorAnswer::Diagnostics { diagnostics, assumed, .. } = ask(&mut it, EditorQuestion::Diagnostics)
    else {
        panic!()
    };
    assert!(!has_errors(&diagnostics), "{diagnostics:?}");
    assert_eq!(assumed, [("n".to_string(), 10)]);
    // Values that somebody gives count, and those of parameters that are gone do not matter.
    open(&mut it, "m.labs", MODEL, &[("n", "5"), ("gone", "1")]);
    let EditorAnswer::Facts { facts } = ask(&mut it, EditorQuestion::Facts) else { panic!() };
    let known: Vec<&Known> = facts.iter().map(|fact| &fact.known).collect();
    assert!(known.contains(&&Known::Value { value: 5, assumed: false }), "{known:?}");
    assert!(known.contains(&&Known::Agents { count: 5 }));
    assert!(known.iter().any(|known| known.range().as_deref() == Some("0 to 4")));
}

#[test]
fn a_name_that_cannot_be_read_everywhere_stays() {
    let broken = MODEL.replace("x <- 0", "(x <- 0) ++ { x <- ; x <- 1 }");
    let mut it = editor("m.labs", &broken);
    let offset = broken.find("x: 0").unwrap() as u32;
    let rename = EditorQuestion::Rename { offset, name: "y".to_string() };
    match ask(&mut it, rename.clone()) {
        EditorAnswer::Refused { why } => assert!(why.contains("line 2"), "{why}"),
        // Reading may get better; then all places must be there.
        EditorAnswer::Edits { edits } => {
            assert_eq!(edits.len(), broken.matches('x').count() - 1, "{edits:?}")
        }
        other => panic!("{other:?}"),
    }
    let mut fine = editor("m.labs", MODEL);
    assert!(matches!(ask(&mut fine, rename), EditorAnswer::Edits { edits } if edits.len() == 2));
}

#[test]
fn a_byte_order_mark_moves_no_place() {
    let wrong = format!("\u{feff}{}", MODEL.replace("x <- 0", "y <- 0"));
    let mut it = editor("m.labs", &wrong);
    let EditorAnswer::Diagnostics { diagnostics, .. } = ask(&mut it, EditorQuestion::Diagnostics) else {
        panic!()
    };
    let error = diagnostics.iter().find(|d| d.severity == Severity::Error).unwrap();
    let place = &error.place;
    assert_eq!(wrong.get(place.start as usize..place.end as usize), Some("y"));
}

#[test]
fn nothing_is_known_about_documents_that_are_not_open() {
    let mut it = editor("m.labs", MODEL);
    it.handle(EditorRequest::Close { document: "d".to_string() });
    assert_eq!(ask(&mut it, EditorQuestion::Symbols), EditorAnswer::Nothing);
    let mut it = editor("m.labs", "é");
    // The middle of a character, and beyond the end.
    for offset in [1, 3, u32::MAX] {
        assert_eq!(ask(&mut it, EditorQuestion::Hover { offset }), EditorAnswer::Nothing);
        let EditorAnswer::Selections { selections } =
            ask(&mut it, EditorQuestion::Selections { offsets: vec![offset] })
        else {
            panic!()
        };
        assert_eq!(selections.len(), 1);
    }
}
