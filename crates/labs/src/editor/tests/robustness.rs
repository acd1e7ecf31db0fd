//! Broken texts: every example cut off at many places, and random changes of it. Nothing panics, and every place that is
//! returned lies in the text.

use super::{examples, index};
use crate::editor::{candidates, meaning, signature};
use swarmcheck_source::index::Index;

fn inspect(text: &str, offset: u32, index: &Index) {
    candidates(text, offset, index);
    signature(text, offset);
    if let Some((span, _)) = meaning(text, offset) {
        assert!(text.get(span.range()).is_some(), "{span:?} in {text}");
    }
}

/// The index of a text, whose places are in order, in the text, and do not overlap.
fn sound_index(text: &str) -> Index {
    let index = index(text);
    for pair in index.occurrences.windows(2) {
        assert!(pair[0].span.end <= pair[1].span.start, "{pair:?} overlap in\n{text}");
    }
    for place in &index.occurrences {
        assert!(text.get(place.span.range()).is_some_and(|name| !name.is_empty()), "{place:?}");
        assert!(place.symbol < index.symbols.len());
    }
    for symbol in &index.symbols {
        assert!(text.get(symbol.extent.range()).is_some(), "{symbol:?}");
        assert_eq!(symbol.extent.to(symbol.span), symbol.extent, "the extent contains the name: {symbol:?}");
        assert!(symbol.container.is_none_or(|at| at < index.symbols.len()));
    }
    index
}

#[test]
fn texts_that_end_anywhere() {
    let mut count = 0;
    for (_, text) in examples() {
        for end in (0..text.len()).step_by(7).filter(|end| text.is_char_boundary(*end)) {
            let cut = &text[..end];
            let index = sound_index(cut);
            inspect(cut, end as u32, &index);
            inspect(cut, (end / 2) as u32, &index);
            // A stale index, of the whole text or of nothing, does no harm.
            candidates(cut, end as u32, &Index::default());
            count += 1;
        }
    }
    assert!(count >= 3_000, "only {count} texts");
}

#[test]
fn every_place_of_the_examples() {
    let mut count = 0;
    for (_, text) in examples() {
        let index = sound_index(&text);
        // Also offsets inside of characters, and behind the end.
        for offset in (0..text.len() as u32 + 20).step_by(11) {
            inspect(&text, offset, &index);
            count += 1;
        }
    }
    assert!(count >= 2_000, "only {count} places");
}

#[test]
fn texts_with_random_changes() {
    let mut random = fastrand::Rng::with_seed(21);
    let pieces = [
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "_",
        ";",
        ",",
        ":",
        ":=",
        "<-",
        "of",
        "forall A a,",
        "ltl",
        "é",
        "=",
        "P = ",
    ];
    let mut count = 0;
    for (_, text) in examples() {
        for _ in 0..30 {
            let mut changed = text.clone();
            for _ in 0..random.usize(1..4) {
                let at = random.usize(0..changed.len());
                if changed.is_char_boundary(at) {
                    changed.insert_str(at, pieces[random.usize(0..pieces.len())]);
                }
            }
            let index = sound_index(&changed);
            inspect(&changed, random.u32(0..changed.len() as u32), &index);
            count += 1;
        }
    }
    assert!(count >= 600, "only {count} texts");
}

/// The extents of symbols nest, so the innermost one is well-defined.
#[test]
fn extents_nest() {
    for (path, text) in examples() {
        let index = index(&text);
        let mut open: Vec<swarmcheck_source::Span> = vec![];
        let mut extents: Vec<_> = index.symbols.iter().map(|symbol| symbol.extent).collect();
        extents.sort_by_key(|extent| (extent.start, std::cmp::Reverse(extent.end)));
        for extent in extents {
            open.retain(|outer| outer.end > extent.start);
            assert!(open.iter().all(|outer| outer.end >= extent.end), "{path}: {extent:?} in {open:?}");
            open.push(extent);
        }
    }
}
