//! Mistakes of people who come from other languages: one error each, at its place, with a way out.

use swarmcheck_rcheck::{check, codes};

const SYNTAX: &str = swarmcheck_calculi::codes::SYNTAX;

const MODEL: &str = "channels: c
message-structure: M : 0..3
property-variables: near : bool
agent Sender
  local: x : 0..3
  init: x = 0
  relabel: near <- true
  repeat: go: {x < 3} c! (@near)(M := x)[x := x + 1] + stop: {x = 3} *! (true)()[]
agent Receiver
  local: y : 0..3
  init: y = 0
  relabel: near <- true
  receive-guard: chan = c
  repeat: got: {true} c? [y := M]
system = Sender(s1, true) || Receiver(r1, true)
SPEC F r1-got
";

/// Changes the model, and compares everything that is said about it: code, text below, and a part of the help.
fn says(before: &str, after: &str, expected: &[(&str, &str, &str)]) {
    assert!(MODEL.contains(before), "{before}");
    let text = MODEL.replace(before, after);
    let (_, found) = check(&text);
    let list = found.into_sorted();
    let said: Vec<(&str, &str, String)> = list
        .iter()
        .map(|d| (d.code, text.get(d.primary.span.range()).unwrap_or(""), d.help.join("; ")))
        .collect();
    assert_eq!(said.len(), expected.len(), "{after}: {list:#?}");
    for ((code, below, help), (wanted, place, way)) in said.iter().zip(expected) {
        assert_eq!((code, below), (wanted, place), "{after}: {list:#?}");
        assert!(help.contains(way), "{after}: {help}");
    }
}

#[test]
fn the_model_is_fine() {
    assert!(check(MODEL).1.is_empty(), "{:?}", check(MODEL).1);
}

#[test]
fn operators_of_other_languages() {
    for (word, sign) in
        [("eventually", "F"), ("finally", "F"), ("always", "G"), ("sometime", "F"), ("not", "!")]
    {
        says("F r1-got", &format!("{word} r1-got"), &[(SYNTAX, word, &format!("write `{sign}`"))]);
        says("F r1-got", &format!("G ({word} (r1-got))"), &[(SYNTAX, word, &format!("write `{sign}`"))]);
    }
    for (word, sign) in [("and", "&"), ("or", "|"), ("implies", "->"), ("weakuntil", "W")] {
        says("F r1-got", &format!("r1-got {word} s1-go"), &[(SYNTAX, word, &format!("write `{sign}`"))]);
    }
    says("F r1-got", "G always(r1-got)", &[(codes::UNKNOWN, "always", "write `G`")]);
    // They are no reserved words.
    says("x", "always", &[]);
    says("F r1-got", "F r1-got s1-go", &[(SYNTAX, "s1", "")]);
}

/// All languages have the same words for temporal operators; those that are not reserved stay names where no operand follows.
#[test]
fn temporal_operators_of_all_languages() {
    let formulas = |text: &str| {
        let (spec, found) = check(&MODEL.replace("F r1-got", text));
        assert!(found.is_empty(), "{text}: {found:?}");
        spec.expect("no errors").specs.iter().map(|spec| spec.formula.clone()).collect::<Vec<_>>()
    };
    for (text, same) in [
        ("[] r1-got", "G r1-got"),
        ("[](r1-got)", "G (r1-got)"),
        ("globally r1-got", "G r1-got"),
        ("<> [] r1-got", "F G r1-got"),
        ("<>(r1-got)", "F (r1-got)"),
        ("next r1-got", "X r1-got"),
        ("![] r1-got", "!G r1-got"),
        ("!next (r1-got)", "!X (r1-got)"),
        ("next [] r1-got", "X G r1-got"),
        ("r1-got until s1-go", "r1-got U s1-go"),
        ("r1-got unless <> s1-go", "r1-got W F s1-go"),
        ("r1-got release s1-go", "r1-got R s1-go"),
        ("r1-got releases s1-go", "r1-got R s1-go"),
        ("r1-got V s1-go", "r1-got R s1-go"),
    ] {
        assert_eq!(formulas(text), formulas(same), "{text}");
    }
    for name in ["next", "globally", "until", "unless", "release", "V"] {
        says("x", name, &[]);
    }
}

#[test]
fn a_dot_instead_of_a_hyphen() {
    says("F r1-got", "F r1.got", &[(SYNTAX, ".", "write `r1-got`")]);
    says(
        "F r1-got",
        "F (r1.y = 1 & s1.x = 2)",
        &[(SYNTAX, ".", "write `r1-y`"), (SYNTAX, ".", "write `s1-x`")],
    );
}

#[test]
fn something_missing_between_or_after_commands() {
    says(" + stop:", " stop:", &[(SYNTAX, "stop", "write `+`")]);
    says(" + stop: {x = 3}", "\n  {x = 3}", &[(SYNTAX, "{", "write `+`")]);
    // Two errors that have nothing to do with each other are both told.
    says(
        "[x := x + 1] + stop:",
        "[z := x] stop:",
        &[(codes::UNKNOWN, "z", ""), (SYNTAX, "stop", "write `+`")],
    );
    says("(true)()[]", "(true)()", &[(SYNTAX, "", "write `[]`")]);
    says("[x := x + 1] + stop", " + stop", &[(SYNTAX, "", "write `[]`")]);
    says("c? [y := M]", "c?", &[(SYNTAX, "", "write `[]`")]);
}

