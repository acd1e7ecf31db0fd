//! The options of `estimate`.

use super::values::{SchedulerOf, count, list, steps_or_more};
use super::{
    GlobalArguments, LanguageArguments, LimitArguments, MORE, MachineArguments, ModelArguments,
    ReadingArguments, examples,
};
use clap::Args;

/// Estimates probabilities and expected values, or computes them.
#[derive(Args)]
#[command(after_help = MORE, after_long_help = examples(&[
    (
        "swarmcheck estimate examples/leader/leader.labs n=5 'P(eventually forall Node x, leader of x = 0 within 30 steps)'",
        "1,000 runs, and an interval that contains the probability with 95 % confidence",
    ),
    (
        "swarmcheck estimate examples/leader/leader.labs n=5 'E(steps until forall Node x, leader of x = 0)' --max-steps 1000 --quantiles 0.5,0.9",
        "how many steps that takes",
    ),
    (
        "swarmcheck estimate examples/leader/leader.labs n=5 'P(eventually forall Node x, leader of x = 0 within 30 steps) >= 0.9'",
        "Wald's test: as many runs as the answer needs",
    ),
    (
        "swarmcheck estimate examples/leader/leader.labs n=3 -p LeaderIs0 --max-steps 500 --width 0.02",
        "a property of the file, and as many runs as an interval of this width needs",
    ),
    (
        "swarmcheck estimate examples/leader/leader.labs n=3 'E(steps until forall Node x, leader of x = 0)' --exact",
        "the value itself, from the whole chain",
    ),
]))]
pub struct EstimateArguments {
    /// The model, a .labs, .ccs, .chor or .rcp file
    ///
    /// - reads a model from standard input: a LAbS model, unless --language says otherwise.
    #[arg(value_name = "FILE")]
    pub file: String,
    /// Values for the model's external parameters, as in n=5, and queries
    ///
    /// Queries: P(eventually p within 100 steps), P(always p within 100), P(p until q within 100), P(p after 100), P(ltl φ), P(Name) for a
    /// property of the file; E(steps until p), E(time until p), E(EXPR after 100), E(EXPR at the end); with --exact also S(p), the share of
    /// steps in the long run, and Pmin, Pmax, Emin, Emax over all schedulers. P(…) >= 0.9 asks for a decision.
    #[arg(value_name = "PARAMETERS AND QUERIES")]
    pub words: Vec<String>,
    #[command(flatten)]
    pub language: LanguageArguments,
    /// Estimate the probability of this property of the file; may be repeated
    #[arg(short, long, value_name = "NAME")]
    pub property: Vec<String>,
    /// Make N runs [default: 1000]
    ///
    /// The interval is that of Clopper and Pearson: its coverage is at least the confidence. That of an expected value is Student's.
    #[arg(short, long, value_name = "N", value_parser = count, conflicts_with_all = ["width", "exact", "split"])]
    pub runs: Option<u64>,
    /// Make as many runs as an interval of this width needs
    ///
    /// A sequential rule with Massart's bounds, which keeps its coverage. For probabilities.
    #[arg(long, value_name = "WIDTH", conflicts_with_all = ["exact", "split"])]
    pub width: Option<f64>,
    /// The probability with which an interval contains the true value, or a test decides rightly
    #[arg(long, value_name = "SHARE", default_value = "0.95")]
    pub confidence: f64,
    /// Around a threshold, either decision will do: half of the width of that region
    ///
    /// For queries with a comparison, as in P(…) >= 0.9, unless --runs, --width or --exact is given.
    #[arg(long, value_name = "D", default_value = "0.01", hide_short_help = true)]
    pub indifference: f64,
    /// What decides which step is made
    ///
    /// Every enabled step is equally likely (steps); an agent, then one of its steps (agents); agents take turns (round-robin); the rates of
    /// the model, in continuous time (rates); or all schedulers, for the minimum and maximum (any), with --exact only.
    #[arg(long, value_name = "WHICH", default_value = "steps")]
    pub scheduler: SchedulerOf,
    /// Start the random generator from N [default: a new one, which is printed]
    ///
    /// The same seed gives the same result, on any machine and with any number of threads.
    #[arg(long, value_name = "N", value_parser = count)]
    pub seed: Option<u64>,
    /// Use N threads [default: as many as there are processors]
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub threads: Option<usize>,
    /// Cut runs short after N steps
    ///
    /// Needed where a query has no bound. Runs that were cut short count as undecided: against both ends of the interval.
    #[arg(long, value_name = "N", value_parser = steps_or_more)]
    pub max_steps: Option<u64>,
    /// Compute the value from the whole chain or decision process
    #[arg(long, conflicts_with = "split")]
    pub exact: bool,
    /// How far the bounds of a computed value may be apart
    #[arg(long, value_name = "E", default_value = "1e-9", hide_short_help = true)]
    pub error: f64,
    #[command(flatten)]
    pub splitting: SplittingArguments,
    /// Quantiles of an expected value's distribution, as in 0.5,0.9
    #[arg(long, value_name = "LIST", value_parser = list::<f64>, hide_short_help = true)]
    pub quantiles: Option<List<f64>>,
    /// A histogram of an expected value's distribution, with so many bins
    #[arg(long, value_name = "BINS", hide_short_help = true)]
    pub histogram: Option<u32>,
    #[command(flatten)]
    pub reading: ReadingArguments,
    #[command(flatten)]
    pub limits: LimitArguments,
    #[command(flatten)]
    pub machine: MachineArguments,
    #[command(flatten)]
    pub global: GlobalArguments,
}

/// Numbers separated by commas.
#[derive(Clone, PartialEq, Debug)]
pub struct List<T>(pub Vec<T>);

/// Splitting for rare events.
#[derive(Args)]
#[command(next_help_heading = "Rare events")]
pub struct SplittingArguments {
    /// Split runs that come closer to the goal: an expression that grows on the way
    #[arg(long, value_name = "EXPR", hide_short_help = true)]
    pub split: Option<String>,
    /// The values of the expression at which runs are split, as in 1,2,3 [default: found by trial runs]
    #[arg(long, value_name = "LIST", value_parser = list::<i64>, requires = "split", hide_short_help = true, allow_hyphen_values = true)]
    pub levels: Option<List<i64>>,
    /// So many runs start at each level (fixed effort) [default: 1000]
    #[arg(long, value_name = "N", value_parser = count, requires = "split", hide_short_help = true)]
    pub effort: Option<u64>,
    /// Each run that reaches a level continues N times (fixed splitting)
    #[arg(long, value_name = "N", value_parser = count, requires = "split", conflicts_with = "effort", hide_short_help = true)]
    pub splitting: Option<u64>,
}

impl EstimateArguments {
    /// The model with its parameters: words without parentheses that have an equals sign.
    pub fn model(&self) -> ModelArguments {
        let parameters = self.words.iter().filter(|word| is_parameter(word)).cloned().collect();
        let language = LanguageArguments { language: self.language.language };
        ModelArguments { file: self.file.clone(), parameters, language }
    }

    /// All other words.
    pub fn queries(&self) -> Vec<String> {
        self.words.iter().filter(|word| !is_parameter(word)).cloned().collect()
    }
}

fn is_parameter(word: &str) -> bool {
    !word.contains('(') && word.contains('=')
}
