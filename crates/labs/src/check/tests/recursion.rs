//! Recursion that does not stay finite, and what is never reached.

use super::{check, says, with};

#[test]
fn tail_recursion_is_fine() {
    check(&with("Behavior = x <- 1; Behavior"));
    check(&with("Behavior = P; Q; Behavior P = Skip Q = Skip ++ x <- 2; P"));
    check(&with("Behavior = P || Q P = Skip; P Q = s <~ 1; Q"));
    check(&with("Behavior = x = 0 -> Skip; (Behavior ++ P) P = Skip; Behavior"));
    check(&with("Behavior = Loop; Skip; Behavior Loop = x > 0 => (x <- x - 1; Loop)"));
}

#[test]
fn unguarded_recursion() {
    check(&with("Behavior = «E0302»Behavior"));
    check(&with("Behavior = Skip ++ «E0302»Behavior"));
    check(&with("Behavior = «E0302»Behavior || Skip"));
    check(&with("Behavior = x = 1 -> «E0302»Behavior"));
    check(&with("Behavior = x = 1 => «E0302»Behavior"));
    check(&with("Behavior = «E0302»P; Skip P = Q ++ Skip Q = x = 0 -> Behavior"));
    says(
        &with("Behavior = P; Skip P = Q ++ Skip Q = Behavior"),
        "`Behavior` calls `P` calls `Q` calls `Behavior`",
    );
    says(&with("Behavior = Behavior"), "`Behavior` calls itself before doing anything");
}

/// The step that passes `g => P` comes between two rounds.
#[test]
fn conditional_processes_guard_what_follows() {
    check(&with("Behavior = (x = 0 => Skip); Behavior"));
    check(&with("Behavior = P; P; Behavior P = x = 0 => Skip"));
    check(&with("Behavior = (x < 3 => x <- x + 1); (x >= 3 => x <- 0); Behavior"));
    check(&with("Behavior = (x = 0 => (x = 1 => Skip)); Behavior"));
    check(&with("Behavior = ((x = 0 => Skip) || (x = 1 => Skip)); Behavior"));
    check(&with("Behavior = x = 0 => (x = 1 => Skip); Behavior"));
}

#[test]
fn conditional_processes_do_not_guard_their_own_body() {
    check(&with("Behavior = x = 0 => (x = 1 => «E0302»Behavior)"));
    check(&with("Behavior = (x = 0 => «E0302»Behavior); Skip"));
    check(&with("Behavior = (x = 0 => «E0302»P); Behavior P = x = 1 => P ++ Behavior"));
}

#[test]
fn every_unguarded_cycle_is_reported_once() {
    check(&with("Behavior = P ++ R P = «E0302»Q ++ Q Q = P R = «E0302»R ++ Skip"));
}

#[test]
fn recursion_inside_parallel_composition() {
    check(&with("Behavior = Skip || (x <- 1; «E0303»Behavior)"));
    check(&with("Behavior = Skip; P P = Skip || (Skip; «E0303»Q) Q = Skip; Behavior"));
    says(
        &with("Behavior = Skip; P P = Skip || (Skip; Q) Q = Skip; Behavior"),
        "`P` calls `Q`, which leads back to `P`, inside",
    );
}

#[test]
fn recursion_that_is_not_last() {
    check(&with("Behavior = (x = 0 -> Skip) ++ (x > 0 -> x <- 0; «E0304»Behavior; x <- 1)"));
    check(&with("Behavior = Skip ++ Skip; P P = Skip; «E0304»Behavior; Skip"));
    check(&with("Behavior = Skip; (Skip ++ (Skip; «E0304»Behavior)); x <- 1"));
}

#[test]
fn what_follows_an_endless_process_is_never_reached() {
    check(&with("Behavior = x <- 0; Behavior; «W0507»x <- 1"));
    check(&with("Behavior = P; «W0507»x <- 1; Skip P = Skip; P"));
    check(&with("Behavior = x <- 0; Nil; «W0507»x <- 1"));
    check(&with("Behavior = ((Skip; P) ++ (Skip; P)); «W0507»Behavior P = Skip; P"));
    check(&with("Behavior = (Skip ++ Nil); x <- 1"));
    check(&with("Behavior = (Skip || Nil); «W0507»x <- 1"));
    check(&with("Behavior = (x = 0 => Nil); x <- 1"));
}
