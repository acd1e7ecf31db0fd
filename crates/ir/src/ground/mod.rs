//! The ground program: every function instantiated for every agent that may run it, loops unrolled, names resolved to
//! slots, constants folded.
//!
//! It is larger than the flat program, by the number of agents for each loop, and several times faster to run: a guard
//! is a few comparisons of slots with constants. Exhaustive searches use it; simulations of ten thousand agents use the
//! flat program. Both have the same layout, the same instances and the same choices in the same order, so that a step
//! found in one can be repeated in the other.

mod build;
mod code;
mod few;
mod run;
mod table;
mod term;
mod touch;

pub use few::few_states;
pub use run::Runner;
pub use table::Table;
pub use term::{Act, Draw, Dynamic, Term};
pub use touch::{Touched, is_safe, parts, reads};

use crate::arith::Value;
use crate::expr::Expr;
use crate::flat::{Instance, Layout};
use crate::initial::Problem;
use crate::program::Program;
use crate::stmt::Stmt;

/// A ground program.
#[derive(Clone, Debug)]
pub struct Ground {
    pub layout: Layout,
    init: Block,
    /// The initial block made to test assumptions early, if it could be taken apart.
    early: Option<(Problem, Block)>,
    instances: Vec<Routine>,
    /// Agents of each kind, as ranges; the places where blocks and conditions are compiled later need them.
    kinds: Vec<std::ops::Range<u32>>,
}

/// A block of statements that needs some room for its locals.
#[derive(Clone, Debug, Default)]
pub struct Block {
    acts: Box<[Act]>,
    code: code::Code,
    locals: u32,
}

impl Block {
    fn new(acts: Box<[Act]>, locals: u32) -> Block {
        Block { code: code::Code::new(&acts), acts, locals }
    }

    /// A part of a body, to be run on its own; `locals` is the room that the locals of the body take.
    pub fn of(acts: &[Act], locals: u32) -> Block {
        Block::new(acts.into(), locals)
    }

    pub fn acts(&self) -> &[Act] {
        &self.acts
    }

    /// The number of cells that the locals take.
    pub fn locals(&self) -> u32 {
        self.locals
    }
}

/// One function run by one agent.
#[derive(Clone, Debug)]
pub struct Routine {
    /// The function and the agent that runs it.
    pub instance: Instance,
    /// Slots that must have these values: the first part of the guard, which cannot fault.
    tests: Box<[(u32, Value)]>,
    /// The rest of the guard.
    guard: Term,
    body: Block,
}

impl Routine {
    /// The slots that must have certain values before anything else of the guard is looked at.
    pub fn tests(&self) -> &[(u32, Value)] {
        &self.tests
    }

    /// The rest of the guard.
    pub fn guard(&self) -> &Term {
        &self.guard
    }

    pub fn body(&self) -> &[Act] {
        &self.body.acts
    }

    /// The number of cells that the locals take.
    pub fn locals(&self) -> u32 {
        self.body.locals
    }
}

impl Ground {
    /// Instantiates a valid program.
    pub fn new(program: &Program) -> Ground {
        let layout = Layout::new(program);
        let kinds = program.kinds.iter().map(|k| k.first..k.first + k.count).collect();
        let mut ground = Ground { layout, init: Block::default(), early: None, instances: vec![], kinds };
        ground.init = ground.block_with(program, &program.init_locals, None, &program.init);
        let apart = Problem::new(&ground.layout, &ground.init.acts);
        let locals = ground.init.locals;
        ground.early = apart.map(|(problem, acts)| (problem, Block::new(acts.into(), locals)));
        for (number, function) in program.functions.iter().enumerate() {
            for agent in build::agents(&ground.kinds, &function.owners) {
                let routine = build::routine(&ground, program, number as u32, function, agent);
                ground.instances.push(routine);
            }
        }
        ground
    }

    /// All functions with all agents that may run them, in the order of the flat program.
    pub fn instances(&self) -> &[Routine] {
        &self.instances
    }

    /// The length of a state.
    pub fn width(&self) -> usize {
        self.layout.width()
    }

    /// The initial block as the program has it.
    pub fn initial(&self) -> &Block {
        &self.init
    }

    /// A block with the same initial states that tests assumptions as early as possible. Its choices come in another
    /// order: those of a problem's variables first, in their order, where they have more than one value.
    pub fn beginning(&self) -> &Block {
        self.early.as_ref().map_or(&self.init, |(_, block)| block)
    }

    /// The same program with initial states in which the agents of each group are sorted by what they have drawn: one of
    /// every orbit under permutations of these agents. Nothing if the initial block is not symmetric in that way. Only for
    /// groups whose permutations exchange copies of variables and rename nothing.
    pub fn with_sorted_agents(&self, groups: &[Vec<u32>]) -> Option<Ground> {
        let (problem, _) = self.early.as_ref()?;
        let (problem, acts) = problem.sorted(&self.layout, &self.init.acts, groups)?;
        let block = Block::new(acts.into(), self.init.locals);
        Some(Ground { early: Some((problem, block)), ..self.clone() })
    }

    /// The draws and assumptions of the initial block, if it assumes anything and could be taken apart.
    pub fn problem(&self) -> Option<&Problem> {
        self.early.as_ref().map(|(problem, _)| problem)
    }

    /// Compiles a condition that no agent runs.
    pub fn condition(&self, program: &Program, condition: &Expr) -> Term {
        build::Builder::new(self, program, &[], None).whole(condition)
    }

    /// The initial block, made to stop as soon as a slot gets another value than the one wanted, if any is: finding the
    /// choices for one wanted state then takes the sum of what is possible for each slot, not the product. Slots that are
    /// written again later are left alone.
    pub fn initial_like(&self, wanted: &[Option<Value>]) -> Block {
        let mut written = vec![false; self.width()];
        let mut acts = vec![];
        for act in self.beginning().acts.iter().rev() {
            let slots = match act {
                Act::Fill { place, cells, .. } => place.known().map_or(0..0, |first| first..first + cells),
                Act::Set(slot, _) => *slot..slot + 1,
                _ => 0..0,
            };
            for slot in slots.rev().filter(|&slot| !written[slot as usize]) {
                if let Some(value) = wanted[slot as usize].filter(|v| *v != crate::UNDEF) {
                    acts.push(Act::Assume(Term::Is(slot, value)));
                }
            }
            act.note_writes(&mut written);
            acts.push(act.clone());
        }
        acts.reverse();
        Block::new(acts.into(), self.init.locals)
    }

    /// Compiles a block that no agent runs.
    pub fn block(&self, program: &Program, block: &[Stmt]) -> Block {
        self.block_with(program, &[], None, block)
    }

    fn block_with(
        &self,
        program: &Program,
        locals: &[crate::Local],
        me: Option<u32>,
        block: &[Stmt],
    ) -> Block {
        let mut builder = build::Builder::new(self, program, locals, me);
        let acts = builder.block(block);
        Block::new(acts, builder.local_cells())
    }
}
