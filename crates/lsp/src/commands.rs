//! Commands: verify, simulate, show, set parameters.

use crate::documents::path;
use crate::jobs::violation::{RUNS, STEPS};
use crate::jobs::{Allowed, CANCELLED, JobEvent, News, Purpose};
use crate::lenses::Verdict;
use crate::server::{Server, read};
use crate::settings::plain;
use lsp_server::{ErrorCode, RequestId};
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;
use swarmcheck_session::event::Outcomes;
use swarmcheck_session::listing;
use swarmcheck_session::request::Source;
use swarmcheck_session::show::Shape;
use swarmcheck_session::verify::Decider;
use swarmcheck_session::{Answer, Reason, Request, TraceData, TraceFormat};

/// The commands of the server.
pub(crate) const COMMANDS: &[&str] = &[
    "swarmcheck.verify",
    "swarmcheck.simulateToViolation",
    "swarmcheck.showTrace",
    "swarmcheck.showPlayer",
    "swarmcheck.showAutomaton",
    "swarmcheck.setParameters",
    "swarmcheck.cancel",
];

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Command {
    command: String,
    #[serde(default)]
    arguments: Vec<Json>,
    work_done_token: Option<Json>,
}

/// Work that begins when its document was checked: what was tried for parameters is known then.
pub(crate) struct Waiting {
    pub request: Option<RequestId>,
    pub uri: String,
    pub work: Work,
}

/// What is to be done with a model.
pub(crate) enum Work {
    /// Decide a property, or all.
    Verify { property: Option<String>, token: Option<Json> },
    /// Find a random run that violates a property.
    Violate { property: String },
    /// Draw its automata.
    Draw,
}

impl Server {
    pub(crate) fn command(&mut self, id: RequestId, params: Json) {
        let Some(Command { command, arguments, work_done_token }) = read(params) else {
            return self.fail(id, ErrorCode::InvalidParams, "the command cannot be read");
        };
        if !COMMANDS.contains(&command.as_str()) {
            return self.fail(id, ErrorCode::InvalidParams, &format!("there is no command '{command}'"));
        }
        let argument = |at: usize| arguments.get(at).and_then(Json::as_str).map(str::to_string);
        let Some(uri) = argument(0).filter(|uri| self.documents.contains_key(uri)) else {
            return self.refuse(id, "the first argument must be the address of an open document");
        };
        let work = match (command.as_str(), argument(1)) {
            ("swarmcheck.verify", property) => Work::Verify { property, token: work_done_token },
            ("swarmcheck.showAutomaton", _) => Work::Draw,
            ("swarmcheck.cancel", _) => {
                self.jobs.cancel_document(&uri);
                return self.answer(id, Json::Null);
            }
            ("swarmcheck.setParameters", _) => {
                return match arguments.get(1).and_then(Json::as_object) {
                    Some(values) => self.set_parameters(id, &uri, values),
                    None => {
                        self.refuse(id, "the second argument must be an object with values of parameters")
                    }
                };
            }
            (_, None) => return self.refuse(id, "the second argument must be the name of a property"),
            ("swarmcheck.simulateToViolation", Some(property)) => Work::Violate { property },
            (command, Some(property)) => {
                return self.show_counterexample(id, &uri, &property, command == "swarmcheck.showPlayer");
            }
        };
        self.begin(Waiting { request: Some(id), uri, work });
    }

    fn allowed(&self) -> Allowed {
        Allowed { time: self.settings.time(), memory: self.settings.memory.clamp(64, 1 << 30) << 20 }
    }

    fn set_parameters(&mut self, id: RequestId, uri: &str, values: &Map<String, Json>) {
        let is_number = |value: &Json| {
            matches!(plain(value).trim(), "" | "null") || plain(value).trim().parse::<i64>().is_ok()
        };
        if let Some((name, value)) = values.iter().find(|(_, value)| !is_number(value)) {
            return self.refuse(
                id,
                &format!("the value of `{name}` must be a whole number, not `{}`", plain(value)),
            );
        }
        if let Some(document) = self.documents.get_mut(uri) {
            document.choose(values);
        }
        self.tell_text(uri);
        self.check(uri);
        self.refresh();
        self.answer(id, Json::Null);
    }

    /// Does some work with a model, once it was checked.
    pub(crate) fn begin(&mut self, waiting: Waiting) {
        let Some(document) = self.documents.get_mut(&waiting.uri) else { return };
        if document.checking.is_some() {
            self.waiting.push(waiting);
            return;
        }
        let Some(checked) = document.current() else {
            let why =
                "the model could not be checked, so its parameters are not known: change it, or try again";
            return self.refuse_or_say(waiting.request, why);
        };
        // Whoever saves a model with errors sees them already.
        if waiting.request.is_none() && checked.errors() > 0 {
            return;
        }
        // A project file may have changed, and not every client tells that.
        if let Some(project) = path(&waiting.uri).and_then(|path| self.files.project(&path)) {
            document.project = Some(project);
        }
        let Waiting { request, uri, work } = waiting;
        match (work, request) {
            (Work::Verify { property, token }, request) => self.verify(request, &uri, property, token),
            (Work::Violate { property }, Some(id)) => self.violate(id, &uri, property),
            (Work::Draw, Some(id)) => self.draw(id, &uri),
            (_, None) => {}
        }
    }

