//! From bytes to a system that can run.

use crate::specification::{Lowered, Specification};
use swarmcheck_ir::flat::Flat;
use swarmcheck_labs::lower::{self, Choice, Semantics};
use swarmcheck_labs::model::Model;
use swarmcheck_labs::{check, codes, syntax};
use swarmcheck_source::{Diagnostic, Diagnostics, SourceFile, Span};

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
}

/// A file that was read and checked.
pub struct Checked {
    /// The file.
    pub file: SourceFile,
    /// Everything there is to say about it, in order of position.
    pub diagnostics: Vec<Diagnostic>,
    /// The model, if there is no error.
    pub model: Option<Specification>,
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
}

/// Why a system cannot run.
pub enum Trouble {
    /// The file is wrong.
    File(SourceFile, Vec<Diagnostic>),
    /// A file that is no model cannot be read: where and why.
    Unreadable(String),
    /// swarmcheck is wrong.
    Internal(String),
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

/// Reads and checks a file.
pub fn check(name: &str, bytes: &[u8], parameters: &[(String, String)]) -> Checked {
    let (file, broken) = decode(name, bytes);
    if let Some(diagnostic) = broken {
        return Checked { file, diagnostics: vec![diagnostic], model: None };
    }
    let (model, diagnostics) = Specification::read(&file, parameters);
    Checked { file, diagnostics: diagnostics.into_sorted(), model }
}

/// Reads and checks a LAbS model.
pub(crate) fn check_labs(file: &SourceFile, parameters: &[(String, String)]) -> (Option<Model>, Diagnostics) {
    let (tree, mut diagnostics) = syntax::parse(file.text());
    let nothing = diagnostics.iter().any(|d| d.code == codes::EMPTY);
    let parsed = !diagnostics.has_errors();
    let mut model = None;
    if !nothing {
        let end = Span::new(file.text().trim_end().len(), file.text().trim_end().len());
        let (checked, more) = check::check(&tree, end, parameters);
        // Where text could not be read, a section may only seem to be missing, and a name to be unused.
        let doubtful = [
            codes::MISSING_SECTION,
            codes::UNUSED_VARIABLE,
            codes::UNUSED_STIGMERGY,
            codes::UNUSED_PROCESS,
            codes::UNUSED_PARAMETER,
            codes::NOT_SPAWNED,
        ];
        for diagnostic in more.iter().filter(|d| parsed || !doubtful.contains(&d.code)) {
            diagnostics.push(diagnostic.clone());
        }
        model = checked.filter(|_| parsed);
    }
    if let Some(known) = &model
        && let Err(diagnostic) = lower::structures(known, Choice::Late)
    {
        diagnostics.push(*diagnostic);
        model = None;
    }
    (model, diagnostics)
}

/// Reads, checks and lowers a file.
pub fn prepare(name: &str, bytes: &[u8], options: ModelOptions) -> Result<Prepared, Trouble> {
    let Checked { file, diagnostics, model } = check(name, bytes, &options.parameters);
    let Some(model) = model else {
        return Err(Trouble::File(file, diagnostics));
    };
    let Lowered { program, labels, value_names } = match model.lower(file.text(), &options, true) {
        Ok(lowered) => lowered,
        Err(diagnostic) => return Err(Trouble::File(file, vec![*diagnostic])),
    };
    if let Err(problems) = swarmcheck_ir::validate::validate(&program) {
        let list: Vec<String> = problems.iter().map(ToString::to_string).collect();
        return Err(Trouble::Internal(format!("the emulation program is invalid: {}", list.join("; "))));
    }
    let mut flat = Flat::new(program);
    flat.value_names = value_names;
    Ok(Prepared { file, model, flat, labels, options, warnings: diagnostics })
}
