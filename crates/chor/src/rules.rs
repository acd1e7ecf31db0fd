//! The peers of a choreography, executed literally on terms: slow, obvious, and independent of triples.

use crate::syntax::{Act, Chor, Specification};
use std::cmp::Ordering;
use std::rc::Rc;
use swarmcheck_calculi::lower::END;
use swarmcheck_calculi::rules::Rules;

/// A process on its way. Parts that have not moved are places in the specification.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Term<'s> {
    Done,
    /// It is about to begin with this.
    At(Place<'s>),
    /// First the term, then these.
    Then(Rc<Term<'s>>, Vec<Place<'s>>),
    Par(Vec<Rc<Term<'s>>>),
}

/// A part of the specification; two are the same if they stand at the same place.
#[derive(Clone, Copy, Debug)]
pub struct Place<'s>(&'s Chor);

impl PartialEq for Place<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Place<'_> {}

impl PartialOrd for Place<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Place<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let address = |place: &Place<'_>| std::ptr::from_ref(place.0) as usize;
        address(self).cmp(&address(other))
    }
}

/// What a single process does: `None` for what cannot be seen.
type Steps<'s> = Vec<(Option<&'s Act>, Term<'s>)>;

fn steps<'s>(term: &Term<'s>) -> Steps<'s> {
    match term {
        Term::Done => vec![],
        Term::At(Place(chor)) => match chor {
            Chor::Skip(_) => vec![(None, Term::Done)],
            Chor::Act(act) => vec![(Some(act), Term::Done)],
            Chor::Seq(parts) => steps(&then(Term::Done, parts.iter().map(Place).collect())),
            Chor::Choice(parts) => {
                let ends =
                    |part| if matches!(part, &Chor::Skip(_)) { Term::Done } else { Term::At(Place(part)) };
                parts.iter().map(|part| (None, ends(part))).collect()
            }
            Chor::Par(parts) => {
                steps(&Term::Par(parts.iter().map(|p| Rc::new(Term::At(Place(p)))).collect()))
            }
            Chor::Loop(body, _) => {
                vec![(None, Term::Done), (None, then(Term::At(Place(body)), vec![Place(chor)]))]
            }
        },
        Term::Then(first, rest) => {
            steps(first).into_iter().map(|(act, next)| (act, then(next, rest.clone()))).collect()
        }
        Term::Par(parts) => {
            let mut out = vec![];
            for (at, part) in parts.iter().enumerate() {
                for (act, next) in steps(part) {
                    let mut all = parts.clone();
                    all[at] = Rc::new(next);
                    let ended = all.iter().all(|part| **part == Term::Done);
                    out.push((act, if ended { Term::Done } else { Term::Par(all) }));
                }
            }
            out
        }
    }
}

/// The term and then the rest; what has ended is passed by.
fn then<'s>(first: Term<'s>, mut rest: Vec<Place<'s>>) -> Term<'s> {
    if first != Term::Done {
        return if rest.is_empty() { first } else { Term::Then(Rc::new(first), rest) };
    }
    if rest.is_empty() {
        return Term::Done;
    }
    let next = Term::At(rest.remove(0));
    then(next, rest)
}

impl<'s> Rules for &'s Specification {
    type Term = Vec<Term<'s>>;

    fn start(&self) -> Vec<Term<'s>> {
        match self.global {
            true => vec![Term::At(Place(&self.whole))],
            false => self.peers.iter().map(|(_, part)| Term::At(Place(part))).collect(),
        }
    }

    fn moved(&self, before: &Vec<Term<'s>>, after: &Vec<Term<'s>>) -> Option<Vec<u32>> {
        let differ = |at: &u32| before[*at as usize] != after[*at as usize];
        (!self.global).then(|| (0..before.len() as u32).filter(differ).collect())
    }

    fn rests(&self, label: &str) -> bool {
        label == END
    }

    fn steps(&self, term: &Vec<Term<'s>>) -> Vec<(String, Vec<Term<'s>>)> {
        if term.iter().all(|peer| *peer == Term::Done) {
            return vec![(END.to_string(), term.clone())];
        }
        let each: Vec<Steps<'s>> = term.iter().map(steps).collect();
        let mut out = vec![];
        for (one, own) in each.iter().enumerate() {
            for (act, next) in own {
                let mut after = term.clone();
                after[one] = next.clone();
                let Some(act) = act else {
                    out.push(("tau".to_string(), after));
                    continue;
                };
                if self.global || act.peers.len() == 1 {
                    out.push((act.label.clone(), after));
                    continue;
                }
                for (other, theirs) in each.iter().enumerate().skip(one + 1) {
                    for (_, end) in theirs.iter().filter(|(a, _)| a.is_some_and(|a| a.label == act.label)) {
                        let mut both = after.clone();
                        both[other] = end.clone();
                        out.push((act.label.clone(), both));
                    }
                }
            }
        }
        out
    }
}
