//! How long a person waits: diagnostics and cancelling, over the interface, for a model of 1,000 lines.
//!
//! `cargo test --release -p swarmcheck-cli --test web -- --ignored --nocapture times` prints the times. The promises are 100 ms
//! and 500 ms; the bounds here are wider, because other programs may run meanwhile.

use crate::server::{Server, endless, model};
use serde_json::json;
use std::time::{Duration, Instant};

/// A model with a thousand lines, one action each.
fn long() -> String {
    let actions: String =
        (0..990).map(|n| format!("  P{n} = x <- (x + {n}) % 7; P{}\n", (n + 1) % 990)).collect();
    format!(
        "system {{\n  spawn = A: 2\n}}\nagent A {{\n  interface = x: 0..6\n  Behavior = P0\n{actions}}}\n\
         check {{\n  P = always forall A a, x of a <= 6\n}}\n"
    )
}

fn report(what: &str, mut times: Vec<Duration>, most: Duration) {
    times.sort();
    let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
    println!("{what}: median {median:.1?}, worst {worst:.1?} of {}", times.len());
    assert!(median < most, "{what}: {median:?}");
}

#[test]
#[ignore = "measures a release build"]
fn times() {
    let server = Server::start("");
    let text = long();
    assert!(text.lines().count() >= 999, "{} lines", text.lines().count());
    let check = |text: &str| {
        let began = Instant::now();
        let request = json!({ "do": "check", "model": model("long.labs", text, &[]) });
        let events = server.job(&request, &json!({})).events();
        let last = events.last().unwrap();
        assert_eq!(last["event"], "done", "{last}");
        (began.elapsed(), last["result"]["diagnostics"].as_array().unwrap().len())
    };
    let right: Vec<(Duration, usize)> = (0..21).map(|_| check(&text)).collect();
    assert!(right.iter().all(|(_, found)| *found == 0), "{right:?}");
    report("check of 1,000 lines", right.into_iter().map(|(time, _)| time).collect(), Duration::from_secs(2));
    let wrong = text.replace("P500 = x <-", "P500 = y <-");
    let wrong: Vec<(Duration, usize)> = (0..21).map(|_| check(&wrong)).collect();
    assert!(wrong.iter().all(|(_, found)| *found >= 1), "{wrong:?}");
    report(
        "the same with an error",
        wrong.into_iter().map(|(time, _)| time).collect(),
        Duration::from_secs(2),
    );
    let cancel = |_| {
        let (reader, job) = server.begin(&endless());
        std::thread::sleep(Duration::from_millis(300));
        let began = Instant::now();
        assert_eq!(server.ask("/api/cancel", &json!({ "job": job })).json()["cancelled"], true);
        crate::server::read(reader);
        began.elapsed()
    };
    report("cancel", (0..7).map(cancel).collect(), Duration::from_secs(2));
    server.is_well();
}
