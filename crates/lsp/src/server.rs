//! The loop: one message after the other, from the editor, from the worker, from jobs.

use crate::answers::{self, How};
use crate::capabilities::{self, Client};
use crate::commands::{Waiting, Work};
use crate::documents::{CheckedText, Document, language, path};
use crate::editing::{self, Edited, Lost};
use crate::jobs::{JobEvent, Jobs};
use crate::lenses;
use crate::settings::Settings;
use crate::shown::Shown;
use crate::text::{Change, Encoding};
use crate::workspace::Search;
use crate::{End, Files};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;
use swarmcheck_session::editor::protocol::{EditorAnswer, EditorQuestion, EditorRequest};

/// Something to react to.
pub(crate) enum Incoming {
    /// From the editor.
    Client(Message),
    /// The editor is gone.
    Gone,
    /// From the worker that knows the documents.
    Edited(Edited),
    /// From a job.
    Job(JobEvent),
}

/// How often the server looks whether it was interrupted by a signal.
const TICK: Duration = Duration::from_millis(200);

/// Errors of the protocol that have no name in the library.
const REQUEST_FAILED: i32 = -32803;

/// A question under way.
pub(crate) enum Pending {
    /// For the diagnostics of a document.
    Check { uri: String, generation: u64 },
    /// For an answer to the client.
    Client { id: RequestId, uri: String, generation: u64, how: How },
    /// For a list over many documents.
    Search { search: u64, uri: String },
}

/// Everything that is known.
pub(crate) struct Server {
    pub out: Out,
    pub files: Arc<dyn Files>,
    pub client: Client,
    pub settings: Settings,
    pub encoding: Encoding,
    pub documents: HashMap<String, Document>,
    pub jobs: Jobs,
    pub shown: Shown,
    pub searches: HashMap<u64, Search>,
    /// Verifications that wait until their documents were checked.
    pub waiting: Vec<Waiting>,
    pub folders: Vec<String>,
    pub pending: HashMap<u64, Pending>,
    questions: Sender<EditorRequest>,
    numbers: u64,
    generations: u64,
    version: String,
    is_initialized: bool,
    is_shut_down: bool,
}

/// The way to the editor. If it is gone, that shows elsewhere.
pub(crate) struct Out(Connection);

impl Out {
    fn send(&self, message: impl Into<Message>) {
        let _ = self.0.sender.send(message.into());
    }
}

pub(crate) fn run(
    connection: Connection,
    version: &str,
    files: Arc<dyn Files>,
    interrupted: &dyn Fn() -> bool,
) -> End {
    let (tell, incoming) = mpsc::channel();
    let (questions, asked) = mpsc::channel();
    let messages = connection.receiver.clone();
    let from_client = tell.clone();
    std::thread::spawn(move || {
        for message in &messages {
            if from_client.send(Incoming::Client(message)).is_err() {
                return;
            }
        }
        let _ = from_client.send(Incoming::Gone);
    });
    let from_worker = tell.clone();
    let ending = Arc::new(AtomicBool::new(false));
    let flag = ending.clone();
    let worker = std::thread::spawn(move || editing::run(&asked, &from_worker, &flag));
    let server = Server {
        out: Out(connection),
        files,
        client: Client::default(),
        settings: Settings::default(),
        encoding: Encoding::Utf16,
        documents: HashMap::new(),
        jobs: Jobs::new(tell),
        shown: Shown::default(),
        searches: HashMap::new(),
        waiting: vec![],
        folders: vec![],
        pending: HashMap::new(),
        questions,
        numbers: 0,
        generations: 0,
        version: version.to_string(),
        is_initialized: false,
        is_shut_down: false,
    };
    let end = server.serve(&incoming, interrupted);
    ending.store(true, Ordering::Relaxed);
    // Its worker ends with it.
    let _ = worker.join();
    end
}

#[derive(Deserialize)]
struct TextDocument {
    uri: String,
}

#[derive(Deserialize)]
struct VersionedDocument {
    uri: String,
    version: Option<i64>,
}

