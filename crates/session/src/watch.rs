//! Properties along a run: evaluates predicates only when something they read has changed.

use crate::open::Prepared;
use swarmcheck_ir::flat::{Seen, Watched};
use swarmcheck_ir::{Expr, Fault, Modality, Value};
use swarmcheck_logic::watch::{Event, Status, Truth, Watch};
use swarmcheck_simulate::Run;

/// All properties of a program along one run.
pub(crate) struct Watches<'c> {
    conditions: &'c Conditions,
    list: Vec<(Watch, Vec<bool>)>,
    /// For each property, what is known of its conditions from the last look.
    seen: Vec<Vec<Seen>>,
    touched: Vec<bool>,
    /// Properties whose predicate has held at some point.
    reached: Vec<bool>,
    /// Properties that a deadlock has refuted.
    refuted: Vec<bool>,
}

/// What does not change from run to run.
pub(crate) struct Conditions {
    list: Vec<Condition>,
    /// For each slot of the state, the properties that read it.
    readers: Vec<Vec<u32>>,
}

struct Condition {
    modality: Modality,
    /// The predicate, then the conditions of the scope.
    codes: Vec<Watched>,
    /// Whether its verdict depends on the number of steps, so that it must be told of every one.
    counts_steps: bool,
}

impl Conditions {
    pub(crate) fn new(prepared: &Prepared) -> Conditions {
        let flat = &prepared.flat;
        let mut readers = vec![vec![]; flat.width()];
        let mut list = vec![];
        for (number, property) in flat.program.properties.iter().enumerate() {
            let mut reads = vec![false; flat.program.vars.len()];
            for e in property.exprs() {
                e.walk(&mut |e| {
                    if let Expr::Read(place) = e {
                        reads[place.var.0 as usize] = true;
                    }
                });
            }
            for (slot, readers) in readers.iter_mut().enumerate() {
                if reads[flat.layout.cell(slot as u32).var.0 as usize] {
                    readers.push(number as u32);
                }
            }
            list.push(Condition {
                modality: property.modality.clone(),
                codes: property.exprs().iter().map(|e| Watched::new(flat, e)).collect(),
                counts_steps: matches!(property.modality, Modality::After(_) | Modality::Scoped { .. }),
            });
        }
        Conditions { list, readers }
    }

    pub(crate) fn watches(&self) -> Watches<'_> {
        let fresh = |c: &Condition| (Watch::new(&c.modality), vec![false; c.codes.len()]);
        let list: Vec<_> = self.list.iter().map(fresh).collect();
        let none = vec![false; list.len()];
        Watches {
            conditions: self,
            seen: self.list.iter().map(|c| vec![Seen::default(); c.codes.len()]).collect(),
            touched: vec![true; list.len()],
            reached: none.clone(),
            refuted: none,
            list,
        }
    }
}

impl Watches<'_> {
    /// Looks at the state after `step` steps, given what the last step wrote (nothing at the start). Calls `tell`
    /// with the property's number, whether its predicate holds, and what is new.
    pub(crate) fn look(
        &mut self,
        run: &mut Run<'_>,
        step: u32,
        writes: &[(u32, Value)],
        tell: &mut dyn FnMut(usize, bool, Event),
    ) -> Result<(), Fault> {
        for (slot, _) in writes {
            for &reader in &self.conditions.readers[*slot as usize] {
                self.touched[reader as usize] = true;
            }
        }
        for (number, (watch, truth)) in self.list.iter_mut().enumerate() {
            let condition = &self.conditions.list[number];
            let touched = std::mem::replace(&mut self.touched[number], false);
            if touched {
                let conditions = condition.codes.iter().zip(&mut self.seen[number]);
                for (truth, (code, seen)) in truth.iter_mut().zip(conditions) {
                    *truth = run.look(code, seen, writes)?;
                }
            }
            if touched || condition.counts_steps {
                let now = Truth::from_exprs(truth.iter().copied());
                self.reached[number] |= now.predicate;
                if let Some(event) = watch.observe(step, now) {
                    tell(number, now.predicate, event);
                }
            }
        }
        Ok(())
    }

    /// The run has stopped for good. What must still be reached never will be: an execution that stops before the goal
    /// is a counterexample (`docs/labs.md` 17).
    pub(crate) fn deadlock(&mut self, tell: &mut dyn FnMut(usize, bool, Event)) {
        for (number, (watch, truth)) in self.list.iter().enumerate() {
            self.refuted[number] = match self.conditions.list[number].modality {
                Modality::Eventually | Modality::Finally | Modality::Fairly => !self.reached[number],
                Modality::FairlyInf => !truth[0],
                // A scope that stays open for ever and still waits for something.
                Modality::Scoped { open: true, .. } => watch.status() == Status::Undecided,
                _ => false,
            };
            if self.refuted[number] {
                tell(number, truth[0], Event::Violated);
            }
        }
    }

    /// Where each property stands, and whether its predicate held in the last state.
    pub(crate) fn statuses(&self) -> impl Iterator<Item = (Status, bool)> {
        self.list.iter().zip(&self.refuted).map(|((watch, truth), refuted)| {
            (if *refuted { Status::Violated } else { watch.status() }, truth[0])
        })
    }
}
