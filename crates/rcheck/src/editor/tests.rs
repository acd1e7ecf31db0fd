//! Hand-written scripts: what their names stand for, what may be written, and what words mean.

use super::*;
use swarmcheck_source::index::{Index, Role, Symbol};

/// The symbols of a text with the lines and roles of their places: `x:Attribute@1d,2r`.
fn shown(text: &str) -> Vec<String> {
    let index = index(text);
    let line = |offset: u32| text.get(..offset as usize).map_or(0, |before| before.matches('\n').count() + 1);
    let role = |role: Role| match role {
        Role::Declaration => 'd',
        Role::Read => 'r',
        Role::Write => 'w',
        Role::Call => 'c',
    };
    let one = |(number, symbol): (usize, &Symbol)| {
        let places: Vec<String> =
            index.of(number).map(|place| format!("{}{}", line(place.span.start), role(place.role))).collect();
        format!("{}:{:?}@{}", symbol.name, symbol.kind, places.join(","))
    };
    index.symbols.iter().enumerate().map(one).collect()
}

fn check(text: &str, expected: &[&str]) {
    let found = shown(text);
    for wanted in expected {
        assert!(found.iter().any(|one| one == wanted), "{wanted} is not among {found:#?}");
    }
}

const SCRIPT: &str = "channels: c, d
enum role {client, server}
message-structure: MSG : role, LNK : channel
property-variables: pv : role
guard g(r : role, x : int) := @pv == r & x > 0;
agent A
  local: x : 0..3, link : channel
  init: x = 0 & link = c
  relabel: pv <- client
  receive-guard: chan == link
  repeat: (
    send: {x < 3} link! (g(server, x))(MSG := client, LNK := link)[x := x + 1]
    +
    get: <MSG == server> c? [link := LNK]
  )
agent B
  local: x : 0..3
  relabel: pv <- server
  repeat: send: {true} *! (true)()[keep-all]
system = A(a, x = 1) || B(b, true)
SPEC One: forall k : A | B . G (k-x < 2 | k-send)
SPEC Two: exists k : A . <sender = k & MSG = client> (k-x = a-x & b-x = 0)
";

#[test]
fn names_stand_for_what_the_checker_takes_them_for() {
    assert!(!crate::check(SCRIPT).1.has_errors(), "{:?}", crate::check(SCRIPT).1);
    check(
        SCRIPT,
        &[
            "c:Channel@1d,8r,14r",
            "role:Enumeration@2d,3r,4r,5r",
            "client:EnumerationValue@2d,9r,12r,22r",
            "MSG:MessageField@3d,12w,14r,22r",
            "pv:PropertyVariable@4d,5r,9w,18w",
            "g:Guard@5d,12c",
            "r:LocalVariable@5d,5r",
            // The parameter of the guard is another `x` than the variables.
            "x:LocalVariable@5d,5r",
            "A:AgentKind@6d,20r,21r,22r",
            // The first specification asks for `x` of both types, so they are one symbol; and so is the label.
            "x:Attribute@7d,8r,12r,12r,12w,12r,17d,20r,21r,22r,22r,22r",
            "send:Label@12d,19d,21r",
            "get:Label@14d",
            "link:Attribute@7d,8r,10r,12r,12r,14w",
            "a:Instance@20d,22r",
            "One:Property@21d",
            // Two quantifiers, two agents.
            "k:BoundAgent@21d,21r,21r",
            "k:BoundAgent@22d,22r,22r",
        ],
    );
}

#[test]
fn variables_of_different_types_stay_apart_unless_a_formula_joins_them() {
    let apart = SCRIPT.replace("k : A | B", "k : A");
    check(&apart, &["x:Attribute@7d,8r,12r,12r,12w,12r,20r,21r,22r,22r", "x:Attribute@17d,22r"]);
    check(&apart, &["send:Label@12d,21r", "send:Label@19d"]);
    // All agents, where no type is called so.
    let all = SCRIPT.replace("k : A | B", "k : Agent");
    check(&all, &["send:Label@12d,19d,21r"]);
}

