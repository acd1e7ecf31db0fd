//! How far the work has come, on standard error: a status line for each property under way, which is taken away again; a line of
//! text now and then; or events for programs.
//!
//! Status lines fit any terminal. They are cut to its width, and wrapping is switched off while they are written, so that a
//! terminal that tells a wrong width, or none, shows one line for each of them, too.

mod estimate;
mod row;

use crate::arguments::ProgressAs;
use crate::terminal::{self, Said};
use row::{Row, cut};
use std::time::{Duration, Instant};
use swarmcheck_session::Event;
use swarmcheck_session::event::ProgressData;

/// Nothing is shown before this.
const FIRST: Duration = Duration::from_secs(1);
/// Status lines are not written more often than this,
const EVERY: Duration = Duration::from_millis(250);
/// and lines that stay not more often than this.
const PLAIN: Duration = Duration::from_secs(5);

/// How progress is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Not at all.
    Silent,
    /// Status lines that are written again and again.
    Status,
    /// A line of text now and then.
    Plain,
    /// Progress events as JSON lines.
    Json,
}

impl Style {
    /// What was asked for. Nobody reads status lines in a file.
    pub fn new(asked: ProgressAs, quiet: bool) -> Style {
        match asked {
            ProgressAs::None => Style::Silent,
            ProgressAs::Plain => Style::Plain,
            ProgressAs::Json => Style::Json,
            ProgressAs::Auto if quiet || !terminal::err_is_terminal() => Style::Silent,
            ProgressAs::Auto => Style::Status,
        }
    }
}

/// One line for each property under way, rewritten in place on a terminal, or written one after the other.
pub struct StatusLines {
    style: Style,
    /// What is counted.
    what: &'static str,
    /// How many there will be at most, if that is known.
    whole: Option<u64>,
    began: Instant,
    last: Option<Instant>,
    /// How many lines are on the terminal.
    shown: usize,
    /// Questions, and how many of them are decided.
    decided: (usize, usize),
    rows: Vec<Row>,
}

impl StatusLines {
    /// Lines that count these.
    pub fn new(style: Style, what: &'static str, whole: Option<u64>) -> StatusLines {
        let (began, decided) = (Instant::now(), (0, 0));
        StatusLines { style, what, whole, began, last: None, shown: 0, decided, rows: vec![] }
    }

    /// How many questions of how many are decided, where events are about a part of them.
    pub fn counts(&mut self, decided: usize, all: usize) {
        self.decided = (decided, all);
    }

    /// Hears what happens, and shows it if it is time.
    pub fn hear(&mut self, event: &Event) {
        if self.style == Style::Silent {
            return;
        }
        match event {
            Event::Questions { names, .. } => self.decided.1 = self.decided.1.max(names.len()),
            Event::Started { question, engine } => self.row(Some(question)).starts(engine),
            Event::Stopped { question, engine } => {
                if let Some(row) = self.rows.iter_mut().find(|row| row.question.as_ref() == Some(question)) {
                    row.stops(engine);
                }
            }
            Event::Answer(answer) => {
                self.decided.0 += 1;
                self.rows.retain(|row| row.question.as_ref() != Some(&answer.name));
            }
            Event::Progress(progress) => self.progress(progress),
            _ => {}
        }
        self.tick();
    }

    fn row(&mut self, question: Option<&String>) -> &mut Row {
        let at = self.rows.iter().position(|row| row.question.as_ref() == question);
        let at = at.unwrap_or_else(|| {
            self.rows.push(Row::new(question.cloned()));
            self.rows.len() - 1
        });
        &mut self.rows[at]
    }

    fn progress(&mut self, progress: &ProgressData) {
        let whole = self.whole;
        let row = self.row(progress.question.as_ref());
        row.tell(progress, whole);
        let remaining = row.remaining();
        if self.style == Style::Json
            && let Ok(mut event) = serde_json::to_value(Event::Progress(progress.clone()))
        {
            event["remaining"] = remaining.into();
            terminal::err(&format!("{event}\n"), Said::Json);
        }
    }

