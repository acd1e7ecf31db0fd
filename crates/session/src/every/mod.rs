//! Verdicts for every number of agents: instances are decided one after the other, smallest first, and in between a proof for all of
//! them is looked for.
//!
//! A violation is one of an instance, found and replayed as always. *Holds* needs a proof that covers every instance; without one, the
//! answer is *unknown*, with the largest instance that was decided.

pub(crate) mod certificate;
mod cutoff;
mod instances;
mod model;
mod numbers;
mod proof;
mod text;

use crate::event::{Event, Outcomes};
use crate::open::{ModelOptions, Prepared};
use crate::outcome::{Answer, EveryMethod, Evidence, Outcome, Reason};
use crate::refusal::Refusal;
use crate::request::telling::Telling;
use crate::request::{Host, ModelRequest, Source, warnings};
use crate::verify::{self, Decider, VerifyOptions};
use instances::Asked;
use model::OpenModel;
use numbers::{Constraint, OpenParameter};
use swarmcheck_engine::{Control, Vacuity};

/// Instances with up to so many agents of open kinds are decided, unless somebody says otherwise.
const MOST_AGENTS: u32 = 10;

/// So many numbers of agents are tried before a proof is looked for: most mistakes show there.
const FIRST: u32 = 3;

/// Whether a request is about every number of agents.
pub(crate) fn is_asked(model: &ModelRequest) -> bool {
    numbers::is_any_open(&model.parameters)
}

/// The same parameters, with a small number in place of what is open.
pub(crate) fn closed(parameters: &[(String, String)]) -> Vec<(String, String)> {
    let open = numbers::open_parameters(parameters).unwrap_or_default();
    let small = open.iter().map(|open| open.low.max(1)).collect();
    numbers::closed(parameters, &open, &small)
}

/// A request about every number of agents.
pub(crate) struct Every<'a> {
    model: OpenModel<'a>,
    options: &'a VerifyOptions,
    host: &'a dyn Host,
    constraint: Constraint,
}

/// Decides properties for every number of agents.
pub(crate) fn decide(
    model: &ModelRequest,
    options: &VerifyOptions,
    host: &dyn Host,
) -> Result<Outcomes, Refusal> {
    refuse_contradictions(options)?;
    let Source { name, text, .. } = &model.source;
    let model = OpenModel::new(name, text, ModelOptions::from(model), host.stop())?;
    let constraint = match &options.numbers {
        Some(text) => Constraint::read(text, &model.open)?,
        None => Constraint::default(),
    };
    let every = Every { model, options, host, constraint };
    every.run()?;
    Ok(Outcomes::Verify)
}

fn refuse_contradictions(options: &VerifyOptions) -> Result<(), Refusal> {
    let why = if options.cross_check {
        "all engines are compared on one instance: give every parameter a number"
    } else if options.witness.is_some() {
        "a witness is one of an instance: give every parameter a number"
    } else if options.reach.is_some() {
        "a predicate is reached in an instance: give every parameter a number"
    } else if options.engine != Decider::Auto {
        "engines decide single instances, and proofs for every number of agents have methods of their own: leave out --engine, or give every parameter a number"
    } else {
        return Ok(());
    };
    Err(Refusal::OpenNumbers { why: why.to_string() })
}

