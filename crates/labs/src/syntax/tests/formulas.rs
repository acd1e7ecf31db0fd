//! Formulas of linear time: precedence, spellings, words that are also names, and mistakes.

use super::*;
use crate::syntax::ast::{Formula, FormulaNode, StepWord};

/// A formula in prefix notation.
pub fn formula(f: &Formula) -> String {
    match &f.node {
        FormulaNode::Predicate(e) => expr(e),
        FormulaNode::Step(agent, word) => {
            let word = match word {
                StepWord::Acts => "acts",
                StepWord::CanAct => "can-act",
                StepWord::Sends => "sends",
                StepWord::CanSend => "can-send",
            };
            format!("({word} {})", expr(agent))
        }
        FormulaNode::Delivered(_) => "DELIVERED".into(),
        FormulaNode::Not(a) => format!("(! {})", formula(a)),
        FormulaNode::And(parts) => format!("(and {})", list(parts, formula, " ")),
        FormulaNode::Or(parts) => format!("(or {})", list(parts, formula, " ")),
        FormulaNode::Implies(a, b) => format!("(-> {} {})", formula(a), formula(b)),
        FormulaNode::Unary(operator, a) => {
            let operator = format!("{operator:?}");
            format!("({} {})", &operator[..1], formula(a))
        }
        FormulaNode::Binary(operator, a, b) => {
            let operator = format!("{operator:?}");
            format!("({operator} {} {})", formula(a), formula(b))
        }
        FormulaNode::Quantified(q, kind, agent, body) => {
            format!("({q:?} {} {} {})", kind.text, agent.text, formula(body))
        }
        FormulaNode::Error => "ERROR".into(),
    }
}

fn check(input: &str, expected: &str) {
    check_file(&format!("check {{ P = ltl {input} }}"), &[&format!("check P ltl {expected} true")]);
}

#[test]
fn precedence() {
    check("G x = 1", "(G (= x 1))");
    check("G F x = 1", "(G (F (= x 1)))");
    check("G x = 1 and y = 2", "(and (G (= x 1)) (= y 2))");
    check("x = 1 U y = 2 and z = 3", "(and (Until (= x 1) (= y 2)) (= z 3))");
    check("x U y U z", "(Until x (Until y z))");
    check("x R y W z", "(Release x (Unless y z))");
    check("x or y and z", "(or x (and y z))");
    check("x or y or z", "(or x y z)");
    check("x -> y -> z", "(-> x (-> y z))");
    check("x or y -> z and x", "(-> (or x y) (and z x))");
    check("!x U y", "(Until (! x) y)");
    check("! x = 1", "(! (= x 1))");
    check("! G x", "(! (G x))");
    check("X x + 1 = 2", "(N (= (+ x 1) 2))");
    check("-x < 1 -> F -x = 2", "(-> (< (- x) 1) (F (= (- x) 2)))");
}

#[test]
fn parentheses_belong_to_formulas_or_to_numbers() {
    check("(x + 1) * 2 = y U (y = 1 and F z)", "(Until (= (* (+ x 1) 2) y) (and (= y 1) (F z)))");
    check("((x = 1)) -> ((y))", "(-> (= x 1) y)");
    check("(x -> y) and (x = 1 or y)", "(and (-> x y) (or (= x 1) y))");
    check("G (x[0] = 1 -> (F (x[1] = 2)))", "(G (-> (= x[0] 1) (F (= x[1] 2))))");
    check("(count K a, x of a = 1) > 2 U y", "(Until (> (count K a (= x@a 1)) 2) y)");
    check("if x = 1 then y = 2 else z = 3", "(if (= x 1) (= y 2) (= z 3))");
}

/// All words and signs, in all languages the same.
#[test]
fn spellings() {
    for word in ["G", "[]", "globally"] {
        check(&format!("{word} x"), "(G x)");
        check(&format!("{word} {word} !x"), "(G (G (! x)))");
    }
    for word in ["F", "<>"] {
        check(&format!("{word} x"), "(F x)");
    }
    for word in ["X", "next"] {
        check(&format!("{word} x"), "(N x)");
    }
    for (word, name) in [
        ("U", "Until"),
        ("until", "Until"),
        ("R", "Release"),
        ("V", "Release"),
        ("release", "Release"),
        ("releases", "Release"),
        ("W", "Unless"),
        ("unless", "Unless"),
    ] {
        check(&format!("x {word} y"), &format!("({name} x y)"));
        check(&format!("(x = 1) {word} (y)"), &format!("({name} (= x 1) y)"));
    }
    check("[]<> x", "(G (F x))");
    check("[](x -> <>(y))", "(G (-> x (F y)))");
    check("not x", "(! x)");
}

