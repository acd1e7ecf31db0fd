//! NuSMV and nuXmv as back ends: which of their verdicts is about the property, and what their counterexamples stand for.

use super::{exported, said};
use crate::open::Prepared;
use crate::verify::VerifyOptions;
use crate::verify::trail::{between, execution};
use swarmcheck_engine::{Reason, Subject, Verdict};
use swarmcheck_external::nuxmv::{self, SmvCounterexample};
use swarmcheck_external::spin::Trail;
use swarmcheck_external::{Ended, Ran, Tools};

/// Lets nuXmv or NuSMV decide.
pub(super) fn by_nuxmv(
    prepared: &Prepared,
    options: &VerifyOptions,
    subject: Subject,
    tools: &mut dyn Tools,
) -> Verdict {
    let unsupported = |why: String| Verdict::Unknown(Reason::Unsupported(why));
    if options.ignore_deadlock {
        return unsupported("nuXmv does not excuse executions that stop".to_string());
    }
    let property = subject.property();
    let module = match exported(prepared, options, "smv", property) {
        Ok(module) => module,
        Err(why) => return unsupported(why),
    };
    match nuxmv::ask(tools, &module) {
        Err(unreadable) => Verdict::Unknown(Reason::Internal(unreadable.why)),
        Ok(nuxmv::SmvAnswer::Missing(how)) => unsupported(how),
        Ok(nuxmv::SmvAnswer::Stopped) => Verdict::Unknown(Reason::Interrupted),
        Ok(nuxmv::SmvAnswer::Memory) => Verdict::Unknown(Reason::Memory),
        Ok(nuxmv::SmvAnswer::Said(verdicts, who)) => {
            smv_verdict(prepared, options, property, &module, &verdicts, who)
        }
    }
}

/// What a kept answer says.
pub(super) fn kept(
    prepared: &Prepared,
    options: &VerifyOptions,
    property: Option<usize>,
    found: &str,
) -> Result<Verdict, String> {
    let module = exported(prepared, options, "smv", property)?;
    let ran = Ran { ended: Ended::Code(0), output: found.to_string(), errors: String::new() };
    let verdicts = nuxmv::read(&ran).map_err(|unreadable| unreadable.why)?;
    Ok(smv_verdict(prepared, options, property, &module, &verdicts, nuxmv::author(found)))
}

/// What the verdicts about the specifications of a module say about the property. There is one specification for it, and
/// another one before it where an error of the model is possible.
fn smv_verdict(
    prepared: &Prepared,
    options: &VerifyOptions,
    property: Option<usize>,
    module: &str,
    verdicts: &[nuxmv::SmvVerdict],
    who: &'static str,
) -> Verdict {
    let internal = |why: &str| Verdict::Unknown(Reason::Internal(why.to_string()));
    let errors = module.contains("\nINVARSPEC NAME no_model_error ");
    let is_invariant = module.matches("\nINVARSPEC NAME ").count() == 1 + usize::from(errors);
    let (invariants, others): (Vec<_>, Vec<_>) = verdicts.iter().partition(|v| v.invariant);
    let (error, main) = match (errors, is_invariant, invariants.as_slice(), others.as_slice()) {
        (false, true, [main], []) | (false, false, [], [main]) => (None, *main),
        (true, true, [error, main], []) | (true, false, [error], [main]) => (Some(*error), *main),
        _ => return internal(&format!("{who} has not answered what it was asked")),
    };
    let (shown, broken) = match (error, main) {
        (Some(error), _) if !error.holds => (&error.shown, true),
        (_, main) if !main.holds => (&main.shown, false),
        _ => {
            return said(prepared, options, property, who);
        }
    };
    let Some(shown) = shown else { return internal(&format!("{who} shows no counterexample")) };
    match followed(prepared, module, shown, broken) {
        Ok(trail) => execution(&prepared.flat, property, options.steps, &trail),
        Err(why) => internal(&format!("the counterexample of {who} is wrong: {why}")),
    }
}

fn followed(
    prepared: &Prepared,
    module: &str,
    shown: &SmvCounterexample,
    broken: bool,
) -> Result<Trail, String> {
    let remark = |begin: &str| module.lines().find_map(|l| l.strip_prefix(begin)?.strip_suffix('.'));
    let undefined = remark("-- Undefined values are ").and_then(|n| n.parse::<i64>().ok());
    let (Some(undefined), Some(cells)) = (undefined, remark("-- Cells: ")) else {
        return Err("the module does not say what its cells are".to_string());
    };
    let cells: Vec<String> = cells.split_whitespace().map(str::to_string).collect();
    let way = shown.way(&cells, undefined).map_err(|unreadable| unreadable.why)?;
    // A condition of the property may be wrong where no step was: then the state is as good as any other.
    let in_step =
        broken && shown.states.last().is_some_and(|s| s.get("model_error").is_some_and(|v| v == "TRUE"));
    between(&prepared.flat, &way, in_step)
}
