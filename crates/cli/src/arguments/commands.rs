//! The options of all commands but `verify`.

use super::values::{
    LtsAs, MinimiseUpTo, PrecedenceHow, ProcessScheduler, RelationBy, RunScheduler, ShapeAs, TargetWord,
    TraceAs, count, steps,
};
use super::{
    CheckMachineArguments, CoverageArguments, GlobalArguments, LanguageArguments, LimitArguments, MORE,
    MachineArguments, ModelArguments, ReadingArguments, examples,
};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap_complete::Shell as ShellWord;

/// Reports what is wrong with a model.
#[derive(Args)]
#[command(after_help = MORE, after_long_help = examples(&[
    ("swarmcheck check examples/leader/leader.labs n=3", "report errors and warnings"),
    ("swarmcheck check examples/leader/leader.labs n=3 --json", "the same as data, for editors and scripts"),
]))]
pub struct CheckArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// How operators bind in an R-CHECK model
    ///
    /// As usual (conventional), or on one level from left to right, as the authors' editor reads (rcheck).
    #[arg(long, value_name = "HOW", hide_short_help = true)]
    pub precedence: Option<PrecedenceHow>,
    #[command(flatten)]
    pub limits: LimitArguments,
    #[command(flatten)]
    pub machine: CheckMachineArguments,
    #[command(flatten)]
    pub global: GlobalArguments,
}

/// Shows a model in another shape.
#[derive(Args)]
#[command(after_help = MORE, after_long_help = examples(&[
    ("swarmcheck show examples/leader/leader.labs n=3 --as triples", "one line per action"),
    ("swarmcheck show examples/leader/leader.labs n=3 --as emulation", "the sequential program of the papers"),
    ("swarmcheck show examples/leader/leader.labs n=3 --as dot", "a drawing for Graphviz' dot"),
    ("swarmcheck show examples/leader/leader.labs n=3 --as svg > leader.svg", "the automata as a picture"),
    (
        "swarmcheck show examples/leader/leader.labs n=3 --as network > network.svg",
        "the processes that the engine 'compose' reduces one by one",
    ),
]))]
pub struct ShowArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// The shape to show: 'svg' draws the automata, 'states' the reachable state space, 'network' who makes steps with
    /// whom; 'peers' is for choreographies
    #[arg(long = "as", value_name = "SHAPE", default_value = "triples")]
    pub shape: ShapeAs,
    #[command(flatten)]
    pub reading: ReadingArguments,
    #[command(flatten)]
    pub limits: LimitArguments,
    #[command(flatten)]
    pub machine: MachineArguments,
    #[command(flatten)]
    pub global: GlobalArguments,
}

/// Runs a model.
#[derive(Args)]
#[command(after_help = MORE, after_long_help = examples(&[
    ("swarmcheck simulate examples/leader/leader.labs n=3", "one random run"),
    (
        "swarmcheck simulate examples/leader/leader.labs n=3 --steps 100 --runs 5 --seed 7",
        "five runs that anybody can repeat",
    ),
    ("swarmcheck simulate examples/leader/leader.labs n=3 --runs 1000 --quiet", "statistics only"),
    (
        "swarmcheck simulate examples/leader/leader.labs n=3 --trace-format json --trace-file run.json",
        "a trace for 'swarmcheck replay'",
    ),
    ("swarmcheck simulate examples/leader/leader.labs n=3 --interactive", "choose every step yourself"),
    (
        "swarmcheck simulate examples/leader/leader.labs n=3 --walk run.json",
        "walk along a stored trace, look around, and leave it where you like",
    ),
]))]
pub struct SimulateArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// Stop a run after N steps
    #[arg(short, long, value_name = "N", default_value = "100", value_parser = count)]
    pub steps: u64,
    /// Make N runs
    #[arg(short, long, value_name = "N", default_value = "1", value_parser = count)]
    pub runs: u64,
    /// Start the random generator from N [default: a new one, which is printed]
    ///
    /// The same seed gives the same runs on any machine.
    #[arg(long, value_name = "N", value_parser = count)]
    pub seed: Option<u64>,
    /// What decides which step is made
    ///
    /// Every possible step is equally likely (steps); an agent that can move, then one of its steps (agents); agents in turn, as with
    /// --schedule round-robin (round-robin); or the rates of the model, in continuous time (rates).
    #[arg(long, value_name = "HOW", default_value = "steps", conflicts_with_all = ["interactive", "walk"])]
    pub scheduler: RunScheduler,
    /// List the possible steps and ask which one to take
    #[arg(short, long)]
    pub interactive: bool,
    /// Walk along a trace in JSON, interactively
    ///
    /// n takes its next step. The model and its options must be those of the trace.
    #[arg(long, value_name = "TRACE")]
    pub walk: Option<String>,
    #[command(flatten)]
    pub reading: ReadingArguments,
    #[command(flatten)]
    pub limits: LimitArguments,
    #[command(flatten)]
    pub output: TraceArguments,
    #[command(flatten)]
    pub machine: MachineArguments,
    #[command(flatten)]
    pub coverage: CoverageArguments,
    #[command(flatten)]
    pub global: GlobalArguments,
}

