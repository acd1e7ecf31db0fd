//! Mistakes: every independent one is reported, and none twice.

use super::*;

#[test]
fn nothing_at_all() {
    check_errors("", &[("E0005", "", "no specification")]);
    check_errors("  # only a comment\n", &[("E0005", "", "no specification")]);
    check_errors("@", &[("E0002", "@", "`@`")]);
}

#[test]
fn unknown_sections() {
    let found = check_errors(
        "agnet A { Behavior = Skip }",
        &[("E0001", "agnet", "expected a section, found `agnet`")],
    );
    assert_eq!(found[0].help, ["did you mean `agent`?"]);
    assert_eq!(parse("agnet A { Behavior = Skip }").0.agents.len(), 1);
    let (f, d) = parse("foo bar { x } } agent A { Behavior = Skip }");
    assert_eq!((f.agents.len(), codes(d)), (1, vec!["E0001", "E0001"]));
    check_errors("agent { }", &[("E0001", "{", "expected the name of a kind of agents")]);
    check_errors("agent bird { }", &[("E0001", "bird", "found `bird`")]);
    check_errors("system extern = _n agent A { }", &[("E0001", "extern", "expected `{`")]);
}

#[test]
fn independent_errors_are_all_reported() {
    check_errors(
        "system { extern = n; spawn = A 3 }
         stigmergy S { link = x of < 3; a = 0; b: }
         agent A {
           interface = x: ; y 0; z: 1
           One = x <- ; y <- 2 +; z <- 3
           Two = (x <- (1 + ) * 2 ++ Skip Skip) ; ++ y
           Three = Skip
         }
         check { P = forall A a, x of a; Q = alwys x; R = always x = ; T = always true }",
        &[
            ("E0001", "n", "expected a parameter"),
            ("E0001", "3", "expected `:`"),
            ("E0001", "<", "an agent after `of`"),
            ("E0001", "=", "expected `:`"),
            ("E0001", "}", "expected an expression"),
            ("E0001", ";", "expected an expression"),
            ("E0001", "0", "expected `:`"),
            ("E0001", ";", "expected an expression"),
            ("E0001", ";", "expected an expression"),
            ("E0001", ")", "expected an expression"),
            ("E0001", "Skip", "expected `;`"),
            ("E0001", "++", "expected a process"),
            ("E0001", "y", "expected a process"),
            ("E0001", "forall", "expected a modality"),
            ("E0001", "alwys", "expected a modality"),
            ("E0001", ";", "expected an expression"),
        ],
    );
}

#[test]
fn what_was_fine_survives() {
    let (f, _) = parse(
        "system { extern = _a, 5, spawn = A: 1 }
         agent A { interface = x: 0; y: *; z: 1 Behavior = x <- 1; y <- ; z <- 2 Move = Skip }",
    );
    assert_eq!(
        file(&f),
        "system\n  extern a\n  spawn A 1\nagent A\n  attr x: 0\n  attr z: 1\n  \
         Behavior = (; (x <- 1) ERROR (z <- 2))\n  Move = Skip"
    );
}

#[test]
fn brackets_that_are_never_closed() {
    let found = check_errors(
        "agent A { Behavior = (x <- 1; Skip } check { }",
        &[("E0009", "(", "`(` is never closed")],
    );
    assert_eq!(found[0].secondary.len(), 1);
    check_errors("agent A { Behavior = Skip check { }", &[("E0009", "{", "`{` is never closed")]);
    check_errors("agent A { Behavior = Skip", &[("E0009", "{", "`{` is never closed")]);
    check_errors("agent A { Behavior = x[1 <- 2; y <- 3 }", &[("E0009", "[", "`[` is never closed")]);
    check_errors("agent A { Behavior = x <- abs(1; y <- 3 }", &[("E0009", "(", "`(` is never closed")]);
    check_errors(
        "agent A { Move = { x <- 1; y <- 2 Behavior = Move }",
        &[("E0009", "{", "`{` is never closed")],
    );
    check_errors(
        "agent A { Move = (x <- 1 Behavior = Move } check { }",
        &[("E0009", "(", "`(` is never closed")],
    );
    check_errors(
        "agent A { Move = (x <- (1 + Behavior = Move }",
        &[("E0009", "(", "never"), ("E0009", "(", "never")],
    );
    check_errors("agent A { Behavior = ({ x <- 1; ) }", &[("E0009", "{", "`{` is never closed")]);
    check_errors(
        "agent A { Behavior = Skip) } }",
        &[("E0001", ")", "closes nothing"), ("E0001", "}", "closes nothing")],
    );
    check_errors("agent A { Behavior = Skip } }}}", &[("E0001", "}", "closes nothing")]);
}

#[test]
fn reserved_words() {
    let found = check_errors(
        "system { environment = id: 1; spawn = A: 1 }
         agent A { interface = max: 0, undef[3]: 1; or: 2, not: 3
           Skip = Nil
           Behavior = id <- 3; max <- 1; x <- min + 1 }",
        &[
            ("E0007", "id", "reserved"),
            ("E0007", "max", "reserved"),
            ("E0007", "undef", "reserved"),
            ("E0007", "or", "reserved"),
            ("E0007", "not", "reserved"),
            ("E0007", "Skip", "reserved"),
            ("E0007", "id", "cannot be assigned"),
            ("E0007", "max", "reserved"),
            ("E0007", "min", "reserved"),
        ],
    );
    assert!(found.iter().all(|d| !d.primary.message.is_empty()));
}

