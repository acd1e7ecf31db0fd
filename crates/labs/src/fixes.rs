//! Fixes that need the text: they add a declaration to a section, or remove one with its separator and its line.
//!
//! The parser and the checker attach the fixes that they can write from a place and a name. This pass adds the others to
//! what they found, so that the checker need not know the text.

mod remove;

use crate::codes;
use crate::syntax;
use crate::syntax::ast::{Agent, ExprNode, File, Process, ProcessDef, ProcessNode};
use remove::Removal;
use std::collections::{HashMap, HashSet};
use swarmcheck_source::fix::FixData;
use swarmcheck_source::{Diagnostic, Diagnostics, Fix, Span, suggest};

/// Adds fixes to what was found in a file.
pub fn complete(text: &str, file: &File, found: &mut Diagnostics) {
    let wanted = |d: &Diagnostic| d.fixes.is_empty() && HANDLED.contains(&d.code);
    if !found.iter().any(|d| wanted(d) || BROKEN.contains(&d.code)) {
        return;
    }
    unclosed(text, found);
    let broken = found.iter().any(|d| BROKEN.contains(&d.code));
    if broken {
        // Where brackets are wrong, further parentheses may belong to them.
        found.iter_mut().filter(|d| READINGS.contains(&d.code)).for_each(|d| d.fixes.clear());
    }
    let places = Places::new(text, file);
    for diagnostic in found.iter_mut().filter(|d| wanted(d)) {
        // Where text could not be read, what seems to be missing may stand there.
        if !broken || diagnostic.code != codes::MISSING_BEHAVIOR {
            diagnostic.fixes = places.fixes(diagnostic);
        }
    }
}

/// How many unclosed brackets are looked at more closely: each costs some readings of the text.
const MOST_UNCLOSED: usize = 3;

/// Warnings whose fixes write parentheses.
const READINGS: [&str; 3] = [codes::GUARD_READING, codes::AND_OR_READING, codes::OWNER_READING];

/// Errors of the text itself.
const BROKEN: [&str; 4] = [codes::SYNTAX, codes::CHARACTER, codes::OPERATOR, codes::UNCLOSED];

/// Keeps the fix of an unclosed bracket only if the text can be read better with it. Other likely places are the end of the line
/// and the first sign on it that seldom stands in brackets.
fn unclosed(text: &str, found: &mut Diagnostics) {
    let before = found.iter().filter(|d| BROKEN.contains(&d.code)).count();
    for (number, diagnostic) in found.iter_mut().filter(|d| d.code == codes::UNCLOSED).enumerate() {
        let Some(first) = diagnostic.fixes.pop() else { continue };
        if number >= MOST_UNCLOSED {
            continue;
        }
        let after = diagnostic.primary.span.end;
        let rest = text.get(after as usize..).unwrap_or("");
        let line = rest.split(['\n', '#']).next().unwrap_or("").trim_end();
        let sign = ["->", "=>", ";", "++", "||"].iter().filter_map(|sign| line.find(sign)).min();
        let ends = [sign.map(|at| line.get(..at).unwrap_or("").trim_end().len()), Some(line.len())];
        let others = ends.into_iter().flatten().map(|length| {
            let mut fix = first.clone();
            fix.edits
                .iter_mut()
                .for_each(|edit| edit.span = Span::new(after as usize + length, after as usize + length));
            fix
        });
        let here = diagnostic.primary.span;
        let better = |fix: &Fix| {
            let Some(text) = FixData::from(fix).apply(text) else { return false };
            let found = syntax::parse(&text).1;
            let again = found.iter().any(|d| d.code == codes::UNCLOSED && d.primary.span == here);
            !again && found.iter().filter(|d| BROKEN.contains(&d.code)).count() < before
        };
        diagnostic.fixes = [first.clone()].into_iter().chain(others).find(better).into_iter().collect();
    }
}

