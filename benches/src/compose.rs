//! How large a member of a family an engine decides within a limit, and what that costs.

use crate::checker::{Answer, Checker};
use crate::families::Family;
use crate::figures::{megabytes, short, whole};
use crate::report::{Match, judge, line};
use crate::tables::Row;
use std::path::Path;

/// What an engine does about a family.
#[derive(Debug)]
pub struct Climb {
    /// The family.
    pub family: &'static Family,
    /// The engine.
    pub engine: String,
    /// The largest member that was decided, and the answer.
    pub reached: Option<(usize, Answer)>,
    /// Why no larger one was.
    pub end: End,
}

/// Why an engine stops.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// Larger members are not asked about.
    Most,
    /// The member of this size was not decided.
    Open(usize, String),
    /// The answer about the member of this size is wrong.
    Wrong(usize, String),
}

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct Way<'a> {
    /// The folder for the model texts.
    pub folder: &'a Path,
    /// The largest size.
    pub most: usize,
    /// Whether sizes between the last one decided and the first one not decided are tried, too.
    pub fine: bool,
}

/// Asks an engine about larger and larger members.
pub fn climb(
    checker: &Checker,
    family: &'static Family,
    engine: &str,
    way: Way<'_>,
) -> Result<Climb, String> {
    climb_with(family, engine, way, |size| ask(checker, family, engine, way.folder, size))
}

fn climb_with(
    family: &'static Family,
    engine: &str,
    way: Way<'_>,
    mut ask: impl FnMut(usize) -> Result<Answer, String>,
) -> Result<Climb, String> {
    let mut reached = None;
    let mut end = End::Most;
    for size in family.sizes().take_while(|size| *size <= way.most) {
        let answer = ask(size)?;
        if let Some(why) = obstacle(family, size, &answer) {
            end = why;
            break;
        }
        reached = Some((size, answer));
    }
    while let (Some((low, _)), End::Open(high, _)) = (&reached, &end) {
        if !way.fine || high - low < 2 {
            break;
        }
        let size = low.midpoint(*high);
        let answer = ask(size)?;
        match obstacle(family, size, &answer) {
            Some(why) => end = why,
            None => reached = Some((size, answer)),
        }
    }
    Ok(Climb { family, engine: engine.to_string(), reached, end })
}

/// Writes the text of a member and asks about it.
fn ask(
    checker: &Checker,
    family: &Family,
    engine: &str,
    folder: &Path,
    size: usize,
) -> Result<Answer, String> {
    let path = folder.join(family.file(size));
    let told = |e: std::io::Error| format!("cannot write {}: {e}", path.display());
    std::fs::write(&path, (family.text)(size)).map_err(told)?;
    let options = format!("{} --engine {engine}", family.options());
    Ok(checker.ask_path(&path.to_string_lossy(), "", &options, family.property))
}

/// Diagrams can have more states than a number of 64 bits can say.
fn states(answer: &Answer) -> String {
    if answer.states == u64::MAX { "more than 10¹⁹".to_string() } else { whole(answer.states) }
}

/// What keeps an engine from larger members, if anything. No answer is not wrong: a file may be too large, too.
fn obstacle(family: &Family, size: usize, answer: &Answer) -> Option<End> {
    if answer.verdict == "failed" {
        return Some(End::Open(size, answer.evidence.clone()));
    }
    let row = Row { verdict: family.verdict.to_string(), ..Row::default() };
    match judge(&row, answer, false) {
        Match::Right | Match::Unjudged => None,
        Match::Open => Some(End::Open(size, answer.evidence.clone())),
        Match::Wrong(why) => Some(End::Wrong(size, format!("{}, {why}", answer.verdict))),
    }
}

impl Climb {
    /// Everything about it, for people who wait.
    pub fn told(&self) -> String {
        let reached = self.reached.as_ref().map_or("nothing decided".to_string(), |(size, answer)| {
            format!(
                "size {size}: {}, {} s, {} MB, {} states",
                answer.verdict,
                short(answer.cost.wall),
                megabytes(answer.cost.memory),
                states(answer)
            )
        });
        format!("{} by {}: {reached}; {}", self.family.name, self.engine, self.end.told())
    }

