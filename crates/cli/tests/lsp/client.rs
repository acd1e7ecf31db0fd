//! A client of the protocol: frames messages, answers what the server asks, keeps what it says.

use crate::common;
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

/// Nothing may take longer. The machine may be busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// An editor with a server.
pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Json>,
    numbers: i64,
    /// Answers that came while something else was waited for.
    answers: HashMap<i64, Json>,
    /// The last diagnostics of every document, with their version.
    diagnostics: HashMap<String, Json>,
    /// Everything else that the server has said or asked, in order.
    pub said: Vec<Json>,
    /// The answer to `initialize`.
    pub hello: Json,
}

/// The address of a file of the project.
pub fn uri(path: &str) -> String {
    format!("file://{}", common::root().join(path).display())
}

impl Client {
    /// A server that was told what most editors can do.
    pub fn new() -> Client {
        Client::with(&["utf-16"], json!({}))
    }

    pub fn with(encodings: &[&str], options: Json) -> Client {
        let mut client = Client::silent();
        let capabilities = json!({
            "general": { "positionEncodings": encodings },
            "window": { "workDoneProgress": true, "showDocument": { "support": true } },
            "workspace": { "codeLens": { "refreshSupport": true }, "inlayHint": { "refreshSupport": true } },
        });
        let folder = json!({ "uri": uri("examples"), "name": "examples" });
        let params = json!({
            "processId": null, "capabilities": capabilities, "initializationOptions": options, "workspaceFolders": [folder],
        });
        client.hello = client.ask("initialize", params);
        client.tell("initialized", json!({}));
        client
    }

