//! Whatever the text, parsing ends, quickly, and does not exhaust the stack.

use super::sections::FORMATION;
use super::*;

const MANY: usize = 100_000;

/// Parses on a small stack and returns the codes found.
fn parse_all(text: String) -> Vec<&'static str> {
    let run = move || {
        let (file, diagnostics) = parse(&text);
        drop(super::file(&file));
        codes(diagnostics)
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(run).unwrap().join().unwrap()
}

#[test]
fn deep_nesting_is_one_error() {
    for opener in
        ["(", "[", "{", "x[", "abs(", "!", "-", "not ", "if ", "x -> ", "x => (", "(!", "({", "x <- (-"]
    {
        let nest = opener.repeat(MANY);
        for text in [
            nest.clone(),
            in_agent(&nest),
            in_agent(&format!("x <- {nest}")),
            format!("check {{ P = always {nest}"),
        ] {
            let found = parse_all(text.clone());
            let deep = found.iter().filter(|c| **c == "E0004").count();
            assert!(deep <= 1 && found.len() <= 5, "{opener:?} in {:?}: {found:?}", &text[..30]);
        }
        let found = parse_all(in_agent(&format!("x <- {nest}")));
        let bracket = opener.contains(['(', '[', '{']) || ["!", "-", "not ", "if "].contains(&opener);
        assert!(!bracket || found.contains(&"E0004"), "{opener:?}: {found:?}");
    }
}

#[test]
fn balanced_deep_nesting_is_one_error() {
    for (open, close) in [("(", ")"), ("x[", "]"), ("abs(", ")"), ("-(", ")")] {
        let text = format!("x <- {}1{}", open.repeat(MANY), close.repeat(MANY));
        assert_eq!(parse_all(in_agent(&text)), ["E0004"], "{open}");
    }
    let text = format!("{}Skip{}; x <- ", "(".repeat(MANY), ")".repeat(MANY));
    assert_eq!(parse_all(in_agent(&text)), ["E0004", "E0001"]);
}

/// One fix removes them all. It was copied for each, which took minutes.
#[test]
fn brackets_that_close_nothing_are_one_error() {
    for close in [")", "]", "}"] {
        let brackets = close.repeat(MANY);
        assert_eq!(parse_all(in_agent(&format!("Skip {brackets}"))), ["E0001"], "{close}");
        // Here the expression is missing, too.
        assert_eq!(parse_all(in_agent(&format!("x <- {brackets}"))), ["E0001", "E0001"], "{close}");
    }
}

#[test]
fn nesting_within_the_limit_is_fine() {
    check_process(&format!("{}Skip{}", "(".repeat(190), ")".repeat(190)), "Skip");
    check_process(&format!("x <- {}1{}", "(".repeat(190), ")".repeat(190)), "(x <- 1)");
    let guards = "x -> ".repeat(190) + "Skip";
    assert!(parse_all(in_agent(&guards)).is_empty());
}

#[test]
fn long_operator_chains() {
    for op in ["+", "*", " and ", " or "] {
        let chain = |n: usize| in_agent(&format!("x <- 1{}", format!("{op}1").repeat(n)));
        assert!(parse_all(chain(900)).is_empty());
        assert_eq!(parse_all(chain(MANY)), ["E0004"]);
    }
    // Chains inside parentheses inside chains add up.
    let tower = (0..150).fold("1".to_string(), |inner, _| format!("({inner}){}", "+1".repeat(100)));
    assert_eq!(parse_all(in_agent(&format!("x <- {tower}"))), ["E0004"]);
    assert_eq!(parse_all(in_agent(&format!("x <- 1{}", " = 1".repeat(MANY)))).len(), 100);
}