#[derive(Deserialize)]
struct Opened {
    #[serde(rename = "textDocument")]
    document: OpenedDocument,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OpenedDocument {
    uri: String,
    #[serde(default)]
    language_id: String,
    version: i64,
    text: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Changed {
    text_document: VersionedDocument,
    content_changes: Vec<Change>,
}

#[derive(Deserialize)]
struct OfDocument {
    #[serde(rename = "textDocument")]
    document: TextDocument,
}

impl Server {
    fn serve(mut self, incoming: &Receiver<Incoming>, interrupted: &dyn Fn() -> bool) -> End {
        loop {
            let message = match incoming.recv_timeout(TICK) {
                Ok(message) => message,
                Err(RecvTimeoutError::Timeout) if interrupted() => return End::Interrupted,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return End::Deserted,
            };
            match message {
                Incoming::Client(Message::Request(request)) => self.request(request),
                Incoming::Client(Message::Notification(notification)) => {
                    if notification.method == "exit" {
                        return if self.is_shut_down { End::Shutdown } else { End::Deserted };
                    }
                    self.notification(notification);
                }
                // Nothing depends on answers of the client: what it cannot do it was not asked for.
                Incoming::Client(Message::Response(_)) => {}
                Incoming::Gone => return End::Deserted,
                Incoming::Edited(edited) => self.edited(edited),
                Incoming::Job(event) => self.job(event),
            }
        }
    }

    pub(crate) fn answer(&self, id: RequestId, result: Json) {
        self.out.send(Response::new_ok(id, result));
    }

    pub(crate) fn fail(&self, id: RequestId, code: ErrorCode, why: &str) {
        self.out.send(Response::new_err(id, code as i32, why.to_string()));
    }

    /// Says that something was understood and cannot be done.
    pub(crate) fn refuse(&self, id: RequestId, why: &str) {
        self.out.send(Response::new_err(id, REQUEST_FAILED, why.to_string()));
    }

    pub(crate) fn notify(&self, method: &str, params: Json) {
        self.out.send(Notification::new(method.to_string(), params));
    }

    /// Tells the person something: 1 error, 2 warning, 3 information.
    pub(crate) fn message(&self, kind: u32, text: &str) {
        self.notify("window/showMessage", json!({ "type": kind, "message": text }));
    }

    /// Asks the editor for something. Nobody waits for what it answers.
    pub(crate) fn ask_client(&mut self, method: &str, params: Json) {
        let id = self.client.next();
        self.out.send(Request::new(id, method.to_string(), params));
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        if method == "initialize" && !self.is_initialized {
            return self.initialize(id, &params);
        }
        if method == "initialize" {
            return self.fail(id, ErrorCode::InvalidRequest, "'initialize' was sent already");
        }
        if !self.is_initialized {
            return self.fail(id, ErrorCode::ServerNotInitialized, "the first request must be 'initialize'");
        }
        if self.is_shut_down {
            return self.fail(id, ErrorCode::InvalidRequest, "the server was told to shut down");
        }
        match method.as_str() {
            "shutdown" => {
                self.is_shut_down = true;
                self.jobs.cancel_all();
                self.answer(id, Json::Null);
            }
            "textDocument/documentLink" => self.links(id, params),
            "workspace/symbol" => self.search(id, &params),
            "workspace/executeCommand" => self.command(id, params),
            "workspace/textDocumentContent" => self.content(id, &params),
            _ => match answers::question(&method, &params) {
                Some(Ok((uri, asked))) => self.ask_about(id, &uri, asked),
                Some(Err(why)) => self.fail(id, ErrorCode::InvalidParams, &why),
                None => self.fail(id, ErrorCode::MethodNotFound, &format!("there is no request '{method}'")),
            },
        }
    }

    fn initialize(&mut self, id: RequestId, params: &Json) {
        self.client = Client::new(params);
        self.encoding = capabilities::encoding(params);
        self.folders = capabilities::folders(params);
        let updated = self.settings.update(&params["initializationOptions"]);
        self.is_initialized = true;
        self.answer(id, capabilities::result(self.encoding, &self.version));
        if let Err(why) = updated {
            self.message(2, &why);
        }
    }

    fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        if !self.is_initialized || self.is_shut_down {
            return;
        }
        match method.as_str() {
            "textDocument/didOpen" => self.opened(params),
            "textDocument/didChange" => self.changed(params),
            "textDocument/didClose" => self.closed(params),
            "textDocument/didSave" => self.saved(params),
            "initialized" => self.watch_projects(),
            "$/cancelRequest" => self.cancel(&params["id"]),
            "window/workDoneProgress/cancel" => self.jobs.cancel_token(&params["token"]),
            "workspace/didChangeConfiguration" => {
                if let Err(why) = self.settings.update(&params["settings"]) {
                    self.message(2, &why);
                }
                self.read_again();
            }
            "workspace/didChangeWatchedFiles" => {
                self.read_projects();
                self.read_again();
            }
            "workspace/didChangeWorkspaceFolders" => {
                self.folders = capabilities::changed(&self.folders, &params)
            }
            // Unknown notifications are to be passed over.
            _ => {}
        }
    }

    /// Asks the client to tell when project files change.
    fn watch_projects(&mut self) {
        if self.client.watches_files {
            let watchers = json!({ "watchers": [{ "globPattern": "**/swarmcheck.toml" }] });
            let method = "workspace/didChangeWatchedFiles";
            let registration = json!({ "id": "projects", "method": method, "registerOptions": watchers });
            self.ask_client("client/registerCapability", json!({ "registrations": [registration] }));
        }
    }

    fn read_projects(&mut self) {
        for document in self.documents.values_mut() {
            document.project = path(&document.uri).and_then(|path| self.files.project(&path));
        }
    }

    fn opened(&mut self, params: Json) {
        let Some(Opened { document }) = read::<Opened>(params) else { return };
        let Some(language) = language(&document.language_id, &document.uri) else { return };
        let OpenedDocument { uri, version, text, .. } = document;
        let mut document = Document::new(&uri, language, version, text);
        document.project = path(&uri).and_then(|path| self.files.project(&path));
        self.documents.insert(uri.clone(), document);
        self.tell_text(&uri);
        self.check(&uri);
    }

    fn changed(&mut self, params: Json) {
        let Some(Changed { text_document, content_changes }) = read::<Changed>(params) else { return };
        let VersionedDocument { uri, version } = text_document;
        let Some(document) = self.documents.get_mut(&uri) else { return };
        for change in &content_changes {
            document.text.change(change, self.encoding);
        }
        document.version = version.unwrap_or(document.version.saturating_add(1));
        self.tell_text(&uri);
        self.check(&uri);
    }

    fn closed(&mut self, params: Json) {
        let Some(OfDocument { document: TextDocument { uri } }) = read(params) else { return };
        if self.documents.remove(&uri).is_some() {
            self.jobs.cancel_document(&uri);
            self.forget_waiting(|waiting| waiting.uri == uri);
            let _ = self.questions.send(EditorRequest::Close { document: uri.clone() });
            self.notify("textDocument/publishDiagnostics", json!({ "uri": uri, "diagnostics": [] }));
        }
    }

    fn saved(&mut self, params: Json) {
        let Some(OfDocument { document: TextDocument { uri } }) = read(params) else { return };
        if self.settings.verify_on_save && self.documents.contains_key(&uri) {
            self.begin(Waiting { request: None, uri, work: Work::Verify { property: None, token: None } });
        }
    }

    /// Gives the worker the text of a document. What was asked about it before is about another one.
    pub(crate) fn tell_text(&mut self, uri: &str) {
        let Some(document) = self.documents.get_mut(uri) else { return };
        self.generations += 1;
        document.generation = self.generations;
        let model = Box::new(document.model(&self.settings));
        let _ = self.questions.send(EditorRequest::Open { document: uri.to_string(), model });
    }

    /// Every document is read in another way now.
    pub(crate) fn read_again(&mut self) {
        let uris: Vec<String> = self.documents.keys().cloned().collect();
        for uri in uris {
            self.tell_text(&uri);
            self.check(&uri);
        }
    }

    /// Asks for diagnostics, unless some are under way: then they are asked for again when those have come.
    pub(crate) fn check(&mut self, uri: &str) {
        let Some(document) = self.documents.get_mut(uri) else { return };
        if document.checking.is_some() {
            return;
        }
        let generation = document.generation;
        document.checking = Some(generation);
        self.ask(uri, EditorQuestion::Diagnostics, Pending::Check { uri: uri.to_string(), generation });
    }

    /// Asks the worker.
    pub(crate) fn ask(&mut self, document: &str, question: EditorQuestion, pending: Pending) {
        self.numbers += 1;
        let (number, document) = (self.numbers, document.to_string());
        self.pending.insert(number, pending);
        let _ = self.questions.send(EditorRequest::Ask { number, document, question });
    }

    /// Tells the worker about a document that nobody has open.
    pub(crate) fn tell_worker(&self, request: EditorRequest) {
        let _ = self.questions.send(request);
    }

    fn ask_about(&mut self, id: RequestId, uri: &str, how: How) {
        let Some(document) = self.documents.get(uri) else {
            // Nothing is known about documents that are not open, or not in one of the languages.
            return self.answer(id, Json::Null);
        };
        if document.slow_facts == Some(document.generation)
            && let How::Hints(within) = &how
        {
            let hints = lenses::hints(document, &[], &self.settings, self.encoding, *within);
            return self.answer(id, Json::Array(hints));
        }
        let question = how.question(&document.text, self.encoding);
        let pending = Pending::Client { id, uri: uri.to_string(), generation: document.generation, how };
        self.ask(uri, question, pending);
    }

    /// The editor does not want an answer any more.
    fn cancel(&mut self, id: &Json) {
        let is_it = |known: &RequestId| serde_json::to_value(known).is_ok_and(|known| known == *id);
        let mut found = None;
        for (number, pending) in &self.pending {
            if let Pending::Client { id, .. } = pending
                && is_it(id)
            {
                found = Some(*number);
            }
        }
        if let Some(Pending::Client { id, .. }) = found.and_then(|number| self.pending.remove(&number)) {
            return self.fail(id, ErrorCode::RequestCanceled, "cancelled");
        }
        self.forget_waiting(|waiting| waiting.request.as_ref().is_some_and(&is_it));
        self.forget_searches(&is_it);
        self.jobs.cancel_request(&is_it);
    }

    fn edited(&mut self, Edited { number, answer }: Edited) {
        match self.pending.remove(&number) {
            // Cancelled meanwhile.
            None => {}
            Some(Pending::Check { uri, generation }) => self.checked(&uri, generation, answer),
            Some(Pending::Search { search, uri }) => self.searched(search, &uri, answer.ok()),
            Some(Pending::Client { id, uri, generation, how }) => {
                let Some(document) = self.documents.get_mut(&uri) else { return self.answer(id, Json::Null) };
                if document.generation != generation {
                    return self.fail(id, ErrorCode::ContentModified, "the text has changed meanwhile");
                }
                if answer == Err(Lost::Late) && matches!(how, How::Hints(_)) {
                    document.slow_facts = Some(generation);
                }
                match answer {
                    Ok(EditorAnswer::Refused { why }) => self.refuse(id, &why),
                    Ok(answer) => {
                        let document = &*document;
                        let (settings, client) = (&self.settings, &self.client);
                        let result = answers::result(&how, answer, document, settings, client, self.encoding);
                        self.answer(id, result);
                    }
                    Err(Lost::Late) => self.refuse(id, "this takes too long"),
                    Err(Lost::Died) => {
                        self.refuse(id, "the worker that answers such questions cannot be kept running")
                    }
                }
            }
        }
    }

    fn checked(&mut self, uri: &str, generation: u64, answer: Result<EditorAnswer, Lost>) {
        let Some(document) = self.documents.get_mut(uri) else { return };
        // A document that was closed and opened again waits for another answer.
        if document.checking != Some(generation) {
            return;
        }
        document.checking = None;
        let is_current = document.generation == generation;
        match answer {
            Ok(EditorAnswer::Diagnostics { diagnostics, outline, assumed }) => {
                let outline = outline.map(|outline| *outline);
                document.checked = Some(CheckedText { generation, diagnostics, outline, assumed });
            }
            Ok(_) => {}
            Err(lost) => {
                document.checked = None;
                if is_current {
                    let why = match lost {
                        Lost::Late => {
                            "checking this model takes too long; it is checked again when the text changes"
                        }
                        Lost::Died => {
                            "checking this model ends the worker; it is checked again when the text changes"
                        }
                    };
                    self.message(2, why);
                }
            }
        }
        if is_current {
            self.publish(uri);
            self.go_on(uri);
        } else {
            self.check(uri);
        }
    }

    /// Tells the editor what is wrong, and what was found out.
    pub(crate) fn publish(&self, uri: &str) {
        let Some(document) = self.documents.get(uri) else { return };
        // While a text is being checked, what is wrong with it is not known.
        if document.current().is_none() && document.checking.is_some() {
            return;
        }
        let mut list = document.current().map_or(vec![], |checked| {
            answers::diagnostics(document, checked, self.encoding, self.settings.ask_parameters)
        });
        list.extend(lenses::diagnostics(document, &self.settings, self.encoding));
        let params = json!({ "uri": uri, "version": document.version, "diagnostics": list });
        self.notify("textDocument/publishDiagnostics", params);
    }
}

/// Parameters as what they should be; nothing if they are something else.
pub(crate) fn read<T: DeserializeOwned>(params: Json) -> Option<T> {
    serde_json::from_value(params).ok()
}
