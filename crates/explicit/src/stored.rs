//! What the search does to a state of the smaller program before it stores it.

use crate::codec::Codec;
use crate::data_symmetry::{DataCanon, least};
use crate::partial_order::PartialOrder;
use swarmcheck_ir::Value;
use swarmcheck_ir::ground::{Ground, Runner};
use swarmcheck_passes::symmetry::Canon;
use swarmcheck_question::concrete::Representation;

/// The reductions of states, in the order in which they are applied.
#[derive(Clone)]
pub(crate) struct Stored<'a> {
    /// Partial-order reduction: takes first steps until there is none.
    pub(crate) partial_order: Option<&'a PartialOrder>,
    /// Agent symmetry.
    pub(crate) canon: Option<Canon>,
    /// Data symmetry, on packed states.
    pub(crate) data_canon: Option<DataCanon>,
    /// Packs them, if that is needed.
    pub(crate) codec: Option<&'a Codec>,
}

impl Representation for Stored<'_> {
    fn copy(&self) -> Box<dyn Representation + '_> {
        Box::new(self.clone())
    }

    fn changes(&self) -> bool {
        self.partial_order.is_some() || self.canon.is_some() || self.data_canon.is_some()
    }

    fn represent(&mut self, smaller: &Ground, runner: &mut Runner, state: &mut [Value]) {
        if let Some(reduction) = self.partial_order {
            reduction.settle(smaller, runner, state);
        }
        if let Some(canon) = &mut self.canon {
            canon.canonical(state);
        }
        if let Some(codec) = self.codec {
            let mut words = vec![0; codec.words()];
            // What cannot be packed is not stored either.
            if codec.pack(state, &mut words).is_ok() {
                least(&mut self.data_canon, &mut self.canon, codec, &mut words);
                codec.unpack(&words, state);
            }
        }
    }

    fn has_first_steps(&self) -> bool {
        self.partial_order.is_some()
    }

    fn first(&self, smaller: &Ground, runner: &mut Runner, state: &mut [Value]) -> Option<usize> {
        self.partial_order?.first(smaller, runner, state)
    }
}
