//! The language server: it speaks the Language Server Protocol with an editor, and asks workers.
//!
//! One thread holds everything that is known; it hears the editor, the worker that answers questions about documents
//! (`editing`), and the jobs that verify (`jobs`). Nothing of the façade runs in this process, so that no model can keep the
//! editor waiting for ever.
//!
//! Architecture invariant: files are opened by whoever starts the server ([`Files`]).

mod actions;
mod answers;
mod capabilities;
mod commands;
mod documents;
mod editing;
mod jobs;
mod lenses;
mod server;
mod settings;
mod shown;
pub mod text;
mod workspace;

pub use settings::ProjectModel;

use lsp_server::Connection;
use std::sync::Arc;

/// The files that the server needs: it opens none itself.
pub trait Files: Send + Sync {
    /// How the project file beside a model says that it is read and verified.
    fn project(&self, path: &str) -> Option<ProjectModel>;

    /// Keeps a text in a file that is gone when the server ends, and tells its path.
    fn keep(&self, name: &str, text: &str) -> Result<String, String>;

    /// The models below a folder: paths and texts. Very many are cut.
    fn models(&self, folder: &str) -> Vec<(String, String)>;
}

/// How a server ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The editor has said goodbye.
    Shutdown,
    /// The editor is gone without a word.
    Deserted,
    /// A signal has interrupted it.
    Interrupted,
}

/// Serves one editor until it leaves. `interrupted` says whether a signal has ended the work; it is asked several times a second.
pub fn serve(
    connection: Connection,
    version: &str,
    files: Arc<dyn Files>,
    interrupted: &dyn Fn() -> bool,
) -> End {
    server::run(connection, version, files, interrupted)
}
