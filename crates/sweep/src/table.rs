//! Tables of results: named columns, a row for each point; read and written as CSV (RFC 4180) and as JSON lines.
//!
//! Both formats keep a table exactly: what is written and read again is equal, cell by cell. CSV has no types, so two rules
//! make it so. A cell without quotes that JSON would call a number is a number, and keeps its digits as they were written. A
//! cell in quotes is text, and text that would look like a number or like nothing is written in quotes. An empty cell
//! without quotes is [`Cell::Empty`], in JSON `null`.

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::fmt;

/// Named columns and rows of cells. Every row has as many cells as there are columns.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    /// The names, from left to right; no two are equal.
    pub columns: Vec<String>,
    /// The rows, from top to bottom.
    pub rows: Vec<Vec<Cell>>,
}

/// One value of a table.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// There is no value.
    Empty,
    /// A number, and its digits as they were written: `1.50` stays `1.50`, and a seed of 64 bits keeps all its digits.
    Number(f64, String),
    /// Anything else.
    Text(String),
}

impl Cell {
    /// A number with the fewest digits that give it back; text for what JSON has no number for.
    pub fn number(value: f64) -> Cell {
        match value.is_finite() {
            true => Cell::Number(value, digits(value)),
            false if value.is_nan() => Cell::Text("nan".to_string()),
            false => Cell::Text(if value > 0.0 { "inf" } else { "-inf" }.to_string()),
        }
    }

    /// A whole number, with all its digits.
    pub fn integer(value: impl Into<i128>) -> Cell {
        let value = value.into();
        Cell::Number(value as f64, value.to_string())
    }

    /// Text.
    pub fn text(text: impl Into<String>) -> Cell {
        Cell::Text(text.into())
    }

    /// A number if JSON would call it one, otherwise text; nothing if it is empty.
    pub fn read(text: &str) -> Cell {
        match text {
            "" => Cell::Empty,
            _ => match number(text) {
                Some(value) => Cell::Number(value, text.to_string()),
                None => Cell::Text(text.to_string()),
            },
        }
    }

    /// What a reader sees.
    pub fn shown(&self) -> &str {
        match self {
            Cell::Empty => "",
            Cell::Number(_, text) | Cell::Text(text) => text,
        }
    }

    /// The number, if it is one.
    pub fn value(&self) -> Option<f64> {
        match self {
            Cell::Number(value, _) => Some(*value),
            _ => None,
        }
    }

    fn to_json(&self) -> String {
        match self {
            Cell::Empty => "null".to_string(),
            Cell::Number(_, text) => text.clone(),
            Cell::Text(text) => Value::from(text.as_str()).to_string(),
        }
    }
}

/// The shortest digits that give the number back; whole numbers without a point.
fn digits(value: f64) -> String {
    match value {
        0.0 => "0".to_string(),
        value if value.fract() == 0.0 && value.abs() < 1e15 => format!("{value:.0}"),
        value => Value::from(value).to_string(),
    }
}

/// The value of a text that JSON calls a number.
fn number(text: &str) -> Option<f64> {
    let rest = text.strip_prefix('-').unwrap_or(text);
    let (whole, rest) = rest.split_at(rest.bytes().take_while(u8::is_ascii_digit).count());
    if whole.is_empty() || whole.len() > 1 && whole.starts_with('0') {
        return None;
    }
    let rest = match rest.strip_prefix('.') {
        None => rest,
        Some(rest) => match rest.bytes().take_while(u8::is_ascii_digit).count() {
            0 => return None,
            count => &rest[count..],
        },
    };
    if let Some(power) = rest.strip_prefix(['e', 'E']) {
        let power = power.strip_prefix(['+', '-']).unwrap_or(power);
        if power.is_empty() || !power.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
    } else if !rest.is_empty() {
        return None;
    }
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

/// Why a text is no table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableFault {
    /// The line where the row begins, from 1.
    pub line: usize,
    /// What is wrong there.
    pub kind: TableFaultKind,
}

/// What is wrong with a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TableFaultKind {
    /// There is not even a header.
    NoHeader,
    /// Two columns have this name.
    SameName(String),
    /// A row of another length than the header.
    Cells {
        /// As many as it has.
        found: usize,
        /// As many as the header has.
        wanted: usize,
    },
    /// A quoted cell does not end.
    OpenQuote,
    /// Something follows the quotation mark that ends a cell, or one stands inside a cell without quotes.
    StrayQuote,
    /// A line is no JSON object; the parser says why.
    Json(String),
    /// A value in this column is a list or an object.
    Nested(String),
}

