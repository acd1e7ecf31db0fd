//! LAbS.

use crate::asked::{self, AskedKind, AskedPart};
use crate::languages::EditorSupport;
use crate::open::ModelOptions;
use crate::process::{Act, Process, with_acts};
use crate::reach::{self, PredicateFrame};
use crate::show::Shape;
use crate::specification::{LanguageFrontEnd, Lowered, PropertyParts, Specification};
use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use swarmcheck_certify::{Claim, Confirmed, Refused, Replayed};
use swarmcheck_engine::trace::data::{PropertyData, TraceData};
use swarmcheck_ir::coverage::Points;
use swarmcheck_ir::written::Written;
use swarmcheck_ir::{Expr, Program};
use swarmcheck_labs::editor;
use swarmcheck_labs::lower::{self, Choice, Guard};
use swarmcheck_labs::model::{ActionId, Model, Rate};
use swarmcheck_labs::ring::{self, RingProperty};
use swarmcheck_labs::syntax::ast;
use swarmcheck_labs::{check, codes, fixes, syntax};
use swarmcheck_simulate::{self as simulate, Rates};
use swarmcheck_source::{Diagnostic, Diagnostics, SourceFile, Span};
use swarmcheck_triples::Structure;

/// What editors ask about its files.
pub(super) const EDITOR: EditorSupport = EditorSupport {
    pieces: swarmcheck_labs::syntax::pieces,
    index: editor::index,
    candidates: editor::candidates,
    meaning: editor::meaning,
    signature: editor::signature,
    words: editor::WORDS,
    name_problem: editor::name_problem,
    fixed_name: editor::fixed_name,
};

/// A model, and the triples that its program was made from.
struct Labs {
    model: Model,
    triples: OnceLock<(Choice, Triples)>,
}

/// One structure per kind of agent. Guards are places in the file.
type Triples = Vec<Structure<ActionId, GuardPlace>>;

/// A guard without the model that it belongs to.
struct GuardPlace {
    span: Span,
    negated: bool,
}

/// Where text could not be read, a section may only seem to be missing, and a name to be unused.
const DOUBTFUL: &[&str] = &[
    codes::MISSING_SECTION,
    codes::UNUSED_VARIABLE,
    codes::UNUSED_STIGMERGY,
    codes::UNUSED_PROCESS,
    codes::UNUSED_PARAMETER,
    codes::NOT_SPAWNED,
];

/// A predicate that is to be reached is read as an expression.
pub(super) const FRAME: PredicateFrame = PredicateFrame { before: "", after: "\n" };

/// Parts of queries are read as expressions and formulas.
pub(super) fn asked_frame(_: AskedKind) -> PredicateFrame {
    FRAME
}

/// Reads and checks a model.
pub(super) fn read(
    file: &SourceFile,
    _: Option<&str>,
    options: &ModelOptions,
    stop: &AtomicBool,
) -> (Option<Specification>, Diagnostics) {
    let length = reach::model_length(file, options).min(asked::model_length(file, options));
    let (mut tree, mut diagnostics) = syntax::parse(file.text().get(..length).unwrap_or_default());
    let nothing = diagnostics.iter().any(|d| d.code == codes::EMPTY);
    if nothing || stop.load(Ordering::Relaxed) {
        return (None, diagnostics);
    }
    if let Some(predicate) = &options.reach {
        add_predicate(&mut tree, file.text(), length, predicate, &mut diagnostics);
    }
    for ((number, part), at) in options.asked.parts.iter().enumerate().zip(asked::places(file, options)) {
        add_asked(&mut tree, number, part, at.start, &mut diagnostics);
    }
    let parsed = !diagnostics.has_errors();
    let end = file.text().get(..length).unwrap_or_default().trim_end().len();
    let (model, more) = check::check(&tree, Span::new(end, end), &options.parameters);
    for diagnostic in more.iter().filter(|d| parsed || !DOUBTFUL.contains(&d.code)) {
        diagnostics.push(diagnostic.clone());
    }
    fixes::complete(file.text().get(..length).unwrap_or_default(), &tree, &mut diagnostics);
    let model = model.filter(|_| parsed);
    (model.map(|model| Box::new(Labs { model, triples: OnceLock::new() }) as Specification), diagnostics)
}

