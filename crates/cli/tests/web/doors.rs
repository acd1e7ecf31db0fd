//! Who gets in: hosts, origins, tokens, methods, paths, sizes.

use crate::server::{Response, Server, read};
use serde_json::json;
use std::io::Write;

/// Nothing that was refused says more than why, and no page of another site may read it.
#[track_caller]
fn refused(response: &Response, status: u16, what: &str) {
    assert_eq!(response.status, status, "{what}: {response:?}");
    let why = response.json()["error"].as_str().unwrap().to_string();
    assert!(!why.is_empty() && response.json().as_object().unwrap().len() == 1, "{what}: {response:?}");
    let head = response.head.to_lowercase();
    assert!(!head.contains("access-control"), "{what}: {head}");
    assert!(
        head.contains("x-content-type-options: nosniff") && head.contains("content-type: application/json")
    );
}

/// A name that was bound to this machine anew has the right port, and even the right token, and gets nothing.
#[test]
fn a_rebound_name_gets_nothing() {
    let server = Server::start("");
    let (port, token) = (server.port, &server.token);
    for host in [
        format!("evil.example:{port}"),
        "evil.example".to_string(),
        format!("127.0.0.1.evil.example:{port}"),
        format!("127.0.0.1:{}", port - 1),
        "127.0.0.1".to_string(),
        format!("localhost.:{port}"),
        String::new(),
    ] {
        let page = server.raw(format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes());
        refused(&page, 421, &host);
        let ours = format!("Host: 127.0.0.1:{port}");
        let request = server.request("/api/hello", "{}").replace(&ours, &format!("Host: {host}"));
        let api = server.raw(request.as_bytes());
        refused(&api, 421, &host);
        assert!(!api.body.contains(token.as_str()));
    }
    refused(&server.raw(b"GET / HTTP/1.1\r\n\r\n"), 400, "no host");
    let two = format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: evil.example\r\n\r\n");
    refused(&server.raw(two.as_bytes()), 400, "two hosts");
    for host in [format!("127.0.0.1:{port}"), format!("localhost:{port}")] {
        let page = server.raw(format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes());
        assert_eq!(page.status, 200, "{host}");
    }
    server.is_well();
}

#[test]
fn another_site_may_not_post() {
    let server = Server::start("");
    let port = server.port;
    let token = format!("X-Swarmcheck-Token: {}\r\n", server.token);
    let post = |kind: &str, headers: String| {
        server.raw(server.with("/api/hello", "{}", kind, &(token.clone() + &headers)).as_bytes())
    };
    for origin in ["http://evil.example", "null", "http://127.0.0.1:1", "file://"] {
        refused(&post("application/json", format!("Origin: {origin}\r\n")), 403, origin);
    }
    let secure = format!("Origin: https://127.0.0.1:{port}\r\n");
    refused(&post("application/json", secure), 403, "another scheme");
    for site in ["cross-site", "same-site", "none"] {
        refused(&post("application/json", format!("Sec-Fetch-Site: {site}\r\n")), 403, site);
    }
    for kind in ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", ""] {
        refused(&post(kind, String::new()), 415, kind);
    }
    let ours = format!("Origin: http://127.0.0.1:{port}\r\nSec-Fetch-Site: same-origin\r\n");
    assert_eq!(post("application/json; charset=utf-8", ours).status, 200);
    server.is_well();
}

#[test]
fn nothing_without_the_token() {
    let server = Server::start("");
    let token = &server.token;
    let half = &token[..token.len() / 2];
    for path in ["/api/hello", "/api/job", "/api/cancel", "/api/say", "/api/", "/api/nothing"] {
        for headers in [
            String::new(),
            "X-Swarmcheck-Token:\r\n".to_string(),
            format!("X-Swarmcheck-Token: {half}\r\n"),
            format!("X-Swarmcheck-Token: {token}0\r\n"),
            format!("Cookie: token={token}\r\n"),
            format!("Authorization: Bearer {token}\r\n"),
        ] {
            let response = server.raw(server.with(path, "{}", "application/json", &headers).as_bytes());
            refused(&response, 403, &format!("{path} {headers}"));
        }
        let asked = format!("{path}?token={token}");
        refused(&server.raw(server.with(&asked, "{}", "application/json", "").as_bytes()), 403, &asked);
        for method in ["OPTIONS", "GET", "HEAD", "PUT", "DELETE"] {
            let request = server.request(path, "{}").replacen("POST", method, 1);
            refused(&server.raw(request.as_bytes()), 405, &format!("{method} {path}"));
        }
    }
    server.is_well();
}

