//! Scheduling: which entrants run now.
//!
//! There are two groups. Of the explicit engine's searches one is awake at a time, with all threads. The others share as
//! many places as there are pairs of threads, at least one. In each group whoever has had the least is next: first the
//! question that has had the least time, then the engine that has had the least of its share. Turns grow, so what is easy
//! is answered soon and what is hard is not interrupted often. Where it is known when the caller will stop, no turn is
//! longer than what is left divided by the questions that are open.
//!
//! Many questions that have just been opened to all engines are a crowd. Most of them are answered by the first turns of
//! these engines, or by none soon: so the crowd gets all threads, and the searches wait until it is gone. That does not take more than a
//! part of the time, and nobody is kept waiting whom only a search can answer.

use super::Steward;
use crate::entrant::{Phase, Work};
use crate::memory::{STACK, WAIT};
use crate::race::Message;
use crate::turns::FIRST;
use std::ops::Range;
use std::sync::mpsc::Sender;
use std::thread::{Builder, Scope};

/// Questions that have just been opened to all engines are a crowd if there are more than this.
const CROWD: usize = 3;

/// For so many waits in all, or a third of the time that is left, searches wait for crowds.
const CROWD_WAITS: u64 = 1000;

/// Others have hardly been asked a question if they have had less than three first turns, in waits.
const FRESH: u64 = 90 + FIRST;

/// Turns are not made shorter than this because time is short, in waits.
const SHORTEST: u64 = 5;

/// The waits that were spent: by each search, divided by its open questions; on each question, by all who are asked it alone.
struct Had {
    of_search: Vec<u64>,
    of_question: Vec<u64>,
}

impl<'a, A> Steward<'a, A> {
    /// Decides who runs now.
    pub(super) fn turns<'scope>(&mut self, scope: &'scope Scope<'scope, 'a>, sender: &Sender<Message>) {
        let race = self.field.race;
        let (searches, all) = (self.field.plans.len(), self.standings.len());
        let threads = race.task.threads.max(1);
        let had = self.had();
        let fresh = self.fresh(&had);
        self.crowd = fresh > if self.crowd { 0 } else { CROWD.max(threads) }
            && self.crowded < CROWD_WAITS.min(self.left() / 3)
            && self.questions.iter().all(|q| q.joined || !q.is_open());
        let (ours, theirs) = match self.crowd {
            _ if race.only.is_some() => (1, 1),
            true => (0, threads),
            false => (1, (threads / 2).max(1)),
        };
        self.group(0..searches, ours, &had, scope, sender);
        self.group(searches..all, theirs, &had, scope, sender);
    }

    /// How many questions are open to engines that have hardly been asked.
    fn fresh(&self, had: &Had) -> usize {
        let mut goes_on = vec![false; self.questions.len()];
        for (entrant, standing) in self.field.entrants.iter().zip(&self.standings) {
            if let Work::Question(question) = entrant.work {
                goes_on[question] |= standing.phase != Phase::Over;
            }
        }
        let questions = self.questions.iter().zip(goes_on).zip(&had.of_question);
        let fresh =
            questions.filter(|((q, goes_on), used)| q.joined && q.is_open() && *goes_on && **used < FRESH);
        fresh.count()
    }

    /// What searches and questions have had: handing out turns changes none of it.
    fn had(&self) -> Had {
        let mut of_question = vec![0; self.questions.len()];
        let mut of_search = vec![0; self.field.plans.len()];
        for question in self.questions.iter().filter(|q| q.is_open()) {
            question.search.into_iter().for_each(|search| of_search[search] += 1);
        }
        for (entrant, standing) in self.field.entrants.iter().zip(&self.standings) {
            match entrant.work {
                Work::Search(search) => of_search[search] = standing.clock.used / of_search[search].max(1),
                Work::Question(question) => of_question[question] += standing.clock.used,
            }
        }
        Had { of_search, of_question }
    }

    /// Hands out the places of a group.
    fn group<'scope>(
        &mut self,
        group: Range<usize>,
        places: usize,
        had: &Had,
        scope: &'scope Scope<'scope, 'a>,
        sender: &Sender<Message>,
    ) {
        let entrants = &self.field.entrants;
        loop {
            // One that was told to stop must not be made to wait any more.
            let there = group.clone().filter(|&n| self.standings[n].phase != Phase::Over);
            let (awake, asleep): (Vec<usize>, Vec<usize>) =
                there.filter(|&n| !entrants[n].is_stopped()).partition(|&n| entrants[n].turn.mine());
            if awake.len() > places {
                let last = awake.into_iter().max_by_key(|&n| self.rank(n, had));
                last.into_iter().for_each(|n| entrants[n].turn.set(false));
                continue;
            }
            let Some(next) = asleep.into_iter().min_by_key(|&n| self.rank(n, had)) else { return };
            if awake.len() >= places {
                let most = self.longest();
                let Some(&tired) = awake.iter().find(|&&n| self.standings[n].clock.over(most)) else {
                    return;
                };
                if self.rank(tired, had) <= self.rank(next, had) {
                    self.standings[tired].clock.turn = 0;
                    return;
                }
                entrants[tired].turn.set(false);
            }
            self.wake(next, scope, sender);
        }
    }

    /// The least is next. Those who have been displaced come after all others, because they need the memory.
    fn rank(&self, number: usize, had: &Had) -> impl Ord + use<A> {
        let (entrant, standing) = (&self.field.entrants[number], &self.standings[number]);
        let used = match entrant.work {
            Work::Search(search) => had.of_search[search],
            Work::Question(question) => had.of_question[question],
        };
        let share = standing.clock.share(standing.place);
        let early = entrant.entry.early.map_or(u32::MAX, |early| early.place);
        (standing.displaced, used, share, early, standing.place, number)
    }

    /// The longest turn that leaves something for every question, in waits.
    fn longest(&self) -> u64 {
        let open = self.questions.iter().filter(|q| q.is_open()).count().max(1);
        (self.left() / open as u64).max(SHORTEST)
    }

    /// The waits that are left until the caller will stop.
    fn left(&self) -> u64 {
        let control = self.field.race.control;
        let Some(end) = control.budget.seconds else { return u64::MAX };
        ((end - control.progress.seconds()).max(0.0) / WAIT.as_secs_f64()) as u64
    }

    fn wake<'scope>(&mut self, number: usize, scope: &'scope Scope<'scope, 'a>, sender: &Sender<Message>) {
        let (field, sender) = (self.field, sender.clone());
        let (entrant, standing) = (&field.entrants[number], &mut self.standings[number]);
        standing.clock.turn = 0;
        entrant.turn.set(true);
        if standing.phase == Phase::Running {
            return;
        }
        standing.phase = Phase::Running;
        let budget = self.budget;
        let own = sender.clone();
        let work = move || entrant.run(number, field, budget, &own);
        if Builder::new().stack_size(STACK).spawn_scoped(scope, work).is_err() {
            match entrant.work {
                // Without threads there is no race.
                Work::Search(_) => entrant.run(number, field, budget, &sender),
                Work::Question(_) => self.standings[number].phase = Phase::Over,
            }
        }
    }
}
