//! The options of `web`.

use super::{GlobalArguments, MORE, examples, values};
use clap::Args;
use std::net::IpAddr;
use std::time::Duration;

/// Serves the workbench.
#[derive(Args)]
#[command(after_help = MORE, after_long_help = examples(&[
    ("swarmcheck web", "the workbench in your browser, with the examples to choose from"),
    ("swarmcheck web examples/flock/flock.labs", "the same with a file open; saving is a download"),
    ("swarmcheck web --no-open --port 8080", "print the address only, at a port of your choice"),
    ("swarmcheck web --timeout 10m --memory 4G", "let a job take up to ten minutes and 4 GB"),
    ("swarmcheck web --json", "the address and the token as data, for programs"),
]))]
pub struct WebArguments {
    /// Models to open in the page
    ///
    /// They are read once. The page cannot read or write files; it downloads what you save.
    #[arg(value_name = "FILE")]
    pub files: Vec<String>,
    /// The port to listen at; 0 is any that is free
    #[arg(long, value_name = "N", default_value = "0")]
    pub port: u16,
    /// Do not open a browser
    #[arg(long)]
    pub no_open: bool,
    /// Listen at another address than 127.0.0.1, which other machines may reach; needs --i-know
    ///
    /// The connection is not encrypted: whoever can read the network can read the token. Over SSH, forward the port instead:
    /// ssh -L 8080:127.0.0.1:8080 HOST.
    #[arg(long, value_name = "ADDRESS", hide_short_help = true)]
    pub listen: Option<IpAddr>,
    /// Say that you know that other machines may reach the address of --listen
    #[arg(long, hide_short_help = true)]
    pub i_know: bool,
    #[command(flatten)]
    pub limits: JobLimitArguments,
    /// Print the address, the port and the token as one JSON document, and open no browser
    #[arg(long, help_heading = "Output for programs")]
    pub json: bool,
    /// Read the page from a folder instead of the program, for work on the page
    #[cfg(debug_assertions)]
    #[arg(long, value_name = "DIR", hide = true)]
    pub assets: Option<std::path::PathBuf>,
    #[command(flatten)]
    pub global: GlobalArguments,
}

/// What a job of the page may ask for.
#[derive(Args)]
#[command(next_help_heading = "Limits of a job")]
pub struct JobLimitArguments {
    /// The longest time that a job may be given: seconds, or as in 90s, 5m or 2h [default: 1h]
    ///
    /// A job is given 60 seconds, unless the page asks for more.
    #[arg(long, value_name = "TIME", value_parser = values::seconds)]
    pub timeout: Option<Duration>,
    /// The most memory that a job may be given, as in 800M or 8G [default: three quarters of what is available]
    ///
    /// A job is given 1 GB, unless the page asks for more.
    #[arg(long, value_name = "SIZE", value_parser = values::size)]
    pub memory: Option<u64>,
}
