//! The workbench in a real browser: the files in `workbench/tests`, each as one test here. They start the program that was just
//! built, drive Chromium through it, and read the pictures back.
//!
//! Where Node.js, Chromium or the packages of `workbench/package.json` are missing there is nothing to test, and a line says
//! so; where `SWARMCHECK_REQUIRE` names the program, as in CI, the tests fail instead. `npm ci` in `workbench/` installs the packages.

mod common;

use common::{files, root, tool};
use std::process::Command;

/// Whether everything is there that a test needs.
fn present() -> bool {
    if !tool("Node.js", "node") || !tool("Chromium", "chromium") {
        return false;
    }
    let installed = root().join("workbench/node_modules/playwright-core").is_dir();
    let required = std::env::var("SWARMCHECK_REQUIRE").unwrap_or_default();
    assert!(installed || !required.contains("chromium"), "run npm ci in workbench/");
    if !installed {
        eprintln!("the packages of workbench/ are not installed (npm ci): pages are not tested in a browser");
    }
    installed
}

/// A command in the folder of the page's sources.
#[track_caller]
fn node(arguments: &[&str]) {
    let output = Command::new("node")
        .args(arguments)
        .current_dir(root().join("workbench"))
        .env("SWARMCHECK_BIN", env!("CARGO_BIN_EXE_swarmcheck"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {said}");
}

#[test]
fn every_page_does_what_it_should() {
    if !present() {
        return;
    }
    let tests = files(&root().join("workbench/tests"), ".test.mjs");
    assert!(tests.len() >= 3, "{tests:?}");
    let tests: Vec<String> = tests.iter().map(|path| path.display().to_string()).collect();
    let arguments = ["--test", "--test-concurrency=2"].into_iter().chain(tests.iter().map(String::as_str));
    node(&arguments.collect::<Vec<_>>());
}

#[test]
fn the_bundles_are_what_the_sources_make() {
    if present() {
        node(&["build.mjs", "--verify"]);
        node(&["node_modules/typescript/bin/tsc", "--noEmit"]);
    }
}
