//! Several points at a time, each in a process of its own; what is done goes to the journal at once.

use super::keep::Keeper;
use super::plan::Plan;
use super::work::{Done, Share, work};
use crate::exit::Exit;
use crate::jobs;
use crate::progress::{StatusLines, Style};
use crate::shell::Shell;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use swarmcheck_session::Event;
use swarmcheck_session::event::ProgressData;
use swarmcheck_sweep::journal::Collected;

/// How often the line that says how far the work has come is looked at.
const TICK: Duration = Duration::from_millis(100);

/// Those who work, and what they have found.
pub struct Pool<'p> {
    plan: &'p Plan,
    share: Share,
    shell: &'p Shell,
    known: Collected,
    keeper: Option<Keeper>,
    line: StatusLines,
}

impl<'p> Pool<'p> {
    /// Nobody works yet.
    pub fn new(
        plan: &'p Plan,
        share: Share,
        known: Collected,
        keeper: Option<Keeper>,
        all: usize,
        speaks: bool,
        shell: &'p Shell,
    ) -> Pool<'p> {
        let style = if speaks { shell.progress } else { Style::Silent };
        let line = StatusLines::new(style, "points", Some(all as u64));
        Pool { plan, share, shell, known, keeper, line }
    }

    /// What is known so far.
    pub fn known(&self) -> &Collected {
        &self.known
    }

    /// Everything that was found, and the journal.
    pub fn end(mut self) -> (Collected, Option<Keeper>) {
        self.line.clear();
        (self.known, self.keeper)
    }

    /// Works on these points, as far as they are not known. An error has been said, unless it is the clock or the user.
    pub fn batch(&mut self, points: &[usize]) -> Result<(), Exit> {
        let open = |point: &&usize| !self.known.entries.contains_key(*point);
        let open: Vec<usize> = points.iter().filter(open).copied().collect();
        let until_violated = self.known.header.until_violated;
        let violated = self.known.entries.values().filter(|entry| entry.violated).map(|entry| entry.point);
        let violated: Mutex<BTreeSet<usize>> = Mutex::new(violated.collect());
        let seeds = self.plan.points.per_combination();
        let superfluous = |point: usize| {
            let known = violated.lock().unwrap_or_else(PoisonError::into_inner);
            until_violated && known.range(point - point % seeds..point).next().is_some()
        };
        let (next, over) = (AtomicUsize::new(0), AtomicBool::new(false));
        let flag = self.shell.interruption();
        let limits = self.share.limits;
        let interrupted = || flag.load(Ordering::Relaxed) || over.load(Ordering::Relaxed);
        let (sender, receiver) = mpsc::channel::<Done>();
        let (plan, share, shell) = (self.plan, self.share, self.shell);
        let (known, keeper, line) = (&mut self.known, &mut self.keeper, &mut self.line);
        let mut failed = None;
        std::thread::scope(|scope| {
            for _ in 0..plan.jobs.min(open.len()) {
                let (sender, open, next, interrupted, superfluous) =
                    (sender.clone(), &open, &next, &interrupted, &superfluous);
                scope.spawn(move || {
                    while !interrupted() && !limits.expired() {
                        let Some(point) = open.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
                        if superfluous(*point) {
                            continue;
                        }
                        let done = work(plan, plan.points.point(*point), share, &|| interrupted());
                        if sender.send(done).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            loop {
                let problem = match receiver.recv_timeout(TICK) {
                    Ok(Done::Entry(entry)) => {
                        let kept = match keeper {
                            Some(keeper) => keeper.append(&entry),
                            None => Ok(*entry),
                        };
                        match kept {
                            Ok(entry) => {
                                if entry.violated {
                                    let mut all = violated.lock().unwrap_or_else(PoisonError::into_inner);
                                    all.insert(entry.point);
                                }
                                known.entries.insert(entry.point, entry);
                                None
                            }
                            Err(why) => Some(Done::Broken(why)),
                        }
                    }
                    Ok(Done::Stopped) | Err(RecvTimeoutError::Timeout) => None,
                    Ok(problem) => Some(problem),
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if let Some(problem) = problem
                    && failed.is_none()
                {
                    line.clear();
                    over.store(true, Ordering::Relaxed);
                    failed = Some(match problem {
                        Done::Refused(refusal) => jobs::refused(*refusal, &plan.files(), shell),
                        Done::Broken(why) => shell.failure(&why),
                        _ => Exit::Failure,
                    });
                }
                let elapsed = limits.began.elapsed().as_secs_f64();
                let done = known.entries.len() as u64;
                line.hear(&Event::Progress(ProgressData { done, elapsed, ..ProgressData::default() }));
            }
        });
        match failed {
            Some(exit) => Err(exit),
            None if open.iter().all(|point| self.is_settled(*point)) => Ok(()),
            None if shell.interrupted() => Err(Exit::Interrupted),
            None if limits.expired() => Err(Exit::TimeLimit),
            None => Err(shell.failure("internal error: a point was lost; please report this")),
        }
    }

    fn is_settled(&self, point: usize) -> bool {
        self.known.entries.contains_key(&point) || self.known.is_superfluous(point)
    }
}
