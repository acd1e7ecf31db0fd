//! A model for other tools: which targets there are, and what each writes.

use crate::exit::Exit;
use crate::lts::{LtsFormat, LtsOptions, lts};
use crate::open::Prepared;
use crate::verify::wanted;
use swarmcheck_engine::Control;
pub use swarmcheck_export::File;
use swarmcheck_export::{Export, TARGETS};

/// What to write.
#[derive(Clone, Debug, Default)]
pub struct ExportOptions {
    /// The word given to `--to`.
    pub target: String,
    /// The property, if one was named.
    pub property: Option<String>,
    /// Only executions of this many steps.
    pub bound: Option<u32>,
}

/// Targets that are made from the states of a model, not from its program.
const GRAPHS: &[(&str, &str, LtsFormat)] = &[
    ("aut", "all states and steps in Aldebaran format, for CADP and mCRL2", LtsFormat::Aut),
    ("dot", "all states and steps as a drawing for Graphviz' dot", LtsFormat::Dot),
];

/// All targets with a line about each.
pub fn targets() -> Vec<(&'static str, &'static str)> {
    let programs = TARGETS.iter().map(|t| (t.name, t.about));
    programs.chain(GRAPHS.iter().map(|(name, about, _)| (*name, *about))).collect()
}

/// The files, or why there are none.
pub fn export(
    prepared: &Prepared,
    options: &ExportOptions,
    control: &Control<'_>,
) -> Result<Vec<File>, (Exit, String)> {
    let property = property(prepared, options)?;
    if let Some((name, _, format)) = GRAPHS.iter().find(|(name, ..)| *name == options.target) {
        let (text, _) = lts(prepared, LtsOptions { format: *format, minimise: None }, control)?;
        return Ok(vec![File { name: format!("states.{name}"), text }]);
    }
    let Some(target) = TARGETS.iter().find(|t| t.name == options.target) else {
        let names: Vec<&str> = targets().into_iter().map(|(name, _)| name).collect();
        let why = format!("no target is called '{}': there are {}", options.target, names.join(", "));
        return Err((Exit::Usage, why));
    };
    let export = Export {
        program: &prepared.flat.program,
        flat: &prepared.flat,
        property,
        bound: options.bound,
        origin: prepared.file.name(),
    };
    (target.write)(&export).map_err(|refusal| (Exit::Usage, format!("{}: {}", target.name, refusal.why)))
}

/// The property that was named, or the only one there is.
fn property(prepared: &Prepared, options: &ExportOptions) -> Result<Option<usize>, (Exit, String)> {
    let Some(name) = &options.property else {
        return Ok((prepared.flat.program.properties.len() == 1).then_some(0));
    };
    match wanted(prepared, std::slice::from_ref(name)) {
        Ok(found) => Ok(found.first().copied()),
        Err(missing) => Err((Exit::Usage, missing.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use crate::options;

    #[test]
    fn the_command_line_offers_all_targets() {
        let known: Vec<&str> = super::targets().into_iter().map(|(name, _)| name).collect();
        assert_eq!(options::option("to").map(|o| o.choices), Some(known.as_slice()));
    }
}
