//! `swarmcheck sweep`: the same question at many points.
//!
//! Points are worked on in worker processes, several at a time. What is done goes to a journal at once, and the table is made of the
//! journal when all is done; so it does not matter how often, where and in which order the work was done.

pub mod finish;
pub mod keep;
mod lines;
mod plan;
mod pool;
mod ranks;
mod slurm;
mod work;

use crate::arguments::SweepArguments;
use crate::exit::Exit;
use crate::jobs;
use crate::output::distinct;
use crate::plotting;
use crate::shell::Shell;
use finish::Finish;
use keep::{Keeper, Unkept};
use plan::{Plan, plan};
use pool::Pool;
use swarmcheck_session::Refusal;
use swarmcheck_session::event::Outcomes;
use swarmcheck_source::Severity;
use swarmcheck_source::data::DiagnosticData;
use swarmcheck_sweep::journal::{Collected, Header};
use work::Share;

/// Asks at all points.
pub fn run(arguments: &SweepArguments, shell: &Shell) -> Exit {
    match swept(arguments, shell) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn swept(arguments: &SweepArguments, shell: &Shell) -> Result<Exit, Exit> {
    let out = arguments.work.out.as_deref();
    let inputs: Vec<&str> =
        [arguments.file.as_str()].into_iter().chain(arguments.points.points.as_deref()).collect();
    let script = arguments.cluster.slurm_script.as_deref().map(|path| ("--slurm-script", path));
    let drawing = arguments.work.plot.as_deref();
    let plot = drawing.map(|path| ("--plot", path));
    let outputs: Vec<(&str, &str)> =
        out.map(|path| ("--out", path)).into_iter().chain(script).chain(plot).collect();
    distinct(&inputs, &outputs).map_err(|e| shell.usage(&e))?;
    let target = out.map(|path| shell.target(path)).transpose()?;
    if let Some(path) = drawing {
        plotting::format(path).map_err(|why| shell.usage(&why))?;
        shell.target(path)?;
    }
    let plan = plan(arguments, shell)?;
    if arguments.cluster.slurm || arguments.cluster.slurm_script.is_some() {
        return slurm::run(arguments, &plan, target.as_ref(), shell);
    }
    // Whoever names a part means that one, wherever the process was started.
    let rank = match arguments.cluster.shard {
        Some(_) => None,
        None => ranks::here(),
    };
    let shard = arguments.cluster.shard.or(rank.map(|rank| (rank.number + 1, rank.of)));
    if shard.is_some() && plan.header.boundary.is_some() {
        let why =
            "each value of a boundary depends on those before: --boundary is for one machine, with --jobs";
        return Err(shell.usage(why));
    }
    let journal = match (out, target.as_ref().is_some_and(|target| target.is_special())) {
        (Some(out), false) => Some(keep::path(out, shard)),
        _ if rank.is_some() => {
            return Err(shell
                .usage("several processes share this sweep: --out FILE says where they leave their parts"));
        }
        _ if shard.is_some() || arguments.work.resume => {
            return Err(
                shell.usage("--shard and --resume need --out with a file, beside which the journal is")
            );
        }
        _ => None,
    };
    let header = Header { shard, ..plan.header.clone() };
    let (keeper, entries) = match &journal {
        None => (None, vec![]),
        Some(path) => {
            let opened = Keeper::open(path, &header, arguments.work.resume).map_err(|why| match why {
                Unkept::Usage(why) => shell.usage(&why),
                Unkept::Failure(why) => shell.failure(&why),
            });
            let (keeper, entries) = opened?;
            (Some(keeper), entries)
        }
    };
    let again = |failed: &Option<swarmcheck_sweep::journal::Failure>| {
        let retry = |failure: &swarmcheck_sweep::journal::Failure| failure.kind.is_worth_another_try();
        arguments.work.retry_failed && failed.as_ref().is_some_and(retry)
    };
    let kept = entries.into_iter().filter(|entry| !again(&entry.failure)).map(|entry| (entry.point, entry));
    let known = Collected { header: plan.header.clone(), entries: kept.collect() };
    let resumed = known.entries.len();
    let limits = shell.limits(&arguments.limits);
    let share = Share {
        limits,
        timeout: arguments.work.point_timeout,
        memory: limits.memory.map(|memory| memory / plan.jobs as u64),
    };
    if known.entries.is_empty()
        && let Err(exit) = probe(&plan, share, shell)
    {
        if let Some(keeper) = keeper {
            keeper.abandon();
        }
        return Err(exit);
    }
    let own: Vec<usize> = (0..plan.points.count()).filter(|point| header.owns(*point)).collect();
    // One rank tells of progress for all.
    let speaks = rank.is_none_or(|rank| rank.number == 0);
    let mut pool = Pool::new(&plan, share, known, keeper, own.len(), speaks, shell);
    if resumed > 0 && speaks {
        shell.note(&format!("going on: {resumed} of {} points are done", own.len()));
    }
    let worked = match &plan.header.boundary {
        None => pool.batch(&own),
        Some(boundary) => lines::search(&mut pool, &plan.points, boundary),
    };
    let (known, keeper) = pool.end();
    if let Err(exit) = worked {
        return Err(stopped(exit, &known, keeper, own.len(), shell));
    }
    if let (Some(rank), Some(out)) = (rank, out) {
        // Whoever ends with an error would make mpirun end the others.
        if rank.number > 0 {
            return Ok(Exit::Fine);
        }
        drop(keeper);
        let known = ranks::wait(&plan.header, out, rank, limits, shell)?;
        return Ok(Finish { plot: drawing, ..Finish::new(&known, target.as_ref(), out) }.write(shell));
    }
    if let (Some(shard), Some(journal)) = (shard, &journal) {
        let (number, of) = shard;
        shell.note(&format!(
            "part {number} of {of} is done: {} points in {journal}; 'swarmcheck collect --out {}' makes the table",
            known.entries.len(),
            out.unwrap_or_default()
        ));
        return Ok(finish::exit(&known));
    }
    let boundaries = plan.header.boundary.as_ref().map(|mark| lines::found(&known, &plan.points, mark));
    let finish =
        Finish { boundaries, plot: drawing, ..Finish::new(&known, target.as_ref(), out.unwrap_or_default()) };
    Ok(finish.write(shell))
}

/// The work has ended early: what is done is safe, and how to go on is said.
fn stopped(exit: Exit, known: &Collected, keeper: Option<Keeper>, all: usize, shell: &Shell) -> Exit {
    let Some(keeper) = keeper else {
        if matches!(exit, Exit::Interrupted | Exit::TimeLimit) {
            shell
                .failure(&format!("{}: nothing was written; with --out the work can be resumed", word(exit)));
        }
        return exit;
    };
    match exit {
        Exit::Interrupted | Exit::TimeLimit => {
            shell.failure(&format!(
                "{}: {} of {all} points are done, and kept in {}; the same command with --resume goes on",
                word(exit),
                known.entries.len(),
                keeper.path()
            ));
        }
        _ => keeper.abandon(),
    }
    exit
}

fn word(exit: Exit) -> &'static str {
    if exit == Exit::Interrupted { "interrupted" } else { "the time limit was reached" }
}

