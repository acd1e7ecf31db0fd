//! The options of `swarmcheck verify`.

use super::executions::ExecutionArguments;
use super::values::{EngineWord, FairnessOf, TraceAs, steps};
use super::{
    CoverageArguments, GlobalArguments, LimitArguments, MORE, ModelArguments, ReadingArguments,
    VerifyMachineArguments, examples,
};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use swarmcheck_session::verify::{BACKENDS, Backend, Reductions};

/// Decides properties.
#[derive(Args)]
#[command(after_help = MORE, after_long_help = examples(&[
    ("swarmcheck verify examples/leader/leader.labs n=5", "decide every property of the file"),
    (
        "swarmcheck verify examples/flock/flock.labs birds=3 grid=5 delta=5 --fair --property Consensus",
        "one property, under the round-robin schedule",
    ),
    (
        "swarmcheck verify examples/boids/aw.labs birds=3 grid=10 delta=13 --fair --steps 12",
        "executions of exactly 12 steps",
    ),
    (
        "swarmcheck verify examples/fairness/forks.labs n=3 --fairness strong",
        "only executions in which nobody is passed over for ever",
    ),
    (
        "swarmcheck verify examples/formation/formation.labs n=3 size=10 range=2 --engine ic3 --property OnTheLine",
        "prove by an invariant, whatever the number of states",
    ),
    ("swarmcheck verify examples/philosophers/philosophers.labs n=5 --deadlock", "look for deadlocks"),
    (
        "swarmcheck verify examples/waiting/waiting.labs hasty=0 careful=1.. --property Exclusion",
        "for every number of careful agents",
    ),
    ("swarmcheck verify examples/leader/leader.labs n=3 --backend spin", "let Spin decide, and replay what it finds"),
    (
        "swarmcheck verify examples/leader/leader.labs n=8 --no-reductions --json",
        "every single state, and the answers as data",
    ),
]))]
pub struct VerifyArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    #[command(flatten)]
    pub question: QuestionArguments,
    #[command(flatten)]
    pub executions: ExecutionArguments,
    #[command(flatten)]
    pub reading: ReadingArguments,
    #[command(flatten)]
    pub decision: DecisionArguments,
    #[command(flatten)]
    pub limits: LimitArguments,
    #[command(flatten)]
    pub output: VerifyOutputArguments,
    #[command(flatten)]
    pub machine: VerifyMachineArguments,
    #[command(flatten)]
    pub coverage: CoverageArguments,
    #[command(flatten)]
    pub reductions: ReductionArguments,
    #[command(flatten)]
    pub global: GlobalArguments,
}

/// What is asked.
#[derive(Args)]
#[command(next_help_heading = "What is asked")]
pub struct QuestionArguments {
    /// Only this property [default: all]
    ///
    /// May be given several times, or as a list with commas.
    #[arg(short, long, value_name = "NAME", value_delimiter = ',')]
    pub property: Vec<String>,
    /// Also look for deadlocks: is some step possible in every reachable state?
    #[arg(long)]
    pub deadlock: bool,
    /// Only executions of B steps [default: all executions]
    ///
    /// 'always' within B steps, 'eventually' at some point within B steps, 'finally' after exactly B steps.
    #[arg(short, long, value_name = "B", value_parser = steps)]
    pub steps: Option<u32>,
    /// Which infinite executions count, under the free schedule
    ///
    /// All of them (none); those in which an agent that can move from some point on moves again (weak); or those in which an
    /// agent that can move again and again moves again and again (strong). Moves are an agent's actions and, counted
    /// separately, its pending messages. Only 'eventually', 'finally', 'ltl' and scopes that may stay open depend on it.
    #[arg(long, value_name = "FAIRNESS", default_value = "none")]
    pub fairness: FairnessOf,
    /// Of open parameters, which values count: 'yes < no'
    ///
    /// A parameter is open if only its smallest value is given: voters=1.. asks about every number of voters. Write sums of
    /// parameters, and comparisons that are joined by 'and'.
    #[arg(long = "where", value_name = "CONDITION", allow_hyphen_values = true, hide_short_help = true)]
    pub numbers: Option<String>,
    /// Of open parameters, decide instances in which their sum is at most N [default: 10]
    #[arg(long, value_name = "N", hide_short_help = true, value_parser = clap::value_parser!(u32).range(0..=64))]
    pub up_to: Option<u32>,
    /// Excuse executions that stop
    ///
    /// They do not violate 'eventually'. For 'fairly' and 'fairly_inf' a state from which one can get stuck is excused.
    #[arg(long, hide_short_help = true)]
    pub ignore_deadlock: bool,
}

