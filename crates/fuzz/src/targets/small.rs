//! Files that need no model to be read: project files, journals and points of sweeps, labelled transition systems.

use super::{PROGRAM, text};
use crate::seeds::From;
use crate::{Target, is_stopping, pick};
use swarmcheck_lts::aut::{self, Invisible};
use swarmcheck_lts::{Equivalence, dot, minimise_unless};
use swarmcheck_source::{SourceFile, render};
use swarmcheck_sweep::journal::{Collected, Journal};
use swarmcheck_sweep::{Axis, Sample, Space, Table, boundary, condition::Condition, points};

pub const PROJECT: Target = Target {
    name: "project",
    about: "project files",
    run: project,
    from: From { endings: &["toml"], crates: &["project"], corpus: &[] },
    words: &[
        "[[model]]",
        "[model.expect]",
        "file",
        "parameters",
        "deadlock",
        "holds",
        "violated",
        "time",
        "memory",
        "limits",
        "version",
        "engine",
        "steps",
        "choice",
        "semantics",
        "fair",
        "sync",
        "true",
        "false",
        "expect",
        "'''",
        "\"\"\"",
        "{",
        "}",
    ],
    usual: 200,
    stack: PROGRAM,
};

pub const JOURNAL: Target = Target {
    name: "journal",
    about: "journals of sweeps, and tables of what they say",
    run: journal,
    from: From { endings: &[], crates: &["sweep"], corpus: &[] },
    words: &[
        "\"format\"",
        "\"version\"",
        "\"points\"",
        "\"count\"",
        "\"seeds\"",
        "\"parameters\"",
        "\"point\"",
        "\"values\"",
        "\"seed\"",
        "\"shard\"",
        "null",
        "true",
        "false",
        "\"boundary\"",
        "\"until_violated\"",
        "\"seconds\"",
        "\"rows\"",
        "\n",
    ],
    usual: 800,
    stack: PROGRAM,
};

pub const POINTS: Target = Target {
    name: "points",
    about: "tables, axes and conditions of sweeps",
    run: points_of,
    from: From { endings: &[], crates: &["sweep"], corpus: &["journal"] },
    words: &[
        "n=1..3",
        "m=",
        "..",
        "step",
        ",",
        "n",
        "m",
        "and",
        "or",
        "not",
        "<",
        "<=",
        "%",
        "{\"n\": 1}",
        "\r\n",
        "\"\"",
        "seed",
    ],
    usual: 60,
    stack: PROGRAM,
};

pub const AUT: Target = Target {
    name: "aut",
    about: "labelled transition systems in Aldebaran format, minimised",
    run: system,
    from: From { endings: &["aut"], crates: &["lts"], corpus: &[] },
    words: &[
        "des (0, 3, 4)\n",
        "(0, \"a\", 1)\n",
        "(1, i, 2)\n",
        "tau",
        "i",
        "\"a !0\"",
        "(",
        ",",
        ")",
        "\n",
        "\\\"",
    ],
    usual: 120,
    stack: PROGRAM,
};

fn project(input: &[u8]) {
    let text = text(input);
    let (project, found) = swarmcheck_project::read(&text);
    let file = SourceFile::new("swarmcheck.toml", text.to_string());
    for diagnostic in found.into_sorted().iter().take(20) {
        assert!(!render::diagnostic(&file, diagnostic, false).is_empty());
    }
    for model in &project.models {
        drop((model.parameters_text(), model.options_text(), model.limits(&project)));
    }
    drop((project.rows(), swarmcheck_project::rows(&text)));
}

fn journal(input: &[u8]) {
    let Ok(journal) = Journal::read(input) else { return };
    drop(journal.header.differences(&journal.header));
    if let Ok(all) = Collected::new(vec![journal.clone(), journal]) {
        drop(all.missing());
        let table = all.table();
        drop((table.to_csv(), table.to_jsonl()));
    }
}

fn points_of(input: &[u8]) {
    let text = text(input);
    if let Ok(table) = Table::read(&text) {
        drop((table.to_csv(), table.to_jsonl()));
        drop(points::listed(&table));
    }
    // A table that was read as CSV is written so that it is read as the same.
    if let Ok(table) = Table::from_csv(&text)
        && let Ok(again) = Table::from_csv(&table.to_csv())
    {
        assert_eq!(table.to_csv(), again.to_csv());
    }
    let names = ["n".to_string(), "m".to_string()];
    if let Ok(condition) = Condition::read(&text, &names) {
        for values in [[0, 1], [i64::MIN, i64::MAX], [-1, i64::MIN]] {
            drop(condition.holds(&values));
        }
    }
    let axes: Vec<Axis> =
        text.split_whitespace().filter_map(Axis::read).filter_map(Result::ok).take(3).collect();
    let sample = Sample { count: 1 + pick(input, 5, 20), latin: pick(input, 6, 2) == 0, seed: 1 };
    let sample = (pick(input, 7, 3) == 0).then_some(sample);
    // What a command line may ask for is up to ten million points: here they are only made if they are few.
    let size = axes.iter().try_fold(1usize, |size, axis| size.checked_mul(axis.values.len()));
    if size.is_some_and(|size| size < 10_000) {
        let last = text.lines().last().map(str::to_string).filter(|_| pick(input, 8, 2) == 0);
        drop(Space { listed: None, axes, condition: last, sample, seeds: None }.points());
    }
    let line: Vec<boundary::Known<'_>> = text
        .chars()
        .take(30)
        .map(|c| match c {
            'a'..='m' => Some(Some("holds")),
            'n'..='z' => Some(Some("violated")),
            '0'..='9' => Some(None),
            _ => None,
        })
        .collect();
    drop(boundary::wanted(&line, Some(pick(input, 9, 5))));
    let values: Vec<i64> = (0..line.len() as i64).collect();
    drop(boundary::report(&values, &line));
}

fn system(input: &[u8]) {
    let text = text(input);
    let invisible = [Invisible::I, Invisible::IAndTau][pick(input, 10, 2)];
    let Ok(lts) = aut::read(&text, invisible) else { return };
    // Files may say that there are very many states; what is made of them is as large.
    if lts.states() > 100_000 {
        return;
    }
    let stop = |_: u64| is_stopping();
    let equivalences = [Equivalence::Strong, Equivalence::Branching, Equivalence::DivergenceBranching];
    let _ = minimise_unless(&lts, equivalences[pick(input, 11, 3)], &stop);
    let mut out = String::new();
    let _ = dot::write(&mut out, &lts);
    out.clear();
    let _ = aut::write(&mut out, &lts);
    let again = aut::read(&out, invisible).expect("what was written is read");
    assert_eq!((again.states(), again.transitions()), (lts.states(), lts.transitions()));
}
