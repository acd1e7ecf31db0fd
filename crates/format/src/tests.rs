//! What the formatter makes of small texts.
