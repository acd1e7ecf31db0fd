//! The language server and the server of the page, each in a thread of this process, with their workers as other processes.
//! After every input they must still answer.

use super::{PROGRAM, text};
use crate::Target;
use crate::seeds::From;
use lsp_server::{Connection, Message, RequestId};
use serde_json::json;
use std::cell::RefCell;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use swarmcheck_lsp::{Files, ProjectModel};
use swarmcheck_web::{Config, Server};

/// Nothing takes longer, even on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(60);

pub const LSP: Target = Target {
    name: "lsp",
    about: "messages to the language server",
    run: lsp,
    from: From { endings: &[], crates: &[], corpus: &[] },
    words: &[
        "\"method\"",
        "\"id\"",
        "\"params\"",
        "\"textDocument/hover\"",
        "\"textDocument/didOpen\"",
        "\"textDocument/didChange\"",
        "\"textDocument/rename\"",
        "\"textDocument/completion\"",
        "\"textDocument/formatting\"",
        "\"textDocument/codeAction\"",
        "\"workspace/symbol\"",
        "\"position\"",
        "\"line\"",
        "\"character\"",
        "\"range\"",
        "\"uri\"",
        "\"file:///x/a.labs\"",
        "\"file:///x/b.ccs\"",
        "null",
        "true",
        "[]",
        "{}",
        "\"text\"",
        "\"version\"",
        "-1",
        "4294967295",
    ],
    usual: 700,
    stack: PROGRAM,
};

pub const WEB: Target = Target {
    name: "web",
    about: "bytes to the server of the page",
    run: web,
    from: From { endings: &[], crates: &[], corpus: &[] },
    words: &[
        "GET ",
        "POST ",
        "/api/job",
        "/api/hello",
        "/api/say",
        "/api/cancel",
        " HTTP/1.1\r\n",
        "Host: HOST\r\n",
        "Content-Length: ",
        "\r\n\r\n",
        "X-Swarmcheck-Token: TOKEN\r\n",
        "Content-Type: application/json\r\n",
        "Transfer-Encoding: chunked\r\n",
        "Origin: null\r\n",
        "{}",
        "\0",
    ],
    usual: 400,
    stack: PROGRAM,
};

/// There are no files.
struct Nothing;

impl Files for Nothing {
    fn project(&self, _: &str) -> Option<ProjectModel> {
        None
    }

    fn keep(&self, _: &str, _: &str) -> Result<String, String> {
        Err("nothing is kept here".to_string())
    }

    fn models(&self, _: &str) -> Vec<(String, String)> {
        vec![]
    }
}

thread_local! {
    static EDITOR: RefCell<Option<Connection>> = const { RefCell::new(None) };
}

/// An editor whose server was told what most editors can do.
fn connect() -> Connection {
    let (server, editor) = Connection::memory();
    std::thread::spawn(move || swarmcheck_lsp::serve(server, "0", Arc::new(Nothing), &|| false));
    let options = json!({ "timeout": 1.0, "memory": 200 });
    let params = json!({ "processId": null, "capabilities": {}, "initializationOptions": options });
    send(&editor, json!({ "jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": params }));
    answered(&editor, "hello");
    send(&editor, json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }));
    editor
}

fn send(editor: &Connection, message: serde_json::Value) {
    if let Ok(message) = serde_json::from_value::<Message>(message) {
        let _ = editor.sender.send(message);
    }
}

/// Waits for an answer, and hears everything else meanwhile.
fn answered(editor: &Connection, id: &str) {
    let wanted = RequestId::from(id.to_string());
    loop {
        match editor.receiver.recv_timeout(PATIENCE) {
            Ok(Message::Response(response)) if response.id == wanted => return,
            Ok(_) => {}
            Err(e) => panic!("the language server does not answer: {e}"),
        }
    }
}

fn lsp(input: &[u8]) {
    let text = text(input);
    EDITOR.with_borrow_mut(|kept| {
        let editor = kept.take().unwrap_or_else(connect);
        let mut goes_on = true;
        for line in text.lines().take(50) {
            // The messages that end a server; `exit` without `shutdown` is one, too.
            goes_on &= !line.contains("shutdown") && !line.contains("\\u") && !line.contains("exit");
            if let Ok(message) = serde_json::from_str::<Message>(line) {
                let _ = editor.sender.send(message);
            }
        }
        if !goes_on {
            send(&editor, json!({ "jsonrpc": "2.0", "method": "exit" }));
            return;
        }
        let close = json!({ "textDocument": { "uri": "file:///x/a.labs" } });
        send(&editor, json!({ "jsonrpc": "2.0", "method": "textDocument/didClose", "params": close }));
        send(
            &editor,
            json!({ "jsonrpc": "2.0", "id": "ping", "method": "swarmcheck/nothing", "params": {} }),
        );
        answered(&editor, "ping");
        *kept = Some(editor);
    });
}

/// Where the server of the page listens, and its token.
fn server() -> &'static (std::net::SocketAddr, String) {
    static SERVER: OnceLock<(std::net::SocketAddr, String)> = OnceLock::new();
    SERVER.get_or_init(|| {
        let config =
            Config { version: "0".to_string(), seconds: 1.0, memory: 200 << 20, ..Config::default() };
        let server = Server::bind(([127, 0, 0, 1], 0).into(), config).expect("a port");
        let known = (server.address(), server.token().to_string());
        std::thread::spawn(move || server.serve(&|| false));
        known
    })
}

fn web(input: &[u8]) {
    let (address, token) = server();
    let mut bytes = vec![];
    let mut rest = input;
    while !rest.is_empty() {
        let (with, taken) = match () {
            () if rest.starts_with(b"HOST") => (address.to_string().into_bytes(), 4),
            () if rest.starts_with(b"TOKEN") => (token.clone().into_bytes(), 5),
            () => (vec![rest[0]], 1),
        };
        bytes.extend(with);
        rest = &rest[taken..];
    }
    let Ok(mut stream) = TcpStream::connect_timeout(address, PATIENCE) else {
        panic!("the server of the page does not listen");
    };
    let _ = stream.set_read_timeout(Some(PATIENCE));
    // It may refuse before it has read everything.
    let _ = stream.write_all(&bytes);
    let _ = stream.shutdown(Shutdown::Write);
    let mut answer = vec![];
    match stream.read_to_end(&mut answer) {
        Err(e) if matches!(e.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) => {
            panic!("the server of the page does not answer");
        }
        _ => {}
    }
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 "), "the answer is no HTTP");
}
