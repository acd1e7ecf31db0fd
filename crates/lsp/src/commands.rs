//! Commands: verify, simulate, show, set parameters.

use crate::jobs::{Allowed, CANCELLED, JobEvent, News, Purpose};
use crate::lenses::Verdict;
use crate::server::{Server, read};
use lsp_server::{ErrorCode, RequestId};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use swarmcheck_session::event::Outcomes;
use swarmcheck_session::listing;
use swarmcheck_session::request::Source;
use swarmcheck_session::show::Shape;
use swarmcheck_session::verify::Decider;
use swarmcheck_session::{Request, TraceData, TraceFormat};

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

/// A verification that waits until its document was checked.
pub(crate) struct Waiting {
    pub request: Option<RequestId>,
    pub uri: String,
    pub property: Option<String>,
    pub token: Option<Json>,
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
        let property = argument(1);
        match (command.as_str(), property) {
            ("swarmcheck.verify", property) => self.verify(Some(id), &uri, property, work_done_token),
            ("swarmcheck.cancel", _) => {
                self.jobs.cancel_document(&uri);
                self.answer(id, Json::Null);
            }
            ("swarmcheck.setParameters", _) => match arguments.get(1).and_then(Json::as_object) {
                Some(values) => self.set_parameters(id, &uri, values),
                None => self.refuse(id, "the second argument must be an object with values of parameters"),
            },
            ("swarmcheck.showAutomaton", kind) => self.show_automaton(id, &uri, kind.as_deref()),
            (_, None) => self.refuse(id, "the second argument must be the name of a property"),
            ("swarmcheck.simulateToViolation", Some(property)) => self.violate(id, &uri, property),
            (command, Some(property)) => {
                let document = self.documents.get(&uri);
                let verdict = document.and_then(|document| document.verdicts.get(&property));
                match verdict.and_then(|verdict| verdict.trace.as_ref()) {
                    None => {
                        self.refuse(id, &format!("there is no counterexample of {property}: verify it first"))
                    }
                    Some(shown) if command == "swarmcheck.showPlayer" => {
                        let (trace, text) =
                            (shown.data.clone(), verdict.map(|v| v.text.clone()).unwrap_or_default());
                        self.show_player(Some(id), &uri, &property, trace, text);
                    }
                    Some(shown) => {
                        let (text, places) = listing::with_places(&format!("{property} is violated"), shown);
                        self.show_text(&uri, &format!("{property}.trace"), text, places);
                        self.answer(id, Json::Null);
                    }
                }
            }
        }
    }

    fn allowed(&self) -> Allowed {
        Allowed { time: self.settings.time(), memory: self.settings.memory.max(64) << 20 }
    }

    fn set_parameters(&mut self, id: RequestId, uri: &str, values: &serde_json::Map<String, Json>) {
        if let Some(document) = self.documents.get_mut(uri) {
            document.choose(values);
            document.is_dirty = true;
            document.verdicts.clear();
        }
        self.tell_text(uri);
        self.check(uri);
        self.refresh();
        self.answer(id, Json::Null);
    }

    /// Decides a property, or all. What was tried for parameters is known once the document was checked.
    pub(crate) fn verify(
        &mut self,
        request: Option<RequestId>,
        uri: &str,
        property: Option<String>,
        token: Option<Json>,
    ) {
        let Some(document) = self.documents.get(uri) else { return };
        if document.is_checking {
            self.waiting.push(Waiting { request, uri: uri.to_string(), property, token });
            return;
        }
        if self.jobs.is_verifying(uri) && property.is_none() {
            self.jobs.cancel_document(uri);
        }
        let model = document.model_to_run(&self.settings);
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
                match request {
                    Some(id) => self.refuse(id, &why),
                    None => self.message(1, &why),
                }
                return;
            }
        }
        let (text, parameters) = (model.source.text.clone(), model.parameters.clone());
        let title = format!("verifying {}", property.unwrap_or_else(|| document.name()));
        let token = token.or_else(|| self.client.progress.then(|| self.jobs.token()));
        if let Some(token) = &token {
            if token.as_str().is_some_and(|token| token.starts_with("swarmcheck/")) {
                self.ask_client("window/workDoneProgress/create", json!({ "token": token }));
            }
            let begin = json!({ "kind": "begin", "title": title, "cancellable": true });
            self.notify("$/progress", json!({ "token": token, "value": begin }));
        }
        let asked = Request::Verify { model, options: Box::new(options), backend: None, found: None };
        let purpose = Purpose::Verify { text, parameters, answers: vec![] };
        let allowed = self.allowed();
        self.jobs.verify(uri, purpose, (request, token), asked, allowed);
    }

    /// Begins what has waited for the check of a document.
    pub(crate) fn go_on(&mut self, uri: &str) {
        let (now, later) =
            std::mem::take(&mut self.waiting).into_iter().partition(|waiting| waiting.uri == uri);
        self.waiting = later;
        let now: Vec<Waiting> = now;
        for Waiting { request, uri, property, token } in now {
            self.verify(request, &uri, property, token);
        }
    }

    fn violate(&mut self, id: RequestId, uri: &str, property: String) {
        let Some(document) = self.documents.get(uri) else { return };
        let model = Box::new(document.model_to_run(&self.settings));
        let allowed = self.allowed();
        self.jobs.violate(uri, Purpose::Violation { property, model }, Some(id), allowed);
    }

    fn show_automaton(&mut self, id: RequestId, uri: &str, kind: Option<&str>) {
        let Some(document) = self.documents.get(uri) else { return };
        let model = document.model_to_run(&self.settings);
        let title = format!("automata of {}", kind.map_or_else(|| document.name(), ToString::to_string));
        let asked = Request::Show { model, shape: Shape::Svg };
        let allowed = self.allowed();
        self.jobs.make(uri, Purpose::Drawing { title }, Some(id), asked, allowed);
    }

    /// Shows an execution of a text in the player.
    fn show_player(
        &mut self,
        id: Option<RequestId>,
        uri: &str,
        property: &str,
        trace: TraceData,
        text: String,
    ) {
        let Some(document) = self.documents.get(uri) else { return };
        let source = Source { name: document.name(), text, language: Some(document.language) };
        let title = format!("{property} of {}", document.name());
        let asked = Request::Render { source, trace: Box::new(trace), format: TraceFormat::Html };
        let allowed = self.allowed();
        self.jobs.make(uri, Purpose::Page { title }, id, asked, allowed);
    }

    pub(crate) fn job(&mut self, JobEvent { job, news }: JobEvent) {
        match news {
            News::Progress(message) => {
                if let Some(token) = self.jobs.get_mut(job).and_then(|job| job.token.clone()) {
                    self.notify(
                        "$/progress",
                        json!({ "token": token, "value": { "kind": "report", "message": message } }),
                    );
                }
            }
            News::Answer(answer) => {
                let Some(running) = self.jobs.get_mut(job) else { return };
                let Purpose::Verify { text, parameters, answers } = &mut running.purpose else { return };
                let verdict = Verdict::new(&answer, text, parameters);
                answers.push(json!({
                    "property": answer.name, "verdict": verdict.word, "seconds": verdict.seconds, "evidence": verdict.evidence,
                }));
                let uri = running.uri.clone();
                if let Some(document) = self.documents.get_mut(&uri) {
                    document.verdicts.insert(answer.name.clone(), verdict);
                }
                self.publish(&uri);
            }
            News::Verified(refused) => self.verified(job, refused),
            News::Made(made) => self.made(job, made),
            News::Violation(found) => self.violation(job, found),
        }
    }

    fn verified(&mut self, job: u64, refused: Option<String>) {
        let Some(job) = self.jobs.remove(job) else { return };
        let Purpose::Verify { answers, .. } = job.purpose else { return };
        if let Some(token) = &job.token {
            let verdicts = answers
                .iter()
                .filter_map(|a| Some(format!("{} {}", a["property"].as_str()?, a["verdict"].as_str()?)));
            let message = verdicts.collect::<Vec<_>>().join(", ");
            self.notify(
                "$/progress",
                json!({ "token": token, "value": { "kind": "end", "message": message } }),
            );
        }
        self.publish(&job.uri);
        self.refresh();
        match (job.request, refused) {
            (Some(id), Some(why)) => self.refuse(id, &why),
            (None, Some(why)) => self.message(1, &why),
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
        match (job.request, shown) {
            (Some(id), Ok(())) => self.answer(id, Json::Null),
            (Some(id), Err(why)) if why == CANCELLED => self.fail(id, ErrorCode::RequestCanceled, CANCELLED),
            (Some(id), Err(why)) => self.refuse(id, &why),
            (None, Err(why)) => self.message(1, &why),
            (None, Ok(())) => {}
        }
    }

    fn violation(&mut self, job: u64, found: Result<Option<Box<TraceData>>, String>) {
        let Some(job) = self.jobs.remove(job) else { return };
        let (Purpose::Violation { property, model }, Some(id)) = (job.purpose, job.request) else { return };
        match found {
            Ok(Some(trace)) => self.show_player(Some(id), &job.uri, &property, *trace, model.source.text),
            Ok(None) => {
                self.message(3, &format!("no random run violates {property}: 'verify' decides it"));
                self.answer(id, Json::Null);
            }
            Err(why) if why == CANCELLED => self.fail(id, ErrorCode::RequestCanceled, CANCELLED),
            Err(why) => self.refuse(id, &why),
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
