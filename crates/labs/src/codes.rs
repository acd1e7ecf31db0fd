//! The catalogue of diagnostics. Codes are stable: they are never renumbered and never reused.

/// An entry of the catalogue.
pub struct Entry {
    pub code: &'static str,
    /// A short title, as the manual lists it.
    pub title: &'static str,
}

macro_rules! catalogue {
    ($($name:ident = $code:literal, $title:literal;)*) => {
        $(#[doc = $title] pub const $name: &str = $code;)*
        /// All of them, in order.
        pub const CATALOGUE: &[Entry] = &[$(Entry { code: $code, title: $title }),*];
    };
}

catalogue! {
    SYNTAX = "E0001", "the text does not follow the grammar";
    CHARACTER = "E0002", "a character that LAbS does not use";
    NUMBER = "E0003", "a number that does not fit 64 bits";
    DEPTH = "E0004", "nested too deeply";
    EMPTY = "E0005", "the file contains no specification";
    ENCODING = "E0006", "the file is not UTF-8 text";
    RESERVED = "E0007", "a reserved word used as a name";
    OPERATOR = "E0008", "an operator of another language";
    UNCLOSED = "E0009", "a bracket that is never closed";
    UNKNOWN_VARIABLE = "E0101", "unknown variable";
    UNKNOWN_PROCESS = "E0102", "unknown process";
    UNKNOWN_KIND = "E0103", "unknown kind of agent";
    UNKNOWN_STIGMERGY = "E0104", "unknown stigmergy";
    UNDECLARED_PARAMETER = "E0105", "parameter used but not declared in extern";
    DUPLICATE = "E0106", "the same name declared twice";
    NOT_OF_KIND = "E0107", "a variable that this kind of agent does not have";
    OWNER = "E0108", "missing or misplaced 'of'";
    MISSING_SECTION = "E0109", "a section is missing";
    NO_AGENTS = "E0110", "the system has no agents";
    VIEW = "E0111", "a view that does not fit the model";
    ARROW = "E0201", "an assignment arrow that does not fit the variable";
    ARITY = "E0202", "compound assignment with different numbers of variables and values";
    TYPE = "E0203", "a condition used as a number, or the other way round";
    INDEX = "E0204", "wrong number of indices";
    NOT_CONSTANT = "E0205", "an expression that must be constant";
    NONDETERMINISM = "E0206", "a random value or pick where none is allowed";
    SIZE = "E0207", "an impossible size, range or count";
    TUPLE_ARITY = "E0208", "tuple with different numbers of variables and initialisers";
    TARGET_TWICE = "E0209", "the same variable assigned twice in one compound assignment";
    LOCAL = "E0210", "misuse of a block-local variable";
    QUANTIFIER = "E0211", "a quantifier where none is allowed";
    MISSING_BEHAVIOR = "E0301", "an agent without Behavior";
    UNGUARDED = "E0302", "unguarded recursion";
    PARALLEL_RECURSION = "E0303", "recursion inside parallel composition";
    STACK_RECURSION = "E0304", "recursion that is not in tail position";
    TOO_LARGE = "E0305", "the process is too large once its definitions are expanded";
    FORMULA_SIZE = "E0306", "the formula is too large once its quantifiers are expanded";
    POSSIBLE = "E0307", "a formula that needs to know when an action is possible, which is not known";
    RATE = "E0308", "a rate that is not positive, or cannot be kept exactly";
    RATE_PLACE = "E0309", "a rate where no action is";
    MISSING_PARAMETER = "E0401", "a parameter without a value";
    UNKNOWN_PARAMETER = "E0402", "a value for a parameter that does not exist";
    PARAMETER_VALUE = "E0403", "a parameter that is not a number";
    GUARD_READING = "W0501", "two readings of a guard";
    AND_OR_READING = "W0502", "two readings of 'and' and 'or'";
    UNUSED_VARIABLE = "W0503", "unused variable";
    UNUSED_STIGMERGY = "W0504", "unused stigmergy";
    UNUSED_PROCESS = "W0505", "unused process";
    UNUSED_PARAMETER = "W0506", "unused parameter";
    UNREACHABLE = "W0507", "a process that is never reached";
    NOT_SPAWNED = "W0508", "a kind without agents";
    NEVER_SATISFIED = "W0509", "a comparison that is never satisfied";
    OWNER_READING = "W0510", "two readings of 'of'";
}

#[cfg(test)]
mod tests {
    use super::CATALOGUE;

    #[test]
    fn codes_are_sorted_within_their_letter_and_unique() {
        for pair in CATALOGUE.windows(2) {
            let (a, b) = (pair[0].code, pair[1].code);
            assert!(a[1..] < b[1..], "{a} before {b}");
        }
    }
}
