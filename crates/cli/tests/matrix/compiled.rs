//! A C compiler reads every example in every dialect of C, and has nothing to say with all warnings on.

use crate::common::{scratch, tool};
use crate::deciders::{Said, export};
use crate::rows::{Row, rows};
use crate::{THREADS, each};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

/// What verifiers know without a declaration.
const DECLARED: &str = "void __CPROVER_assume(int);\nvoid __CPROVER_assert(int, const char *);\n\
                        void __ESBMC_assume(int);\nvoid __ESBMC_assert(int, const char *);\n";

/// The first question about a file that a target can write, written; with a bound where there must be one.
fn written(rows: &[Row], file: &str, target: &str, path: &Path) -> bool {
    let bounds = if ["c-cbmc", "c-esbmc"].contains(&target) { ["--steps 5", ""] } else { ["", "--steps 5"] };
    let candidates =
        || rows.iter().filter(|row| row.file == file && !row.options.contains("--steps")).take(4);
    candidates().any(|row| {
        bounds.iter().any(|bound| {
            let row = Row { options: format!("{} {bound}", row.options), ..row.clone() };
            match export(&row, target, path) {
                Said::Verdict { .. } => true,
                Said::Failed(why) => panic!("{why}"),
                _ => false,
            }
        })
    })
}

#[test]
fn compilers_have_nothing_to_say() {
    if !tool("GCC", "gcc") {
        return;
    }
    let declared = scratch("declared.h", DECLARED.as_bytes());
    let rows = rows();
    let files: Vec<String> = rows.iter().filter(|row| row.rank == 0).map(|row| row.file.clone()).collect();
    let targets = ["c-run", "c-cbmc", "c-esbmc", "c-svcomp", "c-flat"];
    let jobs: Vec<(&String, &str)> =
        files.iter().flat_map(|file| targets.map(|target| (file, target))).collect();
    let (compiled, complaints) = (Mutex::new(0), Mutex::new(vec![]));
    each(&jobs, None, |(file, target), folder| {
        let path = folder.join("program.c");
        if !written(&rows, file, target, &path) {
            return;
        }
        let programs = if path.is_dir() { crate::common::files(&path, ".c") } else { vec![path] };
        for program in programs {
            let mut gcc = Command::new("gcc");
            gcc.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", "-c", "-o", "/dev/null", "-include"]);
            let output = gcc.arg(&declared).arg(&program).output().unwrap();
            *compiled.lock().unwrap() += 1;
            if !output.status.success() {
                let errors = String::from_utf8_lossy(&output.stderr).to_string();
                complaints.lock().unwrap().push(format!("{file} {target}: {errors}"));
            }
        }
    });
    let (compiled, complaints) = (compiled.into_inner().unwrap(), complaints.into_inner().unwrap());
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    println!("{compiled} programs compiled, {THREADS} at a time");
    assert!(compiled >= 120, "only {compiled} programs");
}