    /// Shows what is known, if it is time: an engine may be silent for long.
    pub fn tick(&mut self) {
        if !matches!(self.style, Style::Status | Style::Plain) {
            return;
        }
        let every = if self.style == Style::Plain { PLAIN } else { EVERY };
        if self.began.elapsed() < FIRST || self.last.is_some_and(|last| last.elapsed() < every) {
            return;
        }
        self.last = Some(Instant::now());
        let lines = self.lines(self.began.elapsed().as_secs_f64());
        match self.style {
            Style::Plain => {
                lines
                    .iter()
                    .for_each(|line| terminal::err(&format!("{}\n", terminal::status(line)), Said::Words));
            }
            _ => self.draw(&lines),
        }
    }

    /// What is to be said, one line for each question under way.
    fn lines(&self, elapsed: f64) -> Vec<String> {
        let mut lines = vec![];
        if self.decided.1 > 1 {
            lines.push(format!("{} of {} decided, {}", self.decided.0, self.decided.1, row::time(elapsed)));
        }
        lines.extend(
            self.rows.iter().filter(|row| row.is_under_way()).map(|row| row.words(self.what, elapsed)),
        );
        lines
    }

    fn draw(&mut self, lines: &[String]) {
        if lines.is_empty() {
            return self.clear();
        }
        let (width, height) = size();
        let lines = &lines[..lines.len().min(height.saturating_sub(1).max(1))];
        let lines: Vec<_> = lines.iter().map(|line| terminal::status(line)).collect();
        let lines: Vec<&str> = lines.iter().map(|line| cut(line, width.saturating_sub(1))).collect();
        // Wrapping is off meanwhile.
        terminal::draw(&(self.erase() + "\x1b[?7l"), &lines, "\x1b[?7h");
        self.shown = lines.len();
    }

    /// From the last line back to the first, and everything from there on is gone.
    fn erase(&self) -> String {
        match self.shown {
            0 => String::new(),
            lines => format!("\r{}\x1b[J", "\x1b[A".repeat(lines - 1)),
        }
    }

    /// Shows status lines no more: standard output is on the same terminal, and a line of it may not be complete.
    pub fn give_way(&mut self) {
        self.clear();
        if self.style == Style::Status && terminal::out_is_terminal() {
            self.style = Style::Silent;
        }
    }

    /// Takes the lines away.
    pub fn clear(&mut self) {
        let erased = self.erase();
        self.shown = 0;
        if !erased.is_empty() {
            terminal::draw(&erased, &[], "");
        }
    }
}

impl Drop for StatusLines {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Columns and rows of the terminal. Some do not tell; `COLUMNS` may.
fn size() -> (usize, usize) {
    let (width, height) = terminal::size().unwrap_or_default();
    let columns = || std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let width = if width > 0 { width } else { columns().unwrap_or(80) };
    (width, if height > 0 { height } else { 24 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use swarmcheck_session::{Answer, Reason};

    fn lines_of(events: Vec<Event>) -> Vec<String> {
        let mut lines = StatusLines::new(Style::Status, "states", None);
        // Nothing is drawn within the first second: the test looks at what would be.
        events.iter().for_each(|event| lines.hear(event));
        lines.lines(3.0)
    }

    fn started(question: &str, engine: &str) -> Event {
        Event::Started { question: question.to_string(), engine: engine.to_string() }
    }

    #[test]
    fn every_question_under_way_has_a_line() {
        let names = ["P", "Q", "R"].map(str::to_string).to_vec();
        let events = vec![
            Event::Questions { names, places: vec![] },
            started("P", "explicit"),
            started("Q", "explicit"),
            started("Q", "bdd"),
            started("R", "bmc"),
            Event::Stopped { question: "R".to_string(), engine: "bmc".to_string() },
            Event::Answer(Box::new(Answer::open("P", "", Reason::Memory))),
        ];
        assert_eq!(lines_of(events), ["1 of 3 decided, 3 s", "Q, bdd and explicit, 3 s"]);
    }

    #[test]
    fn one_question_needs_no_count() {
        let events = vec![
            Event::Questions { names: vec!["P".to_string()], places: vec![] },
            Event::Progress(ProgressData { done: 7, elapsed: 3.0, ..ProgressData::default() }),
        ];
        assert_eq!(lines_of(events), ["3 s, 7 states, 2/s"]);
    }
}
