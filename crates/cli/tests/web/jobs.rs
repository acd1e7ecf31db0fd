//! What jobs can do to the server: too much memory, too many at once, clients that leave or do not read.

use crate::process::descendants;
use crate::server::{PATIENCE, Server, endless, flock, line, model};
use serde_json::{Value as Json, json};
use std::io::Write;
use std::time::{Duration, Instant};

/// Waits until a job has a worker.
#[track_caller]
fn works(server: &Server) {
    let began = Instant::now();
    while descendants(server.id()).is_empty() {
        assert!(began.elapsed() < PATIENCE, "no worker was started");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Verdicts of the project file of the example, which the enumerator has found.
#[test]
fn a_job_tells_everything_as_it_comes() {
    let server = Server::start("examples/leader/leader.labs");
    let text = include_str!("../../../../examples/flock/flock.labs");
    let small = model("flock.labs", text, &[("birds", "2"), ("grid", "2"), ("delta", "2")]);
    let events = server.job(&json!({ "do": "verify", "model": small, "options": {} }), &json!({})).events();
    assert_eq!(events[0]["event"], "job");
    assert_eq!(events.last().unwrap()["event"], "done");
    let answers: Vec<&Json> = events.iter().filter(|event| event["event"] == "answer").collect();
    let verdict = |name: &str| {
        let answer = answers.iter().find(|answer| answer["property"] == name).unwrap();
        assert!(!answer["said"]["evidence"].as_str().unwrap().is_empty());
        answer["outcome"]["verdict"].clone()
    };
    assert_eq!(verdict("Consensus"), "violated");
    assert_eq!(verdict("ConsensusAgain"), "holds");
    assert_eq!(verdict("OnTheGrid"), "holds");
    let hello = server.ask("/api/hello", &json!({})).json();
    assert_eq!(hello["files"][0]["name"], "examples/leader/leader.labs");
    assert!(hello["files"][0]["text"].as_str().unwrap().contains("agent Node"));
    assert!(hello["examples"].as_array().unwrap().len() >= 25);
    let options = &hello["options"];
    let has = |list: &Json, word: &str| list.as_array().unwrap().iter().any(|one| one == word);
    assert!(
        has(&options["traces"], "itf")
            && has(&options["engines"], "auto")
            && has(&options["shapes"], "triples")
    );
    server.is_well();
}

/// One agent has as many cells as a model may have, more than the memory that is allowed; 1,000 such agents would need 128 GB.
#[test]
fn a_model_that_needs_too_much_memory_ends_alone() {
    let server = Server::start("");
    let text = "system { spawn = A: 1 }\nagent A { interface = a[16000000]: 0\n Behavior = a[0] <- 1 - a[1]; Behavior }\n\
                check { P = always forall A x, a[0] of x <= 1 }\n";
    let huge = model("huge.labs", text, &[]);
    let many = model("many.labs", &text.replace("A: 1 ", "A: 1000 "), &[]);
    let events = server.job(&json!({ "do": "verify", "model": many, "options": {} }), &json!({})).events();
    let last = events.last().unwrap();
    assert_eq!(last["refusal"]["diagnostics"][0]["code"], "E0207", "{last}");
    let options = json!({ "steps": 10, "runs": 1, "seed": 1, "format": "text", "traces": true });
    for request in [
        json!({ "do": "simulate", "model": huge, "options": options }),
        json!({ "do": "verify", "model": huge, "options": {} }),
    ] {
        let events = server.job(&request, &json!({ "memory": 200_000_000, "seconds": 30 })).events();
        let last = events.last().unwrap();
        let why = if last["event"] == "failed" { &last["reason"] } else { &last["refusal"]["reason"] };
        assert_eq!(why["kind"], "memory", "{last}");
        server.is_well();
    }
}

#[test]
fn fifty_jobs_at_once() {
    let server = Server::start("");
    let body = json!({ "request": endless(), "limits": { "seconds": 0.5 } });
    let answers: Vec<(u16, String)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..50).map(|_| scope.spawn(|| server.ask("/api/job", &body))).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .map(|response| (response.status, response.body))
            .collect()
    });
    let served = answers.iter().filter(|(status, _)| *status == 200).count();
    let busy = answers.iter().filter(|(status, _)| *status == 429).count();
    assert_eq!(served + busy, 50, "{answers:?}");
    assert!(served >= 2 && busy >= 1, "{served} served, {busy} refused");
    for (_, body) in answers.iter().filter(|(status, _)| *status == 200) {
        let last: Json = serde_json::from_str(body.lines().last().unwrap()).unwrap();
        assert!(["done", "refused", "failed"].iter().any(|word| last["event"] == *word), "{last}");
    }
    server.is_well();
    let most = server.ask("/api/hello", &json!({})).json()["limits"]["jobs"].as_u64().unwrap();
    // All places have come back.
    let open: Vec<_> = (0..most).map(|_| server.begin(&endless())).collect();
    assert_eq!(server.ask("/api/job", &json!({ "request": endless() })).status, 429);
    drop(open);
    server.is_well();
}

#[test]
fn cancelling_ends_a_job_soon() {
    let server = Server::start("");
    let (mut reader, job) = server.begin(&endless());
    works(&server);
    let began = Instant::now();
    assert_eq!(server.ask("/api/cancel", &json!({ "job": job })).json(), json!({ "cancelled": true }));
    let mut last = String::new();
    while let text @ 1.. = std::io::BufRead::read_line(&mut reader, &mut last).unwrap() {
        let rest = last.split_off(last.len() - text);
        last = rest;
    }
    // The promise is half a second; other tests run meanwhile.
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    let last: Json = serde_json::from_str(&last).unwrap();
    assert!(last.to_string().contains("interrupted"), "{last}");
    assert_eq!(server.ask("/api/cancel", &json!({ "job": job })).json(), json!({ "cancelled": false }));
    server.is_well();
}

