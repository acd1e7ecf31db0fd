//! The four front ends. `…-parse` cuts a text into pieces, parses, formats it and makes what editors know of its names;
//! `…-check` checks and lowers it, shows every diagnostic, and makes every change that one offers.

use super::{CCS, CHOR, LABS, PROGRAM, RCHECK, text};
use crate::{Target, pick};
use swarmcheck_format::Language;
use swarmcheck_source::token::Token;
use swarmcheck_source::{Diagnostic, Diagnostics, SourceFile, data, render};

const fn parse(
    name: &'static str,
    run: fn(&[u8]),
    from: crate::seeds::From,
    words: &'static [&'static str],
) -> Target {
    Target { name, about: "pieces, syntax tree, format, names", run, from, words, usual: 160, stack: PROGRAM }
}

const fn check(
    name: &'static str,
    run: fn(&[u8]),
    from: crate::seeds::From,
    words: &'static [&'static str],
) -> Target {
    Target {
        name,
        about: "check, lowering, diagnostics, fixes",
        run,
        from,
        words,
        usual: 800,
        stack: PROGRAM,
    }
}

pub const LABS_PARSE: Target = parse("labs-parse", labs_parse, LABS, swarmcheck_labs::editor::WORDS);
pub const CCS_PARSE: Target = parse("ccs-parse", ccs_parse, CCS, swarmcheck_ccs::editor::WORDS);
pub const CHOR_PARSE: Target = parse("chor-parse", chor_parse, CHOR, swarmcheck_chor::editor::WORDS);
pub const RCHECK_PARSE: Target =
    parse("rcheck-parse", rcheck_parse, RCHECK, swarmcheck_rcheck::editor::WORDS);
pub const LABS_CHECK: Target = check("labs-check", labs_check, LABS, swarmcheck_labs::editor::WORDS);
pub const CCS_CHECK: Target = check("ccs-check", ccs_check, CCS, swarmcheck_ccs::editor::WORDS);
pub const CHOR_CHECK: Target = check("chor-check", chor_check, CHOR, swarmcheck_chor::editor::WORDS);
pub const RCHECK_CHECK: Target =
    check("rcheck-check", rcheck_check, RCHECK, swarmcheck_rcheck::editor::WORDS);

/// Pieces lie in the text, one behind the other, and formatting twice is formatting once.
fn layout(language: Language, text: &str, pieces: &[Token]) {
    let mut at = 0;
    for piece in pieces {
        let range = piece.span.range();
        assert!(
            range.start >= at && text.get(range.clone()).is_some(),
            "a piece is not where it should be: {range:?}"
        );
        at = range.end;
    }
    match swarmcheck_format::format(language, text) {
        Ok(formatted) => {
            assert_eq!(
                swarmcheck_format::format(language, &formatted).as_ref(),
                Ok(&formatted),
                "formatted twice"
            );
        }
        Err(wrong) => panic!("the formatter would change the meaning at {}", wrong.at),
    }
}

fn labs_parse(input: &[u8]) {
    let text = text(input);
    let (tree, found) = swarmcheck_labs::syntax::parse(&text);
    drop((tree, found));
    layout(Language::Labs, &text, &swarmcheck_labs::syntax::pieces(&text));
    if pick(input, 1, 4) == 0 {
        drop((
            swarmcheck_labs::syntax::parse_expression(&text),
            swarmcheck_labs::syntax::parse_formula(&text),
        ));
        let index = swarmcheck_labs::editor::index(&text);
        let at = place(input, &text);
        swarmcheck_labs::editor::candidates(&text, at, &index);
        swarmcheck_labs::editor::meaning(&text, at);
        swarmcheck_labs::editor::signature(&text, at);
    }
}

fn ccs_parse(input: &[u8]) {
    let text = text(input);
    drop(swarmcheck_ccs::syntax::parse(&text));
    layout(Language::Ccs, &text, &swarmcheck_ccs::syntax::pieces(&text));
    if pick(input, 1, 4) == 0 {
        let index = swarmcheck_ccs::editor::index(&text);
        let at = place(input, &text);
        swarmcheck_ccs::editor::candidates(&text, at, &index);
        swarmcheck_ccs::editor::meaning(&text, at);
        swarmcheck_ccs::editor::signature(&text, at);
    }
}

