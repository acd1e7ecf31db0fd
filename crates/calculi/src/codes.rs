//! The catalogue of diagnostics of the calculi. Codes are stable: they are never renumbered and never reused.

/// The catalogue: code and short title, as the manual lists them.
pub const CATALOGUE: &[(&str, &str)] = &[
    (SYNTAX, "the text does not follow the grammar"),
    (CHARACTER, "a character that the language does not use"),
    (DEPTH, "nested too deeply"),
    (EMPTY, "the file defines no system"),
    (UNKNOWN, "a name that is not defined"),
    (DUPLICATE, "the same name defined twice"),
    (UNKNOWN_ACTION, "a property refers to an action that does not occur"),
    (PEERS, "a communication of a peer with itself"),
    (SET, "the name of a set where an action is meant"),
    (UNGUARDED, "unguarded recursion"),
    (PARALLEL_RECURSION, "recursion inside parallel composition"),
    (TOO_LARGE, "the system needs too many triples"),
    (PARAMETER, "a parameter or an option that the language does not have"),
];

/// The text does not follow the grammar.
pub const SYNTAX: &str = "E1001";
/// A character that the language does not use.
pub const CHARACTER: &str = "E1002";
/// Nested too deeply.
pub const DEPTH: &str = "E1003";
/// The file defines no system.
pub const EMPTY: &str = "E1004";
/// A name that is not defined.
pub const UNKNOWN: &str = "E1101";
/// The same name defined twice.
pub const DUPLICATE: &str = "E1102";
/// A property refers to an action that does not occur.
pub const UNKNOWN_ACTION: &str = "E1103";
/// A communication of a peer with itself.
pub const PEERS: &str = "E1104";
/// The name of a set where an action is meant.
pub const SET: &str = "E1105";
/// Unguarded recursion.
pub const UNGUARDED: &str = "E1301";
/// Recursion inside parallel composition.
pub const PARALLEL_RECURSION: &str = "E1302";
/// The system needs too many triples.
pub const TOO_LARGE: &str = "E1303";
/// A parameter or an option that the language does not have.
pub const PARAMETER: &str = "E1401";
