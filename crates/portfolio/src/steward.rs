//! The one who looks after a race: judges what is found, stops those that are not needed any more, watches memory, and
//! hands out turns. It has no clock; it counts waits.

mod room;
mod schedule;

use crate::entrant::{Entrant, Phase, Standing, Work};
use crate::memory::{Meter, WAIT, blame, left};
use crate::race::{Fate, Field, Judge, Message, RaceQuestion};
use crate::table::QuestionClass;
use crate::turns::Clock;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::Scope;
use swarmcheck_engine::{Budget, Finding, Reason, Verdict};
use swarmcheck_question::{Questions, questions};

/// After so many waits, three seconds, others join even if the explicit engine has visited few states: the program takes long
/// to be made smaller, or each state has very many steps.
const PATIENCE: u64 = 300;

/// More searches than this are many. If so many of them take long, or all together have had so many waits divided by their
/// number, others join for all questions.
const MANY: usize = 3;
const MANY_WAITS: u64 = 400;

/// But they are not hurried more than this, in waits.
const HURRY: u64 = 20;

/// The scheduler of a race.
pub(crate) struct Steward<'a, A> {
    field: &'a Field<'a>,
    standings: Vec<Standing>,
    pub(crate) questions: Vec<RaceQuestion<A>>,
    meter: Option<Meter<'a>>,
    /// The budget of each engine.
    budget: Budget,
    /// What the process used when it was last looked at.
    used: u64,
    waits: u64,
    /// Many questions wait for the first turns of engines other than the explicit one.
    crowd: bool,
    /// How long they have waited so far, in waits.
    crowded: u64,
}

