//! Solvers as child processes that are talked to over pipes, each in a process group of its own.
//!
//! A solver ends when nobody talks to it any more, and with the worker: the parent is told of its group. What it is told is written
//! by a thread, and what it says is read by another, so that nobody waits with a full pipe for a solver that thinks: whoever
//! asks must be able to stop.

use crate::protocol::Own;
use crate::tools::end_group;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;
use swarmcheck_session::backends::printable;
use swarmcheck_session::solvers::{Dialogue, SolverName, Solvers};

/// How long to wait for a line before the caller looks whether to stop.
const MOMENT: Duration = Duration::from_millis(10);

/// A solver that says more than so many bytes is not listened to any more.
const MOST_SAID: usize = 64 << 20;

/// Is told when a solver starts and ends.
pub type Announcement = Arc<dyn Fn(&Own) + Send + Sync>;

/// Starts solvers.
pub struct SolverProcesses {
    /// Those that may be started, where they are installed.
    names: Vec<SolverName>,
    /// Bytes of address space that each may have.
    memory: Option<u64>,
    announce: Announcement,
}

impl SolverProcesses {
    /// Solvers that are found on the path.
    pub fn new(memory: Option<u64>, announce: Announcement) -> SolverProcesses {
        SolverProcesses { names: SolverName::ALL.to_vec(), memory, announce }
    }

    /// The same, but only these: for tests of what is possible without the others.
    pub fn only(names: &[SolverName]) -> SolverProcesses {
        SolverProcesses { names: names.to_vec(), memory: None, announce: Arc::new(|_| {}) }
    }
}

impl Solvers for SolverProcesses {
    fn has(&self, name: SolverName) -> bool {
        let paths = std::env::var_os("PATH").unwrap_or_default();
        self.names.contains(&name)
            && std::env::split_paths(&paths).any(|directory| directory.join(name.program()).is_file())
    }

    fn start(&self, name: SolverName) -> Result<Box<dyn Dialogue>, String> {
        // The shell sets the limit for itself, then becomes the solver.
        let limit = self.memory.map_or(String::new(), |bytes| format!("ulimit -v {}; ", bytes / 1024));
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("{limit}exec \"$0\" \"$@\"")).arg(name.program());
        command.args(name.arguments()).env("LC_ALL", "C");
        Ok(Box::new(self.run(command, name.program())?))
    }
}

impl SolverProcesses {
    /// Runs a program whose input and output are pipes.
    fn run(&self, mut command: Command, name: &'static str) -> Result<Running, String> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|e| format!("cannot run {name}: {e}"))?;
        (self.announce)(&Own::ToolStarted { group: child.id() });
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (sender, lines) = mpsc::channel();
        let (orders, texts) = mpsc::channel::<String>();
        let running = Running { child, orders, lines, name, announce: Arc::clone(&self.announce) };
        let (mut input, output) = input.zip(output).ok_or("a solver has no pipes")?;
        // It ends when the solver is killed, or when nothing more can come.
        let write = move || {
            for text in texts {
                if input.write_all(text.as_bytes()).and_then(|()| input.flush()).is_err() {
                    return;
                }
            }
        };
        let listen = move || {
            let mut said = 0;
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { return };
                said += line.len();
                if said > MOST_SAID || sender.send(printable(&line)).is_err() {
                    return;
                }
            }
        };
        let thread = || std::thread::Builder::new().name("solver".to_string());
        let threads = thread().spawn(listen).and_then(|_| thread().spawn(write));
        threads.map_err(|e| format!("cannot talk to {name}: {e}"))?;
        Ok(running)
    }
}

/// A solver that runs.
struct Running {
    child: Child,
    /// To the thread that writes.
    orders: Sender<String>,
    /// From the thread that reads.
    lines: Receiver<String>,
    name: &'static str,
    announce: Announcement,
}

impl Dialogue for Running {
    fn say(&mut self, text: &str) -> Result<(), String> {
        self.orders.send(text.to_string()).map_err(|_| format!("{} has ended", self.name))
    }

    fn hear(&mut self) -> Result<Option<String>, String> {
        match self.lines.recv_timeout(MOMENT) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(format!("{} has ended", self.name)),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let group = self.child.id();
        end_group(group);
        let _ = self.child.wait();
        (self.announce)(&Own::ToolEnded { group });
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::time::Instant;

    /// The first line that a solver says.
    fn line(dialogue: &mut dyn Dialogue) -> String {
        let began = Instant::now();
        loop {
            match dialogue.hear() {
                Ok(Some(line)) => return line,
                Ok(None) => assert!(began.elapsed() < Duration::from_secs(20), "it says nothing"),
                Err(why) => panic!("{why}"),
            }
        }
    }

    #[test]
    fn solvers_answer_at_once_and_end_with_their_dialogue() {
        let told: Arc<Mutex<Vec<String>>> = Arc::default();
        let hears = Arc::clone(&told);
        let announce: Announcement = Arc::new(move |own| hears.lock().unwrap().push(format!("{own:?}")));
        let solvers = SolverProcesses::new(None, announce);
        for name in SolverName::ALL.into_iter().filter(|name| solvers.has(*name)) {
            let mut dialogue = solvers.start(name).unwrap();
            dialogue
                .say("(set-logic ALL)\n(declare-const n Int)\n(assert (< 3 n 5))\n(check-sat)\n")
                .unwrap();
            assert_eq!(line(&mut *dialogue), "sat");
            dialogue.say("(assert (distinct n 4))\n(check-sat)\n").unwrap();
            assert_eq!(line(&mut *dialogue), "unsat");
            drop(dialogue);
            let told = std::mem::take(&mut *told.lock().unwrap());
            assert!(told.len() == 2 && told[1].contains("ToolEnded"), "{told:?}");
        }
        assert!(!SolverProcesses::only(&[]).has(SolverName::Z3));
    }

    /// A program that reads nothing keeps nobody from stopping: a megabyte fits no pipe.
    #[test]
    fn nobody_waits_for_a_solver_that_does_not_read() {
        let solvers = SolverProcesses::only(&[]);
        let mut command = Command::new("sleep");
        command.arg("60");
        let began = Instant::now();
        let mut running = solvers.run(command, "sleep").unwrap();
        running.say(&" ".repeat(1 << 20)).unwrap();
        assert_eq!(running.hear(), Ok(None));
        drop(running);
        assert!(began.elapsed() < Duration::from_secs(30));
    }
}
