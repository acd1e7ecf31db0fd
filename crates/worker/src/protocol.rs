//! What parent and worker say to each other, a JSON document per line. `docs/schema/worker.md` describes it.

use serde::{Deserialize, Serialize};
use swarmcheck_session::editor::protocol::EditorRequest;
use swarmcheck_session::interpreter::InterpreterRequest;
use swarmcheck_session::{Event, Request};

/// The hidden command that turns the program into a worker.
pub const COMMAND: &str = "worker";

/// From the parent. The first line is [`ToWorker::Begin`]; when the input ends, the worker ends at once.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "message", rename_all = "snake_case")]
pub enum ToWorker {
    /// Work on this.
    Begin(Box<Begin>),
    /// For an interpreter.
    Interpreter {
        /// What is asked.
        request: Box<InterpreterRequest>,
    },
    /// For the documents of an editor.
    Editor {
        /// What is said or asked.
        request: Box<EditorRequest>,
    },
    /// Stop soon, and say what was found.
    Stop,
}

/// What to do, and within which limits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Begin {
    /// Must be [`swarmcheck_session::event::VERSION`].
    pub version: u32,
    /// What to do.
    pub request: Request,
    /// Bytes that the process may use.
    pub memory: Option<u64>,
    /// Seconds from now on until the parent will say [`ToWorker::Stop`].
    pub seconds: Option<f64>,
    /// A directory for other programs, which the parent removes.
    pub directory: Option<String>,
}

/// From the worker.
#[derive(Clone, Debug)]
pub enum FromWorker {
    /// Something happened.
    Event(Box<Event>),
    /// Something about the process itself.
    Own(Own),
}

/// What a worker says about itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "worker", rename_all = "snake_case")]
pub enum Own {
    /// Another program was started, in a process group with this number.
    ToolStarted {
        /// The number of the group.
        group: u32,
    },
    /// That program has ended.
    ToolEnded {
        /// The number of the group.
        group: u32,
    },
    /// The façade panicked.
    Panicked {
        /// What it said.
        message: String,
    },
}

/// How every event begins; what a worker says of itself begins otherwise.
const EVENT: &str = "{\"event\":";

impl FromWorker {
    /// Reads a line.
    pub fn read(line: &str) -> Result<FromWorker, String> {
        let unreadable = |e: serde_json::Error| format!("a worker said something unreadable: {e}");
        if line.starts_with(EVENT) {
            return serde_json::from_str(line).map(|e| FromWorker::Event(Box::new(e))).map_err(unreadable);
        }
        serde_json::from_str(line).map(FromWorker::Own).map_err(unreadable)
    }
}
