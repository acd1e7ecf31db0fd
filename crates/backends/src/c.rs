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

use crate::question::BackendQuestion;
use crate::reading::unreadable;
use crate::table::Dialogue;
use crate::tools::{code, put, start};
use crate::{Job, NoAnswer, Reply, Tools, Unreadable};
use swarmcheck_export::File;
use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::program::Role;

/// A verifier of C programs: what it differs in from others.
#[derive(Clone, Copy, Debug)]
pub struct Verifier {
    /// What its authors call it.
    pub name: &'static str,
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

/// For verifiers that print all they know.
fn nothing_else(_: &dyn Tools) -> Vec<String> {
    vec![]
}

impl Dialogue for Verifier {
    fn ask(
        &self,
        question: &BackendQuestion<'_>,
        files: &[Vec<File>],
        programs: &[&'static str],
        tools: &mut dyn Tools,
    ) -> Result<Reply, NoAnswer> {
        let mut files = files[0].iter().map(|file| (file.name.clone(), file.text.clone()));
        let (_, program) = files.next().unwrap_or_default();
        let others: Vec<(String, String)> = files.collect();
        let rounds = question.last().map(|steps| rounds(question.flat, steps));
        let asked = CQuestion { program: &program, others: &others, rounds, memory: question.memory };
        put(tools, [(PROGRAM, program.as_str())])?;
        put(tools, others.iter().map(|(name, text)| (name.as_str(), text.as_str())))?;
        let arguments = (self.arguments)(&asked, programs[0]);
        let job = Job { program: programs[0].to_string(), arguments, own_memory: self.own_memory };
        let ran = start(tools, &job)?;
        let code = code(&ran, self.name)?;
        let shown = (self.shown)(&*tools);
        let unbounded = rounds.is_none();
        let kept = Kept { output: ran.output, errors: ran.errors, code: Some(code), shown, unbounded };
        Ok(self.reply(question, &kept)?)
    }

    fn read(&self, question: &BackendQuestion<'_>, found: &str) -> Result<Reply, Unreadable> {
        let unbounded = question.last().is_none();
        self.reply(question, &Kept { output: found.to_string(), unbounded, ..Kept::default() })
    }
}

/// No loop of the program has more rounds, the last look at its condition included. Loops are those over steps, over agents,
/// over cells, and over ranks from 0 to the largest. CSeq relies on that; the others say themselves if it is not enough.
fn rounds(flat: &Flat, steps: u32) -> usize {
    let program = &flat.program;
    let orders = program.vars.iter().filter(|var| var.role == Role::Order);
    let ranks = orders.filter_map(|var| usize::try_from(var.domain?.1).ok()).max().unwrap_or(0);
    (steps as usize).max(flat.width()).max(program.agents() as usize).max(ranks) + 2
}

impl Verifier {
    /// What an answer means for the property that was asked about.
    fn reply(&self, question: &BackendQuestion<'_>, kept: &Kept) -> Result<Reply, Unreadable> {
        let number = question.named_property()?;
        let property = &question.flat.program.properties[number].name;
        let reading = self.answer(kept).and_then(|answer| translate(answer, question.flat, property));
        let reading = reading
            .map_err(|unreadable| Unreadable::because(format!("{}: {}", self.name, unreadable.why)))?;
        Ok(Reply::new(reading, self.name))
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
