//! Sections, parameters, kinds, variables, initial values, stigmergies, process names.

use super::{check, check_with, model, says, unmark};
use crate::model::{ExprNode, Init};

/// A correct system around the contents of its sections.
fn system(system: &str, agent: &str) -> String {
    format!("system {{ {system} }}\nagent A {{ {agent} }}")
}

#[test]
fn sections_can_be_missing() {
    check("agent A { Behavior = Skip }«E0109»");
    check("«E0109»system { environment = e: 0 }\nagent A { Behavior = Skip }");
    check("system { spawn = A: 1 }«E0109»");
    check("system { spawn = A: 1 } «E0106»system { } agent A { Behavior = Skip }");
    says("system { } agent A { Behavior = Skip }", "has no `spawn`");
}

#[test]
fn parameters_need_values() {
    let file = "system { extern = _n, «E0401»_m spawn = A: _n + _m } agent A { Behavior = Skip }";
    check_with(file, &[("n", "2")]);
    check_with(&file.replace("«E0401»", ""), &[("_n", "2"), ("m", "-1")]);
    says("system { extern = _n spawn = A: _n } agent A { Behavior = Skip }", "give it a value: n=5");
}

/// A value of the command line counts more than a default, and neither is needed if the other is there.
#[test]
fn parameters_may_have_defaults() {
    let text = "system { extern = _n: 2, _m: -3; _k spawn = A: _n } agent A { interface = x: _m + _k Behavior = x <- x }";
    let values = |given: &[(&str, &str)]| super::run(text, given).0.map(|model| model.parameters);
    let named =
        |n, m, k| Some([("n", n), ("m", m), ("k", k)].map(|(name, v)| (name.to_string(), v)).to_vec());
    assert_eq!(values(&[("k", "1")]), named(2, -3, 1));
    assert_eq!(values(&[("k", "1"), ("_n", "5"), ("m", "0")]), named(5, 0, 1));
    assert_eq!(values(&[]), None);
    // The list may go on on the next line, and end with any part of the section.
    check(
        "system { extern = _n: 2\n _m: 3\n environment = e: _m spawn = A: _n } agent A { Behavior = e <-- e }",
    );
    says("system { extern = _n spawn = A: _n } agent A { Behavior = Skip }", "`extern = _n: 5`");
}

#[test]
fn parameters_must_be_known_numbers() {
    let file = "system { extern = «E0403»_n spawn = A: _n } agent A { Behavior = Skip }";
    for value in ["two", "", "1.5", "99999999999999999999", "-9223372036854775808"] {
        check_with(file, &[("n", value)]);
    }
    check_with(file, &[("n", "1"), ("_n", "2")]);
    let file = "system { extern = «E0402»_birds spawn = A: _birds } agent A { Behavior = Skip }";
    check_with(file, &[("birds", "2"), ("brids", "3"), ("grid", "3")]);
    let (_, found) = super::run(&unmark(file).0, &[("birds", "2"), ("brids", "3"), ("grid", "3")]);
    assert!(found[0].message.contains("`brids` and `grid`"));
    assert_eq!(found[0].help, ["did you mean `birds`?"]);
    check_with("«E0402»system { spawn = A: 1 } agent A { Behavior = Skip }", &[("n", "2")]);
}

#[test]
fn parameters_are_declared_once_and_before_use() {
    check_with("system { extern = _n, «E0106»_n spawn = A: _n } agent A { Behavior = Skip }", &[("n", "1")]);
    let file = "system { extern = _birds spawn = A: _birds + «E0105»_brids } agent A { Behavior = Skip }";
    check_with(file, &[("birds", "1")]);
    says(&system("spawn = A: _n", "Behavior = Skip"), "`extern = _n`");
}

#[test]
fn parameters_keep_their_values_in_the_model() {
    let text = "system { extern = _n, _m spawn = A: _n } agent A { interface = x: _m Behavior = x <- x }";
    let (model, _) = super::run(text, &[("_m", "-7"), ("n", "2")]);
    let model = model.expect("a model");
    assert_eq!(model.parameters, [("n".to_string(), 2), ("m".to_string(), -7)]);
    let Init::OneOf(values) = &model.kinds[0].attributes[0].1 else { panic!("one value") };
    assert!(matches!(values[0].node, ExprNode::Number(-7)));
}

