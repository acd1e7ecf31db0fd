//! Deciding the claims about one model in a worker process.

use super::plan::{Case, Plan, prefix};
use crate::arguments::LanguageOf;
use crate::exit::Exit;
use crate::reading::{read_as, verify_options, word};
use std::time::{Duration, Instant};
use swarmcheck_project::{DEADLOCK, Expected, Model, codes};
use swarmcheck_session::open::decode;
use swarmcheck_session::outcome::{Answer, Answered, Evidence, Outcome, Reason};
use swarmcheck_session::request::Source;
use swarmcheck_session::verify::{Decider, Reductions, VerifyOptions};
use swarmcheck_session::{Refusal, Request, words};
use swarmcheck_source::data::{self, DiagnosticData};
use swarmcheck_source::{Diagnostic, SourceFile, shown};
use swarmcheck_worker::{Limits, Supervised, verify};

/// What became of a case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// The verdict is the expected one.
    Passed,
    /// It is another one.
    Failed,
    /// There is no verdict, although one is expected.
    Undecided,
    /// It could not be asked.
    Error,
    /// The user or the clock has ended the work before.
    NotRun,
    /// It is slow, and nobody has asked for it.
    LeftOut,
}

/// What became of a case, and why.
pub struct Result {
    pub case: usize,
    pub status: Status,
    pub answer: Option<Answer>,
    /// What else is to be said.
    pub why: Option<String>,
    pub exit: Exit,
}

/// What everybody who works needs.
pub struct Work<'w> {
    pub plan: &'w Plan,
    pub interrupted: &'w (dyn Fn() -> bool + Sync),
    /// For everything together.
    pub limits: Limits,
    /// Bytes for one worker.
    pub memory: Option<u64>,
    pub threads: usize,
    pub no_reductions: bool,
}

/// What came of the cases about a model.
#[derive(Default)]
pub struct Done {
    pub results: Vec<Result>,
    pub wrong: Vec<(SourceFile, DiagnosticData)>,
}

impl Done {
    fn push(&mut self, case: usize, status: Status, why: Option<String>, exit: Exit) {
        self.results.push(Result { case, status, answer: None, why, exit });
    }

    fn all(&mut self, cases: &[usize], status: Status, why: &str, exit: Exit) {
        cases.iter().for_each(|&case| self.push(case, status, Some(why.to_string()), exit));
    }
}

