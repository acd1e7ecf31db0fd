//! Verifiers of C programs as back ends: the program is written for them, and what they find is made again here.

use super::{Backend, all_exported, bound, said, unconfirmed};
use crate::open::Prepared;
use crate::verify::VerifyOptions;
use crate::verify::trail::{between, execution};
use swarmcheck_engine::{Control, Reason, Subject, Verdict};
use swarmcheck_external::c::{self, Asked, CQuestion, Kept, VERIFIERS, Verifier};
use swarmcheck_external::{Reading, Tools, Way};
use swarmcheck_ir::Modality;
use swarmcheck_ir::program::Role;

/// The verifier that a back end stands for.
fn verifier(backend: Backend) -> Option<&'static Verifier> {
    VERIFIERS.iter().find(|verifier| verifier.name.to_lowercase() == backend.name())
}

/// Lets a verifier of C programs decide.
pub(super) fn by_program(
    prepared: &Prepared,
    options: &VerifyOptions,
    backend: Backend,
    subject: Subject,
    tools: &mut dyn Tools,
    control: &Control<'_>,
) -> Verdict {
    let unsupported = |why: String| Verdict::Unknown(Reason::Unsupported(why));
    let internal = |why: String| Verdict::Unknown(Reason::Internal(why));
    let Some(verifier) = verifier(backend) else {
        return internal(format!("nobody reads what {} writes", backend.name()));
    };
    let name = verifier.name;
    let Subject::Property(number) = subject else {
        return unsupported(format!(
            "{name} is not asked about deadlocks; the built-in engines and Spin are"
        ));
    };
    let modality = &prepared.flat.program.properties[number].modality;
    let last = bound(prepared, options, Some(number));
    if last.is_none() && !verifier.unbounded {
        return too_long(name);
    }
    if options.ignore_deadlock && last.is_none() && *modality != Modality::Always {
        return unsupported(format!("{name} does not excuse executions that stop"));
    }
    let mut files = match all_exported(prepared, options, verifier.target, Some(number)) {
        Ok(files) => files.into_iter().map(|file| (file.name, file.text)),
        Err(why) => return unsupported(why),
    };
    let Some((_, program)) = files.next() else { return internal("the target wrote nothing".to_string()) };
    let others: Vec<(String, String)> = files.collect();
    let rounds = last.map(|steps| rounds(prepared, steps));
    let question = CQuestion { program: &program, others: &others, rounds, memory: control.budget.memory };
    match verifier.ask(tools, &question) {
        Ok(Asked::Missing(how)) => unsupported(how),
        Ok(Asked::Stopped) => Verdict::Unknown(Reason::Interrupted),
        Ok(Asked::Memory) => Verdict::Unknown(Reason::Memory),
        Ok(Asked::Said(kept)) => verdict(prepared, options, verifier, number, &kept).unwrap_or_else(internal),
        Err(unreadable) => internal(unreadable.why),
    }
}

/// No loop of the program has more rounds, the last look at its condition included. Loops are those over steps, over agents,
/// over cells, and over ranks from 0 to the largest. CSeq relies on that; the others say themselves if it is not enough.
fn rounds(prepared: &Prepared, steps: u32) -> usize {
    let program = &prepared.flat.program;
    let orders = program.vars.iter().filter(|var| var.role == Role::Order);
    let ranks = orders.filter_map(|var| usize::try_from(var.domain?.1).ok()).max().unwrap_or(0);
    (steps as usize).max(prepared.flat.width()).max(program.agents() as usize).max(ranks) + 2
}

/// Without a bound, a verifier is not asked, and not believed, that has one.
fn too_long(name: &str) -> Verdict {
    Verdict::Unknown(Reason::Unsupported(format!(
        "{name} looks at executions of a given number of steps, and none was given"
    )))
}

/// What a kept answer says.
pub(super) fn kept(
    prepared: &Prepared,
    options: &VerifyOptions,
    backend: Backend,
    property: Option<usize>,
    found: &str,
) -> Result<Verdict, String> {
    let verifier = verifier(backend).ok_or("nobody reads what it writes")?;
    let number = property.ok_or_else(|| format!("{} is not asked about deadlocks", verifier.name))?;
    let unbounded = bound(prepared, options, property).is_none();
    let kept = Kept { output: found.to_string(), unbounded, ..Kept::default() };
    verdict(prepared, options, verifier, number, &kept)
}

/// What an answer says about a property.
fn verdict(
    prepared: &Prepared,
    options: &VerifyOptions,
    verifier: &Verifier,
    number: usize,
    kept: &Kept,
) -> Result<Verdict, String> {
    let name = verifier.name;
    let property = prepared.flat.program.properties.get(number).ok_or("there is no such property")?;
    let reading =
        verifier.answer(kept).and_then(|answer| c::translate(answer, &prepared.flat, &property.name));
    Ok(match reading.map_err(|unreadable| format!("{name}: {}", unreadable.why))? {
        Reading::Holds if kept.unbounded && !verifier.unbounded => too_long(name),
        Reading::Holds => said(prepared, options, Some(number), name),
        Reading::Unknown(why) => Verdict::Unknown(Reason::Unsupported(format!("{name}: {why}"))),
        Reading::Claimed(why) => unconfirmed(name, &why),
        Reading::Violated(way) => follow(prepared, options, number, &way, false)
            .map_err(|why| format!("the counterexample of {name} is wrong: {why}"))?,
        Reading::Broken(mut way) => {
            // The step that is an error leaves the state as it was.
            way.states.extend(way.states.last().cloned());
            follow(prepared, options, number, &way, true)
                .map_err(|why| format!("the counterexample of {name} is wrong: {why}"))?
        }
    })
}

/// The verdict that an execution stands for; `broken` tells that its last step is an error of the model.
fn follow(
    prepared: &Prepared,
    options: &VerifyOptions,
    number: usize,
    way: &Way,
    broken: bool,
) -> Result<Verdict, String> {
    let trail = between(&prepared.flat, way, broken)?;
    Ok(execution(&prepared.flat, Some(number), options.steps, &trail))
}
