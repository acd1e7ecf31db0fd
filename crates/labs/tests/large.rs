//! Texts with very many names, errors or brackets: what is reported stays small, and the work near-linear. With work that is
//! quadratic these would take minutes to hours.

use swarmcheck_labs::{check, syntax};
use swarmcheck_source::{Diagnostic, Diagnostics, Severity, SourceFile, Span, render};

const MANY: usize = 20_000;

fn found(text: &str) -> Vec<Diagnostic> {
    let (file, mut found) = syntax::parse(text);
    if !found.has_errors() {
        found.extend(check::check(&file, Span::new(text.len(), text.len()), &[]).1);
    }
    let list = found.into_sorted();
    let file = SourceFile::new("large.labs", text);
    let shown: usize = list.iter().map(|d| render::diagnostic(&file, d, false).len()).sum();
    assert!(shown < 2000 * list.len(), "{shown} bytes for {}", list.len());
    list
}

fn agent(interface: &str, behavior: &str) -> String {
    format!("system {{ spawn = A: 1 }} agent A {{ interface = {interface} Behavior = {behavior} }}\n")
}

fn many(each: impl Fn(usize) -> String, between: &str) -> String {
    (0..MANY).map(each).collect::<Vec<_>>().join(between)
}

/// How many errors and warnings are kept, and what the last one of a sort says about the rest.
fn summary(list: &[Diagnostic]) -> (usize, usize, Vec<String>) {
    let count = |severity| list.iter().filter(|d| d.severity == severity).count();
    let left_out = list.iter().flat_map(|d| d.help.clone()).filter(|h| h.ends_with("not shown")).collect();
    (count(Severity::Error), count(Severity::Warning), left_out)
}

#[test]
fn names_that_are_never_used() {
    for between in ["; ", ";\n"] {
        let list = found(&agent(&many(|n| format!("a{n}: 0"), between), "Nil"));
        let rest = format!("{} more warnings are not shown", MANY - Diagnostics::MOST);
        assert_eq!(summary(&list), (0, Diagnostics::MOST, vec![rest]));
    }
}

#[test]
fn names_that_are_unknown_and_declared_twice() {
    let known = many(|n| format!("attribute{n}: 0"), "; ");
    let unknown = many(|n| format!("attribut{n} <- 0"), "; ");
    let list = found(&agent(&known, &unknown));
    assert_eq!(summary(&list).0, Diagnostics::MOST);
    let suggested = list.iter().filter(|d| d.help.iter().any(|h| h.starts_with("did you mean"))).count();
    assert!((1..Diagnostics::MOST).contains(&suggested), "{suggested}");
    let list = found(&agent(&many(|_| "a: 0".to_string(), "; "), "Nil"));
    assert_eq!(summary(&list).0, Diagnostics::MOST);
}

#[test]
fn brackets_and_signs_that_mean_nothing() {
    for text in [")", "(", "system {", "$ ", "$\n"].map(|part| part.repeat(MANY)) {
        let (errors, warnings, _) = summary(&found(&text));
        assert!((1..=100).contains(&errors) && warnings <= 100, "{errors} {warnings}");
    }
}

#[test]
fn empty_lines_and_comments() {
    let text = agent("x: 0", "Nil") + &"\n".repeat(1_000_000) + &"# comment\n".repeat(100_000);
    assert!(found(&text).iter().all(|d| d.severity == Severity::Warning));
}

/// The cells of all variables of all agents are counted together.
#[test]
fn cells_are_limited_in_sum() {
    let sized = |interface: &str, agents: u32| {
        let text = agent(interface, "Nil").replace("A: 1 }", &format!("A: {agents} }}"));
        let list = found(&text);
        let errors = list.into_iter().filter(|d| d.severity == Severity::Error);
        errors.map(|d| (d.code, d.message)).collect::<Vec<_>>()
    };
    assert_eq!(sized("a[16777216]: 0", 1), []);
    assert_eq!(sized("a[8388608]: 0; b[8388608]: 0", 1), []);
    let errors = sized("a[8388608]: 0; b[8388608]: 0; c: 0", 1);
    assert!(matches!(&errors[..], [("E0207", why)] if why.contains("`c`")), "{errors:?}");
    assert_eq!(sized("a[16]: 0; b: 0", 900_000).len(), 0);
    assert_eq!(sized("a[18]: 0; b[2]: 0", 900_000).len(), 1);
}

/// Each of n processes in parallel asks n others whether they have ended.
#[test]
fn processes_in_parallel_are_limited() {
    let lowered = |n: usize| {
        let text = agent("x: 0", &(0..n).map(|_| "x <- 1").collect::<Vec<_>>().join(" || "));
        let (file, _) = syntax::parse(&text);
        let (model, found) = check::check(&file, Span::new(0, 0), &[]);
        let model = model.unwrap_or_else(|| panic!("{found:?}"));
        swarmcheck_labs::lower::lower(&model, &text, Default::default()).map(|_| ()).map_err(|d| d.code)
    };
    assert_eq!(lowered(200), Ok(()));
    assert_eq!(lowered(1001), Err("E0305"));
}
