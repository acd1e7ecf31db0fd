//! How long an editor waits: from a change of the text to the diagnostics of that text, and the memory after many changes.
//!
//! `bench-editor [EDITS]` starts the `swarmcheck` beside it as a language server, opens generated models of 1,000 and 10,000 lines in
//! each language, types at random places, and prints percentiles.

use serde_json::{Value as Json, json};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

fn main() {
    let edits: usize = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(10_000);
    let program = std::env::current_exe().expect("this program has a path").with_file_name("swarmcheck");
    println!("| language | lines | edits | median ms | p95 ms | worst ms | server MB | worker MB |");
    println!("|---|---|---|---|---|---|---|---|");
    for (language, ending, write) in LANGUAGES {
        for lines in [1_000, 10_000] {
            // Long files need fewer changes for the same figures.
            let edits = edits * 1_000 / lines;
            let mut server = Server::start(&program);
            let text = write(lines);
            let uri = format!("file:///nowhere/m.{ending}");
            let document = json!({ "uri": uri, "languageId": language, "version": 0, "text": text });
            server.tell("textDocument/didOpen", &json!({ "textDocument": document }));
            server.diagnostics(0);
            let mut times: Vec<f64> = (1..=edits).map(|version| server.edit(&uri, version, lines)).collect();
            times.sort_by(f64::total_cmp);
            let at = |part: usize| times[(times.len() - 1) * part / 100] * 1_000.0;
            let (own, worker) = server.memory();
            println!(
                "| {language} | {} | {edits} | {:.1} | {:.1} | {:.1} | {own} | {worker} |",
                text.lines().count(),
                at(50),
                at(95),
                at(100),
            );
        }
    }
}

/// A language, what its files end in, and a model with about so many lines.
type Written = (&'static str, &'static str, fn(usize) -> String);

const LANGUAGES: [Written; 4] =
    [("labs", "labs", labs), ("rcheck", "rcp", rcheck), ("ccs", "ccs", ccs), ("chor", "chor", chor)];

fn labs(lines: usize) -> String {
    let kinds = lines / 10;
    let mut out = "system {\n  extern = _n: 2\n  spawn = ".to_string();
    let spawned: Vec<String> = (0..kinds).map(|k| format!("K{k}: _n")).collect();
    out += &(spawned.join(", ") + "\n}\n");
    for k in 0..kinds {
        let _ = write!(
            out,
            "agent K{k} {{\n  # kind {k}\n  interface = x{k}: 0..5; y{k}: 0..5\n  Behavior =\n    (x{k} > 0 -> Step)\n    ++ y{k} <- (y{k} + 1) % 5;\n    \
             Behavior\n  Step = x{k}, y{k} <- (x{k} + 1) % 5, min(x{k}, y{k})\n}}\n"
        );
    }
    out + "check {\n  Fine = always forall K0 a, x0 of a < 5\n}\n"
}

fn rcheck(lines: usize) -> String {
    let agents = lines / 8;
    let mut out = "enum channel {c, d}\nenum msg {ping, pong}\nmessage-structure: MSG : msg\nproperty-variables: pv : bool\n\n".to_string();
    for a in 0..agents {
        let _ = write!(
            out,
            "agent A{a}\n  local: on : bool, n : 0..3\n  init: !on && n = 0\n  relabel:\n    pv <- on\n  receive-guard: chan == c\n  \
             repeat: (s{a}: <!on> *! (TRUE)(MSG := ping)[on := TRUE] + r{a}: <on> *? [n := n])\n\n"
        );
    }
    // Few agents run: what is measured is the text.
    out + "system = A0(one, TRUE) || A1(two, TRUE)\n\nSPEC G (one-on -> F two-on)\n"
}

fn ccs(lines: usize) -> String {
    let mut out = String::new();
    for p in 0..lines {
        // Rings of ten: what is measured is the text, not the system.
        let next = p / 10 * 10 + (p + 1) % 10;
        let _ = writeln!(out, "proc P{p} = a{p}.'b{p}.P{next} + tau.P{p}");
    }
    out + "system = (P0 | P1) \\ {a0}\n"
}

fn chor(lines: usize) -> String {
    // A choreography is one system, so a long one has as many states as lines.
    let mut out = "choreography Long =\n".to_string();
    for p in 0..lines {
        let _ = writeln!(out, "  m{p}[a,b];");
    }
    out + "  end[a,b]\n"
}

/// A server that was started and greeted.
struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    random: u64,
}

impl Server {
    fn start(program: &std::path::Path) -> Server {
        let mut command = Command::new(program);
        let mut child = command
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("swarmcheck must be built beside this program");
        let input = child.stdin.take().expect("it has an input");
        let output = BufReader::new(child.stdout.take().expect("it has an output"));
        let mut server = Server { child, input, output, random: 88_172_645_463_325_252 };
        server.send(
            &json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "capabilities": {} } }),
        );
        server.receive();
        server.tell("initialized", &json!({}));
        server
    }

    fn send(&mut self, message: &Json) {
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("the server reads");
        self.input.flush().expect("the server reads");
    }

    fn tell(&mut self, method: &str, params: &Json) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn receive(&mut self) -> Json {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).expect("the server writes");
            match line.trim_end() {
                "" => break,
                header => {
                    if let Some(value) = header.strip_prefix("Content-Length: ") {
                        length = value.parse().expect("a length");
                    }
                }
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).expect("the server writes");
        serde_json::from_slice(&body).expect("JSON")
    }

    fn diagnostics(&mut self, version: usize) {
        loop {
            let message = self.receive();
            if message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["version"] == version
            {
                return;
            }
        }
    }

    /// Types a space at the beginning of a random line, or takes the last one back; seconds until the diagnostics come.
    fn edit(&mut self, uri: &str, version: usize, lines: usize) -> f64 {
        let typing = version % 2 == 1;
        if typing {
            self.random ^= self.random << 13;
            self.random ^= self.random >> 7;
            self.random ^= self.random << 17;
        }
        let line = self.random % lines as u64;
        let (end, text) = if typing { (0, " ") } else { (1, "") };
        let range =
            json!({ "start": { "line": line, "character": 0 }, "end": { "line": line, "character": end } });
        let document = json!({ "uri": uri, "version": version });
        let change = json!({ "range": range, "text": text });
        let began = Instant::now();
        self.tell("textDocument/didChange", &json!({ "textDocument": document, "contentChanges": [change] }));
        self.diagnostics(version);
        began.elapsed().as_secs_f64()
    }

    /// Megabytes of the server and of its worker.
    fn memory(&self) -> (u64, u64) {
        let resident = |process: &str| {
            let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
            let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
            line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
        };
        let id = self.child.id();
        let children = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
        let mut all: Vec<String> = children.split_whitespace().map(str::to_string).collect();
        // Workers are started by a thread of the server.
        for task in std::fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten() {
            let text = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
            all.extend(text.split_whitespace().map(str::to_string));
        }
        all.sort();
        all.dedup();
        (resident(&id.to_string()), all.iter().map(|process| resident(process)).sum())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
