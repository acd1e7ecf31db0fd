//! Sections, declarations, properties, and whole specifications from the papers.

use super::*;

#[test]
fn system_in_any_spelling() {
    let expected = [
        "system",
        "  extern a",
        "  extern b",
        "  env x: 0",
        "  env y[_n,2]: undef",
        "  env z: 1..(+ _n 1)",
        "  spawn A (* _a _a)",
        "  spawn B 2",
        "  P = (; Skip Q)",
        "  Q = (x <-- 1)",
    ];
    check_file(
        "system {
            extern = _a, _b
            environment = x: 0; y[_n, 2]: undef; z: 1.._n + 1
            spawn = A: _a * _a, B: 2
            P = Skip; Q
            Q = x <-- 1
        }",
        &expected,
    );
    check_file(
        "system {
            P = Skip; Q;
            spawn: A: _a * _a; B: 2;
            Q = x <-- 1;
            environment: x: 0, y[_n][2]: undef, z: [1.._n + 1],
            extern: _a; _b;
        }",
        &expected,
    );
    check_file(
        "system { environment = x: 0 y[_n, 2]: undef z: 1.._n + 1 extern = _a _b
            spawn = A: _a * _a B: 2 P = Skip; Q Q = x <-- 1 }",
        &expected,
    );
}

#[test]
fn initialisers() {
    check_file(
        "agent A { interface = a: undef; b: -1; c: {1, 2}; d: [1, -2]; e: [3]; f: {3}; g: 0..2; h: [0..2];
            i: 0 : 2; j: -2..3; k: max(1, 2); from: 1; check: 2; count: 3; l: (1) }",
        &[
            "agent A",
            "  attr a: undef",
            "  attr b: (- 1)",
            "  attr c: {1,2}",
            "  attr d: {1,(- 2)}",
            "  attr e: {3}",
            "  attr f: {3}",
            "  attr g: 0..2",
            "  attr h: 0..2",
            "  attr i: (: 0 2)",
            "  attr j: (- 2)..3",
            "  attr k: (max 1 2)",
            "  attr from: 1",
            "  attr check: 2",
            "  attr count: 3",
            "  attr l: 1",
        ],
    );
}

#[test]
fn stigmergies_and_their_tuples() {
    check_file(
        "stigmergy S {
            link = (count of 1 >= count of 2)
            leader, posX, count: id, -1, [1, 2]
            a: 0, b: 1, c, d[3]: 0..2, undef; e: 1
            f: 2
        }
        stigmergy T { x: 0; link: true, y: 1 }",
        &[
            "stigmergy S",
            "  link (>= count@1 count@2)",
            "  tuple leader, posX, count: id, (- 1), {1,2}",
            "  tuple a: 0",
            "  tuple b: 1",
            "  tuple c, d[3]: 0..2, undef",
            "  tuple e: 1",
            "  tuple f: 2",
            "stigmergy T",
            "  link true",
            "  tuple x: 0",
            "  tuple y: 1",
        ],
    );
}

#[test]
fn agents_in_any_order() {
    check_file(
        "agent A { Behaviour = Move; Behaviour Move = Skip stigmergies = S; T, U V interface = x: 0, y: 1 }",
        &[
            "agent A",
            "  attr x: 0",
            "  attr y: 1",
            "  stig S",
            "  stig T",
            "  stig U",
            "  stig V",
            "  Behavior = (; Move Behavior)",
            "  Move = Skip",
        ],
    );
}

#[test]
fn modalities() {
    check_file(
        "check {
            A = always forall K k, x of k = 1
            B = finally true;
            C = eventually x, D = fairly x
            E = fairly_inf exists K k, x of k
            F = after 10 x
            G = after _n x
            H = after (_n * 2) (x)
            I = between (x = 1) and (y = 2), always z
            J = from (forall K k, x of k) until (y), thereIs exists K k, z of k
            K = between (x) and (y), forall K k, z of k precedes exists K k, w of k
        }",
        &[
            "check A always (forall K k (= x@k 1))",
            "check B finally true",
            "check C eventually x",
            "check D fairly x",
            "check E fairly_inf (exists K k x@k)",
            "check F after 10 x",
            "check G after _n x",
            "check H after (* _n 2) x",
            "check I between (= x 1) (= y 2) always z",
            "check J from (forall K k x@k) y thereIs (exists K k z@k)",
            "check K between x y (forall K k z@k) precedes (exists K k w@k)",
        ],
    );
}