/// Reads what stands behind the model, and adds it to the properties. The model is blanked out, so that what is wrong with
/// it does not matter here, and places stay what they are.
fn add_predicate(
    tree: &mut ast::File,
    text: &str,
    length: usize,
    predicate: &str,
    diagnostics: &mut Diagnostics,
) {
    let rest = text.get(length..).unwrap_or_default();
    if let Some(word) = modality(rest) {
        let start = length + rest.len() - rest.trim_start().len();
        let span = Span::new(start, start + word.len());
        let message =
            format!("a state that is to be reached is given by a predicate, and `{word}` is a modality");
        let mut error = Diagnostic::error(codes::SYNTAX, span, message);
        // Without the word, the conditions of a scope would be no predicate.
        if !["after", "between", "from", "ltl"].contains(&word) {
            error = error.help(format!(
                "leave out `{word}`: the question is whether some execution reaches the predicate"
            ));
        }
        diagnostics.push(error.help(format!(
            "`{word}` belongs in a property: write `Name = {word} …` in the section `check`, and verify that"
        )));
        return;
    }
    let (expression, found) = syntax::parse_expression(&(" ".repeat(length) + rest));
    diagnostics.extend(found);
    let span = expression.span;
    let name = ast::Name { text: reach::name(predicate), span };
    let modality = ast::Modality::Always;
    tree.properties.push(ast::Property { name, modality, predicate: expression, span });
}

/// Reads a part of a query, and adds it to the properties: a formula, a predicate that always holds, or that a number is always zero.
fn add_asked(
    tree: &mut ast::File,
    number: usize,
    part: &AskedPart,
    start: usize,
    diagnostics: &mut Diagnostics,
) {
    let text = " ".repeat(start) + &part.text;
    let named = |span: Span| ast::Name { text: asked::property_name(number), span };
    let property = match part.kind {
        AskedKind::Formula => {
            let (formula, found) = syntax::parse_formula(&text);
            diagnostics.extend(found);
            let span = formula.span;
            let predicate = ast::Expr { node: ast::ExprNode::Bool(true), span };
            ast::Property {
                name: named(span),
                modality: ast::Modality::Linear(Box::new(formula)),
                predicate,
                span,
            }
        }
        kind => {
            let (expression, found) = syntax::parse_expression(&text);
            diagnostics.extend(found);
            let span = expression.span;
            let predicate = match kind {
                AskedKind::Value => {
                    let zero = ast::Expr { node: ast::ExprNode::Number(0), span };
                    let node = ast::ExprNode::Binary(ast::BinaryOp::Eq, Box::new(expression), Box::new(zero));
                    ast::Expr { node, span }
                }
                _ => expression,
            };
            ast::Property { name: named(span), modality: ast::Modality::Always, predicate, span }
        }
    };
    tree.properties.push(property);
}

/// The modality that a text begins with, unless the word is a variable: then an operator follows, an index, or its owner.
fn modality(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (word, rest) = text.split_at(text.find(|c| !is_word(c)).unwrap_or(text.len()));
    if !syntax::MODALITIES.contains(&word) {
        return None;
    }
    let rest = rest.trim_start();
    let next = rest.split(|c| !is_word(c)).next().unwrap_or_default();
    let begins = rest.starts_with(|c: char| is_word(c) || c == '(')
        || rest.starts_with('!') && !rest.starts_with("!=");
    (begins && !["of", "and", "or"].contains(&next)).then_some(word)
}

/// The same structures, which can be kept beside the model.
fn owned(structures: Vec<Structure<ActionId, Guard<'_>>>) -> Triples {
    let place = |guard: Guard<'_>| GuardPlace { span: guard.cond.span, negated: guard.negated };
    structures.into_iter().map(|structure| structure.map_guards(place)).collect()
}

impl Labs {
    fn structures(&self, choice: Choice) -> Option<Triples> {
        lower::structures(&self.model, choice).ok().map(owned)
    }
}

impl LanguageFrontEnd for Labs {
    fn summary(&self) -> String {
        let model = &self.model;
        let kinds: Vec<String> = model.kinds.iter().map(|k| format!("{} {}", k.count, k.name)).collect();
        format!(
            "agents: {}; variables: {}; tuples: {}; actions: {}; properties: {}",
            kinds.join(", "),
            model.variables.len(),
            model.tuples.len(),
            model.actions.iter().filter(|a| !a.pass).count(),
            model.properties.len()
        )
    }

