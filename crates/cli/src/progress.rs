//! One line on standard error that says how far the work has come. It never wraps, so that it can be taken away again.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};
use swarmcheck_session::event::ProgressData;

/// Nothing is shown before this.
const FIRST: Duration = Duration::from_secs(1);
/// And not more often than this.
const EVERY: Duration = Duration::from_millis(250);

/// The line.
pub struct ProgressLine {
    shown: bool,
    what: &'static str,
    began: Instant,
    last: Option<Instant>,
}

impl ProgressLine {
    /// A line that counts these, on a terminal.
    pub fn new(wanted: bool, what: &'static str) -> ProgressLine {
        let shown = wanted && std::io::stderr().is_terminal();
        ProgressLine { shown, what, began: Instant::now(), last: None }
    }

    /// Shows what was told.
    pub fn show(&mut self, progress: &ProgressData, decided: Option<(usize, usize)>) {
        let late = self.last.is_none_or(|last| last.elapsed() >= EVERY);
        if !self.shown || self.began.elapsed() < FIRST || !late {
            return;
        }
        self.last = Some(Instant::now());
        let width = terminal_size::terminal_size_of(std::io::stderr()).map_or(80, |(w, _)| usize::from(w.0));
        let line: String = line(progress, self.what, decided).chars().take(width.saturating_sub(1)).collect();
        let _ = write!(std::io::stderr(), "\r\x1b[K{line}");
    }

    /// Takes the line away.
    pub fn clear(&mut self) {
        if self.last.take().is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// What is most important comes first, because narrow terminals cut the rest off.
fn line(progress: &ProgressData, what: &str, decided: Option<(usize, usize)>) -> String {
    let mut parts = vec![];
    if let Some((done, all)) = decided {
        parts.push(format!("{done} of {all} decided"));
    }
    parts.extend(progress.question.clone());
    parts.extend(progress.engine.clone());
    parts.push(format!("{:.0} s", progress.elapsed));
    if progress.done > 0 {
        let rate = progress.done as f64 / progress.elapsed.max(1e-3);
        parts.push(format!("{} {what}", progress.done));
        parts.push(format!("{rate:.0} per second"));
    }
    if progress.waiting > 0 {
        parts.push(format!("{} waiting", progress.waiting));
    }
    if progress.depth > 0 {
        parts.push(format!("depth {}", progress.depth));
    }
    if progress.memory > 0 {
        parts.push(format!("{} MB", progress.memory / 1_000_000));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_most_comes_first() {
        let progress = ProgressData {
            question: Some("Agreed".to_string()),
            engine: Some("bmc".to_string()),
            depth: 7,
            elapsed: 2.0,
            ..ProgressData::default()
        };
        assert_eq!(line(&progress, "states", Some((1, 3))), "1 of 3 decided, Agreed, bmc, 2 s, depth 7");
        let states = ProgressData { done: 500, waiting: 3, elapsed: 2.0, ..ProgressData::default() };
        assert_eq!(line(&states, "states", None), "2 s, 500 states, 250 per second, 3 waiting");
    }
}
