//! Exit codes, the same as SLiVER's. This is the one place that defines them; `docs/exit-codes.md` lists them.

/// How the program ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Everything is fine; every property holds.
    Fine,
    /// An internal or back-end failure.
    Failure,
    /// The command line makes no sense.
    Usage,
    /// No answer.
    Inconclusive,
    /// The file is wrong.
    Model,
    /// A property is violated.
    Violated,
    /// The time limit was reached.
    TimeLimit,
    /// The user interrupted it.
    Interrupted,
}

impl Exit {
    /// All of them with their meaning.
    pub const TABLE: &[(Exit, &str)] = &[
        (Exit::Fine, "fine: the file is correct, the run went well, every property asked for holds"),
        (Exit::Failure, "internal or back-end failure"),
        (Exit::Usage, "the command line makes no sense"),
        (Exit::Inconclusive, "inconclusive: no answer within the limits"),
        (Exit::Model, "the file is wrong, or the model meets an error while it runs"),
        (Exit::Violated, "a property is violated, or a trace or a proof is refused"),
        (Exit::TimeLimit, "the time limit was reached"),
        (Exit::Interrupted, "interrupted (Ctrl-C)"),
    ];

    /// The number the operating system gets.
    pub fn code(self) -> u8 {
        match self {
            Exit::Fine => 0,
            Exit::Failure => 1,
            Exit::Usage => 2,
            Exit::Inconclusive => 5,
            Exit::Model => 6,
            Exit::Violated => 10,
            Exit::TimeLimit => 124,
            Exit::Interrupted => 130,
        }
    }
}
