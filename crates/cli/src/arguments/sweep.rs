//! The options of `swarmcheck sweep` and `swarmcheck collect`.

use super::values::{EngineWord, FairnessOf, SchedulerOf, count, seconds, steps};
use super::{GlobalArguments, LanguageArguments, LimitArguments, MORE, ReadingArguments, examples};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use std::time::Duration;

/// Asks the same at many points.
#[derive(Args)]
#[command(after_help = MORE, after_long_help = examples(&[
    (
        "swarmcheck sweep examples/leader/leader.labs n=2..5 --out results.csv",
        "verify for n = 2, 3, 4 and 5, and write the verdicts to a table",
    ),
    (
        "swarmcheck sweep examples/approx/approx.labs yes=1..4 no=1..4 --where 'yes < no' --out margin.csv",
        "all combinations for which the condition holds",
    ),
    (
        "swarmcheck sweep examples/flock/flock.labs birds=3 grid=5 delta=1..5 --boundary delta -p Consensus",
        "the smallest delta for which the verdict changes",
    ),
    (
        "swarmcheck sweep examples/leader/leader.labs n=2..20 --do simulate --seeds 100 --jobs 4 --out runs.jsonl",
        "100 random runs for each n, four at a time, as JSON lines",
    ),
    (
        "swarmcheck sweep examples/leader/leader.labs n=2..5 --out results.csv --resume",
        "go on after a crash or Ctrl-C: what is in results.csv.journal is not done again",
    ),
    (
        "swarmcheck sweep examples/leader/leader.labs n=2..9 --out results.csv --shard 2/3",
        "the second third of the work, for another machine; 'swarmcheck collect' puts the parts together",
    ),
    ("mpirun swarmcheck sweep examples/leader/leader.labs n=2..9 --out results.csv", "every rank takes its part"),
    (
        "swarmcheck sweep examples/leader/leader.labs n=2..9 --out results.csv --slurm --tasks 50",
        "a job array of 50 tasks, watched and collected",
    ),
]))]
pub struct SweepArguments {
    /// The model, a .labs, .ccs, .chor or .rcp file
    #[arg(value_name = "FILE")]
    pub file: String,
    /// Values of parameters, as in n=2..10, n=2..10..2 or delta=1,3,5; with --do estimate also queries
    ///
    /// A range includes its end, and commas list values. All combinations are points of the sweep; the last parameter changes
    /// fastest. A query is written as for 'swarmcheck estimate', for instance 'P(eventually p within 500 steps)'.
    #[arg(value_name = "VALUES")]
    pub words: Vec<String>,
    #[command(flatten)]
    pub language: LanguageArguments,
    /// What is done at each point
    #[arg(long = "do", value_name = "WHAT", default_value = "verify")]
    pub what: SweepDo,
    #[command(flatten)]
    pub points: PointArguments,
    #[command(flatten)]
    pub question: SweepQuestionArguments,
    #[command(flatten)]
    pub estimate: SweepEstimateArguments,
    #[command(flatten)]
    pub work: SweepWorkArguments,
    #[command(flatten)]
    pub cluster: ClusterArguments,
    #[command(flatten)]
    pub reading: ReadingArguments,
    #[command(flatten)]
    pub limits: LimitArguments,
    /// Print the table and how the sweep went as one JSON document
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub global: GlobalArguments,
}

/// `--do`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum SweepDo {
    /// Decide properties
    Verify,
    /// Estimate or compute how likely something is
    Estimate,
    /// Make random runs, and count what they show of the properties
    Simulate,
}

