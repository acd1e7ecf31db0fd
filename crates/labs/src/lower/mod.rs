//! From a model to an emulation program.
