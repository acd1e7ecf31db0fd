//! Warnings about what is not used.

use super::{check, check_with, says, with};

#[test]
fn variables() {
    let file = "system { environment = «W0503»e: 0; f: 0 spawn = A: 1 }
        agent A { interface = «W0503»x: 0; y: 0 Behavior = e <-- f; y > 0 -> Skip }";
    check(file);
    says(file, "environment variable `e` is assigned but never read");
    says(file, "attribute `x` is never used");
}

#[test]
fn uses_anywhere_count() {
    check(
        "system { environment = e: 0; f: 0; g: 0; h: 0; i: 0 spawn = A: 1 }
        stigmergy S { link = e = 0 v: 0 }
        agent A { stigmergies = S Behavior = f -> { d[] := pick 1 where g = 0; v <~ d[0] + v }; Behavior }
        assume { H = h = 0 } check { I = always i = 0 }",
    );
}

#[test]
fn stigmergies() {
    check("system { spawn = A: 1 } stigmergy «W0504»S { link = true v: 0 } agent A { Behavior = Skip }");
}

#[test]
fn processes() {
    check(&with("Behavior = P; Behavior P = Skip «W0505»Q = R «W0505»R = Skip; Q"));
    check("system { spawn = A: 1 «W0505»P = Skip «W0505»Behavior = Skip } agent A { Behavior = Skip }");
    // They are checked all the same.
    check(&with("Behavior = Skip Q = «E0101»z <- 1"));
}

#[test]
fn parameters() {
    check_with(
        "system { extern = _n, «W0506»_m spawn = A: _n } agent A { Behavior = Skip }",
        &[("n", "1"), ("m", "1")],
    );
    check("system { extern = «E0401»_n, «E0401»«W0506»_m spawn = A: _n } agent A { Behavior = Skip }");
}

#[test]
fn kinds() {
    check(
        "system { spawn = A: 1, B: 0 } agent A { Behavior = Skip } agent «W0508»B { Behavior = Skip }
        agent «W0508»C { Behavior = Skip }",
    );
}
