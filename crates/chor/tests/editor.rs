//! Answers to editors on all examples in Chor.

#![allow(clippy::disallowed_methods, reason = "reads the examples")]

#[path = "common/terms.rs"]
mod terms;
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

#[test]
fn no_slip_panics() {
    let slips: usize = examples(CHOR.extension).iter().map(|(_, text)| CHOR.survives_every_slip(text)).sum();
    assert!(slips > 120, "{slips}");
}

#[test]
fn symbols_of_random_files_can_be_renamed() {
    let mut symbols = 0;
    for seed in 0..40 {
        let text = format!(
            "choreography C = m[p,q]; {}\ncheck {{ P = ltl m[p,q] or <> m[p,q] }}",
            terms::Random::new(seed).chor(12)
        );
        CHOR.covers_all_names(&text);
        symbols += CHOR.renames_every_symbol(&text);
    }
    assert!(symbols > 200, "{symbols}");
}