#[test]
fn extents_are_whole_declarations() {
    let index = index(SCRIPT);
    let extent = |name: &str, kind: SymbolKind| {
        let symbol = index.symbols.iter().find(|symbol| symbol.name == name && symbol.kind == kind);
        SCRIPT.get(symbol.map(|symbol| symbol.extent.range()).unwrap_or_default()).unwrap_or("")
    };
    assert_eq!(extent("role", SymbolKind::Enumeration), "enum role {client, server}");
    assert_eq!(extent("LNK", SymbolKind::MessageField), "LNK : channel");
    assert_eq!(extent("b", SymbolKind::Instance), "B(b, true)");
    assert_eq!(extent("get", SymbolKind::Label), "get: <MSG == server> c? [link := LNK]");
    assert_eq!(extent("x", SymbolKind::Attribute), "x : 0..3");
    assert!(extent("B", SymbolKind::AgentKind).starts_with("agent B"));
    assert!(extent("B", SymbolKind::AgentKind).ends_with("[keep-all]"));
    assert!(extent("One", SymbolKind::Property).ends_with("k-send)"));
    assert_eq!(extent("k", SymbolKind::BoundAgent), "forall k : A | B . G (k-x < 2 | k-send)");
    let inside =
        |name: &str| index.symbols.iter().find(|symbol| symbol.name == name).and_then(|s| s.container);
    let owner = |name: &str| inside(name).and_then(|owner| index.symbols.get(owner)).map(|s| s.name.as_str());
    assert_eq!(
        (owner("client"), owner("link"), owner("get"), owner("r")),
        (Some("role"), Some("A"), Some("A"), Some("g"))
    );
}

#[test]
fn words_of_the_language_can_be_names() {
    // `next` and `chan` are names here, and so are a variable `init` and an agent `keep`.
    let text = "channels: chan
agent A
  local: next : bool, init : bool, all : bool
  receive-guard: chan = chan
  repeat: go: {next & !init} chan! (true)()[next := !next]
system = A(keep, next & init)
SPEC keep-next U keep-all
SPEC G (keep-init) & next keep-go
";
    assert!(!crate::check(text).1.has_errors(), "{:?}", crate::check(text).1);
    check(
        text,
        &[
            "chan:Channel@1d,4r,4r,5r",
            "next:Attribute@3d,5r,5w,5r,6r,7r",
            "init:Attribute@3d,5r,6r,8r",
            "all:Attribute@3d,7r",
            "keep:Instance@6d,7r,7r,8r,8r",
            "go:Label@5d,8r",
        ],
    );
    // Without such an agent, `keep-all` has no names.
    let other = text.replace("keep", "k").replace("k-all", "keep-all");
    check(&other, &["all:Attribute@3d"]);
}