/// The codes that this pass looks at.
const HANDLED: [&str; 10] = [
    codes::UNDECLARED_PARAMETER,
    codes::NOT_OF_KIND,
    codes::MISSING_SECTION,
    codes::NO_AGENTS,
    codes::MISSING_BEHAVIOR,
    codes::UNUSED_VARIABLE,
    codes::UNUSED_STIGMERGY,
    codes::UNUSED_PROCESS,
    codes::UNUSED_PARAMETER,
    codes::NOT_SPAWNED,
];

/// A file and tables of its places, so that many diagnostics cost no more than one walk over the file.
struct Places<'a> {
    text: &'a str,
    file: &'a File,
    agents: HashMap<u32, &'a Agent>,
    /// Where declarations of variables begin, and what to remove with them.
    variables: HashMap<u32, Removal>,
    processes: HashMap<u32, &'a ProcessDef>,
    /// The names that definitions call, apart from a definition's calls of itself.
    called: HashSet<&'a str>,
}

impl<'a> Places<'a> {
    fn new(text: &'a str, file: &'a File) -> Places<'a> {
        let own = file.agents.iter().flat_map(|a| &a.processes);
        let all: Vec<&ProcessDef> = file.systems.iter().flat_map(|s| &s.processes).chain(own).collect();
        let mut called = HashSet::new();
        for definition in &all {
            let mut calls = vec![];
            collect(&definition.body, &mut calls);
            called.extend(calls.iter().map(|(name, _)| *name).filter(|name| *name != definition.name.text));
        }
        Places {
            text,
            file,
            agents: file.agents.iter().map(|a| (a.name.span.start, a)).collect(),
            variables: remove::variables(text, file),
            processes: all.into_iter().map(|p| (p.name.span.start, p)).collect(),
            called,
        }
    }

    fn fixes(&self, diagnostic: &Diagnostic) -> Vec<Fix> {
        let at = diagnostic.primary.span;
        match diagnostic.code {
            codes::UNDECLARED_PARAMETER => self.declare_parameter(at).into_iter().collect(),
            codes::NOT_OF_KIND => self.give(diagnostic).into_iter().collect(),
            codes::MISSING_SECTION => self.section(at).into_iter().collect(),
            codes::NO_AGENTS => self.one_agent(None).into_iter().collect(),
            codes::MISSING_BEHAVIOR => self.behavior(at).into_iter().collect(),
            codes::UNUSED_VARIABLE => self.unused_variable(diagnostic).into_iter().collect(),
            codes::UNUSED_STIGMERGY => remove::section(self.text, "stigmergy", at).into_iter().collect(),
            codes::UNUSED_PROCESS => self.unused_process(at).into_iter().collect(),
            codes::UNUSED_PARAMETER => self.unused_parameter(at).into_iter().collect(),
            codes::NOT_SPAWNED => self.one_agent(self.agents.get(&at.start).copied()).into_iter().collect(),
            _ => vec![],
        }
    }

    fn slice(&self, span: Span) -> &'a str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// The place behind the brace that opens after this place.
    fn inside(&self, after: Span) -> Option<u32> {
        Some(remove::next(self.text, after.end, '{')? + 1)
    }

    /// Inserts a line at the beginning of the section whose head is this.
    fn first_line(&self, head: Span, line: &str, title: String) -> Option<Fix> {
        let at = self.inside(head)?;
        let rest = self.text.get(at as usize..)?;
        let same_line = rest.lines().next().is_some_and(|rest| !rest.trim().is_empty());
        let text = if same_line { format!(" {line};") } else { format!("\n  {line}") };
        Some(Fix::insert(at, text, title))
    }

    fn declare_parameter(&self, at: Span) -> Option<Fix> {
        let system = self.file.systems.first()?;
        let name = self.slice(at);
        let title = format!("declare `{name}` in `extern`");
        match system.externs.first() {
            Some(first) => Some(Fix::insert(first.name.span.start, format!("{name}: 5, "), title)),
            None => self.first_line(system.span, &format!("extern = {name}: 5"), title),
        }
    }

    /// Gives all kinds that a message names what they lack.
    fn give(&self, diagnostic: &Diagnostic) -> Option<Fix> {
        let (declared, kinds) = diagnostic.secondary.split_first()?;
        let mut fix = Fix { title: String::new(), edits: vec![] };
        let stigmergy =
            self.file.stigmergies.iter().find(|s| {
                s.tuples.iter().flat_map(|t| &t.variables).any(|(name, _)| name.span == declared.span)
            });
        let plain =
            |a: &&Agent| a.interface.iter().any(|d| d.name.span == declared.span && d.dimensions.is_empty());
        for kind in kinds {
            let agent = self.agents.get(&kind.span.start)?;
            let edit = match stigmergy {
                Some(stigmergy) => {
                    let name = &stigmergy.name.text;
                    fix.title = format!("list `{name}` in `stigmergies`");
                    match agent.stigmergies.last() {
                        Some(last) => Fix::insert(last.span.end, format!(", {name}"), ""),
                        None => {
                            self.first_line(agent.name.span, &format!("stigmergies = {name}"), String::new())?
                        }
                    }
                }
                None => {
                    self.file.agents.iter().find(plain)?;
                    let name = self.slice(declared.span);
                    fix.title = format!("declare `{name}` in `interface`");
                    match agent.interface.first() {
                        Some(first) => Fix::insert(first.name.span.start, format!("{name}: 0; "), ""),
                        None => self.first_line(
                            agent.name.span,
                            &format!("interface = {name}: 0"),
                            String::new(),
                        )?,
                    }
                }
            };
            fix.edits.extend(edit.edits);
        }
        Some(fix).filter(|fix| !fix.edits.is_empty())
    }

    /// Adds a section or a part that is missing.
    fn section(&self, at: Span) -> Option<Fix> {
        if let Some(stigmergy) = self.file.stigmergies.iter().find(|s| s.name.span == at) {
            return self.first_line(stigmergy.name.span, "link = true", "insert `link = true`".into());
        }
        let kind = self.file.agents.first().map(|a| a.name.text.as_str());
        match (self.file.systems.first(), kind) {
            (Some(system), Some(kind)) if system.span == at => {
                let line = format!("spawn = {kind}: 1");
                let title = format!("insert `{line}`");
                self.first_line(system.span, &line, title)
            }
            (None, Some(kind)) => {
                let line = format!("system {{ spawn = {kind}: 1 }}");
                let title = format!("insert `{line}`");
                Some(Fix::insert(0, format!("{line}\n"), title))
            }
            (Some(system), None) if system.span != at => {
                let mut kinds: Vec<&str> =
                    system.spawn.as_ref()?.iter().map(|s| s.kind.text.as_str()).collect();
                kinds.dedup();
                let lines: String =
                    kinds.iter().map(|kind| format!("\nagent {kind} {{ Behavior = Skip }}")).collect();
                let title = format!("insert `agent {} {{ Behavior = Skip }}`", kinds.first()?);
                Some(Fix::insert(at.end, lines, title))
            }
            _ => None,
        }
    }

    /// Spawns one agent: of this kind, or of the first that is spawned without agents.
    fn one_agent(&self, kind: Option<&Agent>) -> Option<Fix> {
        let spawns = self.file.systems.iter().find_map(|s| s.spawn.as_ref())?;
        let listed = spawns.iter().find(|s| kind.is_none_or(|k| k.name.text == s.kind.text));
        match (listed, kind) {
            (Some(listed), _) => {
                let title = format!("spawn one agent of kind `{}`", listed.kind.text);
                let zero = matches!(listed.count.node, ExprNode::Number(0));
                zero.then(|| Fix::replace(listed.count.span, "1", title))
            }
            (None, Some(kind)) => {
                let name = &kind.name.text;
                let end = spawns.last()?.count.span.end;
                Some(Fix::insert(end, format!(", {name}: 1"), format!("spawn one agent of kind `{name}`")))
            }
            (None, None) => None,
        }
    }

    /// Renames the process that is nearly called `Behavior`, or adds one that does nothing.
    fn behavior(&self, at: Span) -> Option<Fix> {
        let agent = self.agents.get(&at.start)?;
        let own = agent.processes.iter().map(|p| p.name.text.as_str());
        if let Some(near) = suggest::nearest("Behavior", own) {
            let title = format!("rename `{near}` to `Behavior`");
            let mut fix = Fix { title, edits: vec![] };
            for definition in &agent.processes {
                let mut calls = vec![];
                collect(&definition.body, &mut calls);
                let head = (definition.name.text.as_str(), definition.name.span);
                for (_, span) in calls.into_iter().chain([head]).filter(|(name, _)| *name == near) {
                    fix = fix.and(span, "Behavior");
                }
            }
            return Some(fix);
        }
        let open = self.inside(agent.name.span)?;
        let close = remove::closing(self.text, open)?;
        let inside = self.text.get(open as usize..close as usize)?;
        let text = match inside.rsplit_once('\n') {
            Some(_) => "  Behavior = Skip\n".to_string(),
            None => " Behavior = Skip ".to_string(),
        };
        // On its own line before the brace, unless something else stands on the brace's line.
        let line = inside.rfind('\n').map(|at| open + at as u32 + 1);
        let line = line.filter(|line| self.slice(Span { start: *line, end: close }).trim().is_empty());
        let text = if line.is_some() { text } else { text.trim_end_matches('\n').to_string() + " " };
        Some(Fix::insert(line.unwrap_or(close), text, "insert `Behavior = Skip`"))
    }

    /// Removes a variable that is neither read nor assigned.
    fn unused_variable(&self, diagnostic: &Diagnostic) -> Option<Fix> {
        let removal = self.variables.get(&diagnostic.primary.span.start)?;
        let written = diagnostic.message.ends_with("never read");
        let name = self.slice(diagnostic.primary.span);
        (!written).then(|| removal.fix(format!("remove `{name}`")))
    }

    fn unused_process(&self, at: Span) -> Option<Fix> {
        let definition = self.processes.get(&at.start)?;
        if self.called.contains(definition.name.text.as_str()) {
            return None;
        }
        let whole = at.to(definition.body.span);
        let name = self.slice(at);
        Some(remove::item(self.text, whole).fix(format!("remove `{name}`")))
    }

    /// Removes a parameter that has a default. Others get their values from elsewhere, where they would be missing then.
    fn unused_parameter(&self, at: Span) -> Option<Fix> {
        let declared = self.file.systems.iter().flat_map(|s| &s.externs).find(|e| e.name.span == at)?;
        declared.default?;
        let colon = remove::next(self.text, at.end, ':')?;
        let rest = self.text.get(colon as usize + 1..)?;
        let number = rest.trim_start();
        let sign = number.trim_start_matches('-').trim_start();
        let digits = sign.find(|c: char| !c.is_ascii_digit()).unwrap_or(sign.len());
        let end = self.text.len() - sign.len() + digits;
        let whole = Span { start: at.start, end: end as u32 };
        let name = self.slice(at);
        Some(remove::item(self.text, whole).fix(format!("remove `{name}`")))
    }
}

/// The calls of a process, with their places.
fn collect<'p>(process: &'p Process, calls: &mut Vec<(&'p str, Span)>) {
    match &process.node {
        ProcessNode::Call(name) => calls.push((name, process.span)),
        ProcessNode::Seq(parts) | ProcessNode::Choice(parts) | ProcessNode::Par(parts) => {
            parts.iter().for_each(|part| collect(part, calls));
        }
        ProcessNode::Guard(_, body) | ProcessNode::Conditional(_, body) | ProcessNode::Rated(body, _) => {
            collect(body, calls);
        }
        _ => {}
    }
}
