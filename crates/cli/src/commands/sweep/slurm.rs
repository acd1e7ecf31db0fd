//! `--slurm`: the sweep as a job array. The script runs this program with `--shard`; the journals of the parts are what is watched, and
//! a part that is not complete when its job is gone is submitted again.

use super::finish::Finish;
use super::keep;
use super::plan::Plan;
use crate::arguments::SweepArguments;
use crate::commands::collect;
use crate::exit::Exit;
use crate::output::Target;
use crate::progress::StatusLines;
use crate::shell::Shell;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use swarmcheck_session::Event;
use swarmcheck_session::event::ProgressData;
use swarmcheck_sweep::journal::Collected;
use swarmcheck_worker::Limits;

/// How many tasks there are if nobody says it.
const TASKS: usize = 10;

/// A part that makes no progress is not submitted more often than this.
const ATTEMPTS: usize = 3;

/// The controller may be away for so long.
const PATIENCE: Duration = Duration::from_secs(600);

/// Writes the script, and with `--slurm` runs it.
pub fn run(
    arguments: &SweepArguments,
    plan: &Plan,
    target: Option<&Target>,
    shell: &Shell,
) -> Result<Exit, Exit> {
    let out = arguments.work.out.as_deref().unwrap_or_default();
    if plan.header.boundary.is_some() {
        return Err(
            shell.usage("each value of a boundary depends on those before: --boundary is for one machine")
        );
    }
    if arguments.file == "-" || target.is_some_and(Target::is_special) {
        return Err(shell.usage("a job array needs a model in a file, and --out with a file"));
    }
    let tasks = arguments.cluster.tasks.map_or(TASKS, |tasks| tasks as usize).min(plan.points.count());
    let script = script(arguments, tasks, out).map_err(|why| shell.failure(&why))?;
    if let Some(path) = &arguments.cluster.slurm_script {
        let written = shell.store(&shell.target(path)?, script.as_bytes());
        if written == Exit::Fine {
            shell.note(&format!(
                "'sbatch {path}' submits it; then 'swarmcheck collect --out {out}' makes the table"
            ));
        }
        return Ok(written);
    }
    let paths: Vec<String> = (1..=tasks).map(|number| keep::path(out, Some((number, tasks)))).collect();
    if !arguments.work.resume
        && let Some(old) = paths.iter().find(|path| Path::new(path).exists())
    {
        let why = format!(
            "{old} is the journal of an earlier run: --resume goes on with it; remove it to begin again"
        );
        return Err(shell.usage(&why));
    }
    let path = format!("{out}.slurm.sh");
    let written = shell.store(&shell.target(&path)?, script.as_bytes());
    if written != Exit::Fine {
        return Ok(written);
    }
    let limits = shell.limits(&arguments.limits);
    let known = Watch { plan, paths, path, out, limits, shell }.watch()?;
    let plot = arguments.work.plot.as_deref();
    Ok(Finish { plot, ..Finish::new(&known, target, out) }.write(shell))
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=,:+@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

fn script(arguments: &SweepArguments, tasks: usize, out: &str) -> Result<String, String> {
    let program = std::env::current_exe().map_err(|e| format!("cannot find this program: {e}"))?;
    let program = program.to_str().ok_or("the path of this program is not UTF-8")?.to_string();
    let given: Option<Vec<String>> =
        std::env::args_os().skip(1).map(|word| word.into_string().ok()).collect();
    let words = without_ours(given.ok_or("the command line is not UTF-8")?);
    let jobs = arguments.work.jobs.unwrap_or(1);
    let mut text = format!(
        "#!/bin/sh\n#SBATCH --job-name=swarmcheck-sweep\n#SBATCH --array=1-{tasks}\n#SBATCH --cpus-per-task={jobs}\n"
    );
    text += &format!("#SBATCH --output={out}.slurm-%a.log\n");
    for option in &arguments.cluster.sbatch {
        text += &format!("#SBATCH {}\n", option.replace(['\n', '\r'], " "));
    }
    let line: Vec<String> = std::iter::once(program).chain(words).map(|word| quoted(&word)).collect();
    text += &format!(
        "exec {} --jobs {jobs} --progress none --resume --shard \"$SLURM_ARRAY_TASK_ID/{tasks}\"\n",
        line.join(" ")
    );
    Ok(text)
}

/// The command line without the options that are not for tasks.
fn without_ours(words: Vec<String>) -> Vec<String> {
    const FLAGS: [&str; 3] = ["--slurm", "--resume", "--json"];
    const VALUES: [&str; 7] =
        ["--plot", "--slurm-script", "--tasks", "--sbatch", "--jobs", "-j", "--progress"];
    let mut out = vec![];
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        if FLAGS.contains(&word.as_str()) {
            continue;
        }
        if VALUES.contains(&word.as_str()) {
            words.next();
            continue;
        }
        let joined = VALUES.iter().any(|option| match option.starts_with("--") {
            true => word.strip_prefix(option).is_some_and(|rest| rest.starts_with('=')),
            false => word.starts_with(option),
        });
        if !joined {
            out.push(word);
        }
    }
    out
}

/// A job array that is looked after.
struct Watch<'w> {
    plan: &'w Plan,
    /// The journals of the parts.
    paths: Vec<String>,
    /// The script.
    path: String,
    out: &'w str,
    limits: Limits,
    shell: &'w Shell,
}

