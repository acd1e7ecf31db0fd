//! Mistakes of those who know other languages: one error, at the culprit, with a way out.

use super::*;

#[track_caller]
fn process(body: &str, place: &str, message: &str, help: &[&str]) {
    let found = check_errors(&in_agent(body), &[("E0001", place, message)]);
    assert_eq!(found[0].help, help, "{body}");
}

#[test]
fn two_arrows_in_one_assignment() {
    process(
        "x <- 1, y <-- 2; Skip",
        "<--",
        "an assignment has one arrow",
        &["to do both in one step, write a block: `{ x <- 1; y <-- … }`"],
    );
    process(
        "x <- 1, y <- 2",
        "<-",
        "one arrow",
        &[
            "to do both in one step, write a block: `{ x <- 1; y <- … }`",
            "or name all variables before the arrow: `x, y <- 1, 2`",
        ],
    );
    process(
        "{ x <- 1, a[0] <~ 2; z <- 3 }",
        "<~",
        "one arrow",
        &["to do both in one step, write a block: `{ x <- 1; a <~ … }`"],
    );
    check_errors(&in_agent("x, y <- a, b"), &[]);
}

#[test]
fn or_in_a_link() {
    let found = check_errors(
        "stigmergy S { link = x of 1 = 1 || x of 2 = 1\n x: 0; y: 1 }",
        &[("E0001", "||", "expected an operator or the declaration of a tuple, found `||`")],
    );
    assert_eq!(found[0].help, ["in a link, write `or`; `||` runs processes in parallel"]);
    let (file, _) = parse("stigmergy S { link = x of 1 = 1 | x of 2 = 1; x: 0; y: 1 }");
    assert_eq!(file.stigmergies[0].tuples.len(), 2);
}

#[test]
fn sums_of_processes() {
    let help = ["a choice is written `++`, a parallel composition `||`"];
    for (body, symbol) in [
        ("Skip + Skip", "+"),
        ("Move or Skip; Move", "or"),
        ("(x <- 1) + (y <- 2)", "+"),
        ("(x = 1 -> Skip) or (Move; Skip)", "or"),
        ("x <- 1 + y <- 2", "+"),
        ("x <- 1 or y <- 2; Skip", "or"),
        ("x <- y + Skip", "+"),
        ("x <- y + { y <- 1; x <- 2 }", "+"),
        ("{ x <- 1 } + x = 1 -> Skip", "+"),
        ("x <- 1 + (y = 1 -> Skip)", "+"),
    ] {
        process(body, symbol, "cannot stand between two processes", &help);
    }
    // It is read as the choice that was meant.
    let (file, _) = parse(&in_agent("Skip + (x = 1 -> Skip)"));
    assert!(matches!(file.agents[0].processes[0].body.node, ProcessNode::Choice(_)));
    for fine in ["x <- 1 + y; Skip", "(x) + (y) = 2 -> Skip", "x = 1 or (y = 2) -> Skip", "x <- (1) + (2)"] {
        check_errors(&in_agent(fine), &[]);
    }
}

#[test]
fn processes_in_lower_case() {
    let both = [
        "names of processes start with a capital letter: `Move`",
        "a condition is followed by `->` or `=>`, a variable by an assignment arrow",
    ];
    process("x <- 1; move", "move", "expected a process, found `move`", &both);
    process("move; Skip", "move", "expected a process, found `move`", &both);
    process("x = 1 -> (move ++ Skip)", "move", "expected a process, found `move`", &both);
    process(
        "skip; x <- 1",
        "skip",
        "expected a process",
        &["names of processes start with a capital letter: `Skip`"],
    );
    for definition in ["move = x <- 1; Skip", "move = Skip", "move = (x = 1 -> Skip)", "move = x = 1 -> Skip"]
    {
        let text = format!("agent A {{ interface = x: 0 {definition} Behavior = Move }}");
        let found = check_errors(&text, &[("E0001", "move", "expected the name of a process, found `move`")]);
        assert_eq!(found[0].help, ["the name of a process starts with a capital letter: `Move`"]);
        assert_eq!(parse(&text).0.agents[0].processes[0].name.text, "Move");
    }
}

