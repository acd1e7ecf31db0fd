//! The journal of a sweep: what the sweep is, then one line for each point that is done, in the order in which they ended.
//!
//! It is a file of JSON lines that only grows. Whoever keeps it writes a whole line at once and waits until it is on the disk; so
//! after a crash at most the last line is incomplete, and that one is dropped. Everything else that cannot be read is damage, and
//! is refused with its line: to go on would lose results without saying so.
//!
//! The table is made of the journal only, sorted by the index of the points. It does not depend on the order of the lines, on
//! how often the work was interrupted, nor on who has done which part; times are in the journal and not in the table.

use crate::space::MOST;
use crate::table::{Cell, Table};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashSet};
use std::fmt;

/// The version of the format.
pub const VERSION: u32 = 1;

/// How a journal names itself.
pub const FORMAT: &str = "swarmcheck-sweep-journal";

/// The first line: what the sweep is. Two journals with equal headers, shards left out, are about the same sweep.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// [`FORMAT`].
    pub format: String,
    /// [`VERSION`].
    pub version: u32,
    /// The version of the program.
    pub program: String,
    /// By its name and a checksum of its text: a journal belongs to one model.
    pub model: ModelMark,
    /// What is done at each point, with all options that results may depend on.
    pub work: Value,
    /// The points.
    pub points: PointsMark,
    /// The smallest value of this parameter where a verdict changes is looked for, so not all points need be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boundary: Option<BoundaryMark>,
    /// Seeds of a combination after the first one that violates a property are not needed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub until_violated: bool,
    /// Which part of the points this journal is about: the first of 3 is `[1, 3]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<(usize, usize)>,
}

/// Which model it is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ModelMark {
    /// The name of its file, for messages only.
    pub name: String,
    /// Of its text.
    pub sha256: String,
}

/// Which points there are.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PointsMark {
    /// As the user has written them, for messages only.
    pub written: String,
    /// How many there are.
    pub count: usize,
    /// How many of them have the same values and differ in their seed.
    pub seeds: usize,
    /// Names of the parameters.
    pub parameters: Vec<String>,
    /// Whether points have seeds.
    pub seeded: bool,
    /// Of all of them, in their order.
    pub sha256: String,
}

/// How boundaries are looked for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BoundaryMark {
    /// The parameter.
    pub parameter: String,
    /// How many values are decided on top of those that bisection needs; none: all.
    pub checks: Option<usize>,
}

/// One further line: what came of a point.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// The index of the point.
    pub point: usize,
    /// The values of the parameters.
    pub values: Vec<i64>,
    /// The seed, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Columns with their values; numbers and texts.
    pub result: Vec<(String, Value)>,
    /// Why there is no result, or only a part of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// Some property is violated at this point.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub violated: bool,
    /// How long it took. It is in no table.
    pub seconds: f64,
}

/// Why a point has no result.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Failure {
    /// What kind of reason it is.
    pub kind: FailureKind,
    /// The reason as a sentence.
    pub why: String,
}

/// Kinds of reasons.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The model is wrong for these parameters, or meets an error while it runs.
    Model,
    /// The time for one point was over.
    TimeLimit,
    /// There was no answer within the limits.
    Inconclusive,
    /// The worker was killed, or has failed.
    Failure,
}

impl FailureKind {
    /// Another attempt, on another machine or with more time, may end otherwise.
    pub fn is_worth_another_try(self) -> bool {
        self != FailureKind::Model
    }
}

/// A journal that was read.
#[derive(Clone, PartialEq, Debug)]
pub struct Journal {
    /// What the sweep is.
    pub header: Header,
    /// What is known, by index. Of several lines about one point the last one counts.
    pub entries: BTreeMap<usize, Entry>,
    /// How many bytes are whole lines; what follows them was never finished.
    pub whole: usize,
}

/// Why a text is no journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JournalFault {
    /// It does not even have a first line: the sweep had not begun.
    Empty,
    /// The first line is not that of a journal.
    NoJournal,
    /// It is of another version of the format.
    Version(u32),
    /// This line, from 1, cannot be read.
    Line(usize, String),
    /// This line is about a point that there is not, or with other values.
    Foreign(usize),
}

impl fmt::Display for JournalFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JournalFault::Empty => write!(f, "it is empty"),
            JournalFault::NoJournal => write!(f, "it is no journal of a sweep"),
            JournalFault::Version(version) => {
                write!(
                    f,
                    "it is of version {version} of the format, and this program knows version {VERSION}"
                )
            }
            JournalFault::Line(line, why) => write!(f, "line {line} is damaged: {why}"),
            JournalFault::Foreign(line) => write!(f, "line {line} is about a point of another sweep"),
        }
    }
}

