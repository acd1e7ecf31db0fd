//! Running other people's programs: in a directory of their own, which disappears, and in a process group of their own,
//! which ends when the user or the clock says so.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;
use swarmcheck_session::external::{Ended, Job, Ran, Tools};

/// How long to wait before looking again whether a program has ended.
const PAUSE: Duration = Duration::from_millis(10);

/// A temporary directory in which programs run.
pub struct Workshop {
    directory: PathBuf,
    stop: Arc<AtomicBool>,
    /// Kilobytes of address space a program may have.
    memory: Option<u64>,
}

impl Workshop {
    /// A new directory. Programs end when `stop` is set, and when they need more than `memory` bytes.
    pub fn new(stop: Arc<AtomicBool>, memory: Option<u64>) -> Result<Workshop, String> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let place = std::env::temp_dir();
        // Somebody else's directory of the same name is left alone.
        for _ in 0..1000 {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let directory = place.join(format!("swarmcheck-{}-{number}", std::process::id()));
            match std::fs::create_dir(&directory) {
                Ok(()) => return Ok(Workshop { directory, stop, memory: memory.map(|bytes| bytes / 1024) }),
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(format!("cannot create {}: {e}", directory.display())),
            }
        }
        Err(format!("cannot create a directory in {}", place.display()))
    }

    fn path(&self, name: &str) -> Result<PathBuf, String> {
        let plain = Path::new(name).file_name().is_some_and(|file| file == name);
        if plain { Ok(self.directory.join(name)) } else { Err(format!("{name:?} is not a plain file name")) }
    }

    fn command(&self, job: &Job) -> Command {
        // The shell sets the limit for itself, then becomes the program.
        let memory = self.memory.filter(|_| !job.own_memory);
        let limit = memory.map_or(String::new(), |kilobytes| format!("ulimit -v {kilobytes}; "));
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("{limit}exec \"$0\" \"$@\"")).arg(&job.program).args(&job.arguments);
        command.current_dir(&self.directory);
        // What is said in other languages would not be understood.
        command.env("LC_ALL", "C");
        command.stdin(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

impl Tools for Workshop {
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
        let ended =
            wait(&mut child, &self.stop).map_err(|e| format!("cannot wait for {}: {e}", job.program))?;
        end_group(&mut child);
        let read = |path: &Path| match std::fs::read(path) {
            Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
            Err(e) => Err(format!("cannot read {}: {e}", path.display())),
        };
        Ok(Ran { ended, output: read(&names[0])?, errors: read(&names[1])? })
    }
}

/// Waits for a program, or for the order to stop.
fn wait(child: &mut Child, stop: &AtomicBool) -> std::io::Result<Ended> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code().map_or(Ended::Killed, Ended::Code));
        }
        if stop.load(Ordering::Relaxed) {
            end_group(child);
            child.wait()?;
            return Ok(Ended::Interrupted);
        }
        std::thread::sleep(PAUSE);
    }
}

/// Ends a program and everything it has started. Nothing is left to end if all is well, and then nothing happens.
fn end_group(child: &mut Child) {
    #[cfg(unix)]
    {
        let group = format!("-{}", child.id());
        let quiet = |c: &mut Command| {
            c.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
        };
        quiet(Command::new("kill").args(["-KILL", "--", &group]));
    }
    // Has no effect on a program that has ended.
    let _ = child.kill();
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::time::Instant;

    fn shell(text: &str) -> Job {
        Job {
            program: "sh".to_string(),
            arguments: vec!["-c".to_string(), text.to_string()],
            own_memory: false,
        }
    }

    #[test]
    fn programs_run_in_their_directory_which_disappears() {
        let mut workshop = Workshop::new(Arc::default(), None).unwrap();
        workshop.put("in.txt", "hello").unwrap();
        let ran = workshop.run(&shell("cat in.txt; echo oops >&2; echo bye > out.txt; exit 3")).unwrap();
        let expected =
            Ran { ended: Ended::Code(3), output: "hello".to_string(), errors: "oops\n".to_string() };
        assert_eq!(ran, expected);
        assert_eq!(workshop.get("out.txt").unwrap(), "bye\n");
        assert!(workshop.put("../elsewhere", "").is_err());
        let directory = workshop.directory.clone();
        drop(workshop);
        assert!(!directory.exists());
    }

    /// A program that has started another one is stopped together with it: the other one would create a file.
    #[test]
    fn the_whole_group_ends() {
        let stop: Arc<AtomicBool> = Arc::default();
        let mut workshop = Workshop::new(stop.clone(), None).unwrap();
        let flag = stop.clone();
        let setter = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            flag.store(true, Ordering::Relaxed);
        });
        let began = Instant::now();
        let ran = workshop.run(&shell("(sleep 2; echo > late.txt) & sleep 60")).unwrap();
        setter.join().unwrap();
        assert_eq!(ran.ended, Ended::Interrupted);
        assert!(began.elapsed() < Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(2500));
        assert!(workshop.get("late.txt").is_err());
    }

    /// One hundred megabytes are too many for a program that may have fifty.
    #[test]
    fn memory_is_limited() {
        let mut workshop = Workshop::new(Arc::default(), Some(50 << 20)).unwrap();
        let ran = workshop.run(&shell("x=$(head -c 100000000 /dev/zero | tr '\\0' x); echo ${#x}")).unwrap();
        assert_ne!((ran.ended, ran.output.trim()), (Ended::Code(0), "100000000"));
        let mut free = Workshop::new(Arc::default(), None).unwrap();
        let ran = free.run(&shell("echo $((50 + 50))")).unwrap();
        assert_eq!((ran.ended, ran.output.trim()), (Ended::Code(0), "100"));
    }
}
