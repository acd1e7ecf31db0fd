//! A server of the real program, and a client that says exactly what a test wants.

use crate::process::{descendants, gone, signal};
use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Longer than anything here takes on a slow machine.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A server, ended when the test is.
pub struct Server {
    child: Child,
    pub port: u16,
    pub token: String,
    pub url: String,
    /// What it has printed.
    pub document: Json,
}

/// What came back.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Response {
    /// The body as data.
    #[track_caller]
    pub fn json(&self) -> Json {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    /// The lines of a job.
    #[track_caller]
    pub fn events(&self) -> Vec<Json> {
        assert_eq!(self.status, 200, "{self:?}");
        self.body.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl Server {
    pub fn start(arguments: &str) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_swarmcheck"));
        command.args(["web", "--json"]).args(arguments.split_whitespace()).current_dir(crate::common::root());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let mut text = String::new();
        let document: Json = loop {
            text += &lines.next().expect("the server says where it is");
            if let Ok(document) = serde_json::from_str(&text) {
                break document;
            }
        };
        let word = |name: &str| document[name].as_str().unwrap().to_string();
        let port = document["port"].as_u64().unwrap() as u16;
        let (token, url) = (word("token"), word("url"));
        Server { child, port, token, url, document }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// A request of our own page.
    pub fn request(&self, path: &str, body: &str) -> String {
        self.with(path, body, "application/json", &format!("X-Swarmcheck-Token: {}\r\n", self.token))
    }

    /// One with a media type and with headers, each with its end.
    pub fn with(&self, path: &str, body: &str, kind: &str, headers: &str) -> String {
        let (port, length) = (self.port, body.len());
        format!(
            "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\
             {headers}\r\n{body}"
        )
    }

    /// Sends these bytes and reads all that comes back.
    pub fn raw(&self, bytes: &[u8]) -> Response {
        let mut stream = self.connect();
        // The server may refuse before it has read everything.
        let _ = stream.write_all(bytes);
        read(stream)
    }

    pub fn ask(&self, path: &str, body: &Json) -> Response {
        self.raw(self.request(path, &body.to_string()).as_bytes())
    }

    /// Runs a job to its end.
    pub fn job(&self, request: &Json, limits: &Json) -> Response {
        self.ask("/api/job", &json!({ "request": request, "limits": limits }))
    }

    /// Begins a job: the connection, of which the head and the first line were read, and the job's name.
    pub fn begin(&self, request: &Json) -> (BufReader<TcpStream>, String) {
        self.begin_within(request, &json!({}))
    }

    /// The same with limits.
    pub fn begin_within(&self, request: &Json, limits: &Json) -> (BufReader<TcpStream>, String) {
        let mut stream = self.connect();
        let body = json!({ "request": request, "limits": limits }).to_string();
        stream.write_all(self.request("/api/job", &body).as_bytes()).unwrap();
        let mut reader = BufReader::new(stream);
        while line(&mut reader).trim() != "" {}
        let first: Json = serde_json::from_str(&line(&mut reader)).unwrap();
        assert_eq!(first["event"], "job");
        (reader, first["job"].as_str().unwrap().to_string())
    }

    /// The server still answers, and no worker is left.
    #[track_caller]
    pub fn is_well(&self) {
        let began = Instant::now();
        while !descendants(self.id()).is_empty() {
            assert!(began.elapsed() < PATIENCE, "workers are left: {:?}", descendants(self.id()));
            std::thread::sleep(Duration::from_millis(5));
        }
        let hello = self.ask("/api/hello", &json!({}));
        assert_eq!(hello.status, 200, "{hello:?}");
        assert_eq!(hello.json()["version"], env!("CARGO_PKG_VERSION"));
    }

    /// Ends it with a signal; its exit code. Nothing is left of it.
    pub fn end(mut self, name: &str) -> Option<i32> {
        let mut all = descendants(self.id());
        signal(name, self.id());
        let began = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(began.elapsed() < PATIENCE, "the server does not end");
            std::thread::sleep(Duration::from_millis(5));
        };
        all.push(self.id());
        assert!(gone(&all, PATIENCE), "something of {all:?} is left");
        status.code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A whole response.
pub fn read(mut stream: impl Read) -> Response {
    let mut bytes = vec![];
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).to_string();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
    Response { status, head: head.to_string(), body: body.to_string() }
}

pub fn line(reader: &mut impl BufRead) -> String {
    let mut text = String::new();
    reader.read_line(&mut text).unwrap();
    text
}

/// A model in a request.
pub fn model(name: &str, text: &str, parameters: &[(&str, &str)]) -> Json {
    json!({ "source": { "name": name, "text": text }, "parameters": parameters })
}

/// A small flock, and one that no search gets to the end of.
pub fn flock(birds: &str, grid: &str) -> Json {
    let text = include_str!("../../../../examples/flock/flock.labs");
    model("flock.labs", text, &[("birds", birds), ("grid", grid), ("delta", "5")])
}

pub fn endless() -> Json {
    json!({ "do": "verify", "model": flock("9", "20"), "options": { "engine": "explicit" } })
}
