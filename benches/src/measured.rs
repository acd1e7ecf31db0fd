//! Runs another program and measures it: processor time, wall-clock time, peak memory.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4;

/// What a run has cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// Seconds of processor time, user and system, all threads together.
    pub cpu: f64,
    /// Those of them that were not spent in the system.
    pub user: f64,
    /// Seconds on the clock.
    pub wall: f64,
    /// Peak resident memory in bytes.
    pub memory: u64,
}

/// A run that has ended.
#[derive(Debug)]
pub struct Run {
    /// Its exit code; none if a signal has ended it.
    pub code: Option<i32>,
    /// Its standard output.
    pub output: String,
    /// Its standard error.
    pub errors: String,
    /// What it has cost.
    pub cost: Cost,
    /// Whether it was ended because its time was up.
    pub late: bool,
}

/// Runs a program in a folder for at most so many seconds.
///
/// The limit is enforced by `timeout` of the GNU core utilities. What the system reports for it includes its child, and
/// `timeout` itself adds about a millisecond and 2 MB.
pub fn run(program: &OsStr, arguments: &[String], folder: &Path, seconds: f64) -> io::Result<Run> {
    let mut command = Command::new("timeout");
    command.args(["--foreground", "--kill-after=10", &format!("{seconds}")]).arg(program).args(arguments);
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let began = Instant::now();
    let mut child = command.spawn()?;
    // Both streams are read at once, so that a program that fills one of them does not wait for ever.
    let errors = child.stderr.take().map(|stream| std::thread::spawn(move || text(stream)));
    let output = child.stdout.take().map(text).unwrap_or_default();
    let used = child.wait4()?;
    let wall = began.elapsed();
    let errors = errors.and_then(|thread| thread.join().ok()).unwrap_or_default();
    let cpu: Duration = used.rusage.utime + used.rusage.stime;
    let code = used.status.code();
    Ok(Run {
        code,
        output,
        errors,
        cost: Cost {
            cpu: cpu.as_secs_f64(),
            user: used.rusage.utime.as_secs_f64(),
            wall: wall.as_secs_f64(),
            memory: used.rusage.maxrss,
        },
        late: matches!(code, Some(124 | 137)) && wall.as_secs_f64() >= seconds,
    })
}

fn text(mut stream: impl Read) -> String {
    let mut bytes = vec![];
    // What could be read is all there is to show.
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, seconds: f64) -> Run {
        run(OsStr::new("sh"), &["-c".into(), script.into()], Path::new("."), seconds).unwrap()
    }

    #[test]
    fn output_and_exit_code_come_back() {
        let run = shell("echo out; echo err >&2; exit 7", 10.0);
        assert_eq!((run.output.as_str(), run.errors.as_str(), run.code), ("out\n", "err\n", Some(7)));
        assert!(!run.late && run.cost.memory > 0);
    }

    #[test]
    fn the_limit_is_kept_and_told() {
        let run = shell("exec sleep 20", 0.2);
        assert!(run.late && run.cost.wall < 15.0 && run.cost.cpu < 5.0, "{run:?}");
    }
}
