//! From a choreography to triples and an emulation program.
//!
//! Peers are the branches of one composition, which meet on communications of the same label and on nothing else. An
//! internal decision is a silent action of its own before each alternative.

use crate::project::span;
use crate::syntax::{Chor, Specification};
use std::convert::Infallible;
use swarmcheck_calculi::codes;
use swarmcheck_calculi::lower::{Described, Lowered, System, lower as lower_system};
use swarmcheck_source::{Diagnostic, Span};
use swarmcheck_triples::{Algebra, Choice, Parties, Structure, Term, TooLarge, build, synchronise};

const MOST_TRIPLES: usize = 50_000;

/// An action of a triple.
#[derive(Clone, Debug)]
pub struct Move {
    /// The label; `None` for what cannot be seen.
    pub label: Option<String>,
    /// Two peers must do it together.
    pub joint: bool,
    /// For what cannot be seen, why it is done.
    pub remark: String,
    pub span: Span,
}

/// The triples of a choreography, synchronised.
pub type Triples = Structure<Move, Infallible>;

/// The triples of the system.
pub fn triples(spec: &Specification) -> Result<Triples, Box<Diagnostic>> {
    let too_large = |_: TooLarge| {
        let message = format!("the choreography needs more than {MOST_TRIPLES} triples");
        Box::new(Diagnostic::error(codes::TOO_LARGE, spec.span, message))
    };
    // Loops call themselves, so each is a definition; the system is the first one.
    let mut loops = vec![Term::Nil];
    loops[0] = if spec.global {
        term(&spec.whole, false, &mut loops)
    } else {
        let peers = spec.peers.iter().map(|(_, part)| term(part, true, &mut loops)).collect();
        Term::Composed(0, peers)
    };
    let interleaved = build(&loops, 0, Choice::Late, MOST_TRIPLES).map_err(too_large)?;
    synchronise(interleaved, &Meeting, MOST_TRIPLES).map_err(too_large)
}

fn silent(remark: &str, span: Span) -> Term<Move, Infallible> {
    Term::Act(Move { label: None, joint: false, remark: remark.to_string(), span })
}

fn term(chor: &Chor, peer: bool, loops: &mut Vec<Term<Move, Infallible>>) -> Term<Move, Infallible> {
    match chor {
        Chor::Skip(span) => silent("(skip)", *span),
        Chor::Act(act) => Term::Act(Move {
            label: Some(act.label.clone()),
            joint: peer && act.peers.len() == 2,
            remark: String::new(),
            span: act.span,
        }),
        Chor::Seq(parts) => Term::Seq(parts.iter().map(|part| term(part, peer, loops)).collect()),
        Chor::Par(parts) => Term::Par(parts.iter().map(|part| term(part, peer, loops)).collect()),
        Chor::Choice(parts) => {
            let mut ways = vec![];
            for (number, part) in parts.iter().enumerate() {
                let decides = format!("(chooses {})", number + 1);
                ways.push(match part {
                    Chor::Skip(at) => silent(&decides, *at),
                    _ => Term::Seq(vec![silent(&decides, span(part)), term(part, peer, loops)]),
                });
            }
            Term::Choice(ways)
        }
        Chor::Loop(body, at) => {
            let number = loops.len();
            loops.push(Term::Nil);
            let body = term(body, peer, loops);
            let again = Term::Seq(vec![silent("(once more)", *at), body, Term::Call(number)]);
            loops[number] = Term::Choice(vec![silent("(enough)", *at), again]);
            Term::Call(number)
        }
    }
}

/// The algebra of the peers.
struct Meeting;

impl Algebra<Move> for Meeting {
    fn parties(&self, _: usize) -> Parties {
        Parties::Two
    }

    fn alone(&self, _: usize, action: &Move) -> Option<Move> {
        (!action.joint).then(|| action.clone())
    }

    fn together(&self, _: usize, one: &Move, other: &Move) -> Option<Move> {
        (one.joint && other.joint && one.label == other.label).then(|| one.clone())
    }

    type Key = String;

    fn key(&self, _: usize, action: &Move) -> Option<String> {
        action.label.clone().filter(|_| action.joint)
    }

    fn outward(&self, _: usize, action: Move) -> Option<Move> {
        Some(action)
    }
}

/// The emulation program; with `claims`, also what follows the properties.
pub fn lower(spec: &Specification, claims: bool) -> Result<Lowered, Box<Diagnostic>> {
    Ok(program(spec, &triples(spec)?, claims))
}

/// The same for somebody who has the triples already.
pub fn program(spec: &Specification, structure: &Triples, claims: bool) -> Lowered {
    let agents = match spec.global {
        true => vec![spec.name.clone()],
        false => spec.peers.iter().map(|(peer, _)| peer.clone()).collect(),
    };
    let properties = if claims { &spec.properties[..] } else { &[] };
    lower_system(&System { structure, agents, describe: &describe, properties, ends: true })
}

/// An action for people.
pub fn describe(action: &Move) -> Described {
    Described {
        label: action.label.clone().unwrap_or_else(|| "tau".to_string()),
        remark: action.remark.clone(),
        span: action.span,
    }
}
