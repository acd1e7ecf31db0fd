//! Which place means which declaration, on small models.

use super::{check, index};
use swarmcheck_source::index::{Role, SymbolKind};

#[test]
fn every_sort_of_name_is_found() {
    check(
        "system { extern = «n»_n: -3, _m environment = «e»env: 0 spawn = «A»A: «n»_n, B: (2 + («n»_n))
                  «P»Global = «e»env <-- «e»env + 1 }
         stigmergy «S»S { link = «x»x of 1 = «x»x of c2 and «e»env = id of 1  «s»s, «t»t[_m]: «n»_n, {1, «n»_n} }
         agent «A»A { interface = «x»x[«n»_n]: [0..«n»_n] stigmergies = «S»S rate = «n»_n / 2
                   «Q»Q = «x»x <- «s»s of id @ «n»_n; («P»Global); «b»Behavior
                   «b»Behaviour = «Q»Q || («s»s = 0 => «t»t[«x»x] <~ 1) }
         agent B { Behavior = Nil }
         assume { «S2»Start = forall «A»A a, «x»x of a > 0 }
         check { «p»Prop = after «n»_n forall «A»A «a»a, «x»x of «a»a = id of «a»a }
         view { space = «n»_n, _m torus show «A»A at «x»x, «s»s label id colour «t»t floor = «e»env }",
    );
}

#[test]
fn attributes_of_two_kinds_are_two_symbols() {
    check(
        "system { spawn = A: 1, B: 1 }
         agent A { interface = «1»x: 0 Behavior = «1»x <- «1»x + 1 }
         agent B { interface = «2»x: 0 Behavior = «2»x <- «2»x of id }
         check { P = always forall A a, exists B b, «1»x of a = «2»x of b }",
    );
}

#[test]
fn a_place_that_means_both_makes_them_one() {
    let model = |rest: &str| {
        format!(
            "system {{ spawn = A: 1, B: 1, C: 1 {} }}
             stigmergy S {{ link = {} s: 0 }}
             agent A {{ interface = «1»x: 0 stigmergies = S Behavior = «1»x <- 1 }}
             agent C {{ interface = «2»x: 0 Behavior = «2»x <- 1 }}
             agent B {{ interface = «1»x: 0 stigmergies = S Behavior = {} }}
             {}",
            rest.split('|').next().unwrap_or_default(),
            rest.split('|').nth(1).unwrap_or_default(),
            rest.split('|').nth(2).unwrap_or_default(),
            rest.split('|').nth(3).unwrap_or_default(),
        )
    };
    // Only the kinds that take part are linked.
    check(&model("|«1»x of 1 = 0|Nil|"));
    // All three: nobody knows which agent is meant, or which kind runs the process.
    let all = [
        "|true|Nil|check { P = always «1»x of 0 = 1 }",
        "|true|«1»x <- «1»x of s|",
        "|true|{ a[] := pick 1; «1»x <- «1»x of a[0] }|",
        "|true|{ a[] := pick 1 where «1»x of 2 = «1»x of 1; «1»x <- 1 }|",
        "P = «1»x <- 1|true|Nil|",
    ];
    for rest in all {
        check(&model(rest).replace("«2»", "«1»"));
    }
}

#[test]
fn a_pick_from_a_kind_knows_its_agents() {
    check(
        "system { spawn = A: 1, B: 1 }
         agent A { interface = «1»x: 0
                   Behavior = { «m»m[] := pick 1 B where «1»x of 1 = «2»x of 2; «1»x <- «2»x of «m»m[0] } }
         agent B { interface = «2»x: 0 Behavior = «2»x <- 1 }",
    );
}

#[test]
fn block_locals_live_in_their_block() {
    check(
        "system { spawn = A: 1 }
         agent A { interface = «x»x: 0
                   Behavior = { «1»v := «x»x; «1»v := «1»v + 1; «x»x <- «1»v };
                              { «x»x <- «-»v; «2»v, «3»w := 1, «-»w; «x»x <- «2»v + «3»w };
                              «x»x <- «-»v }",
    );
}

