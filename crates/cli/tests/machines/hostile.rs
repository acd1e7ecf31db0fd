//! Text that would steer a terminal, put wherever a person who is not the user can put text: names of files, models, stored
//! traces and proofs, project files, tables, other programs. Nothing of it reaches a terminal or a pipe.

use crate::common::{root, swarmcheck};
use crate::terminal::pseudo_terminal;
use std::ffi::OsString;
use std::io::Write;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Sets a title, clears the screen, moves up, reorders, hides, and claims a verdict on a line of its own.
const EVIL: &str =
    "\u{1b}]0;T\u{7}\u{1b}[2J\u{1b}[1A\u{9b}31m\u{202e}\u{2066}\u{200b}\u{7f}\u{8}\r\nPWNED holds";

const MODEL: &str = "system { spawn = A: 1 }\nagent A { interface = x: 0 Behavior = x <- (x + 1) % 3; Behavior }\n\
    check { P = always forall A a, x of a <= 1 }\n";

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("hostile-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn file(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_string()
}

fn program(folder: &Path, name: &str, script: &str) {
    let path = file(folder, name, script);
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// The program with these arguments; other programs are looked for in `first`, too.
fn command(arguments: &[String], first: Option<&Path>) -> Command {
    let mut command = swarmcheck("");
    command.args(arguments).env_remove("NO_COLOR").env("RUST_BACKTRACE", "0");
    if let Some(first) = first {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let paths = std::iter::once(first.to_path_buf()).chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(paths).unwrap());
    }
    command
}

/// What it writes to pipes: standard output, then standard error.
fn piped(arguments: &[String], first: Option<&Path>, typed: &str) -> String {
    let mut command = command(arguments, first);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
    let output = child.wait_with_output().unwrap();
    assert_ne!(output.status.code(), None, "{arguments:?} was killed");
    assert_ne!(output.status.code(), Some(101), "{arguments:?} panicked");
    String::from_utf8([output.stdout, output.stderr].concat()).expect("UTF-8")
}

/// What it writes to a terminal that is both.
fn on_terminal(arguments: &[String], first: Option<&Path>, typed: &str) -> String {
    let (master, slave) = pseudo_terminal(120);
    let mut command = command(arguments, first);
    command.stdin(Stdio::piped()).stdout(slave.try_clone().unwrap()).stderr(slave);
    let mut child = command.spawn().unwrap();
    drop(command);
    let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
    let (mut all, mut bytes) = (vec![], [0; 65536]);
    while let Ok(n @ 1..) = rustix::io::read(&master, &mut bytes) {
        all.extend_from_slice(&bytes[..n]);
    }
    child.wait().unwrap();
    String::from_utf8(all).expect("UTF-8")
}

/// Escape sequences that the program writes itself: colours, and what status lines need.
fn without_ours(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        out += &rest[..at];
        rest = &rest[at + 1..];
        let known = ["[?7l", "[?7h", "[J", "[A"].iter().find(|known| rest.starts_with(**known));
        let colours = rest.strip_prefix('[').map_or(0, |inside| {
            let length = inside.find(|c: char| !c.is_ascii_digit() && c != ';').unwrap_or(inside.len());
            if inside[length..].starts_with('m') && !inside.starts_with("2J") { length + 2 } else { 0 }
        });
        match (known, colours) {
            (Some(known), _) => rest = &rest[known.len()..],
            (None, 1..) => rest = &rest[colours..],
            _ => out.push('\u{1b}'),
        }
    }
    out + rest
}

/// Everything of Unicode that a terminal might obey or that reorders or hides text, as far as it is in [`EVIL`].
#[track_caller]
fn harmless(said: &str, what: &str) {
    let said = without_ours(said).replace("\r\n", "\n").replace("\r\u{0}", "");
    // Status lines begin where the last ones began.
    let bad = said.chars().find(|c| {
        c.is_control() && !matches!(c, '\n' | '\t')
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    });
    assert_eq!(bad, None, "{what}: {said:?}");
    let faked = said.lines().find(|line| line.starts_with("PWNED"));
    assert_eq!(faked, None, "{what}: {said:?}");
}