    /// A server that was told nothing.
    pub fn silent() -> Client {
        let mut command = common::swarmcheck("lsp");
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let (sender, messages) = mpsc::channel();
        std::thread::spawn(move || {
            while let Some(message) = receive(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Client {
            child,
            input,
            messages,
            numbers: 0,
            answers: HashMap::new(),
            diagnostics: HashMap::new(),
            said: vec![],
            hello: Json::Null,
        }
    }

    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Sends bytes as they are.
    pub fn send_raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).unwrap();
    }

    fn send(&mut self, message: &Json) {
        let body = message.to_string();
        self.send_raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    pub fn tell(&mut self, method: &str, params: Json) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request; its number.
    pub fn begin(&mut self, method: &str, params: Json) -> i64 {
        self.numbers += 1;
        let id = self.numbers;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// The whole answer to a request: `result` or `error`.
    pub fn answer(&mut self, id: i64) -> Json {
        self.wait("an answer", |client| client.answers.remove(&id))
    }

    /// The result of a request that is not refused.
    #[track_caller]
    pub fn ask(&mut self, method: &str, params: Json) -> Json {
        let id = self.begin(method, params.clone());
        let answer = self.answer(id);
        assert!(answer["error"].is_null(), "{method} {params}: {answer}");
        answer["result"].clone()
    }

    /// The error of a request that is refused.
    #[track_caller]
    pub fn refused(&mut self, method: &str, params: Json) -> Json {
        let id = self.begin(method, params.clone());
        let answer = self.answer(id);
        assert!(!answer["error"].is_null(), "{method} {params}: {answer}");
        answer["error"].clone()
    }

    pub fn command(&mut self, command: &str, arguments: Json) -> i64 {
        self.begin("workspace/executeCommand", json!({ "command": command, "arguments": arguments }))
    }

    pub fn open(&mut self, uri: &str, language: &str, version: i64, text: &str) {
        let document = json!({ "uri": uri, "languageId": language, "version": version, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub fn change(&mut self, uri: &str, version: i64, changes: Json) {
        let document = json!({ "uri": uri, "version": version });
        self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// The diagnostics of a version of a document, once they have come.
    pub fn diagnostics(&mut self, uri: &str, version: i64) -> Vec<Json> {
        self.wait("diagnostics", |client| {
            let last = client.diagnostics.get(uri)?;
            (last["version"] == version).then(|| last["diagnostics"].as_array().unwrap().clone())
        })
    }

    /// Waits until the server has said something of which this is not nothing.
    pub fn hear<T>(&mut self, what: &str, find: impl Fn(&Json) -> Option<T>) -> T {
        self.wait(what, |client| client.said.iter().find_map(&find))
    }

    fn wait<T>(&mut self, what: &str, mut find: impl FnMut(&mut Client) -> Option<T>) -> T {
        let began = Instant::now();
        loop {
            if let Some(found) = find(self) {
                return found;
            }
            let left = PATIENCE.saturating_sub(began.elapsed());
            let message = self.messages.recv_timeout(left);
            self.take(
                message.unwrap_or_else(|e| panic!("{what} did not come: {e}; said: {:?}", self.said.last())),
            );
        }
    }

    fn take(&mut self, message: Json) {
        match (message["id"].as_i64(), message["method"].as_str()) {
            (Some(id), None) => {
                self.answers.insert(id, message);
            }
            (Some(id), Some(method)) => {
                let result =
                    if method == "window/showDocument" { json!({ "success": true }) } else { Json::Null };
                self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": result }));
                self.said.push(message);
            }
            (None, Some("textDocument/publishDiagnostics")) => {
                let params = message["params"].clone();
                self.diagnostics.insert(params["uri"].as_str().unwrap().to_string(), params);
            }
            _ => self.said.push(message),
        }
    }

    /// Says goodbye; how the server ends.
    pub fn goodbye(mut self) -> Option<i32> {
        self.ask("shutdown", Json::Null);
        self.tell("exit", Json::Null);
        self.ended()
    }

    /// How the server ends, once its input has ended.
    pub fn ended(mut self) -> Option<i32> {
        self.input = None;
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(began.elapsed() < PATIENCE, "the server does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn receive(output: &mut impl BufRead) -> Option<Json> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            header => {
                if let Some(value) = header.strip_prefix("Content-Length: ") {
                    length = value.parse().ok()?;
                }
            }
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

/// A text in UTF-16, as editors hold it.
#[derive(Clone, Default)]
pub struct Utf16(pub Vec<u16>);

impl Utf16 {
    pub fn new(text: &str) -> Utf16 {
        Utf16(text.encode_utf16().collect())
    }

    pub fn text(&self) -> String {
        String::from_utf16(&self.0).expect("no half of a pair is left alone")
    }

    /// Line and column of a unit.
    pub fn position(&self, at: usize) -> Json {
        let (mut line, mut start) = (0, 0);
        for (index, unit) in self.0[..at].iter().enumerate() {
            let next = self.0.get(index + 1);
            if *unit == u16::from(b'\n') || (*unit == u16::from(b'\r') && next != Some(&u16::from(b'\n'))) {
                (line, start) = (line + 1, index + 1);
            }
        }
        json!({ "line": line, "character": at - start })
    }

    /// The units at the ends of a range of the protocol.
    pub fn units(&self, range: &Json) -> (usize, usize) {
        let unit = |position: &Json| {
            let (line, character) =
                (position["line"].as_u64().unwrap(), position["character"].as_u64().unwrap());
            let (mut at, mut seen) = (0, 0);
            while seen < line {
                let is_end = self.0[at] == u16::from(b'\n')
                    || (self.0[at] == u16::from(b'\r') && self.0.get(at + 1) != Some(&u16::from(b'\n')));
                seen += u64::from(is_end);
                at += 1;
            }
            at + character as usize
        };
        (unit(&range["start"]), unit(&range["end"]))
    }

    /// Whether a unit is at the end of a character, and of a line ending.
    pub fn is_boundary(&self, at: usize) -> bool {
        let is_low = |unit: &u16| (0xDC00..0xE000).contains(unit);
        let in_line_end =
            at > 0 && self.0[at - 1] == u16::from(b'\r') && self.0.get(at) == Some(&u16::from(b'\n'));
        !self.0.get(at).is_some_and(is_low) && !in_line_end
    }

    /// Replaces units, and tells the change as the protocol does.
    pub fn replace(&mut self, from: usize, to: usize, text: &str) -> Json {
        let range = json!({ "start": self.position(from), "end": self.position(to) });
        self.0.splice(from..to, text.encode_utf16());
        json!({ "range": range, "text": text })
    }

    /// The text with changes of the protocol made.
    pub fn with_edits(&self, edits: &[Json]) -> String {
        let mut places: Vec<(usize, usize, &str)> = edits
            .iter()
            .map(|edit| {
                let (from, to) = self.units(&edit["range"]);
                (from, to, edit["newText"].as_str().unwrap())
            })
            .collect();
        places.sort_by_key(|(from, to, _)| std::cmp::Reverse((*from, *to)));
        let mut out = self.clone();
        for (from, to, text) in places {
            out.0.splice(from..to, text.encode_utf16());
        }
        out.text()
    }
}
