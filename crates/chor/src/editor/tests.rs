//! Hand-written files: what their names stand for, what may be written, and what signs mean.

use super::*;
use swarmcheck_source::index::SymbolKind;

/// The symbols of a text with the offsets of their places.
fn shown(text: &str) -> Vec<String> {
    let index = index(text);
    let one = |(number, symbol): (usize, &swarmcheck_source::index::Symbol)| {
        let places: Vec<String> = index.of(number).map(|place| place.span.start.to_string()).collect();
        format!("{}:{:?}@{}", symbol.name, symbol.kind, places.join(","))
    };
    index.symbols.iter().enumerate().map(one).collect()
}

#[test]
fn peers_and_actions_of_the_same_name_are_different() {
    //          0         1         2         3         4
    //          01234567890123456789012345678901234567890123456789
    let text = "choreography C = a@a; check[a,b] + skip\ncheck { P = a@a precedes check[a, b] }";
    assert_eq!(
        shown(text),
        [
            "C:Process@13",
            "a:Action@17,52",
            "a:Peer@19,28,54,71",
            "check:Action@22,65",
            "b:Peer@30,74",
            "P:Property@48"
        ]
    );
}

#[test]
fn names_are_found_in_broken_text() {
    let found = shown("choreography C = m[p, ; (a@q + m\ncheck { A = eventually m[p,q\nB = ltl a");
    assert_eq!(
        found,
        [
            "C:Process@13",
            "m:Action@17,31,56",
            "p:Peer@19,58",
            "a:Action@25,70",
            "q:Peer@27,60",
            "A:Property@41",
            "B:Property@62"
        ]
    );
}

/// The labels that are offered at the mark `^`.
fn offered(marked: &str) -> Vec<String> {
    let offset = marked.find('^').unwrap_or_default();
    let text = marked.replacen('^', "", 1);
    candidates(&text, offset as u32, &index(&text)).into_iter().map(|candidate| candidate.label).collect()
}

#[test]
fn completion_knows_the_place() {
    let file = |rest: &str| format!("choreography C = m[p,q]; a@q;{rest}");
    assert_eq!(offered(&file(" ^")), ["m[p,q]", "a@q", "skip", "message", "action", "loop"]);
    assert_eq!(offered(&file(" x[^")), ["p", "q"]);
    assert_eq!(offered(&file(" x[p,r^]")), ["p", "q"]);
    assert_eq!(offered(&file(" x@^")), ["p", "q"]);
    assert_eq!(offered("ch^"), ["choreography", "check"]);
    assert_eq!(offered(&file(" # ^")), [] as [&str; 0]);
    let claims = offered(&file(" skip\ncheck { A = ^ }"));
    assert!(claims.starts_with(&["m[p,q]", "a@q", "tau", "always"].map(str::to_string)), "{claims:?}");
    assert_eq!(offered(&file(" skip\ncheck { A = always m[^")), ["p", "q"]);
    assert!(offered(&file(" skip\ncheck { A = m[p,q] ^")).contains(&"precedes".to_string()));
}

/// What is cited at the mark.
fn cited(marked: &str) -> Option<&'static str> {
    let offset = marked.find('^').unwrap_or_default();
    meaning(&marked.replacen('^', "", 1), offset as u32).map(|(_, meaning)| meaning.cites)
}

#[test]
fn signs_mean_something_at_their_places() {
    for sign in ["a^@p", "m^[p,q]", "a@p^; b@q", "a@p ^|| b@q", "a@p |^| b@q", "^*(a@p)"] {
        assert_eq!(cited(&format!("choreography C = {sign}")), Some("TOSEM, section 5.1"), "{sign}");
    }
    assert_eq!(cited("choreography C = sk^ip"), Some("TOSEM, section 5.1 and footnote 5"));
    assert_eq!(cited("choreography C = ^check@p"), None);
    assert_eq!(
        cited("choreography C = a@p\n^check { A = never a@p }"),
        Some("docs/chor.md, section Choreographies")
    );
    assert_eq!(
        cited("choreography C = a@p\ncheck { A = ^never a@p }"),
        Some("docs/ccs.md, section Properties")
    );
    assert_eq!(cited("choreography C = a@p\ncheck { A = ltl ^[] a@p }"), Some("TOSEM, section 2.2"));
}

#[test]
fn communications_have_three_parts() {
    let active = |marked: &str| {
        let offset = marked.find('^').unwrap_or_default();
        signature(&marked.replacen('^', "", 1), offset as u32).map(|form| (form.label, form.active))
    };
    let message = |part| Some(("message[from,to]".to_string(), part));
    assert_eq!(active("choreography C = m[^"), message(1));
    assert_eq!(active("choreography C = m[p^"), message(1));
    assert_eq!(active("choreography C = m[p,^]"), message(2));
    assert_eq!(active("choreography C = m[p,q^]"), message(2));
    assert_eq!(active("choreography C = a@^"), Some(("action@peer".to_string(), 1)));
    assert_eq!(active("choreography C = m[p,q]^"), None);
    assert_eq!(active("choreography C = (^"), None);
}

#[test]
fn names_that_would_be_read_otherwise_are_refused() {
    assert_eq!(name_problem(SymbolKind::Peer, "skip"), None);
    assert_eq!(name_problem(SymbolKind::Action, "check"), None);
    assert!(name_problem(SymbolKind::Action, "skip").is_some());
    assert!(name_problem(SymbolKind::Peer, "a-b").is_some());
}
