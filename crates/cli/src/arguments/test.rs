//! The options of `swarmcheck test`.

use super::{GlobalArguments, LimitArguments, MORE, examples};
use clap::Args;

/// Runs project files.
#[derive(Args)]
#[command(after_help = MORE, after_long_help = examples(&[
    ("swarmcheck test", "every claim of the project files in this folder and below"),
    ("swarmcheck test examples/leader", "those about one example"),
    ("swarmcheck test examples flock Consensus", "those that mention both words"),
    ("swarmcheck test examples --list", "what there is to decide"),
    ("swarmcheck test examples --jobs 2 --timeout 600 --json", "for scripts"),
]))]
pub struct TestArguments {
    /// A project file, or a folder: all files swarmcheck.toml in it and below
    #[arg(value_name = "PATH", default_value = ".")]
    pub path: String,
    /// Only claims in whose file, parameters, options or property all these words occur
    #[arg(value_name = "FILTER")]
    pub filter: Vec<String>,
    /// List the claims and decide nothing
    #[arg(long)]
    pub list: bool,
    /// Also those that the project file calls slow
    #[arg(long)]
    pub slow: bool,
    /// Work on N models at the same time [default: one per core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: Option<u16>,
    /// Search every single state, and compare the numbers of states with those of the file
    ///
    /// The explicit engine decides, without reductions.
    #[arg(long, hide_short_help = true)]
    pub no_reductions: bool,
    /// Print the results as one JSON document
    #[arg(long)]
    pub json: bool,
    /// Write the results to a file as JUnit XML, with one test suite per project file
    #[arg(long, value_name = "PATH", hide_short_help = true)]
    pub junit: Option<String>,
    #[command(flatten)]
    pub limits: LimitArguments,
    #[command(flatten)]
    pub global: GlobalArguments,
}