#[test]
fn long_lists() {
    for op in ["; ", " ++ ", " || "] {
        assert!(parse_all(in_agent(&format!("x <- 1{}", format!("{op}Skip").repeat(MANY)))).is_empty());
    }
    assert!(parse_all(in_agent(&format!("{{ {} }}", "x <- 1; ".repeat(MANY)))).is_empty());
    assert!(parse_all(in_agent(&format!("x{} <- 1{}", ", x".repeat(MANY), ", 1".repeat(MANY)))).is_empty());
    assert!(parse_all(format!("agent A {{ interface = {} }}", "x: 0 ".repeat(MANY))).is_empty());
    assert!(parse_all(format!("stigmergy S {{ {} }}", "x: 0, ".repeat(MANY))).is_empty());
    assert!(parse_all(format!("stigmergy S {{ x{}: 0 }}", ", x".repeat(MANY))).is_empty());
    assert!(parse_all(format!("check {{ {} }}", "P = always x ".repeat(MANY))).is_empty());
    assert!(parse_all("agent A { }".repeat(MANY)).is_empty());
}

#[test]
fn long_rubbish() {
    for text in [
        ")",
        "]",
        "}",
        "( ]",
        "{ )",
        "[ ; ",
        "@ ",
        "& ",
        "# \n",
        "x ",
        "X ",
        "1 ",
        "_a ",
        ", ",
        "; ",
        "= ",
        "-> ",
        "<- ",
        "9",
        "é",
        ".",
        "agent ",
        "agent A {",
        "check { P = ",
        "system {",
        "x: ",
        "x, ",
        "x[1] ",
        "X = ",
        "if x then ",
        "of ",
        "forall A a, ",
        "count A a, ",
        "pick 1 ",
        "link = ",
        "interface = ",
        "extern: ",
    ] {
        for around in
            [("", ""), ("agent A { ", " }"), ("agent A { Behavior = ", " }"), ("stigmergy S { x: ", " }")]
        {
            let found = parse_all(format!("{}{}{}", around.0, text.repeat(MANY / 10), around.1));

            assert!(found.len() <= 200, "{text}");
        }
    }
}

/// Breaks things in the same way every time.
struct Random(fastrand::Rng);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0.usize(..n.max(1))
    }
}

const PIECES: [&str; 40] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ",",
    "++",
    "||",
    "|",
    "->",
    "=>",
    "<-",
    "<~",
    "<--",
    ":=",
    "=",
    "!",
    "..",
    "-",
    ":",
    "if",
    "then",
    "else",
    "of",
    "forall",
    "count",
    "pick",
    "where",
    "agent",
    "check",
    "interface",
    "x",
    "X",
    "_n",
    "7",
    "é",
    "@",
    "undef",
];

#[test]
fn mutations_of_tokens_and_bytes() {
    let original = FORMATION.to_string()
        + "agent B { Behavior = a => { p[] := pick 1 B where x of 1 = x of 2; x[1] <-- if a then [0..2] else 3 } || Nil }
           assume { A = forall B b, count C c, x of c > 1 } check { P = between (a) and (b), always c }";
    let mut random = Random(fastrand::Rng::with_seed(1));
    let mut accepted = 0;
    for case in 0..4000 {
        let mut words: Vec<String> =
            original.split_inclusive([' ', '\n', '(', ')']).map(String::from).collect();
        for _ in 0..=random.below(4) {
            let (i, j) = (random.below(words.len()), random.below(words.len()));
            match random.below(6) {
                0 => drop(words.remove(i)),
                1 => words.insert(i, words[j].clone()),
                2 => words.swap(i, j),
                3 => words.truncate(i.max(1)),
                4 => words.insert(i, PIECES[random.below(PIECES.len())].into()),
                _ => words[i] = PIECES[random.below(PIECES.len())].into(),
            }
        }
        let mut bytes = words.concat().into_bytes();
        if case % 2 == 0 && !bytes.is_empty() {
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => bytes[at] = random.below(256) as u8,
                1 => drop(bytes.remove(at)),
                _ => bytes.truncate(at),
            }
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (f, d) = parse(&text);
        let fine = !d.has_errors();
        for d in d.iter() {
            assert!(text.get(d.primary.span.range()).is_some(), "{d:?} in {text}");
            assert!(!d.message.is_empty() && !d.message.ends_with('.'), "{d:?}");
        }
        assert!(!(fine && file(&f).contains("ERROR")), "an error without a report in {text}");
        accepted += u32::from(fine);
    }
    assert!((100..3900).contains(&accepted), "{accepted} of 4000 texts were accepted");
}
