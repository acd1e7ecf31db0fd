//! Several mistakes in one script: each is told once, at its place, in one run; and what is right is not blamed.

use swarmcheck_rcheck::{check, codes};

const SYNTAX: &str = swarmcheck_calculi::codes::SYNTAX;

/// Everything that is said about a script, in the order of the text: code, line, text below, and a part of the help.
fn says(text: &str, expected: &[(&str, usize, &str, &str)]) {
    let (spec, found) = check(text);
    let errors = expected.iter().any(|(code, ..)| code.starts_with('E'));
    assert_eq!(spec.is_none(), errors, "{text}");
    let list = found.into_sorted();
    let line = |at: u32| text[..at as usize].matches('\n').count() + 1;
    let said: Vec<(&str, usize, &str)> = (list.iter())
        .map(|d| (d.code, line(d.primary.span.start), text.get(d.primary.span.range()).unwrap_or("")))
        .collect();
    let wanted: Vec<(&str, usize, &str)> = expected.iter().map(|(c, l, below, _)| (*c, *l, *below)).collect();
    assert_eq!(said, wanted, "{list:#?}");
    for (d, (.., help)) in list.iter().zip(expected) {
        assert!(d.help.join("; ").contains(help), "{help}: {d:?}");
    }
}

/// A slip in a word that begins a part: the part is read as what was meant, so what follows is checked, too.
#[test]
fn misspelt_parts_are_read_as_what_was_meant() {
    says(
        "chanels: c\nagent Player\n  local: x : 0..3\n  iniit: x = 0\n  reapeat: go: {xx < 3} c! (true)()[x := x + 1]\n\
         sytem = Player(right, true)\nSPC G right-x < 2\n",
        &[
            (SYNTAX, 1, "chanels", "did you mean `channels`?"),
            (SYNTAX, 4, "iniit", "did you mean `init`?"),
            (SYNTAX, 5, "reapeat", "did you mean `repeat`?"),
            (codes::UNKNOWN, 5, "xx", "did you mean `x`?"),
            (SYNTAX, 6, "sytem", "did you mean `system`?"),
            (SYNTAX, 7, "SPC", "did you mean `SPEC`?"),
        ],
    );
    // After a formula, too. The second formula has a name that nobody has declared.
    says(
        "agent A\n  local: x : bool\n  init: x\n  recieve-guard: x\n  repeat: go: {x} *! (true)()[]\nsystem = A(a, true)\n\
         SPEC G a-x\nSpec F a-x\n",
        &[(SYNTAX, 4, "recieve", "did you mean `receive`?"), (SYNTAX, 8, "Spec", "did you mean `SPEC`?")],
    );
}

/// Variables may be called nearly like a part, and need no comma at the end of a line.
#[test]
fn names_that_look_like_parts_are_names() {
    says(
        "agent A\n  local: x : bool\n    unit : 0..3\n    locale : bool\n  init: x & unit = 0 & locale\n\
         repeat: go: {x & locale} *! (true)()[unit := 1]\nsystem = A(a, true)\nSPEC G (a-unit < 2)\n",
        &[],
    );
}

#[test]
fn agents_without_an_initial_condition() {
    says(
        "agent Player\n  local: x : bool\n  init: x\n  repeat: go: {z} *! (true)()[]\n\
         system = Player(right) || Player(left, true)\nSPEC G right-x\n",
        &[
            (codes::UNKNOWN, 4, "z", ""),
            (
                SYNTAX,
                5,
                ")",
                "write `Player(right, true)`: after the name comes a condition on the initial values",
            ),
        ],
    );
    says(
        "agent Player\n  local: x : bool\n  init: x\n  repeat: go: {x} *! (true)()[]\nsystem = Player || Player(b, true)\n",
        &[(SYNTAX, 5, "|", "`Player(name, true)`")],
    );
}

/// After a command that cannot be read, the next ones are; after an agent, the next one; and so on.
#[test]
fn reading_goes_on_at_the_next_command() {
    says(
        "channels: c\nagent Player\n  local: x : 0..3\n  init: x = 0\n  repeat: (\n    go: {x < 3} c (true)()[x := x + 1]\n    + \n\
         back: {x > 0} c! (true)()[x = x - 1]\n    +\n    stop: {y} c! (true)()[]\n    ; (last: {x = 1} *! (true)() [x := q])\n  )\n\
         agent Other\n  local: z : 0..3\n  init: zz = 0\n  repeat: got: {z < 3} c? [] + {z = 1 c? []\n\
         system = Player(right, true) || Other(left, true)\n\
         SPEC G right-x = 2\n",
        &[
            (SYNTAX, 6, "(", ""),
            (SYNTAX, 8, "=", ""),
            (codes::UNKNOWN, 10, "y", ""),
            (codes::UNKNOWN, 11, "q", ""),
            (codes::UNKNOWN, 15, "zz", "did you mean `z`?"),
            (SYNTAX, 16, "c", ""),
        ],
    );
}

