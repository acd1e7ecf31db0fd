//! Words of their place: wherever a variable can stand, it may be called `agent`, `link` or `always`.

use super::*;

/// Every word that means something in its place and is a name elsewhere.
const WORDS: &str = "system stigmergy agent assume check extern environment spawn interface stigmergies link rate \
    always finally eventually fairly fairly_inf after between from until thereIs precedes count pick where";

fn words() -> Vec<&'static str> {
    WORDS.split_whitespace().collect()
}

/// No finding at all: neither an error nor a warning.
#[track_caller]
fn fine(text: &str) -> File {
    let (file, found) = parse(text);
    let found: Vec<String> = found.iter().map(|d| format!("{}: {}", d.code, d.message)).collect();
    assert!(found.is_empty(), "{found:?}\n{text}");
    file
}

#[test]
fn declared_at_any_place_of_a_list() {
    for word in words() {
        for list in [
            format!("{word}: 0; x: 1; y: 2"),
            format!("x: 1, {word}: 0, y: 2"),
            format!("x: 1 {word}: 0 y: 2"),
            format!("x: 1; y: 2; {word}: 0"),
            format!("x: 1; {word}[2]: 0; y: 2"),
            format!("x: 1; y: 2; {word}: {{1, 2}}"),
            format!("x: 1; y: 2; {word}: [0..3]"),
            format!("x: 1; y: 2; {word}: -1 + 2"),
            format!("x: 1; y: 2; {word}: undef"),
        ] {
            let file = fine(&format!("agent A {{ interface = {list} stigmergies = S Behavior = Skip }}"));
            assert_eq!((file.agents[0].interface.len(), file.agents[0].stigmergies.len()), (3, 1), "{list}");
            let file = fine(&format!("agent A {{ Behavior = Skip; interface: {list} }}"));
            assert_eq!(file.agents[0].interface.len(), 3, "{list}");
            let file = fine(&format!("system {{ extern = _n environment = {list} spawn = A: 1 }}"));
            let system = &file.systems[0];
            let spawned = system.spawn.as_ref().map_or(0, Vec::len);
            assert_eq!((system.environment.len(), system.externs.len(), spawned), (3, 1, 1), "{list}");
            let file = fine(&format!("stigmergy S {{ link = true; {list} }}"));
            assert_eq!(file.stigmergies[0].tuples.len(), 3, "{list}");
            let file = fine(&format!("stigmergy S {{ {list}; link: x of 1 = x of 2 }}"));
            assert_eq!((file.stigmergies[0].tuples.len(), file.stigmergies[0].link.is_some()), (3, true));
        }
        let file = fine(&format!("stigmergy S {{ link: true {word}, x: 0, 1; y, {word}: 0, 1 }}"));
        assert_eq!(file.stigmergies[0].tuples.len(), 2, "{word}");
        fine(&format!("system {{ environment = {word}: _n spawn: A: 1 }}"));
    }
}

#[test]
fn in_processes() {
    for word in words() {
        for body in [
            format!("{word} = 1 -> Skip"),
            format!("Skip; {word} = 1 -> Skip"),
            format!("Skip; {word} = x : 2 -> Skip"),
            format!("Skip; {word} : x = 2 -> Skip"),
            format!("Skip; {word} = _n => Skip"),
            format!("Skip ++ {word} = 1 and {word} = x or forall A {word}, {word} of {word} = 1 -> Skip")
                .replace(" and ", " + 1 and "),
            format!("(Skip; {word} = 1 -> Skip); {word} -> Skip"),
            format!("(x = 0 and {word} = a[0]) -> x <- 1"),
            format!("(x = 1 and {word} = x : 2) -> Skip"),
            format!("{{ x <- 1; x <- (x + {word} = a[0]) }}; Skip"),
            format!("x <- if x = 0 and {word} = _n then 1 else 0"),
            format!("x <- if x = 0 and {word} = a[1] then 1 else 0"),
            format!("(x = 1 and {word} = x) -> Skip; ({word} = 2 -> {word} <- 1)"),
            format!("x <- {word}; {word} <- x; {word}[1] <- {word}[{word}]; x, {word} <- {word}, x"),
            format!("{{ {word} := x + {word}; x <- {word} }}; {word}, x <~ 1, 2; {word} <-- abs({word})"),
            format!("x <- if {word} = 1 then {word} else 0; x <- x of {word}; x <- {word} of x"),
            format!("x <- (count A {word}, {word} of {word} = x) + {word}"),
            format!("{{ p[] := pick 1 A where {word} of 1 = {word} of 2; x <- p[0] }}"),
            format!("{{ p[] := pick 1 where {word} = 1; x <- p[0] }}"),
        ] {
            let text = format!("agent A {{ Behavior = {body}\n interface = x: 0 P = Skip }}");
            let (file, found) = parse(&text);
            let errors: Vec<&Diagnostic> = found.iter().filter(|d| d.code.starts_with('E')).collect();
            assert!(errors.is_empty(), "{errors:?}\n{text}");
            let agent = &file.agents[0];
            assert_eq!((agent.interface.len(), agent.processes.len()), (1, 2), "{text}");
        }
    }
}

