//! Natural projection: what is left of a choreography for one peer (TOSEM, section 5 and listing 5).
//!
//! Actions of others become `skip`. A `skip` in a sequence or beside a parallel process is then left out, and a choice or
//! a loop in which the peer does nothing at all is a `skip` itself: none of this can be seen, and none of it changes what
//! the peer may still do. A choice between doing something and `skip` stays: it is a decision.

use crate::syntax::Chor;
use swarmcheck_source::Span;

/// The part of a choreography that concerns a peer.
pub fn project(whole: &Chor, peer: &str) -> Chor {
    let all = |parts: &[Chor]| -> Vec<Chor> { parts.iter().map(|part| project(part, peer)).collect() };
    // Collected anew: kept in place, every peer would have room for all the parts of the others.
    let busy = |parts: &[Chor]| -> Vec<Chor> {
        parts.iter().map(|part| project(part, peer)).filter(|part| !is_skip(part)).collect()
    };
    match whole {
        Chor::Skip(span) => Chor::Skip(*span),
        Chor::Act(act) if act.peers.iter().any(|p| p == peer) => Chor::Act(act.clone()),
        Chor::Act(act) => Chor::Skip(act.span),
        Chor::Seq(parts) => several(busy(parts), Chor::Seq, span(whole)),
        Chor::Par(parts) => several(busy(parts), Chor::Par, span(whole)),
        Chor::Choice(parts) => {
            let parts = all(parts);
            if parts.iter().all(is_skip) { Chor::Skip(span(whole)) } else { Chor::Choice(parts) }
        }
        Chor::Loop(body, at) => match project(body, peer) {
            Chor::Skip(_) => Chor::Skip(*at),
            body => Chor::Loop(Box::new(body), *at),
        },
    }
}

fn is_skip(part: &Chor) -> bool {
    matches!(part, Chor::Skip(_))
}

fn several(mut parts: Vec<Chor>, make: fn(Vec<Chor>) -> Chor, span: Span) -> Chor {
    match parts.len() {
        0 => Chor::Skip(span),
        1 => parts.remove(0),
        _ => make(parts),
    }
}

/// Where a choreography begins.
pub fn span(chor: &Chor) -> Span {
    match chor {
        Chor::Skip(span) | Chor::Loop(_, span) => *span,
        Chor::Act(act) => act.span,
        Chor::Seq(parts) | Chor::Choice(parts) | Chor::Par(parts) => {
            parts.first().map_or(Span::default(), span)
        }
    }
}
