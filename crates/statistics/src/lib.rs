//! What a sample says of the distribution that it comes from: intervals for probabilities, means and quantiles, rules that say
//! when there are enough runs, tests of hypotheses, splitting for rare events.
//!
//! Architecture invariant: only numbers here. Nothing knows what a run is, and nothing draws random numbers but tests.
