//! Tables 1 and 2 of the TOSEM paper, executed literally on terms: slow, obvious, and independent of triples.

use crate::syntax::{Action, Process, Specification};
use std::rc::Rc;
use swarmcheck_calculi::rules::Rules;

/// A process on its way. Parts that have not moved are places in the specification.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Term<'s> {
    /// A process of the specification, of which this many prefixes have been performed.
    At(Place<'s>, usize),
    /// A parallel composition: Hoare's with these actions, or Milner's.
    Par(Option<&'s [Action]>, Vec<Rc<Term<'s>>>),
    /// A process under operators, as the one function of names that they are together. Operators around operators are
    /// put together as well, or recursion through them would nest terms ever more deeply.
    Seen(Rc<Term<'s>>, View),
}

/// What becomes of each name; nothing of one that is restricted.
type View = Rc<[Option<u32>]>;

/// A process of the specification; two are the same if they stand at the same place.
#[derive(Clone, Copy, Debug)]
pub struct Place<'s>(pub &'s Process);

impl Place<'_> {
    fn address(&self) -> usize {
        std::ptr::from_ref(self.0) as usize
    }
}

impl PartialEq for Place<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.address() == other.address()
    }
}

impl Eq for Place<'_> {}

impl PartialOrd for Place<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Place<'_> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.address().cmp(&other.address())
    }
}

type Steps<'s> = Vec<(Action, Rc<Term<'s>>)>;

pub fn steps<'s>(spec: &'s Specification, term: &Rc<Term<'s>>) -> Steps<'s> {
    match &**term {
        Term::At(Place(process), done) => match process {
            Process::Nil => vec![],
            // ACT
            Process::Prefix(actions, body) => match actions.get(*done) {
                Some((action, _)) if done + 1 < actions.len() => {
                    vec![(*action, Rc::new(Term::At(Place(process), done + 1)))]
                }
                Some((action, _)) => vec![(*action, at(body))],
                None => vec![],
            },
            // CHOICE
            Process::Choice(parts) => parts.iter().flat_map(|part| steps(spec, &at(part))).collect(),
            Process::Par(parts) => par(spec, None, &parts.iter().map(at).collect::<Vec<_>>()),
            Process::Hoare(actions, parts) => {
                par(spec, Some(actions), &parts.iter().map(at).collect::<Vec<_>>())
            }
            Process::Seen(body, operators) => {
                let through = |name: u32| operators.iter().try_fold(name, |name, op| op.apply(name));
                under(spec, &at(body), &(0..spec.names.len() as u32).map(through).collect())
            }
            // CON
            Process::Constant(number, ..) => steps(spec, &at(&spec.definitions[*number].body)),
        },
        Term::Par(actions, parts) => par(spec, *actions, parts),
        Term::Seen(inner, view) => under(spec, inner, view),
    }
}

fn at(process: &Process) -> Rc<Term<'_>> {
    Rc::new(Term::At(Place(process), 0))
}

/// PAR₁ and PAR₂, or IDLE and SYNC of table 2. Composition is taken from the left: (P₁ | P₂) | P₃ …
fn par<'s>(spec: &'s Specification, hoare: Option<&'s [Action]>, parts: &[Rc<Term<'s>>]) -> Steps<'s> {
    let whole = |left: Vec<Rc<Term<'s>>>, right: &Rc<Term<'s>>| -> Rc<Term<'s>> {
        let mut all = left;
        all.push(right.clone());
        Rc::new(Term::Par(hoare, all))
    };
    let Some((last, before)) = parts.split_last() else { return vec![] };
    if before.is_empty() {
        let alone = steps(spec, last).into_iter();
        return alone.map(|(action, next)| (action, Rc::new(Term::Par(hoare, vec![next])))).collect();
    }
    let left = par(spec, hoare, before);
    let right = steps(spec, last);
    let parts_of = |term: &Rc<Term<'s>>| match &**term {
        Term::Par(_, parts) => parts.clone(),
        _ => vec![term.clone()],
    };
    let forced = |action: &Action| hoare.is_some_and(|actions| actions.contains(action));
    let mut out = vec![];
    for (action, next) in left.iter().filter(|(action, _)| !forced(action)) {
        out.push((*action, whole(parts_of(next), last)));
    }
    for (action, next) in right.iter().filter(|(action, _)| !forced(action)) {
        out.push((*action, whole(before.to_vec(), next)));
    }
    for (one, next) in &left {
        for (other, end) in &right {
            match hoare {
                None if *one != Action::Tau && *other == one.complement() => {
                    out.push((Action::Tau, whole(parts_of(next), end)));
                }
                Some(actions) if one == other && actions.contains(one) => {
                    out.push((*one, whole(parts_of(next), end)));
                }
                _ => {}
            }
        }
    }
    out
}

/// RES and REL.
fn under<'s>(spec: &'s Specification, inner: &Rc<Term<'s>>, view: &View) -> Steps<'s> {
    let through = |name: u32| view[name as usize];
    let around = |next: Rc<Term<'s>>| match &*next {
        Term::Seen(body, own) => Term::Seen(body.clone(), own.iter().map(|name| through((*name)?)).collect()),
        _ => Term::Seen(next, view.clone()),
    };
    let mut out = vec![];
    for (action, next) in steps(spec, inner) {
        let seen = match action {
            Action::Tau => Some(Action::Tau),
            Action::Name(name) => through(name).map(Action::Name),
            Action::Co(name) => through(name).map(Action::Co),
        };
        out.extend(seen.map(|action| (action, Rc::new(around(next)))));
    }
    out
}

/// The processes side by side in a term, from left to right.
fn side_by_side<'s>(spec: &'s Specification, term: &Term<'s>, out: &mut Vec<(Place<'s>, usize)>) {
    match term {
        Term::At(Place(process), 0) => match process {
            Process::Par(parts) | Process::Hoare(_, parts) => {
                parts.iter().for_each(|part| side_by_side(spec, &Term::At(Place(part), 0), out));
            }
            Process::Seen(body, _) => side_by_side(spec, &Term::At(Place(body), 0), out),
            Process::Constant(number, ..) => {
                side_by_side(spec, &Term::At(Place(&spec.definitions[*number].body), 0), out);
            }
            Process::Nil | Process::Prefix(..) | Process::Choice(_) => out.push((Place(process), 0)),
        },
        Term::At(place, done) => out.push((*place, *done)),
        Term::Par(_, parts) => parts.iter().for_each(|part| side_by_side(spec, part, out)),
        Term::Seen(inner, _) => side_by_side(spec, inner, out),
    }
}

impl<'s> Rules for &'s Specification {
    type Term = Rc<Term<'s>>;

    fn moved(&self, before: &Rc<Term<'s>>, after: &Rc<Term<'s>>) -> Option<Vec<u32>> {
        let (mut old, mut new) = (vec![], vec![]);
        side_by_side(self, before, &mut old);
        side_by_side(self, after, &mut new);
        let differ = |at: &u32| old[*at as usize] != new[*at as usize];
        (old.len() == new.len()).then(|| (0..old.len() as u32).filter(differ).collect())
    }

    fn start(&self) -> Rc<Term<'s>> {
        at(&self.definitions[self.system].body)
    }

    fn steps(&self, term: &Rc<Term<'s>>) -> Vec<(String, Rc<Term<'s>>)> {
        steps(self, term).into_iter().map(|(action, next)| (self.label(action), next)).collect()
    }
}
