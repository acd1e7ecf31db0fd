//! The passes that change behaviour in ways that do not matter, checked by brute force on the example models.

mod data_symmetry;
mod dead;
mod explore;
mod miniscope;
mod models;
mod monitor;
mod relate;
mod stale;
mod symmetry;
