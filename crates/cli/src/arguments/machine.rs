//! The options for programs that read what swarmcheck writes.

use clap::{Args, ValueEnum};

/// The form of standard output.
#[derive(Args)]
#[command(next_help_heading = "Output for programs")]
pub struct MachineArguments {
    /// Print the result as one JSON document
    ///
    /// Standard output has nothing else, also if there are errors. Findings are in the document, not on standard error.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub stream: StreamArguments,
}

/// What is told while the work goes on.
#[derive(Args)]
pub struct StreamArguments {
    /// Print events as JSON lines while they happen
    ///
    /// The last line has the document of --json.
    #[arg(long, hide_short_help = true)]
    pub events: bool,
}

/// Findings for other tools.
#[derive(Args)]
pub struct FindingArguments {
    /// Write findings to a file in SARIF 2.1.0
    ///
    /// For code scanning and editors. A violated property is a result, with its trace as a code flow.
    #[arg(long, value_name = "PATH", hide_short_help = true)]
    pub sarif: Option<String>,
    /// Print findings as annotations of a CI system
    ///
    /// On standard output, or on standard error if that has JSON.
    #[arg(long, value_name = "SYSTEM", hide_short_help = true)]
    pub annotations: Option<AnnotationsFor>,
}

/// The options of `check`.
#[derive(Args)]
#[command(next_help_heading = "Output for programs")]
pub struct CheckMachineArguments {
    #[command(flatten)]
    pub form: MachineArguments,
    #[command(flatten)]
    pub findings: FindingArguments,
}

/// The options of `verify`, beside `--json`.
#[derive(Args)]
#[command(next_help_heading = "Output for programs")]
pub struct VerifyMachineArguments {
    #[command(flatten)]
    pub stream: StreamArguments,
    #[command(flatten)]
    pub findings: FindingArguments,
    /// Write the answers to a file as JUnit XML, with one test case per property
    #[arg(long, value_name = "PATH", hide_short_help = true)]
    pub junit: Option<String>,
}

impl VerifyMachineArguments {
    /// The files that will be written, with the names of their options.
    pub fn outputs(&self) -> Vec<(&'static str, &str)> {
        let sarif = self.findings.outputs();
        sarif.into_iter().chain(self.junit.as_deref().map(|path| ("--junit", path))).collect()
    }
}

impl FindingArguments {
    /// The files that will be written, with the names of their options.
    pub fn outputs(&self) -> Vec<(&'static str, &str)> {
        self.sarif.as_deref().map(|path| ("--sarif", path)).into_iter().collect()
    }
}

/// Who reads annotations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum AnnotationsFor {
    /// Workflow commands of GitHub Actions
    Github,
}

/// How progress is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum ProgressAs {
    /// Status lines if standard error is a terminal, otherwise nothing
    #[default]
    Auto,
    /// A line of text every few seconds
    Plain,
    /// Progress events as JSON lines
    Json,
    /// Nothing
    None,
}