impl Every<'_> {
    fn run(&self) -> Result<(), Refusal> {
        let least: u32 = self.model.open.iter().map(|open| open.low).sum();
        let most = self.options.most_agents.unwrap_or(MOST_AGENTS).max(least);
        let smallest = (least..=most.max(least + FIRST)).find_map(|total| {
            numbers::instances(&self.model.open, total, &self.constraint).into_iter().next()
        });
        let Some(smallest) = smallest else {
            let why = format!(
                "no numbers with a sum of up to {most} are as --where says: --up-to N looks at larger ones"
            );
            return Err(Refusal::OpenNumbers { why });
        };
        let prepared = self.model.prepared(&smallest)?;
        self.host.tell(warnings(&prepared));
        self.host.tell(Event::Opened { parameters: self.model.closed(&prepared).collect() });
        if prepared.flat.program.properties.is_empty() && !self.options.deadlock {
            return Err(Refusal::NothingToVerify { language: prepared.language().word });
        }
        let names = verify::questions(&prepared, self.options)?;
        let places = crate::place::questions(&prepared, &names);
        self.host.tell(Event::Questions { names: names.clone(), places });
        let asked = names.into_iter().filter(|name| self.options.asks(name));
        let mut asked: Vec<Asked> = asked.map(Asked::new).collect();
        let first: u32 = smallest.iter().sum();
        for total in first..=most.max(first) {
            if total == first + FIRST {
                self.prove_all(&mut asked)?;
            }
            if !asked.iter().any(Asked::is_growing) || self.stopped() {
                break;
            }
            self.decide_all(total, &mut asked)?;
            if self.constraint.largest(&self.model.open).is_some_and(|largest| total >= largest) {
                self.no_more(total, &mut asked);
            }
        }
        // With few instances there was no time for proofs yet.
        self.prove_all(&mut asked)?;
        for question in asked.into_iter().filter(|question| !question.done) {
            self.tell(question.unknown(&self.model.open, self.stopped()));
        }
        Ok(())
    }

    /// Answers what holds in all instances, where there are none with a larger sum.
    fn no_more(&self, largest: u32, asked: &mut [Asked]) {
        let all = (0..=largest).map(|total| numbers::instances(&self.model.open, total, &self.constraint));
        let instances = all.map(|instances| instances.len() as u32).sum();
        for question in asked.iter_mut().filter(|question| !question.done) {
            if question.largest.is_none_or(|decided| decided < largest) || question.ended.is_some() {
                continue;
            }
            let vacuous = question.vacuous();
            let Some(last) = question.last.take() else { continue };
            question.done = true;
            let method = EveryMethod::Instances { instances };
            let steps = self.options.steps;
            self.tell(Answer {
                outcome: self.holds(method, vec![], steps, vacuous),
                certificate: None,
                ..last
            });
        }
    }

    /// That a property holds in every instance; within so many steps only, if that was asked.
    fn holds(
        &self,
        method: EveryMethod,
        lines: Vec<String>,
        steps: Option<u32>,
        vacuous: Option<Vacuity>,
    ) -> Outcome {
        let open = self.model.open.iter().map(|open| (open.name.clone(), open.low)).collect();
        let numbers = self.options.numbers.clone();
        let evidence = Evidence::EveryNumber { open, numbers, method, steps, lines };
        Outcome::Holds { evidence, vacuous }
    }

    /// The same by a proof. Whether it is vacuous was seen in small instances only, so for larger ones that is a remark, unless it follows.
    fn proved(&self, method: EveryMethod, mut lines: Vec<String>, asked: &Asked) -> Outcome {
        let vacuous = asked.vacuous();
        let is_so = vacuous == Some(Vacuity::NoAgent);
        if let (Some(why), Some(largest), false) = (&vacuous, asked.largest, is_so) {
            let sum = self.model.open.iter().map(|open| open.name.as_str()).collect::<Vec<_>>().join(" + ");
            lines.push(format!("vacuously up to {sum} = {largest}: {}", crate::words::vacuity(why)));
        }
        self.holds(method, lines, None, vacuous.filter(|_| is_so))
    }

    fn stopped(&self) -> bool {
        self.host.stop().load(std::sync::atomic::Ordering::Relaxed)
    }

    fn tell(&self, answer: Answer) {
        self.host.tell(Event::Answer(Box::new(answer)));
    }

    fn progress(&self, prepared: &Prepared) -> Telling<'_> {
        let all = 0..prepared.flat.program.properties.len();
        Telling::new(self.host, all.map(|number| verify::question_of(prepared, number).to_string()).collect())
    }

    /// Looks for a proof of everything that is open and was not tried before.
    fn prove_all(&self, asked: &mut [Asked]) -> Result<(), Refusal> {
        let prepared = &self.model.prepared(&self.model.base())?;
        let progress = self.progress(prepared);
        let control = Control { stop: self.host.stop(), budget: self.host.budget(), progress: &progress };
        for question in asked.iter_mut().filter(|question| !question.done && !question.tried) {
            if self.stopped() {
                break;
            }
            question.tried = true;
            if self
                .options
                .without
                .iter()
                .any(|(name, engine)| *name == question.name && engine == proof::ENGINE)
            {
                question.unproved = Some("looking for a proof has failed".to_string());
                continue;
            }
            let tell = |started: bool| {
                let (question, engine) = (question.name.clone(), proof::ENGINE.to_string());
                self.host.tell(match started {
                    true => Event::Started { question, engine },
                    false => Event::Stopped { question, engine },
                });
            };
            let began = self.host.seconds();
            tell(true);
            let found = proof::prove(self, prepared, question, &control);
            tell(false);
            match found {
                Ok(mut answer) => {
                    answer.effort.seconds = self.host.seconds() - began;
                    question.done = true;
                    self.tell(*answer);
                }
                Err(why) => self.by_cutoff(question, why)?,
            }
        }
        Ok(())
    }
}

impl Asked {
    /// The answer where there is no verdict.
    fn unknown(self, open: &[OpenParameter], stopped: bool) -> Answer {
        let why = match (self.unproved, self.ended) {
            (Some(unproved), Some(ended)) => format!("{unproved}; larger ones: {ended}"),
            (Some(why), None) | (None, Some(why)) => why,
            (None, None) if stopped => "interrupted before a proof was found".to_string(),
            (None, None) => "no proof was found".to_string(),
        };
        let parameters = open.iter().map(|open| open.name.clone()).collect();
        let reason = Reason::OpenNumber { parameters, largest: self.largest, why };
        let mut answer = self.last.unwrap_or_else(|| Answer::open(self.name, "", Reason::NoAnswer));
        answer.outcome = Outcome::unknown(reason);
        answer.engine = None;
        answer
    }
}
