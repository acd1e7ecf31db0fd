//! From a syntax tree to a model.
