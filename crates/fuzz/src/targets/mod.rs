//! What is attacked: one list, and a file for each family.

mod front;
mod planted;
mod small;

#[cfg(feature = "whole")]
mod answers;
#[cfg(feature = "whole")]
mod decide;
#[cfg(feature = "whole")]
mod editor;
#[cfg(feature = "whole")]
mod host;
#[cfg(feature = "whole")]
mod models;
#[cfg(feature = "whole")]
mod requests;
#[cfg(feature = "whole")]
mod servers;
#[cfg(feature = "whole")]
mod stored;

use crate::Target;
use crate::seeds::From;

/// The stack of a program's first thread, as systems have it.
const PROGRAM: usize = 8 << 20;

/// That of a worker (`crates/worker/src/serve.rs`).
#[cfg(feature = "whole")]
const WORKER: usize = 256 << 20;

const LABS: From = From { endings: &["labs"], crates: &["labs", "format"], corpus: &["labs"] };
const CCS: From = From { endings: &["ccs"], crates: &["ccs", "calculi", "format"], corpus: &["ccs"] };
const CHOR: From = From { endings: &["chor"], crates: &["chor", "calculi", "format"], corpus: &["chor"] };
const RCHECK: From = From { endings: &["rcp", "rcheck"], crates: &["rcheck", "format"], corpus: &["rcheck"] };

/// All targets.
pub const TARGETS: &[Target] = &[
    front::LABS_PARSE,
    front::CCS_PARSE,
    front::CHOR_PARSE,
    front::RCHECK_PARSE,
    front::LABS_CHECK,
    front::CCS_CHECK,
    front::CHOR_CHECK,
    front::RCHECK_CHECK,
    small::PROJECT,
    small::JOURNAL,
    small::POINTS,
    small::AUT,
    #[cfg(feature = "whole")]
    stored::TRACE,
    #[cfg(feature = "whole")]
    stored::CERTIFICATE,
    #[cfg(feature = "whole")]
    answers::AIGER,
    #[cfg(feature = "whole")]
    answers::BTOR2,
    #[cfg(feature = "whole")]
    answers::C,
    #[cfg(feature = "whole")]
    answers::SPIN,
    #[cfg(feature = "whole")]
    answers::SMV,
    #[cfg(feature = "whole")]
    answers::CADP,
    #[cfg(feature = "whole")]
    answers::SOLVER,
    #[cfg(feature = "whole")]
    answers::FOUND,
    #[cfg(feature = "whole")]
    decide::LABS,
    #[cfg(feature = "whole")]
    decide::CCS,
    #[cfg(feature = "whole")]
    decide::CHOR,
    #[cfg(feature = "whole")]
    decide::RCHECK,
    #[cfg(feature = "whole")]
    editor::EDITOR,
    #[cfg(feature = "whole")]
    requests::REQUEST,
    #[cfg(feature = "whole")]
    requests::QUERY,
    #[cfg(feature = "whole")]
    servers::LSP,
    #[cfg(feature = "whole")]
    servers::WEB,
];

/// The target with this name; those with planted faults are found, too.
pub fn named(name: &str) -> Option<&'static Target> {
    TARGETS.iter().chain(planted::PLANTED).find(|target| target.name == name)
}

/// Text, whatever the bytes are.
fn text(input: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(input)
}
