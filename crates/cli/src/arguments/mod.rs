//! The command line, described once: clap reads it, prints its help, completes it in shells, and `docs/command-line.md` is
//! generated from it ([`crate::manual`]).

mod commands;
mod coverage;
mod estimate;
mod executions;
mod explain;
mod fmt;
mod lsp;
mod machine;
mod plot;
mod schedule;
mod start;
mod sweep;
mod test;
mod values;
mod verify;
mod web;

pub use commands::{
    CertifyArguments, CheckArguments, CompareArguments, CompletionArguments, ExportArguments, LtsArguments,
    RealizeArguments, ReplayArguments, ShowArguments, SimulateArguments,
};
pub use coverage::CoverageArguments;
pub use estimate::EstimateArguments;
pub use explain::ExplainArguments;
pub use fmt::FmtArguments;
pub use lsp::LspArguments;
pub use machine::{
    AnnotationsFor, CheckMachineArguments, FindingArguments, MachineArguments, ProgressAs,
    VerifyMachineArguments,
};
pub use plot::{PlotArguments, PlotWhatArguments};
pub use schedule::ScheduleArguments;
pub use start::{ExamplesArguments, NewArguments};
pub use sweep::{CollectArguments, SweepArguments, SweepDo};
pub use test::TestArguments;
pub use values::{
    ChoiceWhen, ColourWhen, EngineWord, FairnessOf, LanguageOf, LtsAs, MinimiseUpTo, PrecedenceHow,
    RelationBy, SemanticsOf, ShapeAs, TargetWord, TraceAs,
};
pub use verify::{ReductionArguments, VerifyArguments};
pub use web::WebArguments;

use crate::exit::Exit;
use clap::{Args, CommandFactory, Parser, Subcommand};
use std::time::Duration;
use swarmcheck_session::languages::LanguageWord;
use swarmcheck_session::request::{ModelRequest, Source};

/// What to try first.
const FIRST: &[(&str, &str)] = &[
    ("swarmcheck verify examples/leader/leader.labs n=5", "decide every property of the file"),
    ("swarmcheck simulate examples/flock/flock.labs birds=3 grid=5 delta=5", "one random run"),
    ("swarmcheck check examples/leader/leader.labs n=3", "report errors and warnings"),
];

/// The whole command line.
#[derive(Parser)]
#[command(
    name = "swarmcheck",
    version,
    about = "Model multi-agent systems, watch them run, and prove what emerges",
    max_term_width = 80,
    arg_required_else_help = true,
    disable_help_subcommand = false,
    after_help = examples(FIRST),
    after_long_help = after_long_help()
)]
pub struct CommandLine {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands, in the order of the help.
#[derive(Subcommand)]
pub enum Command {
    /// Read a model and report everything that is wrong with it
    Check(CheckArguments),
    /// Format models: white space changes, and nothing else
    Fmt(FmtArguments),
    /// Show a model in another shape: its triple structures or its emulation program
    Show(ShowArguments),
    /// Run a model at random, or step by step
    Simulate(SimulateArguments),
    /// Estimate how likely something is and how long it takes, or compute it exactly
    Estimate(Box<EstimateArguments>),
    /// Decide the properties of a model: holds, violated or unknown, with evidence
    Verify(Box<VerifyArguments>),
    /// Draw a table that 'sweep' has written: curves, heat maps, phase diagrams, histograms
    Plot(PlotArguments),
    /// Decide what project files claim, and compare: a test suite for models
    Test(TestArguments),
    /// Verify, estimate or simulate at many points of the parameters, and write a table
    Sweep(Box<SweepArguments>),
    /// Put the parts of a sweep together that several machines have done
    Collect(CollectArguments),
    /// Write the states and steps of a model as a labelled transition system
    Lts(LtsArguments),
    /// Write a model in the language of another tool
    Export(ExportArguments),
    /// Say whether two models behave alike, and what tells them apart if not
    Compare(CompareArguments),
    /// Say whether the peers of a choreography do what it says: no deadlock, and the same traces
    Realize(RealizeArguments),
    /// Tell which steps of a stored trace matter, and why
    Explain(ExplainArguments),
    /// Check a stored trace, step by step, against the rules of the language
    Replay(ReplayArguments),
    /// Check a stored proof on the model, with a solver other than the one that found it
    Certify(CertifyArguments),
    /// List the examples that come with the program, or copy one
    Examples(ExamplesArguments),
    /// Start a model from a template
    New(NewArguments),
    /// Serve the workbench, a web page on this machine: edit, verify, and watch models
    Web(WebArguments),
    /// Serve an editor: the language server, on standard input and output
    Lsp(LspArguments),
    /// Print a completion script for a shell
    Completions(CompletionArguments),
    /// Print the properties of the model on a command line, for completion scripts
    #[command(name = "__complete", hide = true, disable_help_flag = true)]
    Complete {
        /// The command line so far.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// Work for another process of this program, which says what to do on standard input
    #[command(hide = true)]
    Worker,
}

/// The model and its parameters.
#[derive(Args)]
pub struct ModelArguments {
    /// The model, a .labs, .ccs, .chor or .rcp file
    ///
    /// - reads a model from standard input: a LAbS model, unless --language says otherwise.
    #[arg(value_name = "FILE")]
    pub file: String,
    /// Values for the model's external parameters, as in n=5
    ///
    /// _n=5 is the same. Several may be joined by commas.
    #[arg(value_name = "PARAMETERS")]
    pub parameters: Vec<String>,
    #[command(flatten)]
    pub language: LanguageArguments,
}

/// The language of a model.
#[derive(Args)]
pub struct LanguageArguments {
    /// The language of the model [default: what the name of its file says]
    ///
    /// A name that does not end in .labs, .rcp, .ccs or .chor, and standard input, mean LAbS otherwise.
    #[arg(long, value_name = "LANGUAGE", hide_short_help = true)]
    pub language: Option<LanguageOf>,
}

impl LanguageArguments {
    /// The language, if it was named.
    pub fn word(&self) -> Option<LanguageWord> {
        self.language.map(LanguageWord::from)
    }
}

/// How a model is read.
#[derive(Args)]
#[command(next_help_heading = "Reading of the model")]
pub struct ReadingArguments {
    #[command(flatten)]
    pub schedule: ScheduleArguments,
    /// Deliver an action's messages in the same step, and those that they cause
    ///
    /// Confirmations come first, then propagations. SLiVER's option of this name delivers one message.
    #[arg(long)]
    pub sync: bool,
    /// Which rules of messages: SLiVER's or the paper's
    ///
    /// A confirmation that meets an equal timestamp does nothing (sliver), or makes the receiver propagate (paper). A
    /// tuple that is undefined is sent like others (sliver), or is not sent, and who has read it waits (paper).
    #[arg(long, value_name = "WHICH", default_value = "sliver", hide_short_help = true)]
    pub semantics: SemanticsOf,
    /// When one of several alternatives is chosen
    ///
    /// By the action that is taken (late), or already when the action before it ends (early), for comparison with tools
    /// that do so.
    #[arg(long, value_name = "WHEN", default_value = "late", hide_short_help = true)]
    pub choice: ChoiceWhen,
    /// How operators bind in an R-CHECK model
    ///
    /// As usual (conventional), or on one level from left to right, as the authors' editor reads (rcheck). By default, formulas
    /// for which this makes a difference are decided in both ways.
    #[arg(long, value_name = "HOW", hide_short_help = true)]
    pub precedence: Option<PrecedenceHow>,
}

/// What the work may use.
#[derive(Args, Default)]
#[command(next_help_heading = "Limits")]
pub struct LimitArguments {
    /// Stop after this time and print what was found: seconds, or as in 90s, 5m or 2h
    ///
    /// The exit code is 124, unless what was found says otherwise.
    #[arg(long, value_name = "TIME", value_parser = values::seconds)]
    pub timeout: Option<Duration>,
    /// Stop when more memory is needed, as in 800M or 8G
    ///
    /// All processes count together. The default is three quarters of what is available, to this container or cluster job
    /// where there is one.
    #[arg(long, value_name = "SIZE", value_parser = values::size)]
    pub memory: Option<u64>,
}

/// Options of every command.
#[derive(Args)]
#[command(next_help_heading = "Options of every command")]
pub struct GlobalArguments {
    /// Print results only: no traces, no progress, no warnings
    #[arg(short, long)]
    pub quiet: bool,
    /// Say more about what is being done
    #[arg(short, long)]
    pub verbose: bool,
    /// Colours: only on a terminal, always, or never
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_short_help = true)]
    pub color: ColourWhen,
    /// How to show progress, on standard error
    #[arg(long, value_name = "HOW", default_value = "auto", hide_short_help = true)]
    pub progress: ProgressAs,
}

