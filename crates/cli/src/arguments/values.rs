//! Words and numbers that options take, and what they stand for.

use super::estimate::List;
use clap::ValueEnum;
use std::str::FromStr;
use std::time::Duration;
use swarmcheck_session::TraceFormat;
use swarmcheck_session::compare::Alike;
use swarmcheck_session::estimate::SchedulerWord;
use swarmcheck_session::export::targets;
use swarmcheck_session::languages::LanguageWord;
use swarmcheck_session::lts::{LtsFormat, Minimise};
use swarmcheck_session::request::{ChoiceWord, PrecedenceWord, SemanticsWord};
use swarmcheck_session::show::Shape;
use swarmcheck_session::verify::{Decider, ENGINES, Fairness};

/// An enumeration of words with what each stands for in the façade.
macro_rules! words {
    ($(#[$about:meta])* $name:ident for $target:ty { $($word:ident => $value:expr),* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
        #[allow(missing_docs)]
        pub enum $name { $($word),* }

        impl From<$name> for $target {
            fn from(word: $name) -> $target {
                match word { $($name::$word => $value),* }
            }
        }
    };
}

words! {
    /// `--semantics`.
    SemanticsOf for SemanticsWord { Sliver => SemanticsWord::Sliver, Paper => SemanticsWord::Paper }
}
words! {
    /// `--fairness`.
    FairnessOf for Fairness { None => Fairness::None, Weak => Fairness::Weak, Strong => Fairness::Strong }
}
words! {
    /// `--choice`.
    ChoiceWhen for ChoiceWord { Late => ChoiceWord::Late, Early => ChoiceWord::Early }
}
words! {
    /// `--precedence`.
    PrecedenceHow for PrecedenceWord {
        Conventional => PrecedenceWord::Conventional, Rcheck => PrecedenceWord::Rcheck,
    }
}
words! {
    /// `--language`.
    LanguageOf for LanguageWord {
        Labs => LanguageWord::Labs, Rcheck => LanguageWord::Rcheck, Ccs => LanguageWord::Ccs, Chor => LanguageWord::Chor,
    }
}
words! {
    /// `show --as`.
    ShapeAs for Shape {
        Triples => Shape::Triples, Dot => Shape::Dot, Emulation => Shape::Emulation, Peers => Shape::Peers,
        Svg => Shape::Svg, States => Shape::States, Network => Shape::Network,
    }
}
words! {
    /// `--trace-format`.
    TraceAs for TraceFormat {
        Text => TraceFormat::Text, Markdown => TraceFormat::Markdown, Json => TraceFormat::Json, Itf => TraceFormat::Itf,
        Sliver => TraceFormat::Sliver, Html => TraceFormat::Html, Svg => TraceFormat::Svg,
    }
}
words! {
    /// `lts --as`.
    LtsAs for LtsFormat { Aut => LtsFormat::Aut, Dot => LtsFormat::Dot }
}
words! {
    /// `--minimise`.
    MinimiseUpTo for Minimise {
        Strong => Minimise::Strong, Branching => Minimise::Branching, Divbranching => Minimise::Divbranching,
    }
}
words! {
    /// `--by`.
    RelationBy for Alike {
        Strong => Alike::Strong, Branching => Alike::Branching, Weak => Alike::Weak, Trace => Alike::Trace,
    }
}
words! {
    /// `simulate --scheduler`.
    RunScheduler for SchedulerWord {
        Steps => SchedulerWord::Steps, Agents => SchedulerWord::Agents, RoundRobin => SchedulerWord::RoundRobin,
        Rates => SchedulerWord::Rates,
    }
}
words! {
    /// `export --scheduler`.
    ProcessScheduler for SchedulerWord {
        Steps => SchedulerWord::Steps, Agents => SchedulerWord::Agents, RoundRobin => SchedulerWord::RoundRobin,
        Rates => SchedulerWord::Rates, Any => SchedulerWord::Any,
    }
}

words! {
    /// `--scheduler`.
    SchedulerOf for SchedulerWord {
        Steps => SchedulerWord::Steps, Agents => SchedulerWord::Agents, RoundRobin => SchedulerWord::RoundRobin,
        Rates => SchedulerWord::Rates, Any => SchedulerWord::Any,
    }
}

/// `--schedule`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
#[allow(missing_docs)]
pub enum ScheduleOf {
    Free,
    RoundRobin,
}

/// `--color`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
#[allow(missing_docs)]
pub enum ColourWhen {
    Auto,
    Always,
    Never,
}

/// A word for an engine, from the one table of engines.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EngineWord(pub Decider);

impl EngineWord {
    /// The words that `--engine` takes.
    pub fn words() -> Vec<&'static str> {
        std::iter::once("auto").chain(ENGINES.iter().map(|entry| entry.name)).collect()
    }

    /// Reads one of them.
    pub fn read(word: &str) -> Result<EngineWord, String> {
        Decider::named(word).map(EngineWord).ok_or_else(|| format!("there is no engine {word:?}"))
    }
}

