//! The grammar of queries, and every error with its place.

use super::*;

fn part(text: &str, at: usize) -> Part {
    Part { text: text.to_string(), at }
}

fn check(text: &str, expected: Ask) {
    let found = read(text, &["Agreed", "No way"]).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    assert_eq!(found.ask, expected, "{text}");
    assert_eq!(found.comparison, None, "{text}");
}

#[test]
fn paths() {
    let steps = |n| Some(Bound::Steps(n));
    let until = |hold: Option<Part>, goal, within| Ask::Probability(Path::Until { hold, goal, within });
    let named = |name: &str, within| Ask::Probability(Path::Named { name: name.to_string(), within });
    check("P(eventually x = 1 within 500 steps)", until(None, part("x = 1", 13), steps(500)));
    check(" P( finally x = 1 within 5 ) ", until(None, part("x = 1", 12), steps(5)));
    check("P(eventually x = 1)", until(None, part("x = 1", 13), None));
    check(
        "P(a until (b within c) within 2.5 time)",
        until(Some(part("a", 2)), part("(b within c)", 10), Some(Bound::Time(2.5))),
    );
    let always = Path::Always { condition: part("x = 1", 9), within: steps(1) };
    check("P(always x = 1 within 1 step)", Ask::Probability(always));
    let after = |condition, steps| Ask::Probability(Path::After { condition, steps });
    check("P(x = 1 after 10 steps)", after(part("x = 1", 2), 10));
    check("P(after 10 x = 1)", after(part("x = 1", 11), 10));
    check("P(after 10 steps x = 1)", after(part("x = 1", 17), 10));
    check("P(after 3 (x = 1))", after(part("(x = 1)", 10), 3));
    let linear = Path::Linear { formula: part("G (p -> F q)", 6), within: steps(9) };
    check("P(ltl G (p -> F q) within 9 steps)", Ask::Probability(linear));
    check("P(Agreed)", named("Agreed", None));
    check("P(No way)", named("No way", None));
    check("P(Agreed within 7 steps)", named("Agreed", steps(7)));
    check("S(x = 1)", Ask::LongRun(part("x = 1", 2)));
}

#[test]
fn expectations() {
    check("E(steps until x = 1)", Ask::Expectation(What::StepsUntil(part("x = 1", 14))));
    check("E(time until x = 1)", Ask::Expectation(What::TimeUntil(part("x = 1", 13))));
    let value = part("count Bird b, leader of b = 0", 2);
    check("E(count Bird b, leader of b = 0 after 100)", Ask::Expectation(What::After { value, steps: 100 }));
    check("E(x + 1 at the end)", Ask::Expectation(What::AtTheEnd(part("x + 1", 2))));
    assert_eq!(read("Emax(steps until p)", &[]).map(|q| q.optimum), Ok(Some(Optimum::Maximum)));
    assert_eq!(read("Pmin(eventually p)", &[]).map(|q| q.optimum), Ok(Some(Optimum::Minimum)));
}

#[test]
fn comparisons() {
    let compared = |text: &str| read(text, &[]).expect("reads").comparison.expect("compares");
    let check = |text: &str, upwards, equal, threshold| {
        assert_eq!(compared(text), Comparison { upwards, equal, threshold }, "{text}");
        assert!(has_threshold(text), "{text}");
    };
    check("P(eventually p) >= 0.9", true, true, 0.9);
    check("P(eventually p)>0", true, false, 0.0);
    check("P(eventually p) <= .5", false, true, 0.5);
    check("E(steps until p) < 1e3 ", false, false, 1000.0);
    assert!(
        has_threshold("P(Agreed) >= 0.5")
            && !has_threshold("P(Agreed)")
            && !has_threshold("P(")
            && !has_threshold("")
    );
    assert!(compared("P(eventually p) >= 0.9").holds(0.9) && !compared("P(eventually p) > 0.9").holds(0.9));
}

