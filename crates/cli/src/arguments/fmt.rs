//! The options of `fmt`.

use super::{GlobalArguments, LanguageArguments, MORE, examples};
use clap::Args;

/// Formats models.
#[derive(Args)]
#[command(after_help = MORE, after_long_help = examples(&[
    ("swarmcheck fmt examples/leader/leader.labs", "format a file in place"),
    ("swarmcheck fmt", "format all models of this folder and of those below"),
    ("swarmcheck fmt --check", "change nothing, list what is not formatted: for CI"),
    ("swarmcheck fmt --diff", "change nothing, show what would change"),
    ("swarmcheck fmt - --language rcheck < draft", "from standard input to standard output, for editors"),
]))]
pub struct FmtArguments {
    /// Models, and folders with models [default: this folder]
    ///
    /// Of a folder, all .labs, .rcp, .ccs and .chor files in it and below are formatted. Hidden folders, 'target' and 'node_modules'
    /// are left out. - reads a model from standard input and writes the result to standard output.
    #[arg(value_name = "PATHS")]
    pub paths: Vec<String>,
    /// Change nothing, and list the files that are not formatted
    ///
    /// The exit code is 10 if there are any.
    #[arg(long)]
    pub check: bool,
    /// Change nothing, and print what would change, as a unified diff
    ///
    /// With --check, the exit code is 10 if there is something.
    #[arg(long)]
    pub diff: bool,
    #[command(flatten)]
    pub language: LanguageArguments,
    #[command(flatten)]
    pub global: GlobalArguments,
}
