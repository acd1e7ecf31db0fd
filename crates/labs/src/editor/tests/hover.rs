//! Meanings of words and signs, and the forms around a place: `‸` is the place.

use crate::editor::meanings::MEANINGS;
use crate::editor::{meaning, signature};

/// Checks that the word at the place means something whose words contain these; nothing if they are empty.
fn means(marked: &str, expected: &str) {
    let (before, after) = marked.split_once('‸').expect("a place");
    let text = format!("{before}{after}");
    match meaning(&text, before.len() as u32) {
        None => assert_eq!(expected, "", "no meaning in {marked}"),
        Some((_, found)) => {
            assert!(
                !expected.is_empty() && found.says.contains(expected),
                "{marked}: {found:?}, not {expected:?}"
            );
        }
    }
}

fn process(text: &str) -> String {
    format!("system {{ spawn = A: 1 }} agent A {{ interface = x: 0; agent: 1; count: 2 Behavior = {text} }}")
}

fn property(text: &str) -> String {
    format!("{} check {{ P = {text} }}", process("Skip"))
}

#[test]
fn signs_of_processes() {
    means(&process("x ‸<- 1"), "Assigns attributes");
    means(&process("x <‸- 1"), "Assigns attributes");
    means(&process("x ‸<~ 1"), "propagated");
    means(&process("x ‸<-- 1"), "environment");
    means(&process("{ v ‸:= 1; x <- v }"), "end of its block");
    means(&process("x = 1 ‸-> Skip"), "guard");
    means(&process("x = 1 ‸=> Skip"), "conditional process");
    means(&process("Skip ‸++ Skip"), "choice");
    means(&process("Skip ‸|| Skip"), "parallel");
    means(&process("Skip‸; Skip"), "when it has ended");
    means(&process("{ x <- 1‸; x <- 2 }"), "same step");
    means(&process("‸Skip"), "changes nothing");
    means(&process("‸Nil"), "idle");
    means(&process("Skip ‸@ 2"), "rate");
    means(&process("{ m[] := ‸pick 1 A where x of 2 = 1 }"), "Fills a local array");
    means(&process("{ m[] := pick 1 A ‸where x of 2 = 1 }"), "candidate");
    means(&process("{ m[] := pick 1 A where x ‸of 2 = 1 }"), "candidate");
    means(&process("x <- x ‸of 0"), "agent with this number");
    means(&process("x <- x ‸: 2"), "nearest");
    means(&process("x <- x ‸/ 2"), "toward zero");
    means(&process("x <- x ‸% 2"), "never negative");
    means(&process("x <- [0‸..2]"), "when the action is taken");
    means(&process("x <- ‸min(x, 1)"), "smaller");
    means(&process("x ‸= 1 -> Skip"), "equal");
    means(&process("x <- ‸count A a, x of a = 1"), "number of agents");
}

#[test]
fn names_have_no_meaning() {
    means(&process("‸agent <- 1"), "");
    means(&process("x <- ‸count"), "");
    means(&process("‸x <- 1"), "");
    means(&process("Skip").replace("agent: 1", "‸agent: 1"), "");
    means(&process("Skip").replace("Behavior =", "‸Behavior ="), "");
    means(&process("Skip").replace("Behavior =", "Behavior ‸="), "");
    means("# a comment about ‸link", "");
}

#[test]
fn words_of_sections() {
    means(&process("Skip").replace("agent A", "‸agent A"), "kind of agents");
    means(&process("Skip").replace("system", "‸system"), "global section");
    means(&process("Skip").replace("spawn", "‸spawn"), "numbered from 0");
    means(&process("Skip").replace("A: 1", "A‸: 1"), "number of agents");
    means(&process("Skip").replace("x: 0", "x‸: 0"), "initial values");
    means(&process("Skip").replace("x: 0", "x: 0‸..2"), "not including");
    means(&process("Skip").replace("x: 0", "x: ‸undef"), "no value at first");
    means("stigmergy S { ‸link = x of 1 = 2 }", "link predicate");
    means("stigmergy S { link = x ‸of 1 = 2 }", "sender");
    means("stigmergy S { link = true ‸rate = 2 }", "unit of time");
    means("system { extern = _n‸: 3 }", "command line");
    means("view { space = 3, 3 ‸torus }", "other");
    // The section before it is not closed.
    means("agent A { Behavior = ‸agent B { Behavior = Nil }", "kind of agents");
}