/// Who decides.
#[derive(Args)]
#[command(next_help_heading = "Who decides")]
pub struct DecisionArguments {
    /// The engine that decides
    ///
    /// All of them in a race (auto), or one alone: explicit-state search (explicit), predicate abstraction, which only
    /// proves (abstract), bounded model checking (bmc), k-induction (kind), an inductive invariant (ic3), binary
    /// decision diagrams (bdd), composition of processes that are reduced one by one (compose), or solvers for integers without
    /// bounds (smt).
    #[arg(
        long,
        value_name = "ENGINE",
        default_value = "auto",
        value_parser = PossibleValuesParser::new(EngineWord::words()).try_map(|word| EngineWord::read(&word))
    )]
    pub engine: EngineWord,
    /// Ask every engine that can answer
    ///
    /// They are asked one after the other. The verdict is unknown if two disagree.
    #[arg(long)]
    pub cross_check: bool,
    /// Let another verifier decide, which must be installed
    ///
    /// Its counterexamples are replayed. A claim without a counterexample that can be replayed is 'unknown'. cbmc and cseq
    /// need --steps.
    #[arg(
        long,
        value_name = "PROGRAM",
        hide_short_help = true,
        value_parser = PossibleValuesParser::new(BACKENDS.iter().map(|entry| entry.word))
            .try_map(|word| backend(&word))
    )]
    pub backend: Option<Backend>,
    /// With --backend: read a counterexample from this file instead of running the verifier
    ///
    /// The file has what the verifier prints; for cadp a diagnostic in Aldebaran format, for cpachecker a test harness.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub translate_cex: Option<String>,
    /// With bmc and kind: give up after executions of N steps
    ///
    /// Also in the race. --steps is stronger: it says which executions count.
    #[arg(long, value_name = "N", value_parser = steps, hide_short_help = true)]
    pub depth: Option<u32>,
    /// Decide by what another model checker found about an exported question
    ///
    /// An AIGER or BTOR2 witness, or what ABC's write_cex writes.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub witness: Option<String>,
    /// Search with N threads [default: one per core]
    ///
    /// Answers, counts and traces are the same for any number.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
}

/// What is written.
#[derive(Args)]
#[command(next_help_heading = "Output")]
pub struct VerifyOutputArguments {
    /// Print the answers as one JSON document
    #[arg(long)]
    pub json: bool,
    /// How to write traces
    ///
    /// Numbered steps (text), the same to be pasted in an issue (markdown), data (json), the Informal Trace Format (itf),
    /// the style of SLiVER (sliver), a page that plays the trace (html), or a sequence chart (svg).
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub trace_format: TraceAs,
    /// Write traces to a file instead of standard output
    #[arg(short = 'o', long, value_name = "PATH")]
    pub trace_file: Option<String>,
    /// In text and Markdown traces, show the whole state after every step
    #[arg(long)]
    pub full: bool,
    /// Write proofs of properties that hold to a file, for 'swarmcheck certify'
    ///
    /// A proof is the set of all states of the program without reductions, if there are at most two million, or what the engine gives:
    /// kind, ic3, smt and parametric do. A remark says which properties have none, and why.
    #[arg(long, value_name = "PATH", hide_short_help = true)]
    pub certificate: Option<String>,
    /// Write proofs of properties that hold to a directory, one file for each
    ///
    /// The files are named after the properties: NAME.certificate.json. Only certificates are overwritten.
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub certificates: Option<String>,
    /// Write how the engine 'compose' has put the system together to a file
    ///
    /// The sizes of all processes and compositions before and after their reduction. The ending of the file says how: .json
    /// (data), .svg (a picture of the tree), .md or .txt (tables). -v prints the same.
    #[arg(long, value_name = "PATH", hide_short_help = true)]
    pub composition: Option<String>,
    /// Say more about why properties hold
    ///
    /// Parts of predicates that could be replaced by a constant (vacuity, LAbS only), and the invariants that ic3 finds, as
    /// conditions on variables.
    #[arg(long)]
    pub why: bool,
}