/// A word for a target of `export`, from the one table of targets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TargetWord(pub String);

impl TargetWord {
    /// The words that `--to` takes.
    pub fn words() -> Vec<&'static str> {
        targets().into_iter().map(|(name, _)| name).collect()
    }
}

/// Whoever writes `8` means `8G`.
const LEAST: f64 = 1024.0 * 1024.0;

/// A number of bytes, as in `800M` or `8G`.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => Some(1.0),
        "K" | "KB" | "KIB" => Some(1024.0),
        "M" | "MB" | "MIB" => Some(1024.0 * 1024.0),
        "G" | "GB" | "GIB" => Some(1024.0 * 1024.0 * 1024.0),
        "T" | "TB" | "TIB" => Some(1024.0 * 1024.0 * 1024.0 * 1024.0),
        _ => None,
    };
    match (digits.parse::<f64>(), unit) {
        (Ok(number), Some(unit)) if number * unit >= LEAST && number * unit < 1e18 => {
            Ok((number * unit) as u64)
        }
        (Ok(number), Some(_)) if number >= 0.0 => Err("at least 1M is needed, as in 800M or 8G".to_string()),
        _ => Err("a size is given as in 800M or 8G".to_string()),
    }
}

/// A time limit in seconds, or as in `90s`, `5m` and `2h`.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" | "s" | "sec" => Some(1.0),
        "ms" => Some(1e-3),
        "m" | "min" => Some(60.0),
        "h" => Some(3600.0),
        _ => None,
    };
    match (digits.parse::<f64>(), unit) {
        (Ok(number), Some(unit)) if number * unit > 0.0 && number * unit < 1e9 => {
            Ok(Duration::from_secs_f64(number * unit))
        }
        (Ok(number), Some(_)) if number <= 0.0 => Err("a time limit is more than 0 seconds".to_string()),
        _ => Err("a time is given as a number of seconds, or as in 90s, 5m or 2h".to_string()),
    }
}

/// A whole number.
pub(super) fn count(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "a whole number that is not negative is needed".to_string())
}

/// A number of steps, at least one.
pub(super) fn steps_or_more(text: &str) -> Result<u64, String> {
    text.parse().ok().filter(|n| *n > 0).ok_or_else(|| "a whole number above 0 is needed".to_string())
}

/// Numbers separated by commas.
pub(super) fn list<T: FromStr>(text: &str) -> Result<List<T>, String> {
    let numbers = text.split(',').map(|part| part.trim().parse());
    numbers.collect::<Result<_, _>>().map(List).map_err(|_| "numbers are given as in 1,2,3".to_string())
}

/// A number of steps.
pub(super) fn steps(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "a whole number that is not negative is needed".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times() {
        assert_eq!(size("800M"), Ok(800 << 20));
        assert_eq!(size("1.5g"), Ok(3 << 29));
        assert_eq!(size("4194304"), Ok(4 << 20));
        for wrong in ["", "M", "-1M", "0", "1X", "1e30", "nan", "8 G", "8", "4K"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(seconds("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(seconds("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(seconds("2h"), Ok(Duration::from_secs(7200)));
        assert_eq!(seconds("250ms"), Ok(Duration::from_millis(250)));
        for wrong in ["", "0", "-1", "inf", "nan", "1e10", "soon", "s", "0m", "5 m", "1d"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_engine_word_is_read() {
        for word in EngineWord::words() {
            assert!(EngineWord::read(word).is_ok(), "{word}");
        }
        assert!(EngineWord::read("banana").is_err());
    }
}
