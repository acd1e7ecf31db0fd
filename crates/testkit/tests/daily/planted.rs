//! The daily mode tested: it finds a wrong verdict that is planted, shrinks it, and survives children that die.

use crate::record::Request;
use crate::report::Summary;
use crate::supervise::{Plan, run};
use crate::work::GENERATORS;
use libtest_mimic::Failed;
use std::time::Duration;
use swarmcheck_ir::Modality;
use swarmcheck_session::verify::{Answer, Answered, Evidence, Outcome};
use swarmcheck_testkit::verify::System;

/// A plan for a few systems.
fn plan(generators: &[&'static str], systems: u64, planted: Option<&str>) -> Plan {
    Plan {
        time: Duration::from_secs(60),
        systems,
        first: 0,
        generators: generators.to_vec(),
        workers: 2,
        patience: 1.0,
        small: false,
        limit: Duration::from_secs(120),
        planted: planted.map(str::to_string),
        one_is_enough: planted == Some("lie"),
        directory: None,
    }
}

/// Makes an engine lie if that is planted: it says that what is always claimed holds where it is violated, in systems that
/// write to an array of the environment.
pub fn lie(request: &Request, system: &System, engine: &str, answers: &mut [Answer]) {
    if request.planted.as_deref() != Some("lie") || engine != "explicit" {
        return;
    }
    let writes = system.prepared.model.labs().is_some_and(|model| {
        model.actions.iter().flat_map(|a| &a.assignments).flat_map(|a| &a.targets).any(|target| {
            use swarmcheck_labs::model::{Class, Target};
            matches!(target, Target::Variable(var, ..) if {
                let variable = model.variable(*var);
                variable.class == Class::Environment && !variable.dimensions.is_empty()
            })
        })
    });
    let properties = &system.prepared.flat.program.properties;
    for answer in answers.iter_mut().filter(|_| writes) {
        let always = properties.iter().any(|p| p.name == answer.name && p.modality == Modality::Always);
        if always && answer.verdict() == Answered::Violated {
            answer.outcome = Outcome::Holds { evidence: Evidence::Explored, vacuous: None };
            answer.trace = None;
        }
    }
}

fn demand(right: bool, why: &str, summary: &Summary) -> Result<(), Failed> {
    if right { Ok(()) } else { Err(format!("{why}\n{}", summary.markdown()).into()) }
}

pub fn found() -> Result<(), Failed> {
    let summary = run(&plan(&["aimed, from reached states"], 24, Some("lie")))?;
    let lies: Vec<_> = summary.disagreements.iter().map(|(_, _, d)| d).collect();
    demand(!lies.is_empty(), "the lie was not found", &summary)?;
    for d in lies {
        demand(d.engine == "explicit" && d.sort == "verdict", "something else was found", &summary)?;
        let small = d.shrunk.clone().unwrap_or_default();
        // What is left shows the lie: an array of the environment is written, and something is claimed of all states. The
        // smallest such model has about a dozen words beside the brackets.
        let shows = small.contains("row[") && small.contains("<--") && small.contains("always");
        demand(shows, "the shrunk system does not show the lie", &summary)?;
        demand(small.len() * 3 < d.text.len() && small.len() < 250, "it was not shrunk", &summary)?;
    }
    Ok(())
}

pub fn survived() -> Result<(), Failed> {
    for planted in ["panic", "abort"] {
        let summary = run(&plan(&["general"], 3, Some(planted)))?;
        demand(summary.disagreements.len() == 3, "not every death is reported", &summary)?;
    }
    let short = Plan { limit: Duration::from_millis(300), ..plan(&["general"], 2, Some("hang")) };
    let summary = run(&short)?;
    demand(summary.disagreements.len() == 2, "what hangs is not reported", &summary)
}

pub fn compared() -> Result<(), Failed> {
    let names: Vec<&'static str> = GENERATORS.iter().map(|generator| generator.name).collect();
    let summary = run(&Plan { time: Duration::from_secs(15), ..plan(&names, 3 * names.len() as u64, None) })?;
    demand(summary.disagreements.is_empty(), "a disagreement", &summary)?;
    demand(summary.compared() >= 6 && summary.pairs >= 30, "too little was compared", &summary)?;
    demand(summary.engines.len() >= 8, "an engine is missing", &summary)
}
