//! From bytes to a system that can run.

use crate::asked::{self, Asked};
use crate::languages::{Language, LanguageWord, language};
use crate::reach;
use crate::specification::{Found, Lowered, MadeStep, Specification, read, split_name};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use swarmcheck_engine::trace::message::MessageData;
use swarmcheck_ir::Program;
use swarmcheck_ir::flat::Flat;
use swarmcheck_labs::codes;
use swarmcheck_labs::lower::{Choice, Semantics};
use swarmcheck_question::FoldedProgram;
use swarmcheck_rcheck::Precedence;
use swarmcheck_source::{Diagnostic, SourceFile, Span};

/// How a model is to be read.
#[derive(Clone, Debug, Default)]
pub struct ModelOptions {
    /// Values of parameters, as the user typed them.
    pub parameters: Vec<(String, String)>,
    /// Round-robin schedule.
    pub fair: bool,
    /// What a confirmation does to an equal timestamp.
    pub semantics: Semantics,
    /// When a choice is made.
    pub choice: Choice,
    /// Messages are delivered in the step that causes them.
    pub sync: bool,
    /// How operators bind in R-CHECK models, if somebody has chosen.
    pub precedence: Option<Precedence>,
    /// The language, if it is not to be told by the name of the file.
    pub language: Option<LanguageWord>,
    /// A predicate in the property syntax of the language: can a state that satisfies it be reached?
    pub reach: Option<String>,
    /// What queries ask about, in the property syntax of the language.
    pub asked: Asked,
}

/// A file that was read and checked.
pub struct Checked {
    /// The file.
    pub file: SourceFile,
    /// Everything there is to say about it, in order of position.
    pub diagnostics: Vec<Diagnostic>,
    /// The model, if there is no error.
    pub model: Option<Specification>,
    lowered: Option<Lowered>,
    options: ModelOptions,
}

/// A system that can run.
pub struct Prepared {
    /// The file.
    pub file: SourceFile,
    /// The checked model.
    pub model: Specification,
    /// The emulation program.
    pub flat: Flat,
    /// What an observer sees of each function, where the language says so.
    pub labels: Option<Vec<String>>,
    /// How the model was read.
    pub options: ModelOptions,
    /// What deserves attention but does not prevent anything.
    pub warnings: Vec<Diagnostic>,
    /// The program with constants folded, made once.
    pub(crate) folded: OnceLock<FoldedProgram>,
    behaviour: OnceLock<Result<Lowered, Box<Diagnostic>>>,
}

/// Why a system cannot run.
pub enum Trouble {
    /// The file is wrong.
    File(SourceFile, Vec<Diagnostic>),
    /// A file that is no model cannot be read: where and why.
    Unreadable(String),
    /// The model with this name is no choreography.
    NoChoreography(String),
    /// swarmcheck is wrong.
    Internal(String),
    /// Somebody did not want to wait for it.
    Interrupted,
}

/// Turns the bytes of a file into text. Bytes that are not UTF-8 are an error with a place.
pub fn decode(name: &str, bytes: &[u8]) -> (SourceFile, Option<Diagnostic>) {
    match std::str::from_utf8(bytes) {
        // An editor's byte order mark is not part of the text.
        Ok(text) => (SourceFile::new(name, text.strip_prefix('\u{feff}').unwrap_or(text)), None),
        Err(error) => {
            let good = error.valid_up_to();
            let file = SourceFile::new(name, String::from_utf8_lossy(bytes));
            let diagnostic =
                Diagnostic::error(codes::ENCODING, Span::new(good, good + 1), "the file is not UTF-8 text")
                    .label(format!("byte {:#04x}", bytes[good]))
                    .help("save the file as UTF-8");
            (file, Some(diagnostic))
        }
    }
}

/// Reads, checks and lowers a file. What was lowered is in the answer: nobody has to do it again.
pub fn check(name: &str, bytes: &[u8], parameters: &[(String, String)]) -> Checked {
    let options = ModelOptions { parameters: parameters.to_vec(), ..ModelOptions::default() };
    check_as(name, bytes, options)
}

