//! One HTTP/1.1 request per connection: read within limits, answered, closed.
//!
//! What is not needed is refused instead of understood: bodies in chunks, addresses with a host in them, repeated headers
//! that decide something. So there is no second way to read a request.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// The longest request line with all headers, in bytes.
const MOST_HEAD: usize = 16 << 10;

/// More headers are not read. Browsers send about twenty.
const MOST_HEADERS: usize = 64;

/// How long a client may take to send the head, and the body.
const HEAD_TIME: Duration = Duration::from_secs(10);
const BODY_TIME: Duration = Duration::from_secs(30);

/// How long a client may take to read a whole response.
const RESPONSE_TIME: Duration = Duration::from_secs(30);

/// A client that reads nothing for so long has gone.
pub(crate) const STALL: Duration = Duration::from_secs(5);

/// How much of a request that is refused unread is taken and thrown away, and for how long: a connection that is closed before
/// would lose the response.
const MOST_DISCARDED: usize = 16 << 20;
const DISCARD_TIME: Duration = Duration::from_secs(2);

/// A request without its body.
#[derive(Debug)]
pub(crate) struct Head {
    pub method: String,
    pub path: String,
    headers: Vec<(String, String)>,
    /// What of the body came with the head.
    rest: Vec<u8>,
}

/// Why a request is not served.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Trouble {
    /// There is nobody to answer.
    Gone,
    /// The answer is this status, with a sentence.
    Refused(u16, String),
}

/// The status with a sentence.
pub(crate) fn refuse<T>(status: u16, why: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Refused(status, why.into()))
}

impl Head {
    /// Reads up to the empty line.
    pub fn read(stream: &TcpStream) -> Result<Head, Trouble> {
        let deadline = Instant::now() + HEAD_TIME;
        let mut bytes = vec![];
        let mut piece = [0; 4096];
        loop {
            let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
            let mut request = httparse::Request::new(&mut headers);
            match request.parse(&bytes) {
                Ok(httparse::Status::Complete(length)) => {
                    let text =
                        |value: &[u8]| String::from_utf8_lossy(value).trim_matches([' ', '\t']).to_string();
                    let headers = request.headers.iter();
                    let headers = headers.map(|h| (h.name.to_ascii_lowercase(), text(h.value))).collect();
                    let method = request.method.unwrap_or_default().to_string();
                    let path = request.path.unwrap_or_default().to_string();
                    return Ok(Head { method, path, headers, rest: bytes.split_off(length) });
                }
                Ok(httparse::Status::Partial) if bytes.len() >= MOST_HEAD => {
                    return refuse(431, "the request has too long headers");
                }
                Ok(httparse::Status::Partial) => {}
                Err(httparse::Error::TooManyHeaders) => {
                    return refuse(431, "the request has too many headers");
                }
                Err(_) => return refuse(400, "this is no HTTP request"),
            }
            let room = piece.len().min(MOST_HEAD - bytes.len());
            let n = receive(stream, &mut piece[..room], deadline)?;
            bytes.extend_from_slice(&piece[..n]);
        }
    }

    /// The value of a header, if it stands there once.
    pub fn header(&self, name: &str) -> Result<Option<&str>, Trouble> {
        let mut found = self.headers.iter().filter(|(known, _)| known == name);
        let first = found.next().map(|(_, value)| value.as_str());
        match found.next() {
            None => Ok(first),
            Some(_) => refuse(400, format!("the header {name} stands there twice")),
        }
    }

