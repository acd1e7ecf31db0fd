//! What editors ask about a document, in the process: every kind of question at a place in a damaged text.

use super::{WORKER, text};
use crate::seeds::From;
use crate::{Target, pick};
use swarmcheck_session::editor::Editor;
use swarmcheck_session::editor::protocol::{EditorQuestion, EditorRequest};
use swarmcheck_session::request::{ModelRequest, Source};

pub const EDITOR: Target = Target {
    name: "editor",
    about: "questions of editors about documents",
    run: edit,
    from: From {
        endings: &["labs", "ccs", "chor", "rcp", "rcheck"],
        crates: &["labs", "ccs", "chor", "rcheck"],
        corpus: &["labs", "ccs", "chor", "rcheck"],
    },
    words: swarmcheck_labs::editor::WORDS,
    usual: 600,
    stack: WORKER,
};

fn edit(input: &[u8]) {
    let text = text(input);
    // Seeds of all languages are mixed: most are read as what they look like.
    let looks = match () {
        () if text.contains("choreography") => 2,
        () if text.contains("proc ") => 1,
        () if text.contains("channels") || text.contains("repeat:") => 3,
        () => 0,
    };
    let at = if pick(input, 50, 10) == 0 { pick(input, 51, 4) } else { looks };
    let name = ["x.labs", "x.ccs", "x.chor", "x.rcp"][at].to_string();
    let source = Source { name, text: text.to_string(), language: None };
    let document = "x".to_string();
    let mut editor = Editor::default();
    let model = Box::new(ModelRequest::new(source, vec![]));
    editor.handle(EditorRequest::Open { document: document.clone(), model });
    for number in 0..4 {
        let offset = pick(input, 52 + number, text.len() + 3) as u32;
        let other = pick(input, 62 + number, text.len() + 3) as u32;
        let question = match pick(input, 72 + number, 13) {
            0 => EditorQuestion::Diagnostics,
            1 => EditorQuestion::Symbols,
            2 => EditorQuestion::Tokens,
            3 => EditorQuestion::Hover { offset },
            4 => EditorQuestion::Places { offset },
            5 => EditorQuestion::Rename {
                offset,
                name: ["y", "id", "", "a b", "é", "_n"][other as usize % 6].to_string(),
            },
            6 => EditorQuestion::Candidates { offset },
            7 => EditorQuestion::Signature { offset },
            8 => EditorQuestion::Folds,
            9 => EditorQuestion::Selections { offsets: vec![offset, other] },
            10 => EditorQuestion::Facts,
            11 => EditorQuestion::Calls { offset },
            _ => EditorQuestion::Format { range: Some((offset, other)) },
        };
        let reply = editor.handle(EditorRequest::Ask { number, document: document.clone(), question });
        assert!(reply.is_some_and(|reply| serde_json::to_vec(&reply).is_ok()));
    }
}
