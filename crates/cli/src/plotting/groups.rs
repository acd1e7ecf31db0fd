//! Rows of a table that belong to the same place of a plot, as one value with an interval, and in words what was done.

use super::columns::{Columns, number, verdict};
use std::collections::BTreeSet;
use swarmcheck_session::plot::PhaseVerdict;
use swarmcheck_session::statistics::clopper_pearson;
use swarmcheck_session::statistics::mean::Moments;

/// The confidence of intervals that are made here.
const CONFIDENCE: f64 = 0.95;

/// A value with an interval.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Value {
    pub value: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub infinite: bool,
}

/// What is drawn at a place, and where it comes from.
pub struct Groups<'c, 't> {
    columns: &'c Columns<'t>,
    column: usize,
    is_verdicts: bool,
    /// The columns of the ends of intervals.
    ends: (Option<usize>, Option<usize>),
    parameters: Vec<usize>,
    /// What was done, for the notes.
    done: BTreeSet<Done>,
    /// Rows without a value.
    lost: usize,
}

/// How several rows became one value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Done {
    /// There was one row, with an interval of its own.
    Given,
    /// The mean over seeds, with Student's interval.
    Student,
    /// The share of rows that hold, over seeds.
    Share,
    /// The share of rows that hold, without an interval.
    PlainShare,
    /// The mean of rows that differ in these columns, from the least to the greatest.
    Range(Vec<String>),
}

impl<'c, 't> Groups<'c, 't> {
    pub fn new(columns: &'c Columns<'t>, column: usize) -> Groups<'c, 't> {
        Groups {
            columns,
            column,
            is_verdicts: columns.is_verdicts(column),
            ends: columns.ends(column),
            parameters: columns.parameters(),
            done: BTreeSet::new(),
            lost: 0,
        }
    }

    /// The rows of one place.
    pub fn value(&mut self, rows: &[usize]) -> Value {
        if self.is_verdicts {
            return self.share(rows);
        }
        let cell = |row: usize, column: usize| self.columns.table.rows[row].get(column).and_then(number);
        let values: Vec<f64> = rows.iter().filter_map(|row| cell(*row, self.column)).collect();
        let (low, high) = self.ends;
        self.lost += rows.len() - values.len();
        if values.is_empty() {
            // An estimate without a value may still have one end.
            let only = |column: Option<usize>| match rows {
                [row] => column.and_then(|column| cell(*row, column)).filter(|value| value.is_finite()),
                _ => None,
            };
            return Value { low: only(low), high: only(high), ..Value::default() };
        }
        if values.iter().any(|value| value.is_infinite()) {
            return Value { infinite: true, ..Value::default() };
        }
        if let ([row], [value]) = (rows, &values[..]) {
            let end = |column: Option<usize>| {
                column.and_then(|column| cell(*row, column)).filter(|value| value.is_finite())
            };
            let (low, high) = (end(low), end(high));
            if low.is_some() || high.is_some() {
                self.done.insert(Done::Given);
            }
            return Value { value: Some(*value), low, high, infinite: false };
        }
        let mut moments = Moments::new();
        values.iter().for_each(|value| moments.push(*value));
        let others = self.differing(rows);
        let (low, high) = if others.is_empty() {
            self.done.insert(Done::Student);
            let interval = moments.student(CONFIDENCE);
            // The mean of shares is a share.
            let is_share = values.iter().all(|value| (0.0..=1.0).contains(value));
            let limits = if is_share { (0.0, 1.0) } else { (f64::NEG_INFINITY, f64::INFINITY) };
            (interval.low.max(limits.0), interval.high.min(limits.1))
        } else {
            self.done.insert(Done::Range(others));
            (moments.least().unwrap_or(f64::NAN), moments.greatest().unwrap_or(f64::NAN))
        };
        let finite = |value: f64| value.is_finite().then_some(value);
        Value { value: moments.mean(), low: finite(low), high: finite(high), infinite: false }
    }

