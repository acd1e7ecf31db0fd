//! Cutoff theorems: from some number of agents on all instances agree, so that deciding those up to it is deciding all.
//!
//! There is one, about token rings. `swarmcheck_labs::ring` looks at the text, `swarmcheck_parametric::ring` at the program, and has the
//! theorem with its proof. That instances are the same ring with another number of agents is checked here, at sizes up to the cutoff and beyond.

use super::instances::Asked;
use super::proof::{BEYOND, ENGINE};
use super::{Every, numbers};
use crate::outcome::{Answer, EveryMethod, Reason};
use crate::refusal::Refusal;
use crate::words;
use swarmcheck_parametric::ring::{Ring, cutoff};
use swarmcheck_source::Span;

/// A cutoff theorem whose premises hold.
struct Cutoff {
    /// The property is about so many agents at once.
    agents: u32,
    /// Instances up to this number of agents have to be decided.
    size: u32,
    /// How many states an agent has.
    states: u32,
    /// What was checked, a line each.
    lines: Vec<String>,
}

impl Every<'_> {
    /// Decides a property by a cutoff theorem, where other methods have failed because of `why`.
    pub(super) fn by_cutoff(&self, question: &mut Asked, why: String) -> Result<(), Refusal> {
        let began = self.host.seconds();
        let found = match self.token_ring(&question.name) {
            None => {
                question.unproved = Some(why);
                return Ok(());
            }
            Some(Err(why)) => {
                question.unproved = Some(format!("not covered as a token ring: {why}"));
                return Ok(());
            }
            Some(Ok(found)) => found,
        };
        let most = self.options.most_agents.unwrap_or(super::MOST_AGENTS);
        if found.size > most.max(question.largest.unwrap_or(0)) {
            let size = found.size;
            question.unproved = Some(format!("instances up to {size} have to be decided: --up-to {size}"));
            return Ok(());
        }
        let decided = question.largest.map_or(0, |largest| largest + 1);
        for total in decided..=found.size {
            self.decide_all(total, std::slice::from_mut(question))?;
        }
        if question.done {
            return Ok(());
        }
        if question.largest.is_none_or(|largest| largest < found.size) || question.ended.is_some() {
            question.unproved = Some(format!("instances up to {} would have to be decided", found.size));
            return Ok(());
        }
        let Some(last) = question.last.clone() else { return Ok(()) };
        let method =
            EveryMethod::TokenRing { agents: found.agents, cutoff: found.size, states: found.states };
        question.done = true;
        let mut answer = Answer {
            engine: Some(ENGINE.to_string()),
            outcome: self.proved(method, found.lines, question),
            ..Answer::open(&question.name, last.question, Reason::NoAnswer)
        };
        answer.effort.seconds = self.host.seconds() - began;
        self.tell(answer);
        Ok(())
    }

    /// The theorem about token rings, if the open parameter is the size of a ring; or which of its premises fails.
    fn token_ring(&self, name: &str) -> Option<Result<Cutoff, String>> {
        let [open] = &self.model.open[..] else { return None };
        // A ring has a neighbour to pass the token to.
        let least = open.low.max(2);
        let prepared = match self.model.prepared(&vec![least]) {
            Ok(prepared) => prepared,
            Err(refusal) => return Some(Err(words::refusal(&refusal))),
        };
        let place = |(why, span): (String, Span)| super::model::located(&prepared, &why, span);
        let property = match prepared.model.ring(prepared.file.text(), &open.name, name)? {
            Ok(property) => property,
            Err(refused) => return Some(Err(place(refused))),
        };
        if self.options.steps.is_some() {
            return Some(Err("executions of a number of steps are decided for single instances only".into()));
        }
        if self.constraint != numbers::Constraint::default() {
            return Some(Err(
                "all numbers up to the cutoff have to be decided, and --where leaves out some".into()
            ));
        }
        let found = || -> Result<Cutoff, String> {
            let place =
                |(why, span): (swarmcheck_parametric::ring::NotARing, Span)| place((why.to_string(), span));
            let ring = Ring::new((*prepared.flat.program).clone()).map_err(place)?;
            if property.linear {
                ring.passes().map_err(place)?;
            }
            let size = cutoff(property.agents).max(open.low);
            for number in least..=size + BEYOND {
                let prepared =
                    self.model.prepared(&vec![number]).map_err(|refusal| words::refusal(&refusal))?;
                if !ring.includes((*prepared.flat.program).clone()) {
                    return Err(
                        "the programs of instances differ in more than the size of the ring".to_string()
                    );
                }
            }
            let states = ring.states as u32;
            let about = if property.agents > 1 { "each two agents" } else { "each agent" };
            let passes = match property.linear {
                true => "it is always passed after a limited number of steps",
                false => "whoever has it can pass it",
            };
            let lines = vec![
                format!("agents are alike, have {states} states, and act on each other by the token only"),
                format!("there is one token, which agents pass to the next one; {passes}"),
                format!("the property is about {about}, without X"),
                format!("so what holds in a ring of {size} holds in all larger ones"),
            ];
            Ok(Cutoff { agents: property.agents, size, states, lines })
        };
        Some(found())
    }
}