fn chor_parse(input: &[u8]) {
    let text = text(input);
    let system = [None, Some("choreography"), Some("peers"), Some("others")][pick(input, 5, 4)];
    let (spec, found) = swarmcheck_chor::check(&text, system);
    drop(found);
    if let Some(spec) = &spec {
        let whole = spec.whole.to_string();
        let (again, found) = swarmcheck_chor::check(&format!("choreography Again = {whole}"), None);
        drop(found);
        // What is printed says the same when it is read. Printing adds brackets, which may be too many to be read.
        if whole.matches('(').count() < 90 {
            assert_eq!(again.map(|again| again.whole.to_string()), Some(whole), "printed and read again");
        }
        spec.peers.iter().for_each(|(_, part)| drop(part.to_string()));
    }
    layout(Language::Chor, &text, &swarmcheck_chor::syntax::pieces(&text));
    if pick(input, 1, 4) == 0 {
        let index = swarmcheck_chor::editor::index(&text);
        let at = place(input, &text);
        swarmcheck_chor::editor::candidates(&text, at, &index);
        swarmcheck_chor::editor::meaning(&text, at);
        swarmcheck_chor::editor::signature(&text, at);
    }
}

fn rcheck_parse(input: &[u8]) {
    let text = text(input);
    drop(swarmcheck_rcheck::syntax::parse(&text, None));
    layout(Language::Rcheck, &text, &swarmcheck_rcheck::syntax::pieces(&text));
    if pick(input, 1, 4) == 0 {
        let index = swarmcheck_rcheck::editor::index(&text);
        let at = place(input, &text);
        swarmcheck_rcheck::editor::candidates(&text, at, &index);
        swarmcheck_rcheck::editor::meaning(&text, at);
        swarmcheck_rcheck::editor::signature(&text, at);
    }
}

/// A place in the text, between characters.
fn place(input: &[u8], text: &str) -> u32 {
    let at = pick(input, 2, text.len() + 1);
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default() as u32
}

/// Every diagnostic can be shown, and every fix be made.
fn shown(file: &SourceFile, found: Diagnostics) {
    for diagnostic in found.into_sorted().iter().take(20) {
        told(file, diagnostic);
    }
}

fn told(file: &SourceFile, diagnostic: &Diagnostic) {
    let shown = render::diagnostic(file, diagnostic, false);
    assert!(!shown.is_empty());
    for fix in &data::diagnostic(file, diagnostic).fixes {
        assert!(fix.apply(file.text()).is_some(), "a fix does not fit the text: {fix:?}");
    }
}

/// Values for all parameters of a model.
fn values(input: &[u8], tree: &swarmcheck_labs::syntax::ast::File) -> Vec<(String, String)> {
    const VALUES: &[&str] =
        &["1", "2", "3", "3", "2", "0", "-1", "17", "9223372036854775807", "x", "100000000000"];
    let names = tree.systems.iter().flat_map(|system| &system.externs);
    let value = |at: usize| VALUES[pick(input, 3 + at as u64, VALUES.len())].to_string();
    names
        .enumerate()
        .map(|(at, name)| (name.name.text.trim_start_matches('_').to_string(), value(at)))
        .collect()
}

fn labs_check(input: &[u8]) {
    let text = text(input);
    let (tree, found) = swarmcheck_labs::syntax::parse(&text);
    let file = SourceFile::new("x.labs", text.to_string());
    let end = swarmcheck_source::Span::new(text.len(), text.len());
    let (model, more) = swarmcheck_labs::check::check(&tree, end, &values(input, &tree));
    let mut all = found;
    let parsed = !all.has_errors();
    all.extend(more);
    swarmcheck_labs::fixes::complete(&text, &tree, &mut all);
    shown(&file, all);
    // Only what was parsed is lowered.
    if let Some(model) = model.filter(|_| parsed) {
        let options = swarmcheck_labs::lower::Options {
            fair: pick(input, 20, 4) == 0,
            sync: pick(input, 21, 4) == 0,
            ..Default::default()
        };
        if let Err(refused) = swarmcheck_labs::lower::lower(&model, &text, options) {
            told(&file, &refused);
        }
    }
}

fn ccs_check(input: &[u8]) {
    let text = text(input);
    let file = SourceFile::new("x.ccs", text.to_string());
    let (spec, found) = swarmcheck_ccs::check(&text, None);
    shown(&file, found);
    if let Some(spec) = spec
        && let Err(refused) = swarmcheck_ccs::lower::lower(&spec, true)
    {
        told(&file, &refused);
    }
}

fn chor_check(input: &[u8]) {
    let text = text(input);
    let file = SourceFile::new("x.chor", text.to_string());
    let part = ["choreography", "peers"][pick(input, 4, 2)];
    let (spec, found) = swarmcheck_chor::check(&text, Some(part));
    shown(&file, found);
    if let Some(spec) = spec
        && let Err(refused) = swarmcheck_chor::lower::lower(&spec, true)
    {
        told(&file, &refused);
    }
}

fn rcheck_check(input: &[u8]) {
    let text = text(input);
    let file = SourceFile::new("x.rcp", text.to_string());
    let (spec, found) = swarmcheck_rcheck::check(&text);
    let fine = !found.has_errors();
    shown(&file, found);
    if let Some(spec) = spec.filter(|_| fine) {
        drop(swarmcheck_rcheck::lower::lower(&spec, true));
    }
}
