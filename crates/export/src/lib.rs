//! Emulation programs in other languages: one module per target, each a function from a program to files.
//!
//! Architecture invariant: a target prints what it can say exactly, and refuses the rest with a reason. No file is
//! written here.

mod c;
mod emulation;
pub mod lnt;
pub mod mcl;
mod naming;
pub mod process;
mod promela;
mod question;
mod smt;
mod smv;
mod svl;
mod term;
mod total;

pub use smt::obligation;

use swarmcheck_ir::Program;
use swarmcheck_ir::flat::Flat;
use swarmcheck_source::SourceFile;

/// What is to be written.
#[derive(Clone, Copy)]
pub struct Export<'a> {
    /// The program: parametric in the agent, so its size is linear in the specification.
    pub program: &'a Program,
    /// The same with a fixed place for every variable.
    pub flat: &'a Flat,
    /// The property asked for, a place in the program's list; `None` if there is none, or several and none was named.
    pub property: Option<usize>,
    /// Names of properties of the model that the program does not contain, because they are formulas over actions. No
    /// target can write them; those that write all properties have to say what is missing.
    pub formulas: &'a [&'a str],
    /// Only executions of this many steps.
    pub bound: Option<u32>,
    /// Where the model comes from, for remarks: the name of the file, and lines and columns in it.
    pub file: &'a SourceFile,
}

/// A file to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Its name, with extension and without directories.
    pub name: String,
    pub text: String,
}

/// Why a target cannot say this.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// A sentence, and what to do instead.
    pub why: String,
}

pub(crate) fn refuse<T>(why: &str) -> Result<T, Refusal> {
    Err(Refusal { why: why.to_string() })
}

/// The files that a target writes, the main one first.
pub type Written = Result<Vec<File>, Refusal>;

/// What a target writes about properties.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asks {
    /// Nothing: its files are the same for every property.
    Nothing,
    /// A run says when the property changes its value, if one is given. Nothing is asked.
    Watches,
    /// One question: about the property, or a general one if there is none.
    One,
    /// One question for each property, unless one is chosen.
    Each,
}

/// A language that programs can be written in.
#[derive(Clone, Copy)]
pub struct Target {
    /// The name on the command line.
    pub name: &'static str,
    /// For which tools, and what is special about it.
    pub about: &'static str,
    /// What it writes about properties.
    pub asks: Asks,
    /// How it is written.
    pub write: fn(&Export<'_>) -> Written,
}

/// All targets, in the order of the help. The option `--to` offers them under these names; a test compares.
pub const TARGETS: &[Target] = &[
    Target {
        name: "emulation",
        about: "the emulation program as swarmcheck prints it, for reading",
        asks: Asks::Nothing,
        write: emulation::write,
    },
    Target {
        name: "c",
        about: "C11: a random simulator, the same as c-run",
        asks: Asks::Watches,
        write: c::run,
    },
    Target {
        name: "c-run",
        about: "C11: a random simulator for any compiler",
        asks: Asks::Watches,
        write: c::run,
    },
    Target { name: "c-cbmc", about: "C for CBMC, with narrow bit-vectors", asks: Asks::One, write: c::cbmc },
    Target { name: "c-esbmc", about: "C for ESBMC", asks: Asks::One, write: c::esbmc },
    Target {
        name: "c-svcomp",
        about: "C as verifiers of the competition SV-COMP read it, with a task definition; also termination",
        asks: Asks::One,
        write: c::svcomp,
    },
    Target { name: "c-flat", about: "the same as c-svcomp without arrays", asks: Asks::One, write: c::flat },
    Target {
        name: "lnt",
        about: "the sequential program in LNT, for CADP",
        asks: Asks::Nothing,
        write: lnt::write,
    },
    Target {
        name: "lnt-parallel",
        about: "one LNT process per agent, with an SVL script and queries, for compositional verification with CADP",
        asks: Asks::Each,
        write: lnt::parallel::write,
    },
    Target {
        name: "mcl",
        about: "properties as MCL queries over the labels of the LNT programs, for CADP's evaluator",
        asks: Asks::Each,
        write: mcl::write,
    },
    Target { name: "promela", about: "Promela, for Spin", asks: Asks::One, write: promela::write },
    Target {
        name: "smt2",
        about: "SMT-LIB 2 over integers with the annotations of VMT, for ic3ia, nuXmv and Pono",
        asks: Asks::One,
        write: smt::vmt,
    },
    Target {
        name: "chc",
        about: "constrained Horn clauses over integers, for Z3's Spacer, Eldarica and Golem",
        asks: Asks::One,
        write: smt::chc,
    },
    Target { name: "smv", about: "SMV, for NuSMV and nuXmv", asks: Asks::One, write: smv::write },
];
