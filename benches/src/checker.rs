//! Asks `swarmcheck verify` one question.

use crate::measured::{self, Cost};
use clap::ArgMatches;
use std::path::{Path, PathBuf};

/// What stands for a property where deadlock freedom is asked about.
pub const DEADLOCK: &str = "(deadlock)";

/// How to ask.
#[derive(Clone, Debug)]
pub struct Checker {
    /// The program.
    pub program: PathBuf,
    /// The folder that contains `examples`.
    pub root: PathBuf,
    /// Seconds for one question.
    pub limit: f64,
    /// Threads to search with.
    pub threads: u64,
    /// Memory for states, as the command line takes it.
    pub memory: String,
    /// Whether every state is visited.
    pub unreduced: bool,
}

/// What was answered.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// `holds`, `violated`, `unknown` or `model error`; `failed` if the program did not answer at all.
    pub verdict: String,
    /// Why.
    pub evidence: String,
    /// Initial states.
    pub initial: u64,
    /// States visited.
    pub states: u64,
    /// Transitions seen.
    pub transitions: u64,
    /// Who has answered.
    pub engine: String,
    /// Depth of the search, which is the length of a counterexample to `always`.
    pub depth: u64,
    /// The processes and compositions of an answer by composition.
    pub composed: Vec<Composed>,
    /// What the whole run of the program has cost.
    pub cost: Cost,
}

/// A process or a composition, reduced if it was.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Composed {
    /// What it is called.
    pub name: String,
    /// Its states.
    pub states: u64,
    /// Its transitions.
    pub transitions: u64,
    /// Seconds that it took.
    pub seconds: f64,
    /// Bytes that it took.
    pub memory: u64,
}

/// The program of that name beside the one that is running, which is where cargo puts it.
pub fn beside(name: &str) -> Option<PathBuf> {
    let path = std::env::current_exe().ok()?.with_file_name(name);
    path.exists().then_some(path)
}

/// The folder of the project: the nearest one at or above the working directory with `examples` in it.
pub fn root() -> Result<PathBuf, String> {
    let here = std::env::current_dir().map_err(|e| e.to_string())?;
    let found = here.ancestors().find(|f| f.join("examples").is_dir() && f.join("benches").is_dir());
    found.map(Path::to_path_buf).ok_or_else(|| "run this inside the project".to_string())
}

impl Checker {
    /// As the options `swarmcheck`, `limit`, `threads` and `memory` of a benchmark say.
    pub fn asked(matches: &ArgMatches, unreduced: bool) -> Result<Checker, String> {
        let text = |name: &str| matches.get_one::<String>(name).cloned();
        let number = |name: &str| text(name).and_then(|t| t.parse::<f64>().ok()).filter(|n| *n >= 1.0);
        let root = root()?;
        let program = text("swarmcheck").map(PathBuf::from).or_else(|| beside("swarmcheck"));
        Ok(Checker {
            program: program.ok_or("there is no swarmcheck here: cargo build --release -p swarmcheck-cli")?,
            root,
            limit: number("limit").ok_or("--limit takes a number of seconds, at least 1")?,
            threads: number("threads").ok_or("--threads takes a number, at least 1")? as u64,
            memory: text("memory").unwrap_or_default(),
            unreduced,
        })
    }

    /// Decides a property of a file below `examples`.
    pub fn ask(&self, file: &str, parameters: &str, options: &str, property: &str) -> Answer {
        self.ask_path(&format!("examples/{file}"), parameters, options, property)
    }

