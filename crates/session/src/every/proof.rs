//! Looking for a proof that covers every instance.
//!
//! `swarmcheck_parametric` proves things about a family: one emulation program whose kinds have any number of agents. That the program of each
//! instance is a member of the family is checked here: an open parameter may be nothing but a number of agents (the language says so), and
//! the programs that the model is lowered to are compared with members of the family, at every size that the proof looks at and at larger ones.

use super::numbers::Instance;
use super::{Every, text};
use crate::open::Prepared;
use crate::outcome::{Answer, EveryMethod, Evidence, Outcome, Reason};
use crate::verify::question_of;
use crate::words;
use swarmcheck_engine::{Control, Fairness};
use swarmcheck_ir::{KindId, Modality, Program, Property};
use swarmcheck_parametric::{Family, NotProved, prove as prove_invariant};
use swarmcheck_passes::monitor::monitor;
use swarmcheck_source::Span;

/// The name in the column of engines.
pub(super) const ENGINE: &str = "parametric";

/// Larger members are compared with what the model is lowered to, beyond those that a proof looks at.
const BEYOND: u32 = 3;

/// An answer that a property holds in every instance, or why there is no proof, as a sentence.
pub(super) fn prove(
    every: &Every<'_>,
    prepared: &Prepared,
    name: &str,
    control: &Control<'_>,
) -> Result<Box<Answer>, String> {
    let program = &prepared.flat.program;
    let number = (0..program.properties.len()).find(|number| question_of(prepared, *number) == name);
    let Some(number) = number else {
        return Err("deadlock freedom is decided for single instances only".to_string());
    };
    if prepared.turned(number).is_some() {
        return Err("what is possible is decided for single instances only".to_string());
    }
    if every.options.steps.is_some() {
        return Err("executions of a number of steps are decided for single instances only".to_string());
    }
    let question = Question { every, prepared, number, kinds: kinds(every, prepared)? };
    question.prove(control)
}

/// The kinds whose number is open, with the open parameter that says so.
fn kinds(every: &Every<'_>, prepared: &Prepared) -> Result<Vec<(KindId, usize)>, String> {
    let program = &prepared.flat.program;
    let mut out = vec![];
    for (at, open) in every.open.iter().enumerate() {
        let names = prepared.model.spawned(prepared.file.text(), &open.name).map_err(|span| {
            let place = place(prepared, span);
            format!("'{}' is more than a number of agents{place}", open.name)
        })?;
        let ids = (0..).map(KindId).zip(&program.kinds).filter(|(_, kind)| names.contains(&kind.name));
        let before = out.len();
        out.extend(ids.map(|(id, _)| (id, at)));
        if out.len() == before {
            return Err(format!("'{}' is the number of no agents", open.name));
        }
    }
    Ok(out)
}

fn place(prepared: &Prepared, span: Span) -> String {
    match span == Span::default() {
        true => String::new(),
        false => format!(", {}:{}", prepared.file.name(), prepared.file.position(span)),
    }
}

/// A property of the instances.
struct Question<'a> {
    every: &'a Every<'a>,
    prepared: &'a Prepared,
    number: usize,
    kinds: Vec<(KindId, usize)>,
}

impl Question<'_> {
    fn prove(&self, control: &Control<'_>) -> Result<Box<Answer>, String> {
        let program = self.lowered(self.prepared)?;
        let property = program.properties[self.number].clone();
        let open = self.kinds.iter().map(|(kind, at)| (*kind, self.every.open[*at].low)).collect();
        let family = Family::new(program, open);
        let proof = match property.modality {
            Modality::Always => prove_invariant(&family, &property.predicate, control),
            _ => {
                return Err(format!("{} is decided for single instances only", modality(&property.modality)));
            }
        };
        let proof = proof.map_err(|why| self.words(&why))?;
        let agents = proof.bound.induction();
        self.uniform(&family, agents + BEYOND)?;
        let lines = text::invariant(family.base(), &proof.clauses);
        Ok(Box::new(self.answer(&property, EveryMethod::Invariant { agents }, lines)))
    }

    /// The program of an instance. A property with a scope becomes one about every state.
    fn lowered(&self, prepared: &Prepared) -> Result<Program, String> {
        let program = &prepared.flat.program;
        match &program.properties[self.number].modality {
            Modality::Scoped { .. } => {
                let monitored = monitor(program, self.number);
                match monitored.waiting {
                    None => Ok(monitored.program),
                    Some(_) => {
                        Err("a scope that may wait forever is decided for single instances only".to_string())
                    }
                }
            }
            _ => Ok((**program).clone()),
        }
    }

    /// Compares instances with members of the family.
    fn uniform(&self, family: &Family, most: u32) -> Result<(), String> {
        let largest = self.every.open.iter().map(|open| open.low).max().unwrap_or(0).max(most);
        for number in 0..=largest {
            let instance: Instance = self.every.open.iter().map(|open| number.max(open.low)).collect();
            let prepared = self.every.prepared(&instance).map_err(|refusal| words::refusal(&refusal))?;
            let sizes: Vec<u32> = self.kinds.iter().map(|(_, at)| instance[*at]).collect();
            if told(self.lowered(&prepared)?) != told(family.at(&sizes)) {
                return Err("the programs of instances differ in more than numbers of agents".to_string());
            }
        }
        Ok(())
    }

    fn answer(&self, property: &Property, method: EveryMethod, lines: Vec<String>) -> Answer {
        let asked = words::fairness::question(&property.modality, None, Fairness::None);
        let open = self.every.open.iter().map(|open| (open.name.clone(), open.low)).collect();
        let evidence =
            Evidence::EveryNumber { open, numbers: self.every.options.numbers.clone(), method, lines };
        Answer {
            engine: Some(ENGINE.to_string()),
            outcome: Outcome::Holds { evidence, vacuous: None },
            ..Answer::open(question_of(self.prepared, self.number), asked, Reason::NoAnswer)
        }
    }

    fn words(&self, why: &NotProved) -> String {
        match why {
            NotProved::Premise(premise) => {
                format!("{}{}", premise.broken, place(self.prepared, premise.span))
            }
            other => other.to_string(),
        }
    }
}

/// A program without what is only told of its properties, and depends on numbers: that some are about nobody.
fn told(mut program: Program) -> Program {
    program.properties.iter_mut().for_each(|property| property.vacuous = false);
    program
}

fn modality(modality: &Modality) -> &'static str {
    match modality {
        Modality::Always => "'always'",
        Modality::Eventually => "'eventually'",
        Modality::Finally => "'finally'",
        Modality::Fairly => "'fairly'",
        Modality::FairlyInf => "'fairly_inf'",
        Modality::After(_) => "'after'",
        Modality::Scoped { .. } => "a scope",
        Modality::Linear(_) => "a formula of linear time",
    }
}
