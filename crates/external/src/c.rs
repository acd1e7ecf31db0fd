//! Verifiers of C programs: how they are called, and what their answers have in common.
//!
//! The programs of `export` make their choices in three places, through the variables `chosen`, `chosen_function` and
//! `chosen_agent`. What is assigned to these, in order, is an execution of the emulation program; so it is enough that a
//! verifier prints assignments (CBMC, ESBMC, CSeq) or the values of its nondeterministic function (CPAchecker).
//!
//! Each verifier is an entry of [`VERIFIERS`]: its command line, and how its answer is read. Everything else is here.

pub mod cbmc;
mod choices;
pub mod cpachecker;
pub mod cseq;
pub mod esbmc;
pub mod text;

pub use choices::{Choices, Step, translate};

use crate::{Ended, Job, Tools, Unreadable, out_of_memory};

/// A verifier of C programs.
#[derive(Clone, Copy, Debug)]
pub struct Verifier {
    /// What its authors call it.
    pub name: &'static str,
    /// The names under which it may be installed, the preferred one first.
    pub programs: &'static [&'static str],
    /// Where to get it.
    pub whence: &'static str,
    /// The target of `export` that writes what it reads.
    pub target: &'static str,
    /// Whether it can say something about executions of any length.
    pub unbounded: bool,
    /// Whether it runs on a virtual machine that reserves far more address space than it uses, and limits itself.
    pub own_memory: bool,
    /// The arguments for a program of this name.
    pub arguments: fn(&CQuestion<'_>, &str) -> Vec<String>,
    /// The files with counterexamples that it leaves behind, if it writes such files.
    pub shown: fn(&dyn Tools) -> Vec<String>,
    /// What its answer says.
    pub read: fn(&Kept) -> Result<CAnswer, Unreadable>,
    /// The exit codes that go with a violation; 0 goes with a success.
    pub violated: &'static [i32],
}

pub const VERIFIERS: &[Verifier] = &[cbmc::VERIFIER, esbmc::VERIFIER, cseq::VERIFIER, cpachecker::VERIFIER];

/// The name of the program's file.
pub const PROGRAM: &str = "emulation.c";

/// A question: whether the assertions of a program hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CQuestion<'a> {
    pub program: &'a str,
    /// Further files that go with it, by name; for verifiers of the competition, the property.
    pub others: &'a [(String, String)],
    /// No loop has more rounds than this, if executions are bounded.
    pub rounds: Option<usize>,
    /// Bytes that it may use.
    pub memory: Option<u64>,
}

/// The output of a verifier.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Kept {
    /// What it wrote to standard output.
    pub output: String,
    /// What it wrote to standard error.
    pub errors: String,
    /// Its exit code, if that is known.
    pub code: Option<i32>,
    /// Files with counterexamples.
    pub shown: Vec<String>,
    /// Whether it was asked about executions of any length.
    pub unbounded: bool,
}

/// How a run of a verifier ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Asked {
    /// It ended by itself.
    Said(Kept),
    Stopped,
    /// It ran out of memory.
    Memory,
    /// There is no such program; how to get it.
    Missing(String),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CAnswer {
    /// All assertions hold, says the verifier.
    Successful(Success),
    /// Some assertions do not hold.
    Failed(Vec<Failure>),
    /// It gave up, and says why.
    Unknown(String),
    /// It failed, and says why.
    Error(String),
}

/// What a success is worth: only one that is seen to be about the whole question is evidence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Success {
    /// All executions were considered. Verifiers that list what they have checked give the descriptions of the assertions.
    Complete { checked: Option<Vec<String>> },
    /// Loops were cut off without looking whether they go on, so longer executions were not considered.
    Bounded,
    /// The answer does not show that the question was decided, for this reason.
    Bare(String),
}

/// An assertion that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// What the program says about it: the name of a property, or an error of the model. Not all verifiers repeat it.
    pub description: Option<String>,
    pub shown: Shown,
}

/// What shows that an assertion does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shown {
    /// What is assigned on the way there, in order, as far as users are to see it.
    Assignments(Vec<Assignment>),
    /// The values of the nondeterministic function, call by call.
    Values(Vec<u64>),
    /// Nothing that can be read, and why.
    Nothing(String),
}

/// An assignment to a scalar.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assignment {
    /// The variable or cell.
    pub to: String,
    /// The value's bits, most significant first; none if it is no integer.
    pub bits: String,
    /// The value as the verifier prints it.
    pub text: String,
}

fn unreadable<T>(why: impl Into<String>) -> Result<T, Unreadable> {
    Err(Unreadable { why: why.into() })
}

/// For verifiers that print all they know.
fn nothing_else(_: &dyn Tools) -> Vec<String> {
    vec![]
}

impl Verifier {
    pub fn ask(&self, tools: &mut dyn Tools, question: &CQuestion<'_>) -> Result<Asked, Unreadable> {
        let Some(program) = self.programs.iter().find(|program| tools.find(program)) else {
            return Ok(Asked::Missing(format!(
                "{} is not installed (no program '{}'; get it from {}): an export to {} is what it reads, \
                 and what it writes can be translated into a trace",
                self.name,
                self.programs.join("' or '"),
                self.whence,
                self.target
            )));
        };
        let failed = |why: String| Unreadable { why };
        tools.put(PROGRAM, question.program).map_err(failed)?;
        for (name, text) in question.others {
            tools.put(name, text).map_err(failed)?;
        }
        let arguments = (self.arguments)(question, program);
        let job = Job { program: program.to_string(), arguments, own_memory: self.own_memory };
        let ran = tools.run(&job).map_err(failed)?;
        let code = match ran.ended {
            Ended::TimeLimit | Ended::Interrupted => return Ok(Asked::Stopped),
            Ended::Code(0) => 0,
            _ if out_of_memory(&ran) => return Ok(Asked::Memory),
            Ended::Code(code) => code,
            Ended::Killed => return unreadable(format!("{} was killed", self.name)),
        };
        let shown = (self.shown)(&*tools);
        let unbounded = question.rounds.is_none();
        Ok(Asked::Said(Kept { output: ran.output, errors: ran.errors, code: Some(code), shown, unbounded }))
    }

    /// What an answer says; what it says and how the program ended must fit.
    pub fn answer(&self, kept: &Kept) -> Result<CAnswer, Unreadable> {
        let answer = (self.read)(kept)?;
        let fits = |codes: &[i32]| kept.code.is_none_or(|code| codes.contains(&code));
        let fits = match &answer {
            CAnswer::Successful(_) => fits(&[0]),
            CAnswer::Failed(_) => fits(self.violated),
            CAnswer::Unknown(_) | CAnswer::Error(_) => true,
        };
        match (fits, kept.code) {
            (false, Some(code)) => {
                unreadable(format!("{} ended with code {code}, which contradicts its answer", self.name))
            }
            _ => Ok(answer),
        }
    }
}

/// The only line that begins like this, without the beginning; `Ok(None)` if there is none, and two are refused.
fn only<'a>(text: &'a str, begin: &str) -> Result<Option<&'a str>, Unreadable> {
    let mut found = text.lines().filter_map(|line| line.trim().strip_prefix(begin));
    match (found.next(), found.next()) {
        (first, None) => Ok(first.map(str::trim)),
        (_, Some(_)) => unreadable(format!("two verdicts, or one repeated: {begin}")),
    }
}
