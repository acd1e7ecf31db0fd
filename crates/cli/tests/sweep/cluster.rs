//! Parts of a sweep on several machines, collected; processes that mpirun has started.

use crate::common::tool;
use crate::{exits, folder, said, text};
use std::process::Command;

const SWEEP: &str = "sweep counter.labs limit=3..9 --do simulate --seeds 2 --jobs 1";

#[test]
fn parts_give_the_table_of_one_machine() {
    let folder = folder("parts");
    exits(&folder, &format!("{SWEEP} --out one.csv"), 0);
    let one = text(&folder, "one.csv");
    for part in [3, 1] {
        exits(&folder, &format!("{SWEEP} --out r.csv --shard {part}/3"), 0);
    }
    let early = exits(&folder, "collect --out r.csv", 5);
    assert!(early.contains("5 of 14 points are missing\n  part 2 of 3: 5 of its 5 points"), "{early}");
    assert!(!folder.join("r.csv").exists());
    exits(&folder, "collect --out part.csv r.csv.shard-1-of-3.journal --partial", 5);
    assert_eq!(text(&folder, "part.csv").lines().count(), 6);
    exits(&folder, &format!("{SWEEP} --out r.csv --shard 2/3"), 0);
    exits(&folder, "collect --out r.csv", 0);
    assert_eq!(text(&folder, "r.csv"), one);
    // A journal that contradicts another one, or is of another sweep, is refused.
    let lie = text(&folder, "r.csv.shard-2-of-3.journal").replace("[\"steps\",3]", "[\"steps\",4]");
    std::fs::write(folder.join("lie.journal"), lie).unwrap();
    let said = exits(&folder, "collect --out r.csv one.csv.journal lie.journal", 1);
    assert!(said.contains("one.csv.journal and lie.journal have different results for point 1"), "{said}");
    exits(&folder, "sweep counter.labs limit=3..9 --out other.csv", 0);
    let said = exits(&folder, "collect --out r.csv one.csv.journal other.csv.journal", 2);
    assert!(said.contains("are journals of different sweeps") && said.contains("do was"), "{said}");
    exits(&folder, "collect --out nothing.csv", 2);
    assert_eq!(text(&folder, "r.csv"), one, "what is refused leaves the table alone");
}

#[test]
fn ranks_of_mpirun_share_the_work() {
    if !tool("Open MPI", "mpirun") {
        return;
    }
    let folder = folder("ranks");
    exits(&folder, &format!("{SWEEP} --out one.csv"), 0);
    for ranks in ["2", "3"] {
        let mut command = Command::new("mpirun");
        command.args(["--oversubscribe", "-n", ranks, env!("CARGO_BIN_EXE_swarmcheck")]);
        command
            .args(SWEEP.split_whitespace())
            .args(["--out", &format!("mpi{ranks}.csv")])
            .current_dir(&folder);
        // Containers run as root.
        command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        let (said, code) = said(&command.output().unwrap());
        assert_eq!(code, 0, "{said}");
        assert_eq!(text(&folder, &format!("mpi{ranks}.csv")), text(&folder, "one.csv"));
        assert!(
            folder.join(format!("mpi{ranks}.csv.shard-2-of-{ranks}.journal")).exists(),
            "each rank has its journal"
        );
    }
    assert!(!folder.join("mpi2.csv.journal").exists());
}
