//! Names, owners, types and random values in expressions.

use super::{action, check, property, says};

#[test]
fn names_must_exist() {
    check(&action("x <- «E0101»z + «E0101»why"));
    check(&action("x <- «E0101»z[«E0101»i] of «E0101»j"));
    check(&action("«E0101»z = 1 -> Skip"));
    says(&action("row[0] <- rwo[1]"), "did you mean `row`?");
    check(&action("«E0101»z <- 1"));
    says(
        "system { extern = _n spawn = A: _n } agent A { interface = x: 0 Behavior = x <- n }",
        "is written `_n`",
    );
}

#[test]
fn own_copies_need_no_owner() {
    check(&action("x <- y + s + env + id"));
    check(&action("x <- x of 1 + s of id + x of (x of 0) + x of row[0]"));
    check(&action("x <- env of «E0108»1"));
    check(&action("x <- grid[0, 0] of «E0108»id"));
    check(&action("x <- id of 1 + id of x"));
}

#[test]
fn indices_match_dimensions() {
    check(&action("x <- grid[1, x]"));
    check(&action("x <- «E0204»grid[1]"));
    check(&action("x <- «E0204»grid"));
    check(&action("x <- «E0204»y[0]"));
    check(&action("x <- «E0204»row[0, 1] of 0"));
    check(&action("«E0204»grid[1] <-- 0"));
    check(&action("«E0204»row <- 0"));
    check(&action("«E0204»x[0] <- 0"));
    says(&action("x <- grid[1]"), "array `grid` needs 2 indices, but 1 is given");
    says(&action("x <- row"), "array `row` needs 1 index, but none is given");
}

#[test]
fn numbers_serve_as_conditions_but_not_the_other_way() {
    check(&action("x -> Skip"));
    check(&action("x + 1 and !y or true -> Skip"));
    check(&action("x <- if s then 1 else 0"));
    check(&action("x <- «E0203»y = 1"));
    check(&action("x <- 1 + «E0203»(y > 1 and x > 1)"));
    check(&action("x <- «E0203»true"));
    check(&action("x <- if y = 0 then «E0203»false else 1"));
    check(&action("«E0203»(x = 1) = 1 + «E0203»(y = 1) -> Skip"));
    check(&action("x <- abs(«E0203»!y)"));
    check(&action("x <- -«E0203»(x < y)"));
    says(&action("x <- y = 1"), "if c then 1 else 0");
    says(&action("x <- true"), "write `1`");
}

#[test]
fn quantified_formulas_are_numbers() {
    check(&action("x <- forall B b, x of b = 1"));
    check(&action("x <- if y then exists B b, x of b = 1 else 0"));
    check(&action("x <- 2 * count B b, x of b > x"));
    check(&action("(exists B b, own of b = id) -> Skip"));
    check(&action("x <- «E0203»!(exists B b, x of b = 1)"));
}

#[test]
fn undef_is_no_value() {
    check(&action("x <- «E0203»undef"));
    check(&action("x = «E0203»undef -> Skip"));
}

#[test]
fn bound_agents() {
    check(&action("x <- forall B b, x of b != «E0101»z of b"));
    check(&action("x <- count «E0103»C c, x of c = own of c"));
    says(&action("x <- count Bb i, x of i"), "did you mean `B`?");
    check(&action("x <- count A a, «E0107»own of a = 1"));
    check(&action("x <- count B b, «E0107»s of b = 1"));
    check(&action("x <- count B b, count A «E0106»b, x of b = 1"));
    check(&action("x <- count B «E0106»y, 1"));
    check(&action("{ v := 1; x <- count B «E0106»v, 1 }"));
    check(&action("x <- count B b, «E0108»b of 1"));
    check(&action("x <- count B b, «E0204»b[1]"));
    check(&action("x <- count B b, b = id and id of b = 0"));
    says(&action("x <- count B b, s of b = 1"), "add `S` to the `stigmergies` of `B`");
    says(&action("x <- count A a, own of a = 1"), "declare `own` in the `interface` of `A`");
}

#[test]
fn random_values_stand_only_on_the_right() {
    check(&action("x <- [0..3]"));
    check(&action("x, y <- 1 + [0..3] * [x..y], if y then [0..1] else row[[0..3]]"));
    check(&action("x = «E0206»[0..3] -> Skip"));
    check(&action("x <- if «E0206»[0..3] then 1 else 0"));
    check(&action("x <- count B b, x of b = «E0206»[0..2]"));
    check(&action("row[«E0206»[0..2]] <- 1"));
    check(&action("x <- [«E0207»3..3]"));
    check(&action("x <- [«E0207»2 * 2..-1]"));
    check(&property("always env = «E0206»[0..3]"));
}

#[test]
fn picks_stand_only_alone() {
    check(&action("x <- «E0206»pick 1"));
    check(&action("{ v[] := pick 1; x, y <- v[0], «E0206»pick 1 }"));
    check(&action("{ «E0210»v := pick 1; x <- v[0] + v }"));
    says(&action("{ v := pick 1; x <- v[0] }"), "write `v[] := pick …`");
}

#[test]
fn links_speak_of_both_ends() {
    let link = |text: &str| action("Skip").replace("link = true", &format!("link = {text}"));
    check(&link("x of 1 = x of c2 and env = grid[0, y of 2] and id of 1 < id of c2"));
    check(&link("s of 1 - s of 2"));
    check(&link("«E0108»x = 1"));
    check(&link("x of «E0108»3 = x of «E0108»a"));
    check(&link("«E0108»id = id of «E0108»3"));
    check(&link("env of «E0108»1 = 0"));
    check(&link("«E0101»c1 != «E0101»z of 2"));
    check(&link("«E0107»own of 1 = 0"));
    check(&link("«E0211»forall A a, x of a = 1"));
    check(&link("x of 1 = «E0206»[0..1]"));
    says(&link("x = 1"), "write `x of 1` for the sender, `x of 2` for the receiver");
    says(&link("c1 != 0"), "`id of c1`");
    says(&link("own of 1 = 0"), "agents `A` have no attribute `own`");
}

#[test]
fn picks_have_links_too() {
    let pick = |text: &str| action(&format!("{{ d := 1; v[] := pick 1 {text}; x <- v[0] }}"));
    check(&pick("B where x of 1 + d < own of 2 and id of 1 != env"));
    check(&pick("A where s of 1 = s of 2"));
    check(&pick("where x of 2 = s of 1"));
    check(&pick("where «E0107»s of 2 = 0"));
    check(&pick("B where «E0107»s of 2 = own of 2"));
    check(&pick("«E0103»C where own of 2 = 0"));
    check(&pick("where «E0107»own of 1 = 0"));
    check(&pick("where «E0108»x = 0 or «E0108»id = 1"));
    check(&pick("where x of «E0108»d = 0"));
    check(&pick("where «E0211»exists B b, x of b = 0"));
    says(&pick("where x = 0"), "`x of 1` for the agent that picks, `x of 2` for the one picked");
}