#[test]
fn names_are_found_in_broken_text() {
    let text = "enum role {client, server
agent A
  local: x : role, y :
  init: x = (client &
  repeat: (
    one: {x = client *! (true)(M := x[x := server]
    +
    two: <x = server> c? [y := x
system = A(a, x = client || A(b,
SPEC P: G (a-x = server & b-y
SPEC Q: a-two";
    check(
        text,
        &[
            "role:Enumeration@1d,3r",
            "client:EnumerationValue@1d,4r,6r,9r",
            "x:Attribute@3d,4r,6r,6r,6r,8r,8r,9r,10r",
            "y:Attribute@3d,8w,10r",
            "one:Label@6d",
            "two:Label@8d,11r",
            "a:Instance@9d,10r,11r",
            "b:Instance@9d,10r",
            "P:Property@10d",
            "Q:Property@11d",
        ],
    );
}

/// The labels that are offered at the mark `^`.
fn offered(marked: &str) -> Vec<String> {
    let offset = marked.find('^').unwrap_or_default();
    let text = marked.replacen('^', "", 1);
    let index: Index = index(&text);
    candidates(&text, offset as u32, &index).into_iter().map(|candidate| candidate.label).collect()
}

/// What is offered when one line of the script is another.
fn offered_in(line: &str, other: &str) -> Vec<String> {
    assert!(SCRIPT.contains(line));
    offered(&SCRIPT.replace(line, other))
}

fn begins(found: &[String], wanted: &[&str]) {
    assert!(
        found.len() >= wanted.len() && found.iter().zip(wanted).all(|(a, b)| a == b),
        "{wanted:?}: {found:?}"
    );
}

#[test]
fn completion_knows_the_place() {
    begins(&offered("^"), &["channels", "enum", "message-structure"]);
    begins(
        &offered_in("init: x = 0 & link = c", "init: ^"),
        &["x", "link", "client", "server", "c", "d", "g"],
    );
    begins(&offered_in("init: x = 0 & link = c", "init: link = ^"), &["c", "d", "*"]);
    begins(&offered_in("pv <- client", "pv <- ^"), &["client", "server", "x", "link"]);
    begins(&offered_in("relabel: pv <- client", "relabel: ^"), &["pv"]);
    begins(&offered_in("chan == link", "chan == ^"), &["c", "d", "*"]);
    begins(&offered_in("LNK : channel", "LNK : ^"), &["role", "bool", "int", "channel", "location"]);
    // A send has no message to read in its guard, a receive has.
    let send = offered_in("{x < 3}", "{x < ^}");
    assert!(send.contains(&"x".to_string()) && !send.contains(&"MSG".to_string()), "{send:?}");
    assert!(offered_in("<MSG == server>", "<^>").contains(&"MSG".to_string()));
    begins(&offered_in("<MSG == server>", "<MSG == ^>"), &["client", "server"]);
    begins(&offered_in("link! (g", "^! (g"), &["link", "c", "d", "*", "GET", "SUPPLY"]);
    begins(&offered_in("(g(server, x))", "(^)"), &["pv", "g", "x", "link"]);
    begins(&offered_in("(g(server, x))", "(@^ = client)"), &["pv"]);
    begins(&offered_in("MSG := client", "^"), &["MSG", "LNK"]);
    begins(&offered_in("MSG := client", "MSG := ^"), &["client", "server"]);
    begins(&offered_in("[link := LNK]", "[^]"), &["x", "link", "keep-all"]);
    begins(&offered_in("[link := LNK]", "[link := ^]"), &["c", "d", "*", "x", "link", "MSG", "LNK"]);
    begins(&offered_in("    get:", "    ge^\n    get:"), &["send", "receive", "get"]);
    begins(&offered_in("B(b, true)", "^"), &["A", "B"]);
    assert_eq!(offered_in("B(b, true)", "B(^"), [] as [&str; 0]);
    begins(&offered_in("A(a, x = 1)", "A(a, ^)"), &["x", "link"]);
    begins(
        &offered_in("agent B\n", "agent B\n  ^\n"),
        &["local", "init", "relabel", "receive-guard", "repeat"],
    );
}

#[test]
fn completion_in_specifications_knows_agents() {
    let two = "SPEC Two: exists k : A . <sender = k & MSG = client> (k-x = a-x & b-x = 0)";
    begins(&offered_in(two, "SPEC Two: ^"), &["a", "b", "G", "F", "X"]);
    begins(&offered_in(two, "SPEC Two: G (a-^"), &["x", "link", "send", "get", "automaton-state", "name"]);
    begins(&offered_in(two, "SPEC Two: G (b-s^"), &["x", "send", "automaton-state"]);
    begins(&offered_in(two, "SPEC Two: exists k : A . k-^"), &["x", "link", "send", "get"]);
    begins(&offered_in(two, "SPEC Two: exists k : ^"), &["A", "B", "Agent"]);
    begins(&offered_in(two, "SPEC Two: exists k : A | ^"), &["A", "B", "Agent"]);
    begins(&offered_in(two, "SPEC Two: exists k : A . F ^"), &["k", "a", "b", "G"]);
    begins(&offered_in(two, "SPEC Two: a-x = 1 ^"), &["G", "F", "X", "U"]);
    begins(&offered_in(two, "SPEC Two: <^"), &["sender", "MSG", "LNK", "chan"]);
    begins(&offered_in(two, "SPEC Two: [sender = ^"), &["a", "b"]);
    begins(&offered_in(two, "SPEC Two: <MSG = ^> true"), &["client", "server"]);
    assert_eq!(offered_in(two, "SPEC Two: true // G ^"), [] as [&str; 0]);
}

/// What is cited at the mark.
fn cited(line: &str, other: &str) -> Option<&'static str> {
    assert!(SCRIPT.contains(line));
    let marked = SCRIPT.replacen(line, other, 1);
    let offset = marked.find('^').unwrap_or_default();
    meaning(&marked.replacen('^', "", 1), offset as u32).map(|(_, meaning)| meaning.cites)
}

#[test]
fn words_have_the_meaning_of_their_place() {
    let three = Some("STTT 2023, definition 3");
    assert_eq!(cited("    +\n", "    ^+\n"), three);
    // In an expression it is an addition, of which the article says nothing.
    assert_eq!(cited("x + 1", "x ^+ 1"), None);
    assert_eq!(cited("*! (true)", "^*! (true)"), Some("STTT 2023, section 2 and definition 2"));
    assert_eq!(cited("link! (", "link^! ("), Some("STTT 2023, section 3 and definition 2"));
    assert_eq!(cited("c? [", "c^? ["), Some("STTT 2023, section 3"));
    assert_eq!(cited("local: x", "lo^cal: x"), Some("STTT 2023, definition 1 (V) and figure 2"));
    assert_eq!(cited("receive-guard", "receive-^guard"), Some("STTT 2023, definition 1 (gʳ) and section 3"));
    assert_eq!(cited("pv <- client", "pv ^<- client"), Some("STTT 2023, definition 1 (f) and section 3"));
    assert_eq!(cited("|| B", "^|| B"), Some("STTT 2023, section 3 and definition 2"));
    assert_eq!(cited("chan == link", "^chan == link"), Some("STTT 2023, section 3"));
    assert_eq!(cited("G (k", "^G (k"), Some("STTT 2023, section 5.1"));
    assert_eq!(cited("<sender", "^<sender"), Some("STTT 2023, section 5.1"));
    assert_eq!(cited("client> (k", "client^> (k"), Some("STTT 2023, section 5.1"));
    assert_eq!(cited("<sender", "<^sender"), Some("STTT 2023, section 5.1"));
    assert_eq!(cited("k-x < 2", "k-x ^< 2"), None);
    assert_eq!(
        cited("k-x < 2", "k^-x < 2"),
        Some("STTT 2023, section 6.1; docs/rcheck.md, section Specifications")
    );
    assert_eq!(cited("forall k", "^forall k"), Some("STTT 2023, section 5.2"));
    assert_eq!(cited("keep-all", "^keep-all"), Some("STTT 2023, section 2"));
    assert_eq!(cited("x : 0..3,", "x : 0^..3,"), Some("docs/rcheck.md, section A script"));
    // Names have none.
    assert_eq!(cited("k-send", "k-^send"), None);
    assert_eq!(cited("channels: c", "channels: ^c"), None);
}

#[test]
fn forms_know_the_part_that_is_written() {
    let form = |line: &str, other: &str| {
        let marked = SCRIPT.replacen(line, other, 1);
        let offset = marked.find('^').unwrap_or_default();
        let form = signature(&marked.replacen('^', "", 1), offset as u32)?;
        let (start, end) = *form.parts.get(form.active as usize)?;
        Some(form.label.get(start as usize..end as usize)?.to_string())
    };
    let some = |part: &str| Some(part.to_string());
    assert_eq!(form("{x < 3}", "{x ^< 3}"), some("guard"));
    assert_eq!(form("link! (", "^link! ("), some("channel"));
    assert_eq!(form("(g(server, x))", "(^true)"), some("send guard"));
    assert_eq!(form("(g(server, x))", "(g(^server, x))"), some("r : role"));
    assert_eq!(form("(g(server, x))", "(g(server, ^x))"), some("x : int"));
    assert_eq!(form("MSG := client", "MSG := ^client"), some("message"));
    assert_eq!(form("[x := x + 1]", "[x := ^x + 1]"), some("update"));
    assert_eq!(form("[link := LNK]", "[^link := LNK]"), some("update"));
    assert_eq!(form("A(a, x = 1)", "A(^a, x = 1)"), some("name"));
    assert_eq!(form("A(a, x = 1)", "A(a, ^x = 1)"), some("init"));
    assert_eq!(form("init: x", "init: ^x"), None);
    let get = SCRIPT.replacen("link! (g(server, x))", "GET@(^a)", 1);
    let offset = get.find('^').unwrap_or_default();
    let form = signature(&get.replacen('^', "", 1), offset as u32).map(|form| (form.label, form.active));
    assert_eq!(form, Some(("label: {guard} GET@(from whom)(message)[update]".to_string(), 2)));
}

#[test]
fn names_that_would_be_read_otherwise_are_refused() {
    assert_eq!(name_problem(SymbolKind::Attribute, "chan"), None);
    for wrong in ["", "1a", "a-b", "G", "TRUE", "True", "myself", "init", "message", "until", "and"] {
        assert!(name_problem(SymbolKind::Attribute, wrong).is_some(), "{wrong}");
    }
    assert!(name_problem(SymbolKind::Enumeration, "integer").is_some());
    assert_eq!(name_problem(SymbolKind::Attribute, "integer"), None);
}
