//! Spin: how it is called, and what its answers mean.
//!
//! `spin -a` writes a verifier in C, `cc` compiles it, `pan` searches, and `spin -t` follows the trail that it leaves
//! behind. The model prints every state, so a trail is read from what the model prints. Each line of each answer must be
//! one that is known, in the place where it means what it says.

use crate::question::BackendQuestion;
use crate::reading::unreadable;
use crate::table::Dialogue;
use crate::tools::{put, run, start};
use crate::verdicts::{SPIN, Said};
use crate::{Ended, Job, NoAnswer, Ran, Reading, Reply, Size, Tools, Trail, Unreadable};
use swarmcheck_export::File;
use swarmcheck_ir::{UNDEF, Value};

/// The name of the model's file.
pub const MODEL: &str = "emulation.pml";

/// The encoding of ⊥ in the model.
const UNDEFINED: i64 = -2_147_483_647;

/// Where Spin keeps the automaton of an `ltl` formula, in messages about it.
const CLAIM: &str = "spin: _spin_nvr.tmp:";

/// How long executions may be when Spin searches depth first.
const DEPTH: u32 = 1_000_000;

/// A question to Spin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SpinQuestion<'a> {
    pub model: &'a str,
    /// Whether the property is about infinite executions. Otherwise it is a safety property, and the shortest trail
    /// is found.
    pub forever: bool,
    /// The number of cells.
    pub width: usize,
    /// Megabytes that the search may use.
    pub memory: Option<u64>,
}

/// How Spin is asked and read.
pub(crate) struct Spin;

const NAME: &str = "Spin";

