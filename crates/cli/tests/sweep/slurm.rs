//! A real Slurm of one node, started for the test: controller, daemon and authentication are processes of the test with a configuration of
//! their own. Where its programs are missing, or cannot start (they need root), the test says so and passes; `SWARMCHECK_REQUIRE` may
//! contain `slurm`.

use crate::common::tool;
use crate::{exits, folder, said, text};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The daemons. They end with the test.
struct Slurm {
    folder: PathBuf,
    daemons: Vec<Child>,
}

impl Drop for Slurm {
    fn drop(&mut self) {
        for child in self.daemons.iter_mut().rev() {
            // They leave their files in order if they are asked.
            let _ = Command::new("kill").arg(child.id().to_string()).output();
            let began = Instant::now();
            while matches!(child.try_wait(), Ok(None)) && began.elapsed() < Duration::from_secs(5) {
                std::thread::sleep(Duration::from_millis(20));
            }
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

impl Slurm {
    fn start(folder: &Path) -> Result<Slurm, String> {
        let place = folder.display();
        for name in ["state", "spool", "log"] {
            std::fs::create_dir_all(folder.join(name)).unwrap();
        }
        let host = Command::new("hostname").arg("-s").output().map_err(|e| e.to_string())?;
        let host = String::from_utf8_lossy(&host.stdout).trim().to_string();
        let (controller, daemon) = (free_port(), free_port());
        let configuration = format!(
            "ClusterName=test\nSlurmctldHost={host}(127.0.0.1)\nSlurmctldPort={controller}\nSlurmdPort={daemon}\n\
             AuthType=auth/munge\nAuthInfo=socket={place}/munge.sock\nSlurmUser=root\nSlurmdUser=root\n\
             StateSaveLocation={place}/state\nSlurmdSpoolDir={place}/spool\nSlurmctldPidFile={place}/slurmctld.pid\n\
             SlurmdPidFile={place}/slurmd.pid\nSlurmctldLogFile={place}/log/slurmctld.log\nSlurmdLogFile={place}/log/slurmd.log\n\
             ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSelectType=select/cons_tres\n\
             SelectTypeParameters=CR_Core\nReturnToService=2\nMpiDefault=none\nJobAcctGatherType=jobacct_gather/none\n\
             SchedulerParameters=sched_min_interval=100000,batch_sched_delay=0\n\
             NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN\n\
             PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP\n"
        );
        std::fs::write(folder.join("slurm.conf"), configuration).unwrap();
        let mut slurm = Slurm { folder: folder.to_path_buf(), daemons: vec![] };
        let key: Vec<u8> = (0..1024_u32).map(|at| (at * 7919 % 251) as u8).collect();
        std::fs::write(folder.join("munge.key"), key).unwrap();
        let _ = Command::new("chmod").arg("400").arg(folder.join("munge.key")).output();
        slurm.daemon(&[
            "munged",
            "--foreground",
            "--force",
            &format!("--key-file={place}/munge.key"),
            &format!("--socket={place}/munge.sock"),
            &format!("--pid-file={place}/munge.pid"),
            &format!("--log-file={place}/log/munge.log"),
            &format!("--seed-file={place}/munge.seed"),
        ])?;
        slurm.until(|slurm| slurm.folder.join("munge.sock").exists())?;
        slurm.daemon(&["slurmctld", "-D", "-f", &format!("{place}/slurm.conf")])?;
        slurm.until(|slurm| slurm.command("sinfo").output().is_ok_and(|output| output.status.success()))?;
        slurm.daemon(&["slurmd", "-D", "-f", &format!("{place}/slurm.conf"), "-N", &host])?;
        slurm.until(|slurm| {
            let output = slurm.command("sinfo").args(["-h", "-o", "%T"]).output();
            output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).trim() == "idle")
        })?;
        Ok(slurm)
    }

    fn daemon(&mut self, words: &[&str]) -> Result<(), String> {
        let log = std::fs::File::create(self.folder.join(format!("log/{}.out", words[0]))).unwrap();
        let mut command = self.command(words[0]);
        command.args(&words[1..]).stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log);
        self.daemons.push(command.spawn().map_err(|e| format!("{}: {e}", words[0]))?);
        Ok(())
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("SLURM_CONF", self.folder.join("slurm.conf")).current_dir(&self.folder);
        command
    }