/// Runs it in a pipe and on a terminal; how many of the two have shown that something was replaced.
#[track_caller]
fn attack(arguments: &[&str], first: Option<&Path>, typed: &str) -> usize {
    let arguments: Vec<String> = arguments.iter().map(|a| a.to_string()).collect();
    let said = [piped(&arguments, first, typed), on_terminal(&arguments, first, typed)];
    let what = format!("{arguments:?}");
    said.iter().for_each(|said| harmless(said, &what));
    said.iter()
        .filter(|said| said.contains('␛') || said.contains("\\u001b") || said.contains("\\u{1b}"))
        .count()
}

#[test]
fn names_of_files_and_words_of_the_command_line() {
    let folder = folder("names");
    let wrong = file(&folder, &format!("{EVIL}.labs"), "system { spawn = B: 1 }");
    let right = file(&folder, &format!("right {EVIL}.labs"), MODEL);
    let missing = folder.join(format!("missing {EVIL}.labs"));
    let missing = missing.to_str().unwrap();
    let out = folder.join(format!("no {EVIL}/x"));
    let out = out.to_str().unwrap();
    let plain = file(&folder, "plain.labs", MODEL);
    let odd = format!("--{EVIL}");
    let value = format!("n={EVIL}");
    let walked = folder.to_str().unwrap();
    let lines: Vec<Vec<&str>> = vec![
        vec!["check", &wrong],
        vec!["check", &right],
        vec!["check", &wrong, "--json"],
        vec!["check", &wrong, "--annotations", "github"],
        vec!["check", missing],
        vec!["check", missing, "--json"],
        vec!["verify", &right, "-v"],
        vec!["verify", &right, "--trace-format", "json"],
        vec!["verify", &right, "--events"],
        vec!["verify", &plain, "--trace-file", out],
        vec!["verify", &plain, "--property", EVIL],
        vec!["verify", &plain, "--property", EVIL, "--json"],
        vec!["verify", &plain, "--engine", EVIL],
        vec!["verify", &plain, &value],
        vec!["verify", &plain, &odd],
        vec!["verify", &plain, &odd, "--json"],
        vec![EVIL],
        vec![&wrong],
        vec!["simulate", &right, "--steps", "2", "--seed", "1"],
        vec!["simulate", &right, "--steps", "2", "--seed", "1", "--trace-format", "itf"],
        vec!["estimate", &plain, "-p", EVIL],
        vec!["fmt", "--check", walked],
        vec!["fmt", &wrong],
        vec!["export", &right, "--to", "c"],
        vec!["export", &right, "--to", "smv"],
        vec!["export", &right, "--to", "promela"],
        vec!["export", &right, "--to", "smt2"],
        vec!["export", &right, "--to", "lnt"],
        vec!["export", &right, "--to", "emulation"],
        vec!["replay", missing],
        vec!["sweep", &right, "--where", EVIL],
        vec!["collect", "--out", out],
        vec!["plot", missing],
        vec!["new", out],
        vec!["test", missing],
    ];
    let replaced: usize = lines.iter().map(|line| attack(line, None, "")).sum();
    assert!(replaced >= 36, "only {replaced} of {}", 2 * lines.len());
    std::fs::remove_dir_all(folder).unwrap();
}

/// A name that is not even text is refused, and its bytes are not repeated.
#[test]
fn names_that_are_not_utf_8() {
    let name = OsString::from_vec(b"\xff\x1b[2J\x9b31m.labs".to_vec());
    for before in [&["check"][..], &["verify", "--json"], &[]] {
        let mut command = swarmcheck("");
        let output = command.args(before).arg(&name).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8([output.stdout, output.stderr].concat()).expect("UTF-8");
        harmless(&said, "not UTF-8");
    }
}