/// Which points of the product of all values are visited.
#[derive(Args)]
#[command(next_help_heading = "Points")]
pub struct PointArguments {
    /// Only points where this holds, as in 'yes < no and n % 2 = 0'
    ///
    /// Over the parameters of the sweep: + - * / % as in models, comparisons, and, or, not, parentheses.
    #[arg(long = "where", value_name = "CONDITION")]
    pub condition: Option<String>,
    /// Read points from a CSV file with a header: a column for each parameter
    ///
    /// Parameters that are given as words are combined with every row.
    #[arg(long, value_name = "FILE")]
    pub points: Option<String>,
    /// Only N points, drawn at random, no point twice
    #[arg(long, value_name = "N", value_parser = count, conflicts_with = "latin")]
    pub random: Option<u64>,
    /// Only N points, a Latin hypercube: the values of every parameter are spread evenly
    ///
    /// Points that --where refuses are left out, and so are equal ones; so there may be fewer.
    #[arg(long, value_name = "N", value_parser = count)]
    pub latin: Option<u64>,
    /// Do everything with N seeds: the points differ in their seed, too
    #[arg(long, value_name = "N", value_parser = count)]
    pub seeds: Option<u64>,
    /// The first seed, also of --random and --latin
    #[arg(long, value_name = "S", value_parser = count, default_value = "0")]
    pub seed: u64,
}

/// What is asked at each point.
#[derive(Args)]
#[command(next_help_heading = "What is asked at each point")]
pub struct SweepQuestionArguments {
    /// Only this property [default: all; of estimates: none]
    ///
    /// May be given several times, or as a list with commas.
    #[arg(short, long, value_name = "NAME", value_delimiter = ',')]
    pub property: Vec<String>,
    /// verify: also look for deadlocks
    #[arg(long)]
    pub deadlock: bool,
    /// verify: only executions of B steps; simulate: runs of at most B steps [default: 100]
    #[arg(short, long, value_name = "B", value_parser = steps)]
    pub steps: Option<u32>,
    /// verify: which infinite executions count, as for 'swarmcheck verify'
    #[arg(long, value_name = "FAIRNESS", hide_short_help = true)]
    pub fairness: Option<FairnessOf>,
    /// verify: the engine that decides
    #[arg(
        long,
        value_name = "ENGINE",
        hide_short_help = true,
        value_parser = PossibleValuesParser::new(EngineWord::words()).try_map(|word| EngineWord::read(&word))
    )]
    pub engine: Option<EngineWord>,
    /// verify: find the smallest value of this parameter for which a verdict changes
    ///
    /// For each combination of the other parameters. Bisection comes first, then the other values are decided, too, because
    /// nobody knows that there is only one change; --boundary-checks says how many. The boundaries are printed, and --out has the
    /// points that were decided.
    #[arg(long, value_name = "NAME")]
    pub boundary: Option<String>,
    /// After bisection decide N further values, evenly spread [default: all]
    ///
    /// If one of them contradicts a single change, all values are decided. The report says how many were.
    #[arg(long, value_name = "N", value_parser = count, requires = "boundary", hide_short_help = true)]
    pub boundary_checks: Option<u64>,
    /// simulate: of each combination, stop at the first seed whose run violates a property
    #[arg(long, hide_short_help = true)]
    pub until_violated: bool,
}

/// How estimates and runs are made.
#[derive(Args)]
#[command(next_help_heading = "Estimates and runs, as for 'swarmcheck estimate'")]
pub struct SweepEstimateArguments {
    /// Make N runs at each point [default: 1000 for estimates, 1 for simulations]
    #[arg(short, long, value_name = "N", value_parser = count)]
    pub runs: Option<u64>,
    /// Stop a point when its interval is as narrow as this
    #[arg(long, value_name = "W", conflicts_with_all = ["runs", "exact"])]
    pub width: Option<f64>,
    /// Around a threshold, as in P(…) >= 0.9, either decision will do: half of the width of that region [default: 0.01]
    #[arg(long, value_name = "D", conflicts_with_all = ["runs", "width", "exact"], hide_short_help = true)]
    pub indifference: Option<f64>,
    /// The probability with which an interval contains the true value [default: 0.95]
    #[arg(long, value_name = "C", hide_short_help = true)]
    pub confidence: Option<f64>,
    /// What decides which step is made [default: steps]
    #[arg(long, value_name = "SCHEDULER")]
    pub scheduler: Option<SchedulerOf>,
    /// The longest a run may be where a query has no bound
    #[arg(long, value_name = "N", value_parser = count)]
    pub max_steps: Option<u64>,
    /// Compute instead of estimating, with certain bounds
    #[arg(long, conflicts_with = "runs")]
    pub exact: bool,
    /// With --exact: the largest difference between the bounds [default: 1e-9]
    #[arg(long, value_name = "E", requires = "exact", hide_short_help = true)]
    pub error: Option<f64>,
    /// Also these quantiles, as in 0.5,0.9
    #[arg(long, value_name = "LIST", value_delimiter = ',', hide_short_help = true)]
    pub quantiles: Vec<f64>,
}

