//! Four small models, one in each language, that answers, traces and proofs are about.

use std::sync::OnceLock;
use swarmcheck_session::{ModelOptions, Prepared, prepare};

/// Names and texts.
pub const MODELS: [(&str, &str); 4] = [
    ("a.labs", include_str!("../../corpus/models/a.labs")),
    ("b.ccs", include_str!("../../corpus/models/b.ccs")),
    ("c.chor", include_str!("../../corpus/models/c.chor")),
    ("d.rcp", include_str!("../../corpus/models/d.rcp")),
];

/// The model that a text names, or the first.
pub fn named(text: &str) -> (&'static str, &'static str) {
    MODELS.into_iter().find(|(name, _)| text.contains(name)).unwrap_or(MODELS[0])
}

/// The first model, which can run.
pub fn first() -> &'static Prepared {
    static FIRST: OnceLock<Prepared> = OnceLock::new();
    FIRST.get_or_init(|| {
        let (name, text) = MODELS[0];
        prepare(name, text.as_bytes(), ModelOptions::default())
            .unwrap_or_else(|_| panic!("a model of the corpus is wrong"))
    })
}
