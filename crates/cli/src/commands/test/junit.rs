//! The results of `swarmcheck test` as a JUnit report: a test suite for each project file, a test case for each claim. A claim
//! that was not asked is skipped, and a file that cannot be read is an error.

use super::plan::Plan;
use super::work::{Result, Status};
use crate::arguments::TestArguments;
use crate::exit::Exit;
use crate::formats::junit::{Case, Suite, written};
use crate::output::{Target, distinct};
use crate::shell::Shell;
use swarmcheck_source::Severity;
use swarmcheck_source::data::DiagnosticData;

/// The file, if one is wanted. It is none of those that are read.
pub fn target(
    plan: &Plan,
    arguments: &TestArguments,
    shell: &Shell,
) -> std::result::Result<Option<Target>, Exit> {
    let Some(path) = arguments.junit.as_deref() else { return Ok(None) };
    let models = plan.cases.iter().map(|case| plan.suite(case).folder.join(&case.row.file));
    let mut inputs: Vec<String> = models.map(|path| path.display().to_string()).collect();
    inputs.extend(plan.suites.iter().map(|suite| suite.file.name().to_string()));
    inputs.dedup();
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    distinct(&inputs, &[("--junit", path)]).map_err(|e| shell.usage(&e))?;
    shell.target(path).map(Some)
}

/// A test suite per project file, and a test case per claim.
pub fn document<'r>(
    plan: &Plan,
    results: impl Iterator<Item = &'r Result>,
    wrong: &[DiagnosticData],
) -> String {
    let mut suites: Vec<Suite> = plan
        .suites
        .iter()
        .map(|suite| Suite { name: suite.file.name().to_string(), parameters: vec![], cases: vec![] })
        .collect();
    for result in results {
        suites[plan.cases[result.case].suite].cases.push(case(plan, result));
    }
    suites.retain(|suite| !suite.cases.is_empty());
    let errors: Vec<Case> = wrong.iter().filter(|d| d.severity == Severity::Error).map(unreadable).collect();
    if !errors.is_empty() {
        suites.push(Suite { name: "(files)".to_string(), parameters: vec![], cases: errors });
    }
    written(&suites)
}

fn case(plan: &Plan, result: &Result) -> Case {
    let case = &plan.cases[result.case];
    let (failed, kind) = match result.status {
        Status::Passed => (None, "passed"),
        Status::Failed => (Some("failure"), "failed"),
        Status::Undecided => (Some("error"), "undecided"),
        Status::Error => (Some("error"), "error"),
        Status::NotRun => (Some("skipped"), "not run"),
        Status::LeftOut => (Some("skipped"), "left out"),
    };
    let expected = &case.row.verdict;
    let said = match (&result.answer, &result.why) {
        (_, Some(why)) => why.clone(),
        (Some(answer), None) => {
            format!("expected {expected}, got {}: {}", answer.verdict().word(), answer.evidence())
        }
        (None, None) => "slow claims are decided with --slow".to_string(),
    };
    let source = case.row.source.as_ref().map_or(String::new(), |source| format!("source: {source}\n"));
    let trace = result.answer.as_ref().and_then(|answer| answer.trace.as_ref()).map_or("", |t| &t.text);
    Case {
        name: case.name.clone(),
        class: plan.suite(case).folder.join(&case.row.file).display().to_string(),
        seconds: result.answer.as_ref().map_or(0.0, |answer| answer.effort.seconds),
        failed,
        kind: kind.to_string(),
        text: format!("{said}\n{source}{trace}"),
        message: said,
    }
}

/// An error in a project file or a model.
fn unreadable(d: &DiagnosticData) -> Case {
    let place = format!("{}:{}:{}", d.file, d.place.line, d.place.column);
    Case {
        name: format!("{place}: {}", d.code),
        class: d.file.clone(),
        seconds: 0.0,
        failed: Some("error"),
        kind: "diagnostic".to_string(),
        message: d.message.clone(),
        text: format!("error[{}]: {}\n --> {place}\n", d.code, d.message),
    }
}
