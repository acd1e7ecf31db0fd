//! Properties along a run: evaluates predicates only when something they read has changed.

use crate::open::Prepared;
use std::collections::HashSet;
use swarmcheck_ir::flat::Code;
use swarmcheck_ir::{Expr, Fault, Value, VarId};
use swarmcheck_logic::watch::{Event, Status, Truth, Watch};
use swarmcheck_simulate::Run;

/// All properties of a program along one run.
pub(crate) struct Watches {
    list: Vec<Watched>,
}

struct Watched {
    watch: Watch,
    /// The predicate, then the conditions of the scope: start, end, first.
    conditions: Vec<Code>,
    truth: Vec<bool>,
    reads: HashSet<VarId>,
    /// Whether its verdict depends on the number of steps, so that it must be told of every one.
    counts_steps: bool,
}

impl Watches {
    pub(crate) fn new(prepared: &Prepared) -> Watches {
        let list = prepared
            .flat
            .program
            .properties
            .iter()
            .map(|property| {
                let mut reads = HashSet::new();
                for e in property.exprs() {
                    e.walk(&mut |e| {
                        if let Expr::Read(place) = e {
                            reads.insert(place.var);
                        }
                    });
                }
                let conditions: Vec<Code> =
                    property.exprs().iter().map(|e| prepared.flat.compile(e)).collect();
                Watched {
                    watch: Watch::new(&property.modality),
                    truth: vec![false; conditions.len()],
                    conditions,
                    reads,
                    counts_steps: matches!(
                        property.modality,
                        swarmcheck_ir::Modality::After(_) | swarmcheck_ir::Modality::Scoped { .. }
                    ),
                }
            })
            .collect();
        Watches { list }
    }

    /// Looks at the state after `step` steps, given what the last step wrote (`None` at the start). Calls `tell`
    /// with the property's number, whether its predicate holds, and what is new.
    pub(crate) fn look(
        &mut self,
        run: &mut Run<'_>,
        step: u32,
        writes: Option<&[(u32, Value)]>,
        layout: &swarmcheck_ir::flat::Layout,
        tell: &mut dyn FnMut(usize, bool, Event),
    ) -> Result<(), Fault> {
        for (number, watched) in self.list.iter_mut().enumerate() {
            let touched = writes
                .is_none_or(|w| w.iter().any(|(slot, _)| watched.reads.contains(&layout.cell(*slot).var)));
            if !touched && !watched.counts_steps {
                continue;
            }
            if touched {
                for (truth, code) in watched.truth.iter_mut().zip(&watched.conditions) {
                    *truth = run.test(code)?;
                }
            }
            let truth = Truth::from_exprs(watched.truth.iter().copied());
            if let Some(event) = watched.watch.observe(step, truth) {
                tell(number, truth.predicate, event);
            }
        }
        Ok(())
    }

    /// Where each property stands, and whether its predicate held in the last state.
    pub(crate) fn statuses(&self) -> impl Iterator<Item = (Status, bool)> {
        self.list.iter().map(|w| (w.watch.status(), w.truth[0]))
    }
}
