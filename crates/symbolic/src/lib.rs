//! Programs as systems of bits, and the symbolic engines.