/// Operators may be names where no operand can follow them, and kinds may be called like operators.
#[test]
fn words_that_are_names() {
    check("next = 1 and X next[0] = 2", "(and (= next 1) (N (= next[0] 2)))");
    check("next of a until until", "(Until next@a until)");
    check("next and globally", "(and next globally)");
    check("G (next)", "(G next)");
    check("next next", "(N next)");
    check("forall G a, F x of a = 1", "(Forall G a (F (= x@a 1)))");
    check("delivered = 1 or delivered", "(or (= delivered 1) DELIVERED)");
    check("delivered and delivered or a acts", "(or (and DELIVERED DELIVERED) (acts a))");
    check("G (next - 1 = 0)", "(G (= (- next 1) 0))");
    check("ltl = 1", "(= ltl 1)");
    check("agent = 1 and agent 0 acts", "(and (= agent 1) (acts 0))");
    check("can = 1 and sends of a = 2", "(and (= can 1) (= sends@a 2))");
    // The name of a property.
    check_file(
        "check { P = ltl F x U = always y = 1 }",
        &["check P ltl (F x) true", "check U always (= y 1)"],
    );
    check_file("check { P = always ltl = 1 }", &["check P always (= ltl 1)"]);
}

#[test]
fn quantifiers_reach_far_and_stay_predicates_if_they_can() {
    check("forall K a, G x of a = 1 or y", "(Forall K a (or (G (= x@a 1)) y))");
    check("G forall K a, x of a = 1 and y", "(G (forall K a (and (= x@a 1) y)))");
    check("G (forall K a, x of a = 1) and F y", "(and (G (forall K a (= x@a 1))) (F y))");
    check(
        "forall K a, exists J b, x of a = y of b U a acts",
        "(Forall K a (Exists J b (Until (= x@a y@b) (acts a))))",
    );
    check("exists K a, (x of a = 1)", "(exists K a (= x@a 1))");
}

#[test]
fn steps() {
    check("forall K a, G (a can act -> F a acts)", "(Forall K a (G (-> (can-act a) (F (acts a)))))");
    check("agent 0 sends or agent _n can send", "(or (sends 0) (can-send _n))");
    check("agent (_n - 1) acts", "(acts (- _n 1))");
    check("G !delivered", "(G (! DELIVERED))");
    check(
        "(forall K a, a acts) and (exists K a, (a sends))",
        "(and (Forall K a (acts a)) (Exists K a (sends a)))",
    );
}

#[test]
fn mistakes() {
    let wrong = |input: &str, place: &str, message: &str, help: &str| {
        let text = format!("check {{ {input} }}");
        let found = check_errors(&text, &[("E0001", place, message)]);
        assert!(found[0].help.iter().any(|h| h.contains(help)), "{input}: {:?}", found[0].help);
    };
    wrong("P = G x = 1", "G", "expected a modality", "begins with `ltl`");
    wrong("P = [] x = 1", "[", "expected a modality", "begins with `ltl`");
    wrong("P = lt G x = 1", "lt", "expected a modality", "did you mean `ltl`?");
    wrong("P = always x = 1 U y = 2", "U", "expected an operator", "temporal operators stand in formulas");
    wrong("P = always F y = 2", "F", "expected an expression", "temporal operators stand in formulas");
    wrong("P = always forall K a, a acts", "acts", "expected an operator", "said in formulas");
    wrong("P = ltl U x", "U", "expected a formula", "stand between two formulas");
    wrong("P = ltl Q x", "Q", "expected a formula", "temporal operators are");
    wrong("P = ltl x => y", "=>", "expected an operator", "`->`");
    wrong("P = ltl x || y", "||", "expected an operator", "`or`");
    wrong("P = ltl x <> y", "<>", "expected an operator", "`!=`");
    wrong("P = ltl (G x) + 1 = 2", "+", "expected an operator", "only numbers");
    wrong("P = ltl forall K a, G a act", "act", "expected an operator", "`a acts`");
    wrong("P = ltl agent 0 moves", "moves", "expected `acts`", "`can act`");
    wrong("P = ltl count K a, a acts", "count", "expected a formula", "only agents with a predicate");
    check_errors("check { P = ltl }", &[("E0001", "}", "expected an expression")]);
    check_errors("check { P = ltl G }", &[("E0001", "}", "expected an expression")]);
    check_errors("check { P = ltl G (x U) Q = always y }", &[("E0001", ")", "expected an expression")]);
    // Elsewhere the sign is that of another language.
    check_errors("check { P = always x <> y }", &[("E0008", "<>", "no operator")]);
}

/// Depth and length are bounded by messages, not by the stack.
#[test]
fn nothing_is_too_deep() {
    for text in [
        "G ".repeat(20_000),
        "!".repeat(20_000),
        "(".repeat(20_000),
        "x U ".repeat(20_000),
        "x -> ".repeat(20_000),
        "forall K a, ".repeat(20_000),
        "[]".repeat(10_000),
        "x W (".repeat(10_000),
    ] {
        let (_, found) = parse(&format!("check {{ P = ltl {text} x }}"));
        assert!(found.has_errors(), "{}", &text[..12]);
    }
    let wide = "x = 1 and ".repeat(20_000);
    let (_, found) = parse(&format!("check {{ P = ltl G ({wide} F y) }}"));
    assert!(!found.has_errors());
}
