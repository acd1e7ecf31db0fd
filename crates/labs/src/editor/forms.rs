//! Sections, parts and modalities as they are written, with places to fill in.

use super::context::Section;

/// The sections: word, what it is, and what is written.
pub(super) const SECTIONS: [(&str, &str, &str); 6] = [
    ("system", "section: parameters, environment, agents", "system {\n  spawn = ${1:Kind}: ${2:1}\n}\n$0"),
    (
        "stigmergy",
        "section: a link and the variables it carries",
        "stigmergy ${1:Name} {\n  link = ${2:true}\n  ${3:x}: ${4:0}\n}\n$0",
    ),
    (
        "agent",
        "section: a kind of agents",
        "agent ${1:Kind} {\n  interface = ${2:x}: ${3:0}\n  Behavior = ${4:Skip}\n}\n$0",
    ),
    ("assume", "section: what initial states satisfy", "assume {\n  ${1:Name} = $0\n}"),
    ("check", "section: properties", "check {\n  ${1:Name} = always $0\n}"),
    (
        "view",
        "section: how the system is drawn",
        "view {\n  space = ${1:10}, ${2:10}\n  show ${3:Kind} at ${4:x}, ${5:y}\n}\n$0",
    ),
];

/// The words that open a part of a section, and what is written.
pub(super) fn part_words(section: Section) -> &'static [(&'static str, &'static str, &'static str)] {
    match section {
        Section::System => &[
            ("extern", "the parameters", "extern = _${1:n}"),
            ("environment", "variables that all agents share", "environment = ${1:x}: ${2:0}"),
            ("spawn", "how many agents there are", "spawn = ${1:Kind}: ${2:1}"),
        ],
        Section::Stigmergy => &[
            ("link", "who hears whom", "link = $0"),
            ("rate", "how often its messages are delivered", "rate = ${1:1}"),
        ],
        Section::Agent => &[
            ("interface", "the attributes", "interface = ${1:x}: ${2:0}"),
            ("stigmergies", "what it takes part in", "stigmergies = $0"),
            ("rate", "how often its actions happen", "rate = ${1:1}"),
            ("Behavior", "the process that it starts with", "Behavior = $0"),
        ],
        Section::View => &[
            ("space", "how large the drawing is", "space = ${1:width}, ${2:height}"),
            ("show", "where agents of a kind are", "show ${1:Kind} at ${2:x}, ${3:y}"),
            ("floor", "an array of the environment", "floor = $0"),
        ],
        Section::Assume | Section::Check => &[],
    }
}

/// The modalities, and what is written.
pub(super) const MODALITIES: [(&str, &str, &str); 11] = [
    ("always", "in every reachable state", "always $0"),
    ("eventually", "at some point of every execution", "eventually $0"),
    ("finally", "at some point of every execution", "finally $0"),
    ("fairly", "can be reached from every state without it", "fairly $0"),
    ("fairly_inf", "can be reached from every state", "fairly_inf $0"),
    ("after", "after exactly so many steps", "after ${1:10} $0"),
    ("between", "in scopes that close", "between (${1}) and (${2}), always $0"),
    ("from", "in scopes, closed or not", "from (${1}) until (${2}), always $0"),
    ("ltl", "a formula of linear time", "ltl $0"),
    ("ltl G", "a formula: at all times", "ltl G ($0)"),
    ("ltl G (… -> F …)", "a formula: every request is answered", "ltl G (${1} -> F ${2})"),
];

#[cfg(test)]
mod tests {
    use super::{MODALITIES, SECTIONS};
    use crate::syntax::token;

    #[test]
    fn all_words_have_a_form() {
        let known: Vec<&str> = SECTIONS.iter().map(|(word, ..)| *word).collect();
        assert_eq!(known, token::SECTIONS);
        for word in crate::syntax::MODALITIES {
            assert!(MODALITIES.iter().any(|(known, ..)| *known == word), "{word}");
        }
    }

    /// What is written for a section parses once its places are filled in.
    #[test]
    fn forms_parse() {
        let filled = |form: &str| {
            let mut text = form.replace("$0", "");
            while let Some(start) = text.find("${") {
                let end = text[start..].find('}').map_or(text.len(), |end| start + end);
                let value = text[start..end].split_once(':').map_or("true", |(_, value)| value).to_string();
                text.replace_range(start..=end, &value);
            }
            text
        };
        for (word, _, form) in SECTIONS.iter().filter(|(word, ..)| !matches!(*word, "assume" | "check")) {
            let (_, errors) = crate::syntax::parse(&filled(form));
            assert!(!errors.has_errors(), "{word}: {errors:#?}");
        }
        for (word, _, form) in MODALITIES {
            let form = form.replace("$0", "true");
            let text = format!("check {{ P = {} }}", filled(&form));
            let (_, errors) = crate::syntax::parse(&text);
            assert!(!errors.has_errors(), "{word}: {text}: {errors:#?}");
        }
    }
}
