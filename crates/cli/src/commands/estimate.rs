//! `swarmcheck estimate`.

use crate::arguments::EstimateArguments;
use crate::exit::Exit;
use crate::inputs;
use crate::jobs::{self, ask};
use crate::shell::Shell;
use crate::told;
use serde_json::{Map, Value as Json, json};
use std::time::SystemTime;
use swarmcheck_session::asked::query_name;
use swarmcheck_session::estimate::{
    Decision, EstimateEnd, EstimateOptions, EstimateReport, Method, SchedulerWord, has_threshold,
};
use swarmcheck_session::event::Outcomes;
use swarmcheck_session::{Event, Request, words};
use swarmcheck_source::SourceFile;
use swarmcheck_worker::Stop;

/// Estimates or computes.
pub fn run(arguments: &EstimateArguments, shell: &Shell) -> Exit {
    match estimated(arguments, shell) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn estimated(arguments: &EstimateArguments, shell: &Shell) -> Result<Exit, Exit> {
    let model = arguments.model();
    let parameters = model.parameters().map_err(|e| shell.usage(&e))?;
    let input = inputs::model(&model.file, model.language(), &arguments.limits, shell)?;
    let model = arguments.reading.model(input.source(shell)?, parameters);
    let options = options(arguments);
    let (fair, sync, choice) =
        (model.fair || options.scheduler == SchedulerWord::RoundRobin, model.sync, model.choice);
    let queries = query_files(&options);
    let files: Vec<&SourceFile> = std::iter::once(&input.file).chain(&queries).collect();
    let request = Request::Estimate { model, options: Box::new(options.clone()) };
    let mut known = vec![];
    let mut hear = |event: &Event| {
        if let Event::Opened { parameters } = event {
            known.clone_from(parameters);
        }
        None
    };
    let what = if arguments.exact { "states" } else { "runs" };
    let finished = ask(request, &files, shell.limits(&arguments.limits), shell, what, &mut hear)?;
    let Outcomes::Estimate { report } = &finished.result else { return Err(jobs::unexpected(shell)) };
    let summary = words::estimate::estimate(report);
    let printed = match shell.told.is_data() {
        true => {
            let parameters: Map<String, Json> =
                known.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
            let fields = json!({
                "model": input.file.name(),
                "parameters": parameters,
                "fair": fair,
                "sync": sync,
                "choice": choice,
                "options": options,
                "report": report,
                "summary": summary,
            });
            shell.document("swarmcheck-estimate", told::VERSION, fields)
        }
        false => {
            let text: String = summary.iter().map(|line| format!("{line}\n")).collect();
            shell.print(&text)
        }
    };
    Ok(exit(report, finished.stopped).and(printed))
}

fn options(arguments: &EstimateArguments) -> EstimateOptions {
    let queries = arguments.queries();
    let splitting = &arguments.splitting;
    let compared =
        !queries.is_empty() && queries.iter().all(|q| has_threshold(q)) && arguments.property.is_empty();
    let method = match (&splitting.split, arguments.runs, arguments.width) {
        (Some(importance), _, _) => Method::Splitting {
            importance: importance.clone(),
            levels: splitting.levels.clone().map(|list| list.0).unwrap_or_default(),
            runs: splitting.splitting.or(splitting.effort).unwrap_or(1000),
            fixed_splitting: splitting.splitting.is_some(),
        },
        _ if arguments.exact => Method::Exact { error: arguments.error },
        (_, Some(runs), _) => Method::Runs { runs },
        (_, _, Some(width)) => Method::Width { width },
        _ if compared => Method::Test { indifference: arguments.indifference },
        _ => Method::default(),
    };
    let threads =
        arguments.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    EstimateOptions {
        queries,
        properties: arguments.property.clone(),
        method,
        confidence: arguments.confidence,
        scheduler: arguments.scheduler.into(),
        seed: arguments.seed.unwrap_or_else(fresh_seed),
        threads,
        most_steps: arguments.max_steps,
        quantiles: arguments.quantiles.clone().map(|list| list.0).unwrap_or_default(),
        bins: arguments.histogram,
    }
}

/// What diagnostics about queries show.
fn query_files(options: &EstimateOptions) -> Vec<SourceFile> {
    let mut texts = options.queries.clone();
    if let Method::Splitting { importance, .. } = &options.method {
        texts.push(importance.clone());
    }
    let all = texts.len();
    let mut files: Vec<SourceFile> =
        (0..).zip(&texts).map(|(n, text)| SourceFile::new(query_name(n, all), text)).collect();
    // Queries are read before the expression of splitting is.
    let only = options.queries.first().filter(|_| options.queries.len() == 1 && all > 1);
    files.extend(only.map(|text| SourceFile::new(query_name(0, 1), text)));
    files
}

/// Short enough to type again.
fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.map_or(0, |d| d.as_nanos() as u64) % 1_000_000
}

fn exit(report: &EstimateReport, stopped: Option<Stop>) -> Exit {
    let end = match (&report.end, stopped) {
        (EstimateEnd::Complete, _) => Exit::Fine,
        (EstimateEnd::Interrupted, Some(Stop::TimeLimit)) => Exit::TimeLimit,
        (EstimateEnd::Interrupted, _) => Exit::Interrupted,
        (EstimateEnd::InitialStatesTooRare { .. } | EstimateEnd::ChoicesTooRare { .. }, _) => {
            Exit::Inconclusive
        }
        (EstimateEnd::ModelError { .. } | EstimateEnd::NoInitialState { .. }, _) => Exit::Model,
    };
    let decisions =
        report.results.iter().filter_map(|result| result.decision).map(|decision| match decision {
            Decision::Accepted => Exit::Fine,
            Decision::Rejected => Exit::Violated,
            Decision::Undecided => Exit::Inconclusive,
        });
    decisions.fold(end, Exit::and)
}
