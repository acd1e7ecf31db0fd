//! Hand-written files: what their names stand for, what may be written, and what signs mean.

use super::*;
use swarmcheck_source::index::{Role, SymbolKind};

/// The symbols of a text with the lines and roles of their places: `a:Action@1d,2r`.
fn shown(text: &str) -> Vec<String> {
    let index = index(text);
    let line = |offset: u32| text.get(..offset as usize).map_or(0, |before| before.matches('\n').count() + 1);
    let role = |role: Role| match role {
        Role::Declaration => 'd',
        Role::Read => 'r',
        Role::Write => 'w',
        Role::Call => 'c',
    };
    let one = |(number, symbol): (usize, &swarmcheck_source::index::Symbol)| {
        let places: Vec<String> =
            index.of(number).map(|place| format!("{}{}", line(place.span.start), role(place.role))).collect();
        format!("{}:{:?}@{}", symbol.name, symbol.kind, places.join(","))
    };
    index.symbols.iter().enumerate().map(one).collect()
}

#[test]
fn equal_names_of_actions_are_one_symbol_and_constants_are_others() {
    let text = "proc a = a.'a.a\nset S = {a, b}\nsystem = (a | a[b/a]) \\ S\ncheck { a = a precedes 'b }";
    assert_eq!(
        shown(text),
        [
            "a:Process@1d,1c,3c,3c",
            "a:Action@1d,1r,2r,3r,4r",
            "S:Enumeration@2d,3r",
            "b:Action@2d,3w,4r",
            "a:Property@4d",
        ]
    );
}

#[test]
fn a_set_counts_from_its_definition_on() {
    // Before that, the word is an action: the parser reads it so, and tells.
    let text = "system = a.0 \\ S\nset S = {a}\nproc P = a.0 \\ S";
    let found = shown(text);
    assert!(found.contains(&"S:Action@1d".to_string()) && found.contains(&"S:Enumeration@2d,3r".to_string()));
}

#[test]
fn names_are_found_in_broken_text() {
    let text = "proc P = a.\nproc Q = (b.P + \n[x/ proc R = Q\ncheck { One = always\nproc Last = a.P";
    let found = shown(text);
    for wanted in
        ["P:Process@1d,2c,5c", "Q:Process@2d,3c", "R:Process@3d", "Last:Process@5d", "a:Action@1d,5r"]
    {
        assert!(found.contains(&wanted.to_string()), "{wanted}: {found:?}");
    }
}

/// The labels that are offered at the mark `^`.
fn offered(marked: &str) -> Vec<String> {
    let offset = marked.find('^').unwrap_or_default();
    let text = marked.replacen('^', "", 1);
    candidates(&text, offset as u32, &index(&text)).into_iter().map(|candidate| candidate.label).collect()
}

#[test]
fn completion_knows_the_place() {
    let file = |rest: &str| format!("proc P = a.'b.P\nset S = {{a}}\n{rest}");
    assert_eq!(offered(&file("system = ^")), ["P", "a", "b", "0", "tau"]);
    assert_eq!(offered(&file("system = P \\ ^")), ["S", "a", "b"]);
    assert_eq!(offered(&file("system = P \\ {a, ^}")), ["a", "b"]);
    assert_eq!(offered(&file("system = P[a/^]")), ["a", "b"]);
    assert_eq!(offered(&file("system = '^")), ["a", "b"]);
    assert_eq!(offered(&file("sy^")), ["proc", "system", "set", "check"]);
    assert_eq!(offered("^"), ["proc", "system", "set", "check"]);
    assert_eq!(offered("# pr^"), [] as [&str; 0]);
    let claims = offered(&file("check { A = ^ }"));
    assert!(claims.starts_with(&["a", "b", "tau", "always"].map(str::to_string)), "{claims:?}");
    assert!(offered(&file("check { A = ltl a ^")).contains(&"until".to_string()));
    assert!(!offered(&file("check { A = always a ^")).contains(&"until".to_string()));
    assert!(!offered(&file("check { A = always a } ^")).contains(&"or".to_string()));
}

/// What is cited at the mark.
fn cited(marked: &str) -> Option<&'static str> {
    let offset = marked.find('^').unwrap_or_default();
    meaning(&marked.replacen('^', "", 1), offset as u32).map(|(_, meaning)| meaning.cites)
}

#[test]
fn signs_have_the_rule_of_their_place() {
    assert_eq!(cited("proc P = a ^. P"), Some("TOSEM, table 1, rule ACT"));
    assert_eq!(cited("proc P = P ^| P"), Some("TOSEM, table 1, rules PAR₁ and PAR₂"));
    assert_eq!(cited("proc P = P ^|[a]| P"), Some("TOSEM, table 2, rules IDLE_L and SYNC_L"));
    assert_eq!(cited("proc P = P |[a]^| P"), Some("TOSEM, table 2, rules IDLE_L and SYNC_L"));
    assert_eq!(cited("proc P = P[a^/b]"), Some("TOSEM, table 1, rule REL"));
    assert_eq!(cited("proc P = t^au.0"), Some("TOSEM, definition 2.2"));
    assert_eq!(cited("^proc P = 0"), Some("TOSEM, table 1, rule CON"));
    // Names have no meaning of their own, even if they are words somewhere else.
    assert_eq!(cited("proc P = ^check.always.P"), None);
    assert_eq!(cited("proc P = a.0\ncheck { A = ltl <> ^next }"), None);
    assert_eq!(cited("proc P = a.0\ncheck { A = ltl ^next a }"), Some("TOSEM, definition 2.5 and table 3"));
    assert_eq!(cited("proc P = a.0 # ^. x"), None);
}

#[test]
fn relabellings_have_two_parts() {
    let active = |marked: &str| {
        let offset = marked.find('^').unwrap_or_default();
        signature(&marked.replacen('^', "", 1), offset as u32).map(|form| form.active)
    };
    assert_eq!(active("system = P[^"), Some(0));
    assert_eq!(active("system = P[a/^]"), Some(1));
    assert_eq!(active("system = P[a/b, ^]"), Some(0));
    assert_eq!(active("system = P |[^]| Q"), None);
    assert_eq!(active("system = P[a/b]^"), None);
}

#[test]
fn names_that_would_be_read_otherwise_are_refused() {
    assert_eq!(name_problem(SymbolKind::Process, "Fine_1"), None);
    assert_eq!(name_problem(SymbolKind::Property, "always"), None);
    for wrong in ["", "a b", "a-b", "0", "nil", "tau", "proc"] {
        assert!(name_problem(SymbolKind::Process, wrong).is_some(), "{wrong}");
    }
    assert!(name_problem(SymbolKind::Action, "not").is_some());
}
