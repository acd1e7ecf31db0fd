//! A run of the program that is watched: its children, its memory, how it ends.

use crate::common::root;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// A folder of a test's own.
pub fn folder(name: &str) -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("supervision-{name}-{number}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// The files in a folder, hidden ones included.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|e| e.unwrap().file_name().to_string_lossy().to_string()).collect();
    names.sort();
    names
}

/// A program that runs.
pub struct Running {
    pub child: Child,
    /// Kept open if the program is to wait for input.
    pub _input: Option<ChildStdin>,
}

/// How it ended.
pub struct Ended {
    pub status: ExitStatus,
    pub output: String,
    pub errors: String,
}

/// Starts it; with `open`, its standard input stays open and says nothing.
pub fn start(arguments: &str, open: bool) -> Running {
    let mut command = Command::new(env!("CARGO_BIN_EXE_swarmcheck"));
    command.args(arguments.split_whitespace()).current_dir(root());
    command.stdin(if open { Stdio::piped() } else { Stdio::null() });
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let input = child.stdin.take();
    Running { child, _input: input }
}

/// Sends a signal by name.
pub fn signal(name: &str, process: u32) {
    let sent = Command::new("kill").args([format!("-{name}"), process.to_string()]).output().unwrap();
    assert!(sent.status.success(), "{name} to {process}: {}", String::from_utf8_lossy(&sent.stderr));
}

/// The parent and the group of a process, if it runs.
fn relations(process: u32) -> Option<(u32, char)> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let mut rest = stat.rsplit(')').next()?.split_whitespace();
    let state = rest.next()?.chars().next()?;
    Some((rest.next()?.parse().ok()?, state))
}

/// Whether a process runs; one that has ended and was not waited for does not.
pub fn runs(process: u32) -> bool {
    relations(process).is_some_and(|(_, state)| state != 'Z')
}

/// All processes that a process has started, and those that they have.
pub fn descendants(process: u32) -> Vec<u32> {
    let all: Vec<u32> = std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().to_string_lossy().parse().ok())
        .collect();
    let mut found = vec![process];
    let mut at = 0;
    while at < found.len() {
        let parent = found[at];
        found.extend(all.iter().filter(|p| relations(**p).is_some_and(|(of, _)| of == parent)));
        at += 1;
    }
    found[1..].to_vec()
}

/// Bytes that a process and its descendants hold.
pub fn memory(process: u32) -> u64 {
    let of = |process: u32| -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
        text.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
    };
    descendants(process).into_iter().map(of).sum::<u64>() + of(process)
}

impl Running {
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until it ends, at most for a while; what it says is read meanwhile.
    pub fn wait(mut self, most: Duration) -> Ended {
        let reader = |mut pipe: Box<dyn Read + Send>| {
            std::thread::spawn(move || {
                let mut bytes = vec![];
                let _ = pipe.read_to_end(&mut bytes);
                String::from_utf8_lossy(&bytes).into_owned()
            })
        };
        let output = reader(Box::new(self.child.stdout.take().unwrap()));
        let errors = reader(Box::new(self.child.stderr.take().unwrap()));
        let began = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if began.elapsed() > most {
                let _ = self.child.kill();
                let said = errors.join().unwrap();
                panic!("it did not end within {most:?}: {said}");
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        Ended { status, output: output.join().unwrap(), errors: errors.join().unwrap() }
    }
}

/// Waits until all these processes have ended.
pub fn gone(processes: &[u32], most: Duration) -> bool {
    let began = Instant::now();
    while processes.iter().any(|p| runs(*p)) {
        if began.elapsed() > most {
            return false;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    true
}