/// Where traces go.
#[derive(Args)]
#[command(next_help_heading = "Output")]
pub struct TraceArguments {
    /// How to write traces
    ///
    /// Numbered steps (text), the same to be pasted in an issue (markdown), data (json), the Informal Trace Format (itf),
    /// the style of SLiVER (sliver), a page that plays the trace (html), or a sequence chart (svg).
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub trace_format: TraceAs,
    /// Write traces to a file instead of standard output
    #[arg(short = 'o', long, value_name = "PATH")]
    pub trace_file: Option<String>,
    /// In text and Markdown traces, show the whole state after every step
    #[arg(long)]
    pub full: bool,
}

/// Writes a transition system.
#[derive(Args)]
#[command(after_help = MORE, after_long_help = examples(&[
    ("swarmcheck lts examples/leader/leader.labs n=3 -o leader.aut", "Aldebaran, for CADP and mCRL2"),
    (
        "swarmcheck lts examples/leader/leader.labs n=3 --minimise strong",
        "the smallest system with the same behaviour",
    ),
    (
        "swarmcheck lts examples/leader/leader.labs n=6 --compose -o leader.aut",
        "the same without exploring the whole: agents are reduced one by one",
    ),
    ("swarmcheck lts examples/approx/approx.labs yes=1 no=2 --as dot", "a drawing for Graphviz' dot"),
]))]
pub struct LtsArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// The format to write
    #[arg(long = "as", value_name = "FORMAT", default_value = "aut")]
    pub format: LtsAs,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<String>,
    /// Merge equivalent states
    ///
    /// For 'branching' and 'divbranching' (which keeps endless invisible behaviour apart) messages are invisible.
    #[arg(long, value_name = "UP-TO")]
    pub minimise: Option<MinimiseUpTo>,
    /// Put the system together from its processes, each reduced before
    ///
    /// The result is the smallest equivalent system ('divbranching' unless --minimise says otherwise), as without this
    /// option, but the states of the whole are never explored. docs/compose.md explains it.
    #[arg(long)]
    pub compose: bool,
    #[command(flatten)]
    pub reading: ReadingArguments,
    #[command(flatten)]
    pub limits: LimitArguments,
    #[command(flatten)]
    pub machine: MachineArguments,
    #[command(flatten)]
    pub global: GlobalArguments,
}

/// Writes a model for another tool.
#[derive(Args)]
#[command(after_help = MORE, after_long_help = examples(&[
    (
        "swarmcheck export examples/leader/leader.labs n=3 --to emulation",
        "the sequential program of the papers, as swarmcheck prints it",
    ),
    ("swarmcheck export examples/leader/leader.labs n=3 --to c-run -o leader.c", "a random simulator in C"),
    ("swarmcheck export examples/leader/leader.labs n=3 --to aut -o leader.aut", "all states and steps"),
    (
        "swarmcheck export examples/leader/leader.labs n=3 --property LeaderIs0 --to aiger -o leader.aig",
        "the question about a property, for a model checker of circuits",
    ),
]))]
pub struct ExportArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// The language to write
    #[arg(
        long,
        value_name = "TARGET",
        default_value = "emulation",
        value_parser = PossibleValuesParser::new(TargetWord::words()).map(TargetWord)
    )]
    pub to: TargetWord,
    /// The property to write along [default: the only one, if there is only one]
    ///
    /// Targets that cannot express it refuse it by name.
    #[arg(short, long, value_name = "NAME")]
    pub property: Option<String>,
    /// Only executions of B steps, for targets that can say so
    #[arg(short, long, value_name = "B", value_parser = steps)]
    pub steps: Option<u32>,
    /// What decides which step is made, in chains and decision processes [default: steps]
    ///
    /// Every enabled step is equally likely (steps); an agent, then one of its steps (agents); the same as steps, with agents in circular
    /// order (round-robin); the rates of the model (rates); a decision for every step (any).
    #[arg(long, value_name = "WHO")]
    pub scheduler: Option<ProcessScheduler>,
    /// Write to a file, or into a directory where there are several, instead of standard output
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<String>,
    #[command(flatten)]
    pub reading: ReadingArguments,
    #[command(flatten)]
    pub limits: LimitArguments,
    #[command(flatten)]
    pub machine: MachineArguments,
    #[command(flatten)]
    pub global: GlobalArguments,
}

