//! From models to C, and from C to running programs.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use swarmcheck_export::{Export, TARGETS};
use swarmcheck_ir::flat::Flat;
use swarmcheck_labs::lower::{self, Options};
use swarmcheck_labs::model::Model;
use swarmcheck_source::SourceFile;

/// The flat program of a model.
pub fn flat(text: &str, model: &Model, options: Options) -> Flat {
    Flat::new(lower::lower(model, text, options).unwrap_or_else(|d| panic!("{}", d.message)).program)
}

/// What a target writes, the main file.
pub fn written(
    flat: &Flat,
    target: &str,
    property: Option<usize>,
    bound: Option<u32>,
) -> Result<String, String> {
    let target = TARGETS.iter().find(|t| t.name == target).expect("a target");
    let export = Export {
        program: &flat.program,
        flat,
        property,
        formulas: &[],
        bound,
        file: &SourceFile::new("model.labs", ""),
    };
    let mut files = (target.write)(&export).map_err(|refusal| refusal.why)?;
    Ok(files.swap_remove(0).text)
}

/// A place for files of these tests.
fn place(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c");
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    folder.join(name)
}

/// The compilers that there are: `cc` must be.
fn compilers() -> Vec<&'static str> {
    let works = |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success());
    let found: Vec<&str> = ["gcc", "clang"].into_iter().filter(works).collect();
    if found.is_empty() { vec!["cc"] } else { found }
}

/// Compiles without a warning, with each compiler; the program made by the first.
pub fn compile(name: &str, text: &str, also: Option<&str>) -> PathBuf {
    let source = place(&format!("{name}.c"));
    std::fs::write(&source, text).expect("a file");
    let program = place(name);
    for (at, compiler) in compilers().into_iter().enumerate().rev() {
        let mut command = Command::new(compiler);
        command.args(["-std=c11", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O1"]);
        // Only the first one's program is run: of the others warnings are wanted, and code would take their time.
        match at {
            0 => command.arg("-o").arg(&program),
            _ => command.arg("-fsyntax-only"),
        };
        command.arg(&source);
        if let Some(also) = also {
            let harness = place(&format!("{name}.harness.c"));
            std::fs::write(&harness, also).expect("a file");
            command.arg(harness);
        }
        let output = command.output().expect("a C compiler");
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{compiler} {}:\n{words}", source.display());
    }
    program
}

/// Runs a program and hands over its lines; its exit code.
pub fn lines(program: &Path, arguments: &[&str], mut visit: impl FnMut(&str)) -> Option<i32> {
    let mut child = Command::new(program)
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program runs");
    let output = BufReader::new(child.stdout.take().expect("its output"));
    output.lines().for_each(|line| visit(&line.expect("text")));
    child.wait().expect("it ends").code()
}