#[test]
fn repeated_parts_are_joined() {
    let text = "system { extern = _a extern = _b spawn = A: 1; spawn = B: 2 }";
    check_errors(text, &[("E0106", "extern", "appears twice"), ("E0106", "spawn", "appears twice")]);
    assert_eq!(file(&parse(text).0), "system\n  extern a\n  extern b\n  spawn A 1\n  spawn B 2");
    check_errors("stigmergy S { link = true link = false }", &[("E0106", "link", "appears twice")]);
}

fn process_errors(body: &str, expected: &[(&str, &str, &str)]) -> Vec<Diagnostic> {
    check_errors(&in_agent(body), expected)
}

#[test]
fn in_processes() {
    process_errors("", &[("E0001", "}", "expected a process, found `}`")]);
    process_errors("()", &[("E0001", ")", "expected a process, found `)`")]);
    process_errors("x <- 1 y <- 2", &[("E0001", "y", "expected `;`, `++`, `||` or the end")]);
    process_errors("x = 1; y <- 2", &[("E0001", ";", "expected `->` or `=>` after the condition")]);
    process_errors("(x = 1); Skip", &[("E0001", ")", "expected `->` or `=>`")]);
    process_errors("x, y = 1, 2; Skip", &[("E0001", "=", "expected `<-`, `<~`, `<--` or `:=`")]);
    process_errors("x of y <- 2; Skip", &[("E0001", "<-", "`<-` is an assignment")]);
    process_errors("x = 1 || y = 2 -> Skip", &[("E0001", "||", "expected `->`")]);
    process_errors("Skip, Skip", &[("E0001", ",", "expected `;`")]);
    process_errors(
        "Skip -> Skip; x <-",
        &[("E0001", "->", "expected `;`"), ("E0001", "}", "expected an expression")],
    );
    process_errors("(Skip ++ ) ++ (; Skip)", &[("E0001", ")", "a process"), ("E0001", ";", "a process")]);
    let found = process_errors("x <-1 -> Skip", &[("E0001", "<-", "`<-` is an assignment")]);
    assert_eq!(found[0].help, ["for 'less than minus' put a space: `< -1`"]);
    let found = process_errors("y = 2 and x <-1 -> Skip", &[("E0001", "<-", "`<-` is an assignment")]);
    assert_eq!(found[0].help, ["for 'less than minus' put a space: `< -1`"]);
}

#[test]
fn in_blocks() {
    process_errors("{ }", &[("E0001", "}", "expected an assignment")]);
    process_errors(
        "{ Skip; x <- 1; Move; y = 1 -> y <- 2; { z <- 1 } }",
        &[
            ("E0001", "Skip", "a block contains only assignments"),
            ("E0001", "Move", "a block contains only assignments"),
            ("E0001", "y", "a block contains only assignments"),
            ("E0001", "{", "a block contains only assignments"),
        ],
    );
    process_errors(
        "{ x <- 1 y <- 2; z <- }",
        &[("E0001", "y", "expected `;` or `}`"), ("E0001", "}", "expression")],
    );
    process_errors("{ x <- 1 ++ Skip; z <- 2 }", &[("E0001", "++", "expected `;` or `}`")]);
}

#[test]
fn in_sections() {
    let found = check_errors("agent A { interfce = x: 0 }", &[("E0001", "interfce", "expected `interface`")]);
    assert_eq!(found[0].help, ["did you mean `interface`?"]);
    check_errors("agent A { x: 0; Behavior = Skip }", &[("E0001", "x", "expected a process definition")]);
    check_errors(
        "agent A { interface = x: 0 behavior = }",
        &[("E0001", "=", "expected `:`"), ("E0001", "}", "")],
    );
    check_errors("agent A { behaviour = Skip }", &[("E0001", "behaviour", "the name of a process")]);
    assert_eq!(parse("agent A { behaviour = Skip }").0.agents[0].processes[0].name.text, "Behavior");
    check_errors("agent A { 5 Behavior = Skip }", &[("E0001", "5", "expected `interface`")]);
    check_errors("system { interface = x: 0 spawn = A: 1 }", &[("E0001", "interface", "expected `extern`")]);
    check_errors("check { always x }", &[("E0001", "always", "expected a property")]);
    check_errors("check { P = x of a = 1 Q = always x }", &[("E0001", "x", "expected a modality")]);
    check_errors(
        "check { P = always x -> y Q = always x || y }",
        &[("E0001", "->", ""), ("E0001", "||", "")],
    );
    check_errors("check { P = between x = 1 or y and (z), always w }", &[("E0001", "or", "expected `and`")]);
    check_errors("agent A { interface = x: {} ; y: [] }", &[("E0001", "}", ""), ("E0001", "]", "")]);
    check_errors("stigmergy S { a, 3: 0; b: 1 }", &[("E0001", "3", "the name of a variable")]);
}

#[test]
fn characters_and_operators_of_other_languages() {
    check_errors(
        "agent A { interface = x: 0 ?? y: 1 // old\n Behavior = x == 1 && y <> 2 -> x <- y ^ 2; y <- 'a' }",
        &[
            ("E0002", "??", "`??`"),
            ("E0008", "//", "`//`"),
            ("E0008", "==", "`==`"),
            ("E0008", "&&", "`&&`"),
            ("E0008", "<>", "`<>`"),
            ("E0002", "^", "`^`"),
            ("E0002", "'", "`'`"),
            ("E0002", "'", "`'`"),
        ],
    );
}