#[test]
fn texts_of_models() {
    let folder = folder("models");
    let word = EVIL.replace("\r\n", " ");
    let lines = [
        format!("system {{ # {word}\n  spawn = {word}: 1 }}"),
        format!("{word}\nsystem {{ spawn = A: 1 }} agent A {{ Behavior = Nil # {word}\n}} check {{ }}"),
        MODEL.replace("always", &format!("always # {word}\n")),
    ];
    let mut replaced = 0;
    for (number, text) in lines.iter().enumerate() {
        for ending in ["labs", "rcp", "ccs", "chor"] {
            let path = file(&folder, &format!("{number}.{ending}"), text);
            for options in [&[][..], &["--json"]] {
                replaced += attack(&[&["check", path.as_str()], options].concat(), None, "");
            }
            replaced += attack(&["verify", &path], None, "");
        }
        let path = file(&folder, &format!("{number}.labs"), text);
        // In a pipe the difference is for `patch`.
        harmless(&on_terminal(&["fmt", "--diff", &path].map(str::to_string), None, ""), "fmt --diff");
    }
    assert!(replaced >= 36, "only {replaced}");
    // In a pipe the formatter gives back what it was given; a terminal is no editor.
    let typed = format!("# {word}\n{MODEL}");
    let formatted = ["fmt", "-"].map(str::to_string);
    assert!(piped(&formatted, None, &typed).contains(&word));
    harmless(&on_terminal(&formatted, None, &typed), "fmt -");
    std::fs::remove_dir_all(folder).unwrap();
}

/// Every string of a stored document, one after the other.
fn mutants(document: &serde_json::Value) -> Vec<serde_json::Value> {
    fn places(value: &serde_json::Value, here: &str, out: &mut Vec<String>) {
        match value {
            serde_json::Value::String(_) => out.push(here.to_string()),
            serde_json::Value::Array(items) => {
                // What comes later in a list is no different.
                items
                    .iter()
                    .enumerate()
                    .take(2)
                    .for_each(|(at, item)| places(item, &format!("{here}/{at}"), out));
            }
            serde_json::Value::Object(fields) => {
                fields.iter().for_each(|(name, field)| places(field, &format!("{here}/{name}"), out));
            }
            _ => {}
        }
    }
    let mut all = vec![];
    places(document, "", &mut all);
    let mutant = |place: &String| {
        let mut mutant = document.clone();
        *mutant.pointer_mut(place).unwrap() = EVIL.into();
        mutant
    };
    all.iter().map(mutant).collect()
}

