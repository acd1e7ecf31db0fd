//! CADP as a back end: the sequential program in LNT, one query in MCL, and diagnostics made again here.

use super::{exported, said, unconfirmed};
use crate::open::Prepared;
use crate::verify::VerifyOptions;
use crate::verify::trail::execution;
use swarmcheck_engine::{Reason, Subject, Verdict};
use swarmcheck_external::Tools;
use swarmcheck_external::cadp::{self, CadpAnswer, CadpQuestion};
use swarmcheck_ir::Modality;

/// Lets CADP decide.
pub(super) fn by_cadp(
    prepared: &Prepared,
    options: &VerifyOptions,
    subject: Subject,
    tools: &mut dyn Tools,
) -> Verdict {
    let unsupported = |why: &str| Verdict::Unknown(Reason::Unsupported(why.to_string()));
    let Subject::Property(number) = subject else {
        return unsupported("CADP is not asked about deadlocks; the built-in engines and Spin are");
    };
    if options.ignore_deadlock {
        return unsupported("CADP does not excuse executions that stop");
    }
    let written = exported(prepared, options, "mcl", Some(number))
        .and_then(|query| Ok((query, exported(prepared, options, "lnt", Some(number))?)));
    let (query, module) = match written {
        Ok(written) => written,
        Err(why) => return unsupported(&why),
    };
    let finite = shape(prepared, number) == Some(Shape::Finite);
    match cadp::ask(tools, &CadpQuestion { module: &module, query: &query, finite }) {
        Err(unreadable) => Verdict::Unknown(Reason::Internal(unreadable.why)),
        Ok(CadpAnswer::Missing(how)) => unsupported(&how),
        Ok(CadpAnswer::Stopped) => Verdict::Unknown(Reason::Interrupted),
        Ok(CadpAnswer::Memory) => Verdict::Unknown(Reason::Memory),
        Ok(CadpAnswer::Holds) => said(prepared, options, Some(number), "CADP"),
        Ok(CadpAnswer::Violated(Err(why))) => unconfirmed("CADP", &why),
        Ok(CadpAnswer::Violated(Ok(diagnostic))) => violated(prepared, options, number, &diagnostic),
    }
}

/// What a kept diagnostic says.
pub(super) fn kept(
    prepared: &Prepared,
    options: &VerifyOptions,
    property: Option<usize>,
    found: &str,
) -> Result<Verdict, String> {
    let number = property.ok_or("CADP is not asked about deadlocks")?;
    Ok(violated(prepared, options, number, found))
}

/// What executions that violate a property look like.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// They end where the condition fails.
    Finite,
    /// They go on for ever, or stop.
    Maximal,
}

/// The shape of violations; `None` if they are no single executions.
fn shape(prepared: &Prepared, number: usize) -> Option<Shape> {
    match prepared.flat.program.properties.get(number)?.modality {
        Modality::Always | Modality::After(_) | Modality::Scoped { .. } => Some(Shape::Finite),
        Modality::Eventually | Modality::Finally => Some(Shape::Maximal),
        _ => None,
    }
}

fn violated(prepared: &Prepared, options: &VerifyOptions, number: usize, diagnostic: &str) -> Verdict {
    let Some(shape) = shape(prepared, number) else {
        return unconfirmed("CADP", "no single execution shows that something cannot be reached");
    };
    match cadp::follow(diagnostic, &prepared.flat, shape == Shape::Maximal) {
        Ok(trail) => execution(&prepared.flat, Some(number), options.steps, &trail),
        Err(unreadable) => unconfirmed("CADP", &unreadable.why),
    }
}
