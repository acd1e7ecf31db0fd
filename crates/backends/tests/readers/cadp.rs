//! Diagnostics of CADP, as `bcg_io` writes them, about the counters.

use crate::model::counters;
use swarmcheck_backends::cadp::follow;

const LABELS: &[&str] = &[
    "ASSIGN !0 !\"n\" !1",
    "ASSIGN !1 !\"n\" !0",
    "START",
    "ASSIGN !1 !\"n\" !1",
    "STEP !1 !\"add_one\"",
    "ASSIGN !0 !\"n\" !3",
    "STEP !0 !\"add_any\"",
];

/// A path with these labels; after the last one it goes on from the state with this number.
fn path(labels: &[&str], back_to: Option<usize>) -> String {
    let states = labels.len() + usize::from(back_to.is_none());
    let lines = labels.iter().enumerate().map(|(at, label)| {
        let next = back_to.filter(|_| at + 1 == labels.len()).unwrap_or(at + 1);
        format!("({at}, \"{}\", {next})\n", label.replace('"', "\\\""))
    });
    format!("des (0, {}, {states})\n{}", labels.len(), lines.collect::<String>())
}

#[test]
fn a_path_becomes_an_execution() {
    let trail = follow(&path(LABELS, None), &counters(), false).expect("an execution");
    assert_eq!(trail.states, [[1, 0], [1, 1], [3, 1]]);
    assert_eq!((trail.steps, trail.cycle, trail.attempted), (vec![(0, 1), (1, 0)], None, None));
}

/// A step that changes nothing has no label but `STEP`; the loop begins at the label before it or at its own.
#[test]
fn a_loop_becomes_a_loop() {
    let idle = "STEP !0 !\"add_any\"";
    let labels: Vec<&str> = LABELS.iter().copied().chain([idle, idle]).collect();
    for back_to in [labels.len() - 2, labels.len() - 1] {
        let trail = follow(&path(&labels, Some(back_to)), &counters(), true).expect("an execution");
        let at = trail.cycle.expect("a loop");
        assert_eq!(trail.states.last(), trail.states.get(at));
        assert!(at < trail.steps.len());
        assert!(trail.steps[2..].iter().all(|step| *step == (1, 0)), "{:?}", trail.steps);
    }
    // Back to where the counters were lower: the model cannot do that.
    assert!(follow(&path(&labels, Some(3)), &counters(), true).is_err());
    // The model never stops.
    assert!(follow(&path(LABELS, None), &counters(), true).is_err());
}

#[test]
fn what_is_no_execution_is_refused() {
    let flat = counters();
    let whole = path(LABELS, None);
    for (from, to) in [
        ("START", "BEGIN"),
        ("START", "i"),
        ("STEP !1 !\\\"add_one\\\"", "START"),
        ("STEP !1", "STEP !2"),
        ("add_one", "add_two"),
        ("\\\"n\\\" !3", "\\\"n\\\" !4"),
        ("\\\"n\\\" !3", "\\\"m\\\" !3"),
        ("\\\"n\\\" !3", "\\\"n\\\" !three"),
        ("\\\"n\\\" !3", "\\\"n\\\" !1 !3"),
        ("ASSIGN !0 !\\\"n\\\" !1", "ASSIGN !0 !\\\"n\\\" !2"),
        ("ASSIGN !0", "ASSIGN !7"),
        ("ASSIGN !0", "SHARED"),
        ("(2, ", "(1, "),
        ("des (0, 7, 8)", "des (0, 8, 8)"),
        ("des (0, 7, 8)", "des (4, 7, 8)"),
        ("des (0, 7, 8)\n", ""),
    ] {
        assert!(whole.contains(from), "{from}");
        assert!(follow(&whole.replacen(from, to, 1), &flat, false).is_err(), "{from} became {to}");
    }
    let end = whole.trim_end().len();
    for cut in 0..end {
        assert!(follow(&whole[..cut], &flat, false).is_err(), "cut at {cut}");
    }
    assert!(follow(&path(&LABELS[..6], None), &flat, false).is_err(), "it ends inside a step");
    assert!(follow("des (0, 0, 1)\n", &flat, false).is_err(), "nothing happens");
}