#[test]
fn a_property_spans_from_modality_to_predicate() {
    let text = "check { P = always x of a = 1  }";
    let (f, _) = parse(text);
    assert_eq!(&text[f.properties[0].span.range()], "always x of a = 1");
}

#[test]
fn assumptions() {
    check_file(
        "assume { A = forall K k, x of k > 1 and true B = x } check { } assume { C = y; }",
        &["assume A (forall K k (and (> x@k 1) true))", "assume B x", "assume C y"],
    );
}

#[test]
fn comments_and_odd_whitespace() {
    check_file("\u{feff}# é\r\ncheck { # }\r\n\tA = always x#;\n}# end", &["check A always x"]);
}

#[test]
fn a_line_of_carts() {
    check_file(
        FORMATION,
        &[
            "system",
            "  extern gap",
            "  extern n",
            "  extern track",
            "  spawn Cart _n",
            "stigmergy Westward",
            "  link (and (>= (- spot@1 spot@2) 0) (<= (- spot@1 spot@2) _gap))",
            "  tuple west: undef",
            "agent Cart",
            "  attr spot: 1.._track",
            "  stig Westward",
            "  stig Eastward",
            "  Behavior = (; (west,east <~ id,id) (++ (-> (!= west id) (++ (-> (> spot 0) (spot <- (- spot 1))) \
             (-> (= spot 0) (spot <- (+ spot 1))))) (-> (and (= east id) (= west id)) Skip)) Behavior)",
            "check Apart finally (forall Cart a (forall Cart b (or (= id@a id@b) \
             (>= (abs (- spot@a spot@b)) _gap))))",
        ],
    );
}

/// Carts that keep apart: the shape of figure 3.6 of the thesis, in other words.
pub(super) const FORMATION: &str = "system {
  extern = _gap, _n, _track
  spawn = Cart: _n
}
stigmergy Westward {
  link =
    spot of 1 - spot of 2 >= 0 and
    spot of 1 - spot of 2 <= _gap

  west: undef
}
agent Cart {
  interface = spot: 1.._track
  stigmergies = Westward; Eastward
  Behaviour =
    west, east <~ id, id;
    (
      (west != id ->
        ((spot > 0 -> spot <- spot - 1)
        ++
        (spot = 0 -> spot <- spot + 1)))
      ++
      (east = id and west = id -> Skip)
    ); Behaviour
}
check {
  Apart =
    finally forall Cart a, forall Cart b,
    id of a = id of b or
    abs(spot of a - spot of b) >= _gap
}
";

/// A parameter may have a default, which is a number.
#[test]
fn parameters_with_defaults() {
    let parameters = |text: &str| -> Vec<(String, Option<i64>)> {
        let found = parse(&format!("system {{ {text} }}")).0;
        found.systems[0].externs.iter().map(|e| (e.name.text.clone(), e.default)).collect()
    };
    let expected = [("n", Some(3)), ("m", None), ("k", Some(-7))].map(|(name, d)| (name.to_string(), d));
    for list in ["_n: 3, _m, _k: -7", "_n: 3; _m; _k: -7", "_n: 3 _m _k: -7", "_n:3 _m _k:-7 spawn = A: _n"] {
        assert_eq!(parameters(&format!("extern = {list}")), expected, "{list}");
    }
    let wrong = |default: &str| format!("system {{ extern = _n: {default}, _m spawn = A: 1 }}");
    for (default, found) in [("x", "x"), ("_k", "_k"), ("-", ",")] {
        check_errors(&wrong(default), &[("E0001", found, "expected a number")]);
        assert_eq!(parse(&wrong(default)).0.systems[0].externs.len(), 2, "{default}");
    }
    check_errors(&wrong("99999999999999999999"), &[("E0003", "99999999999999999999", "")]);
    // A variable of that name may begin with the quotient of a parameter, as it always could.
    let text = "system { environment = e: 0, extern: _n: 3 }";
    assert_eq!(parse(text).0.systems[0].environment.len(), 2);
    let found = check_errors("system { extern: _n: 3 }", &[("E0001", "extern", "found `extern`")]);
    assert!(found[0].help[0].contains("`extern = _n: 3`"), "{found:?}");
}
