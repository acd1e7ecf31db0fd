//! What the words and signs of R-CHECK mean, and where the article says so (Abd Alrahman, Azzopardi, Di Stefano and Piterman,
//! STTT 2023). What is not in the article cites the manual.

use super::formula::{Formula, is_operator};
use super::index::{index, is_keep_all, is_member};
use super::outline::{Part, Section, around, outline, variables};
use super::pieces::{Piece, pieces};
use super::{Tokens, tokens};
use swarmcheck_ir::linear::words::{BinaryOperator, UnaryOperator};
use swarmcheck_source::Span;
use swarmcheck_source::index::Meaning;

const MANUAL: &str = "docs/rcheck.md, section A script";
const SEMANTICS: &str = "docs/rcheck.md, section What it means";
const SPECIFICATIONS: &str = "docs/rcheck.md, section Specifications";
const LOGIC: &str = "STTT 2023, section 5.1";

/// What is said, where, and of which tokens.
type Found = Option<(Span, Meaning)>;

fn found(span: Span, says: &'static str, cites: &'static str) -> Found {
    Some((span, Meaning { says, cites }))
}

/// What the word or sign at an offset means; names of the script have no entry here.
pub fn meaning(text: &str, offset: u32) -> Found {
    let tokens = tokens(text);
    let at = tokens.at(offset).filter(|_| !tokens.is_comment(offset))?;
    let span = tokens.span(at);
    let section = around(&outline(&tokens), at + 1)?;
    if at < section.body {
        return header(&tokens, section, at);
    }
    // A name is what was declared with it, also if the language has a meaning for the word.
    if tokens.is_word(at) && index(text).at(span.start).is_some_and(|place| place.span == span) {
        return None;
    }
    match section.part {
        Part::Channels | Part::Enumeration | Part::Agent => None,
        Part::Messages | Part::Properties | Part::Local => types(&tokens, section.body, section.end, at),
        Part::Guard if tokens.sees(at, ":=") || tokens.sees(at.saturating_sub(1), ":=") => {
            found(span, "What the guard stands for, with its parameters.", MANUAL)
        }
        Part::Guard => types(&tokens, section.body + 1, section.end, at).or_else(|| expression(&tokens, at)),
        Part::Relabel
            if tokens.is_sign(at, '←')
                || tokens.sees(at, "<-")
                || tokens.sees(at.saturating_sub(1), "<-") =>
        {
            found(
                span,
                "What the property variable stands for in an agent of this type.",
                "STTT 2023, definition 1 (f) and section 3",
            )
        }
        Part::Init | Part::Relabel | Part::ReceiveGuard => expression(&tokens, at),
        Part::Repeat => process(&tokens, section, at),
        Part::System => match tokens.sign(at) {
            Some('|') if tokens.sees(at, "||") || tokens.sees(at.saturating_sub(1), "||") => found(
                span,
                "Parallel composition: a step is one send with the reaction of every other agent.",
                "STTT 2023, section 3 and definition 2",
            ),
            _ => expression(&tokens, at),
        },
        Part::Specification => specification(&tokens, section, at),
    }
}

