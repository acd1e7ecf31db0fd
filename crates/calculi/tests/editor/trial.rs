//! What the answers to editors must satisfy in every language, on all examples of the repository. The tests of the languages
//! include this file.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use swarmcheck_source::Span;
use swarmcheck_source::index::{Candidate, Index, Meaning, Role, Signature, SymbolKind};

/// What is asked of a language.
pub struct Language {
    pub extension: &'static str,
    pub words: &'static [&'static str],
    pub index: fn(&str) -> Index,
    pub candidates: fn(&str, u32, &Index) -> Vec<Candidate>,
    pub meaning: fn(&str, u32) -> Option<(Span, Meaning)>,
    pub signature: fn(&str, u32) -> Option<Signature>,
    pub name_problem: fn(SymbolKind, &str) -> Option<String>,
    /// The checked specification and all diagnostics, written out with names and places.
    pub checked: fn(&str) -> String,
    /// Words of the written-out data that are names in an example as well.
    pub data_words: &'static [&'static str],
}

/// All examples of a language.
pub fn examples(extension: &str) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut out = vec![];
    for folder in std::fs::read_dir(root).expect("examples").flatten().filter(|entry| entry.path().is_dir()) {
        for file in std::fs::read_dir(folder.path()).expect("an example").flatten() {
            if file.path().extension().is_some_and(|found| found == extension) {
                out.push((file.path(), std::fs::read_to_string(file.path()).expect("text")));
            }
        }
    }
    out.sort();
    out
}

