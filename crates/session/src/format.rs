//! A model as it should look. White space changes and nothing else, so a file with errors of syntax can be formatted, too; who asked is
//! told the errors and may decide otherwise.

use crate::languages::{LanguageWord, language};
use crate::outcome::Reason;
use crate::refusal::Refusal;
use crate::request::Source;
use crate::specification::split_name;
use serde::{Deserialize, Serialize};
use swarmcheck_calculi::codes::{CHARACTER, DEPTH, SYNTAX};
use swarmcheck_format::Language;
use swarmcheck_rcheck::Precedence;
use swarmcheck_source::data::{self, DiagnosticData};
use swarmcheck_source::fix::{EditData, FixData};
use swarmcheck_source::{Diagnostic, Severity, SourceFile};

/// Lines of a text, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LineRange {
    /// The first line.
    pub first: u32,
    /// The last line, which belongs to them.
    pub last: u32,
}

/// What formatting makes of a text.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Formatting {
    /// The whole text with all edits made.
    pub text: String,
    /// The changes, each of one line, in the order of the text. There are none if it looks as it should.
    pub edits: Vec<EditData>,
    /// What is wrong with the syntax of the text.
    pub errors: Vec<DiagnosticData>,
}

/// Formats a text, or some lines of it.
pub fn format(source: &Source, range: Option<LineRange>) -> Result<Formatting, Refusal> {
    let (path, _) = split_name(&source.name, source.language);
    let word = language(path, source.language).word;
    let internal = |why: String| Refusal::unfinished(Reason::Internal { why });
    let edits = edits(word, &source.text, range).map_err(internal)?;
    let fix = FixData { title: String::new(), edits };
    let text = fix.apply(&source.text).ok_or_else(|| internal("edits do not fit the text".to_string()))?;
    Ok(Formatting { text, edits: fix.edits, errors: errors(word, &source.name, &source.text) })
}

/// The changes that formatting makes, each of one line; or that the formatter would change more than white space, which is an error of
/// its own.
pub(crate) fn edits(
    word: LanguageWord,
    text: &str,
    range: Option<LineRange>,
) -> Result<Vec<EditData>, String> {
    let own = match word {
        LanguageWord::Labs => Language::Labs,
        LanguageWord::Ccs => Language::Ccs,
        LanguageWord::Chor => Language::Chor,
        LanguageWord::Rcheck => Language::Rcheck,
    };
    let made = match range {
        None => swarmcheck_format::format_edits(own, text),
        Some(LineRange { first, last }) => {
            let lines = (first as usize).saturating_sub(1)..last as usize;
            swarmcheck_format::format_range(own, text, lines)
        }
    };
    made.map(|edits| edits.iter().map(EditData::from).collect()).map_err(|error| error.to_string())
}

/// What is wrong with the syntax of a text. What it means is not looked at.
fn errors(word: LanguageWord, name: &str, text: &str) -> Vec<DiagnosticData> {
    let file = SourceFile::new(name, text.strip_prefix('\u{feff}').unwrap_or(text));
    let found = match word {
        LanguageWord::Labs => swarmcheck_labs::syntax::parse(file.text()).1,
        LanguageWord::Ccs => swarmcheck_ccs::syntax::parse(file.text()).1,
        LanguageWord::Chor => swarmcheck_chor::check(file.text(), None).1,
        LanguageWord::Rcheck => {
            // What can be read in two ways can be read.
            swarmcheck_rcheck::syntax::parse(file.text(), Some(Precedence::Conventional)).1
        }
    };
    // Calculi tell other mistakes together with these.
    let calculus = matches!(word, LanguageWord::Ccs | LanguageWord::Chor);
    let syntax = |one: &&Diagnostic| {
        one.severity == Severity::Error && (!calculus || [SYNTAX, CHARACTER, DEPTH].contains(&one.code))
    };
    found.into_sorted().iter().filter(syntax).map(|one| data::diagnostic(&file, one)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(name: &str, text: &str) -> Source {
        Source { name: name.to_string(), text: text.to_string(), language: None }
    }

    #[test]
    fn edits_make_the_text() {
        let made = format(&source("a.ccs", "proc  P=a.0\n\n\n\nproc Q  = b.0"), None).unwrap();
        assert_eq!(made.text, "proc P = a.0\n\nproc Q = b.0\n");
        assert_eq!(made.errors, []);
        let again = format(&source("a.ccs", &made.text), None).unwrap();
        assert_eq!((again.edits, again.text), (vec![], made.text));
    }

    #[test]
    fn a_range_is_of_whole_lines() {
        let text = "proc  P = a.0\nproc  Q = b.0\nproc  R = c.0\n";
        let made = format(&source("a.ccs:P", text), Some(LineRange { first: 2, last: 2 })).unwrap();
        assert_eq!(made.text, "proc  P = a.0\nproc Q = b.0\nproc  R = c.0\n");
        assert_eq!(made.edits.len(), 1);
        for (first, last) in [(0, 0), (3, 2), (9, 12)] {
            assert_eq!(format(&source("a.ccs", text), Some(LineRange { first, last })).unwrap().edits, []);
        }
    }

    /// Each of these breaks off where something must follow; each of the others means nothing, but can be read.
    #[test]
    fn errors_of_syntax_are_told_and_others_are_not() {
        for (name, text) in [
            ("a.labs", "system { spawn = "),
            ("a.ccs", "proc P = a."),
            ("a.chor", "choreography C = a@"),
            ("a.rcp", "agent A repeat: ("),
        ] {
            assert_ne!(format(&source(name, text), None).unwrap().errors, [], "{name}");
        }
        for (name, text) in [
            ("a.labs", "system { spawn = Nobody: 1 }"),
            ("a.ccs", "proc P = a.Unknown"),
            ("a.chor", "choreography C = ping[a,a]"),
            ("a.rcp", "agent A repeat: l: <x == y> c! (z)()[]"),
        ] {
            assert_eq!(format(&source(name, text), None).unwrap().errors, [], "{name}");
        }
    }
}
