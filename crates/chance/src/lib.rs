//! The chain or decision process of a program: exact probabilities and expected values with certified bounds.
//!
//! Architecture invariant: the law of steps is that of `swarmcheck_simulate::law`, and is said in one place only.
