//! Formatting changes no meaning and settles at once. Models of all languages, those of the examples and of the documents as well as
//! random ones, are formatted as they are, with other white space and comments between their pieces, and with random damage.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "reads the models of the project, and measures time"
)]

#[path = "../../../chor/tests/common/terms.rs"]
mod choreographies;
#[path = "../../../rcheck/tests/common/mod.rs"]
mod common;
mod models;
#[path = "../../../ccs/tests/common/terms.rs"]
#[allow(dead_code)]
mod terms;
/// Only what makes random systems: the whole crate would need everything else.
#[path = "../../../testkit/src"]
mod testkit {
    #[allow(dead_code)]
    pub mod generate;
}
mod tree;

use fastrand::Rng;
use models::{Model, pieces};
use std::time::Instant;
use swarmcheck_format::{Language, format, format_edits, format_range};
use swarmcheck_source::fix::{Edit, EditData, FixData};
use tree::tree;

/// Checks everything that is promised for a text.
fn check(language: Language, text: &str, rng: &mut Rng) {
    let made = format(language, text).unwrap_or_else(|error| panic!("{error}\n{text:?}"));
    assert_eq!(tree(language, text), tree(language, &made), "{text:?}\n{made:?}");
    assert_eq!(format(language, &made).as_deref(), Ok(made.as_str()), "not settled: {text:?}");
    let body = made.strip_prefix('\u{feff}').unwrap_or(&made);
    assert!(body.is_empty() || body.ends_with('\n') && !body.ends_with("\n\n"), "{made:?}");
    assert_eq!(apply(format_edits(language, text).unwrap(), text), made, "{text:?}");
    // Two ranges that meet are the whole.
    let cut = rng.usize(0..=text.lines().count());
    let below = format_range(language, text, cut..usize::MAX).unwrap();
    let above = format_range(language, text, 0..cut).unwrap();
    // A comment over several lines belongs to both.
    let both: Vec<Edit> = below.into_iter().filter(|edit| !above.contains(edit)).collect();
    assert_eq!(apply([above, both].concat(), text), made, "{text:?}");
}

fn apply(edits: Vec<Edit>, text: &str) -> String {
    let edits = edits.into_iter().map(|edit| EditData {
        start: edit.span.start,
        end: edit.span.end,
        text: edit.text,
    });
    FixData { title: String::new(), edits: edits.collect() }.apply(text).unwrap()
}

/// The same pieces with other white space and comments between them. Where there was none, there mostly is none.
fn respaced(language: Language, text: &str, rng: &mut Rng) -> String {
    let (mut out, mut at) = (String::new(), 0);
    for piece in pieces(language, text) {
        let range = piece.span.range();
        if range.start > at || rng.u8(0..30) == 0 {
            let comment = if language == Language::Rcheck { "//  c" } else { "#c" };
            match rng.u8(0..24) {
                0 => out += "\n",
                1 => out += "\n\n\n",
                2 => out += " \t ",
                3 => out += &format!("  {comment}  \n"),
                4 => out += &format!("\n{comment}\n\t"),
                5 if language == Language::Rcheck => out += " /* a\n  b */ ",
                6 => out += "\r\n",
                _ if text[at..range.start].contains('\n') => out += "\n   ",
                _ => out += " ",
            }
        }
        out += &text[range.clone()];
        // A comment ends with its line.
        if text[range.clone()].starts_with(['#', '/']) {
            out += "\n";
        }
        at = range.end;
    }
    out
}

/// A text with some of its characters gone, doubled or replaced.
fn damaged(text: &str, rng: &mut Rng) -> String {
    let signs: Vec<char> = "()[]{}<>-+*/=!|&@?:;,.'\"#\n\r\t é\u{feff}\u{2028}0aA_".chars().collect();
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..rng.usize(1..6) {
        let at = rng.usize(0..=chars.len());
        match rng.u8(0..3) {
            0 => chars.insert(at, signs[rng.usize(0..signs.len())]),
            1 if at < chars.len() => drop(chars.remove(at)),
            _ if at < chars.len() => chars[at] = signs[rng.usize(0..signs.len())],
            _ => {}
        }
    }
    chars.into_iter().collect()
}

fn all_ways(model: &Model, seed: u64) {
    let mut rng = Rng::with_seed(seed);
    let (language, text) = (model.language, &model.text);
    check(language, text, &mut rng);
    let other = respaced(language, text, &mut rng);
    check(language, &other, &mut rng);
    check(language, &damaged(text, &mut rng), &mut rng);
    check(language, &damaged(&other, &mut rng), &mut rng);
}

#[test]
fn models_that_people_have_written() {
    let models = models::written();
    for (number, model) in models.iter().enumerate() {
        for round in 0..4 {
            all_ways(model, number as u64 * 4 + round);
        }
    }
    let count = |language| models.iter().filter(|model| model.language == language).count();
    let counts = [Language::Labs, Language::Ccs, Language::Chor, Language::Rcheck].map(count);
    assert!(counts.iter().zip([300, 15, 8, 30]).all(|(found, least)| *found >= least), "{counts:?}");
}

#[test]
fn random_models() {
    let checked = (0..500).map(|seed| all_ways(&models::random(seed), seed)).count();
    assert_eq!(checked, 500);
}

/// `cargo test --release -p swarmcheck-format --test meaning -- --ignored long_run`
#[test]
#[ignore = "takes minutes"]
fn long_run() {
    let systems = std::env::var("SWARMCHECK_SYSTEMS").map_or(20_000, |text| text.parse().unwrap());
    for seed in 0..systems {
        all_ways(&models::random(1_000_000 + seed), seed);
    }
}

/// Examples look as the formatter wants them.
#[test]
fn examples_are_formatted() {
    let examples = models::examples();
    for (path, model) in &examples {
        let made = format(model.language, &model.text).unwrap();
        assert!(made == model.text, "{path} is not formatted: run swarmcheck fmt examples");
    }
    assert_eq!(examples.len(), 48);
}

/// Nothing is too strange.
#[test]
fn random_characters() {
    let mut rng = Rng::with_seed(3);
    let mut checked = 0;
    for round in 0..4000 {
        let language = [Language::Labs, Language::Ccs, Language::Chor, Language::Rcheck][round % 4];
        let text = damaged(&damaged(&damaged(&damaged("", &mut rng), &mut rng), &mut rng), &mut rng);
        check(language, &text, &mut rng);
        checked += usize::from(!text.is_empty());
    }
    assert!(checked > 3000, "{checked}");
}

/// Twice the text may take about twice the time: these grow faster if anything is searched for from every line.
#[test]
fn time_is_linear() {
    let texts: [(Language, &str); 6] = [
        (Language::Labs, "x ->\n"),
        (Language::Labs, "(\n"),
        (Language::Labs, "a,\n"),
        (Language::Labs, "x # c\n"),
        (Language::Rcheck, "<\n(\n]\n"),
        (Language::Ccs, "[\n{ ( )\n}\n"),
    ];
    for (language, unit) in texts {
        for text in [
            unit.repeat(100_000 / unit.len()),
            format!("stigmergy S {{\n{}", unit.repeat(100_000 / unit.len())),
        ] {
            let began = Instant::now();
            assert!(format(language, &text).is_ok_and(|made| made.len() < 100 * text.len()));
            assert!(began.elapsed().as_secs() < 5, "{unit:?}");
        }
    }
}