/// Nobody is left to tell: the worker ends.
#[test]
fn a_client_that_leaves_ends_its_job() {
    let server = Server::start("");
    let (reader, _) = server.begin(&endless());
    works(&server);
    drop(reader);
    server.is_well();
}

/// It fills all buffers between the worker and the client, and may not keep the worker for that.
#[test]
fn a_client_that_never_reads_ends_its_job() {
    let server = Server::start("");
    let options = json!({ "steps": 1000, "runs": 1_000_000, "seed": 1, "format": "json", "traces": true });
    let body = json!({ "request": { "do": "simulate", "model": flock("9", "20"), "options": options } });
    let mut stream = server.connect();
    stream.write_all(server.request("/api/job", &body.to_string()).as_bytes()).unwrap();
    works(&server);
    server.is_well();
    let again = json!({ "do": "check", "model": flock("2", "2") });
    assert_eq!(server.job(&again, &json!({})).events().last().unwrap()["event"], "done");
    drop(stream);
    server.is_well();
}

/// What a model is called and what it contains comes back as JSON, and as nothing else.
#[test]
fn markup_is_data() {
    let server = Server::start("");
    let name = "<img src=x onerror=alert(1)>\u{1b}[31m\u{202e}\r\nX-Evil: 1\r\n\r\n.labs";
    let text = "</script><script>alert(1)</script> \u{0} \u{2028} system { spawn = <b>: 1 }";
    for what in ["check", "simulate", "verify"] {
        let options = match what {
            "simulate" => json!({ "steps": 1, "runs": 1, "seed": 1, "format": "text", "traces": true }),
            _ => json!({}),
        };
        let request =
            json!({ "do": what, "model": model(name, text, &[("<i>", "<u>")]), "options": options });
        let response = server.job(&request, &json!({}));
        let head = response.head.to_lowercase();
        assert!(head.contains("content-type: application/x-ndjson"), "{head}");
        assert!(head.contains("x-content-type-options: nosniff") && !head.contains("x-evil"), "{head}");
        let events = response.events();
        let told = events.last().unwrap().to_string();
        assert!(told.contains("<img src=x onerror=alert(1)>"), "{told}");
        // JSON has no raw control characters, so a line is a line.
        assert!(response.body.chars().all(|c| c == '\n' || !c.is_control()), "{}", response.body);
    }
    let unknown = json!({ "job": "<script>alert(1)</script>" });
    assert_eq!(server.ask("/api/cancel", &unknown).json(), json!({ "cancelled": false }));
    server.is_well();
}

/// Other verifiers are other programs, which a page may not start.
#[test]
fn no_other_program_is_started() {
    let server = Server::start("");
    let request = json!({ "do": "verify", "model": flock("2", "2"), "options": {}, "backend": "spin" });
    let response = server.job(&request, &json!({}));
    assert_eq!(response.status, 403, "{response:?}");
    assert!(response.body.contains("swarmcheck verify --backend"), "{response:?}");
    server.is_well();
}

#[test]
fn an_interpreter_answers_what_it_is_asked() {
    let server = Server::start("");
    let (mut reader, job) = server.begin(&json!({ "do": "interpret", "model": flock("2", "3"), "seed": 1 }));
    let mut reply = |message: Json| {
        let said = server.ask("/api/say", &json!({ "job": job, "message": message }));
        assert_eq!(said.json(), json!({}));
        loop {
            let event: Json = serde_json::from_str(&line(&mut reader)).unwrap();
            if event["event"] == "reply" {
                return event["reply"].clone();
            }
        }
    };
    assert_eq!(reply(json!({ "request": "state" }))["state"]["step"], 0);
    assert_eq!(reply(json!({ "request": "take", "choice": 0 }))["state"]["step"], 1);
    assert_eq!(reply(json!({ "request": "back" }))["state"]["step"], 0);
    assert_eq!(server.ask("/api/say", &json!({ "job": job, "message": { "request": "fly" } })).status, 400);
    assert_eq!(server.ask("/api/cancel", &json!({ "job": job })).json(), json!({ "cancelled": true }));
    server.is_well();
    let message = json!({ "job": job, "message": { "request": "state" } });
    assert_eq!(server.ask("/api/say", &message).status, 404);
    server.is_well();
}

/// The initial states of three birds on this grid are more than can be listed in a second. Asking for something else
/// meanwhile gives no more time.
#[test]
fn an_interpreter_that_is_asked_all_the_time_ends_all_the_same() {
    let server = Server::start("");
    let request = json!({ "do": "interpret", "model": flock("3", "40"), "seed": 1 });
    let (_reader, job) = server.begin_within(&request, &json!({ "seconds": 1 }));
    let say = |message: Json| server.ask("/api/say", &json!({ "job": job, "message": message })).status;
    assert_eq!(say(json!({ "request": "starts", "limit": 1_000_000_000 })), 200);
    let began = Instant::now();
    while say(json!({ "request": "state" })) == 200 {
        assert!(began.elapsed() < Duration::from_secs(10), "it does not end");
        std::thread::sleep(Duration::from_millis(200));
    }
    server.is_well();
}