    fn lower(&self, text: &str, options: &ModelOptions, _: bool) -> Result<Lowered, Box<Diagnostic>> {
        let ModelOptions { fair, semantics, choice, sync, .. } = *options;
        let lowered = lower::lower(&self.model, text, lower::Options { fair, semantics, choice, sync })?;
        self.triples.get_or_init(|| (choice, owned(lowered.structures)));
        let mut program = lowered.program;
        // The predicate itself is the property of the model. Where ⊥ makes it neither true nor false it is not satisfied, so
        // the negation is made here, where there are two truth values.
        if let (Some(_), Some(property)) = (&options.reach, program.properties.last_mut()) {
            let predicate = std::mem::replace(&mut property.predicate, Expr::TRUE);
            property.predicate = Expr::not(predicate);
            property.vacuous = false;
        }
        Ok(Lowered { program, labels: None, value_names: BTreeMap::new() })
    }

    fn follows_claims(&self) -> bool {
        false
    }

    fn assumptions(&self) -> Vec<(String, Span)> {
        self.model.assumptions.iter().map(|a| (a.name.clone(), a.predicate.span)).collect()
    }

    fn triples(&self, file: &SourceFile, choice: Choice, shape: Shape) -> String {
        let (made, kept) = match self.triples.get() {
            Some((known, kept)) if *known == choice => (None, kept.as_slice()),
            _ => (self.structures(choice), [].as_slice()),
        };
        let structures = made.as_deref().unwrap_or(kept);
        let action = |a: &ActionId| match self.model.action(*a) {
            action if action.pass => "pass".to_string(),
            action => words(file, action.span),
        };
        let guard = |g: &GuardPlace| {
            let text = words(file, g.span);
            if g.negated { format!("not {text}") } else { text }
        };
        let mut out = String::new();
        for (kind, structure) in self.model.kinds.iter().zip(structures) {
            match shape {
                Shape::Dot => {
                    out += &swarmcheck_triples::dot(structure, &kind.name, &kind.name, |guards, a| {
                        let guards: String = guards.iter().map(|g| format!("[{}]\n", guard(g))).collect();
                        guards + &action(a)
                    });
                }
                _ => {
                    out += &format!("agent {}\n", kind.name);
                    for line in swarmcheck_triples::print(structure, action, guard).lines() {
                        out += &format!("  {line}\n");
                    }
                }
            }
        }
        out
    }

    fn replay(&self, file: &SourceFile, trace: &TraceData) -> Result<Replayed, Refused> {
        swarmcheck_certify::replay(&self.model, file, trace)
    }

    fn violated(
        &self,
        file: &SourceFile,
        trace: &TraceData,
        claim: &Claim<'_>,
    ) -> Result<Confirmed, Refused> {
        swarmcheck_certify::violated(&self.model, file, trace, claim)
    }

    /// The property of the model is the predicate itself, so the trace is made to claim that it is true in the end.
    fn reached(&self, file: &SourceFile, trace: &TraceData, claim: &Claim<'_>) -> Result<Confirmed, Refused> {
        let mut trace = trace.clone();
        let name = claim.property.unwrap_or_default().to_string();
        let place = trace.steps.last_mut().map_or(&mut trace.properties, |step| &mut step.properties);
        place.push(PropertyData { name, holds: true, because: vec![] });
        let replayed = swarmcheck_certify::replay(&self.model, file, &trace)?;
        let too_long = claim.bound.is_some_and(|bound| replayed.steps > bound as usize);
        if too_long {
            return Err(Refused::new(Some(replayed.steps), "the trace is longer than it may be".into()));
        }
        Ok(Confirmed { replayed, entirely: true })
    }

    fn parts(&self, property: usize, options: &ModelOptions) -> PropertyParts {
        let ModelOptions { fair, semantics, choice, sync, .. } = *options;
        let options = lower::Options { fair, semantics, choice, sync };
        let parts = lower::parts::parts(&self.model, property, options).unwrap_or_default();
        PropertyParts { parts, ..PropertyParts::default() }
    }

    fn written(&self, property: usize, options: &ModelOptions) -> Option<Written<Expr>> {
        let ModelOptions { fair, semantics, choice, sync, .. } = *options;
        lower::written(&self.model, property, lower::Options { fair, semantics, choice, sync })
    }

