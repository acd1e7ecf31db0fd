//! `swarmcheck realize`.

use crate::compare::{bounds, limited};
use crate::files;
use crate::terminal::Terminal;
use clap::ArgMatches;
use swarmcheck_session::Exit;
use swarmcheck_session::realize::{open, realize};

/// Says whether the peers of a choreography do what it says.
pub fn run(matches: &ArgMatches, terminal: &Terminal) -> Exit {
    let path = matches.get_one::<String>("FILE").map_or("", String::as_str);
    let bounds = match bounds(matches, terminal) {
        Ok(bounds) => bounds,
        Err(exit) => return exit,
    };
    let (name, bytes) = match files::read(path, terminal) {
        Ok(read) => read,
        Err(exit) => return exit,
    };
    let both = match open(&name, &bytes) {
        Ok(both) => both,
        Err(trouble) => return files::complain(trouble, terminal),
    };
    limited(bounds, terminal, |control| {
        let realized = realize(both, control)?;
        let text = match matches.get_flag("json") {
            true => format!("{:#}\n", realized.data(&name)),
            false => realized.text(&name),
        };
        Ok((realized.exit, text))
    })
}
