//! Requests to the façade as workers get them: JSON of every kind, and queries and predicates as users type them.

use super::host::Quiet;
use super::{WORKER, models, text};
use crate::seeds::From;
use crate::{Target, pick};
use std::sync::Mutex;
use swarmcheck_session::Request;
use swarmcheck_session::request::run;
use swarmcheck_session::verify::VerifyOptions;

pub const REQUEST: Target = Target {
    name: "request",
    about: "requests to the façade as JSON, as the page and editors send them",
    run: request,
    from: From { endings: &[], crates: &[], corpus: &[] },
    words: &[
        "\"do\"",
        "\"check\"",
        "\"verify\"",
        "\"simulate\"",
        "\"lts\"",
        "\"export\"",
        "\"explain\"",
        "\"picture\"",
        "\"render\"",
        "\"plot\"",
        "\"estimate\"",
        "\"coverage\"",
        "\"compare\"",
        "\"realize\"",
        "\"format\"",
        "\"options\"",
        "\"model\"",
        "\"engine\"",
        "\"bdd\"",
        "\"ic3\"",
        "\"auto\"",
        "\"depth\"",
        "\"steps\"",
        "\"reach\"",
        "\"fairness\"",
        "\"weak\"",
        "\"strong\"",
        "\"traces\"",
        "\"why\"",
        "\"target\"",
        "\"c\"",
        "\"smv\"",
        "\"lnt\"",
        "\"drn\"",
        "\"prism\"",
        "\"minimise\"",
        "true",
        "false",
        "null",
        "\"shape\"",
        "\"text\"",
        "\"html\"",
        "\"svg\"",
        "\"itf\"",
        "\"parameters\"",
        "[[\"n\",\"2\"]]",
        "\"threads\"",
        "\"scheduler\"",
        "\"agents\"",
    ],
    usual: 900,
    stack: WORKER,
};

pub const QUERY: Target = Target {
    name: "query",
    about: "queries of estimate, predicates of --reach, conditions of --numbers",
    run: query,
    from: From { endings: &[], crates: &["session"], corpus: &[] },
    words: &[
        "P(",
        "E(",
        "Pmax(",
        "Pmin(",
        "Emax(",
        "S(",
        ")",
        "eventually",
        "always",
        "until",
        "after",
        "steps",
        "within",
        "time",
        "ltl",
        "at the end",
        "forall Node a,",
        "exists Node a,",
        "x of a",
        "leader of a",
        "x of 0",
        "=",
        "<",
        "+",
        "*",
        "and",
        "or",
        "not",
        ">= 0.5",
        "F",
        "G",
        "X",
        "Below",
        "Never",
        "buffer-n",
        "producer-sPut",
        "enabled(",
        "<sender = buffer>",
        "TRUE",
    ],
    usual: 50,
    stack: WORKER,
};

fn request(input: &[u8]) {
    let text = text(input);
    let mut lines = text.lines();
    let Some(Ok(request)) = lines.next().map(serde_json::from_str::<Request>) else { return };
    // Where it is not a question of time, it is one of how much is asked for.
    if let Request::Verify { options, .. } = &request
        && (options.threads > 4 || options.head_start > 10_000_000)
    {
        return;
    }
    let mut says: Vec<_> = lines.filter_map(|line| serde_json::from_str(line).ok()).collect();
    says.reverse();
    run(&request, &Quiet { says: Mutex::new(says), solvers: None });
}

fn query(input: &[u8]) {
    let text = text(input);
    let (name, model) = models::MODELS[[0, 0, 3, 1][pick(input, 80, 4)]];
    let source = serde_json::json!({ "source": { "name": name, "text": model } });
    let asked = match pick(input, 81, 3) {
        0 => {
            serde_json::json!({ "do": "estimate", "model": source, "options": { "queries": [text], "seed": 1, "most_steps": 50 } })
        }
        1 => {
            let options = VerifyOptions { reach: Some(text.to_string()), ..VerifyOptions::default() };
            serde_json::json!({ "do": "verify", "model": source, "options": options })
        }
        _ => {
            let options = VerifyOptions { numbers: Some(text.to_string()), ..VerifyOptions::default() };
            serde_json::json!({ "do": "verify", "model": source, "options": options })
        }
    };
    let request = serde_json::from_value(asked).expect("a request");
    run(&request, &Quiet::default());
}
