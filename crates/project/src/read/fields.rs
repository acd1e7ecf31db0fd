//! A table of which some keys are known: values of the right type, and complaints about everything else.

use crate::{Placed, codes};
use std::cell::RefCell;
use std::ops::Range;
use swarmcheck_source::suggest::nearest;
use swarmcheck_source::{Diagnostic, Diagnostics, Fix, Span};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value of a file with its place.
pub type Value<'t> = &'t Spanned<DeValue<'t>>;

/// The text that is read, and everything that is wrong with it.
pub struct File<'t> {
    text: &'t str,
    found: RefCell<Diagnostics>,
}

impl<'t> File<'t> {
    pub fn new(text: &'t str) -> File<'t> {
        File { text, found: RefCell::default() }
    }

    pub fn push(&self, diagnostic: Diagnostic) {
        self.found.borrow_mut().push(diagnostic);
    }

    pub fn finish(self) -> Diagnostics {
        self.found.into_inner()
    }

    /// The place of a range of bytes, within the text whatever is said.
    pub fn span(&self, range: Range<usize>) -> Span {
        let start = range.start.min(self.text.len());
        Span::new(start, range.end.clamp(start, self.text.len()))
    }

    /// Something at the place of something else.
    pub fn place<T, U>(&self, at: &Spanned<T>, value: U) -> Placed<U> {
        Placed { value, span: self.span(at.span()) }
    }

    pub fn wrong_type(&self, value: Value<'_>, name: &str, wanted: &str) {
        let found = match value.get_ref() {
            DeValue::String(_) => "a string",
            DeValue::Integer(_) => "a whole number",
            DeValue::Float(_) => "a number",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        let message = format!("`{name}` must be {wanted}, not {found}");
        self.push(Diagnostic::error(codes::TYPE, self.span(value.span()), message));
    }

    /// A whole number of 64 bits.
    pub fn whole(&self, value: Value<'_>, name: &str) -> Option<Placed<i64>> {
        let Some(integer) = value.get_ref().as_integer() else {
            self.wrong_type(value, name, "a whole number");
            return None;
        };
        let digits = integer.as_str().replace('_', "");
        match i64::from_str_radix(&digits, integer.radix()) {
            Ok(number) => Some(self.place(value, number)),
            Err(_) => {
                let message = format!("`{name}` does not fit 64 bits");
                self.push(Diagnostic::error(codes::TYPE, self.span(value.span()), message));
                None
            }
        }
    }
}

/// A table and its place.
pub struct Fields<'t> {
    file: &'t File<'t>,
    table: &'t DeTable<'t>,
    place: Span,
    what: &'static str,
}

impl<'t> Fields<'t> {
    /// A table; keys that are not known are wrong.
    pub fn new(
        file: &'t File<'t>,
        table: &'t DeTable<'t>,
        place: Span,
        what: &'static str,
        known: &[&str],
    ) -> Fields<'t> {
        for (key, _) in table.iter().filter(|(key, _)| !known.contains(&key.get_ref().as_ref())) {
            let name = key.get_ref().as_ref();
            // Who knows the command line writes its words.
            let near = match name {
                "models" => Some("model"),
                "property" => known.contains(&"properties").then_some("properties"),
                "verdict" | "expected" => known.contains(&"expect").then_some("expect"),
                "timeout" => known.contains(&"time").then_some("time"),
                name => nearest(&name.replace('_', "-"), known.iter().copied())
                    .or(known.iter().find(|known| **known == name.replace('_', "-")).copied()),
            };
            let near = near.filter(|near| known.contains(near));
            let place = file.span(key.span());
            // A key that is there already cannot be written twice.
            let free = near.filter(|near| table.get(*near).is_none());
            let fix = free.map(|near| Fix::replace(place, near, format!("replace it by `{near}`")));
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("{what} has: {}", known.join(", ")),
            };
            let message = format!("{what} has no key `{name}`");
            file.push(Diagnostic::error(codes::KEY, place, message).help(help).fix_if(fix));
        }
        Fields { file, table, place, what }
    }

    /// A value that must be a table of these keys.
    pub fn of(
        file: &'t File<'t>,
        value: Value<'t>,
        what: &'static str,
        known: &[&str],
    ) -> Option<Fields<'t>> {
        match value.get_ref().as_table() {
            Some(table) => Some(Fields::new(file, table, file.span(value.span()), what, known)),
            None => {
                file.wrong_type(value, what, "a table");
                None
            }
        }
    }

    pub fn place(&self) -> Span {
        self.place
    }

    pub fn value(&self, name: &str) -> Option<Value<'t>> {
        self.table.get(name)
    }

    pub fn has(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    /// Complains that a key is not there, which says how it could look.
    pub fn missing(&self, name: &str, help: &str) {
        let message = format!("{} needs the key `{name}`", self.what);
        self.file.push(Diagnostic::error(codes::MISSING, self.place, message).help(help));
    }

    pub fn string(&self, name: &str) -> Option<Placed<String>> {
        let value = self.value(name)?;
        match value.get_ref().as_str() {
            Some(text) => Some(self.file.place(value, text.to_string())),
            None => {
                self.file.wrong_type(value, name, "a string");
                None
            }
        }
    }

    /// One of these words.
    pub fn word(&self, name: &str, words: &[&str]) -> Option<String> {
        let text = self.string(name)?;
        if words.contains(&text.value.as_str()) {
            return Some(text.value);
        }
        let message = format!("`{}` is no value of `{name}`", text.value);
        let near = nearest(&text.value, words.iter().copied());
        let fix = near
            .map(|near| Fix::replace(text.span, format!("\"{near}\""), format!("replace it by `{near}`")));
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("one of: {}", words.join(", ")),
        };
        self.file.push(Diagnostic::error(codes::WORD, text.span, message).help(help).fix_if(fix));
        None
    }

    /// Whether something is on; it is not if nothing is said.
    pub fn boolean(&self, name: &str) -> bool {
        let Some(value) = self.value(name) else { return false };
        value.get_ref().as_bool().unwrap_or_else(|| {
            self.file.wrong_type(value, name, "true or false");
            false
        })
    }

    pub fn integer(&self, name: &str) -> Option<Placed<i64>> {
        self.file.whole(self.value(name)?, name)
    }

    /// A whole number that is not negative.
    pub fn count(&self, name: &str) -> Option<Placed<u64>> {
        let number = self.integer(name)?;
        match u64::try_from(number.value) {
            Ok(value) => Some(Placed { value, span: number.span }),
            Err(_) => {
                let message = format!("`{name}` must not be negative");
                self.file.push(Diagnostic::error(codes::TYPE, number.span, message));
                None
            }
        }
    }

    /// Any number.
    pub fn number(&self, name: &str) -> Option<Placed<f64>> {
        let value = self.value(name)?;
        let text = match value.get_ref() {
            DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str(),
            DeValue::Float(float) => float.as_str(),
            _ => {
                self.file.wrong_type(value, name, "a number");
                return None;
            }
        };
        let number = text.replace('_', "").parse().unwrap_or(f64::NAN);
        Some(self.file.place(value, number))
    }

    /// The elements of a list; none if there is none.
    pub fn array(&self, name: &str) -> Vec<Value<'t>> {
        let Some(value) = self.value(name) else { return vec![] };
        match value.get_ref().as_array() {
            Some(array) => array.iter().collect(),
            None => {
                self.file.wrong_type(value, name, "a list of tables");
                vec![]
            }
        }
    }
}