impl GlobalArguments {
    /// Those of a command that nobody types.
    pub fn quiet() -> GlobalArguments {
        GlobalArguments { quiet: true, verbose: false, color: ColourWhen::Never, progress: ProgressAs::None }
    }
}

impl ModelArguments {
    /// The language, if it was named.
    pub fn language(&self) -> Option<LanguageWord> {
        self.language.word()
    }

    /// `n=5`, `_n=5` or `n=5,size=10` as names and texts.
    pub fn parameters(&self) -> Result<Vec<(String, String)>, String> {
        let parts =
            self.parameters.iter().flat_map(|w| w.split(',')).map(str::trim).filter(|w| !w.is_empty());
        parts
            .map(|part| match part.split_once('=') {
                Some((name, value)) => Ok((name.trim().to_string(), value.trim().to_string())),
                None if self.file.contains('=') => {
                    Err(format!("the model comes first: write '{part} {}'", self.file))
                }
                None => Err(format!("a parameter is given as name=value, for instance n=5, not {part:?}")),
            })
            .collect()
    }
}

impl ReadingArguments {
    /// The request for a model that is read like this.
    pub fn model(&self, source: Source, parameters: Vec<(String, String)>) -> ModelRequest {
        let (semantics, choice) = (self.semantics.into(), self.choice.into());
        let precedence = self.precedence.map(Into::into);
        let fair = self.schedule.round_robin;
        ModelRequest { source, parameters, fair, semantics, choice, sync: self.sync, precedence }
    }
}

/// The command as clap knows it.
pub fn command() -> clap::Command {
    CommandLine::command()
}

/// The end of a short help text.
pub(crate) const MORE: &str = "--help has all options, with examples.";

/// Command lines with what they do, as the end of a long help text.
pub(crate) fn examples(list: &[(&str, &str)]) -> String {
    let lines: String = list.iter().map(|(line, what)| format!("  {line}\n      {what}\n")).collect();
    format!("Examples:\n{lines}")
}

fn after_long_help() -> String {
    let codes: String =
        Exit::TABLE.iter().map(|(exit, what)| format!("  {:3}  {what}\n", exit.code())).collect();
    let examples = examples(FIRST);
    format!(
        "{examples}\nExit codes:\n{codes}\nThe first that applies counts, in the order 1, 2, 6, 10, 130, 124, 5, 0."
    )
}