impl Dialogue for Spin {
    fn ask(
        &self,
        question: &BackendQuestion<'_>,
        files: &[Vec<File>],
        _: &[&'static str],
        tools: &mut dyn Tools,
    ) -> Result<Reply, NoAnswer> {
        let question = SpinQuestion {
            model: &files[0][0].text,
            forever: question.goes_on(),
            width: question.flat.width(),
            memory: question.memory.map(|bytes| bytes >> 20),
        };
        ask(tools, &question)
    }

    fn read(&self, question: &BackendQuestion<'_>, found: &str) -> Result<Reply, Unreadable> {
        Ok(Reply::new(Reading::Followed(trail(found, question.flat.width())?), NAME))
    }
}

pub fn ask(tools: &mut dyn Tools, question: &SpinQuestion<'_>) -> Result<Reply, NoAnswer> {
    put(tools, [(MODEL, question.model)])?;
    run(tools, "spin", &["-a", MODEL])?;
    let memory = format!("-DMEMLIM={}", question.memory.unwrap_or(1_000_000));
    let vector = format!("-DVECTORSZ={}", (question.width * 4 + 2048).next_multiple_of(1024));
    let mut compile = vec!["-O1", "-w", "-DNOREDUCE", "-DNOFAIR", &memory, &vector];
    // Breadth first, trails are as short as can be.
    compile.extend(if question.forever { &[][..] } else { &["-DSAFETY", "-DBFS"] });
    compile.extend(["-o", "pan", "pan.c"]);
    run(tools, "cc", &compile)?;
    let depth = format!("-m{DEPTH}");
    // The table of states starts small and grows.
    let search: &[&str] = if question.forever { &["-a", "-n", "-w20", &depth] } else { &["-n", "-w20"] };
    let searched = start(tools, &Job::new("./pan", search))?;
    let (reading, size) = match report(&searched, question.forever)? {
        Report::Memory => return Err(NoAnswer::Memory),
        Report::GaveUp(why) => return Err(NoAnswer::Unsupported(format!("Spin gave up: {why}"))),
        Report::Nothing(size) => (Reading::Holds, size),
        Report::Trail(size) => {
            let followed = run(tools, "spin", &["-t", "-T", "-B", MODEL])?;
            (Reading::Followed(trail(&followed.output, question.width)?), size)
        }
    };
    Ok(Reply { size, ..Reply::new(reading, NAME) })
}

/// What the verifier reports.
#[derive(Debug, PartialEq)]
enum Report {
    Nothing(Size),
    Trail(Size),
    Memory,
    GaveUp(String),
}

/// Reads what the verifier prints. Nothing is taken for granted: that everything was searched, and searched for the right
/// thing, must be written there.
fn report(ran: &Ran, forever: bool) -> Result<Report, Unreadable> {
    // Where memory is short, advice follows that is of no use here, and what was counted so far says nothing.
    let short =
        |line: &str| line.trim() == "pan: reached -DMEMLIM bound" || line.trim() == "pan: out of memory";
    if ran.output.lines().chain(ran.errors.lines()).any(short) {
        return Ok(Report::Memory);
    }
    let mut found: Vec<&str> = vec![];
    let mut errors: Option<u64> = None;
    let mut size = Size::default();
    let (mut wrote, mut cut, mut full) = (false, false, false);
    let mut gave_up: Option<&str> = None;
    let mut looked_for = vec![];
    for line in ran.output.lines().chain(ran.errors.lines()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let text = line.trim();
        match words.as_slice() {
            [] => {}
            _ if SPIN.verdict(text).is_some() => found.extend(SPIN.verdict(text)),
            ["pan:", "wrote", _] => wrote = true,
            ["pan:", "elapsed", "time", ..]
            | ["pan:", "rate", ..]
            | ["pan:", "resizing", "hashtable", ..] => {}
            _ if text.starts_with("error: max search depth too small") => {
                gave_up = Some("executions are longer than the depth limit of the search");
            }
            _ if text.contains("VECTORSZ") => gave_up = Some("states are too large"),
            ["Warning:", "Search", "not", "completed"] => cut = true,
            ["Full", "statespace", "search", "for:"] => full = true,
            ["never", "claim", ..] => {}
            ["assertion", "violations", sign, ..] => looked_for.push(("assertions", sign.starts_with('+'))),
            ["acceptance", "cycles", sign, ..] => looked_for.push(("cycles", sign.starts_with('+'))),
            ["cycle", "checks", ..] | ["invalid", "end", "states", ..] => {}
            ["+", "Breadth-First", "Search"] | ["+", "Partial", "Order", "Reduction"] => {}
            _ if text.starts_with("(Spin Version ") && text.ends_with(')') => {}
            ["State-vector", _, "byte,", "depth", "reached", _, "errors:", n] => {
                let number = n.parse::<u64>().ok();
                if number.is_none() || errors.is_some() {
                    return unreadable(format!("Spin's count of errors cannot be read: {text}"));
                }
                errors = number;
            }
            [n, "states,", "stored", ..] => size.states = count(n)?,
            [n, "transitions", ..] => size.transitions = count(n)?,
            [_, "states,", "matched"] | [_, "atomic", "steps"] | [_, "nominal", "states", ..] => {}
            ["hash", "conflicts:", ..] | ["Stats", "on", "memory", "usage", ..] => {}
            [_, "memory", "used", "for", ..]
            | [_, "equivalent", "memory", "usage", ..]
            | [_, "actual", "memory", "usage", ..]
            | ["state-vector", "as", "stored", ..]
            | [_, "total", "actual", "memory", "usage"]
            | [_, "memory", "lost", ..]
            | [_, "other", ..] => {}
            // Said while a long search goes on.
            ["Depth=", ..] => {}
            _ => return unreadable(format!("Spin's verifier prints an unknown line: {text}")),
        }
    }
    if let Some(why) = gave_up {
        return Ok(Report::GaveUp(why.to_string()));
    }
    let wanted = if forever { "cycles" } else { "assertions" };
    if !full || !looked_for.contains(&(wanted, true)) {
        return unreadable(format!("Spin's verifier does not report a search for {wanted}"));
    }
    match (errors, found.as_slice(), ran.ended) {
        (Some(0), [], Ended::Code(0)) if !cut && !wrote => Ok(Report::Nothing(size)),
        (Some(1), [what], Ended::Code(0)) if wrote => match SPIN.say(what) {
            Some(Said::Violated) => Ok(Report::Trail(size)),
            _ => unreadable(format!("Spin reports an unexpected error: {what}")),
        },
        _ => unreadable("the counts of Spin's verifier contradict its findings".to_string()),
    }
}

/// Large numbers are printed with an exponent.
fn count(text: &str) -> Result<u64, Unreadable> {
    match text.parse::<f64>() {
        Ok(n) if (0.0..1e18).contains(&n) => Ok(n as u64),
        _ => unreadable(format!("{text} is not a number of states")),
    }
}

/// Reads what the model prints along a trail: the output of `spin -t -T -B`.
pub fn trail(output: &str, width: usize) -> Result<Trail, Unreadable> {
    let mut trail = Trail::default();
    let mut open: Option<Vec<Value>> = None;
    let (mut ended, mut over) = (false, false);
    for line in output.lines() {
        let text = line.trim();
        // The verifier stops where an assertion is violated; what follows the trail runs on to the end of the step.
        if over && !text.starts_with("spin: trail ends after ") {
            continue;
        }
        if let Some(cells) = &mut open {
            let Some(values) = text.strip_prefix("@cells ") else {
                return unreadable(format!("a state was expected, not: {text}"));
            };
            for value in values.split_whitespace() {
                match value.parse::<i64>() {
                    Ok(UNDEFINED) => cells.push(UNDEF),
                    Ok(value) => cells.push(value),
                    Err(_) => return unreadable(format!("{value} is not the value of a cell")),
                }
            }
            if cells.len() > width {
                return unreadable("a state has too many cells");
            }
        } else if text == "@state" {
            open = Some(vec![]);
        } else if let Some(step) = text.strip_prefix("@step ") {
            let parts: Vec<Option<u32>> = step.split_whitespace().map(|p| p.parse().ok()).collect();
            let (&[Some(function), Some(agent)], None) = (parts.as_slice(), trail.attempted) else {
                return unreadable(format!("a step was expected, not: {text}"));
            };
            trail.attempted = Some((function, agent));
        } else if text == "<<<<<START OF CYCLE>>>>>" {
            trail.cycle = Some(trail.steps.len());
        } else if text.starts_with("spin: trail ends after ") {
            ended = true;
        } else if text.starts_with("spin: ") && text.ends_with("Error: assertion violated") {
            over = true;
            // A claim speaks of the states between steps: a step that has begun says nothing.
            if text.starts_with(CLAIM) {
                trail.attempted = None;
            }
        } else if !known_in_trail(text) {
            return unreadable(format!("Spin's trail has an unknown line: {text}"));
        }
        if open.as_ref().is_some_and(|cells| cells.len() == width) {
            let state = open.take().unwrap_or_default();
            match (trail.attempted.take(), trail.states.is_empty()) {
                (None, true) => {}
                (Some(step), false) => trail.steps.push(step),
                _ => return unreadable("a state without a step, or a step without a state"),
            }
            trail.states.push(state);
        }
    }
    match ended && open.is_none() {
        true => Ok(trail),
        false => unreadable("Spin's trail does not end"),
    }
}

/// Lines of a trail that say nothing about the execution.
fn known_in_trail(text: &str) -> bool {
    let beginnings = ["ltl ", "Never claim moves to line ", "starting claim "];
    // Files written within one tick of the clock seem to be in the wrong order; whether a trail fits is seen in
    // replaying it.
    let doubt = text.starts_with("spin: warning, \"")
        && text.contains("\" is newer than ")
        && text.ends_with(".trail");
    text.is_empty()
        || doubt
        || text == "using statement merging"
        || beginnings.iter().any(|b| text.starts_with(b))
}
