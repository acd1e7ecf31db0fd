//! A model for other tools: which targets there are, and what each writes.

mod process;

use crate::estimate::SchedulerWord;
use crate::lts::{LtsFormat, LtsOptions, lts};
use crate::open::Prepared;
use crate::refusal::Refusal;
use crate::verify::{question_of, wanted};
use serde::{Deserialize, Serialize};
use swarmcheck_aig::{System, aiger, btor2};
use swarmcheck_engine::{Control, Reason, Subject, Task};
use swarmcheck_export::{Asks, Export, TARGETS, Target};
use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::{Modality, Program};
use swarmcheck_portfolio::memory::limited;
use swarmcheck_symbolic::elsewhere;

/// A file to be written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct File {
    /// Its name, with extension and without directories.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// What to write.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ExportOptions {
    /// One of [`targets`].
    pub target: String,
    /// The property, if one was named.
    pub property: Option<String>,
    /// Only executions of this many steps.
    pub bound: Option<u32>,
    /// For chains and decision processes: what decides which step is made.
    #[serde(default)]
    pub scheduler: SchedulerWord,
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
    let graphs = GRAPHS.iter().map(|(name, about, _)| (*name, *about));
    let processes = process::PROCESSES.iter().map(|(name, about, _)| (*name, *about));
    programs.chain(circuits).chain(graphs).chain(processes).collect()
}

/// The files, or why there are none.
pub fn export(
    prepared: &Prepared,
    options: &ExportOptions,
    control: &Control<'_>,
) -> Result<Vec<File>, Refusal> {
    if let Some((name, _, format)) = GRAPHS.iter().find(|(name, ..)| *name == options.target) {
        chosen(prepared, options, Asks::Nothing)?;
        let options = LtsOptions { format: *format, ..LtsOptions::default() };
        let written = lts(prepared, options, control).map_err(|refusal| match refusal {
            large @ Refusal::TooManyToDraw { .. } => {
                Refusal::Target { target: name.to_string(), why: crate::words::refusal(&large) }
            }
            other => other,
        })?;
        return Ok(vec![File { name: format!("states.{name}"), bytes: written.text.into_bytes() }]);
    }
    if let Some((.., format)) = process::PROCESSES.iter().find(|(name, ..)| *name == options.target) {
        let property = chosen(prepared, options, Asks::Each)?;
        return ended(control, |control| process::files(prepared, options, *format, property, control));
    }
    if let Some((_, _, extension, write)) = CIRCUITS.iter().find(|(name, ..)| *name == options.target) {
        let property = chosen(prepared, options, Asks::One)?;
        let write = |system| write(&system);
        let bytes = ended(control, |control| circuit(prepared, options, property, control).map(write))?;
        return Ok(vec![File { name: format!("question.{extension}"), bytes }]);
    }
    let Some(target) = TARGETS.iter().find(|t| t.name == options.target) else {
        let targets = targets().into_iter().map(|(name, _)| name.to_string()).collect();
        return Err(Refusal::NoSuchTarget { name: options.target.clone(), targets });
    };
    let property = chosen(prepared, options, target.asks)?;
    let refused = |why| Refusal::Target { target: target.name.to_string(), why };
    let written = ended(control, |_| written(prepared, target, property, options.bound).map_err(refused))?;
    let file = |file: swarmcheck_export::File| File { name: file.name, bytes: file.text.into_bytes() };
    Ok(written.into_iter().map(file).collect())
}

