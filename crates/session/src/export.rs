//! A model for other tools: which targets there are, and what each writes.

use crate::exit::Exit;
use crate::lts::{LtsFormat, LtsOptions, lts};
use crate::open::Prepared;
use crate::verify::wanted;
use swarmcheck_aig::{System, aiger, btor2};
use swarmcheck_engine::{Control, Reason, Subject, Task};
use swarmcheck_export::{Export, TARGETS, Target};
use swarmcheck_symbolic::elsewhere;

/// A file to be written.
pub struct File {
    /// Its name, with extension and without directories.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

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

/// A target that is made from the bits of a model: its name, a line about it, the extension of files, and how it is written.
type Circuit = (&'static str, &'static str, &'static str, fn(&System) -> Vec<u8>);

/// Targets that are made from the bits of a model and the question about one property.
const CIRCUITS: &[Circuit] = &[
    (
        "aiger",
        "the question about a property as an and-inverter graph, for ABC and other model checkers",
        "aig",
        aiger::binary,
    ),
    ("btor2", "the same as lines of BTOR2, for AVR, Pono and others", "btor2", |system| {
        btor2::text(system).into_bytes()
    }),
];

/// All targets with a line about each.
pub fn targets() -> Vec<(&'static str, &'static str)> {
    let programs = TARGETS.iter().map(|t| (t.name, t.about));
    let circuits = CIRCUITS.iter().map(|(name, about, ..)| (*name, *about));
    programs.chain(circuits).chain(GRAPHS.iter().map(|(name, about, _)| (*name, *about))).collect()
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
        return Ok(vec![File { name: format!("states.{name}"), bytes: text.into_bytes() }]);
    }
    if let Some((_, _, extension, write)) = CIRCUITS.iter().find(|(name, ..)| *name == options.target) {
        let system = circuit(prepared, options, property, control)?;
        return Ok(vec![File { name: format!("question.{extension}"), bytes: write(&system) }]);
    }
    let Some(target) = TARGETS.iter().find(|t| t.name == options.target) else {
        let names: Vec<&str> = targets().into_iter().map(|(name, _)| name).collect();
        let why = format!("no target is called '{}': there are {}", options.target, names.join(", "));
        return Err((Exit::Usage, why));
    };
    let written = written(prepared, target, property, options.bound)
        .map_err(|why| (Exit::Usage, format!("{}: {why}", target.name)))?;
    let file = |file: swarmcheck_export::File| File { name: file.name, bytes: file.text.into_bytes() };
    Ok(written.into_iter().map(file).collect())
}

/// What a target writes about a model, or why it refuses.
pub(crate) fn written(
    prepared: &Prepared,
    target: &Target,
    property: Option<usize>,
    bound: Option<u32>,
) -> Result<Vec<swarmcheck_export::File>, String> {
    let export = Export {
        program: &prepared.flat.program,
        flat: &prepared.flat,
        property,
        bound,
        file: &prepared.file,
    };
    (target.write)(&export).map_err(|refusal| refusal.why)
}

/// The question about a property as a system of bits.
fn circuit(
    prepared: &Prepared,
    options: &ExportOptions,
    property: Option<usize>,
    control: &Control<'_>,
) -> Result<System, (Exit, String)> {
    let refuse = |why: &str| Err((Exit::Usage, format!("{}: {why}", options.target)));
    let Some(property) = property else {
        return refuse("a file has one question: name a property with --property");
    };
    if options.bound.is_some() {
        return refuse("how deep to look is for the other tool to say: leave out --steps");
    }
    let found = elsewhere::circuit(&Task::new(&prepared.flat), Subject::Property(property), control);
    found.map_err(|reason| match reason {
        Reason::Unsupported(why) => (Exit::Usage, format!("{}: {why}", options.target)),
        Reason::Interrupted => (Exit::Interrupted, reason.to_string()),
        Reason::Memory | Reason::Internal(_) => (Exit::Failure, reason.to_string()),
    })
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
