//! Reading and writing Aldebaran files.

mod common;

use common::{Random, lts};
use swarmcheck_lts::aut::{Invisible, read, write, write_header, write_transition};
use swarmcheck_lts::{Builder, Lts};

fn text(lts: &Lts) -> String {
    let mut text = String::new();
    write(&mut text, lts).unwrap();
    text
}

#[track_caller]
fn refused(text: &str, expected: &str) {
    assert_eq!(read(text, Invisible::I).unwrap_err().to_string(), expected);
}

#[test]
fn writing() {
    assert_eq!(text(&lts("0 a 1, 1 i 0")), "des (0, 2, 2)\n(0, \"a\", 1)\n(1, \"i\", 0)\n");
    let mut builder = Builder::new();
    builder.step(0, "a \"b\" \\ é\n", 2);
    builder.step(2, "", 1);
    // The initial state becomes 0.
    let expected = "des (0, 2, 3)\n(0, \"\", 1)\n(2, \"a \\u{22}b\\u{22} \\u{5c} \\u{e9}\\u{a}\", 0)\n";
    assert_eq!(text(&builder.finish(2)), expected);
}

#[test]
fn writing_line_by_line() {
    let mut out = String::new();
    write_header(&mut out, 1, 2).unwrap();
    write_transition(&mut out, 0, "x <- 1", 1).unwrap();
    assert_eq!(out, "des (0, 1, 2)\n(0, \"x <- 1\", 1)\n");
}

#[test]
fn reading_what_others_write() {
    let expected = lts("0 a 1, 1 i 0");
    // Blanks, line ends of another system, missing quotation marks, and no line end at the end.
    for text in [
        "des (0, 2, 2)\n(0, \"a\", 1)\n(1, \"i\", 0)\n",
        "des(0,2,2)\r\n(0,a,1)\r\n(1,i,0)",
        "\n  des\t( 0 , 2 , 2 )  \n\n ( 0 , \"a\" , 1 )\n(1, i , 0)\n\n",
    ] {
        assert_eq!(read(text, Invisible::I).as_ref(), Ok(&expected));
    }
    let tau = "des (0, 2, 2)\n(0, \"a\", 1)\n(1, \"tau\", 0)\n";
    assert_eq!(read(tau, Invisible::IAndTau).as_ref(), Ok(&expected));
    assert_eq!(read(tau, Invisible::I), Ok(lts("0 a 1, 1 tau 0")));

    let label = |text: &str| {
        let lts = read(&format!("des (0, 1, 1)\n(0, {text}, 0)"), Invisible::I).unwrap();
        lts.labels()[0].clone()
    };
    assert_eq!(label(r#""send (1, 2)""#), "send (1, 2)");
    assert_eq!(label("send (1, 2)"), "send (1, 2)");
    assert_eq!(label(r#""say "x", or \"y\", 3""#), r#"say "x", or "y", 3"#);
    assert_eq!(label(r#""\""#), "\\");
    assert_eq!(label(r#""\u{41}\u{}\u{110000}\u{+41}\u{41\n\u{e9}""#), "A\\u{}\\u{110000}\\u{+41}\\u{41\\né");
    assert_eq!(label(r#""\u{1F41D} ☃""#), "🐝 ☃");
    assert_eq!(label("\"\""), "");

    // A transition that is there twice is one; states that no transition mentions are kept.
    let double = read("des (1, 2, 5)\n(0, a, 1)\n(0, a, 1)", Invisible::I).unwrap();
    assert_eq!((double.initial(), double.states(), double.transitions()), (1, 5, 1));
}

#[test]
fn malformed_texts() {
    refused("", "line 1: expected `des`");
    refused("\n\n", "line 3: expected `des`");
    refused("(0, a, 1)", "line 1: expected `des`");
    refused("des 0", "line 1: expected `(`");
    refused("des (x, 0, 1)", "line 1: expected a number");
    refused("des (0, 0, -1)", "line 1: expected a number");
    refused("des (0 0, 1)", "line 1: expected `,`");
    refused("des (0, 0, 1", "line 1: expected `)`");
    refused("des (0, 0, 1) x", "line 1: expected the end of the line");
    refused("des (0, 0, 0)", "line 1: there is no state 0 according to the first line of the file");
    refused("des (0, 0, 4294967296)", "line 1: the number is too large");
    refused("des (0, 99999999999999999999, 1)", "line 1: the number is too large");
    refused("des (0, 0, 4294967295)", "line 1: 4294967295 states are too many for 0 transitions");
    refused(
        "des (0, 18446744073709551615, 1)\n(0, a, 0)",
        "line 3: the first line of the file promises 18446744073709551615 transitions, but there are 1",
    );
    refused("des (0, 1, 1)\n\n0, a, 0)", "line 3: expected `(`");
    refused("des (0, 1, 1)\n(0, \"a, 0)", "line 2: the quotation mark at the end of the label is missing");
    refused("des (0, 1, 1)\n(0, \"a\" 0)", "line 2: expected `,`");
    refused("des (0, 1, 1)\n(0, , 0)", "line 2: expected a label");
    refused("des (0, 1, 1)\n(0, a 0)", "line 2: expected a label and `,`");
    refused("des (0, 1, 1)\n(0, a, b)", "line 2: expected a number");
    refused(
        "des (0, 1, 2)\n(2, a, 0)",
        "line 2: there is no state 2 according to the first line of the file",
    );
    refused(
        "des (0, 1, 2)\n(0, a, 7)",
        "line 2: there is no state 7 according to the first line of the file",
    );
    refused("des (0, 1, 2)\n(0, a, 1) x", "line 2: expected the end of the line");
}

#[test]
fn round_trips() {
    let mut random = Random::new(1);
    let labels =
        ["i", "a", "", "\"", "\\", "\\\"", "\\u{41}", "a, b", "é ☃ 🐝", "\r\n\t", " x ", "(0, \"a\", 1)"];
    let mut steps = 0;
    for _ in 0..2_000 {
        let lts = random.lts(7, &labels);
        steps += lts.transitions();
        let written = text(&lts);
        let again = read(&written, Invisible::I).unwrap();
        assert_eq!(again.initial(), 0);
        // The numbers of labels, and those of states 0 and the initial one, may have changed; the lines have not.
        let sorted = |text: String| {
            let mut lines: Vec<String> = text.lines().map(String::from).collect();
            lines.sort();
            lines
        };
        assert_eq!(sorted(text(&again)), sorted(written));
        let mut used: Vec<&str> = lts.all_steps().map(|(_, label, _)| lts.label(label)).collect();
        used.sort();
        used.dedup();
        let mut found: Vec<&str> = again.labels().iter().map(String::as_str).collect();
        found.sort();
        assert_eq!(found, used);
    }
    assert!(steps > 5_000, "only {steps} lines were read");
}

/// Random damage is refused or accepted, but never a reason to panic.
#[test]
fn damaged_texts() {
    let mut random = Random::new(2);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..5_000 {
        let mut bytes = text(&random.lts(5, &["i", "a\"", "é"])).into_bytes();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len() as u32) as usize;
            let new = b"0123456789(),\"\\u{}\n\r a"[random.below(22) as usize];
            match random.below(3) {
                0 => bytes[at] = new,
                1 => bytes.insert(at, new),
                _ => drop(bytes.remove(at)),
            }
        }
        match read(&String::from_utf8(bytes).unwrap(), Invisible::IAndTau) {
            Ok(_) => accepted += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(accepted > 100 && refused > 100, "{accepted} accepted, {refused} refused");
}