/// The hash of a text, as hexadecimal digits.
pub fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A line as it is written, with its end.
pub fn line(data: &impl Serialize) -> Result<Vec<u8>, String> {
    let mut bytes = serde_json::to_vec(data).map_err(|e| e.to_string())?;
    bytes.push(b'\n');
    Ok(bytes)
}

impl Journal {
    /// Reads a journal. A last line without its end is dropped.
    pub fn read(bytes: &[u8]) -> Result<Journal, JournalFault> {
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let mut lines = bytes[..whole].split_inclusive(|byte| *byte == b'\n').enumerate();
        let Some((_, first)) = lines.next() else { return Err(JournalFault::Empty) };
        let first: Value = serde_json::from_slice(first).map_err(|_| JournalFault::NoJournal)?;
        if first["format"] != FORMAT {
            return Err(JournalFault::NoJournal);
        }
        match first["version"].as_u64() {
            Some(version) if version == u64::from(VERSION) => {}
            version => return Err(JournalFault::Version(version.unwrap_or(0) as u32)),
        }
        let header: Header =
            serde_json::from_value(first).map_err(|e| JournalFault::Line(1, e.to_string()))?;
        if header.points.count > MOST {
            return Err(JournalFault::Line(1, format!("no sweep has more than {MOST} points")));
        }
        let mut journal = Journal { header, entries: BTreeMap::new(), whole };
        for (at, line) in lines {
            let entry: Entry =
                serde_json::from_slice(line).map_err(|e| JournalFault::Line(at + 1, e.to_string()))?;
            if !journal.header.has(&entry) {
                return Err(JournalFault::Foreign(at + 1));
            }
            journal.entries.insert(entry.point, entry);
        }
        Ok(journal)
    }
}

impl Header {
    /// Whether a point can be one of this journal.
    fn has(&self, entry: &Entry) -> bool {
        entry.point < self.points.count
            && entry.values.len() == self.points.parameters.len()
            && entry.seed.is_some() == self.points.seeded
            && self.owns(entry.point)
    }

    /// Whether this part of the work includes the point.
    pub fn owns(&self, point: usize) -> bool {
        self.shard.is_none_or(|(number, of)| point % of.max(1) + 1 == number)
    }

    /// What makes two sweeps different, in words; empty if nothing does. Shards may differ.
    pub fn differences(&self, here: &Header) -> Vec<String> {
        let mut out = vec![];
        if self.model.sha256 != here.model.sha256 {
            match self.model.name == here.model.name {
                true => out.push(format!("the text of {} has changed since then", here.model.name)),
                false => {
                    out.push(format!("the model was {}, and is {} now", self.model.name, here.model.name))
                }
            }
        }
        if self.program != here.program {
            out.push(format!("the program was version {}, and is {} now", self.program, here.program));
        }
        if (self.points.count, &self.points.sha256) != (here.points.count, &here.points.sha256) {
            out.push(format!(
                "there were {} points ({}), and there are {} now ({})",
                self.points.count, self.points.written, here.points.count, here.points.written
            ));
        }
        if self.boundary != here.boundary {
            out.push("--boundary or its checks are others".to_string());
        }
        if self.until_violated != here.until_violated {
            let (then, now) = (self.until_violated, here.until_violated);
            out.push(format!("--until-violated was {}, and is {} now", on(then), on(now)));
        }
        values("", &self.work, &here.work, &mut out);
        out
    }
}

fn on(is: bool) -> &'static str {
    if is { "on" } else { "off" }
}

/// The parts of two values that differ, each with where it stands.
fn values(place: &str, then: &Value, now: &Value, out: &mut Vec<String>) {
    match (then, now) {
        (Value::Object(a), Value::Object(b)) => {
            let names: Vec<&String> =
                a.keys().chain(b.keys().filter(|name| !a.contains_key(*name))).collect();
            for name in names {
                let inner = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
                let of = |map: &serde_json::Map<String, Value>| map.get(name).cloned().unwrap_or(Value::Null);
                values(&inner, &of(a), &of(b), out);
            }
        }
        (a, b) if a == b => {}
        (a, b) => out.push(format!("{place} was {a}, and is {b} now")),
    }
}

/// What is there of a sweep, put together from its journals.
#[derive(Clone, PartialEq, Debug)]
pub struct Collected {
    /// What the sweep is; of no shard.
    pub header: Header,
    /// What is known, by index.
    pub entries: BTreeMap<usize, Entry>,
}

