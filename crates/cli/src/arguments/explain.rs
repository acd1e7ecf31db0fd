//! The options of `swarmcheck explain`.

use super::{GlobalArguments, LanguageArguments, LimitArguments, MORE, examples};
use clap::Args;

/// Explains a trace.
#[derive(Args)]
#[command(after_help = MORE, after_long_help = examples(&[
    (
        "swarmcheck verify examples/leader/leader.labs n=3 --trace-format json --trace-file run.json",
        "store the traces of all violated properties",
    ),
    ("swarmcheck explain run.json", "tell which of their steps matter"),
]))]
pub struct ExplainArguments {
    /// A trace in JSON
    #[arg(value_name = "TRACE")]
    pub trace: String,
    /// Use this model instead of the one that the file names
    #[arg(long, value_name = "FILE")]
    pub model: Option<String>,
    /// Explain this property [default: the one that the trace violates]
    #[arg(short, long, value_name = "NAME")]
    pub property: Option<String>,
    /// Print one JSON document per trace
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub language: LanguageArguments,
    #[command(flatten)]
    pub limits: LimitArguments,
    #[command(flatten)]
    pub global: GlobalArguments,
}
