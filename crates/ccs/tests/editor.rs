//! Answers to editors on all examples in CCS.

#![allow(clippy::disallowed_methods, reason = "reads the examples")]

#[path = "common/terms.rs"]
mod terms;
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
    assert_eq!(examples.len(), 11);
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

#[test]
fn no_slip_panics() {
    let slips: usize = examples(CCS.extension).iter().map(|(_, text)| CCS.survives_every_slip(text)).sum();
    assert!(slips > 300, "{slips}");
}

#[test]
fn symbols_of_random_files_can_be_renamed() {
    let mut symbols = 0;
    for seed in 0..40 {
        let text = terms::Random::new(seed).specification();
        CCS.covers_all_names(&text);
        symbols += CCS.renames_every_symbol(&text);
    }
    assert!(symbols > 150, "{symbols}");
}
