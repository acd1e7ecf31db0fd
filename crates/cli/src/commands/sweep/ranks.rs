//! Processes that were started together by `mpirun` or `srun`: each finds its number in the environment, and they meet in the files of
//! their journals. Nothing is linked, and no message is sent.

use super::keep;
use crate::exit::Exit;
use crate::shell::Shell;
use std::fs::File;
use std::time::{Duration, Instant};
use swarmcheck_sweep::journal::{Collected, Header};
use swarmcheck_worker::Limits;

/// One of several processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rank {
    /// From 0.
    pub number: usize,
    /// How many there are.
    pub of: usize,
}

/// Where launchers say it: Open MPI, then MPICH and Intel MPI, then Slurm. The variable with the number of tasks of a *step* is there
/// only below `srun`; in the script of a job, which runs once, it is not.
const VARIABLES: [(&str, &str); 3] = [
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("PMI_RANK", "PMI_SIZE"),
    ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS"),
];

/// Which of several processes this one is; none if it is alone.
pub fn here() -> Option<Rank> {
    rank(&|name| std::env::var(name).ok())
}

fn rank(variable: &dyn Fn(&str) -> Option<String>) -> Option<Rank> {
    let number = |name: &str| variable(name)?.trim().parse::<usize>().ok();
    let found = VARIABLES.iter().find_map(|(rank, size)| Some((number(rank)?, number(size)?)));
    found.filter(|(number, of)| *of > 1 && number < of).map(|(number, of)| Rank { number, of })
}

/// A process that is gone has left its journal for so long when it is given up: others may start late.
const LOST: Duration = Duration::from_secs(30);

/// Waits until all others have done their parts, and puts everything together.
pub fn wait(
    header: &Header,
    out: &str,
    rank: Rank,
    limits: Limits,
    shell: &Shell,
) -> Result<Collected, Exit> {
    let paths: Vec<String> = (1..=rank.of).map(|number| keep::path(out, Some((number, rank.of)))).collect();
    let mut pause = Duration::from_millis(20);
    let mut left_since: Option<Instant> = None;
    let mut sizes: Vec<u64> = vec![];
    loop {
        let mut journals = vec![];
        for path in &paths {
            match keep::read(path).map_err(|why| shell.failure(&why))? {
                // It may be an old one that its process has not looked at yet.
                Some(journal) if journal.header.differences(header).is_empty() => journals.push(journal),
                _ => {}
            }
        }
        let known = Collected::new(journals).map_err(|_| shell.failure("the parts contradict each other"))?;
        let missing = known.missing();
        if missing.is_empty() {
            return Ok(known);
        }
        let now: Vec<u64> =
            paths.iter().map(|path| std::fs::metadata(path).map_or(0, |meta| meta.len())).collect();
        let waiting_for = missing.iter().map(|point| point % rank.of).min().unwrap_or_default();
        let left = now == sizes && is_left(&paths[waiting_for]);
        sizes = now;
        left_since = left.then(|| left_since.unwrap_or_else(Instant::now));
        if left_since.is_some_and(|since| since.elapsed() > LOST) {
            return Err(shell.failure(&format!(
                "part {} of {} was lost, with {} of its points; the same command with --resume goes on",
                waiting_for + 1,
                rank.of,
                missing.iter().filter(|point| **point % rank.of == waiting_for).count()
            )));
        }
        if shell.interrupted() || limits.expired() {
            let exit = if shell.interrupted() { Exit::Interrupted } else { Exit::TimeLimit };
            shell.failure("the other parts are not done yet; the same command with --resume goes on");
            return Err(exit);
        }
        std::thread::sleep(pause);
        pause = (pause * 3 / 2).min(Duration::from_secs(2));
    }
}

/// Nobody holds the lock of this journal, so nobody is writing it. Where there are no locks, that cannot be said.
fn is_left(path: &str) -> bool {
    match File::open(path) {
        Ok(file) => file.try_lock_shared().is_ok(),
        Err(e) => e.kind() == std::io::ErrorKind::NotFound,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(environment: &[(&str, &str)], expected: Option<(usize, usize)>) {
        let variable = |name: &str| {
            environment.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_string())
        };
        assert_eq!(rank(&variable).map(|rank| (rank.number, rank.of)), expected, "{environment:?}");
    }

    #[test]
    fn every_launcher_is_understood() {
        check(&[("OMPI_COMM_WORLD_RANK", "1"), ("OMPI_COMM_WORLD_SIZE", "3")], Some((1, 3)));
        check(&[("PMI_RANK", "0"), ("PMI_SIZE", "2")], Some((0, 2)));
        check(&[("SLURM_PROCID", "4"), ("SLURM_STEP_NUM_TASKS", "5"), ("SLURM_NTASKS", "5")], Some((4, 5)));
        // The script of a job is alone, however many tasks the job has; and so is one process.
        check(&[("SLURM_PROCID", "0"), ("SLURM_NTASKS", "5")], None);
        check(&[("PMI_RANK", "0"), ("PMI_SIZE", "1")], None);
        check(&[("PMI_RANK", "2"), ("PMI_SIZE", "2")], None);
        check(&[("PMI_RANK", "x"), ("PMI_SIZE", "2")], None);
        check(&[], None);
    }
}