#[test]
fn kinds_follow_spawn() {
    let model = model(
        "system { spawn = B: 2, C: 3 }
         agent A { Behavior = Skip } agent C { Behavior = Skip } agent B { Behavior = Skip }",
    );
    let kinds: Vec<_> = model.kinds.iter().map(|k| (k.name.as_str(), k.first, k.count)).collect();
    assert_eq!(kinds, [("B", 0, 2), ("C", 2, 3), ("A", 5, 0)]);
}

#[test]
fn spawn_is_checked() {
    check("system { spawn = Birds: 1, «E0106»Birds: 2, «E0103»Brids: 1 } agent Birds { Behavior = Skip }");
    says("system { spawn = Birds: 1, Brids: 1 } agent Birds { Behavior = Skip }", "did you mean `Birds`?");
    check(&system("spawn = A: «E0207»-1", "Behavior = Skip"));
    check(&system("spawn = A: «E0207»1000001", "Behavior = Skip"));
    check(&system("spawn = A: «E0205»x", "interface = x: 0 Behavior = Skip"));
    check(&system("spawn = A: «E0205»id", "Behavior = Skip"));
    check(&system("spawn = A: «E0207»1 / 0", "Behavior = Skip"));
    check(&system("spawn = A: «E0203»true", "Behavior = Skip"));
    check(&system("spawn = «E0110»A: 0", "Behavior = Skip"));
    check(
        "system { spawn = «E0207»A: 600000, B: 600000 } agent A { Behavior = Skip } agent B { Behavior = Skip }",
    );
}

#[test]
fn spawn_counts_are_constant_expressions() {
    let count = |text: &str| model(&system(&format!("spawn = A: {text}"), "Behavior = Skip")).kinds[0].count;
    assert_eq!(count("2 * 3 + 1"), 7);
    assert_eq!(count("max(1, 4) - min(2, 3)"), 2);
    assert_eq!(count("abs(-3)"), 3);
    assert_eq!(count("if 1 < 2 and 3 != 3 then 10 else 20"), 20);
    assert_eq!(count("7 : 2"), 4);
    assert_eq!(count("-7 % 3"), 2);
}

#[test]
fn names_are_declared_once() {
    check("system { spawn = A: 1 } agent A { Behavior = Skip } agent «E0106»A { Behavior = Skip }");
    check(&system("spawn = A: 1", "interface = x: 0; «E0106»x: 1 Behavior = x <- x"));
    check(&system("environment = e: 0; «E0106»e: 1 spawn = A: 1", "Behavior = e <-- e"));
    check(&system("spawn = A: 1", "Behavior = Skip «E0106»Behavior = Skip"));
    check(&system("spawn = A: 1 P = Skip «E0106»P = Skip", "Behavior = P"));
    let stigmergies = "stigmergy S { link = true v: 0 } stigmergy «E0106»S { link = true w, «E0106»v: 0, 0 }";
    check(&format!(
        "{stigmergies} {}",
        system("spawn = A: 1", "stigmergies = S, «E0106»S Behavior = v <~ v")
    ));
}

#[test]
fn stores_use_different_names() {
    // The uses of an ambiguous name are not held against it.
    check(&system("environment = x: 0 spawn = A: 1", "interface = «E0106»x: 0 Behavior = x <- x; x <-- x"));
    let file = "system { environment = e: 0 spawn = A: 1 }
        stigmergy S { link = true «E0106»e: 0; «E0106»x: 0 }
        agent A { interface = x: 0 stigmergies = S Behavior = x <~ x; e <~ e }";
    check(file);
    says(file, "`e` is declared both as an environment variable and as a stigmergic variable");
}

#[test]
fn kinds_share_attributes() {
    let text = "system { spawn = A: 1, B: 1 }
        agent A { interface = x[2]: 0 Behavior = x[0] <- x[1] }
        agent B { interface = x[1 + 1]: 5 Behavior = x[0] <- x[1] }";
    let found = model(text);
    assert_eq!(found.variables.len(), 1);
    assert_eq!(found.kinds[0].attributes[0].0, found.kinds[1].attributes[0].0);
    check(&text.replace("x[1 + 1]: 5", "«E0204»x[3]: 5"));
    check(&text.replace("x[1 + 1]: 5", "«E0204»x: 5"));
    says(&text.replace("x[1 + 1]", "x[3]"), "is an array [3] here, but an array [2] in another agent");
}

