//! What is wrong with a script is said with a code, at its place, and in one run.

use swarmcheck_rcheck::{check, codes};

const PRELUDE: &str = "channels: c, d\nenum role {client, server}\nmessage-structure: MSG : role, N : 0..3\nproperty-variables: pv : role\n";

/// The codes and the text below each diagnostic, in order of position.
fn found(text: &str) -> Vec<(&'static str, String)> {
    let (_, found) = check(text);
    let below =
        |d: &swarmcheck_source::Diagnostic| text.get(d.primary.span.range()).unwrap_or("").to_string();
    // Most of these scripts use a part of what they declare.
    let told = |d: &&swarmcheck_source::Diagnostic| d.code != codes::UNUSED_VARIABLE;
    found.into_sorted().iter().filter(told).map(|d| (d.code, below(d))).collect()
}

/// A script with one agent type, whose parts and specifications are given.
fn says(locals: &str, command: &str, rest: &str, expected: &[(&str, &str)]) {
    let text = format!(
        "{PRELUDE}agent A\n local: {locals}\n init: true\n relabel: pv <- client\n receive-guard: chan == c\n repeat: {command}\n\
         system = A(one, true) || A(two, true)\n{rest}"
    );
    let expected: Vec<(&str, String)> =
        expected.iter().map(|(code, words)| (*code, words.to_string())).collect();
    assert_eq!(found(&text), expected, "{text}");
}

const FINE: &str = "go: {x} *! (@pv == client)(MSG := client)[x := !x]";

#[test]
fn names() {
    says("x : bool", FINE, "", &[]);
    says("x : bool, x : bool", FINE, "", &[(codes::DUPLICATE, "x")]);
    says("x : bool, server : bool", FINE, "", &[(codes::DUPLICATE, "server")]);
    says("x : bool, F : bool", FINE, "", &[(codes::RESERVED, "F")]);
    says("x : rol", "go: {true} *! (true)()[]", "", &[(codes::UNKNOWN, "rol")]);
    says("x : bool", "go: {y} *! (true)()[]", "", &[(codes::UNKNOWN, "y")]);
    says("x : bool", "go: {x} *! (true)(MGS := client)[]", "", &[(codes::UNKNOWN, "MGS")]);
    says("x : bool", "go: {x} *! (true)()[y := x]", "", &[(codes::UNKNOWN, "y")]);
    says("x : bool", FINE, "SPEC G three-x", &[(codes::UNKNOWN, "three")]);
    says("x : bool", FINE, "SPEC G one-y", &[(codes::UNKNOWN, "y")]);
    says("x : bool", FINE, "SPEC forall k : B . G k-x", &[(codes::UNKNOWN, "B")]);
    says("x : bool", FINE, "SPEC A1: G one-x\nSPEC A1: G two-x", &[(codes::DUPLICATE, "A1")]);
}

#[test]
fn types() {
    says("x : channel", "go: {x = client} *! (true)()[]", "", &[(codes::MISMATCH, "x = client")]);
    says("x : bool", "go: {x} *! (true)(MSG := c)[]", "", &[(codes::MISMATCH, "c")]);
    says("x : bool", "go: {x} x! (true)()[]", "", &[(codes::MISMATCH, "x")]);
    says("x : 0..2", "go: {x} *! (true)()[]", "", &[(codes::MISMATCH, "x")]);
    says("x : 0..2", "go: {true} *! (true)()[x := 3]", "", &[(codes::RANGE, "3")]);
    says("x : 2..0", "go: {true} *! (true)()[]", "", &[(codes::RANGE, "2..0")]);
    says("x : 0..2", "go: {x / x = 1} *! (true)()[]", "", &[(codes::UNSUPPORTED, "x")]);
}

