//! `swarmcheck web`: reads files, says where the workbench is, opens a browser, and serves until Ctrl-C.

use crate::arguments::{LimitArguments, TraceAs, WebArguments};
use crate::commands::examples;
use crate::exit::Exit;
use crate::inputs;
use crate::shell::Shell;
use crate::told;
use clap::ValueEnum;
use serde_json::{Map, json};
use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::process::{Command, Stdio};
use std::time::Duration;
use swarmcheck_project::{Model, ParameterValue};
use swarmcheck_session::languages::{LanguageWord, by_extension};
use swarmcheck_web::{Assets, Config, Example, OpenFile, Server};
use swarmcheck_worker::machine;

/// A job may ask for so much time and memory, if nobody says otherwise and the system does not tell what it has.
const LONGEST: Duration = Duration::from_secs(3600);
const MEMORY: u64 = 1 << 30;

/// Serves the workbench.
pub fn run(arguments: &WebArguments, shell: &Shell) -> Exit {
    match serve(arguments, shell) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn serve(arguments: &WebArguments, shell: &Shell) -> Result<Exit, Exit> {
    if let Some(address) = arguments.listen.filter(|_| !arguments.i_know) {
        return Err(shell.usage(&format!(
            "other machines may reach {address}, and the connection is not encrypted: add --i-know if you want that, or leave \
             out --listen and forward the port with 'ssh -L'"
        )));
    }
    let mut files = vec![];
    for path in &arguments.files {
        let source = inputs::model(path, None, &LimitArguments::default(), shell)?.source(shell)?;
        files.push(OpenFile { name: source.name, text: source.text });
    }
    let memory = || machine::available_memory().map_or(MEMORY, |free| free / 4 * 3);
    let config = Config {
        version: env!("CARGO_PKG_VERSION").to_string(),
        files,
        examples: offered(),
        seconds: arguments.limits.timeout.unwrap_or(LONGEST).as_secs_f64(),
        memory: arguments.limits.memory.unwrap_or_else(memory),
        traces: traces(),
        assets: assets(arguments),
    };
    let ip = arguments.listen.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let address = SocketAddr::new(ip, arguments.port);
    let server = Server::bind(address, config).map_err(|e| match e.kind() {
        ErrorKind::AddrInUse => shell.usage(&format!(
            "port {} is in use, perhaps by another workbench: leave out --port for any free one, or name another",
            arguments.port
        )),
        ErrorKind::PermissionDenied => {
            shell.usage(&format!("port {} is not for everybody: name one above 1023", arguments.port))
        }
        ErrorKind::AddrNotAvailable => shell.usage(&format!("this machine has no address {ip}")),
        _ => shell.failure(&format!("cannot listen at {address}: {e}")),
    })?;
    let url = server.url();
    let port = server.address().port();
    if arguments.json {
        let fields = json!({
            "url": url, "address": server.address().ip().to_string(), "port": port, "token": server.token(),
        });
        done(shell.document("swarmcheck-web", told::VERSION, fields))?;
    } else {
        done(shell.print(&format!("{url}\n")))?;
        shell.note("the workbench is at this address, which is as good as a password; Ctrl-C ends it");
        if !arguments.no_open {
            open(&url);
        }
    }
    match server.serve(&|| shell.interrupted()) {
        Ok(()) => Ok(Exit::Fine),
        Err(e) => Err(shell.failure(&format!("cannot serve: {e}"))),
    }
}

/// The words of `--trace-format`.
fn traces() -> Vec<String> {
    let words = TraceAs::value_variants().iter().filter_map(TraceAs::to_possible_value);
    words.map(|word| word.get_name().to_string()).collect()
}

/// What was printed is there for somebody to read.
fn done(printed: Exit) -> Result<(), Exit> {
    if printed == Exit::Fine { Ok(()) } else { Err(printed) }
}

#[cfg(debug_assertions)]
fn assets(arguments: &WebArguments) -> Assets {
    Assets { folder: arguments.assets.clone() }
}

#[cfg(not(debug_assertions))]
fn assets(_: &WebArguments) -> Assets {
    Assets::default()
}

/// Shows an address in the browser of this desktop. If there is none, the address was printed.
fn open(url: &str) {
    let (program, first): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(first).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Ctrl-C here must not end a browser.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    if let Ok(mut child) = command.spawn() {
        std::thread::spawn(move || child.wait());
    }
}

/// The examples that come with the program: of each, the first file of its project file with the largest parameters that do not
/// take long, because there is more to see.
fn offered() -> Vec<Example> {
    examples::all().into_iter().filter_map(example).collect()
}

fn example(example: examples::Example) -> Option<Example> {
    let files = examples::files(example.name);
    let text = |name: &str| files.iter().find(|(known, _)| *known == name).map(|(_, text)| text.to_string());
    let (project, _) = swarmcheck_project::read(&text(swarmcheck_project::FILE)?);
    let file = project.models.first()?.file.value.clone();
    let quick =
        project.models.iter().filter(|model| model.file.value == file && !model.slow && !model.is_open());
    // Of those that are equally large, the last is the maximum, and the first is wanted.
    let model = quick.rev().max_by_key(|model| size(model)).or(project.models.first())?;
    let language = by_extension(&file).map_or(LanguageWord::Labs, |language| language.word);
    let language = serde_json::to_value(language).ok()?.as_str()?.to_string();
    let parameters = model.parameters.iter();
    let parameters: Map<_, _> = parameters.map(|p| (p.name.value.clone(), json!(p.value.value))).collect();
    let picture = files.iter().find(|(name, _)| name.ends_with(".svg")).map(|(_, text)| text.to_string());
    Some(Example {
        name: example.name.to_string(),
        sentence: example.about,
        language,
        text: text(&file)?,
        file,
        parameters,
        fair: model.reading.fair,
        picture,
    })
}

/// The product of all parameters.
fn size(model: &Model) -> i64 {
    model.parameters.iter().fold(1, |product, parameter| match parameter.value.value {
        ParameterValue::Number(number) => product.saturating_mul(number),
        ParameterValue::From(least) => product.saturating_mul(least.into()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every example of the page comes with a model, in all four languages.
    #[test]
    fn every_example_is_offered() {
        let offered = offered();
        assert_eq!(offered.len(), examples::all().len());
        for language in ["labs", "rcheck", "ccs", "chor"] {
            assert!(offered.iter().any(|example| example.language == language), "{language}");
        }
        let flock = offered.iter().find(|example| example.name == "flock").unwrap();
        assert_eq!(json!(flock.parameters), json!({ "birds": 3, "grid": 5, "delta": 5 }));
        assert!(flock.text.contains("system"));
    }
}