#[test]
fn words_of_properties() {
    for word in ["always", "eventually", "finally", "fairly", "fairly_inf", "ltl"] {
        means(&property(&format!("‸{word} true")), " ");
    }
    means(&property("‸after 3 true"), "exactly");
    means(&property("‸between (true) and (false), always true"), "scopes that close");
    means(&property("between (true) ‸and (false), always true"), "closes");
    means(&property("between (true) and (false), ‸always true"), "state of each scope");
    means(&property("from (true) ‸until (false), thereIs true"), "closes");
    means(&property("from (true) until (false), ‸thereIs true"), "some state");
    means(&property("from (true) until (false), true ‸precedes false"), "before");
    means(&property("between (true ‸and false) and (false), always true"), "Both conditions");
    means(&property("always true ‸and false"), "Both conditions");
    means(&property("always ‸forall A a, x of a = 1"), "All agents");
    means(&property("always forall A a, x ‸of a = 1"), "bound");
    means(&property("ltl ‸G F true"), "all later points");
    means(&property("ltl ‸[] <> true"), "all later points");
    means(&property("ltl [] ‸<> true"), "later point");
    means(&property("ltl true ‸U false"), "Until");
    means(&property("ltl true ‸-> false"), "does not hold");
    means(&property("ltl forall A a, a ‸acts"), "next step");
    means(&property("ltl forall A a, a ‸can act"), "possible");
    means(&property("ltl G ‸delivered"), "message");
    means(&property("ltl ‸agent 0 sends"), "number");
}

/// Every rule that is cited has its table, and every section of the reference exists.
#[test]
fn citations_exist() {
    let rules = [
        ("TICK", "3.3"),
        ("CHOICE-L", "3.3"),
        ("PAR1", "3.3"),
        ("SEQ1", "3.3"),
        ("SKIP", "3.7"),
        ("AWAIT", "3.11"),
        ("ATTR", "3.10"),
        ("LSTIG", "3.10"),
        ("ENV", "3.10"),
        ("EVAL_I", "3.11"),
        ("EVAL_L", "3.11"),
        ("EVAL_E", "3.11"),
    ];
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/labs.md");
    let reference = std::fs::read_to_string(path).expect("the reference");
    let (mut sections, mut cited) = (0, 0);
    for (word, place, says, cites) in MEANINGS {
        assert!(says.ends_with('.') && !cites.is_empty(), "{word} {place:?}");
        for (rule, table) in rules {
            if cites.contains(&format!("rule {rule}")) || cites.contains(&format!("rules {rule}")) {
                assert!(cites.contains(table), "{cites}: rule {rule} is in table {table}");
                cited += 1;
            }
        }
        for part in cites.split("; ") {
            let Some(section) = part.strip_prefix("docs/labs.md, ") else { continue };
            let heading = section.split(", item").next().unwrap_or_default();
            assert!(reference.contains(&format!("\n## {heading}")), "{word}: there is no section {heading}");
            sections += 1;
        }
    }
    assert!(sections >= 50 && cited >= 12, "{sections} sections, {cited} rules");
}

/// Checks the form around a place, with its active part in brackets; empty if there is none.
fn form(marked: &str, expected: &str) {
    let (before, after) = marked.split_once('‸').expect("a place");
    let found = signature(&format!("{before}{after}"), before.len() as u32).map(|found| {
        let (start, end) = found.parts[found.active as usize];
        let (start, end) = (start as usize, end as usize);
        format!("{}⟨{}⟩{}", &found.label[..start], &found.label[start..end], &found.label[end..])
    });
    assert_eq!(found.unwrap_or_default(), expected, "in {marked}");
}

#[test]
fn forms_know_their_active_part() {
    form(&process("x <- min(‸"), "min(⟨number⟩, number)");
    form(&process("x <- min(x, (1 + ‸"), "min(number, ⟨number⟩)");
    form(&process("x <- abs(‸)"), "abs(⟨number⟩)");
    form(&process("x <- min(1, 2) ‸"), "");
    form(&process("{ m[] := pick ‸ }"), "pick ⟨number⟩ Kind where condition");
    form(&process("{ m[] := pick (1 + 1) ‸ }"), "pick number ⟨Kind⟩ where condition");
    form(&process("{ m[] := pick 1 A where ‸ }"), "pick number Kind where ⟨condition⟩");
    form(&process("{ m[] := pick 1 A; ‸ }"), "");
    form(&process("x <- count ‸"), "count ⟨Kind⟩ name, condition");
    form(&property("always forall ‸"), "forall ⟨Kind⟩ name, condition");
    form(&property("always forall A ‸"), "forall Kind ⟨name⟩, condition");
    form(&property("always forall A a, ‸"), "forall Kind name, ⟨condition⟩");
    form(&property("always forall A a, exists A ‸"), "exists Kind ⟨name⟩, condition");
    form(&property("always (forall A a, true) and ‸"), "");
    form(&property("between (‸"), "between (⟨event⟩) and (event), always predicate");
    form(&property("between (true and true) and (‸"), "between (event) and (⟨event⟩), always predicate");
    form(&property("from (true) until (true), ‸"), "from (event) until (event), always ⟨predicate⟩");
    let grid = |text: &str| {
        format!(
            "system {{ extern = _n environment = m[3, (_n + 1)]: 0; k[2][4]: 0 spawn = A: 1 }}
                 agent A {{ Behavior = {text} }}"
        )
    };
    form(&grid("m[‸"), "m[⟨0..3⟩, 0..(_n + 1)]");
    form(&grid("m[1, ‸"), "m[0..3, ⟨0..(_n + 1)⟩]");
    form(&grid("k[1][‸"), "k[0..2, ⟨0..4⟩]");
    form("‸", "");
}
