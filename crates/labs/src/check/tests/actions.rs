//! Assignments, blocks and block-local variables; which kinds have what their processes use.

use super::{action, check, says, with};

#[test]
fn arrows_fit_the_store() {
    check(&action("x <- 1; s <~ 1; env <-- 1; { v := 1 }"));
    check(&action(
        "«E0201»s <- 1; «E0201»env <- 1; «E0201»x <~ 1; «E0201»env <~ 1; «E0201»x <-- 1; «E0201»s <-- 1",
    ));
    check(&action("{ v := 1; «E0201»v <- 2; «E0201»v <~ 2; «E0201»v <-- 2 }"));
    check(&action("{ «E0201»v <- 2; v := 1 }"));
    check(&action("«E0201»x := 1"));
    says(&action("s <- 1"), "`s` is a stigmergic variable: assign it with `<~`");
    says(&action("env <~ 1"), "`env` is an environment variable: assign it with `<--`");
    says(&action("x <-- 1"), "`x` is an attribute: assign it with `<-`");
    says(&action("{ v := 1; v <- 2 }"), "`v` is a block-local variable: assign it with `:=`");
    says(&action("x, s <- 1, 1"), "use a block");
}

#[test]
fn compound_assignments() {
    check(&action("x, y <- y, x"));
    check(&action("«E0202»x, y <- 1"));
    check(&action("«E0202»x <- 1, 2, «E0101»z"));
    says(&action("x, y <- 1, 2, 3"), "2 variables on the left of `<-`, but 3 values on the right");
    check(&action("x, «E0209»x <- 1, 2"));
    check(&action("row[0], row[1] <- 1, 2"));
    check(&action("row[x], row[y] <- 1, 2"));
    check(&action("row[0], «E0209»row[0] <- 1, 2"));
    check(&action("row[x + 1], «E0209»row[x + 1] <- 1, 2"));
    check(&action("grid[0, x], «E0209»grid[0, x], grid[x, 0] <-- 1, 2, 3"));
    check(&action("{ v, «E0209»v := 1, 2 }"));
}

#[test]
fn locals_live_in_their_block() {
    check(&action("{ v := x; v := v + 1; w, u := v, 2; x <- v + w + u }"));
    check(&action("v «E0210»:= 1"));
    check(&action("{ v := 1 }; x <- «E0101»v"));
    says(&action("{ v := 1 }; x <- v"), "lives only in its block");
    check(&action("{ x <- «E0210»v; v := 1 }"));
    check(&action("{ v, w := 1, «E0210»v }"));
    check(&action("{ v := 1; v, w := 2, v }"));
    check(&action("{ v := «E0210»v }"));
    check(&action("{ «E0106»x := 1; «E0106»s := 1; «E0106»env := 1 }"));
    check(&action("{ v := 1; x <- «E0204»v[0] + «E0108»v of 1 }"));
    check(&action("{ «E0210»v[0] := 1 }"));
    check(&action("{ «E0210»v[] := 1; x <- v[0] }"));
    check(&action("«E0210»row[] <- 1"));
}

#[test]
fn picked_arrays() {
    check(&action("{ v[] := pick 2; x <- v[0] + v[1] + x of v[0] }"));
    check(&action("{ v[] := pick (1 + 1) B; x <- own of v[x] }"));
    check(&action("{ v[] := pick 2; x <- «E0204»v + «E0204»v[0, 1] }"));
    check(&action("{ v[] := pick «E0207»0 }"));
    check(&action("{ v[] := pick «E0205»(x) }"));
    check(&action("{ v[] := pick 2; v[] := pick 2; «E0210»v[] := pick 3 }"));
    check(&action("{ v[] := pick 2; «E0210»v := 1 }"));
    check(&action("{ v := 1; «E0210»v[] := pick 1 }"));
    check(&action("{ v[], w := pick 2, 1; x <- v[0] + w }"));
    check(&action("{ v[] := pick 100 }"));
    check(&action("{ v[] := pick 1; x <- «E0108»v[0] of 1 }"));
}

#[test]
fn processes_must_exist() {
    check(&with("Behavior = Move; «E0102»Mvoe; Behavior Move = Skip"));
    says(&with("Behavior = Move; Mvoe; Behavior Move = Skip"), "did you mean `Move`?");
    let file = "system { spawn = A: 1, B: 1 Global = «E0102»Local }
        agent A { Local = Skip Behavior = Local; Global }
        agent B { Behavior = «E0102»Local; Global }";
    check(file);
    says(file, "`A` defines it, but global processes can only call global ones");
    says(file, "`A` defines it: move it to the `system` section to share it");
}

#[test]
fn kinds_have_what_their_processes_use() {
    check(&with("Behavior = x <- «E0107»own; Behavior"));
    check(&with("Behavior = Skip Idle = «E0107»own <- 1"));
    let global = |uses: &str, b: &str| {
        format!(
            "system {{ spawn = A: 1, B: 1, C: 1 P = Q; P Q = {uses} }}
             stigmergy S {{ link = true s: 0 }}
             agent A {{ interface = x: 0 stigmergies = S Behavior = P }}
             agent B {{ interface = y: 0 Behavior = {b} }}
             agent C {{ interface = y: 0 Behavior = Skip }}
             check {{ Used = always exists A a, exists B b, x of a + s of a = y of b }}"
        )
    };
    check(&global("x <- s", "Skip"));
    check(&global("«E0107»x <- «E0107»s", "P"));
    check(&global("«E0107»x = «E0107»y -> «E0107»s <~ 1", "Skip ++ P"));
    says(&global("x <- y", "P"), "agents `B` have no attribute `x`");
    says(&global("x <- y", "P"), "agents `A` have no attribute `y`");
}

#[test]
fn several_kinds_without_a_variable_are_named_together() {
    let file = "system { spawn = A: 1, B: 1, C: 1 P = «E0107»x <- 1 + «E0107»x }
        agent A { interface = x: 0 Behavior = P }
        agent B { Behavior = P } agent C { Behavior = P }";
    check(file);
    says(file, "agents `B` and `C` have no attribute `x`");
}
