//! Link predicates, assumptions and properties.

use super::Checker;
use super::scope::{Context, Place};
use super::words;
use crate::codes;
use crate::model::{Assumption, Cond, CondNode, Inside, Modality, Property, Stigmergy, StigmergyId, TupleId};
use crate::syntax::ast::{self, Name};
use std::collections::BTreeMap;
use swarmcheck_source::{Diagnostic, Span};

impl Checker<'_> {
    /// All stigmergies with their links.
    pub(super) fn links(&mut self) -> Vec<Stigmergy> {
        let mut stigmergies = vec![];
        for (at, entry) in self.names.stigmergies.iter().enumerate() {
            let (id, name) = (StigmergyId(at as u32), &entry.source.name);
            let mut context = Context::new(&self.names, &mut self.facts, &mut self.out, Place::Link);
            context.partners = self.names.participants(id);
            let link = match &entry.source.link {
                Some(link) => context.cond(link),
                None => {
                    let message = format!("stigmergy `{}` has no `link`", name.text);
                    let error = Diagnostic::error(codes::MISSING_SECTION, name.span, message);
                    context.error(error.help("`link = true` lets every agent hear every other"));
                    Cond { node: CondNode::Bool(true), span: name.span }
                }
            };
            let ids = (0..self.names.tuples.len() as u32).map(TupleId);
            let tuples = ids.filter(|t| self.names.tuples[t.0 as usize].stigmergy == id).collect();
            stigmergies.push(Stigmergy { name: name.text.clone(), span: name.span, link, tuples });
        }
        stigmergies
    }

    pub(super) fn assumptions(&mut self, file: &ast::File) -> Vec<Assumption> {
        self.check_names("assumption", file.assumptions.iter().map(|a| &a.name));
        let mut context = self.context(Place::Property);
        let read = file.assumptions.iter().map(|source| {
            let predicate = context.cond(&source.predicate);
            Assumption { name: source.name.text.clone(), predicate }
        });
        read.collect()
    }

    pub(super) fn properties(&mut self, file: &ast::File) -> Vec<Property> {
        self.check_names("property", file.properties.iter().map(|p| &p.name));
        let mut context = self.context(Place::Property);
        let read = file.properties.iter().map(|source| {
            let predicate = context.cond(&source.predicate);
            let (modality, written) = match &source.modality {
                ast::Modality::Linear(formula) => {
                    let written = context.formula(formula);
                    (Modality::Linear(written.linear()), Some(written))
                }
                other => (context.modality(other), None),
            };
            Property { name: source.name.text.clone(), modality, predicate, span: source.span, written }
        });
        read.collect()
    }

    fn check_names<'n>(&mut self, what: &str, names: impl Iterator<Item = &'n Name>) {
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for name in names {
            match seen.get(name.text.as_str()) {
                Some(first) => self.out.push(words::duplicate(what, name, *first)),
                None => {
                    seen.insert(&name.text, name.span);
                }
            }
        }
    }
}

impl Context<'_, '_> {
    fn modality(&mut self, modality: &ast::Modality) -> Modality {
        match modality {
            // Formulas have places, too, and are read on their own.
            ast::Modality::Always | ast::Modality::Linear(_) => Modality::Always,
            ast::Modality::Eventually { finally: true } => Modality::Finally,
            ast::Modality::Eventually { finally: false } => Modality::Eventually,
            ast::Modality::Fairly => Modality::Fairly,
            ast::Modality::FairlyInf => Modality::FairlyInf,
            ast::Modality::After(steps) => {
                let steps = self.constant_within("the number of steps", steps, 0, i64::from(u32::MAX));
                Modality::After(steps.unwrap_or(0))
            }
            ast::Modality::Scoped(scope) => {
                let (start, end) = (self.cond(&scope.start), self.cond(&scope.end));
                let inside = match &scope.inside {
                    ast::Inside::Always => Inside::Always,
                    ast::Inside::ThereIs => Inside::ThereIs,
                    ast::Inside::Precedes(first) => Inside::Precedes(self.cond(first)),
                };
                Modality::Scoped { open: scope.open, start, end, inside }
            }
        }
    }
}
