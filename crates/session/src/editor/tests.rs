//! Tests of what editors ask.
