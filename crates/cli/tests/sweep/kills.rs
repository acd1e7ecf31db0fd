//! kill -9 at random moments: nothing is lost, nothing is done twice, and the table is the one of a run in peace.

use crate::{exits, folder, program, text};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

const SWEEP: &str = "sweep counter.labs limit=3..8 --do simulate --seeds 4 --jobs 2 --steps 20";

/// The points in a journal with their lines; a last line without its end is none.
fn points(folder: &Path, name: &str) -> BTreeMap<u64, String> {
    let text = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut out = BTreeMap::new();
    for line in whole.lines().skip(1) {
        let entry: serde_json::Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        let old = out.insert(entry["point"].as_u64().unwrap(), line.to_string());
        assert_eq!(old, None, "a point was done twice");
    }
    out
}

/// Kills so often; how many tables were completed on the way.
fn kill(kills: usize, seed: u64, name: &str) -> usize {
    let folder = folder(name);
    let mut random = fastrand::Rng::with_seed(seed);
    let began = Instant::now();
    exits(&folder, &format!("{SWEEP} --out peace.csv"), 0);
    let whole = began.elapsed();
    let expected = text(&folder, "peace.csv");
    assert_eq!(expected.lines().count(), 25, "6 limits with 4 seeds, and a header");
    // A counter stops after as many steps as its limit says, and 6 of its values are allowed.
    assert!(
        expected.contains("\n5,2,1,5,1,0,0,1,\n") && expected.contains("\n8,0,1,8,1,0,1,0,\n"),
        "{expected}"
    );
    let (mut killed, mut complete) = (0, 0);
    let mut known = BTreeMap::new();
    while killed < kills {
        let mut child = program(&folder, &format!("{SWEEP} --out r.csv --resume"))
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_secs_f64(random.f64() * whole.as_secs_f64() * 0.6));
        let _ = child.kill();
        let ended = child.wait().unwrap();
        killed += usize::from(ended.code().is_none());
        let now = points(&folder, "r.csv.journal");
        for (point, line) in &known {
            assert_eq!(now.get(point), Some(line), "point {point} was lost or changed");
        }
        known = now;
        if ended.code() == Some(0) {
            assert_eq!((known.len(), text(&folder, "r.csv")), (24, expected.clone()));
            std::fs::remove_file(folder.join("r.csv.journal")).unwrap();
            std::fs::remove_file(folder.join("r.csv")).unwrap();
            known.clear();
            complete += 1;
        }
    }
    exits(&folder, &format!("{SWEEP} --out r.csv --resume"), 0);
    assert_eq!((points(&folder, "r.csv.journal").len(), text(&folder, "r.csv")), (24, expected));
    complete + 1
}

#[test]
fn ten_kills_lose_nothing() {
    kill(10, 20, "kills");
}

#[test]
#[ignore = "takes a minute"]
fn two_hundred_kills_lose_nothing() {
    let complete = kill(200, 2020, "many-kills");
    println!("200 kills, {complete} complete tables, all equal");
}
