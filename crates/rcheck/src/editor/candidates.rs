//! What may be written at a place.

use super::formula::Formula;
use super::offers::Offers;
use super::outline::{Part, Section, around, outline};
use super::pieces::{Piece, piece_at, pieces};
use super::{Tokens, tokens};
use swarmcheck_calculi::editor::Choices;
use swarmcheck_source::index::{Candidate, Index, SymbolKind};

/// What begins a part of a script.
const PARTS: &[(&str, &str, &str)] = &[
    ("channels", "channels besides *", "channels: ${0:a, b}"),
    ("enum", "a type with its values", "enum ${1:name} {${0:one, two}}"),
    ("message-structure", "the fields of messages", "message-structure: ${1:MSG} : ${0:bool}"),
    ("property-variables", "what senders can require", "property-variables: ${1:pv} : ${0:bool}"),
    ("guard", "a condition with parameters", "guard ${1:name}(${2:x : int}) := ${0:true};"),
    (
        "agent",
        "an agent type",
        "agent ${1:Name}\n  local: ${2:x : bool}\n  init: ${3:!x}\n  repeat: (\n    $0\n  )",
    ),
    ("system", "the agents", "system = ${1:Kind}(${2:name}, ${0:true})"),
    ("SPEC", "a specification", "SPEC ${1:Name}: ${0:G true}"),
];

/// What begins a part of an agent.
const AGENT_PARTS: &[(&str, &str, &str)] = &[
    ("local", "its variables", "local: ${1:x} : ${0:bool}"),
    ("init", "what holds at first", "init: ${0:true}"),
    ("relabel", "what property variables stand for", "relabel:\n    ${1:pv} <- ${0:true}"),
    ("receive-guard", "the channels that it listens to", "receive-guard: chan == ${0:c}"),
    ("repeat", "its behaviour", "repeat: (\n    $0\n  )"),
];

const COMMANDS: &[(&str, &str, &str)] = &[
    ("send", "sends a message", "${1:label}: {${2:true}} ${3:*}! (${4:true})(${5})[${0}]"),
    ("receive", "receives a message", "${1:label}: {${2:true}} ${3:*}? [${0}]"),
    ("get", "gets from an agent", "${1:label}: {${2:true}} GET@(${3:location})(${4})[${0}]"),
    ("supply", "supplies an agent", "${1:label}: {${2:true}} SUPPLY@(${3:any})(${4})[${0}]"),
    ("rep", "repeats a process", "rep (${0})"),
];

const TYPES: &[(&str, &str)] = &[
    ("bool", "true or false"),
    ("int", "an integer without bounds"),
    ("channel", "a channel"),
    ("location", "an agent"),
];

const TEMPORAL: &[(&str, &str)] = &[
    ("G", "always"),
    ("F", "eventually"),
    ("X", "in the next state"),
    ("U", "until"),
    ("R", "release"),
    ("W", "weak until"),
];

/// Completion at an offset; the index is that of the same text.
pub fn candidates(text: &str, offset: u32, index: &Index) -> Vec<Candidate> {
    let tokens = tokens(text);
    if tokens.is_comment(offset) {
        return vec![];
    }
    let sections = outline(&tokens);
    let at = tokens.before(offset);
    let typed = tokens.typed(offset).map(|word| tokens.span(word));
    let mut offers =
        Offers { text, tokens: &tokens, sections: &sections, index, choices: Choices::default(), typed };
    let line = tokens.is_line_start(offset);
    let section = around(&sections, at);
    if let Some(section) = section {
        let start = typed.map_or(offset, |span| span.start);
        if let Some(agent) = member_of(&tokens, at, start).filter(|_| section.part == Part::Specification) {
            offers.members(tokens.word(agent), section, at);
            return offers.choices.finish();
        }
        if at >= section.body {
            inside(&mut offers, section, at);
        }
    }
    if line {
        if section.is_some_and(|section| section.agent.is_some()) {
            offers.choices.snippets(AGENT_PARTS);
        }
        offers.choices.snippets(PARTS);
    }
    offers.choices.finish()
}

/// The word before a hyphen that stands directly before a place, with no spaces around it.
fn member_of(tokens: &Tokens<'_>, at: usize, start: u32) -> Option<usize> {
    let hyphen = at
        .checked_sub(1)
        .filter(|hyphen| tokens.is_sign(*hyphen, '-') && tokens.span(*hyphen).end == start)?;
    hyphen.checked_sub(1).filter(|agent| tokens.is_word(*agent) && tokens.is_joined(*agent))
}

