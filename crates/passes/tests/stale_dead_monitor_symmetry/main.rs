//! The passes that change behaviour in ways that do not matter, checked by brute force on the example models.

mod dead;
mod explore;
mod inwards;
mod mirror;
mod models;
mod monitor;
mod relate;
mod stale;
mod symmetry;
