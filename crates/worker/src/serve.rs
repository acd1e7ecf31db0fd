//! The worker's side: reads what to do, limits itself, works, and writes events until it is done.

use crate::machine;
use crate::protocol::{Begin, Own, ToWorker};
use crate::solvers::SolverProcesses;
use crate::tools::{Announce, Workshop, end_group};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::collections::BTreeSet;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Instant;
use swarmcheck_session::backends::Tools;
use swarmcheck_session::editor::protocol::EditorRequest;
use swarmcheck_session::event::VERSION;
use swarmcheck_session::interpreter::InterpreterRequest;
use swarmcheck_session::shown;
use swarmcheck_session::solvers::Solvers;
use swarmcheck_session::{Budget, Event, Host};

/// Deep expressions are followed by recursion. Only what is used takes memory.
const STACK: usize = 256 << 20;

/// Address space beyond the limit on memory: stacks of threads, and tables that are reserved before they are filled.
const SLACK: u64 = 6 << 30;

/// The least address space that compilers and verifiers need before they look at any state.
const LEAST_FOR_TOOLS: u64 = 1 << 30;

/// Ends like a program that was told to stop when nobody listens any more.
const DESERTED: i32 = 141;

/// Works on the request that standard input holds, and says what happens on standard output.
pub fn serve() -> ExitCode {
    let mut line = String::new();
    let begin = match std::io::stdin().lock().read_line(&mut line) {
        Ok(1..) => match serde_json::from_str(&line) {
            Ok(ToWorker::Begin(begin)) if begin.version == VERSION => *begin,
            Ok(_) => return complain("a worker of another version was asked"),
            Err(e) => return complain(&format!("a worker does not understand what it is told: {e}")),
        },
        _ => return complain("a worker is started by swarmcheck itself, and told what to do"),
    };
    if let Some(memory) = begin.memory {
        limit(memory);
    }
    let Begin { request, memory, seconds, directory, .. } = begin;
    let (sender, asked) = mpsc::channel();
    let (say, said) = mpsc::channel();
    let groups: Arc<Mutex<BTreeSet<u32>>> = Arc::default();
    let known = Arc::clone(&groups);
    // That nobody listens is noticed with the next event.
    let announce = Arc::new(move |own: &Own| {
        note(&known, own);
        write(own);
    });
    let here = Here {
        solvers: SolverProcesses::new(memory.map(|bytes| bytes.max(LEAST_FOR_TOOLS)), announce),
        began: Instant::now(),
        stop: AtomicBool::new(false),
        budget: Budget { memory, seconds },
        directory: directory.map(PathBuf::from),
        groups,
        asked: Mutex::new(asked),
        said: Mutex::new(said),
    };
    std::thread::scope(|scope| {
        scope.spawn(|| listen(&here, &sender, &say));
        let work = || swarmcheck_session::run(&request, &here);
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        if let Ok(Err(panic)) = thread.map(|thread| thread.join()) {
            let text = panic.downcast_ref::<&str>().map(ToString::to_string);
            let message = text.or_else(|| panic.downcast_ref::<String>().cloned());
            let message = message.unwrap_or_else(|| "the worker panicked".to_string());
            write(&Own::Panicked { message });
            std::process::exit(101);
        }
        // The thread that listens is left behind: it waits for input that may never come.
        std::process::exit(0)
    })
}

fn complain(why: &str) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "error: {}", shown::line(why));
    ExitCode::from(2)
}

/// A single request for an absurd amount of memory fails at once; what is really used is watched by the parent.
fn limit(memory: u64) {
    let most = getrlimit(Resource::As).maximum;
    let wanted = memory.saturating_mul(2).saturating_add(SLACK);
    let current = Some(most.map_or(wanted, |most| most.min(wanted)));
    let _ = setrlimit(Resource::As, Rlimit { current, maximum: most });
}

/// Where the façade runs.
struct Here {
    began: Instant,
    stop: AtomicBool,
    budget: Budget,
    directory: Option<PathBuf>,
    /// Process groups of other programs that run.
    groups: Arc<Mutex<BTreeSet<u32>>>,
    solvers: SolverProcesses,
    /// Requests to an interpreter; `None` after the last one.
    asked: Mutex<Receiver<Option<InterpreterRequest>>>,
    /// What an editor says; `None` after the last of it.
    said: Mutex<Receiver<Option<EditorRequest>>>,
}

/// Hears the parent. When it is gone there is nobody to work for: everything ends at once.
fn listen(here: &Here, sender: &Sender<Option<InterpreterRequest>>, say: &Sender<Option<EditorRequest>>) {
    let mut line = String::new();
    loop {
        line.clear();
        match std::io::stdin().lock().read_line(&mut line) {
            Ok(0) | Err(_) => here.desert(),
            Ok(_) => {}
        }
        match serde_json::from_str(&line) {
            Ok(ToWorker::Stop) => {
                here.stop.store(true, Ordering::Relaxed);
                let _ = sender.send(None);
                let _ = say.send(None);
            }
            Ok(ToWorker::Interpreter { request }) => {
                let _ = sender.send(Some(*request));
            }
            Ok(ToWorker::Editor { request }) => {
                let _ = say.send(Some(*request));
            }
            Ok(ToWorker::Begin(_)) | Err(_) => {}
        }
    }
}

impl Here {
    fn desert(&self) -> ! {
        for group in self.groups.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            end_group(*group);
        }
        if let Some(directory) = &self.directory {
            let _ = std::fs::remove_dir_all(directory);
        }
        std::process::exit(DESERTED)
    }
}

impl Announce for Here {
    fn announce(&self, message: Own) {
        note(&self.groups, &message);
        if !write(&message) {
            self.desert();
        }
    }
}

/// Keeps which process groups run.
fn note(groups: &Mutex<BTreeSet<u32>>, message: &Own) {
    let mut groups = groups.lock().unwrap_or_else(PoisonError::into_inner);
    match message {
        Own::ToolStarted { group } => groups.insert(*group),
        Own::ToolEnded { group } => groups.remove(group),
        Own::Panicked { .. } => false,
    };
}

/// Writes a line; whether somebody reads it.
fn write(message: &impl serde::Serialize) -> bool {
    let Ok(mut line) = serde_json::to_vec(message) else { return true };
    line.push(b'\n');
    let mut out = std::io::stdout().lock();
    out.write_all(&line).and_then(|()| out.flush()).is_ok()
}

impl Host for Here {
    fn tell(&self, event: Event) {
        if !write(&event) {
            self.desert();
        }
    }

    fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    fn budget(&self) -> Budget {
        self.budget
    }

    fn seconds(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }

    fn memory(&self) -> Option<u64> {
        machine::resident("self")
    }

    fn hear(&self) -> Option<InterpreterRequest> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).recv().ok().flatten()
    }

    fn hear_editor(&self) -> Option<EditorRequest> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner).recv().ok().flatten()
    }

    fn tools(&self) -> Result<Box<dyn Tools + '_>, String> {
        let directory: &Path = self.directory.as_deref().ok_or("there is no directory for other programs")?;
        let memory = self.budget.memory.map(|bytes| bytes.max(LEAST_FOR_TOOLS));
        let directory = directory.to_path_buf();
        Ok(Box::new(Workshop { directory, stop: &self.stop, memory, announce: self }))
    }

    fn solvers(&self) -> &dyn Solvers {
        &self.solvers
    }
}