/// The same, read as these options say.
pub fn check_as(name: &str, bytes: &[u8], options: ModelOptions) -> Checked {
    check_unless(name, bytes, options, &AtomicBool::new(false))
}

fn check_unless(name: &str, bytes: &[u8], options: ModelOptions, stop: &AtomicBool) -> Checked {
    let (file, broken) = decode(name, bytes);
    if let Some(diagnostic) = broken {
        return Checked { file, diagnostics: vec![diagnostic], model: None, lowered: None, options };
    }
    let file = asked::appended(reach::appended(file, &options), &options);
    let found = read(&file, &options, stop);
    Checked::new(file, options, found)
}

/// Reads, checks and lowers a file.
pub fn prepare(name: &str, bytes: &[u8], options: ModelOptions) -> Result<Prepared, Trouble> {
    prepare_unless(name, bytes, options, &AtomicBool::new(false))
}

/// The same, unless somebody sets a flag meanwhile. It is looked at between the phases.
pub fn prepare_unless(
    name: &str,
    bytes: &[u8],
    options: ModelOptions,
    stop: &AtomicBool,
) -> Result<Prepared, Trouble> {
    let checked = check_unless(name, bytes, options, stop);
    if stop.load(Ordering::Relaxed) {
        return Err(Trouble::Interrupted);
    }
    checked.prepare_unless(stop)
}

impl Checked {
    pub(crate) fn new(file: SourceFile, options: ModelOptions, found: Found) -> Checked {
        let (model, lowered) = found.specification.unzip();
        let (file, diagnostics) = reach::apart(file, &options, found.diagnostics.into_sorted());
        let (file, diagnostics) = asked::apart(file, &options, diagnostics);
        Checked { file, diagnostics, model, lowered, options }
    }

    /// The language of the file.
    pub fn language(&self) -> &'static Language {
        language(split_name(self.file.name(), self.options.language).0, self.options.language)
    }

    /// What the model was lowered to, if there is no error.
    pub(crate) fn lowered(&self) -> Option<&Lowered> {
        self.lowered.as_ref()
    }

    /// The emulation program, if there is no error.
    pub(crate) fn program(&self) -> Option<&Program> {
        self.lowered.as_ref().map(|lowered| &lowered.program)
    }

    /// Makes a system that can run of what was checked. Nothing is lowered again.
    pub fn prepare_unless(self, stop: &AtomicBool) -> Result<Prepared, Trouble> {
        let proceed = || if stop.load(Ordering::Relaxed) { Err(Trouble::Interrupted) } else { Ok(()) };
        let Checked { file, diagnostics, model: Some(model), lowered: Some(lowered), options } = self else {
            return Err(Trouble::File(self.file, self.diagnostics));
        };
        let Lowered { program, labels, value_names } = lowered;
        proceed()?;
        if let Err(problems) = swarmcheck_ir::validate::validate(&program) {
            let list: Vec<String> = problems.iter().map(ToString::to_string).collect();
            return Err(Trouble::Internal(format!("the emulation program is invalid: {}", list.join("; "))));
        }
        proceed()?;
        let mut flat = Flat::new(program);
        flat.value_names = value_names;
        proceed()?;
        let (folded, behaviour) = (OnceLock::new(), OnceLock::new());
        Ok(Prepared { file, model, flat, labels, options, warnings: diagnostics, folded, behaviour })
    }
}

impl Prepared {
    /// The language of the model.
    pub fn language(&self) -> &'static Language {
        language(split_name(self.file.name(), self.options.language).0, self.options.language)
    }

    /// The message of a step, where the steps of the language are messages.
    pub(crate) fn message(&self, step: &MadeStep<'_>) -> Option<MessageData> {
        self.model.message(&self.file, &self.flat, step)
    }

    /// The program that only behaves: what follows properties over actions is no part of it. It is made once.
    pub fn behaviour(&self) -> Result<&Program, &Diagnostic> {
        if !self.model.follows_claims() {
            return Ok(&self.flat.program);
        }
        let made = self.behaviour.get_or_init(|| self.model.lower(self.file.text(), &self.options, false));
        made.as_ref().map(|lowered| &lowered.program).map_err(|diagnostic| &**diagnostic)
    }
}
