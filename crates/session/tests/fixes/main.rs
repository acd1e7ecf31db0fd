//! Every fix of every diagnostic of a corpus is applied: its edits fit, what it mends is gone, and nothing else breaks.

mod corpus;
mod diagnose;

use corpus::Model;
use diagnose::diagnose;
use std::collections::BTreeMap;
use swarmcheck_source::Severity;
use swarmcheck_source::data::DiagnosticData;
use swarmcheck_source::fix::FixData;

/// Where a place is once a fix is made. What is inserted right before it moves it.
fn mapped(fix: &FixData, at: u32) -> i64 {
    let mut place = i64::from(at);
    for edit in &fix.edits {
        if edit.end <= at && (edit.start < at || edit.end == edit.start) {
            place += edit.text.len() as i64 - i64::from(edit.end - edit.start);
        } else if edit.start < at {
            place -= i64::from(at - edit.start);
        }
    }
    place
}

fn errors(found: &[DiagnosticData]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for d in found.iter().filter(|d| d.severity == Severity::Error) {
        *counts.entry(d.code.as_str()).or_default() += 1;
    }
    counts
}

#[derive(Default)]
struct Tally {
    fixes: BTreeMap<String, usize>,
    clean: BTreeMap<String, usize>,
    wrong: Vec<String>,
    introduced: BTreeMap<(String, String), Vec<String>>,
}

impl Tally {
    fn model(&mut self, model: &Model) {
        let before = diagnose(model.language, &model.text);
        for diagnostic in &before {
            for fix in &diagnostic.fixes {
                self.fix(model, &before, diagnostic, fix);
            }
        }
    }

    fn fix(&mut self, model: &Model, before: &[DiagnosticData], diagnostic: &DiagnosticData, fix: &FixData) {
        let code = diagnostic.code.clone();
        let context =
            || format!("{code} {} ({}) `{}`\n{}\n", diagnostic.message, model.from, fix.title, model.text);
        *self.fixes.entry(code.clone()).or_default() += 1;
        let Some(text) = fix.apply(&model.text) else {
            return self.wrong.push(format!("edits do not fit: {}", context()));
        };
        let after = diagnose(model.language, &text);
        let place = mapped(fix, diagnostic.place.start);
        let again = |d: &&DiagnosticData| d.code == code && i64::from(d.place.start) == place;
        if let Some(again) = after.iter().find(again) {
            self.wrong.push(format!("still there: {}{text}\n{}", context(), again.message));
        }
        let (old, new) = (errors(before), errors(&after));
        let mut clean = true;
        for (other, count) in &new {
            if *count > old.get(other).copied().unwrap_or(0) {
                clean = false;
                let said: Vec<&str> =
                    after.iter().filter(|d| d.code == *other).map(|d| d.message.as_str()).collect();
                let list = self.introduced.entry((code.clone(), other.to_string())).or_default();
                list.push(format!("{}---\n{text}\n{}", context(), said.join("\n")));
            }
        }
        *self.clean.entry(code).or_default() += usize::from(clean);
    }
}

#[test]
fn fixes_mend_what_they_are_offered_for() {
    let mut tally = Tally::default();
    let models = corpus::written();
    assert!(models.len() > 1000, "{}", models.len());
    models.iter().for_each(|model| tally.model(model));
    corpus::mutated(12).iter().for_each(|model| tally.model(model));
    println!("{:?}\nclean {:?}", tally.fixes, tally.clean);
    for ((code, other), list) in &tally.introduced {
        println!("INTRODUCED {code} -> {other}: {}", list.len());
        for one in list.iter().take(2) {
            println!("{one}\n=====");
        }
    }
    println!("WRONG {}", tally.wrong.len());
    for one in tally.wrong.iter().take(12) {
        println!("{one}\n=====");
    }
    panic!("look");
}