impl fmt::Display for TableFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.kind {
            TableFaultKind::NoHeader => write!(f, "there is no row with the names of the columns"),
            TableFaultKind::SameName(name) => write!(f, "two columns are called {name}"),
            TableFaultKind::Cells { found, wanted } => {
                write!(f, "the row has {found} cells, but there are {wanted} columns")
            }
            TableFaultKind::OpenQuote => write!(f, "a quoted cell does not end"),
            TableFaultKind::StrayQuote => {
                write!(f, "a quotation mark inside a cell must be doubled, and the cell must be in quotes")
            }
            TableFaultKind::Json(why) => write!(f, "this is no JSON object: {why}"),
            TableFaultKind::Nested(name) => {
                write!(f, "the value of {name} is a list or an object, and a cell has neither")
            }
        }
    }
}

impl Table {
    /// A table without rows.
    pub fn new(columns: Vec<String>) -> Table {
        Table { columns, rows: vec![] }
    }

    /// Where a column is.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    /// As CSV: a header, a line feed after every row.
    pub fn to_csv(&self) -> String {
        let mut text = String::new();
        let names: Vec<String> = self.columns.iter().map(|name| quoted_name(name)).collect();
        text += &names.join(",");
        text.push('\n');
        for row in &self.rows {
            text += &csv_row(row);
            text.push('\n');
        }
        text
    }

    /// Reads CSV. Lines may end with a carriage return and a line feed.
    pub fn from_csv(text: &str) -> Result<Table, TableFault> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut records = Records { rest: text, line: 1 };
        let no_header = TableFault { line: 1, kind: TableFaultKind::NoHeader };
        let Some(header) = records.next().transpose()? else { return Err(no_header) };
        let columns: Vec<String> = header.cells.into_iter().map(|cell| cell.text).collect();
        if columns.len() == 1 && columns[0].is_empty() {
            return Err(no_header);
        }
        let mut names = HashSet::new();
        if let Some(name) = columns.iter().find(|name| !names.insert(name.as_str())) {
            return Err(TableFault { line: header.line, kind: TableFaultKind::SameName(name.clone()) });
        }
        let wanted = columns.len();
        let mut rows = vec![];
        for record in records {
            let record = record?;
            let blank = matches!(&record.cells[..], [only] if only.text.is_empty() && !only.quoted);
            // A blank line is a row if there is only one column, and nothing otherwise.
            if blank && wanted > 1 {
                continue;
            }
            let found = record.cells.len();
            if found != wanted {
                return Err(TableFault { line: record.line, kind: TableFaultKind::Cells { found, wanted } });
            }
            rows.push(record.cells.into_iter().map(Field::cell).collect());
        }
        Ok(Table { columns, rows })
    }

    /// As JSON lines: an object for each row, with all columns in their order.
    pub fn to_jsonl(&self) -> String {
        let mut text = String::new();
        for row in &self.rows {
            text += &self.json_row(row);
            text.push('\n');
        }
        text
    }

    /// One row as a JSON object.
    pub fn json_row(&self, row: &[Cell]) -> String {
        let pairs = self.columns.iter().zip(row);
        let pairs: Vec<String> =
            pairs.map(|(name, cell)| format!("{}:{}", Value::from(name.as_str()), cell.to_json())).collect();
        format!("{{{}}}", pairs.join(","))
    }

    /// Reads JSON lines. The columns are all names, in the order in which they first occur; what a row does not name is empty.
    pub fn from_jsonl(text: &str) -> Result<Table, TableFault> {
        let mut table = Table::default();
        let mut places: HashMap<String, usize> = HashMap::new();
        for (at, line) in text.lines().enumerate() {
            let fault = |kind| TableFault { line: at + 1, kind };
            if line.trim().is_empty() {
                continue;
            }
            let Pairs(pairs) =
                serde_json::from_str(line).map_err(|e| fault(TableFaultKind::Json(e.to_string())))?;
            let mut row = vec![Cell::Empty; table.columns.len()];
            let mut named = HashSet::new();
            for (name, value) in pairs {
                let cell = match value {
                    Value::Null => Cell::Empty,
                    Value::Bool(value) => Cell::text(value.to_string()),
                    Value::Number(value) => {
                        let text = value.to_string();
                        Cell::Number(value.as_f64().unwrap_or(f64::NAN), text)
                    }
                    Value::String(text) => Cell::Text(text),
                    Value::Array(_) | Value::Object(_) => return Err(fault(TableFaultKind::Nested(name))),
                };
                let place = *places.entry(name.clone()).or_insert_with(|| {
                    table.columns.push(name.clone());
                    table.columns.len() - 1
                });
                row.resize(table.columns.len(), Cell::Empty);
                row[place] = cell;
                if !named.insert(place) {
                    return Err(fault(TableFaultKind::SameName(name)));
                }
            }
            table.rows.push(row);
        }
        let width = table.columns.len();
        table.rows.iter_mut().for_each(|row| row.resize(width, Cell::Empty));
        Ok(table)
    }

    /// Reads either format: JSON lines begin with a brace.
    pub fn read(text: &str) -> Result<Table, TableFault> {
        match text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
            true => Table::from_jsonl(text),
            false => Table::from_csv(text),
        }
    }
}