/// A specification that cannot be read does not hide what is wrong with the others. Those are not checked if the agents
/// have errors, because labels and variables might only seem to be missing.
#[test]
fn every_specification_is_read() {
    let agent = "agent A\n  local: x : 0..2\n  init: x = 0\n  repeat: go: {x < 2} *! (true)()[x := x + 1]\nsystem = A(a, true)\n";
    says(
        &format!("{agent}SPEC G a-x <\nSPEC G a-y = 2\nSPEC F (a-go\nSPEC b-x = 1\nSPEC F a-x = 2\n"),
        &[
            (SYNTAX, 7, "SPEC", ""),
            (codes::UNKNOWN, 7, "y", ""),
            (SYNTAX, 9, "SPEC", ""),
            (codes::UNKNOWN, 9, "b", ""),
        ],
    );
    let broken = agent.replace("x < 2", "x <");
    says(&format!("{broken}SPEC G a-y = 2\n"), &[(SYNTAX, 4, "}", "")]);
}

/// However the brackets are wrong, reading ends.
#[test]
fn pieces_of_a_script_are_read_calmly() {
    let text = "channels: c\nagent A\n local: x : 0..2\n iniit: x = 0\n reapeat: ((go: {x < 2} c (true)()[x := x + 1] + {x} *! ); (rep (c? [\n\
                + on: <x > 1> c? [x := 0]))\nsytem = A(a) || A || A(b, true)\nSPC G (a-x\nSPEC F a-x = 2 & (";
    for (at, c) in text.char_indices() {
        check(&text[..at]);
        check(&text[at..]);
        for other in ["", "(", ")", "+", ";", "rep ", "{", "]", "agent ", "SPEC ", "init:"] {
            check(&format!("{}{other}{}", &text[..at], &text[at + c.len_utf8()..]));
        }
    }
    // Mistakes at every level of deep nesting: the limit on nesting holds.
    check(&format!("agent A\n repeat: {}", "(bad + ".repeat(20_000)));
}

/// A parenthesis is missing in the first command. The `+` after it is there, and so is the second command.
#[test]
fn a_sign_after_a_missing_parenthesis_is_seen() {
    for (send, below) in [("(true(M := 0)", "("), ("(true)(M := 0", "[")] {
        let text = format!(
            "channels: c\nmessage-structure: M : 0..1\nagent A\n  local: x : 0..3\n  init: x = 0\n  receive-guard: true\n  \
             repeat: (s: <x < 3> c ! {send}[x := x + 1] + t: <x = 3> * ! (true)(M := 1)[x := 0])\n\
             system = A(a, true)\nSPEC P : G (a-x < 3);\n"
        );
        says(&text, &[(SYNTAX, 7, below, "")]);
    }
}

/// A variable has a name that is a word of the language: that is the only mistake, wherever the name is used.
#[test]
fn reserved_words_as_names_are_told_where_they_are_declared() {
    for word in ["LTL", "guard", "SPEC", "agent"] {
        let text = format!(
            "channels: c\nmessage-structure: M : 0..1\nagent B\n  local: y : 0..3, {word} : bool\n  init: y = 0 & {word}\n  \
             receive-guard: chan = c\n  repeat: (r: <M = 0 & {word}> c ? [y := 1])\nsystem = B(b, true)\nSPEC P : G (b-y < 3);\n"
        );
        says(&text, &[(codes::RESERVED, 4, word, "")]);
    }
}

/// Each line has one mistake. Fifty are told, and then how many there are besides.
#[test]
fn of_many_mistakes_the_first_are_told() {
    let script = |lines: usize| {
        "agent A\n  local: x : bool\n  init: x\n  repeat: go: {x} *! (true)()[]\nsystem = A(a, true)\n"
            .to_string()
            + &"SPEC G (a-x;\n".repeat(lines)
    };
    for (lines, told, last) in
        [(50, 50, "expected"), (51, 51, "there is one more"), (2000, 51, "there are 1950 more")]
    {
        let list = check(&script(lines)).1.into_sorted();
        assert_eq!(list.len(), told, "{lines}");
        assert!(list.last().is_some_and(|d| d.message.starts_with(last)), "{:?}", list.last());
    }
}
