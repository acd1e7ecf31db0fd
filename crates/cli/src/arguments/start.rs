//! The options of the commands that begin something: `examples` and `new`.

use super::values::LanguageOf;
use super::{GlobalArguments, MORE, examples};
use clap::Args;

/// Lists and copies examples.
#[derive(Args)]
#[command(after_help = MORE, after_long_help = examples(&[
    ("swarmcheck examples", "one line about each"),
    ("swarmcheck examples flock", "copy the flock to a folder of that name"),
    ("swarmcheck examples flock birds", "or of another name"),
]))]
pub struct ExamplesArguments {
    /// The example to copy [default: list all]
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// The folder to copy it to [default: a new one with the name of the example]
    ///
    /// Files that exist are not overwritten.
    #[arg(value_name = "DIR")]
    pub directory: Option<String>,
    #[command(flatten)]
    pub global: GlobalArguments,
}

/// Starts a model.
#[derive(Args)]
#[command(after_help = MORE, after_long_help = examples(&[
    ("swarmcheck new robots", "a folder with a LAbS model and its project file"),
    ("swarmcheck new protocol --language ccs", "the same in CCS"),
]))]
pub struct NewArguments {
    /// The name of the model, and of the folder for it
    #[arg(value_name = "NAME")]
    pub name: String,
    /// The language of the model
    #[arg(long, value_name = "LANGUAGE", default_value = "labs")]
    pub language: LanguageOf,
    #[command(flatten)]
    pub global: GlobalArguments,
}
