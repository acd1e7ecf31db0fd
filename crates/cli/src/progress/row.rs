//! One status line: a question, who is at work on it, and the numbers.

use super::estimate::Estimate;
use std::collections::BTreeSet;
use swarmcheck_session::event::ProgressData;
use unicode_width::UnicodeWidthChar;

/// What is known of a question under way; of a command without questions there is one.
pub struct Row {
    /// Its name.
    pub question: Option<String>,
    engines: BTreeSet<String>,
    last: Option<ProgressData>,
    estimate: Estimate,
}

impl Row {
    pub fn new(question: Option<String>) -> Row {
        Row { question, engines: BTreeSet::new(), last: None, estimate: Estimate::default() }
    }

    pub fn starts(&mut self, engine: &str) {
        self.engines.insert(engine.to_string());
    }

    pub fn stops(&mut self, engine: &str) {
        self.engines.remove(engine);
    }

    /// Somebody is at work.
    pub fn is_under_way(&self) -> bool {
        self.question.is_none() || !self.engines.is_empty()
    }

    pub fn tell(&mut self, progress: &ProgressData, whole: Option<u64>) {
        let same = |last: &ProgressData| last.engine == progress.engine && last.phase == progress.phase;
        if !self.last.as_ref().is_none_or(same) {
            self.estimate = Estimate::default();
        }
        self.estimate.tell(progress.elapsed, progress.done, progress.waiting, whole);
        if let Some(engine) = &progress.engine {
            self.engines.insert(engine.clone());
        }
        self.last = Some(progress.clone());
    }

    /// The seconds that are left, if that can be said.
    pub fn remaining(&self) -> Option<f64> {
        self.estimate.remaining()
    }

    /// What is most important comes first, because narrow terminals cut the rest off.
    pub fn words(&self, what: &str, elapsed: f64) -> String {
        let mut parts: Vec<String> = self.question.iter().cloned().collect();
        let Some(last) = &self.last else {
            parts.extend(list(&self.engines));
            parts.push(time(elapsed));
            return parts.join(", ");
        };
        parts.extend(last.engine.clone().or_else(|| list(&self.engines)));
        // Commands without phases tell none, which is the first one.
        if last.done == 0 || last.phase != Default::default() {
            parts.push(phase(last));
        }
        parts.push(time(elapsed));
        if let Some(seconds) = self.remaining() {
            parts.push(format!("about {} left", time(seconds)));
        }
        if last.done > 0 {
            parts.push(format!("{} {what}", last.done));
        }
        if last.depth > 0 {
            // The depth of IC3 is the number of its frames.
            let depth = if last.engine.as_deref() == Some("ic3") { "frame" } else { "depth" };
            parts.push(format!("{depth} {}", last.depth));
        }
        if let Some(rate) = self.estimate.rate().filter(|rate| *rate >= 1.0) {
            parts.push(format!("{rate:.0}/s"));
        }
        if last.waiting > 0 {
            parts.push(format!("{} waiting", last.waiting));
        }
        if last.memory > 0 {
            parts.push(format!("{} MB", last.memory / 1_000_000));
        }
        parts.join(", ")
    }
}

fn list(engines: &BTreeSet<String>) -> Option<String> {
    (!engines.is_empty()).then(|| engines.iter().map(String::as_str).collect::<Vec<_>>().join(" and "))
}

fn phase(progress: &ProgressData) -> String {
    // The words of the phases are those of the events.
    serde_json::to_value(progress.phase).ok().and_then(|w| w.as_str().map(str::to_string)).unwrap_or_default()
}

/// Seconds as people read them.
pub fn time(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match whole {
        0..120 => format!("{whole} s"),
        120..7200 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole / 60 % 60),
    }
}

/// As much of a line as fits into this many columns.
pub fn cut(line: &str, columns: usize) -> &str {
    let mut used = 0;
    for (at, c) in line.char_indices() {
        used += c.width().unwrap_or(0);
        if used > columns {
            return &line[..at];
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_most_comes_first() {
        let mut row = Row::new(Some("Agreed".to_string()));
        let progress = ProgressData {
            engine: Some("ic3".to_string()),
            depth: 7,
            elapsed: 200.0,
            memory: 5_000_000,
            ..ProgressData::default()
        };
        row.tell(&progress, None);
        assert_eq!(row.words("states", 200.0), "Agreed, ic3, preparing, 3 min 20 s, frame 7, 5 MB");
    }

    #[test]
    fn rates_and_estimates_are_of_the_last_seconds() {
        let mut row = Row::new(None);
        for (elapsed, done, waiting) in [(0.0, 0, 400), (2.0, 500, 300)] {
            row.tell(&ProgressData { elapsed, done, waiting, depth: 3, ..ProgressData::default() }, None);
        }
        let expected = "2 s, about 6 s left, 500 states, depth 3, 250/s, 300 waiting";
        assert_eq!(row.words("states", 2.0), expected);
    }

    #[test]
    fn lines_are_cut_by_columns_and_not_by_characters() {
        assert_eq!(cut("abc", 2), "ab");
        assert_eq!(cut("abc", 3), "abc");
        // Each of these takes two columns.
        assert_eq!(cut("群れ", 3), "群");
        assert_eq!(cut("群れ", 0), "");
    }
}