fn inside(offers: &mut Offers<'_, '_>, section: Section, at: usize) {
    let tokens = offers.tokens;
    let before = at.checked_sub(1).filter(|before| *before >= section.body);
    let sign = before.and_then(|before| tokens.sign(before));
    // `x = ` is a comparison or an assignment, and its values come first.
    let compared = offers.values_before(at);
    if sign == Some('@') && !matches!(tokens.word(at.saturating_sub(2)), "GET" | "SUPPLY") {
        return offers.of(SymbolKind::PropertyVariable, "a property variable");
    }
    match section.part {
        Part::Channels | Part::Enumeration | Part::Agent => {}
        Part::Messages | Part::Properties | Part::Local => {
            if sign == Some(':') {
                types(offers);
            }
        }
        Part::Guard => guard(offers, section, at, sign),
        Part::Init => expression(offers, section.agent),
        Part::ReceiveGuard => {
            offers.choices.words(&[("chan", "the channel of the message")]);
            expression(offers, section.agent);
        }
        Part::Relabel => {
            let target =
                (section.body..at).rev().take(2).any(|at| matches!(tokens.sign(at), Some('←' | '<')));
            match target || compared {
                true => expression(offers, section.agent),
                false => offers.targets(SymbolKind::PropertyVariable, "a property variable", "<-"),
            }
        }
        Part::Repeat => command(offers, section, at, compared, sign),
        Part::System => system(offers, section, at, sign),
        Part::Specification => specification(offers, section, at, compared, sign),
    }
}

fn types(offers: &mut Offers<'_, '_>) {
    offers.of(SymbolKind::Enumeration, "an enumeration");
    offers.choices.words(TYPES);
}

fn guard(offers: &mut Offers<'_, '_>, section: Section, at: usize, sign: Option<char>) {
    let tokens = offers.tokens;
    if !(section.body..at).any(|at| tokens.is_sign(at, ')')) {
        if sign == Some(':') {
            types(offers);
        }
        return;
    }
    for parameter in super::outline::variables(tokens, section.body + 1, at) {
        offers.choices.name(tokens.word(parameter.name), SymbolKind::LocalVariable, "a parameter");
    }
    offers.of(SymbolKind::PropertyVariable, "a property variable");
    offers.of(SymbolKind::MessageField, "of the message");
    offers.choices.words(&[("chan", "the channel of the message"), ("myself", "this agent")]);
    expression(offers, None);
}

/// Variables of an agent, and what can be used everywhere.
fn expression(offers: &mut Offers<'_, '_>, agent: Option<usize>) {
    offers.locals(agent);
    offers.of(SymbolKind::EnumerationValue, "a value");
    offers.channels();
    offers.guards();
    offers.truth();
    if agent.is_some() {
        offers.choices.words(&[("myself", "this agent")]);
    }
}

fn command(offers: &mut Offers<'_, '_>, section: Section, at: usize, compared: bool, sign: Option<char>) {
    let agent = section.agent;
    match piece_at(offers.tokens, section, at) {
        Piece::Label => {}
        Piece::Between => offers.choices.snippets(COMMANDS),
        Piece::Guard => {
            offers.locals(agent);
            if !sends(offers.tokens, section, at) {
                offers.of(SymbolKind::MessageField, "of the message");
                offers.choices.words(&[("chan", "the channel of the message")]);
            }
            expression(offers, agent);
        }
        Piece::Channel => {
            offers.locals_of_type(agent, &["channel", "channels"]);
            offers.channels();
            offers.choices.words(&[("*", "broadcast")]);
            offers.choices.snippets(&[
                ("GET", "gets from an agent", "GET@(${1:location})(${2})[${0}]"),
                ("SUPPLY", "supplies an agent", "SUPPLY@(${1:any})(${2})[${0}]"),
            ]);
        }
        Piece::Target => {
            offers.of(SymbolKind::PropertyVariable, "of the receiver");
            offers.guards();
            offers.locals(agent);
            offers.of(SymbolKind::MessageField, "of the message");
            expression(offers, agent);
            offers.choices.words(&[("chan", "the channel of the message")]);
        }
        Piece::Place => {
            offers.locals_of_type(agent, &["location"]);
            offers.of(SymbolKind::Instance, "an agent");
            offers.choices.words(&[("any", "whoever asks"), ("myself", "this agent")]);
            offers.of(SymbolKind::PropertyVariable, "of the supplier");
            offers.guards();
        }
        Piece::Data if !compared && matches!(sign, Some('(' | ',')) => {
            offers.targets(SymbolKind::MessageField, "of the message", ":=");
        }
        Piece::Data => expression(offers, agent),
        Piece::After => {}
        Piece::Update if !compared && matches!(sign, Some('[' | ',')) => {
            offers.assigned(agent);
            offers.choices.words(&[("keep-all", "nothing changes")]);
        }
        Piece::Update => {
            offers.locals(agent);
            if !sends(offers.tokens, section, at) {
                offers.of(SymbolKind::MessageField, "of the message");
            }
            expression(offers, agent);
        }
    }
}

