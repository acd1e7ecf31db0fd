//! Random steps, and the run so far as a trace.

use super::predicate::Predicate;
use super::protocol::{InterpreterRefusal, StateData, WalkEnd};
use super::{Interpreter, StepData, TraceData};
use crate::outcome::ModelFault;
use crate::simulate::TraceFormat;
use crate::sink::{End, Sink};
use crate::specification::MadeStep;
use swarmcheck_simulate::Rng;

/// Not more steps are made at once.
const MOST_STEPS: usize = 10_000;

impl Interpreter<'_> {
    /// Makes random steps, each of those that are possible with the same chance, until a predicate holds if there is one. The seed
    /// determines them.
    pub fn random(
        &mut self,
        steps: usize,
        seed: u64,
        until: Option<&str>,
    ) -> Result<(Vec<StepData>, StateData, WalkEnd), InterpreterRefusal> {
        let prepared = self.prepared;
        self.at()?;
        let mut test = match until {
            None => None,
            Some(text) => Some(Predicate::read(prepared, text)?.test(prepared)),
        };
        let mut rng = Rng::new(seed);
        let mut made = vec![];
        let wrong = |fault| WalkEnd::Error(ModelFault::new(prepared, fault));
        let mut why = WalkEnd::Steps;
        while made.len() < steps.min(MOST_STEPS) {
            let offers = self.at()?.offers(prepared);
            if offers.is_empty() {
                why = WalkEnd::Deadlock;
                break;
            }
            let choice = rng.below(offers.len() as u64) as usize;
            if let Err(fault) = &offers[choice].0.step.result {
                why = wrong(*fault);
                break;
            }
            made.push(self.advance(choice)?);
            match test.as_mut().map(|test| test.holds(self.at.as_ref().map_or(&[], |at| at.menu.state()))) {
                None | Some(Ok(false)) => {}
                Some(Ok(true)) => {
                    why = WalkEnd::Until;
                    break;
                }
                Some(Err(fault)) => {
                    why = wrong(fault);
                    break;
                }
            }
        }
        Ok((made, self.state()?, why))
    }

    /// The run so far, as a trace that can be replayed and followed.
    pub fn trace(&mut self) -> Result<TraceData, InterpreterRefusal> {
        let prepared = self.prepared;
        let at = self.at()?;
        let stuck = at.offers(prepared).is_empty();
        let mut before = at.initial.clone();
        let mut sink = Sink::new(prepared, Some(TraceFormat::Json), &before);
        sink.initial(&before);
        for offer in &at.taken {
            let Ok(after) = &offer.step.result else { continue };
            let made =
                MadeStep { before: &before, instance: offer.step.instance, choices: &offer.step.choices };
            sink.step(prepared, &made, &offer.writes, after);
            before = after.clone();
        }
        Ok(sink.data(prepared, if stuck { &End::Deadlock } else { &End::Steps }))
    }
}
