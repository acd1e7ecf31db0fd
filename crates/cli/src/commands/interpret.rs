//! `swarmcheck simulate --interactive` and `--walk`: a person at the terminal asks an interpreter in a worker.

use crate::arguments::SimulateArguments;
use crate::exit::Exit;
use crate::inputs::{self, Input};
use crate::interactive::{End, interactive, words};
use crate::jobs;
use crate::shell::Shell;
use crate::terminal::Conversation;
use std::cell::RefCell;
use std::io::{self, BufRead, Read};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;
use swarmcheck_session::interpreter::{InterpreterRefusal, InterpreterReply, InterpreterRequest};
use swarmcheck_session::request::{ModelRequest, PrecedenceWord};
use swarmcheck_session::{Event, Refusal, Request, replay};
use swarmcheck_worker::protocol::ToWorker;
use swarmcheck_worker::{Limits, Next, Worker};

/// Lets a person choose every step.
pub fn run(
    arguments: &SimulateArguments,
    input: &Input,
    model: ModelRequest,
    seed: u64,
    shell: &Shell,
) -> Result<Exit, Exit> {
    let trace = match &arguments.walk {
        None => None,
        Some(path) => {
            let text = inputs::text(path, &arguments.limits, shell)?;
            let trace = replay::read(&text).map_err(|e| shell.usage(&format!("{path}: {e}")))?;
            Some((path, trace))
        }
    };
    // A trace knows how its model was read.
    let mut model = model;
    let told = trace.as_ref().and_then(|(_, trace)| trace.precedence.as_deref());
    model.precedence = model.precedence.or(told.and_then(PrecedenceWord::named));
    let limits = shell.limits(&arguments.limits);
    let worker = Worker::start(Request::Interpret { model, seed }, limits, None);
    let worker = worker.map_err(|why| shell.failure(&why))?;
    let client = RefCell::new(Client { worker, input, shell, ended: None });
    match trace {
        None => shell.note(&format!("seed {seed}")),
        Some((path, trace)) => {
            let loaded = client.borrow_mut().ask(InterpreterRequest::LoadTrace { trace: Box::new(trace) });
            // A trace that cannot be followed is a mistake of whoever named it.
            if let InterpreterReply::Refused { refusal } = loaded {
                let ended = client.borrow().ended;
                return Err(ended.unwrap_or_else(|| shell.usage(&format!("{path}: {}", words(&refusal)))));
            }
        }
    }
    let mut ask = |request| client.borrow_mut().ask(request);
    let mut lines = Lines { pieces: pieces(), piece: vec![], at: 0, limits, client: &client };
    let ended = interactive(&mut ask, &mut lines, &mut Conversation);
    let stopped = client.borrow().ended;
    match (stopped, ended) {
        (Some(exit), _) => Err(exit),
        (None, Ok(End::Left)) => Ok(Exit::Fine),
        (None, Ok(End::Model)) => Ok(Exit::Model),
        (None, Ok(End::Undecided)) => Ok(Exit::Inconclusive),
        (None, Err(e)) if e.kind() == io::ErrorKind::InvalidData => {
            Err(shell.usage("the input is not UTF-8 text"))
        }
        // Nobody reads any more.
        (None, Err(e)) if e.kind() == io::ErrorKind::BrokenPipe => Ok(Exit::Fine),
        (None, Err(e)) => Err(shell.failure(&format!("cannot write: {e}"))),
    }
}

/// The worker, and why it is there no more.
struct Client<'a> {
    worker: Worker,
    input: &'a Input,
    shell: &'a Shell,
    ended: Option<Exit>,
}

impl Client<'_> {
    fn ask(&mut self, request: InterpreterRequest) -> InterpreterReply {
        let gone = InterpreterReply::Refused { refusal: InterpreterRefusal::Gone };
        if self.ended.is_some() {
            return gone;
        }
        self.worker.say(&ToWorker::Interpreter { request: Box::new(request) });
        loop {
            let refusal = match self.worker.next(&|| self.shell.interrupted()) {
                Next::Event(event) => match *event {
                    Event::Reply { reply } => return *reply,
                    Event::Warnings { diagnostics } => {
                        jobs::tell(&diagnostics, &[&self.input.file], self.shell);
                        continue;
                    }
                    Event::Refused { refusal } => refusal,
                    _ => continue,
                },
                Next::Done => Refusal::Unfinished { reason: swarmcheck_session::Reason::Interrupted },
                Next::Failed(failure) => Refusal::Unfinished { reason: failure.reason(vec![]) },
            };
            self.ended = Some(jobs::refused(refusal, &[&self.input.file], self.shell));
            return gone;
        }
    }
}

/// Standard input, read by a thread of its own, so that Ctrl-C and the clock are noticed while a person thinks.
fn pieces() -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut piece = [0; 4096];
        while let Ok(n) = io::stdin().lock().read(&mut piece) {
            if sender.send(piece[..n].to_vec()).is_err() || n == 0 {
                return;
            }
        }
    });
    receiver
}

struct Lines<'a, 'c> {
    pieces: Receiver<Vec<u8>>,
    piece: Vec<u8>,
    at: usize,
    limits: Limits,
    client: &'a RefCell<Client<'c>>,
}

impl Read for Lines<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.fill_buf()?.read(buffer)?;
        self.consume(n);
        Ok(n)
    }
}

impl BufRead for Lines<'_, '_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.at == self.piece.len() {
            let mut client = self.client.borrow_mut();
            match self.pieces.recv_timeout(Duration::from_millis(10)) {
                Ok(piece) if piece.is_empty() => return Ok(&[]),
                Ok(piece) => (self.piece, self.at) = (piece, 0),
                Err(RecvTimeoutError::Disconnected) => return Ok(&[]),
                Err(RecvTimeoutError::Timeout) if client.shell.interrupted() => {
                    client.ended.get_or_insert(Exit::Interrupted);
                }
                Err(RecvTimeoutError::Timeout) if self.limits.expired() => {
                    client.shell.failure("the time limit was reached");
                    client.ended.get_or_insert(Exit::TimeLimit);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if client.ended.is_some() {
                return Err(io::Error::other("the conversation has ended"));
            }
        }
        Ok(&self.piece[self.at..])
    }

    fn consume(&mut self, n: usize) {
        self.at += n;
    }
}
