//! `swarmcheck show`.

use crate::files;
use crate::terminal::Terminal;
use clap::ArgMatches;
use swarmcheck_session::Exit;
use swarmcheck_session::show::{Shape, show};

/// Prints a model in another shape.
pub fn run(matches: &ArgMatches, terminal: &Terminal) -> Exit {
    let prepared = match files::prepared(matches, terminal) {
        Ok(prepared) => prepared,
        Err(exit) => return exit,
    };
    let word = matches.get_one::<String>("as").map_or("triples", String::as_str);
    let shape =
        Shape::TABLE.iter().find(|(_, name)| *name == word).map_or(Shape::Triples, |(shape, _)| *shape);
    match show(&prepared, shape) {
        Some(text) => terminal.print(&text),
        None => terminal.usage(&format!("--as {word} is for choreographies")),
    }
}