#[test]
fn stored_traces_and_proofs() {
    let folder = folder("stored");
    let model = file(&folder, "m.labs", &MODEL.replace("P =", "Q = always forall A a, x of a <= 2\n  P ="));
    let (trace, proof) = (folder.join("t.json"), folder.join("c.json"));
    let (trace, proof) = (trace.to_str().unwrap(), proof.to_str().unwrap());
    let line = [
        "verify",
        &model,
        "--engine",
        "ic3",
        "--trace-format",
        "json",
        "--trace-file",
        trace,
        "--certificate",
        proof,
    ];
    piped(&line.map(str::to_string), None, "");
    let first = |path: &str| {
        let text = std::fs::read_to_string(path).unwrap();
        serde_json::from_str::<serde_json::Value>(text.lines().next().unwrap())
            .or_else(|_| serde_json::from_str(&text))
            .unwrap()
    };
    let (mut count, mut replaced) = (0, 0);
    let evil = folder.join("evil.json");
    let evil = evil.to_str().unwrap();
    for mutant in mutants(&first(trace)) {
        std::fs::write(evil, mutant.to_string()).unwrap();
        count += 1;
        replaced += attack(&["replay", evil, "--model", &model], None, "");
        replaced += attack(&["explain", evil, "--model", &model], None, "");
        replaced += attack(&["simulate", &model, "--walk", evil], None, "n\nn\nq\n");
        if mutant["model"] == EVIL {
            replaced += attack(&["replay", evil], None, "") + attack(&["explain", evil], None, "");
        }
    }
    assert!(count >= 10, "{count} fields of a trace");
    let fields = count;
    for mutant in mutants(&first(proof)) {
        std::fs::write(evil, mutant.to_string()).unwrap();
        count += 1;
        replaced += attack(&["certify", evil, "--model", &model], None, "");
        replaced += attack(&["certify", evil, "--model", &model, "--json"], None, "");
    }
    assert!(count >= fields + 5, "{} fields of a proof", count - fields);
    assert!(replaced >= 10, "only {replaced}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn projects_tables_and_transition_systems() {
    let folder = folder("projects");
    file(&folder, "m.labs", MODEL);
    let escaped = serde_json::to_string(EVIL).unwrap().replace('\u{7f}', "\\u007f");
    let mut replaced = 0;
    let real = std::fs::read_to_string(root().join("examples/leader/swarmcheck.toml")).unwrap();
    let places: Vec<(usize, &str)> = real.match_indices('"').collect();
    // Each quoted text of a real project in turn.
    for pair in places.chunks(2).take(12) {
        let [(from, _), (to, _)] = pair else { continue };
        let text = format!("{}{escaped}{}", &real[..*from], &real[to + 1..]);
        std::fs::write(folder.join("swarmcheck.toml"), text).unwrap();
        replaced += attack(&["test", folder.to_str().unwrap(), "--list"], None, "");
    }
    file(&folder, "swarmcheck.toml", &format!("# {EVIL}\n[[{EVIL}"));
    replaced += attack(&["test", folder.to_str().unwrap()], None, "");
    let label = EVIL.replace("\r\n", " ");
    let quoted = format!("\"{label}\"");
    let table = file(&folder, "t.csv", &format!("n,{quoted}\n1,2\n2,{quoted}\n"));
    for options in [&[][..], &["--x", &label], &["--y", &label]] {
        replaced += attack(&[&["plot", table.as_str()], options].concat(), None, "");
    }
    let journal = file(&folder, "r.csv.journal", &format!("{{\"format\":{escaped}}}\n{EVIL}\n"));
    replaced += attack(&["collect", "--out", &format!("{}/r.csv", folder.display()), &journal], None, "");
    let one = file(&folder, "one.aut", &format!("des (0, 1, 2)\n(0, \"{label}\", 1)\n"));
    let other = file(&folder, "other.aut", "des (0, 1, 2)\n(0, \"b\", 1)\n");
    replaced += attack(&["compare", &one, &other], None, "");
    replaced += attack(&["compare", &one, &other, "--json"], None, "");
    harmless(&on_terminal(&["lts", &one].map(str::to_string), None, ""), "lts");
    let broken = file(&folder, "broken.aut", &format!("des (0, 1, 2)\n{label}\n"));
    replaced += attack(&["compare", &broken, &other], None, "");
    assert!(replaced >= 10, "only {replaced}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// Programs that are found on the way may say anything, on both channels.
#[test]
fn other_programs() {
    let folder = folder("programs");
    let model = file(&folder, "m.labs", MODEL);
    let octal: String = EVIL.bytes().map(|byte| format!("\\{byte:03o}")).collect();
    for end in [0, 1, 10] {
        for name in ["spin", "cbmc", "esbmc", "nuXmv", "z3", "cvc5", "gcc"] {
            let script =
                format!("#!/bin/sh\nprintf '{octal}\\n'\nprintf 'error: {octal}\\n' >&2\nexit {end}\n");
            program(&folder, name, &script);
        }
        for with in [
            &["--backend", "spin"][..],
            &["--backend", "cbmc", "--steps", "3"],
            &["--backend", "esbmc", "--steps", "3"],
            &["--backend", "nuxmv"],
            &["--engine", "smt"],
        ] {
            attack(&[&["verify", model.as_str(), "--timeout", "20"], with].concat(), Some(&folder), "");
            attack(
                &[&["verify", model.as_str(), "--timeout", "20", "--json"], with].concat(),
                Some(&folder),
                "",
            );
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn conversations() {
    let folder = folder("conversations");
    let model = file(&folder, "m.labs", MODEL);
    let word = EVIL.replace("\r\n", " ");
    let typed = format!(
        "{word}\ni such that {word}\nr 3 1 until {word}\nw /no/such/{}/x\ng {word}\nq\n",
        word.replace(' ', "")
    );
    assert!(attack(&["simulate", &model, "--interactive", "--seed", "1"], None, &typed) >= 2);
    std::fs::remove_dir_all(folder).unwrap();
}
