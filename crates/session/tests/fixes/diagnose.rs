//! What the session says about a text.

use swarmcheck_source::data::{self, DiagnosticData};

pub fn diagnose(language: &str, text: &str) -> Vec<DiagnosticData> {
    let checked = swarmcheck_session::check(&format!("model.{language}"), text.as_bytes(), &[]);
    checked.diagnostics.iter().map(|d| data::diagnostic(&checked.file, d)).collect()
}
