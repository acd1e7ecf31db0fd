//! Answers to editors on all examples in CCS.

#![allow(clippy::disallowed_methods, reason = "reads the examples")]

#[path = "../../calculi/tests/editor/trial.rs"]
mod trial;

use swarmcheck_ccs::{check, editor};
use trial::{Language, examples};

const CCS: Language = Language {
    extension: "ccs",
    words: editor::WORDS,
    index: editor::index,
    candidates: editor::candidates,
    meaning: editor::meaning,
    signature: editor::signature,
    name_problem: editor::name_problem,
    checked: |text| format!("{:?}", check(text, None)),
    data_words: &[],
};

#[test]
fn every_name_is_a_place_of_a_symbol() {
    let examples = examples(CCS.extension);
    assert_eq!(examples.len(), 6);
    let places: usize = examples.iter().map(|(_, text)| CCS.covers_all_names(text)).sum();
    assert!(places > 300, "{places}");
}

#[test]
fn every_symbol_can_be_renamed() {
    let symbols: usize = examples(CCS.extension).iter().map(|(_, text)| CCS.renames_every_symbol(text)).sum();
    assert!(symbols > 80, "{symbols}");
}

#[test]
fn no_cut_panics() {
    let cuts: usize = examples(CCS.extension).iter().map(|(_, text)| CCS.survives_every_cut(text)).sum();
    assert!(cuts > 600, "{cuts}");
}