    fn until(&mut self, ready: impl Fn(&Slurm) -> bool) -> Result<(), String> {
        let began = Instant::now();
        while !ready(self) {
            if let Some(ended) = self.daemons.iter_mut().find_map(|child| child.try_wait().ok().flatten()) {
                return Err(format!("a daemon has ended: {ended}"));
            }
            if began.elapsed() > Duration::from_secs(20) {
                return Err("it is not ready after 20 s".to_string());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }
}

#[test]
fn a_job_array_gives_the_table_of_one_machine() {
    let programs = ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "srun"];
    let required = std::env::var("SWARMCHECK_REQUIRE").unwrap_or_default();
    let required = required.split_whitespace().any(|word| word == "slurm");
    let daemons = std::env::var("PATH").unwrap_or_default() + ":/usr/sbin:/sbin";
    let is_there = |name: &&str| std::env::split_paths(&daemons).any(|folder| folder.join(name).is_file());
    if let Some(missing) = programs.iter().find(|name| !is_there(name)) {
        assert!(!required, "Slurm is not installed: there is no program {missing}");
        eprintln!("Slurm is not installed (no program '{missing}'): job arrays are not tested");
        return;
    }
    // The socket of munge must have a short path that others cannot write to.
    let place = PathBuf::from(format!("/tmp/swarmcheck-slurm-{}", std::process::id()));
    let slurm = match Slurm::start(&place) {
        Ok(slurm) => slurm,
        Err(why) => {
            assert!(!required, "Slurm cannot be started: {why}");
            eprintln!("Slurm cannot be started here ({why}): job arrays are not tested");
            let _ = std::fs::remove_dir_all(&place);
            return;
        }
    };
    let folder = folder("slurm");
    let sweep = "sweep counter.labs limit=3..9 --do simulate --seeds 2";
    exits(&folder, &format!("{sweep} --out one.csv"), 0);
    let submit = |arguments: &str| {
        let mut command = slurm.command(env!("CARGO_BIN_EXE_swarmcheck"));
        command.args(arguments.split_whitespace()).current_dir(&folder);
        command
    };
    let (words, code) = said(&submit(&format!("{sweep} --out r.csv --slurm --tasks 3")).output().unwrap());
    assert_eq!(code, 0, "{words}");
    assert!(words.contains("3 tasks, 14 points"), "{words}");
    assert_eq!(text(&folder, "r.csv"), text(&folder, "one.csv"));
    assert!(folder.join("r.csv.shard-3-of-3.journal").exists());
    // Below srun, processes find their parts by themselves.
    let mut command = slurm.command("srun");
    command.args(["-n", "2", env!("CARGO_BIN_EXE_swarmcheck")]).args(sweep.split_whitespace());
    let (words, code) = said(&command.args(["--out", "srun.csv"]).current_dir(&folder).output().unwrap());
    assert_eq!(code, 0, "{words}");
    assert_eq!(text(&folder, "srun.csv"), text(&folder, "one.csv"));
    lost_tasks_are_submitted_again(&slurm, &folder);
    drop(slurm);
    let _ = std::fs::remove_dir_all(&place);
}

/// One task is cancelled while it works; its points are done by another job.
fn lost_tasks_are_submitted_again(slurm: &Slurm, folder: &Path) {
    // Each run takes long enough to be cancelled meanwhile.
    let sweep = "sweep counter.labs limit=600000,600001 --do simulate --steps 1000000 --seeds 4";
    exits(folder, &format!("{sweep} --out slow-one.csv"), 0);
    let mut command = slurm.command(env!("CARGO_BIN_EXE_swarmcheck"));
    command.args(format!("{sweep} --out slow.csv --slurm --tasks 2").split_whitespace()).current_dir(folder);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let began = Instant::now();
    loop {
        assert!(began.elapsed() < Duration::from_secs(60), "no task has begun");
        let running = slurm.command("squeue").args(["-h", "-r", "-t", "R", "-o", "%i"]).output().unwrap();
        let running = String::from_utf8_lossy(&running.stdout).to_string();
        if let Some(task) = running.lines().find(|task| task.ends_with("_2")) {
            assert!(slurm.command("scancel").arg(task.trim()).status().unwrap().success());
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let (words, code) = said(&child.wait_with_output().unwrap());
    assert_eq!(code, 0, "{words}");
    assert!(words.contains("lost task"), "{words}");
    assert_eq!(text(folder, "slow.csv"), text(folder, "slow-one.csv"));
}

#[test]
fn a_script_can_be_written_without_slurm() {
    let folder = folder("script");
    let said = exits(
        &folder,
        "sweep counter.labs limit=1..20 --where 'limit % 2 = 0' --out r.csv --slurm-script job.sh --tasks 4 --jobs 2 \
         --sbatch=--time=10",
        0,
    );
    assert!(said.contains("sbatch job.sh") && !folder.join("r.csv.slurm.sh").exists(), "{said}");
    let script = text(&folder, "job.sh");
    for line in ["#SBATCH --array=1-4", "#SBATCH --cpus-per-task=2", "#SBATCH --time=10"] {
        assert!(script.lines().any(|other| other == line), "{line}: {script}");
    }
    // The script does what it says, wherever a shell runs it.
    for task in 1..=4 {
        let mut command = Command::new("sh");
        command.arg("job.sh").env("SLURM_ARRAY_TASK_ID", task.to_string()).current_dir(&folder);
        assert!(command.output().unwrap().status.success());
    }
    exits(&folder, "collect --out r.csv", 0);
    assert_eq!(text(&folder, "r.csv").lines().count(), 11);
    if !tool("Slurm", "sbatch") {
        let said = exits(&folder, "sweep counter.labs limit=1..3 --out s.csv --slurm", 1);
        assert!(said.contains("there is no program sbatch"), "{said}");
    }
}