/// An integer needs no initial value only if nobody can see the first one.
#[test]
fn integers_that_are_written_first() {
    let both = [(codes::UNFIXED, "one"), (codes::UNFIXED, "two")];
    says("x : int", "go: {true} *! (true)()[]", "", &[]);
    says("x : int", "go: {x > 0} *! (true)()[x := 1]", "", &both);
    says("x : int", "go: {true} *! (true)()[x := x + 1]", "", &both);
    says("x : int", "(go: {true} *! (true)()[x := 1]; on: {x > 0} *! (true)()[])", "", &[]);
    // The choice leads behind the assignment on a way around it.
    let around = "(go: {true} *! (true)()[x := 1] + by: {true} *! (true)()[]); on: {x > 0} *! (true)()[]";
    says("x : int", around, "", &both);
    // A loop comes back to the state before the assignment with a value; that does not matter.
    says("x : int", "(go: {true} *! (true)()[x := 1]; (rep (on: {x > 0} *! (true)()[])))", "", &[]);
    says("x : int", "go: {true} *! (true)()[x := 1]", "SPEC F two-x = 1", &[(codes::UNFIXED, "two")]);
}

#[test]
fn places() {
    says("x : bool", "go: {MSG = client} *! (true)()[]", "", &[(codes::PLACE, "MSG")]);
    says("x : bool", "go: {@pv = client} *! (true)()[]", "", &[(codes::PLACE, "@pv")]);
    says("x : bool", "go: {chan = c} *! (true)()[]", "", &[(codes::PLACE, "chan")]);
    says("x : bool", "go: {F x} *! (true)()[]", "", &[(codes::TEMPORAL, "F x")]);
    says("x : bool", "go: {<MSG = client> x} *! (true)()[]", "", &[(codes::TEMPORAL, "<MSG = client> x")]);
    says("x : bool", FINE, "SPEC G <pv = client> true", &[(codes::PLACE, "pv")]);
    // A send guard reads what its own message sets (definition 1), but nothing that it does not set.
    says("x : bool", "go: {x} *! (pv = MSG)(MSG := client)[x := !x]", "", &[]);
    says(
        "x : bool",
        "go: {x} *! (pv = MSG & N = 1)(MSG := client)[x := !x]",
        "",
        &[(codes::PLACE, "(pv = MSG & N = 1)")],
    );
    says("x : bool", "go: {x} *! (pv = MSG)()[x := !x]", "", &[(codes::PLACE, "(pv = MSG)")]);
    says("x : bool", "go: {true} GET@(pv = MSG)(MSG := client)[]", "", &[(codes::PLACE, "MSG")]);
    says("x : bool", FINE, "SPEC G (1 = (F one-x))", &[(codes::MISMATCH, "(1 = (F one-x))")]);
}

/// After a part that could not be read, the next one that can be is looked for; and what seems to be missing because of it is
/// not blamed on others. An error that has nothing to do with it is still told.
#[test]
fn recovery() {
    let syntax = swarmcheck_calculi::codes::SYNTAX;
    let script = |enumeration: &str, init: &str, guard: &str, command: &str| {
        format!(
            "channels: c, d\nenum {enumeration} {{client, server}}\nmessage-structure: MSG : role, LNK : channel\nproperty-variables: pv : role\n\
             agent A\n local: x : bool, link : channel\n init: {init}\n relabel: pv <- client\n receive-guard: {guard}\n repeat: {command}\n\
             agent B\n local: y : bool\n relabel: pv <- client\n repeat: {{y}} *! (pv = server)(MSG := client)[y := z]\n\
             system = A(one, x) || A(two, link = c) || B(three, y)\nSPEC G one-x\n"
        )
    };
    let codes_of = |text: String| {
        let codes: Vec<(&str, String)> = found(&text);
        codes.into_iter().map(|(code, below)| format!("{code} {below}")).collect::<Vec<String>>()
    };
    let fine = "{x} *! (true)()[]";
    let independent = format!("{} z", codes::UNKNOWN);
    let check = |text: String, expected: &[&str]| assert_eq!(codes_of(text.clone()), expected, "{text}");
    check(script("role", "x", "chan = c", fine), &[&independent]);
    // Inside an agent: in each of its sections, and in two of them. A word with a colon that begins the next section is no
    // operand of `&` or `=`; and a guard must be closed before `*!`, which is a send.
    let (colon, send) = (format!("{syntax} :"), format!("{syntax} *"));
    let (relabel, repeat) = (format!("{syntax} relabel"), format!("{syntax} repeat"));
    check(script("role", "x &", "chan = c", fine), &[&relabel, &independent]);
    check(script("role", "x", "chan = ", fine), &[&repeat, &independent]);
    check(script("role", "x", "chan = c", "{x *! ()[]"), &[&send, &independent]);
    check(script("role", "x &", "chan = c", "{x *! ()[]"), &[&relabel, &send, &independent]);
    check(
        script("role", "x", "chan = c", "{x} *! (true)()[] {x} *! (true)()[]"),
        &[&format!("{syntax} {{"), &independent],
    );
    // A declaration: nobody is blamed for using what it would have declared.
    check(script("role :", "x", "chan = c", fine), &[&colon]);
}

