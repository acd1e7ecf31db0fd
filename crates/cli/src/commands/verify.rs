//! `swarmcheck verify`.

use crate::arguments::VerifyArguments;
use crate::commands::certificates::{self, ProofFolder};
use crate::commands::coverage;
use crate::commands::pages;
use crate::commands::report::{Asked, FORMAT, VERSION, document, remarks, table};
use crate::exit::Exit;
use crate::formats::Reports;
use crate::inputs;
use crate::jobs;
use crate::output::{Target, distinct};
use crate::progress::StatusLines;
use crate::shell::{Shell, say};
use crate::terminal::Said;
use crate::told::Verified;
use std::cell::RefCell;
use swarmcheck_session::composition::{self, ReportFormat};
use swarmcheck_session::coverage::Coverage;
use swarmcheck_session::listing::{self, Flavour, Style};
use swarmcheck_session::outcome::ShownTrace;
use swarmcheck_session::reach::PREDICATE;
use swarmcheck_session::verify::{Answered, VerifyOptions};
use swarmcheck_session::{Answer, Event, Reason, Refusal, Request, TraceFormat, words};
use swarmcheck_source::SourceFile;
use swarmcheck_worker::{Stop, Supervised, Workplace, verify};

/// Decides the properties of a model.
pub fn run(arguments: &VerifyArguments, shell: &Shell) -> Exit {
    match decided(arguments, shell) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn decided(arguments: &VerifyArguments, shell: &Shell) -> Result<Exit, Exit> {
    let parameters = arguments.model.parameters().map_err(|e| shell.usage(&e))?;
    let (decision, output) = (&arguments.decision, &arguments.output);
    refuse_contradictions(arguments).map_err(|e| shell.usage(&e))?;
    let is_data = shell.told.is_data() || shell.quiet;
    pages::needs_file(output.trace_format.into(), output.trace_file.as_deref(), is_data)
        .map_err(|e| shell.usage(&e))?;
    let mut inputs: Vec<&str> = vec![&arguments.model.file];
    inputs.extend(decision.witness.as_deref().into_iter().chain(decision.translate_cex.as_deref()));
    let traces = output.trace_file.as_deref().map(|path| ("--trace-file", path));
    let proofs = output.certificate.as_deref().map(|path| ("--certificate", path));
    let composition = output.composition.as_deref().map(|path| ("--composition", path));
    let format = composition.map(|(_, path)| composition_format(path)).transpose();
    let format = format.map_err(|e| shell.usage(&e))?;
    let covered = arguments.coverage.coverage_file.as_deref().map(|path| ("--coverage-file", path));
    let machine = &arguments.machine;
    let outputs = traces.into_iter().chain(proofs).chain(composition).chain(covered).chain(machine.outputs());
    let outputs: Vec<(&str, &str)> = outputs.collect();
    distinct(&inputs, &outputs).map_err(|e| shell.usage(&e))?;
    let input = inputs::model(&arguments.model.file, arguments.model.language(), &arguments.limits, shell)?;
    let read = |path: &Option<String>| {
        path.as_deref().map(|path| inputs::text(path, &arguments.limits, shell)).transpose()
    };
    let (witness, found) = (read(&decision.witness)?, read(&decision.translate_cex)?);
    let target = |path: &Option<String>| path.as_deref().map(|path| shell.target(path)).transpose();
    let (traces, proofs) = (target(&output.trace_file)?, target(&output.certificate)?);
    let folder = output.certificates.as_deref().map(|path| ProofFolder::new(path, shell)).transpose()?;
    let composed = target(&output.composition)?;
    let reports = Reports::new(&machine.findings, machine.junit.as_deref(), shell)?;
    let source = input.source(shell).map_err(|exit| exit.and(reports.write(shell)))?;
    let counts = target(&arguments.coverage.coverage_file)?;
    let options = options(arguments, witness);
    let model = arguments.reading.model(source, parameters);
    let backend = decision.backend;
    let place = match (backend, &found) {
        (Some(_), None) => Some(Workplace::new().map_err(|why| shell.failure(&why))?),
        _ => None,
    };
    let (fair, fairness, steps) = (model.fair, options.fairness, options.steps);
    if !fairness.is_none() && steps.is_some() {
        shell.note("--fairness is about infinite executions: with --steps it makes no difference");
    }
    let mut asked = Asked { file: &input.file, fair, fairness, steps, parameters: vec![] };
    let line = RefCell::new(StatusLines::new(shell.progress, "states", None));
    let interrupted = || {
        line.borrow_mut().tick();
        shell.interrupted()
    };
    let mut verified = Verified::default();
    let mut hear = |event: &Event| {
        shell.event(event);
        line.borrow_mut().hear(event);
        match event {
            Event::Warnings { diagnostics } => {
                line.borrow_mut().clear();
                jobs::tell(diagnostics, &[&input.file], shell);
            }
            Event::Opened { parameters } => {
                asked.parameters.clone_from(parameters);
                verified.parameters.clone_from(parameters);
            }
            Event::Questions { names, places } if verified.places.is_empty() => {
                verified.places = names.iter().cloned().zip(places.iter().cloned()).collect();
            }
            _ => {}
        }
    };
    let again = arguments.coverage.is_wanted().then(|| model.clone());
    let request = Request::Verify { model, options: Box::new(options), backend, found };
    let limits = shell.limits(&arguments.limits);
    let directory = place.as_ref().map(Workplace::path);
    let supervised = verify(&request, limits, directory, &interrupted, &mut hear);
    line.borrow_mut().clear();
    let Supervised { answers, refusal, stopped } = supervised.map_err(|why| shell.failure(&why))?;
    if let Some(refusal) = refusal {
        if let (Refusal::UnreadableCounterexample { why }, Some(path)) = (&refusal, &decision.translate_cex) {
            return Err(shell.usage(&format!("{path}: {why}")));
        }
        let predicate = arguments.executions.reach.as_deref().unwrap_or_default();
        let predicate = SourceFile::new(PREDICATE, predicate);
        let exit = jobs::refused(refusal, &[&input.file, &predicate], shell);
        return Err(exit.and(reports.write(shell)));
    }
    let complete = stopped.is_none();
    shell.told.complete.set(complete);
    shell.told.verified.replace(Some(Verified { answers: answers.clone(), ..verified }));
    if again.is_some() && !complete {
        shell.note("coverage was not counted, because there was no time left");
    }
    let counted = again.filter(|_| complete);
    let counted = counted.map(|model| coverage::searched(model, steps, &arguments.limits, shell));
    // What was decided is printed even if nothing can be counted.
    let (coverage, counted) = match counted {
        Some(Ok((coverage, exit))) => (Some(coverage), Some(exit)),
        Some(Err(exit)) => (None, Some(exit)),
        None => (None, None),
    };
    let printed = print(&asked, &answers, arguments, traces.as_ref(), complete, coverage.as_deref(), shell);
    let stored = coverage.as_ref().map_or(Exit::Fine, |coverage| {
        let listed = match shell.told.is_data() {
            true => Exit::Fine,
            false => shell.print(&coverage::listing(coverage, &arguments.coverage, &input)),
        };
        let path = arguments.coverage.coverage_file.as_deref();
        listed.and(coverage::store(coverage, counts.as_ref(), path, shell))
    });
    let written = certificates::write(&answers, proofs.as_ref(), folder.as_ref(), complete, shell);
    let told = composed.as_ref().zip(format);
    let told = told.map(|(target, format)| write_composition(&asked, &answers, target, format, shell));
    let written = written.and(told.unwrap_or(Exit::Fine));
    let worst = answers.iter().map(Exit::of_answer).fold(Exit::Fine, Exit::and);
    // Who interrupts after the last answer has still interrupted nothing.
    let open = answers.iter().any(|a| a.verdict() == Answered::Unknown);
    let stopped = match stopped {
        Some(Stop::TimeLimit) if open => Exit::TimeLimit,
        Some(Stop::Interrupted) if open => Exit::Interrupted,
        _ => Exit::Fine,
    };
    let counted = stored.and(counted.unwrap_or(Exit::Fine));
    Ok(worst.and(stopped).and(printed).and(written).and(counted).and(reports.write(shell)))
}

fn refuse_contradictions(arguments: &VerifyArguments) -> Result<(), String> {
    let decision = &arguments.decision;
    let one = decision.engine.0 != swarmcheck_session::verify::Decider::Auto;
    if decision.cross_check && one {
        return Err("--cross-check asks all engines: leave out --engine".to_string());
    }
    if decision.translate_cex.is_some() && decision.backend.is_none() {
        return Err("--translate-cex needs --backend, which says who wrote the file".to_string());
    }
    if arguments.coverage.is_wanted()
        && arguments.model.parameters()?.iter().any(|(_, value)| value.ends_with(".."))
    {
        return Err("--coverage counts in one instance: give every parameter a number".to_string());
    }
    if arguments.executions.reach.is_some() && arguments.question.ignore_deadlock {
        return Err("--reach asks for any execution: leave out --ignore-deadlock".to_string());
    }
    Ok(())
}

fn options(arguments: &VerifyArguments, witness: Option<String>) -> VerifyOptions {
    let (question, decision, output) = (&arguments.question, &arguments.decision, &arguments.output);
    let names = question.property.iter().map(|name| name.trim().to_string());
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get().min(256));
    VerifyOptions {
        properties: names.filter(|name| !name.is_empty()).collect(),
        deadlock: question.deadlock,
        steps: question.steps,
        ignore_deadlock: question.ignore_deadlock,
        reductions: arguments.reductions.reductions(),
        threads: decision.threads.map_or(cores, usize::from),
        hash_bits: u32::from(arguments.reductions.hash_bits),
        format: output.trace_format.into(),
        engine: decision.engine.0,
        cross_check: decision.cross_check,
        depth: decision.depth,
        witness,
        certify: output.certificate.is_some() || output.certificates.is_some(),
        reach: arguments.executions.reach.clone(),
        minimise: !arguments.executions.no_minimise,
        traces: arguments.executions.traces.map_or(1, usize::from),
        why: output.why,
        fairness: question.fairness.into(),
        numbers: question.numbers.clone(),
        most_agents: question.up_to,
        ..VerifyOptions::default()
    }
}

