//! The options of `lsp`.

use super::{GlobalArguments, MORE, examples};
use clap::Args;

/// Serves an editor.
///
/// Editors start this themselves: docs/editors.md says how to set them up. It speaks the Language Server Protocol on standard input
/// and output.
#[derive(Args)]
#[command(after_help = MORE, after_long_help = examples(&[
    ("swarmcheck lsp", "serve the editor that has started it"),
]))]
pub struct LspArguments {
    /// Standard input and output, which is the only way there is; some editors say so
    #[arg(long, hide_short_help = true)]
    pub stdio: bool,
    #[command(flatten)]
    pub global: GlobalArguments,
}