/// Whether the command around a place is known to send: then there is no message to read.
fn sends(tokens: &Tokens<'_>, section: Section, at: usize) -> bool {
    let found = pieces(tokens, section, section.end);
    let here = at.saturating_sub(section.body);
    let command = |piece: &Piece| !matches!(piece, Piece::Between | Piece::Label);
    let behind = found.iter().enumerate().skip(here).take_while(|(_, piece)| command(piece));
    let before = found.iter().enumerate().take(here).rev().take_while(|(_, piece)| command(piece));
    let sign = |(place, piece): (usize, &Piece)| {
        *piece == Piece::Channel && tokens.is_sign(section.body + place, '!')
    };
    behind.chain(before).any(sign)
}

fn system(offers: &mut Offers<'_, '_>, section: Section, at: usize, sign: Option<char>) {
    let tokens = offers.tokens;
    // The agent type of the parenthesis that is open.
    let (mut open, mut comma): (Vec<usize>, bool) = (vec![], false);
    for place in section.body..at {
        match tokens.sign(place) {
            Some('(') => open.push(place),
            Some(')') => {
                open.pop();
            }
            Some(',') => comma = true,
            _ => {}
        }
        comma &= !open.is_empty();
    }
    match open.first().and_then(|open| open.checked_sub(1)) {
        Some(kind) if comma => {
            let agent = offers.kind(tokens.word(kind));
            expression(offers, agent);
        }
        Some(_) => {}
        None if matches!(sign, None | Some('=' | '|')) => {
            let kinds = offers.index.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::AgentKind);
            for symbol in kinds {
                let insert = format!("{}(${{1:name}}, ${{0:true}})", symbol.name);
                offers.choices.form(&symbol.name, symbol.kind, "an agent type", insert);
            }
        }
        None => {}
    }
}

fn specification(
    offers: &mut Offers<'_, '_>,
    section: Section,
    at: usize,
    compared: bool,
    sign: Option<char>,
) {
    let tokens = offers.tokens;
    // `k : Client | ` of a quantifier.
    let ranged = (section.body..at).rev().find(|at| !tokens.is_word(*at) && !tokens.is_sign(*at, '|'));
    let quantified = ranged.filter(|at| tokens.is_sign(*at, ':') && *at > section.body + 1);
    if quantified.is_some() && matches!(sign, Some(':' | '|')) {
        offers.of(SymbolKind::AgentKind, "an agent type");
        return offers.choices.words(&[("Agent", "all agents")]);
    }
    let mut formula = Formula::default();
    let mut place = section.body;
    while place < at {
        place += match tokens.sign(place) {
            Some(sign) => formula.sign(tokens, place, sign),
            None => {
                formula.ended = !super::formula::is_operator(tokens, place, formula.ended)
                    && !matches!(tokens.word(place), "forall" | "exists");
                1
            }
        };
    }
    if formula.ended {
        return offers.choices.words(TEMPORAL);
    }
    if formula.is_observation() {
        offers.choices.words(&[("sender", "who sends")]);
        offers.of(SymbolKind::MessageField, "of the message");
        offers.choices.words(&[("chan", "the channel of the message")]);
        if compared {
            offers.of(SymbolKind::EnumerationValue, "a value");
        }
        offers.bound(section, at);
        offers.of(SymbolKind::Instance, "an agent");
        offers.channels();
        offers.choices.snippets(&[
            ("exists", "some value that the send guard admits", "exists(${0:pv})"),
            ("forall", "all values that the send guard admits", "forall(${0:pv})"),
        ]);
        offers.of(SymbolKind::PropertyVariable, "a property variable");
        return offers.choices.words(&[
            ("p2p", "a get with its supply"),
            ("getter", "who gets"),
            ("supplier", "who supplies"),
            ("initiator", "sender or getter"),
            ("producer", "sender or supplier"),
        ]);
    }
    offers.bound(section, at);
    offers.of(SymbolKind::Instance, "an agent");
    if compared {
        offers.of(SymbolKind::EnumerationValue, "a value");
        offers.channels();
        return;
    }
    offers.choices.words(TEMPORAL);
    offers.choices.snippets(&[
        ("forall", "for all agents of a type", "forall ${1:k} : ${2:Kind} . ${0:true}"),
        ("exists", "for some agent of a type", "exists ${1:k} : ${2:Kind} . ${0:true}"),
        ("<>", "a message is observed", "<${1:sender = agent}> ${0:true}"),
        ("[]", "if a message is observed", "[${1:sender = agent}] ${0:true}"),
        ("enabled", "a send or get is possible", "enabled(${0:agent-label})"),
    ]);
    offers.truth();
    offers.guards();
    offers
        .choices
        .words(&[("progress", "some step is possible"), ("keep-all", "the next step changes nothing")]);
}
