//! Formats whose documents hold one trace (`--trace-format html` and `svg`): several traces need several files.

use crate::exit::Exit;
use crate::output::Target;
use crate::shell::Shell;
use swarmcheck_session::TraceFormat;

/// Refuses to mix such a document with the table of `verify`.
pub fn needs_file(format: TraceFormat, path: Option<&str>, is_data: bool) -> Result<(), String> {
    match format.is_single() && path.is_none() && !is_data {
        true => {
            Err("--trace-format html and svg need --trace-file: standard output has the table".to_string())
        }
        false => Ok(()),
    }
}

/// Refuses several runs in such a document.
pub fn one_run(format: TraceFormat, runs: u64) -> Result<(), String> {
    match format.is_single() && runs > 1 {
        true => Err("--trace-format html and svg show one run: leave out --runs".to_string()),
        false => Ok(()),
    }
}

/// Writes each trace to a file of its own: the first to the one that was named, the others beside it.
pub fn store(texts: &[&str], target: &Target, path: &str, shell: &Shell) -> Exit {
    let mut exit = shell.store(target, texts.first().copied().unwrap_or_default().as_bytes());
    for (number, text) in (2..).zip(texts.iter().skip(1)) {
        if exit != Exit::Fine {
            break;
        }
        exit = match shell.target(&numbered(path, number)) {
            Ok(target) => shell.store(&target, text.as_bytes()),
            Err(exit) => exit,
        };
    }
    exit
}

/// `run.html` becomes `run-2.html`.
pub fn numbered(path: &str, number: usize) -> String {
    let file = path.rfind(['/', '\\']).map_or(0, |at| at + 1);
    match path[file..].rfind('.') {
        Some(dot) if dot > 0 => format!("{}-{number}{}", &path[..file + dot], &path[file + dot..]),
        _ => format!("{path}-{number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::numbered;

    #[test]
    fn numbers_come_before_the_extension() {
        assert_eq!(numbered("run.html", 2), "run-2.html");
        assert_eq!(numbered("a.b/run", 3), "a.b/run-3");
        assert_eq!(numbered("a/.hidden", 2), "a/.hidden-2");
        assert_eq!(numbered("a/ü.x.svg", 12), "a/ü.x-12.svg");
    }
}
