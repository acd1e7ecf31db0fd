//! The catalogue of diagnostics about project files. Codes are stable: they are never renumbered and never reused.

macro_rules! catalogue {
    ($($name:ident = $code:literal, $title:literal;)*) => {
        $(#[doc = $title] pub const $name: &str = $code;)*
        /// All of them with their titles, in order.
        pub const CATALOGUE: &[(&str, &str)] = &[$(($code, $title)),*];
    };
}

catalogue! {
    SYNTAX = "P0001", "the text is not TOML";
    KEY = "P0002", "an unknown key";
    MISSING = "P0003", "a key is missing";
    TYPE = "P0004", "a value of the wrong type";
    WORD = "P0005", "a value that is not one of those known";
    VERSION = "P0006", "a version that is not read";
    TWICE = "P0007", "the same claim twice";
    FILE = "P0101", "a model that cannot be read";
    PROPERTY = "P0102", "a property that the model does not have";
    PARAMETER = "P0103", "a parameter that the model does not accept";
}