/// How the work is done.
#[derive(Args)]
#[command(next_help_heading = "Work and results")]
pub struct SweepWorkArguments {
    /// Write the table to a file: .csv, or .jsonl for JSON lines [default: CSV on standard output]
    ///
    /// FILE.journal has every point that is done, so that nothing is lost if the work is interrupted.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<String>,
    /// Draw the table, too: a .svg or .html file; 'swarmcheck plot' has more options
    #[arg(long, value_name = "FILE")]
    pub plot: Option<String>,
    /// Go on with the journal of an earlier run; without one, begin
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// With --resume: try points again that failed, unless the model is wrong there
    #[arg(long, requires = "resume", hide_short_help = true)]
    pub retry_failed: bool,
    /// Work on N points at the same time [default: one per core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Threads for one point [default: what --jobs leaves of the cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256), hide_short_help = true)]
    pub threads: Option<u16>,
    /// Give up a point after this time, and go on with the next: seconds, or as in 90s, 5m or 2h
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    pub point_timeout: Option<Duration>,
}

/// Several machines.
#[derive(Args)]
#[command(next_help_heading = "Several machines")]
pub struct ClusterArguments {
    /// Do only part I of K, and leave the table to 'swarmcheck collect'
    ///
    /// The journal is FILE.shard-I-of-K.journal. Started by mpirun or srun, a process finds I and K by itself.
    #[arg(long, value_name = "I/K", requires = "out", value_parser = shard)]
    pub shard: Option<(usize, usize)>,
    /// Submit the sweep to Slurm as a job array, watch it, submit lost tasks again, and collect the results
    #[arg(long, requires = "out", conflicts_with = "shard")]
    pub slurm: bool,
    /// Only write the script of the job array
    #[arg(long, value_name = "FILE", requires = "out", conflicts_with_all = ["shard", "slurm"])]
    pub slurm_script: Option<String>,
    /// The number of tasks of the job array [default: 10, or one per point]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=100_000), hide_short_help = true)]
    pub tasks: Option<u32>,
    /// An option for sbatch, as in --sbatch=--partition=long; may be given several times
    #[arg(long, value_name = "OPTION", hide_short_help = true, allow_hyphen_values = true)]
    pub sbatch: Vec<String>,
}

/// Puts parts of a sweep together.
#[derive(Args)]
#[command(after_help = MORE, after_long_help = examples(&[
    ("swarmcheck collect --out results.csv", "all journals of results.csv in its folder"),
    (
        "swarmcheck collect --out results.csv results.csv.shard-1-of-2.journal results.csv.shard-2-of-2.journal",
        "these journals",
    ),
]))]
pub struct CollectArguments {
    /// Journals of one sweep [default: those that belong to the file of --out]
    #[arg(value_name = "JOURNAL")]
    pub journals: Vec<String>,
    /// Write the table to a file: .csv, or .jsonl for JSON lines
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<String>,
    /// Write what is there even if points are missing
    #[arg(long)]
    pub partial: bool,
    /// Print the table as one JSON document
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limits: LimitArguments,
    #[command(flatten)]
    pub global: GlobalArguments,
}

/// `2/3`: the second of three parts.
fn shard(text: &str) -> Result<(usize, usize), String> {
    let (number, of) = text.split_once('/').unwrap_or_default();
    match (number.parse::<usize>(), of.parse::<usize>()) {
        (Ok(number), Ok(of)) if (1..=of).contains(&number) && of <= 1_000_000 => Ok((number, of)),
        _ => Err("a part is given as in 2/3: the second of three, counted from 1".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_counted_from_one() {
        assert_eq!((shard("1/1"), shard("2/3")), (Ok((1, 1)), Ok((2, 3))));
        for wrong in ["", "0/3", "4/3", "1", "1/0", "a/b", "-1/3", "1/2/3"] {
            assert!(shard(wrong).is_err(), "{wrong}");
        }
    }
}
