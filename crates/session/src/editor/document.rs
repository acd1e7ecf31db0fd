//! An open document and what is known about it. Everything is found once per text, when it is first asked for.

use super::protocol::{EditorAnswer, Fact, Known};
use crate::languages::{EditorSupport, Language, language};
use crate::open::{Checked, ModelOptions, check_as};
use crate::outline::{self, Outline};
use crate::request::ModelRequest;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use swarmcheck_engine::Reductions;
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{KindId, VarId};
use swarmcheck_labs::codes::MISSING_PARAMETER;
use swarmcheck_question::reduce::{Range, fold_constants};
use swarmcheck_source::data::{self, DiagnosticData};
use swarmcheck_source::index::{Index, Symbol, SymbolKind};
use swarmcheck_source::token::Token;
use swarmcheck_source::{Severity, SourceFile};

/// What is tried for parameters without a value, in this order: small numbers first, larger ones for models that need room.
const TRIED: [i64; 3] = [3, 10, 1];

/// An open document.
pub(super) struct Document {
    pub(super) model: ModelRequest,
    pub(super) file: SourceFile,
    index: OnceLock<Index>,
    pieces: OnceLock<Vec<Token>>,
    checked: OnceLock<CheckedDocument>,
    facts: OnceLock<Vec<Fact>>,
}

/// What checking has found.
pub(super) struct CheckedDocument {
    pub(super) diagnostics: Vec<DiagnosticData>,
    pub(super) outline: Option<Outline>,
    pub(super) assumed: Vec<(String, i64)>,
    checked: Checked,
}

impl Document {
    pub(super) fn new(mut model: ModelRequest) -> Document {
        // A part of a file is no document, and a colon may stand in any name.
        model.source.name = model.source.name.replace(':', "_");
        let text = std::mem::take(&mut model.source.text);
        let file = SourceFile::new(model.source.name.clone(), text);
        let (index, pieces) = (OnceLock::new(), OnceLock::new());
        Document { model, file, index, pieces, checked: OnceLock::new(), facts: OnceLock::new() }
    }

    pub(super) fn text(&self) -> &str {
        self.file.text()
    }

