//! Running other people's programs in the parent's temporary directory, each in a process group of its own, which ends when
//! the user or the clock says so. The parent is told of every group, so that none outlives a worker that is killed.

use crate::machine;
use crate::protocol::Own;
use rustix::process::{Pid, Signal, kill_process_group};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use swarmcheck_session::backends::{Ended, Job, Ran, Tools, printable};

/// How long to wait before looking again whether a program has ended.
const PAUSE: Duration = Duration::from_millis(10);

/// A program that says more than so many bytes is stopped. Counterexamples of thousands of steps are shorter.
const MOST_SAID: u64 = 64 << 20;

/// What everything has in its environment that was started here, also what has left its process group: the directory.
pub(crate) const MARK: &str = "SWARMCHECK_WORKPLACE";

/// A directory in which programs run.
pub(crate) struct Workshop<'a> {
    pub(crate) directory: PathBuf,
    pub(crate) stop: &'a AtomicBool,
    /// Bytes of address space that a program may have.
    pub(crate) memory: Option<u64>,
    pub(crate) announce: &'a dyn Announce,
}

/// Somebody who must know which programs run.
pub(crate) trait Announce: Sync {
    fn announce(&self, message: Own);
}

impl Workshop<'_> {
    fn path(&self, name: &str) -> Result<PathBuf, String> {
        let plain = Path::new(name).file_name().is_some_and(|file| file == name);
        if plain { Ok(self.directory.join(name)) } else { Err(format!("{name:?} is not a plain file name")) }
    }

    fn command(&self, job: &Job) -> Command {
        // The shell sets the limit for itself, then becomes the program.
        let memory = self.memory.filter(|_| !job.own_memory).map(|bytes| bytes / 1024);
        let limit = memory.map_or(String::new(), |kilobytes| format!("ulimit -v {kilobytes}; "));
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("{limit}exec \"$0\" \"$@\"")).arg(&job.program).args(&job.arguments);
        command.current_dir(&self.directory);
        // What is said in other languages would not be understood.
        command.env("LC_ALL", "C").env(MARK, &self.directory);
        command.stdin(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command
    }
}

impl Tools for Workshop<'_> {
    fn find(&self, program: &str) -> bool {
        let paths = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&paths).any(|directory| directory.join(program).is_file())
    }

    fn put(&mut self, name: &str, text: &str) -> Result<(), String> {
        let path = self.path(name)?;
        std::fs::write(&path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
    }

    fn get(&self, name: &str) -> Result<String, String> {
        let path = self.path(name)?;
        let length = std::fs::metadata(&path).map_or(0, |about| about.len());
        if length > MOST_SAID {
            return Err(format!("{} has more than {} megabytes", path.display(), MOST_SAID >> 20));
        }
        std::fs::read_to_string(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))
    }

    fn run(&mut self, job: &Job) -> Result<Ran, String> {
        // Files, not pipes: a program that says much must not wait until somebody listens.
        let names = [".output", ".errors"].map(|name| self.directory.join(name));
        let open = |path: &Path| {
            std::fs::File::create(path).map_err(|e| format!("cannot write {}: {e}", path.display()))
        };
        let mut command = self.command(job);
        command.stdout(open(&names[0])?).stderr(open(&names[1])?);
        let mut child = command.spawn().map_err(|e| format!("cannot run {}: {e}", job.program))?;
        let group = child.id();
        self.announce.announce(Own::ToolStarted { group });
        let too_much =
            || names.iter().any(|path| std::fs::metadata(path).is_ok_and(|about| about.len() > MOST_SAID));
        let ended = wait(&mut child, self.stop, &too_much);
        let ended = ended.map_err(|e| format!("cannot wait for {}: {e}", job.program));
        end_group(group);
        machine::end_marked(MARK, &self.directory);
        self.announce.announce(Own::ToolEnded { group });
        let ended = ended?;
        if too_much() {
            let megabytes = MOST_SAID >> 20;
            return Err(format!("{} was stopped: it printed more than {megabytes} megabytes", job.program));
        }
        let read = |path: &Path| match std::fs::read(path) {
            Ok(bytes) => Ok(printable(&String::from_utf8_lossy(&bytes))),
            Err(e) => Err(format!("cannot read {}: {e}", path.display())),
        };
        Ok(Ran { ended, output: read(&names[0])?, errors: read(&names[1])? })
    }
}