fn header(tokens: &Tokens<'_>, section: Section, at: usize) -> Found {
    let (says, cites) = match section.part {
        Part::Channels => (
            "The channels besides `*`, the broadcast channel, which is always there.",
            "STTT 2023, section 2 and figure 1",
        ),
        Part::Enumeration if matches!(tokens.word(section.body), "channel" | "channels") => {
            ("The channels besides `*`, the broadcast channel.", MANUAL)
        }
        Part::Enumeration => ("A type with its values.", "STTT 2023, figure 1"),
        Part::Messages => {
            ("The data variables that messages carry, with their types.", "STTT 2023, section 3 and figure 1")
        }
        Part::Properties => (
            "Property variables: what senders can require of receivers. Every agent type says what they stand for.",
            "STTT 2023, section 2 and figure 1",
        ),
        Part::Guard => ("A condition with parameters, which can be used by its name.", MANUAL),
        Part::Agent => {
            ("An agent type: its variables, and what its agents do.", "STTT 2023, section 3 and figure 2")
        }
        Part::Local => ("The local variables of an agent.", "STTT 2023, definition 1 (V) and figure 2"),
        Part::Init => {
            ("What holds of the local variables at first.", "STTT 2023, definition 1 (θ) and figure 2")
        }
        Part::Relabel => (
            "What property variables stand for: expressions over the local variables.",
            "STTT 2023, definition 1 (f) and figure 2",
        ),
        Part::ReceiveGuard => (
            "Which channels an agent listens to in its current state. It always listens to broadcast.",
            "STTT 2023, definition 1 (gʳ) and section 3",
        ),
        Part::Repeat => (
            "The behaviour of an agent: the process is executed again and again.",
            "STTT 2023, section 3 and definition 3",
        ),
        Part::System => ("The agents of the system, in parallel.", "STTT 2023, section 3 and definition 2"),
        Part::Specification => match tokens.word(section.first) {
            "SPEC" => ("A specification, in LTL or LTOL.", "STTT 2023, section 6.3"),
            "LTL" | "LTOL" => ("A specification, in LTL or LTOL.", "STTT 2023, section 3"),
            _ => ("A specification, in LTL or LTOL.", MANUAL),
        },
    };
    // The colon or equals sign behind the words says nothing.
    let last = (section.first..section.body).rev().find(|at| tokens.is_word(*at))?;
    (at <= last).then(|| found(tokens.range(section.first, last + 1), says, cites))?
}

fn types(tokens: &Tokens<'_>, first: usize, end: usize, at: usize) -> Found {
    let inside = |one: &super::outline::Declared| (one.ty..one.end).contains(&at);
    let variable = variables(tokens, first, end).into_iter().find(inside)?;
    let span = tokens.range(variable.ty, variable.end);
    match tokens.word(variable.ty) {
        "bool" | "boolean" | "Bool" => found(span, "True or false.", MANUAL),
        "int" | "integer" | "Int" => found(
            span,
            "An integer without bounds. Its initial values must be listed, unless it is always written before it is read.",
            MANUAL,
        ),
        "channel" | "channels" => {
            found(span, "A channel: agents can store channels and send them.", "STTT 2023, sections 2 and 3")
        }
        "location" => found(span, "An agent of the system.", MANUAL),
        _ if (variable.ty..variable.end).any(|at| tokens.sees(at, "..")) => {
            found(span, "An integer between two bounds, which are included.", MANUAL)
        }
        _ => None,
    }
}

/// Words and signs that mean the same in all expressions of agents.
fn expression(tokens: &Tokens<'_>, at: usize) -> Found {
    let span = tokens.span(at);
    match tokens.text(at) {
        "chan" | "ch" | "channel" => {
            found(span, "The channel that the message was sent on.", "STTT 2023, section 3")
        }
        "myself" | "SELF" => found(span, "The agent itself, as a location.", MANUAL),
        "@" => found(
            span,
            "A property variable: what the expression of each receiver's `relabel:` is for it.",
            "STTT 2023, definition 1 (f, gˢ)",
        ),
        _ => None,
    }
}

