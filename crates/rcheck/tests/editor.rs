//! Answers to editors on all examples in R-CHECK.

#![allow(clippy::disallowed_methods, reason = "reads the examples")]

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