fn print(
    asked: &Asked<'_>,
    answers: &[Answer],
    arguments: &VerifyArguments,
    target: Option<&Target>,
    complete: bool,
    coverage: Option<&Coverage>,
    shell: &Shell,
) -> Exit {
    let output = &arguments.output;
    let is_data = shell.told.is_data();
    let format = TraceFormat::from(output.trace_format);
    let in_block = target.is_none() && format == TraceFormat::Markdown;
    let mut out = match is_data {
        true => String::new(),
        // Columns survive in a block of code only.
        false if in_block => indented(&verdicts(answers, shell.verbose)),
        false => verdicts(answers, shell.verbose),
    };
    let traces: Vec<(String, &ShownTrace)> = answers.iter().flat_map(executions).collect();
    let written = |colour: bool| {
        written(&traces, format, Style { flavour: flavour(format, colour), full: output.full })
    };
    let (mut exit, mut said) = (Exit::Fine, Said::Words);
    match target {
        // A search that was cut short and has found nothing leaves what an earlier one has found.
        Some(_) if traces.is_empty() && !complete => {}
        // An earlier counterexample is not thrown away either.
        Some(target) if traces.is_empty() && target.is_file() => {
            let path = output.trace_file.as_deref().unwrap_or_default();
            shell.note(&format!("there is no trace: {path} is left as it is"));
        }
        Some(target) => {
            exit = match (format.is_single(), output.trace_file.as_deref()) {
                (true, Some(path)) => {
                    let texts: Vec<&str> = traces.iter().map(|(_, shown)| shown.text.as_str()).collect();
                    pages::store(&texts, target, path, shell)
                }
                _ => shell.store(target, written(false).as_bytes()),
            };
            if exit == Exit::Fine && !is_data && !traces.is_empty() {
                let path = output.trace_file.as_deref().unwrap_or_default();
                shell.note(&format!("traces are in {path}"));
            }
        }
        None if is_data || shell.quiet => {}
        None => {
            let text = written(shell.colours_out());
            said = super::simulate::said(format, shell.colours_out());
            if !text.is_empty() && is_headed(format) {
                out.push('\n');
            }
            out += &text;
        }
    }
    let printed = match is_data {
        true => shell.document(FORMAT, VERSION, fields(asked, answers, coverage)),
        false => shell.print_as(&out, said),
    };
    if !is_data && answers.iter().any(|a| a.reason().is_some_and(|reason| reason.includes(&Reason::Memory))) {
        say!("the memory limit was reached: --memory gives more, a smaller model or --property needs less");
    }
    exit.and(printed)
}

