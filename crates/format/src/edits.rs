//! Changes of lines, for editors: what does not change is not touched, so that cursors and marks stay where they are.

use crate::Formatted;
use std::ops::Range;
use swarmcheck_source::Span;
use swarmcheck_source::fix::Edit;

impl Formatted<'_> {
    /// The changes of lines with these numbers, counted from 0.
    pub(crate) fn edits(&self, wanted: Range<usize>) -> Vec<Edit> {
        let mut out = vec![];
        let mut number = 0;
        for line in &self.lines {
            let own = number..number + line.count;
            number = own.end;
            if own.start >= wanted.end || own.end <= wanted.start {
                continue;
            }
            let mut place = self.mark + line.start..self.mark + line.end;
            let mut old = self.input.get(place.clone()).unwrap_or("");
            if line.count > 1 && line.text.is_none() {
                // Empty lines: only those that are wanted go away.
                let bytes = |lines: usize| old.split_inclusive('\n').take(lines).map(str::len).sum::<usize>();
                let from = bytes(wanted.start.saturating_sub(own.start));
                let to = bytes(wanted.end.min(own.end) - own.start);
                place = place.start + from..place.start + to;
                old = self.input.get(place.clone()).unwrap_or("");
            }
            let mut new = String::new();
            if let Some(text) = &line.text {
                self.write(text, &mut new);
            }
            if old != new {
                out.push(smallest(old, &new, place.start));
            }
        }
        out
    }
}

/// The change of one text into another, without what they begin and end with alike.
fn smallest(old: &str, new: &str, start: usize) -> Edit {
    let alike = |(a, b): &(char, char)| a == b;
    let same = |pairs: &mut dyn Iterator<Item = (char, char)>| -> usize {
        pairs.take_while(alike).map(|(c, _)| c.len_utf8()).sum()
    };
    let first = same(&mut old.chars().zip(new.chars()));
    let (old, new) = (old.get(first..).unwrap_or(""), new.get(first..).unwrap_or(""));
    let last = same(&mut old.chars().rev().zip(new.chars().rev()));
    let text = new.get(..new.len() - last).unwrap_or("").to_string();
    Edit { span: Span::new(start + first, start + first + old.len() - last), text }
}