/// What is switched off.
#[derive(Args)]
#[command(next_help_heading = "Reductions, each of which can be switched off")]
pub struct ReductionArguments {
    /// Explore every state of the model: switch off all reductions below except --no-ranges and --no-packed
    #[arg(long, hide_short_help = true)]
    pub no_reductions: bool,
    /// Do not compute the ranges of variables; states then take more memory
    #[arg(long, hide_short_help = true)]
    pub no_ranges: bool,
    /// No constant folding, and no miniscoping of quantifiers in predicates
    #[arg(long, hide_short_help = true)]
    pub no_fold: bool,
    /// Keep variables and messages outside the cone of influence of the property
    #[arg(long, hide_short_help = true)]
    pub no_slice: bool,
    /// Keep pending messages that cannot change any receiver
    #[arg(long, hide_short_help = true)]
    pub no_stale: bool,
    /// Do not reset dead variables, which are written before they are read again
    #[arg(long, hide_short_help = true)]
    pub no_dead: bool,
    /// No symmetry reduction: states that differ by a permutation of agents are different
    #[arg(long, hide_short_help = true)]
    pub no_symmetry: bool,
    /// No symmetry reduction on data: states that differ by mirrored values or exchanged variables are different
    #[arg(long, hide_short_help = true)]
    pub no_data_symmetry: bool,
    /// No partial-order reduction: all orders of independent steps are explored
    #[arg(long, alias = "no-order", hide_short_help = true)]
    pub no_partial_order: bool,
    /// Unpack every state before each step; the same states, more time
    #[arg(long, hide_short_help = true)]
    pub no_packed: bool,
    /// Do not restrict processes to what their neighbours let them do (compose only)
    #[arg(long, hide_short_help = true)]
    pub no_interfaces: bool,
    /// Put processes together in the order of the model, not by what promises the smallest result (compose only)
    #[arg(long, hide_short_help = true)]
    pub no_smart_order: bool,
    /// Use only N bits of hashes, to test that collisions do no harm
    #[arg(long, value_name = "N", default_value = "64", hide_short_help = true,
          value_parser = clap::value_parser!(u8).range(0..=64))]
    pub hash_bits: u8,
}

/// A word for another verifier, from the one table of them.
fn backend(word: &str) -> Result<Backend, String> {
    Backend::named(word).ok_or_else(|| format!("there is no back end {word:?}"))
}

impl ReductionArguments {
    /// What may be used.
    pub fn reductions(&self) -> Reductions {
        let on = |off: bool| !self.no_reductions && !off;
        Reductions {
            ranges: !self.no_ranges,
            fold: on(self.no_fold),
            slice: on(self.no_slice),
            stale: on(self.no_stale),
            dead: on(self.no_dead),
            symmetry: on(self.no_symmetry),
            data_symmetry: on(self.no_data_symmetry),
            partial_order: on(self.no_partial_order),
            packed: !self.no_packed,
            interfaces: on(self.no_interfaces),
            smart_order: on(self.no_smart_order),
        }
    }
}