const COMPARED: &str = "A model without parameters; FILE.ccs:NAME for a process of it, FILE.chor:choreography for the \
                        choreography itself; or a transition system in a .aut file";

/// Compares two models.
#[derive(Args)]
#[command(after_help = MORE, after_long_help = examples(&[
    (
        "swarmcheck compare examples/alternating-bit/abp.ccs examples/alternating-bit/abp.ccs:Spec",
        "an implementation and its specification, both in one file",
    ),
    (
        "swarmcheck compare examples/commit/free.ccs examples/commit/forced.ccs --by trace",
        "only what can be seen, in which order",
    ),
]))]
pub struct CompareArguments {
    #[arg(value_name = "FIRST", help = COMPARED)]
    pub first: String,
    #[arg(value_name = "SECOND", help = COMPARED)]
    pub second: String,
    #[command(flatten)]
    pub language: LanguageArguments,
    /// The relation that makes two models alike
    #[arg(long, value_name = "RELATION", default_value = "branching")]
    pub by: RelationBy,
    #[command(flatten)]
    pub limits: LimitArguments,
    #[command(flatten)]
    pub machine: MachineArguments,
    #[command(flatten)]
    pub global: GlobalArguments,
}

/// Compares a choreography with its peers.
#[derive(Args)]
#[command(after_help = MORE, after_long_help = examples(&[
    ("swarmcheck realize examples/stock/stock.chor", "board and broker may take different branches"),
    ("swarmcheck realize examples/stock/safe.chor", "they cannot any more"),
]))]
pub struct RealizeArguments {
    /// A choreography, a .chor file
    #[arg(value_name = "FILE")]
    pub file: String,
    #[command(flatten)]
    pub language: LanguageArguments,
    #[command(flatten)]
    pub limits: LimitArguments,
    #[command(flatten)]
    pub machine: MachineArguments,
    #[command(flatten)]
    pub global: GlobalArguments,
}

/// Checks a trace.
#[derive(Args)]
#[command(after_help = MORE, after_long_help = examples(&[
    ("swarmcheck replay run.json", "the model is the file the trace names"),
    ("swarmcheck replay run.json --model leader.labs", "or another one"),
]))]
pub struct ReplayArguments {
    /// A trace in JSON
    #[arg(value_name = "TRACE")]
    pub trace: String,
    /// Use this model instead of the one that the file names
    #[arg(long, value_name = "FILE")]
    pub model: Option<String>,
    #[command(flatten)]
    pub language: LanguageArguments,
    #[command(flatten)]
    pub limits: LimitArguments,
    #[command(flatten)]
    pub machine: MachineArguments,
    #[command(flatten)]
    pub global: GlobalArguments,
}

/// Checks a proof.
#[derive(Args)]
#[command(after_help = MORE, after_long_help = examples(&[
    ("swarmcheck certify proof.json", "the model is the file the proof names"),
    ("swarmcheck certify proof.json --model leader.labs", "or another one"),
    ("swarmcheck certify proof.json --dimacs f.cnf --lrat f.lrat", "also write it for checkers of other people"),
    ("swarmcheck certify proofs", "all proofs that 'verify --certificates proofs' has written"),
]))]
pub struct CertifyArguments {
    /// A proof in JSON, or a directory of proofs
    ///
    /// In a directory, the files whose names end with .certificate.json are checked.
    #[arg(value_name = "CERTIFICATE")]
    pub certificate: String,
    /// Use this model instead of the one that the file names
    #[arg(long, value_name = "FILE")]
    pub model: Option<String>,
    /// Write the formula that a proof within a bound refutes to a file, in the format of DIMACS
    #[arg(long, value_name = "PATH")]
    pub dimacs: Option<String>,
    /// Write the refutation of a proof within a bound to a file, in the format LRAT
    #[arg(long, value_name = "PATH")]
    pub lrat: Option<String>,
    #[command(flatten)]
    pub language: LanguageArguments,
    #[command(flatten)]
    pub limits: LimitArguments,
    #[command(flatten)]
    pub machine: MachineArguments,
    #[command(flatten)]
    pub global: GlobalArguments,
}

/// Prints a completion script.
#[derive(Args)]
#[command(after_help = MORE, after_long_help = examples(&[
    ("swarmcheck completions bash > swarmcheck.bash", "then source that file"),
]))]
pub struct CompletionArguments {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: ShellWord,
    #[command(flatten)]
    pub global: GlobalArguments,
}