    /// Decides a property of a file anywhere; a relative path is one below the folder of the project.
    pub fn ask_path(&self, path: &str, parameters: &str, options: &str, property: &str) -> Answer {
        let mut arguments = vec!["verify".to_string(), path.to_string()];
        arguments.extend(parameters.split_whitespace().chain(options.split_whitespace()).map(String::from));
        if property != DEADLOCK {
            arguments.extend(["--property", property].map(String::from));
        }
        let more = ["--json", "--quiet", "--memory", &self.memory];
        arguments.extend(more.map(String::from));
        arguments.extend(["--threads".to_string(), self.threads.to_string()]);
        arguments.extend(["--timeout".to_string(), self.limit.to_string()]);
        // The figures are those of one engine, unless somebody wants others.
        if !options.contains("--engine") {
            arguments.extend(["--engine", "explicit"].map(String::from));
        }
        if self.unreduced {
            arguments.push("--no-reductions".to_string());
        }
        // The program keeps its own limit; the one here is for a program that does not.
        match measured::run(self.program.as_os_str(), &arguments, &self.root, self.limit + 20.0) {
            Err(e) => failed(format!("cannot run {}: {e}", self.program.display()), Cost::default()),
            Ok(run) if run.late => failed("did not stop when its time was up".to_string(), run.cost),
            Ok(run) => read(&run.output, property).map_or_else(
                || failed(format!("exit {:?}: {}", run.code, last_line(&run.errors)), run.cost),
                |answer| Answer { cost: run.cost, ..answer },
            ),
        }
    }
}

fn failed(evidence: String, cost: Cost) -> Answer {
    Answer { verdict: "failed".to_string(), evidence, cost, ..Answer::default() }
}

fn last_line(text: &str) -> &str {
    text.lines().rev().find(|l| !l.trim().is_empty()).unwrap_or("no message")
}

/// Reads the result about a property from the JSON document.
fn read(output: &str, property: &str) -> Option<Answer> {
    let document: serde_json::Value = serde_json::from_str(output).ok()?;
    let about =
        |result: &&serde_json::Value| result.get("property").and_then(|p| p.as_str()) == Some(property);
    let result = document.get("results")?.as_array()?.iter().find(about)?;
    let word = |name: &str| result.get(name).and_then(|v| v.as_str()).map(String::from);
    let number = |name: &str| result.get(name).and_then(|v| v.as_u64()).unwrap_or(0);
    Some(Answer {
        verdict: word("verdict")?,
        evidence: word("evidence").unwrap_or_default(),
        initial: number("initial"),
        states: number("states"),
        transitions: number("transitions"),
        engine: word("engine").unwrap_or_default(),
        depth: number("depth"),
        composed: result.get("composition").map(composed).unwrap_or_default(),
        cost: Cost::default(),
    })
}

fn composed(composition: &serde_json::Value) -> Vec<Composed> {
    let node = |node: &serde_json::Value| {
        let number = |name: &str| node.get(name).and_then(|v| v.as_u64());
        Composed {
            name: node.get("name").and_then(|v| v.as_str()).unwrap_or_default().to_string(),
            states: number("reduced_states").or(number("states")).unwrap_or(0),
            transitions: number("reduced_transitions").or(number("transitions")).unwrap_or(0),
            seconds: node.get("seconds").and_then(|v| v.as_f64()).unwrap_or(0.0),
            memory: number("memory").unwrap_or(0),
        }
    };
    let nodes = composition.get("nodes").and_then(|nodes| nodes.as_array());
    nodes.map(|nodes| nodes.iter().map(node).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read() {
        let answer = read(
            r#"{"model": "m", "results": [{"property": "P", "verdict": "violated", "evidence": "trace of 2 steps",
                "states": 7, "transitions": 9, "initial": 1, "depth": 2, "deadlocks": 0, "seconds": 0.1}]}"#,
            "P",
        )
        .unwrap();
        assert_eq!((answer.verdict.as_str(), answer.states, answer.depth), ("violated", 7, 2));
        assert!(read("", "P").is_none() && read("{\"results\": []}", "P").is_none());
        assert!(read(r#"{"results": [{"property": "Q", "verdict": "holds"}]}"#, "P").is_none());
    }

    #[test]
    fn a_program_that_fails_is_not_an_answer() {
        let checker = Checker {
            program: "false".into(),
            root: ".".into(),
            limit: 5.0,
            threads: 1,
            memory: "1G".into(),
            unreduced: false,
        };
        let answer = checker.ask("none.labs", "", "", "P");
        assert_eq!(
            (answer.verdict.as_str(), answer.evidence.as_str()),
            ("failed", "exit Some(1): no message")
        );
    }
}
