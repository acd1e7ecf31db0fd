//! Where output goes: results to standard output, everything else to standard error.

use clap::ArgMatches;
use std::io::{IsTerminal, Write};
use swarmcheck_session::Exit;
use swarmcheck_source::{Diagnostic, SourceFile, render};

/// A line on standard error. Nobody may be reading any more, and that is no reason to fail.
macro_rules! say {
    ($($words:tt)*) => {{
        let _ = writeln!(std::io::stderr(), $($words)*);
    }};
}
pub(crate) use say;

/// What the user wants to see, and what the terminal can show.
pub struct Terminal {
    /// Results only.
    pub quiet: bool,
    /// Say more.
    pub verbose: bool,
    colour: bool,
}

impl Terminal {
    /// Reads the options that every command takes.
    pub fn new(matches: &ArgMatches) -> Terminal {
        let colour = match matches.get_one::<String>("color").map(String::as_str) {
            Some("always") => true,
            Some("never") => false,
            _ => std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        };
        Terminal { quiet: matches.get_flag("quiet"), verbose: matches.get_flag("verbose"), colour }
    }

    /// A result. Whoever reads it may have gone (`| head`): that is no failure.
    pub fn print(&self, text: &str) -> Exit {
        match std::io::stdout().lock().write_all(text.as_bytes()) {
            Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
                self.failure(&format!("cannot write: {e}"))
            }
            _ => Exit::Fine,
        }
    }

    /// A remark about what is being done.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            say!("{text}");
        }
    }

    /// A wrong command line.
    pub fn usage(&self, text: &str) -> Exit {
        say!("error: {text}\n\nTry 'swarmcheck --help'.");
        Exit::Usage
    }

    /// Something that is nobody's model's fault.
    pub fn failure(&self, text: &str) -> Exit {
        say!("error: {text}");
        Exit::Failure
    }

    /// Findings about a file. Warnings are left out when the user wants results only.
    pub fn diagnostics(&self, file: &SourceFile, list: &[Diagnostic]) {
        for d in list {
            if !self.quiet || d.severity == swarmcheck_source::Severity::Error {
                say!("{}", render::diagnostic(file, d, self.colour));
            }
        }
    }
}