fn process(tokens: &Tokens<'_>, section: Section, at: usize) -> Found {
    let all = pieces(tokens, section, section.end);
    let place = at.checked_sub(section.body)?;
    let piece = *all.get(place)?;
    let first = place.checked_sub(1).and_then(|before| all.get(before)) != Some(&piece);
    let last = all.get(place + 1) != Some(&piece);
    let span = tokens.span(at);
    let assigns = tokens.sees(at, ":=") || tokens.is_sign(at, '=') && tokens.sees(at.saturating_sub(1), ":=");
    match (piece, tokens.text(at)) {
        (Piece::Between, "rep") => found(
            span,
            "Repeats a process, at the state where it begins: what stands beside it can be done between rounds.",
            "STTT 2023, definition 3",
        ),
        (Piece::Between, "+") => {
            found(span, "One of the two; both begin in the same state.", "STTT 2023, definition 3")
        }
        (Piece::Between, ";") => {
            found(span, "First the left side, then the right side.", "STTT 2023, definition 3")
        }
        (Piece::Guard, "{" | "<" | "⟨") if first => found(
            span,
            "What must hold before the command. A receive can also read the message here.",
            "STTT 2023, section 3",
        ),
        (Piece::Guard, "}" | ">" | "⟩") if last => found(
            span,
            "What must hold before the command. A receive can also read the message here.",
            "STTT 2023, section 3",
        ),
        (Piece::Channel, "*" | "⋆") => found(
            span,
            "Broadcast: everybody listens, and those that are not meant or cannot receive do not block the sender.",
            "STTT 2023, section 2 and definition 2",
        ),
        (Piece::Channel, "!") => found(
            span,
            "Sends. On a channel other than `*`, it waits until all that listen are meant and can receive.",
            "STTT 2023, section 3 and definition 2",
        ),
        (Piece::Channel, "?") => found(
            span,
            "Receives. The message can be read in the guard and in the update.",
            "STTT 2023, section 3",
        ),
        (Piece::Place, "GET") => found(
            span,
            "Gets from one agent, which must supply in the same step: a location, or one with some properties.",
            SEMANTICS,
        ),
        (Piece::Place, "SUPPLY") => found(span, "Supplies one agent that gets in the same step.", SEMANTICS),
        (Piece::Place, "any") => {
            found(span, "Any agent whose get names this agent or its properties.", SEMANTICS)
        }
        (Piece::Place, "@") if matches!(tokens.word(at.saturating_sub(1)), "GET" | "SUPPLY") => None,
        (Piece::Target, "(") if first => found(
            span,
            "The send guard: who is meant, by the receivers' properties.",
            "STTT 2023, definition 1 (gˢ) and section 3",
        ),
        (Piece::Data, "(" | ")") if first || last => {
            found(span, "The content of the message: values for its data variables.", "STTT 2023, section 3")
        }
        (Piece::Update, "[" | "]") if first || last => found(
            span,
            "New values of local variables after the command. All others keep theirs.",
            "STTT 2023, section 3 and definition 4",
        ),
        (Piece::Data, _) if assigns => {
            found(span, "The message has this value for the data variable.", "STTT 2023, section 3")
        }
        (Piece::Update, _) if assigns => {
            found(span, "The variable has this value after the command.", "STTT 2023, section 3")
        }
        (Piece::Update, _) if is_keep_all(tokens, at) || is_keep_all(tokens, at.saturating_sub(2)) => {
            found(span, "No variable changes: KEEP of the article.", "STTT 2023, section 2")
        }
        _ => expression(tokens, at),
    }
}

fn specification(tokens: &Tokens<'_>, section: Section, at: usize) -> Found {
    let named = tokens.is_word(section.body) && tokens.is_sign(section.body + 1, ':');
    let mut place = section.body + if named { 2 } else { 0 };
    let mut formula = Formula::default();
    while place <= at {
        let (ended, observed) = (formula.ended, formula.open.len());
        let length = match tokens.sign(place) {
            Some(sign) => formula.sign(tokens, place, sign),
            None => {
                let operator = is_operator(tokens, place, ended);
                formula.ended = !operator && !matches!(tokens.word(place), "forall" | "exists");
                1
            }
        };
        if place + length > at {
            let span = tokens.range(place, place + length);
            return match tokens.is_word(at) {
                true => word(tokens, at, ended, formula.is_observation()),
                false => sign(tokens, at, span, ended, formula.open.len() != observed),
            };
        }
        place += length;
    }
    None
}

fn temporal(span: Span, word: &str) -> Found {
    let (says, cites) = match (UnaryOperator::named(word), BinaryOperator::named(word)) {
        (Some(UnaryOperator::Globally), _) => ("What follows holds now and always.", LOGIC),
        (Some(UnaryOperator::Finally), _) => ("What follows holds now or at some time.", LOGIC),
        (Some(UnaryOperator::Next), _) => {
            ("What follows holds in the next state.", "STTT 2023, sections 5.1 and 6.2")
        }
        (_, Some(BinaryOperator::Until)) => {
            ("The right side holds at some time, and the left side holds until then.", LOGIC)
        }
        (_, Some(BinaryOperator::Release)) => (
            "The right side holds up to and including the first time that the left side does, or for ever.",
            LOGIC,
        ),
        (_, Some(BinaryOperator::Unless)) => {
            ("Weak until: the left side holds until the right side does, or for ever.", LOGIC)
        }
        _ => return None,
    };
    found(span, says, cites)
}

