//! A model as a network of processes: what is common to the transition system that is put together from them and to the picture
//! of the network.

use crate::lts::refused;
use crate::open::Prepared;
use crate::refusal::Refusal;
use swarmcheck_compose::Refused;
use swarmcheck_compose::network::Network;
use swarmcheck_ir::Program;
use swarmcheck_ir::flat::Instance;
use swarmcheck_ir::ground::Ground;

/// The program of which a network is made.
pub(crate) struct Basis {
    /// It only behaves, and the ranges of its variables are known.
    pub program: Program,
    /// The same, ready to be executed.
    pub ground: Ground,
}

impl Basis {
    /// What the model does. Properties over actions are no part of it.
    pub(crate) fn new(prepared: &Prepared) -> Result<Basis, Refusal> {
        let program = prepared.behaviour().map_err(|diagnostic| refused(prepared, diagnostic))?;
        let program = swarmcheck_passes::ranges::narrow(program).program;
        let ground = Ground::new(&program);
        Ok(Basis { program, ground })
    }

    /// Who does what in the step with this number.
    pub(crate) fn instance(&self, number: usize) -> Instance {
        self.ground.instances()[number].instance
    }

    /// The network; `visible` tells what is seen of a step.
    pub(crate) fn network(&self, visible: &dyn Fn(Instance) -> Option<u32>) -> Result<Network, Refused> {
        Network::new(&self.program, &self.ground, &[], &|number| visible(self.instance(number)))
    }
}