    fn refuse_or_say(&self, request: Option<RequestId>, why: &str) {
        match request {
            Some(id) => self.refuse(id, why),
            None => self.message(1, why),
        }
    }

    /// Takes out of what waits what is meant.
    fn take_waiting(&mut self, meant: impl Fn(&Waiting) -> bool) -> Vec<Waiting> {
        let (taken, left) = std::mem::take(&mut self.waiting).into_iter().partition(|waiting| meant(waiting));
        self.waiting = left;
        taken
    }

    /// Gives up work that has not begun.
    pub(crate) fn forget_waiting(&mut self, meant: impl Fn(&Waiting) -> bool) {
        for id in self.take_waiting(meant).into_iter().filter_map(|waiting| waiting.request) {
            self.fail(id, ErrorCode::RequestCanceled, CANCELLED);
        }
    }

    /// Begins what has waited for the check of a document.
    pub(crate) fn go_on(&mut self, uri: &str) {
        for waiting in self.take_waiting(|waiting| waiting.uri == uri) {
            self.begin(waiting);
        }
    }

    fn verify(
        &mut self,
        request: Option<RequestId>,
        uri: &str,
        property: Option<String>,
        token: Option<Json>,
    ) {
        let Some(document) = self.documents.get(uri) else { return };
        if property.is_none() && self.jobs.is_verifying(uri) {
            self.jobs.cancel_document(uri);
        }
        let question = Arc::new(document.question(&self.settings));
        let mut options = document.options();
        options.properties = property.iter().cloned().collect();
        options.threads = match self.settings.threads {
            0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            threads => threads.min(256),
        };
        match Decider::named(&self.settings.engine) {
            Some(Decider::Auto) => {}
            Some(engine) => options.engine = engine,
            None => {
                let why = format!("there is no engine '{}': look at the settings", self.settings.engine);
                return self.refuse_or_say(request, &why);
            }
        }
        let title = format!("verifying {}", property.unwrap_or_else(|| document.name()));
        let own = token.is_none();
        let token = token.or_else(|| self.client.progress.then(|| self.jobs.token()));
        if let Some(token) = &token {
            if own {
                self.ask_client("window/workDoneProgress/create", json!({ "token": token }));
            }
            let begin = json!({ "kind": "begin", "title": title, "cancellable": true });
            self.notify("$/progress", json!({ "token": token, "value": begin }));
        }
        let model = question.model.clone();
        let asked = Request::Verify { model, options: Box::new(options), backend: None, found: None };
        let purpose = Purpose::Verify { question, answers: vec![] };
        let allowed = self.allowed();
        self.jobs.verify(uri, purpose, (request, token), asked, allowed);
    }

    fn violate(&mut self, id: RequestId, uri: &str, property: String) {
        let Some(document) = self.documents.get(uri) else { return };
        let model = Box::new(document.model_to_run(&self.settings));
        let allowed = self.allowed();
        self.jobs.violate(uri, Purpose::Violation { property, model }, Some(id), allowed);
    }

    fn draw(&mut self, id: RequestId, uri: &str) {
        let Some(document) = self.documents.get(uri) else { return };
        let model = document.model_to_run(&self.settings);
        let title = format!("automata of {}", document.name());
        let asked = Request::Show { model, shape: Shape::Svg };
        let allowed = self.allowed();
        self.jobs.make(uri, Purpose::Drawing { title }, Some(id), asked, allowed);
    }

    /// Shows what violates a property, in the player or as text.
    fn show_counterexample(&mut self, id: RequestId, uri: &str, property: &str, in_player: bool) {
        let Some(document) = self.documents.get(uri) else { return };
        let verdict = document.verdicts.get(property);
        let Some((verdict, shown)) = verdict.and_then(|verdict| Some((verdict, verdict.trace.as_ref()?)))
        else {
            return self.refuse(id, &format!("there is no counterexample of {property}: verify it first"));
        };
        if in_player {
            let (trace, text) = (shown.data.clone(), verdict.question.model.source.text.clone());
            return self.show_player(id, uri, property, trace, text);
        }
        let is_stale = verdict.is_stale(&document.question(&self.settings));
        let of = if is_stale { " (of an older text, or for other parameters)" } else { "" };
        let (text, places) = listing::with_places(&format!("{property} is violated{of}"), shown);
        // Lines of an older text lead to the wrong places.
        let places = if is_stale { vec![] } else { places };
        self.show_text(uri, &format!("{property}.trace"), text, places);
        self.answer(id, Json::Null);
    }

