//! CADP as a back end.

use crate::{Pretend, about, asked, kept, pretend, said_by, trace_of, unsupported};
use swarmcheck_backends::Ended;
use swarmcheck_session::verify::Backend;

/// The counter is raised so often.
fn diagnostic(steps: usize) -> String {
    let mut labels = vec!["ASSIGN !0 !\"n\" !0".to_string(), "START".to_string()];
    for n in 1..=steps {
        labels.extend([format!("ASSIGN !0 !\"n\" !{n}"), "STEP !0 !\"A_1\"".to_string()]);
    }
    let lines = labels.iter().enumerate().map(|(at, label)| format!("({at}, \"{label}\", {})\n", at + 1));
    format!("des (0, {}, {})\n{}", labels.len(), labels.len() + 1, lines.collect::<String>())
}

fn says(verdict: &str, diagnostic: Option<String>) -> Pretend {
    let mut tools = pretend(format!("lnt.open: using emulation.lnt\n\n{verdict}\n"), Ended::Code(0));
    tools.files.extend(diagnostic.map(|text| ("diagnostic.aut".to_string(), text)));
    tools
}

#[test]
fn verdicts() {
    let mut tools = says("FALSE", Some(diagnostic(2)));
    let answer = asked(&mut tools, Backend::Cadp, None);
    assert_eq!(answer.verdict().word(), "violated", "{}", answer.evidence());
    assert_eq!(answer.outcome, trace_of(2));
    let commands: Vec<String> =
        tools.jobs.iter().map(|job| format!("{} {}", job.program, job.arguments.join(" "))).collect();
    assert_eq!(
        commands,
        [
            "lnt.open emulation.lnt evaluator4 -bfs -diag diagnostic.bcg query.mcl",
            "bcg_io diagnostic.bcg diagnostic.aut"
        ]
    );
    assert_eq!(tools.names, ["emulation.lnt", "query.mcl"]);
    let answer = asked(&mut says("TRUE", None), Backend::Cadp, None);
    assert_eq!(answer.outcome, said_by("CADP", None));
}

/// The counter stops at 3, so it never becomes 4: the execution stops there.
#[test]
fn an_execution_that_stops() {
    let answer = about(&mut says("FALSE", Some(diagnostic(3))), Backend::Cadp, "Some", None);
    assert_eq!(answer.verdict().word(), "violated", "{}", answer.evidence());
    let answer = about(&mut says("FALSE", Some(diagnostic(2))), Backend::Cadp, "Some", None);
    assert_eq!(answer.verdict().word(), "unknown", "it does not stop at 2: {}", answer.evidence());
}

/// After two steps the counter is 2; between 1 and 3 it is 2, too, which is seen when it becomes 3.
#[test]
fn steps_and_scopes() {
    for (property, enough) in [("Late", 2), ("Scope", 3)] {
        let answer = about(&mut says("FALSE", Some(diagnostic(enough))), Backend::Cadp, property, None);
        assert_eq!(answer.verdict().word(), "violated", "{property}: {}", answer.evidence());
        let answer = about(&mut says("FALSE", Some(diagnostic(enough - 1))), Backend::Cadp, property, None);
        assert_eq!(answer.verdict().word(), "unknown", "{property}: {}", answer.evidence());
    }
}

#[test]
fn what_is_only_claimed_is_unconfirmed() {
    for diagnostic in [None, Some(String::new()), Some("des (0, 0, 1)\n".to_string())] {
        let answer = asked(&mut says("FALSE", diagnostic), Backend::Cadp, None);
        assert_eq!(answer.verdict().word(), "unknown");
        assert!(unsupported(&answer).contains("CADP says violated"), "{}", answer.evidence());
        assert!(unsupported(&answer).contains("unconfirmed"), "{}", answer.evidence());
    }
}

#[test]
fn answers_that_are_wrong_are_no_verdicts() {
    for text in ["", "MAYBE", "TRUE\nFALSE", "TRUE\nTRUE", "TRU", "TRUE enough", "error: no licence\nTRUE"] {
        let answer = asked(&mut says(text, Some(diagnostic(2))), Backend::Cadp, None);
        assert_eq!(answer.verdict().word(), "unknown", "{text}: {}", answer.evidence());
    }
    for ended in [Ended::Killed, Ended::TimeLimit, Ended::Interrupted, Ended::Code(1)] {
        let mut tools = says("TRUE", None);
        tools.ended = ended;
        assert_eq!(asked(&mut tools, Backend::Cadp, None).verdict().word(), "unknown", "{ended:?}");
    }
    // One step is not enough.
    let answer = asked(&mut says("FALSE", Some(diagnostic(1))), Backend::Cadp, None);
    assert_eq!(answer.verdict().word(), "unknown", "{}", answer.evidence());
}

#[test]
fn a_kept_diagnostic_is_read() {
    let answer = kept(Backend::Cadp, "Low", None, &diagnostic(2)).expect("an answer");
    assert_eq!(answer.verdict().word(), "violated", "{}", answer.evidence());
}
