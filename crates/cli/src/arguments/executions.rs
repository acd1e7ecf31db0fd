//! The options of `swarmcheck verify` about the executions that it shows.

use clap::Args;

/// Which executions are asked for.
#[derive(Args)]
#[command(next_help_heading = "Executions")]
pub struct ExecutionArguments {
    /// Ask for an execution that reaches a state satisfying PREDICATE
    ///
    /// The predicate is written as in a property of the model, without its modality. Only this question is asked, unless
    /// --property or --deadlock asks others. The answer is 'reachable' (exit code 0) or 'unreachable' (exit code 10).
    #[arg(long, value_name = "PREDICATE")]
    pub reach: Option<String>,
    /// Show up to K executions that differ in more than the order of their steps [default: 1]
    ///
    /// For 'always', --reach and --deadlock. Two executions differ if some agent makes some action that matters more often
    /// in one of them, or if initial values that matter are different.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub traces: Option<u16>,
    /// Show executions as they were found, and do not look for shorter ones
    #[arg(long, hide_short_help = true)]
    pub no_minimise: bool,
}