/// Looks at the first and the last point. If the model has the same errors at both, it is not the point that is wrong.
fn probe(plan: &Plan, share: Share, shell: &Shell) -> Result<(), Exit> {
    let last = plan.points.count() - 1;
    let mut same: Option<Vec<DiagnosticData>> = None;
    for index in [0, last] {
        let request = plan.check(&plan.points.point(index));
        let interrupted = || shell.interrupted();
        let (answer, _) =
            work::ask(request, share.limits, &interrupted).map_err(|why| shell.failure(&why))?;
        let Ok(Outcomes::Check { diagnostics, .. }) = answer else { return Ok(()) };
        let errors = diagnostics.into_iter().filter(|d| d.severity == Severity::Error);
        let errors: Vec<DiagnosticData> = errors.collect();
        if errors.is_empty() {
            return Ok(());
        }
        let place = |d: &DiagnosticData| (d.place.line, d.place.column, d.message.clone());
        let equal = |other: &Vec<DiagnosticData>| other.iter().map(place).eq(errors.iter().map(place));
        if same.as_ref().is_some_and(|other| !equal(other)) {
            return Ok(());
        }
        same = Some(errors);
        // One point alone cannot tell; but then nothing is lost either.
        if last == 0 {
            break;
        }
    }
    let refusal = Refusal::Model { diagnostics: same.unwrap_or_default() };
    Err(jobs::refused(refusal, &[&plan.input.file], shell))
}
