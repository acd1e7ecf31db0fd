//! `swarmcheck verify`.

use crate::arguments::VerifyArguments;
use crate::commands::report::{Asked, document, remarks, table};
use crate::exit::Exit;
use crate::inputs;
use crate::jobs;
use crate::output::{Target, distinct};
use crate::progress::ProgressLine;
use crate::shell::{Shell, say};
use std::io::Write;
use swarmcheck_session::verify::{Answered, VerifyOptions};
use swarmcheck_session::{Answer, Event, Reason, Refusal, Request, TraceFormat, words};
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
    let mut inputs: Vec<&str> = vec![&arguments.model.file];
    inputs.extend(decision.witness.as_deref().into_iter().chain(decision.translate_cex.as_deref()));
    let traces = output.trace_file.as_deref().map(|path| ("--trace-file", path));
    let proofs = output.certificate.as_deref().map(|path| ("--certificate", path));
    let outputs: Vec<(&str, &str)> = traces.into_iter().chain(proofs).collect();
    distinct(&inputs, &outputs).map_err(|e| shell.usage(&e))?;
    let input = inputs::model(&arguments.model.file, arguments.model.language(), &arguments.limits, shell)?;
    let read = |path: &Option<String>| {
        path.as_deref().map(|path| inputs::text(path, &arguments.limits, shell)).transpose()
    };
    let (witness, found) = (read(&decision.witness)?, read(&decision.translate_cex)?);
    let source = input.source(shell)?;
    let target = |path: &Option<String>| path.as_deref().map(|path| shell.target(path)).transpose();
    let (traces, proofs) = (target(&output.trace_file)?, target(&output.certificate)?);
    let options = options(arguments, witness);
    let model = arguments.reading.model(source, parameters);
    let backend = decision.backend;
    let place = match (backend, &found) {
        (Some(_), None) => Some(Workplace::new().map_err(|why| shell.failure(&why))?),
        _ => None,
    };
    let mut asked = Asked { file: &input.file, fair: model.fair, steps: options.steps, parameters: vec![] };
    let mut line = ProgressLine::new(!shell.quiet, "states");
    let (mut all, mut done) = (0, 0);
    let mut hear = |event: &Event| match event {
        Event::Warnings { diagnostics } => {
            line.clear();
            jobs::tell(diagnostics, &[&input.file], shell);
        }
        Event::Opened { parameters } => asked.parameters.clone_from(parameters),
        Event::Questions { names } => all = names.len().max(all),
        Event::Answer(_) => done += 1,
        Event::Progress(progress) => line.show(progress, (all > 1).then_some((done, all))),
        _ => {}
    };
    let request = Request::Verify { model, options: Box::new(options), backend, found };
    let limits = shell.limits(&arguments.limits);
    let directory = place.as_ref().map(Workplace::path);
    let supervised = verify(&request, limits, directory, &|| shell.interrupted(), &mut hear);
    line.clear();
    let Supervised { answers, refusal, stopped } = supervised.map_err(|why| shell.failure(&why))?;
    if let Some(refusal) = refusal {
        if let (Refusal::UnreadableCounterexample { why }, Some(path)) = (&refusal, &decision.translate_cex) {
            return Err(shell.usage(&format!("{path}: {why}")));
        }
        return Err(jobs::refused(refusal, &[&input.file], shell));
    }
    let complete = stopped.is_none();
    let printed = print(&asked, &answers, arguments, traces.as_ref(), complete, shell);
    let written = write_certificates(&answers, proofs.as_ref(), complete, shell);
    let worst = answers.iter().map(Exit::of_answer).fold(Exit::Fine, Exit::and);
    // Who interrupts after the last answer has still interrupted nothing.
    let open = answers.iter().any(|a| a.verdict() == Answered::Unknown);
    let stopped = match stopped {
        Some(Stop::TimeLimit) if open => Exit::TimeLimit,
        Some(Stop::Interrupted) if open => Exit::Interrupted,
        _ => Exit::Fine,
    };
    Ok(worst.and(stopped).and(printed).and(written))
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
        certify: output.certificate.is_some(),
        ..VerifyOptions::default()
    }
}

fn print(
    asked: &Asked<'_>,
    answers: &[Answer],
    arguments: &VerifyArguments,
    target: Option<&Target>,
    complete: bool,
    shell: &Shell,
) -> Exit {
    let output = &arguments.output;
    let mut out = match output.json {
        true => format!("{:#}\n", document(asked, answers)),
        false => table(answers) + &remarks(answers, shell.verbose),
    };
    let traces: Vec<(&Answer, &str)> =
        answers.iter().filter_map(|a| Some((a, a.trace.as_ref()?.text.as_str()))).collect();
    let is_text = TraceFormat::from(output.trace_format) == TraceFormat::Text;
    let headed = |answer: &Answer, text: &str| match is_text {
        true => format!("{}: {}\n{text}", words::naming::row(answer).0, answer.evidence()),
        false => text.to_string(),
    };
    let mut exit = Exit::Fine;
    match target {
        // A search that was cut short and has found nothing leaves what an earlier one has found.
        Some(_) if traces.is_empty() && !complete => {}
        Some(target) => {
            let text: String = traces.iter().map(|(answer, text)| headed(answer, text)).collect();
            exit = shell.store(target, text.as_bytes());
            if exit == Exit::Fine && !output.json && !traces.is_empty() {
                let path = output.trace_file.as_deref().unwrap_or_default();
                shell.note(&format!("traces are in {path}"));
            }
        }
        None if output.json || shell.quiet => {}
        None => {
            for (answer, text) in traces {
                if is_text {
                    out.push('\n');
                }
                out += &headed(answer, text);
            }
        }
    }
    let printed = shell.print(&out);
    if answers.iter().any(|a| a.reason().is_some_and(|reason| reason.includes(&Reason::Memory))) {
        say!("the memory limit was reached: --memory gives more, a smaller model or --property needs less");
    }
    exit.and(printed)
}

/// Writes the proofs, if they are wanted, one per line.
fn write_certificates(answers: &[Answer], target: Option<&Target>, complete: bool, shell: &Shell) -> Exit {
    let Some(target) = target else { return Exit::Fine };
    let mut text = String::new();
    for answer in answers.iter().filter(|a| a.verdict() == Answered::Holds) {
        match answer.certificate.as_ref().map(serde_json::to_string) {
            Some(Ok(line)) => text += &format!("{line}\n"),
            _ => {
                let engine = answer.engine.as_deref().unwrap_or("-");
                shell.note(&format!("{}: {engine} gives no proof; --engine ic3 does", answer.name));
            }
        }
    }
    if text.is_empty() && !complete {
        return Exit::Fine;
    }
    shell.store(target, text.as_bytes())
}
