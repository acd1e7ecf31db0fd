//! The command itself: what it prints, what it refuses, how it ends.

use crate::common::{exits, run};
use crate::process::descendants;
use crate::server::{PATIENCE, Server, endless};
use serde_json::{Value as Json, json};
use std::time::{Duration, Instant};

/// Whoever ends it wants it to have ended, and that is no failure.
#[test]
fn a_signal_ends_it_with_all_its_workers() {
    for signal in ["INT", "TERM", "HUP"] {
        let server = Server::start("");
        let open = [server.begin(&endless()), server.begin(&endless())];
        let began = Instant::now();
        while descendants(server.id()).len() < 2 {
            assert!(began.elapsed() < PATIENCE, "the workers were not started");
            std::thread::sleep(Duration::from_millis(2));
        }
        assert_eq!(server.end(signal), Some(0), "{signal}");
        drop(open);
    }
}

/// Killed, it can do nothing any more; its workers notice.
#[test]
fn workers_end_when_it_is_killed() {
    let server = Server::start("");
    let _open = server.begin(&endless());
    assert_eq!(server.end("KILL"), None);
}

#[test]
fn the_address_has_the_token_where_no_server_sees_it() {
    let server = Server::start("");
    crate::schema::check("web", &server.document);
    assert_eq!(server.document["address"], "127.0.0.1");
    assert_eq!(server.url, format!("http://127.0.0.1:{}/#token={}", server.port, server.token));
    // 24 bytes are 192 bits.
    assert_eq!(server.token.len(), 48);
    assert_ne!(server.token, Server::start("").token);
}

#[test]
fn what_cannot_be_served_is_said() {
    let server = Server::start("");
    let said = exits(&format!("web --no-open --port {}", server.port), 2);
    assert!(said.contains("is in use") && said.contains("leave out --port"), "{said}");
    let said = exits("web --no-open nowhere.labs", 2);
    assert!(said.contains("cannot read nowhere.labs"), "{said}");
    let said = exits("web --no-open --listen 0.0.0.0", 2);
    assert!(said.contains("--i-know"), "{said}");
    let said = exits("web --no-open --listen 192.0.2.1 --i-know", 2);
    assert!(said.contains("no address 192.0.2.1"), "{said}");
    let failed = run("web --json nowhere.labs");
    let document: Json = serde_json::from_slice(&failed.stdout).unwrap();
    assert_eq!((&document["format"], &document["command"]), (&json!("swarmcheck-error"), &json!("web")));
    server.is_well();
}

/// On another address the token is needed all the same, and names get nothing.
#[test]
fn another_address_keeps_the_token() {
    let server = Server::start("--listen 127.0.0.2 --i-know");
    let ask = |host: &str, token: &str| {
        let request = format!(
            "POST /api/hello HTTP/1.1\r\nHost: {host}:{}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\
             X-Swarmcheck-Token: {token}\r\n\r\n{{}}",
            server.port
        );
        let mut stream = std::net::TcpStream::connect(("127.0.0.2", server.port)).unwrap();
        std::io::Write::write_all(&mut stream, request.as_bytes()).unwrap();
        crate::server::read(stream).status
    };
    assert_eq!(ask("127.0.0.2", &server.token), 200);
    assert_eq!(ask("127.0.0.2", "wrong"), 403);
    assert_eq!(ask("evil.example", &server.token), 421);
}