#[test]
fn variables_of_other_agents() {
    says("{x < 3}", "{y < 3}", &[(codes::UNKNOWN, "y", "let `Receiver` send it")]);
    says("{x < 3}", "{r1-y < 3}", &[(codes::PLACE, "r1-y", "send its value in a message")]);
    says("F r1-got", "G <r1-y = 1> true", &[(codes::PLACE, "r1-y", "outside the brackets")]);
    let guard = "channels: c\nguard small() := x < 3;\n";
    says("channels: c\n", guard, &[(codes::UNKNOWN, "x", "give the guard a parameter for `x`")]);
    // A misspelling of an own variable is something else.
    says("{x < 3}", "{xx < 3}", &[(codes::UNKNOWN, "xx", "did you mean `x`?")]);
}

#[test]
fn variables_that_nothing_uses() {
    says("M : 0..3", "M : 0..3, Extra : bool", &[(codes::UNUSED_VARIABLE, "Extra", "or remove it")]);
    says("(@near)", "(true)", &[(codes::UNUSED_VARIABLE, "near", "send guard")]);
    // What only an observation reads is used.
    let text = MODEL.replace("M : 0..3", "M : 0..3, Extra : bool") + "SPEC G [Extra] true\n";
    assert!(check(&text).1.is_empty());
}

#[test]
fn the_same_name_twice() {
    says("stop:", "go:", &[(codes::DUPLICATE, "go", "another label")]);
    says("stop:", "x:", &[(codes::DUPLICATE, "x", "another label")]);
    let with = |rest: &str| format!("channels: c\n{rest}");
    says("channels: c\n", &with("enum word {stop, halt}\n"), &[(codes::DUPLICATE, "stop", "another label")]);
    says("channels: c\n", &with("enum stop {word, halt}\n"), &[(codes::DUPLICATE, "stop", "another label")]);
    says(
        "channels: c\n",
        &with("guard g(a : bool, b : int, a : bool) := a;\n"),
        &[(codes::DUPLICATE, "a", "")],
    );
    // Both places are shown.
    let text = MODEL.replace("stop:", "go:");
    let list = check(&text).1.into_sorted();
    assert_eq!(list[0].secondary.len(), 1, "{list:?}");
}

#[test]
fn comparisons_that_types_decide() {
    for (comparison, always) in [
        ("x >= 0", true),
        ("x < 4", true),
        ("x > 3", false),
        ("x = 4", false),
        ("4 != x", true),
        ("x <= -1", false),
    ] {
        let text = MODEL.replace("{x < 3}", &format!("{{{comparison}}}"));
        let list = check(&text).1.into_sorted();
        let said: Vec<(&str, &str)> = list.iter().map(|d| (d.code, d.message.as_str())).collect();
        assert_eq!(
            said,
            [(codes::CONSTANT, format!("this comparison is always {always}").as_str())],
            "{comparison}"
        );
    }
    for open in ["x >= 1", "x < 3", "x <= 0", "x + 1 > 0"] {
        assert!(check(&MODEL.replace("{x < 3}", &format!("{{{open}}}"))).1.is_empty(), "{open}");
    }
    says("F r1-got", "G (r1-y <= 3)", &[(codes::CONSTANT, "(r1-y <= 3)", "")]);
}

/// What the authors accept, in one script: no piece of it makes the checker panic.
#[test]
fn accepted_and_broken_calmly() {
    let text = "channels: ch\nmessage-structure: N : 0..2\ncommunication-variables:\nagent A\n local: n : int\n init: n == 1 | n == 2\n repeat: (\n\
                tell: <n > 0> ch! (TRUE)(N := n)[n := n - 1] + ask: <n < 1> GET@(TRUE)()[keep-all] + (rep (hear: <N > 0> ch? [])) + give: {TRUE} SUPPLY@TRUE ()[])\n\
                system = A(one, TRUE) | A(two, TRUE)\nSPEC forall k : Agent . G ([sender = k-name & exists(exists(TRUE))] k-name != two | !k-tell & enabled(k-ask))\n\
                SPEC G one-tell -> F two-hear & one-ask\n";
    let (spec, found) = check(text);
    assert!(spec.is_some(), "{found:?}");
    for (at, c) in text.char_indices() {
        check(&text[..at]);
        check(&format!("{}{}", &text[..at], &text[at + c.len_utf8()..]));
        for other in ["rep ", "+", "<", ">", "G ", "->", "-", "keep-all", "enabled(", "."] {
            check(&format!("{}{other}{}", &text[..at], &text[at..]));
        }
    }
}

#[test]
fn enabled_needs_a_send_or_get() {
    says("F r1-got", "F enabled(s1-go)", &[]);
    says("F r1-got", "F enabled(r1-got)", &[(codes::PLACE, "r1-got", "was just taken")]);
    says("F r1-got", "F enabled(s1-x)", &[(codes::PLACE, "s1-x", "enabled(k-label)")]);
    says("F r1-got", "F enabled(s1-go, s1-stop)", &[(codes::ARGUMENTS, "enabled", "enabled(k-label)")]);
    says("F r1-got", "G <enabled(s1-go)> true", &[(codes::PLACE, "enabled", "")]);
    says("{x < 3}", "{enabled(s1-go)}", &[(codes::PLACE, "enabled", "")]);
    // A guard may have this name.
    says("channels: c\n", "channels: c\nguard enabled(b : bool) := b;\n", &[]);
}
