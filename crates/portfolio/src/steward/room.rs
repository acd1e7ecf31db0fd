//! Which entrant is stopped when there is too little memory.
//!
//! Whoever waits for a turn keeps what it has stored. If that is too much, the one who has stored the most of those who
//! wait is stopped, and begins again when the others are done: so what needs all the memory gets it in the end. If nobody
//! waits, one of those who run has to go for good: the explicit engine if it has most of the memory, or else the engine
//! that gets the least time. One at a time, since that may be enough.

use super::Steward;
use crate::entrant::{Phase, Work};

/// Looks at memory are this many waits apart, while much is left.
const LOOKS: u64 = 10;

/// Stopping an entrant that has less than this fraction of the memory is of no use.
const LITTLE: u64 = 32;

/// The allocator does not give back all that was freed by those who are gone, and uses it again. So a search that is alone
/// and counts what it uses is allowed this many bytes more, or a twentieth of the limit.
const SLACK: u64 = 32 << 20;

impl<A> Steward<'_, A> {
    /// Measures memory, and stops an entrant if there is too little.
    pub(super) fn look_at_memory(&mut self) {
        let Some(limit) = self.field.race.control.budget.memory else { return };
        let entrants = &self.field.entrants;
        let begun = entrants.iter().zip(&self.standings).filter(|(_, s)| s.phase == Phase::Running);
        let counted: u64 = begun.map(|(entrant, _)| entrant.watch.bytes()).sum();
        // The more there is, the sooner it may be too much.
        let close = counted.max(self.used) > limit / 2;
        if let Some(meter) = self.meter.as_ref().filter(|_| close || self.waits.is_multiple_of(LOOKS)) {
            self.used = meter.used();
        }
        let running = |n: &usize| self.standings[*n].phase == Phase::Running;
        let stopping = |n: usize| self.standings[n].full || self.standings[n].leaving;
        if counted.max(self.used) <= limit || (0..entrants.len()).filter(running).any(stopping) {
            return;
        }
        let waits = |n: &usize| running(n) && !entrants[*n].turn.mine() && !entrants[*n].is_stopped();
        let size = |n: &usize| (entrants[*n].watch.bytes(), self.standings[*n].clock.used);
        // Solvers do not count what they use; those who race are stopped for good, see below.
        let alone = self.field.race.only.is_some();
        let asleep = (0..entrants.len()).filter(waits).filter(|&n| {
            alone || matches!(entrants[n].work, Work::Search(_)) && entrants[n].watch.bytes() > limit / LITTLE
        });
        if let Some(largest) = asleep.max_by_key(size) {
            self.standings[largest].leaving = true;
            self.standings[largest].displaced = true;
            entrants[largest].end();
            return;
        }
        let search = (0..self.field.plans.len()).find(|n| running(n) && entrants[*n].turn.mine());
        let others = (self.field.plans.len()..entrants.len()).filter(running);
        // Alone, the explicit engine keeps to its limit by itself, as far as it counts what it uses.
        let last = others.max_by_key(|&n| self.standings[n].place);
        let goes = match (search, last) {
            (Some(search), None) if self.used > limit + (limit / 20).max(SLACK) => search,
            (Some(search), Some(_)) if entrants[search].watch.bytes() >= limit / 2 => search,
            (_, Some(last)) => last,
            (_, None) => return,
        };
        self.standings[goes].full = true;
        entrants[goes].end();
    }
}