/// Inside its agent, a variable that is called like an agent or an agent type is the variable.
#[test]
fn variables_called_like_agents() {
    says(
        "one : bool, A : 0..2, x : bool",
        "go: {one & A = 1} *! (true)()[x := one]",
        "SPEC G one-one\nSPEC G one-x",
        &[],
    );
    says("one : bool, x : location", "go: {x = one} *! (true)()[]", "", &[(codes::MISMATCH, "x = one")]);
}

/// What to do about property variables with too many values depends on what they are.
#[test]
fn too_many_properties() {
    let help = |ty: &str| {
        let text = format!(
            "property-variables: p : 0..63, q : {ty}\nagent A\n local: x : bool\n relabel: p <- 1\n q <- 1\n repeat: {{x}} *! (true)()[]\n\
             system = A(one, true)\nSPEC G <exists(p = 1 & q = 1)> true"
        );
        let (_, found) = check(&text);
        let one = |d: &swarmcheck_source::Diagnostic| (d.code, d.message.clone(), d.help.clone());
        found.into_sorted().iter().map(one).collect::<Vec<_>>()
    };
    // 64 times 64 values are exactly as many as can be looked at.
    assert_eq!(help("0..63"), []);
    let said = help("0..64");
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(
        said[0].0 == codes::UNSUPPORTED
            && said[0].1.contains("4160")
            && format!("{:?}", said[0].2).contains("4096")
    );
    assert!(format!("{:?}", help("int")[0].2).contains("give `q` a range"));
}

#[test]
fn warnings() {
    says("x : 0..2", "go: {x = 5} *! (true)()[]", "", &[(codes::CONSTANT, "x = 5")]);
    says("x : 0..2", "go: {x != x} *! (true)()[]", "", &[(codes::CONSTANT, "x != x")]);
    let mixed = "one-x | two-x & one-x";
    says("x : bool", FINE, &format!("SPEC G ({mixed})"), &[(codes::PRECEDENCE, &format!("G ({mixed})"))]);
    says("x : bool", FINE, "SPEC G (one-x & two-x | one-x -> two-x)", &[]);
    says("x : bool", FINE, "SPEC F one-x & (G two-x)", &[(codes::PRECEDENCE, "F one-x & (G two-x)")]);
    says("x : bool", FINE, "SPEC (F one-x) & (G two-x)", &[]);
}

/// Of `a | b & c` the second operator binds tighter, and implications group to the right.
#[test]
fn precedence() {
    let meaning = |formula: &str| {
        let text = format!(
            "{PRELUDE}agent A\n local: x : bool\n relabel: pv <- client\n repeat: {FINE}\nsystem = A(one, true) || A(two, true)\nSPEC {formula}"
        );
        check(&text).0.unwrap_or_else(|| panic!("{text}")).specs[0].formula.clone()
    };
    for (short, long) in [
        ("one-x | two-x & one-x", "one-x | (two-x & one-x)"),
        ("one-x -> two-x -> one-x", "one-x -> (two-x -> one-x)"),
        ("F one-x & G two-x", "(F one-x) & (G two-x)"),
        ("G one-x -> F two-x | X one-x", "(G one-x) -> ((F two-x) | (X one-x))"),
        ("one-x & two-x U two-x", "one-x & (two-x U two-x)"),
        ("!one-x = two-x", "(!one-x) = two-x"),
        ("/\\ k : A . F k-x", "(F one-x) & (F two-x)"),
    ] {
        assert_eq!(meaning(short), meaning(long), "{short}");
    }
    assert_ne!(meaning("one-x | two-x & one-x"), meaning("(one-x | two-x) & one-x"));
}

