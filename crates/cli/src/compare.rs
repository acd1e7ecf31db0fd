//! `swarmcheck compare`.

use crate::running::{Limits, ProgressLine};
use crate::terminal::Terminal;
use crate::{arguments, files, verify};
use clap::ArgMatches;
use std::io::{self, IsTerminal};
use swarmcheck_session::Exit;
use swarmcheck_session::compare::{RELATIONS, Side, compare, open};
use swarmcheck_session::verify::{Budget, Control};

/// Says whether two models behave alike.
pub fn run(matches: &ArgMatches, terminal: &Terminal) -> Exit {
    let word = matches.get_one::<String>("by").map_or("branching", String::as_str);
    let Some((relation, _)) = RELATIONS.iter().find(|(_, name)| *name == word) else {
        return terminal.usage(&format!("there is no relation {word:?}"));
    };
    let names = ["FIRST", "SECOND"].map(|n| matches.get_one::<String>(n).map_or("", String::as_str));
    let bounds = match bounds(matches, terminal) {
        Ok(bounds) => bounds,
        Err(exit) => return exit,
    };
    let sides = match side(names[0], terminal).and_then(|a| Ok([a, side(names[1], terminal)?])) {
        Ok(sides) => sides,
        Err(exit) => return exit,
    };
    limited(bounds, terminal, |control| {
        let compared = compare(&sides, *relation, control)?;
        let text = match matches.get_flag("json") {
            true => format!("{:#}\n", compared.data(names, word)),
            false => compared.text(names, word),
        };
        Ok((compared.exit, text))
    })
}

/// The limits that the options set. The clock runs from here on, so that reading the files counts.
pub fn bounds(matches: &ArgMatches, terminal: &Terminal) -> Result<(Limits, Budget), Exit> {
    let limits = arguments::timeout(matches).and_then(|t| Ok((t, arguments::size(matches, "memory")?)));
    let (timeout, memory) = limits.map_err(|message| terminal.usage(&message))?;
    Ok((Limits::start(timeout), Budget { memory: memory.or_else(verify::free_memory) }))
}

/// Works under limits, and prints what comes of it.
pub fn limited(
    (limits, budget): (Limits, Budget),
    terminal: &Terminal,
    work: impl FnOnce(&Control<'_>) -> Result<(Exit, String), (Exit, String)>,
) -> Exit {
    let line = ProgressLine::new(!terminal.quiet && io::stderr().is_terminal(), "states");
    let result = work(&Control { stop: &limits.stop, budget, progress: &line });
    line.clear();
    match result {
        Err((Exit::Interrupted, _)) if limits.expired() => {
            terminal.failure("the time limit was reached");
            Exit::TimeLimit
        }
        Err((exit, why)) => {
            terminal.failure(&why);
            exit
        }
        Ok((exit, text)) => {
            let printed = terminal.print(&text);
            if printed == Exit::Fine { exit } else { printed }
        }
    }
}

fn side(name: &str, terminal: &Terminal) -> Result<Side, Exit> {
    let (name, bytes) = files::read(name, terminal)?;
    let side = open(&name, &bytes).map_err(|trouble| files::complain(trouble, terminal))?;
    if let Side::Model(prepared) = &side {
        terminal.diagnostics(&prepared.file, &prepared.warnings);
    }
    Ok(side)
}
