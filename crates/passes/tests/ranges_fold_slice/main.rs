//! Ranges, folding and slicing on the examples: against a naive search of the program they were made from.

mod examples;
mod fold;
mod ranges;
mod search;
mod slice;
