//! Many mistakes in one file: all of them are reported, and nothing that merely follows from them.

use super::{check, check_with, run};
use crate::syntax::parse;
use swarmcheck_source::Span;

#[test]
fn six_independent_mistakes_give_six_messages() {
    check(
        "system {
           environment = lock: 0
           spawn = Bird: 2, «E0103»Brid: 1
         }
         stigmergy Flock {
           link = «E0108»x = x of 2
           dir: 0
         }
         agent Bird {
           interface = x: 0; «E0106»lock: 0
           stigmergies = Flock
           Behavior = «E0201»dir <- 1; «E0102»Mvoe; lock <- lock; Behavior
         }
         check {
           P = always forall Bird b, «E0101»y of b = x of b
         }",
    );
}

#[test]
fn unknown_names_do_not_cause_type_errors() {
    check(
        "system { environment = e[«E0105»_k]: «E0105»_k spawn = A: «E0105»_k }
         agent A {
           interface = x: «E0205»z..«E0105»_k
           stigmergies = «E0104»S
           Behavior = {
             v[] := pick «E0105»_k «E0103»Kind where x of 1 = x of 2;
             x <- v[0] + e[«E0101»z] + («E0101»f[1] of x);
             «E0101»g, x <- «E0101»h, count «E0103»Kind k, x of k = 1
           }; «E0102»Foo; Behavior
         }",
    );
}

#[test]
fn without_values_everything_else_is_checked() {
    check_with(
        "system { extern = «E0401»_n, «E0401»_m
           environment = e[_n, _m]: _n.._m
           spawn = A: _n }
         agent A {
           interface = x: 0.._n; row[_m]: {_n, id}
           Behavior = {
             v[] := pick _n; w[] := pick _m; v[] := pick _m;
             x <- v[_n] + w[0] + «E0204»e[_n] + row[0] + «E0203»(_n = _m)
           }; «E0101»y <- [_n.._m]; Behavior
         }
         check { P = after _n forall A a, «E0108»x = _n }",
        &[],
    );
}

#[test]
fn wrong_values_do_not_hide_mistakes() {
    check_with(
        "system { extern = «E0403»_n spawn = A: _n } agent A { Behavior = «E0102»P; Behavior }",
        &[("n", "many")],
    );
}

#[test]
fn nothing_is_said_about_what_the_parser_could_not_read() {
    for text in [
        "system { spawn = A: } agent A { interface = x: Behavior = x <- ; Behavior } check { P = always }",
        "system { spawn = A: 1 } agent A { interface = x: 0 Behavior = (x <- ) ++ x -> ; Behavior }",
        "system { spawn = A: 1 } agent A { interface = x[: 0 Behavior = x[ <- 1 }",
        "stigmergy S { link = } system { environment = e: spawn = A: 1 } agent A { Behavior = e <-- 1; ",
    ] {
        let (file, parsed) = parse(text);
        assert!(parsed.has_errors());
        super::super::check(&file, Span::default(), &[]);
    }
}

#[test]
fn every_prefix_of_a_file_is_survived() {
    let text = super::with(
        "Behavior = { v[] := pick 2 A where x of 1 = x of 2; w, u := [0..v[0]], forall B b, x of b = 1; x <- w : u };
         (x > 0 => Skip); (P || grid[x, 1] <-- count A a, s of a = 1); Behavior
         P = x = 1 and y != 2 -> Skip ++ Nil",
    );
    for (end, _) in text.char_indices() {
        let (file, _) = parse(&text[..end]);
        super::super::check(&file, Span::new(end, end), &[("n".into(), "1".into())]);
    }
    assert!(run(&text, &[]).0.is_some());
}

#[test]
fn dropping_any_word_is_survived() {
    let text = super::property(
        "between (env = 1) and (forall A a, x of a = 1), always exists B b, own of b = id of b",
    );
    let words: Vec<&str> = text.split_whitespace().collect();
    for at in 0..words.len() {
        let rest = [&words[..at], &words[at + 1..]].concat().join(" ");
        let (file, _) = parse(&rest);
        super::super::check(&file, Span::new(rest.len(), rest.len()), &[]);
    }
}

#[test]
fn deep_and_large_files_are_survived() {
    let deep =
        |open: &str, close: &str, levels: usize| format!("{}x{}", open.repeat(levels), close.repeat(levels));
    let bodies = [
        format!("x <- {}", deep("-(", ")", 900)),
        format!("x <- {}", deep("if x then 1 else (", ")", 300)),
        format!("x <- {}", "1 + ".repeat(3000) + "x"),
        format!("{} -> Skip", "x and ".repeat(3000) + "x"),
        format!("{} -> Skip", deep("x or (x and (", "))", 200)),
        format!("{}Skip{}", "(".repeat(400), ")".repeat(400)),
        format!("{}Skip", "x -> ".repeat(600)),
        format!("{}Skip", "Skip; ".repeat(5000)),
        format!("{}Skip{}", "Skip; (Skip ++ (".repeat(150), "))".repeat(150)),
    ];
    for body in bodies {
        let text = super::action(&body);
        let (file, _) = parse(&text);
        super::super::check(&file, Span::default(), &[]);
    }
    let chain: String = (0..3000).map(|i| format!("P{i} = Skip; P{} ", i + 1)).collect();
    let (model, found) = run(&super::with(&format!("Behavior = P0 {chain} P3000 = Skip; P0")), &[]);
    assert!(model.is_some() && found.is_empty());
}
