//! Families in LAbS, R-CHECK and Chor: agents that have to do with few others.

use super::{Family, each, with_claim};
use crate::checker::DEADLOCK;

/// The families.
pub const FAMILIES: &[Family] = &[
    labs("labs-philosophers", "philosophers of examples", 2, labs_philosophers, "NoDeadlock", "violated"),
    labs("labs-forks", "philosophers, the last left-handed", 2, labs_forks, DEADLOCK, "holds"),
    labs("labs-locks", "pairs of agents, each with a lock", 1, labs_locks, "Exclusion", "holds"),
    labs("labs-hasty", "the last lock is tested too early", 1, labs_hasty, "Exclusion", "violated"),
    labs("labs-brigade", "carriers between boxes in a row", 1, labs_brigade, DEADLOCK, "holds"),
    rcheck("rcheck-desks", "clients and servers, in pairs", 1, rcheck_desks, "Owed", "holds"),
    rcheck("rcheck-deadlock", "the same", 1, rcheck_deadlock, DEADLOCK, "holds"),
    rcheck("rcheck-leaves", "the last client may give up", 1, rcheck_leaves, "Owed", "violated"),
    chor("chor-desks", "clients and servers, in pairs", 1, chor_desks, "Asked", "holds"),
    chor("chor-deadlock", "the same", 1, chor_deadlock, DEADLOCK, "holds"),
    chor("chor-undecided", "the last pair has two answers", 1, chor_undecided, DEADLOCK, "violated"),
];

type Text = fn(usize) -> String;

const fn labs(
    name: &'static str,
    about: &'static str,
    least: usize,
    text: Text,
    property: &'static str,
    verdict: &'static str,
) -> Family {
    Family { name, ending: "labs", about, least, text, property, verdict }
}

const fn rcheck(
    name: &'static str,
    about: &'static str,
    least: usize,
    text: Text,
    property: &'static str,
    verdict: &'static str,
) -> Family {
    Family { ending: "rcp", ..labs(name, about, least, text, property, verdict) }
}

const fn chor(
    name: &'static str,
    about: &'static str,
    least: usize,
    text: Text,
    property: &'static str,
    verdict: &'static str,
) -> Family {
    Family { ending: "chor", ..labs(name, about, least, text, property, verdict) }
}

/// A model of the examples without its claims, and with a value for its parameter.
fn example(text: &str, size: usize) -> String {
    let model = text.split("\ncheck {").next().unwrap_or_default();
    model.replacen("extern = _n ", &format!("extern = _n: {size} "), 1)
}

/// All take their first fork and say so, as the README of the example explains.
fn labs_philosophers(size: usize) -> String {
    let text = example(include_str!("../../../examples/philosophers/philosophers.labs"), size);
    with_claim(&text, "NoDeadlock", "always exists Phil p, hands of p != 1")
}

/// The README of the example has the argument: everybody takes the fork with the smaller number first.
fn labs_forks(size: usize) -> String {
    example(include_str!("../../../examples/fairness/forks.labs"), size)
}

/// Two agents share a lock, and there are many such pairs. The last agent has a process of its own.
fn locks(size: usize, last: &str) -> String {
    let text = format!(
        "system {{
  extern = _n: {size}
  environment = lock[_n]: 0
  spawn = User: 2 * _n - 1, Last: 1
  Leave = inside <- 0; lock[id / 2] <-- 0
}}

agent User {{
  interface = inside: 0
  Behavior = lock[id / 2] = 0 -> lock[id / 2] <-- 1; inside <- 1; Leave; Behavior
}}

agent Last {{
  interface = inside: 0
  Behavior = {last}; inside <- 1; Leave; Behavior
}}
"
    );
    let claim = "always forall User a, id of a % 2 = 1 or inside of a = 0 or inside of (a + 1) = 0";
    with_claim(&text, "Exclusion", claim)
}

/// To test a lock and to take it is one step, so one agent of a pair at a time has the lock, and it is inside only then.
fn labs_locks(size: usize) -> String {
    locks(size, "lock[id / 2] = 0 -> lock[id / 2] <-- 1")
}

/// The last agent tests the lock in one step and takes it in the next. The other one of its pair can take it in between.
fn labs_hasty(size: usize) -> String {
    locks(size, "lock[id / 2] = 0 -> Skip; lock[id / 2] <-- 1")
}

