//! Journals: what is read back, what is refused, what is collected.

use super::*;
use serde_json::json;

fn header(shard: Option<(usize, usize)>) -> Header {
    Header {
        format: FORMAT.to_string(),
        version: VERSION,
        program: "0.1.0".to_string(),
        model: ModelMark { name: "m.labs".to_string(), sha256: "ab".to_string() },
        work: json!({"do": "verify", "options": {"engine": "auto", "steps": null}}),
        points: PointsMark {
            written: "n=1..3".to_string(),
            count: 6,
            seeds: 2,
            parameters: vec!["n".to_string()],
            seeded: true,
            sha256: "cd".to_string(),
        },
        boundary: None,
        until_violated: false,
        shard,
    }
}

fn entry(point: usize, result: Vec<(&str, Value)>) -> Entry {
    let result = result.into_iter().map(|(name, value)| (name.to_string(), value)).collect();
    let values = vec![point as i64 / 2 + 1];
    let seed = Some(point as u64 % 2);
    Entry { point, values, seed, result, failure: None, violated: false, seconds: 0.5 }
}

fn text(header: &Header, entries: &[Entry]) -> Vec<u8> {
    let mut bytes = line(header).unwrap();
    entries.iter().for_each(|entry| bytes.extend(line(entry).unwrap()));
    bytes
}

fn every() -> Vec<Entry> {
    (0..6).map(|point| entry(point, vec![("p", json!(0.1)), ("v", json!("holds"))])).collect()
}

#[test]
fn a_torn_line_is_dropped_wherever_it_is_torn() {
    let bytes = text(&header(None), &every());
    let ends: Vec<usize> =
        bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at + 1).collect();
    for cut in 0..bytes.len() {
        let lines = ends.iter().filter(|end| **end <= cut).count();
        match Journal::read(&bytes[..cut]) {
            Err(fault) => assert!(lines == 0 && fault == JournalFault::Empty, "{cut}: {fault}"),
            Ok(journal) => {
                assert_eq!((journal.entries.len(), journal.whole), (lines - 1, ends[lines - 1]), "{cut}");
            }
        }
    }
}

#[test]
fn damage_is_refused() {
    let read = |bytes: &[u8]| Journal::read(bytes).unwrap_err();
    let mut bytes = text(&header(None), &every());
    let second = bytes.iter().position(|b| *b == b'\n').unwrap() + 3;
    bytes[second] = 0;
    assert!(matches!(read(&bytes), JournalFault::Line(2, _)));
    assert_eq!(read(b"n,delta\n1,2\n"), JournalFault::NoJournal);
    assert_eq!(read(b"{}\n"), JournalFault::NoJournal);
    assert_eq!(read(&text(&Header { version: 2, ..header(None) }, &[])), JournalFault::Version(2));
    // More points than a sweep can have would be listed as missing.
    let mut endless = header(None);
    endless.points.count = MOST + 1;
    assert!(matches!(read(&text(&endless, &[])), JournalFault::Line(1, _)));
    // A point that there is not, one of another shard, and one without a seed.
    assert_eq!(read(&text(&header(None), &[entry(6, vec![])])), JournalFault::Foreign(2));
    assert_eq!(
        read(&text(&header(Some((1, 2))), &[entry(0, vec![]), entry(1, vec![])])),
        JournalFault::Foreign(3)
    );
    assert_eq!(
        read(&text(&header(None), &[Entry { seed: None, ..entry(1, vec![]) }])),
        JournalFault::Foreign(2)
    );
}

#[test]
fn other_sweeps_are_told_apart_by_what_differs() {
    let mut other = header(Some((2, 3)));
    assert_eq!(header(None).differences(&other), Vec::<String>::new());
    other.model.sha256 = "ef".to_string();
    other.work["options"]["engine"] = json!("ic3");
    other.work["options"]["fairness"] = json!("weak");
    let expected = [
        "the text of m.labs has changed since then",
        "options.engine was \"auto\", and is \"ic3\" now",
        "options.fairness was null, and is \"weak\" now",
    ];
    assert_eq!(header(None).differences(&other), expected);
}

#[test]
fn shards_in_any_order_give_the_table_of_one_machine() {
    let alone = Collected::new(vec![Journal::read(&text(&header(None), &every())).unwrap()]).unwrap();
    let shard = |number: usize| {
        let header = header(Some((number, 3)));
        let mut own: Vec<Entry> = every().into_iter().filter(|e| header.owns(e.point)).collect();
        own.reverse();
        own.iter_mut().for_each(|entry| entry.seconds *= 7.0);
        Journal::read(&text(&header, &own)).unwrap()
    };
    let together = Collected::new(vec![shard(3), shard(1), shard(2)]).unwrap();
    assert_eq!(together.table().to_csv(), alone.table().to_csv());
    let expected = "n,seed,p,v,error\n1,0,0.1,holds,\n1,1,0.1,holds,\n2,0,0.1,holds,\n";
    assert!(alone.table().to_csv().starts_with(expected), "{}", alone.table().to_csv());
    assert_eq!(Collected::new(vec![shard(3), shard(1)]).unwrap().missing(), [1, 4]);
    let mut lie = shard(1);
    lie.entries.insert(3, entry(3, vec![("p", json!(0.2))]));
    assert_eq!(Collected::new(vec![shard(1), lie]), Err(CollectFault::Contradiction(3, 0, 1)));
}

#[test]
fn later_lines_supersede_and_names_that_clash_are_told_apart() {
    let failed = Entry {
        failure: Some(Failure { kind: FailureKind::TimeLimit, why: "the time, it is over".to_string() }),
        ..entry(0, vec![])
    };
    let again = entry(0, vec![("n", json!(3)), ("error", json!("x"))]);
    let journal = Journal::read(&text(&header(None), &[failed.clone(), again])).unwrap();
    let csv = Collected::new(vec![journal]).unwrap().table().to_csv();
    assert_eq!(csv, "n,seed,(n),error,(error)\n1,0,3,x,\n");
    let journal = Journal::read(&text(&header(None), &[failed])).unwrap();
    let csv = Collected::new(vec![journal]).unwrap().table().to_csv();
    assert_eq!(csv, "n,seed,error\n1,0,\"the time, it is over\"\n");
}

#[test]
fn seeds_after_a_violation_are_left_out_even_if_they_were_made() {
    let header = Header { until_violated: true, ..header(None) };
    let mut entries = every();
    entries.remove(3);
    entries[2].violated = true;
    entries[0].violated = true;
    let all = Collected::new(vec![Journal::read(&text(&header, &entries)).unwrap()]).unwrap();
    assert_eq!(all.missing(), Vec::<usize>::new());
    assert_eq!(all.table().rows.len(), 4, "points 0, 2, 4 and 5");
}