/// Writes within the limits on memory and time.
fn ended<T: Send>(
    control: &Control<'_>,
    write: impl FnOnce(&Control<'_>) -> Result<T, Refusal> + Send,
) -> Result<T, Refusal> {
    match limited(control, write) {
        // Who was stopped without being asked to had too little memory.
        Ok(Err(Refusal::Unfinished { reason: crate::outcome::Reason::Interrupted }))
            if !control.stopped() =>
        {
            Err(Refusal::unfinished(Reason::Memory))
        }
        Ok(done) => done,
        Err(reason) => Err(Refusal::unfinished(reason)),
    }
}

/// What a target writes about a model, or why it refuses.
fn written(
    prepared: &Prepared,
    target: &Target,
    property: Option<usize>,
    bound: Option<u32>,
) -> Result<Vec<swarmcheck_export::File>, String> {
    // Where no property is named, a file is about all of them; but not about the negation of one.
    let properties = &prepared.flat.program.properties;
    let possible = |number: &usize| property.is_none() && prepared.model.is_possibility(*number);
    let left_out: Vec<&str> =
        (0..properties.len()).filter(possible).map(|number| properties[number].name.as_str()).collect();
    let rest = (!left_out.is_empty()).then(|| {
        let mut program = Program::clone(&prepared.flat.program);
        program.properties.retain(|property| !left_out.contains(&property.name.as_str()));
        Flat::new(program)
    });
    let flat = rest.as_ref().unwrap_or(&prepared.flat);
    let export =
        Export { program: &flat.program, flat, property, formulas: &left_out, bound, file: &prepared.file };
    (target.write)(&export).map_err(|refusal| refusal.why)
}

/// The question about a property as a system of bits.
fn circuit(
    prepared: &Prepared,
    options: &ExportOptions,
    property: Option<usize>,
    control: &Control<'_>,
) -> Result<System, Refusal> {
    let target = options.target.clone();
    let Some(property) = property else {
        return Err(Refusal::NameOneProperty { target });
    };
    if options.bound.is_some() {
        return Err(Refusal::NoBound { target });
    }
    let found = elsewhere::circuit(&Task::new(&prepared.flat), Subject::Property(property), control);
    found.map_err(|reason| match reason {
        Reason::Unsupported(why) => Refusal::Target { target, why },
        reason => Refusal::unfinished(reason),
    })
}

/// The property that was named, or the only one there is, for a target that asks so much about it.
///
/// Where one execution is enough, the program has the negation, and another verifier's answer about it would be taken for
/// one about the property: a target that asks something refuses it.
fn chosen(prepared: &Prepared, options: &ExportOptions, asks: Asks) -> Result<Option<usize>, Refusal> {
    let refused = |why: String| Err(Refusal::Target { target: options.target.clone(), why });
    let claims = &prepared.flat.program.properties;
    let possible = |number: usize| prepared.model.is_possibility(number);
    let asked = options.property.as_deref();
    let ambiguous = (0..claims.len()).find(|number| {
        let reading = prepared.model.reading(*number);
        reading.is_some_and(|reading| asked.is_none_or(|name| name == reading.of))
    });
    if let (Some(number), false) = (ambiguous, asks == Asks::Nothing) {
        let name = question_of(prepared, number);
        let choose = "add parentheses, or choose with --precedence";
        return refused(format!("`{name}` can be read in two ways, and a file has one: {choose}"));
    }
    let Some(name) = &options.property else {
        return match claims.as_slice() {
            [_] if !possible(0) => Ok(Some(0)),
            [only] if asks == Asks::One => refused(inexpressible(&only.name)),
            _ => Ok(None),
        };
    };
    let found = wanted(prepared, std::slice::from_ref(name))?;
    let number = found.first().copied();
    if asks != Asks::Nothing && number.is_some_and(possible) {
        return refused(inexpressible(name));
    }
    let watched = |p: usize| !matches!(claims[p].modality, Modality::Scoped { .. } | Modality::Linear(_));
    if asks == Asks::Watches && !number.is_none_or(watched) {
        return refused(format!(
            "`{name}` is about whole executions, and a simulator looks at one state at a time"
        ));
    }
    Ok(number)
}

fn inexpressible(name: &str) -> String {
    format!(
        "`{name}` asks whether an execution exists, and this target asks about all executions: write the negation with `ltl`"
    )
}
