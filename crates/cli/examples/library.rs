//! swarmcheck as a library: read a model, decide its properties, print answers as they come, walk through a run.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use swarmcheck_session::interpreter::Interpreter;
use swarmcheck_session::request::{ModelRequest, Source};
use swarmcheck_session::verify::VerifyOptions;
use swarmcheck_session::{Answered, Event, Host, ModelOptions, Request, prepare, run, words};

const MODEL: &str = "
system { extern = _n  spawn = Node: _n }
stigmergy Election { link = true  leader: _n }
agent Node { stigmergies = Election  Behavior = leader > id -> leader <~ id; Behavior }
check {
  Agreed = eventually forall Node a, leader of a = 0
  Never  = always exists Node a, leader of a != 0
}";

/// Receives events, from any thread, and says when to stop: here, after the first violation.
#[derive(Default)]
struct Listener {
    stop: AtomicBool,
    verdicts: Mutex<Vec<(String, Answered)>>,
}

impl Host for Listener {
    fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    fn tell(&self, event: Event) {
        match event {
            Event::Answer(answer) => {
                println!("{}: {}, {}", answer.name, answer.verdict().word(), answer.evidence());
                let violated = answer.verdict() == Answered::Violated;
                self.stop.fetch_or(violated, Ordering::Relaxed);
                self.verdicts.lock().expect("no panic").push((answer.name.clone(), answer.verdict()));
            }
            Event::Refused { refusal } => println!("refused: {}", words::refusal(&refusal)),
            _ => {}
        }
    }
}

pub fn main() {
    // A whole request, as a worker process would get it as JSON.
    let source = Source { name: "leader.labs".to_string(), text: MODEL.to_string(), language: None };
    let parameters = vec![("n".to_string(), "3".to_string())];
    let model = ModelRequest::new(source, parameters.clone());
    let options = Box::new(VerifyOptions::default());
    let listener = Listener::default();
    run(&Request::Verify { model, options, backend: None, found: None }, &listener);
    let mut verdicts = listener.verdicts.into_inner().expect("no panic");
    verdicts.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(verdicts[1], ("Never".to_string(), Answered::Violated));

    // The same model, held in memory, and a run in which this program chooses every step.
    let options = ModelOptions { parameters, ..ModelOptions::default() };
    let prepared = prepare("leader.labs", MODEL.as_bytes(), options).unwrap_or_else(|_| panic!("refused"));
    let mut interpreter = Interpreter::new(&prepared, 7);
    while interpreter.choices().is_ok_and(|choices| !choices.is_empty()) {
        let (step, state) = interpreter.take(0).expect("a step that was offered");
        println!("step {}: {} {}: {}", state.step, step.kind, step.agent, step.what);
    }
}