#[test]
fn definitions_in_lower_case_do_not_continue_the_process_before_them() {
    let text =
        "agent A { Behavior = x <- 1; Move\n move = x <- 2; Skip\n stay = Skip\n turn = { x <- 3; y <- 4 } }";
    let message = "expected the name of a process";
    check_errors(text, &[("E0001", "move", message), ("E0001", "stay", message), ("E0001", "turn", message)]);
    assert_eq!(parse(text).0.agents[0].processes.len(), 4);
}

#[test]
fn kinds_in_lower_case() {
    let found = check_errors("agent bird { Behavior = Skip }", &[("E0001", "bird", "found `bird`")]);
    assert_eq!(found[0].help, ["the name of a kind of agents starts with a capital letter: `Bird`"]);
    let (file, found) = parse("system { spawn = bird: 2 } check { P = always forall bird b, x of b = 1 }");
    assert_eq!(file.systems[0].spawn.as_ref().map(|s| s[0].kind.text.as_str()), Some("Bird"));
    assert_eq!(codes(found), ["E0001", "E0001"]);
    check_errors(
        "check { P = always (count bird b, x of b = 1) <= 1 }",
        &[("E0001", "bird", "a kind of agents")],
    );
}

#[test]
fn modalities_of_other_languages() {
    for (word, meant) in
        [("infinitely", "fairly_inf"), ("infinitely often", "fairly_inf"), ("globally", "always")]
    {
        let text = format!("check {{ P = {word} forall A a, x of a = 1 Q = always true }}");
        let first = word.split(' ').next().unwrap_or(word);
        let found = check_errors(&text, &[("E0001", first, "expected a modality")]);
        assert_eq!(found[0].help, [format!("did you mean `{meant}`?")]);
    }
}

#[test]
fn counts_without_parentheses() {
    let found = check_errors(
        "check { P = always count A a, x of a = 1 <= 1 }",
        &[("E0001", "<=", "comparisons cannot be chained")],
    );
    let help = "to compare the count, put it into parentheses: `(count A a, x of a = 1) <= 1`";
    assert_eq!(found[0].help, [help]);
    check_errors("check { P = always (count A a, x of a = 1) <= 1 }", &[]);
}

fn warnings(body: &str) -> Vec<(String, Vec<String>)> {
    let (_, found) = parse(&in_agent(body));
    assert!(found.iter().all(|d| d.code == "W0510"), "{found:?}");
    found.iter().map(|d| (d.message.clone(), d.help.clone())).collect()
}

#[test]
fn two_readings_of_an_owner() {
    for (body, this, other) in [
        ("x <- y of z + 1", "(y of z) + 1", "y of (z + 1)"),
        ("y of z - 1 > 0 -> Skip", "(y of z) - 1", "y of (z - 1)"),
        ("x <- 2 * y[0] of id % 3 + 1", "(y[0] of id) % 3", "y[0] of (id % 3 …)"),
        ("x <- -y of z : 2", "(y of z) : 2", "y of (z : 2)"),
        ("{ v := y of (z) + 1; x <- v }", "(y of (z)) + 1", "y of ((z) + 1)"),
    ] {
        let found = warnings(body);
        let help = format!("put parentheses: `{this}` for this reading, `{other}` for the other");
        assert_eq!(found.iter().map(|(_, help)| help.clone()).collect::<Vec<_>>(), [[help]], "{body}");
    }
    assert_eq!(warnings("x <- y of 1 - y of 2 + 3").len(), 2);
    for body in [
        "x <- (y of z) + 1",
        "x <- y of (z + 1)",
        "x <- 1 + y of z",
        "y of z = 1 and x > y of z -> Skip",
        "exists A a, y of a + 1 = x -> Skip",
        "x <- count A a, y of a * 2 = x",
        "{ p[] := pick 1 where y of 1 - y of 2 < 3; x <- p[0] }",
    ] {
        assert!(warnings(body).is_empty(), "{body}");
    }
    let (_, found) = parse(
        "stigmergy S { link = x of 1 - x of 2 < 3; x: 0 } check { P = always forall A a, x of a + 1 > 0 }",
    );
    assert_eq!(found.iter().count(), 0, "{found:?}");
}
