//! What "random" means: the law by which a program makes its steps. Runs are drawn by it (`run.rs`), and the exact engine
//! builds the chain or decision process that it defines (`swarmcheck_chance`). Both must mean the same, so it is said here.
//!
//! **A step** is an instance: a function together with the agent that runs it. It is *enabled* in a state if some way to resolve
//! its own choices runs to the end.
//!
//! **Inside a step**, choices are made one after the other, each alternative equally likely. If the step gets stuck with them,
//! all of them are made again. So the probability of a sequence of choices that runs to the end is the product of its
//! 1/n, divided by the sum of these products over all such sequences. How likely a step gets stuck does not make it less likely.
//!
//! **The initial state** is drawn the same way: the choices of the initial block, conditional on the assumptions.
//!
//! **Which step** is made is the business of a [`Scheduler`]. A state without enabled steps is a deadlock: the run stops there, and
//! rests there for ever.

/// How the next step is chosen among those that are enabled.
#[derive(Clone, PartialEq, Debug)]
pub enum Scheduler {
    /// Every enabled step is equally likely. On a program with a turn (round-robin) these are the actions of the agent whose turn
    /// it is, and all messages.
    Steps,
    /// An agent that has an enabled step, each equally likely, then one of its steps, each equally likely.
    Agents,
    /// A race: every enabled step waits for an exponentially distributed time with its rate, and the first one is made.
    Rates(Rates),
    /// Nobody says how: all schedulers are considered, also those that remember and draw. Only for minimum and maximum.
    Any,
}

/// The rate of every step, positive and finite.
#[derive(Clone, PartialEq, Debug)]
pub struct Rates {
    /// By the number of the function and of the kind of agent, in the order of the program. The rate of an instance is
    /// `of[function][kind of the agent]`.
    pub of: Vec<Vec<Rate>>,
}

/// A positive rational number, so that probabilities of races are exact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rate {
    /// At least 1.
    pub numerator: u32,
    /// At least 1.
    pub denominator: u32,
}

impl Rate {
    /// The rate of everything that a model says nothing about.
    pub const ONE: Rate = Rate { numerator: 1, denominator: 1 };

    /// As a number.
    pub fn value(self) -> f64 {
        f64::from(self.numerator) / f64::from(self.denominator)
    }
}
