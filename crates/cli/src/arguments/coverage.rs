//! The options about coverage, of `verify` and `simulate`.

use clap::Args;

/// What is counted.
#[derive(Args)]
#[command(next_help_heading = "Coverage")]
pub struct CoverageArguments {
    /// Show how often every action, outcome of a guard or link, and command is taken
    ///
    /// The counts stand in the margin of the model. 'verify' makes a search of its own without reductions, so what it never
    /// takes is unreachable; 'simulate' counts along its runs.
    #[arg(long)]
    pub coverage: bool,
    /// Write coverage to a file: LCOV, or JSON if the name ends in .json
    #[arg(long, value_name = "PATH")]
    pub coverage_file: Option<String>,
}

impl CoverageArguments {
    /// Somebody wants to know.
    pub fn is_wanted(&self) -> bool {
        self.coverage || self.coverage_file.is_some()
    }
}