    /// Shows an execution of a text in the player.
    fn show_player(&mut self, id: RequestId, uri: &str, property: &str, trace: TraceData, text: String) {
        let Some(document) = self.documents.get(uri) else { return self.answer(id, Json::Null) };
        let source = Source { name: document.name(), text, language: Some(document.language) };
        let title = format!("{property} of {}", document.name());
        let asked = Request::Render { source, trace: Box::new(trace), format: TraceFormat::Html };
        let allowed = self.allowed();
        self.jobs.make(uri, Purpose::Page { title }, Some(id), asked, allowed);
    }

    pub(crate) fn job(&mut self, JobEvent { job, news }: JobEvent) {
        match news {
            News::Progress(message) => {
                if let Some(token) = self.jobs.get_mut(job).and_then(|job| job.token.clone()) {
                    let report = json!({ "kind": "report", "message": message });
                    self.notify("$/progress", json!({ "token": token, "value": report }));
                }
            }
            News::Answer(answer) => self.answered(job, &answer),
            News::Verified(refused) => self.verified(job, refused),
            News::Made(made) => self.made(job, made),
            News::Violation(found) => self.violation(job, found),
        }
    }

    fn answered(&mut self, job: u64, answer: &Answer) {
        let Some(running) = self.jobs.get_mut(job) else { return };
        let Purpose::Verify { question, answers } = &mut running.purpose else { return };
        let verdict = Verdict::new(answer, question, job);
        answers.push(json!({
            "property": answer.name, "verdict": verdict.word, "seconds": verdict.seconds, "evidence": verdict.evidence,
        }));
        let uri = running.uri.clone();
        let Some(document) = self.documents.get_mut(&uri) else { return };
        // A job that was cancelled has found nothing out, and one that began earlier is out of date.
        let is_cut = answer.reason().is_some_and(|reason| reason.includes(&Reason::Interrupted));
        let is_late = document.verdicts.get(&answer.name).is_some_and(|known| known.job > job);
        if !is_cut && !is_late {
            document.verdicts.insert(answer.name.clone(), verdict);
            self.publish(&uri);
        }
    }

    fn verified(&mut self, job: u64, refused: Option<String>) {
        let Some(job) = self.jobs.remove(job) else { return };
        let Purpose::Verify { answers, .. } = job.purpose else { return };
        if let Some(token) = &job.token {
            let verdict = |a: &Json| Some(format!("{} {}", a["property"].as_str()?, a["verdict"].as_str()?));
            let message = answers.iter().filter_map(verdict).collect::<Vec<_>>().join(", ");
            self.notify(
                "$/progress",
                json!({ "token": token, "value": { "kind": "end", "message": message } }),
            );
        }
        self.publish(&job.uri);
        self.refresh();
        match (job.request, refused) {
            (request, Some(why)) => self.refuse_or_say(request, &why),
            (Some(id), None) => self.answer(id, Json::Array(answers)),
            (None, None) => {}
        }
    }

    fn made(&mut self, job: u64, made: Result<Box<Outcomes>, String>) {
        let Some(job) = self.jobs.remove(job) else { return };
        let shown = match (made.map(|made| *made), job.purpose) {
            (Ok(Outcomes::Render { text }), Purpose::Page { title }) => self.show_page(&title, text),
            (Ok(Outcomes::Show { text: Some(svg) }), Purpose::Drawing { title }) => {
                self.show_drawing(&title, &svg)
            }
            (Ok(_), _) => Err("there is nothing to show".to_string()),
            (Err(why), _) => Err(why),
        };
        self.conclude(job.request, shown);
    }

    fn violation(&mut self, job: u64, found: Result<Option<Box<TraceData>>, String>) {
        let Some(job) = self.jobs.remove(job) else { return };
        let (Purpose::Violation { property, model }, Some(id)) = (job.purpose, job.request) else { return };
        let none = match found {
            Ok(Some(trace)) => return self.show_player(id, &job.uri, &property, *trace, model.source.text),
            Ok(None) => {
                let tried = format!("{RUNS} random runs of at most {STEPS} steps");
                self.message(3, &format!("none of {tried} violates {property}: 'verify' decides it"));
                Ok(())
            }
            Err(why) => Err(why),
        };
        self.conclude(Some(id), none);
    }

    /// Tells whoever waits for a job how it has ended.
    fn conclude(&self, request: Option<RequestId>, end: Result<(), String>) {
        match (request, end) {
            (Some(id), Ok(())) => self.answer(id, Json::Null),
            (Some(id), Err(why)) if why == CANCELLED => self.fail(id, ErrorCode::RequestCanceled, CANCELLED),
            (request, Err(why)) => self.refuse_or_say(request, &why),
            (None, Ok(())) => {}
        }
    }

    /// Lenses and hints say something else now.
    pub(crate) fn refresh(&mut self) {
        if self.client.refreshes_lenses {
            self.ask_client("workspace/codeLens/refresh", Json::Null);
        }
        if self.client.refreshes_hints {
            self.ask_client("workspace/inlayHint/refresh", Json::Null);
        }
    }
}
