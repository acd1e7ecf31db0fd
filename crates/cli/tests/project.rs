//! Project files, examples and templates, as users meet them; and what helps those who do not know the command line yet.

mod common;

use common::{exits, files, root, run, swarmcheck};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// An empty folder of the test's own.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("project-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// A project file in a folder of its own.
fn project(name: &str, models: &str) -> String {
    let path = folder(name).join("swarmcheck.toml");
    std::fs::write(&path, format!("version = 1\n{models}")).unwrap();
    path.display().to_string()
}

/// A model of the examples.
fn model(file: &str, rest: &str) -> String {
    format!("[[model]]\nfile = {:?}\n{rest}\n", root().join("examples").join(file).display().to_string())
}

const QUICK: &str = "parameters = { n = 3 }\nproperties = [{ name = \"LeaderIs0\", expect = \"holds\" }]";
/// Three birds on a smaller grid have 22,805,756 states already.
const ENDLESS: &str = "parameters = { birds = 4, grid = 9, delta = 5 }\nproperties = [{ name = \"ConsensusAgain\", expect = \"holds\" }]";

/// Each template is accepted without a warning, and its properties have the verdicts that its comments argue for.
#[test]
fn templates_are_correct_models() {
    let folder = folder("templates");
    for (language, ending) in [("labs", "labs"), ("rcheck", "rcp"), ("ccs", "ccs"), ("chor", "chor")] {
        let place = folder.join(language).display().to_string();
        exits(&format!("new {place} --language {language}"), 0);
        let said = exits(&format!("check {place}/{language}.{ending}"), 0);
        assert!(said.contains("no errors, no warnings"), "{said}");
        let said = exits(&format!("test {place}"), 0);
        assert!(said.contains("2 passed, 0 failed"), "{said}");
        let before = std::fs::read_to_string(format!("{place}/swarmcheck.toml")).unwrap();
        assert!(before.contains("\"holds\"") && before.contains("\"violated\""), "{before}");
        std::fs::write(format!("{place}/{language}.{ending}"), "mine").unwrap();
        assert!(exits(&format!("new {place} --language {language}"), 2).contains("nothing was written"));
        assert_eq!(std::fs::read_to_string(format!("{place}/{language}.{ending}")).unwrap(), "mine");
    }
    for wrong in ["..", "a\"b", "-x/-y"] {
        exits(&format!("new {}/{wrong}", folder.display()), 2);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn examples_are_copied_whole_and_never_over_something() {
    let folder = folder("examples");
    let place = folder.join("here");
    exits(&format!("examples boids {}", place.display()), 0);
    let original = root().join("examples/boids");
    let names = |folder: &Path| -> Vec<String> {
        files(folder, "").iter().map(|p| p.file_name().unwrap().to_string_lossy().to_string()).collect()
    };
    // The picture is for the gallery.
    let mut whole = names(&original);
    whole.retain(|name| name != "picture.svg");
    assert_eq!(names(&place), whole);
    for name in names(&place) {
        let same = std::fs::read(place.join(&name)).unwrap() == std::fs::read(original.join(&name)).unwrap();
        assert!(same, "{name}");
    }
    // One file is enough to leave everything alone.
    for name in names(&place).iter().filter(|name| *name != "ac.labs") {
        std::fs::remove_file(place.join(name)).unwrap();
    }
    assert!(exits(&format!("examples boids {}", place.display()), 2).contains("ac.labs exists already"));
    assert_eq!(names(&place), ["ac.labs"]);
    assert!(exits("examples flok", 2).contains("did you mean flock?"));
    assert!(exits("examples", 0).lines().count() >= 25);
    std::fs::remove_dir_all(folder).unwrap();
}

/// Time limits of the project file end single models; the others are decided.
#[test]
fn a_time_limit_ends_one_model() {
    let endless = model("flock/flock.labs", &format!("limits = {{ time = 0.5 }}\n{ENDLESS}"));
    let path = project("limits", &(endless + &model("leader/leader.labs", QUICK)));
    let began = Instant::now();
    let said = exits(&format!("test {path}"), 124);
    assert!(began.elapsed() < Duration::from_secs(20), "{said}");
    assert!(said.contains("ConsensusAgain: unknown (time limit), expected holds"), "{said}");
    assert!(said.contains("1 passed, 0 failed, 1 undecided"), "{said}");
}

/// Ctrl-C prints what was found, and what was not reached.
#[test]
fn an_interruption_prints_what_was_found() {
    let quick = model("leader/leader.labs", QUICK);
    let path = project("interrupt", &format!("{quick}{}{quick}", model("flock/flock.labs", ENDLESS)));
    let mut command = swarmcheck(&format!("test {path} --jobs 1"));
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(3));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("ok ") && said.contains("undecided") && said.contains("not run"), "{said}");
    assert!(said.contains("1 passed, 0 failed, 1 undecided, 1 not run"), "{said}");
}

