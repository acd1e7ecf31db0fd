//! Rates of kinds, stigmergies and actions.

use super::*;

#[test]
fn of_actions() {
    check_process("x <- 1 @ 2", "(@ (x <- 1) 2)");
    check_process("x <- y + 1 @ 2.5; Skip @ 1 / 3", "(; (@ (x <- (+ y 1)) 2.5) (@ Skip (/ 1 3)))");
    check_process("{ x <- 1; y <-- 2 } @ _r", "(@ {x <- 1; y <-- 2} _r)");
    check_process("x <- 1 @ 2 ++ y <- 1 @ 3 || Skip", "(|| (++ (@ (x <- 1) 2) (@ (y <- 1) 3)) Skip)");
    // A guard is no action: the rate is that of the action behind it.
    check_process("x = 0 -> y <- 1 @ 2", "(-> (= x 0) (@ (y <- 1) 2))");
    check_process("x = 0 => y <- 1 @ 2", "(=> (= x 0) (@ (y <- 1) 2))");
    check_process("x, y <- 1, 2 @ (1 + _n) / 4", "(@ (x,y <- 1,2) (/ (+ 1 _n) 4))");
    check_process("p[0] <~ 1@2", "(@ (p[0] <~ 1) 2)");
}

#[test]
fn of_kinds_and_stigmergies() {
    let expected = ["agent A", "  attr x: 0", "  stig S", "  rate 2.5", "  Behavior = Skip"];
    for text in [
        "agent A { rate = 2.5 interface = x: 0 stigmergies = S Behavior = Skip }",
        "agent A { interface = x: 0; rate = 2.5; stigmergies = S; Behavior = Skip }",
        "agent A { interface = x: 0 stigmergies = S rate = 2.5 Behavior = Skip }",
        "agent A { Behavior = Skip rate = 2.5 interface = x: 0 stigmergies = S }",
    ] {
        check_file(text, &expected);
    }
    check_file(
        "agent A { Behavior = x <- 1 rate = _r / 2 }",
        &["agent A", "  rate (/ _r 2)", "  Behavior = (x <- 1)"],
    );
    let expected = ["stigmergy S", "  link true", "  rate 3", "  tuple x: 0"];
    check_file("stigmergy S { link = true rate = 3 x: 0 }", &expected);
    check_file("stigmergy S { rate = 3; x: 0; link = true }", &expected);
}

/// The word is still a name wherever a variable can stand (`words` tries all places).
#[test]
fn a_variable_may_be_called_rate() {
    check_file(
        "agent A { rate = 2 interface = rate: 1 Behavior = rate = 1 -> rate <- rate + 1 @ 2 }",
        &["agent A", "  attr rate: 1", "  rate 2", "  Behavior = (-> (= rate 1) (@ (rate <- (+ rate 1)) 2))"],
    );
    check_file(
        "stigmergy S { link = true rate: 0 rate = 5 }",
        &["stigmergy S", "  link true", "  rate 5", "  tuple rate: 0"],
    );
}

#[test]
fn mistakes() {
    let agent = |text: &str| format!("agent A {{ {text} }}");
    check_errors(&agent("rate = 1 rate = 2 Behavior = Skip"), &[("E0106", "rate", "appears twice")]);
    check_errors(&agent("rate = Behavior = Skip"), &[("E0001", "Behavior", "expected an expression")]);
    check_errors(&agent("Behavior = Skip @ ; Skip"), &[("E0001", ";", "expected an expression")]);
    check_errors(&agent("Behavior = Skip @ 1 @ 2"), &[("E0001", "@", "expected `;`")]);
    check_errors(&agent("Behavior = @ 1"), &[("E0001", "@", "expected an expression")]);
    let found =
        check_errors(&agent("Behavior = { x <- 1 @ 2; y <- 1 }"), &[("E0001", "@", "expected `;` or `}`")]);
    assert!(found[0].help[0].contains("behind"), "{found:?}");
    // Decimal numbers are rates and nothing else.
    check_errors(&agent("Behavior = x <- 2.5"), &[("E0001", "2.5", "is not a number")]);
    check_errors(&agent("Behavior = rate = 2.5 -> Skip"), &[("E0001", "2.5", "is not a number")]);
    check_errors(&agent("Behavior = Skip @ 1 / 2.5"), &[("E0001", "2.5", "is not a number")]);
    check_errors(&agent("Behavior = Skip @ 2.5.1"), &[("E0001", "2.5.1", "is not a number")]);
    check_errors(&agent("Behavior = Skip @ 2.5x"), &[("E0001", "2.5x", "is not a number")]);
    check_errors("system { rate = 2 spawn = A: 1 }", &[("E0001", "rate", "expected")]);
}
