//! `swarmcheck plot`.

use crate::arguments::PlotArguments;
use crate::exit::Exit;
use crate::inputs;
use crate::output::distinct;
use crate::plotting;
use crate::shell::Shell;
use crate::terminal::Said;
use swarmcheck_session::plot::svg;
use swarmcheck_sweep::table::Table;

/// Draws a table.
pub fn run(arguments: &PlotArguments, shell: &Shell) -> Exit {
    match drawn(arguments, shell) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn drawn(arguments: &PlotArguments, shell: &Shell) -> Result<Exit, Exit> {
    let outputs: Vec<(&str, &str)> =
        arguments.output.iter().map(|path| ("--output", path.as_str())).collect();
    distinct(&[&arguments.table], &outputs).map_err(|e| shell.usage(&e))?;
    let text = inputs::text(&arguments.table, &arguments.limits, shell)?;
    // A table in CSV begins with names, and a JSON line with a brace.
    let table = match text.trim_start().starts_with('{') {
        true => Table::from_jsonl(&text),
        false => Table::from_csv(&text),
    };
    let table = table.map_err(|fault| shell.usage(&format!("{} is no table: {fault}", arguments.table)))?;
    let options = arguments.what.options();
    if let Some(path) = &arguments.output {
        return Ok(plotting::store(&table, &options, path, shell));
    }
    let plot = plotting::plot(&table, &options).map_err(|fault| shell.usage(&fault.to_string()))?;
    Ok(shell.print_as(&svg(&plot), Said::Data))
}