fn word(tokens: &Tokens<'_>, at: usize, ended: bool, observed: bool) -> Found {
    let span = tokens.span(at);
    let member = at.checked_sub(2).is_some_and(|agent| is_member(tokens, agent));
    if is_operator(tokens, at, ended) {
        return temporal(span, tokens.word(at));
    }
    let before = at.checked_sub(2).map_or("", |at| tokens.word(at));
    match tokens.word(at) {
        "forall" if tokens.is_sign(at + 1, '(') => {
            found(span, "All values of the property variables that the send guard admits.", LOGIC)
        }
        "exists" if tokens.is_sign(at + 1, '(') => {
            found(span, "Some values of the property variables that the send guard admits.", LOGIC)
        }
        "forall" => found(span, "For all agents of some types.", "STTT 2023, section 5.2"),
        "exists" => found(span, "For some agent of some types.", "STTT 2023, section 5.2"),
        "name" if member => found(span, "The agent itself.", SPECIFICATIONS),
        "state" | "automaton" if member => found(
            span,
            "The state of the agent's structure automaton, counted from 0.",
            "STTT 2023, definition 4 (st); docs/rcheck.md, section Specifications",
        ),
        "all" | "keep" if is_keep_all(tokens, at) || member && before == "keep" => {
            found(span, "The step that leaves this state changes nothing.", SPECIFICATIONS)
        }
        "sender" if observed => found(span, "Who sends the message.", LOGIC),
        "chan" | "ch" | "channel" if observed => {
            found(span, "The channel that the message is sent on.", LOGIC)
        }
        "p2p" if observed => found(span, "The step is a get with its supply.", SPECIFICATIONS),
        "getter" if observed => found(span, "Who gets in this step.", SPECIFICATIONS),
        "supplier" if observed => found(span, "Who supplies in this step.", SPECIFICATIONS),
        "initiator" if observed => found(span, "Who sends or gets.", SPECIFICATIONS),
        "producer" if observed => found(span, "Who sends or supplies.", SPECIFICATIONS),
        "progress" | "PROGRESS" if !observed => found(span, "Some step is possible.", SPECIFICATIONS),
        "enabled" if tokens.is_sign(at + 1, '(') => {
            found(span, "The send or get with this label could be taken now.", SPECIFICATIONS)
        }
        "Agent" => found(span, "All agents of the system.", SPECIFICATIONS),
        _ => None,
    }
}

/// `bracket` says that the sign opened or closed one.
fn sign(tokens: &Tokens<'_>, at: usize, span: Span, ended: bool, bracket: bool) -> Found {
    let text = tokens.text_of(span);
    let joined = |signs: &str| tokens.sees(at, signs) || tokens.sees(at.saturating_sub(1), signs);
    let member = at.checked_sub(1).is_some_and(|agent| is_member(tokens, agent));
    match text {
        "[]" | "<>" => temporal(span, text),
        "<" | ">" | "⟨" | "⟩" if bracket => {
            found(span, "The next step has a message like this, and what follows holds after it.", LOGIC)
        }
        "[" | "]" if bracket => {
            found(span, "If the next step has a message like this, what follows holds after it.", LOGIC)
        }
        "-" if member => found(
            span,
            "A variable of this agent; or a label: a command of this agent is taken.",
            "STTT 2023, section 6.1; docs/rcheck.md, section Specifications",
        ),
        "<" | "-" | ">" if joined("<->") || tokens.sees(at.saturating_sub(2), "<->") => {
            found(span, "Both sides hold, or neither does.", LOGIC)
        }
        "-" | ">" if joined("->") => found(span, "If the left side holds, the right side does.", LOGIC),
        "→" => found(span, "If the left side holds, the right side does.", LOGIC),
        "↔" => found(span, "Both sides hold, or neither does.", LOGIC),
        "@" => found(span, "A property variable, as the send guard admits it.", LOGIC),
        "&" | "∧" if ended => found(span, "Both sides hold.", LOGIC),
        "|" | "∨" if ended => found(span, "At least one side holds.", LOGIC),
        "∧" => found(span, "For all agents of some types.", "STTT 2023, section 5.2"),
        "∨" => found(span, "For some agent of some types.", "STTT 2023, section 5.2"),
        _ => None,
    }
}
