//! Proving and refuting on finite systems of bits.