    /// Parameters in which rows of one place differ. Without any, they differ in their seeds.
    fn differing(&self, rows: &[usize]) -> Vec<String> {
        let Some((first, rest)) = rows.split_first() else { return vec![] };
        let row = |row: &usize| &self.columns.table.rows[*row];
        let differs =
            |column: &usize| rest.iter().any(|other| row(other).get(*column) != row(first).get(*column));
        let differing = self.parameters.iter().filter(|column| differs(column));
        differing.map(|column| self.columns.name(*column).to_string()).collect()
    }

    /// How many rows hold.
    fn share(&mut self, rows: &[usize]) -> Value {
        let verdicts: Vec<PhaseVerdict> = rows.iter().map(|row| self.verdict_of(*row)).collect();
        let count =
            |wanted: PhaseVerdict| verdicts.iter().filter(|verdict| **verdict == wanted).count() as u64;
        let (holds, all) = (count(PhaseVerdict::Holds), verdicts.len() as u64);
        let undecided = all - holds - count(PhaseVerdict::Violated);
        let others = self.differing(rows);
        let has_seeds = others.is_empty() && rows.len() > 1;
        let share = (undecided == 0).then(|| holds as f64 / all.max(1) as f64);
        if !has_seeds {
            self.done.insert(if others.is_empty() { Done::PlainShare } else { Done::Range(others) });
            let ends = (holds as f64 / all.max(1) as f64, (holds + undecided) as f64 / all.max(1) as f64);
            let ends = if undecided > 0 { (Some(ends.0), Some(ends.1)) } else { (None, None) };
            return Value { value: share, low: ends.0, high: ends.1, infinite: false };
        }
        self.done.insert(Done::Share);
        let interval = clopper_pearson(holds, undecided, all, CONFIDENCE);
        Value { value: share, low: Some(interval.low), high: Some(interval.high), infinite: false }
    }

    fn verdict_of(&self, row: usize) -> PhaseVerdict {
        let cell = self.columns.table.rows[row].get(self.column);
        cell.and_then(|cell| verdict(cell.shown())).unwrap_or(PhaseVerdict::Failed)
    }

    /// The verdict of the rows of one place, and more about it.
    pub fn verdict(&mut self, rows: &[usize]) -> (PhaseVerdict, String) {
        let verdicts: Vec<PhaseVerdict> = rows.iter().map(|row| self.verdict_of(*row)).collect();
        match verdicts.split_first() {
            None => (PhaseVerdict::Failed, String::new()),
            Some((first, rest)) if rest.iter().all(|verdict| verdict == first) => {
                (*first, if rest.is_empty() { String::new() } else { format!("{} rows", verdicts.len()) })
            }
            Some(_) => {
                let count =
                    |wanted: &PhaseVerdict| verdicts.iter().filter(|verdict| *verdict == wanted).count();
                let parts: Vec<String> = PhaseVerdict::ALL
                    .iter()
                    .filter(|verdict| count(verdict) > 0)
                    .map(|verdict| format!("{} {}", count(verdict), verdict.word()))
                    .collect();
                (PhaseVerdict::Mixed, parts.join(", "))
            }
        }
    }

    /// What was done, in sentences.
    pub fn notes(&self) -> Vec<String> {
        let percent = CONFIDENCE * 100.0;
        let mut notes: Vec<String> = vec![];
        let mut differing: BTreeSet<&str> = BTreeSet::new();
        for done in &self.done {
            match done {
                Done::Given => notes.push("Bands are the intervals of the table.".to_string()),
                Done::Student => notes.push(format!(
                    "Values are means over seeds; bands are {percent} % intervals for the mean (Student)."
                )),
                Done::Share => notes.push(format!(
                    "Values are the shares of seeds for which it holds; bands are {percent} % intervals (Clopper and Pearson)."
                )),
                Done::PlainShare => notes.push("1: it holds; 0: it is violated.".to_string()),
                Done::Range(names) => differing.extend(names.iter().map(String::as_str)),
            }
        }
        if !differing.is_empty() {
            let names: Vec<&str> = differing.into_iter().collect();
            notes.push(format!(
                "Values are means over rows that differ in {}; bands go from the least to the greatest value.",
                names.join(", ")
            ));
        }
        if self.lost > 0 {
            let rows =
                if self.lost == 1 { "1 row has".to_string() } else { format!("{} rows have", self.lost) };
            notes.push(format!("{rows} no value."));
        }
        notes
    }
}
