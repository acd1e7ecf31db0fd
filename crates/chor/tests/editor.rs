//! Answers to editors on all examples in Chor.

#![allow(clippy::disallowed_methods, reason = "reads the examples")]

#[path = "../../calculi/tests/editor/trial.rs"]
mod trial;

use swarmcheck_chor::{check, editor};
use trial::{Language, examples};

const CHOR: Language = Language {
    extension: "chor",
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
    let examples = examples(CHOR.extension);
    assert_eq!(examples.len(), 4);
    let places: usize = examples.iter().map(|(_, text)| CHOR.covers_all_names(text)).sum();
    assert!(places > 100, "{places}");
}

#[test]
fn every_symbol_can_be_renamed() {
    let symbols: usize =
        examples(CHOR.extension).iter().map(|(_, text)| CHOR.renames_every_symbol(text)).sum();
    assert!(symbols > 40, "{symbols}");
}

#[test]
fn no_cut_panics() {
    let cuts: usize = examples(CHOR.extension).iter().map(|(_, text)| CHOR.survives_every_cut(text)).sum();
    assert!(cuts > 250, "{cuts}");
}