#[test]
fn both_spellings() {
    let ours = "channels: c\nmessage-structure: M : bool\nproperty-variables: p : bool\nagent A\n local: x : bool\n init: x\n relabel: p <- x\n \
                receive-guard: chan == c\n repeat: (a: {x} c! (@p)(M := true)[x := false] + b: {M} c? [x := true])\nsystem = A(k, true) || A(l, true)\n\
                SPEC G ([sender = k & M] F l-x)";
    let theirs = "enum channel {c}\nmessage-structure: M : bool\ncommunication-variables: p : bool\nagent A\n local: x : bool\n init: x\n relabel: p <- x\n \
                  receive-guard: ch = c\n repeat: (a: <x> c! (p)(M := TRUE)[x := FALSE] + b: <M> c? [x := TRUE])\nsystem = A(k, TRUE) | A(l, TRUE)\n\
                  LTOL G ([[sender == k && M]] F l-x);";
    let read = |text: &str| check(text).0.unwrap_or_else(|| panic!("{text}\n{:?}", check(text).1));
    let (one, other) = (read(ours), read(theirs));
    assert_eq!(format!("{:?}", one.specs[0].formula), format!("{:?}", other.specs[0].formula));
    assert_eq!(one.observations, other.observations);
    let acts = |s: &swarmcheck_rcheck::Specification| {
        s.agents[0]
            .commands
            .iter()
            .map(|c| format!("{:?} {:?} {:?}", c.guard, c.act, c.update))
            .collect::<Vec<_>>()
    };
    assert_eq!(acts(&one), acts(&other));
    assert_eq!(one.agents[0].receive_guard, other.agents[0].receive_guard);
}

/// No text makes the checker panic: a script cut off anywhere, and with any character missing.
#[test]
fn broken_scripts_are_refused_calmly() {
    let text = include_str!("../../../examples/rcheck-rating/rating.rcp");
    for (at, c) in text.char_indices() {
        check(&text[..at]);
        let without = format!("{}{}", &text[..at], &text[at + c.len_utf8()..]);
        check(&without);
    }
}

/// Guards that call each other, and operators that write an operand twice, cannot grow without end.
#[test]
fn what_grows_too_large_is_refused() {
    let mut text = "channels: c\nguard g0(b : bool) := b;\n".to_string();
    for n in 1..19 {
        text += &format!("guard g{n}(b : bool) := g{m}(b) & g{m}(b) & g{m}(b);\n", m = n - 1);
    }
    text += "agent A\n local: x : bool\n repeat: {g18(x)} *! (true)()[]\nsystem = A(one, true)\n";
    assert!(found(&text).iter().any(|(code, _)| *code == codes::TOO_LARGE));
    let deep = (0..40).fold("F one-x".to_string(), |inner, _| format!("(one-x <-> ({inner}))"));
    let script = format!(
        "agent A\n local: x : bool\n repeat: {{x}} *! (true)()[]\nsystem = A(one, true)\nSPEC {deep}"
    );
    assert!(found(&script).iter().any(|(code, _)| *code == codes::TOO_LARGE));
}

/// Long chains and deep nesting end in a diagnostic, or are read; never in an overflow of the stack.
#[test]
fn long_and_deep_expressions() {
    let guard = |e: String| {
        format!(
            "agent A\n local: x : bool, n : 0..3\n repeat: {{{e}}} *! (true)()[]\nsystem = A(one, true)\n"
        )
    };
    let codes_of = |text: &str| found(text).iter().map(|(code, _)| *code).collect::<Vec<_>>();
    for more in [" & x", " | x"] {
        assert_eq!(codes_of(&guard(format!("x{}", more.repeat(20_000)))), Vec::<&str>::new());
    }
    let deep = swarmcheck_calculi::codes::DEPTH;
    for text in [
        guard(format!("x{}", " -> x".repeat(20_000))),
        guard(format!("n{} = 1", " + 1".repeat(20_000))),
        guard(format!("n{} = 1", " * 1".repeat(20_000))),
        guard(format!("{}x{}", "(".repeat(20_000), ")".repeat(20_000))),
        guard(format!("{}x{}", "(".repeat(190), " -> x -> x -> x)".repeat(190))),
        guard(format!("{}x", "!".repeat(20_000))),
        format!("agent A\n repeat: {}", "rep ".repeat(20_000)),
    ] {
        assert!(codes_of(&text).contains(&deep), "{:?}", codes_of(&text));
    }
}
