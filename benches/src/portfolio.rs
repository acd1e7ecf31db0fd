//! The race beside each engine alone: who decides, and how long it takes on the clock.

use crate::checker::{Answer, Checker};
use crate::figures::short;
use crate::report::{Match, judge, line};
use crate::tables::Row;

/// The race may take this many times as long as the fastest engine, and this many seconds more.
pub const FACTOR: f64 = 1.5;
/// See [`FACTOR`].
pub const EXTRA: f64 = 1.0;

/// What everybody says about a row: the race first, then the engines.
pub struct Entry {
    /// The row.
    pub row: Row,
    /// The answer of the race.
    pub race: Answer,
    /// The answers of the engines, in the order of their names.
    pub alone: Vec<Answer>,
}

/// Asks everybody.
pub fn ask(checker: &Checker, row: &Row, engines: &[&str]) -> Entry {
    let one = |engine: &str| {
        let options = format!("{} --engine {engine}", row.options);
        checker.ask(&row.file, &row.parameters, &options, &row.property)
    };
    Entry { row: row.clone(), race: one("auto"), alone: engines.iter().map(|engine| one(engine)).collect() }
}

fn decided(answer: &Answer) -> bool {
    answer.verdict != "unknown" && answer.verdict != "failed"
}

impl Entry {
    /// The seconds of the fastest engine with an answer.
    pub fn best(&self) -> Option<f64> {
        let seconds = self.alone.iter().filter(|a| decided(a)).map(|a| a.cost.wall);
        seconds.min_by(f64::total_cmp)
    }

    /// What is wrong, if anything: a verdict, an answer that only an engine alone has, or the time.
    pub fn complaint(&self) -> Option<String> {
        for answer in self.alone.iter().chain([&self.race]) {
            if let Match::Wrong(why) = judge(&self.row, answer, false) {
                return Some(format!("{}: {why}", answer.verdict));
            }
        }
        let best = self.best()?;
        if !decided(&self.race) {
            return Some(format!("an engine alone decides it, the race does not: {}", self.race.evidence));
        }
        let (wall, most) = (self.race.cost.wall, FACTOR * best + EXTRA);
        (wall > most).then(|| format!("{} s, must be at most {} s", short(wall), short(most)))
    }

    fn line(&self) -> String {
        let time = |a: &Answer| if decided(a) { short(a.cost.wall) } else { "-".to_string() };
        let parameters = format!("{} {}", self.row.parameters, self.row.options);
        let mut cells = vec![self.row.file.clone(), parameters.trim().to_string(), self.row.property.clone()];
        cells.push(self.race.verdict.clone());
        cells.extend(self.alone.iter().map(time));
        cells.push(time(&self.race));
        cells.push(self.race.engine.clone());
        let ratio = self.best().map(|best| self.race.cost.wall / best);
        cells.push(ratio.map_or("-".to_string(), |ratio| format!("{ratio:.2}")));
        let within = self.complaint().is_none();
        cells.push(if within { "yes" } else { "**no**" }.to_string());
        line(cells)
    }
}

/// The answers as Markdown.
pub fn table(entries: &[Entry], engines: &[&str]) -> String {
    let words = |list: &[&str]| list.iter().map(|w| w.to_string()).collect::<Vec<String>>();
    let mut head = words(&["model", "parameters and options", "property", "verdict"]);
    head.extend(words(engines));
    head.extend(words(&["race", "won by", "race / best", "within the limit"]));
    let rule = head.iter().map(|_| "---".to_string()).collect();
    let rows: String = entries.iter().map(Entry::line).collect();
    line(head) + &line(rule) + &rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measured::Cost;

    fn said(verdict: &str, wall: f64) -> Answer {
        let cost = Cost { wall, ..Cost::default() };
        Answer { verdict: verdict.to_string(), cost, ..Answer::default() }
    }

    fn entry(race: Answer, alone: Vec<Answer>) -> Entry {
        let row = Row { verdict: "holds".to_string(), ..Row::default() };
        Entry { row, race, alone }
    }

    /// 1.5 times 2 seconds and one more are 4.
    #[test]
    fn slow_races_are_told() {
        let alone = || vec![said("holds", 2.0), said("unknown", 0.1), said("holds", 9.0)];
        assert!(entry(said("holds", 3.9), alone()).complaint().is_none());
        assert!(entry(said("holds", 4.1), alone()).complaint().is_some());
        assert!(entry(said("unknown", 1.0), alone()).complaint().is_some());
        assert!(entry(said("violated", 1.0), alone()).complaint().is_some());
        // If nobody decides it, the race need not.
        assert!(entry(said("unknown", 60.0), vec![said("unknown", 60.0)]).complaint().is_none());
    }
}
