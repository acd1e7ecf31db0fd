//! What is said about files that are wrong, and that nothing is ever worse than a diagnostic.

#[path = "common/terms.rs"]
mod terms;

use swarmcheck_ccs::{check, lower};
use terms::Random;

/// The codes that a text gets, each with the text below its place.
fn codes(text: &str) -> Vec<(&'static str, &str)> {
    let (spec, found) = check(text, None);
    assert_eq!(spec.is_none(), found.has_errors(), "{text}");
    found.into_sorted().iter().map(|d| (d.code, text.get(d.primary.span.range()).unwrap_or(""))).collect()
}

#[test]
fn mistakes_and_their_places() {
    for (text, expected) in [
        ("proc P = a.0", vec![]),
        ("", vec![("E1004", "")]),
        ("proc P = a.", vec![("E1001", "")]),
        ("proc P = a", vec![("E1101", "a")]),
        ("proc P = a.Q", vec![("E1101", "Q")]),
        ("proc P = a.0 proc P = b.0", vec![("E1102", "P")]),
        ("proc P = a.P + P", vec![("E1301", "P")]),
        ("proc P = Q proc Q = a.0 + P", vec![("E1301", "P")]),
        ("proc P = a.0 | b.P", vec![("E1302", "P")]),
        ("proc P = a.(b.0 | Q) proc Q = c.P", vec![("E1302", "Q")]),
        ("proc P = (a.0 | Q) \\ a proc Q = a.Q", vec![]),
        ("proc P = a.0 & b.0", vec![("E1002", "&"), ("E1001", "b")]),
        // A set is not silently taken for an action.
        ("set S = {a} proc P = a.P \\ S", vec![]),
        ("proc P = a.P \\ S set S = {a}", vec![("E1105", "S")]),
        ("set S = {a} proc P = a.P \\ {S, b}", vec![("E1105", "S")]),
        ("set S = {a} set S = {b} proc P = a.P \\ S", vec![("E1102", "S")]),
        ("proc P = 'tau.0", vec![("E1001", "tau")]),
        ("proc P = a.0 check { N = always b }", vec![("E1103", "b")]),
        ("proc P = a.0 check { N = always a N = eventually a }", vec![("E1102", "N")]),
        ("proc P = a.0 check { N = a }", vec![("E1001", "}")]),
        // After a mistake in one declaration the others are still read, and unknown names are not held against them.
        ("proc P = a..0 proc Q = b.P proc R = .0", vec![("E1001", "."), ("E1001", ".")]),
    ] {
        assert_eq!(codes(text), expected, "{text}");
    }
}

#[test]
fn help_is_offered() {
    let help = |text: &str| {
        let (_, found) = check(text, None);
        found.into_sorted().into_iter().flat_map(|d| d.help).collect::<Vec<_>>().join("; ")
    };
    assert_eq!(help("proc Worker = a.Wroker"), "did you mean `Worker`?");
    assert_eq!(help("proc P = a.b"), "an action needs a process after it: `b.0`");
    assert_eq!(help("proc P = commit.0 check { N = never comit }"), "did you mean `commit`?");
}

#[test]
fn extremes_are_refused_or_done() {
    let deep = format!("proc P = {}a.0{}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(codes(&deep).iter().any(|(code, _)| *code == "E1003"));
    let mixed = format!("proc P = a.0{}", " | a.0 |[a]| a.0".repeat(10_000));
    assert!(codes(&mixed).iter().any(|(code, _)| *code == "E1003"));
    let chain: String = (0..20_000).map(|n| format!("proc P{n} = a.0 + P{}\n", n + 1)).collect();
    let last = "proc P20000 = a.0\nsystem = P0";
    assert!(codes(&(chain + last)).iter().any(|(code, _)| *code == "E1003"));
    // Each definition is a hundred operators deep, and none of them acts.
    let (open, close) = ("(a.0 + ".repeat(100), ")".repeat(100));
    let chain: String = (0..100).map(|n| format!("proc P{n} = {open}P{}{close}\n", n + 1)).collect();
    assert!(codes(&(chain + "proc P100 = a.0\nsystem = P0")).iter().any(|(code, _)| *code == "E1003"));
    // Exponentially many first actions, and exponentially many ways to find that there are none.
    for last in ["a.0", "0"] {
        let choices: String = (0..40).map(|n| format!("proc P{n} = P{} + P{}\n", n + 1, n + 1)).collect();
        let (spec, _) = check(&format!("{choices}proc P40 = {last}\nsystem = P0"), None);
        assert!(lower::lower(&spec.unwrap(), true).is_err());
    }
    let doubling: String = (0..40).map(|n| format!("proc P{n} = a.0 | P{} | P{}\n", n + 1, n + 1)).collect();
    let (spec, _) = check(&(doubling + "proc P40 = a.0\nsystem = P0"), None);
    assert!(lower::lower(&spec.unwrap(), true).is_err());
    for text in [
        format!("proc P = {}0", "a.".repeat(100_000)),
        format!("proc P = a.0{}", " + a.0".repeat(20_000)),
        format!("proc P = a.0{}", " \\ a".repeat(100_000)),
        format!("proc P = a.0 check {{ N = always {} a }}", "a or ".repeat(100_000)),
        (0..10_000).map(|n| format!("proc P{n} = a.P{}\n", n + 1)).collect::<String>()
            + "proc P10000 = 0\nsystem = P0",
    ] {
        let (spec, found) = check(&text, None);
        let spec = spec.unwrap_or_else(|| panic!("{found:?}"));
        // Too many triples are an answer, too.
        let _ = lower::lower(&spec, true);
    }
}

/// Texts with random parts left out, doubled or replaced.
#[test]
fn nothing_panics() {
    let bits = [
        "proc", "check", "(", ")", "|[", "]|", "\\", "{", "}", "'", ".", "+", "K0", "tau", "0", "/", "ä",
        "=", "#",
    ];
    let (mut wrong, mut right) = (0, 0);
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let mut text = random.specification() + "\ncheck { N = always not (a or 'b) M = a precedes b }\n";
        for _ in 0..1 + random.below(3) {
            let at = random.below(text.len() as u64 + 1) as usize;
            let to = (at + random.below(6) as usize).min(text.len());
            if text.is_char_boundary(at) && text.is_char_boundary(to) {
                let bit = bits[random.below(bits.len() as u64) as usize];
                text.replace_range(at..to, if random.below(2) == 0 { bit } else { "" });
            }
        }
        let (spec, found) = check(&text, None);
        match spec {
            Some(spec) => {
                right += 1;
                let _ = lower::lower(&spec, true);
            }
            None => {
                wrong += 1;
                assert!(found.has_errors(), "{text}");
            }
        }
    }
    assert!(wrong > 500 && right > 100, "{wrong} {right}");
}
