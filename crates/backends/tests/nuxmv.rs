//! Reading what NuSMV writes: answers in the form that the user manual shows, whole and damaged.

use swarmcheck_backends::nuxmv::read;
use swarmcheck_backends::{Ended, Ran};
use swarmcheck_ir::UNDEF;

const ANSWER: &str = "*** This is NuSMV 2.6.0 (compiled on Wed Oct 14 15:36:56 2015)
*** For more information on NuSMV see <http://nusmv.fbk.eu>

-- specification  F (started & holds)  is false
-- as demonstrated by the following execution sequence
Trace Description: LTL Counterexample 
Trace Type: Counterexample 
  -> State: 1.1 <-
    started = FALSE
    model_error = FALSE
    x_0 = 0
    y = 0
  -> Input: 1.2 <-
    step = begin
  -- Loop starts here
  -> State: 1.2 <-
    started = TRUE
    x_0 = 2
    y = -1
  -> Input: 1.3 <-
    step = go_0
  -> State: 1.3 <-
    x_0 = 1
  -> Input: 1.4 <-
    step = go_1
  -> State: 1.4 <-
    x_0 = 2
-- invariant !model_error  is true
";

fn ran(output: &str) -> Ran {
    Ran { ended: Ended::Code(0), output: output.to_string(), errors: String::new() }
}

#[test]
fn an_answer_with_a_counterexample() {
    let verdicts = read(&ran(ANSWER)).unwrap();
    assert_eq!(
        verdicts.iter().map(|v| (v.invariant, v.holds)).collect::<Vec<_>>(),
        [(false, false), (true, true)]
    );
    let cells = ["x_0".to_string(), "y".to_string()];
    let way = verdicts[0].shown.as_ref().unwrap().way(&cells, -1).unwrap();
    // What is not written has not changed; the state before the beginning is none of the program's.
    assert_eq!(way.states, [vec![2, UNDEF], vec![1, UNDEF], vec![2, UNDEF]]);
    assert_eq!(way.back_to, Some(0));
}

#[test]
fn damaged_answers() {
    for (from, to) in [
        ("is false", "is unknown"),
        ("-- as demonstrated by the following execution sequence\n", ""),
        ("    x_0 = 1\n", "    x_0 is 1\n"),
        ("  -> State: 1.1 <-\n", ""),
        ("-- invariant", "something new\n-- invariants"),
    ] {
        assert!(ANSWER.contains(from));
        assert!(read(&ran(&ANSWER.replacen(from, to, 1))).is_err(), "{from:?} became {to:?}");
    }
    let missing = ANSWER.replace("    y = 0\n", "").replace("    y = -1\n", "");
    let shown = read(&ran(&missing)).unwrap()[0].shown.clone().unwrap();
    assert!(shown.way(&["x_0".to_string(), "y".to_string()], -1).is_err());
}
