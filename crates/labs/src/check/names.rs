//! The tables of names: everything a file declares, once [`super::declare`] has filled them.

use crate::model::{Class, Init, KindId, ProcessId, StigmergyId, Tuple, VarId, Variable};
use crate::syntax::ast;
use std::collections::{BTreeSet, HashMap, HashSet};
use swarmcheck_source::{Span, suggest::Suggestions};

/// An external parameter.
pub(super) struct Parameter<'a> {
    pub name: &'a str,
    pub span: Span,
    /// `None` when the command line gives no usable value.
    pub value: Option<i64>,
}

/// A kind of agents.
pub(super) struct KindEntry<'a> {
    pub agent: &'a ast::Agent,
    /// The id of its first agent; meaningless if a count before it is not known.
    pub first: u32,
    /// How many agents it has; `None` when not known.
    pub count: Option<u32>,
    pub attributes: Vec<(VarId, Init)>,
    /// The variables among `attributes`.
    pub owned: HashSet<VarId>,
    /// Sorted.
    pub stigmergies: Vec<StigmergyId>,
    /// It lists a stigmergy that does not exist, so what it takes part in is not known.
    pub doubtful: bool,
}

/// A stigmergy; its variables are in the table of tuples.
pub(super) struct StigmergyEntry<'a> {
    pub source: &'a ast::Stigmergy,
}

/// A process definition.
pub(super) struct ProcessEntry<'a> {
    pub source: &'a ast::ProcessDef,
    /// The kind it belongs to; `None` if global.
    pub kind: Option<KindId>,
}

/// All tables. A name declared twice has two entries where that helps to check both, and means the first.
#[derive(Default)]
pub(super) struct Names<'a> {
    pub parameters: Vec<Parameter<'a>>,
    /// In the order of the model: spawned ones first.
    pub kinds: Vec<KindEntry<'a>>,
    /// An array size of 0 stands for a size that is not known.
    pub variables: Vec<Variable>,
    pub environment: Vec<(VarId, Init)>,
    pub stigmergies: Vec<StigmergyEntry<'a>>,
    pub tuples: Vec<Tuple>,
    /// Variables declared for two stores: it is not known which one is meant.
    pub ambiguous: BTreeSet<VarId>,
    /// In the order of the text.
    pub processes: Vec<ProcessEntry<'a>>,
    pub(super) parameter_index: HashMap<&'a str, usize>,
    pub(super) kind_index: HashMap<&'a str, KindId>,
    pub(super) variable_index: HashMap<&'a str, VarId>,
    pub(super) stigmergy_index: HashMap<&'a str, StigmergyId>,
    pub(super) process_index: HashMap<(Option<KindId>, &'a str), ProcessId>,
    pub(super) suggestions: Suggestions,
}

impl<'a> Names<'a> {
    /// The position of a parameter.
    pub fn parameter(&self, name: &str) -> Option<usize> {
        self.parameter_index.get(name).copied()
    }

    pub fn kind(&self, name: &str) -> Option<KindId> {
        self.kind_index.get(name).copied()
    }

    pub fn variable(&self, name: &str) -> Option<VarId> {
        self.variable_index.get(name).copied()
    }

    pub fn stigmergy(&self, name: &str) -> Option<StigmergyId> {
        self.stigmergy_index.get(name).copied()
    }

    /// The process that a name means: in a kind its own definition before the global one.
    pub fn process(&self, kind: Option<KindId>, name: &str) -> Option<ProcessId> {
        self.process_index.get(&(kind, name)).or_else(|| self.process_index.get(&(None, name))).copied()
    }

    /// What is known about a variable.
    pub fn var(&self, id: VarId) -> &Variable {
        &self.variables[id.0 as usize]
    }

    /// What is known about a kind.
    pub fn kind_entry(&self, id: KindId) -> &KindEntry<'a> {
        &self.kinds[id.0 as usize]
    }

    pub fn kind_name(&self, id: KindId) -> &'a str {
        &self.kind_entry(id).agent.name.text
    }

    pub fn kind_ids(&self) -> impl Iterator<Item = KindId> + use<> {
        (0..self.kinds.len() as u32).map(KindId)
    }

    /// The kinds that take part in a stigmergy.
    pub fn participants(&self, stigmergy: StigmergyId) -> Vec<KindId> {
        self.kind_ids().filter(|k| self.kind_entry(*k).stigmergies.contains(&stigmergy)).collect()
    }

    /// The stigmergy that holds a stigmergic variable.
    pub fn stigmergy_of(&self, variable: VarId) -> Option<StigmergyId> {
        match self.var(variable).class {
            Class::Stigmergic(tuple) => Some(self.tuples[tuple.0 as usize].stigmergy),
            _ => None,
        }
    }

    /// Whether agents of a kind have a copy of a variable, or mistakes reported elsewhere leave it open.
    pub fn has(&self, kind: KindId, variable: VarId) -> bool {
        let entry = self.kind_entry(kind);
        if self.ambiguous.contains(&variable) {
            return true;
        }
        match (self.var(variable).class, self.stigmergy_of(variable)) {
            (Class::Attribute, _) => entry.owned.contains(&variable),
            (_, Some(stigmergy)) => entry.doubtful || entry.stigmergies.contains(&stigmergy),
            _ => false,
        }
    }

    /// The candidate that is likely to be meant.
    pub fn nearest<'n>(&self, name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
        self.suggestions.nearest(name, candidates)
    }

    /// The names of all kinds, for suggestions.
    pub fn kind_names(&self) -> impl Iterator<Item = &'a str> {
        self.kinds.iter().map(|k| k.agent.name.text.as_str())
    }

    /// The names of all variables, for suggestions.
    pub fn variable_names(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(|v| v.name.as_str())
    }

    /// The names of the processes that a process of a kind can call, for suggestions.
    pub fn process_names(&self, kind: Option<KindId>) -> impl Iterator<Item = &'a str> {
        let visible = move |p: &&ProcessEntry<'a>| p.kind.is_none() || p.kind == kind;
        self.processes.iter().filter(visible).map(|p| p.source.name.text.as_str())
    }
}