    fn cell(&self) -> String {
        match (&self.reached, &self.end) {
            (_, End::Wrong(size, _)) => format!("**WRONG at {size}**"),
            (None, _) => "-".to_string(),
            (Some((size, answer)), End::Most) => format!("≥ {size} ({})", short(answer.cost.wall)),
            (Some((size, answer)), End::Open(..)) => format!("{size} ({})", short(answer.cost.wall)),
        }
    }

    fn details(&self) -> String {
        let mut cells = vec![self.family.name.to_string(), self.engine.clone()];
        match &self.reached {
            None => cells.extend(["-"; 5].map(String::from)),
            Some((size, answer)) => cells.extend([
                size.to_string(),
                short(answer.cost.wall),
                short(answer.cost.cpu),
                megabytes(answer.cost.memory),
                states(answer),
            ]),
        }
        cells.push(self.end.told());
        line(cells)
    }
}

impl End {
    fn told(&self) -> String {
        match self {
            End::Most => "no larger one was tried".to_string(),
            End::Open(size, why) => format!("{size} not decided: {why}"),
            End::Wrong(size, why) => format!("{size} WRONG: {why}"),
        }
    }
}

/// Families as rows, engines as columns.
pub fn table(climbs: &[Climb], engines: &[String]) -> String {
    let mut head = ["family", "what grows", "property", "verdict"].map(String::from).to_vec();
    head.extend(engines.iter().cloned());
    let rule = head.iter().map(|_| "---".to_string()).collect();
    let mut out = line(head) + &line(rule);
    let mut families: Vec<&Family> = climbs.iter().map(|climb| climb.family).collect();
    families.dedup_by_key(|family| family.name);
    for family in families {
        let mut cells =
            [family.name, family.about, family.property, family.verdict].map(String::from).to_vec();
        for engine in engines {
            let of = |climb: &&Climb| climb.family.name == family.name && climb.engine == *engine;
            cells.push(climbs.iter().find(of).map_or(String::new(), Climb::cell));
        }
        out += &line(cells);
    }
    out
}

/// The cost of each largest member, and why there is no larger one.
pub fn details(climbs: &[Climb]) -> String {
    let head =
        ["family", "engine", "size", "seconds", "CPU s", "MB", "states", "then"].map(String::from).to_vec();
    let rule = head.iter().map(|_| "---".to_string()).collect();
    line(head) + &line(rule) + &climbs.iter().map(Climb::details).collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families;

    fn said(verdict: &str) -> Result<Answer, String> {
        Ok(Answer { verdict: verdict.to_string(), ..Answer::default() })
    }

    /// An engine that decides members up to a size, and what is asked.
    fn climbed(best: usize, most: usize, fine: bool) -> (Option<usize>, End, Vec<usize>) {
        let family = families::all().find(|f| f.name == "relay-order").unwrap();
        let mut asked = vec![];
        let way = Way { folder: Path::new("."), most, fine };
        let climb = climb_with(family, "explicit", way, |size| {
            asked.push(size);
            said(if size <= best { "holds" } else { "unknown" })
        })
        .unwrap();
        (climb.reached.map(|(size, _)| size), climb.end, asked)
    }

    #[test]
    fn sizes_grow_until_an_engine_gives_up() {
        let open = |size| End::Open(size, String::new());
        assert_eq!(climbed(9, 64, false), (Some(8), open(12), vec![1, 2, 3, 4, 6, 8, 12]));
        assert_eq!(climbed(9, 64, true), (Some(9), open(10), vec![1, 2, 3, 4, 6, 8, 12, 10, 9]));
        assert_eq!(climbed(9, 4, true), (Some(4), End::Most, vec![1, 2, 3, 4]));
        assert_eq!(climbed(0, 4, true), (None, open(1), vec![1]));
    }

    #[test]
    fn a_wrong_verdict_ends_the_climb_and_is_told() {
        let family = families::all().find(|f| f.verdict == "violated").unwrap();
        let way = Way { folder: Path::new("."), most: 8, fine: false };
        let climb = climb_with(family, "bdd", way, |_| said("holds")).unwrap();
        assert_eq!(climb.end, End::Wrong(family.least, "holds, must be violated".to_string()));
        let table = table(&[climb], &["bdd".to_string()]);
        assert!(table.contains("**WRONG at 1**") && table.lines().count() == 3, "{table}");
    }
}
