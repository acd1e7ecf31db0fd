//! The catalogue of diagnostics of R-CHECK. Codes are stable: they are never renumbered and never reused. What every
//! text can have wrong with its words and signs has the codes of the calculi.

/// The catalogue: code and short title, as the manual lists them.
pub const CATALOGUE: &[(&str, &str)] = &[
    (UNKNOWN, "R-CHECK: a name that is not declared"),
    (DUPLICATE, "R-CHECK: the same name declared twice"),
    (RESERVED, "R-CHECK: a reserved word used as a name"),
    (MISSING, "R-CHECK: a part of the script is missing"),
    (MISMATCH, "R-CHECK: an expression of the wrong type"),
    (RANGE, "R-CHECK: a range without values, or a value outside its range"),
    (PLACE, "R-CHECK: something that has no meaning at this place"),
    (TEMPORAL, "R-CHECK: a temporal formula outside a specification"),
    (ARGUMENTS, "R-CHECK: a guard with the wrong number of arguments"),
    (UNFIXED, "R-CHECK: an integer without an initial value"),
    (AMBIGUOUS, "R-CHECK: a process that can be read in two ways"),
    (UNSUPPORTED, "R-CHECK: something that is not supported"),
    (TOO_LARGE, "R-CHECK: a system or a formula that is too large"),
    (PRECEDENCE, "R-CHECK: an expression or formula that can be read in two ways"),
    (CONSTANT, "R-CHECK: a comparison that is always true or always false"),
    (UNUSED, "R-CHECK: an agent type without instances"),
    (UNUSED_VARIABLE, "R-CHECK: a message or property variable that nothing uses"),
];

/// A name that is not declared.
pub const UNKNOWN: &str = "E2101";
/// The same name declared twice.
pub const DUPLICATE: &str = "E2102";
/// A reserved word used as a name.
pub const RESERVED: &str = "E2103";
/// A part of the script is missing.
pub const MISSING: &str = "E2104";
/// An expression of the wrong type.
pub const MISMATCH: &str = "E2201";
/// A range without values, or a value outside its range.
pub const RANGE: &str = "E2202";
/// Something that has no meaning at this place.
pub const PLACE: &str = "E2203";
/// A temporal formula outside a specification.
pub const TEMPORAL: &str = "E2204";
/// A guard with the wrong number of arguments.
pub const ARGUMENTS: &str = "E2205";
/// An integer without a first value.
pub const UNFIXED: &str = "E2206";
/// A process that can be read in two ways.
pub const AMBIGUOUS: &str = "E2207";
/// Something that is not supported.
pub const UNSUPPORTED: &str = "E2301";
/// A system or a formula that is too large.
pub const TOO_LARGE: &str = "E2302";
/// An expression or formula that can be read in two ways.
pub const PRECEDENCE: &str = "W2401";
/// A comparison that is always true or always false.
pub const CONSTANT: &str = "W2402";
/// An agent type without instances.
pub const UNUSED: &str = "W2403";
/// A message or property variable that nothing uses.
pub const UNUSED_VARIABLE: &str = "W2404";
