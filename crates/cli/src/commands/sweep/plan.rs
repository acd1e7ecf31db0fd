//! From the options of a sweep to its points, the request at each of them, and the header of its journal.

use crate::arguments::{SweepArguments, SweepDo};
use crate::exit::Exit;
use crate::inputs::{self, Input};
use crate::shell::Shell;
use serde_json::Value as Json;
use swarmcheck_session::asked::query_name;
use swarmcheck_session::estimate::{EstimateOptions, Method, has_threshold};
use swarmcheck_session::request::ModelRequest;
use swarmcheck_session::verify::{Decider, VerifyOptions};
use swarmcheck_session::{Request, SimulateOptions};
use swarmcheck_source::SourceFile;
use swarmcheck_sweep::journal::{self, BoundaryMark, Header, ModelMark, PointsMark, sha256};
use swarmcheck_sweep::points::{self, Point, Points, PointsFault, Sample, Space};
use swarmcheck_sweep::{Axis, Table};

/// What a sweep does.
pub struct Plan {
    /// The file of the model, read once for all points.
    pub input: Input,
    /// The queries, for diagnostics about them.
    queries: Vec<SourceFile>,
    /// All points, also those of other shards.
    pub points: Points,
    /// The request at a point that has no parameters and no seed yet.
    request: Request,
    /// What the sweep is, of no shard.
    pub header: Header,
    /// How many points are worked on at the same time.
    pub jobs: usize,
}

/// Reads everything that is needed; otherwise everything has been said.
pub fn plan(arguments: &SweepArguments, shell: &Shell) -> Result<Plan, Exit> {
    contradictions(arguments).map_err(|why| shell.usage(&why))?;
    let (mut axes, mut queries) = (vec![], vec![]);
    for word in &arguments.words {
        match Axis::read(word) {
            Some(axis) => axes.push(axis.map_err(|fault| shell.usage(&fault.to_string()))?),
            None if arguments.what == SweepDo::Estimate => queries.push(word.clone()),
            None => return Err(shell.usage(&no_value(word))),
        }
    }
    let listed = match &arguments.points.points {
        None => None,
        Some(path) => {
            let text = inputs::text(path, &arguments.limits, shell)?;
            let table = Table::from_csv(&text).map_err(|e| shell.usage(&format!("{path}: {e}")))?;
            Some(points::listed(&table).map_err(|e| shell.usage(&format!("{path}: {e}")))?)
        }
    };
    let options = &arguments.points;
    let sample = |count: Option<u64>, latin| {
        count.map(|count| Sample { count: count as usize, latin, seed: options.seed })
    };
    let space = Space {
        listed,
        axes,
        condition: options.condition.clone(),
        sample: sample(options.random, false).or(sample(options.latin, true)),
        seeds: is_random(arguments).then(|| (options.seed, options.seeds.unwrap_or(1))),
    };
    let points = space.points().map_err(|fault| shell.usage(&no_points(&fault, arguments)))?;
    if let Some(name) = &arguments.question.boundary
        && !points.parameters.contains(name)
    {
        let names = points.parameters.join(", ");
        return Err(shell.usage(&format!("--boundary {name}: the parameters of the sweep are {names}")));
    }
    let input = inputs::model(&arguments.file, arguments.language.word(), &arguments.limits, shell)?;
    let model = arguments.reading.model(input.source(shell)?, vec![]);
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get().min(256));
    let jobs = arguments.work.jobs.map_or(cores, usize::from);
    let threads = arguments.work.threads.map_or((cores / jobs).max(1), usize::from);
    let mark = ModelMark { name: input.file.name().to_string(), sha256: sha256(input.file.text()) };
    let all = queries.len();
    let files = (0..).zip(&queries).map(|(n, text)| SourceFile::new(query_name(n, all), text)).collect();
    let request = request(arguments, model, queries, threads).map_err(|why| shell.failure(&why))?;
    let header = Header {
        format: journal::FORMAT.to_string(),
        version: journal::VERSION,
        program: env!("CARGO_PKG_VERSION").to_string(),
        model: mark,
        work: work(&request, &arguments.question.property),
        points: PointsMark {
            written: written(arguments),
            count: points.count(),
            seeds: points.per_combination(),
            parameters: points.parameters.clone(),
            seeded: points.seeds.is_some(),
            sha256: sha256(&points.text()),
        },
        boundary: arguments.question.boundary.clone().map(|parameter| BoundaryMark {
            parameter,
            checks: arguments.question.boundary_checks.map(|checks| checks as usize),
        }),
        until_violated: arguments.question.until_violated,
        shard: None,
    };
    Ok(Plan { input, queries: files, points, request, header, jobs })
}