impl Watch<'_> {
    /// Submits until everything is done.
    fn watch(&self) -> Result<Collected, Exit> {
        let shell = self.shell;
        let all = self.plan.points.count();
        let mut line = StatusLines::new(shell.progress, "points", Some(all as u64));
        let (mut known, mut attempts) = (self.known()?, 0);
        loop {
            let missing = known.missing();
            if missing.is_empty() {
                return Ok(known);
            }
            let before = known.entries.len();
            let mut parts: Vec<usize> = missing.iter().map(|point| point % self.paths.len() + 1).collect();
            parts.sort_unstable();
            parts.dedup();
            if attempts == ATTEMPTS {
                let log = format!("{}.slurm-{}.log", self.out, parts[0]);
                let said = std::fs::read_to_string(&log).unwrap_or_default();
                let last: Vec<&str> = said.lines().rev().take(5).collect();
                let last: String = last.into_iter().rev().map(|line| format!("\n  {line}")).collect();
                return Err(shell.failure(&format!(
                    "part {} was submitted {ATTEMPTS} times and made no progress; the end of {log} is{last}",
                    parts[0]
                )));
            }
            let job = self.submit(&parts)?;
            shell.note(&match attempts {
                0 => format!("job {job}: {} tasks, {} points", parts.len(), missing.len()),
                _ => format!("job {job}: {} lost tasks again, {} points", parts.len(), missing.len()),
            });
            self.until_gone(&job, &mut line)?;
            line.clear();
            known = self.known()?;
            attempts = if known.entries.len() > before { 1 } else { attempts + 1 };
        }
    }

    /// What the parts have so far.
    fn known(&self) -> Result<Collected, Exit> {
        let begun: Vec<String> = self
            .paths
            .iter()
            .filter(|path| matches!(keep::read(path), Ok(Some(_)) | Err(_)))
            .cloned()
            .collect();
        if begun.is_empty() {
            return Ok(Collected { header: self.plan.header.clone(), entries: Default::default() });
        }
        let known = collect::gather(&begun, self.shell)?;
        let differences = known.header.differences(&self.plan.header);
        match differences.is_empty() {
            true => Ok(known),
            false => Err(self.shell.usage(&format!(
                "{} is the journal of another sweep:\n  {}",
                begun[0],
                differences.join("\n  ")
            ))),
        }
    }

    fn submit(&self, parts: &[usize]) -> Result<String, Exit> {
        let list: Vec<String> = parts.iter().map(usize::to_string).collect();
        let array = format!("--array={}", list.join(","));
        let said =
            tool("sbatch", &["--parsable", &array, &self.path]).map_err(|why| self.shell.failure(&why))?;
        // With several clusters their names follow.
        Ok(said.trim().split(';').next().unwrap_or_default().to_string())
    }

    /// Waits until the job is no longer in the queue.
    fn until_gone(&self, job: &str, line: &mut StatusLines) -> Result<(), Exit> {
        let shell = self.shell;
        let (mut pause, mut silent) = (Duration::from_millis(200), None);
        loop {
            let began = Instant::now();
            while began.elapsed() < pause {
                std::thread::sleep(Duration::from_millis(50));
                line.tick();
                if shell.interrupted() || self.limits.expired() {
                    let exit = if shell.interrupted() { Exit::Interrupted } else { Exit::TimeLimit };
                    line.clear();
                    shell.failure(&format!(
                        "job {job} goes on and is not watched any more: 'squeue -j {job}' shows it, 'scancel {job}' ends it, \
                         'swarmcheck collect --out {}' makes the table when it is done",
                        self.out
                    ));
                    return Err(exit);
                }
            }
            pause = (pause * 3 / 2).min(Duration::from_secs(5));
            match tool("squeue", &["-h", "-j", job, "-o", "%T"]) {
                Ok(states) if states.trim().is_empty() => return Ok(()),
                Ok(_) => silent = None,
                // A job that has ended some time ago is forgotten.
                Err(why) if why.contains("Invalid job id") => return Ok(()),
                Err(why) => {
                    if silent.get_or_insert_with(Instant::now).elapsed() > PATIENCE {
                        return Err(shell.failure(&why));
                    }
                }
            }
            let done = self.known()?.entries.len() as u64;
            let elapsed = self.limits.began.elapsed().as_secs_f64();
            line.hear(&Event::Progress(ProgressData { done, elapsed, ..ProgressData::default() }));
        }
    }
}

/// What a program of Slurm says.
fn tool(name: &str, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(name).args(arguments).stdin(Stdio::null()).output();
    let output = output.map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => {
            format!("there is no program {name}: --slurm needs Slurm; --shard works everywhere")
        }
        _ => format!("cannot run {name}: {e}"),
    })?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).to_string()),
        false => Err(format!("{name}: {}", String::from_utf8_lossy(&output.stderr).trim())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_get_the_command_line_without_what_is_not_theirs() {
        let line = "sweep m.labs n=2..3 --slurm --tasks 5 --jobs=2 -j4 -j 3 --sbatch=--mem=1G --sbatch --qos=x \
                    --out r.csv --resume --json --progress plain --do simulate";
        let kept = without_ours(line.split_whitespace().map(str::to_string).collect());
        assert_eq!(kept.join(" "), "sweep m.labs n=2..3 --out r.csv --do simulate");
    }

    #[test]
    fn words_survive_the_shell() {
        assert_eq!(quoted("n=2..3"), "n=2..3");
        assert_eq!(quoted("yes < no"), "'yes < no'");
        assert_eq!(quoted("it's $HOME"), "'it'\\''s $HOME'");
        assert_eq!(quoted(""), "''");
    }
}