impl Language {
    /// The words of a text that are neither numbers nor comments. Cut here once more, by the characters alone.
    fn names<'t>(&self, text: &'t str, index: &Index) -> Vec<(usize, &'t str)> {
        let (mut out, mut at) = (vec![], 0);
        for line in text.split_inclusive('\n') {
            let code = line.split("//").next().unwrap_or("").split('#').next().unwrap_or("");
            let mut start = None;
            for (place, c) in code.char_indices().chain([(code.len(), ' ')]) {
                let word = c.is_alphanumeric() || c == '_';
                match start {
                    None if word => start = Some(place),
                    Some(first) if !word => {
                        out.push((at + first, &code[first..place]));
                        start = None;
                    }
                    _ => {}
                }
            }
            at += line.len();
        }
        out.retain(|(_, word)| !word.starts_with(|c: char| c.is_ascii_digit()));
        assert!(!out.is_empty() && !index.occurrences.is_empty());
        out
    }

    /// Every word that the language does not know is a place of a symbol, and has its name. The number of places.
    pub fn covers_all_names(&self, text: &str) -> usize {
        let index = (self.index)(text);
        let places: HashSet<usize> =
            index.occurrences.iter().map(|place| place.span.start as usize).collect();
        for (start, word) in self.names(text, &index) {
            assert!(
                places.contains(&start) || self.words.contains(&word),
                "`{word}` at {start} means nothing"
            );
        }
        let mut end = 0;
        for place in &index.occurrences {
            let symbol = &index.symbols[place.symbol];
            assert_eq!(&text[place.span.range()], symbol.name);
            assert!(place.span.start >= end, "places overlap");
            end = place.span.end;
            let inside = symbol.extent.start <= symbol.span.start && symbol.span.end <= symbol.extent.end;
            assert!(inside && symbol.container.is_none_or(|container| container < index.symbols.len()));
        }
        for (number, symbol) in index.symbols.iter().enumerate() {
            let declared = index.of(number).any(|p| p.span == symbol.span && p.role == Role::Declaration);
            assert!(declared, "{} is declared nowhere", symbol.name);
        }
        index.occurrences.len()
    }

    /// A name of the same length that does not occur in a text, so that renaming moves nothing.
    fn fresh(&self, text: &str, kind: SymbolKind, length: usize) -> String {
        let letters: Vec<char> = ('a'..='z').chain('A'..='Z').collect();
        let mut random = 7_usize;
        for _ in 0..100_000 {
            let mut name = String::new();
            for _ in 0..length {
                random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                name.push(letters[(random >> 33) % letters.len()]);
            }
            // One letter occurs in words, but it must not be a word.
            let used = match length {
                1..=2 => text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name),
                _ => text.contains(&name),
            };
            if !used && (self.name_problem)(kind, &name).is_none() && !self.words.contains(&name.as_str()) {
                return name;
            }
        }
        panic!("no name of {length} letters is left")
    }

    /// Renames every symbol at all its places: the checked specification and the diagnostics must be the same but for the name,
    /// and so must the index. The number of symbols.
    pub fn renames_every_symbol(&self, text: &str) -> usize {
        let index = (self.index)(text);
        let before = (self.checked)(text);
        for (number, symbol) in index.symbols.iter().enumerate() {
            let fresh = self.fresh(text, symbol.kind, symbol.name.len());
            let mut renamed = text.to_string();
            index.of(number).for_each(|place| renamed.replace_range(place.span.range(), &fresh));
            let after = (self.checked)(&renamed);
            let what = format!("{:?} {} renamed to {fresh}", symbol.kind, symbol.name);
            // Written as data, names stand between quotes or other signs, so whole words are compared. If nothing else has the
            // name, no place may keep it; otherwise the places of the others do.
            let alone = index.symbols.iter().filter(|other| other.name == symbol.name).count() == 1;
            let name = symbol.name.as_str();
            match alone && !self.words.contains(&name) && !self.data_words.contains(&name) {
                true => assert_eq!(after, with_word(&before, &symbol.name, &fresh), "{what}"),
                false => assert_eq!(with_word(&after, &fresh, &symbol.name), before, "{what}"),
            }
            let other = (self.index)(&renamed);
            assert_eq!(other.occurrences, index.occurrences, "{what}");
            assert_eq!(other.symbols.len(), index.symbols.len(), "{what}");
            assert!(other.symbols.iter().zip(&index.symbols).enumerate().all(|(at, (new, old))| {
                new.kind == old.kind && new.extent == old.extent && (at == number || new.name == old.name)
            }));
        }
        index.symbols.len()
    }

    /// Nothing panics at any place of a text that is cut off anywhere. The number of cuts.
    pub fn survives_every_cut(&self, text: &str) -> usize {
        let mut cuts = 0;
        for end in (0..text.len()).step_by(7).filter(|end| text.is_char_boundary(*end)) {
            let cut = &text[..end];
            let index = (self.index)(cut);
            for place in &index.occurrences {
                assert_eq!(&cut[place.span.range()], index.symbols[place.symbol].name);
            }
            for offset in [end, end.saturating_sub(3), end / 2] {
                let candidates = (self.candidates)(cut, offset as u32, &index);
                let labels: HashSet<&str> =
                    candidates.iter().map(|candidate| candidate.label.as_str()).collect();
                assert_eq!(labels.len(), candidates.len(), "something is offered twice");
                let meaning = (self.meaning)(cut, offset as u32);
                assert!(
                    meaning
                        .is_none_or(|(span, meaning)| span.end as usize <= end && !meaning.cites.is_empty())
                );
                let signature = (self.signature)(cut, offset as u32);
                assert!(signature.is_none_or(|form| {
                    let parts =
                        |(start, end): &(u32, u32)| form.label.get(*start as usize..*end as usize).is_some();
                    form.parts.iter().all(parts) && (form.active as usize) < form.parts.len()
                }));
            }
            // Offsets beyond the text are a mistake of the caller, but no reason to panic.
            (self.candidates)(cut, end as u32 + 9, &index);
            (self.meaning)(cut, end as u32 + 9);
            cuts += 1;
        }
        cuts
    }

    /// Takes away every third word or sign of a text, one at a time: nothing panics, and nearly all other names still mean
    /// something. The number of texts.
    pub fn survives_every_slip(&self, text: &str) -> usize {
        let whole = (self.index)(text).occurrences.len();
        let (mut slips, mut kept) = (0, 0);
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let begins = |(at, c): &(usize, char)| {
            let before = text[..*at].chars().next_back();
            let continues = is_word(*c) && before.is_some_and(is_word);
            !c.is_whitespace() && !continues
        };
        for (start, c) in text.char_indices().filter(begins).step_by(3) {
            let rest = &text[start..];
            let end =
                if is_word(c) { rest.find(|c| !is_word(c)).unwrap_or(rest.len()) } else { c.len_utf8() };
            let broken = format!("{}{}", &text[..start], &rest[end..]);
            let index = (self.index)(&broken);
            for place in &index.occurrences {
                assert_eq!(&broken[place.span.range()], index.symbols[place.symbol].name);
            }
            let labels = (self.candidates)(&broken, start as u32, &index);
            assert!(labels.iter().all(|candidate| !candidate.label.is_empty()));
            (self.meaning)(&broken, start as u32);
            (self.signature)(&broken, start as u32);
            slips += 1;
            kept += index.occurrences.len();
        }
        assert!(kept * 100 >= slips * whole * 90, "{} of {} names are left", kept, slips * whole);
        slips
    }
}

/// A text with one whole word replaced by another.
fn with_word(text: &str, from: &str, to: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(start) = rest.find(is_word) {
        let (signs, words) = rest.split_at(start);
        let end = words.find(|c| !is_word(c)).unwrap_or(words.len());
        out += signs;
        out += if &words[..end] == from { to } else { &words[..end] };
        rest = &words[end..];
    }
    out + rest
}
