//! Journals that are torn, damaged, of another sweep, or in use; and what is refused before any work.

use crate::{COUNTER, exits, folder, run, text};

const SWEEP: &str = "sweep counter.labs limit=3..8 --out r.csv";

#[test]
fn a_torn_line_is_dropped_and_done_again() {
    let folder = folder("torn");
    exits(&folder, SWEEP, 0);
    let (table, journal) = (text(&folder, "r.csv"), text(&folder, "r.csv.journal"));
    let expected: String =
        (3..=8).map(|n| format!("{n},{},\n", if n <= 5 { "holds" } else { "violated" })).collect();
    assert_eq!(table, format!("limit,Small,error\n{expected}"));
    let header = journal.find('\n').unwrap() + 1;
    // In the header, right behind it, within a point, and without the last line feed.
    for cut in [0, 10, header, header + 20, journal.len() - 1] {
        std::fs::write(folder.join("r.csv.journal"), &journal[..cut]).unwrap();
        std::fs::remove_file(folder.join("r.csv")).unwrap();
        exits(&folder, &format!("{SWEEP} --resume"), 0);
        assert_eq!(text(&folder, "r.csv"), table, "cut at {cut}");
    }
    let damaged = journal.replacen("\"point\"", "\"pxint\"", 1);
    std::fs::write(folder.join("r.csv.journal"), &damaged).unwrap();
    assert!(exits(&folder, &format!("{SWEEP} --resume"), 2).contains("line 2 is damaged"));
    assert_eq!(text(&folder, "r.csv.journal"), damaged, "what is refused is left alone");
}

#[test]
fn journals_of_other_sweeps_are_refused_with_what_differs() {
    let folder = folder("foreign");
    exits(&folder, SWEEP, 0);
    let journal = text(&folder, "r.csv.journal");
    assert!(exits(&folder, SWEEP, 2).contains("--resume goes on"));
    let refused = |arguments: &str| exits(&folder, arguments, 2);
    let other = refused("sweep counter.labs limit=3..9 --out r.csv --resume");
    assert!(other.contains("there were 6 points (limit=3..8), and there are 7 now (limit=3..9)"), "{other}");
    let other = refused(&format!("{SWEEP} --resume --engine bmc"));
    assert!(other.contains("options.engine was \"auto\", and is \"bmc\" now"), "{other}");
    let other = refused(&format!("{SWEEP} --resume --do simulate"));
    assert!(other.contains("do was \"verify\", and is \"simulate\" now"), "{other}");
    std::fs::write(folder.join("counter.labs"), COUNTER.replace("<= 5", "<= 6")).unwrap();
    let other = refused(&format!("{SWEEP} --resume"));
    assert!(other.contains("the text of counter.labs has changed since then"), "{other}");
    std::fs::write(folder.join("counter.labs"), COUNTER).unwrap();
    std::fs::write(folder.join("x.csv.journal"), "limit,Small\n3,holds\n").unwrap();
    assert!(
        refused("sweep counter.labs limit=3 --out x.csv --resume").contains("it is no journal of a sweep")
    );
    assert_eq!(text(&folder, "r.csv.journal"), journal, "what is refused is left alone");
    // The order of the values is part of the table; how they are written is not.
    exits(&folder, "sweep counter.labs limit=3,4..7,8 --out r.csv --resume --threads 2 --jobs 1", 0);
    std::fs::File::open(folder.join("r.csv.journal")).unwrap().lock().unwrap();
    let file = std::fs::File::open(folder.join("r.csv.journal")).unwrap();
    file.lock().unwrap();
    assert!(refused(&format!("{SWEEP} --resume")).contains("another sweep is writing"));
}