    fn asked_value(&self, property: usize, options: &ModelOptions) -> Option<Expr> {
        let ModelOptions { fair, semantics, choice, sync, .. } = *options;
        lower::value::compared(&self.model, property, lower::Options { fair, semantics, choice, sync })
    }

    fn coverage(&self, options: &ModelOptions, _: bool) -> Result<Option<Points>, Box<Diagnostic>> {
        let ModelOptions { fair, semantics, choice, sync, .. } = *options;
        lower::coverage::points(&self.model, lower::Options { fair, semantics, choice, sync }).map(Some)
    }

    fn parameters(&self) -> &[(String, i64)] {
        &self.model.parameters
    }

    fn rates(&self, program: &Program) -> Option<Rates> {
        let rows = lower::rates::rates(&self.model, program)?;
        let rate = |rate: Rate| simulate::Rate { numerator: rate.numerator, denominator: rate.denominator };
        Some(Rates { of: rows.into_iter().map(|row| row.into_iter().map(rate).collect()).collect() })
    }

    fn spawned(&self, text: &str, parameter: &str, property: &str) -> Result<Vec<String>, Span> {
        swarmcheck_labs::spawned::spawned(text, parameter, property)
    }

    fn ring(
        &self,
        text: &str,
        parameter: &str,
        property: &str,
    ) -> Option<Result<RingProperty, (String, Span)>> {
        let found = ring::ring(text, parameter, property)?;
        Some(found.map_err(|(why, span)| (why.to_string(), span)))
    }

    fn labs(&self) -> Option<&Model> {
        Some(&self.model)
    }

    fn processes(&self, file: &SourceFile, choice: Choice) -> Vec<Process> {
        let structures = self.structures(choice).unwrap_or_default();
        let act = |guards: &[GuardPlace], id: &ActionId| {
            let action = self.model.action(*id);
            let text = if action.pass { "pass".to_string() } else { words(file, action.span) };
            let guard =
                |g: &GuardPlace| format!("{}{}", if g.negated { "not " } else { "" }, words(file, g.span));
            Act::new(&text, file, action.span).guarded(guards.iter().map(guard))
        };
        let process = |(kind, structure): (&swarmcheck_labs::model::AgentKind, &_)| Process {
            name: Some(kind.name.clone()),
            agents: (kind.first..kind.first + kind.count).collect(),
            structure: with_acts(structure, act),
            from_zero: false,
        };
        self.model.kinds.iter().zip(&structures).map(process).collect()
    }
}

/// The text below a span in one line.
fn words(file: &SourceFile, span: Span) -> String {
    let words: Vec<&str> = file.slice(span).split_whitespace().collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rates(text: &str) -> Option<Rates> {
        let file = SourceFile::new("model.labs", text.to_string());
        let options = ModelOptions::default();
        let (found, diagnostics) = read(&file, None, &options, &AtomicBool::new(false));
        let specification = found.unwrap_or_else(|| panic!("{:?}", diagnostics.into_sorted()));
        let lowered = specification.lower(text, &options, true).unwrap_or_else(|_| panic!("too large"));
        specification.rates(&lowered.program)
    }

    /// By hand: one function for each action in the order of the text, then propagate and confirm.
    #[test]
    fn rates_are_a_table_beside_the_program() {
        let text = "system { spawn = A: 1, B: 1 }
            stigmergy S { link = true rate = 0.25 s: 0 }
            agent A { rate = 2 stigmergies = S Behavior = s <~ 1 @ 1 / 3; Skip }
            agent B { stigmergies = S Behavior = Skip }";
        let rate = |numerator, denominator| simulate::Rate { numerator, denominator };
        let one = simulate::Rate::ONE;
        // A function that a kind does not run has a rate for it all the same, which nobody asks for.
        let of = vec![
            vec![rate(1, 3), rate(1, 3)],
            vec![rate(2, 1), one],
            vec![rate(2, 1), one],
            vec![rate(1, 4), rate(1, 4)],
            vec![rate(1, 4), rate(1, 4)],
        ];
        assert_eq!(rates(text), Some(Rates { of }));
        let plain =
            "system { spawn = A: 1 } agent A { interface = rate: 1 Behavior = rate = 1 -> rate <- 2 }";
        assert_eq!(rates(plain), None);
    }
}
