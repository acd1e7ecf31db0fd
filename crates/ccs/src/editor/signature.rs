//! Forms with several parts: relabelling.

use super::outline::{Part, Section, around, outline};
use super::tokens;
use swarmcheck_calculi::editor::forms;
use swarmcheck_source::index::Signature;

/// The form that an offset is inside of, and which of its parts is being written.
pub fn signature(text: &str, offset: u32) -> Option<Signature> {
    let tokens = tokens(text);
    if tokens.is_comment(offset) {
        return None;
    }
    let sections = outline(&tokens);
    let at = tokens.before(offset);
    let section: Section = around(&sections, at).filter(|section| section.part != Part::Check)?;
    let open = (section.body..at)
        .rev()
        .find(|before| !tokens.is_word(*before) && !matches!(tokens.sign(*before), Some(',' | '/' | '\'')))?;
    let before = open.checked_sub(1).and_then(|before| tokens.sign(before));
    if !tokens.is_sign(open, '[') || before == Some('|') {
        return None;
    }
    let last = (open..at).rev().find(|at| matches!(tokens.sign(*at), Some('/' | ',' | '[')));
    let old = last.is_some_and(|at| tokens.is_sign(at, '/'));
    Some(forms::signature(
        "P[new/old]",
        &["new", "old"],
        usize::from(old),
        "The old name is observed as the new one. Several pairs are separated by commas.",
    ))
}