#[test]
fn nothing_is_left_behind_when_nothing_can_be_asked() {
    let folder = folder("nothing");
    let refused = |arguments: &str, code: i32, why: &str| {
        let said = exits(&folder, arguments, code);
        assert!(said.contains(why), "{arguments}: {said}");
    };
    refused("sweep counter.labs limit=8..3 --out r.csv", 2, "the range 8..3 is empty");
    refused(
        "sweep counter.labs limit=1..8 --where 'limit > 9' --out r.csv",
        2,
        "the condition holds at none of 8",
    );
    refused(
        "sweep counter.labs limit=1..8 --where 'limit >' --out r.csv",
        2,
        "a number or a parameter is missing here",
    );
    refused("sweep counter.labs limit=1..8 --do simulate --seeds 0 --out r.csv", 2, "there are no points");
    refused("sweep counter.labs limit=1..8 --seeds 3 --out r.csv", 2, "does not depend on a seed");
    refused("sweep counter.labs limit=1..8 -p Nope --out r.csv", 2, "has no property");
    refused("sweep counter.labs limits=1..8 --out r.csv", 6, "did you mean `limit`?");
    refused("sweep counter.labs limit=1..8 --out counter.labs", 2, "would overwrite an input file");
    refused("sweep counter.labs limit=1..8 --resume", 2, "--out");
    refused("sweep counter.labs limit=1..8 --boundary x", 2, "the parameters of the sweep are limit");
    std::fs::write(folder.join("points.csv"), "limit\n").unwrap();
    refused("sweep counter.labs --points points.csv --out r.csv", 2, "the file has a header and no rows");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().to_string())
        .collect();
    names.sort();
    assert_eq!(names, ["counter.labs", "points.csv"]);
}

#[test]
fn points_come_from_files_and_samples_and_tables_are_written_in_both_formats() {
    let folder = folder("points");
    std::fs::write(folder.join("points.csv"), "limit\n7\n3\n").unwrap();
    let listed = run(&folder, "sweep counter.labs --points points.csv").0;
    assert_eq!(listed, "limit,Small,error\n7,violated,\n3,holds,\n");
    let drawn =
        |seed: u32| run(&folder, &format!("sweep counter.labs limit=1..1000 --latin 4 --seed {seed}")).0;
    assert_eq!((drawn(1).lines().count(), drawn(1)), (5, drawn(1)));
    assert_ne!(drawn(1), drawn(2));
    exits(&folder, "sweep counter.labs limit=5,6 --out r.jsonl", 0);
    let expected = "{\"limit\":5,\"Small\":\"holds\",\"error\":null}\n{\"limit\":6,\"Small\":\"violated\",\"error\":null}\n";
    assert_eq!(text(&folder, "r.jsonl"), expected);
    // Of the four seeds of a limit above 5 the first one is enough.
    let stopped =
        run(&folder, "sweep counter.labs limit=5,6 --do simulate --seeds 4 --until-violated --jobs 4").0;
    let seeds: Vec<&str> = stopped.lines().skip(1).map(|line| &line[..3]).collect();
    assert_eq!(seeds, ["5,0", "5,1", "5,2", "5,3", "6,0"]);
}

#[test]
fn boundaries_are_found_with_few_decisions_and_checked() {
    let folder = folder("boundary");
    let said = exits(&folder, "sweep counter.labs limit=1..9 --boundary limit", 0);
    assert_eq!(
        said,
        "where verdicts change with limit\n  Small  holds up to 5, violated from 6 on (all 9 values decided)\n"
    );
    let said =
        exits(&folder, "sweep counter.labs limit=1..100 --boundary limit --boundary-checks 2 --out r.csv", 0);
    // Two ends; 50, 25, 13, 7, 4, 5, 6 by halving 1..100 as ⌊(a+b)/2⌋ of places; 2 checks at places 33 and 66.
    assert!(said.contains("holds up to 5, violated from 6 on ("), "{said}");
    assert!(said.contains(" of 100 values decided, none of them contradicts)"), "{said}");
    assert!(text(&folder, "r.csv").lines().count() <= 1 + 2 + 7 + 2, "{}", text(&folder, "r.csv"));
    // It goes on where it was.
    let again = exits(
        &folder,
        "sweep counter.labs limit=1..100 --boundary limit --boundary-checks 2 --out r.csv --resume",
        0,
    );
    assert!(again.contains("holds up to 5, violated from 6 on ("), "{again}");
}
