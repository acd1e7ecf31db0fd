//! Points that fail, workers that are killed, users that interrupt, disks that are full.

use crate::process::{descendants, signal};
use crate::{exits, folder, program, said, text};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Steps that no machine makes within these tests.
const ENDLESS: &str = "4000000000";

#[test]
fn a_point_that_fails_is_recorded_and_the_rest_goes_on() {
    let folder = folder("fails");
    // No time is enough for the second point; the others need a moment.
    let sweep = format!(
        "sweep counter.labs limit=3,{ENDLESS},7 --do simulate --steps {ENDLESS} --out r.csv --jobs 2"
    );
    let said = exits(&folder, &format!("{sweep} --point-timeout 700ms"), 124);
    assert!(said.contains("1 of 3 points failed"), "{said}");
    let expected = format!(
        "limit,seed,runs,steps,deadlocks,Small.satisfied,Small.violated,Small.true_at_end,error\n\
         3,0,1,3,1,0,0,1,\n{ENDLESS},0,,,,,,,the time limit was reached\n7,0,1,7,1,0,1,0,\n"
    );
    assert_eq!(text(&folder, "r.csv"), expected);
    // What failed stays as it is, unless another try is asked for.
    exits(&folder, &format!("{sweep} --resume"), 124);
    let again = exits(&folder, &format!("{sweep} --resume --retry-failed --timeout 1"), 124);
    assert!(again.contains("2 of 3 points are done"), "{again}");
    // A number of agents that is none is an error of the model at this point only.
    std::fs::write(folder.join("n.labs"), crate::COUNTER.replace("spawn = A: 1", "spawn = A: _limit"))
        .unwrap();
    exits(&folder, "sweep n.labs limit=0..1 --out n.csv", 6);
    assert_eq!(text(&folder, "n.csv"), "limit,Small,error\n0,,2:11: the system has no agents\n1,holds,\n");
}

#[test]
fn a_worker_that_is_killed_costs_one_point() {
    let folder = folder("worker");
    let sweep =
        format!("sweep counter.labs limit={ENDLESS},4 --do simulate --steps {ENDLESS} --out r.csv --jobs 1");
    let child = program(&folder, &sweep).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let began = Instant::now();
    // The first two workers look at the model; the third one works on the point.
    let journal = folder.join("r.csv.journal");
    let worker = loop {
        assert!(began.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(300));
        if let ([worker], true) = (&descendants(child.id())[..], journal.exists()) {
            let worker = *worker;
            std::thread::sleep(Duration::from_millis(300));
            if descendants(child.id()) == [worker] {
                break worker;
            }
        }
    };
    signal("KILL", worker);
    let (said, code) = said(&child.wait_with_output().unwrap());
    assert_eq!(code, 1, "{said}");
    let table = text(&folder, "r.csv");
    assert!(
        table
            .lines()
            .nth(1)
            .is_some_and(|line| line.starts_with(&format!("{ENDLESS},0,,")) && line.contains("9")),
        "{table}"
    );
    assert!(table.ends_with("\n4,0,1,4,1,0,0,1,\n"), "{table}");
}

#[test]
fn whoever_interrupts_is_told_how_to_go_on() {
    let folder = folder("interrupt");
    let sweep = format!("sweep counter.labs limit=3,4,{ENDLESS} --do simulate --out r.csv --jobs 1");
    let endless = format!("{sweep} --steps {ENDLESS}");
    let child = program(&folder, &endless).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let began = Instant::now();
    while std::fs::read_to_string(folder.join("r.csv.journal")).unwrap_or_default().lines().count() < 3 {
        assert!(began.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(20));
    }
    let workers = descendants(child.id());
    signal("INT", child.id());
    let (said, code) = said(&child.wait_with_output().unwrap());
    assert_eq!(code, 130, "{said}");
    assert!(said.contains("interrupted: 2 of 3 points are done, and kept in r.csv.journal"), "{said}");
    assert!(said.contains("--resume goes on") && !folder.join("r.csv").exists(), "{said}");
    assert!(crate::process::gone(&workers, Duration::from_secs(2)));
    // Within a time limit it is the same.
    let said = exits(&folder, &format!("{endless} --resume --timeout 1"), 124);
    assert!(said.contains("going on: 2 of 3 points are done"), "{said}");
}

#[test]
fn a_full_disk_loses_nothing() {
    let folder = folder("full");
    let sweep = "sweep counter.labs limit=1..90 --jobs 4";
    let said = exits(&folder, &format!("{sweep} --out /dev/full"), 1);
    assert!(said.contains("No space left on device"), "{said}");
    let disk = folder.join("disk");
    std::fs::create_dir(&disk).unwrap();
    let mount = |options: &str| {
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(&disk).output();
        mounted.is_ok_and(|output| output.status.success())
    };
    if !mount("size=8k") {
        eprintln!("no small disk can be made here: a journal on a full disk is not tested");
        return;
    }
    let _unmount = Unmount(disk.clone());
    let said = exits(&folder, &format!("{sweep} --out disk/r.csv"), 1);
    assert!(said.contains("cannot write disk/r.csv.journal: No space left on device"), "{said}");
    assert!(said.contains("points are safe") && said.contains("--resume"), "{said}");
    let journal = std::fs::read_to_string(disk.join("r.csv.journal")).unwrap();
    assert!(journal.ends_with('\n') && journal.lines().count() > 2, "{journal}");
    assert!(mount("remount,size=1m"));
    exits(&folder, &format!("{sweep} --out disk/r.csv --resume"), 0);
    exits(&folder, &format!("{sweep} --out peace.csv"), 0);
    assert_eq!(text(&folder, "disk/r.csv"), text(&folder, "peace.csv"));
}

struct Unmount(std::path::PathBuf);

impl Drop for Unmount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).output();
    }
}
