//! Early choice (`docs/labs.md` 10), for comparison with a tool that makes choices before their actions are taken.
//!
//! When an action ends, and at the start, every `+` that could move next is replaced by one of its alternatives. Which
//! one is nondeterministic, so there are as many successors as there are ways to replace. The rules of table 3.3 then
//! apply to what is left, as ever. Branches of a parallel composition are replaced each by itself. In `(g => P); Q`
//! what could move next is P; the choices of Q are replaced when P has ended or has been passed.

use crate::term::{Program, Term, par};
use crate::{Choice, Interpreter};
use std::rc::Rc;

impl Interpreter<'_> {
    /// The processes that a process may turn out to be when the action before it has ended, each once.
    pub(crate) fn settled(&self, p: &Rc<Term>) -> Vec<Rc<Term>> {
        match self.options.choice {
            Choice::Late => vec![self.program.unfold(p)],
            Choice::Early => {
                let mut all = self.program.resolutions(p);
                all.sort();
                all.dedup();
                all
            }
        }
    }
}

impl Program<'_> {
    /// All ways to replace each choice that could move next by one of its alternatives.
    fn resolutions(&self, p: &Rc<Term>) -> Vec<Rc<Term>> {
        match p.as_ref() {
            Term::Nil | Term::Done | Term::Act(_) => vec![p.clone()],
            Term::Choice(parts) => parts.iter().flat_map(|part| self.resolutions(part)).collect(),
            Term::Call(id) => self.resolutions(self.body(*id)),
            Term::Seq(p, q) => {
                self.resolutions(p).into_iter().map(|first| self.seq(first, q.clone())).collect()
            }
            Term::Guard(g, p) => {
                self.resolutions(p).into_iter().map(|p| Rc::new(Term::Guard(*g, p))).collect()
            }
            Term::Conditional(g, pass, p) => {
                let resolved = self.resolutions(p).into_iter();
                resolved.map(|p| Rc::new(Term::Conditional(*g, *pass, p))).collect()
            }
            Term::Par(parts) => {
                let mut rows = vec![vec![]];
                for part in parts {
                    rows = combined(&rows, &self.resolutions(part));
                }
                rows.into_iter().map(par).collect()
            }
        }
    }
}

/// Every row with each of these added.
pub(crate) fn combined(rows: &[Vec<Rc<Term>>], next: &[Rc<Term>]) -> Vec<Vec<Rc<Term>>> {
    let longer = |row: &Vec<Rc<Term>>, one: &Rc<Term>| row.iter().chain([one]).cloned().collect();
    rows.iter().flat_map(|row| next.iter().map(move |one| longer(row, one))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;
    use crate::{Label, Options, State};
    use swarmcheck_labs::model::{ActionId, Process};

    fn early(b: &Build) -> Interpreter<'_> {
        Interpreter::new(&b.0, Options { choice: Choice::Early, ..Options::default() })
    }

    /// The first actions that each of the initial states has.
    fn first(b: &Build) -> Vec<Vec<u32>> {
        let i = early(b);
        let actions = |state: &State| {
            let steps = i.successors(state).into_iter();
            let mut all: Vec<u32> = steps.map(|(label, _)| action(&label)).collect();
            all.dedup();
            all
        };
        let mut found: Vec<Vec<u32>> = i.initial_states().expect("no error").iter().map(actions).collect();
        found.sort();
        found
    }

    fn action(label: &Label) -> u32 {
        match label {
            Label::Action { action: ActionId(id), .. } => *id,
            _ => unreachable!("nothing is sent"),
        }
    }

    /// A system of one agent; the process gets the actions 0, 1, 2, ….
    fn system(process: impl Fn(&mut dyn FnMut() -> Process) -> Process) -> Build {
        let mut b = Build::new();
        let body = process(&mut || b.skip());
        b.kind(1, vec![], &[], body);
        b
    }

    #[test]
    fn an_alternative_is_picked_before_it_is_taken() {
        assert_eq!(first(&system(|a| choice(vec![a(), choice(vec![a(), a()])]))), [[0], [1], [2]]);
        assert_eq!(first(&system(|a| seq(vec![choice(vec![a(), a()]), a()]))), [[0], [1]]);
    }

    #[test]
    fn a_guard_does_not_wait_with_the_choice() {
        assert_eq!(first(&system(|a| guard(bool_(true), choice(vec![a(), a()])))), [[0], [1]]);
        let stuck = system(|a| choice(vec![guard(bool_(false), a()), a()]));
        assert_eq!(first(&stuck), [vec![], vec![1]]);
    }

    #[test]
    fn branches_pick_each_for_itself() {
        let two = |a: &mut dyn FnMut() -> Process| choice(vec![a(), a()]);
        let both = system(|a| parallel(vec![two(a), two(a)]));
        assert_eq!(first(&both), [[0, 2], [0, 3], [1, 2], [1, 3]]);
    }

    /// Actions: 0 passes, 1 and 2 are the body's, 3 and 4 come after it.
    #[test]
    fn the_step_past_a_conditional_process_picks() {
        let b = |holds| {
            system(move |a| {
                let pass = a();
                let body = choice(vec![a(), a()]);
                seq(vec![conditional(bool_(holds), pass, body), choice(vec![a(), a()])])
            })
        };
        assert_eq!(first(&b(true)), [[1], [2]]);
        let passed = b(false);
        assert_eq!(first(&passed), [[0], [0]]);
        let i = early(&passed);
        let starts = i.initial_states().expect("no error");
        assert_eq!(acts(&i, &starts[0], 0).len(), 2, "one state for each of what follows");
    }

    #[test]
    fn the_end_of_an_action_has_as_many_successors_as_the_choice_has_alternatives() {
        let b = system(|a| seq(vec![a(), choice(vec![a(), a(), a()])]));
        let i = early(&b);
        let start = initial(&i);
        assert_eq!(acts(&i, &start, 0).len(), 3);
        assert_eq!(acts(&interpreter(&b.0), &start, 0).len(), 1);
    }
}
