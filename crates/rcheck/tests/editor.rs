//! Answers to editors on all examples in R-CHECK.

#![allow(clippy::disallowed_methods, reason = "reads the examples")]

mod common;
#[path = "../../calculi/tests/editor/trial.rs"]
mod trial;

use swarmcheck_rcheck::{check, editor};
use trial::{Language, examples};

const RCHECK: Language = Language {
    extension: "rcp",
    words: editor::WORDS,
    index: editor::index,
    candidates: editor::candidates,
    meaning: editor::meaning,
    signature: editor::signature,
    name_problem: editor::name_problem,
    checked: |text| format!("{:?}", check(text)),
    data_words: &["words"],
};

#[test]
fn every_name_is_a_place_of_a_symbol() {
    let examples = examples(RCHECK.extension);
    assert_eq!(examples.len(), 6);
    let places: usize = examples.iter().map(|(_, text)| RCHECK.covers_all_names(text)).sum();
    assert!(places > 1000, "{places}");
}

#[test]
fn every_symbol_can_be_renamed() {
    let symbols: usize =
        examples(RCHECK.extension).iter().map(|(_, text)| RCHECK.renames_every_symbol(text)).sum();
    assert!(symbols > 200, "{symbols}");
}

#[test]
fn no_cut_panics() {
    let cuts: usize =
        examples(RCHECK.extension).iter().map(|(_, text)| RCHECK.survives_every_cut(text)).sum();
    assert!(cuts > 2500, "{cuts}");
}

#[test]
fn no_slip_panics() {
    let slips: usize =
        examples(RCHECK.extension).iter().map(|(_, text)| RCHECK.survives_every_slip(text)).sum();
    assert!(slips > 1000, "{slips}");
}

#[test]
fn symbols_of_random_files_can_be_renamed() {
    let mut symbols = 0;
    for seed in 0..40 {
        let text = {
            let mut random = common::Random::new(seed);
            let formulas = format!("SPEC One: {}\nSPEC {}\n", random.formula(3), random.formula(3));
            random.script() + "SPEC Both: forall k : A | B . G (k-x = a1-x | k-tell)\n" + &formulas
        };
        RCHECK.covers_all_names(&text);
        symbols += RCHECK.renames_every_symbol(&text);
    }
    assert!(symbols > 1000, "{symbols}");
}
