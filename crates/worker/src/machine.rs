//! What the machine tells about memory: how much is free, to a process or to its container, and how much somebody uses.

use rustix::process::{Pid, Signal, kill_process};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Bytes that can still be had: what the system has available, or less where control groups (containers, cluster jobs)
/// allow less. `None` where the system does not tell.
pub fn available_memory() -> Option<u64> {
    let system = meminfo("/proc/meminfo", "MemAvailable:");
    let groups = std::fs::read_to_string("/proc/self/cgroup").ok();
    let group = groups.and_then(|text| group_memory(&text, Path::new("/sys/fs/cgroup")));
    match (system, group) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// What is left to the control groups that a text like `/proc/self/cgroup` names, the tightest counting. Version 2 has one
/// hierarchy; version 1 has one for memory.
fn group_memory(groups: &str, root: &Path) -> Option<u64> {
    let mut least: Option<u64> = None;
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':');
        let (Some(_), Some(controllers), Some(path)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        let (base, limit, used) = match controllers {
            "" => (root.to_path_buf(), "memory.max", "memory.current"),
            list if list.split(',').any(|c| c == "memory") => {
                (root.join("memory"), "memory.limit_in_bytes", "memory.usage_in_bytes")
            }
            _ => continue,
        };
        for directory in ancestors(&base, path) {
            let Some(limit) = number(&directory.join(limit)) else { continue };
            // What can be dropped at once counts as free: the kernel does so before it kills anybody.
            let cache = cache(&directory.join("memory.stat"));
            let used = number(&directory.join(used)).unwrap_or(0).saturating_sub(cache);
            let left = limit.saturating_sub(used);
            least = Some(least.map_or(left, |known| known.min(left)));
        }
    }
    least
}

/// The directory of a group and of those around it. In a container the path may not exist below the root, which then is the
/// group itself.
fn ancestors(base: &Path, path: &str) -> Vec<PathBuf> {
    let inner = base.join(path.trim_start_matches('/'));
    let mut out: Vec<PathBuf> = inner.ancestors().take_while(|p| *p != base).map(Path::to_path_buf).collect();
    out.push(base.to_path_buf());
    out
}

/// A file with one number. `max`, and version 1's number for it, are no limit.
fn number(path: &Path) -> Option<u64> {
    let value: u64 = std::fs::read_to_string(path).ok()?.trim().parse().ok()?;
    (value < 1 << 60).then_some(value)
}

fn cache(stat: &Path) -> u64 {
    let text = std::fs::read_to_string(stat).unwrap_or_default();
    let value = |name: &str| {
        text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok()).unwrap_or(0)
    };
    value("inactive_file ")
}

/// What a file of the system says about memory in the line that begins like this, where there is such a file.
fn meminfo(file: &str, line: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix(line))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// Bytes of memory that a process holds; `None` if it is gone, or the system does not tell.
pub fn resident(process: &str) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

/// Bytes of memory that all processes of these groups hold.
pub fn resident_groups(groups: &[u32]) -> u64 {
    let Ok(entries) = std::fs::read_dir("/proc") else { return 0 };
    let mut sum = 0;
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().to_string();
        if !name.bytes().all(|b| b.is_ascii_digit()) {
            continue;
        }
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        // The program's name is in parentheses and may contain anything; state, parent and group follow.
        let group = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(2)?.parse().ok());
        if group.is_some_and(|group: u32| groups.contains(&group)) {
            sum += resident(&name).unwrap_or(0);
        }
    }
    sum
}

/// Kills all processes that have a directory under a name in their environment, and waits until they are gone. Has no effect where the system
/// does not tell what processes have there.
pub(crate) fn end_marked(name: &str, directory: &Path) {
    let mark = [name.as_bytes(), b"=", directory.as_os_str().as_encoded_bytes()].concat();
    let marked = |process: &str| {
        let there = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        there.split(|b| *b == 0).any(|entry| entry == mark)
    };
    // Whoever is killed may have started another one meanwhile.
    for _ in 0..100 {
        let Ok(entries) = std::fs::read_dir("/proc") else { return };
        let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().to_string());
        let processes = names.filter_map(|name| Pid::from_raw(name.parse().ok()?));
        let found: Vec<Pid> = processes.filter(|pid| marked(&pid.as_raw_nonzero().to_string())).collect();
        if found.is_empty() {
            return;
        }
        found.into_iter().for_each(|pid| {
            let _ = kill_process(pid, Signal::KILL);
        });
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_uses_memory_and_some_is_available() {
        if cfg!(target_os = "linux") {
            assert!(resident("self").unwrap() > 100_000);
            assert!(available_memory().unwrap() > 1_000_000);
        }
        assert_eq!(resident("no such process"), None);
    }

    /// A tree of files as the kernel shows it.
    fn tree(name: &str, files: &[(&str, &str)]) -> PathBuf {
        let root = std::env::temp_dir().join(format!("swarmcheck-groups-{}-{name}", std::process::id()));
        for (path, text) in files {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        root
    }

    #[test]
    fn the_tightest_group_counts() {
        let two = tree(
            "two",
            &[
                ("job/memory.max", "1000000\n"),
                ("job/memory.current", "400000\n"),
                ("job/memory.stat", "anon 1\ninactive_file 100000\n"),
                ("job/step/memory.max", "max\n"),
                ("job/step/memory.current", "300000\n"),
            ],
        );
        assert_eq!(group_memory("0::/job/step\n", &two), Some(700_000));
        // In a container the root is the group, whatever the path says.
        let inside = tree("inside", &[("memory.max", "5000"), ("memory.current", "1000")]);
        assert_eq!(group_memory("0::/somewhere/else\n", &inside), Some(4000));
        let one = tree(
            "one",
            &[
                ("memory/slurm/memory.limit_in_bytes", "8000"),
                ("memory/slurm/memory.usage_in_bytes", "9000"),
                ("memory/memory.limit_in_bytes", "9223372036854771712"),
            ],
        );
        assert_eq!(group_memory("4:cpu,memory:/slurm\n1:name=systemd:/x\n", &one), Some(0));
        assert_eq!(group_memory("0::/\n", &one), None);
        for root in [two, inside, one] {
            std::fs::remove_dir_all(root).unwrap();
        }
    }
}
