//! Forms with several parts: commands, instances, and guards with arguments.

use super::outline::{Part, Section, around, outline, variables};
use super::pieces::{Piece, piece_at, pieces};
use super::{Tokens, tokens};
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
    let section = around(&sections, at).filter(|section| at >= section.body)?;
    if let Some(call) = guard_call(&tokens, &sections, section, at) {
        return Some(call);
    }
    match section.part {
        Part::Repeat => command(&tokens, section, at),
        Part::System => instance(&tokens, section, at),
        _ => None,
    }
}

/// The innermost parenthesis that is open before a place, and the commas in it.
fn open(tokens: &Tokens<'_>, first: usize, at: usize) -> Option<(usize, usize)> {
    let mut stack: Vec<(usize, usize)> = vec![];
    for place in first..at {
        match tokens.sign(place) {
            Some('(') => stack.push((place, 0)),
            Some(')') => {
                stack.pop();
            }
            Some(',') => {
                if let Some((_, commas)) = stack.last_mut() {
                    *commas += 1;
                }
            }
            _ => {}
        }
    }
    stack.pop()
}

fn guard_call(tokens: &Tokens<'_>, sections: &[Section], section: Section, at: usize) -> Option<Signature> {
    let (paren, commas) = open(tokens, section.body, at)?;
    let name = tokens.word(paren.checked_sub(1)?);
    let mut guards = sections.iter().filter(|section| section.part == Part::Guard);
    let guard = guards.find(|guard| !name.is_empty() && tokens.word(guard.body) == name)?;
    // Its own declaration is no call.
    if guard.body + 1 == paren {
        return None;
    }
    let close = (guard.body..guard.end).find(|at| tokens.is_sign(*at, ')')).unwrap_or(guard.end);
    let written = variables(tokens, guard.body + 1, close);
    let parameters: Vec<&str> =
        written.iter().map(|one| tokens.text_of(tokens.range(one.name, one.end))).collect();
    let label = format!("{name}({})", parameters.join(", "));
    if parameters.is_empty() {
        return Some(forms::signature(&label, &[name], 0, "A guard without parameters."));
    }
    Some(forms::signature(
        &label,
        &parameters,
        commas,
        "The guard with arguments in the place of its parameters.",
    ))
}

fn command(tokens: &Tokens<'_>, section: Section, at: usize) -> Option<Signature> {
    let piece = piece_at(tokens, section, at);
    // What the command communicates may stand on either side of the place.
    let found = pieces(tokens, section, section.end);
    let here = at.saturating_sub(section.body);
    let inside = |piece: &Piece| !matches!(piece, Piece::Between | Piece::Label);
    let behind = found.iter().enumerate().skip(here).take_while(|(_, piece)| inside(piece));
    let before = found.iter().enumerate().take(here).rev().take_while(|(_, piece)| inside(piece));
    let act = behind.chain(before).find_map(|(place, piece)| {
        let at = section.body + place;
        match (piece, tokens.text(at)) {
            (Piece::Channel, sign @ ("!" | "?")) => Some(sign),
            (Piece::Place, word @ ("GET" | "SUPPLY")) => Some(word),
            _ => None,
        }
    });
    let active = match piece {
        Piece::Between | Piece::Label => return None,
        Piece::Guard => 1,
        Piece::Channel => 2,
        Piece::Target | Piece::Place => 3,
        Piece::Data => 4,
        Piece::After | Piece::Update => 5,
    };
    Some(match act {
        Some("?") => forms::signature(
            "label: {guard} channel? [update]",
            &["label", "guard", "channel", "update"],
            active.min(3),
            "Receives a message on the channel. Guard and update may read its fields.",
        ),
        Some(word @ ("GET" | "SUPPLY")) => {
            let place = if word == "GET" { "from whom" } else { "for whom" };
            let label = format!("label: {{guard}} {word}@({place})(message)[update]");
            let says =
                "A get and a supply of two agents are one step. Each side reads what the other one sets.";
            let parts = ["label", "guard", place, "message", "update"];
            forms::signature(&label, &parts, if active > 2 { active - 1 } else { active }, says)
        }
        _ => forms::signature(
            "label: {guard} channel! (send guard)(message)[update]",
            &["label", "guard", "channel", "send guard", "message", "update"],
            active,
            "Sends a message on the channel to the agents that satisfy the send guard.",
        ),
    })
}

fn instance(tokens: &Tokens<'_>, section: Section, at: usize) -> Option<Signature> {
    let mut depth = 0_usize;
    let (mut paren, mut comma) = (None, false);
    for place in section.body..at {
        match tokens.sign(place) {
            Some('(') => {
                if depth == 0 {
                    (paren, comma) = (Some(place), false);
                }
                depth += 1;
            }
            Some(')') => depth = depth.saturating_sub(1),
            Some(',') if depth == 1 => comma = true,
            _ => {}
        }
    }
    let kind = tokens.word(paren.filter(|_| depth > 0)?.checked_sub(1)?);
    let label = format!("{}(name, init)", if kind.is_empty() { "Kind" } else { kind });
    let says = "An agent of this type with its name, and what else holds at first.";
    // The parts follow the parenthesis, whatever the type is called.
    let mut form = forms::signature(&label, &["(name", "init)"], usize::from(comma), says);
    if let [first, second] = form.parts.as_mut_slice() {
        (first.0, second.1) = (first.0 + 1, second.1 - 1);
    }
    Some(form)
}