impl Work<'_> {
    /// Decides the cases, which are all about one model.
    pub fn decide(&self, cases: &[usize]) -> Done {
        let mut done = Done::default();
        if (self.interrupted)() {
            done.all(cases, Status::NotRun, "interrupted", Exit::Interrupted);
            return done;
        }
        if self.limits.expired() {
            done.all(cases, Status::NotRun, "the time limit was reached", Exit::TimeLimit);
            return done;
        }
        let first = &self.plan.cases[cases[0]];
        match self.source(first) {
            Ok(source) => self.ask(cases, &source, &mut done),
            Err(wrong) => {
                done.all(cases, Status::Error, &wrong.1.message, Exit::Model);
                done.wrong.push(*wrong);
            }
        }
        done
    }

    /// Reads the model.
    fn source(&self, case: &Case) -> std::result::Result<Source, Box<(SourceFile, DiagnosticData)>> {
        let (suite, model) = (self.plan.suite(case), self.plan.model(case));
        let cannot = |why: String| {
            let message = format!("cannot read {}: {why}", shown::line(&model.file.value));
            let d = Diagnostic::error(codes::FILE, model.file.span, message);
            Box::new((suite.file.clone(), data::diagnostic(&suite.file, &d)))
        };
        let path = suite.folder.join(&model.file.value);
        // A pipe may have no writer, and would never be read to its end.
        let meta = std::fs::metadata(&path).map_err(|e| cannot(e.to_string()))?;
        if !meta.is_file() {
            return Err(cannot("it is no regular file".to_string()));
        }
        let bytes = std::fs::read(&path).map_err(|e| cannot(e.to_string()))?;
        let name = format!("{}{}", prefix(&suite.folder), model.file.value);
        let (file, broken) = decode(&name, &bytes);
        match broken {
            Some(d) => Err(Box::new((file.clone(), data::diagnostic(&file, &d)))),
            None => {
                let language = model.reading.language.as_deref();
                let language = language.and_then(word::<LanguageOf>).map(Into::into);
                Ok(Source { name, text: file.text().to_string(), language })
            }
        }
    }

    fn ask(&self, cases: &[usize], source: &Source, done: &mut Done) {
        let mut open: Vec<usize> = cases.to_vec();
        // Each time one that does not exist is left out, so this ends.
        while !open.is_empty() {
            let limits = self.limits_of(&self.plan.cases[open[0]]);
            let request = self.request(&open, source);
            let supervised = verify(&request, limits, None, &|| (self.interrupted)(), &mut |_| {});
            let Supervised { answers, refusal, .. } = match supervised {
                Ok(supervised) => supervised,
                Err(why) => return done.all(&open, Status::Error, &why, Exit::Failure),
            };
            let Some(refusal) = refusal else {
                for &case in &open {
                    done.results.push(self.judge(case, &answers));
                }
                return;
            };
            let unknown = match &refusal {
                Refusal::NoSuchProperty { name, .. } => {
                    open.iter().position(|&case| self.plan.cases[case].row.property == *name)
                }
                _ => None,
            };
            match unknown {
                Some(at) => self.no_such_property(open.remove(at), &refusal, done),
                None => return self.refused(&open, source, refusal, done),
            }
        }
    }

    fn limits_of(&self, case: &Case) -> Limits {
        let own = self.plan.model(case).limits(&self.plan.suite(case).project);
        let time = own.time.map(Duration::from_secs_f64);
        let timeout = [time, self.limits.left()].into_iter().flatten().min();
        let memory = [own.memory, self.memory].into_iter().flatten().min();
        Limits { began: Instant::now(), timeout, memory, grace: swarmcheck_worker::GRACE, with_parent: true }
    }

    fn request(&self, cases: &[usize], source: &Source) -> Request {
        let model = self.plan.model(&self.plan.cases[cases[0]]);
        let names = cases.iter().map(|&case| self.plan.cases[case].row.property.clone());
        let properties: Vec<String> = names.filter(|name| name != DEADLOCK).collect();
        let deadlock = properties.len() < cases.len();
        let mut options = VerifyOptions {
            // No names would be all of them.
            only: properties.is_empty().then(|| vec![DEADLOCK.to_string()]),
            properties,
            deadlock,
            threads: self.threads,
            ..verify_options(model)
        };
        if self.no_reductions {
            options.engine = Decider::Explicit;
            options.reductions = Reductions { ranges: true, packed: true, ..Reductions::NONE };
        }
        Request::Verify {
            model: read_as(model, source.clone()),
            options: Box::new(options),
            backend: None,
            found: None,
        }
    }

    fn judge(&self, case: usize, answers: &[Answer]) -> Result {
        let (row, model) = (&self.plan.cases[case].row, self.plan.model(&self.plan.cases[case]));
        let Some(answer) = answers.iter().find(|answer| answer.name == row.property) else {
            let why = Some("the worker gave no answer".to_string());
            return Result { case, status: Status::Error, answer: None, why, exit: Exit::Failure };
        };
        let (mut why, word) = (None, answer.verdict().word());
        // Whoever expects no answer expects that engines give up, not that they are stopped or fail.
        let broken =
            answer.reason().is_some_and(|reason| reason.is_bug() || reason.includes(&Reason::Interrupted));
        let mut status = match word == row.verdict {
            true if !broken => Status::Passed,
            true => Status::Undecided,
            false if answer.verdict() == Answered::Unknown => Status::Undecided,
            false => Status::Failed,
        };
        let mut exit = match status {
            Status::Passed => Exit::Fine,
            Status::Undecided => Exit::of_answer(answer),
            _ if answer.verdict() == Answered::ModelError => Exit::Model,
            _ => Exit::Violated,
        };
        if let (true, Some(states)) = (self.no_reductions && status == Status::Passed, model.states)
            && matches!(answer.outcome, Outcome::Holds { evidence: Evidence::Explored, .. })
            && model.steps.is_none()
            && answer.effort.states != states
        {
            why = Some(format!("{} states, not {states}", answer.effort.states));
            (status, exit) = (Status::Failed, Exit::Violated);
        }
        Result { case, status, answer: Some(answer.clone()), why, exit }
    }

    fn expected(&self, case: usize) -> Option<&Expected> {
        let case = &self.plan.cases[case];
        self.plan.model(case).properties.iter().find(|expected| expected.name.value == case.row.property)
    }

    fn no_such_property(&self, case: usize, refusal: &Refusal, done: &mut Done) {
        let suite = self.plan.suite(&self.plan.cases[case]);
        if let (Some(expected), Refusal::NoSuchProperty { name, suggestion, .. }) =
            (self.expected(case), refusal)
        {
            let file = &self.plan.model(&self.plan.cases[case]).file.value;
            let message = format!("{file} has no property `{name}`");
            let help = suggestion.as_ref().map(|near| format!("did you mean `{near}`?"));
            let d = Diagnostic::error(codes::PROPERTY, expected.name.span, message.clone()).help_if(help);
            done.wrong.push((suite.file.clone(), data::diagnostic(&suite.file, &d)));
            done.push(case, Status::Error, Some(message), Exit::Model);
        }
    }

    /// Why no case of a model was decided. Parameters are reported where they stand in the project file.
    fn refused(&self, open: &[usize], source: &Source, refusal: Refusal, done: &mut Done) {
        let (exit, mut why) = (Exit::of_refusal(&refusal), words::refusal(&refusal));
        let status = match exit {
            Exit::Interrupted | Exit::TimeLimit | Exit::Inconclusive => Status::Undecided,
            _ => Status::Error,
        };
        if let Refusal::Model { diagnostics } = refusal {
            let case = &self.plan.cases[open[0]];
            let (suite, model) = (self.plan.suite(case), self.plan.model(case));
            let file = SourceFile::new(source.name.clone(), source.text.clone());
            for d in diagnostics {
                if d.severity == swarmcheck_source::Severity::Error {
                    why = format!("{} is wrong: {}", shown::line(&model.file.value), d.message);
                }
                let place = parameter_place(model, &d);
                let own = place.map(|place| {
                    let own = Diagnostic::error(codes::PARAMETER, place, d.message.clone());
                    // What the model says is meant for the command line.
                    let help = match d.code == MISSING {
                        true => {
                            named(&d).map(|name| format!("give it a value: parameters = {{ {name} = 5 }}"))
                        }
                        false => d.help.first().cloned(),
                    };
                    data::diagnostic(&suite.file, &own.help_if(help))
                });
                done.wrong.push(match own {
                    Some(own) => (suite.file.clone(), own),
                    None => (file.clone(), d),
                });
            }
        }
        done.all(open, status, &why, exit);
    }
}

/// Codes of the languages for parameters without a value, that do not exist, and with a value that is not accepted.
const ABOUT_PARAMETERS: &[&str] = &[MISSING, "E0402", "E0403"];
const MISSING: &str = "E0401";

fn bare(name: &str) -> &str {
    name.trim_start_matches('_')
}

/// The parameter that a diagnostic is about.
fn named(d: &DiagnosticData) -> Option<&str> {
    d.message.split('`').nth(1).map(bare)
}

/// Where a project file gives, or should give, the value that a diagnostic of a model is about.
fn parameter_place(model: &Model, d: &DiagnosticData) -> Option<swarmcheck_source::Span> {
    if !ABOUT_PARAMETERS.contains(&d.code.as_str()) {
        return None;
    }
    let own = model.parameters.iter().find(|p| Some(bare(&p.name.value)) == named(d));
    Some(own.map_or(model.file.span, |parameter| parameter.name.span))
}
