//! From a specification to triples.
//!
//! Restriction and relabelling are pushed inwards: `(a.P)[f] = f(a).P[f]`, `(P + Q)[f] = P[f] + Q[f]`, and `K[f]` is
//! a new constant, whose definition is the body of K under f. What several such operators make of a name is one
//! partial function, and there are finitely many of those: recursion through restriction and relabelling closes. They
//! stop at parallel compositions, where inner names decide what synchronises: there the function becomes the way in
//! which the outside sees the composition ([`Algebra::outward`]). So a restricted name is never captured, and nothing
//! need be renamed apart.

use crate::syntax::{Action, Process, Specification};
use std::collections::HashMap;
use std::convert::Infallible;
use std::rc::Rc;
use swarmcheck_calculi::codes;
use swarmcheck_source::{Diagnostic, Span};
use swarmcheck_triples::{Algebra, Choice, Parties, Structure, Term, TooLarge, build, synchronise};

/// More triples than this mean that definitions double at each level of calls, or that very many actions synchronise.
const MOST_TRIPLES: usize = 50_000;

/// An action of a triple.
#[derive(Clone, Debug)]
pub struct Move {
    pub action: Action,
    /// For τ, the name on which two processes have met.
    pub met: Option<u32>,
    /// Where it stands; for several processes, in the first one.
    pub span: Span,
}

/// The triples of a specification, synchronised.
pub type Triples = Structure<Move, Infallible>;

/// The triples of the whole system.
pub fn triples(spec: &Specification) -> Result<Triples, Box<Diagnostic>> {
    let (interleaved, algebra) = built(spec)?;
    synchronise(interleaved, &algebra, MOST_TRIPLES).map_err(|why| too_large(spec, why))
}

/// What every component would do alone: the triples before they are synchronised. Locations and joins are the same.
pub fn interleaved(spec: &Specification) -> Result<Triples, Box<Diagnostic>> {
    built(spec).map(|(structure, _)| structure)
}

fn too_large(spec: &Specification, _: TooLarge) -> Box<Diagnostic> {
    let span = spec.definitions[spec.system].span;
    let message = format!("the system needs more than {MOST_TRIPLES} triples");
    let error = Diagnostic::error(codes::TOO_LARGE, span, message);
    Box::new(error.help("a constant that is used twice is expanded twice: use it less often"))
}

fn built(spec: &Specification) -> Result<(Triples, Compositions), Box<Diagnostic>> {
    let mut instances = Instances {
        spec,
        views: HashMap::new(),
        plain: View::default(),
        known: HashMap::new(),
        todo: vec![],
        compositions: vec![],
    };
    instances.plain = instances.view((0..spec.names.len() as u32).map(Some).collect());
    instances.number(spec.system, instances.plain.clone());
    let mut definitions = vec![];
    while let Some((definition, view)) = instances.todo.get(definitions.len()).cloned() {
        definitions.push(instances.term(&spec.definitions[definition].body, &view));
        if definitions.len() > MOST_TRIPLES {
            return Err(too_large(spec, TooLarge));
        }
    }
    let algebra = Compositions(instances.compositions);
    let interleaved =
        build(&definitions, 0, Choice::Late, MOST_TRIPLES).map_err(|why| too_large(spec, why))?;
    Ok((interleaved, algebra))
}

/// What the outside sees of each name. Equal views have equal numbers, so that comparing them does not take long.
#[derive(Clone, Default)]
struct View {
    number: usize,
    names: Rc<[Option<u32>]>,
}

fn seen(view: &View, action: Action) -> Option<Action> {
    Some(match action {
        Action::Tau => Action::Tau,
        Action::Name(name) => Action::Name(view.names[name as usize]?),
        Action::Co(name) => Action::Co(view.names[name as usize]?),
    })
}

/// Constants under the operators around them.
struct Instances<'s> {
    spec: &'s Specification,
    views: HashMap<Rc<[Option<u32>]>, usize>,
    /// The view in which every name is seen as it is.
    plain: View,
    /// By the numbers of definitions and views.
    known: HashMap<(usize, usize), usize>,
    todo: Vec<(usize, View)>,
    compositions: Vec<Composition>,
}

impl Instances<'_> {
    fn view(&mut self, names: Rc<[Option<u32>]>) -> View {
        let next = self.views.len();
        View { number: *self.views.entry(names.clone()).or_insert(next), names }
    }

    fn number(&mut self, definition: usize, view: View) -> usize {
        let Instances { known, todo, .. } = self;
        *known.entry((definition, view.number)).or_insert_with(|| {
            todo.push((definition, view));
            todo.len() - 1
        })
    }

    fn term(&mut self, process: &Process, view: &View) -> Term<Move, Infallible> {
        match process {
            Process::Nil => Term::Nil,
            Process::Prefix(actions, body) => {
                let mut parts = vec![];
                for &(action, span) in actions {
                    let Some(action) = seen(view, action) else {
                        parts.push(Term::Nil);
                        return Term::Seq(parts);
                    };
                    parts.push(Term::Act(Move { action, met: None, span }));
                }
                parts.push(self.term(body, view));
                Term::Seq(parts)
            }
            Process::Choice(parts) => Term::Choice(parts.iter().map(|p| self.term(p, view)).collect()),
            Process::Par(parts) => self.composed(None, parts, view),
            Process::Hoare(actions, parts) => self.composed(Some(actions.clone()), parts, view),
            Process::Seen(body, operators) => {
                let through =
                    |name: Option<u32>| operators.iter().try_fold(name?, |n, operator| operator.apply(n));
                let names = (0..self.spec.names.len() as u32).map(Some);
                let inner = names.map(|name| view.names[through(name)? as usize]).collect();
                let inner = self.view(inner);
                self.term(body, &inner)
            }
            Process::Constant(number, ..) => Term::Call(self.number(*number, view.clone())),
        }
    }

    fn composed(
        &mut self,
        hoare: Option<Vec<Action>>,
        parts: &[Process],
        view: &View,
    ) -> Term<Move, Infallible> {
        let number = self.compositions.len();
        self.compositions.push(Composition { hoare, view: view.clone() });
        let plain = self.plain.clone();
        Term::Composed(number, parts.iter().map(|p| self.term(p, &plain)).collect())
    }
}

/// A parallel composition: Hoare's with these actions, or Milner's.
struct Composition {
    hoare: Option<Vec<Action>>,
    view: View,
}

struct Compositions(Vec<Composition>);

impl Algebra<Move> for Compositions {
    fn parties(&self, composition: usize) -> Parties {
        if self.0[composition].hoare.is_some() { Parties::All } else { Parties::Two }
    }

    fn alone(&self, composition: usize, action: &Move) -> Option<Move> {
        let forced = |actions: &Vec<Action>| actions.contains(&action.action);
        (!self.0[composition].hoare.as_ref().is_some_and(forced)).then(|| action.clone())
    }

    fn together(&self, composition: usize, one: &Move, other: &Move) -> Option<Move> {
        match &self.0[composition].hoare {
            None if one.action != Action::Tau && one.action == other.action.complement() => {
                Some(Move { action: Action::Tau, met: one.action.name(), span: one.span })
            }
            Some(actions) if one.action == other.action && actions.contains(&one.action) => Some(one.clone()),
            _ => None,
        }
    }

    type Key = u32;

    fn key(&self, _: usize, action: &Move) -> Option<u32> {
        action.action.name()
    }

    fn outward(&self, composition: usize, action: Move) -> Option<Move> {
        Some(Move { action: seen(&self.0[composition].view, action.action)?, ..action })
    }
}
