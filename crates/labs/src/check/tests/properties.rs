//! Assumptions and properties.

use super::{check, model, property, says};
use crate::model::{Inside, Modality};

#[test]
fn variables_need_owners() {
    check(&property("always forall A a, x of a + env + s of 0 + x of (x of a) + id of a = a"));
    check(&property("always «E0108»x = 1"));
    check(&property("always forall A a, «E0108»x = «E0108»id"));
    check(&property("always forall A a, x of «E0101»b = id of «E0101»c"));
    check(&property("always forall A a, env of «E0108»a = 1"));
    check(&property("always forall B b, «E0107»y of b = 1"));
    check(&property("always forall A a, «E0101»z of a = «E0204»row of a"));
    check(&property("always exists «E0103»C c, x of c = own of c"));
    says(&property("always x = 1"), "write `x of a` for a quantified agent `a`");
    says(&property("always forall A me, x = 1"), "write `x of me` for the quantified agent `me`");
    says(&property("always forall A bird, x of brid = 1"), "did you mean `bird`?");
    says(&property("always forall A bird, x of b = 1"), "no quantifier binds `b`");
}

#[test]
fn quantifiers_alternate_freely() {
    check(&property(
        "always forall A a, exists B b, forall A c, a = c or x of a < count B d, x of d = x of b",
    ));
    check(&property("always forall A a, exists B «E0106»a, x of a = 1"));
    check(&property("always exists A «E0106»env, x of env = 1"));
    check(&property("always (exists A a, x of a = 1) and exists B a, x of a = 1"));
}

#[test]
fn modalities() {
    let modality =
        |text: &str| model(&property(&format!("{text} env = 0"))).properties.swap_remove(0).modality;
    assert!(matches!(modality("always"), Modality::Always));
    assert!(matches!(modality("eventually"), Modality::Eventually));
    assert!(matches!(modality("finally"), Modality::Finally));
    assert!(matches!(modality("fairly"), Modality::Fairly));
    assert!(matches!(modality("fairly_inf"), Modality::FairlyInf));
    assert!(matches!(modality("after 5"), Modality::After(5)));
    let scoped = modality("from (env = 1) until (env = 2), thereIs");
    assert!(matches!(scoped, Modality::Scoped { open: true, inside: Inside::ThereIs, .. }));
    let scoped = modality("between (env = 1) and (env = 2), always");
    assert!(matches!(scoped, Modality::Scoped { open: false, inside: Inside::Always, .. }));
}

#[test]
fn modalities_are_checked() {
    check(&property("after «E0207»(-1) env = 0"));
    check(&property("after («E0205»env + 1) env = 0"));
    check(&property("between («E0108»x = 1) and («E0101»z = 2), always env = 0"));
    check(&property("between (env = 1) and (env = 2), («E0108»x = 3) precedes (env = 0)"));
}

#[test]
fn property_names_are_unique() {
    check(&property("always env = 0 «E0106»Tested = always env = 1"));
    let assume = "assume { P = env = 0 «E0106»P = env = 1; Q = «E0108»x = 1 }";
    check(&format!("{} {assume}", property("always env = 0")));
    // Assumptions and properties do not get in each other's way.
    check(&format!("{} assume {{ Tested = env = 0 }}", property("always env = 0")));
}
