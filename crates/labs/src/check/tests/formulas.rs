//! Formulas: what they mean once they are checked, and mistakes.

use super::*;
use crate::model::{Atom, Modality};
use swarmcheck_ir::Linear;

fn system(formula: &str) -> String {
    format!(
        "system {{ environment = e: 0; spawn = A: 2, B: 1 }}
agent A {{ interface = x: 0  Behavior = x <- e; Behavior }}
agent B {{ interface = y: 0  Behavior = e <-- y; Behavior }}
check {{ P = ltl {formula} }}"
    )
}

/// How a formula looks once quantifiers are written out; predicates are `p`.
fn shown(f: &Linear<Atom>) -> String {
    let list = |parts: &[Linear<Atom>]| parts.iter().map(shown).collect::<Vec<_>>().join(" ");
    match f {
        Linear::Atom(Atom::State(_)) => "p".to_string(),
        Linear::Atom(Atom::Acts(a)) => format!("acts{a}"),
        Linear::Atom(Atom::CanAct(a)) => format!("can-act{a}"),
        Linear::Atom(Atom::Sends(a)) => format!("sends{a}"),
        Linear::Atom(Atom::CanSend(a)) => format!("can-send{a}"),
        Linear::Atom(Atom::Delivered) => "delivered".to_string(),
        Linear::Not(a) => format!("!{}", shown(a)),
        Linear::And(parts) => format!("and({})", list(parts)),
        Linear::Or(parts) => format!("or({})", list(parts)),
        Linear::Next(a) => format!("X({})", shown(a)),
        Linear::Until(a, b) => format!("U({} {})", shown(a), shown(b)),
        Linear::Release(a, b) => format!("R({} {})", shown(a), shown(b)),
    }
}

fn becomes(formula: &str, expected: &str) {
    let text = system(formula);
    let (tree, found) = crate::syntax::parse(&text);
    assert!(!found.has_errors(), "{formula}");
    let (model, found) = crate::check::check(&tree, swarmcheck_source::Span::new(0, 0), &[]);
    let Some(model) = model else { panic!("{formula}: {:?}", found.into_sorted()) };
    let Modality::Linear(formula) = &model.properties[0].modality else { panic!("no formula: {formula}") };
    assert_eq!(shown(formula), expected);
}

#[test]
fn what_is_one_predicate() {
    becomes("G e = 1 and e = 2", "and(R(or() p) p)");
    becomes("G (e = 1 and !(e = 2) or forall A a, x of a = 1)", "R(or() p)");
    becomes("G (e = 1 -> e = 2)", "R(or() or(!p p))");
    becomes("forall A a, x of a = 1", "p");
}

#[test]
fn quantifiers_are_written_out() {
    becomes("forall A a, F a acts", "and(U(and() acts0) U(and() acts1))");
    becomes("exists B b, X b can act", "or(X(can-act2))");
    becomes("forall A a, exists A b, a acts and X b sends", {
        "and(or(and(acts0 X(sends0)) and(acts0 X(sends1))) or(and(acts1 X(sends0)) and(acts1 X(sends1))))"
    });
    becomes("agent 2 can send U delivered", "U(can-send2 delivered)");
    becomes("e = 1 W agent 0 acts", "R(acts0 or(acts0 p))");
}

#[test]
fn mistakes_in_formulas() {
    check(&system("F «E0101»c acts"));
    check(&system("forall A abc, F «E0101»abd acts"));
    check(&system("F agent «E0207»3 acts"));
    check(&system("F agent («E0101»e) acts"));
    check(&system("F agent («E0205»e + 1) acts"));
    check(&system("forall «E0103»C c, F c acts"));
    check(&system("forall A «E0106»e, F e acts"));
    check(&system("forall A a, G «E0107»y of a = 1"));
    check(&system("G «E0108»x = 1"));
}

/// 5,000 parts are enough for everybody: larger formulas are refused, also if only `W` makes them so large.
#[test]
fn formulas_have_a_size() {
    let text = |formula: &str| {
        let text = system(formula).replace("A: 2", "A: 200");
        let (tree, found) = crate::syntax::parse(&text);
        assert!(!found.has_errors());
        let (_, found) = crate::check::check(&tree, swarmcheck_source::Span::new(0, 0), &[]);
        found.into_sorted().into_iter().map(|d| d.code).filter(|c| c.starts_with('E')).collect::<Vec<_>>()
    };
    assert_eq!(text("forall A a, F a acts"), Vec::<&str>::new());
    assert_eq!(text("forall A a, forall A b, F x of a = x of b"), ["E0306"]);
    assert_eq!(text("F (forall A a, forall A b, x of a = x of b)"), Vec::<&str>::new());
    assert_eq!(text(&format!("{} e = 1", "e = 0 W ".repeat(60))), ["E0306"]);
}
