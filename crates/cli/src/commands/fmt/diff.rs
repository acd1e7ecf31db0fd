//! What would change, as a unified diff. Every edit is one of whole lines, so nothing has to be searched for.

use swarmcheck_session::request::Source;
use swarmcheck_source::fix::EditData;

/// So many lines stand around a change.
const AROUND: usize = 3;

/// Lines of the old text that change together, and what becomes of them.
struct Change {
    /// The number of the first line, from 0, and of the one behind the last.
    from: usize,
    to: usize,
    new: String,
}

/// The changes of a text, or nothing if there are none.
pub fn unified(source: &Source, edits: &[EditData]) -> String {
    let lines: Vec<&str> = source.text.split_inclusive('\n').collect();
    let changes = changes(&lines, edits);
    let mut out = match changes.is_empty() {
        true => String::new(),
        false => format!("--- {0}\n+++ {0}\n", source.name),
    };
    // How many lines the new text has more than the old one so far.
    let mut moved: isize = 0;
    for hunk in changes.chunk_by(|one, next| next.from - one.to <= 2 * AROUND) {
        let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { continue };
        let from = first.from.saturating_sub(AROUND);
        let to = (last.to + AROUND).min(lines.len());
        let mut body = String::new();
        let (mut at, mut more) = (from, 0);
        for change in hunk {
            show(' ', &lines, at..change.from, &mut body);
            show('-', &lines, change.from..change.to, &mut body);
            for line in change.new.split_inclusive('\n') {
                write('+', line, &mut body);
                more += 1;
            }
            more -= (change.to - change.from) as isize;
            at = change.to;
        }
        show(' ', &lines, at..to, &mut body);
        let old = to - from;
        let new = (old as isize + more) as usize;
        let start = |at: usize, length: usize| if length == 0 { at } else { at + 1 };
        let place = (from as isize + moved) as usize;
        out += &format!("@@ -{},{old} +{},{new} @@\n", start(from, old), start(place, new));
        out += &body;
        moved += more;
    }
    out
}

/// Edits by the lines that they change.
fn changes(lines: &[&str], edits: &[EditData]) -> Vec<Change> {
    let mut out = vec![];
    let mut edits = edits.iter().peekable();
    let (mut at, mut start) = (0, 0);
    while at < lines.len() {
        let from = at;
        let mut end = start + lines[at].len();
        let mut old = lines[at].to_string();
        let mut fix = vec![];
        at += 1;
        while let Some(edit) = edits.next_if(|edit| (edit.start as usize) < end || at == lines.len()) {
            // A comment may go on over several lines.
            while edit.end as usize > end && at < lines.len() {
                end += lines[at].len();
                old += lines[at];
                at += 1;
            }
            fix.push(edit);
        }
        if !fix.is_empty() {
            let mut new = old.clone();
            for edit in fix.iter().rev() {
                new.replace_range(edit.start as usize - start..edit.end as usize - start, &edit.text);
            }
            match out.last_mut().filter(|last: &&mut Change| last.to == from) {
                Some(last) => {
                    last.to = at;
                    last.new += &new;
                }
                None => out.push(Change { from, to: at, new }),
            }
        }
        start = end;
    }
    out
}

fn show(sign: char, lines: &[&str], range: std::ops::Range<usize>, out: &mut String) {
    for line in lines.iter().skip(range.start).take(range.len()) {
        write(sign, line, out);
    }
}

fn write(sign: char, line: &str, out: &mut String) {
    out.push(sign);
    out.push_str(line);
    if !line.ends_with('\n') {
        out.push_str("\n\\ No newline at end of file\n");
    }
}
