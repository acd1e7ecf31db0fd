//! The one who looks after a race: judges what is found, stops those that are not needed any more, watches memory, and
//! hands out turns. It has no clock; it counts waits.

use crate::entrant::{Entrant, Phase, Standing};
use crate::explicit;
use crate::memory::{Meter, STACK, WAIT, blame};
use crate::race::{Fate, Field, Judge, Message, Question, Who};
use crate::table::{ENGINES, Sort};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{Builder, Scope};
use swarmcheck_engine::{Finding, Reason};

/// Looks at memory are this many waits apart.
const LOOKS: u64 = 10;

/// Looks after the race.
pub(crate) struct Steward<'a, A> {
    field: &'a Field<'a>,
    /// The explicit engine is done with these searches.
    made: Vec<bool>,
    /// It was stopped in these because of its memory.
    full: Vec<bool>,
    standings: Vec<Standing>,
    pub(crate) questions: Vec<Question<A>>,
    meter: Option<Meter<'a>>,
    waits: u64,
}

impl<'a, A> Steward<'a, A> {
    pub(crate) fn new(field: &'a Field<'a>, questions: Vec<Question<A>>) -> Steward<'a, A> {
        Steward {
            field,
            made: vec![false; field.jobs.len()],
            full: vec![false; field.jobs.len()],
            standings: field.entrants.iter().map(|_| Standing::out()).collect(),
            questions,
            meter: Meter::new(field.race.control),
            waits: 0,
        }
    }

    /// Runs the race.
    pub(crate) fn run<'scope>(&mut self, scope: &'scope Scope<'scope, 'a>, judge: &mut Judge<'_, A>) {
        let (sender, receiver) = mpsc::channel();
        let (field, own) = (self.field, sender.clone());
        let work = move || {
            let race = field.race;
            explicit::run(race.task, &field.jobs, &field.stops, &field.watch, race.control.budget, &own);
        };
        if Builder::new().stack_size(STACK).spawn_scoped(scope, work).is_err() {
            // Without threads there is no race.
            let race = field.race;
            explicit::run(race.task, &field.jobs, &field.stops, &field.watch, race.control.budget, &sender);
        }
        while self.goes_on() {
            self.listen(&receiver, judge);
            if field.race.control.stopped() {
                self.end();
                continue;
            }
            self.join();
            self.look_at_memory();
            self.turns(scope, &sender);
        }
        self.end();
    }

    /// Whether an answer may still come.
    fn goes_on(&self) -> bool {
        let standings = &self.standings;
        let entrants = &self.field.entrants;
        self.questions.iter().enumerate().any(|(number, question)| {
            let mut others = entrants.iter().zip(standings).filter(|(e, _)| e.question == number);
            question.is_open() && (!self.made[question.search] || others.any(|(_, s)| s.phase != Phase::Over))
        })
    }

    /// Takes in what was found, or waits a moment.
    fn listen(&mut self, receiver: &Receiver<Message>, judge: &mut Judge<'_, A>) {
        match receiver.recv_timeout(WAIT) {
            Ok(Message::Found(who, finding)) => self.found(who, *finding, judge),
            Ok(Message::Gone(Who::Explicit(search))) => self.made[search] = true,
            Ok(Message::Gone(Who::Entrant(number))) => self.standings[number].phase = Phase::Over,
            // The steward has a sender itself, so they are never all gone.
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                self.waits += 1;
                let awake = self.field.entrants.iter().zip(&mut self.standings);
                awake
                    .filter(|(e, s)| s.phase == Phase::Running && e.turn.mine())
                    .for_each(|(_, s)| s.clock.tick());
            }
        }
    }

    fn found(&mut self, who: Who, mut finding: Finding, judge: &mut Judge<'_, A>) {
        let (name, full) = match who {
            Who::Explicit(search) => (ENGINES[0].name, self.full[search]),
            Who::Entrant(number) => (self.field.entrants[number].entry.name, self.standings[number].full),
        };
        let Some(number) = self.questions.iter().position(|q| q.subject == finding.subject) else { return };
        let Fate::Open(given) = &mut self.questions[number].fate else { return };
        if full {
            blame(&mut finding, &Reason::Memory);
        }
        let (answer, settled) = judge(name, finding);
        if !settled {
            given.push(answer);
            return;
        }
        self.questions[number].fate = Fate::Settled(answer, std::mem::take(given));
        for (entrant, standing) in self.field.entrants.iter().zip(&mut self.standings) {
            if entrant.question == number {
                leave(entrant, standing);
            }
        }
        let search = self.questions[number].search;
        if self.questions.iter().all(|q| q.search != search || !q.is_open()) {
            self.field.stops[search].store(true, Ordering::Relaxed);
        }
    }

    /// Everybody stops.
    fn end(&mut self) {
        self.field.stops.iter().for_each(|stop| stop.store(true, Ordering::Relaxed));
        self.field.entrants.iter().zip(&mut self.standings).for_each(|(e, s)| leave(e, s));
    }

    /// Lets others join where the explicit engine takes long, or has failed.
    fn join(&mut self) {
        let (search, late) = self.field.watch.late(self.field.race.head_start);
        for number in 0..self.questions.len() {
            let question = &mut self.questions[number];
            let wanted = self.made[question.search] || (late && question.search == search);
            if question.joined || !wanted || !question.is_open() {
                continue;
            }
            question.joined = true;
            let Ok(job) = &self.field.jobs[question.search] else { continue };
            let Some(asked) = job.questions.iter().find(|q| q.subject == question.subject) else { continue };
            let sort = Sort::of(asked.kind, job.shape);
            for (entrant, standing) in self.field.entrants.iter().zip(&mut self.standings) {
                if entrant.question == number
                    && let Some(place) = (entrant.entry.place)(sort)
                    && entrant.entry.engine(None).can_handle(&self.field.tasks[number]).is_ok()
                {
                    *standing = Standing::waiting(entrant.entry, place);
                }
            }
        }
    }

    /// If there is too little memory, somebody has to go: the explicit engine if it has most of it, or else the engine
    /// that gets the least time. One at a time, since that may be enough.
    fn look_at_memory(&mut self) {
        let Some(meter) = &self.meter else { return };
        let field = self.field;
        let mut stopping = self.full.iter().zip(&self.made).map(|(full, made)| *full && !made);
        let leaving =
            stopping.any(|yes| yes) || self.standings.iter().any(|s| s.full && s.phase == Phase::Running);
        if !self.waits.is_multiple_of(LOOKS) || leaving || !meter.is_over() {
            return;
        }
        let entrants = field.entrants.iter().zip(&mut self.standings);
        let last = entrants.filter(|(_, s)| s.phase == Phase::Running).max_by_key(|(_, s)| s.place);
        // Alone, the explicit engine keeps to its limit by itself.
        let Some((entrant, standing)) = last else { return };
        let (search, _) = field.watch.late(0);
        if meter.is_most(field.watch.bytes()) && search < field.stops.len() {
            self.full[search] = true;
            field.stops[search].store(true, Ordering::Relaxed);
        } else {
            standing.full = true;
            entrant.end();
        }
    }

    /// Decides who runs now.
    fn turns<'scope>(&mut self, scope: &'scope Scope<'scope, 'a>, sender: &Sender<Message>) {
        let field = self.field;
        let places = (field.race.task.threads / 2).max(1);
        loop {
            // One that was told to stop must not be made to wait any more.
            let (running, asleep): (Vec<usize>, Vec<usize>) = (0..self.standings.len())
                .filter(|&n| self.standings[n].phase != Phase::Over && !field.entrants[n].is_stopped())
                .partition(|&n| field.entrants[n].turn.mine());
            let asleep = asleep.into_iter();
            let next = asleep.min_by_key(|&n| {
                let s = &self.standings[n];
                (s.clock.share(s.place), !field.entrants[n].entry.soon, s.place)
            });
            let Some(next) = next else { return };
            if running.len() >= places {
                let Some(&tired) = running.iter().find(|&&n| self.standings[n].clock.over()) else { return };
                let (one, other) = (&self.standings[tired], &self.standings[next]);
                if one.clock.share(one.place) <= other.clock.share(other.place) {
                    self.standings[tired].clock.turn = 0;
                    return;
                }
                field.entrants[tired].turn.set(false);
            }
            self.wake(next, scope, sender);
        }
    }

    fn wake<'scope>(&mut self, number: usize, scope: &'scope Scope<'scope, 'a>, sender: &Sender<Message>) {
        let (field, sender) = (self.field, sender.clone());
        let (entrant, standing) = (&field.entrants[number], &mut self.standings[number]);
        standing.clock.turn = 0;
        entrant.turn.set(true);
        if standing.phase == Phase::Running {
            return;
        }
        let work = move || {
            let race = field.race;
            let means = (race.control.budget, race.control.progress);
            entrant.run(number, &field.tasks[entrant.question], race.depth, means, &sender);
        };
        let begun = Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        standing.phase = if begun.is_ok() { Phase::Running } else { Phase::Over };
    }
}

/// Somebody is not needed any more.
fn leave(entrant: &Entrant, standing: &mut Standing) {
    match standing.phase {
        Phase::Waiting => standing.phase = Phase::Over,
        Phase::Running => entrant.end(),
        Phase::Over => {}
    }
}
