//! `swarmcheck test`: project files as test suites.

mod junit;
mod plan;
mod report;
mod work;

use crate::arguments::TestArguments;
use crate::exit::Exit;
use crate::progress::StatusLines;
use crate::shell::Shell;
use plan::{Plan, plan};
use report::Report;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};
use swarmcheck_session::Event;
use swarmcheck_session::event::ProgressData;
use work::{Done, Result, Status, Work};

/// How often the line that says how far the work has come is looked at.
const TICK: Duration = Duration::from_millis(100);

/// Decides the claims of project files.
pub fn run(arguments: &TestArguments, shell: &Shell) -> Exit {
    let plan = match plan(arguments, shell) {
        Ok(plan) => plan,
        Err(exit) => return exit,
    };
    let mut report = Report::new(&plan, arguments, shell);
    if arguments.list {
        return report.list();
    }
    let target = match junit::target(&plan, arguments, shell) {
        Ok(target) => target,
        Err(exit) => return exit,
    };
    let began = Instant::now();
    report.wrong(&plan.wrong);
    left_out(&plan).into_iter().for_each(|result| report.take(result));
    decide(&plan, arguments, shell, &mut report);
    let stored = target.map_or(Exit::Fine, |target| {
        let document = junit::document(&plan, report.results(), report.diagnostics());
        shell.store(&target, document.as_bytes())
    });
    report.finish(began.elapsed()).and(stored)
}

/// Cases that are slow have their results at once.
fn left_out(plan: &Plan) -> Vec<Result> {
    let cases = plan.cases.iter().enumerate().filter(|(_, case)| case.left_out);
    let result = |case| Result { case, status: Status::LeftOut, answer: None, why: None, exit: Exit::Fine };
    cases.map(|(case, _)| result(case)).collect()
}

/// Works on several models at the same time, and tells of results as they come.
fn decide(plan: &Plan, arguments: &TestArguments, shell: &Shell, report: &mut Report<'_>) {
    let jobs = plan.jobs();
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get().min(256));
    let workers = arguments.jobs.map_or(cores, usize::from).min(jobs.len()).max(1);
    let limits = shell.limits(&arguments.limits);
    let flag = shell.interruption();
    let interrupted = move || flag.load(Ordering::Relaxed);
    let work = Work {
        plan,
        interrupted: &interrupted,
        limits,
        memory: limits.memory.map(|memory| memory / workers as u64),
        threads: (cores / workers).max(1),
        no_reductions: arguments.no_reductions,
    };
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel::<Done>();
    let mut line = StatusLines::new(shell.progress, "states", None);
    let all: usize = jobs.iter().map(Vec::len).sum();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let (work, jobs, next, sender) = (&work, &jobs, &next, sender.clone());
            scope.spawn(move || {
                while let Some(cases) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if sender.send(work.decide(cases)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut decided = 0;
        loop {
            match receiver.recv_timeout(TICK) {
                Ok(done) => {
                    line.clear();
                    decided += done.results.len();
                    report.wrong(&done.wrong);
                    done.results.into_iter().for_each(|result| report.take(result));
                }
                Err(RecvTimeoutError::Timeout) => {
                    let elapsed = limits.began.elapsed().as_secs_f64();
                    line.counts(decided, all);
                    line.hear(&Event::Progress(ProgressData { elapsed, ..ProgressData::default() }));
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    });
    line.clear();
}
