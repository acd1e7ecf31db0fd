//! What may be written at a place, on models that are being written: `‸` is the place.

use super::index;
use crate::editor::candidates;
use swarmcheck_source::index::Candidate;

fn complete(marked: &str) -> Vec<Candidate> {
    let (before, after) = marked.split_once('‸').expect("a place");
    let text = format!("{before}{after}");
    let found = candidates(&text, before.len() as u32, &index(&text));
    let labels: std::collections::HashSet<&str> = found.iter().map(|c| c.label.as_str()).collect();
    assert_eq!(labels.len(), found.len(), "each label once: {found:#?}");
    found
}

/// Checks that labels are offered, in this order, and that others, behind a `!`, are not.
fn check(marked: &str, expected: &str) {
    let found = complete(marked);
    let labels: Vec<&str> = found.iter().map(|c| c.label.as_str()).collect();
    let mut from = 0;
    for word in expected.split_whitespace() {
        if let Some(word) = word.strip_prefix('!') {
            assert!(!labels.contains(&word), "{word} is offered in\n{marked}\n{labels:?}");
            continue;
        }
        let at = labels.iter().skip(from).position(|label| *label == word);
        from += at.unwrap_or_else(|| panic!("{word} is not offered, or too early, in\n{marked}\n{labels:?}"));
    }
}

/// A model around the definitions of kind `A`.
fn agent(definitions: &str) -> String {
    format!(
        "system {{ extern = _n environment = env: 0 spawn = A: 1, B: 1  Global = Skip }}
         stigmergy S {{ link = true s: 0 }}  stigmergy T {{ link = true t: 0 }}
         agent B {{ interface = y: 0 Behavior = Nil }}
         agent A {{ interface = x: 0 stigmergies = S  Own = Skip
                   {definitions} }}
         check {{ P = always true }}"
    )
}

fn property(text: &str) -> String {
    agent("Behavior = Skip").replace("always true", text)
}

#[test]
fn sections_stand_at_the_top() {
    check("‸", "system stigmergy agent assume check view");
    check("sys‸", "system agent");
    check("system { spawn = A: 1 }\n‸ agent A { Behavior = Nil }", "!system agent check view");
    check("agent ‸", "!system !agent");
    check("# about ‸", "!system");
    let found = complete("ag‸");
    let agent = found.iter().find(|c| c.label == "agent").and_then(|c| c.insert.as_deref());
    assert!(agent.is_some_and(|insert| insert.starts_with("agent ${1")), "{agent:?}");
}

#[test]
fn sections_know_their_parts() {
    check("system { ‸ }", "extern environment spawn !interface !link");
    check("system { extern = _n  sp‸ }", "environment spawn !extern");
    check("agent A { ‸ }", "interface stigmergies rate Behavior !spawn");
    check("agent A { interface = x: 0\n ‸ }", "stigmergies !interface");
    check("stigmergy S { ‸ }", "link");
    check("view { ‸ }", "space show floor");
}

#[test]
fn a_process_knows_its_agent() {
    check(&agent("Behavior = ‸"), "x s env Own Behavior Global Skip Nil _n id forall min !y !t");
    check(&agent("Behavior = x <- ‸"), "x s env _n if !Own !Skip !pick !y");
    check(&agent("Behavior = x <- 1; O‸"), "x Own Skip");
    check(&agent("Behavior = x = ‸"), "x s !Own");
    check(&agent("Behavior = x = 1 -> ‸"), "x Own");
    check(&agent("Behavior = x ‸"), "of and or !x !Own");
    check(&agent("Behavior = x <- _‸"), "_n !x");
    // The definition before it is broken, too.
    check(&agent("Bad = { x <- ;\n Behavior = ‸"), "x s env Own");
}