/// Why journals cannot be put together. Journals are meant by their number.
#[derive(Clone, PartialEq, Debug)]
pub enum CollectFault {
    /// There are none.
    Nothing,
    /// These two are about different sweeps; why is said.
    Different(usize, usize, Vec<String>),
    /// Both have this point, and not with the same result.
    Contradiction(usize, usize, usize),
}

impl Collected {
    /// Puts journals together.
    pub fn new(journals: Vec<Journal>) -> Result<Collected, CollectFault> {
        let mut journals = journals.into_iter().enumerate();
        let Some((_, first)) = journals.next() else { return Err(CollectFault::Nothing) };
        let mut from: BTreeMap<usize, usize> = first.entries.keys().map(|point| (*point, 0)).collect();
        let own = first.header.clone();
        let mut all = Collected { header: Header { shard: None, ..first.header }, entries: first.entries };
        for (number, journal) in journals {
            let differences = own.differences(&journal.header);
            if !differences.is_empty() {
                return Err(CollectFault::Different(0, number, differences));
            }
            for (point, entry) in journal.entries {
                match all.entries.get(&point) {
                    Some(known) if !known.says_the_same(&entry) => {
                        let other = from.get(&point).copied().unwrap_or_default();
                        return Err(CollectFault::Contradiction(point, other, number));
                    }
                    Some(_) => {}
                    None => {
                        from.insert(point, number);
                        all.entries.insert(point, entry);
                    }
                }
            }
        }
        Ok(all)
    }

    /// Points that are needed and not there. With boundaries none is: what was decided is all there is.
    pub fn missing(&self) -> Vec<usize> {
        if self.header.boundary.is_some() {
            return vec![];
        }
        let needed = |point: &usize| !self.entries.contains_key(point) && !self.is_superfluous(*point);
        (0..self.header.points.count).filter(needed).collect()
    }

    /// An earlier seed of the same combination violates a property, and that ends the combination.
    pub fn is_superfluous(&self, point: usize) -> bool {
        let first = point - point % self.header.points.seeds.max(1);
        self.header.until_violated && self.entries.range(first..point).any(|(_, entry)| entry.violated)
    }

    /// The table: parameters, seed, results in the order in which they first occur, and why something failed.
    pub fn table(&self) -> Table {
        let points = &self.header.points;
        let mut columns = points.parameters.clone();
        let fresh = |columns: &[String], name: &str| match columns.iter().any(|column| column == name) {
            true => format!("({name})"),
            false => name.to_string(),
        };
        if points.seeded {
            columns.push(fresh(&columns, "seed"));
        }
        let taken: HashSet<String> = columns.iter().cloned().collect();
        let fixed = columns.len();
        let rows: Vec<&Entry> =
            self.entries.values().filter(|entry| !self.is_superfluous(entry.point)).collect();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for (name, _) in rows.iter().flat_map(|entry| &entry.result) {
            if !places.contains_key(name.as_str()) {
                places.insert(name, columns.len());
                columns.push(if taken.contains(name) { format!("({name})") } else { name.clone() });
            }
        }
        columns.push(fresh(&columns, "error"));
        let mut table = Table::new(columns);
        for entry in rows {
            let mut row = vec![Cell::Empty; table.columns.len()];
            for (at, value) in entry.values.iter().enumerate() {
                row[at] = Cell::integer(*value);
            }
            if let (Some(seed), true) = (entry.seed, points.seeded) {
                row[fixed - 1] = Cell::integer(seed);
            }
            for (name, value) in &entry.result {
                if let Some(at) = places.get(name.as_str()) {
                    row[*at] = cell(value);
                }
            }
            if let (Some(failure), Some(last)) = (&entry.failure, row.last_mut()) {
                *last = Cell::text(failure.why.clone());
            }
            table.rows.push(row);
        }
        table
    }
}

impl Entry {
    /// The same but for the time it took.
    fn says_the_same(&self, other: &Entry) -> bool {
        Entry { seconds: 0.0, ..self.clone() } == Entry { seconds: 0.0, ..other.clone() }
    }
}

/// A value of a result as a cell.
fn cell(value: &Value) -> Cell {
    match value {
        Value::Null => Cell::Empty,
        Value::Number(number) => match number.as_i64() {
            Some(whole) => Cell::integer(whole),
            None => number
                .as_u64()
                .map_or_else(|| Cell::number(number.as_f64().unwrap_or(f64::NAN)), Cell::integer),
        },
        Value::String(text) => Cell::text(text.clone()),
        other => Cell::text(other.to_string()),
    }
}

#[cfg(test)]
mod tests;