/// The verdicts, and what else should be known.
fn verdicts(answers: &[Answer], verbose: bool) -> String {
    let mut out = table(answers) + &remarks(answers, verbose);
    if verbose {
        for (answer, report) in composition::composed(answers) {
            out += &format!("\n{}", composition::text(answer, report));
        }
    }
    out
}

/// How the report about compositions is written to a file with this name.
fn composition_format(path: &str) -> Result<ReportFormat, String> {
    let endings = || ReportFormat::ENDINGS.iter().map(|(_, ending)| format!(".{ending}")).collect::<Vec<_>>();
    ReportFormat::of(path)
        .ok_or_else(|| format!("--composition {path}: the name must end in one of {}", endings().join(", ")))
}

/// Writes how systems were put together. Without anything to tell an earlier file stays as it is.
fn write_composition(
    asked: &Asked<'_>,
    answers: &[Answer],
    target: &Target,
    format: ReportFormat,
    shell: &Shell,
) -> Exit {
    match composition::report(asked.file.name(), answers, format) {
        Some(text) => shell.store(target, text.as_bytes()),
        None => {
            let asks = "nothing was put together, so --composition has written nothing";
            let engine = answers.iter().any(|answer| answer.engine.as_deref() == Some("compose"));
            shell.note(&if engine {
                asks.to_string()
            } else {
                format!("{asks}: --engine compose asks for it")
            });
            Exit::Fine
        }
    }
}