fn no_value(word: &str) -> String {
    match word.contains('(') {
        true => format!("{word:?} is a query, and queries are for --do estimate"),
        false => format!("a parameter is given as name=values, for instance n=2..10, not {word:?}"),
    }
}

/// Whether the result depends on a seed.
fn is_random(arguments: &SweepArguments) -> bool {
    arguments.what != SweepDo::Verify && !arguments.estimate.exact
}

/// Why there are no points; a mistake in the condition is shown where it is.
fn no_points(fault: &PointsFault, arguments: &SweepArguments) -> String {
    match (fault, &arguments.points.condition) {
        (PointsFault::Condition(inner, _), Some(text)) => {
            let before: String = text[..inner.at.min(text.len())].chars().map(|_| ' ').collect();
            format!("--where: {fault}\n  {}\n  {before}^", swarmcheck_source::shown::line(text))
        }
        _ => fault.to_string(),
    }
}

/// What was asked for as points, for messages.
fn written(arguments: &SweepArguments) -> String {
    let mut parts: Vec<String> =
        arguments.words.iter().filter(|word| Axis::read(word).is_some()).cloned().collect();
    let points = &arguments.points;
    parts.extend(points.points.iter().map(|path| format!("--points {path}")));
    parts.extend(points.condition.iter().map(|text| format!("--where '{text}'")));
    parts.extend(points.random.iter().map(|count| format!("--random {count}")));
    parts.extend(points.latin.iter().map(|count| format!("--latin {count}")));
    parts.extend(points.seeds.iter().map(|count| format!("--seeds {count}")));
    if points.seed != 0 {
        parts.push(format!("--seed {}", points.seed));
    }
    parts.join(" ")
}

/// Options that make no sense together.
fn contradictions(arguments: &SweepArguments) -> Result<(), String> {
    let (question, estimate, points) = (&arguments.question, &arguments.estimate, &arguments.points);
    let what = arguments.what;
    let (verify, simulate) = (what == SweepDo::Verify, what == SweepDo::Simulate);
    let only = |given: bool, option: &str, fits: bool, word: &str| match given && !fits {
        true => Err(format!("{option} is for --do {word}")),
        false => Ok(()),
    };
    only(question.deadlock, "--deadlock", verify, "verify")?;
    only(question.fairness.is_some(), "--fairness", verify, "verify")?;
    only(question.engine.is_some(), "--engine", verify, "verify")?;
    only(question.boundary.is_some(), "--boundary", verify, "verify")?;
    only(question.steps.is_some(), "--steps", verify || simulate, "verify and simulate")?;
    only(question.until_violated, "--until-violated", simulate, "simulate")?;
    let estimating = what == SweepDo::Estimate;
    only(estimate.width.is_some(), "--width", estimating, "estimate")?;
    only(estimate.indifference.is_some(), "--indifference", estimating, "estimate")?;
    only(estimate.confidence.is_some(), "--confidence", estimating, "estimate")?;
    only(estimate.scheduler.is_some(), "--scheduler", estimating, "estimate")?;
    only(estimate.max_steps.is_some(), "--max-steps", estimating, "estimate")?;
    only(estimate.exact, "--exact", estimating, "estimate")?;
    only(!estimate.quantiles.is_empty(), "--quantiles", estimating, "estimate")?;
    only(estimate.runs.is_some(), "--runs", !verify, "estimate and simulate")?;
    if points.seeds == Some(0) || points.random == Some(0) || points.latin == Some(0) {
        return Err("there are no points: --seeds, --random and --latin need a number above 0".to_string());
    }
    if points.seeds.is_some() && !is_random(arguments) {
        let why = if verify { "a verdict does not depend on a seed" } else { "--exact draws nothing" };
        return Err(format!("{why}: leave out --seeds"));
    }
    if simulate && !question.property.is_empty() {
        return Err("random runs show all properties: leave out --property, or use --do estimate".to_string());
    }
    if question.boundary.is_some() && (points.random.is_some() || points.latin.is_some()) {
        return Err("a boundary needs neighbouring points: leave out --random and --latin".to_string());
    }
    Ok(())
}