#[test]
fn blocks_know_their_variables() {
    check(&agent("Behavior = { v := 1; ‸ }"), "v x s env !Own !Skip");
    check(&agent("Behavior = { v, w := 1, 2; x <- ‸ }"), "v w x");
    check(&agent("Behavior = { v := ‸ }"), "x pick !v");
    check(&agent("Behavior = { v := 1; x <- v }; x <- ‸"), "x !v");
    check(&agent("Behavior = { m[] := pick ‸ }"), "_n !x");
    check(&agent("Behavior = { m[] := pick 1 ‸ }"), "B A where !x");
    check(&agent("Behavior = { m[] := pick 1 B ‸ }"), "where !x !A");
    check(&agent("Behavior = { m[] := pick 1 B where ‸ }"), "y x env !forall");
    check(&agent("Behavior = { m[] := pick 1 B where y of ‸ }"), "1 2 !x");
    check(&agent("Behavior = { m[] := pick 1 B; x <- y of ‸ }"), "m id !x");
}

#[test]
fn kinds_and_stigmergies_stand_where_they_are_named() {
    check("system { spawn = ‸ } agent A {} agent B {}", "A B !interface");
    check("system { spawn = A: 1, ‸ } agent A {} agent B {}", "A B");
    check("system { extern = _n spawn = A: ‸ } agent A {}", "_n !A");
    check(&agent("stigmergies = ‸"), "S T !x");
    for quantifier in ["forall", "exists", "count"] {
        check(&property(&format!("always {quantifier} ‸")), "B A !x !forall");
        check(&property(&format!("always {quantifier} A ‸")), "!A !x");
    }
}

#[test]
fn properties_begin_with_a_modality() {
    check(&property("‸"), "always eventually finally fairly fairly_inf after between from ltl !x");
    check(&property("alw‸"), "always");
    let found = complete(&property("‸"));
    let between = found.iter().find(|c| c.label == "between").and_then(|c| c.insert.as_deref());
    assert_eq!(between, Some("between (${1}) and (${2}), always $0"));
    check(&property("between (env = 1) and (env = 2), ‸"), "always thereIs");
    check(&property("from (env = 1) ‸"), "until");
}

#[test]
fn predicates_know_bound_agents() {
    check(&property("always forall A a, ‸"), "a x s env forall !y !Own");
    check(&property("always forall A a, forall B b, ‸"), "b a y x env");
    check(&property("always forall A a, x of ‸"), "a !x");
    check(&property("always (forall A a, x of a = 1) and ‸"), "env !a");
    let found = complete(&property("always forall A a, forall B b, ‸"));
    let inserted = |label: &str| found.iter().find(|c| c.label == label).and_then(|c| c.insert.clone());
    assert_eq!(inserted("x").as_deref(), Some("x of a"));
    assert_eq!(inserted("y").as_deref(), Some("y of b"));
    assert_eq!(inserted("env"), None);
}

#[test]
fn formulas_know_their_words() {
    check(&property("ltl ‸"), "G F X forall !acts");
    check(&property("ltl forall A a, G (a ‸)"), "acts U W R");
    check(&property("ltl forall A a, G (x of a = 1 -> ‸)"), "a x G F");
    check(&property("ltl G ‸"), "G forall !U");
    check(&property("ltl env = 1 U ‸"), "env G !U");
    check(&property("always ‸"), "forall !G");
    check(&property("after 3 ‸"), "env forall !and");
    check(&property("after ‸"), "_n");
}

#[test]
fn links_name_both_ends() {
    let link = |text: &str| agent("Behavior = Skip").replacen("link = true", &format!("link = {text}"), 1);
    check(&link("‸;"), "x s env !y !forall");
    check(&link("x of ‸"), "1 2 !x");
}

#[test]
fn views_name_variables_of_the_kind() {
    let view = |text: &str| format!("{} view {{ {text} }}", agent("Behavior = Skip"));
    check(&view("space = ‸"), "_n");
    check(&view("space = _n ‸"), "torus");
    check(&view("show ‸"), "B A");
    check(&view("show A ‸"), "at !x");
    check(&view("show A at ‸"), "x s !y");
    check(&view("show A at x ‸"), "heading colour label size");
    check(&view("floor = ‸"), "env !x");
}