/// The number of states of leader election among three nodes, as the example has it, and another one.
#[test]
fn numbers_of_states_are_compared_without_reductions() {
    let claims = swarmcheck_project::rows(include_str!("../../../examples/leader/swarmcheck.toml")).unwrap();
    let states = claims.iter().find(|row| row.parameters == "n=3").and_then(|row| row.states).unwrap();
    let properties = "parameters = { n = 3 }\nproperties = [{ name = \"KnownLeader\", expect = \"holds\" }]";
    for (number, code) in [(states, 0), (states + 1, 10)] {
        let models = model("leader/leader.labs", &format!("states = {number}\n{properties}"));
        let path = project(&format!("states-{number}"), &models);
        let said = exits(&format!("test {path} --no-reductions"), code);
        assert_eq!(said.contains(&format!("{states} states, not {number}")), code == 10, "{said}");
        // With reductions, there may be fewer.
        exits(&format!("test {path}"), 0);
    }
}

#[test]
fn who_does_not_know_the_commands_is_told() {
    let said = exits("examples/leader/leader.labs n=3", 2);
    assert!(said.contains("swarmcheck verify examples/leader/leader.labs"), "{said}");
    assert!(exits("run examples/leader/leader.labs n=3", 2).contains("swarmcheck simulate:"));
    assert!(exits("prove examples/leader/leader.labs n=3", 2).contains("swarmcheck verify:"));
    // A slip is left to the parser, which knows it.
    assert!(exits("verfy examples/leader/leader.labs", 2).contains("verify"));
    for (line, contains) in [("help --help", "Exit codes:"), ("help verify --help", "--cross-check")] {
        let output = run(line);
        assert_eq!(output.status.code(), Some(0), "{line}");
        assert!(String::from_utf8_lossy(&output.stdout).contains(contains), "{line}");
    }
}

/// A shell completes the properties of the file, with what was typed so far.
#[test]
fn shells_complete_properties() {
    let script = String::from_utf8(run("completions bash").stdout).unwrap();
    let path = folder("completion").join("swarmcheck.bash");
    std::fs::write(&path, script).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_swarmcheck")).parent().unwrap();
    let complete = |model: &str, typed: &str| {
        let line = format!(
            "source {}; COMP_WORDS=(swarmcheck verify {model} -p {typed:?}); COMP_CWORD=4; _swarmcheck swarmcheck {typed:?} -p; \
             echo \"${{COMPREPLY[@]}}\"",
            path.display()
        );
        let output = Command::new("bash")
            .args(["-c", &line])
            .current_dir(root())
            .env("PATH", format!("{}:/usr/bin:/bin", program.display()))
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_string()
    };
    // No parameter has a value.
    assert_eq!(complete("examples/leader/leader.labs", "L"), "LeaderIs0");
    assert_eq!(complete("examples/stock/stock.chor", ""), "BidFirst Told");
    assert_eq!(complete("no/such.labs", ""), "");
}
