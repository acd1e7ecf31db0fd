//! Findings and answers in the formats of other tools: SARIF for code scanning, JUnit for test reports, annotations for CI.
//! Each is a function from what was told to text; files are written here (`docs/machines.md`).

mod annotations;
mod finding;
pub mod junit;
mod sarif;
mod steps;

use crate::arguments::{AnnotationsFor, FindingArguments};
use crate::exit::Exit;
use crate::output::Target;
use crate::shell::Shell;
use crate::terminal::{self, Said};

/// What is to be written in the end.
pub struct Reports {
    sarif: Option<Target>,
    junit: Option<Target>,
    annotations: Option<AnnotationsFor>,
}

impl Reports {
    /// Looks whether the files can be written, before the work begins.
    pub fn new(findings: &FindingArguments, junit: Option<&str>, shell: &Shell) -> Result<Reports, Exit> {
        let target = |path: Option<&str>| path.map(|path| shell.target(path)).transpose();
        let (sarif, junit) = (target(findings.sarif.as_deref())?, target(junit)?);
        Ok(Reports { sarif, junit, annotations: findings.annotations })
    }

    /// Writes what was found. A command that was cut short and has found nothing leaves files as they are.
    pub fn write(&self, shell: &Shell) -> Exit {
        let told = &shell.told;
        let findings = finding::all(told);
        let answered = told.verified.borrow().as_ref().is_some_and(|verified| !verified.answers.is_empty());
        if !told.complete.get() && findings.is_empty() && !answered {
            return Exit::Fine;
        }
        let mut exit = Exit::Fine;
        if let Some(target) = &self.sarif {
            exit = exit.and(shell.store(target, sarif::document(told, &findings).as_bytes()));
        }
        if let Some(target) = &self.junit {
            exit = exit.and(shell.store(target, junit::document(told).as_bytes()));
        }
        if let Some(AnnotationsFor::Github) = self.annotations {
            let text = annotations::github(&findings);
            match told.is_data() {
                false => exit = exit.and(shell.print(&text)),
                true => terminal::err(&text, Said::Words),
            }
        }
        exit
    }
}
