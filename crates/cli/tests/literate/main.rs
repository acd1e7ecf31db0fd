//! Documentation that runs: every block of every Markdown file of the project is a test.
//!
//! * A block ` ```labs file=NAME ` is written to NAME in a scratch folder, and so is any ` ```text file=NAME `.
//! * A block ` ```console ` is a transcript: lines that begin with `$ swarmcheck` are run there, and what the program
//!   prints on both channels must be what follows. A line `...` stands for any lines. `[exit 6]` at the end says
//!   that the program ends with 6; without it, it must end with 0. `< NAME` feeds a file to standard input.
//!   Times, as in `0.02 s`, are written as `0.00 s`.
//! * A block ` ```labs `, ` ```ccs ` or ` ```chor ` without a name must be a whole model that is accepted as it stands;
//!   ` ```labs fragment ` is not looked at.
//!
//! A test is named after its place and its first command, so `cargo test -p swarmcheck-cli --test literate -- tutorial`
//! runs those of the tutorial. Each has a scratch folder of its own; `document.rs` says how it gets the files that
//! earlier commands of its document have written.
//!
//! `SWARMCHECK_BLESS=1 cargo test -p swarmcheck-cli --test literate` rewrites transcripts with what was printed. Read
//! the difference before you commit it.

#[path = "../common/mod.rs"]
mod common;
mod document;
mod transcript;

use document::{Document, Kind};
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

/// Fewer than this in all documents mean that blocks are no longer recognised.
const TRANSCRIPTS_MIN: usize = 300;
/// As above, for models that are only to be accepted.
const MODELS_MIN: usize = 5;

/// What to write in place of blocks, by document and number of the block.
type Corrections = Arc<Mutex<BTreeMap<(PathBuf, usize), String>>>;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let bless = std::env::var_os("SWARMCHECK_BLESS").is_some();
    let corrections = Corrections::default();
    let mut trials = document::trials();
    trials.extend(transcript::trials());
    let (mut transcripts, mut models) = (0, 0);
    for path in common::markdown_files() {
        let document = Arc::new(Document::read(&path));
        for (number, block) in document.blocks.iter().enumerate() {
            match &block.kind {
                Kind::Transcript(commands) => transcripts += commands.len(),
                Kind::Model(_) => models += 1,
                Kind::Source(_) | Kind::Prose => continue,
            }
            let (document, corrections) = (document.clone(), corrections.clone());
            trials.push(Trial::test(document.name_of(number), move || {
                match transcript::check(&document, number) {
                    Err(wrong) if bless && wrong.correction.is_some() => {
                        let key = (document.path.clone(), number);
                        corrections.lock().unwrap().insert(key, wrong.correction.unwrap_or_default());
                        Ok(())
                    }
                    Err(wrong) => Err(Failed::from(wrong.message)),
                    Ok(()) => Ok(()),
                }
            }));
        }
    }
    // All blocks are trials, so what is found here is what is checked. A filter leaves this trial out.
    trials.push(Trial::test("enough is checked", move || {
        let enough = transcripts >= TRANSCRIPTS_MIN && models >= MODELS_MIN;
        let found = format!("only {transcripts} transcripts and {models} models were found");
        if enough { Ok(()) } else { Err(found.into()) }
    }));
    let conclusion = libtest_mimic::run(&arguments, trials);
    rewrite(&corrections.lock().unwrap());
    conclusion.exit_code()
}

/// Documents are written when all trials have ended: those of one document run at the same time.
fn rewrite(corrections: &BTreeMap<(PathBuf, usize), String>) {
    let mut documents: BTreeMap<&PathBuf, BTreeMap<usize, &str>> = BTreeMap::new();
    for ((path, number), body) in corrections {
        documents.entry(path).or_default().insert(*number, body);
    }
    for (path, bodies) in documents {
        println!("{}: {} blocks rewritten", path.display(), bodies.len());
        std::fs::write(path, Document::read(path).with(&bodies)).unwrap();
    }
}
