//! Warnings that a text can be read in two ways have one fix per reading. The first keeps the tree, and the second gives another,
//! which is the one that other tools read.

use crate::corpus;
use crate::diagnose::diagnose;
use swarmcheck_labs::syntax;
use swarmcheck_rcheck::Precedence;
use swarmcheck_source::fix::FixData;

/// A tree, shown on many lines, without its places: `12..34`.
fn without_places(tree: &str) -> String {
    let is_place = |line: &&str| {
        let value = line.trim().trim_end_matches(',').rsplit(' ').next().unwrap_or("");
        value.split_once("..").is_some_and(|(a, b)| a.parse::<u32>().is_ok() && b.parse::<u32>().is_ok())
    };
    tree.lines().filter(|line| !is_place(line)).collect::<Vec<_>>().join("\n")
}

fn labs(text: &str) -> String {
    without_places(&format!("{:#?}", syntax::parse(text).0))
}

/// The agents and the specifications in one reading.
fn rcheck(text: &str, precedence: Precedence) -> String {
    let (script, _) = swarmcheck_rcheck::syntax::parse(text, Some(precedence));
    let shown = swarmcheck_rcheck::check_with(text, Some(precedence)).0.map(|spec| {
        let specs = spec.specs.iter().map(|spec| format!("{:?}", spec.formula)).collect::<Vec<_>>();
        format!("{specs:?} {:?}", spec.observations)
    });
    let agents: Vec<_> = script.agents.iter().map(|agent| format!("{:#?}", agent.repeat)).collect();
    shown.map_or_else(|| without_places(&agents.join("\n")), |shown| at_nowhere(&shown))
}

/// A model without the places in it.
fn at_nowhere(shown: &str) -> String {
    let mut parts = shown.split("At(");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |out, part| out + part.split_once(')').map_or("", |(_, rest)| rest))
}

#[test]
fn both_readings_are_offered() {
    let mut checked = 0;
    for model in corpus::written() {
        for diagnostic in diagnose(model.language, &model.text) {
            let [this, other] = diagnostic.fixes.as_slice() else { continue };
            let apply = |fix: &FixData| fix.apply(&model.text).expect("edits that fit");
            let (this, other) = (apply(this), apply(other));
            if ["W0501", "W0502", "W0510"].contains(&diagnostic.code.as_str()) {
                checked += 1;
                let tree = labs(&model.text);
                assert_eq!(labs(&this), tree, "the reading of the text:\n{}\n{this}", model.text);
                assert_ne!(labs(&other), tree, "the other reading:\n{}\n{other}", model.text);
            }
        }
    }
    assert!(checked >= 30, "{checked}");
}

/// Once all that is ambiguous has the parentheses of one reading, both ways to read give that reading.
#[test]
fn parentheses_of_a_reading_leave_one() {
    let mut checked = 0;
    for model in corpus::written().into_iter().filter(|model| model.language == "rcp") {
        let found = diagnose(model.language, &model.text);
        let ambiguous: Vec<_> =
            found.iter().filter(|d| ["W2401", "E2207"].contains(&d.code.as_str())).collect();
        // Loops within loops are told one after the other.
        if ambiguous.is_empty() || ambiguous.iter().any(|d| d.fixes.len() != 2) {
            continue;
        }
        for (number, reading) in Precedence::ALL.into_iter().enumerate() {
            let edits = ambiguous.iter().flat_map(|d| d.fixes[number].edits.clone()).collect();
            let fixed = FixData { title: String::new(), edits }.apply(&model.text).expect("edits that fit");
            let wanted = rcheck(&model.text, reading);
            for way in Precedence::ALL {
                assert_eq!(rcheck(&fixed, way), wanted, "{}\n{fixed}", model.text);
            }
            checked += 1;
        }
    }
    assert!(checked >= 16, "{checked}");
}

/// The readings that the manual of SLiVER has, written out by hand.
#[test]
fn the_other_reading_is_that_of_sliver() {
    let frame = |process: &str| {
        format!(
            "system {{ environment = e: 0\n spawn = A: 1 }}\nagent A {{ interface = x: 0; y: 0\n Behavior = {process} }}\ncheck {{ }}\n"
        )
    };
    for (text, this, other) in [
        ("x = 1 -> y <- 1 ++ y <- 2", "x = 1 -> (y <- 1 ++ y <- 2)", "(x = 1 -> y <- 1) ++ y <- 2"),
        ("x = 1 => y <- 1; y <- 2", "x = 1 => (y <- 1; y <- 2)", "(x = 1 => y <- 1); y <- 2"),
        ("x or y and e -> Skip", "x or (y and e) -> Skip", "(x or y) and e -> Skip"),
        (
            "x or y and e and x = 2 -> Skip",
            "x or (y and e and x = 2) -> Skip",
            "((x or y) and e) and x = 2 -> Skip",
        ),
        ("e <-- x of e + 1", "e <-- (x of e) + 1", "e <-- x of (e + 1)"),
        ("e <-- x of e + 1 + y", "e <-- (x of e) + 1 + y", "e <-- x of (e + 1 + y)"),
    ] {
        let found = diagnose("labs", &frame(text));
        let warning =
            found.iter().find(|d| d.fixes.len() == 2).unwrap_or_else(|| panic!("{text}: {found:?}"));
        for (fix, wanted) in warning.fixes.iter().zip([this, other]) {
            let fixed = fix.apply(&frame(text)).expect("edits that fit");
            assert_eq!(labs(&fixed), labs(&frame(wanted)), "{fixed}");
        }
    }
}