    /// How long the body is, unless it is longer than may be.
    pub fn length(&self, most: usize) -> Result<usize, Trouble> {
        if self.header("transfer-encoding")?.is_some() {
            return refuse(411, "a body in pieces is not read: send Content-Length");
        }
        let Some(text) = self.header("content-length")? else {
            return refuse(411, "the request does not say how long its body is: send Content-Length");
        };
        // Not `parse` alone, which takes a sign.
        if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
            return refuse(400, "Content-Length is no number");
        }
        match text.parse::<usize>() {
            Ok(length) if length <= most => Ok(length),
            _ => refuse(413, format!("the request is larger than {} MB", most >> 20)),
        }
    }

    /// Reads a body of this length. What follows it is not read.
    pub fn body(self, stream: &TcpStream, length: usize) -> Result<Vec<u8>, Trouble> {
        let expects = self.header("expect")?.is_some_and(|value| value.eq_ignore_ascii_case("100-continue"));
        if expects && self.rest.len() < length {
            send(stream, b"HTTP/1.1 100 Continue\r\n\r\n", Instant::now() + STALL).or(Err(Trouble::Gone))?;
        }
        let deadline = Instant::now() + BODY_TIME;
        let mut body = self.rest;
        let mut piece = [0; 1 << 16];
        while body.len() < length {
            let room = piece.len().min(length - body.len());
            let n = receive(stream, &mut piece[..room], deadline)?;
            body.extend_from_slice(&piece[..n]);
        }
        body.truncate(length);
        Ok(body)
    }
}

/// Some bytes, at least one.
fn receive(mut stream: &TcpStream, piece: &mut [u8], deadline: Instant) -> Result<usize, Trouble> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return refuse(408, "the request did not come in time");
        }
        stream.set_read_timeout(Some(left)).or(Err(Trouble::Gone))?;
        match stream.read(piece) {
            Ok(0) => return Err(Trouble::Gone),
            Ok(n) => return Ok(n),
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(_) => return Err(Trouble::Gone),
        }
    }
}

/// Writes everything, unless the client stops reading or takes too long.
pub(crate) fn send(mut stream: &TcpStream, bytes: &[u8], deadline: Instant) -> std::io::Result<()> {
    let mut at = 0;
    while at < bytes.len() {
        let left = deadline.saturating_duration_since(Instant::now()).min(STALL);
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        stream.set_write_timeout(Some(left))?;
        match stream.write(&bytes[at..]) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(n) => at += n,
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

/// What is answered.
pub(crate) struct Response {
    pub status: u16,
    pub kind: &'static str,
    /// Whole lines, each with its end.
    pub headers: String,
    pub body: Vec<u8>,
}

impl Response {
    /// JSON, and nothing that a browser could take for something else.
    pub fn json(status: u16, value: &serde_json::Value) -> Response {
        let body = value.to_string().into_bytes();
        Response { status, kind: "application/json", headers: String::new(), body }
    }

    /// A sentence.
    pub fn error(status: u16, why: &str) -> Response {
        Response::json(status, &serde_json::json!({ "error": why }))
    }

    /// Sends it. Nobody is told if nobody listens.
    pub fn send(&self, stream: &TcpStream) {
        let length = format!("Content-Length: {}\r\n{}", self.body.len(), self.headers);
        let mut bytes = head(self.status, self.kind, &length).into_bytes();
        bytes.extend_from_slice(&self.body);
        let _ = send(stream, &bytes, Instant::now() + RESPONSE_TIME);
    }
}

/// The beginning of every response. Nothing may be kept, embedded or read by another site.
pub(crate) fn head(status: u16, kind: &str, more: &str) -> String {
    let word = match status {
        200 => "OK",
        204 => "No Content",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        411 => "Length Required",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        421 => "Misdirected Request",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Error",
    };
    // A page has a policy of its own; nothing else is ever a page.
    let policy = match more.contains("Content-Security-Policy:") {
        true => "",
        false => "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n",
    };
    format!(
        "HTTP/1.1 {status} {word}\r\nContent-Type: {kind}\r\nX-Content-Type-Options: nosniff\r\n\
         Referrer-Policy: no-referrer\r\nCross-Origin-Opener-Policy: same-origin\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\nCache-Control: no-store\r\n{policy}{more}Connection: close\r\n\r\n"
    )
}

/// Ends a connection so that the response arrives, also if the request was not read to its end.
pub(crate) fn close(mut stream: &TcpStream) {
    let deadline = Instant::now() + DISCARD_TIME;
    let _ = stream.shutdown(Shutdown::Write);
    let mut piece = [0; 1 << 16];
    let mut taken = 0;
    while taken < MOST_DISCARDED {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
            break;
        }
        match stream.read(&mut piece) {
            Ok(n @ 1..) => taken += n,
            _ => break,
        }
    }
    let _ = stream.shutdown(Shutdown::Both);
}
