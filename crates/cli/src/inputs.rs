//! Files that the program reads. Standard input and pipes may take for ever, so reading obeys Ctrl-C and the time limit.

use crate::arguments::LimitArguments;
use crate::exit::Exit;
use crate::shell::Shell;
use std::io::Read;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use swarmcheck_session::languages::{LanguageWord, by_extension};
use swarmcheck_session::open::decode;
use swarmcheck_session::request::Source;
use swarmcheck_session::specification::split_name;
use swarmcheck_source::data::DiagnosticData;
use swarmcheck_source::{SourceFile, data as source_data, shown};

/// A larger file is no model, no trace and no proof.
const MOST: u64 = 1 << 30;

/// A file that was read.
pub struct Input {
    /// Its name for messages and its text.
    pub file: SourceFile,
    /// It is not UTF-8.
    broken: Option<DiagnosticData>,
    /// Its language, if its name does not tell it.
    language: Option<LanguageWord>,
}

impl Input {
    /// The text for a worker; otherwise everything has been said.
    pub fn source(&self, shell: &Shell) -> Result<Source, Exit> {
        match &self.broken {
            Some(diagnostic) => {
                shell.diagnostics(&self.file, std::slice::from_ref(diagnostic));
                Err(Exit::Model)
            }
            None => {
                let (name, text) = (self.file.name().to_string(), self.file.text().to_string());
                Ok(Source { name, text, language: self.language })
            }
        }
    }

    /// What is wrong with its bytes.
    pub fn broken(&self) -> Option<&DiagnosticData> {
        self.broken.as_ref()
    }
}

/// Reads a model, in this language or in the one that its name tells.
pub fn model(
    argument: &str,
    language: Option<LanguageWord>,
    limits: &LimitArguments,
    shell: &Shell,
) -> Result<Input, Exit> {
    let (path, part) = split_name(argument, language);
    let name = match (path, part) {
        ("-", None) => "standard input".to_string(),
        ("-", Some(part)) => format!("standard input:{part}"),
        _ => argument.to_string(),
    };
    shell.told.model.borrow_mut().get_or_insert_with(|| name.clone());
    let bytes = bytes(path, limits, shell)?;
    if language.is_none() && by_extension(path).is_none() && !path.ends_with(".aut") {
        shell.guess(&name);
    }
    let (file, broken) = decode(&name, &bytes);
    let broken = broken.map(|d| source_data::diagnostic(&file, &d));
    Ok(Input { file, broken, language })
}

/// Reads something else, which must be text.
pub fn text(path: &str, limits: &LimitArguments, shell: &Shell) -> Result<String, Exit> {
    let bytes = bytes(path, limits, shell)?;
    String::from_utf8(bytes).map_err(|_| shell.usage(&format!("{} is not UTF-8 text", shown::line(path))))
}

/// The bytes of a file, or of standard input. Reads in a thread of its own, which is left behind if it takes too long: the process ends soon.
pub fn bytes(path: &str, limits: &LimitArguments, shell: &Shell) -> Result<Vec<u8>, Exit> {
    let name = shown::line(path);
    let (sender, receiver) = mpsc::channel();
    let wanted = path.to_string();
    std::thread::spawn(move || {
        let mut bytes = vec![];
        let read = match wanted.as_str() {
            "-" => std::io::stdin().lock().take(MOST + 1).read_to_end(&mut bytes),
            path => std::fs::File::open(path).and_then(|file| file.take(MOST + 1).read_to_end(&mut bytes)),
        };
        let _ = sender.send(read.map(|_| bytes));
    });
    let limits = shell.limits(limits);
    loop {
        match receiver.recv_timeout(Duration::from_millis(10)) {
            Ok(Ok(bytes)) if bytes.len() as u64 > MOST => {
                return Err(shell.usage(&format!("{name} is larger than {} MB", MOST >> 20)));
            }
            Ok(Ok(bytes)) => return Ok(bytes),
            Ok(Err(e)) => return Err(shell.usage(&format!("cannot read {name}: {e}"))),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(shell.failure(&format!("cannot read {name}")));
            }
            Err(RecvTimeoutError::Timeout) if shell.interrupted() => {
                shell.failure("interrupted");
                return Err(Exit::Interrupted);
            }
            Err(RecvTimeoutError::Timeout) if limits.expired() => {
                shell.failure("the time limit was reached");
                return Err(Exit::TimeLimit);
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// The documents of a file. A file of several has one per line; a document that somebody has laid out has many lines.
pub fn documents(text: &str, whole: impl Fn(&str) -> bool) -> Vec<&str> {
    match whole(text) {
        true => vec![text],
        false => text.lines().filter(|l| !l.trim().is_empty()).collect(),
    }
}
