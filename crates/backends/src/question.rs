//! What a back end is asked: a program, one of its properties or deadlocks, and a bound; and what it is not asked.

use crate::table::{Entry, Stops};
use crate::{NoAnswer, Tools, Unreadable};
use swarmcheck_engine::Fairness;
use swarmcheck_export::{Export, File, TARGETS};
use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::{Inside, Modality};
use swarmcheck_source::SourceFile;

/// A question to a back end.
#[derive(Clone, Copy)]
pub struct BackendQuestion<'a> {
    pub entry: &'static Entry,
    pub flat: &'a Flat,
    /// The property; `None` asks about deadlocks.
    pub property: Option<usize>,
    /// Only executions of this many steps.
    pub bound: Option<u32>,
    /// Executions that stop are to be excused.
    pub ignore_deadlock: bool,
    /// Which infinite executions count.
    pub fairness: Fairness,
    /// Bytes that may be used.
    pub memory: Option<u64>,
    /// Where the model comes from, for remarks in what is written.
    pub file: &'a SourceFile,
}

impl BackendQuestion<'_> {
    pub(crate) fn modality(&self) -> Option<&Modality> {
        Some(&self.flat.program.properties.get(self.property?)?.modality)
    }

    /// How many steps executions have, if only those of so many count.
    pub(crate) fn last(&self) -> Option<u32> {
        match self.modality() {
            Some(Modality::After(steps)) => Some(*steps),
            _ => self.bound,
        }
    }

    /// Whether executions that go on for ever count.
    pub(crate) fn goes_on(&self) -> bool {
        self.bound.is_none()
            && match self.modality() {
                Some(Modality::Eventually | Modality::Finally | Modality::Linear(_)) => true,
                Some(Modality::Scoped { open, inside, .. }) => *open && matches!(inside, Inside::ThereIs),
                _ => false,
            }
    }

    /// The property; back ends that are not asked about deadlocks have nothing to read about them either.
    pub(crate) fn named_property(&self) -> Result<usize, Unreadable> {
        self.property
            .filter(|number| *number < self.flat.program.properties.len())
            .ok_or_else(|| Unreadable::because(format!("{} is not asked about deadlocks", self.entry.title)))
    }

    /// That an answer about executions of any length needs another verifier.
    pub(crate) fn too_long(&self) -> String {
        format!("{} looks at executions of a given number of steps, and none was given", self.entry.title)
    }

    /// The files that each target of the back end writes, or why the question is not asked.
    pub(crate) fn written(&self) -> Result<Vec<Vec<File>>, String> {
        let name = self.entry.title;
        if self.property.is_none() && !self.entry.deadlocks {
            return Err(format!("{name} is not asked about deadlocks; the built-in engines and Spin are"));
        }
        if self.last().is_none() && !self.entry.unbounded {
            return Err(self.too_long());
        }
        let count = match self.entry.stops {
            Stops::Count => true,
            Stops::CountForever => self.last().is_none() && self.modality() != Some(&Modality::Always),
        };
        if self.ignore_deadlock && count {
            return Err(format!("{name} does not excuse executions that stop"));
        }
        if self.fairness != Fairness::None && self.goes_on() {
            return Err(format!("{name} is not asked about fair executions; the built-in engines are"));
        }
        self.entry.targets.iter().map(|target| self.exported(target)).collect()
    }

    /// The files of one target, the main one first; there is at least one.
    pub(crate) fn exported(&self, target: &str) -> Result<Vec<File>, String> {
        let Some(target) = TARGETS.iter().find(|known| known.name == target) else {
            return Err(format!("there is no target '{target}'"));
        };
        let export = Export {
            program: &self.flat.program,
            flat: self.flat,
            property: self.property,
            formulas: &[],
            bound: self.bound,
            file: self.file,
        };
        match (target.write)(&export) {
            Ok(files) if files.is_empty() => Err("the target wrote nothing".to_string()),
            Ok(files) => Ok(files),
            Err(refusal) => Err(refusal.why),
        }
    }

    /// The programs that are installed, one of each group.
    pub(crate) fn installed(&self, tools: &dyn Tools) -> Result<Vec<&'static str>, String> {
        let found = |group: &&'static [&'static str]| {
            let program = group.iter().find(|program| tools.find(program));
            program.copied().ok_or_else(|| (self.entry.missing)(self.entry, group))
        };
        self.entry.programs.iter().map(found).collect()
    }

    /// Asks.
    pub(crate) fn ask(&self, tools: &mut dyn Tools) -> Result<crate::Reply, NoAnswer> {
        let files = self.written().map_err(NoAnswer::Unsupported)?;
        let programs = self.installed(tools).map_err(NoAnswer::Unsupported)?;
        self.entry.dialogue.ask(self, &files, &programs, tools)
    }
}