#[test]
fn in_links_and_properties() {
    for word in words() {
        fine(&format!("stigmergy S {{ link = {word} of 1 = {word} of 2 and {word} = 1; x: 0 }}"));
        fine(&format!("stigmergy S {{ link: {word} of c1 < 3\n {word}: 0 }}"));
        fine(&format!("stigmergy S {{ link = {word} = 1; x: 0 }}"));
        let file = fine(&format!(
            "assume {{ First = {word} = 1 Second = forall A {word}, {word} of {word} = {word} }}
             check {{
               P = always {word} = 1
               Q = fairly forall A {word}, x of {word} = {word} and {word} > 0
               R = after 3 (count A {word}, {word} of {word} = 1) <= {word}
               T = between ({word} = 1) and ({word} = 2), always {word} = 3
               U = from ({word} = 1) until ({word} = 2), thereIs {word} = 3
               V = between ({word}) and ({word}), {word} = 1 precedes {word} = 2
               W = between ({word}) and ({word}), {word} precedes {word}
               X = always {word}
             }}"
        ));
        assert_eq!((file.assumptions.len(), file.properties.len()), (2, 8), "{word}");
    }
}

/// A number may be a predicate, so `link: 3` is the link unless there is another.
#[test]
fn constant_links() {
    for (text, tuples) in [
        ("stigmergy S { link: 3 x: 0 }", 1),
        ("stigmergy S { link: true\n x: if id = 0 then 1 else 2 }", 1),
        ("stigmergy S { x: 0; link: 0 / -2; }", 1),
        ("stigmergy S { link: 3 link = true x: 0 }", 2),
        ("stigmergy S { x: 0 link: 3; link: x of 1 = 1 }", 2),
        ("stigmergy S { link = 1 link: 3 }", 1),
    ] {
        let file = fine(text);
        let found = (file.stigmergies[0].tuples.len(), file.stigmergies[0].link.is_some());
        assert_eq!(found, (tuples, true), "{text}");
    }
}

#[test]
fn all_words_at_once() {
    let declared: Vec<String> = words().iter().map(|word| format!("{word}: 0")).collect();
    let sum = words().join(" + ");
    let file = fine(&format!(
        "system {{ environment = {} spawn = A: 1 }}
         stigmergy S {{ link = agent of 1 = agent of 2 }}
         agent A {{ Behavior = {sum} = 3 -> agent <-- system; Behavior }}
         check {{ P = always {sum} = link }}",
        declared.join("; ")
    ));
    assert_eq!(file.systems[0].environment.len(), words().len());
}

/// What a parser that went by reserved words reported well is still reported well.
#[test]
fn missing_brackets_are_noticed_at_parts() {
    for (text, bracket) in [
        ("agent A { Behavior = (x <- 1; Skip\n interface = x: 0 }", "("),
        ("agent A { Behavior = { x <- 1; y <- 2\n stigmergies = S }", "{"),
        ("system { environment = x: [0..3\n spawn = A: 1 }", "["),
        ("system { P = (Skip\n environment = x: 0; y: 1 spawn = A: 1 }", "("),
        ("system { environment = x: (1 + 2; y: 0 spawn = A: 1 }", "("),
        ("stigmergy S { x: [0..3\n link = x of 1 = x of 2 }", "["),
        ("agent A { interface = x: 0 Behavior = Skip\nagent B { Behavior = Skip }", "{"),
    ] {
        check_errors(text, &[("E0009", bracket, "is never closed")]);
    }
    check_errors(
        "agent A { Behavior = x <- 1 +\n interface = x: 0 }",
        &[("E0001", "interface", "expected an expression")],
    );
    check_errors(
        "agent A { interface = x:\n stigmergies = S Behavior = Skip }",
        &[("E0001", "stigmergies", "expected an initial value")],
    );
    let found = check_errors(
        "agent A { environment = x: 0 Behavior = Skip }",
        &[("E0001", "environment", "expected `interface`, `stigmergies` or a process definition")],
    );
    assert_eq!(found[0].help, ["`environment` is part of a `system` section"]);
}
