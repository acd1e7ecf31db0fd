//! Tables: what is written is read back.

use super::*;

fn fault(text: &str) -> (usize, TableFaultKind) {
    let fault = Table::from_csv(text).unwrap_err();
    (fault.line, fault.kind)
}

#[test]
fn csv_is_read_as_rfc_4180_says() {
    let table = Table::from_csv("a,\"b,c\",d\r\n1,\"x\"\"y\",\r\n1.50,\"two\nlines\",\"\"\n").unwrap();
    assert_eq!(table.columns, ["a", "b,c", "d"]);
    let expected = [
        vec![Cell::Number(1.0, "1".into()), Cell::text("x\"y"), Cell::Empty],
        vec![Cell::Number(1.5, "1.50".into()), Cell::text("two\nlines"), Cell::text("")],
    ];
    assert_eq!(table.rows, expected);
    // No line feed at the end, and a last cell that is empty.
    assert_eq!(Table::from_csv("a,b\n1,").unwrap().rows, [vec![Cell::integer(1), Cell::Empty]]);
    assert_eq!(Table::from_csv("a\n\n2").unwrap().rows, [vec![Cell::Empty], vec![Cell::integer(2)]]);
}

#[test]
fn what_is_no_table_is_refused_with_its_line() {
    assert_eq!(fault(""), (1, TableFaultKind::NoHeader));
    assert_eq!(fault("\n1\n"), (1, TableFaultKind::NoHeader));
    assert_eq!(fault("a,a\n"), (1, TableFaultKind::SameName("a".into())));
    let wrong = (4, TableFaultKind::Cells { found: 3, wanted: 2 });
    assert_eq!(fault("a,b\n\"x\ny\",1\n1,2,3\n"), wrong);
    assert_eq!(fault("a\n\"open\n"), (2, TableFaultKind::OpenQuote));
    assert_eq!(fault("a\n\"x\"y\n"), (2, TableFaultKind::StrayQuote));
    assert_eq!(fault("a\nx\"y\"\n"), (2, TableFaultKind::StrayQuote));
    let json = |text: &str| Table::from_jsonl(text).unwrap_err().to_string();
    assert_eq!(
        json("{\"a\":1}\n{\"a\":[]}"),
        "line 2: the value of a is a list or an object, and a cell has neither"
    );
    assert_eq!(json("{\"a\":1,\"a\":2}"), "line 1: two columns are called a");
    assert!(json("[1]").starts_with("line 1: this is no JSON object: "));
}

#[test]
fn numbers_are_what_json_calls_numbers() {
    for text in ["0", "-0", "10", "1.5", "1e9", "1.25E-3", "18446744073709551615"] {
        assert!(number(text).is_some(), "{text}");
        assert!(serde_json::from_str::<f64>(text).is_ok(), "{text}");
    }
    for text in ["", "-", "01", "+1", "1.", ".5", "1e", "0x1", "inf", "NaN", "1 ", "1e999", "١"] {
        assert!(number(text).is_none(), "{text}");
    }
    let shown = |value: f64| Cell::number(value).shown().to_string();
    assert_eq!([shown(3.0), shown(0.1), shown(-0.0), shown(1e-9)], ["3", "0.1", "0", "1e-9"]);
    assert_eq!(shown(f64::INFINITY), "inf");
    assert_eq!(Cell::integer(u64::MAX).shown(), "18446744073709551615");
}

#[test]
fn objects_may_lack_columns() {
    let table = Table::from_jsonl("{\"n\":2,\"p\":\"holds\"}\n\n{\"q\":null,\"n\":3}\n").unwrap();
    assert_eq!(table.columns, ["n", "p", "q"]);
    assert_eq!(table.rows[1], [Cell::integer(3), Cell::Empty, Cell::Empty]);
    assert_eq!(table.to_jsonl().lines().next(), Some("{\"n\":2,\"p\":\"holds\",\"q\":null}"));
}

/// Random tables of awkward cells are the same after writing and reading, in both formats.
#[test]
fn nothing_changes_on_the_way_through_a_file() {
    let mut random = fastrand::Rng::with_seed(20);
    let pieces = ["", ",", "\"", "\n", "\r\n", "1", "-2.5", "text", "é", "\u{feff}", " ", "1e3", "null", "{"];
    for _ in 0..2000 {
        let columns: Vec<String> =
            (0..random.usize(1..5)).map(|n| format!("c{n}{}", pieces[random.usize(..14)])).collect();
        let mut table = Table::new(columns);
        for _ in 0..random.usize(1..5) {
            let row = (0..table.columns.len()).map(|_| match random.u8(..4) {
                0 => Cell::Empty,
                1 => Cell::integer(random.i64(..)),
                2 => Cell::number(random.f64() * 1e6),
                _ => Cell::Text((0..random.u8(..4)).map(|_| pieces[random.usize(..14)]).collect()),
            });
            let row = row.collect();
            table.rows.push(row);
        }
        assert_eq!(Table::from_csv(&table.to_csv()).as_ref(), Ok(&table));
        assert_eq!(Table::from_jsonl(&table.to_jsonl()).as_ref(), Ok(&table));
    }
}
