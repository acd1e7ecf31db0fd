//! A model whose parameters are open: its instances, and the family of their programs.

use super::numbers::{self, Constraint, Inequality, Instance, OpenParameter};
use crate::open::{ModelOptions, Prepared, prepare_unless};
use crate::outcome::DEADLOCK;
use crate::refusal::Refusal;
use crate::verify::question_of;
use crate::words;
use std::sync::atomic::AtomicBool;
use swarmcheck_ir::{KindId, Modality, Program, Property};
use swarmcheck_parametric::counting::SizeConstraint;
use swarmcheck_parametric::{Family, NotProved};
use swarmcheck_passes::monitor::monitor;
use swarmcheck_source::Span;

/// A model with open parameters.
pub(crate) struct OpenModel<'a> {
    /// The name of its file.
    pub(super) name: &'a str,
    pub(super) text: &'a str,
    /// How it is read; values of open parameters are those that the user typed.
    pub(super) options: ModelOptions,
    pub(super) open: Vec<OpenParameter>,
    pub(super) stop: &'a AtomicBool,
}

impl<'a> OpenModel<'a> {
    pub(super) fn new(
        name: &'a str,
        text: &'a str,
        options: ModelOptions,
        stop: &'a AtomicBool,
    ) -> Result<OpenModel<'a>, Refusal> {
        let open = numbers::open_parameters(&options.parameters)?;
        Ok(OpenModel { name, text, options, open, stop })
    }

    /// An instance, ready to run.
    pub(super) fn prepared(&self, instance: &Instance) -> Result<Prepared, Refusal> {
        let parameters = numbers::closed(&self.options.parameters, &self.open, instance);
        let options = ModelOptions { parameters, ..self.options.clone() };
        Ok(prepare_unless(self.name, self.text.as_bytes(), options, self.stop)?)
    }

    /// The parameters that are not open, with their values.
    pub(super) fn closed<'p>(&'p self, prepared: &'p Prepared) -> impl Iterator<Item = (String, i64)> + 'p {
        let all = prepared.model.parameters().iter().cloned();
        all.filter(|(name, _)| !self.open.iter().any(|open| open.name == *name))
    }

    /// The instance whose program the family is made of: what agents begin with shows only where there is one.
    pub(super) fn base(&self) -> Instance {
        self.open.iter().map(|open| open.low.max(1)).collect()
    }

    /// The kinds whose number is open, each with the parameter that says so; or what else a parameter is.
    fn kinds(&self, prepared: &Prepared, property: &str) -> Result<Vec<(KindId, usize)>, String> {
        let program = &prepared.flat.program;
        let mut out = vec![];
        for (at, open) in self.open.iter().enumerate() {
            let names =
                prepared.model.spawned(prepared.file.text(), &open.name, property).map_err(|span| {
                    format!("'{}' is more than a number of agents{}", open.name, place(prepared, span))
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
}

/// Why something is refused, with its place.
pub(super) fn located(prepared: &Prepared, why: &str, span: Span) -> String {
    format!("{why}{}", place(prepared, span))
}

/// `, file:line:column`; nothing if the place is not known.
fn place(prepared: &Prepared, span: Span) -> String {
    match span == Span::default() {
        true => String::new(),
        false => format!(", {}:{}", prepared.file.name(), prepared.file.position(span)),
    }
}

/// A property of all instances.
pub(super) struct OpenQuestion<'a> {
    model: &'a OpenModel<'a>,
    pub(super) prepared: &'a Prepared,
    number: usize,
    kinds: Vec<(KindId, usize)>,
}

impl<'a> OpenQuestion<'a> {
    /// The question about a property; or why it can be asked of single instances only.
    pub(super) fn new(
        model: &'a OpenModel<'a>,
        prepared: &'a Prepared,
        name: &str,
    ) -> Result<OpenQuestion<'a>, String> {
        let all = 0..prepared.flat.program.properties.len();
        let Some(number) = all.into_iter().find(|number| question_of(prepared, *number) == name) else {
            return Err(match name {
                DEADLOCK => "deadlock freedom is decided for single instances only".to_string(),
                _ => "the model has no such property".to_string(),
            });
        };
        if prepared.turned(number).is_some() {
            return Err("what is possible is decided for single instances only".to_string());
        }
        let kinds = model.kinds(prepared, name)?;
        Ok(OpenQuestion { model, prepared, number, kinds })
    }

    /// The programs of the instances, with this property alone. A property with a scope becomes one about every state.
    pub(super) fn family(&self) -> Result<(Family, Property), String> {
        let program = self.lowered(self.prepared)?;
        let property = program.properties[0].clone();
        let open = self.kinds.iter().map(|(kind, at)| (*kind, self.model.open[*at].low)).collect();
        Ok((Family::new(program, open), property))
    }

    fn lowered(&self, prepared: &Prepared) -> Result<Program, String> {
        let program = &prepared.flat.program;
        let property = program.properties[self.number].clone();
        // Other properties may be about the number itself.
        let alone = Program { properties: vec![property], ..(**program).clone() };
        let Modality::Scoped { .. } = &alone.properties[0].modality else {
            return Ok(alone);
        };
        let monitored = monitor(&alone, 0);
        match monitored.waiting {
            None => Ok(monitored.program),
            Some(_) => Err("a scope that may wait forever is decided for single instances only".to_string()),
        }
    }

    /// Compares the programs of instances with members of the family, up to this many agents of each kind.
    ///
    /// That programs are the same but for numbers of agents follows from how models are lowered, if an open parameter is nothing but such a
    /// number. This is the check that it really is so.
    pub(super) fn is_uniform(&self, family: &Family, most: u32) -> Result<(), String> {
        let largest = self.model.base().into_iter().max().unwrap_or(0).max(most);
        for number in 0..=largest {
            let instance: Instance = self.model.open.iter().map(|open| number.max(open.low)).collect();
            let prepared = self.model.prepared(&instance).map_err(|refusal| words::refusal(&refusal))?;
            let sizes: Vec<u32> = self.kinds.iter().map(|(_, at)| instance[*at]).collect();
            if told(self.lowered(&prepared)?) != told(family.at(&sizes)) {
                let nobody = if instance.contains(&0) { ": ask about 0 and 1.. apart" } else { "" };
                return Err(format!(
                    "the programs of instances differ in more than numbers of agents{nobody}"
                ));
            }
        }
        Ok(())
    }

    /// What is known about numbers of agents: kinds of one parameter have the same, and a constraint holds.
    pub(super) fn size_constraints(&self, constraint: &Constraint) -> Vec<SizeConstraint> {
        let mut out = vec![];
        let first =
            |at: usize| self.kinds.iter().find(|(_, parameter)| *parameter == at).map(|(kind, _)| *kind);
        for (kind, at) in &self.kinds {
            if let Some(first) = first(*at).filter(|first| first != kind) {
                out.push(SizeConstraint { terms: vec![(first, 1), (*kind, -1)], least: 0 });
                out.push(SizeConstraint { terms: vec![(first, -1), (*kind, 1)], least: 0 });
            }
        }
        for Inequality { coefficients, constant } in &constraint.all {
            let terms = coefficients.iter().enumerate().filter(|(_, factor)| **factor != 0);
            let terms = terms.filter_map(|(at, factor)| Some((first(at)?, *factor))).collect();
            out.push(SizeConstraint { terms, least: constant.saturating_neg() });
        }
        out
    }

    /// Why there is no proof, with the place in the model.
    pub(super) fn words(&self, why: &NotProved) -> String {
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