/// Paths are names in a list of three, whatever they look like.
#[test]
fn no_path_is_opened() {
    let server = Server::start("");
    for path in [
        "/../../etc/passwd",
        "/assets/../../../../etc/passwd",
        "/assets/%2e%2e/%2e%2e/etc/passwd",
        "/assets/..%2f..%2fetc%2fpasswd",
        "/assets/..\\..\\etc\\passwd",
        "//etc/passwd",
        "/assets/",
        "/assets/workbench.js/",
        "/assets/workbench.js%00",
        "/Cargo.toml",
        "http://127.0.0.1/etc/passwd",
        "*",
    ] {
        let request = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", server.port);
        refused(&server.raw(request.as_bytes()), 404, path);
    }
    server.is_well();
}

#[test]
fn sizes_and_lengths_are_limited() {
    let server = Server::start("");
    let token = format!("X-Swarmcheck-Token: {}\r\n", server.token);
    let start = format!(
        "POST /api/hello HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n{token}",
        server.port
    );
    let send = |rest: &str| server.raw((start.clone() + rest).as_bytes());
    // A model of 10 MB, sent to its end.
    let large = json!({ "request": { "do": "check", "model": {
        "source": { "name": "m.labs", "text": " ".repeat(10 << 20) } } } });
    refused(&server.ask("/api/job", &large), 413, "10 MB");
    refused(&send("Content-Length: 99999999999999999999999\r\n\r\n{}"), 413, "a huge number");
    for length in ["-1", "+2", "0x2", "2, 2", ""] {
        refused(&send(&format!("Content-Length: {length}\r\n\r\n{{}}")), 400, length);
    }
    refused(&send("Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"), 400, "two lengths");
    refused(&send("\r\n"), 411, "no length");
    refused(&send("Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"), 411, "chunks");
    let both = "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n";
    refused(&send(both), 411, "chunks and a length");
    let long = format!("X-Long: {}\r\nContent-Length: 2\r\n\r\n{{}}", "x".repeat(1 << 20));
    refused(&send(&long), 431, "a long header");
    let many: String = (0..1000).map(|n| format!("X-{n}: x\r\n")).collect();
    refused(&send(&(many + "Content-Length: 2\r\n\r\n{}")), 431, "many headers");
    refused(&server.raw(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"), 400, "TLS");
    refused(&server.raw(&[0xff; 100_000]), 400, "noise");
    for body in ["", "{", "[]", "null", "{\"request\":{\"do\":\"nothing\"}}", &"[".repeat(100_000)] {
        refused(&server.raw(server.request("/api/job", body).as_bytes()), 400, &body[..body.len().min(20)]);
    }
    server.is_well();
}

/// The second request of a connection is no request: it could be one that another page has smuggled into a body.
#[test]
fn a_connection_has_one_request() {
    let server = Server::start("");
    let one = server.request("/api/hello", "{}");
    let both = server.raw((one.clone() + &one).as_bytes());
    assert_eq!(both.status, 200);
    assert_eq!((both.head + &both.body).matches("HTTP/1.1").count(), 1);
    server.is_well();
}

/// Clients that stop in the middle do not keep others from being served.
#[test]
fn half_a_request_blocks_nobody() {
    let server = Server::start("");
    let whole = server.request("/api/hello", "{}");
    let open: Vec<_> = (0..40)
        .map(|n| {
            let mut stream = server.connect();
            stream.write_all(&whole.as_bytes()[..(whole.len() - 1) * n / 40]).unwrap();
            stream
        })
        .collect();
    server.is_well();
    // The one that goes on gets its answer.
    let mut last = open.into_iter().next_back().unwrap();
    last.write_all(&whole.as_bytes()[(whole.len() - 1) * 39 / 40..]).unwrap();
    assert_eq!(read(last).status, 200);
    server.is_well();
}

/// A page may not be framed, run what is not its own, or talk to anybody else.
#[test]
fn the_page_says_what_it_may_do() {
    let server = Server::start("");
    let get = |path: &str| {
        server.raw(format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", server.port).as_bytes())
    };
    let page = get("/");
    let head = page.head.to_lowercase();
    for line in [
        "content-type: text/html; charset=utf-8",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cross-origin-opener-policy: same-origin",
        "cross-origin-resource-policy: same-origin",
        "cache-control: no-store",
        "frame-ancestors 'none'",
        "default-src 'none'; script-src 'self';",
    ] {
        assert!(head.contains(line), "{line}: {head}");
    }
    assert!(!head.contains("unsafe-") && !head.contains("access-control"), "{head}");
    let nonce = |page: &Response| {
        let nonce = page.head.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap().to_string();
        assert!(nonce.len() >= 32 && page.body.contains(&nonce) && !page.body.contains("__NONCE__"));
        nonce
    };
    assert_ne!(nonce(&page), nonce(&get("/")));
    assert!(!page.body.contains(&server.token));
    assert!(get("/assets/workbench.js").head.contains("Content-Type: text/javascript"));
    assert!(get("/assets/workbench.css").head.contains("Content-Type: text/css"));
    server.is_well();
}