/// Waits for a program, or for the order to stop, or until it has said too much.
fn wait(child: &mut Child, stop: &AtomicBool, too_much: &dyn Fn() -> bool) -> std::io::Result<Ended> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code().map_or(Ended::Killed, Ended::Code));
        }
        let stopped = stop.load(Ordering::Relaxed);
        if stopped || too_much() {
            end_group(child.id());
            child.wait()?;
            return Ok(if stopped { Ended::Interrupted } else { Ended::Killed });
        }
        std::thread::sleep(PAUSE);
    }
}

/// Kills all processes of a group. Has no effect on a group that has ended.
pub(crate) fn end_group(group: u32) {
    if let Some(pid) = i32::try_from(group).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::Workplace;
    use std::time::Instant;

    fn shell(text: &str) -> Job {
        Job {
            program: "sh".to_string(),
            arguments: vec!["-c".to_string(), text.to_string()],
            own_memory: false,
        }
    }

    struct Nobody;

    impl Announce for Nobody {
        fn announce(&self, _: Own) {}
    }

    fn workshop<'a>(place: &Workplace, stop: &'a AtomicBool, memory: Option<u64>) -> Workshop<'a> {
        Workshop { directory: place.path().to_path_buf(), stop, memory, announce: &Nobody }
    }

    #[test]
    fn programs_run_in_their_directory_which_disappears() {
        let (place, stop) = (Workplace::new().unwrap(), AtomicBool::new(false));
        let mut workshop = workshop(&place, &stop, None);
        workshop.put("in.txt", "hello").unwrap();
        let ran = workshop.run(&shell("cat in.txt; echo oops >&2; echo bye > out.txt; exit 3")).unwrap();
        let expected =
            Ran { ended: Ended::Code(3), output: "hello".to_string(), errors: "oops\n".to_string() };
        assert_eq!(ran, expected);
        assert_eq!(workshop.get("out.txt").unwrap(), "bye\n");
        assert!(workshop.put("../elsewhere", "").is_err());
        let directory = place.path().to_path_buf();
        drop(place);
        assert!(!directory.exists());
    }

    /// A program that has started another one is stopped together with it: the other one would create a file.
    #[test]
    fn the_whole_group_ends() {
        let (place, stop) = (Workplace::new().unwrap(), AtomicBool::new(false));
        let mut workshop = workshop(&place, &stop, None);
        let began = Instant::now();
        let ran = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(200));
                stop.store(true, Ordering::Relaxed);
            });
            workshop.run(&shell("(sleep 2; echo > late.txt) & sleep 60")).unwrap()
        });
        assert_eq!(ran.ended, Ended::Interrupted);
        assert!(began.elapsed() < Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(2500));
        assert!(workshop.get("late.txt").is_err());
    }

    /// A program that has left its group is found by what it has in its environment.
    #[test]
    #[cfg(target_os = "linux")]
    fn who_leaves_the_group_ends_too() {
        let (place, stop) = (Workplace::new().unwrap(), AtomicBool::new(false));
        let late = place.path().join("late.txt");
        let mut workshop = workshop(&place, &stop, None);
        let ran =
            workshop.run(&shell("setsid sh -c 'sleep 2; echo > late.txt' & sleep 0.2; echo done")).unwrap();
        assert_eq!(ran.output, "done\n");
        std::thread::sleep(Duration::from_millis(2500));
        assert!(!late.exists(), "a process is left");
    }

    #[test]
    fn output_is_limited_and_steers_no_terminal() {
        let (place, stop) = (Workplace::new().unwrap(), AtomicBool::new(false));
        let mut workshop = workshop(&place, &stop, None);
        let why = workshop.run(&shell("while :; do head -c 9000000 /dev/zero; done")).unwrap_err();
        assert!(why.contains("more than 64 megabytes"), "{why}");
        let ran = workshop
            .run(&shell("printf '\\033[31mred\\033[0m\\a\\n'; printf '\\033]0;t\\007x' >&2"))
            .unwrap();
        assert_eq!((ran.output.as_str(), ran.errors.as_str()), ("red\n", "x"));
    }

    /// One hundred megabytes are too many for a program that may have fifty.
    #[test]
    fn memory_is_limited() {
        let (place, stop) = (Workplace::new().unwrap(), AtomicBool::new(false));
        let text = "x=$(head -c 100000000 /dev/zero | tr '\\0' x); echo ${#x}";
        let ran = workshop(&place, &stop, Some(50 << 20)).run(&shell(text)).unwrap();
        assert_ne!((ran.ended, ran.output.trim()), (Ended::Code(0), "100000000"));
        let ran = workshop(&place, &stop, None).run(&shell("echo $((50 + 50))")).unwrap();
        assert_eq!((ran.ended, ran.output.trim()), (Ended::Code(0), "100"));
    }
}