fn request(
    arguments: &SweepArguments,
    model: ModelRequest,
    queries: Vec<String>,
    threads: usize,
) -> Result<Request, String> {
    let (question, estimate) = (&arguments.question, &arguments.estimate);
    Ok(match arguments.what {
        SweepDo::Verify => Request::Verify {
            model,
            options: Box::new(VerifyOptions {
                properties: question.property.clone(),
                deadlock: question.deadlock,
                steps: question.steps,
                fairness: question.fairness.map(Into::into).unwrap_or_default(),
                engine: question.engine.map_or(Decider::Auto, |word| word.0),
                threads,
                // Nobody sees the traces.
                minimise: false,
                ..VerifyOptions::default()
            }),
            backend: None,
            found: None,
        },
        SweepDo::Simulate => Request::Simulate {
            model,
            options: SimulateOptions {
                steps: question.steps.map_or(100, u64::from),
                runs: estimate.runs.unwrap_or(1),
                traces: false,
                ..SimulateOptions::default()
            },
        },
        SweepDo::Estimate => {
            // Every field has a value of its own if nothing is said.
            let mut options: EstimateOptions =
                serde_json::from_value(Json::Object(Default::default())).map_err(|e| e.to_string())?;
            let compared = !queries.is_empty() && question.property.is_empty();
            let compared = compared && queries.iter().all(|query| has_threshold(query));
            options.queries = queries;
            options.properties = question.property.clone();
            options.method = match (estimate.width, estimate.exact, estimate.runs) {
                (Some(width), ..) => Method::Width { width },
                (_, true, _) => Method::Exact { error: estimate.error.unwrap_or(1e-9) },
                (_, _, Some(runs)) => Method::Runs { runs },
                _ if compared => Method::Test { indifference: estimate.indifference.unwrap_or(0.01) },
                _ => Method::default(),
            };
            options.confidence = estimate.confidence.unwrap_or(options.confidence);
            options.scheduler = estimate.scheduler.map_or(options.scheduler, Into::into);
            options.threads = threads;
            options.most_steps = estimate.max_steps;
            options.quantiles = estimate.quantiles.clone();
            Request::Estimate { model, options: Box::new(options) }
        }
    })
}

/// The request without what the points say, the text of the model, which has a mark of its own, and the number of threads, on which
/// no result depends.
fn work(request: &Request, properties: &[String]) -> Json {
    let mut work = serde_json::to_value(request).unwrap_or_default();
    if let Some(model) = work["model"].as_object_mut() {
        model.remove("parameters");
        if let Some(source) = model.get_mut("source").and_then(Json::as_object_mut) {
            source.remove("text");
            source.remove("name");
        }
    }
    if let Some(options) = work["options"].as_object_mut() {
        options.remove("threads");
        options.remove("seed");
        // `null` would not say which are meant.
        options.insert("properties".to_string(), serde_json::json!(properties));
    }
    work
}

impl Plan {
    /// The texts that diagnostics may be about: the model, and the queries.
    pub fn files(&self) -> Vec<&SourceFile> {
        std::iter::once(&self.input.file).chain(&self.queries).collect()
    }

    /// What is asked at a point.
    pub fn at(&self, point: &Point) -> Request {
        let mut request = self.request.clone();
        let names = self.points.parameters.iter().cloned();
        let parameters = names.zip(point.values.iter().map(i64::to_string)).collect();
        match &mut request {
            Request::Verify { model, .. } => model.parameters = parameters,
            Request::Simulate { model, options } => {
                model.parameters = parameters;
                options.seed = point.seed.unwrap_or_default();
            }
            Request::Estimate { model, options } => {
                model.parameters = parameters;
                options.seed = point.seed.unwrap_or_default();
            }
            _ => {}
        }
        request
    }

    /// Whether the model is right at a point, as a request.
    pub fn check(&self, point: &Point) -> Request {
        let (Request::Verify { model, .. }
        | Request::Simulate { model, .. }
        | Request::Estimate { model, .. }) = self.at(point)
        else {
            return self.at(point);
        };
        Request::Check { model }
    }
}