/// One row as CSV, without the end of the line.
pub fn csv_row(row: &[Cell]) -> String {
    let cells: Vec<String> = row
        .iter()
        .map(|cell| match cell {
            Cell::Empty => String::new(),
            Cell::Number(_, text) => text.clone(),
            Cell::Text(text) if text.is_empty() || number(text).is_some() => quoted(text),
            Cell::Text(text) => quoted_name(text),
        })
        .collect();
    cells.join(",")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// In quotes only where that is needed.
fn quoted_name(text: &str) -> String {
    match text.is_empty() || text.contains(['"', ',', '\n', '\r', '\u{feff}']) {
        true => quoted(text),
        false => text.to_string(),
    }
}

/// A cell as the file has it.
struct Field {
    text: String,
    quoted: bool,
}

impl Field {
    fn cell(self) -> Cell {
        match self.quoted {
            true => Cell::Text(self.text),
            false => Cell::read(&self.text),
        }
    }
}

struct Record {
    line: usize,
    cells: Vec<Field>,
}

/// The records of a CSV file; quoted cells may contain line breaks.
struct Records<'t> {
    rest: &'t str,
    line: usize,
}

impl Iterator for Records<'_> {
    type Item = Result<Record, TableFault>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let line = self.line;
        let mut cells = vec![];
        loop {
            let (field, more) = match self.field() {
                Ok(found) => found,
                Err(kind) => {
                    self.rest = "";
                    return Some(Err(TableFault { line, kind }));
                }
            };
            cells.push(field);
            if !more {
                return Some(Ok(Record { line, cells }));
            }
        }
    }
}

impl Records<'_> {
    /// The next cell, and whether another one follows in the same row.
    fn field(&mut self) -> Result<(Field, bool), TableFaultKind> {
        let field = match self.rest.strip_prefix('"') {
            Some(inside) => {
                let mut text = String::new();
                let mut rest = inside;
                loop {
                    let end = rest.find('"').ok_or(TableFaultKind::OpenQuote)?;
                    text += &rest[..end];
                    rest = &rest[end + 1..];
                    match rest.strip_prefix('"') {
                        Some(after) => {
                            text.push('"');
                            rest = after;
                        }
                        None => break,
                    }
                }
                self.rest = rest;
                self.line += text.matches('\n').count();
                Field { text, quoted: true }
            }
            None => {
                let end = self.rest.find([',', '\n']).unwrap_or(self.rest.len());
                let end = match self.rest[end..].starts_with('\n') && self.rest[..end].ends_with('\r') {
                    true => end - 1,
                    false => end,
                };
                let text = self.rest[..end].to_string();
                self.rest = &self.rest[end..];
                if text.contains('"') {
                    return Err(TableFaultKind::StrayQuote);
                }
                Field { text, quoted: false }
            }
        };
        for (end, more) in [(",", true), ("\r\n", false), ("\n", false)] {
            if let Some(rest) = self.rest.strip_prefix(end) {
                self.rest = rest;
                self.line += usize::from(!more);
                // A comma at the very end of the file is followed by an empty cell.
                if more && rest.is_empty() {
                    self.rest = "\n";
                }
                return Ok((field, more));
            }
        }
        match self.rest.is_empty() {
            true => Ok((field, false)),
            false => Err(TableFaultKind::StrayQuote),
        }
    }
}

/// The members of an object in the order of the text, also if a name occurs twice.
struct Pairs(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pairs, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Pairs;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
                let mut pairs = vec![];
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

#[cfg(test)]
mod tests;
