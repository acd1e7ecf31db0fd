//! The report of `bench-limits` as Markdown: programs written by hand beside swarmcheck.

use crate::figures::{megabytes, short, whole};
use crate::limits::{Best, Measured};
use crate::report::line;

/// Seconds below which a ratio would say nothing: the system counts user time in steps of up to 10 ms.
const TOO_SHORT: f64 = 0.02;

/// The whole report.
pub fn report(all: &[Measured], rounds: u64) -> String {
    let times = if rounds == 1 { "One run".to_string() } else { format!("The best of {rounds} runs") };
    let mut out = format!(
        "# Beside programs written by hand\n\n{times} of each, in turn, on the same machine. Seconds are user time, MB is \
         peak resident memory, both of whole processes. A ratio is ours divided by that of the program written by \
         hand, and is left out where either ran for less than {TOO_SHORT} s. [../README.md](../README.md) says how to \
         read and repeat this.\n\n"
    );
    out += "## Every state, one thread\n\n";
    out += "Both visit the same states and transitions; *explore* is an invariant, *settle* asks whether the goal can be \
            reached from every state.\n\n";
    let head = ["task", "verdict", "states", "transitions"];
    out += &header(&[&head[..], &COSTS].concat());
    for m in all {
        let e = &m.expected;
        let mut cells = vec![m.task.name(), e.verdict.clone(), whole(e.states), whole(e.transitions)];
        cells.extend(costs(&m.hand, &m.ours));
        out += &line(cells);
    }
    if all.iter().any(|m| m.two.is_some()) {
        out += "\n## Two threads\n\nSeconds on the clock, every state.\n\n";
        out += &header(&["task", "one thread (s)", "two threads (s)", "times faster", "two threads (MB)"]);
        for (m, two) in all.iter().filter_map(|m| Some((m, m.two?))) {
            out += &line(vec![
                m.task.name(),
                short(m.ours.wall),
                short(two.wall),
                ratio(m.ours.wall, two.wall),
                memory(&two),
            ]);
        }
    }
    out += "\n## With reductions, one thread\n\nOurs with reductions; the program written by hand still visits every \
            state.\n\n";
    out += &header(&[&["task", "states by hand", "our states"][..], &COSTS].concat());
    for m in all {
        let mut cells = vec![m.task.name(), whole(m.expected.states), whole(m.reduced_states)];
        cells.extend(costs(&m.hand, &m.reduced));
        out += &line(cells);
    }
    let complaints: Vec<String> =
        all.iter().flat_map(|m| &m.complaints).map(|c| format!("\n**WRONG**: {c}\n")).collect();
    out + &complaints.concat()
}

/// The columns of `costs`.
const COSTS: [&str; 6] =
    ["by hand (s)", "ours (s)", "times slower", "by hand (MB)", "ours (MB)", "times larger"];

fn costs(hand: &Best, ours: &Best) -> [String; 6] {
    let larger = match (hand.memory, ours.memory) {
        (u64::MAX, _) | (_, u64::MAX) => "-".to_string(),
        (hand, ours) => short(ours as f64 / hand as f64),
    };
    [short(hand.user), short(ours.user), ratio(ours.user, hand.user), memory(hand), memory(ours), larger]
}

fn ratio(mine: f64, unit: f64) -> String {
    if mine.min(unit) < TOO_SHORT { String::new() } else { short(mine / unit) }
}

/// Megabytes, or `-` where there was no run that counts.
pub fn memory(best: &Best) -> String {
    if best.memory == u64::MAX { "-".to_string() } else { megabytes(best.memory) }
}

fn header(names: &[&str]) -> String {
    line(names.iter().map(|n| n.to_string()).collect()) + &"|---".repeat(names.len()) + "|\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Expected;

    fn best(user: f64, wall: f64, memory: u64) -> Best {
        Best { user, wall, memory }
    }

    #[test]
    fn a_row_has_both_sides_and_their_ratio() {
        let must = Expected { verdict: "holds".into(), states: 1_000, transitions: 2_000 };
        let mut m = Measured::new("flock fair settle".parse().unwrap(), must);
        m.hand = best(2.0, 2.5, 100_000_000);
        m.ours = best(8.0, 9.0, 150_000_000);
        m.two = Some(best(8.0, 4.5, 200_000_000));
        m.reduced = best(0.01, 0.02, 10_000_000);
        m.reduced_states = 7;
        m.complaints = vec!["it rains".to_string()];
        let out = report(&[m], 3);
        let has = |text: &str| assert!(out.contains(text), "{out}");
        has("| flock fair settle | holds | 1,000 | 2,000 | 2.00 | 8.00 | 4.00 | 100 | 150 | 1.50 |\n");
        has("| flock fair settle | 9.00 | 4.50 | 2.00 | 200 |\n");
        has("| flock fair settle | 1,000 | 7 | 2.00 | 0.010 |  | 100 | 10.0 | 0.100 |\n");
        has("**WRONG**: it rains\n");
    }

    #[test]
    fn what_was_not_measured_is_left_out() {
        let m = Measured::new("leader 6 explore".parse().unwrap(), Expected::default());
        let out = report(&[m], 1);
        assert!(out.contains("| leader 6 explore |  | 0 | 0 | - | - | - | - | - | - |\n"), "{out}");
        assert!(!out.contains("Two threads"), "{out}");
    }
}
