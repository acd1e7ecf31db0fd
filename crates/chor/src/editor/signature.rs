//! Forms with several parts: communications and local actions.

use super::outline::{around, outline};
use super::tokens;
use swarmcheck_calculi::editor::forms;
use swarmcheck_source::index::Signature;

/// The form that an offset is inside of, and which of its parts is being written.
pub fn signature(text: &str, offset: u32) -> Option<Signature> {
    let tokens = tokens(text);
    if tokens.is_comment(offset) {
        return None;
    }
    let at = tokens.before(offset);
    around(&outline(&tokens), at).filter(|section| at >= section.body)?;
    let before = |places: usize| at.checked_sub(places);
    let sign = |places: usize, sign: char| before(places).is_some_and(|at| tokens.is_sign(at, sign));
    let word = |places: usize| before(places).is_some_and(|at| tokens.is_word(at));
    if sign(1, '@') && word(2) {
        let says = "The peer performs the action by itself.";
        return Some(forms::signature("action@peer", &["action", "peer"], 1, says));
    }
    // Behind the bracket, the first peer, the comma, or the second peer.
    let open = (1..=4).find(|places| sign(*places, '[')).filter(|places| word(places + 1))?;
    let closed = (1..open).any(|places| !word(places) && !sign(places, ','));
    let comma = (1..open).any(|places| sign(places, ','));
    let says = "The two peers communicate; neither can do this without the other.";
    (!closed).then(|| {
        forms::signature("message[from,to]", &["message", "from", "to"], 1 + usize::from(comma), says)
    })
}