/// The document of a report.
fn fields(asked: &Asked<'_>, answers: &[Answer], coverage: Option<&Coverage>) -> serde_json::Value {
    let mut document = document(asked, answers);
    if let Some(coverage) = coverage {
        document["coverage"] = serde_json::json!(coverage);
    }
    document
}

/// All executions of an answer, each with a line that says what it is.
fn executions(answer: &Answer) -> Vec<(String, &ShownTrace)> {
    let all = answer.others.len() + 1;
    let first = answer.trace.iter().map(|shown| (answer.evidence(), &**shown));
    let others = (2..).zip(&answer.others).map(|(number, shown)| {
        let steps = words::count(shown.data.steps.len(), "step");
        (format!("execution {number} of {all}, of {steps}"), shown)
    });
    let headed = |(what, shown)| (format!("{}: {what}", words::naming::row(answer).0), shown);
    first.chain(others).map(headed).collect()
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

/// Whether every trace has a heading, because it is for people.
fn is_headed(format: TraceFormat) -> bool {
    format == TraceFormat::Sliver || format.flavour().is_some()
}

/// How a listing looks.
pub(super) fn flavour(format: TraceFormat, colour: bool) -> Flavour {
    match format.flavour().unwrap_or_default() {
        Flavour::Plain if colour => Flavour::Ansi,
        flavour => flavour,
    }
}

/// All traces, in the format that was asked for.
fn written(traces: &[(String, &ShownTrace)], format: TraceFormat, style: Style) -> String {
    if format.flavour().is_some() {
        return listing::report(traces, style);
    }
    let text = |(heading, shown): &(String, &ShownTrace)| match is_headed(format) {
        true => format!("{heading}\n{}", shown.text),
        false => shown.text.clone(),
    };
    traces.iter().map(text).collect::<Vec<_>>().join(if is_headed(format) { "\n" } else { "" })
}
