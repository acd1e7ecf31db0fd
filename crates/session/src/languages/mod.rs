//! The languages: the one list of them, and a file for each. A new language is a file here that implements
//! `LanguageFrontEnd`, and a row of the table.

mod ccs;
mod chor;
mod labs;
mod rcheck;

use crate::asked::AskedFrame;
use crate::open::ModelOptions;
use crate::reach::PredicateFrame;
use crate::specification::Specification;
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;
use swarmcheck_source::index::{Candidate, Index, Meaning, Signature, Symbol, SymbolKind};
use swarmcheck_source::token::Token;
use swarmcheck_source::{Diagnostics, SourceFile, Span};

/// A language by its word: of a file whose name does not tell it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LanguageWord {
    /// LAbS.
    Labs,
    /// CCS.
    Ccs,
    /// Chor.
    Chor,
    /// R-CHECK.
    Rcheck,
}

/// A language that models can be written in.
pub struct Language {
    /// Its word.
    pub word: LanguageWord,
    /// What people call it.
    pub name: &'static str,
    /// What the names of its files end in, without the dot.
    pub extension: &'static str,
    /// `FILE:PART` means one system of several in a file.
    pub has_parts: bool,
    /// Models may have parameters whose values are given when they are read.
    pub has_parameters: bool,
    /// There are several schedules, times of choice and readings of the rules to choose from.
    pub has_variants: bool,
    /// How operators bind can be chosen.
    pub has_readings: bool,
    /// What stands around a predicate over states that is put behind a model; none if the language has no predicates.
    pub predicate: Option<PredicateFrame>,
    /// Reads and checks.
    pub read: Read,
    /// Steps belong to agents, which may be treated fairly or not.
    pub has_units: bool,
    /// What stands around parts of queries that are put behind a model; none if it has no conditions over states.
    pub asked: Option<AskedFrame>,
    /// What editors ask about its files.
    pub editor: EditorSupport,
}

/// What editors ask about the text of a file. Everything works on texts with errors.
#[derive(Clone, Copy)]
pub struct EditorSupport {
    /// The pieces of the text, comments included.
    pub pieces: fn(&str) -> Vec<Token>,
    /// What its names stand for.
    pub index: fn(&str) -> Index,
    /// What could be written at a place.
    pub candidates: fn(&str, u32, &Index) -> Vec<Candidate>,
    /// What the word or sign at a place means.
    pub meaning: fn(&str, u32) -> Option<(Span, Meaning)>,
    /// The form with several parts that is being written at a place.
    pub signature: fn(&str, u32) -> Option<Signature>,
    /// All words that the language knows somewhere.
    pub words: &'static [&'static str],
    /// Why something cannot have a name.
    pub name_problem: fn(SymbolKind, &str) -> Option<String>,
    /// Why something cannot have another name at all.
    pub fixed_name: fn(&Symbol) -> Option<String>,
}

impl Language {
    /// Its word, as editors and JSON write it.
    pub fn id(&self) -> &'static str {
        match self.word {
            LanguageWord::Labs => "labs",
            LanguageWord::Ccs => "ccs",
            LanguageWord::Chor => "chor",
            LanguageWord::Rcheck => "rcheck",
        }
    }
}

/// Reads and checks a file: its text, the part that is meant, and how it is to be read. Where the flag is set while it reads,
/// it may give up and return nothing.
pub type Read =
    fn(&SourceFile, Option<&str>, &ModelOptions, &AtomicBool) -> (Option<Specification>, Diagnostics);

/// The language of files without a known extension.
const LABS: &Language = &LANGUAGES[0];

/// All languages.
pub const LANGUAGES: &[Language] = &[
    Language {
        word: LanguageWord::Labs,
        name: "LAbS",
        extension: "labs",
        has_parts: false,
        has_parameters: true,
        has_variants: true,
        has_readings: false,
        predicate: Some(labs::FRAME),
        read: labs::read,
        has_units: true,
        asked: Some(labs::asked_frame),
        editor: labs::EDITOR,
    },
    Language {
        word: LanguageWord::Ccs,
        name: "CCS",
        extension: "ccs",
        has_parts: true,
        has_parameters: false,
        has_variants: false,
        has_readings: false,
        predicate: None,
        read: ccs::read,
        has_units: false,
        asked: None,
        editor: ccs::EDITOR,
    },
    Language {
        word: LanguageWord::Chor,
        name: "Chor",
        extension: "chor",
        has_parts: true,
        has_parameters: false,
        has_variants: false,
        has_readings: false,
        predicate: None,
        read: chor::read,
        has_units: false,
        asked: None,
        editor: chor::EDITOR,
    },
    Language {
        word: LanguageWord::Rcheck,
        name: "R-CHECK",
        extension: "rcp",
        has_parts: false,
        has_parameters: false,
        has_variants: false,
        has_readings: true,
        predicate: Some(rcheck::FRAME),
        read: rcheck::read,
        has_units: true,
        asked: Some(rcheck::asked_frame),
        editor: rcheck::EDITOR,
    },
];

/// The language that somebody has named, or that the extension of a path stands for; everything else is LAbS.
pub fn language(path: &str, named: Option<LanguageWord>) -> &'static Language {
    let told = named.and_then(|word| LANGUAGES.iter().find(|language| language.word == word));
    told.or_else(|| by_extension(path)).unwrap_or(LABS)
}

/// The language that the extension of a path stands for.
pub fn by_extension(path: &str) -> Option<&'static Language> {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    LANGUAGES.iter().find(|language| language.extension == extension)
}

#[cfg(test)]
mod tests {
    use super::{LANGUAGES, LanguageWord, language};
    use crate::specification::split_name;

    #[test]
    fn extensions_tell_the_language() {
        for known in LANGUAGES {
            let path = format!("some.where/a.b.{}", known.extension);
            assert_eq!(language(&path, None).name, known.name);
            // Who names a language means it.
            for named in LANGUAGES {
                assert_eq!(language(&path, Some(named.word)).name, named.name);
            }
        }
        for other in ["", "model", "standard input", "a.ccs.txt", "a.CCS", "ccs", "a."] {
            assert_eq!(language(other, None).name, "LAbS", "{other:?}");
        }
    }

    #[test]
    fn parts_belong_to_languages_that_have_them() {
        let check =
            |name: &str, path: &str, part: Option<&str>| assert_eq!(split_name(name, None), (path, part));
        check("a.ccs:Spec", "a.ccs", Some("Spec"));
        check("a.chor:choreography", "a.chor", Some("choreography"));
        check("c:a.ccs:Spec", "c:a.ccs", Some("Spec"));
        check("a.ccs", "a.ccs", None);
        for whole in ["a.labs:Spec", "a.rcp:Spec", "a.foo:Spec", "c:a.labs", "a:b"] {
            check(whole, whole, None);
        }
        let named = |name: &str, word| split_name(name, Some(word)).1.map(str::to_string);
        assert_eq!(named("a.txt:Spec", LanguageWord::Ccs).as_deref(), Some("Spec"));
        assert_eq!(named("-:Spec", LanguageWord::Ccs).as_deref(), Some("Spec"));
        assert_eq!(named("a.ccs:Spec", LanguageWord::Rcheck), None);
    }
}