    pub(super) fn language(&self) -> &'static Language {
        language(&self.model.source.name, self.model.source.language)
    }

    pub(super) fn support(&self) -> &'static EditorSupport {
        &self.language().editor
    }

    pub(super) fn index(&self) -> &Index {
        self.index.get_or_init(|| (self.support().index)(self.text()))
    }

    pub(super) fn pieces(&self) -> &[Token] {
        self.pieces.get_or_init(|| (self.support().pieces)(self.text()))
    }

    /// The same document with another text.
    pub(super) fn with_text(&self, text: String) -> Document {
        let mut model = self.model.clone();
        model.source.text = text;
        Document::new(model)
    }

    /// Errors and warnings. Missing values of parameters are none: something is tried instead.
    pub(super) fn checked(&self) -> &CheckedDocument {
        self.checked.get_or_init(|| {
            let first = self.check(vec![]);
            let missing = first.missing();
            if missing.is_empty() {
                return first;
            }
            let mut best: Option<CheckedDocument> = None;
            for value in TRIED {
                let tried = self.check(missing.iter().map(|name| (name.clone(), value)).collect());
                let fine = tried.errors() == 0;
                if best.as_ref().is_none_or(|best| tried.errors() < best.errors()) {
                    best = Some(tried);
                }
                if fine {
                    break;
                }
            }
            best.unwrap_or(first)
        })
    }

    fn check(&self, assumed: Vec<(String, i64)>) -> CheckedDocument {
        let mut options = ModelOptions::from(&self.model);
        // Values come from settings and project files, too, which may be older than the text.
        let is_parameter = |name: &str| {
            let symbols = &self.index().symbols;
            symbols.iter().any(|symbol| symbol.kind == SymbolKind::Parameter && symbol.name == name)
        };
        options.parameters.retain(|(name, _)| is_parameter(name.strip_prefix('_').unwrap_or(name)));
        options.parameters.extend(assumed.iter().map(|(name, value)| (name.clone(), value.to_string())));
        // A byte order mark is dropped where files are read; three spaces keep the places.
        let unmarked = self.text().strip_prefix('\u{feff}').map(|rest| format!("   {rest}"));
        let text = unmarked.as_deref().unwrap_or(self.text());
        let checked = check_as(self.file.name(), text.as_bytes(), options);
        let outline = outline::outline(&checked);
        let list = checked.diagnostics.iter().map(|d| data::diagnostic(&checked.file, d));
        CheckedDocument { diagnostics: list.collect(), outline, assumed, checked }
    }

    pub(super) fn diagnostics(&self) -> EditorAnswer {
        let CheckedDocument { diagnostics, outline, assumed, .. } = self.checked();
        EditorAnswer::Diagnostics {
            diagnostics: diagnostics.clone(),
            outline: outline.clone().map(Box::new),
            assumed: assumed.clone(),
        }
    }

    /// What is known about declarations; only of a model without errors.
    pub(super) fn facts(&self) -> &[Fact] {
        self.facts.get_or_init(|| self.find_facts().unwrap_or_default())
    }

    fn find_facts(&self) -> Option<Vec<Fact>> {
        let found = self.checked();
        let (model, lowered) = (found.checked.model.as_ref()?, found.checked.lowered()?);
        let program = Arc::new(lowered.program.clone());
        let folded = fold_constants(&program, &Reductions::ALL);
        let index = self.index();
        let value = |symbol: &Symbol| {
            let (_, value) = model.parameters().iter().find(|(name, _)| *name == symbol.name)?;
            let assumed = found.assumed.iter().any(|(name, _)| *name == symbol.name);
            Some(Known::Value { value: *value, assumed })
        };
        let agents = |symbol: &Symbol| {
            let kind = program.kinds.iter().find(|kind| kind.name == symbol.name)?;
            Some(Known::Agents { count: kind.count })
        };
        let mut by_name: HashMap<&str, Vec<VarId>> = HashMap::new();
        for (id, var) in (0..).map(VarId).zip(&program.vars) {
            if matches!(var.role, Role::Data { .. }) {
                by_name.entry(&var.name).or_default().push(id);
            }
        }
        let kinds: HashMap<&str, u32> =
            (0..).zip(&program.kinds).map(|(number, kind)| (kind.name.as_str(), number)).collect();
        let range = |symbol: &Symbol| {
            let owner = symbol.container.and_then(|container| index.symbols.get(container));
            let owner = owner.filter(|owner| owner.kind == SymbolKind::AgentKind);
            let kind = owner.and_then(|owner| kinds.get(owner.name.as_str())).map(|kind| KindId(*kind));
            let is_owned = |owners: &[KindId]| kind.is_none_or(|kind| owners.contains(&kind));
            let meant = by_name.get(symbol.name.as_str())?.iter();
            let meant = meant.filter(|id| program.var(**id).owners.as_deref().is_none_or(is_owned));
            let mut ranges = meant.filter_map(|id| Some((folded.range(*id)?, lowered.value_names.get(id))));
            let (first, names) = ranges.next()?;
            Some(known_range(ranges.fold(first, |all, (one, _)| joined(all, one)), names))
        };
        let known = |symbol: &Symbol| match symbol.kind {
            SymbolKind::Parameter => value(symbol),
            SymbolKind::AgentKind => agents(symbol),
            SymbolKind::Attribute | SymbolKind::StigmergicVariable | SymbolKind::EnvironmentVariable => {
                range(symbol)
            }
            _ => None,
        };
        let fact = |symbol: &Symbol| {
            let place = (symbol.span.start, symbol.span.end);
            known(symbol).map(|known| Fact {
                name: symbol.name.clone(),
                place,
                end: symbol.extent.end,
                known,
            })
        };
        Some(index.symbols.iter().filter_map(fact).collect())
    }
}

/// More values than these are told as bounds.
const FEW: usize = 8;

/// What two variables of one name can have.
fn joined(a: Range, b: Range) -> Range {
    let values = a.values.zip(b.values).map(|(mut a, b)| {
        a.extend(b);
        a.sort_unstable();
        a.dedup();
        a
    });
    let bound = |a: Option<i64>, b: Option<i64>, pick: fn(i64, i64) -> i64| a.zip(b).map(|(a, b)| pick(a, b));
    let (lo, hi) = (bound(a.lo, b.lo, i64::min), bound(a.hi, b.hi, i64::max));
    Range { lo, hi, undef: a.undef || b.undef, values }
}

fn known_range(range: Range, names: Option<&Vec<String>>) -> Known {
    let name = |value: &i64| {
        let name = names.and_then(|names| names.get(usize::try_from(*value).ok()?));
        name.cloned().unwrap_or_else(|| value.to_string())
    };
    let few = range.values.filter(|values| values.len() <= FEW);
    let values = few.map(|values| values.iter().map(name).collect());
    Known::Range { low: range.lo, high: range.hi, values, undefined: range.undef }
}

impl CheckedDocument {
    /// Parameters whose values are missing.
    fn missing(&self) -> Vec<String> {
        let missing = |d: &&DiagnosticData| d.code == MISSING_PARAMETER;
        let starts = self.diagnostics.iter().filter(missing).map(|d| d.place.start);
        let outline = self.outline.as_ref();
        let name = |start| {
            let parameters = &outline?.parameters;
            Some(parameters.iter().find(|parameter| parameter.place.start == start)?.name.clone())
        };
        starts.filter_map(name).collect()
    }

    pub(super) fn errors(&self) -> usize {
        self.diagnostics.iter().filter(|d| d.severity == Severity::Error).count()
    }
}
