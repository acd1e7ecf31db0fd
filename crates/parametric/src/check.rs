//! Checking a proof, wherever it comes from: the class of the system, the bound, and every obligation at every size.
//!
//! Nothing here depends on how the invariant was found. Each obligation is decided by the SAT solver and, where few states are
//! enough, by explicit search without reductions as well.

use crate::clause::{Clause, conjunction};
use crate::deletion::{Witnesses, check_condition};
use crate::family::{Family, Sizes};
use crate::obligation::{Checked, Decider, check as decide, induction, initiation};
use crate::observe::Values;
use crate::prove::{Bound, MOST_AGENTS, NotProved};
use swarmcheck_engine::Control;
use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{Expr, Program};

/// Explicit search goes through so many states of an invariant.
const FEW_STATES: f64 = 50_000.0;

/// What is checked at a size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Initial states satisfy the invariant.
    Initial,
    /// Steps from states of the invariant lead to such states.
    Step,
}

impl Part {
    /// The program of which the invariant must hold within this many steps.
    pub fn steps(self) -> u32 {
        match self {
            Part::Initial => 0,
            Part::Step => 1,
        }
    }
}

/// What has to be shown at one size: the only property of the program holds within [`Part::steps`] steps.
pub struct Obligation {
    /// What it is.
    pub part: Part,
    /// Numbers of agents of the open kinds.
    pub sizes: Sizes,
    /// The program.
    pub program: Program,
}

/// An invariant, and what it is about.
#[derive(Clone, Copy)]
pub struct Invariant<'a> {
    /// The systems.
    pub family: &'a Family,
    /// The property, which is a part of it.
    pub property: &'a Expr,
    /// The other parts.
    pub clauses: &'a [Clause],
    /// The values of cells.
    pub values: &'a Values,
}

/// How much was checked.
pub struct Extent {
    /// How many agents suffice.
    pub bound: Bound,
    /// The obligations that were decided.
    pub obligations: usize,
    /// Those that explicit search has decided, too.
    pub searched: usize,
}

impl Invariant<'_> {
    /// The bound, if the system and the invariant are in the class.
    pub fn bound(&self) -> Result<Bound, NotProved> {
        let witnesses = Witnesses::new(self.family.open())?;
        check_condition(self.family.open(), &self.condition())?;
        let bound = Bound::new(self.family, &witnesses, self.property, self.clauses)?;
        match bound.induction().max(bound.initiation()) {
            agents if agents > MOST_AGENTS => Err(NotProved::TooManyAgents(agents)),
            _ => Ok(bound),
        }
    }

    fn condition(&self) -> Expr {
        Expr::and([self.property.clone(), conjunction(self.family.base(), self.clauses)])
    }

    /// What has to be shown at one size.
    pub fn obligation(&self, part: Part, sizes: &[u32]) -> Obligation {
        let (member, condition) = (self.family.at(sizes), self.condition());
        let program = match part {
            Part::Initial => initiation(&member, self.values, &condition),
            Part::Step => induction(&member, self.values, &condition),
        };
        Obligation { part, sizes: sizes.to_vec(), program }
    }

    /// Everything that has to be shown.
    pub fn obligations(&self, bound: &Bound) -> impl Iterator<Item = Obligation> {
        let sizes = |part: Part, needed: u32| {
            self.family.sizes(needed).into_iter().map(move |sizes| self.obligation(part, &sizes))
        };
        sizes(Part::Initial, bound.initiation()).chain(sizes(Part::Step, bound.induction()))
    }

    /// Decides everything that has to be shown.
    pub fn check(&self, control: &Control<'_>) -> Result<Extent, NotProved> {
        let bound = self.bound()?;
        let (mut obligations, mut searched) = (0, 0);
        for Obligation { part, sizes, program } in self.obligations(&bound) {
            let few = part == Part::Step && self.states(&sizes) <= FEW_STATES;
            let deciders: &[Decider] = if few { &[Decider::Sat, Decider::Search] } else { &[Decider::Sat] };
            for decider in deciders {
                if control.stopped() {
                    return Err(NotProved::Interrupted);
                }
                match decide(program.clone(), part.steps(), *decider, control) {
                    Checked::Holds => searched += usize::from(*decider == Decider::Search),
                    Checked::Unknown(_) if control.stopped() => return Err(NotProved::Interrupted),
                    Checked::Unknown(why) => return Err(NotProved::Engine(why)),
                    Checked::Fails(..) | Checked::Error => {
                        return Err(NotProved::Refuted { part, sizes });
                    }
                }
            }
            obligations += 1;
        }
        Ok(Extent { bound, obligations, searched })
    }

    /// At most how many states the invariant has at a size.
    fn states(&self, sizes: &[u32]) -> f64 {
        let flat = Flat::new(self.family.at(sizes));
        let cell = |(_, cell): (u32, swarmcheck_ir::flat::Cell)| {
            let kind = cell.agent.map(|agent| flat.program.kind_of(agent));
            let seen = self.values.get(&(cell.var, kind)).map_or(1.0, |seen| seen.len() as f64);
            match flat.program.var(cell.var).role {
                Role::Order => f64::from(flat.program.agents()),
                _ => seen.max(1.0),
            }
        };
        flat.layout.cells().map(cell).product()
    }
}
