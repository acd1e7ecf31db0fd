//! `swarmcheck collect`: the journals of a sweep that several machines have done become one table.

use crate::arguments::CollectArguments;
use crate::commands::sweep::finish::Finish;
use crate::commands::sweep::keep;
use crate::exit::Exit;
use crate::shell::Shell;
use std::path::Path;
use swarmcheck_sweep::journal::{CollectFault, Collected, Journal};

/// Puts journals together.
pub fn run(arguments: &CollectArguments, shell: &Shell) -> Exit {
    match collected(arguments, shell) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn collected(arguments: &CollectArguments, shell: &Shell) -> Result<Exit, Exit> {
    shell.limits(&arguments.limits);
    let out = arguments.out.as_deref();
    let paths = match (&arguments.journals[..], out) {
        ([], None) => {
            return Err(
                shell.usage("name the journals, or --out FILE: then those that belong to it are taken")
            );
        }
        ([], Some(out)) => beside(out),
        (journals, _) => journals.to_vec(),
    };
    if paths.is_empty() {
        return Err(shell.usage(&format!("there are no journals {}.*.journal", out.unwrap_or_default())));
    }
    let target = out.map(|path| shell.target(path)).transpose()?;
    let known = gather(&paths, shell)?;
    let missing = known.missing();
    if !missing.is_empty() {
        let why = lacks(&known, &paths, &missing);
        if !arguments.partial {
            shell.failure(&format!(
                "{why}\nWhen they are done, collect again; --partial writes what is there."
            ));
            return Err(Exit::Inconclusive);
        }
        shell.note(&why);
    }
    let written = Finish::new(&known, target.as_ref(), out.unwrap_or_default()).write(shell);
    Ok(if missing.is_empty() { written } else { written.and(Exit::Inconclusive) })
}

/// The journals that belong to a table, in a fixed order.
fn beside(out: &str) -> Vec<String> {
    let path = Path::new(out);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Some(name) = path.file_name().map(|name| name.to_string_lossy().to_string()) else { return vec![] };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().to_string());
    let belongs = |other: &String| {
        other.strip_prefix(&name).is_some_and(|rest| {
            rest == ".journal" || rest.starts_with(".shard-") && rest.ends_with(".journal")
        })
    };
    let mut names: Vec<String> = names.filter(belongs).collect();
    names.sort();
    let place = |name: String| match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => folder.join(name).display().to_string(),
        None => name,
    };
    names.into_iter().map(place).collect()
}

/// Reads journals and puts them together; otherwise everything has been said.
pub fn gather(paths: &[String], shell: &Shell) -> Result<Collected, Exit> {
    let mut journals: Vec<Journal> = vec![];
    let mut used: Vec<&String> = vec![];
    for path in paths {
        match keep::read(path) {
            Ok(Some(journal)) => {
                journals.push(journal);
                used.push(path);
            }
            Ok(None) if Path::new(path).exists() => shell.note(&format!("{path} is empty")),
            Ok(None) => return Err(shell.usage(&format!("cannot read {path}: there is no such file"))),
            Err(why) => return Err(shell.usage(&why)),
        }
    }
    Collected::new(journals).map_err(|fault| match fault {
        CollectFault::Nothing => shell.usage("no journal has begun yet"),
        CollectFault::Different(one, other, why) => shell.usage(&format!(
            "{} and {} are journals of different sweeps:\n  {}",
            used[one],
            used[other],
            why.join("\n  ")
        )),
        CollectFault::Contradiction(point, one, other) => shell.failure(&format!(
            "{} and {} have different results for point {point}: one of them was made with another program or machine",
            used[one], used[other]
        )),
    })
}

/// What is missing, by part if there are parts.
fn lacks(known: &Collected, paths: &[String], missing: &[usize]) -> String {
    let count = known.header.points.count;
    let mut out = format!("{} of {count} points are missing", missing.len());
    // The parts are told by the names of the files, as far as they have such names.
    let of = paths.iter().filter_map(|path| {
        let rest = path.strip_suffix(".journal")?.rsplit_once("-of-")?.1;
        rest.parse::<usize>().ok()
    });
    let Some(of) = of.max().filter(|of| *of > 0) else { return out };
    for part in 0..of {
        let lost = missing.iter().filter(|point| **point % of == part).count();
        if lost > 0 {
            let all = (count + of - 1 - part) / of;
            out += &format!("\n  part {} of {of}: {lost} of its {all} points", part + 1);
        }
    }
    out
}