#[test]
fn the_innermost_quantifier_binds() {
    check(
        "system { spawn = A: 1 }
         agent A { interface = «x»x: 0 Behavior = «x»x <- count A «0»a, «0»a = id }
         check { P = always forall A «1»a, («x»x of «1»a = 0 and exists A «2»a, «x»x of «2»a = 1) or «x»x of «1»a = 2
                 Q = ltl forall A «3»a, G («3»a acts -> F exists A «4»a, «4»a can send) and «x»x of «3»a = 1
                 R = between (exists A «5»a, «x»x of «5»a = 0) and («-»a = 1), «x»x of 0 = 1 precedes «x»x of 0 = 0
                 S = ltl G delivered }",
    );
}

#[test]
fn processes_of_the_agent_come_first() {
    check(
        "system { spawn = A: 1, B: 1
                  «g»P = Skip; «g»P
                  «h»Q = «g»P }
         agent A { «a»P = Skip; «a»P
                   Behavior = «a»P; «h»Q }
         agent B { Behavior = «g»P; (((«h»Q))) }",
    );
}

#[test]
fn what_is_wrong_has_no_meaning() {
    check(
        "system { extern = _n environment = e: «-»e, f[«-»e]: «-»_m spawn = «-»Z: 1, «A»A: «-»n }
         agent «A»A { interface = x: 0 stigmergies = «-»T Behavior = «-»R; «-»y <- 1 }",
    );
}

#[test]
fn a_file_with_holes_keeps_the_rest() {
    check(
        "system { spawn = «A»A: 1 }
         agent «A»A { interface = «x»x: 0; y:
                   Broken = { «-»x <- ; }
                   «P»P = «x»x <- 1; «P»P
         check { R = always forall «A»A «a»a, «x»x of «a»a = 1
                 T = always forall «-»A b, «-»x of b = ",
    );
}

#[test]
fn roles_extents_and_containers() {
    let text = "system { spawn = A: 1 } stigmergy S { link = true s, t: 0, 1 }
        agent A { interface = x: {0, 1} stigmergies = S Behavior = x <- 1; P P = { v := 2; x <- v } }
        check { Q = always forall A a, x of a < 2 }";
    let index = index(text);
    let list = index.symbols.iter().map(|symbol| {
        let container = symbol.container.map_or("", |at| index.symbols[at].name.as_str());
        format!("{:?} {}: {} in {container}", symbol.kind, symbol.name, &text[symbol.extent.range()])
    });
    let expected = [
        "Stigmergy S: stigmergy S { link = true s, t: 0, 1 } in ",
        "StigmergicVariable s: s, t: 0, 1 in S",
        "StigmergicVariable t: s, t: 0, 1 in S",
        "AgentKind A: agent A { interface = x: {0, 1} stigmergies = S Behavior = x <- 1; P P = { v := 2; x <- v } } in ",
        "Attribute x: x: {0, 1} in A",
        "Process Behavior: Behavior = x <- 1; P in A",
        "Process P: P = { v := 2; x <- v } in A",
        "LocalVariable v: v := 2 in P",
        "Property Q: Q = always forall A a, x of a < 2 in ",
        "BoundAgent a: forall A a in Q",
    ];
    assert_eq!(list.collect::<Vec<_>>(), expected);
    let roles = |name: &str| -> Vec<Role> {
        let symbol = index.symbols.iter().position(|symbol| symbol.name == name).expect("a symbol");
        index.of(symbol).map(|place| place.role).collect()
    };
    assert_eq!(roles("x"), [Role::Declaration, Role::Write, Role::Write, Role::Read]);
    assert_eq!(roles("P"), [Role::Call, Role::Declaration]);
    assert_eq!(roles("S"), [Role::Declaration, Role::Read]);
    let call = index.occurrences.iter().find(|place| place.role == Role::Call).expect("a call");
    let within = call.within.map(|at| (index.symbols[at].kind, index.symbols[at].name.as_str()));
    assert_eq!(within, Some((SymbolKind::Process, "Behavior")));
}