/// The place is told by the text below it.
#[test]
fn errors_have_places() {
    let check = |text: &str, place: &str, message: &str, help: &str| {
        let found = read(text, &["Agreed", "Deadlocked"]).expect_err(text);
        assert_eq!(text.get(found.span.clone()), Some(place), "{text}: {found:?}");
        assert!(found.message.contains(message), "{text}: {found:?}");
        assert!(
            help.is_empty() && found.help.is_empty() || found.help.iter().any(|h| h.contains(help)),
            "{text}: {found:?}"
        );
    };
    check("", "", "no query", "P(eventually");
    check("Agreed", "Agreed", "is a property", "P(Agreed)");
    check("eventually p", "eventually p", "no query", "P(eventually");
    check("p(eventually x)", "p", "begins with", "did you mean `P`");
    check("Q(eventually x)", "Q", "begins with", "P(eventually");
    check("P=? [F x] (y)", "P=? [F x]", "begins with", "P(eventually");
    check("P(eventually (x", "(", "not closed", "close it");
    check("P()", "(", "is missing", "");
    check("P(eventually )", "y", "is missing", "");
    check("P(eventually within 5 steps)", "y", "is missing", "");
    check("P(Agred)", "Agred", "no property", "did you mean `Agreed`");
    check("P(Nothing)", "Nothing", "no property", "eventually p");
    check("P(x = 1)", "x = 1", "when this should hold", "eventually x = 1");
    check("P(eventually p within 1.5 steps)", "1.5 steps", "whole", "within 100 steps");
    check("P(eventually p within)", "within", "no bound", "within 100 steps");
    check("P(eventually p within -3 steps)", "-3 steps", "no bound", "within 100 steps");
    check("P(eventually p within many steps)", "many steps", "no bound", "within 100 steps");
    check("P(eventually p wihtin 20 steps)", "wihtin", "no word", "did you mean `within`");
    check("P(evetually p within 20 steps)", "evetually", "no word", "did you mean `eventually`");
    check("P(p after many)", "after many", "no number of steps", "after 100");
    check("P(after p)", "after", "must follow", "after 100 p");
    check("P(fairly p)", "fairly", "all executions", "eventually p");
    check("P(between (a) and (b), always c)", "between", "by the name", "P(Name)");
    check("P(eventually p) = 0.5", "= 0.5", "does not belong", ">=");
    check("P(eventually p) foo", "foo", "does not belong", "comparison");
    check("P(eventually p) >= many", "many", "with a number", "0.9");
    check("P(eventually p) >=", ">=", "with a number", "0.9");
    check("P(eventually p) >= 1.5", "1.5", "between 0 and 1", "0.9");
    check("P(eventually p) >= NaN", "NaN", "with a number", "0.9");
    check("E(x)", "x", "when this is looked at", "steps until p");
    check("E(steps until p within 5)", " p within 5", "no bound", "leave out");
    check("E(at the end)", "(", "is missing", "");
}

/// Whatever is typed is read or refused, with a place inside.
#[test]
fn nothing_panics() {
    let pieces = [
        "P",
        "E",
        "(",
        ")",
        " ",
        "after",
        "within",
        "until",
        "5",
        "steps",
        "é",
        "→",
        "[",
        "]",
        ">=",
        "0.9",
        "Agreed",
        "at the end",
        "ltl",
        "-",
        ".",
        "∞",
    ];
    let mut rng = fastrand::Rng::with_seed(7);
    let (mut good, mut bad) = (0, 0);
    for _ in 0..20_000 {
        let mut text = if rng.bool() { "P(".to_string() } else { String::new() };
        for _ in 0..rng.usize(0..9) {
            text += pieces[rng.usize(0..pieces.len())];
            text += if rng.bool() { " " } else { "" };
        }
        text += if rng.bool() { ")" } else { "" };
        match read(&text, &["Agreed"]) {
            Ok(_) => good += 1,
            Err(e) => {
                assert!(text.get(e.span.clone()).is_some(), "{text:?}: {e:?}");
                bad += 1;
            }
        }
        has_threshold(&text);
    }
    assert!(good > 100 && bad > 1000, "{good} {bad}");
}
