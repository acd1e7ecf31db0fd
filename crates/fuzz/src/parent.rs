//! Starts children, hears them, keeps the inputs that panic, hang, take too much memory or kill the process, and goes on
//! behind them.

use crate::Target;
use crate::child::Work;
use crate::mutate::Mutator;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// So many inputs are kept of one sort: of a panic at one place, for instance.
const KEPT: usize = 3;

/// After so many deaths of a child a target is left alone.
const DEATHS: usize = 40;

/// What came of the work on a target.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub executions: u64,
    /// The number after the last one.
    pub next: u64,
    pub seconds: f64,
    /// How often, by what was found.
    pub found: BTreeMap<String, u64>,
    /// Milliseconds of the longest execution, and its number.
    pub longest: f64,
    pub slowest: u64,
    /// The most memory that was seen in use, in bytes.
    pub peak: u64,
}

/// How a child ended.
enum Ended {
    Done,
    /// It told which input was too much.
    Told(u64),
    /// It died, after this number at the earliest.
    Died(u64),
}

/// Works on a target for some time, or up to a number; inputs with findings are written to `out`.
pub fn run(target: &Target, work: Work, out: &Path) -> std::io::Result<Report> {
    let began = Instant::now();
    let mut report = Report { next: work.from, ..Report::default() };
    let mut deaths = 0;
    while report.next < work.to && deaths < DEATHS {
        let left = work.seconds - began.elapsed().as_secs_f64();
        if left <= 0.0 {
            break;
        }
        let part = Work { from: report.next, seconds: left, ..work };
        match child(target, part, out, &mut report)? {
            Ended::Done => break,
            Ended::Told(number) => report.next = number + 1,
            Ended::Died(from) => {
                // Which one it was is found by telling every number before it is executed.
                let again =
                    Work { from, to: from.saturating_add(20_000_000), seconds: 600.0, careful: true, ..work };
                let mut quiet = Report::default();
                match child(target, again, out, &mut quiet)? {
                    Ended::Died(number) => {
                        keep(target, work.seed, number, "crash", "the process was killed", out, &mut report)?;
                        report.next = number + 1;
                    }
                    Ended::Told(number) => report.next = number + 1,
                    Ended::Done => {
                        *report.found.entry("a death that was not seen again".to_string()).or_default() += 1;
                        report.next = from + 1;
                    }
                }
            }
        }
        deaths += 1;
    }
    report.seconds = began.elapsed().as_secs_f64();
    Ok(report)
}

fn child(target: &Target, work: Work, out: &Path, report: &mut Report) -> std::io::Result<Ended> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args([
        "child",
        target.name,
        &work.seed.to_string(),
        &work.from.to_string(),
        &work.to.to_string(),
    ]);
    command.args([work.seconds.to_string(), u8::from(work.careful).to_string()]);
    #[cfg(feature = "whole")]
    if std::env::var_os(swarmcheck_session::STACK.0).is_none() {
        command.env(swarmcheck_session::STACK.0, swarmcheck_session::STACK.1);
    }
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let lines = BufReader::new(child.stdout.take().expect("it was asked for"));
    let (mut at, mut executed, mut told, mut done) = (work.from, 0, None, false);
    for line in lines.lines().map_while(Result::ok) {
        let mut words = line.splitn(3, ' ');
        let (word, first) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let rest = words.next().unwrap_or_default();
        let number: u64 = first.parse().unwrap_or(at);
        match word {
            "at" => (at, executed) = (number, rest.parse().unwrap_or(executed)),
            "panic" => keep(target, work.seed, number, "panic", rest, out, report)?,
            "hang" | "memory" => {
                keep(target, work.seed, number, word, rest, out, report)?;
                told = Some(number);
            }
            "done" => {
                let values: Vec<u64> = rest.split(' ').filter_map(|value| value.parse().ok()).collect();
                if let [count, longest, slowest, peak] = values[..] {
                    executed = count;
                    if longest as f64 / 1000.0 > report.longest {
                        (report.longest, report.slowest) = (longest as f64 / 1000.0, slowest);
                    }
                    report.peak = report.peak.max(peak);
                }
                report.next = number + 1;
                done = true;
            }
            _ => {}
        }
    }
    child.wait()?;
    report.executions += executed;
    Ok(match (done, told) {
        (true, _) => Ended::Done,
        (_, Some(number)) => Ended::Told(number),
        _ => Ended::Died(at),
    })
}

/// Counts a finding, and writes its input if there are not many of the sort.
fn keep(
    target: &Target,
    seed: u64,
    number: u64,
    kind: &str,
    what: &str,
    out: &Path,
    report: &mut Report,
) -> std::io::Result<()> {
    let place = what.split(' ').next().unwrap_or_default();
    let sort = if kind == "panic" { format!("panic at {place}") } else { kind.to_string() };
    let count = report.found.entry(sort).or_default();
    *count += 1;
    if *count as usize <= KEPT {
        let folder = out.join(target.name);
        std::fs::create_dir_all(&folder)?;
        let input = Mutator::new(target).input(seed, number);
        std::fs::write(folder.join(format!("{kind}-{seed}-{number}")), &input)?;
        let line =
            json!({ "target": target.name, "seed": seed, "number": number, "kind": kind, "what": what });
        append(&out.join("findings.jsonl"), &line.to_string())?;
        eprintln!("{}: {kind} with input {number} of seed {seed}: {what}", target.name);
    }
    Ok(())
}

/// Writes a line behind a file.
pub fn append(path: &Path, line: &str) -> std::io::Result<()> {
    use std::io::Write;
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(format!("{line}\n").as_bytes())
}