impl<'a, A> Steward<'a, A> {
    pub(crate) fn new(field: &'a Field<'a>, questions: Vec<RaceQuestion<A>>) -> Steward<'a, A> {
        let standing = |entrant: &Entrant| match entrant.work {
            Work::Search(_) => Standing::waiting(Clock::search(), 0),
            Work::Question(_) => Standing::out(),
        };
        Steward {
            field,
            standings: field.entrants.iter().map(standing).collect(),
            questions,
            meter: Meter::new(field.race.control),
            budget: left(field.race.control),
            used: 0,
            waits: 0,
            crowd: false,
            crowded: 0,
        }
    }

    pub(crate) fn run<'scope>(&mut self, scope: &'scope Scope<'scope, 'a>, judge: &mut Judge<'_, A>) {
        let (sender, receiver) = mpsc::channel();
        self.next(scope, &sender, judge);
        while self.goes_on() {
            self.listen(&receiver, judge);
            self.next(scope, &sender, judge);
        }
        self.end();
    }

    /// Lets engines join, watches memory and hands out turns.
    fn next<'scope>(
        &mut self,
        scope: &'scope Scope<'scope, 'a>,
        sender: &Sender<Message>,
        judge: &mut Judge<'_, A>,
    ) {
        if self.field.race.control.stopped() {
            // One engine alone may be stopped before it has joined, and is the only one who can say so.
            if self.field.race.only.is_some() {
                self.join();
            }
            self.end();
            self.give_up(judge);
            return;
        }
        self.join();
        self.look_at_memory();
        self.turns(scope, sender);
    }

    /// Whether an entrant works on a question.
    fn works_on(&self, entrant: &Entrant, question: usize) -> bool {
        match entrant.work {
            Work::Search(search) => self.questions[question].search == Some(search),
            Work::Question(number) => number == question,
        }
    }

    /// How many open questions an entrant works on.
    fn open(&self, entrant: &Entrant) -> u64 {
        let open = |n: &usize| self.questions[*n].is_open() && self.works_on(entrant, *n);
        (0..self.questions.len()).filter(open).count() as u64
    }

    /// Whether an answer may still come.
    fn goes_on(&self) -> bool {
        let mut there =
            self.field.entrants.iter().zip(&self.standings).filter(|(_, s)| s.phase != Phase::Over);
        there.any(|(entrant, _)| self.open(entrant) > 0)
    }

    /// Takes in what was found, or waits a moment.
    fn listen(&mut self, receiver: &Receiver<Message>, judge: &mut Judge<'_, A>) {
        match receiver.recv_timeout(WAIT) {
            Ok(Message::Found(number, finding)) => self.found(number, *finding, judge),
            Ok(Message::Gone(number)) => self.gone(number),
            // The steward has a sender itself, so they are never all gone.
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                self.waits += 1;
                self.crowded += u64::from(self.crowd);
                let awake = self.field.entrants.iter().zip(&mut self.standings);
                awake
                    .filter(|(e, s)| s.phase == Phase::Running && e.turn.mine())
                    .for_each(|(_, s)| s.clock.tick());
            }
        }
    }

    fn found(&mut self, who: usize, mut finding: Finding, judge: &mut Judge<'_, A>) {
        let (entrant, standing) = (&self.field.entrants[who], &self.standings[who]);
        // Who was displaced says more when it has been made to begin again.
        if standing.leaving && matches!(finding.verdict, Verdict::Unknown(_)) {
            return;
        }
        let Some(number) = self.questions.iter().position(|q| q.subject == finding.subject) else { return };
        let Fate::Open(given) = &mut self.questions[number].fate else { return };
        if standing.full {
            blame(&mut finding, &Reason::Memory);
        }
        let (answer, settled) = judge(entrant.entry.name, finding);
        if !settled {
            given.push(answer);
            return;
        }
        self.questions[number].fate = Fate::Settled(answer, std::mem::take(given));
        for other in 0..self.standings.len() {
            let entrant = &self.field.entrants[other];
            if self.works_on(entrant, number) && self.open(entrant) == 0 {
                leave(entrant, &mut self.standings[other]);
            }
        }
    }

    fn gone(&mut self, who: usize) {
        let entrant = &self.field.entrants[who];
        let again = self.standings[who].leaving && self.open(entrant) > 0;
        let standing = &mut self.standings[who];
        standing.phase = if again { Phase::Waiting } else { Phase::Over };
        standing.leaving = false;
        if again {
            entrant.reset();
        }
    }

    /// Everybody who has begun stops.
    fn end(&mut self) {
        let begun =
            self.field.entrants.iter().zip(&self.standings).filter(|(_, s)| s.phase == Phase::Running);
        begun.for_each(|(entrant, _)| entrant.end());
    }

    /// Nobody begins any more. Those who were asked from the beginning say that they were interrupted.
    fn give_up(&mut self, judge: &mut Judge<'_, A>) {
        for who in 0..self.standings.len() {
            let (entrant, standing) = (&self.field.entrants[who], &mut self.standings[who]);
            if standing.phase != Phase::Waiting {
                continue;
            }
            standing.phase = Phase::Over;
            if self.field.race.only.is_none() && matches!(entrant.work, Work::Question(_)) {
                continue;
            }
            for number in 0..self.questions.len() {
                if self.works_on(entrant, number) {
                    let finding = Finding::unknown(self.questions[number].subject, Reason::Interrupted);
                    self.found(who, finding, judge);
                }
            }
        }
    }

    /// Lets others join where the explicit engine takes long, has failed, or is not asked.
    fn join(&mut self) {
        let many = self.many();
        for number in 0..self.questions.len() {
            let question = &self.questions[number];
            if question.joined || !question.is_open() {
                continue;
            }
            if !many && !question.search.is_none_or(|s| self.late(s)) {
                continue;
            }
            self.questions[number].joined = true;
            let Some(class) = self.class(number) else { continue };
            for (entrant, standing) in self.field.entrants.iter().zip(&mut self.standings) {
                let alone = self.field.race.only.is_some();
                let place = (entrant.entry.place)(class).or(alone.then_some(0));
                if entrant.asks(number)
                    && let Some(place) = place
                {
                    *standing = Standing::waiting(Clock::of(entrant.entry), place);
                }
            }
        }
    }

    /// Whether many questions are open that will take the explicit engine long. Systems that are too large for some questions
    /// are rarely small for the others, and one search after the other would keep the last question waiting.
    fn many(&self) -> bool {
        let open = || (0..self.field.plans.len()).filter(|n| self.standings[*n].phase != Phase::Over);
        let count = open().count();
        let used: u64 = open().map(|search| self.standings[search].clock.used).sum();
        count > MANY
            && (open().filter(|search| self.late(*search)).count() >= MANY
                || used >= (MANY_WAITS / count as u64).max(HURRY))
    }

    /// Whether the explicit engine takes long, or has failed. Its searches have the first numbers.
    fn late(&self, search: usize) -> bool {
        let standing = &self.standings[search];
        standing.phase == Phase::Over
            || standing.displaced
            || standing.clock.used >= PATIENCE
            || self.field.entrants[search].watch.late(self.share(), self.field.race.head_start)
    }

    /// How many states a search visits before others join. Many searches share what one would have.
    fn share(&self) -> u64 {
        self.field.race.head_start / (self.field.plans.len().max(1) as u64)
    }

    /// The class of a question; `None` if the question cannot be asked.
    fn class(&self, number: usize) -> Option<QuestionClass> {
        let (race, question) = (self.field.race, &self.questions[number]);
        // One engine alone says itself why it cannot.
        if race.only.is_some() {
            return Some(QuestionClass::Lasting);
        }
        let subject = question.subject;
        let of = |found: &Questions| {
            let asked = found.questions.iter().find(|q| q.subject == subject);
            asked.map(|asked| QuestionClass::of(asked.kind, found.shape))
        };
        match question.search.map(|search| self.field.plans[search].known()) {
            Some(Some(Ok(found))) => of(found),
            Some(Some(Err(_))) => None,
            // Nobody has worked it out.
            Some(None) if race.task.bound.is_some() => Some(QuestionClass::Bounded),
            Some(None) => Some(QuestionClass::Lasting),
            None => of(&questions(&race.task.setting(), subject).ok()?),
        }
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