#[test]
fn arrays_have_constant_positive_sizes() {
    let array = |size: &str| system("spawn = A: 1", &format!("interface = x[{size}]: 0 Behavior = Skip"));
    check(&array("«E0207»0"));
    check(&array("2, «E0207»-1"));
    check(&array("«E0205»y"));
    check(&array("«E0205»id"));
    check(&array("«E0207»16777217"));
    check(&system("spawn = A: 1", "interface = «E0207»x[4096, 4097]: 0 Behavior = Skip"));
    let found = model(&system("spawn = A: 1", "interface = x[2, 1 + 2]: 0 Behavior = x[0, 0] <- x[1, 2]"));
    assert_eq!(found.variables[0].dimensions, [2, 3]);
}

#[test]
fn initial_values() {
    let attributes = |text: &str| system("spawn = A: 2", &format!("interface = {text} Behavior = Skip"));
    check(&attributes("x: «E0205»y"));
    check(&attributes("x: {1, «E0203»undef}"));
    check(&attributes("x: «E0207»3..3"));
    check(&attributes("x: [«E0207»4..3]"));
    check(&attributes("x: «E0205»count A a, 1"));
    check(&attributes("x: «E0203»1 < 2"));
    check(&system("environment = e: «E0205»id spawn = A: 1", "Behavior = Skip"));
    let text = attributes("u: undef; v: 1; w: {1, 2}; x: [3, id]; y: 0..5; z: [id..id + 2]");
    let kinds = model(&text).kinds;
    let kinds: Vec<_> = kinds[0].attributes.iter().map(|(_, init)| init).collect();
    assert!(matches!(kinds[0], Init::Undef));
    assert!(matches!(kinds[1], Init::OneOf(v) if v.len() == 1));
    assert!(matches!(kinds[2], Init::OneOf(v) if v.len() == 2));
    assert!(matches!(kinds[3], Init::OneOf(v) if matches!(v[1].node, ExprNode::Id)));
    assert!(
        matches!(kinds[4], Init::Range(a, b) if matches!((&a.node, &b.node), (ExprNode::Number(0), ExprNode::Number(5))))
    );
    assert!(matches!(kinds[5], Init::Range(a, _) if matches!(a.node, ExprNode::Id)));
}

#[test]
fn ranges_must_not_be_empty_for_any_agent() {
    let file = "system { spawn = B: 1, A: 2 } agent B { Behavior = Skip }
        agent A { interface = x: «E0207»0..id - 1; y: 0..id Behavior = Skip }";
    check(file);
    says(file, "empty for the agent with id 1");
    check(
        "system { spawn = A: 2 } stigmergy S { link = true v: «E0207»0..id }
        agent A { stigmergies = S Behavior = v <~ v }",
    );
}

#[test]
fn stigmergies_are_complete() {
    let agent = system("spawn = A: 1", "stigmergies = S Behavior = v, w <~ w, v");
    check(&format!("stigmergy S {{ link = true «E0208»v, w: 0 }} {agent}"));
    check(&format!("stigmergy «E0109»S {{ v, w: 0, 0 }} {agent}"));
    check(&format!("stigmergy S {{ link = true v, w: 0, 0 }} {}", agent.replace("= S", "= «E0104»Z")));
    says(
        &format!("stigmergy Sti {{ link = true v, w: 0, 0 }} {}", agent.replace("= S", "= Sit")),
        "did you mean `Sti`?",
    );
}

#[test]
fn every_kind_has_a_behavior() {
    check("system { spawn = A: 1 } agent «E0301»A { P = Skip }");
    says("system { spawn = A: 1 } agent A { Behavio = Skip }", "is called `Behavior`");
    let shared = model("system { spawn = A: 1 Behavior = Skip } agent A { }");
    assert_eq!(shared.kinds[0].behavior.0, 0);
    let own = model("system { spawn = A: 1 Behavior = Skip } agent A { Behavior = Skip }");
    assert_eq!(own.kinds[0].behavior.0, 1);
}