/// There is no deadlock. If the first box is empty, the source can fill it. Otherwise go along the row to the first place, box
/// or hand, that is empty: what is before it can be moved there. If there is none, the last box is full, and can be emptied.
fn labs_brigade(size: usize) -> String {
    format!(
        "system {{
  extern = _n: {size}
  environment = box[_n + 1]: 0
  spawn = Source: 1, Carrier: _n, Sink: 1
}}

agent Source {{
  Behavior = box[0] = 0 -> box[0] <-- 1; Behavior
}}

# Agents count from 0, and the source is the first: carrier i moves things from box i - 1 to box i.
agent Carrier {{
  Behavior = box[id - 1] = 1 -> box[id - 1] <-- 0; box[id] = 0 -> box[id] <-- 1; Behavior
}}

agent Sink {{
  Behavior = box[_n] = 1 -> box[_n] <-- 0; Behavior
}}
"
    )
}

/// Each client and its server talk on a channel of their own. A server looks something up before it answers.
fn desks(size: usize, last: &str) -> String {
    let pair = |i: usize| {
        let client = if i == size { last } else { "Client" };
        format!("{client}(client{i}, link = c{i}) || Server(server{i}, link = c{i})")
    };
    let client = |name: &str, more: &str| {
        format!(
            "agent {name}
  local: link : channel, waits : bool
  init: !waits
  receive-guard: chan == link
  repeat: (
    sAsk: {{!waits}} link! (TRUE)()[waits := TRUE]
    +
    rAnswer: {{waits}} link? [waits := FALSE]{more}
  )

"
        )
    };
    let leaves = "\n    +\n    sLeave: {waits} *! (TRUE)()[waits := FALSE]";
    format!(
        "channels: {}
enum phases {{idle, looking, ready}}

{}{}agent Server
  local: link : channel, phase : phases
  init: phase == idle
  receive-guard: chan == link
  repeat: (
    rAsk: {{phase == idle}} link? [phase := looking]
    +
    sLook: {{phase == looking}} *! (TRUE)()[phase := ready]
    +
    sAnswer: {{phase == ready}} link! (TRUE)()[phase := idle]
  )

system = {}
",
        each(size, ", ", |i| format!("c{i}")),
        client("Client", ""),
        if last == "Client" { String::new() } else { client(last, leaves) },
        each(size, "\n      || ", pair)
    )
}

/// Whoever is asked has somebody who waits, in every pair.
fn owed(size: usize) -> String {
    format!(
        "\nSPEC Owed: G ({})\n",
        each(size, " & ", |i| format!("(server{i}-phase = idle | client{i}-waits)"))
    )
}

/// There is no deadlock: each pair goes round in a circle of asking, looking and answering.
fn rcheck_deadlock(size: usize) -> String {
    desks(size, "Client")
}

/// A server leaves `idle` when its client asks, which then waits. The client ends its waiting with the answer, which makes the
/// server idle in the same step.
fn rcheck_desks(size: usize) -> String {
    rcheck_deadlock(size) + &owed(size)
}

/// The last client can ask and leave at once.
fn rcheck_leaves(size: usize) -> String {
    desks(size, "Impatient") + &owed(size)
}

/// Conversations that have nothing to do with each other; the last one ends in its own way.
fn conversations(size: usize, last: &str) -> String {
    let conversation = |i: usize| {
        let end = match i == size {
            true => last.replace('%', &i.to_string()),
            false => format!("answer{i}[server{i},client{i}]; read@client{i}"),
        };
        format!("  (ask{i}[client{i},server{i}]; look@server{i}; {end})")
    };
    format!("choreography Desks =\n{}\n", each(size, " ||\n", conversation))
}

/// There is no deadlock: client and server of each pair perform the same messages in the same order.
fn chor_deadlock(size: usize) -> String {
    conversations(size, "answer%[server%,client%]; read@client%")
}

/// The last server answers after it was asked, by its projection.
fn chor_desks(size: usize) -> String {
    let claim = "ask%[client%,server%] precedes answer%[server%,client%]".replace('%', &size.to_string());
    with_claim(&chor_deadlock(size), "Asked", &claim)
}

/// Client and server of the last pair choose alone which answer it is. If they differ, both wait for ever, and the system stops
/// when all others have ended.
fn chor_undecided(size: usize) -> String {
    conversations(size, "(yes%[server%,client%]; read@client% + no%[server%,client%]; weep@client%)")
}
